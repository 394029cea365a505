# SPDX-License-Identifier: ISC
"""web_words.py PORT ROUTES WORD ID... [cup=ID] [name=NAME] [event=EVENT]: asks
umpire-web for all that its table of addresses has of these games, tournaments,
players and events, and for all that its pages link to.  Prints one JSON object:

  pages     how many addresses were asked for
  found     those whose answer has the word, with how long they may be kept
  kept_long those of them that caches may keep for more than 300 s
  markup    what stands in pages, pictures and feeds that the site has not put
            there: elements and attributes that could run something, answers
            that are no XML where they must be
"""

import html.parser
import json
import re
import sys
import urllib.parse
import xml.etree.ElementTree

from web_ask import ask

NUMBERS = 24  # of lines, turns and combats that are tried
PAGES = 3000
OWN = re.compile(r"/s/[0-9a-f]{16}/[a-z_-]+\.(js|css|svg)")


class Page(html.parser.HTMLParser):
    """A page's links, and what does not belong in it."""

    def __init__(self):
        super().__init__()
        self.links, self.strange = [], []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        for name, value in attrs:
            if name in ("href", "src"):
                self.links.append(value or "")
            if name.startswith("on") or name in ("style", "srcdoc",
                                                 "formaction"):
                self.strange.append(f"{tag} {name}={value}")
            if name in ("href", "src") and re.match(
                    r"\s*(javascript|data|vbscript):", value or "", re.I):
                self.strange.append(f"{tag} {name}={value}")
        if tag == "script" and not OWN.fullmatch(named.get("src") or ""):
            self.strange.append(f"script {named.get('src')}")
        if tag in ("object", "iframe") or (tag == "base" and "href" in named):
            self.strange.append(tag)
        # Strangers write these; the site has none with attributes.
        if tag in ("b", "i", "style") and (attrs or tag == "style"):
            self.strange.append(tag)

    def handle_comment(self, data):
        self.strange.append(f"comment {data[:40]}")


def expand(pattern, games, cups, names, events):
    """The addresses of a row of the table."""
    targets = [pattern]
    for piece, values in (
            ("{id}", cups if pattern.startswith("/t/") else games),
            ("{n}", range(NUMBERS)),
            ("{part}", [f"{p}@{s}" for s in range(0, NUMBERS, 5)
                        for p in ("now", "t0", "t1", "t2", "c1")]),
            ("{name}", names),
            ("{event}", [urllib.parse.quote(e, safe="") for e in events]),
            ("{hash}", [])):
        if piece in pattern:
            targets = [t.replace(piece, str(v))
                       for t in targets for v in values]
    return [t + ("?after=0" if t.endswith("/events") else "")
            for t in targets]


def strange_in(kind, body):
    """What an answer has that the site has not put there, and its links."""
    if kind.startswith("text/html"):
        page = Page()
        page.feed(body.decode("utf-8", "replace"))
        return page.strange, page.links
    if "xml" not in kind:
        return [], []
    try:
        root = xml.etree.ElementTree.fromstring(body)
    except xml.etree.ElementTree.ParseError as e:
        return [f"no XML: {e}"], []
    strange = []
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        if tag in ("script", "foreignObject", "b", "i") or any(
                a.startswith("on") for a in element.attrib):
            strange.append(f"{tag} {element.attrib}")
    return strange, []


def main(port, routes, word, *rest):
    names = [r[5:] for r in rest if r.startswith("name=")]
    events = [r[6:] for r in rest if r.startswith("event=")]
    cups = [r[4:] for r in rest if r.startswith("cup=")]
    games = [r for r in rest if "=" not in r]
    with open(routes, encoding="utf-8") as f:
        patterns = [line.split("\t")[0] for line in f]
    queue = [t for p in patterns for t in expand(p, games, cups, names, events)]
    seen, found, kept_long, markup = set(), {}, [], []
    while queue and len(seen) < PAGES:
        target = queue.pop()
        if target in seen:
            continue
        seen.add(target)
        reply = ask(int(port), target)
        kind, keep = (reply.get(h) or ""
                      for h in ("content-type", "cache-control"))
        if word.encode() in reply.body:
            found[target] = keep
            age = re.search(r"max-age=(\d+)", keep)
            if "immutable" in keep or (age and int(age[1]) > 300):
                kept_long.append(target)
        if reply.get("location"):
            queue.append(reply.get("location"))
        strange, links = strange_in(kind, reply.body)
        markup += [f"{target} ({reply.status}): {s}" for s in strange]
        for link in links:
            url = urllib.parse.urljoin(f"http://x{target}", link)
            if url.startswith("http://x/"):
                queue.append(url[8:].split("#")[0])
    print(json.dumps({"pages": len(seen), "found": found,
                      "kept_long": kept_long, "markup": markup[:20],
                      "n_markup": len(markup), "n_cups": sum(
                          m.startswith("/t/") for m in markup)}))


main(*sys.argv[1:])
