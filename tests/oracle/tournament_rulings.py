# SPDX-License-Identifier: ISC
"""Rulings of directors: umpire-tournament-record.7, S19.4."""

from record_form import want
from tournament_form import SWISS
from tournament_rounds import PLAYED


class Rulings:
    """Rulings; Tournament has the rest."""

    def take_ruling(self, line, order, args):
        """Take a ruling by its form."""
        self.want_director(line)
        form = next(name for name in args if name != "why")
        value = args[form]
        self.want_fresh(form, value, order["after"])
        if line["by"] in self.number_of:
            self.want_no_favour(self.number_of[line["by"]], form, value)
        getattr(self, "rule_" + form)(line, value)
        self.last_ruling_at = self.at_ms
        self.told.append("line %d: ruling %s by %s" % (
            self.seq, form, line["by"]))

    def want_fresh(self, form, value, after):
        """Want a ruling that is not stale (S15.5)."""
        if form in ("result", "replay"):
            _, _, leg = self.find_leg(value)
            want(leg.given <= after, "the ruling is stale")
        named = []
        if form in ("points", "expel", "back"):
            named = [value["entrant"]]
        elif form == "apart":
            named = value["entrants"]
        for number in named:
            who = self.want_entrant(number)
            want(who.named <= after, "the ruling is stale")
            who.named = self.seq

    # A director who plays.

    def opponents(self, number):
        """The opponents of an entrant in what runs."""
        rounds = self.rounds if self.terms["concurrent"] else (
            self.rounds[-1:])
        tables = [rnd.table_of(number) for rnd in rounds]
        return {t.other(number) for t in tables if t is not None}

    def want_no_favour(self, number, form, value):
        """Want a ruling that is not about the director."""
        if form in ("result", "replay", "extend"):
            rnd = self.want_round(value["round"])
            tables = [
                t for t in rnd.tables
                if t.number == value.get("table")
                or "table" not in value and not t.done()]
            want(all(number not in (t.a, t.b) for t in tables),
                 "a ruling about the director's own table")
        mine = {number} | self.opponents(number)
        if form in ("points", "expel", "back"):
            want(value["entrant"] not in mine,
                 "a ruling about the director, or their opponent")
        if form == "apart":
            want(not mine & set(value["entrants"]),
                 "a ruling about the director, or their opponent")
        want(form != "pairs", "a director who plays pairs by hand")
        if form == "answer":
            protest, rnd = self.find_protest(value)
            want(protest["by"] != number, "an answer to their own protest")
            table = rnd.table_of(number)
            want(table is None or protest["table"] != table.number,
                 "an answer to a protest about their own table")

    # The forms.

    def before_next(self, rnd):
        """In a knockout only before the next round is paired."""
        want(rnd.stage != "knockout" or rnd.number == len(self.rounds),
             "the next round of the knockout is paired")

    def rule_result(self, line, value):
        """A leg's result."""
        rnd, table, leg = self.find_leg(value)
        self.before_next(rnd)
        played = value["value"] in PLAYED
        want("bp" not in value or played, "bp of what is not played")
        bp = value.get("bp", leg.game_bp) if played else 0
        leg.absent = set()
        leg.by_game = False
        self.give(rnd, table, leg, value["value"], bp, "ruling")

    def rule_replay(self, line, value):
        """A leg is played again."""
        rnd, _, leg = self.find_leg(value)
        self.before_next(rnd)
        if leg.game is not None:
            self.void_games.add(leg.game)
        self.end_notice(leg)
        leg.void()
        leg.result = leg.how = leg.asked = None
        leg.bp = leg.game_bp = leg.more_s = 0
        leg.by_game = False
        leg.absent = set()
        leg.since = self.at_ms
        self.play_off(rnd)

    def rule_extend(self, line, value):
        """More time."""
        rnd = self.want_round(value["round"])
        tables = rnd.tables
        if "table" in value:
            want(1 <= value["table"] <= len(tables), "no such table")
            tables = [tables[value["table"] - 1]]
        for table in tables:
            for leg in table.legs:
                leg.more_s += value["seconds"]
                if leg.result != "?":
                    self.end_notice(leg)

    def rule_points(self, line, value):
        """Half points."""
        who = self.want_entrant(value["entrant"])
        who.halves.append((len(self.rounds), value["half"]))

    def want_entrant(self, number):
        """The entrant of a number."""
        want(number in self.entrants, "there is no such entrant")
        return self.entrants[number]

    def rule_expel(self, line, value):
        """Somebody goes out."""
        who = self.want_entrant(value["entrant"])
        since = value["from"]
        self.want_unpaired(since)
        want(who.is_in(since), "not in then")
        if value["games"] == "forfeit":
            for rnd in self.rounds:
                if rnd.number < since:
                    self.lose_running(rnd, who.number)
        self.go_out(who, since)

    def lose_running(self, rnd, number):
        """Somebody loses what they have not played to the end."""
        table = rnd.table_of(number)
        here = set(self.is_in(rnd.number)) - {number}
        for leg in list(table.legs) if table is not None else ():
            if not leg.done():
                leg.absent = set()
                self.give(rnd, table, leg,
                          self.forfeit(table, leg, here), 0, "out")

    def rule_back(self, line, value):
        """Somebody is in again."""
        who = self.want_entrant(value["entrant"])
        want(self.terms["format"] in SWISS, "back without a Swiss")
        want(value["from"] == self.next_round()
             and value["from"] <= self.swiss_rounds,
             "not from the next round of the Swiss")
        want(not who.is_in(value["from"]), "in already")
        want(who.account in self.number_of, "did not enter here")
        want(who.was_in() or not who.late and self.was_admitted(who),
             "never admitted")
        who.changes.append((value["from"], True))

    def rule_apart(self, line, value):
        """Some are not paired."""
        want(self.terms["format"] in SWISS, "apart without a Swiss")
        for number in value["entrants"]:
            self.want_entrant(number)
        want(self.next_round() <= value["from"] <= value["to"],
             "a round that is paired")
        some = value["entrants"]
        self.kept_apart += [
            (value["from"], value["to"], (a, b))
            for a in some for b in some if a < b]

    def rule_pairs(self, line, value):
        """A pairing by hand."""
        number = value["round"]
        want(1 <= number <= self.next_round(), "a round to come")
        want(self.stage_of(number) == "swiss"
             and self.terms["format"] in SWISS, "not a round of a Swiss")
        if number == self.next_round():
            self.want_pairable(number)
        else:
            want(number == len(self.rounds), "a round that is past")
            rnd = self.rounds[-1]
            want(all(leg.result is None for t in rnd.tables
                     for leg in t.legs), "the round has results")
            self.want_not_begun(rnd)
        here = self.is_in(number)
        named = [e for pair in value["tables"] for e in pair]
        bye = [value["bye"]] if "bye" in value else []
        named += bye
        want(value["tables"] and len(set(named)) == len(named)
             and set(named) <= set(here), "pairs of others")
        event = {
            "e": "pairing", "round": number,
            "scenario": self.scenario(number),
            "tables": [list(pair) for pair in value["tables"]], "bye": bye,
            "absent": [e for e in here if e not in named], "apart": True,
        }
        for rnd in self.rounds[number - 1 :]:
            for table in rnd.tables:
                for leg in table.legs:
                    self.end_notice(leg)
        self.events = [event]
        self.enter_pairing(event, self.seq, self.line_hash, self.at_ms)

    def want_not_begun(self, rnd):
        """Want a round none of whose games has come to play."""
        for table in rnd.tables:
            for leg in table.legs:
                track = self.track(leg.game) if leg.game else None
                begun = [s for s in track.states if s.begun] if track else []
                want(not begun or begun[0].at >= self.at_ms,
                     "a game is in play")

    def rule_witness(self, line, value):
        """Another witness."""
        want(self.witness is not None, "there is no witness")
        want(value["account"] not in self.number_of, "an entrant")
        self.name_witness(value)

    def rule_rules(self, line, value):
        """Another version of the rules."""
        want(value["from"] >= self.next_round(), "a round that is paired")
        self.rules.append((value["from"], value["version"]))

    def find_protest(self, seq):
        """The protest of a line, and its round."""
        for number, protests in self.protests.items():
            for protest in protests:
                if protest["seq"] == seq:
                    return protest, self.rounds[number - 1]
        want(False, "no protest in line %d", seq)

    def rule_answer(self, line, value):
        """A protest is answered."""
        protest, _ = self.find_protest(value)
        want(protest["answer"] is None, "the protest has an answer")
        protest["answer"] = self.at_ms

    def rule_accept(self, line, value):
        """An operator's key is accepted."""
        self.accept_operator_key(line, value)
