#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
The reader's program held against umpire: the same verdict, line and words of
each record, the same report, byte for byte, and the same odds and luck.

  reader.py --umpire PATH --worker FILE --program FILE [--node PATH]
            [--flip RECORD --every N] [--odds] [--more RECORD]
            [--errs HOW] [RECORD...]

--flip changes one byte of RECORD in turn, every Nth of them.  --odds asks for
the odds of each combat of each record, too, and for its luck.  --more gives
all but the last lines of RECORD, and these then one by one, with a bad one.
--errs has the engine compute wrongly (worker.mjs).
Prints TAP, a case for each record, or one for all that were changed.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile


class Reader:
    """The worker under node, which is given one record after the other."""

    def __init__(self, args):
        here = pathlib.Path(__file__).parent
        self.process = subprocess.Popen(
            [args.node, str(here / "worker.mjs"), args.worker, args.program]
            + ([args.errs] if args.errs else []),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def ask(self, record):
        """All that it says of a record."""
        self.process.stdin.write("%s\n" % record)
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        """Ends it; its exit status."""
        self.process.stdin.close()
        return self.process.wait()


def native(umpire, record):
    """Status, words and report that umpire gives."""
    folder, name = os.path.split(os.path.abspath(record))
    verify = subprocess.run([umpire, "verify", name], cwd=folder, text=True,
                            capture_output=True, check=False)
    log = subprocess.run([umpire, "log", "./" + name, "--format", "html"],
                         cwd=folder, text=True, capture_output=True,
                         check=False)
    words = verify.stdout or verify.stderr.removeprefix("umpire: ")
    return verify.returncode, words, log.stdout


def differ(args, reader, record):
    """What differs between the two of a record: a list of sentences."""
    status, words, told = native(args.umpire, record)
    said = reader.ask(record)
    faults = []
    if "fault" in said:
        faults.append("the reader failed: %s" % said["fault"])
    if said.get("status") != status:
        faults.append("status %s, umpire %s" % (said.get("status"), status))
    if said.get("verdict") != words:
        faults.append("it says %r, umpire %r" % (said.get("verdict"), words))
    if said.get("told") != told:
        faults.append("the reports differ")
    return faults


def flipped(args, reader):
    """Changes bytes of a record in turn: (how many, how many differ)."""
    bytes_ = pathlib.Path(args.flip).read_bytes()
    n, bad, faults = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "changed.jsonl")
        for at in range(0, len(bytes_), args.every):
            changed = bytearray(bytes_)
            changed[at] ^= 1 << at % 8
            pathlib.Path(path).write_bytes(changed)
            found = differ(args, reader, path)
            n += 1
            bad += bool(found)
            faults += ["byte %d: %s" % (at, f) for f in found][:3]
    return n, bad, faults


def scenario(lines, seq, policy):
    """What `umpire odds` reads, of the combat that line seq declares."""
    args = json.loads(json.loads(lines[0])["order"])["args"]
    combat = next(e for e in json.loads(lines[seq])["events"]
                  if e["e"] == "combat")
    del combat["e"]
    return json.dumps({
        "system": args["system"], "combat": combat,
        "policy": {side: {kind: p["word"] for kind, p in kinds.items()}
                   for side, kinds in policy.items()}})


def without(odds):
    """Odds without what says how they came about."""
    return {k: v for k, v in odds.items()
            if k not in ("how", "name", "policy", "seed")}


def combat_differs(args, reader, lines, combat):
    """What differs of one combat; None where answers go before policies."""
    odds = reader.ask(json.dumps({"odds": combat["n"]}))["odds"]
    if "wrong" in odds:
        return [odds["wrong"]]
    if any(p["word"] == "as given" for kinds in odds["policy"].values()
           for p in kinds.values()):
        chances = [o["p"] for o in odds["combat"]] + [odds["other"]["p"]]
        return None if abs(sum(chances) - 1) < 1e-6 else [chances]
    asked = scenario(lines, combat["seq"], odds["policy"])
    native_odds = json.loads(subprocess.run(
        [args.umpire, "odds", "-", "--json"], input=asked, text=True,
        capture_output=True, check=True).stdout)
    again = reader.ask(json.dumps({"scenario": asked}))["odds"]
    reader.ask(args.record)
    return [what for what, one in (("of the record", odds),
                                   ("of the scenario", again))
            if without(one) != without(native_odds)]


def chances(args, reader, record):
    """Odds and luck of a record: (combats compared, faults)."""
    args.record = record
    with open(record, encoding="utf-8") as f:
        lines = f.read().splitlines()
    said = reader.ask(record)
    luck = json.loads(subprocess.run(
        [args.umpire, "luck", record, "--json"], text=True,
        capture_output=True, check=True).stdout)
    # umpire says which game it is, too.
    faults = ["another luck: %s" % k for k, v in said["luck"].items()
              if luck.get(k, "") != v]
    n = 0
    for combat in said["combats"]:
        found = combat_differs(args, reader, lines, combat)
        n += found is not None
        faults += ["combat %d: %s" % (combat["n"], f) for f in found or []]
    return n, faults


def more(args, reader):
    """Lines that come after a record: what goes wrong."""
    faults = []
    with open(args.more, encoding="utf-8") as f:
        whole = f.read().splitlines(keepends=True)
    lines = [x for x in whole if x.startswith('{"v"')]
    sides = whole[len(lines):]
    first, later = lines[:-5], lines[-5:]
    blobs = [x for x in sides if x.startswith('{"blob"')]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "shorter.jsonl")
        pathlib.Path(path).write_text("".join(first + blobs), encoding="utf-8")
        for last_is_bad in (False, True):
            said = reader.ask(path)
            for i, line in enumerate(later):
                if said.get("status") != 0 or \
                        said["proof"]["lines"] != len(first) + i:
                    faults.append("line %d: %s" % (len(first) + i, said))
                text = line.rstrip("\n")
                if last_is_bad and i == 4:
                    text = text[:-10] + ("0" if text[-10] != "0" else "1") + \
                        text[-9:]
                said = reader.ask(json.dumps({"more": text}))
            if said.get("status") != last_is_bad or \
                    ("wrong" in said["proof"]) != last_is_bad:
                faults.append("at the end: %s" % said)
            again = reader.ask(json.dumps({"more": later[-1].rstrip("\n")}))
            if again.get("status") != 1:
                faults.append("a line twice: %s" % again)
    return faults


def say(n, what, faults):
    """Prints a case."""
    print("%s %d - %s" % ("not ok" if faults else "ok", n, what), flush=True)
    for fault in faults[:10]:
        print("# %s" % str(fault).replace("\n", " ")[:500])
    return bool(faults)


def main():
    """Runs over what the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--umpire", required=True)
    parser.add_argument("--worker", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--node", default="node")
    parser.add_argument("--flip")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--odds", action="store_true")
    parser.add_argument("--more")
    parser.add_argument("--errs")
    parser.add_argument("records", nargs="*")
    args = parser.parse_args()
    args.umpire = os.path.abspath(args.umpire)
    reader = Reader(args)
    n = failed = compared = 0
    for record in args.records:
        n += 1
        failed += say(n, "%s: as umpire judges and tells it"
                      % os.path.basename(record),
                      differ(args, reader, record))
        if args.odds:
            n += 1
            count, faults = chances(args, reader, record)
            compared += count
            failed += say(n, "%s: luck as umpire counts it, odds of %d combats"
                          % (os.path.basename(record), count), faults)
    if args.odds:
        n += 1
        failed += say(n, "odds were compared", [] if compared > 0 else ["none"])
    if args.flip:
        count, _, faults = flipped(args, reader)
        n += 1
        failed += say(n, "%d changed bytes: as umpire judges each" % count,
                      faults)
    if args.more:
        n += 1
        failed += say(n, "lines that come later are judged, too",
                      more(args, reader))
    if reader.end() != 0:
        n += 1
        failed += say(n, "the reader ends well", ["it does not"])
    print("1..%d" % n)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
