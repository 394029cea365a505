#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What nobody can have without end: games that wait for players, of which an
# account has so many and which lapse, the lobby's first page, and the disk,
# of which the last is kept for games that run.  What the operator reads of
# all that in the log.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks

start_umpired "$work/umpired" -o max_muster=3 -o muster_days=30 || exit 99
write_example "$work"
enrol anna bert carl || exit 99
day=86400000
base=$(($(date +%s) * 1000))
log=$work/umpired/log

# open WHO NAME OPTION...: a game of theirs, whose number is then in $game.
open() {
	local who=$1 name=$2
	shift 2
	run umpire_as "$who" new --roster "$work/roster.json" --name "$name" \
		--json "$@"
	game=$(filter .game <"$out")
}

# listed WHO FILTER OPTION...: what jq makes of that list of the server's.
listed() {
	local who=$1 filter=$2
	shift 2
	umpire_as "$who" games "$@" --json | filter "$filter"
}

# todo WHO: what waits for them, and in which games.
todo() {
	umpire_as "$1" todo --json |
		filter '[.[] | .what + " " + (.game | .[0:8])] | sort'
}

# ---- so many games wait for players ----

open anna one
one=$game
open anna two
open anna three --private
is "three are opened" "$status" 0
exits 75 "a fourth is not" umpire_as anna new --roster "$work/roster.json" \
	--name four
like "it says how many there are, and which is the oldest" "$err" \
	"3 games that you opened have not begun.*the oldest is ${one:0:8}"
like "and where the others are" "$err" '`umpire games --account anna`'
unlike "it does not say to wait" "$err" 'in a moment'
is "nothing is kept of it" "$(listed anna 'map(.name) | sort')" \
	'["one","three","two"]'
open bert other
is "another account is not concerned" "$status" 0
other=$game
exits 0 "one is cancelled" umpire_as anna cancel two --yes
open anna four
is "and makes room" "$status" 0
umpire_as bert join "$one" --name one --yes >/dev/null 2>&1
umpire_as bert ready one >/dev/null 2>&1
umpire_as anna ready one >/dev/null 2>&1
is "a game begins" "$(umpire_as anna show one --json | filter .phase)" play
open anna five
is "and makes room, too" "$status" 0
five=$game

# ---- the first page ----

umpire_as anna cancel three --yes >/dev/null 2>&1
open anna six
six=$game
mine='[.[] | select(.players[0][0] == "anna") | [.game, .opener, .others]]'
is "of anna's games one stands for all" \
	"$(listed carl "$mine" --all --phase muster)" "[[\"$six\",\"anna\",2]]"
is "without a phase, too" "$(listed carl \
	'[.[] | select(.phase == "muster") | .players[0][0]] | sort' --all)" \
	'["anna","bert"]'
run umpire_as carl games --all
like "it says that there are more" "$out" \
	'^anna has 2 more: umpire games --account anna$'
unlike "but not of bert's" "$out" 'bert has'
is "which lists them" "$(listed carl \
	'[.[] | select(.phase == "muster")] | length' --account anna)" 3
open anna hidden --private
is "there are three that wait" "$status" 75
umpire_as anna cancel six --yes >/dev/null 2>&1
open anna hidden --private
is "a private game" "$status" 0
is "stands for none, since that would tell of it" \
	"$(listed carl "$mine" --all --phase muster)" "[[\"$five\",\"anna\",1]]"

# ---- they lapse ----

open bert pair
umpire_as carl join "$game" --name pair --yes >/dev/null 2>&1
is "two sit in a game" "$(todo bert)" "[\"ready ${game:0:8}\"]"
umpire_as bert invite other carl >/dev/null 2>&1
is "carl is invited" "$(todo carl | grep -c "invitation ${other:0:8}")" 1
hook now_ms $((base + 31 * day))
is "that is gone, and nothing is owed" "$(todo carl)" '[]'
is "from the list of invitations, too" "$(listed carl length --invited)" 0
is "no game waits for players" "$(listed carl length --all --phase muster)" 0
is "four have lapsed" "$(listed carl \
	'[.[] | .phase] | unique' --phase lapsed)" '["lapsed"]'
is "they stand in the list as such" "$(listed carl \
	"[.[] | select(.game == \"$five\") | .phase]" --all)" '["lapsed"]'
is "who opened it is told" "$(todo bert | grep -c "lapsed ${other:0:8}")" 1
run umpire_as bert todo
like "with what to do" "$out" 'umpire cancel other'
run umpire_as bert show other
like "in show as well" "$out" '^This game has lapsed'
is "and in games" "$(umpire_as bert games --json |
	filter '[.[] | select(.name == "other") | .phase]')" '["lapsed"]'
before=$(umpire_as bert show other --json | filter .seq)
exits 77 "nobody joins" umpire_as carl join "$other" --name other --yes
like "and is told why" "$err" 'lapsed.*for 30 days'
exits 77 "nobody is ready" umpire_as bert ready pair
like "likewise" "$err" 'lapsed'
exits 0 "that is not kept: the game can be cancelled" \
	umpire_as bert cancel pair --yes
exits 77 "nobody is invited" umpire_as bert invite other anna
like "likewise" "$err" 'lapsed'
is "there is no line of any of that" \
	"$(umpire_as bert show other --json | filter .seq)" "$before"
open anna seven
is "lapsed games do not count" "$status" 0
exits 0 "it can be cancelled" umpire_as bert cancel other --yes
is "and is told no more" "$(todo bert | grep -c lapsed)" 0
exits 0 "its record is good" umpire_as bert export other -o "$work/o.jsonl"
exits 0 "for everybody" "$UMPIRE" verify "$work/o.jsonl"
exits 0 "a game that runs does not lapse" umpire_as anna say one "Still here."
hook now_ms 0

# ---- the disk ----

mkdir -p "$work/players/gina" "$work/players/phone"
umpire_as gina init --server "$server" >"$out" 2>"$err"
words=$(grep -oE '([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}' <"$out")
umpire_as gina register gina --trust >"$out" 2>"$err"
umpire_as phone init --server "$server" --account gina >"$out" 2>"$err"
code=$(umpire_as phone keys add --json <<<"$words" | filter .code)
hook free_mib 100
# taken: true if a game can be opened, which is cancelled at once.
taken() {
	n=$((${n:-0} + 1))
	umpire_as anna new --roster "$work/roster.json" --name "disk$n" \
		>/dev/null 2>"$work/disk.err" &&
		umpire_as anna cancel "disk$n" --yes >/dev/null 2>&1
}
# How much is free is looked at once a second.
is_full() {
	! taken
}
for name in four five seven; do
	umpire_as anna cancel "$name" --yes >/dev/null 2>&1
done
wait_for 5 is_full
like "no new games on a disk that is nearly full" "$work/disk.err" \
	'the server.s disk is nearly full'
init_player dora || exit 99
exits 75 "no new accounts" umpire_as dora register dora --trust
like "in words" "$err" "disk is nearly full"
exits 75 "no key beside another" umpire_as gina keys add "$code"
like "for the same reason" "$err" "disk is nearly full"
# shellcheck disable=SC2317
recover() {
	umpire_as gina keys recover <<<"$words"
}
exits 0 "but keys that were stolen can be replaced" recover
exits 0 "games that run go on" umpire_as anna say one "Hello."
is "it is logged once" "$(grep -c 'only 100 MiB of disk space are free' "$log")" 1
hook free_mib 1000
exits 0 "with room there are new games" wait_for 5 taken
exits 0 "and accounts" umpire_as dora register dora
exits 0 "and keys" umpire_as gina keys add "$code"
is "that is logged once, too" "$(grep -c '1000 MiB of disk space are free: new' \
	"$log")" 1

# ---- what the operator reads ----

like "who registered, from where" "$log" \
	'session [0-9]+ 127\.0\.0\.1.*: registered "anna"$'
like "who opened which game" "$log" "anna: opened game ${one:0:16}\$"
like "that it began" "$log" "anna: game ${one:0:16}: phase play\$"
like "that one was cancelled" "$log" "bert: game ${other:0:16}: phase over\$"

stop_umpired
is "the daemon ended well" "$?" 0

# ---- connections ----

start_umpired "$work/umpired" -o max_connections=1 || exit 99
umpire_as bert init --server "$server" >/dev/null
session only anna
ask only hello
exits 69 "there is room for one" umpire_as bert todo
like "who is turned away reads why that may be" "$err" \
	'closes at once may be full, or was asked too often: wait a minute'
close_session only
exits 0 "the next may come" wait_for 5 umpire_as bert todo --json
stop_umpired
is "that daemon ended well, too" "$?" 0
finish
