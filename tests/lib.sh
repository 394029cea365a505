# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2034
#
# What the shell tests share: TAP output with the plan at its end, a folder
# of the test's own that goes away, players with profiles of their own, and
# a daemon on a free port of the loopback.  Source it first:
#
#   . "${top_srcdir:?}/tests/lib.sh"
#
# The environment comes from "make check": top_srcdir and top_builddir are
# absolute.  Nothing here sleeps for longer than 50 ms at a time.

set -u
: "${top_srcdir:?run this by make check}" "${top_builddir:?}"

UMPIRE=${UMPIRE:-$top_builddir/umpire}
UMPIRED=${UMPIRED:-$top_builddir/umpired}
export NO_COLOR=1 TZ=UTC LC_ALL=C.UTF-8 PAGER=cat
unset UMPIRE_SERVER UMPIRE_PROFILE XDG_RUNTIME_DIR

tap_n=0       # cases so far
tap_failed=0  # of them failed
tap_ended=no  # finish or skip_all has been called
daemons=      # pids to stop at the end
work=$(mktemp -d "${TMPDIR:-/tmp}/umpire-test.XXXXXX") || exit 99
out=$work/stdout # of the last run
err=$work/stderr
status=0

# is_ours PID: it is this test's.  Numbers come round within minutes where many
# tests run: what has ended, and was waited for, may be another test's daemon.
is_ours() {
	local stat
	{ read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
	stat=${stat##*) }
	[[ $stat == ?" $$ "* || $stat == ?" $BASHPID "* ]]
}

# Stops what still runs and removes the folder, however the test ends.
cleanup() {
	local rc=$? pid
	for pid in $daemons; do
		! is_ours "$pid" || kill -KILL "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	rm -rf "$work"
	[ "$tap_ended" = yes ] || {
		echo "Bail out! the test ended before its plan"
		exit 99
	}
	exit "$rc"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# diag TEXT...: says something beside the results.
diag() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

# pass WHAT, fail WHAT [TEXT...]: one result.
pass() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1"
}

fail() {
	tap_n=$((tap_n + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_n - $1"
	shift
	[ $# -eq 0 ] || diag "$*"
}

# holds WHAT COMMAND...: a case; the command must succeed.
holds() {
	local what=$1
	shift
	if "$@"; then
		pass "$what"
	else
		fail "$what" "$*"
	fi
}

# skip WHAT WHY: one case that cannot be tried here.
skip() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1 # SKIP $2"
}

# skip_all WHY: the whole file cannot be tried here.
skip_all() {
	echo "1..0 # SKIP $1"
	tap_ended=yes
	exit 0
}

# finish: the plan; call it last.  A file that tried nothing has failed, since
# a plan of none counts as skipped; so has one that waited for what never came,
# and went on.
finish() {
	[ ! -s "$work/vain" ] || fail "what is waited for comes" "$(<"$work/vain")"
	[ "$tap_n" -gt 0 ] || fail "something is tried"
	echo "1..$tap_n"
	tap_ended=yes
	exit $((tap_failed != 0))
}

# need PROGRAM...: skips the file unless all are there.
need() {
	local p
	for p in "$@"; do
		command -v "$p" >/dev/null 2>&1 || skip_all "$p is missing"
	done
}

# run COMMAND...: runs it and leaves $status, and its output in $out, $err.
run() {
	"$@" >"$out" 2>"$err" </dev/null
	status=$?
	return 0
}

# Shows what the last run printed.
show_run() {
	diag "status $status"
	sed 's/^/# stdout: /' "$out" | head -40
	sed 's/^/# stderr: /' "$err" | head -40
}

# exits STATUS WHAT COMMAND...: a case; the command must end so.
exits() {
	local want=$1 what=$2
	shift 2
	run "$@"
	if [ "$status" = "$want" ]; then
		pass "$what"
	else
		fail "$what" "status $status, not $want: $*"
		show_run
	fi
}

# is WHAT GOT WANTED: a case; the two must be equal.
is() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "got:    $2
wanted: $3"
	fi
}

# like WHAT FILE REGEX: a case; a line of the file must match (grep -E).
like() {
	if grep -Eq -- "$3" "$2"; then
		pass "$1"
	else
		fail "$1" "no line matches: $3"
		sed 's/^/# /' "$2" | head -40
	fi
}

# unlike WHAT FILE REGEX: a case; no line of the file may match, and it must be
# there.  One that can be read once only (a pipe) will do.
unlike() {
	local found rc
	found=$(grep -En -- "$3" "$2" 2>&1)
	rc=$?
	case $rc in
	0) fail "$1" "a line matches: $3" ;;
	1) pass "$1" ;;
	*) fail "$1" "it cannot be looked at" ;;
	esac
	[ "$rc" = 1 ] || diag "$found" | head -20
}

# told COMMAND...: what a program finds, each a case: it writes lines "pass WHAT",
# "fail WHAT: WHY" and "# ...", and must end well, or it found not all.
told() {
	local verdict what
	while read -r verdict what; do
		case $verdict in
		pass) pass "$what" ;;
		'#') diag "$what" ;;
		*) fail "${what%%: *}" "$verdict $what" ;;
		esac
	done < <("$@")
	wait $! || fail "all is tried" "status $?: $*"
}

# nap: 50 ms, without starting a program for it: nobody writes to this pipe.
exec {nap_fd}<> <(:)
nap() {
	read -r -t 0.05 -u "$nap_fd"
	return 0
}

# may_come SECONDS COMMAND...: tries every 50 ms until it holds; 1 if never.  A
# machine that is busy has as long again; a command that takes long itself, four
# times as long, so that a test says what did not come before it has to end.
may_come() {
	local tries=$(($1 * 40)) end=$((SECONDS + 4 * $1))
	shift
	while ! "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] && [ "$SECONDS" -le "$end" ] || return 1
		nap
	done
}

# wait_for SECONDS COMMAND...: likewise, for what has to come: if it never does
# the test has failed, whatever is made of the status.
wait_for() {
	may_come "$@" || {
		shift
		printf '%s\n' "line ${BASH_LINENO[0]}: $*" >>"$work/vain"
		return 1
	}
}

# player NAME COMMAND...: runs it with that player's own profile.
player() {
	local home=$work/players/$1
	shift
	[ -d "$home" ] || mkdir -p "$home"
	HOME=$home XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data \
		XDG_STATE_HOME=$home/state XDG_CACHE_HOME=$home/cache "$@"
}

# umpire_as NAME ARGUMENT...: the client as that player.
umpire_as() {
	local who=$1
	shift
	player "$who" "$UMPIRE" "$@"
}

# What root must say, as whom umpired does not run otherwise.
as_root=()
[ "$(id -u)" != 0 ] || as_root=(-o user=root)

# init_umpired DIR [-o KEY=VALUE]...: keys, settings and database, for a free
# port of the loopback.
init_umpired() {
	local dir=$1
	shift
	"$UMPIRED" --init "$dir" -o listen=127.0.0.1:0 -o port_file=port \
		"${as_root[@]}" "$@" >"$work/init.log" 2>&1 || {
		sed 's/^/# init: /' "$work/init.log"
		return 1
	}
}

# start_umpired DIR [-o KEY=VALUE]...: starts the daemon there, made first if
# need be; leaves $port, $server (for the client) and $daemon (its pid).
# $UMPIRED may be another program, such as umpired-test.
start_umpired() {
	local dir=$1
	shift
	[ -e "$dir/umpired.conf" ] || init_umpired "$dir" || return 1
	rm -f "$dir/port"
	"$UMPIRED" -c "$dir/umpired.conf" "$@" >>"$dir/log" 2>&1 </dev/null &
	daemon=$!
	daemons="$daemons $daemon"
	if ! wait_for 20 test -s "$dir/port"; then
		diag "umpired did not start:"
		sed 's/^/# umpired: /' "$dir/log"
		return 1
	fi
	port=$(head -n 1 "$dir/port")
	server=127.0.0.1:$port
}

# stop_umpired [PID]: SIGTERM, and the status that the daemon ends with.
stop_umpired() {
	local pid=${1:-$daemon} rc
	! is_ours "$pid" || kill -TERM "$pid" 2>/dev/null
	wait_for 20 not_running "$pid" || kill -KILL "$pid"
	wait "$pid"
	rc=$?
	daemons=" $daemons "
	daemons=${daemons/" $pid "/ }
	return "$rc"
}

# not_running PID: a child that has ended counts as ended (state Z).
not_running() {
	local stat
	# Gone while it is read is gone, too.
	{ read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
	[[ ${stat##*) } == [ZX]* ]]
}
