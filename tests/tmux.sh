# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2034
#
# Terminals for tests: windows of 80 columns and 24 lines in a tmux of the
# test's own (its socket is in the test's folder, its settings are none), in
# which programs run, keys are typed and the screen is read.  Source it after
# tests/lib.sh.  Nothing here sleeps: what is to come is waited for.
#
#   term_open anna player anna "$UMPIRE" play evening
#   term_type anna 'say hello' Enter
#   term_has anna '^anna says' || show_term anna

need tmux

term_socket=${work:?}/tmux
unset TMUX
term_wait_s=20 # how long anything may take

# The tmux of this test.
in_tmux() {
	TERM=screen tmux -S "$term_socket" -f /dev/null "$@"
}

# Ends it, whatever runs in it.
term_stop() {
	local rc=$?
	[ ! -e "$term_socket" ] || in_tmux kill-server 2>/dev/null
	return "$rc"
}
trap 'term_stop; cleanup' EXIT

# term_open NAME COMMAND...: a window in which the command runs; a shell
# function of the test's is run as well.
term_open() {
	local name=$1 script=$work/term-$1.sh
	shift
	{
		declare -p work UMPIRE 2>/dev/null
		declare -f player
		printf 'stty -ixon\n'
		printf '%q ' "$@"
		# tmux does not always come to know it.
		printf '\necho $? >%q\n' "$work/term-$name.status"
	} >"$script"
	rm -f "$work/term-$name.status"
	in_tmux new-session -d -s "$name" -x 80 -y 24 \
		-e "TERM=${term_name:-screen}" bash "$script" \; \
		set-option -g status off \; set-option -g escape-time 0 \; \
		set-option -w remain-on-exit on \; \
		set-option -w remain-on-exit-format '' ||
		skip_all "tmux does not start"
}

# term_type NAME TEXT KEY...: types the text as it is, then the keys (Enter,
# C-c, Up, Tab ...).
term_type() {
	local name=$1 text=$2
	shift 2
	[ -z "$text" ] || in_tmux send-keys -t "=$name:" -l -- "$text"
	[ $# -eq 0 ] || in_tmux send-keys -t "=$name:" "$@"
}

# term_screen NAME: what the window shows, without empty lines at its end.
term_screen() {
	in_tmux capture-pane -p -t "=$1:" | sed -e 's/ *$//' |
		sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

# term_all NAME: the same with what has scrolled away.
term_all() {
	in_tmux capture-pane -p -S - -t "=$1:" | sed -e 's/ *$//'
}

# term_shows NAME REGEX: true if a line of the screen matches (grep -E).
term_shows() {
	local line
	while IFS= read -r line; do
		[[ ! ${line%"${line##*[! ]}"} =~ $2 ]] || return 0
	done < <(in_tmux capture-pane -p -t "=$1:")
	return 1
}

# term_ends NAME REGEX: true if the last line of the screen matches.
term_ends() {
	local line last=
	while IFS= read -r line; do
		[ -z "${line// /}" ] || last=${line%"${line##*[! ]}"}
	done < <(in_tmux capture-pane -p -t "=$1:")
	[[ $last =~ $2 ]]
}

# term_is_over NAME: true if the command has ended; leaves $status.
term_is_over() {
	status=
	{ read -r status <"$work/term-$1.status"; } 2>/dev/null
	[ -n "$status" ]
}

# show_term NAME: the screen, for whoever reads the log.
show_term() {
	term_screen "$1" | sed 's/^/# |/'
}

# term_like WHAT NAME REGEX: a case; the screen must come to match.
term_like() {
	if wait_for "$term_wait_s" term_shows "$2" "$3"; then
		pass "$1"
	else
		fail "$1" "no line of the screen matches: $3"
		show_term "$2"
	fi
}

# term_prompts WHAT NAME REGEX: a case; the last line must come to match.
term_prompts() {
	if wait_for "$term_wait_s" term_ends "$2" "$3"; then
		pass "$1"
	else
		fail "$1" "the last line does not match: $3"
		show_term "$2"
	fi
}

# term_exits WHAT NAME STATUS: a case; the command must come to end so.
term_exits() {
	if wait_for "$term_wait_s" term_is_over "$2" && [ "$status" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "status ${status:-none: it has not ended}, not $3"
		show_term "$2"
	fi
}
