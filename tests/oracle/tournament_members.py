#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""One member of one line of a random tournament changed, with all keys.

  tournament_members.py [--count N] [--each N] [--seed S] [--keep DIR]
                        --umpire COMMAND

Of --count tournaments --each records are made. A record ends with the line that
was changed: a member of its order, of its statement, of what the server says or
of its events has another value, is missing, or one is too many; then it is
signed and marked anew. Every other time pool and events are made to follow from
what the order now says, if that is lawful. So some records stay good: the
second reading judges, and `umpire verify` must say the same, and name the same
line. Those of which they differ are kept. Exit status: 0 all agree, 1 not all.
"""

import argparse
import collections
import copy
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

import record_crypto as crypto
import record_form as form
from forge import TIMEOUT_S, UmpireEvents, ed_sign, secret
from record_form import Bad, Unknown
from record_parts import Side
from tournament import Tournament
from tournament_forge import write_folder
from tournament_games import Shelf
from tournament_maker import ed_public
from tournament_play import play, settings_of
from tournament_verify import read_record

# Bytes that nothing but their own check reads.
DULL = ("mark", "sig", "prev", "proof", "own")


def walk(value, path=()):
    """All places in a value."""
    if path:
        yield path
    if isinstance(value, dict):
        for name, each in value.items():
            yield from walk(each, path + (name,))
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from walk(each, path + (i,))


def at(value, path):
    """What is in a place."""
    for step in path:
        value = value[step]
    return value


class Change:
    """Changes a value at random; others are values that could stand there."""

    def __init__(self, rng, others):
        self.rng = rng
        self.others = others

    def other(self, value):
        """Another value."""
        rng = self.rng
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return rng.choice((value + 1, value - 1, 0, 1, 2, -1, 2 ** 32,
                               value + rng.randint(-5, 5), str(value)))
        if isinstance(value, str):
            return self.other_text(value)
        if isinstance(value, list):
            return self.other_list(value)
        if isinstance(value, dict):
            return self.other_object(value)
        return 0

    def other_text(self, value):
        """Another text."""
        rng = self.rng
        same = [o for o in self.others if isinstance(o, str)
                and len(o) == len(value) and o != value]
        if same and rng.random() < 0.5:
            return rng.choice(same)
        words = ("", "yes", "no", "1", "2", "=", "+", "-", "--", "?", "win",
                 "draw", "zero", "half", "points", "lose", "director",
                 "player-1", "player-2", "deputy", "stand", "forfeit")
        if rng.random() < 0.6 or not value:
            return rng.choice(words)
        i = rng.randrange(len(value))
        return value[:i] + rng.choice("0123456789abcdefZ") + value[i + 1:]

    def other_list(self, value):
        """Another array."""
        rng = self.rng
        value = list(value)
        if not value or rng.random() < 0.2:
            return value + [rng.choice((1, 2, "x"))]
        i = rng.randrange(len(value))
        way = rng.choice(("drop", "twice", "turn", "swap"))
        if way == "drop":
            del value[i]
        elif way == "twice":
            value.insert(i, value[i])
        elif way == "turn":
            value.reverse()
        else:
            k = rng.randrange(len(value))
            value[i], value[k] = value[k], value[i]
        return value

    def other_object(self, value):
        """Another object."""
        rng = self.rng
        value = dict(value)
        names = list(value)
        way = rng.choice(("drop", "more", "turn", "again"))
        if way == "drop" and names:
            del value[rng.choice(names)]
        elif way == "turn" and len(names) > 1:
            name = names[0]
            value[name] = value.pop(name)
        elif way == "again" and names:
            name = rng.choice(names)
            value[name] = self.other(value[name])
        else:
            value["more"] = rng.choice((1, "x", True))
        return value


class Base:
    """A tournament, of which lines are changed."""

    def __init__(self, number, events):
        n, settings = settings_of(number)
        self.maker = play(number, n, events=events, **settings)
        self.shelf = Shelf(self.maker.files.get)
        self.keys = {}
        for who in self.maker.people.values():
            for i in range(1, who.keys + 1):
                name = "%s key%s" % (who.account, "" if i == 1 else " %d" % i)
                self.keys[ed_public(secret(name))] = secret(name)
            self.keys[ed_public(who.ed)] = who.ed
            self.keys[ed_public(who.recovery)] = who.recovery
        self.others = []
        for raw in self.maker.raw:
            line = json.loads(raw)
            text = json.loads(line.get("order", line.get("statement", "{}")))
            for value in (line, text):
                self.others += [
                    at(value, path) for path in walk(value)
                    if not isinstance(at(value, path), (dict, list))]

    def forge(self, rng):
        """A changed line: (its number, kind, member, its bytes)."""
        change = Change(rng, self.others)
        raws = self.maker.raw
        seq = rng.randrange(len(raws))
        line = json.loads(raws[seq])
        inside = next((n for n in ("order", "statement") if n in line), None)
        told = json.loads(line[inside]) if inside else {}
        kind = told.get("kind", line.get("what", "statement"))
        body = {n: line[n] for n in line if n not in ("mark", inside)}
        what = body if not inside or rng.random() < 0.3 else told
        paths = [p for p in walk(what) if p[-1] not in DULL
                 or rng.random() < 0.02]
        if what is told and "args" in told and rng.random() < 0.8:
            paths = [p for p in paths if p[0] == "args"]
        path = rng.choice(paths)
        changed = copy.deepcopy(what)
        place = at(changed, path[:-1])
        if rng.random() < 0.15 and isinstance(place, dict):
            del place[path[-1]]
        else:
            place[path[-1]] = change.other(at(what, path))
        member = ".".join("#" if isinstance(p, int) else p for p in path)
        if what is told:
            line = self.sign(line, inside, changed)
        else:
            # The members as they stood.
            line = {n: line[n] if n == inside else changed[n]
                    for n in line if n == inside or n in changed}
            line.update((n, changed[n]) for n in changed if n not in line)
        if what is told and inside == "order" and rng.random() < 0.5:
            line = self.follow(seq, line)
        line.pop("mark", None)
        text = form.compact(line)[:-1].encode()
        mark = ed_sign(
            self.maker.server, crypto.tag("mark/1") + crypto.sha256(text))
        return seq, kind, member, text + b',"mark":"%s"}' % (
            mark.hex().encode())

    def sign(self, line, inside, told):
        """The line with another text, signed anew if the key is ours."""
        text = form.compact(told)
        tag = {"order": "entry/1", "statement": "key/1"}[inside]
        line = {**line, inside: text}
        key = self.keys.get(line["key"])
        if key is not None:
            line["sig"] = ed_sign(
                key, crypto.tag(tag) + text.encode()).hex()
        return line

    def follow(self, seq, line):
        """The line with what follows from its order, if that is lawful."""
        cup = Tournament(Side([], 1), self.shelf)
        try:
            for raw in self.maker.raw[:seq]:
                cup.take(raw)
            made = {}

            def finish(full):
                made.update(full)
                return b""

            cup.write({**{n: v for n, v in line.items() if n != "mark"},
                       "events": []}, finish)
        except (Bad, Unknown, KeyError, TypeError, ValueError, AttributeError,
                IndexError):
            return line
        order = ("v", "tournament", "seq", "prev", "at", "kind", "by", "key",
                 "order", "sig", "dice", "pool", "events")
        return {n: made[n] for n in order if n in made}

    def file(self, seq, data):
        """The record that ends with a changed line."""
        raw = self.maker.raw
        self.maker.raw = raw[:seq] + [data]
        record = self.maker.file()
        self.maker.raw = raw
        return record

    def judge(self, record):
        """What the second reading says: (status, line)."""
        try:
            cup = read_record(record, self.shelf)
        except Bad as e:
            return 1, int(re.match(r"line (\d+)", str(e)).group(1)), str(e)
        return (2 if cup.notes else 0), 0, "; ".join(cup.notes)


def ask(command, folder):
    """What `umpire verify` says: (status, line)."""
    done = subprocess.run(
        command + ["verify", folder], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S,
        check=False)
    text = done.stdout.decode("utf-8", "replace")
    found = re.search(r"bad at line (\d+)", text)
    return done.returncode, int(found.group(1)) if found else 0, text


class Run:
    """All of it."""

    def __init__(self, args):
        self.args = args
        self.command = shlex.split(args.umpire)
        self.events = UmpireEvents(self.command)
        self.kinds = collections.Counter()
        self.members = collections.Counter()
        self.verdicts = collections.Counter()
        self.wrong = 0

    def one(self, base, rng, folder, number):
        """A record."""
        seq, kind, member, data = base.forge(rng)
        record = base.file(seq, data)
        mine = base.judge(record)
        path = os.path.join(folder, "tournament.jsonl")
        with open(path, "wb") as f:
            f.write(record)
        theirs = ask(self.command, folder)
        self.kinds[kind] += 1
        self.members[member] += 1
        self.verdicts[mine[0]] += 1
        if mine[:2] == theirs[:2]:
            return
        self.wrong += 1
        print("%s: %s of %s in line %d: %s, umpire says %s" % (
            number, member, kind, seq + 1, mine, theirs))
        if self.args.keep:
            with tempfile.TemporaryDirectory() as name:
                os.makedirs(self.args.keep, exist_ok=True)
                os.rename(name, os.path.join(self.args.keep, number))
                os.makedirs(name)
            for each in os.listdir(folder):
                with open(os.path.join(folder, each), "rb") as f, open(
                    os.path.join(self.args.keep, number, each), "wb"
                ) as g:
                    g.write(f.read())

    def all(self):
        """All records."""
        for i in range(self.args.count):
            number = "%d.%d" % (self.args.seed, i)
            base = Base(number, self.events)
            rng = random.Random("members %s" % number)
            with tempfile.TemporaryDirectory() as folder:
                base.maker.label = 0
                write_folder(folder, base.maker)
                for k in range(self.args.each):
                    self.one(base, rng, folder, "%s-%d" % (number, k))
        total = sum(self.verdicts.values())
        print(", ".join("%s %d" % x for x in sorted(self.kinds.items())))
        print("%d members; %d records: %s; good %d %%" % (
            len(self.members), total, ", ".join(
                "%s %d" % ({0: "good", 1: "bad", 2: "not checkable"}[s], n)
                for s, n in sorted(self.verdicts.items())),
            100 * self.verdicts[0] // max(1, total)))
        print("%d agree, %d disagree" % (total - self.wrong, self.wrong))
        return 1 if self.wrong else 0


def main(argv):
    """Make them, and hold both against each other."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--each", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--umpire", required=True)
    try:
        args = parser.parse_args(argv)
    except SystemExit as e:
        return 64 if e.code else 0
    return Run(args).all()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
