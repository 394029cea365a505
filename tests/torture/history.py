#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""history.py [OPTION ...] JOURNALS DATABASE: whether a daemon kept its word.

JOURNALS is the folder that tests/tools/storm wrote: what every client sent,
what it was answered, what it read, and when.  DATABASE is what the daemon
left.  The model: each game is one register, the sequence of its lines, to
which an order appends one.  Held against it are

  lost      an order that was acknowledged and is not in the record, or whose
            line is another than the one acknowledged, or stands elsewhere
  twice     an order that is in the record more than once
  stranger  a line that nobody sent
  refused   an order or an account that the daemon did not take, though it is
            lawful
  answer    answers to the same bytes that are not the same line
  chain     lines whose numbers have gaps, or that do not follow each other
  read      a read of a line that is not in the record
  time      no order of events explains what was seen: something took effect
            before it was asked for or after it was answered, a read missed
            what was acknowledged before, or went back
  dice      the same order made with other dice, when it was made again

  --lines FILE    lines that umpired-test was about to store, those among them
                  whose commit a crash cut off (for dice)
  --export DIR N  writes N games there as umpire verify reads them
  --mutate SEED   spoils a copy of what was read in each way that it knows, one
                  after the other, and fails unless each is found
  --show N        tells so many of each kind of fault; 5

Prints one line of JSON; exits 1 if anything was found."""

import argparse
import copy
import glob
import hashlib
import json
import os
import random
import sqlite3
import sys

NEVER = float("inf")


class Order:
    """What the clients know of an order."""

    def __init__(self, match):
        self.match = match
        self.sent = []  # times
        self.acks = []  # (time, seq, hash)
        self.refused = []  # errors
        self.is_late = False  # its first answer says that it was recorded
        self.kind = ""


class Read:
    """What a read gave, and when it began and ended."""

    def __init__(self, entry):
        self.match = entry["of"]
        self.begin = entry["begin_us"]
        self.end = entry["t_us"]
        self.seq = entry["seq"]
        self.head = entry["head"]
        self.lines = entry["lines"]


class History:
    """All that is known of a run."""

    def __init__(self):
        self.orders = {}  # oid -> Order
        self.reads = []
        self.faults = []  # (kind, text) met while reading
        self.games = {}  # gid -> [(oid or None, hash)]
        self.dice = {}  # oid -> set of dice, as text
        self.made = 0  # lines that were about to be stored
        self.rolled = {}  # oid -> how many of them had dice


def read_entry(history, entry):
    """Takes one line of a journal."""
    event = entry["event"]
    if event == "read":
        if "error" in entry:
            history.faults.append(
                ("refused", "a read of match %d: %s"
                 % (entry["of"], entry["error"])))
        else:
            history.reads.append(Read(entry))
        return
    if event == "account":
        # Without an answer the run just ended.
        if entry["error"] not in ("closed", "timeout", "io", "tls"):
            history.faults.append(("refused", "an account: %s" % entry))
        return
    order = history.orders.setdefault(entry["oid"], Order(entry["match"]))
    order.kind = entry["kind"]
    if event == "send":
        order.sent.append(entry["t_us"])
    elif event in ("ack", "again"):
        order.acks.append((entry["t_us"], entry["seq"], entry["line_hash"]))
        order.is_late |= event == "ack" and entry["repeat"]
    elif event in ("fail", "again-fail"):
        order.refused.append(entry["error"])


def read_journals(history, folder):
    for path in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
        with open(path, "rb") as f:
            for line in f:
                # The last line of a client that was killed may be cut.
                if line.endswith(b"\n"):
                    read_entry(history, json.loads(line))


def oid_of(order):
    return hashlib.sha256(b"umpire/order/1\0" + order.encode()).hexdigest()


def open_database(path):
    db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    db.execute("BEGIN")
    return db


def read_record(history, db):
    """The lines, and what is wrong with how they follow each other."""
    before = {}
    for gid, seq, line, said in db.execute(
            "SELECT game, seq, line, hash FROM record ORDER BY game, seq"):
        v = json.loads(line)
        hash_ = hashlib.sha256(line).hexdigest()
        game = history.games.setdefault(gid, [])
        if (seq != len(game) or v["seq"] != seq or said.hex() != hash_
                or v["prev"] != before.get(gid, "0" * 64)):
            history.faults.append(
                ("chain", "game %d line %d does not follow" % (gid, seq)))
        before[gid] = hash_
        game.append((oid_of(v["order"]) if "order" in v else None, hash_))
        if "order" in v:
            add_dice(history, v)


def add_dice(history, line):
    if "dice" in line:
        history.dice.setdefault(oid_of(line["order"]), set()).add(
            json.dumps(line["dice"], sort_keys=True))


def read_lines(history, path):
    """Lines that were about to be stored."""
    with open(path, "rb") as f:
        for line in f:
            try:
                v = json.loads(line)
            except ValueError:
                continue  # cut off by a kill, or by the next one's first
            history.made += 1
            if "order" in v:
                add_dice(history, v)
                if "dice" in v:
                    oid = oid_of(v["order"])
                    history.rolled[oid] = history.rolled.get(oid, 0) + 1


def check_orders(history, where):
    """Each order against the record; where: oid -> [(gid, seq, hash)]."""
    games = {}  # match -> gid
    for oid, places in where.items():
        if oid in history.orders:
            games[history.orders[oid].match] = places[0][0]
    for oid, order in history.orders.items():
        name = "%s of match %d, %s" % (order.kind, order.match, oid[:16])
        places = where.get(oid, [])
        if len(places) > 1:
            yield "twice", "%s is in lines %s" % (
                name, [seq for _, seq, _ in places])
        for error in order.refused:
            yield "refused", "%s: %s%s" % (
                name, error, ", and is in the record" if places else "")
        if len({(seq, hash_) for _, seq, hash_ in order.acks}) > 1:
            yield "answer", "%s: %s" % (name, order.acks)
        for at, seq, hash_ in order.acks[:1]:
            wanted = (games.get(order.match), seq, hash_)
            if not places:
                yield "lost", "%s, acknowledged as line %d at %d" % (
                    name, seq, at)
            elif wanted not in places:
                yield "lost", "%s is %s, not %s" % (name, places[0], wanted)


def check_strangers(history, where):
    for oid, places in where.items():
        if oid is None:
            yield "stranger", "lines %s are no order's" % places
        elif oid not in history.orders or not history.orders[oid].sent:
            yield "stranger", "line %d of game %d" % (
                places[0][1], places[0][0])


def check_dice(history):
    for oid, dice in history.dice.items():
        if len(dice) > 1:
            yield "dice", "%s: %s" % (oid[:16], sorted(dice))


def reads_of(history, where):
    """The reads of each game, by the number of the line that they saw."""
    gids = {}
    for oid, places in where.items():
        if oid in history.orders:
            gids[history.orders[oid].match] = places[0][0]
    reads = {}
    for read in history.reads:
        reads.setdefault(gids.get(read.match), []).append(read)
    return reads


def check_reads(lines, reads):
    """That what was read is what is there."""
    hashes = [hash_ for _, hash_ in lines]
    index = {hash_: i for i, hash_ in enumerate(hashes)}
    for read in reads:
        if not 0 <= read.seq < len(hashes) or hashes[read.seq] != read.head:
            yield "read", "the head of match %d at %d: line %d, %s" % (
                read.match, read.end, read.seq, read.head[:16])
            continue
        if not read.lines:
            continue
        first = index.get(read.lines[0], -1)
        if (first < 0 or first + len(read.lines) - 1 > read.seq
                or hashes[first:first + len(read.lines)] != read.lines):
            yield "read", "lines of match %d at %d" % (read.match, read.end)


def check_time(gid, lines, reads, orders):
    """Whether one order of all events explains what was seen of a game.

    The record gives that order but for reads of the same line, which may
    stand in any: each event must end after all that stand before it began.
    """
    of_line = {}
    for read in reads:
        of_line.setdefault(read.seq, []).append(read)
    latest, what = 0, "nothing"  # the beginning of what stands before
    for seq, (oid, _) in enumerate(lines):
        order = orders.get(oid)
        begin = min(order.sent) if order and order.sent else 0
        end = min([at for at, _, _ in order.acks], default=NEVER) \
            if order else NEVER
        if end < latest:
            yield "time", ("line %d of game %d was acknowledged at %d, "
                           "before %s began at %d"
                           % (seq, gid, end, what, latest))
        if begin > latest:
            latest, what = begin, "line %d" % seq
        after, what_after = latest, what
        for read in of_line.get(seq, []):
            if read.end < latest:
                yield "time", ("a read of line %d of game %d ended at %d, "
                               "before %s began at %d"
                               % (seq, gid, read.end, what, latest))
            if read.begin > after:
                after, what_after = read.begin, "a read of line %d" % seq
        latest, what = after, what_after


def check(history):
    """All faults, as (kind, text)."""
    yield from history.faults
    where = {}
    for gid, lines in history.games.items():
        for seq, (oid, hash_) in enumerate(lines):
            where.setdefault(oid, []).append((gid, seq, hash_))
    yield from check_orders(history, where)
    yield from check_strangers(history, where)
    yield from check_dice(history)
    reads = reads_of(history, where)
    for gid, lines in history.games.items():
        yield from check_reads(lines, reads.get(gid, []))
        yield from check_time(gid, lines, reads.get(gid, []), history.orders)
    for read in reads.get(None, []):
        yield "lost", "match %d, whose game was read at %d" % (
            read.match, read.end)


# What can go wrong, done to a good history: each takes what it needs by chance
# and gives the kind of fault that must be found.

def acked(history, chance):
    """A game and a line of it, not the first, that was acknowledged."""
    choices = [(gid, seq) for gid, lines in sorted(history.games.items())
               for seq, (oid, _) in enumerate(lines)
               if seq > 3 and history.orders[oid].acks]
    return chance.choice(choices)


def spoil_drop_last(history, chance):
    gid, seq = acked(history, chance)
    del history.games[gid][seq:]
    return "lost"


def spoil_drop(history, chance):
    gid, seq = acked(history, chance)
    del history.games[gid][seq]
    return "lost"


def spoil_drop_game(history, chance):
    gid, _ = acked(history, chance)
    del history.games[gid]
    return "lost"


def spoil_double(history, chance):
    gid, seq = acked(history, chance)
    history.games[gid].append((history.games[gid][seq][0], "d" * 64))
    return "twice"


def spoil_change(history, chance):
    gid, seq = acked(history, chance)
    history.games[gid][seq] = (history.games[gid][seq][0], "c" * 64)
    return "lost"


def spoil_stranger(history, chance):
    gid, _ = acked(history, chance)
    history.games[gid].append(("5" * 64, "5" * 64))
    return "stranger"


def spoil_server_line(history, chance):
    gid, _ = acked(history, chance)
    history.games[gid].append((None, "5" * 64))
    return "stranger"


def spoil_journal_drop(history, chance):
    gid, seq = acked(history, chance)
    del history.orders[history.games[gid][seq][0]]
    return "stranger"


def spoil_journal_double(history, chance):
    gid, seq = acked(history, chance)
    order = history.orders[history.games[gid][seq][0]]
    at, seq, hash_ = order.acks[0]
    order.acks.append((at + 1, seq + 1, hash_))
    return "answer"


def spoil_journal_seq(history, chance):
    gid, seq = acked(history, chance)
    order = history.orders[history.games[gid][seq][0]]
    order.acks = [(at, seq + 1, hash_) for at, seq, hash_ in order.acks]
    return "lost"


def spoil_journal_hash(history, chance):
    gid, seq = acked(history, chance)
    order = history.orders[history.games[gid][seq][0]]
    order.acks = [(at, seq, "a" * 64) for at, seq, _ in order.acks]
    return "lost"


def spoil_refused(history, chance):
    gid, seq = acked(history, chance)
    history.orders[history.games[gid][seq][0]].refused.append("stale")
    return "refused"


def spoil_swap(history, chance):
    """Two orders, of which one was answered before the other was sent.

    Both clients were told what the record says, so time alone can tell.
    """
    while True:
        gid, seq = acked(history, chance)
        lines = history.games[gid]
        if seq + 1 == len(lines):
            continue
        one, two = (history.orders[lines[seq + i][0]] for i in (0, 1))
        if one.acks and two.acks and one.acks[0][0] < min(two.sent):
            break
    lines[seq], lines[seq + 1] = lines[seq + 1], lines[seq]
    one.acks = [(at, seq + 1, hash_) for at, _, hash_ in one.acks]
    two.acks = [(at, seq, hash_) for at, _, hash_ in two.acks]
    history.reads = [r for r in history.reads if r.match != one.match]
    return "time"


def spoil_read_old(history, chance):
    """A read that does not see what was acknowledged before it began."""
    gid, seq = acked(history, chance)
    order = history.orders[history.games[gid][seq][0]]
    read = copy.copy(chance.choice(history.reads))
    read.match = order.match
    read.begin = order.acks[0][0] + 1
    read.end = read.begin + 1
    read.seq = seq - 1
    read.head = history.games[gid][seq - 1][1]
    read.lines = []
    history.reads.append(read)
    return "time"


def spoil_read_early(history, chance):
    """A read of what was not sent yet."""
    gid, seq = acked(history, chance)
    order = history.orders[history.games[gid][seq][0]]
    read = copy.copy(chance.choice(history.reads))
    read.match = order.match
    read.end = min(order.sent) - 1
    read.begin = read.end - 1
    read.seq = seq
    read.head = history.games[gid][seq][1]
    read.lines = []
    history.reads.append(read)
    return "time"


def spoil_read_back(history, chance):
    """Two reads of a line that was sent and not answered, the later older."""
    gid, seq = acked(history, chance)
    order = history.orders[history.games[gid][seq][0]]
    at = min(order.sent) + 1
    order.acks = [(NEVER, seq, hash_) for _, seq, hash_ in order.acks]
    for sent, seen in ((at, seq), (at + 10, seq - 1)):
        read = copy.copy(chance.choice(history.reads))
        read.match = order.match
        read.begin, read.end = sent, sent + 1
        read.seq, read.head = seen, history.games[gid][seen][1]
        read.lines = []
        history.reads.append(read)
    return "time"


def spoil_read_other(history, chance):
    read = copy.copy(chance.choice(history.reads))
    read.head = "b" * 64
    history.reads.append(read)
    return "read"


def spoil_read_line(history, chance):
    at = chance.choice([i for i, read in enumerate(history.reads)
                        if read.lines])
    read = history.reads[at] = copy.copy(history.reads[at])
    read.lines = ["b" * 64] + read.lines[1:]
    return "read"


def spoil_dice(history, chance):
    oid = chance.choice(sorted(history.dice))
    history.dice[oid] = history.dice[oid] | {"6 6 6"}
    return "dice"


def mutate(history, seed):
    """Spoils copies; the number of ways, and those that were not found."""
    chance = random.Random(seed)
    ways = [(name[6:], way) for name, way in sorted(globals().items())
            if name.startswith("spoil_")]
    missed = []
    for name, way in ways:
        bad = copy.deepcopy(history)
        kind = way(bad, chance)
        found = {k for k, _ in check(bad)}
        print("%-16s found as %s" % (name, " ".join(sorted(found)) or "-"),
              file=sys.stderr)
        if kind not in found:
            missed.append(name)
    return len(ways), missed


def export(db, folder, count, seed):
    """Writes games as they are exported: lines, then texts, then blobs."""
    gids = [gid for (gid,) in db.execute("SELECT gid FROM game")]
    for gid in random.Random(seed).sample(gids, min(count, len(gids))):
        with open(os.path.join(folder, "%d.jsonl" % gid), "wb") as f:
            for (line,) in db.execute(
                    "SELECT line FROM record WHERE game = ? ORDER BY seq",
                    (gid,)):
                f.write(line + b"\n")
            sides = [
                {"text": ref.hex(), "salt": salt.hex(),
                 "value": bytes(value).decode()}
                for ref, salt, value in db.execute(
                    "SELECT ref, salt, value FROM text WHERE game = ? "
                    "ORDER BY ref", (gid,))]
            sides += [
                {"blob": hash_.hex(), "value": bytes(value).decode()}
                for hash_, value in db.execute(
                    "SELECT DISTINCT b.hash, b.bytes FROM blob b "
                    "JOIN line_blob l ON l.hash = b.hash WHERE l.game = ? "
                    "ORDER BY b.hash", (gid,))]
            for side in sides:
                f.write(json.dumps(
                    side, ensure_ascii=False,
                    separators=(",", ":")).encode() + b"\n")


def count(history, found):
    """What was tried, as one object."""
    lines = {oid for game in history.games.values() for oid, _ in game}
    orders = history.orders.values()
    kinds = {}
    for kind, _ in found:
        kinds[kind] = kinds.get(kind, 0) + 1
    again = [o for o in orders if len(o.acks) > 1]
    return {
        "games": len(history.games),
        "lines": sum(len(game) for game in history.games.values()),
        "acknowledged": sum(1 for o in orders if o.acks),
        "unanswered": sum(1 for o in orders
                          if not o.acks and not o.refused),
        "resent": sum(1 for o in orders if len(o.sent) > 1),
        "late": sum(1 for o in orders if o.is_late),
        "again": len(again),
        "same": sum(1 for o in again
                    if len({ack[1:] for ack in o.acks}) == 1),
        "reads": len(history.reads),
        "dice": len(history.dice),
        "made": history.made,
        "made_again": max(0, history.made - len(lines)),
        "dice_again": sum(1 for n in history.rolled.values() if n > 1),
        "found": kinds,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("journals")
    parser.add_argument("database")
    parser.add_argument("--lines")
    parser.add_argument("--export", nargs=2)
    parser.add_argument("--mutate", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=5)
    args = parser.parse_args()
    history = History()
    read_journals(history, args.journals)
    db = open_database(args.database)
    read_record(history, db)
    if args.lines:
        read_lines(history, args.lines)
    if args.export:
        export(db, args.export[0], int(args.export[1]), args.seed)
    found = list(check(history))
    shown = {}
    for kind, text in found:
        shown[kind] = shown.get(kind, 0) + 1
        if shown[kind] <= args.show:
            print("%s: %s" % (kind, text), file=sys.stderr)
    result = count(history, found)
    missed = []
    if args.mutate is not None:
        result["ways"], missed = mutate(history, args.mutate)
        result["missed"] = missed
    print(json.dumps(result))
    sys.exit(1 if found or missed else 0)


if __name__ == "__main__":
    main()
