#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Adds up again every score that `umpire resolve --text` prints.

Reads that text from standard input and knows nothing of any rule: what is
printed must be enough to find the printed score. A score block is a line

  WHAT: N        as in "Final value of the attacker: 12"; not "Roll ...: N"

and the lines behind it that are indented by two blanks (what is indented
deeper goes on from the line before), taken in order from 0:

  REASON N                     adds N
  +N REASON, -N REASON         adds or takes away
  +a/b REASON, -a/b REASON     adds or takes away a fraction
  xa/b REASON                  multiplies what stands by the fraction
  divided by N                 divides what stands
  divided by N, rounded down   the same, downwards below 0 too
  rounded down
  at least N, at most N        raises or lowers what stands to N
  N in all, and no score is below 1
                               what stands is N, below 1: the score is 1

`(REASON)` may follow all but the first three. Fractions are exact. A bound
that changes nothing, or rounding that drops nothing, is wrong: what is printed
is what happened. The number of a block may end in ".5".

  readd.py [--want N] <TEXT

--want: there must be at least N score blocks. Exit status: 0 all come out,
1 one does not (it is printed), 2 too few blocks, 64 wrong usage.
"""

import math
import re
import sys
from fractions import Fraction

HEAD = re.compile(r"(?!Roll |Draw )\S.*: (-?\d+(?:\.5)?)\Z")
WHY = r"(?: \(.*\))?\Z"
SUM = re.compile(r"([+-]\d+(?:/\d+)?) \S.*\Z")
PRODUCT = re.compile(r"x(\d+(?:/\d+)?)(?: .*)?\Z")
QUOTIENT = re.compile(r"divided by (\d+)(, rounded down)?" + WHY)
FLOOR = re.compile(r"rounded down" + WHY)
LIMIT = re.compile(r"at (least|most) (-?\d+)" + WHY)
LOWEST = re.compile(r"(-?\d+) in all, and no score is below 1" + WHY)
PLAIN = re.compile(r"\S.* (-?\d+)\Z")


class Wrong(Exception):
    """A block does not come out."""


def blocks(text):
    """List the score blocks: (the score, the lines that lead to it)."""
    lines = []
    for line in text.splitlines():
        if line.startswith("   ") and lines:
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    found = []
    steps = None
    for line in lines:
        head = HEAD.match(line)
        if head:
            steps = []
            found.append((line, Fraction(head.group(1)), steps))
        elif not line.startswith("  "):
            steps = None
        elif steps is not None:
            steps.append(line.strip())
    return found


def fraction(text):
    """Read a/b or a whole number, signed or not."""
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise Wrong("divides by 0: %s" % text) from None


def rounded(stands, line):
    """Round down what is no whole number."""
    if stands.denominator == 1:
        raise Wrong("rounds nothing: %s" % line)
    return Fraction(math.floor(stands))


def step(stands, line):
    """Take one line; return what stands after it."""
    match = LOWEST.match(line)
    if match:
        if stands != int(match.group(1)) or stands >= 1:
            raise Wrong("%s stands where it says: %s" % (stands, line))
        return Fraction(1)
    match = SUM.match(line)
    if match:
        return stands + fraction(match.group(1))
    match = PRODUCT.match(line)
    if match:
        return stands * fraction(match.group(1))
    match = QUOTIENT.match(line)
    if match:
        stands = stands * fraction("1/" + match.group(1))
        return rounded(stands, line) if match.group(2) else stands
    if FLOOR.match(line):
        return rounded(stands, line)
    match = LIMIT.match(line)
    if match:
        limit = Fraction(match.group(2))
        bound = (max if match.group(1) == "least" else min)(stands, limit)
        if bound == stands:
            raise Wrong("changes nothing: %s" % line)
        return bound
    match = PLAIN.match(line)
    if match:
        return stands + int(match.group(1))
    raise Wrong("cannot be read: %s" % line)


def check(text):
    """Return (number of score blocks, what is wrong with them)."""
    wrong = []
    found = blocks(text)
    for head, score, steps in found:
        stands = Fraction(0)
        try:
            for line in steps:
                stands = step(stands, line)
            if stands != score:
                raise Wrong("the lines come to %s" % stands)
        except Wrong as e:
            wrong.append("\n  ".join(["%s: %s" % (head, e)] + steps))
    return len(found), wrong


def main(argv):
    """Check standard input."""
    want = 0
    if len(argv) == 3 and argv[1] == "--want" and argv[2].isdigit():
        want = int(argv[2])
    elif len(argv) != 1:
        print("usage: readd.py [--want N] <TEXT", file=sys.stderr)
        return 64
    found, wrong = check(sys.stdin.buffer.read().decode("utf-8"))
    for text in wrong:
        print(text)
    if wrong:
        return 1
    if found < want:
        print("%d score blocks, %d were wanted" % (found, want))
        return 2
    print("%d scores come out" % found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
