# SPDX-License-Identifier: ISC
"""What the measures of bench.py share: a daemon of one's own, its CPU time
and memory, and programs that print one JSON object."""

import dataclasses
import json
import os
import pathlib
import subprocess
import time

START_S = 20
STOP_S = 60
TICK_S = 0.01


class Skip(Exception):
    """A measure that cannot be taken here, and why."""


@dataclasses.dataclass(frozen=True)
class Result:
    """What a measure gives: the limit is of subject/reference."""

    what: str
    unit: str
    limit: float
    better: str = "lower"  # or "higher"


class Child:
    """A program in the background, with what the kernel counts of it."""

    def __init__(self, argv, log, **more):
        self.log = pathlib.Path(log)
        with open(self.log, "ab") as out:
            self.process = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=out, stderr=out, **more)
        self.pid = self.process.pid

    def cpu_s(self):
        """CPU seconds of all its threads that live, to the nanosecond."""
        total = 0
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            total += int((task / "schedstat").read_text().split()[0])
        return total / 1e9

    def cpu_by_thread_s(self):
        """The same by thread id, the first thread first."""
        tasks = pathlib.Path(f"/proc/{self.pid}/task").iterdir()
        return {int(t.name): int((t / "schedstat").read_text().split()[0]) / 1e9
                for t in sorted(tasks, key=lambda t: int(t.name))}

    def memory(self):
        """Bytes by the names of smaps_rollup: Rss, Pss, Private_Dirty, ..."""
        text = pathlib.Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        rows = [line.split() for line in text.splitlines()[1:]]
        return {r[0].rstrip(":"): int(r[1]) * 1024 for r in rows}

    def wait_file(self, path):
        """Waits until it has written a file with something in it."""
        path = pathlib.Path(path)
        end = time.monotonic() + START_S
        while not (path.exists() and path.stat().st_size > 0):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(
                    f"it did not start: {self.log.read_text()[-2000:]}")
            time.sleep(TICK_S)
        return path.read_text()

    def stop(self):
        """SIGTERM, and its exit status; SIGKILL if it does not end."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Daemon(Child):
    """umpired on a free port of the loopback, in a folder of its own.

    The folder is made by --init if it is not there; settings are more of
    those, by name.
    """

    def __init__(self, umpired, folder, **settings):
        self.folder = pathlib.Path(folder)
        options = {"listen": "127.0.0.1:0", "port_file": "port",
                   "max_per_address": 1000000, "register_burst": 1000000}
        if os.geteuid() == 0:
            options["user"] = "root"
        options.update(settings)
        pairs = [x for k, v in options.items() for x in ("-o", f"{k}={v}")]
        if not self.folder.exists():
            run([umpired, "--init", str(self.folder)] + pairs)
        port = self.folder / "port"
        port.unlink(missing_ok=True)
        super().__init__(
            [umpired, "-c", str(self.folder / "umpired.conf")] + pairs,
            self.folder / "log")
        try:
            self.port = int(self.wait_file(port).split()[0])
        except BaseException:
            self.stop()
            raise


def run(argv, timeout_s=600):
    """Runs a program that must succeed; what it printed."""
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, timeout=timeout_s,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{argv[0]} ended with {done.returncode}: "
                           f"{done.stderr[-2000:]}{done.stdout[-500:]}")
    return done.stdout


def run_json(argv, timeout_s=600):
    """Runs a program that prints one JSON object; what that is."""
    return json.loads(run(argv, timeout_s))
