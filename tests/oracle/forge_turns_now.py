# SPDX-License-Identifier: ISC
"""Games by turns whose orders say when they were signed: claims in two lines.

Lawful ones, and such with one fault, which the last line of each has.
"""

from forge_turns_cases import DAY, MINUTE, case, clock
from forge_turns_faults import bad, bad_puts, drop

HOUR = 3600 * 1000
TWO_LINES = {**clock(notice_s=3600), "now": True}
RULED = {**TWO_LINES, **clock(notice_s=3600, then="director"),
         "options": {"director": True}}


def claims(f, wait=HOUR, first=MINUTE):
    """Begin, give notice, and wait; return the notice."""
    f.begin()
    f.wait(first)
    to = f.put(2, "claim")
    f.wait(wait)
    return to


@case(TWO_LINES)
def two_lines_game(f):
    """A notice, tries that are too early, and a claim."""
    f.begin()
    f.put(2, "claim")
    f.wait(MINUTE - 1000)
    to = f.put(2, "claim")
    f.put(2, "claim")
    f.wait(HOUR - 2000)
    f.put(2, "claim", {"to": to})
    f.put(2, "claim", {"to": to})
    f.close()


@case(TWO_LINES)
def two_lines_move_game(f):
    """A move ends a notice, and the next one counts from its own line."""
    claims(f)
    f.end_turn()
    f.wait(MINUTE)
    to = f.put(1, "claim")
    f.wait(HOUR)
    f.put(1, "claim", {"to": to})
    f.close()


@case({**RULED, "now": True})
def two_lines_ruled_game(f):
    """A claim in two lines waits for the director."""
    to = claims(f)
    claim = f.put(2, "claim", {"to": to})
    f.put(0, "ruling", {"claim": claim, "do": "forfeit",
                        "why": f.text("late")})
    f.close()


def no_effect(name, play, settings=None):
    """A second line without effect, upon which the director rules."""
    def whole(f):
        claim = play(f)
        f.put(0, "ruling", {"claim": claim, "do": "forfeit",
                            "why": f.text("late")})

    whole.__name__ = "two_lines_" + name
    bad({**RULED, **(settings or {})})(whole)


def has_effect(name, play, settings=None):
    """A second line that ends the game, and then the other side moves."""
    def whole(f):
        play(f)
        f.end_turn()

    whole.__name__ = "two_lines_" + name
    bad({**TWO_LINES, **(settings or {})})(whole)


def second(f, wait=HOUR, **more):
    """Play a whole claim."""
    return f.put(2, "claim", {"to": claims(f, wait, **more)})


def behind(f, first, then):
    """Play a claim by a clock that is so far ahead at the two lines."""
    f.begin()
    f.wait(MINUTE)
    f.skew = {2: first}
    to = f.put(2, "claim")
    f.wait(HOUR)
    f.skew = {2: then}
    return f.put(2, "claim", {"to": to})


def renewed(f):
    """Give notice again, which changes nothing."""
    to = claims(f, HOUR - 1000)
    f.put(2, "claim")
    return f.put(2, "claim", {"to": to})


def other_notice(f):
    """A first line too early by one clock is no notice."""
    f.begin()
    f.wait(MINUTE)
    f.skew = {2: -1}
    to = f.put(2, "claim")
    f.wait(HOUR)
    f.skew = {}
    return f.put(2, "claim", {"to": to})


def on_holiday(wait):
    """Let the silent side leave for a day behind a notice."""
    def play(f):
        to = claims(f, 1000)
        f.put(1, "pause", {"do": "holiday", "days": 1})
        f.wait(wait)
        return f.put(2, "claim", {"to": to})

    return play


def holiday_before(wait):
    """Let the claimant's clock begin to count within a holiday."""
    def play(f):
        to = claims(f, 1000)
        f.put(1, "pause", {"do": "holiday", "days": 1})
        f.wait(1000)
        f.skew = {2: wait}
        return f.put(2, "claim", {"to": to})

    return play


has_effect("is_over", second)
has_effect("behind_is_over", lambda f: behind(f, 0, 0))
has_effect("ahead_is_over", lambda f: behind(f, 5000, 5000))
has_effect("renewed_is_over", renewed)
has_effect("holiday_is_over", on_holiday(DAY + HOUR - 1000),
           clock(notice_s=3600, holidays=1))
no_effect("early", lambda f: second(f, HOUR - 1))
no_effect("early_by_author", lambda f: behind(f, 0, -1))
no_effect("author_leaps", lambda f: behind(f, 1, 0))
no_effect("holiday", on_holiday(HOUR),
          clock(notice_s=3600, holidays=1, then="director"))
no_effect("holiday_early", on_holiday(DAY + HOUR - 1001),
          clock(notice_s=3600, holidays=1, then="director"))
no_effect("holiday_by_author", holiday_before(2 * DAY),
          clock(notice_s=3600, holidays=1, then="director"))


def first_alone(f):
    """Rule upon a notice."""
    f.begin()
    f.wait(MINUTE)
    return f.put(2, "claim")


no_effect("notice", first_alone)


@bad(TWO_LINES)
def two_lines_no_notice(f):
    """A first line that is too early by its author's clock is no notice."""
    other_notice(f)


@bad(TWO_LINES)
def two_lines_after_move(f):
    """A move has ended the notice."""
    to = claims(f, 1000)
    f.end_turn()
    f.wait(HOUR)
    f.put(2, "claim", {"to": to})


bad_puts("two_lines_", TWO_LINES, claims, {
    "of_silent": (1, "claim", lambda to: {"to": to}),
    "to_another": (2, "claim", lambda to: {"to": to - 1}),
})


@bad(TWO_LINES)
def two_lines_first_without_now(f):
    """The notice has no time of its author's."""
    f.begin()
    f.wait(MINUTE)
    f.next_order(drop("now"))
    f.put(2, "claim")


@bad(TWO_LINES)
def two_lines_second_without_now(f):
    """The second line has none."""
    to = claims(f)
    f.next_order(drop("now"))
    f.put(2, "claim", {"to": to})


@bad({"now": True})
def now_after_below_to(f):
    """An answer has not seen what it answers."""
    f.begin()
    to = f.put(1, "offer", {"what": "draw"})
    f.next_order(lambda o: o.update(after=to - 1, head=f.hashes[to - 1]))
    f.accept(2, to)


@case({})
def no_now_after_below_to(f):
    """Without the author's time it need not."""
    f.begin()
    to = f.put(1, "offer", {"what": "draw"})
    f.next_order(lambda o: o.update(after=to - 1, head=f.hashes[to - 1]))
    f.accept(2, to)
    f.close()


for name, told in {
    "number": 1793984461042, "short": "2026-11-06T15:01:01Z",
    "date": "2026-02-30T15:01:01.042Z", "null": None,
}.items():
    def play(f, told=told):
        f.begin()
        f.next_order(lambda o: o.update(now=told))
        f.end_turn()

    play.__name__ = "now_" + name
    bad({"now": True})(play)


@case({"now": True})
def now_far_game(f):
    """Clocks that are far apart make nothing bad."""
    f.begin()
    f.skew = {1: -3 * DAY, 2: 5 * DAY}
    f.end_turn()
    f.end_turn()
    f.close()
