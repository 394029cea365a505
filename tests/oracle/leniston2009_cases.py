# SPDX-License-Identifier: ISC
"""Random combats of leniston-2009, lawful and with one fault: see cases.py.

All five rules, grades, states, formations, orders, positions, flags and
rulings; casualties are often near the six that rout.
"""

import leniston2009
from cases import (
    BAD_BOOLS,
    BAD_COUNTS,
    BAD_IDS,
    BAD_OBJECTS,
    Cases,
    named,
    random_id,
)
from leniston2009 import (
    FLAGS,
    FORMATIONS,
    FORMED,
    GRADES,
    ORDERS,
    POSITIONS,
    RULES,
)

SIDES = ("attacker", "defender")
WEIGHTS = {"skirmish": 3}

# --- Lawful scenarios ---


def random_brigade(rng, taken):
    """Make a brigade as it may be on either side."""
    brigade = {"id": random_id(rng, taken)}
    for key in ("class", "fire", "skirmish"):
        brigade[key] = rng.choice(GRADES)
    if rng.random() < 0.3:
        brigade["arm"] = "infantry"
    if rng.random() < 0.6:
        brigade["casualties"] = rng.choice((0, 0, 1, 1, 2, 3, 4, 5))
    if rng.random() < 0.8:
        brigade["formation"] = rng.choice(FORMATIONS)
    if rng.random() < 0.5:
        brigade["position"] = rng.choice(POSITIONS)
    if rng.random() < 0.5:
        brigade["orders"] = rng.choice(ORDERS)
    for key in ("skirmished", "deployed_artillery"):
        if rng.random() < 0.3:
            brigade[key] = rng.random() < 0.8
    if rng.random() < 0.7:
        chance = rng.choice((0.2, 0.4, 0.6))
        brigade["morale"] = {
            flag: rng.random() < 0.85
            for flag in FLAGS
            if rng.random() < chance
        }
    return brigade


def make_equal(rng, combat):
    """Make both sides as good as each other, but for a garrison."""
    attacker, defender = combat["attacker"], combat["defender"]
    for key in ("class", "fire", "casualties", "formation", "state"):
        defender.pop(key, None)
        if key in attacker:
            defender[key] = attacker[key]
    if combat["rule"] != "skirmish":
        defender["skirmish"] = attacker["skirmish"]
    for brigade in (attacker, defender):
        brigade.pop("outnumbered", None)
    defender.pop("garrison", None)


def make_steady(rng, attacker, defender):
    """Make a skirmish that shakes nobody who is not shaken already."""
    attacker["skirmish"] = "A"
    attacker.pop("casualties", None)
    attacker.pop("outnumbered", None)
    defender.pop("position", None)
    defender.pop("casualties", None)
    defender["class"] = "A"
    defender["state"] = rng.choice(("disordered", "shaken"))
    defender["morale"] = {
        flag: True for flag, value in FLAGS.items() if value > 0
    }
    defender["morale"]["pursuit"] = rng.random() < 0.5


def random_scenario(rng):
    """Make a lawful scenario without a script."""
    names = list(RULES)
    rule = rng.choices(names, [WEIGHTS.get(name, 1) for name in names])[0]
    taken = set()
    attacker = random_brigade(rng, taken)
    defender = random_brigade(rng, taken)
    combat = {"rule": rule, "attacker": attacker, "defender": defender}
    orders, positions = RULES[rule]
    attacker["orders"] = rng.choice(orders)
    position = rng.choice(positions)
    if position != "open" or rng.random() < 0.5:
        defender["position"] = position
    else:
        defender.pop("position", None)
    if rng.random() < 0.3:
        attacker["state"] = "formed"
    if rng.random() < 0.6:
        defender["state"] = rng.choice(
            ("formed", "disordered", "disordered", "shaken", "shaken")
        )
    if rng.random() < 0.4:
        side = rng.choice((attacker, defender))
        side["outnumbered"] = rng.random() < 0.85
    if rng.random() < 0.4:
        defender["garrison"] = rng.random() < 0.85
    if rule == "bua-inside" and rng.random() < 0.5:
        combat[rng.choice(("follows_edge", "follows_inside"))] = True
        attacker["state"] = rng.choice(("formed", "disordered", "disordered"))
    elif rng.random() < 0.1:
        combat[rng.choice(("follows_edge", "follows_inside"))] = False
    if rule == "firefight":
        attacker["skirmished"] = False
        if rng.random() < 0.5:
            del attacker["skirmished"]
    if rule == "skirmish":
        grades = rng.choice((("A", "B"), ("A", "C"), ("B", "C")))
        attacker["skirmish"], defender["skirmish"] = grades
    silent = rule == "skirmish" and defender.get("orders") in (
        "attack", "retire")
    for brigade in (attacker,) if silent else (attacker, defender):
        if rule in FORMED:
            brigade.setdefault("formation", rng.choice(FORMATIONS))
    if rng.random() < 0.25:
        make_equal(rng, combat)
    if rule == "skirmish" and rng.random() < 0.3:
        make_steady(rng, attacker, defender)
    scenario = {"system": "leniston-2009", "combat": combat}
    CASES.random_rulings(rng, scenario)
    return scenario


def lawful_decision(rng, pending, scenario):
    """Skirmish back or not, at random."""
    (member, option), = pending["options"].items()
    return {"kind": pending["kind"], member: rng.choice(option["one"])}


def spare_dice(scenario):
    """The dice that a program may roll behind an unlawful decision."""
    dice = {"combat": [3, 4]}
    for side in SIDES:
        name = scenario["combat"][side]["id"]
        for word in ("skirmish", "morale"):
            dice["%s/%s" % (word, name)] = [3]
    return dice


CASES = Cases(
    leniston2009.SYSTEM,
    random_scenario,
    lawful_decision,
    spare_dice,
    shapes=("one",),
)

# --- Faults of the facts ---


def spoil(key, values, side=None, name=None):
    """Enter a fault that sets a brigade's member to a wrong value."""

    def change(rng, combat):
        which = side or rng.choice(SIDES)
        combat[which][key] = rng.choice(values)
        return named(combat[which][key], "combat.%s.%s" % (which, key))

    CASES.fact_fault(name or "brigade_" + key, change)


def enter_member_faults():
    """Enter the faults of single members."""
    spoil("id", BAD_IDS)
    spoil("arm", ("cavalry", "artillery", "", "Infantry", 1, None))
    for key in ("class", "fire", "skirmish"):
        spoil(key, ("D", "a", "", 1, None, ["A"]))
    spoil("casualties", BAD_COUNTS)
    spoil("casualties", (6, 7, 9999), name="six_casualties")
    spoil("state", ("broken", "", 1, None))
    spoil("state", ("rout",), name="routing")
    spoil("formation", ("march", "Line", "", 1, None))
    spoil("orders", ("charge", "", 1, None))
    spoil("position", ("hill", "", 1, None))
    for key in ("outnumbered", "skirmished", "garrison", "deployed_artillery"):
        spoil(key, BAD_BOOLS[:-1])
    spoil("morale", ([], "x", 1, ["in_bua"]))
    spoil("shaken", (True, None), name="brigade_unknown")
    spoil("garrison", (True,), "attacker", "garrison_attacks")
    spoil("state", ("shaken",), "attacker", "attacker_shaken")


def fact(function):
    """Enter a fault of the facts under the function's name."""
    CASES.fact_fault(function.__name__, function)
    return function


def set_rule(rng, combat, rule):
    """Change a combat to another rule that its facts allow."""
    orders, positions = RULES[rule]
    combat["rule"] = rule
    combat.pop("follows_edge", None)
    combat.pop("follows_inside", None)
    combat["attacker"].update(
        state="formed", orders=rng.choice(orders), skirmished=False
    )
    combat["defender"]["position"] = rng.choice(positions)
    for side in SIDES:
        combat[side].setdefault("formation", rng.choice(FORMATIONS))
    if rule == "skirmish":
        combat["attacker"]["skirmish"] = "A"
        combat["defender"]["skirmish"] = rng.choice(("B", "C"))


@fact
def brigade_without(rng, combat):
    """A brigade that lacks what it needs."""
    side = rng.choice(SIDES)
    del combat[side][rng.choice(("id", "class", "fire", "skirmish"))]
    return "combat." + side


@fact
def combat_without(rng, combat):
    """A combat that lacks what it needs."""
    del combat[rng.choice(("rule", "attacker", "defender"))]


@fact
def combat_unknown(rng, combat):
    """An unknown member."""
    combat[rng.choice(("terrain", "Rule"))] = rng.choice(("open", None))


@fact
def rule_unknown(rng, combat):
    """A rule that does not exist."""
    combat["rule"] = rng.choice(("bua", "Melee", "", 13, None))
    return "combat.rule"


@fact
def side_no_object(rng, combat):
    """A side that is no object."""
    side = rng.choice(SIDES)
    combat[side] = rng.choice(BAD_OBJECTS)
    return "combat." + side


@fact
def follows_bad(rng, combat):
    """A flag that is neither true nor false."""
    name = rng.choice(("follows_edge", "follows_inside"))
    combat[name] = rng.choice(BAD_BOOLS[:-1])
    return "combat." + name


@fact
def follows_both(rng, combat):
    """A fight that goes on from the edge and from inside."""
    combat["follows_edge"] = combat["follows_inside"] = True
    return "combat.follows_inside"


@fact
def morale_flag_unknown(rng, combat):
    """A flag that morale does not know."""
    side = rng.choice(SIDES)
    flag = rng.choice(("in_woods", "", "General_attached"))
    combat[side].setdefault("morale", {})[flag] = True
    return "combat.%s.morale" % side


@fact
def morale_flag_bad(rng, combat):
    """A flag that is neither true nor false."""
    side = rng.choice(SIDES)
    flag = rng.choice(list(FLAGS))
    flags = combat[side].setdefault("morale", {})
    flags[flag] = rng.choice(BAD_BOOLS[:-1])
    return "combat.%s.morale.%s" % (side, flag)


@fact
def same_id(rng, combat):
    """Both brigades under one id."""
    combat["defender"]["id"] = combat["attacker"]["id"]


@fact
def attacker_disordered(rng, combat):
    """A disordered attacker that goes on with no fight (18)."""
    for name in ("follows_edge", "follows_inside"):
        combat.pop(name, None)
        if combat["rule"] == "bua-inside" and rng.random() < 0.5:
            combat[name] = False
    combat["attacker"]["state"] = "disordered"
    return "combat.attacker"


@fact
def both_outnumbered(rng, combat):
    """Both sides outnumbered."""
    for side in SIDES:
        combat[side]["outnumbered"] = True


@fact
def orders_do_not_allow(rng, combat):
    """Orders of the attacker that do not allow the rule."""
    orders, _ = RULES[combat["rule"]]
    combat["attacker"]["orders"] = rng.choice(
        [o for o in ORDERS if o not in orders]
    )
    return "combat.attacker.orders"


@fact
def orders_missing(rng, combat):
    """An attacker without orders, which allow no rule then."""
    del combat["attacker"]["orders"]
    return "combat.attacker"


@fact
def position_does_not_allow(rng, combat):
    """A position of the defender that the rule is not for."""
    rule = rng.choice([r for r in RULES if r != "skirmish"])
    set_rule(rng, combat, rule)
    _, positions = RULES[rule]
    position = rng.choice([p for p in POSITIONS if p not in positions])
    combat["defender"]["position"] = position
    if position == "open" and rng.random() < 0.5:
        del combat["defender"]["position"]


@fact
def formation_missing(rng, combat):
    """A brigade on whose formation a factor hangs, and that states none."""
    set_rule(rng, combat, rng.choice(FORMED))
    side = rng.choice(SIDES)
    combat["defender"]["orders"] = rng.choice(RULES["skirmish"][0])
    del combat[side]["formation"]
    return "combat." + side


@fact
def firefight_after_skirmish(rng, combat):
    """A brigade that skirmished and starts a firefight."""
    set_rule(rng, combat, "firefight")
    combat["attacker"]["skirmished"] = True
    return "combat.attacker"


@fact
def skirmish_no_better(rng, combat):
    """A skirmish started by those who are no better at it."""
    set_rule(rng, combat, "skirmish")
    grades = rng.choice(
        (("A", "A"), ("B", "B"), ("C", "C"), ("B", "A"), ("C", "B"))
    )
    combat["attacker"]["skirmish"], combat["defender"]["skirmish"] = grades


enter_member_faults()
