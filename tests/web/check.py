#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
HTML pages of "umpire log": what they are made of, and what a browser makes
of them.

  check.py page FILE...             by reading them, without a browser
  check.py browse DIR AXE FILE...   in Chromium by chromedriver; DIR gets
                                    pictures and printed pages, AXE is
                                    axe-core's axe.min.js

Prints TAP.  Only the standard library; WebDriver is plain HTTP and JSON.
"""

import base64
import html.parser
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
VOID = {"meta", "br", "use", "rect", "circle", "polygon", "path"}
TAGS = VOID | {
    "html", "head", "title", "style", "body", "a", "header", "h1", "h2", "h3",
    "p", "span", "bdi", "b", "del", "details", "summary", "small", "strong", "nav", "ol", "ul", "li", "main",
    "section", "article", "div", "time", "table", "caption", "thead", "tbody",
    "tr", "th", "td", "dl", "dt", "dd", "svg", "symbol", "text", "g", "desc"}
ATTRIBUTES = {
    "lang", "charset", "name", "content", "http-equiv", "class", "href", "id",
    "aria-label", "aria-labelledby", "aria-describedby", "aria-hidden", "tabindex", "datetime", "title",
    "scope", "dir", "viewbox", "x", "y", "width", "height", "rx", "cx", "cy",
    "r", "points", "xmlns", "role", "d", "transform"}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa",
         "best-practice"]

cases = 0
failed = 0


def case(what, faults):
    """One result: it holds if the list of faults is empty."""
    global cases, failed
    cases += 1
    print(f"{'not ok' if faults else 'ok'} {cases} - {what}", flush=True)
    failed += bool(faults)
    for fault in faults[:12]:
        print("#", str(fault).replace("\n", " ")[:400])


def plain(text):
    """Words alone: hyphens and breaks are the printer's."""
    return re.sub(r"\s+", "", text)


class Page(html.parser.HTMLParser):
    """What a page is made of, and what is wrong with that."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.faults = []
        self.open = []
        self.ids = {}
        self.targets = []
        self.level = 0
        self.title = ""
        self.last = ""  # text of the last paragraph
        self.csp = None
        self.feed(text)
        self.close()
        self.judge()

    def handle_starttag(self, tag, attrs):
        at = f"line {self.getpos()[0]}: <{tag}>"
        if tag not in TAGS:
            self.faults.append(f"{at} is not one of ours")
        for name, value in attrs:
            if name not in ATTRIBUTES:
                self.faults.append(f"{at} has {name}")
            if name == "id":
                if value in self.ids:
                    self.faults.append(f"{at} has the id {value} again")
                self.ids[value] = tag
            if name in ("href", "aria-labelledby", "aria-describedby"):
                self.targets.append((at, value.removeprefix("#")))
                if name == "href" and not value.startswith("#"):
                    self.faults.append(f"{at} leads to {value}")
        have = dict(attrs)
        if tag == "html" and have.get("lang") != "en":
            self.faults.append("no language")
        if have.get("http-equiv") == "Content-Security-Policy":
            self.csp = have.get("content")
        if tag == "th" and have.get("scope") not in ("row", "col"):
            self.faults.append(f"{at} has no scope")
        if re.fullmatch("h[1-6]", tag):
            if int(tag[1]) > self.level + 1:
                self.faults.append(f"{at} follows h{self.level}")
            self.level = int(tag[1])
        if tag == "p":
            self.last = ""
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(
                f"line {self.getpos()[0]}: </{tag}> within {self.open[-1:]}")
            if tag in self.open:
                while self.open.pop() != tag:
                    pass
            return
        self.open.pop()

    def handle_data(self, data):
        if "title" in self.open and "head" in self.open:
            self.title += data
        if self.open[-1:] == ["p"]:
            self.last += data
        if "style" in self.open and re.search(r"url\(|@import|expression",
                                              data):
            self.faults.append("the style asks for something else")
        for c in data:
            if c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" \
                    or (c < " " and c != "\n"):
                self.faults.append(
                    f"line {self.getpos()[0]}: character {ord(c):#x}")

    def handle_comment(self, data):
        self.faults.append(f"line {self.getpos()[0]}: a comment")

    def unknown_decl(self, data):
        self.faults.append(f"line {self.getpos()[0]}: <![{data}")

    def handle_pi(self, data):
        self.faults.append(f"line {self.getpos()[0]}: <?{data}")

    def judge(self):
        """What only the end can tell."""
        if self.open:
            self.faults.append(f"still open: {self.open}")
        if self.csp != CSP:
            self.faults.append(f"policy: {self.csp}")
        if not self.title.strip():
            self.faults.append("no title")
        for at, target in self.targets:
            if target not in self.ids:
                self.faults.append(f"{at} names {target}, which is not there")
        if "game" not in self.ids or list(self.ids.values()).count("h1") > 1:
            self.faults.append("no main part")


class Browser:
    """A session of Chromium, driven by chromedriver."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(
            ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        port = None
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                port = int(found.group(1))
                break
        if port is None:
            raise RuntimeError("chromedriver did not start")
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        args = ["--headless=new", "--disable-background-networking",
                "--disable-component-update", "--disable-gpu",
                "--disable-dev-shm-usage", "--no-first-run",
                "--hide-scrollbars", f"--user-data-dir={self.folder.name}",
                "--window-size=1000,900"]
        if os.geteuid() == 0:
            args.append("--no-sandbox")
        got = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": {"performance": "ALL"},
            "goog:chromeOptions": {"args": args}}}})
        self.at = f"/session/{got['sessionId']}"

    def call(self, method, path, body=None):
        """One command; its value."""
        self.http.request(method, path,
                          None if body is None else json.dumps(body),
                          {"Content-Type": "application/json"})
        answer = json.loads(self.http.getresponse().read())["value"]
        if isinstance(answer, dict) and "error" in answer:
            raise RuntimeError(f"{path}: {answer['message'][:300]}")
        return answer

    def cdp(self, name, **params):
        """A command of Chromium's own protocol."""
        return self.call("POST", f"{self.at}/goog/cdp/execute",
                         {"cmd": name, "params": params})

    def load(self, url):
        """Loads a page; the addresses of all requests that were made."""
        self.call("POST", f"{self.at}/se/log", {"type": "performance"})
        self.call("POST", f"{self.at}/url", {"url": url})
        asked = []
        for entry in self.call("POST", f"{self.at}/se/log",
                               {"type": "performance"}):
            m = json.loads(entry["message"])["message"]
            # The browser's own first page may still be at work.
            if m["method"] == "Network.requestWillBeSent" and not \
                    m["params"]["documentURL"].startswith("chrome:"):
                asked.append(m["params"]["request"]["url"])
        return asked

    def script(self, text, *args):
        """Runs a function that calls its last argument when it is done."""
        return self.call("POST", f"{self.at}/execute/async",
                         {"script": text, "args": list(args)})

    def look(self, width, scheme):
        """Sets the width of the screen and light or dark."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width,
                 height=900, deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path):
        """Saves a picture of the whole page."""
        size = self.cdp("Page.getLayoutMetrics")["cssContentSize"]
        got = self.cdp("Page.captureScreenshot", captureBeyondViewport=True,
                       clip={"x": 0, "y": 0, "scale": 1,
                             "width": size["width"],
                             "height": min(size["height"], 12000)})
        path.write_bytes(base64.b64decode(got["data"]))

    def close(self):
        """Ends it."""
        try:
            self.call("DELETE", self.at)
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.folder.cleanup()


def findings(browser, axe):
    """What axe-core finds wrong, a line each."""
    got = browser.script(
        axe + ";const done = arguments[arguments.length - 1];"
        "axe.run(document, {runOnly: {type: 'tag', values: arguments[0]}})"
        ".then(r => done({faults: r.violations, passed: r.passes.length}),"
        " e => done({faults: [{id: String(e), nodes: []}], passed: 0}));",
        RULES)
    faults = [f"{v['id']}: {v.get('help', '')} "
              f"{[n['html'] for n in v['nodes'][:2]]}" for v in got["faults"]]
    if got["passed"] <= 5:
        faults.append("axe has looked at nothing")
    return faults


def browse(browser, folder, axe, path):
    """All that a browser has to say of one page."""
    name = path.stem
    url = path.resolve().as_uri()
    page = Page(path.read_text(encoding="utf-8"))
    asked = browser.load(url)
    case(f"{name}: asks for nothing but itself",
         [u for u in asked if u != url] or ([] if asked else ["no request"]))
    for look, width, scheme in (("light", 1000, "light"),
                                ("dark", 1000, "dark"),
                                ("narrow", 360, "light")):
        browser.look(width, scheme)
        case(f"{name}: nothing is found wrong, {look}",
             findings(browser, axe))
        wide = browser.script(
            "arguments[0](document.documentElement.scrollWidth)")
        case(f"{name}: is no wider than the screen, {look}",
             [wide] if wide > width else [])
        browser.picture(folder / f"{name}-{look}.png")
    browser.look(1000, "light")
    browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
    browser.load(url)
    for paper, width, height in (("a4", 21.0, 29.7), ("letter", 21.59, 27.94)):
        pdf = folder / f"{name}-{paper}.pdf"
        pdf.write_bytes(base64.b64decode(browser.call(
            "POST", f"{browser.at}/print",
            {"page": {"width": width, "height": height}})))
        text = subprocess.run(["pdftotext", pdf, "-"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        whole = plain(page.last) != "" and plain(page.last) in plain(text)
        case(f"{name}: is printed to its last line, scripts off, on {paper}",
             [] if whole else [text[-300:]])
    browser.cdp("Emulation.setScriptExecutionDisabled", value=False)


def main():
    """Runs what the command line asks for."""
    what, *rest = sys.argv[1:]
    if what == "page":
        for name in rest:
            with open(name, encoding="utf-8") as f:
                case(f"{os.path.basename(name)}: is made of what it may be",
                     Page(f.read()).faults)
    else:
        folder, axe, *files = map(pathlib.Path, rest)
        folder.mkdir(parents=True, exist_ok=True)
        browser = Browser()
        try:
            for path in files:
                browse(browser, folder, axe.read_text(encoding="utf-8"), path)
        finally:
            browser.close()
    print(f"1..{cases}")
    return 1 if failed else 0


sys.exit(main())
