#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Tournaments through the daemon: a knockout of four and a Swiss of five, wrong
# things first; what the daemon has of them is good for umpire verify.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_hooks

dir=$work/umpired
start_umpired "$dir" -o tournament_create="dina vera kurt" || exit 99
mkdir "$work/records"

# cup CASE [STATE]: what tournament.py finds, each a case.
cup() {
	PORT=$port TOOLS=$tools PLAYERS=$work/${PLAYERS_OF:-keys} \
		HOOKS=$work/hooks OUT=$work/records \
		told python3 "$top_srcdir/tests/e2e/tournament.py" "$@" \
		2>"${CUP_ERR:-/dev/stderr}"
}

cup knockout
cup swiss
exits 0 "the knockout is good" "$UMPIRE" verify "$work/records/knockout"
like "with all of its games" "$out" "games +3 verified"
exits 0 "the Swiss is good" "$UMPIRE" verify "$work/records/swiss"

# ---- umpired --check ----

db=$dir/umpired.db
exits 0 "the database agrees" "$UMPIRED" --check -c "$dir/umpired.conf"
like "with its tournaments" "$out" "tournaments: 2, lines: .* wrong: 0"
exits 0 "a backup is made" "$UMPIRED" --backup "$work/copy.db" \
	-c "$dir/umpired.conf"
is "and has them" "$(sqlite3 "$work/copy.db" \
	'SELECT count(*) FROM tournament')" 2

# wrong WHAT SQL: a case; after that --check says what is wrong.
wrong() {
	rm -rf "$work/bad"
	cp -r "$dir" "$work/bad"
	rm -f "$work/bad"/umpired.db*
	sqlite3 "$db" ".backup $work/bad/umpired.db"
	sqlite3 "$work/bad/umpired.db" "$2"
	run "$UMPIRED" --check -c "$work/bad/umpired.conf"
	is "$1: is wrong" "$((status != 0))" 1
	like "$1: named" "$out" "^tournament [0-9a-f]{64}: .*$3"
}
wrong "a round in the list" 'UPDATE tournament SET round = 7 WHERE tid = 1' \
	"the list of tournaments"
wrong "an entrant's number" \
	'UPDATE tournament_account SET number = 9 WHERE number = 2' \
	"is not entrant 9"
wrong "an entrant who is gone" \
	'DELETE FROM tournament_account WHERE number = 2' "is not kept"
wrong "a game that is gone" 'DELETE FROM tournament_game WHERE game =
	(SELECT min(game) FROM tournament_game)' "games are kept of"
wrong "a line's hash" "UPDATE tournament_record SET hash = zeroblob(32)
	WHERE seq = 3" "line 3: the hash that is kept"
wrong "a result that is missing" "DELETE FROM tournament_record WHERE
	tournament = 1 AND seq >= (SELECT min(seq) FROM tournament_record
	WHERE tournament = 1 AND instr(line, '\"what\":\"result\"') > 0);
	DELETE FROM tournament_game WHERE game > (SELECT min(game)
	FROM tournament_game);
	UPDATE tournament SET seq = (SELECT max(seq) FROM tournament_record
	WHERE tournament = 1), phase = 'play', round = 1, at_ms = (SELECT
	1000 * strftime('%s', json_extract(CAST(line AS TEXT), '\$.at'))
	FROM tournament_record WHERE tournament = 1 ORDER BY seq DESC LIMIT 1)
	WHERE tid = 1" "is over, which no line tells"
stop_umpired || fail "umpired ends well"

# ---- a round is paired beside everything else ----

dir=$work/apart
start_umpired "$dir" || exit 99
PLAYERS_OF=apart-keys CUP_ERR=$work/state cup apart
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
hook hold_pairing 0
start_umpired "$dir" || exit 99
PLAYERS_OF=apart-keys cup again "$(cat "$work/state")"
PLAYERS_OF=apart-keys cup few
PLAYERS_OF=apart-keys cup hang
stop_umpired || fail "umpired ends well, whatever is being paired"
hook hold_pairing 0

# ---- killed around the last order of a game ----

# At each write, fsync, truncation, removal and renaming that it costs: before
# the call, after it, and in the middle of what is written.
still=$work/still
start_umpired "$still" || exit 99
PLAYERS_OF=killed-keys CUP_ERR=$work/state cup begin
stop_umpired || fail "umpired ends well"
state=$(<"$work/state")
dir=$work/killed

# die END N: it dies at the Nth call, in that way; false if there is none.
die() {
	local n
	rm -rf "$dir"
	cp -r "$still" "$dir"
	hook sys_n 0 sys_do 0 sys_mask 94
	start_umpired "$dir" || exit 99
	hook sys_count 0 sys_do "$1" sys_n "$2"
	PLAYERS_OF=killed-keys CUP_ERR=$work/answer cup last "$state"
	n=$(hook sys_n)
	if [ "$n" != 0 ]; then
		calls=$(hook sys_count)
		kill -KILL "$daemon"
	fi
	wait "$daemon" 2>/dev/null
	hook sys_n 0 sys_do 0 sys_mask 0
	start_umpired "$dir" || exit 99
	PLAYERS_OF=killed-keys cup end "$state" "$(<"$work/answer")"
	kill -KILL "$daemon"
	wait "$daemon" 2>/dev/null
	[ "$n" = 0 ]
}

# Far more than there are: how many there are.
calls=0
! die 1 1000 || fail "an order costs fewer calls"
diag "the last order costs $calls calls"
holds "and some" test "$calls" -gt 5
ends=(1 2 7)
step=$((calls / 4))
[ -z "${UMPIRE_LONG:-}" ] || step=1
for ((n = 1; n <= calls; n += step)); do
	for end in "${ends[@]}"; do
		# In part: each call in one of the ways.
		[ -n "${UMPIRE_LONG:-}" ] || [ "$end" = "${ends[n / step % 3]}" ] ||
			continue
		die "$end" "$n" || diag "call $n was not reached"
	done
done
start_umpired "$dir" || exit 99
PLAYERS_OF=killed-keys cup end "$state" export
exits 0 "it is good" "$UMPIRE" verify "$work/records/killed"
stop_umpired || fail "umpired ends well again"
finish
