#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# kill -9 under load: twenty matches, whose clients send the same bytes until
# they have an answer, while the daemon is killed at random moments, now and
# then soon after a checkpoint began or while it is still starting.  No order that
# was acknowledged is lost, none is applied twice, and one that is made again has
# the same dice.
#
# UMPIRE_COUNT is how many kills; 10, or 40 with UMPIRE_LONG.  From 100 on orders
# must have been made again, and from 1000 on some with dice; likewise for the
# kinds of kills.  UMPIRE_CONTROL=1: the daemon answers before it commits, and a
# good history is spoiled in every known way; all must be found.

. "${top_srcdir:?}/tests/torture/storm.sh"

count=${UMPIRE_COUNT:-$(some 10 10 40)}
storm_begin

if [ -n "$control" ]; then
	# First a daemon that does as it should, for a history that is good.
	early=0
	storm_run kill 3 -m 8 -t 1 -r 2
	is "a good history is found good" "$(judged .found)" '{}'
	history_run --mutate "$seed"
	is "every way to spoil it is found" "$(judged .missed)" '[]'
	diag "$(judged .ways) ways:"
	diag "$(cat "$work/found")"
	early=20
	storm_begin
	storm_run kill 10 -m 8 -t 1 -r 2
	storm_control kills lost
	finish
fi

storm_run kill "$count" -m 20 -t 1 -r 4
storm_judge kills "$count"
starting=$(told '."of them while starting" // 0')
checkpoint=$(told '."of them soon after a checkpoint began" // 0')
if [ "$count" -ge 100 ]; then
	is "orders were sent again without an answer" \
		$(($(judged .resent) > 0)) 1
	is "orders were made again" $(($(judged .made_again) > 0)) 1
	is "it was killed while starting" $((starting > 0)) 1
fi
if [ "$count" -ge 1000 ]; then
	is "orders with dice were made again" $(($(judged .dice_again) > 0)) 1
	is "it was killed around checkpoints" $((checkpoint > 0)) 1
fi
diag "$starting of them while it was starting," \
	"$checkpoint soon after a checkpoint began"
finish
