# SPDX-License-Identifier: ISC
"""Tournaments played with all keys in hand, from a seed.

A Maker writes the record of a tournament and those of its games, lawful in
every line; what lines hold besides what people say is worked out by
tournament.py. The keys are hashes of names: nothing here is secret.
"""

import random

import record_crypto as crypto
import record_form as form
from forge import (
    UNITS,
    Forge,
    OwnEvents,
    beta_of,
    dice_public,
    ed_expand,
    ed_sign,
    secret,
    vrf_prove,
)
from record_parts import Side, WITNESS
from tournament import Tournament
from tournament_games import Shelf

HOUR = 3600 * 1000
DAY = 24 * HOUR
AT = 1800000061042  # the first line's time, after those of S19.7
SIDES = {
    str(s): {"name": "Side %d" % s, "units": UNITS[s]} for s in (1, 2)
}
ROSTER = form.compact(
    {"blob": "roster", "system": "lasalle2", "sides": SIDES})


def ed_public(seed):
    """The public key of a secret, in hex."""
    return ed_expand(seed)[2].hex()


def blob_hash(text):
    """The hash of a blob."""
    return crypto.sha256(crypto.tag("blob/1"), text.encode()).hex()


class Person:
    """An account with its keys."""

    def __init__(self, name):
        self.account = name
        self.ed = secret("%s key" % name)
        self.dice = secret("%s dice" % name)
        self.recovery = secret("%s recovery" % name)
        self.statements = []
        self.signed = []  # (line, statement as `enter` takes it)
        self.by_operator = -1  # the line that accepts an operator-key
        self.keys = 1

    def go_elsewhere(self):
        """They are known to another server by their key now."""
        self.statements, self.signed, self.by_operator = [], [], -1

    def prev(self):
        """The hash of the last statement."""
        if not self.statements:
            return form.ZERO
        data = self.statements[-1].encode()
        return crypto.sha256(crypto.tag("key/1"), data).hex()

    def named(self):
        """The args that name an account."""
        return {
            "account": self.account,
            "key": ed_public(self.ed),
            "kn": len(self.statements),
            "kprev": self.prev(),
            "recovery": ed_public(self.recovery),
        }


class GameForge(Forge):
    """A game of a tournament."""

    def __init__(self, seed, maker, rnd, table, leg):
        terms = maker.terms
        super().__init__(seed, maker.events, {"scheme": terms["scheme"]})
        self.maker_of = maker
        self.server, self.server_dice = maker.server, maker.server_dice
        self.place_of = (rnd, table, leg)
        self.at = maker.at
        self.players = {}
        for side in (1, 2):
            who = maker.entrants[table.entrant(side, leg)]
            self.players[side] = {
                "ed": who.ed, "dice": who.dice, "account": who.account}
        self.seats = [1, 2]
        if maker.witness is not None:
            who = maker.witness
            self.players[WITNESS] = {
                "ed": who.ed, "dice": who.dice, "account": who.account}
            self.seats.append(WITNESS)
        self.joined = []
        self.other_args = {}  # of create, for who forges

    def open(self, seat):
        """Create the game; return its id."""
        rnd, table, leg = self.place_of
        terms = self.maker_of.terms
        scenario = terms["scenarios"][rnd.scenario]
        same = ("system", "rules", "scheme", "server_dice", "secret",
                "silence", "confirm", "clock", "private", "options")
        args = {
            **self.seat_args(seat),
            **{name: terms[name] for name in same if name in terms},
            "rulings": scenario["rulings"],
            "tables": scenario["tables"],
            "roster": self.blob(self.maker_of.blobs[scenario["roster"]]),
            "event": terms["event"],
            "round": rnd.number,
            "table": table.number,
            "tournament": self.maker_of.cup.id.hex(),
            "paired": rnd.seq,
            "line": rnd.line,
            "leg": leg.number,
        }
        args.update(self.other_args)
        line = self.order(seat, "create", args)
        self.write("order", {**line, "events": []})
        self.joined.append(seat)
        return self.game.hex()

    def blob(self, value):
        """Keep a blob, given as text, and return its hash."""
        self.blobs[blob_hash(value)] = value
        return blob_hash(value)

    def join(self, seat):
        """Join."""
        self.say(seat, "join", self.seat_args(seat))
        self.joined.append(seat)
        if set(self.joined) == set(self.seats):
            self.fill_pool()

    def fill_pool(self):
        """Make pool_0 of all seats."""
        scheme = 1 if self.scheme == "dual-1" else 2
        keys = b"".join(
            bytes((seat,)) + dice_public(self.players[seat]["dice"])
            for seat in sorted(self.seats))
        self.pool = crypto.sha256(
            crypto.tag("start/1"), self.game, bytes((scheme,)),
            dice_public(self.server_dice), bytes((len(self.seats),)), keys)

    def ready(self, seat):
        """Send ready; the last one moves the pool."""
        place = "p/%d" % self.epoch
        line = self.order(seat, "ready", {}, place)
        self.readies[seat] = self.own(seat, place)[1]
        if len(self.readies) == len(self.seats):
            betas = b"".join(self.readies[s] for s in sorted(self.readies))
            self.move(crypto.sha256(crypto.tag("pool/1"), self.pool, betas))
            line["pool"] = self.pool.hex()
            self.readies = {}
        self.write("order", {**line, "events": []})

    def begin_play(self):
        """All join and are ready."""
        for seat in self.seats:
            if seat not in self.joined:
                self.join(seat)
        for seat in self.seats:
            self.ready(seat)

    def play_turns(self, turns):
        """Fight and end turns."""
        for _ in range(turns):
            if WITNESS not in self.seats:
                self.fight()
            self.end_turn()

    def finish_by(self, how, seat):
        """End the game."""
        if how == "resign":
            self.last_state = self.seq()
            line = self.order(seat, "resign", {}, after=self.seq() - 1)
            self.write("order", {**line, "events": []})
        elif how in ("draw", "agreed"):
            args = {"what": "draw"}
            if how == "agreed":
                args = {"what": "victory", "winner": seat}
            offer = self.seq()
            self.say(seat, "offer", args)
            self.last_state = self.seq()
            line = self.order(3 - seat, "accept", {"to": offer},
                              after=offer)
            self.write("order", {**line, "events": []})
        elif how == "stopped":
            for each in (1, 2):
                self.say(each, "close", {})


class Maker:
    """Writes a tournament and its games."""

    def __init__(self, name, **settings):
        self.name = name
        self.rng = random.Random("tournament %s" % name)
        self.settings = settings
        self.events = settings.get("events") or OwnEvents()
        self.server = secret(settings.get("server", "server"))
        self.server_dice = secret(
            settings.get("server", "server") + " dice")
        self.director = Person("director")
        self.deputy = Person("deputy")
        self.witness = (
            Person("witness") if settings.get("witness") else None)
        self.people = {p.account: p for p in (self.director, self.deputy)}
        if self.witness is not None:
            self.people["witness"] = self.witness
        self.entrants = {}
        self.at = settings.get("at", AT) + settings.get("later", 0)
        self.ahead = 0  # of the server's clock, that of who signs
        self.raw = []
        self.texts = {}
        self.blobs = {blob_hash(ROSTER): ROSTER}
        self.games = {}  # id -> forge
        self.files = {}  # id -> bytes
        self.shelf = Shelf(self.files.get)
        self.cup = Tournament(
            Side([], 1), self.shelf, old=settings.get("old"))
        self.terms = None
        self.last_after = 0

    # Lines.

    def later(self, ms):
        """Let time pass."""
        self.at += ms

    def time(self, at=None):
        """A time as text."""
        return Forge.time_text(self, at)

    def text(self, value):
        """Keep a text and return its reference."""
        salt = self.rng.randbytes(32)
        name = crypto.sha256(crypto.tag("text/1"), salt, value.encode()).hex()
        self.texts[name] = (salt.hex(), value)
        return name

    def seq(self):
        """The number of the next line."""
        return len(self.raw)

    def line(self, kind, members):
        """Fill in, mark and append a line."""
        self.later(self.rng.randint(1, 60000))
        line = {
            "v": 1,
            "tournament": (self.cup.id or b"").hex(),
            "seq": self.seq(),
            "prev": self.cup.hashes[-1] if self.raw else form.ZERO,
            "at": self.time(),
            "kind": kind,
            **members,
        }
        if kind != "key":
            line = {**line, "pool": None, "events": []}

        def finish(made):
            made = {k: v for k, v in made.items() if v is not None}
            return self.mark(self.touch(made))

        self.pool_before = self.cup.pool
        self.raw.append(self.cup.write(line, finish))

    def touch(self, line):
        """Whoever forges changes the line here."""
        return line

    def mark(self, line):
        """The bytes of a line with the server's mark."""
        line["tournament"] = self.cup.id.hex()
        body = form.compact(line)[:-1].encode()
        mark = ed_sign(
            self.server, crypto.tag("mark/1") + crypto.sha256(body))
        return body + b',"mark":"%s"}' % mark.hex().encode()

    def sign(self, who, kind, args, place=None, name="own/1", after=None):
        """The members of the line of an order."""
        order = {"v": 1, "server": ed_public(self.server)}
        if kind != "create":
            if after is None:
                after = self.seq() - 1
            order["tournament"] = self.cup.id.hex()
            order["by"] = who.account
            order["after"] = after
            order["head"] = self.cup.hashes[after]
        order["nonce"] = self.rng.randbytes(16).hex()
        order["now"] = self.time(self.at + self.rng.randint(500, 1500)
                                 + 60000 + self.ahead)
        order["kind"] = kind
        if place is not None:
            order["place"] = place
            alpha = crypto.tag(name) + crypto.base_of(
                self.cup.id, self.pool_for(kind), place)
            order["own"] = vrf_prove(who.dice, alpha).hex()
        order["args"] = args
        text = form.compact(order)
        return {
            "by": who.account,
            "key": ed_public(who.ed),
            "order": text,
            "sig": ed_sign(
                who.ed, crypto.tag("entry/1") + text.encode()).hex(),
        }

    def pool_for(self, kind):
        """The pool that a contribution is for."""
        if kind == "start":
            return self.cup.start_pool()
        return self.cup.pool

    def say(self, who, kind, args, **more):
        """Write the line of an order; return its number."""
        self.line("order", self.sign(who, kind, args, **more))
        return self.seq() - 1

    def tell(self, what, data):
        """Write a line of the server."""
        self.line("server", {"what": what, "data": data})

    def statement(self, who, do, key, signer):
        """Write a key statement."""
        text = form.compact({
            "v": 1, "server": ed_public(self.server),
            "account": who.account, "n": len(who.statements) + 1,
            "prev": who.prev(), "do": do, "key": ed_public(key),
            "now": self.time(),
        })
        who.statements.append(text)
        sig = ed_sign(signer, crypto.tag("key/1") + text.encode())
        who.signed.append((self.seq(), {
            "statement": text, "key": ed_public(signer), "sig": sig.hex()}))
        self.line("key", {
            "by": who.account, "key": ed_public(signer),
            "statement": text, "sig": sig.hex(),
        })

    def new_key(self, who, lost=False):
        """Somebody has another key, with the old one's help or not."""
        who.keys += 1
        new = secret("%s key %d" % (who.account, who.keys))
        if lost:
            self.statement(who, "reset", new, who.recovery)
        else:
            self.statement(who, "add", new, who.ed)
            self.statement(
                who, "drop", who.ed, new)
        who.ed = new

    # The parts of a tournament.

    def make_terms(self):
        """The terms, of the settings."""
        s = self.settings
        form_ = s.get("format", "roundrobin")
        terms = {
            "event": s.get("event", "Autumn cup"),
            "director": self.director.named(),
            "deputies": ["deputy"],
            "format": form_,
            "system": "lasalle2",
            "rules": "lasalle2/1",
            "scheme": s.get("scheme", "dual-1"),
            "server_dice": dice_public(self.server_dice).hex(),
            "secret": "held",
            "silence": "forfeit",
            "scenarios": [
                {"name": name, "roster": blob_hash(ROSTER), "rulings": {},
                 "tables": []}
                for name in ("Bridge", "Ridge")
            ],
            "mirror": s.get("mirror", False),
            "bye": s.get("bye", "win"),
            "entry": {
                "until": self.time(self.at + 7 * DAY),
                "max": s.get("max", 64),
                "admit": s.get("admit", "open"),
            },
            "seed": s.get("seed", "lots"),
            "checkin_s": 2 * 86400,
            "start_s": 3 * 86400,
            "round_s": 14 * 86400,
            "late": s.get("late", "points"),
        }
        if form_ != "knockout":
            terms["rounds"] = s.get("rounds", 1)
        if form_ == "swiss+knockout":
            terms["cut"] = s.get("cut", 4)
        if s.get("late_entry"):
            terms["entry"]["late"] = s["late_entry"]
            terms["entry"]["late_points"] = "half"
        if self.witness is not None:
            who = self.witness
            terms["witness"] = {
                "account": who.account, "key": ed_public(who.ed),
                "dice_key": dice_public(who.dice).hex(),
                "kn": 0, "kprev": form.ZERO,
            }
            terms["options"] = {"witness": ed_public(who.ed)}
            if self.rng.random() < 0.5:
                terms["options"]["witness_s"] = 600
        terms.update(s.get("terms", {}))
        return terms

    def begin(self):
        """Create, and a deputy comes."""
        self.terms = self.make_terms()
        self.say(self.director, "create", self.terms)
        if self.settings.get("deputy", True):
            self.say(self.deputy, "deputy", self.deputy.named())

    def enter(self, account=None, **more):
        """Somebody enters; return their number."""
        number = more.get("was", len(self.entrants) + 1)
        who = self.people.get(account)
        if who is None:
            who = Person(account or "player-%d" % number)
            self.people[who.account] = who
        args = {**who.named(), "dice_key": dice_public(who.dice).hex(),
                **more}
        self.say(who, "enter", args)
        self.entrants[number] = who
        return number

    def admit(self, number, say="yes"):
        """The director admits."""
        args = {"entrant": number, "say": say}
        if self.terms["seed"] == "rating" and say == "yes":
            args["rating"] = self.rng.choice((0, 1200, 1400, 1400, 1800))
        self.say(self.director, "admit", args)

    def check_in(self, number):
        """An entrant checks in."""
        place = "c/%d" % self.cup.restoreds
        self.say(self.entrants[number], "checkin", {}, place=place)

    def start(self, who=None, alone=False):
        """Draw the lots."""
        cup = self.cup
        if self.witness is not None and not alone:
            members = self.sign(self.witness, "start", {}, place="l/1")
        else:
            members = self.sign(who or self.director, "start", {})
        here = cup.ready_in()
        if len(here) >= 2 and cup.old is None:
            beta = None
            pool = cup.start_pool()
            if self.witness is not None and not alone:
                beta = beta_of(self.witness.dice, crypto.tag("own/1")
                               + crypto.base_of(cup.id, pool, "l/1"))
            alpha = cup.lots_alpha(pool, beta)
            rolls = cup.roll_lots(beta_of(self.server_dice, alpha), here)
            members["dice"] = {
                "place": "l/1",
                "proof": vrf_prove(self.server_dice, alpha).hex(),
                "rolls": rolls,
            }
        self.line("order", members)

    def pair(self, who=None):
        """Pair the next round."""
        self.say(who or self.director, "pair",
                 {"round": self.cup.next_round()})
        return self.cup.rounds[-1]

    # Games.

    def place(self, rnd, table, leg):
        """The args that name a leg."""
        return {"round": rnd.number, "table": table.number,
                "leg": leg.number}

    def open_game(self, rnd, table, leg, seat=None):
        """Open the game of a leg; return its forge."""
        seat = seat or self.rng.choice((1, 2))
        forge = self.new_game(rnd, table, leg)
        name = forge.open(seat)
        self.games[name] = forge
        self.keep(forge)
        self.tell("game", {**self.place(rnd, table, leg), "game": name})
        return forge

    def new_game(self, rnd, table, leg):
        """The forge of a game."""
        return GameForge(
            "%s/%d" % (self.name, len(self.games)), self, rnd, table, leg)

    def keep(self, forge):
        """Keep a game as it is now."""
        name = forge.game.hex()
        self.files[name] = forge.file()
        self.shelf.tracks.pop(name, None)
        self.at = max(self.at, forge.at)
        return name

    def end_game(self, forge):
        """Write the result of a game that is over."""
        name = self.keep(forge)
        data = self.cup.expected_result(name)
        if data is not None:
            self.tell("result", data)

    def play(self, rnd, table, leg, how="resign", turns=2):
        """Play the game of a leg."""
        forge = self.open_game(rnd, table, leg)
        forge.at = self.at
        if how != "cancel":
            forge.begin_play()
            forge.play_turns(turns)
        else:
            for seat in forge.seats:
                if seat not in forge.joined:
                    forge.join(seat)
        if how == "running":
            self.keep(forge)
            return forge
        forge.finish_by("resign" if how == "cancel" else how,
                        self.rng.choice((1, 2)))
        self.end_game(forge)
        return forge

    def claim(self, who, rnd, table, leg):
        """Claim in two lines; the time must have come."""
        notice = self.say(who, "claim", self.place(rnd, table, leg))
        self.later(self.cup.terms["notice_s"] * 1000 + HOUR)
        self.say(who, "claim", {"to": notice})

    def rule(self, form_, value, who=None, why="as the rules say"):
        """A ruling."""
        if who is None:
            plays = self.director in self.entrants.values()
            who = self.deputy if plays else self.director
        self.say(who, "ruling", {"why": self.text(why), form_: value})

    def finish(self):
        """The standings."""
        self.later(3 * DAY)
        self.say(self.director, "finish", {})

    def file(self):
        """The record as a file, with its side lines."""
        named = b"\n".join(self.raw).decode()
        side = []
        for name in sorted(self.texts):
            if name in named:
                salt, value = self.texts[name]
                side.append(form.compact(
                    {"text": name, "salt": salt, "value": value}).encode())
        for name in sorted(self.blobs):
            if name in named:
                side.append(form.compact(
                    {"blob": name, "value": self.blobs[name]}).encode())
        return b"\n".join(self.raw + side) + b"\n"
