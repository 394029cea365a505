#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
A record of each kind of tournament that pages may have to tell, by the makers
of tests/oracle.

  cup_kinds.py DIR [KIND...]    writes DIR/KIND.jsonl, and prints each kind,
                                what tests/tools/pager is to show it as (-), and
                                of which of its pages pages_browse.py takes
                                pictures
"""

import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, "oracle"))

from tournament_maker import DAY, HOUR, Maker  # noqa: E402
from tournament_play import go_on, play  # noqa: E402

CLUBS = ("vienna", "graz", "brno", "linz")
NAMES = ("Anna Kolowrat", "Bertram of the Hills", "Jérôme Bonaparte",
         "Clara Wieck", "Dmitry Petrov", "Łukasz Żółkiewski", "Émilie du Pré",
         "Fritz von und zu Stein")
# Letters from the right, with marks, wide ones, one word without a break.
ODD = ("יהודה בן שמעון", "محمد بن عبد الله", "Z\u0335a\u0308l\u0323g\u0303o\u0332 of the Marks", "小林一茶 小林一茶 小林一",
       "Donaudampfschifffahrtsgesellschaft", "W W W W W W W W W W W W W W W W",
       "İıİıİı ſſſſ", "a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307 b")
ACCOUNTS = ("w" * 32, "a-very-long-account.name_of-32ch", "m.m.m.m.m.m.m.m",
            "x" * 31 + "1", "l" * 32, "k_" * 16, "q-" * 16, "0123456789" * 3)
REASON = ("The table was knocked over in turn four; both players, asked apart, "
          "gave the same account of where each battalion had stood. ")
SPACE = re.compile(rb'\{"text":"')


def opened(name, n, clubs=True, **settings):
    """A tournament of n who have entered."""
    maker = Maker("looks %s" % name, **settings)
    maker.begin()
    for i in range(n):
        more = {"name": maker.text(NAMES[i])} if i < len(NAMES) else {}
        if clubs:
            more["club"] = CLUBS[i % len(CLUBS)]
        maker.enter(**more)
    return maker


def begun(name, n, missing=(), **settings):
    """The same with its lots."""
    maker = opened(name, n, **settings)
    maker.say(maker.director, "shut", {})
    for number in sorted(maker.cup.may_check_in()):
        if number not in missing:
            maker.check_in(number)
    if missing:
        maker.later(3 * DAY)
    maker.start()
    return maker


def pair(maker):
    """The next round."""
    maker.later(DAY + HOUR)
    return maker.pair()


def legs(rnd):
    """Those that wait."""
    return [(table, leg) for table in rnd.tables for leg in table.legs
            if not leg.done()]


def settle(maker, rnd, values="12=", skip=0):
    """Rules all legs of a round but some, results in turn."""
    for i, (table, leg) in enumerate(legs(rnd)[skip:]):
        value = values[i % len(values)]
        bp = {"1": 17, "2": -9, "=": 2}.get(value)
        maker.rule("result", {
            **maker.place(rnd, table, leg), "value": value,
            **({} if bp is None else {"bp": bp})})


def rounds(maker, n, values="12=1"):
    """So many rounds."""
    for i in range(n):
        rnd = pair(maker)
        settle(maker, rnd, values[i % 3:] + values[:i % 3])
    return maker


def no_shows(maker, rnd):
    """Nobody comes to a round, or one to a table: each leg is claimed."""
    maker.later(4 * DAY)
    for table, leg in legs(rnd):
        who = maker.director
        if leg.game is not None:
            state = maker.cup.track(leg.game).states[-1]
            who = maker.entrants[table.entrant(next(iter(state.come)), leg)]
        maker.claim(who, rnd, table, leg)


# ---- kinds ----


def nobody():
    """Zero entrants."""
    return opened("nobody", 0)


def entries():
    """Before its start, of whom some are to be admitted."""
    maker = opened("entries", 6, format="swiss", rounds=3, admit="director")
    for number in (1, 2, 4):
        maker.admit(number)
    maker.admit(3, "no")
    maker.say(maker.entrants[6], "withdraw", {"from": 1})
    return maker


def checkin():
    """Some have checked in."""
    maker = opened("checkin", 5)
    maker.say(maker.director, "shut", {})
    for number in (1, 3):
        maker.check_in(number)
    return maker


def none_came():
    """Only one has checked in: it is over before a round."""
    return begun("none came", 4, missing=(1, 2, 4), format="swiss", rounds=3)


def drawn():
    """Lots are drawn, and nothing is paired."""
    return begun("drawn", 7, missing=(5,), format="swiss", rounds=3)


def paired():
    """A round is paired, and nothing has begun."""
    maker = begun("paired", 7, format="swiss", rounds=3)
    pair(maker)
    return maker


def robin():
    """A round robin to its end, with somebody left out each round."""
    maker = rounds(begun("robin", 7), 7)
    maker.finish()
    return maker


def double():
    """A double round robin with games of two legs, in the middle."""
    maker = begun("double", 4, mirror=True, rounds=2)
    rounds(maker, 2)
    rnd = pair(maker)
    table = rnd.tables[0]
    maker.play(rnd, table, table.legs[0], "agreed")
    maker.play(rnd, table, table.legs[1], "running")
    table = rnd.tables[1]
    maker.open_game(rnd, table, table.legs[0])
    return maker


def concurrent():
    """A round robin whose rounds are played at once."""
    maker = begun("concurrent", 6, terms={"concurrent": True})
    for _ in range(5):
        settle(maker, pair(maker), skip=1)
    return maker


def knockout():
    """A knockout of many, with a match for the third place."""
    maker = begun("knockout", 11, format="knockout", terms={"third": True})
    while maker.cup.next_round() <= maker.cup.last_round():
        settle(maker, pair(maker), "1212")
    maker.finish()
    return maker


def semifinal():
    """A knockout that goes on."""
    maker = begun("semifinal", 8, format="knockout")
    settle(maker, pair(maker), "12")
    rnd = pair(maker)
    maker.play(rnd, rnd.tables[0], rnd.tables[0].legs[0], "running")
    return maker


def swiss_knockout():
    """A Swiss, then a knockout."""
    maker = rounds(begun("swiss knockout", 9, format="swiss+knockout",
                         rounds=3, cut=4), 3)
    while maker.cup.next_round() <= maker.cup.last_round():
        settle(maker, pair(maker), "12")
    maker.finish()
    return maker


def long():
    """A Swiss of many rounds."""
    maker = rounds(begun("long", 26, format="swiss", rounds=15), 15)
    maker.finish()
    return maker


def all_ties():
    """All tie-breaks there are."""
    maker = rounds(begun("all ties", 8, format="swiss", rounds=4, terms={
        "ties": ["DE", "BH", "BH/C1", "BH/C2", "BH/M1", "FB", "SB", "WIN",
                 "WON", "PS", "REP", "BPG", "BP", "BPA"], "lots": True}), 3)
    settle(maker, pair(maker), "1=-+")
    maker.finish()
    return maker


def expelled():
    """Expelled, withdrawn, back, late, byes, points, apart, by hand."""
    maker = begun("expelled", 10, format="swiss", rounds=5, late_entry=3,
                  terms={"byes": 1, "bye_points": "half"})
    say = maker.say
    settle(maker, pair(maker), "1=2", 1)
    rnd = maker.cup.rounds[-1]
    settle(maker, rnd, ("-",))
    say(maker.entrants[2], "withdraw", {"from": 2})
    maker.rule("expel", {"entrant": 3, "from": 2, "games": "forfeit"},
               why="They wrote to the umpire as their opponent.")
    say(maker.entrants[4], "bye", {"round": 2, "take": True})
    maker.admit(maker.enter(), "yes")
    settle(maker, pair(maker), "+1")
    maker.rule("back", {"entrant": 2, "from": 3}, maker.deputy,
               why="Back from the hospital.")
    maker.rule("points", {"entrant": 1, "half": -1}, why="Late by an hour.")
    maker.rule("points", {"entrant": 5, "half": 2})
    maker.rule("apart", {"entrants": [5, 6], "from": 3, "to": 4},
               why="They share a house.")
    pair(maker)
    here = maker.cup.is_in(3)
    maker.rule("pairs", {"round": 3, "tables": [
        here[i:i + 2] for i in range(0, len(here) - 1, 2)],
        **({"bye": here[-1]} if len(here) % 2 else {})}, maker.deputy)
    maker.rule("extend", {"round": 3, "seconds": 86400})
    maker.rule("rules", {"version": "lasalle2/1", "from": 4})
    return maker


def shunned():
    """Both forfeit: nobody comes to any table."""
    maker = begun("shunned", 6, format="swiss", rounds=3,
                  terms={"out_after": 9})
    no_shows(maker, pair(maker))
    rnd = pair(maker)
    table = rnd.tables[0]
    maker.open_game(rnd, table, table.legs[0])
    no_shows(maker, rnd)
    return maker


def ruled():
    """Ruled results, one that is awaited, games called off and again."""
    maker = begun("ruled", 8, format="swiss", rounds=3)
    rnd = pair(maker)
    at = rnd.tables
    maker.play(rnd, at[0], at[0].legs[0], "stopped")
    maker.play(rnd, at[1], at[1].legs[0], "cancel")
    maker.play(rnd, at[2], at[2].legs[0], "resign")
    maker.rule("replay", maker.place(rnd, at[2], at[2].legs[0]),
               why="The wrong scenario was on the table.")
    maker.rule("result", {**maker.place(rnd, at[3], at[3].legs[0]),
                          "value": "=", "bp": 12}, why=REASON * 12)
    by = at[0].a
    maker.say(maker.entrants[by], "protest",
              {"round": 1, "table": 1, "why": maker.text("unfair")})
    seq = maker.say(maker.entrants[at[1].b], "protest",
                    {"round": 1, "why": maker.text("unfair")})
    maker.rule("answer", seq, maker.deputy, why="Heard, and refused.")
    return maker


def stopped():
    """A director stops it before its last round."""
    maker = rounds(begun("stopped", 6, format="swiss", rounds=5), 2)
    maker.say(maker.director, "stop",
              {"round": 2, "why": maker.text("The hall burns.")})
    maker.finish()
    return maker


def halted():
    """The rules failed."""
    maker = rounds(begun("halted", 6, format="swiss", rounds=5), 1)
    pair(maker)
    maker.tell("fault", {"seq": maker.seq() - 1, "text": "assertion failed"})
    return maker


def closed():
    """The operator has closed it while it was played."""
    maker = rounds(begun("closed", 6, format="swiss", rounds=5), 1)
    pair(maker)
    maker.tell("closed", {"why": maker.text("The club has ended.")})
    return maker


def restored():
    """The server lost lines, twice, and says so."""
    maker = begun("restored", 6, format="swiss", rounds=3)
    maker.tell("restored", {"seq": maker.seq()})
    rounds(maker, 1)
    maker.tell("restored", {"seq": maker.seq()})
    pair(maker)
    return maker


def witnessed():
    """Dice have three hands, and the lots were drawn without the third."""
    maker = opened("witnessed", 5, witness=True, scheme="live-1")
    maker.say(maker.director, "shut", {})
    for number in sorted(maker.cup.may_check_in()):
        maker.check_in(number)
    maker.later(5 * DAY)
    maker.start(alone=True)
    settle(maker, pair(maker))
    return maker


def director_plays():
    """The director plays, and loses all keys."""
    maker = Maker("looks director plays", format="swiss", rounds=3)
    maker.begin()
    maker.enter("director", name=maker.text("Anna Kolowrat"))
    for _ in range(4):
        maker.enter()
    maker.new_key(maker.entrants[2], True)
    maker.say(maker.director, "shut", {})
    for number in sorted(maker.cup.may_check_in()):
        maker.check_in(number)
    maker.start()
    rnd = pair(maker)
    for table, leg in legs(rnd):
        maker.play(rnd, table, leg, "resign")
    return maker


def names():
    """Very long and odd names of all there is."""
    maker = Maker("looks names", format="swiss", rounds=3,
                  event="W" * 64, terms={"ties": ["DE", "BH/C1", "BPA"]})
    maker.begin()
    for account, name in zip(ACCOUNTS, ODD):
        maker.enter(account, name=maker.text(name), club="c" * 32)
    maker.say(maker.director, "shut", {})
    for number in sorted(maker.cup.may_check_in()):
        maker.check_in(number)
    maker.start()
    rnd = pair(maker)
    for i, (table, leg) in enumerate(legs(rnd)):
        maker.rule("result", {
            **maker.place(rnd, table, leg), "value": "=1"[i % 2]},
            why=("نص من اليمين إلى اليسار 123 (أ)", "x" * 4000,
                 "a\u0301" * 1300, "two\nlines")[i % 4])
    rounds(maker, 2)
    maker.finish()
    return maker


def continued():
    """It goes on under another server."""
    old = rounds(begun("continued", 6, format="swiss", rounds=3), 1)
    new = go_on(old, "looks", len(old.raw) - 1)
    new.before = old.file()
    return new


def played():
    """Whole, with all that may happen, as chance will have it."""
    return play("looks", 7, format="swiss", rounds=4, late_entry=2,
                terms={"byes": 1})


def forged():
    """A line of it does not hold."""
    maker = rounds(begun("forged", 6, format="swiss", rounds=3), 2)
    maker.raw[-1] = maker.raw[-1].replace(b'"mark":"', b'"mark":"0', 1)[:-3]
    maker.raw[-1] += b'"}'
    return maker


# What is shown, how it is made, and as what (pager's HOW).
KINDS = {
    "nobody": nobody, "entries": entries, "checkin": checkin,
    "none-came": none_came, "drawn": drawn, "paired": paired, "robin": robin,
    "double": double, "concurrent": concurrent, "knockout": knockout,
    "semifinal": semifinal, "swiss-knockout": swiss_knockout, "long": long,
    "all-ties": all_ties, "expelled": expelled, "shunned": shunned,
    "ruled": ruled, "stopped": stopped, "halted": halted, "closed": closed,
    "restored": restored, "witnessed": witnessed,
    "director-plays": director_plays, "names": names, "continued": continued,
    "played": played, "forged": forged, "erased": names,
    "forked": paired, "lost": restored, "short": robin, "away": semifinal,
    "checked": robin, "partly": ruled, "bad": robin,
}
AS = ("forked", "lost", "short", "away", "checked", "partly", "bad")
WHOLE = ("robin", "double", "knockout", "swiss-knockout", "long", "all-ties",
         "expelled", "shunned", "ruled", "names", "none-came", "drawn")


def main(folder, *wanted):
    """All of them, or those that are wanted."""
    os.makedirs(folder, exist_ok=True)
    made = {}
    for kind, make in KINDS.items():
        if wanted and kind not in wanted:
            continue
        random.seed(kind)
        if make not in made:
            made[make] = make()
        data = made[make].file()
        if kind == "erased":
            data = b"".join(row for row in data.splitlines(keepends=True)
                            if not SPACE.match(row))
        data = getattr(made[make], "before", b"") + data
        with open(os.path.join(folder, kind + ".jsonl"), "wb") as f:
            f.write(data)
        print(kind, kind if kind in AS else "-",
              "cup" if kind in WHOLE else "front")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
