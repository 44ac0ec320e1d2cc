#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs of several processes, programs without a GPU, and how the tool ends.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

program=$BUILD/demo/compute
folder=$(mktemp -d)
trap 'rm -rf "$folder"; kill $(jobs -p) 2>/dev/null' EXIT

# Processes below one "run" share an environment, but no system routine.
two_at_once() {
	local pids=()

	# Of its name there are 15 bytes, and half of a letter.
	ln -s "$program" "$folder/programme_vingé"
	"$tool" run --attachable -- bash -c \
		"'$folder/programme_vingé' 1000000 100 >'$folder/1' &
		'$program' 1000000 100 >'$folder/2' &
		wait" 2>/dev/null &
	starter=$!
	while [ ${#pids[@]} -lt 2 ] && kill -0 "$starter" 2>/dev/null; do
		sleep 0.2
		mapfile -t pids < <("$tool" list --json | sed -n \
			's/^{"kind":"device","pid":\([0-9]*\),.*/\1/p')
	done
	[ ${#pids[@]} -eq 2 ] && result ok "both can be attached to" ||
		result "not ok" "two can be attached to, not ${#pids[@]}"
	"$tool" list --json | python3 -c 'import json, sys
names = [json.loads(line.decode()).get("comm", "") for line in sys.stdin.buffer]
sys.exit("programme_v" not in "".join(names))' &&
		result ok "names are UTF-8" || result "not ok" "names are UTF-8"
	for pid in "${pids[@]}"; do
		commands=('break 7' continue delete detach)
		session attach --batch "$pid"
		sees "a process of two stops" "hit Breakpoint 1, compute ("
	done
	kill "${pids[@]:-$starter}"
	wait "$starter"
	[ "$(<"$folder/1") $(<"$folder/2")" = "$(results) $(results)" ] &&
		result ok "both have right results" ||
		result "not ok" "both have right results"
}

# The second one must not wait for a debugger that has the first.
one_after_the_other() {
	local start=$SECONDS

	commands=('break 7' run delete continue)
	session run --batch -- bash -c "'$program'; '$program'; exit 5"
	sees "the first process is debugged" "hit Breakpoint 1, compute ("
	sees "it ends well" "$(results)"
	sees "the second one runs by itself" "$(results)"
	ends_with "the status is that of what was started" 5
	echo "# $((SECONDS - start)) s"
}

# There the process has another number than here.
in_a_namespace() {
	commands=('break 7' run 'info threads' kill 'info threads')
	session run --batch -- unshare --pid --fork "$program"
	sees "a process of another namespace stops" "hit Breakpoint 1, compute ("
	sees "it is ended by its number here" "killed]"
	if [[ ${lines[at - 1]} =~ process\ ([0-9]+) ]] &&
		[ "${BASH_REMATCH[1]}" -gt 10 ]; then
		result ok "which is not the one there"
	else
		result "not ok" "which is not the one there: ${lines[at - 1]}"
	fi
}

no_gpu() {
	commands=(run)
	session run --batch -- sh -c 'exit 3'
	sees "a program without a GPU" "without using the GPU under gtdbg"
	ends_with "its status" 3
	session run --batch -- sh -c 'kill -SEGV $$'
	sees "a program that crashes" "terminated with signal SIGSEGV, Segm"
	ends_with "its status" 139
	session run --batch -- /nonexistent
	sees "no program" "cannot start /nonexistent: No such file or directory"
	[ ${#lines[@]} -eq 1 ] && result ok "in one line" ||
		result "not ok" "in one line"
	ends_with "its status" 1
	[ "$(echo words | "$tool" run --batch -ex run -- cat |
		grep -c '^words$')" -eq 1 ] &&
		result ok "a program reads what is piped into the tool" ||
		result "not ok" "a program reads what is piped into the tool"
}

# It is in the background, where this stops who does not say otherwise.
terminal() {
	local said

	said=$(script -qec "'$tool' run --batch -ex run -- sh -c 'stty -F /dev/tty tostop; \
		echo first >/dev/tty; echo then'" /dev/null </dev/null)
	[[ $said == *first*then*"without using the GPU"* ]] &&
		result ok "a program may set the terminal, and write to it" ||
		result "not ok" "a program may set the terminal, and write to it: $said"
}

# What ends with the tool, and its folders: the host's are there, too.
leftovers() {
	pgrep -xl 'sleep|vgtd'
	find /tmp -maxdepth 1 -name \
		'gtdbg[[:alnum:]][[:alnum:]][[:alnum:]][[:alnum:]][[:alnum:]][[:alnum:]]'
}

# ends_by NAME STATUS SIGNAL: while a program waits
ends_by() {
	local left before

	before=$(leftovers)

	"$tool" run --batch -ex run -- sleep 1000 >"$folder/out" 2>&1 &
	starter=$!
	until pgrep -P "$starter" sleep >/dev/null || ! kill -0 "$starter"; do
		sleep 0.1
	done
	kill "-$3" "$starter"
	wait "$starter"
	status=$?
	left=$(leftovers | grep -vxF "${before:-none}")
	[ "$status" -eq "$2" ] && [ -z "$left" ] && result ok "$1" ||
		result "not ok" "$1: status $status, left: $left"
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
two_at_once
one_after_the_other
in_a_namespace
no_gpu
terminal
ends_by "SIGTERM ends the tool and what it has started" 143 TERM
ends_by "SIGHUP, too" 129 HUP
ends_by "Ctrl-C while the program starts ends the program" 1 INT
finish
