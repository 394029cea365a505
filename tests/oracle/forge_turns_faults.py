# SPDX-License-Identifier: ISC
"""Games by turns with one fault each, for forged_turns.py: answers, cups.

The last line of each game has the fault, which is all that verifying can
find. The other forge_turns_*.py have the rest.
"""

from forge_turns import SecretTurns
from forge_turns_cases import CONFIRM, DIRECTOR, LIVE, case, here

EITHER = (1, 2)
HELD = {**LIVE, "secret": "held", "bag": 9}


def bad(settings=None, bare=1, **more):
    """Enter a case whose last line is bad."""
    return case(settings, 1, bare, **more)


def bad_puts(prefix, settings, before, puts, status=1):
    """Enter cases that end with one order after some play.

    before(f) plays and may return a seq; puts: name -> (seat, kind, args),
    args being a function of that seq or not.
    """
    for name, (seat, kind, args) in puts.items():
        def play(f, seat=seat, kind=kind, args=args):
            seq = before(f)
            f.put(seat, kind, args(seq) if callable(args) else args)

        play.__name__ = prefix + name
        case(settings, status, status)(play)


def begun(f):
    """Begin."""
    f.begin()


def drop(*names):
    """Make a change that leaves members out."""
    def change(value):
        for name in names:
            value.pop(name, None)

    return change


def put(name, value):
    """Make a change that sets a member."""
    return lambda members: members.update({name: value})


# --- Answers ---


def owed_charge(f):
    """Begin, and declare what waits for an answer."""
    f.begin()
    f.declare(f.plain())
    return f.owed["seq"]


def owed_free(f):
    """Begin, and roll dice that wait for an answer."""
    f.begin()
    return f.roll_free()


bad_puts("answer_", LIVE, owed_charge, {
    "own": (1, "answer", lambda s: {"to": s, "say": "agree"}),
    "own_objects": (1, "answer", lambda s: {"to": s, "say": "object"}),
    "to_another": (2, "answer", lambda s: {"to": s - 1, "say": "object"}),
    "then_turn_end": (1, "close", {}),
    "then_close": (2, "close", {}),
    "then_ruling": (1, "ruling", lambda s: {"why": "ab" * 32}),
})
bad_puts("free_answer_", LIVE, owed_free, {
    "no_proof": (2, "answer", lambda s: {"to": s, "say": "agree"}),
    "own": (1, "answer", lambda s: {"to": s, "say": "object"}),
})
bad_puts("answer_nothing_", LIVE, begun, {
    "agree": (2, "answer", {"to": 4, "say": "agree"}),
    "object": (2, "answer", {"to": 4, "say": "object"}),
})
bad_puts("answer_", {**LIVE, "options": {"seats": 4}}, owed_charge, {
    "by_team_mate": (4, "answer", lambda s: {"to": s, "say": "object"}),
})


@bad(LIVE)
def answer_agrees_with_why(f):
    """Only an objection has a reason (S5)."""
    owed_charge(f)
    why = f.text("it is right")
    f.next_order(lambda o: o["args"].update(why=why))
    f.agree()


@bad(CONFIRM)
def answer_confirms_with_why(f):
    """Nor has an answer without a proof, which confirms."""
    owed_charge(f)
    why = f.text("it is right")
    f.next_order(lambda o: o["args"].update(why=why))
    f.agree()


@bad(LIVE)
def answer_agrees_to_dice_with_why(f):
    """Nor one to a free roll."""
    owed_free(f)
    why = f.text("it is right")
    f.next_order(lambda o: o["args"].update(why=why))
    f.agree()


@bad(LIVE)
def answer_without_other(f):
    """Dice fall without the answerer's proof."""
    owed_charge(f)
    f.next_order(drop("place", "other"))
    f.agree()


@bad(LIVE)
def answer_without_place(f):
    """A proof without its place."""
    owed_charge(f)
    f.next_order(drop("place"))
    f.agree()


@bad(LIVE)
def answer_other_tag(f):
    """The proof is an `own`."""
    owed_charge(f)
    f.next_order(lambda o: o.update(other=f.own(2, o["place"])[0].hex()))
    f.agree()


@bad(LIVE)
def answer_other_of_actor(f):
    """The proof is the acting seat's."""
    owed_charge(f)
    f.next_order(lambda o: o.update(
        other=f.own(1, o["place"], "other/1")[0].hex()))
    f.agree()


@bad(LIVE)
def answer_other_place(f):
    """The proof is for another place."""
    owed_charge(f)
    f.next_order(lambda o: o.update(place=o["place"][:-1] + "2"))
    f.agree()


@bad(LIVE)
def answer_dice_without_other_beta(f):
    """The dice do not hang on the answer."""
    owed_charge(f)
    real = f.dice_from
    f.dice_from = lambda seat, place, other: real(seat, place)
    f.agree()


@bad(LIVE, EITHER)
def answer_other_for_question(f):
    """A proof where the answer leads to a question only."""
    f.begin()
    f.declare(f.guns())
    place = f.owed["place"]
    f.next_order(lambda o: o.update(
        place=place, other=f.own(2, place, "other/1")[0].hex()))
    f.agree()
    here(f.combat is not None and f.combat["steps"] == 0)


@bad(CONFIRM)
def confirm_with_other(f):
    """A confirmation in dual-1 carries a proof."""
    owed_charge(f)
    place = f.owed["place"]
    f.next_order(lambda o: o.update(
        place=place, other=f.own(2, place, "other/1")[0].hex()))
    f.agree()


@bad({**LIVE, **CONFIRM})
def confirm_live_without_other(f):
    """A confirmation in live-1 that leads to dice lacks the proof."""
    owed_charge(f)
    f.next_order(drop("place", "other"))
    f.agree()


@bad(CONFIRM, EITHER)
def confirm_skipped(f):
    """A declaration is not confirmed."""
    f.begin()
    f.settings = {}
    f.declare(f.plain())


@bad(LIVE, EITHER)
def live_question_without_answer(f):
    """A declaration that begins with a question owes nothing."""
    f.begin()
    f.asks_first = lambda: False
    f.declare(f.guns())


@bad(LIVE)
def live_free_at_once(f):
    """Free dice fall at once."""
    f.begin()
    f.scheme = "dual-1"
    f.roll_free()


@bad(LIVE, EITHER)
def live_declare_at_once(f):
    """A combat's dice fall at once."""
    f.begin()
    f.scheme = "dual-1"
    f.declare(f.plain())


@bad()
def dual_free_owes(f):
    """Free dice wait in dual-1."""
    f.begin()
    f.scheme = "live-1"
    f.roll_free()


@bad(bare=EITHER)
def dual_declare_owes(f):
    """A combat waits in dual-1 without confirm."""
    f.begin()
    f.settings = CONFIRM
    f.declare(f.plain())


@bad(LIVE)
def owes_actor(f):
    """The answer is owed by the side that acts."""
    f.begin()
    f.next_line(lambda m: m["owes"].update(seat=1))
    f.declare(f.plain())


@bad(LIVE)
def owes_place(f):
    """The answer is owed for another place."""
    f.begin()
    f.next_line(lambda m: m["owes"].update(place="c/1/ru-b/1/2"))
    f.declare(f.plain())


@bad({**LIVE, "options": {"seats": 4}})
def owes_team_mate(f):
    """The answer is owed by seat 4."""
    f.begin()
    f.next_line(lambda m: m["owes"].update(seat=4))
    f.declare(f.plain())


@bad(CONFIRM)
def confirm_without_combat(f):
    """A declaration that waits does not tell what it is."""
    f.begin()
    f.next_line(lambda m: m.update(events=[]))
    f.declare(f.plain())


@bad({**CONFIRM})
def confirm_owes_actor(f):
    """The confirmation is owed by the side that declares."""
    f.begin()
    f.next_line(lambda m: m["owes"].update(seat=1))
    f.declare(f.plain())


@bad(LIVE, EITHER)
def owes_with_dice_events(f):
    """The events tell rolls before the answer."""
    f.begin()
    f.next_line(lambda m: m["events"].append(
        {"e": "roll", "label": "score/fr-a", "sides": 6,
         "dice": [1, 2, 3, 4, 5, 6]}))
    f.declare(f.plain())


@bad(HELD, made=SecretTurns)
def object_to_secret(f):
    """Who has seen the other's card objects."""
    f.begin()
    f.declare(f.facts())
    f.agree()
    f.commit(1)
    f.commit(2)
    here(f.owed is not None)
    f.object()


@bad(HELD, made=SecretTurns, bare=EITHER)
def upkeep_at_once(f):
    """An upkeep die falls at once."""
    f.begin()
    f.scheme = "dual-1"
    f.rest("pr-k")


@bad(HELD, made=SecretTurns)
def upkeep_without_other(f):
    """An upkeep die falls without the answerer's proof."""
    f.begin()
    f.rest("pr-k")
    f.next_order(drop("place", "other"))
    f.agree()


@bad(HELD, made=SecretTurns)
def upkeep_place_after_objection(f):
    """An objection has used up the place."""
    f.begin()
    f.rest("pr-k")
    f.object()
    f.upkeep_place = lambda name: "u/1/%s/2" % name
    f.rest("pr-k")


@bad(LIVE)
def free_place_after_objection(f):
    """An objection has used up a free roll's place."""
    owed_free(f)
    f.object()
    f.frees[1] = 1
    f.roll_free()


@bad(LIVE)
def declare_place_after_objection(f):
    """An objection has used up a combat's place."""
    owed_charge(f)
    f.object()
    f.drawn[(1, "ru-b")] = 1
    f.declare(f.plain())


@bad(LIVE)
def turn_end_while_owed(f):
    """The turn ends while an answer is owed."""
    owed_charge(f)
    f.end_turn()


@bad(LIVE)
def answer_voided(f):
    """What was objected to is agreed to."""
    owed_charge(f)
    owed, combat = dict(f.owed), f.combat
    f.object()
    f.owed, f.combat = owed, combat
    f.agree()


@bad(LIVE, EITHER)
def decide_after_objection(f):
    """After an objection the decision names the voided line."""
    f.begin()
    f.declare(f.guns())
    f.agree()
    here(f.combat is not None and f.combat["ask"]["kind"] == "retire")
    f.choose_decision()
    owing = f.owed["seq"]
    f.object()
    f.next_order(lambda o: o["args"].update(ask=owing))
    f.choose_decision()


# --- Free rolls and cups ---


ITEMS = ["c10", "c2", "a", "c1"]


def cup_made(f):
    """Begin, and make a cup."""
    f.begin()
    return f.cup(1, "make", "b", list(ITEMS))


def cup_drawn(f):
    """Make a cup and draw all of it but one."""
    cup_made(f)
    f.roll_free(cup="b", draw=3)


def cup(do, name="b", items=None):
    """The args of a cup order."""
    args = {"do": do, "cup": name}
    return args if items is None else {**args, "items": items}


bad_puts("cup_", {}, cup_made, {
    "twice": (1, "cup", cup("make", "b", ["x"])),
    "return_in": (1, "cup", cup("return", "b", ["a"])),
    "return_unknown": (1, "cup", cup("return", "b", ["zz"])),
    "shuffle_unknown": (1, "cup", cup("shuffle", "c")),
    "shuffle_out_of_turn": (2, "cup", cup("shuffle")),
    "no_items": (1, "cup", cup("make", "c", [])),
    "items_twice": (1, "cup", cup("make", "c", ["a", "a"])),
    "items_missing": (1, "cup", cup("make", "c")),
    "bad_name": (1, "cup", cup("make", "C", ["a"])),
    "bad_item": (1, "cup", cup("make", "c", ["A"])),
})
bad_puts("cup_", {}, cup_drawn, {
    "return_out_of_turn": (2, "cup", cup("shuffle")),
    "return_twice": (1, "cup", cup("return", "b", ITEMS)),
})
bad_puts("cup_", {}, cup_made, {
    "shuffle_items": (1, "cup", cup("shuffle", "b", ["a"])),
})
bad_puts("cup_", {}, cup_made, {
    "unknown_arg": (1, "cup", {**cup("make", "c", ["a"]), "colour": "red"}),
}, 2)


@bad()
def cup_shuffle_before_start(f):
    """A cup is shuffled before the start."""
    f.create()
    f.cup(1, "make", "b", list(ITEMS))
    f.join(2)
    f.cup(1, "shuffle", "b")


@bad()
def cup_seventeenth(f):
    """A seventeenth cup."""
    f.begin()
    for i in range(17):
        f.cup(1 + i % 2, "make", "cup-%d" % i, ["x"])


@bad()
def cup_chits_too_many(f):
    """More than 2,000 chits in the cups."""
    f.begin()
    for name, count in (("a", 999), ("b", 1000), ("c", 2)):
        f.cup(1, "make", name, ["x%d" % i for i in range(count)])


@bad(LIVE)
def cup_shuffled_while_owed(f):
    """A cup is shuffled while a draw from it is owed."""
    cup_made(f)
    f.roll_free(cup="b", draw=3)
    f.cup(1, "shuffle", "b")


@bad()
def draw_stale(f):
    """A draw that has not seen the last order about its cup."""
    cup_drawn(f)
    before = f.seq() - 1
    f.cup(1, "shuffle", "b")
    f.next_order(lambda o: o.update(after=before, head=f.hashes[before]))
    f.roll_free(cup="b", draw=1)


def draw_changed(change):
    """Make a play whose draw has other chits."""
    def play(f):
        cup_made(f)
        f.next_line(lambda m: change(m["dice"]["rolls"][0]))
        f.roll_free(cup="b", draw=2)

    return play


for name, change in {
    "draw_order": lambda r: r["chits"].reverse(),
    "draw_other": lambda r: r.update(chits=[
        r["chits"][0],
        [c for c in ITEMS if c not in r["chits"]][0]]),
    "draw_strange": lambda r: r.update(chits=["zz", r["chits"][1]]),
    "draw_bag": lambda r: r.update(bag=5),
    "draw_one": lambda r: r["chits"].pop(),
    "draw_label": lambda r: r.update(label="b"),
}.items():
    made = draw_changed(change)
    made.__name__ = name
    bad()(made)


@bad()
def draw_of_chits_that_are_out(f):
    """The second draw is made from the full cup."""
    cup_made(f)
    f.roll_free(cup="b", draw=2)
    f.cups["b"]["out"].clear()
    f.roll_free(cup="b", draw=2)


@bad()
def draw_too_many(f):
    """More chits are drawn than are in."""
    cup_made(f)
    f.roll_free(cup="b", draw=2)
    f.cups["b"]["items"] += ["d", "e"]
    f.roll_free(cup="b", draw=3)


@bad()
def draw_unknown_cup(f):
    """A draw from a cup that nobody made."""
    f.begin()
    f.cups["b"] = {"items": list(ITEMS), "out": {}}
    f.roll_free(cup="b", draw=1)


@bad()
def draw_after_takeback(f):
    """Chits of a draw that was taken back are still out."""
    cup_made(f)
    since = f.roll_free(cup="b", draw=3)
    out = dict(f.cups["b"]["out"])
    f.takeback(1, since)
    f.cups["b"]["out"] = out
    f.roll_free(cup="b", draw=1)


@bad()
def draw_both_forms(f):
    """A free roll of dice and chits."""
    cup_made(f)
    f.next_order(lambda o: o["args"].update(cup="b", draw=1))
    f.roll_free()


@bad()
def free_out_of_turn(f):
    """A free roll of the side that is not in turn."""
    f.begin()
    f.roll_free(2)


@bad()
def free_in_combat(f):
    """A free roll while a combat is open."""
    f.begin()
    f.declare(f.guns())
    f.roll_free()


@bad(DIRECTOR)
def free_of_director(f):
    """The director rolls."""
    f.begin()
    f.roll_free(0)


@bad()
def free_other_dice(f):
    """Dice other than the proof's."""
    f.begin()

    def turn(members):
        dice = members["dice"]["rolls"][0]["dice"]
        dice[0] = dice[0] % 20 + 1

    f.next_line(turn)
    f.roll_free()


@bad()
def free_other_count(f):
    """Other dice than the order asked for."""
    f.begin()
    f.next_order(lambda o: o["args"].update(dice=3))
    f.roll_free()


@bad()
def free_place_taken(f):
    """The same free roll twice."""
    f.begin()
    f.roll_free()
    f.frees[1] = 0
    f.roll_free()
