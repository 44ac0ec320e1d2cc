#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What may go wrong in the hook library: the program must run on undebugged,
# with right results, and one line on stderr say why. Without the module this
# is a failure itself; with it, the others can be had in a guest.
set -u

tool=${GTDBGCTL:?path of the tool}
BUILD=${BUILD:-$(dirname "$tool")/..}
program=$BUILD/demo/compute
settings=/etc/gtdbg.conf
expected='1100 -1 1102 -1 1104 -1 .* 1162 -1'
count=0
failed=0

if [ ! -x "$program" ] || [ ! -r /etc/OpenCL/vendors/intel.icd ]; then
	echo "1..0 # SKIP no program of the demonstration, or no OpenCL runtime"
	exit 4
fi
if [ -e /dev/gtdbg ] && ! [ -e /run/vm/settings ]; then
	echo "1..0 # SKIP not in a guest, whose /etc and devices it changes: selftests/vm/run"
	exit 4
fi
folder=$(mktemp -d)
server=
once=
trap 'kill "$server" "$once" 2>/dev/null; rm -rf "$folder"' EXIT

exec 3< <(exec "$BUILD/vgt/vgtd" --listen 127.0.0.1:0)
server=$!
read -r port <&3
# A port at which no one listens any more.
exec 4< <(exec "$BUILD/vgt/vgtd" --listen 127.0.0.1:0)
starter=$!
read -r free_port <&4
kill "$starter"
# One that ends with its first program, at which someone has looked before.
exec 5< <(exec "$BUILD/vgt/vgtd" --listen 127.0.0.1:0 --once)
once=$!
read -r once_port <&5
exec 6<>"/dev/tcp/127.0.0.1/$once_port" 6>&-

# runs NAME MESSAGE [NAME=VALUE]... [COMMAND]...: the program, in front of which
# settings and commands may stand. An empty message: nothing on stderr.
runs() {
	local name=$1 message=$2 verdict="not ok" output status
	shift 2

	output=$(timeout 600 env \
		"LD_LIBRARY_PATH=$BUILD/libgtdbg/hook" GTDBG=1 \
		NEOReadDebugKeys=1 SetCommandStreamReceiver=2 \
		ProductFamilyOverride=tgllp "TbxPort=$port" \
		OCL_ICD_VENDORS=/etc/OpenCL/vendors/intel.icd \
		"GTDBG_SIP=$BUILD/sip/gen12lp.bin" \
		"GTDBG_SIP_FOLDER=$folder" ForcePreemptionMode=1 \
		LoadBinarySipFromFile=/proc/self/fd/1000/sip.bin \
		"$@" "$program" 2>"$folder/stderr")
	status=$?
	if [ "$status" -eq 0 ] && [[ $output =~ ^$expected$ ]] &&
		[[ $(<"$folder/stderr") =~ ^$message$ ]]; then
		verdict="ok"
	else
		failed=1
		echo "# status $status, $(wc -l <"$folder/stderr") lines:"
		sed 's/^/# /' "$folder/stderr"
	fi
	count=$((count + 1))
	echo "$verdict $count - $name"
}

without_module() {
	runs "the module is not loaded" \
		"$why /dev/gtdbg: No such file or directory"
	runs "which is said once, with several devices, too" \
		"$why /dev/gtdbg: No such file or directory" \
		CreateMultipleRootDevices=2
	runs "nor is it looked for if nobody asks" '' GTDBG=0
	runs "vgtd is missing where another would do" \
		"$why /dev/gtdbg: .*" GTDBG_VGTD=/nonexistent
	runs "a look at vgtd does not end it" "$why /dev/gtdbg: .*" \
		GTDBG_VGTD=/nonexistent "TbxPort=$once_port"
	runs "vgtd is started where none is" "$why /dev/gtdbg: .*" \
		"GTDBG_VGTD=$BUILD/vgt/vgtd" "TbxPort=$free_port"
}

with_module() {
	runs "all is well" ''
	[ -z "$(find "$folder" -name sip.bin -size 0)" ] &&
		[ "$(find "$folder" -name 'sip*.bin' | wc -l)" -eq 2 ] ||
		echo "# no system routine was written"
	runs "all is well with several devices" '' CreateMultipleRootDevices=2
	runs "no system routine" \
		"$why /nonexistent.*: No such file or directory" \
		GTDBG_SIP=/nonexistent/a.bin
	runs "a file that is no system routine" "$why .*: Invalid argument" \
		GTDBG_SIP=/bin/true
	runs "no folder to write it to" \
		"$why /nonexistent: No such file or directory" \
		GTDBG_SIP_FOLDER=/nonexistent
	runs "its descriptor is in use" \
		"$why /proc/self/fd/1000/sip.bin: Device or resource busy" \
		bash -c "exec 1000</dev/null; exec \"\$@\"" -
	chmod 600 /dev/gtdbg
	runs "no rights to the device" "$why /dev/gtdbg: Permission denied" \
		setpriv --reuid=65534 --clear-groups --inh-caps=-all \
		--bounding-set=-all
	chmod "$mode" /dev/gtdbg
	runs "another debugger than the one that is reported" '' \
		GTDBG_NOTIFY=nobody-listens GTDBG_WAIT_MS=100000
}

# In a guest the file is gone afterwards; elsewhere it is not ours.
settings_file() {
	echo 'nonsense' >"$settings"
	runs "a line without sense" "$why line 1 of $settings: .*"
	printf '# comment\n\nwait_ms = soon\n' >"$settings"
	runs "a value that is no number" "$why line 3 of $settings: .*"
	printf 'active = 1 # here\n wait_ms=1\n' >"$settings"
	runs "settings in good order" ''
	echo 'colour = blue' >"$settings"
	runs "what is wrong there is not said if nobody asks" '' GTDBG=0
	rm -f "$settings"
}

# vgtd_ends NAME: one that a program has started and never spoken to
vgtd_ends() {
	local deadline=$((SECONDS + 600)) verdict="not ok"

	GTDBG=1 "GTDBG_VGTD=$BUILD/vgt/vgtd" "TbxPort=$free_port" \
		"$BUILD/libgtdbg/hook/tests/calls" \
		"$BUILD/libgtdbg/hook/libigfxdbgxchg64.so" >/dev/null 2>&1
	while [ "$SECONDS" -lt "$deadline" ] && [ "$verdict" != ok ]; do
		(exec 6<>"/dev/tcp/127.0.0.1/$free_port") 2>/dev/null ||
			verdict=ok
	done
	[ "$verdict" = ok ] || failed=1
	count=$((count + 1))
	echo "$verdict $count - $1"
}

why='gtdbg: not debugging this program:'
echo "TAP version 13"
if [ -e /dev/gtdbg ]; then
	mode=$(stat -c %a /dev/gtdbg)
	with_module
	[ -e "$settings" ] || settings_file
else
	without_module
fi
vgtd_ends "a vgtd that no one has spoken to ends with the program"
# Its pipe would take the number of standard input then.
vgtd_ends "also with one that has closed its standard input" 0<&-
echo "1..$count"
exit "$failed"
