#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a killed program leaves on an engine, as the driver lists it, without a GPU.
set -u

tool=${GTDBGCTL:?path of the tool}
exec "${BUILD:-$(dirname "$tool")/..}/gtdbgctl/tests/leftover"
