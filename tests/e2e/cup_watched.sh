#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A whole tournament that nobody looks after: four players and a director leave
# watchers alone, from the end of entries to the final standings, and only play
# their games.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_clocks
export UMPIRE_DATADIR=$top_srcdir/etc

start_umpired "$work/umpired" || exit 99
players="anna bert carl dora"
# The watchers' clock is a file, since it goes on while they run.
wall=$fixed_now
clock=$work/clock
echo "$wall" >"$clock"
hook now_ms "$wall"
export UMPIRE_TEST_NOW=$clock
# shellcheck disable=SC2086
enrol dina $players || exit 99

# later SECONDS: so much time passes, and everybody's watcher looks.
later() {
	wall=$((wall + $1 * 1000))
	"$tools/hookctl" "$work/hooks" set now_ms "$wall"
	echo "$wall" >"$clock.new" && mv "$clock.new" "$clock"
	umpire_as dina tournament say watched "it is later" >/dev/null
}

# seen FILE PATTERN: true if a watcher has told so.
seen() {
	grep -Eq -- "$2" "$1"
}

exits 0 "a tournament is opened" umpire_as dina tournament new --yes \
	--event Watched --swiss 2 --roster lasalle2-evening --entries 1h \
	--checkin 1d --gap 6h --review 1d
id=$(sed -n 's|.*umpire://[^/]*/\([0-9a-f]*\)#.*|\1|p' "$out" | head -n 1)
for who in $players; do
	umpire_as "$who" tournament enter "$id" --yes >/dev/null 2>&1
	watching "$who" "$work/$who" --tournament watched --check-in
	watchers="${watchers:-} $watcher"
done
watching dina "$work/dina" --tournament watched --direct
watchers="$watchers $watcher"

later 3700
for what in "entries have ended" "the lots are drawn" "a round is paired"; do
	wait_for 20 seen "$work/dina" "watched: $what"
	is "the director's watcher: $what" $? 0
done

# played ROUND: true if both games of the round have begun.
played() {
	local who n=0
	for who in $players; do
		[ "$(umpire_as "$who" show "watched-r$1" --json 2>/dev/null |
			filter .phase)" = play ] && n=$((n + 1))
	done
	[ "$n" = 4 ]
}

for round in 1 2; do
	for who in $players; do
		wait_for 20 seen "$work/$who" "Round $round, table [12]: you are"
		is "$who comes to the table of round $round" $? 0
	done
	wait_for 20 played "$round"
	is "and all are ready" $? 0
	for who in $players; do
		umpire_as "$who" end-turn "watched-r$round" --yes >/dev/null 2>&1
	done
	for who in $players; do
		umpire_as "$who" end-turn "watched-r$round" --yes >/dev/null 2>&1
	done
	for who in $players; do # the second to do so finds the game over
		umpire_as "$who" resign "watched-r$round" --yes >/dev/null 2>&1
	done
	later 3600
	[ "$round" = 2 ] || {
		is "nothing is paired before its time" "$(grep -c 'a round is paired' \
			"$work/dina")" 1
		later 18500
		wait_for 20 seen "$work/anna" 'Round 2, table'
		is "then it is" "$(grep -c 'a round is paired' "$work/dina")" 2
	}
done
later 90000
wait_for 20 seen "$work/dina" "watched: it is finished"
is "and the end is the director's watcher's, too" $? 0

# A watcher of one tournament has no more to do.
for pid in $watchers; do
	wait_for 20 not_running "$pid"
	is "a watcher ends" $? 0
	wait "$pid"
	is "well" $? 0
done
for who in dina $players; do
	is "$who's has complained of nothing" "$(cat "$work/$who.err")" ""
done
like "each has said that it is over" "$work/anna" "watched: it is over"
exits 0 "the standings are final" umpire_as anna --json tournament standings watched
is "of four" "$(jq '.standings | length' "$out")" 4
exits 0 "it is exported" umpire_as bert tournament export watched "$work/cup"
exits 0 "and good" "$UMPIRE" verify "$work/cup"
like "with four games" "$out" "games +4 verified"
like "none by forfeit" "$out" " 0 by forfeit"
stop_umpired || fail "umpired ends well"
finish
