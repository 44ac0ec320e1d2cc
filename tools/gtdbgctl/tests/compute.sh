#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The session of the demonstration, with gtdbg's system routine and with the one
# that the runtime installs by itself, and with the newer format of modules. The
# program adds 1000 in even work-items and stores -1 in odd ones; in[i] is
# i + 100. Expectations follow from that alone.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

program=$BUILD/demo/compute

whole_session() {
	commands=('break 5' 'break 7' run 'info kernels' 'info threads'
		'info threads -all' 'x/i $pc' 'delete 2' continue 'print point' 'thread 2.1:2'
		'print point' 'lanes point' 'thread 2.1:0' 'x/8dw &point' step
		'print point' 'thread :2' 'set var point = 7' 'print point'
		bt 'info registers' delete continue)
	echo "# $1 ${InjectInternalBuildOptions-}"
	session run --batch "$1" -- "$program"

	sees "a breakpoint is pending before the program runs" \
		"Breakpoint 2 (7) pending."
	sees "the else part comes first, lane 1 is current" \
		"Thread 2.1:1 hit Breakpoint 2, compute (in=0x"
	sees "the source line is shown" "7	    point = -1;"
	sees "eight items share a thread" "compute, module 1, SIMD8, "
	sees "the current lane has a row" "* 2.1:1  "
	sees "threads at one place share one" "2.[1-8]:[1 3 5 7]  8 threads"
	sees "the other odd lanes are the active ones" "2.1:[3 5 7]"
	sees "eight threads run the 64 items" "2.8:[1 3 5 7]"
	answers "code is disassembled at the pc" 'x/i $pc' "=> 0x"
	sees "then the even lanes stop" "Thread 2.1:0 hit Breakpoint 1,"
	sees "at line 5" "5	    point = point + 1000;"
	answers "item 0 has in[0]" 'print point' '$1 = 100'
	sees "another lane can be chosen" "[Switching to thread 2.1:2]"
	answers "item 2 has in[2]" 'print point' '$2 = 102'
	sees "an odd lane is -1 already, and inactive" "2.1:1	-1	(inactive)"
	sees "the chosen lane is marked" "* 2.1:2	102"
	sees "the last lane is -1, too" "2.1:7	-1	(inactive)"
	sees "lanes lie side by side in memory" ":	100	-1	102	-1"
	sees "all eight of them" ":	104	-1	106	-1"
	answers "a step leads to the next statement" step "8	  out[index] = point;"
	answers "the sum is there" 'print point' '$3 = 1100'
	answers "a variable can be set" 'print point' '$4 = 7'
	answers "there is one frame" bt "#0  compute (in=0x"
	sees "registers are shown" "cr0 "
	sees "the program prints its results, with the changed one" \
		"$(results 2=7)"
	sees "and ends" "exited normally]"
	ends_with "with its status" 0
}

whole_session --sip=own
if [ -z "$is_slow" ]; then
	whole_session --sip=stock
	# A key of the runtime for what it tells the compiler.
	InjectInternalBuildOptions=-cl-intel-allow-zebin \
		whole_session --sip=own
fi
finish
