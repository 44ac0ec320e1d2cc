#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What top says while a program runs that launches a kernel again and again.
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
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT

"$tool" run --attachable --door=drm -- "$BUILD/selftests/eu/launch" \
	grind 8 8 10000 >/dev/null 2>&1 &
timeout 900 "$tool" top --json -d 2 >"$work/out" 2>&1 &
monitor=$!

# shows PATTERN: a line of the output has it, sooner or later
shows() {
	until grep -qE "$1" "$work/out"; do
		kill -0 "$monitor" 2>/dev/null || return 1
		sleep 0.2
	done
}

# is NAME COMMAND...
is() {
	if "${@:2}"; then
		result ok "$1"
	else
		tail -n 5 "$work/out" | sed 's/^/# /'
		result "not ok" "$1"
	fi
}

# hits: which stops are
hits() {
	"$BUILD/gtdbgctl/tests/top" >"$work/hits" || ! sed 's/^/# /' "$work/hits"
}

is "a kernel that runs has time" shows \
	'"name":"grind","launches":[0-9]+,"gpu_ns":[1-9]'
is "so has its process" shows \
	'"name":"launch","gpu_ns":[1-9][0-9]*,"source":"(launches|driver)"'
is "and its device is busy" shows '"device":[0-9]+,"pid":[1-9][0-9]*,"busy_ns":[1-9]'
is "stops are hits where a breakpoint is" hits
kill -TERM "$monitor"
wait "$monitor"
is "a signal ends it cleanly" [ $? -eq 0 ]
# What had run before it began to look, and what it is told late, does not count.
"$tool" top --json -n 1 -d 0.5 >"$work/out" 2>&1
is "none is busy for longer than it was looked at" awk '
	match($0, /"span_ns":[0-9]+/) { span = substr($0, RSTART + 10, RLENGTH - 10) }
	match($0, /"busy_ns":[0-9]+/) { busy = substr($0, RSTART + 10, RLENGTH - 10) }
	END { print "# busy for", busy, "of", span, "ns"; exit !(busy > 0 && busy + 0 <= span + 0) }' "$work/out"
"$tool" top --batch -n 1 >"$work/out" 2>&1
is "the text has them, and says what is not known" shows \
	'frequency not known|[0-9]+ MHz'
"$tool" top >"$work/out" 2>&1 </dev/null
is "what is no terminal is refused" [ $? -eq 2 ]
"$BUILD/gtdbgctl/tests/terminal" env TERM=xterm "$tool" top >"$work/out" <<'END'
see 600 "gtdbgctl top: " a terminal shows it
type q
ends 600 0 and a key ends it
END
is "a terminal shows it, until a key ends it" [ $? -eq 0 ]
"$BUILD/gtdbgctl/tests/terminal" env TERM=xterm "$tool" top -d 3000 >"$work/out" <<'END'
see 600 "first figures in 3000.0 s" a terminal says when
type q
ends 600 0 and a key ends it before
END
is "a key ends it before it shows anything, too" [ $? -eq 0 ]
finish
