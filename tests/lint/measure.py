#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Measures the shape of the tree: sizes, functions, circles, who links what.

    measure.py --source DIR --build DIR [--json] [--time]

Counts are taken from the sources with comments and strings blanked out, and
from the objects of a finished build.  Nothing here is a test: the figures are
compared by people, before and after a change, and must be counted alike.

  lines       of .c and .h files, as wc counts them
  statements  semicolons outside comments and strings
  comments    lines that hold nothing but (part of) a comment, as a share
  functions   definitions that begin in the first column, as this style has
              them; their length is from the name's line to the closing brace
  called once a static function that is named exactly once outside its own
              definition and declarations, and called there
  circles     sets of files that include or call each other; a header and the
              .c file of its name are one file here.  Calls are taken from the
              symbols of the objects
"""

import argparse
import collections
import json
import os
import re
import resource
import subprocess
import sys

PARTS = ("common", "server", "client")
PROGRAMS = ("umpired", "umpired-courier", "umpire")
COMMENT = 1
CODE = 2


def blank(text):
    """The text with comments and strings made blanks, and each line's kinds."""
    out = []
    kinds = [0]
    i, n = 0, len(text)
    while i < n:
        c = text[i]
        if text.startswith("/*", i):
            end = text.find("*/", i + 2)
            end = n if end < 0 else end + 2
            for ch in text[i:end]:
                if ch == "\n":
                    kinds[-1] |= COMMENT
                    kinds.append(0)
                    out.append("\n")
                else:
                    out.append(" ")
            kinds[-1] |= COMMENT
            i = end
        elif text.startswith("//", i):
            end = text.find("\n", i)
            end = n if end < 0 else end
            kinds[-1] |= COMMENT
            out.append(" " * (end - i))
            i = end
        elif c in "\"'":
            j = i + 1
            while j < n and text[j] != c:
                j += 2 if text[j] == "\\" else 1
            kinds[-1] |= CODE
            out.append(c + " " * (j - i - 1) + c)
            i = j + 1
        else:
            if c == "\n":
                kinds.append(0)
            elif not c.isspace():
                kinds[-1] |= CODE
            out.append(c)
            i += 1
    return "".join(out), kinds


# A definition in this style: the type on a line of its own, then the name in
# the first column, then a brace in the first column.
FUNCTION = re.compile(
    r"^(?P<type>[A-Za-z_][^\n;={}()#]*(?:__attribute__\(\([^\n]*\)\))?)\n"
    r"(?P<name>[A-Za-z_]\w*)\((?P<args>[^;{}]*?)\)\n\{\n",
    re.MULTILINE,
)


class Source:
    """One .c or .h file."""

    def __init__(self, top, path):
        self.path = path
        with open(os.path.join(top, path), encoding="utf-8") as f:
            text = f.read()
        self.lines = text.count("\n")
        self.code, kinds = blank(text)
        self.comments = sum(1 for k in kinds if k == COMMENT)
        self.statements = self.code.count(";")
        self.includes = re.findall(r'^#include "([^"]+)"', text, re.MULTILINE)
        self.functions = []
        if path.endswith(".c"):
            self.find_functions()

    def find_functions(self):
        for m in FUNCTION.finditer(self.code):
            end = self.code.find("\n}", m.end() - 1)
            if end < 0:
                continue
            first = self.code.count("\n", 0, m.start("name"))
            last = self.code.count("\n", 0, end + 1)
            self.functions.append(
                {
                    "name": m.group("name"),
                    "lines": last - first + 1,
                    "static": m.group("type").split()[0] == "static",
                    "file": self.path,
                }
            )

    def called_once(self):
        """Static functions that one place calls and nothing else names."""
        found = []
        for f in self.functions:
            if not f["static"]:
                continue
            name = re.escape(f["name"])
            uses = calls = 0
            for m in re.finditer(r"\b%s\b" % name, self.code):
                line = self.code.rfind("\n", 0, m.start()) + 1
                if line == m.start() or self.declares(line):
                    continue
                uses += 1
                calls += self.code[m.end() : m.end() + 1] == "("
            if uses == 1 and calls == 1:
                found.append(f["name"])
        return found

    def declares(self, line):
        """True if the line at this offset begins a static declaration."""
        return self.code.startswith("static ", line)


def unit(path):
    """A header and the .c file of its name are one unit."""
    return path.rsplit(".", 1)[0]


def components(graph):
    """Tarjan's strongly connected components that have more than one member."""
    index, low, on, stack, found = {}, {}, set(), [], []
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, edges = work[-1]
            for other in edges:
                if other not in graph:
                    continue
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in on:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = []
                    while True:
                        top = stack.pop()
                        on.discard(top)
                        group.append(top)
                        if top == node:
                            break
                    if len(group) > 1:
                        found.append(sorted(group))
    return sorted(found, key=lambda g: (-len(g), g))


def folders_of(graph):
    """The same graph between the folders of its nodes."""
    out = collections.defaultdict(set)
    for node, others in graph.items():
        here = os.path.dirname(node)
        out[here] |= {os.path.dirname(o) for o in others} - {here}
    for here in list(out):
        for other in out[here]:
            out.setdefault(other, set())
    return out


def read_symbols(build):
    """What each of our objects defines and wants, by its unit."""
    have, want = {}, collections.defaultdict(set)
    for part in PARTS:
        for folder, _, names in os.walk(os.path.join(build, part)):
            for name in names:
                if not name.endswith(".o"):
                    continue
                path = os.path.join(folder, name)
                here = unit(os.path.relpath(path, build))
                text = subprocess.run(
                    ["nm", path], check=True, capture_output=True, text=True
                ).stdout
                for line in text.splitlines():
                    *_, kind, symbol = line.split()
                    if kind == "U":
                        want[here].add(symbol)
                    elif kind in "TDRBVW":
                        have.setdefault(symbol, here)
    return have, want


def call_graph(have, want):
    graph = {u: set() for u in set(have.values()) | set(want)}
    for here, symbols in want.items():
        for s in symbols:
            if s in have and have[s] != here:
                graph[here].add(have[s])
    return graph


def include_graph(sources):
    graph = collections.defaultdict(set)
    for s in sources:
        here = unit(s.path)
        graph[here] |= {unit(i) for i in s.includes} - {here}
    return graph


def linked(build, program, have):
    """The units whose symbols a program holds."""
    path = os.path.join(build, program)
    if not os.path.exists(path):
        return set()
    text = subprocess.run(
        ["nm", "--defined-only", path],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    symbols = {line.split()[-1] for line in text.splitlines()}
    return {u for s, u in have.items() if s in symbols}


def exported(library):
    """A library's names: of its archive, if there is one, since a static
    link sees more of them, and of the shared object."""
    archive = re.sub(r"\.so[.0-9]*$", ".a", library)
    found = set()
    for path, flags in ((library, ["-D"]), (archive, ["-g"])):
        if not os.path.exists(path):
            continue
        text = subprocess.run(
            ["nm", "--defined-only"] + flags + [path],
            check=False,
            capture_output=True,
            text=True,
        ).stdout
        found |= {
            line.split()[-1].split("@")[0]
            for line in text.splitlines()
            if len(line.split()) == 3
        }
    return found


def library_names(build):
    """The names of the libraries that the programs are linked with."""
    found = {}
    for program in PROGRAMS:
        path = os.path.join(build, program)
        if not os.path.exists(path):
            continue
        text = subprocess.run(
            ["ldd", path], check=True, capture_output=True, text=True
        ).stdout
        for m in re.finditer(r"=> (/\S+)", text):
            if m.group(1) in found:
                continue
            found[m.group(1)] = exported(m.group(1))
    return found


def spread(numbers):
    ordered = sorted(numbers)
    if not ordered:
        return {"median": 0, "p90": 0, "max": 0}
    return {
        "median": ordered[len(ordered) // 2],
        "p90": ordered[len(ordered) * 9 // 10],
        "max": ordered[-1],
    }


def measure_sources(top):
    listed = subprocess.run(
        ["git", "-C", top, "ls-files", "*.c", "*.h"],
        capture_output=True,
        text=True,
        check=False,
    )
    paths = listed.stdout.split()
    if not paths:
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), top)
                if path.startswith(PARTS) and path.endswith((".c", ".h")):
                    paths.append(path)
    own = [Source(top, p) for p in paths if p.startswith(PARTS)]
    tests = [Source(top, p) for p in paths if p.startswith("tests/")]
    return own, tests


def totals(sources):
    functions = [f for s in sources for f in s.functions]
    statics = [f for f in functions if f["static"]]
    once = sum(len(s.called_once()) for s in sources)
    lines = sum(s.lines for s in sources)
    return {
        "c_files": sum(1 for s in sources if s.path.endswith(".c")),
        "h_files": sum(1 for s in sources if s.path.endswith(".h")),
        "lines": lines,
        "statements": sum(s.statements for s in sources),
        "comment_share": round(
            sum(s.comments for s in sources) / max(lines, 1), 4
        ),
        "functions": len(functions),
        "function_lines": spread(f["lines"] for f in functions),
        "over_60": sum(1 for f in functions if f["lines"] > 60),
        "over_120": sum(1 for f in functions if f["lines"] > 120),
        "statics": len(statics),
        "statics_called_once": once,
    }


def measure(top, build):
    own, tests = measure_sources(top)
    folders = collections.defaultdict(list)
    for s in own:
        folders[os.path.dirname(s.path)].append(s)
    have, want = read_symbols(build)
    calls, includes = call_graph(have, want), include_graph(own)
    programs = {p: linked(build, p, have) for p in PROGRAMS}
    size = {}
    for s in own:
        size[unit(s.path)] = size.get(unit(s.path), 0) + s.lines
    # What leaves a folder may still be the client's: nothing else links it.
    only = programs["umpire"] - programs["umpired"] - programs["umpired-courier"]
    collisions = collections.defaultdict(list)
    for library, names in library_names(build).items():
        for symbol in names & set(have):
            collisions[symbol].append(os.path.basename(library))
    return {
        "all": totals(own),
        "parts": {
            p: totals([s for s in own if s.path.startswith(p + "/")])
            for p in PARTS
        },
        "folders": {f: totals(v) for f, v in sorted(folders.items())},
        "tests": totals(tests),
        "client_only_lines": sum(size[u] for u in only if u in size),
        "crowded": {
            f: n
            for f, n in (
                (
                    f,
                    sum(
                        1
                        for s in v
                        if s.path.endswith(".c")
                        and not os.path.basename(s.path).startswith("cmd_")
                    ),
                )
                for f, v in sorted(folders.items())
            )
            if n > 40
        },
        "circles": {
            "includes_between_folders": components(folders_of(includes)),
            "calls_between_folders": components(folders_of(calls)),
            "includes_within": components(includes),
            "calls_within": components(calls),
        },
        "linked": {p: len(u) for p, u in programs.items()},
        "linked_lines": {
            p: sum(size.get(u, 0) for u in v) for p, v in programs.items()
        },
        "collisions": dict(sorted(collisions.items())),
    }


def time_build(build):
    """CPU seconds of making programs and tests anew, one job, without ccache."""
    env = dict(os.environ, CCACHE_DISABLE="1")
    subprocess.run(["make", "-C", build, "clean"], check=True,
                   stdout=subprocess.DEVNULL, env=env)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["make", "-C", build, "check", "TESTS="], check=True,
                   stdout=subprocess.DEVNULL, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(after.ru_utime - before.ru_utime
                 + after.ru_stime - before.ru_stime, 1)


def row(name, t):
    f = t["function_lines"]
    return "%-16s %5d %5d %7d %7d %6.1f %5d %4d %3d %4d %5d %5d" % (
        name, t["c_files"], t["h_files"], t["lines"], t["statements"],
        100 * t["comment_share"], t["functions"], f["median"], f["p90"],
        f["max"], t["statics"], t["statics_called_once"],
    )


def show(result):
    print("%-16s %5s %5s %7s %7s %6s %5s %4s %3s %4s %5s %5s" % (
        "", ".c", ".h", "lines", "stmts", "com.%", "funcs", "med", "p90",
        "max", "stat.", "once"))
    for name, t in result["folders"].items():
        print(row(name, t))
    for name, t in result["parts"].items():
        print(row(name + "/**", t))
    print(row("all but tests", result["all"]))
    print(row("tests", result["tests"]))
    print()
    print("linked by the client alone: %d lines"
          % result["client_only_lines"])
    for p in PROGRAMS:
        print("%s: %d units, %d lines"
              % (p, result["linked"][p], result["linked_lines"][p]))
    for folder, n in result["crowded"].items():
        print("%s: %d .c files, subcommands aside" % (folder, n))
    for name, groups in result["circles"].items():
        print("circles, %s: %s" % (
            name.replace("_", " "),
            ", ".join(str(len(g)) for g in groups) or "none"))
        for g in groups if "folders" in name else []:
            print("    " + " ".join(g))
    for symbol, libraries in result["collisions"].items():
        print("%s is a name of %s, too" % (symbol, ", ".join(libraries)))
    if "build_cpu_s" in result:
        print("building programs and tests: %.1f CPU seconds"
              % result["build_cpu_s"])


def main():
    parser = argparse.ArgumentParser(description="measure the tree")
    parser.add_argument("--source", required=True, metavar="DIR")
    parser.add_argument("--build", required=True, metavar="DIR")
    parser.add_argument("--json", action="store_true",
                        help="all figures, circles with their members")
    parser.add_argument("--time", action="store_true",
                        help="also build anew, and say what CPU that took")
    args = parser.parse_args()
    result = measure(args.source, args.build)
    if args.time:
        result["build_cpu_s"] = time_build(args.build)
    if args.json:
        json.dump(result, sys.stdout, indent=1)
        print()
    else:
        show(result)


if __name__ == "__main__":
    main()
