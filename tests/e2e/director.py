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

from tournament import DAY, HOUR, Clock, Cup, Person, tell, text_of

UMPIRE = os.environ["UMPIRE"]
# Each start of a program takes long, and not all is to be tried.
SELDOM = "UMPIRE_SLOW" in os.environ and "UMPIRE_LONG" not in os.environ
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


# Names for people, of which some are none and are not shown.
NAMES = {4: "<script>alert(1)</script>", 5: "=SUM(A1:A9)",
         6: "Bartholomew Featherstonehaugh", 7: "Zo\u00eb O'Hara"}


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
        tell(status == 0 and len({len(r) for r in rows}) == 1
             and not any(c.startswith("=") for r in rows for c in r),
             "%s --csv has rows of one length" % what, rows[:3])
        # A game's eight digits are a text, also where they look like a number.
        tell(not any(re.match(r"'([+-]?\d{1,4})?$", c)
                     for r in rows for c in r),
             "%s --csv has numbers, and nothing, as they are" % what, rows)
        tell(not any(re.match(r"'\d{4}-\d\d-\d\d", c) for r in rows
                     for c in r), "%s --csv has times as they are" % what,
             rows)
        status, out, why = d.look("tournament %s %s --json" % (what, name))
        tell(status == 0 and json.loads(out) is not None,
             "%s --json is JSON" % what, why)
        status, out, why = d.look("tournament %s %s --html" % (what, name))
        tell(status == 0 and out.startswith("<!DOCTYPE html>")
             and "<script" not in out.lower()
             and not re.search(r"(?:src|href)=", out)
             and "http" not in out,
             "%s --html is one file without a script" % what, out[:300])
        tell("Autumn &lt;b&gt; Cup" in out
             # One of them may have left, and is at no table then.
             and (what == "remind"
                  or "Zo\u00eb" in out or NAMES[6] in out),
             "%s --html escapes what people named" % what, out[:3000])


def case_sixteen():
    """One late, one who does not come, one who leaves: under 30 commands."""
    clock = Clock()
    d = Director(clock, os.environ["DIRECTOR"])
    d.run("umpire tournament new --event 'Autumn <b> Cup' --swiss 5 --late 3 "
          "--roster %s --clock 3d/order,then=forfeit --yes" % (
              shlex.quote(os.environ["ROSTER"])))
    address = re.search(r"umpire://\S+/([0-9a-f]{64})#", d.out)
    people = [Person("p%02d" % n, clock) for n in range(1, 18)]
    cup = Players(clock, address.group(1), people[0])
    for n, who in enumerate(people[:16]):
        if n not in NAMES:
            cup.enter(who)
            continue
        ref, texts = text_of(NAMES[n])
        cup.must(who, "enter", {"dice_key": who.keys["dice"], "name": ref,
                                **who.named()}, texts=texts)
        cup.entrants[n + 1] = who
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
    check_trf(d, "autumn-b-cup")
    check_sheets(d, "autumn-b-cup")
    view = cup.show()
    tell(view["phase"] == "over", "it is over", view["phase"])
    out = [x["number"] for x in view["entrants"] if not x["in"]]
    tell(absent["b"] in out and leaves in out,
         "who did not come is out, and who left", out)


# What may be tried at any time; a number is an entrant, a table or a line.
TRIES = (
    "admit CUP 1", "shut CUP --yes", "start CUP",
    "pair CUP", "pair CUP --dry-run", "pair CUP --explain 1", "tables CUP",
    "tables CUP --round 9", "standings CUP", "standings CUP --why 99",
    "crosstable CUP", "trf CUP", "finish CUP", "deputy CUP",
    "stop CUP --why x --yes", "stop CUP --after 9 --why x --yes",
    "rule CUP result 1.1 draw --why x --yes",
    "rule CUP result 1.9 draw --why x --yes",
    "rule CUP replay 1.1 --why x --yes",
    "rule CUP extend 1 1h --why x --yes",
    "rule CUP points 1 0.5 --why x --yes",
    "rule CUP expel 1 --why x --yes", "rule CUP back 1 --why x --yes",
    "rule CUP apart 1 --why x --yes", "rule CUP pairs 1:2 --why x --yes",
    "rule CUP pairs 1-2 --why x --yes", "rule CUP answer 3 --why x --yes",
    "rule CUP accept 3 --why x --yes", "rule CUP win 1 --why x --yes",
    "rule CUP witness dina --why x --yes", "rule CUP expel 1 --yes", "rule CUP rules lasalle2/9 --why x --yes",
)


def is_refusal(status, out, why):
    """True if it says what is wrong, and what to type instead."""
    return (status in (64, 65, 66, 77) and "umpire: " in why
            and ("umpire " in out or "usage:" in why or "`umpire" in why)
            and not re.search(r"order\.|args|[{}]|\(null\)", why + out))


states = []


def try_all(d, who, state, may):
    """Try everything that is refused there; `may` is what is not.

    Where that is SELDOM one in three, others than in the state before.
    """
    if state not in states:
        states.append(state)
    tries = TRIES
    if who == "deputy":  # who is a director: a third will do
        tries = TRIES[::3]
    elif SELDOM:
        tries = TRIES[len(states) % 3::3]
    bad = []
    for line in tries:
        if any(line.startswith(m) for m in may):
            continue
        status, out, why = d.look(
            "tournament " + line.replace("CUP", "winter-cup"))
        print("[%s, %s] $ %s\n%s%s" % (state, who, line, why, out),
              file=sys.stderr)
        if not is_refusal(status, out, why):
            bad.append((line, status, why, out))
    tell(not bad, "%s, %s: all else is refused in words that say what may "
         "be done" % (state, who), bad[:3])


def case_wrong():
    """A director, a deputy and a player do the wrong thing at each step."""
    clock = Clock()
    home = os.environ["HOMES"]
    dina, dora, anna = (Director(clock, os.path.join(home, n))
                        for n in ("dina", "dora", "anna"))
    for how, said in (("--swiss 5 --at-once", "--at-once says nothing"),
                      ("--knockout --byes 2", "--byes says nothing"),
                      ("--swiss 3 --late 4", "there are 3 rounds"),
                      ("--swiss 3 --scheme dual-1 --witness w:0",
                       "two hands have no witness"),
                      ("--swiss 3 --deputy nobody", "has no account here")):
        status, out, why = dina.look(
            "tournament new --event Slip --roster %s --yes %s" % (
                os.environ["ROSTER"], how))
        tell(status in (64, 66) and said in why and not out,
             "'%s' are no terms" % how, (status, out, why))
    dina.run("umpire tournament new --event 'Winter Cup' --swiss 2 --deputy "
             "dora --roster %s --private --yes" % os.environ["ROSTER"])
    address = re.search(r"umpire://\S+/([0-9a-f]{64})#\S+", dina.out)
    status, out, why = anna.look("tournament show winter-cup")
    tell(status == 66, "a private one is not found", why)
    people = [Person("q%d" % n, clock) for n in range(1, 5)]
    cup = Players(clock, address.group(1), people[0])
    for who in people:
        cup.enter(who)
    anna.run("umpire tournament enter %s --yes" % address.group(0))
    seen = ("tables CUP", "standings CUP", "crosstable CUP", "trf CUP",
            "pair CUP --explain")

    def all_try(state, director, others):
        try_all(dina, "director", state, director + ("deputy",))
        try_all(dora, "deputy", state, director + others)
        try_all(anna, "player", state, others)

    status, out, why = dora.look("tournament show %s" % address.group(0))
    tell("umpire tournament deputy winter-cup" in out,
         "who is named as a deputy is told to come", out + why)
    try_all(dina, "director", "entries", ("shut", "admit CUP"))
    try_all(anna, "player", "entries", ())
    dora.run("umpire tournament deputy " + address.group(0))
    try_all(dora, "deputy", "entries", ("shut", "admit CUP"))
    dina.run("umpire tournament admit winter-cup anna --no --why 'a double'")
    dora.next("shut")
    all_try("check-in", (), ())
    cup.check_in()
    dina.run("umpire tournament start winter-cup")
    for_directors = ("rule CUP points", "rule CUP expel 1 --why", "stop CUP",
                     "rule CUP pairs 1:2", "rule CUP rules")
    all_try("before round 1", for_directors + ("pair",), ("pair CUP",))
    dina.next("pair")
    status, out, why = dina.look("tournament remind winter-cup")
    tell(re.search(r"come to the table  ?\d{4}-.* \d{4}-", out),
         "until when to come to a table is told", out + why)
    cup.show()
    during = for_directors + (
        "rule CUP result 1.1", "rule CUP replay 1.1", "rule CUP extend",
        "standings CUP", "tables CUP", "crosstable", "trf", "pair CUP --e")
    all_try("round 1", during, seen)
    dina.run("umpire tournament rule winter-cup extend 1.2 12h "
             "--why 'the server was down' --yes")
    for t in cup.view["pairings"][0]["tables"]:
        cup.fight(1, t["table"])
    again = cup.view["pairings"][0]["tables"][1]
    dina.run("umpire tournament rule winter-cup replay 1.2 "
             "--why 'the wrong roster lay there' --yes")
    cup.fight(1, again["table"])
    folder = os.path.join(os.environ["OUT"], "half")
    dora.run("umpire tournament export winter-cup " + folder)
    status, out, why = anna.look("verify " + folder)
    tell(status == 0 and "unfinished" in out and "3 verified" in out,
         "one that goes on is exported, its private games too", out + why)
    os.remove(os.path.join(folder, next(
        n for n in os.listdir(folder) if n != "tournament.jsonl")))
    status, out, why = anna.look("verify " + folder)
    tell(status == 2, "and a game that is missing is missed", out + why)
    all_try("round 1 is over", during + ("pair CUP --dry",),
            seen + ("pair CUP --dry",))
    dina.run("umpire tournament rule winter-cup result 1.1 draw "
             "--why 'both asked for it' --yes")
    tell("table 1.1: drawn" in dina.out and "points, rank" in dina.out,
         "a ruling says what it does", dina.out)
    status, out, why = dina.look("tournament standings winter-cup --why q1")
    tell(out.startswith("Winter Cup, after 1 of 2 rounds"),
         "why tells how many rounds there will be", out + why)
    status, out, why = dina.look(
        "tournament standings winter-cup --why q1 --json")
    shown = json.loads(out)
    tell((shown["tournament"], shown["event"], shown["rounds"]) ==
         (cup.id, "Winter Cup", 2), "for programs, too", out)
    for points in ("10.5", "11", "0.7", "x"):
        status, out, why = dina.look(
            "tournament rule winter-cup points 2 %s --why x --yes" % points)
        tell(status == 64 and "0.5, 10 at most?" in why,
             "'%s' are no points that a ruling gives" % points, out + why)
    dora.run("umpire tournament rule winter-cup points 2 0.5 --minus "
             "--why 'late again' --yes")
    dina.run("umpire tournament rule winter-cup points 2 0.5 "
             "--why 'it was not' --yes")
    dina.run("umpire tournament rule winter-cup expel q4 --why 'a quarrel' "
             "--yes")
    tell("q4 is out from round 2 on; their games before stand" in dina.out,
         "an expulsion says what it does", dina.out)
    dora.run("umpire tournament rule winter-cup back q4 --why 'made up' "
             "--yes")
    dora.run("umpire tournament rule winter-cup apart q1 q3 --to 2 "
             "--why 'brothers' --yes")
    ref, texts = text_of("the table was moved")
    line = cup.must(people[0], "protest", {"round": 1, "why": ref},
                    texts=texts)
    clock.later(DAY)
    status, out, why = dina.look("tournament pair winter-cup")
    tell(status == 65 and "rule winter-cup answer %d" % line["seq"] in out,
         "a protest holds the next round up", out + why)
    folder = os.path.join(os.environ["OUT"], "protest")
    dora.run("umpire tournament export winter-cup " + folder)
    status, out, why = anna.look("verify " + folder)
    tell(status == 0 and re.search(
        r"^! protest +line %d, by q\d, about round 1.*: no answer$"
        % line["seq"], out, re.M),
         "verify calls its line by the number that answers it", out + why)
    dora.run("umpire tournament show winter-cup")
    command = next(c for c in dora.printed if " answer " in c)
    dora.run(command + " --why 'it was not' --yes")
    status, out, why = anna.look("tournament show winter-cup")
    tell(re.search(r"^  line %d  protest of q\d, round 1, answered: "
                   % line["seq"], out, re.M)
         and re.search(r"^  line \d+  ruling of dora \(answer\): it was not$",
                       out, re.M),
         "what was protested and ruled is shown, in its words", out + why)
    status, out, why = dina.look(
        "tournament rule winter-cup result 1.1 draw --why x")
    tell("  table 1.1: drawn\n" in out, "a result is told in words",
         out + why)
    status, out, why = dina.look(
        "tournament rule winter-cup expel q3 --why x")
    tell(status == 64 and "add --yes" in why and "What this ruling" in out,
         "it is told before it is asked about", out + why)
    clock.later(DAY)
    dora.run("umpire tournament rule winter-cup pairs 1:4 2:3 "
             "--why 'so that they meet' --yes")
    cup.show()
    tell(cup.view["pairings"][1]["by_hand"], "a round is set by hand",
         cup.view["pairings"][1])
    for t in cup.view["pairings"][1]["tables"]:
        cup.fight(2, t["table"])
    status, out, why = dina.look(
        "tournament rule winter-cup expel q3 --why x")
    tell(status == 64 and "no round is left" in why,
         "nobody is expelled in the last round", out + why)
    # Somebody has lost their keys: the operator proposes, a director accepts.
    dora.look("--profile lost init")
    status, out, why = dora.look("--profile lost --json init")
    tell(status == 0, "a new key is made", why)
    key = json.loads(out)["key"]
    status, out, why = dina.look(
        "admin key q3 %s --socket %s --why x" % (key, os.environ["SOCK"]))
    tell(status == 64 and "which one?" in why, "of which tournament is asked",
         why)
    status, out, why = dina.look(
        "admin key q3 %s %s --socket %s --why 'a burnt laptop'" % (
            key, cup.id[:12], os.environ["SOCK"]))
    tell(status == 0 and "(dina, dora)" in out, "the operator proposes a key",
         out + why)
    dora.run("umpire tournament tables winter-cup")
    tell("a new key for q3" in dora.out, "a director is told", dora.out)
    command = next(c for c in dora.printed if " accept " in c)
    dora.run(command + " --why 'they phoned' --yes")
    dina.run("umpire tournament show winter-cup")
    tell("a new key" not in dina.out, "and it is accepted once", dina.out)
    clock.later(2 * DAY)
    dina.run("umpire tournament finish winter-cup")
    all_try("over", seen, seen)


# What players type, at the wrong time or where it is not theirs.
PLAYERS_TRIES = (
    "enter CUP --yes", "checkin CUP", "play CUP", "play CUP --table 9.9",
    "byes CUP 9", "withdraw CUP --from 9 --yes", "claim CUP",
    "claim CUP 1.1 --yes", "claim CUP 9.9 --yes",
    "protest CUP --table 9.9 the hills were moved", "say CUP hello",
    "deputy CUP",
)
tried = 0


def try_players(people, state, may):
    """Everybody tries what players do; `may` is what is lawful, by whom.

    Where that is SELDOM each tries one in three, others than before.
    """
    global tried
    tried += 1
    for who, d in people.items():
        bad = []
        for line in PLAYERS_TRIES:
            tried += 1
            if any(line.startswith(m) for m in may.get(who, ())) or (
                    tried % 3 and SELDOM):
                continue
            status, out, why = d.look(
                "tournament " + line.replace("CUP", "summer-cup"))
            print("[%s, %s] %d $ %s\n%s%s" % (
                state, who, status, line, why, out), file=sys.stderr)
            if not is_refusal(status, out, why):
                bad.append((line, status, why, out))
        tell(not bad, "%s, %s: what players do is refused in words that say "
             "what may be done" % (state, who), bad[:3])


def case_players():
    """What players do at the wrong time, by all who can."""
    clock = Clock()
    home = os.environ["HOMES"]
    people = {who: Director(clock, os.path.join(home, name))
              for who, name in (("director", "dina"), ("deputy", "dora"),
                                ("entrant", "anna"), ("stranger", "wolf"))}
    dina, dora, anna = (people[w] for w in ("director", "deputy", "entrant"))
    dina.run("umpire tournament new --event 'Summer Cup' --swiss 2 --deputy "
             "dora --roster %s --yes" % os.environ["ROSTER"])
    address = re.search(r"umpire://\S+/([0-9a-f]{64})#\S+", dina.out)
    others = [Person("s%d" % n, clock) for n in range(1, 4)]
    cup = Players(clock, address.group(1), others[0])
    for who in others:
        cup.enter(who)
    for who in ("deputy", "entrant", "stranger"):
        people[who].look("tournament show " + address.group(0))
    dora.run("umpire tournament deputy summer-cup")
    anna.run("umpire tournament enter summer-cup --yes")
    say = {w: ["say"] for w in ("director", "deputy", "entrant")}

    def all_try(state, **may):
        try_players(people, state, {
            w: say.get(w, []) + may.get(w, []) for w in people})

    all_try("entries", director=["enter"], deputy=["enter"],
            entrant=["enter"], stranger=["enter"])
    dina.run("umpire tournament shut summer-cup")
    anna.run("umpire tournament checkin summer-cup")
    all_try("check-in", entrant=["enter", "checkin"])
    for line in cup.lines()[0]:
        cup.pool = json.loads(line).get("pool", cup.pool)
    for who in others:
        cup.must(who, "checkin", place="c/0")
    dina.run("umpire tournament start summer-cup")
    all_try("before round 1", entrant=["enter"])
    dina.next("pair")
    all_try("round 1", entrant=["enter", "play CUP"])
    clock.later(DAY)
    dina.run("umpire tournament stop summer-cup --why 'the hall is closed' "
             "--yes")
    all_try("stopped", entrant=["enter", "play CUP"])
    for table in (1, 2):
        dina.run("umpire tournament rule summer-cup result 1.%d draw --why "
                 "'it rained' --yes" % table)
    all_try("round 1 is over", entrant=["enter"])
    clock.later(2 * DAY)
    dina.run("umpire tournament finish summer-cup")
    all_try("over", entrant=["enter"])


def case_formats():
    """The other formats, from terms to an export that verifies."""
    clock = Clock()
    d = Director(clock, os.environ["DIRECTOR"])
    for i in range(2):
        d.run("umpire tournament new --event Twin --swiss 1 --roster %s --yes"
              % os.environ["ROSTER"])
    name = re.search("commands call it '(.*)'", d.out).group(1)
    d.run("umpire tournament show " + name)
    tell(name != "twin", "two of one name are called by digits", name)
    status, out, why = d.look("tournament show --offline %s" % name)
    tell(status == 0, "and their director has a copy of each", out + why)
    people = [Person("f%d" % n, clock) for n in range(1, 5)]
    for name, how in (("ko", "--knockout --single --third"),
                      ("all", "--round-robin 1 --at-once"),
                      ("cut", "--swiss 2 --cut 2 --gap 0s --lots")):
        d.run("umpire tournament new --event %s-cup %s --roster %s --yes" % (
            name, how, os.environ["ROSTER"]))
        cup = Players(clock, re.search(r"umpire://\S+/([0-9a-f]{64})#",
                                       d.out).group(1), people[0])
        for who in people:
            cup.enter(who)
        d.next("shut")
        cup.check_in()
        d.next("start")
        cup.show()
        for rnd in range(1, cup.view["rounds"] + 1):
            if rnd > 1 and name == "ko":
                clock.later(DAY)
            if rnd > 1 and name == "all":
                d.run("umpire tournament pair all-cup")
            else:
                d.next("pair")
            cup.show()
            for t in cup.view["pairings"][rnd - 1]["tables"]:
                cup.fight(rnd, t["table"])
            d.run("umpire tournament tables %s-cup" % name)
        clock.later(2 * DAY)
        d.next("finish")
        d.next("standings")
        tell(re.search(r"^ +1 f1 +1 ", d.out, re.M), "%s: the best is first"
             % name, d.out)
        for what in ("crosstable", "tables", "trf", "remind"):
            status, out, why = d.look("tournament %s %s-cup" % (what, name))
            tell(status == 0 and out, "%s: %s is shown" % (name, what), why)
        status, out, why = d.look(
            "tournament standings %s-cup --why f1" % name)
        tell(status == 0 and "Points:" in out, "%s: and why" % name, why)
        # A loser of the knockout, whatever their points: ranks are the same.
        rank, number = re.findall(
            r"^ +(\d+) \S+ +(\d+) ",
            d.look("tournament standings %s-cup" % name)[1], re.M)[2]
        status, out, why = d.look(
            "tournament standings %s-cup --why %s" % (name, number))
        tell(": rank %s\n" % rank in out
             and ("in the knockout" in out) == (name != "all"),
             "%s: and their rank is that of the table" % name, out + why)
        status, out, why = d.look(
            "tournament pair %s-cup --explain f1 --round 1" % name)
        tell((status == 0) == (name == "cut"), "%s: a pairing is explained "
             "where there was a choice" % name, out + why)
        if name == "cut":
            status, out, why = d.look(
                "tournament pair cut-cup --explain f1 --round 3")
            tell(status == 65 and not out and "of the Swiss, 1 to 2" in why,
                 "a round of the knockout is not explained as one of the "
                 "Swiss", out + why)
        os.chdir(os.environ["OUT"])
        d.run("umpire tournament export %s-cup %s" % (name, name))
        d.next("verify")
        tell("good, over" in d.out, "%s: the export is good" % name, d.out)


def case_witness():
    """A witness by its card, and another by a ruling, who draws the lots."""
    clock = Clock()
    home = os.environ["HOMES"]
    dina, wilma, wolf = (Director(clock, os.path.join(home, n))
                         for n in ("dina", "wilma", "wolf"))
    card, other = (
        re.search(r"^%s:\w+$" % n, w.look("keys card")[1], re.M).group(0)
        for n, w in (("wilma", wilma), ("wolf", wolf)))
    dina.run("umpire tournament new --event 'Seen Cup' --swiss 1 --roster %s "
             "--witness %s --yes" % (os.environ["ROSTER"], card))
    address = re.search(r"umpire://\S+/([0-9a-f]{64})#", dina.out)
    people = [Person("w%d" % n, clock) for n in range(1, 3)]
    cup = Players(clock, address.group(1), people[0])
    for who in people:
        cup.enter(who)
    dina.run("umpire tournament rule seen-cup witness %s --why 'she is away' "
             "--yes" % other)
    dina.next("shut")
    cup.check_in()
    status, out, why = wilma.look("todo")
    tell(status == 0 and "lots" not in out,
         "who is the witness no more draws no lots", out + why)
    status, out, why = wilma.look("tournament start seen-cup")
    tell(status == 65, "and is refused", out + why)
    wolf.run("umpire todo")
    wolf.next("start")
    tell("Lots are drawn" in wolf.out, "the other one does", wolf.out)


if __name__ == "__main__":
    try:
        globals()["case_" + sys.argv[1]]()
    except Exception as failed:  # pylint: disable=broad-except
        tell(False, "the case comes to its end", repr(failed))
        raise
