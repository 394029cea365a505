#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What a daemon keeps beside its records rots while it runs, and it keeps no game
# in memory: it builds each again from its lines and signs nothing wrong.  A game
# whose lines have rotted, too, is damaged, and nobody else hears of it.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
need python3
with_hooks

dir=$work/umpired
log=$dir/log
db=$dir/umpired.db
start_umpired "$dir" -o request_rate=0 -o address_rate=0 -o write_quota=0 ||
	exit 99
enter anna bert || exit 99
forge_game anna bert || exit 99

# rot SQL: the same by somebody who leaves the log to the daemon.
rot() {
	sqlite3 -cmd '.timeout 30000' -cmd 'PRAGMA wal_autocheckpoint = 0' \
		-cmd '.dbconfig no_ckpt_on_close on' "$db" "$1" >/dev/null
}

# logged PATTERN: how many lines of the log match.
logged() {
	grep -Ec -- "$1" "$log"
}

again='being rebuilt from its lines'

# ---- the bytes of a snapshot, each but where things are slow ----

place=c/1/austrian-1/1/1
look anna
ask anna pool "$pool"
ask anna sign "$(order_text 1 declare \
	"$(jq -c '{combat: .}' "$work/combat.json")" "$place")"
hook cold 1
n=$(python3 "$top_srcdir/tests/e2e/rot.py" "$tools/forge" \
	"$(player_data anna)" anna "$port" "$db" "$reply" "$(some 1 41)" \
	2>"$work/rot.err") || sed 's/^/# /' "$work/rot.err"
diag "bytes changed: $n"
holds "a bit of so many bytes was changed" \
	test "${n:-0}" -gt "$(some 2000 50)"
is "each time there is one warning" "$(logged "$again")" "$n"
stop_umpired || fail "the daemon ended with $?"
exits 0 "all lines hold, and what is kept beside them" \
	"$UMPIRED" -c "$dir/umpired.conf" --check
like "of one game" "$out" '^games: 1, .*wrong: 0$'

# ---- a roster that has rotted ----

start_umpired "$dir" || exit 99
blob=$(sqlite3 "$db" 'SELECT lower(hex(hash)) FROM blob LIMIT 1')
rot "CREATE TABLE aside AS SELECT * FROM blob;
	UPDATE blob SET bytes = CAST('x' AS BLOB)"
session any anna
ask any call blob.get "{\"hash\":\"$blob\"}"
refused "a roster that has rotted is not given out" 1 storage params.hash
is "and the log warns of it" \
	"$(logged 'warn .*blob\.get: storage at params\.hash: what is kept')" 1
rot "UPDATE blob SET bytes = (SELECT bytes FROM aside
	WHERE aside.hash = blob.hash); DROP TABLE aside"
stop_umpired

# ---- a game whose lines do not hold ----

hook cold 0
start_umpired "$dir" || exit 99
enrol carl dora || exit 99
for nick in good ill; do
	umpire_as carl new --roster "$work/roster.json" --name "$nick" \
		>/dev/null 2>"$err" || { show_run; exit 99; }
	id=$(umpire_as carl show "$nick" --json | filter .game)
	umpire_as dora join "$id" --name "$nick" --yes >/dev/null 2>"$err" &&
		umpire_as carl ready "$nick" >/dev/null 2>"$err" || { show_run; exit 99; }
done
rot "UPDATE snapshot SET hash = zeroblob(32) WHERE game = 3;
	CREATE TABLE aside AS SELECT seq, line FROM record WHERE game = 3;
	UPDATE record SET line = CAST('x' AS BLOB) WHERE game = 3 AND seq = 1"
hook cold 1
exits 69 "an order to a damaged game says so" umpire_as carl say ill "hello?"
like "in words" "$err" 'the game is damaged on the server; its operator'
like "and that nothing is lost by it" "$err" "Nobody's time runs until it is repaired"
like "and that it is kept" "$err" 'and is kept: no other'
exits 69 "and so does the next" umpire_as carl resign ill --yes
exits 0 "her other game goes on" umpire_as carl say good "hello!"
exits 0 "the record of the damaged one can be read" umpire_as dora log ill
is "the log has it once" "$(logged "is damaged: .*umpired\(8\)")" 1
umpire_as carl games --all >"$out" 2>"$err"
like "the list of games says so" "$out" 'damaged: no orders are taken'
is "of that one alone" "$(grep -c damaged: "$out")" 1
session looker
ask looker hello
ask looker call game.record "{\"game\":\"$id\",\"from\":1000}"
is "so does its record" "$(jq -c '[.result.damaged, .result.recovering]' \
	<<<"$reply")" '[true,null]'
start_web "$work/web" || exit 99
get /
like "and the lobby of who only looks" "$body" '>damaged: no orders are taken'
get "/g/${id:0:12}/"
like "and the game's page" "$body" 'record of this game is damaged: until it'
get "/g/${id:0:12}/at"
like "and what programs ask for" "$body" 'now":"[^"]*game is damaged: until'
holds "umpire-web ends well" stop_web
stop_umpired
like "--check finds it" <("$UMPIRED" -c "$dir/umpired.conf" --check) \
	"^game $id: line 1: "
sqlite3 "$db" "UPDATE record SET line = (SELECT line FROM aside
	WHERE aside.seq = record.seq) WHERE game = 3; DROP TABLE aside"
start_umpired "$dir" || exit 99
is "once it is repaired the log says so" "$(logged 'is whole again')" 1
for who in carl dora; do
	umpire_as "$who" init --server "$server" >/dev/null 2>&1
done
exits 0 "and the order that was kept is taken" umpire_as carl say ill "at last" --yes
like "both are there" <(umpire_as dora log ill) 'hello\?'

# ---- a game whose text is lost ----

umpire_as carl new --roster "$work/roster.json" --name mute --clock 3d/order \
	>/dev/null 2>"$err" || show_run
id=$(umpire_as carl show mute --json | filter .game)
umpire_as dora join "$id" --name mute --yes >/dev/null 2>"$err" &&
	umpire_as carl ready mute >/dev/null 2>"$err" || show_run
exits 0 "a standing order is left" umpire_as dora standing mute retire all --yes
# shown FILTER: what jq makes of the state that the server shows of the game.
shown() {
	ask watcher call game.show "{\"game\":\"$id\"}"
	jq -c "$1" <<<"$reply"
}
session watcher
ask watcher hello
is "a clock runs" "$(shown '[.result.clocks["1"].running, .result.damaged]')" \
	'[true,null]'
rot "DELETE FROM standing"
exits 69 "without its text the game is damaged" umpire_as carl end-turn mute --yes
is "no clock is shown that runs" \
	"$(shown '[.result.phase, .result.clocks, .result.damaged]')" \
	'["play",null,true]'
unlike "and it waits for nobody" <(umpire_as carl todo) '^mute:'

finish
