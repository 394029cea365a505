#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Words that were erased, as parts of pages have them: an address that stands
# for a part with them is gone, whoever follows is told which parts to drop, and
# a second gateway that knows less asks before it answers.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"

start_umpired "$work/umpired" || exit 99
write_example "$work"
enrol anna || exit 99
{
	set_up umpire_as bert init --server "$server" &&
		set_up umpire_as bert register bert --display "Bert Apfel" \
			--trust &&
		umpire_as anna new --roster "$work/roster.json" --name words &&
		game=$(umpire_as anna show words --json | filter .game) &&
		umpire_as bert join "$game" --name words --yes &&
		umpire_as anna ready words &&
		umpire_as anna say words "a Birne for all" &&
		umpire_as anna end-turn words --yes &&
		umpire_as bert say words "a Kirsche for me" &&
		umpire_as bert end-turn words --yes &&
		umpire_as anna declare words "$work/combat.json" --yes
} >"$work/play" 2>&1 </dev/null || {
	sed 's/^/# /' "$work/play"
	exit 99
}
page=/g/${game:0:12}/
start_web "$work/web" || exit 99
get "${page}at"
last=$(filter .seq <"$body")
is "nothing was erased yet" "$(filter .epoch <"$body")" 0

# follow NAME QUERY: a stream, into $work/NAME.
follow() {
	rm -f "$work/$1"
	curl -sN -m 60 -o "$work/$1" "$web${page}events?after=$last$2" &
	daemons="$daemons $!"
	wait_for 20 grep -q '^retry: ' "$work/$1"
}
# said NAME: the data of its last event of what was erased.
said() {
	grep -A 1 '^event: erased$' "$work/$1" | sed -n 's/^data: //p' |
		tail -n 1
}
# told NAME EPOCH: it has been told of so many.
told() {
	[ "$(said "$1" | filter .epoch)" = "$2" ]
}
# part NAME: $code and $body of that address.
part() {
	get "${page}p/$1"
}

get "${page}log.txt"
is "what was said is in the log" "$code $(grep -c Birne "$body")" "200 1"
before=$(header etag)
get "${page}record.jsonl"
record=$(header etag)
follow first ""
part "t1@$last"
is "a part has what was said" "$code $(grep -c Birne "$body")" "200 1"
part "t2@$last"
is "each its own" "$code $(grep -c Kirsche "$body")" "200 1"

# ---- a word in one part ----

line=$(umpire_as anna log words --json |
	jq '.[] | select(tostring | test("Birne")) | .seq')
exits 0 "its author erases a word" umpire_as anna erase words "$line" --yes
holds "who follows is told" wait_for 20 told first 1
is "which part to drop" "$(said first)" '{"epoch":1,"parts":["t1"]}'
part "t1@$last"
is "the part as it was is gone" "$code $(grep -c Birne "$body")" "410 0"
like "what is left of it is the answer" "$body" '\(erased\)'
unlike "and no page of an error" "$body" '<html'
is "for as long as words may be kept" \
	"$(header cache-control) $(header content-type)" \
	"public, max-age=60 text/html; charset=utf-8"
cp "$body" "$work/left"
get "${page}p/t1@$last" -H 'If-None-Match: *'
is "even to who has it" "$code" 410
part "t1@$last.1"
is "as it is now it is there" "$code" 200
holds "the same" cmp -s "$body" "$work/left"
for name in t2 t3 c1 now; do
	part "$name@$last"
	is "so is $name, as it was" "$code" 200
done
for name in "t1@$last.2" "t1@$last.0" "t1@$last.01" "t1@$last." \
	"t1@$last.x" "t1@$last.1.1" "t9@$last.1"; do
	part "$name"
	is "there is no $name" "$code" 404
done
for name in "" t/1 c/1 log.txt record.jsonl feed.atom embed l/1; do
	get "$page$name"
	is "other addresses are of what is there now: /$name" \
		"$code $(grep -c Birne "$body")" "200 0"
done
get "${page}at"
is "who asks is told, too" "$(filter .epoch <"$body")" 1
get "$page"
like "and the page says how many it lacks" "$body" ' data-epoch="1"'

# ---- a gateway that was started while the umpire is away ----

first_web=$web
first_dir=$web_dir
there=$server
start_web "$work/kept" || exit 99
get "${page}log.txt"
is "another gateway has what is left" "$code $(grep -c Birne "$body")" "200 0"
stop_web || fail "it ends well"
server=127.0.0.1:1
start_web_away || fail "it starts without the umpire"
get "${page}log.txt" -H "If-None-Match: $before"
is "nobody is told to keep what they had before" \
	"$code $(grep -c Birne "$body")" "200 0"
like "but gets what is here" "$body" 'anna: \(not held here\)'
get "${page}record.jsonl" -r 0-9 -H "If-Range: $record"
is "nor to go on with a part of it" "$code" 200
get "$page"
like "its page knows how many texts it lacks" "$body" ' data-epoch="1"'
get "${page}at"
is "and so does who asks where it is" "$(filter .epoch <"$body")" 1
for try in t1.0:410 t1.1:200 t2.0:200 t1.2:404; do
	name=${try%:*}
	suffix=.${name#*.}
	part "${name%.*}@$last${suffix#.0}"
	is "addresses stand for what they stood for: $name" "$code" "${try#*:}"
done
stop_web || fail "it ends well"
server=$there
# What is kept may be of an umpire that went back since, or be nothing at all.
for kept in 9 "9 texts" ""; do
	printf '%s\n' "$kept" >"$work/kept/cache/erased/$game"
	start_web "$work/kept" || exit 99
	get "${page}at"
	is "the umpire is asked anew, whatever was kept: $kept" \
		"$(filter .epoch <"$body")" 1
	part "t1@$last"
	is "and what is gone is gone" "$code" 410
	stop_web || fail "it ends well"
done
like "what it says is kept instead" "$work/kept/cache/erased/$game" \
	'^[0-9a-f]{64} 1$'
web=$first_web
web_dir=$first_dir

# ---- another one, and who was not there ----

line=$(umpire_as bert log words --json |
	jq '.[] | select(tostring | test("Kirsche")) | .seq')
exits 0 "another erases a word" umpire_as bert erase words "$line" --yes
holds "who follows is told" wait_for 20 told first 2
is "of that part alone" "$(said first)" '{"epoch":2,"parts":["t2"]}'
for try in t1.0:410 t1.1:200 t1.2:200 t2.0:410 t2.1:410 t2.2:200; do
	name=${try%:*}
	suffix=.${name#*.}
	part "${name%.*}@$last${suffix#.0}"
	is "each address by its own words: $name" "$code" "${try#*:}"
done
follow second "&epoch=0"
holds "a page from before learns of both" wait_for 20 told second 2
is "at once" "$(said second)" '{"epoch":2,"parts":["t1","t2"]}'
follow second "&epoch=1"
holds "one from between of the second" wait_for 20 told second 2
is "alone" "$(said second)" '{"epoch":2,"parts":["t2"]}'
follow third "&epoch=2"
follow fourth "&epoch=99"
follow fifth ""

# ---- a gateway that knows less ----

start_web "$work/other" || exit 99
get "${page}at"
umpire_as anna say words "a Pflaume" >/dev/null 2>&1
web=$first_web
wait_for 20 grep -q "^id: $((last + 1))\$" "$work/fifth"
web=http://127.0.0.1:$(head -n 1 "$work/other/port")
last=$((last + 1))
part "t3@$last.2"
is "another gateway has what the first one told of" \
	"$code $(grep -c Pflaume "$body")" "200 1"
part "t3@$((last + 1)).2"
is "but no more than there is" "$code" 404
exits 0 "a word goes" umpire_as anna erase words "$last" --yes
holds "as the first one tells" wait_for 20 told fifth 3
part "t3@$last.3"
is "the other shows it under no address that says it is gone" \
	"$code $(grep -c Pflaume "$body")" "200 0"
part "t1@$((last - 1))"
is "it knows what went before it came" "$code" 410
stop_web || fail "it ends well"
web_dir=$first_dir
web=$first_web
for name in third fourth; do
	wait_for 20 told "$name" 3
	is "who knew of two is told of the third: $name" "$(said "$name")" \
		'{"epoch":3,"parts":["t3"]}'
	is "and of nothing else" "$(grep -c '^event: erased$' "$work/$name")" 1
done

# ---- a name, which stands anywhere ----

exits 0 "somebody erases their name" umpire_as bert erase words 1 --yes
holds "who follows is told" wait_for 20 told first 4
is "of no part, but all" "$(said first)" '{"epoch":4}'
for name in t0 t2 c1 now; do
	part "$name@$last.3"
	is "all are gone as they were: $name" \
		"$code $(grep -c Apfel "$body")" "410 0"
	part "$name@$last.4"
	is "and there without it" "$code $(grep -c Apfel "$body")" "200 0"
done
unlike "nothing was wrong" "$work/web/log" ' error '

finish
