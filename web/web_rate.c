/* SPDX-License-Identifier: ISC */
#include "web/web_rate.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"

#define WEB_RATE_SETS 2048 /* a power of two */
#define WEB_RATE_WAYS 8
#define WEB_RATE_S 1000000 /* microseconds */

/* A bucket, by the time at which it will be empty. */
struct web_bucket {
	uint8_t net[16];
	int64_t empty_us; /* monotonic */
};

struct web_rate {
	int64_t each_us; /* that a request fills; 0: there is no limit */
	int64_t full_us; /* that may be in it before the next one */
	struct web_bucket sets[WEB_RATE_SETS][WEB_RATE_WAYS];
};

struct web_rate *
web_rate_new(int64_t rate, int64_t burst)
{
	struct web_rate *r = xalloc(sizeof(*r));

	if (rate > 0) {
		r->each_us = WEB_RATE_S / rate;
		r->full_us = (burst - 1) * r->each_us;
	}
	return (r);
}

void
web_rate_free(struct web_rate *r)
{
	free(r);
}

/* The bucket of a network, or the one that is put in its place. */
static struct web_bucket *
web_rate_bucket(struct web_rate *r, const uint8_t net[16])
{
	struct web_bucket *set, *least;
	uint32_t h = 2166136261U;
	int i;

	for (i = 0; i < 16; i++)
		h = (h ^ net[i]) * 16777619U;
	least = set = r->sets[(h ^ h >> 16) & (WEB_RATE_SETS - 1)];
	for (i = 0; i < WEB_RATE_WAYS; i++) {
		if (memcmp(set[i].net, net, 16) == 0)
			return (&set[i]);
		if (set[i].empty_us < least->empty_us)
			least = &set[i];
	}
	memcpy(least->net, net, 16);
	least->empty_us = 0;
	return (least);
}

int64_t
web_rate_take(struct web_rate *r, const struct web_from *from, int64_t now_us)
{
	struct web_bucket *b;

	if (r->each_us == 0 || !from->is_known)
		return (0);
	b = web_rate_bucket(r, from->net);
	if (b->empty_us < now_us)
		b->empty_us = now_us;
	if (b->empty_us - now_us > r->full_us)
		return (b->empty_us - now_us - r->full_us);
	b->empty_us += r->each_us;
	return (0);
}
