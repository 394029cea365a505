# SPDX-License-Identifier: ISC
"""The longest round of a tournament against signature checks: bench_pairing
takes both."""

import rig


class Pairing:
    """One run of the program is its own reference."""

    results = {"pairing": rig.Result(
        "the longest round of 128 players, against an Ed25519 check", "us",
        3000)}

    UNCONTROLLED = {"pairing"}

    def __init__(self, bench):
        self.bench = bench
        self.got = {}

    def setup(self):
        self.program = self.bench.program("tests/bench/bench_pairing")

    def reference(self):
        return {}

    def subject(self):
        self.got = rig.run_json([self.program, "128", "9"])
        return {"pairing": (self.got["check"], max(self.got["rounds"]))}

    def details(self, name):
        return self.got

    def teardown(self):
        pass


MEASURES = [Pairing]
