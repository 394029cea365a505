#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# A report stands alone: a program that reads a record and tells the battle is
# linked without sockets, a terminal or a profile, and tells what umpire tells.
. "${top_srcdir:?}/tests/lint/lint.sh"
need "${CC:?}" ldd
cd "${top_builddir:?}" || exit 99

ldd tests/tools/teller | awk '{ print $1 }' |
	grep -vE '^(/.*|linux-vdso.*)$|^lib(jansson|crypto|utf8proc|m|c|pthread|dl)\.' |
	none "it needs no library but jansson, libcrypto and utf8proc"

# Both link the same library: each record in one of the formats, by turns, and
# with UMPIRE_LONG in all of them.
n=0
for file in "$top_srcdir"/tests/rules/*/played*.jsonl; do
	record=${file#"$top_srcdir/tests/rules/"}
	n=$((n + 1))
	for format in text markdown html; do
		n=$((n + 1))
		[ -n "${UMPIRE_LONG:-}" ] || [ $((n % 3)) = 0 ] || continue
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
calls="conn_open term_ask profile_open out_table_new replica_open"
for call in $calls; do
	echo "int $call(void); int calls_$call(void) { return ($call()); }"
done >"$work/planted.c"
links "$work/planted.c"
for call in $calls; do
	like "but not one that calls $call" "$out" "undefined reference.*$call"
done

finish
