/* SPDX-License-Identifier: ISC */
#include "client/net/backoff.h"

#include <stdint.h>

#include "common/crypt/hash.h"

void
backoff_begin(struct backoff *b)
{
	b->next_ms = BACKOFF_FIRST_MS;
}

unsigned
backoff_next(struct backoff *b)
{
	unsigned pause_ms = b->next_ms;
	uint8_t chance[2];

	if (hash_random(chance, sizeof(chance)) == 0)
		pause_ms = pause_ms / 2 +
		    (pause_ms / 2) * ((unsigned)chance[0] << 8 | chance[1]) /
			65535;
	b->next_ms =
	    2 * b->next_ms < BACKOFF_LAST_MS ? 2 * b->next_ms : BACKOFF_LAST_MS;
	return (pause_ms);
}
