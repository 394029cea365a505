#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What umpire-web finds of a tournament when it holds it against its games and
# works its pairings out again, and what it says of that.  tests/tools/liar is
# the server, with the daemon's keys, that does not tell the truth.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
need python3
with_hooks

dir=$work/umpired
start_umpired "$dir" -o tournament_create="dina" || exit 99
mkdir "$work/records"

# played CASE: of tests/e2e/tournament.py; $cup is the newest tournament.
played() {
	PORT=$port TOOLS=$tools PLAYERS=$work/keys HOOKS=$work/hooks \
		OUT=$work/records python3 \
		"$top_srcdir/tests/e2e/tournament.py" "$1" >"$work/played" 2>&1
	unlike "a $1 is played" "$work/played" '^fail'
}
# newest: the tournament that the lobby has first.
newest() {
	get /
	cup=$(grep -o 'href="/t/[0-9a-f]*/"' "$body" | head -n 1 | cut -d/ -f3)
	get "/t/$cup/record.jsonl"
	cp "$body" "$work/whole"
	grep '"mark":"' "$work/whole" >"$work/lines"
	n=$(($(wc -l <"$work/lines") - 1))
}
# found WHAT: a page of the tournament says so.
found() {
	get "/t/$cup/"
	grep -Eq "$1" "$body"
}

played knockout
start_web "$work/web" || exit 99
newest

# ---- what was checked ----

# checked: a page says what was checked, with nothing to be warned of.
checked() {
	get "/t/$cup/r/1"
	grep -q 'Checked up to line' "$body" && ! grep -q warning "$body"
}
holds "its pairings and games are checked behind its pages" wait_for 60 checked
like "the page says with how many games" "$body" \
	"all games \\($(grep -c '"what":"game"' "$work/whole")\\)\\."
like "and up to which line" "$body" \
	"up to line $(($(grep -c '"mark":' "$work/whole") - 1)):"
is "and at each of the games" "$(grep -c '</a>, checked' "$body")" \
	"$(grep -c '"what":"game","data":{"round":1,' "$work/whole")"
checker=$(pgrep -P "$web_pid" umpire-web-chk)
holds "it ends well" stop_web
wait_for 5 not_running "$checker"
holds "and so does the process that checks" not_running "$checker"
rm -r "$work/web/cache"
start_web "$work/web" || exit 99
checker=$(pgrep -P "$web_pid" umpire-web-chk)
kill -STOP "$checker"
# kept: a page that is all there, and whose bytes may be given again.
kept() {
	get "/t/$cup/"
	grep -qi '^etag:' "$head" && grep -q 'are not checked yet' "$body"
}
holds "before it is checked a page says so" wait_for 20 kept
kill -9 "$checker"
holds "without what checks it, a page that was kept is made anew, and says so" \
	wait_for 20 found 'are not checked here'
like "and the log says why" "$work/web/log" \
	'error.*verifies tournaments .* has ended'
holds "the rest ends well" stop_web

# ---- games ----

# Games that it does not show, while it does show the tournament.
start_liar || exit 99
cat >"$work/script" <<-END
	{"game.record": {"error": {"code": 1, "message": "none",
	"data": {"name": "not-found"}}}}
END
start_web "$work/hidden" || exit 99
games=$(grep -c '"what":"game"' "$work/whole")
holds "results without games stand as they are told, and a page says so" \
	wait_for 60 found "<strong>$games more could not be read here</strong>"
get "/t/$cup/r/1"
like "at each of them" "$body" '</a>, not to be read here'
stop_web
# A result that is not that of its game.
at=$(grep -n '"what":"result"' "$work/lines" | head -n 1 | cut -d: -f1)
head -n $((at - 1)) "$work/lines" >"$work/other"
sed -n "${at}p" "$work/lines" |
	sed 's/"result":"1","bp":500/"result":"2","bp":-500/' |
	"$tools/perjurer" mark "$dir" >>"$work/other"
lie "$work/other"
start_web "$work/bent" || exit 99
holds "a result that its game does not have is found out" \
	wait_for 60 found '<strong>This tournament does not hold.</strong>'
like "with its line" "$body" "line $((at - 1)):"
get "/t/$cup/evidence.jsonl"
is "the tournament alone does not prove it" "$code" 404
echo '{}' >"$work/script"
stop_web

# A result that is kept back, while its game is over.
head -n $((at - 1)) "$work/lines" >"$work/other"
lie "$work/other"
start_web "$work/late" || exit 99
holds "a result that is kept back is found out" \
	wait_for 60 found 'the game is over, and its result is missing'
echo '{}' >"$work/script"
holds "until it is told" wait_for 60 checked
is "for which nobody is accused" "$(get "/t/$cup/evidence.jsonl"; echo "$code")" \
	404
stop_web

# A pairing that is not the one that the rules give.
knockout=$cup
cp "$work/lines" "$work/knockout"
played few
start_web "$work/swiss" || exit 99
newest
stop_web
at=$(grep -n '"e":"pairing"' "$work/lines" | head -n 1 | cut -d: -f1)
head -n $((at - 1)) "$work/lines" >"$work/other"
lie "$work/other"
start_web "$work/paired" || exit 99
holds "what comes before a pairing is checked" \
	wait_for 60 found "up to line $((at - 2)):"
sed -n "${at}p" "$work/lines" |
	sed -E 's/"tables":\[\[([0-9]),([0-9])\]/"tables":[[\2,\1]/' |
	"$tools/perjurer" mark "$dir" >>"$work/other"
lie "$work/other"
holds "a pairing that is not lawful is found out" \
	wait_for 60 found '<strong>This tournament does not hold.</strong>'
get "/t/$cup/evidence.jsonl"
proof "unlawful $((at - 1))"
stop_web

# ---- what was verified before ----

# Three times with another line, the last of which names no game, and beside
# another tournament.
few=$cup
few_games=$(grep -c '"what":"game"' "$work/whole")
cup=$knockout
n=$(wc -l <"$work/knockout")
games=$(grep -c '"what":"game"' "$work/knockout")
head -n $((n - 2)) "$work/knockout" >"$work/other"
lie "$work/other"
start_web "$work/again" || exit 99
holds "without its last lines it is checked" \
	wait_for 60 found "up to line $((n - 3)):"
is "with its games" "$(metric tournament_games_verified_total)" "$games"
is "for the first time" "$(metric tournament_games_found_total)" 0

# turn N: so many have their turn, as somebody looks at the page.
turn() {
	get "/t/$cup/"
	[ "$(metric tournaments_checking)" = "$1" ]
}
process=$(pgrep -P "$(pgrep -P "$web_pid" umpire-web-chk)")
kill -STOP "$process"
head -n $((n - 1)) "$work/knockout" >"$work/other"
lie "$work/other" $((n - 3))
holds "one whose check does not end" wait_for 60 turn 1
cup=$few
holds "does not hold up another" wait_for 60 found 'Checked up to line'
cup=$knockout
found "up to line $((n - 3)):" || fail "it is not checked" "$process"
# Meanwhile a game of it gets a line that only a newer umpire could judge.
game=$(grep '"what":"game"' "$work/knockout" | sed -n 2p | jq -r .data.game)
grep '"mark":"' "$web_dir/cache/lines/$game" >"$work/game"
printf '{"v":1,"game":"%s","seq":%d,"prev":"%s","at":"%s","kind":"server","what":"later","data":{},"events":[],"mark":"%0128d"}\n' \
	"$game" "$(wc -l <"$work/game")" \
	"$(tail -n 1 "$work/game" | tr -d '\n' | sha256sum | cut -c 1-64)" \
	"$(tail -n 1 "$work/game" | jq -r .at)" 0 |
	"$tools/perjurer" mark "$dir" >>"$web_dir/cache/lines/$game"
kill -CONT "$process"
holds "and is checked when it goes on" \
	wait_for 60 found "up to line $((n - 2)):"
is "games that were verified are not verified again" \
	"$(metric tournament_games_verified_total)" $((games + few_games + 1))
is "as they are what they were" "$(metric tournament_games_found_total)" \
	$((games - 1))
like "a game that cannot be judged is none that was checked" "$body" \
	'<strong>Not all could be judged</strong>: line [0-9]+: '
get "/t/$cup/r/1"
is "as the page says at it" "$(grep -c '</a>, not to be judged here' "$body")" 1
game=$(grep -m 1 '"what":"game"' "$work/knockout" | jq -r .data.game)
sed -i 's/"mark":"0/"mark":"f/; t
	s/"mark":"./"mark":"0/' "$web_dir/cache/lines/$game"
echo '{}' >"$work/script"
holds "one whose bytes are others by now is verified again" \
	wait_for 60 found '<strong>This tournament does not hold.</strong>'
like "and does not hold" "$body" "its line 1 is bad"
holds "nothing but what checks has ended by itself" stop_web

finish
