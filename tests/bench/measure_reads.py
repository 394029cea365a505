# SPDX-License-Identifier: ISC
"""What reading costs the server, against an echo with requests and replies of
the same sizes: CPU of all its threads for a request, with players who are
logged in.

  show_kept     game.show, each player another game, with no line between, so
                that the answer is one that was kept (server/rpc/show_cache)
  show_fresh    game.show after each line, twice a line, as players and those
                who look on do; what the line costs more because it is asked
                for is counted
  show_cold     game.show of so many games that none is kept until it is asked
                for again, so that each answer is made from the snapshot
  record        game.record: the last lines of a game, with their side lines
  record_whole  game.record: all lines of a game
"""

import json
import pathlib
import re

import clone
import partner
from rig import Result

MATCHES = 8
ORDERS = 60  # of each match
LAST = 10  # lines at the end of a record
LINES = 20  # of each match in a row, between which show_fresh asks
TURNS = 10  # so often it does, and so often the same lines come unasked
ASKS = 2  # of each connection after a line of each match
COLD = 10  # limit of our own: see doc/performance
SEED = 2  # of the games that go on
ROUNDS = {"show_kept": 2000, "show_cold": 600, "record": 1000,
          "record_whole": 200}
WORKER = pathlib.Path(__file__).resolve().parents[2] / "server/rpc/worker.c"
# Bytes that an io thread keeps; read here, so that --list finds it missing.
KEPT = int(re.search(r"#define WORKER_SHOW_CACHE[\s\\]+(\d+)",
                     WORKER.read_text()).group(1))


def request(method, **params):
    """The line of a request."""
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                       "params": params}, separators=(",", ":")) + "\n"


def same_size(line, size):
    """An echo's request as long as a line, for a reply of so many bytes."""
    head = f'{{"id":1,"n":{size},"y":"'
    return head + "y" * (len(line) - len(head) - 3) + '"}\n'


def beyond_kept(size):
    """How many games of such answers no io thread keeps.

    The connections ask for game after game in turn, each one on the next
    connection the next time around. Two neighbours on one io thread have it
    ask for a quarter of the games between a game and the same one again.
    """
    return MATCHES * -(-4 * KEPT // (size * MATCHES)) + 1


class Reads:
    """Every read of the daemon beside its echo."""

    results = {name: Result(f"{what}, CPU of a request", "us",
                            COLD if name == "show_cold" else 1.5)
               for name, what in {
                   "show_kept": "game.show of what was kept",
                   "show_fresh": "game.show after a line",
                   "show_cold": "game.show of what was not kept",
                   "record": f"game.record of {LAST} lines",
                   "record_whole": "game.record of a whole game"}.items()}

    def __init__(self, bench):
        self.bench = bench
        self.running = []
        self.asking = {}
        self.sizes = {}
        self.more = []

    def start(self, thing):
        self.running.append(thing)
        return thing

    def setup(self):
        paths = partner.programs(self.bench)
        folder = self.bench.work / "daemon"
        daemon = self.start(partner.daemon(paths, folder))
        fill = self.start(partner.fill(paths, daemon.port))
        games = [fill.say("match") for _ in range(MATCHES)]
        fill.say(f"round {ORDERS}")
        games = [fill.say(f"play {i} 1") for i in range(MATCHES)]
        shows = [request("game.show", game=g["game"]) for g in games]
        size = self.sizes_of(paths, daemon, "size", shows)[0]
        self.stop()
        database = folder / "umpired.db"
        self.cold = beyond_kept(size)
        clone.clone(database, self.cold)
        self.daemon = self.start(partner.daemon(paths, folder))
        self.echo = self.start(partner.echo(paths, self.bench.work, folder))
        self.ask(paths, "show_kept", shows)
        self.ask(paths, "show_cold", [request("game.show", game=g)
                                      for g in clone.games(database)])
        self.fill = self.start(partner.fill(paths, self.daemon.port, SEED))
        live = [self.fill.say("match") for _ in range(MATCHES)]
        self.fill.say(f"round {ORDERS}")
        self.ask(paths, "show_fresh",
                 [request("game.show", game=g["game"]) for g in live])
        self.ask(paths, "record",
                 [request("game.record", game=g["game"], side=True,
                          **{"from": g["seq"] - LAST + 1}) for g in games])
        self.ask(paths, "record_whole",
                 [request("game.record", game=g["game"]) for g in games])

    def peer(self, paths, child, name, lines, *how):
        """One who asks a child with these lines."""
        path = self.bench.work / name
        path.write_text("".join(lines))
        return self.start(partner.peer(paths, "ask", child.port, MATCHES, path,
                                       *how))

    def sizes_of(self, paths, daemon, name, lines):
        """Gets ready to ask a daemon; the sizes of all its answers."""
        b = self.peer(paths, daemon, name, lines, "--register")
        first = b.say(-(-len(lines) // MATCHES))
        if "error" in first.get("answer", {}):
            raise RuntimeError(f"{name}: {first['answer']['error']}")
        self.asking[name] = b
        return first["sizes"]

    def ask(self, paths, name, lines):
        """Gets ready to ask for something, and its echo for as much."""
        sizes = self.sizes_of(paths, self.daemon, name, lines)
        a = self.peer(paths, self.echo, f"{name}.echo",
                      map(same_size, lines, sizes))
        if a.say(-(-len(lines) // MATCHES))["sizes"] != sizes:
            raise RuntimeError("the echo answers with other sizes")
        self.sizes[name] = sizes[:MATCHES]
        self.asking[name] = (a, self.asking[name])

    def fresh(self, child, which):
        """Microseconds of CPU a request after each line of the daemon's.

        The echo is asked with the same pauses. The daemon's lines with and
        without requests between them take turns and are compared, to count
        what the former cost more.
        """
        peer = self.asking["show_fresh"][which]
        asks = lines = alone = requests = 0
        for _ in range(TURNS):
            peer.say(ASKS)  # from the snapshot; from now on they are wanted
            for _ in range(LINES):
                lines += self.round(child)
                before = child.cpu_s()
                requests += peer.say(ASKS)["requests"]
                asks += child.cpu_s() - before
            self.fill.say("round 1")  # the last that is wanted
            if which == 1:
                alone += sum(self.round(child) for _ in range(LINES))
        if which == 0:
            return 1e6 * asks / requests
        self.more.append(1e6 * (lines - alone) / requests)
        return 1e6 * asks / requests + self.more[-1]

    def round(self, child):
        """CPU of a child while each match has a line more."""
        before = child.cpu_s()
        self.fill.say("round 1")
        return child.cpu_s() - before

    def costs(self, child, which):
        """Microseconds of CPU a request, by name."""
        costs = {"show_fresh": self.fresh(child, which)}
        for name, rounds in ROUNDS.items():
            before = child.cpu_s()
            got = self.asking[name][which].say(rounds)
            costs[name] = 1e6 * (child.cpu_s() - before) / got["requests"]
        return costs

    def reference(self):
        return self.costs(self.echo, 0)

    def subject(self):
        return self.costs(self.daemon, 1)

    def details(self, name):
        if name == "show_fresh":
            return {"reply_bytes": self.sizes[name], "games": MATCHES,
                    "requests": TURNS * LINES * ASKS * MATCHES,
                    "more_us_of_lines": [round(m, 1) for m in self.more]}
        return {"reply_bytes": self.sizes[name],
                "requests": ROUNDS[name] * MATCHES,
                "games": self.cold if name == "show_cold" else MATCHES}

    def stop(self):
        while self.running:
            self.running.pop().stop()

    teardown = stop


MEASURES = [Reads]
