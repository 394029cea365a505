# SPDX-License-Identifier: ISC
"""What all second readings of the rule systems have in common.

A reading is a module named after its system's id without `-` (lasalle2.py,
invasion1812.py, leniston2009.py, imaginations.py, tlnb.py), written from the
rulebook and umpire-rules.7 alone; it shares nothing with librules. It holds

  SYSTEM = reading.System("some-id", RULINGS, read_facts, play)
  resolve = SYSTEM.resolve

and, as a program, calls SYSTEM.main(sys.argv).

RULINGS            name -> the values it may have, the default first; true
                   and 1 are different values.
read_facts(raw, tables)
                   the member `combat` of the scenario, read and checked, in
                   any form that play() likes; raises Refused(place, reason),
                   with places as "combat.units[2].cf". want_*() below do
                   most of it. (`tables` is what read_tables() made.)
play(facts, rulings, tables, table)
                   plays the combat with what table.roll(), table.draw(),
                   table.decide() and table.decide_secret() give, and returns
                   the result, exactly the members that umpire-rules.7 lists.
read_tables(raw)   optional argument of System: the scenario's `tables`; a
                   system without it refuses any table.
clauses            optional argument of System: every name that table.meet()
                   may be given, so that those never met are told too.

table.roll("score/fr-a", 1)           -> [4]; sides=6 unless said
table.draw("chits", ids)              -> one id of the bag that this label
                                         has not drawn yet
table.decide(side, kind, options)     -> (decision, its place), an object,
                                         which the reading must check itself
                                         with read_some(), read_one() ...
table.meet("11.9 tie")                says that a clause of the rules was met,
                                         for random_combats.py --clauses
table.decide_secret(kind, a, d, check) -> [(decision, place), (same)] of the
                                         attacker and of the defender

Options are as umpire-rules.7 shows them, {"units": {"some": [...]}}; where
the inside is the implementation's own, {"rule": name}: of such a question
only the side, the kind and that it has a rule are compared.

SYSTEM.resolve(scenario, roll=..., draw=...) takes a scenario as `umpire
resolve` does and returns a dict: `system`; `status` "resolved" (with
`result`), "pending" (with `pending`: side, kind, options) or "refused" (with
`place`, `reason`); and, unless refused, `log`: the rolls, draws and
decisions, then the open question or the result, as events.
roll(label, count, sides) gives dice where the script has none;
draw(label, ids, had) gives a chit where the script has none.

The cases that random_combats.py holds against the program come from a module
beside the reading, SYSTEM_cases.py: see cases.py.
"""

import json
import random
import re
import sys

ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}\Z")
MAX_COUNT = 9999
SIDES = ("attacker", "defender")


class Refused(Exception):
    """The rules refuse the input: where, and why."""

    def __init__(self, place, reason):
        super().__init__("%s: %s" % (place, reason))
        self.place = place
        self.reason = reason


class Pending(Exception):
    """A side owes a decision that was not given."""

    def __init__(self, side, kind, options):
        super().__init__("%s owes %s" % (side, kind))
        self.side = side
        self.kind = kind
        self.options = options


# --- Checks of JSON values ---


def is_int(value):
    """Tell whether a JSON value is an integer; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_among(value, values):
    """Tell whether a value is one of some, true and 1 being different."""
    return any(type(v) is type(value) and v == value for v in values)


def want_members(value, place, required, optional=()):
    """Refuse what is not an object with these members."""
    if not isinstance(value, dict):
        raise Refused(place, "not an object")
    for key in value:
        if key not in required and key not in optional:
            raise Refused("%s.%s" % (place, key), "unknown member")
    for key in required:
        if key not in value:
            raise Refused("%s.%s" % (place, key), "missing")


def want_one(value, place, choices):
    """Refuse what is not one of the choices, which are texts."""
    if not isinstance(value, str) or value not in choices:
        raise Refused(place, "not one of %s" % ", ".join(choices))
    return value


def want_value(value, place, values):
    """Refuse what is not one of the values, of whatever type they are."""
    if not is_among(value, values):
        raise Refused(place, "not one of %s" % json.dumps(list(values)))
    return value


def want_bool(value, place):
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool):
        raise Refused(place, "neither true nor false")
    return value


def want_int(value, place, low=0, high=MAX_COUNT):
    """Refuse what is not an integer of the range."""
    if not is_int(value) or not low <= value <= high:
        raise Refused(place, "not from %d to %d" % (low, high))
    return value


def want_text(value, place):
    """Refuse what is not a text."""
    if not isinstance(value, str):
        raise Refused(place, "not a text")
    return value


def want_id(value, place):
    """Refuse what is not the id of a unit."""
    if not isinstance(value, str) or not ID.match(value):
        raise Refused(place, "not an id")
    return value


def want_list(value, place):
    """Refuse what is not an array."""
    if not isinstance(value, list):
        raise Refused(place, "not an array")
    return value


# --- Decisions ---


def has_rule(options):
    """Tell whether a question has a rule of its own instead of lists."""
    return isinstance(options, dict) and any(
        isinstance(option, dict) and "rule" in option
        for option in options.values()
    )


def plain_options(options):
    """Write options in one form: lists that mean sets sorted, limits said."""
    if has_rule(options):
        return {"rule": True}
    plain = {}
    for key, value in options.items():
        if isinstance(value, dict):
            value = dict(value)
            for name in ("some", "order", "one"):
                if isinstance(value.get(name), list):
                    value[name] = sorted(value[name], key=json.dumps)
            if isinstance(value.get("some"), list):
                value.setdefault("min", 0)
                value.setdefault("max", len(value["some"]))
            if isinstance(value.get("each"), dict):
                value["each"] = plain_options(value["each"])
        plain[key] = value
    return plain


def want_kind(decision, place, kind, required, optional=()):
    """Refuse a decision of another kind or with other members."""
    want_members(decision, place, ("kind",) + tuple(required), optional)
    want_one(decision["kind"], place + ".kind", (kind,))


def read_ids(raw, place, eligible):
    """Read a list that names eligible ids, each at most once: in order."""
    for i, name in enumerate(want_list(raw, place)):
        want_id(name, "%s[%d]" % (place, i))
        if name not in eligible:
            raise Refused("%s[%d]" % (place, i), "not eligible")
        if name in raw[:i]:
            raise Refused("%s[%d]" % (place, i), "named twice")
    return list(raw)


def read_some(decision, kind, member, eligible, place, low=0, high=None):
    """Read a decision that names some of the ids, as {"some":...} offers."""
    want_kind(decision, place, kind, (member,))
    where = "%s.%s" % (place, member)
    names = read_ids(decision[member], where, eligible)
    if len(names) < low or (high is not None and len(names) > high):
        raise Refused(where, "too few or too many")
    return names


def read_one(decision, kind, member, values, place):
    """Read a decision that names one of the values, as {"one":...} offers."""
    want_kind(decision, place, kind, (member,))
    where = "%s.%s" % (place, member)
    return want_value(decision[member], where, values)


def read_int(decision, kind, member, low, high, place):
    """Read a decision that names a number, as {"int":...} offers."""
    want_kind(decision, place, kind, (member,))
    return want_int(decision[member], "%s.%s" % (place, member), low, high)


# --- Where chance and decisions come from ---


class Table:
    """Where the combat takes dice, chits and decisions from; keeps the log.

    roll(label, count, sides) returns dice, draw(label, ids, had) an id;
    decisions are taken in order.
    """

    def __init__(self, roll, decisions, place="script.decisions", draw=None):
        self.roll_source = roll
        self.draw_source = draw
        self.decisions = decisions
        self.place = place
        self.used = 0
        self.log = []
        self.labels = set()
        self.drawn = {}
        self.met = set()

    def meet(self, clause):
        """Say that a clause of the rules was met."""
        self.met.add(clause)

    def roll(self, label, count, sides=6):
        """Roll dice under a label that was not used before."""
        assert label not in self.labels
        self.labels.add(label)
        dice = self.roll_source(label, count, sides)
        assert len(dice) == count
        self.log.append(
            {"e": "roll", "label": label, "sides": sides, "dice": list(dice)}
        )
        return dice

    def draw(self, label, ids):
        """Draw one more chit of a bag under a label; ids is the whole bag."""
        had = self.drawn.setdefault(label, [])
        assert len(had) < len(ids) and label not in self.labels
        chit = self.draw_source(label, list(ids), list(had))
        assert chit in ids and chit not in had
        had.append(chit)
        self.log.append(
            {"e": "draw", "label": label, "bag": len(ids), "chits": [chit]}
        )
        return chit

    def take(self, side, kind, options):
        """Take the next decision off the pile, or stop."""
        if self.used == len(self.decisions):
            self.log.append(
                {"e": "ask", "side": side, "kind": kind, "options": options}
            )
            raise Pending(side, kind, options)
        decision = self.decisions[self.used]
        place = "%s[%d]" % (self.place, self.used)
        self.used += 1
        if not isinstance(decision, dict):
            raise Refused(place, "not an object")
        return decision, place

    def decide(self, side, kind, options):
        """Take the next decision: (decision, its place), or stop."""
        decision, place = self.take(side, kind, options)
        self.log.append({"e": "decision", "side": side, **decision})
        return decision, place

    def decide_secret(self, kind, attacker, defender, check):
        """Take a decision of either side; none is told before both are in.

        attacker and defender are the options of the two; check(side,
        decision, place) refuses an unlawful one as soon as it is in.
        """
        taken = []
        for side, options in zip(SIDES, (attacker, defender)):
            decision, place = self.take(side, kind, options)
            check(side, decision, place)
            taken.append((decision, place))
        for side, (decision, _) in zip(SIDES, taken):
            self.log.append({"e": "decision", "side": side, **decision})
        return taken


def script_roll(dice):
    """Make a source of dice from the script's dice."""

    def roll(label, count, sides):
        place = "script.dice.%s" % label
        if label not in dice:
            raise Refused(place, "missing")
        values = want_list(dice[label], place)
        if len(values) != count:
            raise Refused(place, "%d dice wanted" % count)
        for i, value in enumerate(values):
            if not is_int(value) or not 1 <= value <= sides:
                raise Refused("%s[%d]" % (place, i), "not a die")
        return values

    return roll


def local_roll(label, count, sides):
    """Roll local dice."""
    return [random.randint(1, sides) for _ in range(count)]


def script_draw(chits):
    """Make a source of chits from the script's chits, taken in order."""
    used = [0]

    def draw(label, ids, had):
        place = "script.chits[%d]" % used[0]
        if used[0] == len(chits):
            raise Refused(place, "missing")
        chit = chits[used[0]]
        if not is_among(chit, ids):
            raise Refused(place, "not in the bag")
        if chit in had:
            raise Refused(place, "drawn already")
        used[0] += 1
        return chit

    return draw


def local_draw(label, ids, had):
    """Draw a local chit."""
    return random.choice([name for name in ids if name not in had])


# --- Systems and their scenarios ---


def clauses_in(path):
    """List the names in a reading that met("name") or meet("name") is given.

    Names that are put together while it runs are not among them.
    """
    with open(path, encoding="utf-8") as f:
        return tuple(re.findall(r'mee?t\(\s*"([^"%]+)"\s*[,)]', f.read()))


def no_tables(raw):
    """Read the tables of a system that has none."""
    if not isinstance(raw, dict):
        raise Refused("tables", "not an object")
    for name in raw:
        raise Refused("tables.%s" % name, "the system has no tables")
    return {}


class System:
    """A rule system as its reading has it; see the top of this file."""

    def __init__(self, name, rulings, read_facts, play, read_tables=no_tables,
                 clauses=()):
        self.name = name
        self.rulings = rulings
        self.read_facts = read_facts
        self.play = play
        self.read_tables = read_tables
        self.clauses = clauses

    def read_rulings(self, raw, place="rulings"):
        """Read the rulings, the ones not named at their default."""
        if not isinstance(raw, dict):
            raise Refused(place, "not an object")
        rulings = {name: values[0] for name, values in self.rulings.items()}
        for name, value in raw.items():
            where = "%s.%s" % (place, name)
            if name not in self.rulings:
                raise Refused(where, "unknown ruling")
            rulings[name] = want_value(value, where, self.rulings[name])
        return rulings

    def run(self, facts, rulings, tables, table):
        """Play a combat whose facts are read; the result ends the log."""
        result = self.play(facts, rulings, tables, table)
        table.log.append({"e": "result", **result})
        return result

    def play_scenario(self, scenario, roll, draw, table_box):
        """Play a scenario; the table is put into the box once it stands."""
        want_members(
            scenario,
            "scenario",
            ("system", "combat"),
            ("rulings", "tables", "script"),
        )
        want_one(scenario["system"], "system", (self.name,))
        rulings = self.read_rulings(scenario.get("rulings", {}))
        tables = self.read_tables(scenario.get("tables", {}))
        script = scenario.get("script", {})
        want_members(script, "script", (), ("dice", "chits", "decisions"))
        if "dice" in script:
            if not isinstance(script["dice"], dict):
                raise Refused("script.dice", "not an object")
            roll = script_roll(script["dice"])
        if "chits" in script:
            draw = script_draw(want_list(script["chits"], "script.chits"))
        decisions = want_list(script.get("decisions", []), "script.decisions")
        facts = self.read_facts(scenario["combat"], tables)
        table = Table(roll, decisions, draw=draw)
        table_box.append(table)
        result = self.run(facts, rulings, tables, table)
        if table.used != len(decisions):
            raise Refused("script.decisions[%d]" % table.used, "left over")
        return result

    def resolve(self, scenario, roll=local_roll, draw=local_draw):
        """Resolve a scenario as the top of this file says."""
        box = []
        out = {"system": self.name}
        try:
            result = self.play_scenario(scenario, roll, draw, box)
            out.update(status="resolved", result=result)
        except Pending as p:
            out["status"] = "pending"
            out["pending"] = {
                "side": p.side, "kind": p.kind, "options": p.options
            }
        except Refused as r:
            return {"status": "refused", "place": r.place, "reason": r.reason}
        out["log"] = box[0].log
        out["met"] = sorted(box[0].met)
        return out

    def main(self, argv):
        """Resolve one file (or `-`) and print what came of it as JSON.

        Exit status: 0; 64 wrong usage, 65 refused, 66 no such file, each
        with one line on standard error.
        """
        if len(argv) != 2:
            print("usage: %s FILE" % argv[0], file=sys.stderr)
            return 64
        try:
            if argv[1] == "-":
                data = sys.stdin.buffer.read()
            else:
                with open(argv[1], "rb") as f:
                    data = f.read()
        except OSError as e:
            print("%s: %s" % (self.name, e), file=sys.stderr)
            return 66
        try:
            scenario = json.loads(data.decode("utf-8"))
        except (UnicodeDecodeError, ValueError, RecursionError) as e:
            print("%s: malformed: %s" % (self.name, e), file=sys.stderr)
            return 65
        out = self.resolve(scenario)
        if out["status"] == "refused":
            print(
                "%s: %s: %s" % (self.name, out["place"], out["reason"]),
                file=sys.stderr,
            )
            return 65
        combat = {"e": "combat", **scenario["combat"]}
        out["events"] = [combat] + out.pop("log")
        del out["met"]
        print(json.dumps(out))
        return 0
