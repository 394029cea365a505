/* SPDX-License-Identifier: ISC */
/*
 * What tests need inside a real daemon: umpired-test is umpired's objects
 * and this file, linked so that calls of a few functions come here first
 * (ld's --wrap, which wants the names that begin with __wrap_ and __real_).
 * It prints nothing and does nothing but what tests/hooks.h says.
 */
#include "tests/hooks.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "server/store.h"
#include "tests/faults.h"

int __real_store_record_insert(struct store *st, const struct store_line *line);
int __wrap_store_record_insert(struct store *st, const struct store_line *line);
int __real_store_commit(struct store *st);
int __wrap_store_commit(struct store *st);
int64_t __real_clock_wall_ms(void);
int64_t __wrap_clock_wall_ms(void);
void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n);
char *__real_strdup(const char *s);
char *__wrap_strdup(const char *s);

static struct hooks hooks_none; /* without a control file */
static struct hooks *hooks = &hooks_none;
static int hooks_lines = -1; /* file of HOOKS_LINES_ENV */

/* The number in a slot. */
static int64_t
hooks_get(enum hooks_slot slot)
{
	return (atomic_load(&hooks->slots[slot]));
}

/* Takes one off a slot that counts what shall fail; true if this one must. */
static bool
hooks_strike(enum hooks_slot slot)
{
	int64_t n;

	n = hooks_get(slot);
	while (n > 0) {
		if (atomic_compare_exchange_weak(
			&hooks->slots[slot], &n, n - 1))
			return (true);
	}
	return (n < 0);
}

/* Counts an allocation; true if it must fail. */
static bool
hooks_alloc_fails(void)
{
	int64_t n, left;

	atomic_fetch_add(&hooks->slots[HOOKS_ALLOC_COUNT], 1);
	n = hooks_get(HOOKS_ALLOC_N);
	while (n > 0) {
		left = n - 1;
		if (left == 0 && hooks_get(HOOKS_ALLOC_STICKY) != 0)
			left = -1;
		if (atomic_compare_exchange_weak(
			&hooks->slots[HOOKS_ALLOC_N], &n, left))
			return (left <= 0);
	}
	return (n < 0);
}

/* Fails a write as a full disk does. */
static int
hooks_write_fails(bool is_wal)
{
	(void)is_wal;
	return (hooks_strike(HOOKS_FAIL_WRITE) ? SQLITE_FULL : 0);
}

/* Counts an fsync, holds it, fails it. */
static int
hooks_sync_fails(bool is_wal)
{
	const struct timespec ms = {.tv_nsec = 1000000};

	if (is_wal)
		atomic_fetch_add(&hooks->slots[HOOKS_SYNCS], 1);
	if (hooks_get(HOOKS_HOLD_SYNC) != 0) {
		atomic_fetch_add(&hooks->slots[HOOKS_HELD], 1);
		while (hooks_get(HOOKS_HOLD_SYNC) != 0)
			(void)nanosleep(&ms, NULL);
		atomic_fetch_sub(&hooks->slots[HOOKS_HELD], 1);
	}
	return (hooks_strike(HOOKS_FAIL_SYNC) ? SQLITE_IOERR_FSYNC : 0);
}

int
__wrap_store_record_insert(struct store *st, const struct store_line *line)
{
	if (hooks_lines != -1 &&
	    dprintf(hooks_lines, "%.*s\n", (int)line->len, line->bytes) == -1)
		abort();
	return (__real_store_record_insert(st, line));
}

int
__wrap_store_commit(struct store *st)
{
	int r;

	if (hooks_strike(HOOKS_FAIL_COMMITS)) {
		store_rollback(st);
		return (ERR_STORAGE);
	}
	r = __real_store_commit(st);
	if (r == 0)
		atomic_fetch_add(&hooks->slots[HOOKS_COMMITS], 1);
	return (r);
}

int64_t
__wrap_clock_wall_ms(void)
{
	if (hooks_get(HOOKS_NOW_MS) == 0)
		return (__real_clock_wall_ms());
	return (atomic_fetch_add(
	    &hooks->slots[HOOKS_NOW_MS], hooks_get(HOOKS_NOW_STEP_MS)));
}

void *
__wrap_malloc(size_t n)
{
	return (hooks_alloc_fails() ? NULL : __real_malloc(n));
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return (hooks_alloc_fails() ? NULL : __real_calloc(n, size));
}

void *
__wrap_realloc(void *p, size_t n)
{
	return (hooks_alloc_fails() ? NULL : __real_realloc(p, n));
}

char *
__wrap_strdup(const char *s)
{
	return (hooks_alloc_fails() ? NULL : __real_strdup(s));
}

/* Maps the control file, which is made if it is not there. */
static struct hooks *
hooks_map(const char *path)
{
	struct stat sb;
	void *p;
	int fd;

	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd == -1 || fstat(fd, &sb) == -1)
		abort();
	if ((size_t)sb.st_size < sizeof(struct hooks) &&
	    ftruncate(fd, sizeof(struct hooks)) == -1)
		abort();
	p = mmap(NULL, sizeof(struct hooks), PROT_READ | PROT_WRITE, MAP_SHARED,
	    fd, 0);
	if (p == MAP_FAILED)
		abort();
	close(fd);
	return (p);
}

/* Puts the hooks in before main() can use what they are in. */
__attribute__((constructor)) static void
hooks_install(void)
{
	static const struct faults_ops ops = {
	    hooks_alloc_fails, hooks_write_fails, hooks_sync_fails};
	const char *path;

	faults_install(&ops);
	/* In this program malloc() asks by itself. */
	json_set_alloc_funcs(malloc, free);
	path = getenv(HOOKS_ENV);
	if (path != NULL)
		hooks = hooks_map(path);
	path = getenv(HOOKS_LINES_ENV);
	if (path != NULL &&
	    (hooks_lines = open(
		 path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) == -1)
		abort();
}
