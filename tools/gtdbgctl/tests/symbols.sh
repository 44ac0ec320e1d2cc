#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Our symbols and Intel's gdb's, at the same stops of whole files of kernels. See
# symbols.py.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
[ -x "${INTEL_GDB:-}/gdb" ] && [ -x "$INTEL_GDB/gdbserver-ze" ] ||
	skip "INTEL_GDB names no folder with Intel's gdb and gdbserver-ze"
# What the program has not written to is in memory as another program left it.
[ "${VGT_DOOR-}" != socket ] || skip "at the simulator's socket unset variables differ"
exec python3 -B "$(dirname "$0")/symbols.py" "$@"
