#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# The life of games around the play itself: terms, invitations, private and
# delayed games, blocks, players who are refused, games that are called off,
# rematches, several seats, a director, and what waits for whom.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks

db=$work/umpired
start_umpired "$db" || exit 99
write_example "$work"
enrol anna bert carl dora || exit 99

# open_game NICK OPTION...: anna opens a game; leaves $game.
open_game() {
	local nick=$1
	shift
	run umpire_as anna new --roster "$work/roster.json" --name "$nick" \
		--json "$@"
	[ "$status" = 0 ] || {
		show_run
		return 1
	}
	game=$(filter .game <"$out")
}

# begin NICK OPTION...: the same, joined by bert and begun.
begin() {
	local nick=$1
	open_game "$@" || return 1
	run umpire_as bert join --yes "$game" --name "$nick"
	[ "$status" = 0 ] && run umpire_as anna ready "$nick"
	[ "$status" = 0 ] || {
		show_run
		return 1
	}
}

# todo NAME [FILTER]: what jq makes of that player's list, by lines.
todo() {
	umpire_as "$1" todo --json |
		jq -c "${2:-.[] | select(.what != \"close\") | [.name, .what]}"
}

# owed NAME NICK: what that player owes in one game.
owed() {
	umpire_as "$1" todo --json | jq -r --arg nick "$2" \
		'map(select(.name == $nick))[0].what // "nothing"'
}

# view NAME NICK FILTER
view() {
	umpire_as "$1" show "$2" --json | filter "$3"
}

# file_of NAME SUFFIX: a file of that player's copy of $game.
file_of() {
	echo "$(player_data "$1")/games/$game.$2"
}

# ---- what is wrong is said before anything is sent ----

# shellcheck disable=SC2317
new() {
	umpire_as anna new --roster "$work/roster.json" "$@"
}

# wrong TEXT OPTION...: a usage error with this text.
wrong() {
	local text=$1
	shift
	exits 64 "new $* is refused" new "$@"
	like "with the reason" "$err" "$text"
}

wrong 'a clock begins with' --clock 3d
wrong 'only a clock per side' --clock 3d+1d/order
wrong 'skip names days' --clock 3d/order,skip=caturday
wrong 'a delay is turns' --delay 2
wrong '--seats takes a number' --seats 1
wrong '--seats takes a number' --seats 17
wrong '--scheme takes' --scheme dual-2
wrong '--silence takes' --silence shout
wrong 'add --director' --silence director
wrong 'add --director' --clock 3d/order,then=director
wrong 'seat 0 is the director' --seat 0
wrong 'whoever opens a game' --seat 2 --seats 4
wrong 'cannot be an account' --invite Bert
wrong 'your own account' --invite anna
exits 66 "a rematch of no game" new --rematch nogame
exits 65 "a clock in JSON is checked, too" new \
	--clock '{"per":"order","first_s":1,"then":"forfeit"}'
like "with its place" "$err" 'the first_s of the clock must'
exits 65 "what is no member of a clock is not in this version" new \
	--clock '{"per":"order","first_s":100,"then":"forfeit","x":1}'
is "nothing was opened" "$(umpire_as anna games --all --json)" '[]'

# ---- nothing to do ----

exits 1 "nothing waits" umpire_as anna todo --status
is "and nothing is printed" "$(cat "$out" "$err")" ''
exits 0 "without --status that is no error" umpire_as anna todo
like "it is said" "$out" '^Nothing waits for you\.$'
is "and is an empty array" "$(umpire_as anna todo --json)" '[]'

# ---- terms ----

open_game terms --confirm --clock 10d+1d/side,cap=14d,skip=sat+sun,holidays=3 \
	--no-takeback --delay 90m --owner-field strength --secret sealed \
	--event "Spring cup" --round 2 --table-number 7 || exit 99
is "the clock is in the record" "$(view anna terms '.clock == {per: "side",
	first_s: 864000, add_s: 86400, cap_s: 1209600, skip: ["sat", "sun"],
	holidays: 3, notice_s: 86400, then: "forfeit"}')" true
is "so are the others" "$(view anna terms \
	'[.confirm, .options.takeback, .options.delay_minutes,
	.options.owner_fields, .secret]')" \
	'[true,false,90,["strength"],"sealed"]'
run umpire_as anna show terms
like "the clock is told" "$out" 'clock +10 days for each side, 1 day more'
like "confirm is told" "$out" 'confirm +each combat that is declared waits'
like "no takeback is told" "$out" 'takeback none'
like "the delay is told" "$out" 'delay +others see it 90 minutes later'
like "the event is told, with round and table" "$out" \
	'event +Spring cup, round 2, table 7'
is "nothing but the address is wider than 80 columns" \
	"$(awk 'length > 80 && !/^  invite   umpire:/' "$out")" ''
exits 64 "to call it off asks" umpire_as anna cancel terms
exits 0 "a game that nobody has joined is called off" \
	umpire_as anna cancel terms --yes
is "and is over" "$(view anna terms '[.phase, .result.how]')" \
	'["over","cancel"]'
unlike "which leaves nothing to sign" "$out" 'close'
exits 0 "nor to do" umpire_as anna todo
unlike "in that game" "$out" 'terms'
exits 65 "once" umpire_as anna cancel terms --yes
exits 0 "its name is free" umpire_as anna new --roster "$work/roster.json" \
	--name terms --json --event 'Spring cup' --round 2 --table-number 7
is "what it belongs to is told to programs" \
	"$(filter '[.name, .event, .round, .table]' <"$out")" \
	'["terms","Spring cup",2,7]'
exits 64 "but then no more" umpire_as anna new \
	--roster "$work/roster.json" --name terms
umpire_as anna cancel terms --yes >"$out" 2>&1

# What is told of a new game, and a member that no unit has.
run new --name told --director --scheme live-1 --owner-field strenght \
	--event Cup --round 3
like "a member that no unit has is warned of" "$err" "have no 'strenght'"
like "the dice are told" "$out" 'dice from three hands \(live-1\)'
like "and our side" "$out" 'seat +1, French'
like "and the round" "$out" 'event +Cup, round 3'
like "the director's command is printed" "$out" 'umpire join umpire://[^ ]+ --seat 0'
run new --name untold --owner-field strength --owner-field out
unlike "what units have is not warned of" "$err" Warning
exits 0 "he who directs a rematch need not say that it has a director" \
	umpire_as anna new --rematch told --seat 0 --name retold

# ---- invitations ----

open_game guest --invite bert || exit 99
is "who is invited is told" "$(filter .invited <"$out")" '["bert"]'
is "it waits for bert" "$(todo bert '.[] | [.game, .what, .invitation,
	.opponents]')" "[\"$game\",\"invitation\",true,[\"anna\"]]"
exits 0 "which is something" umpire_as bert todo --status
run umpire_as bert todo
like "it is told" "$out" 'you are invited'
like "by whom" "$out" 'against anna'
like "with what to type" "$out" "^  umpire join ${game:0:8}\$"
run umpire_as bert games
like "games tells it, too" "$out" '^You are invited to:'
like "with its number" "$out" "${game:0:8}"
is "games --invited lists it" \
	"$(umpire_as bert games --invited --json | jq -r '.[].game')" "$game"
is "carl is not invited" "$(umpire_as carl games --invited --json)" '[]'
exits 77 "and cannot join" umpire_as carl join --yes "$game"
like "which is said" "$err" 'invit'
exits 1 "nothing of his stays pending" test -e "$(file_of carl pending)"
exits 1 "and no copy" test -e "$(file_of carl jsonl)"
exits 0 "anna invites him, too" umpire_as anna invite guest carl
like "with what he types" "$out" "umpire join umpire://$server/$game#"
is "he finds it" "$(todo carl '.[] | .what')" '"invitation"'
is "in JSON it is an object" \
	"$(umpire_as anna invite guest dora --json | jq -c '[.account, .invited]')" \
	'["dora",true]'
exits 0 "an invitation is taken back" \
	umpire_as anna invite guest dora --withdraw
is "and gone" "$(todo dora)" ''
exits 77 "dora cannot join" umpire_as dora join --yes "$game"
exits 66 "nobody can be invited who is not there" \
	umpire_as anna invite guest nobody
exits 0 "bert joins" umpire_as bert join --yes "$game" --name guest
exits 65 "he need not be invited any more" umpire_as anna invite guest bert
is "it waits for anna" "$(todo anna)" '["guest","ready"]'
is "bert has said so" "$(todo bert)" ''

# ---- refused ----

exits 77 "bert cannot refuse" umpire_as bert refuse guest anna --yes
exits 65 "bert has said ready: too late" umpire_as anna refuse guest --yes
like "with what to do" "$err" 'umpire cancel guest'
exits 0 "so it is called off" umpire_as anna cancel guest --yes

open_game three --seats 3 || exit 99
exits 65 "nobody to refuse yet" umpire_as anna refuse three --yes
exits 0 "carl joins" umpire_as carl join --yes "$game" --name three
like "he hears who plays" "$out" 'seat 1, French: anna'
is "he need not be ready yet" "$(view carl three .seats[1].ready)" false
exits 64 "to refuse asks" umpire_as anna refuse three
exits 65 "somebody who is not there" umpire_as anna refuse three bert --yes
exits 0 "carl is sent away" umpire_as anna refuse three carl --yes \
	--why "we said Tuesday"
is "his seat is free" "$(view anna three '[.seats[] | .account]')" \
	'["anna","",""]'
exits 77 "he cannot come again" umpire_as carl join --yes "$game"
like "which is said" "$err" 'do not admit'
exits 0 "bert takes it" umpire_as bert join --yes "$game" --name three
run umpire_as anna log three
like "the log still says who joined before him" "$out" '1 .* carl joins'
like "and who was refused" "$out" 'anna refuses carl, who joined in line 1'
is "for programs, too" "$(umpire_as anna log three --json |
	jq -r '.[1].account')" carl
exits 65 "which seat is taken is said" umpire_as dora join --yes "$game" --seat 2
like "by whom" "$err" 'taken by bert'
exits 65 "and which is none" umpire_as dora join --yes "$game" --seat 4
exits 65 "or no director's" umpire_as dora join --yes "$game" --seat 0
exits 64 "or no number" umpire_as dora join --yes "$game" --seat two
exits 0 "dora takes the third" umpire_as dora join --yes "$game" --name three
exits 0 "she may say so again" umpire_as dora join --yes "$game" --seat 3
exits 65 "but has one seat" umpire_as dora join --yes "$game" --seat 2
is "she is ready at once, the others are asked" \
	"$(todo anna) $(todo bert) $(todo dora)" \
	'["three","ready"] ["three","ready"] '
umpire_as anna ready three >/dev/null 2>&1
umpire_as bert ready three >/dev/null 2>&1
is "the game has begun" "$(view bert three .phase)" play
is "it is the turn of both of side 1" \
	"$(todo anna) $(todo bert) $(todo dora)" \
	'["three","turn"]  ["three","turn"]'
run umpire_as dora show three
like "show lists the seats" "$out" 'seat 3, French: dora'
exits 65 "too late to call off" umpire_as anna cancel three --yes
like "with what to do" "$err" 'umpire resign three'
exits 65 "and to invite" umpire_as anna invite three carl
exits 0 "either may move" umpire_as dora end-turn three
is "now it waits for bert" \
	"$(todo anna) $(todo bert) $(todo dora)" ' ["three","turn"] '
exits 65 "nobody can join any more" umpire_as carl join --yes "$game"

# ---- a director ----

open_game led --director --silence director \
	--clock 1d/order,then=director || exit 99
exits 0 "bert takes the first player's seat" umpire_as bert join --yes "$game" \
	--name led
exits 65 "there is no other" umpire_as carl join --yes "$game"
like "but the director's" "$err" '--seat 0'
exits 0 "which dora takes" umpire_as dora join --yes "$game" --seat 0 --name led
like "knowing it" "$out" 'as its director'
exits 65 "a director calls nothing off" umpire_as dora cancel led --yes
umpire_as anna ready led >/dev/null 2>&1
umpire_as bert ready led >/dev/null 2>&1
is "the game has begun" "$(view dora led '[.phase, .me]')" '["play",0]'
is "nothing waits for the director" "$(owed dora led)" nothing
run umpire_as dora show led
like "she is listed" "$out" 'seat 0, the director: dora'
like "and what is left to her" "$out" 'then the director rules'

# ---- clocks ----

begin timed --clock 2d/order,grace=12h || exit 99
is "todo has the deadline" "$(todo anna 'map(select(.name == "timed"))[0] |
	[.what, (.until != null)]')" '["turn",true]'
run umpire_as anna todo
like "it is told in words" "$out" \
	'^  until  [-0-9]+ [0-9:]+, in 2 days 1[12] h$'
like "and since when" "$out" '^  since  [-0-9]+ [0-9:]+, .* ago$'
is "nothing is wider than 80 columns" "$(awk 'length > 80' "$out")" ''
run umpire_as anna show timed
like "show has the time" "$out" 'time +French: runs until'
like "and that of the other side" "$out" 'Austrians: stands still, 2 days left'
like "and that it is ours" "$out" '^Your time runs until .*in 2 days 1[12] h'
run umpire_as bert show timed
unlike "there is nothing to claim" "$out" 'umpire claim'
is "games has the deadline" "$(umpire_as anna games --json |
	jq -c '[.[] | select(.name == "timed") | .until != null]')" '[true]'
hook now_ms $((($(date +%s) + 3 * 86400) * 1000))
is "todo is sorry for anna" "$(todo anna 'map(select(.name == "timed"))[0].until
	< (now + 3 * 86400 | todate)')" true
run umpire_as anna show timed
like "who looks at a game with a clock learns that their own is wrong" "$err" \
	"this machine's clock is (71|72) hours behind the server's"
hook now_ms $((($(date +%s) - 3 * 3600) * 1000))
run umpire_as bert claim timed
like "and who would claim" "$err" \
	"this machine's clock is [23] hours ahead of the server's"
like "with what to do" "$err" '^  Set it right; if it is right, tell the operator'
hook now_ms 0

# ---- offers ----

umpire_as anna offer timed draw >/dev/null 2>&1
is "an offer waits for bert" "$(owed bert timed)" offer
run umpire_as bert show timed
like "who is told" "$out" \
	'anna \(French\) offers a draw \(line [0-9]+\): accept or decline'
decline=$(sed -n 's/^  umpire \(decline timed [0-9]*\)$/\1/p' "$out")
is "it is my move in games" "$(umpire_as bert games --json |
	jq -c '.[] | select(.name == "timed") | [.my_move, .waits_for]')" \
	'[true,"an offer"]'
# shellcheck disable=SC2086
exits 0 "what is proposed can be typed: declined" umpire_as bert $decline
is "it waits no longer" "$(owed bert timed)" nothing
umpire_as anna offer timed draw >/dev/null 2>&1
accept="accept timed $(view bert timed '.offers[0].seq')"
# shellcheck disable=SC2086
exits 0 "another is accepted" umpire_as bert $accept --yes
is "that ends the game" "$(view bert timed .result.how)" draw
is "which waits to be closed" "$(owed anna timed)" close

# A game whose deadline passed a week ago.
hook now_ms $((($(date +%s) - 10 * 86400) * 1000))
UMPIRE=$umpire_test begin slow --clock 2d/order,grace=12h,notice=0s || exit 99
hook now_ms 0
run umpire_as anna todo
like "todo says that time is over" "$out" '^  until  .*, 7 days 1[12] h ago$'
run umpire_as anna show slow
like "show, too" "$out" '^Your time ran out at'
run umpire_as bert show slow
like "what one may do" "$out" '^  umpire claim slow$'
exits 0 "can be done" umpire_as bert claim slow --yes
is "and ends the game" "$(view bert slow '[.result.winner, .result.how]')" \
	'[2,"forfeit"]'

# ---- what waits for an answer ----

begin asked --confirm || exit 99
umpire_as anna declare asked "$work/combat.json" --yes >/dev/null 2>&1
is "a declared combat waits for bert" \
	"$(todo bert 'map(select(.name == "asked"))[0].what')" '"answer"'
is "and not for anna" "$(owed anna asked)" nothing
run umpire_as anna show asked
like "anna is told" "$out" '^Waiting for bert \(Austrians\) to agree to line 4'
unlike "and can do nothing" "$out" '^  umpire answer'
run umpire_as bert show asked
like "so is bert" "$out" 'waits for you to agree or to object'
like "with the commands" "$out" '^  umpire answer asked object$'
exits 0 "which can be typed" umpire_as bert answer asked object --yes
is "it is anna's turn again" "$(owed anna asked)" turn
umpire_as anna declare asked "$work/combat.json" --yes >/dev/null 2>&1
exits 0 "agreeing, too" umpire_as bert answer asked agree --yes
is "and the combat goes on" "$(view bert asked '.combat != null')" true

# ---- cups and standing orders ----

begin cups || exit 99
umpire_as anna cup cups make events rain fog mud >/dev/null 2>&1
umpire_as anna roll cups --cup events >/dev/null 2>&1
umpire_as bert standing cups retire none --yes >/dev/null 2>&1
run umpire_as bert show cups
like "show has the cup" "$out" \
	'cups +events: 2 in \([a-z]+, [a-z]+\), 1 out \([a-z]+\)'
like "and what one's own standing order says" "$out" \
	'standing +line 6, Austrians: retire none \(not open yet\)'
run umpire_as anna show cups
like "but not that of the other side" "$out" \
	'standing +line 6, Austrians: not open yet'
is "nothing is wider than 80 columns" "$(awk 'length > 80' "$out")" ''

# ---- a rematch ----

exits 65 "a rematch of a game of others" umpire_as carl new --rematch "$game"
run umpire_as anna new --rematch timed --name again --json
is "anna opens a rematch" "$status" 0
game=$(filter .game <"$out")
is "bert is invited" "$(filter .invited <"$out")" '["bert"]'
is "in seat 1 she has the other army" "$(view anna again \
	'[.seats[0].account, .roster."1".name, .roster."2".name]')" \
	'["anna","Austrians","French"]'
is "with the same clock" "$(view anna again .clock)" "$(view anna timed .clock)"
exits 0 "bert joins" umpire_as bert join --yes "$game" --name again
umpire_as anna ready again >/dev/null 2>&1
run umpire_as bert new --rematch again --name third --clock none --json
is "bert, who sat in seat 2, opens another" "$status" 0
is "the armies stay" "$(view bert third \
	'[.seats[0].account, .roster."1".name, .clock]')" \
	'["bert","Austrians",null]'
exits 64 "a rematch is of the same system" umpire_as bert new \
	--rematch again --system tlnb
# ---- private games ----

open_game hidden --private || exit 99
like "the game can be seen by nobody else" <(umpire_as anna show hidden) \
	'private +only those'
is "not in the list" "$(umpire_as bert games --all --json |
	jq --arg g "$game" '[.[] | select(.game == $g)] | length')" 0
exits 66 "not by its number" umpire_as bert show "${game:0:12}"
exits 66 "not by its whole number" umpire_as bert show "$game"
exits 66 "nor to join" umpire_as bert join --yes "$game"
exits 0 "anna sees it" umpire_as anna show hidden
umpire_as anna invite hidden bert >/dev/null
exits 0 "bert, invited, sees it by its first digits" \
	umpire_as bert show "${game:0:12}"
exits 66 "carl does not" umpire_as carl show "$game"
exits 0 "bert joins" umpire_as bert join --yes "${game:0:12}" --name hidden
umpire_as anna ready hidden >/dev/null 2>&1
is "they play" "$(view bert hidden .phase)" play
exits 0 "and watch" umpire_as bert log hidden
exits 66 "carl cannot have the record" \
	umpire_as carl export "$game" -o "$work/x"
exits 0 "bert can" umpire_as bert export hidden -o "$work/hidden.jsonl"
exits 0 "which is good" umpire_as bert verify "$work/hidden.jsonl"
exits 0 "games brings it up to date" umpire_as bert games

# Somebody who is refused is outside again.
open_game away --private --seats 3 --invite carl --invite bert || exit 99
umpire_as carl join --yes "$game" --name away >/dev/null 2>&1
is "carl sits in a private game" "$(view carl away .me)" 2
exits 0 "he is refused" umpire_as anna refuse away --yes
exits 0 "what he has can be read" umpire_as carl show away
like "and why there is no more" "$err" 'you can no longer see the private game'
like "nor will be" "$err" "games/$game\.jsonl"
exits 0 "his list of games is whole" umpire_as carl games
exits 77 "but nothing can be done" umpire_as carl say away hello

# ---- a delay ----

begin late --delay 2t || exit 99
seen() {
	umpire_as carl log "$game" --json | jq -c 'map(.seq) | max'
}
umpire_as anna end-turn late >/dev/null 2>&1
umpire_as bert end-turn late >/dev/null 2>&1
is "players see all" "$(umpire_as bert log late --json |
	jq -c 'map(.seq) | max')" 5
is "a spectator sees it later" "$(seen)" 4
is "bert still sees all" "$(view bert late .seq)" 5

# ---- blocks ----

is "nobody is blocked" "$(umpire_as anna block --json)" '[]'
exits 0 "said so" umpire_as anna block
like "in words" "$out" '^You block nobody\.$'
exits 0 "anna blocks carl" umpire_as anna block carl
is "he is listed" "$(umpire_as anna block --json)" '["carl"]'
is "by name" "$(umpire_as anna block)" carl
open_game blocked || exit 99
exits 77 "carl cannot join" umpire_as carl join --yes "$game"
exits 1 "and nothing stays pending" test -e "$(file_of carl pending)"
run umpire_as carl new --roster "$work/roster.json" --name his --invite anna
is "he is not told that he invites her in vain" "$status" 0
exits 0 "nor later" umpire_as carl invite his anna
from_carl='[.[] | select(.seats[0] == "carl")]'
is "but she has no invitation" "$(umpire_as anna games --invited --json |
	jq -c "$from_carl")" '[]'
run umpire_as carl new --roster "$work/roster.json" --name hers --invite anna \
	--private --json
hers=$(jq -r .game "$out")
is "he opens one for her alone" "$status" 0
is "which the list hides from her" "$(umpire_as anna games --all --json |
	jq -c --arg g "$hers" '[.[] | select(.game == $g)]')" '[]'
exits 66 "and which is no game to her" umpire_as anna show "$hers"
exits 66 "nor one to join" umpire_as anna join --yes "$hers"
unlike "nor has she anything to do there" <(umpire_as anna todo --json) "$hers"
exits 0 "he may call that off, too" umpire_as carl cancel hers --yes
exits 0 "anna unblocks him" umpire_as anna unblock carl
is "nor has she one then" "$(umpire_as anna games --invited --json |
	jq -c "$from_carl")" '[]'
exits 0 "he may call it off" umpire_as carl cancel his --yes
is "nobody is blocked any more" "$(umpire_as anna block --json)" '[]'
exits 0 "carl joins" umpire_as carl join --yes "$game" --name blocked
exits 64 "no account of such a name" umpire_as anna block Carl
exits 64 "whom to unblock must be said" umpire_as anna unblock

# ---- the records are good ----

for nick in terms guest three led timed slow asked cups again hidden late \
	blocked; do
	exits 0 "the record of $nick is good" umpire_as anna verify $nick
done

stop_umpired "$daemon" || fail "the daemon stops cleanly"
exits 69 "todo needs the server" umpire_as anna todo --status
exits 0 "games does not" umpire_as anna games

finish
