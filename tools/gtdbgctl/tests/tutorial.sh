#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Replays Documentation/tutorial.rst and tutorial-core.rst: what they show is what
# comes. A line with
# "$ " is a command of the shell; the lines with "(gtdbg) " up to the next one
# are typed at its prompt. Addresses and numbers of processes are any.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

pages=$(cd "$(dirname "$0")/../../../Documentation" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$(dirname "$tool"):$BUILD/demo:$PATH
export HOME=/nonexistent

# The literal blocks, without what surrounds them.
shown() {
	sed -n 's/^    //p; /^$/p' "$1" | awk '/^\$ / { on = 1 } on' | cat -s
}

any() {
	sed -E 's/0x[0-9a-f]+/0x/g; s/process [0-9]+/process N/
		s/[0-9]+ bytes of memory.*/N bytes of memory./' | grep -v '^$'
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
cd "$work" || exit 1
for page in tutorial tutorial-core; do
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
	done < <(shown "$pages/$page.rst")
	replay "$command" "$expected"
done
finish
