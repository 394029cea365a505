#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A tournament whose games spectators see later than they are played, in the
# hands of one: a game that goes on while its table has a result is not yet
# visible as far as the tournament names its lines.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/cup_lib.sh"
with_clocks
export UMPIRE_DATADIR=$top_srcdir/etc

wall=$fixed_now
clock=$work/clock
echo "$wall" >"$clock"
hook now_ms "$wall"
export UMPIRE_TEST_NOW=$clock
start_umpired "$work/umpired" || exit 99
enrol anna bert carl dina || exit 99
cup_keys dina

cup_new '{"rounds": 1, "event": "Slow Cup", "options": {"delay": 5}}'
for who in anna bert; do
	exits 0 "$who enters" umpire_as $who tournament enter "$id" --yes
done
like "entries end" <(cup order "$id" dina shut) line
for who in anna bert; do
	exits 0 "$who checks in" umpire_as $who tournament checkin slow
done
like "lots are drawn" <(cup order "$id" dina start) line
like "round 1 is paired" <(cup order "$id" dina pair '{"round": 1}') line
for who in anna bert anna; do
	exits 0 "$who sits down" umpire_as $who tournament play slow
done
for turn in 1 2 3; do
	for who in anna bert; do # one of them has another turn to wait for
		umpire_as $who end-turn slow-cup-r1 --yes >/dev/null 2>&1
	done
done
exits 0 "it is exported while the game goes on" \
	umpire_as carl tournament export "$id" "$work/carl" --trust
like "with as much of it as there is to see" "$out" ', and 1 game to'
exits 0 "which is good" "$UMPIRE" verify "$work/carl"

wall=$((wall + 90000000))
"$tools/hookctl" "$work/hooks" set now_ms "$wall"
echo "$wall" >"$clock.new" && mv "$clock.new" "$clock"
exits 0 "the time of the round is over" \
	umpire_as anna tournament claim slow --yes
like "which is the result" "$out" 'it is a draw'
exits 0 "a player's export is good" umpire_as anna tournament export slow \
	"$work/anna"
exits 0 "with the game" "$UMPIRE" verify "$work/anna"
exits 0 "a spectator's, over the older one" \
	umpire_as carl tournament export slow "$work/carl"
like "has no game" "$out" ', and 0 games to'
like "and says why" "$err" 'does not reach here as far'
exits 2 "it accuses nobody, but cannot be judged whole" \
	"$UMPIRE" verify "$work/carl"
stop_umpired || fail "umpired ends well"
finish
