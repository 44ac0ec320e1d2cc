#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Reads what libFuzzer has found to lead to different places in the readers of
# kernels' files and of core files (make -C libgtdbg fuzz), under sanitizers.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
mutation=${BUILD:-$top/build}/libgtdbg/fuzz/mutation
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
number=0
failed=0

# replay NAME CORPUS
replay() {
	number=$((number + 1))
	mkdir "$files/$2"
	if tar -C "$files/$2" -xJf "$top/libgtdbg/tests/fuzz/$2.tar.xz" &&
		"$mutation" --replay "$files/$2" 2>&1 | sed 's/^/# /' &&
		[ "${PIPESTATUS[0]}" -eq 0 ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		failed=1
	fi
}

echo "TAP version 13"
echo "1..2"
replay "kept inputs of the fuzzer do no harm" corpus
replay "nor do kept core files" core
exit "$failed"
