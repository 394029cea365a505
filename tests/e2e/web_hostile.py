# SPDX-License-Identifier: ISC
"""web_hostile.py PORT TARGET HEADER_MS: requests to umpire-web byte by byte
that no browser sends.  Prints a line of TAP for each, without a plan.

web_hostile.py PORT TARGET crowd N: how much longer a good reader waits beside
N connections that send a header byte by byte and N that do not read.
"""

import re
import select
import socket
import sys
import time

PORT, TARGET = int(sys.argv[1]), sys.argv[2]
failed = False


def connect():
    """A connection."""
    sock = socket.create_connection(("127.0.0.1", PORT), 20)
    sock.settimeout(20)
    return sock


def is_ready(sock, wait_s):
    """True once there is something to read, or the end."""
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    return bool(poll.poll(1000 * wait_s))


def drain(sock, wait_s=10.0):
    """All that comes until the end, and whether that came in time."""
    got, end = b"", time.monotonic() + wait_s
    while True:
        left = end - time.monotonic()
        if left <= 0 or not is_ready(sock, left):
            return got, False
        try:
            piece = sock.recv(65536)
        except ConnectionError:
            return got, True
        if not piece:
            return got, True
        got += piece


def ask(data, wait_s=10.0):
    """The reply to these bytes, and whether the connection then ends."""
    with connect() as sock:
        try:
            sock.sendall(data)
        except ConnectionError:
            pass
        return drain(sock, wait_s)


def codes(reply):
    """The status of each reply in it."""
    return [int(c) for c in re.findall(rb"^HTTP/1\.[01] (\d+) ", reply, re.M)]


def case(what, is_good, *more):
    """A case."""
    global failed
    failed = failed or not is_good
    print(f"{'ok' if is_good else 'not ok'} - {what}")
    if not is_good:
        for line in more:
            print(f"# {line!r}"[:300])


def get(headers, target=TARGET, version="HTTP/1.1", method="GET"):
    """A request with these headers, bytes as they are."""
    return (f"{method} {target} {version}\r\n".encode("latin-1") + headers +
            b"\r\n")


HOST = b"Host: x\r\n"
LAST = HOST + b"Connection: close\r\n"
GOOD = get(LAST)
# Name, bytes, statuses that may come; all but 200 and 405 end the connection.
REFUSED = [
    ("a NUL in a header", get(HOST + b"X-A: a\0b\r\n"), [400]),
    ("a NUL in a name", get(HOST + b"X\0A: b\r\n"), [400]),
    ("a NUL in the target", get(HOST, "/g/\0"), [400]),
    ("a control character", get(HOST + b"X-A: a\x1bb\r\n"), [400]),
    ("no Host", get(b""), [400]),
    ("no Host in HTTP/1.0", get(b"", version="HTTP/1.0"), [400]),
    ("two Hosts", get(HOST + HOST), [400]),
    ("two Hosts that differ", get(HOST + b"hOST: y\r\n"), [400]),
    ("an empty Host", get(b"Host: \r\n"), [400]),
    ("a bare LF after the request", f"GET {TARGET} HTTP/1.1\nHost: x\n\n"
     .encode(), [400]),
    ("a bare LF after a header", f"GET {TARGET} HTTP/1.1\r\nHost: x\n\r\n"
     .encode(), [400]),
    ("a bare LF at the end", f"GET {TARGET} HTTP/1.1\r\nHost: x\r\n\n"
     .encode(), [400]),
    ("a bare CR in a header", get(HOST + b"X-A: a\rHost: y\r\n"), [400]),
    ("the address of another host", get(HOST, "http://evil.example/"), [400]),
    ("the address of this host", get(HOST, f"http://x{TARGET}"), [400]),
    ("an address without a slash", get(HOST, "g"), [400]),
    ("an asterisk", get(HOST, "*"), [400]),
    ("a fragment", get(HOST, f"{TARGET}#l1"), [400]),
    ("a backslash", get(HOST, "/g\\x"), [400]),
    ("bytes above ASCII", get(HOST, "/e/\xe9"), [400]),
    ("half a percent sign", get(HOST, "/e/%4"), [400]),
    ("two blanks in the request line", get(HOST, f" {TARGET}"), [400]),
    ("a target that is too long", get(HOST, "/e/" + 3000 * "a"), [400]),
    ("a header without a name", get(HOST + b": x\r\n"), [400]),
    ("a header without a colon", get(HOST + b"X-A\r\n"), [400]),
    ("a blank before the colon", get(HOST + b"X-A : b\r\n"), [400]),
    ("a header that goes on", get(HOST + b"X-A: a\r\n b\r\n"), [400]),
    ("a Host that goes on", get(b"Host: x\r\n\ty\r\n"), [400]),
    ("a body", get(HOST + b"Content-Length: 5\r\n") + b"hello", [400, 413]),
    ("a body that is said to be there",
     get(HOST + b"Content-Length: 99999999999\r\n"), [400, 413]),
    ("two lengths", get(HOST + b"Content-Length: 0\r\nContent-Length: 5\r\n"),
     [400, 413]),
    ("less than nothing", get(HOST + b"Content-Length: -1\r\n"), [400, 413]),
    ("a length with a sign", get(HOST + b"Content-Length: +0\r\n"),
     [400, 413]),
    ("chunks", get(HOST + b"Transfer-Encoding: chunked\r\n") +
     b"0\r\n\r\n", [400, 413]),
    ("chunks of another kind",
     get(HOST + b"Transfer-Encoding: gzip, chunked\r\n") + b"0\r\n\r\n",
     [400]),
    ("chunks and a length", get(HOST + b"Content-Length: 0\r\n"
                                b"Transfer-Encoding: chunked\r\n") +
     b"0\r\n\r\n", [400, 413]),
    ("headers that are too long", get(HOST + b"X-A: " + 9000 * b"a" + b"\r\n"),
     [400]),
    ("headers that are too many", get(HOST + 3000 * b"X: y\r\n"), [400]),
    ("what is no version", get(HOST, version="HTTP/x"), [400]),
    ("no version", f"GET {TARGET}\r\n\r\n".encode(), [400]),
    ("the preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400, 501]),
    ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + 64 * b"\x01" +
     b"\r\n\r\n", [400]),
    ("CONNECT", get(HOST, "x:443", method="CONNECT"), [400, 405, 501]),
    ("a method that there is not", get(HOST, method="STEAL"),
     [400, 405, 501]),
    ("a method in small letters", get(HOST, method="get"), [400, 405, 501]),
    ("Last-Event-ID that is no number",
     get(LAST + b"Last-Event-ID: 1e3\r\n", f"{TARGET}events"), [400]),
    ("Last-Event-ID below nothing",
     get(LAST + b"Last-Event-ID: -1\r\n", f"{TARGET}events"), [400]),
    ("Last-Event-ID beyond all",
     get(LAST + b"Last-Event-ID: 99999999999999999999\r\n",
         f"{TARGET}events"), [400]),
]


def is_alive():
    """Others are served."""
    return codes(ask(GOOD)[0]) == [200]


def refusals():
    """Each is refused in words or cut, and nothing of it is carried out."""
    for what, data, may in REFUSED:
        reply, has_ended = ask(data)
        got = codes(reply)
        case(f"{what} is refused", has_ended and len(got) <= 1 and
             all(c in may for c in got), got, has_ended, reply[:200])
    case("and others are served", is_alive())
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
        reply, has_ended = ask(get(HOST, method=method))
        case(f"{method} is told what may be asked", codes(reply) == [405] and
             b"Allow: GET, HEAD\r\n" in reply and has_ended, reply[:300])


def followers():
    """What follows a request on its connection is judged by itself."""
    reply, _ = ask(2 * get(HOST, "/robots.txt") +
                   get(LAST, "/robots.txt"))
    case("three requests at once have three replies",
         codes(reply) == [200, 200, 200], codes(reply))
    reply, has_ended = ask(get(HOST, "/robots.txt") +
                           get(HOST + b"X-A: a\0b\r\n", "/robots.txt") +
                           get(HOST, "/robots.txt"))
    got = codes(reply)
    case("what is bad in the second ends it there", has_ended and
         got.count(200) <= 1, got)
    smuggled = get(HOST + b"Content-Length: 44\r\n", "/robots.txt") + \
        b"GET /live HTTP/1.1\r\nHost: x\r\nX-Padding: 12345\r\n\r\n"
    reply, has_ended = ask(smuggled)
    case("a request in the body of another is none", has_ended and
         200 not in codes(reply), codes(reply))


def body_of(reply):
    """Status, headers but for the date, and body."""
    head, _, body = reply.partition(b"\r\n\r\n")
    return sorted(l for l in head.split(b"\r\n")
                  if not l.lower().startswith(b"date:")), body


def same():
    """The reply depends on the path alone."""
    want = body_of(ask(GOOD)[0])
    for header in ("Host: evil.example\"><script>", "Cookie: a=b",
                   "Accept-Language: de", "X-Forwarded-Host: evil.example",
                   "X-Forwarded-For: 1.2.3.4", "Forwarded: host=evil",
                   "User-Agent: <script>", "Referer: http://evil.example/",
                   "Origin: http://evil.example", "Authorization: Basic QQ==",
                   "X-HTTP-Method-Override: POST", "Accept: text/plain",
                   "X-Original-URL: /robots.txt", "Upgrade: h2c"):
        first = b"" if header.startswith("Host") else HOST
        got = body_of(ask(get(first + header.encode() +
                              b"\r\nConnection: close\r\n"))[0])
        case(f"{header.split(':', maxsplit=1)[0]} changes nothing",
             got == want, got[0])


def reflections():
    """Nothing of a target comes back as a header or as markup."""
    for target in ("/e/a%0d%0aSet-Cookie:%20x=y",
                   "/e/%3Cscript%3Eq%3C/script%3E",
                   "/u/%3Cscript%3E", "//evil.example/", "/%2e%2e/etc/passwd",
                   "/../../etc/passwd", f"{TARGET}?a=%0d%0aX:y",
                   f"{TARGET}?%3Cscript%3Eq",
                   "/?event=%3Cscript%3Eq%3C/script%3E",
                   "/?before=%22onclick=q", "/?system=%3Cscript%3Eq",
                   "/g//evil.example/", f"{TARGET[:-1]}%2f",
                   "/s/../robots.txt",
                   "/?event=%00", "/e/%ff", "/?event=a&event=b"):
        reply, _ = ask(get(LAST, target))
        head, _, body = reply.partition(b"\r\n\r\n")
        where = re.search(rb"^location: (.*)\r$", head + b"\r\n", re.I | re.M)
        case(f"nothing of {target[:40]} comes back",
             len(codes(reply)) == 1 and b"set-cookie" not in head.lower() and
             b"evil" not in head and b"<script>q" not in body and
             b'"onclick' not in body and b"root:" not in body and
             (where is None or
              re.fullmatch(rb"/[a-z0-9/?&=._%+-]*", where[1]) is not None),
             reply[:300])


def slow(header_ms):
    """A deadline for the whole request, not for each byte."""
    for what, data in (("a request line", f"GET {TARGET}" + 900 * "x"),
                       ("a header", f"GET {TARGET} HTTP/1.1\r\nX-A: " +
                        900 * "x"),
                       ("nothing at all", "")):
        begun, sent, end = time.monotonic(), 0, False
        with connect() as sock:
            while time.monotonic() - begun < 20 and not end:
                if sent < len(data):
                    try:
                        sock.send(data[sent:sent + 1].encode())
                    except ConnectionError:
                        break
                    sent += 1
                if is_ready(sock, 0.01):
                    try:
                        end = sock.recv(4096) == b""
                    except ConnectionError:
                        end = True
        took_ms = 1000 * (time.monotonic() - begun)
        case(f"{what}, a byte after the other, is cut off",
             header_ms * 0.9 <= took_ms < 20000, took_ms)


def pusher():
    """A stream that is sent to, which nobody reads."""
    with connect() as sock:
        sock.sendall(get(HOST, f"{TARGET}events"))
        reply = b""
        while b"retry: " not in reply:
            reply += sock.recv(65536)
        sock.settimeout(1)
        sent = 0
        try:
            while sent < 32:
                sock.sendall(bytes(1 << 20))
                sent += 1
        except OSError:
            pass
    # So much the kernel may hold.
    case("what is pushed into a stream is left where it is", sent < 16, sent)


def reader(n):
    """The median of n good readers' times, in ms."""
    times = []
    with connect() as sock:
        for _ in range(n):
            begun = time.monotonic()
            sock.sendall(get(HOST))
            reply = b""
            while b"\r\n\r\n" not in reply:
                reply += sock.recv(65536)
            head, _, body = reply.partition(b"\r\n\r\n")
            length = int(re.search(rb"ength: (\d+)", head)[1])
            while len(body) < length:
                body += sock.recv(65536)
            times.append(1000 * (time.monotonic() - begun))
    return sorted(times)[n // 2]


def crowd(n):
    """A good reader beside a crowd."""
    alone = min(reader(200) for _ in range(3))
    socks = []
    for i in range(2 * n):
        sock = socket.socket()
        if i % 2:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        sock.settimeout(20)
        sock.connect(("127.0.0.1", PORT))
        sock.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-A: " if i % 2 == 0 else
                     100 * get(HOST, f"{TARGET}record.jsonl"))
        socks.append(sock)
    beside = []
    for _ in range(3):
        for sock in socks[::2]:
            sock.send(b"x")
        beside.append(reader(200))
    open_now = sum(1 for s in socks[::2] if not is_ready(s, 0))
    case(f"{n} slow headers are open meanwhile", open_now == n, open_now)
    case("a good reader waits at most three times as long",
         min(beside) <= 3 * alone, alone, beside)
    print(f"# alone {alone:.3f} ms, beside {n} slow headers and {n} slow "
          f"readers {min(beside):.3f} ms: {min(beside) / alone:.2f}")
    for sock in socks:
        sock.close()


if sys.argv[3] == "crowd":
    crowd(int(sys.argv[4]))
else:
    refusals()
    followers()
    same()
    reflections()
    pusher()
    slow(int(sys.argv[3]))
    case("at the end others are served", is_alive())
sys.exit(3 if failed else 0)
