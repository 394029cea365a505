# SPDX-License-Identifier: ISC
"""What verifying a record of many lines takes, against the signatures and
proofs in it.

  verify_bare  CPU of a whole verification on one core, against that of its
               sign_check() and vrf_check() alone, bare, in the same process

The record has 10,000 lines and some 2,000 dice, so that what is not worked out
for dice weighs much: most lines are chats, and their words are in the export.
In the control the file is verified twice.
"""

import json
import pathlib
import sys

import measure_copies
import partner
import rig
from rig import Result

LINES = 10000
DICE = (1800, 2200)
ROUNDS = 50
PLAYED = 28  # orders of the mix, of a round


def played(paths, work):
    """Plays a game of so many lines in a folder; its export."""
    folder, record = work / "daemon", work / "record.jsonl"
    daemon = partner.daemon(paths, folder)
    try:
        fill = partner.fill(paths, daemon.port)
        done = fill.say("match")["seq"] + 1
        for i in range(ROUNDS):
            fill.say(f"play 0 {PLAYED}")
            due = done + (LINES - done) * (i + 1) // ROUNDS
            now = fill.say("chat 0 0")["seq"] + 1
            fill.say(f"chat 0 {due - now}")
        fill.stop()
    finally:
        daemon.stop()
    measure_copies.export(folder / "umpired.db", record)
    return record


class Verify:
    """One run of bench_verify is its own reference."""

    results = {"verify_bare": Result(
        f"{LINES} lines verified, against their signatures and proofs", "ms",
        1.6)}

    def __init__(self, bench):
        self.bench = bench
        self.got = {}

    def setup(self):
        paths = partner.programs(self.bench)
        self.program = self.bench.program("tests/bench/bench_verify")
        self.bench.say(f"  {LINES} lines are played")
        self.record = played(paths, self.bench.work)

    def reference(self):
        return {}

    def subject(self):
        control = ["control"] if self.bench.is_control else []
        self.got = rig.run_json([self.program, str(self.record)] + control)
        if self.got["lines"] != LINES or \
                not DICE[0] <= self.got["dice"] <= DICE[1]:
            raise RuntimeError(f"another record: {json.dumps(self.got)}")
        return {"verify_bare": (self.got["bare_us"] / 1e3,
                                self.got["whole_us"] / 1e3)}

    def details(self, name):
        return self.got

    def teardown(self):
        pass


MEASURES = [Verify]


def main():
    """measure_verify.py BUILT WORK: plays such a record, and keeps it."""
    built, work = map(pathlib.Path, sys.argv[1:])
    names = ("umpired", "tests/bench/echo", "tests/bench/fill",
             "tests/bench/peer")
    print(played({pathlib.Path(n).name: str(built / n) for n in names}, work))


if __name__ == "__main__":
    main()
