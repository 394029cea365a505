# SPDX-License-Identifier: ISC
"""
What axe-core says of a page in Chromium, and whether the page fits its screen:
light and dark, on a desk and on a phone.
"""

import json
import os

WIDTHS = (1200, 390)
SCHEMES = ("light", "dark")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa",
         "best-practice"]
RUN = """
%s;
const got = await axe.run(document, {iframes: false,
    runOnly: {type: "tag", values: %s}});
const rows = (list) => list.map((v) => [v.id, v.help,
    v.nodes.map((n) => n.html.slice(0, 160))]);
return [rows(got.violations), rows(got.incomplete), got.passes.length];
"""


def is_hidden(rule, nodes):
    """Whether that is the contrast of words in drawings, or in tables that are
    scrolled sideways, alone: axe cannot tell what is behind these, and people
    have looked."""
    return rule == "color-contrast" and all(
        n.startswith(("<text", "<td", "<th")) for n in nodes)


def findings(b, axe, known=()):
    """What axe finds wrong, and what it cannot decide and is not known."""
    bad, open_, passed = b.script(RUN % (axe, json.dumps(RULES)))
    faults = ["%s: %s %s" % tuple(v) for v in bad]
    faults += ["undecided, %s: %s %s" % tuple(v) for v in open_
               if v[0] not in known and not is_hidden(v[0], v[2])]
    if passed <= 5:
        faults.append("axe has looked at nothing")
    return faults


def looks(b, axe, name, folder, known=()):
    """Looks at the page that is open in all ways: the faults.  Without axe
    pictures are taken, and nothing else."""
    faults = []
    for width in WIDTHS:
        for scheme in SCHEMES:
            b.look(width, scheme)
            at = "%d px, %s: " % (width, scheme)
            if axe is not None:
                faults += [at + f for f in findings(b, axe, known)]
            wide = b.script("return document.documentElement.scrollWidth")
            if wide > width:
                faults.append("%sit is %d px wide" % (at, wide))
            path = os.path.join(folder, "%s-%d-%s.png" % (name, width, scheme))
            with open(path, "wb") as f:
                f.write(b.whole())
    with open(os.path.join(folder, "%s-print.png" % name), "wb") as f:
        f.write(b.printed())
    b.look(WIDTHS[0], "light")
    return faults
