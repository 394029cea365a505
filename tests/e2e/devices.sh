#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# One account on two devices: the new one has the words, the old one signs; a
# key that nobody here knows gets into no game; one that is dropped plays no
# more, and its connections end.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need script

start_umpired "$work/umpired" || exit 99
write_example "$work"
mkdir -p "$work/players/anna"
words=$(player anna script -qec "'$UMPIRE' init --server $server" /dev/null \
	<<<'' | tr -d '\r' | grep -oE -m 1 '([0-9A-HJKMNP-TV-Z]{4}-){7}.{4}')
like "init shows words" <(echo "$words") '^.{39}$'
set_up umpire_as anna register anna --trust || exit 99
enrol bert || exit 99

# opens WHO NICK [OTHER]: a game that is in play, between that device of anna's
# and bert; the other device says that anna is ready.  Leaves $game.
opens() {
	local ready=${3:-$1}
	umpire_as "$1" new --roster "$work/roster.json" --name "$2" \
		>"$out" 2>"$err" || return
	game=$(umpire_as "$1" show "$2" --json | filter .game)
	umpire_as bert join "$game" --name "$2" --yes >"$out" 2>"$err" &&
		umpire_as "$ready" ready "${game:0:8}" >"$out" 2>"$err" &&
		umpire_as bert show "$2" >/dev/null 2>&1
}
# mark WHO: the fingerprint of that device's own key.
mark() {
	umpire_as "$1" keys | grep "this device's" | cut -d ' ' -f 1
}
# typed WHO WORDS ARGUMENT...: runs umpire with the words on standard input.
typed() {
	local who=$1 words=$2
	shift 2
	umpire_as "$who" "$@" <<<"$words"
}
# code WHO WORDS: cases; the new device's code.
code() {
	umpire_as "$1" keys add --json <<<"$2" >"$out" 2>"$err"
	filter .code <"$out"
}

exits 0 "anna opens a game" opens anna before
exits 0 "the new device has an account" umpire_as phone init \
	--server "$server" --account anna
exits 65 "what are no words is refused" typed phone ABCD keys add
other=$(code phone "${words:5}-${words::4}")
exits 65 "a code made with other words" umpire_as anna keys add "$other"
like "is found out" "$err" 'other words'
code=$(code phone "$words")
like "the new device shows a code" <(echo "$code") '^(.{4}-){13}.{4}$'
exits 0 "for people it says where to type it" typed phone "$words" keys add
like "on the other device" "$out" "device that plays as 'anna'"
like "the code on a line of its own" "$out" "^ +$code\$"
# What is printed for the other device, as the shell takes it.
printed=$(grep -A 1 '^  umpire keys add' "$out")
exits 77 "it is not let in yet" umpire_as phone keys --trust
first=0
[ "${code::1}" = 0 ] && first=1
exits 65 "a mistyped code" umpire_as anna keys add "$first${code:1}"
like "is one" "$err" 'mistyped'
exits 65 "so is a short one" umpire_as anna keys add "${code:5}"
exits 65 "and one of another account" umpire_as bert keys add "$code"
exits 64 "there is no third word" umpire_as anna keys lend "$code"
exits 0 "anna's device adds it" player anna bash -c \
	"umpire() { '$UMPIRE' \"\$@\"; }; $printed"
exits 0 "in any case" umpire_as anna keys add "${code,,}"
exits 0 "once more changes nothing" umpire_as anna keys add "$code"
exits 0 "there are two keys" umpire_as anna keys --json
is "in the account" "$(filter '.keys|length' <"$out")" 2
is "and one statement" "$(filter .kn <"$out")" 1

# ---- both play ----

exits 0 "the new device has no copy yet" umpire_as phone games --offline
unlike "of any game" "$out" "${game:0:8}"
exits 0 "and lists the account's games" umpire_as phone games
like "with whose move it is" "$out" "${game:0:8} .* bert "
exits 0 "a program sees them, too" umpire_as phone games --json
is "with the seat" "$(filter '.[] | "\(.game) \(.seat)"' <"$out")" "$game 1"
exits 0 "the new device talks in the old game" umpire_as phone say \
	"${game:0:8}" "from the phone"
exits 77 "it opens none while it does not know the other key" opens phone its
like "it shows that key" "$err" "$(mark anna)"
like "and what to do" "$err" 'umpire keys trust'
printed=$(grep -o 'keys trust .*' "$err")
exits 0 "the list says it, too" umpire_as phone keys
like "beside the key" "$out" "^$(mark anna)  not known"
exits 65 "what is no key of the account cannot be trusted" umpire_as phone \
	keys trust "$(mark bert)"
# shellcheck disable=SC2086
exits 0 "who has compared types it" umpire_as phone $printed
exits 0 "then the new device opens a game" opens phone its
exits 0 "in which the old one talks" umpire_as anna say "${game:0:8}" "me, too"
exits 0 "and the old device opens one" opens anna after
exits 0 "in one the new device gives her part of the dice" opens anna both phone
exits 0 "its record" umpire_as anna export after
cp "$out" "$work/after.jsonl"
like "names the other key" "$work/after.jsonl" '.keys.{6}[0-9a-f]{64}'
exits 0 "and verifies" umpire_as bert verify "$work/after.jsonl"
exits 0 "so does the one that was there before" umpire_as anna export before
cp "$out" "$work/before.jsonl"
like "with its key line" "$work/before.jsonl" '"kind":"key".*add'
exits 0 "which holds" umpire_as bert verify "$work/before.jsonl"

# ---- a key that a thief adds ----

cp -r "$work/players/anna" "$work/players/thief"
phone=$(mark phone)
exits 0 "a thief has the key file" umpire_as thief init --server "$server"
mkdir -p "$work/players/tablet"
exits 0 "and a device" umpire_as tablet init --server "$server" --account anna
exits 77 "not let in yet, either" umpire_as tablet keys --trust
tablet_code=$(code tablet "$words")
exits 0 "whose key it adds" umpire_as thief keys add "$tablet_code"
exits 77 "anna signs for no such key" opens anna stolen
like "and learns of it" "$err" 'a key that .* does not know'
like "with what to do" "$err" 'umpire keys recover'
exits 0 "nor does the phone's list call it hers" umpire_as phone keys
like "it is strange there" "$out" 'not known to this profile'

# ---- dropped ----

tablet=$(mark tablet)
watching tablet "$work/tablet.out"
wait_for 20 grep -q Watching "$work/tablet.out.err"
exits 65 "what is no key is not dropped" umpire_as phone keys drop ABCDE
exits 0 "the phone drops it" umpire_as phone keys drop "${tablet,,}"
wait "$watcher"
is "its connection ends, and it cannot log in" $? 77
exits 77 "it plays no more" umpire_as tablet say "${game:0:8}" hi
like "and is told what there is to do" <(tr -s ' \n' ' ' <"$err") \
	"'anna' sits in it, by another key.*umpire keys recover.*umpire keys add"
exits 0 "anna opens a game again" opens anna again
exits 73 "an added key that was dropped does not come back" umpire_as anna \
	keys add "$tablet_code"
exits 0 "nothing is said twice" umpire_as phone keys drop "$phone"
exits 77 "who drops their own key is out" umpire_as phone keys
exits 0 "one is left" umpire_as anna keys --json
is "of three" "$(filter '.keys|length' <"$out")" 1
exits 65 "the last one stays" umpire_as anna keys drop "$(mark anna)"

# ---- and the words end them all ----

exits 0 "the words end the thief's key" typed anna "$words" keys recover
exits 77 "for good" umpire_as thief keys
exits 0 "anna opens another game" opens anna mine
is "and no key is left over" \
	"$(find "$(player_data anna)" -name 'sign.key.new' | wc -l)" 0
mkdir -p "$work/players/carl"
exits 0 "who has other words" umpire_as carl init --server "$server" \
	--account anna
exits 77 "gets no account by them" typed carl \
	"${words:5}-${words::4}" keys recover --trust
is "and leaves no key about" \
	"$(find "$(player_data carl)" -name 'sign.key.new' | wc -l)" 0
stop_umpired
is "the daemon stops cleanly" $? 0
finish
