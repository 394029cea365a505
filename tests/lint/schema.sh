#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# The files of sql/ make the schema, in order and without gaps: what umpired
# makes is what sqlite3 makes of them, and so is every stored database of a
# former version once umpired has opened it.
. "${top_srcdir:?}/tests/lint/lint.sh"
need sqlite3

# schema DATABASE: all that it defines, and its numbers.
schema() {
	sqlite3 -readonly "$1" \
		'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name;
		PRAGMA user_version; PRAGMA application_id;'
}

n=0
for file in sql/[0-9]*.sql; do
	n=$((n + 1))
	case $file in
	sql/"$(printf '%04d' "$n")"_*.sql) ;;
	*) echo "$file is not number $n" ;;
	esac
	sqlite3 -bail "$work/fresh.db" <"$file" 2>&1
	[ "$(sqlite3 "$work/fresh.db" 'PRAGMA user_version')" = "$n" ] ||
		echo "$file does not set user_version to $n"
done | none "migrations apply one after the other and number themselves"

schema "$work/fresh.db" >"$work/fresh"
is "all tables are STRICT" "$(sqlite3 "$work/fresh.db" \
	"SELECT name FROM pragma_table_list WHERE NOT strict
	AND name NOT LIKE 'sqlite_%'")" ""

init_umpired "$work/server" || fail "umpired --init"
schema "$work/server/umpired.db" | diff "$work/fresh" - |
	none "umpired makes the schema of the files"
is "the database is whole" \
	"$(sqlite3 -readonly "$work/server/umpired.db" 'PRAGMA integrity_check')" ok

# One database of each former version, as that version left it.
newest=$(sqlite3 "$work/fresh.db" 'PRAGMA user_version')
for version in $(seq 1 $((newest - 1))); do
	old=tests/migrate/version-$version.sql
	if [ ! -e "$old" ]; then
		fail "$old is there"
		continue
	fi
	cp -r "$work/server" "$work/$version"
	rm -f "$work/$version"/umpired.db*
	sqlite3 -bail "$work/$version/umpired.db" <"$old"
	start_umpired "$work/$version" && stop_umpired
	schema "$work/$version/umpired.db" | diff "$work/fresh" - |
		none "version $version migrates to the schema of the files"
done

finish
