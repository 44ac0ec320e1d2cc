#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Loading and unloading the module, and what it leaves behind.
set -u

module=$BUILD/kmod-${KERNEL:?guest kernel}/gtdbg.ko
count=0
failed=0

check() {
	local name=$1 verdict="ok"
	shift

	if ! "$@"; then
		verdict="not ok"
		failed=1
	fi
	count=$((count + 1))
	echo "$verdict $count - $name"
}

absent() {
	! [ -e "$1" ]
}

reload() {
	local round

	for round in 1 2 3 4 5; do
		rmmod gtdbg && insmod "$module" || {
			echo "# round $round failed"
			return 1
		}
	done
}

busy_while_open() {
	local ret

	exec 3</dev/gtdbg
	rmmod gtdbg 2>/dev/null
	ret=$?
	exec 3<&-
	[ "$ret" -ne 0 ]
}

echo "TAP version 13"
echo "1..7"
check "the device node is there" test -c /dev/gtdbg
check "the debugfs folder is there" test -d /sys/kernel/debug/gtdbg
if [ "$KERNEL" = san ]; then
	count=$((count + 1))
	echo "ok $count - the module has BTF # SKIP kernel without BTF"
else
	check "the module has BTF" test -s /sys/kernel/btf/gtdbg
fi
check "an open descriptor keeps the module" busy_while_open
check "the module unloads and loads again, five times" reload
rmmod gtdbg
check "unloading removes the device node" absent /dev/gtdbg
check "unloading removes the debugfs folder" absent /sys/kernel/debug/gtdbg
insmod "$module"
exit "$failed"
