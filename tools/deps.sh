#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The one list of Debian packages. Installs what is missing when run as root,
# otherwise prints the one command that does.
set -euo pipefail

packages=(
	# Compilers and build tools
	build-essential pkg-config git clang-14 libclang-rt-14-dev
	# Kernel module, and the kernels it is built for
	linux-headers-amd64 linux-headers-6.12-amd64 linux-source-6.12
	dwarves kmod bc bison flex libssl-dev rsync xz-utils sparse bpftool bpftrace
	linux-perf trace-cmd babeltrace2
	# The guest
	qemu-system-x86 busybox-static cpio iproute2
	# Library and tool
	libelf-dev libdw-dev libreadline-dev libdrm-dev libjson-c-dev elfutils
	libbpf-dev libncurses-dev libzstd-dev zstd
	# OpenCL: Intel's runtime and compiler, and a second one for references
	intel-opencl-icd libigc1 libigc-tools libigc-dev libllvm14
	ocl-icd-libopencl1 ocl-icd-opencl-dev opencl-headers clinfo
	pocl-opencl-icd oclgrind clpeak
	# Level Zero's loader; the runtime is Intel's, above
	libze1 libze-dev
	# Packages, and a clean root to install them in
	debhelper dh-dkms dpkg-dev lintian mmdebstrap
	# Documentation and scripts
	python3 python3-protobuf python3-sphinx man-db shellcheck
)

installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' \
	"${packages[@]}" 2>/dev/null | sed -n 's/ installed$//p') || true
missing=()
for package in "${packages[@]}"; do
	grep -qxF "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "deps.sh: this is no Debian system: install the equivalents of" \
		"${missing[*]}" >&2
	exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
	echo "deps.sh: packages are missing: run" \
		"'apt-get install ${missing[*]}' as root" >&2
	exit 1
fi

export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "deps.sh: installing ${missing[*]}"
if ! { apt-get -q update && apt-get -qy install --no-install-recommends \
	"${missing[@]}"; } >"$log" 2>&1 </dev/null; then
	tail -n 5 "$log" >&2
	echo "deps.sh: the installation failed: check the network and the" \
		"package sources, then run again" >&2
	exit 1
fi
