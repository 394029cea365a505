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
exits 0 "a game is opened with it" umpire_as anna new --private \
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

finish
