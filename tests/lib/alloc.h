/* SPDX-License-Identifier: ISC */
/*
 * Counts allocations, and lets one fail, in a program that is linked
 * with alloc.o (not with a library: many want malloc()): malloc() and its kin
 * are replaced for the whole program, jansson's too, without help from the
 * linker.  Sanitizers bring their own malloc(); under them allocations are
 * counted through their hook, and only jansson's can fail.
 */
#ifndef UMPIRE_TESTS_LIB_ALLOC_H
#define UMPIRE_TESTS_LIB_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* Under a sanitizer what calls malloc() itself cannot fail. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ALLOC_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define ALLOC_SANITIZED 1
#endif
#endif

/* Allocations asked for since alloc_start(). */
extern size_t alloc_calls;

/* How many more allocations succeed before one fails; -1: none fails. */
extern long alloc_left;

/* Counts from now on, and lets allocation number nth (from 0) fail. */
void alloc_start(long nth);

/* Ends counting; true if an allocation was made to fail. */
bool alloc_stop(void);

#endif
