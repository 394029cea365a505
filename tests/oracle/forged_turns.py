#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Games by turns that are well signed, lawful ones and such with one fault.

As forged_records.py, for what a game by turns has: answers, cups, offers,
takebacks, standing orders, clocks, several seats and the director; and what a
newer umpire might make, beside faults. In a bad one the last line has the
fault, unless its case names another.

  forged_turns.py [--umpire PATH] [--keep DIR] [--only TEXT] [--part N]
                  [--first I]

Without --umpire only verify.py beside this file is held against the expected
exit statuses; with it the events come from `umpire resolve -`, and each record
goes through `umpire verify`, too, with and without --no-rules; and what it
tells of a good one is held against what verify.py tells (S10.2).
Exit status: 0 all as expected, 1 not all, 64 wrong usage.
"""

import os
import sys
import tempfile

import forge_newer
import forge_turns_agreed
import forge_turns_brigades
import forge_turns_clock
import forge_turns_director
import forge_turns_faults
import forge_turns_halted
import forge_turns_keys
import forge_turns_now
import forge_turns_offers
import forge_turns_standing
import forge_turns_systems
import forge_turns_witness
import verify
from forge import NotHere, OwnEvents, UmpireEvents
from forge_turns_cases import CASES
from forged_batch import Folder
from forged_records import read_args

SEEDS = 40
# They enter their cases by being read.
FAULTS = (
    forge_newer,
    forge_turns_agreed,
    forge_turns_brigades,
    forge_turns_clock,
    forge_turns_director,
    forge_turns_faults,
    forge_turns_halted,
    forge_turns_keys,
    forge_turns_now,
    forge_turns_offers,
    forge_turns_standing,
    forge_turns_systems,
    forge_turns_witness,
)


def make(name, each, events):
    """Play a case with the first seed that makes what it needs."""
    for seed in range(SEEDS):
        forge = each.made("turns %d" % seed, events, each.settings)
        try:
            seq = each.play(forge)
        except NotHere:
            continue
        return forge.file(), len(forge.raw) if seq is None else seq + 1
    raise AssertionError("the case %s comes nowhere" % name)


def judge(each, line, found):
    """Yield (who, options, what it says) of each that is not right.

    found: of the oracle and then of umpire, with rules and then without.
    """
    for i, one in enumerate(found):
        who = "oracle" if i < 2 else "umpire"
        want = each.bare if i % 2 else each.status
        want = want if isinstance(want, tuple) else (want,)
        if one.status not in want or (one.status == 1 and one.line != line):
            yield who, " --no-rules" if i % 2 else "", one.why


def make_all(args, events):
    """Make the records: (name, case, bytes, number of the last line)."""
    for i, (name, each) in enumerate(CASES.items()):
        if args.only and args.only not in name:
            continue
        if i % args.part == args.first % args.part:
            yield (name, each) + make(name, each, events)


def main(argv):
    """Make every record and hold it against the verifiers."""
    args = read_args(argv)
    events = UmpireEvents(args.command) if args.command else OwnEvents()
    made = list(make_all(args, events))
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    for name, _, data, _ in made if args.keep else ():
        with open(os.path.join(args.keep, name + ".jsonl"), "wb") as f:
            f.write(data)
    theirs = [[]] * len(made)
    agree = disagree = 0
    if args.command:
        with tempfile.TemporaryDirectory() as path:
            folder = Folder(args.command, path)
            for _, _, data, _ in made:
                folder.add(data)
            ruled, odd = folder.judge()
            bare, more = folder.judge(["--no-rules"])
        theirs = list(zip(ruled, bare))
        disagree += len(odd + more)
        print("".join(text + "\n" for text in odd + more), end="")
    for (name, each, data, line), judged in zip(made, theirs):
        found = [verify.Found(data), verify.Found(data, False), *judged]
        wrong = list(judge(each, line, found))
        if judged and found[0].status == judged[0].status == 0:
            said = found[0].differs(judged[0].told)
            wrong += [("umpire", "", said)] if said else []
        agree += len(found) - len(wrong)
        disagree += len(wrong)
        for who, options, text in wrong:
            print("%s: %s%s, %s expected in line %d: %s" % (
                name, who, options, each.status, line, text))
    print("%d agree, %d disagree" % (agree, disagree))
    return 1 if disagree else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
