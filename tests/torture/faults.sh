#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What fails and comes back: memory, the disk, connections, descriptors and the
# clock.  For each method of the protocol the n-th allocation fails, once and
# for good, and the n-th read, write and fsync of SQLite; so does the n-th call
# upon a socket.  After each fault there is an answer that the protocol knows,
# what was acknowledged is on disk, a read says what it always said, and the
# same bytes then succeed.  Only faults that struck are counted.
#
# UMPIRE_COUNT is how many faults of each kind each method gets one by one,
# before the steps between them grow (100000: all); without it one order gets
# some, each other method one, and what takes long does not run, starts and
# files but with UMPIRE_LONG.  UMPIRE_ONLY names those parts that run: alloc,
# disk, socket, checkpoint, starts, files, space, clock.  UMPIRE_CONTROL=1: commits and fsyncs fail and are called good,
# and the daemon does not wait when it cannot accept, which must be found.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks
need prlimit
# A session that has ended is told so, which must not end the test.
trap "" PIPE
. "$top_srcdir/tests/torture/faults_methods.sh"
. "$top_srcdir/tests/torture/faults_system.sh"

dir=$work/umpired
db=$dir/umpired.db
log=$dir/log
seed=${UMPIRE_SEED:-$RANDOM}
RANDOM=$seed
diag "seed $seed"
parts=alloc
[ -n "${UMPIRE_SLOW:-}" ] || parts="alloc disk socket"
[ -z "${UMPIRE_LONG:-}" ] || parts="alloc disk socket starts files"
[ -z "${UMPIRE_COUNT:-}" ] ||
	parts="alloc disk socket checkpoint starts files space clock"
parts=${UMPIRE_ONLY:-$parts}
count=${UMPIRE_COUNT:-$(some 2 2 5)}
is_long=${UMPIRE_COUNT:+yes}
noon=1800000000000 # 2027-01-15 08:00:00 UTC

# Bits of sys_mask and what sys_do does: tests/syscalls.h, tests/sockets.h.
reads=1 writes=2 syncs=4 opens=32 socket_reads=1024 socket_writes=2048
accepts=4096
changes=58 # writes, truncations, removals and openings of files
fail_io=3 fail_space=4 interrupt=5 shorten=6
fail_readonly=1030 reset=1104 fail_files=1024 fail_table=1023

n_faults=0    # that struck so far
n_kept=0      # what was acknowledged while there was a fault, and is on disk
n_lost=0      # and what is not
n_wrong=0     # reads that said something else
n_undefined=0 # answers that the protocol does not know there
n_stuck=0     # requests that do not succeed when the fault is gone
n_deaf=0      # fsyncs that failed before their request was answered as done
n_unsound=0   # times that --check found something
n_ended=0     # times that the daemon stopped by itself, as it must
n_stops=0     # the same, as its log says
n_complaints=0
sessions="anna bert carl dora reader watcher logger fresh"
declare -A answers
declare -A struck  # faults by their kind
declare -A reached # and by kind and method

# has PART: true if it is to run.
has() {
	[[ " $parts " == *" $1 "* ]]
}

# name_answer: what $reply is, in $answer: ok, an error's name, or "closed" and
# the like.
name_answer() {
	case $reply in
	# The alert of a server without memory, which ends the connection.
	'{"failed":"busy"'*) answer=tls ;;
	'{"failed":"'*)
		answer=${reply#*:\"}
		answer=${answer%%\"*}
		;;
	*'"error":{'*)
		answer=${reply#*\"name\":\"}
		answer=${answer%%\"*}
		;;
	*) answer=ok ;;
	esac
}

# hit KIND: a fault of that kind has struck.
hit() {
	struck[$1]=$((${struck[$1]:-0} + 1))
}

# name_class HOOK NUMBER...: what the hooks have fail, in $class.
name_class() {
	case "$fault $* " in
	checkpoint,*) class=checkpoint ;;
	*" alloc_n "*) class=alloc ;;
	*" sys_mask $reads "*) class="read" ;;
	*" sys_mask $writes "*) class="write" ;;
	*" sys_mask $syncs "*) class=fsync ;;
	*" sys_mask $socket_reads "* | *" sys_mask $socket_writes "*)
		class=socket
		;;
	*" sys_mask $changes "*) class=space ;;
	*) class=commit ;;
	esac
}

# begin DIR OPTION...: a daemon that takes what these tests ask of it.
begin() {
	local option options=()
	for option in register_burst=1000000 max_per_address=1000 \
		failure_burst=1000000 blob_quota=1000000000 \
		smtp_url=smtp://127.0.0.1:9 smtp_from=umpire@example.org \
		login_timeout=3600 request_rate=1000000 request_burst=1000000 \
		max_muster=0 min_free_disk=0 \
		penalty_exempt=127.0.0.0/8; do
		grep -q "^#\?${option%%=*} =" "$work/settings" &&
			options+=(-o "$option")
	done
	start_umpired "$@" "${options[@]}"
}
"$UMPIRED" --print-config >"$work/settings"

# again SESSION: opens a connection anew, and logs in as before.
again() {
	close_session "$1" 2>/dev/null
	open_again "$1"
}

# open_again SESSION: that without the end of the former one.
open_again() {
	case $1 in
	reader) session reader ;;
	fresh)
		session fresh
		ask fresh newkeys
		;;
	logger)
		session logger bert
		ask logger credentials bert
		login_params=$reply
		;;
	watcher)
		session watcher bert
		ask watcher login bert
		;;
	*)
		session "$1" "$1"
		ask "$1" login "$1"
		;;
	esac
}

# calm: there is no fault any more.
calm() {
	hook alloc_n 0 alloc_sticky 0 sys_n 0 sys_sticky 0 sys_mask 0 forget 0
}

# conclude: the end; after a failure what is on disk is kept in UMPIRE_KEEP.
conclude() {
	if [ "$tap_failed" -gt 0 ] && [ -n "${UMPIRE_KEEP:-}" ]; then
		mkdir -p "$UMPIRE_KEEP" &&
			cp -r "$dir" "$UMPIRE_KEEP/faults-$seed" &&
			diag "kept: $UMPIRE_KEEP/faults-$seed"
	fi
	[ "$tap_failed" = 0 ] || diag "again: UMPIRE_SEED=$seed"
	finish
}

# died N: tells of a daemon that is gone, and ends the test.
died() {
	fail "$method: the daemon lives, $fault, n $1"
	tail -n 30 "$log" | sed 's/^/# /'
	conclude
}

# revive: the daemon has stopped because it cannot be sure of the disk; it comes
# back, with all its connections.
revive() {
	local name rc
	calm
	# It waits for nobody then.
	for name in $sessions; do
		close_session "$name"
	done
	wait_for 20 not_running "$daemon" || died "$1"
	wait "$daemon"
	rc=$?
	if [ "$rc" != 74 ]; then
		diag "status $rc"
		died "$1"
	fi
	n_ended=$((n_ended + 1))
	n_stops=$(grep -c 'error stopping' "$log")
	start_again || died "$1"
	for name in $sessions; do
		open_again "$name"
	done
}

# start_again: the daemon, as it was.
start_again() {
	begin "$dir" >/dev/null
}

# come_back: the daemon, if it was stopped, and all connections to it.
come_back() {
	local name
	not_running "$daemon" || return 0
	start_again || exit 99
	for name in $sessions; do
		again "$name"
	done
}

# complain WHAT N: tells of one thing that was wrong.
complain() {
	n_complaints=$((n_complaints + 1))
	[ "$n_complaints" -le 30 ] || return 0
	diag "$method: $1: $fault, n $2: $answer: ${reply:0:300}"
}

# strike N HOOK NUMBER...: makes the request in $params while the fault that
# the hooks say strikes, and does what $meanwhile says; leaves $answer, and
# $left: whether it struck.
strike() {
	local n=$1 got
	shift
	name_class "$@"
	hook "$@"
	ask "$who" call "$method" "$params"
	if [ -n "$meanwhile" ]; then
		got=$reply
		$meanwhile "$n"
		reply=$got
	fi
	if [ "$class" = alloc ]; then
		hook alloc_n >/dev/null
	else
		hook sys_n >/dev/null
	fi
	left=$hook_value
	calm
	name_answer
	[ "$left" -le 0 ] || return 0
	n_faults=$((n_faults + 1))
	hit "$class"
	reached[$class $method]=yes
	answers[$answer]=$((${answers[$answer]:-0} + 1))
}
meanwhile=

# judge N: what the answer to a fault must be, and what must come after it.
judge() {
	local got=$reply was=$answer
	case " ok $allowed " in
	*" $answer "*) ;;
	*)
		n_undefined=$((n_undefined + 1))
		complain "not a defined answer" "$1"
		;;
	esac
	if [ "$left" -gt 0 ] && [ "$answer" != ok ]; then
		n_undefined=$((n_undefined + 1))
		complain "not done, and there was no fault" "$1"
	fi
	# The first one is that of its own commit.
	if [ "$class $1 $answer" = "fsync 1 ok" ] && [ -n "$is_write" ] &&
		[ "$left" -le 0 ]; then
		n_deaf=$((n_deaf + 1))
		complain "done, though its fsync had failed" "$1"
	fi
	if ended; then
		revive "$1"
		if [ "$was" != ok ] || [ -z "$is_write" ]; then
			renew
		fi
	elif [ "$answer" = closed ] || [ "$answer" = tls ]; then
		not_running "$daemon" && died "$1"
		again "$who"
		renew
	elif [[ $fault == *"sys_do $reset"* ]] && [ "$left" -le 0 ]; then
		# It may have ended after its answer.
		again "$who"
	fi
	answer=$was
	if [ -z "$is_write" ]; then
		[ "$answer" != ok ] || same "$got" "$1"
	elif [ "$answer" = ok ]; then
		if reply=$got && "done_${method//./_}"; then
			[ "$left" -gt 0 ] || n_kept=$((n_kept + 1))
		else
			n_lost=$((n_lost + 1))
			reply=$got
			complain "acknowledged and not on disk" "$1"
		fi
		return
	fi
	settle "$1"
}

# renew: what a connection signs holds on that connection, and keys that are
# kept nowhere are gone with it.
renew() {
	if [ "$method" = account.login ]; then
		params=$login_params
	elif [ "$who" = fresh ]; then
		"rq_${method//./_}"
	fi
}

# ended: an fsync has failed, and so the daemon stops by itself.  SQLite does
# not tell of one upon the folder, which the daemon does by itself at its start.
ended() {
	[[ $allowed == *ended* ]] && [ "$left" -le 0 ] || return 1
	[ "$answer" != ok ] || may_come 1 has_stopped
}

# has_stopped: it has said so.
has_stopped() {
	[ "$(grep -c 'error stopping' "$log")" -gt "$n_stops" ]
}

# same REPLY N: a read says what it said when there was no fault.
same() {
	local got=${1#*\"result\":} want=${expected#*\"result\":}
	# One signature is each connection's own.
	if [ "$method" = server.hello ]; then
		got=${got%%\"sig\"*} want=${want%%\"sig\"*}
	fi
	# Notices are sent meanwhile: how the last one fared may change.
	if [ "$method" = address.list ]; then
		got=${got%%\"confirmed\"*} want=${want%%\"confirmed\"*}
	fi
	[ "$got" != "$want" ] || return 0
	n_wrong=$((n_wrong + 1))
	reply=$1
	complain "another answer than without a fault" "$2"
}

# settle N: the same request, now that the fault is gone.
settle() {
	local first=$answer
	ask "$who" call "$method" "$params"
	name_answer
	if [ "$answer" != ok ] && [[ " ${final:-} " != *" $answer "* ]]; then
		n_stuck=$((n_stuck + 1))
		complain "after $first it does not succeed" "$1"
	elif [ -z "$is_write" ]; then
		same "$reply" "$1"
	elif ! "done_${method//./_}"; then
		n_lost=$((n_lost + 1))
		complain "done again and not on disk" "$1"
	fi
}

# prepare METHOD: what the pass over it needs; a read is asked once.
prepare() {
	local sub=${1//./_}
	method=$1 final='' is_write='' fault=none
	declare -F "done_$sub" >/dev/null && is_write=yes
	"rq_$sub"
	[ -n "$is_write" ] && return
	ask "$who" call "$method" "$params"
	expected=$reply
	name_answer
	[ "$answer" = ok ] || fail "$method works" "${reply:0:300}"
}

# pass_over METHOD HOOK NUMBER...: a request after the other while fault 1
# strikes, then a later one, until the request no longer comes to it.  The
# hooks are those of the fault; @n is where n stands.
pass_over() {
	local n=1 step total words
	prepare "$1"
	shift
	fault=$*
	name_class "$@"
	total=${totals[$method $class]:-0}
	step=$((2 * total / count))
	while :; do
		words=("${@/@n/$n}")
		strike "$n" "${words[@]}"
		judge "$n"
		[ "$left" -le 0 ] || break
		totals[$method $class]=$((n > total ? n : total))
		if [ "$n" -gt "$total" ] && [ "$n" -gt "$count" ] &&
			[ $((n / 4)) -gt "$step" ]; then
			step=$((n / 4))
		fi
		n=$((n + 1 + (step > 1 ? RANDOM % step : 0)))
		[ "$n" -lt 1000000 ] || break
		"rq_${method//./_}"
		progress
	done
}
declare -A totals

# progress: a line of it every ten seconds.
progress() {
	[ $((SECONDS - told_at)) -ge 10 ] || return 0
	told_at=$SECONDS
	diag "$method, $fault: $n_faults faults so far"
}
told_at=0

# agrees: in long runs, after each method: what is on disk agrees with itself.
# The daemon runs.
agrees() {
	[ -n "$is_long" ] || return 0
	"$top_builddir/umpired" -c "$dir/umpired.conf" --check \
		>"$work/check" 2>&1 && return
	n_unsound=$((n_unsound + 1))
	diag "$method, $fault: --check:"
	head -n 5 "$work/check" | sed 's/^/# /'
}

# sum WHAT: cases about all that was tried since the last one.
sum() {
	local a text=
	for a in "${!answers[@]}"; do
		text="$text, ${answers[$a]} $a"
	done
	diag "$1: $n_faults faults${text}; $n_kept acknowledged and kept," \
		"$n_ended times stopped"
	is "$1: every answer is a defined one" "$n_undefined" 0
	is "$1: nothing acknowledged is lost" "$n_lost" 0
	is "$1: what is read is right" "$n_wrong" 0
	is "$1: work goes on afterwards" "$n_stuck" 0
	[[ $allowed != *ended* ]] ||
		is "$1: nothing is done whose fsync failed" "$n_deaf" 0
	[ -z "$is_long" ] ||
		is "$1: what is on disk agrees with itself" "$n_unsound" 0
	all_kept=$((all_kept + n_kept))
	n_faults=0 n_kept=0 n_lost=0 n_wrong=0 n_undefined=0 n_stuck=0 n_ended=0
	n_deaf=0 n_unsound=0
	answers=()
}
all_kept=0

# reached_all KIND METHOD...: a case; in a long run such a fault has struck in
# each of these methods.
reached_all() {
	local what=$1 missing='' m
	[ -n "$is_long" ] || return 0
	shift
	for m in "$@"; do
		[ -n "${reached[$what $m]:-}" ] || missing="$missing $m"
	done
	is "a fault of the kind $what has struck in each of $# methods" \
		"$missing" ''
}

# checked WHAT: two cases; the daemon stops, and what it leaves is sound.
checked() {
	stop_umpired
	is "$1: the daemon stops cleanly" $? 0
	exits 0 "$1: what it holds agrees with itself" \
		"$top_builddir/umpired" -c "$dir/umpired.conf" --check
}

# one_alloc METHOD: one of its allocations fails.
one_alloc() {
	# Those before are TLS's, which are the same for each.
	local n=$((30 + RANDOM % 70))
	prepare "$1"
	fault="alloc_n, once"
	while :; do
		strike "$n" forget 1 alloc_sticky 0 alloc_n "$n"
		judge "$n"
		[ "$left" -gt 0 ] || break
		n=$((1 + RANDOM % n))
		"rq_${method//./_}"
	done
}

# ---- the methods ----

begin "$dir" || exit 99
# Those that come later write down no lines: a hook that cannot aborts.
unset UMPIRED_TEST_LINES
quick_hooks
hook now_ms "$noon"
begin_methods || exit 99
ask anna call rpc.discover
of '.result.methods[].name' >"$work/methods"
mapfile -t methods <"$work/methods"
missing=
writers=() # those that change something
readers=() # those that look into the database alone
for m in "${methods[@]}"; do
	declare -F "rq_${m//./_}" >/dev/null || missing="$missing $m"
	if declare -F "done_${m//./_}" >/dev/null; then
		writers+=("$m")
	elif [[ " $diskless " != *" $m "* ]]; then
		readers+=("$m")
	fi
done
is "each of ${#methods[@]} methods has a request here" "$missing" ''
sub=$(declare -F | sed -n 's/.* rq_//p' | wc -l)
is "and each request a method" "$sub" ${#methods[@]}

# ---- the control ----

if [ -n "${UMPIRE_CONTROL:-}" ]; then
	allowed='ok storage closed ended'
	for do in $fail_io $fail_space $interrupt; do
		prepare game.order
		fault="an fsync that failed and is called good, $do"
		hook deaf_sync 1
		strike 1 sys_mask $syncs sys_do "$do" sys_sticky 1 sys_n 1
		hook deaf_sync 0
		judge 1
	done
	is "done, though the fsync had failed: found each time" "$n_deaf" 3
	allowed=storage
	# An order comes last: what the daemon holds of its game is wrong then.
	for m in blob.put address.quiet game.order; do
		prepare "$m"
		fault="a commit that fails"
		hook lie 1 fail_commits 1
		strike 1 sys_n 0
		hook lie 0 fail_commits 0
		judge 1
		[ "$m" != game.order ] || continue
		prepare "$m"
		fault="a full disk"
		hook lie 1
		strike 1 sys_mask $writes sys_do $fail_space sys_sticky 1 sys_n 1
		hook lie 0
		judge 1
	done
	is "acknowledged and not on disk: found each time" "$n_lost" 5
	descriptors
	conclude
fi

# ---- memory ----

# An end of TLS, "internal error", is that of a connection.
allowed='busy storage closed tls'
if has alloc; then
	faults_order
	for m in "${methods[@]}"; do
		if [ -n "$is_long" ] || [ "$m" = game.order ]; then
			pass_over "$m" alloc_n @n alloc_sticky 0
			# In a short one faults_order has had those for good.
			[ -z "$is_long" ] || {
				pass_over "$m" alloc_n @n alloc_sticky 1
				for sticky in 0 1; do
					pass_over "$m" alloc_n @n forget 1 \
						alloc_sticky $sticky
				done
			}
			agrees
		else
			one_alloc "$m"
		fi
	done
	sum "memory"
	checked "memory"
	reached_all alloc "${methods[@]}"
fi

# ---- the disk ----

if has disk; then
	come_back
	for m in "${methods[@]}"; do
		[ -n "$is_long" ] || [ "$m" = game.order ] || continue
		for sticky in 0 1; do
			allowed='storage busy'
			for do in $fail_io $fail_space $fail_readonly \
				$interrupt $shorten; do
				pass_over "$m" sys_n @n sys_mask $writes \
					sys_do "$do" sys_sticky $sticky
			done
			# Pages come from the disk, not from what is kept.
			for do in $fail_io ${is_long:+$interrupt $shorten}; do
				[ -n "$is_long" ] || [ $sticky = 0 ] || continue
				pass_over "$m" sys_n @n sys_mask $reads \
					sys_do "$do" sys_sticky $sticky forget 1
			done
			# Of what an fsync did that failed nothing is known.
			allowed='ok storage closed ended'
			for do in $fail_io $fail_space ${is_long:+$interrupt}; do
				pass_over "$m" sys_n @n sys_mask $syncs \
					sys_do "$do" sys_sticky $sticky
			done
		done
		agrees
	done
	sum "the disk"
	read_only
	reached_all read "${readers[@]}" "${writers[@]}"
	reached_all write "${writers[@]}"
	reached_all fsync "${writers[@]}"
fi

# ---- connections ----

if has socket; then
	come_back
	for m in "${methods[@]}"; do
		[ -n "$is_long" ] || [ "$m" = game.order ] || continue
		for sticky in 0 1; do
			allowed=none
			for do in $interrupt $shorten; do
				for mask in $socket_reads $socket_writes; do
					pass_over "$m" sys_n @n sys_mask "$mask" \
						sys_do "$do" sys_sticky $sticky
				done
			done
		done
		allowed=closed
		for mask in $socket_reads $socket_writes; do
			pass_over "$m" sys_n @n sys_mask "$mask" sys_do $reset \
				sys_sticky 0
		done
		agrees
	done
	sum "connections"
	reached_all socket "${methods[@]}"
	handshakes
fi

! has disk || checked "all those faults"
! has checkpoint || checkpoints
! has starts || starts
! has files || descriptors
! has space || full_disk
! has clock || clock_steps

text='' all_faults=0
for class in alloc read write fsync socket handshake checkpoint start files \
	space clock; do
	all_faults=$((all_faults + ${struck[$class]:-0}))
	text="$text, ${struck[$class]:-0} $class"
done
diag "$all_faults faults struck${text/,/:}; $all_kept acknowledged meanwhile" \
	"and kept, $tap_failed of $tap_n cases failed"
conclude
