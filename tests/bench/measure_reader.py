# SPDX-License-Identifier: ISC
"""What checking a record takes in a browser, against umpire verify on one core.

  reader_check   CPU of the reader's program under node, warm, for the played
                 game of each system, against that of umpire verify
  reader_long    the same for a record of 10,000 lines
  reader_memory  the memory that the program then has, the battle told, against
                 the bytes of that record

It needs node, and umpire.wasm of "make wasm".  In the control each record is
checked CONTROL times for once.
"""

import json
import os
import pathlib
import shutil
import subprocess

import measure_verify
import rig
from rig import Result

HERE = pathlib.Path(__file__).resolve().parent
WARM = 2  # checks before one counts
TURNS = 3  # of which the least counts
CONTROL = 8


class Reader(measure_verify.Verify):
    """umpire verify is the reference of the same run."""

    results = {
        "reader_check": Result(
            "the played games checked by WebAssembly, against umpire verify "
            "on one core", "ms", 8),
        "reader_long": Result(
            f"{measure_verify.LINES} lines, likewise", "ms", 8),
        "reader_memory": Result(
            "memory for these and their battle, against their bytes", "bytes",
            6),
    }
    # The program's memory is the same each time.
    UNCONTROLLED = {"reader_memory"}

    def setup(self):
        self.node = shutil.which("node")
        self.wasm = self.bench.folder / "reader" / "umpire.wasm"
        if self.node is None or not self.wasm.exists():
            raise rig.Skip('there is no node, or no umpire.wasm ("make wasm")')
        self.umpire = self.bench.program("umpire")
        self.played = sorted(map(str, (HERE.parent / "rules").glob(
            "*/played.jsonl")))
        self.worker = None
        super().setup()
        source = HERE.parent.parent
        self.worker = subprocess.Popen(
            [self.node, str(source / "tests" / "web" / "worker.mjs"),
             str(source / "reader" / "worker.js"), str(self.wasm)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        for record in self.played * WARM:
            self.ask(record)

    def ask(self, record):
        """What the program says of a record."""
        self.worker.stdin.write(f"{record}\n")
        self.worker.stdin.flush()
        said = json.loads(self.worker.stdout.readline())
        if said.get("status") != 0:
            raise RuntimeError(f"{record}: {json.dumps(said)[:300]}")
        return said

    def native(self, record):
        """Milliseconds of CPU of umpire verify on one core."""
        core = min(os.sched_getaffinity(0))
        process = subprocess.Popen(
            [self.umpire, "verify", record], stdout=subprocess.DEVNULL,
            preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise RuntimeError(f"{record}: verify exits {status}")
        return 1e3 * (used.ru_utime + used.ru_stime)

    def reference(self):
        return {
            "reader_check": sum(min(self.native(r) for _ in range(TURNS))
                                for r in self.played),
            "reader_long": self.native(str(self.record)),
            "reader_memory": self.record.stat().st_size}

    def warm(self, record):
        """Milliseconds of CPU of the program, and what it said at last."""
        used = 0
        for _ in range(CONTROL if self.bench.is_control else 1):
            said = self.ask(record)
            used += said["cpu_ms"]
        return used, said

    def subject(self):
        check = sum(min(self.warm(r)[0] for _ in range(TURNS))
                    for r in self.played)
        used, self.got = self.warm(str(self.record))
        return {"reader_check": check, "reader_long": used,
                "reader_memory": self.got["memory"]}

    def details(self, name):
        return {"lines": self.got["proof"]["lines"],
                "dice": self.got["proof"]["dice"],
                "told_bytes": len(self.got["told"])}

    def teardown(self):
        if self.worker is not None:
            self.worker.stdin.close()
            self.worker.wait()


MEASURES = [Reader]
