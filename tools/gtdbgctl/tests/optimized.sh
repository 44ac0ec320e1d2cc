#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Code that the compiler has optimised: 32 lanes, functions merged into their
# callers, variables that come and go; see the
# kernels of the library's tests. in[i] is i + 100.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

export GTDBG_OPTIMIZE=1
launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/../../../libgtdbg/tests/inlined.cl

# inlined_results COUNT: what "inlined" stores for items from 0 on
inlined_results() {
	local i a twofold

	for ((i = 0; i < $1; i++)); do
		a=$((i + 101))
		twofold=$((a * 2))
		[ "$twofold" -le 220 ] || twofold=$((twofold + a / 3))
		printf '%d ' $(((twofold + 1) * 3 + i + 100))
	done
}

# One thread. 2 * (101 + item) is above 220 from item 10 on. Line 11 is behind
# the inner call, line 19 is the end.
values() {
	commands=('break 5' run bt 'print a' 'print twofold' 'lanes twofold' up
		'print a' 'print b' 'print sum' up 'print value' 'print result'
		'print in' 'delete 1' 'tbreak 11' continue 'print sum'
		'tbreak 19' continue 'print item' 'print result' continue)
	session run --batch -- "$launch" "$kernels" inlined 32
	sees "the first lane that takes the branch" \
		"Thread 2.1:10 hit Breakpoint 1, deeper (a=111)"
	answers "a merged function is the innermost frame" bt \
		"#0  deeper (a=111) at launch_1.cl:5"
	sees "its caller is merged, too" "#1  shallow (a=110, b=3) at launch_1.cl:10"
	sees "the kernel is the outermost frame, at the call" \
		"#2  inlined (in=<optimized out>, out=<optimized out>) at launch_1.cl:17"
	answers "a parameter" 'print a' '= 111'
	answers "a variable" 'print twofold' '= 222'
	sees "in lanes that do not take the branch" "2.1:0	202	(inactive)"
	sees "and in the last of 32" "2.1:31	264"
	answers "the caller's variable of that name" 'print a' '= 110'
	answers "an argument that is a number" 'print b' '= 3'
	answers "what is made later has no value" 'print sum' \
		'<not available yet>'
	answers "a variable of the kernel" 'print value' '= 110'
	answers "and one that is made later" 'print result' \
		'<not available yet>'
	answers "a parameter that was merged into an address" 'print in' \
		'<optimized out>'
	sees "behind the inner call" \
		"hit Temporary breakpoint 2, shallow (a=110, b=3)"
	answers "its result is there" 'print sum' '= 260'
	sees "at the end" "hit Temporary breakpoint 3, inlined ("
	answers "an item's number is of no use any more" 'print item' \
		'<location stale>'
	answers "nor is the result" 'print result' '<location stale>'
	sees "results are right" "$(inlined_results 32)"
	ends_with "status" 0
}

into() {
	commands=('break 16' run 'delete 1' step step bt finish bt continue)
	session run --batch -- "$launch" "$kernels" inlined 32
	sees "before the calls" "hit Breakpoint 1, inlined ("
	answers "a step leads into a merged function" bt "#0  deeper (a="
	sees "called by another one" "#1  shallow (a="
	answers "which can be left" finish "Run till exit from #0  deeper (a="
	answers "for its caller" bt "#0  shallow (a="
	sees "results are right" "$(inlined_results 32)"
}

# A merged function has a name as well: a breakpoint there stops in each caller.
named() {
	commands=('break deeper' run bt 'list deeper' 'info line deeper' delete continue)
	session run --batch -- "$launch" "$kernels" inlined 32
	sees "a merged function is known by its name" "hit Breakpoint 1, deeper (a="
	answers "where it is called" bt "#0  deeper (a="
	sees "and by whom" "#1  shallow (a="
	answers "its text is shown" 'list deeper' "$(sed -n 1p "$kernels" | sed 's/^/1	/')"
	answers "and its line" 'info line deeper' 'of "launch_1.cl" starts at address'
	sees "results are right" "$(inlined_results 32)"
}

# From the line before the calls to the end, and never into a function.
over() {
	commands=('break 16' run 'delete 1' next bt next bt continue)
	session run --batch -- "$launch" "$kernels" inlined 32
	sees "again before the calls" "hit Breakpoint 1, inlined ("
	answers "next stays in the kernel" bt "#0  inlined ("
	answers "and goes on behind what was merged into it" bt "#0  inlined ("
	sees "results are right again" "$(inlined_results 32)"
	ends_with "status of that" 0
}

# Each stop on line 31 is one round, behind the addition. The counter goes up
# before that, though the text says behind it.
rounds() {
	commands=('break 31' run 'print sum' 'print i' continue 'print sum'
		continue 'print sum' 'lanes item' delete continue)
	session run --batch -- "$launch" "$kernels" loop 16
	sees "the first round" "hit Breakpoint 1, loop ("
	answers "adds nothing" 'print sum' '= 0'
	answers "a counter that has run ahead has no value" 'print i' \
		'<location stale>'
	answers "the second round adds 101" 'print sum' '= 101'
	answers "the third round adds 2 times 102" 'print sum' '= 305'
	sees "each lane has its item" "2.1:15	15"
	ends_with "status" 0
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
values
into
named
over
rounds
finish
