/* SPDX-License-Identifier: ISC */
/*
 * What play by turns adds to the view of a game: its settings, what waits
 * for the other side, clocks, cups and standing orders.  All of it follows
 * from the record up to the last line; what only the server holds, the text
 * of a standing order that is not open, is never in it.
 */
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game_int.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/json/js_put.h"

/* The options of the game, defaults written out. */
static void
game_state_options(const struct game *g, struct buf *out)
{
	const struct order_create *c = &g->set;

	js_put_open(out, "options", '{');
	js_put_int(out, "seats", c->seats);
	js_put_bool(out, "director", c->has_director);
	js_put_bool(out, "takeback", c->may_take_back);
	if (c->owner_fields != NULL)
		js_put_json(out, "owner_fields", c->owner_fields);
	if (c->delay >= 0)
		js_put_int(out, "delay", c->delay);
	if (c->delay_minutes >= 0)
		js_put_int(out, "delay_minutes", c->delay_minutes);
	js_put_close(out, '}');
}

/* Whose accepts a ruling has. */
static void
game_state_accepted(const struct game_offer *f, struct buf *out)
{
	int seat;

	js_put_open(out, "accepted", '[');
	for (seat = 1; seat <= 2; seat++) {
		if (f->is_accepted[seat])
			js_put_int(out, NULL, seat);
	}
	js_put_close(out, ']');
}

/* One offer, with what its args say. */
static void
game_state_offer(const struct game_offer *f, struct buf *out)
{
	const char *name;
	json_t *arg;

	js_put_open(out, NULL, '{');
	js_put_int(out, "seq", f->seq);
	js_put_int(out, "seat", f->seat);
	js_put_int(out, "side", game_side_of(f->seat));
	js_put_str(out, "what", game_offer_names[f->what]);
	json_object_foreach(f->args, name, arg)
	{
		if (strcmp(name, "what") != 0)
			js_put_json(out, name, arg);
	}
	if (f->what == GAME_OFFER_RULING)
		game_state_accepted(f, out);
	js_put_close(out, '}');
}

void
game_state_write_offers(const struct game *g, struct buf *out)
{
	size_t i;

	js_put_open(out, "offers", '[');
	for (i = 0; i < g->n_offers; i++)
		game_state_offer(&g->offers[i], out);
	js_put_close(out, ']');
}

/* The clock of one side. */
static void
game_state_side(
    const struct game *g, const char *name, int side, struct buf *out)
{
	const struct game_clock_side *s = &g->clock.sides[side];
	const int64_t deadline = game_deadline_ms(g, side);

	js_put_open(out, name, '{');
	js_put_int(out, "left_s", s->left / 1000);
	js_put_int(out, "holidays", s->holidays);
	js_put_bool(out, "running", s->since >= 0);
	if (deadline >= 0)
		js_put_at(out, "deadline", deadline);
	if (s->away_until > g->at_ms)
		js_put_at(out, "away_until", s->away_until);
	js_put_close(out, '}');
}

/* The clocks; null where none has begun. */
static void
game_state_clocks(const struct game *g, struct buf *out)
{
	if (!g->set.has_clock || g->phase == GAME_MUSTER) {
		js_put_null(out, "clocks");
		return;
	}
	js_put_open(out, "clocks", '{');
	game_state_side(g, "1", 1, out);
	game_state_side(g, "2", 2, out);
	if (g->clock.paused_until > g->at_ms)
		js_put_at(out, "paused_until", g->clock.paused_until);
	js_put_close(out, '}');
}

/* The cups. */
static void
game_state_cups(const struct game *g, struct buf *out)
{
	const struct game_cup *c;
	size_t i;

	js_put_open(out, "cups", '[');
	for (i = 0; i < g->n_cups; i++) {
		c = &g->cups[i];
		js_put_open(out, NULL, '{');
		js_put_str(out, "cup", c->name);
		js_put_json(out, "in", c->in);
		js_put_json(out, "out", c->out);
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* What an open standing order says, if it says anything that is known. */
static void
game_state_words(const struct game_standing *s, struct buf *out)
{
	const json_t *kind, *word;
	json_t *text;
	int r;

	r = js_load(s->text, strlen(s->text), JS_DEPTH_RECORD, &text, NULL);
	if (r != 0) {
		if (r == ERR_NOMEM)
			buf_fail(out, r);
		return;
	}
	kind = json_object_get(text, "kind");
	word = json_object_get(text, "do");
	if (json_is_string(kind) && json_is_string(word)) {
		js_put_json(out, "kind", kind);
		js_put_json(out, "do", word);
	}
	json_decref(text);
}

/* The standing orders. */
static void
game_state_standing(const struct game *g, struct buf *out)
{
	const struct game_standing *s;
	size_t i;

	js_put_open(out, "standing", '[');
	for (i = 0; i < g->n_standings; i++) {
		s = &g->standings[i];
		js_put_open(out, NULL, '{');
		js_put_int(out, "seq", s->seq);
		js_put_int(out, "seat", s->seat);
		js_put_int(out, "side", game_side_of(s->seat));
		js_put_bool(out, "withdrawn", s->is_withdrawn);
		js_put_bool(out, "acted", s->is_open);
		if (s->is_open)
			game_state_words(s, out);
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* What the create order says, and what is in force of it. */
static void
game_state_settings(const struct game *g, struct buf *out)
{
	const struct order_create *c = &g->set;

	js_put_bool(out, "confirm", c->is_confirm);
	js_put_bool(out, "private", c->is_private);
	js_put_str(out, "secret", c->is_sealed ? "sealed" : "held");
	js_put_str(out, "silence", c->is_director ? "director" : "forfeit");
	js_put_json(out, "clock", c->clock_json);
	game_state_options(g, out);
	js_put_hex(out, "roster_blob", g->roster_blob, HASH_LEN);
}

/* A number; null if it is none. */
static void
game_state_number(struct buf *out, const char *name, bool is, int64_t n)
{
	if (is)
		js_put_int(out, name, n);
	else
		js_put_null(out, name);
}

void
game_state_write(const struct game *g, struct buf *out)
{
	const bool has_truce = g->phase == GAME_PLAY && g->turn < g->truce;
	const bool has_at = g->phase != GAME_FINISHED && g->state_at_ms >= 0;

	game_state_settings(g, out);
	if (has_at)
		js_put_at(out, "state_at", g->state_at_ms);
	else
		js_put_null(out, "state_at");
	game_state_write_offers(g, out);
	game_state_clocks(g, out);
	game_state_cups(g, out);
	game_state_standing(g, out);
	game_state_number(out, "truce", has_truce, g->truce);
	game_state_number(
	    out, "adjudication", g->clock.claim_seq >= 0, g->clock.claim_seq);
}
