#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Three players on one side against two, with a director over them: each of
# the three gives orders, what they say among themselves is in no byte that
# anybody else has, what the director rules is undone or corrected when both
# sides accept, and a deadline that has passed is claimed, with each of the
# three things that a clock may say.  A test clock lets the days pass.  Each
# record is good, for umpire and for the second reading in Python.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_clocks

start_umpired "$work/umpired" || exit 99
write_example "$work"
everybody="anna bert carl dora emil dirk"
enrol $everybody || exit 99

hour=3600000
unit=$(jq -r '.sides["1"].units[1].id' "$work/roster.json")

# begin NAME "WHO [SEAT]"... -- OPTION...: anna's game with the others there.
begin() {
	local name=$1 who
	local -a seats=()
	shift
	while [ "$1" != -- ]; do
		seats+=("$1")
		shift
	done
	shift
	run umpire_as anna new --roster "$work/roster.json" --name "$name" \
		--json "$@"
	game=$(filter .game <"$out")
	for who in "${seats[@]}"; do
		umpire_as "${who% *}" join --yes "$game" --name "$name" \
			--seat "${who#* }" >/dev/null 2>&1
	done
	for who in "${seats[@]}" anna; do
		umpire_as "${who% *}" ready "$name" >/dev/null 2>&1
	done
	is "$name: it is played" "$(view "$name" .phase)" play
}

# view NAME FILTER: what jq makes of the game as anna has it.
view() {
	umpire_as anna show "$1" --json | filter "$2"
}

# holding TEXT: who of all players has this text in a file, sorted.
holding() {
	local who
	for who in $everybody; do
		! grep -rqF -- "$1" "$(player_data "$who")/games" || echo "$who"
	done | paste -sd ' '
}

# good NAME WORD: the record verifies for both readings, as this.
good() {
	local file=$work/$1.jsonl
	exits 0 "$1: the record is exported" umpire_as anna export "$1" -o "$file"
	exits 0 "$1: it is good" "$UMPIRE" verify "$file"
	like "$1: and $2" "$out" "[ ,]$2"
	if [ -z "${UMPIRE_SLOW:-}" ]; then
		exits 0 "$1: the second reading says so" \
			python3 "$top_srcdir/tests/oracle/verify.py" "$file"
	fi
}

# ---- who joins before others is not ready by that ----

umpire_as anna new --roster "$work/roster.json" --name early --director >/dev/null
game=$(view early .game)
ready() {
	view early '[.owed[] | select(.what == "ready") | .seat]'
}
umpire_as bert join --yes "$game" --name early >/dev/null
exits 0 "the director fills the last seat" \
	umpire_as dirk join --yes "$game" --seat 0 --name early
is "and is ready by that" "$(ready)" '[1,2]'
exits 0 "who came before may type the same again" \
	umpire_as bert join "$game" </dev/null
like "is told what there is to do" "$out" 'say that you are ready'
is "and is not ready by that" "$(ready)" '[1,2]'
umpire_as anna ready early >/dev/null
exits 0 "but by ready" umpire_as bert ready early
is "then it is played" "$(view early .phase)" play

# ---- three against two ----

base=$(($(date +%s) * 1000 - 2 * hour))
hook now_ms "$base"
begin five 'bert 2' 'carl 3' 'dora 4' 'emil 5' 'dirk 0' -- --seats 5 \
	--director --clock 1h/order,notice=0s,then=default
is "who sits where" "$(view five '[.seats[] | .account] | join(" ")')" \
	'dirk anna bert carl dora emil'
exits 0 "anna rolls" umpire_as anna roll five 2d6 --for rain
exits 0 "emil tells his side" umpire_as emil say five --to side \
	"their left flank is bare"
exits 0 "anna answers" umpire_as anna say five --to side "then carl goes there"
exits 0 "bert tells his" umpire_as bert say five --to side "they see nothing"
exits 0 "dora tells all" umpire_as dora say five "good luck, everybody"
for who in $everybody; do
	umpire_as "$who" log five >"$work/log.$who" 2>&1
	umpire_as "$who" export five -o "$work/five.$who" >/dev/null 2>&1
done
like "all who play are named" \
	<(head -n 3 "$work/log.carl" | tr -s ' \n' ' ') \
	'\(anna, carl, emil\) against .* \(bert, dora\)'
run umpire_as dirk log five --format markdown
like "and the director" "$out" \
	'anna, carl, emil against bert, dora, director dirk, game [0-9a-f]{8},'
is "the side hears emil" "$(holding 'left flank')" 'anna carl emil'
is "and anna" "$(holding 'carl goes there')" 'anna carl emil'
is "the other side hears bert" "$(holding 'see nothing')" 'bert dora'
is "all hear dora" "$(holding 'good luck')" 'anna bert carl dora emil dirk'
is "it is so in what is exported" "$(cd "$work" &&
	grep -lF 'left flank' five.* | paste -sd ' ')" \
	'five.anna five.carl five.emil'
is "and in the log" "$(cd "$work" && grep -lF 'left flank' log.* |
	paste -sd ' ')" 'log.anna log.carl log.emil'
like "with who said it to whom" "$work/log.carl" 'emil, to their own side: '
exits 65 "dirk has no side" umpire_as dirk say five --to side hello

exits 65 "it is not dora's turn" umpire_as dora declare five \
	"$work/combat.json" --yes
roster=$(view five .roster)
declared=$(($(view five .seq) + 1))
exits 0 "carl declares" umpire_as carl declare five "$work/combat.json" --yes
exits 65 "emil does not answer for the others" umpire_as emil decide five \
	retire none --yes
exits 0 "dora answers" umpire_as dora decide five retire none --yes
while [ "$(view five '.owed[0].what')" = decide ]; do
	who=anna
	[ "$(view five '.owed[0].side')" = 1 ] || who=bert
	# shellcheck disable=SC2046
	umpire_as $who $(umpire_as $who show five |
		sed -n 's/^  umpire \(decide .*\)/\1/p' | head -n 1) --yes \
		>/dev/null 2>&1 || {
		fail "$who answers"
		break
	}
done
is "the combat is over" "$(view five .combat)" null
exits 0 "emil ends the turn" umpire_as emil end-turn five
is "three seats of a side have given orders" "$(jq -r 'select(.kind == "order") |
	(.order | fromjson) | select(.kind | IN("free", "declare", "turn.end")) |
	"\(.seat) \(.kind)"' "$(player_data emil)/games/$game.jsonl" |
	paste -sd ,)" '1 free,3 declare,5 turn.end'

# ---- a director's rulings ----

exits 65 "a player cannot void" umpire_as anna ruling five void "$declared" \
	--why "I regret it"
exits 0 "dirk voids the combat and all after it" umpire_as dirk ruling five \
	void "$declared" --why "a regiment was out of reach"
exits 65 "carl does not speak for his side there" umpire_as carl accept five \
	--yes
exits 0 "anna accepts" umpire_as anna accept five --yes
is "which is not enough" "$(view five '[.turn, .side]')" '[2,2]'
exits 0 "bert accepts" umpire_as bert accept five --yes
is "it is side 1's turn again" "$(view five '[.turn, .side]')" '[1,1]'
is "as if nothing had been fought" "$(view five .roster)" "$roster"
before=$(view five ".roster[\"1\"].units[] | select(.id == \"$unit\").strength")
exits 0 "he corrects a unit" umpire_as dirk ruling five adjust "$unit" \
	"strength=$((before - 1))" --why "a hit was forgotten"
exits 0 "bert accepts" umpire_as bert accept five --yes
is "which is not enough" "$(view five ".roster[\"1\"].units[] |
	select(.id == \"$unit\").strength")" "$before"
exits 0 "anna accepts" umpire_as anna accept five --yes
is "it is corrected" "$(view five ".roster[\"1\"].units[] |
	select(.id == \"$unit\").strength")" $((before - 1))
exits 0 "what he voids may be declined" umpire_as dirk ruling five result 1 \
	--why "they have lost"
exits 0 "by bert" umpire_as bert decline five
is "and is gone" "$(view five '.offers | length')" 0

# ---- a deadline with a usual answer ----

run umpire_as emil declare five "$work/combat.json" --yes
is "emil declares" "$status" 0
[ "$status" = 0 ] || show_run
is "the others are asked" "$(view five '.owed[0] | [.side, .kind]')" \
	'[2,"retire"]'
hook now_ms 0
exits 65 "they cannot claim" umpire_as dora claim five
exits 0 "the time is over: carl claims" umpire_as carl claim five
like "and the usual answer is taken" "$out" 'the usual answer is taken'
is "by his own dice" "$(jq -r 'select(.kind == "order") | (.order | fromjson) |
	select(.kind == "claim") | "\(.seat) \(has("own"))"' \
	"$(player_data carl)/games/$game.jsonl")" '3 true'
exits 0 "emil resigns for his side" umpire_as emil resign five --yes
exits 0 "carl closes" umpire_as carl close five --yes
is "one of a side is not enough" "$(view five .phase)" over
exits 0 "dora closes" umpire_as dora close five --yes
is "it is finished" "$(view five '"\(.phase) \(.result.winner)"')" 'finished 2'
good five finished
exits 0 "five: the other side's copy is good" umpire_as dora verify five
exits 0 "five: the director's, too" umpire_as dirk verify five

# ---- a deadline that forfeits, and one that the director judges ----

hook now_ms "$base"
begin late 'bert 2' 'carl 3' -- --seats 3 --clock 1h/order,notice=0s,then=forfeit
exits 0 "carl ends the turn" umpire_as carl end-turn late
hook now_ms 0
exits 65 "who is late claims nothing" umpire_as bert claim late
exits 0 "carl claims" umpire_as carl claim late
is "bert has lost" "$(view late '"\(.phase) \(.result.winner) \(.result.how)"')" \
	'over 1 forfeit'
umpire_as carl close late --yes >/dev/null 2>&1
umpire_as bert close late --yes >/dev/null 2>&1
good late finished

hook now_ms "$base"
begin judged 'bert 2' 'dirk 0' -- --director --clock 1h/order,notice=0s,then=director
hook now_ms $((base + hour + 5000))
exits 0 "bert claims" umpire_as bert claim judged
is "the game waits for dirk" "$(view judged '[.owed[] |
	select(.what == "ruling") | .seat]')" '[0]'
exits 0 "who gives half an hour" umpire_as dirk ruling judged extend 30m \
	--why "her train was late"
is "and the game goes on" \
	"$(view judged '[.phase, .owed[0].what, .adjudication]')" \
	'["play","turn",null]'
hook now_ms 0
exits 0 "now it is: bert claims" umpire_as bert claim judged
exits 0 "dirk rules" umpire_as dirk ruling judged forfeit --yes \
	--why "no answer"
is "anna has lost" \
	"$(view judged '"\(.phase) \(.result.winner) \(.result.how)"')" \
	'over 2 forfeit'
good judged unfinished

finish
