#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A tournament of many whose tables are all played, by a program that plays for
# all of them; what is exported is verified, and shown, as umpire-web does, too.  With UMPIRE_LONG set
# they are 1,000, over eleven rounds.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"

many=$(some 40 12 1000) rounds=$(some 4 3 11)
start_umpired "$work/umpired" -o max_per_address=100000 \
	-o register_burst=100000 -o request_rate=0 -o address_rate=0 || exit 99
enrol anna || exit 99

exits 0 "$many play $rounds rounds" "$tools/cup" 127.0.0.1 "$port" "$many" \
	"$rounds" "$((RANDOM % 1000))" games
cup=$(jq -r .tournament "$out")
games=$((many / 2 * rounds))
orders=$(jq .game_orders "$out")
diag "$games games of $orders orders; seconds of each round's: \
$(jq -c '[.results_ms[] / 1000 | floor]' "$out"), of its pairing: \
$(jq -c '[.pair_ms[] / 1000 | floor]' "$out"); the daemon has \
$(sed -n 's/^VmHWM:\t *//p' "/proc/$daemon/status")"
if [ "$orders" -ge $((games * 7)) ]; then
	pass "each game has its orders"
else
	fail "each game has its orders" "$orders of $games games"
fi
exits 0 "the standings are final" umpire_as anna --json tournament standings "$cup"
is "of all of them" "$(jq '.standings | length' "$out")" "$many"
is "and nobody has more points than there are rounds" \
	"$(jq "[.standings[].points] | max <= $rounds" "$out")" true
exits 0 "it is exported" umpire_as anna tournament export "$cup" "$work/crowd"
is "with every game" \
	"$(find "$work/crowd" -name '*.jsonl' | wc -l)" "$((games + 1))"
exits 0 "and good" "$UMPIRE" verify "$work/crowd"
like "over, with no forfeit and nothing to rule" "$out" \
	" drawn, 0 by forfeit, 0 forfeited by both, 0 to be ruled"

start_web "$work/web" || exit 99
# checked: a page says that all of it was.
checked() {
	get "/t/${cup:0:12}/"
	grep -q "held against the records of all games ($games)" "$body"
}
holds "spectators see it checked with every game" \
	wait_for "$(some 60 60 3000)" checked
unlike "with nothing to be warned of" "$body" 'class="warning"'
longest=$(metric slowest_turn_us)
diag "the longest turn of the loop took $longest us"
holds "nobody else has waited for a turn of 20 ms" \
	test "$longest" -lt "$(some 20000 200000 20000)"
stop_web || fail "umpire-web ends well"

stop_umpired || fail "umpired ends well"
finish
