#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Exact odds of random Lasalle combats, held against a second reading of the
# rules that walks the dice itself, in fractions.
. "${top_srcdir:?}/tests/lib.sh"
need jq python3

count=4
[ -z "${UMPIRE_LONG:-}" ] || count=100
[ -z "${UMPIRE_SLOW:-}" ] || count=5
for seed in 1 2; do
	exits 0 "$count combats of seed $seed have the same odds" \
		python3 "$top_srcdir/tests/oracle/odds.py" \
		--umpire "$UMPIRE" --count "$count" --seed "$seed"
	like "seed $seed: all of them were compared" "$out" \
		"^$count agree, 0 disagree"
done

# Other odds are found out: those of another policy.
# shellcheck disable=SC2016
printf '#!/bin/sh\njq -c "%s" | "%s" "$@"\n' \
	'.policy.stagger = \"none\" | .policy.attacker.stagger = \"none\"' \
	"$UMPIRE" >"$work/other"
chmod +x "$work/other"
exits 1 "other odds are seen" python3 "$top_srcdir/tests/oracle/odds.py" \
	--umpire "$work/other" --count 5 --seed 1
like "as figures that differ" "$out" \
	"^differs: \\('[a-z]+', .* is [0-9.e-]+, not "

finish
