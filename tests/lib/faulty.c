/* SPDX-License-Identifier: ISC */
#include "tests/lib/faulty.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "tests/faults.h"

struct faulty faulty = {.alloc_left = -1};

/* Counts an allocation; true if it must fail. */
static bool
faulty_alloc(void)
{
	long left;

	left = atomic_load(&faulty.alloc_left);
	if (left == -1)
		return (false);
	if (left > 0) {
		atomic_store(&faulty.alloc_left, left - 1);
		return (false);
	}
	if (!atomic_load(&faulty.alloc_sticks))
		atomic_store(&faulty.alloc_left, -1);
	atomic_fetch_add(&faulty.alloc_failures, 1);
	return (true);
}

/* What a write returns in SQLite's place. */
static int
faulty_write(bool is_wal)
{
	(void)is_wal;
	return (atomic_load(&faulty.disk_is_full) ? SQLITE_FULL : 0);
}

/* What an fsync returns in SQLite's place, once it may. */
static int
faulty_sync(bool is_wal)
{
	const struct timespec ms = {.tv_nsec = 1000000};

	if (!is_wal)
		return (0);
	atomic_fetch_add(&faulty.syncs_waiting, 1);
	while (atomic_load(&faulty.syncs_are_held))
		(void)nanosleep(&ms, NULL);
	atomic_fetch_sub(&faulty.syncs_waiting, 1);
	atomic_fetch_add(&faulty.wal_syncs, 1);
	return (atomic_load(&faulty.sync_rc));
}

void
faulty_install(void)
{
	static const struct faults_ops ops = {
	    faulty_alloc, faulty_write, faulty_sync};

	faults_install(&ops);
}

void
faulty_clear(void)
{
	atomic_store(&faulty.alloc_left, -1);
	atomic_store(&faulty.disk_is_full, false);
	atomic_store(&faulty.sync_rc, 0);
	atomic_store(&faulty.syncs_are_held, false);
}
