# SPDX-License-Identifier: ISC
"""Games by turns with one fault each: clocks and settings.

As forge_turns_faults.py; the last line of each game has the fault.
"""

from forge_turns import SecretTurns
from forge_turns_cases import DAY, DIRECTOR, LIVE, MINUTE, case, clock, here
from forge_turns_faults import EITHER, bad, bad_puts, begun, drop

# --- Clocks ---


def no_effect(name, settings, before, seat=2):
    """A claim that should end the game, and then the other side moves."""
    def play(f):
        f.begin()
        before(f)
        f.put(seat, "claim")
        f.end_turn()

    play.__name__ = "clock_" + name
    bad(settings)(play)


def has_effect(name, settings, before, seat=2):
    """A claim without effect, and then the director rules on it."""
    settings = {**settings, "options": {"director": True}}
    settings["clock"] = {**settings["clock"], "then": "director"}

    def play(f):
        f.begin()
        before(f)
        claim = f.put(seat, "claim")
        f.put(0, "ruling", {"claim": claim, "do": "forfeit",
                            "why": f.text("late")})

    play.__name__ = "clock_" + name
    bad(settings)(play)


no_effect("late_is_nothing", clock(), lambda f: f.wait(MINUTE))
no_effect("late_by_grace_is_nothing", clock(grace_s=30),
          lambda f: f.wait(MINUTE + 30000))
has_effect("early", clock(), lambda f: f.wait(MINUTE - 1))
has_effect("early_by_grace", clock(grace_s=30),
           lambda f: f.wait(MINUTE + 29999))
has_effect("own_claim", clock(), lambda f: f.wait(MINUTE), seat=1)


def talk(f):
    """Words do not set a clock of orders anew."""
    f.wait(40000)
    f.put(1, "chat", {"ref": f.text("thinking")})
    f.wait(20000)


no_effect("talk_is_no_order", clock(), talk)


def talk_early(f):
    """Nor do they make time pass faster."""
    f.wait(40000)
    f.put(1, "chat", {"ref": f.text("thinking")})
    f.wait(19999)


has_effect("talk_early", clock(), talk_early)


def moved(f):
    """A free roll sets the clock of orders anew."""
    f.wait(40000)
    f.roll_free()
    f.wait(59999)


has_effect("move_sets_anew", clock(), moved)


def side_moved(f):
    """But not that of a side."""
    f.wait(40000)
    f.roll_free()
    f.wait(20000)


no_effect("side_move_is_nothing", clock(per="side"), side_moved)


def side_added(f):
    """What is added once the turn is over, up to the cap."""
    f.end_turn()  # 59 and 10: the cap, 65
    f.end_turn()
    f.wait(64999)


has_effect("side_early_by_add", clock(per="side", add_s=10, cap_s=65),
           side_added)


def side_capped(f):
    """Not more than the cap."""
    f.end_turn()
    f.end_turn()
    f.wait(65000)


no_effect("side_cap", clock(per="side", add_s=10, cap_s=65), side_capped)


def holiday(f):
    """On holiday the clock stands still."""
    f.put(1, "pause", {"do": "holiday", "days": 1})
    f.wait(DAY + 58999)


has_effect("holiday_early", clock(holidays=1), holiday)


def holiday_over(f):
    """After it the clock goes on where it was."""
    f.put(1, "pause", {"do": "holiday", "days": 1})
    f.wait(DAY + 60000)


no_effect("holiday_over", clock(holidays=1), holiday_over)


def skipped(f):
    """A weekend does not count: Friday, 15:01:01.042, and four seconds."""
    f.wait(2 * DAY + 12 * 3600000 - 1)


has_effect("weekend_early", clock(first_s=12 * 3600, skip=["sat", "sun"]),
           skipped)


def skipped_over(f):
    """It ends with Sunday."""
    f.wait(2 * DAY + 12 * 3600000)


no_effect("weekend_over", clock(first_s=12 * 3600, skip=["sun", "sat"]),
          skipped_over)


def paused(f):
    """A pause that both have agreed to."""
    f.wait(0)
    to = f.put(1, "offer", {"what": "pause", "days": 3})
    f.wait(0)
    f.accept(2, to)
    f.wait(3 * DAY + 59999)


has_effect("pause_early", clock(), paused)


def resumed(f):
    """A pause that was ended before its time."""
    f.accept(2, f.put(1, "offer", {"what": "pause", "days": 3}))
    f.wait(DAY)
    f.put(2, "pause", {"do": "resume"})
    f.wait(MINUTE)


no_effect("resume_goes_on", clock(), resumed)


def play_and_wait(f):
    """Begin and let the first side's time run out."""
    f.begin()
    f.wait(MINUTE)


bad_puts("clock_", {}, begun, {
    "none_claim": (2, "claim", {}),
    "none_holiday": (1, "pause", {"do": "holiday", "days": 1}),
    "none_resume": (1, "pause", {"do": "resume"}),
})
bad_puts("clock_", {**clock(holidays=2), "options": {"director": True}},
         begun, {
             "claim_of_director": (0, "claim", {}),
             "holiday_too_long": (1, "pause", {"do": "holiday", "days": 3}),
             "holiday_0": (1, "pause", {"do": "holiday", "days": 0}),
             "holiday_of_director": (
                 0, "pause", {"do": "holiday", "days": 1}),
             "resume_nothing": (1, "pause", {"do": "resume"}),
             "resume_days": (1, "pause", {"do": "holiday"}),
         })
bad_puts("clock_", clock(), begun, {
    "pause_unknown": (2, "pause", {"do": "sleep"}),
})
bad_puts("clock_", clock(), begun, {
    "claim_arg": (2, "claim", {"why": 4}),
}, 2)
bad_puts("clock_", clock(), begun, {
    "claim_to": (2, "claim", {"to": 4}),
})


@bad({**LIVE, **clock(then="default")})
def object_to_default(f):
    """Who was silent objects to what was claimed upon it."""
    f.begin()
    f.declare(f.guns())
    f.agree()
    here(f.combat is not None and f.combat["ask"]["kind"] == "retire")
    f.wait(MINUTE)
    f.choose_decision(claim=True)
    f.object()


@bad(clock(holidays=2))
def clock_holiday_used_up(f):
    """The holidays of both days are taken already."""
    f.begin()
    f.put(1, "pause", {"do": "holiday", "days": 1})
    f.put(1, "pause", {"do": "holiday", "days": 1})
    f.put(1, "pause", {"do": "holiday", "days": 1})


@bad(clock())
def clock_resume_too_late(f):
    """A pause is ended that is over."""
    f.begin()
    f.accept(2, f.put(1, "offer", {"what": "pause", "days": 1}))
    f.wait(DAY)
    f.put(2, "pause", {"do": "resume"})


@bad(clock())
def clock_claim_before_start(f):
    """A claim before the start."""
    f.create()
    f.join(2)
    f.wait(MINUTE)
    f.put(2, "claim")


@bad(clock())
def clock_claim_stale(f):
    """A claim that has not seen the last state line."""
    f.begin()
    before = f.seq() - 1
    f.roll_free()
    f.wait(MINUTE)
    f.next_order(lambda o: o.update(after=before, head=f.hashes[before]))
    f.put(2, "claim")


@bad(clock())
def clock_claim_after_end(f):
    """A claim after the end."""
    play_and_wait(f)
    f.put(2, "claim")
    f.put(2, "claim")


@bad(clock())
def clock_claim_with_place(f):
    """A claim with a place where no rules run."""
    play_and_wait(f)
    f.write("order", {**f.order(2, "claim", {}, "p/1"), "events": []})


DEFAULT = clock(then="default")


def asked(f):
    """Begin, and ask the second side for a decision."""
    f.begin()
    f.declare(f.guns())


def claimed(change, ms=MINUTE):
    """Make a play with a claim of the default."""
    def play(f):
        asked(f)
        f.wait(ms)
        change(f)
        f.choose_decision(claim=True)

    return play


for name, play, bare in (
    ("early", claimed(lambda f: None, MINUTE - 1), EITHER),
    ("without_own", claimed(lambda f: f.next_order(drop("own"))), 1),
    ("without_place", claimed(
        lambda f: f.next_order(drop("own", "place"))), EITHER),
    ("place", claimed(lambda f: f.next_order(lambda o: o.update(
        place="c/1/ru-g/1/2", own=f.own(1, "c/1/ru-g/1/2")[0].hex()))), 1),
    ("own_of_other", claimed(lambda f: f.next_order(lambda o: o.update(
        own=f.own(2, o["place"])[0].hex()))), 1),
    ("no_events", claimed(
        lambda f: f.next_line(lambda m: (m.pop("dice", None),
                                         m.update(events=[])))), EITHER),
):
    play.__name__ = "clock_default_" + name
    bad(DEFAULT, bare)(play)


@bad(DEFAULT, EITHER)
def clock_default_other_word(f):
    """The default is another answer than the first word's."""
    asked(f)
    ask = f.combat["ask"]
    f.wait(MINUTE)
    line = f.order(1, "claim", {}, f.place())
    f.combat["decisions"].append(
        {"kind": "retire", "units": ask["options"]["units"]["some"]})
    f.combat["before"] = None
    f.step("claim", line, 1)


@bad(DEFAULT)
def clock_default_early_without_own(f):
    """Even a claim without effect has its own where a default may come."""
    asked(f)
    f.put(1, "claim")


@bad({**DEFAULT, "secret": "held", "bag": 9}, made=SecretTurns)
def clock_default_secret(f):
    """A secret question has no default."""
    f.begin()
    f.declare(f.facts())
    f.commit(1)
    f.wait(MINUTE)
    f.write("order", {**f.order(1, "claim", {}, f.place()), "events": []})


@bad({**LIVE, **clock()})
def clock_silence_then_answer(f):
    """The silent side answers after its forfeit."""
    f.begin()
    f.declare(f.plain())
    f.wait(MINUTE)
    f.put(1, "claim")
    f.agree()


SILENT = {**LIVE, **DIRECTOR, **clock(then="forfeit")}


def silent(f):
    """Begin, and let the director answer for the second side."""
    f.begin()
    f.declare(f.plain())
    f.wait(MINUTE)
    f.put(1, "claim")


@bad(SILENT)
def clock_director_answers_early(f):
    """The director answers before anybody is silent."""
    f.begin()
    f.declare(f.plain())
    f.agree(0)


@bad(SILENT)
def clock_director_early_claim(f):
    """He answers after a claim without effect."""
    f.begin()
    f.declare(f.plain())
    f.wait(MINUTE - 1)
    f.put(1, "claim")
    f.agree(0)


@bad(SILENT)
def clock_silent_side_answers(f):
    """The silent side answers in the director's place."""
    silent(f)
    f.agree(2)


@bad(SILENT)
def clock_director_with_its_key(f):
    """He answers with the silent side's dice key."""
    silent(f)
    f.next_order(lambda o: o.update(
        other=f.own(2, o["place"], "other/1")[0].hex()))
    f.agree(0)


# --- Settings ---


def created(settings, status=1):
    """Make a play whose game is created so."""
    def play(f):
        f.create()

    return play, settings, status


for name, (play, settings, status) in {
    "first": created(clock(first_s=59)),
    "first_missing": created({"clock": {"per": "side", "then": "forfeit"}}),
    "then_missing": created({"clock": {"per": "side", "first_s": 60}}),
    "add_to_orders": created(clock(add_s=1)),
    "cap_of_orders": created(clock(cap_s=100)),
    "cap_below_first": created(clock(per="side", cap_s=59)),
    "skip_week": created(clock(skip=["mon", "tue", "wed", "thu", "fri",
                                     "sat", "sun"])),
    "skip_twice": created(clock(skip=["sat", "sat"])),
    "holidays": created(clock(holidays=367)),
    "director": created(clock(then="director")),
    "silence_director": created({"silence": "director"}),
    "two_delays": created({"options": {"delay": 1, "delay_minutes": 1}}),
    "delay_minutes": created({"options": {"delay_minutes": 0}}),
    "seventeen_seats": created({"options": {"seats": 17}}),
    "unknown_member": created(clock(sound="bell"), 2),
    "unknown_option": created({"options": {"sound": "bell"}}, 2),
}.items():
    play.__name__ = "create_clock_" + name
    case(settings, status)(play)
