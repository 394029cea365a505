#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A tournament and the keys of who plays in it: a second device, which signs for
# the account but has to be given its dice key; a dice key that is changed.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/cup_lib.sh"
need script
with_clocks

wall=$(($(date +%s) * 1000))
hook now_ms "$wall"
start_umpired "$work/umpired" || exit 99
mkdir -p "$work/players/anna"
words=$(player anna script -qec "'$UMPIRE' init --server $server" /dev/null \
	<<<'' | tr -d '\r' | grep -oE -m 1 '([0-9A-HJKMNP-TV-Z]{4}-){7}.{4}')
set_up umpire_as anna register anna --trust || exit 99
enrol bert || exit 99

# typed WHO ARGUMENT...: runs umpire with the words on standard input.
typed() {
	umpire_as "$@" <<<"$words"
}

cup_new '{"format": "roundrobin", "rounds": 2, "event": "Autumn Cup"}'
for who in anna bert; do
	exits 0 "$who enters" umpire_as $who tournament enter "$id" --yes
done

# ---- a second device ----

set_up umpire_as phone init --server "$server" --account anna || exit 99
exits 0 "the new device has a code" typed phone keys add --json
code=$(filter .code <"$out")
exits 0 "anna's device adds it" umpire_as anna keys add "$code"
set_up umpire_as phone keys --trust || exit 99
exits 0 "it has the tournament" umpire_as phone tournament show autumn
is "entries end" "$(cup order "$id" dina shut)" "line 4"
exits 75 "a dice key does not change now" \
	typed anna keys new-dice-key --yes
like "which is said" "$err" "stay as they are until its lots are drawn"
exits 0 "it checks in, by the dice key of the words" \
	umpire_as phone tournament checkin autumn
exits 0 "which the first device sees" umpire_as anna tournament checkin autumn
like "and counts" "$out" "1 of 2 have"
exits 0 "bert, too" umpire_as bert tournament checkin autumn
like "lots are drawn" <(cup order "$id" dina start) line
like "round 1 is paired" <(cup order "$id" dina pair '{"round": 1}') line
exits 77 "a key that it does not know gets into no game" \
	umpire_as phone tournament play autumn
like "and what to do is said" "$err" "umpire keys trust"
set_up umpire_as phone keys trust "$(umpire_as anna keys |
	grep "this device's" | cut -d ' ' -f 1)" || exit 99
exits 0 "once it knows it, it sits down" umpire_as phone tournament play autumn
exits 0 "bert comes" umpire_as bert tournament play autumn
exits 0 "and the first device says that anna is ready" \
	umpire_as anna tournament play autumn
like "in the game that the other opened" "$out" "Play goes on"

# ---- a new dice key ----

exits 0 "once lots are drawn the key changes" typed anna keys new-dice-key --yes
like "in the tournament" "$out" \
	'tournament autumn-cup: in games that are opened from now on'
exits 0 "bert gives up" umpire_as bert resign autumn-cup-r1 --yes
wall=$((wall + 86400000))
hook now_ms "$wall"
like "round 2 is paired" <(cup order "$id" dina pair '{"round": 2}') line
exits 78 "the other device has not got it" umpire_as phone tournament play autumn
like "and is told what to do" "$err" "Copy the dice.key files"
cp "$(player_data anna)"/dice.key* "$(player_data phone)/"
exits 0 "with the files it opens its game" umpire_as phone tournament play autumn
exits 0 "bert comes" umpire_as bert tournament play autumn

# ---- at a terminal ----

player anna script -qec "'$UMPIRE' tournament play autumn" "$work/seen" \
	<<<$'quit\n' >/dev/null 2>&1
like "at a terminal the table is told first" "$work/seen" \
	'Round 2, table 1: you are side [12] .*against bert'
like "and the game goes on" "$work/seen" 'You are anna, in seat [12] '
like "under the round's name" "$work/seen" 'autumn-cup-r2, (your move|waiting)>'
cup export "$id" cup
like "its line is in the record" <(jq -r '.order // empty' \
	"$work/records/cup/tournament.jsonl" | jq -r .kind) '^dice-key$'
exits 0 "which is good" "$UMPIRE" verify "$work/records/cup"
finish
