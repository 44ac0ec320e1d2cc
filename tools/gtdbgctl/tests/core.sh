#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Core files: whatever the prompt shows of a stop, it shows of a core file that
# was written there, and the program goes on afterwards.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/programs.cl
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
said=()

# said: what each command of the last session has printed, by number. Clocks are not
# in a core file, and the history counts on.
said_read() {
	local line n=-1

	said=()
	for line in "${lines[@]}"; do
		if [[ $line == "(gtdbg) "* ]]; then
			n=$((n + 1))
		elif [ $n -ge 0 ] && [[ $line != *"time stamp"* ]]; then
			[[ ! $line =~ ^\$[0-9]+\ =\ (.*)$ ]] ||
				line=${BASH_REMATCH[1]}
			said[n]+=$line$'\n'
		fi
	done
}

# dumped PROGRAM FILE: a command that compares the file with the program as it stands
dumped() {
	echo "shell $BUILD/gtdbgctl/tests/dumped \$(pgrep -nx $1) $2"
}

# alike NAME THREADS: that one has found no difference
alike() {
	local line

	line=$(printf '%s\n' "${lines[@]}" | grep '^compared: ')
	if [[ $line =~ ^compared:\ $2\ threads,\ [1-9][0-9]*\ registers,\ [1-9][0-9]*\ files,\ [1-9] ]] &&
		[[ $line == *": 0 differences" ]]; then
		result ok "$1"
	else
		printf '# %s\n' "${lines[@]}" | grep -E 'differs|compared'
		result "not ok" "$1"
	fi
	echo "# $line"
}

# same NAME FIRST FILE: the commands from number FIRST on say of the core file
# what they said in the last session, up to the one that wrote it.
same() {
	local name=$1 first=$2 file=$3 i asked=() live=() bad=

	said_read
	for ((i = first; i < ${#commands[@]}; i++)); do
		[[ ${commands[i]} != gcore* &&
			${commands[i]} != generate* ]] || break
		asked+=("${commands[i]}")
		live+=("${said[i]-}")
	done
	commands=("${asked[@]}")
	session core --batch "$file"
	said_read
	for ((i = 0; i < ${#asked[@]}; i++)); do
		if [ -z "${live[i]}" ] || [ "${said[i]-}" != "${live[i]}" ]; then
			bad=yes
			echo "# ${asked[i]}, there:"
			sed 's/^/#	/' <<<"${live[i]}"
			echo "# in the core file:"
			sed 's/^/#	/' <<<"${said[i]-}"
		fi
	done
	if [ -z "$bad" ] && [ ${#asked[@]} -gt 5 ]; then
		result ok "$name"
	else
		result "not ok" "$name"
	fi
}

shared() {
	commands=('break 85' run 'info threads' bt 'info registers'
		'info locals' 'info args' 'print row' 'print total' 'print both'
		'print &row[2]' 'print *&row[2] + total' 'print in[3]'
		'lanes mine' 'lanes *mine' 'lanes item' 'x/4dw row'
		'x/128xw in' 'x/256xw out' 'x/12i $pc' 'x/64xw $pc'
		'ptype both' 'print $acc0' 'print $cr0' 'info devices'
		'info kernels' 'info modules' 'info functions' 'info line 85'
		'list 80,86' 'info lines share'
		"generate-core-file $files/own"
		"$(dumped launch "$files/own")" 'print row[3]' delete continue)
	session run --batch -- "$launch" "$kernels" share 8
	sees "it is written" "Saved core file $files/own: 1 thread, "
	answers "the session goes on" 'print row[3]' '= 103'
	sees "the program does" "1184 1183 1182 1181 1180 1179 1178 1177 108"
	ends_with "status" 0
	alike "each byte and register is that of the program" 1
	same "the prompt shows a core file as it showed the stop" 2 "$files/own"
}

# Each group has its own memory, and each thread its registers. Groups of two
# threads go to one sub-slice after the other.
groups() {
	local i

	commands=('break 29' run 'info threads')
	for i in 1 113 225 338; do
		commands+=("thread 2.$i" 'info registers' 'print shared'
			'info locals' 'print $pc' 'lanes place' bt)
	done
	commands+=("gcore $files/groups" "$(dumped launch "$files/groups")"
		kill)
	session run --batch -- "$launch" "$kernels" tile 8 8 4
	sees "another group's memory" "= {104, 105, 106, 107, 112, 113, 114, 115"
	sees "several groups are written" "Saved core file $files/groups: 8 th"
	alike "each byte and register of several" 8
	same "each thread has its own" 2 "$files/groups"
}

stock() {
	local thread=2.1

	commands=('break 7' run 'info threads' bt 'info registers' 'info locals'
		'print point' 'print *in@8' 'print in[7]' 'lanes point'
		'lanes index' 'x/128xw in' 'x/4i $pc' "thread $thread"
		'info registers' "gcore $files/all" "$(dumped compute "$files/all")"
		"gcore --memory=writable $files/stock" delete continue)
	session run --batch --sip=stock -- "$BUILD/demo/compute"
	sees "Intel's: it is written" "Saved core file $files/stock: 8 threads"
	sees "Intel's: the program goes on" "1100 -1 1102 -1"
	alike "Intel's: each byte and register" 8
	same "Intel's: the same is shown" 2 "$files/stock"
}

readable() {
	local file name

	for file in own groups stock; do
		name=$(readelf -a "$files/$file" 2>&1 >/dev/null) &&
			[ -z "$name" ] &&
			name=$(eu-readelf -a "$files/$file" 2>&1 >/dev/null) &&
			[ -z "$name" ] &&
			[ "$(stat -c %a "$files/$file")" = 600 ] && continue
		echo "# $file: $name"
		result "not ok" "other tools read the files, their owner only"
		return
	done
	result ok "other tools read the files, their owner only"
}

faulty() {
	commands=('break stray' run delete continue 'set var in[0] = 7'
		continue)
	session run --batch "--core-on-fault=$files/fault" -- "$launch" \
		"$kernels" stray 8
	sees "a page fault" "GPU page fault, device "
	sees "makes a core file" "Saved core file $files/fault: 1 thread, "
	sees "the program goes on" "101 101 101 101 101 101 101 101"
	commands=(bt 'print in[1]')
	session core --batch "$files/fault"
	sees "which says what for" "GPU page fault, device "
	sees "why the thread stands" " stopped: Page fault, of this thread"
	answers "of what ran then" bt '#0  stray ('
	answers "and its memory" 'print in[1]' '= 101'
	faulty_step
}

# A step ends with a fault: nothing else ends the line.
faulty_step() {
	printf '%s\n' 'kernel void far(global volatile int *in, global int *out)' '{' \
		'	int item = get_global_id(0), far;' \
		'	for (far = in[0x30000000]; in[1] == 101;) far++;' \
		'	out[item] = far;' '}' >"$files/far.cl"
	commands=('break 4' run delete next kill)
	session run --batch "--core-on-fault=$files/step" -- "$launch" \
		"$files/far.cl" far 8
	sees "a page fault of a step" "GPU page fault, device "
	sees "makes a core file, too" "Saved core file $files/step: 1 thread, "
}

# What a kernel includes is in the file, if the program could have read it as well.
included() {
	local line

	mkdir "$files/src"
	printf '%s\n' 'static int included(int a)' '{' '	return a * 3;' '}' \
		>"$files/src/part.h"
	printf '%s\n' '#include "part.h"' '#include "secret.h"' \
		'kernel void third(global int *in, global int *out)' '{' \
		'	int item = get_global_id(0);' \
		'	out[item] = secret(included(in[item]));' '}' >"$files/src/third.cl"
	printf '%s\n' 'static int secret(int a)' '{' '	return a + 1;' '}' \
		>"$files/src/secret.h"
	chown 12345 "$files/src/secret.h"
	chmod 600 "$files/src/secret.h"
	commands=('break 6' run "gcore $files/included" kill)
	session run --batch -- "$launch" --options "-I$files/src" \
		"$files/src/third.cl" third 8
	sees "a kernel that includes files" "Saved core file $files/included: 1"
	[ "$(grep -c 'return a + 1;' "$files/included")" = 0 ] &&
		result ok "what the program must not read is not taken" ||
		result "not ok" "what the program must not read is not taken"
	rm -r "$files/src"
	commands=("list $files/src/part.h:3,3" 'list src/part.h:3,3' 'list part.h:3,3'
		'list art.h:3,3' "list $files/src/secret.h:3,3")
	session core --batch "$files/included"
	sees "what it has included is there" $'3\t\treturn a * 3;'
	answers "by a part of its path" 'list src/part.h:3,3' $'3\t\treturn a * 3;'
	answers "or its name" 'list part.h:3,3' $'3\t\treturn a * 3;'
	answers "which has to be whole" 'list art.h:3,3' "No source file named art.h."
	sees "and nothing else" "No source file named secret.h."
	commands=("gcore $files/included2")
	session core --batch "$files/included"
	cmp "$files/included" "$files/included2" &&
		result ok "also when it is written again" ||
		result "not ok" "also when it is written again"
}

# In a folder of 64 KiB.
full() {
	mkdir "$files/full"
	if ! mount -t tmpfs -o size=64k none "$files/full" 2>/dev/null; then
		result ok "a full disk # SKIP it cannot be made"
		return
	fi
	commands=("gcore $files/full/core" 'print row[1]')
	session core --batch "$files/own"
	sees "a full disk" \
		"Cannot write core file $files/full/core: No space left on device."
	if [ -z "$(ls -A "$files/full")" ]; then
		result ok "no part of a file stays there"
	else
		result "not ok" "no part of a file stays there"
	fi
	umount "$files/full"
}

# ended PID STARTER: the program ends when its threads have been stopped for a file
ended() {
	local dumper

	STUMBLE=stop STUMBLE_AT=1 LD_PRELOAD=$BUILD/gtdbgctl/tests/stumble.so \
		"$tool" gcore -o "$files/ended" "$1" >"$files/said" 2>&1 &
	dumper=$!
	until grep -q '^State:.T' /proc/$dumper/status || ! kill -0 $dumper; do
		sleep 0.1
	done 2>/dev/null
	kill -KILL "$1"
	wait "$2" 2>/dev/null
	kill -CONT $dumper
	wait $dumper
	status=$?
	mapfile -t lines <"$files/said"
	at=0
	sees "a program that ends meanwhile" "$files/ended: the process has ended."
	ends_with "is a failure" 1
	[ -e "$files/ended" ] && result "not ok" "and has no file" ||
		result ok "and has no file"
}

# A program that nobody debugs, as it runs.
running() {
	local pid="" starter survives=yes i

	"$tool" run --attachable -- "$BUILD/demo/compute" 100000 20 \
		>"$files/output" 2>&1 &
	starter=$!
	until [ -n "$pid" ] || ! kill -0 $starter; do
		sleep 0.2
		pid=$("$tool" list |
			sed -n 's/^process \([0-9]*\) (compute)$/\1/p')
	done
	"$tool" gcore -o "$files/running" "$pid" >"$files/said" 2>&1
	status=$?
	mapfile -t lines <"$files/said"
	at=0
	sees "a program that runs" "Saved core file $files/running: "
	ends_with "its status" 0
	# Killed when it has made the file, or written a part of it.
	for i in 1 2 3 4 5; do
		{
			STUMBLE=kill STUMBLE_AT=$i LD_PRELOAD=$BUILD/gtdbgctl/tests/stumble.so \
				"$tool" gcore -o "$files/killed" "$pid" >"$files/said" 2>&1
		} 2>/dev/null
		status=$?
		[ $status -eq 137 ] && [ ! -e "$files/killed" ] && continue
		echo "# at call $i: status $status"
		sed 's/^/# /' "$files/said"
		survives=
	done
	"$tool" gcore -o "$files/again" "$pid" >"$files/said" 2>&1 || survives=
	[ -n "$survives" ] && result ok "dumps that are killed leave no file, and do no harm" ||
		result "not ok" "dumps that are killed leave no file, and do no harm"
	if kill -0 "$pid" 2>/dev/null; then
		result ok "it runs on"
	else
		result "not ok" "it runs on"
	fi
	ended "$pid" $starter
	commands=('info devices' 'info kernels')
	session core --batch "$files/running"
	sees "its core file" "Core of process $pid (compute)."
	ends_with "status of looking at it" 0
}

shared
full
if [ -z "$is_slow" ]; then
	included
	groups
	stock
	readable
	[ -n "$is_gpu" ] || faulty
	running
fi
finish
