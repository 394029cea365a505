#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# off.sh NAME: umpire and umpired from which one protection is taken, in
# tests/attack/off/NAME of the build: the sources that off/NAME.patch changes,
# changed and compiled, and before them nothing of the libraries' is linked.
# Both are test programs, with hooks.  "make attack-off NAME=..." starts this
# in the top folder of the build, with COMPILE, LINK_UMPIRE and LINK_UMPIRED in
# the environment, in which OUT and OBJECTS stand for what they say.

set -eu
name=$1
patch=${top_srcdir:?}/tests/attack/off/$name.patch
dir=tests/attack/off/$name

[ -e "$patch" ] || {
	echo "off.sh: there is no $patch" >&2
	exit 1
}
rm -rf "$dir"
mkdir -p "$dir"
files=$(sed -n 's,^--- a/\([^[:blank:]]*\).*,\1,p' "$patch")
for file in $files; do
	mkdir -p "$dir/$(dirname "$file")"
	cp "$top_srcdir/$file" "$dir/$file"
done
patch -s -p1 -d "$dir" <"$patch"
for file in $files; do
	object=$dir/${file%.c}.o
	$COMPILE -w -c -o "$object" "$dir/$file"
done

# link PROGRAM FOLDER COMMAND: of what is common, and the program's own.
link() {
	local objects
	# shellcheck disable=SC2046
	objects=$(printf ' %s' $(find "$dir/common" "$dir/$2" -name '*.o' \
		2>/dev/null))
	set -- "$1" "${3/OUT/"$dir/$1"}" "$objects"
	${2/OBJECTS/$3}
}
link umpire client "$LINK_UMPIRE"
link umpired server "$LINK_UMPIRED"
