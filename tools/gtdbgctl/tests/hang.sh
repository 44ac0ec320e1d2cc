#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The driver's hang detection is switched off and put back, on files that stand for its settings.
set -u

tool=${GTDBGCTL:?path of the tool}
exec "${BUILD:-$(dirname "$tool")/..}/gtdbgctl/tests/hang"
