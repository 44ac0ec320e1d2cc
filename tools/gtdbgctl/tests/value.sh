#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Values of types that only whoever wants to harm a debugger would make, without a GPU.
set -u

tool=${GTDBGCTL:?path of the tool}
exec "${BUILD:-$(dirname "$tool")/..}/gtdbgctl/tests/value"
