# SPDX-License-Identifier: ISC
"""Standing orders: answers that a side has left with the server, sealed.

Standings is the part of Game (record_game.py) that keeps them and answers
questions by them, or by default: umpire-record.7 S8; the words are those of
the policies of umpire-rules.7.
"""

import copy

from record_crypto import sha256, tag
from record_form import Bad, is_text, want
from record_orders import read_order

MAX_STANDING = 32
# The words for every kind of question that is not asked in secret, the
# default first.
POLICIES = {
    "lasalle2": {
        "retire": ("none", "all"),
        "reroll": ("all", "none"),
        "stagger": ("path", "none"),
    },
    "imagi-nations": {
        "chits": ("least", "most"),
        "allocate": ("stand", "step-back", "retreat"),
        "advance": ("all", "none"),
    },
}


def answer_of(system, kind, word, options):
    """Answer a question as a word says; None where it is not known here."""
    if system == "lasalle2":
        if kind == "stagger":
            order = [
                {"unit": name, "possible": word == "path"}
                for name in options["order"]["order"]
            ]
            return {"kind": kind, "order": order}
        some = options["units"]["some"] if word == "all" else []
        most = options["units"].get("max", len(some))
        return {"kind": kind, "units": list(some)[:most]}
    if system == "imagi-nations" and kind == "chits":
        least, most = options["number"]["int"]
        return {"kind": kind, "number": least if word == "least" else most}
    if system == "imagi-nations" and kind == "advance":
        some = options["units"]["some"] if word == "all" else []
        return {"kind": kind, "units": list(some)}
    return None


class Standing:
    """One standing order."""

    def __init__(self, order, seq):
        self.seq = seq
        self.seat = order["seat"]
        self.side = 2 - order["seat"] % 2
        self.after = order["after"]
        self.commit = order["args"]["commit"]
        self.withdrawn = False
        self.lost = False  # lines were lost before it acted
        self.opened = False
        self.kind = None  # once it is open, and if it can act
        self.word = None
        self.passed = set()  # kinds that it would have had to answer

    def is_of(self, game, told):
        """Tell whether a salt and a text are what the order committed to."""
        found = sha256(
            tag("secret/1"),
            game,
            bytes((self.seat,)),
            self.after.to_bytes(8, "big"),
            bytes.fromhex(told["salt"]),
            told["text"].encode("utf-8"),
        )
        return found.hex() == self.commit

    def is_passed(self, text, system):
        """Tell whether it was passed over, if that is its text."""
        probe = copy.copy(self)
        probe.read(text, system)
        return probe.kind in self.passed

    def read(self, text, system):
        """Take over what the text says, if it is a standing order."""
        try:
            value = read_order(text)
        except Bad:
            return
        if set(value) != {"kind", "do"}:
            return
        kind, word = value["kind"], value["do"]
        if not is_text(kind) or not is_text(word):
            return
        known = POLICIES.get(system)
        if known is None or word in known.get(kind, ()):
            self.kind, self.word = kind, word


class Standings:
    """Standing orders; Game has the rest."""

    def take_standing(self, line, order, seq):
        """Take a standing order, of which only the commitment is known."""
        seat = line["seat"]
        want(seat, "a standing order of the director")
        want(not self.over, "a standing order after the end")
        value = (seat, order["args"]["commit"])
        want(value not in self.commit_values, "a commitment repeated")
        self.commit_values.add(value)
        held = [s for s in self.standings.values()
                if s.seat == seat and not s.withdrawn]
        want(len(held) < MAX_STANDING, "too many standing orders")
        self.standings[seq] = Standing(order, seq)
        return False

    def open_standing(self, told):
        """Find the standing order that an element of `opened` opens."""
        for standing in self.standings.values():
            if standing.seat != told["seat"] or standing.opened:
                continue
            if standing.is_of(self.game, told):
                return standing
        raise Bad("opened: no standing order is this one")

    def open_all(self, line, count=0):
        """Open the standing orders of a line, behind count secret choices.

        They are to act in it; they are open from now on.
        """
        self.revealed = []
        told = line.get("opened")
        want(told != [], "opened is empty")
        for each in (told or [])[count:]:
            standing = self.open_standing(each)
            self.open_it(standing, each)
            self.revealed.append(standing)
            if self.rules:
                want(standing.kind is not None, "it can answer nothing")
            want(not standing.withdrawn, "it was withdrawn")

    def open_it(self, standing, told):
        """Open a standing order, which must not have been passed over."""
        standing.opened = True
        standing.read(told["text"], self.create["system"])
        want(standing.kind not in standing.passed,
             "a standing order was passed over")

    def check_given(self, given):
        """Hold texts that an owner gave out against what was passed over.

        given is a list of {"seq", "salt", "text"}; "known" is added to
        those that an order of the record committed to.
        """
        for told in given:
            standing = self.standings.get(told["seq"])
            if standing is None or not standing.is_of(self.game, told):
                continue
            told["known"] = True
            want(standing.opened
                 or not standing.is_passed(told["text"], self.create["system"]),
                 "a standing order was passed over: that of line %d",
                 standing.seq)

    def open_rest(self, line):
        """Open at the end of the game what never acted."""
        rest = [s for s in self.standings.values()
                if not s.opened and not s.lost]
        told = line.get("opened", [])
        want("opened" not in line or told, "opened is empty")
        want(len(told) == len(rest), "%d standing orders are to be opened",
             len(rest))
        for standing, each in zip(rest, told):
            want(self.open_standing(each) is standing,
                 "opened is not in the order of the orders")
            self.open_it(standing, each)

    # Answering.

    def standing_for(self, side, kind):
        """The open standing order that answers a question; the newest."""
        fit = [
            s for s in self.standings.values()
            if s.opened and not s.withdrawn and s.side == side
            and s.kind == kind and s.seq < len(self.hashes)
        ]
        return max(fit, key=lambda s: s.seq) if fit else None

    def answer_question(self, role, kind, options, index, acts):
        """Answer a question by a standing order; None leaves it open.

        index says which decision of the combat it is; acts takes what was
        done: (side, kind, the standing order or None).
        """
        if self.is_fact(kind):
            return None
        mine = self.side_in_turn()
        side = mine if role == "attacker" else 3 - mine
        standing = self.standing_for(side, kind)
        acts.append((side, kind, standing))
        if standing is None:
            return None
        answer = answer_of(
            self.create["system"], kind, standing.word, options
        )
        return self.told_decision(index) if answer is None else answer

    def told_decision(self, index):
        """The decision that the line's events tell, one of the combat's."""
        told = [e for e in self.line_events if e["e"] == "decision"]
        index -= self.combat.told
        want(0 <= index < len(told), "a decision is not told")
        return {k: v for k, v in told[index].items()
                if k not in ("e", "side")}

    def note_acts(self, acts):
        """Hold what acted in a line against what was opened in it."""
        first = []
        seq = len(self.hashes)
        for side, kind, standing in acts:
            if standing in self.revealed and standing not in first:
                first.append(standing)
            for other in self.standings.values():
                if (
                    not other.opened and not other.withdrawn
                    and other.side == side and other.seq < seq
                    and (standing is None or standing.seq < other.seq)
                ):
                    other.passed.add(kind)
        want(first == self.revealed,
             "opened is not what acts for the first time, in its order")

    def note_open_question(self):
        """Without rules: a question that a line leaves open."""
        ask = self.combat.ask
        if ask is not None and self.is_fact(ask.get("kind")):
            return
        if ask is not None and ask["side"] is not None and not ask["secret"]:
            self.note_acts_of(self.side_asked(), ask.get("kind"))

    def note_acts_of(self, side, kind):
        """Note a question that is left open."""
        self.revealed, kept = [], self.revealed
        self.note_acts([(side, kind, None)])
        self.revealed = kept

    def answer_by_default(self, line):
        """The default of the open question, from the rules or the events."""
        ask = self.combat.ask
        system = self.create["system"]
        words = POLICIES.get(system, {}).get(ask["kind"])
        answer = None
        if words is not None and ask.get("options") is not None:
            answer = answer_of(system, ask["kind"], words[0], ask["options"])
        if answer is None and self.rules:
            answer = self.told_decision(self.combat.told)
        return answer
