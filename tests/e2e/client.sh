#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# The client when things go wrong: orders without an answer, refusals, a
# server with another key or another history, clocks, several clients of one
# player at once, and what it proposes to type.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need script
with_hooks

db=$work/umpired
start_umpired "$db" || exit 99
write_example "$work"
enrol anna bert || exit 99

# new_game NICK OPTION...: a game in play between anna and bert; leaves $game.
new_game() {
	local nick=$1
	shift
	umpire_as anna new --roster "$work/roster.json" --name "$nick" "$@" \
		>/dev/null 2>"$err" || return 1
	game=$(umpire_as anna show "$nick" --json | filter .game)
	umpire_as bert join --yes "$game" --name "$nick" >/dev/null 2>"$err" &&
		umpire_as anna ready "$nick" >/dev/null 2>"$err"
}

# file_of NAME SUFFIX: a file of that player's copy of $game.
file_of() {
	echo "$(player_data "$1")/games/$game.$2"
}

# lines_of NAME: how many lines that player holds.
lines_of() {
	wc -l <"$(file_of "$1" jsonl)"
}

# ---- a game that is only checked ----

init_player dora || exit 99
exits 78 "who has no account cannot open a game, with --check either" \
	umpire_as dora new --roster "$work/roster.json" --check
like "and that is said" "$err" "^umpire: profile 'default' has no account yet"
exits 0 "who has no games is told of that" umpire_as dora games
like "and of all that lead to one" "$out" '^  umpire roster new SYSTEM FILE'
umpire_as anna games --all --json >"$work/games.before"
find "$(player_data anna)" -type f | sort >"$work/files.before"
exits 64 "--check refuses what new refuses" umpire_as anna new --check \
	--roster "$work/roster.json" --seat 0
like "in the same words" "$err" "--seat 0 is the director's"
echo '{"system":"lasalle2","sides":{}}' >"$work/wrong.json"
exits 65 "a roster, too" umpire_as anna new --check \
	--roster "$work/wrong.json"
exits 0 "a game that could be opened" umpire_as anna new --check \
	--roster "$work/roster.json" --clock 3d/order --confirm --event Cup \
	--invite bert --invite carl --name cup-1
like "is told" "$out" '^This game would be opened:'
like "with its terms" "$out" '^  clock    3 days for each move'
like "and where it belongs" "$out" '^  event    Cup'
like "and who is invited" "$out" '^  invited  bert, carl$'
like "and what you would call it" "$out" '^  name     cup-1$'
like "and that nothing was sent" "$out" '^Nothing was sent\.'
exits 0 "for programs" umpire_as anna new --check --json \
	--roster "$work/roster.json" --private --invite bert
is "as well" "$(filter '[.rules, .seat, .settings.private, .invited]' \
	<"$out")" '["lasalle2/1",1,true,["bert"]]'
is "what is not said is null" "$(filter '[.event, .round, .table, .name]' \
	<"$out")" '[null,null,null,null]'
umpire_as anna new --check --json --roster "$work/roster.json" --event Cup \
	--round 2 --table-number 7 --name cup-1 >"$work/check.json"
is "the rest is there" "$(filter '[.event, .round, .table, .name]' \
	<"$work/check.json")" '["Cup",2,7,"cup-1"]'
exits 0 "the server has no more games" eval \
	'umpire_as anna games --all --json | cmp - "$work/games.before"'
exits 0 "nor the profile any more files" eval \
	'find "$(player_data anna)" -type f | sort | cmp - "$work/files.before"'

# ---- an order without an answer ----

new_game duel || exit 99
is "both hold the game" "$(lines_of anna) $(umpire_as bert show duel --json |
	filter .seq) $(lines_of bert)" "4 3 4"
hook fail_commits -1
exits 75 "an order that is not on disk" \
	umpire_as anna declare duel "$work/combat.json" --yes
like "it says that it is kept" "$err" 'sends the same bytes again'
exits 0 "the order is pending" test -s "$(file_of anna pending)"
cp "$(file_of anna pending)" "$work/pending"
exits 75 "another order is not signed before it" \
	umpire_as anna say duel hello
like "and that is said" "$err" 'this command was not carried out'
exits 0 "the same bytes are pending" \
	cmp "$work/pending" "$(file_of anna pending)"
exits 0 "one may look all the same" umpire_as anna show duel
hook fail_commits 0
exits 0 "typed again it gets through" \
	umpire_as anna declare duel "$work/combat.json" --yes
is "once" "$(lines_of anna)" 5
is "with the same bytes" "$(sed -n 5p "$(file_of anna jsonl)" | filter .order)" \
	"$(jq -r .params.order "$work/pending")"
exits 1 "nothing is pending" test -e "$(file_of anna pending)"

# ---- a refusal: the question that is open whatever the dice ----

wrong='{"kind":"retire","units":["french-x"]}'
exits 65 "an illegal decision" umpire_as bert decide duel --decision "$wrong"
like "what is wrong is named" "$err" '"french-x" is not among'
like "nothing was sent" "$err" 'Nothing was sent'
exits 1 "and nothing is pending" test -e "$(file_of bert pending)"

# The same from a client that did not look, whose order is still pending.
session bert bert
look bert
server_key=$(umpire_as bert show duel --json | filter .server)
ask bert pool "$pool"
ask bert sign "$(order_text 2 decide "{\"ask\":$seq,\"decision\":$wrong}" \
	"c/1/$(jq -r '[.defenders[].id] | min' "$work/combat.json")/1/1")"
jq -c '{method: "game.order", params: .}' <<<"$reply" \
	>"$(file_of bert pending)"
close_session bert
exits 65 "an illegal decision that is sent" umpire_as bert send duel
like "what is wrong is named, too" "$err" '"french-x" is not among'
is "the signed refusal is kept" \
	"$(jq -r '.refusal.text | fromjson | .why' "$(file_of bert refusals)")" \
	illegal
exits 1 "and nothing is pending" test -e "$(file_of bert pending)"

# ---- answers that come late ----

hook fail_commits 3
exits 0 "a few failures are tried again at once" \
	umpire_as bert decide duel retire none
is "and recorded once" "$(lines_of bert)" 6

# The server holds the order and does not answer: the connection is given up.
umpire_as anna show duel >/dev/null
hook hold_sync 1
export UMPIRE_TIMEOUT=1
exits 75 "an order without any answer" \
	umpire_as anna say duel "are you there"
unset UMPIRE_TIMEOUT
hook hold_sync 0
exits 0 "it is sent again" umpire_as anna send duel
like "which is said" "$err" 'recorded as line 6'
is "it is there once" "$(umpire_as anna log duel --json |
	jq '[.[] | select(.text == "are you there")] | length')" 1

# ---- what is proposed can be typed ----

# type_all NICK WHICH: types the first or last command that is proposed to
# whoever may decide, until the combat is over; fails if one is refused.
type_all() {
	local who command n=0
	while [ "$(umpire_as anna show "$1" --json | jq '.combat != null')" = true ]; do
		n=$((n + 1))
		[ $n -lt 20 ] || return 1
		for who in anna bert; do
			command=$(umpire_as $who show "$1" --json | jq -r \
				"[.commands[] | select(test(\" decide \"))] | $2 // \"\"")
			[ -z "$command" ] || break
		done
		umpire_as $who show "$1" >"$out"
		grep -Fqx "  $command" "$out" || return 1
		# The command is typed as it stands, by a shell; --yes, as the
		# last may break a unit.
		player $who bash -c "umpire() { \"$UMPIRE\" \"\$@\"; }; $command --yes" \
			>"$out" 2>"$err" || return 1
	done
}

for i in 1 2 3; do
	[ $i = 1 ] || { new_game duel$i &&
		umpire_as anna declare duel$i "$work/combat.json" --yes >/dev/null; }
	nick=duel$([ $i = 1 ] || echo $i)
	if type_all "$nick" "$([ $i = 2 ] && echo 'last' || echo 'first')"; then
		pass "game $i: what is proposed is taken"
	else
		fail "game $i: what is proposed is taken"
		show_run
	fi
done

# ---- a terminal ----

new_game talk || exit 99
before=$(lines_of anna)
printf 'n\n' | player anna script -qec \
	"'$UMPIRE' declare talk '$work/combat.json'" /dev/null >"$out" 2>&1
like "a terminal is asked" "$out" 'Dice may fall at once'
is "no is no" "$(umpire_as anna show talk --json | filter .seq)" $((before - 1))
exits 64 "without a terminal --yes is needed" \
	umpire_as anna declare talk "$work/combat.json"

exits 66 "that there is no such game comes first" \
	umpire_as anna declare nosuchgame "$work/combat.json"
like "and is what is said" "$err" "you have no game called 'nosuchgame'"
for sub in declare roster; do
	run umpire_as anna "$sub" nosuchgame "$work/nosuch.json"
	like "$sub: before that there is no such file" "$err" \
		"you have no game called 'nosuchgame'"
done

# ---- odds of a declaration ----

exits 0 "the odds of what is not declared yet" \
	umpire_as anna odds "$work/combat.json" --game talk --json
jq -S . "$out" >"$work/odds.game"
umpire_as anna declare talk "$work/combat.json" --check --json |
	jq '{system: "lasalle2", combat: .,
		rulings: '"$(umpire_as anna show talk --json | jq -c .rulings)"'}' \
		>"$work/scenario.json"
exits 0 "and of the same facts as a scenario" \
	"$UMPIRE" odds "$work/scenario.json" --json
jq -S . "$out" >"$work/odds.scenario"
exits 0 "are the same" cmp "$work/odds.game" "$work/odds.scenario"
exits 0 "from the own copy, too" \
	umpire_as anna odds "$work/combat.json" --game talk --json --offline
is "alike" "$(jq -S . "$out")" "$(cat "$work/odds.game")"
jq '{combat: ., policy: {retire: "none"}}' "$work/combat.json" \
	>"$work/policy.json"
exits 0 "with how decisions are answered" \
	umpire_as anna odds "$work/policy.json" --game talk --json
is "which counts" "$(jq -r .policy.defender.retire.word "$out")" none
exits 65 "a declaration alone is no scenario" \
	"$UMPIRE" odds "$work/combat.json"
like "what to type is said" "$err" \
	"^  umpire odds $work/combat.json --game GAME\$"
unlike "not what is missing in a scenario" "$err" 'is missing'
jq '.attackers[0].id = "nobody"' "$work/combat.json" >"$work/wrong.json"
exits 65 "what the rosters do not have is refused" \
	umpire_as anna odds "$work/wrong.json" --game talk
exits 66 "a game that there is not, too" \
	umpire_as anna odds "$work/combat.json" --game nosuchgame

# asked_of NICK OPTION...: what anna is asked when she declares in such a game.
asked_of() {
	local nick=$1
	shift
	new_game "$nick" "$@" || return
	printf 'n\n' | player anna script -qec \
		"'$UMPIRE' declare $nick '$work/combat.json'" /dev/null \
		>"$out" 2>&1
}
asked_of careful --confirm
like "with --confirm dice wait for the other side" "$out" \
	'No dice fall before the other side agrees'
unlike "and do not fall at once" "$out" 'at once'
asked_of live --scheme live-1
like "with live-1 for its part of them" "$out" \
	'No dice fall before the other side answers'
unlike "neither" "$out" 'at once'

# ---- several clients at once ----

pids=
for i in 1 2 3 4 5 6; do
	umpire_as anna say talk "word $i" >"$work/say.$i" 2>&1 &
	pids="$pids $!"
done
failed=0
for pid in $pids; do
	wait "$pid" || failed=$((failed + 1))
done
is "six at once all get through" $failed 0
is "each once" "$(umpire_as bert log talk --json |
	jq -c '[.[] | select(.kind == "chat") | .text] | sort')" \
	'["word 1","word 2","word 3","word 4","word 5","word 6"]'
exits 0 "the copy is whole" umpire_as anna verify talk

# ---- clocks ----

hook now_ms $((($(date +%s) + 600) * 1000))
run umpire_as anna say talk "from the future"
is "an order to a server whose clock is ahead" "$status" 0
like "brings a warning" "$err" 'Warning: the server.s clock is (9|10) minutes ahead of yours'
hook now_ms 0
exits 0 "verify tells of it" umpire_as anna verify talk
like "by how much and where" <(tr -s ' \n' ' ' <"$out") \
	"anna's orders were recorded up to (9|10) min after they were signed .*line [0-9]+"
is "programs have the lines" "$(umpire_as anna verify talk --json | jq -c \
	'.clocks[] | select(.seat == 1) | [.at_less_now_ms > 590000, (.lines | length)]')" \
	'[true,1]'
is "and when an order was signed" "$(umpire_as anna log talk --json | jq -c \
	'map(select(.text == "from the future"))[0] |
	def s: sub("[.][0-9]+Z$"; "Z") | fromdate;
	(.at | s) - (.now | s) | . >= 590 and . <= 600')" true
umpire_as anna log talk --format html >"$out"
like "as the page does" "$out" \
	'<time datetime="[^"]*" title="signed [0-9T:.-]+Z">'
umpire_as anna log talk >"$out"
like "log tells it, too" <(tr -s ' \n' ' ' <"$out") \
	"anna's orders were recorded up to (9|10) min after"

# A laptop that woke up three hours ahead signs nothing.
hook now_ms $((($(date +%s) - 3 * 3600) * 1000))
before=$(umpire_as anna show talk --json | filter .seq)
exits 75 "no order is signed by a clock that is hours ahead" \
	umpire_as anna say talk "from tomorrow"
like "which is said" "$err" "this machine's clock is 3 hours ahead of the server's"
like "and what to do" "$err" 'Set the clock right'
exits 75 "nor a game opened" umpire_as anna new --roster "$work/roster.json" \
	--name tomorrow
hook now_ms 0
exits 0 "once it is right the next is taken" umpire_as anna say talk "today"
is "and nothing is left of the other" \
	"$(umpire_as anna show talk --json | filter .seq)" $((before + 1))

# ---- watching goes on after the server was away ----

new_game watched || exit 99
watching bert "$work/watched" watched --all --json
umpire_as anna say watched one >/dev/null
wait_for 10 grep -q '"one"' "$work/watched"
is "a line comes" $? 0
# A server that is gone for a moment, at the same port.
stop_umpired || fail "the daemon stops cleanly"
start_umpired "$db" -o listen=127.0.0.1:"$port" || exit 99
umpire_as anna say watched two >/dev/null
wait_for 20 grep -q '"two"' "$work/watched"
is "and another after the server was away" $? 0
umpire_as anna resign watched --yes >/dev/null
umpire_as anna close watched --yes >/dev/null
umpire_as bert close watched --yes >/dev/null
wait_for 10 not_running "$watcher"
is "watching ends with the game" $? 0
is "each line came once" "$(jq -r .seq "$work/watched" | paste -sd' ')" \
	"0 1 2 3 4 5 6 7 8"

# ---- another history ----

new_game fork || exit 99
stop_umpired || fail "the daemon stops cleanly"
cp -r "$db" "$work/second"
start_umpired "$db" -o listen=127.0.0.1:"$port" || exit 99
umpire_as anna say fork "in the first" >/dev/null
stop_umpired || fail "the daemon stops cleanly"
start_umpired "$work/second" -o listen=127.0.0.1:"$port" || exit 99
before=$(cat "$(file_of anna jsonl)")
# First, or anna's copy would give it the line that it lacks.
umpire_as bert say fork "in the second" >/dev/null
exits 76 "another line of the same number" umpire_as anna say fork more
like "shows the own hash" "$err" \
	"yours: +$(sed -n 5p "$(file_of anna jsonl)" | tr -d '\n' | sha256sum | cut -c1-64)"
like "and the other one" "$err" \
	"theirs: $(sed -n 5p "$(file_of bert jsonl)" | tr -d '\n' | sha256sum | cut -c1-64)"
exits 76 "whatever one wants" umpire_as anna log fork
exits 76 "even watching" umpire_as anna watch fork
is "the copy is as it was" "$(cat "$(file_of anna jsonl)")" "$before"
exits 1 "nothing is pending" test -e "$(file_of anna pending)"
exits 0 "the own copy can be read" umpire_as anna log fork --offline
exits 0 "and is good" umpire_as anna verify fork
exits 0 "the other history can be secured" \
	umpire_as anna export fork --server-only -o "$work/theirs"
exits 1 "which is equivocation" umpire_as anna verify fork \
	--against "$work/theirs"
like "by its name" "$err" 'equivocation: the server signed two different'
is "with both lines" "$(grep -c '"mark"' "$out")" 2
stop_umpired || fail "the daemon stops cleanly"

# ---- another server ----

start_umpired "$work/other" || exit 99
umpire_as anna init --server "$server" >/dev/null
exits 77 "a server with another key" umpire_as anna games
like "is not the own one" "$err" 'this is not your server'
exits 77 "and is not to be trusted by the way" umpire_as anna games --trust
exits 0 "the own copies are there" umpire_as anna games --offline
stop_umpired || fail "the daemon stops cleanly"
exits 69 "a server that is gone" umpire_as anna games --all
exits 0 "a game shows without it" umpire_as anna show duel
like "from the own copy" "$err" 'your own copy'
exits 69 "but nothing can be said" umpire_as anna say duel hello
umpire_as anna init --server nobody.invalid >/dev/null
exits 68 "a host that is not known" umpire_as anna games --all

finish
