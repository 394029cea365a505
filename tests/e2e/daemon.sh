#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# The daemon as a program: its files, settings, signals, addresses, codes,
# what it refuses to start on, and --check.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

dir=$work/umpired
conf=$dir/umpired.conf
db=$dir/umpired.db

# refuses WHAT STATUS REGEX COMMAND...: two cases; it ends so, with a reason.
refuses() {
	local what=$1 want=$2 regex=$3
	shift 3
	exits "$want" "$what" timeout 20 "$@"
	like "$what: it says why" "$err" "^umpired: .*$regex"
}

# ---- the command line ----

exits 0 "--version works" "$UMPIRED" --version
like "it tells the version" "$out" "^umpired ${VERSION:-[0-9]}"
exits 0 "--help works" "$UMPIRED" --help
exits 64 "an unknown option is wrong usage" "$UMPIRED" --nonsense
like "usage is shown" "$err" '^usage: umpired'
exits 64 "a word too many is wrong usage" "$UMPIRED" --check now
exits 64 "so are two things to do" "$UMPIRED" --backup "$work/copy" --check
refuses "a configuration that is not there" 66 'cannot open' "$UMPIRED" \
	-c "$work/none.conf"
printf 'listen = 127.0.0.1:0\ncolour = red\n' >"$work/wrong.conf"
refuses "a setting that there is not" 78 'colour: unknown setting' \
	"$UMPIRED" -c "$work/wrong.conf"
like "the line is named" "$err" 'wrong.conf:2: '
printf '\nio_threads = many\n' >"$work/wrong.conf"
refuses "a value that is none" 78 'wrong.conf:2: io_threads: ' \
	"$UMPIRED" -c "$work/wrong.conf"
refuses "a wrong -o" 78 'policy' "$UMPIRED" -c /dev/null -o policy=maybe \
	--check
refuses "a number with its unit" 78 \
	'notify_delay: "1s" is not a number of seconds' \
	"$UMPIRED" -c /dev/null -o notify_delay=1s
refuses "too many days" 78 'muster_days: 4000 is not between 0 and 3650 days' \
	"$UMPIRED" -c /dev/null -o muster_days=4000
refuses "what is counted in nothing" 78 'io_threads: "two" is not a number$' \
	"$UMPIRED" -c /dev/null -o io_threads=two
refuses "a -o that no file could say" 78 "user: longer than the 193 bytes" \
	"$UMPIRED" --init "$work/long" -o "user=$(printf '%0194d' 0)"
refuses "--invite without its key" 66 'none.key' "$UMPIRED" \
	-c /dev/null -o "invite_key=$work/none.key" --invite

# ---- --init ----

exits 0 "--init works" "$UMPIRED" --init "$dir" "${as_root[@]}"
is "the folder is for its owner alone" "$(stat -c %a "$dir")" 700
is "so is each file" "$(stat -c %a "$dir"/* | sort -u)" 600
is "all is there" "$(find "$dir" -type f -printf '%f\n' | sort | tr '\n' ' ')" \
	'dice.key identity.key invite.key tls.crt tls.key umpired.conf umpired.db umpired.db.lock '
key=$(grep -Eo '\b[0-9a-f]{64}\b' "$out" | head -n 1)
is "it tells the key that clients pin" ${#key} 64
find "$dir" -type f -exec sha256sum {} + | sort >"$work/before"
refuses "--init again" 73 "$dir" "$UMPIRED" --init "$dir"
is "and what starts that was made before" "$(tail -n 1 "$err")" \
	"  umpired -c $conf"
if [ "$(id -u)" = 0 ]; then
	exits 0 "root may forget as whom it is to run" \
		"$UMPIRED" --init "$work/roots"
	refuses "and say it too late" 73 roots \
		"$UMPIRED" --init "$work/roots" -o user=root
	is "where it is to be said is told" "$(tail -n 1 "$err")" \
		"  umpired -c $work/roots/umpired.conf -o user=root"
fi
find "$dir" -type f -exec sha256sum {} + | sort >"$work/after"
exits 0 "nothing was touched" cmp "$work/before" "$work/after"
mkdir "$work/half"
echo mine >"$work/half/dice.key"
refuses "--init over a file of somebody" 73 'half' "$UMPIRED" \
	--init "$work/half"
unlike "which no umpired made" "$err" 'umpired -c'
is "that file stays" "$(cat "$work/half/dice.key")" mine
is "and stays alone" "$(ls "$work/half")" dice.key
# A database from elsewhere would be taken, and brought to this version.
sqlite3 "$work/old.db" <"$top_srcdir/tests/migrate/version-1.sql"
sum=$(sha256sum <"$work/old.db")
for set in "database=$work/old.db" "identity_key=$work/apart" \
	dice_key=/nowhere/key invite_key=invite tls_cert=cert "tls_key=$work/apart"; do
	refuses "--init of ${set%%=*} elsewhere" 78 \
		"${set%%=*}: --init makes this in its own folder" \
		"$UMPIRED" --init "$work/apart.d" "${as_root[@]}" -o "$set"
done
is "which is told before anything is made" \
	"$(find "$work" -name 'apart*' -o -name 'old.db?*')" ''
is "and leaves a database as it was" "$(sha256sum <"$work/old.db")" "$sum"
mkdir -m 755 "$work/empty"
exits 0 "an empty folder will do" "$UMPIRED" --init "$work/empty" \
	"${as_root[@]}" -o "database=$work/empty/umpired.db"
is "and is closed to others" "$(stat -c %a "$work/empty")" 700
if [ -x "$UMPIRED_TEST" ]; then
	# What is synced first: the settings, a key, and the folder of both.
	for n in 1 2 3; do
		"$tools/hookctl" "$work/hooks" set sys_mask 4 sys_do 1022 sys_n $n
		run env UMPIRED_TEST_CONTROL="$work/hooks" "$UMPIRED_TEST" \
			--init "$work/synced" "${as_root[@]}"
		echo "$status $(sed -n 's|.*/\(.*\)".*|\1|p' "$err"
			find "$work" -name synced)"
	done >"$work/order"
	is "settings and keys must reach the disk, a folder if it can" \
		"$(cat "$work/order")" "74 umpired.conf
74 identity.key
0 $work/synced"
else
	skip "what must reach the disk" "umpired-test is not built"
fi
exits 0 "--print-config works" "$UMPIRED" --print-config
grep -Eo '^#?[a-z_]+ =' "$out" | tr -d '#' | sort >"$work/keys"
is "the file that --init writes has every setting" \
	"$(grep -Eo '^#?[a-z_]+ =' "$conf" | tr -d '#' | sort)" \
	"$(cat "$work/keys")"

# ---- addresses ----

if grep -q ' lo$' /proc/net/if_inet6 2>/dev/null; then
	start_umpired "$dir" -o 'listen=127.0.0.1:0 [::1]:0, localhost:0' \
		-o port_file=port || exit 99
	mapfile -t ports <"$dir/port"
	is "each address has its port" "$((${#ports[@]} >= 3))" 1
	umpire_as v4 init --server "127.0.0.1:${ports[0]}" >/dev/null
	umpire_as v6 init --server "[::1]:${ports[1]}" >/dev/null
	exits 0 "IPv4 works" umpire_as v4 games --all --trust
	exits 0 "IPv6 works, too" umpire_as v6 games --all --trust
	like "it is the same server" "$err" "$key"
	stop_umpired
	is "the daemon stops cleanly" $? 0
else
	skip "IPv6 works, too" "no IPv6 here"
fi
start_umpired "$dir" -o listen=127.0.0.1:0 -o port_file=port || exit 99
refuses "an address that is in use" 74 "127.0.0.1:$port" \
	bash -c 'ulimit -n 1200 && exec "$@"' bash "$UMPIRED" -c "$conf" \
	-o "listen=127.0.0.1:$port" -o "database=$work/other.db"
unlike "so many descriptors are enough" "$err" 'descriptors are available'
refuses "the same with threads" 74 "127.0.0.1:$port" \
	bash -c 'ulimit -n 1200 && exec "$@"' bash "$UMPIRED" -c "$conf" \
	-o "listen=127.0.0.1:$port" -o "database=$work/other.db" \
	-o io_threads=64
like "they are too few for its files" "$err" 'only 1200 descriptors are available'

# ---- one database, one daemon ----

refuses "a second daemon on the same database" 75 'in use by another umpired' \
	"$UMPIRED" -c "$conf" -o listen=127.0.0.1:0
ln -s "$dir" "$work/link"
refuses "the same by another name" 75 'in use by another umpired' \
	"$UMPIRED" -c "$work/link/umpired.conf" -o listen=127.0.0.1:0
# What somebody tidies away is not all there is to it.
rm "$dir/umpired.db.lock"
refuses "the same once the lock file is gone" 75 'in use by another umpired' \
	"$UMPIRED" -c "$conf" -o listen=127.0.0.1:0
rm -f "$dir/umpired.db.lock"
: >"$dir/umpired.db.lock"
refuses "the same with another in its place" 75 'in use by another umpired' \
	"$UMPIRED" -c "$conf" -o listen=127.0.0.1:0
ln "$dir/umpired.db" "$work/hard.db"
refuses "the same file under a second name" 75 'in use by another umpired' \
	"$UMPIRED" -c "$conf" -o listen=127.0.0.1:0 \
	-o "database=$work/hard.db"
rm -f "$work"/hard.db*
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
start_umpired "$dir" -o listen=127.0.0.1:0 -o port_file=port
is "after one that was killed the next starts at once" $? 0

# Where flock() is made of the locks that SQLite has, it must not be kept out.
if [ -x "$UMPIRED_TEST" ]; then
	plain=$UMPIRED plain_daemon=$daemon plain_server=$server
	"$tools/hookctl" "$work/emulated" set flock 1
	export UMPIRED_TEST_CONTROL=$work/emulated
	UMPIRED=$UMPIRED_TEST
	start_umpired "$work/nfs" || exit 99
	init_player nora
	exits 0 "a daemon writes where flock() is made of other locks" \
		umpire_as nora register nora --trust
	refuses "a second one finds the lock file, there, too" 75 \
		'in use by another umpired' "$UMPIRED" \
		-c "$work/nfs/umpired.conf" -o listen=127.0.0.1:0
	stop_umpired
	is "it stops cleanly" $? 0
	unset UMPIRED_TEST_CONTROL
	UMPIRED=$plain daemon=$plain_daemon server=$plain_server
	port=${server##*:}
else
	skip "a file system of the network" "umpired-test is not built"
fi

# ---- signals, with clients connected ----

enter anna bert || exit 99
forge_game anna bert || exit 99
session watcher
ask watcher call game.watch "{\"game\":\"$game\"}"
exits 0 "--check works beside the daemon" "$UMPIRED" -c "$conf" --check
like "and is good" "$out" '^games: 1, lines: 4, wrong: 0$'

# logged REGEX: true once the daemon has logged that.
logged() {
	grep -Eq "$1" "$dir/log"
}

cp "$conf" "$work/umpired.conf"
printf '\npolicy = closed\nmax_requests = 5\nio_threads = 7\n' >>"$conf"
kill -HUP "$daemon"
wait_for 10 logged 'io_threads'
is "a setting that needs a restart is told at SIGHUP" $? 0
make_keys carl
session carl carl
# policy_is POLICY: true once the daemon has that one.
policy_is() {
	ask carl hello
	[ "$(of .result.policy)" = "$1" ]
}
wait_for 10 policy_is closed
ask carl register carl
refused "nobody can register where the policy is closed" 6 denied
ask carl hello
is "the policy is told" "$(of .result.policy)" closed
ask watcher call game.show "{\"game\":\"$game\"}"
is "nobody was dropped by SIGHUP" "$(of .result.seq)" 3
echo 'colour = red' >>"$conf"
kill -HUP "$daemon"
wait_for 10 logged 'the settings stay as they were'
is "a wrong configuration changes nothing" $? 0
ask anna call game.show "{\"game\":\"$game\"}"
is "and nobody is dropped by it" "$(of .result.seq)" 3

# ---- codes ----

cp "$work/umpired.conf" "$conf"
printf '\npolicy = invite\n' >>"$conf"
kill -HUP "$daemon"
wait_for 10 policy_is invite
is "the policy becomes invite" $? 0
run "$UMPIRED" -c "$conf" --invite
is "--invite works" "$status" 0
code=$(cat "$out")
is "--invite prints a code alone" "$(wc -l <"$out")" 1
is "two codes differ" \
	"$([ "$("$UMPIRED" -c "$conf" --invite 2>/dev/null)" != "$code" ] &&
		echo yes)" yes
ask carl register carl
refused "without a code" 6 denied params.invite
first=${code:0:1}
ask carl register carl "$([ "$first" = a ] && echo b || echo a)${code:1}"
refused "with a code that is none" 6 denied params.invite
ask carl register carl "$(tr 'a-z-' 'A-Z ' <<<"$code")"
is "with the code, in capitals and with blanks" "$(of .result.account)" carl
make_keys dora
session dora dora
ask dora register dora "$code"
refused "a code works once" 6 denied params.invite
umpire_as emil init --server "127.0.0.1:$port" >/dev/null
run umpire_as emil register emil --trust
is "the client says that a code is wanted" "$status" 77
like "and how to give it" "$err" '--invite CODE'
exits 0 "and takes it" umpire_as emil register emil --invite \
	"$("$UMPIRED" -c "$conf" --invite 2>/dev/null)"
exits 0 "an account that one has needs no code" umpire_as emil register emil
like "and is there" "$out" "You were already 'emil'"
run umpire_as emil register emil7
is "a second one is refused" "$status" 73
like "with the name of the first" "$err" 'the account "emil"'
unlike "no other name would do" "$err" 'Another name|--invite'
unlike "no place in a request is named" "$err" 'params'
run umpire_as emil register carl
is "and so is one that is taken" "$status" 73
like "likewise" "$err" 'the account "emil"'

# ---- what the server says of itself ----

page=$top_srcdir/common/umpire-protocol.7
ask anna call rpc.discover
of '.result.methods[].name' | sort >"$work/methods"
exits 0 "rpc.discover has the methods of the manual page" diff \
	"$work/methods" <(sed -n '/^\.Sh METHODS/,/^\.Sh ORDERS/s/^\.Ss //p' \
	"$page" | sort)
of '.result["x-notices"][].name' | sort >"$work/notices"
exits 0 "and its notices" diff "$work/notices" \
	<(sed -n '/^\.Sh NOTICES/,/^\.Sh THE/s/^\.Ss //p' "$page" | sort)
of '.result.methods[] | .name as $n | .params[] |
	"\($n) \(.name) \(if .required then "" else "optional" end)"' |
	sed 's/ $//' | sort >"$work/params"
exits 0 "and their params" diff "$work/params" <(awk '
	/^\.Sh/ { inside = $2 == "METHODS" }
	/^\.Ss/ { method = $2; list = 0 }
	/^Params:/ { list = 1 }
	/^\.El/ { list = 0 }
	inside && list && /^\.It Va/ {
		print method " " $3 (/optional/ ? " optional" : "")
	}' "$page" | sort)
of '.result.methods[] | select(."x-login") | .name' | sort >"$work/login"
exits 0 "what wants a login is what the page says needs one" \
	diff "$work/login" <(awk '
	/^\.Sh/ { inside = $2 == "METHODS" }
	/^\.Ss/ { method = $2 }
	inside && /^Needs a login/ { print method }' "$page" | sort)
is "and there are such methods" "$(grep -c '^game\.order$' "$work/login")" 1

# ---- the end, with all those clients still there ----

is "clients are connected" "$(grep -c ': logged in' "$dir/log" |
	awk '{ print ($1 >= 3) }')" 1
kill -TERM "$daemon"
wait_for 20 not_running "$daemon"
is "SIGTERM ends it with clients connected" $? 0
wait "$daemon"
is "with status 0" $? 0
like "and says so" "$dir/log" 'info  stopping$'
for name in anna bert carl dora watcher; do
	ask "$name" line 2000
	is "$name is told by the end of the connection" "$(of .failed)" closed
	close_session "$name"
done
start_umpired "$dir" -o listen=127.0.0.1:0 -o port_file=port || exit 99
kill -INT "$daemon"
wait_for 20 not_running "$daemon"
wait "$daemon"
is "SIGINT ends it, too" $? 0

# ---- what it does not start on ----

# with_db NAME SQL: a copy of the database, changed.
with_db() {
	rm -f "$work/$1"
	sqlite3 "$db" "VACUUM INTO '$work/$1'"
	sqlite3 "$work/$1" "$2" >/dev/null
}

with_db newer.db 'PRAGMA user_version = 99'
for mode in '' --check; do
	refuses "a newer schema $mode" 78 'use a newer umpired' "$UMPIRED" \
		-c "$conf" -o "database=$work/newer.db" -o listen=127.0.0.1:0 \
		${mode:+"$mode"}
done
with_db alien.db 'PRAGMA application_id = 1'
refuses "another application's database" 78 'another application' \
	"$UMPIRED" -c "$conf" -o "database=$work/alien.db" -o listen=127.0.0.1:0
head -c 20000 /dev/urandom >"$work/noise.db"
refuses "what is no database" 78 'not an SQLite database' "$UMPIRED" \
	-c "$conf" -o "database=$work/noise.db" -o listen=127.0.0.1:0
refuses "a database that is not there" 74 'none.db' "$UMPIRED" -c "$conf" \
	-o "database=$work/none.db" -o listen=127.0.0.1:0
chmod 644 "$dir/identity.key"
refuses "a key that others may read" 77 'identity.key' "$UMPIRED" \
	-c "$conf" -o listen=127.0.0.1:0
chmod 600 "$dir/identity.key"

# ---- --check ----

# finds WHAT REGEX SQL: cases; --check names what the SQL has changed.
finds() {
	with_db bad.db "$3"
	sha256sum "$work/bad.db" >"$work/before"
	exits 1 "--check finds $1" "$UMPIRED" -c "$conf" \
		-o "database=$work/bad.db" --check
	like "--check finds $1: it says what" "$out" "$2"
	like "--check finds $1: it counts" "$out" ', wrong: 1$'
	sha256sum "$work/bad.db" >"$work/after"
	exits 0 "--check finds $1: it changes nothing" cmp "$work/before" \
		"$work/after"
}

# byte N COLUMN: SQL for that column with its N-th byte changed.
byte() {
	printf "CAST(substr(%s,1,%d) || CASE substr(%s,%d,1) WHEN x'%s' THEN
		x'%s' ELSE x'%s' END || substr(%s,%d) AS BLOB)" "$2" $(($1 - 1)) \
		"$2" "$1" 30 31 30 "$2" $(($1 + 1))
}

with_db good.db 'SELECT 1'
exits 0 "--check is good as it is" "$UMPIRED" -c "$conf" \
	-o "database=$work/good.db" --check
for at in 20 300 1200; do
	finds "byte $at of a line" "^game $game: line 2: " \
		"UPDATE record SET line = $(byte "$at" line) WHERE seq = 2"
done
finds "a line's hash" "^game $game: line 1: .*hash" \
	"UPDATE record SET hash = $(byte 5 hash) WHERE seq = 1"
changed=$(sqlite3 "$db" 'SELECT CAST(line AS TEXT) FROM record WHERE seq = 2' |
	sed 's/"at":"2/"at":"3/')
finds "a line written anew, with its hash" "^game $game: line 2: .*mark" \
	"UPDATE record SET line = CAST('$changed' AS BLOB), hash = x'$(printf %s \
	"$changed" | sha256sum | cut -d ' ' -f 1)' WHERE seq = 2"
finds "a line's order id" "^game $game: line 3: .*order" \
	"UPDATE record SET oid = $(byte 5 oid) WHERE seq = 3"
finds "a missing line" "^game $game: " \
	"DELETE FROM line_text; DELETE FROM record WHERE seq = 3"
finds "a byte of a snapshot" "^game $game: .*state" \
	"UPDATE snapshot SET bytes = CAST(replace(CAST(bytes AS TEXT), ':6', ':7')
	AS BLOB)"
finds "a snapshot cut short" "^game $game: .*state" \
	"UPDATE snapshot SET bytes = substr(bytes, 1, 100)"
finds "a wrong row in the list of games" "^game $game: .*list of games" \
	"UPDATE game SET turn = 5"
finds "another roster" "^game $game: .*(blob|roster)" \
	"UPDATE blob SET bytes = CAST(replace(CAST(bytes AS TEXT), ':6', ':7')
	AS BLOB)"
exits 1 "--check finds the marks of another server" "$UMPIRED" -c "$conf" \
	-o "identity_key=$dir/dice.key" --check

# ---- what is installed ----

nm=${NM:-nm}
if command -v "$nm" >/dev/null && command -v strings >/dev/null &&
	[ -x "$UMPIRED_TEST" ]; then
	"$nm" "$UMPIRED_TEST" 2>/dev/null | grep -E 'hooks|__wrap_' >"$work/hooks"
	is "umpired-test holds the hooks" \
		"$(grep -c hooks_ "$work/hooks" | awk '{ print ($1 > 5) }')" 1
	is "umpired holds none" "$("$nm" "$UMPIRED" |
		grep -E ' (hooks|faults)_|__wrap_store|__wrap_clock')" ''
	is "umpired-test reads its environment" \
		"$(strings "$UMPIRED_TEST" | grep -c '^UMPIRED_TEST_CONTROL$')" 1
	is "umpired does not" "$(strings "$UMPIRED" | grep -c UMPIRED_TEST)" 0
else
	skip "umpired holds no hooks" "no nm, strings or umpired-test"
fi
finish
