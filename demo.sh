#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Everything from nothing to a finished, verified combat: installs what is
# missing, builds, starts umpired on this machine alone with keys of its own,
# lets two players fight the complete example of Lasalle's combat chapter
# through umpire, and has the record verified by somebody who was not there.
# The dice are the server's own, so every run goes another way.

set -u
invoked_from=$PWD
cd "$(dirname "$0")" || exit 70
. ./setup.sh

usage() {
	cat <<'END'
usage: ./demo.sh [--keep DIR] [--programs DIR]

Installs what is missing (Debian packages, by apt), builds umpire in
build/plain, and plays: a server on this machine, two players, one combat, a
verified record. It takes a minute or two the first time and seconds later.

  --keep DIR      leave the server's data, the players' profiles and
                  record.jsonl in DIR, which must be new or empty
  --programs DIR  use umpired and umpire of DIR: install and build nothing
                  (as does DEMO_BUILD=DIR)
  -h              this text

Exit status: 0 if all went well, 64 for wrong usage, 69 if packages are
missing and cannot be installed, 1 for anything else.
END
}

# ---- the command line ----

keep=
programs=${DEMO_BUILD:-}
while [ $# -gt 0 ]; do
	case $1 in
	--keep | --programs)
		if [ $# -lt 2 ]; then
			usage >&2
			exit 64
		fi
		case $2 in
		/*) path=$2 ;;
		*) path=$invoked_from/$2 ;;
		esac
		if [ "$1" = --keep ]; then keep=$path; else programs=$path; fi
		shift 2
		;;
	-h | --help)
		usage
		exit 0
		;;
	*)
		usage >&2
		exit 64
		;;
	esac
done

# ---- how this script speaks ----

bold=
dim=
plain=
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
	bold=$'\033[1m' dim=$'\033[2m' plain=$'\033[0m'
fi

# title TEXT: a heading; say TEXT...: what happens next, and why.
title() {
	printf '\n%s%s%s\n' "$bold" "$1" "$plain"
	printf '%s%s%s\n' "$dim" "${1//?/-}" "$plain"
}

say() {
	printf '%s\n' "$*" | fold -s -w 78 | sed 's, *$,,'
}

die() {
	printf 'demo.sh: %s\n' "$*" >&2
	exit 1
}

# ---- the end, however it comes ----

work=
daemon=
pages=

stop_daemon() {
	local pid=$daemon
	[ -n "$pid" ] || return 0
	daemon=
	kill -TERM "$pid" 2>/dev/null
	wait "$pid"
}

stop_pages() {
	local pid=$pages
	[ -n "$pid" ] || return 0
	pages=
	kill -TERM "$pid" 2>/dev/null
	wait "$pid"
}

clean_up() {
	local status=$?
	trap - EXIT
	stop_pages
	stop_daemon
	[ -z "$work" ] || [ -n "$keep" ] || rm -rf "$work"
	exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# ---- programs and folders ----

if [ -z "$programs" ]; then
	# shellcheck disable=SC2086
	setup_packages $packages_build $packages_demo
	programs=$setup_top/build/plain
	say "Building in build/plain ..."
	if ! setup_sources; then
		tail -n 40 build/source.out >&2
		die "the sources, which were configured in place, cannot be copied"
	fi
	if ! setup_configure build/plain "${setup_plain[@]}"; then
		tail -n 40 build/plain/configure.out >&2
		die "configure failed"
	fi
	if ! make -C build/plain -j"$setup_jobs" \
		umpired umpired-courier umpire umpire-web \
		>build/plain/make.out 2>&1; then
		tail -n 40 build/plain/make.out >&2
		die "make failed"
	fi
fi
for p in "$programs/umpired" "$programs/umpire" "$programs/umpire-web"; do
	[ -x "$p" ] || die "$p is not there"
done
command -v jq >/dev/null || die "jq is missing; install the package jq"

if [ -n "$keep" ]; then
	if [ -e "$keep" ] && [ -n "$(ls -A "$keep" 2>&1)" ]; then
		die "$keep is not empty"
	fi
	mkdir -p "$keep" || die "cannot make $keep"
	work=$keep
else
	work=$(mktemp -d) || die "cannot make a folder"
fi

unset UMPIRE_PROFILE
roster=$setup_top/etc/samples/lasalle2-example.json
combat=$setup_top/etc/samples/lasalle2-example-declare.json

# ---- players ----

# as PLAYER ARGUMENT...: umpire with that player's own keys and files.  At a
# terminal, too, it asks nothing and stops nowhere.
as() {
	local home=$work/$1
	shift
	(cd "$work" && HOME=$home XDG_CONFIG_HOME=$home/config \
		XDG_DATA_HOME=$home/data XDG_STATE_HOME=$home/state \
		XDG_CACHE_HOME=$home/cache PAGER=cat \
		"$programs/umpire" "$@" </dev/null)
}

# shows PROMPT WORD...: a command as it is typed; a long one is broken before
# an option, which stays with its value.
shows() {
	local line=$1 part
	shift
	printf '\n%s' "$bold"
	while [ $# -gt 0 ]; do
		part=$1
		if [[ $1 = --* && $# -gt 1 && $2 != --* ]]; then
			shift
			part="$part $1"
		fi
		shift
		part=${part//"$setup_top/"/}
		if [ $((${#line} + ${#part})) -gt 76 ]; then
			printf '%s \\\n' "$line"
			line=" "
		fi
		line="$line $part"
	done
	printf '%s%s\n' "$line" "$plain"
}

# types PLAYER ARGUMENT...: the player types this and reads what it says.
types() {
	local who=$1
	shift
	shows "$who\$" umpire "$@"
	as "$who" "$@" || die "umpire $1 ended with status $?"
}

# types_unread PLAYER ARGUMENT...: the same, but what it says comes later.
types_unread() {
	local who=$1
	shift
	shows "$who\$" umpire "$@"
	as "$who" "$@" >/dev/null || die "umpire $1 ended with status $?"
}

# asks PLAYER FILTER: what "umpire show --json" says to that player, by jq.
asks() {
	as "$1" show --json demo | jq -r "$2"
}

# ---- 1 ----

title "1. A server"
say "umpired makes itself keys, a certificate and a database, and listens on" \
	"this machine only. Its identity key is all that anybody needs to know" \
	"of it: not even its operator can bend dice or change a record."

shows '$' umpired --init server
settings=(-o listen=127.0.0.1:0 -o port_file=port)
# As root umpired runs only if it is told to.
[ "$(id -u)" != 0 ] || settings+=(-o user=root)
told=$(cd "$work" && "$programs/umpired" --init server "${settings[@]}") ||
	die "umpired --init failed"
key=$(grep -Eo '\b[0-9a-f]{64}\b' <<<"$told") ||
	die "umpired --init told no identity key"
echo "identity key $key"

# is_ready PID FILE: waits until that process has written its port there.
is_ready() {
	local _
	for _ in {1..200}; do
		[ ! -s "$2" ] || return 0
		kill -0 "$1" 2>/dev/null || return 1
		sleep 0.05
	done
	return 1
}

start_daemon() {
	rm -f "$work/server/port"
	shows '$' umpired -c server/umpired.conf '&'
	"$programs/umpired" -c "$work/server/umpired.conf" \
		>>"$work/umpired.log" 2>&1 </dev/null &
	daemon=$!
	is_ready "$daemon" "$work/server/port" || {
		cat "$work/umpired.log" >&2
		die "umpired did not start"
	}
	server=127.0.0.1:$(head -n 1 "$work/server/port")
	echo "listening on $server"
}
start_daemon

# ---- 2 ----

title "2. Two players"
say "Anna and Bert sit at different tables. Each makes keys of their own," \
	"which never leave their machines, and an account. There are no" \
	"passwords."

for who in anna bert; do
	types_unread $who init --server "$server" --server-key "$key"
	types $who register $who
done

# ---- 3 ----

title "3. A game"
say "Anna opens a game with the order of battle of both sides, and takes the" \
	"French. Bert looks at it and joins as the Austrians; then Anna says" \
	"that she is ready, too."

types anna new --roster "$roster" --name demo
game=$(asks anna .game)
types bert join --yes "${game:0:8}" --name demo
types anna ready demo

# ---- 4 ----

title "4. A combat"
say "Three French battalions attack two Austrian ones and a battery: the" \
	"complete example of the chapter on combat. First Anna has it checked;" \
	"nothing is sent. Then she declares it, and from here on dice fall," \
	"which nobody can choose: they come out of Anna's and the server's keys."

types anna declare demo "$combat" --check
types_unread anna declare demo "$combat" --yes

echo
say "Whatever the rules ask now is answered by whoever owes it, with a" \
	"command that \"umpire show\" proposes: the battery tries to retire," \
	"and every unit that must stagger has room to do so. What the commands" \
	"print comes below, in one piece."

# The first command that answers what is asked; of several, the one by which
# the battery retires.
answer='[.commands[] | select(startswith("umpire decide "))]
	| map(select(endswith(" retire austrian-3"))) + . | .[0] // ""'
for _ in {1..20}; do
	[ "$(asks anna '.combat != null')" = true ] || break
	for who in anna bert; do
		command=$(asks "$who" "$answer")
		[ -z "$command" ] || break
	done
	read -ra words <<<"$command"
	[ "${words[0]:-}" = umpire ] || die "nobody is asked, and nothing ends"
	types_unread "$who" "${words[@]:1}"
done
[ "$(asks anna '.combat == null')" = true ] || die "the combat does not end"

# ---- 5 ----

title "5. What happened"
say "The log has every die and every modifier with its reason, so that the" \
	"combat can be done again by hand."

types bert log demo --combat 1
types anna show demo

# ---- 6 ----

title "6. The end"
say "Both close the game, by which they sign that this is where it ended."

types anna close demo --yes
types bert close demo --yes

# ---- 7 ----

title "7. Anybody can check it"
say "Bert exports the record and the server is stopped. Somebody who knows" \
	"neither player and has no account checks every signature, every proof," \
	"every die, and has the combat run again."

types bert export demo -o record.jsonl
stop_daemon || {
	cat "$work/umpired.log" >&2
	die "umpired did not end well"
}
echo
say "The server is stopped."
types carla verify --server "$key" record.jsonl

# ---- 8 ----

title "8. And read it in a browser"
say "The server is there again, and umpire-web shows its games to everybody," \
	"without an account. It verifies each line before it shows it."

start_daemon
shows '$' umpire-web -o server="$server" -o server_key="$key" -o cache=pages '&'
"$programs/umpire-web" -o server="$server" -o server_key="$key" \
	-o cache="$work/pages" -o listen=127.0.0.1:0 -o max_connections=100 \
	-o port_file="$work/pages.port" >"$work/pages.log" 2>&1 </dev/null &
pages=$!
is_ready "$pages" "$work/pages.port" || {
	cat "$work/pages.log" >&2
	die "umpire-web did not start"
}
port=$(head -n 1 "$work/pages.port")
game=$(jq -r ".game // empty" "$work/record.jsonl" | head -n 1)
# It may still be on its way to the server.
for _ in {1..100}; do
	exec 3<>"/dev/tcp/127.0.0.1/$port" || die "umpire-web does not listen"
	printf 'GET /g/%s/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' \
		"${game:0:12}" >&3
	read -r _ status _ <&3
	exec 3<&- 3>&-
	[ "$status" != 200 ] || break
	sleep 0.05
done
[ "$status" = 200 ] || {
	cat "$work/pages.log" >&2
	die "the game's page is not there: $status"
}
echo
echo "http://127.0.0.1:$port/g/${game:0:12}/"
if [ -t 0 ] && [ -t 1 ]; then
	echo
	say "Open that address. Enter ends the demo."
	read -r _
fi
stop_pages || die "umpire-web did not end well"
stop_daemon || die "umpired did not end well"

# ---- the end ----

echo
if [ -n "$keep" ]; then
	say "All is left in $keep: record.jsonl, the server's data in server," \
		"the players' profiles in anna and bert."
else
	say "Everything was in a folder of its own, which is gone now." \
		"--keep DIR keeps it."
fi
