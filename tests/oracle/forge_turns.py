# SPDX-License-Identifier: ISC
"""A forge of games by turns: answers, offers, clocks, cups, standing orders.

Where Forge plays at random, Turns does what a case tells it, step by step,
and keeps what the honest record would need: places, pools, what is owed, open
and taken back. A case can change the next order before it is signed
(next_order()) and the next line before it is marked (next_line()).
"""

import copy

import record_crypto as crypto
import record_form as form
from forge import Forge, NotHere, dice_public, ed_expand, secret
from forge_secret import DEFAULTS as ROSTER_DEFAULTS
from forge_secret import SecretForge, commitment, small_bag
from record_answers import FACTS
from record_parts import WITNESS
from record_standing import POLICIES, answer_of

START = 1793984461042  # 2026-11-06, a Friday, 15:01:01.042
MEMBERS = [m[0] for m in form.LINES["order"]]


class Turns:
    """What a game by turns has; mixed into Forge and SecretForge."""

    def __init__(self, seed, events, settings=None):
        super().__init__(seed, events, settings)
        self.at = START
        self.step_ms = 1000
        self.game_turn = 1
        self.turn_lines = []
        self.undo = {}
        self.owed = None
        self.objected = {}
        self.standings = []
        self.cups = {}
        self.hook_order = self.hook_line = self.hook_whole = None
        self.hook_text = self.hook_server = None
        self.skew = {}  # seat -> how far ahead its clock is, in ms
        self.options = self.settings.get("options", {})
        seats = list(range(1, self.options.get("seats", 2) + 1))
        if self.options.get("director"):
            seats.insert(0, 0)
        self.witness = self.settings.get("witness", False)
        if self.witness:
            seats.append(WITNESS)
        self.all_seats = seats
        self.started = self.due = False
        self.waiting = {}  # dice keys, by seat
        self.newcomers = {}
        for seat in seats:
            self.statements.setdefault(seat, [])
            self.players.setdefault(seat, {
                "ed": secret("player %d" % seat),
                "dice": secret("dice %d" % seat),
                "account": "player-%d" % seat,
            })
        if self.witness:
            self.settings = copy.deepcopy(self.settings)
            self.settings.setdefault("options", {})["witness"] = (
                self.public(WITNESS))

    # Writing.

    def next_order(self, change):
        """Let a function change the next order before it is signed."""
        self.hook_order = change

    def next_line(self, change):
        """Let a function change the next line before it is marked."""
        self.hook_line = change

    def next_whole(self, change):
        """Likewise with all of the line that stands before the mark."""
        self.hook_whole = change

    def next_text(self, change):
        """Let a function give another text of the next order."""
        self.hook_text = change

    def next_server(self, seed):
        """Let the next line be marked with another key."""
        self.hook_server = seed

    def stage(self, name, kind, value):
        """Let the case change what is being made."""
        if name == "order" and self.settings.get("now"):
            ahead = self.skew.get(value.get("seat"), 0)
            value["now"] = self.time_text(self.at + self.step_ms + ahead)
        if name == "order" and self.hook_order is not None:
            change, self.hook_order = self.hook_order, None
            change(value)
        if name == "order text" and self.hook_text is not None:
            change, self.hook_text = self.hook_text, None
            return change(value)
        if name == "line" and self.hook_whole is not None:
            change, self.hook_whole = self.hook_whole, None
            change(value)
        if name == "server" and self.hook_server is not None:
            value, self.hook_server = self.hook_server, None
        return value

    def time(self):
        """The time of the next line: a second later, or what was set."""
        self.at += self.step_ms
        self.step_ms = 1000
        return self.time_text()

    def wait(self, ms):
        """Let the next line come so much later than the last."""
        self.step_ms = ms

    def write(self, kind, members):
        """Complete, mark and append a line."""
        if kind == "order":
            members = {
                k: members[k] for k in sorted(members, key=MEMBERS.index)
            }
            if self.hook_line is not None:
                change, self.hook_line = self.hook_line, None
                members = copy.deepcopy(members)
                change(members)
                members = {
                    k: members[k] for k in sorted(members, key=MEMBERS.index)
                }
        Forge.write(self, kind, members)

    def order(self, seat, kind, args, place=None, after=None, **more):
        """Sign an order that saw everything."""
        if after is None and kind != "create":
            after = self.seq() - 1
        return super().order(
            seat, kind, copy.deepcopy(args), place, after, **more
        )

    def put(self, seat, kind, args=None, place=None, **more):
        """Write the line of an order that draws nothing; return its seq."""
        line = self.order(seat, kind, args or {}, place)
        seq = self.seq()
        self.write("order", {"events": [], **line, **more})
        return seq

    # Muster.

    def begin(self):
        """Create, join and ready, all of them."""
        self.create()
        for seat in self.all_seats:
            if seat != self.settings.get("creator", 1):
                self.join(seat)
        self.start()

    def create(self):
        """Write the create order."""
        seat = self.settings.get("creator", 1)
        args = {
            **self.seat_args(seat),
            "system": self.system,
            "rules": self.system + "/1",
            "rulings": self.rulings,
            "tables": [self.blob(table) for table in self.tables()],
            "roster": self.roster_blob(self.units),
            "scheme": self.scheme,
            "server_dice": dice_public(self.server_dice).hex(),
            "secret": self.settings.get("secret", "held"),
            "silence": self.settings.get("silence", "forfeit"),
        }
        for name in ("confirm", "clock", "options"):
            if name in self.settings:
                args[name] = self.settings[name]
        self.write("order", {**self.order(seat, "create", args),
                             "events": []})

    def roster_blob(self, units):
        """Keep the blob of rosters; return its hash."""
        sides = {str(s): {"units": units[s]} for s in (1, 2)}
        return self.blob(
            {"blob": "roster", "system": self.system, "sides": sides}
        )

    def join(self, seat, **more):
        """Write a join."""
        return self.put(seat, "join", {**self.seat_args(seat), **more})

    def start(self):
        """All send ready."""
        self.fill_pool()
        self.all_ready()

    def fill_pool(self):
        """Make pool_0 of all seats."""
        keys = b"".join(
            bytes((s,)) + dice_public(self.players[s]["dice"])
            for s in self.all_seats
        )
        self.pool = crypto.sha256(
            crypto.tag("start/1"),
            self.game,
            bytes((1 if self.scheme == "dual-1" else 2,)),
            dice_public(self.server_dice),
            bytes((len(self.all_seats),)),
            keys,
        )

    def send_ready(self, seat):
        """Send ready; the last one moves the pool."""
        place = "p/%d" % self.epoch
        line = self.order(seat, "ready", {}, place)
        self.readies[seat] = self.own(seat, place)[1]
        if set(self.readies) == set(self.round_seats()):
            betas = b"".join(self.readies[s] for s in sorted(self.readies))
            self.move(crypto.sha256(crypto.tag("pool/1"), self.pool, betas))
            line["pool"] = self.pool.hex()
            self.readies = {}
            self.started, self.due = True, False
        self.write("order", {**line, "events": []})

    # Turns and taking back.

    def side(self):
        """The side in turn."""
        return 2 - self.game_turn % 2

    def remember(self):
        """Keep what stands before a line that may be taken back."""
        self.undo[self.seq()] = copy.deepcopy((
            self.roster, self.gone, self.kept(), self.game_turn,
            self.turn_lines, (self.acted, self.passed),
        ))

    def kept(self):
        """What a game of this system keeps beside the rosters."""
        return ()

    def keep(self, kept):
        """Put back what kept() gave."""

    def move_by(self, seat, kind, args):
        """Write an order whose own contribution moves the pool."""
        place = "p/%d" % self.epoch
        line = self.order(seat, kind, args, place)
        beta = self.own(seat, place)[1]
        self.move(crypto.sha256(crypto.tag("pool/1"), self.pool, beta))
        line["pool"] = self.pool.hex()
        return line

    def end_turn(self, seat=None):
        """Give the turn to the other side."""
        seq = self.seq()
        self.remember()
        seat = self.side() if seat is None else seat
        line = self.move_by(seat, "turn.end", {})
        for number in sorted(self.waiting):
            self.rekey(number, self.waiting[number])
            line["pool"] = self.pool.hex()
        self.waiting = {}
        events = self.hand_over()
        self.turn += 1
        self.game_turn += 1
        self.turn_lines.append(seq)
        self.write("order", {**line, "events": events})
        return seq

    def accept(self, seat, to):
        """Accept what moves no pool."""
        return self.put(seat, "accept", {"to": to})

    def accept_back(self, seat, to, since):
        """Accept a takeback, or the last time a ruling that is one."""
        line = self.move_by(seat, "accept", {"to": to})
        (self.roster, self.gone, kept, self.game_turn, self.turn_lines,
         (self.acted, self.passed)) = copy.deepcopy(self.undo[since])
        self.keep(kept)
        self.combat = None
        self.undo = {s: x for s, x in self.undo.items() if s < since}
        for cup in self.cups.values():
            cup["out"] = {c: s for c, s in cup["out"].items() if s < since}
        self.write("order", {**line, "events": []})

    def takeback(self, seat, since):
        """Offer a takeback and have it accepted."""
        to = self.put(seat, "offer", {"what": "takeback", "from": since})
        self.accept_back(3 - seat, to, since)

    def adjust(self, seat, units, accept=None):
        """Propose an adjustment and have it accepted."""
        to = self.put(seat, "propose", {"what": "adjust", "units": units})
        return self.accept_adjust(accept or 3 - seat, to, units)

    def accept_adjust(self, seat, to, units):
        """Accept an adjustment and carry it out."""
        self.remember()
        seq = self.accept(seat, to)
        for told in units:
            if "joins" in told:
                self.let_join(told)
                continue
            if "gone" in told:
                self.gone.add(told["id"])
                continue
            self.change(told)
            if told.get("out"):
                self.gone.add(told["id"])
            elif "out" in told:
                self.gone.discard(told["id"])
        return seq

    def change(self, told):
        """Change a unit, but for whether it is in play."""
        for units in self.roster.values():
            if told["id"] in units:
                units[told["id"]].update(
                    (k, x) for k, x in told.items() if k != "out"
                )

    def let_join(self, told):
        """Let a unit join; what commanders do is not known here."""
        fields = {k: v for k, v in told.items() if k not in ("joins", "side")}
        if told["joins"] == "units":
            self.roster[told["side"]][told["id"]] = fields

    # Standing orders.

    def standing(self, seat, kind, do, text=None):
        """Leave a standing order; return its seq."""
        if text is None:
            text = form.compact({"kind": kind, "do": do})
        salt = self.rng.randbytes(32).hex()
        after = self.seq() - 1
        commit = commitment(
            {"game": self.game, "seat": seat, "ask": after},
            {"salt": salt, "text": text},
        )
        self.standings.append({
            "seq": self.seq(), "seat": seat, "side": 2 - seat % 2,
            "salt": salt, "text": text, "kind": kind, "do": do,
            "opened": False, "withdrawn": False,
        })
        return self.put(seat, "standing", {"commit": commit})

    def withdraw(self, seat, to):
        """Withdraw a standing order."""
        for each in self.standings:
            each["withdrawn"] |= each["seq"] == to
        return self.put(seat, "note", {"to": to, "say": "withdraw"})

    def standing_for(self, pending):
        """The standing order that answers a question."""
        attacks = pending["side"] == "attacker"
        side = self.side() if attacks else 3 - self.side()
        fit = [
            s for s in self.standings
            if s["side"] == side and s["kind"] == pending["kind"]
            and not s["withdrawn"] and not s.get("dumb")
        ]
        if pending["kind"] not in POLICIES.get(self.system, ()) or not fit:
            return None
        if self.is_fact(pending["kind"]):
            return None
        return fit[-1]

    def is_fact(self, kind):
        """Whether the other side agrees to decisions of a kind."""
        return self.settings.get("confirm") == "facts" and (
            kind in FACTS.get(self.system, ())
        )

    @staticmethod
    def told(standing):
        """An element of `opened`."""
        return {k: standing[k] for k in ("seat", "salt", "text")}

    # Running the rules.

    def roll_all(self, beta):
        """Run the combat; standing orders answer."""
        rolls, events, out = super().roll_all(beta)
        while out["status"] == "pending":
            standing = self.standing_for(out["pending"])
            if standing is None:
                break
            if not standing["opened"]:
                standing["opened"] = True
                self.fresh.append(self.told(standing))
            self.combat["decisions"].append(answer_of(
                self.system, standing["kind"], standing["do"],
                out["pending"]["options"],
            ))
            if beta is None and self.needs_roll():
                break
            more, events, out = super().roll_all(beta)
            rolls += more
        return rolls, events, out

    def probe(self):
        """Whether the run comes to a roll; standing orders answer."""
        while not self.needs_roll():
            count = len(self.combat["decisions"])
            self.roll_all(None)
            if len(self.combat["decisions"]) == count:
                return False
        return True

    def events_before_roll(self):
        """The events that come before the dice."""
        combat = self.combat
        kept = copy.deepcopy(
            (combat["dice"], combat["chits"], combat["decisions"],
             self.standings, self.fresh)
        )
        _, events, _ = self.roll_all(bytes(32))
        (combat["dice"], combat["chits"], combat["decisions"],
         self.standings, self.fresh) = kept
        new = self.new_events(events)
        ends = [i for i, e in enumerate(new) if e["e"] in ("roll", "draw")]
        return new[: ends[0]]

    def first_events(self):
        """The first of the new events alone: `combat` or `decision`."""
        combat = self.combat
        kept = copy.deepcopy(
            (combat["dice"], combat["chits"], combat["decisions"],
             self.standings, self.fresh)
        )
        _, events, _ = self.roll_all(bytes(32))
        (combat["dice"], combat["chits"], combat["decisions"],
         self.standings, self.fresh) = kept
        return self.new_events(events)[:1]

    def step(self, kind, line, seat):
        """Write the line of an order that lets the combat go on."""
        self.fresh = []
        combat = self.combat
        live = self.scheme == "live-1"
        place = self.place()
        confirm = self.settings.get("confirm")
        if kind == "declare" and (
            confirm or (live and not self.witness and not self.needs_roll()
                        and self.asks_first())
        ):
            self.write_owing(line, seat, place, self.first_events(),
                             ("declare", place, self.pool))
            return
        subject = None
        if kind == "decide":
            subject = ("decide", combat["ask"]["seq"])
            if self.is_fact(combat["ask"]["kind"]):
                self.write_owing(line, seat, place, self.first_events(),
                                 subject, True)
                return
        if live and self.probe():
            self.write_owing(line, seat, place, self.events_before_roll(),
                             subject, rolls=True)
            return
        proof, beta = self.dice_from(seat, place)
        self.finish_step(kind, line, proof, beta, place)

    def asks_first(self):
        """Tell whether a declaration comes to a question."""
        kept = self.standings
        self.standings = []
        _, _, out = self.roll_all(None)
        self.standings = kept
        return out["status"] == "pending"

    def write_owing(self, line, seat, place, events, subject=None,
                    facts=False, rolls=False):
        """Write a line that waits for an answer.

        subject is what objections are counted under. facts: dice, if any,
        wait for another answer. rolls: dice are what waits.
        """
        combat = self.combat
        rolls = rolls and self.witness
        judged = (
            not rolls and self.settings.get("confirm") == "facts" and 0 in self.all_seats
            and subject and self.objected.get(subject, 0) >= 2
        )
        other = WITNESS if rolls else 2 if seat % 2 else 1
        self.owed = {
            "rolls": rolls,
            "seq": self.seq(), "seat": 0 if judged else other, "by": seat,
            "place": place, "kind": "combat", "facts": facts or judged,
            "voids": self.seq() == combat["seq"], "subject": subject,
        }
        line["owes"] = {"seat": self.owed["seat"], "place": place}
        if self.fresh:
            line["opened"] = line.get("opened", []) + self.fresh
        combat["events"] = combat["events"] + events
        self.write("order", {**line, "events": events})

    def finish_step(self, kind, line, proof, beta, place):
        """Run the rules and write dice and events into the line."""
        combat = self.combat
        rolls, events, out = self.roll_all(beta)
        new = self.new_events(events)
        if rolls:
            line["dice"] = {
                "place": place, "proof": proof.hex(), "rolls": rolls
            }
            if combat["steps"] == 0:
                key = combat["key"]
                self.drawn[key] = self.drawn.get(key, 0) + 1
            combat["steps"] += 1
        if self.fresh:
            line["opened"] = line.get("opened", []) + self.fresh
        combat["events"] = combat["events"] + new
        combat["ask"] = None
        if out["status"] == "pending":
            combat["ask"] = {**out["pending"], "seq": self.seq()}
        else:
            self.write_back(out["result"])
            self.combat = None
        self.write("order", {**line, "events": new})

    # Combats.

    def declare(self, made, seat=None):
        """Declare a combat: (as declared, complete)."""
        declared, full = made
        unit = min(self.targets(declared))
        self.remember()
        self.combat = {
            "key": (self.turn, unit),
            "k": 1 + self.drawn.get((self.turn, unit), 0),
            "steps": 0, "facts": full, "dice": {}, "chits": [],
            "decisions": [], "events": [], "owner": None, "ask": None,
            "choices": {}, "seq": self.seq(), "before": None,
        }
        seat = seat or self.side()
        line = self.order(
            seat, "declare", {"combat": declared}, self.place()
        )
        self.step("declare", line, seat)
        return line

    def choose_decision(self, decision=None, seat=None, claim=False,
                        args=None):
        """Answer the open question, or claim, with args, that it is."""
        combat = self.combat
        ask = combat["ask"]
        keep = (len(combat["decisions"]), list(combat["events"]), ask)
        if claim:
            seat = seat or 3 - self.asked_seat()
            decision = answer_of(
                self.system, ask["kind"],
                POLICIES[self.system][ask["kind"]][0], ask["options"],
            )
            line = self.order(seat, "claim", args or {}, self.place())
        else:
            seat = seat or self.asked_seat()
            if decision is None:
                decision = self.lawful(ask)
            args = {"ask": ask["seq"], "decision": decision}
            line = self.order(seat, "decide", args, self.place())
        combat["decisions"].append(decision)
        combat["before"] = keep
        self.step("claim" if claim else "decide", line, seat)

    def claim_unjudged(self, seat):
        """Claim what the director has not judged in time."""
        self.agree(seat, ("claim", {"to": self.owed["seq"]}))

    def agree(self, seat=None, told=None):
        """Agree to what waits for an answer; told: its kind and args."""
        owed, self.owed = self.owed, None
        live = self.scheme == "live-1"
        seat = owed["seat"] if seat is None else seat
        kind, args = told or ("answer", {"to": owed["seq"], "say": "agree"})
        self.fresh = []
        rolls = live and not self.witness and (
            owed["kind"] != "combat" or self.needs_roll())
        rolls = owed.get("rolls") or rolls and not owed.get("facts")
        if live and not rolls and self.probe():
            line = self.order(seat, kind, args)
            self.write_owing(line, owed["by"], owed["place"],
                             self.events_before_roll(), rolls=True)
            self.owed["voids"] = False
            return
        if rolls:
            proof = self.own(seat, owed["place"], "other/1")[0].hex()
            line = self.order(seat, "answer", args, owed["place"],
                              other=proof)
        else:
            line = self.order(seat, kind, args)
        proof, beta = None, None
        if rolls or not live:
            proof, beta = self.dice_from(
                owed["by"], owed["place"], seat if live else None
            )
        if owed["kind"] == "combat":
            self.finish_step("answer", line, proof, beta, owed["place"])
        elif owed["kind"] == "free":
            self.finish_free(line, owed, proof, beta)
        else:
            self.finish_rest(line, owed["args"], owed["place"], proof, beta)

    def object(self, why=True):
        """Object to what waits for an answer."""
        owed, self.owed = self.owed, None
        if owed["kind"] != "combat" or owed["voids"]:
            self.acted = self.undo[owed["seq"]][-1][0]
        args = {"to": owed["seq"], "say": "object"}
        if why:
            args["why"] = self.text("not so")
        seq = self.put(owed["seat"], "answer", args)
        if owed["seat"]:
            count = self.objected.get(owed.get("subject"), 0)
            self.objected[owed.get("subject")] = count + 1
        if owed["kind"] == "combat":
            if owed["voids"]:
                self.combat = None
            elif self.combat["before"] is not None:
                combat = self.combat
                count, combat["events"], combat["ask"] = combat["before"]
                del combat["decisions"][count:]
        return seq

    def finish(self):
        """Play the open combat to its end."""
        while self.combat is not None or self.owed is not None:
            if self.owed is not None:
                self.agree()
            elif self.combat["ask"]["kind"] == "tactic":
                self.decide()
            else:
                self.choose_decision()

    # Free rolls and cups.

    def cup(self, seat, do, name, items=None):
        """Write a cup order."""
        args = {"do": do, "cup": name}
        if items is not None:
            args["items"] = items
        if do == "make":
            self.cups[name] = {"items": items, "out": {}}
        else:
            out = self.cups[name]["out"]
            for chit in items or list(out):
                out.pop(chit, None)
        return self.put(seat, "cup", args)

    def roll_free(self, seat=None, **args):
        """Roll dice, or draw from a cup."""
        seat = self.side() if seat is None else seat
        n = self.frees.get(seat, 0) + 1
        place = "f/%d/%d" % (seat, n)
        self.remember()
        args = args or {"dice": 2, "sides": 20}
        line = self.order(seat, "free", args, place)
        owed = {
            "seq": self.seq(), "seat": 2 if seat % 2 else 1, "by": seat,
            "place": place, "kind": "free", "args": args,
            "rolls": self.witness,
        }
        if self.witness:
            owed["seat"] = WITNESS
        if self.scheme == "live-1":
            self.owed = owed
            owes = {"seat": owed["seat"], "place": place}
            self.write("order", {**line, "owes": owes, "events": []})
            return owed["seq"]
        self.finish_free(line, owed, *self.dice_from(seat, place))
        return owed["seq"]

    def finish_free(self, line, owed, proof, beta):
        """Write the line with the dice of a free roll."""
        args = owed["args"]
        self.frees[owed["by"]] = self.frees.get(owed["by"], 0) + 1
        if "cup" in args:
            cup = self.cups[args["cup"]]
            left = [c for c in cup["items"] if c not in cup["out"]]
            chits = crypto.draw_chits(beta, "free", args["draw"], left)
            cup["out"].update((c, owed["seq"]) for c in chits)
            roll = {"label": "free", "bag": len(left), "chits": chits}
        else:
            dice = crypto.roll_dice(
                beta, "free", args["dice"], args["sides"]
            )
            roll = {"label": "free", "sides": args["sides"], "dice": dice}
        line["dice"] = {
            "place": owed["place"], "proof": proof.hex(), "rolls": [roll]
        }
        self.write("order", {**line, "events": []})

    # The end.

    def close(self):
        """Close from a seat of each side; open what never acted."""
        self.put(1, "close")
        rest = [self.told(s) for s in self.standings if not s["opened"]]
        self.put(2, "close", **({"opened": rest} if rest else {}))

    # Dice keys, and lines of the server.

    def dice_key(self, seat, name="fresh"):
        """Give a seat a new dice key."""
        fresh = secret("%s dice %d" % (name, seat))
        key = dice_public(fresh).hex()
        line = self.order(seat, "dice-key", {"dice_key": key})
        self.waiting.pop(seat, None)
        if self.due:
            self.rekey(seat, fresh)
            line["pool"] = self.pool.hex()
        elif self.started or self.readies:
            self.waiting[seat] = fresh
        else:
            self.players[seat]["dice"] = fresh
        self.write("order", {**line, "events": []})

    def rekey(self, seat, fresh):
        """Move the pool for a new dice key, which calls for a round."""
        self.players[seat]["dice"] = fresh
        self.move(crypto.sha256(
            crypto.tag("rekey/1"), self.pool, bytes((seat,)),
            dice_public(fresh)))
        self.readies = {}
        self.due = True

    def round_seats(self):
        """The seats that a round asks for `ready`."""
        return [s for s in self.all_seats if not self.started or s != WITNESS]

    def all_ready(self):
        """All that a round asks send `ready`."""
        for seat in self.round_seats():
            self.send_ready(seat)

    def put_server(self, what, data, **more):
        """Write a line of the server; return its seq."""
        seq = self.seq()
        self.write("server", {"what": what, "data": data, **more,
                              "events": []})
        return seq

    def newcomer(self, number, name="new", **more):
        """What an operator-key says of somebody new."""
        self.newcomers[number] = {
            "ed": secret("%s player %d" % (name, number)),
            "dice": secret("%s dice %d" % (name, number)),
            "account": "%s-%d" % (name, number),
        }
        new = self.newcomers[number]
        return {
            "seat": number, "account": new["account"],
            "key": ed_expand(new["ed"])[2].hex(),
            "dice_key": dice_public(new["dice"]).hex(),
            "kn": 0, "kprev": form.ZERO,
            **{k: more[k] for k in ("keys", "recovery") if k in more},
            "why": self.text("gone"), **more,
        }

    def operator_key(self, seat, name="new", **more):
        """Propose that somebody else gets a seat."""
        return self.put_server(
            "operator-key", self.newcomer(seat, name, **more))

    def accept_newcomer(self, by, to, seat):
        """Accept so, as the last one."""
        line = self.order(by, "accept", {"to": to})
        new = self.newcomers.pop(seat)
        self.waiting.pop(seat, None)
        self.players[seat] = new
        self.statements[seat] = []
        self.rekey(seat, new["dice"])
        line["pool"] = self.pool.hex()
        if self.owed is not None:
            self.void()
        elif self.combat is not None and self.combat["choices"]:
            self.combat = None
        self.write("order", {**line, "events": []})

    def void(self):
        """What waits for an answer is void."""
        owed, self.owed = self.owed, None
        if owed["kind"] == "combat" and (
            owed["voids"] or self.combat["before"] is None
        ):
            self.combat = None
        elif owed["kind"] == "combat":
            combat = self.combat
            count, combat["events"], combat["ask"] = combat["before"]
            del combat["decisions"][count:]

    def restored(self, **more):
        """Say that lines were lost; return the seq."""
        seq = self.seq()
        self.move(crypto.sha256(
            crypto.tag("restored/1"), self.pool, seq.to_bytes(8, "big")))
        self.readies = {}
        self.due = True
        self.combat = self.owed = None
        self.standings = [s for s in self.standings if s["opened"]]
        return self.put_server("restored", {"seq": seq, **more},
                               pool=self.pool.hex())

    def accept_restored(self, to):
        """All accept that lines were lost."""
        for seat in self.all_seats:
            if seat != WITNESS:
                self.accept(seat, to)

    # The witness.

    def silence(self, seat):
        """Claim that the witness is silent; return the seq."""
        return self.put(seat, "claim", {"to": self.owed["seq"]})

    def silenced(self, seat):
        """Claim so with effect: somebody else owes the answer."""
        seq = self.silence(seat)
        self.owed["seat"] = 2 if self.owed["by"] % 2 else 1
        return seq

    def witness_goes(self):
        """Agree that the witness is out."""
        to = self.put(1, "offer", {"what": "witness-out"})
        self.accept(2, to)
        self.witness = False


class TurnsForge(Turns, Forge):
    """Games of lasalle2."""

    def charge(self, attacker, defender, edge="front", **more):
        """Facts of one unit that charges one: (as declared, complete)."""
        told, full = {}, {}
        for name, side, unit in (
            ("attackers", self.side(), attacker),
            ("defenders", 3 - self.side(), defender),
        ):
            have = self.roster[side][unit]
            if unit in self.gone or have["strength"] < 2:
                raise NotHere
            form_of = {"infantry": "line", "cavalry": "line",
                       "artillery": "unlimbered"}[have["arm"]]
            told[name] = [{"id": unit, "formation": form_of}]
            full[name] = [{**told[name][0], **have}]
        told["contacts"] = full["contacts"] = [
            {"attacker": attacker, "defender": defender, "edge": edge}
        ]
        return told, full

    def plain(self):
        """A charge of infantry on infantry: dice first."""
        return self.charge(*(("fr-a", "ru-b") if self.side() == 1
                             else ("ru-b", "fr-a")))

    def guns(self):
        """A charge on guns: the question `retire` first."""
        return self.charge(*(("fr-a", "ru-g") if self.side() == 1
                             else ("ru-b", "fr-g")))

    def lances(self):
        """A charge of lancers: the question `reroll` after the dice."""
        return self.charge(*(("fr-h", "ru-h") if self.side() == 1
                             else ("ru-k", "fr-k")))


class OtherTurns(TurnsForge):
    """Games without combats of a system that the setting names."""

    ROSTERS = {
        "tlnb": {
            "arm": "infantry", "sp": 5, "reduced_sp": 2, "initiative": 3},
        "leniston-2009": {"class": "B", "fire": "B", "skirmish": "A"},
        "invasion-1812": {"type": "infantry", "cf": 3},
    }

    def __init__(self, seed, events, settings=None):
        self.system = settings["system"]
        self.fields = self.ROSTERS[self.system]
        self.units = {
            side: [{"id": name + "-1", **self.fields}]
            for side, name in ((1, "a"), (2, "b"))
        }
        super().__init__(seed, events, settings)


class SecretTurns(Turns, SecretForge):
    """Games of imagi-nations, in which who recovers needs no die."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.rulings = {"rally_target": "automatic"}

    def kept(self):
        """What a game of this system keeps beside the rosters."""
        return self.state, self.lead_free, self.next_lead

    def keep(self, kept):
        """Put back what kept() gave."""
        self.state, self.lead_free, self.next_lead = kept

    def change(self, told):
        """Change a unit, but for whether it is in play."""
        told = dict(told)
        for name in ("lead_free", "next_lead"):
            if name in told:
                getattr(self, name)[told["id"]] = told.pop(name)
        told.pop("tried", None)
        super().change(told)
        self.state[told["id"]].update(
            (k, x) for k, x in told.items() if k != "out"
        )

    def is_left(self, name):
        """Tell whether a unit has strength left, and is in play."""
        return name not in self.gone and super().is_left(name)

    def let_join(self, told):
        """Let a unit join."""
        super().let_join(told)
        self.state[told["id"]] = copy.deepcopy({
            **ROSTER_DEFAULTS, **self.roster[told["side"]][told["id"]]
        })
        for battalion in self.state[told["id"]]["battalions"]:
            battalion.setdefault("hits", 0)

    def charge(self, attacker, defender):
        """Facts of one unit that attacks one: (as declared, complete)."""
        declared, full = {}, {}
        for name, uid in (("attacker", attacker), ("defender", defender)):
            told = {"units": [{"id": uid}]}
            if name == "defender":
                told["can_evade"] = False
            declared[name] = told
            full[name] = {
                "modifiers": [], "objective": False, **told,
                "units": [{
                    "retreat_room": 2, **copy.deepcopy({
                        "id": uid, **self.state[uid]
                    }),
                }],
            }
        full["terrain"] = "open"
        full["bag"] = small_bag(self.settings.get("bag"))
        return declared, full

    def do_upkeep(self, seat, args):
        """Give an upkeep order."""
        place = self.upkeep_place(args["unit"])
        self.remember()
        line = self.order(seat, "upkeep", args, place)
        if args["do"] != "rest":
            if args["do"] == "lead":
                self.next_lead[args["unit"]] = args["battalion"]
            else:
                self.state[args["unit"]]["disordered"] = False
            told = {k: x for k, x in args.items() if k == "battalion"}
            event = {"e": "upkeep", "unit": args["unit"], "what": args["do"]}
            self.write("order", {**line, "events": [{**event, **told}]})
            return
        if self.scheme != "live-1":
            proof, beta = self.dice_from(seat, place)
            self.finish_rest(line, args, place, proof, beta)
            return
        self.owed = {
            "seq": self.seq(), "seat": 2 if seat % 2 else 1, "by": seat,
            "place": place, "kind": "rest", "args": args,
        }
        owes = {"seat": self.owed["seat"], "place": place}
        self.write("order", {**line, "owes": owes, "events": []})

    def rest(self, name):
        """Let a unit rest: a roll."""
        self.do_upkeep(self.side(), {"unit": name, "do": "rest"})

    def lead(self, name, battalion):
        """Name who leads a unit from the next round on: no roll."""
        self.do_upkeep(self.side(), {
            "unit": name, "do": "lead", "battalion": battalion})

    def recover(self, name):
        """Let a unit recover: no roll."""
        self.do_upkeep(self.side(), {"unit": name, "do": "recover"})

    def finish_rest(self, line, args, place, proof, beta):
        """Write the line with the die of a rest."""
        name = args["unit"]
        label = "rest/" + name
        dice = crypto.roll_dice(beta, label, 1, 3)
        roll = {"label": label, "sides": 3, "dice": dice}
        line["dice"] = {"place": place, "proof": proof.hex(), "rolls": [roll]}
        state = self.state[name]
        state["fatigue"] = max(0, state["fatigue"] - dice[0])
        key = (self.turn, name)
        self.drawn_upkeeps[key] = self.drawn_upkeeps.get(key, 0) + 1
        self.write("order", {**line, "events": [
            {"e": "roll", **roll},
            {"e": "upkeep", "unit": name, "what": "rest", "die": dice[0],
             "fatigue": state["fatigue"]},
        ]})
