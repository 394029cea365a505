#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A tournament is exported again into the same folder, and where that cannot be
# done whole: what lies there is good, or cannot be judged, but never bad.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/cup_lib.sh"
with_clocks
export UMPIRE_DATADIR=$top_srcdir/etc

wall=$fixed_now
hook now_ms "$wall"
start_umpired "$work/umpired" || exit 99
enrol anna bert carl emma dina || exit 99
cup_keys dina

# exported STATUS WHO [OPTION]...: a case; the folder is kept as $work/cup.
exported() {
	local status=$1 who=$2
	shift 2
	exits "$status" "$who exports it $*" \
		umpire_as "$who" tournament export box "$work/cup" "$@"
}

# files: of the folder, those that are no records too.
files() {
	(cd "$work/cup" && ls -A | tr '\n' ' ')
}

cup_new '{"rounds": 1, "event": "Box"}'
for who in anna bert carl emma; do
	umpire_as $who tournament enter "$id" --yes >/dev/null 2>&1
done
like "entries end" <(cup order "$id" dina shut) line
for who in anna bert carl emma; do
	umpire_as $who tournament checkin box >/dev/null 2>&1
done
like "lots are drawn" <(cup order "$id" dina start) line
like "round 1 is paired" <(cup order "$id" dina pair '{"round": 1}') line
for who in anna bert carl emma anna bert carl emma; do
	umpire_as $who tournament play box >/dev/null 2>&1
done
is "two games are played" "$(cup view "$id" |
	jq '[.pairings[0].tables[].legs[] | select(.game)] | length')" 2

exits 0 "the director exports it" \
	umpire_as dina tournament export "$id" "$work/cup" --trust
exits 0 "which is good" "$UMPIRE" verify "$work/cup"
before=$(files)
cp -r "$work/cup" "$work/old"

# The game that is brought first has ended, and the other cannot be read.
player_of() {
	cup view "$id" | jq -r --arg game "$1" '.entrants as $all |
		.pairings[0].tables[] | select(.legs[0].game == $game) | .a as $n |
		$all[] | select(.number == $n) | .account'
}
read -r first other < <(jq -r 'select(.what == "game").data.game' \
	"$work/cup/tournament.jsonl" | tr '\n' ' ')
wall=$((wall + 60000))
hook now_ms "$wall"
exits 0 "a player resigns" umpire_as "$(player_of "$first")" resign box-r1 --yes
# moved FROM TO: a line of the other game in the database.
moved() {
	sqlite3 "$work/umpired/umpired.db" "UPDATE record SET seq = $2
		WHERE seq = $1 AND game = (SELECT gid FROM game
		WHERE id = x'$other')"
}
moved 2 1002
run umpire_as dina tournament export box "$work/cup"
is "with a game that cannot be read it is not exported" "$((status != 0))" 1
like "it is said which" "$err" "Game ${other:0:8} could not be brought"
like "and what became of the folder" "$err" 'No file of the folder was changed'
is "nothing more lies there" "$(files)" "$before"
holds "nor has anything changed" diff -r "$work/old" "$work/cup"
exits 0 "which is good as before" "$UMPIRE" verify "$work/cup"
moved 1002 2
exported 0 dina
exits 0 "what is whole again is good" "$UMPIRE" verify "$work/cup"
# Copies of different days, put together by hand.
cp -r "$work/cup" "$work/mixed"
cp "$work/old/tournament.jsonl" "$work/mixed"
exits 1 "a tournament from before its game's end is bad" \
	"$UMPIRE" verify "$work/mixed"
like "but it is asked whether it is that" "$err" \
	'its result is missing: is the tournament.s file from before that\?'
cp "$work/cup/tournament.jsonl" "$work/mixed"
cp "$work/old/$first.jsonl" "$work/mixed"
exits 1 "so is one with a game from before" "$UMPIRE" verify "$work/mixed"
like "likewise" "$err" 'has no line [0-9]+: is its file from before that line\?'
is "and two at once wait for each other" "$(
	umpire_as dina tournament export box "$work/two" >/dev/null 2>&1 &
	umpire_as "$(player_of "$first")" tournament export box "$work/two" >/dev/null 2>&1
	echo $?
	wait $!
	echo $?
)" $'0\n0'
exits 0 "... and what they write is good" "$UMPIRE" verify "$work/two"
exec 9<"$work/two"
flock 9
umpire_as dina tournament export box "$work/two" >"$work/waits" 2>&1 9<&- &
holds "one that waits says so" \
	wait_for 20 grep -q "Another export is writing to" "$work/waits"
exec 9<&-
holds "and goes on after the other" wait $!

# The server is gone once the other game is over, too.
one=$(player_of "$other")
exits 0 "so does one of the other game" umpire_as "$one" resign box-r1 --yes
stop_umpired || fail "umpired ends well"
rm -rf "$work/cup"
exported 0 "$one" --offline
like "their copy of the tournament does not know" "$err" \
	"Game ${other:0:8} is not in the folder: it is over"
like "nor have they the other game" "$err" \
	"Game ${first:0:8} is not written: you have no copy of it"
is "the tournament is there" "$(files)" "tournament.jsonl "
exits 2 "it cannot be judged whole, and accuses nobody" \
	"$UMPIRE" verify "$work/cup"

finish
