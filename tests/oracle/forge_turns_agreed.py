# SPDX-License-Identifier: ISC
"""Games by turns in which decisions that state facts are agreed to.

Lawful games and such with one fault each, as in forge_turns_cases.py and
forge_turns_faults.py: umpire-record.7 S6.3, S6.7.
"""

import record_answers
from forge_turns_cases import DAY, LIVE, MINUTE, case, clock, here
from forge_turns_faults import EITHER, bad, drop, put

FACTS = {"confirm": "facts"}
LIVE_FACTS = {**LIVE, **FACTS}
JUDGED = {**FACTS, "options": {"director": True}}
LIVE_JUDGED = {**LIVE, **JUDGED}
WEEK = 7 * DAY


def to_fact(f):
    """Fight until a fact is asked for, and answer all before it."""
    f.declare(f.plain())
    while f.combat is not None or f.owed is not None:
        if f.owed is not None:
            f.agree()
        elif f.combat["ask"]["kind"] in record_answers.FACTS[f.system]:
            return
        else:
            f.choose_decision()
    here(False)


def asked(f):
    """Begin, and ask for a fact, as whether one that staggers has a path."""
    f.begin()
    to_fact(f)


def stated(f):
    """And let it be answered."""
    asked(f)
    f.choose_decision()


def objected(f, times=2):
    """Object to an answer several times."""
    for _ in range(times):
        f.choose_decision()
        f.object()


def judged_charge(f):
    """Let the director owe the answer to a declaration."""
    for _ in range(2):
        f.declare(f.plain())
        f.object()
    f.declare(f.plain())
    here(f.owed["seat"] == 0)


# --- Lawful games ---


@case(FACTS)
def facts_game(f):
    """The other side agrees to what is so on the table, or objects."""
    stated(f)
    f.say(1, "chat", {"ref": f.text("well?")})
    f.object()
    f.choose_decision()
    f.object(False)
    f.choose_decision()
    f.object()
    f.choose_decision()
    f.agree()
    f.finish()
    f.end_turn()
    f.declare(f.guns())
    f.finish()
    f.close()


@case(LIVE_FACTS)
def facts_live_game(f):
    """In live-1, too, facts are agreed to without a proof."""
    stated(f)
    f.object()
    f.choose_decision()
    f.agree()
    f.finish()
    f.close()


@case(FACTS)
def facts_standing_game(f):
    """A standing order does not act on them, and is not passed over."""
    f.begin()
    for seat in (1, 2):
        f.standing(seat, "stagger", "none")
        f.standing(seat, "retire", "none")
    to_fact(f)
    f.choose_decision()
    f.finish()
    f.close()


@case({**FACTS, **clock(then="default")})
def facts_default_game(f):
    """A default waits for nobody; the answer that is owed has a clock."""
    stated(f)
    f.object()
    f.wait(MINUTE)
    f.choose_decision(claim=True)
    f.end_turn()
    f.close()


@case({**FACTS, **clock()})
def facts_forfeit_game(f):
    """Who does not answer in time loses."""
    stated(f)
    f.wait(MINUTE)
    f.put(f.owed["by"], "claim")
    f.close()


@case(FACTS)
def facts_takeback_game(f):
    """A takeback once it was objected to, and once it was agreed to."""
    asked(f)
    since = f.combat["seq"]
    to = f.put(1, "offer", {"what": "takeback", "from": since})
    objected(f, 1)
    f.put(2, "note", {"to": to, "say": "decline"})
    f.takeback(2, since)
    to_fact(f)
    objected(f, 2)
    f.choose_decision()
    f.finish()
    f.takeback(1, max(f.undo))
    f.close()


@case(JUDGED)
def facts_judged_game(f):
    """After two objections the director judges, as often as it takes."""
    asked(f)
    objected(f)
    f.choose_decision()
    here(f.owed["seat"] == 0)
    f.object()
    f.choose_decision()
    f.agree()
    f.finish()
    f.close()


@case(JUDGED)
def facts_judged_declare_game(f):
    """So with declarations of one place, until the pool moves."""
    f.begin()
    for _ in range(2):
        f.declare(f.plain())
        f.object()
    f.declare(f.guns())
    f.object()
    f.declare(f.plain())
    here(f.owed["seat"] == 0)
    f.object()
    f.end_turn()
    f.end_turn()
    f.declare(f.plain())
    f.object()
    f.declare(f.plain())
    f.object()
    f.declare(f.plain())
    f.agree()
    f.finish()
    f.close()


@case(JUDGED)
def facts_judged_pool_game(f):
    """A pool that moves in the same turn begins the count anew."""
    f.begin()
    since = f.roll_free()
    for _ in range(2):
        f.declare(f.plain())
        f.object()
    f.takeback(1, since)
    f.declare(f.plain())
    here(f.owed["seat"] == 2)
    f.finish()
    f.close()


@case({**JUDGED, **clock(), "silence": "director"})
def facts_judged_silence_game(f):
    """Who answers for a silent player objects for no side."""
    f.begin()
    f.declare(f.plain())
    f.wait(MINUTE)
    f.put(1, "claim")
    f.owed["seat"] = 0
    f.object()
    for _ in range(2):
        f.declare(f.plain())
        here(f.owed["seat"] == 2)
        f.object()
    f.declare(f.plain())
    here(f.owed["seat"] == 0)
    f.agree()
    f.finish()
    f.close()


@case(LIVE_JUDGED)
def facts_judged_live_game(f):
    """In live-1 the dice wait for the other side when the director agrees."""
    f.begin()
    judged_charge(f)
    f.agree()
    here(f.owed["seat"] == 2)
    f.agree()
    f.finish()
    f.close()


@case(LIVE_JUDGED)
def facts_judged_roll_game(f):
    """So with a decision that states no fact and leads to dice."""
    f.begin()
    f.declare(f.guns())
    f.agree()
    here(f.combat is not None and f.combat["ask"]["kind"] == "retire")
    some = f.combat["ask"]["options"]["units"]["some"]
    for _ in range(3):
        f.choose_decision({"kind": "retire", "units": list(some)})
        here(f.owed is not None)
        if f.owed["seat"]:
            f.object()
    f.agree()
    here(f.owed["seat"] == 1)
    f.agree()
    f.finish()
    f.close()


@case({**JUDGED, **clock()})
def facts_unjudged_game(f):
    """A judgement that does not come is claimed after a week."""
    asked(f)
    objected(f)
    f.choose_decision()
    f.wait(WEEK - 1)
    f.put(1, "claim", {"to": f.owed["seq"]})
    f.put(2, "claim")
    f.claim_unjudged(2)
    f.finish()
    f.close()


@case(LIVE_JUDGED)
def facts_unjudged_live_game(f):
    """Without a clock, too; in live-1 the dice wait again."""
    f.begin()
    judged_charge(f)
    f.wait(WEEK)
    f.claim_unjudged(2)
    here(f.owed is not None and f.owed["seat"] == 2)
    f.agree()
    f.finish()
    f.close()


# --- With one fault ---


@bad(FACTS)
def facts_answer_left_out(f):
    """The rules go on without an answer."""
    asked(f)
    f.settings = {**f.settings, "confirm": True}
    f.choose_decision()


@bad(LIVE_FACTS)
def facts_live_answer_left_out(f):
    """In live-1, too."""
    asked(f)
    f.settings = {**f.settings, "confirm": True}
    f.choose_decision()


@bad({"confirm": True})
def facts_without_facts(f):
    """An answer is owed in a game that confirms declarations alone."""
    asked(f)
    f.settings = {**f.settings, "confirm": "facts"}
    f.choose_decision()


@bad(FACTS)
def facts_other_kind(f):
    """A decision waits that states no fact."""
    f.begin()
    f.declare(f.guns())
    f.agree()
    here(f.combat is not None and f.combat["ask"]["kind"] == "retire")
    f.is_fact = lambda kind: True
    f.choose_decision()


@bad(FACTS)
def facts_answer_by_actor(f):
    """Who decides agrees."""
    stated(f)
    f.agree(f.owed["by"])


@bad(FACTS)
def facts_owes_actor(f):
    """The answer is owed by who decided."""
    asked(f)
    f.next_line(lambda m: m["owes"].update(seat=m["seat"]))
    f.choose_decision()


@bad(FACTS)
def facts_owes_place(f):
    """The answer is owed for another place."""
    asked(f)
    f.next_line(lambda m: m["owes"].update(place=m["owes"]["place"] + "1"))
    f.choose_decision()


@bad(FACTS)
def facts_place_used(f):
    """The answer is given for a place that has had its dice."""
    asked(f)
    used = f.place()[:-1] + "1"
    here(f.combat["steps"] > 0)
    f.next_order(lambda o: o.update(
        place=used, own=f.own(f.asked_seat(), used)[0].hex()))
    f.next_line(lambda m: m["owes"].update(place=used))
    f.choose_decision()


@bad(FACTS)
def facts_kept_objected(f):
    """What was objected to is told again before the next answer."""
    stated(f)
    told = f.combat["events"][-1]
    f.object()
    f.next_line(lambda m: m["events"].insert(0, told))
    f.choose_decision()


@bad(FACTS)
def facts_event_of_objection(f):
    """The line that objects tells what it objects to again."""
    stated(f)
    told = f.combat["events"][-1:]
    f.next_line(put("events", told))
    f.object()


@bad(FACTS)
def facts_tells_more(f):
    """The line tells more than what was decided."""
    asked(f)
    f.next_line(lambda m: m["events"].append(m["events"][0]))
    f.choose_decision()


@bad(FACTS)
def facts_tells_nothing(f):
    """Or nothing."""
    asked(f)
    f.next_line(put("events", []))
    f.choose_decision()


@bad(FACTS, EITHER)
def facts_tells_otherwise(f):
    """Or something else."""
    asked(f)
    f.next_line(lambda m: m["events"][0].update(side="nobody"))
    f.choose_decision()


@bad(FACTS)
def facts_goes_on_objected(f):
    """The rules go on in the line that objects."""
    stated(f)
    f.next_order(lambda o: o["args"].update(say="object"))
    f.agree()


@bad(FACTS)
def facts_next_after_objection(f):
    """After an objection the turn ends, as if the combat were over."""
    stated(f)
    f.object()
    f.end_turn()


@bad(FACTS, EITHER)
def facts_answered_after_objection(f):
    """After an objection the answer that was agreed to is another one."""
    stated(f)
    f.object()
    f.agree_again = f.combat["ask"]["seq"]
    f.next_order(lambda o: o["args"].update(ask=f.agree_again + 1))
    f.choose_decision()


@bad(FACTS)
def facts_with_other(f):
    """An answer that agrees carries a proof."""
    stated(f)
    owed = f.owed
    f.next_order(lambda o: o.update(
        place=owed["place"],
        other=f.own(owed["seat"], owed["place"], "other/1")[0].hex(),
    ))
    f.agree()


@bad(LIVE_FACTS)
def facts_live_with_other(f):
    """In live-1, too."""
    facts_with_other(f)


@bad(LIVE_JUDGED)
def facts_live_objection(f):
    """What the director agreed to is objected to when the dice wait."""
    f.begin()
    judged_charge(f)
    f.agree()
    f.object()


@bad(FACTS, EITHER)
def facts_standing_acts(f):
    """A standing order acts on a fact."""
    f.begin()
    for seat in (1, 2):
        f.standing(seat, "stagger", "none")
    f.is_fact = lambda kind: False
    f.declare(f.plain())
    f.agree()
    here(any(s["opened"] for s in f.standings))


@bad(JUDGED)
def facts_judged_too_soon(f):
    """The director is asked after one objection."""
    asked(f)
    objected(f, 1)
    f.objected = {key: 2 for key in f.objected}
    f.choose_decision()


@bad(JUDGED)
def facts_judged_by_side(f):
    """The side that has objected twice is asked a third time."""
    asked(f)
    objected(f)
    f.objected = {}
    f.choose_decision()


@bad(FACTS)
def facts_judged_by_nobody(f):
    """Without a director seat 0 is asked."""
    asked(f)
    objected(f)
    f.next_line(lambda m: m["owes"].update(seat=0))
    f.choose_decision()


@bad({"confirm": True, "options": {"director": True}})
def facts_judged_without_facts(f):
    """The director judges where declarations alone are confirmed."""
    f.begin()
    for _ in range(2):
        f.declare(f.plain())
        f.object()
    f.next_line(lambda m: m["owes"].update(seat=0))
    f.declare(f.plain())


@bad(LIVE_JUDGED)
def facts_judged_live_by_director(f):
    """The director answers for the dice, too."""
    f.begin()
    judged_charge(f)
    f.next_line(lambda m: m["owes"].update(seat=0))
    f.agree()


def waits_for_judge(f):
    """Begin, and let the director owe an answer."""
    asked(f)
    objected(f)
    f.choose_decision()


@bad(JUDGED)
def facts_unjudged_early(f):
    """What the director has not judged is claimed too early."""
    waits_for_judge(f)
    f.wait(WEEK - 1)
    f.claim_unjudged(1)


@case({**JUDGED, "now": True})
def facts_unjudged_clocks_game(f):
    """The week has passed by the server's clock and by the claimant's."""
    waits_for_judge(f)
    f.wait(WEEK)
    f.skew = {1: -1}
    f.put(1, "claim", {"to": f.owed["seq"]})
    f.skew = {}
    f.claim_unjudged(1)
    f.finish()
    f.close()


@bad({**JUDGED, "now": True}, EITHER)
def facts_unjudged_early_by_author(f):
    """By the claimant's clock it is too early."""
    waits_for_judge(f)
    f.wait(WEEK)
    f.skew = {1: -1}
    f.claim_unjudged(1)


@bad({**JUDGED, "now": True})
def facts_unjudged_without_now(f):
    """The claim has no time of its author's, and what it claims on has."""
    waits_for_judge(f)
    f.wait(WEEK)
    f.next_order(drop("now"))
    f.put(1, "claim", {"to": f.owed["seq"]})


@bad(JUDGED)
def facts_unjudged_second_early(f):
    """By a second."""
    waits_for_judge(f)
    f.wait(WEEK - 1000)
    f.claim_unjudged(1)


@bad(JUDGED)
def facts_unjudged_other_line(f):
    """Or another line."""
    waits_for_judge(f)
    f.wait(WEEK)
    f.put(1, "claim", {"to": f.owed["seq"] - 1})


@bad(JUDGED)
def facts_unjudged_by_director(f):
    """Or by the director."""
    waits_for_judge(f)
    f.wait(WEEK)
    f.claim_unjudged(0)


@bad(JUDGED, EITHER)
def facts_unjudged_no_effect(f):
    """Or in time and without effect: the director comes too late."""
    waits_for_judge(f)
    f.wait(WEEK)
    f.put(1, "claim", {"to": f.owed["seq"]})


@bad({**JUDGED, **clock()})
def facts_unjudged_of_side(f):
    """Or what the other side owes."""
    stated(f)
    f.wait(WEEK)
    f.put(f.owed["by"], "claim", {"to": f.owed["seq"]})


@bad(JUDGED)
def facts_claim_without_clock(f):
    """A claim of time in a game without a clock."""
    waits_for_judge(f)
    f.wait(WEEK)
    f.put(1, "claim")


@bad({"confirm": "all"})
def facts_unknown(f):
    """There are no other words."""
    f.create()
