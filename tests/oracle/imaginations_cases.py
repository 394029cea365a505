# SPDX-License-Identifier: ISC
"""Random combats of imagi-nations, lawful and with one fault: see cases.py.

Every refusal that umpire-rules.7 lists is among the faults: of facts,
rulings, scripts, dice, chits and decisions.
"""

import copy

import imaginations
from cases import (
    BAD_BOOLS,
    BAD_COUNTS,
    BAD_IDS,
    BAD_LISTS,
    BAD_OBJECTS,
    Cases,
    NotHere,
    named,
)
from imaginations_scenarios import (
    lawful_decision,
    random_bag,
    random_combat,
    random_modifiers,
)


def random_scenario(rng):
    """Make a lawful scenario without a script."""
    scenario = {"system": "imagi-nations"}
    CASES.random_rulings(rng, scenario)
    scenario["combat"] = random_combat(rng)
    return scenario


def spare_dice(scenario):
    """The dice that a program may roll behind an unlawful decision."""
    dice = {label: [3] for label in ("cdr/attacker", "cdr/defender", "evade")}
    for side in imaginations.SIDES:
        for unit in scenario["combat"][side]["units"]:
            dice["morale/" + unit["id"]] = [3]
    return dice


CASES = Cases(
    imaginations.SYSTEM,
    random_scenario,
    lawful_decision,
    spare_dice,
    shapes=("some", "one", "int"),
    draws=True,
)
fault = CASES.fault


# --- Faults of the facts ---


def pick_side(rng, combat):
    """Pick (place, side) from the facts."""
    side = rng.choice(imaginations.SIDES)
    return "combat." + side, combat[side]


def pick_unit(rng, combat):
    """Pick (place, unit) from the facts."""
    place, side = pick_side(rng, combat)
    i = rng.randrange(len(side["units"]))
    return "%s.units[%d]" % (place, i), side["units"][i]


def pick_battalion(rng, combat):
    """Pick (place, battalion) from the facts, seldom the lead."""
    place, unit = pick_unit(rng, combat)
    i = rng.randrange(len(unit["battalions"]))
    return "%s.battalions[%d]" % (place, i), unit["battalions"][i]


def pick_modifier(rng, combat):
    """Pick (place, modifier) from the facts, which get some."""
    place, side = pick_side(rng, combat)
    while not side.get("modifiers"):
        side["modifiers"] = random_modifiers(rng)
    i = rng.randrange(len(side["modifiers"]))
    return "%s.modifiers[%d]" % (place, i), side["modifiers"][i]


def pick_chit(rng, combat):
    """Pick (place, chit) from the bag."""
    if "bag" not in combat:
        raise NotHere
    i = rng.randrange(len(combat["bag"]))
    return "combat.bag[%d]" % i, combat["bag"][i]


def pick_face(rng, combat):
    """Pick (place, face) from the bag."""
    place, chit = pick_chit(rng, combat)
    name = rng.choice(("front", "back"))
    if chit[name] is None:
        raise NotHere
    return "%s.%s" % (place, name), chit[name]


def pick_when(rng, combat):
    """Pick (place, conditions) from the bag."""
    place, face = pick_face(rng, combat)
    return place + ".when", face.setdefault("when", {})


def pick_defender(rng, combat):
    """Pick (place, defender) from the facts."""
    return "combat.defender", combat["defender"]


def pick_attacker(rng, combat):
    """Pick (place, attacker) from the facts."""
    return "combat.attacker", combat["attacker"]


def pick_combat(rng, combat):
    """Pick (place, facts)."""
    return "combat", combat


def set_member(name, pick, key, values):
    """Enter a fault that sets a member to a wrong value."""

    def change(rng, combat):
        place, thing = pick(rng, combat)
        thing[key] = rng.choice(values)
        return named(thing[key], "%s.%s" % (place, key))

    CASES.fact_fault(name, change)


def drop_member(name, pick, key):
    """Enter a fault that leaves out a member."""

    def change(rng, combat):
        place, thing = pick(rng, combat)
        if key not in thing:
            raise NotHere
        del thing[key]
        return place

    CASES.fact_fault(name, change)


def change_lead_of_another(rng, combat):
    """Name a lead battalion of another unit."""
    place, unit = pick_unit(rng, combat)
    _, other = pick_battalion(rng, combat)
    if other in unit["battalions"]:
        raise NotHere
    unit["lead"] = other["id"]
    return place + ".lead"


def change_hits(rng, combat):
    """Give a battalion more hits than strength."""
    place, battalion = pick_battalion(rng, combat)
    battalion["hits"] = battalion["sp"] + rng.choice((1, 1, 7))
    return place


def change_same_unit(rng, combat):
    """Use the id of a unit twice."""
    _, a = pick_unit(rng, combat)
    _, b = pick_unit(rng, combat)
    if a is b:
        raise NotHere
    a["id"] = b["id"]


def change_same_battalion(rng, combat):
    """Use the id of a battalion twice."""
    _, a = pick_battalion(rng, combat)
    _, b = pick_battalion(rng, combat)
    if a is b:
        raise NotHere
    for side in imaginations.SIDES:
        for unit in combat[side]["units"]:
            if unit["lead"] == a["id"]:
                unit["lead"] = b["id"]
    a["id"] = b["id"]


def change_same_chit(rng, combat):
    """Use the id of a chit twice."""
    _, a = pick_chit(rng, combat)
    _, b = pick_chit(rng, combat)
    if a is b:
        raise NotHere
    a["id"] = b["id"]
    return "combat.bag"


def change_no_units(rng, combat):
    """Leave a side without units."""
    place, side = pick_side(rng, combat)
    side["units"] = []
    return place + ".units"


def change_too_many(rng, combat):
    """Give a side 65 units."""
    place, side = pick_side(rng, combat)
    while len(side["units"]) < 65:
        unit = copy.deepcopy(side["units"][0])
        unit["id"] = "more-%d" % len(side["units"])
        unit["battalions"] = unit["battalions"][:1]
        unit["battalions"][0]["id"] = unit["lead"] = unit["id"] + "-1"
        side["units"].append(unit)
    return place + ".units"


def change_evade_on_foot(rng, combat):
    """Let a defender evade that is not all cavalry."""
    defender = combat["defender"]
    rng.choice(defender["units"])["arm"] = rng.choice(
        ("infantry", "artillery")
    )
    defender["can_evade"] = True
    return "combat.defender.can_evade"


def change_no_battalions(rng, combat):
    """Leave a unit without battalions."""
    place, unit = pick_unit(rng, combat)
    unit["battalions"] = []
    return place


def enter_unit_faults():
    """Enter the faults of sides, units and battalions."""
    set_member("unit_id", pick_unit, "id", BAD_IDS)
    set_member("unit_arm", pick_unit, "arm", ("", "horse", "Infantry", 1))
    set_member("unit_lead", pick_unit, "lead", ("zz-zz",) + BAD_IDS)
    set_member("battalions_no_list", pick_unit, "battalions", BAD_LISTS)
    set_member(
        "commander", pick_unit, "commander", (-2, 3, "1", True, [], 1.5)
    )
    set_member("fatigue", pick_unit, "fatigue", BAD_COUNTS[:-2])
    set_member("disordered", pick_unit, "disordered", BAD_BOOLS[:-1])
    set_member("morale", pick_unit, "morale", (-1, 7, "4", True, [], 2.5))
    set_member(
        "retreat_room", pick_unit, "retreat_room", (-1, 3, "1", True, [])
    )
    set_member("unit_unknown", pick_unit, "strength", (1, None))
    for key in ("id", "lead", "battalions"):
        drop_member("unit_without_" + key, pick_unit, key)
    set_member("battalion_id", pick_battalion, "id", BAD_IDS)
    set_member(
        "quality", pick_battalion, "quality", ("", "Elite", "green", 1, None)
    )
    set_member("battalion_sp", pick_battalion, "sp", (0,) + BAD_COUNTS)
    set_member(
        "battalion_hits", pick_battalion, "hits", (-1, "1", True, [], 1.5)
    )
    set_member("battalion_unknown", pick_battalion, "hit", (1, None))
    for key in ("id", "quality", "sp"):
        drop_member("battalion_without_" + key, pick_battalion, key)
    set_member("units_no_list", pick_side, "units", BAD_LISTS)
    drop_member("side_without_units", pick_side, "units")
    set_member("side_unknown", pick_side, "evade", (True, None))
    set_member("modifiers_no_list", pick_side, "modifiers", ({}, "x", 1, True))
    set_member("objective", pick_defender, "objective", BAD_BOOLS[:-1])
    set_member("can_evade", pick_defender, "can_evade", BAD_BOOLS[:-1])
    set_member("attacker_evades", pick_attacker, "can_evade", (True, False))
    set_member(
        "modifier_kind", pick_modifier, "kind", ("", "Offensive", "always", 1)
    )
    set_member(
        "modifier_value", pick_modifier, "value", ("1", None, True, [], 1.5)
    )
    set_member("modifier_reason", pick_modifier, "reason", (1, None, [], True))
    set_member("modifier_unknown", pick_modifier, "side", ("attacker", None))
    for key in ("kind", "value", "reason"):
        drop_member("modifier_without_" + key, pick_modifier, key)
    for side in imaginations.SIDES:
        set_member(side + "_no_object", pick_combat, side, BAD_OBJECTS)
        drop_member("without_" + side, pick_combat, side)
    set_member("terrain_bad", pick_combat, "terrain", (1, True, [], {}))
    set_member("facts_unknown", pick_combat, "bags", ([], None))


def enter_bag_faults():
    """Enter the faults of bags."""
    set_member("bag_no_list", pick_combat, "bag", ({}, "x", 1, True))
    set_member("chit_id", pick_chit, "id", BAD_IDS)
    set_member("takes", pick_chit, "takes", ("", "all", "Front", 1, None))
    for key in ("front", "back"):
        set_member("face_" + key, pick_chit, key, ([], "A1", 1, True))
    set_member("chit_unknown_member", pick_chit, "side", ("front", None))
    for key in ("id", "front", "back", "takes"):
        drop_member("chit_without_" + key, pick_chit, key)
    set_member(
        "effects", pick_face, "effects",
        ("A1", {}, None, 1, ["A"], ["B1"], ["a1"], ["A+1"], ["A1 "], ["FM"],
         [1], [None], ["A1", ""], ["F1"], ["A--1"], ["D1.5"], [["A1"]]),
    )
    set_member("face_unknown", pick_face, "effect", (["A1"], None))
    drop_member("face_without_effects", pick_face, "effects")
    set_member("when_no_object", pick_face, "when", ([], "x", 1, True))
    set_member("when_unknown", pick_when, "ratios", (1, None))
    for key in ("ratio", "ratio_against"):
        set_member("when_" + key, pick_when, key, ("2", -1, True, None, 1.5))
    set_member("when_terrain", pick_when, "terrain", (1, None, True, []))
    set_member("when_power", pick_when, "power", ("", "equal", 1, None))
    set_member("when_tactic", pick_when, "tactic", ("", "charge", 1, None))
    set_member("when_arm", pick_when, "arm", ("", "horse", 1, None))


def enter_fact_faults():
    """Enter all faults of the facts."""
    enter_unit_faults()
    enter_bag_faults()
    for change in (
        change_lead_of_another,
        change_hits,
        change_same_unit,
        change_same_battalion,
        change_same_chit,
        change_no_units,
        change_too_many,
        change_no_battalions,
        change_evade_on_foot,
    ):
        CASES.fact_fault(change.__name__.replace("change_", ""), change)


@fault
def small_bag(rng):
    """A bag with fewer chits than the two cards ask."""
    player, _ = CASES.played(rng)
    scenario = copy.deepcopy(player.finish())
    scenario["combat"]["bag"] = random_bag(rng, rng.choice((0, 0, 1, 4)))
    if scenario["combat"]["bag"]:
        scenario["script"]["decisions"] = [
            {"kind": "tactic", "tactic": "prepared-attack"},
            {"kind": "tactic", "tactic": "hold"},
        ]
    return scenario, "combat.bag"


# --- Faults of decisions ---


def tactic_asked(rng, side):
    """Play until a side is asked for its tactic."""
    return CASES.asked(
        rng, lambda p: p["kind"] == "tactic" and p["side"] == side
    )


@fault
def tactic_not_eligible(rng):
    """A tactic that its side may not choose here."""
    side = rng.choice(imaginations.SIDES)
    player, pending = tactic_asked(rng, side)
    names = [
        name
        for name in imaginations.TACTICS
        if name not in pending["options"]["tactic"]["one"]
    ]
    decision = {"kind": "tactic", "tactic": rng.choice(names)}
    if side == "attacker":
        player.decisions.append(decision)
        hold = {"kind": "tactic", "tactic": "hold"}
        return CASES.decided(player, hold)[0], "script.decisions[0]"
    return CASES.decided(player, decision)


def allocation(rng):
    """Play until hits are to be allocated, and answer lawfully."""
    player, pending = CASES.asked(rng, lambda p: p["kind"] == "allocate")
    decision = lawful_decision(rng, pending, player.scenario)
    return player, pending["options"]["hits"], copy.deepcopy(decision)


def strength(option):
    """The strength points that the side has left."""
    return sum(sum(u["left"].values()) for u in option["units"].values())


@fault
def allocate_too_few(rng):
    """A hit less than is due, with strength left for it."""
    player, option, decision = allocation(rng)
    name = rng.choice(list(decision["hits"]))
    unit = option["units"][name]
    taken = decision["hits"][name]
    others = [b for b in taken if b != unit["lead"]]
    if not others:
        raise NotHere
    battalion = rng.choice(others)
    taken[battalion] -= 1
    if rng.random() < 0.5 and not taken[battalion]:
        del taken[battalion]
    return CASES.decided(player, decision)


@fault
def allocate_nothing(rng):
    """No hit at all."""
    player, _, decision = allocation(rng)
    decision["hits"] = {}
    decision.pop("retreat", None)
    return CASES.decided(player, decision)


@fault
def allocate_too_many(rng):
    """A hit more than is due."""
    player, option, decision = allocation(rng)
    if sum(sum(t.values()) for t in decision["hits"].values()) == strength(
        option
    ):
        raise NotHere
    due = sum(decision.get("retreat", {}).values())
    due += sum(sum(t.values()) for t in decision["hits"].values())
    if due < option["due"]:
        raise NotHere
    for name, unit in option["units"].items():
        taken = decision["hits"].get(name, {}).get(unit["lead"], 0)
        if taken < unit["left"][unit["lead"]]:
            decision["hits"].setdefault(name, {})[unit["lead"]] = taken + 1
            return CASES.decided(player, decision)
    raise NotHere


@fault
def allocate_beyond_strength(rng):
    """More hits than a battalion has strength for."""
    player, option, decision = allocation(rng)
    name = rng.choice(list(option["units"]))
    left = option["units"][name]["left"]
    battalion = rng.choice(list(left))
    decision["hits"].setdefault(name, {})[battalion] = left[battalion] + 1
    return CASES.decided(player, decision)


def moved_hit(rng, wanted, moved):
    """Move hits of a lead that has so many to another battalion."""
    player, option, decision = allocation(rng)
    for name, taken in decision["hits"].items():
        unit = option["units"][name]
        lead = unit["lead"]
        if taken.get(lead, 0) != wanted:
            continue
        for battalion, left in unit["left"].items():
            if battalion == lead:
                continue
            count = taken.get(battalion, 0) + moved
            if count > left or (wanted > 1 and count < 2):
                continue
            taken[battalion] = count
            taken[lead] -= moved
            if not taken[lead]:
                del taken[lead]
            return CASES.decided(player, decision)
    raise NotHere


@fault
def allocate_lead_spared(rng):
    """The first hit for another battalion than the lead."""
    return moved_hit(rng, 1, 1)


@fault
def allocate_second_before_lead(rng):
    """A second hit for another battalion before the lead has two."""
    return moved_hit(rng, 2, 1)


@fault
def allocate_other_unit(rng):
    """Hits for a unit or a battalion that is not there."""
    player, option, decision = allocation(rng)
    combat = player.scenario["combat"]
    others = [
        unit
        for side in imaginations.SIDES
        for unit in combat[side]["units"]
    ]
    other = rng.choice(others)
    if rng.random() < 0.5:
        name = rng.choice(list(decision["hits"]))
        battalions = [
            b["id"]
            for b in other["battalions"]
            if b["id"] not in option["units"][name]["left"]
        ] + ["zz-zz", ""]
        decision["hits"][name][rng.choice(battalions)] = 1
    elif other["id"] in option["units"]:
        decision["hits"]["zz-zz"] = {"zz-zz": 1}
    else:
        decision["hits"][other["id"]] = {other["battalions"][0]["id"]: 1}
    return CASES.decided(player, decision)


@fault
def allocate_bad_count(rng):
    """A number of hits that is none."""
    player, _, decision = allocation(rng)
    name = rng.choice(list(decision["hits"]))
    taken = decision["hits"][name]
    bad = rng.choice(("1", -1, None, True, [], 1.5))
    taken[rng.choice(list(taken))] = bad
    scenario, place = CASES.decided(player, decision)
    return scenario, named(bad, place)


@fault
def allocate_no_object(rng):
    """Hits of a unit that are no object."""
    player, _, decision = allocation(rng)
    name = rng.choice(list(decision["hits"]))
    decision["hits"][name] = rng.choice((1, "x", [], None, True))
    return CASES.decided(player, decision)


@fault
def retreat_beyond_room(rng):
    """A retreat farther than there is room."""
    player, option, decision = allocation(rng)
    name = rng.choice(list(decision["hits"]))
    retreat = decision.setdefault("retreat", {})
    retreat[name] = option["units"][name]["room"] + 1
    return CASES.decided(player, decision)


@fault
def retreat_without_hit(rng):
    """A retreat of a unit that takes no hit, in place of another's."""
    player, option, decision = allocation(rng)
    unhurt = [
        name
        for name, unit in option["units"].items()
        if name not in decision["hits"] and unit["room"]
    ]
    if not unhurt or not decision.get("retreat"):
        raise NotHere
    gone = rng.choice(list(decision["retreat"]))
    if decision["retreat"][gone] != 1:
        raise NotHere
    del decision["retreat"][gone]
    decision["retreat"][rng.choice(unhurt)] = 1
    return CASES.decided(player, decision)


@fault
def retreat_of_the_destroyed(rng):
    """A retreat of a unit that has no strength left."""
    player, option, decision = allocation(rng)
    for name, unit in option["units"].items():
        needed = sum(unit["left"].values())
        if unit["room"] and 0 < needed < option["due"]:
            decision["hits"] = {name: dict(unit["left"])}
            decision["retreat"] = {name: 1}
            return CASES.decided(player, decision)
    raise NotHere


@fault
def retreat_bad(rng):
    """A retreat that is none, or of a unit that is not there."""
    player, option, decision = allocation(rng)
    name = rng.choice(list(decision["hits"]))
    bad = rng.choice(
        (
            {name: "1"}, {name: -1}, {name: True}, {name: None}, {"zz-zz": 1},
            {"": 1}, [], "x", 1,
        )
    )
    decision["retreat"] = bad
    return CASES.decided(player, decision)


enter_fact_faults()


# --- Cases that the text leaves open ---


def doubts(rng):
    """List (name, scenario) where the printed text allows two answers."""
    cases = []

    def add(name, change):
        scenario = random_scenario(rng)
        while "bag" not in scenario["combat"]:
            scenario = random_scenario(rng)
        change(scenario["combat"])
        cases.append((name, scenario))

    def share_ids(combat):
        unit = combat["attacker"]["units"][0]
        unit["id"] = unit["battalions"][0]["id"]

    add("objective of the attacker",
        lambda c: c["attacker"].update(objective=False))
    add("a unit named as a battalion", share_ids)
    add("a chit without faces",
        lambda c: c["bag"][0].update(front=None, back=None))
    add("a face without effects",
        lambda c: c["bag"][0].update(front={"effects": []}))
    add("conditions without any",
        lambda c: c["bag"][0].update(front={"when": {}, "effects": ["A1"]}))
    add("terrain with a capital", lambda c: c.update(terrain="Hill"))
    add("ratio 0",
        lambda c: c["bag"][0].update(
            front={"when": {"ratio": 0}, "effects": ["A1"]}))
    add("effect of 0",
        lambda c: c["bag"][0].update(front={"effects": ["A0"]}))
    add("terrain empty", lambda c: c.update(terrain=""))
    add("terrain cover", lambda c: c.update(terrain="cover"))
    return cases


CASES.doubts = doubts
