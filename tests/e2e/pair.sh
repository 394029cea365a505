#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# umpire pair as a program: what it refuses, what it prints, what it finds in a
# file that was paired otherwise, and why not another pairing.  That every round
# of other programs' tournaments is paired as they did is test_dutch's.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

pairing=$top_srcdir/tests/pairing
small=$pairing/random/small-001.trf

# misused WHAT REGEX OPTION...: a case: status 64, and words that say why.
misused() {
	local what=$1 why=$2
	shift 2
	exits 64 "$what" "$UMPIRE" pair "$@"
	like "... says why" "$err" "$why"
	is "... prints nothing" "$(cat "$out")" ''
}

# refuses WHAT REGEX FILE OPTION...: a case: status 65, and words that say why.
refuses() {
	local what=$1 why=$2
	shift 2
	exits 65 "$what" "$UMPIRE" pair "$@"
	like "... says why" "$err" "$why"
	is "... prints nothing" "$(cat "$out")" ''
}

# ---- what is refused ----

misused "no file" 'missing operand|usage|too few'
misused "a round that cannot be paired yet" '1 to 5' "$small" --round 6
misused "a round that is no number" '1 to 5' "$small" --round first
misused "a player who is not there" 'there is no player 17' "$small" \
	--round 4 --explain 17
misused "a player who is no number" "takes a player's number" "$small" \
	--explain anna
misused "a check of one round" 'about all rounds' "$small" --check --round 2
misused "a reason for somebody who was absent" \
	'player 6 is not paired in round 1' "$small" --round 1 --explain 6
exits 66 "a file that is not there" "$UMPIRE" pair "$work/none.trf"

refuses "a tournament without a number of rounds" \
	'how many rounds will be played \(142, or XXR\)' "$small"
{ cat "$small" && echo '142 4'; } >"$work/over.trf"
refuses "a tournament that is over" 'all its rounds are paired' \
	"$work/over.trf"
sed 's/^012/Z12/' "$small" >"$work/tag.trf"
refuses "an unknown tag" 'at line 1: the tag "Z12" is not understood' \
	"$work/tag.trf" --check
{ cat "$small" && echo '250 01.0 01.0   1   2    1    4'; } >"$work/fast.trf"
exits 65 "acceleration" "$UMPIRE" pair "$work/fast.trf" --check
like "... names the line" "$err" 'at line 19: acceleration: rounds are not paired so here'
cut -c 1-91 "$small" | sed 's/ [0-9.]*  *[0-9]* *$/ 0.0/' |
	sed '/^001/s/^\(.\{80\}\).*/\1 0.0/' >"$work/fresh.trf"
echo '142 5' >>"$work/fresh.trf"
refuses "a first round without a first side" '\(152, or XXC' "$work/fresh.trf"

# ---- a round ----

echo '152 B' >>"$work/fresh.trf"
exits 0 "a first round" "$UMPIRE" pair "$work/fresh.trf"
is "is the high half against the low one" "$(cat "$out")" \
	"$(printf '%s\n' 8 '9 1' '2 10' '11 3' '4 12' '13 5' '6 14' '15 7' '8 16')"
exits 0 "a round that was paired" "$UMPIRE" pair "$small" --round 4
is "has the tables in order, and the bye last" "$(cat "$out")" \
	"$(printf '%s\n' 8 '7 4' '10 1' '8 2' '5 9' '6 12' '13 3' '11 15' \
		'14 0')"
exits 0 "with CR ends, from standard input" \
	sh -c 'tr "\n" "\r" <"$1" | "$0" pair - --round 4' "$UMPIRE" "$small"
is "is the same" "$(sed -n 2p "$out")" '7 4'
exits 0 "for programs" "$UMPIRE" pair "$small" --round 4 --json
is "too" "$(jq -c '.round, .pairs[1], .bye' "$out")" \
	"$(printf '%s\n' 4 '[10,1]' 14)"
exits 0 "without a bye" "$UMPIRE" pair "$work/fresh.trf" --json
is "there is none" "$(jq -c '.bye' "$out")" null

# The next round of each file with prohibited pairs.
for trf in "$pairing"/prohibited/*.trf; do
	expected=${trf%.trf}.expected
	run "$UMPIRE" pair "$trf"
	if [ "$(cat "$expected")" = none ]; then
		[ "$status" -eq 65 ] && grep -q 'no complete pairing' "$err" ||
			echo "$trf"
	else
		[ "$status" -eq 0 ] &&
			[ "$(sort "$out")" = "$(sort "$expected")" ] ||
			echo "$trf"
	fi
done >"$work/wrong"
is "prohibited pairs are not made" "$(cat "$work/wrong")" ''

# ---- the check ----

exits 0 "a check" "$UMPIRE" pair "$small" --check
is "of all rounds" "$(cat "$out")" '4 rounds, 0 differ'
exits 0 "of a large one" "$UMPIRE" pair "$pairing/random/mid-37.trf" --check
like "too" "$out" '^[0-9]+ rounds, 0 differ$'
# Players 1 and 10 on the other side, in round 4.
sed '/^001    1 /s/10 b 1/10 w 1/; /^001   10 /s/ 1 w 0$/ 1 b 0/' "$small" \
	>"$work/other.trf"
exits 1 "another side" "$UMPIRE" pair "$work/other.trf" --check
is "is told" "$(cat "$out")" "$(printf '%s\n' 'round 4 differs' \
	'  in the file: 1 10; computed: 10 1' \
	'  in the file: 1 10; computed: 10 1' '4 rounds, 1 differs')"
exits 1 "for programs" "$UMPIRE" pair "$work/other.trf" --check --json
is "too" "$(jq -c '.rounds[3]' "$out")" \
	'{"round":4,"same":false,"players":[1,10]}'
# The bye of round 4 for player 15, whose opponent 14 plays.
sed '/^001   11 /s/15 w 1$/14 w 1/
	/^001   14 /{s/0000 - U$/  11 b 0/;s/1\.0   14/0.0   14/}
	/^001   15 /{s/  11 b 0$/0000 - U/;s/0\.5   16/1.5   16/}' "$small" \
	>"$work/bye.trf"
exits 1 "another bye" "$UMPIRE" pair "$work/bye.trf" --check
like "is told" "$out" 'in the file: 15 0; computed: 11 15'
like "of both" "$out" 'in the file: 11 14; computed: 14 0'

# ---- why ----

exits 0 "why" "$UMPIRE" pair "$small" --round 3 --explain 9
like "tells whom" "$out" '^round 3: 9 plays 3, on side 1$'
like "in which bracket" "$out" '^  1\.0: 1 2 3 6 9 10 16; down: 10$'
is "and why not another" "$(grep -c '^  with ' "$out")" 14
like "by who has met" "$out" '^  with +1  C1: they have met$'
like "by sides" "$out" \
	'^  with +15  C12: sides as preferred \(2, not 1\), among those with 1\.0$'
like "by order" "$out" '^  with +10  4\.3: fewer and smaller exchanges'
exits 0 "why the bye" "$UMPIRE" pair "$small" --round 4 --explain 14
like "goes to who has it" "$out" '^round 4: 14 gets the bye$'
like "from the last bracket" "$out" '^  0\.0: .*14; down: 14$'
exits 0 "and to nobody else" "$UMPIRE" pair "$small" --round 4 --explain 1
like "is told" "$out" '^  bye +0  C5: the bye goes to the lowest score'
exits 0 "for programs" "$UMPIRE" pair "$small" --round 3 --explain 9 --json
is "too" "$(jq -c '.opponent, .brackets[0].down, .rivals[0], .rivals[1].score' "$out")" \
	"$(printf '%s\n' 3 '[]' \
		'{"opponent":1,"criterion":"C1","text":"they have met"}' 1)"

# ---- a round robin ----

# robin TYPE SIDE-OF-2 SIDE-OF-4: of four, numbers with gaps; those two in
# round 2.
robin() {
	printf '192 %s\n142 3\n152 W\n' "$1"
	local row='001 %4d%76.1f       %4d %s %s  %4d %s %s  %4d %s %s\n'
	# shellcheck disable=SC2059
	printf "$row" 2 1 7 w 1 4 "$2" - 5 b 0 4 2 5 w = 2 "$3" + 7 w = \
		5 2.5 4 b = 7 b 1 2 w 1 7 0.5 2 b 0 5 w 0 4 b =
}
robin FIDE_ROUNDROBIN w b >"$work/robin.trf"
exits 0 "a round robin is compared with its tables" \
	"$UMPIRE" pair --check "$work/robin.trf"
is "and is the same" "$(cat "$out")" "3 rounds, 0 differ"
exits 0 "for programs, too" "$UMPIRE" pair --check --json "$work/robin.trf"
is "each round" "$(jq -c '[.rounds[] | .same]' "$out")" '[true,true,true]'
robin FIDE_ROUNDROBIN b w >"$work/sides.trf"
exits 1 "other sides are seen" "$UMPIRE" pair --check "$work/sides.trf"
like "and which" "$out" "in the file: 4 2; by the table: 2 4"
like "in one round" "$out" "^3 rounds, 1 differs$"
robin FIDE_DOUBLEROUNDROBIN w b >"$work/twice.trf"
exits 1 "who meet twice have the last rounds of the first cycle changed" \
	"$UMPIRE" pair --check "$work/twice.trf"
like "both" "$out" "^3 rounds, 2 differ$"
exits 65 "no round of it is paired by FIDE's Dutch system" \
	"$UMPIRE" pair "$work/robin.trf" --round 1
sed -e '/^001    [47]/d' -e 's/   7 w 1     4 w -     5 b 0/   5 w 1     5 w 1     5 b 0/' \
	-e 's/   4 b =     7 b 1     2 w 1/   2 b 0     2 b 0     2 w 1/' \
	-e 's/ 1\.0  / 2.0  /; s/ 2\.5  / 1.0  /' "$work/robin.trf" >"$work/long.trf"
exits 65 "two have no three rounds" "$UMPIRE" pair --check "$work/long.trf"
like "and it is said" "$err" "more rounds than so many players have"

finish
