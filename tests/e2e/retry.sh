#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Answers that are lost, and connections: the client sends the same bytes
# until it knows, signs nothing else before, and finds the line that its
# order made; an order that waits is shown, and sent when its owner says so; who
# watches a game sees each line once, in order, also when the
# connection or the server goes away in between.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks

dir=$work/umpired
start_umpired "$dir" || exit 99
write_example "$work"
jq '{attackers: .attackers[:2], defenders: .defenders[:2],
	contacts: .contacts[:2]}' "$work/combat.json" >"$work/rolls.json"
enrol anna bert carl || exit 99
umpire_as anna new --roster "$work/roster.json" --name evening >/dev/null
game=$(umpire_as anna show evening --json | filter .game)
umpire_as bert join --yes "$game" --name fight >/dev/null
umpire_as anna ready evening >/dev/null
pending=$(player_data anna)/games/$game.pending

# again: the daemon starts anew, at the same port.
again() {
	start_umpired "$dir" -o "listen=127.0.0.1:$port" || exit 99
}

# crash COMMAND...: the daemon dies after the order's commit has been written
# and before anybody is told; the client's status comes into $status later.
crash() {
	: >"$lines"
	hook hold_sync 1
	"$@" >"$out" 2>"$err" </dev/null &
	client=$!
	wait_for 20 hooked held 1
	is "the order is written, its answer is not out" $? 0
	kill -KILL "$daemon"
	wait "$daemon" 2>/dev/null
	hook hold_sync 0 held 0
}

# sent: how many orders the daemon was about to record, and how many of them
# have bytes of their own.
sent() {
	echo "$(wc -l <"$lines") $(jq -c .order "$lines" | sort -u | wc -l)"
}

# newest: the number of the record's last line.
newest() {
	umpire_as carl show "$game" --json 2>/dev/null | filter .seq
}

# ---- the answer is lost, and the server with it ----

crash umpire_as anna declare evening "$work/rolls.json" --yes
wait "$client"
is "without an answer the client ends with 75" $? 75
like "it says that the order is kept" "$err" 'order is kept, and no other is signed'
is "nothing on stdout" "$(cat "$out")" ''
is "the order is on disk" "$([ -s "$pending" ] && echo yes)" yes
is "for its owner alone" "$(stat -c %a "$pending")" 600
cp "$pending" "$work/kept"
order=$(filter .params.order <"$work/kept")
run umpire_as anna say evening 'is there anybody'
is "while the server is away nothing else is signed" "$status" 69
exits 0 "and the order stays" cmp "$pending" "$work/kept"
again
: >"$lines"
run umpire_as anna send evening
is "it is sent when its owner says so" "$status" 0
like "and has its line" "$err" 'recorded as line 4\.$'
run umpire_as anna say evening hello
is "the next command works" "$status" 0
is "the line holds the same bytes" "$(umpire_as anna export evening |
	sed -n 5p | filter .order)" "$order"
is "it is recorded once" "$(umpire_as anna export evening |
	grep -c '\\"kind\\":\\"declare\\"')" 1
is "then the new order comes" "$(newest)" 5
is "nothing is pending any more" "$([ -e "$pending" ] || echo none)" none

# Whatever the dice have asked for is decided, so that turns can end.
for _ in 1 2 3 4; do
	for who in anna bert; do
		[ "$who" = anna ] && name=evening || name=fight
		command=$(umpire_as "$who" show "$name" --json |
			jq -r '.commands[0] // "" | select(test("decide"))')
		# shellcheck disable=SC2086
		[ -z "$command" ] || umpire_as "$who" ${command#umpire } >/dev/null
	done
done

# ---- the answer is lost, the server comes back at once ----

before=$(newest)
crash umpire_as anna end-turn evening
again
wait "$client"
is "the client comes back by itself" $? 0
is "it tried with the same bytes" "$(sent | cut -d ' ' -f 2)" 1
is "the order is recorded once" "$(newest)" $((before + 1))
is "nothing is pending" "$([ -e "$pending" ] || echo none)" none

# ---- commits that fail ----

: >"$lines"
hook fail_commits 2
run umpire_as bert end-turn fight
is "the client sends again what was answered storage" "$status" 0
is "three times the same bytes" "$(sent)" '3 1'
: >"$lines"
hook fail_commits -1
run umpire_as anna end-turn evening
is "it gives up at last" "$status" 75
like "and says what is known" "$err" 'order is kept, and no other is signed'
is "each time the same bytes" "$(sent | cut -d ' ' -f 2)" 1
is "several times" "$(($(sent | cut -d ' ' -f 1) > 3))" 1
hook fail_commits 0
before=$(newest)
: >"$lines"
cp "$pending" "$work/kept"

# ---- an order that waits: who reads leaves it alone ----

for command in 'show evening' 'log evening' 'export evening' games \
	'watch evening --wait 0'; do
	# shellcheck disable=SC2086
	run timeout 2 env HOME="$work/players/anna" \
		XDG_CONFIG_HOME="$work/players/anna/config" \
		XDG_DATA_HOME="$work/players/anna/data" "$UMPIRE" $command
	like "'$command' says that it waits" "$err" \
		'An order of yours waits for its answer, to end your turn\.'
	like "'$command' says how to send it" "$err" '`umpire send evening` does'
done
exits 75 "another order is not given before it" \
	umpire_as anna say evening hello
like "which is said, with the order" "$err" \
	'an order of yours waits for its answer, to end your turn'
like "and what to do" "$err" '`umpire send evening`'
# types WHAT STATUS ANSWERS ARGUMENT...: cases; anna at a terminal.
types() {
	local what=$1 want=$2 answers=$3
	shift 3
	printf '%b' "$answers" | player anna script -qec "'$UMPIRE' $*" \
		/dev/null >"$out" 2>&1
	is "$what" $? "$want"
}
types "at a terminal it is asked about" 64 'n\n' say evening hello
like "with what it does" "$out" 'waits for its answer, to end your turn'
like "with what can be done about it" "$out" 'cannot be *'
like "and then kept" "$out" 'The order is kept'
types "send asks there, too" 64 'n\n' send evening
is "nothing of all that was sent" "$(sent)" '0 0'
is "no line came of it" "$(newest)" "$before"
exits 0 "the order is as it was" cmp "$pending" "$work/kept"
# What came of it may change what its owner wants, who has not seen it.
types "a yes sends that order alone" 75 'y\n' say evening hello
like "and says so" "$out" 'not carried out: first see'
is "it is recorded, nothing behind it" "$(newest)" $((before + 1))
is "that order, once" "$(sent)" '1 1'
umpire_as bert end-turn fight >/dev/null
hook fail_commits -1
exits 75 "the next one waits, too" umpire_as anna end-turn evening
hook fail_commits 0
before=$(newest)
: >"$lines"
run umpire_as anna end-turn evening
is "the same command again works" "$status" 0
is "and is the same order, not a second one" "$(newest)" $((before + 1))
is "recorded once" "$(sent)" '1 1'

# ---- an order that has become stale meanwhile ----

umpire_as bert end-turn fight >/dev/null
hook fail_commits -1
run umpire_as anna end-turn evening
is "another order stays without an answer" "$status" 75
hook fail_commits 0
cp "$pending" "$work/kept"
umpire_as bert resign fight --yes >/dev/null
run umpire_as anna send evening
is "what has become stale is refused" "$status" 65
like "finally" "$err" 'the umpire refuses: '
is "the refusal is kept" "$(jq -r '.refusal.text | fromjson | .why' \
	"$(player_data anna)/games/$game.refusals")" stale
is "with the order" "$(jq -c .params \
	"$(player_data anna)/games/$game.refusals")" \
	"$(jq -c .params "$work/kept")"
is "nothing is pending" "$([ -e "$pending" ] || echo none)" none
run umpire_as anna say evening 'well played'
is "then other orders go" "$status" 0
run umpire_as anna send evening
is "nothing waits any more" "$status" 0
like "which send says" "$out" 'No order of yours waits'

# ---- with a yes beforehand, or at the question, it goes first ----

for how in yes asked; do
	hook fail_commits -1
	exits 75 "an order that waits, $how" umpire_as anna say evening "first $how"
	hook fail_commits 0
	: >"$lines"
	if [ $how = yes ]; then
		exits 0 "--yes sends it" umpire_as anna --yes say evening "then $how"
	else
		types "a yes sends it" 0 'y\n' say evening "'then $how'"
	fi
	is "both are recorded, each once" "$(sent)" '2 2'
	is "in their order" "$(umpire_as anna log evening --json | jq -r \
		'.[] | select(.kind == "chat") | .text' | tail -n 2 |
		paste -sd,)" "first $how,then $how"
done
hook fail_commits -1
exits 75 "one whose line comes by another way" umpire_as anna say evening lost
hook fail_commits 0
cp "$pending" "$work/kept"
exits 0 "it is sent" umpire_as anna send evening
cp "$work/kept" "$pending"
exits 0 "who reads finds its line" umpire_as anna show evening
like "and says so" "$err" 'The order that waited is recorded as line'
is "so it waits no more" "$([ -e "$pending" ] || echo none)" none

# Two at once: while one asks, the other sends it.
hook fail_commits -1
exits 75 "one that somebody is asked about" umpire_as anna say evening twice
hook fail_commits 0
: >"$lines"
{
	wait_for 20 grep -q 'Send it again now' "$work/asked"
	umpire_as anna send evening >/dev/null 2>&1
	printf 'y\n'
} | player anna script -qec "'$UMPIRE' say evening twice" /dev/null \
	>"$work/asked" 2>&1
is "a yes that comes too late is none too much" $? 0
like "it is told where the order went" "$work/asked" 'recorded as line'
is "and it is not given again" "$(sent)" '1 1'

# ---- create and join, too ----

hook fail_commits -1
run umpire_as anna new --roster "$work/roster.json" --name other
is "a game that is not answered" "$status" 75
hook fail_commits 0
run umpire_as anna new --roster "$work/roster.json" --name second
is "a game that is" "$status" 0
second=$(umpire_as anna show second --json | filter .game)
: >"$lines"
crash umpire_as bert join --yes "$second" --name two
wait "$client"
is "a join that is not answered" $? 75
again
run umpire_as bert join --yes "$second" --name two
is "the same again works" "$status" 0
is "bert sits there once" "$(umpire_as carl export "$second" |
	grep -c '\\"kind\\":\\"join\\"')" 1

# ---- a create order that a limit holds back ----

stop_umpired
start_umpired "$dir" -o "listen=127.0.0.1:$port" -o penalty_exempt= \
	-o write_quota=1 || exit 99
umpire_as dora init --server "$server" >/dev/null
umpire_as dora register dora --trust >/dev/null 2>&1
umpire_as dora new --roster "$work/roster.json" --name first >/dev/null
run umpire_as dora new --roster "$work/roster.json" --name later
is "a game over the quota is not opened" "$status" 75
like "its order is kept" "$err" 'order is kept, and no other is signed'
cp "$(player_data dora)"/games/*.pending "$work/kept"
run umpire_as dora send later
is "it is sent again in vain" "$status" 75
like "which says why" "$err" 'written as much as it may'
like "and what it was" "$err" 'waits for its answer, to open the game'
run umpire_as dora games
is "games says that it waits" "$status" 75
unlike "does not ask for what is not there yet" "$err" 'no game'
like "but tells that it waits" "$err" "game 'later' is not open yet"
like "and what to do" "$err" '^ *Next: umpire send later'
like "the other game is listed" "$out" '^ *first '
run umpire_as dora games --json
is "with --json it tells the same" "$status" 75
like "beside the output" "$err" "game 'later' is not open yet"
is "which holds the other game" "$(jq -c '[.[].name]' "$out")" '["first"]'
run umpire_as dora games --offline
is "without the server it is not there" "$status" 66
like "since it waits" "$err" "game 'later' is not open yet"
unlike "and is not called a copy" "$err" 'no copy'
run umpire_as dora show later
unlike "nor does show ask for it" "$err" 'no game'
like "it tells the same" "$err" "game 'later' is not open yet"
exits 0 "the order stays" cmp "$(player_data dora)"/games/*.pending \
	"$work/kept"
stop_umpired
again
: >"$lines"
run umpire_as dora games
is "games does not send it by itself" "$(sent)" '0 0'
run umpire_as dora send later
is "once there is room it is opened" "$status" 0
run umpire_as dora games
is "and listed" "$status" 0
like "by its name" "$out" '^ *later '
unlike "as any other" "$err" 'not open yet'
doomed=$(player_data dora)/games/$(printf '%064d' 6).pending
jq '.params.invite = ["?"]' "$work/kept" >"$doomed"
run umpire_as dora send "$(printf '%064d' 6)"
is "an order to open a game that is refused for good" "$status" 65
is "is not kept" "$([ -e "$doomed" ] || echo none)" none
unlike "its game is not asked for" "$err" 'no game'
unlike "and does not wait" "$err" 'not open yet'
: >"$(player_data dora)/games/$(printf '%064d' 7).jsonl"
run umpire_as dora games
is "a game that the server does not know" "$status" 66
like "is told still" "$err" 'no game "0000'
unlike "and does not wait" "$err" 'not open yet'

# ---- watching across connections ----

session writer anna
ask writer login anna
ask writer hello
server_key=$(of .result.server)
game=$second
look writer
total=$(some 40 15)
for i in $(seq "$total"); do
	salt=$(printf '%064d' "$i")
	ref=$({
		printf 'umpire/text/1\0'
		unhex "$salt"
		printf 'chat %d' "$i"
	} | sha256sum | cut -d ' ' -f 1)
	tell writer texts "[{\"salt\":\"$salt\",\"value\":\"chat $i\"}]"
	tell writer order "$(order_text 1 chat "{\"ref\":\"$ref\"}")"
done
last=-1
: >"$work/watched"
seed=$RANDOM
RANDOM=$seed
diag "connections are cut by seed $seed"
end=$((seq + total))
cuts=0
while [ "$last" -lt "$end" ]; do
	session "watch$cuts"
	ask "watch$cuts" call game.watch "{\"game\":\"$game\",\"after\":$last}"
	[ "$(of .result.game)" = "$game" ] || {
		fail "watching works" "$reply"
		break
	}
	for _ in $(seq $((1 + RANDOM % 7))); do
		[ "$last" -lt "$end" ] || break
		ask "watch$cuts" line 20000
		of .params.line >>"$work/watched"
		last=$(of .params.seq)
	done
	close_session "watch$cuts"
	cuts=$((cuts + 1))
done
for i in $(seq $((2 * total))); do
	hear writer
done
is "all was written" "$(of .result.seq)" "$end"
close_session writer
umpire_as carl export "$game" | head -n $((end + 1)) >"$work/record"
exits 0 "over $cuts connections each line is seen once, in order" \
	cmp "$work/watched" "$work/record"

# The client's own watch, while the server goes away and comes back.
watching carl "$work/watch.out" "$game" --all --json
seen() {
	[ "$(wc -l <"$work/watch.out")" -gt "$1" ]
}
wait_for 20 seen "$end"
is "umpire watch tells the lines so far" $? 0
umpire_as anna say second 'before' >/dev/null
wait_for 20 seen $((end + 1))
is "and each that comes" $? 0
stop_umpired
is "the daemon stops cleanly while it is watched" $? 0
again
umpire_as anna say second 'after' >/dev/null
umpire_as bert resign two --yes >/dev/null
umpire_as anna close second --yes >/dev/null
umpire_as bert close two --yes >/dev/null
wait_for 30 not_running "$watcher"
is "it ends when the game is finished" $? 0
wait "$watcher"
is "with status 0" $? 0
is "each line was told once, in order" \
	"$(jq -c .seq "$work/watch.out" | tr '\n' ' ')" \
	"$(seq 0 $((end + 5)) | tr '\n' ' ')"
like "it has said that it was cut off" "$work/watch.out.err" 'connecting again'
stop_umpired
is "the daemon stops cleanly" $? 0
exits 0 "what it holds agrees with itself" "$top_builddir/umpired" \
	-c "$dir/umpired.conf" --check
finish
