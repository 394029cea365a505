#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Reinforcements: in every system a unit joins by agreement and fights, another
# is taken away for good, and all of it is shown, told, taken back, kept by the
# daemon and verified.  What is typed wrongly is told as that.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3

samples=$top_srcdir/etc/samples
start_umpired "$work/umpired" || exit 99
enrol anna bert || exit 99
anna() { umpire_as anna "$@"; }
bert() { umpire_as bert "$@"; }

# flat: what was printed, in one line.
flat() { tr -s ' \n' ' ' <"$out"; }

# losses GAME FILTER: what jq makes of them.
losses() { anna show "$1" --json | jq -c ".losses.sides | $2"; }

# begin NAME ROSTER: anna opens a game, and both begin it.
begin() {
	run anna new --roster "$2" --name "$1"
	local game
	game=$(sed -n 's/^  game  *//p' "$out")
	bert join --yes "$game" --name "$1" >/dev/null &&
		anna ready "$1" >/dev/null
}

# joins SYSTEM: sets $joining, a file in which a copy of the first unit of the
# sample's declared defenders joins its side as "zz-new", and $old, its id, and
# $old_name, as a pattern.
joins() {
	old=$(jq -r '[.combat | (.defenders? // .defender) |
		.. | objects | select(has("id"))][0].id' \
		"$samples/$1-evening-declare.json")
	old_name=$(jq -r --arg old "$old" '.sides["2"].units[] |
		select(.id == $old).name | gsub("[()]"; ".")' \
		"$samples/$1-evening.json")
	joining=$work/$1-join.json
	jq --arg old "$old" '{system, sides: {"2": {units: [.sides["2"].units[] |
		select(.id == $old) | .id = "zz-new" | .name = "Late Comers"]}}}' \
		"$samples/$1-evening.json" >"$joining"
}

# worth_of SYSTEM: what the unit $joining, which lost nothing, is worth.
worth_of() {
	jq '.sides["2"].units[0] | if .strength then .strength
		elif .battalions then [.battalions[] | .sp - (.hits // 0)] | add
		elif .sp then if .reduced then .reduced_sp else .sp end
		elif .class then 6 - (.casualties // 0)
		else .cf // 1 end' "$joining"
}

for system in lasalle2 invasion-1812 leniston-2009 imagi-nations tlnb; do
	declared=$samples/$system-evening-declare.json
	holds "$system: a game begins" begin $system "$samples/$system-evening.json"
	joins $system
	sed "s/\"$old\"/\"zz-new\"/g" "$declared" >"$work/declare.json"
	began=$(losses $system '."2".began')
	run anna declare $system "$work/declare.json" --check
	is "$system: who is not there is not declared" "$status" 65
	exits 0 "$system: a unit is to join" \
		anna adjust $system --join "$joining" --why "to the guns"
	like "$system: which is told" <(flat) \
		'anna proposes that Late Comers [(]zz-new[)] joins side 2 [(][A-Za-z ]+[)]: '
	run anna declare $system "$work/declare.json" --check
	is "$system: a proposal is not enough" "$status" 65
	run bert show $system
	like "$system: the other side is asked" <(flat) \
		'anna .*proposes that Late Comers [(]zz-new[)] joins side 2 [(][A-Za-z ]+[)]: '
	is "$system: in 80 columns" "$(LC_ALL=C.UTF-8 sed -n '/.\{81\}/p' "$out")" ''
	exits 0 "$system: and accepts" bert accept $system --yes
	unlike "$system: no JSON is shown" "$out" '[[{]'
	like "$system: which is told, too" <(flat) \
		'accepts line 4, that Late Comers [(]zz-new[)] joins side 2 [(][A-Za-z ]+[)]: '
	is "$system: it has what it joined with" "$(losses $system \
		'."2".units[-1] | [.id, .began == .left, .joined]')" \
		'["zz-new",true,true]'
	is "$system: which its side has had, too" "$(losses $system \
		'."2" | [.began - '"$began"' == .units[-1].began, .lost]')" '[true,0]'
	worth=$(losses $system '."2".worth')
	run anna show $system --rosters
	like "$system: and stands in the rosters" <(flat) 'zz-new [^:]*joined'
	exits 0 "$system: a unit is to go" \
		bert adjust $system "$old" gone=yes out=marched
	like "$system: which is told" <(flat) \
		"bert proposes that $old_name is taken away for good: marched"
	exits 0 "$system: anna accepts" anna accept $system --yes
	is "$system: it is out of play for good" "$(losses $system \
		".\"2\".units[] | select(.id == \"$old\") | [.out, .gone]")" \
		'["marched",true]'
	run anna show $system --rosters
	like "$system: which is shown" <(flat) "out of play: $old .*marched, for good"
	is "$system: its side is worth as much less as it had" "$(losses $system \
		'."2".worth')" $((worth - $(worth_of $system)))
	run anna declare $system "$declared" --check
	is "$system: it fights no more" "$status" 65
	exits 65 "$system: nor comes back" bert adjust $system "$old" out=none
	like "$system: which is told why" "$err" 'taken away for good'
	exits 0 "$system: what joined can be declared" \
		anna declare $system "$work/declare.json" --check
	exits 0 "$system: and fights" anna declare $system "$work/declare.json" \
		--yes
	run anna log $system --by-agreement --json
	is "$system: programs are told both" "$(jq -c '[.[].changes[0] |
		[.id, .joins, .side, .unit.name, .gone]]' "$out")" \
		"[[\"zz-new\",\"units\",2,\"Late Comers\",null],[\"$old\",null,null,null,true]]"
	exits 0 "$system: the record is exported" \
		anna export $system -o "$work/$system.jsonl"
	exits 0 "$system: and good" "$UMPIRE" verify "$work/$system.jsonl"
	exits 0 "$system: by the second reading, too" \
		python3 "$top_srcdir/tests/oracle/verify.py" "$work/$system.jsonl"
	for format in text html markdown; do
		exits 0 "$system: it can be read as $format" \
			"$UMPIRE" log "$work/$system.jsonl" --format $format
		like "$system: and tells who joined" <(flat) \
			'Late Comers .?.?zz-new.?.? joins side 2'
	done
done

# ---- what is taken back, and what is refused ----

joins lasalle2
holds "another game begins" begin back "$samples/lasalle2-evening.json"
exits 0 "a unit is to join, in words" anna adjust back \
	don joins=units side=2 arm=artillery battery=horse strength=2 \
	fr-line-1 strength=3
like "which is told with the change" <(flat) \
	'that don joins side 2 [(]Austrians[)]: arm artillery, battery horse, strength 2; 61st Line, 1st battalion changes: strength [0-9]+ -> 3'
exits 0 "bert accepts" bert accept back --yes
exits 0 "anna wants it back" anna offer back takeback --yes
exits 0 "so does bert" bert accept back --yes
is "it is not there" "$(losses back '."2".units | map(.id) | index("don")')" null
exits 65 "nor can its id be used again" anna adjust back \
	don joins=units side=1 arm=infantry strength=2
like "which is said" "$err" 'taken back'
exits 65 "an id that is there is not taken" anna adjust back \
	fr-line-1 joins=units side=1 arm=infantry strength=2
like "which is said, too" "$err" 'is taken'
exits 65 "nor a side that is not" anna adjust back \
	don-2 joins=units side=3 arm=infantry strength=2
exits 65 "nor a unit that the rules refuse" anna adjust back \
	don-2 joins=units side=1 arm=artillery strength=2
like "with what is wrong" "$err" 'battery'
like "a file is named as the other way" "$err" \
	'^  umpire adjust back --join FILE$'
exits 65 "nor does one that lacks a letter" anna adjust back \
	don-2 join=units side=1 arm=infantry strength=2
like "which is told as that" "$err" \
	"^umpire: 'join=units': what joins has joins=units or joins=commanders"
exits 65 "nor what units have not" anna adjust back \
	don-2 joins=units side=1 arm=infantry strength=2 colour=red
like "which is told" "$err" "^umpire: 'don-2' has no 'colour'\$"
like "with what they have" "$err" '^  It has: name, arm, strength,'
exits 65 "nor a commander where there are none" anna adjust back \
	ney joins=commanders side=1 cr=3
exits 65 "nobody goes who is not there" anna adjust back nobody gone=yes
exits 65 "nor half" anna adjust back fr-line-1 gone=no
exits 65 "nor changed" anna adjust back fr-line-1 gone=yes strength=2
is "which is said, with what to do" "$(head -n 2 "$err")" \
	"umpire: 'fr-line-1' is to go for good: its 'strength' cannot change
  Leave out strength; out= can say why it goes."
is "nothing of that was sent" \
	"$(anna show back --json | jq '.offers | length')" 0
jq '.sides["2"].units[0].id = "x-1" | .system = "tlnb"' "$joining" \
	>"$work/other.json"
exits 65 "a roster of another system is refused" \
	anna adjust back --join "$work/other.json"
like "as that" "$err" 'roster of tlnb, and the game is of lasalle2'
echo '{"sides":{"1":{}}}' >"$work/empty.json"
exits 65 "an empty one, too" anna adjust back --join "$work/empty.json"
like "with what it needs" "$err" 'no unit and no commander'
echo '{"units":[{"id":"a"}]}' >"$work/list.json"
exits 65 "and a list of changes" anna adjust back --join "$work/list.json"
like "which is no roster" "$err" 'must be a file of rosters'
like "and what one is" "$err" '\{"sides": \{"1": '
jq '.sides["2"].units[0] as $u | .sides["2"].units = [range(65) |
	$u + {id: "n\(.)"}]' "$joining" >"$work/many.json"
exits 65 "64 join at once, and no more" \
	anna adjust back --join "$work/many.json"
like "which is said" "$err" 'at most 64'
printf '%s\r\n' 'Side;ID;Name;Arm;Strength' '1;fr-csv;Grouchy;infantry;4' \
	>"$work/join.csv"
exits 0 "a table of a spreadsheet joins, too" \
	anna adjust back --join "$work/join.csv"
exits 0 "if bert agrees" bert accept back --yes
is "and stands in the roster" \
	"$(losses back '."1".units | map(.id) | index("fr-csv") != null')" true
printf '%s\n' side,id,arm,strength 1,ok,infantry,3 2,x-1,hussars,4 \
	3,x-2,infantry,no >"$work/wrong.csv"
exits 65 "a table that is wrong does not" \
	anna adjust back --join "$work/wrong.csv"
like "which names row and heading" "$err" \
	'^umpire: .*wrong[.]csv.: row 3, arm: must be '
like "of all that is wrong" "$err" 'wrong[.]csv.: row 4, side: must be 1 or 2'
like "and sends nothing" "$err" '^  Nothing was sent'
sed 's/^Side/System;&/; s/^1/tlnb;&/' "$work/join.csv" >"$work/other.csv"
exits 65 "nor does one of another system" \
	anna adjust back --join "$work/other.csv"
like "which is told" "$err" 'row 2, system: differs from the system of the game'
exits 65 "nor what is neither table nor roster" \
	anna adjust back --join "$samples/../umpired.conf"
exits 66 "nor a file that is not there" anna adjust back --join "$work/none"
exits 64 "a file joins or changes" \
	anna adjust back --join "$joining" --file "$work/list.json"
exits 64 "and says all there is" anna adjust back --join "$joining" x y=1
exits 0 "with an id of its own it joins" \
	anna adjust back --join "$joining"
exits 0 "and bert agrees" bert accept back --yes

# ---- in play ----

# plays LINE...: anna types these in `umpire play back`; $work/seen has it.
plays() {
	local line
	for line in "$@" quit; do
		printf 'wait >\ntype %s\n' "$line"
	done >"$work/steps"
	player anna env NO_COLOR=1 python3 "$top_srcdir/tests/e2e/terminal.py" \
		run "$work/raw" 80 "$UMPIRE" play back <"$work/steps"
	tr -d '\r' <"$work/raw" | sed 's/\x1b\[[0-9;?]*[A-Za-z]//g' >"$work/seen"
}
jq '.sides["2"].units[0].id = "zz-last"' "$joining" >"$work/last.json"
last=$(anna show back --json | jq .seq)
plays more bring /nonexistent '' more bring "$work/list.json" '' \
	more bring "$work/last.json" 'over the bridge' n
like "a file that is not there is no roster" "$work/seen" \
	"cannot open '/nonexistent'"
like "nor is a list of changes" "$work/seen" 'must be a file of rosters'
like "what would join is told" "$work/seen" \
	'^  .*[(]zz-last[)] joins side 2 [(]Austrians[)]: '
like "before it is asked for" "$work/seen" '^Propose that[?].*> n$'
is "and no is no" "$(anna show back --json | jq .seq)" "$last"
plays more bring "$work/last.json" 'over the bridge' y
like "else it is proposed" "$work/seen" \
	'anna proposes that .*[(]zz-last[)] joins side 2'
exits 0 "and accepted" bert accept back --yes
is "so that it is there" \
	"$(losses back '."2".units | map(.id) | index("zz-last") != null')" true

# ---- what is kept ----

stop_umpired
exits 0 "all games are what their records make" \
	"$UMPIRED" -c "$work/umpired/umpired.conf" --check

finish
