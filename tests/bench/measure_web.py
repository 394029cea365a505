# SPDX-License-Identifier: ISC
"""What umpire-web takes for the pages of a game, and for those who are told of
new lines, against evhttp alone (tests/bench/web_bare) and against nginx.

  web_page      CPU of a reply with a game's page, gzipped, on 50 connections,
                against one of evhttp with a line of text: 1.43 times as much
                is 0.7 of its replies a second
  web_nginx     the same against nginx, one worker, with the same bytes as a
                file
  web_told_1000, web_told_10000
                from the first of so many streams that has a line to the last,
                against evhttp that writes as many bytes to as many in one go
  web_idle      memory of each of 10,000 streams before they were told
                anything
  web_line      and after they were told a line
  web_notices   what the daemon tells of a line that those 10,000 are told
  web_daemon    CPU of the daemon for a line of a game that 10,000 read, against
                one of a game that one reads
  web_wait_1500, web_wait_10000
                the longest wait of somebody who asks for a warm page each few
                milliseconds while a record of so many lines is visited for the
                first time, told, exported, and read from the disk after a
                restart; against 50 ms, or twice what they wait without such a
                record, where that is longer
  web_turn_1500, web_turn_10000
                the longest turn of umpire-web's loop meanwhile, by processor
                time, against 50 ms
  web_memory_10000
                memory that it takes with all that was made of it, against four
                times the bytes of the record
  web_wait_cup, web_turn_cup
                likewise beside a tournament of 1,000 over eleven rounds, whose
                pages are read for the first time, and from the disk after a
                restart: the turns against 20 ms
  web_shown     from when an order is sent until the last of 1,000 streams has
                its line, against half a second

Those of streams have processes that have had no stream before.  The games are
of a daemon of its own.  In the control that wastes time, umpire-web is
web_worse, which burns processor time at each write and takes memory for each
connection, and a slice lasts for a second.
"""

import http.client
import os
import pathlib
import shutil
import socket
import time
import urllib.error
import urllib.request

import partner
import rig
from rig import Result

CONNECTIONS, MS = 50, 3000
FEW, MANY = 1000, 10000
CHATS = 50  # lines of a game that are told, for the daemon's CPU
LONG = (1500, 10000)
BOUND_MS = 50  # that nobody else may wait
CUP_BOUND_MS = 20  # a turn of the loop with a large tournament
CUP = ("1000", "11", "1815")  # entrants, rounds, seed
CUP_PAGES = ("", "standings", "crosstable", "r/1", "r/11", "why/1", "why/1000",
             "at", "record.jsonl")
SHOWN_MS = 500  # until a line is where people look
PACE_MS = 3
TOLD = ("", "t/1", "c/1", "record.jsonl", "log.txt", "log.md", "log.json",
        "dice.csv", "feed.atom", "embed", "card.svg", "at")
ORDERS = 40
NGINX = """
{user}
worker_processes 1;
daemon off;
pid {work}/nginx.pid;
error_log {work}/nginx.error;
events {{ worker_connections 4096; }}
http {{
	access_log off;
	default_type text/html;
	sendfile on;
	keepalive_requests 100000000;
	client_body_temp_path {work}/nginx.body;
	proxy_temp_path {work}/nginx.proxy;
	fastcgi_temp_path {work}/nginx.fastcgi;
	uwsgi_temp_path {work}/nginx.uwsgi;
	scgi_temp_path {work}/nginx.scgi;
	server {{
		listen 127.0.0.1:{port};
		root {work}/root;
	}}
}}
"""


def free_port():
    """A port that is free now."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def cpu_us(pid):
    """Microseconds of CPU of a process of one thread."""
    text = pathlib.Path(f"/proc/{pid}/schedstat").read_text()
    return int(text.split()[0]) / 1000


class Web:
    """A daemon with a game, and umpire-web beside it."""

    def __init__(self, bench):
        self.bench = bench
        self.running = []
        self.seconds = {}
        self.cpu = {}

    def setup(self):
        self.paths = partner.programs(self.bench)
        self.web_path = self.bench.program(
            "tests/bench/web_worse" if self.bench.is_control else "umpire-web")
        self.bare_path = self.bench.program("tests/bench/web_bare")
        self.load = self.bench.program("tests/bench/web_load")
        self.daemon = partner.daemon(self.paths, self.bench.work / "daemon")
        self.running.append(self.daemon)
        self.fill = partner.fill(self.paths, self.daemon.port)
        self.running.append(self.fill)
        self.fill.say("match")
        self.game = self.fill.say(f"play 0 {ORDERS}")["game"][:12]

    def start(self, argv, name):
        """A program that writes its port to a file, and that port."""
        port = self.bench.work / f"{name}.port"
        port.unlink(missing_ok=True)
        child = rig.Child(argv(port), self.bench.work / f"{name}.log")
        self.running.append(child)
        return child, int(child.wait_file(port))

    def web(self, *more):
        """umpire-web, which has read and verified the game."""
        room = MANY + 1000
        (self.bench.work / "admin").unlink(missing_ok=True)
        child, port = self.start(lambda p: [
            self.web_path, "-o", f"server=127.0.0.1:{self.daemon.port}",
            "-o", "listen=127.0.0.1:0", "-o", f"port_file={p}",
            "-o", f"cache={self.bench.work}/cache", "-o", "log_level=warn",
            "-o", f"admin_socket={self.bench.work}/admin", *more,
            "-o", f"max_connections={room}", "-o", f"max_streams={room}",
            "-o", f"max_streams_address={room}"], "web")
        self.page(port)
        return child, port

    def metrics(self):
        """What umpire-web counts, by name without its first words."""
        with socket.socket(socket.AF_UNIX) as sock:
            sock.connect(str(self.bench.work / "admin"))
            sock.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
            text = b""
            while (piece := sock.recv(65536)):
                text += piece
        rows = [line.split() for line in text.decode().splitlines()
                if line.startswith("umpire_web_")]
        return {r[0].removeprefix("umpire_web_"): int(r[1]) for r in rows}

    def bare(self):
        """evhttp alone."""
        return self.start(lambda p: [self.bare_path, str(p)], "bare")

    def page(self, port):
        """The page's bytes as they are sent, gzipped, once it is whole."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/g/{self.game}/",
            headers={"Accept-Encoding": "gzip"})
        end = time.monotonic() + rig.START_S
        while True:
            try:
                with urllib.request.urlopen(request, timeout=60) as reply:
                    if reply.headers["Refresh"] is None:
                        return reply.read()
            except urllib.error.HTTPError as e:
                # It may have no connection to the daemon yet.
                if e.code != 503 or time.monotonic() > end:
                    raise
            time.sleep(rig.TICK_S)

    def stop(self, child):
        """Ends a program."""
        child.stop()
        self.running.remove(child)

    def cost(self, pid, port, target):
        """Microseconds of CPU of a reply; a process has one thread."""
        before = cpu_us(pid)
        got = rig.run_json([self.load, "get", str(port), target,
                            str(CONNECTIONS), str(MS)])
        self.seconds[target] = round(1000 * got["replies"] / got["ms"])
        return (cpu_us(pid) - before) / got["replies"]

    def teardown(self):
        for child in reversed(self.running):
            child.stop()


class Page(Web):
    """Replies a second."""

    results = {"web_page": Result(
        "a reply with a game's page, gzipped, against one with a line of text "
        "by evhttp", "us", 1.43)}

    def setup(self):
        super().setup()
        self.web_child, self.web_port = self.web()
        self.bare_child, self.bare_port = self.bare()

    def reference(self):
        return {"web_page": self.cost(self.bare_child.pid, self.bare_port,
                                      "/")}

    def subject(self):
        return {"web_page": self.cost(self.web_child.pid, self.web_port,
                                      f"/g/{self.game}/")}

    def details(self, name):
        return {"bytes": len(self.page(self.web_port)),
                "connections": CONNECTIONS, "replies_a_second": self.seconds}


class Nginx(Web):
    """The same bytes as a file."""

    results = {"web_nginx": Result(
        "a reply with a game's page, gzipped, against nginx with the same "
        "bytes as a file", "us", 1)}

    def setup(self):
        nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        if nginx is None:
            raise rig.Skip("there is no nginx")
        super().setup()
        self.web_child, self.web_port = self.web()
        root = self.bench.work / "root"
        root.mkdir()
        self.bytes = self.page(self.web_port)
        (root / "page").write_bytes(self.bytes)
        self.nginx_port = free_port()
        conf = self.bench.work / "nginx.conf"
        conf.write_text(NGINX.format(
            work=self.bench.work, port=self.nginx_port,
            user="user root;" if os.geteuid() == 0 else ""))
        self.nginx = rig.Child(
            [nginx, "-c", str(conf)], self.bench.work / "nginx.log")
        self.running.append(self.nginx)
        self.nginx.wait_file(self.bench.work / "nginx.pid")

        children = f"/proc/{self.nginx.pid}/task/{self.nginx.pid}/children"
        end = time.monotonic() + rig.START_S
        while not (found := pathlib.Path(children).read_text().split()):
            if time.monotonic() > end:
                raise RuntimeError("nginx has no worker")
            time.sleep(rig.TICK_S)
        self.worker = int(found[0])

    def reference(self):
        return {"web_nginx": self.cost(self.worker, self.nginx_port, "/page")}

    def subject(self):
        return {"web_nginx": self.cost(self.web_child.pid, self.web_port,
                                       f"/g/{self.game}/")}

    def details(self, name):
        return {"bytes": len(self.bytes), "connections": CONNECTIONS,
                "replies_a_second": self.seconds}


class Told(Web):
    """Streams."""

    results = {
        f"web_told_{FEW}": Result(
            f"a line to {FEW:,} streams, from the first to the last", "ms", 2),
        f"web_told_{MANY}": Result(
            f"a line to {MANY:,} streams, likewise", "ms", 2),
        "web_idle": Result(
            f"memory of each of {MANY:,} streams, idle", "bytes", 1.5),
        "web_line": Result(
            f"memory of each of {MANY:,} streams, told a line", "bytes", 1.5),
        "web_shown": Result(
            f"from an order to the last of {FEW:,} streams", "ms", 1),
    }
    UNCONTROLLED = {"web_shown"}

    def told(self, start, target, tell, who):
        """How long it takes for few and for many, and what many take."""
        got = {}
        for n in (FEW, MANY):
            child, port = start()
            before = child.memory()["Rss"]
            load = partner.Partner([self.load, "streams", str(port), target,
                                    str(n)])
            load.hear()
            if n == MANY:
                got["web_idle"] = (child.memory()["Rss"] - before) / n
            cpu_ms = cpu_us(child.pid) / 1000
            sent_ms = time.monotonic() * 1000
            tell(port)
            line = load.hear()
            if n == FEW:
                got["web_shown"] = (SHOWN_MS, line["last_us"] / 1000 - sent_ms)
            cpu_ms = cpu_us(child.pid) / 1000 - cpu_ms
            self.cpu[f"{who} {n}"] = round(cpu_ms, 1)
            got[f"web_told_{n}"] = (line["last_us"] - line["first_us"]) / 1000
            if n == MANY:
                got["web_line"] = (child.memory()["Rss"] - before) / n
            load.stop()
            self.stop(child)
        return got

    def reference(self):
        def tell(port):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/go",
                                        timeout=60):
                pass
        return self.told(self.bare, "/events", tell, "evhttp")

    def subject(self):
        return self.told(self.web, f"/g/{self.game}/events",
                         lambda port: self.fill.say("chat 0 1"), "umpire-web")

    def details(self, name):
        return {"streams": FEW if name.endswith(f"_{FEW}") else MANY,
                "cpu_ms": self.cpu}


class Notices(Web):
    """What a crowd costs the daemon."""

    results = {
        "web_notices": Result(
            f"notices of a line that {MANY:,} streams are told", "", 1),
        "web_daemon": Result(
            f"a line of a game that {MANY:,} read, in the daemon, against one "
            "that one reads", "us", 1.5)}
    UNCONTROLLED = {"web_notices"}

    def setup(self):
        super().setup()
        self.counts = {}

    def told(self, n):
        """CPU of the daemon for a line with n streams, and its notices."""
        child, port = self.web()
        load = partner.Partner([self.load, "streams", str(port),
                                f"/g/{self.game}/events", str(n)])
        load.hear()
        before, cpu = self.metrics(), self.daemon.cpu_s()
        if before["watched"] != 1:
            raise RuntimeError(f"{before['watched']} games are watched")
        self.fill.say(f"chat 0 {CHATS}")
        load.hear()
        cpu = self.daemon.cpu_s() - cpu
        end = time.monotonic() + rig.START_S
        while True:
            notices = self.metrics()["notices_total"] - \
                before["notices_total"]
            if notices >= CHATS or time.monotonic() > end:
                break
            time.sleep(rig.TICK_S)
        load.stop()
        self.stop(child)
        self.counts[n] = notices
        return cpu * 1e6 / CHATS, notices / CHATS

    def reference(self):
        cpu, _ = self.told(1)
        return {"web_notices": 1, "web_daemon": cpu}

    def subject(self):
        cpu, notices = self.told(MANY)
        return {"web_notices": notices, "web_daemon": cpu}

    def details(self, name):
        return {"streams": MANY, "lines": CHATS, "notices": self.counts}


class Long(Web):
    """A long record, and somebody else."""

    lines = 0
    WASTE = {"waste_us": 0, "fat": 0}

    def setup(self):
        super().setup()
        self.fill.say("match")
        self.long = self.fill.say(f"play 1 {self.lines}")["game"][:12]
        self.alone = self.got = {}
        self.memory = {}

    def get(self, port, target):
        """Reads a target until it is whole; its bytes."""
        end = time.monotonic() + 600
        while time.monotonic() < end:
            conn = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            conn.request("GET", target, headers={"Accept-Encoding": "gzip"})
            reply = conn.getresponse()
            data = reply.read()
            conn.close()
            if reply.status == 200 and reply.headers["Refresh"] is None:
                return len(data)
            time.sleep(0.2)
        raise RuntimeError(f"{target} does not come")

    def beside(self, port, what):
        """How long somebody else waits while what() is done."""
        load = partner.Partner([self.load, "paced", str(port),
                                f"/g/{self.game}/", str(PACE_MS)])
        load.say("")
        self.metrics()
        what()
        got = load.say("")
        got["turn_us"] = self.metrics()["slowest_turn_us"]
        load.stop()
        return got

    def begin(self):
        more = ["-o", "slice_us=1000000"] if self.bench.is_control else []
        return self.web(*more)

    def reference(self):
        child, port = self.begin()
        self.alone = self.beside(port, lambda: time.sleep(2))
        self.memory["without"] = child.memory()["Rss"]
        self.stop(child)
        return {}

    def subject(self):
        shutil.rmtree(self.bench.work / "cache")
        child, port = self.begin()
        bytes_ = {}

        def read():
            for t in TOLD:
                bytes_[t] = self.get(port, f"/g/{self.long}/{t}")
        first = self.beside(port, read)
        self.memory["with"] = child.memory()["Rss"]
        self.stop(child)
        child, port = self.begin()
        again = self.beside(
            port, lambda: self.get(port, f"/g/{self.long}/"))
        self.stop(child)
        self.got = {"alone": self.alone, "first": first, "from_disk": again,
                    "record_bytes": bytes_["record.jsonl"],
                    "memory": self.memory}
        # A machine that stops by itself says nothing.
        bound = max(BOUND_MS, 2 * self.alone["most_us"] / 1000)
        both = (first, again)
        got = {
            f"web_wait_{self.lines}":
                (bound, max(x["most_us"] for x in both) / 1000),
            f"web_turn_{self.lines}":
                (BOUND_MS, max(x["turn_us"] for x in both) / 1000)}
        name = f"web_memory_{self.lines}"
        if name in self.results:
            got[name] = (4 * bytes_["record.jsonl"],
                         self.memory["with"] - self.memory["without"])
        return got

    def details(self, name):
        return self.got


class Crowd(Long):
    """A tournament of many, and somebody else."""

    results = {
        "web_wait_cup": Result(
            "the longest wait beside a tournament of 1,000", "ms", 1),
        "web_turn_cup": Result(
            "the longest turn of the loop meanwhile, by processor time", "ms",
            1)}

    def setup(self):
        Web.setup(self)
        self.cup = rig.run_json(
            [self.bench.program("tests/tools/cup"), "127.0.0.1",
             str(self.daemon.port), *CUP])["tournament"][:12]
        self.alone = self.got = {}
        self.memory = {}

    def subject(self):
        shutil.rmtree(self.bench.work / "cache")
        bytes_, got = {}, {}

        def read(port, pages):
            for page in pages:
                bytes_[page] = self.get(port, f"/t/{self.cup}/{page}")
        for which, pages in (("first", CUP_PAGES), ("from_disk", ("",))):
            child, port = self.begin()
            got[which] = self.beside(port, lambda: read(port, pages))
            self.stop(child)
        self.got = {"alone": self.alone, **got, "bytes": bytes_}
        bound = max(BOUND_MS, 2 * self.alone["most_us"] / 1000)
        return {
            "web_wait_cup":
                (bound, max(x["most_us"] for x in got.values()) / 1000),
            "web_turn_cup": (
                CUP_BOUND_MS,
                max(x["turn_us"] for x in got.values()) / 1000)}


def long_of(lines):
    """The measure of a record of so many lines."""
    results = {
        f"web_wait_{lines}": Result(
            f"the longest wait beside a record of {lines:,} lines", "ms", 1),
        f"web_turn_{lines}": Result(
            "the longest turn of the loop meanwhile, by processor time", "ms",
            1)}
    if lines == max(LONG):
        results[f"web_memory_{lines}"] = Result(
            f"memory of a record of {lines:,} lines, and all that is made of "
            "it", "bytes", 1)
    return type(f"Long{lines}", (Long,), {
        "lines": lines, "results": results,
        "UNCONTROLLED": {f"web_memory_{lines}"}})


MEASURES = [Page, Nginx, Told, Notices, Crowd] + [long_of(n) for n in LONG]
