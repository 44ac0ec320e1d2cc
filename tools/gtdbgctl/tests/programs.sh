#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Local memory and a barrier in two dimensions, values of all kinds, and a page
# fault; see programs.cl.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/programs.cl
work=$(mktemp -d)
trap 'rm -rf "$work"; kill $(jobs -p) 2>/dev/null' EXIT

barrier() {
	commands=('break 29' run 'lanes place' 'print x' 'print y' next
		'print other' delete continue)
	session run --batch -- "$launch" "$kernels" tile 8 8 4
	sees "a line behind a barrier" "hit Breakpoint 1, tile (in=0x"
	sees "each lane has its own place" "2.1:7	7"
	answers "first item of the first group" 'print x' '= 0'
	answers "in both dimensions" 'print y' '= 0'
	answers "next" next '30	  out['
	answers "it read what another item wrote" 'print other' '= 127'
	sees "results are right" "127 126 125 124 131 130 129 128"
}

values() {
	commands=('break 39' run 'print v' 'print v.y' 'print small' 'print/x small'
		'print wide' 'print wide + 1' 'ptype v' 'print list'
		'print item == 0 && v.x > 1' 'print sizeof(wide)'
		'print (char)65' 'print {int}in' 'print *{int *}&in'
		'print {int in' 'print {nothing}in' 'print v.wx' 'print v.hi'
		'print &v.hi' 'print v * 2 - v.x' 'print v < 0' 'set var v.hi = (float2)(7, -8)'
		'print v' 'set var v += 1' 'print v' 'set var v.y = -2' 'set var v.x = 1.5f'
		'print v.hi = (float2)(0, 4)' 'delete 1' 'break 39 if v.y == -2.0f && v.s0 > 1'
		'info breakpoints' 'lane 1' 'print item' 'lane 8' delete continue)
	session run --batch -- "$launch" "$kernels" kinds
	answers "a vector" 'print v' '{1.5, -2, 0, 4}'
	answers "a component of a vector" 'print v.y' '= -2'
	answers "an unsigned char" 'print small' '= 200'
	answers "in hexadecimal" 'print/x small' '= 0xc8'
	answers "a long" 'print wide' '= -5000000000'
	answers "arithmetic" 'print wide + 1' '= -4999999999'
	answers "a type" 'ptype v' 'type = float4'
	answers "a variable without a place" 'print list' '<optimized out>'
	answers "conditions" 'print item == 0 && v.x > 1' '= 1'
	answers "a size" 'print sizeof(wide)' '= 8'
	answers "a cast" 'print (char)65' "= 65 'A'"
	answers "what lies at an address" 'print {int}in' '= 100'
	answers "and where that points to" 'print *{int *}&in' '= 100'
	answers "half a type" 'print {int in' 'A syntax error in expression'
	answers "or none" 'print {nothing}in' 'A syntax error in expression'
	answers "elements of a vector" 'print v.wx' '{4, 1.5}'
	answers "those that lie side by side" 'print v.hi' '{0, 4}'
	answers "have an address" 'print &v.hi' '(float2 *) 0x'
	answers "vectors are computed" 'print v * 2 - v.x' '{1.5, -5.5, -1.5, 6.5}'
	answers "and compared" 'print v < 0' '{0, -1, 0, 0}'
	answers "a part of one is set" 'print v' '{1.5, -2, 7, -8}'
	answers "all of one is added to" 'print v' '{2.5, -1, 8, -7}'
	answers "a part has a value when it was set" 'print v.hi = (float2)(0, 4)' '{0, 4}'
	sees "elements are compared on the EU" "v.y == -2.0f && v.s0 > 1 (on the EU)"
	sees "a lane is chosen" "[Switching to thread 2.1:1]"
	answers "it is another item" 'print item' '= 1'
	answers "there is no such lane" 'lane 8' 'Invalid lane: 8.'
	sees "results are right" "299 302 305 308"
}

# The kernel reads upwards from in, a page at a time: the first fault is right behind
# the mapping that in lies in.
fault() {
	local place='it is 0 bytes behind the end of the ([0-9]+) bytes at (0x[0-9a-f]+)'
	local where page in=-1 begin=0 end=0

	commands=('break stray' run continue bt 'print in[1]'
		'set var in[0] = 7' delete continue)
	session run --batch -- "$launch" "$kernels" stray 8
	sees "a kernel that will go astray" "hit Breakpoint 1, stray (in=0x"
	where=${lines[at - 1]#*in=}
	in=$((${where%%,*}))
	sees "a page fault" "GPU page fault, device "
	page=${lines[at - 1]##* }
	page=$((${page%.}))
	sees "of a page that is not mapped" "Nothing is mapped there; "
	if [[ ${lines[at - 1]} =~ $place ]]; then
		begin=$((BASH_REMATCH[2]))
		end=$((begin + BASH_REMATCH[1]))
	fi
	((begin <= in && in < end && page == end)) &&
		result ok "right behind the buffer" ||
		result "not ok" "right behind the buffer: ${lines[at - 1]}"
	# 64 integers; the buffer begins where the kernel's argument points to.
	sees "it is near the first of the program's buffers" \
		"The page begins $((page - in - 256)) bytes past the end of buffer 1 of 256 bytes."
	sees "of which kernel" "Launched last: kernel stray."
	sees "the thread that runs stops" "stopped: Page fault, of this thread or another one."
	answers "in its kernel" bt '#0  stray ('
	answers "whose memory is there" 'print in[1]' '= 101'
	sees "the program goes on" "101 101 101 101 101 101 101 101"
}

# The table of buffers is the program's to write: what is no buffer in it, or none
# that is mapped, is passed over.
hostile_table() {
	local table

	mkfifo "$work/typed"
	: >"$work/out"
	timeout "${SESSION_TIMEOUT:-900}" "$tool" run -nx -- "$launch" \
		"$kernels" stray 8 <"$work/typed" >"$work/out" 2>&1 &
	exec 7>"$work/typed"
	printf '%s\n' 'break stray' run 'print 6 * 111' >&7
	grows "$work/out" '= 666'
	for table in /tmp/gtdbg??????/buffers.*; do
		{
			printf 'b %10u %016x %016x +\n' 7 -1 1 8 4096 0 \
				9 4096 $((-4096))
			printf 'q %10u %016x %016x +\n' 10 4096 4096
			head -c 49 /dev/zero | tr '\0' '\33'
			echo 'b'
		} >>"$table"
	done
	printf '%s\n' continue kill quit >&7
	exec 7>&-
	wait %1
	mapfile -t lines <"$work/out"
	at=0
	sees "others' lines in the table are passed over" \
		"bytes past the end of buffer 1 of 256 bytes."
	sees "and the thread stops" "stopped: Page fault"
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
barrier
values
if [ -z "$is_gpu" ]; then
	fault
	hostile_table
fi
finish
