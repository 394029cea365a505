#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Records whose signatures, marks and proofs are right, good and bad ones.

A flipped bit is caught by the first hash that covers it. What a server could
get wrong, or do on purpose, is caught only by the checks behind it: a stale
order, a place that is not due, dice for another label, a result that the rules
do not give. This makes games of its own keys, well signed, and in each bad one
one line with one fault, of which the record's last line is usually the one;
umpire-record.7 S2 to S10 name the faults.

  forged_records.py [--umpire PATH] [--games N] [--seed S] [--extended]
                    [--keep DIR] [--only TEXT] [--part N] [--first I]

Without --umpire only verify.py beside this file is held against the expected
exit statuses. With it the events come from `umpire resolve -` and each record
goes through `umpire verify` with and without --no-rules as well. --extended
adds live-1, confirm, free rolls and key statements; the last `umpire verify`
may call not checkable. --keep writes each record to DIR as NAME.jsonl, --only
makes only those faults whose names hold TEXT, --part every Nth of them, --first
says from where on.
Exit status: 0 all as expected, 1 not all, 64 wrong usage.
"""

import argparse
import functools
import os
import random
import shlex
import subprocess
import sys
import tempfile

import forge_faults
import forge_game_faults
import forge_secret_faults
import verify
from forge import Forge, NotHere, OwnEvents, TIMEOUT_S, UmpireEvents
from forge_faults import FAULTS, Fault
from forge_secret import SecretForge

# --- Making records and running over them ---

EXTENDED = {
    "live": {"scheme": "live-1"},
    "live_free": {"scheme": "live-1", "free": True},
    "confirm": {"confirm": True},
    "free": {"free": True},
    "keys": {"recovery": True},
    "live_held": {"scheme": "live-1", "secret": "held"},
    "live_sealed": {"scheme": "live-1", "secret": "sealed"},
    "confirm_held": {"confirm": True, "secret": "held"},
    "keys_sealed": {"recovery": True, "secret": "sealed"},
}


def forge_of(seed, events, settings, **more):
    """Make the forge of a game with these settings."""
    made = SecretForge if "secret" in settings else Forge
    return made(seed, events, settings, **more)


def turns_of(settings):
    """How many turns a game with a fault has."""
    return 3 if "secret" in settings else 4


@functools.lru_cache(maxsize=None)
def count_fits(seed, events, secret, when):
    """Count the lines of an honest game that a fault fits."""
    settings = forge_secret_faults.BOTH.get(secret, {})
    count = forge_of(seed, events, settings, fault=Fault(when))
    count.skip = 10**9
    count.play_game(turns_of(settings))
    return count.fits


def forge_bad(name, seed, events):
    """Make a record with the fault, or return None where it fits none."""
    fault = FAULTS[name]
    for attempt in range(12):
        seed_here = "%s/%d" % (seed, attempt)
        picks = list(range(count_fits(
            seed_here, events, fault.settings.get("secret"), fault.when
        )))
        random.Random("%s %s" % (name, seed_here)).shuffle(picks)
        for skip in [0] if fault.first else picks[:4]:
            forge = forge_of(
                seed_here, events, fault.settings, fault=fault, skip=skip
            )
            try:
                data = forge.play_game(turns_of(fault.settings))
            except NotHere:
                continue
            return data, len(forge.raw)
    return None


def make_records(args, events):
    """Yield (name, bytes, status with rules, status without, line)."""
    for game in range(args.games):
        seed = "%d.%d" % (args.seed, game)
        rulings = [
            {}, {"garrison_has_flanks": True},
            {"broken_cavalry_breaks": False, "square_needs_all_cavalry": True},
        ][game % 3]
        forge = Forge(seed, events, {"rulings": rulings})
        data = forge.play_game(5)
        yield "good-%d" % game, data, 0, 2, None
        keep = forge.raw[: len(forge.raw) // 2]
        named = b"\n".join(keep).decode()
        forge.raw = keep
        forge.texts = {
            k: x for k, x in forge.texts.items() if k in named
        }
        yield "unfinished-%d" % game, forge.file(), 0, 2, None
    for game in range(args.games):
        secret = ("held", "sealed")[game % 2]
        settings = {"secret": secret, "bag": (9, 0)[game % 2]}
        forge = forge_of("%d.%d" % (args.seed, game), events, settings)
        yield "%s-%d" % (secret, game), forge.play_game(4), 0, 2, None
    if args.extended:
        for name, settings in EXTENDED.items():
            for game in range(args.games):
                forge = forge_of(
                    "%d.%d" % (args.seed, game), events, settings
                )
                yield "%s-%d" % (name, game), forge.play_game(5), 0, 2, None
    for i, (name, fault) in enumerate(FAULTS.items()):
        if args.only and args.only not in name:
            continue
        if i % args.part != args.first % args.part:
            continue
        made = forge_bad(name, args.seed, events)
        if made is None:
            raise AssertionError("the fault %s fits nowhere" % name)
        data, line = made
        if fault.status != 1 or fault.stages.keys() & {"side", "file"}:
            line = None
        if name == "roster_blob_late":
            line = None
        yield name, data, fault.status, fault.bare, line


def start_umpire(command, data, folder):
    """Start `umpire verify` with and without rules."""
    path = os.path.join(folder, "record.jsonl")
    with open(path, "wb") as f:
        f.write(data)
    return [
        subprocess.Popen(
            command + ["verify"] + more + [path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for more in ([], ["--no-rules"])
    ]


def end_umpire(started):
    """Wait for what was started: (exit status, text) of each."""
    found = []
    for process in started:
        text, _ = process.communicate(timeout=TIMEOUT_S)
        text = text.decode("utf-8", "replace").strip()
        found.append((process.returncode, text))
    return found


def read_args(argv):
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description="Verify records that are signed well, good and bad."
    )
    parser.add_argument("--umpire")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--extended", action="store_true")
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep")
    parser.add_argument("--only")
    try:
        args = parser.parse_args(argv)
    except SystemExit as e:
        raise SystemExit(64 if e.code else 0) from None
    args.command = shlex.split(args.umpire or "")
    return args


def main(argv):
    """Make every record and hold it against the verifiers."""
    args = read_args(argv)
    forge_faults.enter()
    forge_game_faults.enter()
    forge_secret_faults.enter()
    events = UmpireEvents(args.command) if args.command else OwnEvents()
    agree = disagree = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, data, status, bare, line in make_records(args, events):
            if args.keep:
                os.makedirs(args.keep, exist_ok=True)
                path = os.path.join(args.keep, name + ".jsonl")
                with open(path, "wb") as f:
                    f.write(data)
            started = []
            if args.command:
                started = start_umpire(args.command, data, folder)
            found = [("oracle", verify.verify(data)),
                     ("oracle", verify.verify(data, False))]
            found += [("umpire", each) for each in end_umpire(started)]
            for i, (who, (have, text)) in enumerate(found):
                want = bare if i % 2 else status
                if not isinstance(want, tuple):
                    want = (want,)
                right = have in want
                if line and have == 1:
                    where = {"oracle": "bad: line %d:"}.get(
                        who, "bad at line %d:"
                    )
                    right &= where % line in text
                if right:
                    agree += 1
                    continue
                disagree += 1
                print("%s: %s%s says %s, %s expected (line %s): %s" % (
                    name, who, " --no-rules" if i % 2 else "", have,
                    " or ".join(map(str, want)), line, text))
    print("%d agree, %d disagree" % (agree, disagree))
    return 1 if disagree else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
