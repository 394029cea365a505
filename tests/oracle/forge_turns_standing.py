# SPDX-License-Identifier: ISC
"""Games by turns with one fault each: standing orders.

As forge_turns_faults.py; the last line of each game has the fault.
"""

from forge_secret import commitment
from forge_turns_cases import CONFIRM, DIRECTOR, LIVE, here
from forge_turns_faults import EITHER, bad, bad_puts, begun, drop, put

def standing_and_guns(f):
    """Begin, leave a standing order for the guns, and charge them."""
    f.begin()
    f.standing(2, "retire", "all")
    f.declare(f.guns())


def opened_changed(change):
    """Make a play whose standing order is opened otherwise."""
    def play(f):
        f.begin()
        f.standing(2, "stagger", "none")
        f.standing(2, "retire", "all")
        f.next_line(lambda m: change(f, m))
        f.declare(f.guns())

    return play


def opened_too(f, members):
    """Open a standing order that does not act."""
    members["opened"].append(f.told(f.standings[0]))


for name, change, bare in (
    ("missing", lambda f, m: m.pop("opened"), EITHER),
    ("empty", lambda f, m: m.update(opened=[]), 1),
    ("salt", lambda f, m: m["opened"][0].update(salt="ab" * 32), 1),
    ("text", lambda f, m: m["opened"][0].update(
        text=m["opened"][0]["text"].replace("all", "none")), 1),
    ("seat", lambda f, m: m["opened"][0].update(seat=1), 1),
    ("twice", lambda f, m: m["opened"].append(dict(m["opened"][0])), 1),
    ("too_many", opened_too, EITHER),
    ("another", lambda f, m: m.update(
        opened=[f.told(f.standings[0])]), EITHER),
    ("member", lambda f, m: m["opened"][0].update(do="all"), 1),
):
    play = opened_changed(change)
    play.__name__ = "standing_opened_" + name
    bad(bare=bare)(play)


@bad(bare=EITHER)
def standing_answers_otherwise(f):
    """A standing order answers by another word."""
    f.begin()
    f.standing(2, "retire", "all")
    f.standings[-1]["do"] = "none"
    f.declare(f.guns())


@bad(bare=EITHER)
def standing_passed_over(f):
    """A standing order that was passed over acts at the next question."""
    f.begin()
    f.standing(2, "retire", "all")
    f.standings[-1]["dumb"] = True
    f.declare(f.guns())
    here(f.combat is not None and f.combat["ask"]["kind"] == "retire")
    f.choose_decision({"kind": "retire", "units": []})
    f.finish()
    here("ru-g" not in f.gone and "fr-a" not in f.gone)
    f.standings[-1]["dumb"] = False
    f.declare(f.guns())


@bad(bare=EITHER)
def standing_passed_over_by_older(f):
    """An older one acts, and the newer one only later."""
    f.begin()
    f.standing(2, "retire", "none")
    f.standing(2, "retire", "all")
    f.standings[-1]["dumb"] = True
    f.declare(f.guns())
    f.finish()
    here("ru-g" not in f.gone and "fr-a" not in f.gone
         and f.roster[1]["fr-a"]["strength"] > 1)
    f.standings[-1]["dumb"] = False
    f.declare(f.guns())


@bad(bare=EITHER)
def standing_not_heeded(f):
    """A standing order that is open does not act again."""
    standing_and_guns(f)
    f.finish()
    here("ru-g" not in f.gone and "fr-a" not in f.gone
         and f.roster[1]["fr-a"]["strength"] > 1)
    f.standings[-1]["dumb"] = True
    f.declare(f.guns())
    here(f.combat is not None and f.combat["ask"]["kind"] == "retire")


@bad(bare=EITHER)
def standing_withdrawn_acts(f):
    """A withdrawn one acts."""
    f.begin()
    f.put(2, "note", {"to": f.standing(2, "retire", "all"),
                      "say": "withdraw"})
    f.declare(f.guns())


@bad(bare=EITHER)
def standing_of_the_other_side(f):
    """A standing order of the wrong side acts."""
    f.begin()
    f.standing(1, "retire", "all")
    f.standings[-1]["side"] = 2
    f.declare(f.guns())


@bad(bare=EITHER)
def standing_older_acts(f):
    """Of two the older one acts, and the end tells of the newer."""
    f.begin()
    f.standing(2, "retire", "none")
    f.standing(2, "retire", "all")
    f.standings.reverse()
    f.declare(f.guns())
    f.finish()
    f.close()


@bad(bare=EITHER)
def standing_passed_over_to_the_end(f):
    """One that was passed over is told of at the end only."""
    f.begin()
    f.standing(2, "retire", "all")
    f.standings[-1]["dumb"] = True
    f.declare(f.guns())
    here(f.combat is not None and f.combat["ask"]["kind"] == "retire")
    f.put(1, "resign")
    f.close()


@bad(bare=EITHER)
def standing_passed_over_then_withdrawn(f):
    """It was withdrawn after it had been passed over."""
    f.begin()
    f.standing(2, "retire", "all")
    f.standings[-1]["dumb"] = True
    f.declare(f.guns())
    here(f.combat is not None and f.combat["ask"]["kind"] == "retire")
    f.withdraw(2, f.standings[-1]["seq"])
    f.put(1, "resign")
    f.close()


@bad({**LIVE}, EITHER)
def standing_live_too_early(f):
    """In live-1 it acts before the declaration is agreed to."""
    f.begin()
    f.standing(2, "retire", "all")
    f.asks_first = lambda: False
    f.declare(f.guns())


@bad({**LIVE}, EITHER)
def standing_live_without_other(f):
    """The dice that a standing order leads to fall without the proof."""
    standing_and_guns(f)
    f.agree()
    f.next_order(drop("place", "other"))
    f.agree()


@bad({**LIVE}, EITHER)
def standing_live_at_once(f):
    """An answer without the proof lets dice fall by a standing order."""
    standing_and_guns(f)
    f.scheme = "dual-1"
    f.agree()


@bad({**LIVE}, EITHER)
def standing_live_other_too_early(f):
    """An answer has a proof before the standing order is opened."""
    standing_and_guns(f)
    f.needs_roll = lambda: True
    f.agree()


@bad({**LIVE})
def standing_live_objection(f):
    """Once the standing order is opened, nothing is left to object to."""
    standing_and_guns(f)
    f.agree()
    f.object()


@bad({**LIVE})
def standing_live_owes_other_seat(f):
    """The answer is owed again by the other side."""
    standing_and_guns(f)
    f.next_line(lambda m: m["owes"].update(seat=1))
    f.agree()


@bad({**CONFIRM}, EITHER)
def standing_acts_unconfirmed(f):
    """A standing order acts before the confirmation."""
    f.begin()
    f.standing(2, "retire", "all")
    f.settings = {}
    f.declare(f.guns())


def left(f):
    """Begin and leave two standing orders, one of them withdrawn."""
    f.begin()
    f.standing(1, "retire", "all")
    f.withdraw(1, f.standing(1, "stagger", "none"))
    f.standing(2, "stagger", "none")


def closing(change):
    """Make a play whose end opens other standing orders."""
    def play(f):
        left(f)
        f.put(1, "close")
        rest = [f.told(s) for s in f.standings]
        f.put(2, "close", **change(rest))

    return play


for name, change in {
    "unopened": lambda rest: {},
    "empty": lambda rest: {"opened": []},
    "order": lambda rest: {"opened": rest[::-1]},
    "two": lambda rest: {"opened": rest[1:]},
    "not_the_withdrawn": lambda rest: {"opened": [rest[0], rest[2]]},
    "one_twice": lambda rest: {"opened": rest[:2] + rest[1:2]},
    "salt": lambda rest: {"opened": [
        {**rest[0], "salt": "ab" * 32}] + rest[1:]},
}.items():
    play = closing(change)
    play.__name__ = "standing_close_" + name
    bad()(play)


@bad()
def standing_close_too_early(f):
    """The first close opens."""
    left(f)
    f.put(1, "close", opened=[f.told(s) for s in f.standings])


@bad(bare=EITHER)
def standing_close_again(f):
    """What has acted is opened again at the end."""
    standing_and_guns(f)
    f.finish()
    f.put(1, "close")
    f.put(2, "close", opened=[f.told(f.standings[0])])


@bad()
def standing_opened_by_turn_end(f):
    """A turn.end opens."""
    left(f)
    f.next_line(put("opened", [f.told(f.standings[0])]))
    f.end_turn()


def standing_order(f):
    """Begin, and leave a standing order; return its commitment."""
    f.begin()
    f.standing(1, "retire", "all")
    salt = f.standings[-1]["salt"]
    return commitment(
        {"game": f.game, "seat": 1, "ask": f.seq() - 2},
        {"salt": salt, "text": f.standings[-1]["text"]},
    )


bad_puts("standing_", {}, standing_order, {
    "repeated": (1, "standing", lambda c: {"commit": c}),
    "short": (1, "standing", {"commit": "ab"}),
    "missing": (1, "standing", {}),
    "declined": (2, "note", {"to": 4, "say": "decline"}),
    "withdrawn_by_other": (2, "note", {"to": 4, "say": "withdraw"}),
    "accepted": (2, "accept", {"to": 4}),
})
bad_puts("standing_", {"options": {"seats": 4}}, lambda f: (
    f.begin(), f.standing(1, "retire", "all"))[1], {
        "withdrawn_by_mate": (
            3, "note", lambda s: {"to": s, "say": "withdraw"})})
bad_puts("standing_", DIRECTOR, begun, {
    "of_director": (0, "standing", {"commit": "ab" * 32}),
})


@bad()
def standing_withdrawn_twice(f):
    """It is withdrawn twice."""
    f.begin()
    seq = f.standing(1, "retire", "all")
    f.withdraw(1, seq)
    f.withdraw(1, seq)


@bad()
def standing_thirty_third(f):
    """One more than a seat may have."""
    f.begin()
    for i in range(32):
        f.standing(1, "retire", "all")
    f.withdraw(1, f.standings[0]["seq"])
    f.standing(1, "retire", "all")
    f.standing(1, "retire", "all")


@bad()
def standing_of_commitment(f):
    """The commitment covers another line."""
    f.begin()
    f.standing(2, "retire", "all")
    f.say(1, "chat", {"ref": f.text("now")})
    f.standings[-1]["salt"] = "cd" * 32
    f.put(1, "close")
    f.put(2, "close", opened=[f.told(f.standings[0])])
