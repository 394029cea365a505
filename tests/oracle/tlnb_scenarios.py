# SPDX-License-Identifier: ISC
"""Random lawful scenarios of tlnb, for tlnb_cases.py.

All three kinds, every terrain, hexside, weather and flag, tables of a game's
own with every code, stakes, stacked artillery, overruns; what chance alone
brings too seldom is made more frequent by theme.
"""

from fractions import Fraction

import tlnb_facts
from cases import random_id

CRT_CODES = (
    "Ar", "Ar*", "Ar2", "Ar3", "Ar9", "Dr", "Dr*", "Dr2", "Dr4", "Dr7",
    "Sk", "Sk", "1R", "Ex", "Ex", "Ae", "De",
)
SHOCK_CODES = (
    "Ar", "Ar2", "Ar5", "Dr", "Dr2", "Dr8", "1R", "Ex", "Ae", "De",
)
BOMBARDMENT_CODES = ("-", "S", "Dr", "1R", "2R", "1E")
CHARGE_CODES = ("OR", "Ae", "Ae0", "Ae1", "Pr", "Pr1", "Pr2", "Pr3", "Pr9")

# Weights of infantry, cavalry, artillery and vedettes.
ARMIES = (
    (4, 2, 2, 1), (1, 1, 1, 0), (3, 1, 0, 1), (0, 1, 0, 0), (0, 0, 1, 0),
    (1, 4, 2, 2), (0, 0, 0, 1), (2, 0, 3, 2),
)
HEXES = ("0412", "0413", "Hill 9", "Möckern")


# --- Tables ---


def random_codes(rng, codes):
    """Take some of the codes only, so that each turns up often."""
    if codes is CRT_CODES and rng.random() < 0.5:
        stars = ["Ar*", "Dr*"]
        return rng.choice((stars, stars, stars, ["Ex"], ["Sk"], ["Dr"]))
    if codes is BOMBARDMENT_CODES and rng.random() < 0.4:
        return ["Dr"]
    if codes is SHOCK_CODES and rng.random() < 0.3:
        return ["Ae", "De", "Ex"]
    return rng.sample(codes, rng.randint(1, min(5, len(codes))))


def random_tables(rng):
    """Make some whole tables."""
    tables = {}
    if rng.random() < 0.7:
        codes = random_codes(rng, CRT_CODES)
        tables["crt"] = [
            [rng.choice(codes) for _ in range(12)] for _ in range(6)
        ]
    if rng.random() < 0.7:
        codes = random_codes(rng, BOMBARDMENT_CODES)
        tables["bombardment"] = {
            str(row): [rng.choice(codes) for _ in range(5)]
            for row in range(-1, 8)
        }
    if rng.random() < 0.7:
        codes = random_codes(rng, CHARGE_CODES)
        tables["charge"] = [
            [rng.choice(codes) for _ in range(4)] for _ in range(6)
        ]
    if rng.random() < 0.5:
        codes = random_codes(rng, SHOCK_CODES)
        tables["shock"] = {
            str(row): rng.choice(codes) for row in range(-3, 4)
        }
    return tables


# --- Units ---


def random_unit(rng, taken, arm, mood):
    """Make a lawful unit; the mood makes the units of a side alike."""
    unit = {"id": random_id(rng, taken), "arm": arm}
    unit["sp"] = rng.randint(1, mood["strength"])
    if rng.random() < 0.01:
        unit["sp"] = rng.choice((9999, 500))
    if rng.random() < 0.55:
        unit["reduced_sp"] = rng.randint(1, unit["sp"])
        if rng.random() < mood["reduced"]:
            unit["reduced"] = True
    elif rng.random() < 0.1:
        unit["reduced_sp"] = None
    unit["initiative"] = rng.randint(0, 6)
    if rng.random() < 0.02:
        unit["initiative"] = 9999
    for flag in ("demoralized", "suppressed"):
        if rng.random() < mood[flag]:
            unit[flag] = True
    for flag in ("halved", "out_of_supply", "out_of_command"):
        if rng.random() < 0.12:
            unit[flag] = rng.random() < 0.9
    if rng.random() < 0.25 and arm in ("artillery", "infantry"):
        unit["bombarded"] = rng.random() < 0.9
    if arm == "cavalry" and rng.random() < mood["overrunning"]:
        unit["overrunning"] = rng.random() < 0.9
    if rng.random() < mood["hexes"]:
        unit["hex"] = rng.choice(HEXES[: rng.randint(1, len(HEXES))])
    return unit


def random_mood(rng, strength):
    """Say what the units of a side have in common."""
    return {
        "strength": strength,
        "reduced": rng.choice((0, 0.3, 0.8)),
        "demoralized": rng.choice((0, 0, 0.3, 1)),
        "suppressed": rng.choice((0, 0, 0.2, 1)),
        "overrunning": rng.choice((0, 0, 0.5)),
        "hexes": rng.choice((0, 0, 0.6, 1)),
    }


def random_units(rng, taken, strength, weights=None):
    """Make the units of a side."""
    weights = weights or rng.choice(ARMIES)
    count = rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 8))
    if rng.random() < 0.01:
        count = 40
    mood = random_mood(rng, strength)
    arms = rng.choices(tlnb_facts.ARMS, weights, k=count)
    if min(weights[:3]) > 0 and rng.random() < 0.6:
        arms[:3] = tlnb_facts.ARMS[:3]
    return [random_unit(rng, taken, arm, mood) for arm in arms]


def random_flags(rng, combat, names, chance=0.3):
    """Set some flags."""
    for name in names:
        if rng.random() < chance:
            combat[name] = rng.random() < 0.85


def random_word(rng, combat, name, words, chance=0.6):
    """Say one of the words now and then."""
    if rng.random() < chance:
        combat[name] = rng.choice(words)


def random_skies(rng, combat):
    """Say how the weather is."""
    random_word(rng, combat, "weather", tlnb_facts.WEATHERS)


# --- The three kinds ---


def random_attack(rng):
    """Make the facts of an attack."""
    taken = set()
    strong, weak = rng.choice(
        ((6, 6), (2, 2), (12, 4), (4, 12), (20, 2), (2, 14), (9, 6))
    )
    combat = {
        "kind": "attack",
        "attackers": random_units(rng, taken, strong),
        "defenders": random_units(rng, taken, weak),
    }
    random_word(rng, combat, "terrain", tlnb_facts.TERRAINS, 0.5)
    random_word(rng, combat, "across", tlnb_facts.ATTACK_ACROSS, 0.5)
    random_skies(rng, combat)
    random_flags(rng, combat, ("mud", "improved_position"), 0.1)
    random_flags(rng, combat, ("chateau",), 0.25)
    random_flags(rng, combat, ("failed_repulse",), 0.12)
    random_word(rng, combat, "napoleon", tlnb_facts.SIDES, 0.3)
    if rng.random() < 0.35:
        combat["guard"] = rng.choice(
            ([], ["attacker"], ["defender"], ["attacker", "defender"],
             ["defender", "attacker"])
        )
    for side in tlnb_facts.SIDES:
        if rng.random() < 0.4:
            combat[side + "_stacked_artillery"] = [
                random_unit(rng, taken, "artillery", random_mood(rng, 8))
                for _ in range(rng.randint(0, 3))
            ]
    return combat


def lost_beside_guns(rng):
    """Make a shock that costs one side all that fought, but no guns."""
    tables = {
        "crt": [["Sk"] * 12] * 6,
        "shock": {
            str(row): rng.choice(("Ae", "De", "Ex")) for row in range(-3, 4)
        },
    }
    taken = set()
    combat = {"kind": "attack"}
    for side in tlnb_facts.SIDES:
        mood = random_mood(rng, rng.choice((2, 9)))
        mood.update(demoralized=0, suppressed=0, overrunning=0)
        combat[side + "s"] = [
            random_unit(rng, taken, "cavalry", mood)
            for _ in range(rng.randint(1, 2))
        ]
        combat[side + "_stacked_artillery"] = [
            random_unit(rng, taken, "artillery", mood)
            for _ in range(rng.randint(0, 2))
        ]
    return tables, combat


def random_bombardment(rng):
    """Make the facts of a bombardment."""
    taken = set()
    terrain = rng.choice((None, None, "clear", "town", "town", "marsh"))
    ranges = (1, 2) if terrain == "town" else (1, 2, 3)
    if rng.random() < 0.3:
        ranges = ranges[:2]
    top = rng.choice((1, 2, 4, 8, 20))
    batteries = [
        {
            "id": random_id(rng, taken),
            "sp": rng.randint(1, top),
            "range": rng.choice(ranges),
        }
        for _ in range(rng.choice((1, 1, 2, 3, 5)))
    ]
    target = {"units": random_units(rng, taken, 6)}
    if terrain:
        target["terrain"] = terrain
    if rng.random() < 0.1:
        target["chateau"] = False
    combat = {"kind": "bombardment", "batteries": batteries, "target": target}
    random_skies(rng, combat)
    random_flags(
        rng,
        combat,
        ("mud", "arf", "ammo_shortage", "grand_battery", "point_blank"),
    )
    random_flags(rng, combat, ("enfilade",), 0.5)
    return combat


def random_charge(rng):
    """Make the facts of a charge."""
    while True:
        taken = set()
        combat = {
            "kind": "charge",
            "cavalry": random_units(rng, taken, 8, (0, 1, 0, 0)),
            "target": random_units(rng, taken, rng.choice((3, 8, 14))),
        }
        theirs = sum(map(odds_strength, combat["target"]))
        if 4 * sum(map(odds_strength, combat["cavalry"])) >= theirs:
            break
    random_word(rng, combat, "terrain", ("clear", "marsh"), 0.3)
    random_word(rng, combat, "across", ("none", "crest", "bridge"), 0.4)
    random_skies(rng, combat)
    for flag in ("mud", "chateau", "improved_position"):
        if rng.random() < 0.1:
            combat[flag] = False
    return combat


def odds_strength(unit):
    """The strength of a unit for odds, from its facts."""
    sp = unit["reduced_sp"] if unit.get("reduced") else unit["sp"]
    return Fraction(sp, 2 if unit.get("halved") else 1)


def random_combat(rng):
    """Make the facts of a combat of any kind."""
    kind = rng.choices(
        (random_attack, random_bombardment, random_charge), (7, 3, 1.5)
    )[0]
    return kind(rng)


# --- Answers ---


def lawful_exchange(rng, option):
    """Name units for an exchange, the overrunning cavalry first."""
    first = list(option["first"])
    others = [name for name in option["worth"] if name not in first]
    rng.shuffle(first)
    rng.shuffle(others)
    if rng.random() < 0.3:
        others.sort(key=option["worth"].get)
    named = []
    paid = 0
    for name in first + others:
        if 2 * paid >= option["weaker"] and rng.random() < 0.85:
            break
        named.append(name)
        paid += option["worth"][name]
    rng.shuffle(named)
    return named


def lawful_decision(rng, pending, scenario):
    """Answer an open question lawfully, at random."""
    decision = {"kind": pending["kind"]}
    for member, option in pending["options"].items():
        if "rule" in option:
            decision[member] = lawful_exchange(rng, option)
        elif "one" in option:
            decision[member] = rng.choice(option["one"])
        else:
            ids = list(option["some"])
            low, high = option.get("min", 0), option.get("max", len(ids))
            count = rng.choice((low, rng.randint(low, high)))
            decision[member] = rng.sample(ids, count)
    return decision
