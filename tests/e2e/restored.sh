#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Lines were lost, and the record says so (umpire-record.7, S4.3): what show,
# log and verify tell, who has to accept it, and that nothing else may be done.
# tests/tools/perjurer shows a record to which this test has added the line.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/server_line.sh"
need python3

dir=$work/umpired
start_umpired "$dir" || exit 99
write_example "$work"
for who in anna bert; do
	init_player $who || exit 99
	umpire_as $who register $who --trust >/dev/null 2>&1 || exit 99
done
umpire_as anna new --roster "$work/roster.json" --name duel >/dev/null
game=$(umpire_as anna show duel --json | filter .game)
umpire_as bert join "$game" --name duel --yes >/dev/null
umpire_as anna ready duel >/dev/null
umpire_as anna declare duel "$work/combat.json" --yes >/dev/null
umpire_as anna export duel -o "$work/whole" >/dev/null
grep '"mark":"' "$work/whole" >"$work/lines"
grep -v '"mark":"' "$work/whole" >"$work/side"
n=$(wc -l <"$work/lines")

cat "$work/lines" >"$work/record"
server_line restored "{\"seq\":$n}" >>"$work/record"
cat "$work/side" >>"$work/record"

exits 0 "the record is good" umpire_as anna verify "$work/record"
like "from where on lines were lost" "$out" "^  lost +lines were lost from $n on"
like "and who has not accepted it" "$out" 'not yet accepted by anna, bert$'
umpire_as anna verify "$work/record" --json >"$out"
is "the same for programs" \
	"$(filter '.restored | "\(.times) \(.line) \(.accepted) \(.waits_for)"' <"$out")" \
	"1 $n false [\"anna\",\"bert\"]"
exits 0 "the log tells it" umpire_as anna log "$work/record"
like "what it does" "$out" 'the server has lost lines that stood here'
like "who has not accepted it" "$out" 'not yet accepted by anna, bert'
like "that the combat is void" "$out" "taken back by line $n"
is "and what became of it, for programs" \
	"$(umpire_as anna log "$work/record" --json | jq -r \
		'.[] | select(.what == "restored") | "\(.fate) \(.by)"')" \
	"open null"

cat "$work/lines" >"$work/bad"
server_line restored "{\"seq\":$((n - 1))}" >>"$work/bad"
cat "$work/side" >>"$work/bad"
exits 1 "another number in it is bad" umpire_as anna verify "$work/bad"
like "and which" "$err" 'number of the line itself'

# ---- the operator ends the record ----

salt=$(printf '00%.0s' {1..32})
ref=$(python3 -c 'import hashlib
print(hashlib.sha256(b"umpire/text/1\0" + 32 * b"\0" + b"moved").hexdigest())')
{
	cat "$work/lines"
	server_line closed "{\"why\":\"$ref\"}"
	cat "$work/side"
} >"$work/closed"
exits 0 "a record that the server closed" umpire_as anna verify "$work/closed"
like "is finished" "$out" 'good, finished'
umpire_as anna log "$work/closed" >"$out"
like "its reason was erased" "$out" 'the server closes the game; why is not'
# Side lines are sorted, and this one comes before the roster.
sed -i "\$i {\"text\":\"$ref\",\"salt\":\"$salt\",\"value\":\"moved\"}" \
	"$work/closed"
exits 0 "or lies beside it" umpire_as anna log "$work/closed"
like "and is told" "$out" 'the server closes the game: "moved"'

# ---- a player who meets it ----

stop_umpired
cp "$work/record" "$work/shown"
echo plain >"$work/mode"
"$tools/perjurer" "$dir" "$work/shown" "$work/mode" >"$work/perjurer.port" \
	2>"$work/perjurer.err" &
daemons="$daemons $!"
wait_for 10 test -s "$work/perjurer.port" || exit 99
umpire_as anna init --server "127.0.0.1:$(cat "$work/perjurer.port")" >/dev/null
exits 0 "show takes the line" umpire_as anna show duel
like "and says what it is" "$out" "has lost lines that stood from line $n on"
like "who else has to accept it" "$out" 'Waiting for bert .* to accept'
like "and how" "$out" "umpire accept duel $n"
exits 64 "it is not accepted unasked" umpire_as anna accept duel
like "what is accepted" "$err" 'confirm first that lines were lost'
umpire_as anna show duel --json >"$out"
is "it is owed by both" \
	"$(filter '.owed | map("\(.seat) \(.what) \(.since)") | join(", ")' <"$out")" \
	"1 accept $n, 2 accept $n"
exits 65 "nothing else is done" umpire_as anna end-turn duel

# ---- players who hold what was lost ----

# Anna and bert hold the declaration, which the server has lost; anna has the
# talk after it, too.
m=$((n - 1))
head -n $m "$work/lines" >"$work/before"
{
	cat "$work/before"
	server_line restored "{\"seq\":$m}" "$work/before"
	cat "$work/side"
} >"$work/shown"
data=$(player_data anna)/games/$game
rm -f "$data".*
cp "$work/lines" "$data.jsonl"
cp "$work/side" "$data.side"
exits 0 "whoever holds lost lines goes on" umpire_as anna show duel
like "and is told that they are lost" "$err" \
	"says in line $m of duel that the lines from there on were lost"
like "that nothing is accepted" "$err" 'You need not:'
is "the lines are kept as they were" \
	"$(grep '"mark":"' "$data.lost-$m")" "$(cat "$work/lines")"
like "show tells what stood there" "$out" '^What stood there, as your copy'
like "in words" "$out" 'declares'
like "and what stands there now" "$out" 'the server has lost lines that stood'
like "and how it can be accepted" "$out" "umpire accept duel $m"
is "the copy follows the server" "$(cat "$data.jsonl")" \
	"$(grep '"mark":"' "$work/shown")"
exits 0 "the evidence proves it" "$UMPIRE" verify --json --evidence \
	"$data.evidence"
is "for the line that was lost" "$(filter .seq <"$out")" "$m"
exits 0 "a second look says no more" umpire_as anna show duel
is "but what show says" "$(grep -c 'says in line' "$err")" 0
is "programs are told where the lines are" \
	"$(umpire_as anna show duel --json | jq -c '.lost | [.from, .lines]')" \
	"[$m,1]"
exits 64 "nothing is accepted unasked" umpire_as anna accept duel
like "the lines are told again before" "$out" '^What stood there'
exits 0 "export takes the proof along" umpire_as anna export duel \
	-o "$work/taken" --json
is "beside the record" "$(jq -c '.evidence | length' "$out")" 1

# Who holds none of them is asked once, and needs no more.
data=$(player_data bert)/games/$game
umpire_as bert init --server "127.0.0.1:$(cat "$work/perjurer.port")" >/dev/null
rm -f "$data".*
cp "$work/before" "$data.jsonl"
cp "$work/side" "$data.side"
exits 0 "whoever holds none" umpire_as bert show duel
unlike "is shown no other history" "$out" 'What stood there'
is "and has no proof" "$(find "$(player_data bert)" -name '*.evidence*')" ''

# An order that waits and rests on what was lost can never count.
data=$(player_data anna)/games/$game
rm -f "$data".*
cp "$work/lines" "$data.jsonl"
cp "$work/side" "$data.side"
cp "$work/shown" "$work/lost"
cat "$work/lines" "$work/side" >"$work/shown"
run umpire_as anna say duel "it waits" --yes
holds "an order waits" test -s "$data.pending"
cp "$work/lost" "$work/shown"
exits 0 "what it rests on is lost" umpire_as anna show duel
like "which is told" "$err" 'it can never$'
holds "it is dropped" test ! -e "$data.pending"

# A server that goes back on what it said is not followed.
cat "$work/lines" "$work/side" >"$work/shown"
exits 76 "a server that takes it back" umpire_as anna show duel
like "has signed two different lines" "$err" "two different lines $m; this"
finish
