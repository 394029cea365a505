#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Secret choices, held by the server and sealed by the players.  Over the raw
# protocol: after the first commit nothing that the opponent can read differs
# from one card to another.  On two command lines: committed, opened and
# fought to the result in both orders, with wrong things first, the daemon
# killed between the commits, an answer lost, and the file of a choice lost.
# No line here depends on the dice.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks

dir=$work/umpired
start_umpired "$dir" || exit 99

# again: the daemon starts anew, at the same port.
again() {
	start_umpired "$dir" -o "listen=127.0.0.1:$port" || exit 99
}

# roster ARM: two sides of two units, side 1 of this arm, some of them worn.
roster() {
	jq -nc --arg arm "$1" '{blob: "roster", system: "imagi-nations", sides: {
		"1": {name: "Blue", units: [
		 {id: "blue-1", arm: $arm, lead: "b1a", fatigue: 9,
		  disordered: true, battalions: [
		  {id: "b1a", quality: "veteran", sp: 9},
		  {id: "b1b", quality: "trained", sp: 9, hits: 2}]},
		 {id: "blue-2", arm: $arm, lead: "b2a", battalions: [
		  {id: "b2a", quality: "elite", sp: 9}]}]},
		"2": {name: "Red", units: [
		 {id: "red-1", arm: "cavalry", lead: "r1a", battalions: [
		  {id: "r1a", quality: "experienced", sp: 9},
		  {id: "r1b", quality: "raw", sp: 9}]},
		 {id: "red-2", lead: "r2a", battalions: [
		  {id: "r2a", quality: "elite", sp: 9}]}]}}}'
}

combat=$(jq -nc '{terrain: "village",
	attacker: {units: [{id: "blue-1"}, {id: "blue-2"}]},
	defender: {units: [{id: "red-1"}], objective: true, can_evade: true}}')
place=c/1/red-1/1/1
attacks='feint cavalry-charge prepared-attack hasty-attack pinning-attack'
defences='hold defend evade counter-attack'

# ---- what the opponent sees after one commit ----

enter anna bert || exit 99
session watcher bert
ask watcher login bert
roster cavalry >"$work/cavalry.json"
put_roster anna "$work/cavalry.json"
anna_args=$(create_args 1 anna '.system = "imagi-nations" |
	.rules = "imagi-nations/1"')
bert_args=$(join_args 2 bert)

# What e2e.sh has for these, without a process for each of some hundred calls.
look() {
	ask "$1" call game.show "{\"game\":\"$game\"}"
	local a='"seq":([0-9]+),"head":"([0-9a-f]+)"' b='"pool":"([0-9a-f]+)"'
	[[ $reply =~ $a,\"at\":\"[^\"]+\",$b ]]
	seq=${BASH_REMATCH[1]} head=${BASH_REMATCH[2]} pool=${BASH_REMATCH[3]}
}

unhex() {
	local i s=
	for ((i = 0; i < ${#1}; i += 2)); do
		s+="\\x${1:i:2}"
	done
	# shellcheck disable=SC2059
	printf "$s"
}

# line_of: the number of the line that the last reply gives, as $line.
line_of() {
	[[ $reply =~ \"seq\":([0-9]+) ]]
	line=${BASH_REMATCH[1]:--1}
}

# random_salt: 64 digits, as $salt.
random_salt() {
	local a b
	read -r a </proc/sys/kernel/random/uuid
	read -r b </proc/sys/kernel/random/uuid
	salt=${a//-/}${b//-/}
}

# raw_game SECRET: a game up to the question; leaves $game and $asked.
raw_game() {
	ask anna order "$(create_text \
		"${anna_args/\"secret\":\"held\"/\"secret\":\"$1\"}")"
	[[ $reply =~ game[^0-9a-f]+([0-9a-f]{64}) ]]
	game=${BASH_REMATCH[1]}
	look bert
	ask bert order "$(order_text 2 join "$bert_args")"
	give bert 2 ready '{}' p/0
	give anna 1 ready '{}' p/0
	give anna 1 declare "{\"combat\":$combat}" "$place"
	line_of
	asked=$line
}

# commitment SEAT SALT TEXT: of the question of line $asked (record S8).
commitment() {
	{
		printf 'umpire/secret/1\0'
		unhex "$game$(printf '%02x%016x' "$1" "$asked")$2"
		printf '%s' "$3"
	} | sha256sum | cut -c 1-64
}

# commit SESSION SEAT CARD SECRET [TEXT]: gives the order; TEXT may be another
# than the one that is committed to.
commit() {
	local salt text order shown
	random_salt
	text="{\"kind\":\"tactic\",\"tactic\":\"$3\"}"
	look "$1"
	ask "$1" pool "$pool"
	order=$(order_text "$2" commit "{\"ask\":$asked,\"commit\":\"$(
		commitment "$2" "$salt" "$text")\"}" "$place")
	# The attacker alone has a part in the dice.
	[ "$2" = 1 ] || order=${order/,\"own\":\"@own\"/}
	ask "$1" sign "$order"
	shown=${5:-$text}
	printf -v shown ',"open":{"salt":"%s","text":"%s"}}' "$salt" \
		"${shown//\"/\\\"}"
	[ "$4" = sealed ] || reply=${reply%\}}$shown
	ask "$1" call game.order "$reply"
	opening="{\"ask\":$asked,\"salt\":\"$salt\",\"text\":\"${text//\"/\\\"}\"}"
}

# seen FILE: replies without ids, hashes, keys, nonces, signatures, proofs and
# times.
seen() {
	sed -E -i 's/[0-9a-f]{32,}/H/g; s/[0-9-]{10}T[0-9:.]{12}Z/T/g
		s/"id":[0-9]+/"id":N/' "$1"
}

# first_commit SECRET SEAT CARD: a game in which that seat commits first, and
# all that anybody can be told of it, in the file SECRET.SEAT.CARD.
first_commit() {
	local one=anna two=bert other=$((3 - $2)) file=$work/$1.$2.$3
	[ "$2" = 1 ] || { one=bert two=anna; }
	raw_game "$1"
	ask watcher call game.watch "{\"game\":\"$game\",\"after\":$asked}"
	commit "$one" "$2" "$3" "$1"
	{
		echo "$reply"
		ask watcher line 5000
		echo "$reply"
		ask "$two" call game.show "{\"game\":\"$game\"}"
		echo "$reply"
		ask "$two" call game.record "{\"game\":\"$game\",\"from\":0,\"side\":true}"
		echo "$reply"
		ask "$two" call game.list "{\"prefix\":\"$game\"}"
		echo "$reply"
		# What is refused, and why, tells nothing either.
		give "$two" "$other" decide \
			"{\"ask\":$asked,\"decision\":{\"kind\":\"tactic\"}}" "$place"
		echo "$reply"
		commit "$two" "$other" hold "$1" '{"kind":"tactic"}'
		echo "$reply"
	} >"$file"
	seen "$file"
}

# told CARD: how often that answer stands in the daemon's files.
told() {
	find "$dir" -type f -exec cat {} + |
		grep -aoE "tactic[\\\\\"]+,[\\\\\"]+tactic[\\\\\"]+:[\\\\\"]+$1" |
		wc -l
}

# The sealed ones first, so that what is held is in no file yet.
for secret in sealed held; do
	for card in $attacks; do
		first_commit "$secret" 1 "$card"
	done
	for card in $defences; do
		first_commit "$secret" 2 "$card"
	done
	# The server has what it holds, and nothing of what is sealed.
	if [ "$secret" = sealed ]; then
		is "what is sealed is in no file of the server's" \
			"$(told feint) $(told evade)" '0 0'
	else
		is "what is held is in its files alone" \
			"$(($(told feint) > 0)) $(($(told evade) > 0))" '1 1'
	fi
	for seat in 1 2; do
		is "$secret, seat $seat first: every card looks the same" \
			"$(sha256sum "$work/$secret.$seat."* |
				cut -c 1-64 | sort -u | wc -l)" 1
	done
done
is "there were seven replies each" \
	"$(wc -l <"$work/held.1.feint") $(wc -l <"$work/sealed.2.evade")" "7 7"
like "the notice is among them" "$work/held.1.feint" '"method":"game.entry"'
like "and the commit without its card" "$work/held.1.feint" \
	'"kind.{2,4}:.{2,4}commit.{2,4},'
unlike "no answer to the question is in them" <(cat "$work"/held.* \
	"$work"/sealed.*) 'tactic[\\"]+,[\\"]+tactic|opened|salt'
exits 0 "the daemon's folder is for its user alone" test -z "$(find "$dir" \
	\( -name '*.db*' -o -name '*.key' -o -path "$dir" \) -perm /077)"
unlike "nor does its log tell a card" "$dir/log" 'tactic|feint|evade'

# ---- wrong things over the raw protocol ----

raw_game held
commit bert 2 feint held
refused "a card of the other side is refused" \
	12 illegal params.open.text.decision.tactic
commit bert 2 hold held '{"kind":"tactic","tactic":"evade"}'
refused "another choice than was committed to is no commit" \
	16 missing params.open
commit bert 2 hold held
is "a commit" "$(of .result.seq)" $((asked + 1))
commit bert 2 evade held
refused "is given once" 11 stale params.order.seat
commit bert 1 feint held
refused "for one's own seat" 12 illegal params.order.seat
look bert
ask bert order "$(order_text 2 open "$opening" "$place" |
	sed 's/,"own":"@own"//')"
refused "and where secrets are held nobody opens" 11 stale params.order.args.ask
look anna
ask anna pool "$pool"
ask anna sign "$(order_text 1 turn.end '{}' p/1)"
ask anna call game.order "$(jq -c ". + {open: $opening} | del(.open.ask)" \
	<<<"$reply")"
refused "a choice goes beside a commit only" -32602 invalid params.open

for who in anna bert watcher; do
	close_session "$who"
done

# ---- two command lines ----

roster infantry >"$work/roster.json"
echo "$combat" >"$work/combat.json"
enrol carl dora erin || exit 99

# open_game NAME OPTION...: a game of carl's and dora's; leaves $game.
open_game() {
	local name=$1
	shift
	run umpire_as carl new --roster "$work/roster.json" --name "$name" "$@"
	is "$name: new works" "$status" 0
	game=$(sed -n 's/^  game  *//p' "$out")
	umpire_as dora join --yes "$game" --name "$name" >/dev/null
	umpire_as carl ready "$name" >/dev/null
}

# declare NAME: carl's attack, and the answer to its question.
declare_combat() {
	run umpire_as carl declare "$1" "$work/combat.json" --yes
	is "$1: declare works" "$status" 0
}

# file PLAYER KIND: a file of the game in that player's folder.
file() {
	echo "$(player_data "$1")/games/$game.$2"
}

# kept PLAYER: whether the file of a choice is there.
kept() {
	[ -e "$(file "$1" secret)" ] && echo yes || echo no
}

# lines NAME: how many the record has.
count() {
	umpire_as carl show "$1" --json | filter .seq
}

# fight NAME: to the result, by the first command that is shown to whoever
# owes one; how many combats the record has then.
fight() {
	local who command i
	for ((i = 0; i < 12; i++)); do
		for who in carl dora; do
			command=$(umpire_as "$who" show "$1" --json |
				jq -r '.commands[0] // ""')
			case $command in
			*' declare '*) return ;;
			'umpire decide '*)
				run player "$who" env PATH="$top_builddir:$PATH" \
					bash -c "$command"
				[ "$status" = 0 ] || fail "as shown: $command"
				;;
			esac
		done
	done
	fail "$1: the combat ends"
}

open_game held
cp "$(file carl jsonl)" "$work/before"
run umpire_as carl upkeep held blue-1 dance
is "an upkeep order that there is not" "$status" 65
like "is told as one" "$err" "^umpire: the order must be "
like "which ones there are" "$err" 'rally BATTALION'
like "in words" "$err" '^umpire: the order must be "rest",'
exits 65 "the other side's unit" umpire_as carl upkeep held red-1 rest
exits 65 "not in the other side's turn" umpire_as dora upkeep held red-2 recover
exits 65 "a battalion with only its last hit" \
	umpire_as carl upkeep held blue-1 rally b1a
printf 'wait >\ntype %s\n' 'upkeep blue-1 dance' 'upkeep blue-1 rest' n quit |
	player carl python3 "$top_srcdir/tests/e2e/terminal.py" run \
		"$work/seen" 80 "$UMPIRE" play held
like "in play, too" "$work/seen" 'umpire: the order must be "rest",'
unlike "without a question before it" "$work/seen" 'Give this order: .*dance'
like "what could be sent is asked about" "$work/seen" \
	'^Give this order: blue-1 rest[?] '
exits 0 "none of them was sent" cmp "$(file carl jsonl)" "$work/before"
run umpire_as carl upkeep held blue-1 rest
is "a rest" "$status" 0
like "says its dice" "$out" '^Roll 1d3 \(rest, .*\): [123]$'
like "and what came of it" "$out" \
	'^blue-1 rests: die [123], fatigue is now [678]\.$'
run umpire_as carl upkeep held blue-1 rally b1b
like "an attempt to rally" "$out" '^Roll 1d6 \(rally/recover, .*\): [1-6]$'
like "and what came of it" "$out" \
	'(rallies: die [4-6], 4 needed; b1b takes one hit back and has 1|fails to rally: die [1-3], 4 needed; b1b keeps its hits)\.$'
exits 65 "no recovery after it" umpire_as carl upkeep held blue-1 recover
like "which may be tried later" "$err" \
	'has tried to rally in this turn, and may try to recover in another'

exits 65 "no card without a question" \
	umpire_as carl decide held tactic feint --yes
declare_combat held
seq=$(count held)
exits 65 "the other side's card" umpire_as carl decide held tactic hold --yes
exits 65 "a card for cavalry alone" \
	umpire_as carl decide held tactic cavalry-charge --yes
run umpire_as carl decide held --yes \
	--decision '{"kind":"tactic","tactic":"cavalry-charge"}'
is "the same as JSON" "$status" 65
like "is refused here" "$err" 'Nothing was sent'
exits 64 "a card without --yes" umpire_as carl decide held tactic feint
exits 65 "where secrets are held nobody opens" umpire_as carl open held
exits 77 "a stranger" umpire_as erin decide "$game" tactic feint --yes
is "nothing of all that was sent" "$(count held) $(kept carl)" "$seq no"

# start_client ARGUMENT...: carl's client in the background, as $client itself,
# so that it can be killed.
start_client() {
	env HOME="$work/players/carl" \
		XDG_CONFIG_HOME="$work/players/carl/config" \
		XDG_DATA_HOME="$work/players/carl/data" \
		"$UMPIRE" "$@" >"$out" 2>"$err" </dev/null &
	client=$!
}

# The daemon dies after the commit is written and before anybody is told, and
# the client with it.
hook hold_sync 1
start_client decide held tactic prepared-attack --yes
wait_for 20 hooked held 1
is "the commit is written, its answer is not out" $? 0
kill -KILL "$daemon" "$client"
wait "$daemon" "$client" 2>/dev/null
hook hold_sync 0 held 0
is "choice and order are kept, for the owner alone" "$(stat -c %a \
	"$(file carl secret)" "$(file carl pending)" | tr '\n' ' ')" '600 600 '
cp "$(file carl secret)" "$work/secret.carl"
is "the choice goes beside the order" \
	"$(jq -c '[.salt, .text]' "$work/secret.carl")" \
	"$(jq -c '.params.open | [.salt, .text]' "$(file carl pending)")"
again
run umpire_as carl decide held tactic feint --yes
is "the next command sends it again" "$status" 0
like "and says so" "$err" 'Sending your earlier, unanswered order again|The order that waited is recorded'
like "it is one commit" "$out" 'carl commits to a secret choice: tactic$'
exits 0 "to what was chosen first" cmp "$(file carl secret)" "$work/secret.carl"
exits 65 "a second one" umpire_as carl decide held tactic feint --yes
run umpire_as carl show held
like "show says who has committed" "$out" \
	'You have committed; dora \(Red\) has not yet'
run umpire_as dora show held
like "and to the other side" "$out" 'Your opponent has committed'
unlike "but not to what" <(sed '1,/The defender is asked/d' "$out") \
	'prepared|feint'
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
again
run umpire_as dora decide held tactic defend --yes
is "after another death of the server the second one" "$status" 0
like "opens the first" "$out" 'The attacker plays prepared-attack\.'
like "and itself" "$out" 'The defender plays defend\.'
is "the choices need not be kept any more" "$(umpire_as carl show held |
	wc -l | grep -c .) $(kept carl) $(kept dora)" '1 no no'
fight held

# The defender first.
declare_combat held
exits 0 "held: the defender commits" \
	umpire_as dora decide held tactic hold --yes
hook fail_commits -1
start_client decide held tactic feint --yes
wait_for 20 test -s "$(file carl pending)"
is "held: the attacker's commit is sent" $? 0
kill -KILL "$client"
wait "$client" 2>/dev/null
hook fail_commits 0
run umpire_as carl decide held tactic feint --yes
is "held: typed again it is" "$status" 0
like "though the next question is the attacker's, too" "$out" \
	'is asked how many chits are drawn'
fight held
run umpire_as carl verify held
is "held: verify is good" "$status" 0
like "held: both combats were run again" "$out" 'combats +2 run again'
run umpire_as dora log held
like "the log has its lines in 80 columns" <(awk 'length > 80 { n++ }
	END { print n + 0 }' "$out") '^0$'
is "log --json tells what was opened" "$(umpire_as dora log held --json |
	jq -c '[.[] | select(.opened) | .opened[] | [.seat, .decision.tactic]]')" \
	'[[1,"prepared-attack"],[2,"defend"],[1,"feint"],[2,"hold"]]'

# ---- sealed ----

open_game sealed --secret sealed
run umpire_as dora show sealed
like "a game says that its secrets are sealed" "$out" 'secrets +sealed'
like "what a unit is made of is shown" "$out" \
	'^  blue-1: b1a \(lead\) veteran 9/9, b1b trained 7/9$'
declare_combat sealed
exits 0 "sealed: the defender commits" \
	umpire_as dora decide sealed tactic hold --yes
exits 65 "nothing is opened too early" umpire_as dora open sealed
exits 65 "no turn ends meanwhile" umpire_as carl end-turn sealed
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
again
run umpire_as carl decide sealed tactic feint --yes
is "sealed: the attacker commits" "$status" 0
like "and opens at once" "$out" 'carl opens the secret choice: tactic$'
is "sealed: what is open is not kept" "$(kept carl) $(kept dora)" 'no yes'
unlike "the other card is not known yet" "$out" 'plays'
run umpire_as dora show sealed
is "show opens nothing" "$(kept dora)" yes
like "but says how" "$out" '^  umpire open sealed$'

# Another machine of dora's, and a file that is lost or another's.
unlike "the choice is here" "$err" 'not on this machine'
mv "$(file dora secret)" "$work/secret.dora"
run umpire_as dora show sealed
like "on another machine show says that it is not" "$err" 'not on this machine'
run umpire_as dora open sealed
is "without its file no choice is opened" "$status" 66
like "which is said" "$err" 'but it is not on this machine'
like "with what it means" "$err" 'cannot go on from here'
exits 66 "nor by another command" umpire_as dora end-turn sealed
exits 0 "but one can talk" umpire_as dora say sealed 'where is it'
echo '{"seat":2}' >"$(file dora secret)"
run umpire_as dora open sealed
is "nor with a damaged file" "$status" 66
like "which is said, too" "$err" 'its file is damaged'
cp "$work/secret.carl" "$(file dora secret)"
exits 66 "nor with another one" umpire_as dora open sealed
cp "$work/secret.dora" "$(file dora secret)"
run umpire_as dora open sealed
is "with its file it is" "$status" 0
like "both cards are known" "$out" 'The defender plays hold\.'
is "and the file goes" "$(kept dora)" no
exits 65 "once" umpire_as dora open sealed
fight sealed

# The attacker first; whoever watches opens by itself.
declare_combat sealed
exits 0 "sealed: the attacker commits first" \
	umpire_as carl decide sealed tactic hasty-attack --yes
watching carl "$work/watch" sealed
wait_for 20 grep -q sealed "$work/watch"
exits 0 "sealed: then the defender" \
	umpire_as dora decide sealed tactic counter-attack --yes
is "sealed: both are open" "$(wait_for 20 grep -q 'The attacker plays' \
	"$work/watch" && kept carl)" no
kill "$watcher"
fight sealed
exits 0 "sealed: the turn ends" umpire_as carl end-turn sealed
exits 0 "and the other" umpire_as dora end-turn sealed
exits 0 "the game ends" umpire_as dora resign sealed --yes
exits 0 "and is closed" umpire_as dora close sealed --yes
exits 0 "by both" umpire_as carl close sealed --yes

# An opening that is sent again is nobody else's move.
open_game late --secret sealed --ruling evade_target=2
declare_combat late
exits 0 "late: the attacker commits" \
	umpire_as carl decide late tactic feint --yes
exits 0 "late: the defender does, and opens" \
	umpire_as dora decide late tactic evade --yes
hook fail_commits -1
exits 75 "an opening is not answered" umpire_as carl open late
hook fail_commits 0
run umpire_as carl end-turn late
like "it is sent again before the turn ends" "$err" 'It is recorded as line'
# Where a die of 1 fails to evade, the combat can go on: with a decision of
# either of them.
if [ "$status" = 65 ]; then
	fight late
	run umpire_as carl end-turn late
fi
is "which it does" "$status" 0
like "and the turn has ended" "$out" 'carl ends turn 1'
run umpire_as carl verify sealed
is "sealed: verify is good" "$status" 0
like "sealed: and finished" "$out" 'good, finished'
like "sealed: both combats were run again" "$out" 'combats +2 run again'

# ---- data of a game's own ----

export UMPIRE_DATADIR=$work/data
mkdir -p "$work/data/bags"
cp "$top_srcdir/etc/bags/imagi-nations.json" "$work/data/bags"
run umpire_as carl new --roster "$work/roster.json" --name usual
unlike "installed data that say the same are not named" "$out" "$work/data"
jq '{bag: .bag[:20]}' "$top_srcdir/etc/bags/imagi-nations.json" \
	>"$work/data/bags/imagi-nations.json"
open_game installed
like "others are, and where they are" "$out" "$work/data/bags/imagi-nations"
unset UMPIRE_DATADIR
run umpire_as dora show installed
like "the opponent is told" "$out" "the game's own bag"
declare_combat installed
umpire_as carl decide installed tactic pinning-attack --yes >/dev/null
umpire_as dora decide installed tactic hold --yes >/dev/null
fight installed
run umpire_as dora verify installed
is "the record stands by itself" "$status" 0
run umpire_as carl log installed --combat 1
like "its chits are those of the bag" "$out" '^Draw from a bag of 20:'
export UMPIRE_DATADIR=$work/data
scenario=$(jq -nc --argjson c "$(jq '{attacker: {units:
	.sides["1"].units}, defender: {units: .sides["2"].units}}' \
	"$work/roster.json")" '{system: "imagi-nations", combat: $c}')
echo "$scenario" >"$work/scenario.json"
run umpire_as carl resolve --text "$work/scenario.json"
like "a scenario is fought with the installed bag" "$out" 'bag of 20 chits'
echo '{"bag":[]' >"$work/data/bags/imagi-nations.json"
exits 78 "and with no malformed one" \
	umpire_as carl resolve "$work/scenario.json"
run umpire_as carl new --roster "$work/roster.json"
is "a malformed file is the machine's fault" "$status" 78
like "which names it" "$err" "$work/data/bags/imagi-nations.json"
exits 0 "and does not matter where another is given" umpire_as carl new \
	--roster "$work/roster.json" --bag "$top_srcdir/etc/bags/imagi-nations.json"
exits 65 "tables are no bag" umpire_as carl new --roster "$work/roster.json" \
	--bag "$top_srcdir/etc/tables/tlnb.json"
exits 65 "and nothing for this system" umpire_as carl new \
	--roster "$work/roster.json" --tables "$top_srcdir/etc/tables/tlnb.json"
finish
