/* SPDX-License-Identifier: ISC */
/*
 * Makes the n-th allocation of OpenSSL fail, and all after it or, with
 * failing_is_once, none after it; failing_install() comes before any use of
 * OpenSSL.
 */
#ifndef UMPIRE_TESTS_LIB_FAILING_H
#define UMPIRE_TESTS_LIB_FAILING_H

#include <stdbool.h>
#include <stdlib.h>

#include <openssl/crypto.h>

/* Allocations that still succeed in this thread; -1: all of them. */
extern _Thread_local long failing_left;

/* Only the first allocation after these fails. */
extern _Thread_local bool failing_is_once;

/* Puts the failing allocator in; false if OpenSSL was used already. */
bool failing_install(void);

/*
 * From now on n allocations of this thread succeed; -1: all.  Nothing takes
 * as many as 10,000: a loop that gets there would never end.
 */
void failing_after(long n);

#endif
