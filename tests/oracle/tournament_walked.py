#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Awkward cases of a tournament, each walked by hand from the rules.

What is expected here was worked out on paper (umpire-tournament-record.7 S18
to S20).  tournament.py and `umpire verify` must both come to it.

  tournament_walked.py --umpire COMMAND

Exit status: 0 all as expected, 1 not all, 64 wrong usage.
"""

import argparse
import copy
import json
import os
import shlex
import subprocess
import sys
import tempfile

from forge import OwnEvents, dice_public
from record_clock import time_ms
from record_crypto import sha256, tag
from tournament_maker import DAY, HOUR, Maker
from tournament_verify import verify


def begin(name, n, **settings):
    """A tournament of n, with its lots."""
    maker = Maker("walked %s" % name, events=OwnEvents(), **settings)
    maker.begin()
    for _ in range(n):
        maker.enter()
    maker.say(maker.director, "shut", {})
    for number in sorted(maker.cup.may_check_in()):
        maker.check_in(number)
    maker.start()
    return maker


def events(maker):
    """The events of the last line."""
    return json.loads(maker.raw[-1])["events"]


def pair(maker):
    """The next round."""
    maker.later(DAY + HOUR)
    return maker.pair()


def settle(maker, rnd, values):
    """Rule the legs of a round, in their order: values, or these and bp."""
    legs = [(table, leg) for table in rnd.tables for leg in table.legs]
    for (table, leg), value in zip(legs, values):
        value, *bp = value
        maker.rule("result", {
            **maker.place(rnd, table, leg), "value": value,
            **({"bp": bp[0]} if bp else {})})


def rows(maker):
    """Finish; what the standings say after each one's rank and number."""
    maker.finish()
    return {row[1]: row[2:] for row in events(maker)[0]["rows"]}


def above_the_mean():
    """BPA is rounded down, below 0 too, and is 0 where one game stands."""
    ties = {"ties": ["BPA", "BP"]}
    maker = begin("mean", 6, format="swiss", rounds=1, terms=ties)
    rnd = pair(maker)
    # K = 3, S = 5: side 1 is 25, -20 and -5 thirds above the mean.
    settle(maker, rnd, [("1", 10), ("2", -5), ("=", 0)])
    maker.words = " ! ".join(
        "line %d: round 1, table %d: %s battle points for side 1, by director:"
        " as the rules say" % (len(maker.raw) - 3 + k, k + 1, told)
        for k, told in enumerate((
            "side 1 won, with +10", "side 2 won, with -5", "drawn, with 0"))
    )
    want = {}
    for table, one, two in zip(
        rnd.tables,
        ([2, 8, 10], [0, -7, -5], [1, -2, 0]),
        ([0, -9, -10], [2, 6, 5], [1, 1, 0]),
    ):
        want[table.a], want[table.b] = one, two
    yield maker, want, rows(maker)
    maker = begin("one game", 4, format="swiss", rounds=1, terms=ties)
    rnd = pair(maker)
    settle(maker, rnd, [("1", 333), ("+",)])
    want = {}
    for table, one, two in zip(
        rnd.tables, ([2, 0, 333], [2, 0, 0]), ([0, 0, -333], [0, 0, 0])
    ):
        want[table.a], want[table.b] = one, two
    yield maker, want, rows(maker)


def two_legs():
    """A leg forfeited counts in the sum, but has no battle points."""
    maker = begin("legs", 2, format="roundrobin", mirror=True,
                  terms={"ties": ["BP", "WON"]})
    rnd = pair(maker)
    # 2 and 1 against 0 and 1; in leg 2 b has side 1.
    settle(maker, rnd, [("+",), ("=", 7)])
    table = rnd.tables[0]
    want = {table.a: [2, -7, 1], table.b: [0, 7, 0]}
    yield maker, want, rows(maker)


def no_bye_again():
    """Who won by forfeit has had a bye; then nobody can have one."""
    maker = begin("bye", 3, format="swiss", rounds=3)
    rnd = pair(maker)
    first = events(maker)[0]["bye"][0]
    table = rnd.tables[0]
    settle(maker, rnd, [("+",)])
    rnd = pair(maker)
    yield maker, [table.b], events(maker)[0]["bye"]
    yield maker, {first, table.a}, set(events(maker)[0]["tables"][0])
    settle(maker, rnd, [("=",)])
    # No third round: it ends once a director was silent for ruling_s.
    maker.later(15 * DAY)
    want = {first: 3, table.a: 3, table.b: 2}
    yield maker, want, {n: row[0] for n, row in rows(maker).items()}


def twice_away():
    """A bye between two no-shows leaves them in a row."""
    maker = begin("away", 6, format="swiss", rounds=4,
                  terms={"byes": 1, "out_after": 2})
    rnd = pair(maker)
    away = rnd.tables[0].a
    for number in (1, 2, 3):
        maker.later(4 * DAY)
        for table in rnd.tables:
            if away not in (table.a, table.b):
                maker.rule("result", {
                    **maker.place(rnd, table, table.legs[0]), "value": "1"})
                continue
            side = 1 if table.b == away else 2
            maker.open_game(rnd, table, table.legs[0], side)
            maker.claim(maker.entrants[table.other(away)], rnd, table,
                        table.legs[0])
            out = [e for e in events(maker) if e["e"] == "out"]
            want = [{"e": "out", "entrant": away, "from": 4}]
            yield maker, want if number == 3 else [], out
        if number == 1:
            maker.say(maker.entrants[away], "bye",
                      {"round": 2, "take": True})
        rnd = pair(maker)
        said = events(maker)[0]
        yield maker, [away] if number == 1 else [], said["absent"]


def late_half():
    """Of the rounds before a late entry only the last gives half a point."""
    maker = begin("late", 4, format="swiss", rounds=3, late_entry=3,
                  terms={"ties": ["BH/C1", "BH"]})
    for _ in (1, 2):
        settle(maker, pair(maker), [("1",), ("1",)])
    late = maker.enter()
    maker.admit(late)
    rnd = pair(maker)
    table = next(t for t in rnd.tables if late in (t.a, t.b))
    settle(maker, rnd, [("=",)] * len(rnd.tables))
    got = rows(maker)
    # Two rounds against nobody, of 2 each; then who they met.
    met = got[table.other(late)][0]
    yield maker, [2, 2 + met, 4 + met], got[late]


def protest_lapses():
    """An answer that comes late does not prolong what a protest held up."""
    maker = begin("protest", 4, format="swiss", rounds=2,
                  terms={"pair": "director"})
    settle(maker, pair(maker), [("1",), ("1",)])
    first = maker.say(maker.entrants[1], "protest",
                      {"round": 1, "why": maker.text("unfair")})
    maker.later(10 * DAY)
    maker.rule("answer", first)
    # It held for protest_s, two days; ruling_s is fourteen.
    maker.later(6 * DAY + HOUR)
    maker.pair(maker.entrants[2])
    yield maker, 2, events(maker)[0]["round"]


def both_leave():
    """Two who were to meet leave: their table is done in that line."""
    maker = begin("leave", 4, format="swiss", rounds=3)
    rnd = pair(maker)
    table = rnd.tables[1]
    maker.say(maker.entrants[table.a], "withdraw", {"from": 2})
    yield maker, [], events(maker)
    maker.say(maker.entrants[table.b], "withdraw", {"from": 3})
    # Who leaves later is there for the round that is paired next.
    yield maker, [], events(maker)
    maker.say(maker.entrants[table.b], "withdraw", {"from": 2})
    yield maker, [{"e": "result", "round": 1, "table": 2, "leg": 1,
                   "result": "--", "bp": 0, "how": "out"}], events(maker)


def claimed_backwards():
    """All rounds at once: a no-show of round 1 that is claimed after that of
    round 2 stands before it in the row."""
    maker = begin("backwards", 4, format="roundrobin", rounds=1,
                  terms={"concurrent": True, "out_after": 2})
    rounds = [maker.pair() for _ in range(3)]
    away = rounds[0].tables[0].a
    maker.later(4 * DAY)
    for number in (2, 1):
        rnd = rounds[number - 1]
        table = rnd.table_of(away)
        other = table.other(away)
        maker.open_game(rnd, table, table.legs[0],
                        1 if table.a == other else 2)
        maker.claim(maker.entrants[other], rnd, table, table.legs[0])
        want = [{"e": "out", "entrant": away, "from": 3}]
        yield maker, want if number == 1 else [], [
            e for e in events(maker) if e["e"] == "out"]
    # Their table of round 3 is lost with that.
    yield maker, ["out"], [e["how"] for e in events(maker)
                           if e["e"] == "result" and e["round"] == 3]


def claimed_after_the_row():
    """All rounds at once: where a table and those before it are a row, later
    ones that were claimed before say nothing of the round."""
    for order, out_after, want in (
        ((3, 2, 1), 1, [4, 3, 2]),
        ((1, 3, 2), 2, [3]),
        ((3, 1, 2), 3, [4]),
    ):
        maker = begin("row %d" % out_after, 6, format="roundrobin", rounds=1,
                      terms={"concurrent": True, "out_after": out_after})
        rounds = [maker.pair() for _ in range(5)]
        away = rounds[0].tables[0].a
        maker.later(4 * DAY)
        got = []
        for number in order:
            rnd = rounds[number - 1]
            table = rnd.table_of(away)
            other = table.other(away)
            maker.open_game(rnd, table, table.legs[0],
                            1 if table.a == other else 2)
            maker.claim(maker.entrants[other], rnd, table, table.legs[0])
            got += [e["from"] for e in events(maker) if e["e"] == "out"]
        yield maker, want, got


def even(maker, rnd, table):
    """A game that has had its turns, in which neither side is ahead."""
    forge = maker.open_game(rnd, table, table.legs[0])
    forge.begin_play()
    forge.end_turn()
    forge.end_turn()
    maker.keep(forge)


def late_and_even():
    """A game of a knockout that is over time, and even, is played off; what
    is ruled even without a game is not."""
    maker = begin("even", 4, format="knockout", late="draw")
    rnd = pair(maker)
    table, other = rnd.tables
    even(maker, rnd, table)
    maker.rule("result", {**maker.place(rnd, other, other.legs[0]),
                          "value": "="})
    yield maker, 1, len(other.legs)
    maker.later(15 * DAY)
    maker.claim(maker.director, rnd, table, table.legs[0])
    yield maker, ["="], [e["result"] for e in events(maker)]
    yield maker, 2, len(table.legs)
    # In it b has side 1, and wins.
    maker.rule("result", {**maker.place(rnd, table, table.legs[1]),
                          "value": "1"})
    rnd = pair(maker)
    yield maker, True, table.b in (rnd.tables[0].a, rnd.tables[0].b)


def take_back(game, seat, since):
    """Offer to take a line of a game back, and have it accepted."""
    to = game.seq()
    game.say(seat, "offer", {"what": "takeback", "from": since})
    place = "p/%d" % game.epoch
    line = game.order(3 - seat, "accept", {"to": to}, place, after=to)
    beta = game.own(3 - seat, place)[1]
    game.move(sha256(tag("pool/1"), game.pool, beta))
    game.write("order", {**line, "pool": game.pool.hex(), "events": []})


def change(game):
    """Change a unit by agreement; the line that does."""
    to = game.seq()
    game.say(1, "propose", {
        "what": "adjust", "units": [{"id": "ru-b", "strength": 3}]})
    line = game.order(2, "accept", {"to": to}, after=to)
    game.write("order", {**line, "events": []})
    return to + 1


def told_of_games():
    """What verify tells of games is true of them: a change that was taken back
    is none; who resigns in play, before both have moved, forfeits; a record
    that is closed when the game is over ends no game."""
    maker = begin("told", 2, format="roundrobin")
    rnd = pair(maker)
    table = rnd.tables[0]
    game = maker.open_game(rnd, table, table.legs[0])
    game.begin_play()
    since = change(game)
    take_back(game, 1, since)
    change(game)
    game.finish_by("resign", 1)
    maker.end_game(game)
    game.write("server", {"what": "closed", "data": {
        "why": game.text("moved")}, "events": []})
    maker.keep(game)
    maker.words = (
        "! closed round 1, table 1: the operator ended the record of the game "
        "%.12s ! forfeit round 1, table 1: %s, resigned before both had moved "
        "! changed round 1, table 1: 1 change of units by agreement" % (
            game.game.hex(), maker.entrants[table.a].account))
    yield maker, "-", table.legs[0].result


def before_and_backdated():
    """A claim's draw that is not played off (S19.7): it hangs on the pairing's
    time, and on the latest that anybody named up to it."""
    old = time_ms("2026-11-28T14:00:00.000Z")
    for ms, ahead, now, verdict in (
        (-1, 0, 0, 0), (0, 0, 0, 1), (-1, 8 * DAY, 0, 1),
        (-1, 0, 599999, 0), (-1, 0, 600000, 1),
    ):
        maker = begin("before %d %d %d" % (ms, ahead, now), 4,
                      format="knockout", late="draw", at=old - 40 * DAY)
        rnd = pair(maker)
        table, other = rnd.tables
        even(maker, rnd, table)
        maker.rule("result", {**maker.place(rnd, other, other.legs[0]),
                              "value": "1"})
        maker.later(15 * DAY)
        # Who has the worse seed claims, and trusts in the leg to come.
        maker.ahead = ahead + old - maker.at - 5 * DAY
        maker.claim(maker.entrants[max(table.a, table.b)], rnd, table,
                    table.legs[0])
        maker.words = (
            "%s's orders were recorded up to 0 s after they were signed and "
            "up to %d days before (lines 15, 16)" % (
                maker.entrants[max(table.a, table.b)].account,
                (maker.ahead + 60000) // DAY))
        yield maker, 2, len(table.legs)
        # A server of others pairs without it; that order names `now`.
        table.legs.remove(table.extra())
        maker.rng.randint = lambda low, _: low
        maker.at = old - 1
        maker.ahead = now + 1 - 60500
        maker.later = lambda _, to=old + ms: setattr(maker, "at", to)
        maker.pair()
        maker.verdict = verdict
        yield maker, verdict, verify(maker.file(), maker.files.get)[0]


def elsewhere(old, number):
    """Two go on with it under another server."""
    maker = Maker("%s %d" % (old.name, number), **{
        **old.settings, "old": old.cup, "server": "server %d" % number})
    maker.at = old.at + DAY
    maker.people, maker.director = old.people, old.director
    for who in maker.people.values():
        who.go_elsewhere()
    maker.files.update({**old.files, old.cup.id.hex(): old.file()})
    terms = {k: v for k, v in old.terms.items() if k != "continues"}
    maker.terms = {
        **terms, "director": maker.director.named(),
        "server_dice": dice_public(maker.server_dice).hex(),
        "entry": {**terms["entry"], "until": maker.time(maker.at + DAY)},
        "continues": {
            "tournament": old.cup.id.hex(), "server": old.cup.server_key,
            "seq": len(old.raw) - 1, "line": old.cup.hashes[-1]}}
    maker.say(maker.director, "create", maker.terms)
    for was, who in old.entrants.items():
        maker.enter(who.account, was=was)
    maker.say(maker.director, "shut", {})
    for was in old.entrants:
        maker.check_in(was)
    maker.start()
    return maker


def sixteen_servers():
    """One goes back over sixteen others in its folder, but over no more, and
    over none where the oldest is not at hand."""
    first = maker = begin("servers", 2, format="roundrobin", rounds=2)
    settle(maker, pair(maker), [("1",)])
    for number in range(1, 18):
        maker = elsewhere(maker, number)
        maker.verdict = 0 if number <= 16 else 2
        if number in (2, 16, 17):
            yield maker, maker.verdict, verify(
                maker.file(), maker.files.get)[0]
        if number == 2:
            short = copy.copy(maker)
            short.verdict = 2
            short.files = {k: v for k, v in maker.files.items()
                           if k != first.cup.id.hex()}
            yield short, 2, verify(short.file(), short.files.get)[0]


def judge(umpire, maker):
    """What `umpire verify` says that it should not; None if nothing."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in {**maker.files, "tournament": maker.file()}.items():
            with open(os.path.join(folder, name + ".jsonl"), "wb") as f:
                f.write(data)
        done, json_done = (
            subprocess.run(umpire + ["verify", *option, folder], text=True,
                           capture_output=True, check=False, timeout=60)
            for option in ([], ["--json"]))
    if done.returncode != getattr(maker, "verdict", 0):
        return done.stdout + done.stderr
    if done.returncode != 0:
        return None
    # Whose clock was how far from the server's.
    told = verify(maker.file(), maker.files.get)[1].split("\nclocks ")[1]
    if json.loads(told) != json.loads(json_done.stdout)["clocks"]:
        return "other clocks than %s: %s" % (told, json_done.stdout)
    words = " ".join(done.stdout.split())
    return None if getattr(maker, "words", "") in words else done.stdout


def main(argv):
    """Walk through all."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--umpire", required=True)
    try:
        args = parser.parse_args(argv)
    except SystemExit as e:
        return 64 if e.code else 0
    bad = walked = 0
    for case in (above_the_mean, two_legs, no_bye_again, twice_away,
                 late_half, protest_lapses, both_leave, claimed_backwards,
                 claimed_after_the_row, late_and_even, told_of_games,
                 before_and_backdated, sixteen_servers):
        for maker, want, got in case():
            walked += 1
            if want != got:
                bad += 1
                print("%s: %s, not %s" % (case.__name__, got, want))
            why = judge(shlex.split(args.umpire), maker)
            if why is not None:
                bad += 1
                print("%s: %s" % (case.__name__, why.strip()))
    print("%d walked: %d not as expected" % (walked, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
