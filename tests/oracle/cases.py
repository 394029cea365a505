# SPDX-License-Identifier: ISC
"""What the makers of random combats have in common, for random_combats.py.

Beside a reading SYSTEM.py stands SYSTEM_cases.py, which holds

  CASES = cases.Cases(SYSTEM, random_scenario, lawful_decision, ...)

with more faults entered into it, and CASES.doubts = doubts where the text
leaves cases open: doubts(rng) lists (name, scenario or bytes). What the
arguments are:

SYSTEM             the reading's reading.System
random_scenario(rng)
                   a lawful scenario without a script
lawful_decision(rng, pending, scenario)
                   a lawful answer to an open question, by chance; for a rule
                   option this is where the rules are read once more,
                   and `pending` may hold more than the program prints
spare_dice(scenario)
                   optional: {label: dice} that lie ready behind an unlawful
                   decision, so that a program which takes it goes on
rare(rng)          optional: a lawful scenario with its script that chance
                   alone brings too seldom, perhaps by CASES.seek(); used
                   for the rare_share of all, three in ten unless said
shapes             which shapes of options the system has, of "some",
                   "some-limit" (with a min above 0 or a max below all),
                   "one" and "int"; faults of these shapes are entered
draws              whether it draws chits; faults of chits are entered

CASES.lawful(rng)         -> (scenario, "lawful" or "local")
CASES.unlawful(rng, name) -> (scenario or bytes, place or None): with the one
                             fault of CASES.faults that has this name, and
                             the place where only one can be named

The faults that every system can have (of rulings, tables, scripts, dice,
chits, and of decisions whose options are lists) are entered already. More:

  @CASES.fault
  def some_name(rng):           -> (scenario, place); NotHere: it does not fit
  CASES.fact_fault("name", change)
      change(rng, combat) spoils the facts and returns the place or None
  CASES.played(rng, until)      -> (Player, outcome), played to its end or to
                                   the question where until(pending) is true
  CASES.asked(rng, test)        -> (Player, pending), an open question
  CASES.decided(player, decision) -> (scenario, place) with it as the last
"""

import copy
import json
import re

from reading import has_rule, is_among, is_int

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
BAD_IDS = (
    "", "A", "-a", ".a", "_a", "a b", "a/b", "é", "a" * 33, 7, None, ["a"]
)
BAD_COUNTS = (-1, 10000, 2.5, "5", None, True, [], 10**18, 10**30)
BAD_BOOLS = (1, 0, "true", [], None)
BAD_LISTS = ({}, "x", 1, None, True)
BAD_OBJECTS = ([], "x", 1, None, True)
UNLAWFUL_TRIES = 2000


class NotHere(Exception):
    """The fault does not fit this scenario."""


def random_id(rng, taken, prefixes=("fr", "ru", "br", "au")):
    """Make an id that is not taken, with the odd characters now and then."""
    while True:
        style = rng.random()
        if style < 0.6:
            name = rng.choice(prefixes) + "-"
            name += rng.choice(ALPHABET)
        elif style < 0.9:
            length = rng.randint(0, 8)
            name = rng.choice(ALPHABET)
            name += "".join(
                rng.choice(ALPHABET + "._-") for _ in range(length)
            )
        else:
            name = rng.choice(ALPHABET)
            name += "".join(rng.choice(ALPHABET + "._-") for _ in range(31))
        if name not in taken:
            taken.add(name)
            return name


def shuffled(rng, value):
    """Shuffle the members of every object; the order means nothing."""
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {key: shuffled(rng, value[key]) for key in keys}
    if isinstance(value, list):
        return [shuffled(rng, item) for item in value]
    return value


def pick(rng, items, test=lambda item: True):
    """Pick (index, item) of a list at random, where the test holds."""
    fits = [(i, item) for i, item in enumerate(items) if test(item)]
    if not fits:
        raise NotHere
    return rng.choice(fits)


def named(value, place):
    """The place to name, but for numbers that a reader of JSON refuses."""
    if isinstance(value, float):
        return None
    if is_int(value) and value >= 2**53:
        return None
    return place


def member_of(pending, shape):
    """Find the member of a question whose options have the shape."""
    for name, option in pending["options"].items():
        if isinstance(option, dict) and shape in option:
            return name, option
    raise NotHere


class Player:
    """Plays a scenario with random dice and keeps what its script needs."""

    def __init__(self, rng, scenario, cases):
        self.rng = rng
        self.scenario = scenario
        self.cases = cases
        self.dice = {}
        self.chits = []
        self.drawn = 0
        self.needed = []
        self.decisions = []
        self.wild = rng.random() < 0.35

    def roll(self, label, count, sides):
        """Give the label's dice, thrown at the first call."""
        if label not in self.dice:
            faces = (1, sides) if self.wild else range(1, sides + 1)
            self.dice[label] = [
                self.rng.choice(list(faces)) for _ in range(count)
            ]
        self.needed.append(label)
        return self.dice[label]

    def draw(self, label, ids, had):
        """Give the next chit, drawn at the first call."""
        if self.drawn == len(self.chits):
            left = [name for name in ids if name not in had]
            self.chits.append(self.rng.choice(left))
        self.drawn += 1
        return self.chits[self.drawn - 1]

    def out(self):
        """Run the reading over what is decided so far."""
        self.needed = []
        self.drawn = 0
        self.scenario["script"] = {"decisions": self.decisions}
        return self.cases.system.resolve(self.scenario, self.roll, self.draw)

    def answer(self, pending):
        """Answer an open question lawfully."""
        self.decisions.append(
            self.cases.lawful_decision(self.rng, pending, self.scenario)
        )

    def play(self, until=None):
        """Answer question after question, or stop at a kind of question."""
        out = self.out()
        while out["status"] == "pending":
            if until is not None and until(out["pending"]):
                break
            self.answer(out["pending"])
            out = self.out()
        if out["status"] == "refused":
            raise AssertionError("%s: %r" % (out, self.scenario))
        return out

    def finish(self):
        """Write the script into the scenario."""
        script = {"dice": self.dice}
        if self.chits:
            script["chits"] = self.chits
        if self.decisions or self.rng.random() < 0.3:
            script["decisions"] = self.decisions
        self.scenario["script"] = script
        return self.scenario


class Cases:
    """The maker of the cases of one system; see the top of this file."""

    def __init__(self, system, random_scenario, lawful_decision,
                 spare_dice=lambda scenario: {}, rare=None,
                 rare_share=0.3, shapes=("some",), draws=False):
        self.system = system
        self.random_scenario = random_scenario
        self.lawful_decision = lawful_decision
        self.spare_dice = spare_dice
        self.rare = rare
        self.rare_share = rare_share
        self.shapes = shapes
        self.doubts = lambda rng: []
        self.faults = {}
        enter_common_faults(self)
        if draws:
            enter_chit_faults(self)

    # Lawful ones.

    def player(self, rng, scenario=None):
        """Make a player of a scenario, or of any."""
        return Player(rng, scenario or self.random_scenario(rng), self)

    def random_rulings(self, rng, scenario):
        """Set rulings of a scenario, and now and then what says nothing."""
        rulings = {
            name: rng.choice(values)
            for name, values in self.system.rulings.items()
            if rng.random() < 0.4
        }
        if rulings or rng.random() < 0.3:
            scenario["rulings"] = rulings
        if rng.random() < 0.1:
            scenario["tables"] = {}

    def seek(self, rng, clauses, scenarios, tries=100):
        """Play scenarios until one meets one of the clauses, if one does."""
        clause = rng.choice(clauses)
        for _ in range(tries):
            player = self.player(rng, scenarios(rng))
            if clause in player.play()["met"]:
                break
        return player.finish()

    def lawful(self, rng):
        """Make a lawful scenario with its script, now and then left open."""
        if self.rare is not None and rng.random() < self.rare_share:
            return self.rare(rng), "lawful"
        player = self.player(rng)
        stop = rng.random() < 0.3
        out = player.play(lambda pending: stop and rng.random() < 0.6)
        scenario = player.finish()
        script = scenario["script"]
        if rng.random() < 0.15:
            script["dice"]["score/nobody"] = [rng.randint(1, 6)]
        if rng.random() < 0.1:
            script.setdefault("chits", []).extend(["c07", "c01"])
        if rng.random() < 0.05:
            before = 0
            for step in out["log"]:
                if step["e"] in ("roll", "draw"):
                    break
                before += step["e"] == "decision"
            script["decisions"] = player.decisions[:before]
            del script["dice"]
            script.pop("chits", None)
            return scenario, "local"
        return scenario, "lawful"

    # Unlawful ones.

    def unlawful(self, rng, name):
        """Make a scenario with the fault, however often it must be tried."""
        for _ in range(UNLAWFUL_TRIES):
            try:
                return self.faults[name](rng)
            except NotHere:
                continue
        raise AssertionError("fault %s fits no scenario" % name)

    def fault(self, function):
        """Enter a maker of a faulty scenario into the table."""
        assert function.__name__ not in self.faults
        self.faults[function.__name__] = function
        return function

    def fact_fault(self, name, change):
        """Enter a fault that changes the facts of a lawful scenario."""

        def make(rng):
            player, _ = self.played(rng)
            scenario = copy.deepcopy(player.finish())
            place = change(rng, scenario["combat"])
            return scenario, place

        make.__name__ = name
        self.fault(make)

    def played(self, rng, until=None):
        """Make a lawful scenario with a script, played through."""
        player = self.player(rng)
        out = player.play(until)
        if until is not None and out["status"] != "pending":
            raise NotHere
        return player, out

    def asked(self, rng, test=lambda pending: True):
        """Play until a question that passes the test is open."""
        player, out = self.played(
            rng, lambda pending: test(pending) and rng.random() < 0.7
        )
        return player, out["pending"]

    def decided(self, player, decision):
        """Give a decision; the dice that it would need lie ready."""
        player.decisions.append(decision)
        scenario = player.finish()
        for label, dice in self.spare_dice(scenario).items():
            scenario["script"]["dice"].setdefault(label, dice)
        place = "script.decisions[%d]" % (len(player.decisions) - 1)
        return scenario, place


# --- The faults that every system can have ---


def enter_common_faults(cases):
    """Enter them all."""
    enter_settings_faults(cases)
    enter_script_faults(cases)
    enter_dice_faults(cases)
    enter_decision_faults(cases)
    enter_option_faults(cases)


def enter_settings_faults(cases):
    """Enter the faults of the scenario, its rulings and tables."""
    rulings = cases.system.rulings

    @cases.fault
    def ruling_unknown(rng):
        player, _ = cases.played(rng)
        name = rng.choice(("square_needs_all", "", "max_dice"))
        player.scenario.setdefault("rulings", {})[name] = True
        return player.finish(), "rulings"

    @cases.fault
    def ruling_value(rng):
        player, _ = cases.played(rng)
        name = rng.choice(tuple(rulings))
        values = [
            value
            for value in (1, 0, "true", None, [], {}, True, False, "", 7, -9)
            if not is_among(value, rulings[name])
        ]
        ruling = rng.choice(values)
        player.scenario.setdefault("rulings", {})[name] = ruling
        return player.finish(), "rulings." + name

    @cases.fault
    def rulings_no_object(rng):
        player, _ = cases.played(rng)
        player.scenario["rulings"] = rng.choice(([], "x", 1, None, False))
        return player.finish(), "rulings"

    @cases.fault
    def table_unknown(rng):
        player, _ = cases.played(rng)
        player.scenario["tables"] = {rng.choice(("combats", "losses")): {}}
        return player.finish(), "tables"

    @cases.fault
    def tables_no_object(rng):
        player, _ = cases.played(rng)
        player.scenario["tables"] = rng.choice(([], "x", 1, None))
        return player.finish(), "tables"

    @cases.fault
    def system_unknown(rng):
        player, _ = cases.played(rng)
        player.scenario["system"] = rng.choice(("lasalle", "", 2, None, []))
        return player.finish(), "system"

    @cases.fault
    def scenario_without(rng):
        player, _ = cases.played(rng)
        del player.scenario[rng.choice(("system", "combat"))]
        return player.finish(), None

    @cases.fault
    def scenario_unknown_member(rng):
        player, _ = cases.played(rng)
        player.scenario[rng.choice(("ruling", "Combat", "seed"))] = {}
        return player.finish(), None

    @cases.fault
    def combat_no_object(rng):
        player, _ = cases.played(rng)
        player.scenario["combat"] = rng.choice(([], "x", 1, None))
        return player.finish(), "combat"

    @cases.fault
    def not_json(rng):
        player, _ = cases.played(rng)
        text = json.dumps(player.finish()).encode()
        system = json.dumps(cases.system.name).encode()
        texts = (
            b"",
            b"{",
            b"[]",
            b"null",
            b"7",
            system,
            text[: rng.randrange(1, len(text))],
            text + b"}",
            text + text,
            text + b" x",
            text.replace(system, system.replace(b'"', b"'")),
            text.replace(system, system + b","),
            text.replace(system, system[:-1] + b'\xff"'),
            b"[" * 100000,
            b'{"system":' * 20000,
            re.sub(rb'": (\d)', rb'": 0\1', text, count=1),
            re.sub(rb'": (\d)', rb'": +\1', text, count=1),
        )
        return rng.choice([t for t in texts if t != text]), None


def enter_script_faults(cases):
    """Enter the faults of the script itself."""

    @cases.fault
    def script_no_object(rng):
        player, _ = cases.played(rng)
        player.finish()["script"] = rng.choice(([], "x", 1, None))
        return player.scenario, "script"

    @cases.fault
    def script_unknown_member(rng):
        player, _ = cases.played(rng)
        player.finish()["script"][rng.choice(("die", "rolls"))] = {}
        return player.scenario, "script"

    @cases.fault
    def script_dice_no_object(rng):
        player, _ = cases.played(rng)
        player.finish()["script"]["dice"] = rng.choice(([], "x", 1, None))
        return player.scenario, "script.dice"

    @cases.fault
    def script_chits_no_list(rng):
        player, _ = cases.played(rng)
        player.finish()["script"]["chits"] = rng.choice(({}, "x", 1, None))
        return player.scenario, "script.chits"

    @cases.fault
    def script_decisions_no_list(rng):
        player, _ = cases.played(rng)
        bad = rng.choice(({}, "x", 1, None))
        player.finish()["script"]["decisions"] = bad
        return player.scenario, "script.decisions"

    @cases.fault
    def decision_left_over(rng):
        player, _ = cases.played(rng)
        decision = rng.choice(({"kind": "retire", "units": []}, {}))
        if player.decisions and rng.random() < 0.5:
            decision = copy.deepcopy(rng.choice(player.decisions))
        player.decisions.append(decision)
        return player.finish(), "script.decisions"


def enter_dice_faults(cases):
    """Enter the faults of the script's dice."""

    def needed(rng):
        """Play a combat and pick a label that it needs."""
        player, _ = cases.played(rng)
        if not player.needed:
            raise NotHere
        label = rng.choice(player.needed)
        return copy.deepcopy(player.finish()), label

    @cases.fault
    def dice_missing(rng):
        scenario, label = needed(rng)
        del scenario["script"]["dice"][label]
        return scenario, label

    @cases.fault
    def dice_misspelt(rng):
        scenario, label = needed(rng)
        dice = scenario["script"]["dice"]
        dice[label + "x"] = dice.pop(label)
        return scenario, label

    @cases.fault
    def dice_too_few(rng):
        scenario, label = needed(rng)
        scenario["script"]["dice"][label].pop()
        return scenario, label

    @cases.fault
    def dice_too_many(rng):
        scenario, label = needed(rng)
        scenario["script"]["dice"][label].append(3)
        return scenario, label

    @cases.fault
    def dice_out_of_range(rng):
        scenario, label = needed(rng)
        values = scenario["script"]["dice"][label]
        value = rng.choice(
            (0, 21, -1, 256 + 3, 2**32 + 3, 2.5, "3", None, True, [3])
        )
        values[rng.randrange(len(values))] = value
        return scenario, named(value, label)

    @cases.fault
    def dice_no_list(rng):
        scenario, label = needed(rng)
        scenario["script"]["dice"][label] = rng.choice((3, "3", {}, None))
        return scenario, label


def enter_chit_faults(cases):
    """Enter the faults of the script's chits; for systems that draw."""

    def drawn(rng):
        """Play a combat that draws."""
        player, _ = cases.played(rng)
        if not player.chits:
            raise NotHere
        scenario = copy.deepcopy(player.finish())
        return scenario, scenario["script"]["chits"]

    @cases.fault
    def chits_too_few(rng):
        scenario, chits = drawn(rng)
        chits.pop()
        return scenario, "script.chits"

    @cases.fault
    def chit_unknown(rng):
        scenario, chits = drawn(rng)
        chits[rng.randrange(len(chits))] = rng.choice(
            ("zz-zz", "", 1, None, True, [])
        )
        return scenario, "script.chits"

    @cases.fault
    def chit_twice(rng):
        scenario, chits = drawn(rng)
        if len(chits) < 2:
            raise NotHere
        a, b = sorted(rng.sample(range(len(chits)), 2))
        chits[b] = chits[a]
        return scenario, "script.chits"


def enter_decision_faults(cases):
    """Enter the faults that any decision can have."""

    def lawful(rng):
        """Play until a question is open and answer it lawfully."""
        player, pending = cases.asked(rng)
        decision = cases.lawful_decision(rng, pending, player.scenario)
        return player, pending, copy.deepcopy(decision)

    @cases.fault
    def decision_wrong_kind(rng):
        player, pending, decision = lawful(rng)
        others = [d["kind"] for d in player.decisions]
        others = [kind for kind in others if kind != pending["kind"]]
        decision["kind"] = rng.choice(others + ["", "retreat-all", 1, None])
        return cases.decided(player, decision)

    @cases.fault
    def decision_without_member(rng):
        player, _, decision = lawful(rng)
        needed = [k for k in decision if k not in ("extra", "retreat")]
        del decision[rng.choice(needed)]
        return cases.decided(player, decision)

    @cases.fault
    def decision_unknown_member(rng):
        player, _, decision = lawful(rng)
        decision[rng.choice(("side", "note", "who"))] = "defender"
        return cases.decided(player, decision)

    @cases.fault
    def decision_no_object(rng):
        player, _ = cases.asked(rng)
        return cases.decided(player, rng.choice(([], "retire", 1, None, True)))

    @cases.fault
    def decision_bad_member(rng):
        player, _, decision = lawful(rng)
        members = [k for k in decision if k not in ("kind", "to")]
        if not members:
            raise NotHere
        member = rng.choice(members)
        bad = ({}, "all the guard", 10**6, [{}])
        decision[member] = rng.choice(
            [v for v in bad if v or not isinstance(decision[member], dict)]
        )
        return cases.decided(player, decision)


def enter_option_faults(cases):
    """Enter the faults of answers to questions whose options are lists."""

    def asked(rng, shape):
        """Play until a question with such an option is open."""

        def test(pending):
            options = pending["options"]
            return not has_rule(options) and any(
                shape in option for option in options.values()
            )

        player, pending = cases.asked(rng, test)
        decision = cases.lawful_decision(rng, pending, player.scenario)
        member, option = member_of(pending, shape)
        return player, copy.deepcopy(decision), member, option

    for shape, enter in (
        ("some", enter_some_faults),
        ("some-limit", enter_limit_faults),
        ("one", enter_one_faults),
        ("int", enter_int_faults),
    ):
        if shape in cases.shapes:
            enter(cases, asked)


def enter_some_faults(cases, asked):
    """Enter the faults of answers that name some of the ids."""

    @cases.fault
    def some_twice(rng):
        player, decision, member, option = asked(rng, "some")
        if not option["some"]:
            raise NotHere
        name = rng.choice(option["some"])
        decision[member] = [name, name]
        return cases.decided(player, decision)

    @cases.fault
    def some_unknown(rng):
        player, decision, member, _ = asked(rng, "some")
        decision[member] = [rng.choice(("zz-zz", "", 1, None, []))]
        return cases.decided(player, decision)

    @cases.fault
    def some_not_eligible(rng):
        player, decision, member, option = asked(rng, "some")
        ids = option["some"]
        others = [
            name
            for name in all_ids(player.scenario["combat"])
            if name not in ids
        ]
        if not others:
            raise NotHere
        decision[member] = ids[: rng.randint(0, len(ids))]
        decision[member].append(rng.choice(others))
        return cases.decided(player, decision)

    @cases.fault
    def some_no_list(rng):
        player, decision, member, _ = asked(rng, "some")
        decision[member] = rng.choice(({}, "all", None, True))
        return cases.decided(player, decision)


def enter_limit_faults(cases, asked):
    """Enter the faults of answers that name too few or too many."""

    @cases.fault
    def some_number(rng):
        player, decision, member, option = asked(rng, "some")
        ids = list(option["some"])
        low, high = option.get("min", 0), option.get("max", len(ids))
        counts = [n for n in range(len(ids) + 1) if not low <= n <= high]
        if not counts:
            raise NotHere
        decision[member] = rng.sample(ids, rng.choice(counts))
        return cases.decided(player, decision)


def enter_one_faults(cases, asked):
    """Enter the faults of answers that are one of some values."""

    @cases.fault
    def one_of_no_others(rng):
        player, decision, member, option = asked(rng, "one")
        bad = [1, 0, "true", "zz-zz", "", [], {}, None, True, 3]
        bad += all_ids(player.scenario["combat"])
        decision[member] = rng.choice(
            [value for value in bad if not is_among(value, option["one"])]
        )
        return cases.decided(player, decision)


def enter_int_faults(cases, asked):
    """Enter the faults of answers that are a number of a range."""

    @cases.fault
    def int_out_of_range(rng):
        player, decision, member, option = asked(rng, "int")
        low, high = option["int"]
        decision[member] = rng.choice(
            (low - 1, high + 1, str(low), None, True, [low], 2**32 + low)
        )
        return cases.decided(player, decision)


def all_ids(combat):
    """Collect every id in the facts, in their order."""
    found = []
    if isinstance(combat, dict):
        if isinstance(combat.get("id"), str):
            found.append(combat["id"])
        for value in combat.values():
            found += all_ids(value)
    elif isinstance(combat, list):
        for item in combat:
            found += all_ids(item)
    return found
