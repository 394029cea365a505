#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Whole tournaments at random: every one that is lawful is found good.

  tournament_random.py [--count N] [--seed S] [--formats F,..] [--keep DIR]
                       [--umpire COMMAND]

Each is verified with its games, without them, and cut after some line, which
leaves it unfinished and good; its ties are held against ties.py; and another
server goes on with it. With --umpire its games' events are those of
`umpire resolve`. --keep writes each to DIR/NUMBER.
Exit status: 0 all good, 1 not all, 64 wrong usage.
"""

import argparse
import os
import random
import shlex
import sys

import tournament_verify
from forge import OwnEvents, UmpireEvents
from tournament_play import go_on, play, settings_of
from tournament_form import TIES
from tournament_swiss import View, pairing

try:
    import ties as second
except ImportError:
    second = None


def check(number, maker):
    """Verify a tournament in three ways; the complaints."""
    found = []
    data, read = maker.file(), maker.files.get
    for what, want, got in (
        ("whole", 0, tournament_verify.verify(data, read)),
        ("without games", 2, tournament_verify.verify(data, read, False)),
    ):
        if got[0] != want:
            found.append("%s, %s: %d %s" % (number, what, *got))
    rng = random.Random("cut %s" % number)
    raw = maker.raw
    maker.raw = raw[: rng.randint(1, len(raw))]
    status, text = tournament_verify.verify(maker.file(), read)
    maker.raw = raw
    # A game may be over whose result is in a line that was cut.
    if status != 0 and "its result is missing" not in text:
        found.append("%s, cut: %d %s" % (number, status, text))
    return found


def check_ties(number, maker):
    """Hold the ties against those of another reading; the complaints."""
    cup = maker.cup
    robin = cup.terms["format"] == "roundrobin"
    if second is None or cup.terms["format"] == "knockout" or not all(
        table.result() for rnd in cup.ranked_rounds() for table in rnd.tables
    ):
        return []
    found = []
    stories, numbers = cup.stories(), cup.numbers(cup.listed())
    other = second.Ties(View(cup, numbers, cup.planned),
                        len(cup.ranked_rounds()), robin)
    scores = {e: cup.score(e) for e in stories}
    for group in cup.split(sorted(stories), scores, True):
        mine = {numbers[e]: v
                for e, v in cup.encounters(group, stories).items()}
        theirs = other.direct(sorted(mine))
        if mine != theirs:
            found.append("%s: DE %s, not %s" % (number, mine, theirs))
        for e in group:
            for code in TIES:
                if code in ("DE", "BP", "BPA") or (
                    robin and code in ("FB",) + TIES[:4]
                ):
                    continue
                pair = (cup.tie(code, e, stories),
                        other.value(numbers[e], code))
                if pair[0] != pair[1]:
                    found.append("%s: %s of %d: %s, not %s" % (
                        number, code, e, *pair))
    return found


def check_going_on(number, maker, folder=None):
    """Go on with it elsewhere, from some line; the complaints.

    Both are kept in a folder: the tournament, its games and what it continues.
    """
    rng = random.Random("on %s" % number)
    raw = maker.raw
    keep_to = rng.randint(len(raw) // 2, len(raw) - 1)
    new = go_on(maker, number, keep_to)
    if new is None:
        return []
    maker.raw = raw[: keep_to + 1]
    before = maker.file()
    maker.raw = raw
    files = {**maker.files, **new.files}
    if folder is not None:
        keep(folder + "-on", new, files, {"before": before})
    found = []
    third = go_on(new, "%s again" % number,
                  rng.randint(len(new.raw) // 2, len(new.raw) - 1))
    found_by_id = {**files, old_id(maker): before}
    checks = [
        ("going on", 0, tournament_verify.verify(
            new.file(), files.get, before=before)),
        ("going on, found", 0, tournament_verify.verify(
            new.file(), found_by_id.get)),
        ("going on, alone", 2, tournament_verify.verify(
            new.file(), files.get)),
    ]
    if third is not None:
        more = {**found_by_id, **third.files, old_id(new): new.file()}
        checks += [
            ("going on twice", 0, tournament_verify.verify(
                third.file(), more.get)),
            ("going on twice, by files", 0, tournament_verify.verify(
                third.file(), more.get, before=[before, new.file()])),
        ]
        if folder is not None:
            keep(folder + "-third", third, more, {"before": new.file()})
    for what, want, got in checks:
        if got[0] != want:
            found.append("%s, %s: %d %s" % (number, what, *got))
    return found


def old_id(maker):
    """The name of the file of a tournament that another continues."""
    return maker.cup.id.hex()


def keep(folder, maker, games, others):
    """Write a tournament, its games and other records."""
    os.makedirs(folder, exist_ok=True)
    files = {**games, **others, "tournament": maker.file()}
    for name, data in files.items():
        with open(os.path.join(folder, name + ".jsonl"), "wb") as f:
            f.write(data)


def main(argv):
    """Play and verify."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    formats = "roundrobin,knockout"
    if pairing is not None:
        formats += ",swiss,swiss+knockout"
    parser.add_argument("--formats", default=formats)
    parser.add_argument("--keep")
    parser.add_argument("--umpire")
    try:
        args = parser.parse_args(argv)
    except SystemExit as e:
        return 64 if e.code else 0
    events = OwnEvents()
    if args.umpire is not None:
        events = UmpireEvents(shlex.split(args.umpire))
    lines = games = wrong = 0
    for i in range(args.count):
        number = "%d.%d" % (args.seed, i)
        n, settings = settings_of(number, args.formats.split(","))
        maker = play(number, n, events=events, **settings)
        lines += len(maker.raw)
        games += len(maker.files)
        complaints = check(number, maker) + check_ties(number, maker)
        folder = args.keep and os.path.join(args.keep, number)
        if folder:
            keep(folder, maker, maker.files, {})
        for text in complaints + check_going_on(number, maker, folder):
            wrong += 1
            print(text)
    print("%d tournaments (%s), %d lines, %d games: %d not as expected" % (
        args.count, args.formats, lines, games, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
