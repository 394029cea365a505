#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Clients that wish the server ill (tests/tools/hostile says what they do), from
# many addresses of the loopback, while a good client plays: it is answered all
# the while, by the measure below about as soon as in peace; the daemon's memory
# stays within the sum of umpired.conf(5) and does not grow with connections
# that are over; and those who misbehave are shut out for a while.
#
# UMPIRE_COUNT=n: so many hostile connections (2000 if it is empty), each kind
# of attack by itself and then all together, and the good client's medians under
# attack are held to three times those in peace, measured in turn in the same
# run; an attack that misses is tried twice more.  Unset: 200 connections of
# "dhe" and of all kinds, once or, with UMPIRE_LONG, three times as with a
# count, and latency is only told.
#
# UMPIRE_KINDS: only these kinds.  UMPIRE_CONTROL=1: with the limits off, or for
# "dhe" with OpenSSL's own groups and handshakes that cost nothing, the same
# measures must find that the good
# client suffers, by default from "pipeline" and "dhe", and that memory grows
# beyond the sum.  UMPIRE_SEED: what keys are,
# and what the good client plays; when things happen is by chance still.
# UMPIRE_KEEP: a folder for what a failure leaves.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

hostile=$tools/hostile
[ -x "$hostile" ] || skip_all "tests/tools/hostile is not built"
long=${UMPIRE_COUNT+yes}
count=${UMPIRE_COUNT:-${long:+2000}}
count=${count:-200}
control=${UMPIRE_CONTROL:-}
export UMPIRE_SEED=${UMPIRE_SEED:-$((RANDOM * 32768 + RANDOM))}
turns=8 # of the good client, each time
[ -z "$long" ] || turns=25
rounds=3
[ -n "$long${UMPIRE_LONG:-}" ] || rounds=1
lower=10 # priority of attackers
plain_umpired=$UMPIRED
fresh=1 # the next address of attackers
addresses=$(((count + 39) / 40 > 5 ? (count + 39) / 40 : 5))
kinds="silent hello plain knock drip unfinished endless deaf pipeline json
	login orders dhe"
no_limits=(-o max_startups= -o request_rate=0 -o address_rate=0
	-o penalty_handshake=0 -o penalty_timeout=0 -o penalty_malformed=0
	-o penalty_flood=0 -o max_connections=100000 -o max_per_address=100000
	-o handshake_timeout=3600 -o login_timeout=3600
	-o request_timeout=3600 -o send_timeout=3600)
ulimit -n "$((2 * count + 1024))" 2>/dev/null || ulimit -n "$(ulimit -H -n)"
[ "$(ulimit -n)" -ge $((count + 256)) ] || skip_all \
	"$count connections want $((count + 256)) descriptors (ulimit -n), not \
$(ulimit -n)"
# Who no longer reads what it is told must not end the test.
trap : PIPE
declare -A sum=() total=() # of what the attackers of a kind, and all, did
turns_lost=0 # of the good client
missed= # kinds by which it suffered more than it may
tried= # kinds
diag "seed $UMPIRE_SEED"

# begin OPTION...: a daemon, from whose limits nobody is exempt, and the good
# client, which reads from $good_in and writes to $good_out.
begin() {
	start_umpired "$work/umpired" -o penalty_exempt= \
		-o register_burst=10000 "$@" || exit 99
	[ -e "$work/roster.json" ] || write_example "$work"
	rm -f "$work/good.in" "$work/good.out"
	mkfifo "$work/good.in" "$work/good.out"
	good_n=$((${good_n:-0} + 1))
	# On one database it has other accounts each time.
	UMPIRE_SEED=$((UMPIRE_SEED + 1000000 * good_n)) \
		"$hostile" good 127.0.0.1 "$port" "$work/roster.json" \
		<"$work/good.in" >"$work/good.out" 2>"$work/good.err" &
	good_pid=$!
	daemons="$daemons $good_pid"
	exec {good_in}>"$work/good.in" {good_out}<"$work/good.out"
	read -r -t 300 -u "$good_out" reply
	[ "$reply" = ready ] || {
		sed 's/^/# good: /' "$work/good.err"
		exit 99
	}
}

# good NAME TURNS [new]: the good client measures under that name, with a new
# connection each time, too; 1 if it failed.
good() {
	{ echo "$*" >&"$good_in"; } 2>/dev/null
	read -r -t 600 -u "$good_out" reply && [ "$reply" = "done" ]
}

# end: what the good client has measured is in $reply.
end() {
	exec {good_in}>&-
	read -r -t 60 -u "$good_out" reply || reply={}
	exec {good_out}<&-
	reap "$good_pid"
	sed 's/^/# good: /' "$work/good.err"
}

# reap PID: waits for the end of a client, who may be late, but not for ever.
reap() {
	wait_for 60 not_running "$1" || kill -KILL "$1"
	wait "$1"
}

# attack KIND [FIRST]: begins one, from fresh addresses or those from that one
# on, at a lower priority, since its work is that of other machines; 1 if it
# did not come about.
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
	read -r -t 300 -u "$bad_out" reply
	[ "$reply" = ready ] || {
		sed 's/^/# hostile: /' "$work/bad.err"
		return 1
	}
}

# stop_attack [N]: ends it, at once or after N connections; leaves what it did
# in $did and adds it to $sum.  1 if that cannot be had.
stop_attack() {
	local name n
	{ echo "${1:-}" >&"$bad_in"; } 2>/dev/null
	read -r -t 600 -u "$bad_out" did || did={}
	exec {bad_in}>&- {bad_out}<&-
	reap "$bad_pid"
	while read -r name n; do
		sum[$name]=$((${sum[$name]:-0} + n))
		total[$name]=$((${total[$name]:-0} + n))
	done < <(jq -r 'to_entries[] | "\(.key) \(.value)"' <<<"$did")
	[ "$did" != "{}" ]
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

# deadline KIND: the one that ends such, and what the log says then.
deadline() {
	case $1 in
	silent | hello)
		echo "handshake_timeout the handshake took too long"
		;;
	drip) echo "login_timeout no request came in time" ;;
	unfinished)
		echo "request_timeout the rest of the request did not come"
		;;
	deaf) echo "send_timeout reads too slowly" ;;
	esac
}

# late TEXT: how often the log says so.
late() {
	grep -c "$1" "$work/umpired/log"
}

# worse NAME RATIO: that is kept if it is the worse one.
worse() {
	local -n ratio=$1
	[ "$2" -le "$ratio" ] || ratio=$2
}

# measure KIND: the good client in peace and under attack in turn.  Leaves
# $ratio_show, $ratio_order and $ratio_new, in hundredths, of the medians, and
# what was not as it should be in $lost (turns without an answer) and $untried
# (why it was no attack; else empty), and how many the kind's deadline ended in
# $expired.  "dhe" has two hellos, of which the worse counts; it comes from one
# address, and so newcomers are measured, whom many addresses can keep out by
# lot.
measure() {
	local kind=$1 before=0 text out got new=() parts=("$1") part
	sum=()
	untried=
	[ "$kind" != dhe ] || new=(new) parts=(dhe p256)
	read -r _ text <<<"$(deadline "$kind")"
	[ -z "$text" ] || before=$(late "$text")
	for ((round = 0; round < rounds; round++)); do
		for part in "${parts[@]}"; do
			good peace "$turns" "${new[@]}"
			attack "$part" || untried="it did not begin; "
			# What limits nothing suffers once the attack has built
			# up; one address is shut out by then.
			[ -z "$control" ] || [ "$kind" = dhe ] ||
				good before "$turns" "${new[@]}"
			good "$part" "$turns" "${new[@]}"
			stop_attack || untried="it did not end; "
		done
	done
	end
	lost=0 ratio_show=0 ratio_order=0 ratio_new=0
	[[ " $tried " == *" $kind "* ]] || tried="${tried:+$tried }$kind"
	for part in "${parts[@]}"; do
		out=$("$tools/pick" .peace.n .peace.lost ".$part.n" \
			".$part.lost" .peace.show ".$part.show" .peace.order \
			".$part.order" .peace.new ".$part.new" .peace.show_p90 \
			".$part.show_p90" .peace.order_p90 ".$part.order_p90" \
			.peace.new_p90 ".$part.new_p90" <<<"$reply")
		read -r -a got <<<"${out//null/0}"
		lost=$((lost + rounds * turns - got[2] + got[3]))
		worse ratio_show $((100 * got[5] / (got[4] + 1)))
		worse ratio_order $((100 * got[7] / (got[6] + 1)))
		worse ratio_new $((100 * got[9] / (got[8] + 1)))
		diag "$part: medians: show ${got[4]} -> ${got[5]} us, order" \
			"${got[6]} -> ${got[7]} us; 90 per cent: show" \
			"${got[10]} -> ${got[11]} us, order ${got[12]} ->" \
			"${got[13]} us"
		[ "${#new[@]}" = 0 ] ||
			diag "$part: who comes anew: median ${got[8]} ->" \
				"${got[9]} us, 90 per cent ${got[14]} ->" \
				"${got[15]} us"
	done
	lost=$((lost + ${#parts[@]} * rounds * turns - got[0] + got[1]))
	turns_lost=$((turns_lost + lost))
	diag "$kind: show $ratio_show %, order $ratio_order %, new $ratio_new %;" \
		"$lost turns lost; RSS at most $(($(memory VmHWM) / 1024)) MiB"
	diag "$kind: made ${sum[made]:-0} connections (${sum[missed]:-0} could" \
		"not be), ${sum[shaken]:-0} handshakes, sent ${sum[sent]:-0}" \
		"bytes, got ${sum[received]:-0}; ${sum[ended]:-0} ended"
	[ "$((${sum[made]:-0}))" -ge $((${#parts[@]} * rounds * count)) ] ||
		untried+="too few connections; "
	[ "$((${sum[missed]:-0}))" = 0 ] || untried+="no descriptors or ports; "
	case $kind in
	silent | hello | plain | dhe) ;;
	*)
		[ "$((${sum[shaken]:-0}))" -gt 0 ] || untried+="no handshake; "
		;;
	esac
	case $kind in
	silent | hello | knock) ;;
	*)
		[ "$((${sum[sent]:-0}))" -gt 0 ] || untried+="nothing sent; "
		;;
	esac
	expired=0
	[ -z "$text" ] || expired=$(($(late "$text") - before))
}

# within KIND: true if the good client suffered no more than it may.
within() {
	[ "$ratio_show" -le 300 ] && [ "$ratio_order" -le 300 ] &&
		[ "$ratio_new" -le 300 ]
}

# bound PLACES: the sum of umpired.conf(5), in KiB, for so many connections at
# most and the longest reply that they can have here, that of rpc.discover.
bound() {
	local connections=$((count < $1 ? count : $1))
	echo $((65536 + connections * 850))
}

# places: how many connections the daemon takes as its settings come.
places() {
	"$UMPIRED" --print-config |
		awk '$1 ~ /^#?max_connections$/ { print $NF }'
}

# grown KIB: the daemon needs more than that.
grown() {
	[ "$(memory VmRSS)" -gt "$1" ]
}

# conclude: the summary, and the end.
conclude() {
	diag "tried: ${tried:-nothing}: ${total[made]:-0} hostile connections," \
		"${total[shaken]:-0} handshakes, ${total[sent]:-0} bytes sent," \
		"${total[received]:-0} received, ${total[ended]:-0} ended" \
		"meanwhile; lost: $turns_lost turns of the good client without" \
		"an answer; waited more than three times as long:" \
		"${missed:-never}; cases failed: $tap_failed of $tap_n"
	if [ "$tap_failed" -gt 0 ] && [ -n "${UMPIRE_KEEP:-}" ]; then
		mkdir -p "$UMPIRE_KEEP" &&
			cp -r "$work" "$UMPIRE_KEEP/crowd-$UMPIRE_SEED" &&
			diag "kept: $UMPIRE_KEEP/crowd-$UMPIRE_SEED"
	fi
	finish
}

# Deaf clients want more places than this.  The sum has 64 MiB for the program,
# so it takes 200 clients or more to go beyond it.
few=$((count / 8 > 8 ? count / 8 : 8))

# begin_control KIND: begins with what holds that kind off switched off, which
# is said in $without.
begin_control() {
	if [ "$1" = dhe ]; then
		# Attackers yield as ever, and all other limits hold.
		with_hooks
		hook groups 1
		without="a choice of groups and the price of a handshake"
		lower=10
		begin -o address_rate=0 -o penalty_handshake=0
		return
	fi
	UMPIRED=$plain_umpired
	without=limits
	lower=0
	begin "${no_limits[@]}"
}

if [ -n "$control" ]; then
	for kind in ${UMPIRE_KINDS:-pipeline dhe}; do
		begin_control "$kind"
		measure "$kind"
		stop_umpired
		is "$kind: without $without the attack is one" "$untried" ""
		# Who is not answered at all suffers, too, and may do so even in
		# what was meant to be peace, after an attack that has left work.
		within && [ "$lost" -eq 0 ]
		is "$kind: without $without the good client suffers" $? 1
	done
	begin_control deaf
	attack deaf
	wait_for 120 grown "$(bound "$few")"
	is "without limits memory grows beyond the sum of the settings" $? 0
	diag "RSS $(memory VmRSS) KiB; with $few connections it would be at most" \
		"$(bound "$few") KiB"
	stop_attack
	end
	stop_umpired
	conclude
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

# What a request costs beyond the one that it is, is the processor's time: of
# 4,000 members, which must differ, a line takes much more than it.  Beyond the
# burst it is refused, or not read for a while: it comes in several records.
start_umpired "$limits" -o penalty_exempt= -o address_rate=10 \
	-o address_burst=100 || exit 99
jq -nc '{jsonrpc: "2.0", id: 1, method: "game.nothing", params:
	([range(4000) | {key: "k\(.)", value: 1}] | from_entries)}' >"$work/costly"
session one
for ((n = 0; n < 100; n++)); do
	asked=${EPOCHREALTIME/[!0-9]/}
	ask one file "$work/costly"
	[[ $reply != *'"name":"limit"'* ]] || break
	[ $((${EPOCHREALTIME/[!0-9]/} - asked)) -lt 300000 ] || break
done
is "of costly requests fewer are within the burst than of others" \
	"$((n > 0 && n < 70))" 1
diag "$n of 100"
close_session one
stop_umpired
is "the daemon stops cleanly" $? 0

start_umpired "$work/waits" -o penalty_exempt= -o request_rate=1 \
	-o request_burst=1 || exit 99
init_player eve
umpire_as eve register eve --trust >/dev/null || exit 99
# A slow machine may leave a second between the first two.
for _ in {1..5}; do
	exits 0 "the client that is told to wait does so" umpire_as eve games
	! grep -q 'too many requests; wait for' "$work/waits/log" || break
done
like "when it was" "$work/waits/log" 'too many requests; wait for'
stop_umpired
is "the daemon stops cleanly" $? 0

start_umpired "$work/quota" -o penalty_exempt= -o write_quota=1 || exit 99
enter anna || exit 99
write_example "$work"
put_roster anna "$work/roster.json"
first=$(create_text "$(create_args 1 anna .)")
first=${first/@nonce/00112233445566778899aabbccddeeff}
first=${first/@now/2026-11-20T18:04:00.000Z}
ask anna order "$first"
is "who has written nothing may write more than the quota" \
	"$(of .result.seq)" 0
ask anna order "$(create_text "$(create_args 1 anna .)")"
refused "but then no more" 3 limit
is "for so long" "$(of '.error.data.wait_ms | . > 3600000')" true
ask anna order "$first"
is "the same again is answered" "$(of .result.repeat)" true
close_session anna
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

# record_hello: a client's first message goes to $work/hello, as it was sent.
record_hello() {
	timeout 20 openssl s_client -connect "127.0.0.1:$port" -msg \
		-msgfile "$work/messages" </dev/null >/dev/null 2>&1
	unhex "$(awk '/^<<</ { exit } /^ / { gsub(/ /, ""); printf "%s", $0 }' \
		"$work/messages")" >"$work/hello"
}

# break_off: sends it, and leaves.
break_off() {
	local fd
	{ exec {fd}<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null || return 0
	cat "$work/hello" >&"$fd" 2>/dev/null
	exec {fd}>&-
}

# spoken: a connection comes about.
spoken() {
	! shut
}

# What bad links do is nobody's fault, however the address is counted
# otherwise; what nobody does who wants to play is.
start_umpired "$limits" -o penalty_exempt= -o penalty_handshake=60 || exit 99
record_hello
is "a hello is recorded" "$(head -c 3 "$work/hello" | od -An -tx1)" " 16 03 01"
for ((n = 0; n < 60; n++)); do
	break_off
done
holds "sixty handshakes may be broken off" spoken
for (( ; n < 200; n++)); do
	! shut || break
	break_off
done
is "but more of them shut the address out" "$((n > 60 && n < 200))" 1
diag "after $n"
stop_umpired
is "the daemon stops cleanly" $? 0

# hurried N: the log blames addresses for more connections than their rate that
# often.
hurried() {
	[ "$(late 'it connects too often')" -ge "$1" ]
}

# A handshake is charged as other work is: two hellos of 40 milliseconds are 400
# requests, and the next is too many, however few connections that is.  Time is
# left for each, since who is let in has not been charged yet.
if [ -x "$UMPIRED_TEST" ]; then
	with_hooks
	for waste in 0 20000; do
		start_umpired "$work/umpired" -o penalty_exempt= \
			-o address_rate=1 -o address_burst=400 || exit 99
		hook waste_us "$waste"
		before=$(late 'it connects too often')
		for _ in {1..12}; do
			break_off
			! hurried $((before + 1)) || break
			nap
		done
		hurried $((before + 1))
		is "the rate is for handshakes that cost much, $waste us" $? \
			"$((waste == 0))"
		hook waste_us 0
		stop_umpired
		is "the daemon stops cleanly" $? 0
	done
	UMPIRED=$plain_umpired
	unset UMPIRED_TEST_CONTROL UMPIRED_TEST_LINES
else
	skip "what handshakes cost" "umpired-test is not built"
fi

start_umpired "$limits" -o max_startups=1:100:1 || exit 99
exec {silent}<>"/dev/tcp/127.0.0.1/$port"
wait_for 10 shut
is "a connection that says nothing keeps others out, where they are so few" $? 0
exec {silent}>&-
wait_for 10 spoken
is "until it goes" $? 0
stop_umpired
is "the daemon stops cleanly" $? 0

# ---- attacks ----

[ -n "$long" ] || kinds=dhe
for kind in ${UMPIRE_KINDS:-$kinds all}; do
	# It would else be over before the deadline has passed.
	read -r setting _ <<<"$(deadline "$kind")"
	high=0 has_left=0 stopped=0 answers=0 attacked="" ended=0
	for try in 1 2 3; do
		# Its descriptors may be looked at then, not by root alone.
		begin -o core_dumps=yes ${setting:+-o "$setting=1"}
		before=$(files)
		measure "$kind"
		# What one try found is not undone by the next.
		now=$(memory VmHWM)
		high=$((now > high ? now : high))
		answers=$((answers + lost))
		attacked+=$untried
		ended=$((ended + expired))
		# What it has of its own may have become more meanwhile.
		wait_for 20 left $((before + 8)) || has_left=1
		stop_umpired || stopped=$?
		[ -n "$long" ] && ! within && [ "$try" -lt 3 ] || break
		diag "$kind: once more"
	done
	is "$kind: it was an attack" "$attacked" ""
	is "$kind: each answer to the good client came" "$answers lost" "0 lost"
	if [ -z "${UMPIRE_SLOW:-}" ]; then
		is "$kind: memory stays within the sum of the settings" \
			"$((high <= $(bound "$(places)")))" 1
	else
		skip "$kind: memory" "a sanitizer keeps what is freed"
	fi
	is "$kind: no connection stays" "$has_left" 0
	is "$kind: the daemon stops cleanly" "$stopped" 0
	if [ -n "$setting" ]; then
		is "$kind: the deadline ended some" "$((ended > 0))" 1
		diag "$kind: $setting ended $ended"
	fi
	if [ -n "$long" ]; then
		within || missed="${missed:+$missed }$kind"
		is "$kind: the good client's medians are three times as long at most" \
			"$(within && echo yes || echo "show $ratio_show % order \
$ratio_order % new $ratio_new %")" yes
	fi
done

# ---- memory ----

if [ -n "${UMPIRE_SLOW:-}" ]; then
	skip "memory" "a sanitizer keeps what is freed"
else
	# Whoever has come and gone leaves nothing: what was had after the first
	# tenth is enough for all.
	start_umpired "$work/visited" -o max_startups= || exit 99
	visits=150
	[ -z "$long" ] || visits=20000
	before=$(files)
	sum=()
	many=$count
	count=16
	attack visit
	stop_attack $((visits / 10))
	wait_for 20 left "$before"
	first=$(memory VmRSS)
	attack visit
	stop_attack $((visits - visits / 10))
	count=$many
	wait_for 20 left "$before"
	last=$(memory VmRSS)
	is "as many connections come and go as are meant to" \
		"$((${sum[made]:-0} >= visits)) ${sum[missed]:-} \
$((${sum[shaken]:-0} >= visits / 4))" "1 0 1"
	is "connections that are over leave no memory behind" \
		"$((last - first <= 4096))" 1
	diag "RSS $first KiB after $((visits / 10)) connections, $last KiB after" \
		"$visits"
	stop_umpired
	is "the daemon stops cleanly" $? 0
fi

if [ -n "$long" ] && [ -z "${UMPIRE_SLOW:-}" ]; then
	begin -o max_connections="$few"
	attack deaf
	good peace "$turns"
	high=$(memory VmHWM)
	is "with fewer places there is less memory" \
		"$((high <= $(bound "$few")))" 1
	diag "RSS $high KiB, with $few connections at most $(bound "$few") KiB"
	stop_attack
	end
	stop_umpired
	is "the daemon stops cleanly" $? 0
fi

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
conclude
