#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The library's own calls; see library.c.
exec "${BUILD:-$(dirname "${GTDBGCTL:?path of the tool}")/..}/gtdbgctl/tests/library"
