#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A Swiss whose server is gone in its second round goes on with another one,
# from a player's copy (umpire-tournament-record, S21.4): each step, and what is
# wrong at each; killed on the way; and what is verified of it.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
need python3
with_clocks

export UMPIRE UMPIRE_DATADIR=$top_srcdir/etc
oracle=$top_srcdir/tests/oracle
mkdir "$work/records" "$work/keys-one" "$work/keys-two"
names="dina anna bert carl dave emil zora"

# goes CASE: what cup_continues.py finds, each a case.
goes() {
	local had=$tap_n
	PORT=$port TOOLS=$tools PLAYERS=$work/keys-$keys \
		HOOKS=$work/hooks OUT=$work/records HOMES=$work/players \
		DIRECTOR=$work/players/dina ROSTER=x \
		NOW_MS=$wall told python3 \
		"$top_srcdir/tests/e2e/cup_continues.py" "$1" 2>"$work/typed-$1"
	[ "$tap_n" -gt "$had" ] ||
		fail "$1 is tried" "$(tail -n 5 "$work/typed-$1")"
	[ ! -e "$work/records/now" ] || wall=$(cat "$work/records/now")
}

# again: the other server is killed, and started again.
again() {
	local who
	{ kill -KILL "$daemon" && wait "$daemon"; } 2>/dev/null
	start_umpired "$work/two" -o tournament_create=dina || exit 99
	for who in $names; do
		player "$who" sed -i "s/127.0.0.1:[0-9]*/$server/" \
			"$work/players/$who/config/umpire/two/config"
	done
}

wall=$(($(date +%s) * 1000))
hook now_ms "$wall"
start_umpired "$work/one" || exit 99
# shellcheck disable=SC2086 # words
enrol $names || exit 99
for who in $names; do
	ln -s "$(player_data "$who")" "$work/keys-one/$who"
done
keys=one
goes before
wall=$((wall + 5 * 86400000))
{ kill -KILL "$daemon" && wait "$daemon"; } 2>/dev/null

# ---- another server ----

hook now_ms "$wall"
start_umpired "$work/two" -o tournament_create=dina || exit 99
for who in $names; do
	set_up umpire_as "$who" --profile two init --server "$server" ||
		exit 99
	set_up umpire_as "$who" --profile two register "$who" --trust || exit 99
	ln -s "$work/players/$who/data/umpire/two" "$work/keys-two/$who"
done
"$UMPIRED" -c "$work/two/umpired.conf" --backup "$work/early" >/dev/null
keys=two
goes half
again
goes enter
again
goes play
exits 0 "a player reads it without the server" umpire_as carl --offline \
	--profile two tournament standings autumn-cup
# Spectators see it, with what it goes back to, from the umpire and the disk.
id=$(head -n 1 "$work/records/new/tournament.jsonl" | filter .tournament)
for time in first second; do
	start_web "$work/web" || exit 99
	get "/t/${id:0:12}/standings"
	is "a page shows it, the $time time" "$code" 200
	unlike "with nothing to be warned of" "$body" 'class="warning"'
	get "/t/${id:0:12}/record.jsonl"
	holds "its record is whole" \
		cmp -s "$body" "$work/records/new/tournament.jsonl"
	stop_web || fail "umpire-web ends well"
done
is "what it goes back to is on the disk once" "$(grep -c "\"tournament\":\"$(
	jq -r '.order | fromjson | .args.continues.tournament' \
	<(head -n 1 "$work/records/new/tournament.jsonl"))\",\"seq\":0," \
	"$work/web/cache/cups/$id")" 1
stop_umpired || fail "umpired ends well"
exits 0 "the operator's check finds all good" \
	"$UMPIRED" -c "$work/two/umpired.conf" --check

# ---- verifying ----

new=$work/records/new old=$work/records/old
exits 2 "without the old games it is not all checked" "$UMPIRE" verify "$new"
exits 0 "with the old folder it is" "$UMPIRE" verify --before "$old" "$new"
like "and is good" "$out" "[Gg]ood"
cp -n "$old"/*.jsonl "$new/"
exits 0 "or with its games beside the others" "$UMPIRE" verify "$new"
exits 0 "a second reading finds the same" \
	python3 "$oracle/tournament_verify.py" "$new"
like "and is good" "$out" "^good"
former=$(jq -r '.order | fromjson | .args.continues.tournament' \
	<(head -n 1 "$new/tournament.jsonl"))
like "the former lies there under its number" <(ls "$new") "^$former.jsonl"
sed -i '2s/"by":"anna"/"by":"anja"/' "$new/$former.jsonl"
exits 1 "and is bad with another byte" "$UMPIRE" verify "$new"
like "which names its line" "$err" "is bad at line 2"
exits 1 "for both" python3 "$oracle/tournament_verify.py" "$new"
sed -i '2s/"by":"anja"/"by":"anna"/' "$new/$former.jsonl"
cp -r "$new" "$work/whole"
rm "$new/$former.jsonl"
exits 2 "without it nothing is judged" "$UMPIRE" verify "$new"

# ---- evidence ----

# A next line that has the server's mark, and is not lawful; or is.
exits 0 "evidence is written" env TOOLS="$tools" HOOKS="$work/hooks" \
	PLAYERS="$work/keys-two" OUT="$work/records" HOMES="$work/players" \
	python3 "$top_srcdir/tests/e2e/cup_continues.py" \
	evidence "$work/two/identity.key" "$work/whole"
exits 0 "what the old record makes unlawful is proof" \
	"$UMPIRE" verify --evidence "$work/whole/bad"
like "and says why" "$out" "was did not|taken|not|no "
exits 1 "a line that is held and lawful is none" \
	"$UMPIRE" verify --evidence "$work/whole/good"
exits 1 "nor is it without the old record" \
	"$UMPIRE" verify --evidence "$work/whole/bare"
like "which is missed" "$err" "that it continues is not in it"

# ---- a backup of before, put back ----

db=$work/two/umpired.db
rm -f "$db" "$db-wal" "$db-shm"
cp "$work/early" "$db"
"$UMPIRED" -c "$work/two/umpired.conf" --restored >/dev/null 2>&1
start_umpired "$work/two" || exit 99
player dina sed -i "s/127.0.0.1:[0-9]*/$server/" \
	"$work/players/dina/config/umpire/two/config"
exits 0 "a copy gives both back" umpire_as dina --profile two todo
like "and says so" "$err" "had lost the tournament"
is "they are there" "$(sqlite3 -readonly "$db" "SELECT count(*), phase
	FROM tournament JOIN tournament_former ON tournament = tid
	JOIN former ON former = fid WHERE good = 1")" "1|over"
exits 0 "and shown" umpire_as dina --profile two tournament standings autumn-cup
stop_umpired || fail "umpired ends well"
finish
