# SPDX-License-Identifier: ISC
"""Rounds, tables and legs; round robins and knockouts.

umpire-tournament-record.7 S18.3, S18.4, S19.1.
"""

PLAYED = ("1", "2", "=")
SWAP = {"1": "2", "2": "1", "+": "-", "-": "+"}


class Leg:
    """A game of a table, or what stands for it."""

    def __init__(self, number, since, is_extra=False):
        self.number = number
        self.is_extra = is_extra
        self.since = since  # of start_s and round_s
        self.more_s = 0  # by rulings
        self.game = None
        self.voided = set()
        self.result = None  # also "?"
        self.bp = 0
        self.how = None
        self.given = 0  # the line that gave the result
        self.asked = None  # since when a ruling is awaited
        self.game_bp = 0  # of the last result from a game
        self.by_game = False
        self.absent = set()  # sides that forfeited by not coming
        self.notice = None

    def swapped(self):
        """Whether b has side 1."""
        return self.number > 1

    def done(self):
        """Whether it has a result."""
        return self.result not in (None, "?")

    def for_a(self):
        """The result and the battle points as a sees them."""
        if self.swapped():
            return SWAP.get(self.result, self.result), -self.bp
        return self.result, self.bp

    def void(self):
        """The game of the leg does not count any more."""
        if self.game is not None:
            self.voided.add(self.game)
        self.game = None


class Table:
    """Two who play."""

    def __init__(self, number, a, b, since, mirror):
        self.number = number
        self.a = a
        self.b = b
        self.legs = [Leg(1, since)] + ([Leg(2, since)] if mirror else [])

    def other(self, entrant):
        """Who sits opposite."""
        return self.b if entrant == self.a else self.a

    def side(self, entrant, leg):
        """The side of an entrant in a leg."""
        return 1 + ((entrant == self.b) != leg.swapped())

    def entrant(self, side, leg):
        """The entrant of a side in a leg."""
        return self.a if (side == 1) != leg.swapped() else self.b

    def base(self):
        """The legs that make the table's result."""
        return [leg for leg in self.legs if not leg.is_extra]

    def extra(self):
        """The leg by which it is played off; None: there is none."""
        return next((leg for leg in self.legs if leg.is_extra), None)

    def done(self):
        """Whether each leg has a result."""
        return all(leg.done() for leg in self.legs)

    def result(self):
        """The result for a, of one or two legs; None: not yet."""
        legs = self.base()
        if not all(leg.done() for leg in legs):
            return None
        results = [leg.for_a()[0] for leg in legs]
        if len(results) == 1:
            return results[0]
        own = sum({"1": 2, "+": 2, "=": 1}.get(r, 0) for r in results)
        theirs = sum({"2": 2, "-": 2, "=": 1}.get(r, 0) for r in results)
        if any(r in PLAYED for r in results):
            return "1" if own > theirs else "2" if own < theirs else "="
        return "+" if own > theirs else "-" if own < theirs else "--"

    def margin(self, legs=None):
        """The battle points of a over legs."""
        return sum(leg.for_a()[1] for leg in legs or self.base())

    def wants_extra(self):
        """Whether a table of a knockout is played off."""
        return (
            self.result() == "=" and self.margin() == 0
            and any(leg.by_game for leg in self.base())
        )

    def winner(self, better):
        """Who goes on (S18.4); None: nobody, or not yet known."""
        result = self.result()
        if result is None or not self.done():
            return None
        margin = self.margin()
        if result == "=" and margin == 0 and self.extra() is not None:
            result, margin = self.extra().for_a()
        if result == "--":
            return None
        if result in ("1", "+"):
            return self.a
        if result in ("2", "-"):
            return self.b
        if margin:
            return self.a if margin > 0 else self.b
        return better


class Round:
    """A round that was paired."""

    def __init__(self, number, stage, seq, line, at, event):
        self.number = number
        self.stage = stage  # "swiss", "robin" or "knockout"
        self.seq = seq
        self.line = line
        self.at = at
        self.scenario = event["scenario"]
        self.bye = list(event["bye"])
        self.absent = list(event["absent"])
        self.pairs = [tuple(pair) for pair in event["tables"]]
        self.tables = []

    def fill(self, mirror):
        """Make the tables."""
        self.tables = [
            Table(i, a, b, self.at, mirror)
            for i, (a, b) in enumerate(self.pairs, 1)
        ]

    def table_of(self, entrant):
        """The table of an entrant; None: there is none."""
        for table in self.tables:
            if entrant in (table.a, table.b):
                return table
        return None

    def done(self):
        """Whether each leg of each table has a result."""
        return all(table.done() for table in self.tables)


# --- Round robin (S18.3) ---


def robin_rounds(n, cycles):
    """How many rounds n players have."""
    return (n - 1 + n % 2) * cycles


def berger(n, r):
    """The pairs of a round of the first cycle, side 1 first: places."""
    half = n // 2
    lead = (r + 1) // 2 if r % 2 else half + r // 2
    pairs = [(lead, n) if r % 2 else (n, lead)]
    for d in range(1, half):
        pairs.append(((lead + d - 1) % (n - 1) + 1,
                      (lead - d - 1) % (n - 1) + 1))
    return pairs


def robin_pairs(n, cycles, r):
    """The pairs of round r of n players; who meets nobody: (pairs, idle)."""
    size = n + n % 2
    cycle = size - 1
    swap = r > cycle
    number = r - cycle if swap else r
    if cycles == 2 and not swap and size >= 4 and number >= cycle - 1:
        number = 2 * cycle - 1 - number
    pairs = berger(size, number)
    idle = []
    if n % 2:
        idle = [x for pair in pairs if size in pair
                for x in pair if x != size]
        pairs = [pair for pair in pairs if size not in pair]
    if swap:
        pairs = [(b, a) for a, b in pairs]
    return pairs, idle


# --- Knockout (S18.4) ---


def bracket(size):
    """The order of the seeds in the draw."""
    order = [1]
    while len(order) < size:
        top = 2 * len(order) + 1
        order = [x for seed in order for x in (seed, top - seed)]
    return order


def size_of(n):
    """The least power of 2 that is not below n, and its exponent."""
    k = 0
    while 2**k < n:
        k += 1
    return 2**k, k
