#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
umpire-web in browsers: what people see who only look.  All of it in Chromium;
in Firefox and WebKit that games go on by themselves, and that records are
checked and odds worked out.

  gateway.py --address URL --evening ID --live ID --many ID --cup ID
             --record FILE --fork FILE --forged DIR --scenario FILE
             --reader FILE --program FILE --umpire PATH --axe FILE
             --pictures DIR --asks FIFO --answers FIFO [--only PART]...

--evening is a game that is over, --live one that is played, --many one of many
turns and combats, --cup a tournament, as digits in the addresses; --record is
the export of the first, --fork the same with another last line, which its
server signed, too, --forged has records that do not hold, --scenario is a file
for umpire odds, --reader umpire-reader.html and --program what runs in it, as
they were made.  What is to happen meanwhile is written to --asks, a line each; gateway.sh does it, and says so in --answers.
Prints TAP.
"""

import argparse
import base64
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

import browser
from browser import ENTER, TAB
from lies import lies
from looks import looks
from reader_browse import serve

WAIT_S = 60
TABS = 7

cases = 0
failed = 0


def case(what, faults):
    """One result: it holds if the list of faults is empty."""
    global cases, failed
    cases += 1
    failed += bool(faults)
    print("%s %d - %s" % ("not ok" if faults else "ok", cases, what),
          flush=True)
    for fault in faults[:12]:
        print("# %s" % str(fault).replace("\n", " ")[:400], flush=True)


class Site:
    """The browser, and the site that it looks at."""

    def __init__(self, args):
        self.args = args
        self.asks = open(args.asks, "w", encoding="utf-8")
        self.answers = open(args.answers, encoding="utf-8")
        self.is_declared = False
        self.rolled = find_rolled(args)
        self.b = None

    def act(self, *words):
        """Has something happen."""
        self.asks.write(" ".join(words) + "\n")
        self.asks.flush()
        answer = self.answers.readline().strip()
        if answer != "ok":
            raise browser.BrowserError(answer)

    def game(self, which, rest=""):
        """The address of a game's page."""
        return "%s/g/%s/%s" % (self.args.address, which, rest)

    def open(self, path):
        """Loads a page."""
        self.b.open(path if "://" in path else self.args.address + path)

    def text(self):
        """What can be read on the page."""
        return self.b.script("return document.body.innerText")

    def wait(self, condition, what, faults):
        """Waits for something on the page; a fault if it never comes."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            try:
                if self.b.script("return !!(%s)" % condition):
                    return True
            except browser.BrowserError:
                # The page was loaded anew meanwhile.
                pass
            time.sleep(0.05)
        faults.append("it never came: %s" % what)
        return False

    def wait_words(self, words, faults):
        """Waits for words on the page."""
        return self.wait("document.body.textContent.includes(%s)"
                         % json.dumps(words), words, faults)

    def close(self):
        """Ends both ends."""
        self.asks.close()
        self.answers.close()


def routes(site):
    """The pages there are, a name each."""
    evening, live = site.args.evening, site.args.live
    cup = "/t/%s/" % site.args.cup
    return [("lobby", "/"), ("live-list", "/live"),
            ("game", "/g/%s/" % evening), ("turn", "/g/%s/t/1" % evening),
            ("combat", "/g/%s/c/1" % evening),
            ("dice", "/g/%s/%d/dice" % (evening, site.rolled)),
            ("embed", "/g/%s/embed" % evening),
            ("played", "/g/%s/" % live),
            ("many", "/g/%s/" % site.args.many), ("player", "/u/anna"),
            ("event", "/e/%3Ci%3ECup"), ("cup", cup),
            ("standings", cup + "standings"),
            ("crosstable", cup + "crosstable"), ("round", cup + "r/1"),
            ("why", cup + "why/1"), ("verify", "/verify"),
            ("odds", "/odds"), ("missing", "/g/000000000000/")]


def find_rolled(args):
    """The first line of the record that has dice."""
    with open(args.record, encoding="utf-8") as f:
        for line in f:
            if '"rolls":[{' in line:
                return json.loads(line)["seq"]
    return 0


def look(site):
    """axe-core, pictures and the console of each route."""
    axe = pathlib.Path(site.args.axe).read_text(encoding="utf-8")
    for name, path in routes(site):
        site.b.complaints()
        site.open(path)
        if name == "lobby":
            known = site.b.script("return document.links.length")
            case("the lobby has links", [] if known > 3 else [known])
        faults = looks(site.b, axe, "gateway-" + name, site.args.pictures)
        # A page that is not there says so by its status, too.
        faults += [c for c in site.b.complaints()
                   if name != "missing" or "404" not in c]
        case("%s: axe finds nothing, it fits, the browser does not complain"
             % name, faults)


# The figures that can be read, but for what only scripts show, those of a time
# that passes, and what is asked of others.
FIGURES = """
document.querySelectorAll("noscript, button, output, time, script, #check, " +
    "#weigh").forEach((e) => e.remove());
document.querySelectorAll("details").forEach((d) => { d.open = true; });
return document.body.innerText.match(/[0-9]+/g) ?? [];
"""


def without_scripts(site):
    """All can be read with JavaScript off."""
    b, faults, figures = site.b, [], {}
    for name, path in routes(site):
        site.open(path)
        figures[name] = b.script(FIGURES)
    b.cdp("Emulation.setScriptExecutionDisabled", value=True)
    for name, path in routes(site):
        site.open(path)
        text = b.call("POST", b.at + "/element", {
            "using": "css selector", "value": "body"})
        text = b.call("GET", "%s/element/%s/text" % (
            b.at, next(iter(text.values()))))
        if len(text) < 20:
            faults.append("%s: %r" % (name, text))
        # The driver's own scripts run all the same.
        found = b.script(FIGURES)
        if found != figures[name]:
            faults.append("%s: %d figures, %d with scripts" % (
                name, len(found), len(figures[name])))
    if len(figures["many"]) < 200:
        faults.append("few figures: %s" % figures["many"])
    site.act("say", "said while scripts are off")
    site.open("/g/%s/" % site.args.live)
    end, found = time.monotonic() + WAIT_S / 4, []
    while not found and time.monotonic() < end:
        b.call("POST", b.at + "/refresh", {})
        found = b.call("POST", b.at + "/elements", {
            "using": "xpath",
            "value": "//*[contains(text(), 'said while scripts are off')]"})
    if not found:
        faults.append("a new word is not there when the page is loaded anew")
    b.cdp("Emulation.setScriptExecutionDisabled", value=False)
    case("with JavaScript off all pages can be read, every figure of them, "
         "and renewed", faults)


def printed(site):
    """Pages of games on paper: all turns, folded or not."""
    b, faults = site.b, []
    for which in (site.args.evening, site.args.many):
        site.open("/g/%s/" % which)
        heads = b.script(
            "return Array.from(document.querySelectorAll('#turns h2, "
            "#turns h3, #turns .outcome, #proof dd'), (e) => e.textContent)")
        with tempfile.NamedTemporaryFile(suffix=".pdf") as f:
            f.write(base64.b64decode(b.call("POST", b.at + "/print", {
                "page": {"width": 21.0, "height": 29.7}})))
            f.flush()
            text = subprocess.run(["pdftotext", f.name, "-"], check=True,
                                  text=True, capture_output=True).stdout
        # Hyphens and breaks are the printer's.
        text = "".join(text.split())
        lost = [h for h in heads if "".join(h.split()) not in text]
        if len(heads) < 6 or lost:
            faults.append("%s: of %d these are not there: %s" % (
                which, len(heads), lost[:3]))
        if "Checktherecordinthisbrowser" in text:
            faults.append("%s: a button" % which)
    case("games are printed whole, from their turns to what proves them",
         faults)


def feeds(site):
    """Feeds are what RFC 4287 has, which a feed without an id is not."""
    faults, seen = [], 0
    schema = os.path.join(os.path.dirname(__file__), "atom.rng")
    for path in ("/g/%s/feed.atom" % site.args.evening,
                 "/g/%s/feed.atom" % site.args.live,
                 "/g/%s/feed.atom" % site.args.many, "/u/anna/feed.atom",
                 "/e/%3Ci%3ECup/feed.atom"):
        with urllib.request.urlopen(site.args.address + path,
                                    timeout=30) as reply:
            text = reply.read()
        seen += text.count(b"<entry>")
        for feed, is_one in ((text, True), (
                re.sub(rb"<id>[^<]*</id>", b"", text, count=1), False)):
            done = subprocess.run(
                ["xmllint", "--noout", "--nonet", "--relaxng", schema, "-"],
                input=feed, capture_output=True, check=False)
            if (done.returncode == 0) != is_one:
                faults.append("%s: %s" % (path, done.stderr.decode()))
    if seen < 20:
        faults.append("%d entries" % seen)
    case("feeds are Atom by its schema", faults)


def links(site):
    """Every link of the pages leads somewhere, and stays on the site."""
    faults, seen = [], {}
    for name, path in routes(site):
        if name == "missing":
            continue
        site.open(path)
        for href in site.b.script(
                "return Array.from(document.links, (a) => a.href)"):
            seen.setdefault(href.split("#")[0], name)
    for href, name in seen.items():
        if not href.startswith(site.args.address):
            faults.append("%s leads to %s" % (name, href))
            continue
        try:
            with urllib.request.urlopen(href, timeout=30) as reply:
                reply.read()
        except OSError as e:
            faults.append("%s: %s: %s" % (name, href, e))
    case("all %d links of these pages lead somewhere here" % len(seen),
         faults if len(seen) > 20 else ["few links: %d" % len(seen)])


# How often words stand in the turns; -1 if an id is there twice, or if the page
# was loaded anew.
TIMES = """
const ids = Array.from(document.querySelectorAll("[id]"), (e) => e.id);
return window.stayed && new Set(ids).size === ids.length
    ? document.getElementById("turns").textContent.split(%s).length - 1 : -1;
"""


def once(site, words, faults):
    """All of these come, and each stands there once."""
    for text in words:
        site.wait_words(text, faults)
    times = [site.b.script(TIMES % json.dumps(text)) for text in words]
    if times != [1] * len(words):
        faults.append("%s: %s times" % (words, times))


def follow(site):
    """A game that goes on: by itself, and through what goes wrong."""
    faults = []
    site.open("/g/%s/" % site.args.live)
    site.wait("document.getElementById('live') && "
              "!document.getElementById('live').hidden", "the stream", faults)
    site.b.script("window.stayed = true;")
    words = "word by word, in %s" % site.b.name
    site.act("say", words)
    once(site, [words], faults)
    if not site.is_declared:
        # The last line of a turn, before there is one of the next.
        site.act("end-turns")
        with urllib.request.urlopen(site.game(site.args.live, "at"),
                                    timeout=30) as reply:
            line = json.load(reply)["seq"]
        for seq in (line - 1, line):
            site.wait("document.getElementById('l%d')" % seq,
                      "the line that ends a turn", faults)
        site.act("declare")
        site.wait("document.querySelector('[id=c1]')", "the combat", faults)
        site.wait("document.getElementById('say').textContent",
                  "a word in the live region", faults)
        site.is_declared = True
    case("%s: what happens in a game comes by itself, and is said"
         % site.b.name, faults)

    faults, said = [], [words]
    # Whoever is told of a line waits a while before they ask for it: the
    # gateway dies in that time, and no other line comes.
    site.b.script("Math.random = () => 0.9;")
    for when in ("as it dies", "while it is dead", "again", "at the end"):
        said.append("%s, in %s" % (when, site.b.name))
        if when == "while it is dead":
            site.act("kill-web")
        site.act("say", said[-1])
        if when == "as it dies":
            time.sleep(0.3)
            site.act("kill-web")
            # From now on the page's time passes quickly.
            site.b.script("const wait = setTimeout; window.setTimeout ="
                          " (f, ms) => wait(f, ms / 20);")
            time.sleep(2)
            site.act("start-web")
            site.wait_words(said[-1], faults)
        elif when == "again":
            site.act("start-web")
    once(site, said, faults)
    case("%s: after kill -9 of the gateway no line is missing, and none is "
         "there twice" % site.b.name, faults)

    faults = []
    site.act("kill-daemon")
    site.open("/g/%s/" % site.args.live)
    site.b.script("window.stayed = true;")
    once(site, said, faults)
    end, age = time.monotonic() + WAIT_S / 4, None
    while age is None and time.monotonic() < end:
        site.open("/g/%s/" % site.args.live)
        age = re.search(r"The umpire does not answer\. What stands here is as "
                        r"it was [\w ]+ ago\.", site.text())
    if age is None:
        faults.append("it does not say how old it is: %s" % site.text()[:200])
    site.act("start-daemon")
    words = "the daemon was killed, in %s" % site.b.name
    site.act("say", words)
    site.wait_words(words, faults)
    case("%s: after kill -9 of the daemon the page says how old it is, and "
         "goes on by itself" % site.b.name, faults)


def erased(site):
    """Words that their author takes back go from a page that is open."""
    faults = []
    words = "this should not have been said"
    site.open("/g/%s/" % site.args.live)
    site.act("say", words)
    site.wait_words(words, faults)
    site.b.script("window.isKept = true")
    site.act("erase")
    site.wait("!document.body.textContent.includes(%s)" % json.dumps(words),
              "a page without them", faults)
    site.wait_words("(erased)", faults)
    if not site.b.script("return window.isKept === true"):
        faults.append("all of the page was loaded anew")
    case("words that are erased go from a page that is open", faults)


def open_whole(site, which, faults):
    """
    Loads a game's page as it is now: the browser may have one of before, which
    is loaded anew if words were erased since, and of a gateway that was just
    started there may be one that is loaded anew when the game was read.
    """
    with urllib.request.urlopen(site.game(which, "at"), timeout=30) as reply:
        epoch = json.load(reply)["epoch"]
    end, is_whole = time.monotonic() + WAIT_S, False
    while not is_whole and time.monotonic() < end:
        with urllib.request.urlopen(site.game(which), timeout=30) as reply:
            is_whole = "Refresh" not in reply.headers
    site.open("/g/%s/" % which)
    site.b.call("POST", site.b.at + "/refresh", {})
    got = int(site.b.script("return document.body.dataset.epoch"))
    if not is_whole or got != epoch:
        faults.append("%d texts were erased, the page says %d" % (epoch, got))


def polled(site):
    """Where there is no room for a stream the page asks, and lacks nothing."""
    faults = []
    words = ["said to one who asks", "and again", "and taken back"]
    site.act("kill-web")
    site.act("start-polled")
    open_whole(site, site.args.live, faults)
    site.b.script("window.isKept = true")
    site.act("say", words[0])
    site.act("say", words[1])
    for w in words[:2]:
        site.wait_words(w, faults)
    if not site.b.script("return document.getElementById('live').hidden"):
        faults.append("it says that it is live")
    if not site.b.script("return window.isKept === true"):
        faults.append("all of the page was loaded anew")
    site.act("say", words[2])
    site.wait_words(words[2], faults)
    site.act("erase")
    site.wait("!document.body.textContent.includes(%s)" % json.dumps(words[2]),
              "a page without what was erased", faults)
    site.act("kill-web")
    site.act("start-web")
    case("a page without a stream asks for what is new, and what is gone",
         faults)


def keep(site):
    """The reader is a file that is kept, and no other than was made."""
    faults = []
    site.open("/verify")
    at = site.b.script(
        "return document.querySelector('a[download]')?.href ?? ''")
    if not at:
        faults.append("there is no link to it")
    else:
        with urllib.request.urlopen(at, timeout=30) as reply:
            if reply.read() != pathlib.Path(site.args.reader).read_bytes():
                faults.append("it has other bytes")
            kept = reply.headers.get("Content-Disposition", "")
            if not kept.startswith("attachment"):
                faults.append("it opens in the site: %r" % kept)
    case("the page that checks can be kept as a file", faults)


def frames(site):
    """Others may show a game's small page in theirs, and no other page."""
    b, faults = site.b, []
    with tempfile.TemporaryDirectory() as folder:
        address = serve(folder)
        for rest, is_shown in (("embed", True), ("", False)):
            pathlib.Path(folder, "club.html").write_text(
                '<!DOCTYPE html><title>A club</title><link rel="icon" '
                'href="data:,"><iframe src="%s"></iframe>'
                % site.game(site.args.evening, rest), encoding="utf-8")
            b.complaints()
            b.open(address + "club.html")
            end, said = time.monotonic() + 2, []
            while not said and time.monotonic() < end:
                said = b.complaints()
                time.sleep(0.05)
            if bool(said) == is_shown:
                faults.append("/%s: %s" % (rest, said))
    case("a page of others may show the small page of a game alone", faults)


def tabs(site):
    """Seven tabs of a game over HTTP/1.1, of which a browser has six."""
    b, faults = site.b, []
    handles = [b.tab()]
    site.open("/g/%s/" % site.args.live)
    for _ in range(TABS - 1):
        handles.append(b.new_tab())
        began = time.monotonic()
        site.open("/g/%s/" % site.args.live)
        if time.monotonic() - began > WAIT_S / 2:
            faults.append("tab %d took %.0f s" % (
                len(handles), time.monotonic() - began))
    words = "said to seven tabs of %s" % b.name
    site.act("say", words)
    # WebKit brings another tab to the front when the one there is closed.
    for handle in handles:
        b.to_tab(handle)
        site.wait_words(words, faults)
        if handle != handles[-1]:
            b.close_tab(handle)
    b.to_tab(handles[-1])
    case("%s: %d tabs over HTTP/1.1 load, and each goes on" % (b.name, TABS),
         faults)


SHOWN = """
const e = document.getElementById(location.hash.slice(1));
if (e === null)
    return "it is not there";
for (let d = e.parentElement; d !== null; d = d.parentElement)
    if (d.tagName === "DETAILS" && !d.open)
        return "it is folded";
return "";
"""


def fragments(site):
    """An address that leads to a line opens what it is folded in."""
    faults = []
    site.open("/g/%s/" % site.args.many)
    ids = site.b.script(
        "return Array.from(document.querySelectorAll('details:not([open]) "
        "[id]'), (e) => e.id)")
    if not ids:
        faults.append("nothing is folded")
    for name in ids[:1] + ids[len(ids) // 2:][:1] + ids[-1:]:
        site.b.open("about:blank")
        site.open("/g/%s/#%s" % (site.args.many, name))
        site.wait("(() => {%s})() === ''" % SHOWN, "#" + name, faults)
        if faults:
            faults.append(site.b.script(SHOWN))
    case("an address opens the turn that it leads into", faults)


def check(site):
    """The button, and the pages where records and odds are checked."""
    b, faults = site.b, []
    site.open("/g/%s/" % site.args.evening)
    before = b.script("return document.getElementById('verdict').textContent")
    if "holds" in before:
        faults.append("it claims before it checks: %s" % before)
    b.script("document.getElementById('verify').click()")
    site.wait("document.getElementById('verdict').className !== ''",
              "a verdict", faults)
    said = b.script("return document.getElementById('verdict').textContent")
    if not said.startswith("It holds"):
        faults.append(said)
    case("%s: the button of a game's page checks its record" % b.name, faults)

    faults = []
    spoilt = bytearray(pathlib.Path(site.args.record).read_bytes())
    spoilt[len(spoilt) // 3] ^= 1
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as f:
        f.write(spoilt)
        f.flush()
        for path, kind in ((site.args.record, "good"), (f.name, "bad")):
            site.open("/verify")
            b.files("#files", [path])
            site.wait("['good', 'bad', 'doubt'].includes("
                      "document.getElementById('verdict').className)",
                      "a verdict", faults)
            got = b.script("return document.getElementById('verdict')"
                           ".className")
            if got != kind:
                faults.append("%s: %s" % (kind, got))
    case("%s: /verify tells a good record from a spoilt one" % b.name, faults)


def tell_lies(site):
    """What comes of a gateway that lies."""
    lies(site, case)


def weigh(site):
    """The page on which the odds of a combat are worked out."""
    b, faults = site.b, []
    site.open("/odds")
    with open(site.args.scenario, encoding="utf-8") as f:
        scenario = json.load(f)
    scenario.pop("script", None)
    b.script("document.getElementById('scenario').value = %s;"
             "document.getElementById('go').click();"
             % json.dumps(json.dumps(scenario)))
    site.wait("document.querySelectorAll('table').length > 1", "odds", faults)
    b.script("document.getElementById('scenario').value = '{\"system\": 1}';"
             "document.getElementById('go').click();")
    site.wait("document.body.textContent.includes('No odds: system')",
              "what is wrong with a scenario", faults)
    case("%s: /odds works out those of a scenario, or says what is wrong"
         % b.name, faults)


def keys(site):
    """Keys alone reach all that can be used on a game's page."""
    b, faults = site.b, []
    for name, path in (("game", "/g/%s/" % site.args.evening),
                       ("lobby", "/"), ("verify", "/verify")):
        site.open(path)
        wanted = b.script("""
            const all = Array.from(document.querySelectorAll(
                "a[href], button, input, select, summary, textarea, " +
                "[tabindex='0']")).filter((e) => e.checkVisibility() &&
                !e.disabled && e.type !== "hidden");
            all.forEach((e, i) => { e.dataset.nth = i; });
            return all.length;""")
        seen = set()
        for _ in range(wanted + 10):
            b.press(TAB)
            seen.add(b.script(
                "return document.activeElement.dataset.nth ?? ''"))
        lost = {str(i) for i in range(wanted)} - seen
        if lost:
            faults.append("%s: %s" % (name, b.script(
                "return %s.map((n) => document.querySelector("
                "'[data-nth=\"' + n + '\"]').outerHTML.slice(0, 80))"
                % json.dumps(sorted(lost)[:3]))))
    site.open("/")
    b.press(TAB)
    b.press(ENTER)
    if not b.script("return location.hash"):
        faults.append("the first key leads nowhere: no link skips the head")
    case("keys alone reach all on the pages of a game and the lists", faults)


def go_through(site, make, parts):
    """All that is to be tried in one browser."""
    try:
        site.b = make()
    except (browser.BrowserError, OSError) as e:
        case("%s can be driven" % make.name, [e])
        return
    try:
        for part in parts:
            try:
                part(site)
            except (browser.BrowserError, KeyError) as e:
                case("%s, %s" % (make.name, part.__name__), [e])
    except (OSError, http.client.HTTPException) as e:
        # It does not answer any longer.
        case("%s, %s" % (make.name, part.__name__), [repr(e)])
    finally:
        site.b.close()


def main():
    """Runs over all."""
    parser = argparse.ArgumentParser()
    for name in ("address", "evening", "live", "many", "cup", "record",
                 "fork", "forged", "scenario", "reader", "program", "umpire",
                 "axe", "pictures", "asks", "answers"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--only", action="append")
    args = parser.parse_args()
    site = Site(args)
    shared = (follow, tabs, check, tell_lies, weigh)
    try:
        for make in browser.ALL:
            parts = shared if make is not browser.Chromium else (
                look, without_scripts, printed, links, feeds, follow, erased,
                polled, keep, frames, tabs, fragments, check, tell_lies, weigh, keys)
            parts = [p for p in parts
                     if not args.only or p.__name__ in args.only]
            if parts:
                go_through(site, make, parts)
    finally:
        site.close()
    print("1..%d" % cases)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
