#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Microsoft's public test client for debug adapters with "gtdbgctl dap". It is in no
# Debian package, but in npm, from where it is fetched once: without a network this is
# skipped. Where the module is loaded a program is debugged, else a core file is looked
# at. A guest has no network: what was fetched outside is used there.
set -u

package=@vscode/debugadapter-testsupport
version=1.68.0
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$(cd "$here/../../.." && pwd)/build}
folder=$build/gtdbgctl/npm-$version

skip() {
	echo "1..0 # SKIP $1"
	exit 4
}

# Others may look while it is fetched: it is there when it is whole.
fetch() {
	local new

	[ ! -e /dev/gtdbg ] || skip "$package was not fetched outside of the guest"
	command -v npm >/dev/null || skip "npm is missing: install npm"
	new=$(mktemp -d "$folder.XXXXXX") || exit 1
	if ! timeout 100 npm install --prefix "$new" --no-save --no-audit --no-fund \
		--ignore-scripts "$package@$version" >"$folder.log" 2>&1; then
		rm -rf "$new"
		skip "$package $version cannot be fetched: see $folder.log"
	fi
	mv -T "$new" "$folder" 2>/dev/null || rm -rf "$new"
}

[[ $(uname -r) != *san* ]] || skip "a sanitised kernel takes too long for it"
command -v node >/dev/null || skip "node is missing: install nodejs"
[ -d "$folder" ] || fetch
core=$(mktemp)
trap 'rm -f "$core"' EXIT
tar -xJOf "$here/../../../libgtdbg/tests/fuzz/core.tar.xz" share.core >"$core" || exit 1
DAP_CORE=$core NODE_PATH=$folder/node_modules timeout 1000 node "$here/dap_microsoft.js"
