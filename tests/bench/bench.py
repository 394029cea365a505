#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""How fast umpired is, against reference programs of the same run.

usage: bench.py [--only NAME]... [--pairs N] [--quick] [--control] [--list]
                [--keep] FOLDER

FOLDER is where umpired, umpire and tests/bench/* were built; nothing is built
here. Each measure runs its reference (A) and umpired (B) in turn, A B A B,
five pairs or more. What is done goes to stderr; at the end one JSON object to
stdout:

  {"noisy": false, "ok": true, "quick": false, "control": false, "cores": 2,
   "pairs": 5, "measures": [
    {"name", "what", "unit", "reference": {"median", "min", "max", "spread"},
     "subject": {the same}, "ratio", "limit", "better": "lower" or "higher",
     "noisy", "ok", "details": {...}}], "skipped": [{"name", "why"}]}

`ratio` is the median of the pairs' subject/reference; it must stay at or below
`limit` where lower is better, else at or above it. `spread` is (max - min) /
median. A measure whose reference spreads by more than 40 % is "noisy": it says
nothing, and its "ok" is null. Exit status, the first that is true, and "ok" of
the whole:

  64  null   wrong usage, nothing is printed
   1  false  a limit is missed, in a measure that is not noisy
  70  null   a measure broke
  75  null   a measure is noisy
  69  null   a measure that was asked for was skipped, or the run was quick
   0  true   all limits hold

--quick tries the measures out, with one pair or as many as --pairs says, fewer
than five too. Then nothing is said: every "ok" is null, and the exit status 69,
or 70.

--control is the negative control: umpired-test, ruled by tests/tools/hookctl,
wastes CPU at each read off a socket and memory at each connection, while it is
the subject. The run passes, with 0, if each limit is missed that such a daemon
must miss (all but those a class names in UNCONTROLLED); what held then has
"ok": false, and the exit status is 1.

A module a measure: every measure_*.py beside this file has a list MEASURES of
classes. An object of a class is made with the bench (below) and has

  results      {name: rig.Result(what, unit, limit, better)}: what it measures
  setup()      starts what it needs; rig.Skip("why") if that is not there
  reference()  one run of A: {name: number}
  subject()    one run of B: {name: number}, or {name: (reference, number)}
               where a run of B is its own reference
  details(name)    more for the JSON: a dict
  teardown()   ends what setup() started; called however it went
  WASTE        what --control has the daemon waste, a dict (else WASTE below)
  UNCONTROLLED names of results that it cannot make worse, a set (else none)

The names of results are those of --only and --list. The bench gives
bench.folder (a Path), bench.program("umpired") (a path that exists, or Skip),
bench.say(text) for stderr, bench.work (a folder for this measure alone, which
goes away) and bench.pairs. rig.py has what measures share: a daemon of one's
own, CPU time, memory.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import rig  # noqa: E402

PAIRS = 5
NOISY = 0.40
EX_USAGE, EX_UNAVAILABLE, EX_SOFTWARE, EX_TEMPFAIL = 64, 69, 70, 75
CONTROL_ENV = "UMPIRED_TEST_CONTROL"  # tests/hooks.h
WASTE = {"waste_us": 1000, "fat": 16}


class Bench:
    """What a measure is given."""

    def __init__(self, folder, pairs, is_quick=False, is_control=False):
        self.folder = folder
        self.pairs = pairs
        self.is_quick = is_quick
        self.is_control = is_control
        self.work = None
        self.wasting = WASTE

    def waste(self, is_on):
        """In the control, has all daemons waste, or ends it."""
        if self.is_control:
            pairs = [str(x) for k, v in self.wasting.items()
                     for x in (k, v if is_on else 0)]
            rig.run([self.program("tests/tools/hookctl"),
                     os.environ[CONTROL_ENV], "set"] + pairs)

    def program(self, name):
        """The path of a program that was built; Skip if it was not."""
        if self.is_control and name == "umpired":
            name = "umpired-test"
        path = self.folder / name
        if not os.access(path, os.X_OK):
            raise rig.Skip(f"{path} is not built")
        return str(path)

    @staticmethod
    def say(text):
        print(text, file=sys.stderr, flush=True)


def load():
    """All measures' classes, by the names of their files."""
    found = []
    for path in sorted(HERE.glob("measure_*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found += module.MEASURES
    return found


def spread(values):
    """Median, least, greatest, and how far they lie apart."""
    middle = statistics.median(values)
    apart = (max(values) - min(values)) / middle if middle > 0 else 0.0
    return {"median": middle, "min": min(values), "max": max(values),
            "spread": round(apart, 4)}


def verdict(bench, measure, name, is_held, is_noisy):
    """What is said of one result: true, false, or None for nothing."""
    if is_noisy or bench.is_quick:
        return None
    if not bench.is_control:
        return is_held
    if name in getattr(measure, "UNCONTROLLED", ()):
        return None
    return not is_held


def summary(bench, measure, name, pairs):
    """What is printed of one result; pairs are of reference and subject."""
    result = measure.results[name]
    ratio = statistics.median(b / a if a > 0 else float("inf")
                              for a, b in pairs)
    reference = spread([a for a, b in pairs])
    is_noisy = reference["spread"] > NOISY
    holds = ratio <= result.limit if result.better == "lower" \
        else ratio >= result.limit
    return {"name": name, "what": result.what, "unit": result.unit,
            "reference": reference, "subject": spread([b for a, b in pairs]),
            "ratio": round(ratio, 4), "limit": result.limit,
            "better": result.better, "noisy": is_noisy,
            "ok": verdict(bench, measure, name, holds, is_noisy),
            "details": measure.details(name)}


def run_pairs(bench, measure):
    """A B A B; the pairs by name."""
    pairs = {name: [] for name in measure.results}
    for i in range(bench.pairs):
        bench.waste(False)
        a = measure.reference()
        bench.waste(True)
        b = measure.subject()
        shown = []
        for name, got in pairs.items():
            value = b[name]
            one = value if isinstance(value, tuple) else (a[name], value)
            got.append((float(one[0]), float(one[1])))
            shown.append(f"{name} {one[0]:.4g} {one[1]:.4g}")
        bench.say(f"  {i + 1}/{bench.pairs}: " + "; ".join(shown))
    return pairs


def run_measure(bench, cls, keep):
    """Runs one measure; its summaries."""
    bench.work = pathlib.Path(tempfile.mkdtemp(prefix="umpire-bench."))
    measure = cls(bench)
    bench.say(", ".join(measure.results))
    bench.wasting = getattr(measure, "WASTE", WASTE)
    if bench.is_control:
        os.environ[CONTROL_ENV] = str(bench.work / "control")
    try:
        bench.waste(False)
        measure.setup()
        pairs = run_pairs(bench, measure)
        return [summary(bench, measure, name, pairs[name])
                for name in measure.results]
    finally:
        measure.teardown()
        if keep:
            bench.say(f"  kept: {bench.work}")
        else:
            shutil.rmtree(bench.work, ignore_errors=True)


def run(bench, classes, keep):
    """Runs measures; what is printed, and the exit status."""
    measures, skipped, broken = [], [], False
    for cls in classes:
        names = list(cls.results)
        try:
            measures += run_measure(bench, cls, keep)
        except rig.Skip as why:
            bench.say(f"  skipped: {why}")
            skipped += [{"name": n, "why": str(why)} for n in names]
        except Exception as why:  # one broken measure is not all of them
            traceback.print_exc()
            skipped += [{"name": n, "why": f"broke: {why}"} for n in names]
            broken = True
    status = judge(bench, measures, skipped, broken)
    return {"noisy": any(m["noisy"] for m in measures),
            "ok": {0: True, 1: False}.get(status), "quick": bench.is_quick,
            "control": bench.is_control,
            "cores": len(os.sched_getaffinity(0)), "pairs": bench.pairs,
            "measures": measures, "skipped": skipped}, status


def judge(bench, measures, skipped, broken):
    """The exit status of a run: see above."""
    if any(m["ok"] is False for m in measures):
        return 1
    if broken:
        return EX_SOFTWARE
    if bench.is_quick:
        return EX_UNAVAILABLE
    if any(m["noisy"] for m in measures):
        return EX_TEMPFAIL
    if skipped or not any(m["ok"] for m in measures):
        return EX_UNAVAILABLE
    return 0


def main():
    """Reads the command line and runs what it asks for."""
    parser = argparse.ArgumentParser(
        prog="bench.py", description="how fast umpired is")
    parser.add_argument("--only", action="append", default=[],
                        metavar="NAME", help="this measure; may stand again")
    parser.add_argument("--pairs", type=int, metavar="N",
                        help=f"of each measure, {PAIRS} at least")
    parser.add_argument("--quick", action="store_true",
                        help="fewer pairs, which show nothing")
    parser.add_argument("--control", action="store_true",
                        help="a daemon that must miss the limits")
    parser.add_argument("--list", action="store_true",
                        help="names and limits of the measures")
    parser.add_argument("--keep", action="store_true",
                        help="keep the folders of the measures")
    parser.add_argument("folder", nargs="?", metavar="FOLDER")
    try:
        args = parser.parse_args()
    except SystemExit as e:
        return EX_USAGE if e.code else 0
    classes = load()
    if args.list:
        for cls in classes:
            for name, r in cls.results.items():
                sign = "<=" if r.better == "lower" else ">="
                print(f"{name:24} {sign} {r.limit:<5} {r.what}")
        return 0
    unknown = set(args.only) - {n for c in classes for n in c.results}
    least = 1 if args.quick else PAIRS
    pairs = least if args.pairs is None else args.pairs
    if args.folder is None or pairs < least or unknown:
        if pairs < least:
            print(f"bench.py: at least {least} pairs; see --quick",
                  file=sys.stderr)
        for name in sorted(unknown):
            print(f"bench.py: no measure {name}; see --list", file=sys.stderr)
        parser.print_usage(sys.stderr)
        return EX_USAGE
    if args.only:
        classes = [c for c in classes if set(c.results) & set(args.only)]
    bench = Bench(pathlib.Path(args.folder).resolve(), pairs, args.quick,
                  args.control)
    got, status = run(bench, classes, args.keep)
    json.dump(got, sys.stdout, indent=1)
    print()
    return status


if __name__ == "__main__":
    sys.exit(main())
