#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# "make check-FOLDER" knows each folder, and tests something of it.
. "${top_srcdir:?}/tests/lint/lint.sh"

make check-folders >"$work/folders" 2>"$err"
is "make check-folders says nothing else" "$(cat "$err")" ""

sed 's/:.*//' "$work/folders" | LC_ALL=C sort >"$work/names"
sed -n 's,^\([a-z][a-z0-9/]*\):.*,check-\1,p' "$top_srcdir/tests/lint/rooms" |
	tr / - | LC_ALL=C sort >"$work/rooms"
is "it has the folders of tests/lint/rooms" \
	"$(cat "$work/names")" "$(cat "$work/rooms")"

while read -r name tests; do
	[ -n "$tests" ] || echo "$name no test"
	for t in $tests; do
		# Programs for tests are not built without cmocka.
		[ -e "$top_builddir/$t" ] || [ -e "$top_srcdir/$t" ] ||
			[ -e "$top_srcdir/$t.c" ] || echo "$name $t"
	done
done <"$work/folders" | none "each has tests, which are there"

cut -d: -f2 "$work/folders" | tr ' ' '\n' >"$work/tested"
(cd "$top_srcdir" && find tests/unit -name 'test_*.c') | while read -r f; do
	grep -qx "${f%.c}" "$work/tested" || echo "$f"
done | none "every file of unit tests is about a folder"

# A name may be a part of a path; make is told what it would do.
for name in store client-report rules; do
	make "check-$name" MAKE=echo >"$out" 2>"$err"
	is "check-$name runs" "$?" 0
	case $name in
	store) like "and tests the folder" "$out" "/test_store( |$)" ;;
	client-report) like "and tests the folder" "$out" " tests/unit/client/test_" ;;
	rules) like "and those below it" "$out" "/test_tlnb( |$)" ;;
	esac
done
make check-nosuch >"$out" 2>"$err"
is "a name that no folder has is refused" "$?" 2
like "in plain words" "$err" 'check-nosuch: no folder is named "nosuch"'

holds "HACKING names it" grep -q 'make check-FOLDER' "$top_srcdir/HACKING"

finish
