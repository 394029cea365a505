# SPDX-License-Identifier: ISC
"""A forge of records: games of its own keys, signed, marked and proved well.

Forge plays an honest game of lasalle2 and writes its record. A fault (see
forge_faults.py) may change one line at one stage of its making, before what
covers it is signed; the record then ends with that line. The keys are hashes
of names: nothing here is secret, and every run makes the same bytes.
"""

import datetime
import functools
import hashlib
import json
import random
import subprocess

import record_crypto as crypto
import record_form as form
from record_rules import MODULES

TIMEOUT_S = 60


class Done(Exception):
    """The fault is in the record; nothing follows it."""


class NotHere(Exception):
    """The fault does not fit this line."""


class NoBeta(Exception):
    """The run comes to dice, and there are none."""


# --- Secret halves of what verify.py checks ---


def secret(name):
    """Derive 32 secret bytes from a name."""
    return hashlib.sha256(b"forged " + name.encode()).digest()


@functools.lru_cache(maxsize=None)
def ed_expand(seed):
    """Expand an Ed25519 secret: (scalar, prefix, public key)."""
    h = hashlib.sha512(seed).digest()
    a = int.from_bytes(h[:32], "little")
    a = a & ((1 << 254) - 8) | 1 << 254
    key = crypto.ed_base_encoded(a)
    crypto.ED_SECRETS[key] = a
    return a, h[32:], key


@functools.lru_cache(maxsize=None)
def ed_sign(seed, message):
    """Sign (RFC 8032 5.1.6)."""
    a, prefix, key = ed_expand(seed)
    r = hashlib.sha512(prefix + message).digest()
    r = int.from_bytes(r, "little") % crypto.ED_L
    top = crypto.ed_base_encoded(r)
    h = hashlib.sha512(top + key + message).digest()
    s = (r + int.from_bytes(h, "little") * a) % crypto.ED_L
    return top + s.to_bytes(32, "little")


@functools.lru_cache(maxsize=None)
def dice_public(seed):
    """The P-256 public key of a secret."""
    x = int.from_bytes(seed, "big") % crypto.Q
    key = crypto.p256_encode(crypto.p256_base_times(x))
    crypto.VRF_SECRETS[key] = x
    return key


@functools.lru_cache(maxsize=None)
def vrf_prove(seed, alpha):
    """Make a proof (RFC 9381 5.1); the nonce is a hash of all it needs."""
    x = int.from_bytes(seed, "big") % crypto.Q
    key = dice_public(seed)
    h = crypto.vrf_encode_to_curve(key, alpha)
    gamma = crypto.p256_times(x, h)
    k = int.from_bytes(crypto.sha256(b"k", seed, alpha), "big") % crypto.Q
    u, w = crypto.p256_base_times(k), crypto.p256_times(k, h)
    c = crypto.vrf_challenge(key, (h, gamma, u, w))
    s = (k + int.from_bytes(c, "big") * x) % crypto.Q
    return crypto.p256_encode(gamma) + c + s.to_bytes(32, "big")


def beta_of(seed, alpha):
    """The output of the VRF."""
    proof = vrf_prove(seed, alpha)
    return crypto.sha256(crypto.SUITE, b"\x03", proof[:33], b"\0")


# --- Events ---


class OwnEvents:
    """Events in the forms that verify.py compares, from the oracle."""

    def compare(self, scenario, out):
        """Make the events of a scenario, whose facts are complete."""
        events = [{"e": "combat", **scenario["combat"]}]
        for step in out["log"]:
            if step["e"] == "result":
                events.append({"e": "change", "note": "stands for any"})
            events.append(step)
        script = scenario["script"]

        def again(count):
            some = {**script, "decisions": script["decisions"][:count]}
            return resolve({**scenario, "script": some})

        return self.with_asks(events, again)

    @staticmethod
    def with_asks(events, again):
        """Put the question before each decision that is not secret.

        again(count) plays with so many decisions only.
        """
        made = []
        count = 0
        for event in events:
            if event["e"] == "decision":
                if event["kind"] != "tactic":
                    made.append(again(count)["log"][-1])
                count += 1
            made.append(event)
        return made


class UmpireEvents:
    """Events from `umpire resolve -`, agreeing with the oracle's outcome."""

    def __init__(self, command):
        self.command = command

    def compare(self, scenario, out):
        """Run a scenario through the program; return its events."""
        theirs = self.resolve(json.dumps(scenario))
        if theirs["status"] != out["status"]:
            raise AssertionError("resolve and oracle differ: %r" % scenario)
        return theirs["events"]

    @functools.lru_cache(maxsize=None)
    def resolve(self, text):
        """Run the text of a scenario through the program."""
        done = subprocess.run(
            self.command + ["resolve", "-"],
            input=text.encode(),
            stdout=subprocess.PIPE,
            timeout=TIMEOUT_S,
            check=True,
        )
        return json.loads(done.stdout)


def resolve(scenario, *rolled):
    """Run a scenario through the second reading of its system."""
    out = MODULES[scenario["system"]].resolve(scenario, *rolled)
    if out["status"] == "refused":
        raise AssertionError(out)
    return out


# --- An honest game, and the places where a fault can enter ---

UNITS = {
    1: [
        {"id": "fr-a", "name": "1/1st Line", "arm": "infantry", "strength": 6},
        {"id": "fr-b", "arm": "infantry", "strength": 5, "shaken": True},
        {"id": "fr-h", "arm": "cavalry", "strength": 6,
         "traits": ["lancers"]},
        {"id": "fr-k", "arm": "cavalry", "strength": 6, "traits": ["shock"]},
        {"id": "fr-g", "arm": "artillery", "strength": 3, "battery": "foot"},
    ],
    2: [
        {"id": "ru-a", "name": "1/2nd Jäger", "arm": "infantry",
         "strength": 5},
        {"id": "ru-b", "arm": "infantry", "strength": 6},
        {"id": "ru-h", "arm": "cavalry", "strength": 5},
        {"id": "ru-k", "arm": "cavalry", "strength": 6,
         "traits": ["shock", "lancers"]},
        {"id": "ru-g", "arm": "artillery", "strength": 3, "battery": "horse"},
    ],
}
FORMATIONS = {
    "infantry": ("line", "square", "column"),
    "cavalry": ("line", "column"),
    "artillery": ("unlimbered", "limbered"),
}


def text_of(value, rng=None):
    """Write an order text, with spacing now and then (S3: any spacing)."""
    if rng is not None and rng.random() < 0.2:
        return json.dumps(value, ensure_ascii=rng.random() < 0.5, indent=1)
    return form.compact(value)


class Forge:
    """Plays and records one game; a fault may change one of its lines."""

    system = "lasalle2"
    units = UNITS

    def __init__(self, seed, events, settings=None, fault=None, skip=0):
        self.rng = random.Random("forge %s" % seed)
        self.maker = events
        self.settings = settings or {}
        self.fault = fault
        self.skip = skip  # how many fitting lines pass before the fault
        self.fits = 0  # how many lines the fault fitted
        self.faulty = False
        self.raw = []
        self.hashes = []
        self.at = 1793984461042
        self.texts = {}
        self.blobs = {}
        self.turn = 1
        self.acted = self.passed = False  # turns that are activations
        self.epoch = 0
        self.pool = None
        self.readies = {}
        self.last_state = 0
        self.combat = None
        self.drawn = {}
        self.frees = {}
        self.statements = {1: [], 2: []}
        self.server = secret("server")
        self.server_dice = secret("server dice")
        self.players = {
            s: {
                "ed": secret("player %d" % s),
                "dice": secret("dice %d" % s),
                "account": "player-%d" % s,
            }
            for s in (1, 2)
        }
        self.roster = {
            s: {u["id"]: dict(u) for u in self.units[s]} for s in (1, 2)
        }
        self.gone = set()
        self.game = None
        self.rulings = self.settings.get("rulings", {})
        self.scheme = self.settings.get("scheme", "dual-1")

    # Writing lines.

    def stage(self, name, kind, value):
        """Let the fault change what is being made, if this is its line."""
        if self.faulty and name in self.fault.stages:
            changed = self.fault.stages[name](self, value)
            return value if changed is None else changed
        return value

    def enter(self, kind):
        """Begin a line; see whether the fault belongs to it."""
        fault = self.fault
        if fault is None or self.faulty or not fault.when(self, kind):
            return
        self.fits += 1
        if self.fits <= self.skip:
            return
        self.faulty = True
        if fault.instead is not None:
            fault.instead(self)
            raise Done

    def public(self, seat):
        """The public key of a seat."""
        return ed_expand(self.players[seat]["ed"])[2].hex()

    def seq(self):
        """The number of the next line."""
        return len(self.hashes)

    def write(self, kind, members):
        """Complete, mark and append a line."""
        line = {
            "v": 1,
            "game": self.game.hex(),
            "seq": self.seq(),
            "prev": self.hashes[-1] if self.hashes else form.ZERO,
            "at": self.time(),
            "kind": kind,
            **members,
        }
        line = self.stage("line", kind, line)
        text = self.stage("text", kind, form.compact(line))[:-1]
        seed = self.stage("server", kind, self.server)
        body = text.encode("utf-8", "surrogatepass")
        mark = ed_sign(seed, crypto.tag("mark/1") + crypto.sha256(body))
        data = body + b',"mark":"%s"}' % mark.hex().encode()
        data = self.stage("data", kind, data)
        self.raw.append(data)
        self.hashes.append(hashlib.sha256(data).hexdigest())
        if self.faulty:
            raise Done

    def time(self):
        """The time of the next line."""
        self.at += self.rng.randint(0, 100000)
        return self.time_text()

    def time_text(self, at=None):
        """A time as text, else the present one."""
        seconds, ms = divmod(self.at if at is None else at, 1000)
        when = datetime.datetime.fromtimestamp(
            seconds, datetime.timezone.utc
        )
        return when.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % ms

    def order(self, seat, kind, args, place=None, after=None, other=None,
              own=True):
        """Sign an order; return the first members of its line.

        A place comes with own, or, for an answer, with the proof other, or,
        if own is false, alone.
        """
        order = {"v": 1, "server": ed_expand(self.server)[2].hex()}
        if kind != "create":
            if after is None:
                after = self.rng.randint(self.last_state, self.seq() - 1)
            order["game"] = self.game.hex()
            order["seat"] = seat
            order["after"] = after
            order["head"] = self.hashes[after] if after < self.seq() else ""
        order["nonce"] = self.rng.randbytes(16).hex()
        order["kind"] = kind
        self.acted = self.acted or kind in ("declare", "upkeep", "free")
        if place is not None:
            order["place"] = place
            if other is not None:
                order["other"] = other
            elif own:
                order["own"] = self.own(seat, place)[0].hex()
        order["args"] = args
        if self.rng.random() < 0.2:
            order = dict(sorted(order.items()))
        order = self.stage("order", kind, order)
        text = self.stage("order text", kind, text_of(order, self.rng))
        seed = self.stage("signer", kind, self.players[seat]["ed"])
        data = text.encode("utf-8", "surrogatepass")
        if kind == "create":
            self.game = crypto.sha256(crypto.tag("game/1"), data)
        sig = ed_sign(seed, crypto.tag("order/1") + data)
        return {
            "seat": seat,
            "key": ed_expand(seed)[2].hex(),
            "order": text,
            "sig": sig.hex(),
        }

    def own(self, seat, place, name="own/1"):
        """A seat's contribution for a place: (proof, beta)."""
        alpha = crypto.tag(name) + crypto.base_of(self.game, self.pool, place)
        seed = self.players[seat]["dice"]
        return vrf_prove(seed, alpha), beta_of(seed, alpha)

    def say(self, seat, kind, args, place=None):
        """Write a line for an order that draws nothing."""
        self.enter(kind)
        line = self.order(seat, kind, args, place)
        self.write("order", {**line, "events": []})

    # The parts of a game.

    def blob(self, value):
        """Keep a blob and return its hash."""
        text = form.compact(value)
        name = crypto.sha256(crypto.tag("blob/1"), text.encode()).hex()
        self.blobs[name] = text
        return name

    def text(self, value):
        """Keep a text and return its reference."""
        salt = self.rng.randbytes(32)
        name = crypto.sha256(crypto.tag("text/1"), salt, value.encode()).hex()
        self.texts[name] = (salt.hex(), value)
        return name

    def seat_args(self, seat):
        """The args that create and join share."""
        player = self.players[seat]
        args = {
            "seat": seat,
            "key": self.public(seat),
            "dice_key": dice_public(player["dice"]).hex(),
            "account": player["account"],
            "kn": 0,
            "kprev": form.ZERO,
        }
        return args

    def begin(self):
        """Create, join, ready and ready."""
        self.enter("create")
        units = {
            str(s): {"name": "Side %d" % s, "units": self.units[s]}
            for s in (1, 2)
        }
        roster = {"blob": "roster", "system": self.system, "sides": units}
        roster = self.blob(self.stage("roster", "create", roster))
        args = {
            **self.seat_args(1),
            "system": self.system,
            "rules": self.system + "/1",
            "rulings": self.rulings,
            "tables": [self.blob(table) for table in self.tables()],
            "roster": roster,
            "scheme": self.scheme,
            "server_dice": dice_public(self.server_dice).hex(),
            "secret": self.settings.get("secret", "held"),
            "silence": "forfeit",
        }
        if self.settings.get("confirm"):
            args["confirm"] = True
        if self.settings.get("recovery"):
            args["recovery"] = ed_expand(secret("recovery"))[2].hex()
        if self.rng.random() < 0.3:
            args["name"] = self.text("Schöngrabern, 4. 11. 1805")
        line = self.order(1, "create", args)
        self.write("order", {**line, "events": []})
        args = self.seat_args(2)
        self.say(2, "join", args)
        self.fill_pool()
        seats = [1, 2]
        self.rng.shuffle(seats)
        for seat in seats:
            self.small_talk()
            self.ready(seat)

    def tables(self):
        """The blobs that the create order names besides the roster."""
        return []

    def fill_pool(self):
        """Make pool_0."""
        scheme = 1 if self.scheme == "dual-1" else 2
        self.pool = crypto.sha256(
            crypto.tag("start/1"),
            self.game,
            bytes((scheme,)),
            dice_public(self.server_dice),
            b"\x02",
            b"\x01" + dice_public(self.players[1]["dice"]),
            b"\x02" + dice_public(self.players[2]["dice"]),
        )

    def ready(self, seat):
        """Send ready; the last one moves the pool."""
        self.enter("ready")
        place = "p/%d" % self.epoch
        line = self.order(seat, "ready", {}, place)
        self.readies[seat] = self.own(seat, place)[1]
        if len(self.readies) == 2:
            betas = self.readies[1] + self.readies[2]
            self.move(crypto.sha256(crypto.tag("pool/1"), self.pool, betas))
            line["pool"] = self.pool.hex()
            self.readies = {}
        self.write("order", {**line, "events": []})

    def move(self, pool):
        """Move the pool."""
        self.pool = pool
        self.epoch += 1
        self.last_state = self.seq()

    def small_talk(self):
        """Chat now and then."""
        while self.rng.random() < 0.25:
            seat = self.rng.choice((1, 2))
            ref = self.text(self.rng.choice(("Viel Glück!", "…", 'a "b"\n')))
            if self.rng.random() < 0.2:
                del self.texts[ref]
            args = {"ref": ref}
            if self.rng.random() < 0.3:
                args["to"] = "side"
            self.say(seat, "chat", args)

    def side(self):
        """The side in turn, whose only seat has the same number."""
        return 2 - self.turn % 2

    def end_turn(self):
        """Give the turn to the other side."""
        self.enter("turn.end")
        place = "p/%d" % self.epoch
        seat = self.side()
        line = self.order(seat, "turn.end", {}, place)
        beta = self.own(seat, place)[1]
        self.move(crypto.sha256(crypto.tag("pool/1"), self.pool, beta))
        line["pool"] = self.pool.hex()
        events = self.hand_over()
        self.turn += 1
        self.write("order", {**line, "events": events})

    def ends_round(self):
        """Tell whether the end of this turn ends a round."""
        if self.system == "imagi-nations":
            return self.passed and not self.acted
        return self.side() == 2

    def hand_over(self):
        """End the turn of a side: the events of that."""
        events = self.round_events() if self.ends_round() else []
        self.passed = not self.passed and not self.acted
        self.acted = False
        return events

    def pass_turns(self):
        """Let both sides pass, now and then."""

    def round_events(self):
        """The upkeep at the end of a round."""
        return []

    def facts(self, wanted=None):
        """Make facts for the side in turn: (as declared, complete)."""
        rng = self.rng
        ours, theirs = self.side(), 3 - self.side()
        may = [
            u for u in self.roster[ours].values()
            if u["id"] not in self.gone
            and u["arm"] != "artillery"
            and u["strength"] > 1
        ]
        stand = [
            u for u in self.roster[theirs].values()
            if u["id"] not in self.gone
        ]
        if not may or not stand:
            return None
        attackers = rng.sample(may, rng.randint(1, min(3, len(may))))
        defenders = rng.sample(stand, rng.randint(1, min(2, len(stand))))
        declared, full = {}, {}
        for name, units in (
            ("attackers", attackers), ("defenders", defenders)
        ):
            declared[name], full[name] = [], []
            for unit in units:
                told = {"id": unit["id"]}
                told["formation"] = rng.choice(FORMATIONS[unit["arm"]])
                if rng.random() < 0.2:
                    told["difficult"] = True
                if rng.random() < 0.3:
                    told["strength"] = unit["strength"]
                    told["arm"] = unit["arm"]
                declared[name].append(told)
                full[name].append({**told, **unit})
        count = max(len(attackers), len(defenders))
        pairs = {
            (i % len(attackers), i % len(defenders)) for i in range(count)
        }
        declared["contacts"] = [
            {
                "attacker": attackers[a]["id"],
                "defender": defenders[d]["id"],
                "edge": rng.choice(("front", "front", "left", "rear")),
            }
            for a, d in sorted(pairs)
        ]
        full["contacts"] = declared["contacts"]
        return declared, full

    def fight(self):
        """Declare a combat and answer all it asks."""
        made = self.facts()
        if made is None:
            return
        declared, full = made
        turn = self.turn
        unit = min(self.targets(declared))
        self.combat = {
            "key": (turn, unit),
            "k": 1 + self.drawn.get((turn, unit), 0),
            "steps": 0,
            "facts": full,
            "dice": {},
            "chits": [],
            "decisions": [],
            "events": [],
            "owner": None,
            "ask": None,
            "choices": {},
        }
        self.enter("declare")
        line = self.order(
            self.side(), "declare", {"combat": declared}, self.place()
        )
        self.step("declare", line, self.side())
        while self.combat is not None:
            self.small_talk()
            self.decide()

    @staticmethod
    def targets(declared):
        """The ids of the defending units."""
        return [u["id"] for u in declared["defenders"]]

    def place(self):
        """The place of the open combat's next step."""
        combat = self.combat
        turn, unit = combat["key"]
        return "c/%d/%s/%d/%d" % (
            turn, unit, combat["k"], combat["steps"] + 1
        )

    def asked_seat(self):
        """The seat that owes the decision."""
        attacks = self.combat["ask"]["side"] == "attacker"
        return self.side() if attacks else 3 - self.side()

    def decide(self):
        """Answer the open question at random."""
        self.enter("decide")
        decision = self.lawful(self.combat["ask"])
        seat = self.asked_seat()
        args = {"ask": self.combat["ask"]["seq"], "decision": decision}
        line = self.order(seat, "decide", args, self.place())
        self.combat["decisions"].append(decision)
        self.step("decide", line, seat)

    def lawful(self, ask):
        """Make a lawful decision."""
        if ask["kind"] == "stagger":
            order = list(ask["options"]["order"]["order"])
            self.rng.shuffle(order)
            return {
                "kind": "stagger",
                "order": [
                    {"unit": name, "possible": self.rng.random() < 0.8}
                    for name in order
                ],
            }
        option = ask["options"]["units"]
        units = [n for n in option["some"] if self.rng.random() < 0.8]
        return {"kind": ask["kind"], "units": units[: option.get("max")]}

    def dice_from(self, seat, place, other=None):
        """The server's beta for a place: (proof, beta)."""
        alpha = crypto.tag("dice/1")
        alpha += crypto.base_of(self.game, self.pool, place)
        alpha += self.own(seat, place)[1]
        if other is not None:
            alpha += self.own(other, place, "other/1")[1]
        return (
            vrf_prove(self.server_dice, alpha),
            beta_of(self.server_dice, alpha),
        )

    def run(self, beta):
        """Run the combat, with dice of beta: (rolls, output)."""
        combat = self.combat
        rolls = []
        had = [list(combat["chits"])]
        stream = []

        def roll(label, count, sides):
            if label in combat["dice"]:
                return combat["dice"][label]
            if beta is None:
                raise NoBeta
            dice = crypto.roll_dice(beta, label, count, sides)
            combat["dice"][label] = dice
            rolls.append({"label": label, "sides": sides, "dice": dice})
            return dice

        def draw(label, ids, taken):
            if had[0]:
                return had[0].pop(0)
            if beta is None:
                raise NoBeta
            if not stream:
                rolls.append({"label": label, "bag": len(ids), "chits": []})
                stream.extend(crypto.draw_chits(beta, label, len(ids), ids))
            chit = stream[len(taken)]
            rolls_of = [r for r in rolls if r["label"] == label]
            rolls_of[0]["chits"].append(chit)
            combat["chits"].append(chit)
            return chit

        return rolls, resolve(self.scenario(), roll, draw)

    def scenario(self):
        """The combat as a scenario without dice."""
        return {
            "system": self.system,
            "rulings": self.rulings,
            "combat": self.combat["facts"],
            "script": {"decisions": self.combat["decisions"]},
        }

    def roll_all(self, beta):
        """Run the combat, rolling what it asks: (rolls, events, output)."""
        rolls, out = self.run(beta)
        scenario = self.scenario()
        scenario["script"] = {
            "dice": self.combat["dice"],
            "chits": self.combat["chits"],
            "decisions": self.combat["decisions"],
        }
        return rolls, self.maker.compare(scenario, out), out

    def step(self, kind, line, seat):
        """Write the line of an order that lets the combat go on."""
        live = self.scheme == "live-1"
        confirm = self.settings.get("confirm") and kind == "declare"
        place = self.place()
        if live or confirm:
            rolled = self.needs_roll()
            if kind == "declare" or rolled:
                self.owe_and_answer(line, seat, place, rolled)
                return
        proof, beta = self.dice_from(seat, place)
        self.finish_step(kind, line, proof, beta, place)

    def needs_roll(self):
        """Tell whether the combat now comes to a roll."""
        try:
            self.run(None)
            return False
        except NoBeta:
            return True

    def events_before_roll(self):
        """The events that come before the dice, of which none are known."""
        combat = self.combat
        dice = dict(combat["dice"])
        _, events, _ = self.roll_all(bytes(32))
        new = self.new_events(events)
        combat["dice"] = dice
        if not combat["decisions"]:
            return new[:1]
        end = [i for i, e in enumerate(new) if e["e"] in ("roll", "score")]
        return new[: end[0]]

    def owe_and_answer(self, line, seat, place, rolled):
        """Write the owing line and its answer, agreed or first refused."""
        combat = self.combat
        other = 3 - seat
        events = self.events_before_roll()
        owing = self.seq()
        self.last_state = owing
        self.write(
            "order",
            {**line, "owes": {"seat": other, "place": place},
             "events": events},
        )
        self.small_talk()
        combat["events"] += events
        args = {"to": owing, "say": "agree"}
        self.enter("answer")
        if self.scheme == "live-1" and rolled:
            proof = self.own(other, place, "other/1")[0].hex()
            line = self.order(other, "answer", args, place, other=proof)
        else:
            line = self.order(other, "answer", args)
        answerer = other if self.scheme == "live-1" else None
        if self.scheme == "live-1" and not rolled:
            proof = beta = None
        else:
            proof, beta = self.dice_from(seat, place, answerer)
        self.finish_step("answer", line, proof, beta, place)

    def finish_step(self, kind, line, proof, beta, place):
        """Run the rules and write dice and events into the line."""
        combat = self.combat
        rolls, events, out = self.roll_all(beta)
        new = self.new_events(events)
        if rolls:
            line["dice"] = {
                "place": place, "proof": proof.hex(), "rolls": rolls
            }
            if combat["steps"] == 0:
                key = combat["key"]
                self.drawn[key] = self.drawn.get(key, 0) + 1
            combat["steps"] += 1
        combat["events"] += new
        self.last_state = self.seq()
        if out["status"] == "pending":
            combat["ask"] = {**out["pending"], "seq": self.seq()}
        else:
            self.write_back(out["result"])
            self.combat = None
        self.write("order", {**line, "events": new})

    def new_events(self, events):
        """The events beyond those in earlier lines of this combat."""
        before = [e for e in self.combat["events"]]
        start = 0
        for event in before:
            if start < len(events) and events[start] == event:
                start += 1
            elif event.get("e") not in ("ask", "change"):
                raise AssertionError("a run does not repeat its events")
        return events[start:]

    def write_back(self, result):
        """Change the rosters as the result says."""
        for units in self.roster.values():
            for name, end in result["units"].items():
                if name in units:
                    units[name]["strength"] = end["strength"]
                    if end["state"] in ("broken", "retired"):
                        self.gone.add(name)

    def upkeep(self):
        """Give the upkeep orders of a turn."""

    def end(self):
        """Resign and close, or close only."""
        if self.rng.random() < 0.6:
            self.enter("resign")
            self.last_state = self.seq()
            seat = self.rng.choice((1, 2))
            line = self.order(seat, "resign", {}, after=self.seq() - 1)
            self.write("order", {**line, "events": []})
        for seat in self.rng.sample((1, 2), 2):
            self.small_talk()
            self.say(seat, "close", {})
        self.enter("finished")

    def free(self):
        """Roll dice for no combat."""
        self.enter("free")
        seat = self.side()
        n = self.frees.get(seat, 0) + 1
        place = "f/%d/%d" % (seat, n)
        args = {"dice": 3, "sides": 20, "for": self.text("weather")}
        line = self.order(seat, "free", args, place)
        other = None
        if self.scheme == "live-1":
            other = 3 - seat
            owing = self.seq()
            self.last_state = owing
            owes = {"seat": other, "place": place}
            self.write("order", {**line, "owes": owes, "events": []})
            if self.rng.random() < 0.3:
                why = self.text("not now")
                args = {"to": owing, "say": "object", "why": why}
                self.last_state = self.seq()
                line = self.order(other, "answer", args, after=owing)
                self.write("order", {**line, "events": []})
                return
            proof = self.own(other, place, "other/1")[0].hex()
            args = {"to": owing, "say": "agree"}
            line = self.order(other, "answer", args, place, other=proof)
        self.frees[seat] = n
        proof, beta = self.dice_from(seat, place, other)
        rolls = [
            {"label": "free", "sides": 20,
             "dice": crypto.roll_dice(beta, "free", 3, 20)}
        ]
        dice = {"place": place, "proof": proof.hex(), "rolls": rolls}
        self.last_state = self.seq()
        self.write("order", {**line, "dice": dice, "events": []})

    def statement(self, seat, do, key, signer=None, **more):
        """Write a key statement; more: members that are not as they are."""
        self.enter("key")
        former = self.statements[seat]
        prev = form.ZERO
        if former:
            data = former[-1].encode()
            prev = crypto.sha256(crypto.tag("key/1"), data).hex()
        text = form.compact(
            {
                "v": 1,
                "server": ed_expand(self.server)[2].hex(),
                "account": self.players[seat]["account"],
                "n": len(former) + 1,
                "prev": prev,
                "do": do,
                "key": key,
                "now": "2026-11-20T11:00:00.000Z",
                **more,
            }
        )
        former.append(text)
        seed = signer or self.players[seat]["ed"]
        sig = ed_sign(seed, crypto.tag("key/1") + text.encode())
        line = {
            "seat": seat,
            "key": ed_expand(seed)[2].hex(),
            "statement": text,
            "sig": sig.hex(),
        }
        self.write("key", line)

    def change_keys(self):
        """Add a key, drop the old one, then lose all."""
        new, last = secret("second key"), secret("third key")
        self.statement(1, "add", ed_expand(new)[2].hex())
        self.statement(1, "drop", self.public(1), new)
        self.players[1]["ed"] = new
        self.small_talk()
        self.statement(
            1, "reset", ed_expand(last)[2].hex(), secret("recovery"))
        self.players[1]["ed"] = last
        self.small_talk()

    def play_game(self, turns):
        """Play the whole game; a fault ends it where it enters."""
        try:
            self.begin()
            for _ in range(turns):
                if self.settings.get("free"):
                    self.free()
                for _ in range(self.rng.randint(0, 2)):
                    self.small_talk()
                    self.fight()
                self.upkeep()
                if self.settings.get("recovery") and self.turn == 2:
                    self.change_keys()
                self.end_turn()
                self.pass_turns()
            self.end()
        except Done:
            pass
        return self.file()

    def file(self):
        """The record as a file, with its side lines."""
        named = b"\n".join(self.raw).decode("utf-8", "replace")
        side = []
        for name in sorted(self.texts):
            if name in named:
                salt, value = self.texts[name]
                line = {"text": name, "salt": salt, "value": value}
                side.append(form.compact(line).encode())
        for name in sorted(self.blobs):
            if name in named:
                line = {"blob": name, "value": self.blobs[name]}
                side.append(form.compact(line).encode())
        if self.fault is not None and "side" in self.fault.stages:
            side = self.fault.stages["side"](self, side)
        data = b"\n".join(self.raw + side) + b"\n"
        if self.fault is not None and "file" in self.fault.stages:
            data = self.fault.stages["file"](self, data)
        return data
