# SPDX-License-Identifier: ISC
"""Games of a tournament: umpire-tournament-record.7, S16, S19.1, S21.1."""

from record_form import Bad, is_same, want
from tournament_form import GAME_TERMS
from tournament_rounds import PLAYED

HOWS = {
    "resign": ("1", "2", "+", "-"),
    "forfeit": ("1", "2", "+", "-"),
    "cancel": ("+", "-"),
    "agreed": ("1", "2"),
    "ruling": ("1", "2", "="),
    "draw": ("=",),
    "stopped": ("?",),
    "closed": ("?",),
    "halted": ("?",),
}


class Matches:
    """Games and their results; Tournament has the rest."""

    def track(self, name):
        """The track of a game; None: not at hand."""
        if not self.games:
            return None
        try:
            return self.shelf.track(name)
        except Bad as e:
            raise Bad("game %s: %s" % (name[:8], e)) from None

    def take_game(self, data, seq):
        """A game was opened."""
        rnd, table, leg = self.find_leg(data)
        want(not leg.done(), "a game of a leg that has a result")
        want(leg.game is None, "a second game of a leg")
        want(data["game"] not in self.game_lines, "a game twice")
        leg.game = data["game"]
        self.game_lines[data["game"]] = (seq, rnd, table, leg)
        self.results_of[data["game"]] = []
        track = self.track(data["game"])
        if track is None:
            return
        self.check_create(track.orders[0][1], rnd, table, leg, seq)

    def check_create(self, args, rnd, table, leg, seq):
        """Hold a game's create against the terms (S16)."""
        told = {
            "tournament": self.id.hex(), "paired": rnd.seq,
            "line": rnd.line, "leg": leg.number, "round": rnd.number,
            "table": table.number, "event": self.terms["event"],
        }
        want(self.track(leg.game).states[0].at <= self.at_ms,
             "the game was opened later than this line")
        for name, value in told.items():
            want(is_same(args.get(name), value), "the game's %s is wrong",
                 name)
        scenario = self.terms["scenarios"][rnd.scenario]
        same = {name: self.args.get(name) for name in GAME_TERMS}
        same.update({name: scenario[name]
                     for name in ("roster", "rulings", "tables")})
        same["rules"] = self.rules_of(rnd.number)
        if self.witness is not None:
            same["options"] = {
                **self.args["options"], "witness": self.witness["key"]}
        for name, value in same.items():
            want(is_same(args.get(name), value),
                 "the game's %s is not that of the terms", name)
        want(args["seat"] in (1, 2), "the game is opened from no side")
        who = self.entrants[table.entrant(args["seat"], leg)]
        want(args["account"] == who.account, "opened by another account")
        want(args["key"] in self.valid_keys(who.account),
             "opened with a key that is not valid")
        want(args["dice_key"] == who.dice_key,
             "opened with another dice key")

    def rules_of(self, number):
        """The rules version of the games of a round."""
        version = self.terms["rules"]
        for since, told in self.rules:
            if since <= number:
                version = told
        return version

    def check_joins(self, name):
        """Hold a game's joins against the tournament."""
        seq, _, table, leg = self.game_lines[name]
        track = self.track(name)
        if track is None or name in self.void_games:
            return
        seated = {args["account"] for _, args in track.orders}
        for _, args in track.orders[1:]:
            seat, account = args["seat"], args["account"]
            if seat in (1, 2):
                who = self.entrants[table.entrant(seat, leg)]
                want(account == who.account, "joined by another account")
                keys = [k for since, k in who.dice_keys if since <= seq][-1:]
                keys += [k for since, k in who.dice_keys if since > seq]
                want(args["dice_key"] in keys, "joined with another dice key")
            elif seat == 0:
                want(account in self.directors, "directed by somebody else")
            else:
                want(seat == 254, "a seat of nobody")
            if seat != 254:
                want(args["key"] in self.keys_since(account, seq),
                     "joined with a key that is not valid")
        want(len(seated) == len(track.orders), "an account in two seats")

    def want_told(self, data):
        """Want a result that its how may have."""
        want(data["how"] in HOWS, "how is unknown")
        want(data["result"] in HOWS[data["how"]],
             "a result that its how does not bring")
        want(data["result"] in PLAYED or data["bp"] == 0, "bp is wrong")

    def take_result(self, data, seq):
        """A game is over."""
        rnd, table, leg = self.find_leg(data)
        want(data["game"] in self.game_lines
             and leg.game == data["game"], "a game of another leg")
        want(not leg.done(), "the leg has a result")
        lines = self.results_of[data["game"]]
        want(not lines or (
            lines[-1]["how"] == "halted" and data["result"] != "?"),
            "a second result of a game")
        self.want_told(data)
        bp = data["bp"]
        track = self.track(data["game"])
        if track is not None:
            bp = self.check_result(track, data, len(lines))
        lines.append(data)
        leg.by_game = data["result"] != "?"
        leg.game_bp = bp
        leg.absent = set()
        self.give(rnd, table, leg, data["result"], bp, data["how"],
                  told=False)

    def check_result(self, track, data, count):
        """Hold a result against its game; return the battle points."""
        if track.has_lost(data["seq"], data["line"]):
            self.note_lost(data["game"])
            return data["bp"]
        state = track.at_line(data["seq"], data["line"])
        want(state.at <= self.at_ms, "the game ended later than this line")
        endings = track.endings()
        want(count < len(endings) and endings[count].seq == data["seq"],
             "line %d does not end the game", data["seq"])
        result, bp, how = state.result(self.terms["resign"])
        if bp is None:
            self.notes.append("battle points are taken from the record")
            bp = data["bp"]
        want((data["result"], data["how"]) == (result, how),
             "the game's result is %s by %s", result, how)
        want(data["bp"] == bp, "the battle points are %d", bp)
        return bp

    def note_lost(self, name):
        """Say that a game's line was lost that this record names."""
        self.notes.append(
            "line %d names a line that game %s has lost" % (
                self.seq + 1, name[:8]))

    def expected_result(self, name):
        """The data of the next result line of a game; None: none is due."""
        seq, rnd, table, leg = self.game_lines[name]
        track = self.track(name)
        if track is None or leg.game != name or leg.done() or (
            name in self.void_games
        ):
            return None
        endings = track.endings()
        count = len(self.results_of[name])
        if count >= len(endings):
            return None
        state = endings[count]
        result, bp, how = state.result(self.terms["resign"])
        return {
            "round": rnd.number, "table": table.number, "leg": leg.number,
            "game": name, "seq": state.seq, "line": state.line,
            "result": result, "bp": bp, "how": how,
        }

    def state_of(self, line, leg):
        """The state that a claim looks at, and whether it is known."""
        if leg.game is None:
            return None, True
        track = self.track(leg.game)
        if self.filling:
            return track.states[-1], True
        want(line["events"], "a claim without a result")
        event = line["events"][0]
        want(event.get("game") == leg.game, "a claim names another game")
        if track is None:
            state = Told(event.get("seq"), event.get("line"))
            return state, False
        want(type(event.get("seq")) is int and event["seq"] >= 0,
             "a claim names no line of its game")
        if track.has_lost(event["seq"], event.get("line")):
            self.note_lost(leg.game)
            return Told(event["seq"], event["line"]), False
        state = track.at_line(event["seq"], event.get("line"))
        if state.seq + 1 < len(track.states):
            want(track.states[state.seq + 1].at >= self.at_ms,
                 "the claim names not the game's last line then")
        count = sum(s.seq <= state.seq for s in track.endings())
        want(count <= len(self.results_of[leg.game]),
             "the game's result is missing")
        return state, True

    def check_end(self):
        """What can be seen only at the end: (line, what) or nothing."""
        for name in self.game_lines:
            seq = self.game_lines[name][0]
            try:
                self.check_joins(name)
                track = self.track(name)
                if track is not None:
                    self.notes += [
                        "game %s: %s" % (name[:8], note)
                        for note in track.notes]
                elif self.games:
                    self.notes.append("game %s is not at hand" % name[:8])
                want(self.expected_result(name) is None,
                     "the game is over, and its result is missing")
            except Bad as e:
                raise Bad("line %d: %s" % (seq + 1, e)) from None


class Told:
    """A line of a game that is not at hand."""

    def __init__(self, seq, line):
        self.seq = seq
        self.line = line
