# SPDX-License-Identifier: ISC
"""Points, ties and standings: umpire-tournament-record.7, S20."""

from fractions import Fraction

from tournament_form import KNOCKOUT, SWISS
from tournament_rounds import PLAYED

VUR = ("-", "H", "Z")


class Past:
    """What one round was to an entrant."""

    def __init__(self, kind, points=0, other=None, table=None):
        self.kind = kind  # "P", "+", "-", "U", "H", "Z", "N" (nothing)
        self.points = points
        self.other = other
        self.table = table

    def copy(self):
        """A copy."""
        return Past(self.kind, self.points, self.other, self.table)


class Points:
    """Points and standings; Tournament has the rest."""

    def ranked_rounds(self):
        """The rounds that points and ties are of."""
        if self.terms["format"] == "swiss+knockout":
            return [r for r in self.rounds if r.stage == "swiss"]
        return self.rounds

    def past(self, entrant, rnd):
        """What a round was to an entrant."""
        points = self.terms["points"]
        table = rnd.table_of(entrant)
        if table is not None:
            result = table.result()
            if result is None:
                return Past("N")
            mine = result
            if entrant == table.b:
                mine = {"1": "2", "2": "1", "+": "-", "-": "+"}.get(
                    result, result)
            other = table.other(entrant)
            if mine in PLAYED:
                got = {"1": "win", "=": "draw", "2": "loss"}[mine]
                return Past("P", points[got], other, table)
            if mine == "+":
                return Past("+", points["win"], other, table)
            return Past("-", 0, other, table)
        if rnd.stage != "swiss":
            return Past("N")
        if entrant in rnd.bye:
            return Past("U", points[self.terms["bye"]])
        who = self.entrants[entrant]
        if who.late_from == rnd.number + 1 and (
            self.terms["entry"]["late_points"] == "half"
        ):
            return Past("H", points["draw"])
        if entrant in rnd.absent and who.byes.get(rnd.number) and (
            self.terms["bye_points"] == "half"
        ):
            return Past("H", points["draw"])
        return Past("Z")

    def story(self, entrant):
        """All that one's ranked rounds were."""
        return [self.past(entrant, rnd) for rnd in self.ranked_rounds()]

    def score(self, entrant):
        """The points of an entrant, with those of rulings."""
        return self.sum_of(entrant, self.story(entrant))

    def sum_of(self, entrant, story):
        """The points of a story, with those of rulings (S20.1)."""
        halves = sum(
            half for rnd, half in self.entrants[entrant].halves
            if rnd <= len(story))
        return max(0, halves + sum(past.points for past in story))

    # Ties.

    def stories(self):
        """The stories of all, as the ties read them."""
        stories = {e: self.story(e) for e in self.listed()}
        if self.terms["format"] == "roundrobin":
            for story in stories.values():
                for past in story:
                    if past.kind in ("+", "-"):
                        past.kind = "P" + past.kind
        return stories

    def adjusted(self, story):
        """The points in which an open round counts a draw."""
        draw = self.terms["points"]["draw"]
        total = sum(past.points for past in story)
        for past in reversed(story):
            if past.kind not in VUR:
                break
            if past.kind in ("H", "Z"):
                total += draw - past.points
        return total

    def contributions(self, entrant, stories):
        """Of each round: contribution, past."""
        own = sum(past.points for past in stories[entrant])
        most = len(stories[entrant]) * self.terms["points"]["draw"]
        found = []
        for past in stories[entrant]:
            if past.kind == "N":
                continue
            if past.kind[0] == "P":
                value = self.adjusted(stories[past.other])
            elif past.kind in ("+", "-"):
                value = min(own, self.adjusted(stories[past.other]))
            else:
                value = min(own, most)
            found.append((value, past))
        return found

    def buchholz(self, entrant, stories, cut=0, top=0):
        """Buchholz, cut at the bottom and at the top."""
        left = [(value, past.kind in VUR)
                for value, past in self.contributions(entrant, stories)]
        for _ in range(min(cut, len(left))):
            vurs = [each for each in left if each[1]]
            left.remove(min(vurs or left))
        for _ in range(min(top, len(left))):
            left.remove(max(left))
        return sum(value for value, _ in left)

    def drawn_stories(self, stories):
        """The stories with the last round's tables drawn."""
        drawn = {}
        for entrant, story in stories.items():
            story = [past.copy() for past in story]
            if story and story[-1].table is not None:
                story[-1].kind = "P"
                story[-1].points = self.terms["points"]["draw"]
            drawn[entrant] = story
        return drawn

    def encounters(self, group, stories):
        """The value of DE of each of a group of equals."""
        parts = self.part_by_games(group, stories)
        if len(parts) == 1:
            return {e: 0 for e in group}
        places, before = {}, 0
        for part in parts:
            for e, place in self.encounters(part, stories).items():
                places[e] = before + max(1, place)
            before += len(part)
        return places

    def part_by_games(self, group, stories):
        """Part a group by the games among it; one part: they do not."""
        win = self.terms["points"]["win"]
        got, most = {}, {}
        for e in group:
            met = {}
            for past in stories[e]:
                if past.kind[0] == "P" and past.other in group:
                    met.setdefault(past.other, []).append(past.points)
            got[e] = sum(Fraction(sum(p), len(p)) for p in met.values())
            most[e] = got[e] + (len(group) - 1 - len(met)) * win
        if got == most:
            return self.split(group, got, True)
        parts, left = [], list(group)
        while len(left) > 1:
            first = max(left, key=lambda e: got[e])
            if any(got[first] <= most[e] for e in left if e != first):
                break
            parts.append([first])
            left.remove(first)
        return parts + [left]

    def tie(self, code, entrant, stories):
        """The value of a tie but DE."""
        story = stories[entrant]
        win = self.terms["points"]["win"]
        if code.startswith("BH"):
            cut = {"BH/C1": 1, "BH/C2": 2, "BH/M1": 1}.get(code, 0)
            return self.buchholz(entrant, stories, cut, code == "BH/M1")
        if code == "FB":
            return self.buchholz(entrant, self.drawn_stories(stories))
        if code == "SB":
            return sum(value * past.points for value, past
                       in self.contributions(entrant, stories))
        if code == "WIN":
            return sum(past.points == win for past in story)
        if code == "WON":
            return sum(past.kind == "P" and past.points == win
                       or past.kind == "P+" for past in story)
        if code == "PS":
            return sum(past.points * (len(story) - i)
                       for i, past in enumerate(story))
        if code == "REP":
            return sum(
                past.kind not in VUR + ("P-", "N") for past in story)
        if code == "BPG":
            return sum(past.kind in ("P", "P+") and past.table.b == entrant
                       for past in story)
        return self.battle_points(code, entrant)

    def battle_points(self, code, entrant):
        """BP and BPA."""
        total = 0
        for rnd in self.ranked_rounds():
            table = rnd.table_of(entrant)
            for leg in table.legs if table is not None else ():
                if leg.result not in PLAYED:
                    continue
                side = table.side(entrant, leg)
                mine = leg.bp if side == 1 else -leg.bp
                if code == "BP":
                    total += mine
                    continue
                others = [
                    each.bp if side == 1 else -each.bp
                    for t in rnd.tables for each in t.legs
                    if each.number == leg.number and each.result in PLAYED
                ]
                count = len(others)
                total += (count * mine - sum(others)) // count
        return total

    # Standings.

    def listed(self):
        """All who were ever in."""
        return sorted(n for n, who in self.entrants.items() if who.was_in())

    def groups(self):
        """Those listed by points and ties: groups of equals; values."""
        stories = self.stories()
        scores = {e: self.score(e) for e in stories}
        values = {e: [] for e in stories}
        groups = self.split(sorted(stories), scores, True)
        for code in self.terms["ties"]:
            parted = []
            for group in groups:
                if code == "DE":
                    value = self.encounters(group, stories)
                    value = {e: value[e] if len(group) > 1 else 0
                             for e in group}
                else:
                    value = {e: self.tie(code, e, stories) for e in group}
                for e in group:
                    values[e].append(value[e])
                parted += self.split(group, value, code != "DE")
            groups = parted
        return groups, scores, values

    @staticmethod
    def split(group, value, most_first):
        """Part a group by values."""
        order = sorted(set(value[e] for e in group), reverse=most_first)
        return [[e for e in group if value[e] == v] for v in order]

    def lot(self, entrant):
        """The place of an entrant by lot."""
        if entrant in self.lots_order:
            return (0, self.lots_order.index(entrant))
        return (1, entrant)

    def table_of_standings(self):
        """The rows of the event."""
        groups, scores, values = self.groups()
        if self.terms["format"] in KNOCKOUT:
            far = self.how_far()
            flat = [(far.get(e, 10**6), i, e)
                    for i, group in enumerate(groups) for e in group]
            keys = sorted({(f, i) for f, i, _ in flat})
            groups = [sorted(e for f, i, e in flat if (f, i) == key)
                      for key in keys]
        rows = []
        rank = 1
        for group in groups:
            if self.terms["lots"]:
                group = sorted(group, key=self.lot)
            for i, e in enumerate(group):
                here = rank + i if self.terms["lots"] else rank
                rows.append([here, e, scores[e], *values[e]])
            rank += len(group)
        return rows

    def swiss_order(self):
        """The entrants by the Swiss's standings, equals by number."""
        groups, _, _ = self.groups()
        number = self.numbers(self.listed())
        return [e for group in groups
                for e in sorted(group, key=lambda x: number[x])]

    def is_swiss(self):
        """Whether there is a Swiss."""
        return self.terms["format"] in SWISS
