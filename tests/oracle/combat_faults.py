# SPDX-License-Identifier: ISC
"""Scenarios with one fault each, for random_combats.py.

Every refusal that umpire-rules.7 lists is among them: of facts, rulings,
tables, scripts, dice and decisions. A maker gives the scenario and, where only
one place can be named, that place.
"""

import copy
import json

import lasalle2
from combat_scenarios import (
    Player,
    THEMES,
    lawful_decision,
    random_scenario,
    random_unit,
)


class NotHere(Exception):
    """The fault does not fit this scenario."""


# --- Unlawful scenarios, one fault each ---

# name -> function(rng) -> (scenario, place or None)
FAULTS = {}


def fault(function):
    """Enter a maker of a faulty scenario into the table."""
    FAULTS[function.__name__] = function
    return function


def played(rng, until=None):
    """Make a lawful scenario with a script, played through."""
    player = Player(rng, random_scenario(rng))
    out = player.play(until)
    if until is not None and out["status"] != "pending":
        raise NotHere
    return player, out


def pick(rng, items, test=lambda item: True):
    """Pick (index, item) of a list at random, where the test holds."""
    fits = [(i, item) for i, item in enumerate(items) if test(item)]
    if not fits:
        raise NotHere
    return rng.choice(fits)


def pick_unit(rng, combat, test=lambda unit: True, sides=None):
    """Pick (place, unit) from the facts."""
    side = rng.choice(sides or ("attackers", "defenders"))
    i, unit = pick(rng, combat[side], test)
    return "combat.%s[%d]" % (side, i), unit


def fact_fault(change, name):
    """Enter a fault that changes the facts of a lawful scenario."""

    def make(rng):
        player, _ = played(rng)
        scenario = copy.deepcopy(player.finish())
        place = change(rng, scenario["combat"])
        return scenario, place

    FAULTS[name] = make


def set_unit(name, key, values, test=lambda unit: True, sides=None):
    """Enter faults that set a member of a unit to a wrong value."""

    def change(rng, combat):
        place, unit = pick_unit(rng, combat, test, sides)
        unit[key] = rng.choice(values)
        return named(unit[key], "%s.%s" % (place, key))

    fact_fault(change, name)


def named(value, place):
    """The place to name, but for numbers that a reader of JSON refuses."""
    if isinstance(value, float):
        return None
    if lasalle2.is_int(value) and value >= 2**53:
        return None
    return place


def drop_unit(key, test=lambda unit: True):
    """Enter a fault that leaves out a member of a unit."""

    def change(rng, combat):
        place, unit = pick_unit(rng, combat, test)
        del unit[key]
        return place

    fact_fault(change, "unit_without_" + key)


def set_contact(name, key, values):
    """Enter a fault that sets a member of a contact to a wrong value."""

    def change(rng, combat):
        i, contact = pick(rng, combat["contacts"])
        contact[key] = rng.choice(values)
        return "combat.contacts[%d].%s" % (i, key)

    fact_fault(change, name)


def drop_contact(key):
    """Enter a fault that leaves out a member of a contact."""

    def change(rng, combat):
        i, contact = pick(rng, combat["contacts"])
        del contact[key]
        return "combat.contacts[%d]" % i

    fact_fault(change, "contact_without_" + key)


def is_arm(*arms):
    """Make a test for the arm of a unit."""
    return lambda unit: unit["arm"] in arms


def enter_unit_faults():
    """Enter the faults of units."""
    foot, horse, guns = (
        is_arm("infantry"),
        is_arm("cavalry"),
        is_arm("artillery"),
    )
    ids = ("", "A", "-a", ".a", "_a", "a b", "a/b", "é", "a" * 33, 7, None)
    odd = (0, -1, 10000, 2.5, "5", None, True, [], 10**18, 10**30)
    attack, defend = ("attackers",), ("defenders",)
    set_unit("id_bad", "id", ids)
    set_unit("arm_unknown", "arm", ("dragoons", "", 1, None))
    set_unit("strength_bad", "strength", odd)
    set_unit("formation_unknown", "formation", ("mob", "Line", 3, None))
    set_unit(
        "infantry_formation", "formation", ("limbered", "unlimbered"), foot
    )
    set_unit(
        "cavalry_formation",
        "formation",
        ("square", "garrison", "limbered", "unlimbered"),
        horse,
    )
    set_unit(
        "artillery_formation",
        "formation",
        ("line", "column", "square", "march", "garrison"),
        guns,
        defend,
    )
    set_unit("battery_unknown", "battery", ("siege", 1, True), guns, defend)
    set_unit(
        "battery_of_others",
        "battery",
        ("foot", "horse"),
        is_arm("infantry", "cavalry"),
    )
    set_unit("traits_bad", "traits", ("shock", {}, 1, ["fast"], [1], [[]]))
    set_unit("shaken_bad", "shaken", (1, "true", [], 0))
    set_unit("difficult_bad", "difficult", (1, "yes", {}, 0))
    set_unit("name_bad", "name", (1, True, {}, []))
    set_unit("unit_unknown_member", "strenght", (5, None, False))
    set_unit("attacker_garrison", "formation", ("garrison",), foot, attack)
    set_unit("attacker_strength_1", "strength", (1,), sides=attack)
    for key in ("id", "arm", "strength", "formation"):
        drop_unit(key)
    drop_unit("battery", guns)


def enter_contact_faults():
    """Enter the faults of contacts."""
    edges = ("top", "", "Front", 1, None, ["front"])
    set_contact("edge_unknown", "edge", edges)
    set_contact(
        "touches_bad", "touches", ("front", ["top"], [1], {}, [["front"]])
    )
    set_contact("uphill_bad", "uphill", (1, "true", []))
    set_contact("across_unknown", "across", ("hedge", "", True, ["wall"]))
    set_contact("contact_unknown_member", "uphil", (True, None))
    set_contact("contact_attacker_unknown", "attacker", ("zz-zz", "", 1, None))
    set_contact("contact_defender_unknown", "defender", ("zz-zz", "", 1, None))
    for key in ("attacker", "defender", "edge"):
        drop_contact(key)


def change_sides(rng, combat):
    """Name both units of a contact from the wrong sides."""
    _, contact = pick(rng, combat["contacts"])
    contact["attacker"], contact["defender"] = (
        contact["defender"],
        contact["attacker"],
    )


def change_side_one(rng, combat):
    """Let an attacker fight an attacker."""
    _, contact = pick(rng, combat["contacts"])
    contact["defender"] = contact["attacker"]


def change_same_id(rng, combat):
    """Use an id twice, on one side or on both."""
    units = combat["attackers"] + combat["defenders"]
    if len(units) < 2:
        raise NotHere
    a, b = rng.sample(units, 2)
    old, b["id"] = b["id"], a["id"]
    for contact in combat["contacts"]:
        for role in ("attacker", "defender"):
            if contact[role] == old:
                contact[role] = a["id"]


def change_same_unit(rng, combat):
    """State a unit twice."""
    units = combat[rng.choice(("attackers", "defenders"))]
    units.append(copy.deepcopy(rng.choice(units)))


def change_same_pair(rng, combat):
    """State a pair twice, on the same edge or on another."""
    _, contact = pick(rng, combat["contacts"])
    again = copy.deepcopy(contact)
    again["edge"] = rng.choice(lasalle2.EDGES)
    combat["contacts"].insert(
        rng.randint(0, len(combat["contacts"])), again
    )


def change_idle_attacker(rng, combat):
    """Add an attacker in no contact."""
    taken = {u["id"] for u in combat["attackers"] + combat["defenders"]}
    unit = random_unit(rng, taken, True, THEMES["horse"])
    units = combat["attackers"]
    units.insert(rng.randint(0, len(units)), unit)


def change_idle_defender(rng, combat):
    """Add a defender in no contact."""
    taken = {u["id"] for u in combat["attackers"] + combat["defenders"]}
    unit = random_unit(rng, taken, False, THEMES["guns"])
    units = combat["defenders"]
    units.insert(rng.randint(0, len(units)), unit)


def change_no_contact(rng, combat):
    """Leave no contact at all."""
    combat["contacts"] = []


def change_nobody(rng, combat):
    """Leave nobody at all."""
    combat["contacts"] = []
    combat["attackers"] = []
    combat["defenders"] = []


def change_no_side(rng, combat):
    """Leave one side without units."""
    combat[rng.choice(("attackers", "defenders"))] = []


def change_artillery(rng, combat):
    """Let artillery charge."""
    _, unit = pick_unit(rng, combat, sides=("attackers",))
    unit["arm"] = "artillery"
    unit["formation"] = rng.choice(("limbered", "unlimbered"))
    unit["battery"] = rng.choice(("foot", "horse"))


def change_list(rng, combat):
    """Put something else where an array belongs."""
    key = rng.choice(("attackers", "defenders", "contacts"))
    combat[key] = rng.choice(({}, "x", 1, None, True))
    return "combat." + key


def change_item(rng, combat):
    """Put something else where a unit or a contact belongs."""
    key = rng.choice(("attackers", "defenders", "contacts"))
    i = rng.randrange(len(combat[key]))
    combat[key][i] = rng.choice(([], "x", 1, None, True))
    return "combat.%s[%d]" % (key, i)


def change_missing(rng, combat):
    """Leave out a list of the facts."""
    del combat[rng.choice(("attackers", "defenders", "contacts"))]


def change_unknown(rng, combat):
    """Add an unknown member to the facts."""
    combat[rng.choice(("terrain", "contact", "ATTACKERS"))] = []


def enter_fact_faults():
    """Enter all faults of the facts."""
    enter_unit_faults()
    enter_contact_faults()
    for function in (
        change_sides,
        change_side_one,
        change_same_id,
        change_same_unit,
        change_same_pair,
        change_idle_attacker,
        change_idle_defender,
        change_no_contact,
        change_nobody,
        change_no_side,
        change_artillery,
        change_list,
        change_item,
        change_missing,
        change_unknown,
    ):
        fact_fault(function, function.__name__.replace("change_", "facts_"))


@fault
def ruling_unknown(rng):
    """A ruling that the system does not have."""
    player, _ = played(rng)
    name = rng.choice(("square_needs_all", "", "max_dice"))
    player.scenario.setdefault("rulings", {})[name] = True
    return player.finish(), "rulings"


@fault
def ruling_value(rng):
    """A ruling outside its values."""
    player, _ = played(rng)
    name = rng.choice(tuple(lasalle2.RULINGS))
    value = rng.choice((1, 0, "true", None, [], {}))
    player.scenario.setdefault("rulings", {})[name] = value
    return player.finish(), "rulings." + name


@fault
def rulings_no_object(rng):
    """Rulings that are no object."""
    player, _ = played(rng)
    player.scenario["rulings"] = rng.choice(([], "x", 1, None, False))
    return player.finish(), "rulings"


@fault
def table_unknown(rng):
    """A table, where the system has none."""
    player, _ = played(rng)
    player.scenario["tables"] = {rng.choice(("combat", "losses")): {}}
    return player.finish(), "tables"


@fault
def tables_no_object(rng):
    """Tables that are no object."""
    player, _ = played(rng)
    player.scenario["tables"] = rng.choice(([], "x", 1, None))
    return player.finish(), "tables"


@fault
def system_unknown(rng):
    """A system that does not exist."""
    player, _ = played(rng)
    player.scenario["system"] = rng.choice(("lasalle", "", 2, None, []))
    return player.finish(), "system"


@fault
def scenario_without(rng):
    """A scenario that lacks what it needs."""
    player, _ = played(rng)
    del player.scenario[rng.choice(("system", "combat"))]
    return player.finish(), None


@fault
def scenario_unknown_member(rng):
    """An unknown member at the top."""
    player, _ = played(rng)
    player.scenario[rng.choice(("ruling", "Combat", "seed"))] = {}
    return player.finish(), None


@fault
def combat_no_object(rng):
    """A combat that is no object."""
    player, _ = played(rng)
    player.scenario["combat"] = rng.choice(([], "x", 1, None))
    return player.finish(), "combat"


@fault
def script_no_object(rng):
    """A script that is no object."""
    player, _ = played(rng)
    player.finish()["script"] = rng.choice(([], "x", 1, None))
    return player.scenario, "script"


@fault
def script_unknown_member(rng):
    """An unknown member of the script."""
    player, _ = played(rng)
    player.finish()["script"][rng.choice(("die", "rolls"))] = {}
    return player.scenario, "script"


@fault
def script_dice_no_object(rng):
    """Dice that are no object."""
    player, _ = played(rng)
    player.finish()["script"]["dice"] = rng.choice(([], "x", 1, None))
    return player.scenario, "script.dice"


@fault
def script_decisions_no_list(rng):
    """Decisions that are no array."""
    player, _ = played(rng)
    player.finish()["script"]["decisions"] = rng.choice(({}, "x", 1, None))
    return player.scenario, "script.decisions"


def needed_label(rng):
    """Play a combat and pick a label that it needs."""
    player, _ = played(rng)
    if not player.needed:
        raise NotHere
    label = rng.choice(player.needed)
    return player.finish(), label


@fault
def dice_missing(rng):
    """A roll that the script does not hold."""
    scenario, label = needed_label(rng)
    del scenario["script"]["dice"][label]
    return scenario, label


@fault
def dice_misspelt(rng):
    """A roll under a label that is almost right."""
    scenario, label = needed_label(rng)
    dice = scenario["script"]["dice"]
    dice[label + "x"] = dice.pop(label)
    return scenario, label


@fault
def dice_too_few(rng):
    """A roll with too few values."""
    scenario, label = needed_label(rng)
    scenario["script"]["dice"][label].pop()
    return scenario, label


@fault
def dice_too_many(rng):
    """A roll with too many values."""
    scenario, label = needed_label(rng)
    scenario["script"]["dice"][label].append(3)
    return scenario, label


@fault
def dice_out_of_range(rng):
    """A roll with a value that no die shows."""
    scenario, label = needed_label(rng)
    values = scenario["script"]["dice"][label]
    value = rng.choice(
        (0, 7, -1, 256 + 3, 2**32 + 3, 2.5, "3", None, True, [3])
    )
    values[rng.randrange(len(values))] = value
    return scenario, named(value, label)


@fault
def dice_no_list(rng):
    """A roll that is no array."""
    scenario, label = needed_label(rng)
    scenario["script"]["dice"][label] = rng.choice((3, "3", {}, None))
    return scenario, label


def asked(rng, kinds):
    """Play until a question of one of the kinds is open."""
    player, out = played(
        rng,
        lambda pending: pending["kind"] in kinds and rng.random() < 0.7,
    )
    return player, out["pending"]


SUBSETS = ("retire", "reroll")
KINDS = ("retire", "reroll", "stagger")


def decided(player, decision):
    """Give a decision; the dice that it would need lie ready."""
    player.decisions.append(decision)
    scenario = player.finish()
    for unit in scenario["combat"]["attackers"]:
        for prefix in ("score", "reroll"):
            label = "%s/%s" % (prefix, unit["id"])
            scenario["script"]["dice"].setdefault(label, [3])
    for unit in scenario["combat"]["defenders"]:
        scenario["script"]["dice"].setdefault("score/" + unit["id"], [3])
    place = "script.decisions[%d]" % (len(player.decisions) - 1)
    return scenario, place


@fault
def decision_wrong_kind(rng):
    """A decision of another kind than the one that is asked."""
    player, pending = asked(rng, KINDS)
    decision = lawful_decision(rng, pending)
    others = [k for k in KINDS if k != pending["kind"]]
    decision["kind"] = rng.choice(others + ["", "retreat", 1, None])
    return decided(player, decision)


@fault
def decision_other_question(rng):
    """A whole decision that answers another question."""
    player, pending = asked(rng, KINDS)
    if pending["kind"] == "stagger":
        return decided(player, {"kind": "reroll", "units": []})
    return decided(player, {"kind": "stagger", "order": []})


@fault
def decision_without_member(rng):
    """A decision that lacks a member."""
    player, pending = asked(rng, KINDS)
    decision = lawful_decision(rng, pending)
    del decision[rng.choice(list(decision))]
    return decided(player, decision)


@fault
def decision_unknown_member(rng):
    """A decision with a member too many."""
    player, pending = asked(rng, KINDS)
    decision = lawful_decision(rng, pending)
    decision[rng.choice(("side", "note", "unit"))] = "defender"
    return decided(player, decision)


@fault
def decision_no_object(rng):
    """A decision that is no object."""
    player, _ = asked(rng, KINDS)
    return decided(player, rng.choice(([], "retire", 1, None, True)))


@fault
def decision_no_list(rng):
    """A decision whose list is none."""
    player, pending = asked(rng, KINDS)
    decision = lawful_decision(rng, pending)
    key = "order" if pending["kind"] == "stagger" else "units"
    decision[key] = rng.choice(({}, "all", None, True))
    return decided(player, decision)


@fault
def subset_unit_twice(rng):
    """A subset that names a unit twice."""
    player, pending = asked(rng, SUBSETS)
    name = rng.choice(pending["options"]["units"]["some"])
    return decided(player, {"kind": pending["kind"], "units": [name, name]})


@fault
def subset_not_eligible(rng):
    """A subset with a unit of either side that is not eligible."""
    player, pending = asked(rng, SUBSETS)
    some = pending["options"]["units"]["some"]
    combat = player.scenario["combat"]
    _, unit = pick_unit(rng, combat, lambda u: u["id"] not in some)
    units = some[: rng.randint(0, len(some))] + [unit["id"]]
    return decided(player, {"kind": pending["kind"], "units": units})


@fault
def subset_unknown_unit(rng):
    """A subset with something that is no unit at all."""
    player, pending = asked(rng, SUBSETS)
    units = [rng.choice(("zz-zz", "", 1, None, []))]
    return decided(player, {"kind": pending["kind"], "units": units})


def stagger_asked(rng):
    """Play until a stagger is open and answer it lawfully."""
    player, pending = asked(rng, ("stagger",))
    return player, pending, lawful_decision(rng, pending)


@fault
def stagger_unit_missing(rng):
    """A stagger that leaves a unit out."""
    player, _, decision = stagger_asked(rng)
    decision["order"].pop()
    return decided(player, decision)


@fault
def stagger_unit_twice(rng):
    """A stagger with a unit twice."""
    player, _, decision = stagger_asked(rng)
    again = dict(rng.choice(decision["order"]))
    if rng.random() < 0.5:
        again["possible"] = not again["possible"]
    decision["order"].append(again)
    return decided(player, decision)


@fault
def stagger_unit_for_another(rng):
    """A stagger with a unit twice in place of another."""
    player, _, decision = stagger_asked(rng)
    order = decision["order"]
    if len(order) < 2:
        raise NotHere
    order[0]["unit"] = order[1]["unit"]
    return decided(player, decision)


@fault
def stagger_other_unit(rng):
    """A stagger with a unit that need not stagger."""
    player, pending, decision = stagger_asked(rng)
    must = pending["options"]["order"]["order"]
    _, unit = pick_unit(
        rng, player.scenario["combat"], lambda u: u["id"] not in must
    )
    item = {"unit": unit["id"], "possible": True}
    if rng.random() < 0.5:
        decision["order"].append(item)
    else:
        decision["order"][0] = item
    return decided(player, decision)


@fault
def stagger_possible_bad(rng):
    """A stagger whose answer is neither true nor false."""
    player, _, decision = stagger_asked(rng)
    item = rng.choice(decision["order"])
    item["possible"] = rng.choice((1, 0, "true", None))
    return decided(player, decision)


@fault
def stagger_item_bad(rng):
    """A stagger with an item of another shape."""
    player, pending, decision = stagger_asked(rng)
    items = decision["order"]
    i = rng.randrange(len(items))
    name = items[i]["unit"]
    items[i] = rng.choice(
        (
            name,
            {"unit": name},
            {"possible": True},
            {"unit": name, "possible": True, "path": 1},
            {"unit": [name], "possible": True},
            [],
        )
    )
    return decided(player, decision)


@fault
def decision_left_over(rng):
    """A decision after the end of the combat."""
    player, _ = played(rng)
    player.decisions.append(
        rng.choice(
            (
                {"kind": "retire", "units": []},
                {"kind": "reroll", "units": []},
                {"kind": "stagger", "order": []},
                {},
            )
        )
    )
    return player.finish(), "script.decisions"


@fault
def not_json(rng):
    """Input that is no JSON, or no object."""
    player, _ = played(rng)
    text = json.dumps(player.finish()).encode()
    return (
        rng.choice(
            (
                b"",
                b"{",
                b"[]",
                b"null",
                b"7",
                b'"lasalle2"',
                text[: rng.randrange(1, len(text))],
                text + b"}",
                text + text,
                text + b" x",
                text.replace(b'"lasalle2"', b"'lasalle2'"),
                text.replace(b'"lasalle2"', b'"lasalle2",'),
                text.replace(b'"lasalle2"', b'"lasalle2\xff"'),
                b"[" * 100000,
                b'{"system":' * 20000,
                text.replace(b'"strength": ', b'"strength": 0'),
                text.replace(b'"strength": ', b'"strength": +'),
            )
        ),
        None,
    )


enter_fact_faults()


def unlawful(rng, name):
    """Make a scenario with the fault, however often it must be tried."""
    for _ in range(2000):
        try:
            return FAULTS[name](rng)
        except NotHere:
            continue
    raise AssertionError("fault %s fits no scenario" % name)
