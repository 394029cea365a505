#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# umpire-tournament(7), typed as it stands, but for the server's name and for
# what the server's own commands take: a folder and a port of this test.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_clocks

page=$top_srcdir/client/umpire-tournament.7
export UMPIRE_DATADIR=$top_srcdir/etc
wall=$(($(date +%s) * 1000))
hook now_ms "$wall"

# typed NAME COMMAND: somebody types that, in a folder of theirs.
typed() {
	local who=$1 words=$2
	if [ "$who" = server ]; then
		case $words in
		'umpired --init club') init_umpired "$work/club" ;;
		'umpired -c club/umpired.conf') start_umpired "$work/club" ;;
		*) return 1 ;;
		esac
		return
	fi
	mkdir -p "$work/at/$who"
	words=${words//umpire.example.org/$server}
	# shellcheck disable=SC2016
	player "$who" env UMPIRE="$UMPIRE" bash -c \
		'cd "$0" && umpire() { "$UMPIRE" "$@"; } && eval "$1"' \
		"$work/at/$who" "$words"
}

# turn GAME NAME NAME: each has a turn; the one whose it is goes first.
turn() {
	local game=$1 first=$2 second=$3
	umpire_as "$first" end-turn "$game" --yes >/dev/null 2>&1 || {
		first=$3 second=$2
		umpire_as "$first" end-turn "$game" --yes >/dev/null 2>&1
	}
	umpire_as "$second" end-turn "$game" --yes >/dev/null 2>&1
}

n=0
while read -r step words; do
	case $step in
	type)
		n=$((n + 1))
		exits 0 "$words" typed "${words%% *}" "${words#* }" </dev/null
		;;
	prints) like "  prints $words" "$out" "$words" ;;
	later)
		wall=$((wall + words * 1000))
		hook now_ms "$wall"
		;;
	turn)
		# shellcheck disable=SC2086
		turn $words
		is "  each has a turn" $? 0
		;;
	*) fail "a step is known" "$step" ;;
	esac
done < <(python3 "$top_srcdir/tests/e2e/tutorial.py" "$page")
is "all commands of the page were typed" "$n" \
	"$(grep -Ec '^[a-z]+\$ ' "$page")"
holds "there are many" test "$n" -gt 50
like "the crosstable is a page" "$work/at/dina/crosstable.html" '<table'
like "with whom the tournament had" "$work/at/dina/crosstable.html" anna
like "the spreadsheet has its lines" "$work/at/dina/standings.csv" '1.*anna'
finish
