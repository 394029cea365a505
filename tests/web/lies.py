# SPDX-License-Identifier: ISC
"""
A gateway that lies: what the button of a game's page makes of changed programs,
forged records, other records that hold, and pages that say something else than
the record; and that against a page which lies about its own check nothing on
that page helps, which it says.
"""

import hashlib
import http.server
import os
import pathlib
import re
import tempfile
import threading
import urllib.error
import urllib.request

from reader import native

KINDS = {0: "good", 1: "bad", 2: "doubt"}
REFUSED = ("It could not be done: The program was changed: its SHA-256 is not "
           "the one that the page was made with.  Nothing was run.")
PROGRAM, RECORD = r"/s/\w+/umpire\.wasm", r".*/record\.jsonl"
PAGE, BUTTON, WORKER = r"/g/\w+/", r"/s/\w+/verify\.js", r"/s/\w+/worker\.js"


class Liar(http.server.BaseHTTPRequestHandler):
    """Passes on what a gateway replies, some of it changed."""

    def do_GET(self):
        """One reply; of streams none, which ends them for good."""
        lies = self.server.lies
        if "/events" in self.path:
            self.send_response(204)
            self.end_headers()
            return
        try:
            with urllib.request.urlopen(self.server.truth + self.path,
                                        timeout=30) as got:
                status, headers, body = got.status, got.headers, got.read()
        except urllib.error.HTTPError as e:
            status, headers, body = e.code, e.headers, e.read()
        for address, lie in lies.items():
            if status == 200 and re.fullmatch(address, self.path):
                told = lie(body)
                self.server.told += told != body
                body = told
        self.send_response(status)
        for name in ("Content-Type", "Content-Security-Policy",
                     "Content-Disposition"):
            if name in headers:
                self.send_header(name, headers[name])
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class Lies:
    """Such a gateway, of an origin of its own."""

    def __init__(self, truth, lies):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Liar)
        self.server.truth, self.server.lies, self.server.told = truth, lies, 0
        self.address = "http://127.0.0.1:%d" % self.server.server_port

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever,
                         daemon=True).start()
        return self

    def __exit__(self, *args):
        self.server.shutdown()
        self.server.server_close()


def pressed(site, address, faults):
    """Presses the button of the evening's page: what it comes to."""
    site.b.open("%s/g/%s/" % (address, site.args.evening))
    site.b.script("document.getElementById('verify').click()")
    return verdict(site, faults)


def verdict(site, faults):
    """Waits for the end of a check: the kind of verdict, and its words."""
    site.wait("document.getElementById('verdict').className !== ''",
              "a verdict", faults)
    return site.b.script("const v = document.getElementById('verdict');"
                         "return [v.className, v.textContent];")


def judged(umpire, record):
    """What umpire verify says of bytes: its status and words."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "record.jsonl")
        pathlib.Path(path).write_bytes(record)
        return native(umpire, path)[:2]


def replaced(old, new):
    """A lie: other words in place of these."""
    return lambda body: body.replace(old, new)


def instead(other):
    """A lie: other bytes."""
    return lambda body: other


def flipped(body):
    """A lie: one other bit."""
    at = len(body) // 2
    return body[:at] + bytes([body[at] ^ 1]) + body[at + 1:]


def outcome(umpire, record):
    """How umpire verify says that the game ended."""
    found = re.search(r"^  result (.*(\n {11}.*)*)", judged(umpire, record)[1],
                      re.M)
    return " ".join(found.group(1).split()).removesuffix(".")


# ---- (a) another program ----


def programs(site, case):
    """A changed program is refused before it runs, wherever it would."""
    truth, faults = site.args.address, []
    with Lies(truth, {}) as honest:
        kind, words = pressed(site, honest.address, faults)
        if kind != "good":
            faults.append("passed on as it is: %s" % words)
    for lie in (flipped, lambda body: body + b"\0", instead(b""),
                replaced(b"good", b"GOOD")):
        with Lies(truth, {PROGRAM: lie}) as liar:
            found = pressed(site, liar.address, faults)
            if found != ["bad", REFUSED]:
                faults.append(found)
            if liar.server.told != 1:
                faults.append("%d lies were told" % liar.server.told)
    with Lies(truth, {PROGRAM: flipped}) as liar:
        site.b.open(liar.address + "/verify")
        site.b.files("#files", [site.args.record])
        if verdict(site, faults) != ["bad", REFUSED]:
            faults.append("/verify: %s" % verdict(site, faults))
        site.b.open(liar.address + "/odds")
        site.b.script("document.getElementById('go').click()")
        if verdict(site, faults) != ["bad", REFUSED]:
            faults.append("/odds: %s" % verdict(site, faults))
    case("%s: a program that was changed is refused before it runs"
         % site.b.name, faults)


# ---- (b) forged records ----


def forged(record):
    """Records that were changed, by what was done to them."""
    lines = record.splitlines(keepends=True)
    n = sum(line.startswith(b'{"v"') for line in lines)
    die = re.search(rb'"dice":\[(\d)', record)
    other = b"1" if die.group(1) != b"1" else b"2"
    word = re.search(rb"so soon", record)
    mark = re.search(rb'"mark":"(.)', lines[n - 1])
    bent = lines[n - 1][:mark.start(1)] + \
        (b"A" if mark.group(1) != b"A" else b"B") + lines[n - 1][mark.end(1):]
    return {
        "another die": record[:die.start(1)] + other + record[die.end(1):],
        "a line left out": b"".join(lines[:5] + lines[6:]),
        "two lines for each other": b"".join(
            lines[:4] + [lines[5], lines[4]] + lines[6:]),
        "another signature": b"".join(lines[:n - 1] + [bent] + lines[n:]),
        "a word of a player": record[:word.start()] + b"too soon" +
                              record[word.end():],
        "cut off": record[:len(record) // 2],
        "nothing": b"",
        "something else": b"<!DOCTYPE html>\n",
    }


def records(site, case):
    """A forged record under an honest page: as umpire verify judges it."""
    faults = []
    record = pathlib.Path(site.args.record).read_bytes()
    some = forged(record)
    if site.b.name == "Chromium":
        for path in sorted(pathlib.Path(site.args.forged).iterdir())[::4]:
            some[path.name] = path.read_bytes()
    for what, bytes_ in some.items():
        status, words = judged(site.args.umpire, bytes_)
        with Lies(site.args.address, {RECORD: instead(bytes_)}) as liar:
            kind, said = pressed(site, liar.address, faults)
        if status != 1 and what != "cut off":
            faults.append("%s: umpire verify ends with %d" % (what, status))
        if kind != KINDS[status] or not said.endswith(words):
            faults.append("%s: %s, %r, not %r" % (what, kind, said, words))
    case("%s: %d forged records under an honest page: the line and the words "
         "of umpire verify" % (site.b.name, len(some)), faults)


def others(site, case):
    """Records that hold, but are not what the page was made of."""
    faults = []
    record = pathlib.Path(site.args.record).read_bytes()
    with urllib.request.urlopen(site.game(site.args.many, "record.jsonl"),
                                timeout=30) as reply:
        another = reply.read()
    lines = record.splitlines(keepends=True)
    seqs = [i for i, line in enumerate(lines) if line.startswith(b'{"v"')]
    last = seqs[-1]
    for what, bytes_, words in (
            ("another game", another,
             "This is not the record of this game, but of another."),
            ("its last line kept back", b"".join(
                lines[:last] + lines[last + 1:]),
             "This record ends at line %d, and this page at line %d. It may "
             "be an older copy." % (last - 1, last)),
            ("another last line", pathlib.Path(site.args.fork).read_bytes(),
             "This is not the record that this page was made of: line %d is "
             "another." % last)):
        status = judged(site.args.umpire, bytes_)[0]
        with Lies(site.args.address, {RECORD: instead(bytes_)}) as liar:
            found = pressed(site, liar.address, faults)
        if status != 0 or found != ["bad", words + " By itself it holds."]:
            faults.append("%s: %d, %s" % (what, status, found))
    case("%s: a record that holds, and is not what the page was made of, is "
         "told apart" % site.b.name, faults)


# ---- (c) another page ----


def pages(site, case):
    """A page with another result over an honest record."""
    faults = []
    record = pathlib.Path(site.args.record).read_bytes()
    real = outcome(site.args.umpire, record)
    winner = real.split(" won the game")[0]
    claim = b"The King of Rome won the game"
    with Lies(site.args.address, {PAGE: lambda body: re.sub(
            rb'(id="now-h">).*?( won the game)', rb"\1The King of Rome\2",
            body)}) as liar:
        kind, words = pressed(site, liar.address, faults)
        page = site.b.script(
            "return document.getElementById('now-h').textContent")
        small = site.b.script(
            "return document.querySelector('#proof .small').textContent")
    if claim.decode() not in page:
        faults.append("the page does not lie: %r" % page)
    if kind != "good" or not re.search(
            r" It says of the game: %s[;.]" % re.escape(real), words):
        faults.append([kind, words, real])
    if winner in page:
        faults.append("the page names %r" % winner)
    if not small.startswith("The button checks the record, not what this page "
                            "tells of it, and a page can lie about what it "
                            "checks."):
        faults.append(small)
    case("%s: over a page with another result the button says what the record "
         "says" % site.b.name, faults)


# ---- (d) another button ----


def buttons(site, case):
    """A page that lies about its own check: a file of one's own convicts it."""
    faults = []
    args = site.args
    record = forged(pathlib.Path(args.record).read_bytes())["another die"]
    status, words = judged(args.umpire, record)
    lines = [x for x in record.splitlines() if x.startswith(b'{"v"')]
    n, head = len(lines), hashlib.sha256(lines[-1]).hexdigest().encode()
    program = pathlib.Path(args.program).read_bytes()
    changed = program.replace(b"bad at line", b"Bad at line")
    hash_, other = (hashlib.sha256(p).hexdigest().encode()
                    for p in (program, changed))
    for what, lies, kind, say in (
            ("the script", {BUTTON: replaced(
                b"const [kind, text] = WORDS[status];",
                b"const [kind, text] = WORDS[0];")}, "good", "It holds"),
            ("the worker", {WORKER: replaced(
                b"postMessage({ status, verdict, proof, head });",
                b"Object.assign(proof, { lines: %d, dice: 3 });"
                b"postMessage({ status: 0, verdict, proof, head: '%s' });"
                % (n, head))}, "good", "It holds"),
            ("the program and its hash", {
                PROGRAM: instead(changed), PAGE: replaced(hash_, other)},
             "bad", "Bad at line")):
        lies[RECORD] = instead(record)
        with Lies(args.address, lies) as liar:
            found, said = pressed(site, liar.address, faults)
            if found != kind or say not in said:
                faults.append("%s: %s, %r" % (what, found, said))
            # What a spectator may take home from there.
            with urllib.request.urlopen(site.game(
                    args.evening, "record.jsonl").replace(
                        args.address, liar.address), timeout=30) as reply:
                taken = reply.read()
    case("%s: a page that lies about its own check cannot be told from its "
         "button" % site.b.name, faults)

    faults = []
    site.open("/g/%s/" % args.evening)
    site.b.script("document.querySelector('#proof .small a').click()")
    site.wait("location.pathname === '/verify' && "
              "document.getElementById('rungs')", "the page that checks",
              faults)
    site.wait_words("A server that lies could give you a page that lies, too.",
                    faults)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "record.jsonl")
        pathlib.Path(path).write_bytes(taken)
        site.b.open("file://" + os.path.abspath(args.reader))
        site.b.files("#files", [path])
        site.wait("document.getElementById('work').hidden && "
                  "document.getElementById('result').textContent !== ''",
                  "what one's own file says", faults)
        found = site.b.script("return [document.getElementById('result')"
                              ".textContent, document.getElementById("
                              "'verdict').textContent]")
    if status != 1 or found != ["This record does not hold", words]:
        faults.append(found)
    case("%s: pages say so, and a file of one's own convicts that record"
         % site.b.name, faults)


def lies(site, case):
    """All of it; in Chromium also what no page can help against."""
    parts = [programs, records, others, pages]
    if site.b.name == "Chromium":
        parts.append(buttons)
    for part in parts:
        part(site, case)
