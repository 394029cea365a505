#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Random combats of lasalle2, held against the oracle beside this file.

Makes scenarios from a seed: lawful ones with all arms, formations, edges,
touches, terrain, traits and rulings, their decisions answered at random or
left open, and unlawful ones with one fault each, every refusal that
umpire-rules.7 lists among them. `umpire resolve -` runs over each, and exit
status, result, open question, rolls and their order must agree with
lasalle2.py.

  random_combats.py --umpire PATH [--count N] [--seed S] [--places] [--doubts]
  random_combats.py --write FILE [--count N] [--seed S]

--umpire may be a command with arguments ("./umpire", "python3 stub.py");
"resolve -" is added. --places also wants the place named on standard error
where it can be only one. --doubts runs only the cases that the text leaves
open, with the oracle's reading. --no-events compares no events. --write puts
one JSON object a line: {"name", "input" (the text), "want"}; it runs nothing.
Exit status: 0 all agree, 1 not all, 64 wrong usage.
"""

import argparse
import concurrent.futures
import copy
import json
import random
import shlex
import subprocess
import sys

import lasalle2
from combat_faults import FAULTS, played, unlawful
from combat_scenarios import lawful, shuffled

TIMEOUT_S = 60

# --- Cases that the text leaves open ---


def doubts(rng):
    """List (name, input) where the printed text allows two answers."""
    cases = []

    def add(name, change):
        player, _ = played(rng)
        scenario = copy.deepcopy(player.finish())
        changed = change(scenario)
        cases.append((name, scenario if changed is None else changed))

    def first(scenario, key):
        return scenario["combat"][key][0]

    def text(scenario, old, new):
        return json.dumps(scenario).replace(old, new, 1).encode()

    def many_units(scenario):
        units = [
            {"id": "a%d" % i, "arm": "infantry", "strength": 3,
             "formation": "line"}
            for i in range(66)
        ]
        scenario["combat"] = {
            "attackers": units[:65],
            "defenders": units[65:],
            "contacts": [
                {"attacker": u["id"], "defender": "a65", "edge": "front"}
                for u in units[:65]
            ],
        }
        dice = {"score/" + u["id"]: [3] for u in units}
        scenario["script"] = {"dice": dice}

    add("touches empty", lambda s: first(s, "contacts").update(touches=[]))
    add(
        "touches twice the same",
        lambda s: first(s, "contacts").update(touches=["front", "front"]),
    )
    add(
        "trait twice",
        lambda s: first(s, "attackers").update(traits=["shock", "shock"]),
    )
    add("name empty", lambda s: first(s, "attackers").update(name=""))
    add(
        "name of 5000 letters",
        lambda s: first(s, "attackers").update(name="x" * 5000),
    )
    add("note at the top", lambda s: s.update(note="a vector's note"))
    add("expect at the top", lambda s: s.update(expect={}))
    add(
        "strength 6.0",
        lambda s: first(s, "attackers").update(strength=6.0),
    )
    add(
        "duplicate key",
        lambda s: text(
            s, '"system": "lasalle2"',
            '"system": "lasalle2", "system": "lasalle2"',
        ),
    )
    add(
        "malformed dice that are not needed",
        lambda s: s["script"]["dice"].update({"score/nobody": "x"}),
    )
    add(
        "malformed chits, not needed",
        lambda s: s["script"].update(chits=[7]),
    )
    add("chits that are no array", lambda s: s["script"].update(chits="c07"))
    add("65 attackers", many_units)
    add("name null", lambda s: first(s, "attackers").update(name=None))
    return cases


# --- Running and comparing ---


def oracle(data, umpire_rolls=None):
    """Say what the oracle makes of an input; None dice come from the rolls."""
    try:
        scenario = json.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as e:
        return {"status": "refused", "place": "", "reason": str(e)}
    if umpire_rolls is None:
        return lasalle2.resolve(scenario)

    def roll(label, count, sides):
        dice = umpire_rolls.get(label)
        if not isinstance(dice, list) or len(dice) != count:
            raise lasalle2.Refused(label, "%d dice were not rolled" % count)
        if not all(lasalle2.is_int(d) and 1 <= d <= sides for d in dice):
            raise lasalle2.Refused(label, "rolled what no die shows")
        return dice

    return lasalle2.resolve(scenario, roll)


def same(a, b):
    """Compare JSON values; 1, 1.0 and true are three different things."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def plain_pending(pending):
    """Write an open question in one form, options inline or as a member."""
    if not isinstance(pending, dict):
        return pending
    options = {
        k: v for k, v in pending.items() if k not in ("side", "kind")
    }
    if list(options) == ["options"] and isinstance(options["options"], dict):
        options = options["options"]
    return {
        "side": pending.get("side"),
        "kind": pending.get("kind"),
        "options": lasalle2.plain_options(options),
    }


def compare_events(want, events):
    """Compare rolls, the open question and the result among the events."""
    if not isinstance(events, list) or not all(
        isinstance(e, dict) and next(iter(e), None) == "e" for e in events
    ):
        return ["events are not objects with \"e\" first"]
    wrong = []
    rolls = [e for e in events if e["e"] == "roll"]
    wanted = [e for e in want["log"] if e["e"] == "roll"]
    if not same(rolls, wanted):
        wrong.append("rolls %s, wanted %s" % (
            json.dumps(rolls), json.dumps(wanted)))
    last = events[-1] if events else {}
    if want["status"] == "pending":
        ask = {k: v for k, v in last.items() if k != "e"}
        if last.get("e") != "ask" or not same(
            plain_pending(ask), plain_pending(want["pending"])
        ):
            wrong.append("the last event is not the open question")
    elif not same(last, {"e": "result", **want["result"]}):
        wrong.append("the last event is not the result")
    return wrong


def compare_output(want, out, events):
    """Compare the output object with the oracle's."""
    wrong = []
    if want["status"] == "refused":
        return ["accepted, but the oracle refuses: %(place)s: %(reason)s"
                % want]
    if out.get("system") != "lasalle2":
        wrong.append("system is %r" % out.get("system"))
    if out.get("status") != want["status"]:
        wrong.append(
            "status %r, wanted %r" % (out.get("status"), want["status"])
        )
        return wrong
    key = "pending" if want["status"] == "pending" else "result"
    other = "result" if key == "pending" else "pending"
    unknown = set(out) - {"system", "status", "events", key}
    if other in out or unknown:
        wrong.append("members %s" % sorted(out))
    have, need = out.get(key), want[key]
    if key == "pending":
        have, need = plain_pending(have), plain_pending(need)
    if not same(have, need):
        wrong.append(
            "%s\n    has  %s\n    want %s"
            % (key, json.dumps(have), json.dumps(need))
        )
    if events:
        wrong += compare_events(want, out.get("events"))
    return wrong


def run_case(case, args):
    """Run the program over one case; list what is wrong."""
    try:
        done = subprocess.run(
            args.command + ["resolve", "-"],
            input=case["data"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ["ran into the time limit"]
    want = case["want"]
    stderr = done.stderr.decode("utf-8", "replace")
    if done.returncode == 65:
        wrong = []
        if want["status"] != "refused":
            wrong.append("refused: %s" % stderr.strip())
        if done.stdout:
            wrong.append("refused with text on standard output")
        if not stderr.endswith("\n") or stderr.count("\n") != 1:
            wrong.append("not one line on standard error: %r" % stderr)
        place = case["place"]
        if args.places and place and place not in stderr:
            wrong.append("names not %s: %s" % (place, stderr.strip()))
        return wrong
    if done.returncode != 0:
        return ["exit status %d: %s" % (done.returncode, stderr.strip())]
    try:
        out = json.loads(done.stdout)
    except ValueError as e:
        return ["standard output is no JSON: %s" % e]
    if not isinstance(out, dict):
        return ["standard output is no object"]
    if case["kind"] == "local":
        rolls = {
            e.get("label"): e.get("dice")
            for e in out.get("events", [])
            if isinstance(e, dict) and e.get("e") == "roll"
        }
        want = oracle(case["data"], rolls)
    return compare_output(want, out, args.events)


def make_cases(count, seed):
    """Make the cases, two in five with a fault, fault after fault."""
    names = sorted(FAULTS)
    turn = 0
    for i in range(count):
        rng = random.Random("%s/%d" % (seed, i))
        place = None
        if i % 5 in (1, 3):
            kind = names[(turn + seed * 7) % len(names)]
            turn += 1
            scenario, place = unlawful(rng, kind)
        else:
            scenario, kind = lawful(rng)
        if isinstance(scenario, bytes):
            data = scenario
        else:
            data = json.dumps(
                shuffled(rng, scenario),
                ensure_ascii=rng.random() < 0.5,
                indent=rng.choice((None, None, 1)),
            ).encode()
        want = oracle(data)
        refused = want["status"] == "refused"
        if refused != (kind in FAULTS):
            raise AssertionError("case %d (%s): %r %r" % (i, kind, want, data))
        yield {
            "name": "%d %s" % (i, kind),
            "kind": kind,
            "data": data,
            "want": want,
            "place": place,
        }


def doubt_cases(seed):
    """Make the cases that the text leaves open."""
    for name, made in doubts(random.Random(seed)):
        data = made if isinstance(made, bytes) else json.dumps(made).encode()
        yield {
            "name": "doubt: " + name,
            "kind": "doubt",
            "data": data,
            "want": oracle(data),
            "place": None,
        }


def write_cases(cases, path):
    """Write the cases that are text, one JSON object a line."""
    with open(path, "w", encoding="utf-8") as f:
        for case in cases:
            try:
                text = case["data"].decode("utf-8")
            except UnicodeDecodeError:
                continue
            want = {k: v for k, v in case["want"].items() if k != "log"}
            line = {"name": case["name"], "input": text, "want": want}
            f.write(json.dumps(line) + "\n")


def read_args(argv):
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description="Hold `umpire resolve` against a second reading."
    )
    parser.add_argument("--umpire", help="the program under test")
    parser.add_argument("--write", help="only write the cases to this file")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--doubts", action="store_true")
    parser.add_argument(
        "--no-events", dest="events", action="store_false", default=True
    )
    try:
        args = parser.parse_args(argv)
    except SystemExit as e:
        raise SystemExit(64 if e.code else 0) from None
    if not args.umpire and not args.write:
        print("random_combats.py: --umpire or --write", file=sys.stderr)
        raise SystemExit(64)
    args.command = shlex.split(args.umpire or "")
    return args


def main(argv):
    """Make the cases, run them and count."""
    args = read_args(argv)
    if args.doubts:
        cases = doubt_cases(args.seed)
    else:
        cases = make_cases(args.count, args.seed)
    if args.write:
        write_cases(cases, args.write)
        return 0
    cases = list(cases)
    agree = disagree = 0
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda case: run_case(case, args), cases)
        for case, wrong in zip(cases, found):
            status = case["want"]["status"]
            counts[status] = counts.get(status, 0) + 1
            if not wrong:
                agree += 1
                continue
            disagree += 1
            print("disagreement in case %s (seed %d):" % (
                case["name"], args.seed))
            for text in wrong:
                print("  " + text)
            text = case["data"].decode("utf-8", "backslashreplace")
            if len(text) > 20000:
                text = text[:20000] + "..."
            print("  input: " + text)
    print("oracle: %s" % ", ".join(
        "%d %s" % (n, status) for status, n in sorted(counts.items())))
    print("%d agree, %d disagree" % (agree, disagree))
    return 1 if disagree else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
