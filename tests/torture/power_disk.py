# SPDX-License-Identifier: ISC
"""
A disk with a volatile cache, for power.py: an NBD server over a file.  What is
written is seen at once and is lost at the cut, unless a flush came after it:
of what was not flushed each write is kept, dropped or torn by chance.
"""

import mmap
import os
import socket
import struct
import threading

REQUEST = struct.Struct(">IHHQQI")
REPLY = struct.Struct(">IIQ")
REQUEST_MAGIC = 0x25609513
REPLY_MAGIC = 0x67446698
OPTION_MAGIC = b"IHAVEOPT"
OPTION_REPLY_MAGIC = 0x3e889045565a9
HAS_FLAGS, SEND_FLUSH, SEND_FUA = 1, 4, 8
READ, WRITE, DISCONNECT, FLUSH = 0, 1, 2, 3
FUA = 1
ERROR_INVALID = 22
SECTORS = (512, 4096)


class Gone(Exception):
    """The other side has closed."""


class Disk:
    """
    Serves the file once, on a socket of its own at the path.  The file holds
    what is safe, `seen` what the machine reads.  A disk that lies says that
    it has flushed, has not, and keeps nothing.
    """

    def __init__(self, image, path, lies=False):
        with open(image, "r+b") as f:
            self.safe = mmap.mmap(f.fileno(), 0)
        self.seen = bytearray(self.safe)
        self.lies = lies
        self.lock = threading.Lock()
        self.is_cut = False
        self.pending = []  # (offset, bytes, must stay) since the last flush
        self.left = 0  # writes and flushes until the cut; 0: it comes else
        self.on_cut = None
        self.writes = 0
        self.flushes = 0
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.path = path
        self.listener.bind(path)
        self.listener.listen(1)
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        """The thread: one connection."""
        connection = None
        try:
            connection, _ = self.listener.accept()
            if self.negotiate(connection):
                while self.request(connection):
                    pass
        except (Gone, OSError):
            pass  # the machine was killed
        finally:
            if connection is not None:
                connection.close()

    @staticmethod
    def take(connection, n):
        """So many bytes."""
        data = bytearray(n)
        view = memoryview(data)
        while view:
            got = connection.recv_into(view)
            if got == 0:
                raise Gone
            view = view[got:]
        return bytes(data)

    def negotiate(self, connection):
        """Fixed newstyle; true once the client has chosen the disk."""
        flags = HAS_FLAGS | SEND_FLUSH | SEND_FUA
        connection.sendall(b"NBDMAGIC" + OPTION_MAGIC + struct.pack(">H", 3))
        self.take(connection, 4)
        while True:
            magic, option, n = struct.unpack(
                ">8sII", self.take(connection, 16))
            self.take(connection, n)
            if magic != OPTION_MAGIC:
                return False

            def reply(kind, data=b"", option=option):
                connection.sendall(struct.pack(
                    ">QIII", OPTION_REPLY_MAGIC, option, kind,
                    len(data)) + data)

            if option == 1:  # by name
                connection.sendall(struct.pack(">QH", len(self.seen), flags))
                return True
            if option in (6, 7):  # info, go
                reply(3, struct.pack(">HQH", 0, len(self.seen), flags))
                reply(3, struct.pack(">HIII", 3, 512, 4096, 1 << 25))
                reply(1)
                if option == 7:
                    return True
            elif option == 2:  # abort
                reply(1)
                return False
            else:
                reply(0x80000001)  # unsupported

    def request(self, connection):
        """One request; false when there are no more."""
        magic, flags, kind, handle, at, n = REQUEST.unpack(
            self.take(connection, REQUEST.size))
        if magic != REQUEST_MAGIC or kind == DISCONNECT:
            return False
        data = self.take(connection, n) if kind == WRITE else b""
        with self.lock:
            if self.is_cut:
                return False
            if kind == FLUSH and self.is_last():
                return False
            error, answer = 0, b""
            if kind in (READ, WRITE) and at + n > len(self.seen):
                error = ERROR_INVALID
            elif kind == READ:
                answer = bytes(self.seen[at:at + n])
            elif kind == WRITE:
                self.writes += 1
                self.seen[at:at + n] = data
                must_stay = bool(flags & FUA) and not self.lies
                self.pending.append((at, data, must_stay))
                if self.is_last():
                    return False
            elif kind == FLUSH:
                self.flushes += 1
                if not self.lies:
                    self.flush()
            else:
                error = ERROR_INVALID
        connection.sendall(REPLY.pack(REPLY_MAGIC, error, handle) + answer)
        return True

    def arm(self, n, on_cut):
        """
        The power goes with the n-th write, which is in the cache then, or
        flush, which comes too late; whoever shall do it is called.
        """
        with self.lock:
            self.left, self.on_cut = n, on_cut

    def is_last(self):
        """Counts a write or a flush; true if it is the one to cut at."""
        if self.left == 0:
            return False
        self.left -= 1
        self.is_cut = self.left == 0
        if self.is_cut:
            self.on_cut()
        return self.is_cut

    def flush(self):
        """All that was written is safe."""
        for at, data, _ in self.pending:
            self.safe[at:at + len(data)] = data
        self.pending.clear()

    def cut(self, chance):
        """
        The power goes: nothing is taken or answered from here on.  Writes that
        nobody has flushed stay, go or are torn, by chance: any subset of them
        may have reached the disk, and of each any part that ends at a sector.
        Returns how many there were and how many stayed whole and in part.
        """
        with self.lock:
            self.is_cut = True
            keep = 0 if self.lies else chance.choice((0, 0.5, 0.9, 1))
            tear = 0 if self.lies else chance.choice((0, 0.3, 1))
            whole = torn = 0
            for at, data, must_stay in self.pending:
                if not must_stay and chance.random() < tear:
                    torn += 1
                    self.tear(at, data, chance)
                elif must_stay or chance.random() < keep:
                    whole += 1
                    self.safe[at:at + len(data)] = data
            n = len(self.pending)
            self.pending.clear()
        return n, whole, torn

    def tear(self, at, data, chance):
        """A part of a write: its beginning, or any of its sectors."""
        sector = chance.choice(SECTORS)
        pieces = range(0, len(data), sector)
        if chance.random() < 0.5:
            kept = pieces[:chance.randrange(len(pieces) + 1)]
        else:
            kept = [p for p in pieces if chance.random() < 0.5]
        for p in kept:
            piece = data[p:p + sector]
            self.safe[at + p:at + p + len(piece)] = piece

    def close(self):
        """Once the machine is gone."""
        # Wakes the thread up if nobody ever connected.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.listener.close()
        self.safe.flush()
        self.safe.close()
        os.unlink(self.path)
