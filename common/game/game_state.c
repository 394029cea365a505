/* SPDX-License-Identifier: ISC */
/*
 * What play by turns adds to the view of a game: its settings, what waits
 * for the other side, clocks, cups and standing orders.  All of it follows
 * from the record up to the last line; what only the server holds, the text
 * of a standing order that is not open, is never in it.
 */
#include <string.h>

#include "common/clock.h"
#include "common/game/game_int.h"
#include "common/js.h"

/* A time as text; new. */
static json_t *
game_state_at(int64_t at_ms)
{
	char at[CLOCK_AT_LEN + 1];

	clock_format(at, at_ms);
	return (json_string(at));
}

/* Appends a new value to a list; frees the list and is NULL if it cannot. */
static json_t *
game_state_add(json_t *list, json_t *value)
{
	if (json_array_append_new(list, value) == 0)
		return (list);
	json_decref(list);
	return (NULL);
}

/* The options of the game, defaults written out; new. */
static json_t *
game_state_options(const struct game *g)
{
	const struct order_create *c = &g->set;
	json_t *v;
	int bad = 0;

	v = json_pack("{s:i, s:b, s:b}", "seats", c->seats, "director",
	    c->has_director, "takeback", c->may_take_back);
	if (c->owner_fields != NULL)
		bad |= json_object_set_new(
		    v, "owner_fields", json_deep_copy(c->owner_fields));
	if (c->delay >= 0)
		bad |= json_object_set_new(v, "delay", json_integer(c->delay));
	if (c->delay_minutes >= 0)
		bad |= json_object_set_new(
		    v, "delay_minutes", json_integer(c->delay_minutes));
	if (bad != 0) {
		json_decref(v);
		return (NULL);
	}
	return (v);
}

/* Whose accepts a ruling has; new. */
static json_t *
game_state_accepted(const struct game_offer *f)
{
	json_t *list = json_array();
	int seat;

	for (seat = 1; list != NULL && seat <= 2; seat++) {
		if (f->is_accepted[seat])
			list = game_state_add(list, json_integer(seat));
	}
	return (list);
}

/* One offer, with what its args say; new. */
static json_t *
game_state_offer(const struct game_offer *f)
{
	json_t *v, *arg;
	const char *name;
	int bad = 0;

	v = json_pack("{s:I, s:i, s:i, s:s}", "seq", (json_int_t)f->seq, "seat",
	    f->seat, "side", game_side_of(f->seat), "what",
	    game_offer_names[f->what]);
	json_object_foreach(f->args, name, arg)
	{
		if (strcmp(name, "what") != 0)
			bad |=
			    json_object_set_new(v, name, json_deep_copy(arg));
	}
	if (f->what == GAME_OFFER_RULING)
		bad |=
		    json_object_set_new(v, "accepted", game_state_accepted(f));
	if (bad != 0) {
		json_decref(v);
		return (NULL);
	}
	return (v);
}

/* The offers that are open; new. */
static json_t *
game_state_offers(const struct game *g)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; list != NULL && i < g->n_offers; i++)
		list = game_state_add(list, game_state_offer(&g->offers[i]));
	return (list);
}

/* The clock of one side; new. */
static json_t *
game_state_side(const struct game *g, int side)
{
	const struct game_clock_side *s = &g->clock.sides[side];
	int64_t deadline = game_deadline_ms(g, side);
	json_t *v;
	int bad = 0;

	v = json_pack("{s:I, s:I, s:b}", "left_s", (json_int_t)(s->left / 1000),
	    "holidays", (json_int_t)s->holidays, "running", s->since >= 0);
	if (deadline >= 0)
		bad |=
		    json_object_set_new(v, "deadline", game_state_at(deadline));
	if (s->away_until > g->at_ms)
		bad |= json_object_set_new(
		    v, "away_until", game_state_at(s->away_until));
	if (bad != 0) {
		json_decref(v);
		return (NULL);
	}
	return (v);
}

/* The clocks; new, null where none has begun. */
static json_t *
game_state_clocks(const struct game *g)
{
	json_t *v;

	if (!g->set.has_clock || g->phase == GAME_MUSTER)
		return (json_null());
	v = json_pack("{s:o, s:o}", "1", game_state_side(g, 1), "2",
	    game_state_side(g, 2));
	if (v != NULL && g->clock.paused_until > g->at_ms &&
	    json_object_set_new(
		v, "paused_until", game_state_at(g->clock.paused_until)) != 0) {
		json_decref(v);
		return (NULL);
	}
	return (v);
}

/* The cups; new. */
static json_t *
game_state_cups(const struct game *g)
{
	const struct game_cup *c;
	json_t *list = json_array();
	size_t i;

	for (i = 0; list != NULL && i < g->n_cups; i++) {
		c = &g->cups[i];
		list = game_state_add(list,
		    json_pack("{s:s, s:o, s:o}", "cup", c->name, "in",
			json_deep_copy(c->in), "out", json_deep_copy(c->out)));
	}
	return (list);
}

/* What an open standing order says, if it says anything that is known. */
static int
game_state_words(const struct game_standing *s, json_t *v)
{
	json_t *text, *kind, *word;
	int bad = 0, r;

	r = js_load(s->text, strlen(s->text), JS_DEPTH_RECORD, &text, NULL);
	if (r != 0)
		return (r == ERR_NOMEM ? r : 0);
	kind = json_object_get(text, "kind");
	word = json_object_get(text, "do");
	if (json_is_string(kind) && json_is_string(word)) {
		bad |= json_object_set(v, "kind", kind);
		bad |= json_object_set(v, "do", word);
	}
	json_decref(text);
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* The standing orders; new. */
static json_t *
game_state_standing(const struct game *g)
{
	const struct game_standing *s;
	json_t *list = json_array(), *v;
	size_t i;

	for (i = 0; list != NULL && i < g->n_standings; i++) {
		s = &g->standings[i];
		v = json_pack("{s:I, s:i, s:i, s:b, s:b}", "seq",
		    (json_int_t)s->seq, "seat", s->seat, "side",
		    game_side_of(s->seat), "withdrawn", s->is_withdrawn,
		    "acted", s->is_open);
		if (v != NULL && s->is_open && game_state_words(s, v) != 0) {
			json_decref(v);
			v = NULL;
		}
		list = game_state_add(list, v);
	}
	return (list);
}

/* A number; new, null if it is none. */
static json_t *
game_state_number(bool is, int64_t n)
{
	return (is ? json_integer(n) : json_null());
}

/* What the create order says, and what is in force of it. */
static int
game_state_settings(const struct game *g, json_t *view)
{
	const struct order_create *c = &g->set;
	int bad = 0;

	bad |=
	    json_object_set_new(view, "confirm", json_boolean(c->is_confirm));
	bad |=
	    json_object_set_new(view, "private", json_boolean(c->is_private));
	bad |= json_object_set_new(
	    view, "secret", json_string(c->is_sealed ? "sealed" : "held"));
	bad |= json_object_set_new(view, "silence",
	    json_string(c->is_director ? "director" : "forfeit"));
	bad |= json_object_set_new(view, "clock",
	    c->clock_json == NULL ? json_null()
				  : json_deep_copy(c->clock_json));
	bad |= json_object_set_new(view, "options", game_state_options(g));
	bad |= json_object_set_new(
	    view, "roster_blob", js_hex(g->roster_blob, HASH_LEN));
	return (bad != 0 ? ERR_NOMEM : 0);
}

int
game_state_view(const struct game *g, json_t *view)
{
	bool has_truce = g->phase == GAME_PLAY && g->turn < g->truce;
	bool has_at = g->phase != GAME_FINISHED && g->state_at_ms >= 0;
	int bad = 0;

	if (game_state_settings(g, view) != 0)
		return (ERR_NOMEM);
	bad |= json_object_set_new(view, "state_at",
	    has_at ? game_state_at(g->state_at_ms) : json_null());
	bad |= json_object_set_new(view, "offers", game_state_offers(g));
	bad |= json_object_set_new(view, "clocks", game_state_clocks(g));
	bad |= json_object_set_new(view, "cups", game_state_cups(g));
	bad |= json_object_set_new(view, "standing", game_state_standing(g));
	bad |= json_object_set_new(
	    view, "truce", game_state_number(has_truce, g->truce));
	bad |= json_object_set_new(view, "adjudication",
	    game_state_number(g->clock.claim_seq >= 0, g->clock.claim_seq));
	return (bad != 0 ? ERR_NOMEM : 0);
}
