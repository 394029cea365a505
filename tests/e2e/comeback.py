#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Requests of game.heal out of records, for comeback.sh.

  heads RECORD...          the file of last lines that a server with them has
  cuts N RECORD...         for each its path, and N numbers of lines after which
                           something waits: a secret choice, dice, a combat;
                           then those of the end
  blobs RECORD...          params of blob.put, one a line, each once
  lines <LIST              for each line OUT RECORD FROM TO of the list into the
                           file OUT params of game.heal, one a line, for the
                           record's lines FROM to TO, the last not among them,
                           as many as fit
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


def requests(lines, side, start, end):
    """Params of game.heal for the lines from start to end, as many as fit."""
    game = json.loads(lines[0])["game"]
    texts = [s for s in side if s.startswith('{"text"')]
    here, size = [], 0
    for line in lines[start:end] + [None]:
        size += len(json.dumps(line)) + 1
        if here and (line is None or size > MOST):
            named = [s for s in texts if any(s[9:73] in one for one in here)]
            yield json.dumps({"game": game, "lines": here, "side": named},
                             separators=(",", ":")) + "\n"
            here, size = [], len(json.dumps(line)) + 1
        here.append(line)


def main():
    """Does what the arguments say."""
    what = sys.argv[1]
    if what == "heads":
        print("umpire heads 1")
        for path in sys.argv[2:]:
            lines, _ = read(path)
            last = json.loads(lines[-1])
            print("head", last["game"], last["seq"],
                  hashlib.sha256(lines[-1].encode()).hexdigest())
    elif what == "cuts":
        n = int(sys.argv[2])
        for path in sys.argv[3:]:
            lines, _ = read(path)
            # Of what waits alike, spread over the whole record.
            by = sorted(range(1, len(lines) - 1),
                        key=lambda i: (-waits(lines[i - 1]), i * 7919 % 101))
            cuts = (by + [len(lines) - 1] * n)[:n]
            print(path, *cuts, len(lines))
    elif what == "blobs":
        sides = [text for path in sys.argv[2:] for text in read(path)[1]]
        for text in dict.fromkeys(sides):
            text = json.loads(text)
            if "blob" in text:
                print(json.dumps({"value": text["value"]},
                                 separators=(",", ":")))
    elif what == "lines":
        for one in sys.stdin.read().splitlines():
            out, path, start, end = one.split()
            with open(out, "w", encoding="utf-8") as f:
                f.writelines(requests(*read(path), int(start), int(end)))


main()
