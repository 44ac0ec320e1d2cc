#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What tools/bpf/ shows of a session on a program that launches 64 items in 8
# groups of one thread each. r0.1 of a thread is the number of its group.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$top/tools/gtdbgctl/tests/session.bash"

[ "${KERNEL-6.12}" = 6.12 ] || skip "shown on 6.12"
program=("$BUILD/selftests/eu/launch" sample 64 8)
# Where the program finds its kernels.
cd "$top/selftests/eu/kernels" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The debugger sets a breakpoint, and does not notice that it is hit.
histogram() {
	mkfifo "$work/commands"
	timeout 900 "$tool" run -nx -- "${program[@]}" <"$work/commands" \
		>"$work/session" 2>&1 &
	exec 3>"$work/commands"
	printf '%s\n' 'tbreak sample' run 'break 13' 'print 4711' >&3
	grows "$work/session" '= 4711'
	: >"$work/values"
	"$BUILD/bpf/histogram" "$(pgrep -fx "${program[*]}")" r0.1 >>"$work/values" 2>&1 &
	until grep -q counting "$work/values" || ! jobs -r %2 >/dev/null 2>&1; do
		sleep 0.1
	done
	echo continue >&3
	exec 3>&-
	wait
}

histogram
mapfile -t lines <"$work/session"
sees "the program stops where BPF is not asked" "hit Temporary breakpoint 1"
sees "what BPF lets run on is no stop for the debugger" "exited normally]"
mapfile -t lines < <(awk -F'\t' '/^[0-9]/ { n[$2]++; sum += $1; k++ }
	END { for (c in n) different++; print k, sum, different }' \
	"$work/values"; cat "$work/values")
at=0
sees "each of the eight groups is counted, as often as the others" "8 28 1"

# All scripts as one, for bpftrace takes its time to start, for a session that
# stops all threads at line 13 once.
scripts() {
	cat >"$work/session.sh" <<-END
		exec $tool run --batch -nx -ex 'break 13' -ex run -ex delete \
			-ex continue -- ${program[*]} >$work/session 2>&1
	END
	cat "$top"/tools/bpf/*.bt | grep -v '^#!' >"$work/all.bt"
	mapfile -t lines < <(timeout 900 bpftrace \
		-c "/bin/sh $work/session.sh" "$work/all.bt" 2>&1)
	at=0
}

# sum PATTERN: of the numbers at the ends of the lines that match
sum() {
	printf '%s\n' "${lines[@]}" | awk -v p="$1" '
		$0 ~ p { n += $NF } END { print n + 0 }'
}

# is NAME NUMBER NUMBER
is() {
	if [ "$2" = "$3" ]; then
		result ok "$1"
	else
		printf '# %s\n' "${lines[@]}"
		result "not ok" "$1"
	fi
}

if ! command -v bpftrace >/dev/null; then
	result ok "scripts # SKIP there is no bpftrace"
else
	scripts
	is "stops.bt: eight threads stop at the breakpoint" \
		"$(sum '^@stops.*, 2]')" 8
	is "launches.bt: one launch" "$(sum '^@launches')" 1
	is "launches.bt: of eight groups" "$(sum '^@groups')" 8
	# How many wait at the entry is not the same each time.
	is "stopped.bt: a pause for each stop" \
		"$(printf '%s\n' "${lines[@]}" |
			awk -F'[)|]' '/^\[/ { n += $2 } END { print n + 0 }')" \
		"$(sum '^@stops')"
	sees "sessions.bt: the debugger comes" "gtdbgctl ("
	sees "sessions.bt: and goes" " leaves process "
fi
finish
