#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""A second verifier for the records of games, in pure Python.

It is written from umpire-record.7 alone (the S-numbers below are its sections)
and shares nothing with libcommon: own Ed25519, own P-256 VRF, own reader of
JSON. It checks `dual-1` and `live-1` whole, with seats' keys and their
changes, secret choices and all that a game by turns has. Combats are run
again with lasalle2.py, imaginations.py and the like, which are second readings
of the rules. Of the rosters it keeps those of lasalle2 and imagi-nations; for the
other systems it takes what the roster owns from the event `combat`.

  verify.py FILE [--no-rules] [--opened TEXTS]

TEXTS has what standing orders say, as their owner gave it out, a line each:
{"seq":...,"salt":...,"text":...}.

Exit status: 0 good, 1 bad (the line and the reason are printed), 2 not
checkable here, 64 wrong usage, 65 TEXTS is not of that form, or has what no
standing order of the record committed to, 66 a file can't be read, 70 a fault
of this program.

What it does not check and answers with 2: `server-dice` and `rules` lines.
Bytes, chain, marks, keys and signatures are checked even then. Of systems
whose rosters it does not keep it takes adjustments, and the answers of
standing orders, from the record.
"""

import argparse
import json
import re
import sys
import traceback

from record_form import Bad, Unknown, read_line, want
from record_game import Game
from record_parts import Side
from record_told import told_otherwise

# --- The file (S2, S9, S10) ---


def split_lines(data):
    """Split a file into lines of the record and side lines."""
    want(data.endswith(b"\n"), "line 1: the file does not end with a line")
    lines = data[:-1].split(b"\n")
    first = len(lines)
    beside = (b'{"text":', b'{"blob":')
    while first > 0 and lines[first - 1].startswith(beside):
        first -= 1
    want(first > 0, "line 1: no line of a record")
    return lines[:first], lines[first:]


def is_fault(lines):
    """Tell whether the line that follows says that the rules failed."""
    for data in lines:
        try:
            line = read_line(data)
        except Bad:
            return False
        return line.get("kind") == "server" and line.get("what") == "fault"
    return False


def read_given(data):
    """Read the lines of an --opened file."""
    given = []
    for number, line in enumerate(data.decode("utf-8").split("\n"), 1):
        if line == "":
            continue
        try:
            told = json.loads(line)
            good = (
                set(told) == {"seq", "salt", "text"}
                and type(told["seq"]) is int
                and told["seq"] >= 0
                and re.fullmatch("[0-9a-f]{64}", told["salt"])
                and type(told["text"]) is str
            )
        except (ValueError, TypeError):
            good = False
        want(good, "line %d is no text of a standing order", number)
        given.append(told)
    return given


def check_file(data, rules, notes, given):
    """Check a whole file; return its game."""
    lines, side_lines = split_lines(data)
    side = Side(side_lines, len(lines) + 1)
    game = Game(side, rules)
    if not rules:
        notes.append("the rules were not run")
    for number, line in enumerate(lines, 1):
        try:
            if is_fault(lines[number : number + 1]) and game.rules:
                game.stop_rules("the rules failed in line %d" % number)
            game.take(line)
            if game.beyond is None:
                game.check_given(given)
        except Bad as e:
            raise Bad("line %d: %s" % (number, e)) from None
        except Unknown as e:
            if game.beyond is None:
                notes.append(
                    "line %d: %s (made by a newer umpire?)" % (number, e)
                )
                game.beyond = str(e)
                side.names_unknown = True
    side.check_named()
    notes += game.notes
    return game


class Found:
    """What verifying the bytes of a record finds."""

    def __init__(self, data, rules=True, given=()):
        notes = []
        self.game = self.line = None
        try:
            self.game = check_file(data, rules, notes, given)
        except Bad as e:
            self.status = 1
            self.text = self.why = "bad: %s" % e
            self.line = int(re.match("line ([0-9]+):", str(e)).group(1))
            return
        stray = [told["seq"] for told in given if "known" not in told]
        if stray and self.game.beyond is None:
            self.status = 65
            self.text = self.why = "no standing order of line %d says what is given" % (
                stray[0])
            return
        self.status = 2 if notes else 0
        self.why = "good"
        if notes:
            self.why = "not checkable here: %s" % "; ".join(notes)
        self.text = self.why + ("; " if notes else ": ") + self.tell()

    def tell(self):
        """Say what the game is like."""
        game = self.game
        text = "%d lines, %s, head %s" % (
            len(game.hashes), "finished" if game.finished else "unfinished",
            game.hashes[-1],
        )
        if game.director_answers:
            text += ", %d answers of the director's" % game.director_answers
        return text + "".join("\n" + each for each in game.tell())

    def differs(self, told):
        """Say in what umpire verify --json tells of it otherwise; None."""
        if self.game is None or self.status != 0:
            return None
        return told_otherwise(self.game, told)


def verify(data, rules=True, given=()):
    """Verify the bytes of a record: (exit status, what to print)."""
    found = Found(data, rules, given)
    return found.status, found.text


def read_args(argv):
    """Read the command line; wrong usage exits with 64."""
    parser = argparse.ArgumentParser(prog="verify.py", allow_abbrev=False)
    parser.add_argument("file")
    parser.add_argument("--no-rules", action="store_true")
    parser.add_argument("--opened")
    try:
        return parser.parse_args(argv)
    except SystemExit as e:
        sys.exit(64 if e.code else 0)


def main(argv):
    """Verify the file that the command line names."""
    args = read_args(argv[1:])
    given = b""
    try:
        with open(args.file, "rb") as f:
            data = f.read()
        if args.opened is not None:
            with open(args.opened, "rb") as f:
                given = f.read()
    except OSError as e:
        print("verify.py: %s" % e, file=sys.stderr)
        return 66
    try:
        texts = read_given(given)
    except (Bad, UnicodeDecodeError) as e:
        print("verify.py: %s: %s" % (args.opened, e), file=sys.stderr)
        return 65
    try:
        status, text = verify(data, not args.no_rules, texts)
    except Exception:  # a fault of this program must not look like a verdict
        traceback.print_exc()
        return 70
    print(text)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv))
