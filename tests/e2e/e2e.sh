# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2034
#
# What the end-to-end tests share beyond tests/lib.sh, which this brings in:
# the complete example of the rules as roster and declaration, whole
# databases as text, and forge sessions. A session is a connection on which a
# test says what it likes, a command a line:
#
#   session anna anna            opens one with the keys of the player anna
#   ask anna login anna          leaves the answer, a line, in $reply
#
# With UMPIRE_SLOW set, which builds with sanitizers do, counts are smaller.

. "${top_srcdir:?}/tests/lib.sh"
need jq openssl sqlite3

tools=$top_builddir/tests/tools
UMPIRED_TEST=${UMPIRED_TEST:-$top_builddir/umpired-test}
example=$top_srcdir/tests/rules/lasalle2/lasalle2-complete-example.json
zeros=$(printf '%064d' 0)
declare -A session_in session_out session_pid

# Not empty where a thing that is tried in the ordinary build need not be tried
# once more.
seldom=${UMPIRE_SLOW:-}
[ -z "${UMPIRE_LONG:-}" ] || seldom=

# some PLAIN SLOW [LONG]: the first number, or the second where things are
# slow, or the third where there is time.
some() {
	if [ -n "${UMPIRE_LONG:-}" ] && [ $# -gt 2 ]; then
		echo "$3"
	elif [ -n "${UMPIRE_SLOW:-}" ]; then
		echo "$2"
	else
		echo "$1"
	fi
}

# watching WHO FILE ARGUMENT...: that player tells into FILE, and FILE.err, in
# the background; the pid is in $watcher.
watching() {
	local home=$work/players/$1 file=$2
	shift 2
	# No function, so that the pid is the client's and killing it ends it.
	# What a shell starts in the background ignores Ctrl-C otherwise.
	env --default-signal=INT HOME="$home" XDG_CONFIG_HOME="$home/config" \
		XDG_DATA_HOME="$home/data" "$UMPIRE" watch "$@" \
		>"$file" 2>"$file.err" </dev/null &
	watcher=$!
	daemons="$daemons $watcher"
}

# unhex DIGITS: the bytes.
unhex() {
	# shellcheck disable=SC2001,SC2059
	printf "$(sed 's/../\\x&/g' <<<"$1")"
}

# filter FILTER: jq -rc over standard input.  What only goes down a path is left
# to a program that starts ten times as fast.
filter() {
	if [[ $1 =~ ^(\.[a-z_]+|\[[0-9]+\])+$ ]]; then
		"$tools/pick" "$1"
	else
		jq -rc "$1"
	fi
}

umpire_test=${UMPIRE_TEST:-$top_builddir/umpire-test}

# with_hooks: daemons from here on are umpired-test, which hook rules and
# which writes the lines that it is about to store to $lines.
with_hooks() {
	[ -x "$UMPIRED_TEST" ] || skip_all "umpired-test is not built"
	UMPIRED=$UMPIRED_TEST
	lines=$work/lines
	export UMPIRED_TEST_CONTROL=$work/hooks UMPIRED_TEST_LINES=$lines
	: >"$lines"
}

# quick_hooks: from here on hook asks one hookctl that stays, for tests that do
# so thousands of times; none of it may be in the background.
quick_hooks() {
	mkfifo "$work/hooks.in" "$work/hooks.out"
	"$tools/hookctl" "$work/hooks" <"$work/hooks.in" >"$work/hooks.out" &
	daemons="$daemons $!"
	exec {hooks_in}>"$work/hooks.in" {hooks_out}<"$work/hooks.out"
}

# with_clocks: with_hooks, and the client is umpire-test, which has the clock
# that hook gives the daemon: for tests that set that back, since umpired takes
# no order that is dated ahead of it.
with_clocks() {
	with_hooks
	UMPIRE=$umpire_test
	[ -x "$UMPIRE" ] || skip_all "umpire-test is not built"
}

# hook NAME: a number of the hooks (in $hook_value, too, if hooks are quick);
# hook NAME NUMBER ... sets them, the clock for umpire-test, too.
hook() {
	local all="$* "
	case $all in
	"now_ms ") ;;
	*"now_ms 0 "*) unset UMPIRE_TEST_NOW ;;
	*"now_ms "*)
		all=${all##*now_ms }
		export UMPIRE_TEST_NOW=${all%% *}
		;;
	esac
	if [ -n "${hooks_in:-}" ]; then
		printf '%s\n' "$*" >&"$hooks_in"
		read -r hook_value <&"$hooks_out"
		[ $# -gt 1 ] || echo "$hook_value"
	elif [ $# -eq 1 ]; then
		"$tools/hookctl" "$work/hooks" get "$1"
	else
		"$tools/hookctl" "$work/hooks" set "$@"
	fi
}

# hooked NAME NUMBER: true if that is the number.
hooked() {
	[ "$(hook "$1")" = "$2" ]
}

# with_fixed: with_hooks, and the client is umpire-test, so that begin_fixed and
# `as` can make each run of a test the same, dice and all.
fixed_now=1800000000000 # 2027-01-15 08:00:00 UTC
with_fixed() {
	with_hooks
	UMPIRE=$umpire_test
	[ -x "$UMPIRE" ] || skip_all "umpire-test is not built"
	runs=0
	seed_word=
}

# fixed_key PATH WORD: a key file whose secret comes of the word.
fixed_key() {
	mkdir -p "$(dirname "$1")"
	printf '%s' "$2" | sha256sum | cut -c 1-64 >"$1"
	chmod 600 "$1"
}

# as NAME ARGUMENT...: the client, whose random bytes come of a seed that no
# other run has: who it is, $seed_word if it is set, and how many went before.
as() {
	local who=$1
	shift
	runs=$((runs + 1))
	UMPIRE_TEST_NOW=$fixed_now \
		UMPIRE_TEST_SEED="$who ${seed_word:+$seed_word }$runs" \
		player "$who" "$UMPIRE" "$@"
}

# begin_fixed DIR: a daemon there, and the accounts anna and bert, all with the
# same keys and the same clock in every run.
begin_fixed() {
	local who kind
	init_umpired "$1" || exit 99
	fixed_key "$1/identity.key" server-identity
	fixed_key "$1/dice.key" server-dice
	start_umpired "$1" || exit 99
	hook now_ms "$fixed_now"
	for who in anna bert; do
		for kind in sign dice; do
			fixed_key "$(player_data "$who")/$kind.key" \
				"$who-$kind"
		done
		set_up as "$who" init --server "$server" || exit 99
		set_up as "$who" register "$who" --trust || exit 99
	done
}

# write_example DIR: roster.json, with both sides as the roster owns them,
# and combat.json, the declaration that names its units.
write_example() {
	jq -c '.combat as $c | def owned: {id, arm, strength} +
		(if .battery then {battery} else {} end);
		{blob: "roster", system: "lasalle2", sides: {
		 "1": {name: "French", units: [$c.attackers[] | owned]},
		 "2": {name: "Austrians", units: [$c.defenders[] | owned]}}}' \
		"$example" >"$1/roster.json"
	jq '.combat | .attackers |= map({id, formation}) |
		.defenders |= map({id, formation})' "$example" >"$1/combat.json"
}

# tables DATABASE: all that it holds, as text; it may be in use.
tables() {
	sqlite3 -readonly "$1" .dump
}

# player_data NAME: where that player's keys and copies are.
player_data() {
	echo "$work/players/$1/data/umpire/default"
}

# set_up COMMAND...: runs what must work before a test can begin; shows what it
# printed if it does not.
set_up() {
	local status
	"$@" >"$work/set-up" 2>&1 </dev/null && return
	status=$?
	diag "$*: status $status"
	sed 's/^/# /' "$work/set-up"
	return "$status"
}

# init_player NAME: a profile for the daemon at $server.
init_player() {
	set_up umpire_as "$1" init --server "$server"
}

# enrol NAME...: players with profiles and accounts there.
enrol() {
	local who
	for who in "$@"; do
		init_player "$who" &&
			set_up umpire_as "$who" register "$who" --trust ||
			return 1
	done
}

# make_keys NAME: that player's keys, without a profile around them.
make_keys() {
	local dir
	dir=$(player_data "$1")
	mkdir -p "$dir"
	(umask 077 && openssl rand -hex 32 >"$dir/sign.key" &&
		openssl rand -hex 32 >"$dir/dice.key")
}

# session NAME [PLAYER]: opens a connection, with that player's keys.
session() {
	local name=$1 in out
	local -a keys=()
	[ $# -lt 2 ] || keys=(-k "$(player_data "$2")")
	rm -f "$work/$name.in" "$work/$name.out"
	mkfifo "$work/$name.in" "$work/$name.out"
	"$tools/forge" "${keys[@]}" 127.0.0.1 "$port" \
		<"$work/$name.in" >"$work/$name.out" 2>>"$work/$name.err" &
	session_pid[$name]=$!
	daemons="$daemons $!"
	exec {in}>"$work/$name.in" {out}<"$work/$name.out"
	session_in[$name]=$in
	session_out[$name]=$out
}

# close_session NAME
close_session() {
	local in=${session_in[$1]} out=${session_out[$1]}
	tell "$1" quit
	wait "${session_pid[$1]}"
	# Another process may have its number one day.
	daemons=" $daemons "
	daemons=${daemons/" ${session_pid[$1]} "/ }
	exec {in}>&- {out}<&-
	unset "session_in[$1]" "session_out[$1]"
}

# tell SESSION COMMAND...: sends a command; hear SESSION takes its answer.
tell() {
	local in=${session_in[$1]}
	shift
	printf '%s\n' "$*" >&"$in"
}

hear() {
	local first
	reply=
	# With a limit in time bash asks the clock before each byte: only for the
	# first one.
	if read -r -t 120 -N 1 -u "${session_out[$1]}" first &&
		IFS= read -r -u "${session_out[$1]}" reply; then
		reply=$first$reply
	else
		reply='{"failed":"forge"}'
		sed "s/^/# forge $1: /" "$work/$1.err"
	fi
}

# ask SESSION COMMAND...: the answer goes into $reply.
ask() {
	tell "$@"
	hear "$1"
}

# of FILTER: what jq makes of the last answer.
of() {
	filter "$1" <<<"$reply"
}

# refused WHAT CODE NAME [WHERE]: a case; the last answer is that error.
refused() {
	local got
	got=$("$tools/pick" .error.code .error.data.name '.error.data.where?' \
		<<<"$reply")
	is "$1" "$got" "$2 $3 ${4:-}"
}

# look SESSION: the state of $game, as $seq, $head, $pool and in $reply.
look() {
	ask "$1" call game.show "{\"game\":\"$game\"}"
	read -r seq head pool < <("$tools/pick" .result.seq .result.head \
		.result.pool <<<"$reply")
}

# order_now: the time that an order tells, in $now: by the clock of the hooks.
order_now() {
	now=@now
	[ -z "${UMPIRE_TEST_NOW:-}" ] || TZ=UTC printf -v now \
		'%(%Y-%m-%dT%H:%M:%S)T.000Z' $((UMPIRE_TEST_NOW / 1000))
}

# order_text SEAT KIND ARGS [PLACE]: an order upon $seq and $head.
order_text() {
	local now
	order_now
	printf '{"v":1,"server":"%s","nonce":"@nonce","now":"%s"' \
		"$server_key" "$now"
	printf ',"kind":"%s","args":%s' "$2" "$3"
	printf ',"game":"%s","seat":%s,"after":%s,"head":"%s"' \
		"$game" "$1" "$seq" "$head"
	[ -z "${4:-}" ] || printf ',"place":"%s","own":"@own"' "$4"
	printf '}'
}

# give SESSION SEAT KIND ARGS [PLACE]: looks and gives an order.
give() {
	local s=$1
	shift
	look "$s"
	ask "$s" pool "$pool"
	ask "$s" order "$(order_text "$@")"
}

# create_args SEAT PLAYER [FILTER]: a create order's args for the roster
# $roster, changed by a jq filter; PLAYER is a session and an account.
create_args() {
	ask "$2" keys
	jq -c --argjson seat "$1" --arg account "$2" --arg roster "$roster" \
		--arg dice "$server_dice" --arg zeros "$zeros" "{seat: \$seat,
		key: .sign, dice_key: .dice, system: \"lasalle2\",
		rules: \"lasalle2/1\", account: \$account, kn: 0, kprev: \$zeros,
		rulings: {}, tables: [], roster: \$roster, scheme: \"dual-1\",
		server_dice: \$dice, secret: \"held\", silence: \"forfeit\"} |
		${3:-.}" <<<"$reply"
}

# create_text ARGS
create_text() {
	local now
	order_now
	printf '{"v":1,"server":"%s","nonce":"@nonce","now":"%s"' \
		"$server_key" "$now"
	printf ',"kind":"create","args":%s}' "$1"
}

# join_args SEAT PLAYER
join_args() {
	ask "$2" keys
	jq -c --argjson seat "$1" --arg account "$2" --arg zeros "$zeros" \
		'{seat: $seat, key: .sign, dice_key: .dice, account: $account,
		kn: 0, kprev: $zeros}' <<<"$reply"
}

# enter NAME...: players with keys, accounts and sessions, logged in;
# leaves $server_key and $server_dice.
enter() {
	local name
	for name in "$@"; do
		make_keys "$name" || return 1
		session "$name" "$name"
		ask "$name" register "$name"
		[ "$(of .result.account)" = "$name" ] || {
			diag "register: $reply"
			return 1
		}
	done
	ask "$1" hello
	server_key=$(of .result.server)
	server_dice=$(of .result.server_dice)
}

# put_roster SESSION FILE: leaves the blob's hash in $roster.
put_roster() {
	ask "$1" call blob.put "$(jq -Rsc '{value: .}' "$2")"
	roster=$(of .result.hash)
}

# forge_game ONE TWO: a game in play between two sessions; leaves $game.
forge_game() {
	local one=$1 two=$2
	write_example "$work"
	put_roster "$one" "$work/roster.json"
	ask "$one" order "$(create_text "$(create_args 1 "$one")")"
	game=$(of '.result.line | fromjson | .game')
	look "$two"
	ask "$two" order "$(order_text 2 join "$(join_args 2 "$two")")"
	give "$two" 2 ready '{}' p/0
	give "$one" 1 ready '{}' p/0
	[ "$(of .result.seq)" = 3 ] || {
		diag "game: $reply"
		return 1
	}
}
