#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A long record: nobody has to wait while it is read, verified, told, exported
# or read from the disk, by the processor time of each turn of the loop; what a
# crash leaves of its file does no harm; and it takes no more memory and no more
# of the disk than settings say.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
fill=$top_builddir/tests/bench/fill
[ -x "$fill" ] || skip_all "fill is not built"

start_umpired "$work/umpired" || exit 99
write_example "$work"
printf 'match\nplay 0 %d\nchat 0 %d\n' "$(some 450 300 9000)" \
	"$(some 150 100 1000)" |
	"$fill" 127.0.0.1 "$port" "$work/roster.json" >"$work/filled"
game=$(tail -n 1 "$work/filled" | filter .game)
lines=$(($(tail -n 1 "$work/filled" | filter .seq) + 1))
short=${game:0:12}

# A slice is five milliseconds, and its last step may take as long again.
most=$(some 25000 250000)

# turns WHAT: no turn of the loop has taken long since it was asked last.
turns() {
	local us
	us=$(metric slowest_turn_us)
	holds "$1: the longest turn took $us us" test "$us" -lt "$most"
}

# whole TARGET: it has come, and is not of a part of the game.
whole() {
	get "$1"
	[ "$code" = 200 ] && [ -z "$(header refresh)" ]
}

# ---- read from the umpire ----

start_web "$work/web" || exit 99
metric slowest_turn_us >"$work/first"
holds "the first visit ends with all of it" wait_for 60 whole "/g/$short/"
turns "read and verified"
is "each line once" "$(metric verified_lines_total)" "$lines"
get "/g/$short/record.jsonl"
cp "$body" "$work/record"
exits 0 "umpire verify finds its record good" umpire_as nobody verify \
	"$work/record"
is "with all lines" "$(grep -c '^{"v":' "$work/record")" "$lines"
for t in log.txt log.md log.json dice.csv feed.atom embed card.svg at t/1 c/1 \
	; do
	get "/g/$short/$t" -H 'Accept-Encoding: gzip'
	is "$t" "$code" 200
	turns "$t"
done

# ---- who takes no gzip, and does not read ----

get "/g/$short/log.json" -H 'Accept-Encoding: gzip' -I
is "without gzip it is as long as it is" "$(get "/g/$short/log.json" -I
	header content-length)" "$(get "/g/$short/log.json"; wc -c <"$body")"
get "/g/$short/log.json"
n=$(wc -c <"$body")
holds "it is of some length" test "$n" -gt 200000
# held: kB of memory that the gateway has.
held() {
	sed -n 's/^VmRSS:[ \t]*\([0-9]*\) kB$/\1/p' "/proc/$web_pid/status"
}
before=$(held)
were=$(metric requests_total)
slow=()
for _ in {1..100}; do
	exec {fd}<>"/dev/tcp/127.0.0.1/${web##*:}"
	printf 'GET /g/%s/log.json HTTP/1.1\r\nHost: x\r\n\r\n' "$short" >&"$fd"
	slow+=("$fd")
done
# asked: all were answered, as far as they read.
asked() {
	[ "$(metric requests_total)" -ge "$((were + 100))" ]
}
wait_for 20 asked
more=$(($(held) - before))
holds "a hundred who ask and do not read take $more kB, for $n bytes" \
	test "$more" -lt "$((n * 100 / 1024 / 4))"
for fd in "${slow[@]}"; do
	exec {fd}>&-
done

# Who was away for long gets each line, on one connection.
back=$((lines < 900 ? lines - 2 : 900))
curl -s -N -m 60 "$web/g/$short/events?after=$((lines - 1 - back))" \
	>"$work/events" 2>"$err" &
stream=$!
# has_told: that is all of them.
has_told() {
	[ "$(grep -c '^event: line' "$work/events")" = "$back" ]
}
holds "a stream that comes back is told $back lines" wait_for 30 has_told
turns "put into words"
kill "$stream"
wait "$stream" 2>"$err"
holds "it ends" stop_web
file=$work/web/cache/lines/$game
cp "$file" "$work/kept"

# ---- read from the disk ----

# again: a gateway with that cache, and what it gives as the record.
again() {
	start_web "$work/web" "$@" || exit 99
	metric slowest_turn_us >"$work/first"
	wait_for 60 whole "/g/$short/record.jsonl"
}
holds "after a restart it is there" again
holds "and the same" cmp -s "$body" "$work/record"
turns "read from the disk"
holds "the file is what it was" cmp -s "$file" "$work/kept"
stop_web

printf '{"v":1,"torn' >>"$file"
holds "half a line at its end does no harm" again
holds "the record is the same" cmp -s "$body" "$work/record"
turns "read, and written anew"
# is_kept: the file has the same lines; texts come first once it is written anew.
is_kept() {
	cmp -s <(sort "$file") <(sort "$work/kept")
}
holds "the file has it no more" wait_for 20 is_kept
stop_web
holds "that can be read again" again
holds "and is the same" cmp -s "$body" "$work/record"
stop_web

head -c $(($(wc -c <"$work/kept") / 2)) "$work/kept" >"$file"
holds "nor does a file that is cut" again
holds "the record is the same" cmp -s "$body" "$work/record"
holds "and the file is whole" wait_for 20 is_kept
stop_web

sed "$((lines / 2))s/\"sig\":\"./\"sig\":\"?/" "$work/kept" >"$file"
holds "nor one that was changed" again
holds "the record is the same" cmp -s "$body" "$work/record"
like "the log says so" "$work/web/log" 'what was kept of it does not hold'
stop_web

rm "$file"
holds "nor one that is gone" again
holds "the record is the same" cmp -s "$body" "$work/record"
holds "it is kept again" wait_for 20 is_kept
stop_web

# ---- bounds ----

rm "$file"
again -o cache_disk=1
holds "one that would fill it is shown" cmp -s "$body" "$work/record"
holds "but not kept" test "$(metric disk_bytes)" -le 1048576
stop_web

start_web "$work/web" -o game_memory=1 || exit 99
holds "the first visit ends" wait_for 60 whole "/g/$short/"
get "/g/$short/"
is "one that takes more than a game may is shown as far as it goes" "$code" 200
like "which it says" "$body" 'The record is longer than is read here'
get "/g/$short/record.jsonl"
is "it is not given away" "$code" 503
holds "and it takes no more" test "$(metric games_bytes)" -le 1400000
like "the log says so" "$work/web/log" 'too long for game_memory'
stop_web
unlike "nothing was wrong" "$work/web/log" ' error '

finish
