/* SPDX-License-Identifier: ISC */
/*
 * Where tests can make SQLite and jansson fail: each of their allocations,
 * and each write and fsync of SQLite, asks the program first.  One program
 * includes this once and calls faults_install() before any use of SQLite.
 */
#ifndef UMPIRE_TESTS_FAULTS_H
#define UMPIRE_TESTS_FAULTS_H

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include <jansson.h>
#include <sqlite3.h>

/* What the program is asked, from any thread. */
struct faults_ops {
	bool (*alloc_fails)(void);
	int (*write_fails)(bool is_wal); /* 0 or an SQLite code; likewise */
	int (*sync_fails)(bool is_wal);
};

static const struct faults_ops *faults_ops;
static sqlite3_mem_methods faults_mem; /* SQLite's own */
static sqlite3_vfs faults_vfs; /* the default one, but for xOpen */
static sqlite3_vfs *faults_real_vfs;
/* [0]: of a database, [1]: of a WAL; the real ones and ours. */
static const sqlite3_io_methods *faults_real_io[2];
static sqlite3_io_methods faults_io[2];

static void *
faults_malloc_cb(int n)
{
	return (faults_ops->alloc_fails() ? NULL : faults_mem.xMalloc(n));
}

static void *
faults_realloc_cb(void *p, int n)
{
	return (faults_ops->alloc_fails() ? NULL : faults_mem.xRealloc(p, n));
}

static void *
faults_json_malloc_cb(size_t n)
{
	return (faults_ops->alloc_fails() ? NULL : malloc(n));
}

static int
faults_write_cb(sqlite3_file *f, const void *p, int n, sqlite3_int64 at)
{
	int is_wal, rc;

	is_wal = f->pMethods == &faults_io[1];
	rc = faults_ops->write_fails(is_wal);
	if (rc != 0)
		return (rc);
	return (faults_real_io[is_wal]->xWrite(f, p, n, at));
}

static int
faults_sync_cb(sqlite3_file *f, int flags)
{
	int is_wal, rc;

	is_wal = f->pMethods == &faults_io[1];
	rc = faults_ops->sync_fails(is_wal);
	if (rc != 0)
		return (rc);
	return (faults_real_io[is_wal]->xSync(f, flags));
}

/*
 * Opens a file by the real functions and then, for a database or a WAL, puts
 * ours in the place of two of its methods.
 */
static int
faults_open_cb(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out)
{
	int i, rc;

	rc = faults_real_vfs->xOpen(vfs, name, f, flags, out);
	for (i = 0; rc == SQLITE_OK && i < 2; i++)
		if (f->pMethods == faults_real_io[i] &&
		    (i == 1) == ((flags & SQLITE_OPEN_WAL) != 0))
			f->pMethods = &faults_io[i];
	return (rc);
}

/* Learns the methods that the default VFS has for a kind of file. */
static void
faults_learn(int i, int kind)
{
	sqlite3_file *f;
	int rc;

	f = calloc(1, (size_t)faults_real_vfs->szOsFile);
	assert(f != NULL);
	rc = faults_real_vfs->xOpen(
	    faults_real_vfs, "/dev/null", f, SQLITE_OPEN_READONLY | kind, NULL);
	assert(rc == SQLITE_OK);
	(void)rc;
	faults_real_io[i] = f->pMethods;
	faults_io[i] = *f->pMethods;
	faults_io[i].xWrite = faults_write_cb;
	faults_io[i].xSync = faults_sync_cb;
	f->pMethods->xClose(f);
	free(f);
}

/* Puts the questions in. */
static void
faults_install(const struct faults_ops *ops)
{
	sqlite3_mem_methods mem;
	int rc;

	faults_ops = ops;
	rc = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &faults_mem);
	assert(rc == SQLITE_OK);
	mem = faults_mem;
	mem.xMalloc = faults_malloc_cb;
	mem.xRealloc = faults_realloc_cb;
	rc = sqlite3_config(SQLITE_CONFIG_MALLOC, &mem);
	assert(rc == SQLITE_OK);
	json_set_alloc_funcs(faults_json_malloc_cb, free);
	faults_real_vfs = sqlite3_vfs_find(NULL);
	assert(faults_real_vfs != NULL);
	faults_learn(0, SQLITE_OPEN_MAIN_DB);
	faults_learn(1, SQLITE_OPEN_WAL);
	faults_vfs = *faults_real_vfs;
	faults_vfs.zName = "faults";
	faults_vfs.xOpen = faults_open_cb;
	rc = sqlite3_vfs_register(&faults_vfs, 1);
	assert(rc == SQLITE_OK);
	(void)rc;
}

#endif
