/* SPDX-License-Identifier: ISC */
/*
 * The counts are entries of a balanced tree, so that nobody can make a look
 * up slow by choosing addresses.  Those that count no connections stand in a
 * list, too, the least recently used first, by which the table is kept small:
 * an entry that says nothing any more goes, and in a flood of addresses the
 * oldest.
 * Does not decide what a full bucket means for a request.
 */
#include "server/net/limits.h"

#include <sys/queue.h>
#include <sys/socket.h>

#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"

#define LIMITS_KEY 32 /* bytes of a key at most */
#define LIMITS_ENTRIES 65536 /* entries without a connection at most */
#define LIMITS_SWEEP 4 /* old entries looked at for each new one */
/* Beside enum limits_kind: counts connections. */
#define LIMITS_CONNECTION 0xff
#define LIMITS_CONNECT_COST 10 /* requests, and what its handshake takes */
#define LIMITS_WORK_US 200 /* of the processor that count as a request */
/* Per cent of its time that a full crowd takes away. */
#define LIMITS_HURRY 80
#define LIMITS_WAIT_MS 200 /* told to wait at least, after a refusal */
#define LIMITS_HEAVY 32 /* the part of a burst that makes heavy */
#define LIMITS_DEBT 2 /* bursts of requests that can be owed, at most */
#define LIMITS_KEPT 8 /* the part of the connections that waits for logins */

struct limits_entry {
	TAILQ_ENTRY(limits_entry) link;
	uint8_t kind;
	uint8_t len;
	uint8_t key[LIMITS_KEY];
	int64_t connections;
	int64_t level; /* thousandths of a try; LIMITS_PENALTY: ms */
	int64_t at_ms; /* when level was right */
	bool is_shut; /* LIMITS_PENALTY: shut out until the level is 0 */
};

TAILQ_HEAD(limits_list, limits_entry);

struct limits {
	pthread_mutex_t lock; /* of all that follows */
	struct limits_settings settings;
	void *tree; /* tsearch(3): of struct limits_entry */
	struct limits_list callers; /* count connections */
	struct limits_list list; /* all others */
	int64_t entries; /* of list */
	int64_t connections;
	int64_t startups; /* of them, that have asked for nothing yet */
};

/* Orders entries by kind and key. */
static int
limits_compare_cb(const void *left, const void *right)
{
	const struct limits_entry *a = left, *b = right;

	if (a->kind != b->kind)
		return (a->kind < b->kind ? -1 : 1);
	if (a->len != b->len)
		return (a->len < b->len ? -1 : 1);
	return (memcmp(a->key, b->key, a->len));
}

int
limits_new(const struct limits_settings *settings, struct limits **out)
{
	struct limits *p;

	if ((p = calloc(1, sizeof(*p))) == NULL)
		return (ERR_NOMEM);
	if (pthread_mutex_init(&p->lock, NULL) != 0) {
		free(p);
		return (ERR_NOMEM);
	}
	TAILQ_INIT(&p->callers);
	TAILQ_INIT(&p->list);
	p->settings = *settings;
	*out = p;
	return (0);
}

/* Takes an entry out of the table. */
static void
limits_remove(struct limits *p, struct limits_entry *en)
{
	(void)tdelete(en, &p->tree, limits_compare_cb);
	if (en->kind == LIMITS_CONNECTION) {
		TAILQ_REMOVE(&p->callers, en, link);
	} else {
		TAILQ_REMOVE(&p->list, en, link);
		p->entries--;
	}
	free(en);
}

void
limits_free(struct limits *p)
{
	if (p == NULL)
		return;
	while (!TAILQ_EMPTY(&p->callers))
		limits_remove(p, TAILQ_FIRST(&p->callers));
	while (!TAILQ_EMPTY(&p->list))
		limits_remove(p, TAILQ_FIRST(&p->list));
	(void)pthread_mutex_destroy(&p->lock);
	free(p);
}

void
limits_set(struct limits *p, const struct limits_settings *settings)
{
	(void)pthread_mutex_lock(&p->lock);
	p->settings = *settings;
	(void)pthread_mutex_unlock(&p->lock);
}

void
limits_address(
    struct limits *p, const struct sockaddr *sa, uint8_t out[LIMITS_ADDRESS])
{
	const struct sockaddr_in *in4 = (const void *)sa;
	const struct sockaddr_in6 *in6 = (const void *)sa;
	bool is_gateway;

	(void)pthread_mutex_lock(&p->lock);
	is_gateway = net_list_has(&p->settings.gateways, sa);
	(void)pthread_mutex_unlock(&p->lock);
	memset(out, 0, LIMITS_ADDRESS);
	if (sa->sa_family == AF_INET6 &&
	    (is_gateway || IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr))) {
		memcpy(out, in6->sin6_addr.s6_addr, 16);
	} else if (sa->sa_family == AF_INET6) {
		memcpy(out, in6->sin6_addr.s6_addr, 8);
	} else if (sa->sa_family == AF_INET) {
		out[10] = out[11] = 0xff;
		memcpy(out + 12, &in4->sin_addr, 4);
	}
	out[LIMITS_ADDRESS - 1] = is_gateway;
}

bool
limits_is_gateway(const uint8_t address[LIMITS_ADDRESS])
{
	return (address[LIMITS_ADDRESS - 1] != 0);
}

/* By which bucket the requests of an address are counted. */
static enum limits_kind
limits_of_address(const uint8_t *address)
{
	return (limits_is_gateway(address) ? LIMITS_REQUEST_GATEWAY
					   : LIMITS_REQUEST_ADDRESS);
}

/* A bucket: tries that it holds, and that leak out of it in a time. */
struct limits_bucket {
	int64_t burst;
	int64_t decay;
	int64_t time_s;
};

/* The bucket of a kind. */
static struct limits_bucket
limits_bucket(const struct limits *p, uint8_t kind)
{
	const struct limits_settings *l = &p->settings;

	switch (kind) {
	case LIMITS_REGISTER:
		return ((struct limits_bucket){
		    l->register_burst, l->register_decay, 60});
	case LIMITS_ADDRESS_SET:
		return ((struct limits_bucket){5, 5, 3600});
	case LIMITS_ADDRESS_VALUE:
		return ((struct limits_bucket){3, 3, 86400});
	case LIMITS_NOTICE:
		return ((struct limits_bucket){30, 30, 3600});
	case LIMITS_WRITTEN:
		return ((struct limits_bucket){(l->write_quota + 1023) / 1024,
		    (l->write_quota + 1023) / 1024, 86400});
	case LIMITS_BROKEN:
		return ((struct limits_bucket){
		    LIMITS_BROKEN_BURST, LIMITS_BROKEN_DECAY, 60});
	case LIMITS_REQUEST_ADDRESS:
		return ((struct limits_bucket){
		    l->address_burst, l->address_rate, 1});
	case LIMITS_REQUEST_GATEWAY:
		return ((struct limits_bucket){
		    l->gateway_burst, l->gateway_rate, 1});
	case LIMITS_REQUEST_ACCOUNT:
		return ((struct limits_bucket){
		    l->request_burst, l->request_rate, 1});
	case LIMITS_REQUEST_WITNESS:
		return ((struct limits_bucket){
		    l->witness_burst, l->witness_rate, 1});
	case LIMITS_WITNESS_WRITTEN:
		return ((struct limits_bucket){(l->witness_quota + 1023) / 1024,
		    (l->witness_quota + 1023) / 1024, 86400});
	case LIMITS_PENALTY:
		return ((struct limits_bucket){0, 1, 1});
	default:
		return ((struct limits_bucket){
		    l->failure_burst, l->failure_decay, 60});
	}
}

/*
 * Lets the bucket leak up to now.  at_ms moves only by what whole thousandths
 * took to leak, so that looking often does not keep a bucket full.
 */
static void
limits_leak(const struct limits *p, struct limits_entry *en, int64_t now_ms)
{
	const struct limits_bucket b = limits_bucket(p, en->kind);
	int64_t leaked;

	if (now_ms <= en->at_ms)
		return;
	/* A try is 1000 of the level, as a second is 1000 ms. */
	if (b.decay == 0 ||
	    now_ms - en->at_ms >= en->level * b.time_s / b.decay) {
		en->level = 0;
		en->at_ms = now_ms;
		en->is_shut = false;
		return;
	}
	leaked = (now_ms - en->at_ms) * b.decay / b.time_s;
	en->level -= leaked;
	en->at_ms += leaked * b.time_s / b.decay;
}

/* Drops some of the oldest entries that are no longer of any use. */
static void
limits_sweep(struct limits *p, int64_t now_ms)
{
	struct limits_entry *en;
	int i;

	for (i = 0; i < LIMITS_SWEEP; i++) {
		if ((en = TAILQ_FIRST(&p->list)) == NULL)
			return;
		limits_leak(p, en, now_ms);
		if (en->level == 0 || p->entries > LIMITS_ENTRIES) {
			limits_remove(p, en);
			continue;
		}
		TAILQ_REMOVE(&p->list, en, link);
		TAILQ_INSERT_TAIL(&p->list, en, link);
	}
}

/* Finds an entry; NULL if there is none. */
static struct limits_entry *
limits_find(struct limits *p, uint8_t kind, const void *key, size_t n)
{
	struct limits_entry probe = {.kind = kind, .len = (uint8_t)n};
	struct limits_entry *const *found;

	assert(n <= LIMITS_KEY);
	memcpy(probe.key, key, n);
	found = tfind(&probe, &p->tree, limits_compare_cb);
	return (found == NULL ? NULL : *found);
}

/* Finds or makes an entry; NULL without memory. */
static struct limits_entry *
limits_get(struct limits *p, uint8_t kind, const void *key, size_t n)
{
	struct limits_entry *en = limits_find(p, kind, key, n);

	if (en != NULL)
		return (en);
	if ((en = calloc(1, sizeof(*en))) == NULL)
		return (NULL);
	en->kind = kind;
	en->len = (uint8_t)n;
	memcpy(en->key, key, n);
	if (tsearch(en, &p->tree, limits_compare_cb) == NULL) {
		free(en);
		return (NULL);
	}
	if (kind == LIMITS_CONNECTION) {
		TAILQ_INSERT_TAIL(&p->callers, en, link);
	} else {
		TAILQ_INSERT_TAIL(&p->list, en, link);
		p->entries++;
	}
	return (en);
}

/* limits_connect() with the lock held. */
static int
limits_enter(struct limits *p, const uint8_t address[LIMITS_ADDRESS])
{
	const int64_t most = limits_is_gateway(address)
	    ? p->settings.gateway_connections
	    : p->settings.per_address;
	struct limits_entry *en;

	if (p->connections >= p->settings.connections)
		return (ERR_BUSY);
	en = limits_get(p, LIMITS_CONNECTION, address, LIMITS_ADDRESS);
	if (en == NULL)
		return (ERR_NOMEM);
	if (en->connections >= most)
		return (ERR_LIMIT);
	en->connections++;
	p->connections++;
	return (0);
}

int
limits_connect(struct limits *p, const uint8_t address[LIMITS_ADDRESS])
{
	int r;

	(void)pthread_mutex_lock(&p->lock);
	r = limits_enter(p, address);
	(void)pthread_mutex_unlock(&p->lock);
	return (r);
}

/*
 * Adds to a bucket.  Without memory a try goes uncounted, not refused: NULL.
 * What is owed for requests has a bound; otherwise somebody who kept the
 * server busy for hours would shut out their address for as long, and with it
 * their neighbours.
 */
static struct limits_entry *
limits_add(struct limits *p, enum limits_kind kind, const void *key, size_t n,
    int64_t level, int64_t now_ms)
{
	struct limits_entry *en;
	int64_t most;

	limits_sweep(p, now_ms);
	if ((en = limits_get(p, (uint8_t)kind, key, n)) == NULL)
		return (NULL);
	TAILQ_REMOVE(&p->list, en, link);
	TAILQ_INSERT_TAIL(&p->list, en, link);
	if (en->level == 0)
		en->at_ms = now_ms;
	limits_leak(p, en, now_ms);
	en->level += level;
	if (kind == LIMITS_REQUEST_ADDRESS || kind == LIMITS_REQUEST_GATEWAY ||
	    kind == LIMITS_REQUEST_ACCOUNT || kind == LIMITS_REQUEST_WITNESS) {
		most =
		    1000 * LIMITS_DEBT * limits_bucket(p, (uint8_t)kind).burst;
		if (en->level > most)
			en->level = most;
	}
	return (en);
}

/* limits_penalize() with the lock held. */
static void
limits_punish(struct limits *p, const uint8_t address[LIMITS_ADDRESS],
    enum limits_fault fault, int64_t now_ms)
{
	const struct limits_settings *l = &p->settings;
	struct limits_entry *en;

	if (l->penalty_s[fault] == 0 || limits_is_gateway(address))
		return;
	en = limits_add(p, LIMITS_PENALTY, address, LIMITS_ADDRESS,
	    1000 * l->penalty_s[fault], now_ms);
	if (en == NULL)
		return;
	if (en->level > 1000 * l->penalty_max_s)
		en->level = 1000 * l->penalty_max_s;
	if (en->level >= 1000 * l->penalty_min_s)
		en->is_shut = true;
}

void
limits_penalize(struct limits *p, const uint8_t address[LIMITS_ADDRESS],
    enum limits_fault fault, int64_t now_ms)
{
	(void)pthread_mutex_lock(&p->lock);
	limits_punish(p, address, fault, now_ms);
	(void)pthread_mutex_unlock(&p->lock);
}

/* True if a bucket has room for one try more; with the lock held. */
static bool
limits_has_room(struct limits *p, enum limits_kind kind, const void *key,
    size_t n, int64_t now_ms)
{
	struct limits_entry *en;

	if ((en = limits_find(p, (uint8_t)kind, key, n)) == NULL)
		return (true);
	limits_leak(p, en, now_ms);
	return (
	    en->level + 1000 <= 1000 * limits_bucket(p, (uint8_t)kind).burst);
}

void
limits_break_off(
    struct limits *p, const uint8_t address[LIMITS_ADDRESS], int64_t now_ms)
{
	(void)pthread_mutex_lock(&p->lock);
	if (limits_has_room(p, LIMITS_BROKEN, address, LIMITS_ADDRESS, now_ms))
		(void)limits_add(
		    p, LIMITS_BROKEN, address, LIMITS_ADDRESS, 1000, now_ms);
	else
		limits_punish(p, address, LIMITS_FAULT_HANDSHAKE, now_ms);
	(void)pthread_mutex_unlock(&p->lock);
}

/*
 * How long to wait until a bucket has room for so much, in ms; 0 if it has.
 * A burst that is too small for it would have to wait for ever: it may be
 * taken when the bucket is empty.
 */
static int64_t
limits_wait(struct limits *p, enum limits_kind kind, const void *key, size_t n,
    int64_t level, int64_t now_ms)
{
	const struct limits_bucket b = limits_bucket(p, (uint8_t)kind);
	struct limits_entry *en;
	int64_t over;

	if (b.decay == 0 ||
	    (en = limits_find(p, (uint8_t)kind, key, n)) == NULL)
		return (0);
	limits_leak(p, en, now_ms);
	over = en->level + level - 1000 * b.burst;
	if (over <= 0 || en->level == 0)
		return (0);
	if (over > en->level)
		over = en->level;
	return (over * b.time_s / b.decay + 1);
}

/* Adds to the bucket of an address, if it has a rate. */
static void
limits_spend_address(
    struct limits *p, const uint8_t *address, int64_t level, int64_t now_ms)
{
	const enum limits_kind kind = limits_of_address(address);

	if (limits_bucket(p, (uint8_t)kind).decay != 0)
		(void)limits_add(
		    p, kind, address, LIMITS_ADDRESS, level, now_ms);
}

/* True if a connection more that starts up is to be turned away. */
static bool
limits_is_crowded(const struct limits *p, unsigned chance)
{
	const struct limits_settings *l = &p->settings;
	int64_t rate = l->startups_rate;

	if (l->startups_full == 0 || p->startups < l->startups_begin)
		return (false);
	if (p->startups >= l->startups_full)
		return (true);
	/* From the rate at the begin in a line to all at the end. */
	rate += (100 - rate) * (p->startups - l->startups_begin) /
	    (l->startups_full - l->startups_begin);
	return ((int64_t)chance < rate);
}

/* Looks whether a stranger may come; with the lock held. */
static int
limits_look(struct limits *p, const struct limits_caller *c, const char **why)
{
	struct limits_entry *en;

	if (!c->is_exempt) {
		en = limits_find(p, LIMITS_PENALTY, c->address, LIMITS_ADDRESS);
		if (en != NULL)
			limits_leak(p, en, c->now_ms);
		if (en != NULL && en->is_shut) {
			*why = "it has a penalty";
			return (ERR_DENIED);
		}
		if (limits_wait(p, limits_of_address(c->address), c->address,
			LIMITS_ADDRESS, 1000 * LIMITS_CONNECT_COST,
			c->now_ms) != 0) {
			limits_punish(
			    p, c->address, LIMITS_FAULT_FLOOD, c->now_ms);
			*why = limits_is_gateway(c->address)
			    ? "it connects too often (gateway_rate)"
			    : "it connects too often (address_rate)";
			return (ERR_LIMIT);
		}
	}
	if (limits_is_crowded(p, c->chance)) {
		*why = "max_startups connections have asked for nothing yet";
		return (ERR_BUSY);
	}
	return (0);
}

bool
limits_is_exempt(struct limits *p, const struct sockaddr *sa)
{
	bool is_exempt;

	(void)pthread_mutex_lock(&p->lock);
	is_exempt = net_list_has(&p->settings.exempt, sa);
	(void)pthread_mutex_unlock(&p->lock);
	return (is_exempt);
}

int
limits_admit(struct limits *p, const struct limits_caller *c, const char **why)
{
	int r;

	(void)pthread_mutex_lock(&p->lock);
	if ((r = limits_look(p, c, why)) != 0)
		goto out;
	if ((r = limits_enter(p, c->address)) != 0) {
		*why = r == ERR_BUSY ? "max_connections are open"
		    : r != ERR_LIMIT ? err_text(r)
		    : limits_is_gateway(c->address)
		    ? "gateway_connections from there"
		    : "max_per_address connections from there";
		goto out;
	}
	p->startups++;
	if (!c->is_exempt)
		limits_spend_address(
		    p, c->address, 1000 * LIMITS_CONNECT_COST, c->now_ms);
out:
	(void)pthread_mutex_unlock(&p->lock);
	return (r);
}

int64_t
limits_patience(struct limits *p)
{
	const struct limits_settings *l = &p->settings;
	int64_t over, room, percent = 100;

	(void)pthread_mutex_lock(&p->lock);
	over = p->startups - l->startups_begin;
	room = l->startups_full - l->startups_begin;
	if (l->startups_full != 0 && over > 0)
		percent -=
		    over >= room ? LIMITS_HURRY : LIMITS_HURRY * over / room;
	(void)pthread_mutex_unlock(&p->lock);
	return (percent);
}

void
limits_settle(struct limits *p)
{
	(void)pthread_mutex_lock(&p->lock);
	assert(p->startups > 0);
	p->startups--;
	(void)pthread_mutex_unlock(&p->lock);
}

/*
 * By which bucket an account's requests are counted, and at what rate; those of
 * a witness are not its address's as well.  With the lock held.
 */
static enum limits_kind
limits_of(const struct limits *p, const char *account, const uint8_t **address,
    int64_t *rate)
{
	if (names_has(&p->settings.witnesses, account)) {
		*address = NULL;
		*rate = p->settings.witness_rate;
		return (LIMITS_REQUEST_WITNESS);
	}
	*rate = account[0] == '\0' ? 0 : p->settings.request_rate;
	return (LIMITS_REQUEST_ACCOUNT);
}

/* Adds to the buckets of an address and an account; with the lock held. */
static void
limits_spend(struct limits *p, const uint8_t *address, const char *account,
    int64_t level, int64_t now_ms)
{
	enum limits_kind kind;
	int64_t rate;

	kind = limits_of(p, account, &address, &rate);
	if (address != NULL)
		limits_spend_address(p, address, level, now_ms);
	if (rate != 0)
		(void)limits_add(
		    p, kind, account, strlen(account), level, now_ms);
}

/* limits_wait_ms() with the lock held. */
static int64_t
limits_wait_both(struct limits *p, const uint8_t *address, const char *account,
    int64_t now_ms)
{
	int64_t of_account = 0, of_address = 0, rate;
	enum limits_kind kind;

	kind = limits_of(p, account, &address, &rate);
	if (account[0] != '\0')
		of_account = limits_wait(
		    p, kind, account, strlen(account), 1000, now_ms);
	if (address != NULL)
		of_address = limits_wait(p, limits_of_address(address), address,
		    LIMITS_ADDRESS, 1000, now_ms);
	return (of_account > of_address ? of_account : of_address);
}

int
limits_request(struct limits *p, const uint8_t *address, const char *account,
    int64_t now_ms, int64_t *wait_ms)
{
	int64_t ms;

	(void)pthread_mutex_lock(&p->lock);
	ms = limits_wait_both(p, address, account, now_ms);
	if (ms == 0)
		limits_spend(p, address, account, 1000, now_ms);
	else if (address != NULL && account[0] == '\0')
		limits_punish(p, address, LIMITS_FAULT_FLOOD, now_ms);
	(void)pthread_mutex_unlock(&p->lock);
	if (ms == 0)
		return (0);
	*wait_ms = ms < LIMITS_WAIT_MS ? LIMITS_WAIT_MS : ms;
	return (ERR_LIMIT);
}

int64_t
limits_wait_ms(struct limits *p, const uint8_t *address, const char *account,
    int64_t now_ms)
{
	int64_t ms;

	(void)pthread_mutex_lock(&p->lock);
	ms = limits_wait_both(p, address, account, now_ms);
	(void)pthread_mutex_unlock(&p->lock);
	return (ms);
}

void
limits_charge(struct limits *p, const uint8_t *address, const char *account,
    int64_t spent_us, int64_t now_ms)
{
	(void)pthread_mutex_lock(&p->lock);
	limits_spend(
	    p, address, account, 1000 * spent_us / LIMITS_WORK_US, now_ms);
	(void)pthread_mutex_unlock(&p->lock);
}

/* By which bucket it is counted what an account writes. */
static enum limits_kind
limits_writes(const struct limits *p, const char *account)
{
	return (names_has(&p->settings.witnesses, account)
		? LIMITS_WITNESS_WRITTEN
		: LIMITS_WRITTEN);
}

void
limits_wrote(
    struct limits *p, const char *account, int64_t bytes, int64_t now_ms)
{
	enum limits_kind kind;

	(void)pthread_mutex_lock(&p->lock);
	kind = limits_writes(p, account);
	if (limits_bucket(p, (uint8_t)kind).decay != 0)
		(void)limits_add(p, kind, account, strlen(account),
		    1000 * bytes / 1024, now_ms);
	(void)pthread_mutex_unlock(&p->lock);
}

int64_t
limits_write_wait_ms(struct limits *p, const char *account, int64_t now_ms)
{
	int64_t ms;

	(void)pthread_mutex_lock(&p->lock);
	ms = limits_wait(
	    p, limits_writes(p, account), account, strlen(account), 1, now_ms);
	(void)pthread_mutex_unlock(&p->lock);
	return (ms);
}

void
limits_disconnect(struct limits *p, const uint8_t address[LIMITS_ADDRESS])
{
	struct limits_entry *en;

	(void)pthread_mutex_lock(&p->lock);
	en = limits_find(p, LIMITS_CONNECTION, address, LIMITS_ADDRESS);
	assert(en != NULL && en->connections > 0);
	p->connections--;
	if (--en->connections == 0)
		limits_remove(p, en);
	(void)pthread_mutex_unlock(&p->lock);
}

bool
limits_is_heavy(struct limits *p, const uint8_t *address, const char *account,
    int64_t now_ms)
{
	struct limits_entry *en = NULL;
	enum limits_kind kind;
	bool is_heavy = false;
	int64_t rate;

	(void)pthread_mutex_lock(&p->lock);
	kind = limits_of(p, account, &address, &rate);
	if (rate != 0) {
		en = limits_find(p, (uint8_t)kind, account, strlen(account));
	} else if (address != NULL) {
		kind = limits_of_address(address);
		en = limits_find(p, (uint8_t)kind, address, LIMITS_ADDRESS);
	}
	if (en != NULL) {
		limits_leak(p, en, now_ms);
		is_heavy = en->level >
		    1000 * limits_bucket(p, (uint8_t)kind).burst / LIMITS_HEAVY;
	}
	(void)pthread_mutex_unlock(&p->lock);
	return (is_heavy);
}

int64_t
limits_connections(struct limits *p)
{
	int64_t n;

	(void)pthread_mutex_lock(&p->lock);
	n = p->connections;
	(void)pthread_mutex_unlock(&p->lock);
	return (n);
}

bool
limits_is_scarce(struct limits *p)
{
	bool is_scarce;
	int64_t kept;

	(void)pthread_mutex_lock(&p->lock);
	kept = (p->settings.connections + LIMITS_KEPT - 1) / LIMITS_KEPT;
	is_scarce = p->connections > p->settings.connections - kept;
	(void)pthread_mutex_unlock(&p->lock);
	return (is_scarce);
}

int
limits_allowed(struct limits *p, enum limits_kind kind, const void *key,
    size_t n, int64_t now_ms)
{
	bool is_allowed;

	(void)pthread_mutex_lock(&p->lock);
	is_allowed = limits_has_room(p, kind, key, n, now_ms);
	(void)pthread_mutex_unlock(&p->lock);
	return (is_allowed ? 0 : ERR_LIMIT);
}

void
limits_count(struct limits *p, enum limits_kind kind, const void *key, size_t n,
    int64_t now_ms)
{
	(void)pthread_mutex_lock(&p->lock);
	(void)limits_add(p, kind, key, n, 1000, now_ms);
	(void)pthread_mutex_unlock(&p->lock);
}
