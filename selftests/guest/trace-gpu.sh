#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A trace of a program on a GPU that stock i915 drives: its requests are those that the
# kernel's own tracer has recorded meanwhile, and its launches lie inside of them.
set -u

# shellcheck source=selftests/guest/gpu.bash
. "$(dirname "$0")/gpu.bash"

top=$(cd "$(dirname "$0")/../.." && pwd)
tracefs=/sys/kernel/tracing
launches=2
timeout=/sys/class/drm/$card/engine/rcs0/preempt_timeout_ms
launch=("$BUILD/selftests/eu/launch" grind 4096 8 "$launches")
export EU_TEST_BINARY=$BUILD/selftests/eu/kernels.bin
folder=$(mktemp -d)
others=
trap 'others_end; rm -rf "$folder"; echo 0 | tee $tracefs/events/{i915,gtdbg}/enable >/dev/null' EXIT
cd "$folder" || exit

# Everything of i915's, with the thread that was on the CPU.
ftrace_begin() {
	mountpoint -q $tracefs || mount -t tracefs none $tracefs || return
	: >$tracefs/trace
	echo 8192 >$tracefs/buffer_size_kb
	echo 1 >$tracefs/events/i915/i915_request_add/enable &&
		echo 1 >$tracefs/events/i915/i915_request_retire/enable &&
		echo 1 >$tracefs/events/i915/i915_request_wait_begin/enable &&
		echo 1 >$tracefs/events/gtdbg/gtdbg_launch_begin/enable &&
		echo 1 >$tracefs/events/gtdbg/gtdbg_launch_end/enable &&
		echo 1 >$tracefs/events/gtdbg/gtdbg_context_switch/enable
}

records() {
	ftrace_begin || return
	# Where the program finds its kernels.
	(cd "$top/selftests/eu/kernels" &&
		timeout 900 "$tool" trace -o "$folder/trace" -- "${launch[@]}") >out 2>log
	local status=$?

	echo 0 | tee $tracefs/events/{i915,gtdbg}/enable >/dev/null
	cat $tracefs/trace >theirs
	cat out log
	[ $status -eq 0 ] && ! grep -q 'LOST' theirs
}

is_read() {
	/usr/bin/python3 "$top/selftests/perfetto.py" trace >text
}

# Of the program's threads, as "timeline number", from the kernel's tracer and from ours.
same_requests() {
	sed -n 's/^ *launch-\([0-9]*\) .* i915_request_add: .*engine=\([0-9:]*\), ctx=\([0-9]*\), seqno=\([0-9]*\),.*/\3 \4 \1/p' \
		theirs | sort >their_requests
	sed -n 's/^slice i915_card[0-9]*_[a-z0-9]*\/request_[0-9]* .* timeline=\([0-9]*\) number=\([0-9]*\) pid=[0-9]* tid=\([0-9]*\).*/\1 \2 \3/p' \
		text | sort >our_requests
	wc -l their_requests our_requests
	[ "$(wc -l <their_requests)" -ge $launches ] &&
		comm -23 their_requests our_requests | sed 's/^/missing: /' | tee missing &&
		! [ -s missing ]
}

# A request has begun before its launch, and ended after it, as far as the ends of both
# are known: to the time between two looks. One that lies between two is but counted. On a busy
# host one may take so long that the heartbeat of i915 takes it off the engine: in several parts.
launches_in_requests() {
	awk '
	BEGIN { m = n = seen = short = error = 0 }
	function of(name,   i, p) {
		for (i = 6; i <= NF; i++) {
			split($i, p, "=")
			if (p[1] == name)
				return p[2]
		}
		return 0
	}
	/^GPU time is right within / { error = 1000 * $6 + 1000 }
	match($0, /[0-9]+ too short to be seen/) { short = substr($0, RSTART) + 0 }
	$1 == "slice" && $2 ~ /^i915_card[0-9]*_(rcs|ccs)0\/request_/ { from[n] = $3; to[n++] = $4 }
	$2 ~ /\/GPU_[0-9]+\/context_[0-9]+$/ && $5 == "grind" {
		begin[m] = $3; end[m] = $4
		may[m++] = of("end_open_ns") + error
	}
	END {
		for (i = 0; i < m; i++) {
			for (j = 0; j < n; j++)
				if (from[j] <= begin[i] + error && end[i] <= to[j] + may[i])
					break
			if (j == n) {
				print "no request has the launch from", begin[i], \
					"to", end[i]
				bad = 1
			} else if (!(j in used)) {
				used[j] = 1
				seen++
			}
		}
		print m, "parts of launches in", seen, "requests,", short, "unseen,", n, "requests"
		if (seen < 1 || seen + short != launches) {
			for (i = 0; i < m; i++)
				print "a launch from", begin[i], "to", end[i]
			for (i = 0; i < n; i++)
				print "a request from", from[i], "to", to[i]
			bad = 1
		}
		exit bad
	}' launches=$launches out text
}

waits_are_seen() {
	local ours theirs

	ours=$(grep -c '^slice launch/waits_in_i915 .* wait ' text)
	theirs=$(grep -c '^ *launch-.* i915_request_wait_begin: ' theirs)
	echo "$ours of $theirs"
	[ "$ours" -eq "$theirs" ]
}

# None is left when the program has ended.
requests_are_counted() {
	awk '$1 == "counter" && $2 ~ /_rcs0\/requests$/ {
		last = $4; n++
		if ($4 > most) most = $4
		if ($4 < 0) bad = 1
	}
	END { print n, "levels, at most", most; exit bad || !n || most < 1 || last }' text
}

# Each event has a pair of readings of both clocks with a read of a register in between,
# so it is wrong by half of what that took, and what the counter is a tick of: 84 ns. In a
# guest that has its CPUs for itself a read takes 14 us, which the bound is for; what a
# busy host does to a read is none of the trace's.
clock_is_right() {
	awk '
	match($0, /span_ns=[0-9]+/) {
		span = substr($0, RSTART + 8, RLENGTH - 8) + 0
		if (span > longest) longest = span
		if (!n++ || span < shortest) shortest = span
	}
	/^GPU time is right within / { us = $6; is_said = 1 }
	END {
		print "# GPU time is right within", us, "us; of", n, \
			"readings the shortest took", shortest / 1000, \
			"us, the longest", longest / 1000
		exit !is_said || !n || us > longest / 2000 + 0.3 ||
			(longest <= 19000 && us > 10)
	}' theirs out
}

frequency_is_read() {
	local now

	now=$(cat /sys/class/drm/card*/gt_act_freq_mhz)
	echo "now $now"
	grep -qE '^GPU frequency|^card[0-9]+ frequency, MHz: [0-9]+ on average' out &&
		grep -qE "^counter card[0-9]+_frequency,_MHz [0-9]+ $now$" text
}

# Another process, for which i915 takes the program's launches off the engine; however long
# that takes on a busy host, it must not take it for a hang.
others_begin() {
	patience=$(cat "$timeout") && echo 0 >"$timeout" || return
	"$BUILD/selftests/i915/engines" urgent &
	others=$!
}

others_end() {
	local status=0

	[ -n "$others" ] || return 0
	kill "$others"
	wait "$others" || status=$?
	others=
	echo "$patience" >"$timeout"
	return "$status"
}

babeltrace_reads() {
	local status

	others_begin || return
	(cd "$top/selftests/eu/kernels" &&
		timeout 900 "$tool" trace -o "$folder/trace.ctf" -- "${launch[@]}") >out
	status=$?
	others_end && [ $status -eq 0 ] && babeltrace2 trace.ctf >events &&
		grep -q 'i915:request_add: .*engine = "rcs0"' events &&
		grep -q 'i915:request_retire: ' events &&
		[ "$(grep -c 'i915:request_done: ' events)" -ge 1 ]
}

# Each goes on under the number that it had.
parts_are_one_launch() {
	awk '
	/ gtdbg:launch_begin: .*kernel = "grind"/ {
		match($0, / serial = [0-9]+/)
		serial[substr($0, RSTART + 10, RLENGTH - 10)]
		parts++
	}
	$1 == "grind" { summary = $3 }
	match($0, /[0-9]+ too short to be seen/) { short = substr($0, RSTART) + 0 }
	END {
		for (i in serial)
			n++
		print parts, "parts of", n, "launches,", short + 0, "unseen"
		exit n < 1 || n + short != launches || parts <= n || summary != n
	}' launches=$launches out events
}

echo "TAP version 13"
echo "1..10"
check "a program is traced" records
check "another reader takes the trace" is_read
check "its requests are those that the kernel's own tracer has" same_requests
check "its launches lie in requests" launches_in_requests
check "its waits in the driver are there, too" waits_are_seen
check "its time is right within half of what a reading takes" clock_is_right
cat said
check "a counter has how many there are, and in the end none" requests_are_counted
check "the GPU's frequency is that of the driver's file" frequency_is_read
check "as CTF, too, of a program that makes way for others" babeltrace_reads
check "a launch that is taken off the engine goes on as the same one" parts_are_one_launch
cat said
exit "$failed"
