#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Random games in which one member of one line was forged, with all keys.

Plays games at random (forge_walk.py), and again with one change each
(forge_members.py), which is signed, proved, marked and chained anew. What such
a record is worth is not known beforehand: umpire verify and verify.py have to
agree in verdict, first bad line and exit status, and in what they tell of a
good one. Each kind of line has each of its members forged the same number of
times.

  forged_members.py --umpire PATH [--each N] [--games N] [--seed S]
                    [--least N] [--workers N] [--only TEXT] [--part N]
                    [--first I] [--keep DIR]

--each says how often each member of each kind of line is forged, --least how
often each member in all kinds together, --games among how many games, --only
that only members whose names hold TEXT are, --part only every Nth,
--first from where on, --keep where records on which the two differ are put.
Printed is for each kind of line and member how often it was forged and, behind
the stroke, how often the record stayed good.
Exit status: 0 no difference, 1 differences, 64 wrong usage.
"""

import argparse
import collections
import multiprocessing
import os
import random
import shlex
import sys
import tempfile

import verify
from agree import differ
from forge import UmpireEvents
from forge_members import Forgery, all_targets, name_of
from forge_walk import Walk
from forged_batch import SIZE, Folder, run_verify

BARE = 3  # of so many records one is judged without the rules, too
PIECES = 4  # that each worker does, so that all end at about one time
TAIL = 6  # lines that follow a forged one, at most
EVENTS = None


def survey(seeds):
    """Play games; tell where which lines are: (label, seed, seq)."""
    found = []
    for seed in seeds:
        forge = Walk(seed, EVENTS).play()
        found += [(label, seed, seq)
                  for seq, label in enumerate(forge.labels) if label]
    return found


def forge_one(job):
    """Make the forged record of a job."""
    target, seed, seq, number = job
    rng = random.Random("tail %s" % number)
    forgery = Forgery(seq, target, number)
    forge = Walk(seed, EVENTS, forgery, rng.randint(0, TAIL)).play()
    if not forgery.was_done:
        raise AssertionError("%s of game %s, line %d, is not forged" % (
            name_of(target), seed, seq))
    return forge.file()


class Count:
    """What came of the records of one target, or of all."""

    def __init__(self):
        self.statuses = collections.Counter()

    def add(self, other):
        """Add another count."""
        self.statuses += other.statuses


def keep_it(folder, name, data):
    """Keep a record on which the two differ."""
    os.makedirs(folder, exist_ok=True)
    name = "".join(c if c.isalnum() else "_" for c in name)
    with open(os.path.join(folder, name + ".jsonl"), "wb") as f:
        f.write(data)


class Batch:
    """Some records, forged and judged."""

    def __init__(self, command, keep):
        self.command = command
        self.keep = keep
        self.wrong = []
        self.counts = collections.defaultdict(Count)

    def run(self, jobs):
        """Forge and judge the records of some jobs."""
        made = [forge_one(job) for job in jobs]
        with tempfile.TemporaryDirectory() as path:
            folder = Folder(self.command, path)
            for data in made:
                folder.add(data)
            ruled, odd = folder.judge()
            self.wrong += odd
            folder.files = folder.files[:: BARE]
            bare, odd = folder.judge(["--no-rules"])
            self.wrong += odd
            status, _ = run_verify(self.command, folder.files[:1])
            if status != ruled[0].status:
                self.wrong.append("%s: exit status %d" % (jobs[0], status))
        for i, each in enumerate(zip(jobs, made, ruled)):
            self.compare(*each, bare[i // BARE] if i % BARE == 0 else None)

    def compare(self, job, data, ruled, bare):
        """Hold what umpire says of a record against the second reading."""
        count = self.counts[job[0]]
        found = verify.Found(data)
        count.statuses[found.status] += 1
        name = "%s, game %s, line %d, forgery %s" % (
            (name_of(job[0]),) + job[1:])
        said = [("", differ(found, ruled))]
        if bare is not None:
            said.append((" --no-rules",
                         differ(verify.Found(data, False), bare)))
        for what, text in said:
            if text is not None:
                self.wrong.append(name + what + ": " + text)
                if self.keep is not None:
                    keep_it(self.keep, name, data)


def run_jobs(task):
    """Forge and judge some records: (counts, differences)."""
    command, keep, jobs = task
    batch = Batch(command, keep)
    for i in range(0, len(jobs), SIZE):
        batch.run(jobs[i : i + SIZE])
    return dict(batch.counts), batch.wrong


def choose_jobs(args, places):
    """Choose for each target where it is forged."""
    rng = random.Random("jobs %d" % args.seed)
    jobs = []
    kinds = collections.Counter(member for _, member in all_targets())
    for i, target in enumerate(all_targets()):
        chosen = places.get(target[0])
        if chosen is None:
            raise AssertionError("no game has a line %s" % target[0])
        for n in range(max(args.each, -(-args.least // kinds[target[1]]))):
            seed, seq = rng.choice(chosen)
            jobs.append((target, seed, seq, "%d.%d.%d" % (args.seed, i, n)))
    jobs = [job for i, job in enumerate(jobs)
            if i % args.part == args.first % args.part
            and (args.only or "") in name_of(job[0])]
    return sorted(jobs, key=lambda job: (job[1], job[2]))


def pieces(values, count):
    """Cut a list into some that are about as long."""
    size = -(-len(values) // count) or 1
    return [values[i : i + size] for i in range(0, len(values), size)]


def tell(counts):
    """Print the distribution."""
    lines = collections.defaultdict(list)
    members = collections.defaultdict(Count)
    whole = Count()
    least = min(sum(c.statuses.values()) for c in counts.values())
    for target in all_targets():
        count = counts.get(target)
        if count is None:
            continue
        whole.add(count)
        members[name_of(target).split(": ")[1]].add(count)
        lines[target[0]].append("%s %d/%d" % (
            name_of(target).split(": ")[1],
            sum(count.statuses.values()), count.statuses[0]))
    for label, told in lines.items():
        print("%s: %s" % (label, ", ".join(told)))
    print("members in all kinds of line: " + ", ".join(
        "%s %d/%d" % (name, sum(count.statuses.values()), count.statuses[0])
        for name, count in members.items()))
    forged = sum(whole.statuses.values())
    print("%d forged, each member at least %d times: %d good (%d %%), %d bad, "
          "%d not checkable" % (
              forged, least, whole.statuses[0],
              round(100 * whole.statuses[0] / forged), whole.statuses[1],
              whole.statuses[2]))
    return forged


def read_args(argv):
    """Read the command line."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--umpire", required=True)
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--only")
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep")
    try:
        args = parser.parse_args(argv)
    except SystemExit as e:
        raise SystemExit(64 if e.code else 0) from None
    args.command = shlex.split(args.umpire)
    return args


def main(argv):
    """Forge, judge, and tell."""
    global EVENTS
    args = read_args(argv)
    EVENTS = UmpireEvents(args.command)
    seeds = ["%d.%d" % (args.seed, n) for n in range(args.games)]
    counts, wrong = collections.defaultdict(Count), []
    with multiprocessing.Pool(args.workers) as pool:
        places = collections.defaultdict(list)
        for found in pool.map(survey, pieces(seeds, 4 * args.workers), 1):
            for label, seed, seq in found:
                places[label].append((seed, seq))
        jobs = choose_jobs(args, places)
        tasks = [(args.command, args.keep, each)
                 for each in pieces(jobs, PIECES * args.workers)]
        for some, more in pool.imap_unordered(run_jobs, tasks):
            wrong += more
            print("".join(text + "\n" for text in more), end="", flush=True)
            for target, count in some.items():
                counts[target].add(count)
    tell(counts)
    print("%d disagree" % len(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
