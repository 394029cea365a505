# SPDX-License-Identifier: ISC
"""web_routes.py PORT ROUTES NAME=VALUE...: asks umpire-web for each address of
its table (`umpire-web --routes`, in the file ROUTES) in all the ways that HTTP
has, and holds what comes against TABLE below.  Prints a line of TAP for each
address and way, without a plan.

Values: over, played: digits of a game that is over and of one that is not; cup:
of a tournament; dice: a line of the first with dice; name, event; css: an
address of a file.  A pattern none of whose pieces has a value is left out.
With away=yes the umpire is away, after all was asked for before.
"""

import gzip
import re
import sys
import urllib.parse

import web_ask

HTML = "text/html; charset=utf-8"
PLAIN = "text/plain; charset=utf-8"
ATOM = "application/atom+xml"
JSONL = "application/jsonl"
SHORT = 300  # bytes of a body that may get no shorter
STALE = ", stale-while-revalidate="
EVER = "public, max-age=31536000, immutable"
SELF = ("default-src 'none'; style-src 'self'; script-src 'self' "
        "'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
        "img-src 'self'; base-uri 'none'; form-action 'none'; ")
CSP = {
    "page": SELF + "frame-ancestors 'none'",
    "embed": SELF + "frame-ancestors *",
    "data": "default-src 'none'; frame-ancestors 'none'; sandbox",
}
GAME = {"played": "public, max-age=2" + STALE + "30",
        "over": "public, max-age=300" + STALE + "30"}


def each(keep):
    """The same whether a game is over or not."""
    return {"played": keep, "over": keep}


# Pattern: type, Cache-Control, policy, whether other sites may read it.
TABLE = {
    "/": (HTML, each("public, max-age=5"), "page", False),
    "/live": (HTML, each("public, max-age=5"), "page", False),
    "/g/{id}/": (HTML, GAME, "page", False),
    "/g/{id}/t/{n}": (HTML, GAME, "page", False),
    "/g/{id}/c/{n}": (HTML, GAME, "page", False),
    "/g/{id}/p/{part}": (HTML, each("public, max-age=60"), "page", False),
    "/g/{id}/{n}/dice": (HTML, each(EVER), "page", False),
    "/g/{id}/l/{n}": ("application/json", each(EVER), "data", True),
    "/g/{id}/record.jsonl": (JSONL, GAME, "data", True),
    "/g/{id}/log.txt": (PLAIN, GAME, "data", True),
    "/g/{id}/log.md": ("text/markdown; charset=utf-8", GAME, "data", True),
    "/g/{id}/log.json": ("application/json", GAME, "data", True),
    "/g/{id}/dice.csv": ("text/csv; charset=utf-8", GAME, "data", True),
    "/g/{id}/events": ("text/event-stream", each("no-store"), "data", False),
    "/g/{id}/at": ("application/json", each("public, max-age=2" + STALE + "10"),
                   "data", True),
    "/g/{id}/feed.atom": (ATOM, each("public, max-age=60"), "data", True),
    "/g/{id}/card.svg": ("image/svg+xml", GAME, "data", True),
    "/g/{id}/{n}.png": ("image/png", each("public, max-age=60"), "data", True),
    "/g/{id}/embed": (HTML, GAME, "embed", True),
    "/g/{id}/evidence.jsonl": (JSONL, each("public, max-age=10"), "data", True),
    "/u/{name}": (HTML, each("public, max-age=10"), "page", False),
    "/u/{name}/feed.atom": (ATOM, each("public, max-age=60"), "data", True),
    "/e/{event}": (HTML, each("public, max-age=10"), "page", False),
    "/e/{event}/feed.atom": (ATOM, each("public, max-age=60"), "data", True),
    "/t/{id}/": (HTML, each("public, max-age=10"), "page", False),
    "/t/{id}/standings": (HTML, each("public, max-age=10"), "page", False),
    "/t/{id}/crosstable": (HTML, each("public, max-age=10"), "page", False),
    "/t/{id}/r/{n}": (HTML, each("public, max-age=10"), "page", False),
    "/t/{id}/why/{n}": (HTML, each("public, max-age=10"), "page", False),
    "/t/{id}/at": ("application/json", each("public, max-age=2" + STALE + "10"),
                   "data", True),
    "/t/{id}/evidence.jsonl": (JSONL, each("public, max-age=10"), "data", True),
    "/t/{id}/record.jsonl": (JSONL, each("public, max-age=10"), "data", True),
    "/verify": (HTML, each("public, max-age=3600"), "verify", False),
    "/odds": (HTML, each("public, max-age=3600"), "verify", False),
    "/s/{hash}/{file}": ("text/css; charset=utf-8", each(EVER), "page", False),
    "/robots.txt": (PLAIN, each("public, max-age=3600"), "data", False),
    "/.well-known/security.txt": (PLAIN, each("public, max-age=3600"), "data",
                                  False),
    "/favicon.ico": (None, each("public, max-age=3600"), "data", False),
}
# What is not there for these games and settings: 404.
MISSING = ("/g/{id}/{n}.png", "/g/{id}/evidence.jsonl",
           "/t/{id}/evidence.jsonl")
FILES = {"record.jsonl": r"umpire-[0-9a-f]{12}\.jsonl",
         "dice.csv": r"umpire-[0-9a-f]{12}\.csv"}
POLICIES = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), "
                          "payment=(), usb=(), browsing-topics=()",
}
failed = False
port = 0


def ask(target, *headers, method="GET"):
    """The reply; of a stream its beginning."""
    return web_ask.ask(port, target, *headers, method=method)


def case(what, faults):
    """A case, which holds without faults."""
    global failed
    faults = [f for f in faults if f]
    failed = failed or bool(faults)
    print(f"{'not ok' if faults else 'ok'} - {what}")
    for fault in faults[:6]:
        print(f"# {fault!r}"[:400])


def differs(what, got, want):
    """A fault, if they differ."""
    return "" if got == want else f"{what}: {got!r}, not {want!r}"


def policies(r, csp, is_open):
    """What a reader may do with any reply."""
    faults = [differs(n, r.get(n), v) for n, v in POLICIES.items()]
    want = CSP.get(csp)
    if want is None:  # /verify may have styles of its own
        want = CSP["page"].replace("style-src 'self'", "style-src 'self'" +
                                   "".join(re.findall(r" 'sha256-[^']+'",
                                           r.get(
                                               "content-security-policy"))))
    faults.append(differs("policy", r.get("content-security-policy"), want))
    faults.append(differs("who may read", r.get("cross-origin-resource-policy"),
                          "cross-origin" if is_open else "same-origin"))
    faults.append(differs("others' scripts",
                          r.get("access-control-allow-origin"),
                          "*" if is_open and csp == "data" else None))
    faults += [f"{n} is there twice" for n in set(r.names)
               if r.names.count(n) > 1]
    faults += [f"there is {n}" for n in ("set-cookie", "server", "x-powered-by")
               if n in r.headers]
    return faults


def plain(target, row, which, pattern):
    """GET, and what it says; the reply."""
    kind, keep, csp, is_open = row
    r = ask(target)
    faults = policies(r, csp, is_open)
    faults.append(differs("status", r.status, 204 if kind is None else 200))
    faults.append(differs("type", r.get("content-type"), kind))
    faults.append(differs("keep", r.get("cache-control"), keep[which]))
    is_hidden = which == "played" and "/g/{id}" in pattern and \
        kind != "text/event-stream" or pattern.startswith("/u/")
    faults.append(differs("robots", r.get("x-robots-tag"),
                          "noindex" if is_hidden else None))
    name = target.rsplit("/", 1)[1]
    if name in FILES:
        faults.append("" if re.fullmatch(
            f'attachment; filename="{FILES[name]}"',
            r.get("content-disposition") or "") else "it has no file name")
    if kind is None or kind == "text/event-stream":
        faults.append(differs("ETag", r.get("etag"), None))
    else:
        faults.append("" if re.fullmatch(r'"[0-9a-z-]+"', r.get("etag") or "")
                      else f"ETag {r.get('etag')}")
        faults.append(differs("length", r.get("content-length"),
                              str(len(r.body))))
        has_parts = name == "record.jsonl"
        faults.append(differs("Vary", r.get("vary"),
                              None if has_parts else "Accept-Encoding"))
        faults.append(differs("parts", r.get("accept-ranges"),
                              "bytes" if has_parts else None))
    case(f"{target}: its headers", faults)
    return r


def compressed(target, r):
    """The same, gzipped."""
    z = ask(target, "Accept-Encoding: br, gzip;q=0.5")
    faults = [differs("status", z.status, r.status)]
    etag = r.get("etag")
    if z.get("content-encoding") == "gzip":
        faults.append(differs("bytes", gzip.decompress(z.body), r.body))
        faults.append(differs("ETag", z.get("etag"), etag[:-1] + '-gz"'))
        faults.append(differs("Vary", z.get("vary"), "Accept-Encoding"))
    else:
        faults.append(differs("bytes", z.body, r.body))
        faults.append(differs("ETag", z.get("etag"), etag))
        if r.get("vary") and len(r.body) > SHORT:
            faults.append("it is not gzipped")
    case(f"{target}: gzipped", faults)


def head(target, r):
    """HEAD: the same headers, and no body."""
    h = ask(target, method="HEAD")
    want = r.same()
    # A stream has no end, and a body that is not there no length.
    want.pop("transfer-encoding", None)
    want.pop("x-accel-buffering", None)
    case(f"{target}: HEAD", [differs("status", h.status, r.status),
                             differs("body", h.body, b""),
                             differs("headers", h.same(), want)])


def known(target, r):
    """If-None-Match: who has it is not sent it again."""
    faults, etag = [], r.get("etag")
    zipped = etag[:-1] + '-gz"'
    for value in (etag, "W/" + etag, zipped, "*", f'"x", {etag}',
                  f'W/"y",{zipped}, "z"'):
        n = ask(target, f"If-None-Match: {value}")
        faults.append(differs(value, n.status, 304))
        faults.append(differs(value, n.body, b""))
        for name in ("etag", "cache-control", "vary", "x-robots-tag",
                     "content-security-policy", "access-control-allow-origin"):
            faults.append(differs(f"{value}: {name}", n.get(name),
                                  r.get(name)))
    for value in (etag.strip('"'), '"x"', etag[:-2] + '"', etag[1:], '""',
                  '"x' + etag[1:], etag[:-1] + 'x"', f'"{etag}"', "**", ",",
                  '"', "W/", f'"x" {etag.strip(chr(34))}'):
        n = ask(target, f"If-None-Match: {value}")
        faults.append(differs(value, n.status, 200))
        faults.append(differs(value, n.body == r.body, True))
    case(f"{target}: If-None-Match", faults)


def parts(target, r):
    """Range: a part, where there are any; else all of it."""
    faults = []
    has_parts = r.get("accept-ranges") == "bytes"
    n = len(r.body)
    for value, first, last in (("bytes=0-9", 0, 9), ("bytes=5-", 5, n - 1),
                               ("bytes=-7", n - 7, n - 1)):
        p = ask(target, f"Range: {value}")
        if not has_parts:
            faults.append(differs(value, (p.status, p.body == r.body),
                                  (200, True)))
            continue
        faults.append(differs(value, (p.status, p.body),
                              (206, r.body[first:last + 1])))
        faults.append(differs(value, p.get("content-range"),
                              f"bytes {first}-{last}/{n}"))
        faults.append(differs(value, p.get("etag"), r.get("etag")))
    p = ask(target, "Range: bytes=0-9", 'If-Range: "other"')
    faults.append(differs("If-Range", (p.status, p.body == r.body),
                          (200, True)))
    if has_parts:
        p = ask(target, f"Range: bytes={n}-")
        faults.append(differs("beyond", (p.status, p.get("content-range")),
                              (416, f"bytes */{n}")))
        p = ask(target, "Range: bytes=0-9", f"If-Range: {r.get('etag')}")
        faults.append(differs("If-Range", p.status, 206))
        p = ask(target, "Range: bytes=0-9", method="HEAD")
        faults.append(differs("HEAD", (p.status, p.body), (200, b"")))
        p = ask(target, "Range: bytes=0-1, 4-5")
        faults.append(differs("two", (p.status, p.body == r.body),
                              (200, True)))
    case(f"{target}: Range", faults)


def queries(target, takes):
    """What it does not take leads to the address without it."""
    faults = []
    for query in ("x=y", "utm_source=a&b", "refresh", "after=x", "before=",
                  "%3F=1"):
        q = ask(f"{target}?{query}")
        faults.append(differs(query, (q.status, q.get("location")),
                              (301, target)))
        faults += policies(q, "data", False)
        faults.append(differs("keep", q.get("cache-control"),
                              "public, max-age=60"))
    for name, value in (("refresh", "60"), ("system", "lasalle2"),
                        ("event", "x"), ("phase", "play"), ("after", "0"),
                        ("before", "x"), ("epoch", "0")):
        pair = f"{name}={value}"
        want = f"{target}?{pair}" if name in takes else target
        for query in (pair, f"x=y&{pair}", f"{pair}&x=y", f"{pair}&&"):
            if query == pair and name in takes:
                continue
            q = ask(f"{target}?{query}")
            faults.append(differs(query, (q.status, q.get("location")),
                                  (301, want)))
    case(f"{target}: queries", faults)


def others(target):
    """What cannot be done, and what is not there."""
    faults = []
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        o = ask(target, method=method)
        faults.append(differs(method, (o.status, o.get("allow")),
                              (405, "GET, HEAD")))
        faults += policies(o, "data", False)
    for bad in (target + "x/y", target.rstrip("/") + "//"):
        o = ask(bad)
        faults.append(differs(bad, (o.status, o.get("cache-control"),
                                    o.get("content-type"),
                                    o.get("x-robots-tag")),
                              (404, "no-store", HTML, "noindex")))
        faults += policies(o, "page", False)
        faults.append("" if b'<a href="/"' in o.body else
                      f"{bad}: no way on")
    case(f"{target}: what it does not do", faults)


def missing(target):
    """What there is none of."""
    m = ask(target)
    case(f"{target}: there is none", policies(m, "page", False) + [
        differs("status", (m.status, m.get("cache-control"),
                           m.get("x-robots-tag"), m.get("retry-after")),
                (404, "no-store", "noindex", None))])


def stale(target, row, which):
    """While the umpire is away a page says so, and all else is as it was."""
    kind, keep, csp, is_open = row
    r = ask(target)
    faults = policies(r, csp, is_open)
    if kind == HTML and "max-age=3600" not in keep[which] and \
            keep[which] != EVER and "/p/" not in target:
        faults.append(differs("status", (r.status, r.get("retry-after"),
                                         r.get("cache-control")),
                              (503, "10", "no-store")))
        faults.append("" if b"The umpire does not answer" in r.body and
                      b"as it was" in r.body and
                      r.body.endswith(b"</html>\n") else
                      f"no page that says how old it is: {r.body[-400:]}")
    else:
        faults.append(differs("status", (r.status, r.get("retry-after"),
                                         r.get("cache-control")),
                              (204 if kind is None else 200, None,
                               keep[which])))
        faults.append("it says so" if b"does not answer" in r.body else "")
    case(f"{target}: while the umpire is away", faults)


def targets(pattern, values):
    """The addresses of a pattern that are there: (address, which game)."""
    if pattern.startswith("/s/"):
        return [(values["css"], "over")] if "css" in values else []
    number = {"/g/{id}/{n}/dice": values.get("dice"), "/g/{id}/t/{n}": "1",
              "/t/{id}/r/{n}": "1", "/t/{id}/why/{n}": "1"}.get(pattern, "1")
    for piece, value in (("{n}", number), ("{part}", "t0@1"),
                         ("{name}", values.get("name")),
                         ("{event}", values.get("event"))):
        if piece in pattern:
            if value is None:
                return []
            pattern = pattern.replace(piece, urllib.parse.quote(value, "@"))
    if "{id}" not in pattern:
        return [(pattern, "over")]
    if pattern.startswith("/t/"):
        which = ["cup"]
    else:
        # The one that is played has no combat and no dice.
        which = ["over"] if "/c/" in pattern or "/dice" in pattern and \
            "csv" not in pattern else ["over", "played"]
    return [(pattern.replace("{id}", values[w]), "over" if w == "cup" else w)
            for w in which if w in values]


def main(number, routes, *rest):
    """All of the table."""
    global port
    port = int(number)
    values = dict(word.split("=", 1) for word in rest)
    with open(routes, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    takes = {row[0]: row[4].split() for row in rows}
    case("the table is that of the program", [
        differs("patterns", sorted(takes), sorted(TABLE))])
    for pattern, row in TABLE.items():
        for target, which in targets(pattern, values):
            if pattern in MISSING:
                missing(target)
                continue
            if "away" in values:
                stale(target, row, which)
                continue
            r = plain(target, row, which, pattern)
            head(target, r)
            if r.get("etag"):
                compressed(target, r)
                known(target, r)
                parts(target, r)
            queries(target, takes.get(pattern, []))
            others(target)
    sys.exit(3 if failed else 0)


main(*sys.argv[1:])
