#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A session over the virtual GPU's render node; see programs.cl.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

export VGT_DOOR=drm

commands=('break 85' run 'print row[3]' 'set var total = 2' delete continue)
session run --batch -- "$BUILD/gtdbgctl/tests/launch" \
	"$(dirname "$0")/programs.cl" share 8
sees "a line behind a barrier" "hit Breakpoint 1, share (in=0x"
answers "local memory" 'print row[3]' '= 103'
sees "the program goes on with what was changed" "186 185 184 183 182"
ends_with "status" 0
finish
