# SPDX-License-Identifier: ISC
"""Random lawful scenarios of imagi-nations, for imaginations_cases.py.

Every tactic, terrain, quality, condition and effect, bags of their own,
battalions and leads without strength, more hits than strength; bags have a
temper, so that what chance alone brings too seldom turns up often.
"""

import os

import imaginations
from cases import random_id

TERRAINS = ("village", "woods", "hill", "works", "sunken road")
QUALITIES = tuple(imaginations.QUALITIES)
# Weights of hits by the attacker, by the defender, fewer of either, F, M.
TEMPERS = (
    (3, 3, 1, 1, 1, 1),
    (6, 1, 0, 0, 1, 1),
    (1, 6, 0, 0, 1, 1),
    (1, 1, 3, 3, 2, 2),
    (0, 0, 0, 0, 3, 3),
    (5, 5, 0, 0, 0, 2),
    (0, 0, 1, 1, 0, 0),
)
BAG_CHANCE = 0.04  # of a combat with the program's own bag


# --- Sides ---


def random_battalion(rng, taken, mood):
    """Make a lawful battalion."""
    sp = rng.randint(1, mood["sp"])
    battalion = {
        "id": random_id(rng, taken),
        "quality": rng.choice(mood["qualities"]),
        "sp": sp,
    }
    if rng.random() < mood["hurt"]:
        battalion["hits"] = rng.choice((0, sp, sp, rng.randint(0, sp)))
    return battalion


def random_unit(rng, taken, mood):
    """Make a lawful unit."""
    battalions = [
        random_battalion(rng, taken, mood)
        for _ in range(rng.choice((1, 2, 2, 3, 4)))
    ]
    unit = {
        "id": random_id(rng, taken),
        "lead": rng.choice(battalions)["id"],
        "battalions": battalions,
    }
    if rng.random() < 0.05:
        for battalion in battalions:
            battalion["hits"] = battalion["sp"]
    if mood["arm"] or rng.random() < 0.6:
        unit["arm"] = mood["arm"] or rng.choice(imaginations.ARMS)
    if rng.random() < 0.4:
        unit["commander"] = rng.randint(-1, 2)
    if rng.random() < 0.3:
        unit["fatigue"] = rng.randint(0, 4)
    if rng.random() < 0.3:
        unit["disordered"] = rng.random() < 0.8
    if rng.random() < 0.6:
        unit["morale"] = rng.randint(mood["morale"], 6)
    if rng.random() < 0.5:
        unit["retreat_room"] = rng.choice((0, 1, 1, 2))
    return unit


def random_modifiers(rng):
    """Make the modifiers of a side."""
    return [
        {
            "reason": rng.choice(("guns", "Grüne Grenze", "wavering", "x")),
            "value": rng.choice((-30, -3, -2, -1, 0, 1, 1, 2, 3, 12)),
            "kind": rng.choice(imaginations.MODIFIERS),
        }
        for _ in range(rng.randint(0, 4))
    ]


def random_side(rng, taken, arms):
    """Make a lawful side."""
    mood = {
        "arm": rng.choice(arms),
        "sp": rng.choice((1, 2, 4)),
        "hurt": rng.choice((0, 0.3, 0.8)),
        "morale": rng.choice((0, 0, 3)),
        "qualities": rng.choice(
            (QUALITIES, QUALITIES, ("raw",), ("elite", "veteran"))
        ),
    }
    count = rng.choice((1, 1, 1, 2, 2, 3, 4, 5))
    if rng.random() < 0.01:
        count = 20
    side = {"units": [random_unit(rng, taken, mood) for _ in range(count)]}
    if rng.random() < 0.6:
        side["modifiers"] = random_modifiers(rng)
    return side


# --- Bags ---


def random_effects(rng, temper):
    """Make the effects of a face."""
    kinds = ("A", "D", "A-", "D-", "F", "M")
    effects = []
    for kind in rng.choices(kinds, temper, k=rng.choice((1, 1, 1, 2, 3))):
        if kind in ("A", "D", "A-", "D-"):
            kind += str(rng.choice((1, 1, 1, 2, 2, 3, 12)))
        effects.append(kind)
    return effects


def random_when(rng):
    """Make the conditions of a face."""
    values = {
        "ratio": lambda: rng.choice((1, 1, 2, 2, 3, 5)),
        "ratio_against": lambda: rng.choice((1, 1, 2, 3)),
        "terrain": lambda: rng.choice(("open", "cover") + TERRAINS),
        "power": lambda: rng.choice(imaginations.SIDES),
        "tactic": lambda: rng.choice(imaginations.TACTICS),
        "arm": lambda: rng.choice(imaginations.ARMS),
    }
    keys = rng.sample(list(values), rng.choice((1, 1, 1, 2, 3)))
    return {key: values[key]() for key in keys}


def random_face(rng, temper):
    """Make one face of a chit, or none."""
    if rng.random() < 0.15:
        return None
    face = {"effects": random_effects(rng, temper)}
    if rng.random() < 0.7:
        face["when"] = random_when(rng)
    return face


def random_bag(rng, count):
    """Make a bag of chits."""
    taken = set()
    temper = rng.choice(TEMPERS)
    return [
        {
            "id": random_id(rng, taken, ("c", "chit")),
            "front": random_face(rng, temper),
            "back": random_face(rng, temper),
            "takes": rng.choice(("front", "back", "both")),
        }
        for _ in range(count)
    ]


def random_combat(rng):
    """Make the facts of a combat."""
    taken = set()
    combat = {
        "attacker": random_side(
            rng, taken, (None, "infantry", "cavalry", "cavalry")
        ),
        "defender": random_side(rng, taken, (None,) + imaginations.ARMS),
    }
    if rng.random() < 0.3:
        combat["defender"]["objective"] = rng.random() < 0.8
    arms = {u.get("arm") for u in combat["defender"]["units"]}
    if rng.random() < 0.9 if arms == {"cavalry"} else rng.random() < 0.3:
        combat["defender"]["can_evade"] = (
            arms == {"cavalry"} and rng.random() < 0.9
        )
    if rng.random() < 0.9:
        combat["terrain"] = rng.choice(("open", "open", "open") + TERRAINS)
    is_there = os.path.exists(imaginations.BAG_FILE)
    if not is_there or rng.random() >= BAG_CHANCE:
        combat["bag"] = random_bag(rng, rng.choice((8, 9, 12, 20)))
    return combat


# --- Answers ---


def lawful_hits(rng, option):
    """Spread hits and retreats one by one: (hits, retreats).

    Where units that retreated leave too little strength for the hits that
    are due, all is spread once more without retreats.
    """
    hits, retreats, rest = spread_hits(
        rng, option, rng.choice((0, 0.3, 0.9))
    )
    if rest and any(retreats.values()):
        hits, retreats, _ = spread_hits(rng, option, 0)
    return hits, retreats


def spread_hits(rng, option, fondness):
    """Spread hits as fond of retreats: (hits, retreats, what remains)."""
    units = option["units"]
    hits = {name: {} for name in units}
    retreats = {name: 0 for name in units}
    rest = option["due"]
    for _ in range(option["due"]):
        left = {
            name: sum(unit["left"].values()) - sum(hits[name].values())
            for name, unit in units.items()
        }
        blows = [
            (name, battalion)
            for name, unit in units.items()
            for battalion in unit["left"]
            if may_take(unit, hits[name], battalion)
            and left[name] > (retreats[name] > 0)
        ]
        back = [
            name
            for name, unit in units.items()
            if hits[name] and left[name] and retreats[name] < unit["room"]
        ]
        if not blows and not (back and fondness):
            break
        rest -= 1
        if back and (not blows or rng.random() < fondness):
            retreats[rng.choice(back)] += 1
        elif blows:
            name, battalion = rng.choice(blows)
            taken = hits[name].get(battalion, 0)
            hits[name][battalion] = taken + 1
    return hits, retreats, rest


def may_take(unit, hits, battalion):
    """Tell whether a battalion may take the next hit."""
    if hits.get(battalion, 0) >= unit["left"][battalion]:
        return False
    lead = unit["lead"]
    if battalion == lead:
        return True
    needed = 1 if hits.get(battalion, 0) == 0 else 2
    return hits.get(lead, 0) >= min(needed, unit["left"][lead])


def lawful_allocation(rng, option):
    """Answer the question for hits."""
    hits, retreats = lawful_hits(rng, option)
    decision = {
        "kind": "allocate",
        "hits": {name: taken for name, taken in hits.items() if taken},
    }
    retreats = {name: n for name, n in retreats.items() if n}
    if retreats:
        decision["retreat"] = retreats
    return decision


def lawful_decision(rng, pending, scenario):
    """Answer an open question lawfully, at random."""
    if pending["kind"] == "allocate":
        return lawful_allocation(rng, pending["options"]["hits"])
    decision = {"kind": pending["kind"]}
    for member, option in pending["options"].items():
        if "one" in option:
            decision[member] = rng.choice(option["one"])
        elif "int" in option:
            low, high = option["int"]
            decision[member] = rng.choice((low, high, rng.randint(low, high)))
        else:
            ids = [name for name in option["some"] if rng.random() < 0.6]
            rng.shuffle(ids)
            decision[member] = ids
    return decision
