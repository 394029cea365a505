# SPDX-License-Identifier: ISC
"""What games feel of a tournament of a thousand, and what a copy costs.

  cup_orders  the median of what an answer takes, in matches that send orders
              as fast as they are answered, while a round of 1,000 entrants is
              paired, against the same without. "details" has how long the
              pairing took, which must have been the whole time
  cup_copy    what umpire takes to show an own copy of a tournament of 600 over
              nine rounds, of which it has a checkpoint, against the same
              without, which works all pairings out
"""

import json
import os
import resource
import shutil
import sqlite3
import subprocess

import rig

ENTRANTS, ROUND, SEED = 1000, 6, 1815
MATCHES = 8
SECONDS = 1  # less than a pairing takes
COPY_ENTRANTS, COPY_ROUNDS = 600, 9


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


class Copy:
    """A profile with a copy, of which no server is asked anything."""

    results = {"cup_copy": rig.Result(
        "showing a copy of a tournament of 600 with a checkpoint", "ms", 0.5)}

    def __init__(self, bench):
        self.bench = bench
        self.lines = 0

    def setup(self):
        self.umpire = self.bench.program("umpire")
        cup = self.bench.program("tests/tools/cup")
        home = self.bench.work / "home"
        data = home / "data/umpire/default"
        (data / "games").mkdir(parents=True)
        key = data / "sign.key"
        key.touch(0o600)
        key.write_text(f"{SEED:064d}\n")
        daemon = rig.Daemon(
            self.bench.program("umpired"), self.bench.work / "daemon")
        try:
            self.id = rig.run_json(
                [cup, "127.0.0.1", str(daemon.port), str(COPY_ENTRANTS),
                 str(COPY_ROUNDS), str(SEED)])["tournament"]
        finally:
            daemon.stop()
        db = sqlite3.connect(self.bench.work / "daemon/umpired.db")
        lines = [bytes(line) for line, in db.execute(
            "SELECT line FROM tournament_record ORDER BY seq")]
        db.close()
        self.lines = len(lines)
        copy = data / "games" / f"{self.id}.tournament"
        copy.write_bytes(b"".join(line + b"\n" for line in lines))
        self.checkpoint = copy.with_name(f"{copy.name}-checkpoint")
        self.environ = {**os.environ, "HOME": str(home),
                        "XDG_DATA_HOME": str(home / "data"),
                        "XDG_CONFIG_HOME": str(home / "config")}

    def show(self):
        """Milliseconds of CPU."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(
            [self.umpire, "tournament", "show", self.id, "--offline"],
            env=self.environ, stdin=subprocess.DEVNULL, capture_output=True,
            check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        return {"cup_copy": 1e3 * (after - before)}

    def reference(self):
        self.checkpoint.unlink(missing_ok=True)
        return self.show()

    def subject(self):
        if self.bench.is_control:
            self.checkpoint.unlink()
        return self.show()

    def details(self, name):
        return {"lines": self.lines}

    def teardown(self):
        pass


MEASURES = [Cup, Copy]
