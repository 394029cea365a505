#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Tournaments in which somebody favours somebody, with all keys in hand.

  tournament.py [--only NAME] --umpire PATH DIR

For each attack DIR/NAME is the folder of a tournament whose record ends with
the attack. On standard output is a line an attack: its name, a tab, and what
verifying the folder says of it (a regular expression). DIR/honest-swiss and
DIR/honest-knockout are such tournaments played to their end without any.
"""

import argparse
import json
import os
import sys

sys.path.insert(0, os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))

# pylint: disable=wrong-import-position
import record_crypto as crypto  # noqa: E402
import tournament_forge as forgery  # noqa: E402
from forge import UmpireEvents  # noqa: E402
from tournament_maker import DAY, Person  # noqa: E402
from tournament_play import Player  # noqa: E402

SWISS = {"format": "swiss", "rounds": 2, "late": "points"}
KNOCKOUT = {"format": "knockout", "late": "points"}
TRIES = 60
ATTACKS = []


def attack(name, words, settings=None, changes=True, first=0):
    """Enter an attack under its name, with what stops it.

    It changes a line, or is written in the place of one; it says whether that
    line is one that it can change, or gives what it writes. The first
    tournament that has such a line is that number, or a later one.
    """
    def enter(function):
        ATTACKS.append(
            (name, words, settings or SWISS, changes, function, first))
        return function

    return enter


def event(line, name):
    """The event of this name; None."""
    return next((e for e in line["events"] if e["e"] == name), None)


# --- Lots ---


@attack("other-lots", "dice: not what the lines before and the rules give")
def other_lots(maker, line, rng):
    """The server draws other lots than its proof gives."""
    if "dice" not in line:
        return False
    chits = line["dice"]["rolls"][0]["chits"]
    chits[0], chits[-1] = chits[-1], chits[0]
    forgery.tell_lots(line)
    return True


@attack("lots-from-another-pool", "dice.proof: .* does not hold .*")
def lots_from_another_pool(maker, line, rng):
    """The lots are those of the pool before anybody had checked in."""
    if "dice" not in line:
        return False
    cup = maker.cup
    forgery.prove_lots(
        maker, line, sorted(cup.lots_order), cup.lots_alpha(maker.pool_before))
    return True


@attack("leave-out-a-check-in", "dice.proof: .* does not hold .*")
def leave_out_a_check_in(maker, line, rng):
    """One check-in gives nothing to the lots: two pools to choose from."""
    if "dice" not in line:
        return False
    cup = maker.cup
    left = sorted(cup.checkins)[:-1]
    pool = crypto.sha256(
        crypto.tag("tpool/1"), maker.pool_before,
        len(left).to_bytes(4, "big"), *(cup.checkins[n] for n in left))
    line["pool"] = pool.hex()
    forgery.prove_lots(
        maker, line, sorted(cup.lots_order), cup.lots_alpha(pool))
    return True


@attack("two-draws", "line [0-9]+ is not the one that --head names",
        changes=False, first=1)
def two_draws(maker, kind, members, rng):
    """Others are shown lots without one of the check-ins."""
    cup = maker.cup
    if '"kind":"checkin"' not in members.get("order", "") or (
        len(cup.checkins) + 1 < len(cup.may_check_in())
    ):
        return None
    maker.later(3 * DAY)
    maker.fault = (lambda *args: None, False, rng)
    maker.start()
    maker.label = len(maker.raw)
    return "cut"


# --- Pairings and standings ---


@attack("other-pairing", "events: not what the lines before and the rules give")
def other_pairing(maker, line, rng):
    """A friend is given a weaker opponent."""
    found = event(line, "pairing")
    if found is None or len(found["tables"]) < 2:
        return False
    one, two = found["tables"][:2]
    one[1], two[1] = two[1], one[1]
    return True


@attack("other-sides", "events: not what the lines before and the rules give", KNOCKOUT)
def other_sides(maker, line, rng):
    """A friend is given the better side."""
    found = event(line, "pairing")
    if found is None:
        return False
    found["tables"][0].reverse()
    return True


@attack("other-standings", "events: not what the lines before and the rules give")
def other_standings(maker, line, rng):
    """Somebody else has won."""
    found = event(line, "standings")
    if found is None:
        return False
    rows = found["rows"]
    rows[0][1], rows[1][1] = rows[1][1], rows[0][1]
    return True


# --- Games and results ---


@attack("other-result", "data: not what the game came to")
def other_result(maker, line, rng):
    """The loser has won."""
    if line.get("what") != "result" or line["data"]["result"] not in "12":
        return False
    line["data"]["result"] = str(3 - int(line["data"]["result"]))
    line["data"]["bp"] = -line["data"]["bp"]
    return True


@attack("other-points", "data: not what the game came to")
def other_points(maker, line, rng):
    """A win was higher than it was."""
    if line.get("what") != "result" or line["data"]["result"] not in "12":
        return False
    line["data"]["bp"] += 1
    return True


@attack("leave-out-a-result",
        "data.game: the game is over, and its result is missing"
        "(: is the tournament's file from before that\\?)?",
        changes=False)
def leave_out_a_result(maker, kind, members, rng):
    """A game that a friend has lost is not told."""
    return forgery.missing(maker, kind, members, rng)


@attack("hold-back-a-result",
        "events: the game is over, and its result is missing",
        changes=False, first=11)
def hold_back_a_result(maker, kind, members, rng):
    """A friend has lost: nobody tells it, and their time is claimed."""
    return forgery.hidden(maker, kind, members, rng)


@attack("claim-an-earlier-line",
        "events: not the last line that the game had then",
        {**SWISS, "late": "lose"}, first=19)
def claim_an_earlier_line(maker, line, rng):
    """A game is claimed as it stood before a friend's bad turn."""
    found = event(line, "result")
    if '"kind":"claim"' not in line.get("order", "") or found is None or (
        "game" not in found or found["how"] != "late"
        or found["result"] != "--"
    ):
        return False
    lines = maker.files[found["game"]].split(b"\n")
    if not maker.cup.track(found["game"]).states[-2].played:
        return False
    found["seq"] -= 1
    found["line"] = crypto.sha256(lines[found["seq"]]).hex()
    return True


@attack("second-game", "order.args.leg: this leg has a game: join it",
        changes=False)
def second_game(maker, kind, members, rng):
    """A table has another game, before a friend loses the first."""
    if members.get("what") != "result":
        return None
    game = maker.games[members["data"]["game"]]
    game.raw.pop()  # it has not ended yet
    game.hashes.pop()
    maker.files[game.game.hex()] = game.file()
    return forgery.forged_game(
        maker, rng, maker.cup.find_leg(members["data"]), {})


@attack("game-on-other-terms", "order.args.confirm: not what the tournament "
        "has for this game", changes=False)
def game_on_other_terms(maker, kind, members, rng):
    """A friend's game is played by other terms."""
    leg_of = forgery.opening(maker, members)
    if leg_of is None:
        return None
    return forgery.forged_game(maker, rng, leg_of, {"confirm": True})


@attack("game-of-another-pairing", "order.args.paired: not the line of the "
        "pairing that holds for the round", changes=False)
def game_of_another_pairing(maker, kind, members, rng):
    """A game that was played before is passed off as this round's."""
    leg_of = forgery.opening(maker, members)
    if leg_of is None:
        return None
    return forgery.forged_game(
        maker, rng, leg_of, {"paired": leg_of[0].seq - 1})


@attack("record-of-another-game", "data.game: its line 1 is bad: it is another "
        "game", changes=False)
def record_of_another_game(maker, kind, members, rng):
    """Under the name of a game lies another's record."""
    if members.get("what") != "game":
        return None
    name = members["data"]["game"]
    data = maker.files.pop(name)
    other = crypto.sha256(b"another game").hex()
    maker.files[other] = data
    return {"what": "game", "data": {**members["data"], "game": other},
            "events": []}


@attack("sit-in-their-place", "data.game: somebody joined it who is not of its "
        "table, .*", changes=False)
def sit_in_their_place(maker, kind, members, rng):
    """A master plays a friend's game."""
    if members.get("what") != "game":
        return None
    game = maker.games[members["data"]["game"]]
    seat, master = 3 - game.joined[0], Person("master")
    game.players[seat] = {
        "ed": master.ed, "dice": master.dice, "account": "master"}
    game.join(seat)
    maker.files[game.game.hex()] = game.file()
    maker.at = max(maker.at, game.at)
    return {"what": "game", "data": members["data"], "events": []}


# --- What directors do ---


PLAYS = {**SWISS, "plays": True}
OWN = "order.by: a director who plays leaves this to another"


def ruled(maker, kind, who, form, value):
    """A ruling in the place of the next order, once a round is paired."""
    if kind != "order" or value is None:
        return None
    line = maker.sign(who, "ruling", {
        "why": maker.text("a mere formality"), form: value})
    return {**line, "events": []}


@attack("points-for-oneself", OWN, PLAYS, changes=False)
def points_for_oneself(maker, kind, members, rng):
    """A director who plays gives themselves half points."""
    if not maker.cup.rounds:
        return None
    number = maker.cup.number_of["director"]
    return ruled(maker, kind, maker.director, "points",
                 {"entrant": number, "half": 2})


@attack("time-for-oneself", OWN, PLAYS, changes=False)
def time_for_oneself(maker, kind, members, rng):
    """A director who plays has more time for their table."""
    if not maker.cup.rounds:
        return None
    rnd = maker.cup.rounds[-1]
    table = rnd.table_of(maker.cup.number_of["director"])
    return None if table is None else ruled(
        maker, kind, maker.director, "extend", {
            "round": rnd.number, "table": table.number, "seconds": 3600})


@attack("pair-over-a-game", "order.args.pairs.round: a game of the round has "
        "begun", changes=False)
def pair_over_a_game(maker, kind, members, rng):
    """A director pairs anew what a friend is about to lose."""
    return forgery.overrun(maker, kind, members, rng)


@attack("change-the-terms", "order.tournament: not the tournament of the line",
        changes=False)
def change_the_terms(maker, kind, members, rng):
    """The terms have always been others."""
    if not maker.raw:
        return None
    cut = forgery.changed_terms(maker, {"late": "lose"}, True)
    del maker.raw[1:]
    return cut


@attack("rule-by-a-player", "order.by: only a director does: director, .*",
        changes=False)
def rule_by_a_player(maker, kind, members, rng):
    """Somebody who is no director favours a friend."""
    if not maker.cup.rounds:
        return None
    friend = next(n for n in maker.entrants
                  if n not in {1} | maker.cup.opponents(1))
    return ruled(maker, kind, maker.entrants[1], "points",
                 {"entrant": friend, "half": 2})


@attack("rule-unseen",
        "it is told: .*: player-1: [+]1 point, by director: a mere formality",
        changes=False)
def rule_unseen(maker, kind, members, rng):
    """A director favours somebody, and hopes that nobody sees it."""
    if not maker.cup.rounds:
        return None
    return ruled(maker, kind, maker.director, "points",
                 {"entrant": 1, "half": 2})


# --- Making them ---


def make(events, name, settings, changes, function, first):
    """A tournament with an attack: its maker."""
    for number in range(first, first + TRIES):
        player = Player("%s/%d" % (name, number), number % 2 == 0, **{
            **settings, "maker": forgery.Forger, "events": events})
        rng = forgery.random.Random(name)
        player.maker.fault = (function, changes, rng)
        player.maker.number = number
        try:
            player.play(4)
        except forgery.Done:
            return player.maker
    raise AssertionError("%s fits nowhere" % name)


def write_head(folder, name, number, seq, events):
    """What line seq would have been, had there been no attack."""
    player = Player("%s/%d" % (name, number), number % 2 == 0, **{
        **SWISS, "events": events})
    player.play(4)
    with open(folder + "/head", "w", encoding="utf-8") as f:
        f.write("%d:%s\n" % (seq, crypto.sha256(player.maker.raw[seq]).hex()))


def write_honest(folder, settings, events):
    """One without any attack."""
    player = Player("honest", True, **{**settings, "events": events})
    player.maker.label = 0
    player.play(4)
    forgery.write_folder(folder, player.maker)


def main(argv):
    """Make them."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--only")
    parser.add_argument("--umpire", required=True)
    parser.add_argument("folder")
    args = parser.parse_args(argv)
    events = UmpireEvents([args.umpire])
    for settings in (SWISS, KNOCKOUT):
        write_honest("%s/honest-%s" % (args.folder, settings["format"]),
                     settings, events)
    for name, words, *how in ATTACKS:
        if args.only in (None, name):
            maker = make(events, name, *how)
            folder = os.path.join(args.folder, name)
            forgery.write_folder(folder, maker)
            if name == "two-draws":
                write_head(folder, name, maker.number, len(maker.raw) - 1,
                           events)
            print("%s\t%s" % (name, words))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
