#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# `umpire play` of every system but lasalle2, which tests/e2e/play.sh has: two
# players, each in a window of 80x24, fight a combat of the sample rosters.
# What is typed and waited for is in tests/e2e/play/SYSTEM.keys, a step a line:
#
#   anna: TEXT    types the text and Enter, and waits for the next prompt
#   anna? REGEX   waits until the last line of the window matches (grep -E)
#   anna~ REGEX   waits until any line does
#   anna= WORDS   keeps the screen under these words
#   anna! WORDS   keeps what `umpire show` has that player type likewise
#
# Keys, clock and what is random are fixed, so that a game is the same each
# time, dice and all: the screens are compared with SYSTEM.screens, which
# UMPIRE_WRITE=1 writes.  What was declared by numbers must be the declaration
# of etc/samples.  SYSTEMS names those to be played: all of them.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/tmux.sh"
with_fixed
: "${SYSTEMS=$(some 'invasion-1812 leniston-2009 imagi-nations tlnb' \
	imagi-nations)}"
dir=$work/umpired
samples=$top_srcdir/etc/samples

# ---- steps ----

# A descriptor from which nothing ever comes, to wait at.
mkfifo "$work/never" || exit 99
exec {never}<>"$work/never"

# look_at WINDOW: leaves $shown, its lines, $last, the last of them that is
# not empty, and $row, the line of the cursor, with what has scrolled away.
look_at() {
	local position
	shown=$(in_tmux display-message -p -t "=$1:" \
		'#{history_size} #{cursor_y}' \; capture-pane -p -t "=$1:") ||
		return 1
	position=${shown%%$'\n'*}
	row=$((${position% *} + ${position#* }))
	shown=${shown#*$'\n'}
	last=${shown##*$'\n'}
	last=${last%% }
}

# until_so WINDOW COMMAND...: looks until the command holds, $term_wait_s at
# most.
until_so() {
	local window=$1 tries=$((term_wait_s * 50))
	shift
	while ! { look_at "$window" && "$@"; }; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		read -rt 0.02 -u "$never"
	done
	return 0
}

# is_below ROW: a prompt is there, below that row.
is_below() {
	[ "$row" -gt "$1" ] && [[ $last =~ \>$ ]]
}

# last_is REGEX, has_line REGEX
last_is() {
	[[ $last =~ $1 ]]
}

has_line() {
	grep -Eq -- "$1" <<<"$shown"
}

# step WINDOW KIND REST: does one; false if what it waits for never comes.
step() {
	local window=$1 kind=$2 rest=$3 from
	case $kind in
	':')
		look_at "$window"
		from=$row
		term_type "$window" "$rest" Enter
		until_so "$window" is_below "$from"
		;;
	'?') until_so "$window" last_is "$rest" ;;
	'~') until_so "$window" has_line "$rest" ;;
	'=')
		printf '=== %s: %s\n' "$window" "$rest"
		term_screen "$window"
		;;
	'!')
		printf '=== %s: %s\n' "$window" "$rest"
		as "$window" show "$system" | sed -n '/^It is your move/,$p'
		;;
	*) return 1 ;;
	esac
}

# steps FILE: all of them; false, and said, at the first that fails.
steps() {
	local line number=0
	while IFS= read -r line; do
		number=$((number + 1))
		case $line in
		'' | '#'*) continue ;;
		esac
		[[ $line =~ ^(anna|bert)([:?~=!])\ ?(.*)$ ]] &&
			step "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" \
				"${BASH_REMATCH[3]}" >>"$work/screens" && continue
		diag "$1, line $number: $line"
		for who in anna bert; do
			diag "$who:"
			show_term "$who"
		done
		return 1
	done <"$1"
}

# ---- a system ----

# begin: the game of the sample rosters, and a window for each player.
begin() {
	local who
	runs=0
	seed_word=$system$(sed -n 's/^# seed / /p' \
		"$top_srcdir/tests/e2e/play/$system.keys")
	run as anna new --roster "$samples/$system-evening.json" \
		--name "$system"
	[ "$status" = 0 ] || {
		show_run
		return 1
	}
	game=$(sed -n 's/^  game  *//p' "$out")
	as bert join --yes "$game" --name "$system" >/dev/null 2>&1
	as anna ready "$system" >/dev/null 2>&1 || return 1
	for who in anna bert; do
		term_open "$who" player "$who" env \
			UMPIRE_TEST_SEED="$who $system play" \
			UMPIRE_TEST_NOW="$fixed_now" "$UMPIRE" play "$system"
	done
}

# plays: the system by its keys.
plays() {
	local typed=$top_srcdir/tests/e2e/play/$system.keys
	local screens=$top_srcdir/tests/e2e/play/$system.screens who
	rm -f "$work/screens"
	if begin && steps "$typed"; then
		pass "$system is played"
		for who in anna bert; do
			term_type "$who" quit Enter
			term_exits "$system: $who leaves" "$who" 0
		done
	else
		fail "$system is played"
	fi
	[ -z "${UMPIRE_WRITE:-}" ] || cp "$work/screens" "$screens"
	if diff "$screens" "$work/screens" >"$work/diff"; then
		pass "$system: the screens are as they should be"
	else
		fail "$system: the screens are as they should be" \
			"$(head -60 "$work/diff")"
	fi
	for who in anna bert; do
		in_tmux kill-session -t "=$who"
	done
	run as anna verify "$system"
	is "$system: the record is good" "$status" 0
	as anna export "$system" -o "$work/$system.jsonl" >/dev/null
	is "$system: the combat is the sample's" "$(jq -cS '.order? // empty |
		fromjson | select(.kind == "declare") | .args.combat' \
		"$work/$system.jsonl" 2>&1 | head -n 1)" \
		"$(jq -cS .combat "$samples/$system-evening-declare.json")"
}

# exchanges: a combat of tlnb whose tables know exchanges alone.  What only JSON
# could answer is shown as a command that asks, and never as JSON.
exchanges() {
	local who side example
	jq '.tables.crt |= map(map("Ex"))' \
		"$top_srcdir/etc/tables/tlnb.json" >"$work/exchange.json"
	runs=0
	seed_word=exchange
	run as anna new --roster "$samples/tlnb-evening.json" --name exchange \
		--tables "$work/exchange.json"
	game=$(sed -n 's/^  game  *//p' "$out")
	as bert join --yes "$game" --name exchange >/dev/null 2>&1
	as anna ready exchange >/dev/null 2>&1
	as anna declare exchange "$samples/tlnb-evening-declare.json" --yes \
		>/dev/null
	as anna decide exchange napoleon-shift no --yes >/dev/null
	exits 0 "a decision that leads to an exchange" \
		as anna decide exchange guard-shift no --yes
	side=$(as anna show exchange --json | jq -r '.owed[0] |
		select(.kind == "exchange-loss") | .side')
	who=anna
	[ "$side" = 1 ] || who=bert
	is "is followed by one about losses" "${side:-none}" \
		"$([ $who = anna ] && echo 1 || echo 2)"
	run as $who show exchange
	is "which is asked for by a command" \
		"$(sed -n '/^Type/,$p' "$out" | head -n 2)" \
		"$(printf 'Type:\n  umpire decide exchange')"
	like "that asks step by step" "$out" '^It asks for the answer'
	unlike "and not as JSON" "$out" "[{]|--decision"
	is "programs have examples that are JSON" \
		"$(as $who show exchange --json |
			jq '[.commands[] | select(test(" --decision "))] |
				length > 0')" true
	# Nobody is eliminated by words alone: it asks, and says who.
	example=$(as $who show exchange --json | jq -r '[.commands[] |
		select(test(" --decision "))][0] | split(" --decision ")[1]')
	run as $who decide exchange --decision "$(eval "echo $example")"
	is "an answer that eliminates units wants to be confirmed" "$status" 64
	like "and says how" "$err" 'add --yes'
	term_open $who player $who env UMPIRE_TEST_SEED="$who exchange decide" \
		UMPIRE_TEST_NOW="$fixed_now" "$UMPIRE" decide exchange
	until_so $who last_is '>$'
	like "it does ask" <(term_screen $who) 'exchange|lose'
	in_tmux kill-session -t "=$who"
}

seed_word=none
begin_fixed "$dir"
for system in $SYSTEMS; do
	plays
done
case " $SYSTEMS " in
*' tlnb '*) exchanges ;;
esac

finish
