# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2154
#
# Parts of faults.sh that are about more than one request: an order with dice
# that is never committed, handshakes, checkpoints, descriptors, a file system
# without space or without leave to write, and a clock that is set.

# faults_order: a declaration, which draws dice, runs out of memory at one
# allocation after the other and is never committed: the dice are the same all
# the time.
faults_order() {
	local args line sticky before after
	forge_game anna bert || exit 99
	method=game.order allowed='storage busy closed tls' who=anna
	args=$(jq -c '{combat: {attackers: .attackers[:2],
		defenders: .defenders[:2], contacts: .contacts[:2]}}' \
		"$work/combat.json")
	look anna
	ask anna pool "$pool"
	ask anna sign "$(order_text 1 declare "$args" c/1/austrian-1/1/1)"
	params=$reply
	: >"$lines"
	before=$(tables "$db")
	for sticky in 0 1; do
		n=1
		fault="an order never committed, sticky $sticky"
		while :; do
			hook fail_commits -1
			strike "$n" alloc_sticky $sticky alloc_n "$n"
			hook fail_commits 0
			if [[ " $allowed " != *" $answer "* ]]; then
				n_undefined=$((n_undefined + 1))
				complain "not a defined answer" "$n"
			fi
			if [ "$answer" = closed ] || [ "$answer" = tls ]; then
				again anna
			fi
			not_running "$daemon" && died "$n"
			[ "$left" -le 0 ] || break
			[ "$n" -lt 100000 ] || break
			n=$((n + 1 + RANDOM % (1 + 3 * n / count)))
			progress
		done
		is "the order comes to its end at last, sticky $sticky" \
			"$((n < 100000)) $answer" '1 storage'
	done
	after=$(tables "$db")
	is "nothing was recorded" "$after" "$before"
	ask anna call game.order "$params"
	is "the same bytes then succeed" "$(of .result.seq)" 4
	line=$(of .result.line)
	is "the dice were the same all the time" \
		"$(jq -c .dice "$lines" | sort -u)" "$(jq -c .dice <<<"$line")"
	is "it came to the dice more than once" "$(($(jq -c \
		'select(.dice.rolls | length == 4)' "$lines" | wc -l) > 1))" 1
	ask anna call game.order "$params"
	is "and are answered with their line" "$(of .result.line)" "$line"
	game=$game_played
}

# begun: starts the daemon, which may end at once; leaves $rc, "runs" or the
# status that it ended with.
begun() {
	rm -f "$dir/port"
	: >"$log"
	"$UMPIRED" -c "$dir/umpired.conf" >>"$log" 2>&1 </dev/null &
	daemon=$!
	daemons="$daemons $daemon"
	wait_for 20 begun_or_ended || died 0
	if [ -s "$dir/port" ]; then
		rc=runs
		port=$(head -n 1 "$dir/port")
		return
	fi
	wait "$daemon"
	rc=$?
}

# begun_or_ended: it listens, or it has ended.
begun_or_ended() {
	[ -s "$dir/port" ] || not_running "$daemon"
}

# starts: what fails while the daemon starts.  It says so and ends, or it runs.
starts() {
	local a bad_rc code mask n ran=0 tried=0 bad=0 step
	local -a specs=() refused=()
	dir=$work/starts db=$dir/umpired.db log=$dir/log method=start
	init_umpired "$dir" || exit 99
	for mask in $reads $writes $syncs $opens; do
		for code in $fail_io $fail_space $interrupt $shorten; do
			specs+=("sys_mask $mask sys_do $code sys_n @n")
		done
	done
	specs+=("alloc_n @n" "alloc_sticky 1 alloc_n @n")
	[ -n "$is_long" ] || specs=("sys_mask $syncs sys_do $fail_io sys_n @n")
	for fault in "${specs[@]}"; do
		step=1
		[[ $fault != *alloc* ]] || step=$((4000 / count))
		for ((n = 1; n < 100000; n += step > 1 ? 1 + RANDOM % step : 1)); do
			# shellcheck disable=SC2086
			hook ${fault/@n/$n}
			begun
			hook "$([[ $fault == *alloc* ]] && echo alloc_n ||
				echo sys_n)" >/dev/null
			left=$hook_value
			calm
			tried=$((tried + 1))
			[ "$left" -gt 0 ] || hit start
			bad_rc=''
			case $rc in
			runs)
				ran=$((ran + 1))
				greet
				if ! stop_umpired || [ "$answer" != ok ]; then
					bad_rc=yes
				fi
				;;
			71 | 74 | 70 | 78)
				# OpenSSL also calls bad what it has no memory to
				# read.
				[[ $rc == 7[14] || $fault == *alloc* ]] || bad_rc=yes
				refused[rc]=$((${refused[rc]:-0} + 1))
				tail -n 1 "$log" | grep -q '^umpired: ' ||
					bad_rc=yes
				;;
			*) bad_rc=yes ;;
			esac
			if [ -n "$bad_rc" ]; then
				bad=$((bad + 1))
				diag "$fault, n $n: $rc, ${answer:-}"
				tail -n 2 "$log" | sed 's/^/# /'
			fi
			[ "$left" -le 0 ] || break
			progress
		done
	done
	for a in "${!refused[@]}"; do
		diag "${refused[a]} of $tried starts with a fault ended with $a"
	done
	diag "$ran of them ran"
	is "starts: each runs or says why not" "$bad" 0
	begun
	is "starts: then it starts" "$rc" runs
	checked starts
}

# greet: a new connection, from which the server is asked who it is.
greet() {
	session greeter
	ask greeter hello 2>/dev/null >&2
	name_answer
	close_session greeter 2>/dev/null
}

# handshakes: connections that fail while they are made.
handshakes() {
	local code mask max n tried=0 bad=0 served=0
	max=$([ -n "$is_long" ] && echo 1000 || echo 3)
	for mask in $socket_reads $socket_writes $accepts; do
		for code in $interrupt $shorten $reset $fail_files $fail_table; do
			[ "$mask" = $accepts ] || [ "$code" -lt $fail_table ] ||
				[ "$code" = $reset ] || continue
			[ "$mask" != $accepts ] || [ "$code" != $shorten ] ||
				continue
			for ((n = 1; n <= max; n++)); do
				hook sys_mask "$mask" sys_do "$code" sys_n "$n"
				greet
				hook sys_n >/dev/null
				left=$hook_value
				calm
				tried=$((tried + 1))
				[ "$left" -gt 0 ] || hit handshake
				[ "$answer" != ok ] || served=$((served + 1))
				[ "$answer" = ok ] || [ "$code" = "$reset" ] ||
					bad=$((bad + 1))
				not_running "$daemon" && died "$n"
				[ "$left" -le 0 ] || break
			done
		done
	done
	diag "$tried handshakes with a fault, $served of them served"
	is "a fault that passes fails no handshake" "$bad" 0
	fault=handshake method=none bad=0 tried=0
	max=$([ -n "$is_long" ] && echo 100000 || echo $((20 * count)))
	for ((n = 1; n <= max; n += 1 + RANDOM % 40)); do
		hook alloc_n "$n"
		greet
		hook alloc_n >/dev/null
		left=$hook_value
		calm
		not_running "$daemon" && died "$n"
		[ "$left" -le 0 ] || break
		tried=$((tried + 1))
		hit handshake
	done
	greet
	is "after $tried handshakes without memory one works" "$answer" ok
	diag "of the last faults: $(grep -c 'out of memory' "$log") times out" \
		"of memory in the log"
}

# log_pages: how many pages the log holds, in $pages, and how many of them were
# copied into the database, in $copied (SQLite's WAL-index: mxFrame, nBackfill).
log_pages() {
	read -r pages < <(od -An -tu4 -j 16 -N 4 "$db-shm")
	read -r copied < <(od -An -tu4 -j 96 -N 4 "$db-shm")
}

# fill_log: anna writes until the next order makes a thousand pages of the log,
# so that it is copied: much at a time, and at last what changes a page or two.
fill_log() {
	local i text quiet
	printf -v text '%035000d' 0
	for ((i = 0; i < 2000; i++)); do
		log_pages
		[ "$pages" -lt 995 ] || [ "$pages" -ge 1000 ] || return 0
		n_made=$((n_made + 1))
		if [ "$pages" -lt 960 ] || [ "$pages" -ge 1000 ]; then
			ask anna call blob.put "$(printf \
				'{"value":"{\\"blob\\":\\"bag\\",\\"bag\\":[],\\"note\\":\\"%s%d\\"}"}' \
				"$text" "$n_made")"
		else
			quiet=$((n_made % 1000))
			ask anna call address.quiet \
				"{\"offset\":60,\"from\":1,\"to\":$quiet}"
		fi
	done
	diag "the log has $pages pages, and not a thousand with the next order"
	exit 99
}

# is_copied: the log has been copied, or the fault has struck.
is_copied() {
	log_pages
	[ "$pages" != "$copied" ] || return 0
	hook sys_n >/dev/null
	[ "$hook_value" -le 0 ]
}

# let_copy: waits for that, which comes after the order's answer.
let_copy() {
	wait_for 1 is_copied
}

# calls_of MASK: how many calls of a kind an order makes, in $calls.
calls_of() {
	rq_game_order
	strike 1000000 sys_mask "$1" sys_do $interrupt sys_sticky 0 \
		sys_n 1000000
	calls=$((1000000 - left))
	judge 1000000
}

# checkpoints: what the disk does while the log is copied into the database.
checkpoints() {
	local code mask sticky own missing=''
	[ -n "$is_long" ] || return 0
	come_back
	prepare game.order
	fault="no fault" allowed=ok
	for mask in $reads $writes $syncs; do
		fill_log
		calls_of $mask # after it the log begins anew
		meanwhile=
		calls_of $mask
		own=$calls
		meanwhile=let_copy
		fill_log
		calls_of $mask
		is "copying the log makes calls of the kind $mask" \
			$((calls > own)) 1
		for sticky in 0 1; do
			for code in $fail_io $fail_space $interrupt $shorten; do
				[ "$mask $code" != "$syncs $shorten" ] ||
					continue
				checkpoint_fault "$mask" "$code" "$sticky" \
					"$own" "$calls"
				[ "$n_copying" -gt 0 ] ||
					missing="$missing $mask/$code/$sticky"
			done
		done
	done
	meanwhile=
	is "a fault of each kind has struck while the log was copied" \
		"$missing" ''
	sum "checkpoints"
	checked "checkpoints"
}

# checkpoint_fault MASK DO STICKY OWN LAST: batches that end in a checkpoint
# which fails at a call after the OWN ones of its order, up to the LAST; how many
# did goes into $n_copying.  The order has been answered before.
checkpoint_fault() {
	local n own=$4 last=$5 step=1
	fault="checkpoint, mask $1, do $2, sticky $3"
	allowed='ok storage closed'
	[ "$1" != $syncs ] || allowed='ok storage closed ended'
	n_copying=0
	for ((n = own + 1; n <= last; n += step)); do
		[ $((n - own)) -le "$count" ] || step=$((2 * step))
		fill_log
		rq_game_order
		strike "$n" sys_mask "$1" sys_do "$2" sys_sticky "$3" sys_n "$n"
		[ "$left" -gt 0 ] || n_copying=$((n_copying + 1))
		judge "$n"
		progress
	done
}

# read_only: a file system that must only be read, while the daemon runs.  What
# changes something is refused, reads go on, and afterwards the same bytes do
# what they say.
read_only() {
	local m
	allowed=storage
	for m in "${methods[@]}"; do
		[ -n "$is_long" ] || [ "$m" = game.order ] || continue
		prepare "$m"
		ask reader call game.record "{\"game\":\"$game_watched\"}"
		still=${reply#*\"result\":}
		fault="a file system that is read-only"
		meanwhile=still_reads
		strike 1 forget 1 sys_mask $changes sys_do $fail_readonly \
			sys_sticky 1 sys_n 1
		meanwhile=
		[ -z "$is_write" ] || [ "$answer" != ok ] || {
			n_undefined=$((n_undefined + 1))
			complain "done where nothing can be written" 1
		}
		judge 1
	done
	agrees
	sum "read-only"
}

# still_reads N: a record is read while nothing can be written, and what was
# refused is refused once more.
still_reads() {
	ask reader call game.record "{\"game\":\"$game_watched\"}"
	if [ "${reply#*\"result\":}" != "$still" ]; then
		n_wrong=$((n_wrong + 1))
		complain "nothing can be read" "$1"
	fi
	[ -n "$is_write" ] || return 0
	ask "$who" call "$method" "$params"
	name_answer
	[ "$answer" = storage ] || complain "then it is not refused" "$1"
	[ "$answer" = storage ] || n_undefined=$((n_undefined + 1))
}

# cpu_ms PID: how long it has run.
cpu_ms() {
	cat /proc/"$1"/task/*/schedstat | awk '{ ns += $1 } END {
		printf "%d\n", ns / 1000000 }'
}

# rest MS: time passes.
rest() {
	local i
	for ((i = 0; i < $1; i += 50)); do
		nap
	done
}

# descriptors: none are left.  The daemon waits for some without being busy,
# serves those that it has, and takes the others when there are some again.
descriptors() {
	local before begun_at code cpu i ms n open rest_ms=500 most
	[ -z "$is_long" ] || rest_ms=3000
	dir=$work/files db=$dir/umpired.db log=$dir/log
	# Its descriptors may be looked at then, not by root alone.
	begin "$dir" -o core_dumps=yes >/dev/null || exit 99
	enter anna bert || exit 99
	forge_game anna bert || exit 99
	# ENOMEM, ENOBUFS: no memory for sockets.
	if [ -n "${UMPIRE_CONTROL:-}" ]; then
		spins
		return
	fi
	for code in limit $fail_files ${is_long:+$fail_table 1012 1105}; do
		hit files
		open=$(find "/proc/$daemon/fd" -mindepth 1 | wc -l)
		if [ "$code" = limit ]; then
			# The least number that no descriptor has.
			n=$(find "/proc/$daemon/fd" -mindepth 1 -printf '%f\n' |
				sort -n | awk '$1 != NR - 1 { exit }
				END { print NR - ($1 != NR - 1) }')
			prlimit --pid "$daemon" --nofile="$n:"
			hook sys_mask $accepts sys_count 0
		else
			hook sys_mask $accepts sys_do "$code" sys_sticky 1 \
				sys_count 0 sys_n 1
		fi
		wait_without
		is "$code: the daemon does not spin" \
			"$((hook_value <= most)) $((cpu < ms / 4))" '1 1'
		before=$(head_of anna)
		give anna 1 free '{"dice":2,"sides":6}' "f/1/$((++n_rolls))"
		is "$code: connections wait" "$(waiting)" 3
		is "$code: who is connected is served" "$(of .result.seq)" \
			$((before + 1))
		prlimit --pid "$daemon" --nofile=1024:
		calm
		for i in 1 2 3; do
			hear "waiting$i"
			name_answer
			is "$code: connection $i is served in the end" \
				"$answer" ok
			close_session "waiting$i"
		done
	done
	checked "descriptors"
}
n_rolls=0

# wait_without: three connections come while none can be taken; leaves in
# $hook_value how often the daemon tried within $ms ms, in $most how often it
# may, and in $cpu for how long it ran.
wait_without() {
	for i in 1 2 3; do
		session "waiting$i"
		tell "waiting$i" hello
	done
	wait_for 10 tried || fail "$code: the daemon tries to accept"
	hook sys_count 0
	cpu=$(cpu_ms "$daemon")
	begun_at=${EPOCHREALTIME/[.,]/}
	rest $rest_ms
	hook sys_count >/dev/null
	cpu=$(($(cpu_ms "$daemon") - cpu))
	ms=$(((${EPOCHREALTIME/[.,]/} - begun_at) / 1000))
	# Each io thread pauses for 200 ms after each try.
	most=$((io_threads * (ms / 200 + 2)))
	diag "descriptors, $code: $open open, $hook_value calls and" \
		"$cpu ms of CPU in $ms ms"
}
io_threads=$("$UMPIRED" --print-config |
	sed -n 's/^#\? *io_threads = \([0-9]*\).*/\1/p')

# spins: the control: a daemon that does not wait is found to be busy.
spins() {
	local i calls code=$fail_files open=some
	hook restless 1 sys_mask $accepts sys_do "$code" sys_sticky 1 \
		sys_count 0 sys_n 1
	wait_without
	calls=$hook_value
	hook restless 0
	calm
	is "a daemon that does not wait spins: found" "$((calls <= most))" 0
}

# waiting: how many of the connections have no answer yet.
waiting() {
	local i n=0
	for i in 1 2 3; do
		read -r -t 0 -u "${session_out[waiting$i]}" || n=$((n + 1))
	done
	echo "$n"
}

# tried: the daemon has called accept4().
tried() {
	hook sys_count >/dev/null
	[ "$hook_value" -gt 0 ]
}

# head_of SESSION: the number of the last line.
head_of() {
	look "$1"
	echo "$seq"
}

# inside COMMAND: runs it in the shell that sees the small file system.
inside() {
	printf '%s\n' "$*" >&"$inside_in"
	read -r -t 60 -u "$inside_out" inside_status
	return "${inside_status:-1}"
}

# open_small: a file system of 3 MiB in a place that only that shell sees.
open_small() {
	rm -f "$work/inside.in" "$work/inside.out"
	mkfifo "$work/inside.in" "$work/inside.out"
	mkdir -p "$work/small"
	# shellcheck disable=SC2016
	unshare -rm bash -c 'mount -t tmpfs -o size=3m,mode=0700 small "$1" ||
		exit 1
		while read -r command; do eval "$command"; echo $?; done' \
		- "$work/small" <"$work/inside.in" >"$work/inside.out" \
		2>>"$work/inside.err" &
	daemons="$daemons $!"
	exec {inside_in}>"$work/inside.in" {inside_out}<"$work/inside.out"
	inside true
}

# start_small: the daemon there; its status is in $small/status at the end.
start_small() {
	rm -f "$work/small.port"
	inside "(\"$UMPIRED\" -c $small/umpired.conf -o min_free_disk=0 -o port_file=$work/small.port" \
		">>$log 2>&1; echo \$? >$work/small.status) </dev/null &" \
		"small_pid=\$!"
	inside "sleep 0.02; pgrep -P \$small_pid >$work/small.pid"
	wait_for 5 small_has_begun || return 1
	[ -s "$work/small.port" ] || return 1
	port=$(head -n 1 "$work/small.port")
	daemon=$(cat "$work/small.pid")
	daemons="$daemons $daemon"
}

# small_has_begun: it listens, or it has ended.
small_has_begun() {
	[ -s "$work/small.port" ] || [ -s "$work/small.status" ]
}

# stop_small: leaves the status in $small_status.
stop_small() {
	kill -TERM "$daemon"
	wait_for 20 test -s "$work/small.status"
	small_status=$(cat "$work/small.status")
	rm -f "$work/small.status"
}

# full_until: orders until one finds no space; leaves it in $params, and in
# $acked the lines that were answered before.
full_until() {
	local i
	acked=()
	for ((i = 0; i < 50; i++)); do
		look anna
		ask anna pool "$pool"
		ask anna sign "$(order_text 1 free '{"dice":2,"sides":6}' \
			"f/1/$((n_rolls + 1))")"
		params=$reply
		ask anna call game.order "$params"
		name_answer
		[ "$answer" = ok ] || {
			hit space
			break
		}
		n_rolls=$((n_rolls + 1))
		acked+=("$(of .result.line)")
	done
}

# kept_all WHAT: a case; all that was answered is read, and no more.
kept_all() {
	local i from ok=0
	look reader
	from=$((seq - ${#acked[@]} + 1))
	for ((i = 0; i < ${#acked[@]}; i++)); do
		ask reader call game.record \
			"{\"game\":\"$game\",\"from\":$((from + i)),\"to\":$((from + i))}"
		[ "$(of '.result.lines[0]')" != "${acked[i]}" ] || ok=$((ok + 1))
	done
	is "$1" "$ok" "${#acked[@]}"
}

# full_disk: a file system without space, with space again, without leave to
# write; and a file that may not grow.
full_disk() {
	local size
	small=$work/small/umpired log=$work/small.log
	if ! open_small; then
		skip "a full file system" "no user and mount namespaces"
	else
		full_small
	fi
	dir=$work/limited db=$dir/umpired.db log=$dir/log n_rolls=0
	begin "$dir" >/dev/null || exit 99
	enter anna bert || exit 99
	again reader
	forge_game anna bert || exit 99
	size=$(stat -c %s "$db-wal")
	prlimit --pid "$daemon" --fsize="$size:"
	full_until
	is "a file that may not grow: an order" "$answer" storage
	kept_all "a file that may not grow: what was answered is there"
	prlimit --pid "$daemon" --fsize=unlimited:
	ask anna call game.order "$params"
	name_answer
	is "a file that may grow again: the same bytes" "$answer" ok
	checked "a file that may not grow"
}

# full_small: the part of it for which there must be a file system of its own.
full_small() {
	local last
	inside "\"$UMPIRED\" --init $small -o user=root" \
		"-o listen=127.0.0.1:0 >$work/init.log"
	start_small || {
		fail "a daemon on the small file system"
		return
	}
	enter anna bert || exit 99
	again reader
	forge_game anna bert || exit 99
	n_rolls=0
	inside "head -c 100m /dev/zero >$work/small/fill"
	full_until
	is "a full file system: an order" "$answer" storage
	kept_all "a full file system: what was answered is there"
	last=$seq
	make_account
	session fresh
	ask fresh newkeys
	ask fresh register "$account"
	name_answer
	is "a full file system: an account" "$answer" storage
	put_roster anna "$work/combat.json"
	inside "rm $work/small/fill"
	ask anna call game.order "$params"
	is "with space again the same bytes succeed" "$(of .result.seq)" \
		$((last + 1))
	ask fresh register "$account"
	name_answer
	is "and the account is made" "$answer" ok

	n_rolls=$((n_rolls + 1))
	inside "head -c 100m /dev/zero >$work/small/fill"
	full_until
	look reader
	last=$seq
	stop_small
	is "it stops on a full file system" "$small_status" 0
	if start_small; then
		session reader
		look reader
		is "it starts on one, too, and has all" "$seq" "$last"
		stop_small
	else
		is "it says that it cannot start on one" \
			"$(cat "$work/small.status")" 74
		like "and why" "$log" 'umpired: cannot .*small/umpired'
		rm -f "$work/small.status"
	fi
	inside "rm $work/small/fill; mount -o remount,ro $work/small"
	is "it does not start where it must not write" \
		"$(start_small || cat "$work/small.status")" 74
	like "and says so" "$log" 'umpired: cannot open .*umpired.db'
	rm -f "$work/small.status"
	inside "mount -o remount,rw $work/small"
	start_small || fail "it starts when it may write again"
	session reader
	look reader
	is "and has all that it had" "$seq" "$last"
	stop_small
	is "the daemon stops cleanly" "$small_status" 0
	inside "\"$top_builddir/umpired\" -c $small/umpired.conf --check" \
		">$work/small.check"
	is "what it holds agrees with itself" "$inside_status" 0
}

# too_early WHO WHAT: a case; a claim of WHO is nothing but a line.
too_early() {
	run umpire_as "$1" claim clocks --anyway
	is "$2: a claim ends nothing" "$status $(umpire_as "$1" show clocks \
		--json 2>/dev/null | filter .phase)" "0 play"
}

# at NAME: the time of the last line of that game of anna's.
at() {
	umpire_as anna show "$1" --json | filter .at
}

# steps WHO SECONDS WHAT: the clock is set to that time, and WHO ends a turn;
# times of lines never go back.
steps() {
	local before
	before=$(at clocks 2>/dev/null)
	hit clock
	hook now_ms "$2"
	exits 0 "clock, $3: $1 ends the turn" umpire_as "$1" end-turn clocks
	is "clock, $3: times of lines go up" \
		"$(printf '%s\n' "$before" "$(at clocks 2>/dev/null)" | sort -c 2>&1)" ''
}

# clock_steps: the clock is set, forward and back, in a game whose clock runs.
clock_steps() {
	local UMPIRE=$umpire_test
	[ -x "$umpire_test" ] || {
		skip "a clock that is set" "umpire-test is not built"
		return
	}
	local hour=3600000 base=1798761600000 year=31536000000 who
	dir=$work/clock db=$dir/umpired.db log=$dir/log
	printf '#!/bin/sh\ncat >>"%s"\n' "$work/told" >"$work/tell"
	chmod 700 "$work/tell"
	# 2027-01-01 00:00:00 UTC
	hook now_ms $((base - 4 * hour))
	begin "$dir" -o "notify_command=$work/tell" >/dev/null || exit 99
	server=127.0.0.1:$port
	write_example "$work"
	for who in anna bert; do
		rm -rf "$work/players/$who"
		init_player $who || exit 99
		umpire_as $who register $who --trust >/dev/null 2>&1
	done
	run umpire_as anna new --roster "$work/roster.json" --name clocks \
		--clock 1h/order,notice=0s,then=forfeit --json
	game=$(filter .game <"$out")
	umpire_as bert join --yes "$game" --name clocks >/dev/null 2>&1
	umpire_as bert ready clocks >/dev/null 2>&1
	umpire_as anna ready clocks >/dev/null 2>&1
	session watcher
	ask watcher call game.watch "{\"game\":\"$game\",\"after\":-1}"

	hook now_step_ms 1
	steps anna $((base - 2)) "over midnight"
	hook now_step_ms 0
	steps bert $((base + hour / 2)) "half an hour on"
	hook now_ms $((base + hour / 4))
	too_early bert "clock, back"
	steps anna $((base - hour)) "an hour and a half back"
	steps bert 1 "1970"
	too_early bert "clock, 1970"
	steps anna $((base + year)) "a year on"
	steps bert $((base + hour)) "a year back"
	too_early bert "clock, a year back"
	steps anna $((base + 2 * year)) "two years on"
	hook now_ms $((base + 2 * year + hour - 2000))
	too_early anna "clock, before the hour is over"
	hook now_ms $((base + 2 * year + hour + 2000))
	exits 0 "clock: once it is over the claim holds" \
		umpire_as anna claim clocks
	is "clock: the game is over" "$(umpire_as anna show clocks --json \
		2>/dev/null | filter .phase)" over
	exits 0 "clock: the record is exported" umpire_as anna export clocks \
		-o "$work/clocks.jsonl"
	exits 0 "clock: it is good" "$UMPIRE" verify "$work/clocks.jsonl"
	watched_all
	delayed_clock "$base"
	if [ -x "$top_builddir/umpired-courier" ]; then
		noticed "$base"
	else
		skip "clock: a notice" "umpired-courier is not built"
	fi
	hook now_ms "$noon"
	checked "clock"
}

# watched_all: who watches has had each line once, in order.
watched_all() {
	local got=
	umpire_as anna show clocks --json >"$out" 2>/dev/null
	seq=$(filter .seq <"$out")
	while [ "${got##* }" != "$seq" ]; do
		ask watcher line 5000
		[[ $reply == *'"game.entry"'* ]] || break
		got="$got $(of .params.seq)"
	done
	is "clock: who watches has each line once" "$got" \
		"$(seq -f ' %g' -s '' 0 "$seq")"
}

# delayed_clock BASE: a game that others see five minutes later.
delayed_clock() {
	local minute=60000 base=$1 who
	for who in carl dora; do
		make_keys $who
		session $who $who
		ask $who register $who
	done
	ask carl hello
	server_key=$(of .result.server)
	server_dice=$(of .result.server_dice)
	hook now_ms "$base"
	put_roster carl "$work/roster.json"
	ask carl order "$(create_text "$(create_args 1 carl \
		'.options = {delay_minutes: 5}')")"
	game=$(of '.result.line | fromjson | .game')
	game_clock=$game
	look carl
	ask dora order "$(order_text 2 join "$(join_args 2 dora)")"
	give dora 2 ready '{}' p/0
	give carl 1 ready '{}' p/0
	session reader
	sees "clock, delay: play has begun" 3
	give carl 1 free '{"dice":2,"sides":6}' f/1/1
	sees "clock, delay: a roll is not seen yet" 3
	hook now_ms $((base + 6 * minute))
	sees "clock, delay: six minutes on it is" 4
	give carl 1 free '{"dice":2,"sides":6}' f/1/2
	hook now_ms $((base - 60 * minute))
	sees "clock, delay: what is not due is not seen, an hour back" 3
	hook now_ms 1
	sees "clock, delay: nor in 1970" 3
	ask reader call game.watch "{\"game\":\"$game\",\"after\":3}"
	give carl 1 free '{"dice":2,"sides":6}' f/1/3
	hook now_ms $((base + 12 * minute))
	for seq in 4 5 6; do
		ask reader line 5000
		is "clock, delay: line $seq is told in the end" \
			"$(of .params.seq)" "$seq"
	done
}

# noticed BASE: what is to be told while the clock is years ahead is told when it
# is right again, and not in years.
noticed() {
	game=$game_clock
	close_session dora
	hook now_ms $(($1 + 94608000000))
	look carl
	ask carl pool "$pool"
	ask carl order "$(order_text 1 turn.end '{}' p/1)"
	is "clock, three years on: a turn ends" "$(of .result.seq)" \
		$((seq + 1))
	hook now_ms "$1"
	ask carl call address.quiet '{}'
	wait_for 20 grep -q '"dora"' "$work/told"
	is "clock, three years back: who is in turn is told of it" $? 0
}

# sees WHAT SEQ: a case; who has no seat sees the game up to there.
sees() {
	ask reader call game.record "{\"game\":\"$game\",\"from\":0}"
	is "$1" "$(of .result.seq)" "$2"
}
