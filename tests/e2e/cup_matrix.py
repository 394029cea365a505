# SPDX-License-Identifier: ISC
"""Every kind of order, by everybody, in every state of a tournament.

STATES has, for each state, a row for each kind and those of whom the same
holds: the words with which it is refused, or "-" where it is lawful there and
not tried.  A kind or a person that a state does not name is a failure.
"""

import re

from tournament import DAY, HOUR, ZERO, Clock, Cup, Person, name_of, tell, \
    text_of

# Who: the director, a deputy who has come, an entrant who is in, an entrant
# who was not admitted, and somebody who has no part in it.
WHO = {"D": "dina", "d": "dora", "E": "anna", "n": "nora", "s": "otto"}
KINDS = ("deputy enter admit withdraw bye dice-key shut checkin start pair "
         "claim protest ruling stop finish say").split()

STATES = {
    "entries": """
        deputy    DEns  the terms name no deputy "[a-z]+"
        deputy    d     they direct here already
        enter     En    they have entered, as number [15]$
        enter     Dds   -
        admit     Dd    -
        admit     En    only a director does: dina, or a deputy who has come
        withdraw  Dd    only an entrant does, for themselves
        withdraw  En    before the start one withdraws from round 1 on
        bye       Dd    only an entrant does, for themselves
        bye       En    round that is still to be paired: 1 to 2$
        dice-key  Dd    only an entrant does, for themselves
        dice-key  En    the dice key is, or was, another's here
        shut      Dd    -
        shut      En    only a director ends the entries, until 20..-
        checkin   DdEn  between the end of entries and the lots; entries are
        start     DdEn  once entries have ended; entries are open: enter, .*shut
        pair      DdEn  once lots are drawn; entries are open: enter, .*shut
        claim     DdEn  once its round is paired; entries are open
        protest   DdEn  about a round that is paired; entries are open
        ruling    Dd    of a witness or a key alone; admit and shut need none
        ruling    En    only a director does: dina
        stop      Dd    only what is in play is stopped; entries are open
        stop      En    only a director does: dina
        finish    DdEn  once its rounds are over; entries are open
        say       DdEn  -
        *         s     has no part in this tournament: it may enter$
    """,
    "check-in": """
        deputy    DEns  the terms name no deputy
        deputy    d     they direct here already
        enter     *     entries have ended, and the terms have no late ones
        admit     Dd    who was not admitted before does not play
        admit     En    only a director does: dina
        withdraw  Dd    only an entrant does, for themselves
        withdraw  En    before the start one withdraws from round 1 on
        bye       Dd    only an entrant does, for themselves
        bye       En    round that is still to be paired: 1 to 2$
        dice-key  Dd    only an entrant does, for themselves
        dice-key  En    between the end of entries and the start no dice key
        shut      DdEn  this was done already; check-in runs: checkin, or start
        checkin   Dd    only an entrant checks in
        checkin   E     they have checked in: lots are drawn once all have
        checkin   n     only who is admitted and has not withdrawn checks in
        start     DdEn  lots wait for those who have not checked in, until 20
        pair      DdEn  once lots are drawn; check-in runs: checkin, or start
        claim     DdEn  once its round is paired; check-in runs
        protest   DdEn  about a round that is paired; check-in runs
        ruling    Dd    of a witness or a key alone
        ruling    En    only a director does: dina
        stop      Dd    only what is in play is stopped; check-in runs
        stop      En    only a director does: dina
        finish    DdEn  once its rounds are over; check-in runs
        say       DdEn  -
        *         s     has no part in this tournament: entries have ended$
    """,
    "lots": """
        pair      DdEn  round 1 is the next
        claim     DdEn  no round is paired
        protest   Dd    only an entrant does; a director rules
        protest   En    about a round that is paired, and none is
        withdraw  E     round 2 is the last
        withdraw  n     round 2 is the last
        bye       En    round that is still to be paired: 1 to 2$
        ruling    Dd    no round is paired
        stop      Dd    the last round can be one from 1 to 2$
        finish    DdEn  round 1 of 2 is to be paired first
    """,
    "paired": """
        pair      DdEn  round 1 is not complete: each table needs its result
        claim     DdEn  no time of this table is over, until 20
        protest   Dd    only an entrant does; a director rules
        protest   En    there are tables 1 to 2 in that round
        withdraw  E     round 1 is paired already: 2 is the next
        withdraw  n     round 1 is paired already: 2 is the next
        bye       En    round that is still to be paired: 2 to 2$
        ruling    Dd    round 9 is not paired: rounds 1 to 1 are
        stop      Dd    the last round can be one from 1 to 2$
        finish    DdEn  round 1 is not complete: each table needs its result
    """,
    "noticed": """
        claim     DdEn  line \\d+ is a notice that stands: a claim names it
    """,
    "noticed, claimed early": """
        claim     DdEn  the notice has not stood for its time, until 20
    """,
    "round over": """
        pair      DdEn  there is time to protest, .* and to withdraw, until 20
        claim     DdEn  it has its result: only a director can rule another
        protest   n     there are tables 1 to 2 in that round
        protest   E     in this round, in line \\d+
        finish    DdEn  round 2 of 2 is to be paired first
    """,
    "protested": """
        pair      DdEn  a protest waits for a director's answer
        finish    DdEn  round 2 of 2 is to be paired first
    """,
    "last round over": """
        pair      DdEn  round 2 is the last: after it comes finish
        protest   En    round 2 was paired last: one protests about it
        withdraw  En    round 2 is the last
        bye       En    no round of it is still to be paired
        ruling    Dd    round 9 is not paired: rounds 1 to 2 are
        stop      Dd    the last round can be one from 2 to 2$
        finish    DdEn  there is time to look at it, until 20
    """,
    "stopped": """
        pair      DdEn  round 1 is the last: after it comes finish
        protest   En    there are tables 1 to 2 in that round
        withdraw  En    round 1 is the last
        bye       En    no round of it is still to be paired
        ruling    Dd    round 9 is not paired: rounds 1 to 1 are
        stop      Dd    the last round can be one from 1 to 1$
        finish    DdEn  there is time to look at it, until 20
    """,
    "over": """
        admit     En    only a director does: dina
        ruling    En    only a director does: dina
        stop      En    only a director does: dina
        shut      DdEn  this was done already; it is over: only say is left
        start     DdEn  this was done already; it is over: only say is left
        finish    DdEn  this was done already; it is over: only say is left
        say       DdEn  -
        deputy    s     it is over: only say is left
        enter     s     it is over: only say is left
        *         s     has no part in this tournament, and it is over
        *         DdEn  it is over: only say is left
    """,
}
# Each form of a ruling in a round that is being played, with what is wrong.
FORMS = (
    ({"result": {"round": 1, "table": 1, "leg": 1, "value": "?"}},
     "must be one of 1, 2, =, [+], -, --"),
    ({"result": {"round": 1, "table": 3, "leg": 1, "value": "="}},
     "there are tables 1 to 2 in that round"),
    ({"replay": {"round": 1, "table": 1, "leg": 2}}, "no leg 2 at that table"),
    ({"extend": {"round": 2, "seconds": 3600}}, "rounds 1 to 1 are"),
    ({"extend": {"round": 1, "table": 3, "seconds": 3600}},
     "there are tables 1 to 2 in that round"),
    ({"points": {"entrant": 1, "half": 0}}, "must not be 0"),
    ({"points": {"entrant": 99, "half": 1}}, "nobody has the number 99"),
    ({"expel": {"entrant": 1, "from": 1, "games": "stand"}},
     "round 1 is paired already: 2 is the next"),
    ({"back": {"entrant": 1, "from": 2}}, "they are in"),
    ({"back": {"entrant": 5, "from": 2}}, "they were never admitted"),
    ({"apart": {"entrants": [1, 2], "from": 1, "to": 2}},
     "only in rounds of a Swiss that are still to be paired"),
    ({"pairs": {"round": 3, "tables": [[1, 2]]}},
     "the round of a Swiss that was paired last, or the next"),
    ({"pairs": {"round": 1, "tables": [[1, 2], [1, 3]]}},
     "those named must be in, and named once"),
    ({"rules": {"version": "lasalle2/1", "from": 1}}, "round 1 is paired"),
    ({"answer": 1}, "not the line of a protest"),
    ({"accept": 1}, "not the line of an operator-key that waits"),
    ({}, "a ruling has exactly one form"),
    ({"answer": 1, "accept": 1}, "a ruling has exactly one form"),
)

# What holds in every state of play, but for what it says itself.
PLAY = """
        deputy    DEns  the terms name no deputy
        deputy    d     they direct here already
        enter     *     entries have ended, and the terms have no late ones
        admit     Dd    who was not admitted before does not play
        admit     En    only a director does: dina
        withdraw  Dd    only an entrant does, for themselves
        bye       Dd    only an entrant does, for themselves
        dice-key  Dd    only an entrant does, for themselves
        dice-key  En    the dice key is, or was, another's here
        checkin   DdEn  the end of entries and the lots; it is in play: pair,
        shut      DdEn  this was done already; it is in play: pair, play, claim
        start     DdEn  this was done already; it is in play: pair, play, claim
        claim     DdEn  it has its result: only a director can rule another
        protest   Dd    only an entrant does; a director rules
        ruling    En    only a director does: dina
        stop      En    only a director does: dina
        say       DdEn  -
        *         s     has no part in this tournament: entries have ended$
"""


class Matrix:
    """The people, a tournament, and what they try."""

    def __init__(self):
        self.clock = Clock()
        self.people = {n: Person(n, self.clock) for n in (
            "dina", "dora", "anna", "bert", "carl", "emma", "nora", "otto",
            "club")}
        self.cup = None
        self.tried = 0

    def open(self):
        """A tournament of four, a deputy, and one who is not admitted."""
        p = self.people
        self.cup = cup = Cup(
            self.clock, p["dina"], rounds=2, deputies=["dora"], gap_s=3600,
            review_s=3600, protest_s=172800, notice_s=3600, byes=1,
            round_s=864000)
        cup.terms["entry"]["admit"] = "director"
        cup.create()
        for name in ("anna", "bert", "carl", "emma", "nora"):
            cup.enter(p[name])
        for n in range(1, 5):
            cup.must(p["dina"], "admit", {"entrant": n, "say": "yes"})
        cup.must(p["dora"], "deputy", p["dora"].named())

    def give(self, who, kind, at):
        """Somebody gives an order, with what is wrong in that state."""
        ref, texts = text_of("because")
        args = {
            "deputy": who.named(),
            "enter": {"dice_key": who.keys["dice"], **who.named()},
            "admit": {"entrant": 5, "say": "yes"},
            "withdraw": {"from": at.get("from", 2)},
            "bye": {"round": at.get("bye", 9), "take": True},
            "dice-key": {"dice_key": self.people["bert"].keys["dice"]},
            "pair": {"round": at.get("pair", 1)},
            "claim": at.get("claim", {"round": 1, "table": 1, "leg": 1}),
            "protest": {"round": 1, **at.get("protest", {"table": 9}),
                        "why": ref},
            "ruling": {"why": ref, "result": {
                "round": 9, "table": 1, "leg": 1, "value": "="}},
            "stop": {"round": 9, "why": ref},
            "say": {"ref": ref},
        }.get(kind, {})
        words = kind in ("protest", "ruling", "stop", "say")
        if self.cup.pool is None:
            self.cup.pool = ZERO
        return self.cup.give(who, kind, args, texts=texts if words else None,
                             place="c/0" if kind == "checkin" else None)

    def rows(self, state, play):
        """What is expected: (kind, who) to words, the first row counts."""
        found = {}
        for row in (STATES[state] + (PLAY if play else "")).split("\n"):
            if not row.strip():
                continue
            kinds, who, words = row.split(None, 2)
            for kind in KINDS if kinds == "*" else [kinds]:
                for one in WHO if who == "*" else who:
                    found.setdefault((kind, one), words.strip())
        return found

    def all(self, state, play=True, kinds=KINDS, **at):
        """Everybody tries every kind."""
        expected = self.rows(state, play)
        self.cup.look()
        was = self.cup.seq
        for kind in kinds:
            bad = []
            for one, name in WHO.items():
                words = expected.get((kind, one))
                if words == "-":
                    continue
                reply = self.give(self.people[name], kind, at)
                self.tried += 1
                said = reply.get("error", {}).get("message", "")
                said = said or str(reply.get("error", {}))
                if (words is None or not re.search(words, said)
                        or name_of(reply) not in ("illegal", "stale")):
                    bad.append((name, words, reply))
            tell(not bad, "%s, %s: refused, and why" % (state, kind), bad)
        self.cup.look()
        tell(self.cup.seq == was, "%s: what is refused leaves no line" % state,
             (was, self.cup.seq))

    def rulings(self):
        """Directors rule what cannot be ruled, in each form."""
        for one in "Dd":
            bad = []
            for form, words in FORMS:
                why, texts = text_of("because")
                reply = self.cup.give(self.people[WHO[one]], "ruling", {
                    "why": why, **form}, texts=texts)
                self.tried += 1
                said = reply.get("error", {}).get("message", "")
                if not re.search(words, said) or name_of(reply) != "illegal":
                    bad.append((form, words, reply))
            tell(not bad, "%s: no form of a ruling is taken where it says "
                 "nothing" % WHO[one], bad)

    def played(self, rnd):
        """All tables of a round are played."""
        self.cup.show()
        for t in self.cup.view["pairings"][rnd - 1]["tables"]:
            game = self.cup.game(rnd, t["table"])
            self.cup.turns(game)
            self.cup.resign(game, 2)
        self.cup.show()


def case_whole(m):
    """From entries to the end."""
    p, hour = m.people, HOUR
    m.open()
    m.all("entries", play=False)
    m.cup.must(p["dina"], "shut")
    m.cup.must(p["anna"], "checkin", place="c/0")
    m.all("check-in", play=False)
    for name in ("bert", "carl", "emma"):
        m.cup.must(p[name], "checkin", place="c/0")
    m.cup.must(p["dina"], "start")
    m.all("lots", **{"pair": 2, "from": 3})
    m.cup.must(p["dina"], "pair", {"round": 1})
    m.all("paired", **{"pair": 2, "from": 1})
    m.rulings()
    m.clock.later(hour)
    line = m.cup.must(p["anna"], "claim", {"round": 1, "table": 1, "leg": 1})
    m.all("noticed", kinds=["claim"])
    m.all("noticed, claimed early", kinds=["claim"],
          claim={"to": line["seq"]})
    m.played(1)
    ref, texts = text_of("somebody moved the hills")
    line = m.cup.must(p["anna"], "protest", {"round": 1, "why": ref},
                      texts=texts)
    m.all("round over", kinds=["pair", "claim", "finish"], pair=2)
    m.clock.later(hour)
    m.all("protested", kinds=["pair", "finish"], pair=2)
    ref, texts = text_of("they did not")
    answer = {"why": ref, "answer": line["seq"]}
    m.cup.must(p["dora"], "ruling", answer, texts=texts)
    reply = m.cup.give(p["dina"], "ruling", answer, texts=texts)
    tell("has answered it" in str(reply), "a protest is answered once", reply)
    m.clock.later(hour)
    m.cup.must(p["dina"], "pair", {"round": 2})
    m.played(2)
    m.all("last round over", **{"pair": 3, "from": 3})
    m.clock.later(hour)
    m.cup.must(p["anna"], "finish")
    m.all("over", play=False, protest={})


def case_stopped(m):
    """One that is stopped in its first round."""
    p = m.people
    m.open()
    m.cup.must(p["dina"], "shut")
    for name in ("anna", "bert", "carl", "emma"):
        m.cup.must(p[name], "checkin", place="c/0")
    m.cup.must(p["dina"], "start")
    m.cup.must(p["dina"], "pair", {"round": 1})
    ref, texts = text_of("the hall is closed")
    m.cup.must(p["dora"], "stop", {"round": 1, "why": ref}, texts=texts)
    m.played(1)
    m.clock.later(HOUR // 2)
    m.all("stopped", **{"pair": 2, "from": 2})
    m.clock.later(DAY)
    m.cup.must(p["anna"], "finish")
    m.all("over", play=False, protest={})


def case_witness(m):
    """Lots that are a witness's for a day."""
    p = m.people
    club = p["club"]
    cup = m.cup = Cup(
        m.clock, p["dina"], rounds=1, scheme="live-1", confirm=True, witness={
            **club.named(), "dice_key": club.keys["dice"]},
        options={"witness": club.keys["sign"], "witness_s": 25920})
    cup.create()
    for name in ("anna", "bert"):
        cup.enter(p[name])
    cup.must(p["dina"], "shut")
    for name in ("anna", "bert"):
        cup.must(p[name], "checkin", place="c/0")
    for who, kind, words in (
            ("dina", "start", "the witness alone draws the lots, until 20"),
            ("anna", "start", "the witness alone draws the lots, until 20"),
            ("club", "start", "the witness adds a proof of theirs"),
            ("club", "checkin", "only an entrant checks in"),
            ("club", "enter", "entries have ended"),
            ("club", "ruling", "only a director does: dina"),
            ("club", "withdraw", "only an entrant does, for themselves")):
        reply = m.give(p[who], kind, {})
        tell(re.search(words, str(reply)) and name_of(reply) == "illegal",
             "with a witness, %s by %s: refused, and why" % (kind, who), reply)
    m.clock.later(DAY)
    m.cup.must(p["anna"], "start")


MATRIX = Matrix()
case_whole(MATRIX)
case_stopped(MATRIX)
case_witness(MATRIX)
tell(MATRIX.tried > 600, "every state was tried", MATRIX.tried)
