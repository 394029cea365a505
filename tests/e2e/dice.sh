#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# The attack on the dice: sign the order again with another nonce, other
# spacing and another order of members until the dice please. Every commit
# fails, so each is answered "storage"; the dice that each would have had, and
# those that are recorded in the end, are all the same.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks

db=$work/umpired/umpired.db
start_umpired "$work/umpired" || exit 99
enter anna bert || exit 99

# restart: another process with the same database, and new connections.
restart() {
	close_session anna
	close_session bert
	stop_umpired || fail "the daemon stops cleanly"
	start_umpired "$work/umpired" || exit 99
	session anna anna
	session bert bert
	ask anna login anna
	ask bert login bert
}

# attack WHO SEAT KIND ARGS PLACE N: N orders for the place while no commit
# works, with a restart half way, and one more when it does.
attack() {
	local who=$1 text n=$6
	look anna
	text=$(order_text "$2" "$3" "$4" "$5")
	: >"$lines"
	tables "$db" >"$work/before"
	hook fail_commits -1
	ask "$who" pool "$pool"
	ask "$who" vary $((n / 2)) "$text"
	is "$3: all are answered storage" "$reply" "{\"storage\":$((n / 2))}"
	restart
	ask "$who" pool "$pool"
	ask "$who" vary $((n - n / 2)) "$text"
	is "$3: also by another process" "$reply" \
		"{\"storage\":$((n - n / 2))}"
	tables "$db" >"$work/after"
	exits 0 "$3: nothing is recorded" cmp "$work/before" "$work/after"
	hook fail_commits 0
	ask "$who" vary 1 "$text"
	is "$3: the last one is recorded" "$reply" '{"line":1}'

	jq -r .order "$lines" >"$work/texts"
	is "$3: each had its own nonce" \
		"$(jq -r .nonce "$work/texts" | sort -u | wc -l)" $((n + 1))
	is "$3: and its own bytes" "$(jq -c .order "$lines" |
		sed 's/\\"nonce\\":\\"[0-9a-f]*//' | sort -u | wc -l)" \
		"$(jq -c .order "$lines" | wc -l)"
	is "$3: each came to its dice" \
		"$(jq -r '.dice.rolls | length > 0' "$lines" | grep -c true)" \
		$((n + 1))
	is "$3: they are the same dice" \
		"$(jq -c .dice "$lines" | sort -u | wc -l)" 1
	is "$3: and the same combat" \
		"$(jq -c .events "$lines" | sort -u | wc -l)" 1
	look anna
	ask anna call game.record "{\"game\":\"$game\",\"from\":$seq}"
	is "$3: they are those in the record" \
		"$(of '.result.lines[0] | fromjson | .dice | tojson')" \
		"$(head -n 1 "$lines" | filter .dice)"
	diag "$3: $(head -n 1 "$lines" | jq -c '[.dice.rolls[].dice]')"
}

# A declaration that rolls at once.
forge_game anna bert || exit 99
args=$(jq -c '{combat: {attackers: .attackers[:2], defenders: .defenders[:2],
	contacts: .contacts[:2]}}' "$work/combat.json")
attack anna 1 declare "$args" c/1/austrian-1/1/1 "$(some 300 60 1000)"

# A decision that lets the dice fall: the second game's dice are others.
first=$(head -n 1 "$lines" | filter .dice)
forge_game anna bert || exit 99
give anna 1 declare "{\"combat\":$(jq -c . "$work/combat.json")}" \
	c/1/austrian-1/1/1
is "the example's declaration rolls nothing" \
	"$(of '.result.line | fromjson | has("dice")')" false
attack bert 2 decide '{"ask":4,"decision":{"kind":"retire","units":[]}}' \
	c/1/austrian-1/1/1 "$(some 100 20 200)"
if [ "$(head -n 1 "$lines" | filter .dice)" != "$first" ]; then
	pass "another game has other dice"
else
	fail "another game has other dice"
fi

stop_umpired
is "the daemon stops cleanly" $? 0
exits 0 "what it holds agrees with itself" "$top_builddir/umpired" \
	-c "$work/umpired/umpired.conf" --check
finish
