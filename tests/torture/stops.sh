#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Processes that stand still: the daemon, its clients or both are held by
# SIGSTOP for up to a second, and now and then the daemon is killed while they
# are held.  Clients do not wait for long, so that they send the same bytes on a
# new connection while the old ones still wait to be read; and of twenty orders
# one is cut off as soon as it was sent.  Nothing is applied twice, and what is
# read never goes back.
#
# UMPIRE_COUNT is how many stops; 10.  UMPIRE_CONTROL=1: the daemon answers
# before it commits, so that what is read is older than what was acknowledged.

. "${top_srcdir:?}/tests/torture/storm.sh"

count=${UMPIRE_COUNT:-10}
storm_begin
if [ -n "$control" ]; then
	storm_run stop 10 -m 8 -t 1 -r 4 -w 200 -x 5
	storm_control stops time lost
	finish
fi
storm_run stop "$count" -m 20 -t 1 -r 4 -w 200 -x 5
storm_judge stops "$count"
is "orders were sent again without an answer" $(($(judged .resent) > 0)) 1
finish
