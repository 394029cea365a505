/* SPDX-License-Identifier: ISC */
/*
 * What lines did.  An order tells the rest of its entry while it is taken
 * (game_accept.c, game_claim.c and so on); what lapsed is found by asking the
 * game what is still open.
 */
#include "common/game/game_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game_int.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/json/js_put.h"

void
game_entry_begin(struct game_entry *en, const struct game *g, int64_t seq,
    int64_t at_ms, enum order_kind kind, int seat)
{
	memset(en, 0, sizeof(*en));
	en->seq = seq;
	en->at_ms = at_ms;
	en->kind = kind;
	en->seat = seat;
	en->combat = g == NULL ? -1 : game_combat_seq(g);
	en->how = g == NULL ? GAME_UNDECIDED : g->how;
	en->waits_for = en->stand_in = -1;
	en->to = en->from = en->given = -1;
	en->fate_by = en->taken_back = -1;
}

/* True for a line that is a part of a combat. */
static bool
game_entry_is_fought(const struct game_entry *en)
{
	switch (en->kind) {
	case ORDER_DECLARE:
	case ORDER_DECIDE:
	case ORDER_COMMIT:
	case ORDER_OPEN:
		return (true);
	case ORDER_CLAIM:
		return (en->claimed == GAME_CLAIMED_DEFAULT ||
		    en->claimed == GAME_CLAIMED_AGREED);
	case ORDER_ANSWER:
		return (en->combat >= 0);
	default:
		return (false);
	}
}

void
game_entry_end(struct game_entry *en, const struct game *g)
{
	const int64_t seq = game_combat_seq(g);

	if (en->kind == ORDER_DECLARE)
		en->combat = en->seq;
	if (!game_entry_is_fought(en))
		en->combat = -1;
	en->ends_combat = en->combat >= 0 && seq != en->combat;
	en->turn = g->turn;
	en->how = en->how == g->how ? GAME_UNDECIDED : g->how;
	en->winner = en->how == GAME_UNDECIDED ? 0 : g->winner;
	en->is_undoable =
	    g->n_undos > 0 && g->undos[g->n_undos - 1].seq == en->seq;
	if (g->owed.is_owed && g->owed.seq == en->seq)
		en->waits_for = g->owed.seat;
}

void
game_entry_account(struct game_entry *en, const char *account)
{
	(void)snprintf(en->account, sizeof(en->account), "%s", account);
}

int
game_entry_former(const struct game *g, const json_t *units, json_t **out)
{
	json_t *former = json_object(), *u;
	const json_t *entry;
	const char *id;
	size_t i;
	int bad = 0;

	json_array_foreach(units, i, u)
	{
		id = js_str(u, "id");
		entry = id == NULL ? NULL : game_unit(g, id, NULL);
		if (entry != NULL)
			bad |= json_object_set_new(
			    former, id, json_deep_copy(entry));
	}
	if (former == NULL || bad != 0) {
		json_decref(former);
		return (ERR_NOMEM);
	}
	*out = former;
	return (0);
}

bool
game_entry_is_agreed(const struct game_entry *en)
{
	return (en->waits_for < 0 || en->fate == GAME_FATE_AGREED);
}

void
game_entry_clear(struct game_entry *en)
{
	json_decref(en->before);
	memset(en, 0, sizeof(*en));
}

/* True for what a takeback undoes; the rest of the record stays as it is. */
static bool
game_history_is_undone(const struct game_entry *en)
{
	switch (en->kind) {
	case ORDER_DECLARE:
	case ORDER_DECIDE:
	case ORDER_COMMIT:
	case ORDER_OPEN:
	case ORDER_ANSWER:
	case ORDER_UPKEEP:
	case ORDER_FREE:
	case ORDER_TURN_END:
	case ORDER_CLAIM:
		return (true);
	case ORDER_ACCEPT:
		return (en->is_adjust && en->to_fate == GAME_FATE_ACCEPTED);
	default:
		return (false);
	}
}

/* Lets lapse what the game no longer holds as open. */
static void
game_history_lapse(struct game_history *h, const struct game *g)
{
	int64_t *link = &h->first_open;
	struct game_entry *en;
	bool is_open;

	while (*link != 0) {
		en = &h->list[*link - 1];
		if (en->fate == GAME_FATE_OPEN)
			is_open = game_offer_find(g, en->seq) != NULL ||
			    g->later.asked_seq == en->seq;
		else
			is_open = en->fate == GAME_FATE_WAITING &&
			    g->owed.is_owed && g->owed.seq == en->seq;
		if (is_open) {
			link = &en->next_open;
			continue;
		}
		if (en->fate == GAME_FATE_OPEN)
			en->fate = GAME_FATE_LAPSED;
		else if (en->fate == GAME_FATE_WAITING)
			en->fate = GAME_FATE_NONE;
		*link = en->next_open;
	}
}

int
game_history_add(
    struct game_history *h, struct game_entry *en, const struct game *g)
{
	struct game_entry *list, *to;
	size_t i, room = h->room == 0 ? 64 : 2 * h->room;

	if (h->n == h->room) {
		if ((list = realloc(h->list, room * sizeof(*list))) == NULL)
			return (ERR_NOMEM);
		h->list = list;
		h->room = room;
	}
	if (en->to >= 0 && (size_t)en->to < h->n &&
	    en->to_fate != GAME_FATE_NONE) {
		to = &h->list[en->to];
		to->fate = en->to_fate;
		to->fate_by = en->seq;
		if (en->before != NULL) {
			json_decref(to->before);
			to->before = json_incref(en->before);
		}
	}
	if ((en->kind == ORDER_ACCEPT || en->is_restored) && en->from >= 0) {
		for (i = (size_t)en->from; i < h->n; i++) {
			if (h->list[i].taken_back < 0 &&
			    game_history_is_undone(&h->list[i]))
				h->list[i].taken_back = en->seq;
		}
	}
	if (en->given >= 0 && en->kind == ORDER_ACCEPT &&
	    en->to_fate == GAME_FATE_ACCEPTED) {
		en->former_given = h->last_given;
		h->last_given = en->seq + 1;
	}
	if (en->waits_for >= 0)
		en->fate = GAME_FATE_WAITING;
	if (en->fate == GAME_FATE_OPEN || en->fate == GAME_FATE_WAITING) {
		en->next_open = h->first_open;
		h->first_open = en->seq + 1;
	}
	h->list[h->n++] = *en;
	memset(en, 0, sizeof(*en));
	if (g != NULL)
		game_history_lapse(h, g);
	return (0);
}

const struct game_entry *
game_history_get(const struct game_history *h, int64_t seq)
{
	return (seq < 0 || (size_t)seq >= h->n ? NULL : &h->list[seq]);
}

const char *
game_history_former(const struct game_history *h, int seat, int64_t seq)
{
	const char *account = NULL;
	int64_t by;

	for (by = h->last_given; by > 0 && by - 1 >= seq;
	     by = h->list[by - 1].former_given) {
		if (h->list[by - 1].given == seat)
			account = h->list[by - 1].account;
	}
	return (account);
}

bool
game_history_is_undoable(const struct game_history *h, int64_t seq)
{
	const struct game_entry *en = game_history_get(h, seq);

	return (en != NULL && en->is_undoable && en->taken_back < 0 &&
	    en->fate != GAME_FATE_OBJECTED);
}

/* The beginning; the entries follow, then {"line":before,...} as JSON. */
struct game_history_saved {
	uint64_t n;
	int64_t first_open;
	int64_t last_given;
};

int
game_history_save(const struct game_history *h, struct buf *out)
{
	const struct game_history_saved s = {
	    h->n, h->first_open, h->last_given};
	struct game_entry en;
	char seq[24];
	size_t i;

	buf_add(out, &s, sizeof(s));
	for (i = 0; i < h->n; i++) {
		en = h->list[i];
		en.before = NULL;
		buf_add(out, &en, sizeof(en));
	}
	buf_putc(out, '{');
	for (i = 0; i < h->n; i++) {
		(void)snprintf(seq, sizeof(seq), "%zu", i);
		if (h->list[i].before != NULL)
			js_put_json(out, seq, h->list[i].before);
	}
	buf_putc(out, '}');
	return (buf_error(out));
}

int
game_history_load(struct game_history *h, const char *bytes, size_t len)
{
	struct game_history_saved s;
	struct errinfo e;
	char seq[24];
	json_t *all;
	size_t i;
	int r;

	if (len < sizeof(s))
		return (ERR_BAD);
	memcpy(&s, bytes, sizeof(s));
	bytes += sizeof(s);
	len -= sizeof(s);
	if (s.n == 0 || s.n > len / sizeof(*h->list))
		return (ERR_BAD);
	if ((h->list = malloc(s.n * sizeof(*h->list))) == NULL)
		return (ERR_NOMEM);
	memcpy(h->list, bytes, s.n * sizeof(*h->list));
	bytes += s.n * sizeof(*h->list);
	h->n = h->room = s.n;
	h->first_open = s.first_open;
	h->last_given = s.last_given;
	r = js_load(
	    bytes, len - s.n * sizeof(*h->list), JS_DEPTH_RPC, &all, &e);
	if (r != 0)
		return (r == ERR_NOMEM ? r : ERR_BAD);
	for (i = 0; json_object_size(all) > 0 && i < h->n; i++) {
		(void)snprintf(seq, sizeof(seq), "%zu", i);
		h->list[i].before = json_incref(json_object_get(all, seq));
	}
	json_decref(all);
	return (0);
}

void
game_history_clear(struct game_history *h)
{
	while (h->n > 0)
		game_entry_clear(&h->list[--h->n]);
	free(h->list);
	memset(h, 0, sizeof(*h));
}
