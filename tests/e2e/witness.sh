#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A witness as the third hand for dice (umpire-record(7), S6.9), from the
# server's settings to the last line.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_clocks

dir=$work/umpired
start_umpired "$dir" -o witnesses=club || exit 99
write_example "$work"

# ---- the server names its witnesses, and a game one of them ----

enrol anna bert carl || exit 99
key_of() {
	umpire_as "$1" keys --json | jq -r '.keys[0]'
}
session guest
ask guest hello
is "an account that is not there is not named" "$(of .result.witnesses)" '[]'
exits 65 "nor does it become a witness" umpire_as anna new \
	--roster "$work/roster.json" --witness club
like "which is said" "$err" "names no witness 'club'"
like "with who is to do what" "$err" 'setting `witnesses`'
enrol club || exit 99
club=$(key_of club)
ask guest hello
is "hello names account and key" "$(of .result.witnesses)" \
	"[{\"account\":\"club\",\"key\":\"$club\"}]"
exits 64 "dice from two hands have no witness" umpire_as anna new \
	--roster "$work/roster.json" --witness club --scheme dual-1
exits 64 "--check asks no server for the key" umpire_as anna new \
	--roster "$work/roster.json" --witness club --check
exits 0 "it takes a key" umpire_as anna new \
	--roster "$work/roster.json" --witness "$club" --check
like "and says whose the dice are" "$out" \
	'dice from three hands \(live-1 with a witness\)'
like "declarations are agreed to" "$out" '^  confirm +each combat'
exits 0 "without a terminal dice are from two hands" umpire_as anna new \
	--roster "$work/roster.json" --name plain
like "with a word of the witness" "$err" "has a witness, 'club'"
umpire_as anna cancel plain --yes >/dev/null 2>&1
exits 0 "or without that word" umpire_as anna new \
	--roster "$work/roster.json" --name none --witness none
unlike "if it is not wanted" "$err" witness
exits 0 "a game is opened with it" umpire_as anna new --private --invite bert \
	--roster "$work/roster.json" --name evening --witness club \
	--clock 3d/order --json
game=$(filter .game <"$out")
umpire_as anna export evening | head -n 1 | filter .order |
	jq -c '[.args.scheme, .args.confirm, .args.options]' >"$work/terms"
is "with the terms of such a game" "$(cat "$work/terms")" \
	"[\"live-1\",true,{\"witness\":\"$club\",\"witness_s\":25920}]"
session club club
ask club login club
ask club call game.list '{"invited":true}'
is "its account is invited, also to a private one" \
	"$(of '[.result.games[].game]')" "[\"$game\"]"
exits 0 "a key that the server does not name is taken" umpire_as anna new \
	--roster "$work/roster.json" --name odd --witness "$(key_of carl)"
like "with a warning" "$err" 'Warning: the server names no witness'

# ---- the witness joins, gives ready, answers ----

# witness [WORD...]: runs in the background as club; its log is $work/club.log.
witness() {
	local home=$work/players/club
	env --default-signal=INT HOME="$home" XDG_CONFIG_HOME="$home/config" \
		XDG_DATA_HOME="$home/data" "$UMPIRE" witness --json \
		>>"$work/club.log" 2>>"$work/club.err" </dev/null &
	witness=$!
	daemons="$daemons $witness"
}
# logged EVENT [FILTER]: how many such events the log has.
logged() {
	jq -s "[.[] | select(.event == \"$1\" and (${2:-true}))] | length" \
		"$work/club.log"
}
has_logged() {
	[ "$(logged "$1" "${3:-true}")" = "$2" ]
}
seq_of() {
	umpire_as anna show "$1" --json 2>/dev/null | filter .seq
}
at_line() {
	[ "$(seq_of "$1")" = "$2" ]
}
stop_witness() {
	kill -TERM "$witness"
	wait "$witness"
}
store=$work/players/club/data/umpire/default/witness.db
# holds_line GAME LINE: that is the last of the game in the witness's store.
holds_line() {
	[ "$(sqlite3 -readonly "$store" "SELECT n FROM game
		WHERE hex(id) = upper('$1')")" = $(($2 + 1)) ]
}
close_session club
witness
wait_for 20 has_logged join 1
is "it joins the game" $? 0
like "it says who it is" "$work/club.log" "account club, key $club"
exits 0 "the other player joins" umpire_as bert join --yes "$game" \
	--name fight
like "who reads whose the dice are" "$out" \
	'^ +dice +from three hands \(live-1 with a witness\)'
is "the witness leaves it to people who may play" "$(logged ready)" 0
exits 0 "all players are ready" umpire_as anna ready evening
wait_for 20 at_line evening 5
is "then it gives ready, and play begins" "$(umpire_as anna show evening --json |
	filter .phase)" play
exits 0 "a roll is ordered" umpire_as anna roll evening 2d6
like "and its dice are shown with it" "$out" \
	'  the witness agrees to line 6: [1-6] [1-6] \(together'
umpire_as anna export evening >"$work/record"
is "the witness's line has the dice" "$(sed -n 8p "$work/record" |
	jq -c '[.seat, (.dice.rolls | length)]')" '[254,1]'
exits 0 "the record is good" "$UMPIRE" verify "$work/record"
like "and says whose its dice are" "$out" 'from three hands \(live-1 with a'
umpire_as anna show evening >"$out"
like "show names the witness" "$out" '^ +the witness: club$'
mark=$(umpire_as club keys | cut -d ' ' -f 1)
like "and its key" "$out" "^ +club: $mark\$"
like "and how long it may be silent" "$out" \
	'^  witness +answers each roll at once; if it has not for 7 h 12 min'
exits 0 "the log tells that it joined" umpire_as bert log fight
like "by its account" "$out" 'club joins as the witness'
exits 0 "verify is asked whether the operator has two hands" \
	"$UMPIRE" verify "$work/record" --operator club --known /dev/null
like "who is the witness" "$out" '^! +club runs the server and is the witness'
like "with a key that is not known" "$out" "^! +no key of club is on the list"
like "which it shows" "$out" "^ +the witness, club: $mark, not known\$"

# ---- it is silent ----

stop_witness
is "it ends when it is told to" $? 0
exits 0 "a roll without it" umpire_as bert show fight
exits 0 "is ordered all the same" umpire_as anna roll evening 3d6
like "and waits" "$out" 'The witness has not answered line 8 yet \([0-9]+ s\)'
exits 65 "its silence is not claimed too early" umpire_as bert claim fight
like "which is said" "$err" 'the witness may answer line 8 until '
exits 0 "nor does a claim that is sent anyway" \
	umpire_as bert claim fight --anyway
like "have an effect" "$out" \
	'^ +still has time$'
now=$(jq -n 'now * 1000 | floor')
hook now_ms $((now + 26000000))
like "todo tells who may claim it" <(umpire_as bert todo) \
	'the witness does not answer: claim that'
umpire_as bert show fight >"$out"
like "show, too" "$out" 'You may claim that it is silent'
exits 0 "later it has" umpire_as bert claim fight
like "and a side answers" "$out" \
	'^ +bert answers in its stead$'
like "which is its owner's to do" "$out" \
	'line 8 waits for you to agree, as the witness is silent'
like "the others wait for nothing else" <(umpire_as anna show evening) \
	'Waiting for bert .* to agree to line 8, as the witness is silent\.'
like "todo says that nothing else may be done" <(umpire_as bert todo) \
	'^ +an answer: agree, and dice fall$'
like "games, too" <(umpire_as bert games) 'YOU: agree$'
exits 0 "and is done" umpire_as bert answer fight agree
like "with dice" "$out" 'bert agrees to line 8: [1-6] [1-6] [1-6]'
exits 64 "nobody offers more than there is" umpire_as anna offer evening witness
exits 0 "who has had enough offers to play on without" \
	umpire_as anna offer evening witness-out
like "in words" "$out" 'anna offers to play on without the witness'
exits 0 "the other side declines" umpire_as bert decline fight --yes
witness
wait_for 20 has_logged connected 2
umpire_as anna roll evening d6 >"$out"
wait_for 20 at_line evening 15
is "the witness is back" $? 0
is "and accuses nobody: it had said nothing" "$(logged answered)" 0
# ---- what it notes: an answer was kept back, a notice's time has passed ----

# clock SECONDS: the clock of the daemon and of programs from here on.
clock() {
	now=$((now + 1000 * $1))
	hook now_ms "$now"
}
now=$((now + 26000000))
# noted WHAT: the lines that the witness's notes of that kind are about.
noted() {
	umpire_as anna export evening | head -n -0 | jq -r 'select(.seat == 254) |
		.order | fromjson | select(.kind == "note") |
		"\(.args.say) \(.args.to)"' 2>/dev/null |
		sed -n "s/^$1 //p" | tr '\n' ' '
}
stop_witness
umpire_as anna roll evening d10 >/dev/null 2>&1
silent=$(seq_of evening)
hook fail_commits -1
witness
wait_for 20 has_logged refused 1
is "an answer reaches the server, which does not write it" $? 0
stop_witness
hook fail_commits 0
clock 30000
umpire_as bert claim fight >/dev/null
umpire_as bert answer fight agree >/dev/null
is "the other side has answered instead" "$(seq_of evening)" $((silent + 2))
witness
wait_for 20 at_line evening $((silent + 3))
is "the witness says that it had answered" "$(noted answered)" "$silent "
like "its log tells of the claim" "$work/club.log" \
	"\"silent\".*\"line\":$silent,.*bert claims in line $((silent + 1)) that"
umpire_as anna log evening >"$out"
like "which the log tells" "$out" \
	"the witness notes that it had answered line $silent: somebody"
umpire_as anna export evening >"$work/record"
run "$UMPIRE" verify "$work/record"
like "and verify, as something to look at" "$out" \
	"^! +the witness says in line $((silent + 3)) that it had answered"
stop_witness
clock 300000
umpire_as bert claim fight >/dev/null 2>&1
notice=$(seq_of evening)
like "a notice is given" <(umpire_as anna show evening) \
	'bert .* has given notice'
witness # which hears of it, and begins to count, at this time
wait_for 20 holds_line "$game" "$notice"
stop_witness
clock 25000
witness
wait_for 20 has_logged connected 6
is "its time has not passed yet" "$(noted passed)" ''
stop_witness
clock 2000
witness
wait_for 20 at_line evening $((notice + 1))
is "then the witness says that it has" "$(noted passed)" "$notice "
exits 0 "and the claim has its effect" umpire_as bert claim fight
umpire_as anna export evening >"$work/record"
run "$UMPIRE" verify "$work/record"
unlike "with a witness that is nothing to look at" "$out" 'no witness noted'
stop_witness
umpire_as anna export evening >"$work/record"
exits 0 "the record is good" "$UMPIRE" verify "$work/record"
like "verify counts silences" "$out" \
	"2 claims of the witness's silence, 2 answers in its stead"

# ---- it is told to end while the server does not answer ----

kill -STOP "$daemon"
begun=$(logged started)
UMPIRE_TIMEOUT=3600 witness
wait_for 20 has_logged started $((begun + 1))
kill -TERM "$witness"
wait_for 20 not_running "$witness"
is "it ends at once, too, while a server does not answer" $? 0
kill -KILL "$witness" 2>/dev/null
wait "$witness" 2>/dev/null
kill -CONT "$daemon"

# ---- its store is lost; another line is shown than it holds ----

umpire_as anna new --roster "$work/roster.json" --name second --witness club \
	--invite bert --clock none >/dev/null 2>&1
second=$(umpire_as anna show second --json | filter .game)
witness
wait_for 20 at_line second 1
umpire_as bert join --yes "$second" --name second >/dev/null
umpire_as anna ready second >/dev/null
wait_for 20 at_line second 5
umpire_as anna roll second d6 >/dev/null
is "a second game is played" "$(seq_of second)" 7
stop_witness
rm "$store"*
witness
wait_for 20 at_line second 8
umpire_as anna roll second d6 >/dev/null
is "a witness that lost its store says so, then answers" \
	"$(umpire_as anna export second | jq -rc 'select(.seq? > 7) | [.seat,
	(.order | fromjson | .kind, .args.say, .args.to)]' 2>/dev/null |
	tr '\n' ' ')" '[254,"note","anew",7] [1,"free",null,null] [254,"answer","agree",9] '
exits 75 "two witnesses do not run at once" umpire_as club witness
like "which is said" "$err" "another witness runs with profile 'default'"
exits 75 "nor does a person decide meanwhile" \
	umpire_as club witness follow "$second"
stop_witness
exits 65 "there is nothing to decide" umpire_as club witness follow "$second"
like "which is said" "$err" "no game that was stopped begins with"
# What the server had shown before: a line that it shows no longer.
held=$(sqlite3 "$store" "SELECT bytes FROM line JOIN game USING (gid)
	WHERE hex(id) = upper('$second') AND seq = 10")
sqlite3 "$store" "UPDATE line SET bytes = replace(bytes, '\"at\":\"2', '\"at\":\"3')
	WHERE seq >= 9 AND gid = (SELECT gid FROM game WHERE hex(id) = upper('$second'));
	UPDATE game SET head = zeroblob(32) WHERE hex(id) = upper('$second')"
[ -n "$held" ] || fail "it held the line"
witness
wait_for 20 has_logged stopped 1
is "it stops where the server shows another line" $? 0
like "and says so loudly" "$work/club.err" 'shows another line 9 of game'
umpire_as anna roll second d6 >"$out" 2>"$err"
like "nothing is answered there" "$out" 'The witness has not answered line 11'
exits 0 "status tells of it" umpire_as club witness status
like "with what it holds" "$out" "stopped +${second:0:12}, 11 lines held"
stop_witness
is "it ends with a status of its own" $? 76
exits 64 "a person confirms" umpire_as club witness follow "${second:0:8}"
exits 0 "and decides" umpire_as club witness follow "${second:0:8}" --yes
like "from where on it follows" "$err" 'goes on from line 9;'
witness
wait_for 20 at_line second 12
is "then it answers" $? 0
is "both lines are kept" "$(sqlite3 -readonly "$store" \
	"SELECT count(*) FROM other UNION ALL SELECT count(*) FROM gone" |
	tr '\n' ' ')" '1 2 '
stop_witness
# The server's own mark under an order that nobody has signed so.
umpire_as anna say second "nobody said so" >/dev/null
umpire_as anna say second "nor this" >/dev/null
row="game = (SELECT gid FROM game WHERE hex(id) = upper('$second')) AND seq = 13"
sqlite3 "$dir/umpired.db" "SELECT line FROM record WHERE $row" >"$work/said"
sed -E 's/("sig":")0/\11/; t; s/("sig":")./\10/' "$work/said" |
	"$tools/perjurer" mark "$dir" >"$work/unsaid"
sqlite3 "$dir/umpired.db" "UPDATE record
	SET line = CAST('$(cat "$work/unsaid")' AS BLOB) WHERE $row"
before=$(grep -c '"event":"lost"' "$work/club.log")
witness
wait_for 20 has_logged stopped 2
is "it stops where an order was not signed" $? 0
like "and says so" "$work/club.err" \
	'another line 13 of game .*: the order is not signed by'
# With one CPU alone all is checked at once.
if [ "$(nproc)" -gt 1 ]; then
	is "having read what came in a turn once more" \
		"$(grep '"event":"lost"' "$work/club.log" | tail -n +$((before + 1)) |
		grep -c 'does not hold')" 1
fi
is "what does not hold is not kept" "$(sqlite3 -readonly "$store" "SELECT count(*)
	FROM line JOIN game USING (gid) WHERE hex(id) = upper('$second')")" 13
stop_witness
sqlite3 "$dir/umpired.db" "UPDATE record
	SET line = CAST('$(cat "$work/said")' AS BLOB) WHERE $row"
exits 0 "a person decides" umpire_as club witness follow "${second:0:8}" --yes
umpire_as anna offer second witness-out --yes >/dev/null
exits 0 "both sides agree to play on without it" \
	umpire_as bert accept second \
	"$(umpire_as bert show second --json | jq '.offers[0].seq')" --yes
run umpire_as anna show second
like "which show tells" "$out" 'dice from three hands \(live-1, its witness is out\)'
like "with who answers now" "$out" "^ +witness +out: the sides answer"
umpire_as anna export second >"$work/record"
exits 0 "the record is good" "$UMPIRE" verify "$work/record"
like "verify tells it, too" "$out" 'live-1, its witness is out'
witness
wait_for 20 grep -q '"out".*both sides play on without' "$work/club.log"
is "so does the witness's log" $? 0
stop_witness

finish
