#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# The clock of the daemon's machine leaps, or is behind what is stored: no order
# is recorded until it is right, nothing is lost, and nobody loses time.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_clocks

hour=3600000
dir=$work/umpired
log=$dir/log
db=$dir/umpired.db
wall=$(($(date +%s) * 1000))
boot=$((10 * hour))

# at WALL BOOT: what the two clocks say.  The players' is right, or behind with
# it: what they sign is not ahead of a server whose clock is put right.
at() {
	hook now_ms "$1" boot_ms "$2"
	[ "$1" -le "$wall" ] || export UMPIRE_TEST_NOW=$wall
}

# pass MS: time that passes for both.
later() {
	wall=$((wall + $1)) boot=$((boot + $1))
	at "$wall" "$boot"
}

# minutes N: N of them pass for the daemon while no orders come, and it has
# looked at its clock at the end of each.
minutes() {
	hook minutes "$1"
	wait_for 20 hooked minutes 0
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
enrol anna bert || exit 99
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
umpire_as anna new --roster "$work/roster.json" --name wide >/dev/null 2>&1
at $((wall + 40 * 24 * hour)) "$boot"
exits 0 "a leap of days makes no game lapse" umpire_as anna invite wide bert
later 60000
taken "days"
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
UMPIRE_TEST_NOW=$((wall - 5 * hour)) exits 75 \
	"an old word is none for another leap" \
	umpire_as bert say club "no" --yes
wall=$((wall - 5 * hour))
later 60000
taken "again"

# ---- time that is lost is counted for nobody ----

# new GAME [CLOCK]: one in which anna is in turn and has an hour.
new() {
	umpire_as anna new --roster "$work/roster.json" --name "$1" \
		--clock "${2:-1h/order,notice=0s}" >/dev/null 2>"$err" &&
		umpire_as bert join "$(umpire_as anna show "$1" --json |
			filter .game)" --name "$1" --yes >/dev/null 2>"$err" &&
		umpire_as anna ready "$1" >/dev/null 2>"$err" ||
		{ show_run; exit 99; }
}

new short
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

# ---- nobody gives orders ----

# quiet WHAT HELD FREED: cases; how often the log says either by now.
quiet() {
	is "$1: orders are held" "$(logged "$off")" "$2"
	is "$1: orders are taken" "$(logged "$on")" "$3"
}

# idle: how many times without orders the daemon has stored that last.
idle() {
	sqlite3 -readonly "$db" \
		'SELECT count(*) FROM standstill WHERE to_ms IS NULL'
}

new idle
held=$(logged "$off") freed=$(logged "$on")
holds "a minute passes" minutes 1
quiet "a clock that is right" "$held" "$freed"
at $((wall + 4 * hour)) "$boot"
quiet "a leap that nobody has looked at" "$held" "$freed"
holds "a minute passes" minutes 1
quiet "a leap within a minute" $((held + 1)) "$freed"
holds "two more pass" minutes 2
quiet "a leap that lasts" $((held + 1)) "$freed"
at "$wall" "$boot"
holds "another passes" minutes 1
quiet "a clock that was set right" $((held + 1)) $((freed + 1))

# The time that is lost begins when the clock was right last, not with the order
# before; a disk that is full for a minute changes nothing.
later $((hour / 2))
holds "half an hour passes" minutes 1
hook fail_commits 1
at $((wall + 4 * hour)) "$boot"
holds "and a minute" minutes 1
is "storing fails" "$(hook fail_commits)" 0
is "nothing is stored" "$(idle)" 0
holds "another passes" minutes 1
is "it is stored now" "$(idle)" 1
later $((2 * hour))
taken "two idle hours lost"
exits 65 "a claim of that time is refused" \
	umpire_as bert claim idle --anyway --yes
like "in words" "$err" 'for 12[01] min of that time no orders could be given'

held=$(logged "$off") freed=$(logged "$on")
at $((wall + 4 * hour)) "$boot"
holds "a minute passes" minutes 1
"$UMPIRED" -c "$dir/umpired.conf" --clock-is-right 2>/dev/null
wall=$((wall + 4 * hour))
holds "another passes" minutes 1
quiet "the operator's word" $((held + 1)) $((freed + 1))
is "and that is stored" "$(idle)" 0
exits 0 "an order is taken" umpire_as anna say idle "here we are" --yes

# leap: the clock was late by four hours, and its operator puts that right and
# says so before the daemon has looked at it.
leap() {
	wall=$((wall + 4 * hour))
	at "$wall" "$boot"
	"$UMPIRED" -c "$dir/umpired.conf" --clock-is-right 2>/dev/null
}

# refused GAME WHAT: bert's claim of it is none.
refused() {
	exits 65 "$2: a claim of that time is refused" \
		umpire_as bert claim "$1" --anyway --yes
	like "$2: in words" "$err" \
		'for 24[01] min of that time no orders could be given'
	is "$2: and ends nothing" \
		"$(umpire_as bert show "$1" --json | filter .phase)" play
}

for how in order minute; do
	new "$how"
	leap
	[ "$how" = order ] || holds "a minute passes" minutes 1
	refused "$how" "held and taken again within one $how"
done
# A clock that goes on: what was lost in a turn that is over counts as well,
# and what was lost while bert was in turn is not anna's.
new chess 5h/side,notice=0s
leap
exits 0 "anna ends her turn" umpire_as anna end-turn chess --yes
leap
exits 0 "bert ends his" umpire_as bert end-turn chess --yes
later $((2 * hour))
refused chess "lost in a turn that is over"
later $((3 * hour - 60000))
refused chess "lost in a turn that is over, five hours later"
later 180000
exits 0 "then it is taken" umpire_as bert claim chess --anyway --yes
is "and ends the game" "$(umpire_as bert show chess --json | filter .phase)" \
	over
# Nor does it count between the two lines of a claim.
new between 1h/order,notice=1h
unlike "nothing is to be claimed" <(umpire_as bert todo) '^between: '
later $((hour + 60000))
like "bert may give notice" <(umpire_as bert todo) '^  umpire claim between$'
exits 0 "bert gives notice" umpire_as bert claim between
like "which stands" "$out" 'You gave notice in line'
like "the log tells both until when" \
	<(umpire_as anna log between | tr -s '\n ' ' ') \
	'this is notice of it: French may move until 2[-0-9]+ [0-9:]+, then'
run umpire_as anna todo
is "anna finds the game once" "$(grep -c '^between: ' "$out")" 1
like "with her turn" <(sed -n '/^between: /,/^$/p' "$out") '^  your turn$'
like "and until when she may move" "$out" \
	'^  your time is over: move, or the other side may claim it$'
is "and what to type" "$(grep -c '^  umpire show between$' "$out")" 1
unlike "bert has to wait" <(umpire_as bert todo) '^between: '
at $((wall + 4 * hour)) "$boot"
exits 75 "orders are held behind it" umpire_as anna end-turn between --yes
later "$hour"
taken "an hour lost behind a notice"
later 60000
exits 65 "the second line is refused" umpire_as bert claim between
like "in words" "$err" 'for 6[01] min of that time no orders could be given'
is "and ends nothing" \
	"$(umpire_as bert show between --json | filter .phase)" play
later "$hour"
run umpire_as bert todo
like "then he is told that he may claim" "$out" \
	"^  the other side's time is over: you may claim it\$"
like "and how" "$out" '^  umpire claim between$'
exits 0 "an hour later it is taken" umpire_as bert claim between
is "and ends the game" \
	"$(umpire_as bert show between --json | filter .phase)" over
# A leap behind the two lines undoes nothing, and is waited out like any other.
for leap in 4 -4; do
	at $((wall + leap * hour)) "$boot"
	exits 75 "behind it a leap of $leap h holds orders" \
		umpire_as bert say between "what" --yes
	is "and changes no result" \
		"$(umpire_as bert show between --json | filter .result.how)" forfeit
	later 60000
	taken "behind a claim, $leap h"
done
exits 0 "who won closes" umpire_as bert close between --yes
new unstored
leap
hook fail_commits 1
holds "a minute passes, and nothing is stored" minutes 1
is "storing fails" "$(hook fail_commits)" 0
refused unstored "stored later"
exits 0 "an order ends it" umpire_as anna say unstored "hello" --yes

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

# What a start cannot see, as umpired(8) says: a clock that is ahead.
stop_umpired
held=$(logged "$off")
wall=$((wall + 72 * hour))
at "$wall" "$boot"
start_umpired "$dir" || exit 99
for who in anna bert; do
	umpire_as "$who" init --server "$server" >/dev/null 2>&1
done
exits 0 "a start three days ahead takes orders" \
	umpire_as bert say club "ahead" --yes
is "and is not logged" "$(logged "$off")" "$held"
wall=$((wall - 72 * hour))
at "$wall" "$boot"
exits 75 "when it is set right none are taken" \
	umpire_as bert say club "right" --yes
is "and that is logged" "$(logged "$off")" $((held + 1))
"$UMPIRED" -c "$dir/umpired.conf" --clock-is-right 2>/dev/null
exits 0 "until the operator says that it is" \
	umpire_as bert say club "right" --yes
exits 0 "all is in order" "$UMPIRED" -c "$dir/umpired.conf" --check

finish
