#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Round robins as TRF files: their rounds are those of the Berger tables, and
their values those of the tournament.

  robins.py --umpire PATH --work DIR FOLDER ...

`umpire tournament trf` makes a file of each FOLDER's tournament, from a copy
of its record in a profile.  trf.py reads it; its rounds are held against
tournament_rounds.py, its ties against ties.py, `umpire standings` and what
`finish` recorded; `umpire pair --check` finds no difference, and finds one in a
file where two numbers are changed.  Files stay in DIR.  Exit status: 0 all
agree, 1 not all, 64 wrong usage.
"""

import argparse
import json
import os
import re
import subprocess
import sys

import ties
import trf
from tournament_rounds import robin_pairs

CODES = ["DE", "SB", "WIN", "WON", "PS", "REP", "BPG"]
TYPES = {1: "FIDE_ROUNDROBIN", 2: "FIDE_DOUBLEROUNDROBIN"}


class Judge:
    def __init__(self, umpire, work):
        self.umpire = umpire
        self.work = work
        self.games = os.path.join(work, "home/data/umpire/default/games")
        self.env = {**os.environ, "HOME": work + "/home",
                    "XDG_DATA_HOME": work + "/home/data",
                    "XDG_CONFIG_HOME": work + "/home/config"}
        self.count = {"files": 0, "rounds": 0, "values": 0, "wrong": 0}
        os.makedirs(self.games)
        key = os.path.join(self.games, "../sign.key")
        with open(key, "w", encoding="utf-8") as f:
            f.write("%064d\n" % 7)
        os.chmod(key, 0o600)

    def run(self, *args):
        return subprocess.run([self.umpire] + list(args), env=self.env,
                              capture_output=True, text=True, check=False)

    def wrong(self, folder, *what):
        self.count["wrong"] += 1
        print(folder + ":", *what)

    def pairs(self, folder, t, cycles):
        """Every round is that of the tables."""
        numbers = sorted(t.games)
        for r in range(1, t.paired() + 1):
            self.count["rounds"] += 1
            pairs, idle = robin_pairs(len(numbers), cycles, r)
            due = {(numbers[a - 1], numbers[b - 1], 1) for a, b in pairs}
            due |= {(b, a, 2) for a, b, _ in set(due)}
            due |= {(numbers[a - 1], 0, 0) for a in idle}
            has = {(p, t.game(p, r).opponent, t.game(p, r).side)
                   for p in numbers}
            if has != due:
                self.wrong(folder, "round", r, sorted(has - due))

    def values(self, folder, path, t, event):
        """Each value, by four hands."""
        r = self.run("standings", "--json", "--ties", ",".join(CODES), path)
        if r.returncode != 0:
            self.wrong(folder, r.stderr)
            return
        ours = {s["player"]: [s["points"] * 2] + [
            s["ties"][c] * ties.UNIT.get(c, 1) for c in CODES]
            for s in json.loads(r.stdout)["standings"]}
        theirs = {row[1]: [row[2]] + row[3]
                  for row in ties.Ties(t, t.paired(), True).standings(CODES)}
        self.count["values"] += len(ours) * (1 + len(CODES))
        if ours != theirs:
            self.wrong(folder, "umpire has", ours, "and ties.py", theirs)
        # What was recorded has the entrants' numbers, not those of the file.
        if event is not None and sorted(row[2] for row in event) != sorted(
            value[0] for value in ours.values()
        ):
            self.wrong(folder, "other points were recorded", event, ours)

    def spoilt(self, folder, text):
        """Two who meet change their numbers: a pairing differs, or sides."""
        path = os.path.join(self.work, "spoilt.trf")
        swap = {"%4d" % 1: "%4d" % 2, "%4d" % 2: "%4d" % 1}
        rows = [
            row[:4] + swap.get(row[4:8], row[4:8]) + row[8:91] + re.sub(
                r"( {3}[12]|0000)( [wb-] )",
                lambda m: swap.get(m.group(1), m.group(1)) + m.group(2),
                row[91:])
            if row.startswith("001") else row
            for row in text.split("\n")]
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(rows))
        r = self.run("pair", "--check", path)
        if r.returncode != 1 or "differ" not in r.stdout:
            self.wrong(folder, "spoilt, and not found:", r.stdout, r.stderr)

    def one(self, folder):
        with open(os.path.join(folder, "tournament.jsonl"),
                  encoding="utf-8") as f:
            lines = [x for x in f if not x.startswith(('{"text"', '{"blob"'))]
        cup = json.loads(lines[1])["tournament"]
        terms = json.loads(json.loads(lines[0])["order"])["args"]
        events = [e for x in lines for e in json.loads(x).get("events", ())]
        if terms["format"] != "roundrobin":
            return self.wrong(folder, "no round robin")
        with open(os.path.join(self.games, cup + ".tournament"), "w",
                  encoding="utf-8") as f:
            f.writelines(lines)
        r = self.run("tournament", "trf", cup, "--offline")
        if "lots are not drawn" in r.stderr:
            return None
        path = os.path.join(self.work, os.path.basename(folder) + ".trf")
        with open(path, "w", encoding="utf-8") as f:
            f.write(r.stdout)
        t = trf.read(r.stdout)
        self.count["files"] += 1
        if "\n192 %s\n" % TYPES[terms["rounds"]] not in r.stdout:
            self.wrong(folder, "not called a round robin", r.stdout)
        checked = self.run("pair", "--check", path)
        if checked.returncode != 0 or " 0 differ" not in checked.stdout:
            self.wrong(folder, checked.stdout, checked.stderr)
        self.pairs(folder, t, terms["rounds"])
        self.values(folder, path, t, next(
            (e["rows"] for e in events if e["e"] == "standings"), None))
        if t.paired() and "\n299" not in r.stdout:
            self.spoilt(folder, r.stdout)
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--umpire", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    try:
        args = parser.parse_args()
    except SystemExit as e:
        return 64 if e.code else 0
    judge = Judge(args.umpire, os.path.abspath(args.work))
    for folder in args.folders:
        # No copy is had of what continues another.
        if not os.path.exists(os.path.join(folder, "before.jsonl")):
            judge.one(folder)
    print("%(files)d round robins, %(rounds)d rounds, %(values)d values: "
          "%(wrong)d wrong" % judge.count)
    return 1 if judge.count["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
