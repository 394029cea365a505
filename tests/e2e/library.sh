#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# The library of rosters: umpire roster list, save and load, and rosters by
# their names wherever a file of them is taken.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

need python3
samples=$top_srcdir/etc/samples
export UMPIRE_DATADIR=$work/data
mkdir "$UMPIRE_DATADIR" "$work/here"
cp -R "$samples" "$UMPIRE_DATADIR/samples"
cd "$work/here" || exit 99

# roster ARGUMENT...: the client, of a user who has nothing else.
roster() {
	env -i PATH="$PATH" TZ=UTC LC_ALL=C.UTF-8 NO_COLOR=1 HOME="$work/home" \
		UMPIRE_DATADIR="$UMPIRE_DATADIR" "$UMPIRE" roster "$@"
}

own=$work/home/.local/share/umpire/default/rosters

# ---- list ----

exits 64 "list of something" roster list x
exits 64 "list gives nobody a reason" roster list --why x
exits 0 "list before anything is saved" roster list
is "has the samples that are rosters" \
	"$(awk 'NR > 1 { print $1, $NF }' "$out")" \
	"$(cd "$samples" && for f in *; do
		jq -r 'select(.sides) | input_filename' "$f"
	done | sed 's/\.json$/ no/' | LC_ALL=C sort)"
holds "in 80 columns" test "$(wc -L <"$out")" -le 80
holds "and makes no profile" test ! -e "$work/home"
is "so for programs" "$(roster list --json | jq -c '[.[].name] | sort | .[0]')" \
	'"imagi-nations-evening"'
UMPIRE_DATADIR=$work/nothing
exits 0 "a list without samples" roster list
like "says how one is added" "$out" '^Your library is empty: umpire roster save'
is "for programs, too" "$(roster list --json | jq -c .)" '[]'
UMPIRE_DATADIR=$work/data

# ---- save ----

cp "$samples/tlnb-evening.json" mine.json
exits 0 "what a roster has can be read" roster show mine.json
like "both sides of its counters, too" "$out" \
	'^  ID +NAME +ARM +REDUCED SP +INITIATIVE +LEFT'
exits 0 "save under the name of the file" roster save mine.json
like "says how it is used" "$out" \
	'^Saved as mine: umpire new --roster mine opens a game with it\.$'
exits 0 "the bytes are kept" cmp mine.json "$own/mine.json"
exits 0 "save under another name" roster save mine.json Leipzig_1813-a.b
is "to programs" "$(roster save --json mine.json third | jq -c .)" \
	"{\"name\":\"third\",\"file\":\"$own/third.json\"}"
is "your own are listed first" \
	"$(roster list | awk '$NF == "yes" { print NR, $1 }' | paste -sd ' ')" \
	'2 Leipzig_1813-a.b 3 mine 4 third'
jq '.sides["1"].name = "Others"' mine.json >other.json
exits 73 "save over another" roster save other.json mine
like "says how it is done" "$err" 'already exists: add --yes to overwrite it$'
exits 0 "which is kept" cmp mine.json "$own/mine.json"
exits 0 "--yes does it" roster save other.json mine --yes
exits 0 "that is so" cmp other.json "$own/mine.json"
echo '{"system":"tlnb","sides":{}}' >wrong.json
exits 0 "save under the name of a sample" roster save mine.json tlnb-evening
like "says that it stands before that" "$err" \
	"^  It stands before the sample 'tlnb-evening'"
like "and how to have that back" "$err" "^  rm .*/tlnb-evening\\.json\$"
rm "$own/tlnb-evening.json"
exits 65 "save of what is no roster" roster save wrong.json
exits 65 "save of a table" bash -c "echo 'a;b' >t.csv; HOME='$work/home' '$UMPIRE' roster save t.csv t"
exits 66 "save of a file that is not there" roster save none.json
exits 66 "save of a name that is not there" roster save none other
exits 0 "save of a sample under a name" roster save lasalle2-evening evening
exits 64 "save without a file" roster save
long=$(printf 'a%.0s' {1..65})
for name in .. . ../up /etc/x a/b '' "$long" $'\xff' Größe -x .x _x 'a b' x.json \
	$'a\nb' .json '*'; do
	exits 64 "save as '$name'" roster save -- mine.json "$name"
	like "says what a name is" "$err" 'cannot be a name in a library'
done
exits 64 "a file that gives no name" roster save - <mine.json
like "is told how it gets one" "$err" 'umpire roster save FILE NAME'
is "nothing else is there" "$(ls -A "$own")" "Leipzig_1813-a.b.json
evening.json
mine.json
third.json"

# ---- load ----

exits 0 "load" roster load Leipzig_1813-a.b
exits 0 "writes a file of that name" cmp mine.json Leipzig_1813-a.b.json
exits 73 "load over a file" roster load Leipzig_1813-a.b
exits 0 "load into another" roster load third out.json
exits 0 "which has the bytes" cmp mine.json out.json
is "to standard output" "$(roster load third - | cmp - mine.json)" ''
exits 0 "load of a sample" roster load lasalle2-example
exits 0 "it is the sample" \
	cmp lasalle2-example.json "$samples/lasalle2-example.json"
exits 66 "load of a name that is not there" roster load lasale2-evening
is "says so, and names like it" "$(cat "$err")" \
	"umpire: there is no roster 'lasale2-evening' in your library
  Did you mean 'lasalle2-evening'?
  \`umpire roster list\` lists your library."
exits 66 "a beginning will do" roster load leni
like "to be told the rest" "$err" "Did you mean 'leniston-2009-evening'\\?"
exits 66 "a name like none" roster load zzzzzz
is "gets none" "$(grep -c 'Did you mean' "$err")" 0
for name in .. ../third "$own/third.json" '' "$long" $'\xff' third.json; do
	exits 64 "load of '$name'" roster load -- "$name"
	like "says what it is not" "$err" 'cannot be a name in a library'
done

# ---- what is in the folder, and was not saved ----

printf x >"$own/junk.json"
printf '[]' >"$own/array.json"
mkdir "$own/folder.json"
mkfifo "$own/pipe.json"
cp mine.json "$own/.hidden.json"
cp mine.json "$own/no name.json"
head -c 50000 /dev/zero | tr '\0' ' ' >"$own/big.json"
printf '{"sides":{"1":{"name":"\\u001b[2J"},"2":7},"system":["x"]}' \
	>"$own/odd.json"
exits 0 "what is no roster" roster list
is "is not listed" "$(awk '$NF == "yes" { print $1 }' "$out" | paste -sd ' ')" \
	'Leipzig_1813-a.b evening mine odd third'
is "nor does it drive a terminal" "$(grep -c $'\x1b' "$out")" 0
exits 65 "and cannot be loaded" roster load odd
holds "nothing is written" test ! -e odd.json
exits 0 "programs get it all" bash -c "HOME='$work/home' '$UMPIRE' roster list --json | jq -e ."

# ---- wherever a file is taken ----

exits 0 "a name can be checked" roster check third
exits 0 "and shown" roster show third
exits 0 "and exported" roster export third third.csv
exits 66 "but not a name that there is not" roster show thrid
is "which is said" "$(cat "$err")" \
	"umpire: there is no file 'thrid', nor a roster of that name in your library
  Did you mean 'third'?
  \`umpire roster list\` lists your library."
cp other.json third
exits 0 "a file wins" roster show third
like "over the library" "$out" '^Others$'
rm third
mkdir third
exits 0 "a folder does not" roster show third
rmdir third
cp other.json "$own/tlnb-evening.json"
exits 0 "the library wins" roster show tlnb-evening
like "over a sample" "$out" '^Others$'
is "which it hides" "$(roster list | grep -c '^  tlnb-evening ')" 1

# ---- games ----

start_umpired "$work/server" || exit 99
enrol anna || exit 99
exits 0 "another profile saves its own" umpire_as anna roster save mine.json battle
exits 66 "which the first does not have" roster load battle
exits 0 "new by a name" umpire_as anna new --roster battle --check
like "says where it has it from" "$out" '^  roster   battle, of your library$'
exits 0 "new by a sample's" umpire_as anna new --roster lasalle2-evening --check
like "says that" "$out" '^  roster   lasalle2-evening, a sample$'
exits 0 "new by a file" umpire_as anna new --roster mine.json --check
is "says nothing of that" "$(grep -c '^  roster ' "$out")" 0
exits 66 "new by a name that there is not" umpire_as anna new --roster batle
like "tells of one like it" "$err" "Did you mean 'battle'\\?"
exits 0 "a game is opened by a name" \
	umpire_as anna new --roster lasalle2-example --name g
exits 0 "and another roster proposed by one" umpire_as anna roster g \
	lasalle2-evening
printf '%s\n' 'wait waiting> ' 'type roster list' \
	'wait (?s)OWN.*waiting> ' 'type q' |
	player anna python3 "$top_srcdir/tests/e2e/terminal.py" run tty 80 \
		"$UMPIRE" play g
is "within play it is listed as well" "$? $(grep -c '^  battle ' tty)" '0 1'

finish
