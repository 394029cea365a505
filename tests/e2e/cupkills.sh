#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A daemon that is killed while a tournament recovers: while lines are brought
# back, while `restored` and the lines that follow from it are written, while
# the operator ends it.  At each write, fsync, truncation, removal and renaming
# that this costs, before the call, after it, or in the middle of what is
# written; afterwards the record is whole.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_hooks

first=$work/first
dir=$work/umpired
state=$work/state
mkdir "$work/records" "$work/back"

# cup CASE [WORD]: what cupkills.py finds, each a case; $answer is what it says
# besides.
cup() {
	local verdict what
	while read -r verdict what; do
		case $verdict in
		pass) pass "$what" ;;
		*) fail "${what%%: *}" "$verdict $what" ;;
		esac
	done < <(PORT=$port TOOLS=$tools PLAYERS=$work/keys HOOKS=$work/hooks \
		SERVER=$dir OUT=$work/records PYTHONDONTWRITEBYTECODE=1 \
		BACKUP="$work/backup" python3 \
		"$top_srcdir/tests/e2e/cupkills.py" "$1" "$state" "${@:2}" \
		2>"$work/answer")
	answer=$(tail -n 1 "$work/answer")
}
cat >"$work/backup" <<EOF
#!/bin/sh
exec "$UMPIRED" -c "$first/umpired.conf" --backup "$work/back/\$1"
EOF
chmod +x "$work/backup"

# killed: it is, by us.
killed() {
	kill -KILL "$daemon" 2>/dev/null
	wait "$daemon" 2>/dev/null
}

# still NAME BACKUP: a server in whose database's place that has come.
still() {
	cp -r "$first" "$work/still-$1"
	rm -f "$work/still-$1"/umpired.db "$work/still-$1"/umpired.db-*
	cp "$work/back/$2" "$work/still-$1/umpired.db"
}

# The three steps, and what must hold after each, and the restart.
admin() {
	"$UMPIRE" admin "$1" "${id:0:12}" --why "for a reason" --yes \
		--socket "$dir/admin.sock" >/dev/null 2>&1
}
step_heal() { cup heal; }
step_derived() { admin restored; }
step_closed() { admin close; }
after_heal() { cup whole; }
after_derived() {
	cup derived
	[ "$answer" = there ] && return
	admin restored
	cup derived
	is "the operator gives up once more" "$answer" there
}
after_closed() {
	cup closed
	[ "$answer" = 1 ] && return
	admin close
	cup closed
	is "the operator ends it once more" "$answer" 1
}

# die STEP END N: the daemon dies at the Nth call of a step, in that way; false
# if there is none.
die() {
	local n
	rm -rf "$dir"
	cp -r "$work/still-$1" "$dir"
	hook sys_n 0 sys_do 0 sys_mask 94
	start_umpired "$dir" || exit 99
	hook sys_count 0 sys_do "$2" sys_n "$3"
	"step_$1"
	n=$(hook sys_n)
	[ "$n" = 0 ] || calls=$(hook sys_count)
	killed
	hook sys_n 0 sys_do 0 sys_mask 0
	start_umpired "$dir" || exit 99
	"after_$1"
	stop_umpired || fail "umpired ends well"
	exits 0 "all that is kept fits the lines" "$UMPIRED" \
		-c "$dir/umpired.conf" --check
	[ "$n" = 0 ]
}

init_umpired "$first" -o admin_socket=admin.sock || exit 99
start_umpired "$first" || exit 99
cup begin
id=$(filter .id <"$state")
stop_umpired || fail "umpired ends well"
still heal started
still derived paired
still closed played
dir=$work/still-derived
start_umpired "$dir" || exit 99
cup games
stop_umpired || fail "umpired ends well"

ends=(1 2 7)
at=0
for step in heal derived closed; do
	# Far more than there are: how many there are.
	dir=$work/umpired calls=0
	! die "$step" 1 100000 || fail "$step costs fewer calls"
	diag "$step costs $calls calls"
	holds "$step costs some" test "$calls" -gt 3
	tries=$(some 3 2 "$calls")
	[ "$step" != closed ] || [ -n "${UMPIRE_LONG:-}" ] || tries=1
	for ((i = 0; i < tries; i++)); do
		n=$((1 + i * calls / tries))
		at=$((at + 1))
		for end in "${ends[@]}"; do
			# In part: each call in one of the ways.
			[ -n "${UMPIRE_LONG:-}" ] ||
				[ "$end" = "${ends[at % 3]}" ] || continue
			die "$step" "$end" "$n" || diag "call $n was not reached"
		done
	done
	[ "$step" != derived ] || {
		start_umpired "$dir" || exit 99
		cup derived export
		stop_umpired
	}
done
exits 0 "what was derived is good" "$UMPIRE" verify "$work/records/derived"
finish
