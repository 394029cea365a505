#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Records that are well signed, good ones and such with one fault: umpire
# verify judges each as a verifier written from the manual page does, and both
# judge the games that test_played plays.  It takes some thousand runs, so
# builds with sanitizers leave it out.
. "${top_srcdir:?}/tests/lib.sh"
need python3

oracle=$top_srcdir/tests/oracle

exits 0 "what the manual has as examples comes out" \
	python3 "$oracle/record_vectors.py"

played=0
for record in "$top_srcdir"/tests/rules/*/played*.jsonl; do
	name=${record#"$top_srcdir/tests/rules/"}
	exits 0 "$name: umpire verify finds it good" \
		"$UMPIRE" verify --json "$record"
	like "$name: the game is finished" "$out" '"finished":true'
	exits 2 "$name: without the rules it is not checkable" \
		"$UMPIRE" verify --no-rules "$record"
	played=$((played + 1))
done
exits 0 "the second reading says of these and of the samples what umpire says" \
	python3 "$oracle/agree.py" --umpire "$UMPIRE" \
	"$top_srcdir"/tests/rules/*/played*.jsonl \
	"$top_srcdir"/tests/record/*.jsonl \
	"$top_srcdir"/tests/record/sample-tournament-*/[0-9a-f]*.jsonl
like "of all of them" "$out" "^[1-9][0-9]+ files, 0 disagree"
if [ "$played" -ge 5 ]; then
	pass "there is a played game of every system"
else
	fail "there is a played game of every system" "only $played records"
fi

# A sixteenth of the cases, another one from run to run; with UMPIRE_LONG set all
# of them, and the long games of the extended settings too.
first=$((RANDOM % 16))
part="--part 16 --first $first" more="--games 1"
[ -z "${UMPIRE_LONG:-}" ] || part='' more=--extended
diag "of the cases: ${part:-all}"
# shellcheck disable=SC2086
exits 0 "good and bad records are told apart" \
	python3 "$oracle/forged_records.py" $part $more --umpire "$UMPIRE"
like "all of them as expected" "$out" "^[1-9][0-9]+ agree, 0 disagree"

# shellcheck disable=SC2086
exits 0 "good and bad games by turns are told apart" \
	python3 "$oracle/forged_turns.py" $part --umpire "$UMPIRE"
like "all of these as expected" "$out" "^[1-9][0-9]+ agree, 0 disagree"

# What keys, clocks, lost lines and the witness brought to lines: every member
# of every kind of line is forged; a third of them once in a quick run, always
# the same, and with UMPIRE_LONG set some 21,500 times, each member a hundred times
# and each in every kind of line 31 times.
each="--each 1 --part 3 --games 30 --seed 11" least=200
[ -z "${UMPIRE_LONG:-}" ] || {
	each="--each 31 --least 100 --games 700 --seed $RANDOM"
	least=20000
}
# shellcheck disable=SC2086
exits 0 "two readings agree on members that are forged" \
	python3 "$oracle/forged_members.py" $each --umpire "$UMPIRE"
while read -r line; do
	diag "$line"
done <"$out"
forged=$(sed -n 's/ forged, each member .*//p' "$out")
if [ "${forged:-0}" -ge "$least" ]; then
	pass "these are $least at least"
else
	fail "these are $least at least" "$forged records"
fi

finish
