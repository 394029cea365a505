#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Requests of game.heal out of records, for comeback.sh.

  heads RECORD...          the file of last lines that a server with them has
  cuts RECORD N            N numbers of lines after which something waits: a
                           secret choice, dice, a combat; then those of the end
  blobs RECORD             params of blob.put, one a line
  lines RECORD FROM TO     params of game.heal, one a line, for lines FROM to
                           TO, the last not among them, as many as fit
"""
import hashlib
import json
import sys

MOST = 60000  # bytes of a request


def read(path):
    """The lines and the side lines of a record."""
    with open(path, encoding="utf-8") as f:
        every = f.read().splitlines()
    return ([s for s in every if s.startswith('{"v"')],
            [s for s in every if not s.startswith('{"v"')])


def waits(line):
    """How much waits behind a line: the more the better to cut there."""
    line = json.loads(line)
    kind = json.loads(line["order"])["kind"] if "order" in line else ""
    return (3 * ("owes" in line) + 3 * (kind in ("commit", "standing")) +
            (kind in ("declare", "decide")))


def main():
    """Does what the arguments say."""
    what, path = sys.argv[1:3]
    lines, side = read(path)
    if what == "heads":
        print("umpire heads 1")
        for path in sys.argv[2:]:
            lines, side = read(path)
            last = json.loads(lines[-1])
            print("head", last["game"], last["seq"],
                  hashlib.sha256(lines[-1].encode()).hexdigest())
    elif what == "cuts":
        n = int(sys.argv[3])
        # Of what waits alike, spread over the whole record.
        by = sorted(range(1, len(lines) - 1),
                    key=lambda i: (-waits(lines[i - 1]), i * 7919 % 101))
        cuts = (by + [len(lines) - 1] * n)[:n]
        print(*cuts, len(lines))
    elif what == "blobs":
        for text in side:
            text = json.loads(text)
            if "blob" in text:
                print(json.dumps({"value": text["value"]},
                                 separators=(",", ":")))
    elif what == "lines":
        game = json.loads(lines[0])["game"]
        texts = [s for s in side if s.startswith('{"text"')]
        here = []
        for line in lines[int(sys.argv[3]):int(sys.argv[4])] + [None]:
            if here and (line is None or
                         len(json.dumps(here + [line])) > MOST):
                named = [s for s in texts
                         if any(s[9:73] in one for one in here)]
                print(json.dumps({"game": game, "lines": here,
                                  "side": named}, separators=(",", ":")))
                here = []
            here.append(line)


main()
