#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# umpire odds as a program: what it refuses, its output for people, for
# programs and as a picture, exact and sampled, on a terminal and off it.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

scenario=$work/scenario.json

# scenario FILTER: the example without its script, changed by a jq filter.
scenario() {
	jq "del(.note, .expect, .script) | $1" "$example" >"$scenario"
}

# refuses WHAT PLACE FILTER [OPTION...]: a case: status 65, one line on stderr
# that names the place, nothing on stdout.
refuses() {
	local what=$1 place=$2
	scenario "$3"
	shift 3
	run "$UMPIRE" odds "$@" "$scenario"
	if [ "$status" = 65 ] && [ ! -s "$out" ] &&
		[ "$(wc -l <"$err")" = 1 ] &&
		grep -Eq "^umpire: in [^ ]* at $place: ." "$err"; then
		pass "$what"
	else
		fail "$what" "wanted: umpire: in FILE at $place: ..."
		show_run
	fi
}

# misused WHAT OPTION...: a case: status 64, nothing on stdout.
misused() {
	local what=$1
	shift
	exits 64 "$what" "$UMPIRE" odds "$@"
	is "... nothing on stdout" "$(cat "$out")" ''
}

# narrow WHAT: a case: no line of the last run has over 80 columns.
narrow() {
	holds "$1" test "$(wc -L <"$out")" -le 80
}

# ---- what is refused ----

scenario .
misused "no file"
misused "two files" "$scenario" "$scenario"
misused "an unknown option" --fast "$scenario"
misused "--exact and --samples" --exact --samples 100 "$scenario"
misused "--exact and --seed" --exact --seed 1 "$scenario"
for n in '' 0 99 1000000001 -5 1e6 100x 99999999999999999999; do
	misused "--samples '$n'" --samples "$n" "$scenario"
done
for n in '' x -1 0x10 9007199254740992 99999999999999999999; do
	misused "--seed '$n'" --seed "$n" "$scenario"
done
misused "--samples without a number" "$scenario" --samples
misused "--svg without a file" "$scenario" --svg
misused "--svg without a name" --svg '' "$scenario"
misused "--svg to standard output" --svg - "$scenario"
exits 66 "a file that is not there" "$UMPIRE" odds "$work/none.json"
is "nothing on stdout" "$(cat "$out")" ''
exits 66 "a folder" "$UMPIRE" odds "$work"
for text in '' '[]' '7' '{"system":' '{"system":"lasalle2","system":1}'; do
	printf '%s' "$text" >"$work/bad.json"
	exits 65 "no scenario: '$text'" "$UMPIRE" odds "$work/bad.json"
done
exits 65 "the example with its script" "$UMPIRE" odds "$example"
like "... is refused at its place" "$err" '^umpire: in [^ ]* at script: .'
refuses "an empty script" script '.script = {}'
refuses "a system that there is not" system '.system = "chess"'
refuses "a fact that there is not" 'combat\.contacts\[1\]\.egde' \
	'.combat.contacts[1].egde = "front"'
refuses "a policy that is no object" policy '.policy = []'
refuses "a policy of null" policy '.policy = null'
refuses "a kind that there is not" 'policy\.charge' \
	'.policy = {charge: "all"}'
refuses "a word that there is not" 'policy\.retire' \
	'.policy = {retire: "some"}'
refuses "a side that there is not" 'policy\.umpire' '.policy = {umpire: {}}'
refuses "a side's kind that there is not" 'policy\.attacker\.charge' \
	'.policy = {attacker: {charge: "all"}}'
refuses "a side's word that there is not" 'policy\.defender\.retire' \
	'.policy = {defender: {retire: "some"}}'
refuses "chance with --exact" 'policy\.retire' \
	'.policy = {retire: "random"}' --exact

# ---- exact, for people ----

# Infantry of 5 against infantry of 4: worked out in tests/unit/rules/test_odds.c.
jq -n 'def unit(id; n): {id: id, arm: "infantry", strength: n,
		formation: "line"};
	{system: "lasalle2", combat: {attackers: [unit("a"; 5)],
	defenders: [unit("d"; 4)], contacts: [{attacker: "a", defender: "d",
	edge: "front"}]}}' >"$work/two.json"
exits 0 "two units" "$UMPIRE" odds "$work/two.json"
is "nothing on stderr" "$(cat "$err")" ''
like "it is exact" "$out" '^exact: all 36 outcomes of the dice$'
like "it tells the default policy" "$out" \
	'^  attacker, stagger: path \(default\); asked in 72\.22 %$'
like "the attacker's loss" "$out" '^  a: expected loss 0\.889$'
like "the defender's loss" "$out" '^  d: expected loss 1\.417$'
like "a bar in blocks" "$out" '^    in place +27\.78 %  █{15}▎$'
like "its losses" "$out" '^    losses: 0 in 11\.11 %, 1 in 88\.89 %$'
is "the combat as a whole, the most probable first" \
	"$(sed -n '/^The combat as a whole/,$p' "$out" |
		sed -E '1d; s/ %.*/ %/; s/ +/ /g')" ' held 72.22 %
 carried 27.78 %'
narrow "at most 80 columns"
unlike "no escape sequences" "$out" $'\033'
cp "$out" "$work/exact"
run bash -c "\"$UMPIRE\" odds --text - <\"$work/two.json\""
holds "standard input and --text give the same bytes" \
	cmp "$out" "$work/exact"
exits 0 "--exact" "$UMPIRE" odds --exact "$work/two.json"
holds "gives the same bytes" cmp "$out" "$work/exact"
exits 0 "--seed without a sample" "$UMPIRE" odds --seed 1 "$work/two.json"
holds "gives the same bytes" cmp "$out" "$work/exact"
exits 0 "a locale without UTF-8" env LC_ALL=C "$UMPIRE" odds "$work/two.json"
like "has bars of #" "$out" '^    in place +27\.78 %  #{15}$'
unlike "and no blocks" "$out" '█'
exits 0 "no home is needed" env -i "$UMPIRE" odds "$work/two.json"

# The page shows what is printed.
LC_ALL=C "$UMPIRE" odds "$work/two.json" | head -n 12 >"$work/shown"
awk '/^Infantry of strength 5 that attacks/ { on = 1 }
	on && /^\.Ed/ { exit }
	text { print }
	on && /^\.Bd/ { text = 1 }' "$top_srcdir/client/umpire.1" >"$work/page"
is "umpire.1 shows this combat" "$(cat "$work/page")" "$(cat "$work/shown")"

# ---- policies ----

# of FILTER: a figure of the last run.
of() {
	filter "$1" <"$out"
}

scenario '.policy = {retire: "all"}'
exits 0 "artillery that retires" "$UMPIRE" odds --json "$scenario"
is "with more outcomes" "$(of '.method, .outcomes')" 'exact
863136'
is "it retires in 21 of 36 and loses its contact" \
	"$(of '.units[5] | .id, (.ends.retired.p * 36 + 0.5 | floor)')" \
	'austrian-3
21'
is "the policy is told" \
	"$(of '.policy.defender.retire | "\(.word) \(.default) \(.asked.p)"')" \
	'all false 1'
scenario '.policy = {attacker: {retire: "all"}}'
run "$UMPIRE" odds --json "$scenario"
is "a policy of the other side changes nothing" "$(of .outcomes)" 46656
scenario '.policy = {stagger: "none", attacker: {stagger: "path"}}'
run "$UMPIRE" odds --json "$scenario"
is "a side's word goes before" \
	"$(of '.policy | .attacker.stagger.word, .defender.stagger.word')" \
	'path
none'
scenario '.policy = {stagger: "random"}'
run "$UMPIRE" odds --samples 100 "$scenario"
like "chance is told" "$out" '^  attacker, stagger: random; asked in '
run "$UMPIRE" odds --json "$scenario"
is "and makes it a sample" "$(of '.method, .samples')" 'sampled
100000'

# ---- sampled ----

scenario .
exits 0 "a sample" "$UMPIRE" odds --samples 2000 --seed 7 "$scenario"
cp "$out" "$work/sampled"
like "says so" "$out" \
	'^sampled: 2,000 combats, seed 7, 95 % intervals$'
like "has intervals of probabilities" "$out" \
	'^    staggered +9[0-9]\.[0-9]+ % +[0-9.]+ to [0-9.]+ +█'
like "and of losses" "$out" \
	'^  french-a: expected loss 0\.9[0-9]+ ± 0\.[0-9]{3}$'
narrow "at most 80 columns"
run "$UMPIRE" odds --samples 2000 --seed 7 "$scenario"
holds "the same seed gives the same bytes" cmp "$out" "$work/sampled"
run "$UMPIRE" odds --samples 2000 --seed 8 "$scenario"
holds "another seed gives others" bash -c "! cmp -s '$out' '$work/sampled'"
run "$UMPIRE" odds --samples 2000 "$scenario"
seed=$(sed -n 's/^sampled: .* seed \([0-9]*\),.*/\1/p' "$out")
cp "$out" "$work/sampled"
run "$UMPIRE" odds --samples 2000 --seed "$seed" "$scenario"
holds "a seed that was printed gives the same bytes" \
	cmp "$out" "$work/sampled"
exits 0 "the largest seed" "$UMPIRE" odds --samples 100 \
	--seed 9007199254740991 --json "$scenario"
is "is told as it is" "$(of .seed)" 9007199254740991

# Four units a side, five chits of forty, dice of twenty and ten faces: more
# outcomes than are counted.
jq -nc '{system: "imagi-nations",
	rulings: {morale_die: 10},
	policy: {attacker: {tactic: "prepared-attack"}},
	combat: ({terrain: "open"} + ({attacker: "a", defender: "d"} | map_values(
		. as $s | {units: [range(4) | "\($s)\(.)" | {id: ., lead: "\(.)b",
		battalions: [{id: "\(.)b", quality: "raw", sp: 3}],
		morale: 4}]})))}' >"$work/many.json"
exits 0 "outcomes beyond all counting" "$UMPIRE" odds --json "$work/many.json"
is "are exact, and as many as can be said" "$(of '.method, .outcomes')" 'exact
9007199254740991'
exits 0 "for people" "$UMPIRE" odds "$work/many.json"
like "they are all" "$out" '^exact: all outcomes of the dice$'

# Eight pairs: 6^16 outcomes.
jq -n '{system: "lasalle2", combat: {
	attackers: [range(8) | {id: "a\(.)", arm: "infantry", strength: 5,
		formation: "line", name: "The \(.)th Battalion of the Line, \(
		"long " * 4)"}],
	defenders: [range(8) | {id: "d\(.)-of-as-many-letters-as-it-has",
		arm: "infantry", strength: 4, formation: "line"}],
	contacts: [range(8) | {attacker: "a\(.)", edge: "front",
		defender: "d\(.)-of-as-many-letters-as-it-has"}]}}' \
	>"$work/eight.json"
exits 0 "too many outcomes" "$UMPIRE" odds --seed 1 "$work/eight.json"
like "are sampled" "$out" '^sampled: 100,000 combats, seed 1, '
narrow "at most 80 columns with long names"
exits 65 "and refused with --exact" "$UMPIRE" odds --exact "$work/eight.json"
is "nothing on stdout" "$(cat "$out")" ''
like "with what to do" "$err" 'leave --exact out'

# ---- for programs ----

exits 0 "--json" "$UMPIRE" odds --json "$work/two.json"
is "one line" "$(wc -l <"$out")" 1
is "with all its members" "$(of 'keys | join(" ")')" \
	'combat lost method other outcomes policy sides system units'
is "a unit's members" "$(of '.units[0] | keys | join(" ")')" \
	'ends id loss losses side'
is "exact figures" "$(of '.units[1] | .ends.broken.p, .loss.mean')" \
	'0.277777778
1.41666667'
is "the probabilities sum to one" \
	"$(of '[.units[] | (.ends, .losses) | [.[].p] | add] +
		[[.combat[].p] | add] | map((. * 1e6 + 0.5 | floor)) | unique |
		.[]')" 1000000
is "the losses" "$(of '.units[1].losses | length, .[4].p')" '17
0.277777778'
is "the sides" "$(of '.sides | .attacker.hits.mean, .defender.loss.mean')" \
	'0.888888889
1.41666667'
is "the whole" "$(of '.combat | map("\(.outcome) \(.p)") | join(", ")')" \
	'held 0.722222222, carried 0.277777778'
run "$UMPIRE" odds --json --samples 500 --seed 3 "$work/two.json"
is "a sample's members" "$(of 'keys | join(" ")')" \
	'combat lost method other policy samples seed sides system units'
# shellcheck disable=SC2016
is "every figure lies in its interval" \
	"$(of '[.. | objects | select(has("low")) |
		(.p // .mean) as $x | .low <= $x and $x <= .high] | all')" true

# ---- as a picture ----

svg=$work/odds.svg
jq '.combat.attackers[0].name = "<b>\"A\" & '"'B'"'</b>"' "$work/two.json" \
	>"$scenario"
exits 0 "--svg" "$UMPIRE" odds --svg "$svg" "$scenario"
like "the text is printed, too" "$out" '^exact: '
cp "$svg" "$work/first.svg"
exits 0 "again, over it" "$UMPIRE" odds --json --svg "$svg" "$scenario"
holds "the same bytes" cmp "$svg" "$work/first.svg"
is "nothing is left beside it" "$(find "$work" -name 'odds.svg*' | wc -l)" 1
like "it has a title" "$svg" '<title id="title">'
like "and a description" "$svg" '<desc id="desc">'
like "a name is escaped" "$svg" '&lt;b&gt;&quot;A&quot; &amp; '
unlike "it runs nothing and loads nothing" "$svg" \
	'<script|href|url\(|@import|[[:space:]]on[a-z]+='
like "it knows the dark" "$svg" 'prefers-color-scheme: dark'
if command -v python3 >/dev/null; then
	cat >"$work/svg.py" <<-'EOF'
	import sys
	import xml.etree.ElementTree as tree

	ns = "{http://www.w3.org/2000/svg}"

	def check(path, bars):
	    svg = tree.parse(path).getroot()
	    assert svg.tag == ns + "svg", svg.tag
	    width, height = float(svg.get("width")), float(svg.get("height"))
	    rows = {}
	    for rect in svg.iterfind(ns + "g/" + ns + "rect"):
	        x, w = float(rect.get("x")), float(rect.get("width"))
	        assert 0 <= x and x + w <= width, (x, w)
	        assert float(rect.get("y")) + float(rect.get("height")) <= height
	        rows.setdefault(rect.get("y"), []).append((x, w))
	    assert len(rows) == bars, (path, rows)
	    for parts in rows.values():
	        end = 20.0
	        for x, w in sorted(parts):
	            assert abs(x - end) < 0.02, parts
	            end = x + w
	        assert abs(end - (width - 20)) < 0.03, parts
	    for text in svg.iter(ns + "text"):
	        assert float(text.get("y")) <= height

	for path, bars in zip(sys.argv[1::2], sys.argv[2::2]):
	    check(path, int(bars))
	EOF
	exits 0 "it is well formed, and its bars are full" \
		python3 "$work/svg.py" "$svg" 3
	run "$UMPIRE" odds --samples 1000 --svg "$svg" "$work/eight.json"
	exits 0 "so is a larger one" python3 "$work/svg.py" "$svg" 17
else
	skip "it is well formed, and its bars are full" "no python3"
	skip "so is a larger one" "no python3"
fi
exits 73 "a folder that is not there" "$UMPIRE" odds \
	--svg "$work/none/odds.svg" "$work/two.json"
like "is told" "$err" "^umpire: cannot create "
holds "the odds are printed all the same" cmp "$out" "$work/exact"
mkdir "$work/folder.svg"
exits 73 "a folder in its place" "$UMPIRE" odds --svg "$work/folder.svg" \
	"$work/two.json"
is "leaves nothing behind" "$(find "$work" -name 'folder.svg*' | wc -l)" 1

# ---- every system ----

# try SYSTEM: cases about the first combats of a system that end.
try() {
	local line n=0 wide=0 failed=0 pictures=()
	jq -c 'select(.expect.status == "resolved") | del(.script, .policy) |
		with_entries(select(.key | startswith("expect") | not))' \
		"$top_srcdir/tests/rules/$1"/*.json | head -n 8 >"$work/combats"
	while read -r line; do
		printf '%s\n' "$line" >"$scenario"
		n=$((n + 1))
		run "$UMPIRE" odds --samples 200 --seed "$n" --svg "$svg.$n" \
			"$scenario"
		if [ "$status" != 0 ] || [ -s "$err" ]; then
			failed=$((failed + 1))
			diag "$line"
			show_run
		fi
		# A bar for each unit that is told of, and one more.
		pictures+=("$svg.$n" "$(($(grep -c ': expected loss ' "$out") + 1))")
		[ "$(wc -L <"$out")" -le 80 ] || wide=$((wide + 1))
	done <"$work/combats"
	holds "$1 has combats" test "$n" -gt 0
	is "$1 has odds of them" "$failed" 0
	is "$1 keeps to 80 columns" "$wide" 0
	if command -v python3 >/dev/null; then
		exits 0 "$1 has pictures of them" \
			python3 "$work/svg.py" "${pictures[@]}"
	fi
}

for system in imagi-nations invasion-1812 lasalle2 leniston-2009 tlnb; do
	try "$system"
done

# ---- on a terminal ----

# on_terminal COMMAND: runs it there; what it shows in $out.
on_terminal() {
	env -u NO_COLOR TERM=xterm script -qec "$1" /dev/null \
		>"$out" 2>"$err" </dev/null
	status=$?
}

if command -v script >/dev/null; then
	on_terminal "'$UMPIRE' odds '$work/two.json'"
	like "titles are bold" "$out" $'^\033\\[1mAttacker'
	unlike "what is quick shows no progress" "$out" 'rolling'
	on_terminal "NO_COLOR=1 '$UMPIRE' odds '$work/two.json'"
	unlike "not with NO_COLOR" "$out" $'\033'
	on_terminal "'$UMPIRE' odds --no-color '$work/two.json'"
	unlike "nor with --no-color" "$out" $'\033'
	on_terminal "timeout --foreground -s INT 1.5 '$UMPIRE' odds \
		--samples 1000000000 '$work/two.json'"
	like "what takes longer shows how far it is" "$out" \
		'rolling dice \[[#-]{40}\] +[0-9]+ %'
	like "Ctrl-C takes that away" "$out" $'\033\\[K$'
	unlike "and prints nothing" "$out" 'Lasalle'
else
	skip "titles are bold" "no script"
fi
exits 130 "Ctrl-C ends it as it does other programs" timeout --preserve-status \
	-s INT 0.3 "$UMPIRE" odds --samples 1000000000 "$work/two.json"
is "nothing on stdout" "$(cat "$out")" ''
is "nothing on stderr" "$(cat "$err")" ''
finish
