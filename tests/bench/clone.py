# SPDX-License-Identifier: ISC
"""A database of many games, which nobody had to play."""

import hashlib
import os
import sqlite3

# A game is cloned with its rows; the marks on its lines are those of another
# game, which nothing looks at but verification.
BASE = 1000000  # less than the numbers of clones, more than those of others
CLONE = """
PRAGMA journal_mode = OFF;
PRAGMA foreign_keys = OFF;
PRAGMA cache_size = -200000;
BEGIN;
CREATE TEMP TABLE clone (n INTEGER PRIMARY KEY, id BLOB);
WITH RECURSIVE i (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i
	WHERE n < :clones)
	INSERT INTO clone SELECT n, randomblob(32) FROM i;
INSERT INTO account (id, name, display, at_ms)
	SELECT :base + n, 'clone-' || n, 'Clone', 0 FROM clone
	WHERE n <= :accounts;
INSERT INTO game (gid, id, system, event, phase, account_1, account_2, turn,
	seq, at_ms, private, invited, delay_turns, delay_minutes, listed_ms)
	SELECT :base + n, clone.id, system, event, phase,
	'clone-' || (n % :accounts + 1), 'clone-' || ((n + 1) % :accounts + 1),
	turn, seq, at_ms - n, private, invited, delay_turns, delay_minutes,
	listed_ms - n FROM clone, game WHERE gid = 1;
INSERT INTO snapshot (game, bytes)
	SELECT :base + n, CAST(replace(CAST(bytes AS TEXT),
	lower(hex(game.id)), lower(hex(clone.id))) AS BLOB)
	FROM clone, snapshot, game WHERE snapshot.game = 1 AND gid = 1;
UPDATE game SET at_ms = (SELECT at_ms FROM game WHERE gid = 1)
	WHERE gid > :base;
INSERT INTO seat (game, seat, account, private)
	SELECT :base + n, seat, :base + (n + seat - 1) % :accounts + 1, private
	FROM clone, seat WHERE game = 1 AND seat IN (1, 2);
INSERT INTO record (game, seq, line, hash, oid, seat, nonce, pool, place)
	SELECT :base + n, seq, line, hash, oid, seat, nonce, pool, place
	FROM clone, record WHERE game = 1;
UPDATE snapshot SET hash = fit((SELECT hash FROM record
	WHERE record.game = 1 ORDER BY seq DESC LIMIT 1), bytes)
	WHERE game > :base;
INSERT INTO line_blob SELECT :base + n, seq, hash
	FROM clone, line_blob WHERE game = 1;
COMMIT;
PRAGMA journal_mode = WAL;
"""


def fit(head, snapshot):
    """The hash that is kept with a snapshot."""
    return hashlib.sha256(b"umpire/snapshot/1\0" + head + snapshot).digest()


def clone(path, clones):
    """Clones the first game of a database that nobody has open, at least ten
    times."""
    db = sqlite3.connect(path)
    db.create_function("fit", 2, fit)
    count = "SELECT count(*) FROM snapshot"
    try:
        before, = db.execute(count).fetchone()
        text = CLONE
        for name, value in (("clones", clones), ("base", BASE),
                            ("accounts", clones // 10)):
            text = text.replace(":" + name, str(value))
        db.executescript(text)
        games, = db.execute(count).fetchone()
    finally:
        db.close()
    if games != before + clones:
        raise RuntimeError(f"{games - before} games were made")
    with open(path, "rb") as f:
        os.fsync(f.fileno())  # else the first readings share the disk with it


def games(path):
    """The ids of the clones, in hexadecimal."""
    db = sqlite3.connect(path)
    try:
        return [i for i, in db.execute(
            f"SELECT lower(hex(id)) FROM game WHERE gid > {BASE} ORDER BY gid")]
    finally:
        db.close()
