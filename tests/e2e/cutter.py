#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""A proxy on the loopback that cuts connections where it is told to.

usage: cutter.py TARGET-PORT PORT-FILE NAME...

It listens on a port of its own for each NAME and writes "NAME PORT" lines to
PORT-FILE.  What goes by is TLS, of which it knows the records: a record of the
server's holds a reply or a notice, or a part of one.  Commands on standard
input, a line each, are about the names that end in END:

  plan K half|whole END  the connections that there are end after the server's
                         next record (half: within it), and the one that comes
                         next after its Kth (half: within the one after that);
                         later ones are not cut
  stall END              from now on nothing goes through, in either direction,
                         of the connections that there are
"""
import selectors
import socket
import sys


class Name:
    """One listening port, and what is planned for its connections."""

    def __init__(self, name):
        self.name = name
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(16)
        self.next = None  # (records, is_half) for the next connection
        self.pairs = set()


class Pair:
    """A connection through the proxy."""

    def __init__(self, cutter, name, client, port):
        self.cutter = cutter
        self.name = name
        self.client = client
        self.server = socket.create_connection(("127.0.0.1", port))
        self.partial = b""
        self.records = 0
        self.cut, name.next = name.next, None
        self.is_stalled = False
        name.pairs.add(self)
        cutter.watch(self.client, self.from_client)
        cutter.watch(self.server, self.from_server)

    def close(self):
        print(self.name.name, self.records, file=sys.stderr, flush=True)
        for sock in (self.client, self.server):
            self.cutter.forget(sock)
            sock.close()
        self.name.pairs.discard(self)

    def read(self, sock):
        if self.is_stalled:
            self.cutter.forget(sock)
            return b""
        try:
            data = sock.recv(65536)
        except OSError:
            data = b""
        if not data:
            self.close()
        return data

    def send(self, sock, data):
        try:
            sock.sendall(data)
        except OSError:
            self.close()

    def from_client(self):
        data = self.read(self.client)
        if data:
            self.send(self.server, data)

    def from_server(self):
        self.partial += self.read(self.server)
        while len(self.partial) >= 5:
            size = 5 + int.from_bytes(self.partial[3:5], "big")
            if len(self.partial) < size:
                break
            record, self.partial = self.partial[:size], self.partial[size:]
            is_cut = self.cut is not None and self.records >= self.cut[0]
            self.send(self.client, record[: size // 2] if is_cut else record)
            self.records += 1
            if is_cut or self.cut == (self.records, False):
                self.close()
                return


class Cutter:
    """The loop."""

    def __init__(self, port, names):
        self.port = port
        self.selector = selectors.DefaultSelector()
        self.names = [Name(name) for name in names]
        for name in self.names:
            self.watch(name.listener, lambda n=name: self.accept(n))
        self.watch(sys.stdin, self.command)

    def watch(self, sock, call):
        self.selector.register(sock, selectors.EVENT_READ, call)

    def forget(self, sock):
        try:
            self.selector.unregister(sock)
        except (KeyError, ValueError):
            pass

    def accept(self, name):
        client, _ = name.listener.accept()
        Pair(self, name, client, self.port)

    def command(self):
        words = sys.stdin.readline().split()
        if not words:
            sys.exit(0)
        for name in self.names:
            if not name.name.endswith(words[-1]):
                continue
            if words[0] == "plan":
                is_half = words[2] == "half"
                name.next = (int(words[1]), is_half)
                for pair in name.pairs:
                    after = 0 if is_half else 1
                    pair.cut = (pair.records + after, is_half)
            else:
                for pair in name.pairs:
                    pair.is_stalled = True
        print(*words, flush=True)

    def run(self):
        while True:
            for key, _ in self.selector.select():
                if key.fileobj in (sys.stdin,) or key.fileobj.fileno() >= 0:
                    key.data()


def main():
    cutter = Cutter(int(sys.argv[1]), sys.argv[3:])
    with open(sys.argv[2], "w", encoding="ascii") as out:
        for name in cutter.names:
            print(name.name, name.listener.getsockname()[1], file=out)
    cutter.run()


if __name__ == "__main__":
    main()
