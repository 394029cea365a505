#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Pictures of combats: of scenarios of every system, of a game whose combat is
# open, and what is refused.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3

look=$top_srcdir/tests/e2e/sketch.py
svg=$work/sketch.svg

# well_formed WHAT FILE: a case.
well_formed() {
	if command -v xmllint >/dev/null; then
		exits 0 "$1" xmllint --noout "$2"
	else
		skip "$1" "no xmllint"
	fi
}

# ---- combats of all sizes ----

holds "random combats of each system are drawn as they are declared" \
	env -C "$work" python3 "$look" "$(realpath "$UMPIRE")" random \
	"$(some 2 1 40)"
well_formed "the last is well formed" "$work/sketch.svg"

# ---- the samples, before and after their dice ----

for file in "$top_srcdir"/etc/samples/*-scenario.json \
	"$top_srcdir"/etc/samples/*-played.json; do
	name=${file##*/}
	exits 0 "$name is drawn" "$UMPIRE" resolve --svg "$svg" "$file"
	like "... and its outcome printed" "$out" '^\{"system":'
	well_formed "... and well formed" "$svg"
	exits 0 "... and nothing lies on anything" \
		python3 "$look" --check "$svg"
done
"$UMPIRE" resolve --svg "$svg" \
	"$top_srcdir/etc/samples/lasalle2-played.json" >"$work/played.json"
like "the title says who touches whom" "$svg" \
	'<title id="sketch-title">french-a on the front of austrian-1, the defender is uphill\. french-b on the front of austrian-2\.'
like "the description says what came of it" "$svg" \
	'Defenders: austrian-1 [(]infantry, strength 6, line[)]: in place, score 12\. austrian-2 [(]infantry, strength 5, line[)]: broken, score 7\.'
like "who broke is told from who did not" "$svg" \
	'class="sk-card sk-def sk-out"><title>austrian-2 '
unlike "and only who broke" "$svg" 'sk-out"><title>french'
like "it knows the dark" "$svg" 'prefers-color-scheme: dark'
cp "$svg" "$work/first.svg"
exits 0 "drawn again, over it" "$UMPIRE" resolve --text --svg "$svg" \
	"$top_srcdir/etc/samples/lasalle2-played.json"
holds "it is the same" cmp "$svg" "$work/first.svg"
exits 0 "drawn to standard output" "$UMPIRE" resolve --svg - \
	"$top_srcdir/etc/samples/lasalle2-played.json"
holds "nothing else is printed" cmp "$out" "$work/first.svg"

# ---- the pages of games ----

for played in "$top_srcdir"/tests/rules/*/played.jsonl; do
	name=${played%/played.jsonl}
	name=${name##*/}
	"$UMPIRE" log "$played" --format html >"$work/$name.html"
	exits 0 "$name: what a page draws can be read" \
		python3 "$look" --page "$work/$name.html"
	is "... and is each combat" "$(cat "$out")" \
		"$(grep -c '<section class="combat"' "$work/$name.html")"
done

# ---- a picture that is spoiled is found out ----

# spoiled WHAT SED: the first picture, changed, is refused.
spoiled() {
	sed -E "$2" "$work/first.svg" >"$work/bad.svg"
	holds "$1: it differs" test "$(cmp "$work/bad.svg" "$work/first.svg" |
		wc -l)" = 1
	exits 1 "$1: it is found" python3 "$look" --check "$work/bad.svg"
}
spoiled "a text on another" \
	'0,/(<text class="sk-detail" x="[0-9]+" y=")[0-9]+/s//\179/'
spoiled "a text outside" '0,/(<text class="sk-head" x=")[0-9]+/s//\1900/'
spoiled "a longer text" 's/>austrian-1</>austrian-1 with a name for ever and for ever</'
spoiled "a card on another" \
	'0,/(<rect class="sk-face" x=")[0-9]+/s//\1100/'
spoiled "a colour that is lost in the dark" 's/#b3a996/#4b4336/'
spoiled "no title" 's/(<title id="sketch-title">)[^<]*/\1/'
spoiled "a script" 's/<style>/<script>\&<\/script><style>/'

# ---- what is refused ----

file=$top_srcdir/etc/samples/lasalle2-scenario.json
exits 64 "--svg without a name" "$UMPIRE" resolve --svg '' "$file"
exits 64 "a picture beside JSON" "$UMPIRE" --json resolve --svg - "$file"
like "says what to do" "$err" 'name a file for --svg'
exits 73 "a folder that is not there" \
	"$UMPIRE" resolve --svg "$work/none/x.svg" "$file"
like "is told" "$err" '^umpire: cannot create '
exits 64 "a picture to a terminal" python3 \
	"$top_srcdir/tests/e2e/terminal.py" run "$work/tty" 80 \
	"$UMPIRE" resolve --svg - "$file"
like "says what to do" "$work/tty" 'name a file for'

# ---- a game ----

# A hostile name in the combat that is open.
begin() {
	write_example "$work" &&
		jq -c '.sides["1"].units[0].name = "<script>\"&'"'"'" |
			.sides["2"].units[1].name = "Wall & <Ditch>"' \
			"$work/roster.json" >"$work/names.json" &&
		umpire_as anna new --roster "$work/names.json" --name war &&
		game=$(umpire_as anna show war --json | jq -r .game) &&
		umpire_as bert join "$game" --name war --yes &&
		umpire_as anna ready war
}
start_umpired "$work/server" || exit 99
enrol anna bert || exit 99
begin >"$work/begin.log" 2>&1 </dev/null || diag "$(cat "$work/begin.log")"
rm -f "$svg"
exits 65 "no combat is open" umpire_as anna show war --svg "$svg"
like "says so, and what draws others" "$err" \
	'no combat is open in war'
like "... by its command" "$err" 'umpire log war --format html'
is "nothing is printed" "$(cat "$out")" ''
holds "nothing is drawn" test ! -e "$svg"
exits 0 "a combat is declared" \
	umpire_as anna declare war "$work/combat.json" --yes
exits 0 "the open combat is drawn" umpire_as bert show war --svg "$svg"
like "and the game shown" "$out" '^  system '
well_formed "it is well formed" "$svg"
exits 0 "nothing lies on anything" python3 "$look" --check "$svg"
like "a name is escaped" "$svg" '&lt;script&gt;&quot;&amp;'
unlike "and is no markup" "$svg" '<script|<Ditch'
cp "$svg" "$work/first.svg"
exits 0 "with --json there are both" \
	umpire_as bert --json show war --svg "$svg"
is "the state is JSON" "$(jq .my_move "$out")" true
holds "and the picture the same" cmp "$svg" "$work/first.svg"
exits 0 "to a pipe" umpire_as bert show war --svg -
holds "it is the picture alone" cmp "$out" "$work/first.svg"


# ---- before it is declared ----

exits 0 "a combat is checked" \
	umpire_as anna declare war "$work/combat.json" --check
for sample in "$top_srcdir"/etc/samples/*-evening-declare.json; do
	system=${sample##*/}
	system=${system%-evening-declare.json}
	umpire_as anna new --roster "${sample%-declare.json}.json" \
		--name "$system" >/dev/null
	exits 0 "$system: a sample is checked" \
		umpire_as anna declare "$system" "$sample" --check --svg "$svg"
	sed -n '/^ *Attackers  *Defenders$/,/^The combat is lawful/p' "$out" \
		>"$work/table"
	like "$system: who stands against whom" "$work/table" ' -->  '
	like "$system: with what the signs mean" "$work/table" \
		'^  \[X\] infantry'
	is "$system: in 80 columns" "$(wc -L <"$out" |
		awk '$1 > 80')" ''
	well_formed "$system: its picture is well formed" "$svg"
	exits 0 "$system: nothing lies on anything" \
		python3 "$look" --check "$svg"
	# A unit has its row in the table, and its card in the picture; in the
	# table of lasalle2 the one that is touched twice stands twice.
	again=0
	[ "$system" != lasalle2 ] || again=1
	is "$system: both have all of them" \
		"$(grep -o '\[[]X/o,* []\]\( [0-9]*\)\?  ' "$work/table" |
			wc -l)" $(($(grep -c '<g class="sk-card' "$svg") + again))
	cp "$svg" "$work/first.svg"
	exits 0 "$system: as JSON" umpire_as anna --json declare "$system" \
		"$sample" --check --svg "$svg"
	is "$system: the facts are one object" "$(jq -c type "$out")" '"object"'
	holds "$system: and the picture is the same" cmp "$svg" "$work/first.svg"
done
exits 0 "the picture alone" umpire_as anna declare "$system" "$sample" \
	--check --svg -
holds "is all that is printed" cmp "$out" "$work/first.svg"
exits 64 "a picture of what is declared" umpire_as anna declare "$system" \
	"$sample" --yes --svg "$svg"
like "says how" "$err" '--svg goes with --check'

# ---- and before the other side agrees ----

umpire_as anna new --roster "$work/roster.json" --name agreed --confirm \
	>/dev/null
game=$(umpire_as anna show agreed --json | jq -r .game)
umpire_as bert join "$game" --name agreed --yes >/dev/null
umpire_as anna ready agreed >/dev/null
umpire_as anna declare agreed "$work/combat.json" --yes >/dev/null
rm -f "$svg"
exits 0 "who is to agree sees what to" umpire_as bert show agreed --svg "$svg"
like "it waits for them" "$out" 'umpire answer agreed agree'
like "the drawing has the contacts" "$svg" \
	'<title id="sketch-title">french-a on the front of austrian-1'
umpire_as bert answer agreed object --why no --yes >/dev/null 2>&1
exits 65 "what they object to is open no longer" \
	umpire_as bert show agreed --svg "$svg"

# ---- and where one is asked before dice fall ----

umpire_as anna new --roster "$work/roster.json" --name again >/dev/null
game=$(umpire_as anna show again --json | jq -r .game)
umpire_as bert join "$game" --name again --yes >/dev/null
umpire_as anna ready again >/dev/null
before=$(umpire_as anna show again --json | jq .seq)
printf 'wait Declare this combat\ntype n\n' |
	player anna python3 "$top_srcdir/tests/e2e/terminal.py" run \
		"$work/tty" 80 "$UMPIRE" declare again "$work/combat.json"
like "the drawing stands before the question" "$work/tty" \
	' front [-─]*>[|│].*austrian-3'
like "and it is asked" "$work/tty" 'Declare this combat'
is "nothing was sent" "$(umpire_as anna show again --json | jq .seq)" "$before"

# checked_tty VARIABLE=VALUE...: what a terminal shows of the same with --check.
checked_tty() {
	player anna env "$@" python3 "$top_srcdir/tests/e2e/terminal.py" run \
		"$work/tty" 80 "$UMPIRE" declare again "$work/combat.json" \
		--check </dev/null
	tr -d '\r' <"$work/tty" >"$work/drawn"
}
exits 0 "a terminal without UTF-8" checked_tty LC_ALL=C TERM=screen
like "has the drawing" "$work/drawn" \
	'^[|] \[X\] 7 french-b *[|]- front -*>[|] \[X\] 5 austrian-2 *[|]$'
unlike "... in plain letters" "$work/drawn" '[^ -~]'
is "... in 79 columns" "$(awk 'length($0) > 79' "$work/drawn")" ''
exits 0 "a terminal with UTF-8" checked_tty LC_ALL=C.UTF-8 TERM=screen
like "has it with lines" "$work/drawn" ' │─ front ─*>│ .*austrian-2'
unlike "... and no table" "$work/drawn" ' -->  '
exits 0 "and without colours" \
	checked_tty LC_ALL=C.UTF-8 TERM=screen NO_COLOR=1
like "it is the same" "$work/drawn" ' │─ front ─*>│ .*austrian-2'
exits 0 "a terminal that reads lines aloud" \
	checked_tty LC_ALL=C.UTF-8 TERM=dumb
like "has the table" "$work/drawn" ' -->  .*austrian-3'
unlike "... and no drawing" "$work/drawn" '─|-->[|]'

(cd "$work" && python3 "$look" --game 12 crowd)
umpire_as anna new --roster "$work/names.json" --name crowd >/dev/null
exits 0 "a crowd is checked" \
	umpire_as anna declare crowd "$work/crowd.json" --check
cp "$out" "$work/table"
exits 0 "each contact has its row, on its edge" \
	python3 "$look" --table "$work/table" "$work/crowd.json"
unlike "nothing turns the direction of writing" "$work/table" \
	"$(printf '\342\200\256')"
sed -i 's/\bfront\b/rear /; s/^ //' "$work/table"
exits 1 "a wrong edge would be found" \
	python3 "$look" --table "$work/table" "$work/crowd.json"

finish
