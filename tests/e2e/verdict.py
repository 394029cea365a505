#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Two records for tests/e2e/verdict.sh, made with all keys in hand.

  verdict.py [--other] UMPIRE DIR

writes DIR/fine.jsonl, a game in which nothing wants looking at, DIR/wrong.jsonl,
one in which all does that can go together, and DIR/known, the list of people's
keys, in which the second player of both games has another key than in them.
The same bytes each time. With --other it prints the second game as it went on
before lines of it were lost.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "oracle"))

from forge import UmpireEvents  # noqa: E402
from forge_turns import TurnsForge  # noqa: E402
from forge_turns_cases import CONFIRM, MINUTE, clock  # noqa: E402

HOUR = 60 * MINUTE


def fine(f):
    """Play a combat, and resign."""
    f.begin()
    f.declare(f.plain())
    f.finish()
    f.end_turn()
    f.close()


def begin_wrong(f):
    """Object, take back and change."""
    f.next_order(lambda o: o["args"].update(event="Friday league"))
    f.begin()
    ref = f.text("what was erased")
    f.say(1, "chat", {"ref": ref})
    del f.texts[ref]
    since = f.seq()
    f.declare(f.plain())
    f.object()
    since = f.seq()
    f.declare(f.plain())
    f.finish()
    f.takeback(1, since)
    f.adjust(2, [{"id": "ru-b", "strength": 3}])
    f.put(2, "claim")


def other(f):
    """Go on without a loss."""
    begin_wrong(f)
    f.say(1, "chat", {"ref": f.text("what was lost")})


def wrong(f):
    """Lose lines, and claim by a wrong clock."""
    begin_wrong(f)
    to = f.restored()
    f.accept_restored(to)
    f.all_ready()
    f.skew = {2: 5 * MINUTE}
    f.wait(MINUTE)
    to = f.put(2, "claim")
    f.wait(HOUR)
    f.put(2, "claim", {"to": to})


def main(argv):
    """Write the records."""
    events, folder = UmpireEvents([argv[-2]]), argv[-1]
    settings = {**CONFIRM, **clock(notice_s=3600), "now": True}
    if argv[0] == "--other":
        f = TurnsForge("verdict wrong", events, settings)
        other(f)
        sys.stdout.buffer.write(f.file())
        return
    games = {"fine": (fine, {}), "wrong": (wrong, settings)}
    for name, (play, settings) in games.items():
        f = TurnsForge("verdict " + name, events, settings)
        play(f)
        with open(os.path.join(folder, name + ".jsonl"), "wb") as out:
            out.write(f.file())
    with open(os.path.join(folder, "known"), "w", encoding="utf-8") as out:
        out.write("# as they told me\n")
        out.write("player-1 %s\n" % f.public(1))
        out.write("player-2 %s\n" % f.public(1))


if __name__ == "__main__":
    main(sys.argv[1:])
