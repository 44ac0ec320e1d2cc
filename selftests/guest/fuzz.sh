#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The fuzzer of the module, on the sanitised kernel only, for GTDBG_FUZZ_SECONDS;
# without that it is left out. It begins with the inputs of selftests/fuzz/corpus/;
# GTDBG_FUZZ_SEEDS is a folder of more. Below /run/vm it leaves the corpus and the
# input that made the kernel report.
set -u

kept=$(cd "$(dirname "$0")/../fuzz/corpus" && pwd)
fuzzer=$BUILD/selftests/fuzz/kmod_fuzz
seconds=${GTDBG_FUZZ_SECONDS-}

echo "TAP version 13"
if ! [ -e /sys/kernel/debug/kcov ]; then
	echo "1..0 # SKIP a kernel without coverage: needs the sanitised one"
	exit 4
elif [ -z "$seconds" ]; then
	echo "1..0 # SKIP runs in the stage san, and by make fuzz-kmod"
	exit 4
elif ! [ -x "$fuzzer" ]; then
	echo "1..0 # SKIP the fuzzer was built without clang-14"
	exit 4
fi
echo "1..1"
out=/run/vm/fuzz
log=$(mktemp)
trap 'rm -f "$log"' EXIT
mkdir -p "$out/corpus"

# What was under way when the kernel ended is in the file "last".
GTDBG_FUZZ_LAST=$out/last "$fuzzer" -max_total_time="$seconds" -seed=1 \
	-max_len=1024 -len_control=0 -timeout=120 -rss_limit_mb=0 \
	-print_final_stats=1 -artifact_prefix="$out/" "$out/corpus" "$kept" \
	${GTDBG_FUZZ_SEEDS:+"$GTDBG_FUZZ_SEEDS"} >"$log" 2>&1
status=$?
grep -E '^stat::number_of|cov: |INITED' "$log" | tail -n 4 |
	sed 's/^/# /'
if [ "$status" -eq 0 ]; then
	echo "ok 1 - nothing was found in $seconds s"
	exit 0
fi
tail -n 30 "$log" | sed 's/^/# /'
for input in "$out"/crash-* "$out"/timeout-*; do
	[ ! -e "$input" ] || echo "# $(basename "$input"): $(base64 -w0 "$input")"
done
echo "not ok 1 - nothing was found in $seconds s"
exit 1
