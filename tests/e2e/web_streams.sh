#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Streams of umpire-web, and readers that do not read: who is silent is kept
# awake, who lags too far is cut off and misses nothing when they come back, and
# a reply that nobody takes is given up.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
need python3
[ -x "$top_builddir/tests/bench/fill" ] || skip_all "fill is not built"

start_umpired "$work/umpired" || exit 99
write_example "$work"
printf 'match\nplay 0 %d\n' "$(some 400 400 1100)" |
	"$top_builddir/tests/bench/fill" 127.0.0.1 "$port" \
		"$work/roster.json" >"$work/filled"
game=$(tail -n 1 "$work/filled" | filter .game)
start_web "$work/web" -o comment_ms=100 -o reply_s=1 || exit 99
page=/g/${game:0:12}/
# whole: all of its lines are verified.
whole() {
	get "${page}at"
	[ "$code" = 200 ]
}
wait_for 30 whole
last=$(filter .seq <"$body")
holds "a long game is played: $last" test "$last" -ge 400

# ---- who may begin where ----

if [ "$last" -gt 1001 ]; then
	get "${page}events?after=$((last - 1001))"
	is "who lacks more than a thousand lines reads all anew" "$code" 409
	like "in words" "$body" 'read anew'
fi
get "${page}events" -H "Last-Event-ID: $((last + 1))"
is "who has more than there are, too" "$code" 409

# ---- who is silent ----

curl -sN -m 60 -o "$work/silent" "$web${page}events" &
silent=$!
daemons="$daemons $silent"
holds "a stream without news has comments" wait_for 20 grep -q '^:$' \
	"$work/silent"
is "after how soon to come back" "$(head -n 1 "$work/silent")" "retry: 3000"
kill "$silent"
wait "$silent" 2>/dev/null

# ---- who does not read ----

cat >"$work/lazy.py" <<'END'
import re, socket, sys
port, target, ready, go = sys.argv[1:]
def begin(after, is_lazy):
    sock = socket.socket()
    if is_lazy:
        # Little of it fits on the way.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 600)
    sock.settimeout(20)
    sock.connect(("127.0.0.1", int(port)))
    sock.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n"
                 f"Last-Event-ID: {after}\r\n\r\n".encode())
    return sock
def ids(sock, last):
    got = b""
    while f"\nid: {last}\n".encode() not in got:
        try:
            piece = sock.recv(65536)
        except ConnectionError:
            break
        if not piece:
            break
        got += piece
    # What is not whole was not heard.
    got = got[:got.rfind(b"\n\n") + 2]
    return [int(n) for n in re.findall(rb"(?m)^id: (\d+)$", got)]
first, last = map(int, sys.stdin.readline().split())
sock = begin(first, True)
open(ready, "w").close()
open(go).read()
heard = ids(sock, last)
print(len(heard) < last - first)
more = ids(begin(heard[-1] if heard else first, False), last)
print(heard + more == list(range(first + 1, last + 1)))
END
# lags: it does not read what it is sent, more than fits on the way.
lags() {
	mkfifo "$work/go"
	echo "$((last > 1000 ? last - 1000 : 0)) $last" | python3 "$work/lazy.py" "${web##*:}" \
		"${page}events" "$work/ready" "$work/go" >"$work/lazy" 2>"$err" &
	lazy=$!
	holds "who does not read is cut off" wait_for 20 dropped
	: >"$work/go"
	wait "$lazy"
	is "before all was sent, and misses nothing when they come back" \
		"$(paste -sd' ' "$work/lazy") $(cat "$err")" "True True "
	is "no stream is left" "$(metric streams)" 0
}
# dropped: it was cut off.
dropped() {
	[ "$(metric dropped_total)" = 1 ]
}
[ "$last" -le 1001 ] || lags

cat >"$work/slow.py" <<'END'
import socket, sys, time
sock = socket.socket()
sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 600)
sock.connect(("127.0.0.1", int(sys.argv[1])))
sock.sendall(f"GET {sys.argv[2]} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
sys.stdin.readline()
END
mkfifo "$work/end"
python3 "$work/slow.py" "${web##*:}" "${page}record.jsonl" <"$work/end" &
slow=$!
exec {end}>"$work/end"
# late: a reply was given up.
late() {
	[ "$(metric late_total)" = 1 ]
}
holds "a reply that nobody reads is given up" wait_for 20 late
exec {end}>&-
wait "$slow"
stop_web || fail "it ends well"
start_web "$work/web" -o idle_s=1 || exit 99
exec {idle}<>"/dev/tcp/127.0.0.1/${web##*:}"
# gone: nobody is connected.
gone() {
	[ "$(metric connections)" = 0 ]
}
holds "so is a connection that asks for nothing" wait_for 20 gone
exec {idle}>&-
holds "it ends well" stop_web
unlike "nothing was wrong" "$work/web/log" ' error '

finish
