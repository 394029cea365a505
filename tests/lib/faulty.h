/* SPDX-License-Identifier: ISC */
/*
 * Faults of memory and disk that a test sets: allocations of SQLite and of
 * jansson that fail, a disk that is full, an fsync that fails or does not
 * return.  Any thread may meet them.
 */
#ifndef UMPIRE_TESTS_LIB_FAULTY_H
#define UMPIRE_TESTS_LIB_FAULTY_H

#include <stdatomic.h>

#include <sqlite3.h>

/* What fails, and what was seen. */
struct faulty {
	atomic_long alloc_left; /* allocations that succeed; -1: all */
	atomic_bool alloc_sticks; /* all after a failure fail too */
	atomic_long alloc_failures; /* so far */
	atomic_bool disk_is_full;
	atomic_int
	    sync_rc; /* what each fsync of a WAL returns, in SQLite's codes */
	atomic_int wal_syncs; /* that have returned */
	atomic_bool syncs_are_held;
	atomic_int syncs_waiting;
};

extern struct faulty faulty;

/* Puts them in the place of what SQLite has; before any use of it. */
void faulty_install(void);

/* Nothing fails from now on; what was counted stays. */
void faulty_clear(void);

#endif
