/* SPDX-License-Identifier: ISC */
/*
 * The file through which a test rules umpired-test: an array of numbers that
 * the daemon maps (its path is in the environment, UMPIRED_TEST_CONTROL) and
 * hookctl reads and sets.  Without the variable all of them are 0.
 */
#ifndef UMPIRE_TESTS_HOOKS_H
#define UMPIRE_TESTS_HOOKS_H

#include <stdatomic.h>
#include <stdint.h>

#define HOOKS_ENV "UMPIRED_TEST_CONTROL"

/*
 * A file to which umpired-test appends each line of a record that it is about
 * to store, also those of orders whose commit then fails.
 */
#define HOOKS_LINES_ENV "UMPIRED_TEST_LINES"

enum hooks_slot {
	HOOKS_NOW_MS, /* what the wall clock says; 0: the real one */
	HOOKS_NOW_STEP_MS, /* added to it each time it is read */
	HOOKS_FAIL_COMMITS, /* commits that will fail; -1: all */
	HOOKS_COMMITS, /* commits that succeeded */
	HOOKS_FAIL_WRITE, /* writes that will find the disk full; -1: all */
	HOOKS_FAIL_SYNC, /* fsyncs that will fail; -1: all */
	HOOKS_HOLD_SYNC, /* while it is not 0 every fsync waits */
	HOOKS_HELD, /* fsyncs that wait now */
	HOOKS_SYNCS, /* fsyncs of the WAL that were asked for */
	HOOKS_ALLOC_N, /* allocations until one fails: 1, the next; -1: all */
	HOOKS_ALLOC_STICKY, /* not 0: when one has failed all others do */
	HOOKS_ALLOC_COUNT, /* allocations that were asked for */
	HOOKS_SLOTS,
};

/* The whole file. */
struct hooks {
	_Atomic int64_t slots[HOOKS_SLOTS];
};

/* Names of the slots, as hookctl takes them. */
static const char *const hooks_names[] = {
    "now_ms",
    "now_step_ms",
    "fail_commits",
    "commits",
    "fail_write",
    "fail_sync",
    "hold_sync",
    "held",
    "syncs",
    "alloc_n",
    "alloc_sticky",
    "alloc_count",
};

#endif
