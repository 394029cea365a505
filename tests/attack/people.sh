#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Attacks by people: strangers, other players and thieves, who want what is
# somebody else's, and by whoever writes what others read.

. "${top_srcdir:?}/tests/attack/attack.sh"
need script

dir=$work/umpired
start_umpired "$dir" || exit 99
write_example "$work"
init_player anna || exit 99
if tried drop-while-dice-are-owed; then
	mkdir -p "$work/players/bert"
	paper=$(player bert script -qec "'$UMPIRE' init --server $server" \
		/dev/null <<<'' | tr -d '\r' |
		grep -oE -m 1 '([0-9A-HJKMNP-TV-Z]{4}-){7}.{4}')
else
	init_player bert || exit 99
fi
for who in anna bert; do
	set_up umpire_as $who register $who --trust || exit 99
done

# opens NAME OPTION...: a game in play between anna and bert; leaves $game.
opens() {
	local name=$1
	shift
	set_up umpire_as anna new --roster "$work/roster.json" --name "$name" \
		--invite bert "$@" || exit 99
	game=$(umpire_as anna show "$name" --json | filter .game)
	set_up umpire_as bert join "$game" --name "$name" --yes || exit 99
	set_up umpire_as anna ready "$name" || exit 99
	set_up umpire_as bert show "$name" || exit 99
}

# failed: $came is what the last answer of a session says.
failed() {
	came=$(of .error.data.name)
	[ "$came" != null ] || came=$reply
}

enter carl eve

# ---- accounts and keys ----

# Somebody logs in to an account with a key that is their own.
attack_login_with_another_key() {
	ask eve credentials carl
	ask eve call account.login "$reply"
	failed
	[ "$(of .result.account)" != carl ] || came='it succeeds'
	ask eve login eve
}
attack login-with-another-key denied

# One account, by two keys of its own, sits on both sides.
attack_sit_twice() {
	local keys
	enter first
	make_keys second
	session second second
	put_roster first "$work/roster.json"
	ask first order "$(create_text "$(create_args 1 first)")"
	game=$(of '.result.line | fromjson | .game')
	ask second keys
	ask first statement first add "$(of .sign)"
	ask first call account.key "$reply"
	ask first call account.keys '{}'
	keys=$(of .result)
	ask second login first
	look second
	ask second order "$(order_text 2 join "$(join_args 2 second |
		jq -c --argjson k "$keys" '.account = "first" | .kn = $k.kn |
			.kprev = $k.kprev | .key as $own |
			.keys = ($k.keys - [$own])')")"
	failed
	[ "$(of .result.seq)" = null ] || came='it succeeds'
}
attack sit-twice illegal

# A thief who has the key says that it is the account's only one.
attack_reset_by_a_thief() {
	local new
	session thief anna
	session other
	ask other newkeys
	new=$(of .sign)
	close_session other
	ask thief statement anna reset "$new"
	ask thief call account.key "$reply"
	failed
	[ "$(of .result.n)" != 1 ] || came='it succeeds'
	close_session thief
}
attack reset-by-a-thief illegal

# A thief has one of bert's devices, and drops the key of the other while bert
# owes the answer to a roll.
attack_drop_while_dice_are_owed() {
	local code mark
	mkdir -p "$work/players/thief"
	reached umpire_as thief init --server "$server" --account bert || return
	umpire_as thief keys --trust >"$out" 2>&1
	code=$(umpire_as thief keys add --json <<<"$paper" 2>"$err" |
		filter .code)
	reached umpire_as bert keys add "$code" || return
	opens owed --scheme live-1
	mark=$(umpire_as bert keys | grep "this device's" | cut -d ' ' -f 1)
	reached umpire_as anna roll owed 2d6 || return
	reached umpire_as thief keys drop "$mark" || return
	run umpire_as bert answer owed agree
	[ "$status" = 77 ] || {
		came="a key that was dropped: $status"
		return
	}
	umpire_as bert keys recover <<<"$paper" >"$out" 2>"$err" || {
		came="no recovery: $(cat "$err")"
		return
	}
	run umpire_as thief answer "${game:0:8}" agree
	came="$status"
	[ "$status" != 0 ] || {
		came='it succeeds'
		return
	}
	run umpire_as bert answer owed agree
	came="$came for the thief, $status for the owner"
}
attack drop-while-dice-are-owed '77 for the thief, 0 for the owner'

# ---- what others need not know ----

# A stranger reads a game at once that is shown with a delay.
attack_read_ahead_of_a_delay() {
	opens late --delay 2t
	reached umpire_as anna say late hello || return
	ask eve call game.record "{\"game\":\"$game\",\"from\":0}"
	came="up to line $(of .result.seq)"
	[ "$(of '.result.lines | length')" != 5 ] || came='it succeeds'
}
attack read-ahead-of-a-delay 'up to line 3'

# One side reads what the other says among its own.
attack_read_the_other_side() {
	opens aside
	reached umpire_as anna say aside --to side 'hold the left' || return
	session spy bert
	ask spy login bert
	ask spy call game.record "{\"game\":\"$game\",\"from\":0,\"side\":true}"
	came=$(of '.result.lines | length')
	[ "$came" != 5 ] || came='the line without its text'
	[[ "$reply" != *'hold the left'* ]] || came='it succeeds'
	close_session spy
}
attack read-the-other-side 'the line without its text'

# A stranger has the hash of a roster that only a private game names.
attack_read_a_private_roster() {
	jq -c '.sides["1"].name = "Guard"' "$work/roster.json" \
		>"$work/guard.json"
	set_up umpire_as anna new --roster "$work/guard.json" --private \
		--name guard || exit 99
	ask eve call blob.get "$(umpire_as anna export guard | head -n 1 |
		jq -c '.order | fromjson | {hash: .args.roster}')"
	failed
	[ "$(of .result.value)" = null ] || came='it succeeds'
}
attack read-a-private-roster not-found

# The other side has what somebody said erased.
attack_erase_for_another() {
	opens said
	reached umpire_as anna say said 'my guns hold fire' || return
	session eraser bert
	ask eraser login bert
	ask eraser call text.erase "$(umpire_as anna export said |
		grep '"kind":"order"' | tail -n 1 |
		jq -c '{game, ref: (.order | fromjson | .args.ref)}')"
	failed
	[ "$(of .result)" = null ] || came='it succeeds'
	close_session eraser
}
attack erase-for-another denied

# ---- what others read ----

# talks WORDS: somebody says that in a game that anna has; leaves $game.
talks() {
	local ref salt
	game=
	forge_game carl eve
	salt=$zeros
	ref=$({
		printf 'umpire/text/1\0'
		unhex "$salt"
		printf '%b' "$1"
	} | sha256sum | cut -d ' ' -f 1)
	ask carl texts "$(jq -nc --arg salt "$salt" \
		--arg value "$(printf '%b' "$1")" \
		'[{salt: $salt, value: $value}]')"
	give carl 1 chat "{\"ref\":\"$ref\"}"
	[ "$(of .result.seq)" = 4 ] || came="no chat: $reply"
	ask carl texts '[]'
}

# What somebody says is to drive the terminal of whoever reads it.
attack_drive_a_terminal() {
	talks '\033]0;mine\007\033[2J'
	reached umpire_as anna log "$game" || return
	if grep -q $'\033' "$out"; then
		came='it succeeds'
	elif grep -q '?]0;mine??\[2J' "$out"; then
		came='the characters stand there as "?"'
	fi
}
attack drive-a-terminal 'the characters stand there as "\?"'

# What somebody says is to run as a script in the page of the game.
attack_script_in_a_page() {
	talks '<script>alert(1)</script>'
	reached umpire_as anna log "$game" --format html || return
	if grep -q '<script>alert' "$out"; then
		came='it succeeds'
	elif grep -q '&lt;script&gt;alert' "$out"; then
		came='it is text'
	fi
}
attack script-in-a-page 'it is text'

# ---- one who does not want a combat ----

# bert objects to a declaration as often as it is made.
attack_object_again_and_again() {
	local i to
	enrol dirk || exit 99
	set_up umpire_as anna new --roster "$work/roster.json" --name judged \
		--facts --director || exit 99
	game=$(umpire_as anna show judged --json | filter .game)
	set_up umpire_as bert join "$game" --name judged --yes || exit 99
	set_up umpire_as dirk join "$game" --name judged --seat 0 --yes ||
		exit 99
	set_up umpire_as bert ready judged || exit 99
	set_up umpire_as anna ready judged || exit 99
	session objector bert
	ask objector login bert
	for i in 1 2 3; do
		[ "$i" = 1 ] || [ "$(of .result.seq)" = $((to + 1)) ] || {
			came="no objection: $reply"
			return
		}
		reached umpire_as anna declare judged "$work/combat.json" \
			--yes || return
		look objector
		to=$seq
		give objector 2 answer "{\"to\":$to,\"say\":\"object\"}"
	done
	failed
	[ "$(of .result.seq)" = null ] || came='it succeeds'
	close_session objector
}
attack object-again-and-again stale

finish
