#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
A record of each kind of game that a page may have to tell.

  kinds.py UMPIRE DIR [KIND...]    writes DIR/KIND.jsonl, and prints each kind

Most are games that tests/oracle makes for the verifiers; what is shown there is
what the players did, and hardly a battle.  Words are erased where KINDS says
so: their side lines are left out.
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, "oracle"))

import forged_turns  # noqa: E402
from forge import UmpireEvents  # noqa: E402
from forge_turns_cases import CASES  # noqa: E402

# What the page is to show, and the case that makes it.
KINDS = {
    "answers": "live_game",  # objections, void combats, dice that were agreed
    "confirmed": "confirm_game",
    "cups": "cups_game",
    "drawn": "draw_game",
    "agreed": "victory_game",
    "truce": "truce_game",
    "adjusted": "adjust_game",
    "joined": "reinforced_full_game",  # very long sentences
    "taken-back": "takeback_game",
    "taken-back-upkeep": "takeback_upkeep_game",
    "standing": "standing_game",
    "forfeited": "clock_claims",
    "clock": "clock_side",
    "defaulted": "clock_default",
    "director": "clock_director",
    "four": "four_seats",
    "sixteen": "sixteen_seats",
    "ruled": "void_only_game",
    "rulings": "rulings_game",
    "refused": "refused_game",
    "facts": "facts_judged_game",
    "keys": "key_waits_game",
    "newcomer": "newcomer_game",
    "restored": "restored_game",
    "restored-twice": "restored_owed_game",
    "closed": "closed_game",
    "closed-early": "closed_early_game",
    "two-lines": "two_lines_ruled_game",
    "witness": "witness_silent_game",
    "witness-out": "witness_out_game",
    "secret": "live_secret_game",
    "halted": "fault_game",
    "halted-owed": "fault_owed_game",
    "newer": "newer_kind",
    "newer-system": "newer_system_upkeep",
}
# Kinds of which a part alone is shown, as it was after so many lines.
CUT = {
    "free-seat": ("four_seats", 2),
    "waits-answer": ("live_game", 5),
    "waits-accept": ("restored_game", 12),
    "waits-ruling": ("two_lines_ruled_game", 8),
    "halted-open": ("fault_game", 7),
}
ERASED = {"erased": "restored_game"}
SIDE = re.compile(rb'\{"(?:text|blob)":"([0-9a-f]+)"')


def lines_of(data):
    """The lines of the record, and the side lines."""
    rows = data.splitlines(keepends=True)
    first = next(i for i, row in enumerate(rows) if SIDE.match(row))
    return rows[:first], rows[first:]


def main(umpire, folder, *wanted):
    """All of them, or those that are wanted."""
    events = UmpireEvents([umpire])
    made = {}

    def record(case):
        if case not in made:
            made[case] = forged_turns.make(case, CASES[case], events)[0]
        return made[case]

    def put(kind, data):
        with open(os.path.join(folder, kind + ".jsonl"), "wb") as f:
            f.write(data)
        print(kind)

    os.makedirs(folder, exist_ok=True)

    def some(kinds):
        return ((k, v) for k, v in kinds.items() if not wanted or k in wanted)

    for kind, case in some(KINDS):
        put(kind, record(case))
    for kind, (case, n) in some(CUT):
        lines, sides = lines_of(record(case))
        assert n < len(lines), kind
        # What later lines say has no place there.
        told = b"".join(lines[:n])
        put(kind, told + b"".join(
            s for s in sides if SIDE.match(s).group(1) in told))
    for kind, case in some(ERASED):
        lines, sides = lines_of(record(case))
        kept = [s for s in sides if not s.startswith(b'{"text"')]
        assert len(kept) < len(sides), kind
        put(kind, b"".join(lines + kept))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
