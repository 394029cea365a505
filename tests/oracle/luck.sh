#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# umpire luck: the dice of played and forged records are counted a second time,
# and what is no record, or does not hold, is told and not counted.
. "${top_srcdir:?}/tests/lib.sh"
need python3

oracle=$top_srcdir/tests/oracle
lasalle=$top_srcdir/tests/rules/lasalle2/played.jsonl

# ---- a second count ----

exits 0 "records are forged" \
	python3 "$oracle/luck.py" --umpire "$UMPIRE" --forge "$work/forged"
exits 0 "both count the same dice, with the same chances" \
	python3 "$oracle/luck.py" --umpire "$UMPIRE" \
	"$top_srcdir"/tests/rules/*/played*.jsonl "$work"/forged/*.jsonl
like "in all of them" "$out" '^[1-9][0-9]* agree, 0 disagree, [1-9][0-9]{3}'

# The second count can tell one from another.
cat >"$work/other" <<END
#!/bin/sh
"$UMPIRE" "\$@" | sed 's/"sum":47/"sum":48/'
END
chmod +x "$work/other"
exits 1 "a sum that is one off is found" \
	python3 "$oracle/luck.py" --umpire "$work/other" "$lasalle"
like "and where" "$out" 'sum: 48 and not 47'

# ---- for people ----

wide=0
for record in "$top_srcdir"/tests/rules/*/played.jsonl "$work"/forged/*.jsonl; do
	run env LC_ALL=C "$UMPIRE" luck "$record"
	[ "$status" = 0 ] || fail "luck of $record" "status $status"
	wide=$((wide + $(awk 'NR > 1 && length > 80 { n++ } END { print n + 0 }' \
		"$out")))
done
is "nothing is wider than 80 columns" "$wide" 0
# shellcheck disable=SC2016
exits 0 "many combats are told, from standard input" \
	sh -c 'exec "$1" luck - <"$2"' \
	sh "$UMPIRE" "$work/forged/many_combats.jsonl"
like "whose dice" "$out" 'score d6 side 1 +34 '
like "that so many can be judged" "$out" 'Fair dice set two sides so far'
like "that many chances are looked at" "$out" 'These are 4 chances at once'
like "that dice which were taken back count" "$out" \
	'^68 of these dice fell in lines that were taken back'
run env LC_ALL=C "$UMPIRE" luck "$work/forged/many_combats.jsonl"
is "without UTF-8 all is ASCII" "$(LC_ALL=C tr -d '\n -~' <"$out" | wc -c)" 0
like "with a sign for it" "$out" ' \+/- '
run "$UMPIRE" luck "$work/forged/cups_game.jsonl"
like "cups are told apart" "$out" '^Drawn from the cup events: 8 chits'
unlike "and are not judged" "$out" 'chance'

# ---- what is not counted ----

exits 64 "no word at all" "$UMPIRE" luck
exits 66 "a file that is not there" "$UMPIRE" luck "$work/none.jsonl"
like "is named" "$err" 'none.jsonl'
export HOME=$work/nobody
exits 66 "a word that is neither a file nor a game" "$UMPIRE" luck nothing
like "is told to be neither" "$err" "'nothing' is not a file either"
exits 66 "a folder" "$UMPIRE" luck "$work/"
like "is called one" "$err" 'directory|folder'
: >"$work/empty"
exits 1 "an empty file" "$UMPIRE" luck "$work/empty"
echo '{"format":"another","lines":[]}' >"$work/other.json"
exits 1 "a file of another program" "$UMPIRE" luck "$work/other.json"
is "prints nothing" "$(cat "$out")" ''
head -c 3000 /dev/urandom >"$work/noise"
like "it is asked where it is from" "$err" 'umpire export'
exits 1 "bytes by chance" "$UMPIRE" luck "$work/noise"
# One die of line 4 is another.
sed '/"seq":4,/s/"dice":\[1\]/"dice":[6]/g' "$lasalle" >"$work/bad.jsonl"
exits 1 "a record that was changed" "$UMPIRE" luck "$work/bad.jsonl"
is "nothing of it is counted" "$(cat "$out")" ''
like "and the line is named" "$err" 'bad at line [0-9]+'
like "that is said" "$err" 'nothing was counted'
exits 1 "nor for programs" "$UMPIRE" luck --json "$work/bad.jsonl"
is "no JSON either" "$(cat "$out")" ''
exits 2 "a record of a newer umpire is not checkable" \
	"$UMPIRE" luck "$work/forged/newer/newer_after_dice.jsonl"
like "which is said" "$err" 'not checkable here, line [0-9]+'
like "its dice are counted all the same" "$out" '^  score d6 '
is "and programs are told" "$("$UMPIRE" luck --json \
	"$work/forged/newer/newer_after_dice.jsonl" 2>"$err" | jq .unchecked)" true
head -n 5 "$lasalle" >"$work/part.jsonl"
grep '^{"blob"' "$lasalle" >>"$work/part.jsonl"
exits 0 "the beginning of a game" "$UMPIRE" luck "$work/part.jsonl"
like "has the dice so far" "$out" 'score d6 +French +2 '
is "and is said to be unfinished" \
	"$("$UMPIRE" luck --json "$work/part.jsonl" | jq .finished)" false
head -n 2 "$lasalle" >"$work/young.jsonl"
grep '^{"blob"' "$lasalle" >>"$work/young.jsonl"
exits 0 "a game without dice" "$UMPIRE" luck "$work/young.jsonl"
like "has none yet" "$out" 'no dice have fallen in this game yet'
is "nor for programs, who get it all the same" \
	"$("$UMPIRE" luck --json "$work/young.jsonl" | jq -c '[.dice, .kinds, .draws]')" \
	'[0,[],[]]'

finish
