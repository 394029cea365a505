#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Whom the client accuses, and of what: status 76 is for what the server has
# signed, two lines of one number or a line that is not lawful, and the file
# that proves it is there before it is said.  Whatever else a server does has
# another status: it has fewer lines, or does not know the game, it answers
# nonsense or too late, or it cannot say who it is.  tests/tools/perjurer is the
# server, with the real one's keys.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need prlimit

dir=$work/umpired
start_umpired "$dir" || exit 99
write_example "$work"
for who in anna bert eve; do
	init_player $who || exit 99
	umpire_as $who register $who --trust >/dev/null 2>&1 || exit 99
	umpire_as $who new --roster "$work/roster.json" --name talk >/dev/null
done
umpire_as anna new --roster "$work/roster.json" --name duel >/dev/null
game=$(umpire_as anna show duel --json | filter .game)
umpire_as bert join "$game" --name duel --yes >/dev/null
umpire_as anna ready duel >/dev/null
umpire_as anna declare duel "$work/combat.json" --yes >/dev/null
umpire_as anna say duel "and so" >/dev/null
umpire_as bert decide duel retire none >/dev/null
umpire_as anna say duel "on" >/dev/null

# What the server has recorded: eight lines, of which number 5 is a chat, and 6
# has dice.
umpire_as anna export duel -o "$work/whole" >/dev/null
grep '"mark":"' "$work/whole" >"$work/lines"
grep -v '"mark":"' "$work/whole" >"$work/side"
is "the record is as long as this test wants it" "$(wc -l <"$work/lines")" 8
exits 2 "its lines alone are not enough" umpire_as nobody verify "$work/lines"
like "for want of a blob" "$out" 'roster, table or bag is not at hand$'
like "and what has it is told" "$out" 'umpire verify GAME'

# ---- the server is held up: late answers are nobody's fault ----

# One that stands still for longer than the client waits, again and again,
# while orders are given.
export UMPIRE_TIMEOUT=1
(
	while :; do
		kill -STOP "$daemon"
		for _ in {1..23}; do nap; done
		kill -CONT "$daemon"
		for _ in {1..16}; do nap; done
	done
) &
stopper=$!
daemons="$daemons $stopper"
# talk WHO GAME N: that player says so much in a row; what came of it goes to
# files of their own.
talk() {
	local i
	for i in $(seq "$3"); do
		umpire_as "$1" --yes say "$2" "$1 $i" >/dev/null 2>>"$work/err.$1"
		echo $? >>"$work/ended.$1"
	done
}
total=$(some 100 10)
talkers=
for who in anna bert eve; do
	talk $who talk "$total" &
	talkers="$talkers $!"
done
# shellcheck disable=SC2086
wait $talkers
kill "$stopper"
wait "$stopper" 2>/dev/null
kill -CONT "$daemon"
unset UMPIRE_TIMEOUT
diag "how many ended with which status:" "$(cat "$work"/ended.* | sort |
	uniq -c | tr -s ' \n' ' ')"
is "each order ended" "$(cat "$work"/ended.* | wc -l)" $((3 * total))
is "a server that is held up is not accused" \
	"$(cat "$work"/ended.* | grep -c '^76$')" 0
is "its late answers are not taken for others" \
	"$(cat "$work"/err.* | grep 'not asked')" ''
holds "orders got through" grep -q '^0$' "$work/ended.anna"
for who in anna bert eve; do
	umpire_as $who --yes say talk "the last word" >/dev/null 2>&1
	is "none of $who's is recorded twice" "$(umpire_as $who log talk --json |
		jq -r '.[] | select(.kind == "chat") | .text' | sort | uniq -d)" ''
done
# ---- the own disk is full ----

# Bert's client agrees by itself, and cannot keep the line that comes of that:
# while it stands still the other's copy tells how large his may grow.
umpire_as anna new --roster "$work/roster.json" --confirm --name full >/dev/null
full=$(umpire_as anna show full --json | filter .game)
umpire_as bert join "$full" --name full --yes >/dev/null
umpire_as anna ready full >/dev/null
copy=games/$full.jsonl
trap '' XFSZ
watching bert "$work/full.out" full --answer-declarations
trap - XFSZ
# shellcheck disable=SC2317
says_full() {
	umpire_as anna say full "is it seen" >/dev/null
	grep -q 'is it seen' "$work/full.out"
}
holds "a game is watched" wait_for 20 says_full
kill -STOP "$watcher"
umpire_as anna declare full "$work/combat.json" --yes >/dev/null
prlimit --pid "$watcher" --fsize="$(stat -c %s "$(player_data anna)/$copy"):"
kill -CONT "$watcher"
wait "$watcher"
is "who cannot write watches no longer" $? 74
like "which is told" "$work/full.out.err" \
	'^umpire: cannot write .*File too large'
like "and what became of the answer" "$work/full.out.err" \
	'The order is kept, and no other'
is "nobody is accused of it" \
	"$(grep -E 'signed|lawful|proof|proves' "$work/full.out.err" |
		grep -v 'no other is signed')" ''
exits 0 "with room it goes on" umpire_as bert show full
like "and finds that the answer was recorded" "$err" \
	'The order that waited is recorded as line'
is "it has all that there is" "$(cat "$(player_data bert)/$copy")" \
	"$(umpire_as anna show full >/dev/null
	cat "$(player_data anna)/$copy")"
stop_umpired
is "the daemon stops cleanly" $? 0

# ---- a server that lies ----

echo plain >"$work/mode"
cp "$work/whole" "$work/shown"
"$tools/perjurer" "$dir" "$work/shown" "$work/mode" >"$work/perjurer.port" \
	2>"$work/perjurer.err" &
daemons="$daemons $!"
wait_for 10 test -s "$work/perjurer.port" || exit 99
perjurer=127.0.0.1:$(cat "$work/perjurer.port")

# Players whose copies end where they should: early holds five lines, late all.
for who in early late; do
	cp -r "$work/players/anna" "$work/players/$who"
	umpire_as $who init --server "$perjurer" >/dev/null
	rm -f "$(player_data $who)/games/$game".*
done
for who in carl dora; do
	umpire_as $who init --server "$perjurer" >/dev/null
	umpire_as $who games --all --trust >/dev/null 2>&1
done
fill() {
	local data
	data=$(player_data "$1")/games/$game
	rm -f "$data".*
	head -n "$2" "$work/lines" >"$data.jsonl"
	cp "$work/side" "$data.side"
}

# show_lines FILE: the server shows these lines.
show_lines() {
	cat "$1" "$work/side" >"$work/shown"
}

# line N [SED...]: line number N, changed by sed and marked anew.
line() {
	local n=$1
	shift
	sed -n "$((n + 1))p" "$work/lines" | sed "$@" |
		"$tools/perjurer" mark "$dir"
}

# first N: the first N lines.
first() {
	head -n "$1" "$work/lines"
}

# after FILE N: line number N as it is but that it follows FILE's last one.
after() {
	local prev
	prev=$(tail -n 1 "$1" | tr -d '\n' | sha256sum | cut -c 1-64)
	line "$2" "s/\"prev\":\"[0-9a-f]*\"/\"prev\":\"$prev\"/"
}

# convicts WHO WHAT HOW WORDS COMMAND...: cases; it ends with 76, and the file
# that it names was there and proves HOW.
convicts() {
	local who=$1 what=$2 how=$3 words=$4 file
	shift 4
	exits 76 "$what" umpire_as "$who" "$@"
	file=$(sed -n 's/^ *\(.*\.evidence[-0-9]*\)$/\1/p' "$err" | head -n 1)
	like "$what: it says so" "$err" "$words"
	cp "$err" "$work/told"
	exits 0 "$what: the file proves it" \
		"$UMPIRE" verify --json --evidence "$file"
	is "$what: and what" "$(filter .verdict <"$out")" "$how"
	evidence=$file
}

# doubts STATUS WHAT WHO WORDS COMMAND...: cases; it ends with that status,
# and nobody is accused.
doubts() {
	local want=$1 what=$2 who=$3 words=$4
	shift 4
	exits "$want" "$what" umpire_as "$who" "$@"
	like "$what: it says why" "$err" "$words"
	unlike "$what: nobody is accused" "$err" 'proves it|two different'
	is "$what: no file says so" \
		"$(find "$(player_data "$who")" -name '*.evidence*')" ''
}

fill late 8
fill early 5
exits 0 "who shows the record as it is is believed" umpire_as late show "$game"
exits 0 "also by those who have less of it" umpire_as early show "$game"

# Two lines of one number: the newest, the newest of a longer record, and the
# newest of a shorter one.
{
	first 7
	line 7 's/"at":"20[0-9][0-9]/"at":"2099/'
} >"$work/two"
fill late 8
before=$(cat "$(player_data late)/games/$game.jsonl")
show_lines "$work/two"
convicts late "another line of the same number" two-lines \
	'signed two different lines 7; this' show "$game"
like "both hashes are shown, ours" "$work/told" \
	"line 7, yours:  $(sed -n 8p "$work/lines" | tr -d '\n' | sha256sum |
		cut -c 1-64)"
like "and theirs" "$work/told" \
	"line 7, theirs: $(sed -n 8p "$work/two" | tr -d '\n' | sha256sum |
		cut -c 1-64)"
like "and when they came, as far as that is known" "$work/told" \
	'arrived at a time that was not kept'
is "the file holds their line" "$(jq -r '.line? // empty' <"$evidence" \
	2>/dev/null | head -n 1)" "$(tail -n 1 "$work/two")"
is "for its owner alone" "$(stat -c %a "$evidence")" 600
is "the copy is as it was" "$(cat "$(player_data late)/games/$game.jsonl")" \
	"$before"
sum=$(sha256sum <"$evidence")
for command in log watch export; do
	convicts late "and $command says so" two-lines 'two different' \
		$command "$game"
done
convicts late "and games says so" two-lines 'two different' games
convicts late "and no order is sent" two-lines 'Nothing was sent' \
	say "$game" hello
is "the file is written once" "$(sha256sum <"$evidence")" "$sum"
{
	first 7
	line 7 's/"at":"20[0-9][0-9]/"at":"2098/'
} >"$work/three"
show_lines "$work/three"
convicts late "a third line of that number" two-lines 'two different lines 7' \
	show "$game"
is "has a file of its own" "$(basename "$evidence")" "$game.evidence-2"
is "the first one stays" "$(sha256sum \
	<"$(player_data late)/games/$game.evidence")" "$sum"
exits 0 "export writes them beside the record" umpire_as late export "$game" \
	--offline -o "$work/exported" --json
is "and names them" "$(jq -c .evidence "$out")" \
	"[\"$work/exported.evidence\",\"$work/exported.evidence-2\"]"
exits 0 "which are as good there" "$UMPIRE" verify \
	--evidence "$work/exported.evidence-2"
like "whose key it is they leave to the reader" "$out" \
	'file cannot prove: compare'
exits 0 "who may name it" "$UMPIRE" verify --server "$(jq -r '.server? // empty' \
	<"$work/exported.evidence-2" | head -n 1)" \
	--evidence "$work/exported.evidence-2"
unlike "and then has no need to" "$out" 'compare it'
is "they are for their owner alone" \
	"$(stat -c %a "$work/exported.evidence-2")" 600
exits 0 "the record itself is a record" "$UMPIRE" verify "$work/exported"
exits 64 "evidence is not compared with another copy" "$UMPIRE" verify \
	--evidence "$work/exported.evidence" --against "$work/exported"
like "which says what may be added" "$err" 'no other option but --server'
exits 0 "evidence is known for what it is" "$UMPIRE" verify \
	"$work/exported.evidence"
like "and says what it proves" <(tr -s ' \n' ' ' <"$out") \
	'proves the server signed two different lines 7 of one game: it told two people two stories'
exits 1 "a record is no evidence" "$UMPIRE" verify --evidence "$work/exported"
exits 0 "among records it has a row" "$UMPIRE" verify "$work/exported" \
	"$work/exported.evidence"
like "with what it proves" "$out" 'exported\.evidence +two-lines'
exits 1 "two copies, as people compare them" "$UMPIRE" verify "$work/lines" \
	--against "$work/two" --no-rules
like "are told in words" "$out" \
	'^line 7: yours a chat of anna, theirs a chat of anna$'
like "which name what differs where the words do not" "$out" \
	'^They differ in at, mark\.$'
sed '1s/"line":"{/"line":" {/' "$work/exported.evidence" >"$work/forged"
exits 1 "evidence that was changed proves nothing" "$UMPIRE" verify \
	--evidence "$work/forged"
like "and that is said" "$err" 'proves nothing: the line is not signed'
jq -c --rawfile line "$work/lines" \
	'if .evidence then .line = ($line | split("\n")[7]) else . end' \
	<"$work/exported.evidence" >"$work/forged"
exits 1 "nor does the line that everybody holds" "$UMPIRE" verify \
	--evidence "$work/forged"

fill late 8
cp "$work/two" "$work/long"
after "$work/long" 7 >>"$work/long"
show_lines "$work/long"
convicts late "a longer record with another line" two-lines 'two different' \
	show "$game"
fill late 8
head -n 4 "$work/lines" >"$work/short"
line 4 's/"at":"20[0-9][0-9]/"at":"2099/' >>"$work/short"
show_lines "$work/short"
convicts late "a shorter record with another line" two-lines \
	'two different lines 4' show "$game"

# A next line that is not lawful, of each kind.  The first word of the file is
# what is wrong with it.
unlawful() {
	local what=$1 words=$2
	shift 2
	fill early 5
	{
		first 5
		line 5 "$@"
	} >"$work/bad"
	show_lines "$work/bad"
	convicts early "$what" unlawful "$words" show "$game"
}

unlawful "a line that breaks the chain" 'line 5 that is not lawful' \
	-e 's/"prev":"ff/"prev":"00/;t' -e 's/"prev":"../"prev":"ff/'
like "names the place" "$work/told" 'prev: not the hash of the line before'
unlawful "a time that goes back" 'line 5 that is not lawful' \
	's/"at":"20[0-9][0-9]/"at":"2001/'
like "names it, too" "$work/told" 'at: earlier than the line before'
unlawful "an order that its player did not sign" 'not lawful' \
	's/\\"kind\\":\\"chat\\"/\\"kind\\":\\"resign\\"/'
unlawful "events that the rules do not give" 'not lawful' \
	's/"events":\[\]/"events":[{"e":"turn"}]/'
unlawful "what is no line at all" 'not lawful' 's/"seq":5/"seq":"five"/'
fill early 6
{
	first 6
	sed -n 7p "$work/lines" | jq -c '.dice.proof |=
		(if startswith("02") then "03" else "02" end) + .[2:]' |
		"$tools/perjurer" mark "$dir"
} >"$work/bad"
show_lines "$work/bad"
convicts early "dice that are not those of this place" unlawful 'not lawful' \
	show "$game"

# Somebody who has no copy sees it, too.
convicts carl "dice that a stranger looks at" unlawful 'not lawful' \
	show "$game"

# A copy keeps when its lines came.
fill early 5
show_lines "$work/lines"
exits 0 "lines arrive" umpire_as early show "$game"
is "and when, each" "$(cut -d ' ' -f 1 \
	"$(player_data early)/games/$game.times" | paste -sd ' ')" '5 6 7'
{
	first 7
	line 7 's/"at":"20[0-9][0-9]/"at":"2099/'
} >"$work/two"
show_lines "$work/two"
convicts early "a line of which it is known when it came" two-lines \
	'two different' show "$game"
is "has that in its evidence" "$(jq -r .held_arrived "$out")" \
	"$(sed -n 's/^7 //p' "$(player_data early)/games/$game.times")"

# Nothing that is there is written over.
fill early 8
cp -r "$work/players/early" "$work/players/full"
rm -f "$(player_data full)/games/$game.evidence"
mkdir -p "$(player_data full)/games/$game.evidence/x"
for n in $(seq 2 3); do
	mkdir -p "$(player_data full)/games/$game.evidence-$n/x"
done
show_lines "$work/two"
exits 76 "what stands in the way is passed by" umpire_as full show "$game"
is "with the next free number" "$(basename "$(sed -n \
	's/^ *\(.*\.evidence[-0-9]*\)$/\1/p' "$err")")" "$game.evidence-4"

# ---- a server that has signed nothing of the kind ----

late_and_early() {
	fill late 8
	fill early 5
	rm -f "$(player_data early)"/games/*.evidence* \
		"$(player_data late)"/games/*.evidence*
	show_lines "$work/lines"
	echo "$1" >"$work/mode"
}

late_and_early plain
head -n 6 "$work/lines" >"$work/short"
show_lines "$work/short"
doubts 69 "fewer lines than the copy has" late \
	'fewer lines than your copy' show "$game"
like "what may have happened" "$err" 'restored from a backup'
doubts 69 "the same for an order" late 'Nothing was sent' say "$game" hello
doubts 69 "and for watching" late 'fewer lines' watch "$game"
late_and_early gone
doubts 69 "no such game" late 'does not know this game' show "$game"
doubts 69 "the same for an order" late 'Nothing was sent' say "$game" hello
late_and_early head
doubts 69 "a head that is no line's hash" late 'makes no sense' show "$game"
late_and_early empty
doubts 69 "a result without members" early 'makes no sense' show "$game"
late_and_early text
doubts 69 "no JSON" early 'not JSON-RPC' show "$game"
doubts 69 "the same for an order" late 'not JSON-RPC' say "$game" hello
late_and_early id
doubts 69 "an answer to something else" early 'was not asked' show "$game"
late_and_early plain
{
	first 5
	sed -n 6p "$work/lines" | sed 's/"at":"20[0-9][0-9]/"at":"2099/'
} >"$work/bad"
show_lines "$work/bad"
doubts 69 "a line that nobody has signed" early 'makes no sense' show "$game"
{
	first 7
	sed -n 8p "$work/lines" | sed 's/"at":"20[0-9][0-9]/"at":"2099/'
} >"$work/bad"
show_lines "$work/bad"
doubts 69 "the same in the place of one that is held" late 'makes no sense' \
	show "$game"
{
	first 5
	sed -n 7p "$work/lines"
} >"$work/bad"
show_lines "$work/bad"
doubts 69 "a line that is signed for another place" early 'makes no sense' \
	show "$game"
other=ff
[ "${game::2}" = ff ] && other=00
{
	first 5
	line 5 "s/\"game\":\"../\"game\":\"$other/"
} >"$work/bad"
show_lines "$work/bad"
doubts 69 "a line that is signed for another game" early 'makes no sense' \
	show "$game"

# Orders: they are kept.
for mode in fork recorded refused; do
	late_and_early $mode
	doubts 69 "an order, answered as by '$mode'" late 'the server' \
		say "$game" "hello, $mode"
	holds "which is kept" test -s "$(player_data late)/games/$game.pending"
	like "as is told" "$err" 'The order is kept, and no other'
done
late_and_early fork
{
	first 7
	line 7 's/"at":"20[0-9][0-9]/"at":"2097/'
} >"$work/two"
fill late 8

# ---- a server that is not there, or not itself ----

late_and_early busy
doubts 75 "a server in need" early 'want of memory' say "$game" hello
late_and_early garbage
doubts 69 "what speaks no TLS" early 'TLS failed' say "$game" hello
late_and_early unproved
doubts 77 "who does not prove the key" early 'does not prove' say "$game" hello
late_and_early plain
other=$(umpire_as bert init --json | filter .key)
umpire_as early init --server-key "${other^^}" >/dev/null
doubts 77 "who has another key" early 'not your server' say "$game" hello
exits 77 "then the own copy is of another server" umpire_as early show "$game" \
	--offline
like "which is said" "$err" "another server than this profile's"
unlike "rather than that it is damaged" "$err" 'damaged'
umpire_as erin init --server "$perjurer" >/dev/null
doubts 77 "who is not known yet" erin 'is not known yet' games --all
finish
