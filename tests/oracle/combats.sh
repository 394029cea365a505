#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Random combats of every system, lawful and not, held against a second
# reading of its rules, and every score that is printed added up again.
. "${top_srcdir:?}/tests/lib.sh"
need python3

oracle=$top_srcdir/tests/oracle
count=30 seeds="1 2"
[ -z "${UMPIRE_LONG:-}" ] || count=1000
[ -z "${UMPIRE_SLOW:-}" ] || count=40 seeds=1

# ---- what adds up again can tell right from wrong ----

# adds STATUS WHAT TEXT: what comes of a text on standard input.
adds() {
	printf '%s\n' "$3" >"$work/text"
	# shellcheck disable=SC2016
	exits "$1" "$2" sh -c 'exec python3 "$1" --want 1 <"$2"' \
		sh "$oracle/readd.py" "$work/text"
}

adds 0 "a score of a strength and a die" 'Score of fr-a: 8
  strength 5
  die 3'
adds 1 "a score that is one too high" 'Score of fr-a: 9
  strength 5
  die 3'
adds 1 "a modifier that is not printed" 'Score of fr-a: 6
  strength 5
  die 3
fr-b rolls 2'
adds 0 "every step that there is" 'Odds of 1/1st Line (fr-a): -2
  strength 7
  +1/2 half of the guns
  x3/4 heat
  rounded down
  -12 the enemy is far stronger and stands behind a wall, which is
    written on two lines
  divided by 2, rounded down (11.2)
  at least -3 (the last column)
  +1 combined arms
other text
  that is indented 5'
adds 0 "a long name on two lines" 'Score of the 2nd Battalion of the 1st Regiment of the Guard
    (fr-a): 8
  strength 5
  die 3'
adds 1 "a fraction that is rounded the wrong way" 'Score of fr-a: -3
  value -7
  divided by 2, rounded down'
adds 0 "a score that is raised to 1" 'Score of fr-a: 1
  strength 2
  -4 in a poor formation
  -2 in all, and no score is below 1'
adds 1 "a sum that is not the one that is said" 'Score of fr-a: 1
  strength 2
  -4 in a poor formation
  -3 in all, and no score is below 1'
adds 1 "a limit on the wrong side" 'Score of fr-a: 3
  strength 2
  at most 3'
adds 1 "a bound that changes nothing" 'Score of fr-a: 3
  strength 3
  at least 1'
adds 1 "rounding that drops nothing" 'Score of fr-a: 3
  strength 6
  divided by 2, rounded down'
adds 0 "a half that stands" 'Strength of the attacker: 6.5
  +4 fr-a
  +5/2 fr-b (halved)'
adds 2 "a roll is no score" 'Roll 1d6 (score, fr-a): 3
  strength 3'
adds 1 "a line that nobody can read" 'Score of fr-a: 2
  strength 2
  a lot of luck'
adds 2 "no score at all" 'fr-a breaks'

# ---- combats ----

for system in imagi-nations invasion-1812 lasalle2 leniston-2009 tlnb; do
	for seed in $seeds; do
		exits 0 "$system: $count combats of seed $seed agree" \
			python3 "$oracle/random_combats.py" \
			--system "$system" --umpire "$UMPIRE" \
			--count "$count" --seed "$seed" --places --readd
		like "$system, seed $seed: all of them were compared" "$out" \
			"^$count agree, 0 disagree"
		like "$system, seed $seed: scores were added up again" "$out" \
			"^[1-9][0-9]* scores were added up again"
	done
done

finish
