#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# The clock of the daemon's machine leaps, or is behind what is stored: no order
# is recorded until it is right, nothing is lost, and nobody loses time.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks

hour=3600000
dir=$work/umpired
log=$dir/log
db=$dir/umpired.db
wall=$(($(date +%s) * 1000))
boot=$((10 * hour))

# at WALL BOOT: what the two clocks say.
at() {
	hook now_ms "$1" boot_ms "$2"
}

# pass MS: time that passes for both.
later() {
	wall=$((wall + $1)) boot=$((boot + $1))
	at "$wall" "$boot"
}

# logged PATTERN: how many lines of the log match.
logged() {
	grep -Ec -- "$1" "$log"
}

# lines: how many are recorded.
lines() {
	sqlite3 -readonly "$db" 'SELECT count(*) FROM record'
}

off='no orders are taken until .*umpired --clock-is-right'
on='orders are taken again: '

at "$wall" "$boot"
start_umpired "$dir" || exit 99
write_example "$work"
for who in anna bert; do
	init_player "$who" && umpire_as "$who" register "$who" --trust \
		>/dev/null 2>"$err" || { show_run; exit 99; }
done
umpire_as anna new --roster "$work/roster.json" --name club --clock 1h/order \
	>/dev/null 2>"$err" || { show_run; exit 99; }
umpire_as bert join "$(umpire_as anna show club --json | filter .game)" \
	--name club --yes >/dev/null 2>"$err" &&
	umpire_as anna ready club >/dev/null 2>"$err" || { show_run; exit 99; }

# held WHAT: bert's word is not recorded, and taken once the clock is right.
held() {
	local before errors again
	before=$(lines) errors=$(logged "$off") again=$(logged "$on")
	exits 75 "$1: an order is held" umpire_as bert say club "$1" --yes
	like "$1: the player is told why" "$err" "the server's clock is not right"
	like "$1: and that the order is kept" "$err" 'The order is kept'
	exits 75 "$1: and once more" umpire_as bert say club "more" --yes
	exits 75 "$1: no claim is made" umpire_as anna claim club --anyway --yes
	is "$1: nothing is recorded" "$(lines)" "$before"
	exits 0 "$1: the record can be read" umpire_as bert log club
	is "$1: the log says so once" "$(logged "$off")" $((errors + 1))
	is "$1: and nothing else" "$(logged "$on")" "$again"
}

# taken WHAT: orders are taken again, those that were held first.
taken() {
	local again
	again=$(logged "$on")
	exits 0 "$1: orders are taken again" umpire_as bert say club "after $1" --yes
	exits 0 "$1: a claim comes to nothing" umpire_as anna say club "well" --yes
	is "$1: the log says so once" "$(logged "$on")" $((${2:-$again} + 1))
	is "$1: nobody has forfeited" \
		"$(umpire_as anna show club --json | filter .phase)" play
}

# ---- leaps ----

later 60000
exits 0 "an order of peace" umpire_as bert say club "hello" --yes
at $((wall + 4 * hour)) "$boot"
held "forward"
later 60000
taken "forward"
at $((wall - 4 * hour)) "$boot"
held "back"
later 60000
taken "back"
at $((wall + 9000)) "$boot"
exits 0 "nine seconds are no leap" umpire_as bert say club "nine" --yes
at "$wall" "$boot"

# ---- what is no leap ----

later $((8 * hour))
exits 0 "a machine that was suspended takes orders" \
	umpire_as bert say club "slept" --yes
for _ in $(seq 12); do
	later "$hour"
	wall=$((wall + 1440))
	at "$wall" "$boot"
	run umpire_as bert say club "drift" --yes
	[ "$status" = 0 ] || break
done
is "a clock that drifts by 17 s in half a day is none" "$status" 0

# ---- the operator's word ----

wall=$((wall + 4 * hour))
at "$wall" "$boot"
held "set right"
exits 0 "the operator says that it is right" \
	"$UMPIRED" -c "$dir/umpired.conf" --clock-is-right
like "and is told what follows" "$err" 'takes them again within a minute'
taken "set right"
holds "the word is used up" test ! -e "$db.clock"
"$UMPIRED" -c "$dir/umpired.conf" --clock-is-right 2>/dev/null
wall=$((wall + 5 * hour))
at "$wall" "$boot"
exits 75 "an old word is none for another leap" umpire_as bert say club "no" --yes
wall=$((wall - 5 * hour))
later 60000
taken "again"

# ---- time that is lost is counted for nobody ----

umpire_as anna new --roster "$work/roster.json" --name short --clock 1h/order \
	>/dev/null 2>"$err" || { show_run; exit 99; }
umpire_as bert join "$(umpire_as anna show short --json | filter .game)" \
	--name short --yes >/dev/null 2>"$err" &&
	umpire_as anna ready short >/dev/null 2>"$err" || { show_run; exit 99; }
later $((hour / 2))
at $((wall + 4 * hour)) "$boot"
exits 75 "orders are held" umpire_as anna say short "where are we" --yes
later $((2 * hour))
taken "two hours lost"
exits 65 "a claim of that time is refused" \
	umpire_as bert claim short --anyway --yes
like "in words" "$err" 'for 15[01] min of that time no orders could be given'
is "and ends nothing" "$(umpire_as bert show short --json | filter .phase)" play
later $hour
exits 0 "later it is taken" umpire_as bert claim short --anyway --yes
is "and ends the game" "$(umpire_as bert show short --json | filter .phase)" \
	over

# ---- starts ----

stop_umpired
at $((wall - 24 * hour)) "$boot"
start_umpired "$dir" || exit 99
for who in anna bert; do
	umpire_as "$who" init --server "$server" >/dev/null 2>&1
done
is "a start behind the newest line is logged" \
	"$(logged 'stored last is dated ahead .* by 86[0-9]{3} s')" 1
exits 75 "and takes no orders" umpire_as bert say club "early" --yes
later 60000
taken "started early"
stop_umpired
wall=$((wall - 24 * hour))
at "$wall" "$boot"
"$UMPIRED" -c "$dir/umpired.conf" --clock-is-right 2>/dev/null
start_umpired "$dir" || exit 99
for who in anna bert; do
	umpire_as "$who" init --server "$server" >/dev/null 2>&1
done
exits 0 "unless the operator has said that it is right" \
	umpire_as bert say club "late" --yes
exits 0 "all is in order" "$UMPIRED" -c "$dir/umpired.conf" --check

finish
