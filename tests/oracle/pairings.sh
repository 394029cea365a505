#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# A second reading of pairings and tie-breaks: it pairs as other programs did,
# and umpire pairs and ranks random tournaments as it does.
. "${top_srcdir:?}/tests/lib.sh"
need python3
python3 -c 'import site; site.main(); import networkx' 2>/dev/null ||
	skip_all "python3-networkx is missing"

oracle=$top_srcdir/tests/oracle cases=$top_srcdir/tests/pairing
count=60 seed=1
if [ -n "${UMPIRE_LONG:-}" ]; then
	count=3000 seed=$RANDOM
	files=("$cases"/random/*.trf "$cases"/gacrux/*.trf
		"$cases"/prohibited/*.trf)
else
	files=("$cases"/random/small-00*.trf "$cases"/gacrux/g01.trf
		"$cases"/prohibited/00*.trf)
fi
diag "seed $seed"

exits 0 "the second reading pairs as other programs did" \
	python3 "$oracle/pairing.py" "${files[@]}"
like "every round" "$out" '^[1-9][0-9]+ rounds agree, 0 differ$'
sed '2s/ 9 b 1/10 b 1/; 3s/10 w 1/ 9 w 1/; 10s/ 1 w 0/ 2 b 0/; 11s/ 2 b 0/ 1 w 0/' \
	"$cases/random/small-001.trf" >"$work/changed.trf"
exits 1 "a round that was paired in another way is seen" \
	python3 "$oracle/pairing.py" "$work/changed.trf"

exits 1 "by umpire pair, too" "$UMPIRE" pair --check "$work/changed.trf"

exits 0 "random tournaments have the same pairings and standings" \
	python3 "$oracle/random_tournaments.py" --umpire "$UMPIRE" \
	--work "$work" --count "$count" --seed "$seed"
like "every round and value of them" "$out" \
	'[1-9][0-9]+ rounds, .* [1-9][0-9]+ values; 0 differ$'
like "with clubs apart, and rounds that cannot be paired" "$out" \
	' [1-9][0-9]* with clubs apart, [1-9][0-9]* impossible;'
cat >"$work/other" <<END
#!/bin/sh
"$UMPIRE" "\$@" | sed 's/"WON":1\([,}]\)/"WON":2\1/'
END
printf '#!/bin/sh\n' >"$work/any"
chmod +x "$work/other" "$work/any"
exits 1 "a round that is paired though it cannot be is seen" \
	python3 "$oracle/random_tournaments.py" --umpire "$work/any" \
	--work "$work" --count 10 --seed 1 --only pair
exits 1 "another value is seen" \
	python3 "$oracle/random_tournaments.py" --umpire "$work/other" \
	--work "$work" --count 10 --seed 1 --only standings

finish
