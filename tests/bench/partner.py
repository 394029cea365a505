# SPDX-License-Identifier: ISC
"""The other ends of measures: echo, peer and fill, and a daemon that lets
them do what they like.

Penalties and the rate of requests stay in force, so that what they cost is
measured, but they are too high to be met."""

import json
import pathlib
import resource
import subprocess

import rig

HOST = "127.0.0.1"
ROSTER = (pathlib.Path(__file__).resolve().parents[2] /
          "etc/samples/lasalle2-evening.json")
ROOM = {"max_connections": 100000, "max_per_address": 100000,
        "max_startups": "100000:1:100000", "register_burst": 1000000,
        "request_rate": 1000000, "request_burst": 1000000,
        "address_rate": 1000000, "address_burst": 1000000,
        "max_muster": 0, "min_free_disk": 0, "penalty_exempt": ""}
SPARE_FILES = 300


class Partner:
    """A program to which lines are said, and which answers each by JSON."""

    def __init__(self, argv):
        self.name = argv[0]
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended with {self.process.wait()}")
        return json.loads(line)

    def say(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self.hear()

    def stop(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()


def programs(bench):
    """Paths by name; Skip if one is not built."""
    names = ("echo", "fill", "peer")
    return {"umpired": bench.program("umpired"),
            **{n: bench.program(f"tests/bench/{n}") for n in names}}


def daemon(paths, folder):
    """A daemon with room for everything."""
    return rig.Daemon(paths["umpired"], folder, **ROOM)


def echo(paths, work, certificate):
    """The reference, with the certificate of a daemon's folder."""
    port = work / "echo.port"
    port.unlink(missing_ok=True)
    child = rig.Child([paths["echo"], str(port), str(certificate / "tls.crt"),
                       str(certificate / "tls.key")], work / "echo.log")
    child.port = int(child.wait_file(port))
    return child


def fill(paths, port, *seed):
    """Matches on a daemon."""
    return Partner([paths["fill"], HOST, str(port), str(ROSTER),
                    *map(str, seed)])


def peer(paths, what, port, *more):
    """A peer that goes on until it is stopped."""
    return Partner([paths["peer"], what, HOST, str(port)] +
                   [str(x) for x in more])


def raise_files(wanted):
    """As many descriptors as there may be, for what is started from here;
    how many of the wanted connections fit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard != resource.RLIM_INFINITY and hard < wanted + SPARE_FILES:
        raise rig.Skip(f"{wanted} connections need as many descriptors; there "
                       f"may be {hard} (ulimit -Hn)")
