# SPDX-License-Identifier: ISC
"""Random lawful scenarios of lasalle2, for lasalle2_cases.py.

All arms, formations, edges, touches, terrain, traits and rulings; what chance
alone brings too seldom is looked for. The oracle plays each one, so that its
script holds the dice and decisions that it needs.
"""

import lasalle2
from cases import Player, random_id

INFANTRY = ("line", "line", "column", "square", "square", "march")

NAMES = (
    "1/1st Line",
    "2nd Jäger",
    "x",
    "Батарея",
    "The 2nd Battalion of the 1st Regiment of the Guard of the King",
)

# What a combat is about: weights of infantry and cavalry among attackers, of
# infantry, cavalry and artillery among defenders, the chances of a square
# and of lancers, and how far strengths lie apart.
THEMES = {
    "foot": ((4, 1), (5, 1, 2), 0.2, 0.2, 6),
    "lancers": ((1, 9), (9, 1, 1), 0.8, 0.8, 4),
    "horse": ((1, 6), (1, 8, 1), 0.2, 0.2, 3),
    "guns": ((2, 2), (2, 1, 6), 0.2, 0.2, 6),
}


# --- Lawful scenarios ---


def random_traits(rng, unit, theme):
    """Give a unit traits, mostly to cavalry."""
    traits = []
    weight = 1 if unit["arm"] == "cavalry" else 0.2
    if rng.random() < 0.35 * weight:
        traits.append("shock")
    if rng.random() < theme[3] * weight:
        traits.append("lancers")
    rng.shuffle(traits)
    if traits or rng.random() < 0.1:
        unit["traits"] = traits


def random_formation(rng, unit, attacks, theme):
    """Give a unit a formation of its arm."""
    if unit["arm"] == "infantry":
        choices = INFANTRY if attacks else INFANTRY + ("garrison", "garrison")
        unit["formation"] = rng.choice(choices)
        if not attacks and rng.random() < theme[2]:
            unit["formation"] = "square"
    elif unit["arm"] == "cavalry":
        unit["formation"] = rng.choice(("line", "line", "column", "march"))
    else:
        unit["formation"] = rng.choice(("limbered", "unlimbered"))
        unit["battery"] = rng.choice(("foot", "horse"))


def random_unit(rng, taken, attacks, theme):
    """Make a lawful unit."""
    unit = {"id": random_id(rng, taken)}
    if attacks:
        arms, weights = ("infantry", "cavalry"), theme[0]
    else:
        arms, weights = ("infantry", "cavalry", "artillery"), theme[1]
    unit["arm"] = rng.choices(arms, weights)[0]
    unit["strength"] = rng.randint(2 if attacks else 1, 1 + theme[4])
    if rng.random() < 0.02:
        unit["strength"] = rng.choice((9999, 500, 30))
    if not attacks and rng.random() < 0.2:
        unit["strength"] = 1
    random_formation(rng, unit, attacks, theme)
    random_traits(rng, unit, theme)
    if rng.random() < 0.2:
        unit["shaken"] = rng.random() < 0.7
    if rng.random() < 0.2:
        unit["difficult"] = rng.random() < 0.7
    if rng.random() < 0.15:
        unit["name"] = rng.choice(NAMES)
    return unit


def random_contact(rng, attacker, defender, habit):
    """Make a lawful contact; the habit makes a defender's contacts alike."""
    contact = {"attacker": attacker, "defender": defender}
    contact["edge"] = rng.choices(
        lasalle2.EDGES, (6, habit["flank"], habit["flank"], 1)
    )[0]
    if rng.random() < 0.3:
        count = rng.randint(1, 3)
        contact["touches"] = rng.sample(lasalle2.EDGES, count)
    for key, value in (("uphill", True), ("across", None)):
        if rng.random() < habit[key]:
            contact[key] = value or rng.choice(lasalle2.FEATURES)
    if "uphill" not in contact and rng.random() < 0.1:
        contact["uphill"] = False
    return contact


def random_facts(rng, theme):
    """Make the facts of a lawful combat."""
    taken = set()
    size = rng.random()
    top = 2 if size < 0.25 else 4 if size < 0.85 else 8
    if size > 0.985:
        top = 64
    theme = THEMES[theme or rng.choice(tuple(THEMES))]
    count_a, count_d = rng.randint(1, top), rng.randint(1, top)
    attackers = [
        random_unit(rng, taken, True, theme) for _ in range(count_a)
    ]
    defenders = [
        random_unit(rng, taken, False, theme) for _ in range(count_d)
    ]
    pairs = set()
    for i in range(max(count_a, count_d)):
        pairs.add((i % count_a, i % count_d))
    for _ in range(rng.randint(0, max(count_a, count_d))):
        if len(pairs) < 256:
            pairs.add((rng.randrange(count_a), rng.randrange(count_d)))
    pairs = sorted(pairs)
    rng.shuffle(pairs)
    habits = [
        {
            "flank": rng.choice((0, 0, 1, 6)),
            "uphill": rng.choice((0, 0, 0.3, 1)),
            "across": rng.choice((0, 0, 0.3, 1)),
        }
        for _ in range(count_d)
    ]
    contacts = [
        random_contact(
            rng, attackers[a]["id"], defenders[d]["id"], habits[d]
        )
        for a, d in pairs
    ]
    return {
        "attackers": attackers,
        "defenders": defenders,
        "contacts": contacts,
    }


def random_scenario(rng, theme=None):
    """Make a lawful scenario without a script, of a theme or of any."""
    scenario = {"system": "lasalle2"}
    rulings = {
        name: rng.random() < 0.5
        for name in lasalle2.RULINGS
        if rng.random() < 0.4
    }
    if rulings or rng.random() < 0.3:
        scenario["rulings"] = rulings
    if rng.random() < 0.1:
        scenario["tables"] = {}
    scenario["combat"] = random_facts(rng, theme)
    return scenario


def lawful_decision(rng, pending, scenario):
    """Answer an open question lawfully, at random."""
    if pending["kind"] == "stagger":
        order = list(pending["options"]["order"]["order"])
        rng.shuffle(order)
        return {
            "kind": "stagger",
            "order": [
                {"unit": name, "possible": rng.random() < 0.75}
                for name in order
            ],
        }
    some = pending["options"]["units"]["some"]
    units = [name for name in some if rng.random() < 0.6]
    rng.shuffle(units)
    most = pending["options"]["units"].get("max")
    return {"kind": pending["kind"], "units": units[:most]}


def turns_on(name):
    """Make a test: does the outcome turn on this ruling?"""

    def test(scenario, out):
        rulings = dict(scenario.get("rulings", {}))
        rulings[name] = not rulings.get(name, lasalle2.RULINGS[name][0])
        other = lasalle2.resolve({**scenario, "rulings": rulings})
        return other.get("result") != out["result"]

    return test


def edges_on(scenario, name):
    """Collect the edges that attackers of a defender are on."""
    contacts = scenario["combat"]["contacts"]
    return {c["edge"] for c in contacts if c["defender"] == name}


def is_trapped_by(edges):
    """Make a test: is cavalry broken for want of a way out?"""

    def test(scenario, out):
        for unit in scenario["combat"]["defenders"]:
            end = out["result"]["units"][unit["id"]]
            on = edges_on(scenario, unit["id"]) - {"front"}
            if (
                unit["arm"] == "cavalry"
                and end["state"] == "broken"
                and end["disr"] == 1
                and end["strength"] >= 1
                and on == edges
            ):
                return True
        return False

    return test


def is_ridden_down_late(scenario, out):
    """Does cavalry that staggered itself break an attacker?"""
    units = out["result"]["units"]
    arms = {u["id"]: u["arm"] for u in scenario["combat"]["defenders"]}
    for contact in scenario["combat"]["contacts"]:
        a, d = units[contact["attacker"]], units[contact["defender"]]
        if (
            arms[contact["defender"]] == "cavalry"
            and a["state"] == "broken"
            and d["state"] == "staggered"
            and d["score"] - a["score"] >= 3
            and scenario.get("rulings", {}).get("broken_cavalry_breaks", True)
            is False
        ):
            return True
    return False


def has_foot_lancers(scenario, out):
    """Does infantry with the lancers' trait throw low against a square?"""
    combat = scenario["combat"]
    squares = {
        u["id"] for u in combat["defenders"] if u["formation"] == "square"
    }
    for unit in combat["attackers"]:
        if unit["arm"] == "cavalry" or "lancers" not in unit.get("traits", ()):
            continue
        on = {
            c["defender"]
            for c in combat["contacts"]
            if c["attacker"] == unit["id"]
        }
        if on & squares and out["result"]["units"][unit["id"]]["die"] <= 2:
            return True
    return False


# Outcomes that chance alone makes too seldom: (test, theme, ruling).
RARE = [
    (turns_on("square_needs_all_cavalry"), "lancers", None),
    (turns_on("garrison_has_flanks"), "foot", None),
    (turns_on("broken_cavalry_breaks"), "horse", None),
    (is_trapped_by({"rear"}), "horse", None),
    (is_trapped_by({"left", "right"}), "horse", None),
    (is_ridden_down_late, "horse", "broken_cavalry_breaks"),
    (has_foot_lancers, "lancers", None),
]
RARE_TRIES = 400


def rare(rng, cases):
    """Make a lawful scenario with one of the rare outcomes, if it can."""
    test, theme, ruling = rng.choice(RARE)
    for _ in range(RARE_TRIES):
        scenario = random_scenario(rng, theme)
        if ruling is not None:
            scenario.setdefault("rulings", {})[ruling] = False
        player = Player(rng, scenario, cases)
        out = player.play()
        player.finish()
        if any(u["die"] for u in out["result"]["units"].values()):
            if test(scenario, out):
                break
    return scenario
