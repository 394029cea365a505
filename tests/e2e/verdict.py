#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Records for tests/e2e/verdict.sh, made with all keys in hand.

  verdict.py [--other] UMPIRE DIR

writes DIR/fine.jsonl, a game in which nothing wants looking at, DIR/wrong.jsonl,
one in which all does that can go together, and DIR/known, the list of people's
keys, in which the second player of both games has another key than in them;
and likewise two tournaments with their games, DIR/quiet and DIR/cup.
The same bytes each time. With --other it prints the second game as it went on
before lines of it were lost.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "oracle"))

from forge import UmpireEvents  # noqa: E402
from forge_turns import TurnsForge  # noqa: E402
from forge_turns_cases import CONFIRM, MINUTE, clock  # noqa: E402
from tournament_maker import DAY, Maker, ed_public  # noqa: E402

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


def cup_begin(maker, accounts):
    """Come to the first round."""
    maker.begin()
    for account in accounts:
        maker.enter(account)
    maker.say(maker.director, "shut", {})
    for number in sorted(maker.cup.may_check_in()):
        maker.check_in(number)


def quiet(maker):
    """Two play, and that is all."""
    cup_begin(maker, ("anna", "bert"))
    maker.start()
    rnd = maker.pair()
    maker.play(rnd, rnd.tables[0], rnd.tables[0].legs[0])
    maker.finish()


def changed(maker, rnd, table):
    """A game in which something is said, and changed by agreement."""
    game = maker.open_game(rnd, table, table.legs[0])
    game.at = maker.at
    game.begin_play()
    ref = game.text("what was erased")
    game.say(1, "chat", {"ref": ref})
    del game.texts[ref]
    to = game.seq()
    game.say(1, "propose", {
        "what": "adjust", "units": [{"id": "ru-b", "strength": 3}]})
    line = game.order(2, "accept", {"to": to}, after=to)
    game.write("order", {**line, "events": []})
    game.play_turns(2)
    game.finish_by("resign", 1)
    maker.end_game(game)


def cup_first(maker):
    """Round 1: a game with a change, a no-show, one that nobody rules on."""
    rnd = maker.pair()
    tables = rnd.tables
    maker.rule("result", {**maker.place(rnd, tables[3], tables[3].legs[0]),
                          "value": "="})
    changed(maker, rnd, tables[0])
    maker.play(rnd, tables[2], tables[2].legs[0], "running")
    maker.later(4 * DAY)
    maker.open_game(rnd, tables[1], tables[1].legs[0], 1)
    maker.claim(maker.entrants[tables[1].a], rnd, tables[1],
                tables[1].legs[0])
    maker.later(14 * DAY)
    who = maker.entrants[tables[2].a]
    maker.claim(who, rnd, tables[2], tables[2].legs[0])  # to be ruled on
    maker.later(20 * DAY)
    maker.claim(who, rnd, tables[2], tables[2].legs[0])
    return tables


def cup(maker):
    """What can want looking at, as far as it goes together."""
    cup_begin(maker, ("anna", "bert", "carl", "director", "emma", "fred", "gina",
                      "hans"))
    maker.later(4 * DAY)
    maker.start(alone=True)
    first = cup_first(maker)
    maker.tell("restored", {"seq": maker.seq()})
    maker.later(2 * DAY)
    pairs = [[t.a, t.b] for t in first]
    pairs[1:3] = [[first[1].a, first[2].a], [first[1].b, first[2].b]]
    maker.rule("pairs", {"round": 2, "tables": pairs})
    rnd = maker.cup.rounds[-1]
    maker.play(rnd, rnd.tables[0], rnd.tables[0].legs[0])
    del maker.files[list(maker.games)[-1]]
    maker.play(rnd, rnd.tables[3], rnd.tables[3].legs[0], "running")
    maker.rule("points", {"entrant": first[1].a, "half": 3},
               why="what was erased, too")
    anna = maker.people["anna"]
    maker.tell("operator-key", {
        "account": "anna", "key": ed_public(b"5" * 32),
        "why": maker.text("she lost hers")})
    maker.rule("result", {**maker.place(rnd, rnd.tables[1],
                                        rnd.tables[1].legs[0]), "value": "-"})
    maker.say(anna, "protest", {"round": 2, "why": maker.text("no \x1b[31m")})
    maker.later(15 * DAY)
    maker.claim(maker.entrants[rnd.tables[3].a], rnd, rnd.tables[3],
                rnd.tables[3].legs[0])
    maker.say(maker.entrants[rnd.tables[2].a], "claim", maker.place(
        rnd, rnd.tables[2], rnd.tables[2].legs[0]))
    maker.tell("closed", {"why": maker.text("the club has moved")})


def keep(maker, folder):
    """Write a tournament and its games."""
    gone = [ref for ref, (_, words) in maker.texts.items()
            if words.startswith("what was erased")]
    for ref in gone:
        del maker.texts[ref]
    os.mkdir(folder)
    for name, data in (("tournament", maker.file()), *maker.files.items()):
        with open(os.path.join(folder, name + ".jsonl"), "wb") as out:
            out.write(data)


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
    maker = Maker("quiet", events=events, format="swiss", rounds=1)
    quiet(maker)
    keep(maker, os.path.join(folder, "quiet"))
    maker = Maker("verdict", events=events, format="swiss", rounds=3,
                  witness=True, scheme="live-1", late="director",
                  terms={"out_after": 2})
    cup(maker)
    keep(maker, os.path.join(folder, "cup"))


if __name__ == "__main__":
    main(sys.argv[1:])
