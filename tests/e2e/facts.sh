#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Games in which the other side agrees to what is so on the table: what is asked
# when one is opened, what the players and the director see and type, and that
# nothing of it is lost where the daemon is killed after each order.  Cavalry
# that may slip away before the combat is asked before any die falls, so no
# line here depends on the dice.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3 script
with_clocks

dir=$work/umpired
start_umpired "$dir" || exit 99
enrol anna bert dirk || exit 99

anna() { umpire_as anna "$@"; }
bert() { umpire_as bert "$@"; }
dirk() { umpire_as dirk "$@"; }

roster=$top_srcdir/etc/samples/invasion-1812-evening.json
# charge FILE UNIT UNIT: infantry attacks cavalry, which may slip away.
charge() {
	jq -nc --arg a "$2" --arg d "$3" '{terrain: "clear",
		attacker: {stack: {units: [{id: $a}]}},
		defender: {stack: {units: [{id: $d}]}}}' >"$1"
}
charge "$work/ney.json" ney-inf1 uvarov-cav1
charge "$work/guard.json" guard-inf1 uvarov-cav2

# open_game NAME OPTION...: a game that is played.
open_game() {
	local name=$1 game
	shift
	run anna new --roster "$roster" --name "$name" "$@"
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
}

# state NAME FILTER: what jq makes of the state, as anna has it.
state() {
	anna show "$1" --json | filter "$2"
}

# killed NAME: the daemon is killed and started again; the game is as before.
killed() {
	local was now
	was=$(state "$1" '[.seq, .head, .owed, .combat, .objections]')
	kill -KILL "$daemon"
	wait "$daemon" 2>/dev/null
	start_umpired "$dir" -o "listen=127.0.0.1:$port" || exit 99
	now=$(state "$1" '[.seq, .head, .owed, .combat, .objections]')
	[ "$was" = "$now" ] || fail "$1: nothing is lost" "$now"
}

# good NAME: the record is good to both readings of it.
good() {
	exits 0 "$1: it is exported" anna export "$1" -o "$work/$1.jsonl"
	exits 0 "$1: the record is good" anna verify "$work/$1.jsonl"
	exits 0 "$1: bert's too" bert verify "$1"
	exits 0 "$1: and to the second reading" \
		python3 "$top_srcdir/tests/oracle/verify.py" "$work/$1.jsonl"
	run anna verify "$work/$1.jsonl"
}

# ---- one game, in which the daemon is killed after each order ----

for scheme in dual-1 live-1; do
	open_game "$scheme" --facts --scheme "$scheme"
	like "the settings say so" "$out" \
		"confirm +each combat .* and what decides a unit's"
	is "for programs too" "$(state "$scheme" .confirm)" facts
	exits 0 "anna declares" anna declare "$scheme" "$work/ney.json" --yes
	killed "$scheme"
	exits 0 "bert agrees" bert answer "$scheme" agree
	killed "$scheme"
	exits 65 "no standing order would act" \
		bert standing "$scheme" withdraw-before stay
	like "which is said" "$err" \
		"the other side agrees to 'withdraw-before' each time"
	unlike "and which would" "$err" 'standing .* withdraw-before'
	exits 0 "bert says that they stay" \
		bert decide "$scheme" withdraw-before no
	like "which waits" "$out" 'waits until anna agrees'
	is "for anna" "$(state "$scheme" '.owed[0] | [.seat, .what]')" \
		'[1,"answer"]'
	killed "$scheme"
	run anna show "$scheme"
	like "anna is told what bert says" "$out" \
		'bert \(Russians\) says: The defender stays where it is\.$'
	like "and what to type" "$out" "umpire answer $scheme object"
	run anna todo
	like "so does todo" "$out" \
		'^  bert \(Russians\) says: The defender stays where it is\.$'
	like "and what is to be done" "$out" '^  agree to that, or object$'
	run anna todo --json
	like "for programs too" "$out" '"said":"bert \(Russians\) says: The'
	# Who answers unattended does not see the table.
	watching anna "$work/watch" "$scheme" --answer-declarations
	wait_for 20 grep -q "$scheme" "$work/watch"
	exits 0 "bert chats" bert say "$scheme" well
	wait_for 20 grep -q well "$work/watch"
	kill "$watcher"
	is "nobody answers for anna" \
		"$(state "$scheme" '.owed[0].what')" answer
	exits 64 "who agrees has no reason" \
		anna answer "$scheme" agree --why because
	exits 0 "anna objects" \
		anna answer "$scheme" object --why "they were gone at noon"
	like "and its question is open again" <(tr -s ' \n' ' ' <"$out") \
		'anna objects to line [0-9]+: it is void, and the question is open'
	killed "$scheme"
	run bert show "$scheme"
	like "bert is asked again" "$out" 'umpire decide .* withdraw-before'
	like "and who objected is counted" "$out" \
		'objected anna 1 \(withdraw-before 1\)'
	exits 0 "bert says so again" \
		bert decide "$scheme" withdraw-before no
	killed "$scheme"
	exits 0 "anna agrees" anna answer "$scheme" agree
	killed "$scheme"
	if [ "$scheme" = live-1 ]; then
		like "the dice wait" "$out" 'waits until anna agrees'
		exits 65 "to which nobody objects" \
			anna answer "$scheme" object --why no
		exits 0 "anna gives her part" anna answer "$scheme" agree
	fi
	like "the dice have fallen" "$out" 'Roll 1d6'
	killed "$scheme"
	run anna log "$scheme"
	like "the log has the reason" "$out" 'they were gone at noon'
	like "says what is void" "$out" 'void: objected to in line'
	like "and counts" "$out" 'Objected: anna 1 \(withdraw-before 1\)'
	good "$scheme"
	like "verify counts, too" "$out" \
		'objected anna 1 \(withdraw-before 1\)'
	is "for programs" "$(anna verify "$scheme" --json |
		filter '.objections')" \
		'[{"seat":1,"kind":"withdraw-before","n":1}]'
done

# ---- a takeback in between ----

open_game back --facts
anna declare back "$work/ney.json" --yes >/dev/null
line=$(state back .seq)
bert answer back agree >/dev/null
bert decide back withdraw-before no >/dev/null
exits 0 "a takeback is asked for" \
	anna offer back takeback "$line" --why "the wrong hex" --yes
offer=$(state back .seq)
exits 65 "and cannot be accepted while anna owes an answer" \
	bert accept back "$offer" --yes
exits 0 "anna objects" anna answer back object
exits 0 "now it can" bert accept back "$offer" --yes
is "the combat is gone" "$(state back .combat)" null
exits 0 "anna declares another" anna declare back "$work/guard.json" --yes
good back

# ---- a report tells the answer that stands ----

open_game told --facts
anna declare told "$work/ney.json" --yes >/dev/null
bert answer told agree >/dev/null
bert decide told withdraw-before no >/dev/null
anna answer told object >/dev/null
bert decide told withdraw-before yes >/dev/null
exits 0 "anna agrees that they are gone" anna answer told agree
exits 0 "and stays where she is" \
	anna decide told --decision '{"kind":"advance","units":[]}'
run anna log told
like "the combat is told as it ended" "$out" '^Slipped away$'
good told

# ---- the director judges ----

open_game judged --facts --director
anna declare judged "$work/ney.json" --yes >/dev/null
bert answer judged agree >/dev/null
for time in first second; do
	exits 0 "bert says it the $time time" \
		bert decide judged withdraw-before yes
	exits 0 "anna objects the $time time" anna answer judged object
done
exits 0 "bert says it a third time" \
	bert decide judged withdraw-before yes
killed judged
run dirk show judged
like "dirk is told what is said" "$out" \
	'bert \(Russians\) says: The defender withdraws\.'
like "and asked" "$out" 'umpire answer judged agree'
run anna show judged
like "anna waits for dirk" "$out" 'so the director judges it\.'
like "and is told how long" "$out" 'either side may claim'
exits 65 "she does not answer" anna answer judged object
exits 65 "and claims too early" anna claim judged
like "which is said" "$err" 'the director may judge until'
exits 0 "though she can" anna claim judged --anyway
like "and it changes nothing" "$out" 'stands without a judgement'
exits 0 "dirk agrees" dirk answer judged agree
like "and the rules go on" "$out" 'there is no combat'
good judged
like "bert and anna are counted" "$out" \
	'objected anna 2 \(withdraw-before 2\)'
unlike "and no silence" "$out" 'silent player'

# ---- and if they do not ----

hook now_ms "$(($(date +%s) * 1000 - 8 * 86400000))"
open_game unjudged --facts --director
for time in first second; do
	anna declare unjudged "$work/ney.json" --yes >/dev/null
	bert answer unjudged object >/dev/null
done
anna declare unjudged "$work/ney.json" --yes >/dev/null
is "dirk owes an answer" "$(state unjudged '.owed[0] | [.seat, .what]')" \
	'[0,"answer"]'
hook now_ms 0
run bert show unjudged
like "bert may claim" "$out" 'umpire claim unjudged'
exits 0 "anna does" anna claim unjudged
like "and it stands" "$out" 'was not judged in time, and stands'
is "bert is asked" "$(state unjudged '.owed[0] | [.side, .what]')" \
	'[2,"decide"]'
good unjudged

# What stands so is a part of its combat.
hook now_ms "$(($(date +%s) * 1000 - 8 * 86400000))"
open_game unsettled --facts --director
anna declare unsettled "$work/ney.json" --yes >/dev/null
bert answer unsettled agree >/dev/null
for time in first second; do
	bert decide unsettled withdraw-before no >/dev/null
	anna answer unsettled object >/dev/null
done
bert decide unsettled withdraw-before yes >/dev/null
hook now_ms 0
for format in markdown bbcode; do
	run anna log unsettled --format "$format"
	like "who has to agree is told" "$out" 'waits until'
	unlike "as no item of the list of units" "$out" \
		'^(- |\[\*\])waits until'
done
exits 0 "bert's third answer stands unjudged" anna claim unsettled
exits 0 "and the combat comes to its end" \
	anna decide unsettled --decision '{"kind":"advance","units":[]}'
run anna log unsettled --combat 1
like "the log of the combat has the claim" "$out" \
	'was not judged in time, and stands'
like "and how it ended" "$out" '^Slipped away$'
good unsettled

# ---- what is asked when a game is opened ----

# asked NAME ANSWER...: `umpire new` at a terminal, an answer a line.
asked() {
	local name=$1
	shift
	printf '%s\n' "$@" | player anna script -qec \
		"'$UMPIRE' new --roster '$roster' --name $name" /dev/null \
		>"$out" 2>&1
}
asked far n y
like "new asks for the table" "$out" 'Do both players see the same table\?'
like "and proposes what then helps" "$out" 'Open the game with --facts\?'
is "which is taken" "$(state far .confirm)" facts
asked near y
unlike "one table needs nothing" "$out" 'Open the game'
is "and nothing is changed" "$(state near .confirm)" false
asked sure n n
is "a proposal can be refused" "$(state sure .confirm)" false
asked typo n perhaps y
like "what is neither yes nor no is asked again" "$out" 'Type y or n'
is "and is not taken for no" "$(state typo .confirm)" facts
asked long n "$(printf 'n%.0s' {1..63})y" n
is "nor is the end of a long line taken for yes" \
	"$(state long .confirm)" false

finish
