#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is written as CTF, read by babeltrace2, which refuses a stream whose times go back.
set -u
# shellcheck source=tools/gtdbgctl/tests/tap.bash
. "$(dirname "$0")/tap.bash"

BUILD=${BUILD:-$(dirname "${GTDBGCTL:?path of the tool}")/..}
writer=$BUILD/gtdbgctl/tests/ctf

command -v babeltrace2 >/dev/null || skip "there is no babeltrace2"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "TAP version 13"

# is NAME COMMAND...: it succeeds
is() {
	if "${@:2}"; then
		result ok "$1"
		return
	fi
	sed 's/^/# /' "$work/err" | tail -n 20
	tail -n 3 "$work/text" | sed 's/^/# /'
	result "not ok" "$1"
}

# writes HOW: its status, and what babeltrace2 makes of it as text and err
writes() {
	"$writer" "$1" "$work/$1" 2>"$work/err"
	status=$?
	reads "$1"
}

reads() {
	babeltrace2 --clock-seconds "$work/$1" >"$work/text" 2>>"$work/err"
	taken=$?
}

# The threads of all events are 0 to N - 1, in that order.
threads_are() {
	sed -n 's/.* tid = \([0-9]*\),.*/\1/p' "$work/text" |
		cmp -s - <(seq 0 $(($1 - 1)))
}

whole() {
	local file size

	for file in "$work/$1"/[!m]*; do
		size=$(stat -c %s "$file")
		[ $((size % 4096)) -eq 0 ] || return 1
	done
}

# The first event is of now, by the clock on the wall, which may be set meanwhile.
is_now() {
	local first

	first=$(sed -n '1s/^\[\([0-9]*\)\..*/\1/p' "$work/text")
	[ -n "$first" ] && [ $(($(date +%s) - first)) -lt 600 ] &&
		[ $((first - $(date +%s))) -lt 600 ]
}

writes order
is "a trace is written" [ $status -eq 0 ]
is "babeltrace2 reads it" [ $taken -eq 0 ]
# The last event is one that an earlier one might still follow.
is "what came out of order is in order, and what may not be written is not" \
	threads_are 999
is "events have their fields" grep -q \
	'opencl:clFinish_entry: .*pid = 1, .*procname = "sixteen letters!".*queue = 0xC0FFEE' \
	"$work/text"
is "the clock has an offset" is_now
modes=$(stat -c %a "$work/order" "$work/order"/* | sort -u | xargs)
is "it is its owner's only" [ "$modes" = "600 700" ]
"$writer" order "$work/order" 2>"$work/err"
is "no folder is written twice" grep -q 'File exists' "$work/err"

writes discard
is "lost events are said" grep -q 'discarded 7 events' "$work/err"
writes many
is "more devices than open files" [ "$(grep -c launch_end "$work/text")" -eq 160 ]
is "a time that went back is wrong by as much more" \
	[ "$(grep -c 'error_ns = 121 ' "$work/text")" -eq 40 ]
writes full
is "a full disk is an error" [ $status -eq 1 ]
is "what is on it is whole" whole full
is "and is read" [ $taken -eq 0 ]
is "up to where it was full" threads_are "$(grep -c clFinish "$work/text")"
is "which is something" grep -q clFinish "$work/text"

"$writer" endless "$work/endless" 2>"$work/err" &
writing=$!
until [ "$(stat -c %s "$work/endless/calls" 2>/dev/null || echo 0)" -gt 100000 ] ||
	! kill -0 $writing 2>/dev/null; do
	sleep 0.01
done
kill -KILL $writing
wait $writing 2>/dev/null
reads endless
is "what a killed writer has left is whole" whole endless
is "and is read" [ $taken -eq 0 ]
is "with all that was complete" threads_are "$(grep -c clFinish "$work/text")"
finish
