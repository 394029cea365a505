#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
#
# called.py UNITS TEXT...: prints every place of the texts where the id of a
# unit or commander stands by itself, though UNITS, a roster or a record, has a
# name for it.  An id may stand behind its name, in brackets, in a table before
# its name, which may be cut, and in a command that is there to be typed.  Exits
# with 1 if it has printed any.
import html
import json
import re
import sys

CUT = 10  # columns to which a table cuts a name at worst
SHOWN = 20  # of those that are wrong
WRAPPED = 120  # and how far before an id its name may begin


def units(v, found):
    """Adds all ids that have a name to a dictionary of the names."""
    if isinstance(v, str) and v[:1] in "{[":
        try:
            v = json.loads(v)
        except ValueError:
            return
    if isinstance(v, dict):
        name = v.get("name")
        if isinstance(name, str) and isinstance(v.get("id"), str):
            found.setdefault(v["id"], set()).add(name)
        v = list(v.values())
    if isinstance(v, list):
        for item in v:
            units(item, found)


def plain(text):
    """A text without markup, commands and what a person typed."""
    if "<html" in text:
        text = re.sub(r"(?s)<(script|style)\b.*?</\1>", " ", text)
        text = html.unescape(re.sub(r"</(td|th|p|li|h\d|text)>", " ; ", text))
        text = re.sub(r"<[^>]*>", "", text)
    text = re.sub(r"\\([^\w\s])", r"\1", text)
    text = re.sub(r"\[(/?\w+|\*)\]", "", text)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    text = re.sub(r"(?m)^.*\bumpire [a-z-]+ .*$", "", text)
    text = re.sub(
        r"(?m)((?:\?: help.*|your move)> ).*(\n[a-z0-9 -]*$)?", r"\1", text)
    return re.sub(r"\s+", " ", text)


def main():
    found = {}
    with open(sys.argv[1], encoding="utf-8") as f:
        text = f.read()
    try:
        units(json.loads(text), found)
    except ValueError:
        for line in text.splitlines():
            units(line, found)
    found = {i: n for i, n in found.items() if i not in n}
    if not found:
        sys.exit("called.py: no unit of '%s' has a name" % sys.argv[1])
    ids = sorted(found, key=len, reverse=True)
    alone = re.compile(r"(?<![\w-])(%s)(?![\w-])" % "|".join(
        map(re.escape, ids)))
    wrong = 0
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as f:
            text = plain(f.read())
        for m in alone.finditer(text):
            before = text[:m.start()]
            # A narrow table has the id on a line of its own.
            near = before[-WRAPPED:].split()
            if before.endswith("(") and text[m.end():m.end() + 1] == ")" and \
                    any(set(n.split()) <= set(near) for n in found[m[1]]):
                continue
            if any(text[m.end() + 1:].startswith(n[:CUT]) for n in found[m[1]]):
                continue
            wrong += 1
            if wrong <= SHOWN:
                print("%s: ...%s..." % (path.rsplit("/", 1)[-1],
                                        text[max(m.start() - 40, 0):
                                             m.end() + 20]))
    sys.exit(wrong > 0)


main()
