#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What fits a screen: `show` and `log` go through a pager where they are longer
# than it, messages and questions break between words however wide it is, and
# errors name no place that only programs know.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/tmux.sh"
need less python3

spy=$top_srcdir/tests/e2e/terminal.py
dir=$work/umpired
start_umpired "$dir" || exit 99
enrol anna bert || exit 99
umpire_as anna new --roster "$top_srcdir/etc/samples/tlnb-evening.json" \
	--name evening >/dev/null
game=$(umpire_as anna show evening --json | jq -r .game)
umpire_as bert join "$game" --name fight --yes >/dev/null 2>&1
exits 0 "a game is in play" umpire_as anna ready evening
for word in {1..24}; do
	umpire_as anna say evening "$word" >/dev/null
done

# ---- the pager ----

# shows WINDOW VARIABLE=VALUE... COMMAND...: anna's client in a window.
shows() {
	local window=$1
	shift
	local -a set=()
	while [[ $1 == *=* || $1 == -u* ]]; do
		set+=("$1")
		shift
	done
	term_open "$window" player anna env -u PAGER -u LESS "${set[@]}" \
		"$UMPIRE" "$@"
}

shows less NO_COLOR= show evening
term_like "show begins at its beginning" less '^evening: tlnb'
term_prompts "and waits below" less '^:$'
holds "titles are bold there" eval \
	'in_tmux capture-pane -e -p -t =less: | grep -q "\[1mevening"'
term_type less G
term_like "at its end is what may be done" less '^It is your move'
term_type less '' C-c
# What is typed while less looks at its Ctrl-C it may throw away.
leaves() {
	term_type less q
	term_is_over less
}
wait_for "$term_wait_s" leaves
term_exits "q leaves it" less 0

shows log LESS=-M log evening
term_prompts "log is paged, by less as its reader has set it" log '^lines 1-23'
term_type log q
term_exits "and left" log 0

shows words PAGER='sed s/^/./' show evening
term_exits "PAGER may be words for a shell" words 0
holds "which get it all" eval 'term_all words | grep -q "^\.It is your move"'

shows cat PAGER=cat show evening
term_exits "with PAGER=cat there is none" cat 0
holds "and all is printed" eval 'term_all cat | grep -q "^evening: tlnb"'
shows empty PAGER= show evening
term_exits "nor with an empty one" empty 0

shows missing PAGER=no-such-pager show evening
term_exits "where it cannot be started" missing 0
holds "that is said" eval "term_all missing | grep -q \"the pager 'no-such-pager' cannot be started\""
holds "and all is printed" eval 'term_all missing | grep -q "^evening: tlnb"'

# It says when it is reached, so that its end cannot be missed.
cat >"$work/pager" <<'END'
#!/bin/sh
cat >"$(dirname "$0")/paged"
ls /proc/self/fd >"$(dirname "$0")/fds"
exit 3
END
chmod +x "$work/pager"
shows short PAGER="$work/pager" log "$game" --combat 3
term_exits "the status is that of the subcommand" short 65
holds "what fits is not paged" [ ! -e "$work/paged" ]
shows own PAGER="$work/pager" show evening
term_exits "a pager that fails changes it as little" own 0
holds "a program is started by its path" grep -q 'It is your move' "$work/paged"
is "with no descriptor of ours" "$(tr '\n' ' ' <"$work/fds")" '0 1 2 3 '
rm -f "$work/paged"
player anna env PAGER="$work/pager" "$UMPIRE" show evening >"$out" 2>&1
holds "where no terminal is, there is no pager" [ ! -e "$work/paged" ]
shows json PAGER="$work/pager" show evening --json
term_exits "nor with --json" json 0
shows saved PAGER="$work/pager" log evening -o "$work/saved"
term_exits "nor where a file is written" saved 0
holds "it was not started" [ ! -e "$work/paged" ]
shows play PAGER="$work/pager" play evening
term_prompts "nor is it" play 'your move> *$'
term_type play show Enter
term_like "inside of play" play 'show$|Or type'
term_type play quit Enter
term_exits "which goes on" play 0
holds "as before" [ ! -e "$work/paged" ]

# ---- widths ----

# fits WHAT COLUMNS COMMAND...: a case; on a terminal so wide nothing breaks
# within a word, since no line is too long for it.
fits() {
	local what=$1 columns=$2
	shift 2
	if player anna env PAGER=cat python3 "$spy" fits "$work/tty" "$columns" \
		"$@" <"$work/steps" >"$work/long" 2>"$work/tty.err" &&
		[ -s "$work/tty" ] && [ ! -s "$work/tty.err" ]; then
		pass "$what"
	else
		fail "$what" "$(cat "$work/tty.err" "$work/long")"
	fi
}

: >"$work/steps"
jq -c '.sides["1"].units[0].initiative = "much"' \
	"$top_srcdir/etc/samples/tlnb-evening.json" >"$work/r1.json"
mkdir "$work/used" && echo x >"$work/used/file"
for columns in 80 51; do
	for words in "register bert" "show evenin" "declare evening x.json" \
		"new --roster $work/r1.json" "claim evening" "adjust evening x y" \
		"offer evening takeback 1" "export evening" "log evening" \
		"adjust evening fr-lef strength=99" "todo" \
		"verify nothing.jsonl" "standing evening"; do
		# shellcheck disable=SC2086
		fits "$words at $columns columns" "$columns" "$UMPIRE" $words
	done
	fits "umpired on a folder in use, at $columns" "$columns" \
		"$UMPIRED" --init "$work/used"
	fits "umpired without settings, at $columns" "$columns" \
		"$UMPIRED" -c "$dir/there-is-no-file-of-this-name.conf"
	fits "umpired beside another, at $columns" "$columns" \
		"$UMPIRED" -c "$dir/umpired.conf" "${as_root[@]}"
done
ready='wait your move> \Z'
# Tables need room.
for words in "show evening" "games --all" "luck evening" "show evening --rosters" \
	"help" "help show" "rules" "rules tlnb" "help new" "help declare"; do
	# shellcheck disable=SC2086
	fits "$words" 80 "$UMPIRE" $words
done
printf '%s\n' "$ready" 'type resign' 'wait > \Z' 'type n' "$ready" \
	"type say $(printf 'word %.0s' {1..40})" "$ready" \
	'type nonsense' "$ready" 'type quit' >"$work/steps"
for columns in 80 42; do
	fits "questions of play at $columns columns" "$columns" \
		"$UMPIRE" play evening
done
: >"$work/steps"
for words in games "games --all" "show evening" "log evening" todo; do
	# shellcheck disable=SC2086
	fits "$words at 60 columns" 60 "$UMPIRE" $words
done
for words in games "games --all" "show evening" todo; do
	# shellcheck disable=SC2086
	fits "$words at 40 columns" 40 "$UMPIRE" $words
done

# whole WHAT COLUMNS COMMAND ARGUMENT...: a case; at that width the client tells
# the command, a regex, on one line.
whole() {
	local what=$1 columns=$2 regex=$3
	shift 3
	player anna env PAGER=cat python3 "$spy" run "$work/tty" "$columns" \
		"$UMPIRE" "$@" </dev/null 2>"$work/tty.err"
	tr -d '\r' <"$work/tty" >"$work/tty.lines"
	like "$what" "$work/tty.lines" "$regex"
}

whole "a unit has one line, without a bar" 60 '^  fr-og-1 .* 7/7$' show evening
unlike "nor does one stand alone" "$work/tty.lines" '^ +[█░#.]+$'
whole "without its ratings, too" 40 '^  fr-og-1 .* 7/7$' show evening
whole "a table that is too wide has a line for each cell" 40 \
	'^    OPPONENT: bert$' games
whole "a command behind a colon is not broken" 40 \
	"umpire verify $work/anna\.jsonl" export evening -o "$work/anna.jsonl"
whole "nor one in backquotes" 28 '`umpire show evening`' adjust evening x y=1
whole "however short the line" 20 '`umpire rules tlnb`' adjust evening x y=1
whole "nor one on a line of its own" 30 \
	'^  umpire declare evening combat\.json --check' help declare
for columns in 80 40; do
	for words in declare cup new odds verify answer; do
		whole "help $words breaks none at $columns columns" \
			"$columns" '^usage:' help "$words"
		is "and ends its backquotes where they begin ($words, $columns)" \
			"$(grep -cvE '^([^`]*`[^`]*`)*[^`]*$' "$work/tty.lines")" 0
	done
done
# What is no terminal gets a message on one line.
"$UMPIRED" --init "$work/used" 2>"$err"
is "in a pipe a message is one line" "$(wc -l <"$err")" 1

# ---- places ----

exits 65 "a file's error" umpire_as anna new --roster "$work/r1.json"
like "says where it is in the file" "$err" \
	'in .*/r1\.json at sides\.1\.units\[0\]\.initiative: '
exits 65 "an error of what was typed" umpire_as anna adjust evening \
	fr-lef strength=99
unlike "names the unit and no path" "$err" '\[|args|params'
like "by its id" "$err" 'fr-lef'
mkdir -p "$work/players/carl"
cp -r "$work/players/anna/." "$work/players/carl"
rm "$work/players/carl/data/umpire/default/"{sign,dice}.key
(player carl true)
make_keys carl
run umpire_as carl todo
unlike "who has another key reads of no params" "$err" 'params'
like "but why" "$err" 'no account "anna" has this key'

finish
