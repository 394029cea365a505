#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Folders are libraries: each rests only on those that tests/lint/rooms names
# for it, which stand before it there, so that there is no circle; and none is
# too full to find one's way in.
. "${top_srcdir:?}/tests/lint/lint.sh"
need "${NM:?}"

rooms=tests/lint/rooms
own_files=$(sources '*.c' '*.h' | grep -v '^tests/')

# order FILE: folders that rest on one that does not stand before them.
order() {
	awk -F: '
	/^#/ || NF == 0 { next }
	{
		n = split($2, on, " ")
		for (i = 1; i <= n; i++)
			if (!(on[i] in seen))
				print $1 " rests on " on[i] ", which stands below it"
		seen[$1] = 1
	}' "$1"
}

# strays: of lines "FOLDER FOLDER WHAT" those that $rooms does not allow.
strays() {
	awk -F: '
	FNR == NR {
		if (/^#/ || NF == 0) next
		room[$1] = 1
		n = split($2, on, " ")
		for (i = 1; i <= n; i++) may[$1, on[i]] = 1
		next
	}
	{
		split($0, w, " ")
		if (!(w[1] in room)) print w[1] " is not in the list"
		else if (w[1] != w[2] && !((w[1], w[2]) in may))
			print w[1] " rests on " w[2] ": " w[3]
	}' "$rooms" -
}

# includes FILE...: what they include of ours.
includes() {
	grep -HE '^#include "(common|server|client|web)/' "$@" | awk -F'[:"]' '
	{
		from = $1; sub(/\/[^\/]*$/, "", from)
		to = $3; sub(/\/[^\/]*$/, "", to)
		print from, to, $1 ">" $3
	}'
}

order "$rooms" | none "a folder rests on what stands before it in the list"
# shellcheck disable=SC2086
includes $own_files | strays |
	none "what a folder includes is what it may rest on"

# The same of the objects, where something may be declared without a header.
(cd "${top_builddir:?}" && find common server client web -name 'lib*.a' |
	while read -r lib; do
		"$NM" "$lib" 2>/dev/null | awk -v lib="${lib%/*}" '
		NF == 3 && $2 ~ /^[TDRBV]$/ { print "has", lib, $3 }
		NF == 2 && $1 == "U" { print "wants", lib, $2 }'
	done) | LC_ALL=C sort -u | awk '
	$1 == "has" { of[$3] = $2; next }
	$3 in of { print $2, of[$3], $3 }' >"$work/calls"
holds "calls between libraries are read" test -s "$work/calls"
strays <"$work/calls" | none "what a library calls is what it may rest on"

for dir in $(dirname $own_files | LC_ALL=C sort -u); do
	n=$(find "$dir" -maxdepth 1 -name '*.c' ! -name 'cmd_*.c' | wc -l)
	[ "$n" -le 40 ] || echo "$dir has $n"
done | none "no folder has more than 40 .c files, subcommands aside"

while IFS=: read -r room _; do
	case $room in
	'#'* | '') continue ;;
	esac
	grep -Eq "^ *$room/( |$)" HACKING || echo "$room"
done <"$rooms" | none "HACKING says what each folder is for"

# Its parts that are about more than how to change it are in doc/.
for f in doc/*; do
	grep -q "$f" HACKING || echo "$f"
done | none "HACKING names each text of doc/"

# ---- a circle that is planted is found ----

sed 's/^common\/json:.*/& client\/cmd/' "$rooms" >"$work/rooms"
order "$work/rooms" >"$out"
like "a folder that rests on what stands below it" \
	"$out" "^common/json rests on client/cmd, which"
echo "server/store server/ledger store.c>server/ledger/ledger.h" |
	strays >"$out"
like "a file that includes what it must not" \
	"$out" "^server/store rests on server/ledger: store.c>"
echo "common/game client/play play_open" | strays >"$out"
like "a call without an include" \
	"$out" "^common/game rests on client/play: play_open"

finish
