#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# "make check-web": umpire-web behind nginx and behind Caddy, as the samples in
# etc/samples have them, but for names, folders, ports and certificates.
. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/report_game.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
PATH=$PATH:/usr/sbin
for program in nginx caddy openssl curl; do
	holds "there is $program" command -v $program >/dev/null
done
samples=$top_srcdir/etc/samples

report_game "$work/record" || exit 99
start_web "$work/web" -o address_header=X-Real-IP -o max_streams_address=2 ||
	exit 99
short=${game:0:12}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
	-subj /CN=localhost -addext subjectAltName=DNS:localhost \
	-keyout "$work/key.pem" -out "$work/cert.pem" 2>/dev/null
free_port() {
	python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

# through TARGET [CURL OPTION]...: as get, but by the proxy at $front.
through() {
	local target=$1
	shift
	: >"$body"
	code=$(curl -sk -m 20 -o "$body" -D "$head" -w '%{http_code}' "$@" \
		"$front$target")
	tr -d '\r' <"$head" >"$head.lf" && mv "$head.lf" "$head"
}

# listens: the proxy at $front answers.
listens() {
	through /robots.txt
	[ "$code" = 200 ]
}

# proxied NAME: cases that each proxy must pass.
proxied() {
	local i next
	get "/g/$short/at"
	next=$(($(jq .seq "$body") + 1))
	get "/g/$short/"
	cp "$body" "$work/direct"
	through "/g/$short/" --http2
	is "$1: the page is there" "$code" 200
	holds "$1: the same" cmp -s "$body" "$work/direct"
	is "$1: by HTTP/2" "$(curl -sk -o "$work/other" -w '%{http_version}' \
		--http2 "$front/g/$short/")" 2
	is "$1: browsers are to come encrypted" \
		"$(header strict-transport-security)" max-age=31536000
	like "$1: with the site's policies" "$head" \
		"^[Cc]ontent-[Ss]ecurity-[Pp]olicy: default-src 'none'"
	through "/g/$short/record.jsonl" -r 0-99
	is "$1: a part of the record can be had" "$code $(wc -c <"$body")" \
		"206 100"
	through "/g/000000000000/"
	is "$1: what is not there is not" "$code" 404
	rm -f "$work"/events.*
	listeners=
	for i in 1 2; do
		curl -skN -m 60 -o "$work/events.$i" \
			"$front/g/$short/events?after=$((next - 3))" &
		listeners="$listeners $!"
	done
	daemons="$daemons $listeners"
	wait_for 20 grep -q "^id: $((next - 1))\$" "$work/events.2"
	umpire_as anna say evening "by $1" >/dev/null 2>&1
	holds "$1: new lines come at once" \
		wait_for 20 grep -q "^id: $next\$" "$work/events.1"
	through "/g/$short/events"
	is "$1: streams of one address are counted by its address" "$code" 503
	through "/g/$short/events" -H 'X-Real-IP: 192.0.2.1' \
		-H 'X-Forwarded-For: 192.0.2.1'
	is "$1: whatever that says of itself" "$code" 503
	# From another address: what follows is not to be refused as well.
	like "$1: who asks for too much is told so" <(curl -sk -m 60 -o "$body" \
		--interface 127.0.0.2 -w '%{http_code} ' \
		"$front/nothing#[1-700]") ' 429 '
	through /nothing
	is "$1: and nobody else is" "$code" 404
	# shellcheck disable=SC2086
	kill $listeners
	# shellcheck disable=SC2086
	wait $listeners 2>/dev/null
}

# ---- nginx ----

mkdir -p "$work/nginx/cache"
tls=$(free_port)
plain=$(free_port)
{
	echo "worker_processes 1; daemon off; pid $work/nginx/pid;"
	[ "$(id -u)" != 0 ] || echo "user root;"
	echo "events {} http {"
	echo "client_body_temp_path $work/nginx/body;"
	echo "proxy_temp_path $work/nginx/proxy;"
	sed -e "s/listen 443/listen 127.0.0.1:$tls/" -e '/listen \[::\]/d' \
		-e "s/listen 80/listen 127.0.0.1:$plain/" \
		-e "s,/etc/letsencrypt/live/games.example.org/fullchain,$work/cert," \
		-e "s,/etc/letsencrypt/live/games.example.org/privkey,$work/key," \
		-e "s,/var/cache/nginx/umpire,$work/nginx/cache," \
		-e "s,/var/log/nginx,$work/nginx," \
		-e "s/127.0.0.1:1816/${web#http://}/" \
		-e 's/games.example.org/localhost/' "$samples/umpire-web.nginx"
	echo "}"
} >"$work/nginx/conf"
exits 0 "nginx: the sample is well formed" nginx -t -p "$work/nginx" \
	-c "$work/nginx/conf" -e "$work/nginx/error"
nginx -p "$work/nginx" -c "$work/nginx/conf" -e "$work/nginx/error" \
	>"$work/nginx/log" 2>&1 </dev/null &
nginx=$!
daemons="$daemons $nginx"
front=https://localhost:$tls
holds "nginx: it listens" wait_for 20 listens
proxied nginx
through "/g/$short/log.txt"
through "/g/$short/log.txt"
# Its log has a reply some time after the reader.
holds "nginx: what was asked for is kept" wait_for 20 \
	grep -q 'log\.txt .* HIT$' "$work/nginx/umpire.log"
through "/g/$short/log.md" -H 'Accept-Encoding: gzip, deflate, br, zstd'
is "nginx: gzipped for those who take it" "$(header content-encoding)" gzip
through "/g/$short/log.md" -H 'Accept-Encoding: br, gzip;q=0.5'
is "nginx: for all of them" "$(header content-encoding)" gzip
holds "nginx: the same" wait_for 20 \
	grep -q 'log\.md .* HIT$' "$work/nginx/umpire.log"
for q in identity 'gzip;q=0' 'gzip; q=0.0, br'; do
	through "/g/$short/log.md" -H "Accept-Encoding: $q"
	is "nginx: and for no others: $q" "$(header content-encoding)" ""
done
unlike "nginx: no whole address is in its log" "$work/nginx/umpire.log" \
	'127\.0\.0\.[12]'
is "nginx: what is not encrypted is led away" "$(curl -s -o "$work/other" -w \
	'%{http_code} %{redirect_url}' "http://127.0.0.1:$plain/g/$short/")" \
	"301 https://127.0.0.1/g/$short/"
kill -QUIT "$nginx"
wait "$nginx"

# ---- Caddy ----

mkdir -p "$work/caddy"
tls=$(free_port)
{
	printf '{\n\tadmin off\n\tauto_https disable_redirects\n}\n'
	sed -e "s/^games.example.org {/https:\/\/localhost:$tls {\n\ttls ${work//\//\\/}\/cert.pem ${work//\//\\/}\/key.pem/" \
		-e "s,/var/log/caddy,$work/caddy," \
		-e "s/127.0.0.1:1816/${web#http://}/" "$samples/umpire-web.caddy"
} >"$work/caddy/Caddyfile"
export XDG_DATA_HOME=$work/caddy XDG_CONFIG_HOME=$work/caddy
caddy run --config "$work/caddy/Caddyfile" --adapter caddyfile \
	>"$work/caddy/out" 2>&1 </dev/null &
caddy=$!
daemons="$daemons $caddy"
front=https://localhost:$tls
holds "Caddy: it listens" wait_for 20 listens || sed 's/^/# /' "$work/caddy/out"
proxied Caddy
holds "Caddy: it writes its log" test -s "$work/caddy/umpire.log"
unlike "Caddy: no whole address is in it" "$work/caddy/umpire.log" \
	'"(remote|client)_ip":"127\.0\.0\.[12]"'
kill -TERM "$caddy"
wait "$caddy"
stop_web || fail "umpire-web ends well"

finish
