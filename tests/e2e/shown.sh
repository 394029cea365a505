#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What game.show has answered is kept and answered again, to everybody who may
# see it: never to others, never when the game has gone on, and always as it
# would be made anew.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

# One thread, so that all ask the one who answered the others.
start_umpired "$work/umpired" -o io_threads=1 || exit 99
enter anna bert carl || exit 99
session nobody
write_example "$work"
put_roster anna "$work/roster.json"

# invite WHO TRUE|FALSE: anna invites to $game, or takes it back.
invite() {
	ask anna call game.invite \
		"{\"game\":\"$game\",\"account\":\"$1\",\"invite\":$2}"
}

# new_game FILTER: anna's game with bert, its create order changed so.
new_game() {
	ask anna order "$(create_text "$(create_args 1 anna "$1")")"
	game=$(of '.result.line | fromjson | .game')
	invite bert true
	look anna
	ask bert order "$(order_text 2 join "$(join_args 2 bert)")"
}

# begin: both are ready.
begin() {
	give bert 2 ready '{}' p/0
	give anna 1 ready '{}' p/0
}

# show SESSION: what it is shown of $game, without the number of the request.
show() {
	ask "$1" call game.show "{\"game\":\"$game\"}"
	of "${2:-.result}"
}

# denied SESSION: the name of the error that it is shown.
denied() {
	show "$1" .error.data.name
}

# shown_to_both: both players see the same, twice.
shown_to_both() {
	local first
	first=$(show anna)
	[ "${#first}" -gt 500 ] && [ "$(show bert)" = "$first" ] &&
		[ "$(show anna)" = "$first" ]
}

# ---- a game of which nobody else knows ----

new_game '.private = true'
is "carl does not see a private game" "$(denied carl)" not-found
invite carl true
is "but when he is invited" "$(show carl .result.seq)" 1
invite carl false
is "the same line is not for him when he is not" "$(denied carl)" not-found
begin
holds "both see a private game" shown_to_both
is "carl does not, whoever has seen it before him" "$(denied carl)" not-found
is "nor who is not logged in" "$(denied nobody)" not-found
holds "they still see it" shown_to_both
is "a prefix is found for them" \
	"$(game=${game:0:12} show anna .result.seq)" 3
is "and for nobody else" "$(game=${game:0:12} denied carl)" not-found

# ---- a game that is shown with a delay ----

new_game '.options = {delay: 2}'
is "before play all see it" "$(show carl .result.phase)" muster
begin
holds "both see a delayed game" shown_to_both
is "carl does not" "$(denied carl)" denied
is "nor who is not logged in" "$(denied nobody)" denied
give anna 1 turn.end '{}' p/1
is "bert sees the next line" "$(show bert .result.seq)" 4
is "carl still sees nothing" "$(denied carl)" denied
give bert 2 resign '{}'
is "once it is over they see its end" "$(show anna .result.phase)" over
is "and carl the same" "$(show carl)" "$(show bert)"

# ---- a game that goes on ----

stop_umpired || fail "the daemon stops cleanly"
for name in anna bert carl nobody; do close_session $name; done
start_umpired "$work/umpired" -o io_threads=2 || exit 99
# The threads take connections in turn.
for name in anna bert; do
	session $name $name
	ask $name login $name
done
session nobody
session somebody
new_game .
begin
holds "it has begun" [ "$(of .result.seq)" = 3 ]
late=
for turn in $(seq "$(some 10 4)"); do
	if [ $((turn % 2)) = 1 ]; then who=anna seat=1; else who=bert seat=2; fi
	give $who $seat turn.end '{}' "p/$turn"
	seq=$(of .result.seq)
	for name in nobody somebody anna bert; do
		ask $name call game.show "{\"game\":\"$game\"}"
		[ "$("$tools/pick" .result.seq .result.turn <<<"$reply")" = \
			"$seq $((turn + 1))" ] ||
			late="$late $turn:$name"
	done
done
is "whoever asks after an answer sees what was answered" "$late" ''
is "all lines are there" "$seq" $((turn + 3))

# ---- what is kept is what would be made ----

for name in nobody somebody; do show $name >"$work/kept.$name"; done
holds "both threads say the same" cmp "$work/kept.nobody" "$work/kept.somebody"
stop_umpired || fail "the daemon stops cleanly"
for name in anna bert nobody somebody; do close_session $name; done
start_umpired "$work/umpired" -o io_threads=1 || exit 99
session nobody
show nobody >"$work/made"
holds "and what a new daemon makes" cmp "$work/kept.nobody" "$work/made"
show nobody >"$work/again"
holds "and says again" cmp "$work/made" "$work/again"
stop_umpired || fail "the daemon stops cleanly"

finish
