#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Tournaments as umpire-web shows them.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
need python3
with_hooks

start_umpired "$work/umpired" -o tournament_create="dina vera kurt" || exit 99
mkdir "$work/records"
PORT=$port TOOLS=$tools PLAYERS=$work/keys HOOKS=$work/hooks \
	OUT=$work/records python3 "$top_srcdir/tests/e2e/tournament.py" knockout \
	>"$work/played" 2>&1
unlike "a knockout is played" "$work/played" '^fail'
start_web "$work/web" || exit 99
get /
cup=$(grep -o 'href="/t/[0-9a-f]*/"' "$body" | head -n 1 | cut -d/ -f3)
holds "the lobby leads to it" test -n "$cup"
for page in "" standings crosstable r/1 why/1; do
	get "/t/$cup/$page"
	is "there is its page /$page" "$code" 200
	like "which is whole" "$body" '</html>$'
done
for page in r/99 why/99 r/0 x; do
	get "/t/$cup/$page"
	is "there is no /$page" "$code" 404
done
get "/t/${cup:0:8}/"
is "fewer digits lead there" "$code $(header location)" "301 /t/$cup/"
get "/t/000000000000/"
is "another is not there" "$code" 404
get "/t/$cup/record.jsonl"
is "its record can be taken home" "$code" 200
head -n 1 "$body" >"$work/first"
whole=$(grep -rlFf "$work/first" "$work/records" | head -n 1)
holds "as umpire has it" cmp -s "$body" "$whole"
"$UMPIRE_WEB" --routes >"$work/routes"
python3 "$top_srcdir/tests/e2e/web_crawl.py" "$web" "$work/routes" nothing \
	"cup=$cup" >"$work/crawl" 2>"$err"
is "no link leads nowhere" "$(grep '^broken' "$work/crawl"; cat "$err")" ""
holds "it ends well" stop_web

finish
