#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A whole game between two players on two command lines, with what the client
# prints, where, and the status that it ends with; then the record: exported,
# verified by a third person and without the server, and refused with any one
# bit changed.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need script

start_umpired "$work/umpired" || exit 99
write_example "$work"

# typed NAME COMMAND: runs a command as it stands on a screen.
typed() {
	run player "$1" env PATH="$top_builddir:$PATH" bash -c "$2"
}

# terminal NAME ANSWER COMMAND: the same on a terminal, where somebody types
# an answer.
terminal() {
	printf '%s\n' "$2" | player "$1" env PATH="$top_builddir:$PATH" TERM=xterm \
		script -qec "$3" /dev/null >"$out" 2>"$err"
	status=$?
	tr -d '\r' <"$out" >"$out.plain" && mv "$out.plain" "$out"
}

# quiet WHAT: a case; the last run worked and said nothing on stderr.
quiet() {
	if [ "$status" = 0 ] && [ ! -s "$err" ]; then
		pass "$1"
	else
		fail "$1"
		show_run
	fi
}

# complains WHAT STATUS REGEX: two cases; the last run ended so, said why on
# stderr, and nothing on stdout.
complains() {
	is "$1: status" "$status" "$2"
	like "$1: reason" "$err" "$3"
	[ ! -s "$out" ] || fail "$1: nothing on stdout" "$(head -3 "$out")"
}

# commands: those that the last run told to type.
commands() {
	sed -n 's/^  \(umpire .*\)$/\1/p' "$out"
}

# show NAME GAME: what the game waits for, in $out.
show() {
	run umpire_as "$1" show "$2"
	if [ "$status" != 0 ] || [ -s "$err" ]; then
		fail "show works for $1"
		show_run
	fi
}

# ---- accounts ----

run umpire_as anna init --server "$server"
quiet "init works"
like "init says that losing the keys loses the games" "$out" \
	'whoever loses these keys loses the games'
like "init says where they are" "$out" "^  $(player_data anna)$"
is "the keys are for their owner alone" "$(stat -c %a \
	"$(player_data anna)" "$(player_data anna)"/*.key | tr '\n' ' ')" \
	'700 600 600 '
run umpire_as anna init
quiet "init again works"
like "init again keeps the keys" "$out" 'were there and are kept'
run umpire_as anna register anna
complains "an unknown server without a terminal" 77 'is not known yet'
run umpire_as anna register anna --trust --display 'Anna Körner'
is "register works" "$status" 0
like "register says who one is" "$out" "^You are now 'anna' on $server"
like "and how to come by an army" "$out" \
	'^  umpire roster new SYSTEM FILE  make rosters by answering questions$'
like "register says which key it pinned" "$err" 'pinned .* [0-9a-f]{64}$'
run umpire_as anna register anna
quiet "register again works"
like "register again says so" "$out" "^You were already 'anna'"
umpire_as bert init --server "$server" >/dev/null
terminal bert n 'umpire register bert'
is "a key that nobody confirms is refused" "$status" 77
terminal bert y 'umpire register bert'
is "register works with a key confirmed on a terminal" "$status" 0
run umpire_as bert register anna
complains "another name for a key that has one" 73 \
	'the key belongs to the account "bert"'
umpire_as carl init --server "$server" >/dev/null
run umpire_as carl register anna --trust
complains "a name that is taken" 73 'the name "anna" is taken'
run umpire_as anna games
quiet "games works with none"
like "games says what to do next" "$out" 'umpire new'

# ---- a game ----

run umpire_as anna new
complains "new without a roster" 64 'which roster'
run umpire_as anna new --roster "$work/none.json"
complains "new with a file that is not there" 66 'none.json'
run umpire_as anna new --roster "$work/combat.json"
complains "new with a file that is not a roster" 65 'combat.json|system'
like "says what a roster has" "$err" '"system"'
jq '{combat: .}' "$work/combat.json" >"$work/declared.json"
run umpire_as anna new --roster "$work/declared.json"
complains "new with a declaration" 65 'holds a combat, not a roster'
like "says what that is for" "$err" 'umpire declare GAME .*/declared.json$'
jq '{system: "lasalle2", combat: .}' "$work/combat.json" >"$work/scene.json"
run umpire_as anna new --roster "$work/scene.json"
complains "new with a scenario" 65 'holds a combat, not a roster'
like "says what that is for" "$err" 'umpire resolve .*/scene.json$'
run umpire_as anna new "$work/roster.json"
complains "new with a word for --roster" 64 "given by --roster .*roster.json$"
run umpire_as anna new --roster "$work/roster.json" more
complains "new with a word too many" 64 "'more' is one word too many$"
run umpire_as anna new --roster "$work/roster.json" --name evening \
	--ruling garrison_has_flanks=perhaps
complains "new with a ruling that there is not" 65 'garrison_has_flanks'
run umpire_as anna new --roster "$work/roster.json" --name evening \
	--event 'Friday league' --ruling garrison_has_flanks=true
quiet "new works"
join=$(commands | head -n 1)
game=$(sed -n 's/^  game  *//p' "$out")
like "new tells the opponent's command" <(echo "$join") \
	"^umpire join umpire://$server/$game#[0-9a-f]{64}\$"
run umpire_as anna end-turn evening
complains "no turn ends before the game begins" 65 'the game has not begun'
run umpire_as anna declare evening "$work/combat.json" --check
quiet "a combat can be looked at before"
like "and one is told why it is for later" <(tr '\n' ' ' <"$out") \
	'cannot be declared now: the game has not begun\.'
typed anna "$join"
is "one cannot join against oneself" "$status" 0
like "one is told that one sits there already" "$out" 'already sit in this game'
terminal bert '' "env -u NO_COLOR $join --yes --name fight"
like "headings are bold where that can be shown" "$out" \
	$'^\033\\[1mThis is what you agree to'
unlike "and nothing of that is taken for a stranger's" "$out" '\?\[1m'
quiet "the opponent's command works"
like "join shows the rulings" "$out" 'garrison_has_flanks = true'
like "join shows the roster" "$out" 'austrian-3 artillery'
show anna evening
like "it is one's move" "$out" 'It is your move: say that you are ready'
typed anna "$(commands)"
quiet "the command for ready works as it is shown"
show bert fight
like "the other side waits" "$out" 'Waiting for Anna Körner'
unlike "and is told no command" "$out" '^  umpire '
run umpire_as bert end-turn fight
complains "end-turn out of turn" 65 'not your turn'

# ---- a combat ----

show anna evening
declare_as=$(commands | grep declare)
is "the command to declare is shown" "$declare_as" \
	'umpire declare evening FILE'
declare_as=${declare_as/FILE/$work/combat.json}
lines_before=$(umpire_as anna show evening --json | filter .seq)
typed anna "$declare_as --check"
quiet "declare --check works"
like "it shows the facts that the roster adds" "$out" \
	'austrian-3: artillery, strength 2, unlimbered, foot battery'
jq '.attackers[0].id = "french-x"' "$work/combat.json" >"$work/wrong.json"
typed anna "${declare_as/combat.json/wrong.json} --check"
complains "a unit that is not in the roster" 65 '"french-x" is not in the roster'
typed anna "$declare_as"
complains "declare without a terminal wants --yes" 64 'cannot be taken back'
terminal anna n "$declare_as"
is "declare asks on a terminal, and no is no" "$status" 64
is "nothing of all that was sent" \
	"$(umpire_as anna show evening --json | filter .seq)" "$lines_before"
run umpire_as bert close fight --yes
quiet "bert offers to stop"
terminal anna n "umpire close evening"
like "who would end the game by a close is asked that" "$out" \
	'Agree to stop without a result\?  That ends the game\.'
terminal anna y "$declare_as"
is "declare asks on a terminal, and yes is yes" "$status" 0
run umpire_as anna decide evening retire none
complains "the other side's decision" 65 '.'
run umpire_as bert decide fight retire french-a
complains "a decision that is none of the options" 65 'french-a'

# Until the combat is over, whoever owes a decision types one of the commands
# that are shown, and is sure, as some would break a unit.
seed=$RANDOM
RANDOM=$seed
diag "decisions are taken by seed $seed"
decisions=0
for _ in 1 2 3 4 5 6 7 8; do
	owes=
	for who in anna bert; do
		[ "$who" = anna ] && name=evening || name=fight
		show "$who" "$name"
		if grep -q 'It is your move: a decision is owed' "$out"; then
			owes=$who
			mapfile -t list < <(commands | grep decide)
			break
		fi
	done
	[ -n "$owes" ] || break
	[ ${#list[@]} -gt 0 ] || {
		fail "a decision comes with commands"
		break
	}
	command=${list[RANDOM % ${#list[@]}]}
	typed "$owes" "$command --yes"
	quiet "as shown: $command"
	decisions=$((decisions + 1))
done
is "decisions were taken" $((decisions > 0)) 1
show anna evening
like "after the combat it is the same side's turn" "$out" \
	'It is your move: (declare a combat, or )?end your turn'

# ---- talk, turns, the end ----

typed anna "umpire say evening Grüße aus Köln, schöner Zug!"
quiet "say works"
run umpire_as bert say fight $'dank\e[31me'
if [ "$status" = 0 ]; then
	unlike "no control characters reach the other's screen" \
		<(umpire_as anna log evening) $'\e'
else
	like "control characters are refused" "$err" '.'
fi
show anna evening
typed anna "$(commands | grep end-turn)"
quiet "the command to end the turn works as it is shown"
show bert fight
like "the turn has gone over" "$out" 'turn  *2 \(round 1\): Austrians'
typed bert "$(commands | grep end-turn)"
quiet "and the other side's"
show anna evening
like "a round is over" "$out" 'turn  *3 \(round 2\): French'
run umpire_as bert resign fight
complains "resign without a terminal wants --yes" 64 'cannot be undone'
run umpire_as bert resign fight --yes
quiet "resign works"
run umpire_as anna end-turn evening
complains "no turn goes on after that" 65 '.'
for who in anna bert; do
	[ "$who" = anna ] && name=evening || name=fight
	show "$who" "$name"
	like "$who is told the result" "$out" 'Anna Körner \(French\) won the game: '
	terminal "$who" y "$(commands | grep close)"
	is "the command to close works as it is shown, on a terminal" \
		"$status" 0
done
show anna evening
like "the record is complete" "$out" 'finished'
run umpire_as anna say evening 'too late'
complains "no line follows a finished game" 65 '.'

run umpire_as anna log evening
quiet "log works"
cp "$out" "$work/log.anna"
like "log tells the words with their umlauts" "$out" \
	'Anna Körner: Grüße aus Köln, schöner Zug!$'
like "log tells the dice" "$out" 'Roll 1d6 \(score, french-a\): [1-6]$'
like "log tells a modifier and its reason" "$out" \
	'\+1 defends a strong position'
unlike "log has no colours in a pipe" "$out" $'\e'
terminal anna '' 'umpire log evening'
unlike "NO_COLOR is respected on a terminal" "$out" $'\e\\[[0-9;]*m'
terminal anna '' 'env -u NO_COLOR umpire log evening'
like "there are colours on a terminal without it" "$out" $'\e\\[[0-9;]*m'
run umpire_as bert log fight
is "both logs say the same" "$(tail -n +2 "$out")" \
	"$(tail -n +2 "$work/log.anna")"
run umpire_as anna log evening --json
is "log --json is JSON" "$(jq -r 'length > 9' "$out")" true

# ---- the record ----

record=$work/record.jsonl
run umpire_as anna export evening -o "$record"
is "export works" "$status" 0
# A spectator: no account, no seat.
umpire_as carl init --server "$server" >/dev/null
run umpire_as carl export "${game:0:8}" --trust -o "$work/carl.jsonl"
is "a spectator exports it, too" "$status" 0
exits 0 "both exports are the same bytes" cmp "$record" "$work/carl.jsonl"
run umpire_as bert export fight
quiet "export to the terminal works"
cp "$out" "$work/bert.jsonl"
exits 0 "and gives the same bytes" cmp "$work/bert.jsonl" "$record"
run umpire_as carl verify "$work/carl.jsonl"
quiet "a third person's verify is good"
like "it is finished" "$out" 'good, finished$'
like "its combat was run again" "$out" 'combats +1 run again'
run umpire_as anna declare evening "$work/combat.json" --check
complains "no combat is lawful when the game is over" 65 'the game is over'
unlike "whoever is still in play" "$err" 'out of play'
stop_umpired
is "the daemon stops cleanly" $? 0
for who in anna bert; do
	[ "$who" = anna ] && name=evening || name=fight
	run umpire_as "$who" verify "$name"
	quiet "with the server gone $who's own copy is good"
	like "with the server gone $who's own copy is finished" "$out" \
		'good, finished$'
	run umpire_as "$who" show "$name"
	is "with the server gone $who still sees the game" "$status" 0
	like "and is told that it is the own copy" "$err" 'your own copy'
done
run umpire_as anna say evening hello
complains "with the server gone an order is not possible" 69 'no umpired answers'

run umpire_as carl verify "$record" --json
quiet "verify --json works"
is "it says the same" "$(jq -c '[.verdict, .finished, .combats]' "$out")" \
	'["good",true,1]'
read -r last hash server_key < <(jq -r '"\(.lines - 1) \(.head) \(.server)"' \
	"$out")
# fingerprint HEX: the first 100 bits, five hex digits as four.
fingerprint() {
	local digits=0123456789ABCDEFGHJKMNPQRSTVWXYZ i k v mark=
	for ((i = 0; i < 25; i += 5)); do
		v=$((16#${1:i:5}))
		for k in 15 10 5 0; do
			mark+=${digits:v >> k & 31:1}
		done
	done
	echo "${mark:0:5}-${mark:5:5}-${mark:10:5}-${mark:15}"
}
mark=$(fingerprint "$hash")
is "with the fingerprint of the head" "$(filter .fingerprint <"$out")" "$mark"
run umpire_as carl verify "$record"
cp "$out" "$work/good"
like "which people are shown" "$out" "^  in short $last:$mark\$"
like "and that of the server's key" "$out" \
	"^  in short $(fingerprint "$server_key")\$"
run umpire_as anna show evening
like "show has the head's, too" "$out" "^  head     $last:$mark\$"
is "and for programs" "$(umpire_as anna show evening --json 2>/dev/null |
	filter .fingerprint)" "$mark"
for who in anna bert; do
	own=$(fingerprint "$(umpire_as $who init --json | filter .key)")
	like "and that of $who's key" "$out" "^  (keys)? +.*: $own\$"
	is "also for programs" "$(umpire_as carl verify "$record" --json |
		jq -r ".keys[] | select(.account == \"$who\").fingerprints[]")" \
		"$own"
done
like "whose the dice are" "$out" "dice from two hands \\(dual-1\\)\$"
for format in text markdown bbcode html; do
	run umpire_as anna log evening --format $format
	like "so has the log as $format" "$out" "from two hands.*dual-1"
	like "and the log as $format" "$out" "Fingerprint.*$last:$mark"
done
run umpire_as anna export evening -o "$work/again.jsonl"
like "and export" "$out" "^Fingerprint of the last one: $last:$mark\$"
is "and export for programs" "$(umpire_as anna export evening --json \
	-o "$work/again.jsonl" 2>/dev/null | filter .fingerprint)" "$mark"
run umpire_as anna init
like "init has that of one's own key" "$out" \
	"^  fingerprint  $(fingerprint "$(umpire_as anna init --json |
		filter .key)")\$"
exits 0 "verify from standard input works" bash -c \
	"\"$UMPIRE\" verify - <\"$record\""
exits 0 "the right head and server" "$UMPIRE" verify "$record" \
	--head "$last:$hash" --server "$server_key"
exits 1 "another head" "$UMPIRE" verify "$record" --head "$last:$zeros"
exits 1 "a head that is not there" "$UMPIRE" verify "$record" \
	--head "$((last + 1)):$hash"
exits 1 "another server" "$UMPIRE" verify "$record" --server "$hash"
exits 2 "without the rules nothing is good" "$UMPIRE" verify "$record" \
	--no-rules
exits 66 "a file that is not there" "$UMPIRE" verify "$work/none.jsonl"
head -n 2 "$record" | jq -r '.order | fromjson | .args |
	"\(.account) \(.key)"' >"$work/known"
exits 0 "the players are who they are known to be" "$UMPIRE" verify \
	"$record" --known "$work/known"
sed '1s/.$/x/;1s/ax$/bx/;1s/x$/0/' "$work/known" |
	awk 'NR == 1 { $2 = "'"$hash"'" } { print }' >"$work/unknown"
unlike "and none wants looking at" "$out" 'list of --known'
exits 0 "a player with another key than is known" "$UMPIRE" verify \
	"$record" --known "$work/unknown"
is "is what wants looking at" "$(grep -c '^!' "$out")" 1
like "and who" "$out" '^! look at  no key of Anna .* is on the list of --known'
like "where the players stand, too" "$out" 'seat 1, Anna .*, not known$'
like "not who is known" "$out" 'seat 2, .*, known$'
is "and for programs" "$("$UMPIRE" verify "$record" --json \
	--known "$work/unknown" | jq -c '[(.keys | map(.known)), .looks[].what]')" \
	'[[false,true],"unknown"]'
exits 0 "an operator who does not play" "$UMPIRE" verify "$record" \
	--operator carl
like "is nothing to look at" "$out" '^  look at  nothing'
exits 0 "an operator who plays with dice from two hands" "$UMPIRE" verify \
	"$record" --operator bert
like "is" "$out" '^! look at  .* runs the server and plays'
exits 64 "an operator is an account" "$UMPIRE" verify "$record" --operator B.
like "it tells who won and how" "$work/good" \
	'^  result   .* won the game: the other side resigned\.$'
like "and what was done beside playing" "$work/good" \
	'^  sides    .*: no objections, takebacks, changes or claims$'

# ---- changed records ----

# changed WHAT LINE COMMAND...: verify must name that line of the record that
# the command makes of it.
changed() {
	local what=$1 line=$2
	shift 2
	"$@" <"$record" >"$work/changed.jsonl"
	if cmp -s "$record" "$work/changed.jsonl"; then
		fail "$what: the record is changed"
		return
	fi
	run "$UMPIRE" verify "$work/changed.jsonl"
	is "$what: it is bad" "$status" 1
	like "$what: the line is named" "$err" "bad at line $line: ."
	[ ! -s "$out" ] || fail "$what: nothing on stdout"
}

n=$((last + 1))
all=$(wc -l <"$record")
changed "a die" 7 sed '7s/"dice":\[[1-6]\]/"dice":[7]/'
changed "a missing line" 4 sed 4d
changed "a line twice" 4 sed 3p
changed "two lines in the other order" 3 sed '3{h;d};4G'
changed "a cut last line" "$n" awk -v n="$n" 'NR < n { print }
	NR == n { printf "%s", substr($0, 1, 100) }'
changed "no LF at the end" "$all" head -c -1
changed "CR before LF" 1 sed 's/$/\r/'
changed "a byte order mark" 1 sed $'1s/^/\xef\xbb\xbf/'
changed "another time" 5 sed '5s/"at":"2/"at":"3/'
changed "a mark of another line" 5 awk 'NR == 4 { m = substr($0, length($0) - 138) }
	NR == 5 { $0 = substr($0, 1, length($0) - 139) m } { print }'
# Texts stand in the order of their hashes, and players' names are among them.
chat=$(grep -nE '"value":"[^"]*(Grüße|dank)' "$record" | head -n 1)
chat=${chat%%:*}
changed "other words of a chat" "$chat" \
	sed "${chat}s/Grüße/Küsse/;${chat}s/dank/wank/"
changed "another roster" "$all" sed "${all}s/strength\\\\\":6/strength\\\\\":9/"
changed "a side line twice" "$((all + 1))" sed '$p'
changed "a blob before a text" "$((n + 2))" awk -v n="$n" 'NR == n + 1 { t = $0; next }
	{ l[NR] = $0 } END { for (i = 1; i <= n; i++) print l[i]
	print l[NR]; print t; for (i = n + 2; i < NR; i++) print l[i] }'
changed "an empty line" 3 awk 'NR == 3 { print "" } { print }'
sed "$((n + 1))d" "$record" >"$work/changed.jsonl"
exits 0 "words that were erased are no fault" "$UMPIRE" verify \
	"$work/changed.jsonl"
sed '$d' "$record" >"$work/changed.jsonl"
exits 2 "without the roster it cannot be checked" "$UMPIRE" verify \
	"$work/changed.jsonl"
head -n 7 "$record" >"$work/changed.jsonl"
tail -n 1 "$record" >>"$work/changed.jsonl"
run "$UMPIRE" verify "$work/changed.jsonl"
is "the beginning of a record is good, too" "$status" 0
like "and unfinished" "$out" 'good, unfinished'
exits 0 "it continues the other" "$UMPIRE" verify "$work/changed.jsonl" \
	--against "$record"
sed '5s/"at":"2/"at":"3/' "$record" >"$work/changed.jsonl"
exits 1 "a record that differs" "$UMPIRE" verify "$record" --against \
	"$work/changed.jsonl"
like "is told as a copy that was made up" "$err" \
	"differ from line 4 on, but the server did not sign that of '.*changed"
is "programs have it, too" "$("$UMPIRE" verify "$record" --json --against \
	"$work/changed.jsonl" 2>/dev/null |
	jq -c '[.differs, .equivocation, .lost, (.yours == .theirs)]')" \
	'[5,false,false,true]'

# ---- several records ----

exits 1 "one of them is bad" "$UMPIRE" verify "$record" "$work/changed.jsonl"
like "the good one has a row" "$out" 'record\.jsonl +good +resign'
like "so has the bad one" "$out" 'changed\.jsonl +bad'
like "which is told" "$err" 'changed\.jsonl: bad at line 5'
true >"$work/empty.jsonl"
exits 1 "an empty file is no record" "$UMPIRE" verify "$work/empty.jsonl"
like "which is told without a line" "$err" \
	'empty\.jsonl: bad: the record is empty'
exits 66 "one of them is not there" "$UMPIRE" verify "$record" "$work/none.jsonl"
exits 0 "all are good" "$UMPIRE" verify "$record" "$work/carl.jsonl"
is "for programs" "$("$UMPIRE" verify --json "$record" "$work/carl.jsonl" |
	jq -c '[.records[].verdict]')" '["good","good"]'
exits 0 "one game of an event" "$UMPIRE" verify --event "$record"
like "belongs to it" "$out" 'All 1 are of one event and one server'
exits 1 "the same game twice is no event" "$UMPIRE" verify --event --json \
	"$record" "$work/carl.jsonl"
like "which is said" "$err" 'carl\.jsonl: the same game as .*record\.jsonl'
is "and for programs" "$(jq -c '[.together, .records[].belongs]' "$out")" \
	'[false,true,false]'
exits 64 "a head is that of one record" "$UMPIRE" verify "$record" "$record" \
	--head "$last:$hash"

# ---- one bit ----

if command -v python3 >/dev/null; then
	oracle=$top_srcdir/tests/oracle
	bits=$(($(stat -c %s "$record") * 8))
	seed=$RANDOM
	diag "bits are taken by seed $seed"
	exits 0 "one-bit changes all over it are refused" python3 \
		"$oracle/bits.py" "$record" --seed "$seed" \
		--every $((bits / $(some 200 40 500))) --command "$UMPIRE verify"
	diag "$(tail -n 1 "$out")"
	exits 0 "a verifier written from the manual page agrees" python3 \
		"$oracle/verify.py" "$record"
	like "it is finished there, too" "$out" "finished, head $hash"
	exits 0 "and refuses one-bit changes" python3 "$oracle/bits.py" \
		"$record" --seed "$seed" --every $((bits / $(some 80 20 200)))
	diag "$(tail -n 1 "$out")"
else
	skip "one-bit changes all over it are refused" "no python3"
fi
finish
