#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Lines that come back (umpire-record.7, S10.1), in games of all five systems:
# played records are brought to a server that has lost them, whole, or from
# where a backup ends, with secrets open and dice owed; what it has then is what
# it had, byte for byte.  And what is not taken.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3

dir=$work/umpired
db=$dir/umpired.db
init_umpired "$dir" || exit 99
# The keys that the records were played with.
printf '%062d%s\n' 0 c8 | tee "$dir/identity.key" >"$dir/dice.key"

comeback() {
	python3 "$top_srcdir/tests/e2e/comeback.py" "$@"
}

# Some were played from one first line: of these the longest, and another.
declare -A cuts ids seen
records=() rival=
while read -r _ record; do
	id=$(head -n 1 "$record" | filter .game)
	[ -z "${seen[$id]:-}" ] || rival=${rival:-$record}
	[ -z "${seen[$id]:-}" ] || continue
	seen[$id]=$record
	records+=("$record")
	ids[$record]=$id
done < <(grep -c '^{"v"' "$top_srcdir"/tests/rules/*/played*.jsonl |
	sed 's/\(.*\):\(.*\)/\2 \1/' | sort -rn)
while read -r record cut; do
	cuts[$record]=$cut
done < <(comeback cuts 2 "${records[@]}")
is "all systems are there" "$(printf '%s\n' "${records[@]}" | cut -d / -f 1- |
	xargs -n 1 dirname | sort -u | wc -l)" 5

# begin: the daemon, and a session of carl, who plays none of them.
begin() {
	start_umpired "$dir" || exit 99
	session carl carl
	ask carl login carl
}

# lines RECORD FROM TO: the file with the requests that bring these lines.  All
# are made at once, and are files since of a pipe bash reads a byte at a time.
lines() {
	echo "$work/${1//\//-}-$2-$3"
}
for record in "${records[@]}" "$rival"; do
	read -r -a cut <<<"0 ${cuts[$record]:-}"
	cut+=("$(grep -c '^{"v"' "$record")")
	for from in "${cut[@]}"; do
		for to in "${cut[@]}"; do
			echo "$(lines "$record" "$from" "$to")" \
				"$record" "$from" "$to"
		done
	done
done | comeback lines

# heal RECORD FROM TO: brings these lines; leaves the last answer.
heal() {
	local params
	while read -r params; do
		ask carl call game.heal "$params"
		[[ $reply == *'"result"'* ]] || return 1
	done <"$(lines "$1" "$2" "$3")"
}

# whole RECORD [N]: true if the server shows the record, or its first N lines.
whole() {
	local n=${2:-$(grep -c '^{"v"' "$1")}
	ask carl call game.record "{\"game\":\"${ids[$1]}\"}"
	of '.result.lines[]' | cmp -s - <(grep '^{"v"' "$1" | head -n "$n")
}

# recovering RECORD: whether the server says so of a game.
recovering() {
	ask carl call game.show "{\"game\":\"${ids[$1]}\"}"
	of '.result.recovering == true'
}

# putback FILE: a backup comes in the database's place.
putback() {
	close_session carl
	stop_umpired
	rm -f "$db" "$db-wal" "$db-shm"
	cp "$1" "$db"
	begin
}

# ---- games that are gone ----

rm -f "$db.heads"
comeback heads "${records[@]}" >"$db.heads"
start_umpired "$dir" || exit 99
enter carl || exit 99
like "what was lost is noticed" "$dir/log" \
	"of 0 games or tournaments lines are missing, and ${#records[@]} are not there at all"
comeback blobs "${records[@]}" >"$work/blobs"
while read -r params; do
	ask carl call blob.put "$params"
done <"$work/blobs"
stage=0
for record in "${records[@]}"; do
	read -r -a cut <<<"${cuts[$record]}"
	heal "$record" 0 "${cut[0]}" && whole "$record" "${cut[0]}" &&
		[ "$(recovering "$record")" = true ] || break
	stage=$((stage + 1))
done
is "the first lines of all come back" "$stage" "${#records[@]}"
is "nobody plays meanwhile" "$(sqlite3 -readonly "$db" \
	"SELECT count(*) FROM standstill WHERE to_ms IS NULL AND why = 'recovering'")" \
	"${#records[@]}"
game=${ids[${records[0]}]}
mkdir -p "$(player_data p1)"
printf '%062d%s\n' 0 02 | tee "$(player_data p1)/sign.key" \
	>"$(player_data p1)/dice.key"
chmod 600 "$(player_data p1)"/*.key
session p1 p1
ask p1 login p1
is "who sat in them can log in again" "$(of .result.account)" p1
look carl
ask p1 order "$(order_text 1 chat "{\"ref\":\"$zeros\"}")"
refused "an order is kept waiting" 23 recovering
close_session p1
exits 0 "a backup then" "$UMPIRED" -c "$dir/umpired.conf" \
	--backup "$work/first.db"

# ---- a backup that is put back, twice ----

for i in 0 1; do
	stage=0
	for record in "${records[@]}"; do
		read -r -a cut <<<"${cuts[$record]}"
		# The second time there is more than the backup has.
		from=0
		[ "$i" = 1 ] || from=${cut[0]}
		heal "$record" "$from" "${cut[1]}" || break
		heal "$record" "${cut[1]}" "${cut[2]}" || break
		whole "$record" && [ "$(recovering "$record")" = false ] || break
		stage=$((stage + 1))
	done
	is "all lines of all games are back ($i)" "$stage" "${#records[@]}"
	[ "$stage" = "${#records[@]}" ] || diag "$record: $reply"
	exits 0 "what is kept fits them" "$UMPIRED" -c "$dir/umpired.conf" --check
	like "all of them" "$out" "games: ${#records[@]}, .*wrong: 0"
	[ "$i" = 1 ] || putback "$work/first.db"
done
like "that was noticed, too" "$dir/log" \
	"of ${#records[@]} games or tournaments lines are missing, and 0 are not there"

# ---- the games go on ----

session p1 p1
ask p1 login p1
give p1 1 chat "{\"ref\":\"$zeros\"}"
refused "an order is looked at again" 16 missing params.texts
close_session p1

# ---- what is not taken ----

record=${records[0]}
n=$(grep -c '^{"v"' "$record")
putback "$work/first.db"
read -r -a cut <<<"${cuts[$record]}"
k=${cut[0]}

# bring FILTER: the rest of the record, changed by jq: params are its input.
bring() {
	sed -n 1p "$(lines "$record" "$k" "$n")" | jq -c "$1" >"$work/bring"
	ask carl call game.heal "$(cat "$work/bring")"
}
bring '.lines[0] |= sub("\"at\":\"2026"; "\"at\":\"2027")'
refused "a line that this server has not marked" -32602 invalid 'params.lines[0]'
bring '.lines |= [.[0], .[2]]'
refused "lines with a gap" -32602 invalid 'params.lines[1]'
bring '.lines |= .[1:]'
refused "lines that do not begin where the record ends" 11 stale params.lines
bring ".game = \"${ids[${records[1]}]}\""
refused "lines of another game" -32602 invalid 'params.lines[0]'
bring '.lines = "none"'
refused "no list" -32602 invalid params.lines
bring '.held = [{"seq": 1, "salt": "00", "text": "{}"}]'
refused "a text without a salt" -32602 invalid 'params.held[0].salt'
bring '.side = ["{\"text\":\"\"}"]'
refused "what is no side line" -32602 invalid 'params.side[0]'
is "nothing of all that was taken" "$(whole "$record" "$k" && echo yes)" yes
bring '.lines = []'
is "no lines are none" "$(of .result.added)" 0
bring '.game = "'"$zeros"'" | .lines = []'
refused "no game is none" 7 not-found params.game
bring .
is "then they come" "$(of '.result.added > 0')" true
bring .
is "and again is harmless" "$(of .result.added)" 0

# ---- two stories ----

heal "$rival" 0 "$(grep -c '^{"v"' "$rival")"
refused "another line of a number that there is" 10 fork params.lines
hash=$(of .error.data.text | grep -Eo '[0-9a-f]{64}' | head -n 1)
like "with both hashes" <(echo "$reply") \
	'line [0-9]+ is [0-9a-f]{64} here, not [0-9a-f]{64}'
like "and the log has them" "$dir/log" "equivocation: game .*$hash.* \"carl\""
record=${seen[$(head -n 1 "$rival" | filter .game)]}
read -r -a cut <<<"${cuts[$record]}"
holds "the record is what it was" whole "$record" "${cut[0]}"
close_session carl
stop_umpired
is "the daemon stops cleanly" $? 0
finish
