# SPDX-License-Identifier: ISC
"""Orders that wait for an answer: all dice of live-1, what is confirmed.

Answers is the part of Game (record_game.py) that keeps what is owed and takes
the answer: umpire-record.7 S5, S6.3.
"""

from record_clock import time_ms
from record_crypto import base_of, tag, vrf_verify
from record_form import want
from record_parts import side_of

# The kinds of decision that state what is so on the table.
FACTS = {
    "lasalle2": ("stagger",),
    "invasion-1812": ("withdraw-before", "withdraw", "forced-withdraw",
                      "commander-escape"),
    "tlnb": ("retreat", "retreat-option"),
}
OBJECTIONS = 2  # of a side, before the director judges
JUDGE_MS = 604800 * 1000


class Answers:
    """Answers that are owed; Game has the rest."""

    def is_fact(self, kind):
        """Tell whether decisions of a kind wait for an answer."""
        return self.create.get("confirm") == "facts" and (
            kind in FACTS.get(self.create["system"], ())
        )

    def is_judged(self, order):
        """Tell whether the director owes the answer to an order."""
        subject = self.subject(order)
        if self.create.get("confirm") != "facts" or subject is None or (
            0 not in self.all_seats
        ):
            return False
        return self.objected.get(subject, 0) >= OBJECTIONS

    def subject(self, order):
        """What objections to an order are counted under; None: nothing."""
        if order["kind"] == "declare":
            return (order["place"], self.pool)
        if order["kind"] == "decide":
            return (order["args"]["ask"], self.combat.seq)
        return None

    def about(self, order):
        """What objections to an order are told as: S10.2."""
        if order["kind"] != "decide" or self.create.get("confirm") != "facts":
            return order["kind"]
        return (self.combat.ask or {}).get("kind")

    def owe(self, line, order, seq, beta, free=None, upkeep=None, by=None,
            facts=False, rolls=False):
        """Take an order that waits for an answer (S6.3).

        by is the seat whose own contribution the dice hang on; free and
        upkeep are the args of such an order. facts: dice, if any, wait for
        another answer. rolls: the dice are what waits.
        """
        want("owes" in line, "no answer is owed")
        owes = line["owes"]
        by = line["seat"] if by is None else by
        of_witness = rolls and self.has_witness()
        judged = not of_witness and self.is_judged(order)
        seat = self.roll_seat(by) if rolls else 3 - side_of(by)
        want(owes["seat"] == (0 if judged else seat),
             "an answer is owed by the wrong seat")
        want(owes["place"] == order["place"], "an answer for another place")
        self.owed = {
            "seq": seq,
            "seat": owes["seat"],
            "place": owes["place"],
            "by": by,
            "beta": beta,
            "free": free,
            "upkeep": upkeep,
            "facts": facts or judged,
            "judged": judged,
            "at": time_ms(line["at"]),
            "has_now": "now" in order,
            "subject": self.subject(order),
            "about": self.about(order),
            # Nothing is left to object to.
            "final": order["kind"] == "claim" or of_witness,
            "rolls": of_witness,
            "dice_key": self.seats[owes["seat"]].dice_key,
        }

    def take_answer(self, line, order, seq):
        """Take an answer: agreed, it lets the rules go on."""
        owed = self.owed
        args = order["args"]
        want(owed is not None and args["to"] == owed["seq"],
             "an answer to nothing")
        want(line["seat"] == owed["seat"], "an answer by another seat")
        want(args["say"] == "object" or "why" not in args,
             "agreed, and says why")
        self.name_texts(args, "why")
        if line["seat"] == 0:
            self.director_answers += not owed["judged"]
            self.judgements += owed["judged"]
        self.owed = None
        if args["say"] == "object":
            want("place" not in order and "other" not in order,
                 "an objection with a place or other")
            self.want_nothing(line, "an objection")
            want(not owed["final"], "an objection to what is known")
            self.void_order(owed)
            self.count_objection(line["seat"], owed["about"])
            if line["seat"]:
                count = self.objected.get(owed["subject"], 0)
                self.objected[owed["subject"]] = count + 1
            return
        self.open_all(line)
        if owed["rolls"]:  # a side: in the stead of the witness
            self.count(side_of(line["seat"]), "stand_ins")
        betas = (owed["beta"],)
        needs = self.needs_other(line, owed)
        want(needs == ("other" in order) == ("place" in order),
             "place and other are there or not, wrongly")
        if needs:
            want(order["place"] == owed["place"], "another place is owed")
            alpha = tag("other/1")
            alpha += base_of(self.game, self.pool, owed["place"])
            other = vrf_verify(
                bytes.fromhex(owed["dice_key"]),
                alpha,
                bytes.fromhex(order["other"]),
            )
            want(other is not None, "the proof other is wrong")
            betas += (other,)
        if owed["free"] is not None:
            want("opened" not in line, "opened without a question")
            self.take_free_dice(
                line, owed["by"], owed["place"], betas, owed["free"],
                owed["seq"],
            )
        elif owed["upkeep"] is not None:
            want("opened" not in line, "opened without a question")
            self.finish_upkeep(line, owed, betas)
        else:
            self.go_on_agreed(line, seq, owed, betas, needs)
        want(self.owed is not None or "owes" not in line,
             "an answer that owes")

    def go_on_agreed(self, line, seq, owed, betas, needs):
        """Let a combat go on once its order was agreed to."""
        if not needs and self.owes_again(line):
            self.owe_again(line, seq, owed)
        else:
            self.step_combat(line, seq, owed["place"], betas)

    def take_unjudged(self, line, order, seq):
        """Take a claim on what the director has not judged (S6.7)."""
        want(self.started and not self.over, "a claim out of play")
        want(line["seat"], "a claim of the director")
        self.take_end(order)
        owed = self.owed
        want(owed is not None and owed["judged"]
             and owed["seq"] == order["args"]["to"],
             "a claim on what the director does not judge")
        want("place" not in order and "own" not in order,
             "a claim on a judgement with a place")
        want("now" in order or not owed["has_now"], "a claim without now")
        times = [time_ms(line["at"])]
        if "now" in order:
            times.append(time_ms(order["now"]))
        if min(times) - owed["at"] < JUDGE_MS:
            self.want_nothing(line, "a claim without effect")
            return False
        self.owed = None
        self.unjudged += 1
        self.open_all(line)
        self.go_on_agreed(line, seq, owed, (owed["beta"],), False)
        want(self.owed is not None or "owes" not in line,
             "a claim that owes")
        return True

    def needs_other(self, line, owed):
        """Tell whether an answer lets dice fall by its own proof."""
        if owed["rolls"]:
            want("dice" in line, "no dice in the answer that they wait for")
            return True
        if not self.is_live() or owed["facts"]:
            return False
        if owed["free"] is not None or owed["upkeep"] is not None:
            return True
        if not self.rules:
            return "dice" in line
        return self.run(None, asks=True)["status"] == "roll"

    def owes_again(self, line):
        """Tell whether an answer without a proof leads to dice.

        They wait again: a standing order has answered a question, or what
        was agreed to were facts.
        """
        if not self.rolls_wait():
            return False
        if not self.rules:
            return "owes" in line
        return self.run(None)["status"] == "roll"

    def owe_again(self, line, seq, owed):
        """Take an answer that leads to dice, for which another is owed."""
        seat = owed["seat"]
        if owed["facts"] or self.has_witness():
            seat = self.roll_seat(owed["by"])
        want(line.get("owes") == {"seat": seat, "place": owed["place"]},
             "the answer is not owed again, by the right seat")
        want("dice" not in line, "dice before the answer")
        if self.rules:
            out = self.run(None)
            self.check_new_events(line["events"], out, seq)
            self.keep_acts(out)
        self.owed = {**owed, "seq": seq, "seat": seat, "final": True,
                     "facts": False, "judged": False,
                     "rolls": self.has_witness(), "at": time_ms(line["at"]),
                     "dice_key": self.seats[seat].dice_key}

    def finish_upkeep(self, line, owed, betas):
        """Carry out an upkeep order that was agreed to."""
        need = None
        if self.rules:
            need = self.book.upkeep(side_of(owed["by"]), owed["upkeep"])
        self.do_upkeep(line, owed["upkeep"], owed["place"], betas, need)

    def void_order(self, owed):
        """An objection voids the order, as if it had not been given."""
        combat = self.combat
        if owed["free"] is not None or owed["upkeep"] is not None:
            self.forget_undo(owed["seq"])
        elif combat.seq == owed["seq"]:
            self.combat = None
            self.forget_undo(owed["seq"])
        else:
            combat.restore()
