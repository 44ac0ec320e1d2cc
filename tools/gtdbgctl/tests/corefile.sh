#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Core files without a GPU and without the module: looking at one that was
# written in a guest, writing it again, and files that are damaged. What is in
# it: share of programs.cl at line 85.
set -u
# shellcheck source=tools/gtdbgctl/tests/tap.bash
. "$(dirname "$0")/tap.bash"

tool=${GTDBGCTL:?path of the tool}
top=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
core=$work/share.core
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# check NAME STATUS TEXT ARGUMENT...: the status of the tool, and what it says
check() {
	local name=$1 wanted=$2 text=$3 output
	shift 3

	output=$("$tool" "$@" 2>&1 </dev/null)
	if [ $? -eq "$wanted" ] && [[ $output == *"$text"* ]]; then
		result ok "$name"
	else
		sed 's/^/# /' <<<"$output"
		result "not ok" "$name"
	fi
}

# shows NAME COMMAND TEXT
shows() {
	check "$1" 0 "$3" core --batch -nx -ex "$2" "$core"
}

# fails NAME COMMAND TEXT
fails() {
	check "$1" 1 "$3" core --batch -nx -ex "$2" "$core"
}

holds() {
	if test "$2" "$3" "$4"; then
		result ok "$1"
	else
		echo "# $3 $2 $4"
		result "not ok" "$1"
	fi
}

look() {
	check "a core file opens at its first thread" 0 \
		"Thread 2.1:0, share (in=0x7feef5a2f000, out=0x7feef5a2d000) at launch_1.cl:85" \
		core --batch -nx "$core"
	shows "local memory" 'print row' '{100, 101, 102, 103, 104, 105, 106, 107}'
	shows "a struct in it" 'print both' '{member = 77, ratio = 2.5}'
	shows "memory" 'x/4dw in' $'0x7feef5a2f000:\t100\t101\t102\t103'
	shows "a character is a byte of it" 'x/2c in' $':\t100 \'d\'\t0 \'\\000\''
	shows "an address has eight" 'x/a in' $':\t0x6500000064'
	check "unless something else is asked for" 0 $':\t0x64\t0x0' core --batch -nx \
		-ex 'x/dg in' -ex 'x/a in' -ex 'x/2xb in' "$core"
	shows "a byte is no float" 'x/3fb in' $':\t100\t0\t0'
	shows "of either kind" 'print/f (uchar)200' '$1 = 200'
	check "but for who asks for no bytes" 0 $'0x64\t0x0\n(gtdbg) x/f in' core --batch -nx \
		-ex 'x/2xb in' -ex 'x/f in' "$core"
	shows "lanes" 'lanes item' $'2.1:7\t7'
	shows "one without a value does not end them" 'lanes 70 / item' \
		$'* 2.1:0\t<error: Division by zero>\n  2.1:1\t70'
	fails "what is none in any is said once" 'lanes nosuch' \
		$'(gtdbg) lanes nosuch\nNo symbol "nosuch" in current context.'
	shows "elements, as many as a value says" 'lanes in[0]@(row[2] - 100)' \
		$'* 2.1:0\t{100, 101}\n'
	shows "registers" 'print/x $r3' '0x'
	shows "code" 'x/i $pc' '<share+4960>:'
	shows "with no blank before it" 'x/i$pc' '<share+4960>:'
	shows "nor before a number" 'print/x(10)' '$1 = 0xa'
	fails "no memory before it" 'x/-4x in' 'Undefined output format "-".'
	shows "source" 'list 80,81' 'both.member = 77;'
	shows "threads" 'info threads' '2.1:[1-7]  (0.0.0.0)    share () at'
	fails "it does not run" continue 'there is no "continue" in it'
	fails "it takes no breakpoint" 'break 85' 'there is no "break" in it'
	fails "nothing in it changes" 'set var in[0] = 1' 'Cannot write'
	fails "nor does a local variable" 'set var total = 1' 'Cannot write'
	check "looking needs a file" 1 'cannot open core file none: No such' \
		core none
	check "and only one" 2 'usage: gtdbgctl core' core a b
	check "which has to be a core file" 1 "it is none of gtdbg's" core "$tool"
	check "a folder is none" 1 "it is none of gtdbg's" core "$work"
	mkfifo pipe
	check "nor is a pipe" 1 "it is none of gtdbg's" core pipe
}

# Words that anyone who knows gdb tries.
words() {
	shows "the stack" where '#0  share (in=0x7feef5a2f000'
	shows "the name of a type" 'whatis both' 'type = pair'
	shows "a float's number" 'print 0.6f' '= 0.600000024'
	shows "it is no double" 'print 0.6f == 0.6' '= 0'
	shows "and what it is" 'ptype both' 'float ratio;'
	shows "text" 'print *(char *)in@4' '$1 = "d"'
	shows "what only looks like it" 'print *(char *)in@8' "{100 'd', 0 "
	shows "a format, as it says" 'print/x *(char *)in@4' '{0x64, 0x0'
	shows "sizeof knows a number of repetitions" 'print sizeof(in[0]@3)' '= 12'
	fails "but nothing that is computed" 'print sizeof(in[0]@row[0])' 'no number of repetitions'
	shows "the function's code" disassemble '   0x8001fffdd000 <share+0>:'
	shows "with the place" disassemble '=> 0x8001fffde360 <share+4960>:'
	shows "the shell" 'shell echo $((6 * 7))' 42
	fails "and how it has failed" '!exit 3' 'has failed: status 3.'
	printf '%s\n' 'x/i$pc' '' >script
	holds "an empty line goes on behind a format without a blank" \
		"$("$tool" core -nx "$core" <script | grep -c '<share+49[67]')" = 2
	printf '%s\n' 'list 40,42' 'list -' '' >script
	holds "an empty line goes on, also backward" "$("$tool" core -nx "$core" <script |
		grep -cE '^(\(gtdbg\) )?(20|30)'$'\t')" = 2
	rm script
	check "displays have ranges" 0 $'Num Enb Expression\n3:   n  3' core \
		--batch -nx -ex 'display 1' -ex 'display 2' -ex 'display 3' \
		-ex 'delete display 1-2' -ex 'disable display 2-9' -ex 'info display' "$core"
	check "of which all or none are deleted" 1 $'number 7.\n(gtdbg) display\n1: 8 = 8' \
		core --batch -nx -ex 'display 8' -ex 'undisplay 1 7' -ex display "$core"
	fails "no such word" 'frobnicate it' 'Undefined command: "frobnicate".'
	shows "all that info knows" 'help info' "$("$tool" core --batch -nx -ex info \
		"$core" | sed -n 's/^info //p' | sort | paste -sd, | sed 's/,/, /g')"
}

# As C has it, on the processor or the GPU.
arithmetic() {
	shows "a suffix is of a type" 'print 1ul << 40' '= 1099511627776'
	shows "an unsigned number" 'print 1u << 31' '= 2147483648'
	shows "is larger than -1" 'print -1 < 1u' '= 0'
	shows "has all bits" 'print ~0u' '= 4294967295'
	shows "so has a hexadecimal one" 'print 0xffffffff + 1' '= 0'
	shows "which -1 is" 'print -1 == 0xffffffff' '= 1'
	shows "a decimal one is a long then" 'print 4294967295 + 1' '= 4294967296'
	shows "the largest" 'print 18446744073709551615' '= 18446744073709551615'
	fails "no octal number" 'print 08' 'Invalid number "08".'
	shows "floats are added as floats" 'print 0.1f + 0.2f == 0.3f' '= 1'
	shows "and are ones then" 'print 0.1f + 0.2f' '= 0.300000012'
	shows "what is negative, too" 'print -0.1f' '= -0.100000001'
	shows "doubles are not" 'print 0.1 + 0.2' '= 0.30000000000000004'
	shows "nor is one of them" 'print 0.1 + 0.2f == 0.1f + 0.2f' '= 0'
	shows "a half" 'print (half)1.5' '= 1.5'
	shows "the nearest one, which is even" 'print (half)2049' '= 2048'
	shows "or the next" 'print (half)2051' '= 2052'
	shows "the largest of halves" 'print (half)65519' '= 65504'
	shows "there is none" 'print (half)65520' '= inf'
	shows "the smallest" 'print (half)6e-8' '= 5.9605e-08'
	shows "a large float as an integer" 'print (unsigned long)1e19' \
		'= 10000000000000000000'
	shows "as one of 32 bits" 'print (int)1e19' '= 2147483647'
	shows "an element of an array" 'print *(row + 1)' '= 101'
	shows "of a pointer, by a number before it" 'print *(2 + in)' '= 102'
	shows "a shift takes the lowest bits" 'print 1 << 33' '= 2'
	shows "of what is negative, too" 'print 5 >> -31' '= 2'
	shows "as many as a long needs" 'print 1L << 33 << 64' '= 8589934592'
	shows "for what is shifted" 'print 1 << 33L' '= 2'
	shows "or an element" 'print (uchar2)(1, 129) << (uchar2)(9, 255)' '= {2 '
	shows "of its width" 'print (short2)(-4, 1) >> (short2)(17, 16)' '= {-2, 1}'
	shows "an array's address as a pointer of a type" 'x/2dw (uint *)row' \
		$':\t100\t101'
	shows "or of a short one" 'print *(int *)(*in@2)' '= 100'
	shows "what lies there" 'print {short} row' '= 100'
	shows "as many elements as a sum says" 'print *in@1 + 1' '= {100, 101}'
	shows "and no shift" 'print (int4 *)(*in@2 << 1) == (int4 *)(2 * (ulong)in)' '= 1'
	shows "or a variable" 'print 0 ? in[0]@total : row' '= {100, 101, '
	shows "for a type, too" 'whatis in[0]@total' 'type = const int'
	fails "a struct says nothing" 'print in[0]@both' 'not a number or boolean'
	fails "nor does a vector" 'print in[0]@(int2)(1, 2)' 'not a number or boolean'
	fails "nor what is none" 'print in[0]@(total - 1000)' 'Invalid number 0 of repetitions'
	fails "it can be assigned, but not here" 'set var in = row' 'Cannot write'
	fails "a register has none" 'print (int *)$r3' 'Invalid cast.'
	shows "what lies between such addresses" 'print (int4 *)&row[4] - (int4 *)&row[0]' '= 1'
	shows "or the other way round" 'print &row[2] - &row[5]' '= -3'
	fails "what begins like a cast" 'print (int + 1)' 'No symbol "int"'
	fails "no register lies in memory" 'x $r3' 'neither a number nor in memory'
	check "what is printed is computed once" 0 $'1\n(gtdbg) print $all\n$2 = 1' \
		core --batch -nx -ex 'print $all = 0' -ex 'printf "%d\n", $all = $all + 1' \
		-ex 'print $all' "$core"
	check "so is what is displayed" 0 $'$2 = 1' \
		core --batch -nx -ex 'print $all = 0' -ex 'display $all = $all + 1' \
		-ex 'print $all' "$core"
	fails "a float has no complement" 'print ~0.5f' \
		'Argument to complement operation not an integer'
	shows "the smallest number has no other sign" \
		'print -(-9223372036854775807 - 1)' '= -9223372036854775808'
	shows "a small number is an int" 'printf "%x\n", (short)-3' fffffffd
	shows "one of two" 'print 1 ? 2 : 3' '= 2'
	shows "of which the other is not computed" 'print 0 ? 1 / 0 : 0 ? 1 / 0 : 4' '= 4'
	shows "it binds less than others" 'print 0 || 1 ? 5 : 6' '= 5'
	shows "it has the type of both" 'print (1 ? 7 : 2.0) / 2' '= 3.5'
	shows "of integers as well" 'print (0 ? 1u : -1) > 0' '= 1'
	shows "of no small ones" "whatis 1 ? 'a' : 'b'" 'type = int'
	shows "of a pointer and none" 'whatis 1 ? 0 : in' 'type = const int *'
	shows "an array is one, too" 'print *(0 ? &total : row)' '= 100'
	shows "of a vector and a number" 'print 1 ? 3 : (int2)(1, 2)' '= {3, 3}'
	shows "a struct stays as it is" 'print 1 ? both : both' '= {member = 77'
	fails "half of it" 'print 1 ? 2' 'A syntax error in expression'
	fails "what is no number does not choose" 'print both ? 2 : 3' 'not a number or boolean'
	check "what is changed in place" 0 '$5 = -11' core --batch -nx -ex 'print $sum = 5' \
		-ex 'print $sum += 2 * 3' -ex 'print $sum <<= 1' -ex 'print $sum %= 12' \
		-ex 'print $sum ^= ~0' "$core"
	check "of what only has a type nothing changes" 0 '$2 = 5' core --batch -nx \
		-ex 'print $sum = 5' -ex 'ptype $sum = 6' -ex 'whatis sizeof($sum = 7)' \
		-ex 'print $sum' "$core"
	shows "nor is it computed" 'whatis 1 / 0' 'type = int'
	shows "a vector" 'print (float4)(1, (float2)(2, 3), 4).zyx' '= {3, 2, 1}'
	shows "of one number, as its elements are" 'print (uchar8)(300)' "= {44 ',', 44 ','"
	shows "its type" 'whatis (short3)(1, 2, 3).odd' 'type = short2'
	shows "elements are of one type" 'print (uchar2)(200, 100) + 100' '200 '
	fails "there are too few" 'print (int4)(1, 2)' 'A int4 has 4 elements, and not 2.'
	fails "or too many" 'print (int2)((int4)1)' 'A int2 has no more than 2 elements.'
	fails "of one length" 'print (int2)1 + (int4)1' 'Vectors of 2 and of 4 elements.'
	fails "no such vector" 'print (int5)1' 'No symbol "int5"'
	fails "a struct is no element" 'print (int2)1 + both' 'not a number or boolean'
	fails "a float is a float" 'print (float2)1 & 1' 'Operator & needs integers.'
	fails "a float is no number for it" 'printf "%d\n", 1.5' 'is of type double'
	{
		echo -n 'print 1'
		printf '=1%.0s' {1..100000}
	} >deep
	check "assignments have an end" 1 'nested too deeply' \
		core --batch -nx -x deep "$core"
	rm deep
}

# As other programs have it: cr0.2 is the hardware's word for where the thread is.
code() {
	local pc

	pc=$("$tool" core --batch -nx -ex 'info registers cr0' "$core" |
		sed -n 's/^cr0 .* \(.*\) 0\{8\}$/0x8001\1/p')
	shows "the program counter is a register" 'info registers pc' \
		"pc       $pc <share+4960>"
	shows "several of them" 'info registers $ip r1 cr0' \
		$'<share+4960>\nr1       00010000 00030002 00050004 00070006'
	fails "what is none" 'info registers pc nosuch' 'register `nosuch'
	shows "it is an address of code" 'print $pc' \
		"(void (*)()) $pc <share+4960>"
	shows "or a number" 'print/x $pc' "= $pc"
	shows "from which one counts in bytes" 'print $pc - share' ' = 4960'
	shows "whose code it is" 'info symbol $pc' 'share + 4960 in kernel share'
	fails "or nobody's" 'info symbol in' 'No symbol matches in.'
	fails "of what is no address" 'info symbol $r3' 'neither a number nor in memory'
	shows "the sources" 'info sources' $'Module 1:\n/run/vm/launch_1.cl'
	fails "that match" 'info sources [[' 'Unmatched ['
}

# There is one group. The kernel has used the registers for other things behind its
# own question for the items.
numbers() {
	shows "the number of the group" 'print $group' '= {0, 0, 0}'
	shows "in one dimension" 'print $group.y + 7' '= 7'
	fails "of three" 'print $group.w' 'There is no member named w.'
	fails "to be read" 'set var $group.x = 1' 'not an lvalue'
	fails "what is not known is not shown" 'print $item.x' \
		'Work-items have no numbers here any more'
}

# Nothing is printed but what is asked for, ends of lines included.
printing() {
	local said

	cat >script <<-'END'
		echo \ttwo\\\101\"\q\n\ \
		output total
		output/x 255
		output in
		output $pc
	END
	said=$("$tool" core --batch -nx -x script "$core" | tail -n +4; echo .)
	holds "text with escapes, and bare values" "$said" = \
		$'\ttwo\\A"q\n 10000xff(const int *) 0x7feef5a2f000(void (*)()) 0x8001fffde360 <share+4960>.'
	rm script
	fails "output needs something" output 'Argument required (expression'
	shows "values in a text" 'printf "%d of %x, %g%%\n", row[2], in, 0.5' \
		'102 of 7feef5a2f000, 0.5%'
	fails "which have to suit it" 'printf "%d\n", both.ratio' '%d'
	shows "characters, too" "printf \"%d%c%c%c\\n\", 5, ',', '\\'', ')'" "5,')"
	shows "the stack, by another name" 'info s' '#0  share (in=0x'
	shows "frames with their variables" 'bt full 1' \
		$'85\n        both = {member = 77, ratio = 2.5}\n        total = 1000'
	shows "frames from outside" 'bt -1' '#0  share (in=0x'
	fails "nothing else" 'bt x' '"x" is no number of frames.'
}

# Lane l of the thread has item l.
apply() {
	shows "a command in all threads" 'thread apply all print item' \
		$'\nThread 2.1:0 (0.0.0.0):\n$1 = 0'
	shows "in some lanes, by a short name" 't a 1:6-7 p item' \
		$'Thread 2.1:6 (0.0.0.0):\n$1 = 6\n\nThread 2.1:7 (0.0.0.0):\n$2 = 7'
	shows "and nothing is said of them" 'thread apply 2.1:2 1:3 -q p item' \
		$'\n$1 = 2\n$2 = 3'
	shows "or of a thread that is not there" 'thread apply 3-5 bt' \
		'warning: Thread 3-5 is not stopped.'
	check "the user is where he was" 0 '[Current thread is 2.1:5]' core \
		--batch -nx -ex 'thread 1:5' -ex 'thread apply 1:1-2 bt' \
		-ex thread "$core"
	fails "each has its lanes" 'thread apply 1:0-8 p item' \
		$'p item\nInvalid lane: 8.'
	check "as a thread has that is chosen" 1 \
		$'\nInvalid lane: 20.\n(gtdbg) thread\n[Current thread is 2.1:5]' core \
		--batch -nx -ex 'thread 1:5' -ex 'thread 1:20' -ex thread "$core"
	fails "the first error ends it" 'thread apply 1:2-3 frobnicate' \
		$'\nThread 2.1:2 (0.0.0.0):\nUndefined command: "frobnicate".'
	fails "but for one who says so" 'thread apply 1:2-3 -c frobnicate' \
		$'".  Try "help".\n\nThread 2.1:3 (0.0.0.0):\nUndefined'
	fails "threads have numbers" 'thread apply x bt' 'Invalid thread ID: x bt'
	fails "from 1" 'thread apply 0 bt' 'Invalid thread ID: 0'
	fails "none is not all" 'thread apply' 'specify a thread ID list'
	fails "a command is needed" 'thread apply all' 'specify a command at the'
}

# terminal NAME TEXT VARIABLE...: where the stack is printed
terminal() {
	if printf '%s\n' 'see 600 "(gtdbg) " a prompt' 'type bt\n' \
		"see 300 \"$2\" it" 'type quit\n' 'ends 600 0 the end' |
		"$(dirname "$tool")/tests/terminal" env TERM=xterm "${@:3}" \
			"$tool" core -nx "$core" >said 2>&1; then
		result ok "$1"
	else
		sed 's/^/# /' said
		result "not ok" "$1"
	fi
}

colours() {
	local name=$'\e[33mshare\e[m'

	terminal "a terminal has colours" "#0  $name (" NO_COLOR=
	terminal "but for NO_COLOR" "#0  share (" NO_COLOR=1
	terminal "or if it is a simple one" "#0  share (" TERM=dumb
	shows "what is none has no colours" bt "#0  share ("
}

# Ctrl-C at a prompt whose lines come from a pipe, as an editor has it.
interrupt() {
	local pid

	mkfifo words
	"$tool" core -nx "$core" <words >said 2>&1 &
	pid=$!
	exec 3>words
	echo 'print row[2]' >&3
	until grep -qx '$1 = 102' said; do
		kill -0 $pid || break
		sleep 0.05
	done
	for _ in 1 2 3 4 5; do
		kill -INT $pid
		sleep 0.05
	done
	(echo 'print row[3]' >&3)
	exec 3>&-
	wait $pid
	holds "a signal does not end what reads from a pipe" \
		"$(tail -n 1 said)" = '$2 = 103'
	rm words
}

# What a line begins in a body has an end of its own, but text begins nothing.
bodies() {
	cat >script <<-'END'
		define both
		  print $argcount + $argc
		  document twice
		    commands in a text
		  end
		  print $arg0
		end
		document both
		  define what it does
		  commands of a kind
		end
		print row[3]
		show user
		help both
		define twice
		end
		both 7 row[4]
		print row[5]
	END
	"$tool" core --batch -nx -ex 'print $argcount = 40' -x script "$core" 2>&1 |
		tail -n +6 >said
	diff said - <<-'END' && result ok "bodies" || result "not ok" "bodies"
		$2 = 103
		User command "both":
		  print $argcount + $argc
		  document twice
		    commands in a text
		  end
		  print $arg0

		define what it does
		commands of a kind
		$3 = 42
		$4 = 7
		$5 = 105
	END
	rm script said
}

# Ctrl-C ends what is executed from files and bodies, and not only its command.
scripts() {
	local pid

	{
		printf '%s\n' 'define both' 'source long' 'echo behind' end both
	} >script
	yes 'print row[2]' | head -n 200000 >long
	"$tool" core --batch -nx -x script -ex 'print row[3]' "$core" >said 2>&1 &
	pid=$!
	until grep -qx '$9 = 102' said; do
		kill -0 $pid || break
		sleep 0.05
	done
	kill -INT $pid
	wait $pid
	grep -q 'Quit$' said && result ok "Ctrl-C ends a file" ||
		result "not ok" "Ctrl-C ends a file"
	holds "before its end" "$(grep -c ' = 102$' said)" -lt 200000
	holds "and who has called it" "$(grep -c behind said)" -eq 0
	holds "the next command is executed" "$(tail -n 1 said | sed 's/.*= //')" = 103
	rm script long said
}

# Ctrl-C throws away what was typed, at any moment of its being read.
drop() {
	local i

	{
		echo 'see 600 "(gtdbg) " a prompt'
		for ((i = 0; i < 1500; i++)); do
			printf '%s\n' 'type nonsense\c' 'see 600 "Quit" it is dropped' \
				'type frobnicate\n' 'see 600 "Undefined command: " the next' \
				'see 600 "(gtdbg) " a prompt'
		done
	} | HOME=$work "$(dirname "$tool")/tests/terminal" "$tool" core -nx "$core" >said
	holds "no Ctrl-C of many is lost" "$(grep -c '^ok' said)" = 4501
}

# parts FILE: what is in it, wherever that is
parts() {
	python3 -B "$top/tools/gtdbgctl/tests/core_parts.py" "$1" |
		cut -d' ' -f2- | sort
}

write() {
	shows "it can be written again" 'gcore again' \
		'Saved core file again: 1 thread, 135168 bytes of memory.'
	# The file is of a tool that wrote headers first, and files before threads.
	parts "$core" >wanted
	parts again >said
	cmp wanted said && result ok "with the same in it" ||
		result "not ok" "with the same in it"
	"$tool" core --batch -nx -ex 'gcore next' again >/dev/null
	cmp again next && result ok "and then to the same bytes" ||
		result "not ok" "and then to the same bytes"
	rm wanted said next
	holds "for its owner only" "$(stat -c %a again)" = 600
	shows "the name can be given by its full name" \
		'generate-core-file again' 'Saved core file again'
}

# Where a file must not go, and what is left behind then.
refuse() {
	echo precious >target
	ln -s target link
	fails "not through a link" 'gcore link' \
		'Cannot write core file link: it is a link.'
	ln -s nowhere dangling
	fails "nor through one to nowhere" 'gcore dangling' 'it is a link'
	fails "nor in place of a pipe" 'gcore pipe' \
		'there is something that is no file'
	fails "nor of a folder" "gcore $work" 'there is something that is no'
	fails "nor without a name" "gcore $work/" 'Is a directory'
	fails "nor where there is no folder" 'gcore no/where' 'No such file'
	fails "no option that is none" 'gcore --limit=x f' 'Invalid option'
	fails "nor one of no size" 'gcore --limit=0 f' 'Invalid option'
	holds "nothing was touched" "$(cat target)" = precious
	(
		trap '' XFSZ
		ulimit -f 100
		"$tool" core --batch -nx -ex 'gcore long' "$core"
	) >long.log 2>&1
	grep -q 'Cannot write core file long: File too large' long.log &&
		result ok "no room" || result "not ok" "no room"
	rm -f pipe long.log
	# shellcheck disable=SC2012 # the names are known
	holds "no part of a file stays" "$(ls -A | sort | tr '\n' ' ')" = \
		"again dangling link share.core target "
}

# SIGXFSZ ends the tool where a file gets too long: in the middle of one.
killed() {
	local status

	if ! python3 -c 'import os; os.open(".", os.O_TMPFILE | os.O_RDWR)' \
		2>/dev/null; then
		result ok "no part of a killed tool # SKIP files have names here"
		return
	fi
	(
		ulimit -c 0 -f 100
		exec "$tool" core --batch -nx -ex 'gcore long' "$core"
	) >/dev/null 2>&1
	status=$?
	# shellcheck disable=SC2012 # the names are known
	holds "nothing stays when the tool is killed" \
		"$status $(ls -A | sort | tr '\n' ' ')" = \
		"153 again dangling link share.core target "
}

# left HOW: is what a tool that has stumbled leaves in the folder all right? The name has
# what it had, or the whole file; what has another name is whole, too, or none.
left() {
	local file

	for file in room/core room/.gtcore.*; do
		[ -e "$file" ] || continue
		cmp -s "$file" whole && continue
		if [ "$file" = room/core ]; then
			echo precious | cmp -s - "$file" || return 1
		elif [ "$1" = room ] || "$tool" core --batch -nx "$file" >/dev/null 2>&1; then
			return 1
		fi
	done
}

# stumble NAME HOW OPTION BEFORE VARIABLE...: at each call that makes the file. The last
# one to be killed has made it; as many are tried without room. A file of a module that
# cannot be read is not left out.
calls=0
stumble() {
	local n status=1 bad=0
	local run=("$tool" core --batch -nx -ex "gcore $3 room/core" "$core")

	"$tool" core --batch -nx -ex "gcore $3 whole" "$core" >said
	for ((n = 1; n < 1000; n++)); do
		rm -rf room
		mkdir room
		[ -z "$4" ] || echo precious >room/core
		{
			env "${@:5}" STUMBLE="$2" STUMBLE_AT=$n \
				LD_PRELOAD="$(dirname "$tool")/tests/stumble.so" \
				"${run[@]}" >said 2>&1
		} 2>/dev/null
		status=$?
		if [ $status -eq 0 ]; then
			cmp -s room/core whole || bad=$((bad + 1))
			[ "$2" != kill ] && [ $n -lt $calls ] || break
		elif { [ "$2" = kill ] && [ $status -ne 137 ]; } || ! left "$2" ||
			{ [ "$2" = room ] &&
			! grep -qE 'room/core: (No space|Cannot allocate)' said; }; then
			echo "# at call $n: status $status"
			sed 's/^/# /' said
			bad=$((bad + 1))
		fi
	done
	echo "# $n calls"
	[ "$2" != kill ] || calls=$n
	holds "$1" "$((n > 20)) $bad" = "1 0"
	rm -rf room whole
}

stumbles() {
	stumble "killed at any moment it leaves the whole file, or none" kill "" ""
	stumble "or the one that was there" kill --compress=zstd yes
	stumble "as it does without room" room --compress=zstd yes
	stumble "killed where files have names" kill "" yes STUMBLE_NAMES=1
	stumble "or without room there" room "" yes STUMBLE_NAMES=1
}

choose() {
	"$tool" core --batch -nx -ex 'gcore --memory=none none' \
		-ex 'gcore --limit=64K --memory=all some' "$core" >said
	grep -q 'Saved core file none: 1 thread, 0 bytes of memory; ' said &&
		result ok "memory is left out" ||
		result "not ok" "memory is left out"
	check "which the reader says" 0 'that were mapped are not in the file.' \
		core --batch -nx -ex 'print row' none
	check "what it needs is missing" 1 'Cannot access memory' \
		core --batch -nx -ex 'x/4dw 0x7feef5a2f000' none
	check "local memory is not" 0 '{100, 101, 102, 103' \
		core --batch -nx -ex 'print row' none
	check "small buffers fit a limit" 0 $':\t100\t101\t102\t103' \
		core --batch -nx -ex 'x/4dw 0x7feef5a2f000' some
	holds "which holds" "$(stat -c %s some)" -lt "$(stat -c %s "$core")"
}

# Of two contexts that have the same memory, all but one page, which is half of what that
# mapping has: 8192 bytes.
twice() {
	local page=0x8001fffee000

	python3 -B "$top/tools/gtdbgctl/tests/core_double.py" "$core" double $page
	parts double >wanted
	check "what contexts share is taken once" 0 \
		'Saved core file once: 1 thread, 143360 bytes of memory.' core \
		--batch -nx -ex 'gcore once' double
	parts once >said
	cmp wanted said && result ok "and is there for both" ||
		result "not ok" "and is there for both"
	holds "all of it" "$(grep -c '^memory 0x100000002 ' said)" = 12
	holds "also what they do not share" \
		"$(grep -c " $page " said) $(grep " $page " said | sed 's/.* //' |
			sort -u | wc -l)" = "2 2"
	check "without harm" 0 "Thread 2.1:0, share (in=0x7feef5a2f000" core \
		--batch -nx once
	readelf -a once 2>&1 >/dev/null | cmp - /dev/null &&
		result ok "other tools read that" || result "not ok" "other tools read that"
	rm -f wanted said double once
}

# last TYPE: where the last note of a type ends in the file that was written again
last() {
	python3 -B "$top/tools/gtdbgctl/tests/core_parts.py" again |
		awk -v type="$1" '$2 == "note" && $3 == type { end = $1 } END { print end }'
}

# cut_off NAME LENGTH COMMAND TEXT: so much of the file answers, and says what it lacks
cut_off() {
	head -c "$2" again >part
	check "$1" 0 "$4" core --batch -nx -ex "$3" part
}

# Of a file that is cut off there is all that stands before that; threads come first.
part_shown() {
	local threads files

	threads=$(last 0x67740004)
	files=$(last 0x67740003)
	holds "threads come before files" "$threads" -lt 16384
	cut_off "with threads there is where they stood" "$threads" \
		'info threads' '2.1:[1-7]  (0.0.0.0)    share ()'
	cut_off "and each register" "$threads" 'info registers r1' \
		'r1       00010000 00030002 00050004 00070006'
	cut_off "what is missing is counted" "$threads" 'info threads' \
		'15 of 15 sources, ELF files and codes are missing'
	cut_off "local memory" "$threads" 'info threads' \
		"1 of 1 work-groups' local memories are missing"
	cut_off "lists of memory" "$threads" 'info threads' \
		'1 of 1 lists of mapped memory are missing'
	cut_off "memory" "$threads" 'info threads' \
		'12 of 12 pieces of memory are missing'
	cut_off "and threads, without the last" $((threads - 1)) \
		'info devices' '1 of 1 threads are missing'
	cut_off "without memory there is the rest" "$files" 'print row' \
		'{100, 101, 102, 103, 104, 105, 106, 107}'
	cut_off "with its source" "$files" 'list 80,81' 'both.member = 77;'
	cut_off "what is missing is memory" "$files" 'info kernels' \
		'12 of 12 pieces of memory are missing'
}

# Never by a signal, and never in silence.
damage() {
	local size at bad=0 silent=0 runs=0 tail=0 status notes_end

	size=$(stat -c %s again)
	notes_end=$(last 0x67740003)
	for ((at = 0; at < size; at += 4096)); do
		# What was left free for headers is long, and empty.
		[ $at -lt $((notes_end + 8192)) ] ||
			[ $at -ge $((size - 65536)) ] || continue
		head -c $at again >part
		timeout 600 "$tool" core --batch -nx -ex 'info threads' -ex bt \
			-ex 'info locals' -ex 'info registers' -ex 'x/4i $pc' \
			-ex 'print row' -ex 'x/64xw in' part >said 2>&1
		status=$?
		runs=$((runs + 1))
		[ $at -lt $((size - 65536)) ] || tail=$((tail + 1))
		[ $status -le 1 ] || bad=$((bad + 1))
		grep -qE 'warning: part: |none of gtdbg' said ||
			silent=$((silent + 1))
	done
	holds "files that are cut off do no harm" "$bad" = 0
	holds "which were cut in the notes and at the end" "$((tail >= 16 && runs > 32))" = 1
	holds "and say so" "$silent" = 0
	bad=0
	for ((at = 0; at < 60; at++)); do
		cp again part
		# Spread over the notes, three bytes each.
		printf '\xff\x7f\x80' | dd of=part bs=1 conv=notrunc \
			seek=$((64 + at * 2053)) 2>/dev/null
		timeout 600 "$tool" core --batch -nx -ex 'info threads' -ex bt \
			-ex 'info locals' -ex 'info registers' -ex 'print row' \
			-ex 'info kernels' -ex 'gcore part2' part >said 2>&1
		[ $? -le 1 ] || bad=$((bad + 1))
	done
	holds "nor do files with other bytes" "$bad" = 0
}

# looks_at_part: counts runs, those that a signal ends, and those that say nothing
looks_at_part() {
	timeout 600 "$tool" core --batch -nx -ex 'info threads' -ex bt \
		-ex 'print row' part >said 2>&1
	[ $? -le 1 ] || bad=$((bad + 1))
	grep -qE 'warning: part: |none of gtdbg' said || silent=$((silent + 1))
	runs=$((runs + 1))
}

# Everywhere: the frame's head, its blocks' heads, what they hold, the checksum.
damage_compressed() {
	local size i at bad=0 silent=0 runs=0

	size=$(stat -c %s packed)
	for ((i = 0; i < 32; i++)); do
		at=$((size * i / 32))
		head -c $at packed >part
		looks_at_part
		cp packed part
		printf '\xff\x7f\x80' | dd of=part bs=1 conv=notrunc \
			seek=$at 2>/dev/null
		looks_at_part
	done
	head -c $((size - 1)) packed >part
	looks_at_part
	holds "compressed ones that are damaged do no harm" "$runs $bad" = "65 0"
	holds "and say so" "$silent" = 0
}

# The same bytes by another program, and nothing of a file that is not whole is taken
# for what it is not. share.core has 135168 bytes of memory, most of it at its end.
compressed() {
	shows "it can be compressed" 'gcore --compress=zstd packed' \
		'Saved core file packed: 1 thread, 135168 bytes of memory.'
	zstd -dqc packed | cmp - again && result ok "which zstd undoes" ||
		result "not ok" "which zstd undoes"
	holds "smaller" "$(stat -c %s packed)" -lt "$(($(stat -c %s "$core") / 2))"
	holds "and as private" "$(stat -c %a packed)" = 600
	check "it opens" 0 '{100, 101, 102, 103' core --batch -nx \
		-ex 'print row' packed
	check "nothing else is packed" 1 'Invalid option' core --batch -nx \
		-ex 'gcore --compress=xz f' packed
	check "a limit holds" 0 "it has more than 790528 bytes: what" \
		core --batch -nx --limit=772K -ex 'info threads' packed
	head -c "$(($(stat -c %s packed) - 1000))" packed >part
	check "one that is cut off says where" 0 \
		"it is cut off at byte $(stat -c %s part): what follows" \
		core --batch -nx part
	check "and shows the rest" 0 "bytes of memory are missing, in " \
		core --batch -nx part
	cp packed part
	printf '\xff\x7f\x80' | dd of=part bs=1 conv=notrunc \
		seek=$(($(stat -c %s packed) - 1000)) 2>/dev/null
	check "so does one that is damaged" 0 "what follows is missing" \
		core --batch -nx part
	damage_compressed
	cp "$core" padded
	truncate -s 1M padded
	zstd -qc padded >padded.zst
	if [[ $("$tool" core --batch -nx padded.zst 2>&1) == *launch_1.cl:85* &&
		$("$tool" core --batch -nx padded.zst 2>&1) != *"cut off"* ]]; then
		result ok "whose pieces are whole ones"
	else
		result "not ok" "whose pieces are whole ones"
	fi
	# Zeroes, as some hundred KiB.
	head -c 5G /dev/zero | zstd -qc >bomb
	check "a bomb does not go off" 1 "it has more than 4294967296 bytes" \
		core --batch -nx bomb
}

readable() {
	local said

	said=$(readelf -a "$core" 2>&1 >/dev/null
		eu-readelf -a "$core" 2>&1 >/dev/null)
	holds "other tools read it without complaint" "$said" = ""
}

# r64 and r65 are the addresses of eight lanes, from 0x7feef4be0030 on, 4 bytes apart,
# which the instruction at share+4576 reads from. A fault of that page then is theirs.
faulty() {
	local make=("$top/tools/gtdbgctl/tests/core_fault.py" "$core") lane
	local told="launch_1.cl:79: void share(...): slot 0, lane"

	python3 -B "${make[@]}" fault $((4592 - 4960)) 0x7feef4be0000 \
		1,1,0x7feef5a2f000,32,0 1,3,0x7feef4be0100,64,0 \
		4,1,0x7feef4be0030,4,0 2,2,0x7feef4be0000,8,1
	"$tool" core --batch -nx fault >said
	for lane in 0 1 2 3 4 5 6 7; do
		printf '%s %d reads 4 bytes at 0x%x, %d bytes before buffer 3 of 64 bytes.\n' \
			"$told" $lane $((0x7feef4be0030 + 4 * lane)) \
			$((0xd0 - 4 * lane))
	done >wanted
	grep ' reads ' said | cmp -s - wanted && result ok "who has missed memory" ||
		{ diff said wanted | sed 's/^/# /'
			result "not ok" "who has missed memory"; }
	check "near which buffer the page is" 0 \
		"The page begins 256 bytes before buffer 3 of 64 bytes." \
		core --batch -nx fault
	"$tool" core --batch -nx -ex 'gcore rewritten' \
		-ex 'gcore --memory=none empty' fault >/dev/null
	"$tool" core --batch -nx rewritten | grep ' reads ' | cmp -s - wanted &&
		result ok "the table is written again" ||
		result "not ok" "the table is written again"
	python3 -B "${make[@]}" fault $((4592 - 4960)) 0x1000 \
		1,3,0x7feef4be0100,64,0
	"$tool" core --batch -nx -ex 'gcore --memory=none empty' fault >/dev/null
	"$tool" core --batch -nx empty >said
	grep -q 'GPU page fault' said && ! grep -q ' reads ' said &&
		result ok "what was left out was not missed" ||
		result "not ok" "what was left out was not missed"
	python3 -B "${make[@]}" fault $((4592 - 4960)) 0x7feef7000000 \
		1,3,0x7feef4be0100,64,0 1,4,0x7feef5a2f000,4096,0 \
		1,5,0x7feee0000000,8192,1
	check "a buffer far away from the page is named" 0 \
		"The page begins $((0x7feef7000000 - 0x7feef5a30000)) bytes past the end of buffer 4 of 4096 bytes." \
		core --batch -nx fault
	python3 -B "${make[@]}" fault $((4592 - 4960)) 0x7feef7000000 \
		1,4,0x7feef5a2f000,4096,0 1,5,0x7feef6fff000,8192,1
	check "or one that was there" 0 \
		"The page begins 4096 bytes into buffer 5 of 8192 bytes, which the program has released." \
		core --batch -nx fault
	python3 -B "${make[@]}" fault $((4592 - 4960)) 0x1000 \
		1,4,0x7feef5a2f000,4096,0
	"$tool" core --batch -nx fault >said
	grep -q 'The page begins' said && result "not ok" "but for one that has nothing to do with it" ||
		result ok "but for one that has nothing to do with it"
	rm -f fault wanted rewritten empty
}

# named PATH: makes a core file whose lines name that path, of 11 bytes; the module keeps
# its name, so that nobody has brought that text.
named() {
	python3 - "$core" named "$1" <<-'END'
		import sys
		module, *rest = open(sys.argv[1], "rb").read().split(b"launch_1.cl")
		with open(sys.argv[2], "wb") as out:
		    out.write(module + b"launch_1.cl" + sys.argv[3].encode().join(rest))
	END
}

# To open what is no file may do something: a watchdog runs from then on.
sources() {
	local folder opens=(python3 "$top/tools/gtdbgctl/tests/opens.py")

	folder=$(mktemp -d /tmp/XXXX)
	named "$folder/p"
	seq 100 200 >"$folder/p"
	check "lines of a file that they name" 0 $'80\t179\n81\t180' core --batch \
		-nx -ex 'list 80,81' named
	"${opens[@]}" "$folder/p" "$tool" core --batch -nx named >said 2>&1
	holds "which it opens" $? = 1
	rm "$folder/p"
	mkfifo "$folder/p"
	"${opens[@]}" "$folder/p" "$tool" core --batch -nx named >said 2>&1
	holds "and not if it is a pipe" "$? $(grep -c 'Thread 2.1:0, share' said)" = "0 1"
	rm -r "$folder" named
}

# Kernels whose code ends where addresses end, in the middle of a step: lines are looked for
# there, and no further.
high() {
	python3 - "$core" high <<-'END'
		import re, struct, sys
		data = bytearray(open(sys.argv[1], "rb").read())
		for elf in list(re.finditer(b"\x7fELF", data))[1:]:
		    # The section behind that of the names.
		    text = elf.start() + struct.unpack_from("<Q", data, elf.start() + 40)[0] + 128
		    length = struct.unpack_from("<Q", data, text + 32)[0] - 4
		    struct.pack_into("<Q", data, text + 32, length)
		    struct.pack_into("<Q", data, text + 16, (1 << 64) - 1 - length)
		with open(sys.argv[2], "wb") as out:
		    out.write(data)
	END
	timeout 600 "$tool" core --batch -nx -ex 'gcore higher' high >said 2>&1
	holds "code at the end of addresses" "$? $(grep -c 'Saved core file' said)" = "0 1"
	rm -f high higher
}

# takes NAME STATUS PID FILE: does a core file of that process get the file?
takes() {
	"$(dirname "$tool")/tests/source_file" "$3" "$4" >said
	holds "$1" "$? $(cat said)" = "$2 $([ "$2" = 1 ] || echo text)"
}

# Paths lead where they do for the program, which has another folder there.
contained() {
	local pid deadline=$((SECONDS + 600))

	unshare --mount sh -c 'mount -t tmpfs none room && echo text >room/inside &&
		exec sleep 1000' &
	pid=$!
	until grep -q sleep /proc/$pid/comm || [ $SECONDS -ge $deadline ]; do
		sleep 0.05
	done
	takes "a file of a program in a container" 0 $pid "$1/room/inside"
	takes "and none around it" 1 $pid "$1/room/notes"
	kill $pid
}

# Root's tool and a user's program: what that could not read is not for who gets the file.
taken() {
	local pid deadline=$((SECONDS + 600)) here

	if [ "$(id -u)" != 0 ]; then
		result ok "what another user's program can read # SKIP only root can do so"
		return
	fi
	setpriv --reuid 12345 --regid 12345 --clear-groups sleep 1000 &
	pid=$!
	until grep -q '^Uid:.12345' /proc/$pid/status || [ $SECONDS -ge $deadline ]; do
		sleep 0.05
	done
	here=$(pwd -P)
	mkdir room room/open
	echo text | tee room/notes own others group >room/open/notes
	ln -s . way
	chmod 755 . room/open
	chmod 644 room/notes room/open/notes others
	chmod 750 room
	chmod 600 own
	chmod 604 group
	chown 12345 own
	chown 12346 others
	chgrp 12345 group
	takes "a file of the program's user" 0 $pid "$here/own"
	takes "not another user's" 1 $pid "$here/others"
	takes "nor what is not for its group" 1 $pid "$here/group"
	takes "nor what is in a folder that is closed to it" 1 $pid "$here/room/notes"
	takes "but not to root's program" 0 $$ "$here/room/notes"
	takes "nothing through a link" 1 $$ "$here/way/room/notes"
	cd room/open || exit 1
	takes "nor from where the tool stands" 1 $pid notes
	takes "by any name" 1 $pid /proc/self/cwd/notes
	takes "but from where the program does" 0 $pid own
	cd ../.. || exit 1
	kill $pid
	contained "$here"
	chmod 700 .
	rm -r room own others group way
}

# What is lost is said, and a terminal gets no control character of a name.
outputs() {
	local said

	said=$("$tool" version 2>&1 >/dev/full)
	if [ $? -eq 1 ] && [[ $said == *"standard output: No space"* ]]; then
		result ok "output that is lost fails"
	else
		result "not ok" "output that is lost fails"
	fi
	# shellcheck disable=SC2016 # they are the other shell's
	said=$(tool=$tool name=$'/none/a\e\xc2\x9bb\e[\xc2\x9dc' \
		script -qec '"$tool" core -nx "$name"' /dev/null)
	if [[ $said == *"^["* && $said != *$'\xc2\x9b'* && $said != *$'\xc2\x9d'* ]]; then
		result ok "a name has no control characters behind an escape"
	else
		cat -v <<<"$said" | sed 's/^/# /'
		result "not ok" "a name has no control characters behind an escape"
	fi
}

echo "TAP version 13"
if ! tar -C "$work" -xJf "$top/libgtdbg/tests/fuzz/core.tar.xz" share.core; then
	echo "not ok 1 - the core file cannot be unpacked"
	exit 1
fi
look
words
arithmetic
code
numbers
printing
apply
write
refuse
killed
stumbles
choose
twice
part_shown
damage
compressed
readable
faulty
sources
high
taken
colours
interrupt
bodies
scripts
drop
outputs
check "gcore needs a process" 2 'usage: gtdbgctl gcore' gcore
check "and knows its options" 2 'usage: gtdbgctl gcore' gcore --memory=x 1
for seconds in "" -1 +1 1s 86401; do
	check "it waits for no '$seconds' seconds" 2 'usage: gtdbgctl gcore' \
		gcore --wait=$seconds 1
done
finish
