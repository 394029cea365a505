#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
The reader's program held against umpire: the same verdict, line and words of
each record, and the same report, byte for byte.

  reader.py --umpire PATH --worker FILE --program FILE [--node PATH]
            [--flip RECORD --every N] [RECORD...]

--flip changes one byte of RECORD in turn, every Nth of them.  Prints TAP, a
case for each record, or one for all that were changed.
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
            [args.node, str(here / "worker.mjs"), args.worker, args.program],
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


def main():
    """Runs over what the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--umpire", required=True)
    parser.add_argument("--worker", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--node", default="node")
    parser.add_argument("--flip")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("records", nargs="*")
    args = parser.parse_args()
    args.umpire = os.path.abspath(args.umpire)
    reader = Reader(args)
    n = failed = 0
    for record in args.records:
        faults = differ(args, reader, record)
        n += 1
        failed += bool(faults)
        print("%s %d - %s: as umpire judges and tells it" % (
            "not ok" if faults else "ok", n, os.path.basename(record)))
        for fault in faults:
            print("# %s" % fault.replace("\n", " ")[:500])
    if args.flip:
        count, bad, faults = flipped(args, reader)
        n += 1
        failed += bool(bad)
        print("%s %d - %d changed bytes: as umpire judges each" % (
            "not ok" if bad else "ok", n, count))
        for fault in faults[:10]:
            print("# %s" % fault.replace("\n", " ")[:500])
    if reader.end() != 0:
        n, failed = n + 1, failed + 1
        print("not ok %d - the reader ends well" % n)
    print("1..%d" % n)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
