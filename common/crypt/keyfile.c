/* SPDX-License-Identifier: ISC */
/*
 * Secrets in files.  A secret exists in its own file, whole and on disk, or
 * keyfile_write() failed and left none.  Every buffer that held one is
 * wiped.  The memory and core files of the process are main's to protect.
 */
#include "common/crypt/keyfile.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "common/base/hex.h"

#define KEYFILE_TEXT (2 * KEYFILE_LEN + 1) /* digits and LF */

/* Reports that doing something to path failed, with errno. */
static int
keyfile_fail(struct errinfo *e, int r, const char *what, const char *path)
{
	return (err_set(
	    e, r, NULL, "cannot %s \"%s\": %s", what, path, strerror(errno)));
}

/* Writes n bytes; false, with errno, if that fails. */
static bool
keyfile_put(int fd, const char *p, size_t n)
{
	ssize_t done;

	while (n > 0) {
		done = write(fd, p, n);
		if (done == -1 && errno != EINTR)
			return (false);
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return (true);
}

/* Reads up to n bytes; -1, with errno, if that fails. */
static ssize_t
keyfile_get(int fd, char *p, size_t n)
{
	size_t used = 0;
	ssize_t done;

	while (used < n) {
		done = read(fd, p + used, n - used);
		if (done == 0)
			break;
		if (done == -1 && errno != EINTR)
			return (-1);
		if (done > 0)
			used += (size_t)done;
	}
	return ((ssize_t)used);
}

/* Syncs the folder that path is in; false, with errno, if that fails. */
static bool
keyfile_sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX] = ".";
	size_t n;
	bool ok;
	int fd;

	if (slash != NULL) {
		/* The slash stays, so that "/key" gives "/". */
		n = (size_t)(slash - path) + 1;
		if (n >= sizeof(folder)) {
			errno = ENAMETOOLONG;
			return (false);
		}
		memcpy(folder, path, n);
		folder[n] = '\0';
	}
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd == -1)
		return (false);
	/* Some file systems cannot sync a folder; that is not a fault. */
	ok = fsync(fd) == 0 || errno == EINVAL;
	(void)close(fd);
	return (ok);
}

/* Writes the secret into the new file fd and closes it. */
static bool
keyfile_fill(int fd, const uint8_t secret[KEYFILE_LEN])
{
	char text[KEYFILE_TEXT];
	int saved;
	bool ok;

	hex_format(text, secret, KEYFILE_LEN);
	/* In the place of the terminator. */
	text[KEYFILE_TEXT - 1] = '\n';
	/* The mode given to open() had the process's umask taken from it. */
	ok = fchmod(fd, S_IRUSR | S_IWUSR) == 0 &&
	    keyfile_put(fd, text, KEYFILE_TEXT) && fsync(fd) == 0;
	saved = errno;
	explicit_bzero(text, sizeof(text));
	if (close(fd) == -1 && ok)
		return (false);
	errno = saved;
	return (ok);
}

int
keyfile_write(
    const char *path, const uint8_t secret[KEYFILE_LEN], struct errinfo *e)
{
	int fd, r;

	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	    S_IRUSR | S_IWUSR);
	if (fd == -1 && errno == EEXIST)
		return (err_set(e, ERR_EXISTS, NULL,
		    "\"%s\" already exists; move it away to make a new one",
		    path));
	if (fd == -1)
		return (keyfile_fail(e, ERR_IO, "make", path));
	if (keyfile_fill(fd, secret) && keyfile_sync_folder(path))
		return (0);
	r = keyfile_fail(e, ERR_IO, "write", path);
	(void)unlink(path);
	return (r);
}

/* Reads the secret out of the open file fd. */
static int
keyfile_load(
    int fd, const char *path, uint8_t secret[KEYFILE_LEN], struct errinfo *e)
{
	char text[KEYFILE_TEXT + 1]; /* one more, to see that it ends */
	struct stat st;
	ssize_t n;
	int r;

	if (fstat(fd, &st) == -1)
		return (keyfile_fail(e, ERR_IO, "read", path));
	if (!S_ISREG(st.st_mode))
		return (err_set(e, ERR_MALFORMED, NULL,
		    "\"%s\" is not a plain file", path));
	if ((st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
		return (err_set(e, ERR_DENIED, NULL,
		    "\"%s\" is open to others; run chmod 600 on it", path));
	if ((n = keyfile_get(fd, text, sizeof(text))) == -1)
		r = keyfile_fail(e, ERR_IO, "read", path);
	else if (n != KEYFILE_TEXT || text[KEYFILE_TEXT - 1] != '\n' ||
	    hex_parse(secret, KEYFILE_LEN, text, KEYFILE_TEXT - 1) != 0)
		r = err_set(e, ERR_MALFORMED, NULL,
		    "\"%s\" is not a key file: it must hold %d lower-case "
		    "hex digits and a line end",
		    path, 2 * KEYFILE_LEN);
	else
		r = 0;
	explicit_bzero(text, sizeof(text));
	return (r);
}

int
keyfile_read(const char *path, uint8_t secret[KEYFILE_LEN], struct errinfo *e)
{
	int fd, r;

	/* Not blocking, since opening a FIFO would wait for a writer. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd == -1)
		return (keyfile_fail(
		    e, errno == ENOENT ? ERR_NOTFOUND : ERR_IO, "open", path));
	r = keyfile_load(fd, path, secret, e);
	(void)close(fd);
	return (r);
}
