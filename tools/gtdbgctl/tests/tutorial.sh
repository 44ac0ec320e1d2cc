#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Replays Documentation/tutorial.rst, tutorial-core.rst, tutorial-trace.rst and README.md:
# what they show is what comes. A line with "$ " is a command of the shell; the lines with "(gtdbg) "
# up to the next one are typed at its prompt. Addresses, numbers of processes and times
# are any, and so is what stands for "...".
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

top=$(cd "$(dirname "$0")/../../.." && pwd)
PATH=$(dirname "$tool"):$BUILD/demo:$PATH
export HOME=/nonexistent
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# The literal blocks, without what surrounds them, and without what is not typed.
page() {
	sed '/^\.\. code-block/,/^[^ ]/ { /^\.\. code-block/d; /^ /d }' \
		"$top/Documentation/$1.rst" | sed -n 's/^    //p; /^$/p' |
		awk '/^\$ / { on = 1 } on' | cat -s
}

# Those that are of compute, under the tool alone.
readme() {
	awk '/^```/ { inside = !inside; on = 0; next }
		inside && /^\$ (sudo )?gtdbgctl (run|trace) .*-- compute$/ { on = 1 }
		inside && on' "$top/README.md"
}

any() {
	sed -E 's/0x[0-9a-f]+/0x/g; s/process [0-9]+/process N/
		s/[0-9]+ \(relay\)/N (relay)/; s/[0-9]+\.[0-9]+ ms/N ms/g
		s/[0-9]+ bytes of memory.*/N bytes of memory./
		s/^(compute +1 +)[01] .*[0-9.-]+$/\1/
		s/[01] launches seen, [01] too/N launches seen, N too/; s/[0-9.]+ us$/N us/
		/^(GPU frequency|power|card[0-9]+ frequency|[a-z]+-[0-9] power)[:,]/d
		/^[0-9]+ requests to i915$/d
		s/[[:space:]]+/ /g; /^ ?$/d'
}

# The text as a pattern.
pattern() {
	any | sed -E 's/[][*?\\]/\\&/g; s/(^| )\.\.\.$/\1*/' |
		sed ':a; N; $!ba; s/\*\n/*/g'
}

# replay COMMAND: with the prompt's lines on stdin
replay() {
	local command=$1 expected=$2 typed got wanted

	typed=$(sed -n 's/^(gtdbg) //p' <<<"$expected")
	[[ $command != *--batch* ]] || typed=
	got=$(timeout "${SESSION_TIMEOUT:-900}" bash -c "${command#sudo }" \
		<<<"$typed" 2>&1 | any)
	wanted=$(pattern <<<"$expected")
	# shellcheck disable=SC2053 # it is a pattern
	if [[ $got == $wanted ]]; then
		result ok "$command"
	else
		diff <(any <<<"$expected") <(echo "$got") | sed 's/^/# /'
		result "not ok" "$command"
	fi
}

# replay_all FUNCTION [ARGUMENT]: each command that it prints, with what follows
replay_all() {
	local command="" expected="" line

	while IFS= read -r line; do
		if [[ $line == '$ '* ]]; then
			[ -z "$command" ] || replay "$command" "$expected"
			command=${line#'$ '}
			expected=
		else
			expected+=$line$'\n'
		fi
	done < <("$@")
	replay "$command" "$expected"
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
replay_all page tutorial
replay_all page tutorial-core
replay_all page tutorial-trace
replay_all readme
finish
