# SPDX-License-Identifier: ISC
"""Pairings that are due, results, claims, protests, the end.

umpire-tournament-record.7 S18.1, S19.3, S19.5, S20.4.
"""

from record_clock import time_ms
from record_form import Bad, want
from tournament_rounds import PLAYED, Leg

DAY_MS = 86400 * 1000
OLD = "2026-11-28T14:00:00.000Z"  # lines from before: S19.7
AHEAD_MS = 600 * 1000  # so far ahead was nobody's clock then
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Notice:
    """A notice that stands."""

    def __init__(self, seq, at, now, place):
        self.seq = seq
        self.at = at
        self.now = now
        self.place = place  # round, table, leg


class Results:
    """Pairings, results and the end; Tournament has the rest."""

    # Time.

    def counted(self, since, until):
        """The time between two instants without days of skip, in ms."""
        skip = self.terms.get("clock", {}).get("skip", [])
        if not skip or until <= since:
            return until - since
        total = 0
        while since < until:
            end = min((since // DAY_MS + 1) * DAY_MS, until)
            if DAYS[(since // DAY_MS + 3) % 7] not in skip:
                total += end - since
            since = end
        return total

    def has_run(self, leg, seconds, at, now):
        """Whether a time of a leg has passed at both instants."""
        need = (seconds + leg.more_s) * 1000
        return all(self.counted(leg.since, t) >= need for t in (at, now))

    def round_seconds(self):
        """How long a round lasts."""
        many = self.planned if self.terms["concurrent"] else 1
        return self.terms["round_s"] * many

    # Pairing.

    def holding(self):
        """Whether a protest holds."""
        for protests in self.protests.values():
            first = min(p["at"] for p in protests)
            if any(p["answer"] is None for p in protests) and (
                not self.passed(first, self.terms["protest_s"])
            ):
                return True
        return False

    def held_until(self):
        """The last instant at which a protest held."""
        ends = [0]
        for protests in self.protests.values():
            end = (min(p["at"] for p in protests)
                   + self.terms["protest_s"] * 1000)
            if all(p["answer"] is not None for p in protests):
                end = min(end, max(p["answer"] for p in protests))
            ends.append(end)
        return max(ends)

    def want_pairable(self, number):
        """Want what a pairing needs; return since when a director may."""
        want(number == self.next_round(), "the next round is another")
        want(number <= self.last_round(), "there is no such round")
        since = [self.started_at, self.held_until()]
        if not self.terms["concurrent"]:
            want(all(rnd.done() for rnd in self.rounds),
                 "a round before is not complete")
            if number > 1:
                last = self.last_result_at or self.started_at
                want(self.passed(last, self.terms["gap_s"]),
                     "gap_s has not passed")
                since.append(last + self.terms["gap_s"] * 1000)
            if number <= len(self.terms["dates"]):
                date = time_ms(self.terms["dates"][number - 1])
                want(self.passed(date, 0), "before its date")
                since.append(date)
        want(not self.holding(), "a protest holds")
        want(self.enough(number), "fewer than two are left")
        return max(since)

    def enough(self, number):
        """Whether two or more are left."""
        if self.stage_of(number) == "knockout":
            return self.in_the_draw(number) >= 2
        return len(self.is_in(number)) >= 2

    def is_old(self):
        """Whether the line stands there, and may be one of S19.7."""
        return (not self.filling and self.at < OLD
                and self.latest_ms < time_ms(OLD) + AHEAD_MS)

    def lacks(self, event):
        """Whether it is, and lacks an event."""
        if not self.is_old() or event in self.line["events"]:
            return False
        self.note_older()
        return True

    def note_older(self):
        """Tell that the line would be none without S19.7."""
        words = "line %d: only as rules were read then" % self.seq
        if words not in self.told:
            self.told.append(words)

    def drop_play_offs(self):
        """A record of then goes on without what only claims call for."""
        if not self.is_old():
            return
        for rnd in self.rounds:
            for table in rnd.tables:
                extra = table.extra()
                if extra is None or extra.game or extra.result is not None:
                    continue
                if not any(leg.by_game and leg.how not in ("late", "unruled")
                           for leg in table.base()):
                    table.legs.remove(extra)
                    self.note_older()

    def take_pair(self, line, order, args):
        """Pair a round."""
        self.drop_play_offs()
        since = self.want_pairable(args["round"])
        if self.terms["pair"] == "director" and (
            line["by"] not in self.directors
        ):
            want(self.passed(since, self.terms["ruling_s"]),
                 "a director signs for pairings")
        self.events = [self.pairing(args["round"])]
        rnd = self.enter_pairing(
            self.events[0], self.seq, self.line_hash, self.at_ms)
        self.lose_out(rnd)

    def lose_out(self, rnd):
        """Results of tables of those who are out (S18.3, S18.4)."""
        if rnd.stage == "swiss":
            return
        here = set(self.is_in(rnd.number))
        for table in rnd.tables:
            for leg in table.legs:
                if leg.done() or leg.game is not None:
                    continue
                if {table.a, table.b} <= here:
                    continue
                leg.absent = set()
                self.give(rnd, table, leg,
                          self.forfeit(table, leg, here), 0, "out")

    @staticmethod
    def forfeit(table, leg, here):
        """The result of a leg where only some are here."""
        good = [side for side in (1, 2) if table.entrant(side, leg) in here]
        return {(1,): "+", (2,): "-"}.get(tuple(good), "--")

    def go_out(self, who, since):
        """Somebody is out from a round on."""
        who.changes.append((since, False))
        for rnd in self.rounds:
            if rnd.number >= since:
                self.lose_out(rnd)
            self.lose_both(rnd)

    def lose_both(self, rnd):
        """Results of tables both of whose entrants are out now (S19.6)."""
        here = set(self.is_in(self.next_round()))
        for table in rnd.tables:
            if {table.a, table.b} & here:
                continue
            for leg in list(table.legs):
                if leg.done() or leg.game is not None or self.lacks(
                    self.result_event(rnd, table, leg, "--", 0, "out")
                ):
                    continue
                leg.absent = set()
                self.give(rnd, table, leg, "--", 0, "out")

    # Results.

    @staticmethod
    def result_event(rnd, table, leg, result, bp, how):
        """The event of a result that no game has."""
        return {
            "e": "result", "round": rnd.number, "table": table.number,
            "leg": leg.number, "result": result, "bp": bp, "how": how,
        }

    def give(self, rnd, table, leg, result, bp, how, state=None,
             told=True):
        """Give a leg a result, with all that follows from it."""
        if told:
            event = self.result_event(rnd, table, leg, result, bp, how)
            if state is not None:
                event.update(
                    game=leg.game, seq=state.seq, line=state.line)
            self.events.append(event)
        self.end_notice(leg)
        leg.result, leg.bp, leg.how = result, bp, how
        leg.given = self.seq
        if result == "?":
            if leg.asked is None:
                leg.asked = self.at_ms
            return
        leg.asked = None
        self.last_result_at = self.at_ms
        self.play_off(rnd)
        if table.done():
            for side in (1, 2):
                self.note_absence(rnd, table, table.entrant(side, leg))

    def end_notice(self, leg):
        """The notice about a leg stands no more."""
        if leg.notice is not None:
            self.notices.pop(leg.notice.seq, None)
            leg.notice = None

    def play_off(self, rnd):
        """Call for one more leg where a table is drawn, or for none."""
        if rnd.stage != "knockout":
            return
        for table in rnd.tables:
            extra = table.extra()
            if table.wants_extra() and extra is None:
                table.legs.append(
                    Leg(len(table.legs) + 1, self.at_ms, True))
            elif extra is not None and not table.wants_extra():
                if extra.game is not None:
                    self.void_games.add(extra.game)
                self.end_notice(extra)
                table.legs.remove(extra)

    def note_absence(self, rnd, table, entrant):
        """No-shows in a row take somebody out (S19.3)."""
        tables = [(r.number, r.table_of(entrant)) for r in self.rounds
                  if r.table_of(entrant) is not None]
        missed = [each.done() and all(
            leg.how == "absent" and each.side(entrant, leg) in leg.absent
            for leg in each.legs) for _, each in tables]
        here = next(i for i, (number, _) in enumerate(tables)
                    if number == rnd.number)
        if not missed[here]:
            return
        enough = self.terms["out_after"]
        first = last = here
        while first > 0 and missed[first - 1]:
            first -= 1
        # Where all rounds are paired, a later table can be done before.
        too_few = here - first + 1 < enough
        if too_few:
            while last + 1 < len(missed) and missed[last + 1]:
                last += 1
        if last - first + 1 < enough:
            return
        since = self.next_round()
        if self.terms["concurrent"]:
            since = tables[last][0] + 1
        who = self.entrants[entrant]
        if since > self.last_round() or not who.is_in(since):
            return
        event = {"e": "out", "entrant": entrant, "from": since}
        if too_few and self.lacks(event):
            return
        self.events.append(event)
        self.go_out(who, since)

    # Claims.

    def find_leg(self, args):
        """The round, the table and the leg that args name."""
        rnd = self.want_round(args["round"])
        want(1 <= args["table"] <= len(rnd.tables), "there is no such table")
        table = rnd.tables[args["table"] - 1]
        for leg in table.legs:
            if leg.number == args["leg"]:
                return rnd, table, leg
        raise Bad("there is no such leg")

    def may_notice(self, leg):
        """Whether the time for a notice has come."""
        if leg.result == "?":
            return self.passed(leg.asked, self.terms["ruling_s"])
        seconds = min(self.terms["start_s"], self.round_seconds())
        return self.has_run(leg, seconds, self.at_ms, self.now_ms)

    def take_claim(self, line, order, args):
        """Take a notice, or its effect."""
        if "to" not in args:
            _, _, leg = self.find_leg(args)
            want(leg.given <= order["after"], "the claim is stale")
            want(not leg.done(), "the leg has a result")
            want(leg.notice is None, "a notice stands")
            want(self.may_notice(leg), "no time has passed")
            place = (args["round"], args["table"], args["leg"])
            leg.notice = Notice(self.seq, self.at_ms, self.now_ms, place)
            self.notices[self.seq] = leg
            return
        want(args["to"] in self.notices, "no notice that stands")
        leg = self.notices[args["to"]]
        notice = leg.notice
        need = self.terms["notice_s"] * 1000
        want(self.at_ms - notice.at >= need
             and self.now_ms - notice.now >= need, "notice_s has not passed")
        rnd, table, leg = self.find_leg(
            dict(zip(("round", "table", "leg"), notice.place)))
        want(leg.given <= order["after"], "the claim is stale")
        self.claim_effect(line, rnd, table, leg)

    def grounds(self, leg):
        """The grounds whose times had passed at the notice, too."""
        notice = leg.notice
        if leg.result == "?":
            end = leg.asked + self.terms["ruling_s"] * 1000
            good = min(notice.at, notice.now, self.at_ms, self.now_ms) >= end
            return ["unruled"] if good else []
        found = []
        for name, seconds in (("absent", self.terms["start_s"]),
                              ("late", self.round_seconds())):
            if self.has_run(leg, seconds, notice.at, notice.now) and (
                self.has_run(leg, seconds, self.at_ms, self.now_ms)
            ):
                found.append(name)
        return found

    def claim_effect(self, line, rnd, table, leg):
        """What a claim brings."""
        grounds = self.grounds(leg)
        state, known = self.state_of(line, leg)
        if not known:
            self.take_told(line, rnd, table, leg, grounds, state)
            return
        for ground in grounds:
            made = self.judge(ground, line, table, leg, state)
            if made is None:
                continue
            result, missing = made
            bp = 0
            if result in PLAYED and state is not None:
                bp = state.margin(self.terms["resign"])
                if bp is None:
                    bp = self.told_bp(line)
            leg.absent = missing
            leg.by_game = result in PLAYED
            self.give(rnd, table, leg, result, bp, ground, state)
            return
        raise Bad("the claim has no ground")

    def told_bp(self, line):
        """Battle points that can't be weighed here."""
        want(not self.filling and line["events"], "no battle points here")
        if "worth" not in self.notes:
            self.notes.append("battle points are taken from the record")
        return line["events"][0].get("bp")

    def judge(self, ground, line, table, leg, state):
        """What a ground brings: (result, who was absent); None: nothing."""
        come = state.come if state is not None else set()
        begun = state is not None and state.begun
        mine = {side for side in (1, 2)
                if self.number_of.get(line["by"]) == table.entrant(side, leg)}
        if ground == "absent":
            if begun:
                return None
            if len(come) == 1 and mine != come:
                return None
            if come == {1, 2}:
                return ("?", set()) if mine else None
            missing = {1, 2} - come
            return {(1,): "+", (2,): "-"}.get(tuple(come), "--"), missing
        played = state is not None and state.played
        if played:
            how = "points" if ground == "unruled" else self.terms["late"]
            if how == "points":
                bp = state.margin(self.terms["resign"])
                if bp is None:
                    bp = self.told_bp(line)
                if abs(bp) < self.terms["margin"]:
                    return "=", set()
                return ("1" if bp > 0 else "2"), set()
            return {"director": "?", "draw": "=", "lose": "--"}[how], set()
        if ground == "unruled":
            return "--", set()
        waits = state.waits if state is not None else {1, 2}
        found = {(): "?", (1,): "-", (2,): "+"}
        return found.get(tuple(sorted(waits)), "--"), set()

    def take_told(self, line, rnd, table, leg, grounds, state):
        """Take what a claim brings as it stands: the game is not here."""
        want(len(line["events"]) >= 1, "a claim without a result")
        event = line["events"][0]
        want(event.get("how") in grounds, "a claim on another ground")
        result, bp = event.get("result"), event.get("bp")
        may = {"absent": ("+", "-", "--", "?"),
               "late": ("+", "-", "--", "?", "1", "2", "="),
               "unruled": ("--", "1", "2", "=")}[event["how"]]
        want(result in may, "a claim with another result")
        want(type(bp) is int and -1000 <= bp <= 1000
             and (result in PLAYED or bp == 0), "bp is wrong")
        leg.absent = set()
        if event["how"] == "absent" and result != "?":
            leg.absent = {"+": {2}, "-": {1}, "--": {1, 2}}[result]
        leg.by_game = result in PLAYED
        self.give(rnd, table, leg, result, bp, event["how"], state)

    # Protests.

    def take_protest(self, line, order, args):
        """An entrant protests."""
        who = self.entrant_by(line)
        rnd = self.want_round(args["round"])
        want(self.terms["concurrent"] or rnd.number == len(self.rounds),
             "not the round that was paired last")
        if "table" in args:
            want(1 <= args["table"] <= len(rnd.tables), "no such table")
        there = self.protests.setdefault(rnd.number, [])
        want(all(p["by"] != who.number for p in there), "a second protest")
        there.append({
            "seq": self.seq, "by": who.number, "at": self.at_ms,
            "table": args.get("table"), "answer": None,
        })

    # The end.

    def take_stop(self, line, order, args):
        """A director makes a round the last."""
        self.want_director(line)
        want(max(1, len(self.rounds)) <= args["round"] <= self.last_round(),
             "no round that may be the last")
        self.last = args["round"]
        self.told.append("line %d: stop after round %d by %s" % (
            self.seq, self.last, line["by"]))

    def take_finish(self, line, order, args):
        """The standings."""
        self.drop_play_offs()
        want(all(rnd.done() for rnd in self.rounds),
             "a round is not complete")
        want(not self.holding(), "a protest holds")
        last = max(self.last_result_at or 0, self.last_ruling_at or 0) or (
            self.started_at)
        want(self.passed(last, self.terms["review_s"]),
             "review_s has not passed")
        number = self.next_round()
        if number <= self.last_round() and self.enough(number):
            since = self.want_pairable(number)
            try:
                self.pairing(number)
            except Bad:
                want(self.passed(since, self.terms["ruling_s"]),
                     "a director may still rule")
            else:
                raise Bad("a round is left")
        self.events = [
            {"e": "standings", "rows": self.table_of_standings()}]
        self.phase = "over"
