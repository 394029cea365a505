# SPDX-License-Identifier: ISC
"""Random combats of lasalle2, lawful and with one fault each: see cases.py.

Every refusal that umpire-rules.7 lists is among the faults: of facts,
rulings, tables, scripts, dice and decisions.
"""

import copy
import json

import lasalle2
from cases import Cases, NotHere, named, pick
from lasalle2_scenarios import (
    THEMES,
    lawful_decision,
    random_scenario,
    random_unit,
    rare,
)


def spare_dice(scenario):
    """The dice that a program may roll behind an unlawful decision."""
    dice = {}
    for unit in scenario["combat"]["attackers"]:
        for prefix in ("score", "reroll"):
            dice["%s/%s" % (prefix, unit["id"])] = [3]
    for unit in scenario["combat"]["defenders"]:
        dice["score/" + unit["id"]] = [3]
    return dice


CASES = Cases(
    lasalle2.SYSTEM,
    random_scenario,
    lawful_decision,
    spare_dice,
    lambda rng: rare(rng, CASES),
)
fault = CASES.fault
asked = CASES.asked
decided = CASES.decided


# --- Faults of the facts ---


def pick_unit(rng, combat, test=lambda unit: True, sides=None):
    """Pick (place, unit) from the facts."""
    side = rng.choice(sides or ("attackers", "defenders"))
    i, unit = pick(rng, combat[side], test)
    return "combat.%s[%d]" % (side, i), unit


def set_unit(name, key, values, test=lambda unit: True, sides=None):
    """Enter faults that set a member of a unit to a wrong value."""

    def change(rng, combat):
        place, unit = pick_unit(rng, combat, test, sides)
        unit[key] = rng.choice(values)
        return named(unit[key], "%s.%s" % (place, key))

    CASES.fact_fault(name, change)


def drop_unit(key, test=lambda unit: True):
    """Enter a fault that leaves out a member of a unit."""

    def change(rng, combat):
        place, unit = pick_unit(rng, combat, test)
        del unit[key]
        return place

    CASES.fact_fault("unit_without_" + key, change)


def set_contact(name, key, values):
    """Enter a fault that sets a member of a contact to a wrong value."""

    def change(rng, combat):
        i, contact = pick(rng, combat["contacts"])
        contact[key] = rng.choice(values)
        return "combat.contacts[%d].%s" % (i, key)

    CASES.fact_fault(name, change)


def drop_contact(key):
    """Enter a fault that leaves out a member of a contact."""

    def change(rng, combat):
        i, contact = pick(rng, combat["contacts"])
        del contact[key]
        return "combat.contacts[%d]" % i

    CASES.fact_fault("contact_without_" + key, change)


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
        name = function.__name__.replace("change_", "facts_")
        CASES.fact_fault(name, function)


# --- Faults of the decisions ---


@fault
def decision_other_question(rng):
    """A whole decision that answers another question."""
    player, pending = asked(rng)
    if pending["kind"] == "stagger":
        return decided(player, {"kind": "reroll", "units": []})
    return decided(player, {"kind": "stagger", "order": []})


def stagger_asked(rng):
    """Play until a stagger is open and answer it lawfully."""
    player, pending = asked(rng, lambda pending: pending["kind"] == "stagger")
    return player, pending, lawful_decision(rng, pending, player.scenario)


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


enter_fact_faults()


# --- Cases that the text leaves open ---


def doubts(rng):
    """List (name, input) where the printed text allows two answers."""
    made = []

    def add(name, change):
        player, _ = CASES.played(rng)
        scenario = copy.deepcopy(player.finish())
        changed = change(scenario)
        made.append((name, scenario if changed is None else changed))

    def first(scenario, key):
        return scenario["combat"][key][0]

    def text(scenario, old, new):
        return json.dumps(scenario).replace(old, new, 1).encode()

    def many_units(scenario):
        units = [
            {"id": "a%d" % i, "arm": "infantry", "strength": 3,
             "formation": "line"}
            for i in range(66)
        ]
        scenario["combat"] = {
            "attackers": units[:65],
            "defenders": units[65:],
            "contacts": [
                {"attacker": u["id"], "defender": "a65", "edge": "front"}
                for u in units[:65]
            ],
        }
        dice = {"score/" + u["id"]: [3] for u in units}
        scenario["script"] = {"dice": dice}

    add("touches empty", lambda s: first(s, "contacts").update(touches=[]))
    add(
        "touches twice the same",
        lambda s: first(s, "contacts").update(touches=["front", "front"]),
    )
    add(
        "trait twice",
        lambda s: first(s, "attackers").update(traits=["shock", "shock"]),
    )
    add("name empty", lambda s: first(s, "attackers").update(name=""))
    add(
        "name of 5000 letters",
        lambda s: first(s, "attackers").update(name="x" * 5000),
    )
    add("note at the top", lambda s: s.update(note="a vector's note"))
    add("expect at the top", lambda s: s.update(expect={}))
    add(
        "strength 6.0",
        lambda s: first(s, "attackers").update(strength=6.0),
    )
    add(
        "duplicate key",
        lambda s: text(
            s, '"system": "lasalle2"',
            '"system": "lasalle2", "system": "lasalle2"',
        ),
    )
    add(
        "malformed dice that are not needed",
        lambda s: s["script"]["dice"].update({"score/nobody": "x"}),
    )
    add(
        "malformed chits, not needed",
        lambda s: s["script"].update(chits=[7]),
    )
    add("chits that are no array", lambda s: s["script"].update(chits="c07"))
    add("65 attackers", many_units)
    add("name null", lambda s: first(s, "attackers").update(name=None))
    return made


CASES.doubts = doubts
