# SPDX-License-Identifier: ISC
"""What connections cost the server, against an echo upon bare TLS.

  handshake    CPU of a full handshake
  idle_memory  memory of a connection that is logged in and says nothing,
               with an account and an address of its own, against one that has
               only shaken hands
  idle_flat    the same of the daemon's connections: each of 10,000 against
               each of 1,000
"""

import partner
import rig
from rig import Result

HANDSHAKES = 300
FEW, MANY = 1000, 10000
KEPT = "Private_Dirty"  # what a process would give back if it ended


class Handshakes:
    """One handshake after the other."""

    results = {"handshake": Result("full handshake, CPU", "us", 1.15)}

    def __init__(self, bench):
        self.bench = bench
        self.running = []

    def setup(self):
        self.paths = partner.programs(self.bench)
        folder = self.bench.work / "daemon"
        self.daemon = partner.daemon(self.paths, folder)
        self.running.append(self.daemon)
        self.echo = partner.echo(self.paths, self.bench.work, folder)
        self.running.append(self.echo)

    def cost(self, child):
        before = child.cpu_s()
        rig.run([self.paths["peer"], "shake", partner.HOST, str(child.port),
                 str(HANDSHAKES)])
        return {"handshake": 1e6 * (child.cpu_s() - before) / HANDSHAKES}

    def reference(self):
        return self.cost(self.echo)

    def subject(self):
        return self.cost(self.daemon)

    def details(self, name):
        return {"handshakes": HANDSHAKES}

    def teardown(self):
        for child in self.running:
            child.stop()


class Idle:
    """Many connections, each time at a process that has had none."""

    results = {
        "idle_memory": Result("idle connection, memory", "bytes", 1.25),
        "idle_flat": Result(f"the same, {MANY} against {FEW}", "bytes", 1.1)}
    WASTE = {"fat": 16}  # no time: there are as many handshakes

    def __init__(self, bench):
        self.bench = bench
        self.running = []
        self.bare_few = []

    def setup(self):
        partner.raise_files(MANY)
        self.paths = partner.programs(self.bench)
        self.folder = self.bench.work / "daemon"
        # For its certificate and its accounts, which are the same ever after.
        daemon = self.start(partner.daemon(self.paths, self.folder))
        self.bench.say(f"  {MANY} accounts are made")
        self.start(self.idle(daemon, MANY, 0, "--register")).hear()
        self.teardown()

    def start(self, thing):
        self.running.append(thing)
        return thing

    def idle(self, child, count, first, *how):
        """So many connections, of the accounts from the first on."""
        return partner.peer(self.paths, "idle", child.port, count, first, *how)

    def grow(self, child, *how):
        """Bytes a connection, of a few and of many."""
        before = child.memory()[KEPT]
        self.start(self.idle(child, FEW, 0, *how)).hear()
        few = (child.memory()[KEPT] - before) / FEW
        self.start(self.idle(child, MANY - FEW, FEW, *how)).hear()
        many = (child.memory()[KEPT] - before) / MANY
        self.teardown()
        return few, many

    def reference(self):
        few, many = self.grow(self.start(
            partner.echo(self.paths, self.bench.work, self.folder)))
        self.bare_few.append(few)
        return {"idle_memory": many}

    def subject(self):
        few, many = self.grow(self.start(
            partner.daemon(self.paths, self.folder)), "--login")
        return {"idle_memory": many, "idle_flat": (few, many)}

    def details(self, name):
        if name == "idle_memory":
            return {"connections": MANY, "bare_of_few": self.bare_few}
        return {"connections": [FEW, MANY]}

    def teardown(self):
        while self.running:
            self.running.pop().stop()


MEASURES = [Handshakes, Idle]
