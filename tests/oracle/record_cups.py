# SPDX-License-Identifier: ISC
"""Free rolls, and the cups that free draws are made from.

Cups is the part of Game (record_game.py) that takes the orders free and cup:
umpire-record.7 S5, S6.1, S7.
"""

from record_form import want
from record_parts import side_of

MAX_CUPS = 16
MAX_CHITS = 2000


class Cup:
    """A cup: which of its chits are in and which out."""

    def __init__(self, items, seq):
        self.items = set(items)
        self.out = {}  # chit -> the free order that drew it
        self.seq = seq  # of the last cup order

    def chits(self):
        """What is in, in the order that draws take."""
        return sorted(
            self.items - set(self.out), key=lambda chit: chit.encode()
        )


class Cups:
    """Free rolls and cups; Game has the rest."""

    def take_cup(self, line, order, seq):
        """Take an order about a cup."""
        args = order["args"]
        self.name_texts(args, "for")
        want(not self.over, "a cup after the end")
        name = args["cup"]
        if args["do"] == "make":
            want(name not in self.cups, "the cup is there already")
            want(len(self.cups) < MAX_CUPS, "too many cups")
            held = sum(len(cup.items) for cup in self.cups.values())
            want(held + len(args["items"]) <= MAX_CHITS, "too many chits")
            self.cups[name] = Cup(args["items"], seq)
            return False
        want(self.started, "%s of a cup before the start", args["do"])
        want(side_of(line["seat"]) == self.side_in_turn(),
             "a cup order out of turn")
        want(name in self.cups, "there is no such cup")
        if self.owed is not None and self.owed["free"] is not None:
            want(self.owed["free"].get("cup") != name,
                 "a draw from the cup is owed")
        cup = self.cups[name]
        items = args.get("items", list(cup.out))
        for chit in items:
            want(chit in cup.out, "%r is not out", chit)
            del cup.out[chit]
        cup.seq = seq
        return False

    def take_free(self, line, order, seq):
        """Take a free roll or draw, for its dice the label `free`."""
        seat = line["seat"]
        place = "f/%d/%d" % (seat, self.free_rolls.get(seat, 0) + 1)
        beta = self.check_own(line, order, place)
        args = order["args"]
        self.name_texts(args, "for")
        if "cup" in args:
            want(args["cup"] in self.cups, "there is no such cup")
            cup = self.cups[args["cup"]]
            want(cup.seq <= order["after"], "the cup has changed")
            want(args["draw"] <= len(cup.chits()), "so many are not in")
        self.remember_undo(seq)
        if self.rolls_wait():
            self.owe(line, order, seq, beta, free=args, rolls=True)
            want("dice" not in line, "dice before the answer")
            return
        want("owes" not in line, "an answer is owed in dual-1")
        self.take_free_dice(line, seat, place, (beta,), args, seq)

    def take_free_dice(self, line, seat, place, betas, args, seq):
        """Check the dice or chits of a free roll; seq is its order's."""
        want("dice" in line, "a free roll without dice")
        want(line["events"] == [], "a free roll with events")
        self.draw(line["dice"], place, betas)
        want(len(line["dice"]["rolls"]) == 1, "more than one free roll")
        (roll,) = line["dice"]["rolls"]
        want(roll["label"] == "free", "a free roll of another label")
        self.free_rolls[seat] = self.free_rolls.get(seat, 0) + 1
        if "cup" not in args:
            want(
                (len(roll.get("dice", ())), roll.get("sides"))
                == (args["dice"], args["sides"]),
                "another roll than the one asked",
            )
            return
        cup = self.cups[args["cup"]]
        left = cup.chits()
        want(roll.get("bag") == len(left), "another number of chits is in")
        want(len(roll["chits"]) == args["draw"], "another number is drawn")
        want(roll["chits"] == [left[rank] for rank in self.ranks["free"]],
             "other chits are drawn")
        for chit in roll["chits"]:
            cup.out[chit] = seq

    def put_back(self, since):
        """Put back the chits of draws that are taken back, if out."""
        for cup in self.cups.values():
            for chit in [c for c, seq in cup.out.items() if seq >= since]:
                del cup.out[chit]
