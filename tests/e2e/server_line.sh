# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2154
#
# Lines of the server that a test writes, of the daemon in $dir: of a game, or
# of a tournament.  Sourced after tests/e2e/e2e.sh.

need python3

# server_line WHAT DATA [LINES]: another line of the server behind the record's,
# or behind those of a file, with its mark.  A tournament's `restored` is one after
# the lots, where it has no pool.
server_line() {
	python3 - "${3:-$work/lines}" "$1" "$2" <<'END' >"$work/bare"
import hashlib
import json
import sys

lines = open(sys.argv[1], "rb").read().splitlines()
last = json.loads(lines[-1])
pool = [json.loads(line)["pool"] for line in lines if b'"pool":"' in line][-1]
seq = last["seq"] + 1
of = "tournament" if "tournament" in last else "game"
moved = hashlib.sha256(
    b"umpire/restored/1\0" + bytes.fromhex(pool) + seq.to_bytes(8, "big"))
line = {
    "v": 1,
    of: last[of],
    "seq": seq,
    "prev": hashlib.sha256(lines[-1]).hexdigest(),
    "at": last["at"],
    "kind": "server",
    "what": sys.argv[2],
    "data": json.loads(sys.argv[3]),
}
if sys.argv[2] == "restored" and of == "game":
    line["pool"] = moved.hexdigest()
line.update({"events": [], "mark": 128 * "0"})
print(json.dumps(line, separators=(",", ":")))
END
	"$tools/perjurer" mark "$dir" <"$work/bare"
}
