#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An editor's session, by a client that has only the protocol in common with the
# tool. See dap.py.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash" >/dev/null

[ -z "$is_slow" ] || { echo "TAP version 13"; skip "a sanitised kernel takes too long for it"; }
exec python3 -B "$(dirname "$0")/dap.py"
