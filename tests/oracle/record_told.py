# SPDX-License-Identifier: ISC
"""What a verifier tells of a good record besides its verdict.

Tellings is the part of Game (record_game.py) that counts what umpire-record.7
S10.2 names; told_otherwise() holds that against `umpire verify --json`. The
words for people are not compared.
"""

from record_parts import side_of

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def fingerprint(text):
    """The first 100 bits of a hash or key in hex, in four groups."""
    bits = int(text[:25], 16)
    letters = [CROCKFORD[bits >> 5 * i & 31] for i in range(19, -1, -1)]
    return "-".join("".join(letters[i : i + 5]) for i in range(0, 20, 5))


class Tellings:
    """What is counted; Game has the rest."""

    def start_telling(self):
        """Nothing has happened yet."""
        self.counts = {
            side: dict.fromkeys((
                "objections", "takebacks", "changes", "notices", "claims",
                "claims_without_effect", "silences", "stand_ins"), 0)
            for side in (1, 2)
        }
        self.objections = {}  # (seat, kind) -> how many
        self.rulings_given = self.rulings_in_force = 0
        self.judgements = self.unjudged = 0
        self.forfeit_at = None  # the line that ended the game by the clock
        self.forfeit_by = None  # the notice that it named
        self.forfeit_claim = None  # the claim: that line, or one ruled upon
        self.far_apart = set()  # lines whose two clocks were far apart

    def count(self, side, what):
        """Count something of a side."""
        if side:
            self.counts[side][what] += 1

    def count_objection(self, seat, kind):
        """Count an objection of a seat to something of a kind."""
        self.count(side_of(seat), "objections")
        key = (seat, kind)
        self.objections[key] = self.objections.get(key, 0) + 1

    def count_claim(self, line, order, effective, given):
        """Count a claim; given: it became a notice."""
        side = side_of(line["seat"])
        what = "claims" if effective else (
            "notices" if given else "claims_without_effect")
        if effective and order["args"].get("to") in self.silences:
            what = "silences"
        self.count(side, what)

    def result(self):
        """How the game ended, and who won."""
        how, winner = self.outcome or (None, 0)
        if how is None and self.finished:
            how = "closed" if self.server_closed else "stopped"
        return {"how": how, "winner": winner or None}

    def missing_texts(self):
        """How many texts that lines name are not there."""
        return len([
            value for kind, value in self.side.named
            if kind == "text" and value not in self.side.texts
        ])

    def told(self):
        """What umpire verify --json tells, under its names."""
        sides = [{"side": side, **counts}
                 for side, counts in sorted(self.counts.items())]
        for side in sides if self.witness_key() is None else ():
            del side["silences"], side["stand_ins"]
        keys = [
            {"seat": number, "account": seat.account,
             "fingerprints": sorted(map(fingerprint, seat.keys))}
            for number, seat in sorted(self.seats.items())
        ]
        told = {
            "finished": self.finished,
            "lines": len(self.hashes),
            "head": self.hashes[-1],
            "fingerprint": fingerprint(self.hashes[-1]),
            "game": self.game.hex(),
            "server": self.server_key,
            "scheme": self.create["scheme"],
            "keys": keys,
            "result": self.result(),
            "sides": sides,
            "rulings": self.rulings_in_force,
            "rulings_not_in_force": (
                self.rulings_given - self.rulings_in_force),
            "director_answers": self.director_answers,
            "judged": self.judgements,
            "unjudged": self.unjudged,
            "objections": [
                {"seat": seat, "kind": kind, "n": n}
                for (seat, kind), n in sorted(self.objections.items())
            ],
            "texts_missing": self.missing_texts(),
            "clocks": [self.apart[seat] for seat in sorted(self.apart)],
        }
        if self.restorings:
            last = max(self.restorings)
            told["restored"] = {
                "times": len(self.restorings), "line": last,
                "accepted": not self.restorings[last],
            }
        return told

    def looks(self):
        """What wants looking at: (what, the line)."""
        looks = [("restored", seq) for seq in self.restorings]
        looks += [("operator-key", each[4]) for each in self.newcomers]
        looks += [("witness", seq) for seq, say, _ in self.witness_notes
                  if say == "answered"]
        if not self.finished:
            looks.append(("unfinished", None))
        if self.forfeit_at is not None:
            by = self.forfeit_by
            if self.forfeit_claim in self.far_apart or (
                by is not None and by.seq in self.far_apart
            ):
                looks.append(("clocks", self.forfeit_claim))
            if by is None or not by.passed:
                looks.append(("forfeit", self.forfeit_at))
        return sorted(looks, key=str)


def pick(told, like):
    """Of what umpire tells the members that the second reading has, too."""
    if isinstance(like, dict) and isinstance(told, dict):
        return {k: pick(told.get(k), v) for k, v in like.items()}
    if isinstance(like, list) and isinstance(told, list):
        if len(told) == len(like):
            return [pick(a, b) for a, b in zip(told, like)]
    return told


def told_otherwise(game, told):
    """Say what umpire verify --json tells otherwise of a game; None."""
    mine = game.told()
    for each in told.get("keys", []):
        each["fingerprints"].sort()
    told["objections"].sort(key=lambda each: (each["seat"], each["kind"]))
    theirs = pick(told, mine)
    for name, value in mine.items():
        if theirs[name] != value:
            return "%s: %s by umpire, by the second reading %s" % (
                name, theirs[name], value)
    have = sorted(((each["what"], each.get("line"))
                   for each in told.get("looks", ())), key=str)
    if have != game.looks():
        return "looks: %s by umpire, by the second reading %s" % (
            have, game.looks())
    return None
