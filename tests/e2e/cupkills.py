# SPDX-License-Identifier: ISC
"""A tournament's recovery, whose daemon is killed on the way (cupkills.sh).

cupkills.py begin STATE: plays a round, with backups on the way, and writes what
    people hold of it.
cupkills.py games STATE: brings the games' lines.
cupkills.py heal STATE: brings all lines; prints how many calls were answered.
cupkills.py whole STATE: after a restart: brings all once more, and looks.
cupkills.py derived STATE [export]: whether the lines that were derived are
    there, all or none: prints what stands after `restored`.
cupkills.py closed STATE: prints how many lines end it.

As tournament.py it prints what it finds; BACKUP is a command that makes one.
"""

import json
import os
import subprocess
import sys

import cupback
import tournament
from cupback import Club
from tournament import Cup, Person, name_of, tell

STATE = sys.argv[2]


def do(words):
    """Make a backup."""
    subprocess.run([*os.environ["BACKUP"].split(), words.split()[1]],
                   check=True, stdout=subprocess.DEVNULL)
    return os.environ["PORT"]


cupback.do = do


class Back(Club):
    """The people and what they hold, of a run before."""

    def __init__(self):
        with open(STATE, encoding="utf-8") as f:
            state = json.load(f)
        self.clock = tournament.Clock()
        self.port = os.environ["PORT"]
        self.people = {n: Person(n, self.clock) for n in ("dina", "anna")}
        self.cup = Cup(self.clock, self.people["dina"], format="knockout")
        self.cup.id = state["id"]
        self.games = list(state["games"])
        self.held = {None: state["lines"], **state["games"]}

    def bring(self):
        """Bring all lines, the tournament's first; how many calls worked."""
        done = 0
        for game in (None, *self.games):
            lines = self.held[game][0]
            for at in range(0, len(lines), 5):
                try:
                    reply = self.heal(self.people["anna"], game,
                                      lines[at:at + 5])
                except BrokenPipeError:
                    return done
                if "result" not in reply:
                    return done
                done += 1
        return done


def case_begin():
    """A round of two tables, and what is held of it."""
    club = Club()
    cup = club.cup
    cupback.begin(club)
    for table in (1, 2):
        cupback.play(club, table)
    do("backup played")
    club.keep()
    with open(STATE, "w", encoding="utf-8") as f:
        json.dump({"id": cup.id, "lines": club.held[None], "games": {
            game: club.held[game] for game in cup.games}}, f)


def case_games():
    """What the games' players hold."""
    club = Back()
    for game in club.games:
        got = club.heal_all(club.people["anna"], game, 5)
        tell("added" in got, "a game's lines are brought", got)


def case_heal():
    """All of it, until the daemon dies."""
    print(Back().bring(), file=sys.stderr)


def case_whole():
    """Everything is brought once more, and is as it was."""
    club = Back()
    calls = sum((len(club.held[g][0]) + 4) // 5 for g in (None, *club.games))
    tell(club.bring() == calls, "what is brought again is taken")
    bad = [g for g in (None, *club.games) if club.cup.lines(
        "game" if g else "tournament", g or club.cup.id)[0]
        != club.held[g][0]]
    tell(not bad, "each line is what it was", bad)
    tell(club.is_waiting() is False, "nothing waits")


def case_derived():
    """What stands from `restored` on."""
    club = Back()
    lines = club.lines()
    what = [x.get("what") for x in lines]
    at = what.index("restored") if "restored" in what else len(what)
    words = [(x["what"], x["data"].get("table")) for x in lines[at:]]
    tell(words in ([], [("restored", None), ("game", 1), ("result", 1),
                        ("game", 2), ("result", 2)]),
         "the derived lines are there, each once, or none", words)
    tell(club.is_waiting() is not bool(words),
         "and it waits as long as they are not")
    print("there" if words else "none", file=sys.stderr)
    if sys.argv[3:]:
        club.cup.export("derived")


def case_closed():
    """How often it was closed."""
    what = [x.get("what") for x in Back().lines()]
    tell("closed" not in what[:-1], "nothing follows the end", what)
    print(what.count("closed"), file=sys.stderr)


assert name_of({}) == "?"
globals()["case_" + sys.argv[1]]()
