#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Called functions: their frames, variables in each, a struct and a private
# array; see programs.cl.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/programs.cl

calls() {
	commands=('break 11' run bt 'print p' 'print p.member' 'print a[3]'
		'print a' 'print by' up 'print s.member' 'print item' down
		finish delete continue)
	session run --batch -- "$launch" "$kernels" call
	sees "a line of a called function" "hit Breakpoint 1, twice (p=..., by=10)"
	answers "the function is the innermost frame" bt "#0  twice (p=..., by=10)"
	sees "the kernel is the outer frame" "#1  call (in=0x"
	answers "a struct" 'print p' '{member = 100, ratio = 0.5}'
	answers "a member of a struct" 'print p.member' '= 100'
	answers "an element of a private array" 'print a[3]' '= 30'
	answers "a private array" 'print a' '{0, 10, 20, 30}'
	answers "a parameter" 'print by' '= 10'
	answers "the caller's frame" up "#1  call (in=0x"
	answers "the caller's variable" 'print s.member' '= 100'
	answers "and another" 'print item' '= 0'
	answers "run to the end of the function" finish "Run till exit from #0  twice"
	sees "which is in the kernel" "call (in=0x"
	sees "results are right" "130 131 132 133"
	ends_with "status" 0
}

levels() {
	commands=('break 53' run bt 'print twofold' up 'print a' up 'print item'
		delete continue)
	session run --batch -- "$launch" "$kernels" levels
	sees "a line two calls deep" "hit Breakpoint 1, inner (a=101)"
	answers "the innermost function" bt \
		"#0  inner (a=101) at launch_1.cl:53"
	sees "its caller" "#1  outer (a=100) at launch_1.cl:57"
	sees "the kernel, which called that" "#2  levels (in=0x"
	[[ ${lines[at - 1]} == *" at launch_1.cl:63" ]] &&
		result ok "at its line" || result "not ok" "at its line"
	[ "${lines[at]}" = "(gtdbg) print twofold" ] &&
		result ok "no frame more" || result "not ok" "no frame more"
	answers "a variable of the innermost function" 'print twofold' '= 202'
	answers "the first caller" up "#1  outer (a=100)"
	answers "its parameter" 'print a' '= 100'
	answers "the second caller" up "#2  levels (in=0x"
	answers "its variable" 'print item' '= 0'
	sees "results are right" "303 306 309 312"
	ends_with "status" 0
}

# Line 10 is executed four times, with i from 0 on. As gdb counts, what is ignored is
# hit as well.
counts() {
	commands=('break 10' 'ignore 1 4 - 2' run 'print i' 'info breakpoints'
		'bt full' up 'info registers pc' 'info symbol $pc' 'clear 11'
		'break 11' 'tbreak 11' 'clear 11' 'clear' 'thread apply all bt 1'
		down 'info symbol $pc' clear clear continue)
	session run --batch -- "$launch" "$kernels" call 8
	sees "a count may be computed" "Will ignore next 2 crossings of breakpoint 1."
	answers "the third time it stops" 'print i' '= 2'
	sees "all of them are counted" "already hit 3 times"
	answers "a stack with variables" 'bt full' "#0  twice (p=..., by=10)"
	sees "of the function" "        i = 2"
	sees "of its caller" "#1  call (in=0x"
	sees "which are others" "        s = {member = 100, ratio = 0.5}"
	answers "where the caller goes on" 'info registers pc' ' <call+'
	answers "by name" 'info symbol $pc' 'call + '
	answers "nothing to clear" 'clear 11' 'No breakpoint at 11.'
	answers "all of a line are cleared" 'clear 11' 'Deleted breakpoints 2 3'
	answers "but not those of another line" clear 'No breakpoint at this line.'
	sees "frames by thread" "(More stack frames follow...)"
	answers "the frame is still the caller" down "#0  twice (p="
	answers "the function's own code" 'info symbol $pc' 'twice + '
	answers "what is at this line" clear 'Deleted breakpoint 1'
	answers "is cleared once" clear 'No breakpoint at this line.'
	sees "so the program ends" "130 131 132 133"
}

# What each function has returned to item 3, of whom 103 is the number.
returned() {
	local name kernels

	kernels=$(mktemp --suffix=.cl)
	cat >"$kernels" <<-'END'
		#define CALLED __attribute__((noinline))
		CALLED char small(int a) { char t = a - 100; return t; }
		CALLED short less(int a) { short t = a * -100; return t; }
		CALLED long more(int a) { long t = a * 0x100000001l; return t; }
		CALLED float half_of(int a) { float t = a * 0.5f; return t; }
		CALLED bool odd(int a) { bool t = a & 1; return t; }
		CALLED uint sum(uint a) { uint t = a + 4000000000u; return t; }
		CALLED __global int *place(__global int *p, int i) { return p + i; }
		CALLED int4 four(int a) { int4 t = (int4)(a); return t; }
		CALLED void none(__global int *p, int a) { *p = a; }
		__kernel void results(__global const int *in, __global int *out) {
		  int i = get_global_id(0), v = in[i];
		  none(out + i, 7);
		  v = small(v) + less(v) + (int)more(v) + (int)half_of(v) +
		      odd(v) + (int)sum(v) + *place(out, i) + four(v).w;
		  out[i] = v;
		}
	END
	commands=('break 12' run 'thread :3' delete)
	for name in none small less more half_of odd sum place four; do
		commands+=("tbreak $name" continue finish)
	done
	commands+=('print $' delete continue)
	session run --batch -- "$launch" "$kernels" results 16
	rm "$kernels"
	sees "nothing is returned" 'Run till exit from #0  none'
	answers "a char" finish 'Run till exit from #0  small'
	sees "has its value" "Value returned is \$1 = 3 '\\003'"
	sees "a short" 'Value returned is $2 = -10300'
	sees "a long" 'Value returned is $3 = 442381631591'
	sees "a float" 'Value returned is $4 = 51.5'
	sees "a bool" 'Value returned is $5 = true'
	sees "an unsigned int" 'Value returned is $6 = 4000000103'
	sees "a pointer" 'Value returned is $7 = (int *) 0x'
	answers "of a vector nothing is said" 'print $' '= (int *) 0x'
	sees "the program goes on" 'exited normally'
}

calls
levels
counts
returned
finish
