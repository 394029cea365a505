# SPDX-License-Identifier: ISC
"""Faults for forged_records.py: of secret choices, upkeep and chits.

Games of imagi-nations by forge_secret.py, their choices held or sealed.
S-numbers are those of umpire-record.7.
"""

import copy
import json

import record_crypto as crypto
import record_form as form
from forge import NotHere, beta_of, vrf_prove
from forge_faults import EITHER, add, at, drop, put, with_member

HELD = {"secret": "held", "bag": 9}
SEALED = {"secret": "sealed", "bag": 9}
BOTH = {"held": HELD, "sealed": SEALED}


# --- Where faults fit ---


def committed(forge):
    """How many of the two commits are in."""
    return len(forge.combat["choices"]) if forge.combat else 0


def first_commit(forge, kind):
    """Fit the first of two commits."""
    return kind == "commit" and committed(forge) == 0


def second_commit(forge, kind):
    """Fit the second of two commits."""
    return kind == "commit" and committed(forge) == 1


def opened(forge):
    """How many of the two choices are opened."""
    return sum("opened" in c for c in forge.combat["choices"].values())


def first_open(forge, kind):
    """Fit the first of two opens."""
    return kind == "open" and opened(forge) == 0


def second_open(forge, kind):
    """Fit the second of two opens."""
    return kind == "open" and opened(forge) == 1


def of(role, when):
    """Fit lines of the attacker's seat or of the defender's."""

    def fits(forge, kind):
        if not when(forge, kind):
            return False
        return (forge.next_seat == forge.attacker()) == (role == "attacker")

    return fits


def secret_add(name, when, *args, games=BOTH, **kwargs):
    """Enter a fault for games of held choices, of sealed ones, or both."""
    for kind, settings in games.items():
        add("%s_%s" % (kind, name), when, *args, settings=settings, **kwargs)


ONE = {"held": HELD}
SHUT = {"sealed": SEALED}


def enter_commit_faults():
    """Faults of the commit order (S3, S5, S8)."""
    commit = at("commit")
    attacker, defender = of("attacker", commit), of("defender", commit)

    def place_of(change):
        def stage(forge, order):
            parts = order["place"].split("/")
            change(parts)
            order["place"] = "/".join(parts)
            if "own" in order:
                proof = forge.own(order["seat"], order["place"])[0]
                order["own"] = proof.hex()

        return stage

    def part(i, value):
        return place_of(lambda parts: parts.__setitem__(i, value(parts[i])))

    for role, when in (("attacker", attacker), ("defender", defender)):
        for name, stage in {
            "step": part(4, lambda p: str(int(p) + 1)),
            "k": part(3, lambda p: str(int(p) + 1)),
            "turn": part(1, lambda p: str(int(p) + 1)),
            "unit": part(2, lambda p: "zz"),
        }.items():
            secret_add("commit_place_%s_%s" % (name, role), when,
                       order=stage, games=ONE)
        secret_add("commit_place_missing_" + role, when,
                   order=drop("place"))
        secret_add("commit_other_" + role, when, games=ONE,
                   order=lambda f, o: o.update(other=f.own(
                       o["seat"], o["place"], "other/1")[0].hex()))
    secret_add("commit_own_missing", attacker, order=drop("own"))
    secret_add("commit_own_extra", defender, order=lambda f, o: o.update(
        own=f.own(o["seat"], o["place"])[0].hex()))
    secret_add("commit_own_of_defender", attacker,
               order=lambda f, o: o.update(
                   own=f.own(3 - o["seat"], o["place"])[0].hex()))
    secret_add("commit_own_tag", attacker, order=lambda f, o: o.update(
        own=f.own(o["seat"], o["place"], "other/1")[0].hex()))

    def ask(change):
        def stage(forge, order):
            order["args"]["ask"] = change(forge, order["args"]["ask"])

        return stage

    first = at("commit")
    secret_add("commit_ask_before", first, bare=EITHER,
               order=ask(lambda f, a: a - 1))
    secret_add("commit_ask_own_line", first, bare=EITHER,
               order=ask(lambda f, a: f.seq()))
    secret_add("commit_ask_first_commit", second_commit, bare=EITHER,
               games=ONE, order=ask(lambda f, a: a + 1))
    secret_add("commit_ask_text", first, order=ask(lambda f, a: str(a)),
               games=ONE)
    enter_commit_value_faults(first)


def enter_commit_value_faults(first):
    """Faults of the value that a commit has (S3, S8)."""
    secret_add("commit_short", first, games=ONE,
               order=put("args", "commit", "ab"))
    secret_add("commit_upper", first, games=ONE,
               order=put("args", "commit", "AB" * 32))
    secret_add("commit_without_ask", first, games=ONE,
               order=drop("args", "ask"))
    secret_add("commit_without_commit", first, games=ONE,
               order=drop("args", "commit"))
    secret_add("commit_with_salt", first, status=2, games=ONE,
               order=put("args", "salt", "ab" * 32))

    def repeat(forge, order):
        values = [
            json.loads(json.loads(raw)["order"]) for raw in forge.raw
            if b'commit' in raw and b'"kind":"order"' in raw
        ]
        values = [
            o["args"]["commit"] for o in values
            if o["kind"] == "commit" and o["seat"] == order["seat"]
        ]
        if not values:
            raise NotHere
        order["args"]["commit"] = values[0]

    secret_add("commit_repeated", first_commit, order=repeat)
    secret_add("commit_repeated_second", second_commit, games=SHUT,
               order=repeat)

    def mirror(forge, order):
        (choice,) = [
            c for s, c in forge.combat["choices"].items()
            if s != order["seat"]
        ]
        order["args"]["commit"] = choice["commit"]

    secret_add("good_commit_of_the_other_seat", second_commit, status=0,
               games=SHUT, order=mirror)

    enter_commit_order_faults(at("commit"))


def enter_commit_order_faults(commit):
    """Commits and other orders at a wrong time (S5, S8)."""

    def twice(forge):
        (seat,) = forge.combat["choices"]
        again(forge, seat)

    secret_add("commit_twice", second_commit, instead=twice)
    secret_add("commit_third", first_open, games=SHUT,
               instead=lambda f: again(f, f.next_seat))
    secret_add("commit_stale", first_commit, order=stale)
    secret_add("commit_stale_second", second_commit, order=lambda f, o: (
        saw(f, o, f.combat["ask"]["seq"] - 1)))
    secret_add("good_commit_not_stale", second_commit, status=0,
               order=lambda f, o: saw(f, o, f.combat["ask"]["seq"]))
    secret_add("decide_in_secret", commit, bare=EITHER, instead=decide_openly)
    secret_add("turn_end_in_secret", commit, bare=EITHER,
               instead=lambda f: plain(
                   f, f.side(), "turn.end", {}, "p/%d" % f.epoch))
    secret_add("upkeep_in_secret", second_commit, bare=EITHER, games=ONE,
               instead=lambda f: plain(
                   f, f.side(), "upkeep", {"unit": "pr-k", "do": "rest"},
                   "u/%d/pr-k/1" % f.turn))
    secret_add("close_stale_by_commit", second_commit, games=ONE,
               instead=lambda f: plain(
                   f, 1, "close", {}, after=f.last_state - 1))
    secret_add("commit_on_open_question", at("decide"),
               instead=commit_openly)
    secret_add("commit_when_none_is_asked", at("turn.end"), games=ONE,
               instead=lambda f: plain(
                   f, 1, "commit", {"ask": 4, "commit": "ab" * 32},
                   "c/1/pr-a/1/1"))
    for seat in (1, 2):
        add("lasalle_commit_%d" % seat, at("decide"), bare=EITHER,
            instead=lambda f, s=seat: commit_openly(f, s))
    add("lasalle_open", at("decide"), instead=lambda f: plain(
        f, f.asked_seat(), "open",
        {"ask": f.combat["ask"]["seq"], "salt": "ab" * 32, "text": "{}"},
        f.place()))
    add("lasalle_upkeep", at("turn.end"), bare=EITHER,
        instead=lambda f: plain(
            f, f.side(), "upkeep", {"unit": "fr-a", "do": "rest"},
            "u/%d/fr-a/1" % f.turn))


def plain(forge, seat, kind, args, place=None, after=None, own=True,
          **members):
    """Write the line of an order that saw everything."""
    if after is None:
        after = forge.seq() - 1
    line = forge.order(seat, kind, args, place, after=after, own=own)
    forge.write("order", {**line, **members, "events": []})


def again(forge, seat):
    """Commit to another choice."""
    args = {"ask": forge.combat["ask"]["seq"], "commit": "ab" * 32}
    plain(forge, seat, "commit", args, forge.place(),
          own=seat == forge.attacker())


def saw(forge, order, after):
    """Sign a former line."""
    order["after"] = after
    order["head"] = forge.hashes[after]


def stale(forge, order):
    """Sign the line before the last state line."""
    saw(forge, order, forge.before_commit - 1)


def decide_openly(forge):
    """Decide where a commit is owed."""
    seat = forge.next_seat
    tactic = "feint" if seat == forge.attacker() else "hold"
    args = {
        "ask": forge.combat["ask"]["seq"],
        "decision": {"kind": "tactic", "tactic": tactic},
    }
    plain(forge, seat, "decide", args, forge.place())


def commit_openly(forge, seat=None):
    """Commit where an open decision is owed."""
    seat = forge.asked_seat() if seat is None else seat
    args = {"ask": forge.combat["ask"]["seq"], "commit": "ab" * 32}
    plain(forge, seat, "commit", args, forge.place(),
          own=seat == forge.side())


def enter_opened_faults():
    """Faults of what is opened, in the line or by orders (S8)."""

    def changed(change):
        def stage(forge, line):
            line = copy.deepcopy(line)
            found = change(forge, line["opened"])
            if found is not None:
                line["opened"] = found
            return line

        return stage

    def swapped(forge, told):
        told[0]["salt"], told[1]["salt"] = told[1]["salt"], told[0]["salt"]

    def other_text(forge, told):
        text = json.loads(told[0]["text"])
        text["tactic"] = {
            "feint": "pinning-attack", "hold": "counter-attack"
        }.get(text["tactic"], {"1": "feint", "2": "hold"}[
            "1" if told[0]["seat"] == forge.attacker() else "2"])
        told[0]["text"] = form.compact(text)

    for name, change in {
        "descending": lambda f, o: o[::-1],
        "one": lambda f, o: o[:1],
        "other_one": lambda f, o: o[1:],
        "none": lambda f, o: [],
        "three": lambda f, o: o + o[1:],
        "twice": lambda f, o: o[:1] + o[:1],
        "salt": put(0, "salt", "ab" * 32),
        "salt_1": put(1, "salt", "ab" * 32),
        "salts_swapped": swapped,
        "salt_short": put(0, "salt", "ab"),
        "salt_upper": lambda f, o: o[0].update(salt=o[0]["salt"].upper()),
        "text": other_text,
        "text_spaced": lambda f, o: o[0].update(text=o[0]["text"] + " "),
        "text_object": lambda f, o: o[0].update(
            text=json.loads(o[0]["text"])),
        "seat_0": put(0, "seat", 0),
        "seat_3": put(1, "seat", 3),
        "seat_text": put(0, "seat", "1"),
        "seats_swapped": lambda f, o: (
            o[0].update(seat=2), o[1].update(seat=1)) and None,
        "seat_missing": drop(0, "seat"),
        "member": put(0, "note", 1),
        "text_missing": drop(0, "text"),
        "array": lambda f, o: {"1": o[0], "2": o[1]},
        "item": lambda f, o: ["x", "y"],
    }.items():
        secret_add("opened_" + name, second_commit, games=ONE,
                   line=changed(change))
    secret_add("opened_missing", second_commit, games=ONE,
               line=lambda f, l: {
                   k: x for k, x in l.items() if k != "opened"})

    def told_of(forge, line):
        choices = forge.combat["choices"]
        return with_member(line, "opened", [
            {k: choices[s][k] for k in ("seat", "salt", "text")}
            for s in sorted(choices)
        ])

    secret_add("opened_by_first_commit", first_commit, line=told_of)
    secret_add("opened_of_sealed", second_commit, games=SHUT, line=told_of)
    secret_add("opened_empty", first_commit,
               line=lambda f, l: with_member(l, "opened", []))
    secret_add("opened_by_open", at("open"), games=SHUT, line=told_of)
    secret_add("opened_by_decide", at("decide"), games=ONE,
               line=lambda f, l: with_member(l, "opened", [
                   {"seat": 1, "salt": "ab" * 32, "text": "{}"}]))
    enter_choice_faults()


def enter_choice_faults():
    """Faults of the choices themselves (S8)."""

    def choice(change):
        def stage(forge, text):
            return change(form.compact(json.loads(text)))

        return stage

    lies = {"held": (ONE, second_commit), "sealed": (SHUT, first_open)}
    late = {"held": (ONE, second_commit), "sealed": (SHUT, second_open)}
    for name, change in {
        "twice": lambda t: t[:-1] + ',"kind":"tactic"}',
        "fraction": lambda t: t[:-1] + ',"n":1.0}',
        "minus_zero": lambda t: t[:-1] + ',"n":-0}',
        "nul": lambda t: t[:-1] + ',"n":"\\u0000"}',
        "surrogate": lambda t: t[:-1] + ',"n":"\\ud800"}',
        "bom": lambda t: "\ufeff" + t,
        "array": lambda t: "[" + t + "]",
        "empty": lambda t: "",
        "trailing": lambda t: t + "x",
        "number": lambda t: "17",
        "deep": lambda t: t[:-1] + ',"n":' + "[" * 16 + "]" * 16 + "}",
        "1025": lambda t: t + " " * (1025 - len(t)),
    }.items():
        for games, when in lies.values():
            secret_add("choice_text_" + name, when, games=games, first=True,
                       choice=choice(change))
    for name, change in {
        "kind": lambda t: t.replace('"kind":"tactic"', '"kind":"chits"'),
        "member": lambda t: t[:-1] + ',"n":1}',
        "unknown": lambda t: '{"kind":"tactic","tactic":"charm"}',
        "bare": lambda t: "{}",
    }.items():
        for games, when in lies.values():
            secret_add("choice_" + name, when, games=games, first=True,
                       bare=EITHER, choice=choice(change))
    for role, tactic in (("attacker", "hold"), ("defender", "feint")):
        text = '{"kind":"tactic","tactic":"%s"}' % tactic
        for games, when in lies.values():
            if games is SHUT:
                when = of(role, at("open"))
            secret_add("choice_of_the_other_" + role, when, games=games,
                       first=True, bare=EITHER,
                       choice=lambda f, t, x=text: x)
    for games, when in late.values():
        secret_add("good_choice_of_1024_bytes", when, status=0, games=games,
                   first=True, choice=lambda f, t: t + " " * (1024 - len(t)))
    for name, change in {
        "seat": lambda f, h: h.update(seat=3 - h["seat"]),
        "ask": lambda f, h: h.update(ask=h["ask"] + 1),
        "game": lambda f, h: h.update(game=bytes(32)),
    }.items():
        for games, when in lies.values():
            secret_add("commitment_" + name, when, games=games, first=True,
                       hashed=change)


def enter_open_faults():
    """Faults of the open order (S5, S8)."""
    every = at("open")

    def arg(key, value):
        def stage(forge, order):
            old = order["args"].get(key)
            new = value(old) if callable(value) else value
            order["args"][key] = new

        return stage

    for name, stage in {
        "salt": arg("salt", "ab" * 32),
        "salt_short": arg("salt", "ab"),
        "salt_missing": drop("args", "salt"),
        "text": arg("text", lambda t: t + " "),
        "text_missing": drop("args", "text"),
        "text_object": arg("text", json.loads),
        "ask_missing": drop("args", "ask"),
        "ask_text": arg("ask", str),
    }.items():
        secret_add("open_" + name, every, games=SHUT, order=stage)
    secret_add("open_ask", every, games=SHUT,
               order=arg("ask", lambda a: a - 1))
    secret_add("open_arg", every, status=2, games=SHUT,
               order=arg("commit", "ab" * 32))
    secret_add("open_place_missing", every, games=SHUT, order=drop("place"))

    def step(forge, order):
        parts = order["place"].split("/")
        order["place"] = "/".join(parts[:4] + [str(int(parts[4]) + 1)])
        if "own" in order:
            order["own"] = forge.own(order["seat"], order["place"])[0].hex()

    secret_add("open_place", every, games=SHUT, order=step)
    attacker, defender = of("attacker", every), of("defender", every)

    def own(forge, order):
        order["own"] = forge.own(order["seat"], order["place"])[0].hex()

    secret_add("open_own_of_defender", defender, games=SHUT, order=own)
    secret_add("good_open_own_of_attacker", attacker, status=0, games=SHUT,
               order=own)
    secret_add("good_open_without_own", attacker, status=0, games=SHUT,
               order=lambda f, o: o.pop("own", None) and None)
    secret_add("open_own_wrong", attacker, games=SHUT,
               order=lambda f, o: o.update(
                   own=f.own(3 - o["seat"], o["place"])[0].hex()))
    secret_add("open_own_tag", attacker, games=SHUT,
               order=lambda f, o: o.update(
                   own=f.own(o["seat"], o["place"], "other/1")[0].hex()))
    secret_add("open_other", every, games=SHUT, order=lambda f, o: o.update(
        other=f.own(o["seat"], o["place"], "other/1")[0].hex()))
    secret_add("good_open_saw_little", every, status=0, games=SHUT,
               order=lambda f, o: saw(f, o, 0))

    enter_open_order_faults()


def enter_open_order_faults():
    """Opens and other orders at a wrong time (S5, S8)."""

    def open_now(forge, seat=None, choice=None, **more):
        (first,) = list(forge.combat["choices"])[:1]
        seat = first if seat is None else seat
        choice = choice or forge.combat["choices"][first]
        args = {
            "ask": forge.combat["ask"]["seq"], "salt": choice["salt"],
            "text": choice["text"],
        }
        plain(forge, seat, "open", args, forge.place(), own=False, **more)

    secret_add("open_before_the_second_commit", second_commit,
               instead=open_now)
    secret_add("open_before_any_commit", first_commit,
               instead=lambda f: open_now(f, 1, f.choose(f.next_seat)))

    def open_again(forge):
        (seat,) = [
            s for s, c in forge.combat["choices"].items() if "opened" in c
        ]
        open_now(forge, seat, forge.combat["choices"][seat])

    secret_add("open_twice", second_open, games=SHUT, instead=open_again)
    secret_add("open_by_the_other", at("open"), games=SHUT,
               instead=lambda f: open_now(
                   f, 3 - f.next_seat, f.combat["choices"][f.next_seat]))
    secret_add("open_when_none_is_asked", at("turn.end"), games=SHUT,
               instead=lambda f: plain(
                   f, 1, "open",
                   {"ask": 4, "salt": "ab" * 32, "text": "{}"},
                   "c/1/pr-a/1/1", own=False))

    def open_of_held(forge):
        line = [json.loads(raw) for raw in forge.raw if b'"opened":' in raw]
        told = line[-1]["opened"][0]
        plain(forge, told["seat"], "open", {
            "ask": forge.combat["ask"]["seq"], "salt": told["salt"],
            "text": told["text"]}, forge.place(), own=False)

    secret_add("open_of_held", at("decide"), games=ONE,
               instead=open_of_held)
    secret_add("decide_between_opens", second_open, games=SHUT, bare=EITHER,
               instead=decide_openly)
    secret_add("turn_end_between_opens", second_open, games=SHUT,
               bare=EITHER, instead=lambda f: plain(
                   f, f.side(), "turn.end", {}, "p/%d" % f.epoch))


def enter_drawn_faults():
    """Faults of the dice that follow a secret choice (S6, S8)."""
    last = {"held": second_commit, "sealed": second_open}

    def dice_stage(change):
        def stage(forge, line):
            if "dice" not in line:
                raise NotHere
            return change(forge, copy.deepcopy(line))

        return stage

    def by_defender(forge, line):
        place = line["dice"]["place"]
        alpha = crypto.tag("dice/1")
        alpha += crypto.base_of(forge.game, forge.pool, place)
        alpha += forge.own(2 - forge.turn_before % 2, place)[1]
        proof = vrf_prove(forge.server_dice, alpha)
        beta = beta_of(forge.server_dice, alpha)
        line["dice"]["proof"] = proof.hex()
        for roll in line["dice"]["rolls"]:
            if "sides" in roll:
                roll["dice"] = crypto.roll_dice(
                    beta, roll["label"], len(roll["dice"]), roll["sides"]
                )
        return line

    def before(when):
        def fits(forge, kind):
            forge.turn_before = 3 - forge.side()
            return when(forge, kind)

        return fits

    for kind, when in last.items():
        games = {kind: BOTH[kind]}
        for role in ("attacker", "defender"):
            secret_add("dice_of_the_defender_%s_second" % role,
                       before(of(role, when)), games=games,
                       line=dice_stage(by_defender))
        secret_add("secret_dice_missing", when, bare=2, games=games,
                   line=dice_stage(lambda f, l: {
                       k: x for k, x in l.items() if k != "dice"}))
        secret_add("secret_owes", when, games=games,
                   line=dice_stage(lambda f, l: with_member(
                       {k: x for k, x in l.items() if k != "dice"}, "owes",
                       {"seat": 1, "place": l["dice"]["place"]})))
        for name, change in {
            "missing": lambda e: e[1:],
            "swapped": lambda e: [e[1], e[0]] + e[2:],
            "sides_swapped": lambda e: [
                {**e[0], "side": "defender"}, {**e[1], "side": "attacker"},
            ] + e[2:],
            "tactic": lambda e: [{**e[0], "tactic": "charm"}] + e[1:],
        }.items():
            secret_add("secret_event_" + name, when, bare=2, games=games,
                       line=lambda f, l, c=change: {
                           **l, "events": c(list(l["events"]))})
    enter_early_faults()


def enter_early_faults():
    """Lines that draw or tell too early, and wrong questions (S2, S8)."""
    dice = {
        "place": "p/0", "proof": "02" + "ab" * 80,
        "rolls": [{"label": "x", "sides": 6, "dice": [1]}],
    }
    early = {"held": first_commit, "sealed": first_open}
    for kind, when in early.items():
        games = {kind: BOTH[kind]}
        secret_add("early_dice", when, games=games,
                   line=lambda f, l: with_member(l, "dice", dice))
        secret_add("early_owes", when, games=games,
                   line=lambda f, l: with_member(
                       l, "owes", {"seat": 1, "place": "p/0"}))
        secret_add("early_events", when, bare=EITHER, games=games,
                   line=put("events", [{"e": "change"}]))
        secret_add("early_pool", when, games=games,
                   line=lambda f, l: with_member(l, "pool", "ab" * 32))

    def asks(change):
        def stage(forge, line):
            if len([e for e in line["events"] if e["e"] == "ask"]) != 2:
                raise NotHere
            return {**line, "events": change(list(line["events"]))}

        return stage

    for name, change in {
        "one": lambda e: e[:-1],
        "other_one": lambda e: e[:-2] + e[-1:],
        "turned": lambda e: e[:-2] + [e[-1], e[-2]],
        "twice": lambda e: e[:-1] + [e[-2]],
        "options": lambda e: e[:-1] + [{**e[-1], "options": e[-2]["options"]}],
        "apart": lambda e: e[:-1] + [{"e": "change"}, e[-1]],
    }.items():
        secret_add("asks_" + name, at("declare"), bare=2, games=ONE,
                   line=asks(change))
    enter_chit_faults()


def enter_chit_faults():
    """Faults of draws (S6.4, S7, S10) and of the bag (S9)."""

    def chits(change):
        def stage(forge, line):
            line = copy.deepcopy(line)
            draws = [
                r for r in line.get("dice", {"rolls": []})["rolls"]
                if "bag" in r
            ]
            if not draws or len(draws[0]["chits"]) < 2:
                raise NotHere
            change(draws[0], draws[0]["chits"])
            return line

        return stage

    def renamed(draw, ids):
        i = ids.index(max(ids))
        ids[i] += "x"

    drawn = at("decide", "commit", "open")
    for name, bare, change in (
        ("renamed", 2, renamed),
        ("swapped", None, lambda d, c: c.insert(0, c.pop(1))),
        ("reversed", None, lambda d, c: c.reverse()),
        ("one_less", 2, lambda d, c: c.pop()),
        ("twice", None, lambda d, c: c.__setitem__(1, c[0])),
        ("bag_more", EITHER, lambda d, c: d.update(bag=d["bag"] + 1)),
        ("bag_less", EITHER, lambda d, c: d.update(bag=d["bag"] - 1)),
        ("bag_small", None, lambda d, c: d.update(bag=1)),
        ("bag_0", None, lambda d, c: d.update(bag=0)),
        ("none", None, lambda d, c: c.clear()),
        ("label", EITHER, lambda d, c: d.update(label="chit")),
        ("sides", None, lambda d, c: d.update(sides=6)),
        ("upper", None, lambda d, c: c.__setitem__(0, "C01")),
        ("number", None, lambda d, c: c.__setitem__(0, 1)),
    ):
        secret_add("chits_" + name, drawn, bare=bare, games=ONE,
                   line=chits(change))

    def one_more(forge, line):
        line = copy.deepcopy(line)
        for roll in line.get("dice", {"rolls": []})["rolls"]:
            if "bag" in roll:
                place = line["dice"]["place"]
                seat = 2 - int(place.split("/")[1]) % 2
                owner = line["seat"]
                if json.loads(line["order"])["kind"] != "decide":
                    owner = seat
                beta = forge.dice_from(owner, place)[1]
                ranks = crypto.draw_ranks(
                    beta, roll["label"], len(roll["chits"]) + 1, roll["bag"]
                )
                names = sorted(
                    c["id"] for c in forge.tables()[0]["bag"]
                )
                roll["chits"].append(names[ranks[-1]])
                return line
        raise NotHere

    secret_add("chits_one_more", drawn, bare=2, games=ONE, line=one_more)
    enter_bag_faults()


def enter_bag_faults():
    """Faults of the bag and of the facts complete (S2, S9)."""
    bag = at("create")
    for name, status, change in (
        ("kind", EITHER, lambda f, b: {**b, "blob": "bags"}),
        ("missing", 1, lambda f, b: {"blob": "bag"}),
        ("member", 1, lambda f, b: {**b, "note": 1}),
        ("object", 1, lambda f, b: {**b, "bag": {}}),
        ("same_id", 1, lambda f, b: {
            **b, "bag": b["bag"] + b["bag"][:1]}),
        ("effect", 1, lambda f, b: {
            **b, "bag": b["bag"] + [{
                "id": "x", "front": {"effects": ["Q"]}, "back": None,
                "takes": "front"}]}),
    ):
        secret_add("bag_" + name, bag, status=status, bare=EITHER,
                   games=ONE, bag=change)

    def event(change):
        def stage(forge, line):
            events = copy.deepcopy(line["events"])
            change(events[0])
            return {**line, "events": events}

        return stage

    for name, change in {
        "bag": lambda e: e["bag"].pop(),
        "bag_missing": lambda e: e.pop("bag"),
        "fatigue": lambda e: e["attacker"]["units"][0].update(fatigue=9),
        "hits": lambda e: e["defender"]["units"][0]["battalions"][0].update(
            hits=e["defender"]["units"][0]["battalions"][0]["hits"] ^ 1),
        "commander": lambda e: e["attacker"]["units"][0].update(
            commander=(e["attacker"]["units"][0]["commander"] + 1) % 3),
        "terrain": lambda e: e.update(terrain="works"),
        "evade": lambda e: e["defender"].update(
            can_evade=not e["defender"]["can_evade"]),
    }.items():
        secret_add("combat_event_" + name, at("declare"), bare=2, games=ONE,
                   line=event(change))
    secret_add("declare_bag", at("declare"), bare=EITHER, games=ONE,
               order=lambda f, o: o["args"]["combat"].update(
                   bag=f.combat["facts"]["bag"]))


def enter_upkeep_faults():
    """Faults of upkeep orders and of the ends of rounds (S5, S6.1)."""
    every = at("upkeep")

    def rests(forge, kind):
        return kind == "upkeep" and forge.next_upkeep["do"] == "rest"

    def draws_none(forge, kind):
        return kind == "upkeep" and forge.next_upkeep["do"] == "lead"

    def part(i, change):
        def stage(forge, order):
            parts = order["place"].split("/")
            parts[i] = change(parts[i])
            order["place"] = "/".join(parts)
            order["own"] = forge.own(order["seat"], order["place"])[0].hex()

        return stage

    def drew_before(forge, kind):
        return rests(forge, kind) and not forge.upkeep_place(
            forge.next_upkeep["unit"]).endswith("/1")

    def counted(forge, kind):
        """Fit a unit's order after one that drew nothing, in the same turn."""
        if kind != "upkeep":
            return False
        name = forge.next_upkeep["unit"]
        place = forge.upkeep_place(name)
        earlier = [
            json.loads(json.loads(raw)["order"]) for raw in forge.raw
            if b"upkeep" in raw and b'"kind":"order"' in raw
        ]
        same = [
            o for o in earlier
            if o["kind"] == "upkeep" and o["args"]["unit"] == name
            and o["place"].startswith("u/%d/" % forge.turn)
        ]
        return len(same) + 1 != int(place.rsplit("/", 1)[1])

    add("upkeep_place_counts_all", counted, settings=HELD,
        order=part(3, lambda p: str(int(p) + 1)))
    add("upkeep_place_again", drew_before, settings=HELD,
        order=part(3, lambda p: str(int(p) - 1)))
    for name, i, change in (
        ("k", 3, lambda p: str(int(p) + 1)),
        ("k_0", 3, lambda p: "0"),
        ("zero", 3, lambda p: "0" + p),
        ("unit", 2, lambda p: "zz"),
        ("turn", 1, lambda p: str(int(p) + 1)),
        ("letter", 0, lambda p: "c"),
    ):
        for do, when in (("rest", rests), ("plain", draws_none)):
            add("upkeep_place_%s_%s" % (name, do), when, settings=HELD,
                order=part(i, change))
    enter_upkeep_order_faults(every, rests)
    enter_upkeep_line_faults(rests, draws_none)


def enter_upkeep_order_faults(every, rests):
    """Faults of what is ordered, and when (S3, S5)."""
    for key in ("place", "own"):
        add("upkeep_without_" + key, every, settings=HELD, order=drop(key))
    add("upkeep_own", every, settings=HELD, order=lambda f, o: o.update(
        own=f.own(3 - o["seat"], o["place"])[0].hex()))
    add("upkeep_stale", every, settings=HELD,
        order=lambda f, o: saw(f, o, f.last_state - 1))
    add("upkeep_out_of_turn", every, settings=HELD,
        instead=lambda f: plain(
            f, 3 - f.side(), "upkeep", f.next_upkeep,
            f.upkeep_place(f.next_upkeep["unit"])))
    add("upkeep_of_the_enemy", every, bare=2, settings=HELD,
        instead=lambda f: plain(
            f, f.side(), "upkeep",
            {"unit": "au-b" if f.side() == 1 else "pr-k", "do": "rest"},
            f.upkeep_place("au-b" if f.side() == 1 else "pr-k")))
    add("upkeep_of_nobody", every, bare=2, settings=HELD,
        instead=lambda f: plain(
            f, f.side(), "upkeep", {"unit": "zz", "do": "rest"},
            "u/%d/zz/1" % f.turn))
    for name, status, bare, stage in (
        ("do", 1, 2, put("args", "do", "dance")),
        ("do_number", 1, EITHER, put("args", "do", 1)),
        ("do_missing", 1, EITHER, drop("args", "do")),
        ("unit_missing", 1, None, drop("args", "unit")),
        ("arg", EITHER, EITHER, put("args", "moo", 1)),
    ):
        add("upkeep_" + name, every, status=status, settings=HELD,
            bare=bare, order=stage)
    add("upkeep_battalion", rests, bare=2, settings=HELD,
        order=put("args", "battalion", "pr-a-1"))
    add("upkeep_battalion_other",
        lambda f, kind: kind == "upkeep" and "battalion" in f.next_upkeep,
        bare=2, settings=HELD, order=put("args", "battalion", "zz-1"))
    add("upkeep_battalion_missing",
        lambda f, kind: kind == "upkeep" and "battalion" in f.next_upkeep,
        bare=2, settings=HELD, order=drop("args", "battalion"))


def enter_upkeep_line_faults(rests, draws_none):
    """Faults of the lines of upkeep orders (S2, S6.4)."""

    def roll(change):
        def stage(forge, line):
            line = copy.deepcopy(line)
            change(forge, line["dice"], line["dice"]["rolls"][0])
            return line

        return stage

    def true_roll(forge, dice, label, count, sides):
        beta = forge.dice_from(forge.side(), dice["place"])[1]
        return {
            "label": label, "sides": sides,
            "dice": crypto.roll_dice(beta, label, count, sides),
        }

    for name, bare, change in (
        ("value", None, lambda f, d, r: r.update(
            dice=[r["dice"][0] % 3 + 1])),
        ("label", 2, lambda f, d, r: r.update(
            true_roll(f, d, "rest/zz", 1, 3))),
        ("sides", 2, lambda f, d, r: r.update(
            true_roll(f, d, r["label"], 1, 6))),
        ("count", 2, lambda f, d, r: r.update(
            true_roll(f, d, r["label"], 2, 3))),
        ("more", 2, lambda f, d, r: d["rolls"].append(
            true_roll(f, d, "rest/zz", 1, 3))),
        ("place", None, lambda f, d, r: d.update(place=d["place"] + "1")),
        ("proof", None, lambda f, d, r: d.update(proof="02" + "ab" * 80)),
    ):
        add("upkeep_dice_" + name, rests, bare=bare, settings=HELD,
            line=roll(change))
    add("upkeep_dice_missing", rests, bare=2, settings=HELD,
        line=lambda f, l: {k: x for k, x in l.items() if k != "dice"})
    add("upkeep_owes", rests, settings=HELD, line=lambda f, l: with_member(
        {k: x for k, x in l.items() if k != "dice"}, "owes",
        {"seat": 3 - l["seat"], "place": l["dice"]["place"]}))

    def extra(forge, line):
        place = json.loads(line["order"])["place"]
        proof, beta = forge.dice_from(line["seat"], place)
        label = "rest/" + place.split("/")[2]
        return with_member(line, "dice", {
            "place": place, "proof": proof.hex(),
            "rolls": [{"label": label, "sides": 3,
                       "dice": crypto.roll_dice(beta, label, 1, 3)}]})

    add("upkeep_dice_extra", draws_none, bare=2, settings=HELD, line=extra)

    enter_upkeep_event_faults(rests)


def enter_upkeep_event_faults(rests):
    """Faults of the events of upkeep (S2)."""

    def events(change):
        def stage(forge, line):
            if not line["events"]:
                raise NotHere
            found = copy.deepcopy(line["events"])
            changed = change(found)
            return {**line, "events": found if changed is None else changed}

        return stage

    every = at("upkeep")
    for name, change in {
        "none": lambda e: [],
        "twice": lambda e: e + e[-1:],
        "unit": lambda e: e[-1].update(unit="zz"),
        "what": lambda e: e[-1].update(what="dance"),
        "member": lambda e: e[-1].update(note=1),
    }.items():
        add("upkeep_event_" + name, every, bare=2, settings=HELD,
            line=events(change))
    add("upkeep_event_fatigue", rests, bare=2, settings=HELD,
        line=events(lambda e: e[-1].update(fatigue=e[-1]["fatigue"] + 1)))
    add("upkeep_event_roll", rests, bare=2, settings=HELD,
        line=events(lambda e: e[0].update(dice=[e[0]["dice"][0] % 3 + 1])))

    def tired(change):
        def stage(found):
            told = [e for e in found if e.get("what") == "fatigue"]
            if not told:
                raise NotHere
            return change(found, told[0])

        return events(stage)

    end = at("turn.end")
    for name, change in {
        "missing": lambda e, t: [x for x in e if x is not t],
        "twice": lambda e, t: [t] + e,
        "value": lambda e, t: t.update(fatigue=t["fatigue"] + 1),
        "unit": lambda e, t: t.update(unit="zz"),
        "all": lambda e, t: [],
    }.items():
        add("round_fatigue_" + name, end, bare=2, settings=HELD,
            line=tired(change))
    add("round_other_event", end, bare=EITHER, settings=HELD,
        line=events(lambda e: e + [{"e": "roll"}]))
    add("round_that_goes_on",
        lambda f, kind: kind == "turn.end" and not f.ends_round(),
        bare=EITHER, settings=HELD,
        line=put("events", [
            {"e": "upkeep", "unit": "pr-k", "what": "fatigue",
             "fatigue": 0}]))


def enter():
    """Fill the table with the faults of this file."""
    enter_commit_faults()
    enter_opened_faults()
    enter_open_faults()
    enter_drawn_faults()
    enter_upkeep_faults()
