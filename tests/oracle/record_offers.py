# SPDX-License-Identifier: ISC
"""What the sides agree on: offers, proposals, rulings, and taking back.

Offers is the part of Game (record_game.py) that takes propose, offer, accept,
note and ruling, and keeps what a takeback goes back to: umpire-record.7 S5.
"""

from record_crypto import sha256, tag
from record_form import Bad, want
from record_parts import WITNESS, side_of
from record_witness import NOTES

MAX_OFFERS = 8
MAX_RULINGS = 4
MAX_REACH = 256
# Offers that lapse with the next turn order or open of the other side.
PASSING = ("draw", "victory", "takeback", "pause", "truce", "witness-out")


class Offer:
    """An offer, a proposal or a ruling that lies open."""

    def __init__(self, what, seat, args):
        self.what = what
        self.seat = seat
        self.side = side_of(seat)
        self.args = args
        self.accepted = set()  # seats, of a ruling
        self.entries = None  # of the units that it names


class Offers:
    """What the sides agree on; Game has the rest."""

    # Taking back.

    def remember_undo(self, seq):
        """Keep what stands before a line that may be taken back."""
        self.undo = [e for e in self.undo if self.in_reach(e["seq"])]
        self.undo.append({
            "seq": seq,
            "book": self.book.save_all() if self.book is not None else None,
            "turn": self.game_turn,
            "truce": self.truce,
            "acted": (self.acted, self.passed),
        })

    def forget_undo(self, seq):
        """A line that was voided cannot be taken back, nor was it given."""
        for entry in self.undo:
            if entry["seq"] == seq:
                self.acted, self.passed = entry["acted"]
        self.undo = [entry for entry in self.undo if entry["seq"] != seq]

    def in_reach(self, seq):
        """The undo entry of a line that may be taken back, or None."""
        limit = self.turn_lines[-2] if len(self.turn_lines) > 1 else -1
        for entry in self.undo[-MAX_REACH:]:
            if entry["seq"] == seq > limit:
                return entry
        return None

    def take_back(self, seq):
        """Take back all from a line on."""
        entry = self.in_reach(seq)
        want(entry is not None, "line %d cannot be taken back", seq)
        if self.book is not None:
            self.book.load_all(entry["book"])
        self.game_turn = entry["turn"]
        self.truce = entry["truce"]
        self.acted, self.passed = entry["acted"]
        self.combat = None
        self.put_back(seq)
        self.undo = [e for e in self.undo if e["seq"] < seq]
        self.turn_lines = [s for s in self.turn_lines if s < seq]
        self.offers.clear()

    # Offering.

    def want_offering(self, line, what):
        """Want a player's seat with room for one more offer."""
        want(line["seat"], "an offer of the director")
        want(not self.over, "an offer after the end")
        side = side_of(line["seat"])
        if what == "roster":
            want(not self.started, "a roster after the start")
            want("tournament" not in self.create,
                 "a roster in a game of a tournament")
        else:
            want(self.started, "%s before the start", what)
        open_now = [o for o in self.offers.values() if o.side == side]
        want(len(open_now) < MAX_OFFERS, "too many offers of a side")

    def take_offer(self, line, order, seq):
        """Take an offer."""
        args = order["args"]
        what = args["what"]
        self.name_texts(args, "why")
        self.want_offering(line, what)
        if what == "pause":
            want(self.clock is not None, "a pause without a clock")
        if what == "witness-out":
            want(self.has_witness(), "there is no witness")
        if what == "takeback":
            options = self.create.get("options", {})
            want(options.get("takeback", True), "nothing is taken back here")
            want(self.in_reach(args["from"]) is not None,
                 "line %d cannot be taken back", args["from"])
        self.offers[seq] = Offer(what, line["seat"], args)
        return False

    def take_propose(self, line, order, seq):
        """Take a proposal."""
        args = order["args"]
        what = args["what"]
        self.name_texts(args, "why")
        self.want_offering(line, what)
        offer = Offer(what, line["seat"], args)
        if what == "adjust":
            self.check_adjust(offer)
        else:
            self.side.name("blob", args["roster"])
            self.read_rules({**self.create, "roster": args["roster"]})
        self.offers[seq] = offer
        return False

    def check_adjust(self, offer):
        """Check an adjustment against the rosters; note their entries."""
        if self.rules:
            units = offer.args["units"]
            self.book.adjust(units)
            offer.entries = self.book.entries(units)

    def is_owners(self, offer):
        """Tell whether a side may adjust its own units by itself."""
        names = self.create.get("options", {}).get("owner_fields", [])
        units = offer.args["units"]
        return all(
            set(unit) - {"id"} <= set(names)
            and not {"joins", "gone"} & set(unit)
            and (not self.rules
                 or self.book.muster.side_of(unit["id"]) == offer.side)
            for unit in units
        )

    def lapse(self, side):
        """A turn order of a side lets the other side's offers lapse."""
        if not side:
            return
        self.offers = {
            seq: offer for seq, offer in self.offers.items()
            if offer.what not in PASSING or offer.side == side
        }

    def lapse_changed(self):
        """Adjustments lapse when what they name has changed."""
        if not self.rules:
            return
        self.offers = {
            seq: offer for seq, offer in self.offers.items()
            if offer.what != "adjust"
            or self.book.entries(offer.args["units"]) == offer.entries
        }

    # Rulings.

    def take_ruling(self, line, order, seq):
        """Take a ruling of the director."""
        args = order["args"]
        self.name_texts(args, "why")
        want(line["seat"] == 0, "a ruling of a player")
        want(self.started and not self.over, "a ruling out of play")
        want(self.last_state <= order["after"], "the order is stale")
        self.rulings_given += 1
        if "claim" in args:
            self.take_award(args, seq)
            self.rulings_in_force += 1
            return True
        rulings = [o for o in self.offers.values() if o.seat == 0]
        want(len(rulings) < MAX_RULINGS, "too many rulings")
        what = "words"
        for name in ("void", "units", "result"):
            what = name if name in args else what
        offer = Offer(what, 0, args)
        if what == "void":
            want(self.in_reach(args["from"]) is not None,
                 "line %d cannot be taken back", args["from"])
        if what == "units":
            self.check_adjust(offer)
            offer.entries = None
        self.offers[seq] = offer
        return True

    def take_award(self, args, seq):
        """The director answers a claim that waits for him."""
        waits = self.adjudication
        want(waits is not None and waits["seq"] == args["claim"],
             "a ruling on a claim that does not wait")
        if args["do"] == "forfeit":
            self.end_game("forfeit", waits["side"])
            self.forfeit_at, self.forfeit_by = seq, waits["by"]
            self.forfeit_claim = waits["seq"]
        else:
            self.take_extension(3 - waits["side"], args["extend_s"])

    # Accepting.

    def take_accept(self, line, order, seq):
        """Take an accept; tell (moves the pool, is a state line)."""
        to = order["args"]["to"]
        if to in self.operator_keys:
            return self.accept_operator_key(line, order), True
        if self.is_server_line(to):
            self.accept_restored(line, order)
            return False, True
        offer = self.offers.get(to)
        want(offer is not None, "an accept of nothing that is open")
        want(not self.over, "an accept after the end")
        want(self.owed is None, "an accept while an answer is owed")
        side = side_of(line["seat"])
        if offer.seat == 0:
            want(line["seat"] in {1, 2} - offer.accepted,
                 "an accept by another seat")
            offer.accepted.add(line["seat"])
            is_last = offer.accepted == {1, 2}
        else:
            own = offer.what == "adjust" and self.is_owners(offer)
            want(side == 3 - offer.side or (own and side == offer.side),
                 "an accept by the wrong side")
            is_last = True
        moves = is_last and offer.what in ("takeback", "void")
        want(moves == ("place" in order), "place is there or not, wrongly")
        if is_last:
            del self.offers[to]
            if moves:
                self.move_by(line, order)
            self.carry_out(offer, seq)
        return moves, True

    def move_by(self, line, order):
        """Move the pool by the contribution of the one who accepts."""
        place = "p/%d" % self.epoch
        beta = self.check_own(line, order, place)
        self.use_place(place)
        self.move_pool(line, sha256(tag("pool/1"), self.pool, beta))

    def carry_out(self, offer, seq):
        """Let what was accepted happen."""
        args = offer.args
        what = offer.what
        if offer.seat == 0:
            self.rulings_in_force += 1
        elif what == "takeback":
            self.count(offer.side, "takebacks")
        elif what in ("adjust", "roster"):
            self.count(offer.side, "changes")
        if what in ("takeback", "void"):
            self.take_back(args["from"])
        elif what in ("adjust", "units"):
            want(self.combat is None or self.combat.state == "over",
                 "an adjustment while a combat is open")
            self.remember_undo(seq)
            if self.rules:
                self.book.adjust(args["units"], True)
        elif what == "draw":
            self.end_game("draw", 0)
        elif what == "victory":
            self.end_game("agreed", args["winner"])
        elif what == "result":
            self.end_game("ruling", args["result"])
        elif what == "witness-out":
            self.witness_out = True
        elif what == "truce":
            self.truce = self.game_turn + args["turns"]
        elif what == "roster":
            self.take_roster(args["roster"])
        elif what == "pause":

            def pause(now):
                until = now + args["days"] * 86400000
                self.clock.paused_until = until
                for notice in self.clock.notices.values():
                    notice.stop(now, until, True)

            self.effect = pause

    # Notes.

    def take_note(self, line, order, seq):
        """Take a note: decline, withdraw or refuse."""
        args = order["args"]
        self.name_texts(args, "why")
        seat, to = line["seat"], args["to"]
        if seat == WITNESS or args["say"] in NOTES:
            self.note_of_witness(line, order, seq)
            return False
        want(not self.over, "a note after the end")
        if args["say"] == "refuse":
            self.refuse(seat, to)
            return False
        standing = self.standings.get(to)
        if standing is not None and args["say"] == "withdraw":
            want(standing.seat == seat, "another seat's standing order")
            want(not standing.withdrawn, "it is withdrawn already")
            standing.withdrawn = True
            return False
        if to in self.operator_keys and args["say"] == "decline":
            self.decline_operator_key(line, to)
            return False
        offer = self.offers.get(to)
        want(offer is not None, "a note on nothing that is open")
        if args["say"] == "withdraw":
            want(side_of(seat) == offer.side, "another side's offer")
        elif offer.seat == 0:
            want(seat in (1, 2), "declined by another seat")
        else:
            want(side_of(seat) == 3 - offer.side, "declined by its own side")
        del self.offers[to]
        return False

    def unseat(self, number):
        """Free a seat; what it offered and left goes with it."""
        del self.seats[number]
        self.waits_ready = False
        self.pool = None
        self.offers = {
            seq: offer for seq, offer in self.offers.items()
            if offer.seat != number
        }
        self.standings = {
            seq: standing for seq, standing in self.standings.items()
            if standing.seat != number
        }

    def refuse(self, seat, to):
        """Refuse somebody who has joined."""
        want(seat == self.create["seat"], "only the first seat refuses")
        want("tournament" not in self.create,
             "a refusal in a game of a tournament")
        want(not self.ready_seen and not self.over,
             "a refusal after a ready")
        for number, joined in self.seats.items():
            if joined.seq == to and to > 0:
                self.refused.add(joined.account)
                self.unseat(number)
                return
        raise Bad("a refusal of nobody")
