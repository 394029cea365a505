#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""What share of faults the tests find.

Puts faults into a copy of a tree, one at a time: an operator that becomes
another, a constant that is off by one, a condition that is turned round, a
statement that is gone; chosen by chance, in C that is not tests.  First every
test of make check but the lints runs once on a tree that marks which of the
faults' places it comes by; then each fault is built, and those tests run, the
short ones first, until one fails, and fails again.  Not counted are faults
that do not compile, which nobody could land, and those that leave the object
as it was.

The tree may be an older one: what is put into it hangs on its files and the
seed alone.  What was judged is kept in the folder of work, and --resume goes
on there.
"""

import argparse
import collections
import itertools
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
TEST_SECONDS = 240  # of one test at most
MARKS = 65536  # more than there are faults
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


def sources_of(top):
    """The C of a tree that is not tests."""
    for folder in FOLDERS:
        for where, _, names in sorted(os.walk(os.path.join(top, folder))):
            for name in sorted(names):
                if name.endswith(".c"):
                    yield os.path.relpath(os.path.join(where, name), top)


def all_sites(top):
    """The faults that can be put into a tree, by kind."""
    kinds = {}
    for path in sources_of(top):
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

    def __init__(self, source, work, jobs, resume):
        self.top = os.path.join(work, "tree")
        self.build = os.path.join(self.top, BUILD)
        self.log = os.path.join(work, "log")
        self.marks = os.path.join(work, "marks")
        self.jobs = jobs
        if resume:
            self.restore(source)
        else:
            self.copy(source)
        if not self.make():
            sys.exit("the tree cannot be built: see %s" % self.log)

    def copy(self, source):
        """Makes the copy."""
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
               self.log) != 0:
            sys.exit("the tree cannot be configured: see %s" % self.log)

    def restore(self, source):
        """Takes out what a run that was broken off left in the copy."""
        for path in sources_of(source):
            text = read(os.path.join(source, path))
            if read(os.path.join(self.top, path)) != text:
                write(os.path.join(self.top, path), text)

    def make(self):
        """Builds programs and tests; true if that went well."""
        return run(["make", "-s", "-j%d" % self.jobs, "check", "TESTS="], self.build,
                   BUILD_SECONDS, self.log) == 0

    def names(self):
        """The tests of make check that run the code."""
        rule = "names:\n\t@echo $(TESTS)\n"
        told = subprocess.run(["make", "-s", "-f", "Makefile", "-f", "-",
                               "names"], cwd=self.build, input=rule,
                              stdout=subprocess.PIPE, text=True, check=True)
        return [name for name in told.stdout.split() if "/lint/" not in name]

    def check(self, names, seconds, jobs, target="check"):
        """Runs tests; true if all go well in time."""
        limit = "UMPIRE_TEST_SECONDS=%d" % min(TEST_SECONDS, seconds)
        return run(["env", limit, "make", "-s", "-j%d" % jobs, target,
                    "TESTS=" + " ".join(names)], self.build,
                   seconds + 60 * len(names), self.log) == 0

    def failing(self, names, seconds):
        """Those of the tests that fail, and fail again alone."""
        if (self.check(names, seconds, self.jobs) or
                self.check(names, TEST_SECONDS, 1, "recheck")):
            return []
        return [name for name in names if ":recheck: yes" in read(
            os.path.join(self.build, re.sub(r"\.sh$", "", name) + ".trs"))]

    def reach(self, sites, names):
        """Which of the tests come by which fault, and how long each takes.

        Every test that calls the function is thought to do so where the
        statement cannot be told from its lines.
        """
        write(self.marks, "\0" * MARKS)
        by_path = {}
        for n, site in enumerate(sites):
            by_path.setdefault(site[1], []).append((n, site))
        kept = {path: read(os.path.join(self.top, path)) for path in by_path}
        for path, mine in by_path.items():
            for finely in (True, False):
                write(os.path.join(self.top, path),
                      marked(kept[path], mine, self.marks, finely))
                if run(["make", "-s", path[:-2] + ".o"], self.build,
                       BUILD_SECONDS, self.log) == 0:
                    break
            else:
                sys.exit("%s cannot be marked: see %s" % (path, self.log))
        if not self.make():
            sys.exit("the marked tree cannot be built: see %s" % self.log)
        took, reached = {}, [[] for _ in sites]
        for name in names:
            write(self.marks, "\0" * MARKS)
            began = time.monotonic()
            self.check([name], TEST_SECONDS, 1)
            took[name] = time.monotonic() - began
            with open(self.marks, "rb") as f:
                for n, mark in enumerate(f.read(len(sites))):
                    if mark:
                        reached[n].append(name)
        for path, text in kept.items():
            write(os.path.join(self.top, path), text)
        if not self.make():
            sys.exit("the tree cannot be built again: see %s" % self.log)
        return took, reached

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

    def judge(self, site, reached, took):
        """Puts a fault in, and takes it out again; what came of it.

        The short tests go first, and each round takes twice the time of the
        one before.
        """
        _, path, start, end, instead = site
        full = os.path.join(self.top, path)
        text, old = read(full), self.object(path)
        self.put(path, text[:start] + instead + text[end:])
        try:
            if not self.make():
                return "unbuilt", ""
            if self.object(path) == old:
                return "same", ""
            left, much = sorted(reached, key=took.get), 4
            while left:
                n = 1
                while n < len(left) and sum(map(took.get, left[:n])) < much:
                    n += 1
                seconds = 40 + 8 * int(max(map(took.get, left[:n])))
                failing = self.failing(left[:n], seconds)
                if failing:
                    return "caught", "by " + " ".join(failing)
                left, much = left[n:], 2 * much
            return "missed", "tests that come by: %d" % len(reached)
        finally:
            write(full, text)
            run(["make", "-s", path[:-2] + ".o"], self.build, BUILD_SECONDS,
                self.log)


# What stands at the head and at the foot of a source that marks its places.
HEAD = "".join('#pragma GCC diagnostic ignored "-W%s"\n' % name for name in (
    "declaration-after-statement", "missing-prototypes",
    "missing-declarations", "redundant-decls", "shadow",
    "unused-result")) + "void mutant_reached(int);\n"
FOOT = r"""
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((weak)) unsigned char *mutant_marks;

__attribute__((weak)) void
mutant_reached(int n)
{
	if (mutant_marks)
		mutant_marks[n] = 1;
}

__attribute__((weak, constructor)) void
mutant_open(void)
{
	int fd;
	void *at;

	if (mutant_marks || (fd = open("%s", O_RDWR | O_CLOEXEC)) < 0)
		return;
	at = mmap(NULL, %d, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (at != MAP_FAILED)
		mutant_marks = at;
}
"""


def statement(code, at, low):
    """Where the statement at this place begins, or the body's beginning."""
    line = code.rindex("\n", 0, at) + 1
    while line > low:
        if (code[low:line].rstrip()[-1:] in ";{}" and
                code.count("(", low, line) == code.count(")", low, line) and
                not re.match(r"\s*(else|case|default|while|\}|\w+:|$)",
                             code[line:code.index("\n", line)])):
            return line
        line = code.rindex("\n", 0, line - 1) + 1
    return low


def marked(text, mine, marks, finely):
    """A source that marks which of its faults are come by."""
    code = NOISE.sub(blank, text)
    hits = []
    for n, site in mine:
        low = max(m.start() + 2 for m in BODY.finditer(code)
                  if m.start() <= site[2])
        hits.append((statement(code, site[2], low) if finely else low, n))
    for at, n in sorted(hits, reverse=True):
        text = text[:at] + "mutant_reached(%d);\n" % n + text[at:]
    return HEAD + text + FOOT % (marks, MARKS)


def planted(top):
    """One fault that the test of folded lines finds, one that
    changes nothing but the object, and one that does not even that."""
    path = "common/base/fold.c"
    text = read(os.path.join(top, path))
    sites = list(sites_of(path, text))
    body = BODY.search(NOISE.sub(blank, text), text.index("\nfold_text("))
    at = body.start() + 2
    fault = next(s for s in sites if s[0] == "condition" and s[2] > at)
    nop = ("nop", path, at, at, '__asm__ volatile("nop");\n')
    same = ("same", path, at, at, ";")
    return [(fault, "caught"), (nop, "missed"), (same, "same")]


def tell(top, site, came, by, took):
    """Prints what came of a fault."""
    kind, path, start, end, instead = site
    text = read(os.path.join(top, path))
    print("%-7s %-9s %s:%d: %s -> %s (%.0f s)" % (
        came, kind, path, text.count("\n", 0, start) + 1,
        json.dumps(text[start:end].strip()), json.dumps(instead.strip()),
        took))
    if by:
        print("        " + by)
    sys.stdout.flush()


def plan(tree, args, state):
    """The faults of a run, and of each the tests that come by."""
    began = time.monotonic()
    names = tree.names()
    if args.control:
        wanted = planted(tree.top)
        names = [name for name in names if "/unit/common/" in name]
        sites = [site for site, _ in wanted]
    else:
        wanted = []
        faults = draw(all_sites(tree.top), random.Random(args.seed))
        # Not all of them compile, or change anything.
        sites = list(itertools.islice(faults, 2 * args.count))
    took, reached = tree.reach(sites, names)
    state.update(sites=sites, took=took, reached=reached, judged=[],
                 wanted=[came for _, came in wanted])
    print("%d tests ran alone in %.0f s" % (
        len(took), time.monotonic() - began), flush=True)


def main():
    parser = argparse.ArgumentParser(
        description="put faults into a tree, and count those that tests find")
    parser.add_argument("--tree", required=True, metavar="DIR",
                        help="the sources; they stay as they are")
    parser.add_argument("--work", required=True, metavar="DIR",
                        help="where a copy of them is made and built")
    parser.add_argument("--count", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--resume", action="store_true",
                        help="go on with a run that was broken off")
    parser.add_argument("--control", action="store_true",
                        help="three faults of which is known what comes of "
                        "them, and no others")
    args = parser.parse_args()
    work = os.path.abspath(args.work)
    kept = os.path.join(work, "state.json")
    os.makedirs(work, exist_ok=True)
    if args.resume and not os.path.exists(kept):
        sys.exit("%s: nothing to go on with" % work)
    tree = Tree(args.tree, work, args.jobs, args.resume)
    state = json.loads(read(kept)) if args.resume else {}
    if not args.resume:
        plan(tree, args, state)
        write(kept, json.dumps(state))
    counts = collections.Counter(state["judged"])
    for n, site in enumerate(state["sites"]):
        if counts["caught"] + counts["missed"] >= args.count:
            break
        if n < len(state["judged"]):
            continue
        before = time.monotonic()
        came, by = tree.judge(site, state["reached"][n], state["took"])
        tell(tree.top, site, came, by, time.monotonic() - before)
        counts[came] += 1
        state["judged"].append(came)
        write(kept, json.dumps(state))
    n = counts["caught"] + counts["missed"]
    print("%d of %d faults caught (%.0f %%); %d did not compile, %d changed "
          "no object" % (counts["caught"], n, 100 * counts["caught"] / n,
                         counts["unbuilt"], counts["same"]))
    if state["wanted"] and state["judged"] != state["wanted"]:
        print("that should have been: %s" % ", ".join(state["wanted"]))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
