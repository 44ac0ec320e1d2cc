#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Which lanes read or write by an instruction, without a GPU.
set -u

tool=${GTDBGCTL:?path of the tool}
exec "${BUILD:-$(dirname "$tool")/..}/gtdbgctl/tests/access"
