# SPDX-License-Identifier: ISC
"""Lawful games by turns for forged_turns.py.

Each case plays one game of TurnsForge or SecretTurns; what it uses of play by
turns is in its first line.
"""

from forge import NotHere
from forge_turns import OtherTurns, SecretTurns, TurnsForge

CASES = {}
LIVE = {"scheme": "live-1"}
CONFIRM = {"confirm": True}
DIRECTOR = {"options": {"director": True}, "silence": "director"}


class Case:
    """A game, and what verifying it says, with rules and without.

    play may return the number of the line that is bad; else it is the last.
    """

    def __init__(self, play, settings, status, bare, made):
        self.play = play
        self.settings = settings
        self.status = status
        self.bare = bare
        self.made = made


def case(settings=None, status=0, bare=None, made=TurnsForge):
    """Enter a case into the table, under the name of its function."""

    def enter(play):
        assert play.__name__ not in CASES
        CASES[play.__name__] = Case(
            play, settings or {}, status,
            bare or (2 if status == 0 else status), made,
        )
        return play

    return enter


def clock(**settings):
    """Settings of a game with a clock of a minute an order."""
    return {"clock": {"per": "order", "first_s": 60, "then": "forfeit",
                      **settings}}


def here(condition):
    """Give the seed up unless it makes what the case needs."""
    if not condition:
        raise NotHere


MINUTE = 60000
DAY = 86400000


# --- Answers ---


@case(LIVE)
def live_game(f):
    """Rolls and questions wait for answers; objections void them."""
    f.begin()
    f.declare(f.plain())
    f.say(1, "chat", {"ref": f.text("well?")})
    f.finish()
    f.roll_free()
    f.object()
    f.roll_free(dice=3, sides=6)
    f.object(False)
    f.roll_free()
    f.agree()
    f.end_turn()
    f.declare(f.guns())
    f.object()
    f.declare(f.guns())
    f.agree()
    here(f.combat is not None and f.combat["ask"]["kind"] == "retire")
    f.choose_decision()
    f.object()
    f.choose_decision()
    f.finish()
    f.end_turn()
    f.close()


@case(CONFIRM)
def confirm_game(f):
    """Declarations are confirmed; decisions need no answer."""
    f.begin()
    f.declare(f.guns())
    f.object()
    f.declare(f.guns())
    f.finish()
    f.end_turn()
    f.declare(f.plain())
    f.put(2, "resign")
    f.close()


@case({**LIVE, **CONFIRM})
def confirm_live_game(f):
    """A confirmation that leads to a roll carries the proof."""
    f.begin()
    f.declare(f.plain())
    f.finish()
    f.declare(f.guns())
    f.agree()
    f.finish()
    f.close()


@case({**LIVE, "secret": "held", "bag": 9}, made=SecretTurns)
def live_secret_game(f):
    """Secret choices, upkeep and standing orders with answers."""
    f.begin()
    f.standing(1, "chits", "most")
    f.standing(2, "chits", "least")
    f.standing(2, "advance", "none")
    f.declare(f.facts())
    f.finish()
    f.end_turn()
    f.standing(1, "advance", "all")
    f.declare(f.facts())
    f.finish()
    f.end_turn()
    f.declare(f.facts())
    f.finish()
    f.close()


@case({**LIVE, "secret": "held", "bag": 9}, made=SecretTurns)
def live_upkeep_game(f):
    """Upkeep with dice owes an answer, upkeep without dice none."""
    f.begin()
    f.rest("pr-k")
    f.object()
    f.rest("pr-k")
    f.agree()
    f.recover("pr-h")
    f.end_turn()
    f.rest("au-b")
    f.agree()
    f.end_turn()
    f.close()


# --- Free rolls and cups ---


@case()
def cups_game(f):
    """Cups are made, drawn from, filled up and shuffled."""
    f.create()
    f.cup(1, "make", "events", ["storm", "sun", "rain"])
    f.join(2)
    f.cup(2, "make", "b", ["c10", "c2", "a", "c1"])
    f.start()
    f.roll_free(cup="events", draw=2)
    f.roll_free(cup="events", draw=1)
    f.cup(1, "return", "events", ["storm", "sun"])
    f.roll_free(cup="events", draw=2)
    f.cup(1, "shuffle", "events")
    f.roll_free(cup="events", draw=3)
    f.cup(2, "make", "c", ["one"])
    f.end_turn()
    since = f.roll_free(cup="b", draw=3)
    f.roll_free(cup="c", draw=1)
    f.takeback(2, since)
    f.roll_free(cup="b", draw=4)
    f.close()


@case(LIVE)
def cups_live_game(f):
    """Draws from a cup owe answers."""
    f.begin()
    f.cup(2, "make", "b", ["c10", "c2", "a", "c1"])
    f.roll_free(cup="b", draw=3)
    f.cup(2, "make", "d", ["x"])
    f.object()
    f.roll_free(cup="b", draw=2)
    f.agree()
    f.cup(1, "return", "b", list(f.cups["b"]["out"])[:1])
    f.roll_free(cup="b", draw=3)
    f.agree()
    f.close()


# --- Offers ---


@case()
def draw_game(f):
    """Offers are declined, withdrawn and lapse; a draw ends the game."""
    f.begin()
    to = f.put(1, "offer", {"what": "draw", "why": f.text("tired")})
    f.put(2, "note", {"to": to, "say": "decline", "why": f.text("no")})
    to = f.put(2, "offer", {"what": "draw"})
    f.put(2, "note", {"to": to, "say": "withdraw"})
    to = f.put(1, "offer", {"what": "draw"})
    f.end_turn()
    f.declare(f.guns())
    to = f.put(2, "offer", {"what": "draw"})
    f.accept(1, to)
    f.put(1, "chat", {"ref": f.text("thanks")})
    f.close()


@case()
def victory_game(f):
    """An agreed victory; eight offers of a side lie open."""
    f.begin()
    offers = [f.put(2, "offer", {"what": "victory", "winner": 1 + i % 2})
              for i in range(8)]
    f.put(1, "offer", {"what": "draw"})
    f.put(2, "note", {"to": offers[3], "say": "withdraw"})
    offers.append(f.put(2, "offer", {"what": "victory", "winner": 2}))
    f.accept(1, offers[-1])
    f.close()


@case()
def truce_game(f):
    """In a truce nobody declares; it ends in its time."""
    f.begin()
    f.accept(1, f.put(2, "offer", {"what": "truce", "turns": 2}))
    f.end_turn()
    f.end_turn()
    f.declare(f.plain())
    f.finish()
    f.close()


@case()
def adjust_game(f):
    """The rosters are changed by agreement, and combats use them."""
    f.begin()
    f.adjust(1, [{"id": "ru-b", "strength": 3}])
    f.adjust(2, [{"id": "fr-b", "shaken": False, "strength": 8},
                 {"id": "ru-a", "out": "lost"}])
    f.declare(f.plain())
    f.finish()
    f.adjust(1, [{"id": "ru-a", "out": None, "strength": 2}])
    f.declare(f.charge("fr-b", "ru-a"))
    f.finish()
    f.close()


def joins(uid, side, where="units", **fields):
    """A change by which a unit or a commander joins."""
    return {"id": uid, "joins": where, "side": side, **fields}


@case()
def reinforced_game(f):
    """Units join, fight, are lost and taken away; one joins for another."""
    foot = {"arm": "infantry", "strength": 5}
    f.begin()
    f.adjust(1, [joins("fr-z", 1, **foot),
                 joins("ru-z", 2, shaken=True, **foot),
                 {"id": "fr-b", "gone": True}])
    f.declare(f.charge("fr-z", "ru-z"))
    f.finish()
    f.adjust(2, [{"id": "ru-g", "gone": True, "out": "spiked"},
                 joins("ru-g2", 2, arm="artillery", battery="horse",
                       strength=2, name="Дон")])
    here("fr-z" not in f.gone and f.roster[1]["fr-z"]["strength"] > 1)
    f.declare(f.charge("fr-z", "ru-g2"))
    f.finish()
    f.close()


@case()
def reinforced_back_game(f):
    """What joined is not there after a takeback, what was gone is."""
    foot = {"arm": "infantry", "strength": 5}
    f.begin()
    since = f.adjust(1, [joins("fr-z", 1, **foot),
                         {"id": "ru-b", "gone": True}])
    f.adjust(1, [{"id": "fr-z", "strength": 3}])
    f.declare(f.charge("fr-z", "ru-a"))
    f.finish()
    f.takeback(2, since)
    f.declare(f.plain())
    f.finish()
    f.adjust(2, [joins("fr-y", 1, **foot)])
    f.declare(f.charge("fr-y", "ru-a"))
    f.finish()
    f.close()


@case({"options": {"director": True}})
def reinforced_by_ruling_game(f):
    """A ruling lets a unit join and takes one away."""
    f.begin()
    units = [joins("ru-z", 2, arm="cavalry", strength=4),
             {"id": "ru-a", "gone": True}]
    to = f.put(0, "ruling", {"units": units, "why": f.text("late")})
    f.accept(1, to)
    f.accept_adjust(2, to, units)
    f.declare(f.charge("fr-a", "ru-z"))
    f.finish()
    f.close()


@case({"secret": "held", "bag": 9}, made=SecretTurns)
def reinforced_secret_game(f):
    """Brigades join, and lose fatigue with the others."""
    f.begin()
    f.adjust(1, [joins("pr-z", 1, lead="z-1", fatigue=2, battalions=[
        {"id": "z-1", "quality": "elite", "sp": 4}]),
        {"id": "au-b", "gone": True}])
    f.declare(f.charge("pr-z", "au-a"))
    f.finish()
    f.end_turn()
    f.close()


def passed_round(f):
    """Both sides pass: the last line ends the round."""
    while not f.ends_round():
        f.end_turn()
    f.end_turn()


@case({"secret": "held", "bag": 9}, made=SecretTurns)
def lead_game(f):
    """Another battalion leads a unit that was hit, from the next round on."""
    f.begin()
    f.declare(f.charge("pr-a", "au-a"))
    f.finish()
    here(f.lead_free.get("pr-a") and f.is_left("pr-a"))
    f.lead("pr-a", "pr-a-2")
    since = f.seq()
    f.lead("pr-a", "pr-a-3")
    f.takeback(2, since)
    passed_round(f)
    here(f.state["pr-a"]["lead"] == "pr-a-2" and f.is_left("au-a"))
    f.declare(f.charge("au-a", "pr-a"))
    f.finish()
    f.close()


@case({"secret": "held", "bag": 9}, made=SecretTurns)
def adjust_kept_game(f):
    """What the game keeps of a unit changes by agreement, too."""
    f.begin()
    f.adjust(1, [{"id": "pr-a", "lead_free": 1},
                 {"id": "pr-h", "tried": "rally"}])
    f.adjust(2, [{"id": "pr-a", "lead_free": 0}])
    f.adjust(2, [{"id": "pr-h", "tried": None},
                 {"id": "au-a", "lead_free": 1, "next_lead": "au-a-2"},
                 {"id": "pr-a", "lead_free": 1}])
    f.lead("pr-a", "pr-a-3")
    f.recover("pr-h")
    f.adjust(2, [{"id": "pr-a", "next_lead": "pr-a-2"}])
    passed_round(f)
    here(f.state["pr-a"]["lead"] == "pr-a-2")
    here(f.state["au-a"]["lead"] == "au-a-2")
    f.declare(f.charge("au-a", "pr-a"))
    f.finish()
    f.close()


def full(f):
    """The changes that give a side all the units that it can have."""
    have = len(f.roster[1])
    for i in range(400 - have):
        yield joins("j%d" % i, 1, **f.fields)


def filled(f):
    """Begin, and fill a side with units."""
    f.begin()
    units = list(full(f))
    for i in range(0, len(units), 64):
        f.adjust(2, units[i:i + 64])


def other_game(f):
    """Begin, let units join and go; it is closed."""
    f.begin()
    f.adjust(1, [joins("c-1", 1, **f.fields), {"id": "a-1", "gone": True}])
    since = f.adjust(2, [{"id": "c-1", "gone": True, "out": "left"},
                         joins("c-2", 2, **f.fields)])
    f.takeback(1, since)
    f.adjust(2, [joins("c-3", 2, **f.fields)])
    f.close()


for system in OtherTurns.ROSTERS:
    def play(f):
        """As other_game()."""
        other_game(f)

    play.__name__ = "reinforced_%s_game" % system.replace("-", "_")
    case({"system": system}, made=OtherTurns)(play)


@case({"system": "tlnb"}, made=OtherTurns)
def reinforced_full_game(f):
    """A side is filled with units; the other has room."""
    filled(f)
    f.adjust(2, [joins("k-1", 2, **f.fields)])
    f.close()


@case({"system": "invasion-1812"}, made=OtherTurns)
def reinforced_commander_game(f):
    """A commander joins, the first of its side."""
    f.begin()
    since = f.adjust(1, [joins("ney", 1, "commanders", cr=3)])
    f.takeback(2, since)
    f.adjust(1, [joins("davout", 1, "commanders", cr=4)])
    f.adjust(1, [{"id": "davout", "gone": True}])
    f.close()


@case({"options": {"owner_fields": ["strength", "out"]}})
def owner_fields_game(f):
    """A side may accept what changes its own units within its fields."""
    f.begin()
    f.adjust(1, [{"id": "fr-a", "strength": 3}], accept=1)
    f.adjust(2, [{"id": "ru-g", "out": "left"}], accept=2)
    f.adjust(2, [{"id": "ru-b", "strength": 2}])
    f.declare(f.plain())
    f.finish()
    f.close()


@case()
def roster_game(f):
    """The rosters are replaced before the start."""
    f.create()
    f.join(2)
    units = {s: [dict(u) for u in f.units[s]] for s in (1, 2)}
    units[1][0]["strength"] = 9
    units[2][1]["strength"] = 2
    blob = f.roster_blob(units)
    to = f.put(1, "propose", {"what": "roster", "roster": blob,
                              "why": f.text("better")})
    f.accept(2, to)
    f.roster = {s: {u["id"]: dict(u) for u in units[s]} for s in (1, 2)}
    f.start()
    f.declare(f.plain())
    f.finish()
    f.close()


@case()
def takeback_game(f):
    """Combats, turns and adjustments are taken back; places are not."""
    f.begin()
    since = f.seq()
    f.declare(f.plain())
    f.finish()
    f.declare(f.plain())
    f.finish()
    f.takeback(1, since)
    since = f.adjust(1, [{"id": "ru-b", "strength": 3}])
    f.end_turn()
    f.takeback(1, since)
    f.declare(f.plain())
    f.finish()
    f.end_turn()
    since = f.end_turn()
    f.takeback(1, since)
    f.declare(f.guns())
    f.takeback(2, f.combat["seq"])
    f.declare(f.plain())
    f.finish()
    f.accept(2, f.put(1, "offer", {"what": "truce", "turns": 9}))
    f.takeback(1, max(f.undo))
    f.declare(f.plain())
    f.finish()
    f.close()


@case({"secret": "sealed", "bag": 9}, made=SecretTurns)
def takeback_upkeep_game(f):
    """Upkeep and an open secret question are taken back."""
    f.begin()
    since = f.seq()
    f.rest("pr-k")
    f.recover("pr-h")
    f.takeback(1, since)
    f.rest("pr-k")
    f.declare(f.facts())
    f.commit(1)
    f.takeback(1, f.combat["seq"])
    f.declare(f.facts())
    f.finish()
    f.end_turn()
    f.close()


@case({"secret": "held", "bag": 9}, made=SecretTurns)
def adjust_upkeep_game(f):
    """The end of a round is taken back, and what the game keeps adjusted."""
    f.begin()
    f.end_turn()
    since = f.end_turn()
    f.takeback(2, since)
    f.adjust(2, [{"id": "pr-k", "fatigue": 2, "morale": 1},
                 {"id": "au-h", "disordered": True}])
    f.recover("au-h")
    f.end_turn()
    f.rest("pr-k")
    f.adjust(2, [{"id": "au-b", "out": "lost"}])
    f.adjust(2, [{"id": "pr-b", "out": "lost"}])
    f.adjust(1, [{"id": "pr-b", "out": None, "fatigue": 1}])
    f.declare(f.charge("pr-b", "au-a"))
    f.finish()
    f.end_turn()
    f.close()


# --- Standing orders ---


@case()
def standing_game(f):
    """Standing orders act, the newest first; the rest is opened at last."""
    f.create()
    f.standing(1, "stagger", "path")
    f.join(2)
    f.standing(2, "retire", "none")
    f.start()
    f.standing(2, "retire", "all")
    f.standing(2, "stagger", "none")
    f.standing(1, "reroll", "all")
    f.declare(f.guns())
    f.finish()
    f.withdraw(2, f.standings[2]["seq"])
    f.declare(f.plain())
    f.finish()
    f.declare(f.lances())
    f.finish()
    f.standing(2, "retire", "all")
    f.standing(2, "reroll", "none")
    f.standing(1, "retire", "all")
    f.withdraw(1, f.standings[-1]["seq"])
    f.end_turn()
    f.close()


@case(LIVE)
def standing_live_game(f):
    """In live-1 a standing order acts before or after the answer."""
    f.begin()
    f.declare(f.guns())
    f.standing(2, "retire", "all")
    f.agree()
    f.agree()
    here(f.combat is not None)
    f.finish()
    f.standing(1, "reroll", "all")
    f.declare(f.lances())
    f.finish()
    f.close()


@case(CONFIRM)
def standing_confirm_game(f):
    """A standing order acts once a declaration is confirmed."""
    f.begin()
    f.standing(2, "retire", "all")
    f.declare(f.guns())
    f.object()
    f.declare(f.guns())
    f.finish()
    f.close()


@case()
def standing_too_late(f):
    """A standing order does not answer a question that is open already."""
    f.begin()
    f.declare(f.guns())
    f.standing(2, "retire", "all")
    f.choose_decision({"kind": "retire", "units": []})
    f.finish()
    f.close()


@case()
def standing_withdrawn_in_time(f):
    """One that is withdrawn does not answer."""
    f.begin()
    f.withdraw(2, f.standing(2, "retire", "all"))
    f.declare(f.guns())
    here(f.combat is not None and f.combat["ask"]["kind"] == "retire")
    f.put(1, "resign")
    f.close()


@case(clock(then="default"))
def standing_by_claim(f):
    """A claim goes on to a question that a standing order answers."""
    f.begin()
    f.standing(1, "stagger", "none")
    f.standing(2, "stagger", "none")
    f.declare(f.guns())
    f.wait(MINUTE)
    f.choose_decision(claim=True)
    here(any(s["opened"] for s in f.standings))
    f.finish()
    f.close()


@case()
def standing_unreadable(f):
    """A text that is no standing order never acts."""
    f.begin()
    f.standing(2, "retire", "all", '{"kind":"retire","do":"maybe"}')
    f.standings[-1]["dumb"] = True
    f.declare(f.guns())
    here(f.combat is not None)
    f.finish()
    f.close()


# --- Clocks ---


@case(clock(grace_s=30))
def clock_claims(f):
    """A claim too early stands without effect; at the deadline it wins."""
    f.begin()
    f.wait(90 * 1000 - 1)
    f.put(2, "claim")
    f.end_turn(1)
    f.wait(60 * 1000)
    f.end_turn(2)
    f.wait(90 * 1000)
    f.put(2, "claim")
    f.close()


@case(clock(grace_s=30))
def clock_grace(f):
    """Talk does not renew the grace; a move does."""
    f.begin()
    f.wait(70000)
    f.put(1, "chat", {"ref": f.text("a moment")})
    f.wait(19999)
    f.put(2, "claim")
    f.put(1, "chat", {"ref": f.text("here")})
    f.roll_free()
    f.wait(89999)
    f.put(2, "claim")
    f.wait(1)
    f.put(2, "claim")
    f.close()


@case(clock(per="side", grace_s=5))
def clock_side_grace(f):
    """A side without time has the grace for every order."""
    f.begin()
    f.wait(64000)
    f.roll_free()
    f.wait(4999)
    f.put(2, "claim")
    f.roll_free()
    f.wait(3000)
    f.put(2, "chat", {"ref": f.text("well?")})
    f.wait(2000)
    f.put(2, "claim")
    f.close()


@case(clock(per="side", add_s=10, cap_s=80, first_s=70))
def clock_side(f):
    """A clock of a side runs down, grows by what is added, has a cap."""
    f.begin()
    f.wait(30000)
    f.end_turn(1)  # 40 s left, and 10: 50
    f.wait(1)
    f.end_turn(2)  # 69.999, and 10: 79.999
    f.wait(49999)
    f.put(2, "claim")
    f.wait(0)
    f.end_turn(1)  # 0.001 and 10
    f.wait(0)
    f.end_turn(2)  # 80, the cap
    f.wait(0)
    f.end_turn(1)  # 20.001
    f.wait(80000)
    f.put(1, "claim")
    f.close()


@case(clock(first_s=3600, skip=["sat", "sun"], holidays=5))
def clock_days(f):
    """Days that do not count, holidays and pauses."""
    f.begin()
    f.wait(30 * 60000)
    f.put(1, "pause", {"do": "holiday", "days": 2})
    f.wait(3 * DAY + 30 * 60000)  # Friday and a weekend, then half an hour
    f.end_turn(1)
    to = f.put(2, "offer", {"what": "pause", "days": 30})
    f.accept(1, to)
    f.wait(DAY)
    f.put(1, "claim")
    f.put(1, "pause", {"do": "resume"})
    f.wait(3598000 - 1001)
    f.put(1, "claim")
    f.put(2, "pause", {"do": "holiday", "days": 5})
    f.wait(4 * DAY)
    f.put(1, "claim")
    f.end_turn(2)
    f.close()


@case(clock(then="default"))
def clock_default(f):
    """The default answers a question; where there is none, the game ends."""
    f.begin()
    f.declare(f.guns())
    f.wait(MINUTE)
    f.choose_decision(claim=True)
    f.finish()
    f.end_turn()
    f.wait(MINUTE)
    f.put(1, "claim")
    f.close()


@case({**LIVE, **clock(then="default")})
def clock_default_live(f):
    """A default that leads to a roll waits for an answer, which can fail."""
    f.begin()
    f.declare(f.guns())
    f.agree()
    here(f.combat is not None and f.combat["ask"]["kind"] == "retire")
    f.wait(MINUTE)
    f.choose_decision(claim=True)
    f.wait(MINUTE)
    f.put(1, "claim")
    f.close()


@case({**LIVE, **DIRECTOR, **clock(then="director")})
def clock_director(f):
    """The director answers for who is silent, and rules on claims."""
    f.begin()
    f.declare(f.plain())
    f.wait(MINUTE)
    f.put(1, "claim")
    f.agree(0)
    f.finish()
    f.wait(MINUTE)
    to = f.put(2, "claim")
    why = f.text("he was ill")
    f.wait(10 * MINUTE)
    f.put(0, "ruling", {"claim": to, "do": "extend", "extend_s": 60,
                        "why": why})
    f.wait(MINUTE - 1)
    f.put(2, "claim")
    f.end_turn()
    f.wait(MINUTE)
    f.put(1, "claim")
    f.end_turn()
    f.wait(MINUTE)
    to = f.put(2, "claim")
    f.put(0, "ruling", {"claim": to, "do": "forfeit", "why": why})
    f.close()


@case({**LIVE, **DIRECTOR, **clock()})
def clock_director_objects(f):
    """The director may object in the silent side's place."""
    f.begin()
    f.declare(f.plain())
    f.wait(MINUTE)
    f.put(1, "claim")
    f.owed["seat"] = 0
    f.object()
    f.declare(f.plain())
    f.finish()
    f.close()


@case({**LIVE, "options": {"director": True}, **clock(then="director")})
def clock_silence(f):
    """Silence forfeits, whatever a claim else does."""
    f.begin()
    f.roll_free()
    f.wait(MINUTE)
    f.put(1, "claim")
    f.close()


@case({"secret": "held", "bag": 9, **clock()}, made=SecretTurns)
def clock_secret(f):
    """In a secret question both clocks run until each has chosen."""
    f.begin()
    f.declare(f.facts())
    f.wait(MINUTE)
    f.put(1, "claim")
    f.commit(2)
    f.wait(MINUTE)
    f.put(1, "claim")
    f.put(2, "claim")
    f.close()


# --- Seats, director, rulings ---


@case({"options": {"seats": 4}})
def four_seats(f):
    """Team-mates act for each other; any seat of a side closes."""
    f.begin()
    f.declare(f.plain(), 3)
    f.finish()
    f.roll_free(3)
    to = f.put(3, "offer", {"what": "draw"})
    f.end_turn(3)
    f.standing(4, "retire", "all")
    f.roll_free(4)
    to = f.put(3, "offer", {"what": "draw"})
    f.put(1, "note", {"to": to, "say": "withdraw"})
    to = f.put(1, "offer", {"what": "takeback", "from": f.turn_lines[0]})
    f.accept_back(4, to, f.turn_lines[0])
    f.declare(f.guns(), 1)
    f.finish()
    f.put(3, "close")
    rest = [f.told(s) for s in f.standings if not s["opened"]]
    f.put(4, "close", **({"opened": rest} if rest else {}))


@case({"options": {"seats": 16, "director": True}})
def sixteen_seats(f):
    """Everybody's dice key is in the pool."""
    f.begin()
    f.roll_free(15)
    f.end_turn(7)
    f.takeback(1, f.turn_lines[0])
    f.end_turn(9)
    f.roll_free(16)
    f.put(16, "close")
    f.put(15, "close")


@case({"options": {"takeback": False, "director": True}})
def void_only_game(f):
    """Where nobody takes back, a ruling may."""
    f.begin()
    since = f.roll_free()
    to = f.put(0, "ruling", {"void": True, "from": since,
                             "why": f.text("so")})
    f.accept(1, to)
    f.accept_back(2, to, since)
    f.roll_free()
    f.close()


@case({"options": {"seats": 3, "director": True}, **LIVE})
def live_seats(f):
    """Seats 1 and 2 answer; the director waits like everybody."""
    f.begin()
    f.roll_free(3)
    f.agree()
    f.put(0, "chat", {"ref": f.text("go on")})
    f.put(0, "close")
    f.end_turn(3)
    f.close()


@case(DIRECTOR)
def rulings_game(f):
    """Rulings come into force when seats 1 and 2 have accepted."""
    f.begin()
    since = f.seq()
    f.declare(f.plain())
    f.finish()
    why = f.text("seen from the gallery")
    to = f.put(0, "ruling", {"void": True, "from": since, "why": why})
    f.accept(2, to)
    f.roll_free()
    f.accept_back(1, to, since)
    units = [{"id": "fr-a", "strength": 2}]
    to = f.put(0, "ruling", {"units": units, "why": why})
    f.accept(1, to)
    f.accept_adjust(2, to, units)
    f.declare(f.plain())
    f.finish()
    f.put(0, "ruling", {"why": why})
    to = f.put(0, "ruling", {"why": why})
    f.put(1, "note", {"to": to, "say": "decline"})
    to = f.put(0, "ruling", {"why": why})
    f.put(0, "note", {"to": to, "say": "withdraw"})
    to = f.put(0, "ruling", {"why": why})
    f.accept(1, to)
    f.accept(2, to)
    to = f.put(0, "ruling", {"result": 2, "why": why})
    f.accept(1, to)
    f.accept(2, to)
    f.close()


@case({"options": {"director": True}, "creator": 0})
def refused_game(f):
    """Who joined is refused; somebody else takes the seat."""
    f.create()
    f.join(1)
    to = f.join(2)
    f.put(0, "note", {"to": to, "say": "refuse", "why": f.text("no")})
    f.players[2] = {**f.players[2], "account": "another"}
    f.join(2)
    f.start()
    f.end_turn()
    f.close()
