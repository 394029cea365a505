# SPDX-License-Identifier: ISC
"""The forms of umpire-record.7, S2 and S3: JSON, lines and order texts.

The reader of JSON takes only what S3's profile allows; a line must besides be
what compact() writes of it, byte for byte. Bad says that a record is bad,
Unknown that it holds what a later version may have brought.
"""

import datetime
import functools
import re

from record_crypto import ed_refused, p256_decode

MAX_LINE = 262144
MAX_SIDE_LINE = 1300000
MAX_TEXT = 4000
MAX_BLOB = 40000
MAX_INT = 2**53 - 1
MAX_DEPTH = 16
MARK_SIZE = 139
ZERO = "0" * 64


class Bad(Exception):
    """The record is bad."""


class Unknown(Exception):
    """The record holds what this verifier does not know."""


def want(condition, reason, *values):
    """Call the record bad unless the condition holds."""
    if not condition:
        raise Bad(reason % values if values else reason)


# --- JSON: the strict profile of S3 and the compact form of S2 ---

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)")
SPACE = re.compile(r"[ \t\n\r]*")
PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
HEX4 = re.compile(r"[0-9a-fA-F]{4}")
ESCAPES = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}


class Reader:
    """Reads one JSON text under the profile of S3."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def fail(self, reason):
        """Give up, naming the place."""
        raise Bad("JSON, character %d: %s" % (self.at, reason))

    def peek(self):
        """The next character, or nothing at the end."""
        return self.text[self.at : self.at + 1]

    def skip(self):
        """Skip white space."""
        self.at = SPACE.match(self.text, self.at).end()

    def take(self, char):
        """Take this character or give up."""
        if self.peek() != char:
            self.fail("%r expected" % char)
        self.at += 1

    def document(self):
        """Read the whole text as one value."""
        self.skip()
        value = self.value(1)
        self.skip()
        if self.at != len(self.text):
            self.fail("something follows the value")
        return value

    def value(self, depth):
        """Read any value; depth is what an array or object here would be."""
        char = self.peek()
        if char == '"':
            return self.string()
        if char in ("{", "["):
            if depth > MAX_DEPTH:
                self.fail("nested too deeply")
            return self.object(depth) if char == "{" else self.array(depth)
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        return self.number()

    def number(self):
        """Read an integer; fractions, exponents and -0 are refused."""
        match = NUMBER.match(self.text, self.at)
        if match is None:
            self.fail("no value")
        digits = match.group()
        if digits == "-0" or len(digits) > 17 or abs(int(digits)) > MAX_INT:
            self.fail("a number that is not allowed")
        self.at = match.end()
        if self.peek() in tuple(".eE0123456789"):
            self.fail("a number that is not allowed")
        return int(digits)

    def hex4(self):
        """Read the four digits of an escape."""
        match = HEX4.match(self.text, self.at)
        if match is None:
            self.fail("a broken escape")
        self.at = match.end()
        return int(match.group(), 16)

    def escape(self):
        """Read what follows a backslash."""
        char = self.peek()
        self.at += 1
        if char in ESCAPES and char:
            return ESCAPES[char]
        if char != "u":
            self.fail("an unknown escape")
        code = self.hex4()
        if code == 0:
            self.fail("U+0000")
        if 0xDC00 <= code <= 0xDFFF:
            self.fail("an unpaired surrogate")
        if 0xD800 <= code <= 0xDBFF:
            if self.text[self.at : self.at + 2] != "\\u":
                self.fail("an unpaired surrogate")
            self.at += 2
            low = self.hex4()
            if not 0xDC00 <= low <= 0xDFFF:
                self.fail("an unpaired surrogate")
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
        return chr(code)

    def string(self):
        """Read a string."""
        self.take('"')
        parts = []
        while True:
            match = PLAIN.match(self.text, self.at)
            parts.append(match.group())
            self.at = match.end()
            char = self.peek()
            if char == '"':
                self.at += 1
                return "".join(parts)
            if char != "\\":
                self.fail("a raw control character or no end of a string")
            self.at += 1
            parts.append(self.escape())

    def array(self, depth):
        """Read an array."""
        self.take("[")
        self.skip()
        items = []
        if self.peek() == "]":
            self.at += 1
            return items
        while True:
            self.skip()
            items.append(self.value(depth + 1))
            self.skip()
            if self.peek() == "]":
                self.at += 1
                return items
            self.take(",")

    def object(self, depth):
        """Read an object; no member may come twice."""
        self.take("{")
        self.skip()
        members = {}
        if self.peek() == "}":
            self.at += 1
            return members
        while True:
            self.skip()
            key = self.string()
            if key in members:
                self.fail("the member %r comes twice" % key)
            self.skip()
            self.take(":")
            self.skip()
            members[key] = self.value(depth + 1)
            self.skip()
            if self.peek() == "}":
                self.at += 1
                return members
            self.take(",")


def read_json(data):
    """Read bytes under the profile of S3."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        raise Bad("not UTF-8 at byte %d" % e.start) from None
    return Reader(text).document()


SHORT = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
}
ESCAPED = re.compile(r'["\\\x00-\x1f]')


def compact_string(value):
    """Write a string in the form of S2."""

    def escape(match):
        char = match.group()
        return SHORT.get(char) or "\\u%04x" % ord(char)

    if ESCAPED.search(value):
        value = ESCAPED.sub(escape, value)
    return '"' + value + '"'


def compact(value):
    """Write a value in the form of S2."""
    if isinstance(value, str):
        return compact_string(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(map(compact, value)) + "]"
    return (
        "{"
        + ",".join(
            compact_string(key) + ":" + compact(item)
            for key, item in value.items()
        )
        + "}"
    )


@functools.lru_cache(maxsize=8192)
def read_line(data):
    """Read a line that must be an object in compact form."""
    value = read_json(data)
    want(isinstance(value, dict), "the line is no object")
    want(compact(value).encode("utf-8") == data, "not in compact form")
    return value


# --- Small checks of values ---


def is_hex(value, size):
    """Tell whether a value is lower-case hex of this many characters."""
    return isinstance(value, str) and bool(
        re.fullmatch(r"[0-9a-f]{%d}" % size, value)
    )


def is_int(value):
    """Tell whether a value is an integer."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_count(value):
    """Tell whether a value is an integer from 0."""
    return is_int(value) and value >= 0


def is_hash(value):
    """Tell whether a value is a hash."""
    return is_hex(value, 64)


def is_bool(value):
    """Tell whether a value is true or false."""
    return isinstance(value, bool)


def is_text(value):
    """Tell whether a value is a string."""
    return isinstance(value, str)


def is_object(value):
    """Tell whether a value is an object."""
    return isinstance(value, dict)


def is_list(value):
    """Tell whether a value is an array."""
    return isinstance(value, list)


def is_ed_key(value):
    """Tell whether a value is an Ed25519 key that S1 does not refuse."""
    return is_hash(value) and not ed_refused(bytes.fromhex(value))


def is_dice_key(value):
    """Tell whether a value is a P-256 key."""
    return (
        is_hex(value, 66) and p256_decode(bytes.fromhex(value)) is not None
    )


def is_proof(value):
    """Tell whether a value has the form of a proof."""
    return is_hex(value, 162)


def is_account(value):
    """Tell whether a value is the name of an account (S12)."""
    return is_text(value) and bool(
        re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,31}", value)
    )


def is_event_name(value):
    """Tell whether a value is 1 to 64 printable ASCII characters."""
    return is_text(value) and bool(re.fullmatch(r"[ -~]{1,64}", value))


def is_one(*choices):
    """Make a check for one of the choices."""
    return lambda value: is_text(value) and value in choices


def is_from(low, high):
    """Make a check for an integer within bounds."""
    return lambda value: is_int(value) and low <= value <= high


def is_list_of(check):
    """Make a check for an array whose items pass a check."""
    return lambda value: is_list(value) and all(map(check, value))


def is_time(value):
    """Tell whether a value is a time of S2 on a real date."""
    return is_text(value) and is_time_text(value)


@functools.lru_cache(maxsize=65536)
def is_time_text(value):
    """Tell it of a text."""
    if not re.fullmatch(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z",
        value,
    ):
        return False
    try:
        datetime.datetime.strptime(value[:19], "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return False
    return value[17:19] != "60"


def want_shape(value, name, members):
    """Want an object with these members in this order: (key, check, must)."""
    want(is_object(value), "%s is no object", name)
    order = [m[0] for m in members]
    place = -1
    for key in value:
        want(key in order, "%s: unknown member %r", name, key)
        want(order.index(key) > place, "%s: %r is out of order", name, key)
        place = order.index(key)
    for key, check, must in members:
        if key in value:
            want(check(value[key]), "%s: %r is wrong", name, key)
        else:
            want(not must, "%s: %r is missing", name, key)


# --- The form of lines (S2) ---

LINE_HEAD = [
    ("v", is_int, True),
    ("game", is_hash, True),
    ("seq", is_count, True),
    ("prev", is_hash, True),
    ("at", is_time, True),
    ("kind", is_text, True),
]
SEAT_AND_KEY = [
    ("seat", lambda v: is_from(0, 16)(v) or is_from(254, 254)(v), True),
    ("key", is_hash, True),
]
SIGNATURE = ("sig", lambda value: is_hex(value, 128), True)
MARK = ("mark", lambda value: is_hex(value, 128), True)
POOL = ("pool", is_hash, False)
EVENTS = ("events", is_list_of(is_object), True)
LINES = {
    "order": LINE_HEAD
    + SEAT_AND_KEY
    + [
        ("order", is_text, True),
        SIGNATURE,
        ("dice", is_object, False),
        ("owes", is_object, False),
        ("opened", is_list, False),
        POOL,
        EVENTS,
        MARK,
    ],
    "key": LINE_HEAD
    + SEAT_AND_KEY
    + [("statement", is_text, True), SIGNATURE, MARK],
    "server": LINE_HEAD
    + [
        ("what", is_text, True),
        ("data", is_object, True),
        POOL,
        EVENTS,
        MARK,
    ],
}
LABEL = re.compile(r"[a-z0-9][a-z0-9._/-]{0,95}\Z")
CHIT = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}\Z")
ROLL = [
    ("label", lambda v: is_text(v) and bool(LABEL.match(v)), True),
    ("sides", is_from(2, 1000), True),
    ("dice", is_list_of(is_int), True),
]
DRAW = [
    ("label", lambda v: is_text(v) and bool(LABEL.match(v)), True),
    ("bag", is_from(1, 1000), True),
    (
        "chits",
        is_list_of(lambda v: is_text(v) and bool(CHIT.match(v))),
        True,
    ),
]
DICE = [
    ("place", is_text, True),
    ("proof", is_proof, True),
    ("rolls", is_list_of(is_object), True),
]
OPENED = [
    ("seat", is_from(1, 16), True),
    ("salt", is_hash, True),
    ("text", is_text, True),
]
OWES = [("seat", is_count, True), ("place", is_text, True)]


def check_events_form(events):
    """Events are objects with "e" first (S2)."""
    for event in events:
        want(next(iter(event), None) == "e", 'an event without "e" first')
        want(is_text(event["e"]), "an event whose kind is no text")


def check_line_form(line):
    """Check members and their order; unknown formats are for later."""
    want(is_int(line.get("v")) and line["v"] >= 1, "v is wrong")
    want(is_text(line.get("kind")), "kind is wrong")
    if line["v"] != 1 or line["kind"] not in LINES:
        return
    kind = line["kind"]
    want_shape(line, "line", LINES[kind])
    check_events_form(line.get("events", []))
    want("dice" not in line or "owes" not in line, "both dice and owes")


def check_line_parts(line):
    """Check the insides of what an order's line holds of its dice."""
    if "dice" in line:
        want_shape(line["dice"], "dice", DICE)
        want(line["dice"]["rolls"], "dice without a roll")
        for roll in line["dice"]["rolls"]:
            want_shape(roll, "roll", DRAW if "bag" in roll else ROLL)
    if "owes" in line:
        want_shape(line["owes"], "owes", OWES)
    for each in line.get("opened", []):
        want_shape(each, "opened", OPENED)


def is_same(a, b):
    """Compare JSON values; 1 and true are different."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(is_same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(is_same, a, b))
    return a == b
