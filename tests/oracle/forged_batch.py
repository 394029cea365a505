# SPDX-License-Identifier: ISC
"""Runs `umpire verify --json` over many records at once, for the forgers."""

import json
import os
import subprocess

from forge import TIMEOUT_S

SIZE = 64  # records a call
STATUS = {"good": 0, "bad": 1, "unchecked": 2}


class Judged:
    """What umpire verify says of one record."""

    def __init__(self, told):
        self.told = told
        self.status = STATUS[told["verdict"]]
        self.line = told.get("line") if self.status == 1 else None
        self.why = "%s: %s" % (told.get("where"), told.get("why"))


def run_verify(command, paths, more=()):
    """Let it judge files: (its exit status, what it says of each)."""
    done = subprocess.run(
        command + ["verify", "--json", *more, *paths],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=TIMEOUT_S,
    )
    told = json.loads(done.stdout)
    told = told["records"] if len(paths) > 1 else [told]
    return done.returncode, [Judged(each) for each in told]


def status_of(judged):
    """The exit status of a call, by what it says of each record."""
    have = {each.status for each in judged}
    return 1 if 1 in have else 2 if 2 in have else 0


class Folder:
    """Records that are written to be judged at once."""

    def __init__(self, command, path):
        self.command = command
        self.path = path
        self.files = []

    def add(self, data):
        """Write a record."""
        path = os.path.join(self.path, "%d.jsonl" % len(self.files))
        with open(path, "wb") as f:
            f.write(data)
        self.files.append(path)

    def judge(self, more=()):
        """Let umpire judge them: what it says of each, and what is odd."""
        judged, odd = [], []
        for i in range(0, len(self.files), SIZE):
            status, some = run_verify(
                self.command, self.files[i : i + SIZE], more)
            if status != status_of(some):
                odd.append("exit status %d, %d expected" % (
                    status, status_of(some)))
            judged += some
        return judged, odd
