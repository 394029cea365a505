#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A player's way through a tournament: wrong things first in each state, then
# only what the program prints as what to do next.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/cup_lib.sh"
need script
with_clocks

wall=$(($(date +%s) * 1000))
hook now_ms "$wall"
start_umpired "$work/umpired" || exit 99
enrol anna bert carl || exit 99

# later MS: so much time passes.
later() {
	wall=$((wall + $1))
	hook now_ms "$wall"
}

# directed WHAT KIND [ARGS [WHY]]: an order of the director is taken.
directed() {
	local what=$1
	shift
	like "$what" <(cup order "$id" dina "$@") '^line [0-9]+$'
}

# games: how many were opened.
games() {
	cup view "$id" | jq '[.pairings[].tables[].legs[] | select(.game)] | length'
}

# sits WHO: their client sits down in the background; $pid is its own.
sits() {
	local home=$work/players/$1
	env HOME="$home" XDG_CONFIG_HOME="$home/config" \
		XDG_DATA_HOME="$home/data" "$UMPIRE" tournament play autumn \
		</dev/null >"$work/killed" 2>&1 &
	pid=$!
	daemons="$daemons $pid"
}

# waits WHO: true while an order of theirs to a game waits for its answer.
waits() {
	compgen -G "$(player_data "$1")/games/*.pending" >/dev/null
}

anna() { umpire_as anna "$@"; }
bert() { umpire_as bert "$@"; }
carl() { umpire_as carl "$@"; }

# next WHO: the command that todo prints for them, without its `umpire`.
next() {
	umpire_as "$1" todo | sed -n 's/^  umpire \(tournament .*\)$/\1/p' | tail -n 1
}

# follows WHO WHAT PATTERN: they do that, which is what todo said; then what it
# printed matches.
follows() {
	local words
	words=$(next "$1")
	# shellcheck disable=SC2086
	exits 0 "$2: $1 types '$words'" umpire_as "$1" $words
	like "$2: and reads it" "$out" "$3"
}

# ---- entries ----

cup_new '{"rounds": 2, "byes": 1, "event": "Autumn Cup"}'
exits 0 "anna enters" anna tournament enter "$id" --yes
exits 77 "who has not entered does not check in" bert tournament checkin autumn
like "and is told so" "$err" "you have not entered"
exits 77 "nor sits down" bert tournament play autumn
for who in bert carl; do
	exits 0 "$who enters" umpire_as $who tournament enter autumn --yes
done
exits 65 "nobody checks in yet" anna tournament checkin autumn
like "and reads why" "$err" "entries are still open"
exits 65 "nobody sits down yet" anna tournament play autumn
like "and reads why" "$err" "no tables yet: entries are open"
exits 65 "nobody claims yet" anna tournament claim autumn
exits 65 "nobody protests yet" anna tournament protest autumn it rains
exits 0 "anna says something" anna tournament say autumn hello all
exits 0 "and asks for a bye" anna tournament byes autumn 2
exits 0 "and for none" anna tournament byes autumn 2 --back
exits 0 "and sees it" anna tournament byes autumn
like "in a sentence" "$out" "You have asked for no bye: 0 of 1"
exits 64 "no round has no number" anna tournament byes autumn two
is "nothing waits yet" "$(anna todo)" "Nothing waits for you."

# ---- check-in ----

directed "entries end" shut
exits 0 "todo" anna todo
like "names the tournament" "$out" "^Autumn Cup, a tournament"
like "says check in" "$out" "^  check in: who does not is not in"
like "and until when" "$out" "^  until  20"
exits 65 "nobody sits down yet" anna tournament play autumn
like "and reads why" "$err" "first all check in"
follows anna "check-in" "You have checked in; 1 of 3 have"
exits 0 "twice does nothing" anna tournament checkin autumn
follows bert "check-in" "You have checked in; 2 of 3 have"
exits 64 "nobody withdraws by a slip" carl tournament withdraw autumn
follows carl "check-in" "You have checked in; 3 of 3 have"
directed "lots are drawn" start
exits 65 "check-in is over" anna tournament checkin autumn
like "and why" "$err" "check-in is over: lots are drawn"
exits 65 "round 1 is to be paired" anna tournament play autumn
like "and is not yet" "$err" "round 1 is to be paired"

# ---- a table ----

directed "round 1 is paired" pair '{"round": 1}'
view=$(cup view "$id")
at() { filter ".pairings[0].tables[0].$1" <<<"$view"; }
name_of() { jq -r ".entrants[] | select(.number == $1).account" <<<"$view"; }
a=$(name_of "$(at a)") b=$(name_of "$(at b)")
rest=$(jq -r '.pairings[0].bye[0]' <<<"$view")
rest=$(name_of "$rest")
exits 65 "who has the bye has no table" umpire_as "$rest" tournament play autumn
like "and reads that" "$err" "no table waits for you in round 1"
exits 65 "nothing is claimed before its time" umpire_as "$a" tournament claim autumn
like "but from then on" "$err" "Whoever has not come has until"
exits 0 "todo" umpire_as "$b" todo
like "says play, and against whom" "$out" "round 1, table 1: play against $a"

# b's order to open the game is signed, and not recorded, when the client is
# killed; a comes first.
hook fail_commits 1000
sits "$b"
wait_for 20 waits "$b"
is "the order is kept" $? 0
kill -KILL "$pid"
wait "$pid" 2>/dev/null
umpire_as "$a" todo >/dev/null # what was on its way has come, and failed
hook fail_commits 0
exits 0 "a opens the table" umpire_as "$a" tournament play autumn
like "on the side that was drawn" "$out" "Round 1, table 1: you are side 1"
like "and reads who is missing" "$out" "Your opponent has not come yet"
like "and goes on" "$out" "^Next: umpire show autumn-cup-r1"
game=$(umpire_as "$a" --json tournament tables autumn |
	jq -r '.tables[0].legs[0].game')
exits 65 "nobody joins it as another game" umpire_as "$rest" join "$game" --yes
like "but from the tournament" "$err" "umpire tournament play"
follows "$b" "the second joins the first's game" "you are side 2 .*against $a"
like "and reads that the first is here" "$out" "Your opponent is here"
follows "$a" "the first is ready" "Play goes on"
waits "$b"
is "nothing is left of b's own order" $? 1
is "there is one game" "$(games)" 1
exits 0 "once more does nothing" umpire_as "$b" tournament play autumn
like "but tell" "$out" "Play goes on"
exits 0 "todo" umpire_as "$a" todo
like "says whose move it is" "$out" "autumn-cup-r1: lasalle2, Autumn Cup"
unlike "and no more of the table" "$out" "a tournament"
exits 0 "the game" umpire_as "$a" show autumn-cup-r1
like "says where it belongs" "$out" "Autumn Cup, round 1, table 1"
is "sides are the draw's" "$(umpire_as "$a" show autumn-cup-r1 --json |
	jq -r '[.seats[] | select(.account) | .account] | join(" ")')" "$a $b"
for who in "$a" "$b"; do
	exits 0 "$who has a turn" umpire_as "$who" end-turn autumn-cup-r1 --yes
done
exits 0 "b gives up" umpire_as "$b" resign autumn-cup-r1 --yes
exits 0 "the game" umpire_as "$a" show autumn-cup-r1
like "says what its tournament waits for" "$out" \
	'Next in its tournament: umpire tournament show [0-9a-f]{16}$'
exits 65 "the table is done" umpire_as "$a" tournament play autumn
like "and says so" "$err" "no table waits for you in round 1"
exits 65 "and cannot be claimed" umpire_as "$a" tournament claim autumn 1.1
like "since it has a result" "$err" "has its result: $a wins"
exits 64 "no table is 1" umpire_as "$a" tournament claim autumn 1
exits 65 "nor is there a third" umpire_as "$a" tournament claim autumn 1.3

# ---- a protest holds the next round up ----

exits 0 "anna protests" anna tournament protest autumn the dice were cold
like "and reads what that does" "$out" "Nothing is paired or finished"
exits 65 "once a round" anna tournament protest autumn very cold
exits 0 "bert, of whom a mail asks it, has it shown" bert tournament show autumn
like "with its words" "$out" \
	'^  line [0-9]+  protest of anna, round 1: the dice were cold$'
later 172800000 # gap_s and protest_s

# ---- the client dies while it opens the table ----

directed "round 2 is paired" pair '{"round": 2}'
view=$(cup view "$id")
at() { filter ".pairings[1].tables[0].$1" <<<"$view"; }
a=$(name_of "$(at a)") b=$(name_of "$(at b)")
later 3600000
exits 0 "neither has come in time" umpire_as "$a" tournament show autumn
like "which show says may be claimed" "$out" \
	'umpire tournament claim autumn-cup +# '
hook hold_sync 1
sits "$a"
wait_for 20 hooked held 1
is "the order is written, its answer is not out" $? 0
kill -KILL "$pid"
wait "$pid" 2>/dev/null
hook hold_sync 0 held 0
exits 0 "it goes on" umpire_as "$a" tournament play autumn
like "at that table" "$out" "Round 2, table 1: you are side 1"
is "with the game that was opened" "$(games)" 2

# ---- who does not come ----

later 3600000
exits 64 "nobody claims by a slip" umpire_as "$a" tournament claim autumn
player "$a" script -qec "'$UMPIRE' tournament claim autumn" "$work/seen" \
	<<<$'no\n' >/dev/null 2>&1
like "at a terminal they are asked" "$work/seen" \
	'Round 2, table 1: somebody has not come in time, who then forfeits it'
words=$(next "$a")
is "todo says claim" "$words" "tournament claim autumn-cup 2.1"
# shellcheck disable=SC2086
exits 0 "a gives notice" umpire_as "$a" $words --yes
like "and reads the result, with no time between" "$out" "$a wins by forfeit"

finish
