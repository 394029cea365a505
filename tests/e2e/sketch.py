#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Pictures of combats, looked at by a machine.

Makes a combat of each system with 1 to 12 units a side at random, has
"umpire resolve --svg" draw it, and reads the picture: it is well formed, no
text lies on another or outside, in the light and in the dark every colour
stands out from what is behind it, each unit and each contact is there, and each
arrow leads from who attacks to the right edge of whom they attack.

  sketch.py UMPIRE SEED [COUNT]   makes COUNT (1) of each size and checks them
  sketch.py --check FILE...       checks pictures that are there
  sketch.py --page FILE...        the same of those in HTML pages, and prints
                                  how many there are

  sketch.py --game N SEED         writes names.json, the roster of a lasalle2
                                  game, and crowd.json, a combat of N a side
  sketch.py --table FILE COMBAT   checks what declare --check printed of it

Exit status: 0, or 1 after a line for each fault.
"""

import json
import random
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as tree

NS = "{http://www.w3.org/2000/svg}"
CONTRAST = 4.5  # of small letters, at least
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans%s.ttf"
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"

NAMES = [
    "1st Foot", "Regiment Marolt, 1st battalion", "61st Line",
    "Guard Foot Artillery (Drouot)", "I Corps, reserve artillery",
    "Erzherzog-Ferdinand-Husaren", "W" * 64, "i" * 64, "w" * 30 + " " + "w" * 30,
    "</text></svg><script>alert(1)</script>", "<b>\"A\" & 'B'</b>", "]]>&#x41;",
    "\u0416" * 32, "\u8ecd\u968a" * 10, "\u05d2\u05d3\u05d5\u05d3 1",
    "abc \u202efed\u202c x", "\U0001f40e" * 16, "a  b   c", "%s%d%n",
]


class Font:
    """The widths of a typeface, from its file; None where it is missing."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        tables = {}
        for i in range(struct.unpack(">H", self.data[4:6])[0]):
            tag, _, at, _ = struct.unpack(
                ">4sIII", self.data[12 + 16 * i:28 + 16 * i])
            tables[tag] = at
        self.hmtx = tables[b"hmtx"]
        self.em = struct.unpack_from(">H", self.data, tables[b"head"] + 18)[0]
        self.n = struct.unpack_from(">H", self.data, tables[b"hhea"] + 34)[0]
        cmap = tables[b"cmap"]
        self.glyphs = {}
        for i in range(struct.unpack_from(">H", self.data, cmap + 2)[0]):
            at = cmap + struct.unpack_from(
                ">HHI", self.data, cmap + 4 + 8 * i)[2]
            if struct.unpack_from(">H", self.data, at)[0] == 4:
                self.read(at)

    def read(self, at):
        """Read a table of segments."""
        count = struct.unpack_from(">H", self.data, at + 6)[0] // 2

        def word(part, i):
            return struct.unpack_from(
                ">H", self.data, at + 14 + (2 if part else 0) +
                2 * (count * part + i))[0]

        for i in range(count):
            end, start, delta, off = (word(p, i) for p in range(4))
            for c in range(start, min(end, 0xfffe) + 1):
                if off == 0:
                    self.glyphs[c] = (c + delta) & 0xffff
                    continue
                where = (at + 16 + 2 * (count * 3 + i) + off + 2 * (c - start))
                glyph = struct.unpack_from(">H", self.data, where)[0]
                self.glyphs[c] = (glyph + delta) & 0xffff if glyph else 0

    def width(self, text, size):
        """How wide a text is."""
        sum_ = 0
        for c in text:
            glyph = self.glyphs.get(ord(c), 0)
            sum_ += struct.unpack_from(
                ">H", self.data, self.hmtx + 4 * min(glyph, self.n - 1))[0]
        return sum_ * size / self.em


def font(bold):
    """Open a typeface, if it is installed."""
    try:
        return Font(FONT % ("-Bold" if bold else ""))
    except OSError:
        return None


FONTS = [font(False), font(True)]


def width_of(text, size, bold):
    """Say how wide a text is drawn.

    Where the typeface is not installed, what its letters have at least.
    """
    if FONTS[bold] is not None:
        return FONTS[bold].width(text, size)
    return size * sum(0.27 if c in " !\"'()*,-./:;IJ[\\]_`fijlrt|" else 0.52
                      for c in text)


def overlap(a, b):
    """Whether two boxes (x, y, right, bottom) have more than a border."""
    return (min(a[2], b[2]) - max(a[0], b[0]) > 0.01 and
            min(a[3], b[3]) - max(a[1], b[1]) > 0.01)


def inside(a, b):
    """Whether box a lies in box b."""
    return (a[0] >= b[0] - 0.01 and a[1] >= b[1] - 0.01 and
            a[2] <= b[2] + 0.01 and a[3] <= b[3] + 0.01)


def crosses(a, b, box):
    """Whether the line from a to b passes through the inside of a box."""
    near, far = 0.0, 1.0
    for i in (0, 1):
        low, high, step = box[i] + 0.5, box[i + 2] - 0.5, b[i] - a[i]
        if step == 0:
            if not low < a[i] < high:
                return False
            continue
        ends = sorted(((low - a[i]) / step, (high - a[i]) / step))
        near, far = max(near, ends[0]), min(far, ends[1])
    return near < far


def luminance(color):
    """How bright #rrggbb is (WCAG 2.2)."""
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
             for v in parts]
    return sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), parts))


def contrast(a, b):
    """The contrast of two colours, from 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def faint(style):
    """Yield what in the rules of one look is hard to tell from its ground."""
    grounds, colors = set(), set()
    for names, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style):
        found = re.findall(r"(?:fill|stroke): (#[0-9a-f]{6});", body)
        if re.search(r"\.sk-(back|face)\b", names) and "fill: #" in body:
            grounds.update(found)
        else:
            colors.update(found)
    if len(grounds) != 2 or len(colors) < 4:
        yield "grounds %s, colours %s" % (grounds, colors)
    for ground in grounds:
        for color in colors:
            if contrast(ground, color) < CONTRAST:
                yield "%s on %s" % (color, ground)


def box_of(e):
    """The box of a rectangle or of an inner picture."""
    x, y = int(e.get("x", 0)), int(e.get("y", 0))
    return (x, y, x + int(e.get("width")), y + int(e.get("height")))


class Picture:
    """A picture, read; what is wrong with it is in `faults`."""

    def __init__(self, text, style=None):
        self.faults = []
        self.svg = tree.fromstring(text)
        if style is None:
            style = self.svg.find(NS + "style").text
            for look in style.split("@media"):
                for what in faint(look):
                    self.fault("hard to see:", what)
        self.sizes, self.bold = {}, set()
        light = style.split("@media")[0]
        for names, body in re.findall(r"([^{}]+)\{([^{}]*)\}", light):
            for name in re.findall(r"\.([\w-]+)", names):
                size = re.search(r"font-size: (\d+)px", body)
                if size:
                    self.sizes[name] = int(size.group(1))
                if "font-weight: bold" in body:
                    self.bold.add(name)
        self.all = tuple(int(v) for v in self.svg.get("viewBox").split())
        self.texts = []
        self.walk(self.svg, self.all)
        self.cards = {}
        for g in self.svg.iter(NS + "g"):
            if "sk-card" in g.get("class", "").split():
                self.cards.setdefault(g.find(NS + "title").text, []).append(g)
        self.check()

    def fault(self, *what):
        """Note a fault."""
        self.faults.append(" ".join(str(w) for w in what))

    def walk(self, e, clip):
        """Gather the texts below an element, with what cuts them off."""
        for child in e:
            if child.tag == NS + "svg":
                self.walk(child, box_of(child))
            elif child.tag == NS + "text":
                self.texts.append((child, self.text_box(child), clip))
            else:
                self.walk(child, clip)

    def text_box(self, e):
        """The box that a text fills."""
        name = e.get("class")
        size, bold = self.sizes[name], name in self.bold
        width = width_of(e.text, size, bold)
        x, y = int(e.get("x")), int(e.get("y"))
        if name == "sk-figure":
            x -= width
        return (x, y - size * 0.8, x + width, y + size * 0.22)

    def check(self):
        """Check what holds of every picture."""
        for key, want in (("role", "img"),):
            if self.svg.get(key) != want:
                self.fault("no", key)
        ids = {e.get("id"): e for e in self.svg.iter() if e.get("id")}
        for name in (self.svg.get("aria-labelledby"),
                     self.svg.get("aria-describedby")):
            if name not in ids or not (ids[name].text or "").strip():
                self.fault("nothing is said by", name)
        for i, (e, box, clip) in enumerate(self.texts):
            plain = all(" " <= c <= "~" for c in e.text)
            if plain and not inside(box, clip):
                self.fault("outside:", repr(e.text), box, clip)
            # Other letters may come from any typeface, and are cut off.
            if not plain:
                box = (box[0], box[1], min(box[2], clip[2]), box[3])
            for other, its, of in self.texts[:i]:
                its = (its[0], its[1], min(its[2], of[2]), its[3])
                if overlap(box, its):
                    self.fault("on each other:", repr(e.text),
                               repr(other.text))
        boxes = []
        for e in self.svg.iter(NS + "rect"):
            if e.get("class", "").split()[0] in ("sk-face", "sk-chip"):
                boxes.append((e.get("class"), box_of(e)))
        for i, (what, box) in enumerate(boxes):
            if not inside(box, self.all):
                self.fault("a box outside:", what, box)
            for also, its in boxes[:i]:
                if overlap(box, its):
                    self.fault("boxes on each other:", what, also, box, its)
        for e in self.svg.iter(NS + "path"):
            if e.get("class", "").split()[0] == "sk-line":
                for x, y in self.points(e):
                    if not (0 <= x <= self.all[2] and 0 <= y <= self.all[3]):
                        self.fault("a line outside:", e.get("d"))
                line = self.points(e)
                for what, box in boxes:
                    if what.startswith("sk-face") and any(
                            crosses(a, b, box)
                            for a, b in zip(line, line[1:])):
                        self.fault("a line behind a card:", e.get("d"), box)
        said = tree.tostring(self.svg, encoding="unicode")
        if re.search(r"<script|href=|url\(|@import|\son[a-z]+=", said):
            self.fault("it runs or loads something")

    @staticmethod
    def points(path):
        """The points of a line."""
        return [tuple(int(v) for v in p.split())
                for p in re.findall(r"[ML]([-\d ]+)", path.get("d"))]

    def card(self, name):
        """The card of a unit, by how it is called; None if not just one."""
        found = [g for title, list_ in self.cards.items() for g in list_
                 if title == name or title.startswith(name + ": ") or
                 title.startswith(name + " (infantry, ") or
                 title.startswith(name + " (cavalry, ") or
                 title.startswith(name + " (artillery, ") or
                 title.startswith(name + " (commander, ")]
        if len(found) != 1:
            self.fault("cards of", repr(name), len(found))
            return None
        return found[0]

    def unit(self, name, unit_id):
        """Check a unit's card: its name, or what is left of it."""
        g = self.card(name)
        if g is None:
            return
        lines = [e.text for e in g.iter(NS + "text")
                 if e.get("class") == "sk-name"]
        squeezed = name.replace(" ", "")
        got = "".join(lines).replace(" ", "")
        if "\u2026" in got and "\u2026" not in squeezed:
            # What tells units of one name apart is never cut.
            begin, end = got.split("\u2026", 1)
            if not (squeezed.startswith(begin) and len(begin) > 3 and
                    squeezed.endswith(end)):
                self.fault("not a cut of", repr(name), lines)
            if name.endswith(")") and unit_id in name and unit_id not in end:
                self.fault("no longer told apart:", repr(name), lines)
        elif got != squeezed:
            self.fault("not the name", repr(name), lines)

    def title(self):
        """What the picture says in words."""
        return self.svg.find(NS + "title").text


def drawn_in(page):
    """Read the pictures of an HTML page, each by itself."""
    style = page[page.index("<style>"):page.index("</style>")]
    style = style[style.index(".sketch text"):]
    at = page.find('<svg xmlns=')
    while at >= 0:
        depth, end = 0, at
        for tag in re.finditer(r"<svg\b|</svg>", page[at:]):
            depth += 1 if tag.group() == "<svg" else -1
            if depth == 0:
                end = at + tag.end()
                break
        yield Picture(page[at:end], style)
        at = page.find('<svg xmlns=', end)


def called(units):
    """Say what each unit is called, by id."""
    names = [u.get("name") for u in units]
    out = {}
    for u in units:
        name = u.get("name") or u["id"]
        if u.get("name") and names.count(u["name"]) > 1:
            name = "%s (%s)" % (name, u["id"])
        out[u["id"]] = "".join("?" if c in BIDI else c for c in name)
    return out


def some_units(rng, n, prefix, make):
    """Make n units with names of all kinds."""
    units = []
    for i in range(n):
        u = {"id": "%s-%d" % (prefix, i)}
        if rng.random() < 0.9:
            u["name"] = rng.choice(NAMES)
        u.update(make(rng, i))
        units.append(u)
    return units


# --- A combat of each system, and what its picture must show ---


def lasalle2(rng, n):
    """Contacts on every edge, many for each unit."""
    def unit(is_attacker):
        def make(rng, _):
            arm = rng.choice(["infantry", "cavalry"] +
                             ([] if is_attacker else ["artillery"]))
            u = {"arm": arm, "strength": rng.randint(2, 9),
                 "formation": "unlimbered" if arm == "artillery" else
                 rng.choice(["line", "column", "march"]),
                 "difficult": rng.random() < 0.3,
                 "shaken": rng.random() < 0.3}
            if arm == "artillery":
                u["battery"] = rng.choice(["foot", "horse"])
            return u
        return make

    attackers = some_units(rng, n, "a", unit(True))
    defenders = some_units(rng, rng.randint(max(1, n - 2), n), "d",
                           unit(False))
    pairs = {(rng.choice(attackers)["id"], d["id"]) for d in defenders}
    pairs |= {(a["id"], rng.choice(defenders)["id"]) for a in attackers}
    for _ in range(rng.randint(0, n)):
        pairs.add((rng.choice(attackers)["id"], rng.choice(defenders)["id"]))
    contacts = []
    for a, d in sorted(pairs):
        c = {"attacker": a, "defender": d, "edge": rng.choice(
            ["front", "front", "left", "right", "rear"])}
        if rng.random() < 0.2:
            c["uphill"] = True
        if rng.random() < 0.2:
            c["across"] = rng.choice(["wall", "earthworks"])
        contacts.append(c)
    return {"attackers": attackers, "defenders": defenders,
            "contacts": contacts}


def lasalle2_check(combat, p):
    """Each contact is said, and drawn to its edge."""
    names = called(combat["attackers"] + combat["defenders"])
    edges = {"front": "front", "left": "left flank", "right": "right flank",
             "rear": "rear"}
    lines = [e for e in p.svg.iter(NS + "path")
             if e.get("class", "").split()[0] == "sk-line"]
    if len(lines) != len(combat["contacts"]):
        p.fault("lines:", len(lines))
        return
    for c, line in zip(combat["contacts"], lines):
        says = "%s on the %s of %s" % (
            names[c["attacker"]], edges[c["edge"]], names[c["defender"]])
        if says not in p.title():
            p.fault("not said:", says)
        a, d = p.card(names[c["attacker"]]), p.card(names[c["defender"]])
        if a is None or d is None:
            continue
        x, y = p.points(line)[-1]
        left, top, right, bottom = box_of(d.find(NS + "rect"))
        # The defender looks down: its left is to the right.  The arrow
        # comes from outside, straight on the edge.
        px, py = p.points(line)[-2]
        is_on = {"front": y == bottom and left < x == px < right and py > y,
                 "rear": y == top and left < x == px < right and py < y,
                 "left": x == right and top < y == py < bottom and px > x,
                 "right": x == left and top < y == py < bottom and px < x}
        if not is_on[c["edge"]]:
            p.fault("not on the", c["edge"], (x, y), (left, top, right, bottom))
        x, y = p.points(line)[0]
        left, top, right, bottom = box_of(a.find(NS + "rect"))
        if not (left < x < right and y in (top, bottom)):
            p.fault("not from the attacker", says)


def lasalle2_units(combat):
    """Both sides."""
    return combat["attackers"], combat["defenders"]


def invasion1812(rng, n):
    """Stacks that support each other."""
    def make(rng, _):
        return {"type": rng.choice(["infantry", "cavalry", "artillery"]),
                "disrupted": rng.random() < 0.3}

    def side(prefix):
        units = some_units(rng, n, prefix, make)
        cut = sorted({rng.randint(1, n) for _ in range(rng.randint(0, 2))})
        parts = [units[i:j] for i, j in zip([0] + cut, cut + [n]) if i < j]
        stacks = []
        for i, part in enumerate(parts):
            stacks.append({"units": part, "commanders": [
                {"id": "%s-c%d" % (prefix, i), "name": rng.choice(NAMES),
                 "cr": rng.randint(0, 3)}] if rng.random() < 0.7 else []})
        return {"stack": stacks[0], "supports": stacks[1:]}

    combat = {"attacker": side("a"), "defender": side("d"),
              "terrain": rng.choice(["clear", "forest", "rough", "marsh"])}
    for u in combat["attacker"]["stack"]["units"]:
        u["disrupted"] = False
    combat["attacker"]["stack"]["across_river"] = rng.random() < 0.5
    return combat


def invasion1812_units(combat):
    """Both sides, commanders among them."""
    sides = []
    for name in ("attacker", "defender"):
        side = combat[name]
        sides.append([u for stack in [side["stack"]] + side["supports"]
                      for u in stack["units"] + stack["commanders"]])
    return sides


def tlnb(rng, n):
    """One of the three kinds."""
    hexes = ["2417", "2418", "<2419>", "the hex of the old mill by the ford"]

    def make(rng, _):
        u = {"arm": rng.choice(["infantry", "cavalry", "artillery"]),
             "sp": rng.randint(1, 9), "initiative": rng.randint(1, 5),
             "suppressed": rng.random() < 0.3}
        if rng.random() < 0.8:
            u["hex"] = rng.choice(hexes)
        return u

    defenders = some_units(rng, n, "d", make)
    kind = rng.choice(["attack", "bombardment", "charge"])
    if kind == "bombardment":
        return {"kind": kind, "target": {"units": defenders},
                "batteries": some_units(rng, n, "a", lambda rng, _: {
                    "sp": rng.randint(1, 9), "range": rng.randint(1, 3)})}
    attackers = some_units(rng, n, "a", make)
    for u in attackers:
        if kind == "charge":
            u["arm"] = "cavalry"
    if kind == "charge":
        return {"kind": kind, "cavalry": attackers, "target": defenders}
    for u in attackers + defenders:
        u["arm"] = rng.choice(["infantry", "cavalry"])
    return {"kind": kind, "attackers": attackers, "defenders": defenders,
            "terrain": rng.choice(["clear", "town", "woods"]),
            "across": rng.choice(["none", "crest", "bridge"])}


def tlnb_units(combat):
    """Both sides."""
    target = combat.get("defenders") or combat["target"]
    return (combat.get("attackers") or combat.get("batteries") or
            combat["cavalry"],
            target if isinstance(target, list) else target["units"])


def imaginations(rng, n):
    """Side against side."""
    def make(rng, i):
        battalions = [{"id": "x%d-%d-%d" % (rng.randint(0, 10 ** 9), i, k),
                       "quality": rng.choice(["elite", "trained", "raw"]),
                       "sp": rng.randint(1, 5)}
                      for k in range(rng.randint(1, 4))]
        return {"battalions": battalions, "lead": battalions[0]["id"],
                "arm": rng.choice(["infantry", "cavalry"]),
                "morale": rng.randint(0, 6)}

    def side(prefix):
        return {"units": some_units(rng, n, prefix, make),
                "modifiers": [
                    {"reason": rng.choice(NAMES), "kind": "conditional",
                     "value": rng.randint(-3, 3)}
                    for _ in range(rng.randint(0, 5))]}

    return {"attacker": side("a"), "defender": side("d"), "terrain": "village"}


def imaginations_units(combat):
    """Both sides."""
    return combat["attacker"]["units"], combat["defender"]["units"]


def leniston2009(rng, _):
    """A brigade against a brigade."""
    def side(prefix, orders):
        return some_units(rng, 1, prefix, lambda rng, _: {
            "class": rng.choice("ABC"), "fire": rng.choice("ABC"),
            "skirmish": rng.choice("ABC"), "formation": "line",
            "orders": orders, "casualties": rng.randint(0, 4),
            "morale": {"general_attached": rng.random() < 0.5,
                       "no_supports_within_8": rng.random() < 0.5,
                       "rout_within_4": rng.random() < 0.5}})[0]

    return {"rule": "firefight", "attacker": side("a", "engage"),
            "defender": side("d", "hold")}


def leniston2009_units(combat):
    """Both sides."""
    return [combat["attacker"]], [combat["defender"]]


SYSTEMS = {
    "lasalle2": (lasalle2, lasalle2_units, lasalle2_check),
    "invasion-1812": (invasion1812, invasion1812_units, None),
    "tlnb": (tlnb, tlnb_units, None),
    "imagi-nations": (imaginations, imaginations_units, None),
    "leniston-2009": (leniston2009, leniston2009_units, None),
}


def one(umpire, system, n, seed):
    """Draw one combat; the faults of its picture."""
    rng = random.Random("%s %d %s" % (system, n, seed))
    make, units, check = SYSTEMS[system]
    combat = make(rng, n)
    path = "sketch.svg"
    got = subprocess.run(
        [umpire, "resolve", "--svg", path, "-"], check=False,
        input=json.dumps({"system": system, "combat": combat}).encode(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if got.returncode != 0:
        return ["exit %d: %s" % (got.returncode, got.stderr.decode())]
    with open(path, "rb") as f:
        p = Picture(f.read())
    sides = units(combat)
    names = called(sides[0] + sides[1])
    for u in sides[0] + sides[1]:
        p.unit(names[u["id"]], "(%s)" % u["id"])
        if names[u["id"]] not in p.title():
            p.fault("not in the title:", repr(names[u["id"]]))
    if check is not None:
        check(combat, p)
    return p.faults


def game(n, seed):
    """Write a roster and a combat of its units."""
    combat = lasalle2(random.Random(seed), n)
    sides = {}
    for key, name in (("1", "attackers"), ("2", "defenders")):
        sides[key] = {"name": name, "units": [
            {k: v for k, v in u.items() if k not in
             ("formation", "difficult")} for u in combat[name]]}
        combat[name] = [{k: u[k] for k in ("id", "formation", "difficult")}
                        for u in combat[name]]
    for path, value in (("names.json", {"blob": "roster", "sides": sides,
                                        "system": "lasalle2"}),
                        ("crowd.json", combat)):
        with open(path, "w", encoding="utf-8") as f:
            json.dump(value, f)


def table(path, combat):
    """Check the table of a lasalle2 combat: a row a contact, in its order."""
    edges = {"front": "front", "left": "left flank", "right": "right flank",
             "rear": "rear"}
    with open(path, encoding="utf-8") as f:
        text = f.read()
    rows = [line for line in text.split("\n") if "  -->  " in line]
    with open(combat, encoding="utf-8") as f:
        contacts = json.load(f)["contacts"]
    faults = []
    if len(rows) != len(contacts):
        faults.append("%d rows for %d contacts" % (len(rows), len(contacts)))
    if len({row.index("  -->  ") for row in rows}) != 1:
        faults.append("the arrows do not line up")
    for row, c in zip(rows, contacts):
        if edges[c["edge"]] not in row.split("  -->  ")[0]:
            faults.append("not on the %s: %s" % (c["edge"], row))
    return faults


def main(args):
    """Do what the first lines say."""
    faults = 0
    if args[0] == "--check":
        for path in args[1:]:
            with open(path, "rb") as f:
                for fault in Picture(f.read()).faults:
                    print(path, fault)
                    faults += 1
        return 1 if faults else 0
    if args[0] == "--page":
        n, ids = 0, set()
        for path in args[1:]:
            with open(path, encoding="utf-8") as f:
                for p in drawn_in(f.read()):
                    ids.add(p.svg.get("aria-labelledby"))
                    n += 1
                    for fault in p.faults:
                        print(path, fault)
                        faults += 1
            faults += n - len(ids)
        print(n)
        return 1 if faults else 0
    if args[0] == "--game":
        game(int(args[1]), args[2])
        return 0
    if args[0] == "--table":
        for fault in table(args[1], args[2]):
            print(fault)
            faults += 1
        return 1 if faults else 0
    for system in SYSTEMS:
        for n in range(1, 13):
            for i in range(int(args[2]) if len(args) > 2 else 1):
                seed = "%s.%d" % (args[1], i)
                for fault in one(args[0], system, n, seed):
                    print(system, n, seed + ":", fault)
                    faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
