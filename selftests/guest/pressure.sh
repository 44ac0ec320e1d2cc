#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A session reads and writes memory while the driver has to give memory back: what it
# may take it takes from all programs again and again, and other programs get the pages.
set -u

# shellcheck source=selftests/guest/gpu.bash
. "$(dirname "$0")/gpu.bash"

stops=3
[ -z "${GTDBG_TEST_SOAK-}" ] || stops=8
drop_caches=$dri/i915_gem_drop_caches
image=$BUILD/vm/${KERNEL-}/image
folder=$(mktemp -d)
swapped=
trap 'kill $(jobs -p) 2>/dev/null
[ -z "$swapped" ] || { swapoff /dev/zram0; echo 1 >/sys/block/zram0/reset; }
rm -rf "$folder"' EXIT
cd "$folder" || exit

if ! [ -e "$drop_caches" ]; then
	echo "1..0 # SKIP this i915 has no i915_gem_drop_caches in debugfs"
	exit 4
fi
# What the driver gives back may go there.
if ! grep -qs '^/' /proc/swaps && modprobe -q -d "$image" zram; then
	echo 256M >/sys/block/zram0/disksize
	mkswap /dev/zram0 >/dev/null && swapon /dev/zram0 && swapped=yes
fi

# What the kernel writes next is not what is written here, so its results are its own.
commands() {
	local i

	printf '%s\n' 'break 7' run
	for ((i = 1; i <= stops; i++)); do
		printf '%s\n' 'print point - index' 'print in[index] - index' \
			"set variable out[index] = $((5000 + i))" \
			"set variable point = $((6000 + i))" \
			'print out[index]' 'print point' 'print index - index' \
			continue
	done
	printf '%s\n' delete continue
}

under_pressure() {
	local presser status

	mkfifo in
	"$BUILD/selftests/i915/pressure" "$drop_caches" <in >pressure 2>&1 &
	presser=$!
	exec 3>in
	commands >commands
	timeout 900 "$tool" run --batch -x commands -- "$program" $((4 * stops)) 20 \
		</dev/null >session 2>&1
	status=$?
	exec 3>&-
	wait $presser && cat pressure && [ $status -eq 0 ] ||
		{ cat pressure session; return 1; }
}

# reads VALUE TIMES: that many lines have it
reads() {
	[ "$(grep -c "^[\$][0-9]* = $1\$" session)" -eq "$2" ]
}

is_all_right() {
	local i

	reads 100 $((2 * stops)) && reads 0 $stops || return
	for ((i = 1; i <= stops; i++)); do
		reads $((5000 + i)) 1 && reads $((6000 + i)) 1 || return
	done
}

saw_what_it_should() {
	is_all_right && grep -q '^1100 -1 1102 -1 ' session || { cat session; false; }
}

echo "TAP version 13"
echo "1..3"
check "a session while memory is taken, and nobody's page is changed" under_pressure
check "it has read what was there, and what it had written" saw_what_it_should
check "nothing of that made i915 complain" silent
sed 's/^/# /' pressure
exit "$failed"
