# SPDX-License-Identifier: ISC
"""The witness: the third hand for dice that answers every roll.

Witnesses is the part of Game (record_game.py) that knows whether there is one,
whom a roll waits for, and takes its notes and the claims on its silence:
umpire-record.7 S6.9.
"""

from record_clock import time_ms
from record_form import want
from record_parts import WITNESS, side_of

WITNESS_S = 600
NOTES = ("passed", "answered", "anew")


class Witnesses:
    """The witness; Game has the rest."""

    def witness_key(self):
        """The key of the witness; None where there is none."""
        return (self.create or {}).get("options", {}).get("witness")

    def has_witness(self):
        """Tell whether the witness answers rolls."""
        return self.witness_key() is not None and not self.witness_out

    def is_live(self):
        """Tell whether the sides answer each other's rolls."""
        return self.create["scheme"] == "live-1" and not self.has_witness()

    def rolls_wait(self):
        """Tell whether dice wait for an answer, whoever gives it."""
        return self.create["scheme"] == "live-1"

    def roll_seat(self, by):
        """The seat that answers a roll of the acting seat."""
        return WITNESS if self.has_witness() else 3 - side_of(by)

    def want_of_witness(self, order):
        """Want an order that the witness may give."""
        kinds = ("join", "ready", "answer", "note", "chat", "dice-key")
        if self.witness_out:
            kinds = ("note", "chat")
        want(order["kind"] in kinds, "%s of the witness", order["kind"])

    def take_silence(self, line, order, seq):
        """Take a claim on the silence of the witness; tell if effective."""
        owed = self.owed
        want(self.started and not self.over, "a claim out of play")
        want(line["seat"], "a claim of the director")
        self.take_end(order)
        want("now" in order, "a claim on silence without now")
        want("place" not in order, "a claim on silence with a place")
        self.want_nothing(line, "a claim on silence")
        must = 1000 * self.create["options"].get("witness_s", WITNESS_S)
        at = min(time_ms(line["at"]), time_ms(order["now"]))
        if at - owed["at"] < must:
            return False
        seat = 3 - side_of(owed["by"])
        self.silences[owed["seq"]] = {"claimant": line["seat"], "seat": seat,
                                      "noted": False}
        owed["seat"] = seat
        owed["dice_key"] = self.seats[seat].dice_key
        return True

    def note_of_witness(self, line, order, seq):
        """Take a note of the witness."""
        args = order["args"]
        to = args["to"]
        want(line["seat"] == WITNESS and args["say"] in NOTES,
             "a note %s of seat %d", args["say"], line["seat"])
        if args["say"] == "passed":
            notices = self.clock.notices.values() if self.clock else ()
            found = [notice for notice in notices if notice.seq == to]
            want(found, "no such notice stands")
            want(not found[0].passed, "passed twice")
            found[0].passed = True
        elif args["say"] == "answered":
            want(to in self.silences, "no silence was claimed on line %d", to)
            want(not self.silences[to]["noted"], "answered twice")
            self.silences[to]["noted"] = True
        else:
            want(to in self.witness_lines, "line %d is not the witness's", to)
        if args["say"] != "passed":
            self.witness_notes.append((seq, args["say"], to))

    def tell_witness(self):
        """Say where the witness was silent, and what it noted (S10)."""
        told = [
            "line %d: the witness was silent, claimed by seat %d, "
            "answered by seat %d" % (seq, each["claimant"], each["seat"])
            for seq, each in self.silences.items()
        ]
        return told + ["line %d: the witness notes %s of line %d" % each
                       for each in self.witness_notes]
