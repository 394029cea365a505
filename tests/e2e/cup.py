# SPDX-License-Identifier: ISC
"""Orders to tournaments by sessions of tests/tools/forge, one a run.

cup.py new TERMS [ACCOUNT]: opens one; prints its id.  A witness is an account.
cup.py export ID FOLDER: writes the records of it and of its games.
cup.py order ID ACCOUNT KIND [ARGS [WHY]]: prints "line N" or an error's name;
    WHY is what `say` says.
cup.py view ID: prints its state.

TERMS and ARGS are JSON.  The environment is that of tournament.py; NOW_MS is
the time.
"""

import json
import os
import sys

from tournament import Clock, Cup, Person, line_of, name_of, text_of

clock = Clock()


def person(name):
    """An account, with the recovery key that its profile may have."""
    who = Person(name, clock)
    path = os.path.join(os.environ["PLAYERS"], name, "recovery.pub")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            who.stated["recovery"] = f.read().strip()
    return who


def witness_of(name):
    """An account as terms, and rulings, name the witness."""
    who = person(name)
    return {"account": who.account, "key": who.keys["sign"],
            "dice_key": who.keys["dice"], "kn": 0, "kprev": "0" * 64}


if sys.argv[1] == "new":
    terms = json.loads(sys.argv[2])
    days = terms.pop("days", 1)
    terms.setdefault("entry", {
        "until": clock.text(clock.ms + days * 86400 * 1000), "max": 64,
        "admit": "open"})
    if "witness" in terms:
        terms["witness"] = witness_of(terms["witness"])
        terms.setdefault("options", {})["witness"] = terms["witness"]["key"]
        terms["options"]["witness_s"] = 25920
        terms.update(scheme="live-1", confirm=True)
    cup = Cup(clock, person((sys.argv[3:] or ["dina"])[0]), **terms)
    reply = cup.create()
    print(cup.id or reply)
else:
    who = person("dina")
    cup = Cup(clock, who)
    cup.id = sys.argv[2]
    if sys.argv[1] == "view":
        print(json.dumps(cup.show()))
    elif sys.argv[1] == "export":
        cup.export(sys.argv[3])
    else:
        account, kind = sys.argv[3:5]
        args = json.loads((sys.argv[5:] or ["{}"])[0])
        texts = None
        if "witness" in args:
            args["witness"] = witness_of(args["witness"])
        if len(sys.argv) > 6:
            member = "ref" if kind == "say" else "why"
            args[member], texts = text_of(sys.argv[6])
        if account != "dina":
            who = person(account)
        reply = cup.give(who, kind, args, texts=texts)
        print("line %d" % line_of(reply)["seq"] if "result" in reply
              else name_of(reply))
