# SPDX-License-Identifier: ISC
"""A game as its record tells it, line after line (umpire-record.7 S2 to S8).

Game.take() raises Bad for a line that must not stand there and Unknown for
one that only a later version can judge; after the first Unknown it still
checks bytes, chain, marks, orders' heads and signatures.
"""

import hashlib

from record_answers import Answers
from record_clock import Clock, Clocks
from record_combat import Combats
from record_crypto import (
    base_of,
    draw_ranks,
    ed_verify,
    roll_dice,
    sha256,
    tag,
    vrf_verify,
)
from record_cups import Cups
from record_form import (
    MARK_SIZE,
    MAX_LINE,
    Unknown,
    ZERO,
    check_line_form,
    check_line_parts,
    is_ed_key,
    is_hash,
    is_hex,
    is_int,
    is_text,
    is_time,
    read_line,
    want,
)
from record_keys import Keys
from record_offers import Offers
from record_orders import (
    TURN_KINDS,
    check_known,
    check_order_args,
    check_order_head,
    check_order_tie,
    check_settings,
    check_tournament,
    read_order,
)
from record_parts import WITNESS, side_of
from record_rules import MODULES, check_round, open_book
from record_server import Servers
from record_standing import Standings
from record_told import Tellings
from record_witness import Witnesses

ROLLING = ("declare", "decide", "commit", "open", "answer", "free", "upkeep",
           "claim")
OPENING = ("declare", "decide", "commit", "open", "answer", "claim", "close")
TALK = ("chat", "propose", "offer", "standing", "cup", "note", "dice-key")
OTHERS = {
    "claim": "take_claim",
    "cup": "take_cup",
    "note": "take_note",
    "offer": "take_offer",
    "pause": "take_pause",
    "propose": "take_propose",
    "ruling": "take_ruling",
    "standing": "take_standing",
}


class Game(Combats, Answers, Clocks, Cups, Keys, Offers, Servers, Standings,
           Tellings, Witnesses):
    """What the record says so far, line by line."""

    DUE = TALK + ("ready", "accept", "resign", "claim", "ruling", "close")

    def __init__(self, side, rules):
        self.side = side
        self.rules = rules
        self.notes = []
        self.hashes = []
        self.at = ""
        self.create = None
        self.create_order = None
        self.game = None
        self.server_key = None
        self.seats = {}
        self.nonces = set()
        self.beyond = None  # why the rest is not checkable
        self.pool = None
        self.epoch = 0
        self.ready = {}
        self.started = False
        self.waits_ready = False
        self.ready_seen = False
        self.due = False  # a later round, or the first one anew
        self.dice_keys_ever = set()
        self.used_places = set()
        self.turn_ends = 0  # for places: taken back or not
        self.game_turn = 1
        self.turn_lines = []  # of turn.end, not taken back
        self.acted = False  # the side in turn has given a turn order
        self.passed = False  # the turn before passed
        self.undo = []
        self.truce = 0  # the first turn with combats again
        self.offers = {}
        self.standings = {}
        self.revealed = []
        self.cups = {}
        self.clock = None
        self.effect = None  # what a line does to the clocks
        self.adjudication = None
        self.apart = {}  # seat -> how far its clock was from the server's
        self.refused = set()
        self.line_events = []
        self.line_is_state = False
        self.line_is_move = False
        self.line_is_calm = False  # moves the pool, and is no move
        self.line_is_restored = False
        self.last_state = -1
        self.last_but_commit = -1
        self.commit_values = set()
        self.combat = None
        self.combats_drawn = {}
        self.free_rolls = {}
        self.upkeeps = {}
        self.owed = None
        self.director_answers = 0
        self.objected = {}  # what was objected to -> how often
        self.operator_keys = {}  # that wait, by their numbers
        self.newcomers = []
        self.restored = None  # what waits for accepts
        self.restorings = {}
        self.witness_out = False
        self.witness_lines = set()
        self.witness_notes = []
        self.silences = {}
        self.halted = False  # the rules have failed
        self.over = False
        self.outcome = None
        self.closed_seats = set()
        self.finished = self.server_closed = False
        self.start_telling()
        self.book = None
        self.ranks = {}  # of the draws of the line that is taken

    def tell(self):
        """What a verifier tells besides its verdict (S10)."""
        return self.tell_clocks() + self.tell_server() + self.tell_witness()

    # Lines.

    def take(self, data):
        """Take the next line."""
        want(not self.finished, "a line after the end of the game")
        want(len(data) + 1 <= MAX_LINE, "line too long")
        line = read_line(data)
        check_line_form(line)
        seq = len(self.hashes)
        want(line.get("seq") == seq, "seq is not %d", seq)
        prev = self.hashes[-1] if seq else ZERO
        want(line.get("prev") == prev, "prev is not the hash before")
        want(is_time(line.get("at")), "at is no time")
        want(line["at"] >= self.at, "at is earlier than before")
        if seq == 0:
            self.begin(line)
        want(line.get("game") == self.game.hex(), "another game")
        self.check_mark(line, data)
        self.at = line["at"]
        try:
            self.take_marked(line, seq)
        finally:
            self.hashes.append(hashlib.sha256(data).hexdigest())

    def begin(self, line):
        """Take the server's key and the game's id from the create order."""
        want(line.get("kind") == "order", "line 0 is no order")
        want(is_text(line.get("order")), "line 0 is no order")
        order = read_order(line["order"])
        self.server_key = order.get("server")
        want(is_ed_key(self.server_key), "the server's key is refused")
        if line["v"] == 1:
            self.game = sha256(tag("game/1"), line["order"].encode("utf-8"))
        else:
            want(is_hash(line.get("game")), "game is wrong")
            self.game = bytes.fromhex(line["game"])

    def check_mark(self, line, data):
        """Check the server's mark over all that stands before it."""
        want(is_hex(line.get("mark"), 128), "no mark")
        want(
            data[-MARK_SIZE:] == b',"mark":"%s"}' % line["mark"].encode(),
            "the mark is not last",
        )
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
        self.line_events = line.get("events", [])
        self.line_is_state = self.line_is_move = self.line_is_calm = False
        self.line_is_restored = False
        self.take_content(line, seq)
        if self.beyond is None:
            self.keep_time(line, self.line_is_move)

    def take_content(self, line, seq):
        """Take a line by what it holds."""
        if line["kind"] == "order":
            self.take_order(line, seq)
        elif line["kind"] == "key":
            self.take_key(line, seq)
        elif line["kind"] == "server":
            self.take_server(line, seq)
        else:
            raise Unknown("a line of the unknown kind %r" % line["kind"])

    # Orders.

    def take_order(self, line, seq):
        """Check an order as far as its signature, then by its kind."""
        order = read_order(line["order"])
        if self.beyond is not None:
            check_order_tie(order)
        else:
            check_order_head(order)
            want((order["kind"] == "create") == (seq == 0),
                 "create is the first line and only that")
        want(order["server"] == self.server_key, "an order for another server")
        if seq > 0:
            want(order["game"] == self.game.hex(), "an order of another game")
            want(order["seat"] == line["seat"], "an order of another seat")
            want(order["after"] < seq, "after is not before this line")
            want(
                order["head"] == self.hashes[order["after"]],
                "head is not the hash of line %d", order["after"],
            )
        want(
            ed_verify(
                bytes.fromhex(line["key"]),
                tag("order/1") + line["order"].encode("utf-8"),
                bytes.fromhex(line["sig"]),
            ),
            "the signature is wrong",
        )
        if self.beyond is not None:
            return
        check_known(order, (self.create or order["args"]).get("system"))
        check_line_parts(line)
        if order["kind"] in ("create", "join"):
            args = order["args"]
            want(args.get("seat") == line["seat"], "another seat in args")
            want(args.get("key") == line["key"], "another key in args")
        else:
            want(line["seat"] in self.seats, "nobody has this seat")
            want(
                line["key"] in self.seats[line["seat"]].keys,
                "the key is not valid for the seat",
            )
        nonce = (line["seat"], order["nonce"])
        want(nonce not in self.nonces, "the nonce was used before")
        self.nonces.add(nonce)
        check_order_args(order)
        self.check_now(line, order, seq)
        want("opened" not in line or order["kind"] in OPENING,
             "%s with opened", order["kind"])
        if line["seat"] == WITNESS:
            self.want_of_witness(order)
        self.take_kind(line, order, seq)
        if line["seat"] == WITNESS:
            self.witness_lines.add(seq)

    def check_now(self, line, order, seq):
        """Hold the author's clock against the line's, and after against to."""
        if "now" not in order:
            return
        to = order["args"].get("to")
        want(not is_int(to) or order["after"] >= to,
             "after is below args.to")
        self.compare_clocks(line, order, seq)

    def take_kind(self, line, order, seq):
        """Check an order by its kind."""
        kind = order["kind"]
        if self.over:
            want(
                kind in TALK + ("close",) or (
                    kind == "resign" and self.halted and not self.outcome
                ),
                "%s after the end", kind,
            )
        if self.owed is not None:
            want(
                kind in TALK + ("answer", "resign", "claim") or (
                    kind == "accept"
                    and order["args"]["to"] in self.operator_keys
                ),
                "%s while an answer is owed", kind,
            )
        if self.due:
            self.take_when_due(order)
        moves = False
        is_state = kind in TURN_KINDS + ("answer", "open", "resign")
        if kind == "create":
            self.take_create(order)
        elif kind == "join":
            self.take_join(order, seq)
        elif kind == "chat":
            self.take_chat(line, order)
        elif kind == "ready":
            moves = self.take_ready(line, order)
        elif kind == "close":
            self.take_close(line, order)
        elif kind == "dice-key":
            moves = self.take_dice_key(line, order, seq)
            self.line_is_calm = True
        elif kind == "resign":
            want(line["seat"], "the director resigns")
            self.take_end(order)
            self.end_game("resign" if self.started else "cancel",
                          3 - side_of(line["seat"]))
        elif kind == "answer":
            self.take_answer(line, order, seq)
        elif kind == "accept":
            moves, is_state = self.take_accept(line, order, seq)
        elif kind == "open":
            self.take_open(line, order, seq)
        elif kind in OTHERS:
            is_state = getattr(self, OTHERS[kind])(line, order, seq)
        else:
            moves = self.take_turn(line, order, seq)
        want(moves == ("pool" in line), "pool is there or not, wrongly")
        if kind not in ROLLING:
            want("dice" not in line and "owes" not in line,
                 "%s with dice or owes", kind)
        if kind not in ROLLING + ("turn.end",) or kind == "free":
            want(line["events"] == [], "%s with events", kind)
        self.lapse_changed()
        if is_state or moves:
            self.note_state(seq, kind == "commit")
        if kind in TURN_KINDS + ("open",):
            self.lapse(side_of(line["seat"]))
        self.line_is_state = is_state or moves
        self.line_is_move = (
            self.line_is_state and kind != "ruling"
            and (kind != "accept" or moves) and not self.line_is_calm
        )

    def note_state(self, seq, is_commit=False):
        """A state line makes older orders stale and a lone close lapse.

        A commit does not make the other side's stale (S5).
        """
        self.last_state = seq
        if not is_commit:
            self.last_but_commit = seq
        self.line_is_state = True
        self.closed_seats.clear()
        waits = self.adjudication
        if waits is not None and waits["seq"] != seq:
            self.adjudication = None

    def end_game(self, how, winner):
        """The game is decided."""
        self.over = True
        self.outcome = (how, winner)
        self.owed = None
        self.combat = None
        self.adjudication = None
        self.offers.clear()
        self.operator_keys.clear()

    def take_chat(self, line, order):
        """Take words."""
        want(line["seat"] or "to" not in order["args"],
             "the director has no side to chat to")
        self.side.name("text", order["args"]["ref"])

    def name_texts(self, args, name):
        """Note the text that args name, if they do."""
        if name in args:
            self.side.name("text", args[name])

    def take_close(self, line, order):
        """Take a close; the one of the second side ends the record."""
        self.take_end(order)
        want(line["seat"] not in self.closed_seats, "it has closed already")
        self.closed_seats.add(line["seat"])
        self.finished = {1, 2} <= set(map(side_of, self.closed_seats))
        if self.finished:
            self.open_rest(line)
        else:
            want("opened" not in line, "opened before the end")

    def take_create(self, order):
        """Take the settings of the game and the first seat (S3)."""
        args = order["args"]
        options = args.get("options", {})
        check_settings(args)
        check_tournament(args)
        self.create = args
        if "clock" in args:
            self.clock = Clock(args["clock"])
        players = range(1, options.get("seats", 2) + 1)
        self.all_seats = set(players)
        if options.get("director", False):
            self.all_seats.add(0)
        if "witness" in options:
            self.all_seats.add(WITNESS)
        want(args["seat"] in self.all_seats, "create takes no seat there is")
        self.server_dice = args["server_dice"]
        self.dice_keys_ever.add(self.server_dice)
        self.take_seat(args, 0)
        self.side.name("blob", args["roster"])
        for name in args["tables"]:
            self.side.name("blob", name)
        self.book = self.read_rules(args)

    def take_roster(self, name):
        """Take the rosters that both sides have agreed to."""
        self.create = {**self.create, "roster": name}
        self.book = self.read_rules(self.create)

    def read_rules(self, args):
        """Read rosters and tables; None: combats cannot be run again."""
        named = [args["roster"]] + args["tables"]
        missing = [name for name in named if name not in self.side.blobs]
        if args["rules"] not in ["%s/1" % system for system in MODULES] or (
            args["rules"] != args["system"] + "/1"
        ):
            self.stop_rules(
                "the rules %s are not known here" % args["rules"]
            )
        elif missing:
            self.stop_rules("the blob %s is missing" % missing[0])
        else:
            roster, *tables = [self.side.blobs[name] for name in named]
            return open_book(args, tables, roster)
        return None

    def stop_rules(self, why):
        """Run no more rules; verifying ends with 2."""
        self.rules = False
        self.notes.append(why)
        if self.combat is not None and self.combat.state == "open":
            self.combat.state = "unknown"

    def take_join(self, order, seq):
        """Seat a player who joins."""
        args = order["args"]
        want(args["seat"] in self.all_seats, "there is no such seat")
        want(args["seat"] not in self.seats, "the seat is taken")
        want(not self.ready_seen, "a join after a ready")
        want(args["account"] not in self.refused, "they were refused")
        if args["seat"] == WITNESS:
            want(args["key"] == self.witness_key() and "keys" not in args,
                 "not the key of the witness")
        self.take_seat(args, seq)
        if set(self.seats) == self.all_seats:
            self.fill_pool()

    def fill_pool(self):
        """Make pool_0 of all the seats (S6.5)."""
        self.waits_ready = True
        scheme = 1 if self.create["scheme"] == "dual-1" else 2
        keys = b"".join(
            bytes((number,)) + bytes.fromhex(self.seats[number].dice_key)
            for number in sorted(self.seats)
        )
        self.pool = sha256(
            tag("start/1"),
            self.game,
            bytes((scheme,)),
            bytes.fromhex(self.server_dice),
            bytes((len(self.seats),)),
            keys,
        )

    def check_own(self, line, order, place):
        """Check place and own contribution; return its beta (S6.2)."""
        want(order["place"] == place, "the place is not %s", place)
        key = bytes.fromhex(self.seats[line["seat"]].dice_key)
        alpha = tag("own/1") + base_of(self.game, self.pool, place)
        beta = vrf_verify(key, alpha, bytes.fromhex(order["own"]))
        want(beta is not None, "the proof own is wrong")
        return beta

    def use_place(self, place):
        """A pair of pool and place may draw only once."""
        want((self.pool, place) not in self.used_places,
             "place %s draws twice", place)
        self.used_places.add((self.pool, place))

    def shift_pool(self, pool):
        """Move the pool, perhaps not for the last time in a line."""
        self.pool = pool
        self.epoch += 1

    def want_pool(self, line):
        """Want the line to hold what the pool has become."""
        want(line.get("pool") == self.pool.hex(), "the pool is wrong")

    def move_pool(self, line, pool):
        """Move the pool to the value that the line must hold."""
        self.shift_pool(pool)
        self.want_pool(line)

    def take_end(self, order):
        """Check an order of the class end against later state lines."""
        want(self.last_state <= order["after"], "the order is stale")

    # Turn orders.

    def side_in_turn(self):
        """Turn 1 belongs to side 1; every turn.end passes it on."""
        return 2 - self.game_turn % 2

    def take_turn(self, line, order, seq):
        """Check a turn order (S5); tell whether it moves the pool."""
        kind = order["kind"]
        want(self.started and not self.waits_ready, "%s before ready", kind)
        if kind == "commit":
            self.take_commit(line, order, seq)
            return False
        want(self.last_state <= order["after"], "the order is stale")
        is_open = self.combat is not None and self.combat.state == "open"
        if kind == "decide":
            self.take_decide(line, order, seq)
            return False
        want(not is_open, "%s while a combat is open", kind)
        want(
            line["seat"] and side_of(line["seat"]) == self.side_in_turn(),
            "%s out of turn", kind,
        )
        if kind == "turn.end":
            self.take_turn_end(line, order, seq)
            return True
        take = {
            "declare": self.take_declare,
            "free": self.take_free,
            "upkeep": self.take_upkeep,
        }[kind]
        take(line, order, seq)
        self.acted = True
        return False

    def take_turn_end(self, line, order, seq):
        """Give the turn to the other side.

        A round ends with side 2's; where turns are activations, with the
        second in a row whose side gave no order.
        """
        beta = self.check_own(line, order, "p/%d" % self.epoch)
        self.remember_undo(seq)
        if self.rules:
            self.book.end_turn()
        system = self.create["system"]
        # Suppressed targets and batteries that fired: for the turn alone. An
        # unknown system may have the like.
        ends = (self.side_in_turn() == 2 or system == "tlnb"
                or system not in MODULES)
        if system == "imagi-nations":
            ends = self.passed and not self.acted
            self.passed = not self.passed and not self.acted
            self.acted = False
        if not ends or system == "lasalle2":
            want(line["events"] == [], "an upkeep, where there is none")
        else:
            must = self.book.end_round() if self.rules else None
            check_round(line["events"], must)
        self.use_place("p/%d" % self.epoch)
        self.shift_pool(sha256(tag("pool/1"), self.pool, beta))
        self.rekey_waiting()
        self.want_pool(line)
        self.turn_ends += 1
        self.game_turn += 1
        self.turn_lines.append(seq)

    # Dice.

    def draw(self, dice, place, betas):
        """Check the server's proof and every roll (S6.4, S7)."""
        want(dice["place"] == place, "dice for another place than %s", place)
        want(len(betas) == 1 + self.rolls_wait(), "dice that nobody answered")
        self.use_place(place)
        alpha = tag("dice/1") + base_of(self.game, self.pool, place)
        alpha += b"".join(betas)
        beta = vrf_verify(
            bytes.fromhex(self.server_dice),
            alpha,
            bytes.fromhex(dice["proof"]),
        )
        want(beta is not None, "the server's proof is wrong")
        labels = set()
        self.ranks = {}
        for roll in dice["rolls"]:
            want(roll["label"] not in labels, "a label twice in a line")
            labels.add(roll["label"])
            if "bag" in roll:
                self.check_draw(beta, roll)
                continue
            count = len(roll["dice"])
            want(1 <= count <= 1000, "a roll of %d dice", count)
            found = roll_dice(beta, roll["label"], count, roll["sides"])
            want(found == roll["dice"], "dice of %s are wrong", roll["label"])

    def check_draw(self, beta, roll):
        """Without the bag only the ranks of the chits can be checked."""
        count = len(roll["chits"])
        want(1 <= count <= roll["bag"], "a draw of %d chits", count)
        want(len(set(roll["chits"])) == count, "a chit drawn twice")
        ranks = draw_ranks(beta, roll["label"], count, roll["bag"])
        chits = [chit.encode("utf-8") for chit in roll["chits"]]
        by_rank = [chit for _, chit in sorted(zip(ranks, chits))]
        want(by_rank == sorted(chits), "chits of %s are wrong", roll["label"])
        self.ranks[roll["label"]] = ranks
