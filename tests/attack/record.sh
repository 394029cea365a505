#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Attacks by a forged record, whose maker has the server's keys and those of
# both players: whoever verifies it finds the line.  record.py writes them.

. "${top_srcdir:?}/tests/attack/attack.sh"
need python3

python3 "$top_srcdir/tests/attack/record.py" ${ATTACK:+--only "$ATTACK"} \
	--umpire "$top_builddir/umpire" "$work" >"$work/attacks" || exit 99

# judge FILE: what verifying it comes to, in $came.
judge() {
	local opened=${1%.jsonl}.opened
	[ -e "$opened" ] || opened=
	run "$UMPIRE" verify "$1" ${opened:+--opened "$opened"}
	came=$(grep -E -h -m 1 'bad at line [0-9]+: ' "$out" "$err" |
		sed 's/^.*: bad at line [0-9]*: //')
	case $status in
	0) came='it succeeds' ;;
	1) ;;
	*) came="status $status: $(cat "$err")" ;;
	esac
}

# judge_claim FILE: whether the claim that is the last line has an effect.
judge_claim() {
	judge "$1"
	[ "$came" = 'it succeeds' ] || return
	"$UMPIRE" log "$1" --json | jq -e '.[-1].effective' >/dev/null ||
		came='the claim has no effect'
}

while IFS=$'\t' read -r name words; do
	exits 0 "$name: the record is good before" \
		"$top_builddir/umpire" verify "$work/$name.honest"
	judge=judge
	[ "$words" != 'the claim has no effect' ] || judge=judge_claim
	eval "attack_${name//-/_}() { $judge '$work/$name.jsonl'; }"
	attack "$name" "$words"
done <"$work/attacks"

finish
