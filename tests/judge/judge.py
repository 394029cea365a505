#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Holds pairings, tie-breaks and TRF files against two public programs.

  judge.py --bbp DIR --gacrux DIR --umpire PATH --retrf PATH --work DIR
      [--count N] [--other N] [--large PLAYERS] [--seed S]
      [FILE ...]

DIR are the sources of bbpPairings and of TieBreakServer; the first is built in
a copy.  In turn:

 1. N tournaments of bbpPairings' generator, --count of them: `umpire pair
    --check` must pair every round as it did.  A part of them is written anew by
    our TRF writer, which bbpPairings and TieBreakServer must read and pair the
    same, and has the standings of TieBreakServer's tie-breaks.
 2. --other tournaments of TieBreakServer's generator, likewise.
 3. Tournaments cut off after a round, with prohibited pairs: `umpire pair`
    gives the next round of bbpPairings, or none where it gives none.
 4. One of --large players and 11 rounds: no slower than bbpPairings, in the
    time of a processor.

With FILEs, which `umpire tournament trf` has made, these alone are looked at:
each as it stands is read by both, paired the same by both and by us, and has
the standings of TieBreakServer.  Round robins are for TieBreakServer alone,
which knows their tables.

What differs is kept in the work folder.  Exit status: 0 no difference, 1 some.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import resource
import shutil
import subprocess
import sys

TIES = ["DE", "BH", "BH/C1", "BH/C2", "BH/M1", "SB", "FB", "WIN", "WON", "PS",
        "REP", "BPG"]
# In a round robin the others say nothing.
ROBIN = ["DE", "SB", "WIN", "WON", "PS", "REP", "BPG"]


def run(*args, **options):
    return subprocess.run([str(a) for a in args], capture_output=True,
                          text=True, check=False, **options)


def lines(text):
    return [line for line in text.replace("\r", "\n").split("\n")
            if line.strip()]


def spent():
    """Seconds of a processor that programs have used which have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Judge:
    def __init__(self, args):
        self.args = args
        self.umpire = os.path.abspath(args.umpire)
        self.retrf = os.path.abspath(args.retrf)
        self.gacrux = os.path.abspath(args.gacrux)
        self.work = os.path.abspath(args.work)
        self.kept = os.path.join(self.work, "kept")
        self.count = collections.Counter()
        os.makedirs(self.kept, exist_ok=True)
        self.bbp = self.build(args.bbp)

    def build(self, source):
        """Builds bbpPairings in a copy; its program."""
        copy = os.path.join(self.work, "bbp")
        program = os.path.join(copy, "bbpPairings.exe")
        if not os.path.exists(program):
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(source, copy)
            r = run("make", "-C", copy, "-j2")
            if not os.path.exists(program):
                sys.exit("bbpPairings cannot be built:\n" + r.stderr)
        return program

    def path(self, name):
        return os.path.join(self.work, name)

    def differs(self, path, why):
        self.count["differences"] += 1
        shutil.copy(path, self.kept)
        print("%s: %s" % (os.path.basename(path), why.strip()[:400]))
        sys.stdout.flush()

    # ---- what is compared of a tournament ----

    def pairings(self, path):
        """Every round, as the file has it."""
        r = run(self.umpire, "pair", "--check", path)
        if r.returncode != 0:
            self.differs(path, "pair --check: " + r.stdout + r.stderr)
        with open(path, encoding="utf-8", newline="") as f:
            rows = [line for line in lines(f.read())
                    if line.startswith("001")]
        width = max(len(row.rstrip()) for row in rows)
        self.count["players"] += len(rows)
        self.count["rounds"] += (width - 91 + 9) // 10

    def given(self, path):
        """A file of a tournament that was played, as it stands."""
        self.count["files"] += 1
        self.pairings(path)
        with open(path, encoding="utf-8", newline="") as f:
            text = lines(f.read())
        if any(x.startswith("192") and "ROUNDROBIN" in x for x in text):
            return self.robin(path, text)
        self.foreign(path, written=path)
        due = [int(x[4:]) for x in text if x.startswith("142")]
        games = [x.rstrip()[91:] for x in text if x.startswith("001")]
        # Before its last round TieBreakServer counts rounds to come, too.
        if due and (max(map(len, games)) + 9) // 10 == due[0]:
            self.standings(path)

    def robin(self, path, text):
        """A round robin, of which the file says how often all meet all."""
        self.count["round robins"] += 1
        # TieBreakServer breaks off at corrections of points.
        if any(x.startswith("299") for x in text):
            self.count["with points that Gacrux does not read"] += 1
            return
        r = run(sys.executable, os.path.join(self.gacrux, "pairingchecker.py"),
                "-c", "-i", path, "-d", "T", "-b", "utf-8")
        if "Check: True" not in r.stdout:
            self.differs(path, "pairingchecker: " + r.stdout + r.stderr)
        else:
            self.count["read by Gacrux"] += 1
        due = [int(x[4:]) for x in text if x.startswith("142")]
        games = [x.rstrip()[91:] for x in text if x.startswith("001")]
        if not due or (max(map(len, games)) + 9) // 10 != due[0]:
            return
        # 15.2: a forfeit that is won is a game for all ties but, there, these.
        has_won = any(" +" in x for x in games)
        self.standings(path, [x for x in ROBIN if not has_won
                              or x not in ("WON", "BPG")], "-p")

    def rewritten(self, path):
        """Our writer's file, or None."""
        out = path[:-4] + "-anew.trf"
        with open(path, "rb") as f, open(out, "wb") as g:
            r = subprocess.run([self.retrf], stdin=f, stdout=g,
                               stderr=subprocess.PIPE, check=False)
        if r.returncode != 0:
            self.differs(path, "retrf: " + r.stderr.decode())
            return None
        return out

    def foreign(self, path, by_bbp=True, written=None):
        """Both read what we write, and pair it as it was paired."""
        anew = written or self.rewritten(path)
        if anew is None:
            return
        if by_bbp:
            r = run(self.bbp, "--dutch", anew, "-c")
            extra = [line for line in lines(r.stdout)
                     if ": Round #" not in line]
            if r.returncode != 0 or extra:
                self.differs(anew, "bbpPairings: " + r.stdout + r.stderr)
            self.count["read by bbpPairings"] += 1
        r = run(sys.executable, os.path.join(self.gacrux, "pairingchecker.py"),
                "-c", "-i", anew, "-m", "dutch", "-d", "T",
                "-b", "utf-8")
        if "Program error" in r.stdout + r.stderr:
            self.count["not read by Gacrux, which breaks off"] += 1
        elif "Check: True" not in r.stdout:
            self.differs(anew, "pairingchecker: " + r.stdout + r.stderr)
        else:
            self.count["read by Gacrux"] += 1
        if not written:
            os.remove(anew)

    def standings(self, path, ties=TIES, kind="-s"):
        """Each value of the tie-breaks, and the ranks."""
        theirs = run(
            sys.executable, os.path.join(self.gacrux, "tiebreakchecker.py"),
            "-i", path, "-o", "-", "-d", "T", "-b", "utf-8", kind, "-t", "PTS",
            *ties)
        rows = [line.split("\t") for line in lines(theirs.stdout)]
        ours = run(self.umpire, "standings", "--json", "--ties",
                   ",".join(ties), path)
        if ours.returncode != 0 or len(rows) < 2:
            self.differs(path, "standings: " + ours.stderr + theirs.stderr)
            return
        table = {s["player"]: s for s in json.loads(ours.stdout)["standings"]}
        for row in rows[1:]:
            mine = table[int(row[0])]
            for code, text in zip(ties, row[3:]):
                self.count["values"] += 1
                if float(text) != mine["ties"][code]:
                    self.differs(path, "%s of %s is %s, not %s" % (
                        code, row[0], text, mine["ties"][code]))
            if int(row[1]) != mine["rank"]:
                self.differs(path, "%s has rank %s" % (row[0], row[1]))

    # ---- 1 and 3: bbpPairings ----

    def config(self, rng, players):
        config = {
            "PlayersNumber": players,
            "RoundsNumber": rng.randint(2, min(11, max(2, players * 2 // 3))),
            "DrawPercentage": rng.choice([0, 10, 30, 50, 80]),
            # One in so many.
            "ForfeitRate": rng.choice([10000, 60, 20, 10]),
            "RetiredRate": rng.choice([10000, 100, 50, 25]),
            "HalfPointByeRate": rng.choice([10000, 100, 40, 20]),
            "HighestRating": 2600,
            "LowestRating": rng.choice([1400, 2500]),
        }
        if rng.randrange(5) == 0:
            config["PointsForWin"] = 3.0
            config["PointsForDraw"] = 1.0
            config["PointsForPAB"] = rng.choice([3.0, 1.0])
        return config

    def generate(self, rng, path, players):
        """A tournament of bbpPairings' generator; False: it made none."""
        config = path[:-4] + ".config"
        with open(config, "w", encoding="utf-8") as f:
            for name, value in self.config(rng, players).items():
                f.write("%s=%s\n" % (name, value))
        r = run(self.bbp, "--dutch", "-g", config, "-o", path,
                "-s", rng.randrange(1, 2 ** 31 - 1))
        os.remove(config)
        return r.returncode == 0

    def players(self, rng):
        low, high = rng.choice([(5, 12), (5, 20), (13, 40), (13, 40),
                                (41, 80), (81, 120)])
        return rng.randint(low, high)

    def one(self, i):
        rng = random.Random("%d/%d" % (self.args.seed, i))
        path = self.path("bbp-%05d.trf" % i)
        if not self.generate(rng, path, self.players(rng)):
            self.count["not made"] += 1
            return
        self.count["tournaments of bbpPairings"] += 1
        self.pairings(path)
        if i % 25 == 0:
            print("... %d" % self.count["tournaments of bbpPairings"])
            sys.stdout.flush()
            self.foreign(path)
            self.standings(path)
        os.remove(path)

    def prohibited(self, i):
        """The next round of a tournament that was cut off."""
        rng = random.Random("p%d/%d" % (self.args.seed, i))
        path = self.path("prohibited-%05d.trf" % i)
        if not self.generate(rng, path, rng.randint(5, 40)):
            return
        with open(path, encoding="utf-8", newline="") as f:
            rows = lines(f.read())
        total = max((len(r.rstrip()) - 91 + 9) // 10 for r in rows
                    if r.startswith("001"))
        cut = rng.randint(0, total - 1)
        points = {"1": 1.0, "+": 1.0, "U": 1.0, "F": 1.0, "=": 0.5, "H": 0.5}
        out = ["142 %d" % total, "152 " + rng.choice("WB")]
        worth = next((r for r in rows if r.startswith("162")), None)
        if worth:
            self.count["left out"] += 1
            os.remove(path)
            return
        numbers = []
        for row in rows:
            if not row.startswith("001"):
                continue
            numbers.append(int(row[4:8]))
            games = row.rstrip()[91:91 + 10 * cut]
            score = sum(points.get(games[k + 7:k + 8], 0)
                        for k in range(0, len(games), 10))
            line = row[:80] + "%4.1f" % score + row[84:89] + "  " + games
            absent = row[91 + 10 * cut:].startswith(("0000 - Z", "0000 - H"))
            if absent:
                line = line.ljust(91 + 10 * cut) + "0000 - Z"
            out.append(line.rstrip())
        for _ in range(rng.randint(1, 8)):
            group = rng.sample(numbers, rng.randint(
                2, max(2, min(12, len(numbers) // 2))))
            out.append("260 %3d %3d" % (rng.randint(1, cut + 1), total) +
                       "".join(" %4d" % n for n in sorted(group)))
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(out) + "\n")
        theirs = run(self.bbp, "--dutch", path, "-p")
        ours = run(self.umpire, "pair", path)
        self.count["rounds with prohibited pairs"] += 1
        if theirs.returncode == 1:  # there is no pairing
            self.count["of them impossible"] += 1
            if ours.returncode == 0 or \
                    "no complete pairing" not in ours.stderr:
                self.differs(path, "there is none: " + ours.stdout +
                             ours.stderr)
        elif theirs.returncode != 0:
            self.differs(path, "bbpPairings: " + theirs.stderr)
        elif sorted(lines(theirs.stdout)) != sorted(lines(ours.stdout)):
            self.differs(path, "not as bbpPairings: " + ours.stdout +
                         ours.stderr)
        os.remove(path)

    # ---- 2: TieBreakServer ----

    def other(self, i):
        """Ten tournaments."""
        rng = random.Random("g%d/%d" % (self.args.seed, i))
        players = rng.randint(5, 40)
        rounds = rng.randint(3, min(9, max(3, players * 2 // 3)))
        name = self.path("gacrux-%03d-%%d.trf" % i)
        r = run(sys.executable,
                os.path.join(self.gacrux, "tournamentgenerator.py"),
                "-m", "dutch", "-n", rounds, "-p", players,
                "-S", rng.choice([0.01, 0.04]), rng.choice([0.0, 0.05]),
                rng.choice([0.02, 0.08]),
                "-g", rng.randrange(100000), 10, "-o", name)
        made = [f for f in os.listdir(self.work)
                if f.startswith("gacrux-%03d-" % i)]
        if len(made) < 10:
            self.count["not made"] += 10 - len(made)
            print("tournamentgenerator: " + lines(r.stderr)[-1])
        for f in made:
            path = self.path(f)
            self.count["tournaments of Gacrux"] += 1
            self.pairings(path)
            if f == made[0]:
                self.foreign(path)
                self.standings(path)
            os.remove(path)

    # ---- 4: time ----

    def large(self, players):
        path = self.path("large.trf")
        config = self.path("large.config")
        with open(config, "w", encoding="utf-8") as f:
            f.write("PlayersNumber=%d\nRoundsNumber=11\nDrawPercentage=30\n"
                    "ForfeitRate=50\nRetiredRate=100\nHalfPointByeRate=100\n"
                    % players)
        began = spent()
        r = run(self.bbp, "--dutch", "-g", config, "-o", path,
                "-s", self.args.seed)
        theirs = spent() - began
        if r.returncode != 0:
            sys.exit("bbpPairings made no large tournament: " + r.stderr)
        began = spent()
        self.pairings(path)
        ours = spent() - began
        print("%d players, 11 rounds: bbpPairings %.1f s, umpire %.1f s, "
              "%.2f of it" % (players, theirs, ours, ours / theirs))
        if ours > theirs:
            self.differs(path, "slower than bbpPairings")

    def until(self, pool, part, what, n):
        """Runs a part until so many were made: not each try makes one."""
        tries, each = 0, os.cpu_count() * 4
        while self.count[what] < n and self.count["not made"] < n:
            list(pool.map(part, range(tries, tries + each)))
            tries += each

    def all(self):
        args = self.args
        for path in args.files:
            self.given(path)
        if args.files:
            return self.told()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            self.until(pool, self.other, "tournaments of Gacrux", args.other)
            self.until(pool, self.prohibited, "rounds with prohibited pairs",
                       args.count // 10)
            self.until(pool, self.one, "tournaments of bbpPairings",
                       args.count)
        if args.large:
            self.large(args.large)
        return self.told()

    def told(self):
        """What was compared; the exit status."""
        args = self.args
        print("seed %d: %s" % (args.seed, ", ".join(
            "%d %s" % (n, what) for what, n in sorted(self.count.items()))))
        return 1 if self.count["differences"] else 0


def main():
    parser = argparse.ArgumentParser()
    for name in ("--bbp", "--gacrux", "--umpire", "--retrf", "--work"):
        parser.add_argument(name, required=True)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--other", type=int, default=200)
    parser.add_argument("--large", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="*", metavar="FILE")
    return Judge(parser.parse_args()).all()


if __name__ == "__main__":
    sys.exit(main())
