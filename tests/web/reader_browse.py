#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
umpire-reader.html in Chromium, Firefox and WebKit, from a disk and over HTTP.

  reader_browse.py --page FILE --worker FILE --program FILE --pictures DIR
                   [--browser NAME]... RECORD...

Each record is given to the page, which must say what the worker says under
node (reader.py holds that against umpire).  A page whose program has another
byte must run nothing.  Prints TAP.
"""

import argparse
import functools
import hashlib
import http.server
import os
import pathlib
import sys
import threading
import time

import browser
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
WAIT_S = 60

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


def give(b, paths, control="#files"):
    """Gives files to the page and waits: what it then shows."""
    b.script("document.getElementById('result').textContent = '';"
             "document.querySelector('%s').value = '';" % control)
    b.files(control, paths)
    end = time.monotonic() + WAIT_S
    while not b.script(IS_DONE) and time.monotonic() < end:
        time.sleep(0.05)
    return b.script(STATE)


def differ(state, said):
    """What differs between a page and a worker under node."""
    _, head, _, verdict, told = state
    faults = []
    if head != HEADS.get(said["status"]):
        faults.append("it says %r of a record with status %s"
                      % (head, said["status"]))
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


def browse(make, args, said, address):
    """Goes through all in one browser."""
    b = make()
    try:
        for kind, url in (("from a disk", "file://" + args.page),
                          ("over HTTP", address)):
            b.open(url)
            faults = []
            for record, told in said.items():
                faults += ["%s: %s" % (os.path.basename(record), f)
                           for f in differ(give(b, [record]), told)]
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
    parser.add_argument("--browser", action="append")
    parser.add_argument("records", nargs="+")
    args = parser.parse_args()
    args.page = os.path.abspath(args.page)
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
