#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The example "lines" prints the lines of a kernel that the compiler made.
set -uo pipefail

build=${BUILD:-$(cd "$(dirname "$0")/../.." && pwd)/build}
command -v ocloc >/dev/null || {
	echo "1..0 # SKIP no ocloc, the offline compiler"
	exit 4
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ocloc compile -q -file "$(dirname "$0")/compute.cl" -device tgllp \
	-options '-g -cl-opt-disable' -output kernel -out_dir "$folder" \
	>/dev/null 2>&1
# The ELF lies behind the head of the compiler's container.
offset=$(grep -abom1 $'\x7fELF' "$folder"/*.dbg | head -n 1 | cut -d: -f1)
tail -c +$((offset + 1)) "$folder"/*.dbg >"$folder/kernel.elf"
output=$("$build/libgtdbg/examples/lines" "$folder/kernel.elf")

echo "TAP version 13"
echo "1..2"
failed=0
check() {
	if grep -q "$3" <<<"$output"; then
		echo "ok $1 - $2"
	else
		echo "# $output"
		echo "not ok $1 - $2"
		failed=1
	fi
}
check 1 "line 5 has code" 'compute.cl:5$'
check 2 "the first range begins at 0" '^0x000000 to .*compute.cl:1$'
exit "$failed"
