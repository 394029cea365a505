# SPDX-License-Identifier: ISC
"""What a long game costs who plays it.

  play_prompt  CPU of umpire play for a line that is said and told, up to the
               next prompt, in a game of 2,000 lines and in one of 10

In the control each line of the long game is said by a umpire of its own, which
finds no checkpoint beside the copy.
"""

import os
import pty
import re
import resource
import select
import time

import partner
import rig
from rig import Result

FEW, MANY = 10, 2000
SAID = 20  # lines that are said in a run
WAIT_S = 60
ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>].?|[\x07\x0e\x0f]")


class Terminal:
    """umpire play in a terminal."""

    def __init__(self, argv, environ):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(argv[0], argv, environ)
        self.wait(0)

    def cpu_s(self):
        return sum(int(open(f"/proc/{self.pid}/task/{t}/schedstat",
                            encoding="ascii").read().split()[0])
                   for t in os.listdir(f"/proc/{self.pid}/task")) / 1e9

    def wait(self, lines):
        """Waits for so many ends of lines, and then for a prompt."""
        seen, end = b"", time.monotonic() + WAIT_S
        while time.monotonic() < end:
            if not select.select([self.fd], [], [], 1)[0]:
                continue
            seen += os.read(self.fd, 65536)
            text = ESCAPES.sub(b"", seen)
            if text.endswith(b"> ") and text.count(b"\n") >= lines:
                return
        raise RuntimeError(f"no prompt: {seen[-500:]!r}")

    def say(self, text):
        os.write(self.fd, b"say " + text.encode() + b"\r")
        # What was typed, and the line that came of it.
        self.wait(2)

    def stop(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


class Play:
    """A player in two games, one of them long."""

    results = {"play_prompt": Result(
        f"a line said in play, in a game of {MANY} lines", "ms", 1.2)}

    def __init__(self, bench):
        self.bench = bench
        self.running = []
        self.said = 0

    def start(self, thing):
        self.running.append(thing)
        return thing

    def setup(self):
        paths = partner.programs(self.bench)
        self.umpire = self.bench.program("umpire")
        daemon = self.start(
            partner.daemon(paths, self.bench.work / "daemon"))
        fill = partner.fill(paths, daemon.port)
        games = []
        for i, lines in enumerate((FEW, MANY)):
            game = fill.say("match")["game"]
            fill.say(f"play {i} {lines}")
            games.append((game, self.profile(fill, i, daemon.port)))
        fill.stop()
        for game, environ in games:
            rig.run(["env", *(f"{k}={v}" for k, v in environ.items()),
                     self.umpire, "show", game])
        self.few, self.many = (self.start(Terminal(
            [self.umpire, "play", game], {**os.environ, **environ}))
            for game, environ in games)
        self.long = games[1]
        # What the first line alone costs is no prompt's.
        for terminal in (self.few, self.many):
            self.cost(terminal)

    def profile(self, fill, i, port):
        """Makes a profile of a match's player; what it is found by."""
        home = self.bench.work / f"home{i}"
        data = home / "data/umpire/default"
        config = home / "config/umpire/default"
        data.mkdir(parents=True)
        config.mkdir(parents=True)
        who = fill.say(f"keys {i} {data}")
        (config / "config").write_text(
            f"server = {partner.HOST}:{port}\n"
            f"server_key = {who['server']}\naccount = {who['account']}\n")
        return {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"),
                "XDG_CONFIG_HOME": str(home / "config"), "TERM": "xterm"}

    def cost(self, terminal):
        """Milliseconds of CPU a line."""
        before = terminal.cpu_s()
        for _ in range(SAID):
            self.said += 1
            terminal.say(f"word {self.said}")
        return 1e3 * (terminal.cpu_s() - before) / SAID

    def alone(self):
        """The same by programs that verify the whole copy each."""
        game, environ = self.long
        kept = f"{environ['XDG_DATA_HOME']}/umpire/default/games/{game}"
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        for _ in range(SAID):
            if os.path.exists(f"{kept}.checkpoint"):
                os.unlink(f"{kept}.checkpoint")
            rig.run(["env", *(f"{k}={v}" for k, v in environ.items()),
                     self.umpire, "say", game, "word"])
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        return 1e3 * (after - before) / SAID

    def reference(self):
        return {"play_prompt": self.cost(self.few)}

    def subject(self):
        return {"play_prompt": self.alone() if self.bench.is_control
                else self.cost(self.many)}

    def details(self, name):
        return {"said": SAID}

    def teardown(self):
        while self.running:
            self.running.pop().stop()


MEASURES = [Play]
