#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Pairings by FIDE's Dutch system, C.04.3 in force since 2026-02-01: a second
reading, by maximum-weight matchings of networkx.

A bracket's candidates are compared criterion by criterion, and then by the
order of Article 4.  Both are digits of the weights of a graph's edges, so wide
that no sum of lower ones reaches a higher one; the best matching is the best
candidate.  White is side 1.

  pairing.py FILE...

Pairs each round of TRF files, and, where NAME.expected lies beside NAME.trf,
the next one, which that file has.  Exit status: 0 all as the files have it, 1
not all.
"""

import os
import site
import sys

site.main()  # the tests start Python with -S
import networkx  # noqa: E402 pylint: disable=wrong-import-position

import trf  # noqa: E402 pylint: disable=wrong-import-position

STRENGTH = {"none": 0, "mild": 1, "strong": 2, "absolute": 3}
BYE = 0  # the vertex of the pairing-allocated bye


class Impossible(Exception):
    """There is no complete pairing."""


class Player:
    """What pairing round `rnd` knows of somebody."""

    def __init__(self, t, number, rnd):
        self.number = number
        self.score = t.score(number, rnd - 1)
        games = [t.game(number, r) for r in range(1, rnd)]
        self.met = {g.opponent for g in games if g.played}
        self.sides = [g.side for g in games if g.played]
        self.unplayed = sum(not g.played for g in games)
        self.had_bye = any(
            g.letter == "U" or (not g.played and
                                g.worth(t.points) >= t.points["win"])
            for g in games)
        self.down, self.up = set(), set()
        for r, g in enumerate(games, 1):
            back = rnd - r  # rounds ago
            if g.played:
                own = t.score(number, r - 1)
                other = t.score(g.opponent, r - 1)
                if own > other:
                    self.down.add(back)
                elif own < other:
                    self.up.add(back)
            elif g.letter == "U" or g.worth(t.points) > t.points["loss"]:
                self.down.add(back)
        self.difference = self.sides.count(1) - self.sides.count(2)
        self.preference, self.strength = self.wish()
        self.top = (rnd == t.rounds and
                    2 * self.score > t.points["win"] * (rnd - 1))

    def wish(self):
        """Preferred side and how strongly (1.7)."""
        if not self.sides:
            return 0, "none"
        d = self.difference
        if abs(d) > 1:
            return (2 if d > 0 else 1), "absolute"
        if len(self.sides) > 1 and self.sides[-1] == self.sides[-2]:
            return 3 - self.sides[-1], "absolute"
        if d:
            return (2 if d > 0 else 1), "strong"
        return 3 - self.sides[-1], "mild"


def swapped(side):
    return 3 - side


class Round:
    """A round that is to be paired."""

    def __init__(self, t, rnd, apart=()):
        self.t = t
        self.rnd = rnd
        self.initial = t.initial or first_side(t)
        numbers = sorted(t.games)
        here = [n for n in numbers if t.game(n, rnd).letter in ("", "U")
                or t.game(n, rnd).opponent]
        known = [n for n in numbers if n in here or
                 any(t.game(n, r).paired for r in range(1, rnd))]
        self.tpn = {n: i for i, n in enumerate(known, 1)}
        self.players = {n: Player(t, n, rnd) for n in here}
        self.apart = [group for first, last, group in t.apart
                      if first <= rnd <= last] + [set(g) for g in apart]

    def rank(self, number):
        """What sorts players: by score, then by pairing number (1.2)."""
        return (-self.players[number].score, number)

    # ---- absolute criteria ----

    def may_meet(self, a, b):
        if b in self.players[a].met:
            return False  # C1
        if any(a in g and b in g for g in self.apart):
            return False
        p, q = self.players[a], self.players[b]
        return not (not p.top and not q.top and  # C3
                    p.strength == q.strength == "absolute" and
                    p.preference == q.preference)

    def may_rest(self, number):
        return not self.players[number].had_bye  # C2

    def graph(self, numbers, rest, down=()):
        """All pairs that can be made; `rest` may have the bye."""
        g = networkx.Graph()
        g.add_nodes_from(numbers)
        for i, a in enumerate(numbers):
            for b in numbers[i + 1:]:
                if not (a in down and b in down) and self.may_meet(a, b):
                    g.add_edge(a, b)
        if len(numbers) % 2:
            g.add_node(BYE)
            g.add_edges_from((n, BYE) for n in rest)
        return g

    def bye_score(self):
        """The least score that can have the bye (C5); None: no bye."""
        numbers = sorted(self.players)
        if len(numbers) % 2 == 0:
            if not perfect(self.graph(numbers, ())):
                raise Impossible
            return None
        for score in sorted({p.score for p in self.players.values()}):
            rest = [n for n in numbers if self.may_rest(n) and
                    self.players[n].score == score]
            if rest and perfect(self.graph(numbers, rest)):
                return score
        raise Impossible

    # ---- sides (Article 5) ----

    def white(self, a, b):
        """Who of two has side 1."""
        if self.rank(a) > self.rank(b):
            a, b = b, a
        p, q = self.players[a], self.players[b]
        both = (p, q)
        if p.preference != q.preference or not p.preference:
            for mine, n, other in ((p, a, b), (q, b, a)):
                if mine.preference:
                    return n if mine.preference == 1 else other
        else:
            strength = [STRENGTH[x.strength] for x in both]
            width = [abs(x.difference) for x in both]
            winner = None
            if strength[0] != strength[1]:
                winner = p if strength[0] > strength[1] else q
            elif p.strength == "absolute" and width[0] != width[1]:
                winner = p if width[0] > width[1] else q
            if winner is not None:
                other = b if winner is p else a
                return (winner.number if winner.preference == 1 else other)
            for mine, theirs in zip(reversed(p.sides), reversed(q.sides)):
                if mine != theirs:
                    return a if mine == 2 else b
            return a if p.preference == 1 else b
        odd = self.tpn[a] % 2 == 1
        return a if (self.initial == 1) == odd else b

    def denied(self, a, b):
        """For a pair: [beyond 2, three in a row, denied, strong denied]."""
        white = self.white(a, b)
        out = [0, 0, 0, 0]
        is_top = self.players[a].top or self.players[b].top
        for n in (a, b):
            p = self.players[n]
            side = 1 if n == white else 2
            if is_top:
                out[0] += abs(p.difference + (1 if side == 1 else -1)) > 2
                out[1] += p.sides[-2:] == [side, side]
            if p.preference and p.preference != side:
                out[2] += 1
                out[3] += STRENGTH[p.strength] >= STRENGTH["strong"]
        return out

    # ---- brackets ----

    def pair(self):
        """[(side 1, side 2), ...] and who has the bye, or None."""
        bye = self.bye_score()
        left = sorted(self.players, key=self.rank)
        down, made = [], []
        for score in sorted({p.score for p in self.players.values()},
                            reverse=True):
            residents = [n for n in left if self.players[n].score == score
                         and n not in down]
            bracket = Bracket(self, left, down, residents, bye)
            pairs = bracket.solve()
            made += pairs
            used = {n for pair in pairs for n in pair}
            left = [n for n in left if n not in used]
            down = [n for n in down + residents if n not in used]
        tables = []
        for a, b in made:
            w = self.white(a, b)
            tables.append((w, b if w == a else a))
        if len(left) > 1 or (len(left) == 1) != (bye is not None):
            raise AssertionError("not complete")
        return tables, (left[0] if left else None)


class Bracket:
    def __init__(self, rnd, left, down, residents, bye):
        self.rnd = rnd
        self.players = rnd.players
        self.left = left
        self.down = down
        self.residents = residents
        self.members = down + residents
        self.bye = bye
        self.scores = sorted({self.players[n].score for n in self.members},
                             reverse=True)
        lower = [self.players[n].score for n in left
                 if n not in self.members]
        self.next = max(lower) if lower else None
        rest = [n for n in left if rnd.may_rest(n) and
                self.players[n].score == bye]
        self.graph = rnd.graph(left, rest, set(down))
        self.width = 1 + max(len(left), max(
            [p.unplayed for p in self.players.values()]))

    def ordered(self, a, b):
        return (a, b) if self.rnd.rank(a) < self.rnd.rank(b) else (b, a)

    def inside(self, high, low):
        return high in self.members and low in self.residents

    def criteria(self, a, b, with_c9):
        """The digits of an edge, highest first: the more the better."""
        digits = []
        is_bye = BYE in (a, b)
        if is_bye:
            high, low = (a or b), None
        else:
            high, low = self.ordered(a, b)
        inside = not is_bye and self.inside(high, low)
        digits.append(int(inside))  # C6
        for s in self.scores:  # C7
            digits.append(sum(inside and self.players[n].score == s
                              for n in (a, b)))
        if self.next is not None:  # C8: C6 and C7 of the next bracket
            follows = (not is_bye and not inside and
                       self.players[low].score == self.next)
            digits.append(int(follows))
            for s in self.scores + [self.next]:
                digits.append(int(follows and self.players[high].score == s))
        if with_c9:
            digits.append(self.width - 1 - self.players[high].unplayed
                          if is_bye else 0)
        if not inside:
            return digits + [0] * (4 + 4 + 4 * len(self.scores))
        digits += [-n for n in self.rnd.denied(a, b)]  # C10 to C13
        met_down = high in self.down
        for back in (1, 2):  # C14 to C17
            digits.append(sum(n in self.residents and
                              back in self.players[n].down
                              for n in (a, b)))
            digits.append(-int(met_down and back in self.players[low].up))
        for back in (1, 2):  # C18 to C21
            for s in self.scores:
                digits.append(int(met_down and
                                  self.players[high].score == s and
                                  back in self.players[high].down))
            for s in self.scores:
                digits.append(-int(met_down and
                                   self.players[high].score == s and
                                   back in self.players[low].up))
        return digits

    def match(self, graph, digits):
        """The best perfect matching: {vertex: vertex}."""
        # A sum of digits below the lowest is less than half a unit of it.
        base = 4 * self.width * (len(graph) + 1)
        weighted = networkx.Graph()
        weighted.add_nodes_from(graph)
        for a, b in graph.edges:
            weight = 0
            for d in digits(a, b):
                assert abs(d) <= self.width
                weight = weight * base + d
            weighted.add_edge(a, b, weight=weight)
        mates = {}
        for a, b in networkx.max_weight_matching(weighted, True):
            mates[a], mates[b] = b, a
        assert len(mates) == len(graph)
        return mates

    def inner(self, mates):
        """The pairs made in the bracket, in rank order."""
        out = []
        for n in self.members:
            m = mates[n]
            if m != BYE and self.inside(n, m) and (n, m) == self.ordered(n, m):
                out.append((n, m))
        return out

    def solve(self):
        mates = self.match(self.graph,
                           lambda a, b: self.criteria(a, b, False))
        floats = len(self.members) - 2 * len(self.inner(mates))
        # C9: one downfloater, and they are the one who gets the bye.
        self.c9 = (self.bye is not None and floats == 1 and
                   self.players[self.residents[0]].score <= self.bye)
        k = len(self.inner(mates))
        if not self.down:
            return self.inner(self.match(
                self.graph,
                lambda a, b: self.criteria(a, b, self.c9) +
                self.homogeneous(self.residents, k, a, b)))
        mates = self.match(self.graph, self.heterogeneous)
        fixed = [(a, b) for a, b in self.inner(mates) if a in self.down]
        used = {n for pair in fixed for n in pair}
        remainder = [n for n in self.residents if n not in used]
        graph = self.graph.subgraph(
            [n for n in self.graph if n not in used]).copy()
        # Those in the limbo stay there.
        for n in self.down:
            if n not in used:
                graph.remove_edges_from(
                    [(n, r) for r in remainder if graph.has_edge(n, r)])
        mates = self.match(
            graph, lambda a, b: self.criteria(a, b, self.c9) +
            self.homogeneous(remainder, k - len(fixed), a, b))
        for a, b in fixed:
            mates[a], mates[b] = b, a
        return self.inner(mates)

    def heterogeneous(self, a, b):
        """Which of those from above are paired (4.4), and with whom (4.2)."""
        digits = self.criteria(a, b, self.c9)
        mine, whom = [0] * len(self.down), [0] * len(self.down)
        if BYE not in (a, b):
            high, low = self.ordered(a, b)
            if high in self.down and low in self.residents:
                i = self.down.index(high)
                mine[i] = 1
                whom[i] = len(self.residents) - self.residents.index(low)
        return digits + mine + whom

    def homogeneous(self, group, k, a, b):
        """Exchanges (4.3), then transpositions (4.2), of k pairs."""
        m = len(group)
        first = [0, 0]  # how many are exchanged; the difference of numbers
        out, into, whom = [0] * k, [0] * (m - k), [0] * m
        if a in group and b in group:
            high, low = self.ordered(a, b)
            i, j = group.index(high) + 1, group.index(low) + 1
            first = [int(i <= k), -i]
            if i <= k:
                out[k - i] = -1
            else:
                into[i - k - 1] = 1
            whom[i - 1] = m + 1 - j
        return first + out + into + whom


def perfect(graph):
    """True if all vertices can be matched."""
    return 2 * len(networkx.max_weight_matching(graph, True)) == len(graph)


def first_side(t):
    """The initial side that a file shows: that of the highest in round 1."""
    first = min([r for n in t.games for r in range(1, t.width() + 1)
                 if t.game(n, r).side] or [0])
    number = 0
    for n in sorted(t.games):
        if any(t.game(n, r).paired for r in range(1, first + 1)):
            number += 1
            if t.game(n, first).side:
                side = t.game(n, first).side
                return side if number % 2 else swapped(side)
    return 1


def made(t, rnd):
    """The pairs and the bye, as lines of text, sorted."""
    tables, bye = Round(t, rnd).pair()
    lines = ["%d %d" % pair for pair in tables]
    return sorted(lines + (["%d 0" % bye] if bye is not None else []))


def wanted(t, rnd):
    """The same as a file has them."""
    lines = ["%d %d" % (n, t.game(n, rnd).opponent) for n in t.games
             if t.game(n, rnd).side == 1]
    return sorted(lines + ["%d 0" % n for n in t.games
                           if t.game(n, rnd).letter == "U"])


def check(path):
    """How many rounds of a file agree, and how many do not."""
    with open(path, encoding="utf-8", newline="") as f:
        t = trf.read(f.read())
    t.rounds = t.rounds or t.paired()
    agree = differ = 0
    cases = [(r, wanted(t, r)) for r in range(1, t.paired() + 1)]
    expected = os.path.splitext(path)[0] + ".expected"
    if os.path.exists(expected):
        with open(expected, encoding="utf-8") as f:
            lines = f.read().splitlines()
        cases = [(t.paired() + 1, sorted(lines[1:]) or ["none"])]
    for rnd, theirs in cases:
        try:
            ours = made(t, rnd)
        except Impossible:
            ours = ["none"]
        agree += ours == theirs
        differ += ours != theirs
        if ours != theirs:
            print("%s, round %d: %s, not %s" % (path, rnd, ours, theirs))
    return agree, differ


def main(paths):
    agree = differ = 0
    for path in paths:
        a, d = check(path)
        agree += a
        differ += d
    print("%d rounds agree, %d differ" % (agree, differ))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
