#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What the daemon may do to the machine, and who else may read what it has: it
# is not root unless told to, makes no system calls but its own, starts nothing
# but the courier, leaves files to its user alone, and keeps no key longer than
# it needs it.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_hooks

courier=$top_builddir/umpired-courier
dir=$work/umpired
log=$dir/log

# status_of FIELD PID [TASK]: what /proc says.
status_of() {
	sed -n "s/^$1:[[:space:]]*//p" "/proc/$2/task/${3:-$2}/status"
}

# ---- not as root, unless told ----

if [ "$(id -u)" = 0 ]; then
	exits 0 "root may make a folder" "$UMPIRED" --init "$work/roots"
	like "and is told to name a user" "$out" 'umpired does not run as root'
	like "or how to try it" "$out" '^    -o user=root$'
	exits 78 "root does not run the daemon" "$UMPIRED" \
		-c "$work/roots/umpired.conf" -o listen=127.0.0.1:0
	like "it says what to do" "$err" '^umpired: .*add -o user=root to this .*set "user"'
	exits 0 "root may check" "$UMPIRED" -c "$work/roots/umpired.conf" --check
	exits 0 "and make codes" "$UMPIRED" -c "$work/roots/umpired.conf" --invite
	exits 78 "nobody by that name" "$UMPIRED" --init "$work/nobodys" \
		-o user=no-such-user
	is "leaves nothing" "$([ -e "$work/nobodys" ] || echo none)" none
	# Who owns a folder can put links into it.
	install -d -o nobody -m 755 "$work/theirs"
	exits 77 "a folder of somebody else is not taken" "$UMPIRED" \
		--init "$work/theirs" -o user=nobody
	like "it says why" "$err" 'theirs" belongs to another user'
	is "it stays as it was" \
		"$(stat -c '%U %a' "$work/theirs"; ls -A "$work/theirs")" \
		'nobody 755'
	# Who is not root must reach the folder and the programs.
	chmod 711 "$work"
	case $work in
	*/umpire-home.*/*) chmod 711 "${work%/*}" ;; # tests/run.sh's own
	esac
	exits 0 "root makes a folder for somebody" "$UMPIRED" \
		--init "$work/nobodys" -o user=nobody -o listen=127.0.0.1:0 \
		-o port_file=port
	unlike "who needs no advice" "$out" 'does not run as root'
	# The courier reads the settings as they do.
	install -m 600 "$work/nobodys/umpired.conf" "$work/roots.conf"
	exits 77 "notices need settings that they can read" "$UMPIRED" \
		-c "$work/roots.conf" -o notify_command=/bin/true
	like "it says what to do" "$err" 'cannot read .*let that user read it'
	is "it is theirs" "$(stat -c %U "$work/nobodys" "$work"/nobodys/* |
		sort -u)" nobody
	# The hooks' files are root's.
	if (unset UMPIRED_TEST_CONTROL UMPIRED_TEST_LINES
		start_umpired "$work/nobodys" && echo "$daemon" >"$work/pid"); then
		daemon=$(cat "$work/pid")
		daemons="$daemons $daemon"
		is "the daemon becomes them" "$(status_of Uid "$daemon")" \
			"$(id -u nobody | sed 's/.*/&\t&\t&\t&/')"
		is "for good" "$(status_of CapPrm "$daemon")" 0000000000000000
		is "root's other groups do not stay" \
			"$(status_of Groups "$daemon" | tr ' ' '\n' |
				grep -cx 0)" "$(id -G nobody | tr ' ' '\n' |
				grep -cx 0)"
		is "nobody but root can look" \
			"$(stat -c %U "/proc/$daemon/mem")" root
		is "what it makes is theirs" \
			"$(find "$work/nobodys" ! -name log -printf '%u\n' |
				sort -u)" nobody
		kill -TERM "$daemon"
		wait_for 20 not_running "$daemon"
		is "and it ends" $? 0
		(unset UMPIRED_TEST_CONTROL UMPIRED_TEST_LINES
			start_umpired "$work/nobodys" -o core_dumps=yes &&
				echo "$daemon" >"$work/pid")
		daemon=$(cat "$work/pid")
		daemons="$daemons $daemon"
		is "its core files are theirs if that is wished" \
			"$(stat -c %U "/proc/$daemon/mem")" nobody
		kill -TERM "$daemon"
		wait_for 20 not_running "$daemon"
	else
		fail "the daemon becomes them"
	fi
	chmod 700 "$work"
else
	skip "not as root, unless told" "the test is not root"
fi

# ---- files ----

# Whatever the caller lets through, and keeps back: of signals, too.
printf '#!/bin/sh
exec env --ignore-signal=CHLD --block-signal=CHLD,HUP,INT,TERM "%s" "$@"
' \
	"$UMPIRED_TEST" >"$work/kept"
chmod 700 "$work/kept"
umask 000
init_umpired "$dir" || exit 99
cat >>"$dir/umpired.conf" <<END
courier = $courier
notify_command = /bin/true
END
UMPIRED=$work/kept start_umpired "$dir" || exit 99
enter anna bert || exit 99
forge_game anna bert || exit 99
if "$UMPIRED" --help | grep -q -- --backup; then
	exits 0 "a backup is made" "$UMPIRED" -c "$dir/umpired.conf" \
		--backup "$dir/backup.db"
else
	skip "a backup is made" "there is no --backup"
fi
umask 022
is "the folder is for its owner alone" "$(stat -c %a "$dir")" 700
# The log and the settings' last lines are this test's.
is "so is all that is in it" "$(find "$dir" -mindepth 1 ! -path "$log" \
	! -perm 600 -printf '%m %f\n')" ""
for name in identity.key dice.key invite.key tls.key tls.crt port umpired.conf \
	umpired.db umpired.db-wal umpired.db-shm umpired.db.lock; do
	[ -e "$dir/$name" ] || echo "$name"
done >"$work/absent"
is "which is what it should be" "$(cat "$work/absent")" ""

# ---- system calls ----

is "it gains no privileges" "$(for task in /proc/"$daemon"/task/*; do
	status_of NoNewPrivs "$daemon" "${task##*/}"
done | sort -u)" 1

# children PID: the processes that it has started.
children() {
	ps -o pid= --ppid "$1" | tr -d ' '
}
# has_child PID
has_child() {
	[ -n "$(children "$1")" ]
}
spawner=$(children "$daemon")
is "one process has been started" "$(wc -w <<<"$spawner")" 1
is "which gains none either" "$(status_of NoNewPrivs "$spawner")" 1
if fds=$(ls "/proc/$spawner/fd" 2>"$err"); then
	is "and has the log and three descriptors" "$(wc -w <<<"$fds")" 6
else
	skip "and has the log and three descriptors" "only root may look"
fi
is "the courier is its child" "$(ps -o comm= --ppid "$spawner")" umpired-courier

# passed: which of the calls that are tried at the next commit are not refused.
# With AddressSanitizer only those are tried that it does not need itself.
passed() {
	local n
	n=$(hook calls_made)
	for ((i = 0; i < 64; i++)); do
		[ $((n >> i & 1)) = 0 ] || echo -n "$i "
	done
}

filtered=yes
if grep -q 'system calls cannot be filtered' "$log"; then
	filtered=no
	skip "system calls" "$(grep -o 'system calls cannot.*' "$log")"
	is "it runs without a filter, and says so" \
		"$(status_of Seccomp "$daemon")" 0
else
	is "each thread is under the filter" \
		"$(for task in /proc/"$daemon"/task/*; do
			status_of Seccomp "$daemon" "${task##*/}"
		done | sort -u)" 2
	tried=64
	! grep -q __asan_init "$UMPIRED" || tried=36
	hook try_calls "$tried" calls_made -1
	enter carl || exit 99
	is "calls were tried" "$(hook try_calls)" 0
	# The last one is Landlock's to refuse.
	apart=
	grep -q 'cannot be kept from other' "$log" && apart='35 '
	is "all of them were refused" "$(passed)" "$apart"
	ask carl hello
	is "and the daemon goes on" "$(of .result.server)" "$server_key"
	close_session carl
fi
for name in anna bert; do
	close_session "$name"
done

# ---- the spawner ----

kill -KILL "$(children "$spawner")"
wait_for 20 grep -q 'the courier has died' "$log"
is "the courier's death is seen" $? 0
kill -HUP "$daemon"
wait_for 20 has_child "$spawner"
is "another is started" $? 0
kill -KILL "$spawner"
wait_for 20 grep -q 'the process that starts the courier has died' "$log"
is "so is that of its spawner" $? 0
session dora
ask dora hello
is "without it the daemon goes on" "$(of .result.server)" "$server_key"
close_session dora
stop_umpired
is "and ends as it should" $? 0

start_umpired "$dir" || exit 99
spawner=$(children "$daemon")
wait_for 20 has_child "$spawner"
started="$spawner $(children "$spawner")"
kill -KILL "$daemon"
gone() {
	local pid
	for pid in $started; do
		not_running "$pid" || return 1
	done
}
wait_for 20 gone
is "neither outlives the daemon" $? 0

# ---- without standard input and output ----

# What is not dumpable is root's in /proc.
rm -f "$dir/port"
bash -c 'exec "$@" <&- >&- 2>&-' bash "$UMPIRED" -c "$dir/umpired.conf" \
	-o core_dumps=yes &
daemon=$!
daemons="$daemons $daemon"
wait_for 20 test -s "$dir/port"
is "it starts without them" $? 0
is "nothing else gets their numbers" \
	"$(readlink "/proc/$daemon"/fd/{0,1,2} | sort -u)" /dev/null
stop_umpired
is "and ends as it should" $? 0

# ---- where there is no such thing ----

# without NAME...: daemons from here on run where the system has no such calls.
without() {
	printf '#!/bin/sh
exec python3 "%s" %s -- "%s" "$@"
' \
		"$top_srcdir/tests/e2e/without.py" "$*" "$UMPIRED_TEST" \
		>"$work/without"
	chmod 700 "$work/without"
	UMPIRED=$work/without
}
without landlock_create_ruleset seccomp
run "$UMPIRED" --version
if [ "$status" = 77 ]; then
	skip "a system without filters" "it cannot be had here"
else
	: >"$log"
	start_umpired "$dir" || exit 99
	like "without filters it runs, and says so" "$log" \
		'system calls cannot be filtered: '
	like "likewise without Landlock" "$log" \
		'cannot be kept from other processes.*: '
	session emil
	ask emil hello
	is "it works" "$(of .result.server)" "$server_key"
	close_session emil
	stop_umpired
	is "it ends" $? 0
	exits 78 "but not if a forbidden call is to end it" "$UMPIRED" \
		-c "$dir/umpired.conf" -o sandbox=kill
fi
UMPIRED=$UMPIRED_TEST

# ---- other settings ----

start_umpired "$dir" -o sandbox=no || exit 99
like "without a filter it says so" "$log" 'not filtered, as "sandbox" says'
hook try_calls 5 calls_made -1
enter eric || exit 99
close_session eric
is "then calls pass" "$(passed | grep -Eo '^0 1 2 3 ')" '0 1 2 3 '
stop_umpired
is "it ends as it should" $? 0
if [ "$filtered" = no ]; then
	skip "a forbidden call ends the daemon" "there is no filter"
else
	start_umpired "$dir" -o sandbox=kill || exit 99
	hook try_calls 1
	make_keys fritz
	session fritz fritz
	tell fritz register fritz
	wait_for 20 not_running "$daemon"
	wait "$daemon"
	is "a forbidden call ends the daemon, if that is wished" $? 159
	hook try_calls 0
fi

# ---- keys ----

# hex FILE: its bytes.
hex() {
	od -An -v -tx1 "$@" | tr -d ' \n'
}
# backwards HEX: big numbers lie in memory like that.
backwards() {
	fold -w 2 <<<"$1" | tac | tr -d '\n'
}
looked=()
for name in identity dice invite; do
	secret=$(head -c 64 "$dir/$name.key")
	looked+=("$name=$secret" "$name.text=$(printf %s "$secret" | hex)")
	[ "$name" != dice ] ||
		looked+=("$name.number=$(backwards "$secret")")
done
# What Ed25519 makes of its secret: the number, but for the bits of its ends that
# are set, and what nonces are made of.
expanded=$(unhex "$(head -c 64 "$dir/identity.key")" | sha512sum)
looked+=("identity.scalar=${expanded:2:60}"
	"identity.prefix=${expanded:64:64}")
scalar=$(openssl pkey -in "$dir/tls.key" -text -noout | sed -n '/^priv:/,/^pub:/p' |
	grep '^ ' | tr -d ' :\n' | tail -c 64)
looked+=("tls=$scalar" "tls.number=$(backwards "$scalar")"
	"tls.text=$(sed -n 2p "$dir/tls.key" | tr -d '\n' | hex)")

# reread N: true if the settings have been so often.
reread() {
	[ "$(grep -c 'settings reread' "$log")" -ge "$1" ]
}

# memory: counts of secrets in the daemon's memory, into $out.
memory() {
	run python3 "$top_srcdir/tests/e2e/memory.py" "$daemon" "${looked[@]}"
}

# found REGEX: looks, and names those of such secrets that are in memory; or
# says that next to nothing was looked at.
found() {
	local n
	memory
	n=$(sed -n 's/^bytes //p' "$out")
	if [ "$status" != 0 ] || [ "${n:-0}" -lt 1000000 ]; then
		echo "status $status, looked at ${n:-no} bytes"
	else
		grep -v '^bytes ' "$out" | grep -Ex "($1) [1-9][0-9]*" |
			cut -d ' ' -f 1 | tr '\n' ' '
	fi
}
# Of files, and of what signing makes for a moment.
passing='.*\.(text|scalar|prefix)'

# end_slowly: has the daemon end, and stay in memory until linger is 0.
end_slowly() {
	hook linger 1
	kill -TERM "$daemon"
	wait_for 20 hooked linger 2
	is "the daemon has ended, and stays" $? 0
}

# A core file, and with it the memory, is its user's only if that is wished.
start_umpired "$dir" -o core_dumps=yes || exit 99
[ -n "${UMPIRE_SLOW:-}" ] || memory
if [ -n "${UMPIRE_SLOW:-}" ]; then
	skip "keys are wiped" "a sanitizer keeps memory as it was"
elif [ "$status" = 77 ]; then
	skip "keys are wiped" "memory may not be read here"
else
	like "the key in use is found" "$out" '^identity [1-9]'
	is "files' texts are not" "$(found "$passing")" ""
	enter gerd hans || exit 99
	forge_game gerd hans || exit 99
	before=$(grep -c 'settings reread' "$log")
	kill -HUP "$daemon"
	wait_for 20 reread $((before + 1))
	is "the settings are read again" $? 0
	is "nor are they after a game and a SIGHUP" "$(found "$passing")" ""
	close_session gerd
	close_session hans
	end_slowly
	is "at the end there is no key left" "$(found '.*')" ""
	hook linger 0
	stop_umpired
	# Each of them can be found: it has been in memory, as it was looked for.
	hook unwiped 1
	start_umpired "$dir" -o core_dumps=yes || exit 99
	enter ida jens || exit 99
	forge_game ida jens || exit 99
	close_session ida
	close_session jens
	end_slowly
	is "a copy of what is wiped would be found" "$(found '.*')" \
		"$(printf '%s ' "${looked[@]%%=*}")"
	hook linger 0 unwiped 0
fi
stop_umpired
start_umpired "$dir" || exit 99
is "without core_dumps there is no core file" \
	"$(sed -n 's/^Max core file size *\([0-9]*\) .*/\1/p' \
		"/proc/$daemon/limits")" 0
# What is not dumpable is root's in /proc.
is "and nobody else can look" "$(stat -c %U "/proc/$daemon/mem")" root
stop_umpired
is "it has worked all the time" $? 0

finish
