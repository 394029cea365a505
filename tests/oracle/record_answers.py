# SPDX-License-Identifier: ISC
"""Orders that wait for an answer: all dice of live-1, confirmed declarations.

Answers is the part of Game (record_game.py) that keeps what is owed and takes
the answer: umpire-record.7 S5, S6.3.
"""

from record_crypto import base_of, tag, vrf_verify
from record_form import want
from record_parts import side_of


class Answers:
    """Answers that are owed; Game has the rest."""

    def owe(self, line, order, seq, beta, free=None, upkeep=None, by=None):
        """Take an order that waits for an answer (S6.3).

        by is the seat whose own contribution the dice hang on; free and
        upkeep are the args of such an order.
        """
        want("owes" in line, "no answer is owed")
        owes = line["owes"]
        by = line["seat"] if by is None else by
        want(owes["seat"] == 3 - side_of(by),
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
            # Nothing is left to object to.
            "final": order["kind"] == "claim",
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
        self.director_answers += line["seat"] == 0
        self.owed = None
        if args["say"] == "object":
            want("place" not in order and "other" not in order,
                 "an objection with a place or other")
            self.want_nothing(line, "an objection")
            self.void_order(owed)
            return
        self.open_all(line)
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
        elif not needs and self.owes_again(line):
            self.owe_again(line, seq, owed)
        else:
            self.step_combat(line, seq, owed["place"], betas)
        want(self.owed is not None or "owes" not in line,
             "an answer that owes")

    def needs_other(self, line, owed):
        """Tell whether an answer lets dice fall by its own proof."""
        if self.create["scheme"] != "live-1":
            return False
        if owed["free"] is not None or owed["upkeep"] is not None:
            return True
        if not self.rules:
            return "dice" in line
        return self.run(None, asks=True)["status"] == "roll"

    def owes_again(self, line):
        """Tell whether a standing order leads to dice, which wait again."""
        if self.create["scheme"] != "live-1":
            return False
        if not self.rules:
            return "owes" in line
        return self.run(None)["status"] == "roll"

    def owe_again(self, line, seq, owed):
        """Take an answer whose standing orders lead to dice."""
        want(line.get("owes") == {
            "seat": owed["seat"], "place": owed["place"]
        }, "the answer is not owed again, by the same seat")
        want("dice" not in line, "dice before the answer")
        if self.rules:
            out = self.run(None)
            self.check_new_events(line["events"], out, seq)
            self.keep_acts(out)
        self.owed = {**owed, "seq": seq, "final": True}

    def finish_upkeep(self, line, owed, betas):
        """Carry out an upkeep order that was agreed to."""
        need = None
        if self.rules:
            need = self.book.upkeep(side_of(owed["by"]), owed["upkeep"])
        self.do_upkeep(line, owed["upkeep"], owed["place"], betas, need)

    def void_order(self, owed):
        """An objection voids the order, as if it had not been given."""
        want(not owed["final"], "an objection to what is known")
        combat = self.combat
        if owed["free"] is not None or owed["upkeep"] is not None:
            self.forget_undo(owed["seq"])
        elif combat.seq == owed["seq"]:
            self.combat = None
            self.forget_undo(owed["seq"])
        else:
            combat.restore()
