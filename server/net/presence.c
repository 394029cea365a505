/* SPDX-License-Identifier: ISC */
/* A counted set of names under one lock. */
#include "server/net/presence.h"

#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common/record/order.h"

/* An account that is here. */
struct presence_entry {
	char account[ORDER_ACCOUNT_MAX + 1];
	size_t connections; /* over 0 */
};

struct presence {
	pthread_mutex_t lock; /* of the tree */
	void *tree; /* tsearch(3): of struct presence_entry */
	void (*left)(void *arg, const char *account);
	void *arg;
};

/* Orders entries by name. */
static int
presence_compare_cb(const void *left, const void *right)
{
	const struct presence_entry *a = left, *b = right;

	return (strcmp(a->account, b->account));
}

int
presence_new(void (*left)(void *arg, const char *account), void *arg,
    struct presence **out)
{
	struct presence *p;

	if ((p = calloc(1, sizeof(*p))) == NULL)
		return (ERR_NOMEM);
	if (pthread_mutex_init(&p->lock, NULL) != 0) {
		free(p);
		return (ERR_NOMEM);
	}
	p->left = left;
	p->arg = arg;
	*out = p;
	return (0);
}

/* Takes an entry out of the tree. */
static void
presence_remove(struct presence *p, struct presence_entry *en)
{
	(void)tdelete(en, &p->tree, presence_compare_cb);
	free(en);
}

void
presence_free(struct presence *p)
{
	if (p == NULL)
		return;
	/* A node begins with the pointer to its key (tsearch(3)). */
	while (p->tree != NULL)
		presence_remove(p, *(struct presence_entry **)p->tree);
	(void)pthread_mutex_destroy(&p->lock);
	free(p);
}

/* Finds an account's entry; NULL if it is not here. */
static struct presence_entry *
presence_find(const struct presence *p, const char *account)
{
	struct presence_entry probe;
	struct presence_entry *const *found;

	assert(strlen(account) < sizeof(probe.account));
	memcpy(probe.account, account, strlen(account) + 1);
	found = tfind(&probe, &p->tree, presence_compare_cb);
	return (found == NULL ? NULL : *found);
}

/* Adds an account's entry, without a connection; NULL without memory. */
static struct presence_entry *
presence_add(struct presence *p, const char *account)
{
	struct presence_entry *en;

	if ((en = calloc(1, sizeof(*en))) == NULL)
		return (NULL);
	memcpy(en->account, account, strlen(account) + 1);
	if (tsearch(en, &p->tree, presence_compare_cb) == NULL) {
		free(en);
		return (NULL);
	}
	return (en);
}

int
presence_enter(struct presence *p, const char *account)
{
	struct presence_entry *en;

	(void)pthread_mutex_lock(&p->lock);
	en = presence_find(p, account);
	if (en == NULL)
		en = presence_add(p, account);
	if (en != NULL)
		en->connections++;
	(void)pthread_mutex_unlock(&p->lock);
	return (en == NULL ? ERR_NOMEM : 0);
}

void
presence_leave(struct presence *p, const char *account)
{
	struct presence_entry *en;
	bool has_left;

	(void)pthread_mutex_lock(&p->lock);
	en = presence_find(p, account);
	assert(en != NULL && en->connections > 0);
	has_left = --en->connections == 0;
	if (has_left)
		presence_remove(p, en);
	(void)pthread_mutex_unlock(&p->lock);
	if (has_left && p->left != NULL)
		p->left(p->arg, account);
}

bool
presence_is_here(struct presence *p, const char *account)
{
	bool is;

	(void)pthread_mutex_lock(&p->lock);
	is = presence_find(p, account) != NULL;
	(void)pthread_mutex_unlock(&p->lock);
	return (is);
}
