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
	local verdict what
	while read -r verdict what; do
		case $verdict in
		pass) pass "$what" ;;
		*) fail "${what%%: *}" "$verdict $what" ;;
		esac
	done < <(PORT=$port TOOLS=$tools PLAYERS=$work/${PLAYERS_OF:-keys} \
		HOOKS=$work/hooks OUT=$work/records \
		python3 "$top_srcdir/tests/e2e/tournament.py" "$@" \
		2>"${CUP_ERR:-/dev/stdout}")
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
stop_umpired || fail "umpired ends well"

# ---- killed around the last order of a game ----

dir=$work/killed
start_umpired "$dir" || exit 99
mkfifo "$work/begin.in" "$work/begin.out"

# die NAPS: the last order of a game is sent, and so much later the daemon is
# killed; then it comes back.
die() {
	local state go from n
	PORT=$port TOOLS=$tools PLAYERS=$work/killed-keys HOOKS=$work/hooks \
		OUT=$work/records python3 \
		"$top_srcdir/tests/e2e/tournament.py" begin \
		<"$work/begin.in" >"$work/begin.out" &
	exec {go}>"$work/begin.in" {from}<"$work/begin.out"
	read -r state <&"$from"
	echo >&"$go"
	[ "$1" = 0 ] || read -r _ <&"$from" # it was sent
	for ((n = 1; n < $1; n++)); do nap; done
	kill -KILL "$daemon"
	wait "$daemon" 2>/dev/null
	exec {go}>&- {from}<&-
	wait %?python3 2>/dev/null
	start_umpired "$dir" || exit 99
	PLAYERS_OF=killed-keys cup end "$state"
}

for naps in 0 1 3; do
	die "$naps"
done
for cup in "$work/records"/killed-*; do
	exits 0 "it is good" "$UMPIRE" verify "$cup"
done
stop_umpired || fail "umpired ends well again"
finish
