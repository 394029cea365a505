#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# No stranger drives a terminal: all control characters, marks of direction and
# annotations are written into every field that another player, a server or a
# file can fill, and what comes of that is looked at byte by byte, as text and
# as JSON, on a terminal and in a pipe.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3

spy=$top_srcdir/tests/e2e/terminal.py
dir=$work/umpired
bad=$(python3 -SE "$spy" hostile)
seen=$work/seen
mkdir "$seen" "$work/done"
looks=0
# A pager would print it another way.
export PAGER=cat

# clean WHAT: a case; nothing that was seen since the last drives a terminal.
clean() {
	if python3 -SE "$spy" drives "$seen"/* >"$work/drives"; then
		pass "$1"
	else
		fail "$1" "$(head -n 12 "$work/drives")"
	fi
	mv "$seen"/* "$work/done"
}

# Ctrl-D for whatever is asked: a question that is left alone waits for a person.
for ((i = 0; i < 8; i++)); do
	printf '%s\n' 'wait \[(y/N|Y/n)\] \Z' "keys "$'\004'
done >"$work/unanswered"

# at_terminal WHO ARGUMENT...: runs the client in a terminal, with no answer to
# any question; leaves $status, and the bytes in $tty.
at_terminal() {
	local who=$1
	shift
	looks=$((looks + 1))
	tty=$seen/$looks.tty
	player "$who" python3 -SE "$spy" run "$tty" 80 "$UMPIRE" "$@" \
		<"$work/unanswered" 2>"$work/spy.err"
	status=$?
	[ ! -s "$work/spy.err" ] ||
		fail "umpire $1 ends by itself" "$(cat "$work/spy.err")"
}

# looks WHO ARGUMENT...: what that prints on a terminal and in pipes, as text
# and as JSON.
looks() {
	at_terminal "$@"
	if [ -n "${UMPIRE_SLOW:-}" ]; then
		# Under sanitizers all other tests look at pipes.
		cp "$tty" "$seen/$looks.out"
		cp "$tty" "$seen/$looks.err"
	else
		run umpire_as "$@"
		cp "$out" "$seen/$looks.out"
		cp "$err" "$seen/$looks.err"
	fi
	run umpire_as "$@" --json
	cp "$out" "$seen/$looks.json"
	cp "$err" "$seen/$looks.json.err"
}

# ---- a game full of it ----

start_umpired "$dir" || exit 99
enrol anna bert carl || exit 99
# Names of rosters have no control characters, but anything else.
jq --arg one "$(python3 -SE "$spy" hostile 62 67)" \
	--arg two "$(python3 -SE "$spy" hostile 67 72)" \
	--arg three "$(python3 -SE "$spy" hostile 72)" '
	[$one, $two, $three] as $p | def named: to_entries |
		map(.value + {name: $p[.key % 3]});
	.sides["1"].name = $one | .sides["2"].name = $three |
	.sides |= map_values(.units |= named | .commanders |= named)' \
	"$top_srcdir/etc/samples/invasion-1812-evening.json" \
	>"$work/roster.json"
exits 0 "a game is opened with names of that kind" umpire_as anna new \
	--roster "$work/roster.json" --name evening --director
[ "$status" = 0 ] || exit 99
game=$(umpire_as anna show evening --json | jq -r .game)
exits 0 "and joined" umpire_as bert join --yes "$game" --name fight
exits 0 "and directed" umpire_as carl join --yes "$game" --seat 0 \
	--name ruled
exits 0 "a roster is offered with such a reason" umpire_as bert roster fight \
	"$work/roster.json" --why "$bad"
exits 0 "and declined with one" umpire_as anna decline evening --why "$bad"
exits 0 "side one is ready" umpire_as anna ready evening
umpire_as bert ready fight >"$out" 2>"$err"
is "it is played" "$(umpire_as anna show evening --json | jq -r .phase)" play
exits 0 "all of it is said" umpire_as bert say fight "$bad"
exits 0 "and to the own side" umpire_as bert say fight --to side "$bad"
exits 0 "dice fall for it" umpire_as anna roll evening 2d6 --for "$bad"
exits 0 "a cup is made for it" umpire_as anna cup evening make events rain \
	--for "$bad"
unit=$(jq -r '.sides["2"].units[0].id' "$work/roster.json")
exits 0 "an adjustment has that reason" umpire_as bert adjust fight "$unit" \
	out=left --why "$bad"
exits 0 "it is declined for it" umpire_as anna decline evening --why "$bad"
exits 0 "an offer has that reason" umpire_as bert offer fight draw \
	--why "$bad"
exits 0 "a ruling has it" umpire_as carl ruling ruled words --why "$bad"

# Whoever wrote it, it must have come where it can be read.
umpire_as anna log evening --json >"$work/lines"
for i in 0 20 40 60; do
	text=$(python3 -SE "$spy" hostile $i $((i + 9)))
	is "what was said has kept its value, from $i on" "$(jq --arg t "$text" \
		'[.. | strings | select(contains($t))] | length > 6' \
		"$work/lines")" true
done

looks anna show evening
looks anna show evening --rosters
looks anna log evening
looks anna log evening --by-agreement
looks anna log evening --format markdown
looks anna log evening --format bbcode
looks anna log evening --format html
looks anna log evening --format json
looks anna luck evening
looks anna todo
looks anna games
looks carl games --all
looks anna cup evening
looks anna accept evening
looks anna decline evening
looks anna standing evening

cat "$seen"/*.out >"$work/all"
cat "$seen"/*.json >"$work/all.json"
clean "nothing of a game drives a terminal"
like "what cannot be shown is marked" "$work/all" '\[1b\?\[1c\?'
like "whatever it is" "$work/all" '\[9b\?.*\[202e\?.*\[fffb\?'
like "and escaped in JSON" "$work/all.json" '\[1b\\u001[bB]'
like "whatever it is" "$work/all.json" '\[7f\\u007F.*\[9b\\u009B.*\[202e\\u202E'

# ---- exports ----

at_terminal anna export evening
is "a record is not written to a terminal" "$status" 64
like "which is told" "$tty" 'a record is not written to a terminal'
at_terminal anna export evening -o -
is "by no name" "$status" 64
at_terminal anna export evening --server-only
is "nor what a server tells" "$status" 64
clean "nothing of it is seen"
exits 0 "a pipe takes it" umpire_as anna export evening
cp "$out" "$work/evening.jsonl"
exits 0 "where it is what it was" umpire_as anna verify "$work/evening.jsonl"

# ---- files of strangers ----

looks anna verify "$work/evening.jsonl"
looks anna log "$work/evening.jsonl"
jq -c --arg bad "$bad" 'if .seq == 4 then .[$bad] = 1 else . end' \
	"$work/evening.jsonl" >"$work/member.jsonl"
looks anna verify "$work/member.jsonl"
is "a member of such a name is refused" "$status" 1
looks anna log "$work/member.jsonl"
printf '%s\n' "$bad" >"$work/trash.jsonl"
looks anna verify "$work/trash.jsonl"
for name in "$(python3 -SE "$spy" hostile 0 50)" "$(python3 "$spy" hostile 50)"; do
	cp "$work/evening.jsonl" "$work/$name"
	looks anna verify "$work/$name"
	looks anna verify "$work/no $name"
	looks anna log "$work/$name"
	looks anna show "$work/$name"
done
jq -c --arg bad "$bad" '.sides["1"].units[0] |= . + {($bad): $bad}' \
	"$work/roster.json" >"$work/roster-bad.json"
looks anna new --roster "$work/roster-bad.json"
jq -c --arg bad "$bad" '.system = $bad' "$work/roster.json" \
	>"$work/system-bad.json"
looks anna new --roster "$work/system-bad.json"
jq -c --arg bad "$bad" '.[$bad] = 1' \
	"$top_srcdir/etc/samples/invasion-1812-scenario.json" >"$work/odds.json"
looks anna odds "$work/odds.json"
looks anna resolve "$work/odds.json"

cat "$seen"/*.err >"$work/all"
clean "no file drives a terminal"
like "what is wrong with them is told" "$work/all" '\[1b\?'
like "and marks of direction, too" "$work/all" '\[202e\?'

# ---- what is typed, or pasted ----

looks anna "$bad"
looks anna show "$bad"
looks anna show evening "$bad"
looks anna show evening "--$bad"
looks anna rules "$bad"
looks anna help "$bad"

cat "$seen"/*.err >"$work/all"
clean "nor does what is pasted into a command"
like "which is told" "$work/all" '\[1b\?.*\[202e\?'

# ---- what comes while one looks ----

# on_terminal NAME WHO STEP... -- ARGUMENT...: the client in a terminal, where
# those steps are taken, in the background; its bytes go to NAME.tty.
on_terminal() {
	local name=$1 who=$2
	shift 2
	: >"$work/$name.steps"
	while [ "$1" != -- ]; do
		printf '%s\n' "$1" >>"$work/$name.steps"
		shift
	done
	shift
	player "$who" python3 -SE "$spy" run "$seen/$name.tty" 80 "$UMPIRE" "$@" \
		<"$work/$name.steps" >"$work/$name.err" 2>&1 &
	on_terminal_pids="${on_terminal_pids:-} $!"
}

# They begin when they like: it is said until all have seen it.
watching carl "$seen/watch.out" ruled
first=$watcher
watching carl "$seen/watch.json" ruled --json
second=$watcher
on_terminal mine carl 'wait fffb.' "keys "$'\003' -- watch
on_terminal lobby anna 'wait opened' "keys "$'\003' -- watch --lobby
ready='wait your move> \Z'
typed=$(python3 -SE "$spy" hostile 30) # what is no key of the editor's
on_terminal play anna "$ready" 'wait bert:' 'wait fffb.' 'type show' \
	"$ready" 'type log' "$ready" 'type luck' "$ready" \
	"type say $typed" "$ready" 'type accept' "$ready" \
	"type $typed" 'wait not a command' "$ready" 'type quit' -- play evening
# shellcheck disable=SC2317
all_ended() {
	local pid
	umpire_as bert say fight "$bad" >"$out" 2>&1
	for pid in $on_terminal_pids; do
		not_running "$pid" || return 1
	done
	grep -q 'fffb' "$seen/watch.out" && grep -q fffb "$seen/watch.json"
}
wait_for 30 grep -q 'the lobby' "$seen/lobby.tty"
umpire_as bert new --roster "$work/roster.json" --name second >"$out" 2>&1
holds "it comes on every terminal" wait_for 30 all_ended
kill -INT "$first" "$second"
for name in mine lobby play; do
	[ ! -s "$work/$name.err" ] ||
		fail "$name" "$(cat "$work/$name.err"; tail -c 2000 "$seen/$name.tty" | cat -v)"
done
clean "nor what is watched, or comes in play"

# ---- a server that lies ----

script=$work/script
echo '{}' >"$script"
"$tools/liar" "$dir" "$port" "$script" >"$work/liar.port" 2>"$work/liar.err" &
daemons="$daemons $!"
wait_for 20 test -s "$work/liar.port" || exit 99
for who in anna carl; do
	cp -r "$work/players/$who" "$work/players/$who-lied"
	sed -i "s/^server = .*/server = 127.0.0.1:$(cat "$work/liar.port")/" \
		"$work/players/$who-lied/config/umpire/default/config"
done

# lies FILTER: what the server says from here on; $bad is that.
lies() {
	jq -n --arg bad "$bad" "$1" >"$script"
}

lies '{}'
exits 0 "it passes for the server" umpire_as anna-lied games --all
codes=$(echo -32700 -32600 {-32603..-32601} {1..22})
for code in $(some "$codes" "-32700 -32601 1 7 20"); do
	lies '{"*": {error: {code: '"$code"', message: $bad,
		data: {name: $bad, where: "params.\($bad)"}}},
		"server.hello": {}}'
	at_terminal anna-lied register anna
	at_terminal anna-lied say evening no
done
looks anna-lied games --all
looks anna-lied new --roster "$work/roster.json"
lies '{"server.hello": {error: {code: -32603, message: $bad}}}'
looks anna-lied games --all
lies '{"server.hello": {result: {policy: $bad, software: $bad, systems: [$bad],
	time: $bad, limits: $bad}}}'
looks anna-lied games --all
lies '{"server.hello": {result: {server: $bad, protocol: $bad}}}'
looks anna-lied games --all
cat "$seen"/*.tty >"$work/all"
clean "no error of a server drives a terminal"
like "what it says is told" "$work/all" '\[1b\?.*\[8e\?'
for what in '{games: [$bad]}' '{games: [{game: $bad, system: $bad}]}' \
	'{($bad): $bad}' '{lines: [$bad], side: [$bad], todo: [$bad]}' \
	'{todo: [{game: $bad, what: $bad, as: $bad, system: $bad}]}'; do
	lies '{"*": {result: '"$what"'}, "server.hello": {},
		"account.login": {result: {}}}'
	at_terminal anna-lied games --all
	at_terminal anna-lied todo
	at_terminal anna-lied show evening
	looks carl-lied log "${game:0:16}"
done
clean "nor does any answer"
# No list is not a list of nothing, and one that goes on must go on.
lies '{"account.login": {result: {}}, "game.list": {result: {games: null}},
	"game.todo": {result: {todo: [], more: "on"}}}'
exits 69 "a list that is none is not empty" umpire_as anna-lied games --all
like "which is told" "$err" 'makes no sense: game\.list\.games'
exits 69 "one without an end has an end" \
	player anna-lied timeout 20 "$UMPIRE" todo
like "which is told, too" "$err" 'makes no sense: .*the list does not end'
# The server stops where it has taken long enough, whatever it has found.
lies '{"account.login": {result: {}}, "game.todo": {
	result: {todo: [], more: "on"}, before: {on: {result: {todo: [
	{game: "'"$game"'", what: "turn", system: "tlnb"}]}}}},
	"tournament.todo": {result: {tournaments: [{tournament: "'"$game"'",
	event: $bad, phase: $bad, waits: [{what: $bad}, {what: "play",
	opponent: $bad, until: $bad, table: $bad}, {what: 7},
	{what: "claim", ground: $bad}, {what: "admit", entrant: $bad}]}]}}}'
exits 0 "a list goes on behind a page with nothing" umpire_as anna-lied todo
like "with what waits" "$out" '^evening: tlnb'
like "and what a tournament waits for" "$out" ', a tournament$'
unlike "nothing of which controls the terminal" "$out" $'\033'
lies '{"account.login": {result: {}}, "game.todo": {result: {todo: []}},
	"tournament.todo": {result: {tournaments: [{tournament: ";reboot;",
	event: "", phase: "play", waits: [{what: "play"}]}]}}}'
exits 69 "a tournament that is no number is none" umpire_as anna-lied todo
unlike "and is in no command" "$out" reboot
lies '{"account.login": {result: {}}, "game.todo": {result: {todo: []}},
	"tournament.todo": {result: {tournaments: [{tournament: "'"$game"'",
	event: "", phase: "play", waits: [7, null]}]}}}'
exits 69 "nor is what is no row" umpire_as anna-lied todo
# Nor is it put into a command that one may type.
lies '{"account.login": {result: {}}, "game.todo": {result: {todo: [
	{game: ";reboot;", what: "turn", system: "tlnb"}]}},
	"game.list": {result: {games: [{game: "0123", system: "tlnb",
	opener: "$(reboot)", others: 7}]}}}'
exits 69 "a game that is no number is not one to do" umpire_as anna-lied todo
like "which is told" "$err" 'makes no sense: game\.todo\.game: must be'
unlike "and is in no command" "$out" reboot
run umpire_as anna-lied games --all
unlike "an account that is none is in no command" "$out" reboot
lies '{"account.login": {result: {}}, "lobby.watch": {notices: [
	{jsonrpc: "2.0", method: "lobby.game", params: {($bad): $bad,
	 event: $bad}},
	{jsonrpc: "2.0", method: "lobby.game", params: {event: "opened",
	 game: $bad, system: $bad}},
	{jsonrpc: "2.0", method: $bad, params: {($bad): $bad}}]}}'
on_terminal_pids=
on_terminal lied anna-lied 'wait sense' "keys "$'\003' -- watch --lobby
wait "${on_terminal_pids# }"
clean "nor does any notice"
like "which is not taken for news" "$work/done/lied.tty" 'makes no sense'
is "it lied as it should" "$(cat "$work/liar.err")" ''

finish
