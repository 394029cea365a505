#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Tournaments whose record favours somebody, made with the server's keys, the
# director's and those of all players: whoever verifies the folder finds the
# line, or is told.  tournament.py writes them.

. "${top_srcdir:?}/tests/attack/attack.sh"
need python3

python3 "$top_srcdir/tests/attack/tournament.py" \
	${ATTACK:+--only "$ATTACK"} --umpire "$top_builddir/umpire" "$work" \
	>"$work/attacks" || exit 99
for kind in swiss knockout; do
	exits 0 "a $kind without any is good" \
		"$top_builddir/umpire" verify "$work/honest-$kind"
done

# judge NAME: what verifying its folder comes to, in $came.
judge() {
	local head=$work/$1/head
	# Somebody has seen another line.
	[ ! -e "$head" ] || set -- "$1" --head "$(cat "$head")"
	run "$UMPIRE" verify "$work/$1" "${@:2}"
	came=$(grep -h -m 1 'bad at line [0-9]*: ' "$out" "$err" |
		sed 's/^.*: bad at line [0-9]*: //')
	case $status in
	0) came='it succeeds' ;;
	1) ;;
	*) came="status $status: $(cat "$err")" ;;
	esac
}

# judge_told NAME: it is lawful, and anybody is told of it.
judge_told() {
	judge "$1"
	[ "$came" = 'it succeeds' ] && grep -q '^! rulings' "$out" &&
		came="it is told: $(sed -n 's/^! rulings *//p' "$out")"
}

while IFS=$'\t' read -r name words; do
	judge=judge
	[[ $words != 'it is told'* ]] || judge=judge_told
	eval "attack_${name//-/_}() { $judge '$name'; }"
	attack "$name" "$words"
done <"$work/attacks"

finish
