#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
What reaches a terminal, byte by byte.

  terminal.py run FILE COLUMNS COMMAND...
      runs the command with a terminal of 24 lines as its standard input,
      output and error, writes all that it prints to FILE, and exits with its
      status.  Standard input has what is typed there, a step a line:
      "wait REGEX" waits until what was printed since the last step matches,
      "type TEXT" types TEXT and Enter into an editor of lines, once that
      has the terminal, which otherwise echoes; "press TEXT" types TEXT alone
      there, "keys TEXT" at once.
  terminal.py fits FILE COLUMNS COMMAND...
      does that and then as "long" says
  terminal.py hostile [FROM [TO]]
      prints the characters that no terminal may be given by a stranger, or
      those numbered FROM up to TO, each behind its number in brackets
  terminal.py drives FILE...
      prints what of them stands in a file behind its number, and the
      controls that no program needs to tell text; exits 1 if there are any
  terminal.py long COLUMNS FILE
      prints the lines of a terminal's bytes that are longer, though words end
      before, and are no command; exits 1 if there are any
"""

# re and signal, which take longer to start than all the rest, are imported where
# they are needed.
# pylint: disable=import-outside-toplevel

import os
import pty
import select
import struct
import sys
import termios
import time
import fcntl

WAIT = 30  # seconds for a step

# Not NUL, which no argument can hold, and not the ends of lines.
HOSTILE = (
    [c for c in range(1, 0x20) if c not in (9, 10)]
    + list(range(0x7F, 0xA0))
    + [0x61C, 0x200E, 0x200F]
    + list(range(0x202A, 0x202F))
    + list(range(0x2066, 0x206A))
    + list(range(0xFFF9, 0xFFFC))
)
# What only a stranger can have written, wherever it stands.
ALWAYS = [chr(c).encode() for c in HOSTILE if c >= 0x7F]


def hostile(start=0, end=None):
    """Each character behind its number: no two can be taken for others."""
    return "".join("[%x%s" % (c, chr(c)) for c in HOSTILE[start:end])


def matches(regex, text):
    """True if a line of the text matches."""
    import re

    return re.search(regex.encode(), text, re.M)


def is_echoing(fd):
    """True if the terminal itself edits lines and echoes what is typed."""
    return termios.tcgetattr(fd)[3] & termios.ICANON != 0


def run(path, columns, command):
    """Runs the command there; the steps come from standard input."""
    pid, fd = pty.fork()
    if pid == 0:
        size = struct.pack("HHHH", 24, columns, 0, 0)
        fcntl.ioctl(0, termios.TIOCSWINSZ, size)
        os.execvp(command[0], command)
    seen = bytearray()
    since = 0
    steps = [s.rstrip("\n").split(" ", 1) for s in sys.stdin]
    end = time.monotonic() + WAIT
    with open(path, "wb", 0) as out:
        while True:
            while steps and steps[0][0] != "wait":
                if steps[0][0] in ("type", "press") and is_echoing(fd):
                    break
                what, text = steps.pop(0)
                os.write(fd, (text + ("\r" if what == "type" else "")).encode())
                end = time.monotonic() + WAIT
            if steps and steps[0][0] == "wait" and matches(
                steps[0][1], seen[since:]
            ):
                since = len(seen)
                steps.pop(0)
                continue
            if time.monotonic() > end:
                print("terminal.py: nothing came of:", steps, file=sys.stderr)
                import signal

                os.kill(pid, signal.SIGKILL)
                break
            if not select.select([fd], [], [], 0.02)[0]:
                continue
            try:
                got = os.read(fd, 65536)
            except OSError:
                break
            if not got:
                break
            seen += got
            out.write(got)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def drives(paths):
    """Looks for what drives a terminal."""
    bad = 0
    for path in paths:
        with open(path, "rb") as f:
            data = f.read()
        found = [c for c in ALWAYS if c in data]
        found += [
            b"[%x%c" % (c, c) for c in HOSTILE if c < 0x7F and b"[%x%c" % (c, c) in data
        ]
        for c in found:
            at = data.index(c)
            print("%s: %r in %r" % (path, c, data[max(0, at - 60) : at + 20]))
        bad += len(found)
    return 1 if bad else 0


def too_long(columns, path):
    """Looks for lines that the terminal breaks as it likes."""
    import re

    with open(path, "rb") as f:
        text = f.read().decode(errors="replace")
    # What the editor of lines does about the line that is typed.
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>].?|[\x0e\x0f\x07]", "", text)
    bad = 0
    for line in text.split("\n"):
        line = line.rstrip("\r").split("\r")[-1]
        # The prompt, its end and what is typed behind it go on as they do.
        if re.search(r"> ", line) and len(re.sub(r"> .*", "> ", line)) <= columns:
            continue
        # A command is there to be copied and stays whole.
        if re.fullmatch(r" *(`[^`]+`\S*|umpire .+)", line):
            continue
        if len(line) > columns and " " in line.strip():
            print(line)
            bad += 1
    return 1 if bad else 0


def main():
    """Does as the command line says."""
    what = sys.argv[1]
    if what == "run":
        return run(sys.argv[2], int(sys.argv[3]), sys.argv[4:])
    if what == "fits":
        run(sys.argv[2], int(sys.argv[3]), sys.argv[4:])
        return too_long(int(sys.argv[3]), sys.argv[2])
    if what == "hostile":
        sys.stdout.write(hostile(*(int(s) for s in sys.argv[2:])))
        return 0
    if what == "long":
        return too_long(int(sys.argv[2]), sys.argv[3])
    return drives(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
