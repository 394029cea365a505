#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""
The other ends of notices: a mail server with STARTTLS, one that speaks TLS
from the start, and a receiver of webhooks, all on the loopback; and a test of
umpired-courier alone, fed with packets.

  notify.py serve DIR              until standard input ends
  notify.py courier PROGRAM DIR    prints "ok WHAT" and "not ok WHAT: WHY"

DIR has tls.crt and tls.key, and other.crt and other.key, which nobody knows.
serve writes DIR/smtp.port, DIR/smtps.port and DIR/https.port, and a line of
JSON for each mail to DIR/mails and for each request to DIR/hooks.  How they
answer is read from DIR/smtp.do ("STAGE CODE", "plain": no STARTTLS) and
DIR/https.do (a status, "drop", "long" or "hang"), which need not be there.
"""

import base64
import json
import os
import socket
import ssl
import stat
import subprocess
import sys
import tempfile
import threading
import time

WAIT = 20  # seconds for anything
UNREACHED = "the receiver cannot be reached by https"


class Ends:
    """The servers."""

    def __init__(self, folder):
        self.folder = folder
        self.lock = threading.Lock()
        self.connections = 0  # to the receiver of webhooks
        self.tls = self.context("tls")
        self.other = self.context("other")
        self.ports = {}
        self.serve("smtp", self.smtp)
        self.serve("smtps", self.smtps)
        self.serve("https", self.https)
        self.serve("other", self.https_other)

    def path(self, name):
        """A file of the folder."""
        return os.path.join(self.folder, name)

    def context(self, name):
        """What a server of TLS needs."""
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(self.path(name + ".crt"), self.path(name + ".key"))
        return tls

    def serve(self, name, handle):
        """Listens on a free port."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.ports[name] = listener.getsockname()[1]
        temporary = self.path(name + ".port.new")
        with open(temporary, "w", encoding="ascii") as f:
            f.write(f"{self.ports[name]}\n")
        os.rename(temporary, self.path(name + ".port"))

        def run():
            while True:
                s, _ = listener.accept()
                threading.Thread(
                    target=self.guard, args=(handle, s), daemon=True).start()
        threading.Thread(target=run, daemon=True).start()

    @staticmethod
    def guard(handle, s):
        """Serves one connection, which may break off at any time."""
        s.settimeout(WAIT)
        try:
            handle(s)
        except (OSError, ValueError):
            pass
        finally:
            s.close()

    def todo(self, name, default):
        """How to answer now."""
        try:
            with open(self.path(name + ".do"), encoding="ascii") as f:
                return f.read().split()
        except FileNotFoundError:
            return default

    def note(self, name, what):
        """Adds a line to what came."""
        with self.lock, open(self.path(name), "a", encoding="utf-8") as f:
            f.write(json.dumps(what) + "\n")

    # ---- mail ----

    def smtps(self, s):
        """A mail server that speaks TLS from the start."""
        self.smtp(self.tls.wrap_socket(s, server_side=True), True)

    def smtp(self, s, is_tls=False):
        """A mail server."""
        do = self.todo("smtp", ["-", "0"])
        mail = {"tls": is_tls, "to": [], "auth": None}
        f = s.makefile("rwb")

        def say(stage, text):
            if do[0] == stage:
                text = f"{do[1]} as the test wants"
            f.write((text + "\r\n").encode())
            f.flush()
            return do[0] != stage

        say("greeting", "220 test")
        while True:
            line = f.readline().decode().rstrip("\r\n")
            word = line.upper().split(" ")[0].split(":")[0]
            if word in ("EHLO", "HELO"):
                can = [] if mail["tls"] or do[0] == "plain" else ["STARTTLS"]
                can += ["AUTH PLAIN"] if mail["tls"] else []
                for one in ["test"] + can:
                    f.write(f"250-{one}\r\n".encode())
                say("ehlo", "250 HELP")
            elif word == "STARTTLS":
                say("starttls", "220 go")
                s = self.tls.wrap_socket(s, server_side=True)
                f = s.makefile("rwb")
                mail["tls"] = True
            elif word == "AUTH":
                f.write(b"334 \r\n")
                f.flush()
                mail["auth"] = base64.b64decode(
                    f.readline()).decode().replace("\0", ":")
                say("auth", "235 welcome")
            elif word == "MAIL":
                mail["from"] = line
                say("mail", "250 ok")
            elif word == "RCPT":
                mail["to"].append(line)
                say("rcpt", "250 ok")
            elif word == "DATA":
                if say("data", "354 go"):
                    data = b""
                    while not data.endswith(b"\r\n.\r\n"):
                        data += f.readline() or b"\r\n.\r\n"
                    mail["data"] = data[:-3].decode()
                    if do[0] != "end":
                        self.note("mails", mail)
                    say("end", "250 taken")
            elif word in ("QUIT", ""):
                say("quit", "221 bye")
                return
            else:
                say("?", "500 what")

    # ---- webhooks ----

    def https_other(self, s):
        """A receiver whose certificate nobody knows."""
        self.https(s, self.other)

    def https(self, s, tls=None):
        """A receiver of webhooks."""
        with self.lock:
            self.connections += 1
        s = (tls or self.tls).wrap_socket(s, server_side=True)
        do = self.todo("https", ["200"])[0]
        f = s.makefile("rwb")
        request = f.readline().decode().split()
        headers = {}
        while True:
            line = f.readline().decode().rstrip("\r\n")
            if line == "":
                break
            name, value = line.split(": ", 1)
            headers[name.lower()] = value
        body = f.read(int(headers.get("content-length", "0"))).decode()
        self.note("hooks", {"request": request[:2], "headers": headers,
                            "body": body})
        if do == "drop":
            return
        if do == "hang":
            s.recv(1)
            return
        code = "200" if do == "long" else do
        size = 10000000 if do == "long" else 2
        f.write(f"HTTP/1.1 {code} test\r\nContent-Length: {size}\r\n"
                f"Location: https://127.0.0.1:{self.ports['https']}/other\r\n"
                f"\r\n".encode())
        f.write(b"x" * size)
        f.flush()


class Courier:
    """The program, and its end of the socket."""

    def __init__(self, program, settings, environment=None):
        self.s, its = socket.socketpair(type=socket.SOCK_SEQPACKET)
        self.s.settimeout(WAIT)
        self.s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        env = dict(os.environ, https_proxy="http://127.0.0.1:1",
                   HTTPS_PROXY="http://127.0.0.1:1", ALL_PROXY="x://y",
                   **(environment or {}))
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as conf:
            conf.writelines(
                f"{name} = {value}\n" for name, value in settings.items())
            conf.flush()
            # pylint: disable-next=consider-using-with
            self.p = subprocess.Popen(
                [program, "-c", conf.name, "-o", "log_level=warn"], stdin=its,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env)
            its.close()
            # It has read them once it stops, or is at its socket.
            while self.p.poll() is None and not self.has_begun():
                time.sleep(0.005)

    def has_begun(self):
        """True if it waits for what happens."""
        try:
            fds = os.listdir(f"/proc/{self.p.pid}/fd")
            return any("signalfd" in os.readlink(f"/proc/{self.p.pid}/fd/{n}")
                       for n in fds)
        except OSError:
            return False

    def say(self, job):
        """Sends an object or a text as a packet."""
        if not isinstance(job, (str, bytes)):
            job = json.dumps(job)
        if isinstance(job, str):
            job = job.encode()
        self.s.sendall(job)

    def hear(self):
        """The next answer; None at the end."""
        try:
            packet = self.s.recv(65536)
        except ConnectionError:
            packet = b""
        return json.loads(packet) if packet else None

    def ask(self, job):
        """One job and its answer."""
        self.say(job)
        return self.hear()

    def close(self):
        """Says no more, and waits for its end."""
        try:
            self.s.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        return self.end()

    def end(self):
        """Waits for its end: status and what it complained of."""
        _, text = self.p.communicate(timeout=WAIT)
        self.s.close()
        return self.p.returncode, text.decode()


class Test:
    """umpired-courier alone."""

    def __init__(self, program, folder):
        self.program = program
        self.ends = Ends(folder)
        self.folder = folder
        self.ca = os.path.join(folder, "tls.crt")
        self.settings = {
            # Looking for leaks needs what a process without it may not.
            "core_dumps": "yes", "notify_command": "", "smtp_url": "",
            "smtp_from": "", "smtp_user": "", "smtp_password_file": "",
            "smtp_ca": self.ca, "webhook_networks": "",
            "webhook_ports": " ".join(map(str, self.ends.ports.values())),
            "webhook_connect": 1, "webhook_ca": self.ca}

    @staticmethod
    def holds(what, is_so, why=""):
        """One result."""
        text = json.dumps(why) if not isinstance(why, str) else why
        print(f"ok {what}" if is_so else f"not ok {what}: {text}", flush=True)

    def write(self, name, text, mode=0o600):
        """Makes a file."""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(path, mode)
        return path

    def lines(self, name):
        """What came; it is forgotten."""
        path = os.path.join(self.folder, name)
        try:
            with open(path, encoding="utf-8") as f:
                found = [json.loads(line) for line in f]
        except FileNotFoundError:
            return []
        os.unlink(path)
        return found

    def start(self, **settings):
        """A courier with some settings."""
        return Courier(self.program, dict(self.settings, **settings))

    # ---- webhooks ----

    def hook(self, number, where="", port="https"):
        """A job for a webhook."""
        where = where or f"https://127.0.0.1:{self.ends.ports[port]}/x?y=1"
        return {"id": number, "channel": "webhook", "to": where,
                "body": "{\"text\":\"h\u00e9\"}"}

    def refusals(self):
        """Addresses that a stranger may not have connected to."""
        port = self.ends.ports["https"]
        courier = self.start()
        hosts = ("127.0.0.1", "localhost", "2130706433", "0x7f.1", "0",
                 "127.1", "[::1]", "[::]", "[::ffff:127.0.0.1]",
                 "[64:ff9b::7f00:1]", "10.0.0.1", "169.254.169.254",
                 "[fe80::1]", "[fd00::1]")
        for i, host in enumerate(hosts):
            courier.say(self.hook(i, f"https://{host}:{port}/"))
        came = {a["id"]: a for a in (courier.hear() for _ in hosts)}
        for i, host in enumerate(hosts):
            self.holds(f"{host} is refused", came[i] == {
                "id": i, "ok": False, "retry": True, "own": False,
                "error": UNREACHED,
                "cause": "this address is not allowed here"}, came[i])
        self.holds("nothing connected", self.ends.connections == 0)
        self.holds("it ends well", courier.close() == (0, ""))
        courier = self.start(webhook_networks="10.0.0.0/8 127.0.0.2")
        got = courier.ask(self.hook(1))
        self.holds("another network is no permission",
                   got.get("cause") == "this address is not allowed here" and
                   self.ends.connections == 0, got)
        began = time.monotonic()
        for where in ("https://127.0.0.2/", "https://127.0.0.2:1/x",
                      "https://no-such-name.invalid:22/"):
            got = courier.ask(self.hook(1, where))
            self.holds(f"{where} has no port that will do", got == {
                "id": 1, "ok": False, "retry": False, "own": False,
                "error": "the receiver has a port that is not allowed here",
                "cause": ""}, got)
        self.holds("that is known at once", time.monotonic() - began < 1.5)
        courier.close()
        self.unreached()

    def unreached(self):
        """Nobody but the operator learns why a receiver was not reached."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            closed = free.getsockname()[1]
        with socket.create_server(("127.0.0.1", 0)) as silent:
            port = silent.getsockname()[1]
            ports = self.ends.ports
            courier = self.start(
                webhook_networks="127.0.0.0/8",
                webhook_ports=f"{closed} {port} " +
                self.settings["webhook_ports"])
            causes = {
                f"https://no-such-name.invalid:{closed}/": "name",
                f"https://10.0.0.1:{closed}/": "not allowed",
                f"https://127.0.0.1:{closed}/": "connected",
                f"https://127.0.0.1:{port}/": "in time",
                f"https://127.0.0.1:{ports['smtp']}/": "TLS",
                f"https://127.0.0.1:{ports['other']}/": "certificate",
            }
            began = time.monotonic()
            for i, where in enumerate(causes):
                courier.say(self.hook(i, where))
            # Those that were reached are told at once meanwhile.
            got = courier.ask(self.hook(99))
            self.holds("a webhook is sent beside", got ==
                       {"id": 99, "ok": True} and
                       time.monotonic() - began < 1.5, got)
            came, after = {}, []
            for _ in causes:
                got = courier.hear()
                came[got["id"]] = got
                after.append(time.monotonic() - began)
            for i, word in enumerate(causes.values()):
                self.holds(f"the log says why: {word}",
                           word in came[i]["cause"], came[i])
            self.holds("players are told one thing", {
                json.dumps({k: v for k, v in a.items()
                            if k not in ("id", "cause")})
                for a in came.values()} == {json.dumps(
                    {"ok": False, "retry": True, "own": False,
                     "error": UNREACHED})}, came)
            self.holds("at one time", min(after) >= 1.95 and
                       max(after) - min(after) < 1, after)
            # Who stops does not wait for that, and tells nothing.
            courier.say(self.hook(1, f"https://127.0.0.1:{closed}/"))
            began = time.monotonic()
            self.holds("it ends well without", courier.close() == (0, "") and
                       time.monotonic() - began < 1.5)
        self.lines("hooks")

    def hooks(self):
        """What becomes of requests."""
        courier = self.start(webhook_networks="127.0.0.0/8")
        got = courier.ask(self.hook(7))
        self.holds("a webhook is sent", got == {"id": 7, "ok": True}, got)
        came = self.lines("hooks")
        self.holds("as a request of its own", len(came) == 1 and
                   came[0]["request"] == ["POST", "/x?y=1"] and
                   came[0]["headers"]["content-type"] == "application/json" and
                   came[0]["headers"]["user-agent"] == "umpired" and
                   came[0]["body"] == "{\"text\":\"hé\"}", came)
        for do, ok, retry in (
                ("204", True, None), ("long", True, None),
                ("302", False, False), ("307", False, False),
                ("400", False, False), ("404", False, False),
                ("410", False, False), ("408", False, True),
                ("429", False, True), ("500", False, True),
                ("503", False, True), ("drop", False, True)):
            self.write("https.do", do)
            got = courier.ask(self.hook(8))
            self.holds(f"answer {do}", got["ok"] == ok and
                       got.get("retry") == retry and
                       (ok or not do.isdigit() or do in got["error"]), got)
            self.holds(f"answer {do}: one request",
                       len(self.lines("hooks")) == 1)
        os.unlink(os.path.join(self.folder, "https.do"))
        got = courier.ask(self.hook(9, port="other"))
        self.holds("a certificate that nobody knows", got["retry"] and
                   "certificate" in got["cause"] and
                   not self.lines("hooks"), got)
        for i in range(100, 140):
            courier.say(self.hook(i))
        got = [courier.hear() for _ in range(40)]
        self.holds("many at once are each answered", all(
            a["ok"] for a in got) and sorted(a["id"] for a in got) ==
            list(range(100, 140)))
        self.holds("and each sent once", len(self.lines("hooks")) == 40)
        self.holds("it ends well after many", courier.close() == (0, ""))

    # ---- mail ----

    def mail(self, number, **other):
        """A job for a mail."""
        return dict({"id": number, "channel": "mail", "to": "b.c+d@localhost",
                     "subject": "umpire: your move",
                     "body": "Hello,\n.\n..two\nbye\n"}, **other)

    def mails(self):
        """What becomes of mails."""
        url = f"smtp://127.0.0.1:{self.ends.ports['smtp']}"
        mine = {"smtp_url": url, "smtp_from": "umpire@example.org"}
        courier = self.start(**mine)
        got = courier.ask(self.mail(1))
        self.holds("a mail is sent", got == {"id": 1, "ok": True}, got)
        came = self.lines("mails")
        self.holds("by STARTTLS", len(came) == 1 and came[0]["tls"] and
                   came[0]["auth"] is None, came)
        self.holds("from and to whom", "<umpire@example.org>" in
                   came[0]["from"] and len(came[0]["to"]) == 1 and
                   "<b.c+d@localhost>" in came[0]["to"][0], came)
        head, body = came[0]["data"].split("\r\n\r\n", 1)
        names = [line.split(": ")[0] for line in head.split("\r\n")]
        self.holds("its headers are ours", names == [
            "Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted",
            "MIME-Version", "Content-Type", "Content-Transfer-Encoding"], head)
        self.holds("dots at the start of lines stay", body ==
                   "Hello,\r\n..\r\n...two\r\nbye\r\n", body)
        for stage, code, retry in (
                ("greeting", "421", True), ("ehlo", "421", True),
                ("starttls", "454", True), ("mail", "451", True),
                ("mail", "550", True), ("rcpt", "450", True),
                ("rcpt", "550", False), ("data", "451", True),
                ("data", "554", False), ("end", "452", True),
                ("end", "554", False), ("greeting", "554", True),
                ("ehlo", "550", True), ("plain", "0", True)):
            self.write("smtp.do", f"{stage} {code}")
            got = courier.ask(self.mail(2))
            self.holds(f"{stage} {code}", not got["ok"] and
                       got["retry"] == got["own"] == retry, got)
            self.holds(f"{stage} {code}: nothing is taken",
                       not self.lines("mails"))
        os.unlink(os.path.join(self.folder, "smtp.do"))
        self.holds("it ends well after mails", courier.close() == (0, ""))
        courier = self.start(smtp_url=url, smtp_from="umpire@example.org",
                             smtp_ca=os.path.join(self.folder, "other.crt"))
        got = courier.ask(self.mail(1))
        self.holds("a server that nobody knows gets no mail", got["retry"] and
                   "certificate" in got["error"] and
                   not self.lines("mails"), got)
        courier.close()
        self.logins(mine)

    def logins(self, mine):
        """Users and passwords."""
        url = f"smtps://127.0.0.1:{self.ends.ports['smtps']}"
        mine = dict(mine, smtp_url=url, smtp_user="me",
                    smtp_password_file=self.write("pw", "s3 cret\n"))
        courier = self.start(**mine)
        got = courier.ask(self.mail(1))
        came = self.lines("mails")
        self.holds("with a login, by TLS from the start", got["ok"] and
                   len(came) == 1 and came[0]["auth"] == ":me:s3 cret", came)
        self.write("smtp.do", "auth 535")
        got = courier.ask(self.mail(1))
        self.holds("a login that fails is the operator's fault, not final",
                   got["retry"] and "login" in got["error"], got)
        os.unlink(os.path.join(self.folder, "smtp.do"))
        courier.close()
        for name, mode, text in (("pw1", 0o644, "s3cret\n"),
                                 ("pw2", 0o600, ""), ("pw3", 0o600, "\n"),
                                 ("pw4", 0o600, "a\nb\n"),
                                 ("pw5", 0o600, "a\rb\n"),
                                 ("pw6", 0o600, "a" * 300),
                                 ("none", None, "")):
            path = os.path.join(self.folder, name)
            if mode is not None:
                path = self.write(name, text, mode)
            courier = self.start(**dict(mine, smtp_password_file=path))
            got = courier.ask(self.mail(1))
            status, said = courier.close()
            self.holds(f"password file {name}", got["retry"] and
                       "not set up" in got["error"] and status == 0 and
                       path in said and "s3cret" not in said, (got, said))

    # ---- commands ----

    def commands(self):
        """What becomes of notify_command."""
        name = "a program; touch hacked $(touch hacked)"
        path = self.write(
            name, "#!/bin/sh\n"
            f"cd '{self.folder}'; cat >got; env >env; echo $# >args\n"
            "ls /proc/$$/fd >fds; readlink /proc/$$/cwd >cwd\n"
            "echo out; echo err >&2; exit $(cat status)\n")
        os.chmod(path, stat.S_IRWXU)
        self.write("status", "0")
        job = {"id": 1, "channel": "command", "body": "{\"text\":\"é\"}"}
        courier = Courier(self.program, dict(self.settings,
                                             notify_command=path),
                          {"SECRET": "1"})
        got = courier.ask(job)
        self.holds("a command is run", got == {"id": 1, "ok": True}, got)

        def read(file):
            with open(os.path.join(self.folder, file), encoding="utf-8") as f:
                return f.read()
        self.holds("with the line on its input",
                   read("got") == "{\"text\":\"é\"}\n", read("got"))
        env = {line.split("=")[0] for line in read("env").split("\n") if line}
        self.holds("in an environment of its own",
                   env - {"PWD", "OLDPWD", "_", "SHLVL"} == {"PATH", "LANG"},
                   read("env"))
        # The script itself is open as 10 in some shells.
        fds = {int(n) for n in read("fds").split()}
        self.holds("without descriptors of ours", not fds & set(range(3, 10)),
                   read("fds"))
        self.holds("without arguments", read("args") == "0\n")
        self.holds("and no shell has seen its name", not os.path.exists(
            os.path.join(self.folder, "hacked")))
        self.write("status", "3")
        got = courier.ask(job)
        self.holds("one that fails is tried again", got["retry"] and
                   "status 3" in got["error"], got)
        os.unlink(path)
        got = courier.ask(job)
        self.holds("one that is not there, too", got["retry"] and
                   "cannot be run" in got["error"], got)
        self.holds("its output goes nowhere", courier.close() == (0, ""))
        self.ending(path)

    def ending(self, path):
        """How it ends with something in hand."""
        self.write(os.path.basename(path),
                   f"#!/bin/sh\necho $$ >'{self.folder}/pid'\n"
                   f"read x <'{self.folder}/fifo'\n", stat.S_IRWXU)
        os.mkfifo(os.path.join(self.folder, "fifo"))
        job = {"id": 5, "channel": "command", "body": "{}"}
        courier = self.start(notify_command=path)
        courier.say(job)
        courier.s.shutdown(socket.SHUT_WR)
        with open(os.path.join(self.folder, "fifo"), "w",
                  encoding="ascii") as f:
            f.write("go\n")
        got = courier.hear()
        self.holds("it finishes what it has", got == {"id": 5, "ok": True} and
                   courier.end() == (0, ""), got)
        os.unlink(os.path.join(self.folder, "pid"))
        courier = self.start(notify_command=path)
        courier.say(job)
        # It opens for writing once the program reads.
        with open(os.path.join(self.folder, "fifo"), "w",
                  encoding="ascii") as f:
            courier.p.terminate()
            f.write("go\n")
        got = courier.hear()
        self.holds("also at SIGTERM", got == {"id": 5, "ok": True} and
                   courier.end() == (0, ""), got)
        os.unlink(os.path.join(self.folder, "pid"))
        courier = self.start(notify_command=path)
        courier.say(job)
        pid = ""
        while not pid.endswith("\n"):
            threading.Event().wait(0.01)
            try:
                with open(os.path.join(self.folder, "pid"),
                          encoding="ascii") as f:
                    pid = f.read()
            except FileNotFoundError:
                pass
        courier.s.close()
        status = courier.p.wait(timeout=WAIT)
        courier.p.stderr.close()
        gone = not os.path.exists(f"/proc/{pid.strip()}")
        self.holds("without a daemon it ends at once, with its commands",
                   status == 0 and gone, (status, gone))

    # ---- what the daemon does not say ----

    def hostile(self):
        """Jobs that no daemon writes end the program before it acts."""
        # A program of its own each; test_courier_message reads all of them.
        every = 6 if os.environ.get("UMPIRE_SLOW") else 1
        good = dict(self.settings, smtp_url="smtp://127.0.0.1:1",
                    smtp_from="a@example.org", webhook_networks="127.0.0.0/8")
        for wrong in ({"more": 1}, {"smtp_from": "a"},
                      {"webhook_networks": "everything"},
                      {"smtp_url": "http://127.0.0.1:1"},
                      {"smtp_from": ""})[::every]:
            courier = Courier(self.program, dict(good, **wrong))
            self.ended(courier, f"settings: {wrong}", 78)
        for line in ("null", b"\0", b"\xff", "{" * 40, b"x" * 300000,
                     dict(good), {"id": 1, "ok": True}, self.hook(-1), self.hook("1"),
                     self.hook(1, "http://127.0.0.1/"),
                     self.hook(1, "file:///etc/passwd"),
                     self.hook(1, "https://a@127.0.0.1/"),
                     self.hook(1, "https://127.0.0.1/\r\nX: y"),
                     self.hook(1, "https://127.0.0.1/#f"),
                     dict(self.hook(1), subject="s"),
                     dict(self.hook(1), channel="fax"),
                     dict(self.hook(1), body=""),
                     dict(self.hook(1), body="x" * 70000),
                     self.mail(1, to="a@b.c\r\nRCPT TO:<d@e.f>"),
                     self.mail(1, to="a@b.c>,<d@e.f"),
                     self.mail(1, to="-x@b.c"), self.mail(1, to="a b@c.d"),
                     self.mail(1, to="\u00e9@b.c"), self.mail(1, to="a@b"),
                     self.mail(1, subject="a\r\nBcc: d@e.f"),
                     self.mail(1, subject="a\nb"), self.mail(1, subject=""),
                     self.mail(1, subject="\u00e9"),
                     self.mail(1, subject="x" * 79),
                     self.mail(1, body="a\r\nb\n"),
                     self.mail(1, body="\u00e9\n"),
                     self.mail(1, body="x" * 79 + "\n"),
                     self.mail(1, body="no line end"))[::every]:
            courier = Courier(self.program, good)
            courier.say(line)
            self.ended(courier, f"job: {str(line)[:90]!r}", 65)
        self.holds("no hostile job led to a request",
                   not self.lines("hooks") and not self.lines("mails"))

    def ended(self, courier, what, wanted):
        """The program must end with that status and one line."""
        got = courier.hear()
        status, said = courier.end()
        self.holds(what, got is None and status == wanted and
                   said.count("\n") == 1, (got, status, said))


def main():
    """Does what the arguments say."""
    if len(sys.argv) == 3 and sys.argv[1] == "serve":
        Ends(sys.argv[2])
        sys.stdin.read()
    elif len(sys.argv) == 4 and sys.argv[1] == "courier":
        test = Test(sys.argv[2], sys.argv[3])
        test.refusals()
        test.hooks()
        test.mails()
        test.commands()
        test.hostile()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
