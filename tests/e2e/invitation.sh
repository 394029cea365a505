#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Invitations: one address names the server, its identity key and the game.
# Whoever comes by it asks nobody whether the key is right, and meets no server
# with another one: tests/tools/perjurer is that, and tells what it is asked.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

start_umpired "$work/umpired" || exit 99
write_example "$work"
enrol anna || exit 99
run umpire_as anna new --roster "$work/roster.json" --name duel --json
game=$(filter .game <"$out")
key=$(sed -n 's/^server_key *= *//p' \
	"$work/players/anna/config/umpire/default/config")
address=umpire://$server/$game#$key
is "new has the invitation for programs" "$(filter .invitation <"$out")" \
	"$address"
is "and the command" "$(filter .join <"$out")" "umpire join $address"
run umpire_as anna show duel
like "show has it, too" "$out" "^  invite   $address\$"
is "also for programs" "$(umpire_as anna show duel --json |
	filter .invitation)" "$address"
run umpire_as anna new --roster "$work/roster.json" --director --seat 1
like "new shows it to people" "$out" "^  umpire join umpire://$server/[^ ]*\$"
like "and to who directs" "$out" "^  umpire join umpire://.* --seat 0\$"

# settings NAME: what that player's profile says of server and key.
settings() {
	sed -n 's/^server\(_key\)\? *= *//p' \
		"$work/players/$1/config/umpire/default/config" 2>/dev/null |
		paste -sd ' '
}

# ---- a first contact that trusts nobody ----

exits 0 "who has no profile sees the game" umpire_as eve show "$address"
is "and has server and key from then on" "$(settings eve)" "$server $key"
like "as is told" "$err" "pinned the identity key of '$server'"
exits 0 "the second time, too" umpire_as eve show "$address"
unlike "of which nothing is told" "$err" pinned
upper=$(tr a-f A-F <<<"$game#$key")
exits 0 "digits and scheme may be in capitals" umpire_as dora show \
	"UMPIRE://$server/$upper"
exits 78 "joining needs keys" umpire_as eve join "$address" --yes
exits 0 "init takes it" umpire_as bert init "$address"
is "with server and key" "$(settings bert)" "$server $key"
like "says what comes next" "$out" "^Next: umpire register NAME\$"
like "and then" "$out" "^Then: umpire join $address\$"
exits 0 "nobody asks whether the key is right" umpire_as bert register bert
exits 0 "join takes it" umpire_as bert join "$address" --yes --name fight
exits 0 "without the server it is the own copy" \
	umpire_as bert show "$address" --offline
exits 0 "and every command does" umpire_as bert say "$address" hello
watching eve "$work/seen" "$address" --all
wait_for 10 grep -q hello "$work/seen"
is "watch does" $? 0
kill -INT "$watcher"
exits 0 "anna is ready" umpire_as anna ready duel
run umpire_as anna show duel
unlike "a game that has begun invites no more" "$out" 'umpire://'
run umpire_as anna new --roster "$work/roster.json" --name closed
exits 0 "who is invited by name gets one" umpire_as anna invite closed bert
like "to type" "$out" "^  umpire join umpire://$server/[0-9a-f]{64}#$key\$"

# ---- another server's ----

init_umpired "$work/other" || exit 99
touch "$work/shown"
echo plain >"$work/mode"
# liar DIR: a server with these keys, at $liar.
liar() {
	rm -f "$work/port"
	"$tools/perjurer" "$1" "$work/shown" "$work/mode" >"$work/port" \
		2>"$work/asked" &
	daemons="$daemons $!"
	wait_for 10 test -s "$work/port" || exit 99
	liar=127.0.0.1:$(cat "$work/port")
}
liar "$work/other"
for verb in show join watch log say; do
	text=()
	[ $verb != say ] || text=(hello)
	: >"$work/asked"
	umpire_as carl init >/dev/null
	exits 77 "$verb: a server with another key is refused" \
		umpire_as carl $verb "umpire://$liar/$game#$key" \
		"${text[@]}" --yes
	like "$verb: both keys are told" "$err" "^ *(umpire: )?invited  $key\$"
	is "$verb: it is asked who it is, and nothing else" \
		"$(sort -u "$work/asked")" server.hello
	is "$verb: nothing of it stays" "$(settings carl)" ''
done
liar "$work/umpired"
echo unproved >"$work/mode"
exits 77 "who has the key but does not prove it is refused" \
	umpire_as carl show "umpire://$liar/$game#$key"
is "and nothing of it stays" "$(settings carl)" ''
echo plain >"$work/mode"
liar "$work/other"
umpire_as gina init "umpire://$liar/$game#$key" >/dev/null
exits 77 "whoever was invited by init is safe, too" umpire_as gina games --all
: >"$work/asked"
wrong=d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
for verb in show join init; do
	exits 77 "$verb: a profile stays with its server" \
		umpire_as bert "$verb" "umpire://$liar/$game#$wrong"
	like "$verb: as is said" "$err" "another server than that of profile"
done
is "nothing goes there" "$(cat "$work/asked")" ''
is "and nothing is changed" "$(settings bert)" "$server $key"
umpire_as hans init --server "$server" >/dev/null
exits 77 "also if it has not met its server" \
	umpire_as hans show "umpire://$liar/$game#$key"
exits 0 "the same server by another name is the same" \
	umpire_as bert show "umpire://[::1]:1/$game#$key"

# ---- what is none ----

# none WHAT ADDRESS WORDS: no command takes it, and each says why.
none() {
	local verb
	for verb in show init; do
		exits 64 "$verb: $1" umpire_as carl "$verb" "$2"
		like "$verb: $1: it says why" "$err" "$3"
	done
}
none "another scheme" "https://$server/$game#$key" 'begins with umpire://'
none "half of the scheme" "umpire:/$server/$game#$key" 'begins with umpire://'
none "no key" "umpire://$server/$game" "key, behind a '#', is missing"
none "an empty key" "umpire://$server/$game#" '64 hex digits'
none "a short key" "umpire://$server/$game#${key:1}" '64 hex digits'
none "a long key" "umpire://$server/$game#${key}0" '64 hex digits'
none "what cannot be a key" "umpire://$server/$game#$zeros" 'identity key'
none "a short number" "umpire://$server/${game:0:8}#$key" 'whole number'
none "no game" "umpire://$server#$key" 'names no game'
none "an empty game" "umpire://$server/#$key" 'whole number'
none "no server" "umpire:///$game#$key" 'names no server'
none "a port alone" "umpire://:1815/$game#$key" 'names no server'
for port in 0 65536 99999999 x -1 ''; do
	none "port '$port'" "umpire://localhost:$port/$game#$key" \
		'port must be a number from 1 to 65535'
done
none "IPv6 without brackets" "umpire://::1/$game#$key" 'in brackets'
none "half a bracket" "umpire://[::1/$game#$key" 'HOST'
none "a port of IPv6" "umpire://[::1]:0/$game#$key" 'from 1 to 65535'
none "a user" "umpire://anna@localhost/$game#$key" 'neither a host'
none "a query" "umpire://localhost/$game?a=b#$key" 'whole number'
none "a percent sign" "umpire://local%68ost/$game#$key" 'neither a host'
none "a line break" "umpire://local
host/$game#$key" 'HOST'
exits 64 "init takes no server beside it" umpire_as carl init "$address" \
	--server "$server"
exits 64 "nor a key" umpire_as carl init "$address" --server-key "$key"
is "none has left a trace" "$(settings carl)" ''
umpire_as ines init "umpire://[::1]/$game#$key" >/dev/null
is "IPv6 stands in brackets, and the port may be left out" \
	"$(settings ines)" "[::1] $key"
finish
