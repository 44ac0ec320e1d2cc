#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Which call a launch in a trace is of, without a GPU.
set -u

tool=${GTDBGCTL:?path of the tool}
exec "${BUILD:-$(dirname "$tool")/..}/gtdbgctl/tests/assign"
