#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Stepping, conditions and counts, on the program of the demonstration.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

program=$BUILD/demo/compute

stepping() {
	commands=('tbreak compute' run next next 'print point'
		'info locals' stepi delete continue)
	session run --batch -- "$program"
	sees "a function's name is a place" "compute_1.cl:2"
	answers "next goes from line to line" next "3	  int point"
	answers "to the condition" next "4	  if (index"
	answers "in item 0" 'print point' '$1 = 100'
	sees "locals have their names" "index = 0"
	sees "a single instruction stays in the line" "4	  if (index"
	sees "stepping changes nothing" "$(results)"
	ends_with "status after stepping" 0
}

# How often is an expression; what is none moves nothing.
counted() {
	local wrong=('step 0' 'next n' 'stepi 1O' 'continue -1' 'continue abc' 'up x')

	commands=('tbreak compute' run "${wrong[@]}" 'next in[0] - 98' 'print point'
		continue)
	session run --batch -- "$program"
	answers "none is no count" 'step 0' 'A count is at least 1, and not 0.'
	answers "nor is what has no value" 'next n' 'No symbol "n" in current'
	answers "nor a slip" 'stepi 1O' "A syntax error in expression, near \`O'."
	answers "nor is there less" 'continue -1' 'A count is at least 1, and not -1.'
	answers "of hits" 'continue abc' 'No symbol "abc" in current'
	answers "of frames" 'up x' 'No symbol "x" in current'
	answers "a count is computed" 'next in[0] - 98' $'4\t  if (index'
	answers "that line is reached" 'print point' '= 100'
	sees "and nothing changes" "$(results)"
}

# The program is not run for that.
wording() {
	commands=('break 7  if index == 3' $'break 5\tif(index == 4)' 'break if(1)'
		'info breakpoints')
	session run --batch -- "$program"
	answers "blanks do not matter before if" 'break 7  if index == 3' \
		'Breakpoint 1 (7) pending; so is'
	answers "nor do they behind" $'break 5\tif(index == 4)' 'Breakpoint 2 (5) pending; so is'
	answers "alone it is no place" 'break if(1)' 'No default breakpoint location now.'
	sees "a condition is what is behind it" "stop only if index == 3"
	sees "with its parentheses" "stop only if (index == 4)"
}

# Either all of them or none.
ranges() {
	local line shown=

	commands=('break 5' 'break 6' 'break 7' 'break 8' 'break 9' 'delete 1 99 2'
		'disable 3 2x' 'delete 2-1' 'delete 7-9' 'delete -1' 'disable 2-3 5'
		'enable 3-4' 'delete 1 4-99 1' 'info breakpoints')
	session run --batch -- "$program"
	answers "one that is none" 'delete 1 99 2' 'No breakpoint number 99.'
	answers "a slip" 'disable 3 2x' "Bad breakpoint argument: '2x'"
	answers "no range" 'delete 2-1' "Bad breakpoint argument: '2-1'"
	answers "a range of none" 'delete 7-9' 'No breakpoint numbers 7-9.'
	answers "less than none" 'delete -1' "Bad breakpoint argument: '-1'"
	sees "these are listed" "Num     Type"
	for line in "${lines[@]:at}"; do
		[[ ! $line =~ ^([0-9])\ .*keep\ (.) ]] ||
			shown+="${BASH_REMATCH[1]}${BASH_REMATCH[2]} "
	done
	[ "$shown" = "2n 3y " ] && result ok "and have become what was asked for" ||
		result "not ok" "and have become what was asked for: $shown"
}

# Before its first use a variable has no value: it is not taken for 0.
unavailable() {
	commands=('break compute if point' run 'x point' 'break *point'
		'ignore 1 point' 'info symbol point' 'print in[0]@point' delete
		continue)
	session run --batch -- "$program"
	sees "a condition may have no value" "Error in testing condition for breakpoint 1:"
	sees "which is said" "value is not available: <not available yet>"
	sees "and stops" "hit Breakpoint 1, compute ("
	answers "it is no address" 'x point' 'value is not available: <not av'
	answers "nor one of code" 'break *point' 'value is not available: <not av'
	answers "nor a count" 'ignore 1 point' 'value is not available: <not av'
	answers "nor has it a symbol" 'info symbol point' 'value is not available: <not av'
	answers "nor elements" 'print in[0]@point' 'value is not available: <not av'
	sees "that changes nothing" "$(results)"
}

# steps NAME LINE... : those that stops and "next" have shown, one after the other
steps() {
	local name=$1 line shown=

	shift
	for line in "${lines[@]}"; do
		[[ $line != [0-9]*$'\t'* ]] || shown+="${line%%$'\t'*} "
	done
	[ "$shown" = "$* " ] && result ok "$name" ||
		result "not ok" "$name: $shown"
}

# An even item is at line 5, an odd one at 7, and a thread at each of them with the
# lanes that want it: a step is one lane's, and passes by what is others'.
branches() {
	commands=('break 4' run 'thread 2.1:1' delete next next 'print index' next
		continue)
	session run --batch -- "$program"
	steps "a lane steps through its own branch" 4 4 7 8 9
	answers "and stays current" 'print index' '$1 = 1'
	commands=('break 4' run delete 'print index' next next 'print index'
		'thread apply 3 4-5 8:7 stepi' thread
		'thread apply 3 4-5 8:7 info locals' continue)
	session run --batch -- "$program"
	answers "before the branches lane 0 is current" 'print index' '$1 = 0'
	sees "its branch is another one" $'5\t    point = point + 1000;'
	sees "behind the branches" $'8\t  out[index] = point;'
	sees "other threads can be stepped" "Thread 2.3:0 (0.0."
	sees "one by one" "Thread 2.8:7 (0.0."
	answers "where the user looks stays" thread '[Current thread is 2.1:0]'
	sees "each has its own items" "index = 16"
	sees "in the order that was asked for" "index = 24"
	sees "of a range" "index = 32"
	sees "or a lane" "index = 63"
	sees "steps through branches change nothing" "$(results)"
}

# Item x goes round eight times less x: it is one thread, which comes to line 4 eight times.
turns_kernel() {
	cat <<-'END'
		__kernel void turns(__global const int *in, __global int *out) {
		  int x = get_global_id(0), sum = 0;
		  for (int i = 0; i < 8 - x; i++) {
		    sum += in[x];
		    sum += i;
		  }
		  out[x] = sum + x;
		}
	END
}

# Lanes leave a loop one after the other; the one that was chosen is back behind it.
turns() {
	local kernels

	kernels=$(mktemp --suffix=.cl)
	turns_kernel >"$kernels"
	commands=('break 4' run 'thread 2.1:5' delete next 'print x' next next next next
		next 'print x + 20' continue)
	session run --batch -- "$BUILD/gtdbgctl/tests/launch" "$kernels" turns 8
	steps "a lane goes round a loop as often as it wants" 4 4 5 4 5 4 5 7
	answers "a lane that is chosen stays current in a loop" 'print x' '= 5'
	answers "and behind it" 'print x + 20' '= 25'
	sees "which changes nothing" "828 729 629 528 426 323 219 114"
	# What others are at is passed by instruction by instruction; not with a breakpoint there.
	commands=('break 4' run 'thread 2.1:7' next next next 'print x' next
		'print x + 20' delete 'advance 7' 'print x + 30' continue)
	session run --batch -- "$BUILD/gtdbgctl/tests/launch" "$kernels" turns 8
	answers "others come to a breakpoint meanwhile" 'print x' '= 0'
	answers "which is said" 'print x + 20' '= 20'
	answers "and it is that one's step then" 'print x + 30' '= 30'
	# Others have more rounds to go when it has none left.
	commands=('break 4' run 'thread 2.1:5' delete 'advance 5' 'until 5' 'advance 5'
		'print i' 'print x + 40' 'advance 5')
	session run --batch -- "$BUILD/gtdbgctl/tests/launch" "$kernels" turns 8
	rm -f "$kernels"
	answers "a lane is sent to a line round by round" 'print i' '= 2'
	answers "and is current there" 'print x + 40' '= 45'
	[[ "${lines[*]}" == *"(gtdbg) advance 5 [Inferior 1 "*" exited normally]"* ]] &&
		result ok "where only others come it does not stop" ||
		result "not ok" "where only others come it does not stop"
}

# Who counts what is ignored changes neither where it stops nor what is said of it.
counts() {
	local kernels where="the EU"

	[ -z "$host_decides" ] || where="the host"
	kernels=$(mktemp --suffix=.cl)
	turns_kernel >"$kernels"
	commands=('break 4' run 'ignore 1 4' 'info breakpoints' continue 'print i'
		'info breakpoints' 'continue 3' 'info breakpoints')
	session run --batch -- "$BUILD/gtdbgctl/tests/launch" "$kernels" turns 8
	sees "hits are ignored where it can be" "ignore next 4 hits (on $where)"
	answers "the next one stops" 'print i' '= 5'
	sees "all of them are counted" "already hit 6 times"
	sees "what was ignored gives the same results" \
		"828 729 629 528 426 323 219 114"
	sees "and is counted to the end" "already hit 8 times"
	commands=('break 4 if x == 2' 'info breakpoints' 'ignore 1 3' run 'print i'
		'break 4' 'ignore 1 1' 'info breakpoints' continue continue
		'print i + 10' 'info breakpoints' delete continue)
	session run --batch -- "$BUILD/gtdbgctl/tests/launch" "$kernels" turns 8
	rm -f "$kernels"
	if printf '%s\n' "${lines[@]}" | grep -qx $'\tstop only if x == 2'; then
		result ok "who decides is not known before"
	else
		printf '# %s\n' "${lines[@]}"
		result "not ok" "who decides is not known before"
	fi
	answers "of those that meet a condition" 'print i' '= 3'
	sees "the host decides for two" "x == 2 (on the host: breakpoint 2 is there as well)"
	sees "with another breakpoint there" "ignore next 1 hit (on the host)"
	answers "the host counts" 'print i + 10' '= 15'
	sees "for one of them" "already hit 6 times"
	sees "and for the other" "already hit 2 times"
	sees "the same results" "828 729 629 528 426 323 219 114"
}

conditions() {
	commands=('break 8 if index == 21' run 'print index' 'thread'
		'tbreak 8' 'ignore 1 5' 'info breakpoints' delete continue)
	session run --batch -- "$program"
	answers "a condition chooses thread and lane" 'print index' '$1 = 21'
	answers "which become current" 'thread' "[Current thread is 2.3:5]"
	sees "a breakpoint can be for one stop" "Temporary breakpoint 2 at <compute+"
	sees "its condition is listed" "stop only if index == 21 (on the host"
	sees "only who meets it counts there, too" "already hit 1 time"
	local where="the EU"
	[ -z "$host_decides" ] || where="the host"
	commands=('break 4 if point == 121' run 'info breakpoints' thread
		delete continue)
	session run --batch -- "$program"
	sees "a condition is decided where it can be" \
		"stop only if point == 121 (on $where)"
	sees "only who meets it counts" "already hit 1 time"
	answers "its lane is current" thread "[Current thread is 2.3:5]"
	sees "nothing else stops" "$(results)"
	commands=('break 4 if point == 5 || 163 == point' run thread
		'info breakpoints' 'condition 1 point / point == 2'
		'info breakpoints' 'condition 1 !(point != 7) && point / point'
		'info breakpoints' 'condition 1 index == 3 && point < 9'
		'info breakpoints' 'condition 1 point % 10 * 2 == 7'
		'info breakpoints' delete continue)
	session run --batch -- "$program"
	answers "one of two conditions" thread "[Current thread is 2.8:7]"
	sees "is decided there as well" "163 == point (on $where)"
	sees "what the EU cannot decide the host does" \
		"(on the host: it is more than comparisons"
	local some="the EU in part, else on the host"
	[ -z "$host_decides" ] || some="the host"
	sees "or a part of it" "point / point (on $some: it is more than"
	sees "numbers of 64 bits are compared" "index == 3 && point < 9 (on $where)"
	sees "others are computed" "point % 10 * 2 == 7 (on $where)"
	sees "conditions change nothing" "$(results)"
}

# Eight by eight items in groups of four by four; in[i] is i + 100.
filters() {
	local where="the EU" kernels

	[ -z "$host_decides" ] || where="the host"
	kernels=$(mktemp --suffix=.cl)
	cat >"$kernels" <<-'END'
		__attribute__((noinline)) int twice(int a) {
		  return a * 2;
		}
		__kernel void plane(__global const int *in, __global int *out) {
		  int x = get_global_id(0), y = get_global_id(1);
		  int value = in[y * 8 + x];
		  out[y * 8 + x] = twice(value);
		}
	END
	commands=('break 5 item 6,5' 'break 5 item 6,' 'break 5 group 4294967296'
		run 'print $item.x' 'print $item.y' 'print $group'
		'info breakpoints' 'condition 1 x == 0' 'info breakpoints'
		'condition 1' delete next 'print x' 'print y' 'break 6 item 1'
		'tbreak 7 group *,1 if x == 7' 'info breakpoints' continue
		'print x' 'print y / 4' continue)
	session run --batch -- "$BUILD/gtdbgctl/tests/launch" "$kernels" plane \
		8 8 4
	rm -f "$kernels"
	sees "a dimension needs a number" '"item 6," is no work-item or group.'
	sees "of 32 bits" '"group 4294967296" is no work-item or group.'
	answers "it is the one" 'print $item.x' '= 6'
	answers "in both dimensions" 'print $item.y' '= 5'
	answers "of that group" 'print $group' '= {1, 1, 0}'
	sees "its filter is listed" "stop only for item 6,5 (on $where)"
	sees "no one else has come" "already hit 1 time"
	sees "a condition can be joined" "stop only for item 6,5 if x == 0 (on "
	sees "and taken back" "Breakpoint 1 now unconditional for item 6,5."
	answers "the program has the same column" 'print x' '= 6'
	answers "and row" 'print y' '= 5'
	answers "where registers are used again no item is known" \
		'break 6 item 1' 'Work-items have no numbers here'
	sees "as it was written" "stop only for group *,1 if x == 7 (on"
	answers "one of these items" 'print x' '= 7'
	answers "in such a group" 'print y / 4' '= 1'
	sees "the program goes on" "200 202 204 206 208 210 212 214"
}

# Two threads wait for each other: the one that steps comes on only with the other one.
interrupted() {
	local kernels

	kernels=$(mktemp --suffix=.cl)
	cat >"$kernels" <<-'END'
		__kernel void meet(__global const int *in, volatile __global int *out) {
		  int x = get_global_id(1) * 8 + get_global_id(0);
		  if (x == 0) {
		    out[0] = 1; while (out[1] != 2);
		    while (out[2] != 3);
		    out[3] = 4;
		  }
		  if (x == 63) {
		    while (out[0] != 1);
		    out[1] = 2;
		    while (out[4] != 5);
		    out[2] = 3;
		  }
		}
	END
	commands=('tbreak 4' run 'break 10' next 'print x' 'tbreak 5' 'delete 2'
		continue 'break 12' 'print out[4] = 5' next delete continue)
	session run --batch -- "$BUILD/gtdbgctl/tests/launch" "$kernels" meet \
		8 8 4
	rm -f "$kernels"
	sees "another thread's breakpoint is shown while one steps" \
		'hit Breakpoint 2, '
	answers "that thread is current" 'print x' '= 63'
	sees "also in the middle of a line" 'hit Breakpoint 4, '
	sees "the end of such a step is no stop" "1 2 3 4 5 105"
}

# One that was not shown when it came to a breakpoint steps, and lets another one come there:
# that one is said, too. On a busy machine the first is late, and shown: then once more.
late() {
	local kernels tries shown=1

	kernels=$(mktemp --suffix=.cl)
	cat >"$kernels" <<-'END'
		__kernel void late(__global const int *in, volatile __global int *out) {
		  int x = get_global_id(0);
		  if (x == 0) {
		    out[1] = 1;
		    out[0] = 0;
		  }
		  if (x == 31) while (out[1] != 1);
		  if (x == 63) { while (out[2] != 2); out[3] = 3; }
		  if (x == 31 || x == 63) {
		    out[2] = 2; while (out[3] != 3);
		  }
		}
	END
	commands=('break 5' 'break 10' run 'thread 2.4:7' next continue continue
		continue continue)
	for ((tries = 0; tries < 8 && shown; tries++)); do
		session run --batch -- "$BUILD/gtdbgctl/tests/launch" "$kernels" late 64
		shown=$(printf '%s\n' "${lines[@]}" |
			grep -c '^\[*Thread 2\.4:7 hit Breakpoint 2')
	done
	rm -f "$kernels"
	if [ "$shown" -ne 0 ]; then
		result ok "who comes there then is said # SKIP the machine is too busy"
		return
	fi
	[ "$(grep -c '^\[*Thread 2\.8\(:7\)* hit Breakpoint 2' < <(printf '%s\n' \
		"${lines[@]}"))" -eq 1 ] && result ok "who comes there then is said" || {
		printf '# %s\n' "${lines[@]}"
		result "not ok" "who comes there then is said"
	}
	sees "and the program goes on" "0 1 2 3 104"
}

# Threads that meet three conditions on one line, all at once: each breakpoint that was hit
# is said, in any order, before its thread goes on.
together() {
	local line

	commands=('break 8 if index == 21' 'break 8 if index == 42'
		'tbreak 8 if index == 59' run 'print index' continue 'print index'
		continue 'print index' 'info breakpoints' continue)
	session run --batch -- "$program"
	for line in '.3:5 hit Breakpoint 1' '.6:2 hit Breakpoint 2' \
		'.8:3 hit Temporary breakpoint 3'; do
		[ "$(grep -c "^Thread 2$line, compute" < <(printf '%s\n' \
			"${lines[@]}"))" -eq 1 ] && result ok "once: $line" ||
			result "not ok" "once: $line"
	done
	[ "$(printf '%s\n' "${lines[@]}" | sed -n 's/^\$[1-3] = //p' | sort |
		tr '\n' ' ')" = "21 42 59 " ] &&
		result ok "each with its own item" ||
		result "not ok" "each with its own item"
	printf '%s\n' "${lines[@]}" | grep -q '^3  *breakpoint' &&
		result "not ok" "what was for one stop is gone" ||
		result ok "what was for one stop is gone"
	sees "the threads go on" "$(results)"
	ends_with "status after three hits" 0
}

# counted_lines TEXT: how many lines have it
counted_lines() {
	grep -c -- "$1" < <(printf '%s\n' "${lines[@]}")
}

# A breakpoint's commands end where they show the next stop, which has its own; and what was
# disabled meanwhile has none.
followed() {
	local script line

	script=$(mktemp)
	for line in 21 42 59; do
		printf '%s\n' "break 8 if index == $line" commands continue \
			'print index + 1000' end
	done >"$script"
	commands=("source $script" run)
	session run --batch -nx -- "$program"
	[ "$(counted_lines ' hit Breakpoint [123], compute') $(counted_lines ' = 10')" = "3 0" ] &&
		result ok "commands end at the next stop" || {
		printf '# %s\n' "${lines[@]}"
		result "not ok" "commands end at the next stop"
	}
	rm "$script"
	sees "and the program goes on" "$(results)"
	commands=('break 8 if index == 21' 'break 8 if index == 42'
		'break 8 if index == 59' run disable continue)
	session run --batch -nx -- "$program"
	[ "$(counted_lines ' hit Breakpoint [123], compute')" = 1 ] &&
		result ok "what is disabled is not said later" || {
		printf '# %s\n' "${lines[@]}"
		result "not ok" "what is disabled is not said later"
	}
	sees "but passed by" "$(results)"
}

# One instruction after the other, to a breakpoint, it is hit as it is by others.
instructions() {
	local script

	script=$(mktemp)
	printf '%s\n' 'break 8' commands silent 'print index + 50' end 'stepi 5000' \
		'print index + 60' >"$script"
	commands=('tbreak 3' run 'break 4' 'stepi 1000' 'print index' "source $script" delete
		continue)
	session run --batch -nx -- "$program"
	rm "$script"
	sees "stepi comes to a breakpoint" "hit Breakpoint 2, compute (in=0x"
	answers "in its line" 'print index' '= 0'
	sees "whose commands are all that is printed" '= 50'
	[[ ${lines[at - 2]} == "Breakpoint 3 at "* ]] && result ok "if it is silent" ||
		result "not ok" "if it is silent: ${lines[at - 2]}"
	sees "the program goes on" "$(results)"
}

# What barrier() calls without optimisation is in another allocation and has no lines.
barriers() {
	local how

	for how in step next; do
		commands=('tbreak 84' run "$how" "$how" 'print other' continue)
		session run --batch -- "$BUILD/gtdbgctl/tests/launch" \
			"$(dirname "$0")/programs.cl" share 8
		answers "$how goes over a barrier" "$how" $'85\t  int other'
		answers "$how goes on behind it" "print other" '= 107'
		sees "$how over a barrier changes nothing" \
			"1184 1183 1182 1181 1180"
	done
	# Its function lies behind that code.
	commands=('tbreak 106' run 'info functions' step bt finish continue)
	session run --batch -- "$BUILD/gtdbgctl/tests/launch" \
		"$(dirname "$0")/programs.cl" meet 8
	sees "it is listed" $'96:\ttwist'
	answers "step goes into it" step 'twist (a=107)'
	sees "from its kernel" '#1  meet (in=0x'
	sees "that changes nothing" "111 112 109 110 99 100 97 98"
	# All threads stop there.
	commands=('break 106 if nothing == 1' run)
	session run --batch -- "$BUILD/gtdbgctl/tests/launch" \
		"$(dirname "$0")/programs.cl" meet 64
	[ "$(printf '%s\n' "${lines[@]}" | grep -c 'Error in testing condition')" -eq 1 ] &&
		result ok "a condition without an answer is told once" ||
		result "not ok" "a condition without an answer is told once"
	sees "and stops" "hit Breakpoint 1, meet"
}

# Of a thread that is gone when it is looked at, behind a stop and behind a step.
gone() {
	local -x STUMBLE=thread STUMBLE_AT=1
	local -x LD_PRELOAD=$BUILD/gtdbgctl/tests/stumble.so
	local error="Cannot read thread's state: it is not stopped any more."
	local none='No GPU thread is selected; "info threads" shows those that are stopped.'

	commands=('break 7' run 'info threads' bt next 'thread 2.1:1' 'print point'
		delete continue)
	session run --batch -- "$program"
	answers "a thread that stopped may be gone" run "$error"
	answers "its frames cannot be shown" bt "$none"
	answers "nor can it step" next "$none"
	answers "another thread can be looked at" 'print point' '$1 = 101'
	sees "and let go on" "$(results)"
	STUMBLE_AT=2
	commands=('break 7' run 'break *$pc' 'enable 2' 'disable 2' next 'enable 2'
		'disable 2' 'thread 2.1:1' 'print point' delete continue)
	session run --batch -- "$program"
	answers "what is enabled stays so" 'enable 2' '(gtdbg) disable 2'
	answers "so may one that stepped" next "$error"
	answers "an address needs it no more" 'enable 2' '(gtdbg) disable 2'
	answers "which is looked at later" 'print point' '= -1'
	sees "and goes on" "$(results)"
}

# dies NAME COMMAND: of a program that was killed where it stands
dies() {
	commands=('tbreak inner' run "shell kill -KILL \$(pgrep -x launch)" 'shell sleep 1'
		"$2" bt)
	session run --batch -- "$BUILD/gtdbgctl/tests/launch" \
		"$(dirname "$0")/programs.cl" levels 8
	sees "$1" "Program terminated with signal SIGKILL, Killed."
	[[ ${lines[*]} != *"No such process"* ]] && result ok "$2 fails by nothing else" ||
		result "not ok" "$2 fails by nothing else"
}

killed() {
	dies "a step of a program that is gone says so" step
	dies "so does one of an instruction" stepi
	dies "and one out of a function" finish
	dies "and one to a line" 'until 53'
	dies "or to an address" 'advance *$pc'
}

# A frame that was selected is the one to finish: outer(100) is 203 + 100.
outer_frame() {
	commands=('tbreak inner' run up finish 'print item' up finish continue)
	session run --batch -- "$BUILD/gtdbgctl/tests/launch" \
		"$(dirname "$0")/programs.cl" levels 8
	answers "the selected frame is finished" finish 'Run till exit from #1  outer (a=100'
	sees "up to its caller" 'levels (in=0x'
	sees "with what it has returned" 'Value returned is $1 = 303'
	answers "which is current then" 'print item' '= 0'
	sees "the outermost one cannot be" '"finish" not meaningful in the outermost frame.'
	sees "the program goes on" "303 306 309 312"
}

# Values outlive the kernels, and the program, that they came from.
history() {
	commands=('break 5' run 'print in' 'print point' kill 'print $1'
		'print *$1' 'print $1 = 0' 'print $2 - $2 + 7' 'ptype $1')
	session run --batch -- "$program"
	answers "a pointer from a program that is gone" 'print $1' \
		'(const int *) 0x'
	answers "points nowhere any more" 'print *$1' "is not being run."
	answers "and is no place to write to" 'print $1 = 0' "not being run."
	answers "a number can be computed with" 'print $2 - $2 + 7' '= 7'
	answers "types are kept" 'ptype $1' 'type = const int *'
}

stepping
[ -z "$is_slow" ] || { interrupted; finish; }
counted
wording
ranges
unavailable
branches
turns
counts
conditions
filters
interrupted
late
together
followed
instructions
barriers
gone
killed
outer_frame
history
finish
