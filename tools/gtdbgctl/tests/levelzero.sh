#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A Level Zero program, at the render node's door: its runtime tells the same hook.
# Which thread stops first is not known; data[i] is i * 3 - 1000, factor is 1.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
commands=('break 7' run 'print factor' 'print data[i] == i * 3 - 1000'
	'lanes i' bt delete continue)
session run --door=drm --batch -- "$BUILD/vgt/tests/level_zero" \
	"$BUILD/vgt/tests/scale.spv" 1
sees "a breakpoint is pending" "Breakpoint 1 (7) pending."
sees "a line of a module in SPIR-V" "hit Breakpoint 1, scale (data=0x"
sees "its source" "7		data[i] = data[i] * factor"
answers "an argument" 'print factor' '= 1'
answers "memory by an item's own place" 'print data[i] == i * 3 - 1000' '= 1'
sees "all lanes of the thread" ":7	"
answers "a frame" bt '#0  scale (data=0x'
sees "results are right" "done"
ends_with "the program's status" 0
finish
