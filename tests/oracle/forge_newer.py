# SPDX-License-Identifier: ISC
"""What a newer umpire might make, with faults beside it, for forged_turns.py.

A verifier that meets a part that it does not know calls the record not
checkable; which faults make it bad all the same is umpire-record.7, S10:
those of the form, the chain, the marks, the heads and the signatures of any
line, and whatever else is wrong before the unknown part.
"""

import json

import record_form as form
from forge import ed_sign, secret
from forge_turns import OtherTurns
from forge_turns_cases import LIVE, case
import record_crypto as crypto

OTHER = "ab" * 32
PROOF = "02" + "ab" * 80


def chat(f, seat=1):
    """Write a chat; return its number."""
    return f.put(seat, "chat", {"ref": OTHER})


# --- Unknown parts, each in a line of its own in play ---


def line_kind(f):
    """A line of another kind."""
    f.next_whole(lambda line: line.update(kind="poem"))
    chat(f)


def line_format(f):
    """A line of another format."""
    f.next_whole(lambda line: line.update(v=2))
    chat(f)


PARTS = {
    "kind": lambda f: f.put(1, "dance", {"steps": 3}),
    "arg": lambda f: f.put(1, "chat", {"ref": OTHER, "moo": 1}),
    "args_of_none": lambda f: f.put(1, "close", {"moo": 1}),
    "offer": lambda f: f.put(1, "offer", {"what": "cigars", "count": 20}),
    "proposal": lambda f: f.put(1, "propose", {"what": "weather"}),
    "line_kind": line_kind,
    "line_format": line_format,
    "what": lambda f: f.write(
        "server", {"what": "weather", "data": {}, "events": []}),
    "statement": lambda f: f.statement(1, "lend", OTHER),
}


def set_arg(*path):
    """Make a change that sets a member deep in args to the last value."""
    *keys, last, value = path

    def change(order):
        target = order["args"]
        for key in keys:
            target = target.setdefault(key, {})
        target[last] = value

    return change


SETTINGS = {
    "create_arg": set_arg("moo", 1),
    "option": set_arg("options", "moo", 1),
    "clock": set_arg("clock", {
        "per": "order", "first_s": 60, "then": "forfeit", "moo": 1}),
    "clock_alone": set_arg("clock", {"moo": 1}),
}

# --- Faults of a line: of the whole, of its order, of its signature ---


def whole(**members):
    """A fault of members that stand around the order."""
    return lambda f: f.next_whole(lambda line: line.update(members))


def order(**members):
    """A fault of the order's own members."""
    return lambda f: f.next_order(lambda told: told.update(members))


def order_without(name):
    """An order that lacks a member."""
    return lambda f: f.next_order(lambda told: told.pop(name))


def seq_again(f):
    """The number of the line before."""
    f.next_whole(lambda line: line.update(seq=line["seq"] - 1))


def after_itself(f):
    """An order upon its own line."""
    f.next_order(lambda told: told.update(after=f.seq(), head=OTHER))


def signed_by_nobody(f):
    """A signature of another key than the line's."""
    f.next_line(lambda line: line.update(
        sig=ed_sign(secret("nobody"), b"x").hex()))


def signed_as_statement(f):
    """A signature behind another tag."""
    def change(line):
        data = crypto.tag("key/1") + line["order"].encode()
        line["sig"] = ed_sign(f.players[line["seat"]]["ed"], data).hex()

    f.next_line(change)


def member_twice(f):
    """An order text that is not of the profile."""
    f.next_text(lambda text: '{"v":1,' + form.compact(json.loads(text))[1:])


# What is bad in any line, known or not.
ALWAYS = {
    "seq": seq_again,
    "prev": whole(prev=OTHER),
    "game": whole(game=OTHER),
    "at_earlier": whole(at="2026-01-01T00:00:00.000Z"),
    "at_no_time": whole(at="2026-02-30T00:00:00.000Z"),
    "mark": lambda f: f.next_server(secret("nobody")),
    "line_seat": lambda f: f.next_line(
        lambda line: line.update(seat=3 - line["seat"])),
    "order_server": order(server=OTHER),
    "order_game": order(game=OTHER),
    "order_seat": lambda f: f.next_order(
        lambda told: told.update(seat=3 - told["seat"])),
    "order_after": after_itself,
    "order_head": order(head=OTHER),
    "order_without_head": order_without("head"),
    "order_twice": member_twice,
    "sig": signed_by_nobody,
    "sig_tag": signed_as_statement,
    "events": whole(events=[{"x": 1}]),
}


def same_nonce(f):
    """A nonce of the seat's first line."""
    first = json.loads(json.loads(f.raw[0])["order"])["nonce"]
    f.next_order(lambda told: told.update(nonce=first))


def other_signer(f):
    """A key that is not the seat's; its signature holds."""
    def change(line):
        seed = f.players[2]["ed"]
        data = crypto.tag("order/1") + line["order"].encode()
        line["sig"] = ed_sign(seed, data).hex()
        line["key"] = f.public(2)

    f.next_line(change)


# What is bad in a line that is known, and cannot be judged in another.
KNOWN = {
    "nonce": same_nonce,
    "signer": other_signer,
    "place": order(place="p/9"),
    "own": order(place="p/1", own=PROOF),
    "other": order(other=PROOF),
    "kind_of_arg": order(kind="resign", args={"moo": 1, "ref": []}),
    "args_of_another": order(kind="turn.end", args={"moo": 1}),
    "dice": lambda f: f.next_line(lambda line: line.update(dice={
        "place": "p/1", "proof": PROOF,
        "rolls": [{"label": "x", "sides": 6, "dice": [7]}]})),
    "dice_form": lambda f: f.next_line(lambda line: line.update(dice={})),
    "owes": lambda f: f.next_line(lambda line: line.update(
        owes={"seat": 99})),
    "opened": lambda f: f.next_line(lambda line: line.update(opened=[7])),
    "pool": lambda f: f.next_line(lambda line: line.update(pool=OTHER)),
    "told": lambda f: f.next_line(lambda line: line.update(
        events=[{"e": "change"}])),
}

# What besides cannot be judged in a line behind an unknown part.
BEHIND = {
    "order_v": order(v=2),
    "order_member": order(moo=1),
    "order_nonce_gone": order_without("nonce"),
    "order_nonce_form": order(nonce="AB"),
    "order_kind_gone": order_without("kind"),
    "order_args_gone": order_without("args"),
    "order_args_form": order(args=[]),
    "order_place_form": order(place=7),
    "create_again": order(kind="create"),
    "ref": order(args={"ref": "x"}),
}


def enter(name, play, status, settings=None):
    """Enter a case under a name."""
    play.__name__ = "newer_" + name
    case(settings, status, status)(play)


def enter_later():
    """An unknown part, and a fault in a line behind it."""
    for part, make in PARTS.items():
        def alone(f, make=make):
            f.begin()
            make(f)
            chat(f, 2)

        enter(part, alone, 2)
        for faults, status in ((ALWAYS, 1), (KNOWN, 2), (BEHIND, 2)):
            if part not in ("arg", "line_format", "what") and status == 2:
                continue
            for name, fault in faults.items():
                def play(f, make=make, fault=fault):
                    f.begin()
                    make(f)
                    chat(f, 2)
                    fault(f)
                    chat(f)

                enter("%s_then_%s" % (part, name), play, status)


def enter_settings():
    """Settings that are not known, and a fault in a later line."""
    for part, change in SETTINGS.items():
        def alone(f, change=change):
            f.next_order(change)
            f.begin()

        enter(part, alone, 2)
        for name in ("prev", "mark", "order_head", "sig"):
            def play(f, change=change, fault=ALWAYS[name]):
                f.next_order(change)
                f.begin()
                fault(f)
                chat(f)

            enter("%s_then_%s" % (part, name), play, 1)
    for name, more in {
        "seat": set_arg("seat", 2),
        "key": set_arg("key", OTHER),
        "dice_key": set_arg("dice_key", "02" + "ff" * 32),
        "scheme": set_arg("scheme", "moo"),
        "director": set_arg("silence", "director"),
        "place": lambda told: told.update(place="p/0"),
    }.items():
        def bad_too(f, more=more):
            def change(told):
                SETTINGS["option"](told)
                more(told)

            f.next_order(change)
            f.create()

        enter("option_and_" + name, bad_too, 2)

        def bad_alone(f, more=more):
            f.next_order(more)
            f.create()

        enter("no_option_but_" + name, bad_alone, 1)


def enter_same():
    """An unknown arg, and a fault in the same line."""
    for faults, status in ((ALWAYS, 1), (KNOWN, 2)):
        for name, fault in faults.items():
            def play(f, fault=fault):
                f.begin()
                fault(f)
                f.put(1, "chat", {"ref": OTHER, "moo": 1})

            enter("arg_and_" + name, play, status)
    for name in ("order_v", "order_member", "order_nonce_gone",
                 "order_nonce_form", "order_kind_gone", "order_args_form",
                 "order_place_form"):
        def before(f, fault=BEHIND[name]):
            f.begin()
            fault(f)
            f.put(1, "chat", {"ref": OTHER, "moo": 1})

        enter("arg_and_" + name, before, 1)
    for name, kind, args, more in (
        ("resign_with_place", "resign", {}, {"place": "p/1", "own": PROOF}),
        ("turn_end_without", "turn.end", {}, {}),
        ("free_without_dice", "free", {}, {"place": "f/1/1", "own": PROOF}),
        ("join_again", "join", {}, {}),
        ("ready_in_play", "ready", {}, {"place": "p/1", "own": PROOF}),
        ("ruling_of_player", "ruling", {}, {}),
        ("accept_of_nothing", "accept", {"to": 2}, {}),
        ("note_on_nothing", "note", {"to": 2, "say": "moo"}, {}),
        ("upkeep_without", "upkeep", {"unit": 7}, {}),
        ("commit_to_nothing", "commit", {}, {"place": "p/1"}),
        ("answer_to_nothing", "answer", {"to": 1, "say": "agree"}, {}),
        ("claim_without_clock", "claim", {}, {}),
        ("pause_without_clock", "pause", {"do": "moo"}, {}),
        ("cup_without_name", "cup", {"do": "make"}, {}),
        ("standing_without", "standing", {}, {}),
        ("decide_nothing", "decide", {}, {"place": "p/1", "own": PROOF}),
        ("open_nothing", "open", {}, {"place": "p/1"}),
        ("propose_units", "propose", {"what": "adjust", "units": 7}, {}),
        ("offer_from", "offer", {"what": "takeback", "from": 99}, {}),
    ):
        def play(f, kind=kind, args=args, more=more):
            f.begin()
            f.next_order(lambda told: told.update(more))
            f.put(1, kind, {**args, "moo": 1})

        enter("arg_and_" + name, play, 2)

        def known(f, kind=kind, args=args, more=more):
            f.begin()
            f.next_order(lambda told: told.update(more))
            f.put(1, kind, args)

        enter("no_arg_but_" + name, known, 1)


def enter_before():
    """A fault, and then an unknown part."""
    def bad_die(f, make):
        f.begin()
        f.next_line(lambda line: line["dice"]["rolls"][0].update(
            dice=[1, 1]))
        seq = f.roll_free()
        make(f)
        return seq

    def bad_place(f, make):
        f.begin()
        f.next_order(lambda told: told.update(place="f/1/2"))
        seq = f.roll_free()
        make(f)
        return seq

    for part, make in PARTS.items():
        enter("die_then_" + part, lambda f, make=make: bad_die(f, make), 1)
        enter("place_then_" + part,
              lambda f, make=make: bad_place(f, make), 1)

    def closed(f, make):
        f.begin()
        f.close()
        make(f)

    for part, make in PARTS.items():
        enter("end_then_" + part, lambda f, make=make: closed(f, make), 1)


def enter_forms():
    """Args that a kind has, in a form that has not: known, and wrong."""
    for name, kind, args in (
        ("offer", "offer", {"what": "draw", "winner": 1}),
        ("proposal", "propose", {"what": "adjust", "roster": OTHER}),
        ("cup", "cup", {"do": "shuffle", "cup": "a", "items": ["x"]}),
        ("pause", "pause", {"do": "resume", "days": 1}),
        ("ruling", "ruling", {"claim": 2, "from": 1, "why": OTHER}),
    ):
        def play(f, kind=kind, args=args):
            f.begin()
            f.put(1, kind, args)

        enter("form_of_" + name, play, 1, {
            "clock": {"per": "order", "first_s": 60, "then": "forfeit"}})

    def free(f):
        f.begin()
        f.cup(1, "make", "a", ["x"])
        f.roll_free(cup="a", draw=1, dice=1)

    enter("form_of_free", free, 1)


def live_die(f):
    """A die of an answer that is not what the proofs give, and more."""
    f.begin()
    f.put(2, "chat", {"ref": OTHER, "moo": 1})
    f.roll_free()
    f.next_line(lambda line: line["dice"]["rolls"][0].update(dice=[1, 1]))
    f.agree()


# --- Systems ---


class NewerTurns(OtherTurns):
    """Games of a system that nobody here knows."""

    ROSTERS = {"kriegsspiel": {"arm": "hussars", "points": 7}}


@case({}, 2, 2)
def newer_after_dice(f):
    """Dice have fallen before the unknown part."""
    f.begin()
    f.declare(f.lances())
    f.finish()
    PARTS["arg"](f)


NEWER = {"system": "kriegsspiel"}


def end_turns(f):
    """End turns, each of them with an upkeep."""
    f.begin()
    for side in "ab":
        told = {"e": "upkeep", "unit": side + "-1", "what": "rested"}
        f.next_line(lambda line: line.update(events=[told]))
        f.end_turn()


@case(NEWER, 2, 2, made=NewerTurns)
def newer_system_upkeep(f):
    """Any turn of an unknown system may end with an upkeep."""
    end_turns(f)


@case(NEWER, 1, 1, made=NewerTurns)
def newer_system_then_pool(f):
    """A pool that moves otherwise is bad all the same."""
    end_turns(f)
    f.next_line(lambda line: line.update(pool=OTHER))
    f.end_turn()


@case(NEWER, 1, 1, made=NewerTurns)
def newer_system_then_nothing(f):
    """So is a turn that moves none."""
    end_turns(f)
    f.next_line(lambda line: line.pop("pool"))
    f.end_turn()


@case(NEWER, 1, 1, made=NewerTurns)
def newer_system_no_upkeep(f):
    """What is no upkeep has no place there."""
    end_turns(f)
    f.next_line(lambda line: line.update(events=[{"e": "storm"}]))
    f.end_turn()


enter_later()
enter_settings()
enter_same()
enter_before()
enter_forms()
enter("arg_then_die", live_die, 2, LIVE)
