#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Odds of random Lasalle combats, worked out again in fractions.

Walks every outcome of the dice with the second reading beside this file
(lasalle2.py), answers questions by a random policy as umpire-rules.7 (6,
10.10) has it, and holds what `umpire odds --exact --json` prints against the
sums. It shares nothing with librules, neither the rules nor the walk.

  odds.py --umpire PATH [--count N] [--seed S] [--most OUTCOMES]

Combats with more outcomes than --most are left out, and not counted.
Exit status: 0 all agree, 1 not all, 64 wrong usage.
"""

import argparse
import collections
import json
import random
import shlex
import subprocess
import sys
from fractions import Fraction

import lasalle2
from lasalle2_scenarios import random_scenario
from reading import SIDES, Table

WORDS = {
    "retire": ("none", "all"),
    "reroll": ("all", "none"),
    "stagger": ("path", "none"),
}
ENDS = ("in-place", "staggered", "retired", "broken")
LOSSES = 17  # 0 to 15, and more
NEAR = Fraction(1, 10**8)  # nine digits are printed


class TooMany(Exception):
    """The dice have more outcomes than are to be walked."""


class Walk(Table):
    """A table whose dice show what `shows` says, then all ones.

    Each die is one place; `sides` keeps how many values it has. Decisions are
    made by the policy, {side: {kind: word}}.
    """

    def __init__(self, shows, policy):
        super().__init__(self.show, [])
        self.shows = shows
        self.sides = []
        self.policy = policy
        self.asked = set()

    def show(self, label, count, sides):
        """Give the next dice of this outcome."""
        dice = []
        for _ in range(count):
            if len(self.sides) == len(self.shows):
                self.shows.append(1)
            dice.append(self.shows[len(self.sides)])
            self.sides.append(sides)
        return dice

    def take(self, side, kind, options):
        """Answer as the policy says."""
        self.asked.add((side, kind))
        word = self.policy[side][kind]
        if kind == "stagger":
            order = [
                {"unit": name, "possible": word == "path"}
                for name in options["order"]["order"]
            ]
            return {"kind": kind, "order": order}, "policy"
        units = options["units"]["some"] if word == "all" else []
        units = units[: options["units"].get("max")]
        return {"kind": kind, "units": units}, "policy"


def next_outcome(shows, sides):
    """Move the dice on to the next outcome; tell whether there is one."""
    while shows:
        if shows[-1] < sides[len(shows) - 1]:
            shows[-1] += 1
            return True
        shows.pop()
    return False


def whole(combat, units):
    """Tell in a word what the combat came to (umpire-rules.7, 10.10)."""
    stand = {
        side: [u for u in combat[side] if units[u["id"]]["state"] == "in-place"]
        for side in ("attackers", "defenders")
    }
    if len(stand["defenders"]) == len(combat["defenders"]):
        return "held"
    if stand["defenders"]:
        return "held in part"
    return "carried" if stand["attackers"] else "left empty"


class Sums:
    """Sums over all outcomes, each with its probability."""

    def __init__(self):
        self.outcomes = 0
        self.sums = collections.Counter()

    def add(self, weight, combat, units, asked):
        """Add one outcome."""
        self.outcomes += 1
        add = collections.Counter()
        for side in SIDES:
            lost = hits = 0
            for unit in combat[side + "s"]:
                name, end = unit["id"], units[unit["id"]]
                loss = end["disr"]
                if end["state"] == "broken":
                    loss = unit["strength"]
                add["unit", name, "end", end["state"]] = 1
                add["unit", name, "losses", min(loss, LOSSES - 1)] = 1
                add["unit", name, "loss"] = loss
                add["unit", name, "square"] = loss * loss
                lost += loss
                hits += end["disr"]
            for what, value in (("loss", lost), ("hits", hits)):
                add["side", side, what] = value
                add["side", side, what, "square"] = value * value
        for side, kind in asked:
            add["asked", side, kind] = 1
        add["whole", whole(combat, units)] = 1
        for key, value in add.items():
            self.sums[key] += weight * value


def walk(scenario, policy, most):
    """Walk all outcomes and return their sums."""
    facts = lasalle2.SYSTEM.read_facts(scenario["combat"], {})
    rulings = lasalle2.read_rulings(scenario.get("rulings", {}))
    sums, shows = Sums(), []
    while True:
        if sums.outcomes == most:
            raise TooMany
        table = Walk(shows, policy)
        result = lasalle2.SYSTEM.play(facts, rulings, {}, table)
        weight = Fraction(1)
        for sides in table.sides:
            weight /= sides
        sums.add(weight, scenario["combat"], result["units"], table.asked)
        if not next_outcome(shows, table.sides):
            return sums


def figures(odds):
    """List what umpire printed: (key, figure) as Sums has the keys."""
    for unit in odds["units"]:
        name = unit["id"]
        for end in ENDS:
            yield ("unit", name, "end", end), unit["ends"][end]["p"]
        for i in range(LOSSES):
            yield ("unit", name, "losses", i), unit["losses"][i]["p"]
        mean = unit["loss"]["mean"]
        yield ("unit", name, "loss"), mean
        yield ("unit", name, "square"), unit["loss"]["variance"] + mean**2
    for side in SIDES:
        for what in ("loss", "hits"):
            figure = odds["sides"][side][what]
            square = figure["variance"] + figure["mean"] ** 2
            yield ("side", side, what), figure["mean"]
            yield ("side", side, what, "square"), square
        for kind in WORDS:
            asked = odds["policy"][side][kind]["asked"]
            yield ("asked", side, kind), asked["p"]
    for part in odds["combat"]:
        yield ("whole", part["outcome"]), part["p"]


def compare(sums, odds):
    """Return what differs, as text, or None."""
    if odds["method"] != "exact" or odds["outcomes"] != sums.outcomes:
        return "%s outcomes, not %d" % (odds.get("outcomes"), sums.outcomes)
    told = dict(figures(odds))
    for key in set(told) | set(sums.sums):
        want, has = sums.sums[key], Fraction(told.get(key, 0))
        if abs(want - has) > NEAR * max(1, abs(want)):
            return "%s is %.10g, not %.10g" % (key, has, want)
    return None


def random_policy(rng):
    """Make a policy: as the file has it, and by side and kind."""
    file, policy = {}, {}
    for kind, words in WORDS.items():
        if rng.random() < 0.5:
            file[kind] = rng.choice(words)
    for side in SIDES:
        own = {
            kind: rng.choice(words)
            for kind, words in WORDS.items()
            if rng.random() < 0.3
        }
        policy[side] = {kind: words[0] for kind, words in WORDS.items()}
        policy[side].update(file)
        policy[side].update(own)
        if own:
            file[side] = own
    return file, policy


def main():
    """Compare as many combats as are asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--umpire", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=4000)
    try:
        args = parser.parse_args()
    except SystemExit as e:
        return 64 if e.code else 0
    rng = random.Random(args.seed)
    agree = differ = outcomes = 0
    while agree + differ < args.count:
        scenario = random_scenario(rng)
        file, policy = random_policy(rng)
        # Each unit rolls once, unless artillery retires.
        combat = scenario["combat"]
        units = len(combat["attackers"]) + len(combat["defenders"])
        if 6**units > args.most:
            continue
        try:
            sums = walk(scenario, policy, args.most)
        except TooMany:
            continue
        scenario["policy"] = file
        run = subprocess.run(
            shlex.split(args.umpire) + ["odds", "--exact", "--json", "-"],
            input=json.dumps(scenario),
            capture_output=True,
            text=True,
            check=False,
        )
        why = "status %d: %s" % (run.returncode, run.stderr)
        if run.returncode == 0:
            why = compare(sums, json.loads(run.stdout))
        outcomes += sums.outcomes
        if why is None:
            agree += 1
            continue
        differ += 1
        print("differs: %s\n%s" % (why, json.dumps(scenario)))
    print("%d agree, %d disagree" % (agree, differ))
    print("%d outcomes of dice were walked" % outcomes)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
