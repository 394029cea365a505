#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Holds umpire verify against the second reading on records that there are.

  agree.py --umpire PATH FILE...

Verdict, first bad line, exit status and what is told of a good record have to
agree, with the rules and without.
Exit status: 0 they agree, 1 they do not, 64 wrong usage.
"""

import argparse
import shlex
import sys

import verify
from forged_batch import run_verify


def differ(found, judged):
    """Say in what the two readings differ; None where they agree."""
    if (judged.status, judged.line) != (found.status, found.line):
        return "%s by umpire (line %s, %s), by the second reading %s" % (
            judged.told["verdict"], judged.told.get("line"), judged.why,
            found.why)
    return found.differs(judged.told) if found.status == 0 else None


def main(argv):
    """Let both judge every file."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--umpire", required=True)
    parser.add_argument("files", nargs="+")
    try:
        args = parser.parse_args(argv)
    except SystemExit as e:
        raise SystemExit(64 if e.code else 0) from None
    wrong = 0
    for path in args.files:
        with open(path, "rb") as f:
            data = f.read()
        for more in ([], ["--no-rules"]):
            status, (judged,) = run_verify(
                shlex.split(args.umpire), [path], more)
            said = differ(verify.Found(data, not more), judged)
            if said is None and status != judged.status:
                said = "exit status %d" % status
            if said is not None:
                print("%s%s: %s" % (path, " ".join([""] + more), said))
                wrong += 1
    print("%d files, %d disagree" % (len(args.files), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
