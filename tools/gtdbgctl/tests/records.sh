#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Assertions of a program on its own, which asks for them itself (gtdbg_assert_host.h),
# without a debugger and without the module. Which work-items fail in assert.cl is
# computed here anew.
set -u
# shellcheck source=tools/gtdbgctl/tests/tap.bash
. "$(dirname "$0")/tap.bash"

tool=${GTDBGCTL:?path of the tool}
BUILD=${BUILD:-$(dirname "$tool")/..}
launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/assert.cl

needs_virtual_gpu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "TAP version 13"

# records DOOR OPTIONS ARGUMENT...: the program's lines on stdout and stderr
records() {
	timeout 900 "$BUILD/vgt/vgt-run" "--door=$1" "$launch" --check --options \
		"-I$BUILD/libgtdbg/opencl -DGTDBG_ASSERT_RECORDS $2" "${@:3}" \
		>"$work/out" 2>"$work/err"
}

# says NAME FILE: the lines in it are those on stdin, in any order
says() {
	if diff <(sort) <(sort "$2") >"$work/diff"; then
		result ok "$1"
	else
		sed 's/^/# /' "$work/diff" "$work/err"
		result "not ok" "$1"
	fi
}

# counts NAME NUMBER...: what each call has returned
counts() {
	[ "$(sed -n 's/^failed: //p' "$work/out" | xargs)" = "${*:2}" ] &&
		result ok "$1" || says "$1" "$work/out" <<<"failed: ${*:2}"
}

# code FILE OPTIONS: sums of all kernels' code, as the compiler writes it down
code() {
	rm -rf "$work/dump"
	IGC_ShaderDumpEnable=1 IGC_DumpToCustomDir=$work/dump \
		timeout 900 "$BUILD/vgt/vgt-run" "$launch" --options "$2" "$1" holds \
		>"$work/out" 2>"$work/err"
	for file in "$work"/dump/*_entry_*.asm; do
		sed 's,//.*,,' "$file" | sha256sum
	done
}

# With NDEBUG there is the code of a source that has no assertions, in any build.
removed() {
	local options

	sed -E 's/(gtdbg_assert_msg|assert)\(.*\);/;/; /#include/d' "$kernels" \
		>"$work/none.cl"
	for options in -cl-std=CL1.2 -cl-std=CL3.0 -cl-opt-disable; do
		code "$work/none.cl" "$options" >"$work/none"
		code "$kernels" "$options -I$BUILD/libgtdbg/opencl -DNDEBUG" \
			>"$work/ndebug"
		code "$kernels" "$options -I$BUILD/libgtdbg/opencl" >"$work/there"
		if [ "$(wc -l <"$work/none")" -eq 4 ] &&
			cmp "$work/none" "$work/ndebug" &&
			! grep -qFf "$work/there" "$work/none"; then
			result ok "NDEBUG leaves no code ($options)"
		else
			sed 's/^/# /' "$work/none" "$work/ndebug" "$work/there"
			result "not ok" "NDEBUG leaves no code ($options)"
		fi
	done
}

# failure LINE FUNCTION GLOBAL LOCAL TEXT: the compiler calls the source "1"
failure() {
	echo "1:$1: void $2(...): global id: [$3], local id: [$4] Assertion $5"
}

# Those of plane, 8 by 8 in groups of 4 by 4.
plane() {
	local x y at

	for ((y = 0; y < 8; y++)); do
		for ((x = 0; x < 8; x++)); do
			at="$((x % 4)),$((y % 4)),0"
			((x * y != 6)) || failure 18 plane "$x,$y,0" "$at" \
				"'x * y != 6' failed."
			((x + y < 6 || x + y > 9)) ||
				failure 20 plane "$x,$y,0" "$at" \
					"'x + y + i != 9' failed: on the line."
		done
	done
}

records drm -cl-std=CL3.0 "$kernels" plane 8 8 4
says "each work-item has its line" "$work/err" < <(plane)
counts "the call counts them" "$(plane | wc -l)"
[[ $(tail -1 "$work/out") == "0 0 0 0 0 0 0 0 0 1 2 3 4 5 6 7 0 2 4 6 8 "* ]] &&
	result ok "the kernel has gone on" || result "not ok" "the kernel has gone on"
records socket "-cl-std=CL2.0 -cl-opt-disable" --loop 2 "$kernels" compute 8
line=$(failure 9 compute 5,0,0 5,0,0 "'point > 0' failed.")
says "each launch has its own" "$work/err" <<<"$line"$'\n'"$line"
counts "none counts twice" 1 1
# Item 5, and each seventh from there: 146.
records drm -cl-std=CL3.0 "$kernels" compute 1024
counts "what there is no room for is counted" 146
[ "$(grep -c "'point > 0' failed" "$work/err")" -eq 64 ] &&
	grep -qx "gtdbg: 82 more assertions have failed" "$work/err" &&
	result ok "and said" || says "and said" "$work/err" </dev/null
records drm "-cl-std=CL3.0 -DGTDBG_ASSERT_SESSION" "$kernels" compute 8
counts "under a debugger, which reports, there is nothing to ask" -46
records drm -cl-std=CL1.2 "$kernels" compute 8
says "not in OpenCL C 1.2" "$work/err" <<<"launch: build: OpenCL error -11"
removed
finish
