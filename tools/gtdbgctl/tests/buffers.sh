#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Guarded buffers, without a debugger and without the module: a program that stays in
# them (buffers.c) is told the same and computes the same as without; what leaves one by
# an element (memcheck.cl) faults, as vgtd says, or is said by the hook.
set -u
# shellcheck source=tools/gtdbgctl/tests/tap.bash
. "$(dirname "$0")/tap.bash"

tool=${GTDBGCTL:?path of the tool}
BUILD=${BUILD:-$(dirname "$tool")/..}
hook=$BUILD/libgtdbg/hook/libigfxdbgxchg64.so
program=$BUILD/gtdbgctl/tests/buffers
launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/memcheck.cl

needs_virtual_gpu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "TAP version 13"

# same PLACE: where they are guarded
same() {
	GTDBG_MEMCHECK=$1 OPENCL_LAYERS=$hook \
		"$BUILD/vgt/vgt-run" "$program" >"$work/$1" 2>"$work/$1.err"
	if diff "$work/plain" "$work/$1" >"$work/diff" &&
		grep -q 'memcheck: 9[0-9] buffers were guarded' "$work/$1.err" &&
		! grep -q 'were written to' "$work/$1.err"; then
		result ok "and with them guarded: $1"
	else
		head -20 "$work/diff" "$work/$1.err" | sed 's/^/# /'
		result "not ok" "and with them guarded: $1"
	fi
}

# The hook's table of a program that has some of each kind: each where the runtime said,
# and of what it has not made there is nothing. The numbers count by kind.
table() {
	mkdir "$work/folder"
	GTDBG_BUFFERS=$work/folder OPENCL_LAYERS=$hook \
		"$BUILD/vgt/vgt-run" "$program" table >"$work/made" 2>&1
	awk '{ print $1, $2 }' "$work"/folder/buffers.* >"$work/numbers"
	awk '{ $2 = 1; print }' "$work"/folder/buffers.* >"$work/table"
	if [ -s "$work/made" ] && diff "$work/made" "$work/table" >"$work/diff"; then
		result ok "a debugger is told of memory of each kind"
	else
		sed 's/^/# /' "$work/diff"
		result "not ok" "a debugger is told of memory of each kind"
	fi
	[ "$(tr '\n' ' ' <"$work/numbers")" = "u 1 u 2 u 3 s 1 b 1 b 2 " ] &&
		result ok "each kind is counted" ||
		result "not ok" "each kind is counted"
}

# leaves PLACE KERNEL WIDTH [OPTION]: optimised code uses surfaces, which have bounds, otherwise
leaves() {
	GTDBG_MEMCHECK=$1 OPENCL_LAYERS=$hook "$BUILD/vgt/vgt-run" "$launch" \
		--options -cl-intel-greater-than-4GB-buffer-required \
		"${@:4}" "$kernels" "$2" "$3" >/dev/null 2>"$work/left"
}

# says NAME COUNT PATTERN: that many lines of it
says() {
	if [ "$(grep -cE "$3" "$work/left")" -eq "$2" ]; then
		result ok "$1"
	else
		sed 's/^/# /' "$work/left"
		result "not ok" "$1"
	fi
}

# Buffers of 64 integers, and of 65, which is no multiple of 128 bytes.
overruns() {
	leaves '' past 64
	says "in its page an overrun is not seen otherwise" 0 'page fault|memcheck'
	leaves end past 64
	says "a read of one element too many faults" 1 \
		'page fault: read at 0x[0-9a-f]*000,'
	says "a write of one, too" 1 'page fault: write at 0x[0-9a-f]*000,'
	leaves end past 65
	says "whatever the length" 2 'page fault: (read|write) at 0x[0-9a-f]*000,'
	leaves begin before 64
	says "as does a read before the buffer, where that is guarded" 1 \
		'page fault: read at 0x[0-9a-f]*ffc,'
	leaves aligned around 65
	says "a write before it in its page is seen later" 1 \
		'memcheck: up to 4 bytes before buffer 2 of 260 bytes were written to \(seen at clEnqueueReadBuffer; kernel around was launched before\)'
	says "and one behind it" 1 \
		'memcheck: up to 4 bytes past the end of buffer 2 of 260 bytes'
	says "but nothing of what was only read" 0 'page fault|buffer 1'
	says "what this has cost is said" 1 \
		'memcheck: 2 buffers were guarded, 2 with bytes behind .* 7672 bytes for 520 more, [1-9]'
	leaves aligned around 65 --task
	says "a task is a launch" 1 \
		'memcheck: up to 4 bytes before buffer 2 .* clEnqueueReadBuffer; kernel around'
}

"$BUILD/vgt/vgt-run" "$program" >"$work/plain" 2>"$work/plain.err"
if grep -q '^42 of 42 lengths are right$' "$work/plain"; then
	result ok "a program runs"
else
	sed 's/^/# /' "$work/plain.err"
	result "not ok" "a program runs"
fi
same end
same aligned
same begin
overruns
table
finish
