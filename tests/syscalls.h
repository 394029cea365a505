/* SPDX-License-Identifier: ISC */
/*
 * Where tests can make system calls fail, or die at them: each read, write,
 * truncation, removal and opening of a file by SQLite asks the program first,
 * by sqlite3_vfs.xSetSystemCall.  SQLite has no such place for fsync: the
 * program that includes this (once) has fsync(), fdatasync(), rename() and
 * renameat2() of its own, which call syscalls_sync() and syscalls_rename().
 * What is written and not synced can be lost (tests/unsynced.h).
 */
#ifndef UMPIRE_TESTS_SYSCALLS_H
#define UMPIRE_TESTS_SYSCALLS_H

#include <sys/stat.h>
#include <sys/syscall.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "tests/unsynced.h"

/* What is called: bits of a mask. */
enum syscalls_kind {
	SYSCALLS_READ = 1,
	SYSCALLS_WRITE = 2,
	SYSCALLS_SYNC = 4,
	SYSCALLS_TRUNCATE = 8,
	SYSCALLS_UNLINK = 16,
	SYSCALLS_OPEN = 32,
	SYSCALLS_RENAME = 64,
};

/* What becomes of a call. */
enum syscalls_end {
	SYSCALLS_WORKS,
	SYSCALLS_DIES_BEFORE, /* the process ends, nothing done */
	SYSCALLS_DIES_AFTER, /* it ends once all is done */
	SYSCALLS_EIO,
	SYSCALLS_ENOSPC,
	SYSCALLS_EINTR,
	SYSCALLS_SHORT, /* half of the bytes are read or written */
	SYSCALLS_TORN, /* half of the bytes are written, and it ends */
	SYSCALLS_ERRNO = 1000, /* and more: it fails with that errno */
};

/* What the program is asked, from any thread. */
struct syscalls_ops {
	enum syscalls_end (*ask)(enum syscalls_kind kind);
	void (*die)(void); /* does not return */
	bool (*may_lose)(void); /* what is not synced */
};

typedef ssize_t syscalls_pread(int, void *, size_t, off64_t);
typedef ssize_t syscalls_pwrite(int, const void *, size_t, off64_t);

/* The real ones. */
static struct {
	const struct syscalls_ops *ops;
	syscalls_pread *pread;
	syscalls_pwrite *pwrite;
	int (*ftruncate)(int, off_t);
	int (*unlink)(const char *);
	int (*open)(const char *, int, int);
} syscalls;

/*
 * Asks what becomes of a call.  A call that was interrupted is not so a second
 * time: whoever tries again comes through.
 */
static enum syscalls_end
syscalls_ask(enum syscalls_kind kind)
{
	static _Thread_local bool interrupted;
	enum syscalls_end end;

	if (syscalls.ops == NULL)
		return (SYSCALLS_WORKS);
	end = syscalls.ops->ask(kind);
	if (end == SYSCALLS_DIES_BEFORE)
		syscalls.ops->die();
	if (end == SYSCALLS_EINTR && interrupted)
		end = SYSCALLS_WORKS;
	interrupted = end == SYSCALLS_EINTR;
	return (end);
}

/* True, with errno, if the call must fail. */
static bool
syscalls_fails(enum syscalls_end end)
{
	switch (end) {
	case SYSCALLS_EIO:
		errno = EIO;
		return (true);
	case SYSCALLS_ENOSPC:
		errno = ENOSPC;
		return (true);
	case SYSCALLS_EINTR:
		errno = EINTR;
		return (true);
	default:
		if (end <= SYSCALLS_ERRNO)
			return (false);
		errno = (int)end - SYSCALLS_ERRNO;
		return (true);
	}
}

/* How many of n bytes are moved: one at least, so that there is an end. */
static size_t
syscalls_part(enum syscalls_end end, size_t n)
{
	if (n > 1 && (end == SYSCALLS_SHORT || end == SYSCALLS_TORN))
		return (n / 2);
	return (n);
}

/* Ends the process if it must end after the call that was just made. */
static void
syscalls_after(enum syscalls_end end)
{
	if (end == SYSCALLS_DIES_AFTER || end == SYSCALLS_TORN)
		syscalls.ops->die();
}

/* Begins a call that is noted, if calls are; syscalls_noted() ends it. */
static bool
syscalls_note(void)
{
	if (syscalls.ops == NULL || !syscalls.ops->may_lose())
		return (false);
	(void)pthread_mutex_lock(&unsynced.lock);
	return (true);
}

static void
syscalls_noted(bool is_noted)
{
	if (is_noted)
		(void)pthread_mutex_unlock(&unsynced.lock);
}

static ssize_t
syscalls_pread_cb(int fd, void *p, size_t n, off64_t at)
{
	enum syscalls_end end = syscalls_ask(SYSCALLS_READ);
	ssize_t r;

	if (syscalls_fails(end))
		return (-1);
	r = syscalls.pread(fd, p, syscalls_part(end, n), at);
	syscalls_after(end);
	return (r);
}

static ssize_t
syscalls_pwrite_cb(int fd, const void *p, size_t n, off64_t at)
{
	enum syscalls_end end = syscalls_ask(SYSCALLS_WRITE);
	bool is_noted;
	ssize_t r;

	if (syscalls_fails(end))
		return (-1);
	is_noted = syscalls_note();
	if (is_noted)
		unsynced_bytes(fd, UNSYNCED_WRITE, at, syscalls_part(end, n));
	r = syscalls.pwrite(fd, p, syscalls_part(end, n), at);
	syscalls_noted(is_noted);
	syscalls_after(end);
	return (r);
}

static int
syscalls_ftruncate_cb(int fd, off_t size)
{
	enum syscalls_end end = syscalls_ask(SYSCALLS_TRUNCATE);
	bool is_noted;
	int r;

	if (syscalls_fails(end))
		return (-1);
	is_noted = syscalls_note();
	if (is_noted)
		unsynced_bytes(fd, UNSYNCED_TRUNCATE, size, 0);
	r = syscalls.ftruncate(fd, size);
	syscalls_noted(is_noted);
	syscalls_after(end);
	return (r);
}

static int
syscalls_unlink_cb(const char *path)
{
	enum syscalls_end end = syscalls_ask(SYSCALLS_UNLINK);
	bool is_noted;
	int fd, r;

	if (syscalls_fails(end))
		return (-1);
	is_noted = syscalls_note();
	fd = is_noted ? syscalls.open(path, O_RDONLY | O_CLOEXEC, 0) : -1;
	r = syscalls.unlink(path);
	if (is_noted && r == 0)
		unsynced_name(UNSYNCED_GONE, path, NULL, fd);
	syscalls_noted(is_noted);
	syscalls_after(end);
	return (r);
}

static int
syscalls_open_cb(const char *path, int flags, int mode)
{
	enum syscalls_end end = syscalls_ask(SYSCALLS_OPEN);
	bool is_born, is_noted;
	int fd;

	if (syscalls_fails(end))
		return (-1);
	is_noted = syscalls_note();
	is_born = is_noted && (flags & O_CREAT) != 0 &&
	    faccessat(AT_FDCWD, path, F_OK, 0) == -1;
	fd = syscalls.open(path, flags, mode);
	if (is_born && fd != -1)
		unsynced_name(UNSYNCED_BORN, path, NULL, -1);
	syscalls_noted(is_noted);
	syscalls_after(end);
	return (fd);
}

/* fsync() or, with its number, fdatasync(). */
static int
syscalls_sync(long number, int fd)
{
	enum syscalls_end end = syscalls_ask(SYSCALLS_SYNC);
	bool is_noted;
	int r;

	if (syscalls_fails(end))
		return (-1);
	is_noted = syscalls_note();
	r = (int)syscall(number, fd);
	if (is_noted && r == 0)
		unsynced_synced(fd);
	syscalls_noted(is_noted);
	syscalls_after(end);
	return (r);
}

/* rename(), and renameat2() of whole paths */
static int
syscalls_rename(const char *from, const char *to, unsigned flags)
{
	enum syscalls_end end = syscalls_ask(SYSCALLS_RENAME);
	bool is_noted;
	int r;

	if (syscalls_fails(end))
		return (-1);
	is_noted = syscalls_note();
	r = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
	if (is_noted && r == 0)
		unsynced_name(UNSYNCED_MOVED, from, to, -1);
	syscalls_noted(is_noted);
	syscalls_after(end);
	return (r);
}

/* Puts one of the questions in; the real function goes into *real. */
static void
syscalls_put(const char *name, sqlite3_syscall_ptr ours, void *real)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find("unix");
	sqlite3_syscall_ptr theirs;
	int rc;

	assert(vfs != NULL && vfs->iVersion >= 3);
	theirs = vfs->xGetSystemCall(vfs, name);
	/* An SQLite that has no pread64 calls pread. */
	if (theirs == NULL)
		return;
	memcpy(real, &theirs, sizeof(theirs));
	rc = vfs->xSetSystemCall(vfs, name, ours);
	assert(rc == SQLITE_OK);
	(void)rc;
}

/* Puts the questions in; SQLite must not have been used before. */
static void
syscalls_install(const struct syscalls_ops *ops)
{
	static const char *const preads[] = {"pread", "pread64"};
	static const char *const pwrites[] = {"pwrite", "pwrite64"};
	size_t i;

	for (i = 0; i < 2; i++) {
		syscalls_put(preads[i], (sqlite3_syscall_ptr)syscalls_pread_cb,
		    &syscalls.pread);
		syscalls_put(pwrites[i],
		    (sqlite3_syscall_ptr)syscalls_pwrite_cb, &syscalls.pwrite);
	}
	syscalls_put("ftruncate", (sqlite3_syscall_ptr)syscalls_ftruncate_cb,
	    &syscalls.ftruncate);
	syscalls_put("unlink", (sqlite3_syscall_ptr)syscalls_unlink_cb,
	    &syscalls.unlink);
	syscalls_put(
	    "open", (sqlite3_syscall_ptr)syscalls_open_cb, &syscalls.open);
	assert(syscalls.pread != NULL && syscalls.pwrite != NULL);
	syscalls.ops = ops;
}

#endif
