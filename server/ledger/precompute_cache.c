/* SPDX-License-Identifier: ISC */
/*
 * The games stand in buckets by the first bytes of their ids, and in a list,
 * the last used first.  A copy is all that anybody is given: the lock is
 * held for no longer than that takes.
 */
#include "server/ledger/precompute_cache.h"

#include <sys/queue.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PRECOMPUTE_CACHE_BUCKETS 1024

struct precompute_cache_game {
	TAILQ_ENTRY(precompute_cache_game) used;
	LIST_ENTRY(precompute_cache_game) bucket;
	struct game_ahead ahead;
	uint32_t dry; /* kinds whose last line drew no dice, 1 << kind */
};

_Static_assert(ORDER_UNKNOWN < 32, "a bit for each kind of order");

TAILQ_HEAD(precompute_cache_list, precompute_cache_game);
LIST_HEAD(precompute_cache_bucket, precompute_cache_game);

struct precompute_cache {
	pthread_mutex_t lock; /* of all that follows */
	size_t max;
	size_t n;
	struct precompute_cache_list list;
	struct precompute_cache_bucket buckets[PRECOMPUTE_CACHE_BUCKETS];
};

int
precompute_cache_new(size_t max, struct precompute_cache **out)
{
	struct precompute_cache *p;
	size_t i;

	if ((p = calloc(1, sizeof(*p))) == NULL)
		return (ERR_NOMEM);
	if (pthread_mutex_init(&p->lock, NULL) != 0) {
		free(p);
		return (ERR_NOMEM);
	}
	p->max = max;
	TAILQ_INIT(&p->list);
	for (i = 0; i < PRECOMPUTE_CACHE_BUCKETS; i++)
		LIST_INIT(&p->buckets[i]);
	*out = p;
	return (0);
}

/* The bucket of an id; ids are hashes, so their bytes are spread well. */
static struct precompute_cache_bucket *
precompute_cache_bucket(
    struct precompute_cache *p, const uint8_t game[HASH_LEN])
{
	return (
	    &p->buckets[(game[0] << 8 | game[1]) % PRECOMPUTE_CACHE_BUCKETS]);
}

/* Finds a game, which is now the last used; NULL.  The lock is held. */
static struct precompute_cache_game *
precompute_cache_get(struct precompute_cache *p, const uint8_t game[HASH_LEN])
{
	struct precompute_cache_game *pg;

	LIST_FOREACH(pg, precompute_cache_bucket(p, game), bucket)
	{
		if (memcmp(pg->ahead.game, game, HASH_LEN) != 0)
			continue;
		TAILQ_REMOVE(&p->list, pg, used);
		TAILQ_INSERT_HEAD(&p->list, pg, used);
		return (pg);
	}
	return (NULL);
}

/* Takes a game out; the lock is held. */
static void
precompute_cache_remove(
    struct precompute_cache *p, struct precompute_cache_game *pg)
{
	TAILQ_REMOVE(&p->list, pg, used);
	LIST_REMOVE(pg, bucket);
	p->n--;
	free(pg);
}

void
precompute_cache_free(struct precompute_cache *p)
{
	struct precompute_cache_game *pg;

	if (p == NULL)
		return;
	while ((pg = TAILQ_FIRST(&p->list)) != NULL)
		precompute_cache_remove(p, pg);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

void
precompute_cache_put(struct precompute_cache *p, const struct game_ahead *a)
{
	struct precompute_cache_game *pg;

	pthread_mutex_lock(&p->lock);
	pg = precompute_cache_get(p, a->game);
	if (pg == NULL && p->n >= p->max && !TAILQ_EMPTY(&p->list))
		precompute_cache_remove(
		    p, TAILQ_LAST(&p->list, precompute_cache_list));
	if (pg == NULL && p->n < p->max &&
	    (pg = calloc(1, sizeof(*pg))) != NULL) {
		TAILQ_INSERT_HEAD(&p->list, pg, used);
		LIST_INSERT_HEAD(
		    precompute_cache_bucket(p, a->game), pg, bucket);
		p->n++;
	}
	if (pg != NULL)
		pg->ahead = *a;
	pthread_mutex_unlock(&p->lock);
}

void
precompute_cache_drop(struct precompute_cache *p, const uint8_t game[HASH_LEN])
{
	struct precompute_cache_game *pg;

	pthread_mutex_lock(&p->lock);
	if ((pg = precompute_cache_get(p, game)) != NULL)
		precompute_cache_remove(p, pg);
	pthread_mutex_unlock(&p->lock);
}

void
precompute_cache_note(struct precompute_cache *p, const uint8_t game[HASH_LEN],
    enum order_kind kind, bool has_dice)
{
	struct precompute_cache_game *pg;

	pthread_mutex_lock(&p->lock);
	if ((pg = precompute_cache_get(p, game)) != NULL && has_dice)
		pg->dry &= ~(UINT32_C(1) << kind);
	else if (pg != NULL)
		pg->dry |= UINT32_C(1) << kind;
	pthread_mutex_unlock(&p->lock);
}

bool
precompute_cache_find(struct precompute_cache *p, const uint8_t game[HASH_LEN],
    struct game_ahead *a, uint32_t *dry)
{
	struct precompute_cache_game *pg;

	pthread_mutex_lock(&p->lock);
	if ((pg = precompute_cache_get(p, game)) != NULL) {
		*a = pg->ahead;
		*dry = pg->dry;
	}
	pthread_mutex_unlock(&p->lock);
	return (pg != NULL);
}

size_t
precompute_cache_count(struct precompute_cache *p)
{
	size_t n;

	pthread_mutex_lock(&p->lock);
	n = p->n;
	pthread_mutex_unlock(&p->lock);
	return (n);
}
