#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# umpire-web keeps to its settings while somebody reads all pages of all games:
# memory of games and of bodies, the disk, and time: nobody waits while a long
# record is verified.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
need python3
[ -x "$top_builddir/tests/bench/fill" ] || skip_all "fill is not built"

start_umpired "$work/umpired" || exit 99
write_example "$work"
games=$(some 4 3 60)
orders=$(some 15 10 100)
{
	for i in $(seq 0 $((games - 1))); do
		printf 'match\nplay %d %d\n' "$i" "$orders"
	done
	printf 'match\nplay %d %d\n' "$games" "$(some 120 60 3000)"
} | "$top_builddir/tests/bench/fill" 127.0.0.1 "$port" "$work/roster.json" \
	>"$work/filled"
is "games are played" "$(grep -c '"wall_ms"' "$work/filled")" \
	"$((2 * (games + 1)))"
long=$(tail -n 1 "$work/filled" | filter .game)

start_web "$work/web" -o cache_memory=1 -o games_memory=1 -o cache_disk=1 \
	-o slice_us=2000 || exit 99

# ---- a long record, and somebody else ----

cat >"$work/beside.py" <<'END'
import http.client, sys, threading, time
host, target, out = sys.argv[1:]
waits, done = [], False
def others():
    c = http.client.HTTPConnection(host)
    while not done:
        t = time.thread_time(), time.monotonic()
        c.request("GET", "/robots.txt")
        c.getresponse().read()
        waits.append(time.monotonic() - t[1])
        time.sleep(0.002)
th = threading.Thread(target=others)
th.start()
short = 0
while True:
    c = http.client.HTTPConnection(host)
    c.request("GET", target)
    r = c.getresponse()
    body = r.read()
    if r.getheader("Refresh") is None:
        break
    short += 1
    assert r.status in (200, 503), r.status
    if r.status == 200:
        assert body.endswith(b"</html>\n"), body[-80:]
        assert r.getheader("Cache-Control") == "no-store"
    time.sleep(0.05)
done = True
th.join()
waits.sort()
print(r.status, short, round(waits[len(waits) // 2] * 1000, 1),
      round(waits[-1] * 1000, 1))
END
python3 "$work/beside.py" "${web#http://}" "/g/${long:0:12}/" x \
	>"$work/beside" 2>"$err"
read -r code short p50 worst <"$work/beside"
is "a long record is shown when it is verified" "$code $(cat "$err")" "200 "
diag "before that $short times as far as it went; others waited $p50 ms," \
	"$worst at most"
# By the process's own clock, whatever else this machine does.
slice=$(metric slowest_slice_us)
holds "no slice of it took long: $slice us" test "$slice" -lt "$(some 20000 \
	200000)"

# ---- all pages of all games ----

"$UMPIRE_WEB" --routes >"$work/routes"
mapfile -t ids < <(filter .game <"$work/filled" | sort -u)
set --
for id in "${ids[@]}"; do set -- "$@" "id=${id:0:12}"; done
for metric in games_bytes bodies_bytes disk_bytes; do
	eval "most_$metric=0"
done
PAGES=$(some 250 150 30000) \
	python3 "$top_srcdir/tests/e2e/web_crawl.py" "$web" "$work/routes" umpire "$@" \
	>"$work/crawl" 2>"$err" &
crawl=$!
while ! not_running "$crawl"; do
	admin metrics >"$work/metrics"
	for metric in games_bytes bodies_bytes disk_bytes; do
		n=$(sed -n "s/^umpire_web_$metric //p" "$work/metrics")
		eval "[ \"\${n:-0}\" -le \$most_$metric ] || most_$metric=$n"
	done
	for _ in {1..6}; do nap; done
done
wait "$crawl"
is "all can be read" "$? $(cat "$err")" "0 "
holds "many of them" test "$(sed -n 's/^pages //p' "$work/crawl")" -ge 150
is "no link leads nowhere" "$(grep '^broken' "$work/crawl" | head -n 3)" ""
mib=1048576
# shellcheck disable=SC2154
holds "bodies keep to their MiB: $most_bodies_bytes" \
	test "$most_bodies_bytes" -le $mib
# The game that is shown may be larger than all of it.
# shellcheck disable=SC2154
holds "games to theirs, and the one that is shown: $most_games_bytes" \
	test "$most_games_bytes" -le $((6 * mib))
# shellcheck disable=SC2154
holds "the disk to its own, and the one that is read: $most_disk_bytes" \
	test "$most_disk_bytes" -le $((4 * mib))
holds "it has that much on it" test "$(du -sk "$work/web/cache" |
	cut -f 1)" -le 4096
holds "it ends well" stop_web
unlike "nothing was wrong" "$work/web/log" ' error '

finish
