# SPDX-License-Identifier: ISC
"""Pairings: umpire-tournament-record.7, S18.

Who meets whom in a round of a Swiss comes from pairing.py.
"""

from record_form import Bad, want
from tournament_form import KNOCKOUT
from tournament_rounds import (
    PLAYED,
    Round,
    bracket,
    robin_pairs,
    robin_rounds,
    size_of,
)
import tournament_swiss


class Draw:
    """Pairings; Tournament has the rest."""

    def stage_of(self, number):
        """What kind of round it is."""
        form = self.terms["format"]
        if form == "swiss+knockout":
            return "swiss" if number <= self.swiss_rounds else "knockout"
        return {"swiss": "swiss", "roundrobin": "robin",
                "knockout": "knockout"}[form]

    def count_rounds(self, n):
        """How many rounds n entrants have (S18.5)."""
        form = self.terms["format"]
        most = n - 1 + n % 2
        if form == "roundrobin":
            return robin_rounds(n, self.terms["rounds"])
        if form == "knockout":
            return size_of(n)[1]
        swiss = self.swiss_rounds = min(self.terms["rounds"], most)
        if form == "swiss":
            return swiss
        self.cut = self.terms["cut"]
        while self.cut > n:
            self.cut //= 2
        return swiss + size_of(self.cut)[1]

    def numbers(self, entrants):
        """Pairing numbers from 1 (S18.2)."""
        def key(e):
            who = self.entrants[e]
            return (-who.rating, *self.lot(e))
        return {e: i for i, e in enumerate(sorted(entrants, key=key), 1)}

    def is_in(self, number):
        """Those who are in, for a round."""
        return sorted(
            n for n, who in self.entrants.items() if who.is_in(number))

    def scenario(self, number):
        """The number of the round's scenario."""
        return (number - 1) % len(self.terms["scenarios"])

    def pairing(self, number):
        """The event of the pairing of a round, which must exist."""
        stage = self.stage_of(number)
        tables, bye, absent, apart = {
            "swiss": self.swiss,
            "robin": self.robin,
            "knockout": self.knockout,
        }[stage](number)
        return {
            "e": "pairing", "round": number,
            "scenario": self.scenario(number),
            "tables": [list(pair) for pair in tables], "bye": sorted(bye),
            "absent": sorted(absent), "apart": apart,
        }

    # Swiss.

    def swiss(self, number):
        """A round of the Swiss."""
        here = self.is_in(number)
        plays = [e for e in here
                 if not self.entrants[e].byes.get(number)]
        forbidden = [
            pair for f, t, pair in self.kept_apart if f <= number <= t]
        clubs = []
        if number <= self.terms["apart"]:
            clubs = [
                (a, b) for a in plays for b in plays
                if a < b and self.entrants[a].club is not None
                and self.entrants[a].club == self.entrants[b].club
            ]
        seen = set(plays)
        for rnd in self.rounds:
            seen |= {e for pair in rnd.pairs for e in pair} | set(rnd.bye)
        tpn = self.numbers(seen)
        made, apart = None, True
        for apart, more in ((True, clubs), (False, [])):
            made = tournament_swiss.pair(
                self, number, plays, tpn, forbidden + more)
            if made is not None:
                break
            if not clubs:
                break
        if made is None:
            raise Bad("no complete pairing exists")
        pairs, bye = made
        score = {e: self.score(e) for e in plays}

        def order(pair):
            top, low = sorted(pair, key=lambda e: (-score[e], tpn[e]))
            return (-score[top], -score[top] - score[low], tpn[top])

        pairs = sorted(pairs, key=order)
        absent = set(here) - set(plays)
        return pairs, bye, absent, apart

    # Round robin.

    def robin(self, number):
        """A round of a round robin."""
        order = self.lots_order
        pairs, idle = robin_pairs(len(order), self.terms["rounds"], number)
        tables = [(order[a - 1], order[b - 1]) for a, b in pairs]
        idle = [order[i - 1] for i in idle
                if self.entrants[order[i - 1]].is_in(number)]
        return tables, [], idle, True

    # Knockout.

    def first_knockout(self):
        """The number of the knockout's first round."""
        return self.swiss_rounds + 1 if self.is_swiss() else 1

    def make_seeds(self, number):
        """Who is seeded, best first."""
        here = self.is_in(number)
        if self.is_swiss():
            ranked = [e for e in self.swiss_order() if e in here]
            return ranked[: self.cut]
        tpn = self.numbers(here)
        return sorted(here, key=lambda e: tpn[e])

    def slots(self, number):
        """Who stands where in the draw before a round; None: nobody."""
        first = self.first_knockout()
        seeds = self.seeds
        if seeds is None:
            seeds = self.make_seeds(number)
        size, _ = size_of(len(seeds))
        slots = [seeds[s - 1] if s <= len(seeds) else None
                 for s in bracket(size)]
        for rnd in self.rounds:
            if rnd.number < first or rnd.number >= number:
                continue
            slots = [
                self.goes_on(rnd, slots[i], slots[i + 1], seeds)
                for i in range(0, len(slots), 2)
            ]
        return seeds, slots

    def goes_on(self, rnd, one, two, seeds):
        """Which of two neighbours goes on."""
        if one is None or two is None:
            return one if two is None else two
        table = rnd.table_of(one)
        return table.winner(min(one, two, key=seeds.index))

    def final_round(self, seeds):
        """The round of the final: of those who were in as it was drawn."""
        return (self.swiss_rounds if self.terms["format"] != "knockout"
                else 0) + (len(seeds) - 1).bit_length()

    def semi_losers(self, number, seeds):
        """Who lost the semi-finals, if each has one loser."""
        if not self.terms["third"] or number != self.final_round(seeds):
            return None
        rnd = self.rounds[number - 2] if number >= 2 else None
        if rnd is None or rnd.stage != "knockout" or len(rnd.tables) != 2:
            return None
        lost = []
        for table in rnd.tables:
            winner = table.winner(min(table.a, table.b, key=seeds.index))
            if winner is None:
                return None
            lost.append(table.other(winner))
        return lost

    def knockout(self, number):
        """A round of a knockout."""
        seeds, slots = self.slots(number)
        tables, bye = [], []
        for i in range(0, len(slots), 2):
            one, two = slots[i], slots[i + 1]
            if one is None or two is None:
                bye += [e for e in (one, two) if e is not None]
                continue
            tables.append(self.sides(one, two, seeds))
        lost = self.semi_losers(number, seeds)
        if lost is not None:
            tables.append(self.sides(*lost, seeds))
        return tables, bye, [], True

    def sides(self, one, two, seeds):
        """The pair with side 1 first (S18.4)."""
        had = {}
        for e in (one, two):
            had[e] = sum(
                table.a == e and table.result() in PLAYED
                for rnd in self.rounds for table in rnd.tables)
        if had[one] != had[two]:
            return (one, two) if had[one] < had[two] else (two, one)
        better, worse = sorted((one, two), key=seeds.index)
        number = seeds.index(better) + 1
        first = (number % 2 == 1) == (self.initial_side == 1)
        return (better, worse) if first else (worse, better)

    def in_the_draw(self, number):
        """How many are still in the draw before a round."""
        return sum(e is not None for e in self.slots(number)[1])

    def how_far(self):
        """How far everybody came: less is better (S20.3)."""
        if self.seeds is None:
            return {}
        rounds = [r for r in self.rounds if r.stage == "knockout"]
        far = {e: 0 for e in self.seeds}
        for rnd in rounds:
            tables = list(rnd.tables)
            back = 2 * (self.final_round(self.seeds) - rnd.number) + 1
            third = None
            if rnd.has_third:
                third = tables.pop()
            for table in tables:
                winner = table.winner(
                    min(table.a, table.b, key=self.seeds.index))
                for e in (table.a, table.b):
                    if e != winner:
                        far[e] = back if back == 1 else back + 1
            if third is not None:
                winner = third.winner(
                    min(third.a, third.b, key=self.seeds.index))
                if winner is not None:
                    far[winner] = 2
                    far[third.other(winner)] = 3
        return far

    # Taking a pairing.

    def enter_pairing(self, event, seq, line_hash, at):
        """Let a pairing hold; a former one of the round is void."""
        number = event["round"]
        stage = self.stage_of(number)
        if stage == "knockout" and self.seeds is None:
            self.seeds = self.make_seeds(number)
        rnd = Round(number, stage, seq, line_hash, at, event)
        rnd.has_third = False
        if stage == "knockout":
            lost = self.semi_losers(number, self.seeds)
            rnd.has_third = lost is not None
        rnd.fill(self.terms["mirror"])
        if number <= len(self.rounds):
            for table in self.rounds[number - 1].tables:
                for leg in table.legs:
                    if leg.game is not None:
                        self.void_games.add(leg.game)
            self.rounds[number - 1] = rnd
        else:
            self.rounds.append(rnd)
        return rnd

    def want_knockout(self):
        """Whether there is a knockout."""
        return self.terms["format"] in KNOCKOUT

    def want_round(self, number):
        """The round, which was paired."""
        want(1 <= number <= len(self.rounds), "round %d was not paired",
             number)
        return self.rounds[number - 1]
