# SPDX-License-Identifier: ISC
"""What umpire-web replies, byte by byte, as no library changes it."""

import socket

STREAM_S = 0.3  # for so long a stream is read


class Reply:
    """Status, headers in small letters, body."""

    def __init__(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1])
        pairs = [line.split(": ", 1) for line in lines[1:]]
        self.names = [name.lower() for name, _ in pairs]
        self.headers = {name.lower(): value for name, value in pairs}

    def get(self, name):
        """A header's value; None."""
        return self.headers.get(name)

    def same(self):
        """The headers that are the same whenever it is asked for."""
        return {k: v for k, v in self.headers.items()
                if k not in ("date", "connection")}


def ask(port, target, *headers, method="GET"):
    """The reply; of a stream its beginning."""
    with socket.create_connection(("127.0.0.1", port), 30) as sock:
        is_stream = target.split("?")[0].endswith("/events")
        sock.settimeout(STREAM_S if is_stream else 30)
        sock.sendall("\r\n".join((f"{method} {target} HTTP/1.1", "Host: x",
                                  "Connection: close", *headers, "", ""))
                     .encode())
        got = b""
        try:
            while piece := sock.recv(65536):
                got += piece
        except TimeoutError:
            pass
    return Reply(got)
