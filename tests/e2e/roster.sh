#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Files of rosters: what is wrong with one, all of it and where; without a
# profile, a key or a server, but for a game that is called as a word is.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

samples=$top_srcdir/etc/samples
file=$work/r.json
cd "$work" || exit 99

# roster ARGUMENT...: the client, of a user who has nothing.
roster() {
	env -i PATH="$PATH" TZ=UTC LC_ALL=C.UTF-8 NO_COLOR=1 HOME="$work/none" \
		"$UMPIRE" roster "$@"
}

# holding TEXT: the file r.json holds this.
holding() {
	printf '%s\n' "$1" >r.json
}

# wrong WHAT LINE...: a case: check says just these of r.json, and ends with 65.
wrong() {
	local what=$1
	shift
	run roster check r.json
	is "$what" "$status$(printf '\n'; grep '^r\.json:' "$out"; cat "$err")" \
		"65$(printf '\n%s' "$@")"
}

# ---- what is misused ----

exits 64 "check without a file" roster check
like "says what is missing" "$err" 'FILE is missing'
exits 64 "check of two files" roster check r.json r.json
like "says which word is too many" "$err" "'r\.json' is one word too many"
exits 66 "check of a file that is not there" roster check none.json
is "prints nothing" "$(cat "$out")" ''
exits 66 "check of a folder" roster check "$work"
exits 65 "check for a system that there is not" \
	roster check --system chess "$samples/tlnb-evening.json"
like "says where they are listed" "$err" 'umpire rules'
exits 66 "another word is a game" roster chek r.json
head -c 50000 /dev/zero | tr '\0' ' ' >big.json
exits 65 "a file that is too big" roster check big.json

# ---- what is no JSON ----

holding '{"blob": "roster",
  "system" "lasalle2"}'
wrong "a colon that is missing" 'r.json:2:12: colon expected'
holding '{"name": "Splény", x}'
wrong "columns are characters" 'r.json:1:20: key expected'
printf '\357\273\277{}' >r.json
wrong "a byte order mark" 'r.json:1:1: byte order mark'
printf '{"a":\n' >r.json
wrong "a text that ends" 'r.json:2:1: the text ends too early'
holding '{"a":1,
"a":2}'
wrong "a key that is there twice" 'r.json:2:1: duplicate key'
holding '7'
exits 65 "what is no object" roster check r.json
like "is no roster" "$err" 'is not a roster'

# ---- what is no roster ----

holding '{"blob": "roster"}'
exits 65 "no system" roster check r.json
like "is said" "$err" "^umpire: 'r\.json' is not a roster: it names no rule"
is "programs get it, too" "$(roster check --json r.json | jq -c .faults)" \
	'[{"line":1,"column":1,"where":"system","what":"is missing"}]'
exits 65 "a scenario" roster check "$samples/tlnb-scenario.json"
like "is said" "$err" 'holds a combat, not a roster$'
like "with what it is for" "$err" 'umpire resolve '
holding '{"system": "chess"}'
wrong "a system that there is not" \
	'r.json:1:12: system: "chess" is no rule system: `umpire rules` lists them'
holding '{"system": 1}'
wrong "a system that is a number" 'r.json:1:12: system: must be a string'
holding '{"blob": "side", "system": "tlnb"}'
wrong "another blob without sides" 'r.json:1:1: sides: is missing' \
	'r.json:1:10: blob: must be "roster"'
holding '{"blob": "roster", "system": "tlnb", "a.b": 1, "sides": {"3": {}}}'
wrong "sides that are not there" \
	'r.json:1:38: a.b: is not a known member' \
	'r.json:1:57: sides.1: is missing' 'r.json:1:57: sides.2: is missing' \
	'r.json:1:58: sides.3: is not a known member'

# ---- all that is wrong ----

holding '{
  "blob": "roster",
  "system": "lasalle2",
  "sides": {
    "1": { "name": 7, "units": [
      { "id": "fr-1", "arm": "infantri", "strength": 0, "extra": 1 },
      { "id": "fr-2", "arm": "artillery", "strength": 3 },
      { "id": "fr-2", "arm": "infantry", "traits": ["shock", "x"] },
      7
    ] },
    "2": { "units": [
      { "id": "É", "arm": "cavalry", "strength": 3, "formation": "line" },
      { "id": "fr-1", "arm": "cavalry", "strength": 3,
        "battery": "foot" } ],
      "commanders": [] }
  }
}'
wrong "every fault is told, in the order of the text" \
	'r.json:5:20: sides.1.name: must be a string' \
	'r.json:6:30: sides.1.units[0].arm: must be "infantry", "cavalry" or "artillery"' \
	'r.json:6:54: sides.1.units[0].strength: must be an integer from 1 to 9999' \
	'r.json:6:57: sides.1.units[0].extra: is not a known member' \
	'r.json:7:7: sides.1.units[1].battery: is missing, as artillery needs it' \
	'r.json:8:7: sides.1.units[2].strength: is missing' \
	'r.json:8:15: sides.1.units[2].id: "fr-2" is used twice' \
	'r.json:8:62: sides.1.units[2].traits[1]: "x" is not known here' \
	'r.json:9:7: sides.1.units[3]: must be an object' \
	'r.json:12:15: sides.2.units[0].id: must have 1 to 32 characters a-z 0-9 . _ - and begin with a letter or digit' \
	'r.json:12:53: sides.2.units[0].formation: is not a known member' \
	'r.json:13:15: sides.2.units[1].id: "fr-1" is used twice' \
	'r.json:14:20: sides.2.units[1].battery: is for artillery only' \
	'r.json:15:7: sides.2.commanders: is not a known member'
like "and how many there are, and where to read on" "$out" \
	'^14 faults\. .*umpire rules lasalle2$'
roster check --json r.json >all.json
is "programs get the same" \
	"$(jq -c '[.file, .system, .valid, .count, (.faults | length),
		.faults[2]]' all.json)" \
	'["r.json","lasalle2",false,14,14,{"line":6,"column":54,"where":"sides.1.units[0].strength","what":"must be an integer from 1 to 9999"}]'
exits 65 "from standard input" bash -c "'$UMPIRE' roster check - <r.json"
like "it is called so" "$out" '^standard input:5:20: '

holding '{"blob":"roster","system":"imagi-nations","sides":{"1":{"units":[
{"id":"a","lead":"a1","battalions":[
 {"id":"a1","quality":"elite","sp":3,"hits":4},
 {"id":"a2","quality":"elite","sp":3,"hits":2},
 {"id":"a2","quality":"elite","sp":3,"hits":7}]},
{"id":"b","lead":"","battalions":[{"id":"b1","quality":"good"}]},
{"id":"c","lead":"c1","battalions":[
 {"id":"c1","quality":"elite","sp":3,"hits":3}]},
{"id":"d","lead":"x","battalions":[{"id":"d1","quality":"raw","sp":1}]},
{"id":"e","battalions":[]}]},"2":{"units":[]}}}'
wrong "so is what is wrong within units" \
	'r.json:3:45: sides.1.units[0].battalions[0].hits: must be an integer from 0 to 3' \
	'r.json:5:8: sides.1.units[0].battalions[2].id: "a2" is used twice' \
	'r.json:5:45: sides.1.units[0].battalions[2].hits: must be an integer from 0 to 3' \
	'r.json:6:18: sides.1.units[1].lead: must have 1 to 32 characters a-z 0-9 . _ - and begin with a letter or digit' \
	'r.json:6:35: sides.1.units[1].battalions[0].sp: is missing' \
	'r.json:6:56: sides.1.units[1].battalions[0].quality: must be "elite", "veteran", "experienced", "trained" or "raw"' \
	'r.json:7:36: sides.1.units[2].battalions: a unit in play has a strength point left' \
	'r.json:9:18: sides.1.units[3].lead: "x" is not among its battalions' \
	'r.json:10:1: sides.1.units[4].lead: is missing' \
	'r.json:10:43: sides.2.units: must have 1 to 400 units'

jq -c '.sides["1"].units |= [range(400) as $i | .[0] | .id = "u\($i)" |
	.a = 1 | .b = 1 | .c = 1]' "$samples/lasalle2-evening.json" |
	cut -c 1-39000 >r.json
exits 65 "a file that was cut" roster check r.json
is "has one fault" "$(grep -c '^r\.json:' "$out")" 1
jq -c '{blob, system, sides: {"1": {units: [range(380) | [{}, 1]]},
	"2": {units: [range(400) | {a: 1, b: 2}]}}}' \
	"$samples/lasalle2-evening.json" >r.json
exits 65 "a file with very many faults" roster check r.json
is "tells a thousand" "$(grep -c '^r\.json:' "$out")" 1000
like "and how many are left" "$out" '^\.\.\. and [0-9]+ more$'

exits 64 "show without a file" roster show
exits 64 "show of two files" roster show r.json r.json
exits 66 "show of a file that is not there" roster show none.json
holding '{"blob": "roster",
 "system" 1}'
exits 65 "show of what is no JSON" roster show r.json
is "prints nothing" "$(cat "$out")" ''
like "says where it is wrong" "$err" 'colon expected \(line 2, column 11\)$'
exits 65 "show of a scenario" roster show "$samples/tlnb-scenario.json"
jq '.sides["2"].units[0].sp = "x"' "$samples/tlnb-evening.json" >r.json
exits 65 "show of a faulty roster" roster show r.json
like "says where it is wrong" "$err" \
	'sides\.2\.units\[0\]\.sp: must be .* \(line [0-9]+, column [0-9]+\)$'
like "and what checks it" "$err" 'umpire roster check r\.json'

# ---- what is right ----

for sample in "$samples"/*-evening.json "$samples"/lasalle2-example.json; do
	exits 0 "the sample ${sample##*/}" roster check "$sample"
	is "has no faults ($(roster check --json "$sample" | jq .count))" \
		"$(cat "$err")" ''
done
run roster check --system invasion-1812 "$samples/invasion-1812-evening.json"
like "what it holds is said" "$out" \
	'^  side 1  French: 39 units, 7 commanders$'
exits 65 "for another system it is wrong" \
	roster check --system tlnb "$samples/invasion-1812-evening.json"
like "which is said" "$out" 'system: must be "tlnb"'
for sample in "$samples"/*-evening.json; do
	exits 0 "show of ${sample##*/}" roster show "$sample"
	holds "in 80 columns" test "$(wc -L <"$out")" -le 80
	jq -r '.sides[].units[].id' "$sample" | while read -r id; do
		grep -q "^  $id " "$out" || echo "$id"
	done >"$work/left-out"
	is "with every unit" "$(cat "$work/left-out")" ''
	like "and the sums" "$out" '^  SIDE +UNITS +IN ALL$'
	roster show --json "$sample" >show.json
	is "programs get the rosters" \
		"$(jq -c '[.system, (.sides[].units | length)]' show.json)" \
		"$(jq -c '[.system, (.sides[].units | length)]' "$sample")"
	is "and what they come to" \
		"$(jq '[.strength.sides[].in_play] | min > 0' show.json)" true
done
run roster show "$samples/lasalle2-example.json"
is "a table looks so" "$(cat "$out")" "$(cat <<'END'
Rosters of lasalle2: Lasalle, 2nd edition

French
  ID       NAME     ARM      LEFT
  french-a French A infantry    6
  french-b French B infantry    7
  french-c French C infantry    6

Austrians
  ID         NAME       ARM       BATTERY LEFT
  austrian-1 Austrian 1 infantry             6
  austrian-2 Austrian 2 infantry             5
  austrian-3 Austrian 3 artillery foot       2

Both sides, in strength points
  SIDE      UNITS IN ALL
  French        3     19
  Austrians     3     13
END
)"
run roster show "$samples/invasion-1812-evening.json"
like "commanders stand below their units" "$out" '^  commanders: [a-z]'
holds "no profile was made by any of these" test ! -e "$work/none"

# ---- new, and a game ----

start_umpired "$work/server" || exit 99
init_player anna && umpire_as anna register anna --trust >/dev/null 2>&1
write_example "$work"
holding '{"blob": "roster",
 "system" 1}'
exits 65 "new with what is no JSON" umpire_as anna new --roster r.json
like "says where it is wrong" "$err" 'colon expected \(line 2, column 11\)$'
like "and how to check it" "$err" 'umpire roster check r\.json'
jq '.sides["1"].units[1].strength = 0 | .sides["2"].units[0].arm = "x"' \
	"$work/roster.json" >r.json
exits 65 "new with faults" umpire_as anna new --roster r.json
line=$(grep -n '"strength": 0' r.json | cut -d: -f1)
like "says the first with its place" "$err" \
	"in r\\.json at sides\\.1\\.units\\[1\\]\\.strength: .* \\(line $line, column 23\\)\$"
like "and how to see all of them" "$err" \
	'first of 2 faults; umpire roster check r\.json tells'
exits 0 "a game that is called check" \
	umpire_as anna new --roster "$work/roster.json" --name check
game=$(sed -n 's/^  game  *//p' "$out")
exits 65 "check still checks" umpire_as anna roster check r.json
like "and tells how the game is named" "$err" \
	"a game 'check', too: .* by its number, ${game:0:8} "
exits 65 "by its number it is reached" umpire_as anna roster "$game" r.json
like "as a game, to which nothing is sent" "$err" 'Nothing was sent'
exits 0 "a roster is proposed to it" \
	umpire_as anna roster "${game:0:8}" "$work/roster.json"
exits 0 "completion has the word" umpire_as anna completion bash
like "where games are named" "$out" 'words=" check'

finish
