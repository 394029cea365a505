# SPDX-License-Identifier: ISC
"""One change of one line of a random game (forge_walk.py), made with all keys.

TARGETS names, for each kind of line that Walk tells apart, the members that
are forged; a member is a stage of the making, as Followed has them, and a path
in what is made there. Forgery makes the change: another value that could pass,
such as the key of another seat or a number next to it, a value of no lawful
form, a member that is missing or one too many; or, of the whole line, that it
is left out, given twice, given late or by somebody else. What covers it is
signed, proved and chained behind the change.
"""

import json
import random

import record_form as form
from forge import ed_expand, secret
from forge_walk import DICE, ED, RECOVERY, SEATS, dice_of, ed_of
from record_clock import WEEK_MS, time_ms
from record_parts import WITNESS

GONE = object()  # the member is left out

ORDER = ("after", "now", "seat")
ANY = ("drop", "twice", "late", "by", "at", "signer")
PROVED = ("place", "own")
STATEMENT = ("v", "server", "account", "n", "prev", "do", "key", "now")
KEYS = ("key", "dice_key", "account", "kn", "kprev", "keys", "recovery",
        "seat")


def order_of(*args, members=ORDER, line=(), whole=ANY):
    """The members of a line with an order, args first."""
    return (
        [("order", ("args",) + tuple(name.split("."))) for name in args]
        + [("order", (name,)) for name in members]
        + [("line", tuple(name.split("."))) for name in line]
        + [(name, ()) for name in whole]
    )


def owing(members=ORDER):
    """The members of a line that owes an answer."""
    return order_of(members=members + PROVED,
                    line=("owes.seat", "owes.place", "owes", "events",
                          "dice", "pool"))


def server_of(*data, line=()):
    """The members of a server line."""
    return (
        [("line", ("data", name)) for name in data]
        + [("line", (name,)) for name in ("what", "data", "events") + line]
        + [(name, ()) for name in ("drop", "twice", "late", "at", "shuffle")]
    )


CREATE = order_of(
    "options.witness", "options.witness_s", "confirm", "clock.notice_s",
    "scheme", "silence", "clock.then", *KEYS, members=("now",),
    whole=("twice", "signer"))
NOTE = order_of("to", "say", "why")
CLAIM = order_of("to", members=ORDER + PROVED, line=("pool", "owes"))
ANSWER = order_of("to", "say", "why", members=ORDER + ("place", "other"),
                  line=("dice", "events", "owes"))
READY = order_of(members=ORDER + PROVED, line=("pool",))
DICE_KEY = order_of("dice_key", members=ORDER + ("place",), line=("pool",))
ACCEPT = order_of("to", members=ORDER + PROVED, line=("pool", "events"))
SAID = (
    [("statement", (name,)) for name in STATEMENT + ("more",)]
    + [("line", (name,)) for name in ("seat", "key", "pool", "events")]
    + [(name, ()) for name in ("drop", "twice", "late", "at", "signer")]
)

TARGETS = {
    "create": CREATE,
    "join": order_of(*KEYS, whole=ANY),
    "join of the witness": order_of(*KEYS, whole=ANY),
    "ready": READY,
    "ready of the witness": READY,
    "ready anew": READY,
    "ready of a later round": READY,
    "dice-key before ready": DICE_KEY,
    "dice-key between readies": DICE_KEY,
    "dice-key in play": DICE_KEY,
    "dice-key in a round": DICE_KEY,
    "turn.end that rekeys": order_of(members=ORDER + PROVED,
                                     line=("pool", "events")),
    "claim": CLAIM,
    "claim, first": CLAIM,
    "claim, second": CLAIM,
    "claim on silence": CLAIM,
    "claim on the judge": CLAIM,
    "note passed": NOTE,
    "note answered": NOTE,
    "note anew": NOTE,
    "note on operator-key": NOTE,
    "accept of restored": ACCEPT,
    "accept of operator-key": ACCEPT,
    "accept of witness-out": ACCEPT,
    "offer witness-out": order_of("what", "why"),
    "answer of the witness": ANSWER,
    "answer in the witness's stead": ANSWER,
    "answer to a fact": ANSWER,
    "answer of the judge": ANSWER,
    "declare that owes the witness": owing(),
    "decide that owes the witness": owing(),
    "commit that owes the witness": owing(),
    "open that owes the witness": owing(),
    "free that owes the witness": owing(),
    "answer that owes the witness": owing(),
    "declare for the judge": owing(),
    "decide for the judge": owing(),
    "fact": owing(),
    "statement add": SAID,
    "statement drop": SAID,
    "statement reset": SAID,
    "server restored": server_of("seq", "more", line=("pool",)),
    "server closed": server_of("why", "more", line=("pool",)),
    "server operator-key": server_of(
        "seat", "account", "key", "dice_key", "kn", "kprev", "keys",
        "recovery", "why", "more", line=("pool",)),
}


def name_of(target):
    """A target as people read it."""
    label, (stage, path) = target
    return "%s: %s" % (label, " ".join((stage,) + (
        (".".join(path),) if path else ())))


def all_targets():
    """Every kind of line with every member of it."""
    return [(label, member) for label, members in TARGETS.items()
            for member in members]


class Forgery:
    """A change of the line with one number."""

    def __init__(self, seq, target, seed):
        self.seq = seq
        self.label, (self.stage, self.path) = target
        self.rng = random.Random("forgery %s" % seed)
        # What hangs on the change goes with it: who signs, the line's seat.
        self.follows = self.rng.random() < 0.6
        self.was_done = False
        self.order = None

    def done(self, forge):
        """The change is made."""
        self.was_done = True
        forge.forgery_line = len(forge.raw) + 1

    def apply(self, forge, name, kind, value):
        """Change what is made at one stage of the line."""
        if name == "order":
            self.order = value
        if name == "signer":
            return self.signer(forge, kind, value)
        if name == "line" and self.stage in ("at", "twice", "late"):
            self.change_line(forge, value)
            return value
        if name != self.stage or not self.path:
            if name == "line" and self.stage == "shuffle":
                self.shuffle(forge, value)
            return value
        self.done(forge)
        self.change(forge, value)
        if name == "order" and self.follows:
            self.prove_anew(forge, value)
        if name == "line":
            in_order(value, kind)
        return value

    def change_line(self, forge, line):
        """Let a line come later, or earlier than the one before."""
        if self.stage == "at" and not self.was_done:
            self.done(forge)
            most = self.rng.choice((1, 999, 1000, 60000, 3600000, WEEK_MS))
            most *= self.rng.choice((1, 1, 1, -1))
            line["at"] = forge.time_text(forge.at + most)
        elif self.stage == "twice":
            self.done(forge)

    def shuffle(self, forge, line):
        """Let the members of data stand in another order."""
        self.done(forge)
        items = list(line.get("data", {}).items())
        self.rng.shuffle(items)
        line["data"] = dict(items)

    def signer(self, forge, kind, seed):
        """Who signs: whom the change names, or, as the change, another."""
        if self.stage == "signer":
            self.done(forge)
            seats = sorted(forge.reading.seats) or [1]
            return self.rng.choice(
                [ED[key] for s in seats
                 for key in forge.reading.seats[s].had if key in ED]
                + [secret("recovery %d" % s) for s in seats]
                + [forge.server] if forge.reading.seats else [forge.server])
        args = (self.order or {}).get("args")
        if self.follows and kind in ("create", "join") and (
            isinstance(args, dict)
        ):
            key = args.get("key")
            return ED.get(key, seed) if isinstance(key, str) else seed
        return seed

    def other_seat(self, forge, seat):
        """Another seat for an order that somebody else gives."""
        if self.was_done:
            return seat
        self.done(forge)
        seats = sorted(set(forge.reading.seats) - {seat})
        return self.rng.choice(seats) if seats else seat

    def prove_anew(self, forge, order):
        """Make the proof again where the place or the seat is another."""
        if self.path[0] not in ("place", "seat") or "place" not in order:
            return
        seat, place = order.get("seat"), order["place"]
        if seat not in forge.players or not form.is_text(place):
            return
        if "dice" not in forge.players[seat] or forge.pool is None:
            return
        for name, tag in (("own", "own/1"), ("other", "other/1")):
            if name in order:
                order[name] = forge.own(seat, place, tag)[0].hex()

    # Values.

    def change(self, forge, value):
        """Set the member that the path names."""
        *names, last = self.path
        if self.stage == "order" and names == ["args"] and (
            last == "seat" and self.follows
        ):
            told = self.other(forge, last, value["args"].get("seat"))
            put(value["args"], "seat", told)
            if "seat" in value:
                put(value, "seat", told)
            return
        for name in names:
            if not isinstance(value.get(name), dict):
                value[name] = {}
            value = value[name]
        old = value.get(last, GONE)
        put(value, last, self.other(forge, last, old))

    def other(self, forge, name, old):
        """Another value for a member."""
        if old is not GONE and self.rng.random() < 0.06:
            return GONE
        if self.rng.random() < 0.06:
            return self.rng.choice((
                None, 0, 1, -1, True, "", "x", [], {}, 2**53 - 1,
                old[:-1] if isinstance(old, str) else [old],
                old.upper() if isinstance(old, str) else -7))
        values = VALUES[name](self, forge, old)
        values = [v for v in values if v is not old and v != old or (
            type(v) is not type(old))]
        return self.rng.choice(values or [GONE])


def put(value, name, told):
    """Set a member, or leave it out."""
    if told is GONE:
        value.pop(name, None)
    else:
        value[name] = told


def in_order(line, kind):
    """Bring the members of a line into their order again."""
    names = [member[0] for member in form.LINES[kind]]
    items = [(name, line[name]) for name in names if name in line]
    items += [(name, line[name]) for name in line if name not in names]
    line.clear()
    line.update(items)


# --- What could stand in the place of a value ---


def numbers(it, forge, old):
    """Numbers of lines."""
    seq = forge.seq()
    near = [old + 1, old - 1] if form.is_int(old) else []
    game = forge.reading
    told = sorted(game.offers) + sorted(game.operator_keys) + sorted(
        game.silences) + sorted(game.witness_lines) + sorted(game.restorings)
    told += [n.seq for n in (
        game.clock.notices.values() if game.clock else ())]
    if game.owed:
        told.append(game.owed["seq"])
    return near + told * 2 + [0, seq, seq - 1, it.rng.randint(0, seq), GONE]


def before(it, forge, old):
    """Lines that an order says to have seen; its head goes with it."""
    seq = forge.seq()
    told = it.rng.choice([max(0, seq - n) for n in (1, 2, 2, 3, 4, 6)] + [
        seq, seq + 1, 0])
    if it.follows and told < seq and it.order is not None:
        it.order["head"] = forge.hashes[told]
    return [told]


def times(it, forge, old):
    """Times by the author's clock."""
    at = time_ms(old) if form.is_time(old) else forge.at
    apart = it.rng.choice((
        1, -1, 1000, -1000, 60000, -60000, 119999, 120001, -120001, 3600000,
        -3600000, -3600001, 86400000, WEEK_MS, -WEEK_MS))
    return [forge.time_text(at + apart)] * 6 + [
        GONE, forge.time_text(at)[:-1], "2026-02-30T00:00:00.000Z",
        "2026-11-06T24:00:00.000Z", "2026-11-06t15:01:01.042Z",
        "2026-11-06T15:01:60.000Z", "0000-01-01T00:00:00.000Z", at]


def seats(it, forge, old):
    """Seats."""
    return [0, 1, 2, 3, 4, WITNESS] * 3 + [5, 16, 17, 255, -1, "1"]


def ed_keys(it, forge, old):
    """Keys for signatures: of other seats, dropped ones, fresh ones."""
    taken = [key for each in forge.reading.seats.values()
             for key in sorted(each.had)]
    return taken * 2 + [RECOVERY[s] for s in SEATS] + [
        ed_of("player %d" % WITNESS), ed_of("server"),
        ed_of("forged %d" % it.rng.randint(1, 9)),
        ed_of("forged %d" % it.rng.randint(1, 9)),
        "00" * 32, "01" + "00" * 31, "ec" + "ff" * 30 + "7f", "ff" * 32,
        GONE]


def dice_keys(it, forge, old):
    """Dice keys."""
    ever = sorted(forge.reading.dice_keys_ever)
    return ever * 2 + [
        dice_of("forged dice %d" % it.rng.randint(1, 9)),
        dice_of("forged dice %d" % it.rng.randint(1, 9)),
        dice_of("server dice"), "04" + "ab" * 32, "02" + "ff" * 32,
        "02" + "00" * 32]


def key_lists(it, forge, old):
    """Lists of other keys."""
    mine = sorted(ed_of("forged %d" % n) for n in range(1, 18))
    taken = [key for each in forge.reading.seats.values()
             for key in sorted(each.had)]
    some = sorted(it.rng.sample(mine, 2))
    return [some, some[:1], some[::-1], some[:1] * 2, mine[:15], mine[:16],
            [], sorted(some + [it.rng.choice(taken or mine)]), "x",
            [RECOVERY[1]], sorted(some + [ed_of("player 1")]), GONE]


def accounts(it, forge, old):
    """Accounts."""
    return [each.account for each in forge.reading.seats.values()] * 2 + [
        "somebody", "somebody.else-1", "A", "", "-x", "a" * 32, "a" * 33]


def counts(it, forge, old):
    """Numbers of statements."""
    near = [old + 1, old - 1] if form.is_int(old) else []
    return near + [0, 1, 2, 3, 7, -1, "1"]


def hashes(it, forge, old):
    """Hashes."""
    return [form.ZERO, "%064x" % it.rng.getrandbits(256),
            it.rng.choice(forge.hashes or [form.ZERO]), GONE, "AB" * 32]


def places(it, forge, old):
    """Places."""
    game = forge.reading
    parts = old.split("/") if isinstance(old, str) else ["p", "0"]
    near = []
    if parts[-1].isdigit():
        for apart in (1, -1):
            near.append("/".join(parts[:-1] + [str(int(parts[-1]) + apart)]))
    near += ["p/%d" % max(0, game.epoch + n) for n in (-1, 0, 1)]
    return near + ["f/1/1", "c/1/ru-b/1/1", "", GONE, "p/01"]


def proofs(it, forge, old):
    """Proofs: of other seats, for other places, with another tag."""
    game = forge.reading
    made = [GONE, "02" + "ab" * 80]
    if isinstance(old, str):
        made += ["03" + old[2:], old[:-1] + ("0" if old[-1] != "0" else "1")]
    if game.pool is not None and game.game is not None:
        seat = it.rng.choice(sorted(forge.players))
        place = (it.order or {}).get("place", "p/0")
        if isinstance(place, str) and "dice" in forge.players[seat]:
            tag = it.rng.choice(("own/1", "other/1"))
            made += [forge.own(seat, place, tag)[0].hex()] * 3
    return made


def pools(it, forge, old):
    """Values of the pool."""
    game = forge.reading
    now = game.pool.hex() if game.pool else form.ZERO
    return [now, "%064x" % it.rng.getrandbits(256), GONE, now]


def owes(it, forge, old):
    """What a line owes."""
    return [GONE, {"seat": it.rng.choice((0, 1, 2, WITNESS)),
                   "place": it.rng.choice(places(it, forge, None)[:-2])},
            {}]


def events(it, forge, old):
    """Events; the second reading does not compare scores and changes."""
    have = list(old) if isinstance(old, list) else []
    seen = [e for e in have if e["e"] not in ("score", "change")]
    may = [have[:-1], have[1:], [], have + have]
    may = [told for told in may
           if [e for e in told if e in seen] != seen]
    return may + [GONE, have + [{"e": "decision"}], have + [
        {"e": "roll", "label": "free", "sides": 6, "dice": [1]}]]


def dice(it, forge, old):
    """Dice: others, fewer, for another place, or some where none are."""
    if not isinstance(old, dict):
        return [{"place": "f/1/1", "proof": "02" + "ab" * 80, "rolls": [
            {"label": "free", "sides": 6, "dice": [1]}]}]
    told = json.loads(json.dumps(old))
    what = it.rng.randint(0, 4)
    roll = told["rolls"][0]
    if what == 0:
        told["rolls"].append(roll)
    elif what == 1:
        told["place"] = it.rng.choice(places(it, forge, told["place"])[:4])
    elif what == 2:
        told["proof"] = "03" + told["proof"][2:]
    elif what == 3:
        told["rolls"].pop()
    else:
        roll["dice"] = [n % roll["sides"] + 1 for n in roll.get("dice", [])]
    return [told, GONE]


def words(*told):
    """One of some words."""
    return lambda it, forge, old: list(told) + [GONE]


VALUES = {
    "witness": ed_keys,
    "witness_s": words(59, 60, 61, 600, 86400, 86401, "600"),
    "confirm": words(True, False, "facts", "all", 1),
    "notice_s": words(0, 1, 60, 3600, 604800, 604801, "60"),
    "scheme": words("dual-1", "live-1", "live-1", "live-2"),
    "silence": words("forfeit", "director", "wait"),
    "then": words("forfeit", "default", "director", "wait"),
    "key": ed_keys,
    "recovery": ed_keys,
    "keys": key_lists,
    "dice_key": dice_keys,
    "account": accounts,
    "kn": counts,
    "n": counts,
    "v": words(0, 2, "1", 1),
    "kprev": hashes,
    "prev": hashes,
    "why": lambda it, forge, old: hashes(it, forge, old) + [
        forge.text("because"), forge.text("so it is"), "because"],
    "ref": hashes,
    "server": lambda it, forge, old: [ed_of("player 1"), ed_of("forged 1"),
                                      form.ZERO, GONE],
    "seat": seats,
    "to": numbers,
    "seq": numbers,
    "after": before,
    "now": times,
    "do": words("add", "drop", "reset", "lend", "dice-key"),
    "say": words("agree", "object", "decline", "withdraw", "refuse", "passed",
                 "answered", "anew", "maybe"),
    "what": words("draw", "truce", "witness-out", "witness-in", "takeback",
                  "restored", "closed", "operator-key", "rules",
                  "server-dice", "fault", "weather"),
    "place": places,
    "own": proofs,
    "other": proofs,
    "pool": pools,
    "owes": owes,
    "events": events,
    "dice": dice,
    "data": words({}, {"seq": 0}, [], {"why": "ab" * 32}),
    "more": words(1, "x", None),
}
