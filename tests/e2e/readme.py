#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""README's commands, typed as they stand.

usage: readme.py README SECTION LOG

Every indented line below the heading SECTION is typed into a shell of its own
in a terminal of 80x24, one after the other; what is exported stays.  umpired
goes into the background, since README gives it a terminal of its own.  What is
asked "y/n" is answered y, pages are turned, words are on paper, and "umpire
play" is left by "quit".  The screens are left in LOG.  For each command a line is printed: its
status, and what was typed.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

PATIENCE = 20  # seconds until a silent command is given up


def commands(path, section):
    """What is indented by four blanks below the heading, without comments."""
    inside, joined = False, ""
    with open(path, encoding="utf-8") as f:
        for line in f:
            line = line.rstrip("\n")
            if line and line == line.upper() and not line.startswith(" "):
                inside = line == section
            elif inside and line.startswith("    "):
                joined += re.sub(r"\s+# .*", "", line.strip())
                if joined.endswith("\\"):
                    joined = joined[:-1]
                    continue
                yield joined
                joined = ""


def answer(screen, command):
    """What to type at the prompt that the screen ends with; None: wait."""
    last = screen.rsplit("\n", 1)[-1]
    if re.search(r"\by/n\b[^\n]*[?:>\]] ?$", last, re.I):
        return "y"
    if last.startswith(("Enter: more", "When they are on paper, press Enter")):
        return ""
    if "umpire play" in command and re.search(r"> ?$", last):
        return "quit"
    return None


def plain(text):
    """Without what moves the cursor or colours."""
    text = re.sub(r"\x1b(\[[0-9;?]*[@-~]|[()].|[=>])", "", text)
    return re.sub(r"[\x00-\x08\x0b-\x1f]", "", text)


def run(command, log):
    """Types one command; its status."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execvp("bash", ["bash", "-c", command])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    whole, since = "", ""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        ready, _, _ = select.select([fd], [], [], 0.05)
        if ready:
            try:
                data = os.read(fd, 65536)
            except OSError:
                break
            if not data:
                break
            text = plain(data.decode("utf-8", "replace"))
            whole += text
            since += text
            until = time.monotonic() + PATIENCE
            continue
        reply = answer(since, command)
        if reply is not None:
            os.write(fd, reply.encode() + b"\r")
            since = ""
    else:
        os.kill(pid, signal.SIGKILL)
        log.write("never answered: %r\n" % since)
    log.write("$ %s\n%s\n" % (command, whole))
    log.flush()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(fd)
    return status, whole


def main():
    path, section, log_path = sys.argv[1:]
    exported, game, daemon = "", "GAME", None
    with open(log_path, "w", encoding="utf-8") as log:
        for command in commands(path, section):
            if command.startswith("export "):
                exported += command + "; "
                print(0, command, flush=True)
                continue
            typed = command.replace(" GAME ", " %s " % game)
            if command.startswith("umpired -c "):
                daemon = os.spawnlp(os.P_NOWAIT, "bash", "bash", "-c",
                    "%sexec %s >>%s.umpired 2>&1" % (exported, typed, log_path))
                for _ in range(200):
                    with open(log_path + ".umpired", "a+") as f:
                        f.seek(0)
                        if "listening" in f.read():
                            break
                    time.sleep(0.05)
                ended, status = os.waitpid(daemon, os.WNOHANG)
                print(os.waitstatus_to_exitcode(status) if ended else 0,
                    command, flush=True)
                daemon = None if ended else daemon
                continue
            status, screen = run(exported + typed, log)
            found = re.search(r"^ *([0-9a-f]{8}) ", screen, re.M)
            if " games " in command and found:
                game = found.group(1)
            print(status, command, flush=True)
    if daemon is not None:
        os.kill(daemon, signal.SIGTERM)
        os.waitpid(daemon, 0)


main()
