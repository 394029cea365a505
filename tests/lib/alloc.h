/* SPDX-License-Identifier: ISC */
/*
 * Counts allocations, and lets one fail, in the test that includes this
 * file: malloc() and its kin are replaced for the whole program, jansson's
 * too, without help from the linker.  Sanitizers bring their own malloc();
 * under them allocations are counted through their hook, and only jansson's
 * can fail.
 */
#ifndef UMPIRE_TESTS_LIB_ALLOC_H
#define UMPIRE_TESTS_LIB_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <jansson.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ALLOC_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define ALLOC_SANITIZED 1
#endif
#endif

/* Allocations asked for since alloc_start(). */
static size_t alloc_calls;

/* How many more allocations succeed before one fails; -1: none fails. */
static long alloc_left = -1;

/* Counts one allocation; true if it shall fail. */
static inline bool
alloc_fails(void)
{
	alloc_calls++;
	if (alloc_left > 0)
		alloc_left--;
	else if (alloc_left == 0) {
		alloc_left = -1;
		return (true);
	}
	return (false);
}

#ifdef ALLOC_SANITIZED

/* Of the sanitizers; gcc does not install their header. */
int __sanitizer_install_malloc_and_free_hooks(
    void (*on_malloc)(const volatile void *, size_t),
    void (*on_free)(const volatile void *));

/* The sanitizer's hook: counts. */
static void
alloc_hook_cb(const volatile void *p, size_t n)
{
	(void)p;
	(void)n;
	alloc_calls++;
}

/* The sanitizer's hook for free(). */
static void
alloc_free_cb(const volatile void *p)
{
	(void)p;
}

/* jansson's malloc(), which can fail. */
static void *
alloc_json_cb(size_t n)
{
	if (alloc_left == 0) {
		alloc_left = -1;
		return (NULL);
	}
	if (alloc_left > 0)
		alloc_left--;
	return (malloc(n));
}
#else
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

void *
malloc(size_t n)
{
	return (alloc_fails() ? NULL : __libc_malloc(n));
}

void *
calloc(size_t n, size_t size)
{
	return (alloc_fails() ? NULL : __libc_calloc(n, size));
}

void *
realloc(void *p, size_t n)
{
	return (alloc_fails() ? NULL : __libc_realloc(p, n));
}
#endif

/* Counts from now on, and lets allocation number nth (from 0) fail. */
static inline void
alloc_start(long nth)
{
#ifdef ALLOC_SANITIZED
	static bool is_installed;

	if (!is_installed) {
		__sanitizer_install_malloc_and_free_hooks(
		    alloc_hook_cb, alloc_free_cb);
		json_set_alloc_funcs(alloc_json_cb, free);
		is_installed = true;
	}
#endif
	alloc_calls = 0;
	alloc_left = nth;
}

/* Ends counting; true if an allocation was made to fail. */
static inline bool
alloc_stop(void)
{
	bool has_failed = alloc_left == -1;

	alloc_left = -1;
	return (has_failed);
}

#endif
