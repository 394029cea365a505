# SPDX-License-Identifier: ISC
"""A tournament of sixteen as its director types it.

The director is a profile of `umpire`; the players are sessions of
tests/tools/forge.  Every command but the first is one that the program printed
as what to do next.  Results are printed as tournament.py does it; what the
director typed goes to standard error.
"""

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys

from tournament import DAY, HOUR, Clock, Cup, Person, tell

UMPIRE = os.environ["UMPIRE"]
SHOWN = re.compile(r"(?:^|[:` ])(umpire [a-z][^#`\n]*)")


class Director:
    """Types what is printed."""

    def __init__(self, clock, home):
        self.clock = clock
        self.env = dict(
            os.environ, HOME=home, XDG_CONFIG_HOME=home + "/config",
            XDG_DATA_HOME=home + "/data")
        self.printed = []
        self.typed = []
        self.out = ""

    def run(self, command):
        """Run a command; what it prints may be typed next."""
        env = dict(self.env, UMPIRE_TEST_NOW=str(self.clock.ms))
        words = shlex.split(command)
        assert words[0] == "umpire"
        done = subprocess.run(
            [UMPIRE] + words[1:], env=env, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, check=False)
        self.out = done.stdout
        self.typed.append(command)
        print("$ " + command, file=sys.stderr)
        print(done.stdout + done.stderr, file=sys.stderr)
        self.printed = [
            m.group(1).strip() for m in SHOWN.finditer(done.stdout)]
        if done.returncode != 0:
            tell(False, "it is done: " + command,
                 (done.returncode, done.stderr))
            sys.exit(0)

    def look(self, command):
        """Run what nobody counts; return its exit status and output."""
        env = dict(self.env, UMPIRE_TEST_NOW=str(self.clock.ms))
        done = subprocess.run(
            [UMPIRE] + shlex.split(command), env=env, capture_output=True,
            text=True, stdin=subprocess.DEVNULL, check=False)
        return done.returncode, done.stdout, done.stderr

    def next(self, verb):
        """Type the printed command with that verb, and nothing else."""
        found = [c for c in self.printed
                 if c.startswith("umpire tournament %s " % verb)
                 or c.startswith("umpire %s " % verb)]
        if not found:
            tell(False, "'%s' is printed as what is next" % verb,
                 self.printed)
            sys.exit(0)
        self.run(found[0])


class Players(Cup):
    """The players of a tournament that somebody else has opened."""

    def __init__(self, clock, cup_id, one):
        self.clock, self.id, self.director = clock, cup_id, one
        hello = one.ask("hello")["result"]
        self.server = hello["server"]
        self.pool = None
        self.entrants, self.games = {}, {}
        self.show()
        self.terms = self.view["terms"]
        self.roster = self.terms["scenarios"][0]["roster"]

    def open_text(self, who, side, rnd, table, leg=1, **other):
        scenario = self.terms["scenarios"][0]
        return super().open_text(
            who, side, rnd, table, leg, tables=scenario["tables"],
            rulings=scenario["rulings"], **other)

    def check_in(self):
        """All who are admitted do."""
        for line in self.lines()[0]:
            self.pool = json.loads(line).get("pool", self.pool)
        for x in self.show()["entrants"]:
            if x["admitted"] and not x["checked_in"]:
                self.must(self.entrants[x["number"]], "checkin", place="c/0")

    def play(self, game, who, seat, kind, args=None, place=False):
        return super().play(game, who, seat, kind, args, place)

    def fight(self, rnd, table):
        """A table is played: the higher number gives up."""
        t = self.view["pairings"][rnd - 1]["tables"][table - 1]
        game = self.game(rnd, table)
        self.turns(game)
        self.resign(game, 1 if t["a"] > t["b"] else 2)


def check_trf(d, name):
    """The export to FIDE's form is what the rule and the standings give."""
    for rnd in range(1, 6):
        status, text, why = d.look("tournament trf %s --round %d"
                                   % (name, rnd))
        path = os.path.join(os.environ["OUT"], "%s-%d.trf" % (name, rnd))
        with open(path, "w", encoding="utf-8", newline="") as out:
            out.write(text)
        status, out, why = d.look("pair %s --check" % path)
        tell(status == 0 and "0 differ" in out,
             "round %d: umpire pair --check is silent on it" % rnd,
             out + why)
        codes = ["DE", "BH/C1", "BH", "WON"]
        _, out, why = d.look("standings %s --json --ties %s"
                             % (path, ",".join(codes)))
        theirs = {x["name"]: (x["points"], [x["ties"][c] for c in codes[1:]])
                  for x in json.loads(out)["standings"]}
        _, out, why = d.look(
            "tournament standings %s --json --round %d" % (name, rnd))
        ours = {x["name"]: (x["points"], [x["ties"][c] for c in codes[1:]])
                for x in json.loads(out)["standings"]}
        tell(ours == theirs, "round %d: and has the same values" % rnd,
             [(k, v, theirs.get(k)) for k, v in ours.items()
              if theirs.get(k) != v][:3])


def check_sheets(d, name):
    """Tables line up in 80 columns, and are CSV, JSON, HTML."""
    for what in ("standings", "crosstable", "tables", "remind"):
        status, out, why = d.look("tournament %s %s" % (what, name))
        tell(status == 0 and max(map(len, out.split("\n"))) <= 110,
             "%s are lines" % what, out + why)
        status, out, why = d.look("tournament %s %s --csv" % (what, name))
        rows = list(csv.reader(io.StringIO(out.lstrip("\ufeff"))))
        tell(status == 0 and len({len(r) for r in rows}) == 1,
             "%s --csv has rows of one length" % what, rows[:3])
        status, out, why = d.look("tournament %s %s --json" % (what, name))
        tell(status == 0 and json.loads(out) is not None,
             "%s --json is JSON" % what, why)
        status, out, why = d.look("tournament %s %s --html" % (what, name))
        tell(status == 0 and out.startswith("<!DOCTYPE html>")
             and "<script" not in out.lower()
             and not re.search(r"(?:src|href)=", out)
             and "http" not in out,
             "%s --html is one file without a script" % what, out[:300])


def case_sixteen():
    """One late, one who does not come, one who leaves: under 30 commands."""
    clock = Clock()
    d = Director(clock, os.environ["DIRECTOR"])
    d.run("umpire tournament new --event 'Autumn Cup' --swiss 5 --late 3 "
          "--roster %s --clock 3d/order,then=forfeit --yes" % (
              shlex.quote(os.environ["ROSTER"])))
    address = re.search(r"umpire://\S+/([0-9a-f]{64})#", d.out)
    people = [Person("p%02d" % n, clock) for n in range(1, 18)]
    cup = Players(clock, address.group(1), people[0])
    for who in people[:16]:
        cup.enter(who)
    d.next("shut")
    cup.check_in()
    d.next("start")
    absent = None
    for rnd in range(1, 6):
        if rnd > 1:
            # The time in which one may protest, withdraw or ask for a bye.
            clock.later(DAY)
        d.next("pair")
        cup.show()
        tables = cup.view["pairings"][rnd - 1]["tables"]
        for t in tables:
            if rnd == 2 and absent is None:
                absent = t  # its b does not come
                a = cup.entrants[t["a"]]
                if "result" not in cup.open(a, 1, rnd, t["table"]):
                    tell(False, "one of the two opens the game")
                continue
            cup.fight(rnd, t["table"])
        if rnd == 1:
            cup.enter(people[16])
        if rnd == 2:
            clock.later(3 * DAY + HOUR)
            where = {"round": 2, "table": absent["table"], "leg": 1}
            line = cup.must(a, "claim", where)
            clock.later(DAY + HOUR)
            cup.must(a, "claim", {"to": line["seq"]})
        if rnd == 3:
            leaves = next(n for n in (12, 13, 14) if n != absent["b"])
            cup.must(cup.entrants[leaves], "withdraw", {"from": 4})
        d.next("tables")
        if rnd == 1:
            tell("admit" in " ".join(d.printed),
                 "who is late is to be admitted", d.printed)
            d.next("admit")
    clock.later(2 * DAY)
    d.next("finish")
    d.next("standings")
    d.next("crosstable")
    os.chdir(os.environ["OUT"])
    d.next("export")
    d.next("verify")
    tell("17 entrants" in d.out or "good" in d.out, "the export is good",
         d.out)
    tell(len(d.typed) < 30, "%d commands" % len(d.typed), len(d.typed))
    tell(not any("{" in c for c in d.typed), "and no JSON")
    print("# %d commands" % len(d.typed), flush=True)
    check_trf(d, "autumn-cup")
    check_sheets(d, "autumn-cup")
    view = cup.show()
    tell(view["phase"] == "over", "it is over", view["phase"])
    out = [x["number"] for x in view["entrants"] if not x["in"]]
    tell(absent["b"] in out and leaves in out,
         "who did not come is out, and who left", out)


if __name__ == "__main__":
    globals()["case_" + sys.argv[1]]()
