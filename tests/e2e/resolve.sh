#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# umpire resolve as a program: its exit statuses, where it writes what, its
# input from a file and from standard input, and dice of its own.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

scenario=$work/scenario.json

# resolves WHAT FILTER: a case; the example changed by a jq filter works, and
# says so in one line of JSON.
resolves() {
	jq "$2" "$example" >"$scenario"
	run "$UMPIRE" resolve "$scenario"
	if [ "$status" = 0 ] && [ ! -s "$err" ] && [ "$(wc -l <"$out")" = 1 ] &&
		jq -e 'has("system") and has("status") and has("events")' \
			"$out" >/dev/null; then
		pass "$1"
	else
		fail "$1"
		show_run
	fi
}

# refused_at WHAT PLACE: a case about the last run: status 65, one line on
# stderr that names the place, nothing on stdout.
refused_at() {
	if [ "$status" = 65 ] && [ ! -s "$out" ] &&
		[ "$(wc -l <"$err")" = 1 ] &&
		grep -Eq "^umpire: in ([^ ]*|standard input) at $2: ." "$err"; then
		pass "$1"
	else
		fail "$1" "wanted: umpire: in FILE at $2: ..."
		show_run
	fi
}

# refuses WHAT PLACE FILTER
refuses() {
	jq "$3" "$example" >"$scenario"
	run "$UMPIRE" resolve "$scenario"
	refused_at "$1" "$2"
}

# ---- what works ----

resolves "the complete example" 'del(.note, .expect)'
is "it is resolved" "$(filter .status <"$out")" resolved
is "with the result of the book" "$(filter .result <"$out" | jq -S .)" \
	"$(jq -S .expect.result "$example")"
cp "$out" "$work/resolved"
jq 'del(.note, .expect)' "$example" >"$work/plain.json"
run bash -c "\"$UMPIRE\" resolve - <\"$work/plain.json\""
is "standard input works" "$status" 0
cp "$out" "$work/again"
exits 0 "and gives the same bytes" cmp "$work/again" "$work/resolved"
run "$UMPIRE" resolve "$work/plain.json"
cp "$out" "$work/again"
exits 0 "so does a second run" cmp "$work/again" "$work/resolved"
run "$UMPIRE" resolve --json "$work/plain.json"
cp "$out" "$work/again"
exits 0 "so does --json" cmp "$work/again" "$work/resolved"
exits 0 "--text works" "$UMPIRE" resolve --text "$work/plain.json"
like "it tells the dice" "$out" '^Roll 1d6 \(score, .*\): 5$'
like "it tells a modifier with its reason" "$out" '\+1 defends a strong position'
is "it tells each unit's score" "$(grep -Ec '^Score of [a-z]+-[a-z0-9]: [0-9]+$' \
	"$out")" 6
is "it is no JSON" "$(grep -c '^{' "$out")" 0

# ---- a question that is open ----

resolves "a scenario whose decisions end" \
	'del(.note, .expect) | .script.decisions = []'
is "it is pending" "$(jq -c '[.status, .pending.side, .pending.kind]' "$out")" \
	'["pending","defender","retire"]'
is "the options are told" "$(filter .pending.options <"$out")" \
	'{"units":{"some":["austrian-3"]}}'
is "there is no result yet" "$(jq 'has("result")' "$out")" false
run "$UMPIRE" resolve --text "$scenario"
like "--text tells the question" "$out" 'which of its engaged artillery'
resolves "after the first decision" \
	'del(.note, .expect) | .script.decisions |= .[:1]'
is "the next is pending" "$(jq -c '[.status, .pending.side, .pending.kind]' \
	"$out")" '["pending","attacker","stagger"]'

# ---- dice of its own ----

some_dice=
for _ in 1 2 3 4 5 6 7 8; do
	resolves "without scripted dice" \
		'del(.note, .expect, .script.dice) | .script.decisions |= .[:1]'
	some_dice="$some_dice $(jq -c '[.events[] | select(.e == "roll") |
		.dice[]]' "$out")"
done
is "they lie between 1 and 6" \
	"$(tr -d '[],' <<<"$some_dice" | grep -c '[^1-6 ]')" 0
is "they are not the same each time" \
	"$(tr ' ' '\n' <<<"$some_dice" | grep . | sort -u | wc -l |
		awk '{ print ($1 > 4) }')" 1

# ---- what is refused ----

refuses "a fact that there is not" 'combat\.contacts\[1\]\.egde' \
	'del(.note, .expect) | .combat.contacts[1].egde = "front"'
refuses "an edge that there is not" 'combat\.contacts\[2\]\.edge' \
	'del(.note, .expect) | .combat.contacts[2].edge = "top"'
refuses "a unit twice" 'combat\.defenders\[1\]\.id' \
	'del(.note, .expect) | .combat.defenders[1].id = "austrian-1"'
refuses "a strength that is none" 'combat\.attackers\[0\]\.strength' \
	'del(.note, .expect) | .combat.attackers[0].strength = 0'
refuses "a system that there is not" 'system' \
	'del(.note, .expect) | .system = "chess"'
refuses "an unknown key at the top" 'colour' \
	'del(.note, .expect) | .colour = 1'
refuses "a ruling that there is not" 'rulings\.luck' \
	'del(.note, .expect) | .rulings = {luck: true}'
refuses "a die that is missing" 'script\.dice.*' \
	'del(.note, .expect) | del(.script.dice["score/french-c"])'
refuses "a die out of range" 'script\.dice.*' \
	'del(.note, .expect) | .script.dice["score/french-c"] = [7]'
refuses "a die too many" 'script\.dice.*' \
	'del(.note, .expect) | .script.dice["score/french-c"] = [1, 2]'
refuses "an illegal decision" 'script\.decisions\[0\].*' \
	'del(.note, .expect) | .script.decisions[0].units = ["austrian-1"]'
refuses "a decision of another kind" 'script\.decisions\[0\].*' \
	'del(.note, .expect) | .script.decisions |= reverse'
refuses "a decision left over" 'script\.decisions.*' \
	'del(.note, .expect) | .script.decisions += [.script.decisions[0]]'
run "$UMPIRE" resolve --text "$scenario"
refused_at "the same with --text" 'script\.decisions.*'

# malformed WHAT TEXT: a case; the text is no scenario at all.
malformed() {
	printf "$2" >"$scenario"
	run "$UMPIRE" resolve "$scenario"
	if [ "$status" = 65 ] && [ ! -s "$out" ] && [ "$(wc -l <"$err")" = 1 ]; then
		pass "$1"
	else
		fail "$1"
		show_run
	fi
}

malformed "JSON that stops" '{"system":'
malformed "a key twice" '{"system":"lasalle2","system":"lasalle2"}'
malformed "an array" '[]'
malformed "a number" '7'
malformed "nothing" ''
malformed "a byte that is no UTF-8" '{"system":"\xff"}'
malformed "a number with a fraction" '{"system":"lasalle2","combat":1.5}'

# ---- files and usage ----

exits 66 "a file that is not there" "$UMPIRE" resolve "$work/none.json"
is "nothing on stdout" "$(cat "$out")" ''
is "one line on stderr" "$(wc -l <"$err")" 1
exits 66 "a folder" "$UMPIRE" resolve "$work"
exits 64 "no file" "$UMPIRE" resolve
is "nothing on stdout" "$(cat "$out")" ''
exits 64 "two files" "$UMPIRE" resolve "$work/plain.json" "$work/plain.json"
exits 64 "an unknown option" "$UMPIRE" resolve --fast "$work/plain.json"
exits 0 "no home is needed" env -i "$UMPIRE" resolve "$work/plain.json"

# ---- which of several causes it was ----

# tells SYSTEM SCENARIO TEXT: its log has this, across the ends of lines.
tells() {
	"$UMPIRE" resolve --text "$top_srcdir/tests/rules/$1/$2.json" |
		tr -s ' \n' ' ' >"$work/flat"
	echo >>"$work/flat"
	like "$1: $2 tells its cause" "$work/flat" "$3"
}

tells lasalle2 cavalry-trapped-on-both-flanks \
	'must stagger, but was hit on both flanks: it breaks'
tells lasalle2 cavalry-trapped-on-both-flanks \
	'outscored by 2, less than three\.'
tells lasalle2 outscored-by-three 'outscored by 3, three or more\.'
tells lasalle2 attacker-without-a-path 'poor formation: [a-z0-9]+ on its rear'
tells lasalle2 strong-behind-cover 'come across a wall and earthworks'
tells invasion-1812 defence-quartered \
	'divided by 4, rounded down \(fought more than once before in this turn\)'
tells invasion-1812 support-quartered \
	'divided by 4, .*\(fought before and force marched in this turn\)'
tells invasion-1812 defence-supports 'attacks into a marsh'
tells leniston-2009 skirmish-from-cover 'the enemy is in woods'

# ---- against a second reading of the rules ----

if command -v python3 >/dev/null; then
	seed=$RANDOM
	count=$(some 60 15 300)
	exits 0 "$count combats of seed $seed agree with a second reading" \
		python3 "$top_srcdir/tests/oracle/random_combats.py" \
		--umpire "$UMPIRE" --count "$count" --seed "$seed"
	like "all were compared" "$out" "^$count agree, 0 disagree"
else
	skip "combats agree with a second reading" "no python3"
fi
finish
