#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The hook library's functions, called by a program of our own.
set -u

build=${BUILD:-$(dirname "$0")/../../../build}

exec env GTDBG=1 "$build/libgtdbg/hook/tests/calls" \
	"$build/libgtdbg/hook/libigfxdbgxchg64.so"
