#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Local memory: what a work-group shares is seen and changed through a thread
# of it; see programs.cl.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/programs.cl

variables() {
	commands=('break 85' run 'print row' 'print row[3]' 'print total'
		'print both' 'print &row[2]' 'print *&row[2] + total' 'x/4dw row'
		'x/2dw &row[6]' 'print sizeof(row)'
		'print *(int *)0x400000001000000c' 'info locals'
		'print total == 1 && *(int *)0x10' 'print total == 1000 || 1 / 0'
		'print total == 1 || row[1] == 101' delete
		continue)
	session run --batch -- "$launch" "$kernels" share 8
	sees "a line behind a barrier" "hit Breakpoint 1, share (in=0x"
	answers "an array" 'print row' '= {100, 101, 102, 103, 104, 105, 106, 107}'
	answers "an element" 'print row[3]' '= 103'
	answers "a scalar" 'print total' '= 1000'
	answers "a struct" 'print both' '= {member = 77, ratio = 2.5}'
	answers "an address" 'print &row[2]' '= (int *) 0xa00000010000008'
	answers "what is there" 'print *&row[2] + total' '= 1102'
	answers "memory" 'x/4dw row' $'0xa00000010000000:\t100\t101\t102\t103'
	answers "memory by address" 'x/2dw &row[6]' $':\t106\t107'
	answers "a size" 'print sizeof(row)' '= 32'
	answers "through a pointer to anywhere" \
		'print *(int *)0x400000001000000c' '= 103'
	sees "in a list" "total = 1000"
	answers "nobody needs what follows 'and' where it is false" \
		'print total == 1 && *(int *)0x10' '= 0'
	answers "nor what follows 'or' where it is true" \
		'print total == 1000 || 1 / 0' '= 1'
	answers "what is needed is read" 'print total == 1 || row[1] == 101' '= 1'
	sees "results are right" "1184 1183 1182 1181 1180 1179 1178 1177 108"
	ends_with "status" 0
}

# Item 0 takes the last element, and all of them the rest.
changes() {
	commands=('break 85' run 'set var row[7] = 4000' 'set var total = 2'
		'set var both.member = 0' 'print row' delete continue)
	session run --batch -- "$launch" "$kernels" share 8
	answers "what was changed, and nothing else" 'print row' \
		'= {100, 101, 102, 103, 104, 105, 106, 4000}'
	sees "the program goes on with it" "4002 108 107 106 105 104 103 102 108"
	ends_with "status of a changed program" 0
}

pointers() {
	commands=('break 79' run 'lanes mine' 'lanes *mine' 'print mine[2]'
		'set var *mine = 5' 'print row[0]' 'x/2dw 0x0a0000000000fffc'
		delete continue)
	session run --batch -- "$launch" "$kernels" share 8
	sees "a pointer of lane 0" $'2.1:0\t0xa00000000000000'
	sees "a pointer of lane 7" $'2.1:7\t0xa0000000000001c'
	sees "what it points to" $'2.1:6\t106'
	answers "another element" 'print mine[2]' '= 102'
	answers "changed through the pointer" 'print row[0]' '= 5'
	answers "behind the end of it" 'x/2dw 0x0a0000000000fffc' \
		'Cannot access memory at address 0xa0000000000fffc'
	sees "the item that takes it" "1179 1178 1082 108"
}

# Another group's memory is another.
groups() {
	commands=('break 29' run 'print shared[0]' 'print shared[15]'
		'set var shared[15] = -1' delete continue)
	session run --batch -- "$launch" "$kernels" tile 8 8 4
	answers "first element of the first group" 'print shared[0]' '= 100'
	answers "the last one" 'print shared[15]' '= 127'
	sees "only the first group has changed" "-1 126 125 124 131 130 129 128"
}

# Of 16 threads eight have the item with 113. The last element's neighbour is no element:
# there the host decides.
decided() {
	local eu="on the EU" i got want=""

	[ -z "$host_decides" ] || eu="on the host"
	for ((i = 0; i < 16; i++)); do
		want+="item $i: $((i / 8 * 8 + 107 - i % 8)) $((i + 100)) 2.5"$'\n'
	done
	commands=('break 79 if *mine < 0 || row[l + 1] == -5'
		'break 85 if row[l] == 113 && total == 1000'
		'dprintf 86,"item %d: %d %d %.1f\n",item,row[7 - l],*mine,both.ratio'
		run 'print row[l]' 'info breakpoints' 'delete 2' continue)
	session run --batch -- "$launch" "$kernels" share 16 8 8
	answers "a condition on local memory holds" 'print row[l]' '= 113'
	sees "one by a pointer is decided" "*mine < 0 || row[l + 1] == -5 ($eu"
	sees "so is it" "only if row[l] == 113 && total == 1000 ($eu"
	sees "it is printed" "*mine,both.ratio ($eu"
	got=$(printf '%s\n' "${lines[@]}" | grep -o "^item .*" | sort -u)
	[ "$got" = "$(sort <<<"${want%$'\n'}")" ] && i=ok || i="not ok"
	result "$i" "for each item, what its group has"
	sees "the kernel ran through" 'exited normally'
}

# An index without a sign that is below zero leads to what lies before, as it does in the
# program, for the EU and for the host.
unsigned() {
	local eu="on the EU" kernels

	[ -z "$host_decides" ] || eu="on the host"
	kernels=$(mktemp --suffix=.cl)
	cat >"$kernels" <<-'END'
		__kernel void below(__global const int *in, __global int *out) {
		  __local int first[8], row[8];
		  uint l = get_local_id(0);
		  __local int *mine = &row[l];
		  first[l] = in[l] + 1000;
		  *mine = in[l];
		  barrier(CLK_LOCAL_MEM_FENCE);
		  int sum = mine[l - 4];
		  out[get_global_id(0)] = sum + row[l - 1];
		}
	END
	commands=('break 8 if mine[l - 4] == 102 && l == 3'
		'break 9 if row[l - 1] == 1107' run 'print mine[l - 4]'
		continue 'print l' 'print row[l - 1]' 'print l - 3588683716'
		'info breakpoints' delete continue)
	session run --batch -- "$BUILD/gtdbgctl/tests/launch" "$kernels" below 8
	rm -f "$kernels"
	answers "behind a pointer" 'print mine[l - 4]' '= 102'
	answers "in the array before" 'print l' '= 0'
	answers "there as well" 'print row[l - 1]' '= 1107'
	answers "a number of 64 bits has a sign" 'print l - 3588683716' '= -3588683716'
	sees "the one is decided" "only if mine[l - 4] == 102 && l == 3 ($eu"
	sees "so is the other" "only if row[l - 1] == 1107 ($eu"
	sees "the program goes on" 'exited normally'
}

stock() {
	commands=('break 85' run 'print &total' 'print total' 'ptype row'
		'print total + 1' 'x/2dw row' 'set var total = 2' delete
		continue)
	session run --batch --sip=stock -- "$launch" "$kernels" share 8
	answers "Intel's: an address" 'print &total' '0xa00000000000020'
	answers "Intel's: no value" 'print total' \
		"= <local memory: needs gtdbg's system routine>"
	answers "Intel's: a type" 'ptype row' 'type = int'
	answers "Intel's: nothing to compute with" 'print total + 1' \
		"value is not available: <local memory: needs gtdbg's"
	answers "Intel's: no memory" 'x/2dw row' \
		"Cannot access local memory: it needs gtdbg's system routine."
	answers "Intel's: no change" 'set var total = 2' \
		"value is not available: <local memory: needs gtdbg's"
	sees "Intel's: results are right" "1184 1183 1182 1181 1180"
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
variables
changes
pointers
groups
decided
unsigned
stock
finish
