#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The driver's calls through Debian's loader: without the module only what needs
# none, with it also sessions on programs.
set -u

top=$(cd "$(dirname "$0")/../../.." && pwd)
build=${BUILD:-$top/build}
tests=$build/libgtdbg/level-zero/tests
driver=$build/libgtdbg/level-zero/libze_gtdbg.so.1

[ -e /dev/gtdbg ] || exec "$tests/calls" "$driver"

if [[ $(uname -r) = *san* ]]; then
	echo "1..0 # SKIP a sanitised kernel takes too long for it"
	exit 4
fi
# in[i] is i + 100; sixteen doubles it, and adds 1 from item 8 on.
expected="200 202 204 206 208 210 212 214 217 219 221"
folder=$(mktemp -d)
number=0
failed=0
programs=()
pids=()

# program_start: one that waits at its first launch until it is attached to
program_start() {
	local pid

	GTDBG_WAIT_MS=600000 "$build/gtdbgctl/gtdbgctl" run --attachable -- \
		"$build/gtdbgctl/tests/launch" --loop 2 \
		"$top/tools/gtdbgctl/tests/programs.cl" sixteen \
		>"$folder/output${#programs[@]}" 2>&1 &
	programs+=($!)
	while kill -0 "${programs[-1]}" 2>/dev/null; do
		for pid in $("$build/gtdbgctl/gtdbgctl" list |
			sed -n 's/^process \([0-9]*\) .*/\1/p'); do
			[[ " ${pids[*]} " = *" $pid "* ]] && continue
			pids+=("$pid")
			return
		done
		sleep 0.1
	done
	pids+=(0)
}

result() {
	number=$((number + 1))
	echo "$1 $number - $2"
	[ "$1" = ok ] || failed=1
}

# results_of COMMAND...: what it finds, numbered on; and that it has come to its end
results_of() {
	local line words before=$failed

	failed=0
	while read -r line; do
		words=${line#* - }
		case $line in
		ok*) result ok "$words" ;;
		"not ok"*) result "not ok" "$words" ;;
		'# status 0') ;;
		'# status '*)
			echo "$line"
			[ "$failed" = 1 ] || result "not ok" "$1 ends well"
			;;
		'#'*) echo "$line" ;;
		esac
	done < <("$@"; echo "# status $?")
	[ "$before" = 0 ] || failed=1
}

# Of the loader that the tests are linked with: all that a program may call, and drivers give.
functions() {
	nm -D --defined-only "$(ldd "$tests/entries" |
		sed -n 's/.*libze_loader.* => \([^ ]*\) .*/\1/p')" |
		sed -n 's/.* T \(ze[st]\?[A-Z].*\)/\1/p' | grep -v -e ProcAddrTable -e '^zeLoader'
}

entries() {
	functions | "$tests/entries" "$driver"
}

# ended_well INDEX
ended_well() {
	wait "${programs[$1]}" && grep -q "^$expected" "$folder/output$1"
}

ran_on() {
	if ended_well "$1"; then
		result ok "$2"
	else
		sed 's/^/# /' "$folder/output$1"
		result "not ok" "$2"
	fi
}

echo "TAP version 13"
results_of entries
program_start
results_of "$tests/calls" "$driver" "${pids[0]}"
ran_on 0 "the program ran on to its right end"
program_start
program_start
results_of "$tests/others" "$driver,libze_intel_gpu.so.1" "${pids[@]:1}"
ran_on 1 "a program whose debugger never answered ran on"
ended_well 2
[ $number -gt 130 ] || result "not ok" "all tests were run"
echo "1..$number"
rm -rf "$folder"
exit "$failed"
