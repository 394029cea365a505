#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Telling a game: of the own copy or of an exported record, as text, Markdown,
# BBCode, HTML and JSON; records that do not hold; players who write markup.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/report_game.sh"
need python3

# nobody COMMAND...: as somebody who has neither a profile nor a server.
nobody() {
	player nobody "$UMPIRE" "$@"
}

# bbcode_tags FILE: the tags of a forum's text, or the first that is not closed.
bbcode_tags() {
	python3 - "$1" <<-'EOF'
	import re
	import sys
	text = open(sys.argv[1], encoding="utf-8").read()
	seen, open_tags = set(), []
	for end, tag in re.findall(r"\[(/?)([^\]]*)\]?", text):
	    if tag == "*":
	        if open_tags[-1:] != ["list"]:
	            sys.exit("an item outside of a list")
	    elif not end:
	        open_tags.append(tag)
	        seen.add(tag)
	    elif not open_tags or open_tags.pop() != tag:
	        sys.exit("[/%s] closes another" % tag)
	if open_tags:
	    sys.exit("left open: %s" % open_tags)
	print(" ".join(sorted(seen)) + " ")
	EOF
}

# ---- the played game of each system ----

# costly RECORD: its chances take long, and with sanitizers are worked out for
# text and Markdown alone, if it is the game of a system.
costly() {
	case ${seldom:+$1} in
	imagi-nations/played | imagi-nations/played-sealed | \
		lasalle2/played | lasalle2/played-joined) return 0 ;;
	esac
	return 1
}

for played in "$top_srcdir"/tests/rules/*/played.jsonl; do
	system=${played%/played.jsonl}
	system=${system##*/}
	told=$work/$system
	exits 0 "$system: a record is told without a profile" \
		nobody log "$played"
	mv "$out" "$told.txt"
	formats="json markdown"
	costly "$system/played" || formats="$formats bbcode html"
	for format in $formats; do
		nobody log "$played" --format $format >"$told.$format"
	done
	# Turns that end, combats, rolls and draws, and the sum of all scores.
	read -r turns combats rolls scores < <(jq -r '[
		([.[] | select(.kind == "turn.end")] | length) + 1,
		([.[] | select(.kind == "declare")] | length),
		([.[].events[] | select(.e == "roll" or .e == "draw")] |
			length),
		([.[].events[] | select(.e == "score") | .score] | add // 0)
		] | @tsv' "$told.json")
	is "$system: no line is longer than 80 columns" \
		"$(awk 'length($0) > 80' "$told.txt")" ''
	is "$system: each turn has its heading" \
		"$(grep -c '^Turn [0-9]*: ' "$told.txt")" "$turns"
	is "$system: and each combat" "$(grep -c \
		'^Combat [0-9]*, turn [0-9]*: .* attack$' "$told.txt")" \
		"$combats"
	is "$system: and each roll its line" \
		"$(grep -cE '^(Roll|Draw) ' "$told.txt")" "$rolls"
	is "$system: Markdown has the turns" \
		"$(grep -c '^## Turn ' "$told.markdown")" "$turns"
	is "$system: and the combats" \
		"$(grep -c '^### Combat ' "$told.markdown")" "$combats"
	is "$system: and the scores" "$(sed -n \
		's/^| \*\*Total\*\* | \*\*\(.*\)\*\* |$/\1/p' \
		"$told.markdown" | awk '{ n += $1 } END { print n + 0 }')" \
		"$scores"
	is "$system: and no item that is code" \
		"$(grep -B1 '^  *- ' "$told.markdown" | grep -A1 '^$' |
			grep -c '^ ')" 0
	is "$system: each combat has its score sheet" \
		"$(grep -c '^  Who ' "$told.txt")" "$combats"
	is "$system: in Markdown" \
		"$(grep -c '^| Who ' "$told.markdown")" "$combats"
	! costly "$system/played" || continue
	is "$system: BBCode has the turns" \
		"$(grep -c '^\[b\]\[u\]Turn ' "$told.bbcode")" "$turns"
	is "$system: and the combats" \
		"$(grep -c '^\[b\]Combat [0-9]*: ' "$told.bbcode")" "$combats"
	is "$system: and only tags that forums have, each of them closed" \
		"$(bbcode_tags "$told.bbcode")" 'b code list u '
	is "$system: and the sheets" \
		"$(grep -c '^Who ' "$told.bbcode")" "$combats"
	exits 0 "$system: the cells of sheets are those of the events" \
		python3 "$top_srcdir/tests/e2e/sheet.py" \
		"$told.html" "$told.json" "$UMPIRE"
	is "$system: the page has the combats" \
		"$(grep -c '^<h3 id="combat-' "$told.html")" "$combats"
	is "$system: and the rolls" \
		"$(grep -c 'class="roll"' "$told.html")" "$rolls"
	is "$system: and the scores" "$(sed -n \
		's/^<tr class="total">.*<td class="num">\(.*\)<\/td>.*/\1/p' \
		"$told.html" | awk '{ n += $1 } END { print n + 0 }')" "$scores"
done

# Where nobody rests, the end of a round is told all the same.
like "who passes is told" "$work/imagi-nations.txt" \
	' p1 ends turn 5 and passes$'
like "the end of a round is told" "$work/imagi-nations.txt" \
	' p2 ends turn 6 and round 1: neither side acted$'
# A loss is in the same unit in a sheet and in the total.
like "a sheet says what its losses are" "$work/invasion-1812.txt" \
	'^What was lost is counted in combat factors\.$'
like "and they are those of the total" "$work/invasion-1812.html" \
	'Russians \(p2\): 6 of 40 lost, in combat factors'

# What happened had a chance, whatever was answered; but for the dice of eight
# units, each of which matters to the end.
for record in "$top_srcdir"/tests/rules/*/played*.jsonl; do
	name=${record#"$top_srcdir"/tests/rules/}
	has=1
	[ "$name" != lasalle2/played-joined.jsonl ] || has=0
	told=$work/${name%/played.jsonl}.txt
	if [ ! -e "$told" ]; then # not told before
		! costly "${name%.jsonl}" || continue
		told=$work/chances
		nobody log "$record" >"$told"
	fi
	sheets=$(grep -c '^  Who ' "$told")
	is "$name: all combats have chances, or say why not" \
		"$(grep -c '^Chances are those of fair dice and' \
			"$told"),$(grep -c '^Chances are left out: ' "$told")" \
		"$((sheets * has)),$((sheets - sheets * has))"
	unlike "$name: and nothing happened that could not" "$told" \
		'^  .* 0\.00 %$'
done

for system in imagi-nations tlnb leniston-2009; do
	for format in txt markdown bbcode html; do
		[ -e "$work/$system.$format" ] || continue
		unlike "$system, $format: between combats, too, units have names" \
			"$work/$system.$format" \
			'orders (pr|au)-|(pr|au|fr|al)-[a-z0-9-]+ (rests|was|no longer|may) '
	done
done
# Whose answer is owed has no sheet, and nothing has a chance.
cut=$work/owed.jsonl
for lines in 5 6; do
	head -n $lines "$top_srcdir/tests/rules/lasalle2/played.jsonl" >"$cut"
	grep '^{"blob":' "$top_srcdir/tests/rules/lasalle2/played.jsonl" >>"$cut"
	nobody log "$cut" >"$work/owed.$lines"
done
like "an answer is owed" <(tail -n 7 "$work/owed.5") '^The attacker is asked '
unlike "and there is no sheet" "$work/owed.5" '^  Who |Chance'
like "there is one behind it" "$work/owed.6" '^  Who .* Chance$'
like "with the chance that the answer leaves" "$work/owed.6" \
	'^  61st Line, 1st .* broken +6 +[1-9][0-9]*\.[0-9]+ %$'

# ---- bounds, and what is out of play ----

told=$work/imagi-nations
for format in html markdown; do
	like "$format: a bound looks like a bound" \
		"$work/invasion-1812.$format" '(at most.*|\| )≤ 1( \||</td>)'
	[ -e "$told.$format" ] || continue
	unlike "$format: units of different names go without ids" \
		"$work/lasalle2.$format" '\(fr-line-1\)'
	unlike "$format: no value is missing" "$told.$format" \
		'^\| [^|]*[^ |:-][^|]* \|  \|$|</th><td class="num"></td></tr>'
	unlike "$format: no reason is its own number" "$told.$format" \
		'[+]1 \(modifier'
done
# Where the steps come to the total by themselves no bound is among them.
awk -F '|' '
	/^\| What counts/ { sum = 0; bound = 0; next }
	$3 ~ /[≤≥]/ { bound = 1; bounds++; next }
	/^\| \*\*Total/ { gsub(/[* ]/, "", $3); if (bound && $3 + 0 == sum) bad++ }
	/^\| / { sum += $3 }
	END { print bounds + 0, bad + 0 }' "$told.markdown" >"$work/bounds"
is "a bound is told only where it changes something" \
	"$(cat "$work/bounds")" "1 0"
like "who is broken is out of play where it is told, too" \
	"$work/lasalle2.markdown" ': broken at strength [0-9]+ and out of play, '

# ---- players who write markup ----

report_game "$work/evening.jsonl" || exit 99
record=$work/evening.jsonl
exits 0 "a game is told as text" umpire_as anna log evening
cp "$out" "$work/evening.txt"
exits 0 "a record is told as text" nobody log "$record"
is "both say the same, but for the game's name" \
	"$(tail -n +2 "$out")" "$(tail -n +2 "$work/evening.txt")"
unlike "nothing turns the direction of writing" "$out" \
	"$(printf '\342\200\256|\342\201\246')"
is "a turn that was taken back begins again" \
	"$(sed -n 's/^\(Turn .*\): .*/\1/p' "$out")" \
	"$(printf 'Turn 1\nTurn 2\nTurn 1, again')"

# A combat that is taken back and fought again.
undone() {
	umpire_as anna new --roster "$work/roster.json" --name mywar &&
		game=$(umpire_as anna show mywar --json | jq -r .game) &&
		umpire_as bert join "$game" --name hiswar --yes &&
		umpire_as anna ready mywar &&
		umpire_as anna declare mywar "$work/combat.json" --yes &&
		umpire_as anna offer mywar takeback 4 --yes &&
		umpire_as bert accept hiswar --yes &&
		umpire_as anna declare mywar "$work/combat.json" --yes &&
		umpire_as bert decide hiswar retire none --yes &&
		for who in anna bert anna bert anna bert; do
			command=$(umpire_as $who show \
				"$([ $who = anna ] && echo mywar || echo hiswar)" \
				--json | jq -r '[.commands[] |
				select(startswith("umpire decide "))][0] // ""')
			[ -z "$command" ] || umpire_as $who ${command#umpire } --yes
		done
	umpire_as bert resign hiswar --yes
}
undone >"$work/undone.log" 2>&1 </dev/null ||
	diag "$(cat "$work/undone.log")"
exits 0 "verify counts it as log does" umpire_as bert verify hiswar
like "and says that it was taken back" "$out" \
	'^  combats  2 run again, 1 taken back$'
exits 0 "for programs, too" umpire_as bert verify hiswar --json
is "both numbers" "$(jq -c '[.combats, .combats_taken_back]' "$out")" '[2,1]'
exits 2 "without its rules" umpire_as bert verify hiswar --no-rules
like "they are counted, not run" "$out" \
	'^  combats  2 in the record, 1 taken back$'
for format in html markdown; do
	umpire_as anna log mywar --format $format >"$work/undone.$format"
	umpire_as bert log hiswar --format $format >"$work/undone.bert"
	holds "$format: both sides publish the same" \
		cmp "$work/undone.$format" "$work/undone.bert"
	unlike "$format: nobody's own name for it is told" \
		"$work/undone.$format" 'mywar|hiswar'
	like "$format: the game's short number is" "$work/undone.$format" \
		"game ${game:0:8}\b"
	is "$format: the day stands once above all lines of a day" \
		"$(sed 's/datetime="[^"]*"//g' "$work/undone.$format" |
			grep -cE '(\*\* |<time[^>]*>)20[0-9-]{8} ')" 1
done
page=$work/undone.html
like "the winner and how stand in the page's head" \
	<(sed -n '/<header>/,/<\/header>/p' "$page") \
	'^<p class="summary">French won the game: the other side resigned\.'
like "the contents strike what was taken back" \
	<(sed -n '/<nav/,/<\/nav>/p' "$page") \
	'<a href="#combat-1"><del>Combat 1: .*</del></a> taken back by line 6'
unlike "and nothing else" <(sed -n '/<nav/,/<\/nav>/p' "$page") \
	'combat-2"><del>'
is "it is folded" "$(grep -c '^<details>$' "$page")" 1
like "under its struck heading" "$page" \
	'^<summary><h3 id="combat-1"><del>Combat 1: .*</del> <small>taken back by line 6</small></h3></summary>$'
like "the next one has its outcome in its head" \
	<(grep -A1 '<h3 id="combat-2">' "$page") '^<p class="outcome">.*french-a \('
like "Markdown strikes it, too" "$work/undone.markdown" \
	'^### ~~Combat 1: .*~~ \(taken back by line 6\)$'
like "and says who won, at its top" <(sed -n 1,6p "$work/undone.markdown") \
	'^\*\*French won the game: '
like "and how the combat ended, in its head" \
	<(grep -A2 '^### Combat 2: ' "$work/undone.markdown") '^\*\*Outcome:\*\* .*french-a \(score [0-9]+\) '
stop_umpired
exits 0 "without a server the own copy is told" \
	umpire_as anna log evening --format html
cp "$out" "$work/evening.html"
nobody log "$record" --format html >"$work/record.html"
holds "the page of a record is that of the game" \
	cmp "$work/evening.html" "$work/record.html"

like "the script is text" "$work/evening.html" \
	'<h1><bdi>&lt;/title&gt;&lt;/style&gt;&lt;script&gt;alert'
unlike "and nowhere a script" "$work/evening.html" '<script|<b onclick|onload="'
like "the event is named, and is text" "$work/evening.html" \
	'^<p class="rules">&lt;i&gt;Cup, round 2, table 3</p>$'
like "so are the players" "$work/evening.html" \
	'^<p class="players">anna against bert, game [0-9a-f]{8}</p>$'
like "and once on whose clock the times are" "$work/evening.html" \
	'^<p class="days">20[0-9-]{8}.*, times in UTC</p>$'
TZ=XST-5:30 nobody log "$record" --format html >"$work/east.html"
like "which is that of the reader" "$work/east.html" \
	', times in UTC\+05:30</p>$'
like "how it ended is said in words" "$work/evening.html" \
	'^<p>&lt;/title&gt;.* won the game: the other side resigned\.</p>$'
like "who lost nothing lost none" "$work/evening.html" \
	'<caption>.* \(bert\): none of [0-9]+ lost, in strength points</caption>'
like "a long word stays whole" "$work/evening.html" "$(printf 'w%.0s' {1..250})"
exits 0 "a game is told as Markdown" umpire_as anna log evening --format markdown
like "the event is named, too" "$out" \
	'^&lt;i&gt;Cup, round 2, table 3, Lasalle, .*: anna against bert, game'
# shellcheck disable=SC2016
like "marks are escaped" "$out" \
	'\\\| \\\*a\\\* \\_b\\_ \\`c\\` \\\[d\\\]\(e\) \\# f \\~\\~g\\~\\~ &lt;!--'
unlike "no tag is left" "$out" '<'
like "a list is none" "$out" '^  \\- two\\$'
like "neither is a heading" "$out" '^  \\# three\\$'
like "nor a quotation" "$out" '^  &gt; four$'
like "a number is no item" "$out" '^- 1\\\. - \+ = \\#: infantry'
exits 0 "a game is told as BBCode" umpire_as anna log evening --format bbcode
cp "$out" "$work/evening.bbcode"
is "what players wrote is no tag" "$(bbcode_tags "$work/evening.bbcode")" \
	'b code i list u '
like "their brackets are round" "$work/evening.bbcode" '\| \*a\* _b_ `c` \(d\)\(e\)'

# ---- what is told where, and how ----

umpire_as anna log evening --json >"$work/game.json"
exits 0 "a record as JSON" nobody log "$record" --json
holds "is the game as JSON" cmp "$out" "$work/game.json"
exits 0 "and so is --format json" nobody log "$record" --format json
holds "byte for byte" cmp "$out" "$work/game.json"
# shellcheck disable=SC2016
exits 0 "a record comes by standard input" \
	bash -c '"$0" log - --format text <"$1"' "$UMPIRE" "$record"
is "as it comes by a file" "$(tail -n +2 "$out")" \
	"$(tail -n +2 "$work/evening.txt")"
exits 0 "one combat as Markdown" nobody log "$record" --combat 1 \
	--format markdown
is "is its one heading" "$(grep -c '^## Combat 1, turn 1: ' "$out")" 1
unlike "without what was before it" "$out" 'opens the game'
nobody log "$record" --combat 1 --format html >"$work/one.html"
like "one combat as a page has its heading" "$work/one.html" '<h2 id="combat-1">Combat 1, turn 1'
exits 65 "a combat that there was not" nobody log "$record" --combat 2
like "is told" "$err" 'there is no combat 2; this game has had 1'
exits 0 "what was agreed on, of a record" nobody log "$record" --by-agreement
is "is told" "$(cat "$out")" \
	"$(umpire_as anna --offline log evening --by-agreement)"
like "with what was taken back" "$out" 'accepted by bert'
exits 64 "a format that is none" nobody log "$record" --format pdf
exits 64 "two formats at once" nobody log "$record" --json --format html
exits 64 "agreements as a page" nobody log "$record" --by-agreement --format html

# ---- files ----

exits 0 "a page goes into a file" nobody log "$record" --format html \
	--output "$work/told"
is "nothing is printed" "$(cat "$out" "$err")" ''
holds "it is what was printed before" cmp "$work/told" "$work/record.html"
echo mine >"$work/told"
exits 73 "a file that is there is not written over" nobody log "$record" \
	-o "$work/told"
like "how it would be is told" "$err" 'already exists: add --yes'
is "it is as it was" "$(cat "$work/told")" mine
exits 0 "but with --yes" nobody log "$record" -o "$work/told" --yes
is "it is anew" "$(cat "$work/told")" "$(nobody log "$record")"
exits 73 "a folder that is not there" nobody log "$record" -o "$work/no/told"
exits 65 "a combat that there was not, into a file" \
	nobody log "$record" --combat 9 -o "$work/none"
holds "leaves no file" test ! -e "$work/none"
exits 66 "a record that is not there" nobody log "$work/missing.jsonl"
exits 66 "a word that is neither a game nor a file" nobody log nothing
like "is told to be neither" "$err" "'nothing' is not a file either"

# ---- records that do not hold ----

# Line 11 is one that draws: a die of it is changed.
sed '11s/"dice":\[1,1\]/"dice":[6,6]/; 11s/"dice":\[\([1-6]\),/"dice":[7,/' \
	"$record" >"$work/bad.jsonl"
holds "a record is changed" test "$(cmp "$record" "$work/bad.jsonl")"
exits 1 "it is told as far as it holds" nobody log "$work/bad.jsonl"
like "its top says where it goes wrong" <(sed -n 2,4p "$out") \
	'^Warning: bad at line 11: '
like "and so does standard error" "$err" 'bad at line 11'
like "what holds is told" "$out" '^   9 .* bert: 1. one$'
unlike "what does not is not" "$out" '^  10 '
exits 1 "as a page" nobody log "$work/bad.jsonl" --format html
cp "$out" "$work/bad.html"
like "with a warning" "$out" 'class="warning".*bad at line 11'
like "and no proof" "$out" 'Not all of the record was found good'
exits 1 "as Markdown" nobody log "$work/bad.jsonl" --format markdown
like "with a warning" "$out" '^\*\*Warning:\*\* '
exits 1 "as JSON" nobody log "$work/bad.jsonl" --json
is "the lines that hold" "$(jq length "$out")" 10
exits 1 "into a file" nobody log "$work/bad.jsonl" -o "$work/bad.txt"
holds "which is written" test -s "$work/bad.txt"
# All lines hold, and what is said beside them does not.
sed '$s/in the midst/in the mist/;$s/<b on/<b off/;$s/"value":"./"value":"#/' \
	"$record" >"$work/side.jsonl"
exits 1 "a changed text beside the lines" nobody log "$work/side.jsonl"
like "leaves the lines" "$out" '^  18 .* bert resigns'
exits 1 "as a page it says so" nobody log "$work/side.jsonl" --format html
like "at its top" "$out" 'class="warning"'
grep -v '^{"blob"' "$record" >"$work/bare.jsonl"
exits 2 "a record without its rosters" nobody log "$work/bare.jsonl"
like "is told, and that it was not checked" <(sed -n 2,3p "$out") \
	'^Warning: not checkable here, line 1: '
like "with all its lines" "$out" '^  18 .* bert resigns'
exits 2 "and as a page" nobody log "$work/bare.jsonl" --format html
like "which proves nothing" "$out" 'Not all of the record was found good'
head -c -5 "$record" >"$work/short.jsonl"
exits 1 "a record that lacks its end" nobody log "$work/short.jsonl"
sed '1s/"seat":1/"seat":2/' "$record" >"$work/first.jsonl"
exits 1 "a first line that does not hold" nobody log "$work/first.jsonl"
is "leaves nothing to tell" "$(cat "$out")" ''
: >"$work/empty.jsonl"
exits 1 "an empty file" nobody log "$work/empty.jsonl"
head -c 3000 /dev/urandom >"$work/noise.jsonl"
exits 1 "noise" nobody log "$work/noise.jsonl"

# ---- all pages ----

exits 0 "pages are made of what they may be made of" \
	python3 "$top_srcdir/tests/web/check.py" page "$work"/*.html
is "all of them" "$(grep -c '^ok' "$out")" "$(find "$work"/*.html | wc -l)"

finish
