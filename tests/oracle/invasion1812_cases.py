# SPDX-License-Identifier: ISC
"""Random combats of invasion-1812, lawful and with one fault: see cases.py.

All unit types, states, histories, terrains, fortified cities and rulings,
supports with and without commanders, and commanders alone; what chance alone
brings too seldom is made by a theme.
"""

import copy

import invasion1812
from cases import (
    BAD_BOOLS,
    BAD_COUNTS,
    BAD_IDS,
    BAD_LISTS,
    BAD_OBJECTS,
    Cases,
    NotHere,
    named,
    pick,
    random_id,
)
from invasion1812 import TERRAINS, TYPES

SIDES = ("attacker", "defender")

# --- Lawful scenarios ---

# What a combat is about: sizes of the two stacks, numbers of supports, the
# highest CF, weights of the types in either stack, and the chance that a
# unit is disrupted already.
THEMES = {
    "even": ((1, 5), (1, 5), (0, 2), (0, 2), 3, (4, 2, 2), (4, 2, 2), 0.2),
    "close": ((2, 4), (2, 4), (0, 1), (0, 1), 1, (3, 3, 1), (3, 2, 1), 0.3),
    "horse": ((1, 4), (1, 4), (0, 1), (0, 1), 2, (3, 5, 1), (5, 1, 1), 0.4),
    "slip": ((1, 3), (1, 3), (0, 2), (0, 1), 2, (3, 0, 2), (0, 1, 0), 0.2),
    "thin": ((1, 3), (1, 2), (0, 3), (0, 3), 4, (4, 3, 1), (5, 1, 1), 0.6),
    "broken": ((1, 3), (1, 3), (0, 2), (0, 3), 2, (4, 3, 1), (4, 2, 1), 1.0),
    "weak": ((1, 2), (2, 4), (2, 4), (0, 3), 1, (4, 2, 1), (4, 2, 2), 0.2),
    "strong": ((3, 6), (1, 2), (1, 3), (0, 1), 9, (4, 2, 2), (4, 1, 1), 0.3),
    "leaders": ((1, 4), (0, 0), (0, 1), (0, 1), 2, (4, 2, 2), (4, 2, 2), 0.2),
    "mass": ((9, 16), (9, 16), (2, 4), (2, 4), 3, (4, 2, 2), (4, 2, 2), 0.2),
}
WEIGHTS = (5, 5, 6, 1, 6, 3, 3, 3, 1, 0.5)


# What chance alone brings too seldom, in combats of few units.
RARE = [c for c in invasion1812.CLAUSES if "emptied by the pursuit" in c]
RARE += [c for c in invasion1812.CLAUSES if "by exactly" in c]
RARE += ["11.19 after a tie"]


def random_unit(rng, taken, weights, top, disrupted):
    """Make a unit."""
    unit = {
        "id": random_id(rng, taken),
        "type": rng.choices(TYPES, weights)[0],
    }
    if rng.random() < 0.8:
        unit["cf"] = rng.randint(0, top)
        if rng.random() < 0.01:
            unit["cf"] = 9999
    if rng.random() < disrupted:
        unit["disrupted"] = True
    elif rng.random() < 0.1:
        unit["disrupted"] = False
    return unit


def random_history(rng, stack, attacks):
    """Give a stack what it did before in the turn, and a river."""
    if rng.random() < 0.25:
        stack["force_marched"] = rng.random() < 0.85
    if rng.random() < 0.3:
        stack["fought"] = rng.choice((0, 1, 1, 2, 3, 9999))
    if attacks and rng.random() < 0.35:
        stack["across_river"] = rng.random() < 0.85
    if rng.random() < 0.15:
        stack["others_in_hex"] = rng.random() < 0.7


def random_commanders(rng, taken, stack, low=0):
    """Give a stack commanders."""
    count = rng.choice((0, 0, 1, 1, 2, 3))
    count = max(count, low)
    if count or rng.random() < 0.1:
        stack["commanders"] = [
            {
                "id": random_id(rng, taken, ("ney", "mac", "kut")),
                "cr": rng.choice((0, 1, 2, 3, 3, 4, 5, 9999)),
            }
            for _ in range(count)
        ]


def random_stack(rng, taken, attacks, size, weights, theme, disrupted):
    """Make a stack."""
    top = theme[4]
    stack = {
        "units": [
            random_unit(rng, taken, weights, top, disrupted)
            for _ in range(rng.randint(*size))
        ]
    }
    random_commanders(rng, taken, stack, 0 if stack["units"] else 1)
    random_history(rng, stack, attacks)
    return stack


def chase(rng):
    """Make a combat after which cavalry may cut down the last defender."""
    horse = [
        {"id": "hussars-%d" % i, "type": "cavalry"}
        for i in range(rng.randint(2, 4))
    ]
    foot = [
        {"id": "jaeger-%d" % i, "type": "infantry"}
        for i in range(rng.randint(3, 5))
    ]
    combat = {
        "terrain": "clear",
        "attacker": {"stack": {"units": horse}},
        "defender": {"stack": {"units": foot[:1]}},
    }
    combat["defender"]["supports"] = [{"units": foot[1:]}]
    if rng.random() < 0.3:
        foot[0]["disrupted"] = True
        horse[0]["cf"] = 0
    ruling = rng.choice(invasion1812.RULINGS["advance_into_emptied_hex"])
    return {
        "system": "invasion-1812",
        "rulings": {"advance_into_emptied_hex": ruling},
        "combat": combat,
    }


def duel(rng):
    """Make a combat of a unit and a commander against two units."""
    leader = [{"id": "eugene", "cr": rng.randint(0, 3)}]
    horse = {"id": "dragoons", "type": "cavalry", "cf": 2}
    foot = [
        {"id": "jaeger-%d" % i, "type": "infantry", "cf": rng.randint(0, 2)}
        for i in range(2)
    ]
    attacker = [{"id": "guard", "type": "infantry", "cf": 3}]
    if rng.random() < 0.5:
        attacker.append(horse)
    return {
        "system": "invasion-1812",
        "combat": {
            "terrain": rng.choice(TERRAINS),
            "attacker": {"stack": {"units": attacker, "commanders": leader}},
            "defender": {"stack": {"units": foot}},
        },
    }


def small(rng):
    """Make a combat of few units."""
    return rng.choice((chase, duel))(rng)


def random_scenario(rng):
    """Make a lawful scenario without a script."""
    theme = rng.choices(tuple(THEMES.values()), WEIGHTS)[0]
    taken = set()
    combat = {"terrain": rng.choice(TERRAINS)}
    if rng.random() < 0.35:
        combat["fortified_city"] = rng.random() < 0.85
    for i, name in enumerate(SIDES):
        disrupted = 0 if i == 0 else theme[7]
        side = {
            "stack": random_stack(
                rng, taken, i == 0, theme[i], theme[5 + i], theme, disrupted
            )
        }
        count = rng.randint(*theme[2 + i])
        if count or rng.random() < 0.1:
            side["supports"] = [
                random_stack(
                    rng, taken, i == 0, (1, 4), (4, 2, 2), theme, theme[7]
                )
                for _ in range(count)
            ]
        combat[name] = side
    scenario = {"system": "invasion-1812", "combat": combat}
    CASES.random_rulings(rng, scenario)
    return scenario


def lawful_hits(rng, options):
    """Allocate hits as 11.17 allows, at random; now and then all in one."""
    rule = options["units"]
    places = [
        [
            name
            for name, room in rule["room"].items()
            for _ in range(room)
            if (name in rule["stack"]) == on_stack
        ]
        for on_stack in (True, False)
    ]
    if rng.random() < 0.4:
        for names in places:
            rng.shuffle(names)
    count = rng.choice(
        range(
            max(rule["least"], rule["hits"] - len(places[1])),
            min(rule["hits"], len(places[0])) + 1,
        )
    )
    units = places[0][:count] + places[1][: rule["hits"] - count]
    rng.shuffle(units)
    decision = {"kind": "hits", "units": units}
    state = dict(rule["state"])
    for name in units:
        good = state[name] == "good"
        state[name] = "disrupted" if good else "eliminated"
    extras = []
    for stack in rule["stacks"]:
        disrupted = [name for name in stack if state[name] == "disrupted"]
        odd = sum(name in stack for name in units) % 2 == 1
        if odd and disrupted and rng.random() < 0.6:
            extras.append(rng.choice(disrupted))
    rng.shuffle(extras)
    if extras:
        one = len(extras) == 1 and rng.random() < 0.8
        decision["extra"] = extras[0] if one else extras
    return decision


def lawful_advance(rng, option):
    """Name some who advance; a commander goes with a unit."""
    ids = option.get("some") or option["units"]
    units = [name for name in ids if rng.random() < 0.6]
    if units:
        commanders = option.get("commanders", ())
        units += [name for name in commanders if rng.random() < 0.5]
    rng.shuffle(units)
    return {"kind": "advance", "units": units}


def lawful_decision(rng, pending, scenario):
    """Answer an open question lawfully, at random."""
    kind, options = pending["kind"], pending["options"]
    if kind == "hits":
        return lawful_hits(rng, options)
    if kind == "advance":
        return lawful_advance(rng, options["units"])
    if kind == "commander-escape":
        place = rng.choice((None, "Murat", "stack 3", "Вильна"))
        return {"kind": kind, "to": place}
    (member, option), = options.items()
    return {"kind": kind, member: rng.choice(option["one"])}


def spare_dice(scenario):
    """The dice that a program may roll behind an unlawful decision."""
    dice = {
        label: [3]
        for label in ("combat/attacker", "combat/defender", "hits-on-winner")
    }
    for stack, _ in stacks(scenario["combat"]):
        for commander in stack.get("commanders", ()):
            dice["commander/" + commander["id"]] = [3]
    return dice


CASES = Cases(
    invasion1812.SYSTEM,
    random_scenario,
    lawful_decision,
    spare_dice,
    lambda rng: CASES.seek(rng, RARE, small),
    rare_share=0.1,
    shapes=("some", "one"),
)
fault = CASES.fault
decided = CASES.decided

# --- Faults of the facts ---


def stacks(combat, side=None):
    """List (stack, its place), of a side or of both."""
    found = []
    for name in SIDES:
        if side not in (None, name):
            continue
        place = "combat." + name
        found.append((combat[name]["stack"], place + ".stack"))
        for i, stack in enumerate(combat[name].get("supports", ())):
            found.append((stack, "%s.supports[%d]" % (place, i)))
    return found


def pick_stack(rng, combat, side=None, test=lambda stack: True):
    """Pick (place, stack)."""
    _, (stack, place) = pick(
        rng, stacks(combat, side), lambda item: test(item[0])
    )
    return place, stack


def pick_unit(rng, combat, side=None):
    """Pick (place, unit)."""
    place, stack = pick_stack(rng, combat, side, lambda s: s["units"])
    i, unit = pick(rng, stack["units"])
    return "%s.units[%d]" % (place, i), unit


def pick_commander(rng, combat):
    """Pick (place, commander)."""
    place, stack = pick_stack(
        rng, combat, None, lambda s: s.get("commanders")
    )
    i, commander = pick(rng, stack["commanders"])
    return "%s.commanders[%d]" % (place, i), commander


def spoil(name, picker, key, values):
    """Enter a fault that sets a member to a wrong value."""

    def change(rng, combat):
        place, item = picker(rng, combat)
        item[key] = rng.choice(values)
        return named(item[key], "%s.%s" % (place, key))

    CASES.fact_fault(name, change)


def drop(name, picker, key):
    """Enter a fault that leaves out a member."""

    def change(rng, combat):
        place, item = picker(rng, combat)
        del item[key]
        return place

    CASES.fact_fault(name, change)


def whole(rng, combat):
    """Pick the facts themselves."""
    return "combat", combat


def either_side(rng, combat):
    """Pick (place, side)."""
    side = rng.choice(SIDES)
    return "combat." + side, combat[side]


def enter_member_faults():
    """Enter the faults of single members."""
    spoil("unit_id", pick_unit, "id", BAD_IDS)
    spoil("unit_type", pick_unit, "type", ("guns", "", "Infantry", 1, None))
    spoil("unit_cf", pick_unit, "cf", BAD_COUNTS)
    spoil("unit_disrupted", pick_unit, "disrupted", BAD_BOOLS[:-1])
    spoil("unit_unknown", pick_unit, "CF", (1, None))
    spoil("unit_river", pick_unit, "across_river", (True,))
    spoil("commander_id", pick_commander, "id", BAD_IDS)
    spoil("commander_cr", pick_commander, "cr", BAD_COUNTS)
    spoil("commander_unknown", pick_commander, "type", ("infantry",))
    spoil("stack_marched", pick_stack, "force_marched", BAD_BOOLS[:-1])
    spoil("stack_fought", pick_stack, "fought", BAD_COUNTS)
    spoil("stack_others", pick_stack, "others_in_hex", BAD_BOOLS[:-1])
    spoil("stack_unknown", pick_stack, "forced_march", (True, None))
    spoil("stack_units", pick_stack, "units", BAD_LISTS)
    spoil("stack_commanders", pick_stack, "commanders", BAD_LISTS[:-3])
    spoil(
        "stack_river",
        lambda rng, combat: pick_stack(rng, combat, "attacker"),
        "across_river",
        BAD_BOOLS[:-1],
    )
    spoil(
        "defender_crosses",
        lambda rng, combat: pick_stack(rng, combat, "defender"),
        "across_river",
        (True,),
    )
    spoil("side_stack", either_side, "stack", BAD_OBJECTS)
    spoil("side_supports", either_side, "supports", ({}, "x", 1, True))
    spoil("side_unknown", either_side, "support", ([], None))
    spoil("terrain", whole, "terrain", ("hill", "", 1, None, ["clear"]))
    spoil("fortified", whole, "fortified_city", BAD_BOOLS[:-1])
    spoil("combat_unknown", whole, "river", (True, None))
    for side in SIDES:
        spoil(side + "_no_object", whole, side, BAD_OBJECTS)
        drop("without_" + side, whole, side)
    drop("without_terrain", whole, "terrain")
    drop("without_stack", either_side, "stack")
    drop("without_units", pick_stack, "units")
    drop("unit_without_id", pick_unit, "id")
    drop("unit_without_type", pick_unit, "type")
    drop("commander_without_id", pick_commander, "id")
    drop("commander_without_cr", pick_commander, "cr")


def fact(function):
    """Enter a fault of the facts under the function's name."""
    CASES.fact_fault(function.__name__, function)
    return function


@fact
def attacker_without_units(rng, combat):
    """An attacking stack of nobody, or of commanders alone."""
    stack = combat["attacker"]["stack"]
    stack["units"] = []
    if rng.random() < 0.5:
        stack["commanders"] = [{"id": "lonely", "cr": 3}]
    return "combat.attacker.stack"


@fact
def attacker_disrupted(rng, combat):
    """A disrupted unit that attacks (10.1)."""
    _, unit = pick(rng, combat["attacker"]["stack"]["units"])
    unit["disrupted"] = True
    return "combat.attacker.stack"


@fact
def defender_of_nobody(rng, combat):
    """A defending stack with neither units nor commanders."""
    stack = combat["defender"]["stack"]
    stack["units"] = []
    stack.pop("commanders", None)
    if rng.random() < 0.5:
        stack["commanders"] = []
    return "combat.defender.stack"


@fact
def support_without_units(rng, combat):
    """A supporting stack of nobody, or of commanders alone."""
    side = rng.choice(SIDES)
    stack = {"units": []}
    if rng.random() < 0.5:
        stack["commanders"] = [{"id": "lonely", "cr": 3}]
    supports = combat[side].setdefault("supports", [])
    supports.insert(rng.randint(0, len(supports)), stack)
    return "combat.%s.supports" % side


@fact
def same_unit_twice(rng, combat):
    """The id of a unit that another unit has."""
    _, unit = pick_unit(rng, combat)
    _, other = pick_unit(rng, combat)
    if unit is other:
        raise NotHere
    other["id"] = unit["id"]


@fact
def same_commander_twice(rng, combat):
    """The id of a commander that another commander has."""
    _, commander = pick_commander(rng, combat)
    _, other = pick_commander(rng, combat)
    if commander is other:
        raise NotHere
    other["id"] = commander["id"]


@fact
def unit_named_as_commander(rng, combat):
    """The id of a unit that a commander has."""
    _, commander = pick_commander(rng, combat)
    _, unit = pick_unit(rng, combat)
    unit["id"] = commander["id"]


@fact
def item_no_object(rng, combat):
    """Something else where a unit, commander or stack belongs."""
    place, stack = pick_stack(rng, combat)
    lists = [(stack["units"], place + ".units")]
    lists.append((stack.get("commanders", []), place + ".commanders"))
    for side in SIDES:
        supports = combat[side].get("supports", [])
        lists.append((supports, "combat.%s.supports" % side))
    _, (items, place) = pick(rng, lists, lambda item: item[0])
    i = rng.randrange(len(items))
    items[i] = rng.choice(BAD_OBJECTS)
    return "%s[%d]" % (place, i)


enter_member_faults()

# --- Faults of the decisions ---


def asked(rng, kind, test=lambda pending: True):
    """Play until a question of a kind is open; with a lawful answer."""
    player, pending = CASES.asked(
        rng, lambda pending: pending["kind"] == kind and test(pending)
    )
    decision = lawful_decision(rng, pending, player.scenario)
    return player, pending["options"], copy.deepcopy(decision)


def ids_of(scenario, side=None):
    """List the ids of all units."""
    return [
        unit["id"]
        for stack, _ in stacks(scenario["combat"], side)
        for unit in stack["units"]
    ]


def commander_ids(scenario, side):
    """List the ids of the commanders of a side."""
    return [
        commander["id"]
        for stack, _ in stacks(scenario["combat"], side)
        for commander in stack.get("commanders", ())
    ]


@fault
def hits_too_few(rng):
    """One hit less than is owed."""
    player, _, decision = asked(rng, "hits")
    decision["units"].pop()
    return decided(player, decision)


@fault
def hits_too_many(rng):
    """One hit more than is owed."""
    player, options, decision = asked(rng, "hits")
    decision["units"].append(rng.choice(list(options["units"]["room"])))
    return decided(player, decision)


@fault
def hits_one_too_often(rng):
    """A unit that takes a hit more than it can."""
    player, options, decision = asked(
        rng, "hits", lambda p: p["options"]["units"]["hits"] >= 2
    )
    rule = options["units"]
    name, room = rng.choice(list(rule["room"].items()))
    if room + 1 > rule["hits"]:
        raise NotHere
    units = [name] * (room + 1)
    others = [n for n in rule["room"] if n != name]
    while len(units) < rule["hits"] and others:
        units.append(rng.choice(others))
    decision["units"] = units[: rule["hits"]]
    decision.pop("extra", None)
    return decided(player, decision)


@fault
def hits_too_few_on_stack(rng):
    """Fewer than half of the hits on the fighting stack."""
    player, options, decision = asked(rng, "hits")
    rule = options["units"]
    places = [
        [
            name
            for name, room in rule["room"].items()
            for _ in range(room)
            if (name in rule["stack"]) == on_stack
        ]
        for on_stack in (True, False)
    ]
    count = rule["least"] - 1
    if count < 0 or rule["hits"] - count > len(places[1]):
        raise NotHere
    units = places[0][:count] + places[1][: rule["hits"] - count]
    return decided(player, {"kind": "hits", "units": units})


@fault
def hits_on_others(rng):
    """A hit on an enemy, a commander, nobody, or a support after a tie."""
    player, options, decision = asked(rng, "hits")
    others = [
        name
        for name in ids_of(player.scenario)
        if name not in options["units"]["room"]
    ]
    others += commander_ids(player.scenario, None)
    others += ["zz-zz", "", 1, None, []]
    units = decision["units"]
    units[rng.randrange(len(units))] = rng.choice(others)
    decision.pop("extra", None)
    return decided(player, decision)


@fault
def hits_support_after_tie(rng):
    """A hit on a supporting stack after a tie."""
    player, options, _ = asked(
        rng,
        "hits",
        lambda p: len(p["options"]["units"]["room"])
        < len(p["options"]["units"]["state"]),
    )
    rule = options["units"]
    name = rng.choice([n for n in rule["state"] if n not in rule["room"]])
    return decided(player, {"kind": "hits", "units": [name]})


def bad_extras(options, decision, is_bad):
    """Units of the side that are bad extras; is_bad(odd, state) tells."""
    rule = options["units"]
    state = dict(rule["state"])
    for name in decision["units"]:
        good = state[name] == "good"
        state[name] = "disrupted" if good else "eliminated"
    bad = []
    for stack in rule["stacks"]:
        odd = sum(name in stack for name in decision["units"]) % 2 == 1
        bad += [name for name in stack if is_bad(odd, state[name])]
    return bad


@fault
def extra_after_even(rng):
    """One more elimination in a stack that took an even number of hits."""
    player, options, decision = asked(rng, "hits")
    bad = bad_extras(options, decision, lambda odd, state: not odd)
    if not bad:
        raise NotHere
    decision["extra"] = rng.choice(bad)
    return decided(player, decision)


@fault
def extra_twice(rng):
    """Two more eliminations in a stack."""
    player, options, decision = asked(rng, "hits")
    good = bad_extras(
        options, decision, lambda odd, state: odd and state == "disrupted"
    )
    for stack in options["units"]["stacks"]:
        both = [name for name in stack if name in good]
        if both:
            decision["extra"] = [rng.choice(both), rng.choice(both)]
            return decided(player, decision)
    raise NotHere


@fault
def extra_not_disrupted(rng):
    """One more elimination, of a unit that is not disrupted then."""
    player, options, decision = asked(rng, "hits")
    state = options["units"]["state"]
    bad = bad_extras(
        options, decision, lambda odd, now: odd and now != "disrupted"
    )
    bad += [n for n in ids_of(player.scenario) if n not in state]
    bad += commander_ids(player.scenario, None)
    bad += ["zz-zz", "", 1, True, [], {}, [1], None]
    decision["extra"] = rng.choice(bad)
    return decided(player, decision)


@fault
def advance_commander_alone(rng):
    """A commander who advances without a unit."""
    player, options, decision = asked(
        rng, "advance", lambda p: "rule" in p["options"]["units"]
    )
    decision["units"] = [rng.choice(options["units"]["commanders"])]
    return decided(player, decision)


@fault
def advance_others(rng):
    """Somebody who may not advance, among those who may."""
    player, options, decision = asked(rng, "advance")
    option = options["units"]
    may = list(option.get("some") or option["units"])
    may += option.get("commanders", ())
    others = [name for name in ids_of(player.scenario) if name not in may]
    others += [
        name
        for name in commander_ids(player.scenario, None)
        if name not in may
    ]
    others += ["zz-zz", "", 1, None]
    decision["units"].append(rng.choice(others))
    return decided(player, decision)


@fault
def advance_twice(rng):
    """A unit or a commander who is named twice."""
    player, _, decision = asked(rng, "advance")
    if not decision["units"]:
        raise NotHere
    decision["units"].append(rng.choice(decision["units"]))
    return decided(player, decision)


@fault
def escape_to_bad(rng):
    """A commander who escapes to what is no name."""
    player, _, decision = asked(rng, "commander-escape")
    decision["to"] = rng.choice((1, True, False, [], {}, ["Murat"]))
    return decided(player, decision)
