# SPDX-License-Identifier: ISC
"""The rule systems as a record needs them (umpire-record.7 S2, S5, S6.1).

A Book keeps what a game must know of its system: the facts of a combat, and
what its result and the upkeep change. The book of lasalle2 keeps the rosters
whole; those of imagi-nations and leniston-2009 start from the rosters too and
know the upkeep. The other books take the roster's fields from the event
`combat`, which says the facts complete, and hold against it only what was
declared.
"""

import copy

import imaginations
import invasion1812
import lasalle2
import leniston2009
import reading
import tlnb
from record_form import (
    Bad,
    Unknown,
    compact,
    is_int,
    is_list,
    is_object,
    is_same,
    is_text,
    want,
)
from record_muster import Muster
from record_orders import is_id
from record_parts import (
    merge_units,
    read_roster,
    read_roster_unit,
    read_sides,
)

MODULES = {
    "imagi-nations": imaginations,
    "invasion-1812": invasion1812,
    "lasalle2": lasalle2,
    "leniston-2009": leniston2009,
    "tlnb": tlnb,
}
MAX_SIDE = 64
MAX_NAME = 64  # bytes
MAX_CONTACTS = 256
REST_SIDES = 3
RALLY_SIDES = 6


def deep(value, *path):
    """Look up a path in objects; None where there is none."""
    for key in path:
        if not is_object(value):
            return None
        value = value.get(key)
    return value


def place_unit(system, combat):
    """The id that a combat's place names (S6.1)."""
    if system == "lasalle2":
        units = deep(combat, "defenders")
    elif system == "invasion-1812":
        units = deep(combat, "defender", "stack", "units")
        units = units or deep(combat, "defender", "stack", "commanders")
    elif system == "leniston-2009":
        units = [deep(combat, "defender")]
    elif system == "imagi-nations":
        units = deep(combat, "defender", "units")
    elif system == "tlnb":
        units = deep(combat, "defenders") or deep(combat, "target")
        if is_object(units):
            units = units.get("units")
    else:
        raise Unknown("a combat of %s" % system)
    want(is_list(units) and units, "a combat without defenders")
    for raw in units:
        want(is_object(raw) and is_text(raw.get("id")), "a unit without an id")
    return min((raw["id"] for raw in units), key=lambda i: i.encode())


def covers(have, told):
    """Tell whether complete facts say what was declared."""
    if is_object(told):
        return is_object(have) and all(
            key in have and covers(have[key], value)
            for key, value in told.items()
        )
    if is_list(told) and is_list(have) and len(told) == len(have):
        if all(map(is_text, told)) and all(map(is_text, have)):
            return sorted(told) == sorted(have)
        return all(map(covers, have, told))
    return is_same(have, told)


def nameless(value):
    """Copy facts without the names that the rosters bring in."""
    if is_object(value):
        return {k: nameless(v) for k, v in value.items() if k != "name"}
    if is_list(value):
        return [nameless(item) for item in value]
    return value


class RecordTable(reading.Table):
    """A table whose secret questions are asked of both sides at once (S2).

    opened, (side, decision), is the first of two choices to be opened: it is
    checked, and the questions stay open.
    """

    opened = None
    answer = None  # answers questions that nobody decides, or gives None

    def take(self, side, kind, options):
        """Take the next decision, or the one of a standing order."""
        if self.used == len(self.decisions) and self.answer is not None:
            made = self.answer(side, kind, options, self.used)
            if made is not None:
                self.log.append(
                    {"e": "ask", "side": side, "kind": kind,
                     "options": options}
                )
                self.decisions.append(made)
        return super().take(side, kind, options)

    def decide_secret(self, kind, attacker, defender, check):
        """Take both decisions, or ask for both."""
        if self.opened is not None and self.used == len(self.decisions):
            check(*self.opened, "decision")
        if self.used == len(self.decisions):
            for side, options in zip(reading.SIDES, (attacker, defender)):
                self.log.append(
                    {"e": "ask", "side": side, "kind": kind,
                     "options": options}
                )
            raise reading.Pending("attacker", kind, attacker)
        return super().decide_secret(kind, attacker, defender, check)


# --- Books ---


def ids_in(value):
    """Yield the ids of all units and commanders in facts."""
    if is_object(value):
        if is_text(value.get("id")):
            yield value["id"]
        value = list(value.values())
    if is_list(value):
        for item in value:
            yield from ids_in(item)


class Book:
    """What a game of a system keeps; the roster's fields are not checked."""

    has_parts = False  # units have parts with ids of their own

    def __init__(self, args, blobs):
        self.name = args["system"]
        self.system = MODULES[self.name].SYSTEM
        self.bag = None
        self.muster = None  # who is in the rosters: open_book()
        tables = {}
        for blob in blobs:
            if blob["blob"] == "bag":
                want(set(blob) == {"blob", "bag"} and is_list(blob["bag"]),
                     "a bag of another form")
                self.bag = blob["bag"]
                continue
            want(blob["blob"] == "tables" and is_object(blob.get("tables")),
                 "a blob that holds no tables")
            tables.update(blob["tables"])
        try:
            self.rulings = self.system.read_rulings(args["rulings"])
            self.tables = self.system.read_tables(tables)
        except reading.Refused as e:
            raise Bad(str(e)) from None

    def read_facts(self, raw):
        """Read facts that are complete."""
        return self.system.read_facts(nameless(raw), self.tables)

    # What is kept of the rosters, for takebacks and adjustments.

    def save_all(self):
        """Copy what lines change, and who is there."""
        return self.muster.save(), self.save()

    def load_all(self, saved):
        """Go back to what was copied."""
        self.muster.load(saved[0])
        self.load(saved[1])

    def save(self):
        """Copy what lines change."""

    def load(self, saved):
        """Go back to what was copied."""

    def entries(self, units):
        """Copy the roster's entries of the units of an adjustment."""
        return [
            self.muster.state(unit["id"]) + (
                self.entry(unit["id"])
                if self.muster.is_there(unit["id"]) else None,
            )
            for unit in units
        ]

    def adjust(self, units, carry_out=False):
        """Check an adjustment, and carry it out."""
        self.muster.check(units)
        for told in units:
            if "joins" in told:
                fields = {k: v for k, v in told.items()
                          if k not in ("joins", "side")}
                self.join(told["joins"], told["side"], fields, carry_out)
            elif "gone" in told:
                if carry_out:
                    self.leave(told["id"], told.get("out"))
            else:
                want(self.changed(told, carry_out) is not False,
                     "an adjustment that changes nothing")
        if carry_out:
            self.muster.carry_out(units)

    def entry(self, name):
        """Copy the entry of a unit or commander; None: not known here."""

    def changed(self, told, carry_out):
        """Check a change, and carry it out; tell whether it changes.

        None: not known here.
        """

    def join(self, where, side, fields, carry_out):
        """Check what joins a list, and let it; its fields may not be known."""

    def leave(self, name, why):
        """Let a unit go for good."""

    def facts(self, declared, mine, events):
        """Return the complete facts of a declaration."""
        want(events and events[0]["e"] == "combat", "no combat event first")
        raw = {k: v for k, v in events[0].items() if k != "e"}
        want(covers(raw, declared), "the combat event differs from the order")
        self.check_facts(raw)
        if not self.has_parts:
            for name in ids_in(raw):
                self.muster.want_in_play(name)
        return raw

    def check_facts(self, raw):
        """Facts must be lawful."""
        try:
            self.read_facts(raw)
        except reading.Refused as e:
            raise Bad(str(e)) from None

    def check_event(self, event, raw):
        """Check the event `combat`; here the facts were taken from it."""

    def run(self, raw, table):
        """Play a combat; return its result."""
        return self.system.run(
            self.read_facts(raw), self.rulings, self.tables, table
        )

    def write_back(self, result, facts):
        """Change the rosters as a result of a combat says."""

    def upkeep(self, side, args):
        """Check an upkeep order: the rolls (label, count, sides) it asks."""
        return None

    def do_upkeep(self, args, rolls):
        """Carry an upkeep order out: the event, None where unknown."""
        return None

    def end_turn(self):
        """End the turn of a side."""

    def end_round(self):
        """End a round: its events in any order, None where unknown."""
        return None


class LasalleBook(Book):
    """Lasalle: the rosters are kept whole."""

    def __init__(self, args, blobs, roster):
        super().__init__(args, blobs)
        self.roster = read_roster(roster, self.name)

    def read_facts(self, raw):
        """Read facts that are complete."""
        return lasalle2.read_facts(raw)

    def save(self):
        """Copy what lines change."""
        return copy.deepcopy(self.roster)

    def load(self, saved):
        """Go back to what was copied."""
        self.roster = copy.deepcopy(saved)

    def unit(self, name):
        """The entry of a unit."""
        for units in self.roster.values():
            if name in units:
                return units[name]
        raise Bad("%r is not in the roster" % name)

    def entry(self, name):
        """Copy the entry of a unit."""
        return copy.deepcopy(self.unit(name))

    def changed(self, told, carry_out):
        """Check a change, and carry it out; tell whether it changes."""
        entry = self.unit(told["id"])
        new = {**entry["fields"], **told}
        gone = new.pop("out", entry["gone"])
        want(gone is None or is_id(gone), "adjust: out is wrong")
        check = dict(new)
        if gone is not None and is_same(new.get("strength"), 0):
            check["strength"] = 1
        read_roster_unit(check)
        changes = gone != entry["gone"] or not is_same(
            with_defaults(new), with_defaults(entry["fields"])
        )
        if carry_out:
            entry["fields"], entry["gone"] = new, gone
        return changes

    def join(self, where, side, fields, carry_out):
        """Check what joins a list, and let it."""
        unit = read_roster_unit(fields)
        if carry_out:
            self.roster[side][fields["id"]] = unit

    def leave(self, name, why):
        """Let a unit go for good."""
        entry = self.unit(name)
        entry["gone"] = why or entry["gone"] or "gone"

    def facts(self, declared, mine, events):
        """Merge the rosters into the facts."""
        raw = dict(declared)
        for name, side in (("attackers", mine), ("defenders", 3 - mine)):
            raw[name] = merge_units(
                declared.get(name), self.roster[side], name
            )
        for name, limit in (
            ("attackers", MAX_SIDE),
            ("defenders", MAX_SIDE),
            ("contacts", MAX_CONTACTS),
        ):
            want(is_list(raw.get(name)), "combat: %s are no array", name)
            want(len(raw[name]) <= limit, "combat: too many %s", name)
        self.check_facts(raw)
        return raw

    def check_event(self, event, raw):
        """The event must hold the facts complete, the roster merged in."""
        held = {k: v for k, v in event.items() if k != "e"}
        try:
            facts = lasalle2.read_facts(held)
        except reading.Refused as e:
            raise Bad("the combat event: %s" % e) from None
        ours = lasalle2.read_facts(raw)
        for side in ("attackers", "defenders"):
            want(list(facts[side]) == list(ours[side]),
                 "the combat event has other %s", side)
            for name, unit in facts[side].items():
                if unit["name"] is None:
                    unit["name"] = ours[side][name]["name"]
        want(facts == ours, "the combat event differs from the facts")

    def write_back(self, result, facts):
        """Change strengths; units that broke or retired are gone."""
        for units in self.roster.values():
            for name, end in result["units"].items():
                if name not in units:
                    continue
                units[name]["fields"]["strength"] = end["strength"]
                if end["state"] in ("broken", "retired"):
                    units[name]["gone"] = end["state"]

    def upkeep(self, side, args):
        """Lasalle has no upkeep."""
        raise Bad("lasalle2 has no upkeep")

    def end_round(self):
        """Lasalle has no upkeep."""
        return []


def with_defaults(fields):
    """The fields of a unit of lasalle2, all said."""
    return {"traits": [], "shaken": False, **fields}


ROSTER_DEFAULTS = {
    "arm": "infantry",
    "commander": 0,
    "fatigue": 0,
    "disordered": False,
    "morale": 4,
}


# What the game keeps of a unit of imagi-nations.
KEPT = {"lead_free": 0, "tried": None, "next_lead": None}


def read_kept(told):
    """Read what an adjustment says of it."""
    free, tried = told.get("lead_free", 0), told.get("tried")
    want(is_int(free) and free in (0, 1), "adjust: lead_free")
    want(tried in (None, "rally", "recover"), "adjust: tried")
    lead = told.get("next_lead", "")
    want(is_text(lead) and len(lead.encode()) <= MAX_NAME,
         "adjust: next_lead")
    return told


def read_imaginations_unit(raw):
    """Read a unit of a roster that a player gives; a copy, all said."""
    unit = copy.deepcopy({**ROSTER_DEFAULTS, **raw})
    want(is_list(unit.get("battalions")), "roster: battalions")
    for battalion in unit["battalions"]:
        want(is_object(battalion), "roster: a battalion")
        battalion.setdefault("hits", 0)
    try:
        imaginations.Unit(unit, "roster", set())
    except reading.Refused as e:
        raise Bad(str(e)) from None
    want("retreat_room" not in raw, "roster: retreat_room")
    return unit


class ImaginationsBook(Book):
    """Imagi-Nations: units with their battalions; rest, rally, lead."""

    has_parts = True

    def __init__(self, args, blobs, roster):
        super().__init__(args, blobs)
        try:
            self.chits = imaginations.default_bag()
            if self.bag is not None:
                self.chits = imaginations.read_bag(self.bag, "bag")
        except reading.Refused as e:
            raise Bad(str(e)) from None
        self.units = {}
        self.sides = {}
        self.out = {}  # unit -> why it is out of play
        self.kept = {}  # unit -> what the game keeps of it: KEPT
        for side, units in read_sides(roster, self.name).items():
            for raw in units:
                unit = read_imaginations_unit(raw)
                want(unit["id"] not in self.units, "roster: an id twice")
                self.units[unit["id"]] = unit
                self.sides[unit["id"]] = side

    def facts(self, declared, mine, events):
        """Hold the event against the rosters, too."""
        raw = super().facts(declared, mine, events)
        want("bag" not in declared, "the bag is the game's")
        for side, number in (("attacker", mine), ("defender", 3 - mine)):
            for unit in raw[side]["units"]:
                name = unit["id"]
                want(self.sides.get(name) == number,
                     "%r is not in the roster", name)
                held = dict(unit)
                held.pop("retreat_room", None)
                want(is_same(held, self.units[name]),
                     "%r differs from the roster", name)
                want(self.has_strength(name), "%r is destroyed", name)
                want(self.out.get(name) is None, "%r is out", name)
        want("bag" in raw, "the combat event has no bag")
        want(imaginations.read_bag(raw["bag"], "bag") == self.chits,
             "the combat event has another bag")
        return raw

    def save(self):
        """Copy what lines change."""
        return copy.deepcopy((self.units, self.out, self.kept))

    def load(self, saved):
        """Go back to what was copied."""
        self.units, self.out, self.kept = copy.deepcopy(saved)

    def keeps(self, name):
        """What the game keeps of a unit, all said."""
        return {**KEPT, **self.kept.get(name, {})}

    def keep(self, name, **values):
        """Keep something else of a unit."""
        self.kept[name] = {**self.keeps(name), **values}

    def entry(self, name):
        """Copy the entry of a unit."""
        return copy.deepcopy(
            (self.units[name], self.out.get(name), self.keeps(name))
        )

    def changed(self, told, carry_out):
        """Check a change, and carry it out; tell whether it changes."""
        name = told["id"]
        want(name in self.units, "%r is not in the roster", name)
        kept = read_kept({k: told[k] for k in KEPT if k in told})
        kept = {**self.keeps(name), **kept}
        new = {**self.units[name]}
        new.update((k, v) for k, v in told.items() if k not in KEPT)
        gone = new.pop("out", self.out.get(name))
        want(gone is None or is_id(gone), "adjust: out is wrong")
        try:
            imaginations.Unit(copy.deepcopy(new), "roster", set())
        except reading.Refused as e:
            raise Bad(str(e)) from None
        changes = gone != self.out.get(name) or not is_same(
            (new, kept), (self.units[name], self.keeps(name))
        )
        if carry_out:
            self.units[name], self.out[name] = new, gone
            self.kept[name] = kept
        return changes

    def join(self, where, side, fields, carry_out):
        """Check what joins a list, and let it."""
        unit = read_imaginations_unit(fields)
        if carry_out:
            self.units[unit["id"]] = unit
            self.sides[unit["id"]] = side

    def leave(self, name, why):
        """Let a unit go for good."""
        self.out[name] = why or self.out.get(name) or "gone"

    def has_strength(self, name):
        """Tell whether a unit has strength left."""
        return any(
            battalion["hits"] < battalion["sp"]
            for battalion in self.units[name]["battalions"]
        )

    def write_back(self, result, facts):
        """Change hits, fatigue, disorder and morale; note who took hits."""
        for name, end in result["units"].items():
            unit = self.units[name]
            before = sum(b["hits"] for b in unit["battalions"])
            for battalion in unit["battalions"]:
                hits = end["hits"][battalion["id"]]
                battalion["hits"] = hits
            if sum(b["hits"] for b in unit["battalions"]) > before:
                self.keep(name, lead_free=1)
            for key in ("fatigue", "disordered", "morale"):
                unit[key] = end[key]
            if not self.has_strength(name):
                self.out[name] = "destroyed"

    def battalion(self, args):
        """The battalion that an order names."""
        unit = self.units[args["unit"]]
        want("battalion" in args, "the order names no battalion")
        for battalion in unit["battalions"]:
            if battalion["id"] == args["battalion"]:
                return battalion
        raise Bad("the unit has no such battalion")

    def upkeep(self, side, args):
        """Check an upkeep order: the rolls (label, count, sides) it asks."""
        name, do = args["unit"], args["do"]
        want(self.sides.get(name) == side, "not a unit of this side")
        want(self.has_strength(name), "%r is destroyed", name)
        want(self.out.get(name) is None, "%r is out", name)
        unit = self.units[name]
        want(do in ("rest", "rally", "recover", "lead"), "no such order")
        if do == "lead":
            battalion = self.battalion(args)
            want(battalion["hits"] < battalion["sp"], "no strength left")
            kept = self.keeps(name)
            want(kept["lead_free"], "it took no hits in this round")
            pending = kept["next_lead"] is not None
            want(pending or unit["lead"] != battalion["id"], "leads already")
            return []
        if do == "rally":
            want(self.battalion(args)["hits"] >= 2, "the last hit stays")
        else:
            want("battalion" not in args, "%s names a battalion", do)
        if do in ("rally", "recover"):
            want(unit["disordered"] or do == "rally", "it is in order")
            want(self.keeps(name)["tried"] in (None, do),
                 "it has tried the other")
            if self.rulings["rally_target"] == "automatic":
                return []
            return [("rally/" + name, 1, RALLY_SIDES)]
        want(unit["fatigue"] > 0, "the unit has no fatigue")
        return [("rest/" + name, 1, REST_SIDES)]

    def do_upkeep(self, args, rolls):
        """Carry an upkeep order out and return its event."""
        unit = self.units[args["unit"]]
        event = {"e": "upkeep", "unit": args["unit"], "what": args["do"]}
        if args["do"] == "rest":
            die = rolls[0]["dice"][0]
            unit["fatigue"] = max(0, unit["fatigue"] - die)
            event.update(die=die, fatigue=unit["fatigue"])
        elif args["do"] == "lead":
            self.keep(args["unit"], next_lead=args["battalion"])
            event.update(battalion=args["battalion"])
        else:
            self.attempt(args, rolls, event)
        return event

    def attempt(self, args, rolls, event):
        """Carry out an attempt to rally or to recover."""
        self.keep(args["unit"], tried=args["do"])
        works = True
        if rolls:
            die, target = rolls[0]["dice"][0], self.rulings["rally_target"]
            works = die >= target
            word = {"rally": "rallied", "recover": "recovered"}[args["do"]]
            event.update(
                what=word if works else "not-" + word, die=die, target=target
            )
        if args["do"] == "recover":
            if works:
                self.units[args["unit"]]["disordered"] = False
            return
        battalion = self.battalion(args)
        event["battalion"] = battalion["id"]
        if works:
            battalion["hits"] -= 1
            event["hits"] = battalion["hits"]

    def end_turn(self):
        """Forget what units have tried."""
        for name in self.kept:
            self.keep(name, tried=None)

    def end_round(self):
        """Less fatigue, new leads: the events, by unit."""
        events = []
        for name, unit in self.units.items():
            event = {"e": "upkeep", "unit": name}
            kept, lead = self.keeps(name), unit["lead"]
            self.keep(name, next_lead=None)
            if self.out.get(name) is not None or not self.has_strength(name):
                continue
            if unit["fatigue"] > 0:
                unit["fatigue"] -= 1
                events.append({**event, "what": "fatigue",
                               "fatigue": unit["fatigue"]})
            for battalion in unit["battalions"]:
                if battalion["id"] == kept["next_lead"] != lead:
                    if battalion["hits"] < battalion["sp"]:
                        unit["lead"] = battalion["id"]
                        events.append({**event, "what": "leads",
                                       "battalion": battalion["id"]})
            if kept["lead_free"]:
                self.keep(name, lead_free=0)
                events.append({**event, "what": "lead_free", "lead_free": 0})
        return events


# What a roster says of a brigade of leniston-2009 if it leaves it out.
BRIGADE = {"arm": "infantry", "casualties": 0, "state": "formed"}


class LenistonBook(Book):
    """Leniston: brigades, and which fight each of them may go on with."""

    def __init__(self, args, blobs, roster):
        super().__init__(args, blobs)
        self.units = {}
        self.sides = {}
        self.out = {}  # brigade -> why it is out of play
        self.skirmished = set()
        self.edge_won = {}  # brigade -> the enemy it drove from the edge
        self.fought_inside = {}  # brigade -> the enemy it fought inside
        for side, units in read_sides(roster, self.name).items():
            for raw in units:
                self.join("units", side, raw, True)

    def save(self):
        """Copy what lines change."""
        return copy.deepcopy((self.units, self.out, self.skirmished,
                              self.edge_won, self.fought_inside))

    def load(self, saved):
        """Go back to what was copied."""
        (self.units, self.out, self.skirmished, self.edge_won,
         self.fought_inside) = copy.deepcopy(saved)

    def entry(self, name):
        """Copy the entry of a brigade."""
        return copy.deepcopy((self.units[name], self.out.get(name)))

    def changed(self, told, carry_out):
        """Take over a change; whether it is lawful is not known here."""
        if carry_out:
            told = dict(told)
            if "out" in told:
                self.out[told["id"]] = told.pop("out")
            self.units[told["id"]].update(told)

    def join(self, where, side, fields, carry_out):
        """Let a brigade join."""
        if carry_out:
            self.units[fields["id"]] = {**BRIGADE, **fields}
            self.sides[fields["id"]] = side

    def leave(self, name, why):
        """Let a brigade go for good."""
        self.out[name] = why or self.out.get(name) or "gone"

    def facts(self, declared, mine, events):
        """Hold the event against the rosters and what the game keeps."""
        raw = super().facts(declared, mine, events)
        for side, number in (("attacker", mine), ("defender", 3 - mine)):
            name = raw[side]["id"]
            want(self.sides.get(name) == number, "%r is not there", name)
            want(self.out.get(name) is None, "%r is out", name)
            must = {**self.units[name], "skirmished": name in self.skirmished}
            for key, value in must.items():
                had = raw[side].get(key, {**BRIGADE, "skirmished": False}
                                    .get(key))
                want(is_same(had, value), "%s: not the %s it has", name, key)
        if raw["rule"] == "bua-inside":
            self.check_follows(raw, declared)
        return raw

    def check_follows(self, raw, declared):
        """Which fight a disordered attacker goes on with (12.8)."""
        name, enemy = raw["attacker"]["id"], raw["defender"]["id"]
        may = raw["attacker"].get("state") == "disordered"
        inside = may and self.fought_inside.get(name) == enemy
        edge = declared.get("follows_edge")
        want(declared.get("follows_inside", inside) == inside,
             "%r did or did not fight %r inside", name, enemy)
        if edge:
            inside = declared.get("follows_inside", False)
        elif edge is None:
            won = self.edge_won.get(name) == enemy
            edge = may and won and not inside
        for key, must in (("follows_edge", edge), ("follows_inside", inside)):
            want(raw.get(key, False) == must, "combat: %s is wrong", key)

    def write_back(self, result, facts):
        """Change casualties and states, and note who fought whom where."""
        for name, end in result["units"].items():
            self.units[name]["casualties"] = end["casualties"]
            self.units[name]["state"] = end["state"]
            if end["state"] == "rout":
                self.out[name] = "routed"
        mine, theirs = facts["attacker"]["id"], facts["defender"]["id"]
        if facts["rule"] == "skirmish":
            self.skirmished.add(mine)
        if facts["rule"] in ("bua-edge", "bua-inside"):
            for name in (mine, theirs):
                self.edge_won.pop(name, None)
                self.fought_inside.pop(name, None)
        if "rout" in [end["state"] for end in result["units"].values()]:
            return
        if facts["rule"] == "bua-inside":
            self.fought_inside.update({mine: theirs, theirs: mine})
        elif facts["rule"] == "bua-edge":
            if result["units"][theirs].get("retires"):
                self.edge_won[mine] = theirs

    def upkeep(self, side, args):
        """Leniston has no upkeep orders."""
        raise Bad("leniston-2009 has no upkeep orders")

    def end_round(self):
        """Form the disordered, forget skirmishes and fights: the events."""
        events = []
        for name, unit in self.units.items():
            if unit["state"] == "disordered" and self.out.get(name) is None:
                unit["state"] = "formed"
                events.append({"e": "upkeep", "unit": name, "what": "formed"})
            if name in self.skirmished:
                events.append({"e": "upkeep", "unit": name, "what": "rested"})
        self.skirmished.clear()
        self.edge_won.clear()
        self.fought_inside.clear()
        return events


def open_book(args, blobs, roster):
    """Make the book of a game's system."""
    read_sides(roster, args["system"])
    kinds = {
        "imagi-nations": ImaginationsBook,
        "lasalle2": LasalleBook,
        "leniston-2009": LenistonBook,
    }
    if args["system"] in kinds:
        book = kinds[args["system"]](args, blobs, roster)
    else:
        book = Book(args, blobs)
    book.muster = Muster(roster, args["system"])
    return book


def check_round(events, must):
    """Check the events of the end of a round against what they must be."""
    for event in events:
        want(event["e"] == "upkeep", "the end of a round with other events")
    if must is None:
        return
    want(sorted(map(compact, events)) == sorted(map(compact, must)),
         "upkeep: %s are told, it is %s", events, must)
