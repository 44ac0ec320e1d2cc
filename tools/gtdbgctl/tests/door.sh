#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sessions over each door of the virtual GPU; see programs.cl. All other tests
# use one of them alone.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

unset VGT_DOOR

commands=('break 85' run 'print row[3]' 'set var total = 2' delete continue)
for door in drm socket; do
	session run --door=$door --batch -- "$BUILD/gtdbgctl/tests/launch" \
		"$(dirname "$0")/programs.cl" share 8
	sees "$door: a line behind a barrier" "hit Breakpoint 1, share (in=0x"
	answers "$door: local memory" 'print row[3]' '= 103'
	sees "$door: the program goes on with what was changed" \
		"186 185 184 183 182"
	ends_with "$door: status" 0
done

message=$(VGT_DOOR=socket "$tool" run --attachable -- \
	sh -c 'echo "$SetCommandStreamReceiver ${LD_PRELOAD-none}"')
[ "$message" = "2 none" ] && result ok "VGT_DOOR names it, too" ||
	result "not ok" "VGT_DOOR=socket: $message"
env --ignore-signal=CHLD "$tool" run --attachable -- sh -c 'exit 3'
[ $? -eq 3 ] && result ok "a program's status, though its end is ignored" ||
	result "not ok" "a program's status, though its end is ignored"
message=$(VGT_DOOR=back "$tool" run -- true 2>&1)
[ $? -eq 2 ] && [ "$message" = "gtdbgctl: VGT_DOOR: no door 'back': drm, socket or gpu" ] &&
	result ok "a door that there is none of" ||
	result "not ok" "a door that there is none of: $message"
message=$(VGT_DOOR='' "$tool" run --attachable -- echo well 2>&1)
[ "$message" = well ] && result ok "an empty name is none" ||
	result "not ok" "an empty name is none: $message"
"$tool" run --door=back -- true >/dev/null 2>&1
[ $? -eq 2 ] && result ok "and as an option" ||
	result "not ok" "and as an option"
finish
