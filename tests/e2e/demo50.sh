#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# The demo works for every outcome of its dice: 5 plays (2 where things are
# slow, 50 with UMPIRE_LONG), each with new keys and so with new dice, two at a
# time.  Each must end well and leave a record that is good and finished, and
# the dice must not be the same in all.  In a terminal it asks nothing, stops
# nowhere, and waits for Enter with the address at its end.
. "${top_srcdir:?}/tests/lib.sh"
. "$top_srcdir/tests/tmux.sh"
need jq

plays=5
[ -z "${UMPIRE_LONG:-}" ] || plays=50
[ -z "${UMPIRE_SLOW:-}" ] || plays=2

# play NUMBER: one play in a folder of its own.
play() {
	"$top_srcdir/demo.sh" --programs "$top_builddir" --keep "$work/$1" \
		>"$work/$1.out" 2>&1 </dev/null
	echo $? >"$work/$1.status"
}
export -f play
export work top_srcdir top_builddir

seq "$plays" | xargs -P 2 -I N bash -c 'play N'

for i in $(seq "$plays"); do
	status=$(cat "$work/$i.status" 2>/dev/null)
	if [ "$status" != 0 ]; then
		fail "play $i ends well" "status $status"
		tail -n 30 "$work/$i.out" | sed 's/^/# /'
		continue
	fi
	run "$UMPIRE" verify --json "$work/$i/record.jsonl"
	if [ "$status" = 0 ] &&
		[ "$(jq -c '[.verdict, .finished, .combats]' "$out")" = \
			'["good",true,1]' ]; then
		pass "play $i leaves a good, finished record of one combat"
	else
		fail "play $i leaves a good, finished record of one combat"
		show_run
	fi
	like "play $i ends with an address to open" "$work/$i.out" \
		'^http://127\.0\.0\.1:[0-9]+/g/[0-9a-f]{12}/$'
	jq -c 'select(.dice != null) | .dice.rolls' "$work/$i/record.jsonl" \
		>>"$work/dice" 2>/dev/null
done

distinct=$(sort -u "$work/dice" | wc -l)
if [ "$distinct" -gt $((plays / 2)) ]; then
	pass "the dice differ from play to play"
else
	fail "the dice differ from play to play" "$distinct different rolls"
fi

term_open demo "$top_srcdir/demo.sh" --programs "$top_builddir"
term_wait_s=60 term_prompts "in a terminal it comes to its end by itself" \
	demo '^Open that address\. Enter ends the demo\.$'
like "the address is above that" <(term_screen demo) \
	'^http://127\.0\.0\.1:[0-9]+/g/[0-9a-f]{12}/$'
in_tmux capture-pane -pJ -S - -t =demo: |
	sed -e '/umpire:\/\//d' -e 's/ *$//' >"$work/screen"
unlike "nothing but an address is wider than the terminal" "$work/screen" \
	'^[ -~]{81}'
term_type demo '' Enter
term_exits "Enter ends it" demo 0
finish
