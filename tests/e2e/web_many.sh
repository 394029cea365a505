#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# More games with readers than one connection may watch: umpire-web makes
# further connections, as far as its settings and the umpire go, and each line
# is told once; when any of them is cut, or the umpire restarts, nothing is
# missing and nothing comes twice.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
need python3
fill=$top_builddir/tests/bench/fill
[ -x "$fill" ] || skip_all "fill is not built"

# Four connections of three games each; the players have one each, too.
games=13 links=4 each=3
watched=$((links * each))
init_umpired "$work/umpired" || exit 99
cat >>"$work/umpired/umpired.conf" <<END
gateways = 127.0.0.1
gateway_watches = $each
gateway_connections = $((2 * games + links))
END
start_umpired "$work/umpired" || exit 99
write_example "$work"
coproc MANY { exec python3 "$top_srcdir/tests/e2e/web_many.py" "$fill" \
	"$work/roster.json" "$games" "$port" 2>"$work/many.err"; }
# shellcheck disable=SC2153
daemons="$daemons $MANY_PID"
many_in=${MANY[1]} many_out=${MANY[0]}
read -r -t 60 -u "$many_out" proxy ids || {
	diag "$(cat "$work/many.err")"
	exit 99
}
read -ra ids <<<"$ids"

# many COMMAND...: its answer, in $said.
many() {
	echo "$*" >&"$many_in"
	read -r -t 60 -u "$many_out" said || said="no answer"
}

# are WATCHED UNWATCHED CONNECTIONS: so it is by now.
are() {
	admin metrics >"$work/metrics"
	[ "$(sed -nE 's/^umpire_web_(watched|unwatched|umpire_connections) //p' \
		"$work/metrics" | paste -sd' ')" = "$*" ]
}

direct=$server
server=127.0.0.1:$proxy
start_web "$work/web" -o watch_s=0 -o max_streams_address=1000 || exit 99
is "without readers there is one connection" "$(metric umpire_connections)" 1

# ---- as many games as the umpire allows, and one more ----

targets=()
for id in "${ids[@]}"; do
	targets+=("/g/${id:0:12}/events" "/g/${id:0:12}/events")
done
many streams "${web##*:}" "${targets[@]}"
is "each game is read by two" "$said" "done"
holds "it is told of as many as the umpire allows" wait_for 20 \
	are "$watched" 1 "$links"
many links
is "over connections of its own" "$said" "$links"
like "the log says that there are no more" "$work/web/log" \
	'no further connection to the umpire, 1 games are asked for'
before=$(metric notices_total)
many say
many have 1
is "each reader has the line of their game, once" "$said" "1 1 0"
is "the umpire told each of them once" \
	"$(($(metric notices_total) - before))" "$watched"

# ---- who leaves makes room ----

many close 2
holds "another game takes its place" wait_for 20 are "$watched" 0 "$links"
before=$(metric notices_total)
many say
many have 2
is "now all lines are told" "$said" "2 2 0"
is "each by one notice" "$(($(metric notices_total) - before))" "$watched"

# ---- a connection is cut ----

lines=2
for ((i = 0; i < links; i++)); do
	many cut 0
	many say
	lines=$((lines + 1))
	many have "$lines"
	is "connection $i is cut: nothing is missing" "$said" "$lines $lines 0"
	holds "all games are watched again" wait_for 20 are "$watched" 0 "$links"
	before=$(metric notices_total)
	many say
	lines=$((lines + 1))
	many have "$lines"
	is "each line is told" "$said" "$lines $lines 0"
	is "by one notice" "$(($(metric notices_total) - before))" "$watched"
done

# ---- all are ----

server=$direct
stop_umpired || fail "the daemon stops cleanly"
# is_away: nobody is told of anything.
is_away() {
	are 0 "$watched" 0
}
holds "without the umpire no game is watched" wait_for 20 is_away
sed -i "s/^gateway_connections = .*/gateway_connections = 64/" \
	"$work/umpired/umpired.conf"
start_umpired "$work/umpired" || exit 99
many port "$port"
holds "when it is back all are" wait_for 20 are "$watched" 0 "$links"
many say
lines=$((lines + 1))
many have "$lines"
is "and nothing was missing" "$said" "$lines $lines 0"
many streams "${web##*:}" "/g/${ids[games - 1]:0:12}/events"
holds "another connection is made when the umpire allows it" wait_for 20 \
	are "$games" 0 $((links + 1))
many close 1
holds "what is of no use any more is ended" wait_for 20 \
	are "$watched" 0 "$links"
holds "it ends well, with all of them" stop_web

# ---- its own settings ----

server=127.0.0.1:$proxy
many close $((2 * games - 2))
start_web "$work/web2" -o server_connections=2 || exit 99
many streams "${web##*:}" "${targets[@]:0:16}"
holds "no more connections than its settings allow" wait_for 20 \
	are $((2 * each)) 2 2
many say
many have 1
is "the others are asked for" "$said" "1 1 0"
for wrong in 0 257 x; do
	exits 78 "server_connections=$wrong is refused" "$UMPIRE_WEB" \
		-o "server_connections=$wrong" --check
	like "in words" "$err" server_connections
done
holds "it ends well" stop_web
unlike "nothing was wrong" "$work/web/log" ' error '

finish
