#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""A second verifier for the records of tournaments, in pure Python.

It is written from umpire-tournament-record.7 alone and shares nothing with the
programs. DIR holds tournament.jsonl and a file for each game, ID.jsonl; a
single file is verified without the games that are not beside it.

  tournament_verify.py DIR|FILE [--no-games] [--no-rules] [--before OLD]...

What a tournament continues is OLD, or lies there, too, as ID.jsonl.

Exit status: 0 good, 1 bad (the line and the reason are printed), 2 not
checkable here, 64 wrong usage, 66 a file can't be read, 70 a fault of this
program.
"""

import argparse
import os
import sys
import traceback

from record_form import Bad, Unknown, compact, read_line
from record_orders import read_order
from record_parts import Side
from tournament import Tournament
from tournament_games import Shelf
from verify import split_lines


def read_record(data, shelf, games=True, old=None, last=None):
    """Read a record: the tournament; last: the last line that counts."""
    lines, side_lines = split_lines(data)
    side = Side(side_lines, len(lines) + 1)
    cup = Tournament(side, shelf, games, old)
    for number, line in enumerate(lines, 1):
        if last is not None and number > last + 1:
            break
        try:
            cup.take(line)
        except Bad as e:
            raise Bad("line %d: %s" % (number, e)) from None
        except Unknown as e:
            if cup.beyond is None:
                cup.notes.append(
                    "line %d: %s (made by a newer umpire?)" % (number, e))
                cup.beyond = str(e)
                side.names_unknown = True
    if cup.beyond is None and last is None:
        cup.check_end()
        side.check_named()
    return cup


def verify(data, read=None, games=True, rules=True, before=None):
    """Verify the bytes of a record: (exit status, what to print).

    read(id) gives the bytes of a game, or of a tournament that this one goes
    back to, or None; before is the record that it continues, or a list.
    """
    old = None
    if before is None or isinstance(before, bytes):
        before = [before] if before else []
    try:
        chain = goes_back(data, read, list(before))
        for each, last in reversed(chain):
            try:
                former = read_record(
                    each, Shelf(read, rules), games, old, last)
            except Bad as e:
                raise Bad("line 1: what it continues: %s" % e) from None
            if old is not None:
                former.notes += old.notes
            old = former
        cup = read_record(data, Shelf(read, rules), games, old)
    except Bad as e:
        return 1, "bad: %s" % e
    end = "finished" if cup.phase == "over" else "unfinished"
    text = "%d lines, %d games, %s, head %s" % (
        len(cup.hashes), len(cup.game_lines), end, cup.hashes[-1])
    told = ["clocks " + compact(list(cup.apart.values()))]
    text += "".join("\n" + each for each in cup.told + told)
    if not games:
        cup.notes.append("the games were left out")
    if old is not None:
        cup.notes += old.notes
    if cup.notes:
        notes = list(dict.fromkeys(cup.notes))
        return 2, "not checkable here: %s; %s" % ("; ".join(notes), text)
    return 0, "good: " + text


def continued(data):
    """What a record continues; None."""
    lines, _ = split_lines(data)
    try:
        return read_order(read_line(lines[0])["order"])["args"]["continues"]
    except (Bad, Unknown, IndexError, KeyError, TypeError):
        return None


def goes_back(data, read, given):
    """The records that one goes back to, newest first, and their last lines."""
    chain, told = [], continued(data)
    while told is not None and len(chain) < 16:
        each = next((x for x in given if first_of(x) == told["tournament"]),
                    None)
        if each is not None:
            given.remove(each)
        elif read is not None:
            each = read(told["tournament"])
        if each is None:
            break
        chain.append((each, told["seq"]))
        told = continued(each)
    if given:
        raise Bad("line 1: it does not go back to that")
    return chain


def first_of(data):
    """The tournament of a record's first line."""
    lines, _ = split_lines(data)
    try:
        return read_line(lines[0])["tournament"]
    except (Bad, Unknown, IndexError, KeyError, TypeError):
        return None


def main(argv):
    """Verify what the command line names."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("path")
    parser.add_argument("--no-games", action="store_true")
    parser.add_argument("--no-rules", action="store_true")
    parser.add_argument("--before", action="append", default=[])
    try:
        args = parser.parse_args(argv[1:])
    except SystemExit as e:
        return 64 if e.code else 0
    path = args.path
    folder = path
    if os.path.isdir(path):
        path = os.path.join(path, "tournament.jsonl")
    else:
        folder = os.path.dirname(path) or "."

    def read(name):
        try:
            with open(os.path.join(folder, name + ".jsonl"), "rb") as f:
                return f.read()
        except FileNotFoundError:
            return None

    try:
        with open(path, "rb") as f:
            data = f.read()
        before = []
        for name in args.before:
            with open(name, "rb") as f:
                before.append(f.read())
    except OSError as e:
        print("tournament_verify.py: %s" % e, file=sys.stderr)
        return 66
    try:
        status, text = verify(
            data, read, not args.no_games, not args.no_rules, before)
    except Exception:  # a fault of this program must not look like a verdict
        traceback.print_exc()
        return 70
    print(text)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv))
