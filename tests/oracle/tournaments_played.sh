#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Whole tournaments through the daemon: each format, in turn with each system,
# people who play by chance, come late, go, ask for byes, claim, protest and try
# what is wrong, and directors who rule. The second reading takes each line as
# it is written; umpire verify finds every folder good.
. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_hooks

start_umpired "$work/umpired" -o register_burst=100000 \
	-o max_per_address=4096 -o max_muster=0 || exit 99

# Other ones from run to run; with UMPIRE_LONG set many more, COUNT of them of
# the FORMATS; KEEP keeps their records.
seed=${SEED:-$((RANDOM % 10000))}
diag "seed $seed"
told python3 \
	"$top_srcdir/tests/oracle/tournament_played.py" --seed "$seed" \
	--count "$(some 0 0 "${COUNT:-150}")" --tools "$tools" \
	--hooks "$work/hooks" --port "$port" --rules "$top_srcdir/tests/rules" \
	--umpire "$UMPIRE" --keep "${KEEP:-$work/kept}" \
	${FORMATS:+--formats "$FORMATS"}
stop_umpired || fail "umpired ends well"
finish
