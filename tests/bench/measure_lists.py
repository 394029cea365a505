# SPDX-License-Identifier: ISC
"""What game.list costs where there are many private games, newer than all
others, of which those who ask may not know, against the same list without
them: CPU of the server for a request.  So that they cannot hide behind what
else a list costs, some lists are of one game.

  list_one      one game, without a filter
  list_page     a page of games, without a filter
  list_phase    one game before play
  list_prefix   games whose ids begin with a digit, which half of the private
                ones do
  list_account  one game of the account that sits in all the private ones
  list_known    one game, for somebody who is logged in
"""

import json
import shutil
import sqlite3

import clone
import partner
from rig import Result

GAMES, HIDDEN = 1000, 200000
PEERS = 4
ROUNDS = 300
SITTER = "clone-1"
LISTS = {"list_one": {"limit": 1},
         "list_page": {},
         "list_phase": {"limit": 1, "phase": "muster"},
         "list_prefix": {"prefix": "0"},
         "list_account": {"limit": 1, "account": SITTER},
         "list_known": {"limit": 1}}
MUSTER = """
UPDATE game SET phase = 'muster', opener = (SELECT account FROM seat
	WHERE game = gid AND seat = 1) WHERE gid % 4 = 0;
"""
HIDE = f"""
PRAGMA journal_mode = OFF;
PRAGMA foreign_keys = OFF;
PRAGMA cache_size = -200000;
BEGIN;
WITH RECURSIVE i (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i
	WHERE n < {HIDDEN})
	INSERT INTO game (id, system, event, phase, account_1, account_2, turn,
	seq, at_ms, private, invited, delay_turns, delay_minutes, listed_ms,
	opener) SELECT CAST(substr(x'00f0', n % 2 + 1, 1) || randomblob(31)
	AS BLOB), system, event, CASE n % 4 WHEN 0 THEN 'muster' ELSE 'play'
	END, '{SITTER}', '', turn, seq, at_ms + n, 1, 1, 0, 0, at_ms + n,
	(SELECT id FROM account WHERE name = '{SITTER}')
	FROM i, game WHERE gid = 1;
INSERT INTO seat (game, seat, account, private)
	SELECT gid, 1, opener, 1 FROM game WHERE private = 1;
COMMIT;
PRAGMA journal_mode = WAL;
"""


class Lists:
    """Two daemons, one with private games."""

    results = {name: Result(f"game.list {params}, CPU of a request", "us", 2.0)
               for name, params in LISTS.items()}

    def __init__(self, bench):
        self.bench = bench
        self.running = []

    def start(self, thing):
        self.running.append(thing)
        return thing

    def setup(self):
        paths = partner.programs(self.bench)
        few, many = self.bench.work / "few", self.bench.work / "many"
        daemon = self.start(partner.daemon(paths, few))
        self.start(partner.fill(paths, daemon.port)).say("match")
        self.stop()
        clone.clone(few / "umpired.db", GAMES)
        self.script(few / "umpired.db", MUSTER)
        shutil.copytree(few, many)
        self.script(many / "umpired.db", HIDE)
        self.sides = [self.ask(paths, folder) for folder in (few, many)]
        if self.sides[0][2] != self.sides[1][2]:
            raise RuntimeError("the lists have other sizes with private games")

    @staticmethod
    def script(path, text):
        db = sqlite3.connect(path)
        try:
            db.executescript(text)
        finally:
            db.close()

    def ask(self, paths, folder):
        """A daemon, those who ask it, and the sizes of its answers."""
        daemon = self.start(partner.daemon(paths, folder))
        peers, sizes = {}, {}
        for name, params in LISTS.items():
            path = folder / name
            path.write_text(json.dumps(
                {"jsonrpc": "2.0", "id": 1, "method": "game.list",
                 "params": params}) + "\n")
            how = ["--register"] if name == "list_known" else []
            peers[name] = self.start(partner.peer(
                paths, "ask", daemon.port, PEERS, path, *how))
            first = peers[name].say(1)
            if "error" in first.get("answer", {}):
                raise RuntimeError(f"{name}: {first['answer']['error']}")
            sizes[name] = first["sizes"]
        return daemon, peers, sizes

    def costs(self, side):
        """Microseconds of CPU a request, by name."""
        daemon, peers, _ = self.sides[side]
        costs = {}
        for name, peer in peers.items():
            before = daemon.cpu_s()
            got = peer.say(ROUNDS)
            costs[name] = 1e6 * (daemon.cpu_s() - before) / got["requests"]
        return costs

    def reference(self):
        return self.costs(0)

    def subject(self):
        return self.costs(1)

    def details(self, name):
        return {"games": GAMES + 1, "private_games": HIDDEN,
                "reply_bytes": self.sides[0][2][name][0],
                "requests": ROUNDS * PEERS}

    def stop(self):
        while self.running:
            self.running.pop().stop()

    teardown = stop


MEASURES = [Lists]
