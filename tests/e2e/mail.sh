#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Whole games by turns between two players who are never online together: for
# each system from the muster to the close, with a free roll, adjustments, a
# takeback and an agreed victory; the record verifies and is finished, for
# umpire and for the second reading in Python.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3

start_umpired "$work/umpired" || exit 99
cd "$top_srcdir" || exit 99

# How long a game is; takebacks come in the third turn at the earliest.
turns=3
combats=$(some 4 4 7)
[ -z "${UMPIRE_LONG:-}" ] || turns=4

# match SYSTEM [OPTION...]: a game of that system; leaves its record.
match() {
	local system=$1 one=one-$1 two=two-$1 name
	shift
	for name in "$one" "$two"; do
		init_player "$name" || exit 99
		umpire_as "$name" --trust register "$name" >"$out" 2>&1 || {
			diag "$(cat "$out")"
			exit 99
		}
	done
	exits 0 "$system: a whole game by turns" \
		python3 tests/e2e/mail.py --umpire "$UMPIRE" \
		--players "$work/players" --game "tests/rules/$system/played.game" \
		"${@/#/--new=}" --turns "$turns" --combats "$combats" \
		"$one" "$two"
	diag "$system: $(cat "$out")"
	is "$system: enough was played" "$(jq --argjson turns "$turns" \
		--argjson combats "$combats" '.turns >= $turns and
		.combats >= $combats and .free == 2 and .adjusted == 2 and .offers == 3 and
		.result.how == "agreed" and .result.winner != null' "$out")" \
		true
	exits 0 "$system: the record is exported" \
		umpire_as "$one" export g -o "$work/$system.jsonl"
	exits 0 "$system: the record verifies" \
		"$UMPIRE" verify "$work/$system.jsonl"
	is "$system: a combat was taken back" "$(jq -c 'select(.kind == "order") |
		(.order | fromjson) | select(.kind == "accept" and .own) | 1' \
		"$work/$system.jsonl")" 1
	like "$system: and is finished" "$out" ' finished'
	exits 0 "$system: the other player's, too" \
		umpire_as "$two" export g -o "$work/$system-two.jsonl"
	holds "$system: both hold the same record" \
		cmp "$work/$system.jsonl" "$work/$system-two.jsonl"
	exits 0 "$system: the second reading says so" \
		python3 tests/oracle/verify.py "$work/$system.jsonl"
}

# One of the five, another one from run to run; with UMPIRE_LONG all.
games=(
	"lasalle2 --confirm --clock 3d/order,then=default"
	"imagi-nations --clock 10d+1d/side,skip=sat+sun --secret sealed"
	"invasion-1812 --scheme live-1"
	"leniston-2009 --private"
	"tlnb --delay 1t"
)
first=$((RANDOM % ${#games[@]}))
for ((i = 0; i < $(some 1 1 ${#games[@]}); i++)); do
	# shellcheck disable=SC2086
	match ${games[(first + i) % ${#games[@]}]}
done
finish
