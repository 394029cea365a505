# SPDX-License-Identifier: ISC
"""Ed25519, the P-256 VRF and the dice, in pure Python, for verify.py.

From RFC 8032, RFC 9381 and umpire-record.7 S1, S6 and S7 alone. It is made to
be read beside them, not to keep secrets: nothing takes the same time twice.
"""

import functools
import hashlib
import hmac


def tag(name):
    """T(x): the tag's bytes and one byte 00 (S1)."""
    return b"umpire/" + name.encode("ascii") + b"\0"


def sha256(*parts):
    """H over the parts joined (S1)."""
    return hashlib.sha256(b"".join(parts)).digest()


# --- Ed25519: RFC 8032 section 5.1, pure, without cofactor (S1) ---

ED_P = 2**255 - 19
ED_L = 2**252 + 27742317777372353535851937790883648493
ED_D = -121665 * pow(121666, -1, ED_P) % ED_P
ED_2D = 2 * ED_D % ED_P
ED_SQRT_M1 = pow(2, (ED_P - 1) // 4, ED_P)
ED_SMALL = {
    bytes.fromhex(text)
    for text in (
        "00" * 32,
        "01" + "00" * 31,
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ec" + "ff" * 30 + "7f",
        "ed" + "ff" * 30 + "7f",
        "ee" + "ff" * 30 + "7f",
    )
}


def ed_add(a, b):
    """Add two points in extended coordinates (RFC 8032 5.1.4)."""
    e = (a[1] - a[0]) * (b[1] - b[0])
    f = (a[1] + a[0]) * (b[1] + b[0])
    g = a[3] * b[3] % ED_P * ED_2D
    h = 2 * a[2] * b[2]
    i, j, k, m = (f - e) % ED_P, (h - g) % ED_P, (h + g) % ED_P, (f + e) % ED_P
    return (i * j % ED_P, k * m % ED_P, j * k % ED_P, i * m % ED_P)


ED_ZERO = (0, 1, 1, 0)


def ed_decode(data):
    """Decode a point, or None where RFC 8032 5.1.3 fails."""
    y = int.from_bytes(data, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    if y >= ED_P:
        return None
    u, v = (y * y - 1) % ED_P, (ED_D * y * y + 1) % ED_P
    x = u * pow(v, 3, ED_P) * pow(u * pow(v, 7, ED_P), (ED_P - 5) // 8, ED_P)
    x %= ED_P
    if v * x * x % ED_P == -u % ED_P:
        x = x * ED_SQRT_M1 % ED_P
    if v * x * x % ED_P != u:
        return None
    if x == 0 and sign:
        return None
    if x & 1 != sign:
        x = ED_P - x
    return (x, y, 1, x * y % ED_P)


def ed_encode(point):
    """Encode a point (RFC 8032 5.1.2)."""
    inverse = pow(point[2], -1, ED_P)
    x, y = point[0] * inverse % ED_P, point[1] * inverse % ED_P
    return (y | (x & 1) << 255).to_bytes(32, "little")


ED_BASE = ed_decode(bytes.fromhex("58" + "66" * 31))


def times(a, powers, add, zero):
    """[a]P, powers being [2^(w i)]P: what each digit counts is added first."""
    width = 256 // len(powers)
    counted = [zero] * (1 << width)
    for power in powers:
        digit = a & (1 << width) - 1
        if digit:
            counted[digit] = add(counted[digit], power)
        a >>= width
    point = total = zero
    for digit in range((1 << width) - 1, 0, -1):
        total = add(total, counted[digit])
        point = add(point, total)
    return point


def rows_of(p, add, zero):
    """[d 64^i]P for every digit d and every i, of a base point."""
    rows = []
    for _ in range(43):
        row = [zero]
        for _ in range(63):
            row.append(add(row[-1], p))
        rows.append(row)
        p = add(row[-1], p)
    return rows


def base_times(a, rows, add, zero):
    """[a]B by the rows of B."""
    point = zero
    for row in rows:
        if a & 63:
            point = add(point, row[a & 63])
        a >>= 6
    return point


@functools.lru_cache(maxsize=1024)
def ed_powers(p):
    """[16^i]P for every i: keys come again and again."""
    powers = [p]
    for _ in range(63):
        for _ in range(4):
            p = ed_add(p, p)
        powers.append(p)
    return powers


@functools.lru_cache(maxsize=None)
def ed_rows():
    """The rows of the base point."""
    return rows_of(ED_BASE, ed_add, ED_ZERO)


def ed_base_times(a):
    """[a]B."""
    return base_times(a, ed_rows(), ed_add, ED_ZERO)


@functools.lru_cache(maxsize=65536)
def ed_base_encoded(a):
    """[a]B, encoded."""
    return ed_encode(ed_base_times(a))


# The secret scalars of keys whose owner runs this, such as a forger; what they
# say is the same, with less work: where A = [a]B, [S]B - [h]A is [S - ha]B.
ED_SECRETS = {}


def ed_refused(key):
    """Whether S1 refuses a public key; that it is no point is not said."""
    y = key[:31] + bytes((key[31] & 0x7F,))
    return y in ED_SMALL or int.from_bytes(y, "little") >= ED_P


@functools.lru_cache(maxsize=4096)
def ed_key(key):
    """Decode a public key, or None where nothing can be verified by it."""
    return None if ed_refused(key) else ed_decode(key)


@functools.lru_cache(maxsize=65536)
def ed_verify(key, message, signature):
    """Check a signature: S < L, and R = [S]B - [h]A byte for byte."""
    point = ed_key(key)
    s = int.from_bytes(signature[32:], "little")
    if point is None or s >= ED_L:
        return False
    h = hashlib.sha512(signature[:32] + key + message).digest()
    h = int.from_bytes(h, "little") % ED_L
    if key in ED_SECRETS:
        s = (s - h * ED_SECRETS[key]) % ED_L
        return ed_base_encoded(s) == signature[:32]
    x, y, z, t = point
    minus = ed_powers((-x % ED_P, y, z, -t % ED_P))
    point = ed_add(ed_base_times(s), times(h, minus, ed_add, ED_ZERO))
    return ed_encode(point) == signature[:32]


# --- ECVRF-P256-SHA256-TAI: RFC 9381 (S1) ---

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
Q = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
P_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
SUITE = b"\x01"


@functools.lru_cache(maxsize=4096)
def p256_decode(data):
    """Decode a compressed point, or None; there is no way to infinity."""
    if len(data) != 33 or data[0] not in (2, 3):
        return None
    x = int.from_bytes(data[1:], "big")
    if x >= P:
        return None
    square = (x * x * x - 3 * x + P_B) % P
    y = pow(square, (P + 1) // 4, P)
    if y * y % P != square:
        return None
    if y & 1 != data[0] & 1:
        y = P - y
    return (x, y)


def p256_encode(point):
    """Encode an affine point, compressed."""
    return bytes((2 + (point[1] & 1),)) + point[0].to_bytes(32, "big")


def p256_double(a):
    """Double a point in Jacobian coordinates; Z = 0 is infinity."""
    x, y, z = a
    if z == 0 or y == 0:
        return (1, 1, 0)
    delta, gamma = z * z % P, y * y % P
    beta = x * gamma % P
    alpha = 3 * (x - delta) * (x + delta) % P
    x3 = (alpha * alpha - 8 * beta) % P
    z3 = ((y + z) * (y + z) - gamma - delta) % P
    y3 = (alpha * (4 * beta - x3) - 8 * gamma * gamma) % P
    return (x3, y3, z3)


def p256_add(a, b):
    """Add two points in Jacobian coordinates."""
    if a[2] == 0:
        return b
    if b[2] == 0:
        return a
    z1, z2 = a[2] * a[2] % P, b[2] * b[2] % P
    u1, u2 = a[0] * z2 % P, b[0] * z1 % P
    s1, s2 = a[1] * b[2] * z2 % P, b[1] * a[2] * z1 % P
    h, r = (u2 - u1) % P, (s2 - s1) % P
    if h == 0:
        return p256_double(a) if r == 0 else (1, 1, 0)
    h2 = h * h % P
    h3, v = h * h2 % P, u1 * h2 % P
    x3 = (r * r - h3 - 2 * v) % P
    y3 = (r * (v - x3) - s1 * h3) % P
    return (x3, y3, a[2] * b[2] * h % P)


def p256_affine(a):
    """Return to affine coordinates; None is infinity."""
    if a[2] == 0:
        return None
    inverse = pow(a[2], -1, P)
    square = inverse * inverse % P
    return (a[0] * square % P, a[1] * square * inverse % P)


P_BASE = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


P_ZERO = (1, 1, 0)


@functools.lru_cache(maxsize=1024)
def p256_powers(p):
    """[16^i]P of an affine point for every i, as ed_powers()."""
    p = p + (1,)
    powers = [p]
    for _ in range(63):
        for _ in range(4):
            p = p256_double(p)
        powers.append(p)
    return powers


@functools.lru_cache(maxsize=None)
def p256_rows():
    """The rows of the base point."""
    return rows_of(P_BASE + (1,), p256_add, P_ZERO)


def p256_base(a):
    """[a]G, Jacobian."""
    return base_times(a, p256_rows(), p256_add, P_ZERO)


@functools.lru_cache(maxsize=65536)
def p256_base_times(a):
    """[a]G, affine."""
    return p256_affine(p256_base(a))


def p256_point(a, p):
    """[a]P of an affine point that comes again and again, Jacobian."""
    return times(a, p256_powers(p), p256_add, P_ZERO)


@functools.lru_cache(maxsize=65536)
def p256_times(a, p):
    """[a]P of an affine point, affine."""
    return p256_affine(p256_point(a, p))


def p256_two(a, p, b, q):
    """[a]P + [b]Q of affine points that come once, four bits at a time."""
    tables = []
    for number, base in ((a, p + (1,)), (b, q + (1,))):
        row = [P_ZERO]
        for _ in range(15):
            row.append(p256_add(row[-1], base))
        tables.append((number, row))
    point = P_ZERO
    size = (max(a.bit_length(), b.bit_length()) + 3) // 4
    for i in range(4 * size - 4, -4, -4):
        for _ in range(4):
            point = p256_double(point)
        for number, row in tables:
            if number >> i & 15:
                point = p256_add(point, row[number >> i & 15])
    return p256_affine(point)


def vrf_encode_to_curve(key, alpha):
    """Try and increment (RFC 9381 5.4.1.1); the salt is the key."""
    for counter in range(256):
        candidate = sha256(
            SUITE, b"\x01", key, alpha, bytes((counter,)), b"\0"
        )
        point = p256_decode(b"\x02" + candidate)
        if point is not None:
            return point
    return None


def vrf_challenge(key, points):
    """Make the challenge of the points (RFC 9381 5.4.3)."""
    data = b"".join(p256_encode(point) for point in points)
    return sha256(SUITE, b"\x02", key, data, b"\0")[:16]


# The secret scalars of dice keys whose owner runs this, as ED_SECRETS.
VRF_SECRETS = {}


def vrf_nonces(key, point, h, gamma, c, s):
    """U = [s]G - [c]Y and V = [s]H - [c]Gamma (RFC 9381 5.3)."""
    x = VRF_SECRETS.get(key)
    if x is not None and gamma == p256_times(x, h):
        k = (s - c * x) % Q
        return p256_base_times(k), p256_times(k, h)
    minus_key, minus_gamma = ((p[0], P - p[1]) for p in (point, gamma))
    u = p256_add(p256_base(s), p256_point(c, minus_key))
    return p256_affine(u), p256_two(s, h, c, minus_gamma)


@functools.lru_cache(maxsize=65536)
def vrf_verify(key, alpha, proof):
    """Return beta, or None where the proof does not verify."""
    point = p256_decode(key)
    if point is None or len(proof) != 81:
        return None
    gamma = p256_decode(proof[:33])
    c = int.from_bytes(proof[33:49], "big")
    s = int.from_bytes(proof[49:], "big")
    if gamma is None or s >= Q:
        return None
    h = vrf_encode_to_curve(key, alpha)
    if h is None:
        return None
    u, v = vrf_nonces(key, point, h, gamma, c, s)
    if u is None or v is None:
        return None
    if vrf_challenge(key, (h, gamma, u, v)) != proof[33:49]:
        return None
    return sha256(SUITE, b"\x03", p256_encode(gamma), b"\0")


# --- Dice (S6, S7) ---


def base_of(game, pool, place):
    """The base of a place (S6.2)."""
    place = place.encode("utf-8")
    return sha256(
        tag("base/1"), game, pool, len(place).to_bytes(2, "big"), place
    )


class Stream:
    """The values that a label draws from beta (S7)."""

    def __init__(self, beta, name, label, n):
        label = label.encode("utf-8")
        self.beta = beta
        self.head = tag(name) + len(label).to_bytes(2, "big") + label
        self.head += n.to_bytes(2, "big")
        self.block = b""
        self.next_block = 0

    def value(self):
        """Take the next u16."""
        if not self.block:
            message = self.head + self.next_block.to_bytes(4, "big")
            self.block = hmac.digest(self.beta, message, "sha256")
            self.next_block += 1
        value = int.from_bytes(self.block[:2], "big")
        self.block = self.block[2:]
        return value

    def uniform(self, m):
        """Take a value from 0 to m - 1 without bias."""
        limit = 65536 - 65536 % m
        while True:
            value = self.value()
            if value < limit:
                return value % m


def roll_dice(beta, label, count, sides):
    """Roll dice under a label."""
    stream = Stream(beta, "roll/1", label, sides)
    return [1 + stream.uniform(sides) for _ in range(count)]


def draw_ranks(beta, label, count, bag):
    """Draw places in the sorted bag."""
    stream = Stream(beta, "draw/1", label, bag)
    left = list(range(bag))
    return [left.pop(stream.uniform(len(left))) for _ in range(count)]


def draw_chits(beta, label, count, bag):
    """Draw chits from a bag of ids, given in any order."""
    bag = sorted(bag, key=lambda chit: chit.encode("utf-8"))
    return [bag[i] for i in draw_ranks(beta, label, count, len(bag))]
