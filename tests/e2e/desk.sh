#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Tournaments as a client has them: found by address, digits and name, shown,
# entered; the copy is verified, takes no other history, and an order that
# waits for its answer is sent again.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_hooks

start_umpired "$work/umpired" || exit 99
enrol anna bert carl dave || exit 99
anna() { umpire_as anna "$@"; }
bert() { umpire_as bert "$@"; }
{
	read -r open
	read -r private
} < <(PORT=$port TOOLS=$tools PLAYERS=$work/keys HOOKS=$work/hooks \
	OUT=$work python3 "$top_srcdir/tests/e2e/tournament.py" open)

# ---- help ----

exits 64 "what is to follow is asked for" "$UMPIRE" tournament
exits 64 "a slip is corrected" "$UMPIRE" tournament entr
like "with what may be meant" "$err" "did you mean 'enter'"
exits 0 "tournament --help lists" "$UMPIRE" tournament --help
like "what may follow" "$out" "^  enter +enter a tournament"
exits 0 "help for one of them" "$UMPIRE" help tournament enter
like "says how it is typed" "$out" \
	"^usage: umpire tournament enter .OPTION .... TOURNAMENT"
exits 0 "as --help does" "$UMPIRE" tournament enter --help
like "in the same words" "$out" \
	"^usage: umpire tournament enter .OPTION .... TOURNAMENT"

# ---- found, shown ----

exits 0 "anna is in none" anna tournament list
like "and is told where they are" "$out" "^Next: umpire tournament list --all"
exits 0 "the server's list" anna tournament list --all
like "has the open one" "$out" "${open:0:8} +Autumn cup"
unlike "not the private one" "$out" "Winter"
exits 64 "--phase takes a phase" anna tournament list --phase now
exits 66 "one that is not there" anna tournament show spring
like "is told so" "$err" "there is no tournament 'spring'"
exits 66 "three digits are too few" anna tournament show "${open:0:3}"
for word in "$open" "${open:0:8}" autumn-cup "Autumn Cup" aut; do
	exits 0 "shown by '${word:0:12}'" anna tournament show "$word"
	like "it is that" "$out" "^Autumn cup: open to enter"
done
like "with the address for all" "$out" "umpire://$server/$open#"
address=$(grep -o 'umpire://.*' "$out")
exits 0 "another profile for that server" anna --profile second init "$address"
exits 0 "has the list, too" anna --profile second tournament list --all
like "with what that profile types" "$out" \
	"^Next: umpire --profile second tournament show "
exits 66 "what is not there is named" anna --profile second show nothing
like "with commands of that profile" "$err" \
	'^  `umpire --profile second games` lists your games; '
exits 64 "wrong use" anna --profile second show
like "shows what any profile types" "$err" \
	'^  usage: umpire show .*\(more: umpire help show\)'
exits 0 "a third one" anna --profile third init --server "$server"
exits 77 "knows no server yet" anna --profile third games --all
like "whose key it pins" "$err" \
	'^ +umpire --profile third init --server-key KEY$'
exits 0 "it has no games" anna --profile second games
like "and looks for others" "$out" '`umpire --profile second games --all` lists'
run anna show nothing
like "without a profile commands have none" "$err" '^  `umpire games` lists your games; '
exits 0 "the terms are shown" anna tournament show aut --terms
like "as people read them" "$out" "format +knockout: who loses is out"
exits 0 "in 80 columns" awk 'length > 200 { exit 1 }' "$out"
exits 66 "without a server there is none" anna tournament show "$open" --offline
for what in tables standings crosstable remind; do
	exits 64 "$what takes one of two options" anna tournament $what aut \
		--csv --html
	like "and says so" "$err" "--csv or --html, not both"
done
exits 64 "--why makes no table" anna tournament standings aut --why 1 --csv
like "and says so" "$err" "--why makes no table"

# ---- entered ----

exits 64 "nobody enters unasked" anna tournament enter "$address"
like "but by --yes" "$err" "add --yes"
exits 64 "a club is a word" anna tournament enter "$address" --club "Old Guard"
exits 77 "a wrong key in the address is refused" anna tournament enter --yes \
	"${address%#*}#$(printf '%064d' 1)"
exits 0 "anna enters" anna tournament enter "$address" --yes --club guard
like "and is number 1" "$out" "You have entered, as number 1"
exits 0 "entering again does nothing" anna tournament enter autumn --yes
like "and says so" "$out" "You have entered already, as number 1"
exits 0 "it is listed" anna tournament list
like "among hers" "$out" "${open:0:8} +Autumn cup"
exits 0 "her copy is read without the server" anna tournament show autumn \
	--offline
like "and shows her" "$out" "1 +anna +guard"
exits 0 "the private one is entered by its number" bert tournament enter \
	"$private" --yes
exits 66 "others do not find it" anna tournament show winter
exits 0 "who is in it does" bert tournament show winter

# What no server takes is not signed: it would wait for its answer for ever.
exits 65 "a text that is too long is refused" anna tournament say autumn \
	"$(printf '%5000s' x)"
exits 65 "one that is no UTF-8 is" anna tournament say autumn $'a\xff'
exits 65 "and one that is empty" anna tournament say autumn ""
exits 0 "nothing waits" anna tournament send autumn
like "after that" "$out" "No order of yours waits here"

# ---- an order that has no answer ----

stop_umpired || fail "umpired ends"
exits 69 "without a server nothing is signed" bert tournament enter autumn --yes
start_umpired "$work/umpired" || exit 99
umpire_as anna init --server "$server" >/dev/null 2>&1
umpire_as bert init --server "$server" >/dev/null 2>&1
copies=$work/players/anna/data/umpire/default/games
exits 0 "bert enters" bert tournament enter autumn --yes
exits 0 "anna sees him" anna --json tournament show autumn
is "as the second" "$(jq -c '[.entrants[].account]' "$out")" '["anna","bert"]'

# The copy on the disk is verified when it is read.
sed -i '2s/guard/gward/' "$copies/$open.tournament"
exits 65 "a changed copy is noticed" anna tournament show autumn
like "with its line" "$err" "damaged at line 2"
rm "$copies/$open.tournament"
exits 0 "and fetched anew" anna tournament show autumn
stop_umpired || fail "umpired ends well"

# ---- two histories by one key ----

cp -r "$work/umpired" "$work/other"
here() { # here WHO: that player's profile knows where the server is now
	umpire_as "$1" init --server "$server" >/dev/null 2>&1
}
start_umpired "$work/umpired" || exit 99
here carl && here anna
exits 0 "carl enters" umpire_as carl tournament enter autumn --yes
exits 0 "anna has that line" anna tournament show autumn
stop_umpired || fail "umpired ends well again"
start_umpired "$work/other" || exit 99
here dave && here anna
exits 0 "dave enters instead" umpire_as dave tournament enter autumn --yes
exits 76 "one that signed two lines is" anna tournament show autumn
like "with a file" "$err" "signed two different lines 3 of this tournament"
exits 0 "her copy is as it was" anna --json tournament show autumn --offline
is "with carl in it" "$(jq -c '[.entrants[].account]' "$out")" \
	'["anna","bert","carl"]'
proof=$(echo "$copies/$open.tournament-evidence"-*)
exits 0 "the file proves it" umpire_as dave verify --evidence "$proof"
like "to anybody" "$out" "two different lines 3 +of one tournament" || cat "$out"
sed '1s/"seq":3/"seq":2/' "$proof" >"$work/forged"
exits 1 "a forged one does not" umpire_as dave verify --evidence "$work/forged"
head -n 3 "$proof" >"$work/short"
exits 1 "nor one cut short" umpire_as dave verify --evidence "$work/short"
stop_umpired || fail "umpired ends"

# ---- an old backup is put back ----

dir=$work/umpired db=$work/umpired/umpired.db

# backup NAME, putback NAME [file]: with it, the file of last lines as it was.
backup() {
	"$UMPIRED" -c "$dir/umpired.conf" --backup "$work/$1.db" >/dev/null &&
		cp "$db.heads" "$work/$1.heads"
}
putback() {
	stop_umpired
	rm -f "$db" "$db-wal" "$db-shm"
	cp "$work/$1.db" "$db"
	[ -z "${2:-}" ] || cp "$work/$1.heads" "$db.heads"
	start_umpired "$dir" -o admin_socket=admin.sock || exit 99
	for who in anna bert emil dirk; do
		umpire_as $who init --server "$server" >/dev/null 2>&1
	done
}

start_umpired "$dir" || exit 99
for who in anna bert; do
	umpire_as $who init --server "$server" >/dev/null 2>&1
done
enrol emil dirk || exit 99
backup night
exits 0 "emil enters" umpire_as emil tournament enter autumn --yes
exits 0 "anna's copy has that" anna tournament show autumn
cp "$copies/$open.tournament" "$work/before"
at=$(($(wc -l <"$work/before") - 1))
putback night
exits 75 "meanwhile it takes no orders" umpire_as dirk tournament enter autumn \
	--yes
exits 0 "anna does something" anna todo
like "her copy gives the line back" "$err" \
	"had lost 1 line of the tournament 'autumn-cup'.*"
like "and she need do nothing" "$err" "you need do nothing"
rm "$copies/$open.tournament"
exits 0 "what there is now" anna tournament show autumn
exits 0 "is what there was" anna todo
holds "byte for byte" cmp "$work/before" <(umpire_as emil tournament show \
	autumn >/dev/null 2>&1
cat "$work/players/emil/data/umpire/default/games/$open.tournament")

putback night
exits 0 "the operator gives the line up" umpire_as anna admin restored \
	"${open:0:12}" --why "nobody has it" --yes --socket "$dir/admin.sock"
exits 0 "who holds it is told" umpire_as emil tournament show autumn
like "where that begins" "$err" \
	"says in line $at of 'autumn-cup' that the lines from there on"
like "that nobody has to accept it" "$err" "Nobody has to accept that"
lost=$work/players/emil/data/umpire/default/games/$open.tournament-lost-$at
holds "the lines are kept" cmp "$work/before" <(head -n $((at + 1)) "$lost")
exits 0 "they prove what the server signed" "$UMPIRE" verify \
	"$work/players/emil/data/umpire/default/games/$open".tournament-evidence-*
like "in words" "$out" "two different lines $at"
like "about a tournament" "$out" "different lines $at of one tournament"
exits 0 "he enters again" umpire_as emil tournament enter autumn --yes

# A machine that was set back, and somebody who came first.
putback night file
exits 0 "another enters" umpire_as dirk tournament enter autumn --yes
exits 76 "who has another history keeps the proof" umpire_as emil todo
like "and is told" "$err" "signed two different lines $at of this"
exits 0 "his copy is as it was" umpire_as emil tournament show autumn --offline
is "with his line" "$(grep -c '"kind":"server","what":"restored"' \
	"$work/players/emil/data/umpire/default/games/$open.tournament")" 1
stop_umpired || fail "umpired ends well"
finish
