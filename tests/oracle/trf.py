# SPDX-License-Identifier: ISC
"""Tournaments as TRF files: a second reading of what common/pairing reads.

Points are half points; players are told apart by their pairing numbers.
"""

import re

PLAYED = {"1": "win", "=": "draw", "0": "loss", "W": "win", "D": "draw",
          "L": "loss"}
BYES = {"U": "bye", "F": "win", "H": "draw", "Z": "absent"}


class Game:
    """What a round was for a player."""

    def __init__(self, opponent=0, side=0, letter=""):
        self.opponent = opponent
        self.side = side  # 1: white, 2: black
        self.letter = letter  # as in the file; "": nothing

    @property
    def played(self):
        return self.opponent > 0 and self.letter in PLAYED

    @property
    def paired(self):
        """The pairing took the player into account."""
        return self.opponent > 0 or self.letter == "U"

    def worth(self, points):
        if self.letter == "":
            return points["absent"]
        if self.opponent == 0:
            return points[BYES[self.letter]]
        if self.letter == "+":
            return points["win"]
        if self.letter == "-":
            return points["forfeit"]
        return points[PLAYED[self.letter]]


NOTHING = Game()


class Tournament:
    def __init__(self):
        self.rounds = 0  # that there will be; 0: not said
        self.initial = 0
        self.points = {"win": 2, "draw": 1, "loss": 0, "forfeit": 0,
                       "absent": 0, "bye": 2}
        self.games = {}  # number: [Game of round 1, ...]
        self.ratings = {}
        self.apart = []  # (first, last, {numbers})
        self.corrections = []  # (number, round, half points)

    def game(self, number, rnd):
        games = self.games[number]
        return games[rnd - 1] if rnd <= len(games) else NOTHING

    def score(self, number, rnd):
        """After a round; never below 0."""
        half = sum(c for n, r, c in self.corrections
                   if n == number and r <= rnd)
        return max(0, half + sum(self.game(number, r).worth(self.points)
                                 for r in range(1, rnd + 1)))

    def width(self):
        return max([0] + [len(g) for g in self.games.values()])

    def paired(self):
        """The rounds that are paired, or over for all."""
        last = max([0] + [r for n in self.games
                          for r in range(1, self.width() + 1)
                          if self.game(n, r).paired])
        if self.games and all(self.game(n, last + 1).letter
                              for n in self.games):
            last += 1
        return last


def half(text):
    whole, _, part = text.strip().partition(".")
    sign = -1 if whole.startswith("-") else 1
    return int(whole) * 2 + sign * {"": 0, "0": 0, "5": 1}[part]


def read_game(cell):
    number = int(cell[0:4].strip() or 0)
    side = {"w": 1, "b": 2}.get(cell[5].lower(), 0)
    letter = cell[7].strip().upper()
    if number == 0:
        old = {"+": "U", "=": "H", "-": "Z"}
        if not letter:
            letter = "Z" if cell.strip() else ""
        return Game(0, 0, old.get(letter, letter))
    return Game(number, side, letter)


def read(text):
    """A tournament out of the text of a file."""
    t = Tournament()
    letters = {"W": "win", "D": "draw", "L": "loss", "P": "bye"}
    has_bye = False
    byes = []
    for line in re.split("\r\n|\r|\n", text):
        tag = line[:3]
        if tag == "001":
            number = int(line[4:8])
            line = line.rstrip().ljust(91)
            cells = [line[i:i + 8].ljust(8) for i in range(91, len(line), 10)]
            t.games[number] = [read_game(c) for c in cells]
            t.ratings[number] = int(line[48:52].strip() or 0)
        elif tag in ("142", "XXR"):
            t.rounds = int(line[3:])
        elif tag == "152":
            t.initial = {"W": 1, "B": 2}[line[4].upper()]
        elif tag == "XXC":
            t.initial = 1 if "white1" in line else 2
        elif tag == "162":
            for i in range(5, len(line.rstrip()), 9):
                value = half(line[i + 1:i + 5])
                if line[i] in "AZ":
                    t.points["absent"] = t.points["forfeit"] = value
                elif line[i] in letters:
                    t.points[letters[line[i]]] = value
                has_bye = has_bye or line[i] == "P"
        elif tag == "240":
            for number in line[9:].split():
                byes.append((int(line[6:9]), int(number), line[4]))
        elif tag == "260":
            t.apart.append((int(line[4:7]), int(line[8:11]),
                            {int(n) for n in line[11:].split()}))
        elif tag == "299":
            for number in line[22:].split():
                t.corrections.append((int(number),
                                      int(line[19:22].strip() or 0),
                                      half(line[12:17])))
    if not has_bye:
        t.points["bye"] = t.points["win"]
    for rnd, number, letter in byes:
        games = t.games[number]
        games += [Game() for _ in range(rnd - len(games))]
        games[rnd - 1] = Game(0, 0, letter)
    return t


def points_text(value):
    return "%s%d.%d" % ("-" if value < 0 else "", abs(value) // 2,
                        abs(value) % 2 * 5)


def write(t, name="tournament"):
    """The text of a file."""
    lines = ["012 " + name]
    if t.rounds:
        lines.append("142 %d" % t.rounds)
    if t.initial:
        lines.append("152 " + " WB"[t.initial])
    p = t.points
    if (p["win"], p["draw"], p["loss"], p["bye"]) != (2, 1, 0, 2):
        lines.append("162  " + "    ".join(
            "%s%4s" % (letter, points_text(p[what])) for letter, what in
            (("W", "win"), ("D", "draw"), ("L", "loss"), ("P", "bye"))))
    last = t.paired()
    for number in sorted(t.games):
        line = ("001 %4d      %-33s %4s" % (
            number, "Player %d" % number, t.ratings.get(number) or "")
        ).ljust(80) + "%4s     " % points_text(t.score(number, last))
        for rnd, g in enumerate(t.games[number], 1):
            if g.opponent:
                line += "  %4d %s %s" % (g.opponent, "-wb"[g.side], g.letter)
            elif g.letter or rnd <= last:
                line += "  0000 - " + (g.letter or "Z")
            else:
                line += " " * 10
        lines.append(line.rstrip())
    for first, rnd, numbers in t.apart:
        lines.append("260 %3d %3d" % (first, rnd) + "".join(
            " %4d" % n for n in sorted(numbers)))
    for number, rnd, value in t.corrections:
        lines.append("299         %5s  %3d %4d" % (
            points_text(value), rnd, number))
    return "\n".join(lines) + "\n"
