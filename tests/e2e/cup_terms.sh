#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# umpire tournament new: every term of a tournament by an option and, but for
# some of its games', by a question; both sign the same; wrong values and terms
# that bite are told in words.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_clocks
export UMPIRE_DATADIR=$top_srcdir/etc
spy=$top_srcdir/tests/e2e/terminal.py

hook now_ms "$fixed_now"
start_umpired "$work/umpired" || exit 99
enrol dina dora bert || exit 99

# opens WHAT ARGUMENT...: a case; dina opens a tournament.
opens() {
	local what=$1
	shift
	exits 0 "$what" umpire_as dina tournament new --yes "$@"
}

# signed: the args of the tournament that was opened last, without who and when.
signed() {
	local id
	id=$(sed -n 's|.*umpire://[^/]*/\([0-9a-f]*\)#.*|\1|p' "$out" | head -n 1)
	head -n 1 "$(player_data dina)/games/$id.tournament" |
		jq -S '.order | fromjson | .args | del(.director, .server_dice)'
}

# refuses WORDS ARGUMENT...: a case; they are no terms, in these words.
refuses() {
	local words=$1 got
	shift
	run umpire_as dina tournament new --yes --event Slip --swiss 3 \
		--roster lasalle2-evening "$@"
	got=$(tr '\n' ' ' <"$err")
	case "$status $got" in
	64*"$words"*) pass "refused: $*" ;;
	*) fail "refused: $*" "$status: $got; not: $words" ;;
	esac
}

# ---- wrong values ----

refuses "a number from 2 to 1000, not '1'" --max 1
refuses "a round, the last that somebody may still enter for" --late x
refuses "there are 3 rounds of the Swiss" --late 4
refuses "'D!' cannot be an account" --deputy 'D!'
refuses "points of a win, a draw and a loss, as 1,0.5,0" --points 2,1
refuses "points of a win, a draw and a loss" --points 1,0.25,0
refuses "points of a win, a draw and a loss" --points 11,1,0
refuses "a win must be worth more than a draw" --points 1,1,0
refuses "a loss must not be worth more than a draw" --points 3,0,1
refuses "two draws must not be worth more than a win and a loss" --points 3,2,0
refuses "one of win draw, not 'half'" --bye half
refuses "a number from 0 to 9, not '10'" --byes 10
refuses "a number from 0 to 30, not '-1'" --apart=-1
refuses "a number from 0 to 1000, not '50%'" --give-up 50%
refuses "there is no tie-break 'XX'" --ties DE,XX
refuses "DE is there twice" --ties DE,BH,DE
refuses "the time is from 1 h to 365 days, not '5m'" --checkin 5m
refuses "the time is a time like 3d" --gap soon
refuses "the time is from 1 day to 365 days, not '2h'" --round-time 2h
refuses "each of them is a date as 2026-12-05" --dates 2027-02-30
refuses "each of them is a date as 2026-12-05" --dates "2027-02-03 25:00"
refuses "each date must be later than the one before" --dates 2027-02-03,2027-02-03
refuses "there are 3 rounds, not 4" --dates 2027-02-03,2027-02-04,2027-02-05,2027-02-06
refuses "at least one date" --dates ,
refuses "one of points draw lose director, not 'win'" --over-time win
refuses "a number from 1 to 1000, not '0'" --margin 0
refuses "a number from 1 to 9, not '0'" --out-after 0
refuses "there is no roster for it" --scenario One --scenario Two
refuses "1 to 64 plain ASCII characters" --scenario Brücke
refuses "a ruling is NAME=VALUE, not 'flanks'" --house-rule flanks
refuses "their end is a date as 2026-12-05" --entries 2027-13-01
refuses "the time for entries is a time like" --entries never
exits 64 "what says nothing in a format is refused" umpire_as dina tournament \
	new --yes --event Slip --round-robin 1 --roster lasalle2-evening --bye draw
like "and named" "$err" "-bye says nothing in a tournament of this format"
exits 64 "dates of rounds that are paired at once" umpire_as dina tournament \
	new --yes --event Slip --round-robin 1 --at-once --dates 2027-02-03 \
	--roster lasalle2-evening
like "are refused, too" "$err" "--dates says nothing where all rounds"
exits 65 "a ruling that the system has not" umpire_as dina tournament new --yes \
	--event Slip --swiss 3 --roster lasalle2-evening --house-rule wet=yes
like "is refused, and where they are listed" "$err" "umpire rules lasalle2"
exits 65 "data that the system has not" umpire_as dina tournament new --yes \
	--event Slip --swiss 3 --roster lasalle2-evening --bag "$0"
like "are refused" "$err" "the system lasalle2 has no bag"

# ---- all of them ----

cd "$work" || exit 99
write_example .

opens "every term has an option" --event "All Cup" --swiss 4 --cut 4 --third \
	--roster lasalle2-evening --roster roster.json \
	--scenario "Bridge at dawn" --scenario Ridge \
	--house-rule garrison_has_flanks=yes --mirror --entries 2027-02-01 \
	--max 16 --admit --late 2 --late-half --rated --checkin 3d --start 4d \
	--round-time 10d --over-time draw --margin 50 --give-up 400 \
	--points 3,1,0 --bye draw --gap 2d \
	--dates "2027-02-10,2027-03-01 18:00,2027-03-20T18:00:00.000Z" \
	--notice 2d --review 3d --protest 4d --ruling 20d --byes 2 --byes-half \
	--out-after 2 --apart 1 --ties de,WON,BP --lots --pair-director \
	--deputy dora --deputy bert --clock 1d/order,then=forfeit \
	--scheme live-1 --secret sealed --silence forfeit --facts --director \
	--no-takeback --owner-field strength --delay 2t --private
signed >"$work/by-options"
jq -S '.scenarios |= map(.roster = "")' "$work/by-options" >"$work/got"
cat >"$work/wanted.json" <<'END'
{"apart":1,"bye":"draw","bye_points":"half","byes":2,"checkin_s":259200,
"clock":{"first_s":86400,"notice_s":8640,"per":"order","then":"forfeit"},
"confirm":"facts","cut":4,"dates":["2027-02-10T00:00:00.000Z",
"2027-03-01T18:00:00.000Z","2027-03-20T18:00:00.000Z"],
"deputies":["dora","bert"],"entry":{"admit":"director","late":2,
"late_points":"half","max":16,"until":"2027-02-01T00:00:00.000Z"},
"event":"All Cup","format":"swiss+knockout","gap_s":172800,"late":"draw",
"lots":true,"margin":50,"mirror":true,"notice_s":172800,"options":
{"delay":2,"director":true,"owner_fields":["strength"],"takeback":false},
"out_after":2,"pair":"director","points":{"draw":2,"loss":0,"win":6},
"private":true,"protest_s":345600,"resign":400,"review_s":259200,
"round_s":864000,"rounds":4,"rules":"lasalle2/1","ruling_s":1728000,
"scenarios":[{"name":"Bridge at dawn","roster":"","rulings":
{"garrison_has_flanks":true},"tables":[]},{"name":"Ridge","roster":"",
"rulings":{"garrison_has_flanks":true},"tables":[]}],"scheme":"live-1",
"secret":"sealed","seed":"rating","silence":"forfeit","start_s":345600,
"system":"lasalle2","third":true,"ties":["DE","WON","BP"]}
END
is "and all are signed as they were said" "$(cat "$work/got")" \
	"$(jq -S . "$work/wanted.json")"
for words in 'Bridge at dawn; garrison_has_flanks: yes' \
	'win 3, draw 1, loss 0; the bye counts a draw' \
	'round 2 not before 2027-03-01 18:00' 'secrets  sealed' \
	'a director sits in each game' 'deputies: dora, bert' \
	'at least 40.0 % of'; do
	like "they are shown: $words" "$out" "$words"
done

# ---- asked for ----

# asks ANSWER...: dina answers so; leaves $status and what was seen in $out.
asks() {
	local line
	rm -f "$work/tty"
	for line in "$@"; do
		printf 'wait []?] $\nkeys %s\r\n' "$line"
	done >"$work/typed"
	status=0
	player dina python3 "$spy" run "$work/tty" 80 "$UMPIRE" tournament new \
		<"$work/typed" 2>"$err" || status=$?
	tr -d '\r' <"$work/tty" >"$out"
}

asks "Asked Cup" 1d/order,then=forfeit 4 lasalle2-evening roster.json "" \
	never 2027-02-01 2h 10d maybe y 4 1 16 y 2 y y 'D!' 'dora bert' y y \
	1,1,0 3,1,0 draw 2 y 1 400 SB,X DE,WON,BP y 3d 4d 2d \
	"2027-02-10,2027-03-01 18:00,2027-03-20 18:00" draw 2d 2 4d 3d 20d y y y \
	y wet=yes garrison_has_flanks=yes "" 3 y
is "every question is answered" "$status $(cat "$err")" "0 "
signed >"$work/by-answers"
is "and what is signed is what options sign" \
	"$(jq -S 'del(.event, .margin, .options, .secret) |
		.scenarios |= map(.name = "")' "$work/by-answers")" \
	"$(jq -S 'del(.event, .margin, .options, .secret) |
		.scenarios |= map(.name = "")' "$work/by-options")"
for words in "a number from 2 to 1000, not '1'" "cannot be an account" \
	"a win must be worth more" "no tie-break 'X'" "not 'never'"; do
	like "what was wrong is asked again: $words" "$out" "$words"
done
python3 "$spy" long 80 "$work/tty" | grep -v "] 2027-02-10,2027" >"$work/long"
is "no line is too long for a terminal of 80 columns" "$(cat "$work/long")" ""
asks "Short Cup" "" "" lasalle2-evening "" "" "" n "" 2 y
is "who wants what is usual is asked little" "$status $(cat "$err")" "0 "
signed >"$work/short"
is "and gets it" "$(jq -c '[.format, .rounds, .round_s, .entry.max, .bye,
	.points, .dates, .mirror]' "$work/short")" \
	'["swiss",5,1209600,64,"win",null,null,false]'
asks "Ring" "" r 3 2 lasalle2-evening "" "" "" y "" "" "" "" "" y "" "" "" "" \
	"" "" "" "" "" "" "" "" "" "" "" "" "" n
is "one may go back at the end" "$status" 64
unlike "nobody is asked for what says nothing there" "$out" \
	'(Dates|left out of|no opponent gets|one may still enter|to the next)'
like "but for the cycles" "$out" 'once \(1\) or twice \(2\)'

# ---- terms that bite ----

# warns WORDS ARGUMENT...: a case; without --yes nothing is opened.
warns() {
	local words=$1 got
	shift
	run umpire_as dina tournament new --event Bite --roster lasalle2-evening \
		"$@"
	got=$(tr '\n' ' ' <"$err")
	case "$status $got" in
	64*"$words"*) pass "warned: $words" ;;
	*) fail "warned: $words" "$status: $got" ;;
	esac
}

warns "there will be fewer rounds" --swiss 5 --max 4
warns "12 entrants, as may be, have 11 rounds of 14 days each, 165 days in all" \
	--round-robin 1 --max 12
warns "have 22 rounds of 7 days each" --round-robin 2 --max 12 --at-once \
	--round-time 7d
warns "shorter than a day: who reads mail" --swiss 3 --checkin 2h
warns "--start is shorter than a day" --swiss 3 --start 5h
warns "without notice a claim has effect at once" --swiss 3 --notice 0s
warns "check-in may not be over at the date of round 1" --swiss 3 \
	--dates 2027-01-20
warns "From round 2 on there are no dates" --swiss 3 --dates 2027-05-01
warns "the date of round 2, 2027-05-02 00:00, comes before round 1 must be over" \
	--swiss 3 --dates 2027-05-01,2027-05-02
warns "a draw counts no more than a loss" --swiss 3 --points 3,0,0
warns "A loss has points, but not one by forfeit" --swiss 3 --points 3,2,1
warns "who gives up early saves the rest" --swiss 3 --give-up 0
warns "who is behind loses nothing more" --swiss 3 --over-time lose
is "nobody was asked, nothing was opened" \
	"$(umpire_as dina tournament list --all 2>&1 | grep -c -E 'Bite|Slip|Ring')" 0

stop_umpired || fail "umpired ends well"
finish
