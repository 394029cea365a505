# SPDX-License-Identifier: ISC
"""Who is told what of a tournament, and when, with nobody's help.

reminders.py: results as tournament.py prints them. Besides what that needs:
TOLD (the file to which notify_command appends), MAILS (that of the mail
server) and LOG (the daemon's, with debug). Everybody is away but while they do something.
"""

import json
import os
import re
import time

from tournament import Clock, Cup, Person, text_of, tell, todo, DAY, HOUR

TOLD, MAILS = os.environ["TOLD"], os.environ["MAILS"]
LOG = os.environ["LOG"]


class Guest(Person):
    """Somebody who goes away."""

    def come(self):
        """Be there again."""
        self.__init__(self.account, self.clock)

    def __enter__(self):
        self.come()
        return self

    def __exit__(self, *_):
        self.close()


def lines(path):
    """The lines of JSON in a file that is written to."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        return [json.loads(x) for x in f.read().split("\n")[:-1]]


class Told:
    """What notify_command was told since it was asked last."""

    def __init__(self, stranger):
        self.n = 0
        self.stranger = stranger

    def look(self):
        """Have the daemon look what is due: somebody comes and goes."""
        def looks():
            with open(LOG, encoding="utf-8") as f:
                return f.read().count("looked for notices")

        n = looks()
        with self.stranger:
            pass
        while looks() == n:
            time.sleep(0.02)

    def new(self, want):
        """Wait for as many things as want has; give all that came."""
        self.look()
        end = time.time() + 20
        while True:
            got = {}
            for message in lines(TOLD)[self.n:]:
                for row in message.get("tournaments", []):
                    got.setdefault(message["account"], []).append(row)
            if sum(len(x) for x in got.values()) >= want:
                break
            if time.time() > end:
                break
            time.sleep(0.05)
        self.n = len(lines(TOLD))
        return got

    def of(self, account, want):
        """Wait until all of want has come for an account; give its rows.

        That a round ends may have been told before it ended, or not.
        """
        self.look()
        end = time.time() + 20
        rows = []
        while time.time() < end and not want <= {x["what"] for x in rows}:
            rows = [row for message in lines(TOLD)[self.n:]
                    if message["account"] == account
                    for row in message.get("tournaments", [])
                    if row["what"] != "round-ends"]
            time.sleep(0.05)
        self.n = len(lines(TOLD))
        return rows

    def must(self, what, want):
        """A case: exactly this is told; give the rows by account."""
        got = self.new(sum(len(x) for x in want.values()))
        have = {a: sorted(x["what"] for x in rows)
                for a, rows in got.items()}
        tell(have == {a: sorted(x) for a, x in want.items()}, what, have)
        return got


def mail(wanted, to="anna"):
    """The newest mail to somebody, once it has what is wanted."""
    end = time.time() + 20
    while True:
        text = next((x["data"] for x in reversed(lines(MAILS))
                     if "<%s@localhost>" % to in x["to"][0]), "")
        text = text.replace("\r\n", "\n")
        if re.search(wanted, text) or time.time() > end:
            return text
        time.sleep(0.02)


def waits_for(game):
    """Who was told last that a game waits for them; None."""
    end = time.time() + 20
    while time.time() < end:
        for message in reversed(lines(TOLD)):
            for row in message["games"]:
                if row["game"] == game:
                    return message["account"]
        time.sleep(0.05)
    return None


def confirm_mail(who):
    """Give somebody a mail address."""
    with who:
        who.call("address.set", kind="mail",
                 value=who.account + "@localhost")
        wanted = r"--confirm ([a-z0-9]+)"
        code = re.search(wanted, mail(wanted, who.account)).group(1)
        reply = who.call("address.confirm", kind="mail", code=code)
    tell("result" in reply, "%s has a mail address" % who.account, reply)


def main():
    """One tournament."""
    clock = Clock()
    people = {n: Guest(n, clock) for n in (
        "dina", "anna", "bert", "carl", "dora", "emil", "fred", "otto")}
    dina = people["dina"]
    for p in people.values():
        if p is not dina:
            p.close()
    for name in ("anna", "bert", "carl", "dora"):
        confirm_mail(people[name])
    told = Told(people["otto"])
    cup = Cup(clock, dina, rounds=2, checkin_s=3 * 86400,
              start_s=3 * 86400, round_s=6 * 86400, late="director",
              notice_s=3600, gap_s=0, protest_s=86400,
              entry={"until": clock.text(clock.ms + DAY), "max": 64,
                     "admit": "open", "late": 2})
    cup.create()
    for name in ("anna", "bert", "carl", "dora", "emil"):
        with people[name]:
            cup.enter(people[name])
    dina.close()
    clock.later(DAY - HOUR)
    told.must("before its time nothing is told", {})
    clock.later(HOUR + 61000)
    told.must("a director, that entries can be ended", {"dina": ["shut"]})

    # Check-in.
    dina.come()
    cup.must(dina, "shut")
    dina.close()
    clock.later(61000)
    got = told.must("check-in is open", {
        n: ["checkin"] for n in ("anna", "bert", "carl", "dora", "emil")})
    until = clock.text(clock.ms - 61000 + 3 * DAY)
    tell(got["emil"][0]["until"] == until and
         got["emil"][0]["tournament"] == cup.id, "until when", got["emil"])
    text = mail("check-in is open")
    tell("\nSubject: umpire: your tournament\n" in text, "by mail, too", text)
    tell("\n  check-in is open\n" in text and
         "\n  To check in: umpire tournament checkin " + cup.id[:16] in text,
         "which says what to type", text)
    dina.come()
    for name in ("anna", "bert", "carl", "dora"):
        with people[name]:
            cup.must(people[name], "checkin", place="c/0")
    dina.close()
    clock.later(2 * DAY - HOUR)
    told.must("not yet a day before its end", {})
    clock.later(HOUR)
    told.must("a day before it is too late, who has not",
              {"emil": ["checkin-ends"]})
    clock.later(DAY)
    told.must("then the lots are a director's to draw", {"dina": ["start"]})

    # A round.
    dina.come()
    cup.must(dina, "start")
    cup.must(dina, "pair", {"round": 1})
    cup.show()
    tables = cup.view["pairings"][0]["tables"]
    seats = [[cup.entrants[t[s]] for s in "ab"] for t in tables]
    (a, b), (c, d) = seats
    dina.close()
    clock.later(61000)
    got = told.must("each is told their table", {
        n: ["table"] for n in ("anna", "bert", "carl", "dora")})
    text = (r"\n  round 1 of 2, table [12]: you have side ([12]) \(Side \1\) against \w+\n"
            r"  Scenario: Bridge\n  Be there by .*\n  The round ends .*\n"
            r"  To play: umpire tournament play " + cup.id[:16])
    tell(re.search(text, mail(text)), "in a mail, too", mail(""))
    row = got[b.account][0]
    tell([row[k] for k in ("round", "rounds", "table", "leg", "side",
                           "army", "opponent", "scenario")]
         == [1, 2, 1, 1, 2, "Side 2", a.account, "Bridge"]
         and row["until"] == clock.text(clock.ms - 61000 + 3 * DAY)
         and row["ends"] == clock.text(clock.ms - 61000 + 6 * DAY),
         "with all that they need", row)
    with a:
        dina.come()
        game = json.loads(cup.open(a, 1, 1, 1)["result"]["line"])["game"]
        dina.close()
    cup.games[game] = (a, b)
    clock.later(61000)
    got = told.must("who waits is told to the other",
                    {b.account: ["opponent"]})
    tell(got[b.account][0]["opponent"] == a.account, "by name", got)
    clock.later(2 * DAY)
    got = told.must("a day before it is too late, who has not come", {
        b.account: ["start-ends"], c.account: ["start-ends"],
        d.account: ["start-ends"]})
    with b, a:
        cup.play(game, b, 2, "join", b.seated(2))
        cup.play(game, b, 2, "ready", place=True)
        cup.play(game, a, 1, "ready", place=True)
        cup.turns(game)
    clock.later(DAY)
    told.look()
    wanted = (r"\nGame .*\n  Tournament .*, round 1, table 1\n(.*\n)+?"
              r"  To go on: umpire tournament play " + cup.id[:16] + r"\n")
    texts = [mail(wanted, x.account) for x in (a, b)
             if x.account == waits_for(game)]
    tell(texts and re.search(wanted, texts[0]),
         "a game's mail names tournament and table", texts)
    told.new(0)

    # A claim, and what it brings.
    dina.come()
    with c:
        opened = cup.open(c, 1, 1, 2)
        tell("result" in opened, "the other game is opened late", opened)
        line = cup.must(c, "claim", {"round": 1, "table": 2, "leg": 1})
    dina.close()
    clock.later(61000)
    got = told.must("a claim is told to whom it is against",
                    {d.account: ["claim", "opponent"]})
    claim = [x for x in got[d.account] if x["what"] == "claim"][0]
    tell(claim["by"] == c.account and claim["until"]
         == clock.text(clock.ms - 61000 + HOUR), "by whom, from when", claim)
    wanted = (c.account + r" claims that your time is over\n(  Scenario.*\n)?"
              r"  It can count from .* on; until then you can still play\n"
              r"(  The round.*\n)?  To play: umpire tournament play ")
    text = mail(wanted, d.account)
    tell(re.search(wanted, text), "and what can be done, in a mail", text)
    clock.later(HOUR)
    dina.come()
    with c:
        cup.must(c, "claim", {"to": line["seq"]})
    dina.close()
    clock.later(2 * DAY)
    got = told.must("who was not there, that it counts and they are out", {
        a.account: ["round-ends"], b.account: ["round-ends"],
        d.account: ["result", "out"]})
    rows = {x["what"]: x for x in got[d.account]}
    tell([rows["result"].get(k) for k in ("how", "by", "outcome", "table")]
         == ["absent", c.account, "loss", 2] and rows["out"]["round"] == 2,
         "with all that they need", rows)
    wanted = (r"that you did\s+not\s+come,\s+has\s+taken\s+effect; your game"
              r"(.*\n)+?  If that is wrong: umpire tournament protest "
              r"--table 1\.2 " + cup.id[:16] + r" WHY\n(.*\n)+?"
              r"  you did not come when you were due, and are out from round 2"
              r" of 2\s+on\n  If that is wrong: umpire tournament protest ")
    text = mail(wanted, d.account)
    tell(re.search(wanted, text), "and what to do if that is wrong", text)
    clock.later(DAY)
    dina.come()
    with a:
        line = cup.must(a, "claim", {"round": 1, "table": 1, "leg": 1})
    dina.close()
    clock.later(61000)
    told.must("that a game was not played in time is claimed, too",
              {b.account: ["claim"]})
    clock.later(HOUR)
    dina.come()
    with a:
        cup.must(a, "claim", {"to": line["seq"]})
    dina.close()
    clock.later(61000)
    got = told.new(2)
    rows = got.get("dina", [])
    tell([x["what"] for x in rows] == ["rule"]
         and rows[0]["players"] == [a.account, b.account],
         "a director, that a table waits", got)
    rows = got.get(b.account, [])
    tell(a.account not in got and [x["what"] for x in rows] == ["result"]
         and "outcome" not in rows[0] and rows[0]["how"] == "late",
         "and the other, that it is the director's now", got)

    # Rulings and protests.
    dina.come()
    why, texts = text_of("it was late")
    cup.must(dina, "ruling", {"why": why, "result": {
        "round": 1, "table": 1, "leg": 1, "value": "1"}}, texts=texts)
    dina.close()
    clock.later(61000)
    got = told.new(3)
    tell([x.get("outcome") for x in got[a.account]] == ["win"]
         and [x.get("outcome") for x in got[b.account]] == ["loss"]
         and got[b.account][0]["by"] == "dina",
         "a ruling, to those of the table", got)
    tell([x["what"] for x in got.get("dina", [])] == ["pair"],
         "and that the next round can be paired", got)
    dina.come()
    with b:
        why, texts = text_of("not fair")
        line = cup.must(b, "protest", {"round": 1, "table": 1, "why": why},
                        texts=texts)
    with people["fred"]:
        cup.enter(people["fred"])
    dina.close()
    clock.later(61000)
    got = told.must("a protest, and a late entry", {
        "dina": ["admit", "answer"], a.account: ["protest"]})
    dina.come()
    why, texts = text_of("it stands")
    cup.must(dina, "ruling", {"why": why, "answer": line["seq"]},
             texts=texts)
    cup.must(dina, "admit", {"entrant": 6, "say": "yes"})
    dina.close()
    clock.later(61000)
    got = told.new(2)
    tell([x.get("form") for x in got.get(b.account, [])] == ["answer"],
         "an answer, to who protested", got)

    # The last round: one has a bye, or is out; then the end.
    dina.come()
    cup.must(dina, "pair", {"round": 2})
    cup.show()
    pairing = cup.view["pairings"][1]
    dina.close()
    clock.later(61000)
    want = {cup.entrants[t[s]].account: ["table"]
            for t in pairing["tables"] for s in "ab"}
    want.update({cup.entrants[n].account: ["bye"] for n in pairing["bye"]})
    told.must("the next round", want)
    dina.come()
    why, texts = text_of("a fair")
    cup.must(dina, "ruling", {"why": why, "extend": {
        "round": 2, "seconds": 86400}}, texts=texts)
    dina.close()
    until = clock.text(clock.ms - 61000 + 7 * DAY)
    clock.later(61000)
    want = {n: ["ruling"] for n, what in want.items() if what == ["table"]}
    got = told.must("more time, to who has a table", want)
    rows = [x for who in got.values() for x in who]
    tell(all(x["until"] == until for x in rows), "until when", rows)
    if "anna" in want:
        wanted = r"there is more time\n(.*\n)?  Now the round ends "
        tell(re.search(wanted, mail(wanted)), "by mail, too", mail(""))
    dina.come()
    for t in pairing["tables"]:
        why, texts = text_of("a storm")
        cup.must(dina, "ruling", {"why": why, "result": {
            "round": 2, "table": t["table"], "leg": 1, "value": "="}},
            texts=texts)
    cup.must(dina, "finish")
    dina.close()
    clock.later(61000)
    got = told.new(6)
    tell(got["anna"][-1]["what"] == "over" and got["anna"][-1]["of"] == 5,
         "the final standings, to all who were in", got)
    tell("emil" not in got, "not to who was not", got)
    mail("it is over")
    long = [x for m in lines(MAILS) for x in m["data"].split("\r\n")
            if len(x) > 78 or not x.isascii()]
    tell(not long, "mails are short lines of ASCII", long)



def drawn():
    """A table of a knockout is drawn: who is away is told of one more game."""
    clock = Clock()
    clock.later(200 * DAY)
    people = {n: Guest(n, clock) for n in ("ruth", "sara", "theo", "ulf")}
    ruth = people["ruth"]
    told = Told(people["ulf"])
    cup = Cup(clock, ruth, format="knockout", late="draw", start_s=3 * 86400,
              round_s=6 * 86400)
    cup.create()
    for name in ("sara", "theo"):
        cup.enter(people[name])
    cup.start()
    cup.must(ruth, "pair", {"round": 1})
    cup.show()
    game = cup.game(1, 1)
    cup.turns(game)
    a, b = cup.games[game]
    told.n = len(lines(TOLD))
    b.close()
    clock.later(6 * DAY)
    line = cup.must(a, "claim", {"round": 1, "table": 1, "leg": 1})
    cup.must(a, "claim", {"to": line["seq"]})
    mine = todo(a, cup)
    tell([(x["what"], x["leg"], x.get("play_off")) for x in mine]
         == [("play", 2, True)], "todo asks for one more game", mine)
    for p in (ruth, a, people["ulf"]):
        p.close()
    clock.later(61000)
    rows = told.of(b.account, {"result", "table"})
    tell(sorted(x["what"] for x in rows) == ["result", "table"],
         "who is away is told that there is one more", rows)
    row = [x for x in rows if x["what"] == "table"][0]
    tell([row.get(k) for k in ("leg", "side", "opponent", "play_off", "until")]
         == [2, 1, a.account, True, clock.text(clock.ms - 61000 + 3 * DAY)],
         "which side they have, and until when", row)


def with_witness():
    """Lots are the witness's for a day, who is told; then anybody's."""
    clock = Clock()
    clock.later(100 * DAY)
    names = ("vera", "wanda", "willi", "gina", "hugo", "pia")
    people = {n: Guest(n, clock) for n in names}
    vera, wanda, willi = (people[n] for n in ("vera", "wanda", "willi"))
    told = Told(people["pia"])
    cup = Cup(clock, vera, rounds=1, scheme="live-1", confirm=True, options={
        "witness": wanda.keys["sign"], "witness_s": 25920}, witness={
            "dice_key": wanda.keys["dice"], **wanda.named()})
    reply = cup.create()
    tell("result" in reply, "a tournament with a witness", reply)
    cup.enter(people["gina"])
    cup.enter(people["hugo"])
    cup.must(vera, "shut")
    for name in ("gina", "hugo"):
        cup.must(people[name], "checkin", place="c/0")
    reply = cup.give(vera, "start")
    tell(reply.get("error", {}).get("data", {}).get("name") == "illegal",
         "the lots are not a director's", reply)
    why, texts = text_of("she is away")
    cup.must(vera, "ruling", {"why": why, "witness": {
        "dice_key": willi.keys["dice"], **willi.named()}}, texts=texts)
    reply = cup.give(wanda, "start")
    tell("the witness alone" in str(reply),
         "nor any more those of who was the witness", reply)
    for p in people.values():
        p.close()
    clock.later(61000)
    told.n = len(lines(TOLD))
    got = told.must("who is the witness now is told that lots are to be drawn",
                    {"willi": ["start"]})
    tell(got["willi"][0].get("witness") is True, "as what they are", got)
    clock.later(DAY)
    got = told.must("after a day a director", {"vera": ["start"]})
    vera.come()
    cup.must(vera, "start")
    tell(cup.show()["lots_without_witness"] is True,
         "who may then, and it shows", cup.view)
    vera.close()


main()
with_witness()
drawn()
