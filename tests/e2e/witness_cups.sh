#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A witness and a server that has lost lines of a tournament: it gives them back
# before those of its games, byte for byte, though it is killed on the way; and
# where the server tells another history of a tournament it has the proof.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/cup_lib.sh"
with_clocks

dir=$work/umpired
db=$dir/umpired.db
log=$work/club.log
wall=$(($(date +%s) * 1000))
hook now_ms "$wall"
start_umpired "$dir" -o witnesses=club || exit 99
enrol anna bert dina club || exit 99
store=$(player_data club)/witness.db
mkdir "$work/away"
cup_keys dina club

# witness [NAME=VALUE...]: runs in the background as club, with a log of its own.
witness() {
	local home=$work/players/club
	: >"$log"
	env "$@" HOME="$home" XDG_CONFIG_HOME="$home/config" \
		XDG_DATA_HOME="$home/data" "$UMPIRE" witness \
		>>"$log" 2>&1 </dev/null &
	witness=$!
	daemons="$daemons $witness"
}
# gone: it is told to end; its exit status.
gone() {
	kill -TERM "$witness" 2>/dev/null
	wait "$witness" 2>/dev/null
}
# cups, games: what the server has of each.
cups() {
	sqlite3 -readonly "$db" "SELECT CAST(line AS TEXT)
		FROM tournament_record ORDER BY tournament, seq"
}
games() {
	sqlite3 -readonly "$db" "SELECT CAST(line AS TEXT) FROM record
		ORDER BY game, seq"
}
all() {
	cups
	games
}
# holds_cup N: the witness holds so many lines of the tournament, on its disk.
holds_cup() {
	[ "$(sqlite3 -readonly "$store" 'SELECT n FROM game WHERE is_cup = 1')" \
		= "$1" ]
}
# holds_all: as many as the server has, of all.
holds_all() {
	[ "$(sqlite3 -readonly "$store" 'SELECT sum(n) FROM game')" = \
		"$(all | wc -l)" ]
}
still() {
	sqlite3 -readonly "$db" "SELECT (SELECT count(*) FROM tournament_wait) +
		(SELECT count(*) FROM standstill WHERE to_ms IS NULL)"
}
begin() {
	start_umpired "$dir" -o witnesses=club -o "listen=127.0.0.1:$port" ||
		exit 99
}
# putback FILE: the server is ended, and has that in its database's place.
putback() {
	stop_umpired
	rm -f "$db" "$db-wal" "$db-shm"
	cp "$1" "$db"
}
backup() {
	"$UMPIRED" -c "$dir/umpired.conf" --backup "$1" >/dev/null
}
same() {
	cmp -s "$work/before" <(all)
}

backup "$work/empty.db"
cup_new '{"rounds": 1, "event": "Autumn Cup", "witness": "club"}'

# ---- it holds the tournament ----

witness
wait_for 20 holds_cup 1
is "the witness holds a tournament that names it" $? 0
like "and says so" "$log" "met tournament ${id:0:12}: a tournament names this"
for who in anna bert; do
	exits 0 "$who enters" umpire_as $who tournament enter "$id" --yes
done
wait_for 20 holds_cup 3
is "and hears its lines" $? 0
backup "$work/entries.db"
is "entries end" "$(cup order "$id" dina shut)" "line 3"
for who in anna bert; do
	exits 0 "$who checks in" umpire_as $who tournament checkin autumn
done
gone
witness # which asks at once
wait_for 20 grep -q ' lots tournament' "$log"
is "it draws the lots" $? 0
like "round 1 is paired" <(cup order "$id" dina pair '{"round": 1}') line
for who in anna bert anna; do
	exits 0 "$who sits down" umpire_as $who tournament play autumn
done
begun() {
	[ "$(umpire_as anna show autumn-cup-r1 --json | filter .phase)" = play ]
}
wait_for 20 begun
is "and the game begins" $? 0
exits 0 "bert gives up" umpire_as bert resign autumn-cup-r1 --yes
wait_for 20 holds_all
is "it holds all lines" $? 0
gone
exits 0 "status counts it" umpire_as club witness status
like "beside the games" "$out" '^  and +1 tournament followed, 0 over$'

# ---- lines are lost, and nobody else holds them ----

all >"$work/before"
for who in anna bert dina; do
	mv "$(player_data $who)/games" "$work/away/$who" 2>/dev/null
done
putback "$work/entries.db"
begin
is "a backup was put back: it waits" "$(still) $(cups | wc -l) $(games | wc -l)" \
	"1 3 0"
witness
wait_for 20 same
is "the witness gives back tournament and game, as they were" $? 0
wait_for 20 grep -q 'healed [0-9a-f]' "$log"
like "the tournament first" <(grep -m 1 ' healed ' "$log") \
	"healed tournament ${id:0:12} line"
wait_for 20 test "$(still)" = 0
is "nobody waits" "$(still)" 0
gone
is "without a fault" $? 0

# ---- all is lost; it is killed on the way ----

killed=0
for point in commit heal healed; do
	putback "$work/empty.db"
	begin
	witness UMPIRE_TEST_DIE=$point
	wait_for 20 not_running "$witness"
	wait "$witness" 2>/dev/null
	[ $? = 137 ] && killed=$((killed + 1))
	witness
	wait_for 20 same || diag "after being killed at: $point"
	same
	is "the whole tournament comes back though it was killed: $point" $? 0
	gone
done
is "it was, each time" "$killed" 3
exits 0 "all that is kept fits the lines" "$UMPIRED" -c "$dir/umpired.conf" \
	--check

# ---- the whole machine was set back, and another line comes first ----

backup "$work/night.db"
cp "$db.heads" "$work/night.heads"
witness
wait_for 20 grep -q connected "$log"
like "somebody says something" <(cup order "$id" dina say '{}' one) \
	'^line [0-9]+$'
wait_for 20 holds_all
gone
putback "$work/night.db"
cp "$work/night.heads" "$db.heads"
begin
is "nothing tells the server" "$(still)" 0
like "something else is said" <(cup order "$id" dina say '{}' two) \
	'^line [0-9]+$'
witness
wait_for 20 grep -q ' stopped ' "$log"
is "the witness stops" $? 0
n=$(($(cups | wc -l) - 1))
like "and says loudly at which line" "$log" \
	"umpire: the server shows another line $n of tournament ${id:0:12}"
proof=$(sed -n 's/^ *\(\/.*evidence.*\)$/\1/p' "$log")
exits 0 "there is proof, which anybody can check" "$UMPIRE" verify "$proof"
like "who reads what it proves" "$out" "two different lines $n"
gone
is "that has a status of its own" $? 76
exits 0 "status tells of it" umpire_as club witness status
like "as a tournament" "$out" "stopped +tournament ${id:0:12}, $((n + 1)) lines"
exits 0 "a person decides" umpire_as club witness follow "${id:0:8}" --yes
witness
wait_for 20 grep -q connected "$log"
wait_for 20 holds_all
is "then it holds the other history" $? 0
gone
is "and all is well" $? 0

# ---- a store of before ----

sqlite3 "$store" "DELETE FROM line WHERE gid IN (SELECT gid FROM game
	WHERE is_cup = 1); DELETE FROM game WHERE is_cup = 1; DROP INDEX game_state;
	ALTER TABLE game DROP COLUMN is_cup;
	CREATE INDEX game_state ON game (state, gid); PRAGMA user_version=1"
witness
wait_for 20 holds_all
is "a store that had games alone takes tournaments" $? 0
gone
for who in anna bert dina; do
	rm -rf "$(player_data $who)/games"
	mv "$work/away/$who" "$(player_data $who)/games" 2>/dev/null
done

# ---- another witness, and the first one again ----

enrol carl || exit 99
ln -s "$(player_data carl)" "$work/keys/carl"
for who in carl club; do
	like "a ruling names $who" <(cup order "$id" dina ruling \
		"{\"witness\": \"$who\"}" why) '^line [0-9]+$'
	like "who was the witness may speak" <(cup order "$id" club say '{}' oh) \
		'^line [0-9]+$'
done
cup export "$id" cup
exits 0 "the record is good" "$UMPIRE" verify "$work/records/cup"
exits 0 "the second reading says the same" python3 \
	"$top_srcdir/tests/oracle/tournament_verify.py" "$work/records/cup"
# ---- a newer umpired's line, and a file that cannot be read ----

stop_umpired
checked() {
	run "$UMPIRED" -c "$dir/umpired.conf" --check
}
last=$(cups | tail -n 1)
n=$(cups | wc -l)
printf '%s' "$last" | sha256sum | cut -d ' ' -f 1 >"$work/prev"
jq -c --argjson n "$n" --arg prev "$(cat "$work/prev")" '{v, tournament,
	seq: $n, prev: $prev, at, kind: "server", what: "later", data: {},
	events: [], mark}' <<<"$last" | "$tools/perjurer" mark "$dir" |
	tr -d '\n' >"$work/later"
sqlite3 "$db" "INSERT INTO tournament_record (tournament, seq, line, hash)
	SELECT tid, $n, CAST(readfile('$work/later') AS BLOB),
	x'$(sha256sum <"$work/later" | cut -d ' ' -f 1)' FROM tournament"
checked
is "--check takes it for what it is" "$status" 0
like "and says so" "$out" 'not checked against their rules: 1$'
sqlite3 "$db" 'ALTER TABLE line_blob RENAME TO other'
checked
is "what SQLite cannot read is no fault of a game" \
	"$(grep -c '^game' "$out") $((status != 0))" "0 1"
finish
