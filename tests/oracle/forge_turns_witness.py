# SPDX-License-Identifier: ISC
"""Games by turns with a witness, who answers every roll.

Lawful ones, and such with one fault, which the last line of each has:
umpire-record.7 S6.9.
"""

from forge import NotHere, ed_expand, secret
from forge_turns import SecretTurns
from forge_turns_agreed import to_fact
from forge_turns_cases import CONFIRM, DAY, LIVE, MINUTE, case, clock
from forge_turns_faults import bad, drop
from record_parts import WITNESS

SEEN = {**LIVE, "witness": True, "now": True}
SILENCE = 600 * 1000
NOTICE = clock(notice_s=3600)
HOUR = 3600 * 1000


def new(settings=None, **more):
    """Enter a lawful case."""
    return case({**SEEN, **(settings or {})}, **more)


def wrong(settings=None, bare=1, **more):
    """Enter a bad one."""
    return bad({**SEEN, **(settings or {})}, bare, **more)


def owing(f):
    """Begin, and let a free roll wait for the witness; return its line."""
    f.begin()
    f.roll_free()
    return f.owed["seq"]


@new()
def witness_game(f):
    """Every roll waits for the witness, and nothing else does."""
    f.begin()
    f.roll_free()
    f.put(2, "chat", {"ref": f.text("well?")})
    f.agree()
    f.declare(f.lances())
    f.finish()
    f.end_turn()
    f.declare(f.guns())
    f.finish()
    f.put(WITNESS, "chat", {"ref": f.text("good night")})
    f.end_turn()
    f.close()


@new(CONFIRM)
def witness_confirm_game(f):
    """A declaration waits for the other side, then for the witness."""
    f.begin()
    f.declare(f.plain())
    f.object()
    f.declare(f.plain())
    f.finish()
    f.end_turn()
    f.declare(f.guns())
    f.finish()
    f.close()


@new({"confirm": "facts", "options": {"director": True}})
def witness_facts_game(f):
    """What is agreed to, or judged, leads to dice of the witness."""
    f.begin()
    to_fact(f)
    f.choose_decision()
    f.object()
    f.choose_decision()
    f.object()
    f.choose_decision()
    f.finish()
    f.close()


@new({"secret": "held", "bag": 9}, made=SecretTurns)
def witness_secret_game(f):
    """Secret choices lead to dice of the witness."""
    f.begin()
    f.declare(f.facts())
    f.finish()
    f.end_turn()
    f.close()


@new({"secret": "sealed", "bag": 9}, made=SecretTurns)
def witness_sealed_game(f):
    """So do sealed ones."""
    f.begin()
    f.declare(f.facts())
    f.finish()
    f.end_turn()
    f.close()


@new()
def witness_silent_game(f):
    """Silence, which the other side answers; notes; and the witness again."""
    f.begin()
    f.declare(f.plain())
    owed = f.owed["seq"]
    f.silence(2)
    f.wait(SILENCE)
    f.silenced(1)
    f.put(WITNESS, "note", {"to": owed, "say": "answered"})
    f.agree()
    f.finish()
    f.put(WITNESS, "note", {"to": 2, "say": "anew"})
    f.roll_free()
    f.agree()
    f.close()


@new()
def witness_key_game(f):
    """A new dice key of the witness, and a round without it."""
    f.begin()
    f.dice_key(WITNESS)
    f.roll_free()
    f.agree()
    f.end_turn()
    f.all_ready()
    f.roll_free()
    f.agree()
    f.accept_restored(f.restored())
    f.all_ready()
    f.close()


@new()
def witness_restored_before_game(f):
    """Before play the round anew is of all seats."""
    f.create()
    f.join(2)
    f.join(WITNESS)
    f.fill_pool()
    f.send_ready(WITNESS)
    f.accept_restored(f.restored())
    f.all_ready()
    f.roll_free()
    f.agree()
    f.close()


@new()
def witness_out_game(f):
    """Without it the sides answer each other."""
    f.begin()
    f.roll_free()
    f.agree()
    f.witness_goes()
    f.put(WITNESS, "chat", {"ref": f.text("bye")})
    f.roll_free()
    f.agree()
    f.declare(f.guns())
    f.finish()
    f.close()


@new(NOTICE)
def witness_passed_game(f):
    """A claim in two lines needs the note of the witness."""
    f.begin()
    f.wait(MINUTE)
    to = f.put(2, "claim")
    f.wait(HOUR)
    f.put(2, "claim", {"to": to})
    f.put(WITNESS, "note", {"to": to, "say": "passed"})
    f.put(2, "claim", {"to": to})
    f.close()


@new(NOTICE)
def witness_week_game(f):
    """Or a week."""
    f.begin()
    f.wait(MINUTE)
    to = f.put(2, "claim")
    f.wait(7 * DAY - 1000)
    f.put(2, "claim", {"to": to})
    f.put(2, "claim", {"to": to})
    f.close()


@new(clock(then="default"))
def witness_default_game(f):
    """A default that leads to dice waits for the witness."""
    f.begin()
    f.declare(f.guns())
    if f.combat is None or f.combat["ask"]["kind"] != "retire":
        raise NotHere
    f.wait(MINUTE)
    f.choose_decision(claim=True)
    f.finish()
    f.close()


@wrong(clock())
def witness_stops_clocks(f):
    """No clock runs while the witness owes."""
    owing(f)
    f.wait(MINUTE)
    f.put(2, "claim")
    f.put(2, "resign")
    f.put(1, "resign")


@wrong(clock())
def witness_silence_runs(f):
    """Behind silence the clock runs of whom the answer waits for."""
    owing(f)
    f.wait(SILENCE)
    f.silenced(1)
    f.wait(MINUTE)
    f.put(1, "claim")
    f.agree()


@wrong(NOTICE)
def witness_not_passed(f):
    """An hour without the note is no forfeit: the game goes on."""
    f.begin()
    f.wait(MINUTE)
    to = f.put(2, "claim")
    f.wait(HOUR)
    f.put(2, "claim", {"to": to})
    f.put(2, "resign", {})
    f.put(1, "resign", {})


@wrong(NOTICE)
def witness_passed_early(f):
    """The note alone does not make the time pass."""
    f.begin()
    f.wait(MINUTE)
    to = f.put(2, "claim")
    f.put(WITNESS, "note", {"to": to, "say": "passed"})
    f.wait(HOUR - 1001)
    f.put(2, "claim", {"to": to})
    f.put(WITNESS, "note", {"to": to, "say": "passed"})


@wrong(NOTICE)
def witness_passed_ends(f):
    """With the note an hour is enough."""
    f.begin()
    f.wait(MINUTE)
    to = f.put(2, "claim")
    f.put(WITNESS, "note", {"to": to, "say": "passed"})
    f.wait(HOUR)
    f.put(2, "claim", {"to": to})
    f.end_turn()


for name, play in {
    "objects": lambda f, s: f.put(WITNESS, "answer", {
        "to": s, "say": "object"}),
    "without_other": lambda f, s: (
        f.next_order(drop("place", "other")), f.agree()),
    "without_place": lambda f, s: (f.next_order(drop("place")), f.agree()),
    "own_tag": lambda f, s: (f.next_order(lambda o: o.update(
        other=f.own(WITNESS, o["place"])[0].hex())), f.agree()),
    "key_of_side": lambda f, s: (f.next_order(lambda o: o.update(
        other=f.own(2, o["place"], "other/1")[0].hex())), f.agree()),
    "side_answers": lambda f, s: f.agree(2),
    "side_objects": lambda f, s: f.put(2, "answer", {
        "to": s, "say": "object"}),
    "to_another": lambda f, s: (
        f.next_order(lambda o: o["args"].update(to=s - 1)), f.agree()),
    "dice": lambda f, s: (f.next_line(lambda m: m["dice"]["rolls"][0].update(
        dice=[1, 1])), f.agree()),
    "turn_end": lambda f, s: f.end_turn(),
    "silence_then_it": lambda f, s: (
        f.wait(SILENCE), f.silence(1), f.agree(WITNESS)),
    "silence_objected": lambda f, s: (
        f.wait(SILENCE), f.silenced(1), f.object()),
    "silence_early": lambda f, s: (
        f.wait(SILENCE - 1), f.silence(1), f.agree(2)),
    "silence_early_by_author": lambda f, s: (
        f.skew.update({1: -1}), f.wait(SILENCE), f.silence(1), f.agree(2)),
    "silence_without_now": lambda f, s: (
        f.wait(SILENCE), f.next_order(drop("now")), f.silence(1)),
    "silence_with_place": lambda f, s: (
        f.wait(SILENCE), f.next_order(lambda o: o.update(
            place="f/1/1", own=f.own(1, "f/1/1")[0].hex())), f.silence(1)),
    "silence_by_itself": lambda f, s: (f.wait(SILENCE), f.silence(WITNESS)),
    "silence_of_other": lambda f, s: (
        f.wait(SILENCE), f.put(1, "claim", {"to": s - 1})),
    "silence_answered_by_actor": lambda f, s: (
        f.wait(SILENCE), f.silenced(2), f.agree(1)),
    "answered_before": lambda f, s: f.put(WITNESS, "note", {
        "to": s, "say": "answered"}),
    "answered_twice": lambda f, s: (
        f.wait(SILENCE), f.silenced(1),
        f.put(WITNESS, "note", {"to": s, "say": "answered"}),
        f.put(WITNESS, "note", {"to": s, "say": "answered"})),
    "answered_by_side": lambda f, s: (
        f.wait(SILENCE), f.silenced(1),
        f.put(2, "note", {"to": s, "say": "answered"})),
    "anew_of_other": lambda f, s: f.put(WITNESS, "note", {
        "to": s, "say": "anew"}),
    "passed_nothing": lambda f, s: f.put(WITNESS, "note", {
        "to": s, "say": "passed"}),
    "declines": lambda f, s: f.put(WITNESS, "note", {
        "to": f.put(1, "offer", {"what": "draw"}), "say": "decline"}),
    "resigns": lambda f, s: f.put(WITNESS, "resign"),
    "closes": lambda f, s: (f.agree(), f.put(WITNESS, "close")),
    "stands": lambda f, s: f.standing(WITNESS, "reroll", "all"),
    "makes_cup": lambda f, s: f.cup(WITNESS, "make", "a", ["x"]),
    "statement": lambda f, s: f.statement(
        WITNESS, "add", ed_expand(secret("more"))[2].hex()),
    "key_reused": lambda f, s: f.statement(1, "add", f.public(WITNESS)),
    "operator_key": lambda f, s: f.operator_key(WITNESS),
    "accepts_newcomer": lambda f, s: (
        f.agree(), f.accept(WITNESS, f.operator_key(1))),
    "accepts_restored": lambda f, s: f.accept(WITNESS, f.restored()),
    "out_while_owed": lambda f, s: f.witness_goes(),
    "out_twice": lambda f, s: (f.agree(), f.witness_goes(),
                               f.put(1, "offer", {"what": "witness-out"})),
    "out_then_key": lambda f, s: (f.agree(), f.witness_goes(),
                                  f.dice_key(WITNESS)),
    "out_then_answers": lambda f, s: (
        f.agree(), f.witness_goes(), f.roll_free(), f.agree(WITNESS)),
    "out_still_owes": lambda f, s: (
        f.agree(), f.witness_goes(),
        setattr(f, "witness", True), f.roll_free()),
    "at_once": lambda f, s: (
        f.agree(), setattr(f, "scheme", "dual-1"), f.roll_free()),
    "side_owes": lambda f, s: (
        f.agree(), setattr(f, "witness", False), f.roll_free()),
    "ready_in_round": lambda f, s: (
        f.agree(), f.dice_key(1), f.end_turn(), f.send_ready(WITNESS)),
}.items():
    def play_it(f, play=play):
        play(f, owing(f))

    play_it.__name__ = "witness_" + name
    wrong()(play_it)


@wrong()
def witness_dice_in_declaration(f):
    """A declaration has no dice of its own."""
    f.begin()
    f.scheme = "dual-1"
    f.declare(f.plain())


@wrong()
def witness_question_waits(f):
    """A question waits for nobody's answer."""
    f.begin()
    f.witness = False
    f.declare(f.guns())


@wrong()
def witness_not_in_pool(f):
    """The first pool is of all seats."""
    f.create()
    f.join(2)
    f.join(WITNESS)
    f.all_seats = [1, 2]
    f.fill_pool()
    f.send_ready(1)


for name, change in {
    "dual": lambda o: o["args"].update(scheme="dual-1"),
    "key": lambda o: o["args"]["options"].update(witness="ab" * 31),
    "key_of_seat": lambda o: o["args"]["options"].update(
        witness=o["args"]["key"]),
    "seconds": lambda o: o["args"]["options"].update(witness_s=59),
    "seconds_alone": lambda o: (
        o["args"]["options"].pop("witness"),
        o["args"]["options"].update(witness_s=60)),
}.items():
    def play_create(f, change=change):
        f.next_order(change)
        f.create()

    play_create.__name__ = "witness_create_" + name
    wrong()(play_create)


@wrong()
def witness_joins_with_other_key(f):
    """Only the key of `create` joins seat 254."""
    f.create()
    f.players[WITNESS]["ed"] = secret("somebody")
    f.join(WITNESS)


@wrong()
def witness_joins_with_keys(f):
    """It has no other keys."""
    f.create()
    f.join(WITNESS, keys=[ed_expand(secret("more"))[2].hex()])


@bad(LIVE)
def witness_joins_without(f):
    """There is no seat 254 without a witness."""
    f.create()
    f.players[WITNESS] = {"ed": secret("w"), "dice": secret("wd"),
                          "account": "witness"}
    f.join(WITNESS)
