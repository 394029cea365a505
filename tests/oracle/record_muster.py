# SPDX-License-Identifier: ISC
"""Who is in the rosters: what joins, and what goes for good.

A Muster knows the ids of a game's units and commanders, whatever the system,
and which of them an adjustment may still name: umpire-record.7 S5.2.
"""

from record_form import MAX_BLOB, compact, is_int, is_text, want
from record_parts import MAX_ROSTER

LISTS = ("units", "commanders")
WITH_COMMANDERS = ("invasion-1812",)


class Muster:
    """The ids of both sides' units and commanders."""

    def __init__(self, blob, system):
        self.system = system
        self.where = {}  # id -> (side, list)
        self.gone = set()  # those taken away for good
        for side in (1, 2):
            for name in LISTS:
                for raw in blob["sides"][str(side)].get(name, ()):
                    want(is_text(raw.get("id")), "roster: no id")
                    want(raw["id"] not in self.where,
                         "roster: the id %r comes twice", raw["id"])
                    self.where[raw["id"]] = (side, name)
        # All ids that were ever there: no takeback frees one.
        self.used = set(self.where)
        self.bytes = 0  # of all that ever joined

    def save(self):
        """Copy what a takeback brings back."""
        return dict(self.where), set(self.gone)

    def load(self, saved):
        """Go back to what was copied; what was used stays so."""
        self.where, self.gone = dict(saved[0]), set(saved[1])

    def is_there(self, name):
        """Tell whether a unit or commander has this id now."""
        return name in self.where

    def side_of(self, name):
        """The side of a unit or commander."""
        want(name in self.where, "%r is in no roster", name)
        return self.where[name][0]

    def want_in_play(self, name):
        """Want a unit or commander that is there, and not gone for good."""
        want(name in self.where, "%r is in no roster", name)
        want(name not in self.gone, "%r is gone for good", name)

    def state(self, name):
        """What is known here of an id, to be compared."""
        return name in self.where, name in self.gone

    def check(self, units):
        """Check what an adjustment lets join, go, and change."""
        want(self.bytes + size_joining(units) <= MAX_BLOB,
             "more joins than a game has room for")
        sizes = {}
        for place in self.where.values():
            sizes[place] = sizes.get(place, 0) + 1
        for told in units:
            name = told["id"]
            if "joins" in told:
                place = (told["side"], told["joins"])
                want(name not in self.used, "the id %r was used", name)
                want(place[1] == "units" or self.system in WITH_COMMANDERS,
                     "%s has no commanders", self.system)
                sizes[place] = sizes.get(place, 0) + 1
                want(sizes[place] <= MAX_ROSTER, "no room in the roster")
                continue
            self.want_in_play(name)

    def carry_out(self, units):
        """Let units join, and go."""
        self.bytes += size_joining(units)
        for told in units:
            if "joins" in told:
                self.where[told["id"]] = (told["side"], told["joins"])
                self.used.add(told["id"])
            elif "gone" in told:
                self.gone.add(told["id"])


def size_joining(units):
    """The bytes of what joins, element by element."""
    return sum(
        len(compact(told).encode()) for told in units if "joins" in told
    )


def is_joining(change):
    """Tell whether a change that joins says where, and no more than that."""
    return (
        change["joins"] in LISTS
        and is_int(change.get("side"))
        and change["side"] in (1, 2)
        and "out" not in change
    )


def is_leaving(change):
    """Tell whether a change that takes away says nothing else."""
    return (
        change["gone"] is True
        and set(change) <= {"id", "gone", "out"}
        and change.get("out", "") is not None
    )
