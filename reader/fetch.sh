#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# fetch.sh FOLDER: gets the source packages that reader/sources names into
# FOLDER, each in a folder of its own, with Debian's patches.  Package lists
# are its own, in FOLDER/apt: those of the system stay as they are.  A version
# that Debian no longer has, or a file with another hash, is an error.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: fetch.sh FOLDER}
mirror=${MIRROR:-http://deb.debian.org}

mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
cd "$folder"

# fail WORDS: says why nothing can be built, and ends.
fail() {
	echo "fetch.sh: $*" >&2
	exit 1
}

for program in apt-get dpkg-source sha256sum; do
	command -v $program >/dev/null ||
		fail "$program is missing (packages apt, dpkg-dev, coreutils)"
done

cat >apt/sources.list <<END
deb-src $mirror/debian bookworm main
deb-src $mirror/debian-security bookworm-security main
END

# own PROGRAM WORDS: apt-get or apt-cache with nothing of the system's but its
# keys.
own() {
	local program=$1
	shift
	"$program" -q -o Dir::Etc::SourceList="$PWD/apt/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null \
		-o Dir::State::Lists="$PWD/apt/lists" \
		-o Dir::Cache="$PWD/apt" -o APT::Sandbox::User=root \
		-o pkgCacheGen::Essential=none "$@"
}

# versions PACKAGE: those of its source that Debian has, "none" without.
versions() {
	own apt-cache showsrc "$1" 2>/dev/null |
		awk '/^Version: / && !had[$2]++ {
			list = list (list == "" ? "" : ", ") $2
		}
		END { print list == "" ? "none" : list }'
}

# sums PACKAGE: the lines "SHA256  NAME" of its files.
sums() {
	awk -v package="$1" '
		/^#/ { next }
		NF == 2 && length($1) != 64 { is_it = $1 == package; next }
		is_it { print $1 "  " $2 }' "$here/sources"
}

# fetched PACKAGE: whether all its files are here, and as they must be.
fetched() {
	sums "$1" | sha256sum --check --status 2>/dev/null
}

listed=no
grep -vE '^#|^[0-9a-f]{64} ' "$here/sources" | while read -r package version; do
	[ ! -e "$package/.unpacked-$version" ] || continue
	if ! fetched "$package"; then
		if [ $listed = no ]; then
			own apt-get update >apt/log 2>&1 || fail "$(cat apt/log)"
			listed=yes
		fi
		own apt-get source --download-only "$package=$version" \
			>apt/log 2>&1 || fail "reader/sources names $package \
$version; of its source Debian has $(versions "$package") now.
$(tail -n 1 apt/log)
Look at the version that it has, try it, and put it into reader/sources."
		fetched "$package" || fail "$package $version: its files are" \
			"not those that reader/sources names"
	fi
	dsc=$(sums "$package" | awk '/\.dsc$/ { print $2 }')
	grep -qxF "Version: $version" "$dsc" ||
		fail "$dsc is not of $package $version, which reader/sources" \
			"names: $(grep '^Version:' "$dsc")"
	rm -rf "$package"
	dpkg-source --no-check -x "$dsc" "$package" >apt/log 2>&1 ||
		fail "$(cat apt/log)"
	touch "$package/.unpacked-$version"
done
