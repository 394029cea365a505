# SPDX-License-Identifier: ISC
"""Faults for forged_records.py: of orders, keys, seats and lines.

Each enters one line of an honest game and is signed over, so that only the
rule that it breaks can find it. S-numbers are those of umpire-record.7.
"""

import functools
import json

import record_crypto as crypto
import record_form as form
from forge import dice_public, ed_sign, secret

# --- Faults ---


class Fault:
    """One fault: where it fits, what it changes, what verifying says.

    status is the exit status with rules, bare without (None: the same, with
    2 in place of 0). Where the text allows several, either is a tuple.
    settings are those of the game; where first is true, only the first line
    that fits may have the fault.
    """

    def __init__(self, when, status=1, bare=None, instead=None,
                 settings=None, first=False, **stages):
        self.when = when
        self.settings = settings or {}
        self.first = first
        self.instead = instead
        self.stages = {k.replace("_", " "): s for k, s in stages.items()}
        self.status = status
        self.bare = bare or (2 if status == 0 else status)


FAULTS = {}


def add(name, when, *args, **kwargs):
    """Enter a fault into the table."""
    assert name not in FAULTS
    FAULTS[name] = Fault(when, *args, **kwargs)


@functools.lru_cache(maxsize=None)
def at(*kinds):
    """Fit the lines of these kinds of order."""
    return lambda forge, kind: kind in kinds


ANY = ("create", "join", "ready", "declare", "decide", "turn.end", "chat",
       "resign", "close")
LATER = ANY[1:]
EITHER = (1, 2)  # bad, or made by a newer umpire
OTHER_KEY = secret("nobody")
SMALL = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"


def put(*path):
    """Make a stage that sets a member deep in a dict to the last value."""
    *keys, value = path

    def change(forge, target):
        for key in keys[:-1]:
            target = target[key]
        target[keys[-1]] = value

    return change


def drop(*path):
    """Make a stage that leaves out a member deep in a dict."""
    *keys, last = path

    def change(forge, target):
        for key in keys:
            target = target[key]
        target.pop(last, None)

    return change


def swap(old, new):
    """Make a stage that replaces part of a text once."""

    def change(forge, text):
        if old not in text:
            raise AssertionError("%r is not in %r" % (old, text))
        return text.replace(old, new, 1)

    return change


def enter_order_faults():
    """Faults of the order text that any order can have (S3)."""
    add("order_v_2", at(*ANY), order=put("v", 2))
    add("order_v_text", at(*ANY), order=put("v", "1"))
    add("order_server", at(*LATER), order=put("server", "ab" * 32))
    add("order_game", at(*LATER), order=put("game", "ab" * 32))
    add("order_seat", at(*LATER),
        order=lambda f, o: o.update(seat=3 - o["seat"]))
    add("order_after_own", at(*LATER),
        order=lambda f, o: o.update(after=f.seq(), head="00" * 32))
    add("order_after_future", at(*LATER),
        order=lambda f, o: o.update(after=f.seq() + 5, head="00" * 32))
    add("order_after_negative", at(*LATER), order=put("after", -1))
    add("order_head", at(*LATER), order=put("head", "ab" * 32))
    add("order_head_of_another",
        lambda f, kind: kind in LATER and f.seq() > 2,
        order=lambda f, o: o.update(
            head=f.hashes[(o["after"] + 1) % f.seq()]))
    add("order_nonce_short", at(*ANY), order=put("nonce", "ab"))
    add("order_nonce_upper", at(*ANY), order=put("nonce", "AB" * 16))
    add("order_member_unknown", at(*ANY), order=put("note", "x"))
    add("order_kind_unknown", at(*LATER), status=2, order=put("kind", "moo"))
    add("order_args_list", at("ready", "turn.end", "resign", "close"),
        order=put("args", []))
    add("order_arg_unknown", at(*ANY), status=2, order=put("args", "moo", 1))
    for key in ("v", "server", "nonce", "kind", "args"):
        add("order_without_" + key, at(*ANY), order=drop(key))
    for key in ("game", "seat", "after", "head"):
        add("order_without_" + key, at(*LATER), order=drop(key))
        add("create_with_" + key, at("create"),
            order=put(key, 1 if key in ("seat", "after") else "ab" * 32))
    with_own = at("declare", "decide", "ready", "turn.end")
    for key in ("place", "own"):
        add("order_without_" + key, with_own, order=drop(key))
        add("talk_with_" + key, at("chat", "resign", "close"),
            order=put(key, "p/0" if key == "place" else "02" + "ab" * 80))
    add("turn_with_other", with_own,
        order=lambda f, o: o.update(other=o["own"]))

    def reuse(forge, order):
        for raw in forge.raw:
            line = json.loads(raw)
            if line["seat"] == order.get("seat"):
                order["nonce"] = json.loads(line["order"])["nonce"]

    add("order_nonce_again",
        lambda f, kind: kind in LATER and f.seq() > 4, order=reuse)


def enter_text_faults():
    """Faults of the bytes of an order (S3)."""

    def put_in(old, new):
        def change(forge, text):
            compact = form.compact(json.loads(text))
            return swap(old, new)(forge, compact)

        return change

    deep = '"args":' + '{"a":' * 15 + "{}" + "}" * 15
    for name, stage in {
        "twice": put_in('{"', '{"v":1,"'),
        "twice_deep": put_in('"args":{', '"args":{"ref":1,"r\\u0065f":2,'),
        "fraction": put_in('"v":1', '"v":1.0'),
        "exponent": put_in('"v":1', '"v":1e0'),
        "minus_zero": put_in('"args":{', '"args":{"moo":-0,'),
        "big_number": put_in('"args":{', '"args":{"moo":9007199254740992,'),
        "leading_zero": put_in('"v":1', '"v":01'),
        "nul": put_in('"args":{', '"args":{"moo":"\\u0000",'),
        "surrogate": put_in('"args":{', '"args":{"moo":"\\ud800",'),
        "low_surrogate": put_in('"args":{', '"args":{"moo":"\\udc00\\ud800",'),
        "bom": lambda f, text: "\ufeff" + text,
        "trailing": lambda f, text: text + " {}",
        "comma": put_in('"v":1', '"v":1,'),
        "array": lambda f, text: "[" + text + "]",
        "empty": lambda f, text: "{}",
        "control": put_in('"args":{', '"args":{"moo":"\t",'),
        "too_long": lambda f, text: text + " " * (16385 - len(text.encode())),
    }.items():
        add("order_text_" + name, at(*LATER), order_text=stage)
    add("order_text_deep_16", at("chat"), status=2, order_text=put_in(
        '"args":{', deep[:7] + '{"moo":' + "[" * 14 + "]" * 14 + ","))
    add("order_text_deep_17", at("chat"), order_text=put_in(
        '"args":{', deep[:7] + '{"moo":' + "[" * 15 + "]" * 15 + ","))
    add("good_order_of_16384_bytes", at(*LATER), status=0,
        order_text=lambda f, text: text + " " * (16384 - len(text.encode())))


def enter_key_faults():
    """Faults of keys and signatures (S1, S4)."""
    add("signer_nobody", at(*LATER), signer=lambda f, seed: OTHER_KEY)
    add("signer_other_player", at(*LATER),
        signer=lambda f, seed: f.players[
            2 if seed == f.players[1]["ed"] else 1]["ed"])

    def forge_sig(forge, line):
        line["sig"] = ed_sign(OTHER_KEY, b"x").hex()

    def wrong_tag(forge, line):
        seed = forge.players[line["seat"]]["ed"]
        data = line["order"].encode()
        line["sig"] = ed_sign(seed, crypto.tag("key/1") + data).hex()

    def add_l(forge, line):
        sig = bytes.fromhex(line["sig"])
        s = int.from_bytes(sig[32:], "little") + crypto.ED_L
        line["sig"] = (sig[:32] + s.to_bytes(32, "little")).hex()

    add("sig_of_nobody", at(*ANY), line=forge_sig)
    add("sig_with_other_tag", at(*ANY), line=wrong_tag)
    add("sig_plus_l", at(*ANY), line=add_l)
    add("line_seat_other", at(*LATER),
        line=lambda f, l: l.update(seat=3 - l["seat"]))
    add("mark_of_nobody", at(*LATER), server=lambda f, seed: OTHER_KEY)
    add("mark_of_player", at(*LATER),
        server=lambda f, seed: f.players[1]["ed"])
    add("join_small_order_key", at("join"),
        order=put("args", "key", SMALL),
        line=lambda f, l: l.update(key=SMALL, sig=SMALL + "00" * 32))
    add("create_key_other", at("create"),
        order=put("args", "key", "ab" * 32))


def enter_seat_faults():
    """Faults of create and join (S3)."""
    for name, kind, path, status in (
        ("seat_2", "create", ("seat", 2), 1),
        ("seat_0", "create", ("seat", 0), 1),
        ("kprev", "create", ("kprev", "ab" * 32), 1),
        ("dice_key", "create", ("dice_key", "02" + "ff" * 32), 1),
        ("dice_key_04", "create", ("dice_key", "04" + "ab" * 32), 1),
        ("server_dice", "create", ("server_dice", "02" + "ff" * 32), 1),
        ("account", "create", ("account", "Alice"), 1),
        ("account_long", "create", ("account", "a" * 33), 1),
        ("secret", "create", ("secret", "open"), 1),
        ("silence", "create", ("silence", "wait"), 1),
        ("rulings", "create", ("rulings", {"moo": True}), 1),
        ("ruling_value", "create", ("rulings", {"garrison_has_flanks": 1}), 1),
        ("tables", "create", ("tables", ["x"]), 1),
        ("event", "create", ("event", "x" * 65), 1),
        ("event_empty", "create", ("event", ""), 1),
        ("event_umlaut", "create", ("event", "ö"), 1),
        ("options", "create", ("options", {"seats": 1}), 1),
        ("option_unknown", "create", ("options", {"moo": 1}), 2),
        ("rules", "create", ("rules", "lasalle2/99"), 2),
        ("roster_missing", "create", ("roster", "ab" * 32), 2),
        ("table_missing", "create", ("tables", ["ab" * 32]), EITHER),
        ("recovery_small", "create", ("recovery", SMALL), 1),
        ("seat_1", "join", ("seat", 1), 1),
        ("seat_3", "join", ("seat", 3), 1),
        ("kn_negative", "join", ("kn", -1), 1),
        ("kprev", "join", ("kprev", "ab" * 32), 1),
        ("key_form", "join", ("key", "AB" * 32), 1),
    ):
        bare = None
        if name in ("rulings", "ruling_value"):
            bare = EITHER
        order = put("args", *path)
        if kind == "join" and name in ("seat_1", "seat_3"):
            add("join_" + name, at("join"),
                order=lambda f, o, s=path[1]: {
                    **o, "seat": s, "args": {**o["args"], "seat": s}},
                line=put("seat", path[1]))
            continue
        add("%s_%s" % (kind, name), at(kind), status=status, bare=bare,
            order=order)
    for key in ("seat", "key", "dice_key", "account", "kn", "kprev"):
        for kind in ("create", "join"):
            add("%s_without_%s" % (kind, key), at(kind),
                order=drop("args", key))
    for key in ("system", "rules", "rulings", "tables", "roster", "scheme",
                "server_dice", "secret", "silence"):
        add("create_without_" + key, at("create"),
            order=drop("args", key))
    add("join_same_key", at("join"),
        order=lambda f, o: o["args"].update(key=f.public(1)),
        signer=lambda f, seed: f.players[1]["ed"])
    add("join_same_dice_key", at("join"),
        order=lambda f, o: o["args"].update(
            dice_key=dice_public(f.players[1]["dice"]).hex()))
    add("good_create_options", at("create"), status=0,
        order=put("args", "options", {"seats": 2, "takeback": True}))
    add("good_create_event", at("create"), status=0,
        order=lambda f, o: o["args"].update(
            event="Waterloo Cup ~", round=1, table=3, private=False))


def enter_line_faults():
    """Faults of the line around the order (S2)."""
    add("line_v_2", at(*LATER), status=2, line=put("v", 2))
    add("line_kind_unknown", at(*LATER), status=2,
        line=put("kind", "moo"))
    add("line_game", at(*LATER), line=put("game", "ab" * 32))
    add("line_seq", at(*LATER), line=lambda f, l: l.update(seq=l["seq"] + 1))
    add("line_seq_again", at(*LATER),
        line=lambda f, l: l.update(seq=l["seq"] - 1))
    add("line_seq_text", at(*ANY),
        line=lambda f, l: l.update(seq=str(l["seq"])))
    add("line_prev", at(*ANY), line=put("prev", "ab" * 32))
    add("line_prev_zero", at(*LATER), line=put("prev", form.ZERO))
    for i, when in enumerate((
        "2025-01-01T00:00:00.000Z", "2027-02-30T00:00:00.000Z",
        "2027-02-29T00:00:00.000Z", "2027-13-01T00:00:00.000Z",
        "2027-12-01T24:00:00.000Z", "2027-12-01T23:60:00.000Z",
        "2027-12-01T23:59:60.000Z", "2027-12-01 23:59:00.000Z",
        "2027-12-01T23:59:00.00Z", "2027-12-01T23:59:00.000z",
        "2027-12-01T23:59:00.000+", "+027-12-01T23:59:00.000Z", 5, None,
    )):
        add("line_at_%d" % i, at(*LATER), line=put("at", when))
    add("good_line_at_leap_day", at(*LATER), status=0,
        line=put("at", "2028-02-29T23:59:59.999Z"))
    add("line_member_unknown", at(*LATER),
        line=lambda f, l: {**l, "note": 1})
    add("line_what", at(*LATER), line=lambda f, l: {**l, "what": "closed"})
    for key in ("v", "game", "seq", "prev", "at", "kind", "seat", "key",
                "order", "sig", "events"):
        add("line_without_" + key, at(*LATER), line=drop(key))
    add("line_order_of_members", at(*LATER),
        line=lambda f, l: dict(sorted(l.items(), reverse=True)))
    add("line_events_before_order", at(*LATER),
        line=lambda f, l: {
            **{k: l[k] for k in list(l)[:6]}, "events": l["events"],
            **{k: l[k] for k in list(l)[6:] if k != "events"}})
    add("line_hex_upper", at(*ANY),
        line=lambda f, l: l.update(sig=l["sig"].upper()))
    add("line_space", at(*ANY), text=swap('"seq":', '"seq": '))
    add("line_tab", at(*ANY), text=swap(',"seq":', ',\t"seq":'))
    add("line_leading_space", at(*LATER), text=lambda f, t: " " + t)
    add("line_member_twice", at(*ANY),
        text=swap('"kind":"order"', '"kind":"order","kind":"order"'))
    add("line_seq_exponent", at(*LATER),
        text=lambda f, t: t.replace(
            '"seq":%d' % f.seq(), '"seq":%de0' % f.seq(), 1))
    add("line_escape_slash", at("create"),
        text=lambda f, t: t.replace("lasalle2/1", "lasalle2\\/1"))
    add("line_escape_letter", at(*ANY),
        text=swap('"kind":"order"', '"kind":"\\u006frder"'))
    add("line_escape_upper", at(*ANY),
        text=lambda f, t: t.replace('\\"v\\"', "\\u0022v\\u0022", 1))
    add("line_cr", at(*LATER), data=lambda f, d: d + b"\r")
    add("line_bom", at("create"), data=lambda f, d: b"\xef\xbb\xbf" + d)
    add("line_bad_utf8", at(*LATER),
        data=lambda f, d: d.replace(b'"kind":"order"', b'"kind":"ord\xffer"'))
    add("line_no_mark", at(*LATER), data=lambda f, d: d[:-139] + b"}")
    add("line_mark_upper", at(*LATER),
        data=lambda f, d: d[:-130] + d[-130:-2].upper() + d[-2:])
    add("line_owes", at("chat", "resign", "close", "ready", "turn.end"),
        line=lambda f, l: with_member(
            l, "owes", {"seat": 2, "place": "p/0"}))
    add("line_owes_dual", at("declare", "decide"),
        line=lambda f, l: with_member(
            {k: x for k, x in l.items() if k != "dice"},
            "owes", {"seat": 3 - l["seat"], "place": "p/0"}))
    add("line_opened", at("decide"), status=EITHER,
        line=lambda f, l: with_member(l, "opened", []))
    add("line_events_text", at(*LATER), line=put("events", ["x"]))
    add("line_events_e_late", at(*LATER),
        line=put("events", [{"x": 1, "e": "roll"}]))
    add("line_events_of_talk", at("chat", "close", "resign", "turn.end"),
        line=put("events", [{"e": "change"}]))
    add("line_dice_of_talk", at("chat", "close", "turn.end"),
        line=lambda f, l: with_member(l, "dice", {
            "place": "p/0", "proof": "02" + "ab" * 80,
            "rolls": [{"label": "x", "sides": 6, "dice": [1]}]}))
    add("line_too_long", at("chat"),
        order_text=lambda f, t: t + " " * (16000 - len(t)),
        line=put("events", [{"e": "x" * 262144}]))


def with_member(line, key, value):
    """Put a member of an order's line where it belongs."""
    order = [m[0] for m in form.LINES["order"]]
    line = {**line, key: value}
    return {k: line[k] for k in sorted(line, key=order.index)}


def enter():
    """Fill the table with the faults of this file."""
    enter_order_faults()
    enter_text_faults()
    enter_key_faults()
    enter_seat_faults()
    enter_line_faults()
