#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# umpired --backup: beside a daemon under load, what the copy holds, how it is
# restored, and that after each failure nothing is left.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks

dir=$work/umpired
conf=$dir/umpired.conf
db=$dir/umpired.db
copies=$work/copies
copy=$copies/copy.db
mkdir "$copies"

# backup [-o KEY=VALUE]... FILE: by the daemon's program with hooks of its own.
backup() {
	UMPIRED_TEST_CONTROL=$work/backup.hooks "$UMPIRED_TEST" -c "$conf" \
		"${@:1:$#-1}" --backup "${@:$#}"
}

# backup_hook NAME [NUMBER ...]: as hook, for backups.
backup_hook() {
	if [ $# -eq 1 ]; then
		"$tools/hookctl" "$work/backup.hooks" get "$1"
	else
		"$tools/hookctl" "$work/backup.hooks" set "$@"
	fi
}

# refuses WHAT STATUS REGEX FILE [-o KEY=VALUE]...: three cases; a backup fails
# so, says why, and leaves the folder of copies as it was.
refuses() {
	local what=$1 want=$2 regex=$3 file=$4
	shift 4
	ls -A "$copies" >"$work/before"
	exits "$want" "$what" backup "$@" "$file"
	like "$what: it says why" "$err" "^umpired: .*$regex"
	is "$what: nothing is left" "$(ls -A "$copies")" "$(cat "$work/before")"
}

# marks FILE...: what a write to them would change.
marks() {
	stat -c '%n %s %y %i' "$@"
}

# whole FILE: true if it holds what the database held at first.
whole() {
	tables "$1" 2>&1 | cmp -s - "$work/tables"
}

# ---- a whole copy ----

start_umpired "$dir" || exit 99
enter anna bert || exit 99
forge_game anna bert || exit 99
give anna 1 free '{"dice":3,"sides":6}' f/1/1
line=$(of .result.line)
marks "$db" "$db-wal" >"$work/before"
exits 0 "a backup beside the daemon" backup "$copy"
is "it says what it holds" "$(cat "$out")" "$copy: games: 1, lines: 5"
is "and nothing else" "$(cat "$err")" ''
is "it is for its owner alone" "$(stat -c %a "$copy")" 600
is "and all that is there" "$(ls -A "$copies")" copy.db
is "database and log are untouched: nobody but the daemon checkpoints" \
	"$(marks "$db" "$db-wal")" "$(cat "$work/before")"
tables "$db" >"$work/tables"
holds "the copy holds all that the database holds" whole "$copy"
is "its numbers, too" "$(sqlite3 -readonly "$copy" \
	'PRAGMA application_id; PRAGMA user_version')" \
	"$(sqlite3 -readonly "$db" 'PRAGMA application_id; PRAGMA user_version')"
exits 0 "--check is content with it" "$UMPIRED" -c "$conf" \
	-o "database=$copy" --check
hexes() {
	od -An -v -tx1 "$1" | tr -d ' \n'
}
hexes "$copy" >"$work/hex"
found=0
for key in identity dice invite; do
	key=$(tr -d '\n' <"$dir/$key.key")
	printf '%s' "$key" >"$work/key"
	! grep -qF -- "$key" "$work/hex" &&
		! grep -qF -- "$(hexes "$work/key")" "$work/hex" ||
		found=$((found + 1))
done
exits 74 "one that cannot say what it holds" bash -c '"$@" >/dev/full' bash \
	"$UMPIRED" -c "$conf" --backup "$copies/closed.db"
like "says so" "$err" 'cannot write to standard output'
holds "and is whole" whole "$copies/closed.db"
rm -f "$copies/closed.db"
# The one with hooks has opened files before its main().
exits 0 "a backup without standard input and output" \
	bash -c '"$@" <&- >&- 2>&-' bash "$top_builddir/umpired" -c "$conf" \
	--backup "$copies/closed.db"
holds "is the same" whole "$copies/closed.db"
rm -f "$copies/closed.db"
is "no key is in it, as ${#key} digits or in bytes" "$found ${#key}" '0 64'

# ---- what is refused ----

refuses "a copy that is there" 73 'copy.db" already exists' "$copy"
ln -s nowhere "$copies/link"
refuses "a link to nowhere" 73 'link" already exists' "$copies/link"
refuses "a folder" 73 'already exists' "$copies"
refuses "a folder's name" 64 'is not a file name' "$copies/"
refuses "no name" 64 'is not a file name' ''
refuses "the database itself" 64 'belongs to the database itself' "$db"
refuses "its log" 64 'belongs to the database itself' "$db-wal"
cp "$copy" "$copies/late.db.new"
refuses "a copy that would be the database for a while" 64 \
	'late.db.new" belongs to the database itself' "$copies/late.db" \
	-o "database=$copies/late.db.new"
rm -f "$copies/late.db.new"*
ln -s "$dir" "$work/way"
refuses "its journal, by another way" 64 'belongs to the database itself' \
	"$work/way/umpired.db-journal"
refuses "a folder that is not there" 66 'cannot open the folder' \
	"$work/none/copy.db"
refuses "a folder in which nothing can be made" 74 'cannot create' /proc/copy.db
refuses "a database that is not there" 74 'none.db' "$copies/other.db" \
	-o "database=$work/none.db"
refuses "a name that is too long" 64 'the name is too long' \
	"$copies/$(printf '%0300d' 0)"
exits 64 "--backup without a name is wrong usage" "$UMPIRED" --backup
: >"$copies/late.db.new"
refuses "what an earlier one has left" 73 'late.db.new" is in the way; remove' \
	"$copies/late.db"
mv "$copies/late.db.new" "$copies/late.db.new-journal"
refuses "or its journal" 73 'late.db.new-journal" already exists' "$copies/late.db"
rm "$copies/link" "$copies/late.db.new-journal"
holds "the first copy is as it was" whole "$copy"

# ---- what fails ----

backup_hook fail_write -1
refuses "a disk that is full" 74 'copy to .*copy2.db.new": .*disk is full' \
	"$copies/copy2.db"
backup_hook fail_write 0
small() {
	(ulimit -f 32 && backup "$1")
}
if grep -qa __tsan_init "$UMPIRED"; then
	skip "a file that may not grow" "ThreadSanitizer writes one itself"
else
	exits 74 "a file that may not grow" small "$copies/copy2.db"
	like "it says why" "$err" 'File too large'
fi
# Every write, fsync, truncation, removal, opening and renaming, one at a time.
n=0 n_failed=0 n_done=0 wrong=
while :; do
	n=$((n + 1))
	backup_hook sys_mask 126 sys_do 3 sys_n "$n"
	run backup "$copies/copy2.db"
	[ "$(backup_hook sys_n)" = 0 ] || break
	if [ "$status" = 0 ]; then
		n_done=$((n_done + 1))
		whole "$copies/copy2.db" || wrong="$wrong $n: not whole"
		rm -f "$copies/copy2.db"
	else
		n_failed=$((n_failed + 1))
		grep -q '^umpired: ' "$err" || wrong="$wrong $n: no reason"
	fi
	wrong="$wrong$(find "$copies" -name 'copy2*')"
done
backup_hook sys_mask 0 sys_n 0
diag "of $((n - 1)) calls of the system that failed $n_failed ended a backup"
is "each failure of the system is told and leaves nothing" "$wrong" ''
is "there were some" $((n_failed > 40)) 1
rm -f "$copies/copy2.db"
# The last fsync is that of the folder.
backup_hook sys_mask 4 sys_count 0
backup "$copies/copy2.db" >/dev/null
rm "$copies/copy2.db"
backup_hook sys_do 1022 sys_n "$(backup_hook sys_count)"
exits 0 "a folder that cannot be synced will do" backup "$copies/copy2.db"
is "it was asked to" "$(backup_hook sys_n)" 0
holds "the copy is whole" whole "$copies/copy2.db"
rm "$copies/copy2.db"
# Where its lock would keep SQLite out there is none.
backup_hook sys_mask 0 sys_n 0 flock 1
exits 0 "so will one where flock() is made of other locks" \
	backup "$copies/copy2.db"
holds "that copy is whole, too" whole "$copies/copy2.db"
backup_hook flock 0
rm "$copies/copy2.db"
# So does memory; what can do without some of it goes on.
left=
for n in $(seq 1 "$(some 9 29 1)" 800); do
	backup_hook alloc_n "$n" alloc_sticky $((n % 2))
	if backup "$copies/copy2.db" >"$out" 2>"$err"; then
		whole "$copies/copy2.db" || left="$left $n: not whole"
		rm -f "$copies/copy2.db"
	fi
	left="$left$(find "$copies" -name 'copy2*')"
done
backup_hook alloc_n 0 alloc_sticky 0
is "without memory it is whole or leaves nothing" "$left" ''

# ---- two at a time, and one that is interrupted ----

# backup_held FILE: one that waits at its first fsync; its pid is in $held.
backup_held() {
	# One that was killed while it waited is counted still.
	backup_hook hold_sync 1 held 0
	UMPIRED_TEST_CONTROL=$work/backup.hooks "$UMPIRED_TEST" -c "$conf" \
		--backup "$1" >"$work/held.out" 2>&1 &
	held=$!
	daemons="$daemons $held"
	wait_for 20 backup_hooked held 1
}
backup_hooked() {
	[ "$(backup_hook "$1")" = "$2" ]
}
backup_held "$copies/copy2.db"
is "a backup goes on" $? 0
exits 75 "another one with the same name has to wait" \
	"$UMPIRED" -c "$conf" --backup "$copies/copy2.db"
like "it says so" "$err" 'another backup is being written'
exits 0 "one with another name has not" \
	"$UMPIRED" -c "$conf" --backup "$copies/copy3.db"
backup_hook hold_sync 0
wait "$held"
is "both are made" $? 0
rm "$copies/copy2.db" "$copies/copy3.db"
# A file that gets the name meanwhile stays.
long=$copies/copy2.$(printf '%0150d' 0).db
backup_held "$long"
echo mine >"$long"
backup_hook hold_sync 0
wait "$held"
is "a name that was taken meanwhile is not taken away" $? 73
like "the reason is told, however long the name" "$work/held.out" 'File exists'
is "what has it stays" "$(cat "$copies"/copy2*)" mine
rm "$long"
backup_held "$copies/copy2.db"
kill -TERM "$held"
backup_hook hold_sync 0
wait "$held" 2>/dev/null
is "SIGTERM ends it" $? 143
is "nothing is left of it" "$(find "$copies" -name 'copy2*')" ''
backup_held "$copies/copy2.db"
mv "$copies/copy2.db.new" "$work/moved"
echo mine >"$copies/copy2.db.new"
backup_hook hold_sync 0
wait "$held"
is "a part that somebody else has replaced is no backup" $? 74
like "it says so" "$work/held.out" 'was replaced while it was being written'
is "what has its place stays" "$(cat "$copies"/copy2*)" mine
rm "$copies/copy2.db.new"

# ---- older and damaged databases ----

sqlite3 "$work/old.db" <"$top_srcdir/tests/migrate/version-1.sql"
tables "$work/old.db" >"$work/old"
exits 0 "a database of an older version is copied" \
	backup -o "database=$work/old.db" "$copies/old.db"
tables "$copies/old.db" | cmp -s - "$work/old"
is "as it is" $? 0
cp "$copy" "$work/damaged.db"
head -c 4096 /dev/zero | tr '\0' x | dd of="$work/damaged.db" bs=4096 \
	seek=$(($(sqlite3 "$copy" "SELECT rootpage FROM sqlite_schema
	WHERE name = 'record'") - 1)) conv=notrunc status=none
ls -A "$copies" >"$work/before"
run backup -o "database=$work/damaged.db" "$copies/damaged.db"
is "a damaged database gives no backup" $((status == 1 || status == 74)) 1
is "nothing is left of that one, too" "$(ls -A "$copies")" \
	"$(cat "$work/before")"
printf 'PRAGMA user_version = 999;' | sqlite3 "$work/old.db"
refuses "a newer database" 78 'use a newer umpired' "$copies/newer.db" \
	-o "database=$work/old.db"

# ---- under load ----

mkfifo "$work/storm.in" "$work/storm.out"
mkdir "$work/journals"
"$tools/storm" -q -r 1 -m 3 127.0.0.1 "$port" "$work/roster.json" \
	"$work/journals" <"$work/storm.in" >"$work/storm.out" \
	2>"$work/storm.err" &
storm=$!
daemons="$daemons $storm"
exec {storm_in}>"$work/storm.in" {storm_out}<"$work/storm.out"
echo go >&"$storm_in"
read -r -t 120 -u "$storm_out" reply
is "there is load" "$reply" ready
grown() {
	[ "$(hook commits)" -ge "$1" ]
}
for i in 1 2 3; do
	wait_for 20 grown $(($(hook commits) + 20))
	exits 0 "a backup under load, $i" backup "$copies/load$i.db"
	exits 0 "it agrees with itself, $i" "$UMPIRED" -c "$conf" \
		-o "database=$copies/load$i.db" --check
done
echo stop >&"$storm_in"
read -r -t 120 -u "$storm_out" reply
wait "$storm"
is "no order has failed meanwhile" "$(of .failed)" 0
diag "$(of .recorded) orders meanwhile"
exec {storm_in}>&- {storm_out}<&-
for i in 1 2 3; do
	sqlite3 -readonly "$copies/load$i.db" \
		'SELECT game, seq, hash, line FROM record' | sort >"$work/$i"
done
sqlite3 -readonly "$db" 'SELECT game, seq, hash, line FROM record' |
	sort >"$work/4"
is "each holds all lines of the one before, and the last is the database" \
	"$(for i in 1 2 3; do
		comm -23 "$work/$i" "$work/$((i + 1))" | wc -l
	done | tr '\n' ' ')" '0 0 0 '
is "and more" "$(($(wc -l <"$work/1") < $(wc -l <"$work/3")))" 1

# ---- restored ----

look anna
ask anna pool "$pool"
ask anna sign "$(order_text 1 free '{"dice":6,"sides":6}' f/1/2)"
params=$reply
ask anna call game.order "$params"
dice=$(of '.result.line | fromjson | .out')
lost=$(of .result.line | jq -R .)
close_session anna
close_session bert
stop_umpired
mkdir "$work/lost"
mv "$db" "$db-wal" "$db-shm" "$work/lost" 2>/dev/null
cp "$copy" "$db"
exits 0 "--check is content with what was restored" "$UMPIRED" -c "$conf" \
	--check
start_umpired "$dir" || exit 99
session anna anna
ask anna login anna
look anna
is "the game is as it was then" "$seq" 4
ask anna call game.record "{\"game\":\"$game\",\"from\":4}"
is "its last line, too" "$(of '.result.lines[0]')" "$line"
ask anna call game.order "$params"
is "what was lost is waited for" "$(of .error.data.name)" recovering
ask anna call game.heal "{\"game\":\"$game\",\"lines\":[$lost]}"
is "and comes back" "$(of .result.added)" 1
ask anna call game.order "$params"
is "an order after it, sent again, is recorded" "$(of .result.seq)" 5
is "and has the same dice" "$(of '.result.line | fromjson | .out')" "$dice"
close_session anna
stop_umpired
is "the daemon stops cleanly" $? 0
exits 0 "what it holds agrees with itself" "$UMPIRED" -c "$conf" --check
finish
