#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A container without our devices: its programs run, undebugged, and the tool
# says in one line what is missing.
set -u

if [ "$KERNEL" = san ]; then
	echo "1..0 # SKIP a program under the runtime takes minutes here"
	exit 4
fi
folder=$(mktemp -d)
vgtd=
trap 'kill "$vgtd" 2>/dev/null; rm -rf "$folder"' EXIT
failed=0

contained() {
	# shellcheck disable=SC2016
	unshare --mount sh -c \
		'mount -t tmpfs none /dev && mknod -m 666 /dev/null c 1 3 &&
		mknod -m 666 /dev/urandom c 1 9 && exec "$@"' sh "$@"
}

# check NUMBER NAME STATUS FILE PATTERN: was that the status, and the one line?
check() {
	if [ "$3" -eq 0 ] && [ "$(grep -c gtdbg "$4")" -eq 1 ] &&
		grep -q "$5" "$4"; then
		echo "ok $1 - $2"
	else
		sed 's/^/# /' "$4"
		echo "not ok $1 - $2"
		failed=1
	fi
}

echo "TAP version 13"
echo "1..3"
"$BUILD/vgt/vgtd" --listen 127.0.0.1:0 >"$folder/port" &
vgtd=$!
until [ -s "$folder/port" ] || ! kill -0 "$vgtd"; do
	sleep 0.1
done
contained env GTDBG=1 GTDBG_WAIT_MS=100000 SetCommandStreamReceiver=2 \
	ProductFamilyOverride=tgllp NEOReadDebugKeys=1 \
	TbxPort="$(cat "$folder/port")" \
	OCL_ICD_VENDORS=/etc/OpenCL/vendors/intel.icd \
	LD_LIBRARY_PATH="$BUILD/libgtdbg/hook" \
	"$BUILD/demo/compute" 1 1 >"$folder/program" 2>"$folder/said"
check 1 "a program is right, and one line says why there is no debugger" \
	$? "$folder/said" 'gtdbg.*/dev/gtdbg: No such file or directory'
if grep -q '^1100 -1 1102 -1 ' "$folder/program"; then
	echo "ok 2 - its results are right"
else
	sed 's/^/# /' "$folder/program"
	echo "not ok 2 - its results are right"
	failed=1
fi
contained "$GTDBGCTL" attach 1 >"$folder/tool" 2>&1
check 3 "the tool says that the module is missing" $(($? - 1)) \
	"$folder/tool" 'the kernel module is not loaded'
exit "$failed"
