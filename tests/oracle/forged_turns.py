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
goes through `umpire verify`, too, with and without --no-rules.
Exit status: 0 all as expected, 1 not all, 64 wrong usage.
"""

import json
import os
import subprocess
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
from forge import NotHere, OwnEvents, TIMEOUT_S, UmpireEvents
from forge_turns_cases import CASES
from forged_records import end_umpire, read_args, start_umpire
from record_form import compact

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
    """Yield (who, options, what it says) of each that is not right."""
    for i, (who, (have, text)) in enumerate(found):
        want = each.bare if i % 2 else each.status
        want = want if isinstance(want, tuple) else (want,)
        right = have in want or (
            who == "umpire" and have == 2 and each.newer
        )
        if have == 1:
            where = "bad: line %d:" if who == "oracle" else "bad at line %d:"
            right &= where % line in text
        if not right:
            yield who, " --no-rules" if i % 2 else "", text


def clocks_of(command, data, folder):
    """How far umpire verify says that clocks were apart."""
    path = os.path.join(folder, "clocks.jsonl")
    with open(path, "wb") as f:
        f.write(data)
    done = subprocess.run(command + ["verify", "--json", path],
                          stdout=subprocess.PIPE, timeout=TIMEOUT_S)
    return compact(json.loads(done.stdout).get("clocks"))


def main(argv):
    """Make every record and hold it against the verifiers."""
    args = read_args(argv)
    events = UmpireEvents(args.command) if args.command else OwnEvents()
    agree = disagree = 0
    with tempfile.TemporaryDirectory() as folder:
        for i, (name, each) in enumerate(CASES.items()):
            if args.only and args.only not in name:
                continue
            if i % args.part != args.first % args.part:
                continue
            data, line = make(name, each, events)
            if args.keep:
                os.makedirs(args.keep, exist_ok=True)
                path = os.path.join(args.keep, name + ".jsonl")
                with open(path, "wb") as f:
                    f.write(data)
            started = []
            if args.command and not each.unread:
                started = start_umpire(args.command, data, folder)
            found = [("oracle", verify.verify(data)),
                     ("oracle", verify.verify(data, False))]
            found += [("umpire", told) for told in end_umpire(started)]
            wrong = list(judge(each, line, found))
            if started and "\nclocks " in found[0][1]:
                have = clocks_of(args.command, data, folder)
                if "\nclocks " + have not in found[0][1]:
                    wrong.append(("umpire", "", "other clocks: " + have))
            agree += len(found) - len(wrong)
            disagree += len(wrong)
            for who, options, text in wrong:
                print("%s: %s%s, %s expected in line %d: %s" % (
                    name, who, options, each.status, line, text))
    print("%d agree, %d disagree" % (agree, disagree))
    return 1 if disagree else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
