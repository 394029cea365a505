# SPDX-License-Identifier: ISC
"""The keys of seats: statements, new dice keys, and rounds of `ready`.

Keys is the part of Game (record_game.py) that takes key lines and the orders
dice-key and ready: umpire-record.7 S4 and S6.5.
"""

from record_crypto import ed_verify, sha256, tag
from record_form import (
    Unknown,
    ZERO,
    is_count,
    is_ed_key,
    is_hash,
    is_int,
    is_object,
    is_text,
    is_time,
    read_json,
    want,
)
from record_orders import MAX_ORDER
from record_parts import Seat, WITNESS

MAX_KEYS = 16
DICE_KEYS_A_TURN = 2
STATEMENT = {
    "v": is_int,
    "server": is_hash,
    "account": is_text,
    "n": is_count,
    "prev": is_hash,
    "do": is_text,
    "now": is_time,
}


class Keys:
    """Keys of seats, and the rounds that new dice keys call for."""

    # Seats.

    def take_seat(self, args, seq):
        """Seat somebody, with keys that nobody else has."""
        self.check_keys(args, args["seat"])
        for other in self.seats.values():
            want(args["dice_key"] != other.dice_key, "a dice key in two seats")
        if "name" in args:
            self.side.name("text", args["name"])
        self.seats[args["seat"]] = Seat(args, seq)
        self.dice_keys_ever.add(args["dice_key"])

    def check_keys(self, args, seat):
        """None of the keys of a seat, or its recovery key, is another's."""
        if args["kn"] == 0:
            want(args["kprev"] == ZERO, "kprev without a statement")
        keys = {args["key"], *args.get("keys", ())}
        mine = keys | {args.get("recovery")} - {None}
        want(args.get("recovery") not in keys, "a recovery key is a key")
        want(args["key"] not in args.get("keys", ()), "a key twice")
        if seat != WITNESS:
            want(self.witness_key() not in mine, "a key is the witness's")
        for number, other in self.seats.items():
            theirs = other.keys | {other.recovery} - {None}
            want(number == seat or not theirs & mine, "a key in two seats")

    # Key statements.

    def take_key(self, line, seq):
        """Take a key statement."""
        data = line["statement"].encode("utf-8")
        text = None
        if self.beyond is None:
            text = self.read_statement(line, data)
        want(
            ed_verify(
                bytes.fromhex(line["key"]),
                tag("key/1") + data,
                bytes.fromhex(line["sig"]),
            ),
            "the signature is wrong",
        )
        if self.beyond is not None:
            return
        if text["do"] not in ("add", "drop", "reset"):
            raise Unknown("a key statement that does %r" % text["do"])
        seat = self.seats[line["seat"]]
        want(line["seat"] != WITNESS, "a statement of the witness")
        want("pool" not in line, "a pool that does not move")
        want(text["n"] == seat.statement_n + 1,
             "the statement is not number %d", seat.statement_n + 1)
        want(text["prev"] == seat.statement_hash, "prev is wrong")
        if text["do"] == "reset":
            want(line["key"] == seat.recovery, "not the recovery key")
        else:
            want(line["key"] in seat.keys, "the key is not valid for the seat")
        self.change_keys(seat, text["do"], text["key"])
        seat.statement_n += 1
        seat.statement_hash = sha256(tag("key/1"), data).hex()

    def read_statement(self, line, data):
        """Read a statement, of the server and of the account of the seat."""
        want(2 <= len(data) <= MAX_ORDER, "a statement of %d bytes", len(data))
        text = read_json(data)
        want(is_object(text), "the statement is no object")
        want(set(text) == {*STATEMENT, "key"},
             "the statement has other members")
        for name, check in STATEMENT.items():
            want(check(text[name]), "the statement's %s is wrong", name)
        want(text["v"] == 1, "the statement's v")
        want(line["seat"] in self.seats, "nobody has this seat")
        want(text["server"] == self.server_key, "for another server")
        want(text["account"] == self.seats[line["seat"]].account,
             "of another account")
        return text

    def change_keys(self, seat, do, key):
        """Add a key, drop one, or have one alone."""
        want(is_ed_key(key), "the key is refused")
        if do == "drop":
            want(key in seat.keys, "a key that is not there is dropped")
            seat.keys.discard(key)
            want(seat.keys, "the last key is dropped")
            return
        self.want_new_key(key)
        if do == "reset":
            seat.keys = set()
        seat.keys.add(key)
        seat.had.add(key)
        want(len(seat.keys) <= MAX_KEYS, "more than 16 keys")

    def want_new_key(self, key):
        """Want a key that was never one of a seat, nor recovers one."""
        want(key != self.witness_key(), "a key that is the witness's")
        for other in self.seats.values():
            want(key not in other.had, "a key that was there before")
            want(key != other.recovery, "a key that is a recovery key")

    # Dice keys.

    def take_dice_key(self, line, order, seq):
        """Take a new dice key; tell whether it moves the pool."""
        want(not self.over, "a dice key after the end")
        seat, key = self.seats[line["seat"]], order["args"]["dice_key"]
        turn = self.turn_ends + 1
        given = seat.dice_keys_of.get(turn, 0)
        want(given < DICE_KEYS_A_TURN, "a third dice key in a turn")
        want(key not in self.dice_keys_ever, "a dice key that was there")
        seat.dice_keys_of[turn] = given + 1
        self.dice_keys_ever.add(key)
        seat.waiting_key = None
        if self.due:
            self.rekey(line["seat"], key)
            self.want_pool(line)
            self.begin_round()
            return True
        if self.ready_seen:
            seat.waiting_key = key
            return False
        seat.dice_key = key
        if set(self.seats) == self.all_seats:
            self.fill_pool()
        return False

    def rekey(self, number, key):
        """Move the pool for the new dice key of a seat."""
        self.seats[number].dice_key = key
        self.shift_pool(sha256(
            tag("rekey/1"), self.pool, bytes((number,)), bytes.fromhex(key)))

    def rekey_waiting(self):
        """At the end of a turn let the keys that wait count."""
        waiting = sorted(
            number for number, seat in self.seats.items() if seat.waiting_key
        )
        for number in waiting:
            self.rekey(number, self.seats[number].waiting_key)
            self.seats[number].waiting_key = None
        if waiting:
            self.begin_round()

    # Rounds.

    def begin_round(self):
        """Ask for `ready`, of all but the witness once play has begun."""
        self.ready = {}
        self.waits_ready = True
        self.due = True

    def round_seats(self):
        """The seats whose `ready` the round needs."""
        return self.all_seats - ({WITNESS} if self.started else set())

    def take_ready(self, line, order):
        """Take a contribution; the last one moves the pool."""
        want(self.waits_ready and self.restored is None,
             "ready where none is waited for")
        want(line["seat"] in self.round_seats(), "ready of the witness")
        want(line["seat"] not in self.ready, "ready twice")
        place = "p/%d" % self.epoch
        self.ready[line["seat"]] = self.check_own(line, order, place)
        self.ready_seen = True
        if set(self.ready) != self.round_seats():
            return False
        self.use_place(place)
        betas = b"".join(self.ready[s] for s in sorted(self.ready))
        self.shift_pool(sha256(tag("pool/1"), self.pool, betas))
        self.want_pool(line)
        self.line_is_calm = self.started
        if not self.started:
            self.started = True
            self.offers = {
                s: o for s, o in self.offers.items() if o.what != "roster"
            }
        self.waits_ready = self.due = False
        self.ready = {}
        return True

    def take_when_due(self, order):
        """Take only what a later round leaves room for (S5)."""
        kind, args = order["kind"], order["args"]
        if kind == "accept":
            want(self.is_server_line(args["to"]), "%s while a round is due",
                 kind)
        elif kind == "ruling":
            want("claim" in args, "%s while a round is due", kind)
        else:
            want(kind in self.DUE, "%s while a round is due", kind)
