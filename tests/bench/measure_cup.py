# SPDX-License-Identifier: ISC
"""What games feel of a tournament of a thousand.

  cup_orders  the median of what an answer takes, in matches that send orders
              as fast as they are answered, while a round of 1,000 entrants is
              paired, against the same without. "details" has how long the
              pairing took, which must have been the whole time
"""

import json
import shutil
import subprocess

import rig

ENTRANTS, ROUND, SEED = 1000, 6, 1815
MATCHES = 8
SECONDS = 1  # less than a pairing takes


class Cup:
    """One daemon, with a tournament whose next round may be paired."""

    results = {"cup_orders": rig.Result(
        "orders while a round of 1,000 is paired", "us", 3.0)}

    UNCONTROLLED = {"cup_orders"}

    def __init__(self, bench):
        self.bench = bench
        self.runs = 0
        self.seen = {}

    def setup(self):
        for name in ("umpired", "bench_orders", "cup"):
            folder = {"umpired": "", "cup": "tests/tools/"}.get(
                name, "tests/bench/")
            setattr(self, name, self.bench.program(folder + name))
        self.ready = self.bench.work / "ready"
        daemon = rig.Daemon(self.umpired, self.ready)
        try:
            self.id = rig.run_json(
                [self.cup, "127.0.0.1", str(daemon.port), str(ENTRANTS), "11",
                 str(SEED), str(ROUND)])["tournament"]
        finally:
            daemon.stop()

    def play(self, pairs):
        """The median in a copy of that daemon's folder."""
        self.runs += 1
        folder = self.bench.work / "daemon"
        shutil.copytree(self.ready, folder)
        daemon = rig.Daemon(self.umpired, folder)
        cup = None
        try:
            if pairs:
                cup = subprocess.Popen(
                    [self.cup, "127.0.0.1", str(daemon.port), "pair",
                     str(SEED), self.id, str(ROUND)],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, text=True)
                if cup.stderr.readline() != "ready\n":
                    raise RuntimeError(cup.stderr.read())
            with subprocess.Popen(
                    [self.bench_orders, "127.0.0.1", str(daemon.port),
                     str(MATCHES), str(SECONDS), str(self.runs),
                     str(daemon.pid)],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    text=True) as orders:
                if orders.stderr.readline() != "go\n":
                    raise RuntimeError(orders.stderr.read())
                if pairs:
                    cup.stdin.write("\n")
                    cup.stdin.flush()
                seen = json.loads(orders.stdout.read())
            if pairs:
                self.seen = json.loads(cup.communicate(timeout=60)[0])
                if self.seen["pair_ms"][0] < 1000 * SECONDS:
                    raise RuntimeError("the pairing was over before")
        finally:
            if cup is not None:
                cup.kill()
                cup.wait()
            daemon.stop()
        shutil.rmtree(folder)
        return {"cup_orders": seen["all"]["p50"]}

    def reference(self):
        return self.play(False)

    def subject(self):
        return self.play(True)

    def details(self, name):
        return self.seen

    def teardown(self):
        pass


MEASURES = [Cup]
