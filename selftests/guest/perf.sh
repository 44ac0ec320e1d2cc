#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The module's tracepoints in perf and trace-cmd, as they are: a session on a program
# that launches one kernel in 8 groups of one thread each, all of which stop once.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$top/tools/gtdbgctl/tests/session.bash"

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
[ "${KERNEL-}" != 6.1 ] || [ -n "${GTDBG_TEST_SOAK-}" ] ||
	skip "shown on 6.12, and on 6.1 by the soak"
# Where the program finds its kernels.
cd "$top/selftests/eu/kernels" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/session.sh" <<END
exec $tool run --batch -nx -ex 'break 13' -ex run -ex delete -ex continue \
	-- $BUILD/selftests/eu/launch sample 64 8 >$work/session 2>&1
END

# count PATTERN: lines of the trace that match
count_is() {
	local found

	found=$(grep -cE "$2" "$work/trace")
	if [ "$found" -eq "$3" ]; then
		result ok "$1"
	else
		echo "# $found lines have '$2', not $3"
		grep gtdbg_ "$work/trace" | head -40 | sed 's/^/# /'
		result "not ok" "$1"
	fi
}

# Reasons: 2 is the breakpoint's bit.
trace_is_right() {
	count_is "$1: one launch, of 8 groups" \
		'gtdbg_kernel_submit: .*\bgroups=8x1x1\b' 1
	count_is "$1: eight stops at the breakpoint" \
		'gtdbg_thread_stop: .*\breasons=0x2\b' 8
}

perf_records() {
	perf list 'gtdbg:*' 2>/dev/null | grep -q gtdbg:gtdbg_thread_stop &&
		result ok "perf list names the tracepoints" ||
		result "not ok" "perf list names the tracepoints"
	timeout 900 perf record -q -a -e 'gtdbg:*' -o "$work/perf.data" \
		sh "$work/session.sh" >"$work/log" 2>&1
	perf script -i "$work/perf.data" >"$work/trace" 2>>"$work/log"
	trace_is_right "perf script"
}

trace_cmd_records() {
	timeout 900 trace-cmd record -q -e gtdbg -o "$work/trace.dat" \
		sh "$work/session.sh" >"$work/log" 2>&1
	trace-cmd report "$work/trace.dat" >"$work/trace" 2>>"$work/log"
	trace_is_right "trace-cmd report"
}

# Of the table in the manual: "EVENT FIELD FIELD...". What is in parentheses or behind
# a colon is about them.
documented() {
	awk '/^gtdbg_[a-z_]+  / { if (row) print row; row = $0; next }
	     row && /^  / { row = row " " $0; next }
	     row { print row; row = "" }' "$top/Documentation/events.rst" |
		sed -E 's/\([^)]*\)//g; s/:.*//; s/,//g; s/ +/ /g; s/ $//' |
		awk '$2 == "the" { $0 = $1 fields } { fields = substr($0, length($1) + 1) }
		     { print }' | sort
}

# Of the module. One process for all of them: they take long to start in a guest.
traced() {
	awk 'FNR == 1 { if (row) print row
			parts = split(FILENAME, part, "/"); row = part[parts - 1] }
	     /\tfield:/ && !/common_/ {
			sub(/;\toffset.*/, ""); sub(/\[[^]]*\]$/, "")
			words = split($0, word, " "); row = row " " word[words] }
	     END { print row }' /sys/kernel/tracing/events/gtdbg/*/format |
		sort
}

if diff <(documented) <(traced) >"$work/differences"; then
	result ok "the manual has each tracepoint with its fields"
else
	sed 's/^/# /' "$work/differences"
	result "not ok" "the manual has each tracepoint with its fields"
fi

for name in perf trace-cmd; do
	if command -v "$name" >/dev/null; then
		"${name/-/_}_records"
	else
		result ok "$name # SKIP it is not installed"
	fi
done
finish
