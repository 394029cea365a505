#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Random tournaments, paired and ranked by the second readings.

Players are absent, ask for byes, come late, leave; clubs and other groups are
kept apart; games are forfeited by one or by both; points differ, and some are
given or taken by rulings.  `umpire pair --check` must pair each round as
pairing.py does, `umpire pair` refuse where there is no pairing, and `umpire
standings` have each value of ties.py.

  random_tournaments.py --umpire PATH --work DIR [--count N] [--seed S]
      [--most PLAYERS] [--only pair|standings]

Exit status: 0 all agree, 1 not all, 64 wrong usage.
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys

import pairing
import ties
import trf

SWISS = ["DE", "BH", "BH/C1", "BH/C2", "BH/M1", "SB", "FB", "WIN", "WON", "PS",
         "REP", "BPG"]
ROBIN = ["DE", "SB", "WIN", "WON", "PS", "REP", "BPG"]
POINTS = [{}] * 6 + [
    {"win": 6, "draw": 2, "bye": 6},
    {"win": 6, "draw": 2, "bye": 2},
    {"win": 2, "draw": 1, "bye": 1},
    {"win": 4, "draw": 3, "loss": 2, "bye": 4},
]


def chance(rng, percent):
    return rng.randrange(100) < percent


def groups(rng, numbers, count):
    """Some groups of two or more."""
    return [set(rng.sample(numbers, rng.randint(2, min(4, len(numbers)))))
            for _ in range(count)]


class Maker:
    """A random tournament; `text` is its file, `impossible` that of a round
    that cannot be paired, or None; `refused` those with clubs apart."""

    def __init__(self, rng, most):
        self.rng = rng
        self.t = t = trf.Tournament()
        n = rng.randint(2, most)
        t.rounds = rng.randint(2, max(2, min(7, n)))
        t.initial = rng.randint(1, 2)
        t.points.update(rng.choice(POINTS))
        # Numbers may have gaps.
        self.numbers = numbers = sorted(
            rng.sample(range(1, n + 4), n) if chance(rng, 20)
            else range(1, n + 1))
        for i, number in enumerate(numbers):
            t.games[number] = []
            t.ratings[number] = 2000 - 10 * i
        self.comes = {p: rng.randint(2, 3) if chance(rng, 8) else 1
                      for p in numbers}
        self.leaves = {p: rng.randint(2, t.rounds + 1) if chance(rng, 12)
                       else 99 for p in numbers}
        for group in groups(rng, numbers, rng.choice([0, 0, 0, 1, 2])):
            first = rng.randint(1, t.rounds)
            t.apart.append((first, rng.randint(first, t.rounds), group))
        clubs = collections.defaultdict(set)
        for p in numbers:
            clubs[rng.randint(1, max(2, n // 2))].add(p)
        self.clubs = [c for c in clubs.values() if len(c) > 1]
        self.apart = rng.choice([0, 0, 1, 2])
        self.refused = []
        self.impossible = None
        self.count = collections.Counter()
        self.play()
        self.text = trf.write(t)

    def absent(self, p, rnd):
        """The letter of who does not play, or None."""
        if rnd < self.comes[p]:
            return "H" if rnd + 1 == self.comes[p] and p % 2 else "Z"
        if rnd >= self.leaves[p]:
            return "Z"
        if chance(self.rng, 7):
            return self.rng.choice("HHZF")
        return None

    def play(self):
        t = self.t
        for rnd in range(1, t.rounds + 1):
            for p in self.numbers:
                letter = self.absent(p, rnd)
                t.games[p].append(trf.Game(0, 0, letter or ""))
            if chance(self.rng, 6):
                t.corrections.append((self.rng.choice(self.numbers), rnd - 1,
                                      self.rng.choice([-3, -2, -1, 1, 2])))
            made = self.pairs(rnd)
            if made is None:
                break
            for a, b in made[0]:
                self.result(rnd, a, b)
            if made[1] is not None:
                t.games[made[1]][-1] = trf.Game(0, 0, "U")
                self.count["byes"] += 1
            self.count["rounds"] += 1

    def pairs(self, rnd):
        """As pairing.py has it; None if there is no pairing."""
        here = [p for p in self.numbers if not self.t.game(p, rnd).letter]
        if len(here) < 2:
            self.leave_out(rnd)
            return None
        if rnd <= self.apart and self.clubs:
            with_clubs = [(rnd, rnd, c) for c in self.clubs]
            try:
                made = pairing.Round(self.t, rnd, self.clubs).pair()
                self.t.apart += with_clubs
                self.count["clubs"] += 1
                return made
            except pairing.Impossible:
                before = list(self.t.apart)
                self.t.apart += with_clubs
                self.refused.append(trf.write(self.t))
                self.t.apart = before
        try:
            return pairing.Round(self.t, rnd).pair()
        except pairing.Impossible:
            self.impossible = trf.write(self.t)
            self.leave_out(rnd)
            return None

    def leave_out(self, rnd):
        """Ends the tournament before a round."""
        for p in self.numbers:
            del self.t.games[p][rnd - 1:]

    def result(self, rnd, a, b):
        """Plays a game: a has side 1."""
        rng = self.rng
        letters = rng.choice(["10", "01", "==", "10", "01", "==", "10", "01"])
        what = rng.randrange(100)
        if what < 8:
            letters = rng.choice(["+-", "-+"])
        elif what < 11:
            letters = "--"
        elif what < 14:
            letters = rng.choice(["WL", "LW", "DD"])
        elif what < 15:
            letters = rng.choice(["=0", "00"])
        self.t.games[a][-1] = trf.Game(b, 1, letters[0])
        self.t.games[b][-1] = trf.Game(a, 2, letters[1])


def round_robin(rng):
    """All meet all, with forfeits, in the rounds of a circle."""
    t = trf.Tournament()
    n = rng.randint(2, 7)
    circle = list(range(1, n + 1)) + [0] * (n % 2)
    for p in range(1, n + 1):
        t.games[p] = []
    for _ in range(len(circle) - 1):
        for i in range(len(circle) // 2):
            a, b = circle[i], circle[-1 - i]
            if chance(rng, 50):
                a, b = b, a
            if 0 in (a, b):
                t.games[a or b].append(trf.Game(0, 0, "Z"))
                continue
            letters = rng.choice(["10", "01", "==", "+-", "-+", "--"]
                                 if chance(rng, 25) else ["10", "01", "=="])
            t.games[a].append(trf.Game(b, 1, letters[0]))
            t.games[b].append(trf.Game(a, 2, letters[1]))
        circle[1:] = circle[2:] + circle[1:2]
    t.rounds = len(circle) - 1
    return t


class Judge:
    def __init__(self, umpire, work):
        self.umpire = umpire
        self.path = os.path.join(work, "tournament.trf")
        self.wrong = 0
        self.count = collections.Counter()

    def run(self, text, *args):
        with open(self.path, "w", encoding="utf-8") as f:
            f.write(text)
        return subprocess.run([self.umpire] + list(args) + [self.path],
                              capture_output=True, text=True, check=False)

    def fail(self, what, text):
        self.wrong += 1
        if self.wrong <= 3:
            print(what)
            print(text)

    def rounds(self, m):
        r = self.run(m.text, "pair", "--check")
        if m.t.paired() and r.returncode != 0:
            self.fail("pairings differ: %s%s" % (r.stdout, r.stderr), m.text)
        for text in m.refused + [m.impossible] * (m.impossible is not None):
            self.count["impossible"] += 1
            r = self.run(text, "pair")
            if r.returncode == 0 or "no complete pairing" not in r.stderr:
                self.fail("this was paired, or refused for another reason: "
                          + r.stderr, text)

    def values(self, t, codes, rounds, *args):
        text = trf.write(t)
        r = self.run(text, "standings", "--json", "--ties", ",".join(codes),
                     "--round", str(rounds), *args)
        if r.returncode != 0:
            self.fail("no standings: " + r.stderr, text)
            return
        rr = "--round-robin" in args
        ours = [(s["rank"], s["player"], s["points"] * 2,
                 [s["ties"][c] * ties.UNIT.get(c, 1) for c in codes])
                for s in json.loads(r.stdout)["standings"]]
        theirs = ties.Ties(t, rounds, rr).standings(codes)
        self.count["values"] += len(theirs) * (2 + len(codes))
        if ours != theirs:
            self.fail("standings differ: %s, not %s" % (ours, theirs), text)

    def standings(self, rng, m):
        self.values(m.t, rng.sample(SWISS, len(SWISS)),
                    rng.choice([m.t.paired(), rng.randint(0, m.t.paired())]))
        if chance(rng, 30):
            t = round_robin(rng)
            self.values(t, rng.sample(ROBIN, len(ROBIN)), t.paired(),
                        "--round-robin")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--umpire", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=12)
    parser.add_argument("--only", choices=["pair", "standings"])
    try:
        args = parser.parse_args()
    except SystemExit as e:
        return 64 if e.code else 0
    judge = Judge(args.umpire, args.work)
    for i in range(args.count):
        rng = random.Random("%d/%d" % (args.seed, i))
        m = Maker(rng, args.most)
        judge.count += m.count
        if args.only != "standings":
            judge.rounds(m)
        if args.only != "pair":
            judge.standings(rng, m)
    c = judge.count
    print("%d tournaments, %d rounds, %d byes, %d with clubs apart, "
          "%d impossible; %d values; %d differ" % (
              args.count, c["rounds"], c["byes"], c["clubs"],
              c["impossible"], c["values"], judge.wrong))
    return 1 if judge.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
