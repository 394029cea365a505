#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""A second reading of Old Wargame Rules (P. Leniston, 2009), rules 9-13, 17.

It is written from the rules and umpire-rules.7 alone and shares nothing with
librules: the tests hold the one against the other. reading.py says what it
takes and gives.
"""

import sys

from reading import (
    Refused,
    SIDES,
    System,
    read_one,
    want_bool,
    want_id,
    want_int,
    want_members,
    want_one,
)

GRADES = ("A", "B", "C")
STATES = ("formed", "disordered", "shaken", "rout")
FORMED = ("melee", "firefight", "skirmish")  # where a formation counts
FORMATIONS = ("line", "column", "square")
ORDERS = ("attack", "engage", "hold", "retire")
POSITIONS = ("open", "bua", "woods")
FLAGS = {
    "general_attached": 1,
    "supports_within_4": 1,
    "in_bua": 1,
    "behind_formed_supports": 1,
    "no_general_within_8": -1,
    "no_supports_within_8": -1,
    "rout_within_4": -1,
    "routed_through": -1,
    "pursuit": -1,
}
RULINGS = {
    "firefight_square": (-2, -1, -3),
    "equal_factors": ("attacker", "defender"),
    "skirmish_morale": ("any", "new"),
}
# Which orders of the attacker allow a rule, and against which positions.
RULES = {
    "melee": (("attack",), ("open",)),
    "firefight": (("engage", "hold"), ("open",)),
    "skirmish": (("engage", "hold"), POSITIONS),
    "bua-inside": (("attack", "engage"), ("bua", "woods")),
    "bua-edge": (("attack",), ("bua",)),
}
WORST = 6  # casualties that rout a brigade of infantry

# The rows of the table: up to which total, then for the side with the higher
# factors and for the other what becomes of it, and casualties.
TABLE = (
    (3, ("rout", 3), (None, 1)),
    (5, ("retires", 2), (None, 1)),
    (7, ("disordered", 1), ("disordered", 1)),
    (9, (None, 1), ("retires", 2)),
    (99999, (None, 1), ("rout", 3)),
)

CLAUSES = (
    [
        "%s: %s" % (rule, reason)
        for rule, reasons in (
            ("melee", "class-a class-c better-skirmishers better-firepower "
             "line-v-column outnumbered casualties disordered shaken"),
            ("firefight", "fire-a fire-c better-skirmishers line-v-column "
             "outnumbered square casualties disordered shaken"),
            ("bua-inside", "class-a class-c skirmish-a skirmish-b skirmish-c "
             "casualties disordered shaken"),
            ("bua-edge", "class-a class-c garrison outnumbered casualties "
             "disordered shaken"),
            ("skirmish", "skirmish-a skirmish-b skirmish-c outnumbered square "
             "enemy-artillery enemy-in-cover casualties disordered shaken"),
        )
        for reason in reasons.split()
    ]
    + [
        "%s: row %s" % (rule, row)
        for rule in ("melee", "firefight", "bua-inside", "bua-edge")
        for row in ("3", "5", "7", "9", "99999")
    ]
    + [
        "%s: %s" % (rule, word)
        for rule in ("melee", "firefight", "bua-inside", "bua-edge")
        for word in ("equal, attacker rolls", "equal, defender rolls",
                     "attacker higher", "defender higher")
    ]
    + ["firefight: square at %d" % value for value in (-1, -2, -3)]
    + ["morale: %s" % flag for flag in FLAGS]
    + [
        "bua-inside: follows the edge, disordered",
        "bua-inside: another round, disordered",
        "firefight: leaves a side unmarked",
        "hand to hand: disorders an unmarked side",
        "hand to hand: an unmarked side is shaken already",
        "a state does not improve: shaken, disordered by the table",
        "retires: routed by six casualties instead",
        "six casualties: by the table, unmarked",
        "six casualties: more than six",
        "skirmish: not hit, with casualties: any",
        "skirmish: not hit, with casualties: new",
        "skirmish: orders left out, accepted",
        "skirmish: attack orders, not asked",
        "skirmish: engage orders, asked",
        "skirmish: hold orders, asked",
        "skirmish: retire orders, not asked",
        "skirmish: accepted",
        "skirmish: not accepted",
        "skirmish: both hit",
        "skirmish: attacker hit alone",
        "skirmish: defender hit alone",
        "skirmish: nobody hit",
        "skirmish: hit at exactly 6",
        "skirmish: six casualties, no test",
        "skirmish: score below 1",
        "morale: class A",
        "morale: class C",
        "morale: disordered",
        "morale: shaken",
        "morale: pursuit on top of disordered",
        "morale: passes at exactly 3",
        "morale: 2, shaken",
        "morale: 1, shaken",
        "morale: 0, rout",
        "morale: below 0, rout",
        "morale: passes, shaken stays",
        "morale: no flags",
    ]
)


# --- Facts (umpire-rules.7, facts of leniston-2009) ---


def read_brigade(raw, place):
    """Read one brigade, every optional member filled in."""
    want_members(
        raw,
        place,
        ("id", "class", "fire", "skirmish"),
        ("arm", "casualties", "state", "formation", "orders", "position",
         "outnumbered", "skirmished", "garrison", "deployed_artillery",
         "morale"),
    )
    brigade = {"id": want_id(raw["id"], place + ".id")}
    for key in ("class", "fire", "skirmish"):
        brigade[key] = want_one(raw[key], "%s.%s" % (place, key), GRADES)
    for key, choices in (
        ("arm", ("infantry",)),
        ("state", STATES),
        ("position", POSITIONS),
    ):
        where = "%s.%s" % (place, key)
        brigade[key] = want_one(raw.get(key, choices[0]), where, choices)
    for key, choices in (("orders", ORDERS), ("formation", FORMATIONS)):
        brigade[key] = None
        if key in raw:
            where = "%s.%s" % (place, key)
            brigade[key] = want_one(raw[key], where, choices)
    for key in ("outnumbered", "skirmished", "garrison", "deployed_artillery"):
        where = "%s.%s" % (place, key)
        brigade[key] = want_bool(raw.get(key, False), where)
    casualties = want_int(raw.get("casualties", 0), place + ".casualties")
    brigade["casualties"] = casualties
    if casualties >= WORST:
        raise Refused(place + ".casualties", "six casualties rout")
    if brigade["state"] == "rout":
        raise Refused(place + ".state", "a routing brigade does not fight")
    where = place + ".morale"
    flags = raw.get("morale", {})
    want_members(flags, where, (), tuple(FLAGS))
    brigade["morale"] = {
        name
        for name, value in flags.items()
        if want_bool(value, "%s.%s" % (where, name))
    }
    return brigade


def read_facts(raw, tables):
    """Read the facts of a combat, or refuse them."""
    want_members(
        raw,
        "combat",
        ("rule", "attacker", "defender"),
        ("follows_edge", "follows_inside"),
    )
    rule = want_one(raw["rule"], "combat.rule", tuple(RULES))
    follows = want_bool(
        raw.get("follows_edge", False), "combat.follows_edge"
    )
    again = want_bool(
        raw.get("follows_inside", False), "combat.follows_inside"
    )
    if follows and again:
        raise Refused("combat.follows_inside", "the last fight was one only")
    facts = {"rule": rule, "follows": follows, "again": again}
    for side in SIDES:
        facts[side] = read_brigade(raw[side], "combat." + side)
    attacker, defender = facts["attacker"], facts["defender"]
    if attacker["id"] == defender["id"]:
        raise Refused("combat.defender.id", "used twice")
    if attacker["state"] != "formed":
        inside = (follows or again) and rule == "bua-inside"
        if not inside or attacker["state"] != "disordered":
            raise Refused("combat.attacker.state", "attacks unformed")
    if attacker["garrison"]:
        raise Refused("combat.attacker.garrison", "a garrison attacks")
    if attacker["outnumbered"] and defender["outnumbered"]:
        raise Refused("combat", "both are outnumbered")
    orders, positions = RULES[rule]
    if attacker["orders"] not in orders:
        raise Refused("combat.attacker.orders", "do not allow the rule")
    if defender["position"] not in positions:
        raise Refused("combat.defender.position", "not against this rule")
    if rule == "firefight" and attacker["skirmished"]:
        raise Refused("combat.attacker.skirmished", "skirmished already")
    if rule == "skirmish" and not is_above(
        attacker["skirmish"], defender["skirmish"]
    ):
        raise Refused("combat.attacker.skirmish", "no better skirmishers")
    for side in SIDES:
        silent = (
            rule == "skirmish"
            and side == "defender"
            and defender["orders"] in ("attack", "retire")
        )
        if rule in FORMED and not silent and not facts[side]["formation"]:
            raise Refused("combat." + side, "the formation counts here")
    return facts


def is_above(grade, other):
    """Tell whether a grade is better than another."""
    return GRADES.index(grade) < GRADES.index(other)


def worse(state, other):
    """The worse of two states."""
    return max(state, other, key=STATES.index)


# --- Combat factors ---


def by_grade(grade, word):
    """+1 for A, -1 for C."""
    if grade == "B":
        return {}
    return {"%s-%s" % (word, grade.lower()): 1 if grade == "A" else -1}


def factors(rule, own, enemy, square):
    """The factors of a brigade by reason; square: in a firefight."""
    found = {}
    if rule in ("melee", "bua-inside", "bua-edge"):
        found.update(by_grade(own["class"], "class"))
    if rule == "firefight":
        found.update(by_grade(own["fire"], "fire"))
    if rule in ("bua-inside", "skirmish"):
        value = 1 - GRADES.index(own["skirmish"])
        if rule == "skirmish":
            value += 2
        found["skirmish-" + own["skirmish"].lower()] = value
    if rule in ("melee", "firefight"):
        if is_above(own["skirmish"], enemy["skirmish"]):
            found["better-skirmishers"] = 1
        if own["formation"] == "line" and enemy["formation"] == "column":
            found["line-v-column"] = 2
    if rule == "melee" and is_above(own["fire"], enemy["fire"]):
        found["better-firepower"] = 1
    if rule == "bua-edge" and own["garrison"]:
        found["garrison"] = 2
    if own["outnumbered"] and rule != "bua-inside":
        found["outnumbered"] = -1 if rule == "skirmish" else -2
    if own["formation"] == "square":
        if rule == "firefight":
            found["square"] = square
        elif rule == "skirmish":
            found["square"] = -1
    if rule == "skirmish":
        if enemy["deployed_artillery"]:
            found["enemy-artillery"] = -1
        if enemy["position"] != "open":
            found["enemy-in-cover"] = -1
    if own["casualties"]:
        found["casualties"] = -own["casualties"]
    found.update(
        {"disordered": {"disordered": -1}, "shaken": {"shaken": -2}}.get(
            own["state"], {}
        )
    )
    return found


# --- The combat ---


class Combat:
    """One combat, played through from its start."""

    def __init__(self, facts, rulings, table):
        self.facts = facts
        self.rule = facts["rule"]
        self.rulings = rulings
        self.table = table
        self.brigades = {side: facts[side] for side in SIDES}
        self.casualties = {s: facts[s]["casualties"] for s in SIDES}
        self.state = {s: facts[s]["state"] for s in SIDES}
        self.factors = {}
        for side, enemy in (SIDES, SIDES[::-1]):
            found = factors(
                self.rule, facts[side], facts[enemy],
                rulings["firefight_square"],
            )
            self.factors[side] = sum(found.values())
            for reason in found:
                self.meet(reason)
            if self.rule == "firefight" and "square" in found:
                self.meet("square at %d" % found["square"])

    def meet(self, what):
        """Say that a clause of the combat's rule was met."""
        self.table.meet("%s: %s" % (self.rule, what))

    def play(self):
        """Play the rule; return the result."""
        if self.rule == "skirmish":
            return self.skirmish()
        return self.fight()

    # Rules 9, 10, 12 and 13.

    def fight(self):
        """Roll on the table."""
        if self.state["attacker"] == "disordered":
            if self.facts["follows"]:
                self.meet("follows the edge, disordered")
            else:
                self.meet("another round, disordered")
        lead = self.factors["attacker"] - self.factors["defender"]
        if lead == 0:
            higher = self.rulings["equal_factors"]
            self.meet("equal, %s rolls" % higher)
        else:
            higher = "attacker" if lead > 0 else "defender"
            self.meet(higher + " higher")
        lower = SIDES[1 - SIDES.index(higher)]
        total = sum(self.table.roll("combat", 2)) + abs(lead)
        row = next(row for row in TABLE if total <= row[0])
        self.meet("row %d" % row[0])
        retires = {}
        for side, (mark, casualties) in ((higher, row[1]), (lower, row[2])):
            retires[side] = self.suffer(side, mark, casualties)
        units = {}
        for side, brigade in self.brigades.items():
            units[brigade["id"]] = {
                "casualties": self.casualties[side],
                "state": self.state[side],
                "retires": retires[side],
            }
        return {
            "units": units,
            "total": total,
            "higher": self.brigades[higher]["id"],
            "factors": {
                self.brigades[side]["id"]: self.factors[side]
                for side in SIDES
            },
        }

    def suffer(self, side, mark, casualties):
        """What the table makes of a side; return how far it retires."""
        before = self.state[side]
        self.casualties[side] += casualties
        if mark is None and self.rule == "firefight":
            self.meet("leaves a side unmarked")
        elif mark is None:
            self.state[side] = worse(before, "disordered")
            self.table.meet("hand to hand: %s" % (
                "an unmarked side is shaken already" if before == "shaken"
                else "disorders an unmarked side"))
        else:
            if mark == "disordered" and before == "shaken":
                self.table.meet("a state does not improve: shaken, "
                                "disordered by the table")
            new = "shaken" if mark == "retires" else mark
            self.state[side] = worse(before, new)
        if self.casualties[side] >= WORST:
            self.state[side] = "rout"
            if self.casualties[side] > WORST:
                self.table.meet("six casualties: more than six")
            if mark == "retires":
                self.table.meet("retires: routed by six casualties instead")
            if mark is None:
                self.table.meet("six casualties: by the table, unmarked")
        if mark == "retires" and self.state[side] != "rout":
            return 4
        return 0

    # Rule 11.

    def skirmish(self):
        """Skirmish, and perhaps back; then morale."""
        stated = self.facts["defender"]["orders"]
        back = False
        if (stated or "hold") in RULES["skirmish"][0]:
            decision, place = self.table.decide(
                "defender", "skirmish-back",
                {"accept": {"one": [False, True]}},
            )
            back = read_one(
                decision, "skirmish-back", "accept", (False, True), place
            )
            self.meet("accepted" if back else "not accepted")
            if stated:
                self.meet(stated + " orders, asked")
            elif back:
                self.meet("orders left out, accepted")
        else:
            self.meet(stated + " orders, not asked")
        hit = {"attacker": False, "defender": False}
        for side in SIDES if back else SIDES[:1]:
            name = self.brigades[side]["id"]
            score = self.table.roll("skirmish/%s" % name, 1)[0]
            score += self.factors[side]
            if score == 6:
                self.meet("hit at exactly 6")
            if score < 1:
                self.meet("score below 1")
            hit[SIDES[1 - SIDES.index(side)]] = score >= 6
        self.meet({
            (True, True): "both hit",
            (True, False): "attacker hit alone",
            (False, True): "defender hit alone",
            (False, False): "nobody hit",
        }[hit["attacker"], hit["defender"]])
        for side in SIDES:
            self.casualties[side] += hit[side]
        units = {}
        for side, brigade in self.brigades.items():
            unit = {}
            tests = hit[side]
            if not hit[side] and self.casualties[side]:
                ruling = self.rulings["skirmish_morale"]
                tests = ruling == "any"
                self.meet("not hit, with casualties: " + ruling)
            if tests and self.casualties[side] < WORST:
                unit["morale"] = self.test_morale(side)
            elif tests:
                self.meet("six casualties, no test")
                self.state[side] = "rout"
            unit["casualties"] = self.casualties[side]
            unit["state"] = self.state[side]
            units[brigade["id"]] = unit
        return {"units": units}

    # Rule 17.

    def test_morale(self, side):
        """Test the morale of a brigade; its state may get worse."""
        brigade = self.brigades[side]
        state = self.state[side]
        total = self.table.roll("morale/%s" % brigade["id"], 1)[0]
        total += 1 - GRADES.index(brigade["class"])
        if brigade["class"] != "B":
            self.table.meet("morale: class " + brigade["class"])
        total -= self.casualties[side]
        total -= {"disordered": 1, "shaken": 2}.get(state, 0)
        if state != "formed":
            self.table.meet("morale: " + state)
        if not brigade["morale"]:
            self.table.meet("morale: no flags")
        for flag in brigade["morale"]:
            if flag == "pursuit" and state == "disordered":
                self.table.meet("morale: pursuit on top of disordered")
                continue
            self.table.meet("morale: " + flag)
            total += FLAGS[flag]
        if total >= 3:
            result = "pass"
            if total == 3:
                self.table.meet("morale: passes at exactly 3")
            if state == "shaken":
                self.table.meet("morale: passes, shaken stays")
        elif total >= 1:
            result = "shaken"
            self.table.meet("morale: %d, shaken" % total)
        else:
            result = "rout"
            self.table.meet(
                "morale: 0, rout" if total == 0 else "morale: below 0, rout"
            )
        if result != "pass":
            self.state[side] = worse(state, result)
        return {"total": total, "result": result}


def play(facts, rulings, tables, table):
    """Play a combat as System wants it."""
    return Combat(facts, rulings, table).play()


SYSTEM = System(
    "leniston-2009", RULINGS, read_facts, play, clauses=CLAUSES
)
resolve = SYSTEM.resolve


if __name__ == "__main__":
    sys.exit(SYSTEM.main(sys.argv))
