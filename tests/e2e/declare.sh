#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# How much is typed for a combat of one against one in which nothing is
# special: in each system, in `umpire play`, from the choice to declare one to
# the yes after which dice fall.  The first takes eight lines at most, another
# one like it four: what is nearly always so is assumed, and what was said of
# units before is proposed, out of the verified record.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_fixed
need python3 jq
spy=$top_srcdir/tests/e2e/terminal.py
samples=$top_srcdir/etc/samples
first_most=8
again_most=4

# typed FILE LINE...: anna types these in `umpire play $table`, each at a
# prompt, and quits; FILE has all that she sees.
typed() {
	local seen=$1 line
	shift
	for line in "$@" quit; do
		printf 'wait >\ntype %s\n' "$line"
	done >"$work/steps"
	runs=$((runs + 1))
	player anna env UMPIRE_TEST_NOW="$fixed_now" \
		UMPIRE_TEST_SEED="anna $table $runs" \
		python3 "$spy" run "$seen" 80 "$UMPIRE" play "$table" \
		<"$work/steps"
}

# asked FILE STEP... -- OPTION...: anna types these at `umpire declare $table`.
asked() {
	local seen=$1
	shift
	: >"$work/steps"
	while [ "$1" != -- ]; do
		printf 'wait >\ntype %s\n' "$1" >>"$work/steps"
		shift
	done
	shift
	runs=$((runs + 1))
	player anna env UMPIRE_TEST_NOW="$fixed_now" \
		UMPIRE_TEST_SEED="anna $table $runs" \
		python3 "$spy" run "$seen" 80 "$UMPIRE" declare "$table" "$@" \
		<"$work/steps"
}

# forgets: nothing is left of what anna has answered.
forgets() {
	rm -f "$(player_data anna)"/games/*.draft
}

# begins SYSTEM: anna against bert, with the rosters for an evening.
begins() {
	table=$1
	as anna new --roster "$samples/$1-evening.json" --name "$1" >"$out"
	game=$(sed -n 's/^  game  *//p' "$out")
	as bert join --yes "$game" --name "$1" >/dev/null 2>&1
	as anna ready "$1" >/dev/null 2>&1
}

# combats: those of the record, one a line.
combats() {
	as anna export "$table" -o "$work/$table.jsonl" >/dev/null
	jq -cS '.order? // empty | fromjson | select(.kind == "declare") |
		.args.combat' "$work/$table.jsonl"
}

# fights: answers what is owed by the first command that is shown, until anna
# may declare again.
fights() {
	local who command i
	for ((i = 0; i < 12; i++)); do
		for who in anna bert; do
			command=$(as "$who" show "$table" --json |
				jq -r '.commands[0] // ""')
			case $who,$command in
			*'umpire decide '*)
				runs=$((runs + 1))
				UMPIRE_TEST_NOW=$fixed_now \
					UMPIRE_TEST_SEED="$who $runs" \
					player "$who" env PATH="$work/bin:$PATH" \
					bash -c "$command --yes" >/dev/null 2>&1
				;;
			anna,*' declare '*) return 0 ;;
			bert,*' declare '*)
				as bert end-turn "$table" --yes >/dev/null
				;;
			esac
		done
	done
	return 1
}

# recovers UNIT WORD...: each word as an adjustment, which bert accepts; what
# the unit is already is refused.
recovers() {
	local unit=$1 word
	shift
	for word in "$@"; do
		as anna adjust "$table" "$unit" "$word" --why "for the test" \
			--yes >/dev/null 2>&1 &&
			as bert accept "$table" --yes >/dev/null
	done
}

# is_short SYSTEM UNITS WORDS LINE...: the first combat by these lines, then,
# the units recovering by the words so that they are fit for it, the same.
is_short() {
	local system=$1 units=$2 words=$3 unit n
	shift 3
	begins "$system"
	n=$#
	holds "$system: a first combat is typed" typed "$work/first" "$@"
	is "$system: it is declared" "$(combats | wc -l)" 1
	holds "$system: with $n lines" [ "$n" -le "$first_most" ]
	like "$system: what is assumed is told before" "$work/first" \
		'^Assumed \(n changes it\): '
	unlike "$system: nothing is proposed yet" "$work/first" 'as last time'
	holds "$system: it is fought" fights
	# shellcheck disable=SC2086 # words
	for unit in $units; do
		recovers "$unit" $words
	done
	again=(1 '' y)
	holds "$system: another one is typed" \
		typed "$work/again" "${again[@]}"
	like "$system: the last one is proposed" "$work/again" \
		'^The same again\?'
	holds "$system: with ${#again[@]} lines" \
		[ "${#again[@]}" -le "$again_most" ]
	is "$system: it is the same" "$(combats | uniq -c | tr -s ' ' |
		cut -d ' ' -f 2)" 2
}

mkdir "$work/bin"
ln -s "$(command -v "$UMPIRE")" "$work/bin/umpire"
begin_fixed "$work/umpired"

is_short invasion-1812 'davout-inf1 borozdin-inf1' 'out=none disrupted=no' \
	1 davout-inf1 davout borozdin-inf1 bagration '' y
is_short leniston-2009 'pr-16 fr-simmer' 'out=none state=formed' \
	1 melee pr-16 fr-simmer '' y
is_short imagi-nations '' '' 1 pr-gren au-gren '' y
is_short tlnb '' '' 1 attack fr-og-1 al-rech '' y
is_short lasalle2 '' '' 1 fr-line-1 line au-ir-1 line '' y

# ---- what is proposed, and what is not ----

# A combat from a file is remembered like any other.
jq -n '{attackers: [{id: "fr-line-1", formation: "column"}],
	defenders: [{id: "au-ir-1", formation: "line"}],
	contacts: [{attacker: "fr-line-1", defender: "au-ir-1",
		edge: "left"}]}' >"$work/combat.json"
holds "the second combat is fought, too" fights
recovers fr-line-1 out=none strength=6
recovers au-ir-1 out=none strength=7
exits 0 "a combat from a file" as anna declare lasalle2 "$work/combat.json" --yes
declared=$(sed -n 's/^ *\([0-9]*\)  .* anna declares.*/\1/p' "$out")
holds "it is fought" fights
recovers fr-line-1 out=none strength=6
recovers au-ir-1 out=none strength=7
typed "$work/seen" 1 n fr-line-1 '' au-ir-1 '' q
like "it is proposed" "$work/seen" '^    61st Line, 1st battalion on Regiment Marolt, 1st battalion: left flank'
like "else the formation of its attacker is" "$work/seen" \
	'^1-4, b: back, q: quit, \?: help \[2\]>'
like "and the edge of its contact assumed, and told" "$work/seen" \
	'edge of 61st Line, 1st battalion on Regiment Marolt, 1st'
like "as being so before" "$work/seen" 'as last$|\(as last time\)'
forgets
typed "$work/seen" 1 n fr-line-1 '' au-ir-2 line q
like "which is told of another enemy, too" "$work/seen" '^Assumed'
unlike "but not proposed for it" "$work/seen" 'Assumed.*left flank'
forgets
as anna offer lasalle2 takeback "$declared" --yes >/dev/null
exits 0 "it is taken back" as bert accept lasalle2 --yes
typed "$work/seen" 1 q
like "the one before is proposed then" "$work/seen" \
	'^    61st Line, 1st battalion on Regiment Marolt, 1st battalion: front'
recovers fr-line-1 out=left
typed "$work/seen" 1 q
unlike "and none whose units are not all there" "$work/seen" 'The same again'
like "all is asked instead" "$work/seen" '^Which of your units attack\?'
is "nothing was declared by looking" "$(combats | wc -l)" 3

# ---- what was answered is not asked again ----

# tells FILE REGEX...: lines of it match these, in this order.
tells() {
	local at=0 n regex
	sed 's/\x1b\[[0-9;?]*[A-Za-z]//g' "$1" | tr -d '\r' >"$work/plain"
	shift
	for regex in "$@"; do
		n=$(tail -n +$((at + 1)) "$work/plain" | grep -nE -m 1 -- "$regex" |
			cut -d : -f 1)
		[ -n "$n" ] || {
			printf 'no "%s" below line %d\n' "$regex" "$at" >&2
			return 1
		}
		at=$((at + n))
	done
}

forgets
typed "$work/seen" 1 fr-line-2 line au-ir-2 line '' b b '' '' n b n 1 1 q
holds "b at the last question goes back, to the last answer at last" \
	tells "$work/seen" '^Declare this combat\?' '^This is the combat:' \
	'^Is this right\?' '^Formation of .*2nd battalion\?' '\[1\]> *$' \
	'^Declare this combat\?'
holds "no asks what is to become of it" tells "$work/seen" \
	'o: odds.*> n' '^  1  Change it' '> b' '^Declare this combat\?' \
	'o: odds.*> n' '> 1' '^What do you want to change\?' \
	'^Which of your units attack\?' '\[3\]> *q'
like "who leaves is told that it is kept" "$work/seen" \
	'^  What you answered is kept; to go on: declare'
is "and nothing was sent" "$(combats | wc -l)" 3
asked "$work/seen" '' n 1 '' column '' -- --check
holds "it is gone on with, and what was said is proposed" tells "$work/seen" \
	'^You began to declare a combat, which was not sent \(4 answers\)\.' \
	'^This is the combat:' '^Is this right\?.*> n' \
	'\[3\]> *$' '\[1\]> column' '^The combat is lawful\.' \
	'What you answered is kept; to go on: umpire declare lasalle2'
typed "$work/seen" 1 b 1 '' '' n 2 1 '' '' y
is "after a look, too, it is declared without being typed" \
	"$(combats | tail -n 1 | jq -c .attackers)" \
	'[{"formation":"column","id":"fr-line-2"}]'
holds "it is fought" fights
typed "$work/seen" 1 q
unlike "and forgotten" "$work/seen" 'You began to declare'
typed "$work/seen" 1 n fr-line-3 q 1 n n q
holds "no throws it away" tells "$work/seen" 'Go on with it\?.*> n' \
	'^(The same again|Which of your units attack)\?'
forgets
typed "$work/seen" 1 n fr-line-3 line au-ir-3 line '' n 3 1 q
holds "so does who says so" tells "$work/seen" '^  3  Throw it away' \
	'nothing was sent' 'your move> 1'
unlike "and nothing is kept" "$work/seen" 'is kept; to go on|You began'

# ---- what was objected to ----

as anna new --roster "$samples/lasalle2-evening.json" --name told --confirm \
	>"$out"
game=$(sed -n 's/^  game  *//p' "$out")
as bert join --yes "$game" --name told >/dev/null 2>&1
as anna ready told >/dev/null 2>&1
table=told
typed "$work/seen" 1 fr-line-2 line au-ir-2 line '' y
exits 0 "bert objects" as bert answer told object --why "it is in column"
typed "$work/seen" 1 1 '' column '' y
holds "the reason is told, and what is to change asked" tells "$work/seen" \
	'^Objected to \(line 4\): it is in column' '^This is the combat:' \
	'^What do you want to change\?' '\[4\]> *$' '\[1\]> column' \
	'^Declare this combat\?'
is "it is declared as changed" "$(combats | jq -c '.attackers[0].formation')" \
	"$(printf '"line"\n"column"')"
exits 0 "bert objects without a reason" as bert answer told object
combats | tail -n 1 >"$work/combat.json"
exits 0 "it comes again from a file" as anna declare told "$work/combat.json" --yes
exits 0 "bert objects again" as bert answer told object --why "no, in line"
forgets
typed "$work/seen" 1 '' fr-line-2 q
holds "nobody has to have typed it" tells "$work/seen" \
	'^Objected to \(line [0-9]+\): no, in line' \
	'^The combat that was objected to:' '^The same again\?.*\[n\]>' \
	'^Formation of .*2nd battalion\?'
unlike "it is no combat that was fought" <(tail -n 20 "$work/seen") '\[2\]>'
forgets
typed "$work/seen" 1 y y
is "the same may be declared again" "$(combats | tail -n 2 | uniq | wc -l)" 1
exits 0 "anna gives up while it waits" as anna resign told --yes

finish
