# SPDX-License-Identifier: MIT
# For all tests here: results as TAP.

count=0
failed=0

skip() {
	echo "1..0 # SKIP $1"
	exit 4
}

# For tests without a guest.
needs_virtual_gpu() {
	[ -x "$BUILD/vgt/vgt-run" ] && [ -r /etc/OpenCL/vendors/intel.icd ] ||
		skip "no virtual GPU, or no OpenCL runtime"
}

result() {
	count=$((count + 1))
	echo "$1 $count - $2"
	[ "$1" = ok ] || failed=1
}

finish() {
	echo "1..$count"
	exit "$failed"
}
