#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
umpire-reader.html in Chromium, Firefox and WebKit, from a disk and over HTTP.

  reader_browse.py --page FILE --worker FILE --program FILE --pictures DIR
                   [--axe FILE] [--long RECORD] [--browser NAME]... RECORD...

The network is cut before.  Each record, of a tournament with the games beside
it, is given to the page, which must say what the worker says under node
(reader.py holds that against umpire).  A page whose program has another byte
must run nothing.  The page is gone through by keys alone.  --axe: axe-core looks
at each of its states in Chromium.  --long: a record whose battle is too long to
be shown at once.  Prints TAP.
"""

import argparse
import ctypes
import fcntl
import glob
import functools
import hashlib
import http.server
import json
import os
import pathlib
import socket
import struct
import sys
import threading
import time

import browser
from browser import ENTER, TAB
from looks import looks
from reader import Reader

IS_DONE = """
return document.getElementById("work").hidden &&
    document.getElementById("result").textContent !== "";
"""
STATE = """
const $ = (id) => document.getElementById(id);
return [$("work").hidden, $("result").textContent, $("means").textContent,
    $("verdict").textContent, $("told").srcdoc];
"""
HEADS = {0: "This record holds", 1: "This record does not hold",
         2: "Not all of this record can be checked here"}
WAIT_S = 180
ELEMENTS_MAX = 400  # of the page beside the battle's frame, at a long record
MEMORY_MAX = 6  # of the program, in bytes of the record
# What axe cannot decide: the frame has no scripts, so none of axe's either; its
# page is looked at by itself (web.sh).
KNOWN = ("frame-tested",)

cases = 0
failed = 0


def case(what, faults):
    """One result: it holds if the list of faults is empty."""
    global cases, failed
    cases += 1
    failed += bool(faults)
    print("%s %d - %s" % ("not ok" if faults else "ok", cases, what),
          flush=True)
    for fault in faults[:10]:
        print("# %s" % str(fault).replace("\n", " ")[:400])


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, and a note of what was asked for."""

    asked = []

    def log_message(self, *args):
        Quiet.asked.append(self.path)


def serve(folder):
    """A server of a folder on loopback: its address."""
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return "http://127.0.0.1:%d/" % server.server_port


def beside(record):
    """The files that belong to a record."""
    if os.path.basename(record) != "tournament.jsonl":
        return [record]
    return [record] + sorted(glob.glob(os.path.join(
        os.path.dirname(record), "[0-9a-f]*.jsonl")))


def wait(b, condition):
    """Waits until the page says that something is so."""
    end = time.monotonic() + WAIT_S
    while not b.script("return %s" % condition):
        if time.monotonic() > end:
            raise browser.BrowserError("it never came: %s" % condition)
        time.sleep(0.05)


def give(b, paths, control="#files"):
    """Gives files to the page and waits: what it then shows."""
    b.script("document.getElementById('result').textContent = '';"
             "document.querySelector('%s').value = '';" % control)
    b.files(control, paths)
    end = time.monotonic() + WAIT_S
    while not b.script(IS_DONE) and time.monotonic() < end:
        time.sleep(0.05)
    return b.script(STATE)


def drop(b, paths):
    """Drops files or folders on the page and waits: what it then shows."""
    b.script("document.getElementById('result').textContent = '';")
    b.drop(paths)
    end = time.monotonic() + WAIT_S
    while not b.script(IS_DONE) and time.monotonic() < end:
        time.sleep(0.05)
    return b.script(STATE)


def differ(state, said):
    """What differs between a page and a worker under node."""
    _, head, means, verdict, told = state
    faults = []
    if head != HEADS.get(said["status"]):
        faults.append("it says %r (%s) of a record with status %s"
                      % (head, means, said["status"]))
    if verdict != said["verdict"]:
        faults.append("%r, not %r" % (verdict, said["verdict"]))
    if told != said["told"]:
        faults.append("the report differs: %s, %s" % (
            hashlib.sha256(told.encode()).hexdigest()[:8],
            hashlib.sha256(said["told"].encode()).hexdigest()[:8]))
    return faults


def spoil(page, path):
    """Writes a page whose program has one other letter."""
    text = pathlib.Path(page).read_text(encoding="utf-8")
    at = text.index('id="program"') + 100000
    while not text[at].isalpha():
        at += 1
    other = "A" if text[at] != "A" else "B"
    pathlib.Path(path).write_text(text[:at] + other + text[at + 1:],
                                  encoding="utf-8")


ODDS = """
const $ = (id) => document.getElementById(id);
return [$("weighed").textContent, Array.from(
    $("chances").querySelectorAll("tr"),
    (tr) => Array.from(tr.cells, (c) => c.textContent)),
    $("picture").naturalWidth];
"""


def weigh(b, args, played):
    """Odds and luck of a played game, against what the worker says."""
    reader = Reader(args)
    reader.ask(played)
    odds = reader.ask(json.dumps({"odds": 1}))["odds"]
    reader.end()
    give(b, [played])
    b.script("document.getElementById('odds').open = true;"
             "document.getElementById('weigh').click();")
    wait(b, "!document.getElementById('picture').hidden && "
            "document.getElementById('picture').complete")
    said, rows, wide = b.script(ODDS)
    shown = {row[0]: row[1] for row in rows}
    faults = [] if odds["how"] in said else [said]
    for outcome in odds["combat"]:
        wanted = "%.2f\u00a0%%" % (100 * outcome["p"])
        if shown.get(outcome["outcome"]) != wanted:
            faults.append("%s: %s, not %s" % (
                outcome["outcome"], shown.get(outcome["outcome"]), wanted))
    if wide == 0:
        faults.append("no picture")
    case("%s: the odds of a combat are shown" % b.name, faults)
    rows = b.script("return document.querySelectorAll('#luck tr').length")
    case("%s: how the dice fell is shown" % b.name, [] if rows > 1 else [rows])


AT = """
const e = document.activeElement;
return e === null || e === document.body ? "" : e.id || e.tagName;
"""


def keys(b, record):
    """Goes through the page by keys alone."""
    give(b, [record])
    b.script("document.querySelectorAll('details').forEach("
             "(d) => { d.open = false; }); document.activeElement.blur();"
             "window.scrollTo(0, 0);")
    wanted = b.script("""
        return Array.from(document.querySelectorAll(
            "a[href], button, input, select, summary, iframe, [tabindex]"))
            .filter((e) => e.checkVisibility() && !e.disabled)
            .map((e) => e.id || e.tagName);""")
    seen = []
    for _ in range(3 * len(wanted) + 10):
        b.press(TAB)
        at = b.script(AT)
        if at == "SUMMARY" and not b.script(
                "return document.activeElement.parentElement.open;"):
            # Keys that Firefox is sent activate nothing, not even a button.
            if b.name == "Firefox":
                b.script("document.activeElement.click()")
            else:
                b.press(ENTER)
        seen.append(at)
        if set(wanted) <= set(seen) and "weigh" in seen:
            break
    opened = b.script("return document.querySelectorAll('details[open]')"
                      ".length")
    case("%s: keys alone reach all that can be used" % b.name,
         sorted(set(wanted) - set(seen)) +
         ([] if opened > 0 and "weigh" in seen else
          ["no details were opened", seen]))


def drops(b, said):
    """A record and a tournament's folder that are dropped on the page, and a
    folder that is chosen, in Chromium: only its protocol can drop files."""
    record, cup = (next(r for r in said if (
        os.path.basename(r) == "tournament.jsonl") == is_cup and len(
            beside(r)) > is_cup) for is_cup in (False, True))
    case("%s: a record is dropped on the page" % b.name,
         differ(drop(b, [record]), said[record]))
    folder = os.path.dirname(cup)
    case("%s: a tournament's folder is dropped on the page" % b.name,
         differ(drop(b, [folder]), said[cup]))
    case("%s: a tournament's folder is chosen" % b.name,
         differ(give(b, [folder], "#folder"), said[cup]))


# What unshare() is asked for (sched.h), and how an interface is set (if.h).
NEW_USER, NEW_NET = 0x10000000, 0x40000000
GET_FLAGS, SET_FLAGS, IS_UP = 0x8913, 0x8914, 1


def cut():
    """Leaves this process, and all that it starts, a loopback and no network."""
    uid, gid = os.getuid(), os.getgid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEW_NET | (NEW_USER if uid != 0 else 0)) != 0:
        return [os.strerror(ctypes.get_errno())]
    if uid != 0:
        for name, text in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (
                uid, uid)), ("gid_map", "%d %d 1" % (gid, gid))):
            with open("/proc/self/" + name, "w", encoding="ascii") as f:
                f.write(text)
    with socket.socket() as s:
        flags, = struct.unpack_from("H", fcntl.ioctl(
            s, GET_FLAGS, struct.pack("16sH14x", b"lo", 0)), 16)
        fcntl.ioctl(s, SET_FLAGS, struct.pack("16sH14x", b"lo", flags | IS_UP))
    with open("/proc/self/net/dev", encoding="ascii") as f:
        left = [line.split(":")[0].strip() for line in f if ":" in line]
    return [] if left == ["lo"] else left


def look(b, args, said):
    """axe-core and pictures of each state of the page, in Chromium."""
    axe = pathlib.Path(args.axe).read_text(encoding="utf-8")
    pick = {status: next(r for r, s in said.items() if s["status"] == status
                         and os.path.basename(r) != "tournament.jsonl")
            for status in (0, 1)}
    doubt = [r for r, s in said.items() if s["status"] == 2][:1]
    cup = [r for r, s in said.items() if s["status"] == 0
           and os.path.basename(r) == "tournament.jsonl"][:1]
    states = [("empty", None), ("good", [pick[0]]), ("bad", [pick[1]])]
    states += [("unchecked", d) for d in [doubt] if d]
    states += [("tournament", beside(c)) for c in cup]
    states += [("none", [args.axe]), ("several", list(said)[:8] + doubt)]
    for name, paths in states:
        b.open("file://" + args.page)
        if paths is not None:
            give(b, paths)
        if name == "several":
            wait(b, "document.querySelectorAll('#list li').length === %d"
                 % len(paths))
        if name == "good":
            b.script("document.querySelectorAll('details').forEach("
                     "(d) => { d.open = true; });"
                     "document.getElementById('weigh').click();")
            wait(b, "!document.getElementById('picture').hidden")
        case("the page, %s: axe finds nothing, and it fits the screen" % name,
             looks(b, axe, "reader-" + name, args.pictures, KNOWN))
    b.script("document.getElementById('work').hidden = false;"
             "document.getElementById('bar').max = 34;"
             "document.getElementById('bar').value = 12;"
             "document.getElementById('at').textContent ="
             " 'evening.jsonl: line 12 of 34';")
    case("the page, running: axe finds nothing, and it fits the screen",
         looks(b, axe, "reader-running", args.pictures, KNOWN))


def long(b, args):
    """A record of many lines: what it takes, and that it may be stopped."""
    b.open("file://" + args.page)
    size = os.path.getsize(args.long)
    b.files("#files", [args.long])
    wait(b, "document.getElementById('at').textContent.includes(': line ')")
    b.script("document.getElementById('stop').click()")
    state = b.script(STATE)
    case("%s: a long check can be stopped" % b.name,
         [] if state[0] and state[1] == "Stopped" and not state[3]
         else [state[:3]])
    give(b, [args.long])
    cost, n, framed, offered = b.script("""
        const $ = (id) => document.getElementById(id);
        return [$("cost").textContent, document.querySelectorAll("*").length,
            $("told").srcdoc.length, !$("whole").hidden];""")
    megabytes = int(cost.split(" MB")[0].split()[-1]) if " MB" in cost else 0
    case("%s: %d MB checked with %s MB; the page stays small: %d elements" % (
        b.name, size // 1000000, megabytes, n),
         [] if 0 < megabytes * 1e6 < MEMORY_MAX * size and n < ELEMENTS_MAX
         and framed == 0 and offered else [cost, n, framed, offered])
    b.script("document.getElementById('unfold').click()")
    wait(b, "document.getElementById('told').srcdoc.length > 0")
    case("%s: its battle is shown if it is asked for" % b.name, [])


def browse(make, args, said, address):
    """Goes through all in one browser."""
    b = make()
    try:
        for kind, url in (("from a disk", "file://" + args.page),
                          ("over HTTP", address)):
            b.open(url)
            faults = []
            for record, told in said.items():
                faults += ["%s: %s" % (record, f)
                           for f in differ(give(b, beside(record)), told)]
            case("%s, %s: %d records as umpire judges and tells them" % (
                b.name, kind, len(said)), faults)
            rung = b.script("return document.getElementById('rung')"
                            ".textContent;")
            word = "second" if kind == "from a disk" else "first"
            case("%s, %s: it says which way of checking it is" % (
                b.name, kind), [] if ("the %s of" % word) in rung else [rung])
        with open(os.path.join(args.pictures, "reader-%s.png" % b.name),
                  "wb") as f:
            f.write(b.picture())
        records = list(said)[:3]
        give(b, records)
        shown = b.script(
            "for (let i = 0; i < 1200 && document.querySelectorAll("
            "'#list li').length < 3; i++)"
            " await new Promise((y) => setTimeout(y, 50));"
            "return Array.from(document.querySelectorAll('#list li'),"
            " (li) => li.textContent);")
        wanted = ["%s %s" % (os.path.basename(r), HEADS[said[r]["status"]])
                  for r in records]
        case("%s: three at once have a row each" % b.name,
             [] if shown == wanted else [shown, wanted])
        played = next(r for r, s in said.items() if s.get("combats"))
        weigh(b, args, played)
        if make is browser.Chromium:
            drops(b, said)
        keys(b, played)
        if args.long:
            long(b, args)
        if args.axe and make is browser.Chromium:
            look(b, args, said)
        spoilt = os.path.join(args.pictures, "spoilt.html")
        spoil(args.page, spoilt)
        b.open("file://" + spoilt)
        state = give(b, records[:1])
        os.unlink(spoilt)
        case("%s: a changed program is refused before it runs" % b.name,
             [] if state[1] == "Nothing was checked" and not state[3]
             else [state[:4]])
    finally:
        b.close()


def main():
    """Runs over the browsers."""
    parser = argparse.ArgumentParser()
    for name in ("page", "worker", "program", "pictures"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--node", default="node")
    parser.add_argument("--axe")
    parser.add_argument("--long")
    parser.add_argument("--browser", action="append")
    parser.add_argument("records", nargs="+")
    args = parser.parse_args(namespace=argparse.Namespace(errs=None))
    for name in ("page", "pictures", "axe", "long"):
        if getattr(args, name):
            setattr(args, name, os.path.abspath(getattr(args, name)))
    case("there is no network", cut())
    reader = Reader(args)
    said = {os.path.abspath(r): reader.ask(os.path.abspath(r))
            for r in args.records}
    reader.end()
    address = serve(os.path.dirname(args.page)) + os.path.basename(args.page)
    for make in browser.ALL:
        if args.browser and make.name not in args.browser:
            continue
        try:
            browse(make, args, said, address)
        except (browser.BrowserError, OSError) as e:
            case("%s can be driven" % make.name, [e])
    others = {p for p in Quiet.asked
              if p not in ("/" + os.path.basename(args.page), "/favicon.ico")}
    case("nothing else was asked of the server", sorted(others))
    print("1..%d" % cases)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
