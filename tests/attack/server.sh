#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Attacks between client and server: by a server that shows what it likes, with
# its real keys (tests/tools/perjurer) or without, by whoever sits between the
# two, and by strangers.

. "${top_srcdir:?}/tests/attack/attack.sh"

dir=$work/umpired
start_umpired "$dir" || exit 99
write_example "$work"
enrol anna bert || exit 99
set_up umpire_as anna new --roster "$work/roster.json" --name duel || exit 99
game=$(umpire_as anna show duel --json | filter .game)
for step in 'bert join --name duel --yes GAME' 'anna ready duel' \
	'anna roll duel 2d6' 'anna say duel hello'; do
	# shellcheck disable=SC2086
	set_up umpire_as ${step/GAME/$game} || exit 99
done
umpire_as anna export duel -o "$work/whole" >/dev/null || exit 99
grep '"mark":"' "$work/whole" >"$work/lines"
grep -v '"mark":"' "$work/whole" >"$work/side"
n=$(wc -l <"$work/lines")

# shows FILE DIR MODE: a server that shows those lines, with the keys of DIR, at
# $liar.
shows() {
	cat "$1" "$work/side" >"$work/shown"
	echo "$3" >"$work/mode"
	rm -f "$work/liar.port"
	"$tools/perjurer" "$2" "$work/shown" "$work/mode" \
		>"$work/liar.port" 2>>"$work/liar.err" &
	daemons="$daemons $!"
	wait_for 10 test -s "$work/liar.port" || exit 99
	liar=127.0.0.1:$(cat "$work/liar.port")
}

# away WHO: that player's copies, with a profile for the server at $liar.
away() {
	rm -rf "$work/players/$1"
	cp -r "$work/players/anna" "$work/players/$1"
	sed -i "s/^server *=.*/server = $liar/" \
		"$work/players/$1/config/umpire/default/config"
}

# Another history than anna has: its last line was signed at another time.
{
	head -n $((n - 1)) "$work/lines"
	tail -n 1 "$work/lines" | sed 's/"at":"20[0-9][0-9]/"at":"2099/' |
		"$tools/perjurer" mark "$dir"
} >"$work/other"

# What it has shown to somebody else it shows to anna.
attack_two_histories() {
	shows "$work/other" "$dir" plain
	away late
	run umpire_as late show duel
	case $status in
	0) came='it succeeds' ;;
	*) came="$status, $(grep -o 'signed two different lines [0-9]*' "$err")" ;;
	esac
}
attack two-histories "76, signed two different lines $((n - 1))"

# The last lines, which somebody did not like, are not in the file.
attack_cut_tail() {
	local head
	head=$(tail -n 1 "$work/lines" | tr -d '\n' | sha256sum | cut -d ' ' -f 1)
	{
		head -n $((n - 1)) "$work/lines"
		grep '^{"blob"' "$work/side"
	} >"$work/cut"
	run "$UMPIRE" verify "$work/cut" --head "$((n - 1)):$head"
	case $status in
	0) came='it succeeds' ;;
	*) came="$status, $(cat "$out" "$err" | tr -s ' \n' ' ' |
		grep -o 'before the one that --head names')" ;;
	esac
}
attack cut-tail '1, before the one that --head names'

# A server with another key says that it is the one.
attack_another_key() {
	[ -e "$work/another" ] || init_umpired "$work/another" || exit 99
	shows "$work/lines" "$work/another" plain
	away late
	run umpire_as late show duel
	case $status in
	0) came='it succeeds' ;;
	*) came="$status, $(grep -o 'not your server' "$err")" ;;
	esac
}
attack another-key '77, not your server'

# It names the right key, and cannot prove it: somebody sits between.
attack_between() {
	shows "$work/lines" "$dir" unproved
	away late
	run umpire_as late show duel
	case $status in
	0) came='it succeeds' ;;
	*) came="$status, $(grep -o 'somebody may sit between' "$err")" ;;
	esac
}
attack between '(69|77), somebody may sit between'

# An invitation names the key of the server; where it leads is another.
attack_invitation_to_another() {
	local key
	key=$(sed -n 's/^server_key *= *//p' \
		"$work/players/anna/config/umpire/default/config")
	[ -e "$work/another" ] || init_umpired "$work/another" || exit 99
	shows "$work/lines" "$work/another" plain
	: >"$work/liar.err"
	mkdir -p "$work/players/gina"
	run umpire_as gina show "umpire://$liar/$game#$key"
	case $status in
	0) came='it succeeds' ;;
	*) came="$status, asked for $(sort -u "$work/liar.err" |
		paste -sd ' ')" ;;
	esac
}
attack invitation-to-another '77, asked for server.hello'

# ---- by hand ----

enter carl eve

# A login is carried to another connection.
attack_relay_a_login() {
	session thief
	ask carl credentials carl
	ask thief call account.login "$reply"
	came=$(of .error.data.name)
	[ "$(of .result.account)" != carl ] || came='it succeeds'
}
attack relay-a-login signature

# A stranger asks for a private game.
attack_read_a_private_game() {
	umpire_as anna new --roster "$work/roster.json" --private \
		--name private >/dev/null || exit 99
	game=$(umpire_as anna show private --json | filter .game)
	ask eve call game.record "{\"game\":\"$game\",\"from\":0}"
	came=$(of .error.data.name)
	[ "$(of '.result.lines[0]')" = null ] || came='it succeeds'
}
attack read-a-private-game not-found

# A record is to overflow whoever reads it: a line that nests without end.
attack_nest_without_end() {
	{
		head -n 1 "$work/lines"
		head -c 200000 /dev/zero | tr '\0' '['
		echo
	} >"$work/nested"
	run "$UMPIRE" verify "$work/nested"
	came="$status, $(grep -o -m 1 'nested too deeply' "$out" "$err" -h)"
	[ "$status" -lt 128 ] || came='it succeeds'
}
attack nest-without-end '1, nested too deeply'

# One account fills the list of games that wait for players.
attack_open_games_without_end() {
	local i args
	put_roster eve "$work/roster.json"
	args=$(create_args 1 eve)
	for i in {1..25}; do
		ask eve order "$(create_text "$args")"
		[ "$(of .result.seq)" = 0 ] || break
	done
	came="$i, $(of .error.data.name)"
	[ "$(of .result.seq)" != 0 ] || came='it succeeds'
}
attack open-games-without-end '21, limit'

# The operator deletes what a player has left for a question, so that nobody can
# say what it would have done.
attack_delete_a_standing_order() {
	set_up umpire_as anna new --roster "$work/roster.json" --name left \
		--invite bert || exit 99
	game=$(umpire_as anna show left --json | filter .game)
	for step in 'bert join --name left --yes GAME' 'anna ready left' \
		'bert standing left retire all --yes'; do
		# shellcheck disable=SC2086
		set_up umpire_as ${step/GAME/$game} || exit 99
	done
	stop_umpired
	sqlite3 "$dir/umpired.db" 'DELETE FROM standing'
	start_umpired "$dir" -o "listen=127.0.0.1:$port" || exit 99
	run umpire_as anna end-turn left --yes
	came="$status, $(grep -o 'the game is damaged on the server' "$err")"
	[ "$status" != 0 ] || came='it succeeds'
}
attack delete-a-standing-order '69, the game is damaged on the server'

# One address makes accounts, by which all that is counted by account is had
# many times.
attack_accounts_without_end() {
	local i
	start_umpired "$work/crowded" -o penalty_exempt= -o register_burst=3 ||
		exit 99
	for i in {1..6}; do
		make_keys "crowd$i"
		session "crowd$i" "crowd$i"
		ask "crowd$i" register "crowd$i"
		[ "$(of .result.account)" = "crowd$i" ] || break
	done
	came="$i, $(of .error.data.name)"
	[ "$(of .result.account)" = null ] || came='it succeeds'
}
attack accounts-without-end '4, limit'

# Another daemon begins to write into the same database.
attack_second_daemon() {
	local second
	sed 's,^port_file.*,,' "$dir/umpired.conf" >"$dir/second.conf"
	rm -f "$dir/second"
	"$UMPIRED" -c "$dir/second.conf" -o port_file=second \
		-o admin_socket=second.sock >"$work/second.log" 2>&1 &
	second=$!
	daemons="$daemons $second"
	for _ in {1..200}; do
		[ ! -s "$dir/second" ] && kill -0 "$second" 2>/dev/null || break
		nap
	done
	if [ -s "$dir/second" ]; then
		came='it succeeds'
	else
		wait "$second"
		came="$?, $(grep -o 'in use by another umpired' \
			"$work/second.log")"
	fi
}
attack second-daemon '75, in use by another umpired'

finish
