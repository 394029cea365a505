#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# assemble.sh VERSION PROGRAM >PAGE: puts umpire-reader.html together out of
# its parts in the folder of this script and the program, umpire.wasm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
version=${1:?usage: assemble.sh VERSION PROGRAM}
program=${2:?usage: assemble.sh VERSION PROGRAM}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

hash=$(sha256sum "$program" | cut -c 1-64)
base64 "$program" >"$work/PROGRAM"
cp "$here/page.css" "$work/STYLE"
cp "$here/worker.js" "$work/WORKER"
sed "s/@PROGRAM-HASH@/$hash/" "$here/page.js" >"$work/SCRIPT"
# As a browser sees it: with the line ends before and after it.
script=$({ echo; cat "$work/SCRIPT"; } | openssl dgst -sha256 -binary | base64)

awk -v work="$work" -v version="$version" -v hash="$hash" \
	-v script="$script" '
	/^@[A-Z]+@$/ {
		part = work "/" substr($0, 2, length($0) - 2)
		while ((getline line <part) > 0)
			print line
		next
	}
	{
		gsub(/@VERSION@/, version)
		gsub(/@PROGRAM-HASH@/, hash)
		gsub(/@SCRIPT-HASH@/, script)
		print
	}' "$here/page.html"
