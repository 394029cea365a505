# SPDX-License-Identifier: ISC
"""Games by turns with new dice keys, newcomers and lost lines.

Lawful ones, and such with one fault, which the last line of each has:
umpire-record.7 S4, S4.2, S4.3 and S6.5.
"""

from forge import NotHere, dice_public, ed_expand, secret
from forge_turns import SecretTurns
from forge_turns_cases import (
    CONFIRM,
    DAY,
    DIRECTOR,
    LIVE,
    MINUTE,
    case,
    clock,
)
from forge_turns_faults import bad

DICE = "dice_key"


# --- New dice keys ---


@case()
def key_before_ready_game(f):
    """Before the first ready a key counts at once, joined or not."""
    f.create()
    f.dice_key(1)
    f.join(2)
    f.dice_key(2)
    f.start()
    f.declare(f.plain())
    f.finish()
    f.close()


@case(DIRECTOR)
def key_between_readies_game(f):
    """Between two readies it waits for the end of the turn."""
    f.create()
    f.join(0)
    f.join(2)
    f.fill_pool()
    f.send_ready(2)
    f.dice_key(2)
    f.send_ready(0)
    f.send_ready(1)
    f.declare(f.plain())
    f.finish()
    f.end_turn()
    f.all_ready()
    f.declare(f.plain())
    f.finish()
    f.close()


@case(LIVE)
def key_waits_game(f):
    """Two keys wait while dice fall by the old ones; then a round."""
    f.begin()
    f.roll_free()
    f.dice_key(2)
    f.agree()
    f.dice_key(1)
    f.declare(f.plain())
    f.dice_key(1, "second")
    f.finish()
    f.end_turn()
    f.put(1, "chat", {"ref": f.text("a new turn")})
    f.send_ready(1)
    f.dice_key(1, "third")
    f.dice_key(2, "second")
    f.all_ready()
    f.declare(f.plain())
    f.finish()
    f.end_turn()
    f.close()


@case()
def key_takeback_game(f):
    """A takeback of the turn's end takes back neither key nor pool."""
    f.begin()
    f.dice_key(1)
    f.end_turn()
    f.all_ready()
    f.takeback(2, f.turn_lines[-1])
    f.declare(f.plain())
    f.finish()
    f.end_turn()
    f.close()


@case({**LIVE, "options": {"seats": 4, "director": True}})
def key_of_many_game(f):
    """Seats of a side, and the director, have keys that wait."""
    f.begin()
    for seat in (4, 0, 3):
        f.dice_key(seat)
    f.end_turn()
    f.all_ready()
    f.declare(f.plain())
    f.finish()
    f.close()


@case()
def key_resign_in_round_game(f):
    """A game may end while a round is due."""
    f.begin()
    f.dice_key(1)
    f.end_turn()
    f.send_ready(2)
    f.put(2, "resign")
    f.close()


def due(f):
    """Begin, and let a round be due of which seat 1 has given its part."""
    f.begin()
    f.dice_key(1)
    f.end_turn()
    f.send_ready(1)


for name, settings, play in (
    ("third", {}, lambda f: [f.dice_key(1, n) for n in "abc"]),
    ("same", {}, lambda f: [f.dice_key(1, "a"), f.dice_key(1, "a")]),
    ("first", {}, lambda f: (
        f.next_order(lambda o: o["args"].update(
            dice_key=dice_public(secret("dice 2")).hex())), f.dice_key(1))),
    ("of_server", {}, lambda f: (
        f.next_order(lambda o: o["args"].update(
            dice_key=dice_public(f.server_dice).hex())), f.dice_key(1))),
    ("form", {}, lambda f: (
        f.next_order(lambda o: o["args"].update(dice_key="02" + "ff" * 32)),
        f.dice_key(1))),
    ("with_place", {}, lambda f: (
        f.next_order(lambda o: o.update(
            place="p/1", own=f.own(1, "p/1")[0].hex())), f.dice_key(1))),
    ("of_nobody", {}, lambda f: f.put(3, "dice-key", {
        DICE: dice_public(secret("x")).hex()}) if f.players.setdefault(
            3, f.players[1]) else None),
    ("after_end", {}, lambda f: (f.put(1, "resign"), f.dice_key(1))),
    ("at_once", {}, lambda f: (setattr(f, "due", True), f.dice_key(1))),
    ("pool_kept", {}, lambda f: (
        f.dice_key(1), f.waiting.clear(), f.end_turn())),
    ("order_of_keys", {}, lambda f: (
        f.dice_key(1), f.dice_key(2),
        setattr(f, "waiting", {1: f.waiting[2], 2: f.waiting[1]}),
        f.end_turn())),
    ("own_by_new", {}, lambda f: (
        f.dice_key(1), f.next_order(lambda o: o.update(
            own=new_own(f, 1, o["place"]))), f.end_turn())),
    ("forgotten", {}, lambda f: (
        f.dice_key(1, "a"), f.dice_key(1, "b"),
        f.waiting.update({1: secret("a dice 1")}), f.end_turn())),
):
    def play_it(f, play=play):
        f.begin()
        play(f)

    play_it.__name__ = "key_" + name
    bad(settings)(play_it)


def new_own(f, seat, place):
    """A contribution by the key that waits."""
    kept = f.players[seat]
    f.players[seat] = {**kept, "dice": f.waiting[seat]}
    proof = f.own(seat, place)[0].hex()
    f.players[seat] = kept
    return proof


for name, play in {
    "declare": lambda f: f.declare(f.plain()),
    "free": lambda f: f.roll_free(),
    "turn_end": lambda f: f.end_turn(),
    "offer_accept": lambda f: f.accept(
        1, f.put(2, "offer", {"what": "draw"})),
    "ready_twice": lambda f: f.send_ready(1),
    "ready_place": lambda f: (
        f.next_order(lambda o: o.update(
            place="p/2", own=f.own(2, "p/2")[0].hex())), f.send_ready(2)),
    "ready_old_key": lambda f: (
        setattr(f, "readies", {}), f.dice_key(2),
        f.send_ready(1), f.next_order(lambda o: o.update(
            own=old_own(f, 2, o["place"]))), f.send_ready(2)),
    "anew_without_pool": lambda f: (
        f.next_line(lambda m: m.pop("pool")), f.dice_key(2)),
    "anew_then_one": lambda f: (
        f.dice_key(2), f.readies.update({1: b""}), f.next_line(
            lambda m: m.update(pool="ab" * 32)), f.send_ready(2)),
    "pool": lambda f: (
        f.next_line(lambda m: m.update(pool="ab" * 32)), f.send_ready(2)),
}.items():
    def play_due(f, play=play):
        due(f)
        play(f)

    play_due.__name__ = "round_" + name
    bad()(play_due)


def old_own(f, seat, place):
    """A contribution by the first key of a seat."""
    kept = f.players[seat]
    f.players[seat] = {**kept, "dice": secret("dice %d" % seat)}
    proof = f.own(seat, place)[0].hex()
    f.players[seat] = kept
    return proof


@bad(clock(holidays=2))
def round_pause(f):
    """No holidays begin while a round is due."""
    due(f)
    f.put(2, "pause", {"do": "holiday", "days": 1})


@bad(LIVE)
def key_answer_by_new(f):
    """An answer is by the key that was valid where it waits."""
    f.begin()
    f.roll_free()
    f.dice_key(2)
    f.players[2]["dice"] = f.waiting[2]
    f.agree()


@bad(clock())
def round_late(f):
    """Who is late with their ready loses."""
    due(f)
    f.wait(MINUTE)
    f.put(1, "claim")
    f.send_ready(2)


@bad({**clock(then="director"), **{"options": {"director": True}}})
def round_early(f):
    """Not before their time, which runs from the turn's end."""
    f.begin()
    f.dice_key(1)
    f.end_turn()
    f.send_ready(1)
    f.send_ready(0)
    f.wait(MINUTE - 2001)
    to = f.put(1, "claim")
    f.put(0, "ruling", {"claim": to, "do": "forfeit", "why": f.text("no")})


@case(clock(then="default"))
def round_claim_game(f):
    """There is no default for a ready."""
    due(f)
    f.wait(MINUTE)
    f.put(1, "claim")
    f.close()


@case(clock(per="side", add_s=30))
def round_bank_game(f):
    """A ready adds nothing to a bank, the end of a turn does."""
    f.begin()  # 60 for both
    f.dice_key(1)
    f.wait(10000)
    f.end_turn()  # side 1: 60 - 1 - 10 + 30 = 79 and runs for its ready
    f.wait(20000)
    f.send_ready(1)
    f.wait(0)
    f.send_ready(2)
    f.wait(40000 - 1)
    f.put(1, "claim")
    f.wait(1)
    f.put(1, "claim")
    f.close()


@bad(clock(per="side", add_s=30))
def round_bank_over(f):
    """The time of the silent side is over to the millisecond."""
    f.begin()
    f.dice_key(1)
    f.wait(10000)
    f.end_turn()
    f.wait(20000)
    f.send_ready(1)
    f.wait(0)
    f.send_ready(2)
    f.wait(40000)
    f.put(1, "claim")
    f.end_turn()


# --- Somebody else in a seat ---


@case(DIRECTOR)
def newcomer_game(f):
    """A newcomer takes a seat once all others have accepted."""
    f.begin()
    to = f.operator_key(2)
    f.accept(1, to)
    f.declare(f.plain())
    f.finish()
    f.accept_newcomer(0, to, 2)
    f.all_ready()
    f.statement(2, "add", ed_expand(secret("more"))[2].hex())
    f.end_turn()
    f.declare(f.plain())
    f.finish()
    f.close()


@case()
def newcomer_combat_game(f):
    """An open combat goes on under the new pool."""
    f.begin()
    f.declare(f.guns())
    if f.combat is None or f.combat["ask"]["kind"] != "retire":
        raise NotHere
    f.accept_newcomer(1, f.operator_key(2), 2)
    f.all_ready()
    f.finish()
    f.end_turn()
    f.close()


@case(LIVE)
def newcomer_owes_game(f):
    """What the seat owed is void; the place stays unused."""
    f.begin()
    f.dice_key(2)
    f.declare(f.plain())
    f.accept_newcomer(1, f.operator_key(2), 2)
    f.all_ready()
    f.roll_free()
    f.accept_newcomer(1, f.operator_key(2, "third"), 2)
    f.all_ready()
    f.declare(f.plain())
    f.finish()
    f.end_turn()
    f.close()


@case(CONFIRM)
def newcomer_declined_game(f):
    """One is declined, one replaced, one lapses with the game."""
    f.begin()
    f.put(2, "note", {"to": f.operator_key(1), "say": "decline"})
    f.operator_key(2)
    f.accept_newcomer(1, f.operator_key(2, "b"), 2)
    f.all_ready()
    f.operator_key(1)
    f.put(1, "resign")
    f.close()


@case({"secret": "sealed", "bag": 9}, made=SecretTurns)
def newcomer_secret_game(f):
    """A secret question that somebody committed to voids the combat."""
    f.begin()
    f.declare(f.facts())
    f.commit(1)
    f.accept_newcomer(1, f.operator_key(2), 2)
    f.all_ready()
    f.end_turn()
    f.close()


@case(DIRECTOR)
def newcomer_same_account_game(f):
    """Somebody comes back with new keys, and a director goes."""
    f.begin()
    to = f.operator_key(1, account="player-1")
    f.accept(0, to)
    f.newcomers[1]["account"] = "player-1"
    f.accept_newcomer(2, to, 1)
    f.all_ready()
    to = f.operator_key(0)
    f.accept(1, to)
    f.accept_newcomer(2, to, 0)
    f.all_ready()
    f.close()


def proposed(**more):
    """Make a play that ends with an operator-key."""
    return lambda f: f.put_server("operator-key", {
        k: v for k, v in f.newcomer(2, **more).items() if v is not None})


def shuffled(f):
    """The members in another order."""
    f.next_whole(lambda line: line.update(data=dict(sorted(
        line["data"].items()))))
    f.operator_key(2)


for name, play in {
    "account": proposed(account="player-1"),
    "key": proposed(key=ed_expand(secret("player 2"))[2].hex()),
    "other_key": proposed(keys=[ed_expand(secret("player 1"))[2].hex()]),
    "dice_key_there": proposed(dice_key=dice_public(secret("dice 1")).hex()),
    "dice_key_waits": lambda f: (f.dice_key(1), proposed(
        dice_key=dice_public(secret("fresh dice 1")).hex())(f)),
    "no_seat": proposed(**{"seat": 3}),
    "no_why": proposed(why=None),
    "no_kn": proposed(kn=None),
    "kprev": proposed(kprev="ab" * 32),
    "recovery": proposed(recovery=ed_expand(secret("player 1"))[2].hex()),
    "more": proposed(name="ab" * 32),
    "order": shuffled,
    "pool": lambda f: (f.next_whole(lambda line: (
        line.update(pool="ab" * 32),
        line.update(events=line.pop("events")))), f.operator_key(2)),
    "by_seat": lambda f: f.accept(2, f.operator_key(2)),
    "twice": lambda f: [f.operator_key(2)] and [
        f.accept(0, f.seq() - 1), f.accept(0, f.seq() - 2)],
    "replaced": lambda f: f.accept(0, min(
        f.operator_key(2), f.operator_key(2, "b"))),
    "declined": lambda f: f.accept(0, (
        f.operator_key(2), f.put(1, "note", {
            "to": f.seq() - 1, "say": "decline"}))[0]),
    "declined_by_seat": lambda f: f.put(2, "note", {
        "to": f.operator_key(2), "say": "decline"}),
    "withdrawn": lambda f: f.put(1, "note", {
        "to": f.operator_key(2), "say": "withdraw"}),
    "over": lambda f: (f.put(1, "resign"), f.operator_key(2)),
    "lapsed": lambda f: f.accept(0, (
        f.operator_key(2), f.put(1, "resign"))[0]),
    "no_pool": lambda f: last(f, lambda: f.next_line(
        lambda m: m.pop("pool"))),
    "other_pool": lambda f: last(f, lambda: f.next_line(
        lambda m: m.update(pool="ab" * 32))),
    "with_place": lambda f: last(f, lambda: f.next_order(
        lambda o: o.update(place="p/1", own=f.own(1, "p/1")[0].hex()))),
    "old_key": lambda f: (last(f), f.players.update({2: {
        **f.players[2], "ed": secret("player 2")}}), f.send_ready(2)),
    "at_once": lambda f: (last(f), f.end_turn()),
    "old_statement": lambda f: (last(f), f.next_order, f.players.update({
        2: {**f.players[2], "account": "player-2"}}),
        f.statement(2, "add", ed_expand(secret("more"))[2].hex())),
}.items():
    def play_new(f, play=play):
        f.begin()
        play(f)

    play_new.__name__ = "newcomer_" + name
    bad(DIRECTOR)(play_new)


def last(f, before=lambda: None):
    """Seat a newcomer in seat 2."""
    to = f.operator_key(2)
    f.accept(0, to)
    before()
    f.accept_newcomer(1, to, 2)


@bad(LIVE)
def newcomer_other_owes(f):
    """While another seat owes an answer none is accepted."""
    f.begin()
    f.roll_free()
    f.accept_newcomer(2, f.operator_key(1), 1)


@bad(LIVE)
def newcomer_answers_old(f):
    """What the seat owed is not answered by the new one."""
    f.begin()
    f.roll_free()
    owed = f.owed["seq"]
    f.owed["voids"] = True
    f.accept_newcomer(1, f.operator_key(2), 2)
    f.all_ready()
    f.put(2, "answer", {"to": owed, "say": "object"})


@bad()
def newcomer_before_play(f):
    """Nobody takes a seat before play."""
    f.create()
    f.join(2)
    f.operator_key(2)


@bad(clock())
def newcomer_no_move(f):
    """The accept gives no fresh time."""
    f.begin()
    to = f.operator_key(2)
    f.wait(50000)
    f.accept_newcomer(1, to, 2)
    f.send_ready(2)
    f.wait(10000)
    f.put(2, "claim")
    f.send_ready(1)


# --- Lost lines ---


@case({**DIRECTOR, **clock(then="director")})
def restored_game(f):
    """Lines were lost, in play: all accept, and send ready."""
    f.begin()
    f.declare(f.guns())
    f.standing(1, "reroll", "all")
    f.put(1, "offer", {"what": "draw"})
    to = f.restored()
    f.put(2, "chat", {"ref": f.text("oh")})
    f.wait(10 * DAY)
    f.accept_restored(to)
    f.all_ready()
    f.declare(f.plain())
    f.finish()
    f.end_turn()
    f.close()


@case()
def restored_before_game(f):
    """Lines were lost between two readies."""
    f.create()
    f.join(2)
    f.fill_pool()
    f.send_ready(2)
    f.accept_restored(f.restored())
    f.all_ready()
    f.declare(f.plain())
    f.finish()
    f.close()


@case()
def restored_before_with_key_game(f):
    """A new dice key comes meanwhile, and counts at once."""
    f.create()
    f.join(2)
    f.fill_pool()
    f.send_ready(2)
    to = f.restored()
    f.accept(1, to)
    f.dice_key(1)
    f.accept(2, to)
    f.all_ready()
    f.declare(f.plain())
    f.finish()
    f.close()


@case(LIVE)
def restored_owed_game(f):
    """What waits is void; a second line takes the place of the first."""
    f.begin()
    f.roll_free()
    f.dice_key(2)
    f.accept(1, f.restored())
    f.accept_restored(f.restored())
    f.send_ready(1)
    f.accept_restored(f.restored())
    f.all_ready()
    f.end_turn()
    f.all_ready()
    f.roll_free()
    f.agree()
    f.close()


@case()
def restored_newcomer_game(f):
    """An operator-key stands, with the accepts that it has."""
    f.begin()
    new_one = f.operator_key(2)
    to = f.restored()
    f.accept(2, to)
    f.accept_newcomer(1, new_one, 2)
    f.accept(1, to)
    f.all_ready()
    f.end_turn()
    f.close()


@case(clock())
def restored_claim_game(f):
    """Nobody loses by not accepting."""
    f.begin()
    f.accept(2, f.restored())
    f.wait(DAY)
    f.put(2, "claim")
    f.put_server("closed", {"why": f.text("nobody is left")})


for name, play in {
    "seq": lambda f: f.restored(seq=3),
    "more": lambda f: f.restored(why="ab" * 32),
    "pool": lambda f: (f.next_whole(lambda line: line.update(
        pool="ab" * 32)), f.restored()),
    "no_pool": lambda f: (f.next_whole(lambda line: line.pop("pool")),
                          f.restored()),
    "over": lambda f: (f.put(1, "resign"), f.restored()),
    "ready": lambda f: (f.accept(1, f.restored()), f.send_ready(1)),
    "at_once": lambda f: (f.accept_restored(f.restored()), f.end_turn()),
    "accepted_twice": lambda f: (
        f.accept(1, f.restored()), f.accept(1, f.seq() - 2)),
    "accepts_place": lambda f: (
        f.restored(), f.next_order(lambda o: o.update(
            place="p/2", own=f.own(1, "p/2")[0].hex())),
        f.accept(1, f.seq() - 1)),
    "accepts_first": lambda f: f.accept(1, min(
        f.restored(), f.restored())),
    "offer": lambda f: (
        f.put(1, "offer", {"what": "draw"}),
        f.accept_restored(f.restored()), f.all_ready(),
        f.accept(2, f.seq() - 6)),
    "close": lambda f: (
        f.put(1, "close"), f.accept_restored(f.restored()),
        f.all_ready(), f.put(2, "close"), f.end_turn(), f.end_turn(),
        f.put(2, "close"), f.put(1, "close"), f.end_turn()),
    "combat": lambda f: (
        f.declare(f.guns()), keep(f), f.accept_restored(f.restored()),
        f.all_ready(), setattr(f, "combat", f.kept_combat),
        f.choose_decision()),
}.items():
    def play_lost(f, play=play):
        f.begin()
        play(f)

    play_lost.__name__ = "restored_" + name
    bad()(play_lost)


def keep(f):
    """Keep the open combat."""
    if f.combat is None:
        raise NotHere
    f.kept_combat = f.combat


@bad()
def restored_before_ready(f):
    """Before a ready nothing can be known of dice."""
    f.create()
    f.join(2)
    f.fill_pool()
    f.restored()


@bad()
def restored_opens_lost(f):
    """A standing order that was withdrawn so is not opened."""
    f.begin()
    f.standing(1, "reroll", "all")
    lost = f.told(f.standings[0])
    f.accept_restored(f.restored())
    f.put(1, "close")
    f.put(2, "close", opened=[lost])


@bad(clock())
def restored_old_time(f):
    """The time before does not count."""
    f.begin()
    f.wait(50000)
    f.accept_restored(f.restored())
    f.all_ready()
    f.wait(MINUTE)
    f.put(2, "claim")
    f.end_turn()


# --- The end by the server ---


@case()
def closed_game(f):
    """The operator ends the record, with a combat open."""
    f.begin()
    f.declare(f.guns())
    f.standing(2, "reroll", "all")
    f.put_server("closed", {"why": f.text("the disk is full")})


@case()
def closed_early_game(f):
    """Before anybody has joined."""
    f.create()
    f.put_server("closed", {"why": f.text("nobody came")})


for name, play in {
    "then_chat": lambda f: (
        f.put_server("closed", {"why": f.text("end")}),
        f.put(1, "chat", {"ref": f.text("no")})),
    "then_key": lambda f: (
        f.put_server("closed", {"why": f.text("end")}),
        f.statement(1, "add", ed_expand(secret("more"))[2].hex())),
    "without_why": lambda f: f.put_server("closed", {}),
    "why": lambda f: f.put_server("closed", {"why": "the disk is full"}),
    "more": lambda f: f.put_server("closed", {
        "why": f.text("end"), "winner": 1}),
    "pool": lambda f: f.put_server(
        "closed", {"why": f.text("end")}, pool="ab" * 32),
}.items():
    def play_closed(f, play=play):
        f.begin()
        play(f)

    play_closed.__name__ = "closed_" + name
    bad()(play_closed)
