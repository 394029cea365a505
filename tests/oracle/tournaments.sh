#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Records of tournaments: the vectors and the sample come out as the manual has
# them, whole tournaments at random are found good, and forged ones bad at the
# line that was forged.  umpire verify and the second reading, in Python, agree.
. "${top_srcdir:?}/tests/lib.sh"
need jq python3

oracle=$top_srcdir/tests/oracle

exits 0 "vectors, examples of the manual and the sample come out" \
	python3 "$oracle/tournament_vectors.py" --umpire "$UMPIRE"

exits 0 "awkward cases come out as they were walked by hand" \
	python3 "$oracle/tournament_walked.py" --umpire "$UMPIRE"
like "all of them" "$out" "^[1-9][0-9]+ walked: 0 not as expected"

# A daemon of before 2026-11-28T14:00:00Z wrote these (S19.7), and the same ones
# with its clock set to after that.
for which in both row drawn; do
	for verifier in "$UMPIRE verify" "python3 $oracle/tournament_verify.py"; do
		cup=$top_srcdir/tests/record/tournament
		# shellcheck disable=SC2086 # words
		exits 0 "$which, as it was read, is good (${verifier##*/})" \
			$verifier "$cup-before-$which"
		like "which is told" "$out" \
			'^! older .* as rules were read|^line [0-9]+: only as rules'
		# shellcheck disable=SC2086
		exits 1 "and is bad later" $verifier "$cup-after-$which"
	done
done

# Those at random are other ones from run to run; with UMPIRE_LONG set, the
# forged ones, too, 200 of a kind.
seed=$((RANDOM % 1000))
many=3 forged=1 bases=1 each=40 of=1
[ -z "${UMPIRE_LONG:-}" ] || many=60 forged=200 bases=60 each=200 of=$seed
diag "seed $seed"
exits 0 "tournaments at random are good" \
	python3 "$oracle/tournament_random.py" --count "$many" --seed "$seed" \
	--umpire "$UMPIRE" --keep "$work/random"
like "all of them as expected" "$out" ": 0 not as expected"
for cup in "$work/random"/* "$top_srcdir"/tests/record/sample-tournament-*; do
	case $cup in *-on) continue ;; esac # needs --before
	exits 0 "umpire verify finds ${cup##*/} good, too" \
		"$UMPIRE" verify "$cup"
done

# umpire-web remembers what it verified, and comes to no other verdict by that.
steps=6
[ -z "${UMPIRE_LONG:-}" ] || steps=40
for again in "$work/random"/*; do
	exits 0 "${again##*/}: what was verified before changes no verdict" \
		"$top_builddir/tests/tools/recheck" "$again" "$work/recheck" \
		"$seed" "$steps"
	rm -r "$work/recheck"
done

# Those that go on under another server.
for on in "$work/random"/*-on; do
	[ -e "$on" ] || continue
	old=$on/before.jsonl
	exits 0 "what goes on as ${on##*/} is good" \
		"$UMPIRE" verify --before "$old" "$on"
	exits 2 "without the one that it continues it cannot be judged" \
		"$UMPIRE" verify "$on"
	rm -rf "$work/both"
	cp -r "$on" "$work/both"
	mv "$work/both/before.jsonl" "$work/both/$(head -n 1 "$old" |
		jq -r .tournament).jsonl"
	run "$UMPIRE" verify "$work/both"/*.jsonl
	case $status in
	0 | 2) pass "neither is bad among several files" ;;
	*) fail "neither is bad among several files" "status $status" ;;
	esac
	# What says that it goes on from another excuses nothing in that.
	rm -rf "$work/claimed"
	cp -r "$cup" "$work/claimed"
	id=$(head -n 1 "$cup/tournament.jsonl" | jq -r .tournament)
	rm "$work/claimed/tournament.jsonl"
	head -n 33 "$cup/tournament.jsonl" >"$work/claimed/$id.jsonl"
	exits 1 "a tournament in which a result is missing is bad" \
		"$UMPIRE" verify "$work/claimed/$id.jsonl"
	sed "s/$(head -n 1 "$old" | jq -r .tournament)/$id/" \
		"$on/tournament.jsonl" >"$work/claimed/tournament.jsonl"
	exits 2 "and not good beside what says that it goes on from it" \
		"$UMPIRE" verify "$work/claimed/$id.jsonl"
	like "for the same reason" "$out" \
		'why +line 33: the game is over, and its result is missing'
	like "which says what to do" "$err" 'verify .*/claimed. judges both'
	exits 1 "which is bad itself" "$UMPIRE" verify "$work/claimed"
	grep -v '^{"text"\|^{"blob"' "$old" | head -n -1 >"$work/cut"
	for verifier in "$UMPIRE verify" "python3 $oracle/tournament_verify.py"; do
		# shellcheck disable=SC2086 # words
		exits 1 "one that ends before is not that ($verifier)" \
			$verifier --before "$work/cut" "$on"
		# shellcheck disable=SC2086
		exits 1 "nor another" $verifier --before "$top_srcdir/tests/record/sample-tournament-swiss/tournament.jsonl" "$on"
		# shellcheck disable=SC2086
		exits 1 "what continues nothing continues nothing" \
			$verifier --before "$old" "$cup"
	done
done
exits 64 "--before is about a tournament" "$UMPIRE" verify --before "$cup" \
	"$top_srcdir/tests/rules/lasalle2/played.jsonl"
exits 2 "a folder without the games cannot be judged" \
	"$UMPIRE" verify --no-games "$cup"
exits 64 "a tournament is held against no other" \
	"$UMPIRE" verify --against "$cup/tournament.jsonl" "$cup"
# Its files are not only verified as a folder.
exits 0 "one among several files is verified with its games" \
	"$UMPIRE" verify --json --event "$cup"/*.jsonl
is "and belongs to them" "$(jq -c '[.together, (.records[] |
	select(.tournament) | .verdict, (.name | sub(".*/"; "")), .games > 0)]' \
	"$out")" '[true,"good","tournament.jsonl",true]'
exits 0 "so are folders" "$UMPIRE" verify "$cup" "$cup"
like "a row each" "$out" '^  .*tournament\.jsonl +good +over '
exits 1 "which do not belong to one event twice" \
	"$UMPIRE" verify --event "$cup" "$cup"
exits 2 "without rules its games are left out" \
	"$UMPIRE" verify --no-rules "$cup"/*.jsonl
exits 64 "what it continues is told of one alone" \
	"$UMPIRE" verify --before "$cup" "$cup" "$cup"
exits 65 "it is no game that could be told" "$UMPIRE" log "$cup/tournament.jsonl"
like "and not bad" "$err" 'is the record of a tournament, not of a game'
game=$(cd "$cup" && ls -- *.jsonl | grep -v tournament | head -n 1)
mkdir "$work/none"
cp -r "$cup" "$work/odd"
rm "$work/odd/$game"
mkfifo "$work/odd/$game"
exits 66 "a file that cannot be read" timeout 10 "$UMPIRE" verify "$work/odd"
like "is named, and not waited for" "$err" "$game' is no ordinary file"
exits 66 "a folder without it" "$UMPIRE" verify "$work/none"
like "is told what it lacks" "$err" "no tournament.jsonl in the folder"
like "and how to come by it" "$err" 'umpire tournament export CUP'

sed -i 's/$/\r/' "$work/odd/tournament.jsonl"
exits 1 "lines that end in CR LF are no lines" "$UMPIRE" verify "$work/odd"
like "and it is told what has become of the file" "$err" \
	'bad at line 1: .*CR LF.* another copy'
# What lies behind the lines of a game belongs to its record.
text='{"text":"%s","salt":"%s","value":"never said"}\n'
hash=$(printf '0%.0s' {1..64})
# behind NAME WORDS [LINE]: with that behind its lines a game is bad.
behind() {
	local verifier
	rm -rf "$work/behind"
	cp -r "$cup" "$work/behind"
	# shellcheck disable=SC2059 # it is a format
	printf "$3" "$hash" "$hash" >>"$work/behind/$game"
	for verifier in "python3 $oracle/tournament_verify.py" "$UMPIRE verify"; do
		# shellcheck disable=SC2086 # words
		exits 1 "a game with $1 is bad (${verifier##*/})" \
			$verifier "$work/behind"
	done
	like "is named with its line" "$err" \
		"bad at line [0-9]+: data.game: its line [0-9]+ is bad: $2"
}
behind "a text that has another hash" "text: the hash" "$text"
behind "something else at its end" "neither a text nor a blob" 'no line\n'
behind "a line that does not end" "neither a text nor a blob" '{"text'

"$UMPIRE" verify --json "$cup" >"$work/told"
is "programs learn who stands where" \
	"$(jq -c '[.verdict, .tournament.phase,
		(.tournament.standings | length > 1)]' "$work/told")" \
	'["good","over",true]'

# Round robins as TRF files.
robins=4
[ -z "${UMPIRE_LONG:-}" ] || robins=60
exits 0 "round robins at random are good" \
	python3 "$oracle/tournament_random.py" --count "$robins" \
	--seed "$seed" --formats roundrobin --keep "$work/robins"
robins=("$work"/robins/*)
exits 0 "as TRF files they are paired, and have values, as two readings say" \
	python3 "$oracle/robins.py" --umpire "$UMPIRE" --work "$work/trf" \
	"${robins[@]}"
like "in all of them" "$out" "^[1-9][0-9]* round robins, .*: 0 wrong"

exits 0 "forged tournaments are bad at the line that was forged" \
	python3 "$oracle/tournament_forge.py" --count "$forged" --seed "$of" \
	--umpire "$UMPIRE"
like "all of these as expected" "$out" "^[1-9][0-9]+ agree, 0 disagree"
exits 0 "a member changed: both find the same, at the same line" \
	python3 "$oracle/tournament_members.py" --count "$bases" \
	--each "$each" --seed "$of" --umpire "$UMPIRE"
like "in all of them" "$out" "^[1-9][0-9]+ agree, 0 disagree"
grep records: "$out" | sed 's/^/# /'

finish
