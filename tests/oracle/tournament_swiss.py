# SPDX-License-Identifier: ISC
"""A tournament as the readings of FIDE's rules want to see it.

View shows the rounds of a Swiss, or of a round robin, by pairing numbers;
pair() pairs a round of it with pairing.py: umpire-tournament-record.7, S18.2.
"""

from record_form import Unknown

try:
    import pairing
except ImportError:  # it needs networkx
    pairing = None


class Game:
    """What a round was to somebody, by the letters of TRF files."""

    def __init__(self, points, letter="", opponent=0, side=0):
        self.points = points
        self.letter = letter
        self.opponent = opponent
        self.side = side
        self.played = opponent > 0 and letter in ("1", "=", "0")
        self.paired = opponent > 0 or letter == "U"

    def worth(self, _):
        """The half points."""
        return self.points


class View:
    """Rounds, by pairing numbers."""

    def __init__(self, cup, numbers, rounds):
        self.numbers = numbers
        terms = cup.terms["points"]
        self.points = {
            **terms, "forfeit": 0, "absent": 0,
            "bye": terms[cup.terms["bye"]]}
        self.rounds = rounds
        self.initial = cup.initial_side
        self.apart = []
        self.games = {
            n: [self.show(cup, e, rnd) for rnd in cup.ranked_rounds()]
            for e, n in numbers.items()}
        self.corrections = [
            (numbers[e], rnd, half) for e in numbers
            for rnd, half in cup.entrants[e].halves]

    def show(self, cup, entrant, rnd):
        """What a round was to an entrant."""
        past = cup.past(entrant, rnd)
        if past.kind in ("U", "H", "Z"):
            return Game(past.points, past.kind)
        if past.kind == "N":
            return Game(0)
        table = rnd.table_of(entrant)
        letter = past.kind
        if letter == "P":
            mine = table.result()
            if entrant == table.b:
                mine = {"1": "0", "2": "1"}.get(mine, mine)
            letter = "0" if mine == "2" else mine
        side = 1 if entrant == table.a else 2
        return Game(past.points, letter, self.numbers[past.other], side)

    def game(self, number, rnd):
        """What a round was to a number."""
        games = self.games[number]
        return games[rnd - 1] if rnd <= len(games) else Game(0)

    def score(self, number, rnd):
        """The points after a round."""
        half = sum(c for n, r, c in self.corrections
                   if n == number and r <= rnd)
        return max(0, half + sum(
            self.game(number, r).points for r in range(1, rnd + 1)))


def pair(cup, number, plays, numbers, forbidden):
    """The pairs, side 1 first, and the bye; None: there is no pairing."""
    if pairing is None:
        raise Unknown("a Swiss cannot be paired without networkx")
    last = min(cup.swiss_rounds, cup.last_round())
    view = View(cup, numbers, last)
    view.apart = [
        (1, number, {numbers[a], numbers[b]}) for a, b in forbidden
        if a in numbers and b in numbers]
    for e, n in numbers.items():
        view.games[n].append(Game(0, "" if e in plays else "Z"))
    back = {n: e for e, n in numbers.items()}
    try:
        tables, bye = pairing.Round(view, number).pair()
    except pairing.Impossible:
        return None
    return ([(back[a], back[b]) for a, b in tables],
            [back[bye]] if bye else [])
