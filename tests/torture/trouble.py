#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""trouble.py [OPTION ...] KIND COUNT: trouble for a daemon under load.

It starts the daemon (--daemon COMMAND) and, once that listens, the load
(--storm COMMAND, in which PORT stands for the port), and then, COUNT times
at moments by chance:

  kill     kills the daemon, now and then while it is starting or as soon as
           the database itself is seen to be written, by a checkpoint that
           may be over by then; and starts it again
  restart  stops the daemon by SIGTERM and starts it again; or has it read its
           settings again, by SIGHUP
  reread   has it read its settings again, and nothing else
  stop     holds the daemon, the load or both for a while by SIGSTOP, or kills
           the daemon while the load is held

Trouble begins at once, while accounts and games are still being made, unless
--peace is given.

At the end the load gets its last answers, and the daemon is stopped.  What was
done goes to --out as one object of JSON, progress to standard output.

Exits 1 if the daemon ended by itself, did not start, or did not stop as it
should; then "fault" says what."""

import argparse
import json
import os
import random
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time

START_S = 30  # for a start, recovery included
STOP_S = 30  # for a stop that waits for requests
END_S = 120  # for the last answers
CHECKPOINT_S = 2  # longer to wait for one, in a run that is long itself
TICK_S = 0.001


class Fault(Exception):
    """The daemon did what it must not do."""


class Trouble:
    def __init__(self, args):
        self.args = args
        self.chance = random.Random(args.seed)
        self.daemon = None
        self.storm = None
        self.port = None
        self.starts = 0
        self.start_s = 0.02  # how long the last start took
        self.done = {}
        self.slowest_s = 0
        self.log = open(args.log, "ab")
        self.begin = time.monotonic()
        self.told = self.begin

    def did(self, what):
        self.done[what] = self.done.get(what, 0) + 1

    def tell(self):
        """A line of progress every ten seconds."""
        now = time.monotonic()
        if now - self.told < 10:
            return
        self.told = now
        print("# after %d s: %s" % (now - self.begin, ", ".join(
            "%d %s" % (n, what) for what, n in sorted(self.done.items()))),
            flush=True)

    def wait(self, seconds):
        """Lets time pass; false if the daemon or the load has ended."""
        until = time.monotonic() + seconds
        while True:
            self.tell()
            if self.storm is not None and self.storm.poll() is not None:
                return False
            if self.daemon.poll() is not None:
                raise Fault("the daemon ended by itself with %d"
                            % self.daemon.returncode)
            left = until - time.monotonic()
            if left <= 0:
                return True
            time.sleep(min(left, 0.05))

    def wait_for_checkpoint(self):
        """Until the database itself is written, which only checkpoints do."""
        before = os.stat(self.args.database).st_mtime_ns
        until = time.monotonic() + 0.001 * self.args.longest
        if self.args.count >= 100:
            until += CHECKPOINT_S
        while time.monotonic() < until:
            if os.stat(self.args.database).st_mtime_ns != before:
                self.did("of them soon after a checkpoint began")
                return
            time.sleep(0.0002)

    def wait_for_load(self):
        """Until all matches are in play; its one line comes at once."""
        until = time.monotonic() + END_S
        while not select.select([self.storm.stdout], [], [], 0)[0]:
            if not self.wait(0.01):
                break
            if time.monotonic() > until:
                raise Fault("the load did not begin within %d s" % END_S)
        if self.storm.stdout.readline() != b"ready\n":
            raise Fault("the load did not begin")

    def spawn(self):
        """Starts the daemon and does not wait for it."""
        if os.path.exists(self.args.port_file):
            os.unlink(self.args.port_file)
        command = shlex.split(self.args.daemon)
        if self.port is not None:
            command += ["-o", "listen=127.0.0.1:%s" % self.port]
        if self.args.before_start:
            subprocess.run(shlex.split(self.args.before_start), check=True)
        self.starts += 1
        self.spawned = time.monotonic()
        self.daemon = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log)

    def listens(self):
        """Waits until the daemon has written its port."""
        while True:
            if self.daemon.poll() is not None:
                raise Fault("a start ended with %d" % self.daemon.returncode)
            try:
                with open(self.args.port_file) as f:
                    line = f.readline()
            except FileNotFoundError:
                line = ""
            if line.endswith("\n"):
                break
            if time.monotonic() - self.spawned > START_S:
                raise Fault("no start within %d s" % START_S)
            time.sleep(TICK_S)
        self.port = line.strip()
        self.start_s = time.monotonic() - self.spawned
        self.slowest_s = max(self.slowest_s, self.start_s)

    def kill(self):
        self.daemon.kill()
        if self.daemon.wait() != -signal.SIGKILL:
            raise Fault("the daemon ended by itself with %d"
                        % self.daemon.returncode)
        self.did("kills")

    def stop(self):
        """Stops the daemon as an operator does."""
        if self.args.before_stop:
            subprocess.run(shlex.split(self.args.before_stop), check=True)
        self.daemon.send_signal(signal.SIGTERM)
        try:
            status = self.daemon.wait(STOP_S)
        except subprocess.TimeoutExpired:
            raise Fault("it does not stop within %d s" % STOP_S)
        if status != 0:
            raise Fault("it stops with status %d" % status)

    def moment(self):
        """From one to some hundred milliseconds, short ones as often."""
        if self.chance.random() < 0.5:
            return 0.001 * self.args.longest ** self.chance.random()
        return 0.001 * self.args.longest * self.chance.random()

    def change(self):
        """Gives the daemon the next of the other settings, if there are."""
        if self.args.settings:
            self.args.settings.append(self.args.settings.pop(0))
            shutil.copyfile(self.args.settings[0], self.args.conf + ".new")
            os.rename(self.args.conf + ".new", self.args.conf)

    def kill_once(self):
        if self.chance.random() < 0.15:
            self.kill()
            self.spawn()
            # While it is starting; perhaps it has not even begun.
            time.sleep(self.chance.random() * min(self.start_s, 0.05))
            self.kill()
            self.did("of them while starting")
            self.spawn()
            self.listens()
            return True
        if self.chance.random() < 0.25:
            self.wait_for_checkpoint()
        elif not self.wait(self.moment()):
            return False
        self.kill()
        self.spawn()
        self.listens()
        return True

    def restart_once(self):
        if not self.wait(self.moment()):
            return False
        if self.chance.random() < 0.3:
            self.daemon.send_signal(signal.SIGHUP)
            self.did("rereadings")
            return True
        self.stop()
        self.did("restarts")
        self.spawn()
        self.listens()
        return True

    def reread_once(self):
        if not self.wait(self.moment()):
            return False
        self.change()
        self.daemon.send_signal(signal.SIGHUP)
        self.did("rereadings")
        return True

    def stop_once(self):
        if not self.wait(self.moment()):
            return False
        who = self.chance.choice(["daemon", "daemon", "load", "both", "kill"])
        held = [p for p, names in (
            (self.daemon, ("daemon", "both")),
            (self.storm, ("load", "both", "kill"))) if who in names]
        for p in held:
            p.send_signal(signal.SIGSTOP)
        if who == "kill":
            self.kill()
            self.spawn()
            self.listens()
        until = time.monotonic() + self.moment() * 2
        while time.monotonic() < until:
            time.sleep(0.01)
        for p in held:
            p.send_signal(signal.SIGCONT)
        self.did("stops")
        return True

    def run(self):
        once = getattr(self, self.args.kind + "_once")
        counted = {"kill": "kills", "reread": "rereadings",
                   "restart": "restarts", "stop": "stops"}[self.args.kind]
        self.spawn()
        self.listens()
        command = shlex.split(self.args.storm)
        self.storm = subprocess.Popen(
            [self.port if word == "PORT" else word for word in command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
            bufsize=0)
        # It goes on as soon as its matches are in play.
        self.say(b"go\n")
        if self.args.peace is not None:
            self.wait_for_load()
            self.wait(self.args.peace)
        if self.args.then:
            subprocess.run(shlex.split(self.args.then), check=True)
        while self.done.get(counted, 0) < self.args.count and once():
            pass
        self.finish()

    def say(self, word):
        try:
            self.storm.stdin.write(word)
            self.storm.stdin.flush()
        except BrokenPipeError:
            pass

    def finish(self):
        """The last answers, and an end in peace."""
        self.say(b"stop\n")
        out, _ = self.storm.communicate(timeout=END_S)
        self.done["storm_status"] = self.storm.returncode
        for line in out.splitlines():
            if line.startswith(b"{"):
                self.done["storm"] = json.loads(line)
        self.storm = None
        self.stop()

    def clear(self):
        for p in (self.storm, self.daemon):
            if p is not None and p.poll() is None:
                p.kill()
                p.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["kill", "reread", "restart", "stop"])
    parser.add_argument("count", type=int)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--storm", required=True)
    parser.add_argument("--port-file", required=True)
    parser.add_argument("--database", required=True)
    parser.add_argument("--log", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--peace", type=float, metavar="S",
                        help="trouble begins so long after the matches did")
    parser.add_argument("--then", metavar="COMMAND",
                        help="what is run before it begins")
    parser.add_argument("--before-stop", metavar="COMMAND",
                        help="what is run before each SIGTERM")
    parser.add_argument("--before-start", metavar="COMMAND",
                        help="what is run before each start")
    parser.add_argument("--conf", metavar="FILE",
                        help="the daemon's settings, for --settings")
    parser.add_argument("--settings", metavar="FILE", action="append",
                        help="what they become by turns (reread)")
    parser.add_argument("--longest", type=int, default=400,
                        help="milliseconds between two moments")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    trouble = Trouble(args)
    fault = None
    try:
        trouble.run()
    except Fault as e:
        fault = str(e)
    except subprocess.TimeoutExpired:
        fault = "the load has no answers after %d s" % END_S
    finally:
        trouble.clear()
    trouble.done.update(
        fault=fault, starts=trouble.starts,
        slowest_start_ms=int(1000 * trouble.slowest_s),
        seconds=round(time.monotonic() - trouble.begin))
    with open(args.out, "w") as f:
        json.dump(trouble.done, f)
        f.write("\n")
    sys.exit(1 if fault else 0)


if __name__ == "__main__":
    main()
