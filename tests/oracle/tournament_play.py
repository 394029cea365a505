# SPDX-License-Identifier: ISC
"""Whole tournaments at random, with all that can happen in them.

play(name, ...) makes one of them with a Maker. What happens follows from the
name alone; every line is lawful.
"""

import random

from record_form import Bad
from record_parts import Side
from tournament import Tournament
from tournament_form import SWISS
from tournament_maker import DAY, HOUR, Maker, ed_public
from forge import dice_public, secret

ENDS = ("resign", "resign", "resign", "draw", "agreed", "stopped", "cancel")


class Player:
    """Plays a tournament to its end."""

    def __init__(self, name, calm=False, **settings):
        self.rng = random.Random("play %s" % name)
        # How often a game is not begun, not joined, not ended.
        self.left = settings.pop("left", 0.08)
        # Whether both at a table may leave, and claims come in any order:
        # by chance of their own, so that samples stay.
        self.leaves = settings.pop("leaves", False)
        self.more = random.Random("leave %s" % name)
        self.maker = settings.pop("maker", Maker)(name, **settings)
        self.calm = calm
        self.cup = self.maker.cup

    def chance(self, p):
        """Whether something happens."""
        return not self.calm and self.rng.random() < p

    def play(self, n):
        """Play with n entrants, until it is over."""
        maker = self.maker
        maker.begin()
        self.entries(n)
        self.check_in()
        self.to_the_end()
        if self.chance(0.3):
            maker.say(maker.director, "say", {"ref": maker.text("Thanks")})
        if self.chance(0.2):
            maker.tell("closed", {"why": maker.text("done")})
        return maker

    # Before the start.

    def entries(self, n):
        """Entries, and what comes with them."""
        maker, rng = self.maker, self.rng
        for _ in range(n):
            more = {}
            if self.chance(0.4):
                more["club"] = rng.choice(("vienna", "graz"))
            if self.chance(0.3):
                more["name"] = maker.text("Jérôme")
            account = None
            if not maker.entrants and maker.settings.get("plays"):
                account = "director"
            number = maker.enter(account, **more)
            needs = (maker.terms["entry"]["admit"] == "director"
                     or maker.terms["seed"] == "rating")
            if needs:
                maker.admit(number)
            if self.chance(0.1):
                maker.new_key(maker.entrants[number], rng.random() < 0.5)
            if self.chance(0.1):
                self.new_dice_key(number)
        if self.chance(0.2):
            maker.admit(rng.choice(list(maker.entrants)), "no")
        if self.chance(0.2):
            number = rng.choice(list(maker.entrants))
            maker.say(maker.entrants[number], "withdraw", {"from": 1})
        if self.chance(0.3):
            maker.say(maker.entrants[1], "say", {"ref": maker.text("Hi")})
        who = maker.director
        if self.chance(0.3):
            maker.later(8 * DAY)
            who = maker.entrants[1]
        maker.say(who, "shut", {})

    def new_dice_key(self, number):
        """An entrant has a new dice key."""
        maker = self.maker
        who = maker.entrants[number]
        who.dice = secret("%s dice %d" % (who.account, maker.seq()))
        maker.say(who, "dice-key", {"dice_key": dice_public(who.dice).hex()})

    def check_in(self):
        """Check-ins and lots."""
        maker, cup = self.maker, self.cup
        may = sorted(cup.may_check_in())
        self.rng.shuffle(may)
        if self.chance(0.15):
            for number in may[: len(may) // 2]:
                maker.check_in(number)
            maker.tell("restored", {"seq": maker.seq()})
        missing = may[-1:] if self.chance(0.3) and len(may) > 3 else []
        for number in may:
            if number not in missing:
                maker.check_in(number)
        if missing and self.chance(0.5):
            maker.check_in(missing[0])
            maker.say(maker.entrants[missing[0]], "withdraw", {"from": 1})
        elif missing:
            maker.later(3 * DAY)
        alone = maker.witness is not None and (
            self.chance(0.3) or maker.at > cup.start_from() + 20 * HOUR)
        if alone:
            maker.later(2 * DAY)
        maker.start(alone=alone)

    # Rounds.

    def to_the_end(self):
        """Play all rounds, if lots were drawn, and finish."""
        if self.cup.phase != "play":
            return
        self.rounds()
        if not all(rnd.done() for rnd in self.cup.rounds):
            self.round()  # paired at once, and then too few were left
        self.maker.finish()

    def rounds(self):
        """All rounds."""
        maker, cup = self.maker, self.cup
        while cup.next_round() <= cup.last_round():
            number = cup.next_round()
            if not cup.enough(number):
                return
            if not cup.terms["concurrent"]:
                maker.later(
                    cup.terms["gap_s"] * 1000 + HOUR)
            if self.chance(0.4):
                self.before_round(number)
            if not cup.enough(number):
                return
            who = maker.director
            if cup.terms["pair"] == "anybody":
                who = maker.people[self.rng.choice(sorted(maker.people))]
                if not cup.valid_keys(who.account):
                    who = maker.director
            try:
                cup.pairing(number)
            except Bad:
                if number > 1:
                    maker.say(maker.director, "stop", {
                        "round": number - 1, "why": maker.text("none")})
                else:
                    maker.later(cup.terms["ruling_s"] * 1000 + DAY)
                return
            if cup.stage_of(number) == "swiss" and self.chance(0.1):
                self.pair_by_hand(number)
            else:
                maker.pair(who)
                if cup.stage_of(number) == "swiss" and self.chance(0.1):
                    self.pair_by_hand(number)
            if cup.terms["concurrent"] and (
                cup.next_round() <= cup.last_round()
            ):
                continue
            self.round()
            if self.chance(0.05) and number < cup.last_round():
                maker.say(maker.director, "stop", {
                    "round": number, "why": maker.text("the hall burns")})

    def before_round(self, number):
        """What may happen between rounds."""
        maker, cup, rng = self.maker, self.cup, self.rng
        swiss = cup.terms["format"] in SWISS and (
            number <= cup.swiss_rounds)
        here = cup.is_in(number)
        what = rng.choice((
            "withdraw", "expel", "bye", "points", "back", "apart", "late",
            "key", "operator", "rules", "restored", "dice"))
        if len(here) < 4 and what in ("withdraw", "expel"):
            return
        pick = rng.choice(here)
        if what == "withdraw":
            maker.say(maker.entrants[pick], "withdraw", {"from": number})
        elif what == "expel":
            maker.rule("expel", {"entrant": pick, "from": number,
                                 "games": "forfeit"})
        elif what == "bye" and swiss and cup.terms["byes"]:
            taken = sum(cup.entrants[pick].byes.values())
            if taken < cup.terms["byes"] and len(here) > 3:
                maker.say(maker.entrants[pick], "bye",
                          {"round": number, "take": True})
        elif what == "points":
            maker.rule("points", {"entrant": pick,
                                  "half": rng.choice((-3, -1, 1, 2))})
        elif what == "back" and swiss:
            out = [n for n in sorted(cup.may_check_in())
                   if n not in here and n in maker.entrants]
            if out:
                maker.rule("back", {"entrant": out[0], "from": number},
                           maker.deputy)
        elif what == "apart" and swiss:
            maker.rule("apart", {
                "entrants": sorted(rng.sample(here, 2)), "from": number,
                "to": number + 1})
        elif what == "late" and swiss and (
            cup.late_is_open() and cup.old is None
        ):
            late = maker.enter()
            maker.admit(late)
        elif what == "key":
            maker.new_key(maker.entrants[pick], rng.random() < 0.5)
        elif what == "operator":
            self.operator_key(pick)
        elif what == "rules":
            maker.rule("rules", {"version": "lasalle2/1", "from": number})
        elif what == "restored":
            maker.tell("restored", {"seq": maker.seq()})
        elif what == "dice":
            self.new_dice_key(pick)

    def pair_by_hand(self, number):
        """A director pairs the round."""
        maker, cup, rng = self.maker, self.cup, self.rng
        here = cup.is_in(number)
        rng.shuffle(here)
        value = {"round": number, "tables": [
            here[i : i + 2] for i in range(0, len(here) - 1, 2)]}
        if len(here) % 2 and rng.random() < 0.7:
            value["bye"] = here[-1]
        if rng.random() < 0.2 and len(value["tables"]) > 1:
            value["tables"].pop()
        if number == len(cup.rounds) and rng.random() < 0.5:
            table = cup.rounds[-1].tables[0]
            maker.open_game(cup.rounds[-1], table, table.legs[0])
        maker.rule("pairs", value, maker.deputy)

    def operator_key(self, number):
        """The operator gives somebody a key, and a director accepts."""
        maker = self.maker
        who = maker.entrants[number]
        new = secret("%s operator %d%s" % (
            who.account, maker.seq(), maker.settings.get("server", "")))
        seq = maker.seq()
        maker.tell("operator-key", {
            "account": who.account, "key": ed_public(new),
            "why": maker.text("lost all")})
        maker.rule("accept", seq)
        who.ed = new
        who.by_operator = maker.seq() - 1

    def round(self):
        """Play all that is to play."""
        maker, cup = self.maker, self.cup
        for _ in range(12):
            todo = [
                (rnd, table, leg) for rnd in cup.rounds
                for table in rnd.tables for leg in table.legs
                if not leg.done()]
            if not todo:
                break
            waits = []
            for rnd, table, leg in todo:
                if not leg.done() and leg in table.legs:
                    waits += self.leg(rnd, table, leg)
            if cup.terms["concurrent"] and self.leaves:
                self.more.shuffle(waits)
            for rnd, table, leg in waits:
                if not leg.done() and leg in table.legs:
                    self.settle(rnd, table, leg)
            maker.later(HOUR)
        if self.chance(0.3):
            self.after_round(cup.rounds[-1])

    def leg(self, rnd, table, leg):
        """Play a leg, or leave it for a claim or a ruling."""
        maker = self.maker
        if leg.result == "?" or leg.game is not None:
            return [(rnd, table, leg)]
        if self.chance(self.left):
            if self.leaves and self.more.random() < 0.3:
                self.leave(table)
            return [(rnd, table, leg)]
        if self.chance(self.left):
            side = self.rng.choice((1, 2))
            maker.open_game(rnd, table, leg, side)
            return [(rnd, table, leg)]
        if self.chance(self.left):
            maker.play(rnd, table, leg, "running",
                       self.rng.choice((1, 2, 3)))
            return [(rnd, table, leg)]
        ends = ENDS if not self.calm else ENDS[:5]
        maker.play(rnd, table, leg, self.rng.choice(ends),
                   self.rng.choice((2, 2, 3)))
        if leg.result == "?":
            return [(rnd, table, leg)]
        if self.chance(0.05):
            maker.rule("replay", maker.place(rnd, table, leg))
            return [(rnd, table, leg)] if self.chance(0.5) else []
        return []

    def leave(self, table):
        """Both who were to meet leave, if enough stay."""
        cup = self.cup
        since = min(cup.next_round(), cup.last_round())
        here = cup.is_in(since)
        if (since < cup.next_round() and not cup.terms["concurrent"]) or (
            len(here) < 4 or not {table.a, table.b} <= set(here)
        ):
            return
        for number in (table.a, table.b):
            self.maker.say(self.maker.entrants[number], "withdraw",
                           {"from": since})

    def settle(self, rnd, table, leg):
        """A claim or a ruling."""
        maker, cup, rng = self.maker, self.cup, self.rng
        place = maker.place(rnd, table, leg)
        if self.chance(0.25):
            maker.rule("result", {
                **place,
                "value": rng.choice(("1", "2", "=", "+", "-", "--"))})
            return
        if leg.result == "?":
            maker.later(15 * DAY)
            maker.claim(maker.director, rnd, table, leg)
            return
        if self.chance(0.15):
            maker.rule("extend", {"round": rnd.number, "seconds": 86400})
        state = None
        if leg.game is not None:
            state = cup.track(leg.game).states[-1]
        if state is not None and state.begun:
            self.wait(cup.round_seconds() + leg.more_s)
            maker.claim(maker.director, rnd, table, leg)
            return
        self.wait(cup.terms["start_s"] + leg.more_s)
        who = maker.director
        if state is not None and len(state.come) == 1:
            side = next(iter(state.come))
            who = maker.entrants[table.entrant(side, leg)]
        maker.claim(who, rnd, table, leg)

    def wait(self, seconds):
        """Let a time of a leg pass, of which some days may not count."""
        if "clock" in self.cup.terms:
            seconds = seconds * 7 // 6 + 2 * 86400
        self.maker.later(seconds * 1000)

    def after_round(self, rnd):
        """A protest, and what becomes of it."""
        maker, rng = self.maker, self.rng
        by = rng.choice(sorted(maker.entrants))
        args = {"round": rnd.number, "why": maker.text("unfair")}
        if rnd.tables and rng.random() < 0.5:
            args["table"] = 1
        seq = maker.say(maker.entrants[by], "protest", args)
        if rng.random() < 0.3 and rnd.stage != "knockout" and rnd.tables:
            table = rnd.tables[0]
            maker.rule("result", {
                **maker.place(rnd, table, table.legs[0]), "value": "=",
                "bp": rng.randint(-50, 50)})
        if rng.random() < 0.6:
            maker.rule("answer", seq, maker.deputy)
        else:
            maker.later(3 * DAY)


def go_on(maker, number, keep_to):
    """Go on elsewhere with a tournament, from a line of it.

    Returns the new maker, or None where that line is not in play.
    """
    raw = maker.raw[: keep_to + 1]
    old = Tournament(Side([], 1), maker.shelf, old=maker.cup.old)
    for line in raw:
        old.take(line)
    if old.phase != "play" or old.halted:
        return None
    player = Player("on %s" % number, **{
        **maker.settings, "old": old,
        "server": "next to " + maker.settings.get("server", "server"),
        "later": 400 * DAY})
    new = player.maker
    new.people = maker.people
    new.director, new.deputy = maker.director, maker.deputy
    new.witness = maker.witness
    new.at = max(new.at, maker.at + DAY)
    signed = {who.account: (who.signed, who.by_operator)
              for who in new.people.values()}
    for who in new.people.values():
        who.go_elsewhere()
    terms = {name: value for name, value in maker.terms.items()
             if name not in ("director", "server_dice", "entry")}
    new.terms = {
        "event": terms["event"], "director": new.director.named(), **terms,
        "server_dice": dice_public(new.server_dice).hex(),
        "entry": {**maker.terms["entry"], "until": new.time(new.at + DAY)},
        "continues": {
            "tournament": old.id.hex(), "server": old.server_key,
            "seq": keep_to, "line": old.hashes[-1]},
    }
    if new.witness is not None and player.rng.random() < 0.5:
        # Nobody answers for dice any more but the players and the server.
        new.witness = None
        del new.terms["witness"], new.terms["options"]
    new.say(new.director, "create", new.terms)
    new.say(new.deputy, "deputy", new.deputy.named())
    for was, who in old.entrants.items():
        person = new.people[who.account]
        told_there, by_operator = signed[who.account]
        later = [told for seq, told in told_there if seq > keep_to]
        if by_operator > keep_to or (
            was == len(old.entrants) and len(old.entrants) > 3
        ) or old.number_of.get(who.account) != was:
            continue
        new.enter(person.account, was=was,
                  **({"statements": later} if later else {}))
    new.say(new.director, "shut", {})
    player.check_in()
    player.to_the_end()
    return new


def play(name, n, calm=False, **settings):
    """Play a tournament; return its maker."""
    return Player(name, calm, **settings).play(n)


def settings_of(seed, formats=("roundrobin", "knockout", "swiss",
                               "swiss+knockout")):
    """Settings of a tournament at random: (entrants, settings)."""
    rng = random.Random("settings %s" % seed)
    kind = rng.choice(formats)
    settings = {
        "format": kind,
        "mirror": rng.random() < 0.3,
        "bye": rng.choice(("win", "draw")),
        "late": rng.choice(("director", "draw", "lose", "points")),
        "admit": rng.choice(("open", "open", "director")),
        "seed": rng.choice(("lots", "lots", "rating")),
        "witness": rng.random() < 0.2,
        "plays": rng.random() < 0.3,  # the director does, too
        "leaves": True,
        "terms": {"lots": rng.random() < 0.3,
                  "out_after": rng.choice((1, 1, 2)),
                  "notice_s": rng.choice((0, 3600, 86400)),
                  "pair": rng.choice(("anybody", "director"))},
    }
    if settings["witness"]:
        settings["scheme"] = "live-1"
    if rng.random() < 0.2:
        settings["terms"]["clock"] = {
            "per": "side", "first_s": 864000, "then": "forfeit",
            "skip": ["sun"]}
    if kind == "roundrobin":
        settings["rounds"] = rng.choice((1, 1, 2))
        settings["terms"]["concurrent"] = rng.random() < 0.4
    elif kind == "knockout":
        settings["terms"]["third"] = rng.random() < 0.5
    if kind in SWISS:
        settings["rounds"] = rng.choice((2, 3, 4))
        settings["terms"]["byes"] = 1
        settings["terms"]["bye_points"] = rng.choice(("zero", "half"))
        settings["terms"]["apart"] = rng.choice((0, 0, 2))
        settings["late_entry"] = 2
    return rng.randint(3, 7), settings
