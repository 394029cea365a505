#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# umpire standings as a program: what it refuses, its tables for people, each
# addend, and the same for programs.  The values themselves are test_standings'.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

random=$top_srcdir/tests/pairing/random
small=$random/small-001.trf

# misused WHAT REGEX OPTION...: a case: status 64, and words that say why.
misused() {
	local what=$1 why=$2
	shift 2
	exits 64 "$what" "$UMPIRE" standings "$@"
	like "... says why" "$err" "$why"
	is "... prints nothing" "$(cat "$out")" ''
}

# refuses WHAT REGEX SED: a case: the small tournament changed by sed.
refuses() {
	sed "$3" "$small" >"$work/changed.trf"
	exits 65 "$1" "$UMPIRE" standings "$work/changed.trf"
	like "... says where and why" "$err" "$2"
	is "... in one line" "$(wc -l <"$err")" 1
	is "... and prints nothing" "$(cat "$out")" ''
}

# ---- what is refused ----

misused "no file" 'missing operand|usage|too few'
misused "a round that is not paired" '0 to 4' "$small" --round 5
misused "a round that is no number" '0 to 4' "$small" --round x
misused "a player who is not there" 'there is no player 17' "$small" --why 17
misused "a player who is no number" 'the number of a player' "$small" --why anna
misused "an unknown tie-break" 'the tie-break "AOB" of --ties .* DE BH BH/C1' \
	"$small" --ties BH,AOB
misused "a tie-break twice" 'BH is in --ties twice' "$small" --ties BH,DE,bh
exits 66 "a file that is not there" "$UMPIRE" standings "$work/none.trf"
misused "battle points, which no such file has" \
	'BPA needs battle points, and there are none' "$small" --ties BPA
misused "Buchholz of a round robin" 'BH is not for a round robin' "$small" \
	--round-robin --ties BH

refuses "an unknown tag" 'at line 1: the tag "Z12" is not understood' \
	's/^012/Z12/'
refuses "a result that the opponent's does not fit" \
	'at line 2: round 1 of player 1 is against player 9, whose line has' \
	'2s/9 b 1/9 w 1/'
refuses "points that are not those of the games" \
	'at line 5: player 4 has 3\.5 points here, but 4\.0 by their games' \
	'5s/4\.0/3.5/'
refuses "a tournament of teams" \
	'at line 19: tournaments of teams are not supported: tag 310' \
	'$a310   1 France'
refuses "a file without players" 'no line has a player' '/^001/d'

# ---- tables ----

exits 0 "a table" "$UMPIRE" standings "$small"
is "its head" "$(head -1 "$out")" 'AutoTest Tournament 90001, after 4 rounds'
like "has points and the usual tie-breaks" "$out" \
	'^ +RANK NO NAME +POINTS DE BH/C1 +BH WON$'
like "a player" "$out" '^ +6 +9 Test0009 Player0009 +2\.5 +0 +7\.5 +8\.5 +1$'
is "all players" "$(grep -c Player "$out")" 16
holds "in 80 columns" test "$(wc -L <"$out")" -le 80
exits 0 "with more of them" "$UMPIRE" standings "$small" \
	--ties DE,BH,BH/C1,SB,WIN,PS,BPG
holds "too" test "$(wc -L <"$out")" -le 80
exits 0 "after a round before" "$UMPIRE" standings "$small" --round 1 \
	--ties bh
is "the head says so" "$(head -1 "$out")" \
	'AutoTest Tournament 90001, after 1 round'
like "equals share a rank" "$out" '^ +1 +4 Test0004 .* 1\.0 +0\.0$'
{ cat "$small" && printf '202 SB, BH/C1\r142 9\n'; } >"$work/own.trf"
exits 0 "a file with tie-breaks of its own, from standard input" \
	sh -c '"$0" standings - <"$1"' "$UMPIRE" "$work/own.trf"
like "has these" "$out" ' POINTS +SB BH/C1$'
like "and says how many rounds there will be" "$out" 'after 4 of 9 rounds$'
printf '212 PTS,DE,EDGE\n' >>"$work/own.trf"
misused "those of the file that are unknown" \
	'the tie-break "EDGE" of line 212' "$work/own.trf"
exits 0 "but those of the command line do" \
	"$UMPIRE" standings "$work/own.trf" --ties DE
{ cat "$small" && echo '192 FIDE_ROUNDROBIN'; } >"$work/all.trf"
exits 0 "a round robin by its file" "$UMPIRE" standings "$work/all.trf"
like "has its own tie-breaks" "$out" ' POINTS +DE +SB WON$'

# ---- why ----

exits 0 "why" "$UMPIRE" standings "$small" --why 9 --ties DE,SB,BH/C1,PS
like "tells who and where" "$out" '^9 Test0009 Player0009: rank [0-9]+$'
like "the points" "$out" '^Points: 2\.5$'
like "a game" "$out" '^ +1 +0\.0  lost to 1 Test0001 Player0001$'
like "a forfeit" "$out" '^ +3 +1\.0  won by forfeit against 3 Test0003'
like "the direct encounter" "$out" '^ +4 +0\.5  against 5 Test0005 Player0005$'
like "which parts nobody" "$out" '^  it parts none of the 2 who are tied$'
like "an addend" "$out" '^ +4 +1\.25  0\.5 x 2\.5: 5 Test0005 Player0005$'
like "a dummy" "$out" '1\.0 x 2\.0: no game: a dummy, held to the 2\.0 of player 3$'
like "what is cut" "$out" '^ +2 +1\.0  cut: 13 Test0013 Player0013, who counts 1\.0$'
holds "in 80 columns" test "$(wc -L <"$out")" -le 80

# Every value is the sum of what is told of it.
for n in 1 3 9 12 16; do
	run "$UMPIRE" standings "$small" --why "$n" \
		--ties BH,BH/C1,BH/C2,BH/M1,SB,WIN,WON,PS,FB,REP,BPG
	awk '
	function done() {
		if (name != "" && sum != value)
			print name ": " value ", not " sum
	}
	/^[A-Z].*: / {
		done()
		name = $1; value = $2 + 0; sum = 0
		next
	}
	/^ +[0-9]+ +[0-9.]+  / && !/ cut: / { sum += $2 }
	END { done() }' "$out" >"$work/wrong"
	is "what is told of player $n adds up" "$(cat "$work/wrong")" ''
done

# ---- for programs ----

exits 0 "standings for programs" "$UMPIRE" standings "$small" --json
is "are as the table" "$(jq -c '.round, .ties, .standings[5]' "$out")" \
	"$(printf '%s\n' 4 '["DE","BH/C1","BH","WON"]' \
		'{"rank":6,"player":9,"name":"Test0009 Player0009","points":2.5,"ties":{"DE":0,"BH/C1":7.5,"BH":8.5,"WON":1}}')"
exits 0 "and why" "$UMPIRE" standings "$small" --json --why 9 --ties SB,DE
is "an addend" "$(jq -c '.addends.SB[3]' "$out")" \
	'{"round":4,"value":1.25,"why":"met","cut":false,"opponent":5}'

finish
