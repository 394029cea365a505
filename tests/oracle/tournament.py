# SPDX-License-Identifier: ISC
"""A tournament as its record tells it (umpire-tournament-record.7).

Tournament.take() raises Bad for a line that must not stand there and Unknown
for one that only a later version can judge; after the first Unknown it still
checks bytes, chain, marks, orders' heads and signatures.

Tournament.write() is for who makes records: it gives a line its pool and its
events instead of comparing them.
"""

import hashlib

from record_clock import time_ms
from record_crypto import ed_verify, sha256, tag
from record_form import (
    MARK_SIZE,
    MAX_LINE,
    Unknown,
    ZERO,
    is_ed_key,
    is_hash,
    is_hex,
    is_same,
    is_text,
    is_time,
    read_line,
    want,
    want_shape,
)
from record_orders import read_order
from tournament_accounts import Accounts
from tournament_draw import Draw
from tournament_entries import Entries
from tournament_form import (
    DATA,
    check_known,
    check_line_form,
    check_order_args,
    check_order_head,
    check_terms,
)
from tournament_games import Shelf
from tournament_matches import Matches
from tournament_points import Points
from tournament_results import Results
from tournament_rulings import Rulings

BEFORE = ("deputy", "enter", "admit", "withdraw", "bye", "dice-key", "shut",
          "checkin", "start", "say", "ruling")
DONE = ("shut", "checkin", "start")


class Tournament(Accounts, Entries, Draw, Results, Matches, Rulings, Points):
    """What the record says so far, line by line."""

    def __init__(self, side, shelf=None, games=True, old=None):
        self.side = side
        self.shelf = shelf or Shelf()
        self.games = games  # look at the games
        self.old = old  # of another server, cut: who it continues
        self.notes = []
        self.filling = False
        self.hashes = []
        self.at = ""
        self.at_ms = self.now_ms = 0
        self.id = None
        self.server_key = None
        self.terms = None
        self.args = None
        self.beyond = None
        self.nonces = set()
        self.apart = {}
        self.latest_ms = 0  # by any author's clock
        # Accounts.
        self.accounts = {}
        self.keys_ever = {}
        self.dice_keys_ever = {}
        self.directors = set()
        self.witness = None
        self.witnesses = {}  # account -> how it was named last
        self.operator_keys = {}
        # Entries and lots.
        self.entrants = {}
        self.number_of = {}
        self.phase = "entries"  # "checkin", "play", "over"
        self.halted = self.closed = False
        self.pool = None
        self.restoreds = 0
        self.shut_at = None  # of shut, or of the last restored after it
        self.complete_at = None
        self.checkins = {}
        self.lots_order = []
        self.initial_side = None
        self.alone = False  # started without the witness
        # Rounds.
        self.planned = 0
        self.last = None  # by stop
        self.swiss_rounds = 0
        self.cut = 0
        self.seeds = None
        self.rounds = []
        self.void_games = set()
        self.started_at = 0
        self.last_result_at = None
        self.last_ruling_at = None
        self.protests = {}
        self.kept_apart = []
        self.rules = []  # (round, version)
        self.notices = {}
        self.game_lines = {}  # game -> (seq, round, table, leg)
        self.results_of = {}  # game -> lines
        self.told = []  # rulings and the like, for people

    # Lines.

    def take(self, data):
        """Take the next line."""
        want(not self.closed, "a line after the end of the record")
        want(len(data) + 1 <= MAX_LINE, "line too long")
        line = read_line(data)
        check_line_form(line)
        seq = len(self.hashes)
        want(line.get("seq") == seq, "seq is not %d", seq)
        want(line.get("prev") == (self.hashes[-1] if seq else ZERO),
             "prev is not the hash before")
        want(is_time(line.get("at")), "at is no time")
        want(line["at"] >= self.at, "at is earlier than before")
        if seq == 0:
            self.begin(line)
        want(line.get("tournament") == self.id.hex(), "another tournament")
        self.check_mark(line, data)
        self.line_hash = hashlib.sha256(data).hexdigest()
        try:
            self.take_marked(line, seq)
        finally:
            self.hashes.append(self.line_hash)

    def write(self, line, finish):
        """Fill a line's pool and events in, and take it.

        finish(line) gives its bytes.
        """
        line = dict(line)
        if line["seq"] == 0:
            self.begin(line)
        self.filling = True
        self.line_hash = None
        self.take_marked(line, line["seq"])
        self.filling = False
        data = finish(line)
        self.hashes.append(hashlib.sha256(data).hexdigest())
        for rnd in self.rounds:
            rnd.line = rnd.line or self.hashes[-1]
        return data

    def begin(self, line):
        """Take the server's key and the id from the create order."""
        want(line.get("kind") == "order", "line 0 is no order")
        want(is_text(line.get("order")), "line 0 is no order")
        order = read_order(line["order"])
        self.server_key = order.get("server")
        want(is_ed_key(self.server_key), "the server's key is refused")
        self.id = sha256(tag("tournament/1"), line["order"].encode("utf-8"))
        if line["v"] != 1 and is_hash(line.get("tournament")):
            self.id = bytes.fromhex(line["tournament"])

    def check_mark(self, line, data):
        """Check the server's mark over all that stands before it."""
        want(is_hex(line.get("mark"), 128), "no mark")
        want(data[-MARK_SIZE:] == b',"mark":"%s"}' % line["mark"].encode(),
             "the mark is not last")
        want(
            ed_verify(
                bytes.fromhex(self.server_key),
                tag("mark/1") + sha256(data[:-MARK_SIZE]),
                bytes.fromhex(line["mark"]),
            ),
            "the mark is wrong",
        )

    def take_marked(self, line, seq):
        """Take a line whose mark is right."""
        if line.get("v") != 1:
            raise Unknown("a line of another format")
        self.line = line
        self.at = line["at"]
        self.at_ms = time_ms(line["at"])
        self.seq = seq
        self.events = []
        self.moved = False
        kind = line["kind"]
        if kind == "order":
            self.take_order(line, seq)
        elif kind == "key":
            self.take_key(line, seq)
            return
        elif kind == "server":
            self.take_server(line, seq)
        else:
            raise Unknown("a line of the unknown kind %r" % kind)
        if self.beyond is None:
            self.settle(line)

    def settle(self, line):
        """Hold pool and events of the line against what they must be."""
        if self.filling:
            if self.moved:
                line["pool"] = self.pool.hex()
            line["events"] = self.events
            return
        want(self.moved == ("pool" in line), "pool is there or not, wrongly")
        if self.moved:
            want(line["pool"] == self.pool.hex(), "the pool is wrong")
        for i, event in enumerate(self.events):
            want(i < len(line["events"]), "the event %r is missing",
                 event["e"])
            want(is_same(event, line["events"][i])
                 and list(event) == list(line["events"][i]),
                 "the event %r is wrong", event["e"])
        want(len(line["events"]) == len(self.events),
             "an event that does not follow")

    # Orders.

    def take_order(self, line, seq):
        """Check an order as far as its signature, then by its kind."""
        order = read_order(line["order"])
        if self.beyond is None:
            check_order_head(order)
            want((order["kind"] == "create") == (seq == 0),
                 "create is the first line and only that")
        want(order.get("server") == self.server_key, "for another server")
        if seq > 0:
            want(order.get("tournament") == self.id.hex(),
                 "an order of another tournament")
            want(order.get("by") == line["by"], "an order of another account")
            want(order["after"] < seq, "after is not before this line")
            want(order["head"] == self.hashes[order["after"]],
                 "head is not the hash of line %d", order["after"])
        want(
            ed_verify(
                bytes.fromhex(line["key"]),
                tag("entry/1") + line["order"].encode("utf-8"),
                bytes.fromhex(line["sig"]),
            ),
            "the signature is wrong",
        )
        if self.beyond is not None:
            return
        check_known(order)
        check_order_args(order)
        kind = order["kind"]
        if kind not in ("create", "deputy", "enter"):
            self.want_key(line)
        nonce = (line["by"], order["nonce"])
        want(nonce not in self.nonces, "the nonce was used before")
        self.nonces.add(nonce)
        self.compare_clocks(line, order, seq)
        self.want_phase(kind, order["args"])
        want("dice" not in line or kind == "start", "%s with dice", kind)
        for name in ("why", "ref", "name"):
            if name in order["args"]:
                self.side.name("text", order["args"][name])
        take = getattr(self, "take_" + kind.replace("-", "_"))
        take(line, order, order["args"])

    def want_phase(self, kind, args):
        """Want a kind that may be given now (S15.5)."""
        if kind == "create":
            return
        if self.phase == "over" or self.halted:
            want(kind == "say", "%s after the end", kind)
        elif self.phase == "play":
            want(kind not in DONE, "%s after the start", kind)
        else:
            want(kind in BEFORE, "%s before the start", kind)
            want(kind != "ruling" or "accept" in args or "witness" in args,
                 "such a ruling before the start")

    def compare_clocks(self, line, order, seq):
        """Keep how far an account's clock was from the server's."""
        self.now_ms = time_ms(order["now"])
        self.latest_ms = max(self.latest_ms, self.now_ms)
        ahead = self.now_ms - self.at_ms
        apart = self.apart.setdefault(line["by"], {
            "account": line["by"], "at_less_now_ms": 0, "now_less_at_ms": 0,
            "lines": [],
        })
        apart["at_less_now_ms"] = max(apart["at_less_now_ms"], -ahead)
        apart["now_less_at_ms"] = max(apart["now_less_at_ms"], ahead)
        if abs(ahead) > 120000:
            apart["lines"].append(seq)

    def passed(self, since, seconds):
        """Whether a time has passed, by both clocks."""
        end = since + seconds * 1000
        return self.at_ms >= end and self.now_ms >= end

    def want_director(self, line):
        """Want an order of a director."""
        want(line["by"] in self.directors, "not a director")

    def take_create(self, line, order, args):
        """Take the terms, and the director."""
        self.args = args
        self.terms = check_terms(args)
        director = args["director"]
        want(line["by"] == director["account"], "not by the director")
        want(line["key"] == director["key"], "not the director's key")
        self.dice_keys_ever[args["server_dice"]] = None
        if "witness" in args:
            self.name_witness(args["witness"])
        self.name_account(director)
        self.directors.add(director["account"])
        for each in args["scenarios"]:
            self.side.name("blob", each["roster"])
            for name in each["tables"]:
                self.side.name("blob", name)
        if "continues" in args:
            self.begin_again(args)

    def take_say(self, line, order, args):
        """Take words."""

    # Server lines.

    def take_server(self, line, seq):
        """Take a line of the server."""
        if self.beyond is not None:
            return
        what, data = line["what"], line["data"]
        take = {
            "game": self.take_game,
            "result": self.take_result,
            "restored": self.take_restored,
            "fault": self.take_fault,
            "closed": self.take_closed,
            "operator-key": self.take_operator_key,
        }.get(what)
        if take is None:
            raise Unknown("a server line %r" % what)
        want_shape(data, what, DATA[what])
        if self.phase == "over" or self.halted:
            want(what in ("closed", "restored"), "%s after the end", what)
        take(data, seq)

    def take_restored(self, data, seq):
        """Lines may have been lost (S21.3)."""
        want(data["seq"] == seq, "restored names not its own number")
        for leg in self.notices.values():
            leg.notice = None
        self.notices = {}
        self.told.append("line %d: restored" % seq)
        if self.phase == "checkin":
            self.restore_lots(seq)

    def take_fault(self, data, seq):
        """The code failed in the line before."""
        want(data["seq"] == seq - 1, "fault names not the line before")
        self.halted = True
        self.notes.append("the code failed in line %d" % data["seq"])
        self.beyond = "fault"

    def take_closed(self, data, seq):
        """The operator ends the record."""
        self.side.name("text", data["why"])
        self.closed = True
        self.told.append("line %d: closed" % seq)
