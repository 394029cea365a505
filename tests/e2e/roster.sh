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

exits 0 "help has the words" "$UMPIRE" help roster
holds "in 80 columns" test "$(wc -L <"$out")" -le 80
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
for what in check show export import; do
	exits 64 "$what gives nobody a reason" roster $what r.json --why "x"
	like "which is said" "$err" '^umpire: --why is the reason of a proposal'
done
exits 64 "a game has its system" roster game r.json --system tlnb
like "which is said" "$err" '^umpire: a game has its system'

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
status=0
roster check - <"$samples/tlnb-scenario.json" >"$out" 2>"$err" || status=$?
is "a scenario that is not in a file" "$status" 65
like "is called what it is" "$err" '^umpire: standard input holds a combat'
like "and no command has it a second time" "$err" 'umpire resolve FILE$'
exits 65 "a scenario" roster check "$samples/tlnb-scenario.json"
like "is said" "$err" 'holds a combat, not a roster$'
like "with what it is for" "$err" 'umpire resolve '
holding '{"system": "chess"}'
wrong "a system that there is not" \
	'r.json:1:12: system: "chess" is not a rule system: `umpire rules` lists them'
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
	'^14 faults\.  `umpire rules lasalle2` lists'
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
jq '.sides["2"].units[0].sp = "x"' "$samples/tlnb-evening.json" >"it's r.json"
exits 65 "show for a system" roster show --system tlnb "it's r.json"
like "what checks it does so for the system, and a shell reads the name" \
	"$err" "umpire roster check --system tlnb 'it'\\\\''s r\\.json'\$"
# What that says works.
advice=$(sed -n 's/^ *After fixing it: //p' "$err")
run env PATH="$(dirname "$UMPIRE"):$PATH" NO_COLOR=1 bash -c "$advice"
is "so that it can be typed as it stands" "$status" 65
like "and tells of that file" "$out" "^it's r\.json:[0-9]+:[0-9]+: sides\.2"
jq '.sides["2"].units[0].sp = "x"' "$samples/tlnb-evening.json" >r.json
exits 65 "show of a faulty roster" roster show r.json
like "says where it is wrong" "$err" \
	'sides\.2\.units\[0\]\.sp: must be .* \(line [0-9]+, column [0-9]+\)$'
like "and what checks it" "$err" 'umpire roster check r\.json'

# ---- what is a table ----

roster export "$samples/tlnb-evening.json" table.csv >"$out"
cp table.csv table
echo 'a;b' >other.csv
for what in check show export; do
	for file in table.csv table other.csv; do
		exits 65 "$what of $file" roster $what $file
		is "says what makes a roster of it" "$(cat "$out" "$err")" \
			"umpire: '$file' is not JSON: it looks like a table of a spreadsheet
  umpire roster import $file roster.json makes a roster of it."
	done
done
is "programs get the fault" "$(roster check --json table.csv |
	jq -c '[.valid, .count]')" '[false,1]'

# ---- a roster where a combat is wanted ----

for what in resolve odds; do
	exits 65 "$what of a roster" "$UMPIRE" $what "$samples/tlnb-evening.json"
	like "says what it is" "$err" "tlnb-evening\.json' is a roster, not a combat\$"
	like "and what can be done with it" "$err" 'umpire roster show /.*json prints it'
done

# ---- tables that are wrong ----

# table LINE...: t.csv has these lines.
table() {
	printf '%s\r\n' "$@" >t.csv
}

# untabled WHAT LINE...: a case: import tells just these of t.csv.
untabled() {
	local what=$1
	shift
	rm -f new.json
	run roster import t.csv new.json
	is "$what" "$status$(printf '\n'; grep '^t\.csv:' "$out"; cat "$err")" \
		"65$(printf '\n%s' "$@")"
	[ ! -e new.json ] || fail "... nothing is written"
}

exits 64 "import without a file" roster import
exits 64 "import of three" roster import t.csv new.json more
exits 66 "import of a file that is not there" roster import none.csv new.json
exits 65 "import for a system that there is not" \
	roster import --system chess none.csv
exits 66 "export of a file that is not there" roster export none.json
jq '.sides["2"].units[0].sp = "x"' "$samples/tlnb-evening.json" >r.json
exits 65 "export of a faulty roster" roster export r.json none.csv
like "says where it is wrong" "$err" \
	'sides\.2\.units\[0\]\.sp: must be .* \(line [0-9]+, column [0-9]+\)$'
holds "and writes nothing" test ! -e none.csv
exits 73 "export into a folder that is not there" \
	roster export "$samples/tlnb-evening.json" none/t.csv
is "which is said of the file that was named" "$(cat "$err")" \
	"umpire: cannot create 'none/t.csv': No such file or directory"
# What somebody else puts in the way of a file that is about to be written is
# not written to.
echo kept >victim
# shellcheck disable=SC2016 # they are the other shell's
exits 0 "export beside a link that somebody has left" bash -c '
	ln -s victim "trap.csv.new.$$"
	exec "$0" roster export "$1" trap.csv' "$UMPIRE" "$samples/tlnb-evening.json"
is "what it points to stays as it is" "$(cat victim)" kept
holds "and the file is one" test -f trap.csv -a ! -h trap.csv

: >t.csv
untabled "an empty table" \
	't.csv: a row of headings and a row for each unit are needed'
table 'system,side,id,arm,strength'
untabled "headings alone" \
	't.csv: a row of headings and a row for each unit are needed'
table 'side,id' '1,a'
untabled "no system" \
	't.csv: system: is missing: it names the rule system; or give --system ID'
table 'system,side,id' 'tlnb,1,a' 'chess,1,b' 'lasalle2,1,c'
untabled "several systems" \
	't.csv: row 3, system: must be the id of a rule system; `umpire rules` lists them' \
	't.csv: row 4, system: differs from the other rows, or from --system'
table 'system,side,id' 'tlnb,1,"a'
untabled "a quote that stays open" \
	't.csv: row 2: a quote is opened and never closed'
table 'system,side,id' '' 'tlnb,1,"a"b'
untabled "rows are counted as a spreadsheet does" \
	't.csv: row 3: text follows a closing quote; write a quote inside a cell twice'
printf 'system,side,id\ntlnb,1,Spl\351ny\n' >t.csv
untabled "what is not UTF-8" \
	't.csv: row 2: is not UTF-8: have the spreadsheet save it as "CSV UTF-8"'
printf 's\0y\0s\0' >t.csv
untabled "what has zeros" \
	't.csv: row 1: is not UTF-8: have the spreadsheet save it as "CSV UTF-8"'
head -c 2000001 /dev/zero | tr '\0' , >t.csv
exits 65 "a table that is too big" roster import t.csv
head -c 9000 /dev/zero | tr '\0' , >t.csv
untabled "too many columns" 't.csv: row 1: has too many columns'
table 'system,side,id,arm,strenght,id,formation' 'lasalle2,1,a,infantry,3,,'
untabled "headings that there are not, or are twice" \
	't.csv: row 1, strenght: is not a heading of lasalle2; `umpire rules lasalle2` lists what units have' \
	't.csv: row 1, id: appears twice' \
	't.csv: row 1, formation: is not a heading of lasalle2; `umpire rules lasalle2` lists what units have'
table 'system,side,side_name,id,arm,strength,shaken,traits,kind' \
	'lasalle2,1,French,fr-1,infantri,six,maybe,shock x,' \
	'lasalle2,3,French,fr-2,infantry,6,,,' \
	'lasalle2,1,Frensh,fr-1,cavalry,6,,,commander' \
	'lasalle2,1,Frensh,fr-1,cavalry,6,TRUE,,unit,left' \
	'lasalle2,2,,au-1,artillery,6,,,'
untabled "every fault is told, by row and heading" \
	't.csv: row 2, arm: must be "infantry", "cavalry" or "artillery"' \
	't.csv: row 2, strength: must be an integer from 1 to 9999' \
	't.csv: row 2, traits: "x" is not known here' \
	't.csv: row 2, shaken: must be true or false' \
	't.csv: row 3, side: must be 1 or 2' \
	't.csv: row 4, kind: must be unit: the system has no commanders' \
	't.csv: row 5, side_name: differs from row 2, which is of the same side' \
	't.csv: row 5: has a cell without a heading' \
	't.csv: row 5, id: "fr-1" is used twice' \
	't.csv: row 6, battery: is missing, as artillery needs it'
like "and how many there are" "$out" '^10 faults; nothing was written\.$'
is "programs get the same" \
	"$(roster import --json t.csv | jq -c '[.valid, .count, .faults[0]]')" \
	'[false,10,{"row":2,"heading":"arm","what":"must be \"infantry\", \"cavalry\" or \"artillery\""}]'
table 'system,side,kind,id,type,cr' 'invasion-1812,1,unit,a,infantry,7' \
	'invasion-1812,1,king,b,,7' 'invasion-1812,2,Commander,c,cavalry,x'
untabled "units are no commanders" \
	't.csv: sides.2.units: must have 1 to 400 units' \
	't.csv: row 2, cr: is for commanders only' \
	't.csv: row 3, kind: must be unit or commander' \
	't.csv: row 4, type: is for units only' \
	't.csv: row 4, cr: must be an integer from 0 to 9999'
table 'system,side,id,lead,battalions.1.id,battalions.1.quality,battalions.1.sp,battalions.4.id,battalions.4.quality,battalions.4.sp' \
	'imagi-nations,1,a,x,a1,elite,3,a2,elite,0' \
	'imagi-nations,2,b,b1,,,,b1,elit,3'
untabled "a battalion is told by its number" \
	't.csv: row 2, battalions.4.sp: must be an integer from 1 to 9999' \
	't.csv: row 3, battalions.4.quality: must be "elite", "veteran", "experienced", "trained" or "raw"'
table 'system,side,kind,id,type,cf,cr' 'invasion-1812,1,,a,infantry,7,' \
	'invasion-1812,1,,b,,,7' 'invasion-1812,II,,c,cavalry,3,' \
	'invasion-1812, ,,c,cavalry,3,'
untabled "a side or a kind that is wrong is told, and nothing that comes of it" \
	't.csv: row 3, cr: is for commanders only' \
	't.csv: row 4, side: must be 1 or 2' 't.csv: row 5, side: must be 1 or 2'
table 'system,side,kind,id,type,cf' 'invasion-1812,1,,a,infantry,7' \
	'invasion-1812,2,king,c,cavalry,3'
untabled "so is a kind alone" 't.csv: row 3, kind: must be unit or commander'
table 'system,id,arm,strength' 'lasalle2,a,infantry,7' 'lasalle2,b,infantry,7'
untabled "a table without sides has one fault" \
	't.csv: side: is missing: a column that says whose a unit is, 1 or 2'
table 'system,side,id,name,arm,strength' 'lasalle2,1,a,"Old
Guard",infantry,7' ' , ,, ,,' 'lasalle2,2,b,"x
y",infantri,7'
untabled "rows are told as a spreadsheet numbers them" \
	't.csv: row 2, name: must have at most 64 bytes and no control characters' \
	't.csv: row 4, name: must have at most 64 bytes and no control characters' \
	't.csv: row 4, arm: must be "infantry", "cavalry" or "artillery"'
printf 'system,side,id\r"a\n\nb",1,a\rlasalle2,2,\xff\r' >t.csv
untabled "so are those that are not UTF-8" \
	't.csv: row 3: is not UTF-8: have the spreadsheet save it as "CSV UTF-8"'
table 'sep=;' 'system;side;id;arm;strength' 'lasalle2;3;a;infantry;7'
untabled "a line that names the separator is no row" \
	't.csv: row 2, side: must be 1 or 2'
table 'sep=|' 'system|side|id|arm|strength' 'lasalle2|1|a|infantry|7'
untabled "which must be a usual one" \
	't.csv: row 1: "sep=" must name a comma, a semicolon or a tab'
jq -c '{system, side: "1", units: [range(900)]}' \
	"$samples/lasalle2-evening.json" | jq -r '"system,side,id,arm,strength",
	(.units[] | "lasalle2,\(. % 2 + 1),a-unit-with-a-long-id-\(.),infantry,3")' >t.csv
untabled "too many units" 't.csv: sides.1.units: must have 1 to 400 units' \
	't.csv: sides.2.units: must have 1 to 400 units'
sed -i 780,901d t.csv
untabled "too many bytes" \
	"t.csv: these rosters have $(roster import --system lasalle2 t.csv 2>&1 |
		sed -n 's/.* have \([0-9]*\) bytes.*/\1/p') bytes as JSON; a game takes at most 40000"

run roster import --system lasalle2 t.csv
is "without a file nothing but rosters goes to standard output" \
	"$status $(wc -c <"$out")" "65 0"
like "and the faults are told" "$err" '1 fault; nothing was written\.$'
for what in export import; do
	cp "$samples/lasalle2-evening.json" same
	exits 64 "$what does not write over what it reads" roster $what same same
	exits 0 "which stays as it is" \
		cmp "$samples/lasalle2-evening.json" same
done

# ---- tables that are right ----

for sample in "$samples"/*-evening.json "$samples"/lasalle2-example.json; do
	rm -f t.csv new.json
	exits 0 "export of ${sample##*/}" roster export "$sample" t.csv
	exits 0 "import of it" roster import t.csv new.json
	is "comes to the same bytes" "$(jq -c . new.json)" "$(jq -c . "$sample")"
	roster export "$sample" >out.csv
	holds "standard output gets what a file gets" cmp t.csv out.csv
	is "every line ends as in a spreadsheet" "$(grep -vc $'\r$' t.csv)" 0
	exits 0 "what is made can be checked" roster check new.json
done
for what in "export new.json t.csv" "import t.csv new.json"; do
	cp "${what##* }" was
	# shellcheck disable=SC2086 # they are words
	exits 73 "$what overwrites nothing" roster $what
	like "says how it does" "$err" "already exists: add --yes to overwrite it\$"
	exits 0 "the file stays as it is" cmp was "${what##* }"
	# shellcheck disable=SC2086
	exits 0 "--yes overwrites it" roster $what --yes
done
jq '.sides["1"].name = "=HYPERLINK(1)" | .sides["1"].units[0].name = "+1;-2" |
	.sides["1"].units[1].name = "\u0027@x" | .sides["1"].units[2].name = "" |
	.sides["2"].name = "7" | .sides["2"].units[0].name = "a; =b, \"c\"" |
	.sides["2"].units[1].name = "@SUM(1)" | .sides["1"].units[2].name = "-2+3"' \
	"$samples/lasalle2-example.json" >r.json
roster export r.json >t.csv
is "no text is run" "$(tr ',;\t' '\n\n\n' <t.csv | grep -c '^["[:space:]]*[-=+@]')" 0
roster import t.csv >new.json
is "and each comes back" "$(jq -c . new.json)" "$(jq -c . r.json)"
# What spreadsheets make of a table when they save it.
roster export "$samples/tlnb-evening.json" >t.csv
sed 's/^\xef\xbb\xbf//' t.csv >bare.csv
is "without a byte order mark it is the same" \
	"$(roster import bare.csv | jq -c .)" \
	"$(jq -c . "$samples/tlnb-evening.json")"
jq -Rr 'rtrimstr("\r")' bare.csv | tr , ';' >semicolons.csv
is "with semicolons, too" "$(roster import semicolons.csv | jq -c .)" \
	"$(jq -c . "$samples/tlnb-evening.json")"
jq -Rr 'rtrimstr("\r")' bare.csv | tr , '\t' >tabs.csv
is "and with tabs" "$(roster import - <tabs.csv | jq -c .)" \
	"$(jq -c . "$samples/tlnb-evening.json")"
table 'Reduced SP;SP ;ARM;"Side";id;INITIATIVE;Reduced' \
	'null;7;infantry;2;"b";3;FALSCH' ';;;;;;' ' 2 ;6; cavalry;1;a;4;Vrai; ;'
rm new.json
exits 0 "headings in any order, as they come" \
	roster import --system tlnb t.csv new.json
is "make a roster" "$(jq -c .sides new.json)" \
	'{"1":{"units":[{"reduced_sp":2,"sp":6,"arm":"cavalry","id":"a","initiative":4,"reduced":true}]},"2":{"units":[{"reduced_sp":null,"sp":7,"arm":"infantry","id":"b","initiative":3,"reduced":false}]}}'
like "what was written is told" "$out" '^new\.json: 2 units written\.$'
is "to programs, too" \
	"$(roster import --json --yes --system tlnb t.csv new.json)" \
	'{"file":"new.json","rows":2}'
for line in 'sep=,' '"sep=,"' 'SEP=,'; do
	{ printf '\xef\xbb\xbf%s\r\n' "$line"; cat bare.csv; } >sep.csv
	is "a first line $line is understood" "$(roster import sep.csv | jq -c .)" \
		"$(jq -c . "$samples/tlnb-evening.json")"
done
roster export "$samples/imagi-nations-evening.json" >t.csv
head -n 2 t.csv | tail -n 1 >row
like "battalions are columns" row ',pr-gren-1,elite,4,,pr-gren-2,veteran,4,,'

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
like "commanders stand below their units" "$out" '^  commanders: Napoleon \(napoleon\) cr 4'
holds "no profile was made by any of these" test ! -e "$work/none"

# ---- new, and a game ----

start_umpired "$work/server" || exit 99
enrol anna || exit 99
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
	'first of 2 faults; umpire roster check r\.json lists'
exits 0 "a game that is called check" \
	umpire_as anna new --roster "$work/roster.json" --name check
game=$(sed -n 's/^  game  *//p' "$out")
exits 65 "check still checks" umpire_as anna roster check r.json
like "and tells how the game is named" "$err" \
	"called 'check', too: .* by its number here, ${game:0:8}\\."
exits 65 "by its number it is reached" umpire_as anna roster "$game" r.json
like "as a game, to which nothing is sent" "$err" 'Nothing was sent'
exits 0 "a roster is proposed to it" \
	umpire_as anna roster "${game:0:8}" "$work/roster.json"
exits 0 "completion has the word" umpire_as anna completion bash
like "where games are named" "$out" 'words=" check'

finish
