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
	HOOKS_BOOT_MS, /* what the clock since the boot says; 0: the wall
			  clock's time */
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
	HOOKS_SYS_MASK, /* which system calls count: syscalls_kind's bits */
	HOOKS_SYS_N, /* of them until one is struck: 1, the next; -1: all */
	HOOKS_SYS_DO, /* what becomes of it: enum syscalls_end */
	HOOKS_SYS_STICKY, /* not 0: then of all others, too */
	HOOKS_SYS_COUNT, /* such calls that were made */
	HOOKS_LIE, /* not 0: a commit that failed is called good */
	HOOKS_SYS_LOSE, /* dying there loses what is not synced: 1, all; seed */
	HOOKS_SYNC_NORMAL, /* not 0: new connections are synchronous=NORMAL */
	HOOKS_SKIP_SYNC, /* 1: fsyncs of files are left out, and said to be
			    good; 2: those of folders; 3: all */
	HOOKS_UNWIPED, /* not 0: of what is wiped a copy stays */
	HOOKS_EARLY, /* commits that are only noted, before each real one */
	HOOKS_TRY_CALLS, /* forbidden calls that the next commit tries; then 0
			  */
	HOOKS_CALLS_MADE, /* a bit for each that was not refused: tests/calls.h
			   */
	HOOKS_LINGER, /* not 0: the end of the process waits; it says 2; -1:
			 it ends as sys_lose says */
	HOOKS_RACE, /* not 0: threads count in one number without a lock */
	HOOKS_FLOCK, /* not 0: flock() takes locks of fcntl(), as on NFS */
	HOOKS_WASTE_US, /* of CPU that each read off a socket burns */
	HOOKS_FAT, /* bytes that each connection takes more than the last */
	HOOKS_FORGET, /* not 0: nothing is kept that would spare a request work:
			 pages of the database, answers of game.show and
			 rpc.discover */
	HOOKS_COLD, /* not 0: the ledger keeps no game in memory */
	HOOKS_DEAF_SYNC, /* not 0: an fsync that failed is called good */
	HOOKS_RESTLESS, /* not 0: who cannot accept does not wait before he
			   tries again */
	HOOKS_GROUPS, /* not 0: TLS has OpenSSL's own groups */
	HOOKS_PASS_OVER, /* not 0: no standing order answers */
	HOOKS_FREE_MIB, /* what is free on the disk; 0: what is */
	HOOKS_MINUTES, /* that are over at once for a thread that waits */
	HOOKS_HOLD_PAIRING, /* while it is not 0 no round is paired */
	HOOKS_PAIRINGS, /* rounds that were, or wait to be */
	HOOKS_HOLD_THREADS, /* while it is not 0 no io thread is made */
	HOOKS_HOLD_MAKING, /* while it is not 0 no tournament is made of its
			      lines */
	HOOKS_SLOTS,
};

/* The whole file. */
struct hooks {
	_Atomic int64_t slots[HOOKS_SLOTS];
};

/* Names of the slots, as hookctl takes them. */
static const char *const hooks_names[] = {
    "now_ms",
    "boot_ms",
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
    "sys_mask",
    "sys_n",
    "sys_do",
    "sys_sticky",
    "sys_count",
    "lie",
    "sys_lose",
    "sync_normal",
    "skip_sync",
    "unwiped",
    "early",
    "try_calls",
    "calls_made",
    "linger",
    "race",
    "flock",
    "waste_us",
    "fat",
    "forget",
    "cold",
    "deaf_sync",
    "restless",
    "groups",
    "pass_over",
    "free_mib",
    "minutes",
    "hold_pairing",
    "pairings",
    "hold_threads",
    "hold_making",
};

#endif
