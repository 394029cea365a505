# SPDX-License-Identifier: ISC
"""Combats, secret choices and upkeep as a record tells them.

Combats is the part of Game (record_game.py) that takes the orders declare,
decide, commit, open and upkeep and runs the rules with what the lines hold:
umpire-record.7 S2, S5, S6.1, S8 and S10.
"""

import reading
from record_crypto import sha256, tag
from record_form import (
    Bad,
    compact,
    is_object,
    is_same,
    want,
)
from record_orders import read_order
from record_parts import Combat, NeedRoll, side_of
from record_rules import RecordTable, place_unit

MAX_SECRET = 1024


class Combats:
    """The lines of combats; Game has the rest."""

    def take_declare(self, line, order, seq):
        """Take a declared combat: facts, place, and its first steps."""
        declared = order["args"]["combat"]
        unit = place_unit(self.create["system"], declared)
        turn = self.turn_ends + 1
        k = 1 + self.combats_drawn.get((turn, unit), 0)
        self.combat = Combat(seq, turn, unit, k)
        beta = self.check_own(line, order, self.combat.place())
        want(self.game_turn >= self.truce, "a declaration in a truce")
        self.remember_undo(seq)
        if self.rules:
            self.combat.raw = self.book.facts(
                declared, self.side_in_turn(), line["events"]
            )
        if self.declare_waits(line):
            self.owe(line, order, seq, beta)
            want("dice" not in line, "dice before the answer")
            want("opened" not in line, "opened before the answer")
            want([event["e"] for event in line["events"]] == ["combat"],
                 "other events than the combat before the answer")
            if self.rules:
                self.check_combat_event(line["events"])
                self.combat.logged = 1
            return
        self.open_all(line)
        self.go_on(line, order, seq, beta)

    def declare_waits(self, line):
        """Tell whether a declaration waits before anything is asked."""
        if self.create.get("confirm", False):
            return True
        if not self.is_live():
            return False
        if not self.rules:
            return "owes" in line and len(line["events"]) == 1
        return self.run(None, asks=True)["status"] == "ask"

    def go_on(self, line, order, seq, beta, by=None):
        """Run the rules, or, in live-1, as far as the dice, and wait.

        by is the seat whose own contribution the dice hang on.
        """
        by = line["seat"] if by is None else by
        if self.rolls_wait() and self.live_owes(line):
            self.owe(line, order, seq, beta, by=by, rolls=True)
            want("dice" not in line, "dice before the answer")
            if self.rules:
                out = self.run(None)
                self.check_new_events(line["events"], out, seq)
                self.keep_acts(out)
            return
        want("owes" not in line, "an answer is owed where none is")
        self.step_combat(line, seq, order["place"], (beta,))

    def keep_acts(self, out):
        """Keep what standing orders have answered."""
        combat = self.combat
        combat.decisions = out["table"].decisions
        combat.told = len(combat.decisions)
        self.note_acts(out["acts"])

    # Decisions.

    def want_asked(self, line, args, seq, secret):
        """Want a question that is open to this seat; tell if it attacks."""
        combat = self.combat
        want(combat is not None and combat.state != "over",
             "a decision when none is owed")
        side = side_of(line["seat"])
        want(side, "the director decides nothing")
        attacks = side == self.side_in_turn()
        if combat.ask is None:
            want(combat.state == "unknown", "a decision when none is owed")
            want(combat.seq <= args["ask"] < seq, "ask names no line of it")
            combat.ask = {"seq": args["ask"], "side": None, "secret": secret}
        want(combat.ask["secret"] == secret,
             "an open question" if secret else "a secret question")
        if not secret:
            role = "attacker" if attacks else "defender"
            want(combat.ask["side"] in (role, None),
                 "the other side owes the decision")
        want(args["ask"] == combat.ask["seq"], "ask names another line")
        return attacks

    def take_decide(self, line, order, seq):
        """Take a decision on the open question."""
        args = order["args"]
        self.want_asked(line, args, seq, False)
        combat = self.combat
        beta = self.check_own(line, order, combat.place())
        kind = combat.ask.get("kind")
        combat.remember()
        combat.decisions.append(args["decision"])
        self.open_all(line)
        if self.decide_waits(line, kind):
            self.state_fact(line, order, seq, beta)
        else:
            self.go_on(line, order, seq, beta)

    def decide_waits(self, line, kind):
        """Tell whether a decision states a fact that is agreed to first."""
        if kind is not None or self.rolls_wait():
            return self.is_fact(kind)
        # Nothing is known of the question.
        return self.create.get("confirm") == "facts" and "owes" in line

    def state_fact(self, line, order, seq, beta):
        """Take a decision that waits: it tells of itself alone."""
        combat = self.combat
        self.owe(line, order, seq, beta, facts=True)
        for key in ("dice", "opened"):
            want(key not in line, "%s before the answer", key)
        events = line["events"]
        want(len(events) == 1 and events[0]["e"] == "decision",
             "other events than the decision before the answer")
        combat.ask = None
        if self.rules:
            out = self.run(None, asks=True)
            self.check_event(events[0], out["log"][combat.logged - 1])
            combat.logged += 1
            combat.told = len(combat.decisions)

    def live_owes(self, line):
        """Tell whether an order comes to a roll, which owes an answer."""
        if not self.rules:
            return "owes" in line
        rolls = self.run(None)["status"] == "roll"
        want(rolls == ("owes" in line), "owes is there or not, wrongly")
        return rolls

    # Secret choices (S8).

    def take_commit(self, line, order, seq):
        """Take a commitment to an answer of a secret question."""
        args = order["args"]
        combat = self.combat
        waits = combat.commits if combat is not None else {}
        last = self.last_but_commit if waits else self.last_state
        want(last <= order["after"], "the order is stale")
        attacks = self.want_asked(line, args, seq, True)
        side = side_of(line["seat"])
        want(side not in combat.commits, "a second commit of a side")
        value = (line["seat"], args["commit"])
        want(value not in self.commit_values, "a commitment repeated")
        self.commit_values.add(value)
        want(("own" in order) == attacks, "own is there or not, wrongly")
        mine = {"seat": line["seat"], "commit": args["commit"], "beta": None}
        if attacks:
            mine["beta"] = self.check_own(line, order, combat.place())
        else:
            self.check_place(order, combat.place())
        combat.commits[side] = mine
        is_held = self.create["secret"] == "held"
        if not is_held or len(combat.commits) < 2:
            self.want_nothing(line, "a commit")
            return
        want("opened" in line, "the choices are not opened")
        told = [(each["seat"], each) for each in line["opened"][:2]]
        seats = sorted(each["seat"] for each in combat.commits.values())
        want([seat for seat, _ in told] == seats,
             "opened is not for both seats, ascending")
        for seat, each in told:
            self.open_one(side_of(seat), each["salt"], each["text"])
        self.open_all(line, len(seats))
        self.step_opened(line, order, seq)

    @staticmethod
    def want_nothing(line, what):
        """Want a line that opens, draws and runs nothing."""
        for key in ("opened", "dice", "owes"):
            want(key not in line, "%s with %s", what, key)
        want(line["events"] == [], "%s with events", what)

    @staticmethod
    def check_place(order, place):
        """Check the place of an order that has no proof."""
        want(order["place"] == place, "the place is not %s", place)

    def take_open(self, line, order, seq):
        """Take the opening of a sealed choice."""
        args = order["args"]
        combat = self.combat
        want(self.create["secret"] == "sealed", "open in a game of held ones")
        attacks = self.want_asked(line, args, seq, True)
        side = side_of(line["seat"])
        want(len(combat.commits) == 2, "open before both commits")
        want(combat.commits[side]["seat"] == line["seat"],
             "another seat committed")
        want(side not in combat.opens, "opened already")
        if "own" in order:
            want(attacks, "own of the defender")
            beta = self.check_own(line, order, combat.place())
            combat.commits[side]["beta"] = beta
        else:
            self.check_place(order, combat.place())
        self.open_one(side, args["salt"], args["text"])
        if len(combat.opens) < 2:
            self.want_nothing(line, "the first open")
            if self.rules:
                role = "attacker" if attacks else "defender"
                self.run(None, (role, combat.opens[side]))
            return
        want(not self.waits_ready, "dice before all are ready")
        self.open_all(line)
        self.step_opened(line, order, seq)

    def open_one(self, side, salt, text):
        """Check one opened choice against its commitment."""
        commit = self.combat.commits[side]
        data = text.encode("utf-8")
        want(len(data) <= MAX_SECRET, "a choice of %d bytes", len(data))
        found = sha256(
            tag("secret/1"),
            self.game,
            bytes((commit["seat"],)),
            self.combat.ask["seq"].to_bytes(8, "big"),
            bytes.fromhex(salt),
            data,
        )
        want(found.hex() == commit["commit"], "the choice is another one")
        self.combat.opens[side] = read_order(text)

    def step_opened(self, line, order, seq):
        """Go on with both choices, the attacker's own making the dice."""
        combat = self.combat
        attacker = self.side_in_turn()
        mine = combat.commits[attacker]
        sides = (attacker, 3 - attacker)
        combat.decisions += [combat.opens[side] for side in sides]
        combat.commits, combat.opens = {}, {}
        self.go_on(line, order, seq, mine["beta"], mine["seat"])
        if self.owed is not None:
            self.owed["final"] = True

    # Running the rules.

    def run(self, fresh, opened=None, asks=False):
        """Run the combat from its start with what is known of it.

        fresh holds the rolls and draws of this line by label; without it the
        run stops at the first that no earlier line holds. opened is the
        first of two choices, (role, decision). Standing orders answer, but
        not where asks is true.
        """
        combat = self.combat
        asked = []

        def find(label, what):
            if label in combat.rolled:
                return combat.rolled[label]
            if fresh is None:
                raise NeedRoll
            want(label in fresh, "%s is asked and not recorded", label)
            want(what in fresh[label], "%s: no %s", label, what)
            if label not in asked:
                asked.append(label)
            return fresh[label]

        def roll(label, count, sides):
            found = find(label, "dice")
            want(
                found.get("sides") == sides and len(found["dice"]) == count,
                "%s: other dice are asked", label,
            )
            return found["dice"]

        def draw(label, ids, had):
            found = find(label, "chits")
            want(found.get("bag") == len(ids), "%s: another bag", label)
            want(len(had) < len(found["chits"]), "%s: too few", label)
            chits = sorted(ids, key=lambda chit: chit.encode())
            left = [chit for chit in chits if chit not in had]
            if label in self.ranks and label in (fresh or {}):
                chit = chits[self.ranks[label][len(had)]]
            else:
                chit = found["chits"][len(had)]
            want(chit == found["chits"][len(had)] and chit in left,
                 "%s: another chit is drawn", label)
            return chit

        table = RecordTable(roll, list(combat.decisions), "decision", draw)
        table.opened = opened
        acts = []
        if not asks:
            table.answer = lambda *question: self.answer_question(
                *question, acts
            )
        out = {"asked": asked, "table": table, "acts": acts}
        try:
            out["result"] = self.book.run(combat.raw, table)
            out["status"] = "result"
            want(table.used == len(table.decisions), "a decision left over")
        except reading.Pending:
            out["status"] = "ask"
        except NeedRoll:
            out["status"] = "roll"
        except reading.Refused as e:
            raise Bad("the decision is illegal: %s" % e) from None
        out["log"] = table.log
        return out

    def step_combat(self, line, seq, place, betas):
        """Let a combat go on: check its dice, then run the rules."""
        combat = self.combat
        rolls = line["dice"]["rolls"] if "dice" in line else []
        combat.commits = {}
        if "dice" in line:
            self.draw(line["dice"], place, betas)
            for roll in rolls:
                want(roll["label"] not in combat.labels,
                     "a label twice in a combat")
                combat.labels.add(roll["label"])
            combat.drawn_lines += 1
            if combat.drawn_lines == 1:
                key = (combat.turn, combat.unit)
                self.combats_drawn[key] = self.combats_drawn.get(key, 0) + 1
        if not self.rules:
            self.guess_combat(line, seq)
            self.note_open_question()
            return
        out = self.run({roll["label"]: roll for roll in rolls})
        want(
            out["asked"] == [roll["label"] for roll in rolls],
            "rolls %s are recorded, %s are asked",
            [roll["label"] for roll in rolls],
            out["asked"],
        )
        for roll in rolls:
            if "chits" in roll:
                had = out["table"].drawn[roll["label"]]
                want(had == roll["chits"], "%s: too many", roll["label"])
            combat.rolled[roll["label"]] = roll
        self.check_new_events(line["events"], out, seq)
        self.keep_acts(out)
        if out["status"] == "result":
            combat.state = "over"
            combat.ask = None
            self.book.write_back(out["result"], combat.raw)

    def guess_combat(self, line, seq):
        """Without rules the events say whether the combat is open.

        A question that the line answers itself is one for a standing order.
        """
        for ask, event in zip(line["events"], line["events"][1:]):
            if (ask["e"], event["e"]) == ("ask", "decision"):
                mine = self.side_in_turn()
                side = mine if ask.get("side") == "attacker" else 3 - mine
                want(self.standing_for(side, ask.get("kind")) is not None,
                     "a decision that nobody has given")
        last, before = {}, {}
        if line["events"]:
            before, last = ([{}] + line["events"])[-2:]
        self.combat.state = "unknown"
        self.combat.ask = None
        if last.get("e") == "ask":
            self.combat.state = "open"
            self.combat.ask = {
                "side": last.get("side"),
                "kind": last.get("kind"),
                "options": last.get("options"),
                "seq": seq,
                "secret": before.get("e") == "ask",
            }
        elif last.get("e") == "result":
            self.combat.state = "over"

    # Events.

    def check_combat_event(self, events):
        """The first event holds the facts complete, the roster merged in."""
        want(events and events[0]["e"] == "combat", "no combat event first")
        self.book.check_event(events[0], self.combat.raw)

    def check_new_events(self, events, out, seq):
        """Compare the events that the line adds with the run's log.

        The log of the oracle lacks the combat event and the scores and
        changes, and does not repeat a question that an earlier line asked.
        """
        combat = self.combat
        held = [e for e in events if e["e"] not in ("score", "change")]
        if combat.logged == 0:
            self.check_combat_event(events)
            held = held[1:]
            combat.logged = 1
        log = out["log"][combat.logged - 1 :]
        want(
            len(held) == len(log),
            "events %s, the rules give %s",
            [e["e"] for e in held],
            [e["e"] for e in log],
        )
        for have, need in zip(held, log):
            self.check_event(have, need)
        asks = []  # that stay open
        if out["status"] == "ask":
            asks = [e for e in log[-2:] if e["e"] == "ask"]
        last = asks or log[-1:]
        if out["status"] in ("ask", "result"):
            count = len(last)
            want(count and events[-count:] == held[-count:],
                 "%s is not the last event", out["status"])
        combat.logged += sum(e["e"] != "ask" for e in log)
        combat.ask = None
        if asks:
            combat.ask = {
                "side": asks[0]["side"],
                "kind": asks[0]["kind"],
                "options": asks[0]["options"],
                "seq": seq,
                "secret": len(asks) > 1,
            }

    def check_event(self, have, need):
        """Compare one event with one step of the oracle's log."""
        want(have["e"] == need["e"], "event %s, the rules give %s",
             have["e"], need["e"])
        if need["e"] == "ask":
            for key in ("side", "kind"):
                want(have.get(key) == need[key], "ask: %s is wrong", key)
            want(is_object(have.get("options")), "ask without options")
            want(
                is_same(
                    reading.plain_options(have["options"]),
                    reading.plain_options(need["options"]),
                ),
                "ask: options are wrong",
            )
            want(set(have) == {"e", "side", "kind", "options"},
                 "ask has other members")
            return
        want(is_same(have, need), "the %s event differs: %s",
             need["e"], compact(need))

    # Upkeep orders (S5, S6.1).

    def take_upkeep(self, line, order, seq):
        """Take an upkeep order, with dice or without."""
        args = order["args"]
        turn = self.turn_ends + 1
        key = (turn, args["unit"])
        place = "u/%d/%s/%d" % (key + (1 + self.upkeeps.get(key, 0),))
        beta = self.check_own(line, order, place)
        want(self.create["system"] != "lasalle2", "lasalle2 has no upkeep")
        self.remember_undo(seq)
        need = None
        if self.rules:
            need = self.book.upkeep(side_of(line["seat"]), args)
        if self.rolls_wait():
            if need is not None:
                want(bool(need) == ("owes" in line),
                     "owes is there or not, wrongly")
            want("dice" not in line, "dice before the answer")
            if "owes" in line:
                want(line["events"] == [], "events before the dice")
                self.owe(line, order, seq, beta, upkeep=args, rolls=True)
                return
        want("owes" not in line, "an answer is owed in dual-1")
        self.do_upkeep(line, args, place, (beta,), need)

    def do_upkeep(self, line, args, place, betas, need):
        """Carry out an upkeep order with the dice of the line."""
        rolls = []
        if "dice" in line:
            self.draw(line["dice"], place, betas)
            rolls = line["dice"]["rolls"]
            key = (self.turn_ends + 1, args["unit"])
            self.upkeeps[key] = self.upkeeps.get(key, 0) + 1
        if self.rules:
            self.check_upkeep(line, args, rolls, need)

    def check_upkeep(self, line, args, rolls, need):
        """Hold an upkeep order against the rules, as far as they are known."""
        if need is not None:
            have = [
                (roll["label"], len(roll.get("dice", ())), roll.get("sides"))
                for roll in rolls
            ]
            want(have == need, "rolls %s are recorded, %s are asked",
                 have, need)
        told = [{"e": "roll", **roll} for roll in rolls]
        event = self.book.do_upkeep(args, rolls)
        if event is None:
            want(is_same(line["events"][: len(told)], told),
                 "the events tell other rolls")
            return
        want(is_same(line["events"], told + [event]),
             "the events differ: %s", compact(told + [event]))
