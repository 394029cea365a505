#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""The examples of umpire-record.7, made again from its text alone.

Pools, a rekeyed one, one with a witness, one after lost lines, a place with
its betas and dice, and keys from words (S4.1, S4.3, S6, S7).
Exit status: 0 all as the manual has them, 1 not all.
"""

import hashlib
import hmac
import sys
import unittest

import record_crypto as crypto
from forge import beta_of, dice_public, ed_expand

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
GAME = crypto.sha256(b"umpire test game")
# RFC 9381, examples 10 and 12.
SERVER = bytes.fromhex(
    "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
ONE = bytes.fromhex(
    "2ca1411a41b17b24cc8c3b089cfd033f1920202a6c0de8abb97df1498d50d2c8")
TWO = crypto.sha256(b"umpire test dice key 2")
WAITING = [bytes.fromhex(key) for key in (
    "029e3c21d0ee4eead4383d9bcfc69e32c55b4814a18d68e85bda5f5f61786dae18",
    "02e590b9e067682450792473169e1962d79cc67d7c05579c71ae36f1130a514b04",
)]
PLACE = "c/1/ru-a/1/1"


def start(scheme, *more):
    """The pool of seats 1 and 2, and of more."""
    seats = [(1, dice_public(ONE)), (2, dice_public(TWO)), *more]
    keys = b"".join(bytes((seat,)) + key for seat, key in seats)
    return crypto.sha256(
        crypto.tag("start/1"), GAME, bytes((scheme,)), dice_public(SERVER),
        bytes((len(seats),)), keys)


def own(seed, pool, place, tag="own/1"):
    """The beta of a contribution."""
    return beta_of(seed, crypto.tag(tag) + crypto.base_of(GAME, pool, place))


def moved(pool, *betas):
    """The pool after contributions."""
    return crypto.sha256(crypto.tag("pool/1"), pool, *betas)


def rekeyed(pool, seat, key):
    """The pool after a new dice key."""
    return crypto.sha256(crypto.tag("rekey/1"), pool, bytes((seat,)), key)


def begun(scheme):
    """The pool after one `ready` each."""
    pool = start(scheme)
    return moved(pool, own(ONE, pool, "p/0"), own(TWO, pool, "p/0"))


def words_of(seed):
    """A seed as its owner writes it down (S4.1)."""
    number = int.from_bytes(seed, "big")
    letters = [ALPHABET[number >> 5 * i & 31] for i in reversed(range(32))]
    return "-".join("".join(letters[i : i + 4]) for i in range(0, 32, 4))


def seed_of(words):
    """The seed that words stand for; None where they are refused."""
    text = words.upper().replace("-", "").replace(" ", "")
    text = text.translate(str.maketrans("OIL", "011"))
    if len(text) != 32 or set(text) - set(ALPHABET):
        return None
    number = 0
    for letter in text:
        number = number << 5 | ALPHABET.index(letter)
    return number.to_bytes(20, "big")


def hkdf(seed, info, length):
    """HKDF of RFC 5869, with SHA-256."""
    key = hmac.digest(crypto.tag("words/1"), seed, hashlib.sha256)
    out, block = b"", b""
    while len(out) < length:
        last = bytes((len(out) // 32 + 1,))
        block = hmac.digest(key, block + info + last, hashlib.sha256)
        out += block
    return out[:length]


def dice_key_of(seed, i):
    """Dice key i of a seed."""
    info = crypto.tag("dice-key/1") + i.to_bytes(4, "big")
    x = int.from_bytes(hkdf(seed, info, 48), "big")
    return dice_public((1 + x % (crypto.Q - 1)).to_bytes(32, "big"))


class Manual(unittest.TestCase):
    """What the section of examples says."""

    def dice(self, pool, other, dice):
        """Check five dice of a place, and its base and betas."""
        betas = [own(ONE, pool, PLACE)]
        if other:
            betas.append(own(TWO, pool, PLACE, "other/1"))
        alpha = crypto.tag("dice/1") + crypto.base_of(GAME, pool, PLACE)
        beta = beta_of(SERVER, alpha + b"".join(betas))
        self.assertEqual(
            crypto.roll_dice(beta, "score/fr-a", 5, 6), dice)
        return [b.hex() for b in betas] + [beta.hex()]

    def test_dual(self):
        """A whole scheme in dual-1."""
        self.assertEqual(
            start(1).hex(),
            "8a3d0caf378a323626e5609b240184ff"
            "dbdcf0030d63b4f98fc36e24b7915799")
        pool = begun(1)
        self.assertEqual(
            pool.hex(),
            "f5f694a59d0756a507d6b98c10a7916d"
            "f591234c712b701343a09141b3d3085b")
        self.assertEqual(self.dice(pool, False, [2, 4, 4, 3, 4]), [
            "6d748e64d04ffbbdf222647238c85c49"
            "1726711be1ebc86f90e816fb8c79ad10",
            "46845d1100a5a096ef71d3cc26b72feb"
            "0be0d6123b0899f11fca55b228dd837d",
        ])

    def test_live(self):
        """The same in live-1."""
        pool = begun(2)
        self.assertEqual(
            pool.hex(),
            "6461510b2cd6b665eb9259fc111c4a97"
            "8fbda5b823eb8dce310087f75934e57c")
        self.assertEqual(self.dice(pool, True, [6, 1, 4, 1, 1]), [
            "05efaba6700ee7e36553113da491bf7d"
            "f8af48dd2ffdfe37089442d0dc4b4086",
            "38bf4fc365eed28f20f69d8807fa41a1"
            "257d99519a802efe8d87e247ad9db380",
            "d9093a1131870b84b2535078e44f1f27"
            "81141b4a16db5b9736798b21260b7b43",
        ])

    def test_witness(self):
        """The witness is in the first pool."""
        self.assertEqual(
            start(2, (254, WAITING[1])).hex(),
            "eab6138332f9d6bf8d6f7d2f92737e58"
            "ab3cd0d7d0a10683da9fd631af8de1f5")

    def test_rekeyed(self):
        """Two keys wait for the first turn.end."""
        pool = begun(1)
        pool = moved(pool, own(ONE, pool, "p/1"))
        self.assertEqual(
            pool.hex(),
            "65ce333ca07f346ce5d17bbf27705006"
            "de710afa0f7fcd847809c84a29307de8")
        pool = rekeyed(pool, 1, WAITING[0])
        self.assertEqual(
            pool.hex(),
            "5ce14ed01ec55b2972fbac8c310731ab"
            "02ba0ddb0d2e94952e380848e82153bf")
        self.assertEqual(
            rekeyed(pool, 2, WAITING[1]).hex(),
            "03987a96472ee44edce6ae9b5291e89b"
            "cdf82a48f9d41e1c2205565bef69e0c1")

    def test_restored(self):
        """Lines were lost before line 6."""
        pool = crypto.sha256(crypto.tag("restored/1"), begun(1),
                             (6).to_bytes(8, "big"))
        self.assertEqual(
            pool.hex(),
            "204cde716b973bdd00579f4aa493ebfb"
            "d6dd9632b21901ac62b96aa458fd9da3")

    def test_words(self):
        """Keys from words, however they are typed."""
        seed, words = bytes(range(20)), words_of(bytes(range(20)))
        self.assertEqual(words, "000G-40R4-0M30-E209-185G-R38E-1W81-24GK")
        for typed in (words, words.lower(), words.replace("-", " "),
                      words.replace("0", "o").replace("1", "l"),
                      words.replace("1", "I")):
            self.assertEqual(seed_of(typed), seed)
        for typed in (words[:-1], words + "0", words.replace("G", "U"), ""):
            self.assertIsNone(seed_of(typed))
        recovery = hkdf(seed, crypto.tag("recovery/1"), 32)
        self.assertEqual(
            ed_expand(recovery)[2].hex(),
            "0d7174b6833ae5088ef10f91c1c40849"
            "bffb30c91197da5389cb2855cb234dfd")
        self.assertEqual(dice_key_of(seed, 1), WAITING[0])
        self.assertEqual(
            dice_key_of(seed, 2).hex(),
            "036e0eb64f023c55080e6d65499aa1da"
            "a3ba1b917364df2aa34cfbff86c41ad7df")


if __name__ == "__main__":
    sys.exit(not unittest.main(exit=False).result.wasSuccessful())
