#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Requests to umpire-web on raw sockets: what HTTP does not allow is refused and
# cut off, what it allows changes nothing that others read, and slow ones keep
# nobody waiting.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
need python3

start_umpired "$work/umpired" || exit 99
enter anna bert || exit 99
forge_game anna bert || exit 99
for name in anna bert; do close_session $name; done

# hostile ARGUMENT...: web_hostile.py against it.
hostile() {
	python3 "$top_srcdir/tests/e2e/web_hostile.py" "${web##*:}" \
		"/g/${game:0:12}/" "$@" >"$work/hostile" 2>"$work/hostile.err"
	case $? in
	0 | 3) ;;
	*) fail "web_hostile.py: $(tail -n 1 "$work/hostile.err")" ;;
	esac
	cases "$work/hostile"
}

start_web "$work/web" -o header_ms=700 || exit 99
get "/g/${game:0:12}/"
is "the page is there" "$code" 200
hostile 700
holds "the late ones are counted" test "$(metric late_total)" -ge 3
stop_web || fail "it ends well"

# Beside a crowd, each of which has its connection.
n=$(some 100 40 2000)
[ "$(ulimit -n)" -ge $((3 * n)) ] || ulimit -n $((5 * n)) || n=100
start_web "$work/web" -o header_ms=600000 -o max_connections=$((4 * n)) ||
	exit 99
hostile crowd "$n"
stop_web || fail "it ends well, too"
unlike "nothing was wrong" "$work/web/log" ' error '

finish
