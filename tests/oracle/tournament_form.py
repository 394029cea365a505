# SPDX-License-Identifier: ISC
"""The forms of umpire-tournament-record.7, S15: lines, orders, terms, args.

Checked here is what a line or an order text says by itself; whether it may
stand there is for tournament.py and its parts.
"""

from record_form import (
    DICE,
    DRAW,
    EVENTS,
    MARK,
    POOL,
    ROLL,
    SIGNATURE,
    Unknown,
    check_events_form,
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
    is_list,
    is_list_of,
    is_object,
    is_one,
    is_proof,
    is_text,
    is_time,
    want,
    want_shape,
)
from record_orders import CLOCK, OPTIONS, YEAR_S, check_settings, is_confirm
from record_orders import is_keys

MAX_ENTRANTS = 1000
MAX_TIES = 16
SWISS = ("swiss", "swiss+knockout")
KNOCKOUT = ("knockout", "swiss+knockout")
HELD = ("BH", "BH/C1", "BH/C2", "BH/M1", "FB")
TIES = HELD + ("SB", "DE", "WIN", "WON", "PS", "REP", "BPG", "BP", "BPA")
RESULTS = ("1", "2", "=", "+", "-", "--")

LINE_HEAD = [
    ("v", is_int, True),
    ("tournament", is_hash, True),
    ("seq", is_count, True),
    ("prev", is_hash, True),
    ("at", is_time, True),
    ("kind", is_text, True),
]
BY = [("by", is_account, True), ("key", is_hash, True)]
LINES = {
    "order": LINE_HEAD + BY + [
        ("order", is_text, True), SIGNATURE, ("dice", is_object, False),
        POOL, EVENTS, MARK,
    ],
    "key": LINE_HEAD + BY + [("statement", is_text, True), SIGNATURE, MARK],
    "server": LINE_HEAD + [
        ("what", is_text, True), ("data", is_object, True), POOL, EVENTS,
        MARK,
    ],
}

ORDER_MEMBERS = {
    "v": is_int,
    "server": is_hash,
    "tournament": is_hash,
    "by": is_account,
    "after": is_count,
    "head": is_hash,
    "nonce": lambda value: is_hex(value, 32),
    "now": is_time,
    "kind": is_text,
    "place": is_text,
    "own": is_proof,
    "args": is_object,
}
LOCATED = ("tournament", "by", "after", "head")
NAMED = {
    "account": (is_account, True),
    "key": (is_ed_key, True),
    "keys": (is_keys, False),
    "kn": (is_count, True),
    "kprev": (is_hash, True),
    "recovery": (is_ed_key, False),
}
WITNESS = {
    "account": (is_account, True),
    "key": (is_ed_key, True),
    "dice_key": (is_dice_key, True),
    "kn": (is_count, True),
    "kprev": (is_hash, True),
}
ROUND = (is_from(1, 999999), True)
LEG = {"round": ROUND, "table": ROUND, "leg": ROUND}
WHY = {"why": (is_hash, True)}


def is_pair(value):
    """Tell whether a value is a pair of entrants."""
    return is_list_of(is_from(1, MAX_ENTRANTS))(value) and len(value) == 2


def is_some(value):
    """Tell whether a value lists 2 to 32 entrants, ascending."""
    return (is_list_of(is_from(1, MAX_ENTRANTS))(value)
            and 2 <= len(value) <= 32 and value == sorted(set(value)))


def shaped(value, members, name):
    """Want an object with these members, in any order."""
    want(is_object(value), "%s is no object", name)
    for key, each in value.items():
        want(key in members, "%s: unknown member %r", name, key)
        want(members[key][0](each), "%s: %r is wrong", name, key)
    for key, (_, must) in members.items():
        want(not must or key in value, "%s: %r is missing", name, key)


SCENARIO = {
    "name": (is_event_name, True),
    "roster": (is_hash, True),
    "rulings": (is_object, True),
    "tables": (is_list_of(is_hash), True),
}
POINTS = {name: (is_from(0, 20), True) for name in ("win", "draw", "loss")}
ENTRY = {
    "until": (is_time, True),
    "max": (is_from(2, MAX_ENTRANTS), True),
    "admit": (is_one("open", "director"), True),
    "late": (is_from(0, 30), False),
    "late_points": (is_one("zero", "half"), False),
}
CONTINUES = {
    "tournament": (is_hash, True),
    "server": (is_ed_key, True),
    "seq": (is_count, True),
    "line": (is_hash, True),
}
GAME_TERMS = ("system", "scheme", "server_dice", "secret", "silence",
              "confirm", "clock", "options", "private")
TERMS = {
    "event": (is_event_name, True),
    "director": (is_object, True),
    "deputies": (is_list_of(is_account), False),
    "witness": (is_object, False),
    "format": (is_one("swiss", "roundrobin", "knockout", "swiss+knockout"),
               True),
    "rounds": (is_from(1, 30), False),
    "cut": (lambda value: is_int(value) and value in (2, 4, 8, 16, 32),
            False),
    "third": (is_bool, False),
    "concurrent": (is_bool, False),
    "system": (is_text, True),
    "rules": (is_text, True),
    "scheme": (is_one("dual-1", "live-1"), True),
    "server_dice": (is_dice_key, True),
    "secret": (is_one("held", "sealed"), True),
    "silence": (is_one("forfeit", "director"), True),
    "confirm": (is_confirm, False),
    "clock": (is_object, False),
    "options": (is_object, False),
    "private": (is_bool, False),
    "scenarios": (is_list_of(is_object), True),
    "mirror": (is_bool, True),
    "points": (is_object, False),
    "bye": (is_one("win", "draw"), True),
    "resign": (is_from(0, 1000), False),
    "ties": (is_list_of(is_one(*TIES)), False),
    "lots": (is_bool, False),
    "entry": (is_object, True),
    "seed": (is_one("lots", "rating"), True),
    "checkin_s": (is_from(3600, YEAR_S), True),
    "start_s": (is_from(3600, YEAR_S), True),
    "gap_s": (is_from(0, 2592000), False),
    "dates": (is_list_of(is_time), False),
    "round_s": (is_from(86400, YEAR_S), True),
    "late": (is_one("director", "draw", "lose", "points"), True),
    "margin": (is_from(1, 1000), False),
    "notice_s": (is_from(0, 604800), False),
    "byes": (is_from(0, 9), False),
    "bye_points": (is_one("zero", "half"), False),
    "out_after": (is_from(1, 9), False),
    "apart": (is_from(0, 30), False),
    "pair": (is_one("anybody", "director"), False),
    "review_s": (is_from(0, 2592000), False),
    "protest_s": (is_from(0, 2592000), False),
    "ruling_s": (is_from(86400, YEAR_S), False),
    "continues": (is_object, False),
}
DEFAULTS = {
    "deputies": [],
    "third": False,
    "concurrent": False,
    "points": {"win": 2, "draw": 1, "loss": 0},
    "resign": 500,
    "lots": False,
    "gap_s": 86400,
    "dates": [],
    "margin": 100,
    "notice_s": 86400,
    "byes": 0,
    "bye_points": "zero",
    "out_after": 1,
    "apart": 0,
    "pair": "anybody",
    "review_s": 172800,
    "protest_s": 172800,
    "ruling_s": 1209600,
}
ARGS = {
    "create": TERMS,
    "deputy": NAMED,
    "enter": {
        **NAMED,
        "dice_key": (is_dice_key, True),
        "name": (is_hash, False),
        "club": (is_account, False),
        "was": (is_from(1, MAX_ENTRANTS), False),
        "statements": (is_list_of(is_object), False),
    },
    "admit": {
        "entrant": ROUND,
        "say": (is_one("yes", "no"), True),
        "rating": (is_from(0, 9999), False),
        "why": (is_hash, False),
    },
    "withdraw": {"from": ROUND},
    "bye": {"round": ROUND, "take": (is_bool, True)},
    "dice-key": {"dice_key": (is_dice_key, True)},
    "shut": {},
    "checkin": {},
    "start": {},
    "pair": {"round": ROUND},
    "claim": {name: (check, False) for name, (check, _) in LEG.items()},
    "protest": {"round": ROUND, "table": (ROUND[0], False), **WHY},
    "ruling": {
        **WHY,
        "answer": (is_count, False),
        "accept": (is_count, False),
        **{form: (is_object, False) for form in (
            "result", "replay", "extend", "points", "expel", "back", "apart",
            "pairs", "witness", "rules")},
    },
    "stop": {"round": ROUND, **WHY},
    "finish": {},
    "say": {"ref": (is_hash, True)},
}
ARGS["claim"]["to"] = (is_count, False)
RULINGS = {
    "result": {**LEG, "value": (is_one(*RESULTS), True),
               "bp": (is_from(-1000, 1000), False)},
    "replay": LEG,
    "extend": {"round": ROUND, "table": (ROUND[0], False),
               "seconds": (is_from(3600, YEAR_S), True)},
    "points": {
        "entrant": ROUND,
        "half": (lambda value: is_from(-20, 20)(value) and value != 0, True),
    },
    "expel": {"entrant": ROUND, "from": ROUND,
              "games": (is_one("stand", "forfeit"), True)},
    "back": {"entrant": ROUND, "from": ROUND},
    "apart": {"entrants": (is_some, True), "from": ROUND, "to": ROUND},
    "pairs": {"round": ROUND, "tables": (is_list_of(is_pair), True),
              "bye": (ROUND[0], False)},
    "witness": WITNESS,
    "rules": {"version": (is_text, True), "from": ROUND},
}
DATA = {
    "game": [(name, ROUND[0], True) for name in ("round", "table", "leg")]
    + [("game", is_hash, True)],
    "restored": [("seq", is_count, True)],
    "fault": [("seq", is_count, True), ("text", is_text, True)],
    "closed": [("why", is_hash, True)],
    "operator-key": [("account", is_account, True), ("key", is_ed_key, True),
                     ("why", is_hash, True)],
}
DATA["result"] = DATA["game"] + [
    ("seq", is_count, True),
    ("line", is_hash, True),
    ("result", is_one("?", *RESULTS), True),
    ("bp", is_from(-1000, 1000), True),
    ("how", is_text, True),
]


def check_line_form(line):
    """Check members and their order; unknown formats are for later."""
    want(is_int(line.get("v")) and line["v"] >= 1, "v is wrong")
    want(is_text(line.get("kind")), "kind is wrong")
    if line["v"] != 1 or line["kind"] not in LINES:
        return
    want_shape(line, "line", LINES[line["kind"]])
    check_events_form(line.get("events", []))
    if "dice" in line:
        want_shape(line["dice"], "dice", DICE)
        for roll in line["dice"]["rolls"]:
            want_shape(roll, "roll", DRAW if "bag" in roll else ROLL)


def check_order_head(order):
    """Check the members that every order has, and that it has no others."""
    for key, value in order.items():
        want(key in ORDER_MEMBERS, "order: unknown member %r", key)
        want(ORDER_MEMBERS[key](value), "order: %r is wrong", key)
    for key in ("v", "server", "nonce", "now", "kind", "args"):
        want(key in order, "order: %r is missing", key)
    want(order["v"] == 1, "order: 'v' is wrong")
    for key in LOCATED:
        want((key in order) == (order["kind"] != "create"),
             "order: %r is there or not, wrongly", key)


def check_known(order):
    """Raise Unknown for a part of an order that this verifier lacks."""
    kind, args = order["kind"], order["args"]
    if kind not in ARGS:
        raise Unknown("an order of the unknown kind %r" % kind)
    for key in args:
        if key not in ARGS[kind]:
            raise Unknown("%s with the unknown arg %r" % (kind, key))
    if kind == "create":
        for name, known in (("options", OPTIONS), ("clock", CLOCK)):
            value = args.get(name)
            for key in value if is_object(value) else ():
                if key not in known:
                    raise Unknown("%s with the unknown %r" % (name, key))


def check_order_args(order):
    """Check the args of an order, and its place and own."""
    kind, args = order["kind"], order["args"]
    shaped(args, ARGS[kind], "args")
    if kind == "claim":
        forms = (["to"], ["leg", "round", "table"])
        want(sorted(args) in forms, "claim of another form")
    if kind == "ruling":
        want(len(args) == 2, "a ruling of %d forms", len(args) - 1)
        for form in args:
            if form in RULINGS:
                shaped(args[form], RULINGS[form], form)
    for name in ("place", "own"):
        if kind == "start":
            want((name in order) == ("place" in order), "half a proof")
        else:
            want((name in order) == (kind == "checkin"),
                 "%s: %s is there or not, wrongly", kind, name)
    for name in ("to", "answer", "accept"):
        want(not is_int(args.get(name)) or order["after"] >= args[name],
             "after is below args.%s", name)


def check_terms(args):
    """Check the terms, and give them with their defaults (S15.4)."""
    shaped(args["director"], NAMED, "director")
    terms = {**DEFAULTS, **args}
    form = args["format"]
    has = {
        "rounds": form != "knockout",
        "cut": form == "swiss+knockout",
    }
    for name, must in has.items():
        want((name in args) == must, "%s is there or not, wrongly", name)
    want(form != "roundrobin" or args["rounds"] <= 2, "more than 2 cycles")
    want("third" not in args or form in KNOCKOUT, "third without a knockout")
    want("concurrent" not in args or form == "roundrobin",
         "concurrent without a round robin")
    check_entry(args, terms)
    check_game_terms(args)
    for each in args["scenarios"]:
        shaped(each, SCENARIO, "scenario")
    want(1 <= len(args["scenarios"]) <= 64, "too few scenarios, or too many")
    shaped(terms["points"], POINTS, "points")
    win, draw, loss = (terms["points"][k] for k in ("win", "draw", "loss"))
    want(loss <= draw < win and 2 * draw <= win + loss, "points are wrong")
    check_ties(args, terms)
    dates = terms["dates"]
    want(dates == sorted(set(dates)) and len(dates) <= 64
         and ("dates" not in args or dates), "dates are wrong")
    names = terms["deputies"]
    others = {args["director"]["account"],
              args.get("witness", {}).get("account")}
    want(len(set(names)) == len(names) <= 8 and not others & set(names),
         "deputies are wrong")
    if "continues" in args:
        shaped(args["continues"], CONTINUES, "continues")
    return terms


def check_entry(args, terms):
    """Check who may enter, and the witness."""
    shaped(args["entry"], ENTRY, "entry")
    terms["entry"] = {"late": 0, "late_points": "zero", **args["entry"]}
    want("late" not in args["entry"] or args["format"] in SWISS,
         "late entries without a Swiss")
    options = args.get("options", {})
    want(("witness" in args) == ("witness" in options),
         "witness without the option, or the other way")
    if "witness" in args:
        shaped(args["witness"], WITNESS, "witness")
        want(args["witness"]["key"] == options["witness"],
             "the witness's key is another")
        want(args["witness"]["account"] != args["director"]["account"],
             "the director is the witness")


def check_game_terms(args):
    """Check what is the same in every game."""
    want("seats" not in args.get("options", {}), "options.seats")
    check_settings({name: args[name] for name in GAME_TERMS if name in args})


def check_ties(args, terms):
    """Check the ties, and fill in those of the format (S20.2)."""
    form = args["format"]
    if "ties" not in args:
        ties = {
            "knockout": [],
            "roundrobin": ["DE", "SB", "WON", "BPA"],
        }.get(form, ["DE", "BH/C1", "BH", "BPA", "WON"])
        terms["ties"] = [
            "BP" if args["mirror"] and code == "BPA" else code
            for code in ties
        ]
        return
    ties = args["ties"]
    want(len(set(ties)) == len(ties) <= MAX_TIES, "ties are wrong")
    refused = {
        "roundrobin": HELD,
        "knockout": HELD + ("SB", "DE"),
    }.get(form, ())
    for code in ties:
        want(code not in refused, "%s in this format", code)


def want_list(value, name):
    """Want an array."""
    want(is_list(value), "%s is no array", name)
    return value
