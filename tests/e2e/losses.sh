#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What a game in play tells of losses and of luck: show draws the rosters with
# what each unit has left, luck counts the dice, with and without the server.
# No line here depends on the dice.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

start_umpired "$work/umpired" || exit 99
write_example "$work"
enrol anna bert || exit 99

anna() { umpire_as anna "$@"; }
bert() { umpire_as bert "$@"; }

# losses FILTER: what jq makes of them, as anna has them.
losses() {
	anna show evening --json | jq -c ".losses | $1"
}

run anna new --roster "$work/roster.json" --name evening \
	--owner-field strength --owner-field out
is "anna opens a game" "$status" 0
game=$(sed -n 's/^  game  *//p' "$out")
exits 0 "nothing is lost before it begins" anna show evening
like "and that is drawn" "$out" ' #{8}$| █{8}$'
exits 0 "no dice have fallen" anna luck evening
like "which is said" "$out" 'no dice have fallen in this game yet'
exits 0 "bert joins" bert join --yes "$game" --name evening
exits 0 "anna is ready" anna ready evening

# ---- losses ----

one=$(jq -r '.sides["1"].units[0].id' "$work/roster.json")
two=$(jq -r '.sides["1"].units[1].id' "$work/roster.json")
three=$(jq -r '.sides["1"].units[2].id' "$work/roster.json")
all=$(jq '[.sides["1"].units[].strength] | add' "$work/roster.json")
had=$(jq '.sides["1"].units[0].strength' "$work/roster.json")
gone=$(jq '.sides["1"].units[1].strength' "$work/roster.json")
left=$(jq '.sides["1"].units[2].strength' "$work/roster.json")
is "programs are told what is counted" \
	"$(losses '[.what, .sides["1"].began, .sides["1"].lost]')" \
	"[\"strength points\",$all,0]"
exits 0 "one unit loses all but one" \
	anna adjust evening "$one" strength=1 "$two" out=broken \
	"$three" out=withdrew --why march
is "what is left of it is told" \
	"$(losses ".sides[\"1\"].units[] | select(.id == \"$one\")")" \
	"{\"id\":\"$one\",\"began\":$had,\"left\":1}"
is "of one that is broken nothing is left" \
	"$(losses ".sides[\"1\"].units[] | select(.id == \"$two\")")" \
	"{\"id\":\"$two\",\"began\":$gone,\"left\":0,\"out\":\"broken\"}"
is "one that withdrew has all it had" \
	"$(losses ".sides[\"1\"].units[] | select(.id == \"$three\")")" \
	"{\"id\":\"$three\",\"began\":$left,\"left\":$left,\"out\":\"withdrew\"}"
is "the side's sums are those" "$(losses '.sides["1"] | del(.units)')" \
	"{\"began\":$all,\"in_play\":$((all - had + 1 - gone - left)),\
\"away\":$left,\"lost\":$((had - 1 + gone)),\
\"worth\":$((all - had + 1 - gone - left))}"
is "the other side has lost nothing" "$(losses '.sides["2"].lost')" 0
LC_ALL=C run bert show evening
like "the unit has what is left, and a bar" "$out" "$one .* 1/$had +#\.{7}\$"
like "those out of play stand apart" "$out" '^  out of play:$'
like "with the reason" "$out" "$two .* 0/$gone \.{8} broken\$"
like "and with what they have" "$out" \
	"$three .* $left/$left #{8} withdrew\$"
like "both sides' sums are there" "$out" \
	"French .* $((all - had + 1 - gone - left)) of $all +$((had - 1 + gone)) +$left\$"
is "nothing is wider than 80 columns" "$(awk 'length > 80' "$out")" ''
is "without UTF-8 it is ASCII" "$(LC_ALL=C tr -d '\n -~' <"$out" | wc -c)" 0
run bert show evening
like "with UTF-8 the bar is of blocks" "$out" "1/$had +█░{7}\$"
exits 0 "the rosters can be had alone" bert show --rosters evening
like "and are there" "$out" '^Losses, in strength points$'
unlike "without the rest" "$out" 'Type|game  '

# A unit may be made stronger than it was.
other=$(jq -r '.sides["2"].units[0].id' "$work/roster.json")
all=$(jq '[.sides["2"].units[].strength] | add' "$work/roster.json")
has=$(jq '.sides["2"].units[0].strength' "$work/roster.json")
exits 0 "another unit gains" \
	bert adjust evening "$other" strength=$((has + 2)) --why rally
LC_ALL=C run bert show evening
like "who has gained has lost nothing" "$out" \
	"Austrians .* $((all + 2)) of $all +gained 2\$"
is "but is worth no more" "$(losses '.sides["2"].worth')" "$all"
exits 0 "and is what it was" bert adjust evening "$other" strength="$has"

# ---- luck ----

exits 0 "anna rolls" anna roll evening 40d6 --yes
exits 0 "and again" anna roll evening 3d1000 --yes
exits 0 "the dice are counted" anna luck evening
like "and judged where they are enough" "$out" \
	'^  free roll d6 +French +40 +[1-6]\.[0-9]{2} +3\.50 +0\.27 '
like "not where they are few" "$out" 'free roll d1000 +French +3 .* - +- +-$'
is "all of them" "$(anna luck evening --json | jq -c \
	'[.dice, [.kinds[] | [.for, .sides, .side, .dice, (.faces | add)]]]')" \
	'[43,[["free",6,1,40,40],["free",1000,1,3,3]]]'
anna luck evening --json | jq -S 'del(.name)' >"$work/game"
exits 0 "the record is exported" anna export evening -o "$work/record.jsonl"
umpire_as nobody luck "$work/record.jsonl" --json | jq -S 'del(.name)' \
	>"$work/file"
is "somebody without a profile counts the same" "$(cat "$work/file")" \
	"$(cat "$work/game")"
exits 66 "a game that there is not" anna luck morning
like "nor such a file" "$err" "'morning' is not a file either"

cp "$work/record.jsonl" "$work/here.jsonl"
cd "$work" || exit 99
exits 66 "show of a file" anna show here.jsonl
like "names what tells a record" "$err" 'umpire log'
exits 0 "luck of a file needs no slash" anna luck here.jsonl

# ---- without the server ----

stop_umpired "$daemon"
exits 0 "show works" anna show evening
like "with the losses" "$out" "1/$had +█░{7}\$"
exits 0 "luck works" anna luck evening
like "with the dice" "$out" 'free roll d6 +French +40 '
exits 69 "a game of others needs the server" anna luck abcd1234
exits 0 "luck of the own copies alone" anna --offline luck evening
like "which is said" "$err" 'Showing your own copy'

finish
