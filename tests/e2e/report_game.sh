# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2016,SC2034,SC2154
#
# A game whose players write what could be taken for markup, for the tests of
# "umpire log".  Sourced after tests/e2e/e2e.sh.

script='</title></style><script>alert(1)</script>'
quote="\"' onload=alert(2) x='&amp;&lt;"
marks='| *a* _b_ `c` [d](e) # f ~~g~~ <!-- ![h](i) \ $j$ @k'
bidi=$(printf 'abc \342\200\256fed\342\200\254 \342\201\246x\342\201\251 end')
long=$(printf 'w%.0s' $(seq 1 3999))

# report_game FILE: plays it with a daemon of its own, as anna and bert, who
# call it "evening", and writes its record to the file; the daemon still runs.
report_game() {
	local wide
	wide=$(printf '\320\226%.0s' $(seq 1 32)) # 64 bytes, no blank
	start_umpired "$work/report" || return 1
	write_example "$work"
	jq -c --arg script "$script" --arg quote "$quote" --arg marks "$marks" \
		--arg wide "$wide" '.sides["1"].name = $script |
		.sides["2"].name = $quote |
		.sides["1"].units[0].name = $marks |
		.sides["1"].units[1].name = "1. - + = #" |
		.sides["2"].units[0].name = $wide |
		.sides["2"].units[1].name = "<b onclick=x>"' \
		"$work/roster.json" >"$work/hostile.json"
	enrol anna bert || return 1
	{
		umpire_as anna new --roster "$work/hostile.json" --name evening \
			--event '<i>Cup' --round 2 --table-number 3 &&
			game=$(umpire_as anna show evening --json | jq -r .game) &&
			umpire_as bert join --yes "$game" --name evening &&
			umpire_as anna ready evening &&
			umpire_as anna say evening "$script" &&
			umpire_as bert say evening "$quote" &&
			umpire_as bert say evening "$marks" &&
			umpire_as anna say evening "$bidi" &&
			umpire_as anna say evening "$long" &&
			umpire_as bert say evening "$(printf '1. one\n- two\n# three\n> four')" &&
			umpire_as anna roll evening 2d6 --for "$marks" &&
			umpire_as anna roll evening 1d100 &&
			umpire_as anna end-turn evening --yes &&
			umpire_as bert say evening "so soon?" &&
			umpire_as anna offer evening takeback --yes &&
			umpire_as bert accept evening --yes &&
			umpire_as anna declare evening "$work/combat.json" --yes &&
			umpire_as bert say evening "in the midst of it" &&
			umpire_as bert resign evening --yes &&
			umpire_as anna export evening -o "$1"
	} >"$work/report.log" 2>&1 </dev/null || {
		sed 's/^/# /' "$work/report.log"
		return 1
	}
}

# stranger_rows: rows as game.list and tournament.list give them, whose texts
# are those of strangers.
stranger_rows() {
	jq -n --arg script "$script" --arg quote "$quote" '{
		games: [range(3) | {game: ("ab" * 32), system: "lasalle2",
			phase: ["play", "muster", "finished"][.],
			players: [[$quote], ["bert", "carl"]],
			names: {bert: $script}, title: $script, now: $quote, turn: 3,
			event: $script, seq: 3, at: "2026-11-20T12:01:09.042Z",
			result: {winner: 2, how: "resign"}}],
		tournaments: [{tournament: ("cd" * 32), event: $script,
			system: $quote, format: $script, phase: $script, round: 1,
			rounds: 5, entrants: 4}],
		more: $quote, event: $script, player: $quote, called: $script,
		luck: {games: 2, dice: 120, pips: -23.5, variance: 350}}'
}
