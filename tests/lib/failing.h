/* SPDX-License-Identifier: ISC */
/*
 * Makes the n-th allocation of OpenSSL fail, and all after it or, with
 * failing_is_once, none after it.  One program includes this once, after
 * cmocka.h; failing_install() comes before any use of OpenSSL.
 */
#ifndef UMPIRE_TESTS_LIB_FAILING_H
#define UMPIRE_TESTS_LIB_FAILING_H

#include <stdbool.h>
#include <stdlib.h>

#include <openssl/crypto.h>

/* Allocations that still succeed in this thread; -1: all of them. */
static _Thread_local long failing_left = -1;

/* Only the first allocation after these fails. */
static _Thread_local bool failing_is_once;

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

/* Puts the failing allocator in; false if OpenSSL was used already. */
static bool
failing_install(void)
{
	return (CRYPTO_set_mem_functions(failing_malloc_cb, failing_realloc_cb,
		    failing_free_cb) == 1);
}

/*
 * From now on n allocations of this thread succeed; -1: all.  Nothing takes
 * as many as 10,000: a loop that gets there would never end.
 */
static void
failing_after(long n)
{
	assert_true(n < 10000);
	failing_left = n;
}

#endif
