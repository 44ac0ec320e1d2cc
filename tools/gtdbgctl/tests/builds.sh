#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sessions on programs that are built in other ways: 16 lanes, two programs with
# the same kernel, a program from a binary, of linked texts, one without debug information.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

launch=$BUILD/gtdbgctl/tests/launch
sources=$BUILD/gtdbgctl/tests/sources
kernels=$(realpath "$(dirname "$0")")/programs.cl

sixteen_lanes() {
	commands=('break 47' run 'info threads' 'lanes value' 'print item'
		delete continue)
	session run --batch -- "$launch" "$kernels" sixteen
	sees "lanes 0 to 7 do not take this branch" "Thread 2.1:8 hit Breakpoint 1"
	sees "the others do" "2.1:[9-15]"
	sees "a lane of the first half" "2.1:0	200	(inactive)"
	sees "a lane of the second half" "2.1:15	230"
	answers "the current lane's item" 'print item' '= 8'
	sees "results are right" "200 202 204 206 208 210 212 214 217"
}

# In a folder where the runtime would keep what it has compiled, without debug information.
same_names() {
	local folder

	folder=$(mktemp -d)
	mkdir "$folder/cl_cache"
	cd "$folder" || return
	commands=('break 19' 'break call.cl:19' 'break nowhere'
		'break kinds' 'disable 4' run 'info kernels' continue
		'print item' 'delete 1' continue)
	session run --batch -- "$launch" --twice "$kernels" call
	sees "the first program stops" "hit Breakpoint 1, call (in=0x"
	sees "kernels of both have the same name" " call, module"
	sees "the second program stops as well" "hit Breakpoint 1, call (in=0x"
	answers "and has its own variables" 'print item' '= 0'
	sees "results are right" "130 131 132"
	sees "a place that was in no kernel is said" \
		"Breakpoint 2 (call.cl:19) was in no kernel; the program's sources are launch_1.cl."
	sees "or a name" "Breakpoint 3 (nowhere) was in no kernel."
	sees "not of one that is disabled" "exited normally"
	ends_with "status" 0
	cd / || return
	if rmdir "$folder/cl_cache" "$folder"; then
		result ok "nothing is left in the runtime's cache"
	else
		result "not ok" "nothing is left in the runtime's cache"
	fi
}

from_binary() {
	commands=('break kinds' run 'print item' bt delete continue)
	session run --batch -- "$launch" --binary "$kernels" kinds
	sees "a program from a binary stops" "hit Breakpoint 1, kinds ("
	sees "results are right" "299 302 305 308"
}

# What it was built from in another run had the name that another text has in this one.
from_saved_binary() {
	local folder

	folder=$(mktemp -d)
	commands=(run)
	session run --batch -- "$sources" save "$folder/binary"
	ends_with "a binary is saved" 0
	commands=('break 5' run 'info kernels' list continue bt list
		'list sources_1.cl:5' continue)
	session run --batch -- "$sources" load "$folder/binary"
	sees "a kernel of this run stops" "alpha (out=0x"
	answers "its text is shown" list "1	/* first line of alpha's */"
	sees "and one of a binary of another run" "hit Breakpoint 1, beta (out=0x"
	sees "whose text is not known" "5	in sources_1.cl"
	answers "but its line" bt ") at sources_1.cl:5"
	answers "no other one is shown for it" list "No source file named sources_1.cl."
	answers "this run's has the name" 'list sources_1.cl:5' "1	/* first line of alpha's */"
	sees "the results are right" "beta: 3"
	rm -r "$folder"
}

# A program keeps what it has once compiled, without a debugger.
from_plain_binary() {
	local folder

	folder=$(mktemp -d)
	"$BUILD/vgt/vgt-run" --door=drm "$sources" save "$folder/binary" >/dev/null
	commands=(run)
	session run --batch -- "$sources" load "$folder/binary"
	sees "that a kernel of a binary cannot be debugged is said" \
		"gtdbg: the kernel beta was compiled before, for no debugger, and cannot be debugged"
	sees "the results are right" "beta: 3"
	rm -r "$folder"
}

linked() {
	commands=('break alpha' 'break beta' run 'info kernels' 'info modules' list
		continue list continue)
	session run --batch -- "$sources" link
	sees "the first of two linked texts" "hit Breakpoint 1, alpha (out=0x"
	sees "has its line" "4		int a = get_global_id(0);"
	sees "a kernel belongs to the second" " beta, module 2, SIMD"
	[[ ${lines[at - 1]} == *", sources_2.cl" ]] &&
		result ok "by its name" || result "not ok" "by its name: ${lines[at - 1]}"
	sees "and one to the first" " alpha, module 1, SIMD"
	sees "the texts are two" "2   sources_2.cl, "
	answers "the text is the kernel's" list "1	/* first line of alpha's */"
	sees "the second" "hit Breakpoint 2, beta (out=0x"
	answers "has its own" list "1	/* first line of beta's */"
	sees "the results are right" "beta: 3"
}

# More than there were once kept of one text, each of which takes seconds to compile; the
# hook's own tests count them, too.
variants() {
	[ -n "${GTDBG_TEST_SOAK-}" ] || return
	commands=('break vary' run 'info modules' continue)
	session run --batch -- "$sources" variants 20
	sees "the first of many builds of a text stops" "hit Breakpoint 1, vary ("
	answers "their source is one" 'info modules' "1   sources_1.cl, "
	sees "the result is right" "vary: 100"
}

# The compiler writes none for several kernels in the newer format of modules.
without_symbols() {
	commands=('break 85' 'break share' run 'info kernels'
		'info breakpoints' bt 'x/i $pc' step 'print row' delete
		continue)
	InjectInternalBuildOptions=-cl-intel-allow-zebin \
		session run --batch -- "$launch" "$kernels" share 8
	sees "a kernel is found by its name" "hit Breakpoint 2, share ()"
	sees "it has nothing else" "no debug information"
	sees "lines have no place" "85 (pending)"
	answers "a frame is the kernel's" bt "#0  share ()"
	answers "its code is there" 'x/i $pc' "<share+16>:"
	answers "a step is one instruction" step "share ()"
	answers "variables are unknown" 'print row' 'No symbol "row" in'
	sees "its results are right" "1184 1183 1182 1181 1180"
	ends_with "a command has failed" 1
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
sixteen_lanes
same_names
from_binary
from_saved_binary
from_plain_binary
linked
variants
without_symbols
finish
