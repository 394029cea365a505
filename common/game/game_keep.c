/* SPDX-License-Identifier: ISC */
/*
 * What play by turns adds to a snapshot: offers, takebacks, cups, standing
 * orders, clocks, and an order that waits for an answer.  A member is
 * written only while it says something: the snapshot of a game that uses
 * none of this is what it was before any of it existed.
 *
 * Not written are what the create order says, what no later line can need
 * (what a takeback would put back once play is over), and the texts of
 * standing orders that are not open, which lie beside the record.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game_int.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/json/js_put.h"
#include "common/record/order_kind.h"
#include "common/rules/roster.h"

#define GAME_KEEP_MS_MAX INT64_C(10000000000000) /* left on a clock */
#define GAME_KEEP_DAYS_MAX 366

/* Orders that may wait for an answer. */
static const enum order_kind game_keep_kinds[] = {ORDER_DECLARE, ORDER_DECIDE,
    ORDER_COMMIT, ORDER_OPEN, ORDER_UPKEEP, ORDER_FREE, ORDER_CLAIM};
static const char *const game_keep_kind_names[] = {
    "declare", "decide", "commit", "open", "upkeep", "free", "claim", NULL};

/* ---- writing ---- */

/* Writes a number, if it is not what it is at first. */
static void
game_keep_int(struct buf *out, const char *name, int64_t n, int64_t first)
{
	if (n != first)
		js_put_int(out, name, n);
}

/* The seats with free rolls, and how many. */
static void
game_keep_frees(const struct game *g, struct buf *out)
{
	bool has_any = false;
	int i;

	for (i = 0; i < GAME_SEATS; i++) {
		if (g->frees[i] <= 0)
			continue;
		if (!has_any)
			js_put_open(out, "frees", '[');
		has_any = true;
		js_put_open(out, NULL, '[');
		js_put_int(out, NULL, i);
		js_put_int(out, NULL, g->frees[i]);
		js_put_close(out, ']');
	}
	if (has_any)
		js_put_close(out, ']');
}

/* The offers that are open. */
static void
game_keep_offers(const struct game *g, struct buf *out)
{
	const struct game_offer *f;
	size_t i;

	if (g->n_offers == 0)
		return;
	js_put_open(out, "offers", '[');
	for (i = 0; i < g->n_offers; i++) {
		f = &g->offers[i];
		js_put_open(out, NULL, '{');
		js_put_int(out, "seq", f->seq);
		js_put_int(out, "seat", f->seat);
		js_put_str(out, "what", game_offer_names[f->what]);
		js_put_json(out, "args", f->args);
		if (f->is_accepted[1] || f->is_accepted[2]) {
			js_put_open(out, "accepted", '[');
			js_put_bool(out, NULL, f->is_accepted[1]);
			js_put_bool(out, NULL, f->is_accepted[2]);
			js_put_close(out, ']');
		}
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* What takebacks would put back. */
static void
game_keep_undos(const struct game *g, struct buf *out)
{
	const struct game_undo *u;
	size_t i;

	if (g->n_undos == 0)
		return;
	js_put_open(out, "undos", '[');
	for (i = 0; i < g->n_undos; i++) {
		u = &g->undos[i];
		js_put_open(out, NULL, '{');
		js_put_int(out, "seq", u->seq);
		js_put_int(out, "turn", u->turn);
		game_keep_int(out, "truce", u->truce, 0);
		if (u->units != NULL)
			js_put_json(out, "units", u->units);
		if (u->chits != NULL) {
			js_put_str(out, "cup", u->cup);
			js_put_json(out, "chits", u->chits);
		}
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* The cups. */
static void
game_keep_cups(const struct game *g, struct buf *out)
{
	const struct game_cup *c;
	size_t i;

	if (g->n_cups == 0)
		return;
	js_put_open(out, "cups", '[');
	for (i = 0; i < g->n_cups; i++) {
		c = &g->cups[i];
		js_put_open(out, NULL, '{');
		js_put_str(out, "cup", c->name);
		js_put_int(out, "seq", c->seq);
		js_put_json(out, "in", c->in);
		js_put_json(out, "out", c->out);
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* The names of a set, unless it is empty. */
static void
game_keep_names(struct buf *out, const char *name, json_t *set)
{
	const char *one;
	json_t *v;

	if (json_object_size(set) == 0)
		return;
	js_put_open(out, name, '[');
	json_object_foreach(set, one, v)
	{
		js_put_str(out, NULL, one);
	}
	js_put_close(out, ']');
}

/* The standing orders. */
static void
game_keep_standings(const struct game *g, struct buf *out)
{
	const struct game_standing *s;
	size_t i;

	if (g->n_standings == 0)
		return;
	js_put_open(out, "standings", '[');
	for (i = 0; i < g->n_standings; i++) {
		s = &g->standings[i];
		js_put_open(out, NULL, '{');
		js_put_int(out, "seq", s->seq);
		js_put_int(out, "ask", s->ask);
		js_put_int(out, "seat", s->seat);
		js_put_hex(out, "commit", s->commit, HASH_LEN);
		if (s->is_withdrawn)
			js_put_bool(out, "withdrawn", true);
		if (s->is_open) {
			js_put_hex(out, "salt", s->salt, sizeof(s->salt));
			js_put_str(out, "text", s->text);
		}
		game_keep_names(out, "passed", s->passed);
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* One side's clock. */
static void
game_keep_clock_side(
    const struct game_clock_side *s, const char *name, struct buf *out)
{
	js_put_open(out, name, '{');
	js_put_int(out, "left", s->left);
	js_put_int(out, "since", s->since);
	js_put_int(out, "away", s->away_until);
	js_put_int(out, "holidays", s->holidays);
	js_put_close(out, '}');
}

/* The clocks. */
static void
game_keep_clock(const struct game *g, struct buf *out)
{
	const struct game_clock *c = &g->clock;

	js_put_open(out, "clock", '{');
	game_keep_clock_side(&c->sides[1], "1", out);
	game_keep_clock_side(&c->sides[2], "2", out);
	game_keep_int(out, "paused", c->paused_until, 0);
	if (c->claim_seq >= 0) {
		js_put_int(out, "claim", c->claim_seq);
		game_keep_int(out, "claim_side", c->claim_side, 0);
	}
	js_put_close(out, '}');
}

/*
 * The order that waits for an answer, with the kind of the question that is
 * open again if it is objected to.
 */
static void
game_keep_owed(const struct game *g, struct buf *out)
{
	const struct game_owed *w = &g->owed;

	js_put_open(out, "owed", '{');
	js_put_int(out, "seq", w->seq);
	js_put_int(out, "seat", w->seat);
	js_put_str(out, "place", w->place);
	js_put_hex(out, "own", w->own_beta, VRF_BETA_LEN);
	js_put_str(out, "kind", order_kind_name(w->kind));
	js_put_int(out, "by", w->by);
	js_put_int(out, "ask", w->ask_seq);
	js_put_int(out, "ask_side", w->ask_side);
	js_put_int(out, "decisions", (int64_t)w->n_decisions);
	js_put_int(out, "events", (int64_t)w->n_events);
	game_keep_int(out, "at", w->at_ms, 0);
	if (w->args != NULL)
		js_put_json(out, "args", w->args);
	if (w->is_final)
		js_put_bool(out, "opened", true);
	if (w->ask_seq >= 0 && g->combat.ask_kind[0] != '\0')
		js_put_str(out, "asked", g->combat.ask_kind);
	js_put_close(out, '}');
}

void
game_keep_write(const struct game *g, struct buf *out)
{
	if (memcmp(g->roster_blob, g->set.roster, HASH_LEN) != 0)
		js_put_hex(out, "roster_blob", g->roster_blob, HASH_LEN);
	game_keep_int(
	    out, "turns_ended", g->turns_ended, g->turn > 0 ? g->turn - 1 : 0);
	/*
	 * When the last state line was written, if that is not the last line.
	 * It is of no use once the game is closed.
	 */
	if (g->phase != GAME_FINISHED && g->state_seq != g->seq)
		game_keep_int(out, "state_at", g->state_at_ms, -1);
	game_keep_frees(g, out);
	game_keep_int(out, "truce", g->truce, 0);
	game_keep_offers(g, out);
	if (g->phase == GAME_PLAY)
		game_keep_undos(g, out);
	game_keep_cups(g, out);
	game_keep_standings(g, out);
	if (g->set.has_clock && g->phase != GAME_MUSTER)
		game_keep_clock(g, out);
	game_keep_names(out, "refused", g->refused);
	if (g->owed.is_owed)
		game_keep_owed(g, out);
}

/* ---- reading ---- */

/* The snapshot is damaged. */
static int
game_keep_bad(struct errinfo *e, const char *where)
{
	return (err_set(e, ERR_INVALID, where, "bad"));
}

/* Reads a line's number, which is one of those that are written. */
static int
game_keep_seq(const struct game *g, const json_t *v, const char *name,
    int64_t *out, struct errinfo *e)
{
	return (js_get_int(v, name, NULL, 0, g->seq, out, e));
}

/* Reads a list that may be missing, with at most one element a line. */
static int
game_keep_open(const struct game *g, const json_t *v, const char *name,
    const json_t **list, struct errinfo *e)
{
	*list = NULL;
	if (js_opt_array(v, name, NULL, list, e) != 0)
		return (ERR_INVALID);
	if (json_array_size(*list) > (size_t)g->seq)
		return (game_keep_bad(e, name));
	return (0);
}

/* Copies a member that was read; *out is new, NULL if it was missing. */
static int
game_keep_copy(const json_t *value, json_t **out)
{
	if (value == NULL)
		return (0);
	*out = json_deep_copy(value);
	return (*out == NULL ? ERR_NOMEM : 0);
}

/* Reads the counts of free rolls back. */
static int
game_keep_read_frees(struct game *g, const json_t *v, struct errinfo *e)
{
	const json_t *list = NULL, *one;
	json_int_t seat, n;
	size_t i;
	int r;

	if ((r = js_opt_array(v, "frees", NULL, &list, e)) != 0)
		return (r);
	json_array_foreach(list, i, one)
	{
		seat = json_integer_value(json_array_get(one, 0));
		n = json_integer_value(json_array_get(one, 1));
		if (seat < 1 || seat >= GAME_SEATS || n < 1 || n > INT32_MAX)
			return (game_keep_bad(e, "frees"));
		g->frees[seat] = (int)n;
	}
	return (0);
}

/* Checks that each change of an adjustment names a unit. */
static int
game_keep_check_units(const json_t *units, struct errinfo *e)
{
	const char *id;
	const json_t *v;
	size_t i;

	json_array_foreach(units, i, v)
	{
		id = json_string_value(json_object_get(v, "id"));
		if (id == NULL || !js_is_id(id))
			return (game_keep_bad(e, "offers"));
	}
	return (0);
}

/* Checks the args of an offer as far as those who read them rely on it. */
static int
game_keep_check_offer(
    const struct game *g, const struct game_offer *f, struct errinfo *e)
{
	uint8_t hash[HASH_LEN];
	const json_t *units;
	int64_t n;
	int r;

	switch (f->what) {
	case GAME_OFFER_VICTORY:
		return (js_get_int(f->args, "winner", NULL, 1, 2, &n, e));
	case GAME_OFFER_TAKEBACK:
		return (game_keep_seq(g, f->args, "from", &n, e));
	case GAME_OFFER_PAUSE:
		return (js_get_int(
		    f->args, "days", NULL, 1, GAME_KEEP_DAYS_MAX, &n, e));
	case GAME_OFFER_TRUCE:
		return (js_get_int(f->args, "turns", NULL, 1, 99, &n, e));
	case GAME_OFFER_ADJUST:
		r = js_get_array(f->args, "units", NULL, &units, e);
		return (r == 0 ? game_keep_check_units(units, e) : r);
	case GAME_OFFER_ROSTER:
		return (js_get_hex(f->args, "roster", NULL, hash, HASH_LEN, e));
	default:
		return (0);
	}
}

/* Reads one offer back. */
static int
game_keep_read_offer(const struct game *g, const json_t *v,
    struct game_offer *f, struct errinfo *e)
{
	const json_t *args, *accepted = NULL;
	int64_t seat;
	int what, r;

	if ((r = game_keep_seq(g, v, "seq", &f->seq, e)) != 0 ||
	    (r = js_get_int(v, "seat", NULL, 0, GAME_SEATS - 1, &seat, e)) !=
		0 ||
	    (r = js_get_enum(v, "what", NULL, game_offer_names, &what, e)) !=
		0 ||
	    (r = js_get_object(v, "args", NULL, &args, e)) != 0 ||
	    (r = js_opt_array(v, "accepted", NULL, &accepted, e)) != 0 ||
	    (r = game_keep_copy(args, &f->args)) != 0)
		return (r);
	f->seat = (int)seat;
	f->what = (enum game_offer_what)what;
	f->is_accepted[1] = json_is_true(json_array_get(accepted, 0));
	f->is_accepted[2] = json_is_true(json_array_get(accepted, 1));
	return (game_keep_check_offer(g, f, e));
}

/* Reads the offers back. */
static int
game_keep_read_offers(struct game *g, const json_t *v, struct errinfo *e)
{
	const json_t *list;
	int r;

	if ((r = game_keep_open(g, v, "offers", &list, e)) != 0 || list == NULL)
		return (r);
	g->offers = calloc(json_array_size(list) + 1, sizeof(*g->offers));
	if (g->offers == NULL)
		return (ERR_NOMEM);
	while (r == 0 && g->n_offers < json_array_size(list)) {
		r = game_keep_read_offer(g, json_array_get(list, g->n_offers),
		    &g->offers[g->n_offers], e);
		g->n_offers++; /* also a half-read one: it is to be freed */
	}
	return (r);
}

/* Checks that former entries are those of units that there are. */
static int
game_keep_check_former(
    const struct game *g, const json_t *units, struct errinfo *e)
{
	const char *id;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)units, id, v)
	{
		if (!json_is_object(v) ||
		    roster_find(g->roster, id, NULL) == NULL)
			return (game_keep_bad(e, "undos"));
	}
	return (0);
}

/* Reads what a takeback would put back. */
static int
game_keep_read_undo(const struct game *g, const json_t *v, struct game_undo *u,
    struct errinfo *e)
{
	const json_t *units = NULL, *chits = NULL;
	const char *cup = NULL;
	int64_t turn, truce = 0;
	int r;

	if ((r = game_keep_seq(g, v, "seq", &u->seq, e)) != 0 ||
	    (r = js_get_int(v, "turn", NULL, 0, INT32_MAX, &turn, e)) != 0 ||
	    (r = js_opt_int(v, "truce", NULL, 0, INT32_MAX, &truce, e)) != 0 ||
	    (r = js_opt_object(v, "units", NULL, &units, e)) != 0 ||
	    (r = js_opt_str(v, "cup", NULL, &cup, e)) != 0 ||
	    (r = js_opt_array(v, "chits", NULL, &chits, e)) != 0 ||
	    (r = game_keep_check_former(g, units, e)) != 0 ||
	    (r = game_keep_copy(units, &u->units)) != 0)
		return (r);
	u->turn = (int)turn;
	u->truce = (int)truce;
	if ((cup == NULL) != (chits == NULL))
		return (game_keep_bad(e, "undos"));
	if (cup == NULL)
		return (0);
	if (!js_is_id(cup))
		return (game_keep_bad(e, "undos"));
	memcpy(u->cup, cup, strlen(cup) + 1);
	if ((r = game_cup_check_items(chits, NULL, e)) != 0)
		return (r);
	return (game_keep_copy(chits, &u->chits));
}

/* Reads what takebacks would put back; the lines ascend. */
static int
game_keep_read_undos(struct game *g, const json_t *v, struct errinfo *e)
{
	const json_t *list;
	size_t i;
	int r;

	if ((r = game_keep_open(g, v, "undos", &list, e)) != 0 || list == NULL)
		return (r);
	g->undos = calloc(json_array_size(list) + 1, sizeof(*g->undos));
	if (g->undos == NULL)
		return (ERR_NOMEM);
	while (r == 0 && g->n_undos < json_array_size(list)) {
		i = g->n_undos++;
		r = game_keep_read_undo(
		    g, json_array_get(list, i), &g->undos[i], e);
		if (r == 0 && i > 0 && g->undos[i].seq <= g->undos[i - 1].seq)
			r = game_keep_bad(e, "undos");
	}
	return (r);
}

/* Reads one cup back. */
static int
game_keep_read_cup(struct game *g, const json_t *v, struct errinfo *e)
{
	const json_t *in, *out;
	struct game_cup *c;
	const char *name;
	int64_t seq;
	int r;

	if ((r = js_get_str(v, "cup", NULL, &name, e)) != 0 ||
	    (r = game_keep_seq(g, v, "seq", &seq, e)) != 0 ||
	    (r = js_get_array(v, "in", NULL, &in, e)) != 0 ||
	    (r = js_get_array(v, "out", NULL, &out, e)) != 0)
		return (r);
	if (!js_is_id(name) || game_cup_find(g, name) != NULL)
		return (game_keep_bad(e, "cups"));
	if ((c = game_cup_add(g, name)) == NULL)
		return (ERR_NOMEM);
	c->seq = seq;
	/* All are looked at together: none may be in and out. */
	if (json_array_extend(c->in, (json_t *)(uintptr_t)in) != 0 ||
	    json_array_extend(c->in, (json_t *)(uintptr_t)out) != 0)
		return (ERR_NOMEM);
	if ((r = game_cup_check_items(c->in, NULL, e)) != 0)
		return (r);
	while (json_array_size(c->in) > json_array_size(in))
		if (json_array_remove(c->in, json_array_size(c->in) - 1) != 0)
			return (ERR_NOMEM);
	return (json_array_extend(c->out, (json_t *)(uintptr_t)out) == 0
		? 0
		: ERR_NOMEM);
}

/* Reads the cups back. */
static int
game_keep_read_cups(struct game *g, const json_t *v, struct errinfo *e)
{
	const json_t *list = NULL, *one;
	size_t i;
	int r;

	r = js_opt_array(v, "cups", NULL, &list, e);
	json_array_foreach(list, i, one)
	{
		if (r == 0)
			r = game_keep_read_cup(g, one, e);
	}
	return (r);
}

/* Reads a list of names back into a set; *set is new, NULL if it is empty. */
static int
game_keep_read_names(const json_t *v, const char *name, size_t most,
    json_t **set, struct errinfo *e)
{
	const json_t *list = NULL, *one;
	size_t i;
	int r;

	if ((r = js_opt_array(v, name, NULL, &list, e)) != 0 || list == NULL)
		return (r);
	if ((*set = json_object()) == NULL)
		return (ERR_NOMEM);
	json_array_foreach(list, i, one)
	{
		if (!json_is_string(one) || json_string_length(one) < 1 ||
		    json_string_length(one) > most)
			return (game_keep_bad(e, name));
		if (json_object_set_new(
			*set, json_string_value(one), json_true()) != 0)
			return (ERR_NOMEM);
	}
	return (0);
}

/* Reads one standing order back. */
static int
game_keep_read_standing(const struct game *g, const json_t *v,
    struct game_standing *s, struct errinfo *e)
{
	const char *text = NULL;
	int64_t seat;
	int r;

	if ((r = game_keep_seq(g, v, "seq", &s->seq, e)) != 0 ||
	    (r = game_keep_seq(g, v, "ask", &s->ask, e)) != 0 ||
	    (r = js_get_int(v, "seat", NULL, 1, GAME_SEATS - 1, &seat, e)) !=
		0 ||
	    (r = js_get_hex(v, "commit", NULL, s->commit, HASH_LEN, e)) != 0 ||
	    (r = js_opt_bool(v, "withdrawn", NULL, &s->is_withdrawn, e)) != 0 ||
	    (r = js_opt_hex(v, "salt", NULL, s->salt, sizeof(s->salt),
		 &s->is_open, e)) != 0 ||
	    (r = js_opt_str(v, "text", NULL, &text, e)) != 0 ||
	    (r = game_keep_read_names(
		 v, "passed", GAME_KIND_MAX, &s->passed, e)) != 0)
		return (r);
	if (s->ask >= s->seq || s->is_open != (text != NULL) ||
	    (text != NULL && strlen(text) > GAME_STANDING_TEXT_MAX))
		return (game_keep_bad(e, "standings"));
	s->seat = (int)seat;
	s->is_held = s->is_open;
	if (text != NULL)
		memcpy(s->text, text, strlen(text) + 1);
	return (0);
}

/* Reads the standing orders back; the lines ascend. */
static int
game_keep_read_standings(struct game *g, const json_t *v, struct errinfo *e)
{
	const json_t *list;
	size_t i;
	int r;

	if ((r = game_keep_open(g, v, "standings", &list, e)) != 0 ||
	    list == NULL)
		return (r);
	g->standings = calloc(json_array_size(list) + 1, sizeof(*g->standings));
	if (g->standings == NULL)
		return (ERR_NOMEM);
	while (r == 0 && g->n_standings < json_array_size(list)) {
		i = g->n_standings++;
		r = game_keep_read_standing(
		    g, json_array_get(list, i), &g->standings[i], e);
		if (r == 0 && i > 0 &&
		    g->standings[i].seq <= g->standings[i - 1].seq)
			r = game_keep_bad(e, "standings");
	}
	return (r);
}

/* Reads one side's clock back. */
static int
game_keep_read_side(const json_t *v, const char *name,
    struct game_clock_side *s, struct errinfo *e)
{
	const json_t *one;
	int r;

	if ((r = js_get_object(v, name, NULL, &one, e)) != 0 ||
	    (r = js_get_int(
		 one, "left", NULL, 0, GAME_KEEP_MS_MAX, &s->left, e)) != 0 ||
	    (r = js_get_int(
		 one, "since", NULL, -1, JS_INT_MAX, &s->since, e)) != 0 ||
	    (r = js_get_int(
		 one, "away", NULL, 0, JS_INT_MAX, &s->away_until, e)) != 0)
		return (r);
	return (js_get_int(
	    one, "holidays", NULL, 0, GAME_KEEP_DAYS_MAX, &s->holidays, e));
}

/* Reads the clocks back. */
static int
game_keep_read_clock(struct game *g, const json_t *v, struct errinfo *e)
{
	struct game_clock *c = &g->clock;
	const json_t *one = NULL;
	int64_t side = 0;
	int r;

	if ((r = js_opt_object(v, "clock", NULL, &one, e)) != 0)
		return (r);
	if ((one != NULL) != (g->set.has_clock && g->phase != GAME_MUSTER))
		return (game_keep_bad(e, "clock"));
	if (one == NULL)
		return (0);
	if ((r = game_keep_read_side(one, "1", &c->sides[1], e)) != 0 ||
	    (r = game_keep_read_side(one, "2", &c->sides[2], e)) != 0 ||
	    (r = js_opt_int(one, "paused", NULL, 0, JS_INT_MAX,
		 &c->paused_until, e)) != 0 ||
	    (r = js_opt_int(one, "claim", NULL, 0, g->seq, &c->claim_seq, e)) !=
		0 ||
	    (r = js_opt_int(one, "claim_side", NULL, 1, 2, &side, e)) != 0)
		return (r);
	if ((c->claim_seq >= 0) != (side != 0))
		return (game_keep_bad(e, "clock"));
	c->claim_side = (int)side;
	return (0);
}

/* Reads the order that waits for an answer back. */
static int
game_keep_read_owed(struct game *g, const json_t *v, struct errinfo *e)
{
	struct game_owed *w = &g->owed;
	const json_t *one = NULL, *args = NULL;
	int64_t seat, by, side, decisions, events;
	const char *place, *asked = "";
	int kind, r;

	if ((r = js_opt_object(v, "owed", NULL, &one, e)) != 0 || one == NULL)
		return (r);
	if ((r = game_keep_seq(g, one, "seq", &w->seq, e)) != 0 ||
	    (r = js_get_int(one, "seat", NULL, 0, 2, &seat, e)) != 0 ||
	    (r = js_get_str(one, "place", NULL, &place, e)) != 0 ||
	    (r = js_get_hex(one, "own", NULL, w->own_beta, VRF_BETA_LEN, e)) !=
		0 ||
	    (r = js_get_enum(
		 one, "kind", NULL, game_keep_kind_names, &kind, e)) != 0 ||
	    (r = js_get_int(one, "by", NULL, 1, GAME_SEATS - 1, &by, e)) != 0 ||
	    (r = js_get_int(one, "ask", NULL, -1, g->seq, &w->ask_seq, e)) !=
		0 ||
	    (r = js_get_int(one, "ask_side", NULL, 0, 2, &side, e)) != 0 ||
	    (r = js_get_int(
		 one, "decisions", NULL, 0, INT32_MAX, &decisions, e)) != 0 ||
	    (r = js_get_int(one, "events", NULL, 0, INT32_MAX, &events, e)) !=
		0 ||
	    (r = js_opt_int(one, "at", NULL, 0, JS_INT_MAX, &w->at_ms, e)) !=
		0 ||
	    (r = js_opt_object(one, "args", NULL, &args, e)) != 0 ||
	    (r = js_opt_bool(one, "opened", NULL, &w->is_final, e)) != 0 ||
	    (r = js_opt_str(one, "asked", NULL, &asked, e)) != 0 ||
	    (r = game_keep_copy(args, &w->args)) != 0)
		return (r);
	w->kind = game_keep_kinds[kind];
	if (strlen(place) > ORDER_PLACE_MAX || strlen(asked) > GAME_KIND_MAX ||
	    g->phase != GAME_PLAY ||
	    (args != NULL) !=
		(w->kind == ORDER_UPKEEP || w->kind == ORDER_FREE))
		return (game_keep_bad(e, "owed"));
	memcpy(w->place, place, strlen(place) + 1);
	memcpy(g->combat.ask_kind, asked, strlen(asked) + 1);
	w->seat = (int)seat;
	w->by = (int)by;
	w->ask_side = (int)side;
	w->n_decisions = (size_t)decisions;
	w->n_events = (size_t)events;
	w->is_owed = true;
	return (0);
}

/* Reads the plain members back. */
static int
game_keep_read_plain(struct game *g, const json_t *v, struct errinfo *e)
{
	int64_t turns = g->turn > 0 ? g->turn - 1 : 0, truce = 0;
	bool has;
	int r;

	memcpy(g->roster_blob, g->set.roster, HASH_LEN);
	g->state_at_ms = g->state_seq == g->seq ? g->at_ms : -1;
	if ((r = js_opt_hex(v, "roster_blob", NULL, g->roster_blob, HASH_LEN,
		 &has, e)) != 0 ||
	    (r = js_opt_int(v, "turns_ended", NULL, 0, INT32_MAX, &turns, e)) !=
		0 ||
	    (r = js_opt_int(v, "state_at", NULL, 0, JS_INT_MAX, &g->state_at_ms,
		 e)) != 0 ||
	    (r = js_opt_int(v, "truce", NULL, 0, INT32_MAX, &truce, e)) != 0)
		return (r);
	g->turns_ended = (int)turns;
	g->truce = (int)truce;
	return (0);
}

int
game_keep_load(struct game *g, const json_t *v, struct errinfo *e)
{
	int r;

	if ((r = game_keep_read_plain(g, v, e)) != 0 ||
	    (r = game_keep_read_frees(g, v, e)) != 0 ||
	    (r = game_keep_read_offers(g, v, e)) != 0 ||
	    (r = game_keep_read_undos(g, v, e)) != 0 ||
	    (r = game_keep_read_cups(g, v, e)) != 0 ||
	    (r = game_keep_read_standings(g, v, e)) != 0 ||
	    (r = game_keep_read_clock(g, v, e)) != 0 ||
	    (r = game_keep_read_names(
		 v, "refused", ORDER_ACCOUNT_MAX, &g->refused, e)) != 0)
		return (r);
	return (game_keep_read_owed(g, v, e));
}

/* ---- snapshots of older versions ---- */

/* Takes a member that the kept object lacks from the one that is made. */
static void
game_keep_forget(const json_t *kept, json_t *made, const char *name)
{
	if (json_object_get(kept, name) == NULL)
		(void)json_object_del(made, name);
}

/*
 * Takes from the snapshot that is made what an older version did not keep:
 * times of lines, lines of joins, and takebacks to lines that it took.
 */
static int
game_keep_age(const json_t *kept, json_t *made)
{
	const json_t *seats = json_object_get(kept, "seats");
	json_t *undos = json_object_get(made, "undos"), *seat;
	size_t n = json_array_size(json_object_get(kept, "undos")), i;

	game_keep_forget(kept, made, "state_at");
	game_keep_forget(json_object_get(kept, "combat"),
	    json_object_get(made, "combat"), "ask_at");
	json_array_foreach(json_object_get(made, "seats"), i, seat)
	    game_keep_forget(json_array_get(seats, i), seat, "join");
	while (json_array_size(undos) > n) {
		if (json_array_remove(undos, 0) != 0)
			return (ERR_NOMEM);
	}
	game_keep_forget(kept, made, "undos");
	return (0);
}

int
game_is_saved(const struct game *g, const char *bytes, size_t len, bool *is)
{
	json_t *kept = NULL, *made = NULL;
	struct buf b;
	int r;

	buf_init(&b, 0);
	if ((r = game_save(g, &b)) != 0)
		goto out;
	*is = b.len == len && memcmp(b.data, bytes, len) == 0;
	if (*is)
		goto out;
	if ((r = js_load(b.data, b.len, JS_DEPTH_RPC, &made, NULL)) != 0)
		goto out;
	if (js_load(bytes, len, JS_DEPTH_RPC, &kept, NULL) != 0)
		goto out;
	r = game_keep_age(kept, made);
	*is = json_equal(kept, made) == 1;
out:
	json_decref(kept);
	json_decref(made);
	buf_clear(&b);
	return (r);
}
