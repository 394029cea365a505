# SPDX-License-Identifier: ISC
"""Forged tournaments that go on from another server (S21.4).

As those of tournament_forge.py, which judges them: the fault is in the last
line of the record that continues, or in the record that is continued, which is
in `files` then and bad at `old_label`.
"""

import json
import random

import record_crypto as crypto
import record_form as form
from forge import dice_public, ed_sign, secret
from tournament_maker import DAY, Maker, Person, ed_public
from tournament_play import Player, go_on


class Done(Exception):
    """The fault is in the record."""


class OnForger(Maker):
    """A maker of a tournament that goes on, with one fault."""

    fault = None  # (function, its rng, how many fits are passed over)
    label = old_label = None

    def line(self, kind, members):
        """Write a line, or the fault in its place."""
        function, rng, skip = self.fault
        made = function(self, members, rng) if self.raw else None
        if made is not None:
            if skip > 0:
                self.fault = (function, rng, skip - 1)
            else:
                self.later(1)
                line = {
                    "v": 1, "tournament": self.cup.id.hex(),
                    "seq": self.seq(), "prev": self.cup.hashes[-1],
                    "at": self.time(), "kind": "order", **made}
                self.raw.append(self.mark(line))
                self.label = len(self.raw)
                raise Done
        super().line(kind, members)

    def touch(self, line):
        """Change a line, if it is the one."""
        function, rng, _ = self.fault
        if function is not begun or "order" not in line or (
            not begun_anew(self, line, rng)
        ):
            return line
        self.label = self.seq() + 1
        return line


def order_of(members):
    """The order of a line, read; None."""
    return json.loads(members["order"]) if "order" in members else None


# --- Faults in the place of an entry ---


def entered(maker, members):
    """Who enters by this line, and the args; None."""
    order = order_of(members)
    if order is None or order["kind"] != "enter":
        return None
    return maker.people[order["args"]["account"]], order["args"]


def stranger(name="stranger"):
    """Somebody who was not there."""
    return Person(name)


def newcomer(maker, members, rng):
    """Somebody new enters, or without a number, or with a wrong one."""
    found = entered(maker, members)
    if found is None:
        return None
    who, args = found
    there = len(maker.cup.old.entrants)
    way = rng.choice(("new", "none", "beyond", "taken", "other"))
    if way == "new":
        who = stranger()
        args = {**who.named(), "dice_key": dice_public(who.dice).hex(),
                "was": args["was"]}
    elif way == "none":
        args = {k: v for k, v in args.items()
                if k not in ("was", "statements")}
    elif way == "beyond":
        args["was"] = there + 1
    elif way == "taken":
        if not maker.entrants:
            return None
        args["was"] = rng.choice(sorted(maker.entrants))
    else:
        others = sorted(set(maker.cup.old.entrants)
                        - set(maker.entrants) - {args["was"]})
        if not others:
            return None
        args["was"] = rng.choice(others)
    return {**maker.sign(who, "enter", args), "events": []}


def handed(maker, members, rng):
    """A key follows upon another by a statement that does not hold."""
    found = entered(maker, members)
    if found is None or "statements" in found[1]:
        return None
    who, args = found
    old = maker.cup.old
    known = old.accounts[who.account]
    heir = stranger(who.account)
    heir.ed = secret("%s elsewhere" % who.account)
    text = {"v": 1, "server": old.server_key, "account": who.account,
            "n": known.n + 1, "prev": known.prev, "do": "add",
            "key": ed_public(heir.ed), "now": maker.time()}
    signer, tag = who.ed, "key/1"
    way = rng.choice(("self", "account", "n", "prev", "server", "key", "tag",
                      "none", "byte"))
    if way == "self":
        signer = heir.ed
    elif way == "account":
        text["account"] = "director"
    elif way == "n":
        text["n"] += 1
    elif way == "prev":
        text["prev"] = crypto.sha256(b"another").hex()
    elif way == "server":
        text["server"] = ed_public(maker.server)
    elif way == "key":
        text["key"] = ed_public(secret("director key"))
    elif way == "tag":
        tag = "entry/1"
    data = form.compact(text)
    told = {"statement": data, "key": ed_public(signer), "sig": ed_sign(
        signer, crypto.tag(tag) + data.encode()).hex()}
    if way == "byte":
        told["statement"] = data.replace('"now":"2', '"now":"3')
    args = {**heir.named(), "dice_key": dice_public(heir.dice).hex(),
            "was": args["was"]}
    if way != "none":
        args["statements"] = [told]
    return {**maker.sign(heir, "enter", args), "events": []}


# --- What starts is not what was ---


def begun(maker, members, rng):
    """Changes the line in touch() alone."""
    return None


def begun_anew(maker, line, rng):
    """Lots, side, rounds, pool or dice that are not of before."""
    event = next((e for e in line["events"] if e["e"] == "lots"), None)
    if event is None:
        return False
    way = rng.choice(("order", "side", "rounds", "pool", "no-pool", "dice",
                      "drop"))
    if way == "order":
        event["order"][0], event["order"][-1] = (
            event["order"][-1], event["order"][0])
    elif way == "side":
        event["side"] = 3 - event["side"]
    elif way == "rounds":
        event["rounds"] += rng.choice((-1, 1))
    elif way == "pool":
        line["pool"] = crypto.sha256(b"another").hex()
    elif way == "no-pool":
        del line["pool"]
    elif way == "drop":
        event["order"].pop()
    else:
        line["dice"] = {"place": "l/1", "proof": "02" * 80, "rolls": []}
        line_keys = list(line)
        # Where dice stand in a line.
        line_keys.remove("dice")
        line_keys.insert(line_keys.index("pool"), "dice")
        for key in line_keys:
            line[key] = line.pop(key)
    return True


# --- Line 0 ---


def created(maker, rng):
    """Other terms, another line, director or tournament: line 0 alone."""
    order = json.loads(json.loads(maker.raw[0])["order"])
    args = order["args"]
    told = args["continues"]
    way = rng.choice(("terms", "terms", "seq", "line", "server", "director",
                      "entry", "options"))
    if way == "terms":
        args.update(rng.choice((
            {"resign": args.get("resign", 500) - 1}, {"margin": 99},
            {"lots": not args.get("lots", False)},
            {"bye": "draw" if args["bye"] == "win" else "win"},
            {"points": {"win": 6, "draw": 2, "loss": 0}},
            {"ties": ["WIN", "WON"]}, {"notice_s": 1}, {"ruling_s": 86400},
            {"out_after": 9}, {"event": "Winter cup"},
            {"private": not args.get("private", False)})))
    elif way == "seq":
        told["seq"] -= 1
    elif way == "line":
        told["line"] = crypto.sha256(b"another").hex()
    elif way == "server":
        told["server"] = args["director"]["key"]
    elif way == "director":
        args["director"]["account"] = "somebody"
    elif way == "entry":
        args["entry"]["max"] += 1
    else:
        args["options"] = {**args.get("options", {}), "takeback": not args.get(
            "options", {}).get("takeback", True)}
    return maker.alone(order)


def before_start(maker, rng):
    """What is continued is not in play: before the start, or at the end."""
    old, _ = maker.goes_on_from
    lines = old.raw
    at = [i for i, raw in enumerate(lines)
          if b'"e":"lots"' in raw or b'"e":"standings"' in raw]
    if not at:
        return False
    order = json.loads(json.loads(maker.raw[0])["order"])
    told = order["args"]["continues"]
    if rng.random() < 0.5 and b'"e":"standings"' in lines[at[-1]]:
        told["seq"] = at[-1]
    else:
        told["seq"] = rng.randrange(0, at[0])
    told["line"] = crypto.sha256(lines[told["seq"]]).hex()
    return maker.alone(order)


def alone(maker, order):
    """The record becomes a line 0 with this order, signed anew."""
    text = form.compact(order)
    line = json.loads(maker.raw[0])
    del line["mark"]
    maker.cup.id = crypto.sha256(
        crypto.tag("tournament/1"), text.encode())
    line.update(by=order["args"]["director"]["account"], order=text,
                sig=ed_sign(maker.director.ed, crypto.tag("entry/1")
                            + text.encode()).hex())
    maker.raw = [maker.mark(line)]
    maker.label = 1
    return True


OnForger.alone = alone

LINES = {"newcomer": newcomer, "handed": handed, "begun": begun}
FIRST = {"created": created, "before-start": before_start}
KINDS = tuple("on-" + kind for kind in (*LINES, *FIRST, "old"))


def settings_at(rng, events, formats):
    """Settings of the tournament that is continued."""
    settings = {"format": rng.choice(formats), "events": events,
                "mirror": rng.random() < 0.2,
                "late": rng.choice(("director", "draw", "lose", "points"))}
    if settings["format"] == "roundrobin":
        settings["rounds"] = rng.choice((1, 1, 2))
    elif settings["format"] != "knockout":
        settings["rounds"] = rng.choice((2, 3))
    return settings


def forge_on(kind, number, events, formats, forge):
    """Make one; forge makes what is forged itself, for "on-old"."""
    kind = kind[3:]
    for attempt in range(400):
        name = "on %s/%s/%d" % (kind, number, attempt)
        rng = random.Random(name)
        if kind == "old":
            return upon(forge(rng.choice(("pairing", "result", "lot")),
                              number, events), name)
        old = Player(name, rng.random() < 0.5,
                     **settings_at(rng, events, formats)).play(
                         rng.choice((3, 4, 4, 5)))
        keep_to = rng.randint(len(old.raw) // 3, len(old.raw) - 1)
        fault = (LINES.get(kind, begun if kind == "begun" else nothing),
                 rng, rng.choice((0, 0, 1, 2)))

        def factory(*args, fault=fault, **settings):
            maker = OnForger(*args, **settings)
            maker.fault = fault
            factory.maker = maker
            return maker

        factory.maker = None
        raw, settings = old.raw, old.settings
        old.settings = {**settings, "maker": factory}
        try:
            new = go_on(old, name, keep_to)
        except Done:
            new = factory.maker
        old.settings = settings
        if new is None:
            continue
        # What came after the line that is continued is not looked at.
        new.files[old.cup.id.hex()] = old.file()
        new.files.update({k: v for k, v in old.files.items()
                          if k not in new.files})
        new.goes_on_from = (old, raw)
        if kind in FIRST and not FIRST[kind](new, rng):
            continue
        if new.label is not None:
            return new
    raise AssertionError("%s %s fits nowhere" % (kind, number))


def nothing(maker, members, rng):
    """No fault: the record is changed when it is whole."""
    return None


def upon(old, name):
    """A record that goes on, lawfully, with one that is forged."""
    new = OnForger(name, server="second server", later=900 * DAY)
    new.fault = (nothing, None, 0)
    new.director = old.director
    new.director.go_elsewhere()
    terms = {k: v for k, v in old.terms.items()
             if k not in ("director", "server_dice", "entry")}
    new.say(new.director, "create", {
        "event": terms["event"], "director": new.director.named(), **terms,
        "server_dice": dice_public(new.server_dice).hex(),
        "entry": {**old.terms["entry"], "until": new.time(new.at + DAY)},
        "continues": {
            "tournament": old.cup.id.hex(), "server": ed_public(old.server),
            "seq": len(old.raw) - 1,
            "line": crypto.sha256(old.raw[-1]).hex()}})
    new.files = {**old.files, old.cup.id.hex(): old.file()}
    new.label, new.old_label = 1, old.label
    return new
