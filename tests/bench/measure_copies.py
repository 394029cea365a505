# SPDX-License-Identifier: ISC
"""What a record of many lines costs those who hold it.

  copy_open     CPU to open an own copy that was verified before, against
                reading and hashing its file
  verify_cores  umpire verify by the clock on two CPUs, against one

In the control there is no checkpoint beside the copy, and one CPU alone.
"""

import json
import os
import sqlite3
import time

import partner
import rig
from rig import Result

LINES = 10000


def side_line(kind, name, more, value):
    """A side line of an export."""
    return json.dumps({kind: name.hex(), **more, "value": value.decode()},
                      ensure_ascii=False, separators=(",", ":")) + "\n"


def export(database, path):
    """Writes the first game of a database as its players export it."""
    db = sqlite3.connect(database)
    try:
        with open(path, "wb") as out:
            for line, in db.execute(
                    "SELECT line FROM record WHERE game = 1 ORDER BY seq"):
                out.write(bytes(line) + b"\n")
            for ref, salt, value in db.execute(
                    "SELECT ref, salt, value FROM text WHERE game = 1 "
                    "ORDER BY ref"):
                out.write(side_line("text", ref, {"salt": salt.hex()},
                                    value).encode())
            for name, value in db.execute(
                    "SELECT DISTINCT blob.hash, bytes FROM blob, line_blob "
                    "WHERE line_blob.game = 1 AND blob.hash = line_blob.hash "
                    "ORDER BY blob.hash"):
                out.write(side_line("blob", name, {}, value).encode())
    finally:
        db.close()


class Copies:
    """One record of many lines."""

    results = {
        "copy_open": Result(f"an own copy of {LINES} lines, opened", "ms",
                            3.0),
        "verify_cores": Result(f"{LINES} lines verified on two CPUs", "s",
                               0.65)}

    def __init__(self, bench):
        self.bench = bench
        self.got = {}

    def setup(self):
        self.cpus = sorted(os.sched_getaffinity(0))[:2]
        if len(self.cpus) < 2:
            raise rig.Skip("there is one CPU alone")
        paths = partner.programs(self.bench)
        self.umpire = self.bench.program("umpire")
        self.opener = self.bench.program("tests/bench/bench_open")
        folder = self.bench.work / "daemon"
        daemon = partner.daemon(paths, folder)
        try:
            fill = partner.fill(paths, daemon.port)
            fill.say("match")
            self.bench.say(f"  {LINES} lines are played")
            fill.say(f"play 0 {LINES}")
            fill.stop()
        finally:
            daemon.stop()
        self.record = self.bench.work / "record.jsonl"
        export(folder / "umpired.db", self.record)

    def verify(self, cpus):
        """Seconds by the clock."""
        mine = os.sched_getaffinity(0)
        before = time.monotonic()
        os.sched_setaffinity(0, cpus)
        try:
            rig.run([self.umpire, "verify", str(self.record)])
        finally:
            os.sched_setaffinity(0, mine)
        return time.monotonic() - before

    def reference(self):
        return {"verify_cores": self.verify(self.cpus[:1])}

    def subject(self):
        control = ["control"] if self.bench.is_control else []
        self.got = rig.run_json([self.opener, str(self.record)] + control)
        return {"copy_open": (self.got["read_us"] / 1e3,
                              self.got["open_us"] / 1e3),
                "verify_cores": self.verify(
                    self.cpus[:1] if self.bench.is_control else self.cpus)}

    def details(self, name):
        return self.got if name == "copy_open" else {"cpus": self.cpus}

    def teardown(self):
        pass


MEASURES = [Copies]
