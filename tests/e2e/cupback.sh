#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# An old backup is put back under a tournament (umpire-tournament-record, S21.3):
# with one copy left all comes back byte for byte, with none its record says so
# and its games what they came to.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_hooks

dir=$work/umpired
db=$dir/umpired.db
log=$dir/log
mkdir "$work/records" "$work/back"
mkfifo "$work/in" "$work/out"

# putback NAME [--restored|--file]: a backup comes in the database's place, with
# the file of last lines as it was then.
putback() {
	stop_umpired
	rm -f "$db" "$db-wal" "$db-shm"
	cp "$work/back/$1" "$db"
	case ${2:-} in
	--restored) "$UMPIRED" -c "$dir/umpired.conf" --restored >/dev/null 2>&1 ;;
	--file) cp "$work/back/$1.heads" "$db.heads" ;;
	esac
	start_umpired "$dir" || exit 99
}

# club CASE: what cupback.py finds, each a case, with a daemon of its own.
club() {
	local verdict what to python
	dir=$work/$1 db=$work/$1/umpired.db log=$work/$1/log
	init_umpired "$dir" -o admin_socket=admin.sock || exit 99
	start_umpired "$dir" || exit 99
	PORT=$port TOOLS=$tools PLAYERS=$work/keys-$1 HOOKS=$work/hooks \
		SERVER=$dir OUT=$work/records python3 \
		"$top_srcdir/tests/e2e/cupback.py" "$1" <"$work/in" >"$work/out" 2>&1 &
	python=$!
	exec {to}>"$work/in" {from}<"$work/out"
	while read -r verdict what <&"$from"; do
		case $verdict in
		pass) pass "$what" ;;
		do)
			answer=
			# shellcheck disable=SC2086 # words
			serve $what
			echo "${answer:-$port}" >&"$to"
			;;
		*) fail "${what%%: *}" "$verdict $what" ;;
		esac
	done
	exec {to}>&- {from}<&-
	wait "$python" || fail "all of $1 is tried" "status $?"
	stop_umpired || fail "umpired ends well"
}

# serve VERB [WORD]...: what the club asks for.
serve() {
	case $1 in
	backup)
		"$UMPIRED" -c "$dir/umpired.conf" --backup "$work/back/$2" \
			>/dev/null && cp "$db.heads" "$work/back/$2.heads"
		;;
	putback) putback "${@:2}" ;;
	admin)
		exits 0 "the operator does: $2" "$UMPIRE" admin "$2" "${3:0:12}" \
			${4:+"$4"} --why "for a reason" --yes --socket "$dir/admin.sock"
		like "and says of what" "$out" "[Tt]ournament|Erased|goes on"
		;;
	key)
		exits 0 "the operator proposes a key" "$UMPIRE" admin key "$2" "$3" \
			"${4:0:12}" --why "lost at sea" --json \
			--socket "$dir/admin.sock"
		answer=$(cat "$out")
		;;
	nowhere)
		rm -f "$work/back/erased"
		"$UMPIRED" -c "$dir/umpired.conf" --backup "$work/back/erased" \
			>/dev/null
		is "no file has \"${*:2}\"" "$(grep -alF "${*:2}" "$db"* \
			"$work/back/erased" "$log")" ""
		;;
	refuse)
		sqlite3 -cmd ".timeout 5000" "$db" "ALTER TABLE tournament_record
			ADD COLUMN fault INTEGER CHECK (CAST(line AS TEXT)
			NOT LIKE '%\"what\":\"result\"%')"
		run "$UMPIRE" admin restored "${2:0:12}" --why "for a reason" --yes \
			--socket "$dir/admin.sock"
		is "without a result that is due it does not end" \
			"$((status != 0))" 1
		sqlite3 -cmd ".timeout 5000" "$db" \
			"ALTER TABLE tournament_record DROP COLUMN fault"
		;;
	said) like "the log says so" "$log" "${*:2}" ;;
	check)
		exits 0 "all that is kept fits the lines" "$UMPIRED" \
			-c "$dir/umpired.conf" --check
		;;
	esac
}

for case in ${CASES:-any none told keys swiss}; do
	rm -f "$work/back"/*
	club "$case"
done
for cup in "$work/records"/*; do
	exits 0 "${cup##*/} is good" "$UMPIRE" verify "$cup"
	exits 0 "the second reading says the same of ${cup##*/}" \
		python3 "$top_srcdir/tests/oracle/tournament_verify.py" "$cup"
done
finish
