#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Local memory and a barrier in two dimensions, and values of all kinds; see
# programs.cl.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/programs.cl

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
		'print (char)65' delete continue)
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
	sees "results are right" "299 302 305 308"
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
barrier
values
finish
