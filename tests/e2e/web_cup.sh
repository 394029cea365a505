#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Tournaments as umpire-web shows them: their pages; what of them is on the disk;
# the proof when the server tells two histories of one.  tests/tools/liar is that
# server, with the daemon's keys.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
. "$top_srcdir/tests/e2e/server_line.sh"
need python3
with_hooks

dir=$work/umpired
init_umpired "$dir" -o admin_socket=admin.sock \
	-o tournament_create="dina vera kurt" || exit 99
start_umpired "$dir" || exit 99
mkdir "$work/records"
PORT=$port TOOLS=$tools PLAYERS=$work/keys HOOKS=$work/hooks \
	OUT=$work/records python3 "$top_srcdir/tests/e2e/tournament.py" knockout \
	>"$work/played" 2>&1
unlike "a knockout is played" "$work/played" '^fail'
start_web "$work/web" || exit 99
get /
cup=$(grep -o 'href="/t/[0-9a-f]*/"' "$body" | head -n 1 | cut -d/ -f3)
holds "the lobby leads to it" test -n "$cup"
for page in "" standings crosstable r/1 why/1; do
	get "/t/$cup/$page"
	is "there is its page /$page" "$code" 200
	like "which is whole" "$body" '</html>$'
done
get "/t/$cup/at"
is "scripts are told how it stands" "$(jq -c '[.seq, .over]' "$body")" \
	"[$(($(grep -c '"mark":"' "$work/records/knockout/tournament.jsonl") - 1)),true]"
like "and who has won" "$body" '"now": *"It is over. [a-z]* has won."'
mark=$(filter .mark <"$body")
get "/t/$cup/"
like "as the page is marked that they follow" "$body" \
	"data-cup=\"$cup\" data-mark=\"$(echo "$mark" | cut -d- -f1)-"
like "which says who has won" "$body" '<h2 id="result">Result</h2>'
like "and how to take its record home" "$body" 'href="/t/[0-9a-f]*/record.jsonl"'
for page in r/99 why/99 r/0 x; do
	get "/t/$cup/$page"
	is "there is no /$page" "$code" 404
done
get "/t/${cup:0:8}/"
is "fewer digits lead there" "$code $(header location)" "301 /t/$cup/"
get "/t/000000000000/"
is "another is not there" "$code" 404
# bare FILE: a page without what changes when its games are checked.
bare() {
	sed 's/ data-mark="[^"]*"//; s/, checked//; /class="checked"/d' "$1"
}
# All at once: each is made in steps, in turn.
pages=(index standings crosstable r/1 why/1 why/2)
for page in "${pages[@]}"; do
	get "/t/$cup/${page#index}"
	bare "$body" >"$work/page-${page//\//-}"
done
stop_web
start_web "$work/web" || exit 99
get "/t/$cup/record.jsonl"
all=(-s --parallel --parallel-immediate)
for page in "${pages[@]}"; do
	all+=("$web/t/$cup/${page#index}" -o "$work/all-${page//\//-}")
done
curl "${all[@]}"
for page in "${pages[@]}"; do
	bare "$work/all-${page//\//-}" >"$work/now"
	holds "/$page is the same when all are asked for at once" \
		cmp "$work/page-${page//\//-}" "$work/now"
done
get "/t/$cup/record.jsonl"
is "its record can be taken home" "$code" 200
head -n 1 "$body" >"$work/first"
whole=$(grep -rlFf "$work/first" "$work/records" | head -n 1)
holds "as umpire has it" cmp -s "$body" "$whole"
"$UMPIRE_WEB" --routes >"$work/routes"
python3 "$top_srcdir/tests/e2e/web_crawl.py" "$web" "$work/routes" nothing \
	"cup=$cup" >"$work/crawl" 2>"$err"
is "no link leads nowhere" "$(grep '^broken' "$work/crawl"; cat "$err")" ""

# ---- the disk ----

whole_id=$(jq -r .tournament "$work/first")
kept=$work/web/cache/cups/$whole_id
holds "its lines are on the disk" test -s "$kept"
get "/t/$cup/standings"
is "its pages have a tag" "$code" 200
tag=$(header etag)
holds "it ends well" stop_web
stop_umpired
start_web_away
get "/t/$cup/standings"
is "what was read is shown while the umpire is away" "$code" 503
like "whole" "$body" '</table>'
get "/t/$cup/record.jsonl"
holds "and given away" cmp -s "$body" "$whole"
stop_web
start_umpired "$dir" || exit 99
# Half a line is what a crash leaves; a line that is not what it was is noticed.
tail -n 1 "$kept" | head -c 100 >>"$kept"
start_web "$work/web" || exit 99
get "/t/$cup/record.jsonl"
holds "half a line on the disk does no harm" cmp -s "$body" "$whole"
stop_web
sed -i '3s/"at":"2/"at":"3/' "$kept"
start_web "$work/web" || exit 99
get "/t/$cup/record.jsonl"
holds "nor does one that is damaged" cmp -s "$body" "$whole"
get "/t/$cup/evidence.jsonl"
is "for which nobody is accused" "$code" 404
ref=$(grep '"thank you all"' "$whole" | filter .text)
is "words that somebody said are on the disk" \
	"$(grep -c 'thank you all' "$kept")" 1
cp -r "$work/web" "$work/untold"
exits 0 "they are erased" "$UMPIRE" admin erase "$cup" "$ref" --why rude --yes \
	--socket "$dir/admin.sock"
erased() {
	! grep -q 'thank you all' "$kept"
}
holds "and go from the disk at once" wait_for 20 erased
get "/t/$cup/record.jsonl"
unlike "and from the record" "$body" 'thank you all'
cp "$body" "$work/whole"
# What a director gave as a reason, on a page.
PORT=$port TOOLS=$tools PLAYERS=$work/keys HOOKS=$work/hooks \
	OUT=$work/records python3 "$top_srcdir/tests/e2e/tournament.py" few \
	>"$work/played" 2>&1
unlike "a Swiss is played" "$work/played" '^fail'
stop_web
# forgotten: they are not on the disk of a gateway that was not told.
forgotten() {
	! grep -rq 'thank you all' "$work/untold/cache/cups"
}
holds "one that was not told has them" \
	grep -rq 'thank you all' "$work/untold/cache/cups"
start_web "$work/untold" || exit 99
holds "until it has a connection, though nobody asks for a page" \
	wait_for 20 forgotten
stop_web
start_web "$work/web" || exit 99
get /
few=$(grep -o 'href="/t/[0-9a-f]*/"' "$body" | head -n 1 | cut -d/ -f3)
get "/t/$few/"
like "a ruling stands there with its reason" "$body" \
	'round [0-9]*, table [0-9]*: [^<]*</td><td class="why"><bdi>agreed</bdi>'
get "/t/$few/record.jsonl"
ref=$(grep '"agreed"' "$body" | filter .text)
exits 0 "it is erased" "$UMPIRE" admin erase "$few" "$ref" --why rude --yes \
	--socket "$dir/admin.sock"
gone() {
	get "/t/$few/"
	grep -q 'table [0-9]*: [^<]*</td><td class="why">(erased)' "$body"
}
holds "and is gone from the page" wait_for 20 gone
holds "it ends well" stop_web

# ---- a server that tells two histories ----

start_liar || exit 99
grep '"mark":"' "$work/whole" >"$work/lines"
n=$(($(wc -l <"$work/lines") - 1))

# convicted: the evidence is there; what is asked is two seconds old at most.
convicted() {
	get "/t/$cup/"
	get "/t/$cup/evidence.jsonl"
	[ "$code" = 200 ]
}
# begin NAME: a reader without a past sees what is true.
begin() {
	echo '{}' >"$work/script"
	start_web "$work/$1" || exit 99
	get "/t/$cup/record.jsonl"
	cmp -s "$body" "$work/whole"
}
holds "an honest server's record is shown" begin two
get "/t/$cup/evidence.jsonl"
is "against it there is no evidence" "$code" 404
get "/t/$cup/standings"
tag=$(header etag)
head -n "$n" "$work/lines" >"$work/other"
tail -n 1 "$work/lines" | sed 's/"at":"[0-9]*/"at":"2099/' |
	"$tools/perjurer" mark "$dir" >>"$work/other"
lie "$work/other"
holds "a second history is found out" wait_for 20 convicted
cp "$body" "$work/evidence"
proof "two-lines $n"
is "the operator's socket counts it" "$(metric tournament_forks_total)" 1
for page in "" standings crosstable r/1 why/1; do
	get "/t/$cup/$page"
	is "the page /$page is there still" "$code" 200
	like "and says where the proof is" "$body" \
		"href=\"/t/$cup/evidence.jsonl\""
done
get "/t/$cup/standings" -H "If-None-Match: $tag"
is "whoever had the page is not told that it is the same" "$code" 200
get "/t/$cup/record.jsonl"
holds "the record is as it was" cmp -s "$body" "$work/whole"
stop_web
start_web "$work/two" || exit 99
get "/t/$cup/evidence.jsonl"
holds "the proof stays" cmp -s "$body" "$work/evidence"
get "/t/$cup/record.jsonl"
holds "and so does what was told first" cmp -s "$body" "$work/whole"
stop_web

# A next line that the server has signed, and that is not lawful.
holds "another reader comes" begin unlawful
server_line result '{"round":1,"table":1}' >"$work/next"
cat "$work/lines" "$work/next" >"$work/other"
lie "$work/other"
holds "a line that is not lawful is found out" wait_for 20 convicted
proof "unlawful $((n + 1))"
get "/t/$cup/record.jsonl"
holds "and is not shown" cmp -s "$body" "$work/whole"
stop_web

# Lines that nobody has signed prove nothing.
holds "and another" begin nonsense
sed 's/"mark":"..../"mark":"0000/' "$work/next" >"$work/bare"
cat "$work/lines" "$work/bare" >"$work/other"
lie "$work/other"
warned() {
	get "/t/$cup/"
	grep -q 'makes no sense' "$body"
}
holds "what is not signed is not taken" wait_for 20 warned
get "/t/$cup/evidence.jsonl"
is "and proves nothing" "$code" 404
head -n "$n" "$work/lines" >"$work/other"
lie "$work/other"
fewer() {
	get "/t/$cup/"
	grep -q 'has fewer lines' "$body"
}
holds "nor does it that there are fewer lines" wait_for 20 fewer
get "/t/$cup/evidence.jsonl"
is "which is no lie" "$code" 404
get "/t/$cup/record.jsonl"
holds "what was told before stays" cmp -s "$body" "$work/whole"
echo '{"tournament.record": {"result": {"lines": [1, 2, 3], "side": [4]}}}' \
	>"$work/script"
holds "nor is what has no form at all" wait_for 20 warned
echo '{}' >"$work/script"
healed() {
	get "/t/$cup/"
	! grep -q 'class="warning"' "$body"
}
holds "until it is told again" wait_for 20 healed
stop_web

# Side lines that no line names.
holds "somebody else comes" begin sides
had=$(metric tournaments_bytes)
python3 -c 'import hashlib, json
for n in range(800):
    value = "%d " % n + "x" * 1000
    print(json.dumps({"blob": hashlib.sha256(
        b"umpire/blob/1\0" + value.encode()).hexdigest(), "value": value},
        separators=(",", ":")))' >"$work/texts"
lie "$work/lines"
jq -c --arg n "$n" --rawfile s "$work/texts" '."tournament.record".from[$n] |=
	(.result.side = ($s | rtrimstr("\n") | split("\n")))' \
	"$work/script" >"$work/script.new"
mv "$work/script.new" "$work/script"
# grown: what the tournament takes in memory counts them.
grown() {
	get "/t/$cup/"
	[ $(($(metric tournaments_bytes) - had)) -gt 1600000 ]
}
holds "what the server says besides counts, too" wait_for 20 grown
get "/t/$cup/record.jsonl"
holds "and stands in no record" cmp -s "$body" "$work/whole"
stop_web

# The last lines were lost, and the server says so.
holds "and one more" begin lost
head -n $((n - 1)) "$work/lines" >"$work/before"
server_line restored "{\"seq\":$((n - 1))}" "$work/before" >"$work/restored"
cat "$work/before" "$work/restored" >"$work/other"
lie "$work/other"
lost() {
	get "/t/$cup/record.jsonl"
	grep -qxFf "$work/restored" "$body"
}
holds "a history in which lines were lost is shown" wait_for 20 lost
is "after those before it" "$(grep '"mark":"' "$body" | head -n -1)" \
	"$(cat "$work/before")"
get "/t/$cup/"
like "with the proof that there was another" "$body" \
	'has signed another history .* before.*evidence.jsonl'
get "/t/$cup/evidence.jsonl"
proof "two-lines $((n - 1))"
stop_web

finish
