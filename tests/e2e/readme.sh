#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# README's five minutes, typed as they stand, by root and by somebody else.
# README's server has the port that is usual, so each has a network of their
# own where the kernel allows it, and needs that port to be free elsewhere.

. "${top_srcdir:?}/tests/lib.sh"
need python3 setpriv unshare

section='FIVE MINUTES, TWO PLAYERS'
unset UMPIRED_TEST_CONTROL UMPIRED_TEST_LINES

# The loopback of a new network is down: SIOCSIFFLAGS, IFF_UP.
up='import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sH14x", b"lo", 1))'

# in_net USER COMMAND...: as that user, in a network with nothing but loopback.
in_net() {
	local user=$1
	shift
	# shellcheck disable=SC2016
	unshare -n bash -c 'python3 -c "$0" && exec setpriv --reuid "$1" \
		--regid "$(id -g "$1")" --clear-groups "${@:2}"' "$up" "$user" "$@"
}

# five_minutes USER: types all in the folder of the sources, or what looks like
# it: README, etc and the programs in build/plain.
five_minutes() {
	local user=$1 home=$work/$1 n=0 status command
	local -a as=(env)
	if [ "$(id -u)" = 0 ]; then
		as=(in_net "$user")
	elif (exec 3<>/dev/tcp/127.0.0.1/1815) 2>/dev/null; then
		skip "README as $user" "port 1815 is taken"
		return
	fi
	mkdir -p "$home/sources/build"
	ln -s "$top_srcdir/etc" "$home/sources/etc"
	ln -s "$top_builddir" "$home/sources/build/plain"
	chown -R "$user:" "$home"
	cd "$home/sources" || exit 99
	"${as[@]}" env -u XDG_CONFIG_HOME -u XDG_DATA_HOME -u XDG_STATE_HOME \
		-u XDG_CACHE_HOME HOME="$home" TERM=xterm PAGER=cat \
		python3 "$top_srcdir/tests/e2e/readme.py" "$top_srcdir/README" \
		"$section" "$home/log" >"$home/typed" 2>&1
	while read -r status command; do
		n=$((n + 1))
		is "$user: $command" "$status" 0
	done <"$home/typed"
	cd "$work" || exit 99
	is "$user: all of it was typed" "$n" "$(sed -n \
		"/^$section/,/^PLAYING/s/^    \(umpired\{0,1\}\|export\) .*/&/p" \
		"$top_srcdir/README" | wc -l)"
	like "$user: the record is good" "$home/log" 'good'
	[ "$tap_failed" = 0 ] || diag "$(cat "$home/log" "$home/log.umpired")"
}

if [ "$(id -u)" = 0 ]; then
	# Who is not root must reach the programs.
	chmod 711 "$work"
	case $work in
	*/umpire-home.*/*) chmod 711 "${work%/*}" ;; # tests/run.sh's own
	esac
	five_minutes root
	if setpriv --reuid nobody --clear-groups \
		test -x "$top_builddir/umpire"; then
		five_minutes nobody
	else
		skip "README as nobody" "nobody else can reach the programs"
	fi
else
	five_minutes "$(id -un)"
fi
finish
