#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Crash points: the daemon dies at each write, fsync, truncation, removal and
# renaming of one order with dice, of a checkpoint, of a stop, of each migration
# and of a backup: before the call, after it, and in the middle of what is
# written.  Each point is tried three times: by a kill alone; by a power cut that
# takes all that was not synced; and by one that takes some sectors of it.
# Afterwards it starts again, what was acknowledged is there, the same bytes
# sent again give the same line, dice and all, and "umpired --check" is content.
# A backup is whole or not there.
#
# UMPIRE_COUNT is how many points of each kind each part gets, spread over all
# there are (100000: all; without it, 2).  UMPIRE_ONLY names the parts that run:
# order, checkpoint, stop, migration, backup.  UMPIRE_CONTROL=1: for the order the
# database is opened with synchronous=NORMAL, and for the others fsyncs are left
# out; in each part power cuts must do damage that is found.  A migration is no
# part of it: nothing of it was promised before it has started, and SQLite finds
# out by checksums how much of its log is there, synced or not.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks
quick_hooks
# A session whose daemon has died is told so, which must not end the test.
trap "" PIPE

parts=${UMPIRE_ONLY:-order checkpoint stop migration backup}
[ -z "${UMPIRE_CONTROL:-}" ] || parts=${parts/migration/}
count=${UMPIRE_COUNT:-2}
seed=${UMPIRE_SEED:-$RANDOM}
control=${UMPIRE_CONTROL:+1}
weak=() # hooks that are set while something dies, for the control
fsync=fsync
if [ -n "$control" ]; then
	weak=(skip_sync 3)
	fsync= # there are none, then
fi
keep=${UMPIRE_KEEP:-$top_builddir/tests/torture/kept/points}
RANDOM=$seed
diag "seed $seed"
noon=1800000000000 # 2027-01-15 08:00:00 UTC
dir=$work/umpired
db=$dir/umpired.db
plain=$top_builddir/umpired

# Bits of sys_mask and numbers of sys_do: tests/syscalls.h.
declare -A masks=([write]=2 [fsync]=4 [truncate]=8 [unlink]=16 [rename]=64)
before=1 after=2 torn=7

# What is counted is a line of $tally each time, since every death is tried in a
# subshell of its own: thousands of children in one shell end in pids that it
# has seen before.
tally=$work/tally
faults="lost other twice dirty stuck alive partial"
#   acked    orders that were acknowledged
#   lost     of them not in the record afterwards
#   other    orders whose line is not that of the run without a death
#   twice    records with an order more than once
#   dirty    databases with which --check is not content
#   stuck    daemons that do not start or answer afterwards
#   alive    points that were not reached
#   partial  backups that have their name and are not whole
#   whole    backups that died when they had it, and are
n_runs=0            # deaths
n_told=0            # of them: those of parts that have had their case
tried=()            # parts
last_part=          # of them
declare -A n_points # of each part and kind: how many there are
declare -A n_calls  # of each kind: how many the part in hand has
: >"$tally"
mkfifo "$work/never"
exec {never}<>"$work/never"

# counted NAME...: how often these were counted.
counted() {
	local name n=0
	for name in "$@"; do
		n=$((n + $(grep -cx "$name" "$tally")))
	done
	echo "$n"
}

# pause: 5 ms, by no other process.
pause() {
	read -r -t 0.005 -u "$never"
}

# wrong NAME TEXT...: counts a fault, says it, and keeps the database.
wrong() {
	echo "$1" >>"$tally"
	shift
	[ -z "$control" ] || return 0
	diag "$* ($round, seed $seed)"
	rm -rf "$keep"
	mkdir -p "${keep%/*}"
	cp -a "$work/dead" "$keep" 2>/dev/null &&
		diag "as it died: $keep"
}

# gone PID: true when it has died; no process is started to find out.
gone() {
	local stat
	read -r stat 2>/dev/null <"/proc/$1/stat" || return 0
	[[ ${stat##*) } == Z* ]]
}

# up PROGRAM: starts a daemon on $dir and waits until it listens, or has died:
# 1 then.
up() {
	local i
	rm -f "$dir/port"
	"$1" -c "$dir/umpired.conf" >>"$dir/log" 2>&1 </dev/null &
	daemon=$!
	echo "$daemon" >"$work/pid"
	for ((i = 0; i < 4000; i++)); do
		if [ -s "$dir/port" ]; then
			port=$(<"$dir/port")
			return 0
		fi
		! gone "$daemon" || break
		pause
	done
	return 1
}

# down: waits for the daemon's death, or kills it; $ended is its status, or
# "late".
down() {
	local i is_late=yes
	for ((i = 0; i < 600; i++)); do
		if gone "$daemon"; then
			is_late=
			break
		fi
		pause
	done
	kill -KILL "$daemon" 2>/dev/null
	wait "$daemon" 2>/dev/null
	ended=$?
	[ -z "$is_late" ] || ended=late
	: >"$work/pid"
}

# dies: the daemon must die at the point, by the kill that is put there and
# nothing else.
dies() {
	down
	[ "$ended" = 137 ] ||
		wrong alive "not killed at the point, but: $ended"
}

# stops: it must stop as it was told.
stops() {
	down
	[ "$ended" = 0 ] || wrong stuck "it does not stop, but: $ended"
}

# leave: the end of the test; the daemon may be a child of a subshell.
leave() {
	local rc=$? pid
	pid=$(cat "$work/pid" 2>/dev/null)
	[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null
	(exit "$rc")
	cleanup
}
trap leave EXIT

# enter_again: a session as anna.
enter_again() {
	session anna anna
	ask anna login anna
}

# sampled TOTAL: numbers from 1 to TOTAL, $count of them at most, both ends
# among them.
sampled() {
	local total=$1 i
	if [ "$total" -le "$count" ]; then
		seq "$total"
	elif [ "$count" -eq 1 ]; then
		echo $((1 + RANDOM % total))
	else
		for ((i = 0; i < count; i++)); do
			echo $((1 + i * (total - 1) / (count - 1)))
		done
	fi
}

# each_point PART KIND TOTAL COMMAND...: runs COMMAND with $point, $do, $lose
# and $round set, for the points that are to be tried.
each_point() {
	local part=$1 kind=$2 total=$3 ends l
	shift 3
	[ "$part" = "$last_part" ] || tried+=("$part")
	last_part=$part
	n_points[$part $kind]=$total
	[ "$total" -gt 0 ] || return 0
	mask=${masks[$kind]}
	ends="$before $after"
	[ "$kind" != write ] || ends="$ends $torn"
	for point in $(sampled "$total"); do
		for do in $ends; do
			for l in 0 1 2; do
				lose=$l
				[ "$l" -lt 2 ] || lose=$((2 + RANDOM))
				round="$part, $kind $point of $total, do $do,"
				round="$round lose $lose"
				("$@")
				n_runs=$((n_runs + 1))
				progress
			done
		done
	done
}

# progress: a line about every ten seconds.
progress() {
	[ $((SECONDS - told)) -ge 10 ] || return 0
	told=$SECONDS
	diag "$n_runs deaths, at $round"
}
told=$SECONDS

# calls_of KIND...: how often each is made by what $to_count does.
calls_of() {
	local kind
	for kind in "$@"; do
		fresh
		hook sys_mask "${masks[$kind]}" sys_count 0 sys_n 0 sys_lose 0
		("$to_count")
		n_calls[$kind]=$(hook sys_count)
		hook sys_mask 0
	done
}

# result WHAT FAULT...: cases for a part: it had deaths, and no fault was counted
# in it, of no kind; with a control, one of those was.
result() {
	local n what=$1
	shift
	is "$what: there were points" $((n_runs > n_told)) 1
	n_told=$n_runs
	if [ -n "$control" ]; then
		is "$what: the damage is found" $(($(counted "$@") > 0)) 1
		diag "$what, when it is not safe:" \
			"$(sort "$tally" | uniq -c | tr -s ' \n' ' ')"
		: >"$tally"
		return
	fi
	# shellcheck disable=SC2086
	n=$(counted $faults)
	is "$what: nothing is lost, torn or stuck" $((n - n_faults)) 0
	n_faults=$n
}
n_faults=0

# ---- two orders with dice ----

# fresh: $dir as it was before the first order.
fresh() {
	rm -rf "$dir" "$work/dead"
	cp -a "$base" "$dir"
}

# orders_counted: sends both orders, of whose calls the second's are counted, or
# with $is_armed_early those of both.
orders_counted() {
	up "$UMPIRED" && enter_again || return 1
	[ -z "$is_armed_early" ] || hook sys_count 0
	ask anna call game.order "$first"
	[ -n "$is_armed_early" ] || hook sys_count 0
	ask anna call game.order "$second"
	# A checkpoint comes after the answers.
	wait_for 5 quiet
	close_session anna
	last_count=$(hook sys_count)
	kill -KILL "$daemon"
	down
	hook sys_count "$last_count"
}
is_armed_early=

# quiet: true if no call was counted for a while.
quiet() {
	local n
	n=$(hook sys_count)
	nap
	[ "$(hook sys_count)" = "$n" ]
}

# Signs the two orders upon $base and leaves the lines that they must have.
prepare_orders() {
	base=$1
	fresh
	up "$UMPIRED" && enter_again || exit 99
	look anna
	ask anna pool "$pool"
	ask anna sign "$(order_text 1 free '{"dice":3,"sides":6}' f/1/1)"
	first=$reply
	ask anna call game.order "$first"
	first_line=$(of .result.line)
	look anna
	ask anna pool "$pool"
	ask anna sign "$(order_text 1 free '{"dice":5,"sides":10}' f/1/2)"
	second=$reply
	ask anna call game.order "$second"
	second_line=$(of .result.line)
	n_lines=$((seq + 2))
	[[ $first_line == *dice* && $second_line == *dice* ]] || {
		diag "no orders: $reply"
		exit 99
	}
	close_session anna
	kill -KILL "$daemon"
	down
}

# acked NAME: true if the last answer is a line; it must be the one of NAME.
acked() {
	local -n want=$1_line
	[[ $reply == *'"result":{'* ]] || return 1
	echo acked >>"$tally"
	[ "$(of .result.line)" = "$want" ] ||
		wrong other "another line of the $1 order: $reply"
}

# again NAME WAS_ACKED: sends an order once more: the same line, and not for
# the first time if it was acknowledged.
again() {
	local -n params=$1 want=$1_line
	ask anna call game.order "$params"
	if [[ $reply != *'"result":{'* ]]; then
		wrong stuck "no answer to the $1 order: $reply"
		return
	fi
	[ "$(of .result.line)" = "$want" ] ||
		wrong other "another line of the $1 order: $reply"
	[ "$2" = no ] || [ "$(of .result.repeat)" = true ] ||
		wrong lost "the $1 order was acknowledged and is lost"
}

# settle FIRST SECOND: starts again and looks at what is there; the arguments
# say which orders were acknowledged.
settle() {
	rm -rf "$work/dead"
	cp -a "$dir" "$work/dead"
	hook sys_mask 0 sys_n 0 sys_lose 0 sync_normal 0 skip_sync 0
	if ! up "$UMPIRED"; then
		wrong stuck "it does not start again: $(tail -n 1 "$dir/log")"
		down
		return
	fi
	enter_again
	again first "$1"
	again second "$2"
	look anna
	[ "$seq" = $((n_lines - 1)) ] ||
		wrong twice "the record ends with line $seq"
	close_session anna
	kill -TERM "$daemon"
	stops
	"$plain" -c "$dir/umpired.conf" --check >"$work/check" 2>&1 ||
		wrong dirty "$(cat "$work/check")"
}

# die_in_orders: the daemon dies at a point of the second order, or with
# $is_armed_early of both.
die_in_orders() {
	local ack_first=no ack_second=no arm
	arm=(sys_mask "$mask" sys_do "$do" sys_n "$point")
	fresh
	hook sys_mask 0 sys_n 0 sys_lose "$lose" "${weak[@]}"
	up "$UMPIRED" && enter_again || {
		wrong stuck "it does not start"
		down
		return
	}
	[ -z "$is_armed_early" ] || hook "${arm[@]}"
	ask anna call game.order "$first"
	! acked first || ack_first=yes
	if [ -z "$is_armed_early" ]; then
		[ "$ack_first" = yes ] || wrong stuck "first: $reply"
		hook "${arm[@]}"
	fi
	if ! gone "$daemon"; then
		ask anna call game.order "$second"
		! acked second || ack_second=yes
	fi
	dies
	close_session anna
	settle "$ack_first" "$ack_second"
}

# stop_counted: both orders and a stop, of which the calls are counted.
stop_counted() {
	up "$UMPIRED" && enter_again || return 1
	ask anna call game.order "$first"
	ask anna call game.order "$second"
	close_session anna
	hook sys_count 0
	kill -TERM "$daemon"
	down
}

# die_in_stop [SLOT NUMBER ...]: the daemon dies at a point of its stop, or as
# these hooks say.
die_in_stop() {
	[ $# -gt 0 ] || set -- sys_mask "$mask" sys_do "$do" sys_n "$point"
	fresh
	hook sys_mask 0 sys_n 0 sys_lose "$lose" "${weak[@]}"
	up "$UMPIRED" && enter_again || {
		wrong stuck "it does not start"
		down
		return
	}
	ask anna call game.order "$first"
	acked first || wrong stuck "the first order: $reply"
	ask anna call game.order "$second"
	acked second || wrong stuck "the second order: $reply"
	close_session anna
	hook "$@"
	kill -TERM "$daemon"
	dies
	hook linger 0
	settle yes yes
}

# A game in play, twice: with little in the log, and with so much of it that
# the orders bring a checkpoint.
make_bases() {
	local i n
	start_umpired "$dir" || exit 99
	hook now_ms "$noon"
	enter anna bert || exit 99
	forge_game anna bert || exit 99
	stop_umpired
	rm -f "$db-shm"
	cp -a "$dir" "$work/base"
	[[ " $parts " == *" checkpoint "* ]] || return 0
	up "$UMPIRED" && enter_again || exit 99
	for ((i = 0; i < 400; i++)); do
		n=$(($(stat -c %s "$db-wal") / 4120))
		[ "$n" -lt 980 ] || break
		say "$i"
	done
	# A kill leaves the log as it is; the orders go beyond 1000 pages.
	close_session anna
	kill -KILL "$daemon"
	down
	diag "the log has $n pages before the checkpoint"
	rm -f "$db-shm"
	cp -a "$dir" "$work/full"
}

# say N: a chat, the longest that there may be.
say() {
	local salt ref text
	text=$(printf '%0999d' "$1")
	salt=$(printf '%064d' "$1")
	ref=$({
		printf 'umpire/text/1\0'
		unhex "$salt"
		printf '%s' "$text"
	} | sha256sum | cut -d ' ' -f 1)
	look anna
	ask anna texts "[{\"salt\":\"$salt\",\"value\":\"$text\"}]"
	ask anna order "$(order_text 1 chat "{\"ref\":\"$ref\"}")"
	[[ $reply == *'"result":{'* ]] || {
		diag "chat: $reply"
		exit 99
	}
}

# try_part PART COUNTED COMMAND KIND...: all points of a part.
try_part() {
	local part=$1 command=$3 kind
	to_count=$2
	shift 3
	calls_of "$@"
	for kind in "$@"; do
		each_point "$part" "$kind" "${n_calls[$kind]}" "$command"
	done
}

make_bases
if [[ " $parts " == *" order "* ]]; then
	prepare_orders "$work/base"
	skipped=("${weak[@]}")
	[ -z "$control" ] || weak=(sync_normal 1)
	# shellcheck disable=SC2086
	try_part order orders_counted die_in_orders write $fsync truncate unlink
	weak=("${skipped[@]}")
	result "an order" lost
fi
if [[ " $parts " == *" checkpoint "* ]]; then
	prepare_orders "$work/full"
	is_armed_early=yes
	# shellcheck disable=SC2086
	try_part checkpoint orders_counted die_in_orders \
		write $fsync truncate unlink
	is_armed_early=
	# One an order, two of the checkpoint, one of the log that begins anew.
	[ -n "$control" ] ||
		is "there is a checkpoint" $((n_calls[fsync] > 3)) 1
	result "an order with a checkpoint" lost dirty stuck
fi
if [[ " $parts " == *" stop "* ]]; then
	prepare_orders "$work/base"
	# shellcheck disable=SC2086
	try_part stop stop_counted die_in_stop write $fsync truncate unlink
	# It may well leave all as it is.
	for lose in 0 1 $((2 + RANDOM)); do
		round="stop, at its end, lose $lose"
		(die_in_stop linger -1)
		n_runs=$((n_runs + 1))
	done
	result "a stop" lost dirty stuck
fi

. "$top_srcdir/tests/torture/points_files.sh"
finish
