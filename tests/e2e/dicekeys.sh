#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# New dice keys: given in all games that go on, each of which changes over at a
# line of its own; after a theft, in the middle of a roll that is owed; on a
# second device and on a bare computer, by the words alone.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need script

start_umpired "$work/umpired" || exit 99
write_example "$work"
mkdir -p "$work/players/anna"
words=$(player anna script -qec "'$UMPIRE' init --server $server" /dev/null \
	<<<'' | tr -d '\r' | grep -oE -m 1 '([0-9A-HJKMNP-TV-Z]{4}-){7}.{4}')
set_up umpire_as anna register anna --trust || exit 99
enrol bert || exit 99

# begins NICK [OPTION...]: a game in play between the two.
begins() {
	local nick=$1
	shift
	umpire_as anna new --roster "$work/roster.json" --name "$nick" "$@" \
		>"$out" 2>"$err" &&
		game=$(umpire_as anna show "$nick" --json | filter .game) &&
		umpire_as bert join "$game" --name "$nick" --yes >"$out" 2>"$err" &&
		umpire_as anna ready "$nick" >"$out" 2>"$err" &&
		umpire_as bert show "$nick" >/dev/null 2>&1
}
# typed WHO ARGUMENT...: umpire, with the words on standard input.
typed() {
	local who=$1
	shift
	umpire_as "$who" "$@" <<<"$words"
}
# other_words WHO ARGUMENT...: with other words.
other_words() {
	local who=$1
	shift
	umpire_as "$who" "$@" <<<"${words:5}-${words::4}"
}
# tip REGEX: the command of that form that was printed; follow WHO: types it.
tip() {
	tip=$(cat "$out" "$err" | grep -oE "umpire $1" | tail -n 1)
	[ -n "$tip" ] || fail "a command is printed: $1"
}
follow() {
	# shellcheck disable=SC2086
	typed "$1" ${tip#umpire }
}
# dice WHO GAME SEAT: the dice keys that the record has for the seat, in order.
dice() {
	umpire_as "$1" export "$2" | jq -rc --argjson seat "$3" '.order? // empty |
		fromjson | select((.seat // 1) == $seat) |
		.args.dice_key? // empty'
}
# files WHO: that player's files of dice keys.
files() {
	find "$(player_data "$1")" -name 'dice.key*' | wc -l
}
# in_use WHO: the public dice key that a new game of theirs gets.
in_use() {
	umpire_as "$1" new --roster "$work/roster.json" --name "probe$((++probes))" \
		>"$out" 2>"$err"
	dice "$1" "probe$probes" 1
	umpire_as "$1" cancel "probe$probes" --yes >"$out" 2>"$err"
}
probes=0

begins slow || exit 99
umpire_as bert new --roster "$work/roster.json" --name owed --scheme live-1 \
	>"$out" 2>&1
game=$(umpire_as bert show owed --json | filter .game)
umpire_as anna join "$game" --name owed --yes >"$out" 2>&1
umpire_as bert ready owed >"$out" 2>&1
umpire_as anna new --roster "$work/roster.json" --name open >"$out" 2>&1
exits 0 "bert rolls, which anna owes her part of" umpire_as bert roll owed 2d6
cp -r "$work/players/anna" "$work/players/thief"
first=$(dice anna slow 1)

# ---- a new dice key, after a theft ----

exits 64 "there is one new dice key at a time" typed anna keys new-dice-key 2
exits 65 "without words there is none" umpire_as anna keys new-dice-key \
	</dev/null
exits 65 "nor by others" other_words anna keys new-dice-key
like "which is told" "$err" "not the words of 'anna'"
exits 0 "the words shut the thief out" typed anna keys recover
exits 77 "in the middle of a roll" umpire_as thief answer owed agree
exits 0 "anna's part of it is hers" umpire_as anna answer owed agree
exits 0 "then bert rolls again" umpire_as bert roll owed 2d6
exits 0 "a new dice key is given in all games" typed anna keys new-dice-key
like "from the next turn on where one runs" "$out" \
	'^  slow: when the turn ends; then each says again'
like "at once where none does" "$out" '^  open: at once$'
second=$(in_use anna)
is "new games have it" "$([ "$second" != "$first" ] && echo other)" other
is "those that run have both" "$(dice anna slow 1)" "$first"$'\n'"$second"
exits 0 "the roll that anna owes is by the old one" umpire_as anna answer owed \
	agree
exits 0 "so is what she rolls" umpire_as anna roll slow 2d6
exits 0 "she ends her turn" umpire_as anna end-turn slow --yes
exits 65 "no dice fall in the round" umpire_as anna roll slow 2d6
exits 0 "anna says that she is ready" umpire_as anna ready slow
exits 0 "and bert" umpire_as bert ready slow
exits 0 "bert rolls" umpire_as bert roll slow 2d6
exits 0 "ends his turn" umpire_as bert end-turn slow --yes
exits 0 "and anna rolls by the new one" umpire_as anna roll slow 2d6
is "she has both keys" "$(files anna)" 2

# ---- more than a turn takes ----

exits 0 "another key" typed anna keys new-dice-key --json
is "is given in the games that go on" "$(filter '.games | length' <"$out")" 3
third=$(filter .dice_key <"$out")
exits 65 "no game takes a third in one turn" typed anna keys new-dice-key
like "with the reason" "$err" 'gives no third'
like "and the game" "$err" "about game 'open'"
fourth=$(dice anna slow 1 | tail -n 1)
is "the game that takes it has it" "$([ "$fourth" != "$third" ] && echo yes)" yes
is "so have new games" "$(in_use anna)" "$fourth"
exits 65 "the same command" typed anna keys new-dice-key
is "goes on with the same key" "$(dice anna slow 1 | tail -n 1)" "$fourth"
tip 'keys new-dice-key'
exits 0 "when the game that took no more" umpire_as bert end-turn owed --yes
exits 0 "is in another turn" umpire_as bert ready owed
exits 0 "and the other has ended" umpire_as anna cancel open --yes
exits 0 "what was printed does it" follow anna
like "at once in a round" "$out" '^  owed: at once; each says again'
is "by that key" "$(dice anna owed 2 | tail -n 1)" "$fourth"
tip 'ready owed'
exits 0 "what is printed next" follow anna
exits 0 "and bert's ready, which has to be given again" umpire_as bert ready owed
exits 0 "let dice fall" umpire_as anna roll owed 2d6
exits 0 "and the other part of them" umpire_as bert answer owed agree

# ---- a second device ----

exits 0 "a new device" umpire_as phone init --server "$server" --account anna
typed phone keys add --json >"$out" 2>"$err"
code=$(filter .code <"$out")
exits 0 "is added" umpire_as anna keys add "$code"
anna=$(umpire_as anna keys | sed -n "s/  this device's//p")
exits 0 "which trusts the old one" umpire_as phone keys trust "$anna" --trust
like "and learns that its dice key is not the last" "$err" \
	'In 2 games your dice fall by a newer dice key'
exits 78 "it rolls nothing" umpire_as phone roll "${game::8}" 2d6
like "and is told why" "$err" 'a dice key that profile .default. does not have'
tip 'keys new-dice-key'
exits 0 "what is printed" follow phone
like "brings the key" "$out" 'that another device of yours has'
exits 0 "by which it rolls" umpire_as phone roll "${game::8}" 2d6
exits 0 "as bert answers" umpire_as bert answer owed agree
is "and its games have the key" "$(in_use phone)" "$fourth"
exits 65 "a fifth key, given where it is taken" typed phone keys new-dice-key
exits 0 "anna's device ends the turn" umpire_as anna end-turn owed --yes
exits 78 "but cannot be ready without it" umpire_as anna ready owed

# ---- a bare computer ----

exits 0 "there is another computer" umpire_as away init --server "$server" \
	--account anna
exits 0 "where the words bring all back" typed away keys recover --trust
like "dice keys, too" "$out" 'dice key number 5 of the words'
exits 0 "anna is ready there" umpire_as away ready "${game::8}"
exits 0 "and bert" umpire_as bert ready owed
exits 0 "who rolls" umpire_as bert roll owed 2d6
exits 0 "and has her part" umpire_as away answer "${game::8}" agree
is "new games have the last key" "$(in_use away)" "$(dice away "${game::8}" 2 |
	tail -n 1)"

# ---- a thief's dice key ----

cp -r "$work/players/away" "$work/players/robber"
rm "$(player_data robber)/recovery.pub"
exits 65 "a thief gives a dice key of their own, where one is taken" \
	umpire_as robber keys new-dice-key --yes
exits 0 "which the words do not end" typed away keys recover
like "but it is seen" "$err" 'In 1 game dice fall by a key that is not of the'
tip 'keys new-dice-key'
exits 65 "what is printed gives another" follow away
like "before it counts" "$out" '^  [0-9a-f]{8}: when the turn ends; then each'
exits 0 "bert ends his turn" umpire_as bert end-turn owed --yes
exits 77 "the thief does not let the dice fall" umpire_as robber ready \
	"${game::8}"
exits 0 "anna does" umpire_as away ready "${game::8}"
exits 0 "and bert" umpire_as bert ready owed
exits 0 "and she rolls" umpire_as away roll "${game::8}" 2d6

# One that counts before the thief is shut out cannot be turned away by her.
umpire_as bert answer owed agree >"$out" 2>"$err"
exits 0 "she ends her turn" umpire_as away end-turn "${game::8}" --yes
cp -r "$work/players/away" "$work/players/burglar"
rm -f "$(player_data burglar)"/{recovery.pub,dice.key.new}
umpire_as burglar keys new-dice-key --yes >"$out" 2>"$err"
exits 0 "bert ends his turn" umpire_as bert end-turn owed --yes
exits 0 "another thief is ready in her name" umpire_as burglar ready \
	"${game::8}"
exits 0 "and bert" umpire_as bert ready owed
exits 0 "then the words shut them out" typed away keys recover
exits 78 "she has not their dice key" umpire_as away roll "${game::8}" 2d6
tip 'keys new-dice-key'
follow away >"$out" 2>"$err"
exits 78 "nor does hers count yet" umpire_as away end-turn "${game::8}" --yes
like "she is told who can help" "$err" 'umpire keys card$'
exits 0 "while she can talk" umpire_as away say "${game::8}" "It was stolen."
# A server that helps a thief leaves a game out of its list.
echo '{"account.login": {"result": {}}, "game.list": {"result": {"games": []}}}' \
	>"$work/script"
"$tools/liar" "$work/umpired" "$port" "$work/script" >"$work/liar.port" \
	2>"$work/liar.err" &
daemons="$daemons $!"
wait_for 20 test -s "$work/liar.port" || exit 99
cp -r "$work/players/bert" "$work/players/told"
sed -i "s/^server = .*/server = 127.0.0.1:$(cat "$work/liar.port")/" \
	"$work/players/told/config/umpire/default/config"
rm "$(player_data told)/recovery.pub"
run umpire_as told keys new-dice-key
is "a game that the list leaves out" "$([ "$status" != 0 ] && echo tried)" tried
like "is found by the copy of it" "$err" "about game 'slow'"

for nick in slow owed; do
	umpire_as bert export $nick >"$work/$nick.jsonl" 2>"$err"
	exits 0 "the record of $nick is good" umpire_as bert verify \
		"$work/$nick.jsonl"
done
is "the words are kept nowhere" "$(grep -rlF -e "$words" -e "${words//-/}" \
	"$work" | grep -vc '/umpired/')" 0
stop_umpired
is "the daemon stops cleanly" $? 0
is "nor in what it keeps" "$(grep -rlF -e "$words" -e "${words//-/}" \
	"$work/umpired" | wc -l)" 0
finish
