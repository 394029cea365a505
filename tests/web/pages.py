#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
What spectators are sent, as tests/tools/pager writes it: read without a
browser.

  pages.py DIR [WORD...]    all files below DIR; no WORD may stand in one of
                            them as it is

Prints TAP: for each kind of fault a case, with the files that have it.
"""

import gzip
import html.parser
import os
import re
import sys
import urllib.parse
import xml.etree.ElementTree

VOID = {"meta", "br", "link", "input", "base", "use", "rect", "circle",
        "polygon", "path"}
LARGEST = 15 * 1024  # bytes of a game page, compressed
LARGEST_PLAIN = 100 * 1024  # and as it is
# What the gateway makes without these pages.
ELSEWHERE = re.compile(
    r"/(live|odds|verify)?(\?[^?]+)?$|/[uet]/[^/?]+/?(\?[^?]+)?$|"
    r"/[ue]/[^/]+/feed\.atom$|"
    r"/g/[0-9a-f]+/(record\.jsonl|evidence\.jsonl|log\.(txt|md|json)|l/\d+|\d+\.png)$|"
    r"/s/0/umpire\.wasm$|/umpire-reader\.html$|/g/[0-9a-f]+/$|/t/[0-9a-f]+/.*$")
HIDES = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

faults = {}


def fault(kind, path, what):
    """Notes one."""
    faults.setdefault(kind, []).append(f"{path}: {what}")


class Page(html.parser.HTMLParser):
    """What a page is made of."""

    def __init__(self, path, text):
        super().__init__(convert_charrefs=True)
        self.path = path
        self.open = []
        self.ids = set()
        self.links = []
        self.names = []
        self.level = 0
        self.is_part = not text.startswith("<!DOCTYPE html>")
        self.seen = set()
        self.feed(text)
        self.close()
        if self.open:
            fault("well formed", path, f"open at the end: {self.open}")

    def handle_starttag(self, tag, attrs):
        have = dict(attrs)
        at = f"line {self.getpos()[0]}: <{tag}>"
        self.seen.add(tag)
        if len(have) != len(attrs):
            fault("well formed", self.path, f"{at} has an attribute twice")
        if tag in ("script", "style", "iframe", "object", "form") and not (
                tag == "script" and have.get("src", "").startswith("/s/") or
                tag == "iframe" and have.get("sandbox", 0) is None):
            fault("nothing inline", self.path, at)
        for name, value in attrs:
            if name == "style" or name.startswith("on"):
                fault("nothing inline", self.path, f"{at} has {name}")
            if name == "id":
                if value in self.ids or not value:
                    fault("ids", self.path, f"{at} has the id {value} again")
                self.ids.add(value)
            if name in ("href", "src") and tag != "use":
                self.links.append((at, value))
            if name in ("aria-labelledby", "aria-describedby", "for") or (
                    tag == "use" and name == "href"):
                self.names += [(at, n.lstrip("#")) for n in value.split()]
        if tag == "html" and have.get("lang") != "en":
            fault("accessible", self.path, "no language")
        if tag == "th" and have.get("scope") not in ("row", "col"):
            fault("accessible", self.path, f"{at} has no scope")
        if re.fullmatch("h[1-6]", tag):
            if int(tag[1]) > self.level + 1 and not self.is_part:
                fault("accessible", self.path, f"{at} follows h{self.level}")
            self.level = int(tag[1])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            fault("well formed", self.path,
                  f"line {self.getpos()[0]}: </{tag}> in {self.open[-1:]}")
            if tag in self.open:
                while self.open.pop() != tag:
                    pass
            return
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] in ("ul", "ol", "dl", "table", "tbody",
                                           "tr") and data.strip():
            fault("well formed", self.path, f"text in {self.open[-1]}: {data}")
        for c in data:
            if c in HIDES or (c < " " and c != "\n"):
                fault("plain", self.path, f"character {ord(c):#x}")

    def handle_comment(self, data):
        fault("well formed", self.path, "a comment")

    def unknown_decl(self, data):
        fault("well formed", self.path, f"<![{data}")


def find(root, path):
    """The file of an address; None."""
    name = root + path
    for name in ((name + "index.html",) if path.endswith("/")
                 else (name, name + ".html")):
        if os.path.isfile(name):
            return name
    return None


def judge_links(root, path, page, pages):
    """Each link leads somewhere, each name is that of an element."""
    at_page = re.sub(r"index$", "", path.removesuffix(".html"))
    for at, to in page.links:
        address, _, part = to.partition("#")
        if to.startswith("https://games.example.org/"):
            address = address[len("https://games.example.org"):]
        elif re.match(r"[a-z]+:|//", to):
            fault("links", path, f"{at} leads away: {to}")
            continue
        if address:
            address = urllib.parse.urljoin(at_page, address)
        name = find(root, address) if address else root + path
        if name is None:
            if not ELSEWHERE.match(address):
                fault("links", path, f"{at} leads nowhere: {to}")
        elif part and name in pages and not page.is_part and part not in pages[name].ids:
            fault("links", path, f"{at}: no {part} there: {to}")
    if page.is_part:
        return
    for at, name in page.names:
        if name not in page.ids:
            fault("ids", path, f"{at} names {name}")
    if not {"title", "main", "h1"} <= page.seen:
        fault("accessible", path, f"lacks some of title, main, h1")


def judge_csv(path, text):
    """No cell is run by a spreadsheet."""
    for row in text.lstrip("\ufeff").splitlines():
        for cell in row.split(","):
            if cell.strip('"')[:1] in ("=", "+", "-", "@"):
                fault("cells", path, cell)


def main(root, words):
    """Reads all files."""
    pages = {}
    for folder, _, names in os.walk(root):
        for name in names:
            name = os.path.join(folder, name)
            path = name[len(root):]
            with open(name, encoding="utf-8") as f:
                text = f.read()
            for word in words:
                if word in text and not name.endswith(".txt"):
                    fault("escaped", path, word)
            if name.endswith(".html"):
                pages[name] = Page(path, text)
                size = len(gzip.compress(text.encode(), 6))
                if size > LARGEST or len(text.encode()) > LARGEST_PLAIN:
                    fault("size", path, f"{size} bytes of {len(text)}")
            elif name.endswith((".atom", ".svg")):
                try:
                    xml.etree.ElementTree.fromstring(text)
                except xml.etree.ElementTree.ParseError as e:
                    fault("well formed", path, e)
            elif name.endswith(".csv"):
                judge_csv(path, text)
    for name, page in pages.items():
        judge_links(root, name[len(root):], page, pages)
    n = 0
    for kind in ("well formed", "nothing inline", "ids", "links", "accessible",
                 "plain", "escaped", "cells", "size"):
        n += 1
        found = faults.get(kind, [])
        print("not ok" if found else "ok", n, "-", kind)
        for what in found[:8]:
            print("#", what.replace("\n", " ")[:200])
    print(f"# {len(pages)} pages")
    print(f"1..{n}")
    return 1 if faults or not pages else 0


sys.exit(main(sys.argv[1].rstrip("/"), sys.argv[2:]))
