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
close_session club
witness
wait_for 20 has_logged join 1
is "it joins the game" $? 0
like "it says who it is" "$work/club.log" "account club, key $club"
exits 0 "the other player joins" umpire_as bert join --yes "$game" \
	--name fight
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
like "and how long it may be silent" "$out" \
	'^  witness +answers each roll at once; if it has not for 7 h 12 min'
exits 0 "the log tells that it joined" umpire_as bert log fight
like "by its account" "$out" 'club joins as the witness'

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
umpire_as anna export evening >"$work/record"
exits 0 "the record is good" "$UMPIRE" verify "$work/record"
like "verify counts silences" "$out" \
	"1 claim without effect, 1 claim of the witness's silence"

finish
