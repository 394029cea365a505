#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Orders and the disk: many share one fsync, none is answered before its own
# has returned, and what happens when a commit, a write or an fsync fails.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks
write_example "$work"

# storm_begin MATCHES ORDERS: matches with so many orders each, one after the
# other, and lets them go once all are in play.
storm_begin() {
	rm -rf "$work/storm.in" "$work/storm.out" "$work/journals"
	mkfifo "$work/storm.in" "$work/storm.out"
	mkdir "$work/journals"
	"$tools/storm" -q -t 0 -r 0 -m "$1" -n "$2" 127.0.0.1 "$port" \
		"$work/roster.json" "$work/journals" \
		<"$work/storm.in" >"$work/storm.out" 2>"$work/storm.err" &
	storm_pid=$!
	daemons="$daemons $storm_pid"
	exec {storm_in}>"$work/storm.in" {storm_out}<"$work/storm.out"
	read -r -t 120 -u "$storm_out" reply
	[ "$reply" = ready ] || {
		sed 's/^/# storm: /' "$work/storm.err"
		exit 99
	}
	syncs=$(hook syncs)
	commits=$(hook commits)
	echo go >&"$storm_in"
}

# storm_end: waits for them; leaves how many orders were recorded, and how many
# fsyncs and commits that took.
storm_end() {
	read -r -t 120 -u "$storm_out" reply
	recorded=$(of .recorded)
	syncs=$(($(hook syncs) - syncs))
	commits=$(($(hook commits) - commits))
	exec {storm_in}>&- {storm_out}<&-
	wait "$storm_pid"
	diag "$recorded orders, $commits commits, $syncs fsyncs"
}

# silent SESSION: true if no answer comes within a fifth of a second.
silent() {
	local i
	for i in 1 2 3 4; do
		! read -r -t 0.05 -u "${session_out[$1]}" reply || return 1
	done
}

# ---- one match, many matches ----

start_umpired "$work/one" || exit 99
storm_begin 1 40
storm_end
is "one match: all is recorded" "$recorded" 40
is "one match: one fsync an order" "$syncs" 40
stop_umpired
is "the daemon stops cleanly" $? 0

start_umpired "$work/many" -o register_burst=1000 \
	-o max_per_address=200 || exit 99
each=$(some 10 4)
storm_begin 50 "$each"
storm_end
is "fifty matches: all is recorded" "$recorded" $((50 * each))
is "fifty matches: fewer fsyncs than orders" $((syncs < 50 * each)) 1
is "fifty matches: and no fewer than commits" $((syncs >= commits)) 1
stop_umpired
is "the daemon stops cleanly under that load" $? 0
exits 0 "what it holds agrees with itself" "$top_builddir/umpired" \
	-c "$work/many/umpired.conf" --check

# ---- a crash under load ----

# synced NUMBER: true once there were so many fsyncs.
synced() {
	[ "$(hook syncs)" -ge "$1" ]
}

start_umpired "$work/crash" || exit 99
storm_begin 20 1000
wait_for 20 synced $((syncs + 20))
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
storm_end
is "orders were recorded before the crash" $((recorded > 0)) 1
is "and others were cut off by it" "$(($(of .failed) > 0))" 1
exits 0 "what the crash leaves agrees with itself" "$top_builddir/umpired" \
	-c "$work/crash/umpired.conf" --check
# Before its orders each match has four lines.
is "every order that was acknowledged is there" \
	"$(sqlite3 -readonly "$work/crash/umpired.db" "SELECT count(*) >=
	$recorded + 80 FROM record")" 1

# ---- nothing before its fsync ----

db=$work/umpired/umpired.db
start_umpired "$work/umpired" || exit 99
daemon_of_game=$daemon
enter anna bert || exit 99
forge_game anna bert || exit 99
session reader
session watcher
ask watcher call game.watch "{\"game\":\"$game\"}"
look anna
ask anna pool "$pool"
hook hold_sync 1
tell anna order "$(order_text 1 turn.end '{}' p/1)"
wait_for 20 hooked held 1
is "the order's fsync is held" $? 0
silent anna
is "no reply leaves before it returns" $? 0
tell watcher line 60000
silent watcher
is "no notice either" $? 0
ask reader call game.show "{\"game\":\"$game\"}"
is "readers are served, and see the state before it" "$(of .result.seq)" "$seq"

# Orders that come meanwhile share the next batch, which fails.
for i in 1 2 3 4 5; do
	session "w$i" bert
	ask "w$i" login bert
	tell "w$i" order "$(order_text 2 resign '{}')"
done
silent w5
is "orders that come meanwhile wait" $? 0
before=$(hook commits)
hook fail_commits 1
hook hold_sync 0
hear anna
is "then the reply comes" "$(of .result.seq)" 4
hear watcher
is "and the notice" "$(of '"\(.method) \(.params.seq)"')" 'game.entry 4'
for i in 1 2 3 4 5; do
	hear "w$i"
	is "each order of the failed batch is answered storage, $i" \
		"$(of '"\(.error.code) \(.error.data.name)"')" '1 storage'
done
is "only the first was committed" "$(hook commits)" $((before + 1))
for i in 1 2 3 4 5; do
	ask "w$i" again
	refused "the same bytes then get their answer, $i" 11 stale \
		params.order.after
	close_session "w$i"
done

# ---- a commit that fails once ----

look bert
ask bert pool "$pool"
hook now_ms 1893456000000 fail_commits 1
: >"$lines"
ask bert order "$(order_text 2 turn.end '{}' p/2)"
refused "an order whose commit fails" 1 storage
ask bert again
is "the same bytes then succeed" "$(of '"\(.result.seq) \(.result.repeat)"')" \
	'5 false'
is "and give the line that they would have given" "$(of .result.line)" \
	"$(head -n 1 "$lines")"
line=$(of .result.line)
ask bert again
is "and again their line" "$(of '"\(.result.line) \(.result.repeat)"')" \
	"$line true"
hook now_ms 0

# ---- a disk that is full ----

tables "$db" >"$work/before"
look anna
ask anna pool "$pool"
hook fail_write -1
ask anna order "$(order_text 1 turn.end '{}' p/3)"
refused "an order when the disk is full" 1 storage
ask reader call game.record "{\"game\":\"$game\",\"from\":5}"
is "reading goes on" "$(of '.result.lines[0]')" "$line"
ask anna again
refused "it stays so" 1 storage
hook fail_write 0
tables "$db" >"$work/after"
exits 0 "nothing was recorded" cmp "$work/before" "$work/after"
ask anna again
is "with space again the same bytes succeed" "$(of .result.seq)" 6

# ---- an fsync that fails ----

look bert
ask bert pool "$pool"
ask bert sign "$(order_text 2 turn.end '{}' p/4)"
params=$reply
: >"$work/umpired/log"
hook fail_sync 1
ask bert call game.order "$params"
is "an order whose fsync fails is not acknowledged" "$(of .result)" null
wait_for 20 not_running "$daemon_of_game"
is "the daemon stops by itself" $? 0
wait "$daemon_of_game"
is "with a status that says so" $? 74
like "and with a message" "$work/umpired/log" \
	'error stopping: the database cannot be written safely'
hook fail_sync 0
start_umpired "$work/umpired" || exit 99
session again bert
ask again login bert
ask again call game.order "$params"
is "after a restart the same bytes have their line" "$(of .result.seq)" 7
stop_umpired
is "the daemon stops cleanly" $? 0
exits 0 "what it holds agrees with itself" "$top_builddir/umpired" \
	-c "$work/umpired/umpired.conf" --check
finish
