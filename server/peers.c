/* SPDX-License-Identifier: ISC */
/*
 * The counts are entries of a balanced tree, so that nobody can make a look
 * up slow by choosing addresses, and of a list, the least recently used
 * first, by which the table is kept small: an entry that says nothing any
 * more goes, and in a flood of addresses the oldest that holds no connection.
 * Does not decide what a full bucket means for a request.
 */
#include "server/peers.h"

#include <sys/queue.h>
#include <sys/socket.h>

#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common/err.h"

#define PEERS_KEY 32 /* bytes of a key at most */
#define PEERS_ENTRIES 65536 /* entries without a connection at most */
#define PEERS_SWEEP 4 /* old entries looked at for each new one */
#define PEERS_CONNECTION 0xff /* beside enum peers_kind: counts connections */

struct peers_entry {
	TAILQ_ENTRY(peers_entry) link;
	uint8_t kind;
	uint8_t len;
	uint8_t key[PEERS_KEY];
	int64_t connections;
	int64_t level; /* thousandths of a try */
	int64_t at_ms; /* when level was right */
};

TAILQ_HEAD(peers_list, peers_entry);

struct peers {
	pthread_mutex_t lock; /* of all that follows */
	struct peers_limits limits;
	void *tree; /* tsearch(3): of struct peers_entry */
	struct peers_list list;
	int64_t entries;
	int64_t connections;
};

/* Orders entries by kind and key. */
static int
peers_compare_cb(const void *left, const void *right)
{
	const struct peers_entry *a = left, *b = right;

	if (a->kind != b->kind)
		return (a->kind < b->kind ? -1 : 1);
	if (a->len != b->len)
		return (a->len < b->len ? -1 : 1);
	return (memcmp(a->key, b->key, a->len));
}

int
peers_new(const struct peers_limits *limits, struct peers **out)
{
	struct peers *p;

	if ((p = calloc(1, sizeof(*p))) == NULL)
		return (ERR_NOMEM);
	if (pthread_mutex_init(&p->lock, NULL) != 0) {
		free(p);
		return (ERR_NOMEM);
	}
	TAILQ_INIT(&p->list);
	p->limits = *limits;
	*out = p;
	return (0);
}

/* Takes an entry out of the table. */
static void
peers_remove(struct peers *p, struct peers_entry *en)
{
	(void)tdelete(en, &p->tree, peers_compare_cb);
	TAILQ_REMOVE(&p->list, en, link);
	p->entries--;
	free(en);
}

void
peers_free(struct peers *p)
{
	if (p == NULL)
		return;
	while (!TAILQ_EMPTY(&p->list))
		peers_remove(p, TAILQ_FIRST(&p->list));
	(void)pthread_mutex_destroy(&p->lock);
	free(p);
}

void
peers_set(struct peers *p, const struct peers_limits *limits)
{
	(void)pthread_mutex_lock(&p->lock);
	p->limits = *limits;
	(void)pthread_mutex_unlock(&p->lock);
}

void
peers_address(const struct sockaddr *sa, uint8_t out[PEERS_ADDRESS])
{
	const struct sockaddr_in *in4 = (const void *)sa;
	const struct sockaddr_in6 *in6 = (const void *)sa;

	memset(out, 0, PEERS_ADDRESS);
	if (sa->sa_family == AF_INET6 &&
	    IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr)) {
		memcpy(out, in6->sin6_addr.s6_addr, 16);
	} else if (sa->sa_family == AF_INET6) {
		memcpy(out, in6->sin6_addr.s6_addr, 8);
	} else if (sa->sa_family == AF_INET) {
		out[10] = out[11] = 0xff;
		memcpy(out + 12, &in4->sin_addr, 4);
	}
}

/* A bucket: tries that it holds, and that leak out of it in a time. */
struct peers_bucket {
	int64_t burst;
	int64_t decay;
	int64_t time_s;
};

/* The bucket of a kind. */
static struct peers_bucket
peers_bucket(const struct peers *p, uint8_t kind)
{
	const struct peers_limits *l = &p->limits;

	switch (kind) {
	case PEERS_REGISTER:
		return ((struct peers_bucket){
		    l->register_burst, l->register_decay, 60});
	case PEERS_ADDRESS_SET:
		return ((struct peers_bucket){5, 5, 3600});
	case PEERS_ADDRESS_VALUE:
		return ((struct peers_bucket){3, 3, 86400});
	case PEERS_NOTICE:
		return ((struct peers_bucket){30, 30, 3600});
	default:
		return ((struct peers_bucket){
		    l->failure_burst, l->failure_decay, 60});
	}
}

/*
 * Lets the bucket leak up to now.  at_ms moves only by what whole thousandths
 * took to leak, so that looking often does not keep a bucket full.
 */
static void
peers_leak(const struct peers *p, struct peers_entry *en, int64_t now_ms)
{
	const struct peers_bucket b = peers_bucket(p, en->kind);
	int64_t leaked;

	if (now_ms <= en->at_ms)
		return;
	/* A try is 1000 of the level, as a second is 1000 ms. */
	if (now_ms - en->at_ms > en->level * b.time_s / b.decay) {
		en->level = 0;
		en->at_ms = now_ms;
		return;
	}
	leaked = (now_ms - en->at_ms) * b.decay / b.time_s;
	en->level -= leaked;
	en->at_ms += leaked * b.time_s / b.decay;
}

/* Drops some of the oldest entries that are of no use any more. */
static void
peers_sweep(struct peers *p, int64_t now_ms)
{
	struct peers_entry *en;
	int i;

	for (i = 0; i < PEERS_SWEEP; i++) {
		if ((en = TAILQ_FIRST(&p->list)) == NULL)
			return;
		if (en->kind != PEERS_CONNECTION) {
			peers_leak(p, en, now_ms);
			if (en->level == 0 || p->entries > PEERS_ENTRIES) {
				peers_remove(p, en);
				continue;
			}
		}
		TAILQ_REMOVE(&p->list, en, link);
		TAILQ_INSERT_TAIL(&p->list, en, link);
	}
}

/* Finds an entry; NULL if there is none. */
static struct peers_entry *
peers_find(struct peers *p, uint8_t kind, const void *key, size_t n)
{
	struct peers_entry probe = {.kind = kind, .len = (uint8_t)n};
	struct peers_entry *const *found;

	assert(n <= PEERS_KEY);
	memcpy(probe.key, key, n);
	found = tfind(&probe, &p->tree, peers_compare_cb);
	return (found == NULL ? NULL : *found);
}

/* Finds or makes an entry; NULL without memory. */
static struct peers_entry *
peers_get(struct peers *p, uint8_t kind, const void *key, size_t n)
{
	struct peers_entry *en = peers_find(p, kind, key, n);

	if (en != NULL)
		return (en);
	if ((en = calloc(1, sizeof(*en))) == NULL)
		return (NULL);
	en->kind = kind;
	en->len = (uint8_t)n;
	memcpy(en->key, key, n);
	if (tsearch(en, &p->tree, peers_compare_cb) == NULL) {
		free(en);
		return (NULL);
	}
	TAILQ_INSERT_TAIL(&p->list, en, link);
	p->entries++;
	return (en);
}

int
peers_connect(struct peers *p, const uint8_t address[PEERS_ADDRESS])
{
	struct peers_entry *en;
	int r = 0;

	(void)pthread_mutex_lock(&p->lock);
	if (p->connections >= p->limits.connections) {
		r = ERR_BUSY;
		goto out;
	}
	en = peers_get(p, PEERS_CONNECTION, address, PEERS_ADDRESS);
	if (en == NULL) {
		r = ERR_NOMEM;
		goto out;
	}
	if (en->connections >= p->limits.per_address) {
		r = ERR_LIMIT;
		goto out;
	}
	en->connections++;
	p->connections++;
out:
	(void)pthread_mutex_unlock(&p->lock);
	return (r);
}

void
peers_disconnect(struct peers *p, const uint8_t address[PEERS_ADDRESS])
{
	struct peers_entry *en;

	(void)pthread_mutex_lock(&p->lock);
	en = peers_find(p, PEERS_CONNECTION, address, PEERS_ADDRESS);
	assert(en != NULL && en->connections > 0);
	p->connections--;
	if (--en->connections == 0)
		peers_remove(p, en);
	(void)pthread_mutex_unlock(&p->lock);
}

int64_t
peers_connections(struct peers *p)
{
	int64_t n;

	(void)pthread_mutex_lock(&p->lock);
	n = p->connections;
	(void)pthread_mutex_unlock(&p->lock);
	return (n);
}

int
peers_allowed(struct peers *p, enum peers_kind kind, const void *key, size_t n,
    int64_t now_ms)
{
	struct peers_entry *en;
	int64_t burst;
	int r = 0;

	(void)pthread_mutex_lock(&p->lock);
	burst = peers_bucket(p, (uint8_t)kind).burst;
	if ((en = peers_find(p, (uint8_t)kind, key, n)) != NULL) {
		peers_leak(p, en, now_ms);
		if (en->level + 1000 > 1000 * burst)
			r = ERR_LIMIT;
	}
	(void)pthread_mutex_unlock(&p->lock);
	return (r);
}

void
peers_count(struct peers *p, enum peers_kind kind, const void *key, size_t n,
    int64_t now_ms)
{
	struct peers_entry *en;

	(void)pthread_mutex_lock(&p->lock);
	peers_sweep(p, now_ms);
	/* Without memory a try goes uncounted rather than refused. */
	if ((en = peers_get(p, (uint8_t)kind, key, n)) != NULL) {
		if (en->level == 0)
			en->at_ms = now_ms;
		peers_leak(p, en, now_ms);
		en->level += 1000;
	}
	(void)pthread_mutex_unlock(&p->lock);
}
