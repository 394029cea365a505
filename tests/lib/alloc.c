/* SPDX-License-Identifier: ISC */
#include "tests/lib/alloc.h"

#include <stdlib.h>

#include <jansson.h>

size_t alloc_calls;
long alloc_left = -1;

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

/* Counts one allocation; true if it shall fail. */
static bool
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

void
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

bool
alloc_stop(void)
{
	bool has_failed = alloc_left == -1;

	alloc_left = -1;
	return (has_failed);
}
