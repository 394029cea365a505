# SPDX-License-Identifier: ISC
"""
Browsers without heads: Chromium by chromedriver, WebKit by WebKitWebDriver,
Firefox by WebDriver BiDi, since Debian has no driver for it.  Only the standard
library: WebDriver is HTTP and JSON, BiDi JSON over a WebSocket (RFC 6455).

A browser that cannot be started or driven is an error, never skipped.
"""

import base64
import http.client
import json
import os
import re
import secrets
import signal
import socket
import struct
import subprocess
import tempfile
import time

WAIT_S = 120
PAPER = 680  # pixels of a sheet's width, without its margins
TAB, ENTER = "\ue004", "\ue007"
MINIBROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"


class BrowserError(Exception):
    """A browser did not do what it was told."""


def pressed(keys):
    """Keys as both protocols have them."""
    return [{"type": "key", "id": "keys", "actions": [
        {"type": what, "value": key} for key in keys
        for what in ("keyDown", "keyUp")]}]


class WebDriver:
    """A session of a browser with a driver (W3C WebDriver)."""

    def __init__(self, command, started, capabilities):
        # A group of its own: what it starts ends with it.
        self.driver = subprocess.Popen(command, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True,
                                       start_new_session=True)
        self.http = http.client.HTTPConnection("127.0.0.1", started(self),
                                               timeout=WAIT_S)
        got = self.call("POST", "/session",
                        {"capabilities": {"alwaysMatch": capabilities}})
        self.at = "/session/%s" % got["sessionId"]

    def call(self, method, path, body=None):
        """One command; its value."""
        self.http.request(method, path,
                          None if body is None else json.dumps(body),
                          {"Content-Type": "application/json"})
        value = json.loads(self.http.getresponse().read())["value"]
        if isinstance(value, dict) and "error" in value:
            raise BrowserError("%s: %s" % (path, value["message"][:300]))
        return value

    def open(self, url):
        """Loads a page."""
        self.call("POST", self.at + "/url", {"url": url})

    def script(self, text):
        """The value of the body of a function, which may await."""
        return self.call("POST", self.at + "/execute/async", {
            "script": "const done = arguments[arguments.length - 1];"
                      "(async () => {%s})().then(done, (e) => done("
                      "'error: ' + e))" % text, "args": []})

    def files(self, selector, paths):
        """Chooses files in a control, in place of those chosen before."""
        found = self.call("POST", self.at + "/element",
                          {"using": "css selector", "value": selector})
        element = next(iter(found.values()))
        self.call("POST", "%s/element/%s/value" % (self.at, element),
                  {"text": "\n".join(paths)})

    def press(self, keys):
        """Presses keys, one after the other."""
        self.call("POST", self.at + "/actions", {"actions": pressed(keys)})

    def tab(self):
        """The tab that is looked at."""
        return self.call("GET", self.at + "/window")

    def new_tab(self):
        """Opens another, which is then looked at."""
        made = self.call("POST", self.at + "/window/new", {"type": "tab"})
        self.to_tab(made["handle"])
        return made["handle"]

    def to_tab(self, tab):
        """Looks at a tab."""
        self.call("POST", self.at + "/window", {"handle": tab})

    def close_tab(self, tab):
        """Closes a tab; another must then be looked at."""
        self.to_tab(tab)
        self.call("DELETE", self.at + "/window")

    def picture(self):
        """A picture of what is seen, as PNG."""
        return base64.b64decode(self.call("GET", self.at + "/screenshot"))

    def close(self):
        """Ends the session and the driver."""
        try:
            self.call("DELETE", self.at)
        except (OSError, http.client.HTTPException):
            pass  # it hangs; its group ends all the same
        finally:
            os.killpg(self.driver.pid, signal.SIGTERM)
            self.driver.wait()


class Chromium(WebDriver):
    """Chromium."""

    name = "Chromium"

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        args = ["--headless=new", "--disable-background-networking",
                "--disable-component-update", "--disable-gpu",
                "--disable-dev-shm-usage", "--no-first-run",
                "--disable-features=IsolateSandboxedIframes",
                "--user-data-dir=" + self.folder.name,
                "--window-size=1200,900"]
        if os.geteuid() == 0:
            args.append("--no-sandbox")
        super().__init__(
            ["chromedriver", "--port=0"], Chromium.port,
            {"browserName": "chrome", "goog:chromeOptions": {"args": args},
             "goog:loggingPrefs": {"browser": "ALL"}})

    def port(self):
        """The port that the driver says it listens on."""
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                return int(found.group(1))
        raise BrowserError("chromedriver did not start")

    def cdp(self, name, **params):
        """A command of Chromium's own protocol."""
        return self.call("POST", self.at + "/goog/cdp/execute",
                         {"cmd": name, "params": params})

    def complaints(self):
        """What the browser has written to its console since the last time."""
        return ["%s: %s" % (m["level"], m["message"]) for m in self.call(
            "POST", self.at + "/se/log", {"type": "browser"})
                if m["level"] in ("SEVERE", "WARNING")]

    def drop(self, paths):
        """Drops files and folders on the page, as a file manager does."""
        for what in ("dragEnter", "dragOver", "drop"):
            self.cdp("Input.dispatchDragEvent", type=what, x=200, y=200, data={
                "items": [], "files": paths, "dragOperationsMask": 1})

    def look(self, width, scheme):
        """Sets the width of the screen, and light or dark."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width,
                 height=900, deviceScaleFactor=1, mobile=width < 500)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])

    def printed(self):
        """A picture of the page as it is printed, on one long sheet."""
        self.look(PAPER, "light")
        self.cdp("Emulation.setEmulatedMedia", media="print")
        got = self.whole()
        self.cdp("Emulation.setEmulatedMedia", media="")
        return got

    def whole(self):
        """A picture of the whole page, as PNG."""
        size = self.cdp("Page.getLayoutMetrics")["cssContentSize"]
        got = self.cdp("Page.captureScreenshot", captureBeyondViewport=True,
                       clip={"x": 0, "y": 0, "scale": 1,
                             "width": size["width"],
                             "height": min(size["height"], 12000)})
        return base64.b64decode(got["data"])


def free_port():
    """A port of loopback that nobody listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class WebKit(WebDriver):
    """WebKit, in its own small browser; it needs a display (xvfb)."""

    name = "WebKit"

    def __init__(self):
        self.chosen = free_port()
        super().__init__(
            ["xvfb-run", "-a", "WebKitWebDriver",
             "--port=%d" % self.chosen], WebKit.port,
            {"browserName": "MiniBrowser", "webkitgtk:browserOptions": {
                "binary": MINIBROWSER, "args": ["--automation"]}})

    def port(self):
        """The port that was chosen, once it listens."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.chosen)).close()
                return self.chosen
            except OSError:
                if self.driver.poll() is not None:
                    break
                time.sleep(0.02)
        raise BrowserError("WebKitWebDriver did not start")


class Socket:
    """A WebSocket of a client: texts alone."""

    def __init__(self, host, port, path):
        self.s = socket.create_connection((host, port), timeout=WAIT_S)
        self.rest = b""
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self.s.sendall((
            "GET %s HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n"
            % (path, host, port, key)).encode())
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.some()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise BrowserError("no WebSocket: %r" % head[:200])

    def some(self):
        """More bytes."""
        more = self.s.recv(1 << 16)
        if not more:
            raise BrowserError("the browser closed the connection")
        return more

    def take(self, n):
        """Exactly n bytes."""
        while len(self.rest) < n:
            self.rest += self.some()
        taken, self.rest = self.rest[:n], self.rest[n:]
        return taken

    def send(self, text):
        """A text, masked as a client's must be."""
        data, mask = text.encode(), secrets.token_bytes(4)
        head = b"\x81"
        if len(data) < 126:
            head += bytes([0x80 | len(data)])
        elif len(data) < 1 << 16:
            head += b"\xfe" + struct.pack(">H", len(data))
        else:
            head += b"\xff" + struct.pack(">Q", len(data))
        long = mask * (len(data) // 4 + 1)
        masked = int.from_bytes(data, "big") ^ int.from_bytes(
            long[:len(data)], "big")
        self.s.sendall(head + mask + masked.to_bytes(len(data), "big"))

    def receive(self):
        """The next text, of one frame or many."""
        text = b""
        while True:
            first, second = self.take(2)
            n = second & 127
            if n == 126:
                n, = struct.unpack(">H", self.take(2))
            elif n == 127:
                n, = struct.unpack(">Q", self.take(8))
            data = self.take(n)
            if first & 15 == 8:
                raise BrowserError("the browser ended the session")
            if first & 15 in (0, 1, 2):
                text += data
                if first & 128:
                    return text.decode()


class Firefox:
    """Firefox, by its own remote protocol."""

    name = "Firefox"

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        with open(os.path.join(self.folder.name, "user.js"), "w",
                  encoding="utf-8") as f:
            f.write('user_pref("app.update.enabled", false);\n'
                    'user_pref("network.captive-portal-service.enabled",'
                    ' false);\n'
                    'user_pref("network.connectivity-service.enabled",'
                    ' false);\n'
                    'user_pref("datareporting.policy.dataSubmissionEnabled",'
                    ' false);\n')
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile",
             self.folder.name, "--remote-debugging-port=0", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        port = None
        for line in self.process.stderr:
            found = re.search(r"BiDi listening on ws://127.0.0.1:(\d+)", line)
            if found:
                port = int(found.group(1))
                break
        if port is None:
            raise BrowserError("firefox-esr did not start")
        self.socket = Socket("127.0.0.1", port, "/session")
        self.n = 0
        self.call("session.new", {"capabilities": {}})
        tree = self.call("browsingContext.getTree", {})
        self.context = tree["contexts"][0]["context"]

    def call(self, method, params):
        """One command; its result."""
        self.n += 1
        self.socket.send(json.dumps(
            {"id": self.n, "method": method, "params": params}))
        while True:
            said = json.loads(self.socket.receive())
            if said.get("id") != self.n:
                continue
            if said["type"] == "error":
                raise BrowserError("%s: %s" % (method, said["message"][:300]))
            return said["result"]

    def open(self, url):
        """Loads a page."""
        self.call("browsingContext.navigate", {
            "context": self.context, "url": url, "wait": "complete"})

    def evaluate(self, text, **more):
        """What a function gives, as BiDi writes it."""
        got = self.call("script.callFunction", dict({
            "functionDeclaration": text, "awaitPromise": True,
            "target": {"context": self.context}}, **more))
        if got["type"] != "success":
            raise BrowserError(json.dumps(got)[:300])
        return got["result"]

    def script(self, text):
        """The value of the body of a function, which may await."""
        got = self.evaluate(
            "async () => JSON.stringify(await (async () => {%s})() ?? null)"
            % text)
        return json.loads(got["value"])

    def files(self, selector, paths):
        """Chooses files in a control, in place of those chosen before."""
        element = self.evaluate(
            "() => document.querySelector(%s)" % json.dumps(selector),
            resultOwnership="root")
        self.call("input.setFiles", {
            "context": self.context, "element": {
                "sharedId": element["sharedId"]}, "files": paths})

    def press(self, keys):
        """Presses keys, one after the other."""
        self.call("input.performActions", {
            "context": self.context, "actions": pressed(keys)})

    def tab(self):
        """The tab that is looked at."""
        return self.context

    def new_tab(self):
        """Opens another, which is then looked at."""
        made = self.call("browsingContext.create", {"type": "tab"})
        self.to_tab(made["context"])
        return self.context

    def to_tab(self, tab):
        """Looks at a tab."""
        self.context = tab
        self.call("browsingContext.activate", {"context": tab})

    def close_tab(self, tab):
        """Closes a tab; another must then be looked at."""
        self.call("browsingContext.close", {"context": tab})

    def picture(self):
        """A picture of what is seen, as PNG."""
        return base64.b64decode(self.call("browsingContext.captureScreenshot",
                                          {"context": self.context})["data"])

    def close(self):
        """Ends it."""
        self.process.terminate()
        self.process.wait()


ALL = (Chromium, Firefox, WebKit)
