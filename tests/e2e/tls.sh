#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# The connection: TLS 1.3 alone, with two groups, without tickets and early
# data; and the server at its other end: another one, and one that sits between,
# are refused with status 77; one that tells another history with 76; one whose
# record has become shorter gets it back; and the own copy stays.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

dir=$work/umpired
start_umpired "$dir" || exit 99
write_example "$work"

# s_client ARGUMENT...: openssl's client, which says hello, and then what makes
# the server end the connection.
s_client() {
	printf '{"jsonrpc":"2.0","id":1,"method":"server.hello"}\nbye\n' |
		timeout 20 openssl s_client -connect "127.0.0.1:$port" "$@"
}

# ---- versions, tickets, early data ----

exits 0 "TLS 1.3 is spoken" s_client -quiet -tls1_3
like "one can talk by hand" "$out" '"result":\{.*"protocol":1'
for version in -tls1_2 -tls1_1 -tls1; do
	run s_client "$version" -cipher ALL:@SECLEVEL=0
	is "no TLS but 1.3, $version" "$((status != 0))" 1
	unlike "no answer over $version" "$out" '"result"'
done
run s_client -tls1_2
like "the alert says so" "$err" 'protocol version|alert number 70'

# ---- groups ----

# What costs the server much, and the client nothing, is not to be had.
for group in X25519 P-256; do
	exits 0 "a key exchange by $group" s_client -ign_eof -groups "$group"
	like "it is by $group" "$out" \
		"^Server Temp Key: (X25519,|ECDH, prime256v1,)"
done
for group in P-384 P-521 X448 ffdhe2048 ffdhe3072 ffdhe4096 ffdhe6144 \
	ffdhe8192; do
	run s_client -ign_eof -groups "$group"
	is "$group is refused" "$((status != 0)) $(grep -c '"result"' "$out")" \
		"1 0"
	like "$group: the alert says so" "$err" 'alert number 40'
done
exits 0 "who offers more is asked for less" \
	s_client -ign_eof -groups ffdhe8192:P-384:P-256
like "namely for what will do" "$out" '^Server Temp Key: ECDH, prime256v1,'

# A client that keeps what it is given for a session to come, with openssl's
# own server as the proof that it would.
openssl s_server -accept 127.0.0.1:0 -cert "$dir/tls.crt" -key "$dir/tls.key" \
	-tls1_3 -max_early_data 1000 -www >"$work/s_server" 2>&1 </dev/null &
daemons="$daemons $!"
wait_for 20 grep -q '^ACCEPT' "$work/s_server"
theirs=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' "$work/s_server" | head -n 1)
printf 'GET / HTTP/1.0\r\n\r\n' | timeout 20 openssl s_client -ign_eof \
	-connect "127.0.0.1:$theirs" -sess_out "$work/session" >/dev/null 2>&1
is "another server gives a ticket" "$([ -s "$work/session" ] && echo yes)" yes
run s_client -ign_eof -sess_out "$work/none" -msg
is "this one gives none" "$([ ! -e "$work/none" ] && echo none)" none
unlike "nor says that it does" "$out" 'NewSessionTicket'
like "the connection was there" "$out" '"result"'
printf '{"jsonrpc":"2.0","id":1,"method":"server.hello"}\n' >"$work/early"
run s_client -ign_eof -sess_in "$work/session" -early_data "$work/early"
like "another's ticket is not taken" "$out" '^New, TLSv1.3'
unlike "and no early data" "$out" 'Early data was accepted'

# What the client says, to a server that prints it.
stdbuf -oL openssl s_server -accept 127.0.0.1:0 -cert "$dir/tls.crt" \
	-key "$dir/tls.key" -tls1_3 -trace -www >"$work/s_trace" 2>&1 </dev/null &
theirs_pid=$!
daemons="$daemons $theirs_pid"
wait_for 20 grep -q '^ACCEPT' "$work/s_trace"
theirs=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' "$work/s_trace" | head -n 1)
umpire_as dora init --server "127.0.0.1:$theirs" >/dev/null
umpire_as dora games --all --trust >/dev/null 2>&1 &
wait_for 20 grep -q 'ServerHello' "$work/s_trace"
is "the client says hello" $? 0
kill "$theirs_pid"
wait "$!" "$theirs_pid" 2>/dev/null
is "and offers two groups" "$(sed -n '/supported_groups/,/extension_type/p' \
	"$work/s_trace" | sed -n 's/^ *\(.*\) ([0-9]*)$/\1/p' | paste -sd ' ')" \
	"ecdh_x25519 secp256r1 (P-256)"

# ---- who is at the other end ----

enrol anna bert || exit 99
exits 0 "the pinned server is taken" umpire_as anna games --all
pin=$(sed -n 's/^server_key *= *//p' \
	"$work/players/anna/config/umpire/default/config")
is "its key is in the settings" ${#pin} 64
umpire_as anna init --server-key "${pin:1}${pin:0:1}" >/dev/null 2>&1 ||
	umpire_as anna init --server-key \
		d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a \
		>/dev/null
exits 77 "one with another key than the pinned one is not" \
	umpire_as anna games --all
like "both keys are shown" "$err" "this one $pin"
is "and nothing else" "$(cat "$out")" ''
umpire_as anna init --server-key "$pin" >/dev/null
exits 0 "with the right pin it is" umpire_as anna games --all

# Somebody in between, who ends TLS himself and passes all on.
mkfifo "$work/back" "$work/forth"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
	-subj /CN=between -days 2 -keyout "$work/between.key" \
	-out "$work/between.crt" >/dev/null 2>&1
openssl s_server -quiet -accept 127.0.0.1:0 -tls1_3 \
	-cert "$work/between.crt" -key "$work/between.key" \
	<"$work/back" >"$work/forth" 2>/dev/null &
between=$!
daemons="$daemons $!"
openssl s_client -quiet -connect "127.0.0.1:$port" \
	>"$work/back" <"$work/forth" 2>/dev/null &
daemons="$daemons $!"
# listens PID: leaves the port on which it does, by IPv4, in $between_port; what
# it prints is what it passes on.
listens() {
	local n
	n=$(find "/proc/$1/fd" -lname 'socket:*' -printf '%l\n' |
		tr -dc '0-9\n' | awk '
		NR == FNR { own[$1]; next }
		$4 == "0A" && $10 in own { sub(/.*:/, "", $2); print $2 }' \
		- /proc/net/tcp)
	[ -n "$n" ] && between_port=$((16#$n))
}
wait_for 10 listens "$between"
is "somebody sits in between" $? 0
umpire_as carl init --server "127.0.0.1:$between_port" >/dev/null
run umpire_as carl games --all --trust
is "one who only passes all on is found out" "$status" 77
like "and the reason is told" "$err" 'does not prove|sit between'

# ---- another server at the same address ----

stop_umpired
is "the daemon stops cleanly" $? 0
start_umpired "$work/other" -o "listen=127.0.0.1:$port" || exit 99
exits 77 "another server at the same address is not taken" \
	umpire_as anna games --all
run umpire_as anna register anna
is "nobody logs in there" "$status" 77
unlike "nothing was told to it" "$work/other/log" 'logged in|register'
stop_umpired
start_umpired "$dir" -o "listen=127.0.0.1:$port" || exit 99
exits 0 "the old one with the same identity is" umpire_as anna games --all
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
	-subj /CN=renewed -days 2 -keyout "$dir/tls.key" -out "$dir/tls.crt" \
	>/dev/null 2>&1
kill -HUP "$daemon"
renewed() {
	s_client -showcerts 2>/dev/null | grep -q 'CN = renewed'
}
wait_for 10 renewed
is "a new certificate comes into force by SIGHUP" $? 0
exits 0 "and is nothing to a client" umpire_as anna games --all

# ---- a server that tells another history ----

umpire_as anna new --roster "$work/roster.json" --name evening >/dev/null
game=$(umpire_as anna show evening --json | filter .game)
umpire_as bert join --yes "$game" --name fight >/dev/null
umpire_as anna ready evening >/dev/null
umpire_as bert show fight >/dev/null
sqlite3 -readonly "$dir/umpired.db" "VACUUM INTO '$work/backup.db'"
cp "$dir/umpired.db.heads" "$work/heads"
cp -r "$work/players/bert" "$work/players/bert.old"
umpire_as anna end-turn evening >/dev/null
umpire_as bert end-turn fight >/dev/null
umpire_as anna say evening 'before the backup is put back' >/dev/null
umpire_as anna end-turn evening >/dev/null
exits 0 "all is well before" umpire_as bert show fight

# copies: what the players hold of the game.
copies() {
	sha256sum "$(player_data anna)/games/$game".* \
		"$(player_data bert)/games/$game".* |
		grep -v -e '\.lock$' -e '\.evidence$'
}

# restore: the daemon goes on with the earlier database, and does not know it.
restore() {
	stop_umpired
	rm -f "$dir"/umpired.db-wal "$dir"/umpired.db-shm
	cp "$work/backup.db" "$dir/umpired.db"
	cp "$work/heads" "$dir/umpired.db.heads"
	start_umpired "$dir" -o "listen=127.0.0.1:$port" || exit 99
}

# forked WHAT COMMAND...: cases; it is proof, and both copies stay.
forked() {
	local what=$1
	shift
	run "$@"
	is "$what: status" "$status" 76
	like "$what: why" "$err" 'signed two different lines'
	like "$what: nothing was done" "$err" 'Nothing was sent'
	is "$what: nothing on stdout" "$(cat "$out")" ''
	is "$what: the copies are as they were" "$(copies)" "$held"
}

held=$(copies)
restore
exits 0 "a record that has become shorter" umpire_as anna show evening
like "is given back" "$err" 'had lost lines 4 to 7 of'
is "and the copies are as they were" "$(copies)" "$held"
restore

# Another history grows from there: an old copy of bert's profile goes on.
umpire_as bert.old end-turn fight >/dev/null 2>&1
session anna anna
ask anna login anna
ask anna hello
server_key=$(of .result.server)
give anna 1 turn.end '{}' p/1
is "another history is written" "$(of .result.seq)" 4

# cared_for: the kernel's keepalive timer, 02, runs on each connection.
cared_for() {
	[ "$(awk -v at="$(printf ':%04X' "$port")" '$4 == "01" &&
		substr($2, length($2) - 4) == at { print substr($6, 1, 2) }' \
		/proc/net/tcp | sort -u)" = 02 ]
}
holds "whoever has fallen silent is asked whether he is still there" \
	wait_for 10 cared_for
for text in a b c d; do
	umpire_as bert.old say fight "$text" >/dev/null 2>&1
done
umpire_as bert.old end-turn fight >/dev/null
forked "a record with other lines, of equal length or longer" \
	umpire_as anna show evening
umpire_as bert show fight --json >/dev/null 2>&1
run umpire_as anna export evening --server-only -o "$work/theirs.jsonl"
is "the other history can be got" "$status" 0
exits 0 "it is good by itself" "$UMPIRE" verify "$work/theirs.jsonl"
umpire_as anna verify evening --json >"$work/mine.json"
run umpire_as anna verify evening --against "$work/theirs.jsonl"
is "against the own copy it is not" "$status" 1
like "the server is convicted" "$err" 'equivocation|two histories'
is "by two lines that it has marked" \
	"$(cat "$out" "$err" | grep -c '"mark":"')" 2
# The real database comes back, and with it all is well.
stop_umpired
is "the daemon stops cleanly" $? 0
finish
