#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The installed libraries: what they need, and programs built against them as
# pkg-config says.
set -uo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export BUILD=${BUILD:-$top/build}
export PKG_CONFIG_PATH=$folder/lib/pkgconfig
export LD_LIBRARY_PATH=$folder/lib

failed=0
check() {
	local number=$1 what=$2

	shift 2
	if "$@" >"$folder/log" 2>&1; then
		echo "ok $number - $what"
	else
		sed 's/^/# /' "$folder/log"
		echo "not ok $number - $what"
		failed=1
	fi
}

install_library() {
	env -u MAKEFLAGS make -C "$top/libgtdbg" install \
		PREFIX="$folder" DESTDIR= &&
	install -D -m 644 -t "$folder/include/linux" \
		"$top"/uapi/linux/gtdbg*.h
}

# needs LIBRARY NAME...: what the library names, in alphabetical order
needs() {
	local library=$folder/lib/$1

	shift
	diff <(readelf -dW "$library" |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' | sort) \
		<(printf '%s\n' "$@")
}

# runs EXAMPLE PACKAGE: without arguments it prints its usage
runs() {
	local example=$1 package=$2

	# shellcheck disable=SC2046 # the flags are words
	gcc -D_GNU_SOURCE -o "$folder/$example" \
		"$top/libgtdbg/examples/$example.c" \
		$(pkg-config --cflags --libs "$package") || return 1
	"$folder/$example"
	[ $? -eq 2 ]
}

echo "TAP version 13"
echo "1..5"
check 1 "the libraries can be installed" install_library
check 2 "libgtdbg needs libc alone" needs libgtdbg.so libc.so.6
check 3 "libgtdbg-symbols needs elfutils too" \
	needs libgtdbg-symbols.so libc.so.6 libdw.so.1 libelf.so.1
check 4 "a program uses libgtdbg by pkg-config" runs follow libgtdbg
check 5 "a program uses libgtdbg-symbols by pkg-config" \
	runs lines libgtdbg-symbols
exit "$failed"
