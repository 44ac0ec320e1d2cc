#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A GPU that stock i915 drives: its life, its engines, and programs on it. In the soak
# (GTDBG_TEST_SOAK) also debug builds of the OpenCL cases, which then are compared with what
# "make -C tools/vgt results" has left, and the kernels of a benchmark (OCLBENCH names its
# folder).
set -u

slot=0000:00:02.0
device=/sys/bus/pci/devices/$slot
driver=/sys/bus/pci/drivers/i915
engines=$BUILD/selftests/i915/engines
top=$(cd "$(dirname "$0")/../.." && pwd)
tests=$BUILD/vgt/tests
soak=${GTDBG_TEST_SOAK:-0}
count=0
failed=0
work=$(mktemp -d)
said=$work/said
trap 'rm -rf "$work"' EXIT
export OCL_ICD_VENDORS=/etc/OpenCL/vendors/intel.icd

if ! [ -e "$device/drm" ] || ! [ -e /dev/dri/renderD128 ]; then
	echo "1..0 # SKIP no GPU with i915: selftests/vm/run --gpu has one"
	exit 4
fi

check() {
	local name=$1 verdict=ok
	shift

	if ! "$@" >"$said" 2>&1; then
		verdict="not ok"
		failed=1
		sed 's/^/# /' "$said" | tail -n 20
	fi
	count=$((count + 1))
	echo "$verdict $count - $name"
}

complaints() {
	dmesg | grep -E 'WARNING|BUG:|i915.*(ERROR|WARN|workaround lost)'
}

silent() {
	! complaints
}

# becomes VALUE FILE: within ten minutes, which only a hang takes
becomes() {
	local tries=0

	until [ "$(cat "$2")" = "$1" ]; do
		[ $((tries += 1)) -lt 6000 ] || return
		sleep 0.1
	done
}

five_engines() {
	local text

	text=$("$engines" each) && [ "$text" = "5 engines" ]
}

suspends() {
	echo 100 >"$device/power/autosuspend_delay_ms"
	echo auto >"$device/power/control"
	becomes suspended "$device/power/runtime_status"
}

resumes() {
	five_engines && becomes suspended "$device/power/runtime_status" &&
		five_engines
}

stays_awake() {
	echo on >"$device/power/control"
	becomes active "$device/power/runtime_status" && five_engines
}

bound_again() {
	for _ in 1 2 3; do
		echo $slot >$driver/unbind || return
		! [ -e /dev/dri/renderD128 ] || return
		echo $slot >$driver/bind || return
		[ -e /dev/dri/renderD128 ] && five_engines || return
	done
}

computes() {
	"$BUILD/demo/compute" 1 1 >"$said" &&
		grep -q '^1100 -1 1102 -1 ' "$said"
}

# The runtime does not say that the driver took its kernel off.
ends_endless() {
	timeout 900 "$BUILD/selftests/i915/misbehave" endless
	[ $? -ne 124 ] && dmesg | grep 'Resetting rcs0'
}

# Debian's loader and the runtime's own library; the module is SPIR-V.
level_zero() {
	timeout 900 "$tests/level_zero" "$tests/scale.spv" | grep -x 'done'
}

# cases default|debug: all OpenCL cases of the virtual GPU, as they are. Each has its reference
# in C; it says the same of all that the build has compiled.
cases() {
	cl_cache_dir=$tests/compiled timeout 2400 "$tests/kernels/kernels" \
		"$top/tools/vgt/tests/kernels" "$1" >"$work/$1"
	local status=$?

	grep -A 1 '^not ok' "$work/$1"
	echo "$(grep -c '^ok' "$work/$1") of $(sed -n 's/^1\.\.//p' "$work/$1") cases"
	[ $status -eq 0 ]
}

# verdicts FILE...: of each case, by its name
verdicts() {
	sed -n 's/^\(not \)\?ok [0-9]* - /\1ok /p' "$@" | sort
}

as_at_the_socket() {
	diff <(verdicts "$tests/results/socket") <(verdicts "$work/default")
}

# That one lacks what not every OpenCL has, and is wrong in places; what is right is so here.
as_with_pocl() {
	verdicts "$tests/results/pocl" | grep '^ok' | grep -v SKIP >"$work/pocl"
	wc -l <"$work/pocl"
	[ -s "$work/pocl" ] && ! comm -23 "$work/pocl" \
		<(verdicts "$work/default" "$work/debug") | grep .
}

# Its lines are name, items, best, median, right (-1: lacks an extension), ...
benchmark() {
	cp -r "$OCLBENCH/." "$work/set" && chmod -R u+w "$work/set" &&
		make -s -C "$work/set" &&
		OCLBENCH_SCALE=0.05 OCLBENCH_REPS=1 timeout 2400 \
			"$work/set/oclbench" >"$work/lines" || return
	awk -F, '
		{ print $1, $5 }
		$5 == 1 { right++ }
		$5 != 1 && $5 != -1 { wrong++ }
		END { exit wrong || !right }' "$work/lines"
}

# i915 takes the hanging context off; what it says then is no complaint.
survives_hang() {
	"$engines" hang && five_engines
}

echo "TAP version 13"
echo "1..$((soak ? 23 : 19))"
check "probe without a complaint" silent
check "a batch on each of five engines" five_engines
check "engines wait for each other's fences" "$engines" chain
check "an engine waits for what another one writes" "$engines" semaphore
check "the copy engine fills and copies" "$engines" blit
check "into tiles and out of them, too" "$engines" tiles
check "six processes at once" "$engines" many 6
check "the device sleeps when nobody uses it" suspends
check "and wakes up when somebody does" resumes
check "and stays awake when it has to" stays_awake
check "i915 lets it go and takes it again, three times" bound_again
check "an OpenCL program computes what it should" computes
check "a Level Zero program" level_zero
check "the OpenCL cases of the virtual GPU" cases default
if ((soak)); then
	check "debug builds of them" cases debug
	check "the same as at the simulator's socket" as_at_the_socket
	check "and all that is right with PoCL" as_with_pocl
	if [ -f "${OCLBENCH-}/oclbench.c" ]; then
		check "the kernels of a benchmark" benchmark
	else
		count=$((count + 1))
		echo "ok $count - the kernels of a benchmark # SKIP no folder OCLBENCH"
	fi
fi
check "nothing of that made i915 complain" silent
check "a batch without end is ended, others go on" survives_hang
check "an OpenCL program after that" computes
check "a kernel without end is ended, with its threads" ends_endless
check "and another program computes" computes
exit "$failed"
