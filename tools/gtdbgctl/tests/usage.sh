#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Exit statuses and messages that need no module.
set -u

tool=${GTDBGCTL:?path of the tool}
count=0
failed=0

# check NAME STATUS PATTERN ARGUMENT...: the status, and one line of output
check() {
	local name=$1 status=$2 pattern=$3 output
	shift 3

	output=$("$tool" "$@" 2>&1)
	if [ $? -eq "$status" ] && grep -q -- "$pattern" <<<"$output"; then
		verdict="ok"
	else
		printf '# %s\n' "$output"
		verdict="not ok"
		failed=1
	fi
	count=$((count + 1))
	echo "$verdict $count - $name"
}

# nothing NAME TEXT: there is none
nothing() {
	local verdict="ok"

	if [ -n "$2" ]; then
		printf '# %s\n' "$2"
		verdict="not ok"
		failed=1
	fi
	count=$((count + 1))
	echo "$verdict $count - $1"
}

names() {
	"$tool" help | sed -n 's/^  \([a-z-]*\) .*/\1/p'
}

# completes WORD...: what completion makes of the last word, one in a line
completes() {
	# shellcheck disable=SC2016 # expanded in the other shell
	bash -c '. "$0"
		COMP_WORDS=(gtdbgctl "$@") COMP_CWORD=$#
		_gtdbgctl
		printf "%s\n" "${COMPREPLY[@]}"' \
		"$(dirname "$0")/../gtdbgctl.bash" "$@"
}

# offers WORD...: what it has behind these words
offers() {
	completes "$@" ""
}

# completed TEXT WORD...: completes the last word to these, and no others
completed() {
	local text=$1 found
	shift

	found=$(completes "$@" | tr '\n' ' ')
	count=$((count + 1))
	if [ "$found" = "$text " ]; then
		echo "ok $count - completion of $*"
	else
		echo "# $found"
		echo "not ok $count - completion of $*"
		failed=1
	fi
}

# What a usage line names, completion offers: commands, and their options.
unoffered() {
	local name option offered

	diff <(names | sort) <(offers | sort)
	for name in $(names); do
		offered=$(offers "$name")
		for option in --help $("$tool" "$name" --help | head -n 1 |
			grep -oE -- '[[| {]-[a-z-]+' | tr -d '[|{ '); do
			grep -q -- "^$option" <<<"$offered" ||
				echo "$name $option"
		done
	done
}

# What list says first depends on the machine.
gpu='^no GPU: '
[ -z "$(find /dev/dri -name 'renderD*' 2>/dev/null)" ] ||
	gpu='^GPU [0-9a-f?]*:[0-9a-f?]*, .*, driver .*, /dev/dri/renderD[0-9]*'

echo "TAP version 13"
check "no command is a usage error" 2 '^gtdbgctl: usage: gtdbgctl COMMAND'
check "an unknown command is a usage error" 2 '^gtdbgctl: no command "frob"' frob
check "also for help" 2 '^gtdbgctl: no command "frob": try' help frob
check "a word that is wrong is named" 2 '^gtdbgctl: attach does not take "abc"$' \
	attach abc
check "one too many, too" 2 '^gtdbgctl: core does not take "two"$' core one two
check "and an option" 2 '^gtdbgctl: run does not take "--frob"$' run --frob x
check "nor is one taken that would do nothing" 2 \
	'^gtdbgctl: --batch: with --attachable nothing is debugged' \
	run --attachable --batch true
check "by trace neither" 2 '^gtdbgctl: trace does not take "--door=drm"$' \
	trace --door=drm -p 1
check "that lacks its word is not" 2 '^gtdbgctl: usage: gtdbgctl trace' trace -p
check "a program that is not there is named" 1 \
	'^gtdbgctl: cannot start no-such-program: No such file' run no-such-program
check "also one with a path" 1 '^gtdbgctl: cannot start ./nowhere: No such file' \
	run ./nowhere
check "help lists the commands" 0 '^  doctor ' help
check "so does --help" 0 '^  doctor ' --help
for name in $(names); do
	check "$name --help shows how it is used" 0 \
		"^usage: gtdbgctl $name" "$name" --help
done
INTEL_GDB=/nonexistent check "gdb says that there is no gdb" 1 \
	"^gtdbgctl: Intel's gdb was not found" gdb -- true
VGT_DOOR=back check "gdb takes no door that is none" 2 \
	"^gtdbgctl: VGT_DOOR: no door 'back'" gdb -- true
check "nor one to a program that runs" 2 \
	'^gtdbgctl: gdb does not take "--door=drm"' gdb --door=drm -p 1
check "version names tool and interface" 0 '^gtdbgctl [0-9.]*, interf' version
check "version takes no argument" 2 '^gtdbgctl: usage: .* version$' version x
check "doctor knows its options" 2 '^gtdbgctl: usage: .* doctor' doctor --door=drm
check "and its doors" 2 '^gtdbgctl: usage: .* doctor' doctor --try --door=x
# "run" needs no vgtd in PATH.
status=1
[ ! -e /dev/gtdbg ] || status=0
PATH=/usr/sbin:/usr/bin:/sbin:/bin check "doctor finds the GPU that run finds" \
	$status '^ok *a GPU, real or virtual$' doctor
[ -e /dev/dri ] || check "and says that the machine has none for it" $status \
	"^without *the machine's GPU: none that" doctor
if [ -e /dev/gtdbg ]; then
	check "doctor debugs a program" 0 '^ok *what is written to a variable' \
		doctor --try --door=drm
	check "doctor finds all that is needed" 0 '^ok *kernel module' doctor
	check "list shows the GPUs" 0 "$gpu" list
else
	check "doctor misses the module" 1 '^missing *kernel module: ' doctor
	nothing "of files that are not there it asks for no access" \
		"$("$tool" doctor | grep '^missing *access')"
	check "and says how far it goes without" 1 '^untried *a step over' \
		doctor --try --door=drm
	check "list shows the GPUs and misses the module" 1 "$gpu" list
fi
nothing "completion offers what usage names" "$(unoffered)"
# Bash takes "=" for a word.
completed "drm" run --door = d
completed "own stock stock-bindless" gdb --sip =
completed "perfetto ctf" trace --format = ""
completed "all" gcore --memory = a
completed "--door=drm --door=socket --door=gpu" run --door
echo "1..$count"
exit "$failed"
