# SPDX-License-Identifier: ISC
"""What a tournament needs of its games (umpire-tournament-record.7 S16, S19).

A Track reads the record of one game and keeps, after each line, who has come,
whether it is played, for whom it waits and what it would bring. Worth is known
of lasalle2 alone.
"""

import hashlib

from record_clock import time_ms
from record_form import Bad, Unknown, read_line, want
from record_game import Game
from record_orders import TURN_KINDS, read_order
from record_parts import Side, side_of
from verify import is_fault, split_lines


class State:
    """A game after one of its lines."""

    def __init__(self, seq, line, at):
        self.seq = seq
        self.line = line
        self.at = at
        self.come = set()  # sides
        self.begun = False
        self.played = False
        self.ended = False
        self.how = None
        self.winner = 0
        self.waits = set()  # sides
        self.losses = None  # of both sides; None: not known here

    def margin(self, resign):
        """The battle points of side 1, as S19.2 has them."""
        if self.losses is None:
            return None
        one, two = self.losses
        if self.how in ("resign", "forfeit"):
            if self.winner == 2:
                one = max(one, resign)
            else:
                two = max(two, resign)
        return two - one

    def result(self, resign):
        """What an ended game brings: result, bp (None: not known), how."""
        how = self.how
        if how in ("stopped", "closed", "halted"):
            return "?", 0, how
        if how == "draw" or self.winner == 0:
            return "=", self.margin(resign), how
        if how in ("agreed", "ruling") or self.played:
            return str(self.winner), self.margin(resign), how
        return "+-"[self.winner - 1], 0, how


class Track:
    """The record of a game, line by line."""

    def __init__(self, data, rules=True):
        self.notes = []
        self.states = []
        self.orders = []  # order and line of create and joins, by their seqs
        self.worths = {}
        self.begin = None
        self.given = set()
        self.lost = False  # a line `restored` is in it
        lines, side_lines = split_lines(data)
        self.side = Side(side_lines, len(lines) + 1)
        self.game = Game(self.side, rules)
        self.lines = lines
        for number, line in enumerate(lines, 1):
            try:
                if is_fault(lines[number : number + 1]) and self.game.rules:
                    self.game.stop_rules("the rules failed")
                self.game.take(line)
            except Bad as e:
                raise Bad("its line %d: %s" % (number, e)) from None
            except Unknown as e:
                if self.game.beyond is None:
                    self.game.beyond = str(e)
                    self.notes.append("its line %d: %s" % (number, e))
                    self.side.names_unknown = True
            self.keep(line)
        self.side.check_named()
        self.notes += self.game.notes
        self.id = self.game.game.hex()

    def keep(self, data):
        """Keep the state after a line."""
        line = read_line(data)
        game = self.game
        seq = len(self.states)
        state = State(seq, hashlib.sha256(data).hexdigest(),
                      time_ms(line["at"]))
        self.lost = self.lost or line.get("what") == "restored"
        if line["kind"] == "order":
            self.note_order(line, seq)
        full = bool(game.seats) and set(game.seats) == game.all_seats
        state.come = {
            side for side in (1, 2)
            if any(side_of(seat) == side for seat in game.seats)
            and (not full or game.started or side in game.ready)
        }
        state.begun = game.started
        state.played = self.given == {1, 2}
        state.waits = (
            game.owing_sides() if game.started else {1, 2} - state.come)
        self.note_end(state, line)
        self.note_worth(state)
        self.states.append(state)

    def note_order(self, line, seq):
        """Keep who sits, and who has given turn orders in play."""
        order = read_order(line["order"])
        kind = order["kind"]
        if kind in ("create", "join"):
            self.orders.append((seq, order["args"]))
        side = side_of(line["seat"])
        if self.game.started and kind in TURN_KINDS and side:
            self.given.add(side)

    def note_end(self, state, line):
        """Note how the game ended, once it has."""
        game = self.game
        if game.outcome is not None:
            state.ended = True
            state.how, state.winner = game.outcome
            if state.how == "resign" and not game.started:
                state.how = "cancel"
        elif game.finished or game.halted:
            state.ended = True
            state.how = "halted"
            if game.finished:
                state.how = "closed" if line["kind"] == "server" else "stopped"

    def note_worth(self, state):
        """Weigh what is left of both sides (S19.2)."""
        game = self.game
        roster = getattr(game.book, "roster", None)
        if game.create is None or game.create["system"] != "lasalle2" or (
            roster is None or not game.rules
        ):
            return
        state.losses = (0, 0)
        if not game.started:
            return
        losses = []
        for side in (1, 2):
            left = 0
            for name, entry in roster[side].items():
                worth = entry["fields"]["strength"]
                whole = self.worths.setdefault((side, name), worth)
                if entry["gone"] is None:
                    left += min(worth, whole)
            start = sum(v for (s, _), v in self.worths.items() if s == side)
            lost = 1000 * (start - left) // start if start else 0
            losses.append(min(max(lost, 0), 1000))
        state.losses = tuple(losses)

    def at_line(self, seq, line):
        """The state at a line that must be there under its hash."""
        want(seq < len(self.states), "the game has no line %d", seq)
        state = self.states[seq]
        want(state.line == line, "line %d of the game has another hash", seq)
        return state

    def has_lost(self, seq, line):
        """Whether a line is not there any more."""
        return self.lost and (
            not 0 <= seq < len(self.states)
            or self.states[seq].line != line)

    def endings(self):
        """The states whose lines end the game: at most two (S19.1)."""
        found = []
        for state in self.states:
            if not state.ended:
                continue
            if not found or (found[0].how == "halted" and len(found) == 1
                             and state.how not in ("halted", "closed",
                                                   "stopped")):
                found.append(state)
        return found


class Shelf:
    """The games that are at hand, by their ids."""

    def __init__(self, read=None, rules=True):
        self.read = read or (lambda name: None)  # id -> bytes or None
        self.rules = rules
        self.tracks = {}

    def track(self, name):
        """The track of a game; None: not at hand. Bad where it is bad."""
        if name not in self.tracks:
            data = self.read(name)
            self.tracks[name] = (
                None if data is None else Track(data, self.rules))
        track = self.tracks[name]
        want(track is None or track.id == name, "its file is another game")
        return track
