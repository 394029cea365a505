# SPDX-License-Identifier: ISC
"""Games by turns with one fault each: rulings, seats, proofs.

As forge_turns_faults.py; the last line of each game has the fault.
"""

from forge_turns import SecretTurns
from forge_turns_cases import LIVE, MINUTE, clock
from forge_turns_clock import play_and_wait
from forge_turns_faults import EITHER, bad, bad_puts, begun

# --- Rulings ---


def ruled(**args):
    """Make the args of a ruling, with a reason."""
    return lambda f: {**args, "why": f.text("so")}


def ruling_case(name, settings, before, seat, args):
    """Enter a case that ends with a ruling."""
    def play(f):
        before(f)
        f.put(seat, "ruling", args(f))

    play.__name__ = "ruling_" + name
    bad(settings)(play)


RULED = {"options": {"director": True, "seats": 4}}
for name, args in {
    "result_3": ruled(result=3),
    "void_false": ruled(void=False, **{"from": 5}),
    "void_nothing": ruled(void=True, **{"from": 6}),
    "void_without_from": ruled(void=True),
    "two_forms": ruled(result=1, units=[{"id": "fr-a", "strength": 2}]),
    "without_why": lambda f: {"result": 1},
    "no_claim": ruled(claim=5, do="forfeit"),
    "extend_nothing": ruled(claim=5, do="extend"),
    "forfeit_extend": ruled(claim=5, do="forfeit", extend_s=60),
}.items():
    ruling_case(name, RULED, begun, 0, args)
ruling_case("by_player", RULED, begun, 1, ruled(result=1))
ruling_case("while_owed", {**RULED, **LIVE},
            lambda f: (f.begin(), f.roll_free()), 0, ruled(result=1))
ruling_case("out_of_reach", RULED, lambda f: (
    f.begin(), f.roll_free(), f.end_turn(), f.end_turn()), 0,
    ruled(void=True, **{"from": 10}))


@bad(RULED)
def ruling_fifth(f):
    """A fifth open ruling."""
    f.begin()
    for _ in range(5):
        f.put(0, "ruling", {"why": f.text("so")})


@bad(RULED)
def ruling_stale(f):
    """A ruling that has not seen the last state line."""
    f.begin()
    before = f.seq() - 1
    f.roll_free()
    f.next_order(lambda o: o.update(after=before, head=f.hashes[before]))
    f.put(0, "ruling", {"why": f.text("so")})


def open_ruling(f):
    """Begin and give a ruling."""
    f.begin()
    return f.put(0, "ruling", {"result": 1, "why": f.text("so")})


bad_puts("ruling_", RULED, open_ruling, {
    "accept_by_mate": (3, "accept", lambda s: {"to": s}),
    "accept_by_director": (0, "accept", lambda s: {"to": s}),
    "decline_by_mate": (3, "note", lambda s: {"to": s, "say": "decline"}),
    "withdraw_by_player": (
        1, "note", lambda s: {"to": s, "say": "withdraw"}),
})


@bad(RULED)
def ruling_accepted_twice(f):
    """One seat accepts for both."""
    seq = open_ruling(f)
    f.accept(1, seq)
    f.accept(1, seq)


@bad(RULED)
def ruling_goes_on(f):
    """The game goes on after a result."""
    seq = open_ruling(f)
    f.accept(1, seq)
    f.accept(2, seq)
    f.end_turn()


@bad(RULED)
def ruling_of_one_accept(f):
    """With one accept the game is over."""
    seq = open_ruling(f)
    f.accept(1, seq)
    f.put(1, "close")
    f.put(2, "close")
    f.put(1, "chat", {"ref": f.text("over?")})


@bad(RULED)
def ruling_accepted_after_decline(f):
    """A ruling that was declined is accepted."""
    seq = open_ruling(f)
    f.put(1, "note", {"to": seq, "say": "decline"})
    f.accept(2, seq)


@bad(RULED, EITHER)
def ruling_units_of_one_accept(f):
    """An adjusting ruling is in force with one accept."""
    f.begin()
    seq = f.put(0, "ruling", {"units": [{"id": "fr-a", "strength": 2}],
                              "why": f.text("so")})
    f.accept_adjust(1, seq, [{"id": "fr-a", "strength": 2}])
    f.declare(f.plain())


@bad(RULED)
def ruling_units_in_combat(f):
    """An adjusting ruling comes into force in a combat."""
    f.begin()
    seq = f.put(0, "ruling", {"units": [{"id": "fr-a", "strength": 2}],
                              "why": f.text("so")})
    f.accept(1, seq)
    f.declare(f.guns())
    f.accept(2, seq)


def void(f):
    """Begin, roll, and rule that it was not so."""
    f.begin()
    since = f.roll_free()
    return since, f.put(0, "ruling", {
        "void": True, "from": since, "why": f.text("so")})


@bad(RULED)
def ruling_void_of_one_accept(f):
    """The first accept moves the pool."""
    since, seq = void(f)
    f.accept_back(1, seq, since)


@bad(RULED)
def ruling_void_without_own(f):
    """The last accept moves no pool."""
    _, seq = void(f)
    f.accept(1, seq)
    f.accept(2, seq)


@bad(RULED)
def ruling_void_out_of_reach(f):
    """Two turns have ended before the last accept."""
    since, seq = void(f)
    f.accept(1, seq)
    f.end_turn()
    f.end_turn()
    f.accept_back(2, seq, since)


@bad(RULED)
def ruling_after_end(f):
    """A ruling after the end."""
    f.begin()
    f.put(1, "resign")
    f.put(0, "ruling", {"result": 2, "why": f.text("so")})


JUDGE = {**clock(then="director"), "options": {"director": True}}


def waiting(f):
    """Begin, and claim what the director is to rule on."""
    play_and_wait(f)
    return f.put(2, "claim")


def award(f, claim, **args):
    """Rule on a claim."""
    f.put(0, "ruling", {"claim": claim, "why": f.text("so"), **args})


@bad(JUDGE)
def award_after_move(f):
    """A late move has ended what waits for the director."""
    claim = waiting(f)
    f.roll_free()
    award(f, claim, do="forfeit")


@bad(JUDGE)
def award_twice(f):
    """He rules twice on a claim."""
    claim = waiting(f)
    award(f, claim, do="extend", extend_s=60)
    award(f, claim, do="forfeit")


@bad(JUDGE)
def award_of_another(f):
    """He rules on another line."""
    claim = waiting(f)
    award(f, claim - 1, do="forfeit")


@bad(JUDGE)
def award_59_seconds(f):
    """He gives too little time."""
    award(f, waiting(f), do="extend", extend_s=59)


@bad(JUDGE)
def award_goes_on(f):
    """The game goes on after a forfeit."""
    award(f, waiting(f), do="forfeit")
    f.end_turn()


@bad(JUDGE)
def award_early(f):
    """After an extension of 60 s, a claim is early by a millisecond."""
    award(f, waiting(f), do="extend", extend_s=60)
    f.wait(MINUTE - 1)
    award(f, f.put(2, "claim"), do="forfeit")


@bad(JUDGE)
def award_late_is_nothing(f):
    """After it, a claim in time has no effect, and a claim follows it."""
    award(f, waiting(f), do="extend", extend_s=60)
    f.wait(MINUTE)
    before = f.seq() - 1
    f.put(2, "claim")
    f.next_order(lambda o: o.update(after=before, head=f.hashes[before]))
    f.put(2, "claim")


@bad(JUDGE)
def award_claim_while_waiting(f):
    """While the director is to rule, the clock stands still."""
    waiting(f)
    f.wait(10 * MINUTE)
    award(f, f.put(2, "claim"), do="forfeit")


@bad({**RULED, "secret": "held", "bag": 9}, made=SecretTurns)
def ruling_makes_commit_stale(f):
    """A choice that has not seen a ruling, which came before the other's."""
    f.begin()
    f.declare(f.facts())
    before = f.seq() - 1
    f.put(0, "ruling", {"why": f.text("so")})
    f.commit(1)
    f.next_order(lambda o: o.update(after=before, head=f.hashes[before]))
    f.commit(2)


# --- Proofs where there are none ---


def proved(kind, args, seat=1):
    """Enter a case whose order has a proof that no such order has."""
    def play(f):
        f.begin()
        f.write("order", {
            **f.order(seat, kind, args(f), "p/%d" % f.epoch), "events": []
        })

    play.__name__ = "proof_of_" + kind
    bad({**RULED, **clock(holidays=9)})(play)


for kind, args in {
    "offer": lambda f: {"what": "draw"},
    "propose": lambda f: {
        "what": "adjust", "units": [{"id": "fr-a", "strength": 2}]},
    "pause": lambda f: {"do": "holiday", "days": 1},
    "standing": lambda f: {"commit": "ab" * 32},
    "cup": lambda f: {"do": "make", "cup": "b", "items": ["x"]},
    "note": lambda f: {
        "to": f.put(1, "offer", {"what": "draw"}), "say": "withdraw"},
    "accept": lambda f: {
        "to": f.put(2, "offer", {"what": "truce", "turns": 1})},
    "resign": lambda f: {},
}.items():
    proved(kind, args)
proved("ruling", ruled(result=1), 0)

# --- Seats ---


bad_puts("seats_", RULED, begun, {
    "director_resigns": (0, "resign", {}),
    "director_side_chat": (0, "chat", {"ref": "ab" * 32, "to": "side"}),
})


@bad(RULED)
def seats_director_ends_turn(f):
    """The director ends a turn."""
    f.begin()
    f.end_turn(0)


@bad(RULED)
def seats_ready_without_mate(f):
    """The game starts before all are ready."""
    f.create()
    for seat in (0, 2, 3, 4):
        f.join(seat)
    f.fill_pool()
    f.all_seats = [0, 1, 2, 3]
    for seat in f.all_seats:
        f.send_ready(seat)


@bad(RULED)
def seats_pool_without_director(f):
    """The first pool is made without the director's dice key."""
    f.create()
    for seat in (0, 2, 3, 4):
        f.join(seat)
    f.all_seats = [1, 2, 3, 4]
    f.fill_pool()
    f.send_ready(1)


@bad(RULED)
def seats_one_side_closes(f):
    """A line after both sides have closed, by a team-mate."""
    f.begin()
    f.put(1, "close")
    f.put(3, "close")
    f.put(4, "close")
    f.put(2, "chat", {"ref": f.text("bye")})


@bad(RULED)
def seats_close_twice(f):
    """A seat closes twice."""
    f.begin()
    f.put(3, "close")
    f.put(3, "close")


@bad(RULED)
def seats_mate_out_of_turn(f):
    """A team-mate of the wrong side rolls."""
    f.begin()
    f.roll_free(4)


def joined(f):
    """Create and join; return the join."""
    f.create()
    return f.join(2)


bad_puts("refuse_", {}, joined, {
    "by_other": (2, "note", lambda s: {"to": s, "say": "refuse"}),
    "create": (1, "note", {"to": 0, "say": "refuse"}),
    "another_line": (1, "note", {"to": 2, "say": "refuse"}),
})


@bad()
def refuse_after_ready(f):
    """Somebody is refused after the first ready."""
    seq = joined(f)
    f.fill_pool()
    f.send_ready(2)
    f.put(1, "note", {"to": seq, "say": "refuse"})


@bad()
def refuse_twice(f):
    """The same join is refused twice."""
    seq = joined(f)
    f.put(1, "note", {"to": seq, "say": "refuse"})
    f.put(1, "note", {"to": seq, "say": "refuse"})


@bad()
def refuse_joins_again(f):
    """Who was refused joins again."""
    f.put(1, "note", {"to": joined(f), "say": "refuse"})
    f.join(2)


@bad({"options": {"seats": 4}})
def refuse_joins_elsewhere(f):
    """Who was refused joins in another seat."""
    f.put(1, "note", {"to": joined(f), "say": "refuse"})
    f.players[4]["account"] = f.players[2]["account"]
    f.join(4)


@bad()
def refuse_takes_offers(f):
    """What a refused joiner proposed is accepted."""
    seq = joined(f)
    sides = {s: [dict(u) for u in f.units[s]] for s in (1, 2)}
    sides[1][0]["strength"] = 9
    to = f.put(2, "propose", {"what": "roster",
                              "roster": f.roster_blob(sides)})
    f.put(1, "note", {"to": seq, "say": "refuse"})
    f.players[2] = {**f.players[2], "account": "another"}
    f.join(2)
    f.accept(1, to)


@bad(bare=EITHER)
def refuse_takes_standing_orders(f):
    """A standing order of a refused joiner acts."""
    seq = joined(f)
    f.standing(2, "retire", "all")
    f.put(1, "note", {"to": seq, "say": "refuse"})
    f.players[2] = {**f.players[2], "account": "another"}
    f.join(2)
    f.start()
    f.declare(f.guns())


@bad()
def refuse_then_ready(f):
    """A game starts although a seat is free again."""
    seq = joined(f)
    f.fill_pool()
    f.put(1, "note", {"to": seq, "say": "refuse"})
    f.send_ready(1)
