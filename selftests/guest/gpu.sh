#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sessions on a GPU that stock i915 drives, beside that driver: a stock OpenCL
# program is stopped and goes on, others go on beside it, and whatever ends a
# session leaves program, GPU and driver in order.
# GTDBG_TEST_SHORT: only that the stack stands on this kernel's driver
set -u

# shellcheck source=selftests/guest/gpu.bash
. "$(dirname "$0")/gpu.bash"

slot=${device##*/}
driver=/sys/bus/pci/drivers/i915
requests=$dri/i915_engine_info
tracing=/sys/kernel/tracing
declare -A pids inputs # of sessions, by name
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
capture=
trap 'rm -rf "$folder"
[ -z "$capture" ] || echo "$capture" >"$dri/i915_params/error_capture"' EXIT
cd "$folder" || exit

# What follows finds its programs by name, and ends them so.
if pgrep -lx 'compute|misbehave|gtdbgctl' >said; then
	echo "1..0 # SKIP somebody runs what has a name of this test's: $(paste -sd ' ' said)"
	exit 4
fi

# Whatever it has left on the engine would be in others' way.
after_failure() {
	kill "${pids[@]}" 2>/dev/null
	pkill -x compute
	pkill -x misbehave
}

# Of checks that reset the GPU or take its driver from it.
# only_if ALLOWED OPTION WHY NAME COMMAND...: else it is skipped
only_if() {
	if [ -n "$1" ]; then
		check "${@:4}"
		return
	fi
	count=$((count + 1))
	echo "ok $count - $4 # SKIP $3: $2"
}

invasive() {
	only_if "${GTDBG_TEST_INVASIVE-}" --invasive \
		"it resets the GPU, or takes it from its driver" "$@"
}

# The hang detection's settings.
setting_files() {
	printf '%s\n' /sys/class/drm/card*/engine/*/heartbeat_interval_ms \
		/sys/class/drm/card*/engine/*/preempt_timeout_ms \
		"$dri/i915_params/request_timeout_ms"
}

settings() {
	setting_files | xargs cat | tr '\n' ' '
}

are_off() {
	! settings | tr ' ' '\n' | grep -qv '^0\?$'
}

as_before() {
	[ "$(settings)" = "$before" ] ||
		{ echo "before: $before"; echo "now:    $(settings)"; false; }
}

# i915 of 6.12 uses freed memory if it is unbound while it still writes down what
# it has found at a hang, which takes seconds here: so it does not.
no_capture() {
	: "${capture:=$(cat "$dri/i915_params/error_capture")}"
	echo N >"$dri/i915_params/error_capture"
}

resets() {
	dmesg | grep -c 'i915.*Resetting'
}

program_is_gone() {
	! pgrep -x compute
}

no_device() {
	! grep -q ^device $state
}

right_results() {
	grep -q '^1100 -1 1102 -1 1104 -1 ' "$1"
}

as=() # whose sessions are, if not root's
options=()

# hold NAME COMMAND...: it runs beside us, and has its input from a pipe of its own
hold() {
	local input

	mkfifo "$1.in"
	"${@:2}" <"$1.in" >"$1" 2>&1 &
	pids[$1]=$!
	exec {input}>"$1.in"
	inputs[$1]=$input
}

# start_session NAME LAUNCHES: one that stops at line 7
start_session() {
	hold "$1" "${as[@]}" "$tool" run "${options[@]}" -ex 'break 7' -ex run -- \
		"$program" "$2" 100
}

stops_of() {
	grep -c 'hit Breakpoint' "$1"
}

# has_stopped NAME TIMES
has_stopped() {
	[ "$(stops_of "$1")" -ge "$2" ]
}

# goes NAME TIMES: so often it was let go on
goes() {
	[ "$(grep -c 'Continuing\.' "$1")" -ge "$2" ]
}

open_session() {
	start_session "$@"
	within 600 has_stopped "$1" 1 || give_up "$1"
}

# What each of them waits for.
show_processes() {
	local pid

	for pid in $(pgrep -x gtdbgctl; pgrep -x compute; pgrep -x misbehave); do
		echo "$pid: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
		cat /proc/"$pid"/task/*/stack
	done
}

# give_up FILE...: show what there is
give_up() {
	cat "$@" $state
	echo "settings: $(settings)"
	show_processes
	grep -A30 '^rcs0' $requests
	return 1
}

words() {
	local input=${inputs[$1]}
	shift

	printf '%s\n' "$@" >&"$input"
}

ends_session() {
	within 600 right_results "$1" || give_up "$1" || return
	words "$1" quit
	wait "${pids[$1]}"
}

close_session() {
	words "$1" delete continue
	ends_session "$1"
}

whole_session() {
	timeout 900 "$tool" run --batch -ex 'break 5' -ex 'break 7' -ex run \
		-ex 'print point' -ex continue -ex 'print point' -ex step \
		-ex 'print point' -ex 'x/8dw &point' -ex delete -ex continue \
		-- "$program" </dev/null >session 2>&1
	local status=$?

	cat session
	[ $status -eq 0 ] && ! pgrep -x vgtd &&
		grep -q 'Thread 2\.[0-9]*:1 hit Breakpoint 2, compute' session &&
		grep -qF '$1 = 101' session &&
		grep -q 'Thread 2\.[0-9]*:0 hit Breakpoint 1, compute' session &&
		grep -qF '$2 = 100' session &&
		grep -q '^8.*out\[index\] = point;' session &&
		grep -qF '$3 = 1100' session &&
		grep -qE ':	1100	-1	1102	-1' session &&
		grep -q 'exited normally' session && right_results session
}

userptrs() {
	awk '$1 == "userptr" { print $2 }' $tracing/kprobe_profile
}

# The driver makes the buffers of this runtime of the program's own memory (userptr): what
# a session writes there the kernel reads, and so does the program.
own_memory() {
	local status used

	echo 'p:gtdbgtest/userptr i915_gem_userptr_ioctl' >>$tracing/kprobe_events &&
		echo 1 >$tracing/events/gtdbgtest/enable || return
	timeout 900 "$tool" run --batch -ex 'break 3' -ex run \
		-ex 'print in[0] - 1' -ex 'set variable in[0] = 7100' \
		-ex 'print in[0] + 1' -ex delete -ex continue -- "$program" \
		</dev/null >own 2>&1
	status=$?
	used=$(userptrs)
	echo 0 >$tracing/events/gtdbgtest/enable
	echo '-:gtdbgtest/userptr' >>$tracing/kprobe_events
	cat own
	echo "$used calls"
	[ $status -eq 0 ] && [ "$used" -gt 0 ] && grep -qF '$1 = 99' own &&
		grep -qF '$2 = 7101' own && grep -q '^8100 -1 1102 -1 1104 -1 ' own
}

# Its stop is under way while another program is to run.
first_stops() {
	sleep 100000 <>/dev/dri/renderD128 &
	holder=$!
	open_session first 1 && are_off
}

# Who has it open, whatever that does there.
others_are_named() {
	"$tool" list >listed
	kill $holder
	cat listed first
	grep -q "^While threads .* have the GPU open: .*\bsleep ($holder)[,.]" first &&
		grep -q "^  used by process $holder (sleep)" listed &&
		grep -q "^GPU 8086:.* at $slot, Gen12LP, driver i915, " listed
}

# The driver has a request of it for the engine, which is the first one's.
other_waits() {
	"$program" 1 1 >other 2>&1 &
	other=$!
	within 600 grep -q "compute\[$other\]" $requests ||
		give_up other $requests || return
	! [ -s other ]
}

first_goes_on() {
	close_session first
}

other_is_right() {
	wait "$other" && right_results other
}

killed_debugger() {
	open_session killed 1 || return
	kill -KILL "${pids[killed]}"
	within 600 right_results killed || give_up killed || return
	within 600 program_is_gone
}

# A session with the program that runs, to the next stop and back.
attach_once() {
	timeout 900 "$tool" attach --batch -ex 'break 7' -ex continue \
		-ex 'print point' -ex 'gcore --memory=none core' -ex delete \
		-ex detach "$(pgrep -x compute)" </dev/null >session 2>&1
	cat session $state
	grep -q 'hit Breakpoint 1, compute' session &&
		grep -q 'Saved core file core: ' session &&
		grep -qF '$1 = 101' session && within 600 stops_are_forgotten
}

is_client() {
	grep -q "^device.* pid=$(pgrep -x compute) " $state
}

# The contexts that count come later, with its first launch.
attached_early() {
	"$tool" run --attachable -- "$program" 1000000 50 >late 2>&1 &
	late=$!
	within 600 is_client && attach_once
}

# Of a program whose launches are short a core file has one: whose threads are all at the
# kernel's first line, with its memory.
dumped() {
	"$tool" run --attachable -- "$program" 1000000 50 >late 2>&1 &
	late=$!
	within 600 grep -q '^client .* kernels=[1-9].* comm=compute' $state ||
		give_up late || return
	"$tool" gcore --wait=600 --limit=4M -o dump "$(pgrep -x compute)" >session 2>&1 &&
		"$tool" core --batch -nx -ex 'info threads' \
			-ex 'print in[1]' dump >>session 2>&1
	cat session
	# On a busy machine a launch may have been found on the engine: not all of it is there,
	# and what is may be ahead of the kernel's first line.
	grep -q '^Saved core file dump: [1-8] threads*, [1-9][0-9]* bytes' session &&
		grep -q '^\* .* compute (.*:[0-9]*$' session &&
		{ grep -qF '$1 = 101' session || { grep -q '<not available yet>$' session &&
			grep -q '^\* .* compute (.*:1$' session; }; } &&
		within 600 stops_are_forgotten || return
	kill -TERM "$(pgrep -x compute)"
	wait "$late"
	right_results late
}

is_asleep() {
	grep -q '^230 ' "/proc/$(pgrep -x compute)/syscall" # clock_nanosleep(2)
}

# Its first launch is over and the next one far, so that is waited for as long as was asked
# for, and once more; then it ends.
dumped_too_late() {
	local dumper status

	"$tool" run --attachable -- "$program" 2 3600000 >late 2>&1 &
	late=$!
	within 600 is_asleep || give_up late || return
	"$tool" gcore --wait=1 -o empty "$(pgrep -x compute)" >session 2>&1 &&
		"$tool" gcore --wait=0 -o unasked "$(pgrep -x compute)" >unasked.said 2>&1
	cat session unasked.said
	grep -qx 'gtdbgctl: gcore: nothing was launched for 1 s' session &&
		[ -e empty ] && [ -e unasked ] && ! grep -q launched unasked.said ||
		give_up late || return
	"$tool" gcore --wait=3600 -o ended "$(pgrep -x compute)" >session 2>&1 &
	dumper=$!
	within 600 grep -q '^client .* breakpoints=[1-9].* comm=compute' $state ||
		give_up late session || return
	kill -KILL "$(pgrep -x compute)"
	wait "$dumper"
	status=$?
	wait "$late"
	cat session
	[ $status -eq 1 ] && [ ! -e ended ] && grep -q 'process.* has ended' session
}

# Attached to while it runs short kernels, it stops in the next one; then it goes on
# as if nothing had been.
attached() {
	attach_once || return
	kill -TERM "$(pgrep -x compute)"
	wait "$late"
	cat late
	right_results late
}

# Ctrl-C, where nothing may run just then, and a breakpoint: its kernel is too short to
# be found on the engine, so its threads have to come by themselves.
late_breakpoint() {
	hold short "$tool" run -ex run -- "$program" 1000000 100
	within 600 grep -q 'save_area=0x[1-9a-f]' $state || give_up short || return
	sleep 2
	kill -INT "${pids[short]}"
	words short 'break 7' continue
	within 600 has_stopped short 1 || give_up short || return
	# Once more, behind launches that nobody wanted to know of.
	words short delete continue
	within 600 goes short 2 || give_up short || return
	sleep 2
	kill -INT "${pids[short]}"
	words short 'break 8' continue
	within 600 grep -q 'hit Breakpoint 2, compute' short || give_up short
}

# Behind a session that has let go where threads pass entries, and behind one whose tool
# was killed.
short_goes_on() {
	words short delete continue
	within 600 goes short 4 || give_up short || return
	sleep 2
	kill -INT "${pids[short]}"
	words short detach quit
	within 600 grep -q 'detached\]' short || give_up short || return
	hold again "$tool" attach -ex 'break 7' -ex continue "$(pgrep -x compute)"
	within 600 has_stopped again 1 || give_up again || return
	kill -KILL "${pids[again]}"
	kill -TERM "$(pgrep -x compute)"
	within 600 program_is_gone && right_results short || give_up short again
}

# Another program's launch was on the engine when one was asked for.
meets_another() {
	words mine interrupt
	grep -q '^Not interrupted: where its threads save their state' mine
}

# Launches that take seconds, again and again; each result is compared.
others_launch() {
	until [ -e enough ]; do
		EU_TEST_BINARY=$BUILD/selftests/eu/kernels.bin \
			"$BUILD/selftests/eu/launch" sample 262144 8 4 || return
	done
}

# Of the session's program nothing runs: what does is one's that nobody debugs.
interrupts_no_other() {
	local pid others

	hold mine "$tool" run -ex run -- "$program" 1000000 100
	within 300 grep -q 'save_area=0x[1-9a-f]' $state || give_up mine || return
	pid=$(pgrep -x -P "${pids[mine]}" compute) && kill -STOP "$pid" &&
		within 60 is_off_engine "$pid" || give_up mine || return
	others_launch >theirs 2>&1 &
	others=$!
	kill -INT "${pids[mine]}"
	within 300 meets_another
	touch enough
	wait $others && meets_another && ! grep -q 'stopped: ' mine ||
		give_up mine theirs || return
	words mine continue
	kill -TERM "$pid"
	kill -CONT "$pid"
	ends_session mine
}

# submitted COUNT: so many launches were reported since they are counted
submitted() {
	[ "$(submits)" -ge "$1" ]
}

submits() {
	grep -c gtdbg_kernel_submit: $tracing/trace
}

# counting COMMAND...: those that are reported while it runs
counting() {
	local enable=$tracing/events/gtdbg/gtdbg_kernel_submit/enable status

	echo >$tracing/trace
	echo 1 >$enable
	"$@"
	status=$?
	echo 0 >$enable
	return $status
}

# is_off_engine PID: it stands, and has nothing for the engine to do
is_off_engine() {
	grep -q '^State:	T' "/proc/$1/status" &&
		! grep -q "compute\[$1\]" $requests
}

# What decides on the EU is exchanged while the program stands and nothing of it is on the
# engine. Each launch from then on stops, so none was decided by what was there before, and
# none of all was missed.
changed_condition() {
	local more=20 before after pid

	hold changed "$tool" run -ex 'break 4 if point == 5' -ex run -- \
		"$program" 1000000 50
	within 600 submitted 5 || give_up changed || return
	pid=$(pgrep -x -P "${pids[changed]}" compute) && kill -STOP "$pid" &&
		within 600 is_off_engine "$pid" || give_up changed || return
	before=$(submits)
	kill -INT "${pids[changed]}"
	words changed 'info breakpoints' 'condition 1 point == 121' \
		'info breakpoints' continue
	within 600 grep -q 'point == 121 (on the EU)' changed || give_up changed ||
		return
	kill -CONT "$pid"
	words changed "$(yes continue | head -n $more)"
	within 600 has_stopped changed $((more + 1)) || give_up changed || return
	after=$(submits)
	words changed delete continue
	kill -TERM "$pid"
	ends_session changed || return
	grep -q 'point == 5 (on the EU)' changed || give_up changed || return
	echo "$before launches before, $(stops_of changed) stops, $after launches"
	[ "$after" -eq $((before + more + 1)) ] &&
		! has_stopped changed $((more + 2)) || give_up changed
}

# Launches that are queued all at once: an event for each.
queued_launches() {
	local launches=${GTDBG_TEST_SOAK:+10000}

	: "${launches:=300}"
	EU_TEST_BINARY=$BUILD/selftests/eu/kernels.bin timeout 1200 "$tool" run \
		--batch -ex 'break 9 if v == 123456' -ex run -- \
		"$BUILD/selftests/eu/launch" sample 8 8 "${launches}q" \
		</dev/null >queued 2>&1
	cat queued
	echo "$(submits) of $launches launches"
	[ "$(submits)" -eq "$launches" ]
}

# Records of short launches, whatever is not printed being counted, to the last one.
printed_or_lost() {
	THREADS=2000 LAUNCHES=5 "$(dirname "$here")/speed/prints" >prints
	cat prints
	grep -q '^prints,missing.*,0,records' prints
}

# A session each, of two programs on one GPU: what stops is reported to its own.
two_sessions() {
	open_session one 3 && words one delete continue &&
		open_session two 1 && close_session two && ends_session one
}

# as_user ID COMMAND...: the sessions that it starts are that user's
as_user() {
	local status

	as=(setpriv --reuid "$1" --regid "$1" --clear-groups
		env "HOME=$folder")
	shift
	"$@"
	status=$?
	as=()
	return $status
}

# goes_on NAME OTHER: until OTHER has stopped once more, NAME goes on from each stop: it
# may have several, of the threads of a launch or while OTHER is not there yet.
goes_on() {
	local end=$((SECONDS + 900)) seen=-1 now next
	next=$(($(stops_of "$2") + 1))

	until has_stopped "$2" $next; do
		[ "$SECONDS" -lt "$end" ] || give_up "$@" || return
		now=$(stops_of "$1")
		[ "$now" -eq "$seen" ] || words "$1" continue
		seen=$now
		sleep 0.2
	done
}

# What is stopped is so in its client's view of the GPU, and in no other.
one_has_stopped() {
	[ "$(grep -c '^device.*stopped=[1-9]' $state)" -eq 1 ] &&
		[ "$(grep -c '^device.*stopped=0' $state)" -eq 1 ]
}

wants_engine() {
	grep -q "compute\[$(pgrep -x -U "$1" compute)\]" $requests
}

# In turn, as the one waits for the engine while the other is stopped.
users_take_turns() {
	as_user 1001 open_session anna 50 && as_user 1002 start_session bert 50 &&
		within 900 wants_engine 1002 || give_up anna bert || return
	goes_on anna bert && within 600 one_has_stopped &&
		goes_on bert anna && within 600 one_has_stopped &&
		goes_on anna bert || give_up anna bert || return
	words bert delete continue
	words anna delete continue
	ends_session anna && ends_session bert
}

# They may not change the driver's hang detection, so that is off before.
two_users() {
	local value file status modes

	modes=$(stat -c '%a %n' /dev/dri/renderD128 /dev/gtdbg-pci)
	chmod 666 /dev/dri/renderD128 /dev/gtdbg-pci
	chmod 777 "$folder"
	setting_files | while read -r file; do
		echo "$(cat "$file") $file"
		echo 0 >"$file"
	done >saved
	users_take_turns
	status=$?
	xargs -n 2 chmod <<<"$modes"
	while read -r value file; do
		echo "$value" >"$file"
	done <saved
	return $status
}

# Not when the program and with it its view of the GPU are gone, either.
stops_are_forgotten() {
	! grep -q 'stopped=[1-9]' $state
}

# With short times instead of the session's none. What was stopped is no more.
ended_by_driver() {
	no_capture
	open_session ended 1 || return
	echo 500 | tee /sys/class/drm/card*/engine/rcs0/heartbeat_interval_ms
	echo 100 | tee /sys/class/drm/card*/engine/rcs0/preempt_timeout_ms
	within 600 stops_are_forgotten || give_up ended || return
	words ended continue quit
	wait "${pids[ended]}"
	cat ended
	grep -q 'driver has ended what was stopped: .* it says "Resetting rcs0 for ' ended
}

# Its kernel comes to its end before the driver goes, which finds no hang. The driver's
# module is in use until then.
lost_by_unbinding() {
	local hangs

	no_capture
	hangs=$(resets)
	open_session lost 1 || return
	rmmod i915 && return 1
	echo $slot >$driver/unbind && no_device || return
	words lost continue quit
	wait "${pids[lost]}"
	within 600 program_is_gone || give_up lost || return
	echo $slot >$driver/bind && within 600 test -e /dev/dri/renderD128 &&
		[ "$(resets)" -eq "$hangs" ]
}

# As if it were pulled out, and plugged in again.
removed() {
	no_capture
	open_session removed 1 || return
	echo 1 >"$device/remove" && no_device || give_up removed || return
	words removed continue quit
	wait "${pids[removed]}"
	within 600 program_is_gone || give_up removed || return
	echo 1 >/sys/bus/pci/rescan && within 600 test -e /dev/dri/renderD128
}

# Unless it came between two launches.
ctrl_c_stops() {
	kill -INT "${pids[$1]}"
	sleep 2
	grep -q 'stopped: Interrupt' "$1"
}

# A kernel without end, which the driver ends when the session goes. The next one is
# there before that, and has its turn nevertheless.
interrupted() {
	no_capture
	hold endless "$tool" run -ex run -- "$BUILD/selftests/i915/misbehave" endless
	within 600 grep -q 'save_area=0x[1-9a-f]' $state || give_up endless || return
	within 600 ctrl_c_stops endless || give_up endless || return
	words endless quit
	wait "${pids[endless]}"
	open_session next 1 && close_session next && within 600 as_before
}

runs_endless() {
	grep -q 'Active\[0\]:.* misbehave\[[0-9]*\]$' $requests
}

# endless_session NAME: a kernel without end is on the engine
endless_session() {
	hold "$1" "$tool" run -ex run -- "$BUILD/selftests/i915/misbehave" endless
	within 300 runs_endless || give_up "$1"
}

# The driver ends what is left, and nothing else: the other session's stop stays.
stops_next() {
	within 600 has_stopped "$1" 1 && within 300 are_off &&
		[ "$(resets)" -eq $((hangs + 1)) ] || give_up "$@"
}

# While its session and the other one are on nobody puts the time-outs back.
killed_beside() {
	no_capture
	hangs=$(resets)
	endless_session endless && start_session beside 1 &&
		within 300 wants_engine 0 || give_up endless beside || return
	pkill -KILL -x misbehave
	stops_next beside endless
}

waits_endless() {
	grep -q 'misbehave\[[0-9]*\]$' $requests && ! runs_endless
}

endless_is_gone() {
	! pgrep -x misbehave
}

# Behind a thread that stands on the engine, which is not the one to be ended.
killed_behind() {
	hangs=$(resets)
	hold behind "$tool" run -ex run -- "$BUILD/selftests/i915/misbehave" endless
	within 300 waits_endless || give_up behind beside || return
	pkill -KILL -x misbehave
	within 300 endless_is_gone || give_up behind beside || return
	words behind quit
	wait "${pids[behind]}"
	words beside 'print point'
	within 300 grep -qF '$1 = ' beside && are_off &&
		[ "$(resets)" -eq "$hangs" ] && close_session beside ||
		give_up behind beside
}

nothing_is_left_over() {
	! grep -q 'misbehave[<[]' $requests
}

# The tool has gone by then.
ended_beside() {
	within 300 nothing_is_left_over || give_up || return
	hangs=$(resets)
	words endless quit
	wait "${pids[endless]}"
	endless_session ending && start_session last 1 &&
		within 300 wants_engine 0 && within 300 ctrl_c_stops ending ||
		give_up ending last || return
	words ending quit
	wait "${pids[ending]}"
	stops_next last ending && close_session last && within 300 as_before
}

# has_begun PID: the other GPU is there, or it has ended
has_begun() {
	[ -e /dev/dri/renderD200 ] || ! kill -0 "$1"
}

# What runs here has no end, so the driver goes when time is up. Who binds another GPU
# does not wait for that.
other_is_bound() {
	local other status

	no_capture
	hold slow "$tool" run -ex run -- "$BUILD/selftests/i915/misbehave" endless
	within 600 grep -q 'save_area=0x[1-9a-f]' $state || give_up slow || return
	UNBINDER=$folder/unbinder "$BUILD/selftests/bind" -f beside >other 2>&1 &
	other=$!
	within 600 has_begun $other
	(echo "$BASHPID" >unbinder; echo "$slot" >$driver/unbind)
	wait $other
	status=$?
	cat other
	words slow quit
	wait "${pids[slow]}"
	echo "$slot" >$driver/bind && within 600 test -e /dev/dri/renderD128 &&
		grep -q '^ok 1 beside' other && return $status
}

# Another driver than the one that it was known under is none that we know.
other_driver() {
	no_capture
	REBIND=$slot "$BUILD/selftests/bind" -f rebind >other 2>&1
	cat other
	grep -q '^ok 1 rebind' other && ! grep -q SKIP other &&
		within 600 test -e /dev/dri/renderD128
}

# Of Intel's system routines, by the number that the module has for it.
has_routine() {
	grep -q "^  context .* sip=$1 save_area=0x[1-9a-f]" $state
}

# Each has its own client's token in its save areas.
routines_of_intel() {
	options=(--sip=stock)
	open_session default 3 && within 600 has_routine 3 &&
		words default delete continue || return
	options=(--sip=stock-bindless)
	open_session bindless 1 && within 600 has_routine 2 &&
		close_session bindless && ends_session default || give_up default bindless
}

# As the runtime itself loads it, which a setting for all programs leads to.
unmarked() {
	timeout 900 env GTDBG=1 "LD_LIBRARY_PATH=$BUILD/libgtdbg/hook" \
		"$program" >said2 2>&1
	cat said2
	right_results said2 && grep -q "^gtdbg: not debugging this program: \
Intel's system routine on this machine's GPU: Operation not supported" said2
}

reported() {
	"$tool" doctor --try >report 2>&1
	local status=$?

	cat report
	[ $status -eq 0 ] && grep -q '^GPU 8086:.*, Gen12LP, driver i915, ' report &&
		grep -q "^ok       switching the driver's hang detection off" report
}

# Who is in no group of those that may use it.
stranger_reported() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$tool" doctor \
		>report 2>&1
	local status=$?

	cat report
	[ $status -eq 1 ] && grep -q "^missing  access to the machine's GPU" report
}

few_sessions() {
	echo "TAP version 13"
	echo "1..7"
	check "a session with breakpoints, a step and variables" whole_session
	check "the driver's hang detection is as before" within 600 as_before
	check "nothing is left of the session" within 600 no_device
	check "two users, each with a session, turn by turn" two_users
	check "nothing of that made i915 complain" silent
	check "i915 is unbound under a stopped program, and bound again" \
		lost_by_unbinding
	check "hang detection is as before" within 600 as_before
	exit "$failed"
}

before=$(settings)
said_before=$(dmesg | wc -l)
[ -z "${GTDBG_TEST_SHORT-}" ] || few_sessions
echo "TAP version 13"
echo "1..38"
check "a session with breakpoints, a step and variables" whole_session
check "the driver's hang detection is as before" within 600 as_before
check "nothing is left of the session" within 600 no_device
check "buffers in the program's own memory are read and written" own_memory
check "a program is stopped, and hang detection off" first_stops
check "at its first stop those are named who may wait for that" others_are_named
check "another one that no one debugs waits for the engine" other_waits
check "the stopped one goes on" first_goes_on
check "and the other one computes what it should" other_is_right
check "a program goes on when its debugger is killed" killed_debugger
check "and hang detection is as before" within 600 as_before
check "a core file of a program whose kernels are short has a launch" dumped
check "of one that ends while a launch is waited for there is none" dumped_too_late
check "a program is attached to before it has launched anything" attached_early
check "a running program is attached to, and let go" attached
check "a breakpoint in short kernels, where none was before" late_breakpoint
check "they go on, let go or with their debugger killed" short_goes_on
check "an interrupt stops nothing of a program that nobody debugs" \
	interrupts_no_other
check "a condition is exchanged while its program stands" \
	counting changed_condition
check "launches that are queued without a pause are all counted" \
	counting queued_launches
check "what threads write down is printed, or counted as lost" printed_or_lost
check "two sessions on one GPU, one after the other's stop" two_sessions
check "two users, each with a session, turn by turn" two_users
invasive "a kernel without end is interrupted" interrupted
invasive "a program that is killed in one leaves the engine to another session" \
	killed_beside
invasive "one that is killed behind that one's stop changes nothing of it" \
	killed_behind
invasive "one whose session ends leaves the engine to another one's, too" \
	ended_beside
check "two sessions with Intel's system routines" routines_of_intel
options=()
check "without a token in those, no program is debugged" unmarked
check "nothing of that made i915 complain" silent
invasive "what the driver resets is forgotten, and not resumed" ended_by_driver
invasive "i915 is unbound under a stopped program, and bound again" \
	lost_by_unbinding
only_if "${GTDBG_TEST_INVASIVE:+${KERNEL-}}" "--invasive, in a guest" \
	"it takes the GPU from its driver while that runs a kernel without end" \
	"another GPU is bound while one's kernels are waited for" other_is_bound
only_if "${GTDBG_TEST_INVASIVE:+${KERNEL-}}" "--invasive, in a guest" \
	"it gives the GPU to another driver" \
	"a GPU that another driver takes is not debugged" other_driver
only_if "${GTDBG_TEST_REMOVAL-}" --removal "it takes the GPU off its bus" \
	"the GPU is removed under a stopped program, and found again" removed
check "hang detection is as before" within 600 as_before
check "and sessions are as before: a report of them" reported
check "who may not use the GPU is told so" stranger_reported
exit "$failed"
