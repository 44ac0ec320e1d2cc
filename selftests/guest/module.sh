#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Loading and unloading the modules, and what they leave behind.
set -u

modules=$BUILD/kmod-${KERNEL:?guest kernel}
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

has_btf() {
	if [ "$KERNEL" = san ]; then
		count=$((count + 1))
		echo "ok $count - $1 has BTF # SKIP kernel without BTF"
	else
		check "$1 has BTF" test -s "/sys/kernel/btf/$1"
	fi
}

load() {
	insmod "$modules/gtdbg.ko" && insmod "$modules/gtdbg-vgt.ko" &&
		insmod "$modules/gtdbg-pci.ko"
}

reload() {
	local round

	for round in 1 2 3 4 5; do
		rmmod gtdbg_pci gtdbg_vgt gtdbg && load || {
			echo "# round $round failed"
			return 1
		}
	done
}

# stays_while_open DEVICE MODULE
stays_while_open() {
	local ret

	exec 3<"$1"
	rmmod "$2" 2>/dev/null
	ret=$?
	exec 3<&-
	[ "$ret" -ne 0 ]
}

# A trace that goes on while backends come and go, and keeps the core until it ends.
stays_while_traced() {
	local folder trace ret

	folder=$(mktemp -d)
	"$GTDBGCTL" trace -a -o "$folder/trace" >"$folder/log" 2>&1 &
	trace=$!
	until [ -s "$folder/trace" ] || ! kill -0 "$trace" 2>/dev/null; do
		sleep 0.1
	done
	rmmod gtdbg_pci gtdbg_vgt && ! rmmod gtdbg 2>/dev/null
	ret=$?
	kill -INT "$trace"
	wait "$trace" || ret=1
	[ $ret -eq 0 ] || sed 's/^/# /' "$folder/log"
	rm -r "$folder"
	rmmod gtdbg && load && [ $ret -eq 0 ]
}

core_alone() {
	rmmod gtdbg_vgt gtdbg_pci && absent /dev/gtdbg-vgt &&
		absent /dev/gtdbg-pci && test -c /dev/gtdbg &&
		insmod "$modules/gtdbg-vgt.ko" && test -c /dev/gtdbg-vgt &&
		insmod "$modules/gtdbg-pci.ko" && test -c /dev/gtdbg-pci
}

backends_alone() {
	! insmod "$modules/gtdbg-vgt.ko" 2>/dev/null &&
		! insmod "$modules/gtdbg-pci.ko" 2>/dev/null
}

# Only what imports the namespace may use the core's symbols.
imports() {
	local module

	for module in gtdbg-vgt gtdbg-pci; do
		modinfo -F import_ns "$modules/$module.ko" | grep -qx GTDBG &&
			modinfo -F depends "$modules/$module.ko" |
			grep -qx gtdbg || return
	done
}

echo "TAP version 13"
echo "1..22"
check "the core's node is open to everyone" \
	test "$(stat -c %F:%a /dev/gtdbg)" = "character special file:666"
check "the virtual backend's node is open to root alone" \
	test "$(stat -c %F:%a /dev/gtdbg-vgt)" = "character special file:600"
check "and so is that of the machine's GPUs" \
	test "$(stat -c %F:%a /dev/gtdbg-pci)" = "character special file:600"
check "the debugfs folder is there" test -d /sys/kernel/debug/gtdbg
has_btf gtdbg
has_btf gtdbg_vgt
has_btf gtdbg_pci
check "the backends name what they import" imports
check "an open descriptor keeps the core" stays_while_open /dev/gtdbg gtdbg
check "an open descriptor keeps the backend" \
	stays_while_open /dev/gtdbg-vgt gtdbg_vgt
check "and the other one" stays_while_open /dev/gtdbg-pci gtdbg_pci
check "a backend keeps the core" eval '! rmmod gtdbg 2>/dev/null'
if [ "$KERNEL" = san ]; then
	check "a trace keeps the core # SKIP a sanitised kernel takes too long" true
else
	check "a trace keeps the core" stays_while_traced
fi
check "the core is there without a backend" core_alone
check "the modules unload and load again, five times" reload
rmmod gtdbg_pci gtdbg_vgt gtdbg
check "unloading removes the core's node" absent /dev/gtdbg
check "unloading removes the virtual backend's node" absent /dev/gtdbg-vgt
check "and the other one" absent /dev/gtdbg-pci
check "unloading removes the debugfs folder" absent /sys/kernel/debug/gtdbg
if [ "$KERNEL" = san ]; then
	check "a trace says what it lacks # SKIP a sanitised kernel takes too long" true
else
	check "a trace says what it lacks" eval '"$GTDBGCTL" trace -a -o /dev/null 2>&1 |
		grep -q "^gtdbgctl: the kernel module is not loaded"'
fi
check "no backend loads without the core" backends_alone
check "the modules load again" load
exit "$failed"
