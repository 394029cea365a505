#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Attacks behind the back of a witness, which runs unattended: another history
# than it has seen, one without its last lines, an answer of its that is kept
# back, its own store, and the server's clock.

. "${top_srcdir:?}/tests/attack/attack.sh"
with_clocks

dir=$work/umpired
db=$dir/umpired.db
log=$work/club.log
start_umpired "$dir" -o witnesses=club || exit 99
write_example "$work"
enrol anna bert club || exit 99

# witness [NAME=VALUE...]: it begins, and is connected.
witness() {
	local home=$work/players/club
	: >"$log"
	env --default-signal=INT HOME="$home" XDG_CONFIG_HOME="$home/config" \
		XDG_DATA_HOME="$home/data" "$@" "$UMPIRE" witness --json \
		>>"$log" 2>>"$work/club.err" </dev/null &
	witness=$!
	daemons="$daemons $witness"
	wait_for 20 has_logged connected || diag "no witness: $(cat "$log")"
}
has_logged() {
	jq -es --arg event "$1" 'any(.[]; .event == $event)' "$log" >/dev/null
}
# gone: it ends; leaves its status in $ended.
gone() {
	kill -TERM "$witness" 2>/dev/null
	wait "$witness"
	ended=$?
}

# lines: what the server has of $game.
lines() {
	sqlite3 -readonly "$db" "SELECT CAST(line AS TEXT) FROM record
		WHERE game = (SELECT gid FROM game WHERE hex(id) = upper('$game'))
		ORDER BY seq"
}
has_line() {
	[ "$(lines | wc -l)" -gt "$1" ]
}
# said N: what the witness says in line N and after it.
said() {
	lines | jq -r "select(.seq >= $1 and .seat == 254) | .order | fromjson |
		\"\(.args.say) \(.args.to)\"" | paste -sd ' '
}

# opens NAME: a game in play whose witness is not there; leaves $game.
opens() {
	witness
	set_up umpire_as anna new --roster "$work/roster.json" --name "$1" \
		--witness club --invite bert --clock none || exit 99
	game=$(umpire_as anna show "$1" --json | filter .game)
	wait_for 20 has_line 1 || exit 99
	set_up umpire_as bert join "$game" --name "$1" --yes || exit 99
	set_up umpire_as anna ready "$1" || exit 99
	wait_for 20 has_line 5 || exit 99
	gone
	set_up umpire_as anna show "$1" || exit 99
}

# keep: puts aside what server and anna have.
keep() {
	stop_umpired
	rm -rf "$work/kept"
	mkdir "$work/kept"
	cp "$db" "$db"-wal "$db.heads" "$work/kept"
	cp -r "$work/players/anna" "$work/kept"
	on_again
}
# back: they have that again; of what was since, nothing.
back() {
	stop_umpired
	rm -rf "$db-shm" "$work/players/anna"
	cp "$work"/kept/umpired.db* "$dir"
	cp -r "$work/kept/anna" "$work/players"
	on_again
}
on_again() {
	start_umpired "$dir" -o witnesses=club -o "listen=127.0.0.1:$port" ||
		exit 99
}

# rolled DICE: anna rolls, with the witness there; leaves what is recorded by
# then in $work/rolled.
rolled() {
	witness
	reached umpire_as anna roll "$1" "$2" || return
	wait_for 20 has_line 7
	gone
	lines >"$work/rolled"
}

# The witness's store is lost, by accident or so that it can say something else.
attack_witness_without_its_store() {
	opens store
	rm "$(player_data club)"/witness.db*
	reached umpire_as anna roll store 2d6 || return
	witness
	wait_for 20 eval '[[ $(said 6) == *agree* ]]'
	gone
	came=$(said 6)
	[ "$came" != 'agree 6' ] || came='it succeeds'
}
attack witness-without-its-store 'anew 5 agree 6'

# Its answer is kept back, and its silence claimed.
attack_silence_of_an_answer() {
	local now
	now=$(jq -n 'now * 1000 | floor')
	opens silence
	reached umpire_as anna roll silence 2d6 || return
	hook fail_commits -1
	witness
	wait_for 20 has_logged refused
	gone
	hook fail_commits 0
	hook now_ms $((now + 26000000))
	reached umpire_as bert claim silence || return
	reached umpire_as bert answer silence agree || return
	witness
	# What it says of that comes before the answer to another roll.
	run umpire_as anna roll silence d6
	wait_for 20 eval '[[ $(said 9) == *agree* ]]'
	gone
	hook now_ms 0
	umpire_as anna export silence >"$work/record" 2>/dev/null
	run "$UMPIRE" verify "$work/record"
	came=$(said 9)
	if [[ "$came" != *answered* ]]; then
		came='it succeeds'
	elif grep -q '^! .*the witness says in line [0-9]* that it had' \
		"$out"; then
		came='it says so, in red'
	fi
}
attack silence-of-an-answer 'it says so, in red'

# The server's clock goes ahead, so that silence can be claimed at once.
attack_line_ahead_of_a_witness() {
	local now
	now=$(jq -n 'now * 1000 | floor')
	opens ahead
	hook now_ms $((now + 300000))
	reached umpire_as anna roll ahead 2d6 || return
	witness "UMPIRE_TEST_NOW=$now"
	may_come 2 has_line 7
	came=$?
	gone
	if [ "$came" = 0 ]; then
		came='it succeeds'
	else
		witness
		wait_for 20 has_line 7 && came='it is answered in its time'
		gone
	fi
	hook now_ms 0
}
attack line-ahead-of-a-witness 'it is answered in its time'

# Another history, in which anna rolls something else, is shown to the witness.
attack_fork_behind_a_witness() {
	opens fork
	keep
	rolled fork 2d6 || return
	back
	reached umpire_as anna roll fork 3d6 || return
	witness
	wait_for 20 eval 'has_logged stopped || has_line 7'
	run umpire_as club witness status
	gone
	came="$ended, $(grep -o 'stopped' "$out"), $(said 6)"
	[ -z "$(said 6)" ] || came='it succeeds'
	[ "$(sqlite3 -readonly "$(player_data club)/witness.db" \
		'SELECT count(*) FROM other')" = 1 ] ||
		came="$came without the other line"
}
attack fork-behind-a-witness '76, stopped, '

# The last lines are gone, and anna would roll something else.
attack_roll_back_behind_a_witness() {
	opens rollback
	keep
	rolled rollback 2d6 || return
	back
	witness
	wait_for 20 eval 'has_logged healed || has_logged waits' ||
		diag "$(cat "$log")"
	run umpire_as anna roll rollback 3d6
	gone
	if lines | head -n 8 | cmp -s - "$work/rolled"; then
		came='the lines are back'
	elif [ "$(lines | sed -n 7p)" != "$(sed -n 7p "$work/rolled")" ]; then
		came='it succeeds'
	fi
}
attack roll-back-behind-a-witness 'the lines are back'

finish
