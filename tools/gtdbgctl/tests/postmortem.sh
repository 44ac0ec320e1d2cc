#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Where GPU threads were when a signal has ended the program (assert.cl): which
# work-items stop is computed here anew.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/assert.cl
work=$(mktemp -d)
trap 'rm -rf "$work"; kill $(jobs -p) 2>/dev/null' EXIT

# The line of compute in assert.cl with this text
line() {
	grep -nF -- "$1" "$kernels" | head -1 | cut -d: -f1
}

# in[5] is a multiple of 7, so item 5 alone fails, lane 5 of the only thread.
aborts() {
	commands=(run)
	session run --batch -nx --assert=abort -- "$launch" "$kernels" compute 8
	sees "it has called abort" "terminated with signal SIGABRT, Aborted."
	sees "threads are reported" "GPU threads that were stopped then:"
	sees "in a table" "  Id       Location     Frame"
	sees "where the lane was that failed" "  2.1:[5]"
	at=$((at - 1))
	sees "by function and line" \
		"compute () at launch_1.cl:$(line 'assert(point > 0)')"
	ends_with "the status is the signal's" 134
}

# The process that the tool has started
program() {
	"$tool" list 2>/dev/null | sed -n 's/^process \([0-9]*\) (launch)$/\1/p'
}

# killed SIGNAL: a session at its prompt, whose program gets the signal
killed() {
	local pid

	mkfifo "$work/typed"
	: >"$work/out"
	timeout "${SESSION_TIMEOUT:-900}" "$tool" run -nx -- \
		"$launch" --options -DNDEBUG "$kernels" compute 64 \
		<"$work/typed" >"$work/out" 2>&1 &
	exec 7>"$work/typed"
	printf '%s\n' "break $(line 'out[get_global_id(0)] = point;')" run \
		'print 6 * 111' >&7
	grows "$work/out" '= 666'
	pid=$(program)
	kill "-$1" "$pid"
	while [[ $(cut -d' ' -f3 "/proc/$pid/stat" 2>/dev/null) == [^Z] ]]; do
		sleep 0.1
	done
	printf '%s\n' continue quit >&7
	exec 7>&-
	wait %1
	mapfile -t lines <"$work/out"
}

# 64 items in lanes of 8, 16 or 32: each thread stands at the breakpoint.
prompt() {
	killed SEGV
	sees "killed at the prompt" "terminated with signal SIGSEGV"
	sees "it is reported, too" "GPU threads that were stopped then:"
	sees "in one row" " threads "
	at=$((at - 1))
	sees "as all stand at one place" \
		"compute () at launch_1.cl:$(line 'out[get_global_id(0)] = point;')"
	[[ ${lines[*]:at} != *"compute ()"* ]] &&
		result ok "and no other" || result "not ok" "and no other"
}

# Nobody is stopped when it ends by itself.
ends() {
	commands=(run)
	session run --batch -nx --assert=continue -- "$launch" "$kernels" \
		compute 8
	[[ ${lines[*]} == *"exited normally"* &&
		${lines[*]} != *"that were stopped"* ]] &&
		result ok "nothing is said where none is stopped" ||
		result "not ok" "nothing is said where none is stopped"
}

aborts
prompt
ends
finish
