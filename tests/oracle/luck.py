#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""The dice of records, counted a second time.

Counts by umpire-rules.7 and umpire-record.7 alone: whose a die is comes from
the place of its line, the events around it and the rosters. The chances are
sums of terms, not the continued fraction of the program. What `umpire luck
--json` prints is held against it.

  luck.py --umpire PATH RECORD...
  luck.py --umpire PATH --forge DIR

--forge writes records of forged games with answers, takebacks, upkeep, cups
and many dice into DIR, and one of a newer umpire into DIR/newer; their events
come from `umpire resolve -`.
Exit status: 0 all agree, 1 not all, 64 wrong usage.
"""

import argparse
import collections
import json
import math
import os
import shlex
import subprocess
import sys

TIMEOUT_S = 60
LEAST = 30
CELL = 5
TOO_FAR = 1e-7
COMBATS = 34
FORGED = (
    "live_game", "live_upkeep_game", "confirm_live_game", "cups_game",
    "cups_live_game", "takeback_game", "takeback_upkeep_game",
    "clock_director", "four_seats", "rulings_game", "standing_live_game",
)
# What a verifier of this version cannot check in full.
NEWER = "newer_after_dice"
NAMES = {
    "score": "score", "reroll": "re-roll", "retire": "retiring guns",
    "cdr": "combat die roll", "evade": "evading", "rest": "rest",
    "rally": "rally/recover",
    "hits-on-winner": "hits on winner",
}


# --- The record ---


def read(path):
    """Read the lines of a record and what lies beside them."""
    lines, blobs = [], {}
    with open(path, encoding="utf-8") as f:
        for text in f:
            line = json.loads(text)
            if "blob" in line:
                blobs[line["blob"]] = json.loads(line["value"])
            elif "text" not in line:
                if "order" in line:
                    line["order"] = json.loads(line["order"])
                lines.append(line)
    return lines, blobs


def owners_of(lines, blobs):
    """The side of each unit and commander."""
    owners = {}
    for line in lines:
        args = line.get("order", {}).get("args", {})
        for told in args.get("units", ()):
            # What is only proposed to join rolls nothing.
            if "joins" in told:
                owners[told["id"]] = told["side"]
        if "roster" not in args:
            continue
        for side, army in blobs[args["roster"]]["sides"].items():
            for each in army["units"] + army.get("commanders", []):
                owners[each["id"]] = int(side)
    return owners


def taken_back(lines):
    """The numbers of lines that were taken back."""
    gone, said = set(), collections.defaultdict(set)
    for line in lines:
        order = line.get("order", {})
        if order.get("kind") != "accept":
            continue
        to = order["args"]["to"]
        offer = lines[to]["order"]
        said[to].add(line["seat"])
        if "from" not in offer["args"]:
            continue
        if offer["kind"] == "ruling" and not {1, 2} <= said[to]:
            continue
        gone |= set(range(offer["args"]["from"], line["seq"]))
    return gone


def asked(lines, line):
    """The order that asked for the dice of a line."""
    while line["order"]["kind"] == "answer":
        line = lines[line["order"]["args"]["to"]]
    return line


def side_of(seat):
    """The side that a seat plays for."""
    return 0 if seat == 0 else 2 - seat % 2


# --- Whose a die is ---


def last_event(lines, line, wanted):
    """The last event of a line's combat that is wanted, from its end."""
    for each in reversed(lines[: line["seq"] + 1]):
        for event in reversed(each.get("events", [])):
            if wanted(event):
                return event
        if any(e["e"] == "combat" for e in each.get("events", [])):
            break
    raise AssertionError("line %d: no such event" % line["seq"])


def loser_of(lines, line, attacker):
    """The side with the lower final value (umpire-rules.7, 11.4)."""
    value = {}
    for word in ("attacker", "defender"):
        event = last_event(
            lines, line,
            lambda e, word=word: e["e"] == "score" and e.get("side") == word
            and e["what"] == "final",
        )
        value[word] = event["score"]
    lost = value["attacker"] < value["defender"]
    return attacker if lost else 3 - attacker


def whose(system, lines, line, label, owners):
    """The side whose roll this is."""
    # The place has the first of the defending units.
    place = line["dice"]["place"].split("/")
    attacker = 3 - owners[place[2]] if place[0] == "c" else None
    words = label.split("/")
    by_word = {"attacker": attacker, "defender": attacker and 3 - attacker}
    if system == "lasalle2":
        if words[0] == "retire":
            return by_word[words[2]]
        return owners[words[1]]
    if words[0] in ("morale", "rest", "rally", "commander", "skirmish"):
        return owners[words[1]]
    if len(words) == 2:
        return by_word[words[1]]
    if label == "hits-on-winner":
        return loser_of(lines, line, attacker)
    if system == "leniston-2009":
        event = last_event(
            lines, line,
            lambda e: e["e"] == "change" and e["what"] == "higher",
        )
        return owners[event["unit"]]
    if label in ("evade", "initiative"):
        return 3 - attacker
    assert label in ("combat", "bombardment", "charge"), label
    return attacker


# --- Counting ---


def count(lines, blobs):
    """Count dice by (for, kind, sides, side), and draws by (from, name)."""
    owners, gone = owners_of(lines, blobs), taken_back(lines)
    system = lines[0]["order"]["args"]["system"]
    dice = collections.defaultdict(list)
    draws = collections.defaultdict(list)
    back = 0
    for line in lines:
        for roll in line.get("dice", {}).get("rolls", []):
            by = asked(lines, line)
            order, label = by["order"], roll["label"]
            if "bag" in roll:
                cup = order["args"].get("cup")
                key = ("cup", cup) if cup else ("bag", label)
                draws[key].append((roll["bag"], roll["chits"]))
                continue
            if label == "free":
                key = ("free", "free roll")
                side = side_of(by["seat"])
            else:
                word = label.split("/", maxsplit=1)[0]
                key = ("upkeep" if order["kind"] == "upkeep" else "combat",
                       NAMES.get(word, word))
                side = whose(system, lines, line, label, owners)
            dice[key + (roll["sides"], side)] += roll["dice"]
            back += len(roll["dice"]) if line["seq"] in gone else 0
    return dice, draws, back


# --- Chances ---


def normal(z):
    """The chance of so far from 0 or farther."""
    return math.erfc(abs(z) / math.sqrt(2))


def chi_square(x, degrees):
    """The chance of x or more: a sum, as the degrees are a whole number."""
    x /= 2
    if x == 0:
        return 1.0
    odd = degrees % 2 == 1
    total = math.erfc(math.sqrt(x)) if odd else math.exp(-x)
    power = 0.5 if odd else 1.0
    while power < degrees / 2:
        total += math.exp(power * math.log(x) - x - math.lgamma(power + 1))
        power += 1
    return total


def cells_of(faces, n):
    """Neighbours taken together until each cell expects five dice."""
    sides = len(faces)
    per = 1
    while per * n < CELL * sides:
        per += 1
    many = sides // per
    if many < 2:
        return []
    cells = [(sum(faces[i * per:(i + 1) * per]), per * n / sides)
             for i in range(many - 1)]
    rest = faces[(many - 1) * per:]
    return cells + [(sum(rest), len(rest) * n / sides)]


def judge(dice, sides):
    """What the program prints of a side's dice of one kind."""
    n = len(dice)
    faces = [dice.count(i + 1) for i in range(sides)]
    even = (sides + 1) / 2
    error = math.sqrt((sides * sides - 1) / 12 / n)
    z = (sum(dice) / n - even) / error if sides > 1 else 0.0
    judged = n >= LEAST and sides > 1
    cells = cells_of(faces, n) if judged and sides > 2 else []
    # Sums move by whole pips: half of one on the way to even is theirs.
    pips = max(0, abs(sum(dice) - n * even) - 0.5)
    chi = sum((had - want) ** 2 / want for had, want in cells)
    return {
        "dice": n, "sum": sum(dice), "faces": faces, "mean": sum(dice) / n,
        "even": even, "error": error, "z": z,
        "p_mean": normal(pips / n / error) if judged else None,
        "cells": len(cells),
        "chi_square": chi if cells else None,
        "p_faces": chi_square(chi, len(cells) - 1) if cells else None,
    }


def all_dice(dice):
    """What the program prints of all dice but free rolls."""
    told, deviates = {}, {}
    for side in (1, 2):
        mine = [(d, k[2]) for k, each in dice.items() for d in each
                if k[3] == side and k[0] != "free"]
        pips = sum(d - (s + 1) / 2 for d, s in mine)
        variance = sum((s * s - 1) / 12 for _, s in mine)
        deviates[side] = sum(
            (d - (s + 1) / 2) / math.sqrt((s * s - 1) / 12)
            for d, s in mine if s > 1
        )
        n = len(mine)
        told[str(side)] = {
            "dice": n, "pips": pips, "error": math.sqrt(variance),
            "z": deviates[side] / math.sqrt(n) if n else 0.0,
        }
    one, two = told["1"]["dice"], told["2"]["dice"]
    told["p_between"] = None
    if one >= LEAST and two >= LEAST:
        told["p_between"] = normal(
            (deviates[1] / one - deviates[2] / two)
            / math.sqrt(1 / one + 1 / two)
        )
    return told


def expected(path):
    """What `umpire luck --json` ought to print, in its own order."""
    lines, blobs = read(path)
    dice, draws, back = count(lines, blobs)
    kinds = {k: judge(each, k[2]) for k, each in dice.items()}
    chances = [p for k in kinds.values() for p in (k["p_mean"], k["p_faces"])
               if p is not None]
    told = {}
    for key, each in draws.items():
        bags = [bag for bag, _ in each]
        told[key] = {
            "draws": len(each), "chits": sum(len(c) for _, c in each),
            "bag": [min(bags), max(bags)],
            "expected": sum(len(c) / bag for bag, c in each),
            "drawn": collections.Counter(x for _, c in each for x in c),
        }
    return {
        "dice": sum(len(each) for each in dice.values()),
        "taken_back": back, "kinds": kinds, "all": all_dice(dice),
        "draws": told, "tests": len(chances),
        "p_least": min(chances) if chances else None,
    }


# --- Holding one against the other ---


def differs(have, want, where):
    """Yield each place where two values differ."""
    if isinstance(want, dict):
        if not isinstance(have, dict) or set(have) != set(want):
            yield "%s: %s and not %s" % (where, have, want)
            return
        for name, each in want.items():
            yield from differs(have[name], each, "%s.%s" % (where, name))
    elif isinstance(want, float) and isinstance(have, (int, float)):
        if abs(have - want) > TOO_FAR * max(1.0, abs(want)):
            yield "%s: %r and not %r" % (where, have, want)
    elif have != want:
        yield "%s: %r and not %r" % (where, have, want)


def printed(umpire, path):
    """What the program prints, with kinds and draws by their keys."""
    done = subprocess.run(
        shlex.split(umpire) + ["luck", "--json", path],
        stdout=subprocess.PIPE,
        timeout=TIMEOUT_S, check=True,
    )
    told = json.loads(done.stdout)
    for name in ("game", "name", "system", "finished", "unchecked"):
        del told[name]
    kinds = {}
    for k in told["kinds"]:
        key = (k.pop("for"), k.pop("kind"), k.pop("sides"), k.pop("side"))
        assert key not in kinds, key
        kinds[key] = k
    told["kinds"] = kinds
    told["draws"] = {
        (d.pop("from"), d.pop("name")): d for d in told["draws"]
    }
    return told


def forge(umpire, folder):
    """Write records of forged games."""
    # They are needed for this alone.
    # pylint: disable=import-outside-toplevel
    import forged_turns
    from forge import UmpireEvents

    events = UmpireEvents(shlex.split(umpire))
    os.makedirs(os.path.join(folder, "newer"), exist_ok=True)
    for name in FORGED + (NEWER,):
        data, _ = forged_turns.make(
            name, forged_turns.CASES[name], events
        )
        path = os.path.join("newer" if name == NEWER else "", name)
        with open(os.path.join(folder, path + ".jsonl"), "wb") as f:
            f.write(data)
    many = forged_turns.CASES["cups_game"]
    game = many.made("luck", events, many.settings)
    game.begin()
    game.roll_free(dice=29, sides=6)
    game.roll_free(dice=500, sides=20)
    game.roll_free(dice=30, sides=1000)
    game.roll_free(dice=40, sides=2)
    game.end_turn()
    game.roll_free(dice=30, sides=6)
    game.roll_free(dice=1000, sides=6)
    game.roll_free(dice=35, sides=20)
    game.close()
    with open(os.path.join(folder, "many_dice.jsonl"), "wb") as f:
        f.write(game.file())
    # One combat that is taken back again and again: its dice count.
    game = many.made("luck", events, many.settings)
    game.begin()
    for _ in range(COMBATS):
        since = game.seq()
        game.declare(game.plain())
        game.finish()
        game.takeback(1, since)
    game.close()
    with open(os.path.join(folder, "many_combats.jsonl"), "wb") as f:
        f.write(game.file())


def main(argv):
    """Hold the program against the count of each record."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--umpire")
    parser.add_argument("--forge")
    parser.add_argument("records", nargs="*")
    try:
        args = parser.parse_args(argv)
    except SystemExit:
        return 64
    if not args.umpire or bool(args.forge) == bool(args.records):
        sys.stderr.write(__doc__)
        return 64
    if args.forge:
        forge(args.umpire, args.forge)
        return 0
    agree = bad = dice = 0
    for path in args.records:
        want = expected(path)
        wrong = list(differs(printed(args.umpire, path), want, path))
        for each in wrong:
            print(each)
        agree, bad = agree + (not wrong), bad + bool(wrong)
        dice += want["dice"]
    print("%d agree, %d disagree, %d dice" % (agree, bad, dice))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
