#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Watching a game, all own games and the lobby: what is told through a proxy
# that cuts connections, after every record of the server's in turn and within
# it, is what is told without; a connection that is half dead is found; what
# a notice of the lobby must not tell; Ctrl-C, the bell, --wait.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3

dir=$work/umpired
start_umpired "$dir" || exit 99
write_example "$work"
enrol anna bert carl || exit 99
# She is nobody here, and sees what everybody sees.
init_player dora && umpire_as dora games --all --trust >/dev/null 2>&1 || exit 99
umpire_as anna new --roster "$work/roster.json" --name evening >/dev/null
game=$(umpire_as anna show evening --json | jq -r .game)
umpire_as bert join --yes "$game" --name fight >/dev/null
umpire_as anna ready evening >/dev/null

# through WHO PORT: makes that player, a copy of the one before the first hyphen,
# who goes by the proxy.
through() {
	cp -r "$work/players/${1%%-*}" "$work/players/$1"
	sed -i "s/^server = .*/server = 127.0.0.1:$2/" \
		"$work/players/$1/config/umpire/default/config"
}

# told N FILE...: true if each file has at least so many lines.
# shellcheck disable=SC2317
told() {
	local n=$1 file
	shift
	for file in "$@"; do
		[ "$(wc -l <"$file")" -ge "$n" ] || return 1
	done
}

# same SET: true if all of it was told the same through the proxy.
# shellcheck disable=SC2317
same() {
	local view
	for view in $views; do
		cmp -s "$work/$view.plain" "$work/$view-$1" || return 1
	done
}

# ---- cut in turn ----

# Who comes back makes pauses: so there are four sets of each view, which are
# cut at once.
views="carl-game bert-mine dora-lobby"
sets=4
watchers=
mkfifo "$work/cuts"
names=$(for view in $views; do seq -f "$view-%g" $sets; done)
# shellcheck disable=SC2086
python3 "$top_srcdir/tests/e2e/cutter.py" "$port" "$work/ports" $names \
	<"$work/cuts" >"$work/cut.out" 2>"$work/cut.err" &
daemons="$daemons $!"
exec {cuts}>"$work/cuts"
wait_for 20 told $((3 * sets)) "$work/ports"
while read -r name at; do
	through "$name" "$at"
done <"$work/ports"

# watch_all VIEW ARGUMENT...: with and without the proxy.
watch_all() {
	local view=$1 i
	shift
	cp -r "$work/players/${view%-*}" "$work/players/$view-plain"
	watching "$view-plain" "$work/$view.plain" "$@"
	watchers="$watchers $watcher"
	for i in $(seq $sets); do
		watching "$view-$i" "$work/$view-$i" "$@"
		watchers="$watchers $watcher"
	done
}

# begun VIEW: true if all of them have.
# shellcheck disable=SC2317
begun() {
	local file
	for file in "$work/$1".plain.err "$work/$1"-[0-9].err; do
		grep -q Watching "$file" || return 1
	done
}
watch_all carl-game "$game" --json
watch_all bert-mine
watch_all dora-lobby --lobby
for view in bert-mine dora-lobby; do
	wait_for 20 begun $view
	is "$view begins" $? 0
done
# A game is watched once its first line has come.
umpire_as anna say evening begin >/dev/null
is "and the game's" "$(wait_for 20 told 1 "$work"/{carl-game,bert-mine}{.plain,-?} &&
	echo yes)" yes

# Each is something that happens in the lobby, with how many sentences that is;
# @ is the number of the game that was opened last.
events=(
	'1 anna new --roster roster.json --name one --json'
	'1 bert join --yes @ --name one'
	'1 anna ready one'
	'1 bert resign one --yes'
	'0 anna close one --yes'
	'1 bert close one --yes'
	'1 anna new --roster roster.json --name two --seats 4 --json'
	'1 bert join --yes @ --name two'
	'1 anna refuse two bert --yes'
	'1 carl join --yes @ --name two'
	'1 anna cancel two --yes'
	'1 carl new --roster roster.json --name three --json'
	'1 carl cancel three --yes'
	'1 bert new --roster roster.json --name four --json'
	'1 carl join --yes @ --name four'
	'1 carl resign four --yes'
)
opened=

# happen NUMBER: that, and words in the game that goes on all the time; $more
# is how many sentences are to come.
happen() {
	local words
	read -ra words <<<"${events[$1]/@/$opened}"
	more=${words[0]}
	(cd "$work" && umpire_as "${words[@]:1}") >"$work/happen" 2>&1 ||
		diag "${events[$1]}: $(cat "$work/happen")"
	[ "${words[2]}" != new ] || opened=$(jq -r .game "$work/happen")
	umpire_as anna say evening "word $1" >/dev/null
}

# whole SET: waits until it was told all that the others were.
whole() {
	local view
	wait_for 30 same "$1" && return
	for view in $views; do
		diag "$view"
		diff "$work/$view.plain" "$work/$view-$1" | sed 's/^/# /'
	done
	return 1
}

# cut ROUND: the connections of each set end in another place, beginning with
# what happens next.
cut() {
	local i mode n
	for i in $(seq $sets); do
		n=$(($1 * sets + i))
		mode=whole
		[ $((i % 2)) = 1 ] || mode=half
		echo "plan $n $mode -$i" >&"$cuts"
		wait_for 20 grep -q "plan $n $mode" "$work/cut.out"
	done
}

round=0
for i in "${!events[@]}"; do
	case ${events[$i]} in
	*'bert join --yes @ --name one' | *refuse* | *'carl new'* | *'carl resign'*)
		cut $round
		round=$((round + 1))
		;;
	esac
	before=$(wc -l <"$work/dora-lobby.plain")
	happen "$i"
	wait_for 20 told $((before + more)) "$work/dora-lobby.plain"
	wait_for 20 grep -q "word $i" "$work/carl-game.plain"
	wait_for 20 grep -q "word $i" "$work/bert-mine.plain"
	# What comes and goes while nobody is there is not known later.
	for j in $(seq $sets); do
		whole "$j" || break
	done
	is "'${events[$i]#* }' is told to all, once, in order" $? 0
done
is "there were sixteen pairs of cuts" $((round * sets)) 16
is "lines of the game are told by their numbers" \
	"$(jq .seq "$work/carl-game-1" | paste -sd' ')" "$(seq -s' ' 4 20)"
like "a new game of one's own is told from its beginning" \
	"$work/bert-mine-1" ' 0 .* bert opens the game'
like "who was refused is told" "$work/bert-mine-1" ': bert left$'
is "the lobby in sentences" "$(sed 's/^[^:]*:[^:]*: //' "$work/dora-lobby-1" |
	head -n 5)" 'anna opened a game (lasalle2)
bert joined
play begins, anna against bert
the game is over
the game is closed'
like "that the connection is lost is said" "$work/dora-lobby-1.err" \
	'connecting again'
like "and that it is back" "$work/dora-lobby-1.err" 'connection is back'

# shellcheck disable=SC2086
kill $watchers

# ---- a connection that is half dead ----

UMPIRE_TIMEOUT=1 watching bert-mine-1 "$work/stalled" fight
stalled=$watcher
wait_for 20 grep -q lasalle2 "$work/stalled"
umpire_as anna say evening "before" >/dev/null
is "it is watched" "$(wait_for 20 grep -q before "$work/stalled" && echo yes)" yes
echo stall bert-mine-1 >&"$cuts"
wait_for 20 grep -q stall "$work/cut.out"
umpire_as anna say evening "meanwhile" >/dev/null
# It takes a while to be found.

# ---- the bell ----

# ring NAME ARGUMENT...: bert watches on a terminal of Python's, which ends
# with it.
ring() {
	local file=$1 home=$work/players/bert
	shift
	env HOME="$home" XDG_CONFIG_HOME="$home/config" \
		XDG_DATA_HOME="$home/data" python3 -c \
		'import pty, sys; pty.spawn(sys.argv[1:])' \
		"$UMPIRE" watch "$@" >"$work/$file" 2>&1 </dev/null &
	daemons="$daemons $!"
	wait_for 20 grep -q Watching "$work/$file"
}
ring bell
ring silence --quiet
umpire_as anna say evening "no bell" >/dev/null
for file in bell silence; do
	wait_for 20 grep -q "no bell" "$work/$file"
done
is "words ring no bell" "$(cat "$work/bell" "$work/silence" | tr -dc '\a' | wc -c)" 0
umpire_as anna end-turn evening >/dev/null
is "one's turn rings" \
	"$(wait_for 20 grep -q $'\a' "$work/bell" && echo yes)" yes
umpire_as anna say evening "again" >/dev/null
for file in bell silence; do
	wait_for 20 grep -q again "$work/$file"
done
is "once" "$(tr -dc '\a' <"$work/bell" | wc -c)" 1
is "but not with --quiet" "$(tr -dc '\a' <"$work/silence" | wc -c)" 0

# ---- notices, and who may know what ----

# noticed SESSION FILTER: what jq makes of the session's next notice.
noticed() {
	ask "$1" line 20000
	of ".params | $2"
}
for who in anna bert carl; do
	session $who $who
	ask $who login $who
done
session dora
ask dora call lobby.watch '{"mine":true}'
refused "own games need a login" 5 login params.mine
ask dora call lobby.watch '{"mine":1}'
refused "mine is true or false" -32602 invalid params.mine
ask dora call lobby.watch '{}'
is "the lobby may be watched by anybody" "$(of .result)" '{}'
ask bert call lobby.watch '{"mine":true}'
ask carl call lobby.watch '{"mine":false}'
ask carl call lobby.watch '{"mine":true}'
run umpire_as anna new --roster "$work/roster.json" --name closed --private \
	--invite bert --json
game=$(jq -r .game "$out")
is "an invitation comes to who is invited" \
	"$(noticed bert '"\(.game) \(.invited) \(.phase)"')" "$game true muster"
umpire_as anna invite closed bert --withdraw >/dev/null
is "so does its end, without the game" "$(noticed bert tostring)" \
	"{\"game\":\"$game\",\"gone\":true}"
# Nobody hears of a game by the end of what never was.
umpire_as anna invite closed carl --withdraw >/dev/null
umpire_as anna invite closed bert --withdraw >/dev/null
umpire_as anna invite closed bert >/dev/null
is "an invitation is told once" "$(noticed bert .invited)" true
umpire_as anna invite closed bert >/dev/null
umpire_as bert join --yes "$game" --name closed >/dev/null
is "who sits down is told" "$(noticed bert '"\(.players) \(.invited)"')" \
	'[["anna"],["bert"]] null'
umpire_as anna ready closed >/dev/null
is "so is the beginning" "$(noticed bert .phase)" play
umpire_as carl new --roster "$work/roster.json" --name open --json >"$out"
game=$(jq -r .game "$out")
is "strangers have heard nothing of that game" "$(noticed dora .game)" "$game"
is "nor has another account" "$(noticed carl .game)" "$game"
umpire_as carl cancel open --yes >/dev/null
noticed carl .phase >/dev/null
is "the end comes to all but those whose game it is not" \
	"$(noticed dora .phase)" over
ask dora call lobby.unwatch
is "watching ends" "$(of .result)" '{}'
umpire_as bert new --roster "$work/roster.json" --name last --json >"$out"
is "and bert has heard of none but his own" "$(noticed bert .game)" \
	"$(jq -r .game "$out")"
ask dora call game.list '{"limit":1}'
is "who does not watch hears nothing" "$(of '.result.games | length')" 1

# ---- the connection that was half dead ----

is "who hears nothing asks, and comes back" \
	"$(wait_for 20 grep -q meanwhile "$work/stalled" && echo yes)" yes
like "and says why" "$work/stalled.err" 'no longer answers; connecting again'
is "each line once" "$(grep -Ec 'before|meanwhile' "$work/stalled")" 2
kill -INT "$stalled"
wait "$stalled"
is "Ctrl-C ends it with status 0" $? 0
exec {cuts}>&-

# ---- where the server tells those who are away ----

exits 0 "nothing is set at first" umpire_as anna notify
like "which is said" "$out" 'Nothing is sent to you'
exits 77 "what the server does not send cannot be set" \
	umpire_as anna notify --mail anna@example.org
exits 66 "no code is waited for" umpire_as anna notify --confirm abcd-efgh
exits 0 "quiet hours go by the local clock" env TZ=Asia/Kolkata \
	"$BASH" -c "$(declare -f player umpire_as); work=$work UMPIRE=$UMPIRE
	umpire_as anna notify --quiet 22:00-07:15 --json"
is "with its distance from UTC" "$(jq -c .quiet "$out")" \
	'{"offset":330,"from":1320,"to":435}'
run umpire_as anna notify
like "and are shown on another's" "$out" 'from 16:30 to 01:45 by this machine'
like "with what is kept" "$out" '22:00 to 07:15 at UTC\+05:30'
run umpire_as anna notify --quiet 1:00-2:30 --offset -03:30 --json
is "--offset says another" "$(jq -c .quiet "$out")" \
	'{"offset":-210,"from":60,"to":150}'
exits 0 "none again" umpire_as anna notify --no-quiet
like "are none" "$out" 'at no time'
for words in '--quiet 22:00' '--quiet 24:00-07:00' '--quiet 7:00-7:00' \
	'--quiet 1:00-2:00x' '--offset +02:00' '--quiet 1:00-2:00 --offset 2' \
	'--quiet 1:00-2:00 --offset +15:00' '--drop post' '--mail a --webhook b'; do
	# shellcheck disable=SC2086
	exits 64 "notify $words is refused" umpire_as anna notify $words
done

# ---- options, and the end of the daemon ----

exits 64 "--lobby goes with no game" umpire_as anna watch --lobby evening
exits 64 "nor with --answer" umpire_as anna watch --lobby --answer
exits 64 "--wait wants seconds" umpire_as anna watch --wait soon
watching anna "$work/none" --lobby --wait 0
none=$watcher
watching anna "$work/some" --wait 1
some=$watcher
for file in none some; do
	wait_for 20 grep -q Watching "$work/$file.err"
done
stop_umpired
is "the daemon stops while the lobby is watched" $? 0
wait "$none"
is "--wait 0 ends at once" $? 69
wait "$some"
is "--wait 1 after a second" $? 69
like "and says so" "$work/some.err" 'did not come back in time'
finish
