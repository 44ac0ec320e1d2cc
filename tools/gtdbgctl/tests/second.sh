#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A second debugger, and ending a program.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

# While one debugger holds the program, another one tries.
second_debugger() {
	local first held pid message tries

	first=$(mktemp)
	held=$(mktemp -u)
	mkfifo "$held"
	"$tool" run -- "$BUILD/demo/compute" <"$held" >"$first" 2>&1 &
	exec 9>"$held"
	printf 'break 7\nrun\n' >&9
	for ((tries = 0; tries < 300; tries++)); do
		grep -q 'hit Breakpoint' "$first" && break
		sleep 0.1
	done
	pid=$("$tool" list | sed -n 's/^process \([0-9]*\) .*/\1/p')
	message=$("$tool" attach "$pid" 2>&1 </dev/null)
	if [ $? -eq 1 ] && [ "$(wc -l <<<"$message")" -eq 1 ] &&
		[[ $message == *"debugs it already" ]]; then
		result ok "a second debugger is told of the first"
	else
		result "not ok" "a second debugger: $message"
	fi
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
