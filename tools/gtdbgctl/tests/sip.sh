#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program of the demonstration runs undisturbed with each system routine.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

program=$BUILD/demo/compute

without_change() {
	commands=('break 7' run delete continue)
	session run --batch "$1" -- "$program"
	sees "$1: it stops" "Thread 2.1:1 hit Breakpoint 1,"
	sees "$1: results are those of an undisturbed run" "$(results)"
	ends_with "$1: status" 0
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
without_change --sip=own
without_change --sip=stock
without_change --sip=stock-bindless
finish
