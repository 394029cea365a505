/* SPDX-License-Identifier: ISC */
/*
 * File operations that survive a power cut: what is written is synced, and
 * a file is replaced by renaming.  Nothing here knows what a file holds.
 */
#include "client/profile/file.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/clock.h"

#define FILE_LOCK_MS 30000 /* longest wait for another umpire */
#define FILE_LOCK_TRIES 8 /* where others remove what is locked */
#define FILE_STEP_US 20000 /* between two tries */

/* Fills e from errno; returns ERR_IO. */
static int
file_fail(struct errinfo *e, const char *what, const char *path)
{
	return (err_set(e, ERR_IO, NULL, "cannot %s '%s': %s", what, path,
	    strerror(errno)));
}

int
file_read(const char *path, size_t max, struct buf *out, struct errinfo *e)
{
	return (file_read_from(path, 0, max, out, e));
}

int
file_read_regular(
    const char *path, size_t max, struct buf *out, struct errinfo *e)
{
	struct stat st;

	/* Opening a pipe would wait for somebody to write to it. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return (err_set(
		    e, ERR_BAD, NULL, "'%s' is no ordinary file", path));
	return (file_read_from(path, 0, max, out, e));
}

int
file_read_from(const char *path, size_t from, size_t max, struct buf *out,
    struct errinfo *e)
{
	bool is_stdin = strcmp(path, "-") == 0;
	char chunk[65536];
	const off_t at = (off_t)from;
	size_t total = from;
	struct stat st;
	ssize_t n;
	int fd, r = 0;

	fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd == -1) {
		r = errno == ENOENT ? ERR_NOTFOUND : ERR_IO;
		(void)file_fail(e, "open", path);
		return (r);
	}
	if (from > 0 && (fstat(fd, &st) == -1 || lseek(fd, at, SEEK_SET) == -1))
		r = file_fail(e, "read", path);
	else if (from > 0 && st.st_size < at)
		r = err_set(e, ERR_BAD, NULL, "'%s' has become shorter", path);
	while (r == 0) {
		n = read(fd, chunk, sizeof(chunk));
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1) {
			r = file_fail(e, "read", path);
			break;
		}
		if (n == 0)
			break;
		total += (size_t)n;
		if (total > max) {
			r = err_set(e, ERR_TOOBIG, NULL,
			    "'%s' is larger than %zu bytes", path, max);
			break;
		}
		buf_add(out, chunk, (size_t)n);
	}
	if (!is_stdin)
		(void)close(fd); /* only read from */
	if (r == 0 && (r = buf_error(out)) != 0)
		r = err_set(e, r, NULL, "cannot hold '%s' in memory", path);
	return (r);
}

/* Writes all bytes. */
static int
file_put(int fd, const char *p, size_t n)
{
	ssize_t w;

	while (n > 0) {
		if ((w = write(fd, p, n)) == -1) {
			if (errno == EINTR)
				continue;
			return (ERR_IO);
		}
		p += w;
		n -= (size_t)w;
	}
	return (0);
}

/* Syncs the folder that holds a path. */
static int
file_sync_dir(const char *path)
{
	const char *slash;
	char *dir;
	int fd, r = 0;

	slash = strrchr(path, '/');
	dir = slash == NULL ? xalloc_str(".")
			    : xalloc_strn(path, (size_t)(slash - path) + 1);
	if ((fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) == -1) {
		r = ERR_IO;
	} else {
		/* Some file systems cannot sync a folder; that is no fault. */
		if (fsync(fd) == -1 && errno != EINVAL)
			r = ERR_IO;
		(void)close(fd); /* only synced */
	}
	free(dir);
	return (r);
}

/* Replaces a file's content; e may be NULL. */
static int
file_replace(const char *path, const void *p, size_t n, unsigned mode,
    bool is_synced, struct errinfo *e)
{
	char *tmp;
	int fd, r;

	tmp = xalloc_printf("%s.new.%ld", path, (long)getpid());
	/*
	 * The name can be foreseen, and others may write to the folder: what
	 * they have put there is neither followed nor written to.
	 */
	(void)unlink(tmp); /* if it is still there, it cannot be created */
	fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd == -1) {
		r = file_fail(e, "create", path);
		goto out;
	}
	r = file_put(fd, p, n);
	if (r == 0 && is_synced && fsync(fd) == -1)
		r = ERR_IO;
	if (close(fd) == -1)
		r = ERR_IO;
	if (r != 0 || rename(tmp, path) == -1 ||
	    (is_synced && file_sync_dir(path) != 0)) {
		r = file_fail(e, "write", path);
		(void)unlink(tmp); /* a leftover would only take room */
	}
out:
	free(tmp);
	return (r);
}

int
file_write(
    const char *path, const void *p, size_t n, unsigned mode, struct errinfo *e)
{
	return (file_replace(path, p, n, mode, true, e));
}

void
file_cache(const char *path, const void *p, size_t n)
{
	(void)file_replace(path, p, n, 0600, false, NULL);
}

int
file_patch(
    const char *path, size_t at, const void *p, size_t n, struct errinfo *e)
{
	int fd, r = 0;

	if ((fd = open(path, O_WRONLY | O_CLOEXEC)) == -1)
		return (file_fail(e, "open", path));
	if (lseek(fd, (off_t)at, SEEK_SET) == -1 || file_put(fd, p, n) != 0 ||
	    fsync(fd) == -1)
		r = file_fail(e, "write", path);
	if (close(fd) == -1 && r == 0)
		r = file_fail(e, "close", path);
	return (r);
}

int
file_append(const char *path, const void *p, size_t n, struct errinfo *e)
{
	struct stat st;
	off_t before;
	int fd, r = 0;

	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd == -1 || fstat(fd, &st) == -1) {
		r = file_fail(e, "open", path);
		if (fd != -1)
			(void)close(fd); /* nothing was written */
		return (r);
	}
	before = st.st_size;
	if (file_put(fd, p, n) != 0 || fsync(fd) == -1) {
		r = file_fail(e, "write", path);
		/* Otherwise half a line stays, which replica_open() drops. */
		if (ftruncate(fd, before) == -1)
			(void)fsync(fd); /* nothing else can be done */
	}
	if (close(fd) == -1 && r == 0)
		r = file_fail(e, "close", path);
	if (r == 0 && before == 0 && file_sync_dir(path) != 0)
		r = file_fail(e, "sync the folder of", path);
	return (r);
}

void
file_jot(const char *path, const void *p, size_t n)
{
	int fd;

	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd == -1)
		return;
	(void)file_put(fd, p, n); /* as the caller wants it */
	(void)close(fd);
}

int
file_make_dirs(const char *path, struct errinfo *e)
{
	char *p, *copy;
	int r = 0;

	copy = xalloc_str(path);
	for (p = copy + 1; r == 0; p++) {
		char c = *p;

		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		if (mkdir(copy, 0700) == -1 && errno != EEXIST &&
		    !file_is_folder(copy))
			r = file_fail(e, "make the folder", copy);
		*p = c;
		if (c == '\0')
			break;
	}
	free(copy);
	return (r);
}

int
file_remove(const char *path, struct errinfo *e)
{
	if (unlink(path) == -1)
		return (errno == ENOENT ? 0 : file_fail(e, "remove", path));
	if (file_sync_dir(path) != 0)
		return (file_fail(e, "sync the folder of", path));
	return (0);
}

bool
file_exists(const char *path)
{
	return (access(path, F_OK) == 0);
}

bool
file_is_folder(const char *path)
{
	struct stat st;

	return (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

/* As file_lock(), waiting no longer than this. */
static int
file_lock_for(const char *path, int64_t wait_ms, int *fd, struct errinfo *e)
{
	int64_t until;
	int f, r;

	f = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (f == -1)
		return (file_fail(e, "open", path));
	until = clock_mono_ms() + wait_ms;
	while (flock(f, LOCK_EX | LOCK_NB) == -1) {
		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK) {
			r = file_fail(e, "lock", path);
			(void)close(f); /* not locked */
			return (r);
		}
		if (clock_mono_ms() >= until) {
			(void)close(f); /* not locked */
			return (err_set(e, ERR_BUSY, NULL,
			    "another umpire is at work ('%s')", path));
		}
		(void)usleep(FILE_STEP_US);
	}
	*fd = f;
	return (0);
}

int
file_lock(const char *path, int *fd, struct errinfo *e)
{
	return (file_lock_for(path, FILE_LOCK_MS, fd, e));
}

int
file_lock_now(const char *path, int *fd, struct errinfo *e)
{
	struct stat here, there;
	int r, tries;

	for (tries = 0; tries < FILE_LOCK_TRIES; tries++) {
		if ((r = file_lock_for(path, 0, fd, e)) != 0)
			return (r);
		/* Whoever had it may have removed what we opened. */
		if (fstat(*fd, &here) == 0 && stat(path, &there) == 0 &&
		    here.st_ino == there.st_ino && here.st_dev == there.st_dev)
			return (0);
		(void)close(*fd); /* it locks nothing */
	}
	return (err_set(e, ERR_BUSY, NULL, "others keep removing '%s'", path));
}
