#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Attacks by orders, against the daemon and with the client: by whoever wants
# other dice than those that are due, with or without the operator.  An operator
# can try everything on a copy of the server first, and so can this: keep and
# back go back to what there was, on both sides.

. "${top_srcdir:?}/tests/attack/attack.sh"
with_fixed

dir=$work/umpired
begin_fixed "$dir"
write_example "$work"

# keep, back: puts aside, and brings back, all that server and players have.
keep() {
	stop_umpired
	rm -rf "$work/kept"
	mkdir "$work/kept"
	cp -r "$dir" "$work/players" "$work/kept"
	on_again
}
back() {
	stop_umpired
	rm -rf "$dir" "$work/players"
	cp -r "$work/kept/umpired" "$work/kept/players" "$work"
	on_again
}
on_again() {
	start_umpired "$dir" -o "listen=127.0.0.1:$port" || exit 99
	hook now_ms "$fixed_now"
}

# opens NAME OPTION...: a game that is in play; leaves $game.
opens() {
	local name=$1
	shift
	set_up as anna new --roster "$work/roster.json" --name "$name" "$@" ||
		exit 99
	game=$(as anna show "$name" --json | filter .game)
	set_up as bert join --yes "$game" --name "$name" || exit 99
	set_up as anna ready "$name" || exit 99
	set_up as bert show "$name" || exit 99
}

# line_of NAME N: line number N of anna's copy.
line_of() {
	sed -n "$(($2 + 1))p" "$(player_data anna)/games/$game.jsonl"
}

# rolled NAME: the dice of the last line of the game.
rolled() {
	as anna show "$1" >/dev/null 2>&1
	tail -n 1 "$(player_data anna)/games/$game.jsonl" |
		jq -c '.dice.rolls[].dice'
}

# nonce: that of the last line's order.
nonce() {
	tail -n 1 "$(player_data anna)/games/$game.jsonl" |
		jq -r '.order | fromjson | .nonce'
}

# settle NAME: answers what is asked until the combat is over.
settle() {
	local ask words
	while ask=$(as anna show "$1" --json |
		jq -er '.owed[] | select(.what == "decide") | .kind'); do
		for words in all none; do
			run as anna decide "$1" "$ask" $words --yes
			[ "$status" = 0 ] && break
			run as bert decide "$1" "$ask" $words --yes
			[ "$status" = 0 ] && break
		done
		[ "$status" = 0 ] || break
	done
}

# compare FIRST OTHER: what came of it when one and the same thing was rolled in
# two ways.
compare() {
	if [ -z "$1" ] || [ -z "$2" ]; then
		came="no dice: '$1' and '$2'"
	elif [ "$1" = "$2" ]; then
		came='the same dice'
	else
		came='it succeeds'
	fi
}

# The operator and the acting player sign one order in many ways, and record the
# one whose dice please.
attack_other_nonces() {
	local one first
	opens nonces
	keep
	seed_word=one reached as anna roll nonces 9d20 || return
	one=$(nonce)
	first=$(rolled nonces)
	back
	hook now_ms $((fixed_now + 5000))
	seed_word=other reached as anna roll nonces 9d20 --for 'in other words' ||
		return
	[ "$one" != "$(nonce)" ] || {
		came='the nonce is the same'
		return
	}
	compare "$first" "$(rolled nonces)"
}
attack other-nonces 'the same dice'

# What the dice would be is known, and so the answer is lost; the player is to
# sign something else.
attack_sign_again() {
	local one
	opens again
	hook fail_commits 20
	run as anna roll again 2d6
	one=$(jq -r '.params.order' "$(player_data anna)/games/$game.pending")
	hook fail_commits 0
	run as anna roll again 9d20 --for 'something else'
	run as anna send again
	if line_of again 4 | jq -r .order | cmp -s - <(echo "$one"); then
		came='the same bytes are sent again'
	else
		came='it succeeds'
	fi
}
attack sign-again 'the same bytes are sent again'

# In live-1 who answers objects, with the operator who knows the dice, and has it
# declared once more.
attack_object_for_other_dice() {
	local first n
	opens object --scheme live-1
	keep
	reached as anna roll object 9d20 || return
	reached as bert answer object agree --yes || return
	first=$(rolled object)
	back
	for n in 1 2; do
		reached as anna roll object 9d20 || return
		reached as bert answer object object \
			--why 'once more' || return
	done
	reached as anna roll object 9d20 || return
	reached as bert answer object agree --yes || return
	compare "$first" "$(rolled object)"
}
attack object-for-other-dice 'the same dice'

# The order in which combats are fought is to change what falls in one.
attack_permute() {
	local first one two
	opens permute
	one=$(jq -c '.attackers = [.attackers[0]] | .defenders = [.defenders[0]] |
		.contacts = [.contacts[0]]' "$work/combat.json")
	two=$(jq -c '.attackers = [.attackers[1]] | .defenders = [.defenders[1]] |
		.contacts = [.contacts[1]]' "$work/combat.json")
	echo "$one" >"$work/one.json"
	echo "$two" >"$work/two.json"
	keep
	reached as anna declare permute "$work/one.json" --yes || return
	settle permute
	reached as anna declare permute "$work/two.json" --yes || return
	first=$(rolled permute)
	back
	reached as anna declare permute "$work/two.json" --yes || return
	compare "$first" "$(rolled permute)"
}
attack permute 'the same dice'

# With a free roll before it a combat is to fall otherwise.
attack_roll_before() {
	local first
	opens before
	keep
	reached as anna declare before "$work/one.json" --yes || return
	first=$(rolled before)
	back
	reached as anna roll before 1d6 || return
	reached as anna declare before "$work/one.json" --yes || return
	compare "$first" "$(rolled before)"
}
[ -e "$work/one.json" ] || jq -c '.attackers = [.attackers[0]] |
	.defenders = [.defenders[0]] | .contacts = [.contacts[0]]' \
	"$work/combat.json" >"$work/one.json"
attack roll-before 'the same dice'

# ---- by hand, with the players' keys ----

enter carl dora
forge_game carl dora

# Two orders for one state: a roll, and the end of the turn, if it is a bad one.
attack_two_for_one_state() {
	look carl
	ask carl pool "$pool"
	ask carl order "$(order_text 1 free '{"dice":2,"sides":6}' f/1/1)"
	[ "$(of .result.seq)" != null ] || {
		came="no roll: $reply"
		return
	}
	ask carl order "$(order_text 1 turn.end '{}' p/1)"
	came=$(of .error.data.name)
	[ "$(of .result.seq)" = null ] || came='it succeeds'
}
attack two-for-one-state stale

# An order for one server is given to another that has the same players.
attack_replay_elsewhere() {
	local bytes
	ask carl sign "$(create_text "$(create_args 1 carl)" |
		sed "s/\"server\":\"[0-9a-f]*\"/\"server\":\"$(printf '%064d' 7)\"/")"
	bytes=$reply
	ask carl call game.create "$bytes"
	came=$(of .error.data.name)
	[ "$(of .result.seq)" = null ] || came='it succeeds'
}
attack replay-elsewhere other-server

# A player's clock is to be ahead, so that their time for a claim comes sooner.
attack_sign_ahead_of_time() {
	look carl
	UMPIRE_TEST_NOW=$((fixed_now + 3600000))
	ask carl order "$(order_text 1 offer '{"what":"draw"}')"
	UMPIRE_TEST_NOW=$fixed_now
	came=$(of .error.data.name)
	[ "$(of .result.seq)" = null ] || came='it succeeds'
}
attack sign-ahead-of-time clock

# An offer that was withdrawn is put in again, so that it can be accepted.
attack_replay() {
	local first
	give carl 1 offer '{"what":"victory","winner":2}'
	first=$(of .result.seq)
	give dora 2 note "{\"to\":$first,\"say\":\"decline\"}"
	came="no note: $reply"
	[ "$(of .result.seq)" = $((first + 1)) ] || return
	ask carl again
	case $(of .result.seq) in
	"$first") came='the same line' ;;
	$((first + 2))) came='it succeeds' ;;
	*) came=$reply ;;
	esac
}
attack replay 'the same line'

finish
