#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Random combats of a rule system, held against its second reading.

Makes scenarios from a seed: lawful ones, their decisions answered at random
or left open, and unlawful ones with one fault each, every refusal that
umpire-rules.7 lists among them. `umpire resolve -` runs over each, and exit
status, result, open question, rolls, draws and their order must agree with
the reading beside this file.

  random_combats.py [--system ID] --umpire PATH [--count N] [--seed S]
                    [--places] [--readd] [--clauses] [--doubts]
  random_combats.py [--system ID] --write FILE [--count N] [--seed S]

--system is lasalle2 unless said; the reading of some-id is someid.py and its
cases are made by someid_cases.py (see reading.py and cases.py). --umpire may
be a command with arguments ("./umpire", "python3 stub.py"); "resolve -" is
added. --places also wants the place named on standard error where it can be
only one. --readd also adds up every score again that `resolve --text` prints
(see readd.py). --clauses says which clauses the combats met. --doubts runs
only the cases that the text leaves open, with the reading's answer.
--no-events compares no events. --write puts one JSON object a line: {"name",
"input" (the text), "want"}; it runs nothing.
Exit status: 0 all agree, 1 not all, 64 wrong usage.
"""

import argparse
import collections
import concurrent.futures
import importlib
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import threading

import readd
from cases import shuffled
from reading import Refused, is_int, plain_options

TIMEOUT_S = 60

# --- Running and comparing ---


def oracle(system, data, events=None):
    """Say what the reading makes of an input.

    With the program's events, dice and chits that the script lacks come from
    them.
    """
    try:
        scenario = json.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as e:
        return {"status": "refused", "place": "", "reason": str(e)}
    if events is None:
        return system.resolve(scenario)
    steps = [e for e in events if isinstance(e, dict)]
    rolls = {e.get("label"): e.get("dice") for e in steps if e["e"] == "roll"}
    chits = [c for e in steps if e["e"] == "draw" for c in e["chits"]]

    def roll(label, count, sides):
        dice = rolls.get(label)
        if not isinstance(dice, list) or len(dice) != count:
            raise Refused(label, "%d dice were not rolled" % count)
        if not all(is_int(d) and 1 <= d <= sides for d in dice):
            raise Refused(label, "rolled what no die shows")
        return dice

    def draw(label, ids, had):
        if not chits or chits[0] not in ids or chits[0] in had:
            raise Refused(label, "drew what is not in the bag")
        return chits.pop(0)

    return system.resolve(scenario, roll, draw)


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
        "options": plain_options(options),
    }


def open_asks(events):
    """List the open questions at the end: one, or two that are secret."""
    asks = []
    for event in reversed(events[-2:]):
        if event["e"] != "ask":
            break
        asks.append({k: v for k, v in event.items() if k != "e"})
    return asks


def compare_events(want, events):
    """Compare rolls, the open question and the result among the events."""
    if not isinstance(events, list) or not all(
        isinstance(e, dict) and next(iter(e), None) == "e" for e in events
    ):
        return ["events are not objects with \"e\" first"]
    wrong = []
    chance = ("roll", "draw")
    rolls = [e for e in events if e["e"] in chance]
    wanted = [e for e in want["log"] if e["e"] in chance]
    if not same(rolls, wanted):
        wrong.append("rolls %s, wanted %s" % (
            json.dumps(rolls), json.dumps(wanted)))
    last = events[-1] if events else {}
    if want["status"] == "pending":
        asks = open_asks(events)
        if not any(
            same(plain_pending(ask), plain_pending(want["pending"]))
            for ask in asks
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
    if out.get("system") != want["system"]:
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
        want = oracle(args.reading, case["data"], out.get("events", []))
    wrong = compare_output(want, out, args.events)
    if args.readd:
        wrong += run_readd(case, args, out.get("events", []))
    return wrong


def run_readd(case, args, events):
    """Add up again what the program prints for people of these events."""
    done = subprocess.run(
        args.command + ["resolve", "--text", "-"],
        input=case["data"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=TIMEOUT_S,
        check=False,
    )
    if done.returncode != 0:
        return ["--text: exit status %d" % done.returncode]
    found, wrong = readd.check(done.stdout.decode("utf-8", "replace"))
    with args.lock:
        args.scores += found
    scores = sum(e.get("e") == "score" for e in events)
    if case["kind"] != "local" and found != scores:
        wrong.append("%d scores are printed, %d made" % (found, scores))
    return ["--text: " + text for text in wrong]


def make_cases(args):
    """Make the cases, two in five with a fault, fault after fault."""
    cases, seed = args.cases, args.seed
    names = sorted(cases.faults)
    turn = 0
    for i in range(args.count):
        rng = random.Random("%s/%d" % (seed, i))
        place = None
        if i % 5 in (1, 3):
            kind = names[(turn + seed * 7) % len(names)]
            turn += 1
            scenario, place = cases.unlawful(rng, kind)
        else:
            scenario, kind = cases.lawful(rng)
        if isinstance(scenario, bytes):
            data = scenario
        else:
            data = json.dumps(
                shuffled(rng, scenario),
                ensure_ascii=rng.random() < 0.5,
                indent=rng.choice((None, None, 1)),
            ).encode()
        want = oracle(args.reading, data)
        refused = want["status"] == "refused"
        if refused != (kind in cases.faults):
            raise AssertionError("case %d (%s): %r %r" % (i, kind, want, data))
        yield {
            "name": "%d %s" % (i, kind),
            "kind": kind,
            "data": data,
            "want": want,
            "place": place,
        }


def doubt_cases(args):
    """Make the cases that the text leaves open."""
    for name, made in args.cases.doubts(random.Random(args.seed)):
        data = made if isinstance(made, bytes) else json.dumps(made).encode()
        yield {
            "name": "doubt: " + name,
            "kind": "doubt",
            "data": data,
            "want": oracle(args.reading, data),
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
            want = {k: v
                    for k, v in case["want"].items()
                    if k not in ("log", "met")}
            line = {"name": case["name"], "input": text, "want": want}
            f.write(json.dumps(line) + "\n")


def read_args(argv):
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description="Hold `umpire resolve` against a second reading."
    )
    parser.add_argument("--system", default="lasalle2")
    parser.add_argument("--umpire", help="the program under test")
    parser.add_argument("--write", help="only write the cases to this file")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--readd", action="store_true")
    parser.add_argument("--clauses", action="store_true")
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
    module = args.system.replace("-", "") + "_cases"
    folder = os.path.dirname(os.path.abspath(__file__))
    if not os.path.exists(os.path.join(folder, module + ".py")):
        print("random_combats.py: no reading of %s" % args.system,
              file=sys.stderr)
        raise SystemExit(64)
    args.cases = importlib.import_module(module).CASES
    args.reading = args.cases.system
    args.command = shlex.split(args.umpire or "")
    if args.command and shutil.which(args.command[0]) is None:
        print("random_combats.py: %s cannot be run" % args.command[0],
              file=sys.stderr)
        raise SystemExit(64)
    args.lock = threading.Lock()
    args.scores = 0
    return args


def say_clauses(args, cases):
    """Say how many of the combats met each clause of the reading."""
    met = collections.Counter()
    for case in cases:
        met.update(case["want"].get("met", ()))
    for name in sorted(set(met) | set(args.reading.clauses)):
        print("clause %5d  %s" % (met[name], name))


def main(argv):
    """Make the cases, run them and count."""
    args = read_args(argv)
    if args.doubts:
        cases = doubt_cases(args)
    else:
        cases = make_cases(args)
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
    if args.clauses:
        say_clauses(args, cases)
    if args.readd:
        print("%d scores were added up again" % args.scores)
    print("oracle: %s" % ", ".join(
        "%d %s" % (n, status) for status, n in sorted(counts.items())))
    print("%d agree, %d disagree" % (agree, disagree))
    return 1 if disagree else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
