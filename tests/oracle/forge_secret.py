# SPDX-License-Identifier: ISC
"""A forge of games of imagi-nations: secret choices, upkeep, draws of chits.

SecretForge plays as Forge does, with tactics that are chosen in secret, held
or sealed (umpire-record.7 S8), upkeep orders and the ends of rounds. A fault
may besides change a choice before it is committed to: the stages `choice`
(its text) and `hashed` (what its commitment is made of), which work on every
choice until the fault's line.
"""

import json

import imaginations
import reading
import record_crypto as crypto
import record_form as form
from forge import Forge


def battalions(name, *qualities):
    """Make the battalions of a unit."""
    return [
        {"id": "%s-%d" % (name, i), "quality": quality, "sp": 2 + i % 3}
        for i, quality in enumerate(qualities, 1)
    ]


def unit(uid, qualities, **more):
    """Make a unit of the roster."""
    return {
        "id": uid,
        "lead": uid + "-1",
        "battalions": battalions(uid, *qualities),
        **more,
    }


UNITS = {
    1: [
        unit("pr-a", ("veteran", "experienced", "raw"), commander=1,
             morale=3, name="Brigade Itzenplitz"),
        unit("pr-b", ("elite", "experienced"), morale=2),
        unit("pr-h", ("trained", "raw"), arm="cavalry", disordered=True),
        unit("pr-k", ("veteran",), arm="cavalry", fatigue=4),
    ],
    2: [
        unit("au-a", ("veteran", "trained", "trained"), commander=-1),
        unit("au-b", ("experienced", "experienced"), fatigue=3, morale=1),
        unit("au-h", ("trained", "raw"), arm="cavalry", commander=2),
        unit("au-k", ("elite",), arm="cavalry", name="Kürassiere"),
    ],
}
DEFAULTS = {
    "arm": "infantry", "commander": 0, "fatigue": 0, "disordered": False,
    "morale": 4,
}
RALLY_TARGET = 4
LEAD_ROUNDS = 1  # this one


def small_bag(count):
    """The first chits of the bag that comes with the program."""
    with open(imaginations.BAG_FILE, encoding="utf-8") as f:
        return json.load(f)["bag"][: count or None]


class SecretForge(Forge):
    """Plays and records one game of imagi-nations."""

    system = "imagi-nations"
    units = UNITS

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.state = {}
        self.lead_free = {}
        self.next_lead = {}
        self.tried = {}  # (turn, unit) -> what it has tried
        self.drawn_upkeeps = {}
        for units in self.roster.values():
            for raw in units.values():
                full = json.loads(json.dumps({**DEFAULTS, **raw}))
                for battalion in full["battalions"]:
                    battalion.setdefault("hits", 0)
                self.state[full["id"]] = full
        self.sealed = self.settings.get("secret") == "sealed"

    def write(self, kind, members):
        """Complete, mark and append a line."""
        order = [m[0] for m in form.LINES[kind]]
        super().write(
            kind, {k: members[k] for k in sorted(members, key=order.index)}
        )

    def tables(self):
        """A bag of the game's own, if the settings say so."""
        count = self.settings.get("bag")
        if not count:
            return []
        blob = {"blob": "bag", "bag": small_bag(count)}
        return [self.stage("bag", "create", blob)]

    def facts(self, wanted=None):
        """Make facts for the side in turn: (as declared, complete)."""
        rng = self.rng
        declared, full = {}, {}
        for name, number in (
            ("attacker", self.side()), ("defender", 3 - self.side())
        ):
            fit = [u for u in sorted(self.roster[number]) if self.is_left(u)]
            if not fit:
                return None
            ids = rng.sample(fit, min(len(fit), rng.randint(1, 2)))
            told = {"units": [{"id": i} for i in ids]}
            if rng.random() < 0.3:
                told["units"][0]["retreat_room"] = rng.randint(0, 2)
            if rng.random() < 0.3:
                told["units"][0]["morale"] = self.state[ids[0]]["morale"]
            if rng.random() < 0.5:
                told["modifiers"] = [
                    {"reason": "mud", "value": -1, "kind": "conditional"}
                ]
            if name == "defender":
                told["can_evade"] = rng.random() < 0.6 and all(
                    self.state[i].get("arm") == "cavalry" for i in ids
                )
            declared[name] = told
            whole = {"modifiers": [], "objective": False, **told}
            whole["units"] = [
                {
                    "retreat_room": 2, **u,
                    **json.loads(json.dumps(self.state[u["id"]])),
                }
                for u in told["units"]
            ]
            full[name] = whole
        if rng.random() < 0.5:
            declared["terrain"] = "village"
        full["terrain"] = declared.get("terrain", "open")
        full["bag"] = small_bag(self.settings.get("bag"))
        return declared, full

    def is_left(self, name):
        """Tell whether a unit has strength left."""
        return any(
            battalion["hits"] < battalion["sp"]
            for battalion in self.state[name]["battalions"]
        )

    @staticmethod
    def targets(declared):
        """The ids of the defending units."""
        return [u["id"] for u in declared["defender"]["units"]]

    # Running the rules.

    def roll_all(self, beta):
        """Run the combat, rolling what it asks: (rolls, events, output)."""
        rolls, events, out = super().roll_all(beta)
        if out["status"] == "pending" and out["pending"]["kind"] == "tactic":
            events = events[:1] + self.tactic_asks()
        return rolls, events, out

    def tactic_asks(self):
        """The two questions that are asked in secret."""
        asks = []
        facts = imaginations.read_facts(self.combat["facts"], {})
        rulings = imaginations.SYSTEM.read_rulings({})
        combat = imaginations.Combat(
            facts, rulings, reading.Table(None, [])
        )
        for side in imaginations.SIDES:
            options = {"tactic": {"one": combat.choices(side)}}
            asks.append(
                {"e": "ask", "side": side, "kind": "tactic",
                 "options": options}
            )
        return asks

    def events_before_roll(self):
        """The events that come before the dice, of which none are known."""
        combat = self.combat
        kept = dict(combat["dice"]), list(combat["chits"])
        _, events, _ = self.roll_all(bytes(32))
        new = self.new_events(events)
        combat["dice"], combat["chits"] = kept
        if not combat["decisions"]:
            return new[:1]
        ends = ("roll", "draw")
        return new[: [i for i, e in enumerate(new) if e["e"] in ends][0]]

    def write_back(self, result):
        """Change the rosters as the result says."""
        for name, end in result["units"].items():
            state = self.state[name]
            for battalion in state["battalions"]:
                hits = end["hits"][battalion["id"]]
                if hits > battalion["hits"]:
                    self.lead_free[name] = LEAD_ROUNDS
                battalion["hits"] = hits
            for key in ("fatigue", "disordered", "morale"):
                state[key] = end[key]

    # Decisions.

    def lawful(self, ask):
        """Make a lawful decision."""
        rng = self.rng
        kind, options = ask["kind"], ask["options"]
        if kind == "chits":
            number = rng.randint(*options["number"]["int"])
            return {"kind": kind, "number": number}
        if kind == "advance":
            some = options["units"]["some"]
            return {
                "kind": kind, "units": [u for u in some if rng.random() < 0.7]
            }
        rule = options["hits"]
        due = rule["due"]
        hits, retreat = {}, {}
        for name, told in rule["units"].items():
            if not any(told["left"].values()) or due == 0:
                continue
            room = min(told["room"], due - 1)
            if room > 0 and rng.random() < 0.4:
                spaces = rng.randint(1, room)
                # A unit that retreats keeps a strength point.
                if due - spaces < sum(told["left"].values()):
                    retreat[name] = spaces
                    due -= spaces
            order = sorted(told["left"], key=lambda b: b != told["lead"])
            hits[name] = {}
            for battalion in order:
                count = min(due, told["left"][battalion])
                if count:
                    hits[name][battalion] = count
                due -= count
        return {"kind": kind, "hits": hits, "retreat": retreat}

    def decide(self):
        """Answer the open question, or the two that are open in secret."""
        if self.combat["ask"]["kind"] != "tactic":
            super().decide()
            return
        seats = [1, 2]
        self.rng.shuffle(seats)
        for seat in seats:
            self.commit(seat)
            self.small_talk()
        if not self.sealed:
            return
        self.rng.shuffle(seats)
        for seat in seats:
            self.open_sealed(seat)
            self.small_talk()

    def attacker(self):
        """The seat that attacks."""
        return self.side()

    def choose(self, seat):
        """Make a seat's choice: {"salt", "text", "commit"}."""
        role = "attacker" if seat == self.attacker() else "defender"
        (ask,) = [a for a in self.tactic_asks() if a["side"] == role]
        tactic = self.rng.choice(ask["options"]["tactic"]["one"])
        value = {"kind": "tactic", "tactic": tactic}
        text = form.compact(value)
        if self.rng.random() < 0.2:
            text = json.dumps(value, indent=2)
        stages = self.fault.stages if self.fault is not None else {}
        if "choice" in stages:
            text = stages["choice"](self, text)
        choice = {
            "seat": seat, "salt": self.rng.randbytes(32).hex(), "text": text,
            "decision": value,
        }
        hashed = {
            "game": self.game, "seat": seat,
            "ask": self.combat["ask"]["seq"],
        }
        if "hashed" in stages:
            stages["hashed"](self, hashed)
        choice["commit"] = commitment(hashed, choice)
        self.combat["choices"][seat] = choice
        return choice

    def commit(self, seat):
        """Commit to a choice; the second of held ones lets the dice fall."""
        combat = self.combat
        self.next_seat = seat
        self.before_commit = self.last_state
        self.enter("commit")
        choice = self.choose(seat)
        args = {"ask": combat["ask"]["seq"], "commit": choice["commit"]}
        after = None
        if len(combat["choices"]) == 2:
            after = self.rng.randint(combat["ask"]["seq"], self.seq() - 1)
        line = self.order(
            seat, "commit", args, self.place(), after=after,
            own=seat == self.attacker(),
        )
        self.last_state = self.seq()
        if len(combat["choices"]) < 2 or self.sealed:
            self.write("order", {**line, "events": []})
            return
        line["opened"] = [
            {k: combat["choices"][s][k] for k in ("seat", "salt", "text")}
            for s in (1, 2)
        ]
        self.step_opened(line)

    def open_sealed(self, seat):
        """Open a sealed choice; the second lets the dice fall."""
        combat = self.combat
        choice = combat["choices"][seat]
        self.next_seat = seat
        self.enter("open")
        args = {
            "ask": combat["ask"]["seq"],
            "salt": choice["salt"],
            "text": choice["text"],
        }
        after = self.rng.randint(0, self.seq() - 1)
        line = self.order(
            seat, "open", args, self.place(), after=after,
            own=seat == self.attacker() and self.rng.random() < 0.3,
        )
        self.last_state = self.seq()
        choice["opened"] = True
        if not all("opened" in c for c in combat["choices"].values()):
            self.write("order", {**line, "events": []})
            return
        self.step_opened(line)

    def step_opened(self, line):
        """Go on with both choices and the attacker's own."""
        combat = self.combat
        attacker = self.attacker()
        combat["decisions"] += [
            combat["choices"][s]["decision"] for s in (attacker, 3 - attacker)
        ]
        self.step("commit", line, attacker)

    # Upkeep.

    def upkeep(self):
        """Give some upkeep orders."""
        if self.scheme == "live-1":
            return
        for name in sorted(self.roster[self.side()]):
            for _ in range(3):
                if self.rng.random() < 0.6:
                    self.small_talk()
                    self.upkeep_order(name)

    def may_do(self, name):
        """The upkeep orders that a unit may have."""
        state = self.state[name]
        able = []
        if not self.is_left(name):
            return able
        if state["fatigue"]:
            able.append({"do": "rest"})
        tried = self.tried.get((self.turn, name))
        if state["disordered"] and tried != "rally":
            able.append({"do": "recover"})
        for battalion in state["battalions"]:
            if battalion["hits"] > 1 and tried != "recover":
                able.append({"do": "rally", "battalion": battalion["id"]})
            if (
                self.lead_free.get(name)
                and battalion["hits"] < battalion["sp"]
                and battalion["id"] != state["lead"]
            ):
                able.append({"do": "lead", "battalion": battalion["id"]})
        return able

    def pass_turns(self):
        """Let both sides pass, now and then."""
        for _ in range(2 * (self.rng.random() < 0.5)):
            self.end_turn()

    def upkeep_place(self, name):
        """The place of a unit's next upkeep order."""
        k = 1 + self.drawn_upkeeps.get((self.turn, name), 0)
        return "u/%d/%s/%d" % (self.turn, name, k)

    def upkeep_order(self, name):
        """Give a unit an upkeep order that it may have."""
        able = self.may_do(name)
        if not able:
            return
        args = {"unit": name, **self.rng.choice(able)}
        self.next_upkeep = args
        self.enter("upkeep")
        seat, place = self.side(), self.upkeep_place(name)
        line = self.order(seat, "upkeep", dict(args), place)
        state = self.state[name]
        event = {"e": "upkeep", "unit": name, "what": args["do"]}
        events = [event]
        if args["do"] == "lead":
            self.next_lead[name] = args["battalion"]
            event["battalion"] = args["battalion"]
        else:
            label, sides = (
                ("rest/" + name, 3) if args["do"] == "rest"
                else ("rally/" + name, 6)
            )
            proof, beta = self.dice_from(seat, place)
            dice = crypto.roll_dice(beta, label, 1, sides)
            roll = {"label": label, "sides": sides, "dice": dice}
            line["dice"] = {
                "place": place, "proof": proof.hex(), "rolls": [roll]
            }
            events.insert(0, {"e": "roll", **roll})
            key = (self.turn, name)
            self.drawn_upkeeps[key] = self.drawn_upkeeps.get(key, 0) + 1
            self.upkeep_rolled(args, state, dice[0], event)
        self.last_state = self.seq()
        self.write("order", {**line, "events": events})

    def upkeep_rolled(self, args, state, die, event):
        """Do what an upkeep order does with its die."""
        if args["do"] == "rest":
            state["fatigue"] = max(0, state["fatigue"] - die)
            event.update(die=die, fatigue=state["fatigue"])
            return
        self.tried[(self.turn, args["unit"])] = args["do"]
        word = {"rally": "rallied", "recover": "recovered"}[args["do"]]
        works = die >= RALLY_TARGET
        event.update(what=word if works else "not-" + word, die=die,
                     target=RALLY_TARGET)
        if args["do"] == "recover":
            state["disordered"] = state["disordered"] and not works
            return
        event["battalion"] = args["battalion"]
        for battalion in state["battalions"]:
            if battalion["id"] == args["battalion"] and works:
                battalion["hits"] -= 1
                event["hits"] = battalion["hits"]

    def round_events(self):
        """Every unit loses a fatigue; what was hit may change its lead."""
        events = []
        for side in (1, 2):
            for raw in self.units[side]:
                name = raw["id"]
                if not self.is_left(name):
                    continue
                state = self.state[name]
                told = {"e": "upkeep", "unit": name}
                if state["fatigue"]:
                    state["fatigue"] -= 1
                    events.append(
                        {**told, "what": "fatigue",
                         "fatigue": state["fatigue"]}
                    )
                lead = self.next_lead.pop(name, state["lead"])
                if lead != state["lead"] and any(
                    b["id"] == lead and b["hits"] < b["sp"]
                    for b in state["battalions"]
                ):
                    state["lead"] = lead
                    events.append({**told, "what": "leads",
                                   "battalion": lead})
                if self.lead_free.get(name):
                    self.lead_free[name] -= 1
                    events.append(
                        {**told, "what": "lead_free",
                         "lead_free": self.lead_free[name]}
                    )
        return events


def commitment(hashed, choice):
    """The commitment to a choice (S8)."""
    return crypto.sha256(
        crypto.tag("secret/1"),
        hashed["game"],
        bytes((hashed["seat"],)),
        hashed["ask"].to_bytes(8, "big"),
        bytes.fromhex(choice["salt"]),
        choice["text"].encode("utf-8", "surrogatepass"),
    ).hex()
