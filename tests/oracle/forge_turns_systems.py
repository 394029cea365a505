# SPDX-License-Identifier: ISC
"""Games by turns of invasion-1812 and tlnb in which facts are agreed to.

The cases of forge_turns_agreed.py again where the facts are those of another
system: umpire-record.7 S6.3.
"""

import copy
import importlib

import forge_turns_agreed
from forge_turns import OtherTurns
from forge_turns_cases import CASES, Case
from record_rules import MODULES, place_unit

FOUGHT = {
    "invasion-1812": lambda own, enemy: {
        "attacker": {"stack": {"units": own}},
        "defender": {"stack": {"units": enemy}},
        "terrain": "clear",
    },
    "tlnb": lambda own, enemy: {
        "kind": "attack", "attackers": own, "defenders": enemy,
    },
}
# What asks for another combat, or for a standing order.
NOT_ALIKE = (
    "facts_game", "facts_takeback_game", "facts_standing_game",
    "facts_standing_acts", "facts_default_game", "facts_other_kind",
    "facts_judged_roll_game", "facts_unknown",
)


class FoughtTurns(OtherTurns):
    """Games with combats of a system that the setting names."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        name = MODULES[self.system].__name__ + "_cases"
        self.answers = importlib.import_module(name).CASES.lawful_decision

    def lawful(self, ask):
        """Make a lawful decision."""
        return self.answers(self.rng, ask, self.scenario())

    def targets(self, declared):
        """The id that the place names."""
        return [place_unit(self.system, declared)]

    def plain(self):
        """A combat of one unit with one."""
        sides = (self.side(), 3 - self.side())
        told = [[{"id": i} for i in self.roster[s]] for s in sides]
        full = [list(self.roster[s].values()) for s in sides]
        make = FOUGHT[self.system]
        return copy.deepcopy((make(*told), make(*full)))

    def guns(self):
        """Another one; there is no other."""
        return self.plain()

    def write_back(self, result):
        """No case fights on with what is left."""


# --- Facts that are agreed to ---


for name, each in list(CASES.items()):
    if getattr(forge_turns_agreed, name, None) is not each.play:
        continue
    if name in NOT_ALIKE:
        continue
    for system in FOUGHT:
        CASES["%s_%s" % (name, MODULES[system].__name__)] = Case(
            each.play, {**each.settings, "system": system}, each.status,
            each.bare, FoughtTurns,
        )
