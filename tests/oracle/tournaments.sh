#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Records of tournaments: the vectors and the sample come out as the manual has
# them, whole tournaments at random are found good, and forged ones bad at the
# line that was forged.  The verifier is the second reading, in Python.
. "${top_srcdir:?}/tests/lib.sh"
need python3

oracle=$top_srcdir/tests/oracle

exits 0 "vectors, examples of the manual and the sample come out" \
	python3 "$oracle/tournament_vectors.py" --umpire "$UMPIRE"

# Other ones from run to run; with UMPIRE_LONG set 200 forged ones of a kind.
seed=$((RANDOM % 1000))
many=3 forged=1
[ -z "${UMPIRE_LONG:-}" ] || many=60 forged=200
diag "seed $seed"
exits 0 "tournaments at random are good" \
	python3 "$oracle/tournament_random.py" --count "$many" --seed "$seed"
like "all of them as expected" "$out" ": 0 not as expected"
exits 0 "forged tournaments are bad at the line that was forged" \
	python3 "$oracle/tournament_forge.py" --count "$forged" --seed "$seed"
like "all of these as expected" "$out" "^[1-9][0-9]+ agree, 0 disagree"

finish
