#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What those who only look can find: lists of games by system and by event,
# with a title for each, how it stands and how it ended; and nothing of what
# they may not see.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

start_umpired "$work/umpired" || exit 99
enter anna bert || exit 99
session nobody
session other
session lobby
write_example "$work"
put_roster anna "$work/roster.json"

# list SESSION PARAMS FILTER: what jq makes of that list.
list() {
	ask "$1" call game.list "$2"
	of "${3:-[.result.games[].game]}"
}

# row SESSION FILTER: what it has of $game.
row() {
	list "$1" '{"all":true}' ".result.games[] | select(.game == \"$game\") | $2"
}

# new_game FILTER: anna's game, its create order changed so; bert joins it.
new_game() {
	ask anna texts '[]'
	ask anna order "$(create_text "$(create_args 1 anna "$1")")"
	game=$(of '.result.line | fromjson | .game')
	if of '.result.line | fromjson | .order | fromjson | .args.private' |
		grep -q true; then
		ask anna call game.invite \
			"{\"game\":\"$game\",\"account\":\"bert\",\"invite\":true}"
	fi
	[ -n "${2:-}" ] && return
	look anna
	ask bert order "$(order_text 2 join "$(join_args 2 bert)")"
	give bert 2 ready '{}' p/0
	give anna 1 ready '{}' p/0
}

# ---- rows ----

new_game '.event = "Waterloo Cup" | .round = 2 | .table = 3' muster
cup=$game
is "before play there is a title" "$(row nobody .title)" \
	"Waterloo Cup, round 2, table 3: French against Austrians"
is "how it stands" "$(row nobody .now)" "a seat is free"
is "and no result" "$(row nobody .result)" null
ask lobby call lobby.watch '{}'
new_game .
plain=$game
is "who plays without an event fights, too" "$(row nobody .title)" \
	"French against Austrians"
is "it says whose move it is, and what is left" "$(row nobody .now)" \
	"turn 1, French to move; 19 against 13 left"
give anna 1 turn.end '{}' p/1
is "line by line" "$(row nobody .now)" \
	"turn 2, Austrians to move; 19 against 13 left"
give bert 2 resign '{}'
is "who has won" "$(row nobody .now)" \
	"French won the game: the other side resigned; 19 against 13 left"
is "and how, for programs" "$(row nobody .result)" \
	'{"winner":1,"how":"resign"}'
# heard_row FILTER TEXT: the lobby's notices come to this for $game.
heard_row() {
	local n
	for n in 1 2 3 4 5 6 7 8 9 10; do
		ask lobby line 2000
		[ "$(of .params.game)" != "$game" ] ||
			[ "$(of "$1")" != "$2" ] || return 0
		[ "$(of .failed)" = null ] || return 1
	done
	return 1
}
holds "the lobby's notices say the same" heard_row .params.result.winner 1
is "with the title" "$(of .params.title)" "French against Austrians"
is "and the words" "$(of .params.now)" \
	"French won the game: the other side resigned; 19 against 13 left"
close_session lobby

# ---- filters ----

new_game '.event = "Waterloo Cup"' muster
second=$game
is "an event's games, all of one account's that wait" \
	"$(list nobody '{"event":"Waterloo Cup"}')" "[\"$second\",\"$cup\"]"
is "by phase" "$(list nobody '{"event":"Waterloo Cup","phase":"play"}')" '[]'
is "to the letter" "$(list nobody '{"event":"waterloo cup"}')" '[]'
is "page by page" "$(list nobody '{"event":"Waterloo Cup","limit":1}')" \
	"[\"$second\"]"
ask nobody call game.list '{"event":"Waterloo Cup","limit":1}'
more=$(of .result.more)
is "and the next" \
	"$(list nobody "{\"event\":\"Waterloo Cup\",\"before\":\"$more\"}")" \
	"[\"$cup\"]"
is "a system's games, of those that wait the newest" \
	"$(list nobody '{"system":"lasalle2"}')" "[\"$second\",\"$plain\"]"
is "in a phase" "$(list nobody '{"system":"lasalle2","phase":"over"}')" \
	"[\"$plain\"]"
is "none of another" "$(list nobody '{"system":"tlnb"}')" '[]'
is "both" "$(list nobody '{"system":"lasalle2","event":"Waterloo Cup"}')" \
	"[\"$second\",\"$cup\"]"
for wrong in '"system":"chess"' '"system":7' '"event":""' '"event":"é"' \
	'"event":null' "\"event\":\"$(printf 'x%.0s' {1..65})\"" \
	'"event":"a\nb"' '"systems":"tlnb"'; do
	ask nobody call game.list "{$wrong}"
	is "not $wrong" "$(of .error.data.name)" invalid
done
ask anna call game.list '{"invited":true,"event":"Waterloo Cup"}'
is "nor with invited" "$(of .error.data.name)" invalid

# ---- what is not for strangers ----

new_game '.event = "Secret Cup" | .private = true'
is "a private game is in no list" "$(list nobody '{"event":"Secret Cup"}')" '[]'
is "of none" "$(list nobody '{"system":"lasalle2","phase":"play"}')" '[]'
is "its players have it" "$(list bert '{"event":"Secret Cup"}')" "[\"$game\"]"
is "with its title" "$(row bert .title)" \
	"Secret Cup: French against Austrians"

new_game '.options = {delay: 2}'
give anna 1 turn.end '{}' p/1
give bert 2 turn.end '{}' p/2
is "of a delayed game those in it read how it stands" "$(row bert .now)" \
	"turn 3, French to move; 19 against 13 left"
is "others its turn alone" "$(row other .now)" "turn 2, shown 2 turns later"
is "and a title" "$(row other .title)" "French against Austrians"
ask anna call game.list '{"phase":"play"}'
give anna 1 resign '{}'
is "its end is told" "$(row other .result.winner)" 2
new_game '.options = {delay_minutes: 1}'
is "minutes, too" "$(row other .now)" "turn 1, shown 1 minute later"

# ---- words that are erased ----

new_game '.event = "Erased"'
erased=$game
# words TEXT: what an order beside it is to name, in $ref.
words() {
	ref=$({
		printf 'umpire/text/1\0'
		unhex "$zeros"
		printf '%s' "$1"
	} | sha256sum | cut -c1-64)
	ask anna texts "[{\"salt\":\"$zeros\",\"value\":\"$1\"}]"
}
# chat TEXT [TO]: anna says that, and what names it goes into $ref.
chat() {
	words "$1"
	look anna
	ask anna order "$(order_text 1 chat "{\"ref\":\"$ref\"${2:+,\"to\":\"$2\"}}")"
}
# erase: anna has $ref of $game erased.
erase() {
	ask anna call text.erase "{\"game\":\"$game\",\"ref\":\"$ref\"}"
}
# erasures SESSION: how many of $game's words are gone, as game.heads has it.
erasures() {
	ask "$1" call game.heads "{\"games\":[{\"game\":\"$game\",\"seq\":0,\"head\":\"$zeros\"}]}"
	of '.result.games[0].erasures'
}
chat first
one=$ref
chat second
two=$ref
is "before anything is erased there is no number" "$(erasures nobody)" null
session watcher
ask watcher call game.watch "{\"game\":\"$game\"}"
is "who watches is told that there are none" "$(of .result.erasures)" 0
session lobby
ask lobby call lobby.watch '{"erased":true}'
session deaf
ask deaf call lobby.watch '{}'
ref=$two
erase
is "anna has her words erased" "$(of .result.is_new)" true
for name in watcher lobby; do
	ask $name line 5000
	is "$name is told" "$(of '[.method, .params.game, .params.ref,
		.params.erasures]')" "[\"game.erased\",\"$game\",\"$two\",1]"
done
ref=$one
erase
ask watcher line 5000
is "of each by its number" "$(of '[.params.ref, .params.erasures]')" \
	"[\"$one\",2]"
erase
is "once more" "$(of .result.is_new)" false
is "is no more of them" "$(erasures nobody)" 2
ask watcher call game.watch "{\"game\":\"$game\",\"after\":0}"
is "who comes back is told how many there are" "$(of .result.erasures)" 2
ask nobody call game.record "{\"game\":\"$game\",\"from\":9,\"erased\":1}"
is "and asks for those that they were not told of" \
	"$(of '[.result.erased, .result.erasures]')" "[[\"$one\"],2]"

# What only a side could read tells strangers nothing, not even a number.
chat aside side
ref_side=$ref
is "a word to the side" "$(of .result.repeat)" false
erase
is "that is erased" "$(of .result.is_new)" true
is "is nothing to strangers" "$(erasures nobody)" 2
is "nor to the other side" "$(erasures bert)" 2
is "but it counts for the own" "$(erasures anna)" 3

# A game that nobody may know of.
new_game '.private = true | .event = "Erased"'
hidden=$game
chat hushed
erase
is "a private game's words are erased" "$(of .result.is_new)" true
is "of which strangers learn nothing" "$(erasures nobody)" null
is "and its players do" "$(erasures bert)" 1

# Lines that a delay hides.
new_game '.options = {delay: 2}'
chat delayed
erase
is "so are words in a line that is not shown yet" "$(of .result.is_new)" true
is "which is not told either" "$(erasures nobody)" null

game=$erased
chat last
three=$ref
erase
is "the last words of the open game" "$(of .result.is_new)" true
# All that the lobby was told, in order, up to these.
told=
all=
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
	ask lobby line 5000
	all+=$reply
	case $(of .method) in
	game.erased) told="$told $(of .params.ref)" ;;
	null) break ;;
	esac
	[ "$(of .params.ref)" != "$three" ] || break
done
is "the lobby tells of open words alone" "$told" " $one $three"
told=
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
	ask deaf line 300
	[ "$(of .method)" != null ] || break
	told="$told $(of .method)"
done
unlike "whoever did not ask hears none" <(echo "$told") erased
ask nobody call lobby.watch '{"erased":1}'
is "yes or no" "$(of .error.data.name)" invalid
unlike "nor was a word to a side told to strangers" <(echo "$all") "$ref_side"
for name in watcher lobby deaf; do close_session $name; done
stop_umpired || fail "the daemon stops cleanly"
start_umpired "$work/umpired" || exit 99
for name in nobody other; do
	close_session $name
	session $name
done
is "the number outlives the daemon, that of the side counted" \
	"$(erasures nobody)" 4
game=$hidden
is "and nobody knows of the private game" "$(erasures nobody)" null

# ---- for people ----

run umpire_as carl init --server "$server"
run umpire_as carl games --all --trust
is "umpire games --all" "$status" 0
like "has how each stands" "$out" 'French won the game: the other side resigned'
run umpire_as carl games --event "Waterloo Cup" --json
is "umpire games --event" "$(filter 'map([.title, .now, .result])' <"$out")" \
	'[["Waterloo Cup: French against Austrians","a seat is free",null],["Waterloo Cup, round 2, table 3: French against Austrians","a seat is free",null]]'
run umpire_as carl games --system lasalle2 --phase over --json
is "umpire games --system" "$(filter 'map(.result.how) | unique' <"$out")" \
	'["resign"]'
exits 65 "a system that there is not" umpire_as carl games --system chess
like "is named" "$err" 'no such system'
exits 65 "an event that there cannot be" umpire_as carl games --event ''

# ---- gateways ----

games=$(list nobody '{"all":true}' '.result.games[].game')
for name in nobody other; do close_session $name; done
stop_umpired || fail "the daemon stops cleanly"
for wrong in web.example 127.0.0.1/8 "127.0.0.1 nowhere" 127.0.0.1:1815; do
	exits 78 "no gateway: $wrong" "$UMPIRED" -c "$work/umpired/umpired.conf" \
		"${as_root[@]}" -o "gateways=$wrong"
done
cat >>"$work/umpired/umpired.conf" <<END
max_watches = 2
max_per_address = 3
gateway_connections = 4
gateway_watches = 3
END
cp "$work/umpired/umpired.conf" "$work/without"
echo "gateways = 192.0.2.1, 127.0.0.1" >>"$work/umpired/umpired.conf"
start_umpired "$work/umpired" || exit 99
# watched SESSION: how many games it may watch, and what is said of one more.
watched() {
	local g n=0
	for g in $games; do
		ask "$1" call game.watch "{\"game\":\"$g\"}"
		[ "$(of .error)" = null ] || break
		n=$((n + 1))
	done
	echo "$n $(of .error.message)"
}
# is_taken SESSION: it is connected.
is_taken() {
	ask "$1" call server.hello '{}'
	[ "$(of .result.protocol)" = 1 ]
}
for n in 1 2 3 4; do
	session g$n
	holds "connection $n of a gateway is taken" is_taken g$n
done
is "each watches three games" "$(watched g1)" \
	"3 this connection already watches 3 games"
is "the last, too" "$(watched g4)" "3 this connection already watches 3 games"
is "one connection more is closed" "$(openssl s_client -quiet -connect \
	"127.0.0.1:$port" </dev/null 2>/dev/null >"$work/tls" && echo open)" ""
{ cat "$work/without" && echo 'policy = closed'; } \
	>"$work/umpired/umpired.conf"
kill -HUP "$daemon"
# is_closed: the new settings are in force.
is_closed() {
	ask g2 hello
	[ "$(of .result.policy)" = closed ]
}
wait_for 20 is_closed
for n in 3 4; do close_session g$n; done
session g5
holds "after a reload others come" is_taken g5
is "as everybody does" "$(watched g5)" \
	"2 this connection already watches 2 games"
is "who was a gateway's stays it" "$(watched g1)" \
	"3 this connection already watches 3 games"
for n in 1 2 5; do close_session g$n; done

finish
