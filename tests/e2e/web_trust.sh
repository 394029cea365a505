#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What umpire-web must not show, and what it must: games that are private or
# delayed, in all addresses that there are; and the proof when its server tells
# two histories.  tests/tools/liar is the server, with the daemon's keys.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
. "$top_srcdir/tests/e2e/server_line.sh"
need python3

dir=$work/umpired
start_umpired "$dir" || exit 99
write_example "$work"
enrol anna bert || exit 99

# play NAME WORD OPTION...: a game in play in which the word is said; its id is
# in $game.
play() {
	local name=$1 word=$2
	shift 2
	umpire_as anna new --roster "$work/roster.json" --name "$name" \
		--event "cup $word" --invite bert "$@" &&
		game=$(umpire_as anna show "$name" --json | filter .game) &&
		umpire_as bert join "$game" --name "$name" --yes &&
		umpire_as anna ready "$name" &&
		umpire_as anna say "$name" "$word said" &&
		umpire_as anna declare "$name" "$work/combat.json" --yes \
			--purpose "$word" || umpire_as anna declare "$name" \
			"$work/combat.json" --yes
}
{ play open openword && open=$game &&
	play secret secretword --private && secret=$game &&
	play late lateword --delay 90m && late=$game; } >"$work/play.log" 2>&1 ||
	{ sed 's/^/# /' "$work/play.log"; exit 99; }
umpire_as anna say late "lateword again" >/dev/null 2>&1

start_web "$work/web" || exit 99
"$UMPIRE_WEB" --routes >"$work/routes"

# ---- what is hidden ----

get "/g/${secret:0:12}/"
cp "$body" "$work/secret"
is "a private game is not there" "$code" 404
get "/g/000000000000/"
holds "as one that never was" cmp -s "$body" "$work/secret"
get "/g/${late:0:12}/"
is "a delayed one is" "$code" 200
python3 "$top_srcdir/tests/e2e/web_crawl.py" "$web" "$work/routes" \
	"openword,secretword,lateword said,lateword again" "id=${open:0:12}" \
	"id=${secret:0:12}" "id=${late:0:12}" name=anna name=bert \
	"event=cup openword" "event=cup secretword" >"$work/crawl" 2>"$err"
is "all addresses are read" "$(cat "$err")" ""
holds "many of them" test "$(sed -n 's/^pages //p' "$work/crawl")" -ge 150
holds "what is said in the open is found" \
	test "$(sed -n 's/^openword //p' "$work/crawl")" -ge 8
is "what is private nowhere" "$(sed -n 's/^secretword //p' "$work/crawl")" 0
is "what is to come later nowhere" \
	"$(sed -n 's/^lateword [a-z]* //p' "$work/crawl" | paste -sd' ')" "0 0"
is "no link leads nowhere" "$(grep '^broken' "$work/crawl")" ""

# stream ID: what its stream has said so far, from the first line on.
stream() {
	curl -sN -m 0.7 "$web/g/${1:0:12}/events?after=0"
}
like "a stream tells of the open one" <(stream "$open") '^id: [5-9]$'
get "/g/${late:0:12}/at"
shown=$(jq .seq "$body")
is "that of the delayed one goes no further than its page" \
	"$(stream "$late" | sed -n 's/^id: //p' | awk -v n="$shown" '$1 > n')" ""
get "/g/${secret:0:12}/events"
is "and the private one has none" "$code" 404

# How long it takes to say that one is not there, asked for in turns, by more
# digits each time, so that none of the answers is known already.  What else the
# machine does only ever adds to it: the quickest ten of each are compared.
cat >"$work/times.py" <<'END'
import http.client, sys, time
conn, took = http.client.HTTPConnection(sys.argv[1]), ([], [])
for digits in range(13, 65):
    for game, times in zip(sys.argv[2:], took):
        begun = time.perf_counter()
        conn.request("GET", "/g/%s/" % game[:digits])
        reply = conn.getresponse()
        reply.read()
        times.append(time.perf_counter() - begun)
        assert reply.status == 404, reply.status
a, b = (sum(sorted(times)[:10]) / 10 for times in took)
print(round(a / b, 2), round(1e6 * a), round(1e6 * b))
END
read -r ratio one two < <(python3 "$work/times.py" "${web#http://}" \
	"$secret" "$(printf '%064d' 7)")
diag "a private one is denied in $one us, one that is not there in $two us"
holds "nor does the time tell that it is there: $ratio" \
	awk -v r="$ratio" 'BEGIN { exit !(r > 0.67 && r < 1.5) }'

# However many look at a game, the umpire tells it once.
before=$(metric notices_total)
for i in {1..30}; do
	curl -sN -m 60 -o "$work/reader.$i" \
		"$web/g/${open:0:12}/events?after=4" &
	daemons="$daemons $!"
done
# streams N: that many have come.
streams() {
	[ "$(metric streams)" = "$1" ]
}
holds "thirty look at it" wait_for 20 streams 30
umpire_as anna say open "openword again" >/dev/null 2>&1
# told: all of them have the line.
told() {
	[ "$(grep -l '^id: 6$' "$work"/reader.* 2>/dev/null | wc -l)" = 30 ]
}
holds "each is told of a line" wait_for 20 told
is "which the umpire told once" "$(($(metric notices_total) - before))" 1
holds "the cache has nothing of it either" test -z "$(grep -rlE \
	'secretword|lateword (said|again)' "$work/web/cache")"
stop_web || fail "it ends well"

# ---- a server that tells two histories ----

start_liar || exit 99
start_web "$work/forked" || exit 99
short=${open:0:12}
get "/g/$short/record.jsonl"
is "what an honest server says is shown" "$code" 200
cp "$body" "$work/whole"
grep '"mark":"' "$work/whole" >"$work/lines"
n=$(($(wc -l <"$work/lines") - 1))
get "/g/$short/evidence.jsonl"
is "against which there is no evidence" "$code" 404

# Two games whose numbers share thirteen digits.
twin=$(printf '%x' $((15 - 0x${open:13:1})))
twin=${open:0:13}$twin${open:14}
echo "{\"game\":\"$open\"} {\"game\":\"$twin\"}" | jq -sc \
	'map(. + {phase: "play", system: "lasalle2", seq: 5, players: [],
		names: {}, at: "2026-11-20T12:01:01.042Z", title: "A twin"}) |
	{"game.list": {result: {games: .}}}' >"$work/script.new"
mv "$work/script.new" "$work/script"
for digits in 8 13; do
	get "/g/${open:0:digits}/"
	is "$digits digits name both: there is a choice" \
		"$code $(header cache-control)" "300 no-store"
	is "of each by what is its own" "$(grep -o 'href="/g/[0-9a-f]*/"' \
		"$body" | sort -u | wc -l)" 2
done
for digits in 14 16 64; do
	get "/g/${open:0:digits}/"
	is "$digits digits name one, whose address has fourteen" \
		"$code $(header location)" "$([ $digits = 14 ] && echo "200 " ||
			echo "301 /g/${open:0:14}/")"
done
get "/g/${open:0:14}/"
like "which its page knows" "$body" "href=\"/g/${open:0:14}/log.txt\""
echo '{}' >"$work/script"

# The last line was lost, while somebody follows the game and a page of it is
# made again and again.
head -n "$n" "$work/lines" >"$work/before"
server_line restored "{\"seq\":$n}" "$work/before" >"$work/restored"
curl -sN -m 60 -o "$work/events" "$web/g/$short/events?after=$n" &
listener=$!
daemons="$daemons $listener"
wait_for 20 grep -q '^retry: ' "$work/events"
# record FROM FILE: what is told of the lines from that number on.
record() {
	jq -nc --rawfile l "$2" --argjson from "$1" --argjson n "$n" --arg head \
		"$(tail -n 1 "$2" | tr -d '\n' | sha256sum | cut -c 1-64)" \
		'{($from | tostring): {result: {lines: ($l | rtrimstr("\n") |
		split("\n")), $head, seq: $n}}}'
}
record "$n" "$work/restored" >"$work/told"
cat "$work/before" "$work/restored" >"$work/after"
record 0 "$work/after" >>"$work/told"
jq -sc --arg game "$open" --argjson n "$n" '{"game.record": {from: add},
	"game.list": {notices: [{jsonrpc: "2.0", method: "game.entry",
	params: {$game, seq: ($n + 1)}}]}}' "$work/told" >"$work/script.new"
mv "$work/script.new" "$work/script"
# lost: the record is the one in which the line was lost; a list of games brings
# the notice.
lost() {
	get /live
	get "/g/$short/record.jsonl"
	grep -qxFf "$work/restored" "$body"
}
holds "a line that was lost is taken" wait_for 20 lost
is "after those before it" "$(grep '"mark":"' "$body" | head -n -1)" \
	"$(cat "$work/before")"
wait_for 20 grep -q '^event: erased$' "$work/events"
like "whoever follows is told to read anew" "$work/events" '^event: erased$'
get "/g/$short/evidence.jsonl"
exits 0 "the proof holds" "$UMPIRE" verify --json --evidence "$body"
is "for the line that was lost" "$(filter .seq <"$out")" "$n"
kill "$listener"
stop_web || fail "it ends well"
echo '{}' >"$work/script"

# Another last line, under the same key.
rm -rf "$work/forked"
start_web "$work/forked" || exit 99
get "/g/$short/record.jsonl"
holds "what was read before does not matter elsewhere" \
	cmp -s "$body" "$work/whole"
get "/g/$short/"
tag=$(header etag)
tail -n 1 "$work/lines" | sed 's/"at":"[0-9]*/"at":"2031/' |
	"$tools/perjurer" mark "$dir" >"$work/other"
jq -nc --rawfile l "$work/other" --arg game "$open" --argjson n "$n" --arg head \
	"$(tr -d '\n' <"$work/other" | sha256sum | cut -c 1-64)" \
	'{"game.record": {result: {$game, lines: [$l | rtrimstr("\n")], $head,
	seq: $n, side: []}}}' >"$work/script.new"
mv "$work/script.new" "$work/script"
# convicted: the evidence is there; each page asks, two seconds apart.
convicted() {
	get "/g/$short/"
	get "/g/$short/evidence.jsonl"
	[ "$code" = 200 ]
}
holds "a second history is found out" wait_for 20 convicted
cp "$body" "$work/evidence"
exits 0 "the proof holds" \
	"$UMPIRE" verify --json --evidence "$work/evidence"
is "it is of two lines of one number" \
	"$(filter .verdict <"$out") $(filter .seq <"$out")" "two-lines $n"
is "the operator's socket counts it" "$(metric forks_total)" 1
get "/g/$short/" -H "If-None-Match: $tag"
is "the page is there still, and not as whoever has it knows it" "$code" 200
like "it says so, and where the proof is" "$body" \
	"href=\"/g/$short/evidence.jsonl\""
get "/g/$short/record.jsonl"
holds "the record is as it was" cmp -s "$body" "$work/whole"
stop_web
start_web "$work/forked" || exit 99
get "/g/$short/evidence.jsonl"
holds "the proof stays" cmp -s "$body" "$work/evidence"
stop_web

# ---- a server that never comes to an end ----

# endless FILTER [MORE]: what the server says of the game's lines goes through
# that filter from now on, to a reader without a past that may keep one MiB of a
# game; and what it says besides.
endless() {
	{ record 0 "$work/lines" && tail -n 1 "$work/lines" >"$work/last" &&
		record "$n" "$work/last"; } |
		jq -sc --argjson n "$n" '{"game.record": {from: (add |
			map_values(.result |= (.seq = $n | '"$1"')))}} + '"${2:-{\}}" \
			>"$work/script"
	rm -rf "$work/endless"
	start_web "$work/endless" -o game_memory=1 || exit 99
	get "/g/$short/record.jsonl"
}
endless .
holds "what the server says is the record" cmp -s \
	<(grep '"mark":"' "$body") "$work/lines"
stop_web
endless ".omitted = $(filter .blob <<<"$(grep '^{"blob"' "$work/whole")" |
	jq -Rnc '[inputs]')"
holds "blobs that it has left out are asked for" cmp -s \
	<(grep '^{"blob"' "$body") <(grep '^{"blob"' "$work/whole")
stop_web
endless '.lines |= map("\n")'
get "/g/$short/"
like "lines that are none are not asked for again and again" "$body" \
	'answer makes no sense'
stop_web
endless '.erased = [range(256) | tostring | ("0" * (64 - length)) + .] |
	.erasures = 256'
is "nor are texts that were erased and are named once more" "$code" 200
get "/g/$short/"
like "whoever looks is told" "$body" 'answer makes no sense'
stop_web
endless '.omitted = [range(20) | "0" * 64]' \
	'{"blob.get": {result: {value: ("x" * 500000)}}}'
diag "a game with blobs takes $(metric games_bytes) bytes"
holds "blobs are kept as long as a game may be" \
	test "$(metric games_bytes)" -lt 8000000
stop_web
echo '{}' >"$work/script"

# ---- a server that is another ----

start_umpired "$work/other-daemon" || exit 99
"$UMPIRE_WEB" -o server="$server" -o cache="$work/forked/cache" \
	-o listen=127.0.0.1:0 -o port_file="$work/forked/port" \
	-o admin_socket="$work/forked/admin" -o max_connections=900 \
	>"$work/forked/log" 2>&1 </dev/null &
web_pid=$!
daemons="$daemons $web_pid"
wait_for 20 grep -q 'another server answers' "$work/forked/log"
like "another key than before is refused" "$work/forked/log" \
	'another server answers: its key is not server_key'
stop_web

finish
