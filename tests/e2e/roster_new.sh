#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# umpire roster new at a terminal, for all systems: what it writes is right, and
# whatever breaks it off, it goes on there and writes the same.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

need python3
spy=$top_srcdir/tests/e2e/terminal.py
cd "$work" || exit 99

# roster ARGUMENT...: the client, of a user who has nothing.
roster() {
	env -i PATH="$PATH" TZ=UTC LC_ALL=C.UTF-8 TERM=screen HOME="$work/none" \
		"$UMPIRE" roster "$@"
}

prompt='wait help\)?( \[[^]]*\])?> '

# steps LINE...: the lines as they are typed, each at a prompt.
steps() {
	local line
	for line in "$@"; do
		printf '%s\ntype %s\n' "$prompt" "$line"
	done
}

# asked SYSTEM FILE STEP...: types these at the questions; leaves $status.
only=() # the side that is asked for, if not both
asked() {
	local system=$1 path=$2
	shift 2
	printf '%s\n' "${@-wait never}" >typed
	status=0
	env -i PATH="$PATH" TZ=UTC LC_ALL=C.UTF-8 TERM=screen HOME="$work/none" \
		python3 "$spy" run tty 80 "$UMPIRE" roster new "$system" "$path" \
		"${only[@]}" <typed 2>spy.err || status=$?
	sed 's/\x1b\[[0-9;?]*[A-Za-z]//g; s/\r//g' tty >seen
}

# ---- what is misused ----

exits 64 "new without a system" roster new
exits 64 "new without a file" roster new tlnb
like "says what is missing" "$err" 'umpire roster new tlnb FILE'
exits 64 "new to standard output" roster new tlnb -
exits 65 "new for a system that there is not" roster new chess r.json
like "says where they are listed" "$err" 'umpire rules'
exits 64 "new of three" roster new tlnb r.json more
exits 64 "new gives nobody a reason" roster new tlnb r.json --why x
exits 64 "nor has it two systems" roster new tlnb r.json --system tlnb
exits 64 "new without a terminal" roster new tlnb r.json
like "says what does without" "$err" 'umpire roster import'
holds "nothing is left of these" test ! -e r.json -a ! -e r.json.draft
mkdir folder
exits 73 "new over a folder" roster new tlnb folder --yes
is "says so, before anything is asked" "$(cat "$err")" \
	"umpire: 'folder' is a folder: name a file in it, or another file"
exits 73 "so does export" roster export "$top_srcdir/etc/samples/tlnb-evening.json" folder
like "at once" "$err" "'folder' is a folder"
echo x >there.json
exits 73 "new over a file" roster new tlnb there.json
is "which stays" "$(cat there.json)" x

asked tlnb there.json 'wait Overwrite it' $'keys n\r'
is "at a terminal it is asked, first of all" "$status $(cat there.json)" "73 x"
asked tlnb there.json 'wait Overwrite it' $'keys y\r' "$prompt" 'type q'
is "and goes on to the questions" "$status $(cat there.json)" "64 x"

# ---- every system ----

declare -A lines=(
	[lasalle2]='French|Ligne 1|fr-1|infantry|7|none|2|2|4|||au-1|artillery|2|foot|1|4|1'
	[invasion-1812]='French|I Corps||infantry||none|3|Davout||4|5|||ru-1|cavalry|3|none|5|1'
	[leniston-2009]='Prussians||pr-1|A|2|C|none|4|||fr-1|C|C|C|none|4|1'
	[imagi-nations]='Prussians|Grenadiers|gren|1|2||elite|4|none|||||2|1|5|none|4|Austrians||au-1|2|1||raw|3|none|||none|4|1'
	[tlnb]='French|Old Guard||infantry|7|y|4|5|none|4|Allies||al-1|cavalry|3|n|4|none|4|1'
)
declare -A ids=(
	[lasalle2]='fr-1 fr-2 fr-3 au-1'
	[invasion-1812]='i-corps ru-1'
	[leniston-2009]='pr-1 fr-1'
	[imagi-nations]='gren au-1'
	[tlnb]='old-guard al-1'
)
for system in "${!lines[@]}"; do
	IFS='|' read -ra typed <<<"${lines[$system]}"
	asked "$system" "$system.json" "$(steps "${typed[@]}")"
	is "$system is asked for" "$status$(cat spy.err)" 0
	exits 0 "what is written is right" roster check "$system.json"
	is "and is what was typed" \
		"$(jq -r '[.sides[].units[].id] | join(" ")' "$system.json")" \
		"${ids[$system]}"
	roster show "$system.json" >show
	holds "it was shown as roster show does" \
		test "$(tr -d ' \n' <seen | grep -cF "$(tail -n 3 show | tr -d ' \n')")" = 1
	like "the command that uses it is told" seen \
		"^umpire new --roster $system\\.json opens a game with it\\.$"
	holds "no draft is left" test ! -e "$system.json.draft"
	exits 0 "no line is too long" python3 "$spy" long 80 tty
	[ "$system" != lasalle2 ] ||
		like "units are asked about by their names" seen \
			'^Strength of Ligne 1\?'
done

asked tlnb none.json "$(steps Allies '' '' cavalry 3 n 4)" "$prompt" 'type q'
like "what is special is asked for" seen '^  1  demoralized'
unlike "but for a side that the unit has not" seen 'reduced side$'
asked tlnb none.json "$prompt" 'type q'
like "what was answered is counted" seen '^Going on after the 7 answers in'
asked tlnb taken.json "$(steps Allies)" "$prompt" 'type q'
asked tlnb taken.json "$prompt" 'type b' "$prompt" 'type b'
like "one answer is no more" seen '^Going on after the 1 answer in taken'
asked tlnb taken.json "$prompt" 'type q'
unlike "nor does it go on after none" seen 'Going on'

# ---- at two terminals, and over a pipe ----

printf '%s\n' "$prompt" 'wait never' >typed.first
env -i PATH="$PATH" TZ=UTC LC_ALL=C.UTF-8 TERM=screen HOME="$work/none" \
	python3 "$spy" run tty.first 80 "$UMPIRE" roster new tlnb both.json \
	<typed.first 2>/dev/null &
first=$!
wait_for 20 test -e both.json.draft.lock || fail "nobody asks"
asked tlnb both.json
is "another terminal is not asked for the same file" "$status" 75
like "and told why" seen \
	"'both\.json' is being made at another terminal"
kill -9 "$(pgrep -P "$first")"
wait "$first"
asked tlnb both.json "$prompt" 'type q'
is "once that has gone it is" "$status" 64
holds "and nothing of it is left" test ! -e both.json.draft.lock
mkfifo pipe.json.draft
asked tlnb pipe.json
is "a draft that is a pipe is not waited for" "$status" 65
like "and told" seen "'pipe\.json\.draft' is no ordinary file"

# ---- at a terminal the next command is told ----

python3 "$spy" run tty 80 "$UMPIRE" roster export tlnb.json 'a b.csv' \
	</dev/null
like "export says what makes rosters of it again" tty \
	"^Next: umpire roster import 'a b\\.csv' ROSTER\\.json"
python3 "$spy" run tty 80 "$UMPIRE" roster import 'a b.csv' again.json \
	</dev/null
like "import how a game is opened with it" tty \
	'^Next: umpire new --roster again\.json'
like "and how many units there are" tty '^again\.json: 2 units written\.'

# ---- one side, to join a game ----

exits 64 "there is no third side" roster new tlnb join.json --side 3
like "which is said" "$err" '[-]-side is 1 or 2'
exits 64 "a file that is there has its sides" roster check tlnb.json --side 1
like "as is said" "$err" 'side is for `umpire roster new`'
for side in 1 2; do
	only=(--side "$side")
	asked imagi-nations "join-$side.json" "$(steps Jaeger '' 1 1 '' elite 4 \
		none '' '' none 2 1)" "$prompt" 'type q'
	like "to go on is told with the side" seen "join-$side.json --side $side"
	asked imagi-nations "join-$side.json" "$(steps 4 1)"
	is "side $side alone is asked for" "$status$(cat spy.err)" 0
	like "and what to do with it is told" seen \
		"^umpire adjust GAME --join join-$side\\.json proposes it"
	is "the other is not there" \
		"$(jq -c '[.sides | to_entries[] | .key, .value.units[].id]' \
			"join-$side.json")" "[\"$side\",\"jaeger\",\"jaeger-2\"]"
done
only=(--side 1)
asked leniston-2009 refused.json "$(steps '' r-1 1 1 1 'all' 7 '' 4)" \
	"$prompt" 'type q'
like "what no game takes is told" seen 'That cannot be .*6 casualties'
only=()

# ---- broken off ----

IFS='|' read -ra typed <<<"${lines[lasalle2]}"
# broken WHAT STEP: types half of it, then what ends it; another run goes on.
broken() {
	local what=$1 step=$2 wanted=$3
	rm -f half.json half.json.draft
	asked lasalle2 half.json "$(steps "${typed[@]:0:7}")" "$prompt" \
		"$step"
	is "$what ends it" "$status" "$wanted"
	like "which says how it goes on" seen \
		'^ *umpire roster new lasalle2 half\.json'
	holds "nothing is written but what was answered" \
		test ! -e half.json -a -s half.json.draft
	asked lasalle2 half.json "$(steps "${typed[@]:7}")"
	is "another run goes on there" "$status$(cat spy.err)" 0
	like "and says so" seen '^Going on after the 7 answers in half\.json\.draft\.$'
	exits 0 "the file is the same" cmp half.json lasalle2.json
}
broken "q" 'type q' 64
broken "Ctrl-C" $'press \x03' 130
broken "Ctrl-D" $'press \x04' 64

rm half.json
printf '%s\n' "$(steps "${typed[@]:0:9}")" "$prompt" 'wait never' >typed.kill
env -i PATH="$PATH" TZ=UTC LC_ALL=C.UTF-8 TERM=screen HOME="$work/none" \
	python3 "$spy" run tty 80 "$UMPIRE" roster new lasalle2 half.json \
	<typed.kill 2>/dev/null &
python=$!
answers() {
	[ "$(jq '.answers | length' half.json.draft 2>/dev/null)" = 9 ]
}
wait_for 20 answers || fail "nothing is kept"
kill -9 "$(pgrep -P "$python")"
wait "$python"
asked lasalle2 half.json "$(steps "${typed[@]:9}")"
is "killed, it goes on as well" "$status$(cat spy.err)" 0
exits 0 "and the file is the same" cmp half.json lasalle2.json

# ---- drafts that are none ----

rm half.json
asked lasalle2 half.json "$(steps French)" 'wait help' 'type q'
asked tlnb half.json
is "a draft of another system is no draft" "$status" 65
like "which is said" seen "holds answers for the system lasalle2"
holds "and it is kept" test -s half.json.draft
for draft in '' '{' '7' '{"draft":"roster","system":"tlnb","answers":[]}' \
	'{"draft":"other","system":"tlnb","answers":{}}'; do
	printf '%s' "$draft" >half.json.draft
	asked tlnb half.json
	is "a file '$draft' is no draft" "$status" 65
	like "what to do is told" seen 'To begin anew: rm half\.json\.draft'
done
printf '{"draft":"roster","system":"tlnb","answers":{"0 side":7,"1 name":[],"3 arm":"cavalry",
	"x":"y","7 sp":"\\u001b[2J"}}' >half.json.draft
IFS='|' read -ra typed <<<"${lines[tlnb]}"
asked tlnb half.json "$(steps "${typed[@]}")"
is "answers that are none are asked for" "$status$(cat spy.err)" 0
exits 0 "and the file is the same" cmp half.json tlnb.json

finish
