# SPDX-License-Identifier: ISC
"""Old backups put back under a tournament that goes on (cupback.sh).

As tournament.py it prints what it finds. It asks for the daemon by a line
"do WORDS", and reads the port that there then is.
"""

import json
import os
import subprocess
import sys

import tournament
from tournament import Cup, Person, head_of, line_of, name_of, tell, text_of

NAMES = ("dina", "anna", "bert", "carl", "emma")


def do(words):
    """Have something done to the daemon; all come back to it."""
    print("do " + words, flush=True)
    return sys.stdin.readline().strip()


class Club:
    """People, a tournament, and the copies that they hold."""

    def __init__(self):
        self.clock = tournament.Clock()
        self.port = os.environ["PORT"]
        self.people = {n: Person(n, self.clock) for n in NAMES}
        self.cup = Cup(self.clock, self.people["dina"], format="knockout")
        self.held = {}

    def come_again(self, names=NAMES):
        """Log in at the daemon that there is now."""
        for name in names:
            self.people[name] = Person(name, self.clock, self.port)
        cup = self.cup
        cup.director = self.people["dina"]
        cup.entrants = {n: self.people[p.account]
                        for n, p in cup.entrants.items()}
        cup.games = {g: tuple(self.people[p.account] for p in pair)
                     for g, pair in cup.games.items()}

    def put_back(self, words, names=NAMES):
        """A backup comes in the database's place."""
        for person in self.people.values():
            person.close()
        self.port = do("putback " + words)
        self.come_again(names)

    def keep(self):
        """Take copies of everything."""
        self.held = {None: self.cup.lines()}
        for game in self.cup.games:
            self.held[game] = self.cup.lines("game", game)

    def heal(self, who, game=None, lines=None, side=None):
        """Bring lines of the tournament, or of a game; return the reply."""
        held = self.held[game]
        method = "tournament" if game is None else "game"
        texts = [x for x in held[1] if x.startswith('{"text"')]
        return who.call(method + ".heal", **{
            method: game or self.cup.id,
            "lines": held[0] if lines is None else lines,
            "side": texts if side is None else side})

    def heal_all(self, who, game=None, step=6):
        """The same in pieces, which must all be taken."""
        lines = self.held[game][0]
        for at in range(0, len(lines), step):
            reply = self.heal(who, game, lines[at:at + step])
            if "result" not in reply:
                tell(False, "lines are brought back", reply)
                return {}
        return reply["result"]

    def same(self, what, game=None):
        """A case: the server has what is held, byte for byte."""
        method = "tournament" if game is None else "game"
        lines = self.cup.lines(method, game or self.cup.id)
        tell(lines == self.held[game], what, (
            len(lines[0]), len(self.held[game][0]), lines[1][-2:]))

    def is_waiting(self):
        """Whether the tournament waits for lines, to whom that is told."""
        lines = self.held[None][0]
        reply = self.people["dina"].call("tournament.heads", tournaments=[
            {"tournament": self.cup.id, "seq": 0, "head": head_of(lines[0])}])
        return reply["result"]["tournaments"][0].get("recovering")

    def lines(self):
        """The lines of the tournament as they are now, read."""
        return [json.loads(x) for x in self.cup.lines()[0]]


def want(what, error, reply):
    """A case: a reply ends so."""
    tell(name_of(reply) == error, what, reply)


def play(club, table, rnd=1):
    """A game of a table, played to its end: the lower number wins."""
    cup = club.cup
    t = cup.view["pairings"][rnd - 1]["tables"][table - 1]
    game = cup.game(rnd, table)
    cup.turns(game)
    cup.resign(game, 1 if t["a"] > t["b"] else 2)
    return game


def begin(club):
    """Entries, with a backup in every phase up to the first pairing."""
    cup = club.cup
    do("backup empty")
    cup.create()
    for name in NAMES[1:]:
        cup.enter(club.people[name])
    reference, texts = text_of("welcome")
    cup.must(club.people["dina"], "say", {"ref": reference}, texts=texts)
    do("backup entries")
    cup.must(club.people["dina"], "shut")
    cup.must(club.people["anna"], "checkin", place="c/0")
    cup.must(club.people["bert"], "checkin", place="c/0")
    club.pool = cup.pool
    do("backup checkin")
    for name in ("carl", "emma"):
        cup.must(club.people[name], "checkin", place="c/0")
    cup.must(club.people["dina"], "start")
    do("backup started")
    cup.must(club.people["dina"], "pair", {"round": 1})
    cup.show()
    do("backup paired")


def case_any():
    """With one copy left everything is as it was."""
    club = Club()
    cup, people = club.cup, club.people
    begin(club)
    play(club, 1)
    play(club, 2)
    do("backup played")
    cup.must(people["dina"], "pair", {"round": 2})
    cup.show()
    last = play(club, 1, 2)
    why, texts = text_of("so it was")
    cup.must(people["dina"], "say", {"ref": why}, texts=texts)
    do("backup last")
    cup.must(people["anna"], "finish")
    club.keep()
    cup.export("any")
    for place in ("checkin", "started", "paired", "played", "last"):
        club.put_back(place)
        people = club.people
        tell(club.is_waiting() is True,
             "%s: the tournament waits for its lines" % place)
        reply = people["anna"].call("tournament.heads", tournaments=[
            {"tournament": cup.id, "seq": len(club.held[None][0]) - 1,
             "head": head_of(club.held[None][0][-1])}])
        row = reply["result"]["tournaments"][0]
        tell(row["is"] == "ahead" and row["recovering"],
             "%s: who holds them is told that" % place, row)
        want("%s: it takes no orders" % place, "recovering",
             cup.give(people["dina"], "say", {"ref": why}))
        if place == "checkin":
            lines = club.held[None][0]
            want("a game whose pairing is not there is not taken", "missing",
                 club.heal(people["anna"], last))
            want("nor lines with a gap", "stale",
                 club.heal(people["anna"], None, lines[-2:]))
            forged = json.loads(lines[-1])
            forged["at"] = forged["at"][:-4] + "999Z"
            want("nor forged ones", "invalid", club.heal(
                people["anna"], None, lines[:-1] + [json.dumps(
                    forged, separators=(",", ":"))]))
            want("nor those of somewhere else", "invalid",
                 club.heal(people["anna"], None,
                           club.held[last][0][:1]))
            want("nor orders that were given once", "recovering",
                 cup.give(people["dina"], "start"))
        got = club.heal_all(people["bert"])
        tell(got.get("recovering") is False,
             "%s: with all lines it goes on" % place, got)
        club.same("%s: each line byte for byte" % place)
        for game in cup.games:
            got = club.heal_all(people["carl"], game, 9)
            tell(got.get("recovering") is False, "%s: a game too" % place,
                 got)
            club.same("%s: and byte for byte" % place, game)
        club.same("%s: which adds no line to the tournament" % place)
        tell(club.is_waiting() is False, "%s: nothing waits" % place)
        do("check")
    cup.export("again")
    # Nothing of it is left, accounts neither.
    club.put_back("empty", ())
    nobody = Person("nobody", club.clock, club.port)
    club.people["nobody"] = nobody
    got = club.heal_all(nobody)
    tell("result" in nobody.call("tournament.show", tournament=cup.id),
         "a tournament that is gone comes back", got)
    club.come_again(NAMES)
    club.same("with its accounts, each line byte for byte")
    for game in cup.games:
        club.heal_all(club.people["carl"], game, 9)
        club.same("and its games", game)
    do("check")


def case_none():
    """With none left `restored` does what the record says."""
    club = Club()
    cup, people = club.cup, club.people
    begin(club)
    opened = {table: play(club, table) for table in (1, 2)}
    for game in opened.values():
        reply = cup.play(game, cup.games[game][0], 1, "close")
        tell("result" in reply, "a result has a line behind it", reply)
    club.keep()
    # In a round: games that nobody's copy of the tournament speaks of.
    club.put_back("paired")
    people = club.people
    before = len(cup.lines()[0])
    for table in (2, 1):
        club.heal_all(people["anna"], opened[table], 9)
    tell(len(cup.lines()[0]) == before,
         "while it waits its games write no lines into it")
    waits = cup.open(cup.entrants[cup.view["pairings"][0]["tables"][0]["a"]],
                     1, 1, 1)
    want("and no game is opened", "recovering", waits)
    do("refuse " + cup.id)
    tell(len(club.lines()) == before, "it goes on waiting", cup.lines()[0][-1])
    do("admin restored " + cup.id)
    lines = club.lines()[before:]
    tell([x["what"] for x in lines] == [
        "restored", "game", "result", "game", "result"]
        and [x["data"].get("table") for x in lines[1:]] == [1, 1, 2, 2],
        "then these are derived, by table", [
            (x.get("what"), x.get("data")) for x in lines])
    lost = {x["data"]["game"]: x["data"] for x in lines
            if x["what"] == "result"}
    was = {x["data"]["game"]: x["data"] for x in map(
        json.loads, club.held[None][0]) if x.get("what") == "result"}
    tell(lost == was, "as they were", (lost, was))
    want("the lost lines are told from another history", "fork",
         club.heal(people["bert"]))
    do("said lost: tournament")
    cup.round(2)
    cup.must(people["anna"], "finish")
    cup.export("derived")
    do("check")
    # Games that come back only later.
    club.put_back("paired", ("dina", "anna", "bert", "carl", "emma"))
    people = club.people
    do("admin restored " + cup.id)
    tell(club.lines()[-1]["what"] == "restored", "nothing but that is there")
    for table in (2, 1):
        club.heal_all(people["emma"], opened[table], 9)
    lines = club.lines()[before:]
    tell([x["data"].get("table") for x in lines[1:]] == [2, 2, 1, 1],
         "a game that comes later has its lines then", [
             (x.get("what"), x.get("data")) for x in lines])
    cup.export("later")
    # The pairing itself: another one takes its place.
    club.put_back("started")
    people = club.people
    do("admin restored " + cup.id)
    club.clock.later(1000)
    cup.must(people["dina"], "pair", {"round": 1})
    want("a game of a pairing that did not come back is void", "missing",
         club.heal(people["anna"], opened[1]))
    cup.show()
    cup.games = {}
    play(club, 1)
    play(club, 2)
    cup.round(2)
    cup.must(people["bert"], "finish")
    cup.export("anew")
    # Before the start: all check in again.
    club.put_back("checkin")
    people = club.people
    do("admin restored " + cup.id)
    line = club.lines()[-1]
    tell(line["what"] == "restored" and line.get("pool") not in (
        None, club.pool), "between shut and start the pool moves", line)
    cup.pool = club.pool
    want("a check-in of before counts no more", "illegal",
         cup.give(people["carl"], "checkin", place="c/0"))
    want("nor under its place with the new pool", "illegal",
         give_with(cup, people["carl"], line["pool"], "c/0"))
    for name in NAMES[1:]:
        want("%s checks in again" % name, "line",
             give_with(cup, people[name], line["pool"], "c/1"))
    cup.must(people["dina"], "start")
    cup.games = {}
    cup.round(1)
    cup.round(2)
    cup.must(people["bert"], "finish")
    cup.export("lots")
    do("check")


def give_with(cup, who, pool, place):
    """A check-in with a pool."""
    cup.pool = pool
    return cup.give(who, "checkin", place=place)


def case_told():
    """Nobody knows what there was: those in and a director tell."""
    club = Club()
    cup, people = club.cup, club.people
    begin(club)
    club.keep()
    lines = club.held[None][0]
    club.put_back("paired --restored")
    people = club.people

    def heads(name):
        reply = people[name].call("tournament.heads", tournaments=[
            {"tournament": cup.id, "seq": len(lines) - 1,
             "head": head_of(lines[-1])}])
        return reply["result"]["tournaments"][0]

    for name in ("anna", "bert", "carl", "emma"):
        row = heads(name)
        tell(row["is"] == "same" and row["recovering"],
             "%s has the same, and it waits" % name, row)
    row = heads("dina")
    tell(row["recovering"] is False, "with a director all have told", row)
    tell(club.lines()[-1]["what"] == "restored", "which proves nothing",
         club.lines()[-1])
    # Set back with the file: the first line that comes tells.
    club.put_back("started --file")
    people = club.people
    tell(club.is_waiting() is False, "a machine set back knows nothing")
    game = club.heal_all(people["carl"])
    tell(game.get("recovering") is True and club.is_waiting() is True,
         "the first line that comes back makes all wait", game)
    club.same("each line is there again")
    # A cheat came first: both histories are evidence, nothing is joined.
    club.put_back("started --file")
    people = club.people
    club.clock.later(2000)
    reply = cup.give(people["dina"], "pair", {"round": 1})
    want("another history is begun", "line", reply)
    reply = club.heal(people["bert"])
    want("the lines of the first are not joined", "fork", reply)
    do("said equivocation: tournament")
    row = heads("bert")
    tell(row["is"] == "other", "who holds them is told so", row)


def marked(line, change):
    """Another line in its place, with the server's mark."""
    line = json.loads(line)
    change(line)
    return subprocess.run(
        [os.path.join(os.environ["TOOLS"], "perjurer"), "mark",
         os.environ["SERVER"]], check=True, stdout=subprocess.PIPE, text=True,
        input=json.dumps(line, separators=(",", ":")) + "\n").stdout.strip()


def case_swiss():
    """Rounds that take long to be paired keep no game waiting."""
    club = Club()
    cup = club.cup
    cup.terms.update(format="swiss", rounds=2)
    begin(club)
    club.keep()
    lines = club.held[None][0]

    def sides(line):
        line["events"][0]["tables"][0].reverse()

    club.put_back("started")
    got = club.heal_all(club.people["anna"])
    tell(got.get("recovering") is False, "with all lines it goes on", got)
    club.same("each line of it byte for byte")
    do("check")
    cup.export("swiss")
    club.put_back("started")
    got = club.heal(club.people["anna"], lines=[marked(lines[-1], sides)])
    tell("result" in got, "a pairing that the server marked is not worked"
         " out again", got)
    # A text that nobody has brought back yet.
    ref = json.loads(next(x for x in club.held[None][1]
                          if x.startswith('{"text"')))["text"]
    club.put_back("empty", ())
    nobody = Person("nobody", club.clock, club.port)
    for at in range(0, len(lines), 6):
        club.heal(nobody, lines=lines[at:at + 6], side=[])
    club.come_again()
    reply = club.people["anna"].call(
        "text.erase", tournament=cup.id, ref=ref)
    want("a lost text is erased by nobody but who wrote it", "denied", reply)
    reply = club.people["dina"].call(
        "text.erase", tournament=cup.id, ref=ref)
    tell("result" in reply, "by whom it is", reply)
    club.heal(nobody, lines=lines[:1])
    left = [x for x in cup.lines()[1] if ref in x]
    tell(left == [], "and does not come back", left)


class Elsewhere(Person):
    """Somebody with other keys, who says that they are another."""

    def __init__(self, name, account, club):
        self.club = account
        super().__init__(name, club.clock, club.port)

    def ask(self, line):
        """Do not register: the account is there."""
        if line.startswith(("register ", "login ")):
            line = "login " + self.club
            self.account = self.club
            self.first = super().ask(line)
            return self.first
        return super().ask(line)


def case_keys():
    """Keys of an account: dice keys, and another by the operator's word."""
    club = Club()
    cup, people = club.cup, club.people
    cup.create()
    for name in NAMES[1:]:
        cup.enter(people[name])
    anna, dina = people["anna"], people["dina"]
    spare = Elsewhere("spare", "nobody-yet", club)
    fresh = {"dice_key": spare.keys["dice"]}
    want("a dice key of somebody else is refused", "illegal", cup.give(
        anna, "dice-key", {"dice_key": people["bert"].keys["dice"]}))
    cup.must(dina, "shut")
    want("between the end of entries and the lots none changes", "illegal",
         cup.give(anna, "dice-key", fresh))
    for name in NAMES[1:]:
        cup.must(people[name], "checkin", place="c/0")
    cup.must(dina, "start")
    cup.must(dina, "pair", {"round": 1})
    cup.show()
    number = next(n for n, p in cup.entrants.items() if p is anna)
    table = next(t for t in cup.view["pairings"][0]["tables"]
                 if number in (t["a"], t["b"]))
    # A game that runs, while the key is lost.
    other = next(t for t in cup.view["pairings"][0]["tables"]
                 if t is not table)
    play(club, other["table"])
    new = Elsewhere("anna-anew", "anna", club)
    tell(name_of(new.first) != "line" and "error" in new.first,
         "who has no key of the account is not let in", new.first)
    reply = json.loads(do("key anna %s %s" % (new.keys["sign"], cup.id)))
    line = club.lines()[-1]
    tell(line["what"] == "operator-key" and line["data"]["account"] == "anna"
         and line["data"]["key"] == new.keys["sign"]
         and reply["tournaments"][0]["waits_for"] == ["dina"],
         "the operator proposes it", (line, reply))
    reference, texts = text_of("still here")
    want("until a director accepts the old one is good", "line",
         cup.give(anna, "say", {"ref": reference}, texts=texts))
    why, texts = text_of("I know her voice")
    want("which she herself is not", "illegal",
         cup.give(anna, "ruling", {"why": why, "accept": line["seq"]},
                  texts=texts))
    cup.must(dina, "ruling", {"why": why, "accept": line["seq"]},
             texts=texts)
    tell("result" not in anna.call("tournament.todo"),
         "then the old one's session is cut")
    anna.close()
    again = Elsewhere("anna", "anna", club)
    tell("error" in again.first, "and is let in no more", again.first)
    again.close()
    new = Elsewhere("anna-anew", "anna", club)
    tell("error" not in new.first, "the new one is", new.first)
    reference, texts = text_of("back again")
    want("and signs for her", "line",
         cup.give(new, "say", {"ref": reference}, texts=texts))
    want("with a dice key of hers, too", "line",
         cup.give(new, "dice-key", {"dice_key": new.keys["dice"]}))
    people["anna"] = new
    cup.entrants = {n: people[p.account] for n, p in cup.entrants.items()}
    game = play(club, table["table"])
    tell(len(cup.results().get(game, [])) == 1,
         "she plays what is drawn", cup.results())
    cup.round(2)
    cup.must(people["bert"], "finish")
    cup.export("keys")
    do("check")
    # Words: a director's reason is erased by who wrote it, a chat by the
    # operator.
    refs = [json.loads(x)["text"] for x in cup.lines()[1]
            if x.startswith('{"text"')]
    want("another's words are not erased", "denied",
         new.call("text.erase", tournament=cup.id, ref=why))
    reply = dina.call("text.erase", tournament=cup.id, ref=why)
    tell(reply.get("result", {}).get("is_new") is True,
         "one's own are", reply)
    do("admin erase %s %s" % (cup.id, reference))
    left = [json.loads(x)["text"] for x in cup.lines()[1]
            if x.startswith('{"text"')]
    tell(sorted(left + [why, reference]) == sorted(refs),
         "they are gone from the record's side lines", (refs, left))
    reply = dina.call("tournament.record", tournament=cup.id, erased=0)
    tell(sorted(reply["result"]["erased"]) == sorted([why, reference]),
         "which says so", reply["result"].get("erased"))
    do("nowhere know her voice")
    do("nowhere back again")
    do("admin close " + cup.id)
    tell(club.lines()[-1]["what"] == "closed", "the operator ends it",
         club.lines()[-1])
    want("and nothing follows", "illegal",
         cup.give(people["bert"], "say", {"ref": reference}, texts=texts))
    cup.export("closed")


if __name__ == "__main__":
    globals()["case_" + sys.argv[1]]()
