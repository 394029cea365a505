# SPDX-License-Identifier: ISC
"""Tie-breaks by C.07 of 2026-03-01: a second reading.

Values are half points, of SB quarters, of the others numbers.  An unplayed
round is open if it is a bye on request and only rounds follow that the player
chose not to play; others see it as a draw.  Points that rulings give or take
count in the standings, not in tie-breaks.
"""

from fractions import Fraction

LOW = {"DE"}  # less is better
UNIT = {"BH": 2, "BH/C1": 2, "BH/C2": 2, "BH/M1": 2, "FB": 2, "PS": 2,
        "SB": 4}


class Ties:
    def __init__(self, tournament, rounds, is_roundrobin=False):
        self.t = tournament
        self.n = rounds
        self.rr = is_roundrobin

    def rounds(self, p):
        return [self.t.game(p, r) for r in range(1, self.n + 1)]

    def requested(self, g):
        return g.opponent == 0 and g.letter in ("H", "Z", "")

    def voluntary(self, g):
        return self.requested(g) or g.letter == "-"

    def worths(self, p, fore):
        """What each round brought; with fore the last, if paired, a draw."""
        out = [g.worth(self.t.points) for g in self.rounds(p)]
        if fore and self.n and self.t.game(p, self.n).opponent:
            out[-1] = self.t.points["draw"]
        return out

    def own(self, p, fore=False):
        return sum(self.worths(p, fore))

    def adjusted(self, p, fore=False):
        games, out = self.rounds(p), self.worths(p, fore)
        if not self.rr and not (fore and self.n and games[-1].opponent):
            for r in range(self.n - 1, -1, -1):
                if not self.voluntary(games[r]):
                    break
                if self.requested(games[r]):
                    out[r] = self.t.points["draw"]
        return sum(out)

    def contributions(self, p, fore=False):
        """(round, score of the opponent or a dummy, chosen not to play)"""
        out = []
        for r, g in enumerate(self.rounds(p), 1):
            if g.opponent and (g.played or self.rr or (fore and r == self.n)):
                out.append((r, self.adjusted(g.opponent, fore), False))
            elif not self.rr:
                cap = (self.adjusted(g.opponent, fore) if g.opponent
                       else self.n * self.t.points["draw"])
                out.append((r, min(self.own(p, fore), cap),
                            self.voluntary(g)))
        return out

    def buchholz(self, p, cut_low=0, cut_high=0, fore=False):
        rest = self.contributions(p, fore)
        for _ in range(min(cut_low, len(rest))):
            least = min(rest, key=lambda c: c[1])
            chosen = [c for c in rest if c[2]]
            if chosen and min(c[1] for c in chosen) >= least[1]:
                least = min(chosen, key=lambda c: c[1])
            rest.remove(least)
        for _ in range(min(cut_high, len(rest))):
            rest.remove(max(rest, key=lambda c: c[1]))
        return sum(c[1] for c in rest)

    def counted(self, g):
        """A game of one's own record: in a round robin forfeits won, too."""
        return g.played or (self.rr and g.opponent > 0 and g.letter == "+")

    def value(self, p, code):
        games, points = self.rounds(p), self.t.points
        if code == "BH":
            return self.buchholz(p)
        if code == "BH/C1":
            return self.buchholz(p, 1)
        if code == "BH/C2":
            return self.buchholz(p, 2)
        if code == "BH/M1":
            return self.buchholz(p, 1, 1)
        if code == "FB":
            return self.buchholz(p, fore=True)
        if code == "SB":
            return sum(score * games[r - 1].worth(points)
                       for r, score, _ in self.contributions(p))
        if code == "WIN":
            return sum(g.worth(points) == points["win"] for g in games)
        if code == "WON":
            return sum(self.counted(g) and g.letter in "1W+" for g in games)
        if code == "PS":
            return sum(sum(g.worth(points) for g in games[:r])
                       for r in range(1, self.n + 1))
        if code == "REP":
            return sum(not self.voluntary(g) for g in games)
        if code == "BPG":
            return sum(self.counted(g) and g.side == 2 for g in games)
        raise ValueError(code)

    # ---- direct encounter ----

    def encounters(self, p, group):
        """The mean against each of the group that was met."""
        met = {}
        for g in self.rounds(p):
            if g.opponent in group and (g.played or self.rr):
                met.setdefault(g.opponent, []).append(
                    g.worth(self.t.points))
        return {o: Fraction(sum(w), len(w)) for o, w in met.items()}

    def split(self, group):
        """Parts a group in order; one part only if nothing parts it."""
        score, most = {}, {}
        for p in group:
            met = self.encounters(p, set(group))
            score[p] = sum(met.values())
            most[p] = (score[p] + (len(group) - 1 - len(met))
                       * self.t.points["win"])
        order = sorted(group, key=lambda p: -score[p])
        if score == most:
            return [[p for p in order if score[p] == s]
                    for s in sorted(set(score.values()), reverse=True)]
        parts = []
        while len(order) > 1 and all(score[order[0]] > most[q]
                                     for q in order[1:]):
            parts.append([order.pop(0)])
        return parts + [order]

    def direct(self, group):
        """The places of a group; all 0 if nothing parts it."""
        parts = self.split(group)
        if len(parts) == 1:
            return {p: 0 for p in group}
        places, before = {}, 0
        for part in parts:
            for p, place in self.direct(part).items():
                places[p] = before + max(1, place)
            before += len(part)
        return places

    # ---- standings ----

    def standings(self, codes):
        """[(rank, number, points, [values])], best first."""
        rows = {p: [self.t.score(p, self.n)] for p in self.t.games}
        keys = {p: [-rows[p][0]] for p in rows}
        for code in codes:
            groups = {}
            for p, key in keys.items():
                groups.setdefault(tuple(key), []).append(p)
            for group in groups.values():
                values = (self.direct(sorted(group)) if code == "DE" else
                          {p: self.value(p, code) for p in group})
                for p in group:
                    rows[p].append(values[p])
                    keys[p] = keys[p] + [
                        values[p] if code in LOW else -values[p]]
        order = sorted(rows, key=lambda p: (keys[p], p))
        out = []
        for i, p in enumerate(order):
            rank = (out[-1][0] if i and keys[order[i - 1]] == keys[p]
                    else i + 1)
            out.append((rank, p, rows[p][0], rows[p][1:]))
        return out
