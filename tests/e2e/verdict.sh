#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What verify says of a game in which nothing wants looking at and of one in
# which everything does that can go together, on a terminal of 80 columns: the
# screens are in tests/e2e/verdict, and the records are made anew, the same
# bytes each time, by verdict.py with all keys in hand.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
. "$top_srcdir/tests/tmux.sh"

exits 0 "the records are made" python3 "$top_srcdir/tests/e2e/verdict.py" \
	"$UMPIRE" "$work"

# looks NAME WINDOW OPTION...: verify of a record on a terminal is as it is kept.
looks() {
	local name=$1 window=$2
	shift 2
	term_open "$window" env -u NO_COLOR bash -c 'cd "$1" && shift && exec "$@"' _ "$work" \
		"$UMPIRE" verify "$name.jsonl" "$@"
	term_exits "$name: it is good" "$window" 0
	term_all "$window" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' \
		>"$work/$name.screen"
	holds "$name: it looks as it is kept" diff -u \
		"$top_srcdir/tests/e2e/verdict/$name.screen" "$work/$name.screen"
}

# told NAME WINDOW STATUS: the same of a tournament.
told() {
	term_open "$2" env -u NO_COLOR bash -c 'cd "$1" && shift && exec "$@"' _ \
		"$work" "$UMPIRE" verify "$1"
	term_exits "$1: exits with $3" "$2" "$3"
	term_all "$2" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' \
		>"$work/$1.screen"
	holds "$1: it looks as it is kept" diff -u \
		"$top_srcdir/tests/e2e/verdict/$1.screen" "$work/$1.screen"
}

told quiet quiet 0
told cup cup 2
is "of a tournament programs have the same" "$("$UMPIRE" verify --json \
	"$work/cup" | jq -c '[(.looks | map(.what) | unique), .changes,
	.texts_missing, .texts_missing_in_games]')" \
	'[["awaited","by-hand","changed","claim","closed","forfeit","lots","missing","operator-key","plays","protest","restored","ruling","unruled"],1,1,1]'
is "with its place" "$("$UMPIRE" verify --json "$work/cup" | jq -c \
	'.looks[] | select(.what == "missing" or .what == "changed") |
	[.what, .round, .table, .leg, (.game | length)]' | tr '\n' ' ')" \
	'["changed",1,1,1,64] ["missing",2,1,1,64] '
exits 2 "without its games" "$UMPIRE" verify --no-games "$work/cup"
unlike "none is named" "$out" '^! not here'
like "but rulings are" "$out" '^! rulings'

looks fine fine
looks wrong wrong --known known --operator player-2
is "it is one screen where nothing is wrong" \
	"$(($(wc -l <"$work/fine.screen") <= 24))" 1
# red WINDOW: how many rows turn red at the mark.
red() {
	in_tmux capture-pane -e -p -S - -t "=$1:" | grep -c $'\033\\[31m[^ ]*! look at'
}
is "what wants looking at is red" "$(red wrong)" 1
term_open plain bash -c 'cd "$1" && shift && exec "$@"' _ \
	"$work" "$UMPIRE" verify wrong.jsonl
term_exits "without colours, too" plain 0
is "then there is none" "$(red plain)" 0
like "but the mark" <(term_all plain) '^! look at  the game is decided'
is "programs have the same" "$("$UMPIRE" verify --json "$work/wrong.jsonl" \
	--known "$work/known" --operator player-2 | jq -c '[.looks[].what]')" \
	'["unfinished","restored","forfeit","clocks","unknown","operator"]'
is "and what each side did" "$("$UMPIRE" verify --json "$work/wrong.jsonl" |
	jq -c '[.texts_missing, .result.how, .result.winner, (.sides[] |
	[.objections, .takebacks, .changes, .notices, .claims,
	.claims_without_effect])]')" \
	'[1,"forfeit",2,[0,1,0,0,0,0],[1,0,1,1,1,1]]'
"$UMPIRE" log "$work/wrong.jsonl" --format markdown >"$out"
like "the published game has them, too" "$out" \
	'^.*Look at.*line 21 ends the game by the clock'
"$UMPIRE" log "$work/fine.jsonl" --format html >"$out"
unlike "but where there is none" "$out" 'Look at'
exits 1 "they are of no one event" "$UMPIRE" verify --event \
	"$work/wrong.jsonl" "$work/fine.jsonl"
like "as one of them is of none" "$err" 'fine\.jsonl: the game names no event'
like "their table leaves their folder out, and tells what to look at" "$out" \
	'^  wrong\.jsonl +good +forfeit +player-2 +22 +2 +! unfinished, restored, forfeit'

# ---- one copy goes back, in the open, where the other goes on ----

lost=$(grep -n '"what":"restored"' "$work/wrong.jsonl" | cut -d: -f1)
{
	head -n $((lost - 1)) "$work/wrong.jsonl"
	python3 "$top_srcdir/tests/e2e/verdict.py" --other "$UMPIRE" "$work" |
		sed -n "${lost}p"
} >"$work/before.jsonl"
exits 1 "their copy lost lines and says so" "$UMPIRE" verify \
	"$work/before.jsonl" --against "$work/wrong.jsonl" --no-rules
like "which is no equivocation" "$err" \
	"line $((lost - 1)): theirs went back, in the open"
unlike "of which nobody is accused" "$err" equivocation
like "what each has is told" "$out" \
	"^line $((lost - 1)): yours a chat of player-1, theirs goes back, in the open"
exits 1 "and the other way round" "$UMPIRE" verify "$work/wrong.jsonl" \
	--against "$work/before.jsonl"
like "it is ours" "$err" 'yours went back, in the open'
is "for programs" "$("$UMPIRE" verify --json "$work/wrong.jsonl" --against \
	"$work/before.jsonl" 2>/dev/null | jq -c '[.lost, .equivocation]')" \
	'[true,false]'
finish
