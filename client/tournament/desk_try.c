/* SPDX-License-Identifier: ISC */
#include "client/tournament/desk_try.h"

#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/profile.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "common/base/buf.h"
#include "common/tournament/entry.h"
#include "common/tournament/tournament.h"
#include "common/tournament/verify_tournament.h"

/* tournament_games: none is at hand. */
static int
desk_try_look_cb(void *arg, const uint8_t game[HASH_LEN], int64_t seq,
    struct tournament_look *look, struct errinfo *e)
{
	(void)arg;
	(void)game;
	(void)seq;
	(void)look;
	return (err_set(e, ERR_MISSING, NULL, "a game is not at hand"));
}

/* Reads the copy a second time. */
static int
desk_try_read(const struct desk *d, struct desk_try *y, struct errinfo *e)
{
	const char *line;
	int64_t i;
	size_t len;
	int r;

	r = verify_tournament_new(d->p->has_pin ? d->p->pin : NULL, &y->v);
	for (i = 0; r == 0 && i < d->copy->n; i++) {
		line = desk_copy_get(d->copy, i, &len);
		r = verify_tournament_add(y->v, line, len, e);
	}
	if (r == 0)
		y->t = verify_tournament_state(y->v);
	return (r);
}

int
desk_try(const struct desk *d, enum entry_kind kind, const json_t *args,
    int64_t at_ms, struct desk_try *y, struct errinfo *e)
{
	const struct tournament_games games = {desk_try_look_cb, NULL};
	struct tournament_effects fx = {.events = NULL};
	struct tournament_line l = {.games = &games, .at_ms = at_ms};
	uint8_t sig[SIGN_LEN];
	struct entry o;
	struct buf b;
	int r;

	memset(y, 0, sizeof(*y));
	if (at_ms < tournament_at_ms(d->t))
		at_ms = tournament_at_ms(d->t);
	buf_init(&b, 0);
	if ((r = desk_try_read(d, y, e)) == 0 &&
	    (r = tournament_make_order(y->t, d->account, &d->p->keys, kind,
		 args, at_ms, &b, sig, e)) == 0 &&
	    (r = entry_parse(buf_str(&b), b.len, &o, e)) == 0) {
		o.at_ms = at_ms;
		l.o = &o;
		l.key = d->p->keys.sign.public_key;
		l.at_ms = at_ms;
		l.fx = &fx;
		l.e = e;
		if ((r = tournament_take(y->t, &l)) == 0)
			y->events = json_incref(fx.events);
		tournament_effects_clear(&fx);
		entry_clear(&o);
	}
	buf_clear(&b);
	if (r != 0)
		desk_try_clear(y);
	return (r);
}

void
desk_try_clear(struct desk_try *y)
{
	json_decref(y->events);
	verify_tournament_free(y->v);
	memset(y, 0, sizeof(*y));
}
