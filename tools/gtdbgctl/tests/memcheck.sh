#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Kernels that leave their buffers by one element (memcheck.cl) under --memcheck, and
# under the virtual GPU's own checkers.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/memcheck.cl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# place TEXT FUNCTION: how the report of a line with that text begins
place() {
	local line

	line=$(grep -nF -- "$1" "$kernels" | head -1 | cut -d: -f1)
	echo "launch_1.cl:$line: void $2(...): "
}

# missed NAME PLACE WHAT: both in one line. Which item that was is what its lane says.
missed() {
	sees "$1: where" "$2"
	at=$((at - 1))
	sees "$1: what" "$3"
	at=$((at - 1))
}

# fault_lines: what is said of the first fault
fault_lines() {
	printf '%s\n' "${lines[@]}" |
		awk '/^GPU page fault/ && seen++ { exit }
			/^GPU page fault|^Nothing is mapped|^It is mapped|^The page begins|^launch_1.cl:/'
}

# What the virtual GPU itself says of the faults is what the session has told of them,
# one by one: whether memory was read or written, and the very address.
logged() {
	local log told

	log=$(printf '%s\n' "${lines[@]}" |
		sed -n 's/.*: page fault: \([a-z]*\) at \(0x[0-9a-f]*\),.*/\1 \2/p')
	told=$(printf '%s\n' "${lines[@]}" |
		sed -n 's/^launch_1.cl:.* \([a-z]*\)s 4 bytes at \(0x[0-9a-f]*\), .*/\1 \2/p')
	if [ -n "$log" ] && [ "$log" = "$told" ]; then
		result ok "$1"
	else
		diff <(echo "$log") <(echo "$told") | sed 's/^/# /'
		result "not ok" "$1"
	fi
}

# A core file knows the same, of the first fault, as the session did.
dumped() {
	local live

	live=$(fault_lines)
	commands=('print item' 'info threads')
	session core --batch "$work/core"
	if [[ $live == *" past the end of buffer 1 "*$'\n'*" reads 4 bytes at "* ]] &&
		[ "$(fault_lines)" = "$live" ]; then
		result ok "its core file says the same"
	else
		diff <(echo "$live") <(fault_lines) | sed 's/^/# /'
		result "not ok" "its core file says the same"
	fi
	answers "its lane is the current one there" 'print item' '= 63'
	"$tool" core --batch -nx -ex "gcore $work/again" "$work/core" >/dev/null
	cmp "$work/again" "$work/core" && result ok "also when it is written again" ||
		result "not ok" "also when it is written again"
}

# The launch has 64 items and the buffers 64 integers each.
ends() {
	commands=(run 'print item' continue 'print item' continue)
	session run --batch --memcheck "--core-on-fault=$work/core" -- \
		"$launch" "$kernels" past
	sees "a read of one element too many faults" "GPU page fault, device "
	sees "right behind the buffer" \
		"The page begins 0 bytes past the end of buffer 1 of 256 bytes."
	missed "a read is told" "$(place 'next = in[item + 1]' past)" \
		" reads 4 bytes at 0x"
	sees "and how far it has missed" ", 0 bytes past the end of buffer 1 of 256 bytes."
	answers "its lane is the current one" 'print item' '= 63'
	sees "a write of one too many faults" "GPU page fault, device "
	missed "a write is told" "$(place 'out[item + 1] = next' past)" \
		" writes 4 bytes at 0x"
	sees "which is another buffer's end" \
		", 0 bytes past the end of buffer 2 of 256 bytes."
	answers "its lane is the current one, too" 'print item' '= 63'
	sees "what it costs is said" "gtdbg: memcheck: 2 buffers were guarded, 0 with bytes behind their ends where only writes are seen, 0 were not; 7680 bytes for 512 more, "
	sees "the program comes to its end" "exited normally]"
	logged "faults are those that the virtual GPU has logged"
	dumped
}

begins() {
	commands=(run 'print item' continue)
	session run --batch --memcheck=begin -- "$launch" "$kernels" before
	missed "a read before the buffer is told" \
		"$(place 'last = in[item - 1]' before)" " reads 4 bytes at 0x"
	sees "right before it" ", 4 bytes before buffer 1 of 256 bytes."
	answers "its lane is the current one" 'print item' '= 0'
	sees "the program comes to its end" "exited normally]"
	logged "the fault is the one that the virtual GPU has logged"
}

# Its registers tell the work-item, and its source is built to use addresses.
optimized() {
	commands=(run 'print item' continue continue)
	GTDBG_OPTIMIZE=1 session run --batch --memcheck -- "$launch" \
		"$kernels" past
	missed "optimised code: a read is told" ": void past(...): " \
		"global id: [63,0,0] reads 4 bytes at 0x"
	answers "its lane is the current one" 'print item' '= 63'
	missed "a write is told" "$(place 'out[item + 1] = next' past)" \
		"global id: [63,0,0] writes 4 bytes at 0x"
	logged "faults are those that the virtual GPU has logged"
	commands=(run continue)
	GTDBG_OPTIMIZE=1 session run --batch --memcheck=begin --door=socket -- \
		"$launch" "$kernels" before
	missed "a read at the simulator's socket" \
		"$(place 'last = in[item - 1]' before)global id: [0,0,0]" \
		", 4 bytes before buffer 1 of 256 bytes."
	logged "the fault is the one that the virtual GPU has logged"
}

# 65 integers, which is no multiple of the device's alignment.
canary() {
	commands=(run)
	session run --batch --memcheck=aligned -- "$launch" "$kernels" around 65
	sees "a write before a buffer in its page is seen later" \
		"gtdbg: memcheck: up to 4 bytes before buffer 2 of 260 bytes were written to (seen at clEnqueueReadBuffer; kernel around was launched before)."
	sees "as is one behind it" \
		"gtdbg: memcheck: up to 4 bytes past the end of buffer 2 of 260 bytes were written to"
	sees "how many buffers have room for that is said" \
		"gtdbg: memcheck: 2 buffers were guarded, 2 with bytes behind"
	[[ ${lines[*]} != *"page fault"* && ${lines[*]} != *"buffer 1"* ]] &&
		result ok "there is no fault, nor anything wrong with the other" ||
		result "not ok" "there is no fault, nor anything wrong with the other"
}

# found NAME WHAT BUFFER TEXT: the checker's line, and its thread's stop at that text
found() {
	sees "$1 is told" "vgt: bounds: kernel past+0x"
	at=$((at - 1))
	sees "$1: which" "$2 of 4 bytes at offset 256 of buffer $3, which has 256 bytes; work-item (63,0,0)"
	sees "$1: its thread stops" "stopped: A checker has found something."
	sees "$1: right there" "at launch_1.cl:$(grep -nF -- "$4" "$kernels" | cut -d: -f1)"
}

# Nothing faults: both are in the rest of the buffer's page.
checked() {
	commands=(run 'print item' continue 'print item' continue)
	session run --batch --check=bounds,races -- "$launch" "$kernels" past
	found "a checker's read" read '1 (in)' 'next = in[item + 1]'
	answers "it is the thread of items 56 to 63" 'print item' '= 56'
	found "a checker's write" write '2 (out)' 'out[item + 1] = next'
	# The register of its address has another one there, and so has its copy's.
	answers "it has its value at the message itself" 'print item' '= 56'
	sees "what was found is done when it goes on" "exited normally]"
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
ends
begins
optimized
canary
checked
finish
