# SPDX-License-Identifier: ISC
"""The clocks of a game, and what hangs on them: claims and pauses.

Clock is the arithmetic alone, in milliseconds. Clocks is the part of Game
(record_game.py) that asks whose clock runs and takes claim and pause:
umpire-record.7 S5, S6.3.
"""

import datetime
import functools

from record_form import compact, want
from record_orders import DAYS
from record_parts import WITNESS, side_of

DAY_MS = 86400 * 1000
MAX_LEFT_S = 10**10
WEEK_MS = 7 * DAY_MS
APART_MS = 120 * 1000  # clocks that are further apart are told of
EPOCH = datetime.datetime(1970, 1, 1)


@functools.lru_cache(maxsize=65536)
def time_ms(text):
    """Read a time of S2 as milliseconds since 1970."""
    when = datetime.datetime.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")
    return (when - EPOCH) // datetime.timedelta(milliseconds=1) + int(
        text[20:23]
    )


class Side:
    """The clock of one side."""

    def __init__(self, settings):
        self.left = settings["first_s"] * 1000
        self.holidays = settings.get("holidays", 0)
        self.away_until = 0
        self.since = None  # None: it stands still
        self.for_round = False  # it runs for a `ready` alone


class Notice:
    """A notice that stands, and what of the time since does not count."""

    def __init__(self, seq, at, now):
        self.seq = seq
        self.at = at
        self.now = now
        self.passed = False  # says the witness
        self.stops = []  # begin, end, whether it is a pause

    def stop(self, begin, end, is_pause):
        """A holiday or a pause lasts from now on."""
        if end > begin:
            self.stops.append([begin, end, is_pause])

    def resume(self, now):
        """A pause ends."""
        for stop in self.stops:
            if stop[2]:
                stop[1] = min(stop[1], now)


class Clock:
    """The clocks of both sides."""

    def __init__(self, settings):
        self.settings = settings
        self.first = settings["first_s"] * 1000
        self.grace = settings.get("grace_s", 0) * 1000
        self.skip = {DAYS.index(day) for day in settings.get("skip", ())}
        self.sides = {1: Side(settings), 2: Side(settings)}
        self.paused_until = 0
        self.notice = settings.get("notice_s", 0) * 1000
        self.notices = {}  # by the side that gave it

    def give_notice(self, side, seq, at, now):
        """Let a side's notice stand."""
        notice = Notice(seq, at, now)
        notice.stop(at, self.sides[3 - side].away_until, False)
        notice.stop(at, self.paused_until, True)
        self.notices[side] = notice

    def has_stood(self, notice, start, end, need):
        """Tell whether a notice has stood for so long by one clock."""
        gone = 0
        for begin, stop, _ in notice.stops:
            if begin > end:
                break
            gone += sum(b - a for a, b in self.spans(start, begin))
            start = max(start, stop)
        gone += sum(b - a for a, b in self.spans(start, end))
        return gone >= need

    def start_of(self, side, when):
        """From when on time counts for a side."""
        return max(when, self.sides[side].away_until, self.paused_until)

    def spans(self, start, end):
        """Cut time into pieces of days that are not skipped."""
        while start < end:
            day = start // DAY_MS
            stop = min(end, (day + 1) * DAY_MS)
            if (day + 3) % 7 not in self.skip:  # 1970-01-01 was a Thursday
                yield start, stop
            start = stop

    def counted(self, side, start, end):
        """How much time counts between two moments."""
        start = self.start_of(side, start)
        return sum(b - a for a, b in self.spans(start, end))

    def reach(self, side, need):
        """The earliest time by which so much has counted for a side."""
        since = self.sides[side].since
        if need <= 0:
            return since
        start = self.start_of(side, since)
        weeks = 2 + need // DAY_MS
        for a, b in self.spans(start, start + weeks * 7 * DAY_MS):
            if b - a >= need:
                return a + need
            need -= b - a
        raise AssertionError("no such time")

    def deadline(self, side):
        """When a side that runs may be claimed against."""
        return self.reach(side, self.sides[side].left + self.grace)

    def count(self, now):
        """Count the time up to a line: what is left, and since when."""
        for number, clock in self.sides.items():
            if clock.since is None:
                continue
            gone = self.counted(number, clock.since, now)
            if gone <= clock.left and clock.left > 0:
                clock.left -= gone
                clock.since = now
            else:
                clock.since = self.reach(number, clock.left)
                clock.left = 0

    def add(self, clock):
        """Give a side what a turn adds, up to the cap."""
        cap = self.settings.get("cap_s", MAX_LEFT_S) * 1000
        add = self.settings.get("add_s", 0) * 1000
        if clock.left < cap:
            clock.left = min(clock.left + add, cap)

    def restore(self, now):
        """Lines were lost: the time since the one before does not count."""
        self.notices.clear()
        for clock in self.sides.values():
            if self.settings["per"] == "order":
                clock.left = self.first
            clock.since = None

    def after_line(self, now, is_move, owing, still, for_round):
        """Let the clocks of the sides in owing run from now on.

        still are sides that the game waits for while their clocks stand; a
        move gives fresh time, other lines do not. for_round: the game waits
        for `ready` alone, by which a side is neither owing nor done.
        """
        if is_move:
            self.notices.clear()
        by_order = self.settings["per"] == "order"
        for number, clock in self.sides.items():
            runs = number in owing
            ran = clock.since is not None
            waits = runs and not for_round or number in still
            if not by_order and ran and not waits and not clock.for_round:
                self.add(clock)
            clock.for_round = for_round
            if by_order and is_move and runs:
                clock.left = self.first
            if not runs:
                clock.since = None
            elif not ran or is_move:
                clock.since = now


class Clocks:
    """Claims and pauses; Game has the rest."""

    def owing_sides(self):
        """The sides that the game waits for."""
        if not self.started or self.over or self.restored is not None:
            return set()
        if self.due:
            return set(map(side_of, self.round_seats() - set(self.ready))) - {0}
        if self.owed is not None:
            return {side_of(self.owed["seat"])} - {0}
        combat = self.combat
        if combat is None or combat.state == "over":
            return {self.side_in_turn()}
        ask = combat.ask
        if combat.state == "unknown" or ask is None:
            return set()
        if ask["secret"]:
            if len(combat.commits) < 2:
                return {1, 2} - set(combat.commits)
            return {1, 2} - set(combat.opens)
        return {self.side_asked()}

    def compare_clocks(self, line, order, seq):
        """Keep how far a seat's clock was behind and ahead (S10)."""
        ahead = time_ms(order["now"]) - time_ms(line["at"])
        apart = self.apart.setdefault(line["seat"], {
            "seat": line["seat"], "at_less_now_ms": 0, "now_less_at_ms": 0,
            "lines": [],
        })
        for name, most in (("at_less_now_ms", -ahead),
                           ("now_less_at_ms", ahead)):
            apart[name] = max(apart[name], most)
        if abs(ahead) > APART_MS:
            apart["lines"].append(seq)
            self.far_apart.add(seq)

    def tell_clocks(self):
        """Say how far the clocks of the seats were apart, as umpire does."""
        told = [self.apart[seat] for seat in sorted(self.apart)]
        return ["clocks " + compact(told)] if told else []

    def side_asked(self):
        """The side that an open question is put to."""
        mine = self.side_in_turn()
        return mine if self.combat.ask["side"] == "attacker" else 3 - mine

    def keep_time(self, line, is_move):
        """Account for a line, and let what it does to the clocks happen."""
        effect, self.effect = self.effect, None
        if self.clock is None or not self.started:
            return
        now = time_ms(line["at"])
        if self.line_is_restored:
            self.clock.restore(now)
            return
        owing, still = self.owing_sides(), set()
        self.clock.count(now)
        if effect is not None:
            effect(now)
        if self.over:
            still = {1, 2}
        elif self.adjudication is not None:
            owing, still = set(), owing
        self.clock.after_line(now, is_move, owing, still, self.due)

    def want_clock(self, line, order):
        """Want play, a clock and an order that is not stale."""
        want(self.started and not self.over, "%s out of play", order["kind"])
        want(self.clock is not None, "%s in a game without clock",
             order["kind"])
        want(line["seat"], "%s of the director", order["kind"])
        self.take_end(order)

    def take_pause(self, line, order, seq):
        """Take a holiday, or the end of a pause that was agreed."""
        args = order["args"]
        self.want_clock(line, order)
        clock = self.clock
        now = time_ms(line["at"])
        if args["do"] == "resume":
            want(now < clock.paused_until, "no pause is on")

            def resume(at):
                clock.paused_until = at
                for notice in clock.notices.values():
                    notice.resume(at)

            self.effect = resume
            return False
        side = side_of(line["seat"])
        mine = clock.sides[side]
        want(args["days"] <= mine.holidays, "no holidays are left")

        def leave(at):
            mine.holidays -= args["days"]
            mine.away_until = max(at, mine.away_until)
            mine.away_until += args["days"] * DAY_MS
            if 3 - side in clock.notices:
                clock.notices[3 - side].stop(at, mine.away_until, False)

        self.effect = leave
        return False

    def claim_place(self, side):
        """The place that a claim has; None if it needs none."""
        combat = self.combat
        if self.clock.settings["then"] != "default" or self.owed is not None:
            return None
        if self.due:
            return None
        if combat is None or combat.state == "over" or combat.ask is None:
            return None
        if combat.ask["secret"] or self.side_asked() == side:
            return None
        return combat.place()

    def noticed_by(self, line, order):
        """The notice of the claimant's side that a claim names; None."""
        if self.clock is None:
            return None
        notice = self.clock.notices.get(side_of(line["seat"]))
        if notice is None or notice.seq != order["args"].get("to"):
            return None
        return notice

    def is_ripe(self, notice, times):
        """Tell whether a notice has stood for its time by both clocks."""
        need = self.clock.notice
        if self.has_witness() and not notice.passed:
            need = WEEK_MS
        return all(
            self.clock.has_stood(notice, start, end, need)
            for start, end in zip((notice.at, notice.now), times)
        )

    def take_claim(self, line, order, seq):
        """Take a claim; tell whether it is effective."""
        effective = self.judge_claim(line, order, seq)
        given = self.clock is not None and any(
            notice.seq == seq for notice in self.clock.notices.values())
        self.count_claim(line, order, effective, given)
        return effective

    def judge_claim(self, line, order, seq):
        """Let a claim have its effect; tell whether it has one."""
        notice = self.noticed_by(line, order)
        if "to" in order["args"] and notice is None:
            owed = self.owed
            if owed is not None and owed["seat"] == WITNESS and (
                owed["seq"] == order["args"]["to"]
            ):
                return self.take_silence(line, order, seq)
            return self.take_unjudged(line, order, seq)
        self.want_clock(line, order)
        side = side_of(line["seat"])
        is_first = self.clock.notice > 0 and notice is None
        place = None if is_first else self.claim_place(side)
        want((place is None) != ("place" in order),
             "place and own are there or not, wrongly")
        beta = None if place is None else self.check_own(line, order, place)
        other = 3 - side
        clocks = self.clock.sides
        times = [time_ms(line["at"])]
        if self.clock.notice > 0:
            want("now" in order, "a claim in two lines without now")
            times.append(time_ms(order["now"]))
        if (
            clocks[other].since is None
            or clocks[side].since is not None
            or min(times) < self.clock.deadline(other)
        ):
            self.want_nothing(line, "a claim without effect")
            return False
        if is_first:
            self.want_nothing(line, "a notice")
            if side not in self.clock.notices:
                self.clock.give_notice(side, seq, *times)
            return False
        if notice is not None and not self.is_ripe(notice, times):
            self.want_nothing(line, "a claim that is too early")
            return False
        then = self.clock.settings["then"]
        if self.owed is not None:
            then = self.create["silence"]
        if then == "default" and place is not None:
            self.take_default(line, order, seq, beta)
            return True
        self.want_nothing(line, "a claim")
        if then != "director":
            self.end_game("forfeit", side)
            self.forfeit_at, self.forfeit_by = seq, notice
            self.forfeit_claim = seq
        elif self.owed is not None:
            self.owed["seat"] = 0
            self.owed["dice_key"] = self.seats[0].dice_key
        else:
            self.adjudication = {"seq": seq, "side": side, "by": notice}
        return True

    def take_default(self, line, order, seq, beta):
        """Answer the open question by its default and go on."""
        combat = self.combat
        self.open_all(line)
        combat.remember()
        answer = self.answer_by_default(line)
        if answer is not None:
            combat.decisions.append(answer)
        self.go_on(line, order, seq, beta)

    def take_extension(self, silent, seconds):
        """Give a silent side more time, after the line is accounted for."""

        def extend(now):
            self.clock.sides[silent].left += seconds * 1000

        self.effect = extend
