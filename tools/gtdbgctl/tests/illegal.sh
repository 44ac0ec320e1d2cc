#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Illegal instructions, written over a kernel's code at the prompt, as no compiler makes
# any; and a branch to where there is no code. Which instruction it is and where the
# branch leads follows from what is written.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

# Intel's system routine leaves them to the hardware.
[ -z "$is_gpu" ] || skip "the system routine there is Intel's"
distance=-0x10000000
options=()
core=$(mktemp -u)

# code DWORD...: commands that write over the instruction at which the thread stands
code() {
	local at=0 dword

	for dword in "$@"; do
		commands+=("set var *(unsigned int *)(\$pc + $at) = $dword")
		at=$((at + 4))
	done
}

# runs COMMAND...: with all threads at line 8, and what code has put into commands
runs() {
	commands=('break 8' run 'print $pc' "${commands[@]}" delete "$@")
	session run --batch -nx "${options[@]}" -- "$BUILD/demo/compute"
	pc=
	for line in "${lines[@]}"; do
		[[ ! $line =~ \(\)\)\ (0x[0-9a-f]+)\ \<compute ]] ||
			pc=${pc:-${BASH_REMATCH[1]}}
	done
}

# said NAME TEXT COUNT: as many lines have it
said() {
	local line found=0

	for line in "${lines[@]}"; do
		[[ $line != *"$2"* ]] || found=$((found + 1))
	done
	[ "$found" -eq "$3" ] && result ok "$1" && return
	echo "# $found lines have \"$2\":"
	printf '# %s\n' "${lines[@]}"
	result "not ok" "$1"
}

# 64 items, 8 in each thread: each stops once.
instruction() {
	commands=()
	code 0
	runs continue bt continue
	sees "an illegal instruction is said in a line" \
		"compute_1.cl:8: void compute(...): global id: [0,0,0] and 7 lanes more: illegal instruction 00000000 "
	at=$((at - 1))
	sees "with its place" " at $pc <compute+"
	at=$((at - 1))
	sees "for each thread" "global id: [56,0,0] and 7 lanes more: illegal"
	said "once" ": illegal instruction 0" 8
	at=$((at - 1))
	sees "which stops" "Thread 2.1:0 stopped: Illegal instruction."
	sees "there" "#0  compute ("
	# As it would without a debugger: here this ends the program.
	sees "what goes on takes its course" "terminated with signal SIG"
	said "and does not stop there again" "stopped: Illegal" 1
}

# It ends a step, and all that were to follow.
steps() {
	local how options=("--core-on-fault=$core")

	for how in next stepi; do
		commands=()
		code 0
		runs "$how 3" bt kill
		sees "$how: a step that was none is said" \
			"stopped: Illegal instruction."
		sees "$how: makes a core file" "Saved core file $core: 8 threads"
		sees "$how: shows the frame" "compute (in=0x"
		answers "$how: and is the last one" bt '#0  compute ('
		rm -f "$core"
	done
}

# A jmpi, whose last dword is how far it goes, in bytes.
branch() {
	local to

	commands=()
	code 0x80000020 0x00004000 0 0xf0000000
	runs continue 'print $pc' kill
	to=$(printf '0x%x' $((pc + distance)))
	sees "a branch to nowhere is a page fault" \
		"GPU page fault, device 2: page ${to%???}000."
	sees "and said for each thread" \
		"slot 0, lane 0 and 7 lanes more: no code is mapped at $to."
	said "once" "no code is mapped at" 8
	sees "which stops" \
		"Thread 2.1:0 stopped: Branch to where no code is mapped."
	answers "there" 'print $pc' "$to"
}

instruction
steps
branch
finish
