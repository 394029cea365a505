/* SPDX-License-Identifier: ISC */
/* Texts by game, the last used first, in a table of a fixed size. */
#include "server/rpc/show_cache.h"

#include <sys/queue.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SHOW_CACHE_BUCKETS 1024
#define SHOW_CACHE_PART 8 /* no text takes more than this part of all */

/* One game's text, in one piece of memory. */
struct show_cache_entry {
	TAILQ_ENTRY(show_cache_entry) used; /* or its place among those sent */
	LIST_ENTRY(show_cache_entry) bucket;
	int64_t gid;
	int64_t seq;
	size_t len;
	char text[];
};

TAILQ_HEAD(show_cache_entries, show_cache_entry);
LIST_HEAD(show_cache_bucket, show_cache_entry);

struct show_cache {
	struct show_cache_entries entries; /* the last used first; owned */
	struct show_cache_bucket buckets[SHOW_CACHE_BUCKETS];
	size_t bytes; /* this and all entries, but those sent */
	size_t max;
	/* The gid asked for since its last line, by its remainder; 0: none. */
	_Atomic int64_t wanted[SHOW_CACHE_WANTED];
	atomic_bool has_sent;
	pthread_mutex_t lock; /* of the following */
	struct show_cache_entries sent; /* the first sent first; owned */
	size_t sent_bytes;
};

int
show_cache_new(size_t max, struct show_cache **out)
{
	struct show_cache *sh;

	if ((sh = calloc(1, sizeof(*sh))) == NULL)
		return (ERR_NOMEM);
	if (pthread_mutex_init(&sh->lock, NULL) != 0) {
		free(sh);
		return (ERR_NOMEM);
	}
	TAILQ_INIT(&sh->entries);
	TAILQ_INIT(&sh->sent);
	sh->bytes = sizeof(*sh);
	sh->max = max;
	*out = sh;
	return (0);
}

/* The bucket of a game; their numbers follow on each other. */
static struct show_cache_bucket *
show_cache_bucket_of(struct show_cache *sh, int64_t gid)
{
	return (&sh->buckets[(uint64_t)gid % SHOW_CACHE_BUCKETS]);
}

/* What an entry with a text of len bytes takes. */
static size_t
show_cache_size(size_t len)
{
	return (sizeof(struct show_cache_entry) + len);
}

/* Takes an entry out and frees it. */
static void
show_cache_remove(struct show_cache *sh, struct show_cache_entry *en)
{
	TAILQ_REMOVE(&sh->entries, en, used);
	LIST_REMOVE(en, bucket);
	sh->bytes -= show_cache_size(en->len);
	free(en);
}

void
show_cache_free(struct show_cache *sh)
{
	struct show_cache_entry *en;

	if (sh == NULL)
		return;
	while ((en = TAILQ_FIRST(&sh->entries)) != NULL)
		show_cache_remove(sh, en);
	while ((en = TAILQ_FIRST(&sh->sent)) != NULL) {
		TAILQ_REMOVE(&sh->sent, en, used);
		free(en);
	}
	(void)pthread_mutex_destroy(&sh->lock);
	free(sh);
}

/* Finds the entry of a game; NULL. */
static struct show_cache_entry *
show_cache_entry_of(struct show_cache *sh, int64_t gid)
{
	struct show_cache_entry *en;

	LIST_FOREACH(en, show_cache_bucket_of(sh, gid), bucket)
	{
		if (en->gid == gid)
			return (en);
	}
	return (NULL);
}

/* Makes an entry, which is nowhere yet; NULL without memory. */
static struct show_cache_entry *
show_cache_entry_new(int64_t gid, int64_t seq, const char *text, size_t len)
{
	struct show_cache_entry *en;

	if ((en = malloc(show_cache_size(len))) == NULL)
		return (NULL);
	en->gid = gid;
	en->seq = seq;
	en->len = len;
	memcpy(en->text, text, len);
	return (en);
}

/*
 * Takes the game's former text out, and as many others as must make way for
 * one of len bytes; false if there is no room for that.
 */
static bool
show_cache_make_room(struct show_cache *sh, int64_t gid, size_t len)
{
	struct show_cache_entry *en = show_cache_entry_of(sh, gid);

	if (en != NULL)
		show_cache_remove(sh, en);
	if (sh->bytes > sh->max || len > sh->max / SHOW_CACHE_PART)
		return (false);
	while (sh->bytes + show_cache_size(len) > sh->max) {
		en = TAILQ_LAST(&sh->entries, show_cache_entries);
		if (en == NULL)
			return (false);
		show_cache_remove(sh, en);
	}
	return (true);
}

/* Puts an entry for which there is room in. */
static void
show_cache_insert(struct show_cache *sh, struct show_cache_entry *en)
{
	TAILQ_INSERT_HEAD(&sh->entries, en, used);
	LIST_INSERT_HEAD(show_cache_bucket_of(sh, en->gid), en, bucket);
	sh->bytes += show_cache_size(en->len);
}

/* Keeps what was sent. */
static void
show_cache_collect(struct show_cache *sh)
{
	struct show_cache_entries sent = TAILQ_HEAD_INITIALIZER(sent);
	const struct show_cache_entry *former;
	struct show_cache_entry *en;

	if (!atomic_load_explicit(&sh->has_sent, memory_order_relaxed))
		return;
	(void)pthread_mutex_lock(&sh->lock);
	TAILQ_CONCAT(&sent, &sh->sent, used);
	sh->sent_bytes = 0;
	atomic_store(&sh->has_sent, false);
	(void)pthread_mutex_unlock(&sh->lock);
	while ((en = TAILQ_FIRST(&sent)) != NULL) {
		TAILQ_REMOVE(&sent, en, used);
		former = show_cache_entry_of(sh, en->gid);
		/* A newer one may have been made meanwhile. */
		if ((former == NULL || former->seq < en->seq) &&
		    show_cache_make_room(sh, en->gid, en->len))
			show_cache_insert(sh, en);
		else
			free(en);
	}
}

bool
show_cache_find(struct show_cache *sh, int64_t gid, int64_t seq,
    const char **text, size_t *len)
{
	struct show_cache_entry *en;

	show_cache_collect(sh);
	en = show_cache_entry_of(sh, gid);
	if (en == NULL || en->seq != seq)
		return (false);
	TAILQ_REMOVE(&sh->entries, en, used);
	TAILQ_INSERT_HEAD(&sh->entries, en, used);
	*text = en->text;
	*len = en->len;
	return (true);
}

void
show_cache_put(struct show_cache *sh, int64_t gid, int64_t seq,
    const char *text, size_t len)
{
	struct show_cache_entry *en = show_cache_entry_of(sh, gid);

	/* The ledger may have sent that of a later line meanwhile. */
	if (en != NULL && en->seq > seq)
		return;
	if (show_cache_make_room(sh, gid, len) &&
	    (en = show_cache_entry_new(gid, seq, text, len)) != NULL)
		show_cache_insert(sh, en);
}

/* Where a game is noted. */
static _Atomic int64_t *
show_cache_wanted_of(struct show_cache *sh, int64_t gid)
{
	return (&sh->wanted[(uint64_t)gid % SHOW_CACHE_WANTED]);
}

void
show_cache_want(struct show_cache *sh, int64_t gid)
{
	_Atomic int64_t *at = show_cache_wanted_of(sh, gid);

	/* Most ask for what others have asked for. */
	if (atomic_load_explicit(at, memory_order_relaxed) != gid)
		atomic_store(at, gid);
}

bool
show_cache_is_wanted(struct show_cache *sh, int64_t gid)
{
	return (atomic_load(show_cache_wanted_of(sh, gid)) == gid);
}

void
show_cache_send(struct show_cache *sh, int64_t gid, int64_t seq,
    const char *text, size_t len)
{
	const size_t room = sh->max / SHOW_CACHE_PART;
	struct show_cache_entry *en = NULL;
	int64_t wanted = gid;

	if (!atomic_compare_exchange_strong(
		show_cache_wanted_of(sh, gid), &wanted, 0) ||
	    (en = show_cache_entry_new(gid, seq, text, len)) == NULL)
		return;
	(void)pthread_mutex_lock(&sh->lock);
	if (show_cache_size(len) <= room - sh->sent_bytes) {
		TAILQ_INSERT_TAIL(&sh->sent, en, used);
		sh->sent_bytes += show_cache_size(len);
		atomic_store(&sh->has_sent, true);
		en = NULL;
	}
	(void)pthread_mutex_unlock(&sh->lock);
	free(en); /* too much waits */
}

size_t
show_cache_bytes(const struct show_cache *sh)
{
	return (sh->bytes);
}
