# SPDX-License-Identifier: ISC
"""The order texts of umpire-record.7, S3 and S5: members and args.

Checked here is what an order text says by itself; whether it may be given is
for record_game.py and its parts.
"""

import functools

from record_form import (
    Bad,
    CHIT,
    Unknown,
    is_account,
    is_bool,
    is_count,
    is_dice_key,
    is_ed_key,
    is_event_name,
    is_from,
    is_hash,
    is_hex,
    is_int,
    is_list_of,
    is_object,
    is_one,
    is_proof,
    is_text,
    is_time,
    read_json,
    want,
)

from record_muster import is_joining, is_leaving

MAX_ORDER = 16384
MAX_UNITS = 64
MAX_ITEMS = 1000
YEAR_S = 31536000
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def is_id(value):
    """Tell whether a value is an id of chits, units and cups."""
    return is_text(value) and bool(CHIT.match(value))


def is_confirm(value):
    """Tell whether a value says what waits for an answer."""
    return is_bool(value) or value == "facts"


def is_items(value):
    """Tell whether a value lists the chits of a cup, each once."""
    return (
        is_list_of(is_id)(value)
        and 1 <= len(value) <= MAX_ITEMS
        and len(set(value)) == len(value)
    )


def is_changes(value):
    """Tell whether a value lists units that change, join or go for good."""
    return (
        is_list_of(is_object)(value)
        and 1 <= len(value) <= MAX_UNITS
        and all(is_id(unit.get("id")) and len(unit) > 1 for unit in value)
        and len({unit["id"] for unit in value}) == len(value)
        and all(is_joining(unit) for unit in value if "joins" in unit)
        and all(is_leaving(unit) for unit in value
                if "gone" in unit and "joins" not in unit)
    )


ORDER_MEMBERS = {
    "v": is_int,
    "server": is_hash,
    "game": is_hash,
    "seat": is_count,
    "after": is_count,
    "head": is_hash,
    "nonce": lambda value: is_hex(value, 32),
    "now": is_time,
    "kind": is_text,
    "place": is_text,
    "own": is_proof,
    "other": is_proof,
    "args": is_object,
}


def is_keys(value):
    """Whether this is a list of other keys, ascending."""
    return (
        isinstance(value, list)
        and 1 <= len(value) <= 15
        and all(is_ed_key(each) for each in value)
        and value == sorted(set(value))
    )


SEAT_ARGS = {
    "seat": (is_from(0, 16), True),
    "key": (is_ed_key, True),
    "dice_key": (is_dice_key, True),
    "account": (is_account, True),
    "kn": (is_count, True),
    "kprev": (is_hash, True),
    "keys": (is_keys, False),
    "recovery": (is_ed_key, False),
    "name": (is_hash, False),
}
ARGS = {
    "create": {
        **SEAT_ARGS,
        "seat": (is_from(0, 2), True),
        "system": (is_text, True),
        "rules": (is_text, True),
        "rulings": (is_object, True),
        "tables": (is_list_of(is_hash), True),
        "roster": (is_hash, True),
        "scheme": (is_one("dual-1", "live-1"), True),
        "server_dice": (is_dice_key, True),
        "secret": (is_one("held", "sealed"), True),
        "silence": (is_one("forfeit", "director"), True),
        "confirm": (is_confirm, False),
        "clock": (is_object, False),
        "private": (is_bool, False),
        "event": (is_event_name, False),
        "round": (is_int, False),
        "table": (is_int, False),
        "tournament": (is_hash, False),
        "paired": (is_count, False),
        "line": (is_hash, False),
        "leg": (is_from(1, 3), False),
        "options": (is_object, False),
    },
    "join": {
        **SEAT_ARGS,
        "seat": (lambda v: is_from(0, 16)(v) or is_from(254, 254)(v), True),
    },
    "dice-key": {"dice_key": (is_dice_key, True)},
    "ready": {},
    "turn.end": {},
    "resign": {},
    "close": {},
    "claim": {"to": (is_count, False)},
    "declare": {"combat": (is_object, True)},
    "decide": {"ask": (is_count, True), "decision": (is_object, True)},
    "commit": {"ask": (is_count, True), "commit": (is_hash, True)},
    "open": {
        "ask": (is_count, True),
        "salt": (is_hash, True),
        "text": (is_text, True),
    },
    "upkeep": {
        "unit": (is_text, True),
        "do": (is_text, True),
        "battalion": (is_text, False),
    },
    "chat": {"ref": (is_hash, True), "to": (is_one("side"), False)},
    "answer": {
        "to": (is_count, True),
        "say": (is_one("agree", "object"), True),
        "why": (is_hash, False),
    },
    "accept": {"to": (is_count, True)},
    "note": {
        "to": (is_count, True),
        "say": (is_one("decline", "withdraw", "refuse", "passed",
                       "answered", "anew"), True),
        "why": (is_hash, False),
    },
    "standing": {"commit": (is_hash, True)},
}
WHY = {"why": (is_hash, False)}
SAID = {"why": (is_hash, True)}
FOR = {"for": (is_hash, False)}
# Kinds with several forms: the members that tell them apart, and each form.
FORMS = {
    "free": (
        ("cup",),
        {
            (): {"dice": (is_from(1, 1000), True),
                 "sides": (is_from(2, 1000), True), **FOR},
            ("cup",): {"cup": (is_id, True),
                       "draw": (is_from(1, 1000), True), **FOR},
        },
    ),
    "cup": (
        "do",
        {
            "make": {"cup": (is_id, True), "items": (is_items, True), **FOR},
            "return": {"cup": (is_id, True), "items": (is_items, True),
                       **FOR},
            "shuffle": {"cup": (is_id, True), **FOR},
        },
    ),
    "pause": (
        "do",
        {"holiday": {"days": (is_from(1, 366), True)}, "resume": {}},
    ),
    "propose": (
        "what",
        {
            "adjust": {"units": (is_changes, True), **WHY},
            "roster": {"roster": (is_hash, True), **WHY},
        },
    ),
    "offer": (
        "what",
        {
            "draw": WHY,
            "victory": {"winner": (is_from(1, 2), True), **WHY},
            "takeback": {"from": (is_count, True), **WHY},
            "pause": {"days": (is_from(1, 366), True), **WHY},
            "truce": {"turns": (is_from(1, 99), True), **WHY},
            "witness-out": WHY,
        },
    ),
    "ruling": (
        ("void", "units", "result", "claim"),
        {
            ("void",): {"void": (lambda value: value is True, True),
                        "from": (is_count, True), **SAID},
            ("units",): {"units": (is_changes, True), **SAID},
            ("result",): {"result": (is_from(0, 2), True), **SAID},
            ("claim",): {"claim": (is_count, True),
                         "do": (is_one("forfeit", "extend"), True),
                         "extend_s": (is_from(60, YEAR_S), False), **SAID},
            (): SAID,
        },
    ),
}
OPTIONS = {
    "seats": is_from(2, 16),
    "director": is_bool,
    "takeback": is_bool,
    "owner_fields": is_list_of(is_text),
    "witness": is_ed_key,
    "witness_s": is_from(60, 86400),
    "delay": is_count,
    "delay_minutes": is_from(1, 10080),
}
CLOCK = {
    "per": (is_one("order", "side"), True),
    "first_s": (is_from(60, YEAR_S), True),
    "add_s": (is_from(0, YEAR_S), False),
    "cap_s": (is_from(0, YEAR_S), False),
    "grace_s": (is_from(0, YEAR_S), False),
    "notice_s": (is_from(0, 604800), False),
    "skip": (
        lambda value: is_list_of(is_one(*DAYS))(value)
        and len(set(value)) == len(value) < len(DAYS),
        False,
    ),
    "holidays": (is_from(0, 366), False),
    "then": (is_one("forfeit", "default", "director"), True),
}
SYSTEMS = ("imagi-nations", "invasion-1812", "lasalle2", "leniston-2009",
           "tlnb")
# Args that upkeep orders have besides in some systems (umpire-rules.7).
UPKEEP_ARGS = {"imagi-nations": ("battalion",)}
WITH_PROOF = ("declare", "decide", "upkeep", "free", "turn.end", "ready")
# `place` and `own` depend on what is open: see the kinds themselves.
MAY_PROVE = ("accept", "claim")
SECRET_KINDS = ("commit", "open")
TURN_KINDS = ("declare", "decide", "commit", "upkeep", "free", "turn.end",
              "ruling")


@functools.lru_cache(maxsize=8192)
def read_order(text):
    """Read an order text under the profile."""
    data = text.encode("utf-8")
    want(2 <= len(data) <= MAX_ORDER, "order of %d bytes", len(data))
    try:
        order = read_json(data)
    except Bad as e:
        raise Bad("order: %s" % e) from None
    want(is_object(order), "the order is no object")
    return order


LOCATED = ("game", "seat", "after", "head")


def check_members(order, names):
    """Check that these members are there, and of the right form."""
    for key in names:
        want(key in order, "order: %r is missing", key)
        want(ORDER_MEMBERS[key](order[key]), "order: %r is wrong", key)


def check_order_head(order):
    """Check the members that every order has, and that it has no others."""
    for key in order:
        want(key in ORDER_MEMBERS, "order: unknown member %r", key)
    check_members(order, order)
    check_members(order, ("v", "server", "nonce", "kind", "args"))
    want(order["v"] == 1, "order: 'v' is wrong")
    if order["kind"] == "create":
        for key in LOCATED:
            want(key not in order, "create has %r", key)
    else:
        check_members(order, LOCATED)


def check_order_tie(order):
    """Check only what ties an order to its game: S10, behind the unknown."""
    check_members(order, ("server",) + LOCATED)


def names_of(kind, system):
    """The args that a kind of order has, in any form; None: not known."""
    if kind == "upkeep":
        if system not in SYSTEMS:
            return None
        return ("unit", "do") + UPKEEP_ARGS.get(system, ())
    if kind in ARGS:
        return ARGS[kind]
    by, forms = FORMS[kind]
    names = {key for form in forms.values() for key in form}
    return names | {by} if is_text(by) else names


def check_known(order, system):
    """Raise Unknown for a part of an order that this verifier lacks (S10)."""
    kind, args = order["kind"], order["args"]
    if kind not in ARGS and kind not in FORMS:
        raise Unknown("an order of the unknown kind %r" % kind)
    names = names_of(kind, system)
    for key in args:
        if names is not None and key not in names:
            raise Unknown("%s with the unknown arg %r" % (kind, key))
    if kind in ("offer", "propose") and is_text(args.get("what")):
        if args["what"] not in FORMS[kind][1]:
            raise Unknown("%s of the unknown %r" % (kind, args["what"]))
    if kind == "create":
        for name, known in (("options", OPTIONS), ("clock", CLOCK)):
            value = args.get(name)
            for key in value if is_object(value) else ():
                if key not in known:
                    raise Unknown("%s with the unknown %r" % (name, key))


def args_of(order):
    """What the args of an order may be: name -> (check, must)."""
    kind, args = order["kind"], order["args"]
    if kind in ARGS:
        return ARGS[kind]
    by, forms = FORMS[kind]
    if not is_text(by):
        form = forms.get(tuple(key for key in by if key in args))
        want(form is not None, "%s in two forms", kind)
        return form
    want(by in args, "order: args.%s is missing", by)
    want(is_text(args[by]) and args[by] in forms,
         "order: args.%s is wrong", by)
    return {by: (is_text, True), **forms[args[by]]}


def check_args(order):
    """Check the args of an order."""
    args = order["args"]
    may = args_of(order)
    for key, value in args.items():
        want(key in may, "order: args.%s is of another form", key)
        want(may[key][0](value), "order: args.%s is wrong", key)
    for key, (_, must) in may.items():
        want(not must or key in args, "order: args.%s is missing", key)
    if args.get("claim") is not None:
        want(("extend_s" in args) == (args["do"] == "extend"),
             "extend_s is there or not, wrongly")


def check_order_args(order):
    """Check the members that belong to the kind of order."""
    kind = order["kind"]
    check_args(order)
    if kind in WITH_PROOF:
        want("place" in order and "own" in order, "%s without place or own",
             kind)
        want("other" not in order, "%s with other", kind)
    elif kind in SECRET_KINDS:
        want("place" in order, "%s without place", kind)
        want("other" not in order, "%s with other", kind)
    elif kind in MAY_PROVE:
        want(("place" in order) == ("own" in order),
             "%s with half a proof", kind)
        want("other" not in order, "%s with other", kind)
    elif kind == "answer":
        want("own" not in order, "answer with own")
    else:
        for key in ("place", "own", "other"):
            want(key not in order, "%s with %r", kind, key)


def check_clock(clock):
    """Check the settings of a clock."""
    for key, value in clock.items():
        want(CLOCK[key][0](value), "clock.%s is wrong", key)
    for key, (_, must) in CLOCK.items():
        want(not must or key in clock, "clock.%s is missing", key)
    if clock["per"] == "order":
        want("add_s" not in clock and "cap_s" not in clock,
             "a clock of orders with add_s or cap_s")
    want(clock.get("cap_s", YEAR_S) >= clock["first_s"],
         "clock.cap_s is less than first_s")


OF_TOURNAMENT = ("tournament", "paired", "line", "leg")


def check_tournament(args):
    """Check what makes a game one of a tournament (S16)."""
    having = [name for name in OF_TOURNAMENT if name in args]
    if not having:
        want(args["seat"] < 2, "order: args.seat is wrong")
        return
    want(len(having) == len(OF_TOURNAMENT), "half of a tournament's args")
    want(all(name in args for name in ("event", "round", "table")),
         "a game of a tournament without event, round or table")
    want(args["seat"] > 0, "the director opens a game of a tournament")


def check_settings(args):
    """Check the options and the clock of a create order."""
    options = args.get("options", {})
    for key, value in options.items():
        want(OPTIONS[key](value), "options.%s is wrong", key)
    want("witness" in options or "witness_s" not in options,
         "witness_s without witness")
    want("witness" not in options or args["scheme"] == "live-1",
         "a witness in dual-1")
    want("delay" not in options or "delay_minutes" not in options,
         "two delays")
    then = None
    if "clock" in args:
        check_clock(args["clock"])
        then = args["clock"]["then"]
    if then == "director" or args["silence"] == "director":
        want(options.get("director", False), "there is no director")
