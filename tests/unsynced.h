/* SPDX-License-Identifier: ISC */
/*
 * What a power cut takes, without a machine: remembers what every write,
 * truncation, creation, removal and renaming since the last fsync has
 * replaced, and puts it back.  One thread at a time: the caller holds
 * unsynced.lock around a call of the system and what is noted of it.
 */
#ifndef UMPIRE_TESTS_UNSYNCED_H
#define UMPIRE_TESTS_UNSYNCED_H

#include <sys/stat.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNSYNCED_FILES 256
#define UNSYNCED_SECTOR 512 /* bytes; what a disk writes whole or not */

enum unsynced_kind {
	UNSYNCED_WRITE,
	UNSYNCED_TRUNCATE,
	UNSYNCED_BORN, /* a file was made */
	UNSYNCED_GONE, /* a name was removed */
	UNSYNCED_MOVED, /* a file got another name */
};

/* One thing that is not on disk for certain. */
struct unsynced_change {
	struct unsynced_change *older;
	enum unsynced_kind kind;
	int fd; /* ours, of the file; never closed, for SQLite's locks */
	ino_t ino;
	off_t at; /* where the bytes were written, or the new size */
	size_t n; /* bytes written */
	off_t size; /* of the file before */
	size_t n_old; /* bytes that were there */
	char *old;
	char *path; /* for a name */
	char *to; /* its new one */
};

static struct {
	pthread_mutex_t lock;
	struct unsynced_change *newest;
	size_t n_files;
	struct {
		ino_t ino;
		int fd; /* -1: does not matter */
	} files[UNSYNCED_FILES];
} unsynced = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Ours of a file that is open for writing; -1 for what no crash outlives. */
static int
unsynced_fd(int fd, ino_t *ino)
{
	static const char end[] = "-shm";
	char path[4096], link[64];
	struct stat sb;
	ssize_t len;
	size_t i;

	if (fstat(fd, &sb) == -1 || !S_ISREG(sb.st_mode))
		return (-1);
	*ino = sb.st_ino;
	for (i = 0; i < unsynced.n_files; i++)
		if (unsynced.files[i].ino == sb.st_ino)
			return (unsynced.files[i].fd);
	if (i == UNSYNCED_FILES)
		abort();
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path));
	if (len < 4)
		abort();
	unsynced.files[i].ino = sb.st_ino;
	unsynced.files[i].fd = memcmp(path + len - 4, end, 4) == 0
	    ? -1
	    : fcntl(fd, F_DUPFD_CLOEXEC, 500);
	unsynced.n_files++;
	return (unsynced.files[i].fd);
}

/* Adds a change, all of whose members but `older` are set. */
static void
unsynced_add(const struct unsynced_change *what)
{
	struct unsynced_change *c = malloc(sizeof(*c));

	if (c == NULL)
		abort();
	*c = *what;
	c->older = unsynced.newest;
	unsynced.newest = c;
}

/* Notes n bytes at `at` before they are written over or (n 0) cut off. */
static void
unsynced_bytes(int fd, enum unsynced_kind kind, off_t at, size_t n)
{
	struct unsynced_change c = {.kind = kind, .at = at, .n = n};
	struct stat sb;

	c.fd = unsynced_fd(fd, &c.ino);
	if (c.fd == -1 || fstat(c.fd, &sb) == -1)
		return;
	c.size = sb.st_size;
	if (kind == UNSYNCED_TRUNCATE && at < c.size)
		n = (size_t)(c.size - at);
	if (at < c.size)
		c.n_old = (off_t)n < c.size - at ? n : (size_t)(c.size - at);
	c.old = malloc(c.n_old + 1);
	if (c.old == NULL ||
	    pread(c.fd, c.old, c.n_old, at) != (ssize_t)c.n_old)
		abort();
	unsynced_add(&c);
}

/* Notes a name; fd is, for one that goes, that of its file (else -1). */
static void
unsynced_name(enum unsynced_kind kind, const char *path, const char *to, int fd)
{
	struct unsynced_change c = {.kind = kind, .fd = fd};

	c.path = strdup(path);
	c.to = to == NULL ? NULL : strdup(to);
	if (c.path == NULL || (to != NULL && c.to == NULL))
		abort();
	unsynced_add(&c);
}

/* Forgets what an fsync of that file or folder has made sure. */
static void
unsynced_synced(int fd)
{
	struct unsynced_change *c, **at = &unsynced.newest;
	struct stat sb;
	bool is_dir;

	if (fstat(fd, &sb) == -1)
		return;
	is_dir = S_ISDIR(sb.st_mode);
	while ((c = *at) != NULL) {
		if (is_dir ? c->kind < UNSYNCED_BORN
			   : c->kind >= UNSYNCED_BORN || c->ino != sb.st_ino) {
			at = &c->older;
			continue;
		}
		*at = c->older;
		if (c->kind == UNSYNCED_GONE && c->fd != -1)
			close(c->fd);
		free(c->old);
		free(c->path);
		free(c->to);
		free(c);
	}
}

/* A number that seed and place alone decide (splitmix64). */
static uint64_t
unsynced_chance(uint64_t seed, uint64_t place)
{
	uint64_t z = seed + (place + 1) * 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (z ^ (z >> 31));
}

/* Puts back n bytes at `from` of what was written; they were old or none. */
static void
unsynced_restore(const struct unsynced_change *c, off_t from, size_t n)
{
	static const char none[UNSYNCED_SECTOR];
	size_t skip = (size_t)(from - c->at), have = 0;

	if (skip < c->n_old)
		have = c->n_old - skip < n ? c->n_old - skip : n;
	if (pwrite(c->fd, c->old + skip, have, from) != (ssize_t)have ||
	    pwrite(c->fd, none, n - have, from + (off_t)have) !=
		(ssize_t)(n - have))
		abort();
}

/* Undoes a write, or of its sectors those that chance does not keep. */
static void
unsynced_undo_write(const struct unsynced_change *c, uint64_t seed)
{
	off_t at, end = c->at + (off_t)c->n, next;
	bool has_kept = false;
	struct stat sb;

	for (at = c->at; at < end; at = next) {
		next = (at / UNSYNCED_SECTOR + 1) * UNSYNCED_SECTOR;
		next = next < end ? next : end;
		if (seed != 0 &&
		    unsynced_chance(
			seed ^ c->ino, (uint64_t)(at / UNSYNCED_SECTOR)) %
			    2 ==
			0)
			has_kept = true;
		else
			unsynced_restore(c, at, (size_t)(next - at));
	}
	if (!has_kept && end > c->size && fstat(c->fd, &sb) == 0 &&
	    sb.st_size == end && ftruncate(c->fd, c->size) == -1)
		abort();
}

/* Undoes one change of bytes. */
static void
unsynced_undo_bytes(const struct unsynced_change *c, uint64_t seed)
{
	if (c->kind == UNSYNCED_WRITE)
		unsynced_undo_write(c, seed);
	else if (seed != 0 && unsynced_chance(seed ^ c->ino, 7) % 2 == 0)
		return;
	else if (ftruncate(c->fd, c->size) == -1 ||
	    pwrite(c->fd, c->old, c->n_old, c->at) != (ssize_t)c->n_old)
		abort();
}

/* Writes a file anew whose name was removed. */
static void
unsynced_revive(const struct unsynced_change *c)
{
	char buf[4096];
	ssize_t n;
	off_t at = 0;
	int fd;

	fd = openat(AT_FDCWD, c->path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd == -1)
		return;
	while ((n = pread(c->fd, buf, sizeof(buf), at)) > 0) {
		if (pwrite(fd, buf, (size_t)n, at) != n)
			abort();
		at += n;
	}
}

/* Undoes one change of names. */
static void
unsynced_undo_name(const struct unsynced_change *c)
{
	if (c->kind == UNSYNCED_BORN)
		(void)unlinkat(AT_FDCWD, c->path, 0);
	else if (c->kind == UNSYNCED_MOVED)
		(void)renameat(AT_FDCWD, c->to, AT_FDCWD, c->path);
	else if (c->fd != -1)
		unsynced_revive(c);
}

/*
 * Loses what is not on disk for certain: all of it, or with a seed of the
 * bytes those sectors that chance picks, and of the names the newest few.
 */
static void
unsynced_lose(uint64_t seed)
{
	const struct unsynced_change *c;
	uint64_t n = 0;

	for (c = unsynced.newest; c != NULL; c = c->older)
		if (c->kind < UNSYNCED_BORN)
			unsynced_undo_bytes(c, seed);
	for (c = unsynced.newest; c != NULL; c = c->older) {
		if (c->kind < UNSYNCED_BORN)
			continue;
		if (seed != 0 && unsynced_chance(seed, n++) % 2 == 0)
			break;
		unsynced_undo_name(c);
	}
}

#endif
