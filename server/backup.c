/* SPDX-License-Identifier: ISC */
/*
 * A backup is whole or not there: it is made under another name, and takes
 * its own when it is on disk and was found good.  While it is made its file
 * is locked (flock) if that does not lock SQLite out, so that a second one
 * knows it from what an earlier one left that was killed.
 */
#include "server/backup.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "server/store/store.h"

#define BACKUP_PATH (PATH_MAX + 16) /* with what is appended */
#define BACKUP_PART ".new"
#define BACKUP_JOURNAL ".new-journal" /* so SQLite calls that of the part */
#define BACKUP_QUIET_MS 1000 /* after which progress is shown */

struct backup {
	char dir[PATH_MAX]; /* where it will be, with links resolved */
	char file[BACKUP_PATH]; /* in it */
	char part[BACKUP_PATH]; /* its name until it is good */
	char journal[BACKUP_PATH]; /* SQLite's, of part */
	int dir_fd; /* -1; likewise */
	int part_fd;
	bool is_begun; /* part is ours, and goes if this fails */
	bool is_done; /* file is ours, likewise */
	bool has_told; /* a line on the terminal is not ended yet */
	int64_t told_ms; /* when progress was last shown */
};

/* Appends to a path; ERR_TOOBIG. */
static int
backup_path(char out[BACKUP_PATH], const char *dir, const char *name,
    const char *end, struct errinfo *e)
{
	int n;

	n = snprintf(out, BACKUP_PATH, "%s/%s%s",
	    strcmp(dir, "/") == 0 ? "" : dir, name, end);
	if (n < 0 || n >= BACKUP_PATH)
		return (err_set(e, ERR_TOOBIG, "", "the path is too long"));
	return (0);
}

/* Opens the folder, and puts the names together. */
static int
backup_names(struct backup *b, const char *file, struct errinfo *e)
{
	const char *base, *slash = strrchr(file, '/');
	char *dir;
	int r;

	base = slash == NULL ? file : slash + 1;
	if (*base == '\0' || strcmp(base, ".") == 0 || strcmp(base, "..") == 0)
		return (err_set(
		    e, ERR_INVALID, "", "\"%s\" is not a file name", file));
	if (strlen(base) + strlen(BACKUP_JOURNAL) > NAME_MAX)
		return (err_set(e, ERR_TOOBIG, "", "the name is too long"));
	/* Of "/name" the folder is "/". */
	dir = slash == NULL
	    ? strdup(".")
	    : strndup(file, slash == file ? 1 : (size_t)(slash - file));
	if (dir == NULL)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	r = 0;
	if (realpath(dir, b->dir) == NULL ||
	    (b->dir_fd = open(b->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) ==
		-1)
		r = err_set(e, errno == ENOENT ? ERR_NOTFOUND : ERR_IO, "",
		    "cannot open the folder \"%s\": %s", dir, strerror(errno));
	free(dir);
	if (r == 0 && (r = backup_path(b->file, b->dir, base, "", e)) == 0 &&
	    (r = backup_path(b->part, b->dir, base, BACKUP_PART, e)) == 0)
		r = backup_path(b->journal, b->dir, base, BACKUP_JOURNAL, e);
	return (r);
}

/* True if a path is the database's, or that of a file beside it. */
static bool
backup_is_of(const char *path, const char *database)
{
	static const char *const ends[] = {
	    "", "-wal", "-shm", "-journal", ".lock"};
	const size_t n = strlen(database);
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		if (strncmp(path, database, n) == 0 &&
		    strcmp(path + n, ends[i]) == 0)
			return (true);
	}
	return (false);
}

/* Refuses such names, even those used only for a while. */
static int
backup_apart(const struct backup *b, const char *database, struct errinfo *e)
{
	const char *const names[] = {b->file, b->part, b->journal};
	char full[PATH_MAX];
	size_t i;

	if (realpath(database, full) == NULL)
		return (0); /* opening it says this better */
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (backup_is_of(names[i], full))
			return (err_set(e, ERR_INVALID, "",
			    "\"%s\" belongs to the database itself; give the"
			    " copy another name",
			    names[i]));
	}
	return (0);
}

/* Refuses a name that is taken, even by a dangling link. */
static int
backup_free_name(const char *path, struct errinfo *e)
{
	struct stat sb;

	if (lstat(path, &sb) == 0)
		return (err_set(e, ERR_EXISTS, "",
		    "\"%s\" already exists; nothing is overwritten", path));
	if (errno != ENOENT)
		return (err_set(e, ERR_IO, "", "cannot look for \"%s\": %s",
		    path, strerror(errno)));
	return (0);
}

/* Says what has the name of the part: a running backup, or a dead one's. */
static int
backup_in_way(const struct backup *b, struct errinfo *e)
{
	bool is_locked;
	int fd;

	fd = open(b->part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	is_locked = fd != -1 && flock(fd, LOCK_SH | LOCK_NB) == -1 &&
	    errno == EWOULDBLOCK;
	if (fd != -1)
		close(fd);
	if (is_locked)
		return (err_set(e, ERR_BUSY, "",
		    "another backup is being written to \"%s\"", b->part));
	return (err_set(e, ERR_EXISTS, "",
	    "\"%s\" is in the way; remove it if an interrupted backup left it "
	    "behind",
	    b->part));
}

/* True if whoever opens the part again can lock it despite our lock. */
static bool
backup_can_share(const struct backup *b)
{
	/* A lock that goes away with its descriptor. */
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	bool can;
	int fd;

	fd = open(b->part, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	can = fd != -1 && fcntl(fd, F_OFD_SETLK, &all) == 0;
	if (fd != -1)
		close(fd);
	return (can);
}

/* Makes the file under its first name. */
static int
backup_begin(struct backup *b, struct errinfo *e)
{
	int r;

	if ((r = backup_free_name(b->file, e)) != 0)
		return (r);
	if (backup_free_name(b->part, NULL) == ERR_EXISTS)
		return (backup_in_way(b, e));
	/* SQLite would take what is there for its own. */
	if ((r = backup_free_name(b->journal, e)) != 0)
		return (r);
	b->part_fd = open(
	    b->part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (b->part_fd == -1 && errno == EEXIST)
		return (backup_in_way(b, e));
	if (b->part_fd == -1)
		return (err_set(e, ERR_IO, "", "cannot create \"%s\": %s",
		    b->part, strerror(errno)));
	b->is_begun = true;
	/*
	 * At most one who finds it in the way has it, for a moment.  Where
	 * such locks are those of fcntl(), as on NFS, ours would keep SQLite
	 * out; without it only what others are told is less good.
	 */
	if (flock(b->part_fd, LOCK_EX) == 0 &&
	    (backup_can_share(b) || flock(b->part_fd, LOCK_UN) == 0))
		return (0);
	return (err_set(
	    e, ERR_IO, "", "cannot lock \"%s\": %s", b->part, strerror(errno)));
}

/* Shows progress on a terminal, now and then; percent -1: it checks. */
static void
backup_tell(struct backup *b, int64_t percent)
{
	int64_t now_ms = clock_mono_ms();

	if (now_ms - b->told_ms < BACKUP_QUIET_MS)
		return;
	b->told_ms = now_ms;
	if (!isatty(STDERR_FILENO))
		return;
	b->has_told = true;
	if (percent == -1)
		fprintf(stderr, "\rumpired: checking the copy");
	else
		fprintf(stderr, "\rumpired: copied %" PRId64 " %%", percent);
}

/* True if a signal wants it to end; only those held back can be pending. */
static bool
backup_must_end(void)
{
	sigset_t set;

	return (sigpending(&set) == 0 &&
	    (sigismember(&set, SIGINT) == 1 ||
		sigismember(&set, SIGTERM) == 1 ||
		sigismember(&set, SIGHUP) == 1));
}

/* Tells how far the copy is, and whether to go on. */
static bool
backup_goes_on_cb(void *arg, int64_t pages, int64_t total)
{
	backup_tell(
	    arg, total <= 0 || pages >= total ? 100 : 100 * pages / total);
	return (!backup_must_end());
}

/* Tells that the copy is checked, and whether to go on. */
static bool
backup_checks_on_cb(void *arg)
{
	backup_tell(arg, -1);
	return (!backup_must_end());
}

/*
 * Refuses to go on with a part that is not the one that was made: somebody has
 * put another file, or a link, in its place.
 */
static int
backup_is_same(struct backup *b, struct errinfo *e)
{
	struct stat made, found;

	if (fstat(b->part_fd, &made) == 0 && lstat(b->part, &found) == 0 &&
	    made.st_dev == found.st_dev && made.st_ino == found.st_ino)
		return (0);
	/* What is there now is somebody else's. */
	b->is_begun = false;
	return (err_set(e, ERR_IO, "",
	    "\"%s\" was replaced while it was being written; put the copy in a "
	    "folder where nobody else writes",
	    b->part));
}

/* Writes the copy to disk. */
static int
backup_copy(struct backup *b, struct store *st, struct errinfo *e)
{
	struct errinfo why = {0};
	int r;

	b->told_ms = clock_mono_ms();
	r = store_copy(st, b->part, backup_goes_on_cb, b, &why);
	if (r != 0)
		return (err_set(
		    e, r, "", "cannot copy to \"%s\": %s", b->part, why.text));
	if (fsync(b->part_fd) == -1)
		return (err_set(e, ERR_IO, "", "cannot write \"%s\": %s",
		    b->part, strerror(errno)));
	return (backup_is_same(b, e));
}

/* Reads the copy as a restore will, and counts what it holds. */
static int
backup_check(
    struct backup *b, int64_t *games, int64_t *lines, struct errinfo *e)
{
	struct store *st = NULL;
	int r;

	if ((r = store_open_source(b->part, &st, e)) == 0 &&
	    (r = store_check(st, backup_checks_on_cb, b, e)) == 0 &&
	    (r = store_count(st, games, lines)) != 0)
		(void)err_set(e, r, "", "cannot read \"%s\": %s", b->part,
		    store_reason(st));
	store_close(st);
	return (r);
}

/* Gives the copy its name, for good. */
static int
backup_name(struct backup *b, struct errinfo *e)
{
	int r, rc;

	/* The last moment: from here on it is kept. */
	if (backup_must_end())
		return (err_set(e, ERR_CLOSED, "", "interrupted"));
	if ((r = backup_is_same(b, e)) != 0)
		return (r);
	/* Not every file system can refuse by itself to replace a file. */
	rc = renameat2(AT_FDCWD, b->part, AT_FDCWD, b->file, RENAME_NOREPLACE);
	if (rc == -1 && (errno == EINVAL || errno == ENOSYS)) {
		if ((r = backup_free_name(b->file, e)) != 0)
			return (r);
		rc = rename(b->part, b->file);
	}
	if (rc == -1)
		return (err_set(e, errno == EEXIST ? ERR_EXISTS : ERR_IO, "",
		    "cannot rename the copy: %s: \"%s\" to \"%s\"",
		    strerror(errno), b->part, b->file));
	b->is_begun = false;
	b->is_done = true;
	/* Some file systems cannot sync a folder; that is not a fault. */
	if (fsync(b->dir_fd) == -1 && errno != EINVAL)
		return (err_set(e, ERR_IO, "",
		    "cannot write to the folder \"%s\": %s", b->dir,
		    strerror(errno)));
	return (0);
}

int
backup_make(const char *database, const char *file, struct errinfo *e)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction act;
	sigset_t set;
	size_t i;
	struct backup b = {.dir_fd = -1, .part_fd = -1};
	struct store *st = NULL;
	int64_t games = 0, lines = 0;
	sigset_t old;
	int r;

	(void)sigemptyset(&set);
	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		/* A signal that nohup has ignored would be pending all the
		 * same. */
		if (sigaction(signals[i], NULL, &act) == 0 &&
		    act.sa_handler != SIG_IGN)
			(void)sigaddset(&set, signals[i]);
	}
	(void)sigprocmask(SIG_BLOCK, &set, &old);
	(void)signal(SIGXFSZ, SIG_IGN);
	if ((r = backup_names(&b, file, e)) == 0 &&
	    (r = backup_apart(&b, database, e)) == 0 &&
	    (r = store_open_source(database, &st, e)) == 0 &&
	    (r = backup_begin(&b, e)) == 0 &&
	    (r = backup_copy(&b, st, e)) == 0 &&
	    (r = backup_check(&b, &games, &lines, e)) == 0)
		r = backup_name(&b, e);
	store_close(st);
	if (b.is_begun) {
		(void)unlink(b.part);
		(void)unlink(b.journal);
	}
	if (b.is_done && r != 0)
		(void)unlink(b.file);
	if (b.part_fd != -1)
		close(b.part_fd);
	if (b.dir_fd != -1)
		close(b.dir_fd);
	if (b.has_told)
		fprintf(stderr, "\n");
	if (r == 0)
		printf("%s: games: %" PRId64 ", lines: %" PRId64 "\n", file,
		    games, lines);
	(void)fflush(stdout);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	return (r);
}
