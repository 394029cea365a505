# SPDX-License-Identifier: ISC
"""What size costs: orders in a database of many games and in a game of many
lines, against few of each, and starting with many games, against reading
their snapshots.

  many_games  CPU of an order, with 100,000 games in the database and with 10
  many_lines  CPU of an order in a game of 10,000 lines and in one of 10
  start       from its start to its port by the clock, with 100,000 games
"""

import time

import clone
import partner
import rig
from rig import Result

FEW_GAMES, MANY_GAMES = 10, 100000
FEW_LINES, MANY_LINES = 10, 10000
ORDERS = 300
READINGS = 5  # the quickest counts: others use the same disk cache
FLAT = 1.3


class Size:
    """Programs and what runs, for the measures below."""

    def __init__(self, bench):
        self.bench = bench
        self.running = []

    def start(self, thing):
        self.running.append(thing)
        return thing

    def setup(self):
        self.paths = partner.programs(self.bench)

    @staticmethod
    def cost(child, fill, command):
        """Microseconds of CPU an order."""
        before = child.cpu_s()
        got = fill.say(command)
        return 1e6 * (child.cpu_s() - before) / got["orders"]

    def details(self, name):
        return {"orders": ORDERS}

    def teardown(self):
        while self.running:
            self.running.pop().stop()


class Games(Size):
    """Two daemons, one with many games."""

    results = {
        "many_games": Result(f"order with {MANY_GAMES} games", "us", FLAT),
        "start": Result(f"start with {MANY_GAMES} games", "ms", 2.0)}
    UNCONTROLLED = {"start"}

    def setup(self):
        super().setup()
        folder = self.bench.work / "many"
        self.many = partner.daemon(self.paths, folder)
        self.many_fill = self.start(
            partner.fill(self.paths, self.many.port))
        self.many_fill.say("match")
        self.many.stop()
        self.database = folder / "umpired.db"
        self.bench.say(f"  {MANY_GAMES} games are made")
        clone.clone(self.database, MANY_GAMES)
        self.bare()
        self.few = self.start(
            partner.daemon(self.paths, self.bench.work / "few"))
        self.few_fill = self.start(partner.fill(self.paths, self.few.port))
        self.few_fill.say("match")
        self.is_played = False
        self.began()

    def began(self):
        """Starts the daemon with many games; milliseconds that it took."""
        before = time.monotonic()
        self.many = partner.daemon(self.paths, self.database.parent)
        took_ms = 1e3 * (time.monotonic() - before)
        self.start(self.many)
        self.many_fill.say(f"port {self.many.port}")
        if not self.is_played:
            for _ in range(FEW_GAMES - 1):
                self.many_fill.say("match")
                self.few_fill.say("match")
            self.is_played = True
        return took_ms

    def bare(self):
        """Milliseconds to read all snapshots."""
        got = rig.run_json([self.paths["fill"], "bare", str(self.database)])
        if got["snapshots"] < MANY_GAMES:
            raise RuntimeError(f"only {got['snapshots']} snapshots")
        return got["wall_ms"]

    def reference(self):
        return {"start": min(self.bare() for _ in range(READINGS)),
                "many_games": self.cost(self.few, self.few_fill,
                                        f"round {ORDERS // FEW_GAMES}")}

    def subject(self):
        self.running.remove(self.many)
        self.many.stop()
        start = self.began()
        # Once each, so that no game is read from disk while it is measured.
        self.many_fill.say("round 1")
        return {"start": start,
                "many_games": self.cost(self.many, self.many_fill,
                                        f"round {ORDERS // FEW_GAMES}")}


class Lines(Size):
    """A new game each time, and one that gets ever longer."""

    results = {
        "many_lines": Result(f"order in a game of {MANY_LINES} lines", "us",
                             FLAT)}

    def setup(self):
        super().setup()
        self.daemon = self.start(
            partner.daemon(self.paths, self.bench.work / "daemon"))
        self.fill = self.start(partner.fill(self.paths, self.daemon.port))
        self.fill.say("match")
        self.fresh = 0
        self.bench.say(f"  {MANY_LINES} lines are played")
        self.fill.say(f"play 0 {MANY_LINES}")

    def reference(self):
        self.fresh += 1
        self.fill.say("match")
        self.fill.say(f"play {self.fresh} {FEW_LINES}")
        return {"many_lines": self.cost(self.daemon, self.fill,
                                        f"play {self.fresh} {ORDERS}")}

    def subject(self):
        return {"many_lines": self.cost(self.daemon, self.fill,
                                        f"play 0 {ORDERS}")}


MEASURES = [Games, Lines]
