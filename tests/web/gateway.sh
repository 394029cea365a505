#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# "make check-web": umpire-web in browsers.  gateway.py looks at the pages and
# says what is to happen meanwhile: what a player does, which program is killed.
# Pictures are left in web/ of the build.  ONLY=PART tries but that.
. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/report_game.sh"
. "$top_srcdir/tests/e2e/web_lib.sh"
. "$top_srcdir/tests/web/axe.sh"

mkdir -p "$top_builddir/web" || exit 99
axe=$(axe_core) || exit 99

# A game that is over, with what strangers write, and one that is played.
report_game "$work/evening.jsonl" || exit 99
evening=$game
{
	umpire_as anna new --roster "$work/roster.json" --name live &&
		live=$(umpire_as anna show live --json | jq -r .game) &&
		umpire_as bert join --yes "$live" --name live &&
		umpire_as anna ready live &&
		umpire_as anna say live "a first word" &&
		umpire_as anna end-turn live --yes &&
		umpire_as bert end-turn live --yes &&
		umpire_as anna say live "a word of a later turn"
} >"$work/live.log" 2>&1 </dev/null || {
	sed 's/^/# /' "$work/live.log"
	exit 99
}
# The first as its server could have signed it, too: its last line at another
# time.  And records that are forged with all keys.
last=$(grep -n '"mark":"' "$work/evening.jsonl" | tail -n 1 | cut -d: -f1)
{
	head -n $((last - 1)) "$work/evening.jsonl"
	sed -n "${last}s/\"at\":\"[0-9]*/\"at\":\"2031/p" "$work/evening.jsonl" |
		"$tools/perjurer" mark "$work/report"
	tail -n +$((last + 1)) "$work/evening.jsonl"
} >"$work/fork.jsonl"
mkdir "$work/attacks" "$work/forged"
python3 "$top_srcdir/tests/attack/record.py" --umpire "$UMPIRE" \
	"$work/attacks" >"$work/attacks.log" 2>&1 || {
	sed 's/^/# /' "$work/attacks.log"
	exit 99
}
for record in "$work/attacks"/*.jsonl; do
	"$UMPIRE" verify "$record" >"$work/verdict" 2>&1
	[ $? != 1 ] || cp "$record" "$work/forged"
done
# One of many turns and combats, by a program that plays by chance.
many=$(printf 'match\nplay 0 120\n' | "$top_builddir/tests/bench/fill" \
	127.0.0.1 "${server##*:}" "$top_srcdir/etc/samples/lasalle2-evening.json" |
	tail -n 1 | jq -r .game)
# And a tournament, all of whose games are played.
cup=$("$tools/cup" 127.0.0.1 "${server##*:}" 8 3 1 games | jq -r .tournament)
settings=(-o wasm="$top_builddir/reader/umpire.wasm"
	-o reader="$top_builddir/umpire-reader.html"
	-o title="Club of the Eagle")
start_web "$work/web" "${settings[@]}" || exit 99
web_listen=${web#http://}

# checked: another process has checked the tournament, and its pages say so; a
# page that is read twice has the same words then.
checked() {
	curl -s -m 10 "$web/t/${cup:0:12}/" | grep -q 'Checked up to line'
}
wait_for 60 checked || exit 99

# act VERB WORDS: what gateway.py asks for; prints nothing.
act() {
	case $1 in
	say) umpire_as anna say live "$2" ;;
	erase) # the line that is the last
		umpire_as anna erase live \
			"$(curl -s -m 10 "$web/g/${live:0:12}/at" | jq .seq)" --yes
		;;
	end-turns)
		umpire_as anna end-turn live --yes &&
			umpire_as bert end-turn live --yes
		;;
	declare) umpire_as anna declare live "$work/combat.json" --yes ;;
	kill-web)
		kill -KILL "$web_pid"
		wait_for 20 not_running "$web_pid"
		;;
	start-web)
		start_web "$work/web" -o listen="$web_listen" "${settings[@]}"
		;;
	start-polled)
		start_web "$work/web" -o listen="$web_listen" \
			-o max_streams=0 "${settings[@]}"
		;;
	kill-daemon)
		kill -KILL "$daemon"
		wait_for 20 not_running "$daemon"
		;;
	start-daemon)
		start_umpired "$work/report" -o listen="$server" &&
			wait_for 30 healthy
		;;
	*) false ;;
	esac >"$work/act" 2>&1 </dev/null
}

mkfifo "$work/asks" "$work/answers"
# shellcheck disable=SC2086
python3 "$top_srcdir/tests/web/gateway.py" --address "$web" \
	--evening "${evening:0:12}" --live "${live:0:12}" \
	--many "${many:0:12}" \
	--cup "${cup:0:12}" \
	--record "$work/evening.jsonl" --fork "$work/fork.jsonl" \
	--forged "$work/forged" --scenario "$example" --umpire "$UMPIRE" \
	--reader "$top_builddir/umpire-reader.html" \
	--program "$top_builddir/reader/umpire.wasm" --axe "$axe" \
	--pictures "$top_builddir/web" \
	--asks "$work/asks" --answers "$work/answers" ${ONLY:+--only $ONLY} &
looker=$!
exec 7<"$work/asks" 8>"$work/answers"
while read -r verb words <&7; do
	if act "$verb" "$words"; then
		echo ok >&8
	else
		echo "failed: $verb $words: $(tail -n 3 "$work/act" |
			tr '\n' ' ')" >&8
	fi
done
wait $looker
rc=$?
tap_ended=yes
exit "$rc"
