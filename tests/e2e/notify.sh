#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Who is not connected is told what waits: once, by mail, webhook and
# notify_command; again after a failure, later each time; not while connected
# or in quiet hours, not of what is done already, and not where nobody may be
# sent. Mail server and receiver are the test's own (notify.py).

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_hooks

courier=$top_builddir/umpired-courier
[ -x "$courier" ] || skip_all "umpired-courier is not built"
dir=$work/umpired
ends=$work/ends
log=$dir/log

# certificate NAME: a key and a certificate of its own for the loopback.
certificate() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 \
		-nodes -keyout "$1.key" -out "$1.crt" -days 2 \
		-subj /CN=localhost \
		-addext subjectAltName=IP:127.0.0.1,DNS:localhost 2>/dev/null
}

# ---- umpired-courier alone ----

mkdir "$ends" "$work/alone"
certificate "$ends/tls" && certificate "$ends/other" || exit 99
cp "$ends"/* "$work/alone"
run python3 "$top_srcdir/tests/e2e/notify.py" courier "$courier" "$work/alone"
is "the courier's test runs to its end" "$status" 0
[ "$status" = 0 ] || show_run
while read -r word what; do
	if [ "$word" = ok ]; then
		pass "$what"
	else
		fail "${what#ok }"
	fi
done <"$out"
exits 64 "it is not for hands" "$courier"
like "and says so" "$err" 'umpired starts this program'
exits 0 "it says its version" "$courier" --version

# ---- a daemon, its clock standing still ----

mkfifo "$work/serve"
python3 "$top_srcdir/tests/e2e/notify.py" serve "$ends" <"$work/serve" &
daemons="$daemons $!"
# It ends with this test, whose end of the pipe it reads.
exec 9>"$work/serve"
for name in smtp smtps https other; do
	wait_for 20 test -s "$ends/$name.port" || exit 99
done
port_of() {
	cat "$ends/$1.port"
}

command="$work/tell; touch hacked"
cat >"$command" <<END
#!/bin/sh
cat >>'$work/commands'
END
chmod 700 "$command"
init_umpired "$dir" || exit 99
cat >>"$dir/umpired.conf" <<END
log_level = debug
notify_command = ../${command##*/}
notify_tries = 3
notify_retry = 60
smtp_url = smtp://127.0.0.1:$(port_of smtp)
smtp_from = umpire@example.org
smtp_ca = $ends/tls.crt
webhooks = yes
webhook_networks = 127.0.0.0/8
webhook_ports = $(port_of https)
webhook_connect = 1
webhook_ca = $ends/tls.crt
stop_timeout = 1
END
at=$(date -d 2030-01-09T12:00:00Z +%s)
hook now_ms "${at}000"
# Its settings by a path from here, and in them the command by one from there.
cd "$work" || exit 99
start_umpired "${dir##*/}" || exit 99
cd "$OLDPWD" || exit 99

# does NAME ARGUMENT...: a command that must work; the clocks do not agree,
# which it complains of.
does() {
	umpire_as "$@" >"$out" 2>"$err" || fail "umpire $*" "$(cat "$err")"
}

# later SECONDS: the clock moves on.
later() {
	at=$((at + $1))
	hook now_ms "${at}000"
}

# count FILE: messages that came.
count() {
	[ -e "$1" ] && wc -l <"$1" || echo 0
}

# has FILE N: true if so many messages came.
has() {
	[ "$(count "$1")" -ge "$2" ]
}

# looks N: true if the daemon has looked for notices that often.
looks() {
	[ "$(grep -c 'looked for notices' "$log")" -ge "$1" ]
}

# look_around: waits until the daemon has looked for notices once more, because
# somebody came and went.
look_around() {
	local n
	n=$(grep -c 'looked for notices' "$log")
	does carl games
	wait_for 20 looks $((n + 1)) || fail "the daemon looks for notices"
}

# came WHAT FILE N: a case; so many messages must have come in all.
came() {
	has "$2" "$3" || look_around
	wait_for 20 has "$2" "$3"
	is "$1" "$(count "$2")" "$3"
}

# none_more WHAT FILE N: a case; after another look there are still no more.
none_more() {
	look_around
	is "$1" "$(count "$2")" "$3"
}

# last FILE FILTER: what jq makes of the newest message.
last() {
	tail -n 1 "$1" | jq -r "$2"
}

# address NAME KIND FILTER: what the player is shown of an address.
address() {
	umpire_as "$1" notify --json 2>/dev/null |
		jq -r ".addresses[] | select(.kind == \"$2\") | $3"
}

# reload KEY VALUE: another setting takes effect.
reload() {
	local n
	sed -i "/^$1 *=/d" "$dir/umpired.conf"
	echo "$1 = $2" >>"$dir/umpired.conf"
	n=$(grep -c 'the courier is process' "$log")
	kill -HUP "$daemon"
	wait_for 20 couriers $((n + 1)) || fail "the settings are reread"
}

# couriers N: true if so many have been started.
couriers() {
	[ "$(grep -c 'the courier is process' "$log")" -ge "$1" ]
}

mails=$ends/mails
hooks=$ends/hooks
commands=$work/commands
write_example "$work"
for who in anna bert carl; do
	init_player "$who" || exit 99
	does "$who" register "$who" --trust
done

# ---- codes ----

exits 0 "an address is taken" umpire_as bert notify --mail bert@localhost
came "its code is sent" "$mails" 1
is "to that address" "$(last "$mails" '.to[0]')" 'RCPT TO:<bert@localhost>'
is "under our subject" "$(last "$mails" .data | tr -d '\r' |
	sed -n 's/^Subject: //p')" 'umpire: confirm this address'
code=$(last "$mails" .data | sed -n 's/.*--confirm \([a-z0-9]*\).*/\1/p')
is "with a code" "${#code}" 8
run umpire_as bert notify --confirm aaaaaaaa
is "a wrong code does not do" \
	"$((status != 0)) $(address bert mail .confirmed)" '1 false'
exits 0 "the right one does" umpire_as bert notify --confirm "$code"
is "which is to be seen" "$(address bert mail .confirmed)" true
none_more "it is sent once" "$mails" 1
url="https://localhost:$(port_of https)/hook?key=s3cret"
does anna notify --webhook "$url"
came "a webhook gets its code" "$hooks" 1
is "as JSON" "$(last "$hooks" '.body | fromjson | .event + " " + .account')" \
	'confirm anna'
is "with the text under both names" \
	"$(last "$hooks" '.body | fromjson | .text == .content')" true
code=$(last "$hooks" '.body | fromjson | .code')
exits 0 "which confirms it" umpire_as anna notify --confirm "$code"

# ---- told once, when gone ----

does anna new --roster "$work/roster.json" --name g
game=$(umpire_as anna show g --json 2>/dev/null | jq -r .game)
does bert join --yes "$game" --name g
does anna ready g
session anna anna
ask anna login anna
later 61
look_around
is "who is connected is not told" "$(count "$hooks") $(count "$commands")" '1 0'
close_session anna
came "who has left is told by webhook" "$hooks" 2
came "and by notify_command" "$commands" 1
is "of the game, what waits, and the opponent" "$(tail -n 1 "$hooks" |
	jq -c '.body | fromjson | [.event, .account, .text == .content,
	(.games[] | .game, .system, .what, .since, .since_at, .opponents)]')" \
	"[\"waiting\",\"anna\",true,\"$game\",\"lasalle2\",\"turn\",3,\"2030-01-09T12:00:00.000Z\",[\"bert\"]]"
is "notify_command gets the same" "$(tail -n 1 "$commands" | jq -cS .)" \
	"$(last "$hooks" .body | jq -cS .)"
is "no shell has seen its name" "$([ -e /hacked ] || echo none)" none
later 100000
none_more "it is told once" "$hooks" 2
is "by each way" "$(count "$commands")" 1
is "the last success is to be seen" "$(address anna webhook .sent_at)" \
	2030-01-09T12:01:01.000Z

# ---- failures, and again ----

echo 'rcpt 450' >"$ends/smtp.do"
does anna end-turn g
later 59
none_more "before notify_delay nothing is sent" "$commands" 1
later 2
came "then it is" "$commands" 2
wait_for 20 grep -q 'notice for bert by mail to localhost failed' "$log"
like "a failure is in the log, with the host alone" "$log" \
	'warn.* notice for bert by mail to localhost failed: the mail server answers 450$'
look_around
is "the player sees it" "$(address bert mail '.error, .confirmed' |
	paste -sd' ')" 'the mail server answers 450 true'
run umpire_as bert notify
like "in words, too" "$out" 'the mail server answers 450'
rm "$ends/smtp.do"
later 59
none_more "it is not tried again at once" "$mails" 1
echo 'data 451' >"$ends/smtp.do"
later 2
look_around
wait_for 20 grep -q 'bert by mail to localhost failed.* 451' "$log"
is "but after a minute" $? 0
rm "$ends/smtp.do"
look_around
later 119
none_more "the next pause is twice as long" "$mails" 1
later 2
came "and then it arrives" "$mails" 2
none_more "once" "$mails" 2
last "$mails" .data | tr -d '\r' >"$work/mail"
is "its subject is ours" "$(sed -n 's/^Subject: //p' "$work/mail")" \
	'umpire: your move'
like "it says for whom and what" "$work/mail" '^  It is your turn$'
like "in which game" "$work/mail" "^Game ${game:0:16}, lasalle2\$"
like "with whom" "$work/mail" '^  with anna$'
like "since when" "$work/mail" '^  since 2030-01-10 15:47 \(UTC\)$'
like "what to do" "$work/mail" "^  To see it: umpire show ${game:0:16}\$"
run umpire_as bert show "${game:0:16}" --json
is "which works" "$status $(jq -r .game "$out")" "0 $game"
like "and how to be left alone" "$work/mail" '^  umpire notify --drop mail$'
is "no line is long" "$(awk 'length > 78' "$work/mail" | wc -l)" 0

# ---- quiet hours, and what is done meanwhile ----

# quiet_hours: 23:00 to 07:00 of bert, whose turn it is; then anna's.
quiet_hours() {
	# 23:30 on a clock that is an hour ahead.
	does bert notify --quiet 23:00-07:00 --offset +01:00
	later $(($(date -d 2030-01-11T22:20:00Z +%s) - at))
	does bert end-turn g
	does anna end-turn g
	n=$(count "$commands")
	later 600
	none_more "in quiet hours nothing is sent" "$mails" 2
	is "by any way" "$(count "$commands")" "$n"
	later $((7 * 3600 + 1799))
	none_more "to their last second" "$mails" 2
	later 1
	came "at their end it is" "$mails" 3
	last "$mails" .data | tr -d '\r' >"$work/mail"
	like "with times on the player's clock" "$work/mail" \
		'^  since 2030-01-11 23:20 \(UTC\+01:00\)$'
	later $((16 * 3600))
	does bert end-turn g
	does anna end-turn g
	later 120
	look_around
	does bert end-turn g
	later $((8 * 3600))
	none_more "what was done in quiet hours is not told" "$mails" 3
	does bert notify --no-quiet
}

# With sanitizers the ledger's own tests must do for some of this.
slow=${UMPIRE_SLOW:-}
if [ -z "$slow" ]; then
	quiet_hours
else
	n=$(count "$hooks")
	does bert end-turn g
	later 61
	came "anna is told again" "$hooks" $((n + 1))
fi

# ---- where nobody may be sent ----

n=$(count "$hooks")
later 100000
came "anna's turn was told" "$hooks" "$n"
does anna end-turn g
run umpire_as carl notify --webhook https://localhost:22/x
is "a port that is not allowed is refused at once" "$status" 65
like "which will do is told" "$err" \
	"this server's webhooks go to port $(port_of https) only"
reload notify_tries 1
reload webhook_networks 10.0.0.0/8
does bert end-turn g
n=$(count "$hooks")
later 61
wait_for 20 grep -q 'anna by webhook is given up' "$log"
is "a loopback address is refused" $? 0
like "the log says why, and the host" "$log" \
	"anna by webhook to localhost:$(port_of https) failed: this address is not allowed here\$"
look_around
is "the player sees that it failed, and no more" \
	"$(address anna webhook .error)" \
	'the receiver cannot be reached by https'
later 100000
none_more "it is not tried again" "$hooks" "$n"
does carl notify --webhook "$url"
wait_for 20 grep -q 'code for carl by webhook is given up' "$log"
run umpire_as carl notify
like "a code that cannot be sent is not waited for" "$out" \
	'not used yet; its code could not be sent'
does carl notify --drop webhook
reload webhook_networks 127.0.0.0/8
reload notify_tries 3

# ---- a courier that dies ----

does anna end-turn g
does bert end-turn g
echo hang >"$ends/https.do"
later 61
came "a request is on its way" "$hooks" $((n + 1))
rm "$ends/https.do"
failed=$(address anna webhook .failed_at)
pid=$(sed -n 's/.*the courier is process \([0-9]*\)$/\1/p' "$log" | tail -n 1)
# parent PID
parent() {
	ps -o ppid= -p "$1" | tr -d ' '
}
is "a child of the daemon has started it" "$(parent "$(parent "$pid")")" \
	"$daemon"
started=$(grep -c 'the courier is process' "$log")
kill -KILL "$pid"
wait_for 20 grep -q 'the courier has died' "$log"
is "the daemon sees it die" $? 0
wait_for 20 couriers $((started + 1))
is "and starts another" $? 0
look_around
none_more "what it had is not sent at once" "$hooks" $((n + 1))
later 61
came "but after a minute" "$hooks" $((n + 2))
is "and it was no failure of hers" "$(address anna webhook .failed_at)" \
	"$failed"
like "the log says that it was lost" "$log" \
	'had in hand when it ended: 1; they will be sent again in 60 s$'

# ---- several things at once ----

# several: an invitation, and turns in two games.
several() {
	does anna new --roster "$work/roster.json" --name h --invite bert
	h=$(umpire_as anna show h --json 2>/dev/null | jq -r .game)
	n=$(count "$mails")
	later 61
	came "an invitation is told" "$mails" $((n + 1))
	last "$mails" .data | tr -d '\r' >"$work/mail"
	like "as what it is" "$work/mail" '^  You are invited$'
	like "to which game" "$work/mail" "^Game ${h:0:16}, lasalle2\$"
	does bert join --yes "$h" --name h
	does anna ready h
	does anna end-turn g
	does bert end-turn g
	n=$(count "$hooks")
	later 61
	came "two games make one message" "$hooks" $((n + 1))
	is "which names both" "$(last "$hooks" '.body | fromjson |
		[.games[] | .game + " " + .what] | sort | join(" ")')" \
		"$(printf '%s turn\n' "$game" "$h" | sort | paste -sd' ')"
	none_more "and no more" "$hooks" $((n + 1))
}

[ -n "$slow" ] || several

# ---- notice that a claim will follow ----

# The client has the daemon's clock here: a notice goes by both.
real=$UMPIRE UMPIRE=$umpire_test
does anna new --roster "$work/roster.json" --name late \
	--clock 1h/order,notice=30m
late=$(umpire_as anna show late --json | jq -r .game)
does bert join --yes "$late" --name late
does anna ready late
n=$(count "$hooks") c=$(count "$commands")
later 3601
came "anna is told of her turn" "$hooks" $((n + 1))
was=$at
does bert claim late
later 59
none_more "not of the notice at once" "$hooks" $((n + 1))
later 2
came "but then of it" "$hooks" $((n + 2))
has "$commands" $((c + 2)) || wait_for 20 has "$commands" $((c + 2))
is "and until when she may move" "$(last "$hooks" '.body | fromjson |
	.games[] | "\(.game) \(.what) \(.until)"')" \
	"$late notice $(date -ud "@$((was + 1800))" +%Y-%m-%dT%H:%M:%S.000Z)"
like "in words" <(last "$hooks" '.body | fromjson | .text') \
	'time is over'
is "notify_command gets the same" "$(tail -n 1 "$commands" | jq -cS .)" \
	"$(last "$hooks" .body | jq -cS .)"
later 1800
none_more "she is told once" "$hooks" $((n + 2))
does anna end-turn late
m=$(count "$mails")
later 3601
came "bert is told of his turn" "$mails" $((m + 1))
does anna claim late
later 61
came "and of the notice" "$mails" $((m + 2))
last "$mails" .data | tr -d '\r' >"$work/mail"
like "as what it is" "$work/mail" '^  Your time is over'
like "with the game" "$work/mail" "^Game ${late:0:16}, lasalle2\$"
does bert end-turn late
does anna end-turn late
later 3601
came "in his next turn he is told of that" "$mails" $((m + 3))
does anna claim late
does bert end-turn late
m=$(count "$mails")
later 61
none_more "a notice that a move has ended is not told" "$mails" "$m"
does anna resign late --yes
does bert close late --yes
does anna close late --yes
later 100
look_around
UMPIRE=$real

# ---- failures without end ----

# failures: mails to bert that are refused; it is his turn in the end.
failures() {
	n=$(count "$mails")
	echo 'rcpt 550' >"$ends/smtp.do"
	for i in 1 2 3; do
		does anna end-turn g
		later 61
		is_given_up() {
			[ "$(grep -c 'bert by mail is given up' "$log")" -ge "$i" ]
		}
		wait_for 20 is_given_up
		is "a mail that is refused is given up ($i)" $? 0
		does bert end-turn g
	done
	look_around
	is "an address that fails three times is used no more" \
		"$(address bert mail .confirmed)" false
	rm "$ends/smtp.do"
	does anna end-turn g
	later 61
	look_around
	none_more "until it is confirmed anew" "$mails" "$n"
	echo 'rcpt 450' >"$ends/smtp.do"
	does carl notify --mail carl@localhost
	wait_for 20 grep -q 'code for carl by mail.* 450' "$log"
	rm "$ends/smtp.do"
	later 90000
	wait_for 20 grep -q 'code for carl by mail.*has expired' "$log"
	is "a code that has expired is not sent" $? 0
	none_more "to nobody" "$mails" "$n"
}

if [ -z "$slow" ]; then
	failures
else
	does anna end-turn g
fi

# ---- the log ----

unlike "no URL or code is in the log" "$log" 's3cret|/hook'
unlike "nothing in it is from a sanitizer" "$log" 'Sanitizer|runtime error'

# ---- the end, and after it ----

echo hang >"$ends/https.do"
does bert end-turn g
n=$(count "$hooks")
later 61
came "a request is on its way" "$hooks" $((n + 1))
stop_umpired
is "the daemon stops with one in hand" $? 0
rm "$ends/https.do"
start_umpired "$dir" -o "listen=127.0.0.1:$port" || exit 99
came "which is sent after the next start" "$hooks" $((n + 2))
none_more "once" "$hooks" $((n + 2))
reload notify_command ''
stop_umpired
is "the daemon stops cleanly" $? 0
exits 0 "what it holds agrees with itself" "$top_builddir/umpired" \
	-c "$dir/umpired.conf" --check
finish
