#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A witness that is killed, alone or with the server, at each step of a roll that
# waits for it, and a server that is killed under it: every roll is finished, by
# the bytes that the witness had given, if it had given any, and there is never a
# second word about one line.  And how often a roll waits for a disk.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks
UMPIRE=$umpire_test
[ -x "$UMPIRE" ] || skip_all "umpire-test is not built"

dir=$work/umpired
start_umpired "$dir" -o witnesses=club || exit 99
write_example "$work"
enrol anna bert club || exit 99
store=$work/players/club/data/umpire/default/witness.db
umpire_as anna new --roster "$work/roster.json" --name evening --witness club \
	--clock none >/dev/null 2>&1
game=$(umpire_as anna show evening --json | filter .game)

# witness [NAME=VALUE...]: runs in the background as club.
witness() {
	local home=$work/players/club
	env "$@" HOME="$home" XDG_CONFIG_HOME="$home/config" \
		XDG_DATA_HOME="$home/data" "$UMPIRE" witness \
		>>"$work/club.log" 2>&1 </dev/null &
	witness=$!
	daemons="$daemons $witness"
}
# gone [SIGNAL]: it ends by that.
gone() {
	kill "-${1:-KILL}" "$witness" 2>/dev/null
	wait "$witness" 2>/dev/null
}
# newest: the number of the last line that is on the server's disk.
newest() {
	sqlite3 -readonly "$dir/umpired.db" 'SELECT max(seq) FROM record'
}
at_line() {
	[ "$(newest)" -ge "$1" ]
}
again() {
	kill -KILL "$daemon" 2>/dev/null
	wait "$daemon" 2>/dev/null
	start_umpired "$dir" -o witnesses=club -o "listen=127.0.0.1:$port" ||
		exit 99
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
# said: the order that the witness keeps about the line; nothing if none.
said() {
	sqlite3 -readonly "$store" \
		"SELECT text FROM word WHERE what = 'answer' AND about = $line"
}
# stands: the order by which the line stands.
stands() {
	sqlite3 -readonly "$dir/umpired.db" \
		"SELECT line FROM record WHERE seq = $((line + 1))" |
		filter .order
}
# words: how many different orders about it the daemon was about to record.
words() {
	jq -r "select(.seat == 254) | .order" "$lines" |
		jq -c "select(.kind == \"answer\" and .args.to == $line)" |
		sort -u | wc -l
}
# writes: it has the word in its hands, and waits for the disk.
writes() {
	[ "$(words)" = 1 ] && [ "$(hook held)" -ge 1 ]
}
# finished WHAT: the roll is, and what that must be.
finished() {
	wait_for 20 at_line $((line + 1))
	is "$1: the roll is finished, by one word" "$? $(words)" '0 1'
}

witness
wait_for 20 at_line 1
umpire_as bert join --yes "$game" --name fight >/dev/null
umpire_as anna ready evening >/dev/null
wait_for 20 at_line 5
is "the game has begun" $? 0
gone TERM

# ---- the witness dies, alone and with the server ----

for where in commit committed send sent; do
	for whom in alone together; do
		roll
		witness UMPIRE_TEST_DIE=$where
		wait_for 20 not_running "$witness"
		is "$where, $whom: it dies" $? 0
		wait "$witness" 2>/dev/null
		[ $whom = alone ] || again
		before=$(said)
		[ "$where" = commit ] ||
			is "$where, $whom: its bytes are on its disk" \
				"${before:+there}" there
		witness
		finished "$where, $whom"
		[ -z "$before" ] ||
			is "$where, $whom: by the bytes that it had given" \
				"$(stands)" "$before"
		gone TERM
	done
done

# ---- the server dies under it, or cannot write ----

witness
roll
finished "without trouble"
gone TERM
for whom in alone together; do
	roll
	: >"$lines"
	hook hold_sync 1
	witness
	wait_for 20 writes
	is "the server writes the witness's word, $whom" $? 0
	before=$(said)
	[ $whom = alone ] || gone
	# Once it is dead: who waits counts that down when he may go on.
	kill -KILL "$daemon"
	wait "$daemon" 2>/dev/null
	hook hold_sync 0 held 0
	again
	[ $whom = alone ] || witness
	finished "the server dies then, $whom"
	is "by the bytes that it had given, $whom" "$(stands)" "$before"
	gone TERM
done
roll
hook fail_commits 2
witness
finished "the server's disk fails twice"
is "the same bytes were sent each time" "$(stands)" "$(said)"

# ---- how many wait for a disk ----

wait_for 20 hooked fail_commits 0
rolls=10
gone TERM
witness UMPIRE_TEST_SYNCS="$work/syncs"
roll
finished "a log that is new is begun" # which takes a sync of its own
: >"$work/syncs"
server=$(hook syncs)
begun=$SECONDS
for ((i = 0; i < rolls; i++)); do
	line=$(($(newest) + 1))
	umpire_as anna roll evening 2d6 >/dev/null 2>&1
	wait_for 20 at_line $((line + 1))
done
is "a roll waits for the server's disk twice" \
	$(($(hook syncs) - server)) $((2 * rolls))
# Lines alone are committed when a second has passed.
syncs=$(stat -c %s "$work/syncs")
most=$((rolls + SECONDS - begun + 1))
holds "and for the witness's once ($syncs of $most)" \
	test "$syncs" -ge $rolls -a "$syncs" -le $most
gone TERM
umpire_as bert export fight >"$work/record"
exits 0 "the record is good" "$UMPIRE" verify "$work/record"

finish
