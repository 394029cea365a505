# SPDX-License-Identifier: ISC
"""Entries, check-ins and lots: umpire-tournament-record.7, S15.5, S17, S21.4.
"""

from record_clock import time_ms
from record_crypto import (
    base_of,
    draw_chits,
    ed_verify,
    roll_dice,
    sha256,
    tag,
    vrf_verify,
)
from record_form import want
from tournament_accounts import Account
from tournament_form import SWISS, shaped
from record_form import is_hash, is_hex, is_text

ALONE_S = 86400
MAY_DIFFER = ("server_dice", "deputies", "witness", "dates", "continues",
              "director", "entry", "options")
STATEMENTS = {
    "statement": (is_text, True),
    "key": (is_hash, True),
    "sig": (lambda value: is_hex(value, 128), True),
}


class Entrant:
    """Who has entered."""

    def __init__(self, number, args, late):
        self.number = number
        self.account = args["account"]
        self.club = args.get("club")
        self.dice_key = args["dice_key"]
        self.dice_keys = []  # (seq from which it holds, key)
        self.late = late  # entered after shut
        self.said = None  # by admit
        self.rating = 0
        self.withdrawn = False  # before start
        self.changes = []  # (round from which, in or not)
        self.late_from = None
        self.byes = {}
        self.halves = []  # (round paired last then, half points)
        self.named = 0  # the last ruling about them, or their withdrawal

    def is_in(self, number):
        """Whether they are in for a round."""
        for since, state in reversed(self.changes):
            if since <= number:
                return state
        return False

    def was_in(self):
        """Whether they were ever in."""
        return any(state for _, state in self.changes)


class Entries:
    """Entries and lots; Tournament has the rest."""

    def next_round(self):
        """The round that is paired next."""
        return len(self.rounds) + 1

    def last_round(self):
        """The number of rounds now."""
        return self.planned if self.last is None else self.last

    def late_is_open(self):
        """Whether late entries are taken."""
        most = self.swiss_rounds or self.terms.get("rounds", 0)
        return self.next_round() <= min(most, self.terms["entry"]["late"])

    def admitted(self, who):
        """Whether an entrant is admitted (S15.5)."""
        return not who.withdrawn and self.was_admitted(who)

    def was_admitted(self, who):
        """Whether an entrant is admitted, or was before they withdrew."""
        if who.said is not None:
            return who.said
        return not (
            who.late or self.terms["entry"]["admit"] == "director"
            or self.terms["seed"] == "rating"
        ) or (self.old is not None and not who.late)

    def entrant_by(self, line):
        """The entrant who gives an order."""
        want(line["by"] in self.number_of, "not an entrant")
        return self.entrants[self.number_of[line["by"]]]

    def take_enter(self, line, order, args):
        """Somebody enters."""
        name = args["account"]
        want(line["by"] == name and line["key"] == args["key"],
             "not by themselves")
        want(name not in self.number_of, "entered already")
        late = self.phase != "entries"
        want(not late or self.late_is_open(), "entries are shut")
        if self.terms.get("options", {}).get("director", False):
            want(name not in self.directors, "a director enters")
        there = sum(
            not (who.said is False or who.withdrawn or (
                who.was_in() and not who.is_in(self.next_round())))
            for who in self.entrants.values())
        want(there < self.terms["entry"]["max"], "there is no room")
        number = len(self.entrants) + 1
        old = None
        want(("was" in args) == ("continues" in self.args),
             "was is there or not, wrongly")
        if "was" in args:
            number = args["was"]
            want(not late, "nobody else enters")
            old = self.check_was(line, args, number)
        want("statements" not in args or "was" in args, "stray statements")
        self.name_account(args)
        self.new_dice_key(args["dice_key"], name)
        who = Entrant(number, args, late)
        who.dice_keys.append((self.seq, who.dice_key))
        if old is not None:
            who.rating, who.club = old.rating, old.club
            who.halves, who.byes = list(old.halves), dict(old.byes)
            who.late_from = old.late_from
            who.changes = list(old.changes)
        self.entrants[number] = who
        self.number_of[name] = number

    def take_admit(self, line, order, args):
        """A director admits or refuses."""
        self.want_director(line)
        want(args["entrant"] in self.entrants, "there is no such entrant")
        who = self.entrants[args["entrant"]]
        yes = args["say"] == "yes"
        rated = self.terms["seed"] == "rating"
        want(("rating" in args) == (yes and rated),
             "rating is there or not, wrongly")
        if not who.late:
            want(self.phase == "entries", "admit after shut")
        else:
            want(who.said is not True, "admitted already")
            want(self.late_is_open(), "too late for late entries")
        who.said = yes
        who.rating = args.get("rating", 0)
        if who.late and yes:
            who.late_from = self.next_round()
            who.changes.append((who.late_from, not who.withdrawn))

    def take_dice_key(self, line, order, args):
        """An entrant has a new dice key."""
        want(self.phase != "checkin", "a dice key between shut and start")
        who = self.entrant_by(line)
        self.new_dice_key(args["dice_key"], line["by"])
        who.dice_key = args["dice_key"]
        who.dice_keys.append((self.seq + 1, who.dice_key))

    def take_withdraw(self, line, order, args):
        """An entrant withdraws."""
        who = self.entrant_by(line)
        who.named = self.seq
        since = args["from"]
        if self.phase != "play":
            want(since == 1 and not who.withdrawn, "withdraw is wrong")
            who.withdrawn = True
            if self.phase == "checkin":
                self.note_complete()
            return
        self.want_unpaired(since)
        want(since <= self.last_round(), "from is after the last round")
        want(who.is_in(since), "not in then")
        self.go_out(who, since)

    def want_unpaired(self, number):
        """Want a round that is not paired, if not all may be at once."""
        want(number >= 1 and (
            self.terms["concurrent"] or number >= self.next_round()),
            "round %d is paired", number)

    def take_bye(self, line, order, args):
        """An entrant asks to be left out of a round, or not to be."""
        want(self.terms["format"] in SWISS, "a bye without a Swiss")
        who = self.entrant_by(line)
        number = args["round"]
        most = self.swiss_rounds or self.terms["rounds"]
        if self.last is not None:
            most = min(most, self.last)
        want(self.next_round() <= number <= most,
             "round %d is paired, or is not there", number)
        byes = {**who.byes, number: args["take"]}
        want(sum(byes.values()) <= self.terms["byes"], "too many byes")
        who.byes = byes

    # Lots.

    def take_shut(self, line, order, args):
        """Entries end; the pool is fixed."""
        want(self.phase == "entries", "shut already")
        if line["by"] not in self.directors:
            want(self.passed(time_ms(self.terms["entry"]["until"]), 0),
                 "shut before its time")
        self.phase = "checkin"
        self.shut_at = self.at_ms
        here = sorted(
            n for n, who in self.entrants.items() if self.admitted(who))
        keys = b"".join(
            n.to_bytes(4, "big") + bytes.fromhex(self.entrants[n].dice_key)
            for n in here)
        self.pool = sha256(
            tag("tstart/1"), self.id,
            bytes.fromhex(self.terms["server_dice"]),
            len(here).to_bytes(4, "big"), keys)
        self.moved = True
        self.events = [{"e": "shut", "entrants": here}]
        self.note_complete()

    def restore_lots(self, seq):
        """All check in again."""
        self.pool = sha256(tag("tpool/1"), self.pool, seq.to_bytes(8, "big"))
        self.moved = True
        self.restoreds += 1
        self.checkins = {}
        self.shut_at = self.at_ms
        self.complete_at = None
        self.note_complete()

    def may_check_in(self):
        """Those who may check in."""
        return {n for n, who in self.entrants.items()
                if not who.late and self.admitted(who)}

    def note_complete(self):
        """Keep since when all have checked in."""
        if self.may_check_in() <= set(self.checkins):
            if self.complete_at is None:
                self.complete_at = self.at_ms

    def own_beta(self, order, place, key, pool):
        """Check place and own; return its beta."""
        want(order["place"] == place, "the place is not %s", place)
        alpha = tag("own/1") + base_of(self.id, pool, place)
        beta = vrf_verify(
            bytes.fromhex(key), alpha, bytes.fromhex(order["own"]))
        want(beta is not None, "the proof own is wrong")
        return beta

    def take_checkin(self, line, order, args):
        """An entrant checks in."""
        want(self.phase == "checkin", "a check-in before shut")
        who = self.entrant_by(line)
        want(who.number in self.may_check_in(), "may not check in")
        want(who.number not in self.checkins, "checked in already")
        self.checkins[who.number] = self.own_beta(
            order, "c/%d" % self.restoreds, who.dice_key, self.pool)
        self.note_complete()

    def start_from(self):
        """The instant from which `start` is lawful."""
        end = self.shut_at + self.terms["checkin_s"] * 1000
        if self.complete_at is not None:
            end = min(end, self.complete_at)
        return end

    def lots_alpha(self, pool, beta=None):
        """What the server proves for the lots."""
        return (tag("lots/1") + base_of(self.id, pool, "l/1")
                + (beta or b""))

    def start_pool(self):
        """pool_1."""
        betas = b"".join(self.checkins[n] for n in sorted(self.checkins))
        return sha256(tag("tpool/1"), self.pool,
                      len(self.checkins).to_bytes(4, "big"), betas)

    def ready_in(self):
        """Who will be in."""
        return sorted(set(self.checkins) & self.may_check_in())

    def take_start(self, line, order, args):
        """Lots."""
        want(self.phase == "checkin", "start before shut")
        begin = self.start_from()
        by_witness = (
            self.witness is not None and line["by"] == self.witness["account"])
        theirs = self.witness is not None and not self.passed(begin, ALONE_S)
        want(self.passed(begin, 0), "start before its time")
        want(not theirs or by_witness, "start is the witness's alone")
        want(("own" in order) == theirs, "own is there or not, wrongly")
        pool = self.start_pool()
        beta = None
        if theirs:
            beta = self.own_beta(
                order, "l/1", self.witness["dice_key"], pool)
        here = self.ready_in()
        if len(here) < 2:
            want("dice" not in line, "dice for fewer than two")
            self.phase = "over"
            return
        self.pool = pool
        self.moved = True
        if self.witness is not None and not theirs:
            self.alone = True
            self.told.append("line %d: started without the witness"
                             % self.seq)
        if self.old is not None:
            want("dice" not in line, "dice, where nothing is drawn")
            self.go_on(here)
            return
        self.draw_lots(line, here, beta)
        for n in here:
            self.entrants[n].changes.append((1, True))
        self.planned = self.count_rounds(len(here))
        self.begin_play()

    def begin_play(self):
        """The first round may be paired."""
        self.phase = "play"
        self.started_at = self.at_ms
        self.events = [{
            "e": "lots", "order": list(self.lots_order),
            "side": self.initial_side, "rounds": self.planned,
        }]

    def draw_lots(self, line, here, beta):
        """Check the server's proof, and draw."""
        want("dice" in line, "start without dice")
        dice = line["dice"]
        want(dice["place"] == "l/1", "the dice's place is not l/1")
        found = vrf_verify(
            bytes.fromhex(self.terms["server_dice"]),
            self.lots_alpha(self.pool, beta), bytes.fromhex(dice["proof"]))
        want(found is not None, "the server's proof is wrong")
        rolls = self.roll_lots(found, here)
        want(dice["rolls"] == rolls, "the lots are wrong")
        self.lots_order = [int(chit) for chit in rolls[0]["chits"]]
        self.initial_side = rolls[1]["dice"][0]

    @staticmethod
    def roll_lots(beta, here):
        """What beta draws."""
        bag = [str(n) for n in here]
        return [
            {"label": "order", "bag": len(bag),
             "chits": draw_chits(beta, "order", len(bag), bag)},
            {"label": "side", "sides": 2,
             "dice": roll_dice(beta, "side", 1, 2)},
        ]

    # Going on elsewhere (S21.4).

    def begin_again(self, args):
        """Hold the terms against those of the tournament that stopped."""
        told = args["continues"]
        if self.old is None or self.old.beyond is not None:
            self.notes.append("what it continues is not at hand")
            self.beyond = "continues"
            return
        old = self.old
        want(told["tournament"] == old.id.hex()
             and told["server"] == old.server_key
             and told["seq"] == len(old.hashes) - 1
             and told["line"] == old.hashes[-1],
             "it continues another line")
        want(old.phase == "play", "it continues what is not in play")
        mine = {k: v for k, v in args.items() if k not in MAY_DIFFER}
        theirs = {k: v for k, v in old.args.items() if k not in MAY_DIFFER}
        want(mine == theirs, "the terms differ")
        want(args["director"]["account"] == old.args["director"]["account"],
             "the director is another")
        for name, free in (("entry", ("until",)),
                           ("options", ("witness", "witness_s"))):
            mine, theirs = (
                {k: v for k, v in a.get(name, {}).items() if k not in free}
                for a in (args, old.args))
            want(mine == theirs, "%s differs", name)

    def check_was(self, line, args, number):
        """Hold an entry against the tournament that stopped."""
        old = self.old
        want(number in old.entrants, "was is nobody's number")
        want(number not in self.entrants, "the number is taken")
        who = old.entrants[number]
        want(old.number_of.get(who.account) == number,
             "was did not enter there")
        known = old.accounts[who.account]
        shadow = Account({"key": "", "kn": known.n, "kprev": known.prev})
        shadow.keys = set(known.keys)
        shadow.recovery = known.recovery
        for each in args.get("statements", ()):
            shaped(each, STATEMENTS, "statements")
            data = each["statement"].encode("utf-8")
            text = self.read_statement(data, who.account, old.server_key)
            want(
                ed_verify(bytes.fromhex(each["key"]), tag("key/1") + data,
                          bytes.fromhex(each["sig"])),
                "the signature of a statement is wrong")
            want(text["do"] in ("add", "drop", "reset"), "do is wrong")
            if text["do"] != "drop":
                want(text["key"] not in old.keys_ever, "a key that was there")
            shadow.keys = self.changed_keys(shadow, text, each["key"], data)
        want(line["key"] in shadow.keys, "not a key that was valid there")
        return who

    def go_on(self, here):
        """Begin where the tournament stopped."""
        old = self.old
        self.lots_order = old.lots_order
        self.initial_side = old.initial_side
        self.planned = old.planned
        self.last = old.last
        self.swiss_rounds, self.cut = old.swiss_rounds, old.cut
        self.rounds = []
        for rnd in old.rounds:
            if not rnd.done():
                break
            self.rounds.append(rnd)
        first = min(
            [r.number for r in self.rounds
             if r.stage == "knockout"], default=None)
        self.seeds = old.seeds if first is not None else None
        self.kept_apart = list(old.kept_apart)
        self.rules = list(old.rules)
        self.last_result_at = self.last_ruling_at = self.at_ms
        for n, who in old.entrants.items():
            if n not in self.entrants:
                self.entrants[n] = who
        for n, who in self.entrants.items():
            if n not in here:
                who.changes.append((self.next_round(), False))
        self.begin_play()
