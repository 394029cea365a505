#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Restarts under load: the daemon is stopped by SIGTERM and started again, and
# now and then reads its settings again, while twenty matches go on.  It always
# stops with status 0, and after its clients have tried again no order has
# failed.  One that it has recorded is always answered before it stops.
#
# UMPIRE_COUNT is how many restarts; 10.  UMPIRE_CONTROL=1: the daemon answers
# before it commits, and stops without having done so; then one that drops its
# answers when it is about to stop; and one that ends by a signal.

. "${top_srcdir:?}/tests/torture/storm.sh"

count=${UMPIRE_COUNT:-10}
storm_begin
if [ -n "$control" ]; then
	set="'$tools/hookctl' '$work/hooks' set"
	storm_run restart 10 -m 8 -t 1 -r 2
	storm_control restarts lost

	# What is sent from the SIGTERM on (and a little before) is lost.
	early=0
	storm_begin
	trouble=(--before-stop "$set sys_mask 2048 sys_do 3 sys_n -1"
		--before-start "$set sys_mask 0 sys_n 0")
	storm_run restart 10 -m 8 -t 1 -r 2
	is "answers that are dropped at a stop are found out" \
		$(($(judged .late) > 0)) 1
	is "though nothing else is wrong" \
		"$(told .fault) $(judged .found)" "null {}"
	diag "$(judged .late) orders were recorded and not answered at first"

	hook sys_mask 0 sys_n 0
	storm_begin
	trouble=(--then "$set linger -1")
	storm_run restart 1 -m 8 -t 1 -r 2
	is "so is a stop that is none" "$(told .fault)" \
		"it stops with status -9"
	hook linger 0
	finish
fi
storm_run restart "$count" -m 20 -t 1 -r 4
storm_judge restarts "$count"
storm_reread
finish
