# SPDX-License-Identifier: ISC
"""Games by turns with one fault each: offers, adjustments, taking back.

As forge_turns_faults.py; the last line of each game has the fault.
"""

from forge_turns import OtherTurns, SecretTurns
from forge_turns_cases import DIRECTOR, LIVE, case, clock, filled, full, here
from forge_turns_cases import joins, passed_round
from forge_turns_faults import EITHER, bad, bad_puts, begun, drop
from forge_turns_faults import owed_charge, owed_free, put

# --- Offers ---


def offered(f):
    """Begin, and offer a draw."""
    f.begin()
    return f.put(1, "offer", {"what": "draw"})


def to(seq):
    """The args of an accept."""
    return {"to": seq}


bad_puts("offer_", {}, begun, {
    "winner_0": (1, "offer", {"what": "victory", "winner": 0}),
    "winner_missing": (1, "offer", {"what": "victory"}),
    "truce_0": (1, "offer", {"what": "truce", "turns": 0}),
    "truce_100": (1, "offer", {"what": "truce", "turns": 100}),
    "pause_without_clock": (1, "offer", {"what": "pause", "days": 1}),
    "takeback_of_ready": (1, "offer", {"what": "takeback", "from": 3}),
    "takeback_of_future": (1, "offer", {"what": "takeback", "from": 9}),
    "why_text": (1, "offer", {"what": "draw", "why": "because"}),
    "draw_winner": (1, "offer", {"what": "draw", "winner": 1}),
})
bad_puts("offer_", {}, begun, {
    "unknown": (1, "offer", {"what": "marriage"}),
    "unknown_arg": (1, "offer", {"what": "draw", "till": 9}),
}, 2)
bad_puts("accept_", {}, offered, {
    "own_side": (1, "accept", to),
    "another": (2, "accept", lambda s: {"to": s - 1}),
    "itself": (2, "accept", lambda s: {"to": s + 1}),
    "why": (2, "note", lambda s: {"to": s, "say": "refuse"}),
    "own_decline": (1, "note", lambda s: {"to": s, "say": "decline"}),
    "other_withdraw": (2, "note", lambda s: {"to": s, "say": "withdraw"}),
})
bad_puts("offer_", {"options": {"takeback": False}}, lambda f: (
    f.begin(), f.roll_free())[1], {
        "takeback_off": (
            1, "offer", lambda s: {"what": "takeback", "from": s})})
bad_puts("offer_", DIRECTOR, begun, {
    "of_director": (0, "offer", {"what": "draw"}),
})
bad_puts("offer_", clock(), begun, {
    "pause_0": (1, "offer", {"what": "pause", "days": 0}),
    "pause_367": (1, "offer", {"what": "pause", "days": 367}),
})


@bad()
def offer_before_start(f):
    """A draw is offered before the start."""
    f.create()
    f.join(2)
    f.put(1, "offer", {"what": "draw"})


@bad()
def offer_ninth(f):
    """A ninth offer of a side."""
    f.begin()
    for _ in range(9):
        f.put(2, "offer", {"what": "draw"})


def accept_after(play):
    """Enter a case where a draw is accepted that is no longer open."""
    def whole(f):
        seq = offered(f)
        play(f, seq)
        f.accept(2, seq)

    whole.__name__ = "accept_" + play.__name__
    bad()(whole)
    return play


@accept_after
def declined(f, seq):
    """Declined."""
    f.put(2, "note", {"to": seq, "say": "decline"})


@accept_after
def withdrawn(f, seq):
    """Withdrawn."""
    f.put(1, "note", {"to": seq, "say": "withdraw"})


@accept_after
def lapsed(f, seq):
    """The other side has moved."""
    f.end_turn()
    f.end_turn()


@accept_after
def lapsed_by_takeback(f, seq):
    """Something was taken back."""
    since = f.end_turn()
    f.takeback(2, since)


@accept_after
def lapsed_by_end(f, seq):
    """The game is over."""
    f.put(1, "resign")


@bad()
def accept_twice(f):
    """A truce is accepted twice."""
    f.begin()
    seq = f.put(1, "offer", {"what": "truce", "turns": 1})
    f.accept(2, seq)
    f.accept(2, seq)


@bad()
def accept_with_place(f):
    """A draw moves no pool."""
    seq = offered(f)
    f.write("order", {**f.order(2, "accept", {"to": seq}, "p/1"),
                      "events": []})


@bad({**LIVE})
def accept_while_owed(f):
    """A draw is accepted while an answer is owed."""
    f.begin()
    seq = f.put(1, "offer", {"what": "draw"})
    f.roll_free()
    f.accept(2, seq)


@bad()
def turn_after_draw(f):
    """The game goes on after a draw."""
    f.accept(2, offered(f))
    f.end_turn()


@bad()
def offer_after_end(f):
    """An offer after the end."""
    f.accept(2, offered(f))
    f.put(1, "offer", {"what": "draw"})


@bad()
def declare_in_truce(f):
    """A combat in a truce of two turns, in its second."""
    f.begin()
    f.accept(2, f.put(1, "offer", {"what": "truce", "turns": 2}))
    f.end_turn()
    f.declare(f.plain())


# --- Adjustments and rosters ---


def units(*changes):
    """The args of a proposal."""
    return {"what": "adjust", "units": list(changes)}


bad_puts("adjust_", {}, begun, {
    "no_units": (1, "propose", units()),
    "nothing_set": (1, "propose", units({"id": "fr-a"})),
    "twice": (1, "propose", units({"id": "fr-a", "strength": 2},
                                  {"id": "fr-a", "strength": 3})),
    "too_many": (1, "propose", units(*[
        {"id": "u%d" % i, "strength": 2} for i in range(65)])),
})
for name, change in {
    "out_word": {"id": "fr-a", "out": "Lost!"},
    "unknown_unit": {"id": "zz-a", "strength": 2},
    "no_change": {"id": "fr-a", "strength": 6},
    "no_change_out": {"id": "fr-a", "out": None},
    "strength_0": {"id": "fr-a", "strength": 0},
    "field": {"id": "fr-a", "colour": "red"},
    "battery": {"id": "fr-a", "battery": "foot"},
}.items():
    def play(f, change=change):
        """An adjustment that the rules refuse."""
        f.begin()
        f.put(1, "propose", units(change))

    play.__name__ = "adjust_" + name
    bad(bare=EITHER)(play)


@bad()
def adjust_before_start(f):
    """An adjustment before the start."""
    f.create()
    f.join(2)
    f.put(1, "propose", units({"id": "fr-a", "strength": 2}))


@bad()
def adjust_in_combat(f):
    """An adjustment is accepted while a combat is open."""
    f.begin()
    seq = f.put(1, "propose", units({"id": "ru-a", "strength": 2}))
    f.declare(f.guns())
    f.accept(2, seq)


@bad(bare=EITHER)
def adjust_changed(f):
    """An adjustment is accepted after the unit has changed."""
    f.begin()
    seq = f.put(1, "propose", units({"id": "ru-b", "strength": 2}))
    f.adjust(2, [{"id": "ru-b", "strength": 3}])
    f.accept(2, seq)


@bad(bare=EITHER)
def adjust_not_carried_out(f):
    """A combat is fought as if nothing had been adjusted."""
    f.begin()
    f.accept(2, f.put(1, "propose", units({"id": "fr-a", "strength": 9})))
    f.declare(f.plain())


@bad(bare=EITHER)
def adjust_out_fights(f):
    """A unit fights that is out of play."""
    f.begin()
    f.accept(2, f.put(1, "propose", units({"id": "fr-a", "out": "left"})))
    f.declare(f.plain())


OWNER = {"options": {"owner_fields": ["strength"]}}


@bad()
def adjust_own_side(f):
    """The proposer's own side accepts."""
    f.begin()
    f.accept(1, f.put(1, "propose", units({"id": "fr-a", "strength": 2})))


@bad(OWNER, EITHER)
def adjust_owner_other_unit(f):
    """Its own side accepts a change of the enemy's unit."""
    f.begin()
    f.accept(1, f.put(1, "propose", units(
        {"id": "fr-a", "strength": 2}, {"id": "ru-a", "strength": 2})))


@bad(OWNER)
def adjust_owner_other_field(f):
    """Its own side accepts a change of a field that is not its own."""
    f.begin()
    f.accept(1, f.put(1, "propose", units(
        {"id": "fr-a", "strength": 2, "shaken": True})))


# --- What joins, and what goes for good ---

FOOT = {"arm": "infantry", "strength": 5}
NEW = joins("fr-z", 1, **FOOT)
OTHERS = tuple(OtherTurns.ROSTERS)

bad_puts("join_", {}, begun, {
    "no_side": (1, "propose", units(
        {"id": "fr-z", "joins": "units", **FOOT})),
    "side_0": (1, "propose", units(joins("fr-z", 0, **FOOT))),
    "side_3": (1, "propose", units(joins("fr-z", 3, **FOOT))),
    "side_text": (1, "propose", units(joins("fr-z", "1", **FOOT))),
    "list": (1, "propose", units(joins("fr-z", 1, "guns", **FOOT))),
    "list_true": (1, "propose", units(joins("fr-z", 1, True, **FOOT))),
    "out": (1, "propose", units(joins("fr-z", 1, out="left", **FOOT))),
    "out_null": (1, "propose", units(joins("fr-z", 1, out=None, **FOOT))),
    "twice": (1, "propose", units(NEW, NEW)),
    "gone_false": (1, "propose", units({"id": "fr-a", "gone": False})),
    "gone_more": (1, "propose", units(
        {"id": "fr-a", "gone": True, "strength": 2})),
    "gone_out_null": (1, "propose", units(
        {"id": "fr-a", "gone": True, "out": None})),
})
for name, change in {
    "id_used": joins("fr-a", 1, **FOOT),
    "id_of_the_other_side": joins("ru-a", 1, **FOOT),
    "no_strength": joins("fr-z", 1, arm="infantry"),
    "unknown_member": joins("fr-z", 1, colour="red", **FOOT),
    "gone_too": joins("fr-z", 1, gone=True, **FOOT),
    "commander": joins("fr-z", 1, "commanders", cr=3),
    "nobody_goes": {"id": "fr-z", "gone": True},
    "side_alone": {"id": "fr-a", "side": 2},
}.items():
    def play(f, change=change):
        """What joins or goes unlawfully."""
        f.begin()
        f.put(1, "propose", units(change))

    play.__name__ = "join_" + name
    bad(bare=EITHER)(play)


@bad(bare=EITHER)
def join_id_gone(f):
    """A unit joins under the id of one that was taken away."""
    f.begin()
    f.adjust(1, [{"id": "fr-b", "gone": True}])
    f.put(2, "propose", units(joins("fr-b", 1, **FOOT)))


@bad(bare=EITHER)
def join_id_taken_back(f):
    """A unit joins under the id of one whose joining was taken back."""
    f.begin()
    f.takeback(1, f.adjust(1, [NEW]))
    f.put(2, "propose", units(NEW))


@bad(bare=EITHER)
def join_second_proposal(f):
    """Of two proposals with one id the second has lapsed."""
    f.begin()
    seq = f.put(2, "propose", units(NEW))
    f.adjust(1, [NEW])
    f.accept(1, seq)


@bad(bare=EITHER)
def gone_comes_back(f):
    """A unit comes back that was taken away for good."""
    f.begin()
    f.adjust(1, [{"id": "fr-b", "gone": True, "out": "left"}])
    f.put(2, "propose", units({"id": "fr-b", "out": None}))


@bad(bare=EITHER)
def gone_fights(f):
    """A unit fights that was taken away for good."""
    f.begin()
    f.accept(2, f.put(1, "propose", units({"id": "fr-a", "gone": True})))
    f.declare(f.plain())


@bad(bare=EITHER)
def join_not_agreed(f):
    """A unit fights whose joining the other side has not accepted."""
    f.begin()
    f.put(1, "propose", units(NEW))
    f.let_join(NEW)
    f.declare(f.charge("fr-z", "ru-a"))


@bad(bare=EITHER)
def join_other_strength(f):
    """What joined fights with another strength."""
    f.begin()
    f.adjust(1, [NEW])
    f.roster[1]["fr-z"]["strength"] = 6
    f.declare(f.charge("fr-z", "ru-a"))


@bad()
def join_in_combat(f):
    """A unit joins while a combat is open."""
    f.begin()
    seq = f.put(1, "propose", units(NEW))
    f.declare(f.guns())
    f.accept(2, seq)


SECRET = {"secret": "held", "bag": 9}
LED = {"id": "pr-a", "lead_free": 1}


def led(f):
    """Begin, and name another battalion to lead a unit."""
    f.begin()
    f.adjust(1, [LED])
    f.lead("pr-a", "pr-a-2")


for name, change in {
    "lead_free": {"id": "pr-a", "lead_free": 2},
    "lead_free_true": {"id": "pr-a", "lead_free": True},
    "lead_free_none": {"id": "pr-a", "lead_free": 0},
    "tried": {"id": "pr-a", "tried": "rest"},
    "tried_none": {"id": "pr-a", "tried": None},
    "next_lead": {"id": "pr-a", "next_lead": 2},
    "next_lead_null": {"id": "pr-a", "next_lead": None},
    "joins": joins("pr-z", 1, lead="z-1", lead_free=1, battalions=[
        {"id": "z-1", "quality": "elite", "sp": 4}]),
}.items():
    def play(f, change=change):
        """What the game keeps becomes what it cannot be, or stays."""
        f.begin()
        f.put(1, "propose", units(change))

    play.__name__ = "kept_" + name
    bad(SECRET, bare=EITHER, made=SecretTurns)(play)


@bad(SECRET, bare=EITHER, made=SecretTurns)
def kept_lapsed(f):
    """What the game keeps of a unit changes: a proposal has lapsed."""
    f.begin()
    f.adjust(1, [LED])
    seq = f.put(1, "propose", units({"id": "pr-a", "morale": 2}))
    f.lead("pr-a", "pr-a-2")
    f.accept(2, seq)


@bad(SECRET, bare=EITHER, made=SecretTurns)
def lead_without_hits(f):
    """A unit changes its lead that took no hits."""
    f.begin()
    f.lead("pr-a", "pr-a-2")


@bad(SECRET, bare=EITHER, made=SecretTurns)
def lead_next_round(f):
    """A unit changes its lead in the round after its hits."""
    led(f)
    passed_round(f)
    here(f.side() == 2)
    f.end_turn()
    f.lead("pr-a", "pr-a-3")


@bad(SECRET, bare=EITHER, made=SecretTurns)
def kept_destroyed(f):
    """A unit that was destroyed regains strength, and is not called back."""
    def strength(hits):
        return {"id": "au-k", "battalions": [
            {"id": "au-k-1", "quality": "elite", "sp": 3, "hits": hits}]}

    f.begin()
    f.adjust(1, [strength(2)])
    f.declare(f.charge("pr-a", "au-k"))
    f.finish()
    here(not f.is_left("au-k") and f.is_left("pr-b"))
    f.adjust(1, [strength(0)])
    f.declare(f.charge("pr-b", "au-k"))


def led_round(f, change):
    """Let a change make other events of the end of a round."""
    led(f)
    while not f.ends_round():
        f.end_turn()
    f.next_line(lambda line: line.update(events=change(line["events"])))
    f.end_turn()


for name, change in {
    "missing": lambda told: [e for e in told if e["what"] != "leads"],
    "other": lambda told: [
        {**e, "battalion": "pr-a-3"} if e["what"] == "leads" else e
        for e in told],
    "twice": lambda told: told + [e for e in told if e["what"] == "leads"],
    "free_missing": lambda told: [
        e for e in told if e["what"] != "lead_free"],
}.items():
    def play(f, change=change):
        """The end of a round tells otherwise who leads."""
        led_round(f, change)

    play.__name__ = "round_lead_" + name
    bad(SECRET, bare=EITHER, made=SecretTurns)(play)


EVERY = ["arm", "strength", "joins", "side", "gone", "out"]


@bad({"options": {"owner_fields": EVERY}})
def join_own_side(f):
    """Nobody lets a unit join by the options."""
    f.begin()
    f.accept(1, f.put(1, "propose", units(NEW)))


@bad({"options": {"owner_fields": EVERY}})
def gone_own_side(f):
    """Nor takes one away for good."""
    f.begin()
    f.accept(1, f.put(1, "propose", units({"id": "fr-a", "gone": True})))


for system in OTHERS:
    def play(f):
        """A unit joins under an id that was taken back, in each system."""
        f.begin()
        f.takeback(1, f.adjust(1, [joins("c-1", 1, **f.fields)]))
        f.put(2, "propose", units(joins("c-1", 2, **f.fields)))

    play.__name__ = "join_taken_back_" + system.replace("-", "_")
    bad({"system": system}, EITHER, made=OtherTurns)(play)

    def play(f):
        """A unit is taken away twice."""
        f.begin()
        f.adjust(1, [{"id": "a-1", "gone": True}])
        f.put(2, "propose", units({"id": "a-1", "gone": True}))

    play.__name__ = "gone_twice_" + system.replace("-", "_")
    bad({"system": system}, EITHER, made=OtherTurns)(play)


@bad({"system": "tlnb"}, EITHER, made=OtherTurns)
def join_over_limit(f):
    """A side has as many units as it can, and one more would join."""
    filled(f)
    f.adjust(1, [{"id": "a-1", "gone": True}])
    f.put(1, "propose", units(joins("k-1", 1, **f.fields)))


@bad({"system": "tlnb"}, EITHER, made=OtherTurns)
def join_over_limit_at_once(f):
    """The last of a list that joins has no room."""
    f.begin()
    some = list(full(f))
    for i in range(0, 384, 64):
        f.adjust(2, some[i:i + 64])
    f.put(1, "propose", units(*some[384:], joins("k-1", 1, **f.fields)))


@bad({"system": "tlnb"}, EITHER, made=OtherTurns)
def join_over_bytes(f):
    """More bytes would join than a roster has."""
    f.begin()
    for n in range(9):
        many = [joins("j%d-%d" % (n, i), 1, name="x" * 64, **f.fields)
                for i in range(28)]
        if n < 8:
            f.adjust(1, many)
    f.put(1, "propose", units(*many))


@bad({"system": "leniston-2009"}, EITHER, made=OtherTurns)
def join_commander_unknown(f):
    """A commander joins in a system that has none."""
    f.begin()
    f.put(1, "propose", units(joins("ney", 1, "commanders", cr=3)))


def new_rosters(f, strength=9):
    """Propose other rosters before the start."""
    f.create()
    f.join(2)
    sides = {s: [dict(u) for u in f.units[s]] for s in (1, 2)}
    sides[1][0]["strength"] = strength
    blob = f.roster_blob(sides)
    return f.put(1, "propose", {"what": "roster", "roster": blob})


bad_puts("roster_", {}, new_rosters, {
    "own_side": (1, "accept", to),
    "own_decline": (1, "note", lambda s: {"to": s, "say": "decline"}),
})


@bad()
def roster_after_start(f):
    """Rosters are accepted after the start."""
    seq = new_rosters(f)
    f.start()
    f.accept(2, seq)


@bad()
def roster_proposed_after_start(f):
    """Rosters are proposed after the start."""
    f.begin()
    f.put(1, "propose", {"what": "roster", "roster": f.roster_blob(f.units)})


@bad(bare=EITHER)
def roster_unlawful(f):
    """Rosters that do not hold are proposed."""
    new_rosters(f, strength="nine")


@bad(bare=EITHER)
def roster_not_in_force(f):
    """A combat is fought with the rosters that were replaced."""
    f.accept(2, new_rosters(f))
    f.start()
    f.declare(f.plain())


# --- Taking back ---


@bad()
def takeback_out_of_reach(f):
    """Two turns have ended since."""
    f.begin()
    since = f.roll_free()
    f.end_turn()
    f.end_turn()
    f.put(1, "offer", {"what": "takeback", "from": since})


@bad()
def takeback_out_of_reach_at_accept(f):
    """A turn has ended since the offer."""
    f.begin()
    since = f.roll_free()
    f.end_turn()
    seq = f.put(2, "offer", {"what": "takeback", "from": since})
    f.end_turn()
    f.accept_back(1, seq, since)


@bad()
def takeback_of_chat(f):
    """Words are taken back."""
    f.begin()
    f.say(1, "chat", {"ref": f.text("oops")})
    f.put(1, "offer", {"what": "takeback", "from": f.seq() - 1})


@bad()
def takeback_of_decision(f):
    """A decision is taken back."""
    f.begin()
    f.declare(f.guns())
    f.choose_decision()
    f.put(1, "offer", {"what": "takeback", "from": f.seq() - 1})


@bad(LIVE)
def takeback_of_answer(f):
    """An answer is taken back."""
    owed_free(f)
    f.agree()
    f.put(1, "offer", {"what": "takeback", "from": f.seq() - 1})


@bad(LIVE)
def takeback_of_objected(f):
    """A declaration is taken back that was objected to."""
    seq = owed_charge(f)
    f.object()
    f.put(1, "offer", {"what": "takeback", "from": seq})


@bad()
def takeback_twice(f):
    """A line is taken back twice."""
    f.begin()
    since = f.roll_free()
    f.takeback(1, since)
    f.put(1, "offer", {"what": "takeback", "from": since})


def back(change=None, accept=2):
    """Begin, roll, and offer to take it back."""
    def play(f):
        f.begin()
        since = f.roll_free()
        seq = f.put(1, "offer", {"what": "takeback", "from": since})
        if change is not None:
            change(f)
        f.accept_back(accept, seq, since)

    return play


for name, play in {
    "own_missing": back(lambda f: f.next_order(drop("own"))),
    "proof_missing": back(lambda f: f.next_order(drop("own", "place"))),
    "own_side": back(accept=1),
    "own_of_other": back(lambda f: f.next_order(lambda o: o.update(
        own=f.own(1, o["place"])[0].hex()))),
    "old_place": back(lambda f: f.next_order(lambda o: o.update(
        place="p/0", own=f.own(2, "p/0")[0].hex()))),
    "pool_missing": back(lambda f: f.next_line(drop("pool"))),
    "pool_wrong": back(lambda f: f.next_line(put("pool", "ab" * 32))),
}.items():
    play.__name__ = "takeback_" + name
    bad()(play)


@bad()
def takeback_pool_goes_back(f):
    """The pool goes back, too."""
    f.begin()
    since = f.roll_free()
    pool, epoch = f.pool, f.epoch
    f.takeback(1, since)
    f.pool, f.epoch = pool, epoch
    f.roll_free()


@bad()
def takeback_free_count(f):
    """The count of free rolls goes back, too."""
    f.begin()
    since = f.roll_free()
    f.takeback(1, since)
    f.frees[1] = 0
    f.roll_free()


@bad()
def takeback_combat_count(f):
    """The count of combats goes back, too."""
    f.begin()
    since = f.seq()
    f.declare(f.plain())
    f.finish()
    f.takeback(1, since)
    f.drawn.clear()
    f.declare(f.plain())


@bad()
def takeback_turn_count(f):
    """The turn of places goes back, too."""
    f.begin()
    f.takeback(2, f.end_turn())
    f.turn = 1
    f.declare(f.plain())


@bad()
def takeback_turn_stays(f):
    """The turn does not go back to its side."""
    f.begin()
    f.takeback(1, f.end_turn())
    f.end_turn(2)


@bad(bare=EITHER)
def takeback_losses_stay(f):
    """The losses of a combat are not taken back."""
    f.begin()
    since = f.seq()
    f.declare(f.plain())
    f.finish()
    here("ru-b" not in f.gone and "fr-a" not in f.gone
         and f.roster[1]["fr-a"]["strength"] > 1
         and f.roster[2]["ru-b"]["strength"]
         != f.units[2][1]["strength"])
    kept = f.roster
    f.takeback(1, since)
    f.roster = kept
    f.declare(f.plain())


@bad()
def takeback_combat_stays(f):
    """A combat that was taken back goes on."""
    f.begin()
    f.declare(f.guns())
    combat = f.combat
    f.takeback(1, combat["seq"])
    f.combat = combat
    f.choose_decision()


# --- What lapses, and what does not ---


@case(DIRECTOR)
def offer_outlasts_ruling(f):
    """A ruling is no order of the other side: the offer stays open."""
    to_accept = offered(f)
    f.put(0, "ruling", {"why": f.text("fog")})
    f.accept(2, to_accept)


@case()
def truce_counts_turns_that_stand(f):
    """A turn that was taken back does not count for a truce."""
    f.begin()
    f.accept(2, f.put(1, "offer", {"what": "truce", "turns": 1}))
    f.takeback(1, f.end_turn())
    f.end_turn()
    f.declare(f.plain())


@bad()
def truce_ends_by_a_turn_taken_back(f):
    """The turn stands again in which there is a truce."""
    f.begin()
    f.accept(2, f.put(1, "offer", {"what": "truce", "turns": 1}))
    f.takeback(1, f.end_turn())
    f.declare(f.plain())
