#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What people are called: the name beside an account is shown wherever names
# are read, stands in the record (so that a file of it has it, too), and passes
# for nobody else.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

need python3
start_umpired "$work/daemon" || exit 99
write_example "$work"

# member NAME ARGUMENT...: a player with an account.
member() {
	local who=$1
	shift
	init_player "$who" || exit 99
	run umpire_as "$who" register "$who" --trust "$@"
	[ "$status" = 0 ] || {
		show_run
		exit 99
	}
}

# ---- an account and its name ----

init_player bert || exit 99
for wrong in 'bert (anna)' 'anna, bert' ' Bert' 'Bert  B.' '...' '' \
	"$(printf 'Bert\nB.')" "$(printf 'B\342\200\256ert')" \
	"$(printf 'b%.0s' {1..41})"; do
	exits 64 "register takes no name '${wrong@Q}'" \
		umpire_as bert register bert --trust --display "$wrong"
done
like "and says what a name is" "$err" '"Anna K\."'
member anna --display 'Anna K.'
member bert --display 'Bert Müller'
member carl
exits 0 "register once more" umpire_as anna register anna --display 'Another A.'
like "keeps the name" "$err" "People see you as 'Anna K\.', as before"
like "which cannot be changed, but in another account" "$err" \
	'umpire init --profile NAME'
exits 0 "the profile has it" grep -q '^display = Anna K\.$' \
	"$work/players/anna/config/umpire/default/config"

# ---- in a game ----

exits 0 "a game" umpire_as anna new --roster "$work/roster.json" --name evening
game=$(sed -n 's/^  game  *//p' "$out")
exits 0 "carl lists it" umpire_as carl games --all
like "by the name" "$out" ' Anna K\. +\(free\) '
umpire_as carl games --all --json >"$out"
is "programs get both" "$(filter '[.[0].seats[0], .[0].names.anna]' <"$out")" \
	'["anna","Anna K."]'
exits 0 "bert is invited" umpire_as anna invite evening bert
exits 0 "and sees by whom" umpire_as bert todo
like "by the name" "$out" 'against Anna K\.$'
exits 0 "invitations" umpire_as bert games --invited
like "too" "$out" ' Anna K\. +\(free\) '
run umpire_as bert join "$game" --name evening --yes
is "bert joins" "$status" 0
like "and reads whom he joins" "$out" 'seat 1, French: Anna K\.$'
exits 0 "anna is ready" umpire_as anna ready evening
exits 0 "show" umpire_as anna show evening
like "has both in its head" "$out" 'French \(Anna K\.\).*Austrians \(Bert Müller\)'
exits 0 "show for programs" umpire_as anna show evening --json
is "has the account and the name" \
	"$(filter '[.seats[] | select(.seat > 0) | .account, .display]' <"$out")" \
	'["anna","Anna K.","bert","Bert Müller"]'
exits 0 "own games" umpire_as anna games
like "have the opponent's name" "$out" ' Bert Müller '
exits 0 "whose move it is" umpire_as bert show evening
like "is told by the name" "$out" 'Anna K\. \(French\)'
player bert python3 "$top_srcdir/tests/e2e/terminal.py" run "$work/tty" 80 \
	"$UMPIRE" play evening <<'END'
wait >
type quit
END
like "in play, too" "$work/tty" 'Waiting for Anna K\. \(French\)'
exits 0 "an offer" umpire_as anna offer evening draw --yes
exits 0 "waits" umpire_as bert todo
like "from the name" "$out" 'against Anna K\.$'
exits 0 "and can be declined" umpire_as bert decline evening --yes
like "by the name" "$out" 'Bert Müller declines'
exits 0 "chat" umpire_as bert say evening "good evening"
like "has the name" "$out" 'Bert Müller: good evening'
umpire_as anna declare evening "$work/combat.json" --yes >"$out" 2>&1
like "so has a combat" "$out" 'Anna K\. declares'
exits 0 "what waits for whom" umpire_as anna show evening
like "has it" "$out" 'Bert Müller \(Austrians\)'

# ---- a record ----

umpire_as anna export evening -o "$work/evening.jsonl" >/dev/null
player nobody "$UMPIRE" verify "$work/evening.jsonl" >"$out" 2>&1
is "the record verifies" $? 0
for format in text markdown bbcode html; do
	player nobody "$UMPIRE" log "$work/evening.jsonl" \
		--format $format >"$work/told.$format"
	like "$format of a file has the names" "$work/told.$format" \
		'Anna K\\?\. (joins|opens the game)'
	unlike "and no accounts" "$work/told.$format" '\b(anna|bert)\b'
done
player nobody "$UMPIRE" log "$work/evening.jsonl" --json >"$out"
is "programs get both" "$(filter '[.[0].account, .[0].display]' <"$out")" \
	'["anna","Anna K."]'
# Who erases the side line takes the name away.
grep -v '^{"text":' "$work/evening.jsonl" >"$work/erased.jsonl"
player nobody "$UMPIRE" log "$work/erased.jsonl" >"$out"
like "an erased name is the account" "$out" 'anna opens the game'
player nobody "$UMPIRE" verify "$work/erased.jsonl" >"$out" 2>&1
is "and no fault" $? 0

# ---- who passes for somebody else ----

member dora --display 'Anna K.'
member emil --display 'bert'
member fred --display "$(printf '\320\220nna K.')"
for who in dora emil fred; do
	umpire_as $who new --roster "$work/roster.json" --name "by-$who" \
		>"$out" 2>&1
	is "$who opens a game" $? 0
done
exits 0 "carl lists all" umpire_as carl games --all
like "two of one name stand with their accounts" "$out" ' Anna K\. \(dora\) '
like "both of them" "$out" ' Anna K\. \(anna\) '
like "so does whose name is another's account" "$out" ' bert \(emil\) '
like "and who writes in other letters" "$out" 'nna K\. \(fred\) '
exits 0 "in a game alone" umpire_as dora show by-dora
like "a name needs no account" "$out" 'French \(Anna K\.\)'
finish
