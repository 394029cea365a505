#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Random combats, lawful and not, held against a second reading of the rules.
. "${top_srcdir:?}/tests/lib.sh"
need python3

count=600
[ -z "${UMPIRE_SLOW:-}" ] || count=150

for seed in 1 2; do
	exits 0 "$count combats of seed $seed agree with the second reading" \
		python3 "$top_srcdir/tests/oracle/random_combats.py" \
		--umpire "$UMPIRE" --count "$count" --seed "$seed" --places
	like "seed $seed: all of them were compared" "$out" \
		"^$count agree, 0 disagree"
done

finish
