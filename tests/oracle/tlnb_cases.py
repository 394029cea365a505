# SPDX-License-Identifier: ISC
"""Random combats of tlnb, lawful and with one fault each: see cases.py.

Every refusal that umpire-rules.7 lists is among the faults: of facts,
rulings, tables, scripts, dice and decisions.
"""

import copy

import tlnb
import tlnb_facts
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
from tlnb_scenarios import (
    lawful_decision,
    lost_beside_guns,
    odds_strength,
    random_attack,
    random_bombardment,
    random_charge,
    random_combat,
    random_tables,
    random_unit,
    random_mood,
)


def scenario_of(rng, make=random_combat):
    """Make a lawful scenario without a script."""
    scenario = {"system": "tlnb"}
    CASES.random_rulings(rng, scenario)
    if make is random_combat and rng.random() < 0.05:
        scenario["tables"], scenario["combat"] = lost_beside_guns(rng)
        return scenario
    if rng.random() < 0.6:
        scenario["tables"] = random_tables(rng)
    scenario["combat"] = make(rng)
    return scenario


def spare_dice(scenario):
    """The dice that a program may roll behind an unlawful decision."""
    labels = (
        "combat",
        "shock/attacker",
        "shock/defender",
        "bombardment",
        "initiative",
        "charge",
    )
    return {label: [3] for label in labels}


CASES = Cases(
    tlnb.SYSTEM,
    scenario_of,
    lawful_decision,
    spare_dice,
    shapes=("some", "some-limit", "one"),
)
fault = CASES.fault


# --- Faults of the facts ---


def unit_lists(combat):
    """List (place, units) of every list of units in the facts."""
    lists = [
        ("combat." + name, combat[name])
        for name in (
            "attackers",
            "defenders",
            "attacker_stacked_artillery",
            "defender_stacked_artillery",
            "cavalry",
        )
        if name in combat
    ]
    target = combat.get("target", [])
    if isinstance(target, dict):
        lists.append(("combat.target.units", target["units"]))
    elif target:
        lists.append(("combat.target", target))
    return lists


def pick_unit(rng, combat, test=lambda unit: True):
    """Pick (place, unit) from the facts."""
    fits = [
        ("%s[%d]" % (place, i), unit)
        for place, units in unit_lists(combat)
        for i, unit in enumerate(units)
        if test(unit)
    ]
    if not fits:
        raise NotHere
    return rng.choice(fits)


def of_kind(make, change):
    """Make a fault maker that spoils a combat of one kind."""

    def spoil(rng):
        player = CASES.player(rng, scenario_of(rng, make))
        player.play()
        scenario = copy.deepcopy(player.finish())
        return scenario, change(rng, scenario["combat"])

    return spoil


def kind_fault(name, make, change):
    """Enter a fault of one kind of combat."""
    maker = of_kind(make, change)
    maker.__name__ = name
    fault(maker)


def set_unit(name, key, values, test=lambda unit: True):
    """Enter a fault that sets a member of a unit to a wrong value."""

    def change(rng, combat):
        place, unit = pick_unit(rng, combat, test)
        unit[key] = rng.choice(values)
        return named(unit[key], "%s.%s" % (place, key))

    CASES.fact_fault(name, change)


def set_member(name, make, key, values):
    """Enter a fault that sets a member of the facts to a wrong value."""

    def change(rng, combat):
        combat[key] = rng.choice(values)
        return named(combat[key], "combat." + key)

    kind_fault(name, make, change)


def drop_unit(key):
    """Enter a fault that leaves out a member of a unit."""

    def change(rng, combat):
        place, unit = pick_unit(rng, combat)
        del unit[key]
        return place

    CASES.fact_fault("unit_without_" + key, change)


def drop_member(name, make, key):
    """Enter a fault that leaves out a member of the facts."""

    def change(rng, combat):
        del combat[key]
        return "combat"

    kind_fault(name, make, change)


def is_full(unit):
    """Tell whether a unit has its full side up."""
    return not unit.get("reduced")


def change_no_strength(rng, combat):
    """Give the side that is up no strength."""
    place, unit = pick_unit(rng, combat)
    unit["sp" if is_full(unit) else "reduced_sp"] = 0
    return place


def change_no_reduced_side(rng, combat):
    """Reduce a unit that has no reduced side."""
    place, unit = pick_unit(rng, combat)
    unit["reduced"] = True
    unit["reduced_sp"] = None
    if rng.random() < 0.5:
        del unit["reduced_sp"]
    return place


def change_same_id(rng, combat):
    """Use an id twice."""
    units = [u for _, units in unit_lists(combat) for u in units]
    units += combat.get("batteries", [])
    if len(units) < 2:
        raise NotHere
    a, b = rng.sample(units, 2)
    b["id"] = a["id"]


def change_no_side(rng, combat):
    """Leave a side without units."""
    sides = [
        (place, units)
        for place, units in unit_lists(combat)
        if "stacked" not in place
    ]
    if "batteries" in combat:
        sides.append(("combat.batteries", combat["batteries"]))
    place, units = rng.choice(sides)
    units.clear()
    return place


def change_too_many(rng, combat):
    """Give a side 65 units, or 64 and a stacked battery."""
    lists = [
        (place, units)
        for place, units in unit_lists(combat)
        if "stacked" not in place
    ]
    place, units = rng.choice(lists)
    stacked = place[:-1] + "_stacked_artillery"
    count = 65
    if stacked in dict(unit_lists(combat)) and rng.random() < 0.5:
        if not dict(unit_lists(combat))[stacked]:
            raise NotHere
        count = 64
    else:
        stacked = place
    while len(units) < count:
        unit = dict(units[0], id="more-%d" % len(units))
        units.append(unit)
    return stacked


def change_list(rng, combat):
    """Put something else where a list of units belongs."""
    places = [place for place, _ in unit_lists(combat)]
    if "batteries" in combat:
        places.append("combat.batteries")
    place = rng.choice(places)
    holder = combat
    for key in place.split(".")[1:-1]:
        holder = holder[key]
    values = [v for v in BAD_LISTS if v is not None or "stacked" not in place]
    holder[place.split(".")[-1]] = rng.choice(values)
    return place


def change_item(rng, combat):
    """Put something else where a unit belongs."""
    place, units = rng.choice(unit_lists(combat))
    if not units:
        raise NotHere
    i = rng.randrange(len(units))
    units[i] = rng.choice(BAD_OBJECTS)
    return "%s[%d]" % (place, i)


def change_unknown(rng, combat):
    """Add an unknown member to the facts."""
    combat[rng.choice(("terrains", "side", "Mud", "hex"))] = False


def change_other_kind(rng, combat):
    """Add a member that only another kind of combat has."""
    others = {
        "attack": ("arf", "cavalry", "target", "batteries", "point_blank"),
        "bombardment": (
            "improved_position", "across", "napoleon", "attackers", "chateau"
        ),
        "charge": ("failed_repulse", "guard", "enfilade", "defenders"),
    }[combat["kind"]]
    key = rng.choice(others)
    values = {
        "cavalry": [], "target": [], "batteries": [], "attackers": [],
        "defenders": [], "guard": [], "across": "none",
        "napoleon": "attacker",
    }
    combat[key] = values.get(key, False)
    return "combat"


def enter_unit_faults():
    """Enter the faults of units and of their lists."""
    set_unit("id_bad", "id", BAD_IDS)
    set_unit("arm_unknown", "arm", ("dragoons", "", "Infantry", 1, None))
    set_unit("sp_bad", "sp", BAD_COUNTS, is_full)
    set_unit("initiative_bad", "initiative", BAD_COUNTS)
    set_unit(
        "reduced_sp_bad",
        "reduced_sp",
        [v for v in BAD_COUNTS if v is not None],
    )
    set_unit("reduced_bad", "reduced", BAD_BOOLS)
    for flag in tlnb_facts.FLAGS:
        set_unit(flag + "_bad", flag, BAD_BOOLS)
    set_unit("hex_bad", "hex", (412, True, [], {}))
    set_unit("unit_unknown_member", "strength", (5, None, False))
    for key in ("id", "arm", "sp", "initiative"):
        drop_unit(key)
    for change in (
        change_no_strength,
        change_no_reduced_side,
        change_same_id,
        change_no_side,
        change_too_many,
        change_list,
        change_item,
        change_unknown,
        change_other_kind,
    ):
        CASES.fact_fault(change.__name__.replace("change_", ""), change)


# --- Faults of the three kinds ---


def change_stacked_arm(rng, combat):
    """Let something else than artillery be stacked artillery."""
    side = rng.choice(tlnb_facts.SIDES)
    unit = random_unit(rng, set(), "infantry", random_mood(rng, 5))
    unit["id"] = "not-artillery"
    units = combat.setdefault(side + "_stacked_artillery", [])
    units.append(unit)
    return "combat.%s_stacked_artillery[%d]" % (side, len(units) - 1)


def change_town_at_three(rng, combat):
    """Bombard a town at three hexes."""
    combat["target"]["terrain"] = "town"
    rng.choice(combat["batteries"])["range"] = 3


def change_into(rng, combat):
    """Bombard woods or an orchard."""
    combat["target"]["terrain"] = rng.choice(("woods", "orchard"))
    return "combat.target"


def change_into_chateau(rng, combat):
    """Bombard a chateau."""
    combat["target"]["chateau"] = True
    return "combat.target"


def set_battery(name, key, values):
    """Enter a fault that sets a member of a battery to a wrong value."""

    def change(rng, combat):
        i = rng.randrange(len(combat["batteries"]))
        combat["batteries"][i][key] = rng.choice(values)
        return named(
            combat["batteries"][i][key], "combat.batteries[%d].%s" % (i, key)
        )

    kind_fault(name, random_bombardment, change)


def set_target(name, key, values):
    """Enter a fault that sets a member of the target to a wrong value."""

    def change(rng, combat):
        combat["target"][key] = rng.choice(values)
        return "combat.target." + key

    kind_fault(name, random_bombardment, change)


def change_battery_missing(rng, combat):
    """Leave out a member of a battery."""
    i = rng.randrange(len(combat["batteries"]))
    del combat["batteries"][i][rng.choice(("id", "sp", "range"))]
    return "combat.batteries[%d]" % i


def change_target_missing(rng, combat):
    """Leave out the units of the target."""
    del combat["target"]["units"]
    return "combat.target"


def change_charging_arm(rng, combat):
    """Let other arms charge."""
    i = rng.randrange(len(combat["cavalry"]))
    unit = combat["cavalry"][i]
    unit["arm"] = rng.choice(("infantry", "artillery", "vedette"))
    return "combat.cavalry[%d]" % i


def change_below_odds(rng, combat):
    """Charge at odds below 1:4, often just below."""
    ours = sum(map(odds_strength, combat["cavalry"]))
    unit = combat["target"][0]
    others = sum(map(odds_strength, combat["target"][1:]))
    sp = int(4 * ours - others) + rng.choice((1, 1, 30))
    if not 1 <= sp <= 9000:
        raise NotHere
    unit["sp"] = sp
    for key in ("halved", "reduced"):
        unit.pop(key, None)


WORDS = ("", "Town", "hill", 1, True, [])
SKIES = ("fog", "storm", "", 1, True, [])


def enter_shared_faults():
    """Enter the faults of what two or three kinds of combat share."""
    attack, fire, charge = random_attack, random_bombardment, random_charge
    for name, make in (("attack", attack), ("charge", charge)):
        set_member(name + "_terrain", make, "terrain", WORDS)
        for flag in ("chateau", "improved_position"):
            set_member("%s_%s" % (name, flag), make, flag, BAD_BOOLS[:-1])
    for name, make in (
        ("attack", attack), ("fire", fire), ("charge", charge)
    ):
        set_member(name + "_weather", make, "weather", SKIES)
        set_member(name + "_mud_bad", make, "mud", BAD_BOOLS[:-1])
        set_member(
            name + "_kind", make, "kind", ("", "assault", "Attack", 1, None)
        )
        drop_member(name + "_without_kind", make, "kind")


def enter_attack_faults():
    """Enter the faults of attacks."""
    attack = random_attack
    set_member(
        "attack_across", attack, "across",
        ("ford", "stream", "trestle", "slope-up", "", 1, True),
    )
    set_member(
        "failed_repulse_bad", attack, "failed_repulse", BAD_BOOLS[:-1]
    )
    set_member(
        "napoleon_bad", attack, "napoleon", ("french", "", 1, True, [])
    )
    set_member(
        "guard_bad", attack, "guard",
        ("attacker", {}, 1, ["french"], [1], ["attacker", ""], [[]]),
    )
    kind_fault("stacked_arm", attack, change_stacked_arm)
    for key in ("attackers", "defenders"):
        drop_member("attack_without_" + key, attack, key)


def enter_fire_faults():
    """Enter the faults of bombardments."""
    fire = random_bombardment
    for key in ("batteries", "target"):
        drop_member("fire_without_" + key, fire, key)
    set_member("target_no_object", fire, "target", BAD_OBJECTS)
    for flag in (
        "arf", "enfilade", "ammo_shortage", "grand_battery", "point_blank"
    ):
        set_member(flag + "_bad", fire, flag, BAD_BOOLS[:-1])
    set_battery("battery_id", "id", BAD_IDS)
    set_battery("battery_sp", "sp", (0,) + BAD_COUNTS)
    set_battery("battery_range", "range", (0, 4, -1, "1", None, True, 1.5))
    set_battery("battery_unknown", "arm", ("artillery", None))
    set_target("target_terrain", "terrain", WORDS)
    set_target("target_chateau", "chateau", BAD_BOOLS[:-1])
    set_target("target_unknown", "improved_position", (False, None))
    for change in (
        change_town_at_three,
        change_into,
        change_into_chateau,
        change_battery_missing,
        change_target_missing,
    ):
        kind_fault(change.__name__.replace("change_", "fire_"), fire, change)


def enter_charge_faults():
    """Enter the faults of charges."""
    charge = random_charge
    for key in ("cavalry", "target"):
        drop_member("charge_without_" + key, charge, key)
    set_member("charge_mud", charge, "mud", (True,))
    set_member("charge_into_chateau", charge, "chateau", (True,))
    set_member("charge_into_position", charge, "improved_position", (True,))
    set_member(
        "charge_into_terrain", charge, "terrain", ("town", "woods", "orchard")
    )
    set_member(
        "charge_across", charge, "across",
        ("ford", "stream", "trestle", "slope-up"),
    )
    set_member(
        "charge_across_unknown", charge, "across", ("damaged-bridge", "", 1)
    )
    kind_fault("charge_arm", charge, change_charging_arm)
    kind_fault("charge_below_odds", charge, change_below_odds)


# --- Faults of the tables ---

BAD_CODES = {
    "crt": ("", "ar", "Xr", "OR", "S", "-", "1E", "Dr-1", "Dr*2", 1, None),
    "shock": ("", "sk", "OR", "S", "-", "Sk", "Ar*", 1, None, []),
    "bombardment": ("", "Sk", "OR", "De", "3R", "Ar", 1, None, []),
    "charge": ("", "Dr", "S", "Ae9", "1R", "PR", "-", 1, None),
}


def whole_tables(rng):
    """Make all four tables, whole."""
    tables = {}
    while len(tables) < 4:
        tables.update(random_tables(rng))
    return tables


def table_fault(name):
    """Enter a maker of tables with a fault."""

    def enter(change):
        def make(rng):
            player, _ = CASES.played(rng)
            scenario = player.finish()
            tables = whole_tables(rng)
            place = change(rng, tables)
            scenario["tables"] = tables
            return scenario, place

        make.__name__ = name
        fault(make)
        return change

    return enter


def spoil_code(rng, rows, i, j, table):
    """Put a code there that the table does not have."""
    rows[i][j] = rng.choice(BAD_CODES[table])


@table_fault("table_code")
def change_code(rng, tables):
    """A code that the table does not have."""
    table = rng.choice(tuple(tables))
    rows = tables[table]
    key = rng.choice(
        tuple(rows) if isinstance(rows, dict) else range(len(rows))
    )
    if table == "shock":
        rows[key] = rng.choice(BAD_CODES[table])
    else:
        spoil_code(rng, rows, key, rng.randrange(len(rows[key])), table)
    return "tables." + table


@table_fault("table_row")
def change_row(rng, tables):
    """A row with a code too many or too few, or no row."""
    table = rng.choice(("crt", "charge", "bombardment"))
    rows = tables[table]
    key = rng.choice(
        tuple(rows) if isinstance(rows, dict) else range(len(rows))
    )
    rows[key] = rng.choice(
        (rows[key][:-1], rows[key] + rows[key][:1], [], "Ae", None, {}, 1)
    )
    return "tables." + table


@table_fault("table_rows")
def change_rows(rng, tables):
    """A row too many or too few."""
    table = rng.choice(tuple(tables))
    rows = tables[table]
    if isinstance(rows, list):
        if rng.random() < 0.5:
            rows.pop()
        else:
            rows.append(list(rows[0]))
    elif rng.random() < 0.5:
        del rows[rng.choice(tuple(rows))]
    else:
        extra = rng.choice(("8", "-4", "00", "+1", "x"))
        rows[extra] = copy.copy(rows["0"])
    return "tables." + table


@table_fault("table_shape")
def change_shape(rng, tables):
    """Something else where a table belongs."""
    table = rng.choice(tuple(tables))
    tables[table] = rng.choice(("x", 1, None, True, [], {}))
    return "tables." + table


# --- Faults of an exchange ---


def exchange(rng):
    """Play until an exchange is open: (player, its option)."""
    player, pending = CASES.asked(
        rng, lambda pending: pending["kind"] == "exchange-loss"
    )
    return player, pending["options"]["units"]


def paid_with(player, names):
    """Answer an exchange with these units."""
    return CASES.decided(
        player, {"kind": "exchange-loss", "units": list(names)}
    )


@fault
def exchange_too_little(rng):
    """Units worth less than half, often by a hair."""
    player, option = exchange(rng)
    names = list(option["worth"])
    first = set(option["first"])
    choices = []
    for _ in range(40):
        chosen = rng.sample(names, rng.randint(0, len(names)))
        paid = sum(option["worth"][name] for name in chosen)
        lawful_order = first <= set(chosen) or set(chosen) <= first
        if 2 * paid < option["weaker"] and lawful_order:
            choices.append((paid, chosen))
    if not choices:
        raise NotHere
    return paid_with(player, max(choices)[1])


@fault
def exchange_spares_overrunning(rng):
    """Another unit while overrunning cavalry is spared."""
    player, option = exchange(rng)
    first = option["first"]
    others = [name for name in option["worth"] if name not in first]
    if not first or not others:
        raise NotHere
    spared = rng.choice(first)
    chosen = [name for name in option["worth"] if name != spared]
    paid = sum(option["worth"][name] for name in chosen)
    if 2 * paid < option["weaker"]:
        raise NotHere
    return paid_with(player, chosen)


@fault
def exchange_other_unit(rng):
    """A unit of the other side, or nobody's, besides enough others."""
    player, option = exchange(rng)
    combat = player.scenario["combat"]
    others = [
        unit["id"]
        for _, units in unit_lists(combat)
        for unit in units
        if unit["id"] not in option["worth"]
    ]
    others += ["zz-zz", "", 1, None, []]
    return paid_with(player, list(option["worth"]) + [rng.choice(others)])


@fault
def exchange_twice(rng):
    """A unit named twice."""
    player, option = exchange(rng)
    names = list(option["worth"])
    return paid_with(player, names + [rng.choice(names)])


@fault
def exchange_no_list(rng):
    """Units that are no list."""
    player, _ = exchange(rng)
    decision = {"kind": "exchange-loss", "units": rng.choice(BAD_LISTS)}
    return CASES.decided(player, decision)


enter_unit_faults()
enter_shared_faults()
enter_attack_faults()
enter_fire_faults()
enter_charge_faults()


# --- Cases that the text leaves open ---


def doubts(rng):
    """List (name, scenario) where the printed text allows two answers."""
    cases = []

    def add(name, make, change):
        player = CASES.player(rng, scenario_of(rng, make))
        player.play()
        scenario = copy.deepcopy(player.finish())
        change(scenario["combat"], scenario)
        cases.append((name, scenario))

    add("reduced side of strength 0, full side up", random_charge,
        lambda c, s: c["cavalry"][0].update(reduced_sp=0, reduced=False))
    add("guard twice the same", random_attack,
        lambda c, s: c.update(guard=["attacker", "attacker"]))
    add("napoleon null", random_attack, lambda c, s: c.update(napoleon=None))
    add("hex null", random_charge,
        lambda c, s: c["cavalry"][0].update(hex=None))
    add("hex empty", random_charge,
        lambda c, s: c["cavalry"][0].update(hex=""))
    add("infantry that overruns", random_charge,
        lambda c, s: c["target"].append(
            {"id": "over", "arm": "infantry", "sp": 1, "initiative": 1,
             "overrunning": True}))
    return cases


CASES.doubts = doubts
