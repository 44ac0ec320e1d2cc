#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Replays Documentation/tutorial.rst: what it shows is what comes. A line with
# "$ " is a command of the shell; the lines with "(gtdbg) " up to the next one
# are typed at its prompt. Addresses and numbers of processes are any.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

page=$(dirname "$0")/../../../Documentation/tutorial.rst
PATH=$(dirname "$tool"):$BUILD/demo:$PATH
export HOME=/nonexistent

# The literal blocks, without what surrounds them.
shown() {
	sed -n 's/^    //p; /^$/p' "$page" | awk '/^\$ / { on = 1 } on' | cat -s
}

any() {
	sed -E 's/0x[0-9a-f]+/0x/g; s/process [0-9]+/process N/' | grep -v '^$'
}

# replay COMMAND: with the prompt's lines on stdin
replay() {
	local command=$1 expected=$2 typed got

	typed=$(sed -n 's/^(gtdbg) //p' <<<"$expected")
	[[ $command != *--batch* ]] || typed=
	got=$(timeout "${SESSION_TIMEOUT:-900}" bash -c "$command" \
		<<<"$typed" 2>&1 | any)
	if [ "$got" = "$(any <<<"$expected")" ]; then
		result ok "$command"
	else
		diff <(any <<<"$expected") <(echo "$got") | sed 's/^/# /'
		result "not ok" "$command"
	fi
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
command=
expected=
while IFS= read -r line; do
	if [[ $line == '$ '* ]]; then
		[ -z "$command" ] || replay "$command" "$expected"
		command=${line#'$ '}
		expected=
	else
		expected+=$line$'\n'
	fi
done < <(shown)
replay "$command" "$expected"
finish
