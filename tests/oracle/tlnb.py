#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""A second reading of the Library of Napoleonic Battles' combat tables.

It is written from the notes to the combat tables, the card of 2005 and
umpire-rules.7, section 14, alone and shares nothing with librules: the tests
hold the one against the other. It knows no events of the score or change kind
and prints nothing for people. Facts and tables are read by tlnb_facts.py.

resolve(scenario) takes and returns what reading.py says. As a program it reads
one scenario (a file or `-`), writes the output as JSON and exits with 0, or
with 65 and one line on standard error.
"""

import math
import sys
from fractions import Fraction

from reading import (
    Refused,
    System,
    clauses_in,
    read_ids,
    read_one,
    read_some,
    want_kind,
)
from tlnb_facts import (
    BOMBARDMENT_COLUMNS,
    CHARGE_ODDS,
    COVER,
    ODDS,
    SIDES,
    STORMS,
    charge_odds,
    clauses_of,
    odds_of,
    read_facts,
    read_tables,
    value_of,
)

RULINGS = {
    "vedettes_in_exchange": (False, True),
    "damaged_bridge_dr": ("shock", "retreat"),
    "bombarded_in_odds": (True, False),
}


# --- What all kinds use ---


def retreat_of(code):
    """(side, hexes) of Ar, Ar2, Dr and so on, else None."""
    side = {"Ar": "attacker", "Dr": "defender"}.get(code[:2])
    if side is None:
        return None
    return side, int(code[2:] or 1)


def left_of(units):
    """The ids of the units that are not eliminated, as the facts order."""
    return [n for n, unit in units.items() if unit.state != "eliminated"]


def spared_first(units, ids):
    """Order ids: those whom reducing would eliminate are offered last."""
    turns = [
        n
        for n in ids
        if units[n].state == "full" and units[n].reduced_sp is not None
    ]
    return turns + [n for n in ids if n not in turns]


def ask_retreat(table, side, units):
    """Ask who can't retreat and is eliminated."""
    ids = left_of(units)
    decision, place = table.decide(
        side, "retreat", {"eliminated": {"some": ids}}
    )
    lost = read_some(decision, "retreat", "eliminated", ids, place)
    clauses_of(table)("retreat: some can't", lost)
    for name in lost:
        units[name].eliminate()


def ask_flag(table, side, kind):
    """Ask whether a side uses something."""
    decision, place = table.decide(
        side, kind, {"use": {"one": [True, False]}}
    )
    return read_one(decision, kind, "use", (True, False), place)


def ask_reduce(table, count, ids):
    """Ask the attacker for this many different units."""
    decision, place = table.decide(
        "attacker",
        "reduce",
        {"units": {"some": ids, "min": count, "max": count}},
    )
    return read_some(decision, "reduce", "units", ids, place, count, count)


def states(*sides):
    """The states of units, as the results have them."""
    return {n: unit.state for units in sides for n, unit in units.items()}


# --- Attack ---


class Attack:
    """One attack, played through from its start."""

    def __init__(self, facts, rulings, tables, table):
        self.facts = facts
        self.rulings = rulings
        self.tables = tables
        self.table = table
        self.met = clauses_of(table)
        self.units = facts["units"]
        self.stacked = facts["stacked"]
        self.column = None
        self.is_shock = False
        self.totals = None
        self.retreat = None

    def is_wholly_demoralized(self):
        """Tell whether all defenders are demoralized."""
        return all(
            u.is_demoralized() for u in self.units["defender"].values()
        )

    def holds_chateau(self):
        """Tell whether defenders that count hold a chateau."""
        if not self.facts["chateau"]:
            return False
        wholly = self.is_wholly_demoralized()
        self.met("chateau: wholly demoralized", wholly)
        some = any(
            u.is_demoralized() for u in self.units["defender"].values()
        )
        self.met("chateau: partly demoralized", some and not wholly)
        return not wholly

    def is_damaged_bridge(self):
        """Tell whether the attack crosses a damaged bridge."""
        return self.facts["across"] == "damaged-bridge"

    # 1. Odds.

    def find_column(self):
        """The index of the highest column that is not above the odds."""
        attacking = list(self.units["attacker"].values())
        if not self.rulings["bombarded_in_odds"]:
            attacking = [
                u
                for u in attacking
                if not self.met(
                    "odds: artillery that bombarded left out",
                    u.arm == "artillery" and "bombarded" in u.flags,
                )
            ]
        self.met("odds: nothing counts", not attacking)
        fighting = attacking + list(self.units["defender"].values())
        self.met("odds: halved", any("halved" in u.flags for u in fighting))
        odds = odds_of(attacking, self.units["defender"].values())
        fits = [i for i, name in enumerate(ODDS) if value_of(name) <= odds]
        self.met("odds: below 1:5", not fits)
        self.met("odds: above 6:1", odds > 6)
        self.met(
            "odds: exactly a column", odds in [value_of(n) for n in ODDS]
        )
        column = max(fits, default=0)
        self.met("odds: " + ODDS[column])
        return column

    # 2. Shifts.

    def has_combined_arms(self):
        """Tell whether infantry, cavalry and artillery attack together."""
        arms = set()
        for unit in self.units["attacker"].values():
            if unit.arm == "artillery" and "bombarded" in unit.flags:
                continue
            arms.add(unit.arm)
        if not {"infantry", "cavalry", "artillery"} <= arms:
            all_arms = {u.arm for u in self.units["attacker"].values()}
            self.met(
                "arms: not, for the artillery bombarded",
                {"infantry", "cavalry", "artillery"} <= all_arms,
            )
            self.met(
                "arms: not, for a vedette is no cavalry",
                {"infantry", "vedette", "artillery"} <= arms,
            )
            return False
        facts = self.facts
        if facts["terrain"] in COVER:
            self.met("arms: not into " + facts["terrain"])
            return False
        if self.met("arms: not into a position", facts["improved_position"]):
            return False
        if self.met("arms: not into a chateau", self.holds_chateau()):
            return False
        if facts["across"] in ("bridge", "damaged-bridge"):
            self.met("arms: not across " + facts["across"])
            return False
        self.met("arms: combined")
        self.met("arms: against a demoralized chateau", facts["chateau"])
        return True

    def find_shift(self):
        """The sum of all shifts, to the right."""
        facts = self.facts
        if facts["failed_repulse"]:
            self.met("shift: failed repulse")
            self.met(
                "shift: failed repulse and no other",
                bool(facts["napoleon"] or facts["guard"])
                or self.is_damaged_bridge(),
            )
            return -2
        shift = 0
        if self.met("shift: damaged bridge", self.is_damaged_bridge()):
            shift -= 2
        if self.has_combined_arms():
            shift += 1
        way = {"attacker": 1, "defender": -1}
        side = facts["napoleon"]
        if side is not None:
            use = ask_flag(self.table, side, "napoleon-shift")
            self.met("shift: napoleon of %s %s" % (side, use))
            shift += way[side] if use else 0
        for side in SIDES:
            if side in facts["guard"]:
                use = ask_flag(self.table, side, "guard-shift")
                self.met("shift: guard of %s %s" % (side, use))
                self.met("shift: guard of both", len(facts["guard"]) == 2)
                shift += way[side] if use else 0
        return shift

    # 4. Results that become a shock.

    def settle(self, code):
        """What a code of the combat results table becomes."""
        facts = self.facts
        if code in ("Ar*", "Dr*"):
            causes = [
                facts["weather"] in STORMS,
                facts["across"] == "crest",
                facts["terrain"] in COVER,
            ]
            star = code + " "
            self.met(star + "storm", causes == [True, False, False])
            self.met(star + "crest", causes == [False, True, False])
            self.met(star + facts["terrain"], causes == [False, False, True])
            self.met(star + "no storm: " + facts["weather"], not any(causes))
            self.met(star + "plain", not any(causes))
            self.met(
                star + "plain for the damaged bridge",
                any(causes) and self.is_damaged_bridge(),
            )
            if any(causes) and not self.is_damaged_bridge():
                return "Sk"
            code = code[:2]
        if code.startswith("Dr"):
            if self.met("Dr: a chateau", self.holds_chateau()):
                return "Sk"
            if self.is_damaged_bridge():
                ruling = self.rulings["damaged_bridge_dr"]
                self.met("Dr: damaged bridge, " + ruling)
                if ruling == "shock":
                    return "Sk"
        return code

    # 5. Shock.

    def ask_lead(self, side):
        """Ask for the lead unit of a side."""
        units = self.units[side]
        ids = [n for n in units if self.is_overrunning(units[n])]
        self.met("lead: overrunning, %s" % side, bool(ids))
        self.met("lead: any, %s" % side, not ids)
        ids = ids or list(units)
        decision, place = self.table.decide(
            side, "lead", {"unit": {"one": ids}}
        )
        return units[read_one(decision, "lead", "unit", ids, place)]

    @staticmethod
    def is_overrunning(unit):
        """Tell whether a unit is cavalry that overruns."""
        return unit.arm == "cavalry" and "overrunning" in unit.flags

    def lead_value(self, side, lead):
        """The rating of a lead unit, or 1 of artillery alone in its hex."""
        units = self.units[side].values()
        arms = {u.arm for u in units if u.hex == lead.hex}
        if arms == {"artillery"}:
            self.met("shock: artillery alone")
            self.met("shock: artillery alone in one hex of more", any(
                u.hex != lead.hex for u in units))
            self.met(
                "shock: artillery alone, demoralized", lead.is_demoralized()
            )
            return 1
        self.met("shock: artillery not alone leads", lead.arm == "artillery")
        self.met("shock: demoralized lead", "demoralized" in lead.flags)
        self.met("shock: suppressed lead", "suppressed" in lead.flags)
        return lead.rating()

    def shock(self):
        """Settle a shock; return the code of the shock table."""
        leads = {side: self.ask_lead(side) for side in SIDES}
        self.totals = {}
        for side in SIDES:
            die = self.table.roll("shock/%s" % side, 1)[0]
            self.met("shock: die %d" % die)
            value = self.lead_value(side, leads[side]) + (die - 1) // 2
            self.totals[side] = value
        if self.met("shock: at 3:1", ODDS[self.column] == "3:1"):
            self.totals["attacker"] += 1
        row = self.totals["attacker"] - self.totals["defender"]
        self.met("shock: held", not -3 <= row <= 3)
        row = max(-3, min(3, row))
        self.met("shock: row %d" % row)
        self.is_shock = True
        return self.tables["shock"][str(row)]

    # 6. Results.

    def ask_one(self, side):
        """Ask a side for the unit that it reduces, and reduce it."""
        units = self.units[side]
        most = max(u.strength() for u in units.values())
        strongest = [n for n, u in units.items() if u.strength() == most]
        rating = max(u.rating() for u in units.values())
        printed = max(u.initiative for u in units.values())
        ids = [
            n
            for n, u in units.items()
            if n in strongest or u.rating() == rating
        ]
        self.met("1R: the best as printed is not the best now", any(
            u.initiative == printed and n not in ids
            for n, u in units.items()))
        ids = spared_first(units, ids)
        self.met("1R: a choice", len(ids) > 1)
        self.met("1R: strongest is not best", len(ids) > len(strongest))
        self.met("1R: some may not be named", len(ids) < len(units))
        decision, place = self.table.decide(
            side, "reduce", {"unit": {"one": ids}}
        )
        name = read_one(decision, "reduce", "unit", ids, place)
        units[name].reduce(self.table)

    def exchanging(self, side):
        """The units that take part in an exchange: no vedettes."""
        units = self.units[side]
        if self.rulings["vedettes_in_exchange"]:
            self.met("Ex: vedettes count", any(
                u.arm == "vedette" for u in units.values()))
            return units
        combat = {n: u for n, u in units.items() if u.arm != "vedette"}
        self.met("Ex: vedettes do not count", len(combat) < len(units))
        self.met("Ex: vedettes alone", not combat)
        return combat

    def exchange(self):
        """Settle an exchange."""
        worth = {
            side: sum(u.strength() for u in self.exchanging(side).values())
            for side in SIDES
        }
        weaker = min(SIDES, key=lambda side: worth[side])
        if worth["attacker"] == worth["defender"]:
            self.met("Ex: equal")
            for side in SIDES:
                self.lose(side)
            return
        stronger = SIDES[1 - SIDES.index(weaker)]
        self.met("Ex: weaker is " + weaker)
        self.lose(weaker)
        self.met("Ex: weaker has stacked artillery", self.stacked[weaker])
        if worth[weaker] == 0:
            return
        offered = {**self.exchanging(stronger), **self.stacked[stronger]}
        first = [n for n, u in offered.items() if self.is_overrunning(u)]
        option = {
            "rule": "exchange-loss",
            "worth": {n: u.strength() for n, u in offered.items()},
            "first": first,
            "weaker": worth[weaker],
        }
        decision, place = self.table.decide(
            stronger, "exchange-loss", {"units": option}
        )
        want_kind(decision, place, "exchange-loss", ("units",))
        where = place + ".units"
        lost = read_ids(decision["units"], where, offered)
        self.met("Ex: overrunning first", bool(first))
        if set(first) - set(lost) and set(lost) - set(first):
            raise Refused(where, "overrunning cavalry goes first")
        paid = sum(offered[n].strength() for n in lost)
        if 2 * paid < worth[weaker]:
            raise Refused(where, "not worth half of the weaker side")
        self.met("Ex: exactly half", 2 * paid == worth[weaker])
        self.met("Ex: half of an odd strength", 2 * paid == worth[weaker] + 1)
        self.met("Ex: stacked artillery pays", any(
            n in self.stacked[stronger] for n in lost))
        self.met("Ex: overrunning is enough", bool(first) and set(lost) <= set(
            first))
        for name in lost:
            offered[name].eliminate()

    def lose(self, side):
        """Eliminate all of a side that take part in an exchange."""
        for unit in self.exchanging(side).values():
            unit.eliminate()

    def eliminate(self, side):
        """Eliminate all of a side that fights."""
        for unit in self.units[side].values():
            unit.eliminate()

    def apply(self, code):
        """Carry out a final code."""
        if self.is_shock:
            self.met("result: shock " + code)
        self.met("result: " + code)
        if code == "1R":
            for side in SIDES:
                self.ask_one(side)
        elif code in ("Ae", "De"):
            self.eliminate("attacker" if code == "Ae" else "defender")
        elif code == "Ex":
            self.exchange()
        else:
            self.retreat = retreat_of(code)
            side = self.retreat[0]
            ask_retreat(self.table, side, self.units[side])

    # 7. Advance.

    def leaves_a_hex(self, side):
        """Tell whether a side that fought and is gone left a hex empty."""
        stacked = self.stacked[side]
        held = {stacked[n].hex for n in left_of(stacked)}
        fought = {unit.hex for unit in self.units[side].values()}
        self.met("advance: artillery stays in every hex", fought <= held)
        self.met(
            "advance: artillery stays in one hex of more",
            bool(fought & held) and not fought <= held,
        )
        self.met(
            "advance: artillery stays elsewhere",
            bool(held) and not fought & held,
        )
        return not fought <= held

    def must_advance(self):
        """The cavalry that must advance after a shock."""
        if not self.is_shock:
            return []
        left = {side: left_of(self.units[side]) for side in SIDES}
        if self.retreat is not None:
            vacates = [self.retreat[0]]
        else:
            vacates = [
                side
                for side in SIDES
                if not left[side] and self.leaves_a_hex(side)
            ]
        if len(vacates) != 1:
            self.met("advance: no hex is vacated", not vacates)
            self.met("advance: nobody is left", bool(vacates))
            return []
        self.met("advance: all are eliminated", self.retreat is None)
        side = SIDES[1 - SIDES.index(vacates[0])]
        ids = []
        for name, unit in self.units[side].items():
            if name not in left[side]:
                self.met("advance: not eliminated", unit.arm == "cavalry")
                continue
            if unit.arm != "cavalry":
                self.met("advance: no vedette", unit.arm == "vedette")
                continue
            if unit.is_demoralized():
                self.met("advance: not demoralized")
            elif "out_of_supply" in unit.flags:
                self.met("advance: not out of supply")
            elif "out_of_command" in unit.flags:
                self.met("advance: not out of command")
            else:
                self.met("advance: cavalry of %s" % side)
                ids.append(name)
        return ids

    def play(self):
        """Play the attack; return the result."""
        column = self.find_column()
        shift = self.find_shift()
        self.column = max(0, min(len(ODDS) - 1, column + shift))
        self.met("shift: held", self.column != column + shift)
        die = self.table.roll("combat", 1)[0]
        printed = self.tables["crt"][die - 1][self.column]
        self.met("printed: " + printed)
        code = self.settle(printed)
        if code == "Sk":
            if self.is_damaged_bridge():
                self.met("Sk: 1R across a damaged bridge")
                code = "1R"
            else:
                code = self.shock()
        self.apply(code)
        result = {
            "column": ODDS[self.column],
            "shift": shift,
            "table": printed,
            "result": code,
            "retreat": None,
            "must_advance": self.must_advance(),
            "units": states(*self.units.values(), *self.stacked.values()),
        }
        if self.totals is not None:
            result["shock"] = self.totals
        if self.retreat is not None:
            result["retreat"] = dict(zip(("side", "hexes"), self.retreat))
        return result


# --- Bombardment ---


class Bombardment:
    """One bombardment, played through from its start."""

    def __init__(self, facts, tables, table):
        self.facts = facts
        self.tables = tables
        self.table = table
        self.met = clauses_of(table)
        self.target = facts["target"]
        self.is_suppressed = False
        self.retreat = None

    def find_strength(self):
        """The strength after all modifiers, rounded down last."""
        facts = self.facts
        strength = Fraction(0)
        for battery in facts["batteries"]:
            far = self.met("fire: at three hexes", battery["range"] == 3)
            strength += Fraction(battery["sp"], 2 if far else 1)
        if self.met("fire: marsh", facts["terrain"] == "marsh"):
            strength *= Fraction(1, 2)
        if self.met("fire: town", facts["terrain"] == "town"):
            strength *= Fraction(2, 3)
        if facts["weather"] in ("heat", "rain", "t-storm"):
            self.met("fire: " + facts["weather"])
            strength *= Fraction(3, 4)
        if facts["arf"]:
            guns = [u for u in self.target.values() if u.arm == "artillery"]
            self.met("fire: return fire without artillery", not guns)
            self.met("fire: return fire", bool(guns))
            self.met("fire: return fire of the reduced", any(
                u.state == "reduced" for u in guns))
            self.met("fire: return fire of the halved", any(
                "halved" in u.flags for u in guns))
            strength -= Fraction(sum(u.strength() for u in guns), 2)
        self.met("fire: fraction dropped", strength != math.floor(strength))
        self.met("fire: less than nothing", strength < 0)
        return max(0, math.floor(strength))

    def modifier(self):
        """The sum of the modifiers of the die."""
        facts = self.facts
        total = 0
        if self.met("fire die: mud", facts["mud"]):
            total -= 2
        if facts["enfilade"]:
            near = sum(b["range"] < 3 for b in facts["batteries"])
            far = len(facts["batteries"]) - near
            town = facts["terrain"] == "town"
            self.met("fire die: no enfilade alone", near + far < 2)
            self.met("fire die: no enfilade of a town", town and near > 1)
            self.met("fire die: no enfilade at three", near < 2 <= near + far)
            if self.met("fire die: enfilade", near > 1 and not town):
                self.met("fire die: enfilade, and one at three", far > 0)
                total += 1
        if self.met("fire die: ammunition", facts["ammo_shortage"]):
            total -= 2
        if self.met("fire die: grand battery", facts["grand_battery"]):
            total += 1
        if self.met("fire die: point blank", facts["point_blank"]):
            total += 2
        return total

    def convert(self):
        """Ask who tries to convert a retreat; tell whether it did."""
        ids = list(self.target)
        decision, place = self.table.decide(
            "defender", "convert", {"unit": {"one": ids + [None]}}
        )
        name = read_one(decision, "convert", "unit", ids + [None], place)
        if name is None:
            self.met("fire Dr: nobody converts")
            return False
        die = self.table.roll("initiative", 1)[0]
        unit = self.target[name]
        self.met("fire Dr: at the rating", die == unit.rating())
        self.met(
            "fire Dr: fails by being demoralized",
            die == unit.initiative and unit.is_demoralized(),
        )
        passed = die <= unit.rating()
        self.met("fire Dr: converted %s" % passed)
        return passed

    def set_retreat(self):
        """Note that the target retreats one hex."""
        self.retreat = {"side": "defender", "hexes": 1}

    def apply(self, code):
        """Carry out a code of the table; return the final one."""
        self.met("fire: code " + code)
        if code == "S":
            self.is_suppressed = True
        if code == "Dr":
            if self.convert():
                code = "1R"
            else:
                self.set_retreat()
                ask_retreat(self.table, "defender", self.target)
        if code in ("1R", "2R"):
            count = min(int(code[0]), len(self.target))
            self.met("fire: fewer than two units", count < int(code[0]))
            for name in ask_reduce(self.table, count, list(self.target)):
                self.target[name].reduce(self.table)
            if left_of(self.target):
                use = ask_flag(self.table, "defender", "retreat-option")
                self.met("fire: retreat option %s" % use)
                if use:
                    self.set_retreat()
            else:
                self.met("fire: nobody left for the option")
        if code == "1E":
            ids = [n for n, u in self.target.items() if u.arm != "vedette"]
            spared = len(self.target) - len(ids)
            self.met("fire: 1E, vedettes spared", ids and spared)
            self.met("fire: 1E, only vedettes", not ids)
            if ids:
                for name in ask_reduce(self.table, 1, ids):
                    self.target[name].eliminate()
        return code

    def play(self):
        """Play the bombardment; return the result."""
        strength = self.find_strength()
        column = None
        code = "-"
        if strength >= 1:
            fits = [
                i
                for i, (low, _) in enumerate(BOMBARDMENT_COLUMNS)
                if low <= strength
            ]
            column = BOMBARDMENT_COLUMNS[fits[-1]][1]
            self.met("fire: column " + column)
            die = self.table.roll("bombardment", 1)[0] + self.modifier()
            row = max(-1, min(7, die))
            self.met("fire: held", row != die)
            self.met("fire: row %d" % row)
            code = self.apply(self.tables["bombardment"][str(row)][fits[-1]])
        else:
            self.met("fire: below 1")
        return {
            "strength": strength,
            "column": column,
            "result": code,
            "suppressed": self.is_suppressed,
            "retreat": self.retreat,
            "units": states(self.target),
        }


# --- Charge ---


def play_charge(facts, tables, table):
    """Play a charge; return the result."""
    met = clauses_of(table)
    cavalry, target = facts["cavalry"], facts["target"]
    odds = charge_odds(facts)
    fits = [i for i, n in enumerate(CHARGE_ODDS) if value_of(n) <= odds]
    met("charge: above 1:1", odds > 1)
    met("charge: column " + CHARGE_ODDS[fits[0]])
    die = table.roll("charge", 1)[0]
    if facts["weather"] in ("heat", "snow") + STORMS:
        met("charge: +1 for " + facts["weather"])
        die += 1
    else:
        met("charge: nothing for " + facts["weather"])
    met("charge: held", die > 6)
    code = tables["charge"][min(6, die) - 1][fits[0]]
    met("charge: code " + code)
    target_move = None
    if code.startswith("Ae"):
        for unit in cavalry.values():
            unit.eliminate()
        target_move = int(code[2:]) if code[2:] else None
    if code.startswith("Pr"):
        wanted = int(code[2:] or 0)
        count = min(wanted, len(cavalry))
        met("charge: all of them, and fewer than Prn says", count < wanted)
        if count:
            ids = spared_first(cavalry, list(cavalry))
            for name in ask_reduce(table, count, ids):
                cavalry[name].reduce(table)
    return {
        "column": CHARGE_ODDS[fits[0]],
        "table": code,
        "overrun": code == "OR",
        "target_move": target_move,
        "marker": "square" if code.startswith("Pr") else "charge",
        "units": states(cavalry, target),
    }


def play(facts, rulings, tables, table):
    """Play a combat as System wants it."""
    if facts["kind"] == "attack":
        return Attack(facts, rulings, tables, table).play()
    if facts["kind"] == "bombardment":
        return Bombardment(facts, tables, table).play()
    return play_charge(facts, tables, table)


SYSTEM = System(
    "tlnb", RULINGS, read_facts, play, read_tables, clauses_in(__file__)
)
resolve = SYSTEM.resolve


if __name__ == "__main__":
    sys.exit(SYSTEM.main(sys.argv))
