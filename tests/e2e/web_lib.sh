# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2034,SC2154
#
# umpire-web beside a daemon, for the tests of what it serves.  Sourced after
# tests/e2e/e2e.sh.
#
#   start_web DIR [-o KEY=VALUE]...   starts it for the daemon at $server
#   get TARGET [CURL OPTION]...       $code, and the reply in $head and $body
#   cases FILE                        takes over the cases of another program

need curl

UMPIRE_WEB=${UMPIRE_WEB:-$top_builddir/umpire-web}
head=$work/head
body=$work/body

# start_web DIR [-o KEY=VALUE]...: leaves $web (its address) and $web_pid.
start_web() {
	local dir=$1
	shift
	# A call that the sandbox does not have ends it, so that it is found.
	[ -n "${UMPIRE_SLOW:-}" ] || set -- -o sandbox=kill "$@"
	mkdir -p "$dir"
	rm -f "$dir/port"
	"$UMPIRE_WEB" -o server="$server" -o listen=127.0.0.1:0 \
		-o port_file="$dir/port" -o cache="$dir/cache" \
		-o admin_socket="$dir/admin" -o max_connections=900 "$@" \
		>>"$dir/log" 2>&1 </dev/null &
	web_pid=$!
	daemons="$daemons $web_pid"
	web_dir=$dir
	if ! wait_for 20 test -s "$dir/port"; then
		diag "umpire-web did not start:"
		sed 's/^/# umpire-web: /' "$dir/log"
		return 1
	fi
	web=http://127.0.0.1:$(head -n 1 "$dir/port")
	wait_for 20 healthy || {
		sed 's/^/# umpire-web: /' "$dir/log"
		return 1
	}
}

# stop_web: SIGTERM, and the status that it ends with.
stop_web() {
	stop_umpired "$web_pid"
}

# healthy: it is connected to the daemon.
healthy() {
	[ "$(admin healthz)" = ok ]
}

# admin PATH: what the operator's socket says.
admin() {
	curl -s -m 10 --unix-socket "$web_dir/admin" "http://localhost/$1"
}

# metric NAME: a number of /metrics.
metric() {
	admin metrics | sed -n "s/^umpire_web_$1 //p"
}

# get TARGET [CURL OPTION]...: leaves $code, and the reply in $head and $body.
get() {
	local target=$1
	shift
	# The name is also that of an order's head (e2e.sh).
	head=$work/head
	: >"$body"
	code=$(curl -s -m 20 -o "$body" -D "$head" -w '%{http_code}' "$@" \
		"$web$target")
	tr -d '\r' <"$head" >"$head.lf" && mv "$head.lf" "$head"
}

# header NAME: its value in the last reply.
header() {
	sed -n "s/^$1: //Ip" "$head"
}

# cases FILE: those that it has as TAP become cases of the script.
cases() {
	local line
	while read -r line; do
		case $line in
		"ok - "*) pass "${line#ok - }" ;;
		"not ok - "*) fail "${line#not ok - }" ;;
		*) diag "${line#\# }" ;;
		esac
	done <"$1"
}

# start_web_away: starts it in the folder of the last one, for a daemon that does
# not answer: it is ready when its port is known.
start_web_away() {
	rm -f "$web_dir/port"
	"$UMPIRE_WEB" -o server="$server" -o listen=127.0.0.1:0 \
		-o port_file="$web_dir/port" -o cache="$web_dir/cache" \
		-o admin_socket="$web_dir/admin" -o max_connections=900 \
		>>"$web_dir/log" 2>&1 </dev/null &
	web_pid=$!
	daemons="$daemons $web_pid"
	wait_for 20 test -s "$web_dir/port" || return 1
	web=http://127.0.0.1:$(head -n 1 "$web_dir/port")
	wait_for 20 away
}

# away: it has found out that the daemon does not answer.
away() {
	[ "$(metric umpire_away_ms)" -gt 0 ]
}

# start_liar: tests/tools/liar stands before the daemon of $dir, and becomes
# $server; it says what $work/script has, the truth at first.
start_liar() {
	echo '{}' >"$work/script"
	"$tools/liar" "$dir" "$port" "$work/script" >"$work/liar.port" \
		2>"$work/liar.err" &
	daemons="$daemons $!"
	wait_for 10 test -s "$work/liar.port" || return 1
	server=127.0.0.1:$(cat "$work/liar.port")
}

# lie FILE [SEQ]: from now on that is the record of the tournament, for those
# who ask for lines from SEQ on.
lie() {
	jq -nc --argjson from "${2:-0}" --rawfile l "$1" --arg head "$(tail -n 1 "$1" | tr -d '\n' |
		sha256sum | cut -c 1-64)" '
		($l | rtrimstr("\n") | split("\n")) as $lines |
		{"tournament.record": {from: ([range($from; ($lines | length) + 2) |
		{(tostring): {result: {lines: $lines[.:], $head,
		seq: ($lines | length - 1), side: []}}}] | add)}}' \
		>"$work/script.new"
	mv "$work/script.new" "$work/script"
}
# proof WHAT: what the evidence is of.
proof() {
	exits 0 "the proof holds" "$UMPIRE" verify --json --evidence "$body"
	is "of what it is" "$(filter .verdict <"$out") $(filter .seq <"$out")" \
		"$1"
	unlike "it has no words of people" "$body" '^{"text"'
}
