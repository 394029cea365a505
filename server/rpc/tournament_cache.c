/* SPDX-License-Identifier: ISC */
/*
 * Making a tournament of its lines takes long, and its standings some time,
 * too; both are kept, for as many tournaments as run at once on a busy server.
 */
#include "server/rpc/tournament_cache.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/record/rpc.h"
#include "common/tournament/tournament.h"
#include "server/base/log.h"
#include "server/store/kept_tournament.h"
#include "server/store/store_tournament.h"

#define TOURNAMENT_CACHE_MAX 16

/* One of them. */
struct tournament_cache_slot {
	int64_t tid;
	struct tournament *t; /* owned; NULL: the slot is free */
	uint64_t used; /* when, by the count of calls */
	struct buf view; /* of line view_seq */
	int64_t view_seq; /* -1: not made */
};

struct tournament_cache {
	struct tournament_cache_slot slots[TOURNAMENT_CACHE_MAX];
	uint64_t count;
};

int
tournament_cache_new(struct tournament_cache **out)
{
	struct tournament_cache *c;
	size_t i;

	if ((c = calloc(1, sizeof(*c))) == NULL)
		return (ERR_NOMEM);
	for (i = 0; i < TOURNAMENT_CACHE_MAX; i++) {
		buf_init(&c->slots[i].view, RPC_REPLY_MAX);
		c->slots[i].view_seq = -1;
	}
	*out = c;
	return (0);
}

void
tournament_cache_free(struct tournament_cache *c)
{
	size_t i;

	if (c == NULL)
		return;
	for (i = 0; i < TOURNAMENT_CACHE_MAX; i++) {
		tournament_free(c->slots[i].t);
		buf_clear(&c->slots[i].view);
	}
	free(c);
}

/* The slot of a tournament, or one that may be used for it. */
static struct tournament_cache_slot *
tournament_cache_slot(struct tournament_cache *c, int64_t tid)
{
	struct tournament_cache_slot *slot, *oldest = &c->slots[0];
	size_t i;

	for (i = 0; i < TOURNAMENT_CACHE_MAX; i++) {
		slot = &c->slots[i];
		if (slot->t != NULL && slot->tid == tid)
			return (slot);
		if (slot->t == NULL ||
		    (oldest->t != NULL && slot->used < oldest->used))
			oldest = slot;
	}
	tournament_free(oldest->t);
	oldest->t = NULL;
	oldest->tid = tid;
	return (oldest);
}

/* Brings the slot of a row's tournament to its last line. */
static int
tournament_cache_find(struct tournament_cache *c, struct store *reader,
    const struct store_tournament_row *row, struct tournament_cache_slot **out,
    struct errinfo *e)
{
	struct tournament_cache_slot *slot;
	struct errinfo why = {.text = ""};
	char hex[2 * HASH_LEN + 1];
	int r = 0;

	slot = tournament_cache_slot(c, row->tid);
	slot->used = ++c->count;
	if (slot->t == NULL || tournament_seq(slot->t) != row->seq) {
		buf_reset(&slot->view);
		slot->view_seq = -1;
		r = kept_tournament(reader, row, true, &slot->t, &why);
	}
	*out = slot;
	if (r != ERR_BAD)
		return (r);
	hex_format(hex, row->id, HASH_LEN);
	log_errorx("tournament %.16s is damaged: %s", hex, why.text);
	return (err_set(e, ERR_DAMAGED, "", "%s", err_text(ERR_DAMAGED)));
}

int
tournament_cache_get(struct tournament_cache *c, struct store *reader,
    const struct store_tournament_row *row, struct tournament **t,
    struct errinfo *e)
{
	struct tournament_cache_slot *slot;
	int r;

	if ((r = tournament_cache_find(c, reader, row, &slot, e)) == 0)
		*t = slot->t;
	return (r);
}

int
tournament_cache_view(struct tournament_cache *c, struct store *reader,
    const struct store_tournament_row *row, const struct buf **view,
    struct errinfo *e)
{
	struct tournament_cache_slot *slot;
	int r;

	if ((r = tournament_cache_find(c, reader, row, &slot, e)) != 0)
		return (r);
	if (slot->view_seq != row->seq) {
		buf_reset(&slot->view);
		if ((r = tournament_view_part(slot->t, 0, &slot->view)) != 0)
			return (r);
		slot->view_seq = row->seq;
	}
	*view = &slot->view;
	return (0);
}
