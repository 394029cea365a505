#!/bin/sh
# SPDX-License-Identifier: ISC
#
# run.sh PROGRAM [ARGUMENT]...: how "make check" starts every test: with a
# home of its own, so that no profile of the person who builds is touched; a
# limit in time, so that a test that hangs fails; and with what TAP wants
# where cmocka (a skipped case is no failure) and plain programs (status 77)
# say it in another way.
set -u
limit=${UMPIRE_TEST_SECONDS:-240}
home=$(mktemp -d "${TMPDIR:-/tmp}/umpire-home.XXXXXX") || exit 99
trap 'rm -rf "$home"' EXIT
trap 'exit 130' INT TERM
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME

{
	HOME=$home TMPDIR=$home timeout -k 10 "$limit" "$@"
	echo $? >"$home/status"
} | sed -u 's/^not ok \([0-9]*\) # SKIP/ok \1 # SKIP/'
read -r status <"$home/status" || status=99

case $status in
77)
	echo "1..0 # SKIP status 77"
	status=0
	;;
124 | 137)
	echo "Bail out! no end after $limit seconds, or killed"
	;;
esac
exit "$status"
