#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# A report stands alone: a program that reads a record and tells the battle is
# linked without sockets, a terminal or a profile, and tells what umpire tells.
. "${top_srcdir:?}/tests/lint/lint.sh"
need "${CC:?}" ldd
cd "${top_builddir:?}" || exit 99

ldd tests/tools/teller | awk '{ print $1 }' |
	grep -vE '^(/.*|linux-vdso.*)$|^lib(jansson|crypto|m|c|pthread|dl)\.' |
	none "it needs no library but jansson and libcrypto"

for file in "$top_srcdir"/tests/rules/*/played*.jsonl; do
	record=${file#"$top_srcdir/tests/rules/"}
	for format in text markdown html; do
		tests/tools/teller $format <"$file" >"$work/told" 2>"$err"
		is "$record as $format: it is told" "$?$(cat "$err")" 0
		./umpire log "$file" --format $format >"$work/log"
		holds "$record as $format: as umpire tells it" \
			cmp "$work/told" "$work/log"
	done
done

# links FILE...: with what a report may rest on.
# shellcheck disable=SC2086
links() {
	"$CC" -o "$work/linked" "$@" tests/tools/teller.o \
		$REPORT_LIBS >"$out" 2>&1
}

# ---- what must not be called is found ----

echo 'int planted(void) { return (0); }' >"$work/planted.c"
links "$work/planted.c"
is "a function more is linked" $? 0
for call in conn_open term_ask profile_open out_table_new replica_open; do
	echo "int $call(void); int planted(void) { return ($call()); }" \
		>"$work/planted.c"
	links "$work/planted.c"
	like "but not one that calls $call" "$out" "undefined reference.*$call"
done

finish
