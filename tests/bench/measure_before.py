# SPDX-License-Identifier: ISC
"""What an order costs the server, against another build of umpired: an older
one, say, so that it shows what has been added since.

  orders_before  CPU of an order of games without a witness, against the umpired
                 in the folder that BEFORE names in the environment

Both daemons run at once, and one fill of this build plays the same matches at
each, some orders here, then as many there: what else the machine does falls
upon both. Without BEFORE there is no such measure.
"""

import os
import pathlib

import partner
import rig
from rig import Result

MATCHES = 10
ROUNDS = 10  # between one daemon and the other
TURNS = 12  # of both, in each pair


class Before:
    """One run plays at both daemons in turn."""

    results = {"orders_before": Result(
        "an order without a witness, against BEFORE's", "us", 1.05)}

    def __init__(self, bench):
        self.bench = bench
        self.running = []
        self.ends = []
        self.wall = []

    def setup(self):
        ours = partner.programs(self.bench)
        before = pathlib.Path(os.environ["BEFORE"]) / "umpired"
        if not os.access(before, os.X_OK):
            raise rig.Skip(f"{before} is not built")
        self.bench.say(f"  before: {before}")
        for name, umpired in (("before", str(before)),
                              ("now", ours["umpired"])):
            paths = {**ours, "umpired": umpired}
            daemon = partner.daemon(paths, self.bench.work / name)
            self.running.append(daemon)
            fill = partner.fill(paths, daemon.port)
            self.running.append(fill)
            for _ in range(MATCHES):
                fill.say("match")
            fill.say(f"round {ROUNDS}")
            self.ends.append((daemon, fill))

    def reference(self):
        return {}

    def subject(self):
        """Microseconds of CPU an order, of both."""
        cpu, wall, orders = [0.0, 0.0], [0.0, 0.0], 0
        for turn in range(TURNS):
            for i in (0, 1) if turn % 2 == 0 else (1, 0):
                daemon, fill = self.ends[i]
                before = daemon.cpu_s()
                got = fill.say(f"round {ROUNDS}")
                cpu[i] += 1e6 * (daemon.cpu_s() - before)
                wall[i] += got["wall_ms"]
            orders += got["orders"]
        self.wall.append(round(wall[1] / wall[0], 4))
        return {"orders_before": (cpu[0] / orders, cpu[1] / orders)}

    def details(self, name):
        return {"orders": TURNS * ROUNDS * MATCHES, "wall_ratios": self.wall}

    def teardown(self):
        while self.running:
            self.running.pop().stop()


MEASURES = [Before] if os.environ.get("BEFORE") else []
