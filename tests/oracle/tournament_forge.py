#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Forged tournaments, signed anew with all keys, one fault in each.

Every record is played from a seed and ends with the line that has the fault;
all before it is lawful, and marks, signatures, proofs and hashes are right.
Each is labelled with the line that a verifier must name.

  tournament_forge.py [--count N] [--seed S] [--only KIND] [--keep DIR]
                      [--umpire COMMAND]

--count makes so many of each kind. Without --umpire only
tournament_verify.py is held against the labels, with it `umpire verify` on the
folder as well. --keep writes each to DIR/KIND-NUMBER with a file `label`.
Exit status: 0 all as expected, 1 not all, 64 wrong usage.
"""

import argparse
import collections
import copy
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

import record_crypto as crypto
import record_form as form
import tournament_forge_on
import tournament_verify
from forge import (
    OwnEvents,
    TIMEOUT_S,
    UmpireEvents,
    beta_of,
    dice_public,
    ed_sign,
    secret,
    vrf_prove,
)
from record_form import Bad
from tournament_maker import Maker, Person, ed_public
from tournament_play import Player
from tournament_swiss import pairing

FORMATS = ("roundrobin", "knockout")
if pairing is not None:
    FORMATS += ("swiss", "swiss+knockout")
LATE = {"director", "draw", "lose", "points"}
# What no claim brings on a ground.
NEVER = {"absent": "12=", "late": "x", "unruled": "+-?"}


class Done(Exception):
    """The fault is in the record."""


# --- Faults that change a line; each gives whether it did ---


def pairing(maker, line, rng):
    """Another pairing."""
    event = next((e for e in line["events"] if e["e"] == "pairing"), None)
    if event is None or "order" not in line:
        return False
    tables = event["tables"]
    ways = ["sides", "scenario", "apart"]
    if len(tables) > 1:
        ways += ["order", "partners", "drop"]
    if event["bye"] or event["absent"]:
        ways += ["bye", "bye"]
    way = rng.choice(ways)
    if way == "sides":
        rng.choice(tables).reverse()
    elif way == "order":
        tables[0], tables[1] = tables[1], tables[0]
    elif way == "partners":
        tables[0][1], tables[1][1] = tables[1][1], tables[0][1]
    elif way == "drop":
        event["absent"] = sorted(event["absent"] + tables.pop())
    elif way == "scenario":
        event["scenario"] = 1 - event["scenario"]
    elif way == "apart":
        event["apart"] = False
    elif event["bye"]:
        event["bye"], event["absent"] = event["absent"], event["bye"]
    else:
        event["absent"] = []
    return True


def prove_lots(maker, line, here, alpha):
    """Make proof, draw and events anew."""
    rolls = maker.cup.roll_lots(beta_of(maker.server_dice, alpha), here)
    line["dice"] = {
        "place": "l/1", "proof": vrf_prove(maker.server_dice, alpha).hex(),
        "rolls": rolls}
    tell_lots(line)


def tell_lots(line):
    """The event, as the rolls say."""
    order, side = line["dice"]["rolls"]
    line["events"][0]["order"] = [int(chit) for chit in order["chits"]]
    line["events"][0]["side"] = side["dice"][0]


def lot(maker, line, rng):
    """Another lot."""
    if "dice" not in line:
        return False
    before = copy.deepcopy(line)
    cup = maker.cup
    here = sorted(cup.lots_order)
    way = rng.choice(("swap", "side", "pool", "place", "event", "extra",
                      "bag"))
    rolls = line["dice"]["rolls"]
    if way == "swap":
        chits = rolls[0]["chits"]
        chits[0], chits[-1] = chits[-1], chits[0]
        tell_lots(line)
    elif way == "side":
        rolls[1]["dice"] = [3 - rolls[1]["dice"][0]]
        tell_lots(line)
    elif way == "event":
        line["events"][0]["order"].reverse()
    elif way == "pool":
        prove_lots(maker, line, here, cup.lots_alpha(maker.pool_before))
    elif way == "place":
        prove_lots(maker, line, here, crypto.tag("lots/1")
                   + crypto.base_of(cup.id, cup.pool, "l/2"))
    elif way == "extra":
        prove_lots(maker, line, here,
                   cup.lots_alpha(cup.pool) + rng.randbytes(32))
    else:
        prove_lots(maker, line, here[::-1], cup.lots_alpha(cup.pool))
        rolls[0]["bag"] += 1
    return line != before


def result(maker, line, rng):
    """Another result."""
    where = line.get("data") if line.get("what") == "result" else None
    if where is None:
        where = next((e for e in line["events"] if e["e"] == "result"
                      and e["how"] != "ruling"), None)
    if where is None:
        return False
    ways = ["winner", "how"]
    if where["result"] in ("1", "2", "="):
        ways += ["bp", "bp"]
    if "seq" in where:
        ways += ["seq", "hash"]
    way = rng.choice(ways)
    if way == "winner":
        flip = {"1": "2", "2": "1", "=": "1", "+": "-", "-": "+",
                "--": "+", "?": "="}
        where["result"] = flip[where["result"]]
        where["bp"] = -where["bp"]
    elif way == "bp":
        where["bp"] += rng.choice((-7, -1, 1, 40))
        where["bp"] = max(-1000, min(1000, where["bp"]))
    elif way == "how":
        where["how"] = "ruling" if where["how"] != "ruling" else "draw"
    elif way == "seq":
        lines = maker.files[where["game"]].split(b"\n")
        where["seq"] -= 1
        where["line"] = crypto.sha256(lines[where["seq"]]).hex()
    else:
        where["line"] = rng.randbytes(32).hex()
    return True


def told(maker, line, rng):
    """What no claim brings, told of a game that nobody has."""
    where = next((e for e in line["events"] if e["e"] == "result"
                  and e["how"] in NEVER and "game" in e), None)
    if where is None:
        return False
    maker.files.pop(where["game"], None)
    where["result"], where["bp"] = rng.choice((
        (where["result"], 1001),
        (where["result"], -1001),
        ("--", 1),
        (rng.choice(NEVER[where["how"]]), 0),
    ))
    return True


def standing(maker, line, rng):
    """Another standing."""
    event = next((e for e in line["events"] if e["e"] == "standings"), None)
    if event is None or not event["rows"]:
        return False
    rows = event["rows"]
    ways = ["value", "points", "rank", "drop"]
    if len(rows) > 1:
        ways += ["swap", "swap"]
    way = rng.choice(ways)
    row = rng.choice(rows)
    if way == "value":
        row[rng.randrange(2, len(row))] += 1
    elif way == "points":
        row[2] = max(0, row[2] - 1) if row[2] else 2
    elif way == "rank":
        row[0] += 1
    elif way == "drop":
        rows.remove(row)
    else:
        rows[0][1], rows[1][1] = rows[1][1], rows[0][1]
    return True


def checkin(maker, line, rng):
    """A check-in, or an entrant at shut, is dropped."""
    cup = maker.cup
    if "pool" not in line or "order" not in line:
        return False
    if "dice" in line:
        if len(cup.checkins) < 3 or maker.witness is not None:
            return False
        left = sorted(cup.checkins)
        left.remove(rng.choice(left))
        pool = crypto.sha256(
            crypto.tag("tpool/1"), maker.pool_before,
            len(left).to_bytes(4, "big"), *(cup.checkins[n] for n in left))
        here = sorted(set(left) & set(cup.lots_order))
        line["pool"] = pool.hex()
        prove_lots(maker, line, here, cup.lots_alpha(pool))
        return True
    here = line["events"][0]["entrants"]
    if len(here) < 2:
        return False
    here.remove(rng.choice(here))
    keys = b"".join(
        n.to_bytes(4, "big") + bytes.fromhex(cup.entrants[n].dice_key)
        for n in here)
    line["pool"] = crypto.sha256(
        crypto.tag("tstart/1"), cup.id,
        bytes.fromhex(cup.terms["server_dice"]),
        len(here).to_bytes(4, "big"), keys).hex()
    return True


# --- Faults in the place of a line: each gives the line, or None ---


def forged_game(maker, rng, leg_of, args):
    """Open a game with other args, unknown to the judge; its line."""
    rnd, table, leg = leg_of
    forge = maker.new_game(rnd, table, leg)
    forge.other_args = args
    name = forge.open(rng.choice((1, 2)))
    maker.games[name] = forge
    maker.files[name] = forge.file()
    maker.at = max(maker.at, forge.at)
    return {"what": "game",
            "data": {**maker.place(rnd, table, leg), "game": name},
            "events": []}


def second(maker, kind, members, rng):
    """A second game for a table."""
    for rnd in maker.cup.rounds:
        for table in rnd.tables:
            for leg in table.legs:
                if leg.game is not None:
                    return forged_game(
                        maker, rng, (rnd, table, leg), {})
    return None


def opening(maker, members):
    """The leg whose game is opened by this line; None: none is."""
    if members.get("what") != "game":
        return None
    return maker.cup.find_leg(members["data"])


def terms(maker, kind, members, rng):
    """A game on other terms."""
    leg_of = opening(maker, members)
    if leg_of is None:
        return None
    args = rng.choice((
        {"silence": "director", "options": {"director": True}},
        {"secret": "sealed"},
        {"confirm": True},
        {"private": True},
        {"event": "Winter cup"},
        {"rulings": {"garrison_has_flanks": True}},
        {"clock": {"per": "side", "first_s": 600, "then": "forfeit"}},
        {"options": {"takeback": False}},
    ))
    return forged_game(maker, rng, leg_of, args)


def stray(maker, kind, members, rng):
    """A game of another pairing."""
    leg_of = opening(maker, members)
    if leg_of is None:
        return None
    rnd = leg_of[0]
    args = rng.choice((
        {"paired": rnd.seq - 1},
        {"line": maker.cup.hashes[rnd.seq - 1]},
        {"table": leg_of[1].number + 1},
        {"round": rnd.number + 1},
        {"leg": 3 - min(2, leg_of[2].number)},
        {"tournament": crypto.sha256(b"another").hex()},
        None,
    ))
    if args is None:  # opened by who sits elsewhere
        others = [t for t in rnd.tables if t is not leg_of[1]]
        if not others:
            return None
        line = forged_game(
            maker, rng, (rnd, others[0], others[0].legs[0]), {})
        line["data"].update(maker.place(*leg_of))
        return line
    return forged_game(maker, rng, leg_of, args)


def other_settings(maker, kind, members, rng):
    """The terms are changed when all has been signed: anew, too."""
    if len(maker.raw) < 2 or rng.random() < 0.9:
        return None
    args = maker.terms
    change = rng.choice((
        {"late": rng.choice(sorted(LATE - {args["late"]}))},
        {"resign": args.get("resign", 500) - 1},
        {"margin": 99},
        {"lots": not args.get("lots", False)},
        {"bye": "draw" if args["bye"] == "win" else "win"},
        {"points": {"win": 6, "draw": 2, "loss": 0}},
        {"ties": ["WIN", "WON"]},
        {"notice_s": 1},
        {"ruling_s": 86400},
        {"out_after": 9},
        {"event": "Winter cup"},
    ))
    return changed_terms(maker, change, rng.random() < 0.5)


def changed_terms(maker, change, keeps_id):
    """Change the terms; the lines keep the id, or line 0 has the new one."""
    order = json.loads(json.loads(maker.raw[0])["order"])
    order["args"].update(change)
    text = form.compact(order)
    lines = [json.loads(raw) for raw in maker.raw]
    lines[0].update(order=text, sig=ed_sign(
        secret(maker.director.account + " key"),
        crypto.tag("entry/1") + text.encode()).hex())
    maker.label = 1
    if not keeps_id:
        maker.label = 2
        maker.cup.id = crypto.sha256(
            crypto.tag("tournament/1"), text.encode())
    maker.raw = []
    for line in lines:
        line.pop("mark")
        if maker.raw:
            line["prev"] = crypto.sha256(maker.raw[-1]).hex()
        maker.raw.append(maker.mark(line))
    return "cut"


def joined(maker, kind, members, rng):
    """Somebody joins a game who may not, or with keys that are not theirs."""
    if members.get("what") != "game" or rng.random() < 0.5:
        return None
    forge = maker.games[members["data"]["game"]]
    seat = 3 - forge.joined[0]
    way = rng.choice(("stranger", "key", "dice", "other", "director"))
    here = [n for n, who in maker.entrants.items()
            if who.account not in {p["account"] for p in
                                   forge.players.values()}]
    stranger = Person("stranger")
    player = dict(forge.players[seat])
    if way == "stranger":
        player.update(ed=stranger.ed, dice=stranger.dice,
                      account=stranger.account)
    elif way == "key":
        who = maker.people[player["account"]]
        player["ed"] = stranger.ed
        if who.keys > 1:  # one that they have dropped
            player["ed"] = secret("%s key%s" % (
                who.account, "" if who.keys == 2 else " %d" % (who.keys - 1)))
    elif way == "dice":
        player["dice"] = stranger.dice
    elif way == "other" and here:
        who = maker.entrants[rng.choice(here)]
        player.update(ed=who.ed, dice=who.dice, account=who.account)
    elif maker.director in maker.entrants.values():
        return None
    else:
        who = maker.director
        player.update(ed=who.ed, dice=who.dice, account=who.account)
    forge.players[seat] = player
    forge.join(seat)
    maker.files[forge.game.hex()] = forge.file()
    maker.at = max(maker.at, forge.at)
    return {"what": "game", "data": members["data"], "events": []}


def hidden(maker, kind, members, rng):
    """The result of a game is held back, and its leg is claimed."""
    leg = maker.cup.notices.get(noticed(members))
    if leg is None or leg.game is None:
        return None
    forge = maker.games[leg.game]
    state = maker.cup.track(leg.game).states[-1]
    if state.ended:
        return None
    forge.at = maker.at
    how = "resign"
    if state.begun:
        how = rng.choice(("resign", "draw", "agreed", "stopped"))
    elif len(forge.joined) == 1:  # who had not come has, and gives up
        forge.join(3 - forge.joined[0])
    forge.finish_by(how, rng.choice((1, 2)))
    maker.keep(forge)
    order = json.loads(members["order"])
    members = maker.sign(
        maker.people[members["by"]], "claim", order["args"])
    return recorded(maker, members)


def noticed(members):
    """The number of the notice of a claim with effect; -1."""
    if '"to":' not in members.get("order", "") or (
        '"kind":"claim"' not in members["order"]
    ):
        return -1
    return json.loads(members["order"])["args"]["to"]


def recorded(maker, members):
    """Write an order's line, with what is worked out for it; or None."""
    raw = len(maker.raw)
    try:
        Maker.line(maker, "order", members)
    except Bad:
        return None
    assert len(maker.raw) == raw + 1
    maker.label = raw + 1
    return "cut"


def overrun(maker, kind, members, rng):
    """A director pairs a round by hand of which a game has begun."""
    cup = maker.cup
    rnd = cup.rounds[-1] if cup.rounds else None
    if rnd is None or members.get("what") != "result" or (
        rnd.stage != "swiss" or len(rnd.tables) < 2
        or not cup.terms["format"].startswith("swiss")
        or any(leg.result is not None
               for table in rnd.tables for leg in table.legs)
    ):
        return None
    # In the place of the result: its game has not ended.
    forge = maker.games[members["data"]["game"]]
    if not any('"kind":"turn.end"' in json.loads(raw).get("order", "")
               for raw in forge.raw):
        return None
    forge.raw.pop()
    forge.hashes.pop()
    maker.at = max(maker.at, maker.cup.at_ms)
    maker.files[forge.game.hex()] = forge.file()
    maker.shelf.tracks.pop(forge.game.hex(), None)
    if maker.cup.track(forge.game.hex()).states[-1].ended:
        return None
    tables = [[table.b, table.a] for table in rnd.tables]
    value = {"round": rnd.number, "tables": tables}
    if len(cup.is_in(rnd.number)) > 2 * len(tables):
        value["bye"] = next(n for n in cup.is_in(rnd.number)
                            if all(n not in pair for pair in tables))
    plays = maker.director in maker.entrants.values()
    order = maker.sign(
        maker.deputy if plays else maker.director, "ruling",
        {"why": maker.text("anew"), "pairs": value})
    cup.want_not_begun = lambda rnd: None
    return recorded(maker, order)


def missing(maker, kind, members, rng):
    """The result of a game is missing; the record ends there."""
    if members.get("what") != "result":
        return None
    maker.label = maker.cup.game_lines[members["data"]["game"]][0] + 1
    return "cut"


def favours(maker):
    """What a director who plays may not rule."""
    cup, director = maker.cup, maker.director
    number = cup.number_of[director.account]
    made = [
        ("points", {"entrant": number, "half": 1}),
        ("expel", {"entrant": number, "from": cup.next_round(),
                   "games": "stand"}),
    ]
    for rnd in cup.rounds:
        table = rnd.table_of(number)
        if table is not None:
            made += [
                ("result", {**maker.place(rnd, table, table.legs[0]),
                            "value": "1"}),
                ("extend", {"round": rnd.number, "table": table.number,
                            "seconds": 3600}),
            ]
    if cup.rounds:
        made += [("points", {"entrant": other, "half": -1})
                 for other in sorted(cup.opponents(number))]
    return [(director, "ruling", {"why": maker.text("mine"), form: value})
            for form, value in made]


def far_pairs(maker):
    """A pairing by hand of numbers that nobody has: none, or a list of one."""
    rnd = maker.cup.rounds[-1] if maker.cup.rounds else None
    if rnd is None or not maker.cup.terms["format"].startswith("swiss") or any(
        leg.result is not None or leg.game is not None
        for table in rnd.tables for leg in table.legs
    ):
        return []
    value = {"round": rnd.number, "tables": [
        [table.a + 2 ** 32, table.b] for table in rnd.tables]}
    return [(maker.director, "ruling",
             {"why": maker.text("far"), "pairs": value})]


def unlawful(maker, kind, members, rng):
    """An order that may not be given now."""
    cup = maker.cup
    if not maker.raw or kind != "order" or cup.phase == "over":
        return None
    director, who = maker.director, None
    others = [maker.entrants[n] for n in sorted(maker.entrants)
              if maker.entrants[n] is not director]
    if others:
        who = rng.choice(others)
    may = [
        (director, "pair", {"round": cup.next_round() + 1}),
        (director, "claim", {"to": 0}),
        (director, "stop", {"round": 99, "why": maker.text("no")}),
        (director, "ruling", {"why": maker.text("no"), "points":
                              {"entrant": 999, "half": 1}}),
        (director, "deputy", director.named()),
        (director, "admit", {"entrant": 999, "say": "no"}),
    ]
    if cup.phase == "play" and '"kind":"finish"' not in members["order"]:
        may.append((director, "finish", {}))
    if cup.phase == "checkin":
        if who is not None:
            may.append((who, "dice-key", {"dice_key": dice_public(
                secret("new %d" % len(maker.raw))).hex()}))
        number = next(iter(cup.checkins), None)
        if number is not None and not cup.restoreds:
            may += 3 * [(maker.entrants[number], "checkin", {})]
    if director in maker.entrants.values():
        may += favours(maker)
    for seq in cup.notices:
        if '"to":' not in members["order"] and cup.terms["notice_s"]:
            may += 3 * [(director, "claim", {"to": seq})]
    if cup.phase == "play":
        may += [(director, "shut", {}), (director, "start", {})]
        if not all(rnd.done() for rnd in cup.rounds) and (
            not cup.terms["concurrent"]
        ):
            may.append((director, "pair", {"round": cup.next_round()}))
        if cup.rounds:
            may.append((director, "pair", {"round": len(cup.rounds)}))
    if who is not None:
        may += [
            (who, "ruling", {"why": maker.text("mine"), "points": {
                "entrant": 1, "half": 1}}),
            (who, "admit", {"entrant": 1, "say": "no"}),
            (who, "stop", {"round": 1, "why": maker.text("mine")}),
            (who, "enter", {**who.named(), "dice_key": "02" + "11" * 32}),
            (who, "protest", {"round": 99, "why": maker.text("no")}),
        ]
        if cup.rounds:
            may.append((who, "bye", {"round": 1, "take": True}))
    may += 6 * far_pairs(maker)
    by, name, args = rng.choice(may)
    place = "c/0" if name == "checkin" else None
    line = maker.sign(by, name, args, place=place)
    way = rng.random()
    if way < 0.15:
        other = secret("nobody")
        line["key"] = ed_public(other)
        line["sig"] = ed_sign(
            other, crypto.tag("entry/1") + line["order"].encode()).hex()
    elif way < 0.25 and "order" in members:
        line = dict(members)  # the order before, once more
        if not maker.last_order:
            return None
        line = dict(maker.last_order)
    return {**line, "events": []}


KINDS = {
    "pairing": (pairing, True),
    "lot": (lot, True),
    "result": (result, True),
    "told": (told, True),
    "standing": (standing, True),
    "second-game": (second, False),
    "checkin": (checkin, True),
    "terms": (terms, False),
    "missing": (missing, False),
    "stray": (stray, False),
    "settings": (other_settings, False),
    "joined": (joined, False),
    "hidden": (hidden, False),
    "overrun": (overrun, False),
    "order": (unlawful, False),
}


class Forger(Maker):
    """A maker with one fault."""

    fault = None  # (function, whether it changes a line, its rng)
    skip = 0
    old_label = None

    def __init__(self, name, **settings):
        super().__init__(name, **settings)
        self.fits = 0
        self.label = None
        self.last_order = None
        self.faulty = False

    def line(self, kind, members):
        """Write a line, or the fault in its place."""
        function, changes, rng = self.fault
        if not changes:
            state = rng.getstate()
            room = (dict(self.games), dict(self.files), dict(self.texts),
                    self.at)
            made = function(self, kind, members, rng)
            if made is not None:
                self.fits += 1
                if self.fits > self.skip:
                    self.write_fault(kind, made)
                    raise Done
                rng.setstate(state)
            self.games, files, self.texts, self.at = room
            self.files.clear()
            self.files.update(files)
        super().line(kind, members)
        if "order" in members:
            self.last_order = members
        if self.faulty:
            self.label = len(self.raw)
            raise Done

    def write_fault(self, kind, made):
        """Write a line that no judge has seen."""
        if made == "cut":
            return
        line = {
            "v": 1, "tournament": self.cup.id.hex(), "seq": self.seq(),
            "prev": self.cup.hashes[-1], "at": self.time(),
            "kind": "order" if "order" in made else "server", **made,
        }
        self.raw.append(self.mark(line))
        self.label = len(self.raw)

    def touch(self, line):
        """Change a line, if it is the one."""
        function, changes, rng = self.fault
        if not changes or "events" not in line:
            return line
        changed = copy.deepcopy(line)
        state = rng.getstate()
        if not function(self, changed, rng):
            rng.setstate(state)
            return line
        self.fits += 1
        if self.fits <= self.skip:
            return line
        self.faulty = True
        return changed


def forge(kind, number, events, formats=FORMATS):
    """Make a forged tournament: the maker, whose label names the line."""
    function, changes = KINDS[kind]
    rng = random.Random("%s %s" % (kind, number))
    for attempt in range(400):
        settings = {
            "format": rng.choice(formats),
            "mirror": rng.random() < 0.2,
            "plays": rng.random() < 0.5,
            "late": rng.choice(("director", "draw", "lose", "points")),
            "terms": {"lots": rng.random() < 0.3},
            "maker": Forger,
            "events": events,
        }
        if kind == "overrun":
            settings["format"] = rng.choice(formats[2:])
        if settings["format"] == "roundrobin":
            settings["rounds"] = rng.choice((1, 1, 2))
        elif settings["format"] != "knockout":
            settings["rounds"] = rng.choice((2, 3))
            settings["terms"]["byes"] = 1
        name = "%s/%s/%d" % (kind, number, attempt)
        calm = rng.random() < 0.3
        if kind == "hidden":  # games that are not over by themselves
            calm, settings["left"] = False, 0.3
        player = Player(name, calm, **settings)
        player.maker.fault = (function, changes, random.Random(name))
        player.maker.skip = rng.choice((0, 0, 1, 2, 3, 5, 8))
        if kind in ("lot", "standing", "told", "settings", "joined",
                    "hidden", "overrun"):
            player.maker.skip = 0
        elif kind == "checkin":
            player.maker.skip = rng.choice((0, 1))
        try:
            player.play(rng.choice((3, 4, 4, 5)))
        except Done:
            return player.maker
    raise AssertionError("%s %s fits nowhere" % (kind, number))


def run_umpire(command, folder):
    """`umpire verify` on a folder: exit status and text."""
    done = subprocess.run(
        command + ["verify", folder], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S,
        check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def write_folder(folder, maker):
    """Write a tournament and its games."""
    os.makedirs(folder, exist_ok=True)
    files = {name + ".jsonl": data for name, data in maker.files.items()}
    files["tournament.jsonl"] = maker.file()
    files["label"] = b"%d\n" % maker.label
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)


def main(argv):
    """Make them, and hold the verifiers against the labels."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--count", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--keep")
    parser.add_argument("--umpire")
    try:
        args = parser.parse_args(argv)
    except SystemExit as e:
        return 64 if e.code else 0
    command = shlex.split(args.umpire or "")
    # The games' events are to be those of the verifiers that judge them.
    events = UmpireEvents(command) if command else OwnEvents()
    good = collections.Counter()
    verdicts = collections.Counter()
    wrong = 0
    for kind in (*KINDS, *tournament_forge_on.KINDS):
        if args.only and args.only != kind:
            continue
        for i in range(args.count):
            number = "%d.%d" % (args.seed, i)
            if kind in KINDS:
                maker = forge(kind, number, events)
            else:
                maker = tournament_forge_on.forge_on(
                    kind, number, events, FORMATS, forge)
            found = [("oracle", r"bad: line %d:", *tournament_verify.verify(
                maker.file(), maker.files.get))]
            with tempfile.TemporaryDirectory() as folder:
                if args.keep:
                    folder = os.path.join(
                        args.keep, "%s-%s" % (kind, number))
                write_folder(folder, maker)
                if command:
                    found.append(("umpire", r"line %d\b",
                                  *run_umpire(command, folder)))
            for who, where, status, text in found:
                verdicts[who, status] += 1
                if status == 1 and re.search(
                    where % maker.label, text) and re.search(
                        r"line %d\b" % (maker.old_label or maker.label),
                        text):
                    good[kind] += 1
                    continue
                wrong += 1
                print("%s %s: %s says %d, line %d expected: %s" % (
                    kind, number, who, status, maker.label,
                    text.split("\n")[0]))
    print(", ".join("%s %d" % each for each in good.items()))
    print(", ".join("%s says %s of %d" % (
        who, {0: "good", 1: "bad", 2: "not checkable"}.get(status, status), n)
        for (who, status), n in sorted(verdicts.items())))
    print("%d agree, %d disagree" % (sum(good.values()), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
