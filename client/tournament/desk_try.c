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
	int r;

	if ((r = desk_copy_again(d->copy, d->copy->n, &y->v, e)) != 0) {
		y->v = NULL;
		return (r);
	}
	y->t = verify_tournament_state(y->v);
	return (0);
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
