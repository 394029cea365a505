#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""The vectors and the samples of umpire-tournament-record.7, made again.

  tournament_vectors.py [--umpire COMMAND] [--write]

tests/record/tournament-vectors.json holds an id, an oid, a mark and all from
the pool to the lots for keys that are fixed; the section EXAMPLES of the
manual holds the same. tests/record/sample-tournament-NAME have whole
tournaments with their games, whose events are those of `umpire resolve`: only
with --umpire they are made again. --write makes the files anew.
Exit status: 0 all as they are there, 1 not all, 64 wrong usage.
"""

import argparse
import hashlib
import json
import os
import shlex
import sys
import unittest

import record_crypto as crypto
import tournament_verify
from forge import (
    UmpireEvents,
    beta_of,
    dice_public,
    ed_expand,
    ed_sign,
    vrf_prove,
)
from record_form import compact, read_line
from record_orders import read_order
from tournament import Tournament
from tournament_play import Player
from tournament_swiss import pairing

HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = os.path.join(HERE, "..", "record")
MANUAL = os.path.join(
    HERE, "..", "..", "common", "umpire-tournament-record.7")
VECTORS = os.path.join(RECORD, "tournament-vectors.json")
SAMPLE = os.path.join(RECORD, "sample-tournament-%s")
SAMPLES = ("knockout", "swiss")
SWISS_SEED = "swiss 55"
SAMPLE_AT = 1793984461042
CUP = crypto.sha256(b"umpire test tournament")
# RFC 9381, example 10: the server's dice key in record_vectors.py, too.
SERVER_DICE = bytes.fromhex(
    "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
SERVER = crypto.sha256(b"umpire test server")
PLAYERS = 11


def dice_of(number):
    """The secret of an entrant's dice key."""
    return crypto.sha256(b"umpire test entrant %d" % number)


def pool_0(numbers):
    """The pool of `shut`."""
    keys = b"".join(n.to_bytes(4, "big") + dice_public(dice_of(n))
                    for n in numbers)
    return crypto.sha256(
        crypto.tag("tstart/1"), CUP, dice_public(SERVER_DICE),
        len(numbers).to_bytes(4, "big"), keys)


def moved(pool, *parts):
    """The pool after contributions, or after lost lines."""
    return crypto.sha256(crypto.tag("tpool/1"), pool, *parts)


def own_alpha(pool, place):
    """What an entrant proves."""
    return crypto.tag("own/1") + crypto.base_of(CUP, pool, place)


def lots(pool, numbers, more=b""):
    """Alpha, proof, beta and what they draw, as JSON has them."""
    alpha = crypto.tag("lots/1") + crypto.base_of(CUP, pool, "l/1") + more
    beta = beta_of(SERVER_DICE, alpha)
    order, side = Tournament.roll_lots(beta, numbers)
    return {
        "alpha": alpha.hex(),
        "proof": vrf_prove(SERVER_DICE, alpha).hex(),
        "beta": beta.hex(),
        "order": [int(chit) for chit in order["chits"]],
        "side": side["dice"][0],
    }


def make_vectors():
    """All vectors."""
    numbers = list(range(1, PLAYERS + 1))
    first = pool_0(numbers)
    betas = {n: beta_of(dice_of(n), own_alpha(first, "c/0"))
             for n in numbers}
    count = len(numbers).to_bytes(4, "big")
    second = moved(first, count, *betas.values())
    witness = crypto.sha256(b"umpire test witness")
    again = moved(first, (40).to_bytes(8, "big"))
    text = '{"v":1}'
    line = b'{"v":1,"tournament":"%s"' % CUP.hex().encode()
    return {
        "tournament": CUP.hex(),
        "order": {
            "text": text,
            "id": crypto.sha256(
                crypto.tag("tournament/1"), text.encode()).hex(),
            "oid": crypto.sha256(
                crypto.tag("entry/1"), text.encode()).hex(),
            "key": ed_expand(SERVER)[2].hex(),
            "sig": ed_sign(
                SERVER, crypto.tag("entry/1") + text.encode()).hex(),
        },
        "mark": {
            "line": line.decode(),
            "mark": ed_sign(
                SERVER, crypto.tag("mark/1") + crypto.sha256(line)).hex(),
        },
        "server_dice": dice_public(SERVER_DICE).hex(),
        "entrants": [
            {"entrant": n, "dice_key": dice_public(dice_of(n)).hex(),
             "own": vrf_prove(dice_of(n), own_alpha(first, "c/0")).hex(),
             "beta": betas[n].hex()}
            for n in numbers
        ],
        "pool_0": first.hex(),
        "base_c_0": crypto.base_of(CUP, first, "c/0").hex(),
        "pool_1": second.hex(),
        "base_l_1": crypto.base_of(CUP, second, "l/1").hex(),
        "lots": lots(second, numbers),
        "without_11": lots(
            moved(first, (10).to_bytes(4, "big"),
                  *(betas[n] for n in numbers[:10])), numbers[:10]),
        "with_witness": {
            "dice_key": dice_public(witness).hex(),
            "own_beta": beta_of(witness, own_alpha(second, "l/1")).hex(),
            **lots(second, numbers,
                   beta_of(witness, own_alpha(second, "l/1"))),
        },
        "restored_in_line_40": again.hex(),
    }


class Late(Player):
    """Somebody enters late, before round 2."""

    def before_round(self, number):
        """Let them enter."""
        super().before_round(number)
        if number == 2:
            self.maker.admit(self.maker.enter())


def make_sample(name, command):
    """A small tournament with its games: name -> bytes."""
    events = UmpireEvents(command)
    if name == "knockout":
        player = Player("sample", calm=True, format="knockout",
                        terms={"third": True}, events=events, at=SAMPLE_AT)
        maker = player.play(4)
    else:
        player = Late(SWISS_SEED, format="swiss", rounds=3, late_entry=2,
                      events=events, at=SAMPLE_AT, terms={
                          "byes": 1, "bye_points": "half", "apart": 1})
        maker = player.play(5)
    files = {name + ".jsonl": data for name, data in maker.files.items()}
    files["tournament.jsonl"] = maker.file()
    return files


def read_sample(name):
    """A sample as it is there."""
    files = {}
    for each in os.listdir(SAMPLE % name):
        with open(os.path.join(SAMPLE % name, each), "rb") as f:
            files[each] = f.read()
    return files


def write(command):
    """Write vectors and samples."""
    with open(VECTORS, "w", encoding="utf-8") as f:
        json.dump(make_vectors(), f, indent=1)
        f.write("\n")
    for sample in SAMPLES:
        folder = SAMPLE % sample
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        for name, data in make_sample(sample, command).items():
            with open(os.path.join(folder, name), "wb") as f:
                f.write(data)


class Vectors(unittest.TestCase):
    """What is written down, made again."""

    command = None

    def test_vectors(self):
        """The file."""
        with open(VECTORS, encoding="utf-8") as f:
            self.assertEqual(json.load(f), make_vectors())

    def test_manual(self):
        """The section of examples has each value that it gives."""
        with open(MANUAL, encoding="utf-8") as f:
            page = f.read().split(".Sh EXAMPLES", 1)[1]
        made = make_vectors()
        for value in (
            made["tournament"], made["order"]["id"], made["order"]["oid"],
            made["mark"]["mark"][:64], made["mark"]["mark"][64:],
            made["pool_0"], made["entrants"][0]["beta"], made["pool_1"],
            made["base_l_1"], made["lots"]["beta"],
            " ".join(map(str, made["lots"]["order"])),
            made["without_11"]["beta"],
            " ".join(map(str, made["without_11"]["order"])),
            made["with_witness"]["own_beta"], made["with_witness"]["beta"],
            " ".join(map(str, made["with_witness"]["order"])),
            made["restored_in_line_40"],
            *(hashlib.sha256(self.lines(name)[-1]).hexdigest()
              for name in SAMPLES),
        ):
            self.assertIn(value, page)

    def lines(self, name):
        """The lines of a sample, without its side lines."""
        data = read_sample(name)["tournament.jsonl"]
        return [line for line in data.split(b"\n")
                if line.startswith(b'{"v"')]

    def test_samples(self):
        """The samples are good with their games, not checkable without."""
        for name in SAMPLES:
            files = read_sample(name)

            def read(game, files=files):
                return files.get(game + ".jsonl")

            data = files["tournament.jsonl"]
            status, text = tournament_verify.verify(data, read)
            if name == "swiss" and pairing is None:
                self.assertEqual(status, 2, text)
                continue
            self.assertEqual((status, text[:5]), (0, "good:"), text)
            self.assertIn("finished", text)
            status, text = tournament_verify.verify(data, read, games=False)
            self.assertEqual(status, 2, text)
            status, text = tournament_verify.verify(data)
            self.assertEqual(status, 2, text)

    def test_samples_are_whole(self):
        """The maker makes the samples again, byte for byte."""
        if self.command is None or pairing is None:
            self.skipTest("without umpire there are no events")
        for name in SAMPLES:
            self.assertEqual(
                make_sample(name, self.command), read_sample(name))

    def test_bent(self):
        """A line of a sample that is bent is named."""
        lines = read_sample("knockout")["tournament.jsonl"].split(b"\n")
        count = len(self.lines("knockout"))
        for i in (1, count // 2, count - 1):
            order = read_line(lines[i]).get("order")
            bent = list(lines)
            bent[i] = lines[i].replace(b'"at":"2026', b'"at":"2027')
            self.assertNotEqual(bent[i], lines[i])
            status, text = tournament_verify.verify(b"\n".join(bent))
            self.assertEqual(status, 1, text)
            self.assertIn("line %d: the mark" % (i + 1), text)
            if order is not None:
                self.assertEqual(compact(read_order(order)), order)


def main(argv):
    """Write the files, or check them."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--umpire")
    parser.add_argument("--write", action="store_true")
    try:
        args = parser.parse_args(argv)
    except SystemExit as e:
        return 64 if e.code else 0
    if args.umpire is not None:
        Vectors.command = shlex.split(args.umpire)
    if args.write:
        if Vectors.command is None:
            print("tournament_vectors.py: --write needs --umpire",
                  file=sys.stderr)
            return 64
        write(Vectors.command)
        return 0
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Vectors)
    return not unittest.TextTestRunner().run(suite).wasSuccessful()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
