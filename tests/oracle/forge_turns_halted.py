# SPDX-License-Identifier: ISC
"""Games by turns in which the rules failed, and keys that were there before.

Lawful ones, and such with one fault, which the last line of each has:
umpire-record.7 S3, S4, S4.3, S6.5 and S6.7.
"""

from forge import dice_public, ed_expand, secret
from forge_turns_cases import CONFIRM, DAY, LIVE, MINUTE, case, clock
from forge_turns_faults import bad

MORE = secret("more")


def more_key():
    """A key that nobody has had."""
    return ed_expand(MORE)[2].hex()


# --- A game that is halted ---


def halted(f):
    """Begin, and let the rules fail in a line with dice."""
    f.begin()
    f.roll_free()
    f.put_server("fault", {"seq": f.seq() - 1, "text": "no such table"})


@case(status=2)
def fault_game(f):
    """Words, keys and the end may follow."""
    halted(f)
    f.put(1, "chat", {"ref": f.text("and now?")})
    f.statement(2, "add", more_key())
    f.put(1, "resign")
    f.close()


@case(status=2)
def fault_stopped_game(f):
    """Both stop without a result."""
    halted(f)
    f.close()


@case(status=2)
def fault_closed_game(f):
    """The operator ends it."""
    halted(f)
    f.put_server("closed", {"why": f.text("the rules failed")})


for name, settings, play in (
    ("declare", {}, lambda f: f.declare(f.plain())),
    ("free", {}, lambda f: f.roll_free()),
    ("turn_end", {}, lambda f: f.end_turn()),
    ("offer", {}, lambda f: f.put(1, "offer", {"what": "draw"})),
    ("dice_key", {}, lambda f: f.dice_key(1)),
    ("standing", {}, lambda f: f.standing(1, "reroll", "all")),
    ("resigns", {}, lambda f: (f.put(1, "resign"), f.put(2, "resign"))),
    ("claim", clock(), lambda f: (f.wait(DAY), f.put(2, "claim"))),
    ("holiday", clock(holidays=1), lambda f: f.put(
        1, "pause", {"do": "holiday", "days": 1})),
    ("restored", {}, lambda f: f.restored()),
    ("again", {}, lambda f: f.put_server(
        "fault", {"seq": f.seq() - 1, "text": "again"})),
):
    def play_halted(f, play=play):
        halted(f)
        play(f)

    play_halted.__name__ = "fault_then_" + name
    bad(settings)(play_halted)

for name, data in {
    "seq": {"seq": 1, "text": "x"},
    "itself": {"seq": 5, "text": "x"},
    "no_text": {"seq": 4},
    "text": {"seq": 4, "text": 1},
    "more": {"seq": 4, "text": "x", "why": "ab" * 32},
    "order": {"text": "x", "seq": 4},
}.items():
    def play_fault(f, data=data):
        f.begin()
        f.roll_free()
        f.put_server("fault", data)

    play_fault.__name__ = "fault_" + name
    bad()(play_fault)


@case({**LIVE, "options": {"director": True}}, status=2)
def fault_owed_game(f):
    """An answer is owed no more."""
    f.begin()
    f.roll_free()
    f.agree()
    f.put_server("fault", {"seq": f.seq() - 1, "text": "x"})
    f.put(2, "resign")


# --- Keys that were there before ---


@case()
def key_of_server_joins_game(f):
    """A dice key may be the server's from the start."""
    f.create()
    f.players[2]["dice"] = f.server_dice
    f.join(2)
    f.start()
    f.end_turn()
    f.close()


@case()
def key_left_joins_game(f):
    """A joiner may have a dice key that another seat had before."""
    f.create()
    f.dice_key(1)
    f.players[2]["dice"] = secret("dice 1")
    f.join(2)
    f.start()
    f.end_turn()
    f.close()


def refused(f):
    """Refuse a joiner, and seat another one."""
    f.create()
    f.put(1, "note", {"to": f.join(2), "say": "refuse"})
    f.statements[2] = []
    f.players[2] = {"ed": secret("other 2"), "dice": secret("other dice 2"),
                    "account": "other-2"}


@case()
def key_of_refused_joins_game(f):
    """Who comes after one who was refused may have their keys."""
    refused(f)
    f.players[2].update(ed=secret("player 2"), dice=secret("dice 2"))
    f.join(2)
    f.start()
    f.end_turn()
    f.close()


@case()
def key_two_after_refused_game(f):
    """And give two dice keys in the turn in which they gave two."""
    f.create()
    to = f.join(2)
    f.dice_key(2, "a")
    f.dice_key(2, "b")
    f.put(1, "note", {"to": to, "say": "refuse"})
    f.players[2] = {"ed": secret("other 2"), "dice": secret("other dice 2"),
                    "account": "other-2"}
    f.join(2)
    f.dice_key(2, "c")
    f.dice_key(2, "d")
    f.start()
    f.end_turn()
    f.close()


@case()
def key_of_refused_added_game(f):
    """A statement may add a key that a joiner had who was refused."""
    refused(f)
    f.join(2)
    f.statement(1, "add", ed_expand(secret("player 2"))[2].hex())
    f.start()
    f.end_turn()
    f.close()


@bad()
def dice_key_of_refused(f):
    """A dice key of theirs is none of the new ones."""
    refused(f)
    f.join(2)
    f.next_order(lambda o: o["args"].update(
        dice_key=dice_public(secret("dice 2")).hex()))
    f.dice_key(1)


@case(status=2)
def statement_does_more(f):
    """What an unknown statement does with its key is not judged."""
    f.begin()
    f.statement(1, "swap", "no key at all")


@bad(bare=1)
def statement_does_more_bad_now(f):
    """But the forms of its other members are."""
    f.begin()
    f.statement(1, "swap", more_key(), now="yesterday")


@bad(bare=1)
def statement_does_number(f):
    """And what it does is a text."""
    f.begin()
    f.statement(1, 1, more_key())


# --- Lost lines ---


@case()
def restored_key_at_once_game(f):
    """A dice key before the last accept counts at once."""
    f.begin()
    to = f.restored()
    f.accept(1, to)
    f.dice_key(1)
    f.dice_key(2)
    f.accept(2, to)
    f.all_ready()
    f.roll_free()
    f.close()


@bad()
def restored_key_waits(f):
    """It does not wait for the end of the turn."""
    f.begin()
    f.accept(1, f.restored())
    f.due = False
    f.dice_key(1)


@case()
def restored_forgets_key_game(f):
    """A key that waits is forgotten where a newer one counts at once."""
    f.begin()
    f.dice_key(1, "a")
    to = f.restored()
    f.dice_key(1, "b")
    f.accept_restored(to)
    f.all_ready()
    f.end_turn()
    f.roll_free()
    f.close()


@bad()
def restored_opens_withdrawn(f):
    """A standing order that its owner had withdrawn is not opened either."""
    f.begin()
    f.standing(1, "reroll", "all")
    lost = f.told(f.standings[0])
    f.withdraw(1, f.standings[0]["seq"])
    f.accept_restored(f.restored())
    f.put(1, "close")
    f.put(2, "close", opened=[lost])


@case(clock(per="side", add_s=30))
def restored_bank_game(f):
    """Lost lines add nothing to a bank; the time before is not counted."""
    f.begin()
    f.wait(59000)
    f.accept_restored(f.restored())
    f.all_ready()
    f.wait(58999)
    f.put(2, "claim")
    f.put(2, "claim")
    f.close()


@case({**clock(notice_s=3600), "now": True})
def restored_notice_game(f):
    """A notice ends with lost lines, as with any move."""
    f.begin()
    f.wait(MINUTE)
    f.put(2, "claim")
    f.accept_restored(f.restored())
    f.all_ready()
    f.wait(MINUTE)
    to = f.put(2, "claim")
    f.wait(3600 * 1000)
    f.put(2, "claim", {"to": to})
    f.close()


@bad({**clock(notice_s=3600), "now": True})
def restored_old_notice(f):
    """The second line names no notice from before."""
    f.begin()
    f.wait(MINUTE)
    to = f.put(2, "claim")
    f.accept_restored(f.restored())
    f.all_ready()
    f.wait(3600 * 1000 + MINUTE)
    f.put(2, "claim", {"to": to})


@case(CONFIRM)
def restored_not_counted_game(f):
    """What waits is void, without an objection."""
    f.begin()
    f.declare(f.plain())
    f.accept_restored(f.restored())
    f.all_ready()
    f.declare(f.plain())
    f.finish()
    f.close()
