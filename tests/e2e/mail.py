#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
Two players who are never online together: each session is one player's, who
looks at what is owed, does it and goes; every command is a connection of its
own.  Plays a whole game of one system from the muster to the handshake.

  mail.py --umpire PROGRAM --players DIR --game FILE [--new OPTION]...
          [--turns N] [--combats N] ONE TWO

FILE is a game of tests/rules/SYSTEM/played.game: what its sides declare.
What a declaration may not any more (its dice are not these) is left out.
After so many turns and combats, of which one is taken back, the game is over.
Prints one JSON object: what was done; exits 1 with a reason if it cannot go
on.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys

ROUNDS = 120  # sessions of each player before the game counts as stuck


class Stuck(Exception):
    """The game cannot go on."""


class Player:
    """A player's machine: the client with a profile of its own."""

    def __init__(self, arguments, name, side):
        self.program = arguments.umpire
        self.name = name
        self.side = side
        home = os.path.join(arguments.players, name)
        self.env = dict(
            os.environ, HOME=home, NO_COLOR="1", COLUMNS="80",
            XDG_CONFIG_HOME=home + "/config", XDG_DATA_HOME=home + "/data",
            XDG_STATE_HOME=home + "/state", XDG_CACHE_HOME=home + "/cache")
        self.done = {}  # what of the extras is done

    def run(self, *words):
        """Runs a command: status, output, complaints."""
        p = subprocess.run(
            [self.program, *words], env=self.env, capture_output=True,
            text=True, stdin=subprocess.DEVNULL, timeout=120, check=False)
        return p.returncode, p.stdout, p.stderr

    def do(self, *words):
        """Runs a command that must work; gives its output."""
        status, out, err = self.run(*words)
        if status != 0:
            raise Stuck(f"{self.name}: umpire {' '.join(words)}: "
                        f"status {status}\n{out}{err}")
        return out

    def json(self, *words):
        """Runs a command that must work and prints JSON."""
        return json.loads(self.do(*words, "--json"))


class Match:
    """A game between two players and how far it is."""

    def __init__(self, arguments):
        with open(arguments.game, encoding="utf-8") as f:
            game = json.load(f)
        self.roster = game["roster"]
        self.players = {1: Player(arguments, arguments.one, 1),
                        2: Player(arguments, arguments.two, 2)}
        self.work = arguments.players
        self.options = arguments.new
        self.enough = (arguments.turns, arguments.combats)
        self.turns = [[]]
        for step in game["steps"]:
            if "end" in step:
                self.turns.append([])
            elif "declare" in step or step["upkeep"]["do"] == "rest":
                self.turns[-1].append(step)
        self.at = 0  # of this turn's steps
        self.turn = 1
        self.again = []  # steps to try again when the script is at its end
        self.report = {"refused": 0, "free": 0, "adjusted": 0, "sessions": 0,
                       "offers": 0, "declared": 0}

    def begin(self):
        """Opens the game and takes both seats."""
        one, two = self.players[1], self.players[2]
        one.do("new", "--roster", self.roster, "--name", "g", "--invite",
               two.name, *self.options)
        view = one.json("show", "g")
        two.do("join", view["game"], "--name", "g", "--yes")

    def owed(self, player):
        """What waits for this player in the game."""
        return player.json("todo")

    def combats(self, player):
        """How many combats the player's copy holds."""
        status, out, _ = player.run("verify", "g", "--json")
        if status != 0:
            raise Stuck(f"{player.name}'s copy does not verify")
        return json.loads(out)["combats"]

    def answer(self, player):
        """Gives the first of the answers that are shown."""
        if " --decision '" in player.do("show", "g"):
            raise Stuck(f"{player.name} is told to type JSON")
        for line in player.json("show", "g")["commands"]:
            if not line.startswith("umpire decide "):
                continue
            status, _, _ = player.run(*shlex.split(line)[1:], "--yes")
            if status == 0:
                return
        raise Stuck(f"{player.name}: no answer is taken:\n"
                    + player.do("show", "g"))

    def declare(self, player, step):
        """Declares a combat, or gives an upkeep order; False if refused."""
        if "declare" in step:
            path = os.path.join(self.work, "declare.json")
            with open(path, "w", encoding="utf-8") as f:
                json.dump(step["declare"], f)
            words = ["declare", "g", path]
        else:
            path = os.path.join(self.work, "upkeep.json")
            args = step["upkeep"]
            words = ["upkeep", "g", args["unit"], args["do"]]
            words += [f"{k}={v}" for k, v in args.items()
                      if k not in ("unit", "do")]
        status, out, err = player.run(*words, "--yes")
        if status == 0:
            self.report["declared"] += "declare" in step
            return True
        if status != 65:  # EX_DATAERR: unlawful now, and nothing was sent
            raise Stuck(f"{' '.join(words)}: status {status}\n{out}{err}")
        self.report["refused"] += 1
        return False

    def extra(self, player, view):
        """What is done once beside the script.

        True if the session is over, False if its turn goes on, None if there
        was nothing to do."""
        done = player.done
        if "roll" not in done:
            done["roll"] = True
            player.do("roll", "g", "2d6", "--for", "morale of the reserve")
            self.report["free"] += 1
            return False
        if view["turn"] in (2, 3) and "adjust" not in done:
            done["adjust"] = True
            unit = view["roster"][str(player.side)]["units"][-1]["id"]
            player.do("adjust", "g", unit, "out=left", "--why",
                      "marched off to the flank")
            self.report["offers"] += 1
            self.report["adjusted"] += 1
        if player.side == 1 and "takeback" not in done and \
                view["turn"] >= 3 and self.report["declared"] > self.enough[1] // 2:
            done["takeback"] = True
            player.do("offer", "g", "takeback", "--why", "wrong regiment",
                      "--yes")
            self.report["offers"] += 1
            return True
        return None

    def play(self, player, view):
        """One step of the player's turn; True if the session is over."""
        if view["turn"] != self.turn:
            self.turn, self.at = view["turn"], 0
        if any(o["side"] == player.side and o["what"] != "adjust"
               for o in view["offers"]):
            return True
        over = self.extra(player, view)
        if over is not None:
            return over
        turns, combats = self.enough
        if self.turn >= turns and self.combats(player) >= combats:
            player.do("offer", "g", "victory", "mine", "--yes")
            return True
        steps = self.again if self.turn > len(self.turns) else \
            self.turns[self.turn - 1]
        if self.at < len(steps):
            step = steps[self.at]
            self.at += 1
            if not self.declare(player, step):
                return self.play(player, view)
            if "declare" in step:
                self.again.append(step)
            return False
        player.do("end-turn", "g", "--yes")
        return True

    def must_wait(self, player, what):
        """True for an offer that comes to nothing before a combat ends."""
        return what == "offer" and \
            player.json("show", "g")["combat"] is not None

    def session(self, player):
        """All that a player can do now; False if it was nothing."""
        did = False
        for _ in range(200):
            owed = self.owed(player)
            # Replies last: while a combat is open no adjustment is taken.
            owed.sort(key=lambda o: o["what"] == "offer")
            if not owed or self.must_wait(player, owed[0]["what"]):
                return did
            what, did = owed[0]["what"], True
            if what == "ready":
                player.do("ready", "g", "--yes")
            elif what == "offer":
                player.do("accept", "g", str(owed[0]["since"]), "--yes")
            elif what in ("decide", "commit"):
                self.answer(player)
            elif what == "open":
                player.do("open", "g")
            elif what == "answer":
                player.do("answer", "g", "agree", "--yes")
            elif what == "close":
                player.do("close", "g", "--yes")
            elif what == "turn":
                if self.play(player, player.json("show", "g")):
                    return True
            else:
                raise Stuck(f"{player.name} owes \"{what}\"")
        raise Stuck(f"{player.name}: a session without end")

    def run(self):
        """Plays until the game is closed."""
        self.begin()
        for _ in range(ROUNDS):
            for player in self.players.values():
                self.session(player)
                self.report["sessions"] += 1
            view = self.players[1].json("show", "g")
            if view["phase"] == "finished":
                self.report["turns"] = view["turn"]
                self.report["combats"] = self.combats(self.players[1])
                self.report["result"] = view["result"]
                return
        raise Stuck("the game does not end:\n"
                    + self.players[1].do("show", "g"))


def main():
    """Plays what the command line says."""
    parser = argparse.ArgumentParser()
    for name in ("umpire", "players", "game"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--new", action="append", default=[])
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--combats", type=int, default=7)
    parser.add_argument("one")
    parser.add_argument("two")
    arguments = parser.parse_args()
    match = Match(arguments)
    try:
        match.run()
    except Stuck as e:
        print(e, file=sys.stderr)
        return 1
    print(json.dumps(match.report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
