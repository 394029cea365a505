# SPDX-License-Identifier: ISC
"""Accounts, their keys and who directs: umpire-tournament-record.7, S15.3."""

from record_crypto import ed_verify, sha256, tag
from record_form import Unknown, ZERO, is_object, read_json, want
from record_keys import MAX_KEYS, STATEMENT
from record_form import is_ed_key
from record_orders import MAX_ORDER


class Account:
    """An account that is here."""

    def __init__(self, args):
        self.keys = {args["key"], *args.get("keys", ())}
        self.had = set(self.keys)
        self.recovery = args.get("recovery")
        self.n = args["kn"]
        self.prev = args["kprev"]
        self.history = []  # (seq from which they hold, keys)


class Accounts:
    """Keys of accounts; Tournament has the rest."""

    def name_account(self, args):
        """Take an account that is named, for the first time or again."""
        name = args["account"]
        want(args["kn"] > 0 or args["kprev"] == ZERO,
             "kprev without a statement")
        want(name not in self.witnesses, "a witness as something else")
        mine = {args["key"], *args.get("keys", ())}
        want(args["key"] not in args.get("keys", ()), "a key twice")
        known = self.accounts.get(name)
        if known is not None:
            want(args["key"] in known.keys, "the key is not valid")
            want(mine == known.keys, "the keys are not those it has")
            want(args.get("recovery") == known.recovery,
                 "the recovery key is another")
            want((args["kn"], args["kprev"]) == (known.n, known.prev),
                 "kn or kprev is not what it is")
            return known
        self.want_new_keys(name, mine, args.get("recovery"))
        known = self.accounts[name] = Account(args)
        known.history.append((self.seq, set(known.keys)))
        return known

    def want_new_keys(self, name, keys, recovery=None):
        """Want keys that are nobody's, and no recovery key among them."""
        for key in keys | ({recovery} - {None}):
            want(self.keys_ever.get(key) in (
                None, name if name in self.witnesses else None),
                 "a key of two accounts")
        want(recovery not in keys, "a recovery key is a key")
        for key in keys | ({recovery} - {None}):
            self.keys_ever[key] = name

    def new_dice_key(self, key, name):
        """Take a dice key that nobody has had, or a witness had before."""
        want(key not in self.dice_keys_ever or (
            name in self.witnesses and self.dice_keys_ever[key] == name),
             "a dice key that was there")
        self.dice_keys_ever[key] = name

    def name_witness(self, args):
        """Take the witness, in place of a former one, who stays here."""
        name = args["account"]
        want(args["kn"] > 0 or args["kprev"] == ZERO,
             "kprev without a statement")
        want(name not in self.accounts
             and name not in self.terms["deputies"]
             and name != self.args["director"]["account"],
             "the witness is something else")
        self.want_new_keys(name, {args["key"]})
        self.new_dice_key(args["dice_key"], name)
        self.witness = self.witnesses[name] = args

    def valid_keys(self, name):
        """The keys that are valid for an account; none: not here."""
        if name in self.witnesses:
            return {self.witnesses[name]["key"]}
        known = self.accounts.get(name)
        return known.keys if known is not None else set()

    def keys_since(self, name, seq):
        """The keys valid for an account at a line, or at a later one."""
        if name in self.witnesses:
            return {self.witnesses[name]["key"]}
        found = set()
        last = set()
        for since, keys in self.accounts[name].history:
            if since <= seq:
                last = keys
            else:
                found |= keys
        return found | last

    def want_key(self, line):
        """Want a key that is valid for the account."""
        want(line["key"] in self.valid_keys(line["by"]),
             "the key is not valid for the account")

    def set_keys(self, known, keys):
        """Let an account have these keys from the next line on."""
        known.keys = keys
        known.had |= keys
        known.history.append((self.seq + 1, set(keys)))

    # Statements.

    def take_key(self, line, seq):
        """Take a key statement."""
        data = line["statement"].encode("utf-8")
        text = None
        if self.beyond is None:
            text = self.read_statement(data, line["by"], self.server_key)
        want(
            ed_verify(
                bytes.fromhex(line["key"]), tag("key/1") + data,
                bytes.fromhex(line["sig"]),
            ),
            "the signature is wrong",
        )
        if self.beyond is not None:
            return
        if text["do"] not in ("add", "drop", "reset"):
            raise Unknown("a key statement that does %r" % text["do"])
        want(line["by"] in self.accounts, "an account that is not here")
        known = self.accounts[line["by"]]
        keys = self.changed_keys(known, text, line["key"], data)
        if text["do"] != "drop":
            self.want_new_keys(line["by"], {text["key"]})
        self.set_keys(known, keys)

    @staticmethod
    def read_statement(data, name, server):
        """Read a statement of an account on a server."""
        want(2 <= len(data) <= MAX_ORDER, "a statement of %d bytes", len(data))
        text = read_json(data)
        want(is_object(text), "the statement is no object")
        want(set(text) == {*STATEMENT, "key"},
             "the statement has other members")
        for member, check in STATEMENT.items():
            want(check(text[member]), "the statement's %s is wrong", member)
        want(text["v"] == 1, "the statement's v")
        want(text["server"] == server, "a statement for another server")
        want(text["account"] == name, "a statement of another account")
        return text

    @staticmethod
    def changed_keys(known, text, signer, data):
        """The keys after a statement."""
        want(text["n"] == known.n + 1, "the statement is not number %d",
             known.n + 1)
        want(text["prev"] == known.prev, "the statement's prev is wrong")
        want(is_ed_key(text["key"]), "the key is refused")
        keys = set(known.keys)
        if text["do"] == "reset":
            want(signer == known.recovery, "not the recovery key")
            keys = {text["key"]}
        else:
            want(signer in known.keys, "the key is not valid")
            if text["do"] == "add":
                keys.add(text["key"])
                want(len(keys) <= MAX_KEYS, "more than 16 keys")
            else:
                want(text["key"] in keys and len(keys) > 1,
                     "a key that is not there is dropped, or the last")
                keys.discard(text["key"])
        known.n += 1
        known.prev = sha256(tag("key/1"), data).hex()
        return keys

    # The operator's word.

    def take_operator_key(self, data, seq):
        """Take the proposal of another key."""
        want(data["account"] in self.accounts, "an account that is not here")
        self.side.name("text", data["why"])
        want(data["key"] not in self.keys_ever, "a key that was there")
        self.operator_keys = {
            at: other for at, other in self.operator_keys.items()
            if other["account"] != data["account"]
        }
        self.operator_keys[seq] = data

    def accept_operator_key(self, line, seq):
        """A director accepts it."""
        want(seq in self.operator_keys, "no operator-key that waits")
        data = self.operator_keys.pop(seq)
        want(data["account"] != line["by"], "their own operator-key")
        self.want_new_keys(data["account"], {data["key"]})
        self.set_keys(self.accounts[data["account"]], {data["key"]})

    # Directors.

    def take_deputy(self, line, order, args):
        """A deputy comes."""
        name = args["account"]
        want(line["by"] == name and line["key"] == args["key"],
             "not by themselves")
        want(name in self.terms["deputies"], "not one of the deputies")
        want(name not in self.directors, "deputy twice")
        if self.terms.get("options", {}).get("director", False):
            want(name not in self.number_of, "an entrant directs")
        self.name_account(args)
        self.directors.add(name)
