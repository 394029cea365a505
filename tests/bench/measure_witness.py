# SPDX-License-Identifier: ISC
"""What a witness costs: itself, and those who wait for it.

A witness has 100 games, then 10,000, which it has joined, on one connection;
its memory is measured when it has heard all of them and nothing comes, and once
more after a restart, in which it must read no old line and take no new one.
With UMPIRE_LONG the same is done with games that are played, some orders each,
which takes a quarter of an hour or more.

Fifty games at once are played for some seconds without a witness (A) and with
one (B), on daemons of their own: the time from an order that draws dice to the
dice, for whoever gave it. The witness runs on the same cores.
"""

import os
import re
import shutil
import sqlite3
import subprocess
import time

import partner
import rig

FEW, MANY = 100, 10000
TABLES, ORDERS = 8, 6
MATCHES, SECONDS = 50, 4
WAIT_S = 600
QUIET_S = 3


class Club:
    """A daemon, and a witness of it."""

    def __init__(self, paths, umpire, folder):
        self.umpire = umpire
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir(parents=True)
        self.env = dict(os.environ, HOME=str(self.home),
                        XDG_CONFIG_HOME=str(self.home / "config"),
                        XDG_DATA_HOME=str(self.home / "data"))
        self.daemon = rig.Daemon(paths["umpired"], folder / "daemon",
                                 witnesses="club", witness_rate=0,
                                 **partner.ROOM)
        self.witness = None
        self.run("init", "--server", f"127.0.0.1:{self.daemon.port}")
        self.run("register", "club", "--trust")
        self.start()
        log = self.witness.wait_file(folder / "log")
        self.key = re.search(r"key ([0-9a-f]{64})", log).group(1)

    def run(self, *words):
        done = subprocess.run([self.umpire, *words], env=self.env, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"umpire {words}: {done.stderr[-1000:]}")

    def start(self):
        (self.folder / "log").unlink(missing_ok=True)
        self.witness = rig.Child([self.umpire, "witness"], self.folder / "log",
                                 env=self.env)

    def stop_witness(self):
        """Ends it; how many lines it heard, and read again."""
        if self.witness.stop() != 0:
            raise RuntimeError((self.folder / "log").read_text()[-1000:])
        said = re.search(r"ended: (\d+) lines heard, (\d+) read again",
                         (self.folder / "log").read_text())
        return tuple(map(int, said.groups()))

    def joined(self):
        """Games of which it holds its own join."""
        path = self.home / "data/umpire/default/witness.db"
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            n, = db.execute("SELECT count(*) FROM word WHERE what = 'join' "
                            "AND seq >= 0").fetchone()
        finally:
            db.close()
        return n

    def words(self):
        """Lines that it holds, and answers that it gave."""
        path = self.home / "data/umpire/default/witness.db"
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            lines, = db.execute("SELECT count(*) FROM line").fetchone()
            answers, = db.execute("SELECT count(*) FROM word "
                                  "WHERE what = 'answer'").fetchone()
        finally:
            db.close()
        return {"lines": lines, "answers": answers}

    def wait(self, n):
        end = time.monotonic() + WAIT_S
        while self.joined() < n:
            if time.monotonic() > end:
                raise RuntimeError(f"it has joined {self.joined()}, not {n}")
            time.sleep(0.1)

    def quiet(self):
        """Its memory, when it has nothing to do."""
        before = -1
        while self.witness.cpu_s() - before > 0.02:
            before = self.witness.cpu_s()
            time.sleep(QUIET_S)
        return self.witness.memory()["Pss"]

    def stop(self):
        self.witness.stop()
        self.daemon.stop()
        shutil.rmtree(self.folder)


class Memory:
    """Many games against few."""

    results = {
        "witness_memory": rig.Result(
            f"memory of a witness of {MANY} games, against {FEW}", "bytes",
            1.5),
        "witness_restart": rig.Result(
            "the same after a restart, which reads no old line", "bytes",
            1.5),
    }
    UNCONTROLLED = {"witness_memory", "witness_restart"}

    def __init__(self, bench):
        self.bench = bench
        self.club = None
        self.seen = {}

    def again(self):
        """Its memory after a restart, in which nothing may be read."""
        self.club.stop_witness()
        self.club.start()
        time.sleep(QUIET_S)
        size = self.club.quiet()
        heard, read = self.club.stop_witness()
        if heard or read:
            raise RuntimeError(f"a restart took {heard} lines, read {read}")
        self.club.start()
        return size

    def setup(self):
        """All of it, once: it takes too long for pairs."""
        paths = partner.programs(self.bench)
        self.club = Club(paths, self.bench.program("umpire"),
                         self.bench.work / "club")
        fill = partner.Partner([paths["fill"], partner.HOST,
                                str(self.club.daemon.port),
                                str(partner.ROSTER)])
        try:
            fill.say("match")
            fill.say(f"witness {self.club.key}")
            fill.say("match")
            begun = time.monotonic()
            for n in (FEW, MANY):
                fill.say(f"open 1 {n - 1 - self.seen.get('games', 0)}")
                self.club.wait(n)
                self.seen["games"] = n - 1
                self.seen[f"joined_{n}_s"] = time.monotonic() - begun
                self.seen[f"bytes_{n}"] = self.club.quiet()
                self.seen[f"restarted_{n}"] = self.again()
        finally:
            fill.stop()

    def reference(self):
        return {}

    def subject(self):
        return {"witness_memory": (self.seen[f"bytes_{FEW}"],
                                   self.seen[f"bytes_{MANY}"]),
                "witness_restart": (self.seen[f"restarted_{FEW}"],
                                    self.seen[f"restarted_{MANY}"])}

    def details(self, name):
        return self.seen

    def teardown(self):
        if self.club is not None:
            self.club.stop()


class Played(Memory):
    """Many games against few, all of them played."""

    results = {
        "witness_played": rig.Result(
            f"memory of a witness of {MANY} games that are played, against "
            f"{FEW}", "bytes", 1.5),
        "witness_played_restart": rig.Result(
            "the same after a restart, which reads no old line", "bytes",
            1.5),
    }
    UNCONTROLLED = {"witness_played", "witness_played_restart"}

    def setup(self):
        paths = partner.programs(self.bench)
        self.club = Club(paths, self.bench.program("umpire"),
                         self.bench.work / "club")
        fills = [partner.Partner([paths["fill"], partner.HOST,
                                  str(self.club.daemon.port),
                                  str(partner.ROSTER), str(1 + i)])
                 for i in range(TABLES)]
        try:
            for f in fills:
                f.say(f"witness {self.club.key}")
                f.say("match")
            begun = time.monotonic()
            played = TABLES
            for n in (FEW, MANY):
                each = -(-(n - played) // TABLES)
                for f in fills:
                    f.process.stdin.write(f"again 0 {ORDERS} {each}\n")
                    f.process.stdin.flush()
                for f in fills:
                    f.hear()
                played += TABLES * each
                self.club.wait(played)
                self.seen[f"games_{n}"] = played
                self.seen[f"played_{n}_s"] = time.monotonic() - begun
                self.seen[f"bytes_{n}"] = self.club.quiet()
                self.seen[f"words_{n}"] = self.club.words()
                self.seen[f"restarted_{n}"] = self.again()
        finally:
            for f in fills:
                f.stop()

    def subject(self):
        return {"witness_played": (self.seen[f"bytes_{FEW}"],
                                   self.seen[f"bytes_{MANY}"]),
                "witness_played_restart": (self.seen[f"restarted_{FEW}"],
                                           self.seen[f"restarted_{MANY}"])}


class Wait:
    """Dice with a witness, against dice at once."""

    results = {
        "witness_order": rig.Result(
            f"p50 of an order with dice of {MATCHES} games with a witness, "
            "against none", "us", 4.0),
    }
    UNCONTROLLED = {"witness_order"}

    def __init__(self, bench):
        self.bench = bench
        self.runs = 0
        self.last = {}

    def setup(self):
        self.paths = partner.programs(self.bench)
        self.umpire = self.bench.program("umpire")
        self.orders = self.bench.program("tests/bench/bench_orders")

    def play(self, has_witness):
        self.runs += 1
        club = Club(self.paths, self.umpire, self.bench.work / "club")
        try:
            seen = rig.run_json(
                [self.orders, partner.HOST, str(club.daemon.port),
                 str(MATCHES), str(SECONDS), str(self.runs),
                 str(club.daemon.pid)] + ([club.key] if has_witness else []))
        finally:
            club.stop()
        self.last["with" if has_witness else "without"] = seen
        return {"witness_order": seen["dice"]["p50"]}

    def reference(self):
        return self.play(False)

    def subject(self):
        return self.play(True)

    def details(self, name):
        return self.last

    def teardown(self):
        pass


MEASURES = [Memory, Wait] + ([Played] if os.environ.get("UMPIRE_LONG") else [])
