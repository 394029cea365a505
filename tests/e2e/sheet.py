#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Holds the score sheets of a page against the record's own events.

  sheet.py PAGE.html LOG.json UMPIRE

LOG.json is what "umpire log --json" prints of the same game. Each combat that
ended and stands has one sheet, which says of each unit what the result says of
it, and of each score the number that the event has. What happened has a chance;
and where nobody was asked, or all that staggered had a path or none had one,
it is what "umpire odds" says of the combat's facts and those answers. Prints
the number of sheets, cells that were compared, chances that were compared with
odds, and lines about what differs.
"""

import html.parser
import json
import subprocess
import sys


class Sheets(html.parser.HTMLParser):
    """The tables of the class "sheet", as lists of rows of cells."""

    def __init__(self):
        super().__init__()
        self.sheets = []
        self.rows = None
        self.is_cell = False

    def handle_starttag(self, tag, attrs):
        """Begin a table, a row, a cell."""
        if tag == "table" and ("class", "sheet") in attrs:
            self.rows = []
            self.sheets.append(self.rows)
        elif self.rows is not None and tag == "tr":
            self.rows.append([])
        elif self.rows is not None and tag in ("td", "th"):
            self.rows[-1].append("")
            self.is_cell = True

    def handle_endtag(self, tag):
        """End them."""
        if tag == "table":
            self.rows = None
        elif tag in ("td", "th"):
            self.is_cell = False

    def handle_data(self, data):
        """Take what a cell says."""
        if self.rows is not None and self.is_cell:
            self.rows[-1][-1] += data


def names(value, found):
    """Gather what the units of the facts are called."""
    if isinstance(value, dict):
        if "id" in value and "name" in value:
            found[value["id"]] = value["name"]
        for item in value.values():
            names(item, found)
    elif isinstance(value, list):
        for item in value:
            names(item, found)
    return found


def combats(log):
    """Give the events of each combat that ended and stands."""
    found = {}
    undone = set()
    for line in log:
        if "combat" not in line:
            continue
        if "taken_back" in line:
            undone.add(line["combat"])
        found.setdefault(line["combat"], []).extend(line["events"])
    return [
        events
        for number, events in sorted(found.items())
        if number not in undone
        and any(e.get("e") == "result" for e in events)
    ]


def tells(cell, unit, name):
    """True if a cell is of a unit; names that are shared have the id, too."""
    called = (name, "%s (%s)" % (name, unit))
    return cell in called or cell.endswith(tuple(" of " + n for n in called))


def compare(rows, events):
    """Compare a sheet; return (cells compared, what is wrong)."""
    wrong = []
    known = names(next(e for e in events if e["e"] == "combat"), {})
    at = {name: i for i, name in enumerate(rows[0])}
    compared = 0
    ends = {}
    totals = [row[at["Total"]] for row in rows[1:] if "Total" in at]
    totals = [total for total in totals if total]
    for row in rows[1:]:
        if row[at["End"]]:
            for unit, name in known.items():
                if tells(row[0], unit, name):
                    ends[unit] = row[at["End"]]
    result = next(e for e in events if e["e"] == "result")
    for unit, said in result["units"].items():
        state = said.get("state") if isinstance(said, dict) else said
        if state is None:
            continue
        compared += 1
        if ends.get(unit) != state.replace("-", " "):
            wrong.append("%s: %s, not %s" % (unit, ends.get(unit), state))
    scores = {}
    for e in events:
        if e["e"] == "score":
            key = (e.get("what"), e.get("unit", e.get("side")))
            half = e.get("what") == "half-points"
            scores[key] = "%g" % (e["score"] / 2) if half else str(e["score"])
    compared += len(scores)
    if sorted(totals) != sorted(scores.values()):
        wrong.append("totals %s, not %s" % (totals, list(scores.values())))
    return compared, wrong


def answered(events):
    """Give the policy of the answers, None if this cannot tell."""
    policy = {}
    for e in events:
        if e["e"] != "decision":
            continue
        if e["kind"] != "stagger" or e["side"] in policy:
            return None
        possible = {unit["possible"] for unit in e["order"]}
        if len(possible) != 1:
            return None
        word = "path" if possible.pop() else "none"
        policy[e["side"]] = {"stagger": word}
    return policy


def chances(rows, events, system, umpire):
    """Compare a sheet's chances; return (how many, what is wrong)."""
    if "Chance" not in rows[0]:
        return 0, []
    at = {name: i for i, name in enumerate(rows[0])}
    facts = dict(next(e for e in events if e["e"] == "combat"))
    del facts["e"]
    known = names(facts, {})
    told = {}
    for row in rows[1:]:
        for unit, name in known.items():
            if tells(row[0], unit, name):
                if row[at["Chance"]]:
                    told[unit] = (row[at["End"]], row[at["Chance"]])
    wrong = [
        "%s: %s has no chance" % (unit, end)
        for unit, (end, chance) in told.items()
        if chance == "0.00 %"
    ]
    policy = answered(events)
    if policy is None:
        return 0, wrong
    done = subprocess.run(
        [umpire, "odds", "--json", "--exact", "/dev/stdin"],
        input=json.dumps({"system": system, "combat": facts, "policy": policy}),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        return 0, wrong + ["odds: " + done.stderr.strip()]
    for unit in json.loads(done.stdout)["units"]:
        end, chance = told[unit["id"]]
        want = unit["ends"][end.replace(" ", "-")]["p"] * 100
        if abs(float(chance.strip("<>% ")) - want) > 0.0051:
            wrong.append("%s: %s, not %.2f %%" % (unit["id"], chance, want))
    return len(told), wrong


def main(argv):
    """Read both and compare."""
    reader = Sheets()
    with open(argv[1], encoding="utf-8") as f:
        reader.feed(f.read())
    with open(argv[2], encoding="utf-8") as f:
        log = json.load(f)
    ended = combats(log)
    system = argv[2].rsplit("/", 1)[-1].rsplit(".", 1)[0]
    compared, given, wrong = 0, 0, []
    if len(reader.sheets) != len(ended):
        wrong.append("%d sheets, %d combats" % (len(reader.sheets), len(ended)))
    for n, (rows, events) in enumerate(zip(reader.sheets, ended), 1):
        cells, bad = compare(rows, events)
        compared += cells
        cells, less = chances(rows, events, system, argv[3])
        given += cells
        bad += less
        wrong += ["combat %d: %s" % (n, text) for text in bad]
    print(len(reader.sheets), compared, given)
    for text in wrong:
        print(text)
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
