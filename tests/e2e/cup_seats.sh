#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A tournament with a witness and an umpire's seat, played unattended: everybody
# runs what needs nobody, and its first game begins.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/cup_lib.sh"
with_clocks

wall=$(($(date +%s) * 1000))
hook now_ms "$wall"
start_umpired "$work/umpired" -o witnesses=club || exit 99
enrol anna bert dina club || exit 99
cup_keys dina club

# seen FILE PATTERN...: true once a file has lines for each.
seen() {
	local file=$1 pattern
	shift
	for pattern; do
		grep -Eq -- "$pattern" "$file" || return 1
	done
}

cup_new '{"rounds": 1, "event": "Autumn Cup", "witness": "club",
	"options": {"director": true}}'
for who in anna bert; do
	exits 0 "$who enters" umpire_as $who tournament enter "$id" --yes
done
exits 65 "with an umpire's seat no director does" \
	umpire_as dina tournament enter autumn --yes

# ---- watchers ----

exits 64 "--check-in is for tournaments" umpire_as anna watch --check-in
exits 64 "--answer is not" umpire_as anna watch --tournament --answer
exits 66 "what is not there is not watched" \
	umpire_as anna watch --tournament spring
for who in anna bert dina; do
	watching $who "$work/$who" --tournament autumn --check-in \
		$([ $who != dina ] || echo --direct)
done
is "entries end" "$(cup order "$id" dina shut)" "line 3"
for who in anna bert; do
	wait_for 20 seen "$work/$who" 'autumn-cup: you have checked in'
	is "$who's watch checks in" $? 0
done

# ---- the lots are the witness's ----

is "for a day nobody else draws them" "$(cup order "$id" dina start)" illegal
exits 0 "todo tells nobody" umpire_as anna todo
unlike "to do so" "$out" "lots"
home=$work/players/club
env --default-signal=INT HOME="$home" XDG_CONFIG_HOME="$home/config" \
	XDG_DATA_HOME="$home/data" "$UMPIRE" witness >"$work/club" 2>&1 </dev/null &
witness=$!
daemons="$daemons $witness"
wait_for 20 seen "$work/club" ' lots tournament [0-9a-f]*: drawn'
is "the witness draws them" $? 0
is "with its part in them" \
	"$(cup view "$id" | jq -c .lots_without_witness)" false

# ---- a table, at which all sit down ----

wait_for 20 seen "$work/dina" 'autumn-cup: a round is paired'
is "the director's watch has round 1 paired" $? 0
# Both players come at once: one opens the game, the other joins it.
for who in anna bert; do
	wait_for 20 seen "$work/$who" 'Round 1, table 1: you are side [12]'
	is "$who comes to the table" $? 0
done
wait_for 20 seen "$work/dina" "Round 1, table 1: you direct 'autumn-cup-r1-t1'"
is "the director to the umpire's seat" $? 0
begun() {
	[ "$(umpire_as anna show autumn-cup-r1 --json | filter .phase)" = play ]
}
wait_for 20 begun
is "and the game begins" $? 0
umpire_as anna show autumn-cup-r1 --json | jq -c '[.seats[] | .account]' \
	>"$work/seats"
like "with all four" "$work/seats" 'dina.*(anna.*bert|bert.*anna).*club'
kill -INT "$witness"
wait "$witness"
is "the witness ends well" $? 0
cup export "$id" cup
exits 0 "the record is good so far" "$UMPIRE" verify "$work/records/cup"
like "and has one game" "$out" 'games +1 verified'
finish
