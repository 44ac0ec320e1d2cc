# SPDX-License-Identifier: MIT
# For tests of sessions on a GPU that stock i915 drives. Ends the test as skipped where
# there is none.

tool=${GTDBGCTL:?path of the tool}
program=$BUILD/demo/compute
device=$(readlink -f /sys/class/drm/renderD128/device)
state=/sys/kernel/debug/gtdbg/state
card=$(basename "$device"/drm/card*)
dri=/sys/kernel/debug/dri/${card#card}
count=0
failed=0
said_before=0 # lines of the kernel's log that are none of the test's
export OCL_ICD_VENDORS=/etc/OpenCL/vendors/intel.icd

if ! [ -e "$device/drm" ] || ! [ -e /dev/gtdbg-pci ]; then
	echo "1..0 # SKIP no GPU with i915, or no module for it: selftests/vm/run --gpu"
	exit 4
fi

# What a test does behind a check that has failed, so that it is in nobody's way.
after_failure() { :; }

check() {
	local name=$1 verdict=ok
	shift

	if ! "$@" >said 2>&1; then
		verdict="not ok"
		failed=1
		dmesg | tail -n 10 | sed 's/^/# dmesg: /'
		sed 's/^/# /' said | tail -n 200
		after_failure
	fi
	count=$((count + 1))
	echo "$verdict $count - $name"
}

silent() {
	! dmesg | tail -n +$((said_before + 1)) |
		grep -E 'WARNING|BUG:|i915.*(ERROR|WARN|workaround lost)'
}

# within SECONDS COMMAND...: it succeeds before that, which only a hang reaches
within() {
	local end=$((SECONDS + $1))

	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return
		sleep 0.2
	done
}
