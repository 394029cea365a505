#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""What share of faults the tests find.

Puts faults into a copy of a tree, one at a time: an operator that becomes
another, a constant that is off by one, a condition that is turned round, a
statement that is gone; chosen by chance, in C that is not tests.  Each is
built, and a target of make is run.  A fault is caught if that fails or does
not end.  Not counted are those that do not compile, which nobody could land,
and those that leave the object as it was.

The tree may be an older one: what is put into it hangs on its files and the
seed alone.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

FOLDERS = ("common", "server", "client")
BUILD = "build/mutants"
BUILD_SECONDS = 900
SWAPS = {
    "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "&&": "||", "||": "&&", "+": "-", "-": "+", "+=": "-=", "-=": "+=",
}
OPERATOR = re.compile(r"(?<= )(%s)(?=[ \n])" % "|".join(
    re.escape(op) for op in sorted(SWAPS, key=len, reverse=True)))
CONSTANT = re.compile(r"(?<![\w.\]])\d+(?![\w.])")
CONDITION = re.compile(r"\bif \(")
# A whole statement on a line of its own that is a call or an assignment.
STATEMENT = re.compile(
    r"(?<=[;{}:)]\n)\t+(?:\(void\))?[A-Za-z_][\w.>\[\]-]*"
    r"(?:\([^;\n]*\)| [-+|&]?= [^;\n]*);(?=\n)")
NOISE = re.compile(
    r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|'
    r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.S | re.M)
BODY = re.compile(r"^\{\n.*?^\}\n", re.S | re.M)


def blank(match):
    """What stands there as blanks, so that places stay what they are."""
    return re.sub(r"[^\n]", " ", match.group(0))


def closing(text, at):
    """The place of the parenthesis that closes the one at this place."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise ValueError("a parenthesis stays open")


def sites_of(path, text):
    """All faults of a file: (kind, path, start, end, what stands instead)."""
    code = NOISE.sub(blank, text)
    for body in BODY.finditer(code):
        lo, hi = body.span()
        for m in OPERATOR.finditer(code, lo, hi):
            yield "operator", path, m.start(), m.end(), SWAPS[m.group()]
        for m in CONSTANT.finditer(code, lo, hi):
            yield "constant", path, m.start(), m.end(), str(int(m.group()) + 1)
        for m in CONDITION.finditer(code, lo, hi):
            end = closing(code, m.end() - 1)
            yield ("condition", path, m.end(), end,
                   "!(" + text[m.end():end] + ")")
        for m in STATEMENT.finditer(code, lo, hi):
            yield "statement", path, m.start(), m.end(), "{}"


def all_sites(top):
    """The faults that can be put into a tree, by kind."""
    kinds = {}
    for folder in FOLDERS:
        for where, _, names in sorted(os.walk(os.path.join(top, folder))):
            for name in sorted(names):
                if not name.endswith(".c"):
                    continue
                path = os.path.relpath(os.path.join(where, name), top)
                for site in sites_of(path, read(os.path.join(top, path))):
                    kinds.setdefault(site[0], []).append(site)
    return kinds


def draw(kinds, rng):
    """Faults by chance without end: a kind, then one of its places."""
    names = sorted(kinds)
    for name in names:
        rng.shuffle(kinds[name])
    while any(kinds.values()):
        name = rng.choice(names)
        if kinds[name]:
            yield kinds[name].pop()


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def run(args, cwd, seconds, log):
    """Runs a command; its status, or None if it did not end in time."""
    with open(log, "ab") as out:
        p = subprocess.Popen(args, cwd=cwd, stdin=subprocess.DEVNULL,
                             stdout=out, stderr=out, start_new_session=True)
        try:
            return p.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            # Whatever a test left running goes with it.
            try:
                os.killpg(p.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            p.wait()


class Tree:
    """A copy of a tree, built."""

    def __init__(self, source, work, jobs):
        self.top = os.path.join(work, "tree")
        self.build = os.path.join(self.top, BUILD)
        self.log = os.path.join(work, "log")
        self.jobs = "-j%d" % jobs
        self.sound = set()  # what make was asked that went well as it was
        shutil.rmtree(self.top, ignore_errors=True)
        shutil.copytree(source, self.top, symlinks=True, ignore=(
            lambda d, names: {"build", ".git", "autom4te.cache"} & set(names)
            if os.path.samefile(d, source) else ()))
        for name in ("config.status", "Makefile", "config.h"):
            if os.path.exists(os.path.join(self.top, name)):
                sys.exit("%s is configured in place: clean it, or give a "
                         "clone of it" % source)
        configure = (
            ". ./setup.sh && ./autogen.sh --force && mkdir -p %s && cd %s && "
            '../../configure "${setup_plain[@]}"' % (BUILD, BUILD))
        if run(["bash", "-c", configure], self.top, BUILD_SECONDS,
               self.log) != 0 or not self.make():
            sys.exit("the tree cannot be built: see %s" % self.log)

    def make(self):
        """Builds programs and tests; true if that went well."""
        return run(["make", "-s", self.jobs, "check", "TESTS="], self.build,
                   BUILD_SECONDS, self.log) == 0

    def test(self, words, seconds):
        """Runs a target; true if it fails or does not end."""
        return run(["make", "-s", self.jobs] + words.split(), self.build,
                   seconds, self.log) != 0

    def words_for(self, target, path, seconds):
        """What make is asked for a fault of that file; ends the program if
        that fails without one."""
        folder = os.path.dirname(path).replace("/", "-")
        words = target.replace("{folder}", folder)
        if words not in self.sound and self.test(words, seconds):
            sys.exit("%s fails without a fault: see %s" % (words, self.log))
        self.sound.add(words)
        return words

    def put(self, path, text):
        """Writes a source, in form as people would: that it is not would
        be found by the lints, whatever the fault."""
        full = os.path.join(self.top, path)
        write(full, text)
        if shutil.which("clang-format"):
            subprocess.run(["clang-format", "-i", full], check=True)

    def object(self, path):
        """What a file is compiled to, without the columns of its lines."""
        bare = os.path.join(self.build, "bare.o")
        subprocess.run(["objcopy", "--strip-debug", os.path.join(
            self.build, path[:-2] + ".o"), bare], check=True)
        with open(bare, "rb") as f:
            return f.read()

    def judge(self, site, words, seconds):
        """Puts a fault in, and takes it out again; what came of it."""
        _, path, start, end, instead = site
        full = os.path.join(self.top, path)
        text, old = read(full), self.object(path)
        self.put(path, text[:start] + instead + text[end:])
        try:
            if not self.make():
                return "unbuilt"
            if self.object(path) == old:
                return "same"
            return "caught" if self.test(words, seconds) else "missed"
        finally:
            write(full, text)
            run(["make", "-s", path[:-2] + ".o"], self.build, BUILD_SECONDS,
                self.log)


def planted(top):
    """One fault that every test of hexadecimal digits finds, one that
    changes nothing but the object, and one that does not even that."""
    path = "common/base/hex.c"
    text = read(os.path.join(top, path))
    sites = list(sites_of(path, text))
    fault = next(s for s in sites if s[0] == "condition")
    at = BODY.search(NOISE.sub(blank, text)).start() + 2
    nop = ("nop", path, at, at, '__asm__ volatile("nop");\n')
    same = ("same", path, at, at, ";")
    return [(fault, "caught"), (nop, "missed"), (same, "same")]


def tell(top, site, came, took):
    kind, path, start, end, instead = site
    text = read(os.path.join(top, path))
    print("%-7s %-9s %s:%d: %s -> %s (%.0f s)" % (
        came, kind, path, text.count("\n", 0, start) + 1,
        json.dumps(text[start:end].strip()), json.dumps(instead.strip()),
        took), flush=True)


def main():
    parser = argparse.ArgumentParser(
        description="put faults into a tree, and count those that tests find")
    parser.add_argument("--tree", required=True, metavar="DIR",
                        help="the sources; they stay as they are")
    parser.add_argument("--work", required=True, metavar="DIR",
                        help="where a copy of them is made and built")
    parser.add_argument("--count", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--target", default="check-quick", metavar="WORDS",
                        help="what make is asked; {folder} is the fault's, "
                        'as in "check-{folder}" (default: check-quick)')
    parser.add_argument("--seconds", type=int, default=900, metavar="N",
                        help="how long the target may take")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--control", action="store_true",
                        help="three faults of which is known what comes of "
                        "them, and no others")
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    tree = Tree(args.tree, args.work, args.jobs)
    wanted = {}
    if args.control:
        wanted = dict(planted(tree.top))
        faults = iter(wanted)
        args.count = len(wanted)
    else:
        faults = draw(all_sites(tree.top), random.Random(args.seed))
    counts = dict.fromkeys(("caught", "missed", "same", "unbuilt"), 0)
    well = True
    for site in faults:
        words = tree.words_for(args.target, site[1], args.seconds)
        before = time.monotonic()
        came = tree.judge(site, words, args.seconds)
        tell(tree.top, site, came, time.monotonic() - before)
        counts[came] += 1
        if wanted and came != wanted[site]:
            print("that should have been %s" % wanted[site])
            well = False
        if counts["caught"] + counts["missed"] >= args.count:
            break
    n = counts["caught"] + counts["missed"]
    print("%d of %d faults caught (%.0f %%); %d did not compile, %d changed "
          "no object" % (counts["caught"], n, 100 * counts["caught"] / n,
                         counts["unbuilt"], counts["same"]))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
