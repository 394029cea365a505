#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What umpire-web serves of a game: addresses, bytes, headers, what is new.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/report_game.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"

report_game "$work/record" || exit 99
start_web "$work/web" || exit 99
short=${game:0:12}

# ---- the table of addresses ----

"$UMPIRE_WEB" --routes >"$work/routes"
holds "it prints its addresses" test "$(wc -l <"$work/routes")" -ge 30

# ---- its place in the system ----

confined=$(grep -cE '^(NoNewPrivs:	1|Seccomp:	2)$' "/proc/$web_pid/status")
if [ "$confined" = 2 ]; then
	pass "it is under a filter of system calls"
elif grep -q 'cannot be filtered' "$work/web/log"; then
	skip "it is under a filter of system calls" "there is none here"
else
	fail "it is under a filter of system calls"
fi

# ---- one game ----

get /
is "the lobby is there" "$code" 200
like "with a link to the game" "$body" "href=\"/g/$short/\""
is "and may be kept for seconds" "$(header cache-control)" "public, max-age=5"
get "/g/$short/"
is "the game's page is there" "$code" 200
like "it is whole" "$body" '</html>$'
unlike "a stranger's text is no markup" "$body" '<script>alert|<b onclick|<i>Cup'
is "of a game that is over it lasts longer" "$(header cache-control)" \
	"public, max-age=300, stale-while-revalidate=30"
like "nothing in it runs but the site's own" "$head" \
	"^Content-Security-Policy: default-src 'none'; style-src 'self'; "
unlike "it sets no cookie" "$head" '^[Ss]et-[Cc]ookie'
for h in 'X-Content-Type-Options: nosniff' 'Referrer-Policy: no-referrer' \
	'Cross-Origin-Opener-Policy: same-origin' \
	'Cross-Origin-Resource-Policy: same-origin' 'Vary: Accept-Encoding' \
	'Permissions-Policy: camera=\(\)'; do
	like "there is $h" "$head" "^$h"
done
cp "$body" "$work/page"
tag=$(header etag)
get "/g/$short/" -H "If-None-Match: $tag"
is "who has it is not sent it again" "$code $(wc -c <"$body")" "304 0"
get "/g/$short/" -H 'Accept-Encoding: gzip'
is "it is gzipped" "$(header content-encoding)" gzip
holds "and the same" cmp -s <(gunzip <"$body") "$work/page"
holds "under another mark" test "$(header etag)" != "$tag"
get "/g/$short/" -H 'Accept-Encoding: gzip;q=0, identity'
is "unless that is refused" "$(header content-encoding)" ""
code=$(curl -s -I -m 10 -o "$head" -w '%{http_code} %{size_download}' \
	"$web/g/$short/")
is "HEAD has all but the body" "$code" "200 0"
like "and its length" "$head" "^Content-Length: $(wc -c <"$work/page")"

# ---- a player ----

get /u/anna
is "a player has a page" "$code" 200
unlike "dice that players roll freely are no luck" "$body" 'Luck'
{
	umpire_as anna new --roster "$work/roster.json" --name duel \
		--event duels &&
		id=$(umpire_as anna show duel --json | jq -r .game) &&
		umpire_as bert join --yes "$id" --name duel &&
		umpire_as anna ready duel &&
		umpire_as anna declare duel "$work/combat.json" --yes &&
		umpire_as bert decide duel retire none
} >/dev/null 2>"$err" </dev/null || show_run
lucky() {
	get "/g/${id:0:12}/"
	get /u/anna
	grep -q 'id="luck-h"' "$body"
}
holds "the dice of a game that was read are" wait_for 20 lucky
like "with what they are held against" "$body" \
	'<strong>[0-9]+ dice</strong> of that side showed <strong>[0-9.]+ pips '
like "and how few they are" "$body" 'Fewer than 30 dice are too few to tell'

# ---- an event ----

get /e/duels
like "an event has its games" "$body" "href=\"/g/${id:0:12}/\""
unlike "none of which is over" "$body" 'Crosstable'
run umpire_as anna resign duel --yes
# crossed: its page has a crosstable.
crossed() {
	get /e/duels
	grep -q 'id="cross-h">Crosstable' "$body"
}
holds "then it has a crosstable" wait_for 20 crossed
like "with who won" <(tr -d '\n' <"$body" | sed 's/<[^>]*>/,/g; s/,,*/,/g') \
	'Points,1,bert,1,1,1,2,anna,0,1,0,'

# ---- addresses ----

get "/g/${game:0:8}/"
is "fewer digits lead to the page" "$code $(header location)" \
	"301 /g/$short/"
get "/g/$game/record.jsonl"
is "more digits, too" "$code $(header location)" \
	"301 /g/$short/record.jsonl"
get "/g/$short"
is "so does the address without its slash" "$code $(header location)" \
	"301 /g/$short/"
get "/g/$short/?utm_source=x"
is "and one with a query of others" "$code $(header location)" \
	"301 /g/$short/"
get "/g/$short/?refresh=60"
is "one without scripts may have it read anew" "$code $(header refresh)" \
	"200 60"
for t in /g/000000000000/ /g/abc/ "/g/${short^^}/" /nothing "/g/$short/x" \
	"/g/$short/t/01" /s/0000000000000000/umpire.css /u/Anna /metrics \
	/healthz "/g/$short/evidence.jsonl" "/g/$short/l/999" /u/nobody \
	/e/nothing; do
	get "$t"
	is "there is no $t" "$code" 404
done
for t in '/%zz' '/g/%' '/"' '/a\b' '/<x>'; do
	get "$t" --path-as-is
	is "what is no target is refused: $t" "$code" 400
done

# ---- to take home ----

get "/g/$short/record.jsonl"
is "the record may be read by others' pages" \
	"$code $(header access-control-allow-origin)" "200 *"
holds "it is what umpire export writes" cmp -s "$body" "$work/record"
like "it has a name" "$head" \
	"^Content-Disposition: attachment; filename=\"umpire-$short.jsonl\""
get "/g/$short/record.jsonl" -r 100-199
is "a part of it can be had" \
	"$code $(header content-range)" \
	"206 bytes 100-199/$(wc -c <"$work/record")"
holds "which is that" cmp -s "$body" \
	<(tail -c +101 "$work/record" | head -c 100)
get "/g/$short/record.jsonl" -r 99999999-
is "but not beyond its end" "$code" 416
exits 0 "umpire verify finds it good" umpire_as nobody verify "$work/record"
get "/g/$short/l/3"
is "a line's own bytes last" "$code $(header cache-control)" \
	"200 public, max-age=31536000, immutable"
holds "they are those of the record" cmp -s "$body" \
	<(sed -n 4p "$work/record")
for f in txt:text md:markdown; do
	get "/g/$short/log.${f%:*}"
	umpire_as nobody log "$work/record" --format "${f#*:}" >"$work/log"
	holds "log.${f%:*} is what umpire log writes" cmp -s "$body" "$work/log"
done
get "/g/$short/log.json"
umpire_as nobody log "$work/record" --json >"$work/log"
is "and log.json, too" "$(jq -Sc . "$body")" "$(jq -Sc . "$work/log")"
get "/g/$short/at"
is "where the game is, for those without a stream" "$(jq -c \
	'[.seq, .over]' "$body")" "[18,true]"
get /robots.txt
like "robots leave players alone" "$body" '^Disallow: /u/$'
css=$(grep -o '/s/[0-9a-f]*/umpire.css' "$work/page" | head -n 1)
[ -n "$css" ] || { get / && css=$(grep -o '/s/[0-9a-f]*/umpire.css' "$body"); }
get "$css"
is "the style lasts" "$code $(header cache-control)" \
	"200 public, max-age=31536000, immutable"

# ---- what is new ----

# listen TARGET [CURL OPTION]...: a stream, into $work/events.
listen() {
	local target=$1
	shift
	rm -f "$work/events"
	curl -sN -m 60 -o "$work/events" -w '%{http_code}' "$@" "$web$target" \
		>"$work/events.code" &
	listener=$!
	daemons="$daemons $listener"
}
listen "/g/$short/events?after=15"
wait_for 20 grep -q '^id: 18$' "$work/events"
is "a stream begins after the line that is known" \
	"$(grep -c '^event: line$' "$work/events")" 3
umpire_as anna say evening "no hard feelings" >/dev/null 2>&1
wait_for 20 grep -q '^id: 19$' "$work/events"
is "and goes on as lines come" "$(grep '^id: ' "$work/events" | tail -n 1)" \
	"id: 19"
is "it says what to read" "$(sed -n 's/^data: //p' "$work/events" | tail -n 1 |
	jq -c '[.seq, .part, (.say | type)]')" '[19,"t1@19","string"]'
kill "$listener"
wait "$listener" 2>/dev/null
listen "/g/$short/events" -H 'Last-Event-ID: 18'
wait_for 20 grep -q '^id: 19$' "$work/events"
is "who comes back misses nothing, and has nothing twice" \
	"$(grep '^id: ' "$work/events")" "id: 19"
get "/g/$short/events?after=30"
is "who knows more lines than there are reads anew" "$code" 409
get "/g/$short/events" -H 'Last-Event-ID: x'
is "an id that is none is refused" "$code" 400
get "/g/$short/at"
is "all that is new is there" "$(jq .seq "$body")" 19
{ umpire_as anna close evening --yes && umpire_as bert close evening --yes; } \
	>/dev/null 2>&1
wait_for 20 grep -q '^event: over$' "$work/events"
wait "$listener"
is "the stream of a game that is finished ends" \
	"$(cat "$work/events.code") $(grep -c '^event: over$' "$work/events")" \
	"200 1"
get "/g/$short/events?after=$(grep '^id: ' "$work/events" | tail -n 1 |
	cut -c 5-)"
is "and begins no more" "$code" 204

# ---- words that are erased ----

get "/g/$short/log.txt"
like "a chat is told" "$body" 'no hard feelings'
get "/g/$short/"
tag=$(header etag)
exits 0 "its author erases it" umpire_as anna erase evening 19 --yes
# gone: the page no longer has it.
gone() {
	get "/g/$short/log.txt"
	! grep -q 'no hard feelings' "$body"
}
holds "then it is gone" wait_for 20 gone
like "and its place says so" "$body" '\(erased\)'
get "/g/$short/" -H "If-None-Match: $tag"
is "pages have another mark" "$code" 200
get "/g/$short/record.jsonl"
unlike "the record does not have it" "$body" 'no hard feelings'
holds "nor has the disk" test -z "$(grep -rl 'no hard feelings' \
	"$work/web/cache")"

# ---- a process that goes, and a daemon that goes ----

holds "it ends well" stop_web
start_web "$work/web" || exit 99
get "/g/$short/"
is "the next one has the game" "$code" 200
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
# away: the umpire is missed.
away() {
	[ "$(metric umpire_away_ms)" -gt 0 ]
}
holds "it misses the umpire" wait_for 20 away
get "/g/$short/"
is "its page is shown still, and says so by its status" "$code" 503
like "it is whole" "$body" '</html>$'
get "/g/$short/record.jsonl"
is "the record is as it was" "$code" 200
is "and the operator is told" "$(admin healthz)" "the umpire does not answer"
stop_web
start_umpired "$work/report" || exit 99
start_web "$work/web" || exit 99
get "/g/$short/at"
is "all goes on when it is back" "$code" 200
stop_web || fail "it ends well"
unlike "nothing was wrong" "$work/web/log" ' error '

finish
