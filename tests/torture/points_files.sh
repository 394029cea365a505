# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2034,SC2154
#
# The part of points.sh that looks at whole files: migrations and backups.

# ---- migrations ----

# start_counted: starts on the old database.
start_counted() {
	up "$UMPIRED" || diag "it does not migrate: $(tail -n 1 "$dir/log")"
	last_count=$(hook sys_count)
	kill -KILL "$daemon"
	down
	hook sys_count "$last_count"
}

# die_in_start: the daemon dies at a point of its start, and starts again.
die_in_start() {
	fresh
	hook sys_lose "$lose" sys_do "$do" sys_n "$point" sys_mask "$mask" \
		"${weak[@]}"
	up "$UMPIRED"
	dies
	rm -rf "$work/dead"
	cp -a "$dir" "$work/dead"
	hook sys_mask 0 sys_n 0 sys_lose 0 skip_sync 0
	if ! up "$UMPIRED"; then
		wrong stuck "it does not start again: $(tail -n 1 "$dir/log")"
		down
		return
	fi
	kill -TERM "$daemon"
	stops
	[ "$(sqlite3 -readonly "$db" 'PRAGMA integrity_check')" = ok ] ||
		wrong dirty "integrity_check"
	tables "$db" | cmp -s - "$work/migrated" ||
		wrong other "the migrated database is another"
}

# migrate_from VERSION: the points of the steps from there.
migrate_from() {
	base=$work/version-$1
	cp -a "$work/base" "$base"
	rm -f "$base"/umpired.db*
	sqlite3 -bail "$base/umpired.db" \
		<"$top_srcdir/tests/migrate/version-$1.sql" || exit 99
	chmod 600 "$base/umpired.db"
	fresh
	up "$UMPIRED" || exit 99
	kill -TERM "$daemon"
	down
	tables "$db" >"$work/migrated"
	# shellcheck disable=SC2086
	try_part "migration from $1" start_counted die_in_start \
		write $fsync truncate unlink
}

if [[ " $parts " == *" migration "* ]]; then
	for file in "$top_srcdir"/tests/migrate/version-*.sql; do
		version=${file##*-}
		migrate_from "${version%.sql}"
		result "a migration from version ${version%.sql}" \
			other dirty stuck
	done
fi

# ---- backups ----

# backup FILE: by umpired-test, whose hooks are not the daemon's.
backup() {
	{
		UMPIRED_TEST_CONTROL=$work/backup-hooks "$UMPIRED" \
			-c "$dir/umpired.conf" --backup "$1" \
			>"$work/backup.out" 2>&1
	} 2>/dev/null # where the shell would tell of each death
}

# backup_hook NAME [NUMBER ...]: as hook, for what makes the backup.
backup_hook() {
	if [ $# -eq 1 ]; then
		"$tools/hookctl" "$work/backup-hooks" get "$1"
	else
		"$tools/hookctl" "$work/backup-hooks" set "$@"
	fi
}

# backup_dies: a backup, which must be killed as the hooks say.
backup_dies() {
	local rc
	backup "$work/copies/copy.db"
	rc=$?
	[ "$rc" = 137 ] ||
		wrong alive "the backup is not killed at the point, but: $rc"
}

# die_in_backup: the backup dies, beside a daemon that does not mind.
die_in_backup() {
	rm -rf "$work/copies" "$work/dead"
	mkdir "$work/copies"
	backup_hook sys_lose "$lose" sys_do "$do" sys_n "$point" \
		sys_mask "$mask" "${weak[@]}"
	backup_dies
	backup_hook sys_mask 0 sys_n 0 sys_lose 0 skip_sync 0
	rm -rf "$work/dead"
	cp -a "$work/copies" "$work/dead"
	if [ -e "$work/copies/copy.db" ]; then
		if tables "$work/copies/copy.db" 2>&1 |
			cmp -s - "$work/source"; then
			echo whole >>"$tally"
		else
			wrong partial "the backup is not whole"
		fi
	fi
	rm -f "$work/copies"/copy.db*
	backup "$work/copies/copy.db" ||
		wrong stuck "no other backup: $(cat "$work/backup.out")"
}

# cut_after_backup: a power cut when the backup has said that it is there.
cut_after_backup() {
	rm -rf "$work/copies" "$work/dead"
	mkdir "$work/copies"
	backup_hook sys_lose "$lose" linger -1 "${weak[@]}"
	backup_dies
	backup_hook sys_lose 0 linger 0 skip_sync 0
	rm -rf "$work/dead"
	cp -a "$work/copies" "$work/dead"
	grep -q ': games: ' "$work/backup.out" ||
		wrong stuck "no backup: $(cat "$work/backup.out")"
	tables "$work/copies/copy.db" 2>&1 | cmp -s - "$work/source" ||
		wrong partial "a backup is gone that was said to be there"
}

if [[ " $parts " == *" backup "* ]]; then
	base=$work/base
	fresh
	up "$UMPIRED" && enter_again || exit 99
	for i in 1 2 3 4 5; do
		say "$i"
	done
	tables "$db" >"$work/source"
	for kind in write fsync truncate unlink rename; do
		[ -z "$control" ] || break
		rm -rf "$work/copies"
		mkdir "$work/copies"
		backup_hook sys_mask "${masks[$kind]}" sys_count 0 sys_n 0
		backup "$work/copies/copy.db" || {
			fail "a backup" "$(cat "$work/backup.out")"
			break
		}
		each_point backup "$kind" "$(backup_hook sys_count)" \
			die_in_backup
	done
	if [ -n "$control" ]; then
		lose=1
		for n in 1 2; do
			weak=(skip_sync "$n")
			(cut_after_backup)
			n_runs=$((n_runs + 1))
			result "a backup, whose $([ "$n" = 1 ] && echo file ||
				echo folder) is not synced" partial
		done
	else
		for lose in 1 $((2 + RANDOM)) $((2 + RANDOM)); do
			round="backup, after its end, lose $lose"
			(cut_after_backup)
			n_runs=$((n_runs + 1))
		done
	fi
	tables "$db" | cmp -s - "$work/source" ||
		wrong dirty "the database is another"
	say 6
	close_session anna
	kill -TERM "$daemon"
	stops
	if [ -z "$control" ]; then
		is "some had their name when they died, and were whole" \
			$(($(counted whole) > 0)) 1
		diag "$(counted whole) backups were whole when they died"
		result "a backup"
	fi
fi

# ---- what was tried ----

for part in "${tried[@]}"; do
	text=
	for kind in write fsync truncate unlink rename; do
		n=${n_points[$part $kind]:-}
		[ -z "$n" ] || text="$text, $n $kind"
	done
	[ -z "$text" ] || diag "$part: ${text#, }"
done
[ -n "$control" ] || diag "$n_runs deaths," \
	"$(counted acked) orders acknowledged," \
	"$(counted lost) lost, $(counted twice) twice," \
	"$(counted other) other lines, $(counted dirty) damaged," \
	"$(counted stuck) stuck, $(counted partial) backups not whole," \
	"$(counted alive) not reached"
