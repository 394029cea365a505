#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Clients that wish the server ill (tests/tools/hostile says what they do), from
# many addresses of the loopback, while a good client plays: it is answered all
# the while, by the measure below about as soon as in peace; the daemon's memory
# stays within the sum of umpired.conf(5); and those who misbehave are shut out
# for a while.
#
# UMPIRE_COUNT=n: so many hostile connections, each kind of attack by itself and
# then all together, and the good client's medians under attack are held to
# three times those in peace, measured in turn in the same run; an attack that
# misses is tried twice more.  Unset: 200 connections of all kinds, and latency
# is only told.  UMPIRE_KINDS: only these kinds.  UMPIRE_CONTROL=1: with the
# limits off the same measures must find that the good client suffers or that
# memory grows.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

hostile=$tools/hostile
[ -x "$hostile" ] || skip_all "tests/tools/hostile is not built"
count=${UMPIRE_COUNT:-200}
long=${UMPIRE_COUNT:+yes}
control=${UMPIRE_CONTROL:-}
turns=8 # of the good client, each time
[ -z "$long" ] || turns=25
[ -z "$control" ] || turns=3
lower=$([ -n "$control" ] && echo 0 || echo 10) # priority of attackers
fresh=1 # the next address of attackers
addresses=$(((count + 39) / 40 > 5 ? (count + 39) / 40 : 5))
kinds="silent hello plain knock drip unfinished endless deaf pipeline json
	login orders"
ulimit -n "$((2 * count + 1024))" 2>/dev/null || ulimit -n "$(ulimit -H -n)"

# begin OPTION...: a daemon, from whose limits nobody is exempt, and the good
# client, which reads from $good_in and writes to $good_out.
begin() {
	start_umpired "$work/umpired" -o penalty_exempt= \
		-o register_burst=10000 "$@" || exit 99
	write_example "$work"
	rm -f "$work/good.in" "$work/good.out"
	mkfifo "$work/good.in" "$work/good.out"
	"$hostile" good 127.0.0.1 "$port" "$work/roster.json" \
		<"$work/good.in" >"$work/good.out" 2>"$work/good.err" &
	good_pid=$!
	daemons="$daemons $good_pid"
	exec {good_in}>"$work/good.in" {good_out}<"$work/good.out"
	read -r -t 120 -u "$good_out" reply
	[ "$reply" = ready ] || {
		sed 's/^/# good: /' "$work/good.err"
		exit 99
	}
}

# good NAME TURNS: the good client measures under that name; 1 if it failed.
good() {
	echo "$1 $2" >&"$good_in"
	read -r -t 300 -u "$good_out" reply && [ "$reply" = "done" ]
}

# end: the good client's medians are in $reply, and the daemon stops.
end() {
	exec {good_in}>&-
	read -r -t 60 -u "$good_out" reply
	exec {good_out}<&-
	wait "$good_pid"
}

# attack KIND [FIRST]: begins one, from fresh addresses or those from that one
# on, at a lower priority, since its work is that of other machines; stop_attack
# ends it and leaves what it did in $did.
attack() {
	local first=${2:-$fresh}
	[ $# -gt 1 ] || fresh=$((fresh + addresses))
	rm -f "$work/bad.in" "$work/bad.out"
	mkfifo "$work/bad.in" "$work/bad.out"
	nice -n "$lower" "$hostile" "$1" 127.0.0.1 "$port" "$count" "$addresses" \
		"$first" "$work/roster.json" <"$work/bad.in" \
		>"$work/bad.out" 2>"$work/bad.err" &
	bad_pid=$!
	daemons="$daemons $bad_pid"
	exec {bad_in}>"$work/bad.in" {bad_out}<"$work/bad.out"
	read -r -t 120 -u "$bad_out" reply
	[ "$reply" = ready ] || {
		sed 's/^/# hostile: /' "$work/bad.err"
		return 1
	}
}

stop_attack() {
	echo >&"$bad_in"
	read -r -t 60 -u "$bad_out" did
	exec {bad_in}>&- {bad_out}<&-
	wait "$bad_pid"
}

# files: how many descriptors the daemon has.
files() {
	find "/proc/$daemon/fd" -mindepth 1 | wc -l
}

# left N: it has no more of them than that.
left() {
	[ "$(files)" -le "$1" ]
}

# memory WHAT: VmRSS or VmHWM of the daemon, in KiB.
memory() {
	awk -v what="$1:" '$1 == what { print $2 }' "/proc/$daemon/status"
}

# measure KIND: the good client in peace and under attack in turn, three times;
# leaves $ratio_show and $ratio_order, in hundredths, of this kind's medians.
measure() {
	local ok=yes
	for _ in 1 2 3; do
		good peace "$turns" || ok=no
		attack "$1" || ok=no
		good attack "$turns" || ok=no
		stop_attack
	done
	end
	read -r n peace_show peace_order attack_show attack_order < <(
		"$tools/pick" .attack.n .peace.show .peace.order .attack.show \
			.attack.order <<<"$reply")
	ratio_show=$((100 * attack_show / (peace_show + 1)))
	ratio_order=$((100 * attack_order / (peace_order + 1)))
	diag "$1: show $peace_show -> $attack_show us, order $peace_order ->" \
		"$attack_order us, RSS at most $(($(memory VmHWM) / 1024)) MiB"
	diag "$1: $did"
	[ "$ok" = yes ] && [ "$n" = $((3 * turns)) ]
}

# within KIND: true if the good client suffered no more than it may.
within() {
	[ "$ratio_show" -le 300 ] && [ "$ratio_order" -le 300 ]
}

# bound: the sum of umpired.conf(5), in KiB, for the connections that there can
# be and the longest reply that they can have here, that of rpc.discover.
bound() {
	local connections=$((count < 1024 ? count : 1024))
	echo $((65536 + connections * 850))
}

if [ -n "$control" ]; then
	begin -o max_startups= -o request_rate=0 -o address_rate=0 \
		-o penalty_handshake=0 -o penalty_timeout=0 \
		-o penalty_malformed=0 -o penalty_flood=0 \
		-o max_connections=100000 -o max_per_address=100000
	measure json
	answered=$?
	worst=$((ratio_show > ratio_order ? ratio_show : ratio_order))
	stop_umpired
	is "without limits the good client suffers" \
		"$((worst > 300 || answered != 0))" 1
	diag "without limits: show $ratio_show %, order $ratio_order %"
	finish
fi

# ---- each limit by itself ----

# shut: true if a connection is closed before TLS.
shut() {
	! timeout 20 openssl s_client -connect "127.0.0.1:$port" </dev/null \
		2>/dev/null | grep -q 'BEGIN CERTIFICATE'
}

limits=$work/limits
start_umpired "$limits" -o penalty_exempt= -o address_rate=5 \
	-o address_burst=30 || exit 99
session one
ask one send '{"jsonrpc":"2.0","id":1,"method":"game.nothing"}'
refused "what is within the burst is answered" -32601 method method
# However slow this is, they are more than what leaks meanwhile.
for _ in {1..1000}; do
	ask one send '{"jsonrpc":"2.0","id":"x","method":"game.list"}'
	[[ $reply != *'"error":{'* ]] || break
done
refused "what is over the rate is not" 3 limit
is "it is told how long to wait" "$(of '.error.data.wait_ms |
	. >= 200 and . < 60000')" true
ask one send '{"jsonrpc":"2.0","id":2,"method":"game.list"}'
is "and served then" "$(of .result.games)" '[]'
holds "meanwhile nobody else comes from there" shut
close_session one
stop_umpired
is "the daemon stops cleanly" $? 0

start_umpired "$work/waits" -o penalty_exempt= -o address_rate=20 \
	-o address_burst=10 || exit 99
init_player eve
exits 0 "the client that is told to wait does so" \
	umpire_as eve register eve --trust
like "when it was" "$work/waits/log" 'too many requests; wait for'
stop_umpired
is "the daemon stops cleanly" $? 0

start_umpired "$limits" -o penalty_exempt= -o penalty_malformed=60 || exit 99
session one
ask one send '{"jsonrpc":"2.0","id":1,"method":"game.list"'
refused "what is malformed is answered so" -32700 malformed "byte 45"
holds "and shuts its address out" shut
ask one send '{"jsonrpc":"2.0","id":2,"method":"game.list"}'
is "but not the connection that is there" "$(of .result.games)" '[]'
close_session one
stop_umpired
is "the daemon stops cleanly" $? 0

start_umpired "$limits" -o max_startups=1:100:1 || exit 99
exec {silent}<>"/dev/tcp/127.0.0.1/$port"
wait_for 10 shut
is "a connection that says nothing keeps others out, where they are so few" $? 0
exec {silent}>&-
spoken() {
	! shut
}
wait_for 10 spoken
is "until it goes" $? 0
stop_umpired
is "the daemon stops cleanly" $? 0

# ---- attacks ----

for kind in ${UMPIRE_KINDS:-${long:+$kinds} all}; do
	for try in 1 2 3; do
		# Its descriptors may be looked at then, not by root alone.
		begin -o core_dumps=yes
		before=$(files)
		measure "$kind"
		answered=$?
		high=$(memory VmHWM)
		# What it has of its own may have become more meanwhile.
		wait_for 20 left $((before + 8))
		has_left=$?
		stop_umpired
		stopped=$?
		[ -n "$long" ] && ! within && [ "$try" -lt 3 ] || break
		diag "$kind: once more"
	done
	is "$kind: the good client was answered all the while" "$answered" 0
	if [ -z "${UMPIRE_SLOW:-}" ]; then
		is "$kind: memory stays within the sum of the settings" \
			"$((high <= $(bound)))" 1
	else
		skip "$kind: memory" "a sanitizer keeps what is freed"
	fi
	is "$kind: no connection stays" "$has_left" 0
	is "$kind: the daemon stops cleanly" "$stopped" 0
	if [ -n "$long" ]; then
		is "$kind: the good client waits at most three times as long" \
			"$(within && echo yes || echo "show $ratio_show % order \
$ratio_order %")" yes
	fi
done
# ---- a newcomer ----

if [ -n "$long" ]; then
	# As many as may say nothing are there, so nobody else gets in; until
	# their time is over, for which their addresses pay.
	begin -o max_startups=20:30:100
	attack silent
	wait_for 20 shut
	is "a crowd that says nothing keeps newcomers out" $? 0
	SECONDS=0
	wait_for 60 spoken
	is "but not for long" $? 0
	diag "for $SECONDS s"
	stop_attack
	end
	stop_umpired
	is "the daemon stops cleanly" $? 0
fi

# ---- who misbehaves is shut out, and nobody else ----

begin -o penalty_min=20
attack plain 50000
good peace 5
stop_attack
diag "plain: $did"
attack knock 50000
good peace 3
is "meanwhile the good client is answered" $? 0
stop_attack
diag "knock: $did"
is "who has a penalty is not spoken to" "$("$tools/pick" .shaken <<<"$did")" 0
attack knock
good peace 3
stop_attack
is "from other addresses one is" \
	"$(($("$tools/pick" .shaken <<<"$did") > 0))" 1
end
stop_umpired
is "the daemon stops cleanly" $? 0
exits 0 "what it holds agrees with itself" "$UMPIRED" \
	-c "$work/umpired/umpired.conf" --check
unlike "the log blames nobody for a fault of the server" \
	"$work/umpired/log" ' error |internal'
finish
