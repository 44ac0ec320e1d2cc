#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A machine starts anew while a program is stopped on its GPU: vgtd has the same device
# for it, and nothing of what was there. For selftests/vm/run --gpu --reboots, which
# runs it twice.
set -u

# shellcheck source=selftests/guest/gpu.bash
. "$(dirname "$0")/gpu.bash"

rebooted=/run/vm/rebooted
before=$(cat "$device"/drm/card*/engine/*/{heartbeat_interval,preempt_timeout}_ms)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit

is_stopped() {
	grep -q 'hit Breakpoint 1, compute' session
}

goes_down() {
	mkfifo in
	"$tool" run -ex 'break 7' -ex run -- "$program" <in >session 2>&1 &
	exec 3>in
	within 600 is_stopped || { cat session $state; return 1; }
	echo "$before" >$rebooted
	sync
	echo b >/proc/sysrq-trigger
	sleep 600
}

# The driver's own settings, those of its first boot.
settings_are_own() {
	[ "$before" = "$(cat $rebooted)" ] && ! grep -q ^device $state
}

five_engines() {
	[ "$("$BUILD/selftests/i915/engines" each)" = "5 engines" ]
}

whole_session() {
	timeout 900 "$tool" run --batch -ex 'break 7' -ex run -ex 'print point' \
		-ex delete -ex continue -- "$program" </dev/null >session 2>&1
	cat session
	is_stopped && grep -qF '$1 = 101' session &&
		grep -q '^1100 -1 1102 -1 ' session
}

if ! [ -e $rebooted ]; then
	goes_down
	exit 1
fi
echo "TAP version 13"
echo "1..5"
check "after a reboot i915 takes the GPU without a complaint" silent
check "with settings of its own, and no client" settings_are_own
check "each of its engines works" five_engines
check "a session is as any other" whole_session
check "nothing of that made i915 complain" silent
exit "$failed"
