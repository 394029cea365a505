#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Copies of a tournament, and checkpoints of them, for cupcopy.sh.

make FOLDER             writes a Swiss, FOLDER/true, and the same up to a line
                        that pairs otherwise, FOLDER/other; prints id and number
                        of that line, from 1
checkpoint KEY FILE COPY [BYTES [SOURCES]]
                        writes FILE, a checkpoint, anew, as the profile with
                        KEY would have it of the first BYTES of COPY
"""

import hashlib
import hmac
import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))

from tournament_forge import Done, Forger  # noqa: E402
from tournament_play import Player  # noqa: E402

PLAYERS, ROUNDS, OTHER = 10, 4, 3
LABEL = b"umpire/checkpoint-tournament/1\0"
FORM = "<64s32s32sQ32s"


def turned(_maker, line, _rng):
    """Change who has which side at the first table of a round."""
    for event in line["events"]:
        if event["e"] == "pairing" and event["round"] == OTHER:
            event["tables"][0].reverse()
            return True
    return False


def play(path, fault):
    """Write the lines of a tournament; return its maker."""
    player = Player("copies", True, format="swiss", rounds=ROUNDS,
                    maker=Forger)
    player.maker.fault = (fault, True, random.Random(1))
    try:
        player.play(PLAYERS)
    except Done:
        pass
    with open(path, "wb") as f:
        f.write(b"".join(line + b"\n" for line in player.maker.raw))
    return player.maker


def checkpoint(key, path, copy, size=None, sources=None):
    """Write a checkpoint with the MAC that fits."""
    with open(copy, "rb") as f:
        lines = f.read()[:int(size) if size else None]
    with open(path, "rb") as f:
        was = struct.unpack_from(FORM, f.read())
    with open(key, "r", encoding="ascii") as f:
        seed = bytes.fromhex(f.read().strip())
    body = struct.pack(
        FORM, sources.encode() if sources else was[0], was[1], was[2],
        len(lines), hashlib.sha256(lines).digest())
    mac = hmac.new(hmac.digest(seed, LABEL, "sha256"), body, "sha256")
    with open(path, "wb") as f:
        f.write(body + mac.digest())


if sys.argv[1] == "make":
    TRUE = play(os.path.join(sys.argv[2], "true"), lambda *_: False)
    MADE = play(os.path.join(sys.argv[2], "other"), turned)
    assert TRUE.raw[:MADE.label - 1] == MADE.raw[:-1]
    print(TRUE.cup.id.hex(), MADE.label)
else:
    checkpoint(*sys.argv[2:])
