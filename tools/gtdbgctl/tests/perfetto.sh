#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is written for Perfetto, read by protobuf's own library: all of it, what a killed
# writer has left, and what a full disk has.
set -u
# shellcheck source=tools/gtdbgctl/tests/tap.bash
. "$(dirname "$0")/tap.bash"

top=$(cd "$(dirname "$0")/../../.." && pwd)
BUILD=${BUILD:-$(dirname "${GTDBGCTL:?path of the tool}")/..}
writer=$BUILD/gtdbgctl/tests/perfetto
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
	result "not ok" "$1"
}

# The numbers of all events, in the order of their times; fails if it is no trace.
numbers() {
	/usr/bin/python3 "$top/selftests/perfetto.py" "$work/file" >"$work/text" \
		2>>"$work/err" &&
		sed -n 's/.* event number=\([0-9]*\) .*/\1/p' "$work/text" >"$work/numbers"
}

# Those with 4,000 characters and more may be missing.
follow() {
	awk '
	function is_long(n) { return n % 10 == 0 && n * 37 % 5000 >= 4000 }
	{
		while (next_one < $1 && is_long(next_one))
			next_one++
		bad = bad || $1 != next_one++
	}
	END { exit bad || !NR }' "$work/numbers"
}

# Packets and their lengths, by hand: none lies in two pages.
pages() {
	/usr/bin/python3 - "$work/file" 2>>"$work/err" <<-'END'
	import sys
	data = open(sys.argv[1], "rb").read()
	at = 0
	while at < len(data):
	    begin, length, shift = at, 0, 0
	    assert data[at] == 10, f"no packet at {at}"
	    while True:
	        at += 1
	        length |= (data[at] & 127) << shift
	        shift += 7
	        if data[at] < 128:
	            break
	    at += 1 + length
	    assert begin // 4096 == (at - 1) // 4096, f"a packet from {begin} to {at}"
	assert at == len(data), "cut"
	END
}

"$writer" 10000 "$work/file" 2>"$work/err"
is "a trace is written" [ $? -eq 0 ]
is "and read" numbers
is "nothing of it is missing" follow
is "to the last one" [ "$(tail -n 1 "$work/numbers")" = 9999 ]
is "no packet lies in two pages" pages

# killed: once something is in the file, at any moment
killed() {
	local round

	for round in {1..10}; do
		"$writer" endless "$work/file" 2>"$work/err" &
		until [ "$(stat -c %s "$work/file" 2>/dev/null || echo 0)" -gt \
			$((round * 30000)) ]; do
			kill -0 $! 2>/dev/null || return 1
		done
		kill -KILL $!
		wait $! 2>/dev/null
		numbers && follow && pages || return 1
		rm "$work/file"
	done
}
is "what a killed writer has left is whole" killed

"$writer" full "$work/file" 2>"$work/err"
is "a full disk is an error" [ $? -eq 1 ]
is "with its reason" grep -q 'File too large' "$work/err"
is "what is on it is read" numbers
is "and nothing is missing before its end" follow

# Of long traces: what is kept is not the trace.
small() {
	local kib

	"$BUILD/gtdbgctl/tests/convert" 1000000 "$work/$1" >"$work/err" 2>&1 || return 1
	kib=$(sed -n 's/^100000. records, .* \([0-9]*\) KiB of memory$/\1/p' "$work/err")
	[ "${kib:-1000000}" -le $((200 * 1024)) ]
}
is "a million records take less than 200 MiB of memory" small million
is "also as CTF" small million.ctf
finish
