# SPDX-License-Identifier: ISC
"""A Swiss whose server is gone, and that goes on with another.

cup_continues.py before: it is opened, and played into its second round.
cup_continues.py enter, play: it goes on elsewhere.  Everybody has two profiles,
one for each server; games are played by sessions of tests/tools/forge.  Results
are printed as tournament.py does it; NOW_MS is the time, and the file "now" has
it at the end.
"""

import json
import os
import re
import shutil
import sys

from director import Director, Players
from tournament import DAY, HOUR, Clock, Person, head_of, name_of, tell

HOMES, OUT = os.environ["HOMES"], os.environ["OUT"]
PLAYERS = os.environ["PLAYERS"]
NAMES = ("anna", "bert", "carl", "dave", "emil")


def person(name, clock):
    """An account, with the recovery key that its profile has."""
    who = Person(name, clock)
    path = os.path.join(os.environ["PLAYERS"], name, "recovery.pub")
    with open(path, encoding="utf-8") as f:
        who.stated["recovery"] = f.read().strip()
    return who


def here(clock):
    """A client of everybody's."""
    return {n: Director(clock, os.path.join(HOMES, n))
            for n in ("dina", "zora") + NAMES}


def case_before():
    """Up to the middle of round 2, of which one result is there."""
    clock = Clock()
    who = here(clock)
    who["dina"].run("umpire tournament new --event 'Autumn Cup' --swiss 3 "
                    "--late 2 --byes 1 --deputy bert --start 1d "
                    "--roster lasalle2-evening --admit --yes")
    address = re.search(r"umpire://\S+/([0-9a-f]{64})#\S+", who["dina"].out)
    for name in NAMES:
        who[name].run("umpire tournament enter %s --yes" % address.group(0))
        if name == "bert":
            # What has not been started cannot be continued.
            who[name].run("umpire tournament export autumn-cup %s/early"
                          % OUT)
    who["bert"].run("umpire tournament deputy autumn-cup")
    who["dina"].run("umpire tournament admit autumn-cup --all")
    who["dina"].run("umpire tournament shut autumn-cup --yes")
    for name in NAMES:
        who[name].run("umpire tournament checkin autumn-cup")
    who["dina"].run("umpire tournament start autumn-cup")
    people = [person(n, clock) for n in NAMES]
    cup = Players(clock, address.group(1), people[0])
    cup.entrants = {i + 1: p for i, p in enumerate(people)}
    who["dina"].run("umpire tournament pair autumn-cup")
    cup.show()
    for table in (1, 2):
        cup.fight(1, table)
    clock.later(DAY + HOUR)
    who["emil"].run("umpire tournament byes autumn-cup 3")
    who["dina"].run("umpire tournament pair autumn-cup")
    cup.show()
    cup.fight(2, 1)
    cup.game(2, 2)
    # A player's copy, and a director's.
    who["anna"].run("umpire tournament export autumn-cup %s/old" % OUT)
    who["dina"].run("umpire tournament show autumn-cup")
    view = cup.show()
    with open(OUT + "/view", "w", encoding="utf-8") as out:
        json.dump(view, out)
    tell(view["round"] == 2, "round 2 is being played", view["round"])


def spoil(name, change):
    """A copy of the player's export whose tournament has other lines."""
    folder = os.path.join(OUT, name)
    shutil.copytree(OUT + "/old", folder)
    path = folder + "/tournament.jsonl"
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(change(lines)))
    return folder


def wrong_new(who):
    """What is no tournament to go on with, and terms that are not free."""
    def refused(what, status, said, command, name="dina"):
        got, out, why = who[name].look("--profile two tournament new "
                                       "--yes --continues " + command)
        tell(got == status and said in why and not out, what, (got, out, why))

    refused("only its director goes on with it", 77, "only an account",
            "autumn-cup", "anna")
    refused("terms stay", 64, "--swiss: the terms are those",
            "autumn-cup --swiss 4")
    refused("dice stay, too", 64, "from two hands",
            "autumn-cup --witness w:%s" % ("0" * 66))
    refused("what is nowhere is not found", 66, "neither a file",
            "winter-cup")
    refused("nor one before its start", 65, "has not been started",
            OUT + "/early")
    refused("nor a game", 65, "not the record of a tournament",
            next(OUT + "/old/" + n for n in sorted(os.listdir(OUT + "/old"))
                 if n != "tournament.jsonl"))
    refused("nor one with another byte", 65, "bad at line",
            spoil("other", lambda x: [y.replace('"anna"', '"anja"')
                                      if i == 1 else y
                                      for i, y in enumerate(x)]))
    refused("nor one that lacks a line", 65, "bad at line",
            spoil("short", lambda x: x[:9] + x[10:]))
    refused("nor one without its rosters", 65, "lacks rosters",
            spoil("bare", lambda x: [y for y in x
                                     if not y.startswith('{"blob"')]))


def bring(dina, lines, head=None, seq=None, first=0, most=20):
    """Give the server lines by hand; the last reply."""
    reply = None
    last = json.loads(lines[-1])
    for at in range(first, len(lines) + 1, most):
        reply = dina.call(
            "tournament.former", tournament=last["tournament"],
            seq=last["seq"] if seq is None else seq,
            head=head or head_of(lines[-1]), lines=lines[at:at + most])
        if "result" not in reply:
            break
    return reply


def old_lines():
    """The lines of the old record."""
    with open(OUT + "/old/tournament.jsonl", encoding="utf-8") as f:
        return [x for x in f.read().split("\n") if x.startswith('{"v":')]


def case_half():
    """Some of it comes, before the server is killed."""
    lines = old_lines()
    reply = bring(person("dina", Clock()), lines[:10],
                  head_of(lines[-1]), len(lines) - 1)
    tell(reply.get("result", {}).get("seq") == 9
         and not reply["result"]["complete"], "ten lines are brought", reply)


def wrong_bring(dina, zora, lines):
    """What the method refuses."""
    reply = dina.call(
        "tournament.former", tournament=json.loads(lines[0])["tournament"],
        seq=len(lines) - 1, head=head_of(lines[-1]), lines=[])
    tell(reply.get("result", {}).get("seq") == 9,
         "what has come before is still there", reply)
    reply = dina.call(
        "tournament.former", tournament=json.loads(lines[0])["tournament"],
        seq=len(lines) - 1, head=head_of(lines[-1]), lines=lines[5:12])
    tell(reply.get("result", {}).get("seq") == 11,
         "some of it once more does no harm", reply)
    reply = bring(zora, lines)
    tell(name_of(reply) == "denied", "who opens no tournaments", reply)
    reply = bring(dina, lines, first=15)
    tell(name_of(reply) == "missing", "lines without those before", reply)
    reply = bring(dina, lines, head="0" * 64)
    tell(name_of(reply) == "invalid", "with another last one", reply)
    reply = bring(dina, lines[:3] + lines[4:])
    tell(name_of(reply) == "invalid", "with a gap", reply)
    reply = bring(dina, lines, seq=5)
    tell(name_of(reply) == "invalid", "more than there are to be", reply)
    reply = bring(dina, lines[:-1] + [lines[0]], head=head_of(lines[-1]))
    tell(name_of(reply) == "invalid", "the first after the last", reply)
    reply = bring(dina, ["{}"] + lines[1:])
    tell(name_of(reply) == "invalid", "no line", reply)
    # Form and chain hold; what they say does not.
    forged = [json.loads(x) for x in lines]
    forged[2]["by"] = "zora"
    for i in range(2, len(forged)):
        forged[i]["prev"] = head_of(forged[i - 1]) if isinstance(
            forged[i - 1], str) else forged[i]["prev"]
        forged[i] = json.dumps(forged[i], separators=(",", ":"))
    forged = lines[:2] + forged[2:]
    reply = bring(dina, forged)
    tell(name_of(reply) == "illegal" and "line 2" in str(reply),
         "what is marked by nobody is judged at the end", reply)
    reply = bring(dina, lines[:9])
    tell(name_of(reply) == "illegal" and "started" in str(reply),
         "nor is kept what has not been started", reply)


def case_enter():
    """Opened again, and entered, the wrong things first."""
    clock = Clock()
    who = here(clock)
    wrong_bring(person("dina", clock), person("zora", clock), old_lines())
    wrong_new(who)
    dina_new = ("umpire --profile two tournament new --continues %s/old "
                "--entries 1d --yes" % OUT)
    who["dina"].run(dina_new)
    address = re.search(r"umpire://\S+/([0-9a-f]{64})#\S+", who["dina"].out)
    with open(OUT + "/address", "w", encoding="utf-8") as out:
        out.write(address.group(0))
    enter = "--profile two tournament enter %s --yes" % address.group(0)
    status, out, why = who["zora"].look(enter)
    tell(status == 77 and "only those enter who played there" in why,
         "somebody new does not enter", (status, why))
    for words, status, said in (
            ("--was 9", 65, "nobody had the number"),
            ("--was 2", 77, "none of your profiles"),
            ("--was x", 64, "--was takes")):
        got, out, why = who["anna"].look(enter + " " + words)
        tell(got == status and said in why, "anna does not enter with "
             + words, (got, why))
    for name in ("anna", "bert", "carl", "dave"):
        status, out, why = who[name].look(enter)
        tell(status == 0 and "as number %d" % (NAMES.index(name) + 1) in out
             and "signs that your key here follows" in why,
             "%s enters, and has their number" % name, (status, out, why))
    status, out, why = who["anna"].look(enter)
    tell(status == 0 and "already, as number 1" in out, "once", out + why)
    status, out, why = who["dina"].look(
        "--profile two tournament show autumn-cup")
    tell(status == 0 and re.search(r"5 +emil +.*to enter", out)
         and "after its line" in out, "emil is still to enter", out + why)
    status, out, why = who["dina"].look(
        "--profile two tournament remind autumn-cup")
    tell(status == 0 and re.search(r"emil.* enter", out)
         and "anna" not in out, "and the director reads who is", out + why)
    wrong_orders(clock, address.group(1))
    with open(OUT + "/now", "w", encoding="utf-8") as out:
        out.write(str(clock.ms))


def wrong_orders(clock, cup_id):
    """What no client sends."""
    zora, emil = person("zora", clock), person("emil", clock)
    cup = Players(clock, cup_id, zora)

    def enter(person, **args):
        return cup.give(person, "enter", {
            "dice_key": person.keys["dice"], **person.named(), **args})

    reply = enter(zora)
    tell(name_of(reply) == "illegal", "an entry says who one was", reply)
    reply = enter(zora, was=5)
    tell(name_of(reply) == "illegal" and "valid there" in str(reply),
         "nobody is somebody else", reply)
    reply = enter(zora, was=1)
    tell(name_of(reply) == "illegal" and "is taken" in str(reply),
         "nor who has entered", reply)
    reply = enter(zora, was=6)
    tell(name_of(reply) == "illegal" and "nobody had" in str(reply),
         "nor nobody", reply)
    # A statement that another key than emil's has signed.
    text = zora.ask("statement zora")
    reply = enter(zora, was=5, statements=[
        {k: text[k] for k in ("statement", "key", "sig")}])
    tell(name_of(reply) == "illegal", "nor by their own word", reply)
    reply = emil.call("tournament.todo")
    tell(reply["result"]["tournaments"] == [],
         "an account that is called as one of them is not here", reply)


def case_play():
    """To the end, without one who entered and one who did not."""
    clock = Clock()
    who = here(clock)
    with open(OUT + "/address", encoding="utf-8") as f:
        cup_id = re.search(r"([0-9a-f]{64})#", f.read()).group(1)
    with open(OUT + "/view", encoding="utf-8") as f:
        before = json.load(f)
    dina = who["dina"]
    clock.later(HOUR)
    dina.run("umpire --profile two tournament shut autumn-cup --yes")
    for name in ("anna", "bert", "carl"):
        who[name].run("umpire --profile two tournament checkin autumn-cup")
    status, out, why = who["emil"].look(
        "--profile two tournament checkin autumn-cup")
    tell(status in (66, 77), "emil does not check in", (status, out, why))
    status, out, why = dina.look("--profile two tournament start autumn-cup")
    tell(status != 0, "dave is waited for", out + why)
    clock.later(2 * DAY + HOUR)
    dina.run("umpire --profile two tournament start autumn-cup")
    people = {i + 1: person(n, clock) for i, n in enumerate(NAMES[:3])}
    cup = Players(clock, cup_id, people[1])
    cup.entrants = people
    tell(cup.view["round"] == 1 and cup.view["pairings"][0]["tables"][0]["a"]
         == before["pairings"][0]["tables"][0]["a"], "round 1 stays",
         cup.view["pairings"])
    tell([x["in"] for x in cup.view["entrants"]]
         == [True, True, True, False, False],
         "who did not check in is out", cup.view["entrants"])
    tell([x.get("lot") for x in cup.view["entrants"]]
         == [x.get("lot") for x in before["entrants"]], "lots stay",
         cup.view["entrants"])
    status, out, why = dina.look(
        "--profile two tournament rule autumn-cup back 5 --why x --yes")
    tell(status != 0, "who has not entered is not taken back", out + why)
    for rnd in (2, 3):
        clock.later(DAY + HOUR)
        dina.run("umpire --profile two tournament pair autumn-cup")
        cup.show()
        tables = cup.view["pairings"][rnd - 1]["tables"]
        tell(len(tables) == 1, "round %d has one table of three" % rnd,
             cup.view["pairings"][rnd - 1])
        cup.fight(rnd, 1)
    clock.later(3 * DAY)
    dina.run("umpire --profile two tournament finish autumn-cup --yes")
    status, out, why = who["carl"].look(
        "--profile two tournament standings autumn-cup --why 1")
    tell(status == 0, "standings go over both servers", why)
    status, out, why = who["carl"].look(
        "--profile two tournament export autumn-cup %s/new" % OUT)
    tell(status == 0 and "not on this machine" in why,
         "the export says what it lacks", (status, out, why))
    with open(OUT + "/now", "w", encoding="utf-8") as out:
        out.write(str(clock.ms))


def case_evidence():
    """Files of evidence: of an entry that the old record refuses."""
    sys.path.insert(0, os.path.join(os.environ["top_srcdir"],
                                    "tests", "oracle"))
    from forge import ed_sign  # pylint: disable=import-outside-toplevel
    import record_crypto as crypto  # pylint: disable=C0415

    def secret(path):
        with open(path, encoding="utf-8") as f:
            return bytes.fromhex(f.read().strip())

    key = secret(sys.argv[2])
    folder = sys.argv[3]
    with open(folder + "/tournament.jsonl", encoding="utf-8") as f:
        lines = [x for x in f.read().split("\n") if x.startswith('{"v":')]
    former = json.loads(json.loads(lines[0])["order"])["args"]["continues"]
    with open("%s/%s.jsonl" % (folder, former["tournament"]),
              encoding="utf-8") as f:
        before = [x for x in f.read().split("\n") if x]
    # The first entry, with the number of somebody else.
    at = next(i for i, x in enumerate(lines)
              if '\\"kind\\":\\"enter' in x)

    def write(name, line, after):
        head = {"evidence": 1, "server": json.loads(
            json.loads(lines[0])["order"])["server"],
            "tournament": json.loads(line)["tournament"], "seq": at,
            "what": "unlawful", "why": "", "hash": head_of(line),
            "arrived": json.loads(line)["at"], "line": line}
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write("\n".join(
                [json.dumps(head)] + lines[:at] + after) + "\n")

    write("good", lines[at], before)
    bad = json.loads(lines[at])
    del bad["mark"]
    bad["order"] = bad["order"].replace('"was":1', '"was":2')
    bad["sig"] = ed_sign(secret(PLAYERS + "/anna/sign.key"), crypto.tag(
        "entry/1") + bad["order"].encode()).hex()
    body = json.dumps(bad, separators=(",", ":"))[:-1]
    mark = ed_sign(key, crypto.tag("mark/1") + crypto.sha256(body.encode()))
    bad = body + ',"mark":"%s"}' % mark.hex()
    write("bad", bad, before)
    write("bare", bad, [])


try:
    globals()["case_" + sys.argv[1]]()
except Exception as failed:  # pylint: disable=broad-except
    tell(False, "the case comes to its end", repr(failed))
    raise
