#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The prompt at a terminal: completion, errors, Ctrl-C while a kernel runs that
# never ends by itself, Ctrl-D.
set -u

tool=${GTDBGCTL:?path of the tool}
BUILD=${BUILD:-$(dirname "$tool")/..}
helpers=$BUILD/gtdbgctl/tests

if [ ! -e /dev/gtdbg ]; then
	echo "1..0 # SKIP the module is not loaded"
	exit 4
fi
# A line dropped as soon as the prompt stands, before anything is read from it.
drop() {
	local i
	for ((i = 0; i < 20; i++)); do
		printf '%s\n' 'type nonsense\c' \
			'see 600 "Quit" Ctrl-C drops a line' \
			'type frobnicate\n' \
			'see 600 "Undefined command: " the next one is read' \
			'see 600 "(gtdbg) " and the prompt comes back'
	done
}

# What goes on by itself, ended while it waits as well as between two stops.
interrupt() {
	local i
	for ((i = 0; i < 20; i++)); do
		printf '%s\n' 'type continue\n' \
			'see 600 "Continuing." it goes on' \
			'see 600 "Continuing." again and again' \
			'type \c' \
			'see 600 "(gtdbg) " which Ctrl-C ends'
	done
}

{
	echo 'see 600 "(gtdbg) " the prompt comes'
	drop
	cat
	interrupt
	cat <&3
} <<'END' 3<<'LAST' |
type help\n
see 600 "let all threads run" help lists the commands
see 600 "q to quit, c to continue without paging--" a screen at a time
type \n
see 600 "show memory" the next one
see 600 "(gtdbg) " the prompt comes back
type help\n
see 600 "without paging--" a screen at a time
type q\n
see 600 "(gtdbg) " no more of it
type set pagination off\n
see 600 "(gtdbg) " a setting
type help\n
see 600 "show memory" all at once
see 600 "(gtdbg) " the prompt comes back
type info thr\t
see 600 "info threads " what can be shown is completed
type \n
see 600 "not being run" a command that was completed is executed
see 600 "(gtdbg) " the prompt comes back
type define hello\n
see 600 "End with a line saying just" a body is asked for
see 600 ">" line by line
type echo good morning\n
see 600 ">" until its end
type end\n
see 600 "(gtdbg) " the prompt comes back
type hello\n
see 600 "good morning" the user's own command is executed
see 600 "(gtdbg) " the prompt comes back
type thread ap\tal\t
see 600 "thread apply all " so is what follows a command
type bt\n
see 600 "not being run" which is one
see 600 "(gtdbg) " the prompt comes back
type tbr\t
see 600 "tbreak " Tab completes a command
type spin\n
see 600 "(gtdbg) " a line that was completed is run
type run\n
see 600 "hit Temporary breakpoint 1, spin (" the program stops where it was told
see 600 "(gtdbg) " and the prompt comes back
type continue\n
see 600 "Continuing." the kernel runs
type \c
see 600 "stopped: " Ctrl-C stops it
see 600 "(gtdbg) " and the prompt comes back
type bt\n
see 600 "#0  spin (" and its state can be looked at
see 600 "(gtdbg) " and the prompt comes back
type break 69\n
see 600 "Breakpoint 2 at" in the loop
see 600 "(gtdbg) " and the prompt comes back
type commands\n
see 600 ">" what to do there
type silent\n
see 600 ">" and nothing shown
type continue\n
see 600 ">" but to go on
type end\n
see 600 "(gtdbg) " and the prompt comes back
END
type delete 2\n
see 600 "(gtdbg) " and the prompt comes back
type quit\n
see 600 "Quit anyway? (y or n) " quitting is confirmed
type n\n
see 600 "(gtdbg) " and can be taken back
type kill\n
see 600 "Kill the program being debugged? (y or n) " so is killing
type y\n
see 600 "killed]" the program is ended
see 600 "(gtdbg) " and the prompt comes back
type \d
ends 600 0 Ctrl-D ends the tool
LAST
	"$helpers/terminal" "$tool" run -nx -- "$helpers/launch" \
		"$(dirname "$0")/programs.cl" spin 8
