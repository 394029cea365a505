#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""How fast umpired is, against reference programs of the same run.

usage: bench.py [--only NAME]... [--pairs N] [--list] [--keep] FOLDER

FOLDER is where umpired, umpire and tests/bench/* were built; nothing is built
here. Each measure runs its reference (A) and umpired (B) in turn, A B A B,
five pairs or more. What is done goes to stderr; at the end one JSON object to
stdout:

  {"noisy": false, "ok": true, "cores": 2, "pairs": 5, "measures": [
    {"name", "what", "unit", "reference": {"median", "min", "max", "spread"},
     "subject": {the same}, "ratio", "limit", "better": "lower" or "higher",
     "noisy", "ok", "details": {...}}], "skipped": [{"name", "why"}]}

`ratio` is the median of the pairs' subject/reference; it must stay at or below
`limit` where lower is better, else at or above it. `spread` is (max - min) /
median. Exit status: 0 all limits hold; 75 a reference spreads by more than
40 %, so that nothing is said ("noisy"); 1 a limit is missed; 64 wrong usage;
70 a measure broke.

A module a measure: every measure_*.py beside this file has a list MEASURES of
classes. An object of a class is made with the bench (below) and has

  results      {name: rig.Result(what, unit, limit, better)}: what it measures
  setup()      starts what it needs; rig.Skip("why") if that is not there
  reference()  one run of A: {name: number}
  subject()    one run of B: {name: number}, or {name: (reference, number)}
               where a run of B is its own reference
  details(name)    more for the JSON: a dict
  teardown()   ends what setup() started; called however it went

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
EX_USAGE, EX_SOFTWARE, EX_TEMPFAIL = 64, 70, 75


class Bench:
    """What a measure is given."""

    def __init__(self, folder, pairs):
        self.folder = folder
        self.pairs = pairs
        self.work = None

    def program(self, name):
        """The path of a program that was built; Skip if it was not."""
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


def summary(name, result, pairs, details):
    """What is printed of one result; pairs are of reference and subject."""
    ratio = statistics.median(b / a if a > 0 else float("inf")
                              for a, b in pairs)
    reference = spread([a for a, b in pairs])
    holds = ratio <= result.limit if result.better == "lower" \
        else ratio >= result.limit
    return {"name": name, "what": result.what, "unit": result.unit,
            "reference": reference, "subject": spread([b for a, b in pairs]),
            "ratio": round(ratio, 4), "limit": result.limit,
            "better": result.better, "noisy": reference["spread"] > NOISY,
            "ok": holds, "details": details}


def run_pairs(bench, measure):
    """A B A B; the pairs by name."""
    pairs = {name: [] for name in measure.results}
    for i in range(bench.pairs):
        a = measure.reference()
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
    try:
        measure.setup()
        pairs = run_pairs(bench, measure)
        return [summary(name, result, pairs[name], measure.details(name))
                for name, result in measure.results.items()]
    finally:
        measure.teardown()
        if keep:
            bench.say(f"  kept: {bench.work}")
        else:
            shutil.rmtree(bench.work, ignore_errors=True)


def run(bench, classes, keep):
    """Runs measures; what is printed, and whether one broke."""
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
    return {"noisy": any(m["noisy"] for m in measures),
            "ok": not broken and all(m["ok"] for m in measures),
            "cores": len(os.sched_getaffinity(0)), "pairs": bench.pairs,
            "measures": measures, "skipped": skipped}, broken


def main():
    """Reads the command line and runs what it asks for."""
    parser = argparse.ArgumentParser(
        prog="bench.py", description="how fast umpired is")
    parser.add_argument("--only", action="append", default=[],
                        metavar="NAME", help="this measure; may stand again")
    parser.add_argument("--pairs", type=int, default=PAIRS, metavar="N")
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
    if args.folder is None or args.pairs < 1 or unknown:
        for name in sorted(unknown):
            print(f"bench.py: no measure {name}; see --list", file=sys.stderr)
        parser.print_usage(sys.stderr)
        return EX_USAGE
    if args.only:
        classes = [c for c in classes if set(c.results) & set(args.only)]
    bench = Bench(pathlib.Path(args.folder).resolve(), args.pairs)
    got, broken = run(bench, classes, args.keep)
    json.dump(got, sys.stdout, indent=1)
    print()
    if broken:
        return EX_SOFTWARE
    if got["noisy"]:
        return EX_TEMPFAIL
    return 0 if got["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
