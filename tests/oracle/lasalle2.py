#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""A second reading of the combat of Lasalle, 2nd edition, chapter 11.

It is written from the rulebook's chapter 11 and umpire-rules.7 alone and
shares nothing with librules: the tests hold the one against the other.
It knows no events of the score or change kind and prints nothing for people.

resolve(scenario) takes and returns what reading.py says. As a program it reads
one scenario (a file or `-`), writes the output as JSON and exits with 0, or
with 65 and one line on standard error.
"""

import sys

from reading import (
    Refused,
    System,
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

EDGES = ("front", "left", "right", "rear")
OPPOSITE = (("front", "rear"), ("left", "right"))
FORMATIONS = {
    "infantry": ("line", "column", "square", "march", "garrison"),
    "cavalry": ("line", "column", "march"),
    "artillery": ("limbered", "unlimbered"),
}
BATTERIES = ("foot", "horse")
TRAITS = ("shock", "lancers")
FEATURES = ("wall", "earthworks")
RULINGS = {
    "square_needs_all_cavalry": (False, True),
    "garrison_has_flanks": (False, True),
    "broken_cavalry_breaks": (True, False),
}


# --- Facts (umpire-rules.7, facts of lasalle2) ---


def read_unit(raw, place, attacks):
    """Read one unit, every optional member filled in."""
    want_members(
        raw,
        place,
        ("id", "arm", "strength", "formation"),
        ("name", "battery", "traits", "shaken", "difficult"),
    )
    unit = {"id": want_id(raw["id"], place + ".id")}
    unit["name"] = raw.get("name")
    if "name" in raw:
        want_text(raw["name"], place + ".name")
    arm = want_one(raw["arm"], place + ".arm", tuple(FORMATIONS))
    unit["arm"] = arm
    strength = want_int(raw["strength"], place + ".strength", 1)
    unit["strength"] = strength
    formation = want_one(
        raw["formation"], place + ".formation", FORMATIONS[arm]
    )
    unit["formation"] = formation
    unit["battery"] = None
    if arm == "artillery":
        if "battery" not in raw:
            raise Refused(place + ".battery", "missing")
        unit["battery"] = want_one(
            raw["battery"], place + ".battery", BATTERIES
        )
    elif "battery" in raw:
        raise Refused(place + ".battery", "only artillery has one")
    traits = want_list(raw.get("traits", []), place + ".traits")
    for i, trait in enumerate(traits):
        want_one(trait, "%s.traits[%d]" % (place, i), TRAITS)
    unit["traits"] = frozenset(traits)
    for flag in ("shaken", "difficult"):
        unit[flag] = want_bool(raw.get(flag, False), place + "." + flag)
    if attacks:
        if arm == "artillery":
            raise Refused(place + ".arm", "artillery does not charge")
        if formation == "garrison":
            raise Refused(place + ".formation", "a garrison does not charge")
        if strength == 1:
            raise Refused(place + ".strength", "strength 1 does not charge")
    return unit


def read_contact(raw, place, attackers, defenders):
    """Read one contact between a known attacker and a known defender."""
    want_members(
        raw,
        place,
        ("attacker", "defender", "edge"),
        ("touches", "uphill", "across"),
    )
    contact = {}
    for role, units in (("attacker", attackers), ("defender", defenders)):
        contact[role] = want_id(raw[role], "%s.%s" % (place, role))
        if contact[role] not in units:
            raise Refused("%s.%s" % (place, role), "unknown unit")
    edge = want_one(raw["edge"], place + ".edge", EDGES)
    contact["edge"] = edge
    touches = want_list(raw.get("touches", [edge]), place + ".touches")
    for i, touched in enumerate(touches):
        want_one(touched, "%s.touches[%d]" % (place, i), EDGES)
    contact["touches"] = frozenset(touches)
    contact["uphill"] = want_bool(raw.get("uphill", False), place + ".uphill")
    contact["across"] = None
    if "across" in raw:
        contact["across"] = want_one(
            raw["across"], place + ".across", FEATURES
        )
    return contact


def read_facts(raw, place="combat"):
    """Read the facts of a combat, or refuse them."""
    want_members(raw, place, ("attackers", "defenders", "contacts"), ())
    facts = {}
    seen = set()
    for side in ("attackers", "defenders"):
        units = {}
        where = "%s.%s" % (place, side)
        for i, item in enumerate(want_list(raw[side], where)):
            unit = read_unit(
                item, "%s[%d]" % (where, i), side == "attackers"
            )
            if unit["id"] in seen:
                raise Refused("%s[%d].id" % (where, i), "used twice")
            seen.add(unit["id"])
            units[unit["id"]] = unit
        facts[side] = units
    contacts = []
    pairs = set()
    where = place + ".contacts"
    for i, item in enumerate(want_list(raw["contacts"], where)):
        contact = read_contact(
            item,
            "%s[%d]" % (where, i),
            facts["attackers"],
            facts["defenders"],
        )
        pair = (contact["attacker"], contact["defender"])
        if pair in pairs:
            raise Refused("%s[%d]" % (where, i), "the same pair twice")
        pairs.add(pair)
        contacts.append(contact)
    if not contacts:
        raise Refused(where, "no contact at all")
    for side, role in (("attackers", 0), ("defenders", 1)):
        engaged = {pair[role] for pair in pairs}
        for i, name in enumerate(facts[side]):
            if name not in engaged:
                raise Refused(
                    "%s.%s[%d]" % (place, side, i), "is in no contact"
                )
    facts["contacts"] = contacts
    return facts


# --- Decisions ---


def read_stagger(decision, must, place):
    """Read a stagger decision: the units that find no path."""
    want_kind(decision, place, "stagger", ("order",))
    order = want_list(decision["order"], place + ".order")
    named = []
    stuck = set()
    for i, item in enumerate(order):
        where = "%s.order[%d]" % (place, i)
        want_members(item, where, ("unit", "possible"), ())
        name = want_id(item["unit"], where + ".unit")
        if name not in must:
            raise Refused(where + ".unit", "does not stagger")
        if name in named:
            raise Refused(where + ".unit", "named twice")
        named.append(name)
        if not want_bool(item["possible"], where + ".possible"):
            stuck.add(name)
    if len(named) != len(must):
        raise Refused(place + ".order", "a unit that must stagger is missing")
    return stuck


# --- The combat ---


class Combat:
    """One combat, played through from its start."""

    def __init__(self, facts, rulings, table):
        self.attackers = facts["attackers"]
        self.defenders = facts["defenders"]
        self.contacts = list(facts["contacts"])
        self.rulings = rulings
        self.table = table
        self.units = {**self.attackers, **self.defenders}
        self.state = {name: "in-place" for name in self.units}
        self.disr = {name: 0 for name in self.units}
        self.die = {}
        self.score = {}
        self.modifiers = {}

    def attackers_on(self, defender):
        """List the attackers in contact with a defender, in facts' order."""
        on = {c["attacker"] for c in self.on_defender(defender)}
        return [name for name in self.attackers if name in on]

    def defenders_of(self, attacker):
        """List the defenders that an attacker fights, in facts' order."""
        mine = [c for c in self.contacts if c["attacker"] == attacker]
        on = {c["defender"] for c in mine}
        return [name for name in self.defenders if name in on]

    def enemies(self, name):
        """List the enemies with whom a unit is engaged."""
        if name in self.attackers:
            return self.defenders_of(name)
        return self.attackers_on(name)

    def on_defender(self, defender):
        """List the contacts of a defender."""
        return [c for c in self.contacts if c["defender"] == defender]

    def is_cavalry(self, name):
        """Tell whether a unit is cavalry."""
        return self.units[name]["arm"] == "cavalry"

    def is_square(self, name):
        """Tell whether a unit is infantry in square."""
        unit = self.units[name]
        return unit["arm"] == "infantry" and unit["formation"] == "square"

    # Chapter 11, "Artillery Retires".

    def retire(self):
        """Ask which battery tries to retire next, and roll for it."""
        eligible = []
        for name, unit in self.defenders.items():
            if unit["arm"] != "artillery":
                continue
            touched = set()
            for contact in self.on_defender(name):
                touched |= contact["touches"]
            if any(a in touched and b in touched for a, b in OPPOSITE):
                continue
            eligible.append(name)
        while eligible:
            option = {"some": list(eligible)}
            if len(eligible) > 1:
                option["max"] = 1
            decision, place = self.table.decide(
                "defender", "retire", {"units": option}
            )
            chosen = read_some(decision, "retire", "units", eligible, place)
            if not chosen:
                return
            if len(chosen) > 1:
                raise Refused(place + ".units", "one battery at a time")
            eligible.remove(chosen[0])
            self.retire_one(chosen[0])

    def retire_one(self, name):
        """Roll for one battery; the best die of each side counts."""
        unit = self.defenders[name]
        cavalry = any(self.is_cavalry(a) for a in self.attackers_on(name))
        theirs = self.table.roll(
            "retire/%s/attacker" % name, 2 if cavalry else 1
        )
        slow = unit["formation"] == "unlimbered" and unit["battery"] == "foot"
        ours = self.table.roll("retire/%s/defender" % name, 1 if slow else 2)
        if max(ours) >= max(theirs):
            self.state[name] = "retired"
            self.contacts = [
                c for c in self.contacts if c["defender"] != name
            ]

    # Chapter 11, "Combat Modifiers".

    def outnumbers(self, name):
        """One of two or more units on one enemy and on that enemy only."""
        mine = self.enemies(name)
        if len(mine) != 1:
            return False
        friends = [f for f in self.enemies(mine[0]) if f != name]
        return any(len(self.enemies(f)) == 1 for f in friends)

    def is_strong(self, name):
        """A defender, not shaken, in any of the four strong positions."""
        if name not in self.defenders or self.units[name]["shaken"]:
            return False
        contacts = self.on_defender(name)
        if self.units[name]["formation"] == "garrison":
            return True
        if all(c["across"] is not None for c in contacts):
            return True
        if all(c["uphill"] for c in contacts):
            return True
        if self.is_square(name):
            horse = [self.is_cavalry(c["attacker"]) for c in contacts]
            if self.rulings["square_needs_all_cavalry"]:
                return all(horse)
            return any(horse)
        return False

    def is_poor(self, name):
        """Attacked on flank or rear, in march, or foot against horse."""
        unit = self.units[name]
        if unit["formation"] == "march":
            return True
        if name in self.defenders:
            has_flanks = unit["formation"] != "square"
            if unit["formation"] == "garrison":
                has_flanks = self.rulings["garrison_has_flanks"]
            edges = {c["edge"] for c in self.on_defender(name)}
            if has_flanks and edges & {"left", "right", "rear"}:
                return True
        if unit["arm"] == "infantry" and unit["formation"] != "square":
            return any(self.is_cavalry(e) for e in self.enemies(name))
        return False

    def modify(self, name):
        """Collect the modifiers of a unit by reason."""
        unit = self.units[name]
        modifiers = {}
        if self.outnumbers(name):
            modifiers["outnumber"] = 1
        if self.is_strong(name):
            modifiers["strong-position"] = 1
        if self.is_cavalry(name) and "shock" not in unit["traits"]:
            for enemy in self.enemies(name):
                shock = "shock" in self.units[enemy]["traits"]
                if self.is_cavalry(enemy) and shock:
                    modifiers["enemy-shock"] = -1
        if unit["difficult"]:
            modifiers["difficult"] = -1
        if self.is_poor(name):
            modifiers["poor-formation"] = -4
        return modifiers

    def roll_scores(self):
        """Roll for every engaged unit, attackers first, in facts' order."""
        for name in self.units:
            if self.enemies(name):
                self.die[name] = self.table.roll("score/%s" % name, 1)[0]
                self.modifiers[name] = self.modify(name)

    # Chapter 11, "Lancers Get a Re-Roll vs. Squares".

    def reroll(self):
        """Ask which lancers re-roll against a square."""
        eligible = [
            name
            for name, unit in self.attackers.items()
            if name in self.die
            and self.die[name] <= 2
            and self.is_cavalry(name)
            and "lancers" in unit["traits"]
            and any(self.is_square(e) for e in self.enemies(name))
        ]
        if not eligible:
            return
        decision, place = self.table.decide(
            "attacker", "reroll", {"units": {"some": eligible}}
        )
        chosen = read_some(decision, "reroll", "units", eligible, place)
        for name in self.attackers:
            if name in chosen:
                self.die[name] = self.table.roll("reroll/%s" % name, 1)[0]

    def add_up(self):
        """Strength, die and modifiers, and never below 1."""
        for name, die in self.die.items():
            total = self.units[name]["strength"] + die
            total += sum(self.modifiers[name].values())
            self.score[name] = max(1, total)

    # Chapter 11, "Resolve Defenders First", "Upset Victory", "Stagger".

    def hit(self, name):
        """Take one DISR; tell whether the unit survives it."""
        self.disr[name] += 1
        if self.units[name]["strength"] - self.disr[name] <= 0:
            self.state[name] = "broken"
            return False
        return True

    def is_trapped(self, name):
        """Hit on the rear edge, or on both flanks."""
        edges = {c["edge"] for c in self.on_defender(name)}
        return "rear" in edges or {"left", "right"} <= edges

    def resolve_defender(self, name):
        """Settle one defender; tell whether it must stagger."""
        enemies = self.attackers_on(name)
        dice = [self.die[e] for e in enemies]
        if self.die[name] == 1 and 6 in dice:
            self.state[name] = "broken"
            return False
        if self.die[name] == 6 and 1 in dice:
            return False
        lead = max(self.score[e] for e in enemies) - self.score[name]
        if lead >= 3:
            self.state[name] = "broken"
            return False
        if lead >= 1:
            if not self.hit(name) or not self.is_cavalry(name):
                return False
            if self.is_trapped(name):
                self.state[name] = "broken"
                return False
            return True
        if self.is_cavalry(name) and self.units[name]["strength"] > 1:
            self.hit(name)
        return False

    def stagger(self, side, must):
        """Ask in which order units stagger and whether each can."""
        if not must:
            return
        decision, place = self.table.decide(
            side,
            "stagger",
            {
                "order": {
                    "order": must,
                    "each": {"possible": {"one": [True, False]}},
                }
            },
        )
        stuck = read_stagger(decision, must, place)
        for name in must:
            self.state[name] = "broken" if name in stuck else "staggered"

    # Chapter 11, "Resolve Attackers".

    def is_ridden_down(self, name):
        """Outscored by three or more by a defending cavalry unit."""
        for enemy in self.defenders_of(name):
            if not self.is_cavalry(enemy):
                continue
            if self.score[enemy] - self.score[name] < 3:
                continue
            gone = self.state[enemy] == "broken"
            if not gone or self.rulings["broken_cavalry_breaks"]:
                return True
        return False

    def resolve_attacker(self, name):
        """Settle one attacker; tell whether it must stagger."""
        if self.is_ridden_down(name):
            self.state[name] = "broken"
            return False
        enemies = self.defenders_of(name)
        if any(self.state[e] == "in-place" for e in enemies):
            return self.hit(name)
        if self.is_cavalry(name) or self.score[name] % 2 == 1:
            self.hit(name)
        return False

    def play(self):
        """Play the sequence of the chapter; return the result."""
        self.retire()
        self.roll_scores()
        self.reroll()
        self.add_up()
        fighting = [d for d in self.defenders if self.attackers_on(d)]
        must = [d for d in fighting if self.resolve_defender(d)]
        self.stagger("defender", must)
        fighting = [a for a in self.attackers if self.defenders_of(a)]
        must = [a for a in fighting if self.resolve_attacker(a)]
        self.stagger("attacker", must)
        units = {}
        for name, unit in self.units.items():
            units[name] = {
                "state": self.state[name],
                "strength": unit["strength"] - self.disr[name],
                "disr": self.disr[name],
                "score": self.score.get(name),
                "die": self.die.get(name),
                "modifiers": self.modifiers.get(name),
            }
        return {"units": units}


def play(facts, rulings, tables, table):
    """Play a combat as System wants it."""
    return Combat(facts, rulings, table).play()


SYSTEM = System(
    "lasalle2", RULINGS, lambda raw, tables: read_facts(raw), play
)
read_rulings = SYSTEM.read_rulings
resolve = SYSTEM.resolve


if __name__ == "__main__":
    sys.exit(SYSTEM.main(sys.argv))
