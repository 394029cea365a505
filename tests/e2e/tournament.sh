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
