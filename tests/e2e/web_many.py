#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Many games and streams for tests/e2e/web_many.sh, told on standard input:

    web_many.py FILL ROSTER MATCHES PORT

plays so many matches at the daemon at PORT, and passes connections on to it,
bytes as they are, so that one of them can be cut.  It prints the port at which
it does, and the games; then it answers each of these with a line:

    streams PORT TARGET...  opens a stream of each target at a web server
    say [N]                 has a line in each game, or in the first N
    have N                  once all streams have had N lines, or ten seconds
                            after nothing came: how many each has had (the
                            least, the most), and how many lines were missing
                            or came twice
    close N                 closes the streams of the last N targets
    links                   connections to the daemon that are open
    cut I                   ends the one that was made as the I-th of those
    port PORT               the daemon is there now
"""

import json
import re
import socket
import subprocess
import sys
import threading
import time


class Lines:
    """A stream, and the lines that it was told."""

    def __init__(self, port, target):
        self.seqs = []
        self.sock = socket.create_connection(("127.0.0.1", port))
        self.sock.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        self.data = b""
        while b"\r\n\r\n" not in self.data:
            piece = self.sock.recv(65536)
            if not piece:
                raise SystemExit(f"{target}: {self.data!r}")
            self.data += piece
        if not self.data.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(f"{target}: {self.data!r}")
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            while (found := re.search(rb"id: (\d+)\n", self.data)):
                self.seqs.append(int(found[1]))
                self.data = self.data[found.end():]
            try:
                piece = self.sock.recv(65536)
            except OSError:
                return
            if not piece:
                self.seqs.append(-1)
                return
            self.data += piece

    def wrong(self):
        return sum(b != a + 1 for a, b in zip(self.seqs, self.seqs[1:]))


class Links:
    """Passes connections on."""

    def __init__(self, port):
        self.port = port
        self.open = []
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            here, _ = self.listener.accept()
            try:
                there = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                here.close()
                continue
            pair = (here, there)
            with self.lock:
                self.open.append(pair)
            for a, b in (pair, pair[::-1]):
                threading.Thread(target=self.pump, args=(a, b, pair),
                                 daemon=True).start()

    def pump(self, a, b, pair):
        try:
            while (data := a.recv(65536)):
                b.sendall(data)
        except OSError:
            pass
        self.end(pair)

    def end(self, pair):
        with self.lock:
            if pair in self.open:
                self.open.remove(pair)
        for sock in pair:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Fill:
    """The players."""

    def __init__(self, fill, port, roster, n):
        self.child = subprocess.Popen(
            [fill, "127.0.0.1", str(port), roster], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.games = [self.tell("match")["game"] for _ in range(n)]

    def tell(self, command):
        self.child.stdin.write(command + "\n")
        self.child.stdin.flush()
        line = self.child.stdout.readline()
        if not line:
            raise SystemExit(f"fill: {command}")
        return json.loads(line)


def had(streams, n):
    """Waits for n lines each, and says what came."""
    before, end = -1, 0
    while min(len(s.seqs) for s in streams) < n:
        now = sum(len(s.seqs) for s in streams)
        if now != before:
            before, end = now, time.monotonic() + 10
        elif time.monotonic() > end:
            break
        time.sleep(0.01)
    counts = [len(s.seqs) for s in streams]
    return f"{min(counts)} {max(counts)} {sum(s.wrong() for s in streams)}"


def main():
    fill_path, roster, n, port = sys.argv[1:]
    fill = Fill(fill_path, int(port), roster, int(n))
    links = Links(int(port))
    streams = []
    print(links.listener.getsockname()[1], *fill.games, flush=True)
    for line in sys.stdin:
        what, *args = line.split()
        answer = "done"
        if what == "streams":
            streams += [Lines(int(args[0]), t) for t in args[1:]]
        elif what == "say":
            for i in range(int(args[0]) if args else len(fill.games)):
                fill.tell(f"chat {i} 1")
        elif what == "have":
            answer = had(streams, int(args[0]))
        elif what == "close":
            for s in streams[-int(args[0]):]:
                s.sock.shutdown(socket.SHUT_RDWR)
            del streams[-int(args[0]):]
        elif what == "links":
            answer = str(len(links.open))
        elif what == "cut":
            links.end(links.open[int(args[0])])
        elif what == "port":
            links.port = int(args[0])
            fill.tell(line.strip())
        print(answer, flush=True)


main()
