#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Assertions in kernels (assert.cl): which work-items fail is computed here anew.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/assert.cl
readme=$(dirname "$0")/../../../README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# quiet NAME STATUS ARGUMENT...: without a prompt
quiet() {
	local name=$1 wanted=$2
	shift 2

	timeout "${SESSION_TIMEOUT:-180}" "$tool" run "$@" \
		>"$work/out" 2>"$work/err" </dev/null
	status=$?
	if [ "$status" -eq "$wanted" ]; then
		result ok "$name"
	else
		echo "# status $status"
		sed 's/^/# /' "$work/out" "$work/err"
		result "not ok" "$name"
	fi
}

# says NAME FILE: the lines in it are those on stdin, in any order
says() {
	local name=$1 file=$2

	if diff <(sort) <(sort "$file") >"$work/diff"; then
		result ok "$name"
	else
		sed 's/^/# /' "$work/diff"
		result "not ok" "$name"
	fi
}

# failure LINE FUNCTION GLOBAL LOCAL TEXT
failure() {
	echo "launch_1.cl:$1: void $2(...): global id: [$3], local id: [$4] Assertion $5"
}

# Those of plane, 8 by 8 in groups of 4 by 4.
plane() {
	local x y

	for ((y = 0; y < 8; y++)); do
		for ((x = 0; x < 8; x++)); do
			((x * y != 6)) || failure 18 plane "$x,$y,0" \
				"$((x % 4)),$((y % 4)),0" "'x * y != 6' failed."
			((x + y < 6 || x + y > 9)) || failure 20 plane \
				"$x,$y,0" "$((x % 4)),$((y % 4)),0" \
				"'x + y + i != 9' failed: on the line."
		done
	done
}

stops() {
	local line

	commands=(run bt 'print point' 'lanes point' continue)
	session run --batch "--core-on-assert=$work/core" \
		-- "$launch" "$kernels" compute 8
	line=$(failure 9 compute 5,0,0 5,0,0 "'point > 0' failed.")
	sees "a line" "$line"
	grep -qF -- "$line" "$readme" && result ok "as in README" ||
		result "not ok" "as in README"
	sees "a core file is written" "Saved core file $work/core: 1 thread, "
	sees "the thread stops" "Thread 2.1:5 stopped: An assertion failed."
	sees "where it failed" $'9\t\tassert(point > 0);'
	answers "in the kernel" bt '#0  compute (in=0x'
	answers "whose variables are there" 'print point' '= 0'
	sees "other lanes have not failed" $'2.1:4\t6\t(inactive)'
	sees "it goes on behind" "2 3 4 5 6 0 1 2 108 109"
	sees "to the end" "exited normally]"
	commands=('print point' bt)
	session core --batch "$work/core"
	answers "the core file has it" 'print point' '= 0'
	answers "and where it was" bt '#0  compute (in=0x'
}

# late COMMAND...: prints what it writes as errors, read only when its child has ended
late() {
	python3 - "$@" <<-'END'
		import fcntl, os, subprocess, sys, time
		read_end, write_end = os.pipe()
		fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, 4096)
		os.write(write_end, b"." * 4096)
		tool = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL,
		    stdout=subprocess.DEVNULL, stderr=write_end)
		os.close(write_end)
		def has_ended():
		    states = subprocess.run(["ps", "--ppid", str(tool.pid),
		        "-o", "stat="], capture_output=True, text=True)
		    return any(state.startswith("Z")
		        for state in states.stdout.split())
		end = time.monotonic() + 600
		while (tool.poll() is None and not has_ended() and
		       time.monotonic() < end):
		    time.sleep(0.1)
		text = b""
		while part := os.read(read_end, 65536):
		    text += part
		sys.stdout.buffer.write(text[4096:])
		sys.exit(tool.wait())
	END
}

aborts() {
	GTDBG_ASSERT=often quiet "no way" 2 -- true
	quiet "no number of lines" 2 --assert-lines=0 -- true
	quiet "SIGABRT" 134 --assert=abort "$launch" "$kernels" compute 8
	says "after one line" "$work/err" < <(failure 9 compute 5,0,0 5,0,0 \
		"'point > 0' failed.")
	late "$tool" run --assert=abort -- "$launch" "$kernels" compute 4096 \
		>"$work/err"
	status=$?
	ends_with "so do many, though their lines are read later" 134
	grep -vE -e '^launch_1.cl:9: .* global id: .* .point > 0. failed[.]$' \
		-e '^gtdbgctl: more assertions have failed$' "$work/err" \
		>"$work/others"
	says "nothing is said of those that end with the program" \
		"$work/others" </dev/null
	quiet "though the kernel never ends, and nobody waits for it" 134 \
		--assert=abort "$launch" --leave "$kernels" endless 8 4 4
	says "it is told which item that was" "$work/err" < <(failure 27 \
		endless 3,0,0 3,0,0 \
		"'get_global_id(0) != 3 || get_global_id(1) > 0' failed.")
	quiet "at the simulator's socket, though the program waits for such a kernel" \
		134 --door=socket --assert=abort "$launch" "$kernels" endless 8 4 4
	says "which is told there, too" "$work/err" < <(failure 27 \
		endless 3,0,0 3,0,0 \
		"'get_global_id(0) != 3 || get_global_id(1) > 0' failed.")
}

# There is no record of who has failed, and this kernel has used its registers again.
optimized() {
	local result

	export GTDBG_OPTIMIZE=1
	quiet "optimised code whose assertions hold does not stop" 0 \
		--assert=abort "$launch" "$kernels" holds 64
	result=$(printf '406 %.0s' {1..64})
	[ "$(<"$work/out")" = "${result% }" ] && result ok "and is right" ||
		says "and is right" "$work/out" <<<"${result% }"
	quiet "it ends where one fails" 134 \
		--assert=abort "$launch" "$kernels" compute 8
	says "which is told by line and lane" "$work/err" \
		<<<"launch_1.cl:9: void compute(...): slot 0, lane 5: Assertion 'point > 0' failed."
	quiet "another kernel ends" 134 --assert=abort \
		"$launch" --leave "$kernels" endless 8 4 4
	says "whose registers tell the work-item" "$work/err" < <(failure 27 \
		endless 3,0,0 3,0,0 \
		"'get_global_id(0) != 3 || get_global_id(1) > 0' failed.")
	unset GTDBG_OPTIMIZE
}

continues() {
	GTDBG_ASSERT="continue" quiet "all of several groups go on" 0 \
		--assert-lines=20 "$launch" "$kernels" plane 8 8 4
	grep ^gtdbgctl "$work/err" >"$work/notes"
	says "each is counted once" "$work/notes" <<-END
		gtdbgctl: assertions have failed for $(plane | wc -l) work-items
		gtdbgctl: more assertions have failed
	END
	plane >"$work/all"
	grep -v ^gtdbgctl "$work/err" >"$work/lines"
	[ "$(sort "$work/lines" | comm -12 - <(sort "$work/all") | wc -l)" -eq 20 ] &&
		result ok "as many as are wanted are named" ||
		says "as many as are wanted are named" "$work/lines" <"$work/all"
	[[ $(<"$work/out") == "0 0 0 0 0 0 0 0 0 1 2 3 4 5 6 7 0 2 4 6 8 "* ]] &&
		result ok "results are right" || result "not ok" "results are right"
}

# As SYCL has them: in[5] and in[12] are multiples of 7.
others() {
	local others line

	others=$(dirname "$0")/assert_call.cl
	line=$(grep -n 'assert(point > 0)' "$others" | cut -d: -f1)
	commands=(run 'frame' 'print point' continue)
	session run --batch -- "$launch" "$others" called 16
	sees "another runtime's assertion has a line" \
		":$line: called: global id: [5,0,0], local id: [5,0,0] Assertion 'point > 0' failed."
	sees "the thread stops" " stopped: An assertion failed."
	answers "in the kernel's own frame" frame ' called (in=0x'
	answers "whose variables are there" 'print point' '= 0'
	sees "it goes on behind" "2 3 4 5 6 0 1 2 3 4 5 6 0 1 2 3 "
	quiet "it ends the program" 134 --assert=abort \
		"$launch" "$others" called 8
	grep -q ":$line: called: global id: \[5,0,0\]" "$work/err" &&
		result ok "after its line" ||
		says "after its line" "$work/err" </dev/null
}

stops
[ -z "$is_slow" ] || finish
others
aborts
optimized
continues
finish
