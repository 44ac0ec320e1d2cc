#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A second debugger, one who only looks, and ending a program.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

# onlooker PID SINCE: time stamps of stops lie between SINCE and their report, in
# ns. What is listed at first has none.
onlooker() {
	local seen

	seen=$(mktemp)
	"$tool" events --json --gpu-time "$1" >"$seen" &
	grows "$seen" '"kind":"synced"'
	printf 'break 7\ncontinue\n' >&9
	grows "$seen" '"breakpoint":2[,}]'
	kill -INT $!
	wait $!
	awk -F'[:,}]' -v since="$2" '
		{ for (i = 1; i < NF; i++) v[$i] = $(i + 1) }
		/gpu_time_ns/ {
			count++
			early = v["\"gpu_time_ns\""] + v["\"gpu_error_ns\""] < since
			late = v["\"gpu_time_ns\""] - v["\"gpu_error_ns\""] > v["\"time_ns\""]
			if (early || late) { print "# " $0; bad++ }
		}
		END { exit !count || bad }' "$seen" &&
		result ok "the device's time is between ours" ||
		{ sed 's/^/# /' "$seen"; result "not ok" "the device's time is between ours"; }
	rm -f "$seen"
}

# While one debugger holds the program, another one tries.
second_debugger() {
	local first held pid message since

	# The clock that is meant is that of /proc/uptime, but for suspends.
	since=$(awk '{ printf "%.0f\n", $1 * 1e9 }' /proc/uptime)

	first=$(mktemp)
	held=$(mktemp -u)
	mkfifo "$held"
	"$tool" run -- "$BUILD/demo/compute" <"$held" >"$first" 2>&1 &
	exec 9>"$held"
	printf 'tbreak compute\nrun\n' >&9
	grows "$first" 'hit Temporary breakpoint'
	pid=$("$tool" list | sed -n 's/^process \([0-9]*\) .*/\1/p')
	message=$("$tool" attach "$pid" 2>&1 </dev/null)
	if [ $? -eq 1 ] && [ "$(wc -l <<<"$message")" -eq 1 ] &&
		[[ $message == *"debugs it already" ]]; then
		result ok "a second debugger learns of the first"
	else
		result "not ok" "a second debugger: $message"
	fi
	onlooker "$pid" "$since"
	printf 'kill\n' >&9
	exec 9>&-
	wait
	if grep -q 'killed]' "$first"; then
		result ok "a program can be killed"
	else
		result "not ok" "a program can be killed"
	fi
	rm -f "$first" "$held"
}

second_debugger
finish
