#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A session on a GPU behind an IOMMU that translates. QEMU's own is not in the way of a
# device of another process, so a module stands in for it, and the virtual GPU does to
# addresses what its hardware would: all of them are 64 GiB too large for the machine.
# Both stay so: the last test of its guest.
set -u

# shellcheck source=selftests/guest/gpu.bash
. "$(dirname "$0")/gpu.bash"

slot=${device##*/}
driver=/sys/bus/pci/drivers/i915
pages=0x1000000
standin=$BUILD/kmod-${KERNEL-}/tests/gtdbg-iommu.ko
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit

if ! grep -q QEMU /sys/class/dmi/id/sys_vendor || ! [ -e "$standin" ]; then
	echo "1..0 # SKIP no module that stands in for an IOMMU of this kernel"
	exit 4
fi

is_there() {
	[ -e /dev/dri/renderD128 ]
}

# Awake, as it has to hear it.
bound_behind_it() {
	echo on >"$device/power/control"
	echo "$slot" >$driver/unbind &&
		"$BUILD/selftests/i915/register" "$device" 0x1ffff8 $pages &&
		insmod "$standin" device=0x9a49 shift=$((pages * 4096)) &&
		echo "$slot" >$driver/bind && within 600 is_there
}

# None of its addresses is one of the machine's: engines work with them.
is_behind_it() {
	[ "$("$BUILD/selftests/i915/engines" each)" = "5 engines" ] &&
		[ -e "$device/iommu_group" ] &&
		"$BUILD/selftests/i915/register" "$device" 0x1ffff8
}

whole_session() {
	timeout 900 "$tool" run --batch -ex 'break 7' -ex run -ex 'print point' \
		-ex 'set variable point = 102' -ex 'print point' -ex 'x/8dw &point' \
		-ex 'info registers' -ex delete -ex continue \
		-- "$program" </dev/null >session 2>&1
	cat session
	grep -qF '$1 = 101' session && grep -qF '$2 = 102' session &&
		grep -q '^1100 -1 ' session
}

# moved COMMAND: a session in which every second translation of pages that begin with the
# program's numbers is another page while the tool does that, and then the others. All bytes
# of that page are 0x47, and stay so. Private memory begins with those numbers, too.
moved() {
	local parameters=/sys/module/gtdbg_iommu/parameters

	echo $((101 << 32 | 100)) >$parameters/begins
	timeout 900 "$tool" run --batch -ex 'break 7' -ex run \
		-ex "shell echo 1 >$parameters/moves" -ex "$1" \
		-ex "shell echo 2 >$parameters/moves" -ex "$1" \
		-ex "shell echo 0 >$parameters/moves; cat $parameters/ours" \
		-ex 'x/2dw in' -ex delete -ex continue \
		-- "$program" </dev/null >session 2>&1
	cat session
	grep -qx untouched session && grep -q $':\t100\t101$' session &&
		! grep -q 4747 session && grep -q '^1100 -1 ' session
}

echo "TAP version 13"
echo "1..6"
check "i915 takes the GPU behind an IOMMU" bound_behind_it
check "each engine works with addresses that it translates" is_behind_it
check "so does a session with a breakpoint and variables" whole_session
check "a page that moves while it is read is not shown" moved 'x/2xw in'
check "nor is it written if it moves then" moved 'set variable point = 101'
check "nothing of that made i915 complain" silent
exit "$failed"
