#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sessions on a GPU that does not do as it should: each ends soon with an error that
# says so, and leaves nothing behind. Only on a virtual one, which can be told to.
set -u

# shellcheck source=selftests/guest/gpu.bash
. "$(dirname "$0")/gpu.bash"

# The variable is a guest's of ours, whose kernel may know no firmware.
if [ -z "${KERNEL-}" ] && ! grep -q QEMU /sys/class/dmi/id/sys_vendor; then
	echo "1..0 # SKIP a GPU that is not virtual"
	exit 4
fi

register=$BUILD/selftests/i915/register
deaf=0x1ffffc # which bits of forcewake requests are not answered; only here
power=$((0xd4)) # of the function, in its configuration
tracing=/sys/kernel/tracing
session=
input=
folder=$(mktemp -d)
capture=$dri/i915_params/error_capture
trap 'rm -rf "$folder"; echo "$control" >"$device/power/control"' EXIT

cd "$folder" || exit
# Of a tool that has gone, its status tells.
trap : PIPE

settings() {
	cat /sys/class/drm/card*/engine/*/{heartbeat_interval,preempt_timeout}_ms
}

as_before() {
	[ "$(settings)" = "$before" ]
}

# One by one: a pattern that is longer than a name can be is not looked for.
runs() {
	pgrep -lx compute || pgrep -lx gtdbgctl
}

is_over() {
	! grep -q ^device $state && ! runs && as_before
}

nothing_is_left() {
	within 600 is_over || { cat $state; runs; false; }
}

right_results() {
	grep -q '^1100 -1 1102 -1 1104 -1 ' "$1"
}

# What others ask for, the driver among them, is answered. The program goes on without
# a debugger.
deaf_session() {
	local status

	"$register" "$device" $deaf 2 || return
	timeout 600 "$tool" run --batch -ex 'break 7' -ex run -- "$program" \
		</dev/null >session 2>&1
	status=$?
	"$register" "$device" $deaf 0
	cat session
	[ $status -eq 0 ] && right_results session &&
		grep -q '^gtdbg: not debugging this program: /dev/gtdbg-pci: .* timed out' \
			session &&
		grep -q 'ended without using the GPU under gtdbg' session
}

stops() {
	grep -c 'hit Breakpoint' session
}

# has_stopped TIMES
has_stopped() {
	[ "$(stops)" -ge "$1" ]
}

# stopped_session ARGUMENT...
stopped_session() {
	rm -f in
	mkfifo in
	"$tool" run -ex 'break 7' -ex run -- "$program" "$@" <in >session 2>&1 &
	session=$!
	exec {input}>in
	within 600 has_stopped 1 || { cat session $state; false; }
}

# A launch may have several stops, as its threads come to the line one by one.
goes_on_until_lost() {
	local now

	now=$(stops)
	[ "$now" -eq "$seen" ] || echo continue >&"$input"
	seen=$now
	is_lost
}

# The module lets go of what it holds when nothing runs; then it needs it again.
falls_deaf() {
	seen=0
	stopped_session 100000 500 && "$register" "$device" $deaf 2 || return
	within 600 goes_on_until_lost || { cat session $state; false; }
}

# When the deaf GPU was asked, in microseconds.
questions() {
	sed -n 's/.* \([0-9]*\)\.\([0-9]*\): gtdbg_gpu_wake .*/\1\2/p' \
		$tracing/trace
}

# has_asked TIMES
has_asked() {
	[ "$(questions | wc -l)" -ge "$1" ]
}

# It is left alone for twice as long each time, from 100 ms on; what comes late comes
# later still. One question may have been asked as the GPU was lost.
asks_seldom() {
	local when

	echo gtdbg_gpu_wake >$tracing/set_ftrace_filter &&
		echo function >$tracing/current_tracer || return
	within 600 has_asked 7
	mapfile -t when < <(questions)
	echo nop >$tracing/current_tracer
	echo >$tracing/set_ftrace_filter
	printf '%s\n' "${when[@]}"
	[ ${#when[@]} -ge 7 ] && [ $((when[6] - when[5])) -ge 1600000 ]
}

# With nothing to do, which the program is kept from: what it launches next would run
# with a debugger that has no GPU.
hears_again() {
	pkill -STOP -x compute
	echo 1000000 >"$device/power/autosuspend_delay_ms"
	echo auto >"$device/power/control"
	"$register" "$device" $deaf 0
	within 600 is_found
	echo on >"$device/power/control"
	echo "$delay" >"$device/power/autosuspend_delay_ms"
	pkill -CONT -x compute
	is_found || { cat $state; false; }
}

is_found() {
	! is_lost
}

# A launch stops as if nothing had been.
stops_again() {
	within 600 has_stopped $((seen + 1)) || { cat session $state; false; }
}

is_kept_awake() {
	[ $(($("$register" "$device" 0xd84) & 2)) -ne 0 ]
}

# All that system sleep has for the module: its poller stands still with everyone
# else's, and the device has forgotten afterwards what it was asked for.
sleeps() {
	"$register" "$device" 0xa278 0x20000
	"$register" "$device" 0xa188 0x20000
	! is_kept_awake && echo freezer >/sys/power/pm_test &&
		echo 0 >/sys/module/suspend/parameters/pm_test_delay &&
		echo freeze >/sys/power/state && is_kept_awake
}

goes_on() {
	pkill -TERM -x compute
	printf '%s\n' 'print point' delete continue >&"$input"
	within 600 right_results session
	echo quit >&"$input"
	exec {input}>&-
	wait "$session"
	cat session
	grep -qF '$1 = 101' session && right_results session
}

# set_power STATE: 0: on; 3: off, where all that is read is ones
set_power() {
	printf "\\x0$1" | dd of="$device/config" bs=1 seek=$power conv=notrunc \
		status=none
}

is_lost() {
	grep -q '^device.* stopped=0 .* lost' $state
}

is_gone() {
	grep -q '^device.* lost gone' $state
}

reads_as_ones() {
	set_power 3 && [ "$("$register" "$device" 0x9138)" = 0xffffffff ] &&
		within 600 is_gone || { cat $state; false; }
}

is_refused() {
	grep -q 'Cannot resume: No such device' session
}

# What is deaf may be off the bus by now.
deaf_reads_as_ones() {
	falls_deaf && reads_as_ones
}

# The driver takes off what is still on the engine, when it may again.
ends_session() {
	echo continue >&"$input"
	within 600 is_refused
	set_power 0
	echo quit >&"$input"
	exec {input}>&-
	wait "$session"
	cat session
	is_refused
}

# Nothing is stopped there that could be refused to go on. The tool ends as its program
# did.
ends_with_program() {
	local status

	set_power 0
	"$register" "$device" $deaf 0
	pkill -KILL -x compute
	echo quit >&"$input"
	exec {input}>&-
	wait "$session"
	status=$?
	cat session
	echo "status $status"
	[ $status -eq 137 ] && nothing_is_left
}

# has_written PROCESS: or has ended, and its exit status says whether it ever did
has_written() {
	[ "$(sed -n '$s/^writes: //p' scribble)" -ge 200000 ] || ! kill -0 "$1"
}

# Whatever the session reads there may be something else already. Threads may wait for
# ever, and so does then whoever waits for their next stop.
spoilt_session() {
	local scribbler spoil i

	stopped_session 100000 500 || return
	mkfifo spoil
	"$BUILD/selftests/i915/scribble" "$(pgrep -x compute)" <spoil >scribble 2>&1 &
	scribbler=$!
	exec {spoil}>spoil
	for ((i = 0; i < 20; i++)); do
		printf '%s\n' 'info threads' 'print point' backtrace 'x/4dw &point' \
			continue >&"$input"
	done
	within 600 has_written $scribbler 2>/dev/null
	exec {spoil}>&-
	wait $scribbler || { cat session scribble; false; }
}

# Of such a GPU i915 may complain.
is_silent() {
	! dmesg | grep -E 'WARNING|BUG:|KASAN|UBSAN'
}

whole_session() {
	timeout 900 "$tool" run --batch -ex 'break 7' -ex run -ex 'print point' \
		-ex delete -ex continue -- "$program" </dev/null >session 2>&1
	cat session
	grep -qF '$1 = 101' session && right_results session
}

is_awake() {
	[ "$(cat "$device/power/runtime_status")" = active ]
}

# Asleep it would not hear what it is told to do.
control=$(cat "$device/power/control")
echo on >"$device/power/control"
within 600 is_awake
# What it finds on an engine, the driver packs for minutes here.
[ -e "$capture" ] && echo N >"$capture"
before=$(settings)
delay=$(cat "$device/power/autosuspend_delay_ms")
echo "TAP version 13"
echo "1..19"
check "forcewake that is never acknowledged: no session" deaf_session
check "nothing is left of it" nothing_is_left
check "forcewake that is not acknowledged any more: the GPU is lost" falls_deaf
check "it is asked ever more seldom" asks_seldom
check "and found again with it, with nothing to do" hears_again
check "the next launch stops" stops_again
check "a machine that slept keeps it awake again" sleeps
check "and the stopped program goes on" goes_on
check "nothing is left of it" nothing_is_left
check "a program stops, with forcewake that works" stopped_session
check "a device that reads as all ones is given up" reads_as_ones
check "its session says so, and ends" ends_session
check "nothing is left of it" nothing_is_left
check "a GPU that does not answer is found to be gone" deaf_reads_as_ones
check "its session ends with its program" ends_with_program
check "another process writes into a program's save areas" spoilt_session
check "its session ends with it, too" ends_with_program
check "nothing of that made the kernel complain" is_silent
check "the next session is as any other" whole_session
exit "$failed"
