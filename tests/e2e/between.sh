#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What players do with each other, on two command lines and for a director:
# free dice and cups, changes by agreement, offers, takebacks, clocks and
# claims, standing orders, declarations that are confirmed, live-1 dice that
# are answered by `watch --answer`, rulings.  Each game is exported at its end,
# and its record must be good.  No line here depends on the dice.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need script
with_clocks

dir=$work/umpired
start_umpired "$dir" || exit 99
write_example "$work"
enrol anna bert dirk || exit 99

anna() { umpire_as anna "$@"; }
bert() { umpire_as bert "$@"; }
dirk() { umpire_as dirk "$@"; }

# open_game NAME OPTION...: a game of anna's and bert's; leaves $game.
open_game() {
	local name=$1
	shift
	run anna new --roster "$work/roster.json" --name "$name" "$@"
	is "$name: new works" "$status" 0
	game=$(sed -n 's/^  game  *//p' "$out")
	bert join --yes "$game" --name "$name" >/dev/null 2>&1
	case " $* " in
	*' --director '*)
		dirk join --yes "$game" --name "$name" --seat 0 >/dev/null 2>&1
		bert ready "$name" >/dev/null 2>&1
		;;
	esac
	anna ready "$name" >/dev/null 2>&1
	is "$name: it is played" \
		"$(anna show "$name" --json | filter .phase)" play
}

# state NAME FILTER: what jq makes of the state, as anna has it.
state() {
	anna show "$1" --json | filter "$2"
}

# last NAME: the number of the last line.
last() {
	state "$1" .seq
}

# good NAME WHAT [OPTION...]: the record verifies, on both sides, and they
# are the same.
good() {
	run anna export "$1" -o "$work/$1.jsonl"
	run anna verify "$work/$1.jsonl"
	is "$1: the record is good ($2)" "$status" 0
	[ "$status" = 0 ] || show_run
	run bert verify "$1"
	is "$1: and so is bert's" "$status" 0
	is "$1: and the daemon's own check" "$(bert export "$1" |
		grep -v '^{"\(text\|blob\)"' | sha256sum)" \
		"$(grep -v '^{"\(text\|blob\)"' "$work/$1.jsonl" | sha256sum)"
}

# ---- free dice and cups ----

open_game dice
exits 65 "it is not bert's turn to roll" bert roll dice 2d6
unlike "and he is told who it is" "$err" 'Nothing'
for word in 2x6 0d6 2d1 1001d6 d; do
	exits 64 "$word are no dice" anna roll dice "$word"
done
exits 64 "nothing is rolled without dice" anna roll dice
exits 0 "anna rolls" anna roll dice 2d6 --for morale
like "what for is told" "$out" 'anna rolls 2d6: [1-6] [1-6] \(together [0-9]+\)'
like "in her words" "$out" 'for "morale"'
run bert log dice
like "and bert can read it" "$out" 'for "morale"'
exits 0 "a thousand dice are rolled" anna roll dice 1000d1000
exits 65 "there is no cup yet" anna roll dice --cup events
exits 64 "a cup needs chits" anna cup dice make events
exits 64 "each of them once" anna cup dice make events rain rain
exits 64 "with lawful names" anna cup dice make events Rain
exits 64 "and something that is done" anna cup dice shake events
exits 0 "bert makes one" bert cup dice make events rain fog mud
exits 65 "a cup is made once" anna cup dice make events sun
exits 0 "anna draws" anna roll dice --cup events 2 --for weather
like "two of three" "$out" 'anna draws 2 from the cup events: [a-z]+ [a-z]+,'
run anna roll dice --cup events 2
is "more than are left cannot be drawn" "$status" 65
like "which is said" "$err" 'has 1 left'
drawn=$(state dice '.cups[0].out[0]')
exits 65 "bert puts nothing back in anna's turn" \
	bert cup dice return events "$drawn"
exits 0 "anna puts one back" anna cup dice return events "$drawn"
is "it is in again" "$(state dice '.cups[0].in | length')" 2
exits 65 "what is in cannot be put back" \
	anna cup dice return events "$drawn"
exits 0 "all are put back" anna cup dice shuffle events
is "all are in" "$(state dice '.cups[0].in | sort | join(" ")')" 'fog mud rain'
run bert cup dice
like "cups are listed" "$out" '^events$'
like "with what is in them" "$out" '^  in  +fog mud rain|^  in  '
jq -nc '["k1","k2","k3"]' >"$work/chits.json"
exits 0 "chits come from a file" \
	anna cup dice make cards --file "$work/chits.json"
is "a list for programs" "$(bert cup dice --json |
	jq -r 'map(.cup) | sort | join(" ")')" 'cards events'

# ---- changes by agreement ----

unit=$(jq -r '.sides["1"].units[0].id' "$work/roster.json")
other=$(jq -r '.sides["2"].units[0].id' "$work/roster.json")
strength=$(jq -r '.sides["1"].units[0].strength' "$work/roster.json")
# of_unit ID MEMBER: what the game has now.
of_unit() {
	state dice "[.roster[].units[] | select(.id == \"$1\")][0].$2"
}
exits 65 "an unknown unit cannot be changed" \
	anna adjust dice nobody strength=1 --why fire
exits 65 "nor what it has not" anna adjust dice "$unit" colour=blue
like "which is told" "$err" "^umpire: '$unit' has no 'colour'\$"
like "with what it has" "$err" '^  It has: .*strength.*, out\.$'
exits 65 "nor to what it cannot be" anna adjust dice "$unit" arm=ships
exits 64 "a change says what changes" anna adjust dice
exits 65 "of a unit, too" anna adjust dice "$unit"
before=$(last dice)
is "and nothing of that was sent" "$before" "$(last dice)"
exits 0 "anna proposes" anna adjust dice "$unit" strength=4 \
	"$other" out=left --why "fire of the guns"
one=$(last dice)
like "which is told" "$out" "anna proposes changing $unit: strength $strength -> 4"
is "nothing has changed yet" "$(of_unit "$unit" strength)" "$strength"
exits 65 "anna cannot accept it herself" anna accept dice "$one"
exits 64 "what changes is not accepted unasked" bert accept dice
asks=$work/asks
printf 'n\n' | player bert script -qec "'$UMPIRE' accept dice" /dev/null \
	>"$asks" 2>&1
like "on a terminal each change stands beside what it changes" \
	<(tr -s ' \r\n' ' ' <"$asks") \
	"You accept changing $unit: strength $strength -> 4; $other: out none \
-> left\. Accept line $one\?"
is "no is no" "$(of_unit "$unit" strength)" "$strength"
run bert show dice
like "who is to accept it sees that, too" <(tr -s ' \n' ' ' <"$out") \
	"proposes to change $unit: strength $strength -> 4; $other: out none"
exits 0 "bert accepts it" bert accept dice --yes
is "now it has changed" "$(of_unit "$unit" strength)" 4
is "and the other unit is out" "$(of_unit "$other" out)" left
run bert log dice
like "the log has what was, too" <(tr -s ' \n' ' ' <"$out") \
	"accepts line $one, changing $unit: strength $strength -> 4"
exits 65 "it is accepted once" bert accept dice "$one"
exits 0 "bert proposes" bert adjust dice "$other" out=none --why "a mistake"
two=$(last dice)
exits 0 "anna declines" anna decline dice "$two" --why "it is not"
exits 0 "bert proposes again" bert adjust dice "$other" out=none
three=$(last dice)
exits 65 "anna cannot withdraw that" anna withdraw dice "$three"
exits 0 "bert can" bert withdraw dice "$three"
jq -nc --arg u "$other" '[{id: $u, out: null}]' >"$work/units.json"
exits 0 "from a file" bert adjust dice --file "$work/units.json"
four=$(last dice)
run anna adjust dice --by-agreement
like "what was agreed on is listed, from what to what" "$out" \
	"$unit: strength $strength -> 4; $other: out none -> left"
like "with the reason" "$out" 'why: fire of the guns'
like "who accepted" "$out" "accepted by bert"
like "who declined" "$out" "declined by anna"
like "what was withdrawn" "$out" "withdrawn by bert"
like "and what is open" "$out" '^ +open$'
is "the log gives the same" "$(anna log dice --by-agreement | sha256sum)" \
	"$(anna adjust dice --by-agreement | sha256sum)"
run bert log dice --by-agreement --json
is "for programs, too" "$(jq -rc 'map(.state) | join(" ")' "$out")" \
	'accepted declined withdrawn open'
is "with each change" "$(jq -c '.[0].changes[0]' "$out")" \
	"$(jq -nc --arg u "$unit" --argjson n "$strength" \
		'{id: $u, field: "strength", from: $n, to: 4}')"
exits 0 "anna accepts the last" anna accept dice "$four" --yes
is "the unit is back" "$(of_unit "$other" out)" null

# ---- takebacks ----

exits 0 "anna ends her turn" anna end-turn dice
seq=$(last dice)
exits 64 "without a terminal she must be sure of what is asked back" \
	anna offer dice takeback --why "too soon"
like "which is told all the same" "$err" \
	"^  The last that can be taken back is line $seq \(anna ends the turn\)"
like "and how to say so" "$err" 'add --yes'
is "nothing was sent" "$(last dice)" "$seq"
exits 0 "so she asks for it back" \
	anna offer dice takeback --why "too soon" --yes
run bert accept dice
is "without a terminal bert must be sure" "$status" 64
exits 0 "bert is" bert accept dice --yes
is "it is anna's turn again" "$(state dice '"\(.turn) \(.side)"')" '1 1'
run anna log dice
like "the log marks what was taken back" "$out" 'taken back by line'
exits 65 "there is nothing left of that line" \
	anna offer dice takeback "$seq" --yes
like "which is said" "$err" \
	"line $seq was already taken back, by line $((seq + 2))"
exits 65 "nor is there one yet" anna offer dice takeback 99999 --yes
like "with the last that is" "$err" 'there is no line 99999 yet: the last is'
exits 65 "some lines are nothing to take back" \
	anna offer dice takeback 0 --yes
like "with what can be" "$err" '^  What can be taken back, with everything'
exits 0 "a roll" anna roll dice 1d6
exits 0 "can be asked back" anna offer dice takeback --yes
exits 0 "and that declined" bert decline dice
exits 0 "a truce is offered" anna offer dice truce 2
exits 0 "and accepted" bert accept dice
exits 65 "no combat is declared then" \
	anna declare dice "$work/combat.json" --yes
exits 64 "a reason is not empty" anna offer dice draw --why ""
exits 65 "nor too long" anna offer dice draw --why "$(printf '%04001d' 0)"
exits 65 "nor anything but UTF-8" anna offer dice draw --why $'\xff'
exits 65 "there is no clock to pause" anna offer dice pause 3
exits 65 "or to claim by" bert claim dice
exits 65 "or to take a holiday from" bert holiday dice 1
exits 64 "victory is somebody's" anna offer dice victory ours
exits 64 "some things cannot be offered" anna offer dice money
exits 0 "a draw is offered" anna offer dice draw
draw=$(last dice)
bert todo >"$work/todo"
like "bert is told to look at it" "$work/todo" '^  umpire show dice$'
like "and how to accept it" "$work/todo" "^  umpire accept dice $draw\$"
like "or not" "$work/todo" "^  umpire decline dice $draw\$"
exits 0 "and so is victory" anna offer dice victory
is "both are one entry of what waits for bert" \
	"$(bert todo | grep -c 'offers\{0,1\} waits\{0,1\} for you')" 1
like "with their number" <(bert todo) '^  2 offers wait for you$'
like "and how one is accepted" <(bert todo) '^  umpire accept dice LINE$'
run bert accept dice --yes
is "bert has to say which" "$status" 64
like "they are listed" "$err" "umpire accept dice $draw"
exits 0 "he takes the draw" bert accept dice "$draw" --yes
like "he has closed the game by that" "$err" \
	"accepted the draw that anna .*offered in 'dice' \(line [0-9]+\)"
like "which is told as lines" "$out" 'bert .*(sign|close)'
unlike "and he need not type it" "$out" 'umpire close'
exits 65 "he closes it once" bert close dice --yes
exits 0 "say to the own side" bert say dice --to side "we were lucky"
is "the game is over, and waits for anna" "$(bert show dice --json | jq -r \
	'"\(.phase) \(.result.how) \([.owed[] | "\(.what) \(.seat)"])"')" \
	'over draw ["close 1"]'
run anna --offline log dice
unlike "nothing is closed offline" "$err" 'closed'
exits 0 "anna says something" anna say dice "well played"
like "and has closed the game behind it" "$err" \
	"bert .*accepted the draw that you offered in 'dice' \(line [0-9]+\)"
is "it is finished" "$(state dice '"\(.phase) \(.result.how)"')" \
	'finished draw'
exits 65 "nothing is offered any more" anna offer dice draw
run bert log dice
like "bert reads it" "$out" 'bert, to their own side: we were lucky'
run anna log dice
unlike "anna does not" "$out" 'lucky'
run anna log dice --json
is "the log for programs says how offers ended" "$(jq -r \
	'[.[] | select(.fate) | .fate] | unique | join(" ")' "$out")" \
	'accepted declined lapsed withdrawn'
is "what was taken back" "$(jq -r \
	'[.[] | select(.taken_back) | .kind] | join(" ")' "$out")" turn.end
is "what for, and not by a hash" "$(jq -rc \
	'[.[] | select(.kind == "free")][0] | .why, .args' "$out")" \
	"$(printf 'morale\n{"dice":2,"sides":6}')"
is "and that turns went back" "$(jq -r '.[-1].turn' "$out")" 1
run bert show dice
is "it is closed once" "$(cat "$err")" ""
good dice finished

# ---- rosters before the start, own members ----

run anna new --roster "$work/roster.json" --name own --owner-field strength
game=$(sed -n 's/^  game  *//p' "$out")
bert join --yes "$game" --name own >/dev/null 2>&1
jq '.sides["1"].name = "Guard"' "$work/roster.json" >"$work/other.json"
exits 0 "bert proposes other rosters" \
	bert roster own "$work/other.json" --why "as agreed"
exits 0 "anna accepts them" anna accept own
anna ready own >/dev/null 2>&1
bert ready own >/dev/null 2>&1
is "they are the game's" "$(state own '.phase + " " + .roster["1"].name')" \
	'play Guard'
exits 65 "and are changed no more" bert roster own "$work/roster.json"
exits 0 "own members are changed at once" \
	anna adjust own "$unit" strength=3 --why march
run bert show own
like "and told with what it was" "$out" "$unit .* 3/6( |\$)"
is "without bert" \
	"$(state own "[.roster[].units[] | select(.id == \"$unit\")][0].strength")" 3
exits 0 "bert's unit is a proposal" anna adjust own "$other" strength=1
is "which is open" "$(state own '.offers | length')" 1
exits 0 "victory is offered" anna offer own victory theirs --yes
exits 0 "and accepted" bert accept own "$(last own)" --yes
run anna show own
like "anna closes as she looks" "$err" \
	"bert .*accepted the victory that you offered in 'own'"
unlike "and is not told to" "$out" 'umpire close'
is "bert has won" "$(state own \
	'"\(.result.winner) \(.result.how) \(.phase)"')" '2 agreed finished'
good own finished

# What nobody offered is closed by hand.
open_game resigned
exits 0 "bert resigns" bert resign resigned --yes
run anna show resigned
is "nothing is done for anna" "$(cat "$err")" ""
like "who is told to close" "$out" '^  umpire close resigned$'
is "nor for bert" "$(bert show resigned --json |
	jq -c '[.phase, (.owed | map(.seat))]')" '["over",[1,2]]'
# What both agreed to is closed without a question.
open_game asked
exits 0 "a draw is offered" anna offer asked draw
exits 0 "and accepted" bert accept asked --yes
exits 0 "close itself asks nothing then" anna close asked </dev/null
like "and says why" "$err" 'accepted the draw that you offered'
is "it is finished" "$(state asked .phase)" finished

# What closes the game is kept if the server cannot take it.
open_game away
exits 0 "a draw is offered" anna offer away draw
exits 0 "and accepted" bert accept away --yes
kept=$(player_data anna)/games/$game.pending
hook fail_commits -1
exits 0 "anna looks while nothing can be stored" anna show away
like "the order that closes is kept" "$err" '^  The order is kept'
like "which is told" "$err" 'agreed result stands; that order closes the game'
like "with what sends it again" "$err" 'umpire send away'
unlike "and nothing else" "$err" 'umpire close|has closed'
holds "it is on the disk" test -s "$kept"
sum=$(sha256sum <"$kept")
run anna show away
like "she is told of it again" "$err" 'order of yours .*, to close the game'
is "and no other is made" "$(sha256sum <"$kept")" "$sum"
hook fail_commits 0
run anna show away
unlike "who only looks does not send it" "$err" 'Sending|has closed'
is "bert still waits for her" "$(bert show away --json |
	jq -c '[.phase, (.owed | map(.seat))]')" '["over",[1]]'
exits 0 "close sends it" anna close away </dev/null
like "which is told" "$err" 'Sending your earlier, unanswered order again'
like "and that it was done for her" "$err" 'has closed the game for you'
holds "nothing is kept any more" test ! -e "$kept"
is "it is finished" "$(state away .phase)" finished
is "by one order" "$(anna log away --json |
	jq '[.[] | select(.kind == "close" and .seat == 1)] | length')" 1
good away finished

open_game busy --owner-field strength
exits 0 "a combat is open" anna declare busy "$work/combat.json" --yes
seq=$(last busy)
exits 65 "nothing is changed meanwhile" anna adjust busy "$unit" strength=3
is "and nothing was sent" "$(last busy)" "$seq"
exits 0 "but it can be proposed" bert adjust busy "$unit" strength=3
run anna accept busy --yes
is "to be accepted later" "$status" 65
exits 0 "what was declared can be asked back" anna offer busy takeback --yes
like "by its name" "$err" 'anna declares a combat'
exits 0 "and is" bert accept busy "$(last busy)" --yes
is "no combat is open then" "$(state busy .combat)" null
good busy unfinished

# An answer is no move of its own: the whole combat goes back, and it is said.
open_game back
exits 0 "a combat" anna declare back "$work/combat.json" --yes
declared=$(last back)
exits 0 "bert answers" bert decide back retire none
answer=$((declared + 1))
before=$(last back)
exits 65 "the answer alone is not taken back" \
	bert offer back takeback "$answer" --yes
like "that is refused in words" "$err" "line $answer is bert's decision and \
belongs to the combat of line $declared: a combat is taken back"
like "with what to type" "$err" "^    umpire offer back takeback $declared\$"
like "and what that is" "$err" '\(anna declares a combat: .* against .*\)'
is "nothing was sent" "$(last back)" "$before"
asks=$work/asks
printf 'n\n' | player bert script -qec \
	"'$UMPIRE' offer back takeback $declared" /dev/null >"$asks" 2>&1
like "on a terminal it is asked" "$asks" \
	"You ask to take back line $declared \(anna declares a combat: "
like "with what follows from it" <(tr -s ' \r\n' ' ' <"$asks") \
	'fought or rolled again then gets new dice\. Ask for that\?'
is "no is no" "$(last back)" "$before"
exits 0 "bert is sure" bert offer back takeback "$declared" --yes
printf 'y\n' | player anna script -qec "'$UMPIRE' accept back" /dev/null \
	>"$asks" 2>&1
like "anna reads the same" <(tr -s ' \r\n' ' ' <"$asks") \
	"You accept taking back line $declared \(anna declares a combat: [^()]* \
against [^()]*\) and what came after it\. What is fought or rolled again \
then gets new dice\."
is "no combat is open" "$(state back .combat)" null
# Which is so: the same again, declared and answered in the same words.
rolls() {
	anna export back | jq -c "select(.seq == $1) | .dice // empty | del(.place)"
}
exits 0 "the same is declared" anna declare back "$work/combat.json" --yes
exits 0 "and answered" bert decide back retire none
again=$(last back)
like "dice fell" <(rolls "$again") proof
is "and are others than before" "$([ "$(rolls "$answer")" = \
	"$(rolls "$again")" ] && echo the same)" ''
good back unfinished

# ---- standing orders ----

open_game standing
exits 65 "a kind that is no question" bert standing standing flee all --yes
like "the kinds are listed" "$err" 'umpire standing standing retire none\|'
exits 65 "a word that is no answer" bert standing standing retire some --yes
exits 64 "a word is needed" bert standing standing retire
exits 64 "without a terminal he must be sure" bert standing standing retire all
exits 0 "bert leaves one" bert standing standing retire all --yes
first=$(last standing)
exits 0 "and another" bert standing standing retire none --yes
second=$(last standing)
run bert standing standing
like "he reads what they say" "$out" "$first +retire all +stands"
is "the file is for him alone" "$(stat -c %a \
	"$(player_data bert)/games/$game.standing")" 600
run anna log standing
unlike "anna reads nothing of it" "$out" 'retire'
run anna export standing
unlike "nor is it in the record" "$out" 'retire'
exits 65 "anna withdraws none of bert's" \
	anna standing standing --withdraw "$second"
exits 0 "bert withdraws one" bert standing standing --withdraw "$second"
exits 65 "once" bert standing standing --withdraw "$second"
# An order whose answer is lost is sent again, its text with it.
hook fail_commits -1
exits 75 "a third is not answered" bert standing standing retire all --yes
hook fail_commits 0
third=$(($(last standing) + 1))
run bert standing standing retire all --yes
is "typed again it is sent again" "$status" 0
like "which is said" "$err" "recorded as line $third"
is "once" "$(last standing)" "$third"
is "with its text" "$(bert standing standing --json |
	jq -r ".[] | select(.seq == $third).words")" 'retire all'
exits 0 "it is withdrawn" bert standing standing --withdraw "$third"
exits 0 "anna declares, and nobody is asked" \
	anna declare standing "$work/combat.json" --yes
like "it acts" "$out" 'standing order of bert: retire all'
run bert standing standing
like "and is public now" "$out" "$first .*retire all.*has acted"
like "the other was withdrawn" "$out" "$second .*retire none.*withdrawn"
run anna resign standing --yes
run bert standing standing
like "it ends with the game" "$out" "$first .*retire all +ended, has acted"
exits 65 "and cannot be withdrawn then" \
	bert standing standing --withdraw "$first"
like "which is said here" "$err" "line $first is not a standing order"
exits 0 "anna closes" anna close standing --yes
exits 0 "the last close opens the rest" bert close standing --yes
like "which is told" "$out" 'standing order of bert, which never acted: retire none'
good standing finished

# ---- a server that passes a standing order over ----

# second WANT WHAT ARGUMENT...: the second reading of the record says the same.
second() {
	local want=$1 what=$2
	shift 2
	if command -v python3 >/dev/null; then
		exits "$want" "the second reading, too: $what" python3 \
			"$top_srcdir/tests/oracle/verify.py" "$@"
	else
		skip "the second reading, too: $what" "python3 is missing"
	fi
}

open_game passed
exits 0 "bert leaves one" bert standing passed retire all --yes
order=$(last passed)
exits 0 "what it says is given out" bert standing passed --texts
cp "$out" "$work/texts"
is "as a line of JSON" "$(jq -rc '[.seq, .text, (.salt | length)] | join(" ")' \
	"$work/texts")" "$order"' {"kind":"retire","do":"all"} 64'
exits 64 "and nothing else with it" \
	bert standing passed --texts --withdraw "$order"
exits 0 "with --json as without" bert standing passed --texts --json
is "nothing else comes of it" "$(cat "$out")" "$(cat "$work/texts")"
is "anna has none to give out" "$(anna standing passed --texts)" ""
run anna export passed -o "$work/passed.jsonl"
exits 0 "it has not been passed over" \
	anna verify "$work/passed.jsonl" --opened "$work/texts"
second 0 "not yet" "$work/passed.jsonl" --opened "$work/texts"
hook pass_over 1
exits 0 "anna declares, and bert is asked all the same" \
	anna declare passed "$work/combat.json" --yes
hook pass_over 0
line=$(last passed)
run bert show passed
is "bert's client takes no such line" "$status" 76
like "and says at once what was done" "$err" \
	"passed over your standing order of line $order in line $line;"
like "and what the file gives away" "$err" "says what that order is"
proof=$(grep -o '/.*\.evidence$' "$err")
is "the evidence has what the order says" \
	"$(head -n 1 "$proof" | jq -c .opened)" "$(cat "$work/texts")"
mkdir "$work/shown"
cp "$proof" "$work/shown/proof"
exits 0 "which convinces whoever has but the file" \
	umpire_as nobody verify --evidence \
	"$work/shown/proof"
like "names the line" "$out" "signed an unlawful line $line\$"
like "and the order's line" "$out" "passed over: that of line $order\$"
like "and what it says" "$out" '  order    {"kind":"retire","do":"all"}'
exits 0 "for programs, too" umpire_as nobody \
	verify --evidence "$work/shown/proof" --json
is "with the text" "$(jq -c .opened "$out")" "$(cat "$work/texts")"
for forged in 's/"opened":{[^}]*}/"opened":null/' \
	'1s/all\\"/none\\"/' '1s/"salt":"../"salt":"zz/'; do
	sed "$forged" "$proof" >"$work/shown/forged"
	is "it is another file" \
		"$(cmp -s "$work/shown/forged" "$proof" || echo yes)" yes
	exits 1 "without its text, or with another, it proves nothing" \
		umpire_as nobody verify --evidence \
		"$work/shown/forged"
done
is "his copy ends before it" "$(bert verify passed | sed -n \
	's/^  lines *//p')" "$line"
run anna export passed -o "$work/passed.jsonl"
exits 0 "the record alone does not show it" anna verify "$work/passed.jsonl"
second 0 "the record alone" "$work/passed.jsonl"
second 1 "with the text" "$work/passed.jsonl" --opened "$work/texts"
! command -v python3 >/dev/null || like "at that line" "$out" \
	"^bad: line $((line + 1)): .*passed over: that of line $order\$"
second 1 "without the rules" "$work/passed.jsonl" --no-rules \
	--opened "$work/texts"
exits 1 "with bert's text it does" \
	anna verify "$work/passed.jsonl" --opened "$work/texts"
like "and names the line and the order" "$err" \
	"bad at line $((line + 1)): .*passed over: that of line $order"
head -n 1 "$proof" | jq -c .opened >"$work/shown/texts"
exits 1 "or with what the evidence has of it, for anybody" \
	umpire_as nobody verify "$work/passed.jsonl" \
	--opened "$work/shown/texts"
like "at that line" "$err" "bad at line $((line + 1)): "
exits 1 "for programs, too" \
	anna verify "$work/passed.jsonl" --opened "$work/texts" --json
is "with the line" "$(jq -r '"\(.verdict) \(.line)"' "$out")" \
	"bad $((line + 1))"
exits 1 "without the rules as well" \
	anna verify "$work/passed.jsonl" --no-rules --opened "$work/texts"
sed 's/all/none/' "$work/texts" >"$work/texts.bad"
exits 65 "another text convicts nobody" \
	anna verify "$work/passed.jsonl" --opened "$work/texts.bad"
like "and that is said" "$err" "line $order is not a standing order"
second 65 "another text" "$work/passed.jsonl" --opened "$work/texts.bad"
sed 's/"seq":[0-9]*/"seq":1/' "$work/texts" >"$work/texts.bad"
exits 65 "nor does one of another line" \
	anna verify "$work/passed.jsonl" --opened "$work/texts.bad"
second 65 "another line's" "$work/passed.jsonl" --opened "$work/texts.bad"
echo '{"seq":1}' >"$work/texts.bad"
exits 65 "nor half of one" \
	anna verify "$work/passed.jsonl" --opened "$work/texts.bad"
like "the line is named" "$err" "line 1 is not"
second 65 "half of one" "$work/passed.jsonl" --opened "$work/texts.bad"
exits 66 "nor a file that is not there" \
	anna verify "$work/passed.jsonl" --opened "$work/nothing"

# ---- clocks ----

hour=3600000
base=$(($(date +%s) * 1000 - 2 * hour))
hook now_ms "$base"
open_game clock --clock 3h/order,holidays=2,then=forfeit
run bert claim clock
is "too early it is not claimed" "$status" 65
like "and it is said when" "$err" "the other side's time runs until"
is "nothing was sent" "$(state clock '.clocks["1"].running')" true
seq=$(last clock)
exits 0 "unless he insists" bert claim clock --anyway
like "which does nothing" "$out" "nothing follows"
is "the game goes on" "$(state clock .phase)" play
is "the claim stands" "$(last clock)" $((seq + 1))
exits 65 "anna claims nothing while her clock runs" anna claim clock
exits 64 "a holiday has days" anna holiday clock 0
exits 65 "no more than there are" anna holiday clock 3
exits 0 "anna takes one" anna holiday clock 1
is "one is left" "$(state clock '.clocks["1"].holidays')" 1
exits 65 "there is no pause to end" anna resume clock
like "and her holiday is none" "$err" 'a holiday is not ended early'
exits 0 "a pause is offered" anna offer clock pause 7 --why fair
exits 0 "and accepted" bert accept clock
exits 0 "anna moves" anna end-turn clock
exits 0 "the pause is ended" bert resume clock
exits 65 "once" bert resume clock
# bert's time runs from here on; the clocks of both machines agree again.
hook now_ms $((base + 1000 - 2 * hour))
run anna claim clock
is "three hours are not over" "$status" 65
hook now_ms 0
good clock unfinished

hook now_ms "$base"
open_game late --clock 1h/order,notice=0s,then=forfeit
hook now_ms 0
exits 0 "past the deadline it is claimed" bert claim late
unlike "and has effect" "$out" "nothing follows"
is "anna has lost" "$(state late '"\(.phase) \(.result.winner) \(.result.how)"')" \
	'over 2 forfeit'
good late unfinished

# ---- claims in two lines ----

hook now_ms "$base"
open_game noticed --clock 1h/order
hook now_ms $((base + hour - 5000))
exits 65 "too early there is no notice" bert claim noticed
unlike "which our own clock decides, too" "$err" 'anyway'
exits 0 "nor if bert insists" bert claim noticed --anyway
like "which is told" <(tr -s ' \n' ' ' <"$out") \
	'it has not by both clocks, and nothing follows'
hook now_ms $((base + hour + 5000))
run bert show noticed
like "he may give notice" "$out" 'you may give notice'
exits 0 "past the deadline he does" bert claim noticed
like "it is told as that" "$out" 'this is notice of it|this is notice'
like "with what follows" "$out" 'if they have not moved by'
like "and that is known to the other" "$err" '^  The other side is told\.$'
is "the game goes on" "$(state noticed .phase)" play
exits 65 "at once he may not claim" bert claim noticed
like "and is told when" "$err" 'your notice, line [0-9]*, leaves the other side until'
exits 0 "unless he insists" bert claim noticed --anyway
like "which does nothing" "$out" 'it is too early|too early, and nothing'
run anna show noticed
like "anna is told who gave notice, and until when" "$out" \
	'has given notice: move by'
run anna todo
like "it is to be done" "$out" 'move, or the other side may claim it'
is "programs are told" "$(state noticed '.clocks["1"].notice_until != null')" \
	true
exits 0 "anna moves, late" anna end-turn noticed
is "there is no notice then" \
	"$(state noticed '.clocks["1"].notice_until')" null
at=$((base + 3 * hour))
hook now_ms "$at"
exits 0 "now it is her turn to give notice" anna claim noticed
hook now_ms $((at + hour - 1000))
exits 65 "an hour must pass" anna claim noticed
hook now_ms $((at + hour + 1000))
run anna show noticed
like "then she may claim" "$out" 'they have not moved: you may claim'
exits 0 "which she does" anna claim noticed
like "by the notice" <(tr -s ' \n' ' ' <"$out") \
	'claims after the notice in line [0-9]+: no move has come, and the game is lost'
is "bert has lost" "$(state noticed '"\(.phase) \(.result.winner) \(.result.how)"')" \
	'over 1 forfeit'
good noticed unfinished

# Pauses, holidays and takebacks round the two lines, in either order; the other
# side is told while it is connected.
minute=60000
noticed() {
	state "$1" '.clocks["1"].notice != null'
}
hook now_ms "$base"
open_game stopped --clock 1h/order,notice=30m,holidays=3
hook now_ms $((base + hour + minute))
watching anna "$work/told" stopped
seen() {
	bert say stopped "is it seen" >/dev/null 2>&1
	grep -q 'is it seen' "$work/told"
}
holds "anna watches" wait_for 20 seen
run anna show stopped
like "who is late is told what may follow" <(tr -s ' \n' ' ' <"$out") \
	'ran out at .*: the other side may give notice that it will claim\.'
exits 0 "bert gives notice" bert claim stopped
wait_for 20 grep -q 'this is notice of it' "$work/told"
is "who watches is told at once" $? 0
kill "$watcher"
run anna show stopped
like "and by show what it means" <(tr -s ' \n' ' ' <"$out") \
	'Your time ran out at [-0-9: ]+, 1 min ago\. bert .* has given notice: move by'
anna offer stopped pause 1 >/dev/null 2>&1
exits 0 "a pause behind the notice" bert accept stopped
hook now_ms $((base + 2 * hour))
exits 65 "stops that time, too" bert claim stopped
like "which is told" "$err" 'in 23 h 31 min'
exits 0 "anna ends it" anna resume stopped
exits 0 "and takes a holiday" anna holiday stopped 1
hook now_ms $((base + 24 * hour))
exits 65 "in which nothing is claimed either" bert claim stopped
hook now_ms $((base + 26 * hour + 29 * minute))
exits 65 "nor before what was left has passed" bert claim stopped
like "to the minute" "$err" 'in 1 min'
UMPIRE_TEST_NOW=$((base + 26 * hour + 38 * minute)) exits 65 \
	"nor by a clock of his that is ahead" bert claim stopped
like "for the server's counts, too" "$err" 'in 1 min'
hook now_ms $((base + 26 * hour + 31 * minute))
exits 0 "then it is" bert claim stopped
is "and ends the game" "$(state stopped .phase)" over
good stopped unfinished

hook now_ms "$base"
open_game rested --clock 1h/order,notice=30m,holidays=3
exits 0 "a holiday before it" anna holiday rested 1
bert offer rested pause 1 >/dev/null 2>&1
exits 0 "and a pause" anna accept rested
hook now_ms $((base + 24 * hour + hour / 2))
exits 0 "leave no time to claim" bert claim rested --anyway
is "for that would be no notice" "$(noticed rested)" false
hook now_ms $((base + 25 * hour + minute))
exits 0 "afterwards there is" bert claim rested
is "which is one" "$(noticed rested)" true
exits 0 "a holiday of the claimant changes nothing" bert holiday rested 1
hook now_ms $((base + 25 * hour + 32 * minute))
exits 0 "and it takes effect" bert claim rested
is "in time" "$(state rested .phase)" over
good rested unfinished

for order in before behind; do
	hook now_ms "$base"
	open_game "$order" --clock 1h/order,notice=30m
	anna end-turn "$order" >/dev/null 2>&1
	ask() {
		exits 0 "$order the notice anna asks to take back her move" \
			anna offer "$order" takeback --yes
		line=$(last "$order")
	}
	[ "$order" = behind ] || ask
	hook now_ms $((base + hour + minute))
	exits 0 "$order it: anna gives notice" anna claim "$order"
	[ "$order" = before ] || ask
	exits 0 "$order it: bert agrees" bert accept "$order" "$line" --yes
	hook now_ms $((base + hour + 32 * minute))
	exits 0 "$order it: the notice is gone" anna claim "$order" --anyway
	is "$order it: nobody has lost" "$(state "$order" .phase)" play
	good "$order" unfinished
done

# robbed WHO: the daemon's clock leaps by four hours, and WHO is the claimant.
robbed() {
	hook now_ms "$base"
	open_game "$1" --clock 1h/order
	hook now_ms $((base + 4 * hour))
	[ "$1" = liar ] || export UMPIRE_TEST_NOW=$((base + 60000))
	exits 0 "$1: a claim is recorded" bert claim "$1" --anyway
	is "$1: and ends nothing" "$(state "$1" .phase)" play
	is "$1: it is notice or nothing" \
		"$(state "$1" '.clocks["1"].notice != null')" "$2"
	hook now_ms $((base + 120000))
	exits 65 "$1: nothing can be claimed" bert claim "$1"
	exits 0 "$1: anna moves" anna end-turn "$1"
	is "$1: nobody has lost" "$(state "$1" '.phase, .clocks["1"].notice')" \
		"$(printf 'play\nnull')"
	good "$1" unfinished
}
robbed honest false
robbed liar true

hook now_ms "$base"
open_game usual --clock 1h/order,notice=0s,then=default
exits 0 "a question is asked" anna declare usual "$work/combat.json" --yes
hook now_ms 0
exits 0 "its usual answer is claimed" anna claim usual
like "and taken" "$out" 'the usual answer is taken'
is "the combat has gone on" "$(state usual '[.owed[] | select(.kind == "retire")] | length')" 0
good usual unfinished

# ---- declarations that are confirmed ----

open_game confirm --confirm
run anna declare confirm "$work/combat.json" --yes
is "anna declares" "$status" 0
like "and has to wait" "$out" 'waits until bert agrees'
exits 65 "it is not hers to answer" anna answer confirm agree
exits 64 "yes or no" bert answer confirm maybe
exits 64 "who agrees gives no reason" bert answer confirm agree --why because
exits 0 "bert objects" bert answer confirm object --why "french-a is not there"
like "and no dice have fallen" <(tr -s ' \n' ' ' <"$out") \
	'bert objects to line [0-9]+: it is void, and no dice have fallen'
exits 65 "once" bert answer confirm object
run anna log confirm
like "the log says it is void" "$out" 'void: objected to in line'
like "and why" "$out" 'french-a is not there'
unlike "and waits for nobody" "$out" 'waits until'
run anna log confirm --format html
like "the page strikes it in its contents" "$out" \
	'<a href="#combat-1"><del>Combat 1[^<]*</del></a> void: objected to in line [0-9]+</li>'
like "and folds it" "$out" \
	'^<summary><h[23] id="combat-1"><del>.*</del> <small>void: objected to in line [0-9]+</small>'
like "it is no combat of the total" "$out" '<dt>Combats</dt> <dd>0</dd>'
is "nor for verify" "$(anna verify confirm --json | filter .combats)" 0
exits 0 "anna declares again" anna declare confirm "$work/combat.json" --yes
exits 0 "bert agrees" bert answer confirm agree
is "now he is asked" "$(bert show confirm --json | filter .my_move)" true
exits 0 "and answers" bert decide confirm retire none
run anna log confirm
unlike "what was agreed to waits no more" "$out" 'waits until bert agrees'
good confirm unfinished

# ---- live-1 dice, answered unattended ----

open_game live --scheme live-1
watching bert "$work/watch" live --answer
wait_for 20 grep -q live "$work/watch"
exits 0 "anna rolls" anna roll live 2d6 --for rain
like "which waits for bert, unless he was quicker" "$out" \
	'waits until bert agrees|bert agrees to line'
is "who agrees unattended" "$(wait_for 20 grep -q 'bert agrees to line' \
	"$work/watch" && echo yes)" yes
wait_for 20 grep -q 'agreed to line' "$work/watch.err"
like "and is told so" "$work/watch.err" 'You agreed to line [0-9]+ \(free\)'
wait_for 20 grep -q 'agrees to line [0-9]*: [1-6]' "$work/watch"
like "with the dice" "$work/watch" 'agrees to line [0-9]+: [1-6] [1-6]'
exits 0 "anna declares" anna declare live "$work/combat.json" --yes
# A declaration is left to bert.
nap
is "a declaration is not" "$(state live '.owed[0].what')" answer
kill "$watcher"
wait "$watcher" 2>/dev/null
watching bert "$work/watch2" live --answer-declarations
is "unless he says so" "$(wait_for 20 grep -q 'agreed to line [0-9]* (declare)' \
	"$work/watch2.err" && echo yes)" yes
kill "$watcher"
wait "$watcher" 2>/dev/null
watching anna "$work/watch3" live --answer
wait_for 20 grep -q live "$work/watch3"
exits 0 "bert decides" bert decide live retire none
is "anna agrees unattended" "$(wait_for 20 grep -q 'agreed to line [0-9]* (decide)' \
	"$work/watch3.err" && echo yes)" yes
kill "$watcher"
wait "$watcher" 2>/dev/null
good live unfinished

# Sealed choices in a game with live-1 dice: nothing is left to agree.
jq -nc '{blob: "roster", system: "imagi-nations", sides: {
	"1": {units: [{id: "blue", lead: "b1", battalions: [
	 {id: "b1", quality: "trained", sp: 9}]}]},
	"2": {units: [{id: "red", lead: "r1", battalions: [
	 {id: "r1", quality: "trained", sp: 9}]}]}}}' >"$work/roster.json"
jq -nc '{attacker: {units: [{id: "blue"}]}, defender: {units: [{id: "red"}]}}' \
	>"$work/fight.json"
open_game cards --scheme live-1 --secret sealed
exits 65 "a battalion is no unit" anna adjust cards b1 hits=1
like "how it is changed is shown" "$err" \
	"umpire adjust cards blue battalions='\\[.\"id\":\"b1\""
exits 0 "anna declares" anna declare cards "$work/fight.json" --yes
exits 0 "bert agrees to that" bert answer cards agree
exits 0 "both commit" anna decide cards tactic hasty-attack --yes
exits 0 "to their cards" bert decide cards tactic hold --yes
exits 0 "and open them" anna open cards
who=$(state cards '.owed[0] | select(.what == "answer") | .seat')
is "an answer is owed" "$(state cards '.owed[0].what')" answer
case $who in
1) who=anna ;;
*) who=bert ;;
esac
exits 65 "nobody objects to cards that are open" "$who" answer cards object
watching "$who" "$work/watch4" cards --answer
is "who watches agrees" "$(wait_for 20 grep -q 'agreed to line [0-9]* (open)' \
	"$work/watch4.err" && echo yes)" yes
kill "$watcher"
wait "$watcher" 2>/dev/null
good cards unfinished
write_example "$work"

# ---- a director ----

base=$(($(date +%s) * 1000 - 2 * hour))
hook now_ms "$base"
open_game directed --director --clock 1h/order,notice=0s,then=director
exits 65 "players do not rule" anna ruling directed words --why "I say so"
exits 64 "a ruling has a reason" dirk ruling directed words
exits 65 "the director offers nothing" dirk offer directed draw
exits 65 "and has no side" dirk say directed --to side hello
exits 0 "he rules in words" dirk ruling directed words --why "play faster"
exits 0 "both accept" anna accept directed --yes
exits 0 "the ruling" bert accept directed --yes
like "it is in force then" "$out" 'it is in force'
exits 65 "a unit has no member of another name" \
	dirk ruling directed adjust "$unit" member=2 --why "he miscounted"
like "which is told" "$err" "^umpire: '$unit' has no 'member'\$"
like "with those that there are" "$err" '^  It has: .*strength.*, out\.$'
exits 0 "he changes a unit" \
	dirk ruling directed adjust "$unit" strength=2 --why "he miscounted"
exits 0 "anna declines" anna decline directed
exits 0 "he rules it again" \
	dirk ruling directed adjust "$unit" strength=2 --why "he did"
exits 0 "and withdraws it" dirk withdraw directed
exits 65 "no claim waits" dirk ruling directed extend 1d --why late
hook now_ms 0
exits 0 "bert claims" bert claim directed
is "the director must rule" \
	"$(dirk show directed --json | jq -r '[.owed[].what] | index("ruling") != null')" true
exits 64 "for some time" dirk ruling directed extend soon --why ill
exits 0 "he gives more time" dirk ruling directed extend 1d --why ill
is "the game goes on" "$(state directed '"\(.phase) \(.adjudication)"')" \
	'play null'
exits 0 "he rules the result" dirk ruling directed result 1 --why "it is late"
exits 0 "anna accepts" anna accept directed --yes
exits 0 "bert accepts" bert accept directed --yes
is "it is ruled" "$(state directed '"\(.result.winner) \(.result.how)"')" \
	'1 ruling'
is "both close that by hand" "$(state directed \
	'[.phase, (.owed | map(select(.what == "close").seat))] | tostring')" \
	'["over",[1,2]]'
good directed unfinished

# An answer that is owed too long is the director's, with his own dice key.
hook now_ms "$base"
open_game silent --director --scheme live-1 --silence director \
	--clock 1h/order,notice=0s,then=director
exits 0 "anna rolls" anna roll silent 2d6
seq=$(last silent)
exits 65 "it is not the director's to answer yet" dirk answer silent agree
hook now_ms 0
exits 0 "bert is silent: anna claims" anna claim silent
like "who acts now is told" "$out" 'the director has|director'
exits 65 "bert comes too late" bert answer silent agree
exits 0 "the director answers" dirk answer silent agree
like "and dice fall" "$out" "agrees to line $seq: [1-6] [1-6]"
run anna verify silent
is "silent: the record is good" "$status" 0

finish
