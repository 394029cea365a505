# SPDX-License-Identifier: ISC
"""Lines of the server: somebody else in a seat, lost lines, the end.

Servers is the part of Game (record_game.py) that takes server lines and the
accepts that they need: umpire-record.7 S4, S4.2 and S4.3.
"""

from record_crypto import sha256, tag
from record_form import (
    Unknown,
    is_account,
    is_count,
    is_dice_key,
    is_ed_key,
    is_from,
    is_hash,
    is_text,
    want,
    want_shape,
)
from record_orders import is_keys
from record_parts import WITNESS

OPERATOR_KEY = [
    ("seat", is_from(0, 16), True),
    ("account", is_account, True),
    ("key", is_ed_key, True),
    ("dice_key", is_dice_key, True),
    ("kn", is_count, True),
    ("kprev", is_hash, True),
    ("keys", is_keys, False),
    ("recovery", is_ed_key, False),
    ("why", is_hash, True),
]
FAULT = [("seq", is_count, True), ("text", is_text, True)]


class Servers:
    """Lines of the server; Game has the rest."""

    def take_server(self, line, seq):
        """Take a line of the server."""
        if self.beyond is not None:
            return
        take = {
            "closed": self.take_closed,
            "fault": self.take_fault,
            "operator-key": self.take_operator_key,
            "restored": self.take_restored,
        }.get(line["what"])
        if take is None:
            raise Unknown("a server line %r" % line["what"])
        want(not self.halted or line["what"] == "closed",
             "%s in a halted game", line["what"])
        want(line["events"] == [], "%s with events", line["what"])
        want(("pool" in line) == (line["what"] == "restored"),
             "%s: pool is there or not, wrongly", line["what"])
        take(line, line["data"], seq)

    def take_closed(self, line, data, seq):
        """The operator ends the record."""
        want_shape(data, "closed", [("why", is_hash, True)])
        self.side.name("text", data["why"])
        self.finished = self.server_closed = True

    def take_fault(self, line, data, seq):
        """The rules failed in the line before."""
        want_shape(data, "fault", FAULT)
        want(data["seq"] == seq - 1, "fault names not the line before")
        self.halted = self.over = True
        self.note_state(seq)

    # Somebody else in a seat (S4.2).

    def take_operator_key(self, line, data, seq):
        """Take the proposal that somebody else gets a seat."""
        want_shape(data, "operator-key", OPERATOR_KEY)
        want(self.started and not self.over, "operator-key out of play")
        want(data["seat"] in self.seats, "operator-key: no such seat")
        self.side.name("text", data["why"])
        self.check_newcomer(data)
        self.operator_keys = {
            at: other for at, other in self.operator_keys.items()
            if other["data"]["seat"] != data["seat"]
        }
        self.operator_keys[seq] = {
            "data": data,
            "need": set(self.seats) - {WITNESS, data["seat"]},
            "voters": set(self.seats) - {WITNESS, data["seat"]},
        }

    def check_newcomer(self, data):
        """The account and the keys of somebody new are in no other seat."""
        for number, other in self.seats.items():
            want(number == data["seat"] or other.account != data["account"],
                 "an account in two seats")
        for key in (data["key"], *data.get("keys", ())):
            self.want_new_key(key)
        want(data["dice_key"] not in self.dice_keys_ever,
             "a dice key that was there")
        self.check_keys(data, data["seat"])

    def accept_operator_key(self, line, order):
        """Take an accept of it; tell whether that seats somebody."""
        to = order["args"]["to"]
        waits = self.operator_keys[to]
        number = waits["data"]["seat"]
        want("place" not in order, "accept with place")
        want(line["seat"] in waits["need"], "an accept that is not asked")
        want(self.owed is None or self.owed["seat"] == number,
             "an accept while another seat owes an answer")
        waits["need"].discard(line["seat"])
        if waits["need"]:
            return False
        del self.operator_keys[to]
        self.seat_anew(line, waits["data"], to)
        return True

    def seat_anew(self, line, data, seq):
        """Let somebody else have a seat."""
        self.check_newcomer(data)
        number = data["seat"]
        seat = self.seats[number]
        self.newcomers.append((seq, number, seat.account, data["account"],
                               len(self.hashes)))
        self.void_for(number)
        seat.account = data["account"]
        seat.keys = {data["key"], *data.get("keys", ())}
        seat.recovery = data.get("recovery")
        seat.statement_n, seat.statement_hash = data["kn"], data["kprev"]
        seat.waiting_key = None
        seat.had |= seat.keys
        self.dice_keys_ever.add(data["dice_key"])
        self.rekey(number, data["dice_key"])
        self.want_pool(line)
        self.begin_round()
        self.line_is_calm = True

    def void_for(self, number):
        """Void what waits for somebody who leaves a seat."""
        owed, combat = self.owed, self.combat
        is_open = combat is not None and combat.state != "over"
        if owed is not None and owed["seat"] == number:
            self.owed = None
            if owed["final"] and is_open:
                self.take_back(combat.seq)
            else:
                self.void_order(owed)
        elif is_open and combat.commits:
            self.take_back(combat.seq)

    def decline_operator_key(self, line, to):
        """Take a note that declines one."""
        want(line["seat"] in self.operator_keys[to]["voters"],
             "declined by another seat")
        del self.operator_keys[to]

    def is_server_line(self, to):
        """Tell whether a line of the server waits for accepts."""
        return to in self.operator_keys or (
            self.restored is not None and to == self.restored["seq"]
        )

    # Lost lines (S4.3).

    def take_restored(self, line, data, seq):
        """Lines were lost: dice fall anew, once all have accepted that."""
        want_shape(data, "restored", [("seq", is_count, True)])
        want(data["seq"] == seq, "restored names another line")
        want(self.ready_seen and not self.over, "restored out of play")
        self.shift_pool(sha256(
            tag("restored/1"), self.pool, seq.to_bytes(8, "big")))
        self.want_pool(line)
        owed, self.owed = self.owed, None
        if self.combat is not None and self.combat.state != "over":
            self.take_back(self.combat.seq)
        elif owed is not None:
            self.void_order(owed)
        self.begin_round()
        self.offers.clear()
        self.adjudication = None
        self.closed_seats.clear()
        self.restored = {"seq": seq, "need": set(self.seats) - {WITNESS}}
        self.restorings[seq] = self.restored["need"]
        for standing in self.standings.values():
            if not standing.opened:
                standing.withdrawn = standing.lost = True
        self.note_state(seq)
        self.line_is_restored = True

    def accept_restored(self, line, order):
        """Take an accept of lost lines."""
        want("place" not in order, "accept with place")
        want(line["seat"] in self.restored["need"],
             "an accept that is not asked")
        self.restored["need"].discard(line["seat"])
        if not self.restored["need"]:
            self.restored = None

    def tell_server(self):
        """Say who came into a seat, and what was restored (S10.2)."""
        told = [
            "line %d: seat %d was given from %s to %s" % each[:4]
            for each in self.newcomers
        ]
        for seq, need in self.restorings.items():
            told.append("line %d: lines were lost, not accepted by %s" % (
                seq, " ".join(map(str, sorted(need))) or "nobody"))
        return told
