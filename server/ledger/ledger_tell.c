/* SPDX-License-Identifier: ISC */
/*
 * What is told of tournaments, kept as rows beside those of games.  What a
 * tournament tells is worked out after each of its lines, and only where that
 * differs from what it was does anything happen in the database: there may be
 * thousands who are told something.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/tournament/tournament_game.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"
#include "server/store/store_tell.h"
#include "server/store/store_tournament.h"

/* A tournament whose notices are put right. */
struct ledger_tells {
	struct ledger *l;
	struct ledger_tournament *lt;
	const char *by; /* who wrote the last line; NULL */
	const char *account; /* whom it is about alone; NULL: everybody */
	int64_t now_ms;
	struct tournament_tell *list; /* owned: what it tells */
	size_t n, room;
	struct tournament_tell_memo memo;
	struct buf data;
	/* The channels of the account that was asked for last. */
	int asked; /* -1: none */
	unsigned channels;
};

/* By what it is, where, who is told, and since when. */
static int
ledger_tell_compare(const void *a, const void *b)
{
	const struct tournament_tell *x = a, *y = b;
	const int64_t by[][2] = {{(int64_t)x->what, (int64_t)y->what},
	    {x->place.round, y->place.round}, {x->place.table, y->place.table},
	    {x->place.leg, y->place.leg}, {x->account, y->account},
	    {x->since, y->since}};
	size_t i;

	for (i = 0; i < sizeof(by) / sizeof(*by); i++) {
		if (by[i][0] != by[i][1])
			return (by[i][0] < by[i][1] ? -1 : 1);
	}
	return (0);
}

/* Adds one to the list. */
static int
ledger_tell_add_cb(void *arg, const struct tournament_tell *tell)
{
	struct ledger_tells *w = arg;
	struct tournament_tell *list;
	size_t room;

	if (w->n == w->room) {
		room = w->room == 0 ? 64 : 2 * w->room;
		list = realloc(w->list, room * sizeof(*list));
		if (list == NULL)
			return (ERR_NOMEM);
		w->list = list;
		w->room = room;
	}
	w->list[w->n++] = *tell;
	return (0);
}

/* By which channels an account is told. */
static int
ledger_tell_channels(struct ledger_tells *w, int account, const char *name)
{
	const unsigned command = 1U << STORE_CHANNEL_COMMAND;
	struct ledger *l = w->l;
	unsigned channels = 0;
	int r;

	if (w->asked == account)
		return (0);
	if ((l->conf.channels & ~command) != 0 &&
	    (r = store_address_channels(l->store, name, &channels)) != 0)
		return (r);
	w->asked = account;
	w->channels = (channels | command) & l->conf.channels;
	return (0);
}

/* Makes the row of what is told, without channel; data is lent. */
static int
ledger_tell_row(struct ledger_tells *w, const struct tournament_tell *tell,
    struct store_tell *s)
{
	const struct tournament *t = w->lt->t;
	const int64_t soon_ms = w->now_ms + w->l->conf.notify_delay_ms;
	const char *name = tournament_tell_account(t, tell);
	int r;

	memset(s, 0, sizeof(*s));
	memcpy(s->account, name, strlen(name) + 1);
	s->tell = *tell;
	s->at_ms = tournament_at_ms(t);
	s->next_ms = tell->due_ms > soon_ms ? tell->due_ms : soon_ms;
	buf_reset(&w->data);
	r = tournament_tell_write(t, tell, w->by, &w->memo, &w->data);
	s->data = buf_str(&w->data);
	/* Names have bounds, so this holds. */
	return (r == 0 && w->data.len > STORE_DATA_MAX ? ERR_INTERNAL : r);
}

/* Stores what is new, by each channel of who is told. */
static int
ledger_tell_insert(struct ledger_tells *w, const struct tournament_tell *tell)
{
	const char *name = tournament_tell_account(w->lt->t, tell);
	struct store_tell s;
	int i, r;

	if (w->l->conf.channels == 0 ||
	    (w->account != NULL && strcmp(name, w->account) != 0) ||
	    (tell->is_once &&
		(tell->since != tournament_seq(w->lt->t) ||
		    w->account != NULL)) ||
	    (!tell->is_once && tell->until_ms >= 0 &&
		tell->until_ms <= w->now_ms))
		return (0);
	/* Who claims, or opens a game, knows it. */
	if ((tell->what == TOLD_CLAIM || tell->what == TOLD_RESULT ||
		tell->what == TOLD_OPPONENT) &&
	    w->by != NULL && strcmp(name, w->by) == 0)
		return (0);
	if ((r = ledger_tell_channels(w, tell->account, name)) != 0 ||
	    w->channels == 0 || (r = ledger_tell_row(w, tell, &s)) != 0)
		return (r);
	for (i = 0; i < STORE_CHANNELS; i++) {
		if ((w->channels & 1U << i) == 0)
			continue;
		s.channel = (enum store_channel)i;
		r = store_tell_insert(w->l->store, w->lt->tid, &s);
		if (r != 0)
			return (r);
		w->l->has_waiting = true;
	}
	return (0);
}

/* Gives what goes on waiting another end. */
static int
ledger_tell_update(struct ledger_tells *w, const struct tournament_tell *tell)
{
	struct store_tell s;
	int r;

	if ((r = ledger_tell_row(w, tell, &s)) == 0)
		r = store_tell_update(w->l->store, w->lt->tid, &s);
	w->l->has_waiting = true;
	return (r);
}

/* Compares what was told with what is; both are sorted. */
static int
ledger_tell_merge(struct ledger_tells *w)
{
	const struct tournament_tell *old = w->lt->tells, *tell = w->list;
	const struct tournament_tell *old_end = old + w->lt->n_tells;
	const struct tournament_tell *end = tell + w->n;
	int order, r = 0;

	while (r == 0 && (old < old_end || tell < end)) {
		order = old == old_end ? 1
		    : tell == end      ? -1
				       : ledger_tell_compare(old, tell);
		if (order < 0) {
			if (old->what != TOLD_RULING)
				r = store_tell_delete(w->l->store, w->lt->tid,
				    tournament_tell_account(w->lt->t, old),
				    old);
			old++;
		} else if (order > 0) {
			r = ledger_tell_insert(w, tell++);
		} else {
			if (old->until_ms != tell->until_ms ||
			    old->due_ms != tell->due_ms)
				r = ledger_tell_update(w, tell);
			old++;
			tell++;
		}
	}
	return (r);
}

/* What a row tells, if the tournament tells it still; NULL. */
static const struct tournament_tell *
ledger_tell_find(const struct ledger_tells *w, const struct store_tell *s)
{
	struct tournament_tell key = s->tell;

	key.account = tournament_tell_index(w->lt->t, s->account);
	return (bsearch(
	    &key, w->list, w->n, sizeof(*w->list), ledger_tell_compare));
}

/* Puts a stored row right. */
static int
ledger_tell_sift_cb(void *arg, const struct store_tell *s)
{
	struct ledger_tells *w = arg;
	const struct tournament_tell *tell = ledger_tell_find(w, s);

	if (s->tell.what == TOLD_RULING && s->next_ms >= 0)
		return (0);
	/* News that was told has done its work. */
	if (tell == NULL || (tell->is_once && s->next_ms < 0))
		return (store_tell_delete_row(w->l->store, s->id));
	if (tell->until_ms != s->tell.until_ms ||
	    tell->due_ms != s->tell.due_ms)
		return (ledger_tell_update(w, tell));
	return (0);
}

/* Works out what is told, and stores what differs from what was. */
static int
ledger_tell_run(struct ledger_tells *w)
{
	struct ledger_tournament *lt = w->lt;
	size_t i;
	int r;

	r = tournament_tell_each(lt->t, ledger_tell_add_cb, w);
	if (r != 0)
		return (r);
	if (w->n > 0)
		qsort(w->list, w->n, sizeof(*w->list), ledger_tell_compare);
	if (lt->has_tells && w->account == NULL)
		return (ledger_tell_merge(w));
	if (w->account == NULL)
		r = store_tell_each(
		    w->l->store, lt->tid, ledger_tell_sift_cb, w);
	for (i = 0; r == 0 && i < w->n; i++)
		r = ledger_tell_insert(w, &w->list[i]);
	return (r);
}

/* Frees what was needed; with keep, what is told is known from now on. */
static void
ledger_tell_end(struct ledger_tells *w, bool keep)
{
	if (keep) {
		free(w->lt->tells);
		w->lt->tells = w->list;
		w->lt->n_tells = w->n;
		w->lt->has_tells = true;
		w->list = NULL;
	}
	free(w->list);
	tournament_tell_memo_clear(&w->memo);
	buf_clear(&w->data);
}

/* Puts right what a tournament tells: to everybody, or to one account. */
static int
ledger_tell_to(struct ledger *l, struct ledger_tournament *lt, const char *by,
    const char *account)
{
	struct ledger_tells w = {
	    .l = l, .lt = lt, .by = by, .account = account, .asked = -1};
	int r;

	w.now_ms = account == NULL ? tournament_at_ms(lt->t) : clock_wall_ms();
	w.memo.blobs = &l->blobs;
	buf_init(&w.data, 0);
	r = ledger_tell_run(&w);
	ledger_tell_end(&w, r == 0 && account == NULL);
	return (r);
}

int
ledger_tell(struct ledger *l, struct ledger_tournament *lt, const char *by)
{
	return (ledger_tell_to(l, lt, by, NULL));
}

/* Ids of tournaments, one after the other. */
static int
ledger_tell_id_cb(void *arg, const uint8_t id[HASH_LEN])
{
	struct buf *ids = arg;

	buf_add(ids, id, HASH_LEN);
	return (buf_error(ids));
}

int
ledger_tell_account(struct ledger *l, const char *account)
{
	struct ledger_tournament *lt;
	struct errinfo why;
	struct buf ids;
	size_t i;
	int r;

	buf_init(&ids, 0);
	r = store_tournament_of_account(
	    l->store, account, ledger_tell_id_cb, &ids);
	for (i = 0; r == 0 && i < ids.len; i += HASH_LEN) {
		why.text[0] = '\0';
		r = ledger_tournament_get(
		    l, (const uint8_t *)ids.data + i, &lt, &why);
		/* That was logged when it was found. */
		if (r == ERR_DAMAGED)
			r = 0;
		else if (r == 0)
			r = ledger_tell_to(l, lt, NULL, account);
	}
	buf_clear(&ids);
	return (r);
}

int
ledger_tell_come(struct ledger *l, const struct ledger_tournament *lt,
    const struct ledger_game *lg)
{
	struct tournament_place place;
	struct tournament_look look;
	int r, side;

	if (l->conf.channels == 0 ||
	    tournament_find_game(lt->t, game_id(lg->game), &place) != 0)
		return (0);
	r = tournament_look_at(
	    lg->game, tournament_terms(lt->t)->resign, &look);
	if (r == ERR_MISSING)
		r = 0;
	for (side = 1; r == 0 && side <= 2; side++) {
		if (game_is_joined(lg->game, side))
			r = store_tell_come(l->store, lt->tid,
			    game_account(lg->game, side), &place,
			    look.has_come[side]);
	}
	return (r);
}
