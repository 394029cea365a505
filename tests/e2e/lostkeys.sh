#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A player whose keys are gone while settings, names and copies are there: each
# command says to restore the backup, new keys are made only by who insists,
# and neither the server nor anybody else is blamed for what they cannot see.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need script

start_umpired "$work/umpired" || exit 99
write_example "$work"
enrol anna bert || exit 99
# opened NICK ARGUMENT...: a game in play between the two; leaves $game.
opened() {
	local nick=$1
	shift
	umpire_as anna new --roster "$work/roster.json" --name "$nick" \
		--invite bert "$@" >/dev/null || exit 99
	game=$(umpire_as anna show "$nick" --json | filter .game)
	umpire_as bert join "$game" --name "$nick" --yes >/dev/null || exit 99
	umpire_as anna ready "$nick" >/dev/null || exit 99
	umpire_as bert show "$nick" >/dev/null || exit 99
}
opened public
opened late --delay 2t
opened private --private
data=$(player_data bert)
mkdir "$work/backup"
mv "$data/sign.key" "$data/dice.key" "$work/backup"

# ---- without keys ----

# keys: how many key files there are.
keys() {
	find "$data" -name '*.key' | wc -l
}

exits 78 "what needs the keys does not go" umpire_as bert todo
like "it says what to restore" "$err" 'restore sign.key and dice.key'
like "and where to" "$err" "'$data'"
unlike "not that there were none" "$err" 'no keys yet'
exits 78 "the same for an order" umpire_as bert say public hello
like "which says so, too" "$err" 'restore sign.key and dice.key'
exits 78 "and for a name" umpire_as bert register bert
like "likewise" "$err" 'restore sign.key and dice.key'
exits 0 "a public game can be read" umpire_as bert show public
like "with the same words" "$err" 'restore sign.key and dice.key'
exits 0 "a private one as far as the copy goes" umpire_as bert show private
like "which is no riddle" "$err" "'private' is a private game, and your keys"
exits 0 "games lists what there is" umpire_as bert games
like "the public one" "$out" 'public .*your key has no seat'
like "the private one" "$out" 'private .*your key has no seat'
is "the warning comes once" "$(grep -c 'restore sign.key' "$err")" 1
unlike "nobody is accused" "$err" 'does not know|two different|proves'

# ---- new ones ----

exits 78 "init makes no new keys by itself" umpire_as bert init
like "it says what there is" "$err" "account 'bert' and 3 games"
like "what to do" "$err" 'Restore your backup'
like "or that the words will do" "$err" 'by the words .*: umpire keys recover$'
like "and what else" "$err" 'init --new-keys'
exits 78 "nor does a yes" umpire_as bert init --yes
is "nothing was made" "$(keys)" 0
# types WHAT STATUS ANSWERS: cases; init at a terminal, answered so.
types() {
	printf '%b' "$3" | player bert script -qec "'$UMPIRE' init" /dev/null \
		>"$out" 2>&1
	is "$1" $? "$2"
}
types "who is asked may say no" 64 'n\n'
like "after it was said what hangs on it" "$out" 'Restore your backup'
types "also the second time" 64 'y\nn\n'
is "then nothing was made either" "$(keys)" 0
types "and who does not say that the words are on paper" 64 'y\ny\nWXYU\n'
like "is shown them" "$out" '([0-9A-HJKMNP-TV-Z]{4}-){7}'
like "and that they typed others" "$out" 'look again'
is "but has no keys that hang on them" "$(keys)" 0
types "whoever insists gets them" 0 'y\ny\nWXYU\n\n'
is "both" "$(keys)" 2
unlike "for another account" "$out" 'register bert'

# ---- with new keys ----

exits 78 "nobody is logged in by them" umpire_as bert todo
like "there is no account" "$err" "has no account yet"
exits 0 "the public game can be read" umpire_as bert show public
exits 0 "and the private one's copy" umpire_as bert show private
like "with the reason" "$err" \
	"'private' is a private game, and your key has no seat in it"
like "and what to do" "$err" 'restore your backup'
exits 0 "and the one that is shown late" umpire_as bert show late
exits 0 "games lists them" umpire_as bert games
like "as what they are" "$out" 'private .*your key has no seat'
unlike "nobody is accused" "$err" 'does not know|two different|fewer lines'
exits 0 "another account can be had" umpire_as bert register berta
exits 77 "an order there is not ours" umpire_as bert say public hello
like "that is said" "$err" 'you have no seat'
like "with what to do" "$err" 'restore'
exits 0 "still nobody is accused" umpire_as bert games
unlike "of anything" "$err" 'does not know|two different|fewer lines'

# ---- the backup ----

cp "$work/backup"/*.key "$data"
exits 0 "the old keys bring all back" umpire_as bert register bert
exits 0 "as it was" umpire_as bert say private hello

# A pipe needs the option, and one file alone is not replaced.
rm "$data/sign.key"
run umpire_as bert games
is "with one key gone games are listed" "$status" 0
like "all of them, with who plays" "$out" 'private .* (anna, bert|bert, anna) '
is "and what to restore is said once" \
	"$(grep -c 'sign.key of profile .* is missing: restore it' "$err")" 1
exits 78 "no order is given" umpire_as bert say private hello
like "and the same is said" "$err" 'sign.key of .* restore it from your backup'
rm "$data"/*.key
exits 0 "a program says so by an option" umpire_as bert init --new-keys
is "which makes both" "$(keys)" 2
rm "$data/dice.key"
exits 73 "one of two is not made anew" umpire_as bert init --new-keys
like "which wants a backup, too" "$err" 'restore (sign|dice)\.key'

# ---- a copy that cannot be read, among others ----

enrol dora || exit 99
for name in first second; do
	umpire_as dora new --roster "$work/roster.json" --name $name >/dev/null
done
game=$(umpire_as dora show second --json | filter .game)
echo "no line" >>"$(player_data dora)/games/$game.jsonl"
exits 65 "a damaged copy is an error of the list" umpire_as dora games
like "which says what is wrong" "$err" 'your copy .* is damaged at line 2'
like "and with which game" "$err" \
	"That was about game ${game:0:8}, 'second'; the others are listed"
like "the other is listed" "$out" '^  first '
unlike "and nobody accused" "$err" 'server'
watching dora "$work/dora.out"
wait_for 20 grep -q Watching "$work/dora.out.err"
like "no core file would have the keys" "/proc/$watcher/limits" \
	'^Max core file size +0 +0 '
kill -INT "$watcher"
wait "$watcher"
like "watch says likewise" "$work/dora.out.err" \
	"That was about game ${game:0:8}, 'second'; the others are watched"
like "and watches one game" "$work/dora.out.err" 'Watching 1 game;'
exits 65 "nor can it be shown" umpire_as dora show second
like "which says what to restore" "$err" 'Put ID.jsonl and ID.side back'
like "and what to do without a backup" "$err" \
	'elsewhere, and .umpire show second. fetches the whole game again'
copies=$(player_data dora)/games
mkdir "$work/aside"
mv "$copies/$game.jsonl" "$copies/$game.side" "$work/aside"
exits 0 "done, the game is shown" umpire_as dora show second
is "from a copy of the lines that held" "$(cat "$copies/$game.jsonl")" \
	"$(head -n 1 "$work/aside/$game.jsonl")"
mv "$work/aside/$game.jsonl" "$work/aside/$game.side" "$copies"
sed -i '$d' "$copies/$game.jsonl"
exits 0 "and so it is with the backup" umpire_as dora games

# ---- words ----

mkdir -p "$work/players/erin"
exits 64 "words are not for programs" umpire_as erin init --server "$server" \
	--json
unlike "which get none" "$out" .
exits 0 "init makes words" umpire_as erin init --server "$server"
words=$(grep -oE '([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}' <"$out")
like "which are eight groups of four, shown once" <(echo "$words") '^.{39}$'
# kept: in how many of the player's files the words stand.
kept() {
	grep -rlF -e "$words" -e "${words//-/}" "$work/players/erin" | wc -l
}
# recover WHO WORDS: with the words on standard input.
recover() {
	umpire_as "$1" keys recover <<<"$2"
}
is "they are kept nowhere" "$(kept)" 0
exits 0 "init again" umpire_as erin init --json
unlike "does not show them" "$out" 'words'
exits 0 "the account has their recovery key" \
	umpire_as erin register erin --trust
exits 0 "so has a game" umpire_as erin new --roster "$work/roster.json" \
	--name hers
exits 0 "and a private one" umpire_as erin new --private \
	--roster "$work/roster.json" --name sealed
exits 0 "which its record shows" umpire_as erin export hers
like "in its first line" "$out" \
	"recovery.{5}$(cat "$(player_data erin)/recovery.pub")"
cp -r "$work/players/erin" "$work/thief"
mv "$work/thief" "$work/players/thief"
exits 65 "wrong words are none" recover erin "$words-0"
exits 77 "other words are not this account's" recover erin \
	"${words:5}-${words::4}"
like "which is told as that" "$err" "These are not the words of 'erin'"
like "with what may be wrong" "$err" 'a letter may be wrong'
rm -f "$(player_data erin)"/*.key
exits 0 "without a key the words bring the account back" \
	recover erin "${words,,}"
exits 0 "its new key plays on" umpire_as erin say hers "mine again"
exits 0 "also where nobody else may look" umpire_as erin say sealed "this, too"
exits 0 "and is the only one" umpire_as erin keys --json
like "with its fingerprint" <(filter .fingerprints <"$out") \
	'^\["([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}"\]$'
is "as the list says" "$(filter '.keys|length' <"$out")" 1
exits 0 "the record has it" umpire_as erin export hers
cp "$out" "$work/hers.jsonl"
like "as a key line" "$work/hers.jsonl" '"kind":"key".*reset'
exits 0 "which verifies" umpire_as erin verify "$work/hers.jsonl"
exits 0 "whoever reads the log" umpire_as erin log hers
like "is told of it" "$out" 'erin has a new key, in the place of all others'
exits 77 "whoever has the old key is out" umpire_as thief say hers hi
exits 77 "everywhere" umpire_as thief say sealed hi
is "and the words are still kept nowhere" "$(kept)" 0
rm "$(player_data erin)/recovery.pub"
exits 77 "without it nothing is signed" umpire_as erin new \
	--roster "$work/roster.json"
like "and that is said" "$err" 'knows other keys'

# Whoever breaks off while they type sees again what they type next.
printf '%s\n' 'wait do not appear' "keys "$'\003' 'wait echo' >"$work/steps"
player erin python3 "$top_srcdir/tests/e2e/terminal.py" \
	run "$work/seen" 80 sh -c 'trap : INT; "$0" keys recover
		echo "status $?"; stty -a' "$UMPIRE" <"$work/steps"
like "Ctrl-C ends the typing of words" "$work/seen" 'status 130'
like "and the terminal shows again what is typed" "$work/seen" '[^-]echo '

# Another computer, where nothing is.
mkdir -p "$work/players/away"
exits 78 "an account is wanted" recover away "$words"
like "and is told how to say" "$err" 'umpire init --server .* --account NAME'
exits 0 "as init does" umpire_as away init --server "$server" --account erin
like "which tells of recovery" "$out" '^Or, if .erin. is yours already'
like "by its command" "$out" '^  umpire keys recover$'
run umpire_as away todo --trust
like "so does what cannot log in" "$err" 'by other keys: umpire keys recover'
exits 0 "then the words do" recover away "$words"
like "those that init showed are worth nothing" "$err" \
	'words that .umpire init. showed on this device are worth nothing'
like "and the games are there" "$out" '^  umpire games --account erin$'
exits 64 "words do not belong into a command" umpire_as away keys recover "$words"
like "which is told, with what to do" <(tr -s ' \n' ' ' <"$err") \
	'see Type the command without them.*history'
unlike "and they are not shown again" "$err" "$words"
exits 0 "by this command" umpire_as away games --account erin --json
is "all of them" "$(jq length "$out")" 1

# ---- a profile from before recovery keys ----

make_keys olga
umpire_as olga init --server "$server" >"$out" 2>"$err"
# asked STATUS WHAT ANSWERS: a case; register at a terminal, answered so.
asked() {
	printf '%b' "$3" | player olga script -qec \
		"'$UMPIRE' register olga --trust" /dev/null >"$out" 2>&1
	is "$2" $? "$1"
}
asked 64 "who does not say that the words are on paper is not registered" ''
like "after the reason" "$out" 'from before recovery keys'
exits 78 "by no means" umpire_as olga todo
was=$(cat "$(player_data olga)/dice.key")
asked 0 "who does is" '\n'
words=$(grep -oE -m 1 '([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}' <"$out")
exits 0 "with a recovery key" umpire_as olga keys
like "which is told" "$out" 'lost or stolen: umpire keys recover'
is "and a dice key that the words bring back" \
	"$([ "$was" != "$(cat "$(player_data olga)/dice.key")" ] && echo yes)" yes
is "beside the old one" "$(cat "$(player_data olga)"/dice.key.*)" "$was"
exits 0 "once more changes nothing" umpire_as olga register olga
unlike "and asks nothing" "$err" 'before recovery keys'
rm -f "$(player_data olga)"/*.key
exits 0 "the words bring it back" recover olga "$words"

# Where nobody can be asked the account gets none.
make_keys nora
umpire_as nora init --server "$server" >"$out" 2>"$err"
exits 0 "a program registers without words" umpire_as nora register nora \
	--trust
like "and is told" "$err" 'the account gets none, now or later'
exits 0 "what that means" umpire_as nora keys
like "says the list" "$out" 'registered without a recovery key'
like "and what to do" "$out" 'keep a backup of /'
is "in 80 columns" "$(grep -v '^  keep' "$out" | awk 'length > 80')" ''
exits 78 "no words recover it" recover nora "$words"
like "which is said before they are typed" "$err" 'has no recovery key'
exits 0 "a new dice key needs none" umpire_as nora keys new-dice-key
like "which is to be backed up" "$out" 'Nothing else brings it back\.$'

# ---- a profile that was never used ----

mkdir -p "$work/players/carl"
exits 0 "init makes the first keys without a question" umpire_as carl init \
	--server "$server"
rm "$(player_data carl)"/*.key
exits 0 "and again where nothing hangs on them" umpire_as carl init
stop_umpired
is "the daemon stops cleanly" $? 0
finish
