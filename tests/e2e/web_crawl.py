# SPDX-License-Identifier: ISC
"""
Reads all of a site of umpire-web: what its table of addresses has, with the ids
and names that are given, and what its pages link to.

    web_crawl.py WEB ROUTES WORDS [id=DIGITS ...] [cup=DIGITS ...] [name=NAME ...]
        [event=EVENT ...]

WORDS are separated by commas; for each line "WORD COUNT": in how many addresses
it was found.  Then "pages COUNT", and a line "broken STATUS ADDRESS FROM" for
each link that leads nowhere.
"""
import html.parser
import http.client
import os
import sys
import time
import urllib.parse

LINES = 12  # numbers that are tried of lines, turns and combats
PAGES = int(os.environ.get("PAGES", "3000"))  # at most


class Links(html.parser.HTMLParser):
    """Addresses that a page names."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.found.append(value)


def expand(pattern, names):
    """The addresses of a row of the table."""
    kind = "cup" if pattern.startswith("/t/") else "id"
    targets = [pattern]
    for piece, values in (
        ("{id}", names[kind]),
        ("{n}", [str(n) for n in range(LINES)]),
        ("{part}", [f"{p}@{s}" for s in range(0, LINES, 3)
                    for p in ("now", "t0", "t1", "c1")]),
        ("{name}", names["name"]),
        ("{event}", [urllib.parse.quote(e, safe="") for e in names["event"]]),
        ("{hash}", []),
    ):
        if piece in pattern:
            targets = [t.replace(piece, v) for t in targets for v in values]
    return targets


def get(conn, target):
    """A status, type and body; a stream's first bytes alone."""
    headers = {"Host": "x"}
    if target.endswith("/events") or "/events?" in target:
        return 0, "", b""
    conn.request("GET", target, headers=headers)
    reply = conn.getresponse()
    body = reply.read()
    return reply.status, reply.getheader("Location") or "", body


def main(web, routes, words, *rest):
    names = {"id": [], "cup": [], "name": [], "event": []}
    for word in rest:
        kind, value = word.split("=", 1)
        names[kind].append(value)
    with open(routes, encoding="utf-8") as f:
        patterns = [line.split("\t")[0] for line in f]
    queue = [(t, "") for p in patterns for t in expand(p, names)]
    # Numbers that are not there are no broken links: nothing names them.
    seen, found, broken = set(), {w: 0 for w in words.split(",")}, []
    conn = http.client.HTTPConnection(web.split("://")[1], timeout=30)
    while queue and len(seen) < PAGES:
        target, source = queue.pop()
        if target in seen:
            continue
        seen.add(target)
        status, location, body = get(conn, target)
        # A game is being verified: it asks to be asked again.
        for _ in range(20):
            if status != 503:
                break
            time.sleep(0.05)
            status, location, body = get(conn, target)
        if location:
            queue.append((location, source))
        if status >= 400 and source:
            broken.append((status, target, source))
        for w in found:
            found[w] += w.encode() in body
        if body[:15] != b"<!DOCTYPE html>":
            continue
        links = Links()
        links.feed(body.decode())
        for href in links.found:
            url = urllib.parse.urljoin("http://x" + target, href)
            if url.startswith("http://x/"):
                queue.append((url[8:].split("#")[0], target))
    for w, n in found.items():
        print(w, n)
    print("pages", len(seen))
    for line in broken:
        print("broken", *line)


main(*sys.argv[1:])
