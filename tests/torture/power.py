#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
Cuts the power of a virtual machine in which a daemon and its players run, over
and over, and looks each time whether all that was answered before is there.

  power.py --kernel FILE --initrd FILE --disk FILE --work DIR --cuts N
           --seed N --accel kvm|tcg [--cache none|volatile|both|lying]
           [--matches N] [--orders N] [--each N] [--wait SECONDS]
           [--keep DIR] [--control]

What the players in the machine (guest.c) send and what they are answered comes
out on a line as it happens.  That line is the truth, for it is outside.  The
disk is a file of the host, which loses only what the machine's own memory
held; or one whose cache is volatile, too (power_disk.py); or both in turn; or
one that says that it has flushed and has not.  After N cuts (--each) a machine
is started for the last look, and a copy of the empty disk begins anew.  A
machine must be ready after so many seconds (--wait); --cuts 0 only finds out
whether it can be.

--control: a loss must be found, and the run ends with it.  Prints lines for
people and leaves the sums in WORK/sum, one JSON object; exits 1 if what was
found is not what is wanted.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time

import power_disk

# What is emulated is best without wide registers, which OpenSSL would use.
CPUS = {"kvm": "host",
        "tcg": "qemu64,+rdrand,+ssse3,+sse4.1,+bmi1,+bmi2,+adx,+aes"}
PROGRESS = 10  # seconds between two lines of progress
START = 40  # writes and flushes, about, until a machine is ready
LATEST = 3  # answered orders of a match that are sent once more


class Finding(Exception):
    """What must not be."""


class Match:
    """What is known outside of one match."""

    def __init__(self):
        self.game = None
        self.sent = {}  # order text -> {"seat", "method", "params"}
        self.answers = {}  # order text -> line
        self.open = None  # order text that is not answered
        self.found = {}  # of an unanswered order: its line in the record
        self.counted = None  # the last that is_newly_open() told of

    def is_newly_open(self):
        """True if an order is not answered; once for each."""
        is_new = self.open is not None and self.open != self.counted
        self.counted = self.open
        return is_new

    def task(self, chance):
        """What the match shall do at first."""
        done = list(self.answers)
        again = done[-LATEST:]
        if len(done) > LATEST:
            again.append(chance.choice(done[:-LATEST]))
        if self.open is not None:
            again.append(self.open)
        task = {"again": [self.sent[o] for o in again]}
        if self.game is not None:
            task["game"] = self.game
        return task

    def send(self, event):
        """An order that will be sent."""
        text = event["params"]["order"]
        if text in self.sent:
            raise Finding("an order was made twice")
        self.sent[text] = {k: event[k] for k in ("seat", "method", "params")}
        self.open = text
        if self.game is None:
            self.game = hashlib.sha256(
                b"umpire/game/1\0" + text.encode()).hexdigest()

    def answer(self, event):
        """The line of an order; true if the order was sent once more."""
        text, line = event["order"], event["line"]
        known = self.answers.get(text)
        if known is not None:
            if known != line or not event["repeat"]:
                raise Finding(f"an order that was answered before has now "
                              f"another answer:\n{known}\n{line}")
            return True
        if json.loads(line)["order"] != text:
            raise Finding(f"the answer is another order's:\n{text}\n{line}")
        if self.found.get(text, line) != line:
            raise Finding(f"the record had another line:\n"
                          f"{self.found[text]}\n{line}")
        self.answers[text] = line
        if self.open == text:
            self.open = None
        return False

    def record(self, event):
        """The record, as it is after a cut; gives the answers that it lost."""
        if "error" in event and event["error"] != "not-found":
            raise Finding(f"the record: {event['error']}")
        orders = {}
        before = "0" * 64
        for seq, line in enumerate(event["lines"]):
            parts = json.loads(line)
            if parts["seq"] != seq or parts["prev"] != before:
                raise Finding(f"the record has a gap before:\n{line}")
            before = hashlib.sha256(line.encode()).hexdigest()
            text = parts.get("order")
            if text not in self.sent:
                raise Finding(f"the record has what nobody sent:\n{line}")
            if text in orders:
                raise Finding(f"the record has an order twice:\n{line}")
            orders[text] = line
        lost = [line for text, line in self.answers.items()
                if text not in orders]
        if lost:
            return lost
        for text, line in self.answers.items():
            if orders[text] != line:
                raise Finding(f"an answered order has another line:\n{line}\n"
                              f"{orders[text]}")
        for text, line in orders.items():
            if text not in self.answers:
                if text != self.open:
                    raise Finding(f"an order is there too many:\n{line}")
                self.found[text] = line
        return []


class Machine:
    """A machine that runs from its start to the cut."""

    def __init__(self, a, cache, image):
        self.cache = cache
        self.console = os.path.join(a.work, "console")
        path = os.path.join(a.work, "line")
        self.rest = b""
        self.is_gone = False
        self.disk = None
        if cache != "none":
            nbd = os.path.join(a.work, "nbd")
            self.disk = power_disk.Disk(image, nbd, cache == "lying")
            drive = f"nbd+unix:///?socket={nbd}"
        else:
            drive = image
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(path)
        listener.listen(1)
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            # It must not outlive us, however we end.
            ["setpriv", "--pdeathsig", "KILL", a.qemu, "-machine", "q35",
             "-accel", a.accel, "-cpu", CPUS[a.accel], "-m", "256",
             "-kernel", a.kernel, "-initrd", a.initrd, "-append",
             "console=ttyS0 quiet panic=-1 random.trust_cpu=on "
             "no_timer_check",
             "-nodefaults", "-no-user-config", "-no-reboot",
             "-display", "none", "-serial", "file:" + self.console,
             "-drive", f"file={drive},format=raw,if=none,id=disk,"
             "cache=writeback", "-device", "virtio-blk-pci,drive=disk",
             "-device", "virtio-serial-pci",
             "-chardev", f"socket,id=line,path={path}",
             "-device", "virtserialport,chardev=line"],
            stdin=subprocess.DEVNULL)
        listener.settimeout(10)
        try:
            self.line, _ = listener.accept()
        except socket.timeout:
            self.process.kill()
            raise Finding("qemu did not start") from None
        finally:
            listener.close()
            os.unlink(path)

    def tell(self, task):
        """Says what to do; it is read when somebody is there."""
        self.line.settimeout(None)
        self.line.sendall(json.dumps(task).encode() + b"\n")

    def hear(self, until):
        """
        Gives events until a time (of the monotonic clock) or until the machine
        is gone.
        """
        while True:
            while b"\n" in self.rest:
                line, self.rest = self.rest.split(b"\n", 1)
                yield json.loads(line)
            left = until - time.monotonic()
            if left <= 0:
                return
            self.line.settimeout(left)
            try:
                data = self.line.recv(1 << 16)
            except socket.timeout:
                return
            except ConnectionResetError:
                data = b""
            if not data:
                self.is_gone = True
                return
            self.rest += data

    def is_cut(self):
        """True if the disk has cut the power."""
        return self.disk is not None and self.disk.is_cut

    def cut(self, chance):
        """
        Cuts the power, if that was not done, at a moment when nobody expects
        it; gives what the disk's cache held: writes, those that stayed, those
        that were torn.
        """
        held = (0, 0, 0)
        if self.disk is not None:
            held = self.disk.cut(chance)
        self.process.kill()
        self.process.wait()
        return held

    def close(self):
        """Once all was heard; without a cut before, the disk is lost."""
        self.process.kill()
        self.process.wait()
        self.line.close()
        if self.disk is not None:
            self.disk.close()


class Run:
    """All cuts."""

    def __init__(self, a):
        self.a = a
        self.chance = random.Random(a.seed)
        self.image = os.path.join(a.work, "disk")
        self.matches = []
        self.boots = []  # seconds that machines took to be ready
        self.told = time.monotonic()
        self.losses = []  # answered lines that are not there any more
        self.sum = dict.fromkeys(
            ("cuts", "early", "orders", "again", "unanswered", "survived",
             "writes", "flushes", "caught", "held", "dropped", "torn",
             "mended"), 0)

    def begin(self):
        """A new disk, on which nothing is yet."""
        shutil.copyfile(self.a.disk, self.image)
        self.matches = [Match() for _ in range(self.a.matches)]

    def take(self, event):
        """One event; true if a match is ready."""
        name = event["event"]
        if name in ("broken", "unmountable", "unsound", "dead"):
            raise Finding(f"in the machine: {name}: {event.get('why', '')}")
        m = self.matches[event["match"]] if "match" in event else None
        if name == "record":
            self.losses += m.record(event)
        elif name == "send":
            m.send(event)
        elif name == "ack":
            is_again = m.answer(event)
            self.sum["again" if is_again else "orders"] += 1
            if not is_again and event["order"] in m.found:
                self.sum["survived"] += 1
        elif name == "mended":
            self.sum["mended"] += 1
        elif name == "fail":
            raise Finding(f"an order is refused: {event['error']}: "
                          f"{event['why']}\n{event['order']}")
        return name == "ready"

    def wait_ready(self, machine, until):
        """Hears until all matches are ready; false if it takes longer."""
        looked = ready = 0
        for event in machine.hear(until):
            looked += event["event"] == "record"
            # Once something is lost only how much is of interest.
            if not self.losses or event["event"] == "record":
                ready += self.take(event)
            if self.losses and looked == sum(
                    m.game is not None for m in self.matches):
                self.lost()
            if ready == len(self.matches):
                self.boots.append(time.monotonic() - machine.began)
                return True
        self.lost()
        if machine.is_gone and not machine.is_cut():
            raise Finding("the machine ended by itself")
        return False

    def lost(self):
        """Complains if something is lost."""
        if self.losses:
            n = sum(len(m.answers) for m in self.matches)
            raise Finding(f"{len(self.losses)} of {n} answered orders are "
                          f"lost, at first:\n{self.losses[0]}")

    def play(self, machine):
        """
        Lets the players go on until the disk cuts the power, which it does
        half of the time; or for so many answers, and then for as long as
        about one more takes, so that the cut comes anywhere.
        """
        began = time.monotonic()
        until = began + self.a.wait
        before = self.sum["orders"]
        wanted = self.chance.randrange(
            self.a.orders // 2 if self.a.control else 0, self.a.orders)
        disk = machine.disk
        if disk is not None and not self.a.control and disk.left == 0 and (
                self.chance.random() < 0.5):
            disk.arm(self.chance.randrange(1, 2 * self.a.orders),
                     machine.process.kill)
        is_armed = machine.is_cut() or (disk is not None and disk.left > 0)
        while is_armed or self.sum["orders"] - before < wanted:
            event = next(machine.hear(until), None)
            if event is None and machine.is_cut():
                return
            if event is None:
                raise Finding("the players do not get on")
            self.take(event)
        each = (time.monotonic() - began) / max(wanted, 1)
        for event in machine.hear(
                time.monotonic() + self.chance.uniform(0, 2 * each)):
            self.take(event)

    def boot(self, machine, is_cut):
        """
        Waits until a machine is ready: true.  Now and then the power goes
        before.
        """
        wait = self.a.wait
        is_early = is_cut and not self.a.control and (
            self.chance.random() < 1 / 6)
        if is_early and machine.disk is not None:
            machine.disk.arm(self.chance.randrange(1, START),
                             machine.process.kill)
        elif is_early and self.boots:
            wait = self.chance.uniform(0.3, 1.1) * statistics.median(
                self.boots)
        if self.wait_ready(machine, machine.began + wait):
            return True
        if not is_early:
            raise Finding(f"not ready after {wait} s")
        self.sum["early"] += 1
        return False

    def machine(self, cache, is_cut):
        """
        Starts a machine on the disk, which looks at what was before; then
        the players go on until the cut, or the look was all (is_cut false).
        """
        chance = self.chance
        machine = Machine(self.a, cache, self.image)
        machine.tell({"seed": self.a.seed % (1 << 31), "play": is_cut,
                      "matches": [m.task(chance) for m in self.matches]})
        held = (0, 0, 0)
        try:
            if self.boot(machine, is_cut) and is_cut:
                self.play(machine)
            if machine.is_gone and not machine.is_cut():
                raise Finding("the machine ended by itself")
            held = machine.cut(chance)
            # What was said before the cut and not heard yet.
            for event in machine.hear(time.monotonic() + 10):
                self.take(event)
        finally:
            machine.close()
        self.lost()
        self.count(machine, held)
        if is_cut:
            self.sum["cuts"] += 1
            for m in self.matches:
                self.sum["unanswered"] += m.is_newly_open()

    def count(self, machine, cut):
        """Adds up what the disk did, and what the cut did to it."""
        held, whole, torn = cut
        if machine.disk is not None:
            self.sum["writes"] += machine.disk.writes
            self.sum["flushes"] += machine.disk.flushes
        self.sum["caught"] += held > 0
        self.sum["held"] += held
        self.sum["torn"] += torn
        self.sum["dropped"] += held - whole - torn

    def progress(self):
        """A line now and then."""
        if time.monotonic() - self.told > PROGRESS:
            self.told = time.monotonic()
            print(f"{self.sum['cuts']} of {self.a.cuts} cuts, "
                  f"{self.sum['orders']} orders acknowledged, 0 lost",
                  flush=True)

    def go(self):
        """All cuts, and after each a look."""
        caches = {"both": ("volatile", "none")}.get(
            self.a.cache, (self.a.cache,))
        n = 0
        while n < max(self.a.cuts, 1):
            self.begin()
            for _ in range(min(self.a.each, self.a.cuts - n)):
                self.machine(caches[n % len(caches)], True)
                n += 1
                self.progress()
            self.machine(caches[n % len(caches)], False)
            if self.a.cuts == 0:
                break

    def keep(self, why):
        """Leaves what is needed to look."""
        if self.a.keep is None:
            return
        os.makedirs(self.a.keep, exist_ok=True)
        for name in ("disk", "console"):
            shutil.copy(os.path.join(self.a.work, name), self.a.keep)
        with open(os.path.join(self.a.keep, "known.json"), "w",
                  encoding="utf-8") as f:
            json.dump({"why": str(why), "seed": self.a.seed, "matches": [
                vars(m) for m in self.matches]}, f, indent=1)
        print("what is needed to look is in", self.a.keep, flush=True)


def arguments():
    """The command line."""
    p = argparse.ArgumentParser()
    p.add_argument("--qemu", default="qemu-system-x86_64")
    for name in ("kernel", "initrd", "disk", "work"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--keep")
    p.add_argument("--cuts", type=int, required=True)
    p.add_argument("--each", type=int, default=6)
    p.add_argument("--matches", type=int, default=4)
    p.add_argument("--orders", type=int, default=100)
    p.add_argument("--seed", type=int, required=True)
    p.add_argument("--accel", choices=("kvm", "tcg"), required=True)
    p.add_argument("--wait", type=float, default=240)
    p.add_argument("--cache", default="both",
                   choices=("none", "volatile", "both", "lying"))
    p.add_argument("--control", action="store_true")
    return p.parse_args()


def main():
    """Runs it, and says what came of it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    a = arguments()
    run = Run(a)
    began = time.monotonic()
    found = None
    try:
        run.go()
    except Finding as finding:
        found = str(finding)
        text = "\n".join(line[:200] for line in found.split("\n"))
        print(f"after {run.sum['cuts']} cuts: {text}", flush=True)
        if not a.control:
            print("the machine's console:", flush=True)
            with open(os.path.join(a.work, "console"), encoding="utf-8",
                      errors="replace") as f:
                print("".join(f.readlines()[-30:]), flush=True)
            run.keep(found)
    took = time.monotonic() - began
    with open(os.path.join(a.work, "sum"), "w", encoding="utf-8") as f:
        json.dump(dict(
            run.sum, lost=len(run.losses), seconds=round(took, 1),
            ready=round(statistics.median(run.boots or [0]), 2),
            each=round(took / max(run.sum["cuts"], 1), 2)), f)
    is_wanted = bool(run.losses) if a.control else found is None
    return 0 if is_wanted else 1


if __name__ == "__main__":
    sys.exit(main())
