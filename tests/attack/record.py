#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Records by which somebody cheats who has all keys: the server's, the players'.

  record.py [--only NAME] --umpire PATH DIR

For each attack DIR/NAME.jsonl is the record, in which the attack is the last
line or ends there, and DIR/NAME.honest is the record before it; if it takes a
text that somebody holds to see it, DIR/NAME.opened has that. On standard
output is a line an attack: its name, a tab, and what verifying the record says
of it (a regular expression), or that a claim in it has no effect.

An attack is a function that plays a game: what comes before its `yield` is
honest, and what comes after it is the attack.
"""

import argparse
import hashlib
import json
import os
import sys

sys.path.insert(0, os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))

# pylint: disable=wrong-import-position
import record_crypto as crypto  # noqa: E402
from forge import (  # noqa: E402
    NotHere, UmpireEvents, dice_public, ed_expand, ed_sign, secret)
from record_form import compact  # noqa: E402
from forge_turns import SecretTurns, TurnsForge  # noqa: E402
from record_parts import WITNESS  # noqa: E402

LIVE = {"scheme": "live-1"}
HELD = {"secret": "held", "bag": 9}
MINUTE = 60000
HOUR = 60 * MINUTE
CLOCK = {"clock": {"per": "order", "first_s": 60, "then": "forfeit"}}
NOTICE = {"now": True, "clock": {
    "per": "order", "first_s": 60, "then": "forfeit", "notice_s": 3600}}
JUDGED = {"confirm": "facts", "options": {"director": True}}
SEEN = {**LIVE, "witness": True, "now": True}
SEEN_NOTICE = {**SEEN, **NOTICE}
SILENCE = 600 * 1000
SEEDS = 40
ATTACKS = []


def attack(name, words, settings=None, made=TurnsForge):
    """Enter an attack under its name, with what stops it."""
    def enter(play):
        ATTACKS.append((name, words, settings or {}, made, play))
        return play

    return enter


def put(name, value):
    """Make a change that sets a member."""
    return lambda members: members.update({name: value})


def mark_again(f, line):
    """Append a line with the mark that it would have there."""
    line.update(seq=f.seq(), prev=f.hashes[-1])
    line.pop("mark")
    body = compact(line).encode()[:-1]
    mark = ed_sign(f.server, crypto.tag("mark/1") + crypto.sha256(body))
    f.raw.append(body + b',"mark":"%s"}' % mark.hex().encode())
    f.hashes.append(hashlib.sha256(f.raw[-1]).hexdigest())


# --- The operator writes what pleases ---


@attack("other-dice", 'dice: the roll "free" is not what its proof gives')
def other_dice(f):
    """The line has better dice than the proof gives."""
    f.begin()
    yield
    f.next_line(lambda line: line["dice"]["rolls"][0].update(dice=[20, 20]))
    f.roll_free()


@attack("other-server-proof",
        "dice.proof: the server's proof does not hold for this place .*")
def other_server_proof(f):
    """The server proves with another key than the one in the record."""
    f.begin()
    yield
    f.server_dice = secret("another server dice")
    f.roll_free()


@attack("other-events", "events: not what the orders and the rules give")
def other_events(f):
    """The dice are right, and the outcome is not."""
    f.begin()
    yield
    f.next_line(lambda line: line["events"].pop())
    f.declare(f.plain())


@attack("other-pool", "pool: not the pool that these orders make")
def other_pool(f):
    """The operator moves the pool to one whose dice please."""
    f.begin()
    yield
    f.next_line(put("pool", crypto.sha256(b"chosen").hex()))
    f.end_turn()


@attack("time-goes-back", "at: earlier than the line before")
def time_goes_back(f):
    """A line is dated before the last one."""
    f.begin()
    yield
    f.wait(-1)
    f.put(1, "chat", {"ref": f.text("earlier")})


@attack("mark-of-another", "mark: not signed by the server's identity key")
def mark_of_another(f):
    """Somebody goes on with a record whose server they are not."""
    f.begin()
    yield
    f.next_server(secret("another"))
    f.end_turn()


@attack("other-words", "text: the hash is not the value's")
def other_words(f):
    """What somebody said is put in other words, beside the chain."""
    f.begin()
    ref = f.text("my guns hold fire")
    f.put(1, "chat", {"ref": ref})
    yield
    f.texts[ref] = (f.texts[ref][0], "my guns fire")


@attack("drop-a-line", "order.head: not the hash of line [0-9]+")
def drop_a_line(f):
    """A line that an order was signed upon is left out."""
    f.begin()
    yield
    f.next_order(put("head", crypto.sha256(b"what was there").hex()))
    f.end_turn()


@attack("sign-for-a-player", "sig: the order is not signed by the line's key")
def sign_for_a_player(f):
    """The operator resigns for somebody, with a signature of their own."""
    f.begin()
    yield
    own = f.players[2]["ed"]
    f.players[2]["ed"] = f.server
    f.next_line(put("key", ed_expand(own)[2].hex()))
    f.put(2, "resign")


@attack("seat-for-a-key", "order.seat: the key does not belong to seat 2")
def seat_for_a_key(f):
    """The operator's own key signs for somebody's seat."""
    f.begin()
    yield
    f.players[2]["ed"] = f.server
    f.put(2, "resign")


@attack("key-of-small-order", "sig: the order is not signed by the line's key")
def key_of_small_order(f):
    """A key by which one signature fits every order there is."""
    f.create()
    yield
    key = (1).to_bytes(32, "little")
    sig = crypto.ed_base_encoded(7) + (7).to_bytes(32, "little")
    f.next_order(lambda o: o["args"].update(key=key.hex()))
    f.next_line(lambda line: line.update(key=key.hex(), sig=sig.hex()))
    f.join(2)


@attack("order-kept-back",
        "order.after: the game has moved on since line [0-9]+")
def order_kept_back(f):
    """The server keeps an order back, and records it when it hurts."""
    f.begin()
    since, head = f.seq() - 1, f.hashes[-1]
    f.end_turn()
    yield
    f.next_order(lambda o: o.update(after=since, head=head))
    f.put(1, "resign")


@attack("order-of-another-game", "order.game: not the game of the line")
def order_of_another_game(f):
    """An order that was signed for another game."""
    f.begin()
    yield
    f.next_order(put("game", crypto.sha256(b"another game").hex()))
    f.put(2, "resign")


@attack("order-of-another-server", "order.server: not the server of this record")
def order_of_another_server(f):
    """An order that was signed for another server."""
    f.begin()
    yield
    f.next_order(put("server", ed_expand(secret("another"))[2].hex()))
    f.put(2, "resign")


@attack("order-twice", "the order stands in the record already")
def order_twice(f):
    """The bytes of an order are recorded once more."""
    f.begin()
    f.put(1, "chat", {"ref": f.text("twice")})
    yield
    line = json.loads(f.raw[-1])
    f.write("order", {k: line[k] for k in (
        "seat", "key", "order", "sig", "events")})


# --- A player chooses among dice ---


@attack("place-ahead",
        'order.place: the record now calls for the place "f/1/1"')
def place_ahead(f):
    """A player rolls for the fifth place first: its dice are better."""
    f.begin()
    yield
    f.frees[1] = 4
    f.roll_free()


@attack("proof-of-another-key",
        "order.own: the proof does not hold for this place and dice key")
def proof_of_another_key(f):
    """A player has many dice keys, and picks one by its dice."""
    f.begin()
    yield
    f.players[1]["dice"] = secret("one of many")
    f.roll_free()


@attack("proof-of-another-pool",
        "order.own: the proof does not hold for this place and dice key")
def proof_of_another_pool(f):
    """A proof of an earlier pool is kept for a better moment."""
    f.begin()
    f.end_turn()
    f.end_turn()
    yield
    own, pool = f.own, f.pool

    def earlier(*args):
        f.pool = crypto.sha256(b"an earlier pool")
        made = own(*args)
        f.pool = pool
        return made

    f.own = earlier
    f.roll_free()


@attack("negated-proof",
        "order.own: the proof does not hold for this place and dice key")
def negated_proof(f):
    """One proof, written in another way, is to give other dice."""
    f.begin()
    yield
    own = f.own

    def other(*args):
        proof, _ = own(*args)
        proof = bytes((proof[0] ^ 1,)) + proof[1:]
        return proof, crypto.sha256(
            crypto.SUITE, b"\x03", proof[:33], b"\0")

    f.own = other
    f.roll_free()


@attack("proof-plus-q",
        "order.own: the proof does not hold for this place and dice key")
def proof_plus_q(f):
    """The same in another way: its last number is larger by the order.

    Both fit into 32 bytes if the number is small, which who chooses their dice
    key and the proof's nonce can arrange.
    """
    x = 7
    f.players[1]["dice"] = x.to_bytes(32, "big")
    f.begin()
    yield
    own, key = f.own, dice_public(f.players[1]["dice"])

    def other(seat, place):
        proof, beta = own(seat, place)
        h = crypto.vrf_encode_to_curve(key, crypto.tag("own/1") +
                                       crypto.base_of(f.game, f.pool, place))
        c = crypto.vrf_challenge(key, (
            h, crypto.p256_decode(proof[:33]), crypto.p256_base_times(1), h))
        s = 1 + int.from_bytes(c, "big") * x + crypto.Q
        return proof[:33] + c + s.to_bytes(32, "big"), beta

    f.own = other
    f.roll_free()


@attack("dice-key-off-the-curve", "args.dice_key: not a point on P-256")
def dice_key_off_the_curve(f):
    """A dice key that is none, of which nobody knows what it would prove."""
    f.create()
    yield
    key = next(k for k in (b"\2" + x.to_bytes(32, "big") for x in range(99))
               if crypto.p256_decode(k) is None)
    f.next_order(lambda o: o["args"].update(dice_key=key.hex()))
    f.join(2)


@attack("nonce-twice", "the seat has used this nonce before")
def nonce_twice(f):
    """A second order is passed off as the first one, sent again."""
    f.begin()
    f.put(1, "chat", {"ref": f.text("once")})
    nonce = json.loads(json.loads(f.raw[-1])["order"])["nonce"]
    yield
    f.next_order(put("nonce", nonce))
    f.put(1, "chat", {"ref": f.text("twice")})


@attack("out-of-turn", "order.seat: it is the other side's turn")
def out_of_turn(f):
    """The other side rolls while it waits."""
    f.begin()
    yield
    f.roll_free(2)


@attack("both-seats", "args.key: the key or dice key already sits in seat 1")
def both_seats(f):
    """One person sits on both sides, and knows all there is."""
    f.create()
    yield
    f.players[2]["dice"] = f.players[1]["dice"]
    f.join(2)


@attack("third-dice-key",
        "seat 1 has given 2 dice keys in this turn, and gives no third")
def third_dice_key(f):
    """A player tries one dice key after the other."""
    f.begin()
    f.dice_key(1, "first")
    f.dice_key(1, "second")
    yield
    f.dice_key(1, "third")


@attack("dice-key-of-before",
        "args.dice_key: this is or was a dice key in this game")
def dice_key_of_before(f):
    """A player has the pool move, and changes nothing."""
    f.begin()
    yield
    key = dice_public(f.players[1]["dice"]).hex()
    f.next_order(lambda o: o["args"].update(dice_key=key))
    f.dice_key(1)


@attack("no-round-after-a-key",
        "the game waits until all players are ready", LIVE)
def no_round_after_a_key(f):
    """With a new dice key a player goes on before the others gave theirs."""
    f.begin()
    f.dice_key(1)
    f.end_turn()
    yield
    f.end_turn()


@attack("foresee",
        "dice.proof: the server's proof does not hold for this place .*", LIVE)
def foresee(f):
    """The operator and who rolls work out dice without the other side."""
    f.begin()
    f.roll_free()
    yield
    dice = f.dice_from
    f.dice_from = lambda seat, place, _other=None: dice(seat, place)
    f.agree()


@attack("agree-for-the-other",
        "args.to: no answer to this line is awaited from this seat", LIVE)
def agree_for_the_other(f):
    """Who rolls gives the other side's part, too."""
    f.begin()
    f.roll_free()
    yield
    f.owed["seat"] = 1
    f.agree()


@attack("other-of-another-key",
        "order.other: the proof does not hold for this place and dice key", LIVE)
def other_of_another_key(f):
    """Who answers picks their part by the dice."""
    f.begin()
    f.roll_free()
    yield
    f.players[2]["dice"] = secret("one of many")
    f.agree()


@attack("answer-a-proof-of-own",
        "order.other: the proof does not hold for this place and dice key", LIVE)
def answer_a_proof_of_own(f):
    """A proof that serves as one's own serves as the other's."""
    f.begin()
    f.roll_free()
    yield
    own = f.own
    f.own = lambda seat, place, _tag="own/1": own(seat, place)
    f.agree()


@attack("second-contribution",
        "args.to: no answer to this line is awaited from this seat", LIVE)
def second_contribution(f):
    """Who has answered answers once more, now that they know the dice."""
    f.begin()
    f.roll_free()
    owed = f.owed
    f.agree()
    yield
    f.owed = owed
    f.agree()


@attack("answer-unseen",
        "order.after: below args.to: an answer is signed upon the line that it "
        "answers, or a later one", {**LIVE, "now": True})
def answer_unseen(f):
    """Who answers has signed so beforehand, whatever it may be."""
    f.begin()
    to, head = f.seq() - 1, f.hashes[-1]
    f.roll_free()
    yield
    f.next_order(lambda o: o.update(after=to, head=head))
    f.agree()


@attack("agree-with-a-reason", "args.why: only an objection says why", LIVE)
def agree_with_a_reason(f):
    """Who answers agrees, and says why not: it can be told either way."""
    f.begin()
    f.roll_free()
    yield
    f.next_order(lambda o: o["args"].update(why=f.text("not so")))
    f.agree()


@attack("declare-without-asking",
        "dice: there, and nothing calls for it", {"confirm": True})
def declare_without_asking(f):
    """Dice fall for facts that the other side has not agreed to."""
    f.begin()
    yield
    f.settings = {**f.settings, "confirm": False}
    f.declare(f.plain())


@attack("decide-without-asking", "owes: missing", {"confirm": "facts"})
def decide_without_asking(f):
    """Who has a unit in danger says alone that its way out is free."""
    f.begin()
    f.declare(f.plain())
    f.agree()
    if f.combat is None or f.combat["ask"]["kind"] != "stagger":
        raise NotHere
    yield
    f.is_fact = lambda kind: False
    f.choose_decision()


# --- Dice from three hands: a witness ---


@attack("dice-without-the-witness",
        "dice: there, and nothing calls for it", SEEN)
def dice_without_the_witness(f):
    """The operator and who rolls do without the third hand."""
    f.begin()
    yield
    f.scheme = "dual-1"
    f.roll_free()


@attack("foresee-with-a-witness",
        "dice.proof: the server's proof does not hold for this place .*", SEEN)
def foresee_with_a_witness(f):
    """An operator who plays works out dice before the witness answers."""
    f.begin()
    f.roll_free()
    yield
    dice = f.dice_from
    f.dice_from = lambda seat, place, _other=None: dice(seat, place)
    f.agree()


@attack("witness-in-another-place",
        "args.key: seat 254 is joined with the key that the game names "
        "for its witness, and no other", SEEN)
def witness_in_another_place(f):
    """The operator seats a witness of their own."""
    f.create()
    f.join(2)
    yield
    f.players[WITNESS]["ed"] = secret("a friend of the operator")
    f.join(WITNESS)


@attack("exchange-the-witness", "data.seat: nobody else becomes the witness",
        SEEN)
def exchange_the_witness(f):
    """Operator and players put another witness in its place."""
    f.begin()
    yield
    to = f.operator_key(WITNESS)
    f.accept(1, to)
    f.accept_newcomer(2, to, WITNESS)


@attack("witness-of-the-operator",
        "order.other: the proof does not hold for this place and dice key",
        SEEN)
def witness_of_the_operator(f):
    """A witness that is the operator's picks its part by the dice."""
    f.begin()
    f.roll_free()
    yield
    f.players[WITNESS]["dice"] = secret("one of many")
    f.agree()


@attack("witness-answers-twice",
        "args.to: no answer to this line is awaited from this seat", SEEN)
def witness_answers_twice(f):
    """A witness gives a second word for one roll."""
    f.begin()
    f.roll_free()
    owed = f.owed
    f.agree()
    yield
    f.owed = owed
    f.agree()


@attack("witness-objects",
        'args.say: nothing is left to agree: answer "agree"', SEEN)
def witness_objects(f):
    """A witness prevents dice that displease."""
    f.begin()
    to = f.roll_free()
    yield
    f.put(WITNESS, "answer", {"to": to, "say": "object"})


@attack("witness-after-its-silence",
        "args.to: no answer to this line is awaited from this seat", SEEN)
def witness_after_its_silence(f):
    """A witness is silent, and speaks when it pleases."""
    f.begin()
    f.roll_free()
    f.wait(SILENCE)
    f.silenced(2)
    yield
    f.agree(WITNESS)


@attack("silence-too-soon", "the claim has no effect", SEEN)
def silence_too_soon(f):
    """A player claims a silence that is none, to answer in its stead."""
    f.begin()
    f.roll_free()
    f.wait(SILENCE - 1)
    yield
    f.silence(2)


@attack("silence-by-one-clock", "the claim has no effect", SEEN)
def silence_by_one_clock(f):
    """The server's clock leaps to where the witness would be silent."""
    f.begin()
    f.roll_free()
    f.wait(SILENCE)
    f.skew.update({2: -SILENCE})
    yield
    f.silence(2)


@attack("object-after-silence",
        'args.say: nothing is left to agree: answer "agree"', SEEN)
def object_after_silence(f):
    """Who answers in the witness's stead prevents the dice."""
    f.begin()
    f.roll_free()
    f.wait(SILENCE)
    f.silenced(2)
    yield
    f.object()


@attack("claim-without-the-witness", "the claim has no effect", SEEN_NOTICE)
def claim_without_the_witness(f):
    """Operator and claimant let time leap over both lines of a claim."""
    f.begin()
    f.wait(MINUTE)
    to = f.put(2, "claim")
    f.wait(24 * HOUR)
    yield
    f.put(2, "claim", {"to": to})


# --- Secret choices ---


@attack("other-card",
        "opened[[]0]: this is not the choice that was committed", HELD, SecretTurns)
def other_card(f):
    """The operator opens another card than was chosen."""
    f.begin()
    f.declare(f.facts())
    if f.combat is None or f.combat["ask"]["kind"] != "tactic":
        raise NotHere
    f.commit(1)
    yield
    choice = f.combat["choices"][1]
    mine = choice["decision"]["tactic"]
    others = [c for c in f.combat["ask"]["options"]["tactic"]["one"]
              if c != mine]
    choice["decision"] = {"kind": "tactic", "tactic": others[0]}
    choice["text"] = compact(choice["decision"])
    f.commit(2)


@attack("commitment-twice",
        "args.commit: seat 2 has used this commitment before")
def commitment_twice(f):
    """What was committed to before is committed to once more."""
    f.begin()
    f.standing(2, "retire", "all")
    commit = json.loads(json.loads(f.raw[-1])["order"])["args"]["commit"]
    yield
    f.next_order(lambda o: o["args"].update(commit=commit))
    f.standing(2, "retire", "all")


@attack("pass-over-a-standing-order",
        "opened: a standing order was passed over: that of line [0-9]+")
def pass_over_a_standing_order(f):
    """The server forgets a standing order while it would have acted."""
    f.begin()
    f.standing(2, "retire", "all")
    f.standings[-1]["dumb"] = True
    f.declare(f.guns())
    if f.combat is None or f.combat["ask"]["kind"] != "retire":
        raise NotHere
    f.choose_decision({"kind": "retire", "units": []})
    f.finish()
    yield
    f.close()


@attack("pass-over-in-an-open-game",
        "opened: a standing order was passed over: that of line [0-9]+")
def pass_over_in_an_open_game(f):
    """The same, in a game that nobody closes: its owner shows the text."""
    f.begin()
    f.standing(2, "retire", "all")
    f.shown = [{k: f.standings[-1][k] for k in ("seq", "salt", "text")}]
    f.standings[-1]["dumb"] = True
    yield
    f.declare(f.guns())
    if f.combat is None or f.combat["ask"]["kind"] != "retire":
        raise NotHere
    f.choose_decision({"kind": "retire", "units": []})


# --- Clocks ---


@attack("claim-too-soon",
        "the claim has no effect", CLOCK)
def claim_too_soon(f):
    """A claim takes effect before the time is over."""
    f.begin()
    f.wait(MINUTE - 1)
    yield
    f.put(2, "claim")


@attack("claim-in-one-line",
        "the claim has no effect", NOTICE)
def claim_in_one_line(f):
    """One leap of the server's clock is to lose a game."""
    f.begin()
    yield
    f.wait(24 * HOUR)
    f.put(2, "claim")


@attack("claim-by-one-clock", "the claim has no effect", NOTICE)
def claim_by_one_clock(f):
    """The server's clock leaps before each of a claim's two lines."""
    f.begin()
    f.wait(MINUTE)
    to = f.put(2, "claim")
    f.wait(2 * HOUR)
    f.skew.update({2: MINUTE - 2 * HOUR})
    yield
    f.put(2, "claim", {"to": to})


@attack("claim-after-a-move", "args.to: line [0-9]+ is no notice .*", NOTICE)
def claim_after_a_move(f):
    """A notice is kept for later, though the other side has moved."""
    f.begin()
    f.wait(MINUTE)
    to = f.put(2, "claim")
    f.end_turn()
    f.end_turn()
    f.wait(24 * HOUR)
    yield
    f.put(2, "claim", {"to": to})


@attack("rewritten-times", "order.head: not the hash of line [0-9]+", NOTICE)
def rewritten_times(f):
    """Afterwards the operator dates a line earlier, so that time is over."""
    f.begin()
    since = f.seq() - 1
    f.end_turn()
    yield
    lines = [json.loads(raw) for raw in f.raw[since:]]
    del f.raw[since:], f.hashes[since:]
    lines[0]["at"] = json.loads(f.raw[-1])["at"]
    for line in lines:
        mark_again(f, line)


# --- Alone ---


@attack("takeback-alone",
        "order.seat: line 5 waits for a seat of the other side")
def takeback_alone(f):
    """Who offers to take back accepts it, and rolls anew."""
    f.begin()
    since = f.roll_free()
    to = f.put(1, "offer", {"what": "takeback", "from": since})
    yield
    f.accept_back(1, to, since)


@attack("pool-stays-after-a-takeback",
        "pool: not the pool that these orders make")
def pool_stays_after_a_takeback(f):
    """A roll is taken back, and its dice are to be known."""
    f.begin()
    since = f.roll_free()
    to = f.put(1, "offer", {"what": "takeback", "from": since})
    yield
    f.next_line(put("pool", f.pool.hex()))
    f.accept_back(2, to, since)


@attack("change-alone",
        "order.seat: line 4 waits for a seat of the other side")
def change_alone(f):
    """Who proposes a change of the rosters accepts it."""
    f.begin()
    to = f.put(1, "propose", {
        "what": "adjust", "units": [{"id": "fr-a", "strength": 9}]})
    yield
    f.accept_adjust(1, to, [{"id": "fr-a", "strength": 9}])


@attack("go-on-after-the-end", "the game is closed; no line may follow")
def go_on_after_the_end(f):
    """Both have signed the result, and one goes on."""
    f.begin()
    f.put(1, "resign")
    f.close()
    yield
    f.put(1, "chat", {"ref": f.text("I won")})


# --- Keys ---


@attack("thief-after-drop",
        "order.seat: the key does not belong to seat 1")
def thief_after_drop(f):
    """A stolen key plays on after it was dropped."""
    f.begin()
    stolen = f.players[1]["ed"]
    f.statement(1, "add", ed_expand(secret("fresh"))[2].hex())
    f.statement(1, "drop", f.public(1), secret("fresh"))
    yield
    f.players[1]["ed"] = stolen
    f.put(1, "resign")


@attack("leave-out-a-statement", "statement.n: number 2 is due")
def leave_out_a_statement(f):
    """The server leaves out that a stolen key was dropped."""
    f.begin()
    fresh = secret("fresh")
    f.statement(1, "add", ed_expand(fresh)[2].hex())
    yield
    since = len(f.raw)
    f.statement(1, "drop", f.public(1), fresh)
    del f.raw[since:], f.hashes[since:]
    f.statement(1, "add", ed_expand(secret("another"))[2].hex(), fresh)


@attack("drop-the-last-key",
        "statement.do: the last key of an account is never dropped.*")
def drop_the_last_key(f):
    """A thief of the only key drops it: the owner can play no more."""
    f.begin()
    yield
    f.statement(1, "drop", f.public(1))


@attack("thief-recovers",
        "key: a reset is signed by the account's recovery key")
def thief_recovers(f):
    """A thief without the words resets the keys by the stolen one."""
    words = ed_expand(secret("the words"))[2].hex()
    f.next_order(lambda o: o["args"].update(recovery=words))
    f.begin()
    yield
    f.statement(1, "reset", ed_expand(secret("thief"))[2].hex())


@attack("thief-drops-the-owner",
        "order.seat: the key does not belong to seat 1")
def thief_drops_the_owner(f):
    """A thief drops the owner's key, and plays on after their recovery."""
    words, thief = secret("the words"), secret("thief")
    f.next_order(lambda o: o["args"].update(
        recovery=ed_expand(words)[2].hex()))
    f.begin()
    f.statement(1, "add", ed_expand(thief)[2].hex())
    f.statement(1, "drop", f.public(1), thief)
    f.statement(1, "reset", ed_expand(secret("fresh"))[2].hex(), words)
    yield
    f.players[1]["ed"] = thief
    f.put(1, "resign")


# --- Lost lines ---


@attack("dice-after-restored",
        "lines were lost: the game waits until all have accepted line 4")
def dice_after_restored(f):
    """After lines were lost a player rolls before the others have agreed."""
    f.begin()
    f.restored()
    yield
    f.roll_free()


@attack("pool-stays-after-restored", "pool: not the pool that these orders make")
def pool_stays_after_restored(f):
    """Lines were lost, and the dice that they told are to fall again."""
    f.begin()
    f.roll_free()
    yield
    f.next_whole(put("pool", f.pool.hex()))
    f.restored()


@attack("restored-by-one",
        "the record does not wait for a ready from seat 1")
def restored_by_one(f):
    """Of two players one has not accepted that lines were lost."""
    f.begin()
    to = f.restored()
    f.accept(1, to)
    yield
    f.send_ready(1)


# --- A seat for somebody else ---


@attack("seat-without-consent", "pool: not the pool that these orders make",
        {"options": {"director": True}})
def seat_without_consent(f):
    """The operator and one of the others seat whom they like."""
    f.begin()
    to = f.operator_key(2)
    yield
    f.accept_newcomer(1, to, 2)


@attack("seat-while-dice-are-owed",
        "line [0-9]+ waits for the answer of another seat first",
        LIVE)
def seat_while_dice_are_owed(f):
    """Who owes an answer has the pool move instead of giving it."""
    f.begin()
    f.roll_free()
    to = f.operator_key(1)
    yield
    f.accept_newcomer(2, to, 1)


# --- Objections ---


@attack("objections-without-end",
        "owes: not what the orders and the rules give", JUDGED)
def objections_without_end(f):
    """A side objects to the same facts a third time."""
    f.begin()
    for _ in range(2):
        f.declare(f.plain())
        f.object()
    yield
    f.objected.clear()
    f.declare(f.plain())
    f.object()


def forged(play, made, settings, events):
    """Play an attack.

    Return the honest record, that with the attack, and what those show whom it
    hurts.
    """
    for seed in range(SEEDS):
        f = made("attack %d" % seed, events, settings)
        try:
            steps = play(f)
            next(steps)
            honest = f.file()
            for _ in steps:
                raise AssertionError("two yields")
            return honest, f.file(), getattr(f, "shown", [])
        except NotHere:
            continue
    raise AssertionError("%s comes nowhere" % play.__name__)


def main():
    """Write the records."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only")
    parser.add_argument("--umpire", required=True)
    parser.add_argument("dir")
    args = parser.parse_args()
    events = UmpireEvents([args.umpire])
    for name, words, settings, made, play in ATTACKS:
        if args.only not in (None, name):
            continue
        honest, whole, shown = forged(play, made, settings, events)
        if shown:
            path = os.path.join(args.dir, name + ".opened")
            with open(path, "w", encoding="utf-8") as f:
                f.writelines(compact(each) + "\n" for each in shown)
        for ending, data in (("honest", honest), ("jsonl", whole)):
            with open(os.path.join(args.dir, name + "." + ending), "wb") as f:
                f.write(data)
        print("%s\t%s" % (name, words))


if __name__ == "__main__":
    main()
