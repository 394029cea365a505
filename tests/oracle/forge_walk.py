# SPDX-License-Identifier: ISC
"""Games by turns at random, which the second reading follows line by line.

Walk draws the settings of a game and then one step after the other that the
reading so far allows, most of them lawful: joins, `ready`, combats, answers,
claims, notes of the witness, key statements, dice keys, lost lines, somebody
else in a seat, the end. Each line that it writes is told to a Game of
record_game.py, and what the forge keeps of pools, keys and what is owed is
set by that afterwards. So a line that was changed by a forgery
(forge_members.py) and that stands all the same is gone on from as it stands,
with all keys in hand.
"""

import copy
import json
import random

import record_crypto as crypto
import record_form as form
from forge import NotHere, dice_public, ed_expand, ed_sign, secret
from forge_turns import SecretTurns, TurnsForge
from record_answers import JUDGE_MS
from record_clock import WEEK_MS, time_ms
from record_form import Bad, Unknown
from record_game import Game
from record_parts import Side, WITNESS, side_of
from record_standing import POLICIES, answer_of

MINUTE = 60000
HOUR = 3600000
ED = {}  # public keys in hex -> what they are made of
DICE = {}


class Over(Exception):
    """The record ends here."""


def ed_of(name):
    """A key for signatures, of which the secret half is kept; in hex."""
    key = ed_expand(secret(name))[2].hex()
    ED[key] = secret(name)
    return key


def dice_of(name):
    """A dice key, likewise."""
    key = dice_public(secret(name)).hex()
    DICE[key] = secret(name)
    return key


SEATS = (0, 1, 2, 3, 4, WITNESS)
for number in SEATS:
    ed_of("player %d" % number)
    dice_of("dice %d" % number)
    for more in ("more", "third", "spare"):
        ed_of("%s %d" % (more, number))
        dice_of("%s dice %d" % (more, number))
    ed_of("recovery %d" % number)
ed_of("server")
dice_of("server dice")
RECOVERY = {n: ed_of("recovery %d" % n) for n in SEATS}


# What a game is about: what it must have, and steps that are taken more often
# than else.
ABOUT = (
    ((), {}),
    (("witness", "notice"), {
        "claim": 4, "claim_again": 2, "note_witness": 6, "new_statement": 0.3,
        "new_dice_key": 0.3, "lose_lines": 0.2, "propose_newcomer": 0.2}),
    (("judge",), {
        "declare": 3, "end_turn": 0.5, "object": 3, "claim": 0.2,
        "claim_judge": 2, "new_statement": 0.2, "new_dice_key": 0.2,
        "lose_lines": 0.1, "propose_newcomer": 0.2}),
    ((), {"new_statement": 4, "new_dice_key": 3}),
    ((), {"propose_newcomer": 3, "lose_lines": 2}),
    (("witness",), {
        "claim_silence": 3, "note_witness": 5, "offer": 2, "roll": 3,
        "new_statement": 0.3, "new_dice_key": 0.5, "propose_newcomer": 0.3}),
    (("witness", "secret"), {
        "declare": 5, "roll": 0.3, "claim": 0.1, "new_statement": 0.3,
        "new_dice_key": 0.3, "lose_lines": 0.2, "propose_newcomer": 0.2}),
)


def clock_of(rng, needs, has_director):
    """Draw the clock of a game."""
    clock = {
        "per": rng.choice(("order", "order", "side")), "first_s": 60,
        "then": rng.choice(
            ["forfeit", "default"] + ["director"] * has_director),
        **rng.choice(({}, {}, {"holidays": 3},
                      {"skip": ["sat", "sun"], "holidays": 2})),
    }
    if rng.random() < 0.7 or "notice" in needs:
        clock["notice_s"] = rng.choice((1, 60, 3600))
    if rng.random() < 0.2:
        clock["grace_s"] = 30
    return clock


def settings_of(rng, needs):
    """Draw the settings of a game."""
    settings = {"scheme": "live-1"}
    options = {}
    if rng.random() < 0.7 and "judge" not in needs or "witness" in needs:
        settings["witness"] = True
        if rng.random() < 0.6:
            options["witness_s"] = rng.choice((60, 61, 600, 86400))
    elif rng.random() < 0.5:
        settings["scheme"] = "dual-1"
    if rng.random() < 0.5 or "judge" in needs:
        settings["confirm"] = "judge" not in needs and (
            rng.random() < 0.5) or "facts"
    if rng.random() < 0.3 or "judge" in needs:
        options["director"] = True
        settings["silence"] = rng.choice(("forfeit", "director"))
    if rng.random() < 0.15:
        options["seats"] = 4
    if rng.random() < 0.15 and "director" in options:
        settings["creator"] = 0
    if rng.random() < 0.4 or "notice" in needs:
        settings["clock"] = clock_of(rng, needs, "director" in options)
    if options:
        settings["options"] = options
    must = settings.get("witness") or "notice_s" in settings.get("clock", {})
    settings["now"] = bool(must) or rng.random() < 0.8
    if "secret" in needs:
        settings["secret"] = rng.choice(("held", "sealed"))
        settings["bag"] = 9
    return settings


class Followed:
    """A forge that a Game follows; mixed into TurnsForge and SecretTurns."""

    def __init__(self, seed, events, settings):
        super().__init__(seed, events, settings)
        self.pick = random.Random("walk %s" % seed)
        self.reading = Game(Side([], 0), True)
        self.forgery = None
        self.labels = []  # by line: (what it is, the members to forge)
        self.bad_at = None
        self.left = self.pick.randint(14, 44)  # lines
        self.signed = None  # the last order that was made
        self.held_back = None  # a line that is held back

    # Making orders.

    def seat_args(self, seat):
        """The args that create and join share, with what this issue brings."""
        args = super().seat_args(seat)
        mine = random.Random("%d %s" % (seat, self.pick.random()))
        if mine.random() < 0.4 and seat != WITNESS:
            names = ("more", "third")[: mine.randint(1, 2)]
            args["keys"] = sorted(
                ed_of("%s %d" % (name, seat)) for name in names)
        if mine.random() < 0.6:
            args["recovery"] = RECOVERY[seat]
        if mine.random() < 0.3:
            args["kn"] = mine.randint(1, 3)
            args["kprev"] = "%064x" % mine.getrandbits(250)
        return args

    def order(self, seat, kind, args, place=None, after=None, **more):
        """Sign an order; a forgery may let somebody else give it."""
        forgery = self.here()
        if forgery is not None and forgery.stage == "by":
            seat = forgery.other_seat(self, seat)
        line = super().order(seat, kind, args, place, after, **more)
        self.signed = (seat, kind, args, place, more)
        if forgery is not None and forgery.follows and kind == "join":
            told = json.loads(line["order"]).get("seat")
            if form.is_int(told):
                line["seat"] = told
        return line

    def here(self):
        """The forgery, if it is for the line that is being made."""
        forgery = self.forgery
        if forgery is None or forgery.seq != self.seq() or (
            forgery.was_done and forgery.stage in ("drop", "late")
        ):
            return None
        return forgery

    def stage(self, name, kind, value):
        """Let the forgery change what is being made."""
        value = super().stage(name, kind, value)
        forgery = self.here()
        if forgery is None:
            return value
        return forgery.apply(self, name, kind, value)

    def put_statement(self, seat, do, key, signer=None):
        """Write a key statement of a seat."""
        mine = self.reading.seats[seat]
        text = {
            "v": 1, "server": self.reading.server_key,
            "account": mine.account, "n": mine.statement_n + 1,
            "prev": mine.statement_hash, "do": do, "key": key,
            "now": self.time_text(self.at + self.skew.get(seat, 0)),
        }
        text = form.compact(self.stage("statement", do, text))
        seed = signer or self.players[seat]["ed"]
        seed = self.stage("signer", "key", seed)
        sig = ed_sign(seed, crypto.tag("key/1") + text.encode())
        self.write("key", {
            "seat": seat, "key": ed_expand(seed)[2].hex(),
            "statement": text, "sig": sig.hex(),
        })

    # Writing.

    def write(self, kind, members):
        """Write a line, or what a forgery makes of it, and follow."""
        forgery = self.here()
        stage = None if forgery is None else forgery.stage
        if stage == "drop":
            forgery.done(self)
            self.sync()
            return
        if stage == "late" and self.held_back is None:
            self.held_back = (kind, copy.deepcopy(members))
            forgery.done(self)
            return
        again = stage == "twice" and (kind, copy.deepcopy(members))
        self.append(kind, members)
        if again and kind == "order" and self.signed is not None:
            seat, what, args, place, more = self.signed
            line = super().order(seat, what, args, place, **more)
            again[1].update(line)
        if again:
            self.append(*again)
        if self.held_back is not None:
            back, self.held_back = self.held_back, None
            self.append(*back)

    def append(self, kind, members):
        """Write a line and let the reading take it."""
        before = Before(self)
        super().write(kind, members)
        text = self.raw[-1]
        try:
            line = json.loads(text)
            self.at = max(self.at, time_ms(line["at"]))
            label = before.label(line)
        except (ValueError, TypeError, KeyError, AttributeError):
            label = None
        self.labels.append(label)
        game = self.reading
        for name, blob in self.blobs.items():
            game.side.blobs.setdefault(name, json.loads(blob))
        try:
            game.take(text)
        except Bad:
            self.bad_at = len(self.raw)
            raise Over from None
        except Unknown as e:
            game.beyond = game.beyond or str(e)
        if game.finished:
            raise Over
        self.sync()

    def sync(self):
        """Keep what the reading knows."""
        game = self.reading
        if game.beyond is not None:
            return
        self.pool, self.epoch = game.pool, game.epoch
        self.turn, self.game_turn = game.turn_ends + 1, game.game_turn
        self.due, self.started = game.due, game.started
        self.readies = dict(game.ready)
        self.witness = game.has_witness()
        self.waiting = {}
        for number, seat in game.seats.items():
            player = self.players.setdefault(number, {})
            player["account"] = seat.account
            player["dice"] = DICE.get(seat.dice_key, secret("lost"))
            keys = sorted(key for key in seat.keys if key in ED)
            if keys and ED[keys[0]] != player.get("ed") and (
                ed_expand(player["ed"])[2].hex() not in seat.keys
            ):
                player["ed"] = ED[keys[0]]
            if seat.waiting_key:
                self.waiting[number] = DICE.get(seat.waiting_key)
        if game.owed is None:
            self.owed = None
        elif self.owed is not None:
            self.owed["seat"] = game.owed["seat"]
        if game.combat is None or game.combat.state == "over":
            self.combat = None


class WalkTurns(Followed, TurnsForge):
    """Games of lasalle2."""


class WalkSecret(Followed, SecretTurns):
    """Games of imagi-nations."""


class Before:
    """What a line stands upon, by which it is told what it is."""

    def __init__(self, forge):
        game = forge.reading
        self.owed = dict(game.owed) if game.owed else None
        self.started = game.started
        self.due = game.due
        self.restored = game.restored
        self.seen = game.ready_seen
        self.epoch = game.epoch
        self.newcomers = set(game.operator_keys)
        self.offers = {s: o.what for s, o in game.offers.items()}
        self.waits = any(s.waiting_key for s in game.seats.values())
        self.notices = {
            notice.seq for notice in
            (game.clock.notices.values() if game.clock else ())}
        self.notice_s = game.clock.notice if game.clock else 0

    def label(self, line):
        """Tell what a line is."""
        if line["kind"] == "server":
            return "server " + line["what"]
        if line["kind"] == "key":
            return "statement " + json.loads(line["statement"])["do"]
        order = json.loads(line["order"])
        kind, args = order["kind"], order["args"]
        known = {
            "create": lambda: "create",
            "join": lambda: "join of the witness"
            if line["seat"] == WITNESS else "join",
            "ready": lambda: self.label_ready(line),
            "dice-key": self.label_dice_key,
            "claim": lambda: self.label_claim(args),
            "note": lambda: self.label_note(args),
            "accept": lambda: self.label_accept(args),
            "answer": lambda: self.label_answer(line, args),
            "offer": lambda: "offer " + str(args.get("what")),
            "turn.end": lambda: "turn.end that rekeys"
            if self.waits else None,
        }.get(kind, lambda: None)()
        if known is not None and "owes" not in line:
            return known
        if "owes" not in line:
            return None
        if line["owes"]["seat"] == WITNESS:
            return kind + " that owes the witness"
        if line["owes"]["seat"] == 0:
            return kind + " for the judge"
        return "fact" if kind == "decide" else known

    def label_ready(self, line):
        """Which round it is of."""
        if self.started:
            return "ready of a later round"
        if line["seat"] == WITNESS:
            return "ready of the witness"
        return "ready anew" if self.epoch else "ready"

    def label_dice_key(self):
        """When it counts."""
        if self.due:
            return "dice-key in a round"
        if self.started:
            return "dice-key in play"
        return "dice-key between readies" if self.seen else (
            "dice-key before ready")

    def label_claim(self, args):
        """Which claim it is."""
        if "to" not in args:
            return "claim, first" if self.notice_s else "claim"
        owed = self.owed
        if owed and owed["seq"] == args["to"]:
            return "claim on the judge" if owed["judged"] else (
                "claim on silence")
        return "claim, second"

    def label_note(self, args):
        """What it says of what."""
        if args["to"] in self.newcomers:
            return "note on operator-key"
        return "note " + str(args["say"])

    def label_accept(self, args):
        """What is accepted."""
        if args["to"] in self.newcomers:
            return "accept of operator-key"
        if self.restored is not None and self.restored["seq"] == args["to"]:
            return "accept of restored"
        return "accept of " + str(self.offers.get(args["to"]))

    def label_answer(self, line, args):
        """Who answers, and to what."""
        owed = self.owed or {}
        if line["seat"] == WITNESS:
            return "answer of the witness"
        if owed.get("rolls"):
            return "answer in the witness's stead"
        if owed.get("judged"):
            return "answer of the judge"
        return "answer to a fact" if owed.get("facts") else None


class Walk:
    """One game, played step by step."""

    def __init__(self, seed, events, forgery=None, tail=None):
        rng = random.Random("settings %s" % seed)
        needs, self.about = rng.choice(ABOUT)
        settings = settings_of(rng, needs)
        made = WalkSecret if "secret" in settings else WalkTurns
        self.forge = made("walk %s" % seed, events, settings)
        self.forge.forgery = forgery
        self.tail = tail
        self.rng = self.forge.pick
        self.game = self.forge.reading

    def play(self):
        """Play it to its end, or to where it is bad."""
        f = self.forge
        failed = 0
        try:
            while f.left > 0:
                f.left -= 1
                self.cut()
                count = len(f.raw)
                try:
                    self.step()
                except NotHere:
                    pass
                except (KeyError, IndexError, TypeError, AssertionError,
                        AttributeError, ValueError):
                    # A forgery has led to where the forge cannot go on.
                    if f.forgery is None or not f.forgery.was_done:
                        raise
                    break
                failed = 0 if len(f.raw) > count else failed + 1
                if failed > 20:
                    break
            game = self.game
            if game.beyond is None and game.owed is None and (
                f.bad_at is None and game.restored is None
                and game.started and self.rng.random() < 0.5
            ):
                f.close()
        except Over:
            pass
        return f

    def cut(self):
        """Behind a forgery only some lines follow."""
        f = self.forge
        if self.tail is not None and f.forgery.was_done:
            f.left = min(f.left, self.tail)
            self.tail -= 1

    def step(self):
        """Make one step of those that are open."""
        weights, steps = zip(*self.choices())
        weights = [weight * self.about.get(step.__name__, 1)
                   for weight, step in zip(weights, steps)]
        self.rng.choices(steps, weights)[0]()

    def choices(self):
        """Yield (weight, step)."""
        f, game = self.forge, self.game
        f.wait(self.rng.choice((1, 1000, 1000, 5000, 30000)))
        if self.rng.random() < 0.1:
            f.skew[self.rng.choice((1, 2))] = self.rng.choice(
                (0, 0, 1, -1, 119999, 120001, -120001, HOUR, -HOUR))
        if game.beyond is not None:
            yield 1, self.chat
            return
        if game.create is None:
            yield 1, f.create
            return
        yield 0.5, self.chat
        yield 0.03, self.end_by_server
        if game.over:
            yield 2, self.close_one
            yield 0.5, self.note_witness
            yield 0.3, self.new_statement
            return
        yield 1, self.new_statement
        yield 1, self.new_dice_key
        if game.ready_seen:
            yield 0.35, self.lose_lines
        if game.operator_keys:
            yield 4, self.vote
        if not game.started:
            yield 8, self.muster
        elif game.restored is not None:
            yield 8, self.accept_restored
        elif game.due:
            yield 8, self.send_ready
        if game.started:
            yield from self.choices_in_play()

    def choices_in_play(self):
        """Yield those of play, whatever is owed."""
        f, game = self.forge, self.game
        yield 0.5, self.propose_newcomer
        yield 0.05, self.resign
        if game.has_witness():
            yield 0.4, self.note_witness
        if game.clock is not None:
            yield 1.2, self.claim
            if game.clock.notices:
                yield 3, self.claim_again
            yield 0.2, self.pause
        if game.owed is not None:
            yield 6, self.answer
            if game.owed["seat"] == WITNESS:
                yield 3, self.claim_silence
            if game.owed["judged"]:
                yield 3, self.claim_judge
            if game.silences:
                yield 1, self.note_witness
            return
        if game.restored is not None or game.due:
            return
        if game.offers:
            yield 3, self.accept_offer
        yield 0.7, self.offer
        if f.combat is not None:
            yield 8, self.decide
            return
        yield 1.5, self.roll
        yield 3, self.declare
        yield 1.5, self.end_turn

    # Before play.

    def player(self):
        """A seat of a player."""
        return self.rng.choice([s for s in self.game.seats
                                if s not in (0, WITNESS)])

    def muster(self):
        """Let somebody join, or be ready."""
        f, game = self.forge, self.game
        missing = sorted(game.all_seats - set(game.seats))
        if missing:
            seat = self.rng.choice(missing)
            if f.players[seat]["account"] in game.refused:
                f.players[seat] = {
                    "ed": f.players[seat]["ed"], "dice": secret(
                        "spare dice %d" % seat),
                    "account": f.players[seat]["account"] + "x",
                }
            f.join(seat)
            return
        if game.restored is not None:
            self.accept_restored()
            return
        if not game.ready and self.rng.random() < 0.03:
            number = self.rng.choice(sorted(game.seats))
            if game.seats[number].seq:
                f.put(game.create["seat"], "note", {
                    "to": game.seats[number].seq, "say": "refuse"})
                return
        self.send_ready()

    def send_ready(self):
        """Send a ready that the round waits for."""
        missing = sorted(self.game.round_seats() - set(self.game.ready))
        self.forge.send_ready(self.rng.choice(missing))

    def chat(self):
        """Say something."""
        f = self.forge
        f.put(self.rng.choice(sorted(f.players)[:3]) if self.game.beyond
              else self.rng.choice(sorted(self.game.seats)),
              "chat", {"ref": f.text("well?")})

    # Keys.

    def fresh_key(self, seat):
        """A key that the seat might add."""
        names = ["%s %d" % (name, seat) for name in (
            "more", "third", "spare", "player")]
        names += ["new %d %d" % (seat, n) for n in range(9)]
        taken = set()
        for each in self.game.seats.values():
            taken |= each.had
        fresh = [key for key in map(ed_of, names) if key not in taken]
        return self.rng.choice(fresh)

    def new_statement(self):
        """Add, drop or reset keys."""
        f, game = self.forge, self.game
        seat = self.rng.choice(sorted(set(game.seats) - {WITNESS}))
        mine = game.seats[seat]
        valid = sorted(key for key in mine.keys if key in ED)
        do = self.rng.choice(("add", "drop", "reset"))
        if do == "reset":
            if mine.recovery not in ED:
                raise NotHere
            f.put_statement(seat, do, self.fresh_key(seat), ED[mine.recovery])
        elif do == "drop":
            if len(valid) < 2:
                raise NotHere
            f.put_statement(seat, do, self.rng.choice(valid),
                    ED[self.rng.choice(valid)])
        else:
            f.put_statement(seat, do, self.fresh_key(seat),
                    ED[self.rng.choice(valid)])

    def new_dice_key(self):
        """Give a seat a new dice key."""
        game = self.game
        seats = [s for s, each in game.seats.items()
                 if each.dice_keys_of.get(game.turn_ends + 1, 0) < 2
                 and (s != WITNESS or not game.witness_out)]
        if not seats:
            raise NotHere
        seat = self.rng.choice(sorted(seats))
        name = "fresh%d" % self.rng.randint(1, 99)
        if dice_of("%s dice %d" % (name, seat)) in game.dice_keys_ever:
            raise NotHere
        self.forge.dice_key(seat, name)

    # The server.

    def lose_lines(self):
        """Lines were lost."""
        self.forge.restored()

    def accept_restored(self):
        """Accept that."""
        self.forge.accept(self.rng.choice(sorted(
            self.game.restored["need"])), self.game.restored["seq"])

    def end_by_server(self):
        """The operator ends the game."""
        self.forge.put_server(
            "closed", {"why": self.forge.text("nobody plays")})

    def propose_newcomer(self):
        """Somebody else is to have a seat."""
        f, game = self.forge, self.game
        seat = self.rng.choice(sorted(set(game.seats) - {WITNESS}))
        name = "come%d" % self.rng.randint(1, 99)
        ed_of("%s player %d" % (name, seat))
        dice_of("%s dice %d" % (name, seat))
        more = {}
        if self.rng.random() < 0.4:
            more["recovery"] = ed_of("%s recovery %d" % (name, seat))
        if self.rng.random() < 0.3:
            more["keys"] = [ed_of("%s other %d" % (name, seat))]
        if self.rng.random() < 0.3:
            more["account"] = game.seats[seat].account
        if self.rng.random() < 0.3:
            more.update(kn=3, kprev="ab" * 32)
        f.operator_key(seat, name, **more)

    def vote(self):
        """Accept or decline somebody."""
        f, game = self.forge, self.game
        to = self.rng.choice(sorted(game.operator_keys))
        waits = game.operator_keys[to]
        if self.rng.random() < 0.15:
            by = self.rng.choice(sorted(waits["voters"]))
            f.put(by, "note", {"to": to, "say": "decline"})
            return
        by = self.rng.choice(sorted(waits["need"]))
        owed = game.owed
        if owed is not None and owed["seat"] != waits["data"]["seat"]:
            if self.rng.random() < 0.8:
                raise NotHere
        if len(waits["need"]) > 1:
            f.accept(by, to)
            return
        data = waits["data"]
        f.newcomers[data["seat"]] = {
            "ed": ED[data["key"]], "dice": DICE[data["dice_key"]],
            "account": data["account"],
        }
        f.accept_newcomer(by, to, data["seat"])

    # The witness.

    def note_witness(self):
        """Let it note something that it may."""
        f, game = self.forge, self.game
        may = []
        if game.clock is not None and game.started and not game.over:
            may += [(notice.seq, "passed")
                    for notice in game.clock.notices.values()
                    if not notice.passed]
        may += [(seq, "answered") for seq, each in game.silences.items()
                if not each["noted"]]
        may += [(seq, "anew") for seq in game.witness_lines]
        if not may or WITNESS not in game.seats or (
            game.witness_key() is None
        ):
            raise NotHere
        say = self.rng.choice(sorted({say for _, say in may}))
        to = self.rng.choice(sorted(seq for seq, each in may if each == say))
        f.put(WITNESS, "note", {"to": to, "say": say})

    def claim_silence(self):
        """Claim that it is silent, about when that has an effect."""
        f, game = self.forge, self.game
        seat = self.player()
        must = 1000 * game.create["options"].get("witness_s", 600)
        self.wait_until(game.owed["at"] + must - min(
            0, f.skew.get(seat, 0)))
        f.silence(seat)

    def claim_judge(self):
        """Claim that the judge is late, or before they are."""
        f, game = self.forge, self.game
        self.wait_until(game.owed["at"] + JUDGE_MS)
        seat = self.player()
        at = f.at + f.step_ms
        if f.settings["now"]:
            at += min(0, f.skew.get(seat, 0))
        if at >= game.owed["at"] + JUDGE_MS:
            f.claim_unjudged(seat)
        else:
            f.put(seat, "claim", {"to": game.owed["seq"]})

    def wait_until(self, when):
        """Let the next line come about at a time."""
        f = self.forge
        when += self.rng.choice((0, 0, 0, 1, -1, 1000, MINUTE))
        f.wait(max(1, when - f.at))

    # Play.

    def answer(self):
        """Agree or object."""
        f, owed = self.forge, self.game.owed
        often = 0.25 * self.about.get("object", 1)
        if not owed["final"] and self.rng.random() < often:
            f.object(self.rng.random() < 0.5)
        else:
            f.agree()

    def decide(self):
        """Answer the open question."""
        f = self.forge
        if f.combat["ask"]["kind"] == "tactic":
            f.decide()
        else:
            f.choose_decision()

    def declare(self):
        """Declare a combat."""
        f = self.forge
        made = f.facts() if f.system != "lasalle2" else self.rng.choice(
            (f.plain, f.guns, f.guns, f.lances, f.lances, f.facts))()
        if made is None:
            raise NotHere
        f.declare(made)

    def roll(self):
        """Roll dice."""
        self.forge.roll_free(dice=self.rng.randint(1, 3), sides=6)

    def end_turn(self):
        """End the turn."""
        self.forge.end_turn()

    def resign(self):
        """Resign."""
        self.forge.put(self.player(), "resign")

    def close_one(self):
        """Close, or talk."""
        f, game = self.forge, self.game
        sides = {1, 2} - set(map(side_of, game.closed_seats))
        if len(sides) == 1:
            rest = [f.told(s) for s in f.standings if not s["opened"]]
            f.put(min(sides), "close", **({"opened": rest} if rest else {}))
        else:
            f.put(min(sides), "close")

    def offer(self):
        """Offer something."""
        f, game = self.forge, self.game
        seat = self.player()
        may = [{"what": "truce", "turns": 1}, {"what": "draw"}]
        if game.undo:
            since = self.rng.choice(game.undo)["seq"]
            if game.in_reach(since):
                may += [{"what": "takeback", "from": since}] * 3
        if game.has_witness():
            may += [{"what": "witness-out"}] * 3
        if game.clock is not None:
            may += [{"what": "pause", "days": 1}] * 2
        f.put(seat, "offer", self.rng.choice(may))

    def accept_offer(self):
        """Accept an offer."""
        f, game = self.forge, self.game
        seq = self.rng.choice(sorted(game.offers))
        offer = game.offers[seq]
        by = [s for s in game.seats if s not in (0, WITNESS)
              and side_of(s) != offer.side]
        seat = self.rng.choice(sorted(by))
        if offer.what == "takeback":
            f.accept_back(seat, seq, offer.args["from"])
        else:
            f.accept(seat, seq)

    def pause(self):
        """Leave for a holiday, or come back."""
        game, f = self.game, self.forge
        seat = self.player()
        mine = game.clock.sides[side_of(seat)]
        if game.clock.paused_until > f.at + f.step_ms:
            f.put(seat, "pause", {"do": "resume"})
        elif mine.holidays and game.owed is None and not game.due:
            f.put(seat, "pause", {"do": "holiday", "days": 1})
        else:
            raise NotHere

    # Claims.

    def claim(self):
        """Claim the time of the other side, or give notice."""
        game = self.game
        sides = [side for side, each in game.clock.sides.items()
                 if each.since is not None]
        if len(sides) != 1 or self.rng.random() < 0.1:
            side = self.rng.choice((1, 2))
        else:
            side = 3 - sides[0]
        if game.clock.sides[3 - side].since is not None:
            self.wait_until(game.clock.deadline(3 - side))
        self.put_claim(self.seat_of(side), {})

    def claim_again(self):
        """The second line of a claim."""
        game, f = self.game, self.forge
        side = self.rng.choice(sorted(game.clock.notices))
        notice = game.clock.notices[side]
        need = game.clock.notice
        if game.has_witness() and not notice.passed and (
            self.rng.random() < 0.5
        ):
            need = WEEK_MS
        self.wait_until(notice.at + need + self.rng.choice(
            (0, 0, 0, 86400000, 2 * 86400000)))
        seat = self.seat_of(side)
        if self.rng.random() < 0.7:
            # The same clock as before, or nearly.
            f.skew[seat] = notice.now - notice.at + self.rng.choice(
                (0, 0, 0, 1, -1))
        self.put_claim(seat, {"to": notice.seq})

    def seat_of(self, side):
        """A seat of a side."""
        return self.rng.choice(sorted(
            s for s in self.game.seats
            if s not in (0, WITNESS) and side_of(s) == side))

    def put_claim(self, seat, args):
        """Write a claim, with what it leads to."""
        f, game = self.forge, self.game
        is_first = game.clock.notice > 0 and not args
        place = None if is_first else game.claim_place(side_of(seat))
        if place is None:
            f.put(seat, "claim", args)
        elif self.has_effect(seat, args) and f.combat is not None:
            ask = f.combat["ask"]
            words = POLICIES.get(f.system, {}).get(ask["kind"])
            if not words or answer_of(
                f.system, ask["kind"], words[0], ask["options"]
            ) is None:
                raise NotHere
            f.choose_decision(seat=seat, claim=True, args=args)
        else:
            f.put(seat, "claim", args, place)

    def has_effect(self, seat, args):
        """Foretell whether a claim has its effect."""
        f, game = self.forge, self.game
        clock, side = game.clock, side_of(seat)
        at = f.at + f.step_ms
        times = [at]
        if clock.notice > 0:
            times.append(at + f.skew.get(seat, 0))
        if clock.sides[3 - side].since is None or (
            clock.sides[side].since is not None
            or min(times) < clock.deadline(3 - side)
        ):
            return False
        notice = clock.notices.get(side)
        if not args:
            return True
        return notice is not None and game.is_ripe(notice, times)
