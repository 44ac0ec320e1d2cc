#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Watchpoints: what changes a value, at the very instruction. Values are those that
# watch.cl's text gives; instructions, those at which the value changes when the same
# program is stepped by instructions.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/watch.cl
programs=$(dirname "$0")/programs.cl
results='311 314 317 320 323 326 329 332'
writer= # of the first change of sum, as a place in the kernel

# changes OLD NEW LINE: a hit with these values, and the writer's line
changes() {
	sees "a change is seen" "Old value = $1"
	[ "${lines[at]}" = "New value = $2" ] &&
		result ok "from $1 to $2" || result "not ok" "from $1 to $2: ${lines[at]}"
	sees "it has its line" "(launch_1.cl:$3)"
}

# Item 5 adds 105, 106 and, after a round without, 108; then 7.
variable() {
	commands=('tbreak 12 if item == 5' run 'watch sum' continue 'print i' 'print sum'
		continue 'print i' continue 'print i' 'info watchpoints'
		continue continue)
	session run --batch -- "$launch" "$kernels" track 8
	answers "a variable can be watched" 'watch sum' "Watchpoint 2: sum (thread 2.1:5)"
	sees "it says who" "Thread 2.1:5 hit Watchpoint 2: sum"
	changes 0 105 14
	writer=$(grep -o '<track+[0-9]*>' <<<"${lines[at - 1]}")
	answers "in the first round" 'print i' '$1 = 0'
	answers "it has the new value" 'print sum' '$2 = 105'
	changes 105 211 14
	answers "in the second one" 'print i' '$3 = 1'
	changes 211 319 14
	answers "not in the third one" 'print i' '$4 = 3'
	sees "it is listed" "watchpoint keep y   sum"
	sees "with what it costs" "of them to see what was written"
	sees "and its hits" "already hit 3 times"
	changes 319 326 15
	sees "it goes with the thread" "Watchpoint 2 deleted because thread 2.1 ends: sum"
	sees "nothing else changes" "$results"
	ends_with "status" 0
}

# Step by step in the line of the first change, until the value is another one.
instruction() {
	local line place='' reference=''

	commands=('tbreak 14 if item == 5' run 'info symbol $pc')
	for ((i = 0; i < 30; i++)); do
		commands+=(stepi 'output sum' 'info symbol $pc')
	done
	session run --batch -- "$launch" "$kernels" track 8
	for line in "${lines[@]}"; do
		[[ $line != *"(gtdbg) output"* ]] || continue
		[[ $line != 105* ]] || { reference=$place; break; }
		case $line in
		*"track + "*) place="<track+$(sed 's/.*+ \([0-9]*\).*/\1/' <<<"$line")>" ;;
		esac
	done
	[ -n "$reference" ] && [ "$reference" = "$writer" ] &&
		result ok "the instruction is the one" ||
		result "not ok" "the instruction is $reference, not $writer"
}

# A function's variable is watched until it returns.
scope() {
	commands=('break 4' run 'watch total' 'watch total' continue continue
		'info breakpoints'
		delete continue)
	session run --batch -- "$launch" "$kernels" track 8
	answers "a called function's variable" 'watch total' "Watchpoint 2: total"
	sees "another one of it" "Watchpoint 3: total"
	sees "is hit as well" "hit Watchpoint 3: total"
	changes 304 311 4
	sees "by what the first one is" "hit Watchpoint 2: total"
	changes 304 311 4
	sees "each ends" "Watchpoint 3 deleted because the program has left"
	sees "it ends with the function" "Watchpoint 2 deleted because the program has left"
	sees "in its caller" "launch_1.cl:15"
	answers "and is no more" 'info breakpoints' "Num     Type"
	sees "but the breakpoint" "1       breakpoint keep y"
	[[ ${lines[at]} != *watchpoint* ]] && result ok "alone" ||
		result "not ok" "alone"
	sees "calls go on" "$results"
}

conditions() {
	commands=('tbreak 12 if item == 5' run 'watch' 'watch 5' 'watch -t 2.600 sum'
		'watch sum if i == 3' 'info breakpoints' continue
		'info breakpoints' 'disable 2' continue)
	session run --batch -- "$launch" "$kernels" track 8
	answers "an expression is needed" watch "Argument required"
	answers "no constant" 'watch 5' "Cannot watch constant value"
	answers "nor a thread that runs" 'watch -t 2.600 sum' "Thread 2.600 is not stopped."
	sees "a condition is listed" "stop only if i == 3 (on the host)"
	changes 211 319 14
	sees "only who meets it counts" "already hit 1 time"
	sees "one that is disabled stops no one" "deleted because thread 2.1 ends: sum"
	sees "the program goes on" "$results"
}

# As of a breakpoint.
unanswered() {
	commands=('tbreak 12 if item == 5' run 'watch sum if nothing' continue delete
		continue)
	session run --batch -- "$launch" "$kernels" track 8
	sees "a condition without an answer is told" \
		"Error in testing condition for watchpoint 2:"
	[ "${lines[at]}" = 'No symbol "nothing" in current context.' ] &&
		result ok "with the reason" || result "not ok" "with the reason: ${lines[at]}"
	changes 0 105 14
	sees "the program goes on" "$results"
}

# Local memory has no addresses that name lanes.
groups() {
	commands=('break 78' run 'watch -l row[3]' continue 'delete 2'
		'watch total' continue delete continue)
	session run --batch -- "$launch" "$programs" share 8
	answers "local memory is watched in a thread" 'watch -l row[3]' \
		"Watchpoint 2: row[3] (thread 2.1:0)"
	sees "an element" "New value = 103"
	sees "has its line" "(launch_1.cl:78)"
	answers "and a variable" 'watch total' "Watchpoint 3: total"
	sees "has its value" "New value = 1000"
	sees "and its line" "(launch_1.cl:80)"
	sees "nothing else" "1184 1183 1182 1181 1180 1179 1178 1177 108"
}

# All threads that may write it: the break lets none past that comes late. In which order
# they come is not known, but who adds what.
shared() {
	local line item hits='' old=0 new=0

	commands=('break 24' run 'watch -l out[0]' 'clear 20')
	for ((i = 0; i < 8; i++)); do
		commands+=(continue 'output item')
	done
	session run --batch -- "$launch" "$kernels" meet 24
	answers "memory is watched in all threads" 'watch -l out[0]' \
		"Watchpoint 2: out[0] (all threads)"
	answers "and is at no line" 'clear 20' 'No breakpoint at 20.'
	for line in "${lines[@]}"; do
		case $line in
		"Old value = "*) old=${line#*= } ;;
		"New value = "*) new=${line#*= } ;;
		"(gtdbg) output item"*) ;;
		[0-9]*"(gtdbg)"*)
			item=${line%%"("*}
			[ "$new" != "$old" ] || continue
			[ $((new - old)) -eq $((10 * item)) ] || item=wrong
			hits+="$item "
			old=$new ;;
		esac
	done
	hits=$(tr ' ' '\n' <<<"$hits" | sort -n | xargs)
	[ "$hits" = "3 10 17" ] && result ok "each is seen that writes" ||
		result "not ok" "each is seen that writes: $hits"
}

# Threads that write next to each other at the same time: what one has written, others
# see as well. The break lets none past, as above.
crowd() {
	local items=(5 13 21 37 61) item values wanted=''

	commands=('break 12' run)
	for item in "${items[@]}"; do
		commands+=("watch -l out[$item]")
		wanted+="$((3 * (item + 100) + 11)) "
	done
	for ((i = 0; i < 13; i++)); do
		commands+=(continue)
	done
	session run --batch -- "$launch" "$kernels" track 64
	values=$(printf '%s\n' "${lines[@]}" | sed -n 's/^New value = //p' | sort -n | xargs)
	[ "$values " = "$wanted" ] && result ok "each of a crowd is seen" ||
		result "not ok" "each of a crowd is seen: $values, not $wanted"
}

# Item 3 alone reads its element, in three rounds, and each stop is before what it adds.
reads() {
	local i sums=(0 103 207)

	commands=('break 12' run 'rwatch -l in[3]' 'awatch -l out[3]' 'delete 1')
	for ((i = 0; i < 3; i++)); do
		commands+=(continue 'print item' 'print sum')
	done
	commands+=('delete 2' continue 'info watchpoints' continue)
	session run --batch -- "$launch" "$kernels" track 24
	answers "reads are watched" 'rwatch -l in[3]' "Read watchpoint 2: in[3] (all threads)"
	answers "accesses are" 'awatch -l out[3]' "Access watchpoint 3: out[3] (all threads)"
	for ((i = 0; i < 3; i++)); do
		sees "a read is seen" "hit Read watchpoint 2: in[3]"
		sees "with the value" "Value = 103"
		sees "and who has read" "> (launch_1.cl:14) of lane 3: "
		answers "it is the item's own" 'print item' "= 3"
		answers "before it adds that" 'print sum' "= ${sums[i]}"
	done
	sees "a change is an access" "hit Access watchpoint 3: out[3]"
	changes 103 320 16
	sees "it is listed" "acc watch  keep y   out[3]"
	sees "nothing else changes" "$results"
}

# What an atomic operation reads and changes is one access, also where it is ignored.
atomics() {
	commands=('break 24' run 'awatch -l out[0]' 'ignore 2 1' 'delete 1' continue
		'info watchpoints' 'delete 2' continue)
	session run --batch -- "$launch" "$kernels" meet 24
	sees "an atomic operation is seen" "hit Access watchpoint 2: out[0]"
	[[ ${lines[at + 1]} == "Old value = "[1-9]* ]] && result ok "as a change" ||
		result "not ok" "as a change: ${lines[at + 1]}"
	sees "the first one was ignored" "already hit 2 times"
	sees "the program goes on" "400 101 102"
}

# Two lanes read and write what is watched with one message: the condition may be that of
# either.
lanes() {
	commands=('break 12' run 'rwatch -l *(long *)&in[4] if item == 5'
		'watch -l *(long *)&out[4] if item == 5' 'delete 1' continue
		'print item' 'delete 2' continue 'print item' continue)
	session run --batch -- "$launch" "$kernels" track 8
	sees "a read by the second of two lanes" "Thread 2.1:5 hit Read watchpoint 2: "
	sees "with what both have read" "Value = 450971566184"
	sees "and who has" "> (launch_1.cl:14) of lane 4, 5: "
	answers "the one that was asked for" 'print item' "= 5"
	sees "a write" "Thread 2.1:5 hit Watchpoint 3: "
	changes 450971566184 1400159338819 16
	answers "by the same" 'print item' "= 5"
	sees "the program goes on" "$results"
}

# Where an instruction that has changed something leads to, there may be breakpoints: the stop
# is for all of them. Of breakpoints at one place the first says the lane.
also() {
	commands=('tbreak 12 if item == 5' 'break 12 if item == 3' run 'delete 2' 'watch sum'
		continue 'tbreak *$pc' 'break *$pc' continue 'info breakpoints' 'delete 5'
		continue continue continue)
	session run --batch -- "$launch" "$kernels" track 8
	sees "two are hit at once" \
		"Thread 2.1:5 hit Temporary breakpoint 1, Breakpoint 2, track ("
	changes 0 105 14
	changes 105 211 14
	sees "and others with a watchpoint" \
		"Thread 2.1:5 hit Temporary breakpoint 4, Breakpoint 5, track ("
	sees "one of them stays" "5       breakpoint keep y"
	sees "and counts" "already hit 1 time"
	[[ ${lines[*]} != *"4       breakpoint del"* ]] && result ok "and one does not" ||
		result "not ok" "and one does not"
	changes 211 319 14
	sees "the program goes on" "$results"
}

# late OPTION...: the steps that it took to see what is written late
late() {
	commands=('break 60' run 'watch -l out[8]' 'delete 1' continue 'print i' 'print item'
		'delete 2' continue)
	session run --batch "$@" -- "$launch" "$kernels" late 8
	sees "what is written late is seen" "New value = 150"
	sees "in its line" "(launch_1.cl:63)"
	steps=$(printf '%s\n' "${lines[@]}" | sed -n 's/^Cost: \([0-9]*\) step.*/\1/p')
	answers "in its round" 'print i' '= 150'
	answers "by the item" 'print item' '= 3'
	sees "the program goes on" "196 197 198 199 196 197 198 199 150"
}

# Writes elsewhere, of which there are three a round, are passed by on the EU, as Intel's
# system routine cannot: that takes minutes.
elsewhere() {
	local steps

	late
	[ "${steps:-999}" -le 20 ] && result ok "no other write costs a stop" ||
		result "not ok" "no other write costs a stop: ${steps:-no} steps"
	[ -n "${GTDBG_TEST_SOAK-}" ] && [ -z "$is_gpu" ] || return
	late --sip=stock
	[ "${steps:-0}" -gt 300 ] && result ok "or each of them" ||
		result "not ok" "or each of them: ${steps:-no} steps"
}

# What another thread writes while the user looks at a hit is not passed by, where that is
# watched from then on. The break lets none past that comes late.
added() {
	local script

	script=$(mktemp)
	printf '%s\n' 'break 71' run 'watch -l out[40]' 'commands 2' 'shell sleep 1' \
		'watch -l out[60]' 'set var out[50] = 1' end continue continue continue continue delete continue >"$script"
	commands=("source $script")
	session run --batch -- "$launch" "$kernels" apart 24
	rm "$script"
	sees "a thread's write is seen" "hit Watchpoint 2: out[40]"
	sees "with its value" "New value = 103"
	sees "a place that another one writes is watched then" "Watchpoint 3: out[60] (all threads)"
	sees "which is seen, and by whom" ":4 hit Watchpoint 3: out[60]"
	sees "what is written" "New value = 120"
	sees "the program goes on" "0 1 2 3 4 5 6 7 8"
}

# matches NAME HITS RESULT ARGUMENT...: what was said is what watch_log.py finds in vgt's own
# log, and the program got to its end
matches() {
	local base

	base=$(printf '%s\n' "${lines[@]}" |
		grep -m 1 -A 1 -F "(gtdbg) print &" | grep -o '0x[0-9a-f]*$')
	printf '%s\n' "${lines[@]}" | python3 -B "$(dirname "$0")/watch_log.py" \
		"$log" "${base:-0}" "$2" "${@:4}" &&
		result ok "$1" || result "not ok" "$1"
	sees "the launch ends" "$3"
}

# Over a whole launch no hit is lost, and none is made up: a program's writes are logged by
# its virtual GPU. The breaks let no thread past that comes late, which takes stops, too. Beside
# i915 the GPU has been started by somebody else, without a log.
logged() {
	local log i

	log=$(mktemp)
	export VGTD_OPTIONS="--check=writes --check-output=$log"
	commands=('break 33' run 'print &out[0]' 'watch -l *(long *)&out[4]')
	for ((i = 0; i < 15 + 3; i++)); do
		commands+=(continue 'print item')
	done
	session run --batch -- "$launch" "$kernels" record 24
	matches "all threads' writes are hits, and nothing else" 15 "3 103 203 305 " to 4 8
	: >"$log"
	commands=('break 47' run 'print &row[0]' 'watch -l row[4]')
	for ((i = 0; i < 6 + 1; i++)); do
		commands+=(continue 'print item')
	done
	session run --batch -- "$launch" "$kernels" keep 8
	matches "and those of a thread to local memory" 6 "3 105 203 303 106 " local 4 4
	unset VGTD_OPTIONS
	rm "$log"
}

# A thread that jumps straight to its last instruction is not seen to end: the next one of its
# slot is another one. The jump is written over code, as compilers make none.
jumps() {
	local line word from=0 to=0 at=0

	commands=('break 12' run disassemble)
	session run --batch -- "$launch" "$kernels" track 8
	for line in "${lines[@]}"; do
		[[ $line =~ ^(..)\ 0x[0-9a-f]+\ \<track\+([0-9]+)\>: ]] || continue
		[ "${BASH_REMATCH[1]}" != "=>" ] || from=${BASH_REMATCH[2]}
		[[ $line != *EOT* ]] || to=${BASH_REMATCH[2]}
	done
	commands=('break 12' run 'watch sum')
	for word in 0x80000020 0x00004000 0 $((to - from)); do
		commands+=("set var *(unsigned int *)(\$pc + $at) = $word")
		at=$((at + 4))
	done
	for ((at = 0; at < 15; at++)); do
		commands+=(continue)
	done
	commands+=('info watchpoints' delete continue)
	session run --batch -- "$launch" --loop 16 "$kernels" track 8
	sees "a thread ends by a jump" "Watchpoint 2 deleted because thread 2.1 ends: sum"
	sees "that is seen at the next one" "Thread 2.1:0 hit Breakpoint 1, "
	answers "which nothing is watched in" 'info watchpoints' "No watchpoints."
	sees "neither has written" "100 101 102 103 104 105 106 107 108"
}

# watching ITEMS CONTINUES [COMMAND]: a session that watches item 5's sum, in the background,
# with its output in $folder/output: to the end of the program, where nobody interferes.
# What COMMAND sets is there from the beginning
watching() {
	local words=() i

	printf '%s\n' 'tbreak 12 if item == 5' commands 'watch sum' \
		"shell touch $folder/watched" end "${@:3}" >"$folder/script"
	for ((i = 0; i < $2; i++)); do
		words+=(-ex continue)
	done
	rm -f "$folder/watched"
	"$tool" run --batch -ex "source $folder/script" -ex run "${words[@]}" -ex 'info breakpoints' -- \
		"$launch" "$kernels" track "$1" \
		>"$folder/output" 2>&1 </dev/null &
	session=$!
	until [ -e "$folder/watched" ] || [ -z "$(jobs -r)" ]; do
		sleep 0.1
	done
}

# What that session has printed up to its end is what is seen.
watched_end() {
	wait "$session"
	mapfile -t lines <"$folder/output"
	at=0
}

# interrupts_sent: to that session, at any moment, until it ends; no change is lost or repeated
interrupts_sent() {
	local values sent

	for ((sent = 0; sent < interrupts; sent++)); do
		sleep "0.$((RANDOM % 2))$((RANDOM % 10))"
		kill -INT "$session" 2>/dev/null || break
	done
	watched_end
	echo "# $sent interrupts, $(grep -c 'stopped: Interrupt' "$folder/output") stops"
	values=$(sed -n 's/^New value = //p' "$folder/output" | xargs)
	[ "$values" = "105 211 319 326" ] && result ok "interrupts change no hit" ||
		result "not ok" "interrupts change no hit: $values"
}

# Ctrl-C at any moment stops the thread where it is.
interrupted() {
	watching 8 $((2 * interrupts))
	interrupts_sent
	! sed '/^Watchpoint . deleted/,$d' "$folder/output" | grep "No GPU thread was running" &&
		result ok "each of them stops the thread" ||
		result "not ok" "each of them stops the thread"
	sees "the program goes on" "$results"
}

# Other threads stop meanwhile, wherever the one that is watched is, too: each of 32 is three
# times at a breakpoint.
others() {
	local hits

	watching 256 $((2 * interrupts + 100)) 'break 14'
	interrupts_sent
	hits=$(sed -n 's/.*breakpoint already hit \([0-9]*\) times.*/\1/p' "$folder/output")
	[ "$hits" = 96 ] && result ok "and no stop of others" ||
		result "not ok" "and no stop of others: $hits hits"
	sees "the program goes on" "$(seq -s ' ' 311 3 $((311 + 3 * 63)))"
}

# The debugger is gone at any moment: what it watched is as before.
left() {
	local words=() command pid='' i

	"$tool" run --attachable -- "$launch" --loop 100000000 "$kernels" track 8 \
		>/dev/null 2>&1 &
	until [ -n "$pid" ] || [ -z "$(jobs -r)" ]; do
		pid=$("$tool" list | sed -n 's/^process \([0-9]*\) (launch)$/\1/p')
		sleep 0.1
	done
	for command in 'tbreak 12 if item == 5' continue 'watch sum' \
		"shell touch $folder/watched" continue continue continue continue; do
		words+=(-ex "$command")
	done
	for ((i = 0; i < interrupts / 10; i++)); do
		rm -f "$folder/watched"
		"$tool" attach --batch "${words[@]}" "$pid" >"$folder/output" 2>&1 </dev/null &
		session=$!
		until [ -e "$folder/watched" ] || ! kill -0 "$session" 2>/dev/null; do
			sleep 0.1
		done
		sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
		kill -KILL "$session" 2>/dev/null
		wait "$session" 2>/dev/null
	done
	commands=('tbreak 16 if item == 3' continue 'print sum' detach)
	session attach --batch "$pid"
	answers "what was watched is let go with who watched" 'print sum' '= 320'
	kill "$pid"
	wait
}

# The program is gone, if it has not ended before.
dies() {
	watching 8 $((2 * interrupts))
	sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
	pkill -KILL -P "$session" -x launch
	watched_end
	if grep -q "exited normally" "$folder/output"; then
		sees "the program has ended" "$results"
	else
		sees "the end of a program that is watched is seen" "Program terminated with signal SIGKILL"
	fi
	sees "nothing else is to be done" "The program is not being run."
}

# What may come at any moment does so a few times, and often in the soak.
moments() {
	local interrupts=20 folder session i

	[ -z "${GTDBG_TEST_SOAK-}" ] || [ -n "$is_slow" ] || interrupts=200
	folder=$(mktemp -d)
	for ((i = 0; i < interrupts / 20; i++)); do
		interrupted
		others
		dies
	done
	left
	rm -r "$folder"
}

variable
[ -z "$is_slow" ] || { moments; finish; }
instruction
scope
conditions
unanswered
groups
shared
crowd
reads
atomics
lanes
also
elsewhere
added
[ -n "$is_gpu" ] || logged
jumps
moments
finish
