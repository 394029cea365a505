# SPDX-License-Identifier: ISC
"""rot.py FORGE KEYS ACCOUNT PORT DATABASE PARAMS STEP: gives a running daemon
an order (the params of game.order), then puts its database back to the state
before, with a bit of every STEP-th byte of the game's snapshot changed in turn,
and gives it again: each time the line must be the same, but for its time and
mark.  Now and then somebody looks at the game first.  Prints how many bytes
were changed; a line that is another ends it."""

import json
import sqlite3
import subprocess
import sys

forge, keys, account, port, path, params, step = sys.argv[1:]
game = bytes.fromhex(json.loads(json.loads(params)["order"])["game"])

peer = subprocess.Popen([forge, "-k", keys, "127.0.0.1", port],
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                        text=True, bufsize=1)
db = sqlite3.connect(path, isolation_level=None, timeout=30)
# The daemon alone may move pages out of its log.
db.execute("PRAGMA wal_autocheckpoint = 0")
gid, last = db.execute("SELECT gid, seq FROM game WHERE id = ?",
                       (game,)).fetchone()
tables = {name: db.execute(f"SELECT * FROM {name} WHERE {column} = ?",
                           (gid,)).fetchall()
          for name, column in (("game", "gid"), ("snapshot", "game"))}
good, = db.execute("SELECT bytes FROM snapshot WHERE game = ?",
                   (gid,)).fetchone()


def ask(command):
    peer.stdin.write(command + "\n")
    reply = json.loads(peer.stdout.readline())
    if "result" not in reply:
        sys.exit(f"rot.py: {json.dumps(reply)}")
    return reply["result"]


def order():
    """The line that the order makes, without what is new each time."""
    result = ask("call game.order " + params)
    if result["repeat"]:
        sys.exit("rot.py: the order was recorded before")
    line = json.loads(result["line"])
    del line["at"], line["mark"]
    return line


def put_back(snapshot):
    """The database before the order, with another snapshot."""
    db.execute("BEGIN IMMEDIATE")
    for name in ("line_text", "line_blob", "record"):
        db.execute(f"DELETE FROM {name} WHERE game = ? AND seq > ?",
                   (gid, last))
    for name, rows in tables.items():
        for row in rows:
            db.execute(f"REPLACE INTO {name} VALUES "
                       f"({','.join('?' * len(row))})", row)
    db.execute("UPDATE snapshot SET bytes = ? WHERE game = ?",
               (snapshot, gid))
    db.execute("COMMIT")


ask("hello")
ask(f"login {account}")
right = order()
n = 0
for at in range(0, len(good), int(step)):
    bad = bytearray(good)
    # Letters and digits become others, so that what still reads is changed.
    bad[at] ^= 1 if at % 4 else 1 << n % 8
    put_back(bytes(bad))
    n += 1
    if n % 10 == 0:
        show = ask('call game.show {"game":"%s"}' % game.hex())
        if show["seq"] != last:
            sys.exit("rot.py: another state is shown")
    if order() != right:
        sys.exit(f"rot.py: byte {at} makes another line")
print(n)
peer.stdin.write("quit\n")
peer.wait()
