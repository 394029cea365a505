#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""A second reading of Imagi-Nations, horse and musket: resolving combat.

It is written from the rules' text on resolving combat and umpire-rules.7,
section 13, alone and shares nothing with librules: the tests hold the one
against the other. It knows no events of the score or change kind and prints
nothing for people.

resolve(scenario) takes and returns what reading.py says. As a program it reads
one scenario (a file or `-`), writes the output as JSON and exits with 0, or
with 65 and one line on standard error.
"""

import json
import os
import re
import sys

from reading import (
    MAX_COUNT,
    Refused,
    System,
    clauses_in,
    read_int,
    read_one,
    read_some,
    want_bool,
    want_id,
    want_int,
    want_kind,
    want_list,
    want_members,
    want_one,
    want_text,
)

SIDES = ("attacker", "defender")
MAX_UNITS = 64  # of a side
MAX_CHITS = 1000  # of a bag
ARMS = ("infantry", "cavalry", "artillery")
QUALITIES = {
    "elite": 2, "veteran": 1, "experienced": 0, "trained": -1, "raw": -2
}
MODIFIERS = ("offensive", "defensive", "conditional")
# Tactic -> (chits, which modifiers count besides the conditional ones).
CARDS = {
    "attacker": {
        "feint": (1, None),
        "cavalry-charge": (3, "offensive"),
        "prepared-attack": (5, "offensive"),
        "hasty-attack": (3, None),
        "pinning-attack": (2, None),
    },
    "defender": {
        "hold": (1, None),
        "defend": (2, "defensive"),
        "evade": (0, None),
        "counter-attack": (3, "offensive"),
    },
}
TACTICS = tuple(CARDS["attacker"]) + tuple(CARDS["defender"])
RULINGS = {
    "cdr_die": (20, 6, 8, 10, 12),
    "evade_target": (4, 2, 3, 5, 6),
    "morale_die": (6, 8, 10),
    "effects_without_hits": ("both", "none"),
    "disordered_counter_attack": (False, True),
    "charge_fatigue": (True, False),
    "rally_target": (4, 2, 3, 5, 6, "automatic"),
}
EFFECT = re.compile(r"(?:([AD])(-?)([1-9][0-9]{0,3})|F|M)\Z")
BAG_FILE = os.path.join(
    os.path.dirname(os.path.abspath(__file__)),
    "../../etc/bags/imagi-nations.json",
)

# --- Facts ---


def read_battalion(raw, place, names):
    """Read one battalion or squadron."""
    want_members(raw, place, ("id", "quality", "sp"), ("hits",))
    name = want_id(raw["id"], place + ".id")
    if name in names:
        raise Refused(place + ".id", "used twice")
    names.add(name)
    sp = want_int(raw["sp"], place + ".sp", 1)
    return {
        "id": name,
        "quality": want_one(
            raw["quality"], place + ".quality", tuple(QUALITIES)
        ),
        "sp": sp,
        "hits": want_int(raw.get("hits", 0), place + ".hits", 0, sp),
    }


class Unit:
    """One brigade or regiment, as it is and as the combat leaves it."""

    def __init__(self, raw, place, names):
        want_members(
            raw,
            place,
            ("id", "lead", "battalions"),
            (
                "name",
                "arm",
                "commander",
                "fatigue",
                "disordered",
                "morale",
                "retreat_room",
            ),
        )
        self.id = want_id(raw["id"], place + ".id")
        if "name" in raw:
            want_text(raw["name"], place + ".name")
        self.arm = want_one(raw.get("arm", "infantry"), place + ".arm", ARMS)
        self.battalions = {}
        where = place + ".battalions"
        for i, item in enumerate(want_list(raw["battalions"], where)):
            battalion = read_battalion(item, "%s[%d]" % (where, i), names)
            self.battalions[battalion["id"]] = battalion
        self.lead = want_id(raw["lead"], place + ".lead")
        if self.lead not in self.battalions:
            raise Refused(place + ".lead", "not among the battalions")
        self.commander = want_int(
            raw.get("commander", 0), place + ".commander", -1, 2
        )
        self.fatigue = want_int(raw.get("fatigue", 0), place + ".fatigue")
        self.is_disordered = want_bool(
            raw.get("disordered", False), place + ".disordered"
        )
        self.morale = want_int(raw.get("morale", 4), place + ".morale", 0, 6)
        self.room = want_int(
            raw.get("retreat_room", 2), place + ".retreat_room", 0, 2
        )
        self.retreated = 0
        self.passed = None

    def left(self, name):
        """The strength points that a battalion has left."""
        return self.battalions[name]["sp"] - self.battalions[name]["hits"]

    def strength(self):
        """The strength points that the unit has left."""
        return sum(self.left(name) for name in self.battalions)


def read_modifier(raw, place):
    """Read one modifier: (value, kind)."""
    want_members(raw, place, ("reason", "value", "kind"))
    want_text(raw["reason"], place + ".reason")
    value = want_int(raw["value"], place + ".value", -9999)
    return value, want_one(raw["kind"], place + ".kind", MODIFIERS)


def read_side(raw, place, names, defends):
    """Read one side."""
    optional = ("modifiers", "objective") + (("can_evade",) * defends)
    want_members(raw, place, ("units",), optional)
    side = {"units": {}}
    where = place + ".units"
    if isinstance(raw["units"], list) and len(raw["units"]) > MAX_UNITS:
        raise Refused(where, "too many units")
    for i, item in enumerate(want_list(raw["units"], where)):
        unit = Unit(item, "%s[%d]" % (where, i), names["battalions"])
        if unit.id in names["units"]:
            raise Refused("%s[%d].id" % (where, i), "used twice")
        names["units"].add(unit.id)
        side["units"][unit.id] = unit
    if not side["units"]:
        raise Refused(where, "a side without units")
    where = place + ".modifiers"
    side["modifiers"] = [
        read_modifier(item, "%s[%d]" % (where, i))
        for i, item in enumerate(want_list(raw.get("modifiers", []), where))
    ]
    for flag in ("objective", "can_evade"):
        side[flag] = want_bool(raw.get(flag, False), place + "." + flag)
    return side


def read_when(raw, place):
    """Read the conditions of a face."""
    known = ("ratio", "ratio_against", "terrain", "power", "tactic", "arm")
    want_members(raw, place, (), known)
    for key in ("ratio", "ratio_against"):
        if key in raw:
            want_int(raw[key], "%s.%s" % (place, key), 1)
    if "terrain" in raw:
        want_text(raw["terrain"], place + ".terrain")
    for key, values in (("power", SIDES), ("tactic", TACTICS), ("arm", ARMS)):
        if key in raw:
            want_one(raw[key], "%s.%s" % (place, key), values)
    return raw


def read_face(raw, place):
    """Read one face of a chit, None where there is none."""
    if raw is None:
        return None
    want_members(raw, place, ("effects",), ("when",))
    where = place + ".effects"
    for i, effect in enumerate(want_list(raw["effects"], where)):
        if not EFFECT.match(want_text(effect, "%s[%d]" % (where, i))):
            raise Refused("%s[%d]" % (where, i), "no such effect")
    return {
        "when": read_when(raw.get("when", {}), place + ".when"),
        "effects": raw["effects"],
    }


def read_bag(raw, place):
    """Read a bag of chits."""
    bag = {}
    for i, item in enumerate(want_list(raw, place)):
        where = "%s[%d]" % (place, i)
        want_members(item, where, ("id", "front", "back", "takes"))
        name = want_id(item["id"], where + ".id")
        if name in bag:
            raise Refused(where + ".id", "used twice")
        bag[name] = {
            "front": read_face(item["front"], where + ".front"),
            "back": read_face(item["back"], where + ".back"),
            "takes": want_one(
                item["takes"], where + ".takes", ("front", "back", "both")
            ),
        }
    return bag


def default_bag():
    """Read the bag that comes with the program."""
    with open(BAG_FILE, encoding="utf-8") as f:
        return read_bag(json.load(f)["bag"], "bag")


def read_facts(raw, tables):
    """Read the facts of a combat, or refuse them."""
    want_members(raw, "combat", SIDES, ("terrain", "bag"))
    names = {"units": set(), "battalions": set()}
    facts = {
        side: read_side(
            raw[side], "combat." + side, names, side == "defender"
        )
        for side in SIDES
    }
    facts["terrain"] = want_text(raw.get("terrain", "open"), "combat.terrain")
    if "bag" in raw:
        facts["bag"] = read_bag(raw["bag"], "combat.bag")
        if not 1 <= len(facts["bag"]) <= MAX_CHITS:
            raise Refused("combat.bag", "too few or too many chits")
    else:
        facts["bag"] = default_bag()
    facts["is_own_bag"] = "bag" in raw
    arms = {unit.arm for unit in facts["defender"]["units"].values()}
    if facts["defender"]["can_evade"] and arms != {"cavalry"}:
        raise Refused("combat.defender.can_evade", "only cavalry evades")
    return facts


# --- The combat ---


class Combat:
    """One combat, played through from its start."""

    def __init__(self, facts, rulings, table):
        self.facts = facts
        self.rulings = rulings
        self.table = table
        self.units = {side: facts[side]["units"] for side in SIDES}
        self.tactics = {}
        self.cdr = {}
        self.scored = {side: 0 for side in SIDES}
        self.spared = {side: 0 for side in SIDES}
        self.fatigue = 0
        self.is_morale = False
        self.drawn = []
        self.hits = {}

    def met(self, clause, holds=True):
        """Note a clause if it holds; return whether it does."""
        if holds:
            self.table.meet(clause)
        return bool(holds)

    def all_units(self):
        """The units of both sides."""
        return {**self.units["attacker"], **self.units["defender"]}

    # 1. Tactics.

    def is_all(self, arm):
        """Tell whether all attacking units are of an arm."""
        return all(u.arm == arm for u in self.units["attacker"].values())

    def choices(self, side):
        """The tactics that a side may choose."""
        names = list(CARDS[side])
        if side == "attacker":
            if not self.is_all("cavalry"):
                names.remove("cavalry-charge")
            return names
        defender = self.facts["defender"]
        is_open = self.facts["terrain"] == "open"
        self.met(
            "tactic: defend for the objective alone",
            is_open and defender["objective"],
        )
        self.met("tactic: no defend", is_open and not defender["objective"])
        if is_open and not defender["objective"]:
            names.remove("defend")
        if not defender["can_evade"]:
            names.remove("evade")
        if any(u.is_disordered for u in self.units["defender"].values()):
            may = self.rulings["disordered_counter_attack"]
            self.met("tactic: counter-attack in disorder %s" % may)
            if not may:
                names.remove("counter-attack")
        return names

    def choose_tactics(self):
        """Ask both sides for their tactics, in secret."""
        choices = {side: self.choices(side) for side in SIDES}

        def check(side, decision, place):
            self.tactics[side] = read_one(
                decision, "tactic", "tactic", choices[side], place
            )

        self.table.decide_secret(
            "tactic",
            *({"tactic": {"one": names}} for names in choices.values()),
            check,
        )
        self.met("tactics: %(attacker)s against %(defender)s" % self.tactics)
        asked = sum(self.card(side) for side in SIDES)
        if asked > len(self.facts["bag"]):
            raise Refused("combat.bag", "fewer chits than both cards ask")

    def card(self, side):
        """The chits that a side's card asks."""
        tactic = self.tactics[side]
        count = CARDS[side][tactic][0]
        if tactic == "cavalry-charge":
            units = len(self.units["attacker"])
            self.met("charge: %d units" % min(units, 4))
            count = min(count, units)
        return count

    def evades(self):
        """Tell whether the defender evades and gets away."""
        if self.tactics["defender"] != "evade":
            return False
        die = self.table.roll("evade", 1)[0]
        target = self.rulings["evade_target"]
        self.met("evade: target %d" % target)
        self.met("evade: exactly", die == target)
        self.met("evade: %s" % (die >= target))
        return die >= target

    @staticmethod
    def add_fatigue(unit, count):
        """Add fatigue, which is a count like others: at most 9999."""
        unit.fatigue = min(MAX_COUNT, unit.fatigue + count)

    def tire_chargers(self):
        """One fatigue for every attacking unit after a charge."""
        if self.tactics["attacker"] == "cavalry-charge":
            tires = self.rulings["charge_fatigue"]
            self.met("charge: tires %s" % tires)
            if not tires:
                return
            for unit in self.units["attacker"].values():
                self.add_fatigue(unit, 1)

    # 2. Combat die rolls.

    def roll_cdr(self, side):
        """The combat die roll of a side."""
        sides = self.rulings["cdr_die"]
        self.met("cdr: d%d" % sides)
        total = self.table.roll("cdr/" + side, 1, sides)[0]
        for unit in self.units[side].values():
            total += unit.commander
            self.met("cdr: commander %d" % unit.commander)
            for name, battalion in unit.battalions.items():
                if unit.left(name) > 0:
                    self.met("cdr: " + battalion["quality"])
                    total += QUALITIES[battalion["quality"]]
                else:
                    self.met("cdr: no strength left: " + battalion["quality"])
        counts = CARDS[side][self.tactics[side]][1]
        for value, kind in self.facts[side]["modifiers"]:
            if kind in (counts, "conditional"):
                self.met("cdr: %s counts with %s" % (kind, self.tactics[side]))
                total += value
            else:
                self.met("cdr: %s not with %s" % (kind, self.tactics[side]))
        self.met("cdr: at least 1", total < 1)
        self.cdr[side] = max(1, total)

    def ratio(self):
        """The ratio as it is printed."""
        ours, theirs = self.cdr["attacker"], self.cdr["defender"]
        self.met("ratio: equal", ours == theirs)
        self.met("ratio: n:1", ours >= 2 * theirs)
        self.met("ratio: 1:n", theirs >= 2 * ours)
        self.met("ratio: 1:1, attacker higher", theirs < ours < 2 * theirs)
        self.met("ratio: 1:1, defender higher", ours < theirs < 2 * ours)
        if ours >= theirs:
            return "%d:1" % (ours // theirs)
        return "1:%d" % (theirs // ours)

    # 3. Number of chits.

    def count_chits(self):
        """The number of chits, asked of the attacker where it is open."""
        least = self.card("attacker")
        most = least + self.card("defender")
        if self.met("chits: not asked", least == most):
            return least
        decision, place = self.table.decide(
            "attacker", "chits", {"number": {"int": [least, most]}}
        )
        number = read_int(decision, "chits", "number", least, most, place)
        self.met("chits: least", number == least)
        self.met("chits: most", number == most)
        self.met("chits: between", least < number < most)
        return number

    # 4. Draw.

    def holds_one(self, key, value):
        """Tell whether one condition of a face holds."""
        ours, theirs = self.cdr["attacker"], self.cdr["defender"]
        terrain = self.facts["terrain"]
        if key == "ratio":
            self.met(
                "when: ratio 1 fails at a printed 1:1",
                value == 1 and ours < theirs < 2 * ours,
            )
            return ours >= value * theirs
        if key == "ratio_against":
            return theirs >= value * ours
        if key == "terrain":
            if value == "cover":
                return self.met("when: cover", terrain != "open")
            return terrain == value
        if key == "power":
            self.met("when: power, equal", ours == theirs)
            other = "defender" if value == "attacker" else "attacker"
            return self.cdr[value] > self.cdr[other]
        if key == "tactic":
            return value in self.tactics.values()
        return self.is_all(value)

    def holds(self, face):
        """Tell whether a face is there and all its conditions hold."""
        if face is None:
            return False
        truths = []
        for key, value in face["when"].items():
            truth = self.holds_one(key, value)
            self.met("when: %s %s" % (key, truth))
            truths.append(truth)
        self.met("when: always", not truths)
        self.met("when: all of several", len(truths) > 1 and all(truths))
        self.met("when: not all of several", any(truths) and not all(truths))
        return all(truths)

    def faces(self, chit):
        """The faces of a chit that apply."""
        front, back = (self.holds(chit[name]) for name in ("front", "back"))
        if chit["takes"] == "both":
            self.met("takes both: front %s, back %s" % (front, back))
            return [
                chit[name]
                for name, holds in (("front", front), ("back", back))
                if holds
            ]
        first, second = chit["takes"], "back"
        if first == "back":
            second = "front"
        holds = {"front": front, "back": back}
        for name in (first, second):
            if holds[name]:
                self.met("takes %s: %s" % (first, name))
                return [chit[name]]
        self.met("takes %s: nothing" % first)
        return []

    def draw_chits(self, count):
        """Draw chits one by one and settle each before the next."""
        bag = self.facts["bag"]
        for _ in range(count):
            name = self.table.draw("chits", list(bag))
            self.drawn.append(name)
            for face in self.faces(bag[name]):
                for effect in face["effects"]:
                    self.settle(effect)

    def settle(self, effect):
        """Note one effect."""
        if effect == "F":
            self.fatigue += 1
            return
        if effect == "M":
            self.is_morale = True
            return
        side, minus, number = EFFECT.match(effect).groups()
        side = "attacker" if side == "A" else "defender"
        if minus:
            self.spared[side] += int(number)
        else:
            self.scored[side] += int(number)

    def total_hits(self):
        """What each side suffers."""
        for side, enemy in (SIDES, SIDES[::-1]):
            hits = self.scored[enemy] - self.spared[side]
            spared = self.spared[side]
            self.met("hits: reduced, some left", hits > 0 and spared)
            self.met("hits: reduced to nothing", hits == 0 and spared)
            self.met("hits: not below 0", hits < 0)
            self.hits[side] = max(0, hits)

    # 5. Hits.

    def read_hits(self, raw, units, place):
        """Read the hits that each battalion takes."""
        want_members(raw, place, (), tuple(units))
        hits = {}
        for name, unit in units.items():
            if name not in raw:
                continue
            where = "%s.%s" % (place, name)
            want_members(raw[name], where, (), tuple(unit.battalions))
            for battalion, count in raw[name].items():
                want_int(
                    count,
                    "%s.%s" % (where, battalion),
                    0,
                    unit.left(battalion),
                )
            if any(raw[name].values()):
                hits[name] = raw[name]
            lead = unit.left(unit.lead)
            taken = raw[name].get(unit.lead, 0)
            rest = [n for b, n in raw[name].items() if b != unit.lead and n]
            self.met("hits: lead without strength", rest and not lead)
            if rest and taken < min(1, lead):
                raise Refused(where, "the lead battalion takes the first")
            if any(n > 1 for n in rest):
                self.met("hits: second of another, lead has two", taken >= 2)
                self.met("hits: second of another, lead has one", lead == 1)
                if taken < min(2, lead):
                    raise Refused(where, "the lead takes two before others")
        return hits

    def allocate(self, side):
        """Ask a side for its hits and retreats, and carry them out."""
        units = self.units[side]
        due = self.hits[side]
        strength = sum(u.strength() for u in units.values())
        if due == 0:
            return
        if strength == 0:
            self.met("hits: not asked without strength, " + side)
            return
        option = {
            "rule": "allocate",
            "due": due,
            "units": {
                name: {
                    "lead": unit.lead,
                    "room": unit.room,
                    "left": {b: unit.left(b) for b in unit.battalions},
                }
                for name, unit in units.items()
            },
        }
        decision, place = self.table.decide(
            side, "allocate", {"hits": option}
        )
        want_kind(decision, place, "allocate", ("hits",), ("retreat",))
        hits = self.read_hits(decision["hits"], units, place + ".hits")
        retreat = decision.get("retreat", {})
        where = place + ".retreat"
        want_members(retreat, where, (), tuple(units))
        for name, spaces in retreat.items():
            inner = "%s.%s" % (where, name)
            want_int(spaces, inner, 0, units[name].room)
            if spaces and name not in hits:
                raise Refused(inner, "retreats before its first hit")
            if spaces and units[name].strength() == sum(hits[name].values()):
                self.met("retreat: without strength left")
                raise Refused(inner, "no strength left to retreat")
        taken = sum(sum(h.values()) for h in hits.values())
        answered = taken + sum(retreat.values())
        if answered > due or (answered < due and taken < strength):
            raise Refused(place, "not %d hits" % due)
        self.met("hits: beyond strength are lost", answered < due)
        self.met("hits: without strength and all paid", taken == strength
            and answered == due)
        for name, unit in units.items():
            for battalion, count in hits.get(name, {}).items():
                unit.battalions[battalion]["hits"] += count
            unit.retreated = retreat.get(name, 0)
            self.met("retreat: %d" % unit.retreated)
            self.met("retreat: no room", name in hits and not unit.room)
            self.met("retreat: with one strength point left",
                unit.retreated and unit.strength() == 1)
            if unit.retreated >= 1:
                self.add_fatigue(unit, 1)
            if unit.retreated >= 2:
                unit.is_disordered = True

    # 6. Fatigue. 7. Morale.

    def sufferers(self):
        """The sides that suffered most, the defender first."""
        ours, theirs = self.hits["attacker"], self.hits["defender"]
        if ours == theirs == 0:
            ruling = self.rulings["effects_without_hits"]
            self.met(
                "effects without hits: " + ruling,
                self.fatigue > 0 or self.is_morale,
            )
            return SIDES[::-1] if ruling == "both" else ()
        if ours == theirs:
            self.met("effects: equal", self.fatigue > 0 or self.is_morale)
            return SIDES[::-1]
        return ("attacker",) if ours > theirs else ("defender",)

    def tire(self):
        """Fatigue of the chits and of a charge."""
        for side in self.sufferers():
            self.met("fatigue: %s" % side, self.fatigue > 0)
            self.met("fatigue: more than one F", self.fatigue > 1)
            for unit in self.units[side].values():
                self.add_fatigue(unit, self.fatigue)
        self.tire_chargers()

    def test_morale(self):
        """Test the morale of every unit of the side that suffered most."""
        if not self.is_morale:
            return
        for side in self.sufferers():
            self.met("morale: %s" % side)
            for name, unit in self.units[side].items():
                sides = self.rulings["morale_die"]
                die = self.table.roll("morale/" + name, 1, sides)[0]
                self.met("morale: d%d" % sides)
                unit.passed = die <= unit.morale
                self.met("morale: passed exactly", die == unit.morale)
                self.met("morale: without strength", not unit.strength())
                if unit.passed:
                    self.met("morale: clears disorder", unit.is_disordered)
                    unit.is_disordered = False
                else:
                    self.met("morale: lowered")
                    self.met("morale: lowered at 0", unit.morale == 0)
                    unit.morale = max(0, unit.morale - 1)

    # 8. Advance.

    def advance(self):
        """Ask who advances, where the way is free and somebody may."""
        for unit in self.units["defender"].values():
            if unit.retreated == 0 and unit.strength() > 0:
                return []
        self.met("advance: way free")
        eligible = []
        for name, unit in self.units["attacker"].items():
            if self.met("advance: no strength", unit.strength() == 0):
                continue
            if self.met("advance: retreated", unit.retreated > 0):
                continue
            if self.met("advance: failed", unit.passed is False):
                continue
            self.met("advance: passed", unit.passed is True)
            eligible.append(name)
        if self.met("advance: nobody eligible", not eligible):
            return []
        decision, place = self.table.decide(
            "attacker", "advance", {"units": {"some": eligible}}
        )
        return read_some(decision, "advance", "units", eligible, place)

    def end_units(self):
        """The units as the result has them."""
        return {
            name: {
                "hits": {b: x["hits"] for b, x in unit.battalions.items()},
                "fatigue": unit.fatigue,
                "disordered": unit.is_disordered,
                "morale": unit.morale,
                "retreated": unit.retreated,
            }
            for name, unit in self.all_units().items()
        }

    def play(self):
        """Play the sequence; return the result."""
        self.choose_tactics()
        self.met("bag: just enough for any cards", len(self.facts["bag"]) == 8)
        self.met("bag: the program's", not self.facts["is_own_bag"])
        if self.evades():
            self.tire_chargers()
            return {"units": self.end_units(), "evaded": True}
        for side in SIDES:
            self.roll_cdr(side)
        ratio = self.ratio()
        self.draw_chits(self.count_chits())
        self.total_hits()
        for side in SIDES[::-1]:
            self.allocate(side)
        self.tire()
        self.test_morale()
        advanced = self.advance()
        return {
            "units": self.end_units(),
            "cdr": self.cdr,
            "ratio": ratio,
            "hits": self.hits,
            "chits": self.drawn,
            "advanced": advanced,
        }


def play(facts, rulings, tables, table):
    """Play a combat as System wants it."""
    return Combat(facts, rulings, table).play()


SYSTEM = System(
    "imagi-nations",
    RULINGS,
    read_facts,
    play,
    clauses=clauses_in(__file__),
)
resolve = SYSTEM.resolve


if __name__ == "__main__":
    sys.exit(SYSTEM.main(sys.argv))
