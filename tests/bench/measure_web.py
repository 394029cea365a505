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

Each of the last four has processes that have had no stream before.  The games
are of a daemon of its own; with --control that wastes time, which touches none
of these.
"""

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
        self.web_path = self.bench.program("umpire-web")
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

    def web(self):
        """umpire-web, which has read and verified the game."""
        room = MANY + 1000
        child, port = self.start(lambda p: [
            self.web_path, "-o", f"server=127.0.0.1:{self.daemon.port}",
            "-o", "listen=127.0.0.1:0", "-o", f"port_file={p}",
            "-o", f"cache={self.bench.work}/cache", "-o", "log_level=warn",
            "-o", f"max_connections={room}", "-o", f"max_streams={room}",
            "-o", f"max_streams_address={room}"], "web")
        self.page(port)
        return child, port

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
    UNCONTROLLED = {"web_page"}

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
    UNCONTROLLED = {"web_nginx"}

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
    }
    UNCONTROLLED = set(results)

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
            tell(port)
            line = load.hear()
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


MEASURES = [Page, Nginx, Told]
