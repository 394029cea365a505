#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A witness and a server that was set back: it gives back what the server has
# lost, byte for byte, tells what it holds, so that nobody waits for it, and
# answers the roll that was owed once.  Where another history has taken the
# place of what it holds it answers nothing, and has the proof; nor does it
# answer a line that is dated ahead of its clock.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks
UMPIRE=$umpire_test
[ -x "$UMPIRE" ] || skip_all "umpire-test is not built"

dir=$work/umpired
db=$dir/umpired.db
log=$work/club.log
start_umpired "$dir" -o witnesses=club || exit 99
write_example "$work"
enrol anna bert club || exit 99
store=$(player_data club)/witness.db
umpire_as anna new --roster "$work/roster.json" --name evening --witness club \
	--clock none >/dev/null 2>&1
game=$(umpire_as anna show evening --json | filter .game)

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
newest() {
	sqlite3 -readonly "$db" 'SELECT max(seq) FROM record'
}
at_line() {
	[ "$(newest)" -ge "$1" ]
}
# lines [N]: what the server has, or its first N + 1 lines.
lines() {
	sqlite3 -readonly "$db" "SELECT CAST(line AS TEXT) FROM record
		WHERE seq <= ${1:-1000000} ORDER BY seq"
}
still() {
	sqlite3 -readonly "$db" \
		"SELECT count(*) FROM standstill WHERE to_ms IS NULL"
}
is_still() {
	[ "$(still)" = "$1" ]
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
# settled: anna knows that her order is recorded.
settled() {
	at_line "$line" && [ ! -e "$(player_data anna)/games/$game.pending" ]
}
# roll: anna orders one, and is killed once she knows; its line is $line.
roll() {
	local home=$work/players/anna
	line=$(($(newest) + 1))
	env HOME="$home" XDG_CONFIG_HOME="$home/config" \
		XDG_DATA_HOME="$home/data" "$UMPIRE" roll evening 2d6 \
		>/dev/null 2>&1 </dev/null &
	roller=$!
	wait_for 20 settled
	kill -KILL "$roller" 2>/dev/null
	wait "$roller" 2>/dev/null
}
# watched LINE: true once the witness holds it.
watched() {
	[ "$(sqlite3 -readonly "$store" 'SELECT max(seq) FROM line')" -ge "$1" ]
}
# said LINE: the order about it that the witness keeps.
said() {
	sqlite3 -readonly "$store" "SELECT text FROM word
		WHERE what = 'answer' AND about = $1 AND aside = 0"
}
# words LINE: how many different orders about it the daemon was about to record.
words() {
	jq -r "select(.seat == 254) | .order" "$lines" |
		jq -c "select(.kind == \"answer\" and .args.to == $1)" |
		sort -u | wc -l
}

witness
wait_for 20 at_line 1
umpire_as bert join --yes "$game" --name fight >/dev/null
umpire_as anna ready evening >/dev/null
wait_for 20 at_line 5
is "the game has begun" $? 0
exits 0 "a roll" umpire_as anna roll evening 2d6
backup "$work/old.db"
exits 0 "another one" umpire_as anna roll evening d10
gone

# ---- lines are lost, one of which owes it dice ----

roll
witness UMPIRE_TEST_DIE=committed
wait_for 20 not_running "$witness"
wait "$witness" 2>/dev/null
word=$(said "$line")
holds "it holds the roll, and its word about it" test -n "$word"
lines >"$work/before"
putback "$work/old.db"
begin
is "a backup was put back: the game waits" "$(still) $(newest)" "1 7"
witness
wait_for 20 at_line $((line + 1))
is "the witness gives back what it holds, and answers" $? 0
holds "each line is what it was" cmp "$work/before" <(lines "$line")
is "by the word that it had, and no other" \
	"$(words "$line") $(lines | tail -n 1 | filter .order)" "1 $word"
like "it says so" "$log" 'behind.* the server has lost lines from 8 on'
like "twice" "$log" 'healed.* the server has its lines back'
is "nobody waits" "$(still)" 0
exits 0 "the game goes on" umpire_as anna roll evening d6

# ---- and words, which the witness does not keep ----

enrol carl
backup "$work/word.db"
exits 0 "bert says something" umpire_as bert say fight "held by bert"
exits 0 "and to his side" umpire_as bert say fight --to side "only his"
wait_for 20 watched "$(newest)"
gone
lines >"$work/before"
putback "$work/word.db"
begin
witness
wait_for 20 grep -q healed "$log"
holds "the lines are back by the witness" cmp "$work/before" <(lines)
exits 0 "what was said is not" umpire_as anna log evening
like "which is told as what it is" "$out" 'bert: \(lost by the server\)'
exits 0 "to others, too" umpire_as carl log "$game" --trust
like "in the same words" "$out" '\(lost by the server\)'
like "but nobody can say that of what was not for them" "$out" \
	'bert, to their own side: \(not held here\)'
exits 0 "bert comes" umpire_as bert log fight
like "and reads it as before" "$out" 'bert: held by bert'
like "his copy has given both back" <(tr -s ' \n' ' ' <"$err") \
	"had lost 2 texts of 'fight'\. Your copy has given them back"
exits 0 "then anna reads it" umpire_as anna log evening
like "as it was" "$out" 'bert: held by bert'
like "but what is not for her" "$out" 'own side: \(not held here\)'
exits 0 "so do others" umpire_as carl log "$game"
like "that, too" "$out" 'bert: held by bert'
exits 0 "nothing is given twice" umpire_as bert show fight
unlike "or told" "$err" lost
gone
is "without a fault" $? 0

# ---- it is not known what was lost ----

lines >"$work/before"
putback "$work/old.db"
rm "$db.heads"
begin
mkdir "$work/away"
for who in anna bert; do
	mv "$(player_data $who)/games" "$work/away/$who"
done
is "without the file of last lines the game waits" "$(still)" 1
witness
wait_for 20 grep -q 'healed' "$log"
holds "what was lost comes from the witness alone" cmp "$work/before" <(lines)
for who in anna bert; do
	mv "$work/away/$who" "$(player_data $who)/games"
	is "then it waits for $who" "$(still)" 1
	umpire_as $who todo >/dev/null 2>&1
done
is "but not for the witness, which has told its last line" "$(still)" 0
n=$(wc -l <"$work/before")
holds "all that was is there" cmp "$work/before" <(lines $((n - 1)))
is "and the record says that lines may be lost" "$(lines | tail -n 1 |
	filter .what)" restored
for who in anna bert; do
	umpire_as $who accept "$([ $who = anna ] && echo evening || echo fight)" \
		"$n" --yes >/dev/null 2>&1
done
umpire_as anna ready evening >/dev/null 2>&1
umpire_as bert ready fight >/dev/null 2>&1
exits 0 "the game goes on" umpire_as anna roll evening 2d6
like "with the witness" "$out" 'the witness agrees to line'

# ---- a line is dated ahead of its clock ----

gone
roll
now=$(jq -n 'now * 1000 | floor')
witness UMPIRE_TEST_NOW=$((now - 200000))
wait_for 20 grep -q connected "$log"
wait_for 20 sh -c "sqlite3 -readonly '$store' 'SELECT n FROM game' |
	grep -qx $((line + 1))"
is "it has the line" $? 0
gone
is "but gives no word about what its clock has not reached" \
	"$(said "$line")$(newest)" "$line"
witness UMPIRE_TEST_NOW=$((now - 60000))
wait_for 20 at_line $((line + 1))
is "a minute is not too much" $? 0
gone

# ---- the whole machine was set back, and another line came first ----

backup "$work/night.db"
cp "$db.heads" "$work/night.heads"
cp -r "$(player_data anna)/games" "$work/night.anna"
witness
first=$(($(newest) + 1))
exits 0 "a roll is made" umpire_as anna roll evening d20
wait_for 20 at_line $((first + 1))
gone
putback "$work/night.db"
cp "$work/night.heads" "$db.heads"
rm -r "$(player_data anna)/games"
cp -r "$work/night.anna" "$(player_data anna)/games"
begin
is "nothing tells the server" "$(still)" 0
roll
is "another one takes its place" "$line" "$first"
witness
wait_for 20 grep -q ' stopped ' "$log"
is "the witness stops" $? 0
like "and says loudly at which line" "$log" \
	"umpire: the server shows another line $line of game ${game:0:12}"
like "who may decide" "$log" "umpire witness follow ${game:0:12}"
like "and where the proof is" "$log" 'The server signed both'
proof=$(sed -n 's/^ *\(\/.*\.evidence\)$/\1/p' "$log")
exits 0 "which anybody can check" "$UMPIRE" verify "$proof"
like "who reads what it proves" "$out" "two different lines $line"
gone
is "that has a status of its own" $? 76
witness
wait_for 20 grep -q connected "$log"
exits 0 "until then" umpire_as bert say fight "hello" --yes
gone
is "it gives no word" "$(said "$line" | wc -l) $(words "$line")" "1 1"
exits 0 "a person decides" umpire_as club witness follow "$game" --yes
witness
wait_for 20 at_line $((line + 2))
is "then it answers in the other history" $? 0
gone
umpire_as bert export fight >"$work/record"
exits 0 "the record is good" "$UMPIRE" verify "$work/record"

finish
