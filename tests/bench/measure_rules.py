# SPDX-License-Identifier: ISC
"""A whole combat against its dice alone: bench_rules takes both in turn."""

import rig


class Rules:
    """One run of the program is its own reference."""

    results = {"rules_combat": rig.Result(
        "a combat of lasalle2, against throwing its dice", "ns", 5.0)}

    UNCONTROLLED = {"rules_combat"}

    def __init__(self, bench):
        self.bench = bench
        self.got = {}

    def setup(self):
        self.program = self.bench.program("tests/bench/bench_rules")

    def reference(self):
        return {}

    def subject(self):
        self.got = rig.run_json([self.program, "--json"])
        return {"rules_combat": (self.got["dice_block"]["ns"],
                                 self.got["combat_block"]["ns"])}

    def details(self, name):
        return self.got

    def teardown(self):
        pass


MEASURES = [Rules]
