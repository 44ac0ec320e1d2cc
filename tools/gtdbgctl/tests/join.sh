#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints of several records: which belong together, without a GPU.
set -u

tool=${GTDBGCTL:?path of the tool}
exec "${BUILD:-$(dirname "$tool")/..}/gtdbgctl/tests/join"
