#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Many threads at once, for a build with --with-sanitizer=thread to look at:
# matches, talkers and readers keep four io threads and the ledger busy without
# a break, orders are cut off as soon as they are sent, and all the while the
# settings become others and are read again.  No data race is found, and the
# record is what the clients were told.  Other builds do the same, and see less.
#
# UMPIRE_COUNT is how many times the settings are read again, about four a
# second; 40.  UMPIRE_CONTROL=1: the daemon's io threads count in one number
# without a lock, which must be found.

. "${top_srcdir:?}/tests/torture/storm.sh"

count=${UMPIRE_COUNT:-40}
storm_begin

# Nobody is exempt, so that addresses and accounts are counted; but none of that
# is ever enough to be refused.
cat >>"$dir/umpired.conf" <<END
io_threads = 4
penalty_exempt =
penalty_min = 86400
penalty_max = 86400
END
cp "$dir/umpired.conf" "$work/one.conf"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
	-subj /CN=other -keyout "$dir/other.key" -out "$dir/other.crt" \
	2>"$work/openssl.err" || exit 99
grep -Ev '^(request_rate|address_rate|max_startups) *=' "$work/one.conf" \
	>"$work/other.conf"
cat >>"$work/other.conf" <<END
request_rate = 1000000
request_burst = 1000000
address_rate = 1000000
address_burst = 1000000
max_startups = 900:10:1900
max_requests = 4
max_watches = 8
idle_timeout = 600
stop_timeout = 20
log_level = debug
tls_cert = other.crt
tls_key = other.key
courier = $top_builddir/umpired-courier
notify_command = /bin/true
notify_delay = 1
END
trouble=(--conf "$dir/umpired.conf" --settings "$work/one.conf"
	--settings "$work/other.conf" --longest 400)

if [ -n "$control" ]; then
	grep -q __tsan_ "$UMPIRED" || skip_all \
		"this build is not one with --with-sanitizer=thread"
	trouble+=(--then "'$tools/hookctl' '$work/hooks' set race 1")
	storm_run reread 40 -m 8 -t 2 -r 4
	is "the daemon ends, or says so at its end" \
		"$(told .fault | sed -n 's/.* with.* 66$/with 66/p')" "with 66"
	like "since a data race was found" "$dir/log" \
		'ThreadSanitizer: data race'
	diag "$(grep -A 2 'ThreadSanitizer: data race' "$dir/log" | head -n 3)"
	finish
fi

storm_run reread "$count" -m 20 -t 2 -r 6 -x 1
storm_judge rereadings "$count"
storm_reread
finish
