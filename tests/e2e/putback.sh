#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# An old backup is put in the database's place (umpired.8, "Restoring a backup"):
# it is noticed, copies that players hold bring back what is missing, and what
# nobody brings is worth nothing to who has seen it.  comeback.sh has the lines
# themselves.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3

dir=$work/umpired
db=$dir/umpired.db
log=$dir/log

jq -nc '{blob: "roster", system: "imagi-nations", sides: {
	"1": {name: "Blue", units: [{id: "blue-1", lead: "b1a", battalions: [
	 {id: "b1a", quality: "veteran", sp: 9}]}]},
	"2": {name: "Red", units: [{id: "red-1", lead: "r1a", battalions: [
	 {id: "r1a", quality: "elite", sp: 9}]}]}}}' >"$work/roster.json"
jq -nc '{terrain: "village", attacker: {units: [{id: "blue-1"}]},
	defender: {units: [{id: "red-1"}]}}' >"$work/combat.json"

# begin [OPTION]...: the daemon, which the players find at another port.
begin() {
	local who
	start_umpired "$dir" "$@" || exit 99
	for who in anna bert cleo; do
		[ ! -e "$work/players/$who" ] || init_player "$who" || exit 99
	done
}

# putback FILE [OPTION]...: a backup comes in the database's place.
putback() {
	local file=$1
	shift
	stop_umpired
	rm -f "$db" "$db-wal" "$db-shm"
	cp "$file" "$db"
	begin "$@"
}

backup() {
	"$UMPIRED" -c "$dir/umpired.conf" --backup "$1" >/dev/null
}

# keep WHO NAME, take WHO NAME: that player's copy is kept under a name, and is
# again what it was then.
keep() {
	rm -rf "$work/kept-$1-$2"
	cp -r "$(player_data "$1")/games" "$work/kept-$1-$2"
}

take() {
	rm -rf "$(player_data "$1")/games"
	cp -r "$work/kept-$1-$2" "$(player_data "$1")/games"
}

# lines: what the server has of the game.
lines() {
	sqlite3 -readonly "$db" "SELECT CAST(line AS TEXT) FROM record
		WHERE game = (SELECT gid FROM game WHERE hex(id) = upper('$game'))
		ORDER BY seq"
}

# still: how many games take no orders.
still() {
	sqlite3 -readonly "$db" "SELECT count(*) FROM standstill
		WHERE to_ms IS NULL"
}

# is_good WHAT: a case; all that is kept fits the lines.
is_good() {
	exits 0 "$1: all that is kept fits the lines" "$UMPIRED" \
		-c "$dir/umpired.conf" --check
}

begin
enrol anna || exit 99
backup "$work/empty.db"
enrol bert cleo || exit 99
umpire_as anna new --roster "$work/roster.json" --name duel >/dev/null
game=$(umpire_as anna show duel --json | filter .game)
umpire_as bert join "$game" --name duel --yes >/dev/null
umpire_as anna ready duel >/dev/null
umpire_as anna declare duel "$work/combat.json" --yes >/dev/null
backup "$work/declared.db"
exits 0 "bert commits to a card" umpire_as bert decide duel tactic hold --yes
umpire_as anna show duel >/dev/null
backup "$work/night.db"
keep anna night
keep bert night

# ---- a text that only its owner has ----

putback "$work/declared.db"
like "a backup that was put back is noticed" "$log" \
	'of 1 games or tournaments lines are missing, and 0 are not there'
exits 0 "anna's copy has the line" umpire_as anna show duel
like "which she is told" "$err" 'had lost line 5 of'
like "and that the game waits for others" "$err" "takes no orders yet in 'duel':"
is "the text of bert's card is missing" "$(still)" 1
exits 75 "nothing is taken meanwhile" umpire_as anna say duel hello --yes
like "which she is told, too" "$err" 'old backup of the server was put back'
rm -f "$(player_data anna)/games/$game.pending"
exits 0 "bert's copy has the text" umpire_as bert show duel
like "which he is told" "$err" 'had lost a secret of yours'
is "the game goes on" "$(still)" 0
is_good "with the text"
lines >"$work/before"

# ---- the card and the dice are known ----

exits 0 "anna commits, and the dice fall" umpire_as anna decide duel tactic feint \
	--yes
lines >"$work/fought"
keep anna fought
holds "they are in the line" grep -q '"dice":' <(tail -n 1 "$work/fought")
putback "$work/night.db"
exits 0 "anna's client gives them back" umpire_as anna todo
holds "each line byte for byte" cmp "$work/fought" <(lines)
is "and nothing more is said" "$(lines | grep -c '"what":"restored"')" 0
is "the game goes on at once" "$(still)" 0
is_good "after one copy"

# She does not, and has the copy of before.
putback "$work/night.db"
take anna night
exits 75 "another choice is not taken" umpire_as anna decide duel tactic \
	pinning-attack --yes
like "since lines are missing" "$err" 'old backup of the server was put back'
is "nothing is recorded" "$(lines)" "$(cat "$work/before")"
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
begin
is "nor after the daemon was killed" "$(still)" 1
stop_umpired
begin -o recovery_s=0
wait_for 20 grep -q 'goes on from line 6, which says that lines' "$log"
is "after a time the record says that lines were lost" \
	"$(lines | tail -n 1 | filter .what)" restored
holds "the pool has moved" test -n "$(lines | tail -n 1 | filter .pool)"
take anna night
exits 0 "bert is told" umpire_as bert show duel
like "that lines were lost" "$out" 'has lost lines that stood from line 6 on'
exits 0 "and accepts" umpire_as bert accept duel 6 --yes
exits 0 "anna, who says that she holds none," umpire_as anna accept duel 6 --yes
for who in anna bert; do
	umpire_as $who ready duel >/dev/null 2>&1
done
umpire_as anna export duel -o "$work/record" >/dev/null 2>&1
exits 0 "the record is good" umpire_as cleo verify "$work/record"
like "and names it" "$out" 'lines were lost from 6 on'
exits 0 "anna declares again" umpire_as anna declare duel "$work/combat.json" --yes
is "no card that was opened counts" "$(lines | grep -c '"opened"')" 0
is_good "after a line restored"

# The copy with what was lost turns up.
session nobody
ask nobody call game.heal "$(jq -Rnc --arg game "$game" \
	'{game: $game, lines: [inputs]}' <"$work/fought")"
refused "lost lines that come too late" 10 fork params.lines
like "are known to be lost" "$log" "lost: game .*, line 6: it is"
close_session nobody
take anna fought
exits 0 "whoever holds them" umpire_as anna show duel
like "is told" "$err" 'says in line 6 of duel that the lines from there on'

# A copy with several lost lines, whose owner comes when others have gone on.
umpire_as bert show duel >/dev/null 2>&1
backup "$work/talk.db"
for word in one two; do
	umpire_as bert say duel $word >/dev/null
done
at=$(($(lines | wc -l) - 2))
putback "$work/talk.db" -o recovery_s=0
wait_for 20 grep -q "goes on from line $at, which says" "$log"
exits 0 "who holds none of them accepts" umpire_as anna accept duel $at --yes
exits 0 "who holds two" umpire_as bert show duel
like "is told where they begin, and accuses nobody" "$err" \
	"says in line $at of duel that the lines from there on"
exits 0 "and may accept, too" umpire_as bert accept duel $at --yes
for who in anna bert; do
	umpire_as $who ready duel >/dev/null 2>&1
done
lines >"$work/later"

# ---- a machine that was set back, with the file ----

# set_back FILE: as putback, the file of last lines, too.
set_back() {
	stop_umpired
	rm -f "$db" "$db-wal" "$db-shm"
	cp "$1" "$db"
	cp "$work/heads" "$db.heads"
	begin
}

umpire_as anna new --roster "$work/roster.json" --name other >/dev/null
umpire_as bert join "$(umpire_as anna show other --json | filter .game)" \
	--name other --yes >/dev/null
stop_umpired
cp "$db.heads" "$work/heads"
begin
backup "$work/set.db"
keep bert set
umpire_as anna say duel one --yes >/dev/null
umpire_as anna say duel two --yes >/dev/null
lines >"$work/whole"
set_back "$work/set.db"
is "nothing is noticed" "$(still)" 0
exits 0 "but by the first who holds more" umpire_as anna show duel
holds "the lines are back" cmp "$work/whole" <(lines)
like "the log says what that means" "$log" 'set back to an earlier state'
is "all games recover" "$(still)" 2
exits 75 "and take no orders" umpire_as anna say other hello --yes
rm -f "$(player_data anna)"/games/*.pending
exits 0 "bert has no more" umpire_as bert show duel
is "and nothing of the other game is missing" "$(still)" 0
is "so the game goes on, and says so" "$(lines | tail -n 1 | filter .what)" \
	restored
is_good "after a machine was set back"

# Somebody else comes first.
set_back "$work/set.db"
take bert set
exits 0 "an order comes before who holds more" umpire_as bert say duel first --yes
lines >"$work/first"
run umpire_as anna show duel
is "two lines of one number are signed" "$status" 76
session nobody
ask nobody call game.heal "$(jq -Rnc --arg game "$game" \
	'{game: $game, lines: [inputs]}' <"$work/whole")"
refused "nothing is joined" 10 fork params.lines
like "and it is in the log" "$log" 'equivocation: game .*: it is [0-9a-f]{64} here'
holds "the record stays" cmp "$work/first" <(lines)
is "as it was" "$(still)" 0
close_session nobody

# ---- the file, and the operator's word ----

stop_umpired
rm "$db.heads"
begin
is "without the file all games recover" "$(still)" 2
like "which the log says" "$log" 'file with the last line of each game is missing'
stop_umpired
begin -o recovery_s=0
wait_for 20 test "$(still)" = 0
is "until they go on" "$(still)" 0
exits 0 "--restored" "$UMPIRED" -c "$dir/umpired.conf" --restored
stop_umpired
begin
is "is for the next start" "$(still)" 2
like "which says so" "$log" 'as --restored has said'
stop_umpired
begin
is "once" "$(grep -c 'as --restored has said' "$log")" 1
is "and lasts" "$(still)" 2

# ---- accounts and games that are gone ----

take anna fought
take bert night
putback "$work/empty.db"
umpire_as anna show duel >/dev/null 2>"$err"
like "a game that is gone comes back" "$err" "had lost the game 'duel'"
holds "from its first line on" cmp "$work/fought" <(lines)
exits 0 "who sat in it has their account again" umpire_as bert todo
is_good "with accounts"

# ---- standing orders, keys, private games ----

stop_umpired
rm -rf "$dir" "$work/players"
begin
enrol anna bert cleo || exit 99
write_example "$work"
club=("$work/roster.json" --name club)
umpire_as anna new --private --roster "${club[@]}" >/dev/null
game=$(umpire_as anna show club --json | filter .game)
umpire_as anna invite club bert >/dev/null
umpire_as bert join "$game" --name club --yes >/dev/null
umpire_as anna ready club >/dev/null
backup "$work/private.db"
exits 0 "bert gives a standing order" umpire_as bert standing club retire all \
	--yes
session anna anna
ask anna login anna
ask anna statement anna
ask anna call account.key "$reply"
is "anna has another key" "$(of .result.n)" 1
close_session anna
umpire_as anna say club "after that" --yes >/dev/null
umpire_as bert show club >/dev/null
lines >"$work/private"
# account: number and keys of anna's.
account() {
	sqlite3 -readonly "$db" "SELECT kn, (SELECT count(*) FROM account_key
		WHERE account = account.id AND ended = 0), (SELECT count(*)
		FROM statement WHERE account = account.id)
		FROM account WHERE name = 'anna'"
}
account >"$work/account"

putback "$work/private.db"
session cleo cleo
ask cleo login cleo
bring=$(jq -Rnc --arg game "$game" '{game: $game, lines: [inputs]}' \
	<"$work/private")
ask cleo call game.heal "$bring"
refused "nobody else brings lines of a private game" 7 not-found params.game
ask cleo call game.heads \
	"{\"games\":[{\"game\":\"$game\",\"seq\":0,\"head\":\"$zeros\"}]}"
is "or learns of it" "$(of '.result.games[0] | keys_unsorted | join(" ")')" "game is"
ask cleo call game.heal "{\"game\":\"$game\",\"lines\":[]}"
refused "nor by bringing nothing" 7 not-found params.game
close_session cleo
exits 0 "anna's copy has the lines" umpire_as anna show club
holds "all of them" cmp "$work/private" <(lines)
is "and her keys with them" "$(account)" "$(cat "$work/account")"
is "the standing order's text is missing" "$(still)" 1
session anna anna
ask anna login anna
look anna
is "which game.show tells" "$(of .result.recovering)" true
close_session anna
exits 0 "bert has it" umpire_as bert show club
is "the game goes on" "$(still)" 0
is_good "with a standing order"
exits 0 "she plays on" umpire_as anna declare club "$work/combat.json" --yes
is "and it acts" "$(lines | grep -c '"opened"')" 1

# The whole game is gone, accounts too, but for hers.
sqlite3 "$work/private.db" 'PRAGMA foreign_keys=OFF;
	DELETE FROM record; DELETE FROM snapshot; DELETE FROM seat;
	DELETE FROM line_blob; DELETE FROM line_text; DELETE FROM text;
	DELETE FROM turn; DELETE FROM notice; DELETE FROM invite_game;
	DELETE FROM game'
lines >"$work/private"
umpire_as bert show club >/dev/null
putback "$work/private.db"
session cleo cleo
ask cleo login cleo
ask cleo call game.heal "$bring"
refused "nor of one that is gone" 7 not-found params.game
exits 0 "who sat there brings it" umpire_as bert show club
holds "from its first line on" cmp "$work/private" <(lines)
ask cleo call game.show "{\"game\":\"$game\"}"
refused "and it is private again" 7 not-found params.game
close_session cleo
stop_umpired

# ---- the time is over before there are threads to tell ----

with_hooks
exits 0 "--restored once more" "$UMPIRED" -c "$dir/umpired.conf" --restored
said() {
	[ "$(grep -c 'which says that lines were lost' "$log")" -gt "$before" ]
}
before=$(grep -c 'which says that lines were lost' "$log")
hook hold_threads 1
{
	wait_for 20 said
	hook hold_threads 0
} &
begin -o recovery_s=0
exits 0 "the daemon lives on" umpire_as anna show club
holds "and has written the line" said
stop_umpired
finish
