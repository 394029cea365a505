# SPDX-License-Identifier: ISC
"""What orders cost, against the sum of their parts.

A is bench_parts: the signatures, VRF work and hashes of an order, and the rows
that it writes, each alone. B is umpired under bench_orders: matches that send
orders as fast as they are answered, on the same cores. How many of the orders
carry a proof or draw dice, how long lines and snapshots are, and how many
orders share a transaction, is counted in B and given to A.

  orders_rate   orders a second that would be, if an order cost the server its
                parts and the players what they took in B, on all cores, less
                what other programs took of them in B (outside of the kernel,
                which may have worked for the server). "taking_nothing_off"
                has the ratios to all that the cores could do
  orders_tail   the median of the same run, against its 99th of a hundred
  orders_alone  the time by the clock of the parts, one after the other, for one
                match: the medians of plain orders, of those whose proof is
                checked, and of those with dice, weighed by how many there are
"""

import os
import re
import shutil
import sqlite3

import rig

MATCHES = 50
SECONDS = 4
KINDS = ("plain", "proof", "dice")
DICE = (0.30, 0.37)  # which part of many orders draws some
FIRST = {"order": 700, "line": 1500, "snapshot": 3000, "batch": 20}


def shape(folder):
    """What the rows of a daemon that has stopped are like."""
    db = sqlite3.connect(f"file:{folder}/umpired.db?mode=ro", uri=True)
    try:
        line, = db.execute("SELECT avg(length(line)) FROM record").fetchone()
        kept, = db.execute("SELECT avg(length(bytes)) FROM snapshot").fetchone()
    finally:
        db.close()
    jobs, batches = re.search(r"(\d+) jobs in (\d+) transactions",
                              (folder / "log").read_text()).groups()
    return {"order": int(line) // 2, "line": int(line), "snapshot": int(kept),
            "batch": max(1, round(int(jobs) / int(batches)))}


class Orders:
    """What both measures share: a run of A, and a run of B."""

    matches = 0
    seconds = SECONDS

    def __init__(self, bench):
        self.bench = bench
        self.shape = dict(FIRST)
        self.parts = {}
        self.seen = {}
        self.runs = 0

    def setup(self):
        for name in ("umpired", "bench_parts", "bench_orders"):
            folder = "" if name == "umpired" else "tests/bench/"
            setattr(self, name, self.bench.program(folder + name))
        self.empty = self.bench.work / "empty"
        rig.run([self.umpired, "--init", str(self.empty)])
        self.play()  # so that the first A has the shape of B's orders

    def run_parts(self):
        """One run of A."""
        path = self.bench.work / "parts.db"
        shutil.copy(self.empty / "umpired.db", path)
        self.parts = rig.run_json(
            [self.bench_parts, str(path)] +
            [str(self.shape[k]) for k in FIRST])
        for end in ("", "-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)

    def play(self):
        """One run of B, on a daemon and a database of its own."""
        self.runs += 1
        folder = self.bench.work / "daemon"
        daemon = rig.Daemon(self.umpired, folder)
        try:
            self.seen = rig.run_json(
                [self.bench_orders, "127.0.0.1", str(daemon.port),
                 str(self.matches), str(self.seconds), str(self.runs),
                 str(daemon.pid)])
        finally:
            daemon.stop()
        self.shape = shape(folder)
        shutil.rmtree(folder)
        share = self.mix()["dice"]
        chance = 3 * (share * (1 - share) / self.seen["orders"]) ** 0.5
        if not DICE[0] - chance <= share <= DICE[1] + chance:
            raise RuntimeError(f"dice are drawn by {share:.3f} of the orders, "
                               f"not by {DICE[0]} to {DICE[1]}")

    def crypto_us(self, kind):
        """CPU of signatures, VRF work and hashes of one kind of order."""
        p = self.parts
        us = p["sign_check_us"] + p["sign_make_us"] + p["hash_us"]
        if kind != "plain":
            us += p["vrf_check_us"] + p["hash_dice_us"]
        if kind == "dice":
            us += p["vrf_prove_us"]
        return us

    def mix(self):
        """Which part of the orders is of each kind."""
        return {k: self.seen[k]["n"] / self.seen["orders"] for k in KINDS}

    def details(self, name):
        return {"parts": self.parts, "shape": self.shape, "last": self.seen}

    def teardown(self):
        pass


class Many(Orders):
    """Fifty games at once."""

    matches = MATCHES
    results = {
        "orders_rate": rig.Result(
            f"orders a second of {MATCHES} games, against their parts",
            "1/s", 0.7, "higher"),
        "orders_tail": rig.Result(
            f"99 of 100 answers to {MATCHES} games, against the median",
            "us", 5.0),
    }

    UNCONTROLLED = {"orders_tail"}

    def __init__(self, bench):
        super().__init__(bench)
        self.whole = []

    def reference(self):
        self.run_parts()
        return {}

    def subject(self):
        self.play()
        mix = self.mix()
        server = sum(mix[k] * self.crypto_us(k) for k in KINDS)
        server += self.parts["batched_us"]
        seen = self.seen
        players = 1e6 * seen["players_s"] / seen["orders"]
        could = 1e6 / (server + players)  # each core
        cores = len(os.sched_getaffinity(0))
        self.whole.append(round(seen["per_second"] / (cores * could), 4))
        cores -= seen["others_s"] / seen["seconds"]
        return {"orders_rate": (cores * could, seen["per_second"]),
                "orders_tail": (seen["all"]["p50"], seen["all"]["p99"])}

    def details(self, name):
        return {**super().details(name), "taking_nothing_off": self.whole}


class Alone(Orders):
    """One game, one order at a time."""

    matches = 1
    results = {"orders_alone": rig.Result(
        "time of a lone order, against its parts", "us", 2.0)}
    # An order takes a disk some milliseconds, of which one more is little.
    WASTE = {"waste_us": 10000, "fat": 16}

    def reference(self):
        self.run_parts()
        return {}

    def subject(self):
        self.play()
        mix = self.mix()
        parts = sum(mix[k] * self.crypto_us(k) for k in KINDS)
        parts += self.parts["lone_clock_us"]
        took = sum(mix[k] * self.seen[k]["p50"] for k in KINDS
                   if self.seen[k]["n"] > 0)
        return {"orders_alone": (parts, took)}


MEASURES = [Many, Alone]
