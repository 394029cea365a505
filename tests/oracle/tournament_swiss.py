# SPDX-License-Identifier: ISC
"""A round of a Swiss, paired by pairing.py from the state of a tournament."""

from record_form import Unknown

try:
    import pairing
except ImportError:
    pairing = None


def pair(cup, number, plays, tpn, forbidden):
    """The pairs, side 1 first, and the bye; None: there is no pairing."""
    if pairing is None:
        raise Unknown("a Swiss cannot be paired here")
    raise Unknown("not yet")
