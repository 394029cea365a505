#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What a witness meets seldom: a game whose rules it lacks, rules that fail on
# the server and not here, a server that takes lines back and keeps none, sides
# that play on without it.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
UMPIRE=$umpire_test
[ -x "$UMPIRE" ] || skip_all "umpire-test is not built"

dir=$work/umpired
db=$dir/umpired.db
start_umpired "$dir" -o witnesses=club || exit 99
write_example "$work"
enrol anna bert club || exit 99
store=$(player_data club)/witness.db
log=$work/club.log

# witness [NAME=VALUE...]: runs in the background as club; its log is new.
witness() {
	local home=$work/players/club
	: >"$log"
	env "$@" HOME="$home" XDG_CONFIG_HOME="$home/config" \
		XDG_DATA_HOME="$home/data" "$UMPIRE" witness --json \
		>>"$log" 2>&1 </dev/null &
	witness=$!
	daemons="$daemons $witness"
	wait_for 20 has_logged connected
}
gone() {
	kill -TERM "$witness" 2>/dev/null
	wait "$witness" 2>/dev/null
}
# has_logged EVENT
has_logged() {
	grep -q "\"event\":\"$1\"" "$log"
}
# told EVENT: the texts of those events.
told() {
	grep "\"event\":\"$1\"" "$log" | filter .text
}
game_of() {
	umpire_as anna show "$1" --json | filter .game
}
newest() {
	umpire_as anna show "$1" --json | filter .seq
}
at_line() {
	[ "$(newest "$1")" -ge "$2" ]
}
# opens NAME: a game in muster.
opens() {
	set_up umpire_as anna new --roster "$work/roster.json" --name "$1" \
		--witness club --invite bert --clock none || exit 99
}
# begins NAME: bert joins, both are ready, and the witness, too.
begins() {
	wait_for 20 at_line "$1" 1
	set_up umpire_as bert join --yes "$(game_of "$1")" --name "$1" || exit 99
	set_up umpire_as anna ready "$1" || exit 99
	wait_for 20 at_line "$1" 5 || fail "$1 did not begin"
}

# ---- rules that it lacks ----

opens lacking
witness UMPIRE_TEST_LACKS=lasalle2
wait_for 20 has_logged left
is "it joins no game whose rules it lacks" "$(told left | grep -c \
	'the system "lasalle2" is not in this version')" 1
is "so nobody has joined" "$(newest lacking)" 0
like "which the game shows" <(umpire_as anna show lacking) \
	'Waiting for the witness to join'
is "it goes on for others" "$(kill -0 $witness && echo yes)" yes
gone
is "it was nothing that it had to stop for" $? 0
like "status has no stop" <(umpire_as club witness status) '0 stopped'
witness
opens night
begins night
night=$(game_of night)
is "with the rules the next game is played" "$(newest night)" 5

# ---- both sides play on without it ----

opens alone
begins alone
set_up umpire_as anna offer alone witness-out --yes
set_up umpire_as bert accept alone "$(newest alone)" --yes
wait_for 20 has_logged out
is "it says that it is out" "$(told out)" \
	'both sides play on without a witness'

# ---- the rules fail on the server, and not here ----

set_up umpire_as anna declare night "$work/combat.json" --yes
set_up umpire_as bert answer night agree --yes
gone
witness UMPIRE_TEST_DIE=sent
set_up umpire_as bert decide night retire none --yes
dead() {
	! kill -0 "$witness" 2>/dev/null
}
wait_for 20 dead || fail "the witness does not answer"
gone
n=$(newest night)
row() {
	echo "game = (SELECT gid FROM game WHERE hex(id) = upper('$night'))
		AND seq = $1"
}
line_of() {
	sqlite3 "$db" "SELECT line FROM record WHERE $(row "$1")"
}
is "there are dice that it has not heard of" \
	"$(line_of "$n" | jq -c '[.seat, (.dice | type), (.events | length > 1)]')" \
	'[254,"object",true]'
line_of "$n" >"$work/whole"
# What the server records if its rules fail: events so far, and that they did.
jq -c '.events |= .[:1]' "$work/whole" | "$tools/perjurer" mark "$dir" |
	tr -d '\n' >"$work/part"
# shows LINE...: the server's record from line n on; the last is its last.
shows() {
	local i=$n one
	sqlite3 "$db" "DELETE FROM record WHERE $(row $((n + 1)))"
	for one in "$@"; do
		sqlite3 "$db" "INSERT INTO record (game, seq, line, hash)
			SELECT gid, $i, CAST('$(sed "s/'/''/g" "$one")' AS BLOB),
			x'$(sha256sum <"$one" | head -c 64)' FROM game
			WHERE hex(id) = upper('$night')
			ON CONFLICT (game, seq) DO UPDATE
			SET line = excluded.line, hash = excluded.hash;
			UPDATE game SET seq = $i WHERE hex(id) = upper('$night')"
		i=$((i + 1))
	done
}
jq -nc --arg prev "$(sha256sum <"$work/part" | head -c 64)" --argjson l \
	"$(cat "$work/part")" '{v: 1, game: $l.game, seq: ($l.seq + 1), $prev,
	at: $l.at, kind: "server", what: "fault",
	data: {seq: $l.seq, text: "a test"}, events: [], mark: ("0" * 128)}' |
	"$tools/perjurer" mark "$dir" | tr -d '\n' >"$work/fault"
cp "$store" "$work/store"
kept() {
	sqlite3 -readonly "$store" "SELECT n FROM game
		WHERE hex(id) = upper('$night')"
}
shows "$work/part" "$work/fault"
witness
wait_for 20 has_logged fault
is "it looks ahead, and hears that the rules failed" "$(told fault)" \
	"the server says that its rules failed in line $n"
wait_for 20 has_logged left
is "it leaves the game, which is halted" "$(grep -c stopped "$log")" 0
gone
is "and accuses nobody" $? 0
is "it has both lines" "$(kept)" $((n + 2))
rm "$store"*
cp "$work/store" "$store"
shows "$work/part"
witness
wait_for 20 has_logged stopped
is "the same line without that one does not hold" "$(told stopped)" \
	'not what the orders and the rules give'
like "and proves what the server does" "$log" 'The server signed both'
gone
is "with a status of its own" $? 76
shows "$work/whole"

# ---- a server takes lines back, and keeps none ----

rm "$store"*
cp "$work/store" "$store"
for i in 0 1 2; do
	line_of $i
done >"$work/shown"
echo hollow >"$work/mode"
"$tools/perjurer" "$dir" "$work/shown" "$work/mode" \
	>"$work/liar.port" 2>"$work/liar.err" &
daemons="$daemons $!"
wait_for 10 test -s "$work/liar.port" || exit 99
profile=$work/players/club/config/umpire/default/config
cp "$profile" "$work/profile"
sed -i "s/^server *=.*/server = 127.0.0.1:$(cat "$work/liar.port")/" "$profile"
sqlite3 "$store" "DELETE FROM game WHERE hex(id) <> upper('$night')"
witness
wait_for 20 has_logged waits
is "it does not give them at once again" "$(told waits | head -n 1 |
	sed 's/[0-9]* s$/N s/')" \
	'the server took its lines back and lacks them again: they are given once more in N s'
is "it had given them once" "$(grep -c game.heal "$work/liar.err")" 1
gone
cp "$work/profile" "$profile"

finish
