#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A GPU that stock i915 drives: its life, its engines, and programs on it.
set -u

slot=0000:00:02.0
device=/sys/bus/pci/devices/$slot
driver=/sys/bus/pci/drivers/i915
engines=$BUILD/selftests/i915/engines
count=0
failed=0
said=$(mktemp)
trap 'rm -f "$said"' EXIT

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

# becomes VALUE FILE: within a minute
becomes() {
	local tries=0

	until [ "$(cat "$2")" = "$1" ]; do
		[ $((tries += 1)) -lt 600 ] || return
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
	OCL_ICD_VENDORS=/etc/OpenCL/vendors/intel.icd \
		"$BUILD/demo/compute" 1 1 >"$said" &&
		grep -q '^1100 -1 1102 -1 ' "$said"
}

# The runtime does not say that the driver took its kernel off.
ends_endless() {
	OCL_ICD_VENDORS=/etc/OpenCL/vendors/intel.icd timeout 900 \
		"$BUILD/selftests/i915/misbehave" endless
	[ $? -ne 124 ] && dmesg | grep 'Resetting rcs0'
}

# i915 takes the hanging context off; what it says then is no complaint.
survives_hang() {
	"$engines" hang && five_engines
}

echo "TAP version 13"
echo "1..16"
check "probe without a complaint" silent
check "a batch on each of five engines" five_engines
check "engines wait for each other's fences" "$engines" chain
check "an engine waits for what another one writes" "$engines" semaphore
check "the copy engine fills and copies" "$engines" blit
check "six processes at once" "$engines" many 6
check "the device sleeps when nobody uses it" suspends
check "and wakes up when somebody does" resumes
check "and stays awake when it has to" stays_awake
check "i915 lets it go and takes it again, three times" bound_again
check "an OpenCL program computes what it should" computes
check "nothing of that made i915 complain" silent
check "a batch without end is ended, others go on" survives_hang
check "an OpenCL program after that" computes
check "a kernel without end is ended, with its threads" ends_endless
check "and another program computes" computes
exit "$failed"
