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
# Compiled already, as that would take most of the time.
export EU_TEST_BINARY=$BUILD/selftests/eu/kernels.bin
# Where the program finds its kernels.
cd "$top/selftests/eu/kernels" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# is NAME WORDS WORDS
is() {
	if [ "$2" = "$3" ]; then
		result ok "$1"
	else
		echo "# $2, not $3"
		printf '# %s\n' "${lines[@]}"
		result "not ok" "$1"
	fi
}

# As where the kernel was built without type information, which none of these takes.
untyped() {
	unshare -m sh -c 'mount -t tmpfs none /sys/kernel/btf && exec "$@"' sh "$@"
}

# looks NAME ARGUMENT...: starts one of the programs on the one that is debugged; what it
# prints is in the file of its name
looks() {
	local file=$work/$1

	: >"$file"
	untyped "$BUILD/bpf/$1" "$(pgrep -fx "${program[*]}")" "${@:2}" >>"$file" 2>&1 &
	until grep -q counting "$file" || ! kill -0 $! 2>/dev/null; do
		sleep 0.1
	done
}

# The debugger sets a breakpoint, and goes on when the programs look, so many times.
# debugs TIMES NAME...
debugs() {
	local name i

	rm -f "$work/commands" "$work/session"
	: >"$work/session"
	mkfifo "$work/commands"
	timeout 900 "$tool" run -nx -- "${program[@]}" <"$work/commands" \
		>"$work/session" 2>&1 &
	exec 3>"$work/commands"
	printf '%s\n' 'tbreak sample' run 'break 13' 'print 4711' >&3
	grows "$work/session" '= 4711'
	for name in "${@:2}"; do
		# shellcheck disable=SC2086 # with its arguments
		looks $name
	done
	for ((i = 0; i < $1; i++)); do
		echo continue >&3
	done
	exec 3>&-
	wait
	mapfile -t lines <"$work/session"
	at=0
}

debugs 1 "histogram r0.1" lines
sees "the program stops where BPF is not asked" "hit Temporary breakpoint 1"
sees "what BPF lets run on is no stop for the debugger" "exited normally]"
mapfile -t lines < <(awk -F'\t' '/^[0-9]/ { n[$2]++; sum += $1; k++ }
	END { for (c in n) different++; print k, sum, different }' \
	"$work/histogram"; cat "$work/histogram")
at=0
sees "each of the eight groups is counted, as often as the others" "8 28 1"
mapfile -t lines <"$work/lines"
is "lines: all eight are at the line of the breakpoint" \
	"$(sed -n 's/^\([0-9]*\)\t.*:/\1 /p' "$work/lines")" "8 13"

# The debugger may see several of the three at once. The time is over when the test is.
debugs 4 "limit 3 1000000"
sees "limit: the debugger sees a stop" "hit Breakpoint 2"
sees "limit: and the program's end" "exited normally]"
mapfile -t lines <"$work/limit"
is "limit: of eight stops three are reported" "${lines[1]-}" "3 stops reported, 5 ran on"

# bpftrace_on COMMANDS SCRIPT...: what they print while the commands run, all as one,
# for bpftrace takes its time to start, and has one END at most
bpftrace_on() {
	awk '/^#!/ { next }
	     /^END$/ { is_end = 1; next }
	     is_end && /^}/ { is_end = 0; next }
	     is_end { if ($0 != "{") end = end $0 "\n"; next }
	     { print }
	     END { if (end) printf "END\n{\n%s}\n", end }' "${@:2}" >"$work/all.bt"
	mapfile -t lines < <(timeout 900 bpftrace -c "/bin/sh $1" "$work/all.bt" 2>&1)
	at=0
}

# A session that stops all threads at line 13 once, and one whose reader is too slow
# for ten events.
scripts() {
	cat >"$work/session.sh" <<-END
		$tool run --batch -nx -ex 'break 13' -ex run -ex delete \
			-ex continue -- ${program[*]} >$work/session 2>&1
		$BUILD/selftests/event -t overflow_says_how_many_were_lost \
			>$work/overflow 2>&1
	END
	bpftrace_on "$work/session.sh" \
		"$top"/tools/bpf/{launches,sessions,stopped,stops}.bt
}

# A kernel that takes many looks of the module's, with nobody debugging, and one that
# leaves its buffers, in a session; for that the driver of a GPU does not ask.
watches() {
	cat >"$work/watched.sh" <<-END
		$tool run --attachable -- ${program[0]} grind 64 8 3 >$work/free 2>&1
		[ -n "$is_gpu" ] || $tool run --batch -nx -ex 'break stray' -ex run \
			-ex delete -ex continue -- $BUILD/gtdbgctl/tests/launch \
			$top/tools/gtdbgctl/tests/programs.cl stray 8 \
			>$work/session 2>&1
	END
	bpftrace_on "$work/watched.sh" "$top"/tools/bpf/{faults,latency}.bt
}

# sum PATTERN: of the numbers at the ends of the lines that match
sum() {
	printf '%s\n' "${lines[@]}" | awk -v p="$1" '
		$0 ~ p { n += $NF } END { print n + 0 }'
}

# hits MAP: of the histograms in it
hits() {
	printf '%s\n' "${lines[@]}" | awk -F'[)|]' -v map="$1" '
		/^@/ { is_in = index($0, map) == 1 }
		is_in && /^\[/ { n += $2 }
		END { print n + 0 }'
}

if ! command -v bpftrace >/dev/null; then
	result ok "scripts # SKIP there is no bpftrace"
	finish
fi
scripts
is "stops.bt: eight threads stop at the breakpoint" "$(sum '^@stops.*, 2]')" 8
is "launches.bt: one launch" "$(sum '^@launches')" 1
is "launches.bt: of eight groups" "$(sum '^@groups')" 8
# How many wait at the entry is not the same each time.
is "stopped.bt: a pause for each stop" "$(hits '@us')" "$(sum '^@stops')"
is "sessions.bt: ten events are lost" "$(sum '^@events_lost')" 10
sees "sessions.bt: the debugger comes" "gtdbgctl ("
sees "sessions.bt: and goes" " leaves process "
watches
# On a GPU of the machine so short ones are seen by luck.
if [ -z "$is_gpu" ]; then
	is "latency.bt: three launches have waited" "$(hits '@wait_us[grind]')" 3
	is "latency.bt: and run" "$(hits '@run_us[grind]')" 3
	# How many pages it touches until all its threads stand still is not the same each time.
	faulted=": page fault at 0x[0-9a-f]+, type [0-9]+: process [1-9][0-9]*, kernel stray$"
	faults=$(printf '%s\n' "${lines[@]}" | grep -cE "$faulted")
	is "faults.bt: whose kernel it was" "$(sum '^@faults.[1-9]')" "$((faults ? faults : -1))"
fi
finish
