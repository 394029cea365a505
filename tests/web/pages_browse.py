#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
What spectators are sent, in Chromium: pages that tests/tools/pager wrote are
served under the policy of the gateway, looked at by axe-core, light and dark,
on a desk and on a phone, and gone through by keys and without a script.

  pages_browse.py [--axe FILE] --pictures DIR [--wasm FILE]
                  [--record FILE good|bad]... [--game NAME=DIR]...
                  [--cup NAME=DIR]... [--front NAME=DIR]... NAME=DIR...

With a program the pages that run it must do so, on these records.  Prints TAP.
NAME is that of the pictures of the pages of a folder; of a game of --game and a
tournament of --front only its own page is looked at, of one of --cup those of
its parts, too.  Pictures also shows all of them, in index.html.  Without
axe-core pictures are taken, and nothing is tried but their width.
"""

import argparse
import base64
import functools
import glob
import hashlib
import html
import http.server
import os
import re
import sys
import threading
import time

from browser import Chromium, TAB
from looks import looks

TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css",
         ".js": "text/javascript", ".svg": "image/svg+xml",
         ".atom": "application/atom+xml", ".wasm": "application/wasm"}
POLICY = ("default-src 'none'; style-src 'self'%s; "
          "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
          "connect-src 'self'; img-src 'self'; base-uri 'none'; "
          "form-action 'none'; frame-ancestors 'none'")
TABS_MAX = 400
VIEWS = ("1200-light", "390-light", "1200-dark", "390-dark", "print")
WAIT_S = 60
# What axe cannot decide by itself, and was looked at: text in drawings, whose
# letters lie on a shape and not on a background.
KNOWN = ("frame-tested", "color-contrast")
FOCUS = """
const e = document.activeElement;
const box = e.getBoundingClientRect();
window.reached = (window.reached || new Set()).add(e);
return [window.reached.size, e.tagName, e.outerHTML.slice(0, 120), box.width > 0 && box.height > 0,
    getComputedStyle(e).outlineStyle !== "none" || e.matches(".skip")];
"""
WANTED = """
return Array.from(document.querySelectorAll(
    "a[href], button:not([disabled]), summary, input, textarea, [tabindex='0']"))
    .filter((e) => e.checkVisibility({contentVisibilityAuto: true,
        visibilityProperty: true})).length;
"""

cases = 0
failed = 0


def case(what, faults):
    """One result: it holds if the list of faults is empty."""
    global cases, failed
    cases += 1
    failed += bool(faults)
    print(f"{'not ok' if faults else 'ok'} {cases} - {what}", flush=True)
    for fault in faults[:12]:
        print("#", str(fault).replace("\n", " ")[:600])


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves a folder as the gateway serves its routes."""

    protocol_version = "HTTP/1.1"

    def __init__(self, state, *args):
        self.state = state
        super().__init__(*args)

    def do_GET(self):
        path = self.path.split("?")[0]
        name = self.state["root"] + path
        if path.endswith("/umpire.wasm"):
            name = self.state["wasm"] or name
        for name in (name, name + ".html", name + "index.html"):
            if os.path.isfile(name):
                break
        else:
            self.state["missed"].append(path)
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        with open(name, "rb") as f:
            data = f.read()
        if self.state["wasm"] and name.endswith(".html"):
            data = data.replace(b'data-hash="00"', b'data-hash="%s"'
                                % self.state["hash"].encode())
        styles = " " + self.state["styles"] if path == "/verify" else ""
        self.send_response(200)
        self.send_header("Content-Type",
                         TYPES.get(os.path.splitext(name)[1], "text/plain"))
        self.send_header("Content-Security-Policy", POLICY % styles)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


# What is looked at of a folder that has one game or tournament.
PARTS = {
    "game": ("g/*/index.html",),
    "front": ("t/*/index.html",),
    "cup": ("t/*/*.html", "t/*/r/*.html", "t/*/why/*.html"),
}


def paths(root, part):
    """A page of each kind, the largest."""
    kinds = ("index.html", "live.html", "e/*.html", "u/*.html", "t/*/*.html",
             "t/*/r/*.html", "t/*/why/*.html",
             "choice.html", "verify.html", "odds.html", "error/404.html",
             "error/503.html", "g/*/index.html", "g/*/t/*.html",
             "g/*/c/*.html", "g/*/*/dice.html", "g/*/embed.html")
    for kind in PARTS.get(part, kinds):
        found = glob.glob(os.path.join(root, kind))
        if kind == "t/*/*.html":
            yield from found
        elif found:
            yield max(found, key=os.path.getsize)


def by_keys(b):
    """Everything that does something is reached with the tabulator."""
    wanted = b.script(WANTED)
    faults, reached = [], 0
    b.script("document.activeElement.blur(); window.scrollTo(0, 0)")
    for _ in range(min(wanted + 2, TABS_MAX)):
        b.press(TAB)
        reached, tag, text, is_seen, has_ring = b.script(FOCUS)
        if tag == "BODY":
            break
        if not is_seen or not has_ring:
            faults.append("not seen when it has the focus: " + text)
    if reached < min(wanted, TABS_MAX):
        faults.append("%d of %d reached" % (reached, wanted))
    return faults


def wait(b, what):
    """Waits until a condition of the page holds; what it is then."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        got = b.script("return %s" % what)
        if got:
            return got
        time.sleep(0.05)
    return b.script("return document.getElementById('verdict').textContent")


def works(b, args, state, root, port):
    """The pages that run the program do."""
    at = "http://127.0.0.1:%d" % port
    state["root"] = root
    with open(os.path.join(root, "styles.txt"), encoding="utf-8") as f:
        state["styles"] = f.read()
    b.open(at + "/odds")
    b.script("document.getElementById('go').click()")
    got = wait(b, "document.querySelectorAll('#chances table').length")
    case("/odds works out a combat", ([] if got == 3 else [got]) +
         looks(b, state["axe"], "odds-told", args.pictures, KNOWN))
    b.script("document.getElementById('scenario').value = '{}';"
             "document.getElementById('go').click()")
    got = wait(b, "!document.getElementById('go').disabled && "
                  "document.getElementById('verdict').textContent")
    case("/odds says what is wrong with one",
         [] if str(got).startswith("No odds: ") else [got])
    for record, kind in args.record:
        b.open(at + "/verify")
        b.files("#files", [os.path.realpath(record)])
        got = wait(b, "document.getElementById('files').disabled === false "
                      "&& document.getElementById('verdict').className")
        told = b.script("return document.getElementById('told').srcdoc")
        style = re.search("<style>(.*?)</style>", told, re.S)
        style = base64.b64encode(hashlib.sha256(
            style.group(1).encode() if style else b"").digest()).decode()
        said = b.script("return document.getElementById('said').textContent")
        case("/verify finds a record " + kind,
             ([] if got == kind else [got]) +
             ([] if said else ["it says nothing"]))
        case("and tells its battle in its own style",
             ([] if "</html>" in told else ["nothing is told"]) +
             ([] if style in state["styles"] else ["its style is refused"]) +
             looks(b, state["axe"], "verify-" + kind, args.pictures, KNOWN))


def look(b, args, state, name, root, port, part=None):
    """Looks at all kinds of pages of a folder."""
    state["root"] = root
    with open(os.path.join(root, "styles.txt"), encoding="utf-8") as f:
        state["styles"] = f.read()
    for path in paths(root, part):
        path = path[len(root):].removesuffix("index.html")
        path = path.removesuffix(".html")
        if os.path.isdir(root + path) and not path.endswith("/"):
            path += "/"
        state["missed"].clear()
        b.open("http://127.0.0.1:%d%s" % (port, path))
        called = re.sub("^/[gt]/[0-9a-f]+", "", path) if part else path
        faults = looks(b, state["axe"], name + called.replace("/", "-")
                       .rstrip("-"), args.pictures, KNOWN)
        if state["axe"] is not None:
            faults += by_keys(b)
        faults += ["asked for %s" % p for p in state["missed"]
                   if not p.endswith(("/favicon.ico", "/events", "/at"))]
        case("%s: %s" % (name, path), faults)


def show(folder):
    """Writes a page that shows all pictures of a folder."""
    names = sorted(n[:-len("-1200-light.png")] for n in os.listdir(folder)
                   if n.endswith("-1200-light.png"))
    with open(os.path.join(folder, "index.html"), "w",
              encoding="utf-8") as f:
        f.write("<!DOCTYPE html><meta charset=utf-8><title>Pages</title>"
                "<style>body{font:1rem sans-serif}img{height:32rem;"
                "max-width:24rem;object-fit:cover;object-position:top}"
                "</style>\n")
        for name in names:
            f.write("<h2>%s</h2>\n" % html.escape(name))
            for view in VIEWS:
                at = html.escape("%s-%s.png" % (name, view), quote=True)
                f.write('<a href="%s"><img loading="lazy" alt="%s" '
                        'src="%s"></a>\n' % (at, view, at))


def main():
    """All folders."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--axe")
    parser.add_argument("--pictures", required=True)
    parser.add_argument("--wasm")
    parser.add_argument("--record", nargs=2, action="append", default=[],
                        metavar=("FILE", "good|bad"))
    for part in PARTS:
        parser.add_argument("--" + part, action="append", default=[],
                            metavar="NAME=DIR")
    parser.add_argument("folders", nargs="*")
    args = parser.parse_args()
    state = {"missed": [], "wasm": args.wasm, "hash": "", "axe": None}
    os.makedirs(args.pictures, exist_ok=True)
    if args.axe:
        with open(args.axe, encoding="utf-8") as f:
            state["axe"] = f.read()
    if args.wasm:
        with open(args.wasm, "rb") as f:
            state["hash"] = hashlib.sha256(f.read()).hexdigest()
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, state))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    b = Chromium()
    try:
        for folder in args.folders:
            name, root = folder.split("=")
            look(b, args, state, name, root.rstrip("/"), server.server_port)
        for part in PARTS:
            for folder in getattr(args, part):
                name, of_one = folder.split("=")
                look(b, args, state, name, of_one.rstrip("/"),
                     server.server_port, part)
        show(args.pictures)
        if args.wasm:
            works(b, args, state, root.rstrip("/"), server.server_port)
    finally:
        b.close()
    print(f"1..{cases}")
    return 1 if failed or cases == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
