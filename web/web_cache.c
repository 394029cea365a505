/* SPDX-License-Identifier: ISC */
#include "web/web_cache.h"

#include <sys/queue.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "web/web_body.h"

#define WEB_CACHE_SLOTS 8192 /* of the table, a power of two */
#define WEB_CACHE_SPARE 192 /* bytes of an entry beside key and body */

/* An entry: in a chain of its slot, and in the order of use. */
struct web_entry {
	TAILQ_ENTRY(web_entry) used;
	struct web_entry *next;
	struct web_body *body; /* a reference */
	size_t size;
	unsigned slot;
	char key[]; /* terminated */
};

TAILQ_HEAD(web_entries, web_entry);

struct web_cache {
	struct web_entries used; /* the newest first */
	struct web_entry *slots[WEB_CACHE_SLOTS];
	size_t max;
	size_t bytes;
	size_t n;
};

struct web_cache *
web_cache_new(size_t max)
{
	struct web_cache *c = xalloc(sizeof(*c));

	c->max = max;
	TAILQ_INIT(&c->used);
	return (c);
}

/* Takes an entry out. */
static void
web_cache_remove(struct web_cache *c, struct web_entry *en)
{
	struct web_entry **at = &c->slots[en->slot];

	while (*at != en)
		at = &(*at)->next;
	*at = en->next;
	TAILQ_REMOVE(&c->used, en, used);
	c->bytes -= en->size;
	c->n--;
	web_body_unref(en->body);
	free(en);
}

void
web_cache_free(struct web_cache *c)
{
	if (c == NULL)
		return;
	while (!TAILQ_EMPTY(&c->used))
		web_cache_remove(c, TAILQ_FIRST(&c->used));
	free(c);
}

/* FNV-1a: nobody chooses keys but by what there is to show. */
static unsigned
web_cache_slot(const char *key)
{
	uint32_t h = 2166136261U;

	for (; *key != '\0'; key++)
		h = (h ^ (unsigned char)*key) * 16777619U;
	return (h & (WEB_CACHE_SLOTS - 1));
}

struct web_body *
web_cache_find(struct web_cache *c, const char *key)
{
	struct web_entry *en;

	for (en = c->slots[web_cache_slot(key)]; en != NULL; en = en->next) {
		if (strcmp(en->key, key) == 0)
			break;
	}
	if (en == NULL)
		return (NULL);
	TAILQ_REMOVE(&c->used, en, used);
	TAILQ_INSERT_HEAD(&c->used, en, used);
	return (en->body);
}

void
web_cache_put(struct web_cache *c, const char *key, struct web_body *b)
{
	const size_t len = strlen(key) + 1;
	struct web_entry *en;

	/* One that would push out all others is not worth it. */
	if (b->n > c->max / 4)
		return;
	if (web_cache_find(c, key) != NULL)
		web_cache_remove(c, TAILQ_FIRST(&c->used));
	en = xalloc(sizeof(*en) + len);
	memcpy(en->key, key, len);
	en->body = web_body_ref(b);
	en->size = b->n + len + WEB_CACHE_SPARE;
	en->slot = web_cache_slot(key);
	en->next = c->slots[en->slot];
	c->slots[en->slot] = en;
	TAILQ_INSERT_HEAD(&c->used, en, used);
	c->bytes += en->size;
	c->n++;
	while (c->bytes > c->max)
		web_cache_remove(c, TAILQ_LAST(&c->used, web_entries));
}

void
web_cache_drop(struct web_cache *c, const char gid[2 * HASH_LEN + 1])
{
	struct web_entry *en, *next;

	for (en = TAILQ_FIRST(&c->used); en != NULL; en = next) {
		next = TAILQ_NEXT(en, used);
		if (strstr(en->key, gid) != NULL)
			web_cache_remove(c, en);
	}
}

size_t
web_cache_bytes(const struct web_cache *c)
{
	return (c->bytes);
}

size_t
web_cache_count(const struct web_cache *c)
{
	return (c->n);
}
