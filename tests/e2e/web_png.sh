#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Pictures for previews of links: what umpire-web serves of them, what becomes
# of a converter that fails, hangs, floods or looks around, and rsvg-convert
# itself where it is installed.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/report_game.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"

report_game "$work/record" || exit 99
short=${game:0:12}
site=https://games.example.org
fake=$work/convert
png="printf '\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\rIHDR\\0\\0\\x04\\xb0\\0\\0\\x02\\x76'"

# converter: what stands on the standard input is the program from now on.  It
# stays the same file, which the painter may run.
converter() {
	{
		echo '#!/bin/bash'
		cat
	} >"$fake"
}
converter <<<'exit 1'
chmod +x "$fake"

# failed: asks for the picture, which there is none of, for the reason given.
failed() {
	local before
	before=$(metric picture_failures_total)
	get "/g/$short/18.png"
	is "$1: it cannot be had now" "$code $(header cache-control)" \
		"503 no-store"
	is "$1: one was tried" "$(metric picture_failures_total)" \
		$((before + 1))
	like "$1: the log says why" <(tail -n 1 "$work/web/log") \
		"rsvg_convert: $2"
	get /
	is "$1: all else goes on" "$code" 200
}

# ---- the setting ----

: >"$work/plain"
for p in "$work/nothing" "$work" convert "$work/plain"; do
	"$UMPIRE_WEB" -o cache="$work/x" -o rsvg_convert="$p" --check \
		>"$out" 2>"$err"
	is "what is no program is refused: ${p##*/}" "$?" 78
	like "with its name: ${p##*/}" "$err" 'rsvg_convert: "'
done
start_web "$work/none" -o base="$site" || exit 99
get "/g/$short/18.png"
is "without one there is no picture" "$code" 404
get "/g/$short/"
unlike "and no page names one" "$body" 'og:image'
like "though it has a preview" "$body" 'og:url'
holds "it ends well" stop_web

# ---- a converter that does not do well ----

start_web "$work/web" -o base="$site" -o rsvg_convert="$fake" \
	-o picture_ms=$(some 500 1500) || exit 99
failed "it fails" 'it failed$'
converter <<<"$png; exit 1"
failed "it fails at the end" 'it failed$'
converter <<<'while :; do :; done'
failed "it hangs" 'it took longer than picture_ms$'
converter <<<'exec 1>&-; sleep 60'
failed "it hangs without an output" 'it took longer than picture_ms$'
converter <<<'exec yes'
failed "it does not end to write" 'it wrote more than a picture has$'
converter <<<'exec cat'
failed "it writes something else" 'what it wrote is no PNG of 1200 x 630$'
converter <<<"printf '\\x89PNG'"
failed "it writes too little" 'what it wrote is no PNG of 1200 x 630$'
converter <<<"sleep 6$$ & exit 1"
failed "it leaves somebody behind" 'it failed$'
unlike "who is not there any more" <(ps -eo args) "^sleep 6$$\$"

# ---- one that looks around ----

# It draws if it can reach what it must not.
cat >"$work/curious" <<END
{
	cat "$work/web/cache/server.key" || echo >"$work/written" ||
		echo >/dev/tcp/127.0.0.1/$port
} >/dev/null 2>&1 || exit 1
$png
END
converter <"$work/curious"
if grep -qE 'cannot be (filtered|given up)' "$work/web/log"; then
	skip "it reads, writes and reaches nothing" "there is no sandbox here"
else
	failed "it looks around" 'it failed$'
	holds "it has written nothing" test ! -e "$work/written"
	start_web "$work/open" -o rsvg_convert="$fake" -o sandbox=no || exit 99
	get "/g/$short/18.png"
	is "without the sandbox it would" "$code" 200
	holds "that ends well" stop_web
fi

# ---- one that does ----

web_pid=$(pgrep -f "cache=$work/web/cache" | head -n 1)
web_dir=$work/web
web=http://127.0.0.1:$(head -n 1 "$work/web/port")
converter <<<"cat >/dev/null; $png; echo made"
for i in 1 2 3; do
	curl -s -m 20 -o "$work/same$i" "$web/g/$short/18.png" &
done
wait $(jobs -p | tail -n 3)
get "/g/$short/18.png"
is "there is the picture" "$code $(header content-type)" "200 image/png"
holds "as it was made" cmp -s "$body" <(eval "$png"; echo made)
is "it shows names: it is not kept for long" "$(header cache-control)" \
	"public, max-age=60"
is "other sites may show it" "$(header cross-origin-resource-policy)" \
	cross-origin
is "it is made once, however many ask" "$(metric pictures_total)" 1
for i in 1 2 3; do
	holds "all have it: $i" cmp -s "$body" "$work/same$i"
done
tag=$(header etag)
get "/g/$short/18.png" -H "If-None-Match: $tag"
is "who has it is not sent it again" "$code" 304
get "/g/$short/3.png"
is "an earlier line has its own" "$code $(header content-type)" \
	"200 image/png"
tag=$(header etag)
converter <<<"$png; cat"
get "/g/$short/0.png"
like "which shows the game as it was" "$body" '>Before the battle<'
like "with the players who were there" "$body" '>nobody yet<'
get "/g/$short/8.png"
like "and whose turn it was" "$body" '>Turn 1,'
unlike "not how it ended" "$body" 'won the game'
get "/g/$short/3.png"
is "it is not made again" "$(header etag)" "$tag"
like "and is as it was made" "$body" 'made$'
for t in 19.png 018.png x.png 18.PNG .png 18.png.png; do
	get "/g/$short/$t"
	is "there is no $t" "$code" 404
done
for t in "" t/1 c/1; do
	get "/g/$short/$t"
	like "the page names it: /$t" "$body" \
		"<meta property=\"og:image\" content=\"$site/g/$short/18.png\">"
done
like "with its width" "$body" 'og:image:width" content="1200"'
like "and words for who cannot see it" "$body" 'og:image:alt" content="[^"]'

# ---- painters that end ----

keeper=$(pgrep -P "$web_pid" -x umpire-web-png)
# painter: the one that is there now.
painter() {
	pgrep -P "$keeper" -x umpire-web-png
}
# drawn N: the picture after line N is there.
drawn() {
	get "/g/$short/$1.png"
	[ "$code" = 200 ]
}
without() {
	get "/g/$short/"
	! grep -q og:image "$body"
}
first=$(painter)
kill -9 "$first"
holds "when the painter is killed a picture comes again" wait_for 50 drawn 17
holds "from another one" test "$(painter)" != "$first"
like "as the log says" "$work/web/log" \
	'warn.* has ended: another one is started in 400 ms'
kill -STOP "$(painter)"
curl -s -m 20 -o "$work/lost" -w '%{http_code}' "$web/g/$short/16.png" \
	>"$work/lost.code" &
is_asked() {
	[ "$(metric waiting)" -gt 0 ]
}
wait_for 50 is_asked
kill -9 "$(painter)"
wait $!
is "what it was at cannot be had" "$(cat "$work/lost.code")" 503
holds "but the next time it can" wait_for 50 drawn 16

# Each picture ends its painter.
converter <<<'kill -9 $PPID'
for i in 1 2 3; do
	get "/g/$short/1$i.png"
	is "a picture that ends its painter cannot be had: $i" "$code" 503
done
holds "after three painters pages name no pictures" without
get "/g/$short/10.png"
is "and there are none" "$code" 503
is "no more were started than that, each later than the one before" \
	"$(grep -c 'has ended: another one is started' "$work/web/log")" 5
like "the third one" "$work/web/log" 'another one is started in 1600 ms'
converter <<<"cat >/dev/null; $png; echo again"
holds "a painter that does well brings them back" wait_for 50 drawn 10
holds "and pages name them" test "$(without; echo $?)" = 1

kill -9 "$keeper"
holds "when the one that keeps painters is killed pages name none any more" \
	wait_for 20 without
get "/g/$short/4.png"
is "and there are no new ones" "$code" 503
like "as the log says" "$work/web/log" 'error.* has ended: there are no pic'
holds "the rest ends well" stop_web

# ---- rsvg-convert ----

if real=$(command -v rsvg-convert); then
	start_web "$work/real" -o base="$site" -o rsvg_convert="$real" || exit 99
	get "/g/$short/18.png"
	is "rsvg-convert makes one" "$code $(header content-type)" \
		"200 image/png"
	holds "with something to see" test "$(wc -c <"$body")" -gt 8000
	painter=$(pgrep -P "$web_pid" umpire-web-png)
	holds "that ends well" stop_web
	wait_for 5 not_running "$painter"
	holds "and so does the process that starts it" not_running "$painter"
else
	skip "rsvg-convert makes one" "it is not installed"
fi

finish
