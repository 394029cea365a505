#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""The chances in the score sheets of records, worked out again.

  chances.py --umpire PATH [--most N] [--sample N] RECORD...

Each combat that ended and stands is fought again by the second readings beside
this file, with other dice: with all that can fall if these are at most --most,
else with --sample of them from a seed. Questions are answered as umpire(1) says
of "umpire log": by the first word of the odds that gives all answers that the
side gave to this kind of question; if there is none, by these answers, each
once, in their order, where they are lawful; and else by the default. The words
are those of umpire-rules.7 (10.10, 11.10, 12.9, 13.12, 14.10), read once more.

What became of each unit must have come about as often as its sheet says: to a
hundredth of a percent, or as a sample can tell (4.5 standard deviations).

Prints how many combats and chances were compared, exactly and by samples, and
what differs. Exit status: 0 all agree, 1 not all, 64 wrong usage.
"""

import argparse
import collections
import copy
import json
import os
import pickle
import random
import shlex
import subprocess
import sys
from fractions import Fraction

import imaginations
import invasion1812
import lasalle2
import leniston2009
import tlnb
from reading import Refused, Table

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "e2e"))
import sheet  # noqa: E402 pylint: disable=wrong-import-position

READINGS = {
    reading.SYSTEM.name: reading.SYSTEM
    for reading in (imaginations, invasion1812, lasalle2, leniston2009, tlnb)
}


def gather(value, found):
    """Gather all units of a part of the facts."""
    if isinstance(value, dict):
        if "id" in value:
            found[value["id"]] = value
        for item in value.values():
            gather(item, found)
    elif isinstance(value, list):
        for item in value:
            gather(item, found)


class Units:
    """The units of the facts that were last asked for."""

    facts = found = None


def units_of(facts):
    """All units of the facts by id, in their order; facts do not change."""
    if Units.facts is not facts:
        Units.facts, Units.found = facts, {}
        gather(facts, Units.found)
    return Units.found


def nameless(value):
    """The facts without the names for people, which not all readings know."""
    if isinstance(value, dict):
        return {k: nameless(v) for k, v in value.items() if k != "name"}
    if isinstance(value, list):
        return [nameless(v) for v in value]
    return value


# --- What the words answer ---


def some(options, is_all):
    """Name all of the units on offer, or none."""
    (name, option), = options.items()
    if not is_all:
        return {name: []}
    if "some" in option:
        return {name: option["some"][: option.get("max")]}
    return {name: option["units"] + option["commanders"]}


def one(options, value):
    """Give the only member this value."""
    (name, _), = options.items()
    return {name: value}


def advance_units(options):
    """Name the units that may advance, without commanders."""
    option = options["units"]
    return {"units": option["some"] if "some" in option else option["units"]}


def stagger(options, is_possible):
    """All units that stagger, with or without a path."""
    names = options["order"]["order"]
    return {"order": [{"unit": n, "possible": is_possible} for n in names]}


def tactic(word, side, options):
    """Play a card, or what is usual."""
    cards = options["tactic"]["one"]
    if word not in cards:
        word = "hasty-attack" if side == "attacker" else "hold"
    return {"tactic": word}


class Toll:
    """Hits and retreats of a side of imagi-nations, one at a time."""

    def __init__(self, units):
        self.units = units
        self.left = {n: dict(u["left"]) for n, u in units.items()}
        self.hits = {n: collections.Counter() for n in units}
        self.spaces = collections.Counter()

    def may_hit(self, name, battalion):
        """Tell whether a battalion may take the next hit."""
        left, lead = self.left[name], self.units[name]["lead"]
        if left[battalion] == 0:
            return False
        if self.spaces[name] and sum(left.values()) == 1:
            return False
        if battalion == lead or left[lead] == 0:
            return True
        return self.hits[name][lead] > self.hits[name][battalion]

    def may_retreat(self, name):
        """Tell whether a unit may cancel the next hit by a space."""
        return (
            self.spaces[name] < self.units[name]["room"]
            and sum(self.hits[name].values()) > 0
            and sum(self.left[name].values()) > 0
        )

    def step(self, spaces):
        """Take one hit; tell whether it could be."""
        goes = [n for n in self.units if self.may_retreat(n)]
        for name in goes:
            if self.spaces[name] < spaces:
                self.spaces[name] += 1
                return True
        takes = [
            (-left, i, name, battalion)
            for i, (name, lefts) in enumerate(self.left.items())
            for battalion, left in lefts.items()
            if self.may_hit(name, battalion)
        ]
        if takes:
            _, _, name, battalion = min(takes, key=lambda t: t[:2])
            self.left[name][battalion] -= 1
            self.hits[name][battalion] += 1
            return True
        if goes:
            self.spaces[goes[0]] += 1
        return bool(goes)


def allocate(options, spaces):
    """Take the hits of a side, each where most strength is left."""
    option = options["hits"]
    toll = Toll(option["units"])
    for _ in range(option["due"]):
        if not toll.step(spaces):
            break
    return {
        "hits": {n: dict(h) for n, h in toll.hits.items() if h},
        "retreat": dict(toll.spaces),
    }


def hits(options, facts, is_spread):
    """Take the hits of a side of invasion-1812."""
    option = options["units"]
    units = units_of(facts)
    room, taken = dict(option["room"]), []
    order = list(units)
    while len(taken) < option["hits"]:
        must = len(taken) < option["least"]
        names = [
            n for n in order
            if room.get(n, 0) > 0 and (not must or n in option["stack"])
        ]
        if not names:
            break
        names.sort(key=lambda n: (
            (room[n] == 1) == is_spread, units[n]["cf"], order.index(n)
        ))
        room[names[0]] -= 1
        taken.append(names[0])
    return {"units": taken}


def by_worth(names, worth, is_most):
    """Name the first that is worth most, or least."""
    best = (max if is_most else min)(worth(n) for n in names)
    return next(n for n in names if worth(n) == best)


def strength(unit):
    """The strength points of the side that is up."""
    return unit["reduced_sp"] if unit["reduced"] else unit["sp"]


def reduce(word, options, facts):
    """Name who is reduced, in tlnb."""
    units = units_of(facts)
    (member, option), = options.items()
    names = option.get("one") or option["some"]
    count = option.get("min", 1)
    names = [n for n in units if n in names]
    picked = []
    for _ in range(count):
        rest = [n for n in names if n not in picked]
        if word == "sensible" and member == "unit":
            stays = [
                n for n in rest
                if not units[n]["reduced"] and units[n]["reduced_sp"]
            ]
            rest = stays or rest
        is_most = word == "strongest" or (
            word == "sensible" and member == "units"
        )
        picked.append(by_worth(rest, lambda n: strength(units[n]), is_most))
    return {member: picked if member == "units" else picked[0]}


def exchange(options, is_most):
    """Name who pays in an exchange, and spare who is not needed."""
    option = options["units"]
    worth = option["worth"]
    names, rest = [], list(worth)

    def paid(some_names):
        return 2 * sum(worth[n] for n in some_names) >= option["weaker"]

    while not paid(names):
        pool = [n for n in rest if n in option["first"]] or rest
        name = by_worth(pool, worth.__getitem__, is_most)
        names.append(name)
        rest.remove(name)
    for name in reversed(list(names)):
        fewer = [n for n in names if n != name]
        if paid(fewer) and not (
            name in option["first"]
            and any(n not in option["first"] for n in fewer)
        ):
            names = fewer
    return {"units": names}


def initiative(unit):
    """The initiative, less 1 for the demoralized."""
    return unit["initiative"] - (1 if unit["demoralized"] else 0)


def lead(options, facts, is_most):
    """Name who leads a shock, in tlnb."""
    units = units_of(facts)
    names = [n for n in units if n in options["unit"]["one"]]
    return {"unit": by_worth(names, lambda n: initiative(units[n]), is_most)}


def convert(options, facts):
    """Let the best initiative try."""
    units = units_of(facts)
    names = [n for n in units if n in options["unit"]["one"]]
    return {"unit": by_worth(names, lambda n: initiative(units[n]), True)}


def pursuit(options, facts, is_most):
    """Name whom the cavalry rides down."""
    units = units_of(facts)
    names = [n for n in units if n in options["unit"]["one"]]
    return {"unit": by_worth(names, lambda n: units[n]["cf"], is_most)}


def answer(system, word, side, kind, options, facts):
    """What a word answers, without its kind."""
    if system == "imagi-nations":
        if kind == "tactic":
            return tactic(word, side, options)
        if kind == "chits":
            return one(options, options["number"]["int"][word == "most"])
        if kind == "advance":
            return some(options, word == "all")
        return allocate(options, ("stand", "step-back", "retreat").index(word))
    if kind == "hits":
        return hits(options, facts, word == "spread")
    if kind == "pursuit-hit":
        return pursuit(options, facts, word == "strongest")
    if kind == "advance":
        return (
            advance_units(options) if word == "units"
            else some(options, word == "all")
        )
    if kind == "commander-escape":
        return {"to": "a stack" if word == "escapes" else None}
    if kind == "stagger":
        return stagger(options, word == "path")
    if kind in ("retire", "reroll"):
        return some(options, word == "all")
    if kind == "retreat":
        return some(options, word == "lost")
    if kind == "lead":
        return lead(options, facts, word == "best")
    if kind == "reduce":
        return reduce(word, options, facts)
    if kind == "exchange-loss":
        return exchange(options, word == "strongest")
    if kind == "convert":
        return {"unit": None} if word == "none" else convert(options, facts)
    yes = ("yes", "withdraw", "possible", "use", "retreat")
    return one(options, word in yes)


WORDS = {
    "imagi-nations": {
        "tactic": ("usual", "feint", "cavalry-charge", "prepared-attack",
            "hasty-attack", "pinning-attack", "hold", "defend", "evade",
            "counter-attack"),
        "chits": ("least", "most"),
        "allocate": ("stand", "step-back", "retreat"),
        "advance": ("all", "none"),
    },
    "invasion-1812": {
        "withdraw-before": ("stay", "withdraw"),
        "withdraw": ("stay", "withdraw"),
        "hits": ("spread", "concentrate"),
        "forced-withdraw": ("possible", "impossible"),
        "pursuit-hit": ("weakest", "strongest"),
        "advance": ("all", "units", "none"),
        "commander-escape": ("escapes", "eliminated"),
    },
    "lasalle2": {
        "retire": ("none", "all"),
        "reroll": ("all", "none"),
        "stagger": ("path", "none"),
    },
    "leniston-2009": {"skirmish-back": ("yes", "no")},
    "tlnb": {
        "napoleon-shift": ("use", "decline"),
        "guard-shift": ("use", "decline"),
        "lead": ("best", "worst"),
        "reduce": ("sensible", "weakest", "strongest"),
        "retreat": ("all", "lost"),
        "exchange-loss": ("weakest", "strongest"),
        "convert": ("none", "best"),
        "retreat-option": ("stay", "retreat"),
    },
}


def plain(decision):
    """An answer so that two that say the same are equal."""
    made = {}
    for key, value in decision.items():
        if key in ("e", "side", "kind"):
            continue
        if key == "to":
            value = value is not None
        elif isinstance(value, list):
            value = sorted(json.dumps(v, sort_keys=True) for v in value)
        elif isinstance(value, dict):
            value = {
                n: {k: v for k, v in inner.items() if v}
                if isinstance(inner, dict) else inner
                for n, inner in value.items() if inner
            }
        made[key] = value
    return {k: v for k, v in made.items() if v not in ({}, ) or k == "hits"}


# --- Fighting again ---


class Again(Exception):
    """An answer was not lawful here: another is to be tried."""


class Fight(Table):
    """A table whose dice a source shows and whose answers a strategy gives."""

    def __init__(self, source, strategy):
        super().__init__(source.roll, [], draw=source.draw)
        self.strategy = strategy

    def take(self, side, kind, options):
        """Answer as the strategy says."""
        decision = self.strategy.say(side, kind, options)
        return {"kind": kind, **decision}, "answer"


class Recorded:
    """The dice and chits of a record, in their order."""

    def __init__(self, events):
        self.dice = [e["dice"] for e in events if e["e"] == "roll"]
        self.chits = [c for e in events if e["e"] == "draw" for c in e["chits"]]

    def roll(self, label, count, sides):
        """Give the next dice."""
        return self.dice.pop(0)

    def draw(self, label, ids, had):
        """Give the next chit."""
        return self.chits.pop(0)


class Given:
    """The strategy that answers as was answered, and keeps the questions."""

    def __init__(self, events):
        self.left = [e for e in events if e["e"] == "decision"]
        self.asked = []

    def say(self, side, kind, options):
        """Give the next answer of the side to this kind."""
        for i, e in enumerate(self.left):
            if (e["side"], e["kind"]) == (side, kind):
                del self.left[i]
                # The reading may count on in its options.
                self.asked.append((side, kind, copy.deepcopy(options), e))
                return {
                    k: v for k, v in e.items() if k not in ("e", "side", "kind")
                }
        raise AssertionError("%s was not asked %s" % (side, kind))


class Strategy:
    """What is answered in all that might have happened."""

    def __init__(self, system, facts, asked):
        self.system = system
        self.facts = facts
        self.word = {}
        self.said = {}
        for side, kind, _, _ in asked:
            same = [a for a in asked if a[:2] == (side, kind)]
            fits = [
                w for w in WORDS[system][kind]
                if all(
                    plain(answer(system, w, *a[:3], facts)) == plain(a[3])
                    for a in same
                )
            ]
            if fits:
                self.word[side, kind] = fits[0]
            else:
                self.said[side, kind] = [
                    {k: v for k, v in a[3].items()
                        if k not in ("e", "side", "kind")}
                    for a in same
                ]
        self.bad = set()
        self.begin()

    def begin(self):
        """Begin a fight."""
        self.used = collections.defaultdict(set)
        self.n = 0
        self.last = None

    def say(self, side, kind, options):
        """Answer a question."""
        self.n += 1
        self.last = None
        for i, said in enumerate(self.said.get((side, kind), ())):
            if i in self.used[side, kind] or (self.n, i) in self.bad:
                continue
            self.used[side, kind].add(i)
            self.last = (self.n, i)
            return said
        word = self.word.get((side, kind), WORDS[self.system][kind][0])
        return answer(self.system, word, side, kind, options, self.facts)

    def refused(self):
        """Leave out the answer that was not lawful; raise if it was ours."""
        assert self.last is not None, "a word's answer is not lawful"
        self.bad.add(self.last)


class Walk:
    """Dice as figures of an odometer, one outcome after the other."""

    def __init__(self):
        self.shows = []

    def begin(self):
        """Begin a fight."""
        self.sides = []

    def place(self, sides):
        """Take the next place."""
        if len(self.sides) == len(self.shows):
            self.shows.append(0)
        self.sides.append(sides)
        return self.shows[len(self.sides) - 1]

    def roll(self, label, count, sides):
        """Give dice."""
        return [self.place(sides) + 1 for _ in range(count)]

    def draw(self, label, ids, had):
        """Give a chit that is left."""
        left = [i for i in ids if i not in had]
        return left[self.place(len(left))]

    def weight(self):
        """The probability of the outcome."""
        weight = Fraction(1)
        for sides in self.sides:
            weight /= sides
        return weight

    def next(self):
        """Move on; tell whether there is another outcome."""
        while self.shows:
            self.shows[-1] += 1
            if self.shows[-1] < self.sides[len(self.shows) - 1]:
                return True
            self.shows.pop()
        return False


class Chance(Walk):
    """Dice of a generator, which a fight that begins again has again."""

    def __init__(self, seed):
        super().__init__()
        self.rng = random.Random(seed)

    def place(self, sides):
        """Take the next place."""
        if len(self.sides) == len(self.shows):
            self.shows.append(self.rng.randrange(sides))
        self.sides.append(sides)
        return self.shows[len(self.sides) - 1]


def ends(system, facts, result):
    """What became of each unit."""
    if system != "imagi-nations":
        return {
            name: said["state"] if isinstance(said, dict) else said
            for name, said in result["units"].items()
        }
    units, found = units_of(facts), {}
    for name, said in result["units"].items():
        parts = units[name]["battalions"]
        taken = sum(said["hits"].values()) - sum(b["hits"] for b in parts)
        end = "hit" if taken else "unhurt"
        if said["retreated"]:
            end = "retreated"
        if sum(said["hits"].values()) == sum(b["sp"] for b in parts):
            end = "destroyed"
        found[name] = end
    return found


class Combat:
    """A combat of a record."""

    def __init__(self, system, rulings, events):
        self.system = system
        self.reading = READINGS[system]
        self.rulings = self.reading.read_rulings(rulings)
        self.events = events
        self.facts = dict(next(e for e in events if e["e"] == "combat"))
        del self.facts["e"]
        tables = self.reading.read_tables({})
        read = self.reading.read_facts(nameless(self.facts), tables)
        # Fights change what was read, and each has its own.
        self.read = pickle.dumps((read, tables))
        given = Given(events)
        self.result = self.fight(Fight(Recorded(events), given))
        self.strategy = Strategy(system, self.facts, given.asked)

    def fight(self, table):
        """Fight once."""
        facts, tables = pickle.loads(self.read)
        result = self.reading.play(facts, self.rulings, tables, table)
        return ends(self.system, self.facts, result)

    def once(self, dice):
        """Fight once with these dice, whatever must be answered."""
        self.strategy.bad.clear()
        while True:
            dice.begin()
            self.strategy.begin()
            try:
                return self.fight(Fight(dice, self.strategy))
            except Refused:
                self.strategy.refused()

    def exact(self, most):
        """The probability of each unit's end; None if it takes too long."""
        sums, walk = collections.Counter(), Walk()
        for _ in range(most):
            for name, end in self.once(walk).items():
                if end == self.result[name]:
                    sums[name] += walk.weight()
            if not walk.next():
                return sums
        return None

    def sampled(self, n, seed):
        """How often each unit came to its end in n fights."""
        sums, chance = collections.Counter(), Chance(seed)
        for _ in range(n):
            chance.shows = []
            for name, end in self.once(chance).items():
                sums[name] += end == self.result[name]
        return sums


def told(rows, facts, result):
    """The chances of a sheet by unit: a shared name has the id behind it."""
    known = sheet.names(facts, {})
    at = {name: i for i, name in enumerate(rows[0])}
    found = {}
    if "Chance" not in at:
        return found
    for unit in result:
        name = known.get(unit, unit)
        called = (name, "%s (%s)" % (name, unit))
        if list(known.values()).count(name) > 1:
            called = called[1:]
        parts = tuple(" of " + words for words in called)
        for row in rows[1:]:
            if row[at["Chance"]] and (
                row[0] in called or row[0].endswith(parts)
            ):
                found[unit] = row[at["Chance"]].rstrip(" %")
    return found


def near(text, p):
    """Tell whether a figure of a sheet is this probability."""
    if text == "<0.01":
        return 0 < p < Fraction(1, 10**4)
    if text == ">99.99":
        return 1 - Fraction(1, 10**4) < p < 1
    return abs(Fraction(text) / 100 - p) <= Fraction(51, 10**6)


def likely(text, hits_of, n):
    """Tell whether a sample may well have come out so."""
    p = float(text.strip("<>")) / 100
    spread = 4.5 * (p * (1 - p) / n) ** 0.5 + 2 / n
    return abs(hits_of / n - p) <= spread


def log(umpire, record, form):
    """What umpire log prints."""
    return subprocess.run(
        shlex.split(umpire) + ["log", "--format", form, record],
        capture_output=True, text=True, check=True,
    ).stdout


def check(args, record, count):
    """Compare the sheets of a record; return what differs."""
    with open(record, encoding="utf-8") as f:
        create = json.loads(json.loads(f.readline())["order"])["args"]
    reader = sheet.Sheets()
    reader.feed(log(args.umpire, record, "html"))
    lines = json.loads(log(args.umpire, record, "json"))
    for line in lines:
        if "objected" in line:  # it was never said
            line["events"] = [
                e for e in line["events"] if e["e"] != "decision"
            ]
    combats = sheet.combats(lines)
    assert len(reader.sheets) == len(combats), record
    wrong = []
    for number, (rows, events) in enumerate(zip(reader.sheets, combats), 1):
        combat = Combat(create["system"], create["rulings"], events)
        chances = told(rows, combat.facts, combat.result)
        if not chances:
            count["without chances"] += 1
            continue
        sums = combat.exact(args.most)
        count["combats"] += 1
        for unit, text in chances.items():
            if sums is not None:
                count["exact"] += 1
                if not near(text, sums[unit]):
                    wrong.append("%s, combat %d: %s: %s %%, not %.4f" % (
                        record, number, unit, text, 100 * sums[unit]))
        if sums is not None:
            continue
        sums = combat.sampled(args.sample, number)
        for unit, text in chances.items():
            count["sampled"] += 1
            if not likely(text, sums[unit], args.sample):
                wrong.append("%s, combat %d: %s: %s %%, not %d of %d" % (
                    record, number, unit, text, sums[unit], args.sample))
    return wrong


def main():
    """Compare all records."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--umpire", required=True)
    parser.add_argument("--most", type=int, default=600)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("records", nargs="+")
    try:
        args = parser.parse_args()
    except SystemExit as e:
        return 64 if e.code else 0
    count, wrong = collections.Counter(), []
    for record in args.records:
        wrong += check(args, record, count)
    print("%d combats, %d chances exact, %d sampled, %d differ; %d without" % (
        count["combats"], count["exact"], count["sampled"], len(wrong),
        count["without chances"]))
    for text in wrong:
        print(text)
    return 1 if wrong or not count["combats"] else 0


if __name__ == "__main__":
    sys.exit(main())
