#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Microsoft's public test client for debug adapters with "gtdbgctl dap". It is in no
# Debian package, but in npm, from where it is fetched once: without a network this is
# skipped. Where the module is loaded a program is debugged, else a core file is looked
# at. A guest has no network: what was fetched outside is used there.
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$(cd "$here/../../.." && pwd)/build}
wanted=$here/microsoft
folder=$build/gtdbgctl/npm-$(cksum <"$wanted/package-lock.json" | tr ' ' -)

skip() {
	echo "1..0 # SKIP $1"
	exit 4
}

# What was fetched is what the lock file has the sums of. Others may look meanwhile: it is
# there when it is whole.
fetch() {
	[ ! -e /dev/gtdbg ] || skip "the client is not in $folder, and is not fetched beside the module"
	command -v npm >/dev/null || skip "npm is missing: install npm"
	new=$(mktemp -d "$folder.XXXXXX") || exit 1
	trap 'rm -rf "$new"' EXIT
	cp "$wanted"/package*.json "$new" || exit 1
	timeout 100 npm ci --prefix "$new" --no-audit --no-fund --ignore-scripts \
		>"$folder.log" 2>&1 || skip "the client cannot be fetched: see $folder.log"
	mv -T "$new" "$folder" 2>/dev/null
}

[[ $(uname -r) != *san* ]] || skip "a sanitised kernel takes too long for it"
command -v node >/dev/null || skip "node is missing: install nodejs"
[ -d "$folder" ] || fetch
core=$(mktemp)
trap 'rm -rf "$core" "${new-}"' EXIT
tar -xJOf "$here/../../../libgtdbg/tests/fuzz/core.tar.xz" share.core >"$core" || exit 1
DAP_CORE=$core NODE_PATH=$folder/node_modules timeout 1000 node "$here/dap_microsoft.js"
