#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Every address of umpire-web in all the ways that HTTP has: types, headers,
# HEAD, ETag, Range, queries that are not its own, methods that there are not.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/report_game.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
need python3

report_game "$work/record" || exit 99
over=$game
{
	umpire_as anna new --roster "$work/roster.json" --name words \
		--event '<i>Cup' &&
		played=$(umpire_as anna show words --json | filter .game) &&
		umpire_as bert join "$played" --name words --yes &&
		umpire_as anna ready words && umpire_as anna say words "a word"
} >"$work/play" 2>&1 </dev/null || {
	sed 's/^/# /' "$work/play"
	exit 99
}
cup=$("$tools/cup" 127.0.0.1 "${server##*:}" 2 1 1 games |
	filter .tournament) || exit 99
dice=$(grep -m 1 '"rolls":\[{' "$work/record" | filter .seq)

start_web "$work/web" -o security_contact=https://example.org/ \
	-o security_expires=2999-12-31 || exit 99
"$UMPIRE_WEB" --routes >"$work/routes"
get "/g/${over:0:12}/"
css=$(grep -o '/s/[0-9a-f]*/umpire.css' "$body" | head -n 1)
# table [NAME=VALUE]: all addresses, held against the table.
table() {
	python3 "$top_srcdir/tests/e2e/web_routes.py" "${web##*:}" \
		"$work/routes" over="${over:0:12}" played="${played:0:12}" \
		cup="${cup:0:12}" dice="$dice" name=anna 'event=<i>Cup' \
		css="$css" "$@" >"$work/cases" 2>"$work/err"
	case $? in
	0 | 3) ;;
	*) fail "web_routes.py: $(tail -n 1 "$work/err")" ;;
	esac
	cases "$work/cases"
}
# Its pages say so when another process has checked it with its games.
checked() {
	get "/t/${cup:0:12}/"
	grep -q 'Checked up to line' "$body"
}
holds "the tournament is checked" wait_for 30 checked
table
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
# away: the umpire is missed.
away() {
	[ "$(metric umpire_away_ms)" -gt 0 ]
}
holds "the umpire is missed" wait_for 20 away
table away=yes
holds "it ends well" stop_web
unlike "nothing was wrong" "$work/web/log" ' error '

finish
