#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Words of the prompt beyond breakpoints and steps: displays, scripts, settings,
# commands of the user's own, what the symbols say.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

program=$BUILD/demo/smooth
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Without a program that runs.
settings() {
	cat >"$folder/.gtdbginit" <<-'END'
		set listsize 3
		define twice
		  print $argc
		  print $arg0 * 2
		end
		document twice
		Prints twice a number.
		end
	END
	printf '%s\n' 'echo one\n' frobnicate 'echo two\n' >"$folder/bad"
	commands=('show listsize' 'set print elements unlimited'
		'show print elements' 'set pagination maybe' 'show confirm'
		'set width x' 'twice 21' 'help twice' "source $folder/bad"
		'source /nowhere' 'info display' 'undisplay 7' 'show user'
		'display/q 1' 'condition 1 x' 'until' 'advance'
		'set $n_1 = 20' 'print $n_1 + 1' 'set $n_1 = $n_1 * 1.5'
		'print $n_1 == 30' 'print $none' 'set $r1 = 5' 'rwatch x'
		'info watchpoints')
	HOME=$folder session run --batch -- "$program"
	answers "the user's own file was read" 'show listsize' 'is 3.'
	answers "a limit can be lifted" 'show print elements' 'is unlimited.'
	answers "a switch is on or off" 'set pagination maybe' '"on" or "off"'
	answers "a script is never asked" 'show confirm' 'is off.'
	answers "a number is one" 'set width x' 'expected, not "x"'
	answers "a command of one's own has arguments" 'twice 21' '$1 = 1'
	sees "with values" '$2 = 42'
	answers "and its documentation" 'help twice' 'Prints twice a number.'
	answers "a script is executed" "source $folder/bad" 'one'
	sees "up to an error, with its place" "$folder/bad:2: Error in sourced"
	sees "and message" 'Undefined command: "frobnicate"'
	answers "a script that is not there" 'source /nowhere' 'No such file'
	answers "no displays" 'info display' 'no auto-display expressions'
	answers "nor that one" 'undisplay 7' 'Could not find display number 7.'
	answers "commands can be listed" 'show user' 'User command "twice":'
	answers "an unknown format" 'display/q 1' 'Undefined output format "q"'
	answers "no such breakpoint" 'condition 1 x' 'No breakpoint number 1.'
	answers "nothing to go on with" 'until' 'is not being run.'
	answers "variables of one's own" 'print $n_1 + 1' '$3 = 21'
	answers "take another type" 'print $n_1 == 30' '$4 = 1'
	answers "begin with a value" 'print $none' 'nothing was assigned to it.'
	answers "are no registers" 'set $r1 = 5' 'is not being run.'
	answers "to watch reads takes a thread" 'rwatch x' 'is not being run.'
	answers "no watchpoints" 'info watchpoints' 'No watchpoints.'
}

symbols() {
	commands=('break 14 if item == 0' run 'info functions' 'info functions of$'
		'info line 10' 'info line 5' 'info lines' 'info lines nosuch'
		'info threads' 'info threads -all' 'x/s $pc' 'print/x item'
		'break 14 if itm == 0' 'condition 1 itm' 'condition 1 in'
		'condition 1 in[item' 'condition 1 in[item] / item > 0'
		'info breakpoints' 'list 3,4' 'list -' 'list left_of'
		'break nosuch' 'clear nosuch' 'break smooth' 'clear smooth'
		'break *$pc' clear)
	session run --batch -nx -- "$program"
	sees "a condition is looked at later" "(14) pending; so is the check"
	sees "functions by file" "6:	smooth"
	sees "those that match" 'regular expression "of$":'
	sees "only those" "1:	left_of"
	answers "a line has addresses" 'info line 10' \
		'Line 10 of "smooth_1.cl" starts at address 0x'
	answers "one without code" 'info line 5' 'No line number information'
	sees "all lines" "smooth_1.cl:14	0x"
	answers "of a kernel that is none" 'info lines nosuch' 'No kernel "nosuch"'
	sees "the current lane" "* 2.1:0  "
	sees "each thread" "  2.1:[1-7]  "
	answers "text" 'x/s $pc' ':	"'
	conditions
	answers "a range of lines" 'list 3,4' '3	  return (item - 1) % count;'
	answers "those before" 'list -' '1	uint left_of'
	answers "what may come yet" 'break nosuch' '(nosuch) pending.'
	sees "may be a slip, too" "No kernel so far has such a place."
	answers "by which it is cleared" 'clear nosuch' 'Deleted breakpoint 2'
	answers "as is a function's" 'clear smooth' 'Deleted breakpoint 3'
	answers "and what is here, however it was set" clear 'Deleted breakpoints 1 4'
}

conditions() {
	answers "a condition with an error sets no breakpoint" \
		'break 14 if itm == 0' 'No symbol "itm" in current context.'
	answers "nor replaces one" 'condition 1 itm' 'No symbol "itm"'
	answers "what has a value is one" 'condition 1 in' '(gtdbg) condition'
	answers "syntax is looked at" 'condition 1 in[item' 'A syntax error'
	sees "values are not" "condition 1 in[item] / item > 0"
	sees "and a hit counts once" "already hit 1 time"
}

at_stops() {
	cat >"$folder/script" <<-'END'
		break 14 if item == 0
		commands
		  silent
		  print left
		  continue
		end
		tbreak 10
		run
		display left
		display/i $pc
		step
		finish
		advance 12
		undisplay 2
		info display
		info stats
		continue
	END
	commands=("source $folder/script")
	session run --batch -nx -- "$program"
	sees "a temporary breakpoint at the first line" "breakpoint 2, smooth ("
	sees "a value at once" "1: left = "
	sees "and code" "2: x/i "
	sees "in another function" "left_of (item=0, count=48) at"
	if [[ ${lines[at]} == $'3\t'* && ${lines[at + 1]} == "2: x/i"* ]]; then
		result ok "what is not known there is not shown"
	else
		result "not ok" "what is not known there: ${lines[at + 1]}"
	fi
	sees "and is again back here" "1: left = "
	sees "a place further on is reached" "12	  int sum"
	sees "displays come at each stop" "1: left = 15"
	sees "as asked for" "=> 0x"
	sees "one display is left" "1:   y  left"
	sees "how soon stops were seen" "half of the stops were seen within "
	[[ ${lines[at - 1]} =~ within\ [1-9][0-9]*\ us$ ]] && result ok "is known" ||
		result "not ok" "is known: ${lines[at - 1]}"
	sees "a breakpoint's commands are executed" ' = 15'
	sees "the program goes on" "1 of 48 items are wrong"
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
settings
symbols
at_stops
finish
