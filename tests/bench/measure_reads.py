# SPDX-License-Identifier: ISC
"""What reading costs the server, against an echo with requests and replies of
the same sizes: CPU of all its threads for a request, with players who are
logged in.

  show          game.show, each player another game
  record        game.record: the last lines of a game, with their side lines
  record_whole  game.record: all lines of a game
"""

import json

import partner
from rig import Result

MATCHES = 8
ORDERS = 60  # of each match
LAST = 10  # lines at the end of a record
ROUNDS = {"show": 400, "record": 300, "record_whole": 40}


def request(method, **params):
    """The line of a request."""
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                       "params": params}, separators=(",", ":")) + "\n"


def same_size(line, size):
    """An echo's request as long as a line, for a reply of so many bytes."""
    head = f'{{"id":1,"n":{size},"y":"'
    return head + "y" * (len(line) - len(head) - 3) + '"}\n'


class Reads:
    """Every read of the daemon beside its echo."""

    results = {name: Result(f"{what}, CPU of a request", "us", 1.5)
               for name, what in {
                   "show": "game.show",
                   "record": f"game.record of {LAST} lines",
                   "record_whole": "game.record of a whole game"}.items()}

    def __init__(self, bench):
        self.bench = bench
        self.running = []
        self.asking = {}
        self.sizes = {}

    def start(self, thing):
        self.running.append(thing)
        return thing

    def setup(self):
        paths = partner.programs(self.bench)
        folder = self.bench.work / "daemon"
        self.daemon = self.start(partner.daemon(paths, folder))
        fill = self.start(partner.fill(paths, self.daemon.port))
        games = [fill.say("match") for _ in range(MATCHES)]
        fill.say(f"round {ORDERS}")
        games = [fill.say(f"play {i} 1") for i in range(MATCHES)]
        self.echo = self.start(partner.echo(paths, self.bench.work, folder))
        self.ask(paths, "show",
                 [request("game.show", game=g["game"]) for g in games])
        self.ask(paths, "record",
                 [request("game.record", game=g["game"], side=True,
                          **{"from": g["seq"] - LAST + 1}) for g in games])
        self.ask(paths, "record_whole",
                 [request("game.record", game=g["game"]) for g in games])

    def ask(self, paths, name, lines):
        """Gets ready to ask for something, and its echo for as much."""
        path = self.bench.work / name
        path.write_text("".join(lines))
        b = self.start(partner.peer(paths, "ask", self.daemon.port, MATCHES,
                                    path, "--login"))
        first = b.say(1)
        if "error" in first.get("answer", {}):
            raise RuntimeError(f"{name}: {first['answer']['error']}")
        self.sizes[name] = first["sizes"]
        path = self.bench.work / f"{name}.echo"
        path.write_text("".join(map(same_size, lines, first["sizes"])))
        a = self.start(partner.peer(paths, "ask", self.echo.port, MATCHES,
                                    path))
        if a.say(1)["sizes"] != first["sizes"]:
            raise RuntimeError("the echo answers with other sizes")
        self.asking[name] = (a, b)

    def costs(self, child, which):
        """Microseconds of CPU a request, by name."""
        costs = {}
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
        return {"reply_bytes": self.sizes[name],
                "requests": ROUNDS[name] * MATCHES}

    def teardown(self):
        for thing in reversed(self.running):
            thing.stop()


MEASURES = [Reads]
