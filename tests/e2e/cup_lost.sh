#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Keys that are lost in a tournament while one's game runs: by the words they
# come back, in the tournament as in the game; without them the operator
# proposes others, which the director and the opponent accept.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/cup_lib.sh"
need script
with_clocks

dir=$work/umpired
wall=$(($(date +%s) * 1000))
hook now_ms "$wall"
init_umpired "$dir" -o admin_socket=admin.sock || exit 99
start_umpired "$dir" || exit 99
mkdir -p "$work/players/anna"
words=$(player anna script -qec "'$UMPIRE' init --server $server" /dev/null \
	<<<'' | tr -d '\r' | grep -oE -m 1 '([0-9A-HJKMNP-TV-Z]{4}-){7}.{4}')
set_up umpire_as anna register anna --trust || exit 99
enrol bert dina || exit 99
cup_keys dina

admin() {
	"$UMPIRE" admin "$@" --why "lost at sea" --socket "$dir/admin.sock"
}
# typed WHO ARGUMENT...: runs umpire with the words on standard input.
typed() {
	umpire_as "$@" <<<"$words"
}
# sit WHO...: they come to their table.
sit() {
	local who
	for who; do
		exits 0 "$who sits down" umpire_as $who tournament play autumn
	done
}

cup_new '{"format": "roundrobin", "rounds": 2, "event": "Autumn Cup"}'
for who in anna bert; do
	exits 0 "$who enters" umpire_as $who tournament enter "$id" --yes
done
like "entries end" <(cup order "$id" dina shut) line
for who in anna bert; do
	exits 0 "$who checks in" umpire_as $who tournament checkin autumn
done
like "lots are drawn" <(cup order "$id" dina start) line
like "round 1 is paired" <(cup order "$id" dina pair '{"round": 1}') line
sit anna bert anna
# Who moves: side 1, whoever that is by lots.
first=$(umpire_as anna show autumn-cup-r1 --json |
	jq -r '.seats[] | select(.seat == 1) | .account')
exits 0 "a roll in the game" umpire_as "$first" roll autumn-cup-r1 2d6
exits 0 "which anna reads" umpire_as anna show autumn-cup-r1

# ---- by the words ----

mkdir "$work/old"
mv "$(player_data anna)"/sign.key "$(player_data anna)"/dice.key* "$work/old"
exits 78 "without keys anna gives no order" \
	umpire_as anna roll autumn-cup-r1 d6
exits 78 "nor in the tournament" umpire_as anna tournament say autumn hello
exits 0 "the words make others" typed anna keys recover
exits 0 "it is anna's turn" umpire_as "$first" end-turn autumn-cup-r1 --yes
[ "$first" = bert ] ||
	exits 0 "again" umpire_as bert end-turn autumn-cup-r1 --yes
exits 0 "they count in the game" umpire_as anna roll autumn-cup-r1 2d6
like "where dice fall" "$out" '\[?[1-6]'
exits 0 "and in the tournament" umpire_as anna tournament say autumn \
	"here again" --yes
cup export "$id" words
is "whose record has the statement" "$(jq -r 'select(.kind == "key") |
	.statement | fromjson | .do' "$work/records/words/tournament.jsonl" |
	tr '\n' ' ')" "reset "
exits 0 "and is good" "$UMPIRE" verify "$work/records/words"

# ---- what the thief has ----

cp -r "$work/players/anna" "$work/players/thief"
rm "$(player_data thief)"/*.key*
cp "$work/old"/* "$(player_data thief)"
run umpire_as thief tournament say autumn "me, too" --yes
is "with the keys of before nobody speaks for anna" "$((status != 0))" 1
like "since the account has others" "$err" 'no account "anna" has this key'
exits 0 "bert gives up" umpire_as bert resign autumn-cup-r1 --yes

# ---- without them ----

wall=$((wall + 86400000))
hook now_ms "$wall"
like "round 2 is paired" <(cup order "$id" dina pair '{"round": 2}') line
sit anna bert anna
game=$(umpire_as bert show autumn-cup-r2 --json | filter .game)
mv "$work/players/bert" "$work/players/drowned"
set_up umpire_as bert init --server "$server" --account bert || exit 99
key=$(umpire_as bert init --json | filter .key)
enrol ben2 || exit 99
exits 0 "a substitute prints a card" umpire_as ben2 keys card
card=$(grep -oE 'ben2:[0-9a-f]{66}' "$out")
exits 0 "the operator proposes bert's key in the tournament" \
	admin key bert "$key" "${id:0:12}"
cup export "$id" seen
line=$(jq -r 'select(.what == "operator-key") | .seq' \
	"$work/records/seen/tournament.jsonl")
exits 0 "bert looks at it" umpire_as bert tournament show "$id" --trust
exits 77 "it does not count yet" umpire_as bert tournament say autumn hello --yes
like "since it is nobody's" "$err" 'no account "bert" has this key'
exits 0 "the director accepts it" umpire_as dina tournament rule autumn accept \
	"$line" --why "I know the voice" --yes
exits 0 "then it does" umpire_as bert tournament say autumn "back again" --yes
exits 0 "in the game that runs the substitute is proposed" \
	admin key bert "$card" "${game:0:12}"
exits 0 "whom anna accepts" umpire_as anna accept autumn-cup-r2 \
	"$(umpire_as anna show autumn-cup-r2 --json | filter .seq)" --yes
for who in anna ben2; do
	exits 0 "$who is ready" umpire_as $who ready "$game"
done
exits 0 "the substitute gives up" umpire_as ben2 resign "$game" --yes
like "that is the table's result" <(cup view "$id" |
	jq -r '.pairings[1].tables[0].legs[0].result') '^[12+-]$'
like "it is finished" <(wall=$((wall + 864000000)); cup order "$id" dina finish) \
	'^line'
cup export "$id" whole
exits 0 "the record is good" "$UMPIRE" verify "$work/records/whole"
exits 0 "the second reading says the same" python3 \
	"$top_srcdir/tests/oracle/tournament_verify.py" "$work/records/whole"
finish
