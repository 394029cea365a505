# SPDX-License-Identifier: ISC
"""Tournaments played through the daemon, by sessions of tests/tools/forge.

tournament.py CASE: what is found stands on standard output, a line a result:
"pass WHAT", or "fail WHAT: WHY". The environment says where all is: PORT,
TOOLS, PLAYERS (folders with keys), HOOKS, OUT (for records).
"""

import hashlib
import json
import os
import subprocess
import sys
import time

TOOLS = os.environ["TOOLS"]
PLAYERS = os.environ["PLAYERS"]
HOOKS = os.environ["HOOKS"]
OUT = os.environ["OUT"]
HOUR = 3600 * 1000
DAY = 24 * HOUR
ZERO = "0" * 64
UNITS = {
    "1": [{"id": "fr-a", "arm": "infantry", "strength": 6}],
    "2": [{"id": "ru-a", "arm": "infantry", "strength": 5}],
}
ROSTER = json.dumps({
    "blob": "roster", "system": "lasalle2",
    "sides": {s: {"name": "Side " + s, "units": UNITS[s]} for s in UNITS},
}, separators=(",", ":"))


def tell(good, what, why=""):
    """Print a result."""
    text = str(why).replace("\n", " ")[:600]
    print("pass " + what if good else "fail %s: %s" % (what, text),
          flush=True)


class Clock:
    """The daemon's clock, which the orders have, too."""

    def __init__(self):
        self.ms = int(os.environ.get("NOW_MS") or int(time.time()) * 1000)
        self.set()

    def set(self):
        """Set the daemon's."""
        subprocess.run(
            [TOOLS + "/hookctl", HOOKS, "set", "now_ms", str(self.ms)],
            check=True)

    def later(self, ms):
        """Let time pass."""
        self.ms += ms
        self.set()

    def text(self, ms=None):
        """A time as orders have it."""
        ms = self.ms if ms is None else ms
        base = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000))
        return "%s.%03dZ" % (base, ms % 1000)


class Person:
    """An account and its session."""

    def __init__(self, name, clock, port=None):
        self.account = name
        self.clock = clock
        folder = os.path.join(PLAYERS, name)
        self.is_new = not os.path.exists(folder)
        if self.is_new:
            os.makedirs(folder)
            for kind in ("sign", "dice"):
                path = os.path.join(folder, kind + ".key")
                fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
                os.write(fd, os.urandom(32).hex().encode() + b"\n")
                os.close(fd)
        self.proc = subprocess.Popen(
            [TOOLS + "/forge", "-k", folder, "127.0.0.1",
             port or os.environ["PORT"]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.keys = self.ask("keys")
        self.stated = {"kn": 0, "kprev": ZERO}
        self.ask("register " + name if self.is_new else "login " + name)

    def tell(self, line):
        """Send a command."""
        self.proc.stdin.write(line + "\n")
        self.proc.stdin.flush()

    def hear(self):
        """Take an answer; {} if the connection has ended."""
        line = self.proc.stdout.readline()
        return json.loads(line) if line else {}

    def ask(self, line):
        """Do both."""
        self.tell(line)
        return self.hear()

    def call(self, method, **params):
        """Call a method."""
        return self.ask("call %s %s" % (method, json.dumps(params)))

    def close(self):
        """End the session."""
        self.proc.stdin.close()
        self.proc.stdout.close()
        self.proc.wait()

    def named(self):
        """The args that name an account."""
        return {"account": self.account, "key": self.keys["sign"],
                **self.stated}

    def state(self):
        """Add a key to the account; return the reply."""
        params = self.ask("statement " + self.account)
        text = params["statement"]
        prev = hashlib.sha256(b"umpire/key/1\0" + text.encode()).hexdigest()
        self.stated = {"keys": [json.loads(text)["key"]], "kn": 1,
                       "kprev": prev}
        return self.call("account.key", **params)

    def seated(self, seat):
        """Those of a create or join of a game."""
        return {"seat": seat, "dice_key": self.keys["dice"], **self.named()}


def name_of(reply):
    """How a reply ended: "line" or the name of its error."""
    if "result" in reply:
        return "line"
    return reply.get("error", {}).get("data", {}).get("name", "?")


def line_of(reply):
    """The line of a reply."""
    return json.loads(reply["result"]["line"])


def head_of(line):
    """The hash of a line, as text."""
    return hashlib.sha256(line.encode()).hexdigest()


class Cup:
    """A tournament."""

    def __init__(self, clock, director, **terms):
        self.clock = clock
        self.director = director
        hello = director.ask("hello")["result"]
        self.server, self.dice = hello["server"], hello["server_dice"]
        reply = director.call("blob.put", value=ROSTER)
        self.roster = reply["result"]["hash"]
        self.id = self.pool = None
        self.entrants = {}
        self.games = {}
        self.terms = {
            "event": "Autumn cup", "director": director.named(),
            "format": "swiss", "system": "lasalle2", "rules": "lasalle2/1",
            "scheme": "dual-1", "server_dice": self.dice, "secret": "held",
            "silence": "forfeit",
            "scenarios": [{"name": "Bridge", "roster": self.roster,
                           "rulings": {}, "tables": []}],
            "mirror": False, "bye": "win",
            "entry": {"until": clock.text(clock.ms + DAY), "max": 64,
                      "admit": "open"},
            "seed": "lots", "checkin_s": 3600, "start_s": 3600,
            "gap_s": 0, "round_s": 86400, "late": "points",
            "notice_s": 0, "review_s": 0, "protest_s": 0,
        }
        self.terms.update(terms)
        self.terms = {k: v for k, v in self.terms.items() if v is not None}

    def order(self, kind, args, who=None, place=None):
        """The text of an order."""
        order = {"v": 1, "server": self.server}
        if kind != "create":
            order.update(tournament=self.id, by=who.account,
                         after=self.seq, head=self.head)
        order.update(nonce=os.urandom(16).hex(), now=self.clock.text(),
                     kind=kind)
        if place:
            order.update(place=place, own="@own")
        order["args"] = args
        return json.dumps(order, separators=(",", ":"))

    def look(self, who=None):
        """Ask where the record ends."""
        who = who or self.director
        reply = who.call("tournament.record", tournament=self.id, **{
            "from": 1 << 40})
        self.seq = reply["result"]["seq"]
        self.head = reply["result"]["head"]

    def create(self, who=None):
        """Open it; return the reply."""
        reply = (who or self.director).ask(
            "order " + self.order("create", self.terms))
        if "result" in reply:
            self.id = line_of(reply)["tournament"]
        return reply

    def give(self, who, kind, args=None, place=None, texts=None):
        """Give an order; return the reply."""
        self.look()
        if place:
            who.ask("pool " + self.pool)
        who.ask("texts " + json.dumps(texts or []))
        reply = who.ask(
            "order " + self.order(kind, args or {}, who, place))
        if "result" in reply and line_of(reply).get("pool"):
            self.pool = line_of(reply)["pool"]
        return reply

    def must(self, who, kind, args=None, place=None, texts=None):
        """Give one that must be taken."""
        reply = self.give(who, kind, args, place, texts)
        if "result" not in reply:
            tell(False, "%s by %s" % (kind, who.account), reply)
            sys.exit(0)
        return line_of(reply)

    def enter(self, who):
        """Enter."""
        args = {"dice_key": who.keys["dice"], **who.named()}
        self.must(who, "enter", args)
        self.entrants[len(self.entrants) + 1] = who

    def start(self):
        """From entries to the lots."""
        if self.show()["phase"] == "entries":
            self.must(self.director, "shut")
        for x in self.view["entrants"]:
            if x["admitted"]:
                self.must(self.entrants[x["number"]], "checkin", place="c/0")
        self.must(self.director, "start", place=None)

    def show(self):
        """The state."""
        self.view = self.director.call(
            "tournament.show", tournament=self.id)["result"]
        return self.view

    # Games.

    def open_text(self, who, side, rnd, table, leg=1, **other):
        """The text of the create order of a leg's game."""
        self.look()
        paired = self.view["pairings"][rnd - 1]["line"]
        reply = self.director.call(
            "tournament.record", tournament=self.id, to=paired,
            **{"from": paired})
        args = who.seated(side)
        same = ("event", "system", "rules", "scheme", "server_dice",
                "secret", "silence", "confirm", "clock", "private", "options")
        args.update({k: self.terms[k] for k in same if k in self.terms})
        args.update(
            rulings={}, tables=[], roster=self.roster, round=rnd, table=table,
            tournament=self.id, paired=paired,
            line=head_of(reply["result"]["lines"][0]), leg=leg)
        args.update(other)
        args = {k: v for k, v in args.items() if v is not None}
        order = {"v": 1, "server": self.server,
                 "nonce": os.urandom(16).hex(), "now": self.clock.text(),
                 "kind": "create", "args": args}
        return json.dumps(order, separators=(",", ":"))

    def open(self, who, *where, **other):
        """Open the game of a leg; return the reply."""
        who.ask("texts []")
        return who.ask("order " + self.open_text(who, *where, **other))

    def order_text(self, game, who, seat, kind, args, place=None):
        """The text of an order to a game."""
        state = who.call("game.show", game=game)["result"]
        order = {"v": 1, "server": self.server, "game": game, "seat": seat,
                 "after": state["seq"], "head": state["head"],
                 "nonce": os.urandom(16).hex(), "now": self.clock.text(),
                 "kind": kind}
        if place:
            who.ask("pool " + state["pool"])
            order.update(place="p/%d" % state["epoch"], own="@own")
        order["args"] = args
        who.ask("texts []")
        return json.dumps(order, separators=(",", ":"))

    def play(self, game, who, seat, kind, args=None, place=False):
        """Give an order to a game; return the reply."""
        return who.ask("order " + self.order_text(
            game, who, seat, kind, args or {}, place))

    def game(self, rnd, table, leg=1):
        """Open a leg's game, both join and are ready; return it."""
        t = self.view["pairings"][rnd - 1]["tables"][table - 1]
        a, b = self.entrants[t["a"]], self.entrants[t["b"]]
        if leg == 2:
            a, b = b, a
        reply = self.open(a, 1, rnd, table, leg)
        if "result" not in reply:
            tell(False, "a game of round %d is opened" % rnd, reply)
            sys.exit(0)
        game = line_of(reply)["game"]
        done = [self.play(game, b, 2, "join", b.seated(2)),
                self.play(game, b, 2, "ready", place=True),
                self.play(game, a, 1, "ready", place=True)]
        for reply in done:
            if "result" not in reply:
                tell(False, "a game is joined, both are ready", reply)
                sys.exit(0)
        self.games[game] = (a, b)
        return game

    def turns(self, game):
        """Both sides have a turn."""
        for seat in (1, 2):
            reply = self.play(
                game, self.games[game][seat - 1], seat, "turn.end", place=True)
            if "result" not in reply:
                tell(False, "a turn is ended", reply)
                sys.exit(0)

    def resign(self, game, seat):
        """Somebody gives a game up."""
        reply = self.play(game, self.games[game][seat - 1], seat, "resign")
        if "result" not in reply:
            tell(False, "a game is resigned", reply)
            sys.exit(0)

    def results(self):
        """The lines of results by their games."""
        found = {}
        for line in self.lines()[0]:
            line = json.loads(line)
            if line.get("what") == "result":
                found.setdefault(line["data"]["game"], []).append(
                    line["data"])
        return found

    def lines(self, method="tournament", name=None):
        """All lines of a record, and its side lines."""
        name = name or self.id
        lines, side, at = [], {}, 0
        while True:
            reply = self.director.call(
                method + ".record", side=True,
                **{method: name, "from": at})["result"]
            lines += reply["lines"]
            for text in reply["side"]:
                value = json.loads(text)
                kind = "text" if "text" in value else "blob"
                side[kind != "text", value[kind]] = text
            if "next" not in reply:
                return lines, [side[k] for k in sorted(side)]
            at = reply["next"]

    def export(self, folder):
        """Write the records of the tournament and of its games."""
        folder = os.path.join(OUT, folder)
        os.makedirs(folder)

        def write(name, records):
            with open(os.path.join(folder, name), "w",
                      encoding="utf-8") as out:
                out.write("".join(x + "\n" for part in records for x in part))

        records = self.lines()
        write("tournament.jsonl", records)
        for line in records[0]:
            line = json.loads(line)
            if line.get("what") == "game":
                game = line["data"]["game"]
                write(game + ".jsonl", self.lines("game", game))

    def round(self, rnd, by="turns"):
        """Pair a round and play it: the higher number loses."""
        self.must(self.director, "pair", {"round": rnd})
        self.show()
        for t in self.view["pairings"][rnd - 1]["tables"]:
            game = self.game(rnd, t["table"])
            if by == "turns":
                self.turns(game)
            self.resign(game, 1 if t["a"] > t["b"] else 2)
        self.show()


def todo(who, cup):
    """What waits for somebody; None if the tournament is not there.

    Of tables the first is enough: a director is told of the others, too.
    """
    for row in who.call("tournament.todo")["result"]["tournaments"]:
        if row["tournament"] == cup.id:
            return [w for w in row["waits"] if w.get("table", 1) == 1]
    return None


def text_of(value):
    """A text as it goes with an order, and its reference."""
    salt = os.urandom(32)
    ref = hashlib.sha256(b"umpire/text/1\0" + salt + value.encode())
    return ref.hexdigest(), [{"salt": salt.hex(), "value": value}]


def case_knockout():
    """Four, the wrong things first."""
    clock = Clock()
    people = {n: Person(n, clock) for n in ("dina", "anna", "bert", "carl",
                                            "emma", "otto")}
    dina, anna, otto = people["dina"], people["anna"], people["otto"]
    cup = Cup(clock, dina, format="knockout")

    def refused(what, want, reply):
        tell(name_of(reply) == want, what, reply)

    good = dict(cup.terms)
    cup.terms = {**good, "director": {**dina.named(), "kn": 1}}
    refused("terms with other keys are refused", "illegal", cup.create())
    cup.terms = {**good, "server_dice": anna.keys["dice"]}
    refused("and those with other dice", "illegal", cup.create())
    cup.terms = {**good, "director": anna.named()}
    refused("and those of another account", "illegal", cup.create())
    cup.terms = {**good, "scenarios": [
        {**good["scenarios"][0], "roster": "1" * 64}]}
    refused("a roster that is not here is missing", "missing", cup.create())
    cup.terms = good
    reply = cup.create()
    refused("a tournament is opened", "line", reply)
    again = dina.ask("again")
    tell(again.get("result", {}).get("repeat") is True
         and again["result"]["line"] == reply["result"]["line"],
         "the same bytes have the same answer", again)
    refused("an order to no tournament", "not-found",
            dina.call("tournament.show", tournament="2" * 64))
    dina.call("tournament.watch", tournament=cup.id)
    for name in ("anna", "bert", "carl", "emma"):
        cup.enter(people[name])
    notices = [dina.ask("line 5000") for _ in range(4)]
    refused("nobody enters twice", "illegal", cup.give(
        anna, "enter", {"dice_key": anna.keys["dice"], **anna.named()}))
    refused("a stranger does not shut it", "illegal", cup.give(otto, "shut"))
    refused("nor does an entrant before its time", "illegal",
            cup.give(anna, "shut"))
    refused("nothing is paired before the lots", "illegal",
            cup.give(dina, "pair", {"round": 1}))
    tell(any(n.get("method") == "tournament.entry" for n in notices),
         "who watches is told of each line", notices)
    cup.must(dina, "shut")
    waits = todo(anna, cup)
    tell([w["what"] for w in waits] == ["checkin"],
         "an entrant is told to check in", waits)
    tell(todo(otto, cup) is None, "others are told nothing")
    cup.start()
    refused("it starts once", "stale", cup.give(dina, "start"))
    cup.must(dina, "pair", {"round": 1})
    cup.show()
    table = cup.view["pairings"][0]["tables"][0]
    a, b = cup.entrants[table["a"]], cup.entrants[table["b"]]
    waits = todo(a, cup)
    tell([w["what"] for w in waits] == ["play"] and waits[0]["round"] == 1
         and waits[0]["until"] == clock.text(clock.ms + HOUR)
         and waits[0]["ends"] == clock.text(clock.ms + DAY),
         "then to play", waits)
    refused("a stranger opens no game", "illegal",
            cup.open(otto, 1, 1, 1))
    refused("nor is it opened with another roster", "illegal",
            cup.open(a, 1, 1, 1, roster=None))
    refused("nor on the other side", "illegal", cup.open(a, 2, 1, 1))
    refused("nor for a tournament that is not here", "missing",
            cup.open(a, 1, 1, 1, tournament="3" * 64))
    # Two at once: both orders are on their way before either is answered.
    one, two = cup.open_text(a, 1, 1, 1), cup.open_text(b, 2, 1, 1)
    a.tell("order " + one)
    b.tell("order " + two)
    names = sorted(name_of(x.hear()) for x in (a, b))
    tell(names == ["illegal", "line"], "of two creates one is taken", names)
    lines = [json.loads(x) for x in cup.lines()[0]]
    opened = [x["data"]["game"] for x in lines if x.get("what") == "game"]
    tell(len(opened) == 1, "and has the line", opened)
    game = opened[0]
    seats = a.call("game.show", game=game)["result"]["seats"]
    mine = 1 if any(s.get("account") == a.account for s in seats) else 2
    comer, seat = (b, 2) if mine == 1 else (a, 1)
    refused("a stranger does not join it", "illegal",
            cup.play(game, otto, seat, "join", otto.seated(seat)))
    refused("who belongs there does", "line",
            cup.play(game, comer, seat, "join", comer.seated(seat)))
    cup.games[game] = (a, b)
    waits = todo(a, cup)
    tell([w["what"] for w in waits] == ["play"] and waits[0]["game"] == game
         and waits[0]["opponent"] == b.account,
         "who has joined has still to be ready", waits)
    for s, who in ((1, a), (2, b)):
        refused("and is ready", "line",
                cup.play(game, who, s, "ready", place=True))
    tell(cup.results() == {}, "a game that goes on has no result")
    tell(todo(a, cup) == [], "and is no more to come to", todo(a, cup))
    cup.turns(game)
    cup.resign(game, 2)
    got = cup.results().get(game, [])
    tell(len(got) == 1 and got[0]["result"] == "1"
         and got[0]["how"] == "resign",
         "one that is over has one, in the same moment", got)
    refused("the leg has a result: no game is opened", "illegal",
            cup.open(a, 1, 1, 1))
    refused("the round is not complete", "illegal",
            cup.give(dina, "pair", {"round": 2}))
    other = cup.game(1, 2)
    cup.turns(other)
    cup.resign(other, 1)
    waits = todo(dina, cup)
    tell(waits == [{"what": "pair", "round": 2}],
         "whoever is here, to pair", waits)
    cup.round(2)
    waits = todo(anna, cup)
    tell(waits == [{"what": "finish"}], "and to finish it", waits)
    cup.must(anna, "finish")
    view = cup.show()
    tell(view["phase"] == "over" and len(view["standings"]) == 4
         and view["terms"] == cup.terms, "it is over", view)
    listed = dina.call("tournament.list", account="anna", phase="over")
    tell([x["tournament"] for x in listed["result"]["tournaments"]]
         == [cup.id], "and listed so", listed)
    refused("nothing is played any more", "illegal",
            cup.give(dina, "pair", {"round": 3}))
    reference, texts = text_of("thank you all")
    refused("a text that was not sent is missing", "missing",
            cup.give(dina, "say", {"ref": reference}))
    refused("words are taken", "line",
            cup.give(dina, "say", {"ref": reference}, texts=texts))
    cup.export("knockout")


def case_swiss():
    """Five: somebody comes late, somebody leaves, something is ruled."""
    clock = Clock()
    names = ("vera", "fred", "gina", "hugo", "iris", "late", "some")
    people = {n: Person(n, clock) for n in names}
    vera = people["vera"]
    cup = Cup(clock, vera, rounds=3, private=True, deputies=["fred"],
              entry={"until": clock.text(clock.ms + DAY), "max": 64,
                     "admit": "open", "late": 2, "late_points": "half"})
    reply = cup.create()
    tell(name_of(reply) == "line", "a private one is opened", reply)
    cup.must(people["fred"], "deputy", people["fred"].named())
    some = people["some"]
    listed = some.call("tournament.list")["result"]["tournaments"]
    tell(all(x["tournament"] != cup.id for x in listed),
         "others do not find it", listed)
    reply = some.call("tournament.show", tournament=cup.id[:12])
    tell(name_of(reply) == "not-found", "nor by a part of its id", reply)
    reply = some.call("tournament.show", tournament=cup.id)
    tell(name_of(reply) == "line", "but who has its id can enter", reply)
    for name in ("gina", "hugo", "iris", "fred"):
        cup.enter(people[name])
    # An account that is here gets another key: a line here, too.
    reply = people["gina"].state()
    tell(name_of(reply) == "line", "a key is added", reply)
    lines = [json.loads(x) for x in cup.lines()[0]]
    tell(lines[-1]["kind"] == "key" and lines[-1]["by"] == "gina",
         "the tournament has the statement", lines[-1])
    cup.start()
    reply = some.call("tournament.show", tournament=cup.id)
    tell(name_of(reply) == "not-found", "then nobody else sees it", reply)
    for kind in ("finish", "withdraw", "enter"):
        cup.look()
        cup.seq += kind == "enter"
        reply = some.ask("order " + cup.order(kind, {}, some))
        tell(name_of(reply) == "not-found", "nor learns by an order that"
             " it is there: %s" % kind, reply)
    cup.round(1)
    game = next(iter(cup.games))
    reply = some.call("game.show", game=game)
    tell(name_of(reply) == "not-found", "nor its games", reply)
    reply = cup.open(some, 1, 1, 9)
    tell(name_of(reply) == "missing" and "no such tournament" in str(reply),
         "nor learns, by opening one, how many tables it has", reply)
    reply = people["fred"].call("game.show", game=game)
    tell(name_of(reply) == "line", "which those here do", reply)
    cup.enter(people["late"])
    cup.must(vera, "admit", {"entrant": 5, "say": "yes"})
    cup.must(people["iris"], "withdraw", {"from": 3})
    cup.must(vera, "pair", {"round": 2})
    view = cup.show()
    tables = view["pairings"][1]["tables"]
    tell(len(tables) == 2 and len(view["pairings"][1]["bye"]) == 1,
         "of five one has a bye", view["pairings"][1])
    game = cup.game(2, 1)
    cup.turns(game)
    cup.resign(game, 2)
    # The other table is not played: a director rules.
    why, texts = text_of("a storm")
    ruled = {"why": why, "result": {
        "round": 2, "table": 2, "leg": 1, "value": "="}}
    reply = cup.give(people["hugo"], "ruling", ruled, texts=texts)
    tell(name_of(reply) == "illegal", "no player rules", reply)
    cup.must(vera, "ruling", ruled, texts=texts)
    reply = cup.open(cup.entrants[tables[1]["a"]], 1, 2, 2)
    tell(name_of(reply) == "illegal", "what was ruled is not played", reply)
    # What nobody comes to is forfeited.
    cup.must(vera, "pair", {"round": 3})
    view = cup.show()
    open_tables = view["pairings"][2]["tables"]
    tell(all(4 not in (t["a"], t["b"]) or True for t in open_tables)
         and 3 not in [n for t in open_tables for n in (t["a"], t["b"])],
         "who has withdrawn is not paired", view["pairings"][2])
    first = open_tables[0]
    reply = cup.open(cup.entrants[first["a"]], 1, 3, 1)
    tell(name_of(reply) == "line", "one opens the last game", reply)
    claimed = {"round": 3, "table": 1, "leg": 1}
    reply = cup.give(cup.entrants[first["a"]], "claim", claimed)
    tell(name_of(reply) == "illegal", "too early to claim", reply)
    waits = todo(cup.entrants[first["a"]], cup)
    tell(waits == [], "and it is not told", waits)
    clock.later(2 * HOUR)

    def mine(who):
        # A deputy who plays is told of other tables, too.
        return [w for w in todo(who, cup) if w.get("table") == 1]

    waits = mine(cup.entrants[first["a"]])
    tell([(w["what"], w.get("ground"), "notice" in w) for w in waits]
         == [("claim", "absent", False)], "then it may be", waits)
    waits = mine(cup.entrants[first["b"]])
    tell([w["what"] for w in waits] == ["play"],
         "not by who has not come", waits)
    line = cup.must(cup.entrants[first["a"]], "claim", claimed)
    waits = mine(cup.entrants[first["a"]])
    tell([(w["what"], w.get("notice")) for w in waits]
         == [("claim", line["seq"])], "with effect once it has stood", waits)
    cup.must(cup.entrants[first["a"]], "claim", {"to": line["seq"]})
    view = cup.show()
    tell(view["pairings"][2]["tables"][0]["legs"][0].get("result") == "+",
         "who does not come forfeits", view["pairings"][2])
    for t in view["pairings"][2]["tables"][1:]:
        game = cup.game(3, t["table"])
        cup.turns(game)
        cup.resign(game, 1)
    one = vera.call("tournament.show", tournament=cup.id, round=2)["result"]
    tell([p["round"] for p in one["pairings"]] == [2]
         and one["pairings"][0] == view["pairings"][1]
         and "standings" not in one, "one round can be asked for", one)
    reply = vera.call("tournament.show", tournament=cup.id, round=4)
    tell(name_of(reply) == "invalid", "which must be paired", reply)
    cup.must(vera, "finish")
    tell(cup.show()["phase"] == "over", "it is over", cup.view["phase"])
    cup.export("swiss")


def hook(*args):
    """Ask or set one of the daemon's hooks."""
    return subprocess.run([TOOLS + "/hookctl", HOOKS, *args], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


def paired(n):
    """Wait until the daemon has begun to work so many pairings out."""
    end = time.time() + 20
    while int(hook("get", "pairings")) < n and time.time() < end:
        time.sleep(0.01)
    return int(hook("get", "pairings"))


def case_apart():
    """While a round is paired all else goes on; what is needed to go on after
    a kill is printed."""
    clock = Clock()
    people = {n: Person(n, clock) for n in (
        "dina", "aa", "bb", "cc", "dd", "ee")}
    dina, aa = people["dina"], people["aa"]
    cup = Cup(clock, dina, rounds=2)
    cup.create()
    for name in ("aa", "bb", "cc", "dd", "ee"):
        cup.enter(people[name])
    cup.start()

    def send(who, rnd):
        cup.look(who)
        text = cup.order("pair", {"round": rnd}, who)
        who.ask("texts []")
        who.tell("order " + text)
        return text

    hook("set", "hold_pairing", "1", "pairings", "0")
    send(dina, 1)
    tell(paired(1) == 1, "a round is being paired")
    send(aa, 1)
    # Others, in this tournament and elsewhere.
    ref, texts = text_of("how long?")
    bb = people["bb"]
    cup.director = bb
    cup.must(bb, "say", {"ref": ref}, texts=texts)
    other = Cup(clock, people["cc"], format="knockout", event="Other")
    reply = other.create()
    tell(name_of(reply) == "line", "meanwhile other orders are taken", reply)
    hook("set", "hold_pairing", "0")
    reply = dina.hear()
    tell(name_of(reply) == "line", "then it is paired", reply)
    reply = aa.hear()
    tell(name_of(reply) == "stale", "once", reply)
    n = int(hook("get", "pairings"))
    tell(n == 1, "words do not have it paired anew", n)
    line = cup.show()["pairings"][0]
    tell(len(line["tables"]) == 2 and len(line["bye"]) == 1, "in full", line)
    for t in line["tables"]:
        why, texts = text_of("agreed")
        cup.must(dina, "ruling", {"why": why, "result": {
            "round": 1, "table": t["table"], "leg": 1, "value": "1"}},
            texts=texts)
    # What it rests upon changes.
    hook("set", "hold_pairing", "1")
    send(dina, 2)
    paired(n + 1)
    cup.must(people["ee"], "withdraw", {"from": 2})
    hook("set", "hold_pairing", "0")
    reply = dina.hear()
    tell(name_of(reply) == "line" and paired(n + 2) == n + 2,
         "what has changed meanwhile counts", reply)
    line = cup.show()["pairings"][1]
    tell(len(line["tables"]) == 2 and line["bye"] == [],
         "who has withdrawn is not paired", line)
    cup.director = dina
    # The next one is paired when the daemon is killed.
    cup = Cup(clock, dina, rounds=2)
    cup.create()
    for name in ("aa", "bb", "cc"):
        cup.enter(people[name])
    cup.start()
    hook("set", "hold_pairing", "1")
    text = send(dina, 1)
    paired(n + 3)
    print(json.dumps({"tournament": cup.id, "order": text}), file=sys.stderr,
          flush=True)


def case_again():
    """After the kill: the same bytes are taken, once."""
    state = json.loads(sys.argv[2])
    dina = Person("dina", Clock())
    dina.ask("texts []")
    reply = dina.ask("order " + state["order"])
    tell(name_of(reply) == "line", "what was lost is taken again", reply)
    first = reply["result"]["line"]
    reply = dina.ask("order " + state["order"])
    tell(reply["result"].get("repeat") is True
         and reply["result"]["line"] == first, "once", reply)


def case_few():
    """Fewer than two are left before the last round."""
    clock = Clock()
    people = {n: Person(n, clock) for n in ("dina", "aa", "bb", "cc")}
    dina = people["dina"]
    cup = Cup(clock, dina, rounds=2, review_s=3600)
    cup.create()
    for name in ("aa", "bb", "cc"):
        cup.enter(people[name])
    cup.start()
    cup.must(dina, "pair", {"round": 1})
    why, texts = text_of("agreed")
    cup.must(dina, "ruling", {"why": why, "result": {
        "round": 1, "table": 1, "leg": 1, "value": "1"}}, texts=texts)
    for name in ("bb", "cc"):
        cup.must(people[name], "withdraw", {"from": 2})
    waits = todo(dina, cup)
    tell(waits == [], "in the time to look at results nothing waits", waits)
    clock.later(HOUR)
    waits = todo(dina, cup)
    tell(waits == [{"what": "finish"}],
         "with one left the tournament waits to be finished", waits)
    cup.must(dina, "finish")


def case_hang():
    """A round is being paired, and is not paired, when the daemon ends."""
    clock = Clock()
    dina = Person("dina", clock)
    cup = Cup(clock, dina, rounds=1)
    cup.create()
    for name in ("aa", "bb"):
        cup.enter(Person(name, clock))
    cup.start()
    hook("set", "hold_pairing", "1", "pairings", "0")
    cup.look()
    text = cup.order("pair", {"round": 1}, dina)
    dina.ask("texts []")
    dina.tell("order " + text)
    tell(paired(1) == 1, "a round is being paired at the end")


def case_begin():
    """A game whose next order ends it: what is needed to go on is printed."""
    clock = Clock()
    people = {n: Person(n, clock) for n in ("kurt", "lena", "mark")}
    kurt = people["kurt"]
    cup = Cup(clock, kurt, format="knockout")
    cup.create()
    for name in ("lena", "mark"):
        cup.enter(people[name])
    cup.start()
    cup.must(kurt, "pair", {"round": 1})
    cup.show()
    game = cup.game(1, 1)
    cup.turns(game)
    a, _ = cup.games[game]
    order = cup.order_text(game, a, 1, "resign", {})
    print(json.dumps({"tournament": cup.id, "game": game, "by": a.account,
                      "order": order}), file=sys.stderr, flush=True)


def case_last():
    """That order is sent; the daemon may die before it answers."""
    state = json.loads(sys.argv[2])
    who = Person(state["by"], Clock())
    who.ask("texts []")
    reply = who.ask("order " + state["order"])
    print("answered" if "result" in reply else "not answered",
          file=sys.stderr)


def case_end():
    """After the restart: the result is there if and only if the order is."""
    state, answered = json.loads(sys.argv[2]), sys.argv[3]
    clock = Clock()
    kurt = Person("kurt", clock)
    cup = Cup(clock, kurt, format="knockout")
    cup.id = state["tournament"]

    def there():
        lines = [json.loads(x) for x in cup.lines("game", state["game"])[0]]
        return (len([x for x in lines if x.get("order") == state["order"]]),
                len(cup.results().get(state["game"], [])))

    was = there()
    tell(was in ((0, 0), (1, 1)) and (answered != "answered" or was == (1, 1)),
         "result line iff order (%s)" % ("there" if was[0] else "lost"), was)
    who = Person(state["by"], clock)
    who.ask("texts []")
    reply = who.ask("order " + state["order"])
    tell("result" in reply and there() == (1, 1),
         "the same bytes are taken, once", reply)
    if answered == "export":
        cup.must(kurt, "finish")
        cup.export("killed")


def case_open():
    """Two whose entries run: their ids are printed, and nothing else."""
    clock = Clock()
    dina = Person("dina", clock)
    for terms in ({"format": "knockout"}, {
            "event": "Winter cup", "rounds": 3, "private": True}):
        cup = Cup(clock, dina, **terms)
        cup.create()
        print(cup.id)


if __name__ == "__main__":
    globals()["case_" + sys.argv[1]]()
