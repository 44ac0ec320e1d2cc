#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Joining running programs, leaving them unharmed, and refusals in one line.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

folder=$(mktemp -d)
output=$folder/output
trap 'rm -rf "$folder"; kill $(jobs -p) 2>/dev/null' EXIT

# start SIP: starts compute, waits until it has built its kernel.
start() {
	echo "# $1"
	pid=
	"$tool" run --attachable "$1" -- "$BUILD/demo/compute" 1000000 100 \
		>"$output" 2>&1 &
	starter=$!
	while kill -0 "$starter" 2>/dev/null; do
		pid=$("$tool" list 2>/dev/null |
			sed -n 's/^process \([0-9]*\) (compute)$/\1/p')
		[ -n "$pid" ] && "$tool" attach --batch -ex 'info kernels' \
			"$pid" | grep -q '^1 *compute' && return
		sleep 0.2
	done
	result "not ok" "a program can be attached to"
	finish
}

refusals() {
	local message denied="gtdbgctl: you may not use /dev/gtdbg-vgt: join the group gtdbg "

	[ -z "$is_gpu" ] ||
		denied="gtdbgctl: you may not use /dev/gtdbg-pci: join the group render "

	message=$("$tool" attach 999999 2>&1)
	[ $? -eq 1 ] && [ "$(wc -l <<<"$message")" -eq 1 ] &&
		[[ $message == "gtdbgctl: cannot attach to process 999999: No such process" ]] &&
		result ok "no such process" || result "not ok" "no such process: $message"
	message=$("$tool" attach $$ 2>&1)
	[ $? -eq 1 ] && [[ $message == *"it does not use the GPU under gtdbg: start it with "* ]] &&
		result ok "a process without GPU use" ||
		result "not ok" "a process without GPU use: $message"
	message=$("$tool" attach --batch -ex detach "$pid" 2>&1)
	[ $? -eq 0 ] && result ok "attach and detach" ||
		result "not ok" "attach and detach: $message"
	message=$(setpriv --reuid=65534 --regid=65534 --clear-groups \
		--inh-caps=-all --bounding-set=-all \
		"$tool" attach "$pid" 2>&1)
	[ $? -eq 1 ] && [ "$(wc -l <<<"$message")" -eq 1 ] &&
		result ok "another user's process" ||
		result "not ok" "another user's process: $message"
	message=$(setpriv --reuid=65534 --regid=65534 --clear-groups \
		--inh-caps=-all --bounding-set=-all \
		"$tool" run --batch -ex run -- echo started 2>&1)
	[ $? -eq 1 ] && [[ $message == "$denied"* ]] &&
		[ "$(wc -l <<<"$message")" -eq 1 ] &&
		result ok "who may not offer a GPU learns it before the program starts" ||
		result "not ok" "who may not offer a GPU: $message"
}

# The launch was under way: which of its threads come to the line is open. The
# current one's lanes hold neighbouring items, and an odd item's point is 100 above.
variables() {
	local i lane value index=() current=

	answers "variables are there" 'print point' '= 1'
	value=${lines[at]##*= }
	for ((i = at; i < ${#lines[@]}; i++)); do
		[[ ${lines[i]} =~ ^([* ])\ [0-9.]+:([0-9]+)$'\t'([0-9]+) ]] || continue
		lane=${BASH_REMATCH[2]}
		index[lane]=${BASH_REMATCH[3]}
		[ "${BASH_REMATCH[1]}" = " " ] || current=$lane
	done
	for ((i = 0; i < 8; i++)); do
		[ -n "$current" ] &&
			[ "${index[i]:-none}" = $((value - 100 - current + i)) ] &&
			continue
		printf '# value %s\n' "$value"
		printf '# %s\n' "${lines[@]:at}"
		result "not ok" "in all lanes"
		return
	done
	result ok "in all lanes"
}

joining() {
	commands=('break 7' continue 'print point' 'lanes index' delete detach)
	session attach --batch "$pid"
	sees "the breakpoint is placed at once" "Breakpoint 1 at <compute+"
	sees "the next launch stops" "hit Breakpoint 1, compute (in=0x"
	variables
	sees "the program is left" "detached]"
	ends_with "status" 0
}

# What line 8 has is said of each lane, until Ctrl-C.
tracing() {
	local tracer line wrong="no line"

	"$tool" print-trace -p "$pid" '8 index,point' >"$folder/trace" 2>&1 &
	tracer=$!
	grows "$folder/trace" 'point = '
	kill -INT "$tracer"
	wait "$tracer"
	[ $? -eq 0 ] && result ok "Ctrl-C ends print-trace" ||
		result "not ok" "Ctrl-C ends print-trace"
	while read -r line; do
		[[ $line =~ ^2\.[0-9]+:([0-7])\ 8\ index\ =\ ([0-9]+)\ point\ =\ (-?[0-9]+)$ ]] &&
			((BASH_REMATCH[1] == BASH_REMATCH[2] % 8 && BASH_REMATCH[3] ==
				(BASH_REMATCH[2] % 2 ? -1 : BASH_REMATCH[2] + 1100))) ||
			{ wrong=$line; break; }
		wrong=
	done < <(grep 'point = ' "$folder/trace")
	if [ -z "$wrong" ]; then
		result ok "it says what each lane has"
	else
		sed 's/^/# /' "$folder/trace"
		result "not ok" "it says what each lane has: $wrong"
	fi
	"$tool" print-trace -p "$pid" '8 index' >"$folder/ended" 2>&1 &
	tracer=$!
	grows "$folder/ended" 'index = '
	kill -TERM "$tracer"
	wait "$tracer"
	[ $? -eq 143 ] && result ok "one that is ended says by what" ||
		result "not ok" "one that is ended says by what"
	line=$("$tool" print-trace -p "$pid" '8 nosuch' 2>&1)
	[ $? -eq 1 ] && [[ $line == *'No symbol "nosuch" in current context.' ]] &&
		result ok "what is no variable ends it" ||
		result "not ok" "what is no variable ends it: $line"
}

ending() {
	kill "$pid"
	wait "$starter"
	if [ $? -eq 0 ] &&
		grep -q '^1100 -1 1102 -1 .* 1162 -1$' "$output"; then
		result ok "the program ends with right results"
	else
		sed 's/^/# /' "$output"
		result "not ok" "the program ends with right results"
	fi
}

start --sip=own
refusals
joining
tracing
ending
start --sip=stock
joining
ending
finish
