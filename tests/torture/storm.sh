# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2034
#
# What the harnesses share that run storm (tests/tools/storm.c) against a daemon
# in trouble (trouble.py) and hold the record against what the clients were told
# (history.py).  Source it first.
#
# UMPIRE_COUNT is how much trouble, UMPIRE_SEED what kind, UMPIRE_KEEP a folder
# to be made, which gets the database and the journals when something is found
# (tests/torture/kept in the build).  With UMPIRE_CONTROL set the daemon answers
# before it commits, which must be found.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_hooks

seed=${UMPIRE_SEED:-$((RANDOM * 32768 + RANDOM))}
control=${UMPIRE_CONTROL:+yes}
early=20 # with a control: commits that are only noted, before a real one
trouble=() # more options for trouble.py
# $TMPDIR goes away with the test (tests/run.sh).
keep=$top_builddir/tests/torture/kept/$(basename "$0" .sh)-$seed
keep=${UMPIRE_KEEP:-$keep}
dir=$work/umpired
db=$dir/umpired.db
told=$work/told.json     # what trouble.py did
judged=$work/judged.json # what history.py found
diag "seed $seed"

# storm_begin: a daemon's folder, whose limits a storm does not reach, and the
# roster; nothing stays of a run before.
storm_begin() {
	rm -rf "$work/journals" "$work/exports" "$dir"
	: >"$lines"
	init_umpired "$dir" -o register_burst=1000000 -o max_per_address=1000 \
		-o max_connections=2000 -o max_startups=1000:30:2000 \
		-o request_rate=0 -o address_rate=0 -o write_quota=0 \
		-o max_muster=0 -o min_free_disk=0 || exit 99
	write_example "$work"
	mkdir -p "$work/journals" "$work/exports"
}

# storm_run KIND COUNT [STORM OPTION ...]: that much trouble under load.
storm_run() {
	local kind=$1 n=$2
	local -a more=()
	shift 2
	# Orders shall be lost, rather than the accounts of who gives them.
	[ -z "$control" ] || more=(--peace 0.3
		--then "'$tools/hookctl' '$work/hooks' set early $early")
	python3 "$top_srcdir/tests/torture/trouble.py" "$kind" "$n" "${more[@]}" \
		--seed "$seed" --port-file "$dir/port" --database "$db" \
		--log "$dir/log" --out "$told" --longest "$(some 400 1000)" \
		"${trouble[@]}" \
		--daemon "'$UMPIRED' -c '$dir/umpired.conf'" \
		--storm "'$tools/storm' -s $seed $* 127.0.0.1 PORT \
			'$work/roster.json' '$work/journals'"
	trouble_status=$?
	hook early 0
	history_run --show 5
}

# history_run [OPTION ...]: holds the record against the journals; leaves the
# status.  What it says beside the result goes to $work/found.
history_run() {
	python3 "$top_srcdir/tests/torture/history.py" --lines "$lines" \
		--export "$work/exports" "$(some 2 1)" --seed "$seed" "$@" \
		"$work/journals" "$db" >"$judged" 2>"$work/found"
	history_status=$?
}

# told FILTER, judged FILTER: a number of the two results.
told() {
	filter "$1" <"$told"
}

judged() {
	filter "$1" <"$judged"
}

# keep_all: keeps what is needed to look for what went wrong.
keep_all() {
	mkdir -p "$keep" && cp -a "$work/." "$keep" &&
		diag "all of it is in $keep, seed $seed"
}

# storm_judge NAME COUNT: the cases of a run that was to do COUNT of NAME.
storm_judge() {
	local record
	is "the daemon never ended by itself, and always started" \
		"$(told .fault) $trouble_status" "null 0"
	is "all of the trouble was made" $(($(told ".$1") >= $2)) 1
	is "every order got a final answer" \
		"$(told '"\(.storm_status) \(.storm.failed)"') $(judged \
			.unanswered)" "0 0 0"
	is "orders were acknowledged" $(($(judged .acknowledged) > 0)) 1
	is "orders sent once more gave the same line" \
		"$(judged .same)" "$(judged .again)"
	# In a short run there may be none: one of sixteen is sent once more,
	# and at first there is nothing to be read.
	[ "$2" -lt 100 ] ||
		is "all matches had games, and they were read" \
			"$(judged .games) $(($(judged .reads) > 0))" "20 1"
	[ "$2" -lt 1000 ] ||
		is "orders were sent once more" $(($(judged .again) > 0)) 1
	# Whose first answer is that it is there already was not answered.
	[ "$1" != restarts ] ||
		is "each order that was recorded was answered at once" \
			"$(judged .late)" 0
	is "the record is what the clients were told" \
		"$(judged .found) $history_status" "{} 0"
	[ "$history_status" = 0 ] || diag "$(cat "$work/found")"
	# A daemon that is killed cannot say so by its status.
	[ -s "$dir/log" ] || fail "there is no log"
	unlike "nothing in the log is from a sanitizer" "$dir/log" \
		'Sanitizer|runtime error'
	exits 0 "what the daemon holds agrees with itself" \
		"$top_builddir/umpired" -c "$dir/umpired.conf" --check
	for record in "$work"/exports/*.jsonl; do
		exits 0 "a record verifies" "$UMPIRE" verify "$record"
	done
	storm_tell "$1"
	[ "$tap_failed" = 0 ] || keep_all
}

# storm_reread: the cases of settings that were to be read again.
storm_reread() {
	local n wanted
	n=$(grep -c 'settings reread' "$dir/log")
	wanted=$(told '.rereadings // 0')
	# A signal that comes before the last one was seen to is none.
	is "the settings were read again" $((2 * n >= wanted)) 1
	unlike "and were taken" "$dir/log" \
		'settings (stay as they were|not reread)|certificate stays as'
	diag "$wanted times the settings were to be read again; they were $n times"
}

# storm_tell NAME: the summary.
storm_tell() {
	diag "$(told ".$1 // 0") $1 in $(told .seconds) s (the slowest start took" \
		"$(told .slowest_start_ms) ms), $(judged .games) games," \
		"$(judged .acknowledged) orders acknowledged," \
		"$(judged '.found.lost // 0') lost," \
		"$(judged '.found.twice // 0') twice," \
		"$(judged '.found.refused // 0') refused," \
		"$(judged .resent) sent again without an answer," \
		"$(judged .again) after it ($(judged .same) the same)," \
		"$(judged .made_again) made again," \
		"$(judged .dice_again) of them with dice" \
		"($(judged '.found.dice // 0') with other dice)," \
		"$(judged .reads) reads," \
		"$(judged '(.found.read // 0) + (.found.time // 0)') out of order"
}

# storm_control NAME KIND...: the daemon answered before it committed: faults
# of at least one of these kinds must have been found; and every way to spoil
# a good history must be found, too.
storm_control() {
	local name=$1 kind n=0
	shift
	for kind in "$@"; do
		n=$((n + $(judged ".found.$kind // 0")))
	done
	is "a daemon that answers before it commits is found out" \
		$((n > 0)) 1
	is "by the judge's status, too" "$history_status" 1
	diag "found: $(judged .found)"
	diag "$(cat "$work/found")"
	storm_tell "$name"
}
