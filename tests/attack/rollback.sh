#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Attacks by an old state: a backup is put in the database's place so that a
# player, who knows dice and card of the line that is gone, can choose again;
# and what is brought as a lost line and is none.

. "${top_srcdir:?}/tests/attack/attack.sh"

dir=$work/umpired
db=$dir/umpired.db
start_umpired "$dir" || exit 99
enrol anna bert cleo dina || exit 99
jq -nc '{blob: "roster", system: "imagi-nations", sides: {
	"1": {name: "Blue", units: [{id: "blue-1", lead: "b1a", battalions: [
	 {id: "b1a", quality: "veteran", sp: 9}]}]},
	"2": {name: "Red", units: [{id: "red-1", lead: "r1a", battalions: [
	 {id: "r1a", quality: "elite", sp: 9}]}]}}}' >"$work/roster.json"
jq -nc '{terrain: "village", attacker: {units: [{id: "blue-1"}]},
	defender: {units: [{id: "red-1"}]}}' >"$work/combat.json"

# opens NAME OPTION...: a game in play; leaves $game.
opens() {
	local name=$1
	shift
	set_up umpire_as anna new --roster "$work/roster.json" --name "$name" \
		--invite bert "$@" || exit 99
	game=$(umpire_as anna show "$name" --json | filter .game)
	set_up umpire_as bert join "$game" --name "$name" --yes || exit 99
	set_up umpire_as anna ready "$name" || exit 99
}

# lines: what the server has of $game.
lines() {
	sqlite3 -readonly "$db" "SELECT CAST(line AS TEXT) FROM record
		WHERE game = (SELECT gid FROM game WHERE hex(id) = upper('$game'))
		ORDER BY seq"
}

# on_again [OPTION]...: the daemon at its port.
on_again() {
	start_umpired "$dir" -o "listen=127.0.0.1:$port" "$@" || exit 99
}

# cup_lines: what the server has of the tournament $cup.
cup_lines() {
	sqlite3 -readonly "$db" "SELECT CAST(line AS TEXT) FROM tournament_record
		WHERE tournament = (SELECT tid FROM tournament
			WHERE hex(id) = upper('$cup')) ORDER BY seq"
}

# keep NAME: puts aside what there is by now: database, file of last lines and
# copies.
keep() {
	stop_umpired
	mkdir "$work/$1"
	cp "$db" "$db"-wal "$db.heads" "$work/$1"
	cp -r "$work/players" "$work/$1"
	on_again
}

# serve DATABASE HEADS [OPTION]...: the daemon with those that were kept.
serve() {
	stop_umpired
	rm -f "$db" "$db-wal" "$db-shm"
	cp "$work/$1/umpired.db" "$work/$1/umpired.db-wal" "$dir"
	cp "$work/$2/umpired.db.heads" "$db.heads"
	shift 2
	on_again "$@"
}

# has WHO NAME: that player's copies are those that were kept.
has() {
	rm -rf "$work/players/$1"
	cp -r "$work/$2/players/$1" "$work/players"
}

# brings WHO FILE: that player gives the server the lines of $game in a file;
# $came is what comes of it.
brings() {
	local n
	n=$(lines | wc -l)
	session "$1" "$1"
	ask "$1" login "$1"
	ask "$1" call game.heal "$(jq -Rnc --arg game "$game" \
		'{game: $game, lines: [inputs]}' <"$2")"
	came=$(of .error.data.name)
	if [ "$(of .result.seq)" != null ]; then
		came="nothing is said, $(($(lines | wc -l) - n)) lines are new"
	fi
	close_session "$1"
}

# brings_cup WHO FILE: the same, of the tournament $cup.
brings_cup() {
	local n
	n=$(cup_lines | wc -l)
	session "$1" "$1"
	ask "$1" login "$1"
	ask "$1" call tournament.heal "$(jq -Rnc --arg cup "$cup" \
		'{tournament: $cup, lines: [inputs]}' <"$2")"
	came=$(of .error.data.name)
	if [ "$(of .result.seq)" != null ]; then
		came="nothing is said, $(($(cup_lines | wc -l) - n)) lines are new"
	fi
	close_session "$1"
	[ "$came" != 'nothing is said, 1 lines are new' ] || came='it succeeds'
}

mkdir "$work/keys" "$work/records"
ln -s "$(player_data dina)" "$work/keys/dina"
cup=$(NOW_MS=$(date +%s%3N) PORT=$port TOOLS=$tools PLAYERS=$work/keys \
	HOOKS=$work/hooks OUT=$work/records \
	python3 "$top_srcdir/tests/e2e/cup.py" new '{"private": true, "rounds": 1}')
[ "${#cup}" = 64 ] || { diag "$cup"; exit 99; }
set_up umpire_as anna tournament enter "$cup" --yes || exit 99
opens club --private
club=$game
opens duel
duel=$game
set_up umpire_as anna declare duel "$work/combat.json" --yes || exit 99
set_up umpire_as bert decide duel tactic hold --yes || exit 99
set_up umpire_as anna show duel || exit 99
keep night
set_up umpire_as anna decide duel tactic feint --yes || exit 99
set_up umpire_as bert show duel || exit 99
set_up umpire_as anna say club 'in private' || exit 99
lines >"$work/fought"
game=$club lines >"$work/private"
set_up umpire_as bert tournament enter "$cup" --yes || exit 99
cup_lines >"$work/entered"
keep after
last=$(wc -l <"$work/fought")
last=$((last - 1))

# The backup of the night is there again, and nobody has come yet.
attack_choose_again() {
	serve night after
	has anna night
	run umpire_as anna decide duel tactic pinning-attack --yes
	came="$status, $(grep -o 'old backup of the server was put back' "$err")"
	[ "$status" != 0 ] || came='it succeeds'
}
attack choose-again '75, old backup of the server was put back'

# All of the machine was set back, and who chooses again comes first.
attack_choose_again_before_others() {
	serve night night
	has anna night
	has bert after
	reached umpire_as anna decide duel tactic pinning-attack --yes || return
	run umpire_as bert show duel
	came="$status, $(grep -o 'signed two different lines [0-9]*' "$err")"
	if [ "$status" = 0 ]; then
		came='it succeeds'
	elif ! "$UMPIRE" verify --evidence \
		"$(player_data bert)/games/$duel.evidence" >"$out" 2>&1; then
		came="no proof: $(cat "$out")"
	fi
}
attack choose-again-before-others "76, signed two different lines $last"

# The same, and somebody who holds the line comes before.
attack_choose_again_after_others() {
	serve night night
	has anna night
	has bert after
	run umpire_as bert show duel
	run umpire_as anna decide duel tactic pinning-attack --yes
	if lines | head -n $((last + 1)) | cmp -s - "$work/fought"; then
		came='the line is back'
	elif [ "$status" = 0 ]; then
		came='it succeeds'
	else
		came="$status, $(cat "$err")"
	fi
}
attack choose-again-after-others 'the line is back'

# ---- what is no lost line ----

# other FILTER: the lines with the last one changed by sed, whose mark is as it
# was.
other() {
	head -n "$last" "$work/fought"
	tail -n 1 "$work/fought" | sed "$1"
}

# remarked DIR FILTER: the same, marked anew by the key of a server.
remarked() {
	other "$2" | head -n "$last"
	other "$2" | tail -n 1 | "$tools/perjurer" mark "$1"
}

attack_heal_by_another_mark() {
	init_umpired "$work/another" || exit 99
	serve night after
	remarked "$work/another" '' >"$work/brought"
	brings anna "$work/brought"
	[ "$came" != 'nothing is said, 1 lines are new' ] || came='it succeeds'
}
attack heal-by-another-mark invalid

attack_heal_what_is_not_lawful() {
	serve night after
	remarked "$dir" 's/"at":"20[0-9][0-9]/"at":"2001/' >"$work/brought"
	brings anna "$work/brought"
	[ "$came" != 'nothing is said, 1 lines are new' ] || came='it succeeds'
}
attack heal-what-is-not-lawful illegal

# The server has a line, and is brought another of its number.
attack_heal_another_history() {
	serve after after
	remarked "$dir" 's/"at":"20[0-9][0-9]/"at":"2099/' >"$work/brought"
	: >"$dir/log"
	brings anna "$work/brought"
	came="$came, $(grep -o 'equivocation' "$dir/log")"
	[ "$came" != 'nothing is said, 0 lines are new, ' ] ||
		came='it succeeds'
}
attack heal-another-history 'fork, equivocation'

# It has said that lines were lost, all have heard it, and they are brought.
attack_heal_what_was_lost() {
	serve night after -o recovery_s=0
	wait_for 20 grep -q 'which says that lines' "$dir/log"
	: >"$dir/log"
	brings anna "$work/fought"
	came="$came, $(grep -o '\<lost: game' "$dir/log")"
	[ "$came" != 'nothing is said, 0 lines are new, ' ] ||
		came='it succeeds'
}
attack heal-what-was-lost 'fork, lost: game'

# A stranger brings lines of a private game.
attack_heal_by_a_stranger() {
	serve night after
	game=$club brings cleo "$work/private"
	[ "$came" != 'nothing is said, 1 lines are new' ] || came='it succeeds'
}
attack heal-by-a-stranger not-found

# The same of a private tournament, while who has its id may enter.
attack_heal_a_cup_by_a_stranger() {
	serve night after
	brings_cup cleo "$work/entered"
}
attack heal-a-cup-by-a-stranger not-found

# Somebody who is in it brings a line that was signed and is not lawful.
attack_heal_a_cup_unlawfully() {
	serve night after
	head -n -1 "$work/entered" >"$work/brought"
	tail -n 1 "$work/entered" | sed 's/"at":"20[0-9][0-9]/"at":"2001/' |
		"$tools/perjurer" mark "$dir" >>"$work/brought"
	brings_cup anna "$work/brought"
}
attack heal-a-cup-unlawfully illegal

# The server has a line, and is brought another of its number.
attack_heal_a_cup_of_another_history() {
	serve after after
	head -n -1 "$work/entered" >"$work/brought"
	tail -n 1 "$work/entered" | sed 's/"at":"20[0-9][0-9]/"at":"2099/' |
		"$tools/perjurer" mark "$dir" >>"$work/brought"
	: >"$dir/log"
	brings_cup anna "$work/brought"
	came="$came, $(grep -o 'equivocation: tournament' "$dir/log")"
	[ "$came" != 'nothing is said, 0 lines are new, ' ] || came='it succeeds'
}
attack heal-a-cup-of-another-history 'fork, equivocation: tournament'

finish
