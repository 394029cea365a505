# SPDX-License-Identifier: ISC
"""The facts and tables of tlnb, read and checked; for the reading tlnb.py."""

import re
from fractions import Fraction

from reading import (
    Refused,
    want_bool,
    want_id,
    want_int,
    want_list,
    want_members,
    want_one,
    want_text,
)

ARMS = ("infantry", "cavalry", "artillery", "vedette")
FLAGS = (
    "demoralized",
    "suppressed",
    "halved",
    "bombarded",
    "overrunning",
    "out_of_supply",
    "out_of_command",
)
SIDES = ("attacker", "defender")
MAX_UNITS = 64  # of a side, with stacked artillery
TERRAINS = ("clear", "town", "woods", "orchard", "marsh")
COVER = ("town", "woods", "orchard", "marsh")
WEATHERS = ("clear", "heat", "rain", "t-storm", "snow", "snow-storm")
STORMS = ("t-storm", "snow-storm")
ATTACK_ACROSS = ("none", "crest", "bridge", "damaged-bridge")
CHARGE_ACROSS = (
    "none",
    "ford",
    "stream",
    "trestle",
    "slope-up",
    "crest",
    "bridge",
)
ODDS = (
    "1:5 1:4 1:3 1:2 1:1.5 1:1 1.5:1 2:1 3:1 4:1 5:1 6:1".split()
)
CHARGE_ODDS = ("1:1", "1:2", "1:3", "1:4")
BOMBARDMENT_COLUMNS = ((1, "1"), (2, "2-3"), (4, "4-5"), (6, "6-7"), (8, "8+"))
BOMBARDMENT_ROWS = range(-1, 8)
SHOCK_ROWS = range(-3, 4)

CRT_CODE = re.compile(r"(?:[AD]r(?:\*|[1-9])?|Sk|1R|Ex|Ae|De)\Z")
SHOCK_CODE = re.compile(r"(?:[AD]r[1-9]?|1R|Ex|Ae|De)\Z")
BOMBARDMENT_CODE = re.compile(r"(?:-|S|Dr|1R|2R|1E)\Z")
CHARGE_CODE = re.compile(r"(?:OR|Ae[01]?|Pr[1-9]?)\Z")

TABLES = {
    "crt": [
        row.split()
        for row in (
            "Ar* Sk  Dr  Dr  Dr  Dr2 Dr2 Dr2 Dr3 De  De  De",
            "Ar2 Ar* Sk  Dr  Dr  Dr  Dr  Dr2 Dr2 Dr4 De  De",
            "Ae  Ar2 Ar* Sk  Sk  Dr  Dr  Dr  Dr2 Dr3 Dr3 De",
            "Ae  Ar3 Ar2 Ar* Sk  Sk  Dr  Dr  Dr  Dr2 Dr2 Dr2",
            "Ae  Ae  Ar3 Ar2 Ar* Ar* Sk  Sk  Dr  Dr  Ex  Ex",
            "Ae  Ae  Ae  Ar3 Ar2 Ar2 Ar* Ar* Sk  Ex  Ex  Ex",
        )
    ],
    "bombardment": {
        "-1": ["-", "-", "-", "-", "-"],
        "0": ["-", "-", "-", "-", "-"],
        "1": ["-", "-", "-", "-", "Dr"],
        "2": ["-", "-", "-", "Dr", "Dr"],
        "3": ["-", "-", "-", "Dr", "Dr"],
        "4": ["-", "-", "Dr", "Dr", "Dr"],
        "5": ["-", "Dr", "Dr", "Dr", "1E"],
        "6": ["Dr", "Dr", "Dr", "1E", "1E"],
        "7": ["Dr", "Dr", "1E", "1E", "1E"],
    },
    "charge": [
        row.split()
        for row in (
            "OR  OR  OR  OR",
            "OR  OR  OR  Ae",
            "OR  OR  Ae  Ae",
            "OR  Ae  Ae  Ae",
            "Ae  Ae  Ae  Ae",
            "Ae0 Ae0 Ae1 Ae1",
        )
    ],
    "shock": {
        "-3": "Ar3",
        "-2": "Ar2",
        "-1": "Ar",
        "0": "1R",
        "1": "Dr",
        "2": "Dr2",
        "3": "Dr3",
    },
}

# --- Tables of a game's own ---


def read_code(raw, place, codes):
    """Read a result code of one of the tables."""
    if not codes.match(want_text(raw, place)):
        raise Refused(place, "no such code")
    return raw


def read_row(raw, place, codes, count):
    """Read one row of codes."""
    if len(want_list(raw, place)) != count:
        raise Refused(place, "not %d codes" % count)
    return [
        read_code(code, "%s[%d]" % (place, i), codes)
        for i, code in enumerate(raw)
    ]


def read_rows(raw, place, codes, count):
    """Read a table of six rows."""
    if len(want_list(raw, place)) != 6:
        raise Refused(place, "not six rows")
    return [
        read_row(row, "%s[%d]" % (place, i), codes, count)
        for i, row in enumerate(raw)
    ]


def read_tables(raw):
    """Read the tables, those not given as the card of 2005 has them."""
    want_members(raw, "tables", (), tuple(TABLES))
    tables = dict(TABLES)
    if "crt" in raw:
        tables["crt"] = read_rows(raw["crt"], "tables.crt", CRT_CODE, 12)
    if "bombardment" in raw:
        place = "tables.bombardment"
        rows = raw["bombardment"]
        want_members(rows, place, tuple(map(str, BOMBARDMENT_ROWS)))
        tables["bombardment"] = {
            name: read_row(row, "%s.%s" % (place, name), BOMBARDMENT_CODE, 5)
            for name, row in rows.items()
        }
    if "charge" in raw:
        tables["charge"] = read_rows(
            raw["charge"], "tables.charge", CHARGE_CODE, 4
        )
    if "shock" in raw:
        place = "tables.shock"
        rows = raw["shock"]
        want_members(rows, place, tuple(map(str, SHOCK_ROWS)))
        tables["shock"] = {
            name: read_code(code, "%s.%s" % (place, name), SHOCK_CODE)
            for name, code in rows.items()
        }
    return tables


# --- Odds, and the clauses that were met ---


def value_of(odds):
    """The fraction that a column's name says."""
    left, right = odds.split(":")
    return Fraction(left) / Fraction(right)


def odds_of(attacking, defending):
    """The attacking strength over the defending strength."""
    theirs = sum(u.odds_strength() for u in defending)
    return sum(u.odds_strength() for u in attacking) / theirs


def charge_odds(facts):
    """The odds of a charge."""
    return odds_of(facts["cavalry"].values(), facts["target"].values())


def clauses_of(table):
    """Make the function that tells a table which clauses were met."""

    def met(clause, holds=True):
        """Note a clause if it holds; return whether it does."""
        if holds:
            table.meet(clause)
        return bool(holds)

    return met


# --- Facts ---


class Unit:
    """One unit: what the facts say of it, and what is left of it."""

    def __init__(self, raw, place):
        want_members(
            raw,
            place,
            ("id", "arm", "sp", "initiative"),
            ("name", "reduced_sp", "reduced", "hex") + FLAGS,
        )
        self.id = want_id(raw["id"], place + ".id")
        if "name" in raw:
            want_text(raw["name"], place + ".name")
        self.arm = want_one(raw["arm"], place + ".arm", ARMS)
        self.sp = want_int(raw["sp"], place + ".sp")
        self.initiative = want_int(raw["initiative"], place + ".initiative")
        self.reduced_sp = raw.get("reduced_sp")
        if self.reduced_sp is not None:
            want_int(self.reduced_sp, place + ".reduced_sp")
        self.hex = raw.get("hex")
        if "hex" in raw:
            want_text(self.hex, place + ".hex")
        reduced = want_bool(raw.get("reduced", False), place + ".reduced")
        if reduced and self.reduced_sp is None:
            raise Refused(place + ".reduced", "has no reduced side")
        self.state = "reduced" if reduced else "full"
        self.flags = {
            flag
            for flag in FLAGS
            if want_bool(raw.get(flag, False), "%s.%s" % (place, flag))
        }
        if self.strength() == 0:
            raise Refused(place, "strength 0")

    def strength(self):
        """The strength of the side that is up."""
        return self.reduced_sp if self.state == "reduced" else self.sp

    def odds_strength(self):
        """The strength for odds, halved where the facts say so."""
        if "halved" in self.flags:
            return Fraction(self.strength(), 2)
        return Fraction(self.strength())

    def is_demoralized(self):
        """Demoralized, or suppressed, which counts as that."""
        return bool({"demoralized", "suppressed"} & self.flags)

    def rating(self):
        """The initiative rating, one less if demoralized."""
        return self.initiative - (1 if self.is_demoralized() else 0)

    def eliminate(self):
        """Take the unit off the map."""
        self.state = "eliminated"

    def reduce(self, table):
        """Turn the unit to its reduced side, or eliminate it."""
        met = clauses_of(table)
        if self.state == "full" and self.reduced_sp is not None:
            met("reducing: turned")
            self.state = "reduced"
        else:
            met("reducing: eliminated without side", self.state == "full")
            met("reducing: eliminated on its side", self.state == "reduced")
            self.state = "eliminated"


def read_units(raw, place, seen, may_be_empty=False, most=MAX_UNITS):
    """Read a list of units, no id twice in the combat."""
    units = {}
    if isinstance(raw, list) and len(raw) > most:
        raise Refused(place, "too many units")
    for i, item in enumerate(want_list(raw, place)):
        where = "%s[%d]" % (place, i)
        unit = Unit(item, where)
        if unit.id in seen:
            raise Refused(where + ".id", "used twice")
        seen.add(unit.id)
        units[unit.id] = unit
    if not units and not may_be_empty:
        raise Refused(place, "a side without units")
    return units


def read_common(raw, facts):
    """Read what two or three kinds of combat share, where they have it."""
    facts["weather"] = want_one(
        raw.get("weather", "clear"), "combat.weather", WEATHERS
    )
    facts["mud"] = want_bool(raw.get("mud", False), "combat.mud")


def read_ground(raw, facts, place):
    """Read the ground that the defenders stand on."""
    facts["terrain"] = want_one(
        raw.get("terrain", "clear"), place + ".terrain", TERRAINS
    )
    for flag in ("chateau", "improved_position"):
        facts[flag] = want_bool(raw.get(flag, False), place + "." + flag)


def read_attack(raw):
    """Read the facts of an attack."""
    want_members(
        raw,
        "combat",
        ("kind", "attackers", "defenders"),
        (
            "terrain",
            "chateau",
            "improved_position",
            "across",
            "weather",
            "mud",
            "failed_repulse",
            "napoleon",
            "guard",
            "attacker_stacked_artillery",
            "defender_stacked_artillery",
        ),
    )
    facts = {"kind": "attack", "units": {}, "stacked": {}}
    seen = set()
    for side in SIDES:
        facts["units"][side] = read_units(
            raw[side + "s"], "combat.%ss" % side, seen
        )
    for side in SIDES:
        name = side + "_stacked_artillery"
        stacked = read_units(
            raw.get(name, []),
            "combat." + name,
            seen,
            True,
            MAX_UNITS - len(facts["units"][side]),
        )
        for i, unit in enumerate(stacked.values()):
            if unit.arm != "artillery":
                raise Refused("combat.%s[%d].arm" % (name, i), "no artillery")
        facts["stacked"][side] = stacked
    read_common(raw, facts)
    read_ground(raw, facts, "combat")
    facts["across"] = want_one(
        raw.get("across", "none"), "combat.across", ATTACK_ACROSS
    )
    facts["failed_repulse"] = want_bool(
        raw.get("failed_repulse", False), "combat.failed_repulse"
    )
    facts["napoleon"] = None
    if "napoleon" in raw:
        facts["napoleon"] = want_one(
            raw["napoleon"], "combat.napoleon", SIDES
        )
    guard = want_list(raw.get("guard", []), "combat.guard")
    for i, side in enumerate(guard):
        want_one(side, "combat.guard[%d]" % i, SIDES)
        if side in guard[:i]:
            raise Refused("combat.guard[%d]" % i, "named twice")
    facts["guard"] = guard
    return facts


def read_battery(raw, place, seen):
    """Read one battery that bombards."""
    want_members(raw, place, ("id", "sp", "range"), ("name",))
    name = want_id(raw["id"], place + ".id")
    if name in seen:
        raise Refused(place + ".id", "used twice")
    seen.add(name)
    return {
        "sp": want_int(raw["sp"], place + ".sp", 1),
        "range": want_int(raw["range"], place + ".range", 1, 3),
    }


def read_bombardment(raw):
    """Read the facts of a bombardment."""
    flags = (
        "arf", "enfilade", "ammo_shortage", "grand_battery", "point_blank"
    )
    want_members(
        raw,
        "combat",
        ("kind", "batteries", "target"),
        ("weather", "mud") + flags,
    )
    facts = {"kind": "bombardment"}
    seen = set()
    place = "combat.batteries"
    if len(want_list(raw["batteries"], place)) > MAX_UNITS:
        raise Refused(place, "too many batteries")
    facts["batteries"] = [
        read_battery(item, "%s[%d]" % (place, i), seen)
        for i, item in enumerate(raw["batteries"])
    ]
    if not facts["batteries"]:
        raise Refused(place, "a side without units")
    target = raw["target"]
    want_members(target, "combat.target", ("units",), ("terrain", "chateau"))
    facts["target"] = read_units(
        target["units"], "combat.target.units", seen
    )
    read_common(raw, facts)
    read_ground(target, facts, "combat.target")
    for flag in flags:
        facts[flag] = want_bool(raw.get(flag, False), "combat." + flag)
    if facts["chateau"]:
        raise Refused("combat.target.chateau", "no bombardment into it")
    if facts["terrain"] in ("woods", "orchard"):
        raise Refused("combat.target.terrain", "no bombardment into it")
    if facts["terrain"] == "town":
        if any(b["range"] == 3 for b in facts["batteries"]):
            raise Refused("combat", "a town at three hexes")
    return facts


def read_charge(raw):
    """Read the facts of a charge."""
    want_members(
        raw,
        "combat",
        ("kind", "cavalry", "target"),
        (
            "terrain",
            "chateau",
            "improved_position",
            "across",
            "weather",
            "mud",
        ),
    )
    facts = {"kind": "charge"}
    seen = set()
    for name in ("cavalry", "target"):
        facts[name] = read_units(raw[name], "combat." + name, seen)
    for i, unit in enumerate(facts["cavalry"].values()):
        if unit.arm != "cavalry":
            raise Refused("combat.cavalry[%d].arm" % i, "only cavalry charges")
    read_common(raw, facts)
    read_ground(raw, facts, "combat")
    facts["across"] = want_one(
        raw.get("across", "none"), "combat.across", CHARGE_ACROSS
    )
    if facts["mud"]:
        raise Refused("combat.mud", "no charge in mud")
    for flag in ("chateau", "improved_position"):
        if facts[flag]:
            raise Refused("combat." + flag, "no charge into it")
    if facts["terrain"] in ("town", "woods", "orchard"):
        raise Refused("combat.terrain", "no charge into it")
    if facts["across"] in ("ford", "stream", "trestle", "slope-up"):
        raise Refused("combat.across", "no charge across it")
    if charge_odds(facts) < Fraction(1, 4):
        raise Refused("combat", "below 1:4")
    return facts


def read_facts(raw, tables):
    """Read the facts of a combat, or refuse them."""
    kinds = {
        "attack": read_attack,
        "bombardment": read_bombardment,
        "charge": read_charge,
    }
    if not isinstance(raw, dict):
        raise Refused("combat", "not an object")
    if "kind" not in raw:
        raise Refused("combat.kind", "missing")
    return kinds[want_one(raw["kind"], "combat.kind", tuple(kinds))](raw)
