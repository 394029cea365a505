#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Restarts under load: the daemon is stopped by SIGTERM and started again, and
# now and then reads its settings again, while twenty matches go on.  It always
# stops with status 0, and after its clients have tried again no order has
# failed.  One that it has recorded is always answered before it stops.
#
# UMPIRE_COUNT is how many restarts; 10.  UMPIRE_CONTROL=1: the daemon answers
# before it commits, and stops without having done so.

. "${top_srcdir:?}/tests/torture/storm.sh"

count=${UMPIRE_COUNT:-10}
storm_begin
if [ -n "$control" ]; then
	storm_run restart 10 -m 8 -t 1 -r 2
	storm_control restarts lost
	finish
fi
storm_run restart "$count" -m 20 -t 1 -r 4
storm_judge restarts "$count"
diag "$(told '.rereadings // 0') times the settings were read again"
finish
