#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What one reader may ask umpire-web for, and who that is behind a proxy; files
# for programs at their own addresses; several processes at one address.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"

start_umpired "$work/umpired" || exit 99
enter anna bert || exit 99
forge_game anna bert || exit 99
for name in anna bert; do close_session $name; done
page=/g/${game:0:12}/

# ---- settings that make no sense ----

# refused SETTING... MESSAGE: umpire-web does not start with them.
refused() {
	local message=${*: -1} s
	local -a options=()
	for s in "${@:1:$#-1}"; do options+=(-o "$s"); done
	exits 78 "refused: $*" "$UMPIRE_WEB" --check "${options[@]}"
	like "in words" "$err" "$message"
}
for wrong in '' localhost: :1815 localhost:0 localhost:99999 localhost:x \
	'a b:1815' '[::1'; do
	refused "server=$wrong" '^umpire-web: server: .*is not HOST'
done
refused server_key=ab 'server_key: "ab" is not a key of 64 hex digits'
for wrong in '' localhost :1816 localhost: localhost:65536 localhost:x unix:; do
	refused "listen=$wrong" "listen: \"$wrong\" is not host:port or unix:PATH"
done
for wrong in games.example.org https:// https://games.example.org/ \
	'https://games.example.org/"' ftp://games.example.org; do
	refused "base=$wrong" 'base: .* is no address such as https:'
done
for wrong in wasm reader; do
	exits 66 "refused: a $wrong that is not there" "$UMPIRE_WEB" --check \
		-o "$wrong=$work/nothing"
	like "in words" "$err" "cannot open '$work/nothing'"
done
refused proxies=here '^umpire-web: proxies: .*here'
refused proxies=10.0.0.1/8 '^umpire-web: proxies: '
refused address_rate=-1 'address_rate: "-1" is not a number from 0'
refused address_burst=0 'address_burst: "0" is not a number from 1'
refused security_contact=a@example.org security_expires=2030-01-01 \
	'security_contact: "a@example.org" does not begin with mailto:'
refused security_contact=mailto:a@example.org 'go together$'
refused security_expires=2030-01-01 'go together$'
for date in 2030-02-30 2030-1-1 soon 2030-01-01T00:00:00Z; do
	refused security_contact=mailto:a@example.org "security_expires=$date" \
		"security_expires: \"$date\" is no date"
done
refused 'robots_refused=GPTBot a/b' 'robots_refused: "a/b" is no name'
refused share_port=yes "listen=unix:$work/socket" \
	'share_port: a local socket has one process'

# ---- a reader who asks for too much ----

# codes N [CURL OPTION]...: the statuses of so many requests.
codes() {
	local n=$1
	shift
	curl -s -m 20 -o "$body" -w '%{http_code} ' "$@" "$web/robots.txt#[1-$n]"
}

start_web "$work/web" -o proxies= -o address_rate=1 -o address_burst=5 \
	-o address_header=X-Real-IP || exit 99
is "a reader has so many at once" "$(codes 7)" "200 200 200 200 200 429 429 "
get "$page"
is "and then none, of no address" \
	"$code $(header retry-after) $(header cache-control)" "429 1 no-store"
is "in words" "$(header content-type) $(header x-robots-tag)" \
	"text/html; charset=utf-8 noindex"
like "with a way on" "$body" '<h1>Too much at once</h1>'
like "and the policies of any page" "$head" \
	"^Content-Security-Policy: default-src 'none'; style-src 'self'"
is "nobody else's word counts for who it is" \
	"$(codes 1 -H 'X-Real-IP: 192.0.2.1')" "429 "
is "the operator is told" "$(metric limited_total)" 4
stop_web || fail "it ends well"

start_web "$work/web" -o proxies= -o address_rate=20 -o address_burst=2 ||
	exit 99
# again: there is room.
again() {
	[ "$(codes 1)" = "200 " ]
}
like "more are too many" <(codes 9) ' 429 '
holds "until time has passed" wait_for 10 again
stop_web

start_web "$work/web" -o proxies= -o address_rate=0 -o address_burst=1 \
	-o max_connections=3 || exit 99
unlike "without a rate there is no limit" <(codes 50) 429

# ---- connections ----

wait_for 10 eval '[ "$(metric connections)" = 0 ]'
exec {one}<>"/dev/tcp/127.0.0.1/${web##*:}"
exec {two}<>"/dev/tcp/127.0.0.1/${web##*:}"
exec {three}<>"/dev/tcp/127.0.0.1/${web##*:}"
wait_for 10 eval '[ "$(metric connections)" = 3 ]'
is "there may be so many connections" "$(metric turned_away_total)" 0
get /robots.txt
is "one more is turned away" "$code $(metric turned_away_total)" "000 1"
exec {one}>&-
wait_for 10 eval '[ "$(metric connections)" = 2 ]'
get /robots.txt
is "until another has gone" "$code" 200
exec {two}>&- {three}>&-
stop_web

# ---- those who wait ----

start_web "$work/web" -o max_waiting=1 || exit 99
kill -STOP "$daemon"
curl -s -m 20 -o "$work/first" -w '%{http_code}' "$web/" >"$work/first.code" &
first=$!
wait_for 10 eval '[ "$(metric waiting)" = 1 ]'
for target in /live "$page" "${page}record.jsonl" /u/anna/feed.atom \
	/e/x "/t/${game:0:12}/"; do
	get "$target"
	is "who would wait is told to come later: $target" \
		"$code $(header retry-after) $(header cache-control)" \
		"503 2 no-store"
done
like "in words" "$body" 'Too many ask at once'
get /robots.txt
is "what needs nobody is answered" "$code" 200
kill -CONT "$daemon"
wait "$first"
is "as is the one that waits, then" "$(cat "$work/first.code")" 200
stop_web

# ---- who that is, behind a proxy ----

start_web "$work/web" -o address_rate=1 -o address_burst=2 \
	-o address_header=X-Real-IP -o max_streams_address=1 -o max_streams=2 ||
	exit 99
unlike "a proxy that does not say whose they are is not limited" \
	<(codes 20) 429
unlike "nor one that says nothing of use" \
	<(codes 20 -H 'X-Real-IP: somebody') 429
is "a reader is, wherever the proxy is" \
	"$(codes 3 -H 'X-Real-IP: 192.0.2.1')" "200 200 429 "
is "and no other" "$(codes 3 -H 'X-Real-IP: 192.0.2.2')" "200 200 429 "
is "however it is written" "$(codes 1 -H 'X-Real-IP: ::ffff:192.0.2.1')" \
	"429 "
is "with IPv6 it is a network" \
	"$(codes 3 -H 'X-Real-IP: 2001:db8:1:1::1')" "200 200 429 "
is "of which no other address is another" \
	"$(codes 1 -H 'X-Real-IP: 2001:db8:1:1:ffff::2')" "429 "
is "but another network is" "$(codes 1 -H 'X-Real-IP: 2001:db8:1:2::1')" \
	"200 "
get "$page" -H 'X-Real-IP: 192.0.2.9'
cp "$body" "$work/page"
get "$page"
holds "what is answered is the same for all" cmp -s "$body" "$work/page"
# follow FILE ADDRESS: a stream of that reader.
follow() {
	curl -sN -m 60 -o "$1" -H "X-Real-IP: $2" "$web${page}events" &
	daemons="$daemons $!"
	wait_for 10 grep -q '^retry: ' "$1"
}
follow "$work/stream" 192.0.2.20
get "${page}events" -H 'X-Real-IP: 192.0.2.20'
is "a reader has one stream" "$code $(header retry-after)" "503 30"
follow "$work/stream.2" 192.0.2.21
get "${page}events" -H 'X-Real-IP: 192.0.2.22'
is "all together have two" "$code $(header retry-after)" "503 30"
stop_web

# By a local socket, and with all the addresses that a request came through.
start_web "$work/web" -o address_rate=1 -o address_burst=2 \
	-o address_header=X-Forwarded-For -o "proxies=10.0.0.0/8" \
	-o listen="unix:$work/web/socket" || exit 99
web=http://localhost
local=(--unix-socket "$work/web/socket")
is "of a list the last is the reader's" \
	"$(codes 3 "${local[@]}" -H 'X-Forwarded-For: 192.0.2.9, 192.0.2.1')" \
	"200 200 429 "
is "who has written what is before it" \
	"$(codes 1 "${local[@]}" -H 'X-Forwarded-For: 192.0.2.8,192.0.2.1')" \
	"429 "
is "other proxies are left out" "$(codes 1 "${local[@]}" \
	-H 'X-Forwarded-For: 192.0.2.7, 192.0.2.1, 10.0.0.3 ,10.1.2.3')" "429 "
is "so are other headers of the name" "$(codes 1 "${local[@]}" \
	-H 'X-Forwarded-For: 192.0.2.6' -H 'X-Forwarded-For: 192.0.2.1')" "429 "
is "of nothing but proxies it is the first" "$(codes 3 "${local[@]}" \
	-H 'X-Forwarded-For: 10.0.0.3, 10.0.0.4')" "200 200 429 "
for list in ',' '192.0.2.1,' ', 192.0.2.1' '192.0.2.1 192.0.2.2' \
	'192.0.2.1:80' "$(printf '1%.0s' {1..200})"; do
	get /robots.txt "${local[@]}" -H "X-Forwarded-For: $list"
	like "nothing is wrong with: ${list:0:20}" <(echo "$code") '^(200|429)$'
done
stop_web || fail "it ends well"

# ---- files for programs ----

start_web "$work/web" || exit 99
get /.well-known/security.txt
is "there is no security.txt" "$code" 404
get /robots.txt
unlike "robots.txt names no program" "$body" '^User-agent: [^*]'
stop_web
start_web "$work/web" -o base=https://games.example.org \
	-o security_expires=2999-06-30 -o robots_refused="GPTBot CCBot" -o \
	security_contact="mailto:a@example.org https://example.org/faults" ||
	exit 99
get /.well-known/security.txt
is "security.txt is there" "$code $(header content-type)" \
	"200 text/plain; charset=utf-8"
is "as RFC 9116 has it" "$(cat "$body")" \
	"Contact: mailto:a@example.org
Contact: https://example.org/faults
Expires: 2999-06-30T00:00:00Z
Canonical: https://games.example.org/.well-known/security.txt"
get /robots.txt
is "robots.txt turns programs away" "$(tail -n 4 "$body")" "
User-agent: GPTBot
User-agent: CCBot
Disallow: /"
is "and keeps all others from what changes" "$(head -n 6 "$body")" \
	'User-agent: *
Disallow: /u/
Disallow: /g/*/events$
Disallow: /g/*/at$
Disallow: /g/*/p/
Disallow: /*?'
stop_web
start_web "$work/web" -o security_expires=2026-01-01 \
	-o security_contact=mailto:a@example.org || exit 99
get /.well-known/security.txt
is "what has expired is not there" "$code" 404
like "and the log says why" "$work/web/log" 'security_expires is over'

# ---- several processes ----

port_of=${web##*:}
exits 75 "another process cannot listen there" "$UMPIRE_WEB" \
	-o server="$server" -o cache="$work/other" -o listen="127.0.0.1:$port_of"
like "in words" "$err" 'listen: "127.0.0.1:[0-9]+": Address already in use'
exits 75 "nor can it write to the same files" "$UMPIRE_WEB" \
	-o server="$server" -o cache="$work/web/cache" -o listen=127.0.0.1:0
like "in words" "$err" 'cache: another umpire-web uses "'
stop_web
start_web "$work/web" -o share_port=yes || exit 99
first=$web_pid
start_web "$work/second" -o share_port=yes -o listen="${web#http://}" ||
	exit 99
# served DIR: requests that the process there has had.
served() {
	local web_dir=$1
	metric requests_total
}
all=$(for _ in {1..10}; do codes 6 -H 'Connection: close'; done)
unlike "two processes at one address answer" <(echo "$all") '[1345]'
for d in web second; do
	holds "$d has its part of it" test "$(served "$work/$d")" -ge 5
done
get "$page"
is "any of them has the game" "$code" 200
kill -KILL "$first"
wait_for 10 not_running "$first"
unlike "one that is killed is not missed" \
	<(for _ in {1..5}; do codes 4 -H 'Connection: close'; done) '[013-9]{3}'
exits 75 "only those that all agree to share" "$UMPIRE_WEB" \
	-o server="$server" -o cache="$work/other" -o listen="${web#http://}"
start_web "$work/web" -o share_port=yes -o listen="${web#http://}" || exit 99
unlike "it comes back" \
	<(for _ in {1..5}; do codes 4 -H 'Connection: close'; done) '[013-9]{3}'
holds "and ends well" stop_web
unlike "nothing was wrong" "$work/web/log" ' error '

finish
