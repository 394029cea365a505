#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Flips bits of a record; each flip must make it bad (umpire-record.7 S10).

  bits.py FILE [--every N] [--seed S] [--command COMMAND] [--good STATUS]

Without --command the verifier beside this file runs in this process, else
COMMAND ("umpire verify") with the path of a changed copy added, one process a
flip. The record as it is must end with STATUS (0; give 2 with --no-rules in
COMMAND, or --no-rules here for the verifier of this process). Every changed
one must end with 1: no single bit turns a record into one of a newer umpire
or with a missing blob, for marks and hashes are checked before that.
--every N takes one bit in N, evenly, from a start that the seed sets.
Exit status: 0 all refused, 1 not all, 64 wrong usage, 66 no such file.
"""

import argparse
import concurrent.futures
import os
import random
import shlex
import subprocess
import sys
import tempfile

import verify

TIMEOUT_S = 60


def run_command(command, data, folder):
    """Run the command over bytes; return its status and what it printed."""
    handle, path = tempfile.mkstemp(dir=folder, suffix=".jsonl")
    try:
        with os.fdopen(handle, "wb") as f:
            f.write(data)
        done = subprocess.run(
            command + [path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT_S,
            check=False,
        )
        return done.returncode, done.stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return None, "ran into the time limit"
    finally:
        os.unlink(path)


def flip(data, bit):
    """Return a copy with one bit changed."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def describe(data, bit):
    """Say where a bit lies."""
    at = bit // 8
    line = data.count(b"\n", 0, at) + 1
    column = at - (data.rfind(b"\n", 0, at) + 1)
    near = data[max(0, at - 20) : at + 20]
    return "line %d, byte %d, bit %d, near %r" % (line, column, bit % 8, near)


def read_args(argv):
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description="Flip bits of a record and check that it is refused."
    )
    parser.add_argument("file")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command")
    parser.add_argument("--good", type=int)
    parser.add_argument("--no-rules", action="store_true")
    try:
        args = parser.parse_args(argv)
    except SystemExit as e:
        raise SystemExit(64 if e.code else 0) from None
    if args.every < 1 or (args.command and args.no_rules):
        print("bits.py: see --help", file=sys.stderr)
        raise SystemExit(64)
    if args.good is None:
        args.good = 2 if args.no_rules else 0
    return args


def main(argv):
    """Flip bits and count what is refused."""
    args = read_args(argv)
    try:
        with open(args.file, "rb") as f:
            data = f.read()
    except OSError as e:
        print("bits.py: %s" % e, file=sys.stderr)
        return 66
    start = random.Random(args.seed).randrange(args.every)
    bits = range(start, len(data) * 8, args.every)
    command = shlex.split(args.command or "")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:

        def check(changed):
            if command:
                return run_command(command, changed, folder)
            return verify.verify(changed, not args.no_rules)

        status, text = check(data)
        if status != args.good:
            print("the record as it is: %s, %s" % (status, text.strip()))
            return 1
        with concurrent.futures.ThreadPoolExecutor(
            2 if command else 1
        ) as pool:
            found = pool.map(lambda bit: check(flip(data, bit)), bits)
            for bit, (status, text) in zip(bits, found):
                if status == 1:
                    continue
                wrong += 1
                print("not refused: %s" % describe(data, bit))
                print("  status %s, %s" % (status, text.strip()))
    print("%d flips, %d refused, %d not" % (
        len(bits), len(bits) - wrong, wrong))
    return 1 if wrong or not bits else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
