#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# After a start the first order to a tournament of many has it made of all its
# lines: other games do not wait for that, nor does what it was asked to do get
# lost, or done twice.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks

dir=$work/umpired
loose=(-o max_per_address=100000 -o register_burst=100000 -o request_rate=0
	-o address_rate=0)
start_umpired "$dir" "${loose[@]}" || exit 99
enrol anna bert || exit 99
write_example "$work"
umpire_as anna new --roster "$work/roster.json" --name duel --invite bert \
	--clock none >/dev/null 2>&1
game=$(umpire_as anna show duel --json | filter .game)
umpire_as bert join "$game" --name duel --yes >/dev/null 2>&1
umpire_as anna ready duel >/dev/null 2>&1

exits 0 "many enter, and check in" "$tools/cup" 127.0.0.1 "$port" 256 2 7 2
cup=$(filter .tournament <"$out")
lines() {
	sqlite3 -readonly "$dir/umpired.db" 'SELECT count(*) FROM tournament_record'
}
n=$(lines)
holds "there are many lines" test "$n" -gt 500

# director NAME: says something there, and waits; its words are in that file.
mkfifo "$work/one" "$work/two"
director() {
	"$tools/cup" 127.0.0.1 "$port" pair 7 "$cup" 2 <"$work/$1" \
		>"$work/$1.out" 2>"$work/$1.err" &
	daemons="$daemons $!"
}
# again: the daemon is killed, and starts.
again() {
	kill -KILL "$daemon"
	wait "$daemon" 2>/dev/null
	start_umpired "$dir" "${loose[@]}" || exit 99
	init_player anna || exit 99
}
again
hook hold_making 1
director one
director two
exec {one}>"$work/one" {two}>"$work/two"
for word in one two three; do
	exits 0 "while it is being read another game goes on: $word" \
		player anna timeout 30 "$UMPIRE" say duel "$word" --yes
done
is "and its own orders wait" "$(cat "$work"/*.err; lines)" "$n"
hook hold_making 0
for who in one two; do
	wait_for 20 grep -q ready "$work/$who.err"
	is "then they are carried out: $who" $? 0
done
is "each once" "$(lines)" $((n + 2))
echo >&"$one"
wait_for 20 test -s "$work/one.out"
holds "the round is paired" test "$(lines)" -gt $((n + 2))

# ---- it ends while it reads ----

exec {one}>&- {two}>&-
again
hook hold_making 1
director one
exec {one}>"$work/one"
exits 0 "another game goes on" player anna timeout 30 \
	"$UMPIRE" say duel four --yes
stop_umpired
is "the daemon ends meanwhile" $? 0
hook hold_making 0
exec {one}>&-
exits 0 "all that is kept fits the lines" "$UMPIRED" \
	-c "$dir/umpired.conf" --check
finish
