#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""A second reading of section 11 of Napoleon's Greatest Gamble (1812).

It is written from the rulebook's section and umpire-rules.7 alone and shares
nothing with librules: the tests hold the one against the other. reading.py
says what it takes and gives.
"""

import sys

from reading import (
    Refused,
    SIDES,
    System,
    read_one,
    read_some,
    want_bool,
    want_id,
    want_int,
    want_kind,
    want_list,
    want_members,
    want_one,
    want_text,
)

TERRAINS = ("clear", "forest", "marsh", "mountain", "rough", "city")
TYPES = ("infantry", "cavalry", "artillery")
RULINGS = {
    "mountain_as_rough": (False, True),
    "advance_into_emptied_hex": ("always", "attacker-won"),
}

# Every clause that a combat may meet, as the rulebook numbers them.
CLAUSES = """
11.1 may slip away
11.1 slips away
11.1 stays
11.2 halved: fought once
11.2 halved: force marched
11.2 quartered: force marched and fought
11.2 quartered: fought twice or more
11.2 a fraction is dropped
11.2 support halved
11.2 support quartered
11.3 attack: one type
11.3 attack: two types
11.3 attack: three types
11.4 river
11.4 forest
11.4 marsh
11.4 rough
11.4 mountain as rough
11.4 mountain as clear
11.4 fortified, no artillery
11.4 fortified, artillery
11.4 fortified and difficult, no artillery
11.4 fortified and difficult, artillery
11.5 attack: CR
11.5 attack: CR limited by units
11.5 attack: best CR of several
11.5 attack: support
11.5 support across a river
11.5 support into difficult ground
11.5 support: fortified, no artillery
11.5 support: fortified, its artillery is disrupted
11.5 support: fortified, artillery
11.5 support with a commander
11.5 support below 0
11.5 negative final value
11.6 defence: one type
11.6 defence: two types
11.6 defence: three types
11.6 defence: disrupted units left out
11.7 defence: CR
11.7 defence: CR limited by undisrupted units
11.7 defence: support
11.7 defence: support with disrupted units
11.8 attacker wins
11.8 defender wins
11.9 tie
11.10 defender stays
11.10 defender withdraws
11.12 by 1 or 2: stays
11.12 by 1 or 2: withdraws
11.12 by 1 or 2: cavalry may advance
11.12 by 1 or 2: no cavalry to advance
11.12 by exactly 2, cavalry and others left
11.12 by exactly 3
11.12 by 3: withdraws
11.12 by 3: cannot withdraw
11.12 disrupted attackers stay behind
11.12 nobody can advance
11.13 emptied by hits, attacker won by 1 or 2
11.13 emptied by hits, attacker won by 3
11.13 emptied by hits, defender won: advance
11.13 emptied by hits, defender won: ruled out
11.13 emptied by the pursuit, attacker won by 1 or 2
11.13 emptied by the pursuit, defender won: advance
11.13 emptied by the pursuit, defender won: ruled out
11.14 hits limited by the winner's units
11.14 no undisrupted winner: no hits
11.15 adjusted -1
11.15 adjusted 0
11.15 adjusted +1
11.15 held to 0
11.15 hits limited by the loser's units
11.15 no undisrupted loser: no roll
11.15 the winner suffers nothing
11.16 pursuit hit
11.16 pursuit, nobody disrupted
11.16 cavalry of one's own
11.16 the attacking cavalry is disrupted
11.17 disrupts
11.17 eliminates
11.17 one unit twice
11.17 a disrupted unit before undisrupted ones
11.17 some to supports
11.17 most to supports, the stack is full
11.17 more than the side can take
11.17 extra of the stack
11.17 extra of a support
11.17 extra of more stacks than one
11.17 extra, even in all
11.17 extra waived
11.17 odd, but nobody disrupted
11.18 nobody undisrupted: the die alone
11.18 so, with commander and support
11.19 unaccompanied commander attacked
11.19 commander of the defending stack alone
11.19 commander of the attacking stack alone
11.19 commander of a support alone
11.19 after a tie
11.19 others in the hex
11.19 eliminated
11.19 escapes
11.19 nowhere to go
11.19 several commanders of a stack
advance: with a commander
advance: commander stays
advance: nobody goes
advance: no commander in the stack
""".strip().splitlines()


# --- Facts (umpire-rules.7, facts of invasion-1812) ---


class Stack:
    """One stack of units, and what became of them."""

    def __init__(self, role, side, raw, place, seen):
        self.role = role
        self.side = side
        want_members(
            raw,
            place,
            ("units",),
            ("commanders", "force_marched", "fought", "across_river",
             "others_in_hex"),
        )
        self.units = {}
        where = place + ".units"
        for i, item in enumerate(want_list(raw["units"], where)):
            self.read_unit(item, "%s[%d]" % (where, i), seen)
        self.commanders = {}
        where = place + ".commanders"
        commanders = want_list(raw.get("commanders", []), where)
        for i, item in enumerate(commanders):
            at = "%s[%d]" % (where, i)
            want_members(item, at, ("id", "cr"))
            name = new_id(item["id"], at + ".id", seen)
            self.commanders[name] = want_int(item["cr"], at + ".cr")
        for key in ("force_marched", "across_river", "others_in_hex"):
            value = want_bool(raw.get(key, False), "%s.%s" % (place, key))
            setattr(self, key, value)
        self.fought = want_int(raw.get("fought", 0), place + ".fought")
        if side == "defender" and "across_river" in raw:
            raise Refused(
                place + ".across_river", "the defender crosses no river"
            )
        if not self.units and (role != "stack" or side == "attacker"):
            raise Refused(place + ".units", "no units")
        if not self.units and not self.commanders:
            raise Refused(place, "neither units nor commanders")
        self.state = {
            name: "disrupted" if unit["disrupted"] else "good"
            for name, unit in self.units.items()
        }

    def read_unit(self, raw, place, seen):
        """Read one unit."""
        want_members(raw, place, ("id", "type"), ("cf", "disrupted"))
        name = new_id(raw["id"], place + ".id", seen)
        unit = {
            "type": want_one(raw["type"], place + ".type", TYPES),
            "cf": want_int(raw.get("cf", 1), place + ".cf"),
            "disrupted": want_bool(
                raw.get("disrupted", False), place + ".disrupted"
            ),
        }
        if unit["disrupted"] and (self.role, self.side) == (
            "stack", "attacker"
        ):
            raise Refused(place + ".disrupted", "a disrupted unit attacks")
        self.units[name] = unit

    def good(self, kind=None):
        """List the undisrupted units, of a type or of all."""
        return [
            name
            for name, unit in self.units.items()
            if self.state[name] == "good" and kind in (None, unit["type"])
        ]

    def left(self):
        """List the units that are not eliminated."""
        return [n for n in self.units if self.state[n] != "eliminated"]

    def can_take(self):
        """Say how many hits each unit can take."""
        takes = {"good": 2, "disrupted": 1, "eliminated": 0}
        return {name: takes[self.state[name]] for name in self.units}

    def hit(self, name):
        """Disrupt a unit, or eliminate a disrupted one."""
        good = self.state[name] == "good"
        self.state[name] = "disrupted" if good else "eliminated"

    def divisor(self):
        """By how much its history divides what it brings (11.2)."""
        if self.fought >= 2 or (self.force_marched and self.fought == 1):
            return 4
        if self.force_marched or self.fought == 1:
            return 2
        return 1


def new_id(raw, place, seen):
    """Read an id that was not used before."""
    name = want_id(raw, place)
    if name in seen:
        raise Refused(place, "used twice")
    seen.add(name)
    return name


def read_facts(raw, tables):
    """Read the facts of a combat, or refuse them."""
    want_members(
        raw,
        "combat",
        ("attacker", "defender", "terrain"),
        ("fortified_city",),
    )
    facts = {
        "terrain": want_one(raw["terrain"], "combat.terrain", TERRAINS),
        "fortified": want_bool(
            raw.get("fortified_city", False), "combat.fortified_city"
        ),
    }
    seen = set()
    for side in SIDES:
        place = "combat." + side
        want_members(raw[side], place, ("stack",), ("supports",))
        where = place + ".stack"
        stacks = [Stack("stack", side, raw[side]["stack"], where, seen)]
        where = place + ".supports"
        supports = want_list(raw[side].get("supports", []), where)
        for i, item in enumerate(supports):
            at = "%s[%d]" % (where, i)
            stacks.append(Stack("support", side, item, at, seen))
        facts[side] = stacks
    return facts


# --- The combat ---


class Combat:
    """One combat, played through from its start."""

    def __init__(self, facts, rulings, table):
        self.terrain = facts["terrain"]
        self.fortified = facts["fortified"]
        self.sides = {side: facts[side] for side in SIDES}
        self.stack = {side: facts[side][0] for side in SIDES}
        self.rulings = rulings
        self.table = table
        self.meet = table.meet
        self.value = {"attacker": None, "defender": None}
        self.winner = None
        self.hits = {"attacker": 0, "defender": 0}
        self.withdrew = False
        self.advanced = []
        self.tested = {}

    # 11.1.

    def slip_away(self):
        """Ask whether a stack of cavalry alone waits; tell if it is gone."""
        units = self.stack["defender"].units.values()
        if not all(u["type"] == "cavalry" for u in units):
            return False
        if self.stack["attacker"].good("cavalry"):
            return False
        self.meet("11.1 may slip away")
        self.withdrew = self.ask_bool("withdraw-before", "withdraw")
        self.meet("11.1 slips away" if self.withdrew else "11.1 stays")
        return self.withdrew

    def ask_bool(self, kind, member):
        """Ask the defender for true or false."""
        decision, place = self.table.decide(
            "defender", kind, {member: {"one": [False, True]}}
        )
        return read_one(decision, kind, member, (False, True), place)

    # 11.2 to 11.7.

    def divide(self, stack, value):
        """Halve or quarter by the history of a stack (11.2)."""
        divisor = stack.divisor()
        if divisor > 1 and stack.role == "support":
            self.meet("11.2 support %s" % (
                "halved" if divisor == 2 else "quartered"))
        elif divisor == 2:
            self.meet("11.2 halved: %s" % (
                "force marched" if stack.force_marched else "fought once"))
        elif divisor == 4:
            self.meet("11.2 quartered: %s" % (
                "force marched and fought" if stack.force_marched
                else "fought twice or more"))
        if value % divisor:
            self.meet("11.2 a fraction is dropped")
        return value // divisor

    def is_difficult(self):
        """Forest, marsh or rough ground; mountains by ruling."""
        if self.terrain == "mountain":
            return self.rulings["mountain_as_rough"]
        return self.terrain in ("forest", "marsh", "rough")

    def stack_value(self, side):
        """The value of the fighting stack, without the die."""
        stack = self.stack[side]
        good = stack.good()
        word = "11.3 attack" if side == "attacker" else "11.6 defence"
        value = sum(stack.units[name]["cf"] for name in good)
        types = {stack.units[name]["type"] for name in good}
        value += {1: 0, 2: 2, 3: 4}[len(types)]
        self.meet("%s: %s type%s" % (
            word, ("one", "two", "three")[len(types) - 1],
            "s" if len(types) > 1 else ""))
        if len(good) < len(stack.units):
            self.meet("11.6 defence: disrupted units left out")
        value = self.divide(stack, value)
        if side == "attacker":
            value -= self.against_stack(stack)
        if stack.commanders:
            best = max(stack.commanders.values())
            value += min(best, len(good))
            self.meet_commanders(side, stack, best, good)
        return value

    def meet_commanders(self, side, stack, best, good):
        """Say which clauses of commanders were met."""
        if side == "attacker":
            self.meet("11.5 attack: CR")
            if best > len(good):
                self.meet("11.5 attack: CR limited by units")
            if len(set(stack.commanders.values())) > 1:
                self.meet("11.5 attack: best CR of several")
        else:
            self.meet("11.7 defence: CR")
            if len(good) < best <= len(stack.units):
                self.meet("11.7 defence: CR limited by undisrupted units")

    def against_stack(self, stack):
        """What the ground costs the attacking stack (11.4)."""
        cost = 0
        if stack.across_river:
            cost += 3
            self.meet("11.4 river")
        guns = bool(stack.good("artillery"))
        difficult = self.is_difficult()
        if difficult or (self.fortified and not guns):
            cost += 2
        if self.fortified and guns:
            cost += 1
        if self.fortified:
            self.meet("11.4 fortified%s, %s" % (
                " and difficult" if difficult else "",
                "artillery" if guns else "no artillery"))
        if self.terrain == "mountain":
            self.meet("11.4 mountain as %s" % (
                "rough" if difficult else "clear"))
        elif difficult:
            self.meet("11.4 " + self.terrain)
        return cost

    def support_value(self, side, stack):
        """What a supporting stack brings."""
        good = stack.good()
        value = self.divide(stack, len(good))
        self.meet("%s: support" % (
            "11.5 attack" if side == "attacker" else "11.7 defence"))
        if side == "defender" and len(good) < len(stack.units):
            self.meet("11.7 defence: support with disrupted units")
        if side == "attacker":
            value -= self.against_support(stack)
        if stack.commanders:
            value += 1
            self.meet("11.5 support with a commander")
        if value < 0:
            self.meet("11.5 support below 0")
        return value

    def against_support(self, stack):
        """What the ground costs an attacker's supporting stack (11.5)."""
        cost = 0
        if stack.across_river:
            cost += 2
            self.meet("11.5 support across a river")
        guns = bool(stack.good("artillery"))
        difficult = self.is_difficult()
        if difficult or (self.fortified and not guns):
            cost += 1
        if difficult:
            self.meet("11.5 support into difficult ground")
        if self.fortified and guns:
            self.meet("11.5 support: fortified, artillery")
        elif self.fortified:
            types = {u["type"] for u in stack.units.values()}
            self.meet("11.5 support: fortified, %s" % (
                "its artillery is disrupted" if "artillery" in types
                else "no artillery"))
        return cost

    def values(self):
        """Roll for both sides and add up."""
        for side in SIDES:
            die = self.table.roll("combat/%s" % side, 1)[0]
            if not self.stack[side].good():
                self.meet("11.18 nobody undisrupted: the die alone")
                if self.stack[side].commanders and len(self.sides[side]) > 1:
                    self.meet("11.18 so, with commander and support")
                self.value[side] = die
                continue
            value = self.stack_value(side) + die
            for stack in self.sides[side][1:]:
                value += self.support_value(side, stack)
            if value < 0:
                self.meet("11.5 negative final value")
            self.value[side] = value

    # 11.14, 11.15, 11.17.

    def take_hits(self, side, hits, only_stack=False):
        """Let a side allocate hits, as many as it can take."""
        stacks = self.sides[side][:1] if only_stack else self.sides[side]
        room = {}
        for stack in stacks:
            room.update(stack.can_take())
        asked = min(hits, sum(room.values()))
        if asked < hits:
            self.meet("11.17 more than the side can take")
        if asked == 0:
            return
        stack_room = sum(self.stack[side].can_take().values())
        least = min((asked + 1) // 2, stack_room)
        options = {
            "units": {
                "rule": "hits",
                "hits": asked,
                "room": room,
                "stack": list(self.stack[side].units),
                "least": least,
                "state": self.states(side),
                "stacks": [list(s.units) for s in self.sides[side]],
            }
        }
        decision, place = self.table.decide(side, "hits", options)
        want_kind(decision, place, "hits", ("units",), ("extra",))
        names = want_list(decision["units"], place + ".units")
        for i, name in enumerate(names):
            at = "%s.units[%d]" % (place, i)
            want_id(name, at)
            if room.get(name, 0) == 0:
                raise Refused(at, "cannot take a hit")
            room[name] -= 1
        if len(names) != asked:
            raise Refused(place + ".units", "%d hits are owed" % asked)
        on_stack = [n for n in names if n in self.stack[side].units]
        if len(on_stack) < least:
            raise Refused(place + ".units", "too few on the fighting stack")
        self.meet_hits(side, names, on_stack, asked, stack_room)
        for name in names:
            self.stack_of(side, name).hit(name)
        self.extra(side, decision, place, names)

    def states(self, side):
        """Collect the states of a side's units."""
        states = {}
        for stack in self.sides[side]:
            states.update(stack.state)
        return states

    def stack_of(self, side, name):
        """Find the stack that a unit of a side is in."""
        return next(s for s in self.sides[side] if name in s.units)

    def meet_hits(self, side, names, on_stack, asked, stack_room):
        """Say which clauses of hits were met."""
        if len(on_stack) < asked:
            self.meet("11.17 some to supports")
        if len(on_stack) * 2 < asked and len(on_stack) == stack_room:
            self.meet("11.17 most to supports, the stack is full")
        if len(set(names)) < len(names):
            self.meet("11.17 one unit twice")
        states = self.states(side)
        for name in names:
            if states[name] == "good":
                self.meet("11.17 disrupts")
                states[name] = "disrupted"
                continue
            self.meet("11.17 eliminates")
            if "good" in states.values():
                self.meet("11.17 a disrupted unit before undisrupted ones")

    def extra(self, side, decision, place, names):
        """One more on a disrupted unit of each stack with odd hits."""
        taken = {
            stack: sum(name in stack.units for name in names)
            for stack in self.sides[side]
        }
        chosen = []
        if "extra" in decision:
            chosen = decision["extra"]
            if not isinstance(chosen, list):
                chosen = [chosen]
            elif not chosen:
                raise Refused(place + ".extra", "is empty")
        hit = []
        for name in chosen:
            name = want_id(name, place + ".extra")
            if self.states(side).get(name) != "disrupted":
                raise Refused(place + ".extra", "no disrupted unit")
            stack = self.stack_of(side, name)
            if taken[stack] % 2 == 0:
                raise Refused(place + ".extra", "an even number of hits")
            if stack in hit:
                raise Refused(place + ".extra", "two of one stack")
            hit.append(stack)
        for stack, hits in taken.items():
            if hits % 2 == 1 and stack not in hit:
                self.meet("11.17 extra waived"
                          if "disrupted" in stack.state.values()
                          else "11.17 odd, but nobody disrupted")
        for name in chosen:
            self.stack_of(side, name).hit(name)
        for stack in hit:
            self.meet("11.17 extra of %s" % (
                "the stack" if stack.role == "stack" else "a support"))
            if len(names) % 2 == 0:
                self.meet("11.17 extra, even in all")
        if len(hit) > 1:
            self.meet("11.17 extra of more stacks than one")

    def inflict(self):
        """Settle the hits of both sides after a victory."""
        lead = abs(self.value["attacker"] - self.value["defender"])
        winner = self.winner
        loser = SIDES[1 - SIDES.index(winner)]
        strong = {
            side: sum(len(s.good()) for s in self.sides[side])
            for side in SIDES
        }
        self.hits[loser] = min(lead, strong[winner])
        if strong[winner] == 0:
            self.meet("11.14 no undisrupted winner: no hits")
        elif strong[winner] < lead:
            self.meet("11.14 hits limited by the winner's units")
        self.take_hits(loser, self.hits[loser])
        if strong[loser] == 0:
            self.meet("11.15 no undisrupted loser: no roll")
            return
        die = self.table.roll("hits-on-winner", 1)[0]
        adjust = (die - 1) // 2 - 1
        self.meet("11.15 adjusted %s" % ("-1", "0", "+1")[adjust + 1])
        hits = lead // 2 + adjust
        if hits < 0:
            self.meet("11.15 held to 0")
        if hits > strong[loser]:
            self.meet("11.15 hits limited by the loser's units")
        self.hits[winner] = min(max(hits, 0), strong[loser])
        if self.hits[winner] == 0:
            self.meet("11.15 the winner suffers nothing")
        self.take_hits(winner, self.hits[winner])

    # 11.10 to 11.13, 11.16.

    def follow_up(self):
        """Withdrawal and advance after a victory."""
        lead = self.value["attacker"] - self.value["defender"]
        defenders = self.stack["defender"]
        if not defenders.left():
            self.into_emptied("hits", lead)
            return
        if lead == 3:
            self.meet("11.12 by exactly 3")
        if lead >= 3:
            possible = self.ask_bool("forced-withdraw", "possible")
            if possible:
                self.meet("11.12 by 3: withdraws")
                self.withdraw()
            else:
                self.meet("11.12 by 3: cannot withdraw")
                for name in defenders.left():
                    defenders.state[name] = "eliminated"
            self.advance(self.stack["attacker"].good())
            return
        word = "11.10 defender" if lead < 0 else "11.12 by 1 or 2:"
        if not self.ask_bool("withdraw", "withdraw"):
            self.meet(word + " stays")
            return
        self.meet(word + " withdraws")
        self.withdraw()
        if not defenders.left():
            self.into_emptied("the pursuit", lead)
        elif lead > 0:
            horse = self.stack["attacker"].good("cavalry")
            if lead == 2 and horse and horse != self.stack["attacker"].good():
                self.meet("11.12 by exactly 2, cavalry and others left")
            self.meet("11.12 by 1 or 2: %s" % (
                "cavalry may advance" if horse
                else "no cavalry to advance"))
            self.advance(horse)

    def into_emptied(self, how, lead):
        """Advance into a hex whose whole stack is eliminated (11.13)."""
        if lead > 0:
            self.meet("11.13 emptied by %s, attacker won by %s" % (
                how, "3" if lead >= 3 else "1 or 2"))
        elif self.rulings["advance_into_emptied_hex"] == "always":
            self.meet("11.13 emptied by %s, defender won: advance" % how)
        else:
            self.meet("11.13 emptied by %s, defender won: ruled out" % how)
            return
        self.advance(self.stack["attacker"].good())

    def withdraw(self):
        """Withdraw the defending stack; cavalry may cut down one (11.16)."""
        self.withdrew = True
        stack = self.stack["defender"]
        if not self.stack["attacker"].good("cavalry"):
            types = [u["type"] for u in self.stack["attacker"].units.values()]
            if "cavalry" in types:
                self.meet("11.16 the attacking cavalry is disrupted")
            return
        if stack.good("cavalry"):
            self.meet("11.16 cavalry of one's own")
            return
        disrupted = [n for n in stack.left() if stack.state[n] != "good"]
        if not disrupted:
            self.meet("11.16 pursuit, nobody disrupted")
            return
        decision, place = self.table.decide(
            "defender", "pursuit-hit", {"unit": {"one": disrupted}}
        )
        name = read_one(decision, "pursuit-hit", "unit", disrupted, place)
        self.meet("11.16 pursuit hit")
        stack.hit(name)

    def advance(self, eligible):
        """Ask which of the units that may advance do, with commanders."""
        stack = self.stack["attacker"]
        if not eligible:
            self.meet("11.12 nobody can advance")
            return
        if len(stack.good()) < len(stack.left()):
            self.meet("11.12 disrupted attackers stay behind")
        commanders = list(stack.commanders)
        options = {"units": {"some": eligible}}
        if commanders:
            options = {
                "units": {
                    "rule": "advance",
                    "units": eligible,
                    "commanders": commanders,
                }
            }
        decision, place = self.table.decide("attacker", "advance", options)
        names = read_some(
            decision, "advance", "units", eligible + commanders, place
        )
        if names and not any(name in eligible for name in names):
            raise Refused(place + ".units", "commanders without a unit")
        self.advanced = names
        if not names:
            self.meet("advance: nobody goes")
        elif not commanders:
            self.meet("advance: no commander in the stack")
        else:
            self.meet("advance: with a commander"
                      if any(name in commanders for name in names)
                      else "advance: commander stays")

    # 11.19.

    def test_commanders(self):
        """Test the commanders who are left alone."""
        for side in SIDES:
            for stack in self.sides[side]:
                if stack.left() or not stack.commanders:
                    continue
                if stack.others_in_hex:
                    self.meet("11.19 others in the hex")
                    continue
                if stack.units:
                    self.meet("11.19 commander of %s alone" % (
                        "a support" if stack.role == "support"
                        else "the %s stack" % (
                            "attacking" if side == "attacker"
                            else "defending")))
                if self.winner == "tie":
                    self.meet("11.19 after a tie")
                if len(stack.commanders) > 1:
                    self.meet("11.19 several commanders of a stack")
                for name in stack.commanders:
                    self.tested[name] = self.test_commander(side, name)

    def test_commander(self, side, name):
        """Roll for a commander, and ask where he escapes to."""
        if self.table.roll("commander/%s" % name, 1)[0] == 1:
            self.meet("11.19 eliminated")
            return "eliminated"
        decision, place = self.table.decide(
            side, "commander-escape", {"to": {"rule": "stack"}}
        )
        want_kind(decision, place, "commander-escape", ("to",))
        if decision["to"] is None:
            self.meet("11.19 nowhere to go")
            return "eliminated"
        want_text(decision["to"], place + ".to")
        self.meet("11.19 escapes")
        return "escaped"

    def play(self):
        """Play the section's sequence; return the result."""
        if not self.stack["defender"].units:
            self.meet("11.19 unaccompanied commander attacked")
            self.advance(self.stack["attacker"].good())
        elif self.slip_away():
            self.advance(self.stack["attacker"].good())
        else:
            self.fight()
        self.test_commanders()
        units = {**self.states("attacker"), **self.states("defender")}
        return {
            "fav": self.value["attacker"],
            "fdv": self.value["defender"],
            "winner": self.winner,
            "hits": self.hits,
            "defender_withdrew": self.withdrew,
            "advanced": self.advanced,
            "units": units,
            "commanders": self.tested,
        }

    def fight(self):
        """Roll, and settle what comes of it."""
        self.values()
        lead = self.value["attacker"] - self.value["defender"]
        if lead == 0:
            self.meet("11.9 tie")
            self.winner = "tie"
            self.hits["attacker"] = 1
            self.take_hits("attacker", 1, only_stack=True)
            return
        self.winner = "attacker" if lead > 0 else "defender"
        self.meet("11.8 %s wins" % self.winner)
        self.inflict()
        self.follow_up()


def play(facts, rulings, tables, table):
    """Play a combat as System wants it."""
    return Combat(facts, rulings, table).play()


SYSTEM = System(
    "invasion-1812", RULINGS, read_facts, play, clauses=CLAUSES
)
resolve = SYSTEM.resolve


if __name__ == "__main__":
    sys.exit(SYSTEM.main(sys.argv))
