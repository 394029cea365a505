#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Words of people at all addresses of umpire-web: what could be markup is none
# there, which the same program without escaping shows, and what was erased is
# nowhere, nor where caches could keep it for long.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/report_game.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
need python3

word=Pfeffernuss
report_game "$work/record" || exit 99
hostile=$game
{
	set_up umpire_as eric init --server "$server" &&
		set_up umpire_as eric register eric --display "$word E." --trust &&
		umpire_as anna new --roster "$work/roster.json" --name words \
			--event Baking &&
		game=$(umpire_as anna show words --json | filter .game) &&
		umpire_as eric join "$game" --name words --yes &&
		umpire_as anna ready words &&
		umpire_as anna say words "a $word, please" &&
		umpire_as anna roll words 2d6 --for "the $word" &&
		umpire_as anna offer words draw --why "no $word" &&
		umpire_as anna declare words "$work/combat.json" --yes &&
		umpire_as eric say words "my $word is good"
} >"$work/play" 2>&1 </dev/null || {
	sed 's/^/# /' "$work/play"
	exit 99
}
# A tournament whose title, scenario and words are of that kind; names of people
# and clubs cannot be.
{
	umpire_as anna tournament new --event '<i>Cup of "<script>q' --swiss 2 \
		--roster "$work/hostile.json" --scenario '"><b onclick=x>' \
		--entries 30d --yes &&
		cup=$(umpire_as anna tournament list --json |
			jq -r '[.. | .tournament? // empty][0]') &&
		umpire_as anna tournament enter "$cup" --yes &&
		umpire_as bert tournament enter "$cup" --yes &&
		umpire_as bert tournament say "$cup" '<script>q</script>' --yes &&
		umpire_as anna tournament shut "$cup" --yes &&
		umpire_as anna tournament checkin "$cup" --yes &&
		umpire_as bert tournament checkin "$cup" --yes &&
		umpire_as anna tournament start "$cup" --yes &&
		umpire_as anna tournament pair "$cup" --yes
} >>"$work/play" 2>&1 </dev/null || {
	sed 's/^/# /' "$work/play"
	exit 99
}
"$UMPIRE_WEB" --routes >"$work/routes"

# crawl WORD: all that is there, in $work/crawl.
crawl() {
	python3 "$top_srcdir/tests/e2e/web_words.py" "${web##*:}" \
		"$work/routes" "$1" "${hostile:0:12}" "${game:0:12}" \
		"cup=${cup:0:12}" name=anna \
		name=bert name=eric event=Baking 'event=<i>Cup' \
		>"$work/crawl" 2>"$work/crawl.err" ||
		fail "web_words.py: $(tail -n 1 "$work/crawl.err")"
}
# crawled FILTER: what jq makes of it.
crawled() {
	jq -c "$1" "$work/crawl"
}

# ---- what could be markup ----

start_web "$work/web" || exit 99
crawl "$word"
holds "all addresses are read" test "$(crawled .pages)" -ge 150
is "nothing of a stranger's is markup" "$(crawled .markup)" '[]'
holds "the words are found" test "$(crawled '.found | length')" -ge 12
is "but where caches keep nothing for long" "$(crawled .kept_long)" '[]'
cp "$work/crawl" "$work/before"
stop_web || fail "it ends well"

# The control: the same sources, but for those that escape.
UMPIRE_WEB=$tools/gateway_bare start_web "$work/bare" || exit 99
crawl "$word"
holds "without escaping it would be, in page after page" \
	test "$(crawled .n_markup)" -ge 20
holds "in those of tournaments, too" test "$(crawled .n_cups)" -ge 5
stop_web
start_web "$work/web" || exit 99

# ---- what was erased ----

lines=$(umpire_as anna log words --json |
	jq -r '.[] | select(.kind != "ready" and (tostring |
		test("'"$word"'"))) | "\(.account) \(.seq)"')
[ "$(wc -l <<<"$lines")" -ge 5 ] || fail "five lines have the word" "$lines"
while read -r who line; do
	exits 0 "line $line is erased by $who" umpire_as "$who" erase words \
		"$line" --yes
done <<<"$lines"
# erased: no address has the word any more.
erased() {
	crawl "$word"
	[ "$(crawled '.found | length')" = 0 ]
}
holds "it is nowhere any more" wait_for 30 erased
is "wherever it was" "$(crawled '.found | keys')" '[]'
holds "as many addresses are read" test "$(crawled .pages)" -ge \
	"$(jq .pages "$work/before")"
holds "nor does the disk have it" test -z "$(grep -rl "$word" "$work/web/cache")"
stop_web || fail "it ends well, too"
unlike "nothing was wrong" "$work/web/log" ' error '
# forgotten: they are not on the disk of the gateway that was not told.
forgotten() {
	! grep -rq "$word" "$work/bare/cache"
}
holds "one that was not told has it" grep -rq "$word" "$work/bare/cache"
start_web "$work/bare" || exit 99
holds "until it has a connection, though nobody asks for a page" \
	wait_for 20 forgotten
is "none of what has no erased words is dropped" \
	"$(find "$work/bare/cache/lines" -name "$hostile*" | wc -l)" 1
stop_web || fail "it ends well, as well"

finish
