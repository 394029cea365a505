# SPDX-License-Identifier: ISC
"""Games by turns of leniston-2009: which fight a brigade goes on with.

What the game knows of it is in umpire-rules.7 12.8.
"""

from forge_turns_cases import case, here
from forge_turns_faults import EITHER, bad, put
from forge_turns_systems import FoughtTurns


class Brigades(FoughtTurns):
    """Games of leniston-2009: one brigade a side."""

    def fight(self, rule, follows=None, declared=None):
        """Fight at the edge or inside, and find the facts lawful.

        follows is what the game knows of it, declared what the order says.
        """
        mine, theirs = self.side(), 3 - self.side()
        told, full = {"rule": rule}, {"rule": rule}
        for name, side in (("attacker", mine), ("defender", theirs)):
            (uid, unit), = self.roster[side].items()
            told[name] = {"id": uid, "orders": "attack", "position": "bua"}
            full[name] = {**told[name], **unit}
        full.update({follows: True} if follows else {})
        told.update(declared or {})
        self.declare((told, full))
        here(self.combat is None)

    def write_back(self, result):
        """Casualties and states; the combats end here."""
        for units in self.roster.values():
            for name, end in result["units"].items():
                if name in units:
                    here(end["state"] != "rout")
                    units[name].update(
                        casualties=end["casualties"], state=end["state"])
        self.retired = [n for n, e in result["units"].items()
                        if e.get("retires")]

    def round_events(self):
        """Form those that are disordered."""
        events = []
        for side in (1, 2):
            for name, unit in self.roster[side].items():
                if unit.get("state") == "disordered":
                    unit["state"] = "formed"
                    events.append({"e": "upkeep", "unit": name,
                                   "what": "formed"})
        return events


# --- The fights of a brigade ---

LENISTON = {"system": "leniston-2009"}


def won(f):
    """Begin, and drive the defender from the edge."""
    f.begin()
    f.fight("bua-edge")
    (mine, unit), = f.roster[f.side()].items()
    here(mine not in f.retired and f.retired)
    here(unit["state"] == "disordered")


def inside(f):
    """And fight inside."""
    won(f)
    f.fight("bua-inside", "follows_edge")
    (unit,) = f.roster[f.side()].values()
    here(unit["state"] == "disordered")


@case(LENISTON, made=Brigades)
def follows_game(f):
    """A brigade goes on inside, and once more."""
    inside(f)
    f.fight("bua-inside", "follows_inside")
    f.close()


@case(LENISTON, made=Brigades)
def follows_stated_game(f):
    """Who states that they follow from the edge is believed."""
    inside(f)
    f.fight("bua-inside", "follows_edge", {"follows_edge": True})
    f.close()


@case(LENISTON, made=Brigades)
def follows_forgotten_game(f):
    """When the round ends all is forgotten."""
    won(f)
    f.end_turn()
    f.end_turn()
    f.fight("bua-inside")
    f.close()


@case(LENISTON, made=Brigades)
def follows_taken_back_game(f):
    """A takeback brings back what was known before."""
    inside(f)
    f.takeback(2, max(f.undo))
    f.fight("bua-inside", "follows_edge")
    f.close()


def lies(before, follows, lie, declared=None):
    """Make a game whose event says otherwise which fight goes on."""
    def play(f):
        before(f)
        f.next_line(lambda m: (m["events"][0].pop(follows, None),
                               m["events"][0].update(lie)))
        f.fight("bua-inside", follows, declared)

    return play


def formed_again(f):
    """Drive it from the edge; the round ends."""
    won(f)
    f.end_turn()
    f.end_turn()


def idle(f):
    """Begin with an attacker that is formed."""
    f.begin()


EDGE, INSIDE = {"follows_edge": True}, {"follows_inside": True}
for name, play in {
    "inside_for_edge": lies(won, "follows_edge", INSIDE),
    "edge_for_inside": lies(inside, "follows_inside", EDGE),
    "edge_of_nobody": lies(idle, "follows_edge", EDGE),
    "inside_of_nobody": lies(idle, "follows_inside", INSIDE),
    "inside_stated": lies(won, "follows_inside", INSIDE, INSIDE),
    "inside_denied": lies(inside, "follows_edge", EDGE,
                          {"follows_inside": False}),
    "edge_forgotten": lies(formed_again, "follows_edge", EDGE),
    "inside_forgotten": lies(formed_again, "follows_inside", INSIDE),
}.items():
    play.__name__ = "follows_" + name
    play.__doc__ = "The event tells of another fight."
    bad(LENISTON, EITHER, made=Brigades)(play)


@bad(LENISTON, EITHER, made=Brigades)
def brigade_formed(f):
    """The event has a brigade formed that is not."""
    won(f)
    f.next_line(lambda m: m["events"][0]["attacker"].update(state="formed"))
    f.fight("bua-inside", "follows_edge")


@bad(LENISTON, EITHER, made=Brigades)
def brigade_not_formed(f):
    """The end of a round forgets to form it."""
    won(f)
    f.end_turn()
    f.next_line(put("events", []))
    f.end_turn()
