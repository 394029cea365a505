#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Plays whole tournaments through a daemon, of all formats and systems.

  tournament_played.py --tools DIR --hooks FILE --port N --rules DIR
      --umpire COMMAND --keep DIR [--seed S] [--count N] [--formats F,..]

The first seven are of two rounds, one of each format; --count more are at
random. Each line is taken by the second reading as the daemon writes it, then
`umpire verify` judges the folder. Results stand on standard output, one a
line: "pass WHAT" or "fail WHAT: WHY". Exit status: 0 all passed, 1 not all.
"""

import argparse
import glob
import json
import os
import random
import shlex
import subprocess
import sys

import record_form as form
import tournament_verify
from tournament_club import Club, Desk, Guests, Surprise
from tournament_play import settings_of

SHORT = (
    ("swiss", 5, {"format": "swiss", "rounds": 2, "late_entry": 2,
                  "terms": {"byes": 1, "bye_points": "half"}}),
    ("mirror", 4, {"format": "swiss", "rounds": 2, "mirror": True}),
    ("roundrobin", 3, {"format": "roundrobin", "rounds": 1}),
    ("concurrent", 3, {"format": "roundrobin", "rounds": 1,
                       "terms": {"concurrent": True}}),
    ("cycles", 2, {"format": "roundrobin", "rounds": 2}),
    ("knockout", 4, {"format": "knockout", "terms": {"third": True}}),
    ("swiss+knockout", 4, {"format": "swiss+knockout", "rounds": 1,
                           "cut": 2}),
)


def load(path):
    """A file as JSON."""
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def systems(rules):
    """What is played: for each file of a game its system and its steps."""
    top = os.path.join(rules, "..", "..")
    found = []
    for path in sorted(glob.glob(rules + "/*/played.game")):
        game = load(path)
        tables = [form.compact(load(os.path.join(top, name)))
                  for name in game.get("tables", ())]
        found.append({
            "system": game["system"],
            "rules": game["system"] + "/1",
            "rosters": [form.compact(load(os.path.join(top, game["roster"])))],
            "tables": [],
            "table_texts": tables,
            "steps": game["steps"],
        })
    return found


class Season:
    """The tournaments of a run."""

    def __init__(self, args):
        self.args = args
        self.desk = Desk(args.tools, args.hooks, args.port, args.seed)
        self.desk.at = 1793984461042
        self.desk.now(self.desk.at)
        self.systems = systems(args.rules)
        self.sums = {}
        self.failed = self.lines = self.games = 0
        self.tries = 0

    def tell(self, good, what, why=""):
        """Print a result."""
        self.failed += not good
        text = " ".join(str(why).split())[:1500]
        print("pass " + what if good else "fail %s: %s" % (what, text),
              flush=True)

    def one(self, number, name, n, settings):
        """Play a tournament and judge it."""
        rng = random.Random("%d %s" % (self.args.seed, number))
        system = self.systems[(self.args.seed + number) % len(self.systems)]
        what = "%s of %s (%d)" % (name, system["system"], number)
        self.desk.do("steps " + form.compact(system["steps"]))
        seed = "%d/%d" % (self.args.seed, number)
        guests = Guests(seed, rng.random() < 0.2, **{
            **settings, "maker": Club, "desk": self.desk, "system": system,
            "prefix": "s%d" % number, "sums": self.sums})
        club = guests.maker
        try:
            guests.play(n)
            guests.friendlies()
            folder = os.path.join(self.args.keep, "%d-%s" % (number, name))
            files = club.export(folder)
            club.leave()
        except Surprise as e:
            self.tell(False, what + " goes as both say", e)
            self.desk.at = club.at
            return
        self.desk.at = club.at
        self.lines += len(club.raw)
        self.games += len(files)
        self.tries += club.tries
        self.tell(club.cup.phase == "over", what + " is over")
        status, text = tournament_verify.verify(club.file(), files.get)
        known = system["system"] == "lasalle2"
        self.tell(status == 0 or status == 2 and not known,
                  what + " is good to the second reading", text)
        self.judge(what, folder, club.cup)

    def judge(self, what, folder, cup):
        """What `umpire verify` says."""
        done = subprocess.run(
            shlex.split(self.args.umpire) + ["verify", "--json", folder],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False)
        self.tell(done.returncode == 0, what + " is good", done.stdout)
        if done.returncode != 0 or not cup.rounds:
            return
        told = json.loads(done.stdout)["tournament"]["standings"]
        rows = cup.table_of_standings()
        self.tell(told == rows, what + " ends as both say", (told, rows))

    def more_terms(self, number):
        """Terms of the games, at random."""
        rng = random.Random("terms %d/%d" % (self.args.seed, number))
        return {
            "private": rng.random() < 0.2,
            "confirm": rng.random() < 0.2,
            "secret": rng.choice(("held", "held", "sealed")),
        }

    def all(self):
        """The whole run."""
        number = 0
        for name, n, settings in SHORT:
            self.one(number, name, n, settings)
            number += 1
        for _ in range(self.args.count):
            n, settings = settings_of(
                "%d.%d" % (self.args.seed, number),
                self.args.formats.split(","))
            settings.update(witness=False, scheme="dual-1")
            settings["terms"].update(self.more_terms(number))
            self.one(number, settings["format"], n, settings)
            number += 1
        self.desk.end()
        print("# seed %d: %d tournaments, %d lines, %d games, %d wrong orders "
              "refused; %s" % (
                  self.args.seed, number, self.lines, self.games, self.tries,
                  ", ".join("%s %d" % x for x in sorted(self.sums.items()))))
        return 1 if self.failed else 0


def main(argv):
    """Play."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for name in ("tools", "hooks", "port", "rules", "umpire", "keep"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument(
        "--formats", default="roundrobin,knockout,swiss,swiss+knockout")
    return Season(parser.parse_args(argv)).all()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
