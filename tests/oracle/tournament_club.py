# SPDX-License-Identifier: ISC
"""Tournaments played through a daemon, each line held against tournament.py.

A Club is a Maker whose lines the daemon writes: it signs what people say, the
daemon answers, and the line is taken by the second reading as it came, with
its pool, its events and its results. Games are played by tests/tools/hands.
What the second reading finds lawful the daemon must take, and what is not it
must refuse.
"""

import hashlib
import json
import os
import subprocess

import record_crypto as crypto
import record_form as form
from forge import dice_public, ed_sign, secret, vrf_prove
from tournament_forge import unlawful
from tournament_maker import Maker, Person, blob_hash, ed_public
from tournament_play import Player

# Members of a game's create that are those of the terms.
SAME = ("event", "system", "rules", "scheme", "server_dice", "secret",
        "silence", "confirm", "clock", "private", "options")


class Surprise(Exception):
    """The daemon and the second reading do not agree."""


class Desk:
    """Where all sit: the daemon, its clock, and the hands that play."""

    def __init__(self, tools, hooks, port, seed):
        self.seed = seed
        self.hands = self.start(
            tools + "/hands", "127.0.0.1", str(port), str(seed))
        self.clock = self.start(tools + "/hookctl", hooks)
        self.refused = 0

    @staticmethod
    def start(*command):
        """A program that answers lines with lines."""
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @staticmethod
    def ask(program, line):
        """Say a line; the answer."""
        program.stdin.write(line + "\n")
        program.stdin.flush()
        answer = program.stdout.readline()
        if not answer:
            raise Surprise("no answer to " + line[:200])
        return answer

    def do(self, line):
        """Have the hands do something that must go well; its result."""
        answer = self.may(line)
        if isinstance(answer, dict) and "error" in answer:
            raise Surprise("%s: %s" % (line[:600], answer["error"]))
        return answer["result"] if "result" in answer else answer

    def may(self, line):
        """Likewise what need not go well; the whole answer."""
        answer = json.loads(self.ask(self.hands, line))
        return {"result": True} if answer is True else answer

    def call(self, who, method, **params):
        """Call a method for somebody."""
        return self.do("call %s %s %s" % (
            who.account, method, form.compact(params)))

    def now(self, ms):
        """Set all clocks."""
        self.ask(self.clock, "now_ms %d" % ms)
        self.do("now %d" % ms)

    def end(self):
        """All go home."""
        for program in (self.hands, self.clock):
            program.stdin.close()
            program.wait()
            program.stdout.close()


class Member(Person):
    """An account of the daemon, whose keys the hands know, too."""

    def __init__(self, name, desk):
        super().__init__(name)
        for what in ("ed", "dice"):
            word = {"ed": "sign"}.get(what, what)
            text = "%s %d %s" % (word, desk.seed, name)
            setattr(self, what, hashlib.sha256(text.encode()).digest())
        keys = desk.do("person " + name)
        if keys != {"sign": ed_public(self.ed),
                    "dice": dice_public(self.dice).hex()}:
            raise Surprise("the hands have other keys")

    def named(self):
        """The args that name the account: without a recovery key."""
        args = super().named()
        del args["recovery"]
        return args


class Opened:
    """A game of the daemon."""

    def __init__(self, name, members):
        self.name = name
        self.members = members  # by side
        self.ended = False


class Club(Maker):
    """Has the daemon write a tournament and its games."""

    def __init__(self, name, **settings):
        self.desk = settings["desk"]
        self.prefix = settings["prefix"]
        self.system = settings["system"]
        super().__init__(name, **settings)
        self.at = self.desk.at
        self.director = self.member("director")
        self.deputy = self.member("deputy")
        self.people = {p.account: p for p in (self.director, self.deputy)}
        hello = self.desk.call(self.director, "server.hello")
        self.server_key = hello["server"]
        self.dice_key = hello["server_dice"]
        self.shelf.read = self.read_game
        self.said = {}  # account -> texts that go with its order
        self.refused = self.tries = 0
        self.last_order = None
        self.blobs = {blob_hash(r): r for r in self.system["rosters"]}

    def member(self, name):
        """An account of this tournament."""
        return Member("%s-%s" % (self.prefix, name), self.desk)

    # What a Maker would do with keys that it does not have here.

    def make_terms(self):
        """The terms, with the system's scenarios."""
        terms = super().make_terms()
        terms.update({
            "deputies": [self.deputy.account],
            "server_dice": self.dice_key,
            "system": self.system["system"],
            "rules": self.system["rules"],
            "scenarios": [
                {"name": "Field %d" % (i + 1), "roster": blob_hash(roster),
                 "rulings": {}, "tables": self.system["tables"]}
                for i, roster in enumerate(self.system["rosters"])
            ],
        })
        if len(terms["scenarios"]) == 1:
            terms["scenarios"] *= 2
        return terms

    def sign(self, who, kind, args, place=None, name="own/1", after=None):
        """The members of the line of an order."""
        order = {"v": 1, "server": self.server_key}
        if kind != "create":
            after = self.seq() - 1 if after is None else after
            order.update(tournament=self.cup.id.hex(), by=who.account,
                         after=after, head=self.cup.hashes[after])
        order.update(nonce=self.rng.randbytes(16).hex(),
                     now=self.time(self.at + self.rng.randint(0, 999)),
                     kind=kind)
        if place is not None:
            alpha = crypto.tag(name) + crypto.base_of(
                self.cup.id, self.pool_for(kind), place)
            order.update(place=place, own=vrf_prove(who.dice, alpha).hex())
        order["args"] = args
        text = form.compact(order)
        return {
            "by": who.account,
            "key": ed_public(who.ed),
            "order": text,
            "sig": ed_sign(
                who.ed, crypto.tag("entry/1") + text.encode()).hex(),
        }

    def send(self, members):
        """Send an order of a tournament; the whole answer."""
        order = json.loads(members["order"])
        who = members["by"]
        kind, args = order["kind"], order["args"]
        params = {n: members[n] for n in ("order", "sig", "key")}
        texts = [
            {"salt": salt, "value": value}
            for salt, value in (
                self.texts[args[n]] for n in ("why", "ref", "name")
                if n in args)]
        if texts:
            params["texts"] = texts
        method = "tournament.order"
        if kind == "create":
            method = "tournament.create"
        return self.desk.may(
            "call %s %s %s" % (who, method, form.compact(params)))

    def say(self, who, kind, args, **more):
        """Give an order, before which somebody may try what is wrong."""
        self.pass_time()
        members = self.sign(who, kind, args, **more)
        if self.rng.random() < self.settings.get("wrong", 0.1):
            self.try_wrong(members)
            members = self.sign(who, kind, args, **more)
        answer = self.send(members)
        if "error" in answer:
            raise Surprise("%s of %s: refused: %s: %s" % (
                kind, who.account, answer["error"], members["order"]))
        if kind == "dice-key":
            self.have_keys(who)
        self.sync()
        self.last_order = members
        return self.find(members["order"])

    def find(self, order):
        """The number of the line of an order that was just given."""
        for seq in range(len(self.raw) - 1, -1, -1):
            if json.loads(self.raw[seq]).get("order") == order:
                return seq
        raise Surprise("the record does not have the order " + order)

    def try_wrong(self, members):
        """Give an order that nobody may give now."""
        if not self.raw:
            return
        self.last_order = None
        wrong = unlawful(self, "order", members, self.rng)
        if wrong is None:
            return
        self.tries += 1
        answer = self.send(wrong)
        if "error" not in answer:
            raise Surprise("taken, and not lawful: " + wrong["order"])
        if not answer["error"]["text"]:
            raise Surprise("refused without a word: " + wrong["order"])
        self.refused += 1

    def pass_time(self):
        """Some seconds pass."""
        self.later(self.rng.randint(1, 60000))
        self.desk.now(self.at)

    def sync(self):
        """Take the lines that the daemon has written since."""
        params = {"tournament": None, "from": len(self.raw)}
        params["tournament"] = self.find_id()
        while True:
            reply = self.desk.call(
                self.director, "tournament.record", **params)
            for text in reply["lines"]:
                self.take(text)
            if "next" not in reply:
                return
            params["from"] = reply["next"]

    def find_id(self):
        """The id, also of one that was just made."""
        if self.cup.id is not None:
            return self.cup.id.hex()
        mine = self.desk.call(
            self.director, "tournament.list", account=self.director.account)
        return mine["tournaments"][0]["tournament"]

    def take(self, text):
        """Take a line as it came."""
        line = json.loads(text)
        if line.get("what") == "result" or '"kind":"claim"' in text or (
            '"pairs":' in line.get("order", "")
        ):
            self.forget_games()
        try:
            self.cup.take(text.encode())
        except (form.Bad, form.Unknown) as e:
            raise Surprise("line %d: %s: %s" % (
                len(self.raw), e, text)) from None
        self.raw.append(text.encode())

    def forget_games(self):
        """Read again the games that may have gone on."""
        for name, game in self.games.items():
            if not game.ended:
                self.shelf.tracks.pop(name, None)

    def statement(self, who, do, key, signer):
        """Give a key statement; it has its lines everywhere."""
        self.pass_time()
        text = form.compact({
            "v": 1, "server": self.server_key, "account": who.account,
            "n": len(who.statements) + 1, "prev": who.prev(), "do": do,
            "key": ed_public(key), "now": self.time(),
        })
        who.statements.append(text)
        self.desk.call(
            who, "account.key", statement=text, key=ed_public(signer),
            sig=ed_sign(signer, crypto.tag("key/1") + text.encode()).hex())
        self.sync()

    def new_key(self, who, lost=False):
        """Somebody has another key; nobody here has a recovery key."""
        old, who.keys = who.ed, who.keys + 1
        new = secret("%s key %d" % (who.account, who.keys))
        self.statement(who, "add", new, old)
        who.ed = new
        self.have_keys(who)
        self.statement(who, "drop", old, new)

    def have_keys(self, who):
        """The hands use somebody's keys from here on."""
        self.desk.do("keys %s %s %s" % (
            who.account, who.ed.hex(), who.dice.hex()))

    def tell(self, what, data):
        """The server says what it will; nothing can be put in its mouth."""

    # The parts of a tournament.

    def begin(self):
        """Create, and a deputy comes."""
        for roster in self.blobs.values():
            self.desk.call(self.director, "blob.put", value=roster)
        for table in self.system["table_texts"]:
            self.desk.call(self.director, "blob.put", value=table)
            self.blobs[blob_hash(table)] = table
        super().begin()

    def enter(self, account=None, **more):
        """Somebody enters; their number."""
        number = len(self.entrants) + 1
        if account == "director":
            account = self.director.account
        if account is None:
            who = self.member("player-%d" % number)
            self.people[who.account] = who
            account = who.account
        return super().enter(account, **more)

    def check_in(self, number):
        """An entrant checks in, once."""
        if number not in self.cup.checkins:
            super().check_in(number)

    def start(self, who=None, alone=False):
        """The lots are the daemon's."""
        self.say(who or self.director, "start", {})

    def rule(self, form_, value, who=None, why="as the rules say"):
        """A ruling."""
        if form_ == "rules":
            value = {**value, "version": self.terms["rules"]}
        super().rule(form_, value, who, why)

    # Games.

    def open_game(self, rnd, table, leg, seat=None):
        """One of both opens the game of a leg."""
        self.pass_time()
        seat = seat or self.rng.choice((1, 2))
        members = {
            side: self.entrants[table.entrant(side, leg)] for side in (1, 2)}
        scenario = self.terms["scenarios"][rnd.scenario]
        args = {
            "seat": seat,
            **{n: self.terms[n] for n in SAME if n in self.terms},
            **{n: scenario[n] for n in ("rulings", "tables", "roster")},
            **self.seated(members[seat]),
            **self.place(rnd, table, leg),
            "tournament": self.cup.id.hex(),
            "paired": rnd.seq,
            "line": rnd.line,
        }
        text = form.compact({
            "v": 1, "server": self.server_key,
            "nonce": self.rng.randbytes(16).hex(), "now": self.time(),
            "kind": "create", "args": args})
        who = members[seat]
        result = self.desk.call(
            who, "game.create", order=text, key=ed_public(who.ed),
            sig=ed_sign(
                who.ed, crypto.tag("order/1") + text.encode()).hex())
        name = json.loads(result["line"])["game"]
        game = Opened(name, members)
        game.seat = seat
        self.games[name] = game
        self.desk.do("game %s %s %s" % (
            name, members[1].account, members[2].account))
        self.sync()
        if leg.game != name:
            raise Surprise("game %s has no line" % name)
        return game

    @staticmethod
    def seated(who):
        """The args of whoever sits down."""
        return {**who.named(), "dice_key": dice_public(who.dice).hex()}

    def order(self, game, seat, kind, args=None):
        """Give an order to a game; the number of its line."""
        self.later(self.rng.randint(1, 3000))
        self.desk.now(self.at)
        result = self.desk.do("order %s %d %s %s" % (
            game.name, seat, kind, form.compact(args or {})))
        return json.loads(result["line"])["seq"]

    def join(self, game):
        """The other one joins."""
        seat = 3 - game.seat
        self.order(game, seat, "join", {
            "seat": seat, **self.seated(game.members[seat])})

    def play(self, rnd, table, leg, how="resign", turns=2):
        """Play the game of a leg."""
        game = self.open_game(rnd, table, leg)
        self.join(game)
        if how != "cancel":
            for seat in self.rng.sample((1, 2), 2):
                self.order(game, seat, "ready")
            self.desk.now(self.at)
            self.count(self.desk.do("play %s %d" % (game.name, turns)))
        if how == "running":
            self.keep(game)
            return game
        if not leg.done():
            self.end_by(game, how)
        self.sync()
        game.ended = self.cup.find_leg(self.place(rnd, table, leg))[2].done()
        self.shelf.tracks.pop(game.name, None)
        return game

    def count(self, sums):
        """Count what the hands did."""
        total = self.settings["sums"]
        for name, n in sums.items():
            total[name] = total.get(name, 0) + n

    def end_by(self, game, how):
        """End a game."""
        seat = self.rng.choice((1, 2))
        if how in ("resign", "cancel"):
            self.order(game, seat, "resign")
        elif how in ("draw", "agreed"):
            args = {"what": "draw"}
            if how == "agreed":
                args = {"what": "victory", "winner": seat}
            offer = self.order(game, seat, "offer", args)
            self.order(game, 3 - seat, "accept", {"to": offer})
        elif how == "stopped":
            for each in (1, 2):
                self.order(game, each, "close")

    def keep(self, game):
        """The game is to be read again."""
        self.shelf.tracks.pop(game.name, None)
        return game.name

    def read_game(self, name):
        """The file of a game, as the daemon has it now."""
        lines, side, at = [], {}, 0
        while True:
            reply = self.desk.call(
                self.director, "game.record", game=name, side=True,
                **{"from": at})
            lines += reply["lines"]
            for text in reply["side"]:
                value = json.loads(text)
                kind = "text" if "text" in value else "blob"
                side[kind != "text", value[kind]] = text
            if "next" not in reply:
                break
            at = reply["next"]
        return "".join(
            x + "\n" for x in lines + [side[k] for k in sorted(side)]
        ).encode()

    def leave(self):
        """All who were here go."""
        for who in self.people.values():
            self.desk.do("leave " + who.account)

    def export(self, folder):
        """Write the records of the tournament and of its games."""
        os.makedirs(folder)
        self.shelf.tracks.clear()
        data = {name: self.read_game(name) for name in self.games}
        for name, text in data.items():
            with open("%s/%s.jsonl" % (folder, name), "wb") as f:
                f.write(text)
        with open(folder + "/tournament.jsonl", "wb") as f:
            f.write(self.file())
        return data


class Guests(Player):
    """Plays at random what a daemon can be asked for."""

    def operator_key(self, number):
        """Nobody has lost all here."""

    def friendlies(self):
        """Games that count no more go on, and end."""
        maker, before = self.maker, len(self.maker.raw)
        for game in maker.games.values():
            if not game.ended and self.rng.random() < 0.7:
                maker.later(1000)
                maker.desk.now(maker.at)
                answer = maker.desk.may(
                    "order %s 1 resign {}" % game.name)
                if "error" in answer and answer["error"]["name"] != "illegal":
                    raise Surprise("%s: %s" % (game.name, answer["error"]))
        maker.sync()
        if len(maker.raw) != before:
            raise Surprise("a game that counts no more has a line")


__all__ = ["Club", "Desk", "Guests", "Surprise", "secret"]
