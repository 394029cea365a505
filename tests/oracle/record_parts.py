# SPDX-License-Identifier: ISC
"""Side lines, rosters, seats and combats of a record (umpire-record.7).

Texts and blobs lie beside the chain; a line names them by their hashes. What
a unit of a roster may hold is in umpire-rules.7.
"""

import lasalle2
import reading
from record_crypto import sha256, tag
from record_form import (
    Bad,
    MAX_BLOB,
    MAX_SIDE_LINE,
    MAX_TEXT,
    compact,
    is_hash,
    is_list,
    is_object,
    is_text,
    read_json,
    read_line,
    want,
    want_shape,
)

# --- Side lines (S9) ---


class Side:
    """The side lines of a record: texts and blobs by their hashes."""

    def __init__(self, lines, first):
        self.texts = {}
        self.blobs = {}
        self.numbers = {}
        self.named = set()
        self.names_unknown = False
        for i, data in enumerate(lines):
            try:
                self.read(data)
            except Bad as e:
                raise Bad("line %d: %s" % (first + i, e)) from None
            self.numbers[self.last] = first + i

    def read(self, data):
        """Read one side line, which must come after the ones before it."""
        want(len(data) + 1 <= MAX_SIDE_LINE, "side line too long")
        line = read_line(data)
        if "text" in line:
            want_shape(
                line,
                "side line",
                [
                    ("text", is_hash, True),
                    ("salt", is_hash, True),
                    ("value", is_text, True),
                ],
            )
            want(not self.blobs, "a text after a blob")
            kind, known = "text", self.texts
            value = line["value"].encode("utf-8")
            want(len(value) <= MAX_TEXT, "text too long")
            salt = bytes.fromhex(line["salt"])
            found = sha256(tag("text/1"), salt, value)
        else:
            want_shape(
                line,
                "side line",
                [("blob", is_hash, True), ("value", is_text, True)],
            )
            kind, known = "blob", self.blobs
            value = line["value"].encode("utf-8")
            want(len(value) <= MAX_BLOB, "blob too long")
            found = sha256(tag("blob/1"), value)
        name = line[kind]
        want(found.hex() == name, "the %s has another hash", kind)
        want(not known or max(known) < name, "side lines are not sorted")
        if kind == "blob":
            blob = read_json(value)
            want(is_object(blob), "the blob is no object")
            want(next(iter(blob), None) == "blob", '"blob" is not first in it')
            known[name] = blob
        else:
            known[name] = line["value"]
        self.last = (kind, name)

    def name(self, kind, value):
        """Note that a line names this text or blob."""
        self.named.add((kind, value))

    def check_named(self):
        """Every side line must be named by some line."""
        if self.names_unknown:
            return
        for key, number in self.numbers.items():
            want(
                key in self.named, "line %d: no line names this %s",
                number, key[0],
            )


# --- Rosters (S9; the fields are in umpire-rules.7) ---

ROSTER_UNIT = ("id", "name", "arm", "strength", "traits", "battery", "shaken")
MAX_ROSTER = 400


def read_roster_unit(raw):
    """Read a unit of the roster; formation is not the roster's."""
    want(is_object(raw), "roster: a unit is no object")
    for key in raw:
        want(key in ROSTER_UNIT, "roster: a unit has %r", key)
    try:
        facts = dict(raw)
        facts["formation"] = "limbered"
        if raw.get("arm") != "artillery":
            facts["formation"] = "line"
        lasalle2.read_unit(facts, "roster", False)
    except reading.Refused as e:
        raise Bad(str(e)) from None
    return {"fields": dict(raw), "gone": None}


def read_sides(blob, system):
    """Read the frame of a roster: for each side its units, unread."""
    want(blob.get("blob") == "roster", "the roster's blob is none")
    want(blob.get("system") == system, "a roster of another system")
    want(set(blob) == {"blob", "system", "sides"}, "roster: unknown members")
    sides = blob["sides"]
    want(is_object(sides) and set(sides) == {"1", "2"}, "roster: sides")
    for side in sides.values():
        want(is_object(side) and "units" in side, "roster: no units")
        for key in side:
            want(key in ("name", "units", "commanders"), "roster: %r", key)
        want(is_text(side.get("name", "")), "roster: a name is no text")
        want(is_list(side["units"]), "roster: units are no array")
        want(len(side["units"]) <= MAX_ROSTER, "roster: too many units")
        for raw in side["units"]:
            want(is_object(raw), "roster: a unit is no object")
    return {number: sides[str(number)]["units"] for number in (1, 2)}


def read_roster(blob, system):
    """Read a roster: for each side the units by id."""
    roster = {}
    seen = set()
    for number, raws in read_sides(blob, system).items():
        units = {}
        for raw in raws:
            unit = read_roster_unit(raw)
            name = raw["id"]
            want(name not in seen, "roster: the id %r comes twice", name)
            seen.add(name)
            units[name] = unit
        roster[number] = units
    return roster


def merge_units(given, roster, name):
    """Merge the roster's fields into the units of a declaration."""
    want(is_list(given), "combat: %s are no array", name)
    merged = []
    for raw in given:
        want(is_object(raw) and is_text(raw.get("id")), "a unit without id")
        unit = roster.get(raw["id"])
        want(unit is not None, "%r is not in the roster", raw["id"])
        want(unit["gone"] is None, "%r is %s", raw["id"], unit["gone"])
        full = dict(raw)
        for key in ROSTER_UNIT:
            if key not in raw:
                if key in unit["fields"]:
                    full[key] = unit["fields"][key]
                continue
            ours = unit["fields"].get(key)
            if key == "traits":
                ours = ours or []
            if key == "shaken":
                ours = ours or False
            want(
                compact(raw[key]) == compact(ours),
                "%s of %r differs from the roster", key, raw["id"],
            )
        merged.append(full)
    return merged


# --- Seats and combats (S4, S5, S6.1) ---


class Seat:
    """A seat: its keys and what has been said of them."""

    def __init__(self, args, seq=0):
        self.seq = seq  # of its join
        self.account = args["account"]
        self.keys = {args["key"], *args.get("keys", ())}
        self.had = set(self.keys)  # were valid for it at some time
        self.dice_key = args["dice_key"]
        self.recovery = args.get("recovery")
        self.statement_n = args["kn"]
        self.statement_hash = args["kprev"]
        self.waiting_key = None  # a dice key for the next turn.end
        self.dice_keys_of = {}  # turn -> how many new ones were given


class Combat:
    """A combat of the game: S5, S6.1."""

    def __init__(self, seq, turn, unit, k):
        self.seq = seq
        self.turn = turn
        self.unit = unit
        self.k = k
        self.drawn_lines = 0
        self.labels = set()
        self.raw = None  # the facts, roster merged in
        self.decisions = []
        self.rolled = {}  # label -> dice, or chits drawn
        self.logged = 0  # steps of the oracle's log already in lines
        self.told = 0  # decisions that lines tell
        self.before = None  # what an objection goes back to
        self.ask = None  # {"side", "kind", "seq", "secret"}
        self.commits = {}  # side -> the commit to the open question
        self.opens = {}  # side -> the decision that it opened
        self.state = "open"  # "open", "over" or, without rules, "unknown"

    def remember(self):
        """Keep what an objection to the next line goes back to."""
        self.before = (
            len(self.decisions), self.logged, self.told, self.ask
        )

    def restore(self):
        """Go back to what was remembered."""
        count, self.logged, self.told, self.ask = self.before
        del self.decisions[count:]
        self.state = "open"

    def place(self):
        """The place of its next step."""
        return "c/%d/%s/%d/%d" % (
            self.turn, self.unit, self.k, self.drawn_lines + 1
        )


class NeedRoll(Exception):
    """The run has come to a roll that is not yet made."""


WITNESS = 254


def side_of(seat):
    """The side of a seat; the director, seat 0, and the witness have none."""
    return 0 if seat in (0, WITNESS) else 2 - seat % 2
