#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# What spectators are sent of a game: whole, and in order for who looks at it
# with a browser, a program that reads aloud, a feed reader, a spreadsheet.
. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/report_game.sh"
pager=$top_builddir/tests/tools/pager
export TZ=UTC

# pages FOLDER WORD...: judges all pages of a folder; a case for each fault.
# With sanitizers only those with strangers' words: the ordinary build writes
# the others, too.
pages() {
	local folder=$1
	shift
	[ $# -gt 0 ] || [ -z "$seldom" ] || return 0
	python3 "$top_srcdir/tests/web/pages.py" "$folder" "$@" >"$out"
	is "${folder#"$work/"}: the pages are read" $? 0
	grep -A8 '^not ok' "$out" | sed 's/^/# /'
}

# made NAME RECORD LINES...: writes the pages of a record; their game in $at.
made() {
	local name=$1 record=$2
	shift 2
	"$pager" "$work/$name" "$@" <"$record" >"$work/$name.at" 2>"$err"
	is "$name: pages are made" "$?$(cat "$err")" 0
	at=$work/$name$(cut -d ' ' -f 1 "$work/$name.at")
}

# ---- the played games of all systems ----
# With sanitizers without those whose chances take longest.

for record in "$top_srcdir"/tests/rules/*/played*.jsonl; do
	system=${record#"$top_srcdir/tests/rules/"}
	system=${system%.jsonl}
	case ${seldom:+$system} in
	imagi-nations/played | imagi-nations/played-sealed | \
		lasalle2/played-joined) continue ;;
	esac
	made "${system//\//-}" "$record"
	pages "$work/${system//\//-}"
done

# ---- what a page says ----

at=$work/lasalle2-played$(cut -d ' ' -f 1 "$work/lasalle2-played.at")
like "a game that is over says who won" "$at/index.html" \
	'<h2 id="now-h">Austrians won the game: the other side resigned.</h2>'
like "what is left stands there as a figure" "$at/index.html" \
	'<span class="fig">45</span> of 76 strength points left'
like "the outcome of a combat is a line" "$at/index.html" \
	'class="outcome">Held in part: Hussars Kalnoky \(score 9\) in place'
like "each die leads to its proof" "$at/index.html" 'href="26/dice"'
like "from anywhere" "$at/c/10.html" 'href="/g/[0-9a-f]*/26/dice"'
like "the panel has the last outcome" "$at/index.html" \
	'class="last">Last combat, <a href="#c10">10</a>: Held in part: Hussars'
like "and is there as a number" "$at/c/1.html" '<span class="sr">5</span>'
unlike "nothing is claimed before the check" "$at/index.html" \
	'bent by nobody|all dice are good|verified'
is "the feed has an entry for each combat, turn and the end" \
	"$(grep -c '<entry>' "$at/feed.atom")" 18
is "the table has a row a die" "$(wc -l <"$at/dice.csv")" 31
like "a part has one element" "$at/p/c4.html" '^<section class="combat by2" id="c4"'
sed -n 12p "$at/said.txt" >"$out"
like "a line is said in a sentence" "$out" \
	'^Combat 4: p2 declares \(4\)$'

"$UMPIRE" log "$top_srcdir/tests/rules/lasalle2/played.jsonl" --format html |
	python3 -c 'import base64, hashlib, re, sys
style = re.search("<style>(.*?)</style>", sys.stdin.read(), re.S).group(1)
print("sha256-" + base64.b64encode(
    hashlib.sha256(style.encode()).digest()).decode())' >"$out"
holds "what is told at /verify has a style that its policy names" \
	grep -qF "'$(cat "$out")'" "$work/lasalle2-played/styles.txt"

# drawn FILE: each drawing's words, what is written in it, and where it lies.
drawn() {
	python3 -c '
import re, sys
for svg in re.findall(r"<svg[^>]* class=\"sketch.*?</svg>\s*</div>",
                      sys.stdin.read(), re.S):
    words = [re.findall(r"<%s id[^>]*>(.*?)</%s>" % (tag, tag), svg, re.S)
             for tag in ("title", "desc")]
    print(words, re.findall(r"<text[^>]*>(.*?)</text>", svg),
          re.findall(r" (?:width|height)=\"[0-9]+\"", svg)[:2])' <"$1"
}
"$UMPIRE" log "$top_srcdir/tests/rules/lasalle2/played.jsonl" \
	--format html >"$work/told.html"
drawn "$at/index.html" >"$out"
is "drawings say what those of umpire log say, in fewer bytes" \
	"$(cat "$out")" "$(drawn "$work/told.html")"
is "and there is one for each combat" "$(wc -l <"$out")" 10

# chances FILE: those of the combats as wholes.
chances() {
	grep -o 'had a chance of [^ ]* %' "$1"
}
record=imagi-nations/played
chances=10
[ -z "$seldom" ] || record=tlnb/played chances=9
"$UMPIRE" log "$top_srcdir/tests/rules/$record.jsonl" --format html \
	>"$work/told.html"
is "chances that are worked out in steps are those of umpire log" \
	"$(chances "$work/${record//\//-}"/g/*/index.html)" \
	"$(chances "$work/told.html")"
is "and there are as many as combats" \
	"$(chances "$work/told.html" | wc -l)" "$chances"

made running "$top_srcdir/tests/rules/lasalle2/played.jsonl" 23
pages "$work/running"
like "a game that goes on says whose turn it is" "$at/index.html" \
	'<h2 id="now-h">Turn 3, French</h2>'
like "who is waited for, and since when" "$at/index.html" \
	'class="wait">Waits for p1 \(French\) to decide, since <time '
like "and is not for search engines" "$at/index.html" \
	'<meta name="robots" content="noindex">'
like "so does its combat" "$at/p/c9.html" \
	'class="waits">Waits for p1 \(French\) to decide\.</p>'
like "its combat has no outcome yet, and its steps are open" "$at/c/9.html" \
	'<details class="steps" open>'

python3 "$top_srcdir/tests/web/kinds.py" "$UMPIRE" "$work/kinds" taken-back \
	restored halted-owed >"$out" 2>"$err"
is "games of other kinds are made" "$?$(cat "$err")" 0
made takeback "$work/kinds/taken-back.jsonl"
pages "$work/takeback"
like "a turn that was taken back says so in the panel" "$at/index.html" \
	'<li class="undone"><a href="#t3">Turn 3, taken back</a>'
like "and at its heading" "$at/index.html" \
	'<h2>Turn 3: side 1</h2> <span class="count">2 lines, taken back; '
like "so does a combat" "$at/index.html" \
	'class="cn undone" href="#c4">.*>, taken back by line 23</span></a>'
made restored "$work/kinds/restored.jsonl"
pages "$work/restored"
like "that the server lost lines stands below the combat that went with them" \
	"$at/index.html" '^</details></section>$'
sed -n '/^<\/details><\/section>/,/id="c2"/p' "$at/index.html" >"$out"
like "and is not folded into it" "$out" 'id="l9".*the server has lost lines'
made halted "$work/kinds/halted-owed.jsonl"
pages "$work/halted"
like "a game in which the rules failed says so first" "$at/index.html" \
	'class="warning"><strong>The umpire&#39;s rules failed, and halted'
like "and who won" "$at/index.html" \
	'<h2 id="now-h">Side 1 won the game: the other side resigned.</h2>'

made none "$top_srcdir/tests/rules/lasalle2/played.jsonl" 2
pages "$work/none"
like "one that has not begun says so" "$at/index.html" 'Before the battle'

sed '20s/"dice":\[./&1/' "$top_srcdir/tests/rules/lasalle2/played.jsonl" \
	>"$work/bad.jsonl"
made bad "$work/bad.jsonl"
pages "$work/bad"
like "one that does not hold is told up to there, with a warning" \
	"$at/index.html" 'good.</strong> Bad at line 20: .* What stands here was\.'

# ---- strangers' texts ----

report_game "$work/evening.jsonl"
is "strangers write a game" $? 0
words=("$script" "<script>" "<b onclick" "<i>Cup" "x='&amp;&lt;" \
	$'\342\200\256' $'\342\201\246')
made strangers "$work/evening.jsonl"
pages "$work/strangers" "${words[@]}"
like "what they wrote is there" "$at/index.html" \
	'&lt;script&gt;alert\(1\)&lt;/script&gt;'
stranger_rows >"$work/rows.json"
"$pager" "$work/lists" lists <"$work/rows.json" 2>"$err"
is "lists of strangers' games are made" "$?$(cat "$err")" 0
pages "$work/lists" "${words[@]}"
like "a player's luck has its measure" "$work/lists/u/player.html" \
	'120 dice</strong> .*23\.5 pips less</strong> .* stray .* about 18\.7\. '
like "and how often fair dice do so" "$work/lists/u/player.html" \
	'with fair dice about 21 are so far from even'
jq '.luck.dice = 29' "$work/rows.json" | "$pager" "$work/few" lists
like "of few dice that is not told" "$work/few/u/player.html" \
	'Fewer than 30 dice are too few to tell\.'
jq '.tournaments = [] | .player as $who | .games[] |= (
	.players = [[$who], ["bert"]] | .result = {winner: 1, how: "resign"})' \
	"$work/rows.json" | "$pager" "$work/crossed" lists 2>"$err"
pages "$work/crossed" "${words[@]}"
like "an event that is no tournament has a crosstable" \
	"$work/crossed/e/event.html" '<h2 id="cross-h">Crosstable</h2>'
unlike "a tournament has its own" "$work/lists/e/event.html" 'cross-h'
# game SIDE1 SIDE2 RESULT [TURN]: a row.
game() {
	jq -n --argjson one "$1" --argjson two "$2" --argjson result "$3" \
		--argjson turn "${4:-7}" '{game: "ab", phase: "finished", $turn,
		players: [$one, $two], $result}'
}
{
	game '["cleo"]' '["anna"]' '{"winner": null, "how": "stopped"}'
	game '["cleo"]' '["anna"]' '{"winner": null, "how": "cancel"}' 0
	game '["cleo"]' '["bert"]' '{"winner": null, "how": "closed"}' 0
	game '["bert"]' '["anna"]' '{"winner": null, "how": "stopped"}' 0
	game '["anna"]' '["bert"]' '{"winner": null, "how": "draw"}'
	game '["cleo"]' '["anna"]' '{"winner": null, "how": "ruling"}'
	game '["bert"]' '["cleo"]' '{"winner": 2, "how": "resign"}'
	game '["bert"]' '["anna"]' '{"winner": 2, "how": "ruling"}'
	game '["anna"]' '["dora"]' null
	game '["anna", "dora"]' '["bert"]' '{"winner": 2, "how": "resign"}'
	game '["anna"]' '[""]' '{"winner": 1, "how": "resign"}'
	game '["anna"]' '["anna"]' '{"winner": 1, "how": "resign"}'
} | jq -s '{event: "spring", player: "anna", games: ., more: "x"}' |
	"$pager" "$work/cross" lists 2>"$err"
is "a crosstable is made of rows" "$?$(cat "$err")" 0
pages "$work/cross"
like "each sees each from their own side, the oldest game first" \
	<(tr -d '\n' <"$work/cross/e/event.html" |
		sed 's/.*<table//; s/<.table.*//; s/<tr>/;/g; s/<[^>]*>/,/g
		s/,,*/,/g') \
	';,1,anna,=-,1=,4,2,;,2,cleo,=-,1,3,1.5,;,3,bert,0=,0,3,0.5,$'
like "a director rules a draw, which the player's page has, too" \
	<(sed -n '/>All</s/<[^>]*>/,/g; s/,,*/,/gp' "$work/cross/u/player.html") \
	'^,All,10,3,2,1,$'
jq -n '{event: "e", player: "p", games: [range(17) | {game: "ab",
	phase: "finished", turn: 1, players: [["a\(.)"], ["b\(.)"]],
	result: {winner: 1, how: "resign"}}]}' | "$pager" "$work/many" lists
like "more than fit are not crossed" "$work/many/e/event.html" \
	'More than 32 have played here'
jq -n '{games: [], event: "x", player: "y"}' |
	"$pager" "$work/empty" lists 2>"$err"
is "and empty ones" "$?$(cat "$err")" 0
pages "$work/empty"
like "which say so, and lead on" "$work/empty/index.html" \
	'There are no such games.*<a href="/">All games</a>'

# ---- tournaments ----

for cup in swiss knockout; do
	record=$top_srcdir/tests/record/sample-tournament-$cup/tournament.jsonl
	"$pager" "$work/$cup" cup <"$record" >"$work/$cup.at" 2>"$err"
	is "a $cup: pages are made" "$?$(cat "$err")" 0
	pages "$work/$cup"
done
at=$work/swiss$(cat "$work/swiss.at")
tr -d '\n' <"$at/standings.html" | sed 's/<tr>/\n/g; s/<[^>]*>/ /g' >"$out"
like "who is first has their values" "$out" \
	'^ *1 , why +J.* \(player-5\) +5 +2\.5 +0 +2\.5 +4\.0 '
tr -d '\n' <"$at/why/5.html" | sed 's/<tr>/\n/g; s/<[^>]*>/ /g' >"$out"
like "and each of them its addends" "$out" \
	'^ *2 +1\.0 +6 player-6, who counts 1\.0'
like "a round has its tables and who had none" "$at/r/3.html" \
	'Bye: <a href="/u/player-5">'

# Whom the director has refused waits for nothing.
python3 "$top_srcdir/tests/web/cup_kinds.py" "$work" entries >/dev/null
"$pager" "$work/entries" cup <"$work/entries.jsonl" >"$work/entries.at" \
	2>"$err"
tr -d '\n' <"$work/entries$(cat "$work/entries.at")/index.html" |
	sed 's/<tr>/\n/g' | sed 's/<\/tr>.*//; s/<[^>]*>/ /g; s/  */ /g' >"$out"
is "who has entered is admitted, refused, to be admitted, or gone again" \
	"$(sed -nE 's/^ ([1-6]) .* (vienna|graz|brno|linz) ?(.*)$/\1\3/p' "$out" |
		sed 's/ $//' | xargs -d '\n')" \
	"1 2 3not admitted 4 5to be admitted 6withdrawn"

# ---- without escaping all that would be found ----

"${pager}_bare" "$work/bare" <"$work/evening.jsonl" >"$work/bare.at" 2>"$err"
python3 "$top_srcdir/tests/web/pages.py" "$work/bare" "${words[@]}" >"$out"
like "control: without escaping strangers' markup is found" "$out" \
	'^not ok .* - escaped'
like "and scripts" "$out" '^not ok .* - nothing inline'
"${pager}_bare" "$work/barelists" lists <"$work/rows.json" 2>"$err"
python3 "$top_srcdir/tests/web/pages.py" "$work/barelists" "${words[@]}" >"$out"
like "control: in lists, too" "$out" '^not ok .* - escaped'

finish
