#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A trace of a program that launches a kernel three times, read by another reader, and
# its launches compared with what the virtual GPU says of them.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

top=$(cd "$(dirname "$0")/../../.." && pwd)
[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
[ "$(id -u)" -eq 0 ] || skip "it takes root"
# Where the program finds its kernels.
cd "$top/selftests/eu/kernels" || exit 1
# Compiled already, as that would take most of the time.
export EU_TEST_BINARY=$BUILD/selftests/eu/kernels.bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# is NAME COMMAND...: it succeeds
is() {
	if "${@:2}"; then
		result ok "$1"
	else
		sed 's/^/# /' "$work/log" "$work/out" "$work/text"
		result "not ok" "$1"
	fi
}

has() {
	grep -qE "$1" "$2"
}

# lines FILE PATTERN COUNT
lines_are() {
	[ "$(grep -cE "$2" "$1")" -eq "$3" ]
}

VGT_LOG=debug timeout 300 "$tool" trace --door=drm -o "$work/trace" -- \
	"$BUILD/selftests/eu/launch" grind 8 8 3 >"$work/out" 2>"$work/log"
status=$?
touch "$work/text"
is "the program's status is the command's" [ $status -eq 0 ]
/usr/bin/python3 "$top/selftests/perfetto.py" "$work/trace" >"$work/text" 2>>"$work/log"
is "another reader takes the trace" [ $? -eq 0 ]
is "three launches are enqueued" lines_are "$work/text" \
	'^slice launch .* clEnqueueNDRangeKernel .*items_x=8 .*kernel=grind ' 3
is "three are seen, with a flow from the call" lines_are "$work/text" \
	'^slice launch/GPU_[0-9]+/context_[0-9]+ .* grind .*groups_x=1 .*flow_end=' 3
is "the summary has them" has '^grind +3 +3 ' "$work/out"
is "nothing is lost" has '^0 events lost' "$work/out"
is "the GPU's time has a bound" has '^GPU time is right within ' "$work/out"

# What was seen, in ticks of 12 MHz, and what the device says of the same launch differ
# by no more than the time between two looks, which the trace has, and a fifth of the
# launch, in which the device may be between its stamp and what can be seen of it.
compare() {
	sed -n 's/.*walker: kernel .* ran from \([0-9]*\) to \([0-9]*\)/\1 \2/p' \
		"$work/log" >"$work/truth"
	awk '
	function of(name,   i, p) {
		for (i = 6; i <= NF; i++) {
			split($i, p, "=")
			if (p[1] == name)
				return p[2]
		}
		return 0
	}
	BEGIN { n = seen = 0 }
	function min(a, b) { return a < b ? a : b }
	function max(a, b) { return a > b ? a : b }
	# The first look has none before it.
	function open(name) { return of(name) ? of(name) * 0.012 : 1e18 }
	function differ(a, b, may) { return a - b > may || b - a > may }
	FILENAME ~ /truth$/ { begin[n] = $1; end[n++] = $2; next }
	/^slice launch\/GPU.* grind / {
		b = of("gpu_time"); e = of("end_gpu_time")
		fifth = (max(e, end[seen]) - min(b, begin[seen])) / 5
		if (b >= end[seen] || e <= begin[seen] ||
		    differ(b, begin[seen], open("open_ns") + fifth) ||
		    differ(e, end[seen], open("end_open_ns") + fifth)) {
			print "# seen from", b, "to", e, "and it ran from", \
				begin[seen], "to", end[seen]
			bad = 1
		}
		seen++
	}
	END { exit bad || seen != 3 || n != 3 }' "$work/truth" "$work/text"
}
is "each is when the GPU says it was" compare

refusals() {
	"$tool" trace -o /nonexistent/x -- true >"$work/out" 2>&1
	is "a file that cannot be written is an error" has \
		'^gtdbgctl: cannot write /nonexistent/x: No such file' "$work/out"
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
		--bounding-set=-all "$tool" trace -a -o "$work/other" >"$work/out" 2>&1
	is "who may not trace reads what it takes" has \
		'^gtdbgctl: you may not trace: it takes CAP_BPF and CAP_PERFMON' \
		"$work/out"
	ln -s "$work/linked" "$work/gtdbg.pftrace"
	(cd "$work" && "$tool" trace -- true) >"$work/out" 2>&1
	is "a link is no file of ours" has 'cannot write gtdbg.pftrace: it is a link' \
		"$work/out"
	is "nor is what it leads to" [ ! -e "$work/linked" ]
	"$tool" trace -o /dev/full -- true >"$work/out" 2>&1
	is "a full disk is said" has 'cannot write /dev/full to its end: No space' \
		"$work/out"
}
refusals

# records FILE OPTION...: once there is something in the file, as $recorder
records() {
	"$tool" trace "${@:2}" -o "$work/$1" >"$work/$1.out" 2>"$work/log" &
	recorder=$!
	until [ -s "$work/$1" ] || ! kill -0 "$recorder" 2>/dev/null; do
		sleep 0.1
	done
}

# Of all processes, and of one that does nothing while another's thread stops.
sleep infinity &
idle=$!
records idle -p "$idle"
other=$recorder
records all -a
"$tool" run --door=drm -nx --batch -ex 'break grind' -ex run -ex delete -ex continue \
	-- "$BUILD/selftests/eu/launch" grind 8 8 1 </dev/null >"$work/session" 2>&1
kill -INT "$recorder" "$other"
wait "$recorder"
is "Ctrl-C ends it cleanly" [ $? -eq 0 ]
wait "$other"
is "and the other one" [ $? -eq 0 ]
kill "$idle"
cat "$work/all.out" "$work/idle.out" "$work/session" >"$work/text"
is "all processes are seen" has ' calls, 1 launches seen,' "$work/all.out"
is "and that one of them stops" has ', [1-9][0-9]* stops, 0 page faults' "$work/all.out"
is "which is not seen of another" has ' 0 launches seen, .* 0 stops, 0 page faults' \
	"$work/idle.out"
finish
