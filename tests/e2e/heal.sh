#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A server that has lost lines gets them back from whoever holds them, unasked,
# byte for byte, with what lies beside them.  tests/tools/perjurer is a server
# that takes them from a copy, so that what is sent can be looked at.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

dir=$work/umpired
start_umpired "$dir" || exit 99
write_example "$work"
for who in anna bert; do
	init_player $who || exit 99
	umpire_as $who register $who --trust >/dev/null 2>&1 || exit 99
done
umpire_as anna new --roster "$work/roster.json" --name duel >/dev/null
game=$(umpire_as anna show duel --json | filter .game)
umpire_as bert join "$game" --name duel --yes >/dev/null
umpire_as anna ready duel >/dev/null
umpire_as anna declare duel "$work/combat.json" --yes >/dev/null
umpire_as anna say duel "and so" >/dev/null
umpire_as bert decide duel retire none >/dev/null
umpire_as anna export duel -o "$work/whole" >/dev/null
grep '"mark":"' "$work/whole" >"$work/lines"
grep -v '"mark":"' "$work/whole" >"$work/side"
n=$(wc -l <"$work/lines")
stop_umpired

echo lossy >"$work/mode"
cp "$work/whole" "$work/shown"
"$tools/perjurer" "$dir" "$work/shown" "$work/mode" >"$work/perjurer.port" \
	2>>"$work/asked" &
daemons="$daemons $!"
wait_for 10 test -s "$work/perjurer.port" || exit 99
for who in anna bert; do
	umpire_as $who init --server \
		"127.0.0.1:$(cat "$work/perjurer.port")" >/dev/null
done

# loses N [SIDE]: the server has the first N lines alone, and no text; or what
# SIDE says of what lies beside them.
loses() {
	{
		head -n "$1" "$work/lines"
		grep "${2:-^{\"blob\"}" "$work/side"
	} >"$work/shown"
	: >"$work/asked"
}

# whole: true if it has all again.
whole() {
	[ "$(grep '"mark":"' "$work/shown")" = "$(cat "$work/lines")" ] &&
		[ "$(grep -v '"mark":"' "$work/shown" | sort)" = \
			"$(sort "$work/side")" ]
}

exits 0 "nothing is lost" umpire_as anna show duel
is "nothing is sent" "$(grep -c heal "$work/asked")" 0
is "but the heads are told" "$(grep -c heads "$work/asked")" 1

loses $((n - 1)) .
exits 0 "the last line is lost" umpire_as anna show duel
like "whoever holds it is told" "$err" "had lost line $((n - 1)) of 'duel'"
like "what they need do" "$err" 'you need do nothing'
holds "and it is back" whole
exits 0 "which is told once" umpire_as anna show duel
is "and no more" "$(cat "$err")" ''

loses 3
exits 0 "several are lost" umpire_as bert log duel
like "which is told in one sentence" "$err" "had lost lines 3 to $((n - 1)) of"
holds "they are back with their texts" whole
is "by one who read" "$(grep -c order "$work/asked")" 0

# Another game than the one that is looked at.
loses 4
exits 0 "todo gives back what no one asked for" umpire_as anna games
holds "all of it" whole

loses 4
watching anna "$work/watch.out" duel
wait_for 10 whole
holds "watch gives it back" whole
kill "$watcher"
wait "$watcher" 2>/dev/null

# An order finds the server behind.
loses 4
run umpire_as bert say duel "hello" --yes
like "an order is given after that" "$err" 'Your copy has given them back'
holds "and not before" whole
is "heads, lines, order" "$(grep -E 'heads|heal|order' "$work/asked" |
	uniq | tr '\n' ' ')" "game.heads game.heal game.heads game.order "
rm -f "$(player_data bert)/games/$game.pending"

# It waits for others.
loses 5
echo waiting >"$work/mode"
exits 0 "a server that still recovers" umpire_as anna show duel
like "says so" "$err" "takes no orders yet in 'duel':"
like "and that others may help" "$err" 'other players may hold lines'
holds "what is held is back" whole

# A server that signed something else in the meantime is not healed.
echo lossy >"$work/mode"
{
	head -n 4 "$work/lines"
	sed -n 5p "$work/lines" | sed 's/"at":"20[0-9][0-9]/"at":"2099/' |
		"$tools/perjurer" mark "$dir"
	grep '^{"blob"' "$work/side"
} >"$work/shown"
exits 76 "two lines of one number" umpire_as anna show duel
like "are proof" "$err" 'signed two different lines 4; this file proves it'
is "and nothing is sent" "$(grep -c '"at":"2099' "$work/shown")" 1
exits 76 "also in another game than the one that is asked for" \
	umpire_as anna todo
like "which is named" "$err" '^ *\(That was about duel.\)$'
finish
