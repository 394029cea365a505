#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# The operator's side: the local socket and who may use it, closing a game,
# erasing words, and a player who has lost everything, who comes back by the
# operator's word and the others' consent, in the middle of an owed roll too.
# Of each command the wrong things first.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

dir=$work/umpired
sock=$dir/admin.sock
write_example "$work"
# admin ARGUMENT...: the operator, who needs no profile.
admin() {
	umpire_as operator admin "$@" --socket "$sock" --yes
}

# ---- nobody is there, and what is mistyped ----

init_umpired "$dir" -o admin_socket=admin.sock || exit 99
exits 69 "without a daemon" admin close 12345678 --why x
like "it says what to look at" "$err" "no umpired answers at '$sock'.*running"
exits 64 "a verb that there is not" admin shoot 12345678 --why x
like "is told what there is" "$err" 'close, erase, key and restored'
exits 64 "a missing word" admin close --why x
like "is told the usage" "$err" 'umpire admin close GAME --why TEXT'
exits 64 "one too many" admin close 12345678 90 --why x
exits 64 "what is no game" admin close evening --why x
like "is told what one is" "$err" 'first 4 digits'
exits 64 "nobody closes without a reason" admin close 12345678
like "which is for others, too" "$err" 'say why, for the log and the players'
exits 64 "nor by an empty one" admin close 12345678 --why ''
exits 64 "nor by what is no text" admin close 12345678 --why $'\xff'
like "and says what is wrong" "$err" 'why is not UTF-8'
exits 64 "nor erases" admin erase 12345678 "$zeros"
exits 64 "what is no ref" admin erase 12345678 abcd --why x
like "is told where there are some" "$err" 'umpire log --json'
exits 64 "what is no card" admin key bert bert2 --why x
like "is told who prints one" "$err" '`keys card`'
exits 64 "a path too long for a socket" umpire_as operator admin close 1234 \
	--why x --yes --socket "/tmp/$zeros$zeros"
like "says how long one may be" "$err" 'at most 107'
exits 69 "the usual path" umpire_as operator admin close 1234 --why x --yes
like "is that of the unit" "$err" '/run/umpired/admin.sock'

# ---- the daemon's end of it ----

# fails_to_start STATUS WHAT OVERRIDE...
fails_to_start() {
	local want=$1 what=$2
	shift 2
	exits "$want" "$what" "$UMPIRED" -c "$dir/umpired.conf" "$@"
}
fails_to_start 64 "a setting with a path that is too long" \
	-o "admin_socket=$dir/$zeros$zeros"
like "says so" "$err" 'at most 107'
fails_to_start 74 "one whose folder is not there" \
	-o "admin_socket=$dir/no/admin.sock"
like "says that, too" "$err" 'its folder must exist'
echo precious >"$dir/file"
fails_to_start 73 "one that is a file" -o "admin_socket=$dir/file"
is "leaves it as it was" "$(cat "$dir/file")" precious
fails_to_start 78 "a user that there is not" -o "admin_users=nobody-at-all"
like "is named" "$err" 'no user "nobody-at-all"'

start_umpired "$dir" || exit 99
is "the socket is its user's alone" "$(stat -c %a "$sock")" 600
fails_to_start 75 "a second daemon" -o listen=127.0.0.1:0
like "finds the first one there" "$err" 'another umpired answers'
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
holds "a daemon that is killed leaves it" test -S "$sock"
start_umpired "$dir" || exit 99
exits 66 "the next one takes its place" admin close 12345678 --why x
like "and knows its games" "$err" 'no game or tournament here begins with "12345678"'
holds "what was asked is logged with who and why" grep -Eq \
	"admin: $(id -un) \(uid $(id -u), pid [0-9]+\): close 12345678 is asked for, because \"x\"" \
	"$dir/log"
holds "and what came of it" grep -q 'close 12345678: refused: no game' "$dir/log"

# raw TEXT: what the daemon answers to a line.
raw() {
	python3 - "$sock" "$1" <<'END'
import socket
import sys

s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(sys.argv[2].encode() + b"\n")
print(s.makefile().readline(), end="")
END
}
like "a line that is no request" <(raw 'hello') '"code":-32700'
like "a method of others" <(raw '{"jsonrpc":"2.0","id":1,"method":"game.list"}') \
	'"code":-32601'
like "params that are missing" <(raw \
	'{"jsonrpc":"2.0","id":1,"method":"admin.close","params":{"game":"1234"}}') \
	'"where":"why"|"where":"params.why"'
like "params that there are not" <(raw \
	'{"jsonrpc":"2.0","id":1,"method":"admin.close","params":{"game":"1234","why":"x","by":"me"}}') \
	'"code":-32602'

# ---- who may ----

# Not in $TMPDIR, which may be closed to others.
other=$(mktemp -d /tmp/umpire-test.XXXXXX) || exit 99
chmod 755 "$other"
# as_nobody ARGUMENT...: the same as a user who is nobody here.
as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent \
		"$UMPIRE" admin "$@" --socket "$other/s" --yes
}
if [ "$(id -u)" = 0 ] && run as_nobody && [ "$status" = 64 ]; then
	stop_umpired
	start_umpired "$dir" -o "admin_socket=$other/s" || exit 99
	exits 77 "another user is kept out by the socket's mode" as_nobody \
		close 12345678 --why x
	like "and told who may" "$err" 'admin_users'
	stop_umpired
	start_umpired "$dir" -o "admin_socket=$other/s" -o admin_users=1 ||
		exit 99
	is "with others the socket is open" "$(stat -c %a "$other/s")" 666
	exits 77 "but not to everybody" as_nobody close 12345678 --why x
	like "the kernel's word counts" "$err" 'the number 65534 may not'
	holds "that is logged" grep -q 'nobody who may (uid 65534.*refused' \
		"$dir/log"
	# Who may not keeps nobody out who may, by as many as there can be.
	python3 - "$other/s" >"$work/idle" <<'END' &
import os
import signal
import socket
import sys

os.seteuid(65534)
idle = [socket.socket(socket.AF_UNIX) for _ in range(8)]
for s in idle:
    s.connect(sys.argv[1])
print("connected", flush=True)
signal.pause()
END
	idle=$!
	daemons="$daemons $idle"
	wait_for 10 test -s "$work/idle" || exit 99
	exits 66 "strangers who say nothing keep nobody out" umpire_as operator \
		admin close 12345678 --why x --socket "$other/s" --yes
	kill "$idle"
	wait "$idle" 2>/dev/null
	stop_umpired
	start_umpired "$dir" -o "admin_socket=$other/s" \
		-o "admin_users=1, 65534" || exit 99
	exits 66 "who is named may" as_nobody close 12345678 --why x
	stop_umpired
	start_umpired "$dir" || exit 99
else
	skip "another user is kept out" "not root, or no other user may run it"
fi
rm -rf "$other"

# ---- words ----

enrol anna bert || exit 99
# opened NICK ARGUMENT...: a game in play between anna and $with; leaves $game.
with=bert
opened() {
	local nick=$1
	shift
	umpire_as anna new --roster "$work/roster.json" --name "$nick" "$@" \
		>/dev/null || exit 99
	game=$(umpire_as anna show "$nick" --json | filter .game)
	umpire_as "$with" join "$game" --name "$nick" --yes >/dev/null || exit 99
	umpire_as anna ready "$nick" >/dev/null || exit 99
	umpire_as "$with" show "$nick" >/dev/null || exit 99
}
opened talk
word=Pumpernickelgesicht
umpire_as bert say talk "you $word" >/dev/null || exit 99
# words WHO: in how many files of that player's the word is.
words() {
	grep -rlF "$word" "$work/players/$1" | wc -l
}
umpire_as anna log talk --json >"$work/log.json"
ref=$(jq -r '.[] | select(.kind == "chat") | .ref' "$work/log.json")
like "log tells the ref of words" <(echo "$ref") '^[0-9a-f]{64}$'
is "the words are in both copies" "$(words anna) $(words bert)" "1 1"
# What bert typed in "umpire play", what a line of anna's is set aside in when
# it was lost, and a watcher.
printf 'say "you  %s"\nready\n' "$word" >"$(player_data bert)/history"
umpire_as anna export talk -o "$work/aside" >/dev/null || exit 99
mv "$work/aside" "$(player_data anna)/games/$game.lost-9"
watching bert "$work/bert.out" "$game"
seen() {
	umpire_as anna say talk "is it seen" >/dev/null
	grep -q 'is it seen' "$work/bert.out"
}
holds "bert watches" wait_for 20 seen
exits 66 "words that there are not" admin erase "$game" "$zeros" --why x
like "are not found" "$err" 'no such text'
exits 0 "the operator erases some" admin erase "${game:0:12}" "$ref" \
	--why "an insult" --json
is "from the log, too" "$(filter '.is_new,.wiped' <"$out" | xargs)" "true true"
holds "the log has who and why" grep -Eq \
	"erase ${game:0:12} $ref is asked for, because \"an insult\"" "$dir/log"
exits 0 "once more is harmless" admin erase "$game" "$ref" --why "an insult"
like "and says so" "$out" 'Erased before'
no_words() {
	[ "$(words "$1")" = 0 ]
}
holds "a program that watches drops its copy" wait_for 20 no_words bert
like "and says so" "$work/bert.out.err" \
	'1 text of talk was erased: your copy no longer has it'
kill "$watcher"
is "of what was typed the rest stays" "$(cat "$(player_data bert)/history")" ready
exits 0 "another drops it when it comes back" umpire_as anna show talk
like "and says so, too" "$err" '1 text of talk was erased: your copy'
is "no byte of hers has it, what was set aside included" "$(words anna)" 0
exits 0 "which is a record still" umpire_as anna verify \
	"$(player_data anna)/games/$game.lost-9"
exits 0 "nothing is left to drop" umpire_as anna show talk
unlike "or to say" "$err" erased
exits 0 "the log says what happened" umpire_as anna log talk
like "in a word" "$out" '\(erased\)'
exits 0 "also for programs" umpire_as anna log talk --json
is "which see no text, and why" "$(filter \
	'.[] | select(.kind == "chat") | "\(.text) \(.lacks)"' <"$out" |
	head -n 1)" "null erased"
umpire_as bert say talk "and $word" >/dev/null || exit 99
line=$(umpire_as anna show talk --json | filter .seq)
exits 65 "nobody erases what another said" umpire_as anna erase talk "$line" \
	--yes
like "nor what is not there" "$err" "line $line has no words of yours"
exits 64 "what is no line is told" umpire_as bert erase talk x
exits 64 "whoever said it is asked" umpire_as bert erase talk "$line"
exits 69 "the server has to be there" umpire_as bert erase talk "$line" --yes \
	--offline
exits 0 "then they take it back" umpire_as bert erase talk "$line" --yes
like "with a word on copies" "$out" 'copies of other players drop the words'
is "their own has gone with it" "$(words bert)" 0
exits 0 "once more" umpire_as bert erase talk "$line" --yes
like "is told" "$out" 'Erased before'
"$UMPIRED" -c "$dir/umpired.conf" "${as_root[@]}" --backup "$work/backup.db" \
	>/dev/null 2>&1 || exit 99
init_player carl || exit 99
umpire_as carl export "$game" -o "$work/copy" --trust >/dev/null 2>&1 || exit 99
is "the word is nowhere: database, its log, a backup, a new copy, the log" \
	"$(cat "$dir"/umpired.db* "$work/backup.db" "$work/copy" "$dir/log" |
		grep -c "$word")" 0
exits 0 "the record is good without it" umpire_as carl verify "$work/copy"
exits 0 "anna holds no copy that was never asked for again" umpire_as anna \
	verify talk
# A crash between the two steps in which a text is overwritten.
umpire_as bert say talk "torn $word" >/dev/null || exit 99
umpire_as anna show talk >/dev/null || exit 99
is "anna has words again" "$(words anna)" 1
sed -i "/$word/s/^{\"text\"/{\"gone\"/" "$(player_data anna)/games/$game.side"
exits 0 "what was half erased in a crash" umpire_as anna log talk
is "is erased in full" "$(words anna)" 0

# What is no chat: a name, a purpose, a reason, in all that is answered.
word=Pfeffernuss
set_up umpire_as eric init --server "$server" || exit 99
set_up umpire_as eric register eric --display "$word E." --trust || exit 99
with=eric
opened named
umpire_as anna roll named 2d6 --for "the $word" >/dev/null || exit 99
umpire_as anna offer named draw --why "$word" >/dev/null || exit 99
# answers: how many lines of what a player and a stranger are shown have the
# word.
answers() {
	local who what
	for who in anna carl; do
		for what in "show $game" "log $game --json" "games --all --json"; do
			# shellcheck disable=SC2086
			umpire_as "$who" $what 2>&1
		done
	done | grep -c "$word"
}
holds "they are shown" test "$(answers)" -ge 6
umpire_as eric erase named 1 --yes >/dev/null || exit 99
umpire_as anna erase named 4 --yes >/dev/null || exit 99
umpire_as anna erase named 5 --yes >/dev/null || exit 99
is "once erased no answer has any of them" "$(answers)" 0
is "nor the database" "$(cat "$dir"/umpired.db* | grep -c "$word")" 0
exits 0 "the log says what happened" umpire_as carl log "$game" --json
is "in the place of each" "$(filter '[.[] | select(.lacks) |
	"\(.kind) \(.why) \(.lacks)"] | join(", ")' <"$out")" \
	"join null erased, free null erased, offer null erased"
with=bert

# ---- a player who has lost everything ----

# flat COMMAND...: what it prints, on one line.
flat() {
	"$@" 2>&1 | tr -s ' \n' ' ' >"$out"
}
umpire_as bert new --roster "$work/roster.json" --name lonely >/dev/null ||
	exit 99

opened owed --scheme live-1
owed=$game
umpire_as anna roll owed 1d6 >/dev/null || exit 99
umpire_as bert answer owed agree >/dev/null || exit 99
opened plain
plain=$game
cp -r "$work/players/bert" "$work/players/thief"
rm -r "$work/players/bert"
umpire_as anna roll owed 2d6 >/dev/null || exit 99
exits 66 "the player has nothing" umpire_as bert show owed
enrol bert2 || exit 99
exits 0 "and a new account" umpire_as bert2 keys card
like "with a card" "$out" '^bert2:0[23][0-9a-f]{64}$'
card=$(umpire_as bert2 keys card --json | filter .card)
mark=$(umpire_as bert2 keys | cut -d ' ' -f 1)

exits 66 "an account that there is not" admin key bertram "$card" --why x
like "is told" "$err" 'no account "bertram"'
exits 66 "nor one that is to come" admin key bert "berta:${card#*:}" --why x
like "has to register first" "$err" 'registers first'
exits 65 "a mistyped dice key" admin key bert "bert2:02${zeros//0/f}" \
	--why x
like "is one" "$err" 'a digit may be wrong'
exits 66 "an account without a seat there" admin key bert2 "${card/bert2/anna}" \
	"$owed" --why x
like "has none" "$err" '"bert2" has no seat in this game'
exits 65 "a player who sits there" admin key bert "${card/bert2/anna}" "$owed" \
	--why x
like "cannot have both seats" "$err" '"anna" has seat 1'

exits 0 "the operator proposes the new account" admin key bert "$card" "$owed" \
	--why "bert lost his laptop"
like "in that game" "$out" "game ${owed:0:8}, seat 2"
like "who has to agree" "$out" 'it waits for anna$'
like "by which command" "$out" "umpire accept ${owed:0:8} [0-9]+"
like "and what they may compare" "$out" "$mark"
exits 0 "anna is told" umpire_as anna todo
like "in a sentence" "$out" 'operator would give a seat to somebody'
like "and what to type" "$out" 'umpire accept owed [0-9]+'
line=$(grep -oE 'accept owed [0-9]+' "$out" | cut -d ' ' -f 3)
flat umpire_as anna show owed
like "show tells who and why" "$out" \
	"would give seat 2, which is bert's, to bert2: \"bert lost his laptop\""
like "also for whom the roll waits" "$out" 'bert'
exits 64 "without --yes nothing is accepted" umpire_as anna accept owed "$line"
exits 0 "she declines" umpire_as anna decline owed "$line" --why "who is that?"
flat umpire_as anna show owed
unlike "nothing is open then" "$out" 'would give seat'
exits 65 "and cannot be accepted" umpire_as anna accept owed "$line" --yes
exits 0 "the operator tries again, in all games" admin key bert "$card" \
	--why "bert lost his laptop" --json
is "all that have begun take it" "$(filter '.games | length' <"$out")" 3
is "another does not" "$(filter '.skipped[0].why' <"$out")" \
	"a seat is given to somebody else in play, and only then"
line=$(filter ".games[] | select(.game == \"$owed\") | .seq" <"$out")
exits 77 "the new account has no seat yet" umpire_as bert2 ready "$owed"
exits 0 "anna accepts" umpire_as anna accept owed "$line" --yes
flat umpire_as anna log owed
like "the log says who came" "$out" \
	"accepts line $line, to give seat 2.*bert2 has the seat from here on"
like "that the roll is void" "$out" 'all from line [0-9]+ on is void'
exits 0 "the newcomer sees what is next" umpire_as bert2 todo
like "to be ready" "$out" 'say that you are ready'
exits 0 "and finds the game" umpire_as bert2 games
like "with what is to be done" "$out" "${owed:0:8} .*YOU: say ready"
unlike "but none in which another still sits" "$out" "${plain:0:8}"
exits 0 "which is there then" umpire_as bert2 games --offline
like "as all others" "$out" "${owed:0:8} .*YOU: say ready"
exits 77 "the old keys play no more" umpire_as thief ready owed
exits 0 "both are ready" umpire_as anna ready owed
exits 0 "again" umpire_as bert2 ready "$owed"
exits 0 "the roll is rolled again" umpire_as anna roll owed 2d6
exits 0 "and the newcomer answers it" umpire_as bert2 answer "${owed:0:8}" agree
flat umpire_as anna log owed
like "who sat there before has done what they did" "$out" \
	' bert agrees to line'
like "dice fall" "$out" 'rolls 2d6|agrees to line [0-9]+: [1-6] [1-6]'
umpire_as anna export owed -o "$work/owed" >/dev/null
flat umpire_as anna verify "$work/owed"
like "verify says so where one looks first" "$out" \
	'the operator and all others gave seat 2 of bert to somebody else'
like "and in its place" "$out" 'seat 2 went from bert to bert2 in line'
umpire_as anna verify "$work/owed" --json >"$out"
is "for programs, too" "$(filter '.newcomers[0] | "\(.left) \(.came)"' <"$out")" \
	"bert bert2"
exits 0 "the database agrees with the record" "$UMPIRED" \
	-c "$dir/umpired.conf" "${as_root[@]}" --check

exits 0 "anna ends her turn" umpire_as anna end-turn owed
exits 0 "and the newcomer plays on" umpire_as bert2 end-turn "$owed"
umpire_as anna log owed --json >"$work/log.json"
is "each line is told of who had the seat then" "$(jq -r \
	'[.[] | select(.seat == 2 and .kind != "server") | .account] | unique |
	 join(" ")' "$work/log.json")" "bert bert2"

# The other game, in which nothing is owed.
line=$(umpire_as anna show plain --json |
	filter '.offers[] | select(.what == "operator-key") | .seq')
exits 0 "there anna accepts, too" umpire_as anna accept plain "$line" --yes
umpire_as anna ready plain >/dev/null || exit 99
exits 0 "the newcomer is ready" umpire_as bert2 ready "$plain"
exits 0 "and plays on, after anna" umpire_as anna end-turn plain
exits 0 "there, too" umpire_as bert2 end-turn "$plain"

# ---- a substitute, where a director has a word, too ----

with=bert2
umpire_as anna new --roster "$work/roster.json" --name ruled --director \
	>/dev/null || exit 99
game=$(umpire_as anna show ruled --json | filter .game)
enrol carl dora || exit 99
umpire_as bert2 join "$game" --yes >/dev/null || exit 99
umpire_as carl join "$game" --seat 0 --name ruled --yes >/dev/null || exit 99
umpire_as anna ready ruled >/dev/null || exit 99
umpire_as bert2 ready "$game" >/dev/null 2>&1
card=$(umpire_as dora keys card --json | filter .card)
exits 0 "a substitute is proposed" admin key bert2 "$card" "${game:0:6}" \
	--why "bert2 is away for the season" --json
is "two have a word" "$(filter '.games[0].waits_for | sort | join(" ")' <"$out")" \
	"anna carl"
line=$(filter '.games[0].seq' <"$out")
exits 65 "whose seat it is has none" umpire_as bert2 accept "$game" "$line" --yes
exits 0 "one accepts" umpire_as anna accept ruled "$line" --yes
flat umpire_as anna log ruled
like "the log says for whom it waits" "$out" 'not yet accepted by carl'
exits 0 "the game goes on meanwhile" umpire_as anna end-turn ruled
exits 0 "by the old keys" umpire_as bert2 end-turn "$game"
exits 0 "the director declines" umpire_as carl decline ruled "$line" \
	--why "ask me first"
flat umpire_as anna log ruled
like "which the log tells" "$out" 'declined in line [0-9]+'
exits 0 "it is proposed again" admin key bert2 "$card" "${game:0:6}" \
	--why "bert2 is away for the season" --json
line=$(filter '.games[0].seq' <"$out")
exits 0 "the director accepts" umpire_as carl accept ruled "$line" --yes
exits 0 "and anna" umpire_as anna accept ruled "$line" --yes
exits 0 "dora's games have one more" umpire_as dora todo
like "which waits for her" "$out" 'say that you are ready'
for who in anna carl dora; do
	umpire_as $who ready "${game:0:8}" >/dev/null 2>&1
done
exits 0 "it goes on" umpire_as anna end-turn ruled
exits 0 "with her" umpire_as dora end-turn "${game:0:8}"
exits 77 "and without who left" umpire_as bert2 end-turn "$game"

# ---- closing ----

opened gone
exits 64 "nobody closes by a slip" umpire_as operator admin close "$game" \
	--why x --socket "$sock"
like "without being asked" "$err" '--yes'
exits 0 "a dead game is closed" admin close "${game:0:8}" --why "gone to Peru"
like "in a line" "$out" "is closed, in line [0-9]+"
exits 65 "but once" admin close "$game" --why "gone to Peru"
like "as is said" "$err" 'closed already'
exits 65 "nobody else gets a seat there" admin key anna "$card" "$game" --why x
umpire_as anna log gone >"$out"
like "players read why" "$out" 'the server closes the game: "gone to Peru"'
holds "so does the log" grep -q "close $game.*refused" "$dir/log"

# ---- lines that nobody brings ----

exits 65 "a game that lacks nothing" admin restored "$plain" --why x
like "is told so" "$err" 'no lines of the game are missing'
exits 66 "a game that there is not" admin restored 00000000 --why x
exits 64 "without a reason" admin restored "$plain"
exits 0 "where none lacks any" admin restored --why x
like "nothing is done" "$out" 'No game or tournament lacks lines'
"$UMPIRED" -c "$dir/umpired.conf" "${as_root[@]}" --backup "$work/then.db" \
	>/dev/null 2>&1 || exit 99
umpire_as anna say plain "later" >/dev/null || exit 99
stop_umpired
rm -f "$dir"/umpired.db "$dir"/umpired.db-wal "$dir"/umpired.db-shm
cp "$work/then.db" "$dir/umpired.db"
start_umpired "$dir" -o "listen=127.0.0.1:$port" || exit 99
# Who holds the line is away.
exits 75 "an order is not taken" umpire_as bert2 say "$plain" "hello?"
like "since lines are missing" "$err" 'lines'
exits 0 "the operator does not wait" admin restored "${plain:0:8}" \
	--why "nobody played since" --json
is "that game goes on" "$(filter .games <"$out")" 1
exits 0 "its players have to accept it" umpire_as bert2 todo
like "as they are told" "$out" 'lines were lost: accept that they are'
holds "the log has who and why" grep -Eq \
	"restored ${plain:0:8} is asked for, because \"nobody played since\"" \
	"$dir/log"

# ---- the end ----

stop_umpired
is "a daemon that ends" $? 0
holds "takes its socket along" test ! -e "$sock"
finish
