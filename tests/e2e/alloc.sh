#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Memory that runs out anywhere in an order: the first allocation fails, the
# second, and so on until the order no longer comes to the one that would.
# There is always an answer or an end, never a crash, the same bytes then
# succeed, and the dice are the same all the time.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_hooks

db=$work/umpired/umpired.db
start_umpired "$work/umpired" || exit 99
enter anna bert || exit 99
forge_game anna bert || exit 99
declare -A answers
all=$(some 40 12)
seed=$RANDOM
RANDOM=$seed
diag "allocations are taken by seed $seed"

# next_n: which allocation comes after number $n: at first the next one, later
# by chance one of the next few.
next_n() {
	if [ "$n" -lt "$all" ]; then
		n=$((n + 1))
	else
		n=$((n + 1 + RANDOM % (1 + n / 6)))
	fi
}

# attempt WHO N [NAME NUMBER]...: sends $params while allocation N fails;
# leaves $answer, "line", an error's name or "closed", and in $left what is
# left of N: more than 0 if the order did not come to it.
attempt() {
	local who=$1 failing=$2
	shift 2
	hook "$@" alloc_n "$failing"
	ask "$who" call game.order "$params"
	left=$(hook alloc_n)
	hook alloc_n 0 alloc_sticky 0
	read -r answer < <("$tools/pick" '.error.data.name?' '.failed?' \
		'.result.seq?' <<<"$reply")
	[[ $answer != [0-9]* ]] || answer=line
	answers[$answer]=$((${answers[$answer]:-0} + 1))
	case $answer in
	line | storage | busy) ;;
	closed)
		close_session "$who"
		session "$who" "$who"
		ask "$who" login "$who"
		;;
	*)
		fail "allocation $failing: a defined answer" "$reply"
		;;
	esac
	if ! kill -0 "$daemon"; then
		fail "allocation $failing: the daemon lives"
		tail -n 30 "$work/umpired/log" | sed 's/^/# /'
		finish
	fi
}

# sum WHAT: says how often which answer came, and forgets it.
sum() {
	local a text=
	for a in "${!answers[@]}"; do
		text="$text, ${answers[$a]} $a"
	done
	diag "$1, up to allocation $n: ${text:2}"
	answers=()
}

# ---- an order with dice, that is never committed ----

args=$(jq -c '{combat: {attackers: .attackers[:2], defenders: .defenders[:2],
	contacts: .contacts[:2]}}' "$work/combat.json")
look anna
ask anna pool "$pool"
ask anna sign "$(order_text 1 declare "$args" c/1/austrian-1/1/1)"
params=$reply
: >"$lines"
tables "$db" >"$work/before"
for sticky in 0 1; do
	n=1
	left=0
	while [ "$left" = 0 ] || [ "$left" = -1 ]; do
		attempt anna "$n" fail_commits -1 alloc_sticky "$sticky"
		next_n
		[ "$n" -lt 100000 ] || break
	done
	is "the order comes to an end at last, sticky $sticky" \
		"$((n < 100000)) $answer" '1 storage'
	sum "sticky $sticky"
	all=$(some 15 6)
done
hook fail_commits 0
tables "$db" >"$work/after"
exits 0 "nothing was recorded" cmp "$work/before" "$work/after"

# ---- the same, committed ----

ask anna call game.order "$params"
is "the same bytes then succeed" "$(of .result.seq)" 4
line=$(of .result.line)
is "the dice were the same all the time" \
	"$(jq -c .dice "$lines" | sort -u)" "$(jq -c .dice <<<"$line")"
is "it came to the dice more than once" \
	"$(($(jq -c 'select(.dice.rolls | length == 4)' "$lines" | wc -l) > 1))" 1
ask anna call game.order "$params"
is "and are answered with their line" "$(of .result.line)" "$line"

# ---- orders that are committed where they can be ----

forge_game anna bert || exit 99
all=$(some 30 12)
n=1
left=0
turn=1
tries=0
wrong=0
while [ "$left" = 0 ] && [ "$n" -lt 100000 ]; do
	seat=$((2 - turn % 2))
	who=$([ "$seat" = 1 ] && echo anna || echo bert)
	look "$who"
	ask "$who" pool "$pool"
	ask "$who" sign "$(order_text "$seat" turn.end '{}' "p/$turn")"
	params=$reply
	attempt "$who" "$n"
	if [ "$answer" = line ]; then
		[ "$(of .result.seq)" = $((seq + 1)) ] || wrong=$((wrong + 1))
	fi
	ask "$who" call game.order "$params"
	[ "$(of .result.seq)" = $((seq + 1)) ] || {
		wrong=$((wrong + 1))
		diag "allocation $n, $answer: $reply"
	}
	turn=$((turn + 1))
	tries=$((tries + 1))
	next_n
done
is "each of $tries orders is recorded in the end, once" "$wrong" 0
sum "committed"

stop_umpired
is "the daemon stops cleanly" $? 0
exits 0 "what it holds agrees with itself" "$top_builddir/umpired" \
	-c "$work/umpired/umpired.conf" --check
finish
