#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What people are told of a tournament while they are away: by notify_command
# and by mail, each thing in its time, to those whom it concerns, once.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_hooks

[ -x "$top_builddir/umpired-courier" ] || skip_all "umpired-courier is not built"
dir=$work/umpired
ends=$work/ends
mkdir "$ends"
for name in tls other; do
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 \
		-nodes -keyout "$ends/$name.key" -out "$ends/$name.crt" \
		-days 2 -subj /CN=localhost \
		-addext subjectAltName=IP:127.0.0.1,DNS:localhost 2>/dev/null ||
		exit 99
done
mkfifo "$work/serve"
python3 "$top_srcdir/tests/e2e/notify.py" serve "$ends" <"$work/serve" &
daemons="$daemons $!"
exec 9>"$work/serve"
wait_for 20 test -s "$ends/smtp.port" || exit 99

printf '#!/bin/sh\ncat >>%s\n' "'$work/told'" >"$work/tell"
chmod 700 "$work/tell"
init_umpired "$dir" || exit 99
cat >>"$dir/umpired.conf" <<END
log_level = debug
notify_command = $work/tell
smtp_url = smtp://127.0.0.1:$(cat "$ends/smtp.port")
smtp_from = umpire@example.org
smtp_ca = $ends/tls.crt
END
start_umpired "$dir" || exit 99

PORT=$port TOOLS=$tools PLAYERS=$work/keys HOOKS=$work/hooks \
	OUT=$work TOLD=$work/told MAILS=$ends/mails LOG=$dir/log \
	told python3 "$top_srcdir/tests/e2e/reminders.py" 2>"$err"
[ ! -s "$err" ] || diag "$(cat "$err")"
stop_umpired || fail "umpired ends well"
finish
