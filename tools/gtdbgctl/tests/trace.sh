#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Traces of a program that launches a kernel three times, read by other readers, and
# its launches compared with what the virtual GPU says of them. Two recorders see the
# same: one for Perfetto, which starts the program, and one for CTF, which is killed.
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

lines_some() {
	[ "$(grep -cE "$2" "$1")" -gt 0 ]
}

# records FILE OPTION...: once there is something in the file, as $recorder
records() {
	local file=$work/$1

	[[ $1 != *.ctf ]] || file+=/calls
	"$tool" trace "${@:2}" -o "$work/$1" >"$work/$1.out" 2>"$work/$1.log" &
	recorder=$!
	until [ -s "$file" ] || ! kill -0 "$recorder" 2>/dev/null; do
		sleep 0.1
	done
}

# events FOLDER: a line for each event, by CLOCK_MONOTONIC in ns
events() {
	babeltrace2 --clock-cycles "$work/$1" 2>"$work/$1.log"
}

# has_events FOLDER PATTERN COUNT: soon, if the recorder has them already
has_events() {
	local deadline=$((SECONDS + 600))

	until [ "$(events "$1" | grep -cE "$2")" -ge "$3" ]; do
		[ $SECONDS -lt $deadline ] || return 1
		sleep 0.1
	done
}

if command -v babeltrace2 >/dev/null; then
	records killed.ctf -a
fi
VGT_LOG=debug timeout 900 "$tool" trace --door=drm -o "$work/trace" -- \
	"$BUILD/selftests/eu/launch" grind 8 8 3 >"$work/out" 2>"$work/log"
status=$?
touch "$work/text"
is "the program's status is the command's" [ $status -eq 0 ]
/usr/bin/python3 "$top/selftests/perfetto.py" "$work/trace" >"$work/text" 2>>"$work/log"
is "another reader takes the trace" [ $? -eq 0 ]
is "a picture of it has the device's row" has '^\|.*#.*\| launch/GPU_[0-9]+/context_[0-9]+$' \
	<(/usr/bin/python3 "$top/selftests/perfetto.py" --picture "$work/trace")
is "three launches are enqueued" lines_are "$work/text" \
	'^slice launch .* clEnqueueNDRangeKernel .*items_x=8 .*kernel=grind ' 3
is "three are seen, with a flow from the call" lines_are "$work/text" \
	'^slice launch/GPU_[0-9]+/context_[0-9]+ .* grind .*groups_x=1 .*flow_end=' 3
is "the summary has them" has '^grind +3 +3 ' "$work/out"
is "nothing is lost" has '^0 events lost' "$work/out"
is "the GPU's time has a bound" has '^GPU time is right within ' "$work/out"

# Who calls has a CPU, at the begin and at the end.
on_cpu() {
	awk '
	$2 == "launch/on_a_CPU" { from[n] = $3; to[n++] = $4; next }
	$2 == "launch" && $5 ~ /^cl/ { at[m++] = $3; at[m++] = $4 }
	END {
		for (i = 0; i < m; i++) {
			for (j = 0; j < n; j++)
				if (from[j] <= at[i] && at[i] <= to[j])
					break
			if (j == n) {
				print "# at", at[i], "it had none"
				bad = 1
			}
		}
		exit bad || m < 6 || !n
	}' "$1"
}
is "its thread has a CPU when it calls" on_cpu "$work/text"
is "and sleeps in between" lines_some "$work/text" \
	'^slice launch/on_a_CPU .* CPU_[0-9]+ .*then=sleeps'

is "and is woken by somebody" lines_some "$work/text" \
	'^slice launch/on_a_CPU .* CPU_[0-9]+ woken_by=[^ ]+ waker=[0-9]+ woken_before_ns=[0-9]+ '

# What the other recorder has left, in the form of the first one's, with flows as numbers
# of lines of calls.
slices() {
	awk '
	function of(name) {
		if (!match($0, "[ {]" name " = [^ ,]*"))
			return ""
		return substr($0, RSTART + length(name) + 4,
			RLENGTH - length(name) - 4)
	}
	function open(name) {
		return of("open_ns") ~ /^18446744073709551615$/ ? "" : \
			" " name "=" of("open_ns")
	}
	{ time = substr($1, 2, length($1) - 2); key = of("device") "." of("serial") }
	/ opencl:clEnqueueNDRangeKernel_entry: / { call[of("flow")] = time }
	/ gtdbg:launch_begin: / {
		begin[key] = time; flow = of("flow")
		error[key] = of("error_ns")
		rest[key] = " gpu_time=" of("gpu_time") open("open_ns") \
			(flow in call && call[flow] <= time ? " flow_end=" flow : "")
	}
	/ gtdbg:launch_end: / && key in begin {
		print "slice launch/GPU_" of("device") "/context_" of("context_id"),
			begin[key], time, substr(of("kernel"), 2, \
			length(of("kernel")) - 2) rest[key], \
			"end_gpu_time=" of("gpu_time") open("end_open_ns"),
			"error_ns=" error[key] + of("error_ns")
	}'
}

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
	END { exit bad || seen != 3 || n != 3 }' "$work/truth" "$1"
}
is "each is when the GPU says it was" compare "$work/text"

# As both have it, of each time of the device, but for how wrong they may be.
agree() {
	awk '
	function of(name,   i, p) {
		for (i = 6; i <= NF; i++) {
			split($i, p, "=")
			if (p[1] == name)
				return p[2]
		}
	}
	/^GPU time is right within / { may = 1000 * $6 }
	!/^slice launch\/GPU.* grind / { next }
	FILENAME ~ /slices$/ {
		key = of("gpu_time") " " of("end_gpu_time")
		begin[key] = $3; end[key] = $4; error[key] = of("error_ns")
		next
	}
	{
		key = of("gpu_time") " " of("end_gpu_time")
		off = $3 - begin[key]; off_end = $4 - end[key]
		may_be = may + error[key] + 100
		if (!(key in begin) || off > may_be || off < -may_be ||
		    off_end > may_be || off_end < -may_be) {
			print "# off by", off, "and", off_end, "of", may_be
			bad = 1
		}
		seen++
	}
	END { exit bad || seen != 3 }' "$work/slices" "$work/out" "$work/text"
}

# Killed, as it can say nothing any more: what it has seen is in the folder.
killed() {
	is "another recorder has seen them" has_events killed.ctf \
		'gtdbg:launch_end: .*kernel = "grind"' 3
	kill -KILL "$recorder"
	wait "$recorder" 2>/dev/null
	events killed.ctf >"$work/events"
	is "what is left when it is killed can be read" [ $? -eq 0 ]
	slices <"$work/events" >"$work/slices"
	is "its launches have calls before them" lines_are "$work/slices" \
		'^slice launch/GPU_[0-9]+/context_[0-9]+ .* grind .* flow_end=[1-9]' 3
	is "and are when the GPU says they were" compare "$work/slices"
	is "both recorders agree" agree
	is "its thread has left CPUs" lines_some "$work/events" \
		'sched:leave: .*procname = "launch".* then = "sleeps"'
	is "calls have an end each" lines_are "$work/events" \
		'clEnqueueNDRangeKernel_exit: .*procname = "launch".*result = 0 ' 3
}
if command -v babeltrace2 >/dev/null; then
	killed
else
	result ok "as CTF # SKIP there is no babeltrace2"
fi

# A processor that counts up to a joule, and then again from the begin: a hundredth each
# time, so that between two readings, a tenth of a second or more apart, there are less
# than 10 W, or the count was taken for one that goes on.
powercap=/sys/class/powercap
counts_energy() {
	local uj=0

	while :; do
		uj=$(((uj + 10000) % 1000000))
		echo $uj >"$powercap/intel-rapl:0/energy_uj"
		sleep 0.01
	done
}

powers() {
	awk '$1 == "counter" && $2 == "package-0_power,_mW" {
		n++
		if ($4 > 10000) bad = 1
		if ($4 > 0) some = 1
	}
	END { exit bad || !some || n < 2 }' "$work/text"
}

power() {
	mount -t tmpfs none $powercap && mkdir "$powercap/intel-rapl:0" || return
	echo package-0 >"$powercap/intel-rapl:0/name"
	echo 1000000 >"$powercap/intel-rapl:0/max_energy_range_uj"
	echo 0 >"$powercap/intel-rapl:0/energy_uj"
	"$tool" trace -o "$work/power" -- sleep 1 >"$work/out" 2>"$work/log"
	is "energy that does not change is no power" has \
		'^package-0 power, mW: 0 on average, 0 to 0$' "$work/out"
	counts_energy &
	"$tool" trace -o "$work/power" -- sleep 3 >"$work/out" 2>"$work/log"
	kill $!
	wait $! 2>/dev/null
	/usr/bin/python3 "$top/selftests/perfetto.py" "$work/power" >"$work/text"
	is "energy that begins again is power all the same" powers
	umount $powercap
	touch "$work/text"
	"$tool" trace -o "$work/power" -- true >"$work/out" 2>"$work/log"
	is "what is not known is said" has '^GPU frequency: unknown, ' "$work/out"
}
[ ! -d $powercap ] || power

# Its reader has gone before there is anything to be read.
hangs_up() {
	"$tool" trace -o "$work/hung" -- sleep 3600 >"$work/out" 2>"$work/log" &
	recorder=$!
	until pgrep -P "$recorder" sleep >/dev/null ||
		! kill -0 "$recorder" 2>/dev/null; do
		sleep 0.1
	done
	kill -HUP "$recorder"
	wait "$recorder"
	is "a terminal that is closed ends the trace, which is whole" \
		has "^written to $work/hung: " "$work/out"
	is "and the program" sh -c "! pgrep -x sleep -a | grep -q 3600"
	"$tool" trace -o "$work/piped" -- true 2>"$work/log" | true
	is "who reads no more does not cut it short" \
		[ "${PIPESTATUS[0]}" -ne 141 ]
}

refusals() {
	"$tool" trace -o /nonexistent/x -- true >"$work/out" 2>&1
	is "a file that cannot be written is an error" has \
		'^gtdbgctl: cannot write /nonexistent/x: No such file' "$work/out"
	echo before >"$work/kept"
	"$tool" trace -o "$work/kept" -- "$work/nowhere" >"$work/out" 2>&1
	is "where no program starts the old trace stays" \
		[ "$?,$(cat "$work/kept")" = 1,before ]
	is "and the program is named" has '^gtdbgctl: cannot start .*/nowhere: ' \
		"$work/out"
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
	rm "$work/gtdbg.pftrace"
	echo theirs >"$work/gtdbg.pftrace"
	chown 1 "$work/gtdbg.pftrace"
	(cd "$work" && "$tool" trace -- true >"$work/out" 2>&1)
	is "another user's file is not written" [ "$(cat "$work/gtdbg.pftrace")" = theirs ]
	is "which is said" has "another user" "$work/out"
	rm "$work/gtdbg.pftrace"
	mkfifo "$work/gtdbg.pftrace"
	(cd "$work" && timeout 600 "$tool" trace -- true >"$work/out" 2>&1)
	is "nobody is waited for at a FIFO" [ $? -eq 1 ]
	rm "$work/gtdbg.pftrace"
	"$tool" trace -o /dev/full -- true >"$work/out" 2>&1
	is "a full disk is said" has 'cannot write /dev/full to its end: No space' \
		"$work/out"
	mkdir "$work/small"
	mount -t tmpfs -o size=4k none "$work/small"
	"$tool" trace -o "$work/small/full.ctf" -- true >"$work/out" 2>&1
	is "also as CTF" has 'cannot write .*full.ctf: No space' "$work/out"
	umount "$work/small"
}
hangs_up
refusals

# Longer than the ring holds, 16 MiB, while nobody takes anything out, on the last CPU.
slow_reader() {
	local slow cpu=$(($(nproc) - 1))

	records slow.ctf -a
	slow=$recorder
	records slow -a
	kill -STOP "$slow" "$recorder"
	taskset -c $cpu "$BUILD/gtdbgctl/tests/crowd" 1 80000
	kill -CONT "$slow" "$recorder"
	kill -INT "$slow" "$recorder"
	wait "$slow" "$recorder"
	lost=$(sed -n 's/ events lost$//p' "$work/slow.out")
	lost_there=$(sed -n "s/^lost on .*CPU $cpu: \([0-9]*\).*/\1/p" "$work/slow.out")
	row=events_lost_on_CPU_$cpu
	/usr/bin/python3 "$top/selftests/perfetto.py" "$work/slow" >"$work/text"
	! command -v babeltrace2 >/dev/null || events slow.ctf >"$work/events"
}
slow_reader
cp "$work/slow.out" "$work/out"
is "a reader that is too slow says what it has lost" [ "${lost:-0}" -gt 0 ]
is "all of it is a processor's" [ "$(sed -n '/^lost on /s/[^:]*: \([0-9]*\)/\1 /gp' \
	"$work/slow.out" | awk '{ for (i = 1; i <= NF; i++) sum += $i } END { print sum }')" = "$lost" ]
is "most of it that of the one that had called" \
	[ "$((2 * ${lost_there:-0}))" -gt "${lost:-0}" ]
is "which has a row in the trace" has "^counter $row [0-9]+ $lost_there$" "$work/text"
! command -v babeltrace2 >/dev/null || is "and events as CTF" has \
	"gtdbg:lost: { cpu = $(($(nproc) - 1)), count = [1-9][0-9]* }" "$work/events"

killed_program() {
	"$tool" trace -o "$work/ended" -- \
		sh -c "$BUILD/gtdbgctl/tests/crowd 1; kill -KILL \$\$" >"$work/out" 2>&1
	status=$?
	/usr/bin/python3 "$top/selftests/perfetto.py" "$work/ended" >"$work/text" \
		2>"$work/log"
}
killed_program
is "a trace is read up to where its program was killed" has \
	'^slice crowd .* clFinish' "$work/text"
is "and the command's status says so" [ $status -eq 137 ]

LD_PRELOAD=$BUILD/gtdbgctl/tests/refuse.so "$tool" trace -a -o "$work/refused" \
	>"$work/out" 2>&1
is "who may trace reads why the kernel refuses" has \
	'^gtdbgctl: the kernel does not take the BPF programs: ' "$work/out"
is "in its verifier's words" has '^(last insn is not|jump out of range)' "$work/out"

# As where the kernel was built without type information.
untyped() {
	unshare -m sh -c 'mount -t tmpfs none /sys/kernel/btf && exec "$@"' sh "$@"
}
no_types='^gtdbgctl: this kernel cannot be traced: .* /sys/kernel/btf/vmlinux '
untyped "$tool" trace -o "$work/untyped" -- true >"$work/out" 2>&1
is "a kernel without type information is said" has "$no_types" "$work/out"
untyped "$tool" top --batch -n 1 >"$work/out" 2>&1
is "by top as well" has "$no_types" "$work/out"
untyped "$tool" doctor >"$work/out" 2>&1
is "and by doctor" has '^without  traces, and top: ' "$work/out"

# Of all processes, and of one that does nothing while another's thread stops.
sleep infinity &
idle=$!
touch "$work/idle"
chmod 644 "$work/idle"
records idle -p "$idle"
other=$recorder
users=$(cat /sys/module/gtdbg/refcnt)
records all.ctf -a
is "who traces keeps the module" [ "$(cat /sys/module/gtdbg/refcnt)" -gt "$users" ]
"$tool" run --door=drm -nx --batch -ex 'break grind' -ex run -ex delete -ex stepi \
	-ex continue \
	-- "$BUILD/selftests/eu/launch" grind 8 8 1 </dev/null >"$work/session" 2>&1
kill -INT "$recorder"
wait "$recorder"
is "Ctrl-C ends it cleanly" [ $? -eq 0 ]
kill "$idle"
wait "$other"
is "the other one ends with its process" [ $? -eq 0 ]
cat "$work/all.ctf.out" "$work/idle.out" "$work/session" >"$work/text"
is "all processes are seen" has ' calls, 1 launches seen,' "$work/all.ctf.out"
is "a first launch has its name, though a session learns it later" has \
	'^grind +1 +1 ' "$work/all.ctf.out"
is "and that one of them stops" has ', [1-9][0-9]* stops, 0 page faults' "$work/all.ctf.out"
is "which is not seen of another" has ' 0 launches seen, .* 0 stops, 0 page faults' \
	"$work/idle.out"
stepped() {
	events all.ctf >"$work/events" &&
		has 'thread_stop: .*reason = "[a-z+]*breakpoint' "$work/events" &&
		has 'thread_resume: .*step = 1 ' "$work/events" &&
		has 'thread_stop: .*reason = "step' "$work/events"
}
! command -v babeltrace2 >/dev/null || is "as CTF, with the step" stepped
modes=$(stat -c %a "$work/trace" "$work/idle" "$work/all.ctf" | xargs)
is "all are for nobody else" [ "$modes" = "600 600 700" ]

# The host decides about a shift: each thread stops. What the EU decides lets as many run
# on, and none stops.
breakpoints() {
	grep -c 'thread_stop: .*reason = "breakpoint"' "$work/events"
}

# passed FOLDER: threads, by the EU
passed() {
	events "$1" >"$work/events"
	sed -n 's/.*gtdbg:decision: .* passed = \([0-9]*\) .*/\1/p' "$work/events" |
		awk '{ sum += $1 } END { print sum + 0 }'
}

decided() {
	local threads session deadline=$((SECONDS + 600))

	records host.ctf -a
	"$tool" run --door=drm -nx --batch -ex 'break 7 if point << (point & 1) == 246913' \
		-ex run -- "$BUILD/demo/compute" 1 0 </dev/null >"$work/session" 2>&1
	kill -INT "$recorder"
	wait "$recorder"
	events host.ctf >"$work/events"
	threads=$(breakpoints)
	[ "$threads" -gt 0 ] && [ "$(passed host.ctf)" -eq 0 ] || return 1

	records eu.ctf -a
	"$tool" run --door=drm -nx --batch -ex 'break 7 if point == 123456' -ex run \
		-- "$BUILD/demo/compute" 1 3600000 </dev/null >"$work/session" 2>&1 &
	session=$!
	until [ "$(passed eu.ctf)" -ge "$threads" ] || [ $SECONDS -ge $deadline ]; do
		sleep 0.2
	done
	kill "$session"
	wait "$session" 2>/dev/null
	kill -INT "$recorder"
	wait "$recorder"
	echo "# $threads threads stopped for the host, $(passed eu.ctf) ran on"
	[ "$(passed eu.ctf)" -eq "$threads" ] && [ "$(breakpoints)" -eq 0 ] &&
		has "^$threads threads ran on from a breakpoint by the EU" "$work/eu.ctf.out"
}
touch "$work/log"
! command -v babeltrace2 >/dev/null ||
	is "as many run on by the EU's decision as stop for the host's" decided

# What line 8 has: compute.c gives item i the number i + 100.
points() {
	local i

	for ((i = 0; i < 64; i++)); do
		((i % 2)) && echo 0xffffffff || printf '0x%x\n' $((i + 1100))
	done
}

prints() {
	records prints.ctf -a
	"$tool" run --door=drm -nx --batch -ex 'dprintf 8,"%d\n",point' -ex run \
		-- "$BUILD/demo/compute" </dev/null >"$work/session" 2>&1
	kill -INT "$recorder"
	wait "$recorder"
	events prints.ctf >"$work/events"
	cp "$work/session" "$work/text"
	[ "$(sed -n 's/.*gtdbg:thread_record: .* values = "\(.*\)".*/\1/p' \
		"$work/events" | tr ' ' '\n' |
		sed 's/^[0-9]*:\(0x[0-9a-f]*\),.*/\1/' | sort)" = \
		"$(points | sort)" ] &&
		has '^[1-9][0-9]* records of dprintf' "$work/prints.ctf.out"
}
! command -v babeltrace2 >/dev/null || is "what threads print is traced" prints

# Its server dies while its kernel runs: the launch ends, and the trace goes on.
lost() {
	local program

	records lost.ctf -a
	"$tool" run --attachable --door=drm -- "$BUILD/selftests/eu/launch" endless 8 8 1 \
		>"$work/session" 2>&1 &
	program=$!
	has_events lost.ctf gtdbg:launch_begin: 1 && pkill -KILL -x vgtd
	wait "$program"
	has_events lost.ctf gtdbg:device_lost: 1
	kill -INT "$recorder"
	wait "$recorder" || return
	events lost.ctf >"$work/events"
	cp "$work/session" "$work/text"
	has 'gtdbg:device_lost: .* reason = 1 ' "$work/events" &&
		lines_are "$work/events" 'gtdbg:launch_end:' 1 &&
		has '^0 events lost' "$work/lost.ctf.out"
}
! command -v babeltrace2 >/dev/null || is "so is a GPU whose server dies" lost

timeout 600 "$tool" trace -o "$work/crowd.ctf" -- \
	"$BUILD/gtdbgctl/tests/crowd" 1000 >"$work/out" 2>"$work/log"
is "1,000 processes at once are traced" has '^1000 calls, ' "$work/out"
crowd() {
	events crowd.ctf >"$work/events" &&
		[ "$(sed -n 's/.*clFinish_exit: { pid = \([0-9]*\),.*/\1/p' \
			"$work/events" | sort -u | wc -l)" -eq 1000 ]
}
! command -v babeltrace2 >/dev/null || is "each of them" crowd
finish
