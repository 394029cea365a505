/* SPDX-License-Identifier: ISC */
#include "tests/lib/failing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

_Thread_local long failing_left = -1;

_Thread_local bool failing_is_once;

/* Counts an allocation; true if it must fail. */
static bool
failing_now(void)
{
	if (failing_left == -1)
		return (false);
	if (failing_left == 0) {
		if (failing_is_once)
			failing_left = -1;
		return (true);
	}
	failing_left--;
	return (false);
}

/* malloc() that may fail. */
static void *
failing_malloc_cb(size_t n, const char *file, int line)
{
	(void)file;
	(void)line;
	return (failing_now() ? NULL : malloc(n));
}

/* realloc() that may fail. */
static void *
failing_realloc_cb(void *p, size_t n, const char *file, int line)
{
	(void)file;
	(void)line;
	return (failing_now() ? NULL : realloc(p, n));
}

/* free(). */
static void
failing_free_cb(void *p, const char *file, int line)
{
	(void)file;
	(void)line;
	free(p);
}

bool
failing_install(void)
{
	return (CRYPTO_set_mem_functions(failing_malloc_cb, failing_realloc_cb,
		    failing_free_cb) == 1);
}

void
failing_after(long n)
{
	assert_true(n < 10000);
	failing_left = n;
}
