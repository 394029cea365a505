# SPDX-License-Identifier: ISC
"""Faults for forged_records.py: of the game that a record tells.

Pool, places, dice, events, the order of play, rosters, side lines and lines of
the server. S-numbers are those of umpire-record.7.
"""

import copy
import json

import record_crypto as crypto
import record_form as form
from forge import FORMATIONS, NotHere, UNITS, beta_of, secret, vrf_prove
from forge_faults import (
    EITHER,
    LATER,
    OTHER_KEY,
    add,
    at,
    drop,
    put,
    with_member,
)

WHY = {"why": "ab" * 32}  # a text ref of nothing


def enter_pool_faults():
    """Faults of ready, pool and turn.end (S5, S6.5)."""

    def last_ready(forge, kind):
        return kind == "ready" and len(forge.readies) == 1

    def moves(forge, kind):
        return last_ready(forge, kind) or kind == "turn.end"

    def own_of_other(forge, order):
        order["own"] = forge.own(3 - order["seat"], order["place"])[0].hex()

    def own_other_tag(forge, order):
        proof = forge.own(order["seat"], order["place"], "other/1")[0]
        order["own"] = proof.hex()

    def own_negated(forge, order):
        first = {"02": "03", "03": "02"}[order["own"][:2]]
        order["own"] = first + order["own"][2:]

    with_own = at("ready", "turn.end", "declare", "decide")
    add("own_of_the_other_seat", with_own, order=own_of_other)
    add("own_with_other_tag", with_own, order=own_other_tag)
    add("own_negated", with_own, order=own_negated)
    add("own_for_place_before",
        at("turn.end", "declare", "decide"),
        order=lambda f, o: o.update(own=f.own(o["seat"], "p/0")[0].hex()))
    add("pool_missing", moves, line=drop("pool"))
    add("pool_wrong", moves, line=put("pool", "ab" * 32))
    add("pool_of_chat", at("chat", "declare", "decide", "close"),
        line=lambda f, l: with_member(l, "pool", f.pool.hex()))
    add("pool_of_first_ready",
        lambda f, kind: kind == "ready" and not f.readies,
        line=lambda f, l: with_member(l, "pool", f.pool.hex()))

    def place_of(value):
        def change(forge, order):
            place = value(forge, order["place"])
            order["place"] = place
            order["own"] = forge.own(order["seat"], place)[0].hex()

        return change

    for name, change in {
        "epoch_next": lambda f, p: "p/%d" % (int(p[2:]) + 1),
        "zero": lambda f, p: "p/0" + p[2:],
        "capital": lambda f, p: "P" + p[1:],
        "combat": lambda f, p: "c/1/ru-a/1/1",
    }.items():
        add("pool_place_" + name, at("ready", "turn.end"),
            order=place_of(change))

    def part(i, change):
        def value(forge, place):
            parts = place.split("/")
            parts[i] = change(parts[i])
            return "/".join(parts)

        return place_of(value)

    combat = at("declare", "decide")
    add("place_turn", combat, order=part(1, lambda p: str(int(p) + 1)))
    add("place_unit", combat, order=part(2, lambda p: "ru-z"))
    add("place_k", combat, order=part(3, lambda p: str(int(p) + 1)))
    add("place_step", combat, order=part(4, lambda p: str(int(p) + 1)))
    add("place_zero", combat, order=part(3, lambda p: "0" + p))
    add("place_longer", combat,
        order=place_of(lambda f, p: p + "/1"))

    def greatest(forge, order):
        ids = [u["id"] for u in order["args"]["combat"]["defenders"]]
        parts = order["place"].split("/")
        parts[2] = max(ids)
        order["place"] = "/".join(parts)
        order["own"] = forge.own(order["seat"], order["place"])[0].hex()

    add("place_greatest_unit",
        lambda f, kind: kind == "declare"
        and len(f.combat["facts"]["defenders"]) > 1,
        order=greatest)


def enter_dice_faults():
    """Faults of the dice (S6.4, S7)."""
    def dice_stage(change):
        def stage(forge, line):
            if "dice" not in line:
                raise NotHere
            return change(forge, line)

        return stage

    combat = at("declare", "decide")
    for name, change in {
        "missing": lambda f, l: {k: x for k, x in l.items() if k != "dice"},
        "place": put("dice", "place", "c/9/ru-a/1/1"),
        "proof": put("dice", "proof", "02" + "ab" * 80),
        "rolls_empty": put("dice", "rolls", []),
        "value": lambda f, l: l["dice"]["rolls"][0].update(
            dice=[d % 6 + 1 for d in l["dice"]["rolls"][0]["dice"]]),
        "label": lambda f, l: l["dice"]["rolls"][0].update(label="score/x"),
        "label_bad": lambda f, l: l["dice"]["rolls"][0].update(label="Score"),
        "sides": lambda f, l: l["dice"]["rolls"][0].update(sides=8),
        "sides_0": lambda f, l: l["dice"]["rolls"][0].update(sides=0),
        "dice_empty": lambda f, l: l["dice"]["rolls"][0].update(dice=[]),
        "label_twice": lambda f, l: l["dice"]["rolls"].append(
            l["dice"]["rolls"][0]),
        "member": lambda f, l: l["dice"].update(note=1),
        "roll_member": lambda f, l: l["dice"]["rolls"][0].update(note=1),
    }.items():
        bare = {"missing": 2, "label": EITHER, "sides": EITHER}.get(name)
        add("dice_" + name, combat, bare=bare, line=dice_stage(change))

    def reprove(forge, line, key, alpha_extra):
        place = line["dice"]["place"]
        alpha = crypto.tag("dice/1")
        alpha += crypto.base_of(forge.game, forge.pool, place)
        alpha += alpha_extra(forge, line, place)
        proof = vrf_prove(key, alpha)
        beta = beta_of(key, alpha)
        line["dice"]["proof"] = proof.hex()
        for roll in line["dice"]["rolls"]:
            roll["dice"] = crypto.roll_dice(
                beta, roll["label"], len(roll["dice"]), 6
            )

    def own_beta(forge, line, place):
        return forge.own(line["seat"], place)[1]

    add("dice_of_a_second_server_key", combat, line=dice_stage(
        lambda f, l: reprove(f, l, secret("x"), own_beta)))
    add("dice_without_own", combat, line=dice_stage(
        lambda f, l: reprove(f, l, f.server_dice, lambda *a: b"")))
    add("dice_with_order_bytes", combat, line=dice_stage(
        lambda f, l: reprove(
            f, l, f.server_dice,
            lambda f, l, p: own_beta(f, l, p) + crypto.sha256(
                crypto.tag("order/1"), l["order"].encode()))))
    add("dice_with_other_seats_own", combat, line=dice_stage(
        lambda f, l: reprove(
            f, l, f.server_dice,
            lambda f, l, p: f.own(3 - l["seat"], p)[1])))

    def true_dice(forge, line, label, count):
        own = line["seat"]
        beta = forge.dice_from(own, line["dice"]["place"])[1]
        return {
            "label": label, "sides": 6,
            "dice": crypto.roll_dice(beta, label, count, 6),
        }

    def extra(forge, line):
        line["dice"]["rolls"].append(true_dice(forge, line, "score/zz", 1))

    def fewer(forge, line):
        line["dice"]["rolls"].pop()
        if not line["dice"]["rolls"]:
            raise NotHere

    def swapped(forge, line):
        rolls = line["dice"]["rolls"]
        if len(rolls) < 2:
            raise NotHere
        rolls[0], rolls[1] = rolls[1], rolls[0]

    def more_dice(forge, line):
        roll = line["dice"]["rolls"][-1]
        line["dice"]["rolls"][-1] = true_dice(
            forge, line, roll["label"], len(roll["dice"]) + 1
        )

    for name, change in (
        ("not_asked", extra),
        ("left_out", fewer),
        ("swapped", swapped),
        ("one_too_many", more_dice),
    ):
        add("rolls_" + name, combat, bare=2, line=dice_stage(change))


def enter_event_faults():
    """Faults of the events, which only the rules show (S2, S10)."""

    def find(line, kind):
        for event in line["events"]:
            if event["e"] == kind:
                return event
        raise NotHere

    def on(kind, change):
        def stage(forge, line):
            line["events"] = copy.deepcopy(line["events"])
            return change(line, find(line, kind))

        return stage

    def gone(line, event):
        line["events"].remove(event)

    def unit(event):
        return next(iter(event["units"].values()))

    combat = at("declare", "decide")
    for kind in ("combat", "roll", "decision", "ask", "result"):
        add("event_%s_missing" % kind, combat, bare=2, line=on(kind, gone))
        add("event_%s_twice" % kind, combat, bare=2, line=on(
            kind, lambda l, e: l["events"].insert(
                l["events"].index(e), dict(e))))
    for name, kind, change in (
        ("roll_value", "roll",
         lambda l, e: e.update(dice=[d % 6 + 1 for d in e["dice"]])),
        ("roll_label", "roll", lambda l, e: e.update(label="score/x")),
        ("ask_side", "ask", lambda l, e: e.update(
            side={"attacker": "defender"}.get(e["side"], "attacker"))),
        ("ask_kind", "ask", lambda l, e: e.update(kind="moo")),
        ("ask_options", "ask", lambda l, e: e.update(options={})),
        ("ask_no_options", "ask", lambda l, e: e.pop("options") and None),
        ("ask_other_unit", "ask", lambda l, e: e.update(
            options=json.loads(
                json.dumps(e["options"]).replace("-", "-x")))),
        ("result_state", "result", lambda l, e: unit(e).update(
            state="staggered" if unit(e)["state"] != "staggered"
            else "in-place")),
        ("result_strength", "result", lambda l, e: unit(e).update(
            strength=unit(e)["strength"] + 1)),
        ("result_score", "result", lambda l, e: unit(e).update(score=99)),
        ("result_unit", "result",
         lambda l, e: e["units"].update(zz=unit(e))),
        ("result_member", "result", lambda l, e: e.update(note=1)),
        ("decision_kind", "decision", lambda l, e: e.update(kind="moo")),
        ("combat_strength", "combat",
         lambda l, e: e.update(attackers=[
             {**u, "strength": u["strength"] + 1} for u in e["attackers"]])),
        ("combat_contact", "combat",
         lambda l, e: e.update(contacts=[
             {**c, "uphill": not c.get("uphill", False)}
             for c in e["contacts"]])),
        ("after_the_last", "combat",
         lambda l, e: l["events"].append({"e": "change"})),
    ):
        add("event_" + name, combat, bare=2, line=on(kind, change))


def enter_flow_faults():
    """Orders that come at a wrong time or from a wrong seat (S5)."""

    def combat_open(forge, kind):
        return kind == "decide"

    def no_combat(forge, kind):
        return kind in ("turn.end", "resign")

    def plain(seat, kind, args=None, place=None):
        def make(forge):
            s = seat(forge) if callable(seat) else seat
            p = place(forge) if callable(place) else place
            a = args(forge) if callable(args) else args or {}
            line = forge.order(s, kind, a, p, after=forge.seq() - 1)
            forge.write("order", {**line, "events": []})

        return make

    def end_turn(seat):
        def make(forge):
            s = seat(forge)
            place = "p/%d" % forge.epoch
            line = forge.order(s, "turn.end", {}, place,
                               after=forge.seq() - 1)
            beta = forge.own(s, place)[1]
            pool = crypto.sha256(crypto.tag("pool/1"), forge.pool, beta)
            line["pool"] = pool.hex()
            forge.write("order", {**line, "events": []})

        return make

    def idle(forge):
        return 3 - forge.side()

    add("join_again", at("ready"),
        instead=plain(2, "join", lambda f: f.seat_args(2)))
    add("join_after_ready",
        lambda f, kind: kind == "ready" and len(f.readies) == 1,
        instead=plain(2, "join", lambda f: f.seat_args(2)))
    add("ready_too_early",
        lambda f, kind: kind == "join",
        instead=lambda f: (
            setattr(f, "pool", bytes(32)),
            plain(1, "ready", place="p/0")(f)))
    add("ready_twice",
        lambda f, kind: kind == "ready" and len(f.readies) == 1,
        instead=plain(
            lambda f: next(iter(f.readies)), "ready", place="p/0"))
    add("ready_later", at("turn.end", "declare"),
        instead=plain(1, "ready", place=lambda f: "p/%d" % f.epoch))
    add("create_again", at(*LATER), instead=again)
    add("turn_end_before_ready", at("ready"),
        instead=lambda f: end_turn(lambda f: 1)(f))
    add("turn_end_out_of_turn", no_combat, instead=end_turn(idle))
    add("turn_end_in_combat", combat_open, bare=EITHER,
        instead=end_turn(lambda f: f.side()))
    add("chat_of_nobody", at("turn.end"), instead=lambda f: (
        f.players.update({3: f.players[1]}),
        plain(3, "chat", {"ref": "ab" * 32})(f)))
    add("chat_before_join", at("join"),
        instead=plain(2, "chat", {"ref": "ab" * 32}))
    add("decide_when_none_is_owed", no_combat, instead=plain(
        1, "decide", {"ask": 3, "decision": {"kind": "retire", "units": []}},
        place="c/1/ru-a/1/1"))
    add("after_resign",
        lambda f, kind: kind == "close" and '"resign' in str(f.raw[-4:]),
        instead=end_turn(lambda f: f.side()))
    add("resign_twice",
        lambda f, kind: kind == "close"
        and '"resign' in str(f.raw[-1:]),
        instead=plain(1, "resign"))
    add("line_after_the_end", at("finished"),
        instead=plain(1, "chat", {"ref": "ab" * 32}))
    add("close_after_the_end", at("finished"), instead=plain(1, "close"))
    add("accept_of_nothing", no_combat, status=EITHER,
        instead=plain(1, "accept", {"to": 2}))
    add("answer_to_nothing", no_combat, status=EITHER,
        instead=plain(1, "answer", {"to": 2, "say": "agree"}))
    add("beyond_kind", no_combat, status=2,
        instead=plain(1, "parley", {}))
    add("beyond_offer", no_combat, status=2,
        instead=plain(1, "offer", {"what": "draw", "until": 9}))

    def stale(forge, order):
        order["after"] = forge.last_state_before - 1
        order["head"] = forge.hashes[order["after"]]

    def remember(forge, kind):
        forge.last_state_before = forge.last_state
        return (
            kind in ("declare", "decide", "turn.end")
            and forge.last_state > 3
        )

    add("stale", remember, order=stale)
    add("stale_resign",
        lambda f, kind: kind == "resign" and f.last_state > 3,
        instead=lambda f: stale_order(f, "resign"))
    add("stale_close",
        lambda f, kind: kind == "turn.end" and f.last_state > 3,
        instead=lambda f: stale_order(f, "close"))

    def decide_wrong(change):
        def make(forge):
            combat = forge.combat
            seat = forge.asked_seat()
            args = {
                "ask": combat["ask"]["seq"],
                "decision": forge.lawful(combat["ask"]),
            }
            seat = change(forge, seat, args) or seat
            line = forge.order(seat, "decide", args, forge.place(),
                               after=forge.seq() - 1)
            forge.write("order", {**line, "events": []})

        return make

    add("decide_other_side", combat_open, bare=EITHER, instead=decide_wrong(
        lambda f, s, a: 3 - s))
    add("decide_ask_other_line", combat_open, bare=EITHER,
        instead=decide_wrong(
        lambda f, s, a: a.update(ask=a["ask"] - 1)))
    add("decide_ask_text", combat_open, instead=decide_wrong(
        lambda f, s, a: a.update(ask="5")))
    add("decide_illegal_kind", combat_open, bare=2, instead=decide_wrong(
        lambda f, s, a: a["decision"].update(kind="moo")))
    add("decide_illegal_unit", combat_open, bare=2, instead=decide_wrong(
        lambda f, s, a: a["decision"].update(
            {"units": ["zz"]} if "units" in a["decision"]
            else {"order": []})))
    enter_declare_faults(combat_open)


def again(forge):
    """Write the create order a second time, as it was signed."""
    first = json.loads(forge.raw[0])
    members = {k: first[k] for k in ("seat", "key", "order", "sig")}
    forge.write("order", {**members, "events": []})


def stale_order(forge, kind):
    """Write an order that saw less than the last state line."""
    after = forge.last_state - 1
    line = forge.order(1, kind, {}, after=after)
    forge.write("order", {**line, "events": []})


def enter_declare_faults(combat_open):
    """Declarations that the record does not allow (S3, S5)."""

    def declare(change, seat=None):
        def make(forge):
            combat = copy.deepcopy(forge.combat_declared)
            facts = {
                k: [dict(x) for x in combat[k]]
                for k in ("attackers", "defenders", "contacts")
            }
            change(forge, facts)
            who = forge.side() if seat is None else seat(forge)
            line = forge.order(
                who, "declare", {"combat": facts}, forge.place(),
                after=forge.seq() - 1,
            )
            forge.write("order", {**line, "events": []})

        return make

    def fits(forge, kind):
        if kind != "declare":
            return False
        facts = forge.combat["facts"]
        keep = ("id", "formation", "difficult")
        forge.combat_declared = {
            "attackers": [
                {k: u[k] for k in keep if k in u} for u in facts["attackers"]
            ],
            "defenders": [
                {k: u[k] for k in keep if k in u} for u in facts["defenders"]
            ],
            "contacts": facts["contacts"],
        }
        return True

    def first(facts, side):
        return facts[side][0]

    add("declare_out_of_turn", fits, instead=declare(
        lambda f, c: None, lambda f: 3 - f.side()))
    for name, change in {
        "unknown_unit": lambda f, c: (
            c["attackers"].append({"id": "zz", "formation": "line"}),
            c["contacts"].append({
                "attacker": "zz", "defender": c["defenders"][0]["id"],
                "edge": "front"})),
        "enemy_as_attacker": lambda f, c: c.update(
            attackers=[{"id": "ru-b" if f.side() == 1 else "fr-b",
                        "formation": "line"}],
            contacts=[{"attacker": "ru-b" if f.side() == 1 else "fr-b",
                       "defender": d["id"], "edge": "front"}
                      for d in c["defenders"]]),
        "strength_differs": lambda f, c: first(c, "attackers").update(
            strength=9),
        "arm_differs": lambda f, c: first(c, "defenders").update(
            arm="dragoons"),
        "shaken_differs": lambda f, c: first(c, "defenders").update(
            shaken=True),
        "edge": lambda f, c: first(c, "contacts").update(edge="top"),
        "idle_unit": lambda f, c: c["contacts"].clear(),
        "unknown_member": lambda f, c: first(c, "attackers").update(moo=1),
        "combat_member": lambda f, c: c.update(moo=1),
        "artillery": lambda f, c: c.update(
            attackers=[{"id": "fr-g" if f.side() == 1 else "ru-g",
                        "formation": "limbered"}],
            contacts=[{"attacker": "fr-g" if f.side() == 1 else "ru-g",
                       "defender": d["id"], "edge": "front"}
                      for d in c["defenders"]]),
    }.items():
        add("declare_" + name, fits, bare=2, instead=declare(change))

    def gone_unit(forge, facts):
        name = sorted(forge.gone)[0]
        ours = name in forge.roster[forge.side()]
        facts["attackers" if ours else "defenders"].append(
            {"id": name, "formation": FORMATIONS[
                forge.roster[1 if name in forge.roster[1] else 2][name]["arm"]
            ][0]}
        )
        facts["contacts"].append(
            {
                "attacker": name if ours else facts["attackers"][0]["id"],
                "defender": facts["defenders"][0]["id"] if ours else name,
                "edge": "front",
            }
        )

    def fits_gone(forge, kind):
        names = [u["id"] for u in (forge.combat or {"facts": {
            "defenders": []}})["facts"]["defenders"]]
        return fits(forge, kind) and bool(forge.gone) and (
            sorted(forge.gone)[0] > min(names)
            or sorted(forge.gone)[0] in forge.roster[forge.side()]
        )

    add("declare_gone_unit", fits_gone, bare=2, instead=declare(gone_unit))

    def in_combat(forge):
        forge.combat_declared = {
            k: forge.combat["facts"][k]
            for k in ("attackers", "defenders", "contacts")
        }
        declare(lambda f, c: None)(forge)

    add("declare_in_combat", combat_open, bare=EITHER, instead=in_combat)


def enter_side_faults():
    """Faults of side lines and of the file (S2, S9)."""
    end = at("finished")

    def lines(change):
        def stage(forge, side):
            if len(side) < 2:
                raise NotHere
            return change(list(side))

        return stage

    def unnamed_text(forge, side):
        salt = "ab" * 32
        name = crypto.sha256(
            crypto.tag("text/1"), bytes.fromhex(salt), b"x"
        ).hex()
        line = {"text": name, "salt": salt, "value": "x"}
        texts = [s for s in side if s.startswith(b'{"text"')]
        rest = side[len(texts):]
        return sorted(texts + [form.compact(line).encode()]) + rest

    def unnamed_blob(forge, side):
        text = '{"blob":"bag","bag":["a"]}'
        name = crypto.sha256(crypto.tag("blob/1"), text.encode()).hex()
        line = form.compact({"blob": name, "value": text}).encode()
        texts = [s for s in side if s.startswith(b'{"text"')]
        return texts + sorted(side[len(texts):] + [line])

    def no_texts(forge, side):
        return [s for s in side if s.startswith(b'{"blob"')]

    def salted(side):
        out = []
        for line in side:
            out.append(line.replace(b'"salt":"', b'"salt": "'))
        if out == side:
            raise NotHere
        return out

    add("side_twice", end, side=lines(lambda s: s[:1] + s))
    add("side_turned_round", end, side=lines(lambda s: s[::-1]))
    add("side_blob_twice", end, side=lambda f, s: s + s[-1:])
    add("side_text_unnamed", end, side=unnamed_text)
    add("side_blob_unnamed", end, side=unnamed_blob)
    add("side_space", end, side=lines(salted))
    add("side_value", end, side=lambda f, s: [
        x.replace(b'"value":"', b'"value":"x', 1) for x in s])
    add("side_member", end, side=lambda f, s: [
        x[:-1] + b',"note":1}' for x in s])
    add("side_blob_missing", end, status=2, side=lambda f, s: [
        x for x in s if x.startswith(b'{"text"')])
    add("good_texts_erased", end, status=0, side=no_texts)
    add("file_last_lf", end, file=lambda f, d: d[:-1])
    add("file_crlf", end, file=lambda f, d: d.replace(b"\n", b"\r\n"))
    add("file_empty_line", end, file=lambda f, d: d + b"\n")
    add("file_empty", end, file=lambda f, d: b"")
    add("file_line_missing", end,
        file=lambda f, d: b"\n".join(
            line for i, line in enumerate(d.split(b"\n")) if i != 4))
    add("file_lines_swapped", end, file=lambda f, d: b"\n".join(
        swap_items(d.split(b"\n"), 2, 3)))
    add("file_first_line_missing", end,
        file=lambda f, d: d[d.index(b"\n") + 1:])
    add("file_line_after_side_lines", end,
        file=lambda f, d: d + f.raw[-1] + b"\n")


def swap_items(items, i, j):
    """Swap two items of a list."""
    items[i], items[j] = items[j], items[i]
    return items


def enter_roster_faults():
    """Faults of the roster, which only the rules show (S9)."""
    create = at("create")
    for name, change in {
        "kind": put("blob", "tables"),
        "system": put("system", "tlnb"),
        "member": put("note", 1),
        "side_3": lambda f, r: r["sides"].update({"3": {"units": []}}),
        "side_missing": drop("sides", "2"),
        "units_missing": drop("sides", "1", "units"),
        "same_id": lambda f, r: r["sides"]["1"]["units"].append(
            dict(UNITS[2][0])),
        "formation": lambda f, r: r["sides"]["1"]["units"].append(
            {**UNITS[1][0], "id": "x", "formation": "line"}),
        "strength": lambda f, r: r["sides"]["1"]["units"].append(
            {**UNITS[1][0], "id": "x", "strength": 0}),
        "arm": lambda f, r: r["sides"]["1"]["units"].append(
            {**UNITS[1][0], "id": "x", "arm": "train"}),
        "id": lambda f, r: r["sides"]["1"]["units"].append(
            {**UNITS[1][0], "id": "X"}),
        "too_many": lambda f, r: r["sides"]["1"]["units"].extend(
            {"id": "x%d" % i, "arm": "infantry", "strength": 3}
            for i in range(400)),
    }.items():
        def stage(forge, roster, change=change):
            roster = copy.deepcopy(roster)
            change(forge, roster)
            return roster

        add("roster_" + name, create, bare=EITHER, roster=stage)
    add("roster_blob_late", create,
        roster=lambda f, r: dict(reversed(r.items())))


def enter_server_faults():
    """Lines of the server, good and bad (S4.4)."""
    late = at("turn.end", "chat", "decide")

    def server(what, data, **more):
        def make(forge):
            told = data(forge) if callable(data) else data
            forge.write(
                "server",
                {"what": what, "data": told, **more, "events": []},
            )

        return make

    add("good_closed", late, status=0,
        instead=server("closed", WHY))
    add("closed_without_why", late, instead=server("closed", {}))
    add("closed_with_words", late,
        instead=server("closed", {"why": "the club is closed"}))
    add("server_what_unknown", late, status=2, instead=server("moo", {}))
    add("fault_line", at("turn.end"), status=2, instead=server(
        "fault", lambda f: {"seq": f.seq() - 1, "text": "division"}))
    add("server_seat", late, instead=lambda f: f.write(
        "server", {"what": "closed", "data": WHY, "seat": 1, "events": []}))
    add("server_dice", late, instead=lambda f: f.write(
        "server", {"what": "closed", "data": WHY, "dice": {}, "events": []}))
    add("server_no_events", late, instead=lambda f: f.write(
        "server", {"what": "closed", "data": WHY}))
    add("closed_with_pool", late, instead=server(
        "closed", WHY, pool="ab" * 32))
    add("closed_with_mark_of_nobody", late,
        instead=server("closed", WHY),
        server=lambda f, seed: OTHER_KEY)

    def line_after(forge):
        forge.faulty = False
        server("closed", WHY)(forge)
        forge.faulty = True
        line = forge.order(1, "chat", {"ref": "ab" * 32})
        forge.write("order", {**line, "events": []})

    add("line_after_closed", late, instead=line_after)


def enter():
    """Fill the table with the faults of this file."""
    enter_pool_faults()
    enter_dice_faults()
    enter_event_faults()
    enter_flow_faults()
    enter_side_faults()
    enter_roster_faults()
    enter_server_faults()
