#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# More tournaments than umpire-web keeps processes for: each has its turn when
# it has another line, also after all of these processes have died.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/cup_lib.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
with_clocks

wall=$fixed_now
hook now_ms "$wall"
start_umpired "$work/umpired" -o tournament_create=dina || exit 99
enrol dina || exit 99
cup_keys dina

# checked ID LINE: its page says that it was, up to that line.
checked() {
	get "/t/${1:0:12}/"
	grep -q "up to line $2:" "$body"
}

# processes: how many there are for tournaments.
processes() {
	pgrep -c -P "$checker"
}

cups=()
for event in {1..10}; do
	cup_new "{\"rounds\": 1, \"event\": \"Box $event\"}"
	cups+=("$id")
done
start_web "$work/web" || exit 99
checker=$(pgrep -P "$web_pid" umpire-web-chk)
for id in "${cups[@]}"; do
	holds "${id:0:12} is checked" wait_for 60 checked "$id" 0
done
is "for each of the last eight there is a process" "$(processes)" 8
pkill -KILL -P "$checker"
for id in "${cups[@]}"; do
	like "${id:0:12} gets a line" <(cup order "$id" dina shut) line
done
for id in "${cups[@]}"; do
	holds "which is checked" wait_for 60 checked "$id" 1
done
is "by eight processes again" "$(processes)" 8
get "/t/${cups[0]:0:12}/"
unlike "that they died is no fault of a tournament" "$body" 'does not hold'
holds "it ends well" stop_web
holds "and nobody of them is left" wait_for 5 not_running "$checker"

finish
