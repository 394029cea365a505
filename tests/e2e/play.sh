#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# `umpire play` in terminals: two players, each in a window of 80x24, fight a
# whole combat of lasalle2 by numbers.  Keys, clock and what is random are
# fixed, so the game is the same each time, dice and all, and its screens are
# compared with tests/e2e/play/lasalle2.screens; UMPIRE_WRITE=1 writes that
# file.  Then the terminal itself: what comes while one types, keys, widths,
# lost connections, terminals that can do little.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/tmux.sh"
with_fixed
screens=$top_srcdir/tests/e2e/play/lasalle2.screens
dir=$work/umpired

# plays NAME WINDOW [VARIABLE=VALUE...]: opens the window with $table in it.
table=evening
plays() {
	local who=$1 window=$2
	shift 2
	runs=$((runs + 1))
	term_open "$window" player "$who" env UMPIRE_TEST_SEED="$who $runs" \
		UMPIRE_TEST_NOW="$fixed_now" \
		UMPIRE_TEST_COUNTS="$work/counts-$window" "$@" \
		"$UMPIRE" play "$table"
}

# ---- the game ----

begin_fixed "$dir"
run as anna new --roster "$top_srcdir/etc/samples/lasalle2-evening.json" \
	--name evening
is "the game is open" "$status" 0
game=$(sed -n 's/^  game  *//p' "$out")
evening=$game
exits 64 "without a terminal nobody joins unasked" as bert join "$game"
like "and is told how" "$err" 'by joining you agree to all of that: .* --yes$'
like "with what it is" "$out" '^  dice     from two hands \(dual-1\): made at once from'

# joins NAME: bert looks at what he agrees to.
joins() {
	runs=$((runs + 1))
	term_open "$1" player bert env UMPIRE_TEST_SEED="bert $runs" \
		UMPIRE_TEST_NOW="$fixed_now" "$UMPIRE" join "$game" \
		--name evening
	term_prompts "what is agreed to comes by pages ($1)" "$1" \
		'^Enter: more, b: back, q: quit, \?: help>$'
}
joins away
like "from its beginning" <(term_screen away) '^This is what you agree to in seat 2:$'
is "none of it has left the screen" \
	"$(term_all away | head -n 1)" "$(term_screen away | head -n 1)"
term_type away q Enter
term_exits "who stops reading does not join" away 64
like "which is said" <(term_screen away) 'you have not joined: nothing was sent'
joins dropped
term_type dropped '' C-c
term_exits "nor does who drops it at its first page" dropped 130
like "which is said to them, too" <(term_screen dropped) \
	'you have not joined: nothing was sent'
# reads NAME: he reads on, page after page, until he is asked.
reads() {
	local page
	for page in 1 2 3; do
		# The bar goes on as Enter does.
		if [ "$page" = 2 ]; then
			term_type "$1" ' '
		else
			term_type "$1" '' Enter
		fi
		wait_for "$term_wait_s" reads_on "$1" "$page" || return
		! term_ends "$1" 'help \[n\]>$' || return 0
	done
	return 1
}
# reads_on NAME N: so many pages are behind him, or he is asked.
reads_on() {
	[ "$(term_all "$1" | grep -c '^Enter: more')" -gt "$2" ] ||
		term_ends "$1" 'help \[n\]>$'
}
joins off
holds "the question stands behind the last page" reads off
like "it says who is ready by it" <(term_screen off | tr '\n' ' ') \
	'You are the last to join, so by joining you also say that you are ready\.'
like "below the end of the rosters" <(term_screen off) 'au-cavbat'
all=$(term_all off)
for word in 'from two hands \(dual-1\)' 'clock +none' 'seat 1, French: anna' \
	'garrison_has_flanks = false: can a garrison'; do
	like "what is agreed to is said ($word)" <(printf '%s\n' "$all") "$word"
done
term_type off '' Enter
term_exits "an empty line is a no" off 64
is "bert has not joined" "$(as anna show evening --json | filter .seq)" 0
joins on
holds "he reads on" reads on
term_type on y Enter
term_exits "and joins" on 0
exits 0 "it begins" as anna ready evening

# ---- without a terminal ----

exits 64 "without a terminal it is refused" as anna play evening
like "in a plain word" "$err" 'this is for a terminal'
exits 64 "and so is a combat without a file" as anna declare evening --yes
exits 64 "and an answer without words" as anna decide evening

# ---- screens ----

# screen WINDOW LABEL: what it shows goes to the list of screens.
screen() {
	printf '=== %s\n' "$2"
	term_screen "$1"
} >>"$work/screens"

# prompts WINDOW: how many prompts it has shown.
prompts() {
	term_all "$1" | grep -c '>\( \|$\)'
}

# has_prompts WINDOW N: it waits at its prompt number N or a later one.
has_prompts() {
	term_ends "$1" '>$' && [ "$(prompts "$1")" -ge "$2" ]
}

# does WINDOW LINE: types it, and waits for the next prompt.
does() {
	local n
	n=$(prompts "$1")
	term_type "$1" "$2" Enter
	wait_for "$term_wait_s" has_prompts "$1" $((n + 1)) || {
		fail "a prompt comes after '$2'" "window $1"
		show_term "$1"
	}
}

plays anna anna NO_COLOR=
term_prompts "anna has the move" anna '^evening, your move>$'
plays bert bert
term_prompts "bert waits" bert '^evening, waiting>$'
like "it says who one is" <(term_screen anna) \
	'^You are anna, in seat 1 \(French\)\.$'
# has_bold WINDOW: something in it is in bold type.
has_bold() {
	in_tmux capture-pane -e -p -t "=$1:" | grep -q $'\033\\[1m'
}

holds "whose move it is stands out" has_bold anna
screen anna "anna has the move"
screen bert "bert waits"

# A combat, asked for step by step: three units against two, edges that are
# not all the same, as is assumed, nothing special.
for line in 1 '3 4 9' 2 1; do
	does anna "$line"
done
screen anna "the enemy's units are listed"
for line in '3 14' 1 1 1 1 2; do
	does anna "$line"
done
screen anna "what is assumed is told"
does anna n
screen anna "what can be changed"
does anna 6
screen anna "which edge"
for line in 5 1 2 1; do
	does anna "$line"
done
screen anna "the combat is told before it is declared"
does anna y
screen anna "a question before the dice"
does anna o
like "the odds are told before dice fall" <(term_all anna) \
	'(exact|sampled): '
screen anna "the odds"
like "and it is asked again" <(term_screen anna) \
	'^y/n, o: odds, b: back, q: quit, \?: help>$'
does anna y
term_prompts "bert sees it come" bert '^evening, your move>$'
screen anna "anna waits for an answer"
screen bert "bert is asked"

does bert 'retire none'
like "an answer stands for itself" <(term_screen bert) \
	'^Give this answer: .*none\?$'
does bert n
does bert 1
screen bert "a question before the answer"
does bert y
term_prompts "it is over for anna, too" anna '^evening, your move>$'
screen bert "bert sees how it ended"
screen anna "anna sees how it ended"
does anna 2
does anna ''
like "an empty line is no yes" <(term_screen anna) 'nothing was sent$'
does anna rosters
screen anna "losses"
does anna help
screen anna "help"

# ---- what comes while one types ----

term_type bert '1'
term_like "bert has typed a number" bert '^evening, waiting> 1$'
does anna 2
does anna y
term_prompts "the turn comes to bert" bert '^evening, your move> 1$'
screen bert "bert's turn comes while he types"
is "but not where NO_COLOR is set" "$(has_bold bert || echo plain)" plain
does bert ''
like "what he typed for another list is not done" <(term_screen bert) \
	'what you may do changed while you typed: look again$'
unlike "nothing was asked" <(term_screen bert) 'Which of your units'
term_type bert 'say halb'
term_like "bert types on" bert 'your move> say halb$'
does anna "say don't wait"
term_like "anna's words come above" bert "anna: don't wait\$"
term_like "what he typed stays" bert '^evening, your move> say halb$'
is "once" "$(term_screen bert | grep -c 'say halb')" 1
does bert ' fünf, naïve 日本'
term_like "letters of all sorts go over" anna 'bert: halb fünf, naïve 日本$'
term_type bert 'say 日本x' BSpace BSpace
does bert '語'
term_like "and are taken back one by one" anna 'bert: 日語$'

if [ -n "${UMPIRE_WRITE:-}" ]; then
	mkdir -p "$(dirname "$screens")"
	cp "$work/screens" "$screens"
fi
if diff "$screens" "$work/screens" >"$work/diff"; then
	pass "the screens are as they should be"
else
	fail "the screens are as they should be" "$(head -60 "$work/diff")"
fi

# ---- keys ----

# A signal takes away what was typed and not read yet.
term_type bert 'resign'
term_like "bert types a word" bert '^evening, your move> resign$'
term_type bert '' C-c
term_like "Ctrl-C drops the line" bert '^evening, your move> resign\^C$'
term_prompts "and asks for another" bert '^evening, your move>$'
does bert 3
term_type bert '' C-c
term_prompts "at a question it goes back" bert '^evening, your move>$'
does bert b
like "where nothing was asked that is said" <(term_screen bert) \
	'^There is no question to go back to; quit leaves\.$'
does bert 1
does bert '?'
like "a question says what may be typed" <(term_screen bert) \
	'b goes back one step, q leaves'
does bert quit
like "quit leaves the questions" <(term_screen bert) 'nothing was declared'
term_prompts "but not the game" bert '^evening, your move>$'
does bert 1
term_type bert '' C-d
term_prompts "Ctrl-D leaves a question" bert '^evening, your move>$'
like "which declares nothing" <(term_screen bert) 'nothing was declared'
term_type bert 'end' Tab
term_like "the tabulator completes" bert 'your move> end-turn$'
term_type bert '' C-u
term_type bert '' Up
term_like "a former line comes back" bert 'your move> say 日語$'
term_type bert '' C-u
does bert 'decide retire none'
does bert n
history=$work/players/bert/data/umpire/default/history
is "the history is nobody else's" "$(stat -c %a "$history")" 600
like "and has what was typed" "$history" '^say 日語$'
unlike "but no answers" "$history" 'decide'
does bert "frobnicate"
like "what cannot be typed is told" <(term_screen bert) \
	"'frobnicate' is not a command here"
does bert 'endturn'
like "with what may be meant" <(term_screen bert) "did you mean 'end-turn'\?"
does bert 'umpire offer evening takeback 99'
like "what umpire prints can be typed as it stands" <(term_screen bert) \
	'there is no line 99 yet'
does bert 'umpire show'
like "with the game left out, too" <(term_screen bert) '^The game has been waiting since'
does bert 'end turn'
like "two words may be one" <(term_screen bert) '^End your turn\? y/n'
does bert n
like "and it is asked once" <(term_screen bert) 'nothing was sent$'
does bert 'retire x'
like "an answer without a question is one" <(term_screen bert) \
	"'retire' answers a question of a combat, but no question is open for"
does bert 'none'
like "and so is one without its question" <(term_screen bert) \
	"'none' answers a question of a combat, but no question is open for"
does bert 'yes'
like "and a yes" <(term_screen bert) \
	"'yes' answers a question of a combat, but no question is open for"
does bert 'end'
like "a word may be short for two" <(term_screen bert) '^End your turn\? y/n'
does bert n
does bert 'agree'
like "with nothing to agree to that is said" <(term_screen bert) \
	"'agree' answers what waits for you, and nothing does"
does bert 'undo'
like "undoing asks for a takeback, once it is sure" <(term_screen bert) \
	'^You ask to take back'
does bert n
does bert 'odds'
like "where odds are told is said" <(term_screen bert) \
	'Odds are told before dice fall'
does bert '17'
like "and what is not on the list" <(term_screen bert) 'there is no choice 17'
does bert 'say "half'
like "a mark in a text is a letter or has its second" <(term_screen bert) \
	'where does it end'
does bert 'watch'
like "watching is not needed here" <(term_screen bert) 'not needed here'

# ---- by steps ----

does bert 3
does bert 2
does bert 1d6
like "what they are for is asked" <(term_screen bert | tail -n 1) '^What for\?'
does bert b
like "where b goes back to the dice" <(term_screen bert | tail -n 1) \
	'^Which dice, such as 2d6\?'
does bert b
like "and to what else there is" <(term_screen bert) \
	'^  [0-9]+  Offer a draw, a takeback'
does bert 4
does bert b
like "from an offer, too" <(term_screen bert | tail -n 3) '^  [0-9]+  Resign'
does bert b
term_prompts "and then out of it" bert '^evening, your move>$'
does bert 3
does bert 2
does bert 2x6
like "dice are looked at as they are typed" <(term_screen bert) 'not dice'
does bert 1d6
does bert 'the weather'
does bert b
like "back from the last question one says again what they are for" \
	<(term_screen bert | tail -n 1) '^What for\?'
does bert 'the weather'
does bert y
term_like "free dice fall" anna 'bert rolls 1d6: [1-6], for "the weather"'
does bert 3
does bert 3
does bert 1
like "a unit's members are listed" <(term_screen bert) 'strength  now 7$'
for line in strength 5 n 'lost on the march'; do
	does bert "$line"
done
term_like "a change goes to the other side" anna 'proposes to change .*strength'
term_prompts "which is to answer it" anna '^evening, your move>$'
like "by number" <(term_screen anna) '^  1  Accept line [0-9]+: '
like "beside what it was" <(term_screen anna) ': strength 7 -> 5( |$)'
does anna 1
like "which is asked for, too" <(term_screen anna) \
	'^You accept changing .*: strength 7 -> 5\.  Accept line [0-9]+\?'
does anna ''
like "and an empty line is no yes" <(term_screen anna) 'nothing was sent$'
does anna 1
does anna y
term_like "and it holds" bert 'anna accepts'

for line in more 'Offer' 'to take'; do
	does anna "$line"
done
like "what can be taken back is listed" <(term_screen anna) \
	'^  1  line [0-9]+  anna accepts changing '
like "to the last of it" <(term_screen anna) '^  [0-9]  line 4 +anna declares a'
does anna 1
does anna ''
like "it is told before it is asked for" <(term_screen anna) \
	'^You ask to take back line [0-9]+ \(anna accepts changing '
does anna n
like "and not sent" <(term_screen anna) 'nothing was sent$'

# ---- the game moves on under a question ----

unit=$(as anna show evening --json | filter '.roster["2"].units[0].id')
exits 0 "anna proposes a change" as anna adjust evening "$unit" strength=4
term_like "a change is proposed" bert 'proposes to change .*strength'
does bert 'end-turn'
like "bert is about to end his turn" <(term_screen bert) '^End your turn\?'
exits 0 "bert accepts elsewhere" as bert accept evening --yes
term_like "meanwhile something holds" bert 'bert accepts line '
does bert y
like "what rested on another state is not sent" <(term_screen bert) \
	'the game has moved on since line [0-9]+; nothing was sent$'
is "so it is still his turn" \
	"$(as anna show evening --json | filter '.owed[0].side')" 2

# What ends the game is asked for the game as it stood, too.
exits 0 "anna proposes another change" \
	as anna adjust evening "$unit" strength=3
term_like "another change is proposed" bert 'strength.* 3'
does bert 'resign'
like "bert is about to resign" <(term_screen bert) '^(Give up|Resign).*\?'
exits 0 "bert accepts elsewhere again" as bert accept evening --yes
term_like "again something holds meanwhile" bert 'bert accepts line .*strength 4'
does bert y
like "the game is not given up" <(term_screen bert) \
	'the game has moved on since line [0-9]+; nothing was sent$'
is "it goes on" "$(as anna show evening --json | filter .phase)" play

# ---- what all that took ----

is "one connection does for all of it" \
	"$(cut -d ' ' -f 1 "$work/counts-anna" | sort -u)" 1
holds "and no line is verified twice" \
	[ "$(tail -n 1 "$work/counts-anna" | cut -d ' ' -f 2)" -le \
	"$(($(as anna show evening --json | filter .seq) + 1))" ]
exits 0 "anna asks for a takeback" as anna offer evening takeback --yes
term_like "which is told by what it takes back" bert \
	'Accept line [0-9]+: taking back line [0-9]+ \('
does bert ''
does bert ''
is "a prompt that offers it reads no line again" \
	"$(tail -n 2 "$work/counts-bert" | sort -u | wc -l)" 1
exits 0 "and thinks better of it" as anna withdraw evening

# ---- widths, and a terminal that can do little ----

in_tmux resize-window -t =bert: -x 40 -y 24
term_type bert 'say a line that is longer than the window is wide'
term_like "a line goes on below" bert '^.*is wide$'
does anna 'say narrow'
term_like "what comes stands above it" bert 'anna: narrow$'
term_prompts "and the line is there again" bert 'is wide$'
is "once" "$(term_screen bert | grep -c 'say a')" 1
term_type bert '' C-u
in_tmux resize-window -t =bert: -x 80 -y 24
term_type bert 'quit' Enter
term_exits "quit leaves" bert 0

term_name=dumb plays bert dumb
term_prompts "a dumb terminal will do" dumb '^evening, your move>$'
term_type dumb 'say still'
term_like "one can type there" dumb 'your move> say still$'
does anna 'say hello'
term_like "and see what comes" dumb 'anna: hello$'
does dumb ' here'
term_like "what was typed there is kept" anna 'bert: still here$'
term_type dumb '' C-d
term_exits "Ctrl-D leaves" dumb 0

# ---- what strangers write ----

as bert say evening "$(printf 'red \033[31m and \033]0;x\007 \xe2\x80\xae')" \
	>/dev/null
term_like "control characters are shown as marks" anna \
	'bert: red \?\[31m and \?\]0;x\? \?$'

# ---- lost and back ----

stop_umpired
term_like "a lost connection is told" anna 'connecting again'
does anna 'say into the void'
like "what cannot be sent is neither sent nor kept" \
	<(term_screen anna | tr -s ' \n' ' ') \
	'This command was neither sent nor kept: type it again'
exits 69 "nor from the command line" as bert say evening "hello?"
like "which says so" "$err" 'was neither sent nor kept'
start_umpired "$dir" -o "listen=127.0.0.1:$port" || exit 99
term_like "and that it is back" anna 'The connection is back\.'
as bert say evening after all >/dev/null
term_like "what comes then is told" anna 'bert: after all$'
does anna 'say yes'
term_like "and commands work" anna 'anna: yes$'

# ---- an order that waits ----

hook fail_commits -1
does anna 'say nobody hears this'
term_like "an order without an answer is kept" anna 'The order is kept'
term_like "and is the first that may be done" anna \
	'1  Send again the order that waits for its answer, to say "nobody'
hook fail_commits 0
waits() {
	[ -e "$(player_data anna)/games/$game.pending" ]
}
does anna log
reader_told() {
	term_all anna | grep -q 'This command does not send it'
}
holds "who reads is told of it" reader_told
holds "and does not send it" waits
does anna 'say then this'
term_like "whoever gives another order is asked" anna 'Send it again now\?'
does anna n
term_like "and may leave it" anna 'The order is kept'
holds "so it is still there" waits
does anna 1
term_like "its number asks, too" anna 'Send it again now\?'
does anna y
term_like "and then it is sent" anna 'anna: nobody hears this$'
holds "once" [ ! -e "$(player_data anna)/games/$game.pending" ]

# ---- answers, and secret choices that are sealed ----

jq -nc '{blob: "roster", system: "imagi-nations", sides: {
	"1": {units: [{id: "blue", lead: "b1", battalions: [
	 {id: "b1", quality: "trained", sp: 9}]}]},
	"2": {units: [{id: "red", lead: "r1", battalions: [
	 {id: "r1", quality: "trained", sp: 9}]}]}}}' >"$work/roster.json"
jq -nc '{attacker: {units: [{id: "blue"}]}, defender: {units: [{id: "red"}]}}' \
	>"$work/fight.json"
run as anna new --roster "$work/roster.json" --name cards --scheme live-1 \
	--secret sealed
game=$(sed -n 's/^  game  *//p' "$out")
as bert join --yes "$game" --name cards >/dev/null 2>&1
table=cards
plays bert red
term_prompts "before it begins there is nothing to do" red '^cards, waiting>$'
plays anna blue
term_prompts "but for anna" blue '^cards, your move>$'
like "who is to be ready" <(term_screen blue) '^  1  Say that you are ready$'
does blue 'refuse bert --why TEXT'
like "a reason that is to come is asked for" <(term_screen blue) '^Why\?'
does blue q
unlike "and nobody is refused by then" <(as anna log cards) 'refuses'
does blue 1
does blue y
term_like "it begins" red '^Waiting for anna'
as anna declare cards "$work/fight.json" --yes >/dev/null
term_prompts "a declaration waits for bert" red '^cards, your move>$'
like "who may agree" <(term_screen red) '^  1  Agree$'
like "or object" <(term_screen red) '^  2  Object$'
does red 2
like "who objects is asked why" <(term_screen red) '^Why do you object\?'
does red q
unlike "and may think better of it" <(as anna log cards) 'objects'
does red agree
like "who says only that they agree is asked" <(term_screen red) \
	'^Agree to line [0-9]+\?'
does red n
does red object
like "or why they object" <(term_screen red | tail -n 5) \
	'^Why do you object\?'
does red q
does red 2
does red 'blue is not in reach'
like "and then once more" <(term_screen red) \
	'^Object to line [0-9]+\?  It is void then\. y/n'
does red y
term_like "the other side reads why" blue 'blue is not in reach'
like "it stands beside the record" <(as anna log cards) 'blue is not in reach'
as anna declare cards "$work/fight.json" --yes >/dev/null
term_prompts "it is declared again" red '^cards, your move>$'
does red 1
like "that dice fall is said" <(term_screen red) \
	'^Agree to line [0-9]+\?  Dice may fall at once\.'
exits 0 "bert objects elsewhere" as bert answer cards object
exits 0 "and it is declared once more" \
	as anna declare cards "$work/fight.json" --yes
term_like "which comes while he is asked" red '^Combat 3, turn 1'
does red y
like "he agrees to no other line than he was asked about" \
	<(term_screen red) 'something else is asked now; nothing was sent$'
does red 1
does red y
term_like "both are asked for a card" blue '^  1  The attacker plays feint \(1 chit\)$'
does blue 1
like "it is asked once" <(term_screen blue) '^Commit to feint\?'
exits 0 "anna asks for a takeback elsewhere" \
	as anna offer cards takeback --yes
exits 0 "bert accepts it" as bert accept cards --yes
exits 0 "the same is declared" as anna declare cards "$work/fight.json" --yes
exits 0 "and agreed to" as bert answer cards agree
term_like "so the card is asked for anew" red 'bert agrees'
does blue y
like "the card was for the former question" <(term_screen blue) \
	'something else is asked now; nothing was sent$'
does blue 1
does blue y
like "what was chosen is kept" <(term_screen blue) '^You have committed; '
unlike "and not told" <(term_all red) 'feint'
does red 2
does red y
term_like "hers waits to be opened" blue '^  1  Open your secret choice$'
does blue 1
term_like "then both are seen" red 'plays feint\.$'
term_prompts "and bert answers" red '^cards, your move>$'
unlike "with nothing left to object to" <(term_screen red | tail -n 5) \
	'  2  Object$'
unlike "no card is in the history" \
	"$work/players/anna/data/umpire/default/history" feint

# ---- outside of play ----

runs=$((runs + 1))
term_open out player bert env UMPIRE_TEST_SEED="bert $runs" \
	UMPIRE_TEST_NOW="$fixed_now" "$UMPIRE" declare evening
term_like "declare without a file asks" out 'Which of your units attack\?'
term_prompts "at a prompt" out '\?: help>$'
term_type out '' C-d
term_exits "Ctrl-D leaves it" out 64

# ask WINDOW WORD...: bert's client in a window, which asks.
ask() {
	local window=$1
	shift
	runs=$((runs + 1))
	term_open "$window" player bert env UMPIRE_TEST_SEED="bert $runs" \
		UMPIRE_TEST_NOW="$fixed_now" "$UMPIRE" "$@"
}
ask form declare evening
term_prompts "a form" form '\?: help>$'
term_type form '' C-c
term_exits "Ctrl-C leaves it" form 130
like "and it is said" <(term_screen form) 'nothing was declared'
ask plain end-turn evening
term_prompts "the end of a turn is asked for on a terminal" plain \
	'^End your turn\? \[y/N\]$'
term_type plain '' C-c
term_exits "Ctrl-C leaves that, too" plain 130
like "and it is said" <(term_screen plain) 'nothing was sent'
ask turn end-turn evening
term_prompts "it is asked again" turn '\[y/N\]$'
term_type turn '' Enter
term_exits "an empty line is a no" turn 64
ask stands standing evening retire all
term_prompts "a standing order is asked for" stands '\[y/N\]$'
like "with what it says" <(term_screen stands) \
	'^Leave the standing order "retire all"\?'
term_type stands '' Enter
term_exits "no is no" stands 64
is "nothing of that was sent" "$(as bert show evening --json | filter .seq)" \
	"$(as anna show evening --json | filter .seq)"
exits 0 "anna proposes a change again" \
	as anna adjust evening "$unit" strength=2
ask moved end-turn evening
term_prompts "the end of the turn is asked for once more" moved '\[y/N\]$'
exits 0 "another umpire of bert's accepts" as bert accept evening --yes
term_type moved y Enter
term_exits "the turn does not end upon what he was not shown" moved 65
like "which is said" <(term_screen moved) \
	'the game has moved on since line [0-9]+; nothing was sent$'
like "with what shows it" <(term_screen moved) '`umpire show evening`'

# A question that is asked anew is another one.
jq -c 'select(.seq == 4).order | fromjson | .args.combat' \
	"$(player_data anna)/games/$evening.jsonl" >"$work/evening.json"
run as anna new --roster "$top_srcdir/etc/samples/lasalle2-evening.json" \
	--name again
game=$(sed -n 's/^  game  *//p' "$out")
as bert join --yes "$game" --name again >/dev/null 2>&1
as anna ready again >/dev/null
as anna declare again "$work/evening.json" --yes >/dev/null
table=again
plays bert again
term_prompts "bert is to decide" again '^again, your move>$'
does again 'decide retire fr-line-1'
like "what is no answer is refused" <(term_screen again) \
	"'fr-line-1' is not among"
unlike "before anything is asked" <(term_screen again) '^Give this answer'
does again 'retire none'
like "and is asked about his answer" <(term_screen again) \
	'^Give this answer: .*none\?'
exits 0 "anna takes the combat back" as anna offer again takeback --yes
exits 0 "with bert" as bert accept again --yes
exits 0 "and declares it anew" as anna declare again "$work/evening.json" --yes
term_like "which he sees" again '^Combat 2, turn 1'
does again y
like "the answer was to the former question" <(term_screen again) \
	'something else is asked now; nothing was sent$'
does again 'retire none'
does again y
term_prompts "the new one is answered" again '^again, waiting>$'
term_type again quit Enter

# ---- a server that is not known ----

as carl init --server "$server" >/dev/null
table=$game
for keys in Enter C-c; do
	term_open "new$keys" player carl env UMPIRE_TEST_SEED="carl $keys" \
		UMPIRE_TEST_NOW="$fixed_now" "$UMPIRE" register carl
	term_prompts "its key is to be compared" "new$keys" '\[y/N\]$'
	term_type "new$keys" '' "$keys"
done
term_exits "who does not know it is not registered" newEnter 77
term_exits "nor who leaves" newC-c 130
for keys in Enter C-c; do
	like "and reads that" <(term_screen "new$keys") \
		'^  Nothing was registered\.'
	like "with what to do" <(term_screen "new$keys" | tr -s ' \n' ' ') \
		'Ask its operator for the key\. Then type the command again'
done
run as carl register carl --trust
table=$game
plays carl watching
term_prompts "who has no seat watches" watching 'watching>$'
like "and reads so" <(term_all watching) \
	'^You are carl, and watch: you have no seat in this game\.$'
term_type watching quit Enter

# ---- the end, by agreement ----

table=evening
plays bert bye
term_prompts "bert is back" bye '^evening, your move>$'
does anna 'offer draw'
term_like "a draw is offered" bye 'anna offers a draw'
does bye accept
does bye y
term_like "who accepts has closed the game" bye \
	"accepted the draw that anna .*offered in 'evening'"
term_like "and so has who offered" anna \
	"accepted the draw that you offered in 'evening'"
term_prompts "who is not asked" anna '^evening, over>$'
term_prompts "nothing is left to do" bye '^evening, over>$'
is "it is finished" "$(as anna show evening --json | filter .phase)" finished
term_type bye 'quit' Enter
term_exits "both leave" bye 0

run as anna verify evening
is "the record is good" "$status" 0

finish
