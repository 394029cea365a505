#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# "make check-web": what spectators are sent, in Chromium: played games of two
# systems, one that goes on, one that has not begun, one that strangers filled
# with markup and long names, and lists of it.  Pictures are left in web/ of the
# build, to be looked at.
. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/report_game.sh"
. "$top_srcdir/tests/web/axe.sh"
for program in python3 chromedriver; do
	holds "there is $program" command -v $program >/dev/null
done
export TZ=UTC
web=$top_builddir/web
pager=$top_builddir/tests/tools/pager
axe=$(axe_core)
holds "there is axe-core" test -n "$axe"

# made NAME RECORD [LINES]
made() {
	"$pager" "$work/$1" ${3:+"$3"} <"$2" >"$out" 2>"$err"
	is "$1: pages are made" "$?$(cat "$err")" 0
}

made lasalle "$top_srcdir/tests/rules/lasalle2/played.jsonl"
made imagi "$top_srcdir/tests/rules/imagi-nations/played.jsonl"
made running "$top_srcdir/tests/rules/lasalle2/played.jsonl" 23
sed '20s/"dice":\[./&1/' "$top_srcdir/tests/rules/lasalle2/played.jsonl" \
	>"$work/bad.jsonl"
made bad "$work/bad.jsonl"
for cup in swiss knockout; do
	"$pager" "$work/$cup" cup >"$out" 2>"$err" \
		<"$top_srcdir/tests/record/sample-tournament-$cup/tournament.jsonl"
	is "$cup: pages are made" "$?$(cat "$err")" 0
done
made none "$top_srcdir/tests/rules/lasalle2/played.jsonl" 2
report_game "$work/evening.jsonl"
is "strangers write a game" $? 0
made strangers "$work/evening.jsonl"
stranger_rows >"$work/rows.json"
"$pager" "$work/lists" lists <"$work/rows.json"
is "lists: pages are made" $? 0

python3 "$top_srcdir/tests/web/pages_browse.py" --axe "$axe" \
	--pictures "$web" --wasm "$top_builddir/reader/umpire.wasm" \
	--record "$top_srcdir/tests/rules/lasalle2/played.jsonl" good \
	--record "$work/bad.jsonl" bad \
	swiss="$work/swiss" knockout="$work/knockout" bad="$work/bad" \
	lasalle="$work/lasalle" imagi="$work/imagi" running="$work/running" \
	none="$work/none" strangers="$work/strangers" lists="$work/lists" \
	>"$out"
status=$?
grep -v '^1\.\.' "$out" | sed 's/^/# /'
is "all of them in Chromium" $status 0

finish
