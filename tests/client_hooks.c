/* SPDX-License-Identifier: ISC */
/*
 * What tests need inside the client: umpire-test is umpire's objects and this
 * file, linked so that calls of two functions come here first (ld's --wrap,
 * which wants the names that begin with __wrap_ and __real_).  With both set
 * the same keys make the same orders, and so the same dice:
 *   UMPIRE_TEST_SEED   bytes that are random elsewhere come of this word; no
 *                      two runs of one game may have the same
 *   UMPIRE_TEST_NOW    what the wall clock says, in milliseconds
 * Without them nothing is changed.  It is never installed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/base/err.h"
#include "common/crypt/hash.h"

int __real_hash_random(void *p, size_t n);
int __wrap_hash_random(void *p, size_t n);
int64_t __real_clock_wall_ms(void);
int64_t __wrap_clock_wall_ms(void);

static uint64_t client_hooks_n; /* blocks that were given out */

/* The next 32 bytes of the seed. */
static int
client_hooks_block(const char *seed, uint8_t out[HASH_LEN])
{
	char text[256];
	int n;

	n = snprintf(text, sizeof(text), "%s %llu", seed,
	    (unsigned long long)client_hooks_n++);
	if (n < 0 || (size_t)n >= sizeof(text))
		return (ERR_INTERNAL);
	return (hash_sha256(out, text, (size_t)n));
}

int
__wrap_hash_random(void *p, size_t n)
{
	const char *seed = getenv("UMPIRE_TEST_SEED");
	uint8_t block[HASH_LEN], *to = p;
	size_t part;
	int r;

	if (seed == NULL)
		return (__real_hash_random(p, n));
	for (; n > 0; n -= part, to += part) {
		if ((r = client_hooks_block(seed, block)) != 0)
			return (r);
		part = n < sizeof(block) ? n : sizeof(block);
		memcpy(to, block, part);
	}
	return (0);
}

int64_t
__wrap_clock_wall_ms(void)
{
	const char *now = getenv("UMPIRE_TEST_NOW");

	return (now == NULL ? __real_clock_wall_ms() : strtoll(now, NULL, 10));
}
