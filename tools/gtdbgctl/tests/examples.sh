#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The library's examples: sample on a kernel that runs for ever, follow on a
# program that debuggers hold for a moment: first gtdbgctl, then debug. (lines is
# tested with libgtdbg.)
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

examples=$BUILD/libgtdbg/examples
output=$(mktemp)
pid=
trap 'rm -f "$output"; kill $(jobs -p) 2>/dev/null' EXIT

# start PROGRAM ARGUMENT...: waits until it has a device
start() {
	"$tool" run --attachable -- "$@" >/dev/null 2>&1 &
	starter=$!
	while kill -0 "$starter" 2>/dev/null; do
		pid=$("$tool" list --json 2>/dev/null |
			sed -n 's/^{"kind":"device","pid":\([0-9]*\),.*/\1/p')
		[ -z "$pid" ] || return
		sleep 0.2
	done
}

# Nothing to sample, until the kernel has been built and launched.
sample() {
	local sampled

	start "$BUILD/gtdbgctl/tests/launch" "$(dirname "$0")/programs.cl" \
		spin 8
	until sampled=$(timeout 600 "$examples/sample" "$pid" 2>&1); do
		kill -0 "$starter" || break
		sleep 0.5
	done
	if grep -Eq '^slot [0-9]+ at 0x[0-9a-f]+, lanes 0xff, code 0x' \
		<<<"$sampled"; then
		result ok "sample shows where a thread stands, and its code"
	else
		result "not ok" "sample: $sampled"
	fi
	kill "$starter"
	wait "$starter"
	[ $? -eq 143 ] && result ok "a signal ends tool and program" ||
		result "not ok" "a signal ends tool and program"
}

# What debug printed of three stops at line 5. Even items come there, and item i has
# i + 100; a thread's lanes are neighbours, the first one a multiple of eight.
stops_are_right() {
	awk '
	/^thread [0-9]+ stopped$/ { threads++ }
	$0 == "  #0 compute, line 5" { frames++ }
	/^  point:/ {
		$1 = ""
		first = ($3 - 100) / 8
		for (lane = 0; lane < 8; lane += 2)
			wanted = (lane ? wanted " " : "") "[" lane "] " $3 + lane
		values += " " wanted == $0 && first == int(first) && first < 8
	}
	END { exit threads != 3 || frames != 3 || values != 3 || NR != 9 }' <<<"$1"
}

debug() {
	local printed

	if printed=$(timeout 600 "$examples/debug" "$pid" 5 point 3 2>&1) &&
		stops_are_right "$printed"; then
		result ok "debug stops threads and shows a variable in their lanes"
	else
		sed 's/^/# /' <<<"$printed"
		result "not ok" "debug stops threads and shows a variable in their lanes"
	fi
}

follow() {
	start "$BUILD/demo/compute" 1000000 100
	timeout 900 "$examples/follow" "$pid" >"$output" 2>&1 &
	follower=$!
	until grep -q '^synced$' "$output"; do
		kill -0 "$follower" || break
		sleep 0.1
	done
	"$tool" attach --batch -ex 'break 7' -ex continue -ex delete \
		-ex detach "$pid" >/dev/null 2>&1
	debug
	kill "$pid"
	if wait "$starter"; then
		result ok "the program is unharmed"
	else
		result "not ok" "the program ends badly"
	fi
	if wait "$follower" && [ "$(tail -n 1 "$output")" = exit ]; then
		result ok "follow ends with the program"
	else
		result "not ok" "follow ends with the program"
	fi
	if grep -q '^kernel_submit of kernel 1$' "$output"; then
		result ok "and sees the launches that a debugger sees"
	else
		sed 's/^/# /' "$output"
		result "not ok" "and sees the launches that a debugger sees"
	fi
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
sample
follow
finish
