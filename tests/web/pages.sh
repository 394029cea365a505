#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# "make check-web": what spectators are sent, in Chromium: played games of all
# systems, one that goes on, one that has not begun, one that strangers filled
# with markup and long names, and lists of it; a game of each kind that
# tests/web/kinds.py makes, and a tournament of each kind of cup_kinds.py, and one
# of many.  Pictures are left in web/pages/ of the build, to be looked at by its
# index.html; "make look-web" makes these alone.
. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/report_game.sh"
. "$top_srcdir/tests/web/axe.sh"
for program in python3 chromedriver; do
	holds "there is $program" command -v $program >/dev/null
done
export TZ=UTC
web=$top_builddir/web/pages
pager=$top_builddir/tests/tools/pager
rm -rf "$web"
tried=()
if [ -z "${LOOK:-}" ]; then
	axe=$(axe_core)
	holds "there is axe-core" test -n "$axe"
	tried=(--axe "$axe" --wasm "$top_builddir/reader/umpire.wasm"
		--record "$top_srcdir/tests/rules/lasalle2/played.jsonl" good
		--record "$work/bad.jsonl" bad)
fi

# made NAME RECORD [WHAT...]
made() {
	"$pager" "$work/$1" "${@:3}" <"$2" >"$out" 2>"$err"
	is "$1: pages are made" "$?$(cat "$err")" 0
}

played=$top_srcdir/tests/rules
lasalle=$played/lasalle2/played.jsonl
made lasalle "$lasalle"
made imagi "$played/imagi-nations/played.jsonl"
made running "$lasalle" 23
sed '20s/"dice":\[./&1/' "$lasalle" >"$work/bad.jsonl"
made bad "$work/bad.jsonl"

# Games of which the page alone is looked at.
games=()
# game NAME RECORD [WHAT...]
game() {
	made "$@"
	games+=(--game "$1=$work/$1")
}
python3 "$top_srcdir/tests/web/kinds.py" "$UMPIRE" "$work/kinds" \
	>"$work/kinds.list" 2>"$err"
is "a record of each kind is made" "$?$(cat "$err")" 0
while read -r kind; do
	game "game-$kind" "$work/kinds/$kind.jsonl"
done <"$work/kinds.list"
for system in imagi-nations/played-sealed invasion-1812/played tlnb/played \
	tlnb/played-facts leniston-2009/played leniston-2009/played-inside; do
	game "game-${system//\//-}" "$played/$system.jsonl"
done
game game-away "$lasalle" 23 away
game game-forked "$lasalle" 23 forked
game game-short "$lasalle" 23 short
game game-damaged "$lasalle" 23 damaged
game game-recovering "$lasalle" 23 recovering
for cup in swiss knockout; do
	"$pager" "$work/$cup" cup >"$out" 2>"$err" \
		<"$top_srcdir/tests/record/sample-tournament-$cup/tournament.jsonl"
	is "$cup: pages are made" "$?$(cat "$err")" 0
done

# Tournaments of which the first page is looked at (front), or all (cup).
python3 "$top_srcdir/tests/web/cup_kinds.py" "$work/cups" \
	>"$work/cups.list" 2>"$err"
is "a tournament of each kind is made" "$?$(cat "$err")" 0
while read -r kind how what; do
	"$pager" "$work/cup-$kind" cup "$how" <"$work/cups/$kind.jsonl" \
		>"$out" 2>"$err"
	is "cup-$kind: pages are made" "$?$(cat "$err")" 0
	games+=("--$what" "cup-$kind=$work/cup-$kind")
done <"$work/cups.list"

# One of 1,000: a round has 500 tables.
start_umpired "$work/crowd" -o max_per_address=100000 \
	-o register_burst=100000 -o request_rate=0 -o address_rate=0
enrol otto # anna has another umpire
exits 0 "1,000 play two rounds" "$tools/cup" 127.0.0.1 "$port" 1000 2 1815
exits 0 "which is exported" umpire_as otto tournament export \
	"$(jq -r .tournament "$out")" "$work/thousand"
stop_umpired
"$pager" "$work/cup-thousand" cup <"$work/thousand/tournament.jsonl" >"$out" 2>"$err"
is "and its pages are made" "$?$(cat "$err")" 0
games+=(--cup "cup-thousand=$work/cup-thousand")
made none "$lasalle" 2
report_game "$work/evening.jsonl"
is "strangers write a game" $? 0
made strangers "$work/evening.jsonl"
stranger_rows >"$work/rows.json"
"$pager" "$work/lists" lists <"$work/rows.json"
is "lists: pages are made" $? 0
echo '{"games":[]}' | "$pager" "$work/empty" lists
is "a list of nothing is made, too" $? 0
holds "but no page of an event without a name" test ! -e "$work/empty/e"

python3 "$top_srcdir/tests/web/pages_browse.py" "${tried[@]}" \
	--pictures "$web" "${games[@]}" \
	swiss="$work/swiss" knockout="$work/knockout" bad="$work/bad" \
	lasalle="$work/lasalle" imagi="$work/imagi" running="$work/running" \
	none="$work/none" strangers="$work/strangers" lists="$work/lists" \
	>"$out"
status=$?
grep -v '^1\.\.' "$out" | sed 's/^/# /'
is "all of them in Chromium" $status 0

finish
