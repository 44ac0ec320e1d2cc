#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Intel's gdb, as it is, on stock programs. What is expected of values follows from
# the programs: in[i] is i + 100. gdb's own text is looked at only where it says
# that something has happened, or in README.
# usage: gdb.sh [SESSION...]; the variable GTDBG_TEST_SIP: under which of the system routines, as
# --sip has it
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/programs.cl
readme=$(dirname "$0")/../../../README.md
every=$(dirname "$0")/every.cl
routine=(${GTDBG_TEST_SIP:+"--sip=$GTDBG_TEST_SIP"})
# Whatever arguments kernels have, which follow.
each=("$launch" --options "-cl-std=CL2.0 -cl-kernel-arg-info" --each
	"$every")

# gdb_session COMMAND... [--OPTION...] -- PROGRAM...: shows each command in the output
gdb_session() {
	commands=()
	while [[ $1 != --* ]]; do
		commands+=("echo (gtdbg) $1\\n" "$1")
		shift
	done
	session gdb -nx -batch "${routine[@]}" "$@"
}

# gdb_ends NAME: with 0; or gdb has seen the program's end before that of its GPU, and the
# server has gone when it lets go of it: which one it looks at first is left to chance.
gdb_ends() {
	if [ "$status" -eq 1 ] && [ "${lines[-1]}" = "Remote connection closed" ] &&
		printf '%s\n' "${lines[@]}" |
		grep -q '^\[Inferior 1 .* exited normally\]'; then
		status=0
	fi
	ends_with "$1" 0
}

# Which thread comes first, where memory is and how wide a column is differ. So
# does whether the compiler still knows "in", which is not used any more there.
comparable() {
	sed -E 's/\(in=[^,]*,/(in=0x,/; s/0x[0-9a-f]+/0x/g; s/^Thread 2\.[0-9]+ /Thread 2.1 /; s/ +/ /g'
}

# The transcript in README, whose program is demo/compute.
transcript() {
	local text words=() expected

	text=$(sed -n '/^\$ INTEL_GDB/,/^```$/p' "$readme" | grep -v '^```$')
	mapfile -t words < <(sed -n 's/^(gdb) //p' <<<"$text")
	mapfile -t expected < <(sed '1d; /^(gdb) /d' <<<"$text" | comparable)
	gdb_session "${words[@]}" 'inferior 1' continue \
		-- "$BUILD/demo/compute"
	mapfile -t lines < <(printf '%s\n' "${lines[@]}" | comparable)
	[ ${#expected[@]} -gt 5 ] || result "not ok" "README has a transcript"
	for line in "${expected[@]}"; do
		sees "README: $line" "$line"
	done
	sees "the program's results" "$(results)"
	gdb_ends "its status"
}

# In one thread: of a launch with more this gdb may show another one behind a step
# (Documentation/gdb.rst).
frames() {
	gdb_session 'break launch_1.cl:19' continue 'thread 2.1:3' \
		'print item' 'print s.member == item + 100' 'print s.ratio' \
		'print in[item]' 'x/2dw in' \
		'set var s.member = 1000' 'print s.member' delete stepi step bt \
		'print by' up 'print s.member' 'print item' \
		'inferior 1' continue -- "$launch" "$kernels" call 8
	sees "a breakpoint in a kernel" "hit Breakpoint"
	sees "the source that the runtime has compiled" \
		"int result = twice(s, 10);"
	answers "an item's number" 'print item' ' = 3'
	answers "a struct" 'print s.member == item + 100' ' = 1'
	answers "a float" 'print s.ratio' ' = 0.5'
	answers "memory" 'print in[item]' ' = 103'
	answers "memory by address" 'x/2dw in' $'\t100\t101'
	answers "a variable is changed" 'print s.member' ' = 1000'
	sees "a step into a function" "twice (p="
	sees "its caller" "#1  0x"
	answers "an argument" 'print by' ' = 10'
	answers "the caller's variable" 'print s.member' ' = 1000'
	answers "in the same lane" 'print item' ' = 3'
	sees "the program's results" "130 131 132 1030 134"
	gdb_ends "status"
}

# kind NAME EXPRESSION TEXT: adds what gdb is to answer
kind() {
	asked+=("print $2")
	kinds+=("$1" "print $2" "$3")
}

# line_of PATTERN: in the file with all kinds of variables
line_of() {
	grep -n "$1" "$every" | cut -d: -f1
}

# Numbers of each type, arrays, structs, and pointers to each kind of memory; of local memory this
# gdb knows nothing (Documentation/gdb.rst).
variables() {
	local asked=() kinds=() i

	kind "a char" c ' = -3 '
	kind "an unsigned char" uc ' = 252 '
	kind "a short" s ' = -302'
	kind "an unsigned short" us ' = 60002'
	kind "an int" i ' = -70002'
	kind "an unsigned int" u ' = 4000000002'
	kind "a float" f ' = 2.5'
	kind "a size" place ' = 2'
	kind "an array" list ' = {7, 2, 9}'
	kind "an array of structs" 'pairs[1]' ' = {member = 3, ratio = 1.5}'
	kind "a union" number ' = {real = 3.5, bits = 1080033280, halves = {0, 16480}}'
	kind "an enum" colour ' = BLUE'
	kind "to a union" 'n->bits' ' = 1080033280'
	kind "a pointer to private memory" '*p' ' = 2'
	kind "with an index" 'p[1]' ' = 9'
	kind "to a struct" 'q->ratio' ' = 1.5'
	kind "to constant memory" '*k' ' = 6'
	kind "to global memory" '*g' ' = 102'
	kind "an array of the program's" table ' = {5, 6, 7}'
	kind "local memory" shared ' = <optimized out>'
	kind "an argument" 'in[item]' ' = 102'
	kind "a register" '$pc != 0' ' = 1'
	gdb_session "break launch_1.cl:$(line_of '^  \*g = ')" \
		continue 'thread 2.1:2' "${asked[@]}" delete 'inferior 1' \
		continue -- "${each[@]}" every
	for ((i = 0; i < ${#kinds[@]}; i += 3)); do
		answers "${kinds[@]:i:3}"
	done
	gdb_ends "status of a program with all kinds of variables"
}

# Two kernels of a program, each with several lines and one with a call.
lines() {
	gdb_session 'tbreak scaled' continue bt finish next 'thread 2.1:3' \
		'print result' 'tbreak second' continue next next next \
		'print twofold' 'info registers' 'inferior 1' continue \
		-- "${each[@]}" every,second
	sees "a function's name is a place" "scaled (from="
	answers "it has a caller" bt '#0  scaled (from='
	answers "finish ends the call" finish 'in every (in='
	sees "with a value" "Value returned is"
	answers "next goes to the next line" next '*g = result + c'
	answers "each lane has its result" 'print result' ' = 35'
	sees "another kernel stops" "second (in="
	sees "next goes through its lines" "int item = get_global_id(0);"
	sees "one by one" "int twofold = in[item] * 2;"
	answers "which have computed" 'print twofold' ' = 200'
	sees "registers" "cr0 "
	sees "both kernels end" "second: 0"
	gdb_ends "status of a program with two kernels"
}

# A program on two GPUs, one after the other, each of which is an inferior. At the render node
# the runtime has one only.
several() {
	local -x CreateMultipleRootDevices=2

	if [ "${VGT_DOOR-}" != socket ]; then
		result ok "a program on two GPUs # SKIP it takes VGT_DOOR=socket"
		return
	fi
	gdb_session 'info inferiors' 'break launch_1.cl:47' continue \
		'print $_inferior' 'print value' 'thread 2.1:9' 'print value' \
		continue 'print $_inferior' 'thread 3.1:15' 'print value' \
		delete 'inferior 1' continue \
		-- "$launch" --devices "$kernels" sixteen 16
	sees "a GPU that the program has not used yet" " 3    device ["
	sees "the first one stops" "Thread 2.1 hit Breakpoint 2"
	answers "as an inferior" 'print $_inferior' ' = 2'
	answers "its values" 'print value' ' = 216'
	answers "in another lane, too" 'print value' ' = 218'
	sees "then the second one stops" "Thread 3.1 hit Breakpoint 2"
	answers "as another inferior" 'print $_inferior' ' = 3'
	answers "with its own values" 'print value' ' = 230'
	sees "the program's results" "214 217 219 221"
	gdb_ends "status of a program with two GPUs"
}

# Ctrl-C while the kernel spins, once the program runs again: gdb is the parent of
# its shell. It interrupts both the program and the GPU, and shows one stop after
# the other.
spin() {
	local interrupt

	interrupt=$(mktemp)
	cat >"$interrupt" <<-'END'
		pid=$("$GTDBGCTL" list | sed -n 's/^process \([0-9]*\) .*/\1/p')
		while grep -q '^State:.*tracing stop' "/proc/$pid/status"; do
			sleep 0.1
		done
		kill -INT "$1"
	END
	gdb_session 'break launch_1.cl:69' continue delete \
		"shell bash $interrupt \$PPID >/dev/null 2>&1 &" continue \
		'info threads -stopped' 'thread 2.1:1' bt 'print in[1]' \
		'set var *(int *)in = 7' 'print *(int *)in' 'inferior 1' \
		continue continue -- "$launch" "$kernels" spin 8
	sees "a kernel that spins is stopped" "received signal SIGINT"
	sees "in the middle of it" "spin (in="
	answers "where" bt '#0  '
	answers "its input" 'print in[1]' ' = 101'
	answers "which is changed" 'print *(int *)in' ' = 7'
	sees "and lets it end" "101 101 101 101 101 101 101 101"
	gdb_ends "status of the program that spun"
	rm -f "$interrupt"
}

# The thread runs on, but is stopped near what it did. Under Intel's default routine no thread is.
fault() {
	[ "${GTDBG_TEST_SIP-}" != stock ] || return
	gdb_session 'break launch_1.cl:90' continue delete continue bt \
		'print in[1]' 'set var *(int *)in = 7' continue 'inferior 1' \
		continue -- "$launch" "$kernels" stray 8
	sees "a kernel that will go astray" "hit Breakpoint"
	sees "a page fault" "received signal SIGSEGV"
	answers "in its kernel" bt 'stray (in='
	answers "whose variables have values" 'print in[1]' ' = 101'
	sees "and which goes on" "101 101 101 101 101 101 101 101"
	gdb_ends "status of the program that went astray"
}

# A second debugger, several launches, and leaving the GPU; under Intel's system
# routine.
launches() {
	local second

	second=$(mktemp)
	cat >"$second" <<-'END'
		pid=$("$GTDBGCTL" list | sed -n 's/^process \([0-9]*\) .*/\1/p')
		"$GTDBGCTL" attach "$pid" </dev/null
	END
	gdb_session 'break launch_1.cl:39' continue "shell bash $second" \
		'continue 12' 'print small' 'print wide' delete detach \
		'inferior 1' continue --sip=stock \
		-- "$launch" --loop 3 "$kernels" kinds
	sees "the first launch" "hit Breakpoint"
	sees "a second debugger is refused" "debugs it already"
	sees "a later launch" "hit Breakpoint"
	answers "an unsigned char" 'print small' ' = 200'
	answers "a long" 'print wide' ' = -5000000000'
	sees "gdb leaves the GPU" "detached]"
	sees "results after that" "299 302 305 308"
	gdb_ends "status after that"
	rm -f "$second"
}

# The compiler's other system routine.
bindless() {
	gdb_session 'break launch_1.cl:39' continue 'print small' 'print wide' \
		'set var small = 7' stepi 'print small' delete 'inferior 1' \
		continue --sip=stock-bindless -- "$launch" "$kernels" kinds 8
	sees "a stop under the bindless system routine" "hit Breakpoint"
	answers "has an unsigned char" 'print small' ' = 200'
	answers "and a long" 'print wide' ' = -5000000000'
	answers "which a step leaves as it was changed" 'print small' ' = 7'
	sees "which is in the results" "106 302 305 308"
	gdb_ends "status under it"
}

# Of each frame of each lane: where it is, its arguments, and its variables.
# Addresses are others in each session.
stack_lines() {
	printf '%s\n' "${lines[@]}" | awk '
		/^\(gtdbg\) / { lane = $2 == "thread" ? $3 : lane; next }
		{ sub(/0x[0-9a-f]+ in /, ""); gsub(/0x[0-9a-f]+/, "0x") }
		/^#/ {
			frame = $1
			sub(/at .*\//, "at ")
			sub(/^#[0-9]+ +/, "")
			arguments = $0
			sub(/^[^(]*\(/, "", arguments)
			sub(/\) at .*/, "", arguments)
			sub(/\(.*\)/, "()")
			print lane, frame, $0
			count = split(arguments, argument, ", ")
			for (i = 1; i <= count; i++) {
				sub(/=/, " = ", argument[i])
				print lane, frame, argument[i]
			}
		}
		/^        [a-z]/ { print lane, frame, substr($0, 9) }' | sort -u
}

# symbols NAME LINE LANES COUNT WITHOUT PROGRAM...: both debuggers stop there, and say the
# same of at least COUNT frames, arguments and variables of each of these lanes. They share
# neither what reads the debug information, nor what unwinds, nor the way to registers
# and memory. What is not compared: variables that gtdbgctl says it does not know, and
# those named WITHOUT, which this gdb gets wrong (Documentation/gdb.rst), or which the
# program has not set yet: that differs between runs at the simulator's socket.
symbols() {
	local name=$1 line=$2 least=$4 without=$5 words=() ours different lanes lane

	read -ra lanes <<<"$3"
	shift 5
	for lane in "${lanes[@]}"; do
		words+=("thread 2.1:$lane" 'backtrace -full')
	done
	gdb_session "break launch_1.cl:$line" continue "${words[@]}" delete \
		'inferior 1' continue -- "$@"
	stack_lines >"$stacks/theirs"
	commands=("break $line" run "${words[@]}" delete continue)
	session run --batch -nx -- "$@"
	ours=$(stack_lines | grep -vE "= <| ($without) = ")
	different=$(grep -vxF -f "$stacks/theirs" <<<"$ours")
	if [ -z "$different" ] &&
		[ "$(wc -l <<<"$ours")" -ge $((${#lanes[@]} * least)) ]; then
		result ok "$name"
	else
		printf '# %s\n' "$(wc -l <<<"$ours") lines, of which gdb does not have" "$different"
		sed 's/^/# gdb: /' "$stacks/theirs"
		result "not ok" "$name"
	fi
}

compare() {
	local optimized loops stacks statement all="0 1 2 3 4 5 6 7"

	optimized=$(dirname "$0")/../../../libgtdbg/tests/inlined.cl
	loops=$(dirname "$0")/../../../selftests/eu/kernels/kernels.cl
	statement=$(line_of '^  \*g = ')
	stacks=$(mktemp -d)
	symbols "a function, a struct and an array" 11 "$all" 8 result \
		"$launch" "$kernels" call 8
	symbols "functions that call functions" 53 "$all" 9 'sum|result' \
		"$launch" "$kernels" levels 8
	symbols "numbers of several sizes" 39 "$all" 4 v \
		"$launch" "$kernels" kinds 8
	symbols "a group of two dimensions" 30 "0 1 2 3" 7 shared \
		"$launch" "$kernels" tile 2 2 2
	symbols "the upper lanes, which have diverged" 47 "8 9 14 15" 4 in \
		"$launch" "$kernels" sixteen 16
	symbols "a union and an enum, and each kind of number" "$statement" "$all" 20 \
		'shared|m|room|table' "${each[@]}" every
	symbols "beside local memory" 85 "$all" 5 'both|mine|row|total|other' \
		"$launch" "$kernels" share 8
	symbols "a case of a switch in a loop" 45 "0 4" 6 none \
		"$launch" "$loops" diverge 8
	GTDBG_OPTIMIZE=1 symbols "functions that were merged" 5 \
		"16 17 18 19 20 21 22 31" 4 none \
		"$launch" "$optimized" inlined 32
	rm -rf "$stacks"
}

# attached COMMAND...: a session on the program that runs
attached() {
	commands=()
	for command in "$@"; do
		commands+=("echo (gtdbg) $command\\n" "$command")
	done
	session gdb -nx -batch -p "$pid"
}

# A program of our own that has a kernel: its number in $pid.
late_program() {
	local starter

	"$tool" run --attachable "${routine[@]}" -- "$BUILD/demo/compute" 1000000 100 \
		>/dev/null 2>&1 &
	starter=$!
	while kill -0 $starter 2>/dev/null; do
		pid=$(pgrep -x -P $starter compute || pgrep -x compute | grep -x $starter) &&
			"$tool" attach --batch -ex 'info kernels' "$pid" \
				2>/dev/null | grep -q '^1 *compute' && return
		sleep 0.1
	done
	return 1
}

late_sessions() {
	attached 'break compute_1.cl:7' continue 'print point == index + 100' \
		'list 7,7' delete detach 'inferior 1' detach
	sees "a program that runs is attached to" "hit Breakpoint"
	answers "its variables have values" 'print point == index + 100' ' = 1'
	answers "its source is there" 'list 7,7' 'point = -1;'
	sees "its GPU is left" "detached]"
	sees "and so is the program" "detached]"
	ends_with "the status of all that" 0
	attached 'break compute_1.cl:7' continue \
		"shell pkill -9 -f -- '--attach - $pid\$'" 'info threads' </dev/null
	sees "it has run on, and is attached to again" "hit Breakpoint"
	if pgrep -f -- "--attach - $pid\$" >/dev/null; then
		result "not ok" "the server is killed"
	else
		result ok "the server is killed"
	fi
	commands=('break 7' continue 'print point == index + 100' delete kill)
	session attach --batch -nx "$pid"
	sees "without it, too, the program runs on" "hit Breakpoint"
	sees "and can be debugged" "= 1"
}

# Of a program that runs already, gdb sees a launch, leaves, and another one comes. The
# second one's server is killed, which does that gdb no good; the program runs on.
late() {
	if late_program; then
		result ok "a program runs"
		late_sessions
	else
		result "not ok" "a program runs"
	fi
	[ -z "$pid" ] || kill "$pid" 2>/dev/null
	wait
}

without_gpu() {
	gdb_session -- true
	sees "a program that uses no GPU" "ended without a GPU"
	ends_with "is no failure" 0
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
[ -x "${INTEL_GDB:-}/gdb" ] && [ -x "$INTEL_GDB/gdbserver-ze" ] ||
	skip "INTEL_GDB names no folder with Intel's gdb and gdbserver-ze"
# Names of some sessions may be given. Beside the driver of the machine's GPU gdb attaches alone.
sessions=(transcript frames variables lines several spin fault launches bindless compare late
	without_gpu)
[ -z "$is_gpu" ] || sessions=(late)
[ $# -eq 0 ] || sessions=("$@")
for name in "${sessions[@]}"; do
	"$name"
done
finish
