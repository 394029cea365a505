/* SPDX-License-Identifier: ISC */
/*
 * Free rolls, draws from cups, and the cups themselves (record S5.1): dice
 * and chits for whatever the players want them for.  No rules run, so that
 * anybody can check them whole.  A cup never holds an item twice: an item is
 * in it or out of it.
 */
#include <stdlib.h>
#include <string.h>

#include "common/crypt/expand.h"
#include "common/game/game_int.h"
#include "common/json/js.h"
#include "common/record/order_kind.h"

#define GAME_CUPS_MAX 16 /* cups of a game */
#define GAME_CUP_ITEMS_MAX 2000 /* items of all its cups together */

static const char game_free_label[] = "free";
static const struct js_at game_free_args_at = {NULL, "args", 0};

/* The args of a free order: dice, or a draw from a cup. */
struct game_free {
	int64_t n; /* dice or chits */
	int64_t sides;
	const char *cup; /* borrowed; NULL: dice */
};

/* ---- cups ---- */

struct game_cup *
game_cup_find(const struct game *g, const char *name)
{
	size_t i;

	for (i = 0; i < g->n_cups; i++) {
		if (strcmp(g->cups[i].name, name) == 0)
			return (&g->cups[i]);
	}
	return (NULL);
}

void
game_cup_clear(struct game *g)
{
	size_t i;

	for (i = 0; i < g->n_cups; i++) {
		json_decref(g->cups[i].in);
		json_decref(g->cups[i].out);
	}
	free(g->cups);
	g->cups = NULL;
	g->n_cups = 0;
}

struct game_cup *
game_cup_add(struct game *g, const char *name)
{
	struct game_cup *cups, *c;
	size_t i;

	cups = realloc(g->cups, (g->n_cups + 1) * sizeof(*cups));
	if (cups == NULL)
		return (NULL);
	g->cups = cups;
	/* They stay in the order of their names. */
	for (i = 0; i < g->n_cups && strcmp(cups[i].name, name) < 0; i++)
		continue;
	c = &cups[i];
	memmove(c + 1, c, (g->n_cups - i) * sizeof(*c));
	g->n_cups++;
	memset(c, 0, sizeof(*c));
	memcpy(c->name, name, strlen(name) + 1);
	c->in = json_array();
	c->out = json_array();
	return (c->in == NULL || c->out == NULL ? NULL : c);
}

/* The element of a list that is this item; the list's length if none is. */
static size_t
game_cup_index(const json_t *list, const char *item)
{
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		if (strcmp(json_string_value(json_array_get(list, i)), item) ==
		    0)
			break;
	}
	return (i);
}

/* Moves items, which are there, from the one list to the end of the other. */
static int
game_cup_move(json_t *from, json_t *to, const json_t *items)
{
	json_t *v;
	size_t i;

	json_array_foreach(items, i, v)
	{
		if (json_array_append(to, v) != 0 ||
		    json_array_remove(
			from, game_cup_index(from, json_string_value(v))) != 0)
			return (ERR_NOMEM);
	}
	return (0);
}

/* How many items all cups have, in them and out. */
static size_t
game_cup_items(const struct game *g)
{
	size_t i, n = 0;

	for (i = 0; i < g->n_cups; i++)
		n += json_array_size(g->cups[i].in) +
		    json_array_size(g->cups[i].out);
	return (n);
}

int
game_cup_check_items(
    const json_t *items, const struct js_at *at, struct errinfo *e)
{
	size_t i, n = json_array_size(items);
	const char *id;
	json_t *seen;
	int r = 0;

	if (n < 1 || n > EXPAND_BAG_MAX)
		return (
		    js_fail(at, e, "a cup has 1 to %d items", EXPAND_BAG_MAX));
	if ((seen = json_object()) == NULL)
		return (ERR_NOMEM);
	for (i = 0; r == 0 && i < n; i++) {
		id = json_string_value(json_array_get(items, i));
		if (id == NULL || !js_is_id(id))
			r = js_fail(at, e, "item %zu is no id", i + 1);
		else if (json_object_get(seen, id) != NULL)
			r = js_fail(at, e, "\"%s\" is there twice", id);
		else if (json_object_set_new(seen, id, json_true()) != 0)
			r = ERR_NOMEM;
	}
	json_decref(seen);
	return (r);
}

/* Reads the name of a cup. */
static int
game_cup_name(const json_t *args, const char **name, struct errinfo *e)
{
	int r;

	r = js_get_str(args, "cup", &game_free_args_at, name, e);
	if (r == 0 && !js_is_id(*name))
		r = js_fail_member(&game_free_args_at, "cup", e,
		    "not a name of a cup: at most 32 of a-z, 0-9, \".\", "
		    "\"_\", \"-\", a letter or digit first");
	return (game_illegal(r));
}

/* Reads `for`, which says what an order is for. */
static int
game_free_for(const json_t *args, struct errinfo *e)
{
	uint8_t ref[HASH_LEN];
	bool has;

	return (game_illegal(js_opt_hex(
	    args, "for", &game_free_args_at, ref, HASH_LEN, &has, e)));
}

/* Refuses a cup that is not there. */
static int
game_cup_missing(const char *name, struct errinfo *e)
{
	return (err_set(
	    e, ERR_ILLEGAL, "args.cup", "there is no cup \"%s\"", name));
}

/* ---- cup orders ---- */

/* Makes a cup. */
static int
game_cup_make(
    struct game *g, const char *name, const json_t *items, struct errinfo *e)
{
	struct game_cup *c;

	if (game_cup_find(g, name) != NULL)
		return (err_set(e, ERR_ILLEGAL, "args.cup",
		    "there is a cup \"%s\" already", name));
	if (g->n_cups >= GAME_CUPS_MAX)
		return (err_set(e, ERR_ILLEGAL, "args.cup",
		    "a game has at most %d cups", GAME_CUPS_MAX));
	if (game_cup_items(g) + json_array_size(items) > GAME_CUP_ITEMS_MAX)
		return (err_set(e, ERR_ILLEGAL, "args.items",
		    "the cups of a game have at most %d items together",
		    GAME_CUP_ITEMS_MAX));
	if ((c = game_cup_add(g, name)) == NULL ||
	    json_array_extend(c->in, (json_t *)(uintptr_t)items) != 0)
		return (ERR_NOMEM);
	c->seq = g->seq + 1;
	return (0);
}

/* Puts items back into a cup; NULL: all that are out. */
static int
game_cup_return(
    struct game *g, const char *name, const json_t *items, struct errinfo *e)
{
	struct game_cup *c = game_cup_find(g, name);
	const char *id;
	size_t i;
	int r = 0;

	if (c == NULL)
		return (game_cup_missing(name, e));
	for (i = 0; i < json_array_size(items); i++) {
		id = json_string_value(json_array_get(items, i));
		if (game_cup_index(c->out, id) == json_array_size(c->out))
			return (err_set(e, ERR_ILLEGAL, "args.items",
			    "\"%s\" is not out of the cup \"%s\"", id, name));
	}
	if (items != NULL)
		r = game_cup_move(c->out, c->in, items);
	else if (json_array_extend(c->in, c->out) != 0 ||
	    json_array_clear(c->out) != 0)
		r = ERR_NOMEM;
	if (r == 0)
		c->seq = g->seq + 1;
	return (r);
}

/* When, and by whom, a cup may be made or handled. */
static int
game_cup_check(const struct game *g, const struct order *o, bool is_make,
    const char *name, struct errinfo *e)
{
	const struct game_owed *w = &g->owed;
	const char *drawn;

	if (g->phase != GAME_PLAY && !(is_make && g->phase == GAME_MUSTER))
		return (err_set(e, ERR_ILLEGAL, "",
		    g->phase == GAME_MUSTER
			? "the game has not started yet"
			: "the game is over; only talk and close are taken"));
	if (!is_make && game_side_of(o->seat) != game_side(g))
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "items go back into a cup by an order of the side in "
		    "turn"));
	drawn = w->is_owed && w->kind == ORDER_FREE
	    ? json_string_value(json_object_get(w->args, "cup"))
	    : NULL;
	if (drawn != NULL && strcmp(drawn, name) == 0)
		return (err_set(e, ERR_ILLEGAL, "args.cup",
		    "a draw from the cup \"%s\", in line %lld, waits for an "
		    "answer first",
		    name, (long long)w->seq));
	return (0);
}

int
game_cup(struct game *g, const struct order *o, struct game_effects *fx,
    struct errinfo *e)
{
	static const char *const dos[] = {"make", "return", "shuffle", NULL};
	static const char *const plain[] = {"do", "cup", "for", NULL};
	const struct js_at *at = &game_free_args_at;
	const struct js_at items_at = {at, "items", 0};
	const json_t *items = NULL;
	const char *name;
	int word, r;

	if (js_get_enum(o->args, "do", at, dos, &word, e) != 0)
		return (ERR_ILLEGAL);
	if (word == 2 && js_members(o->args, at, plain, e) != 0)
		return (ERR_ILLEGAL);
	if ((r = game_cup_name(o->args, &name, e)) != 0 ||
	    (r = game_free_for(o->args, e)) != 0)
		return (r);
	if (word != 2) {
		r = js_get_array(o->args, "items", at, &items, e);
		if (r == 0)
			r = game_cup_check_items(items, &items_at, e);
		if (r != 0)
			return (game_illegal(r));
	}
	if ((r = game_cup_check(g, o, word == 0, name, e)) != 0)
		return (r);
	if ((fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	if (word == 0)
		return (game_cup_make(g, name, items, e));
	return (game_cup_return(g, name, items, e));
}

/* ---- free orders ---- */

/* Reads a free order's args; what the cup holds is not looked at. */
static int
game_free_read(const json_t *args, struct game_free *f, struct errinfo *e)
{
	static const char *const dice[] = {"dice", "sides", "for", NULL};
	static const char *const draw[] = {"cup", "draw", "for", NULL};
	const struct js_at *at = &game_free_args_at;
	bool is_draw = json_object_get(args, "cup") != NULL ||
	    json_object_get(args, "draw") != NULL;
	int r;

	memset(f, 0, sizeof(*f));
	if (js_members(args, at, is_draw ? draw : dice, e) != 0)
		return (err_set(e, ERR_ILLEGAL, "args",
		    "a free order rolls dice or draws from a cup, not both"));
	if (is_draw) {
		r = game_cup_name(args, &f->cup, e);
		if (r == 0)
			r = js_get_int(
			    args, "draw", at, 1, EXPAND_BAG_MAX, &f->n, e);
	} else {
		r = js_get_int(args, "dice", at, 1, EXPAND_DICE_MAX, &f->n, e);
		if (r == 0)
			r = js_get_int(args, "sides", at, 2, EXPAND_SIDES_MAX,
			    &f->sides, e);
	}
	if (r == 0)
		r = game_free_for(args, e);
	return (game_illegal(r));
}

/* Checks that a draw can be made. */
static int
game_free_check(const struct game *g, const struct order *o,
    const struct game_free *f, struct errinfo *e)
{
	const struct game_cup *c;

	if (f->cup == NULL)
		return (0);
	if ((c = game_cup_find(g, f->cup)) == NULL)
		return (game_cup_missing(f->cup, e));
	if (o->after < c->seq)
		return (err_set(e, ERR_STALE, "order.after",
		    "the cup \"%s\" was changed in line %lld", c->name,
		    (long long)c->seq));
	if ((size_t)f->n > json_array_size(c->in))
		return (err_set(e, ERR_ILLEGAL, "args.draw",
		    "%lld are more than the %zu that the cup \"%s\" holds",
		    (long long)f->n, json_array_size(c->in), c->name));
	return (0);
}

/* Rolls dice: {"label","sides","dice"}; *out is new. */
static int
game_free_dice(
    const struct game_free *f, const struct game_throw *t, json_t **out)
{
	uint16_t dice[EXPAND_DICE_MAX];
	json_t *list;
	int64_t i;
	int bad = 0, r;

	r = expand_roll(
	    t->beta, game_free_label, (unsigned)f->sides, (unsigned)f->n, dice);
	if (r != 0)
		return (r == ERR_INVALID ? ERR_FAULT : r);
	list = json_array();
	for (i = 0; i < f->n; i++)
		bad |= json_array_append_new(list, json_integer(dice[i]));
	if (bad != 0) {
		json_decref(list);
		return (ERR_NOMEM);
	}
	*out = json_pack("{s:s, s:I, s:o}", "label", game_free_label, "sides",
	    (json_int_t)f->sides, "dice", list);
	return (*out == NULL ? ERR_NOMEM : 0);
}

/* Draws from a cup: {"label","bag","chits"}; *out is new. */
static int
game_free_draw(struct game *g, const struct game_free *f,
    const struct game_throw *t, json_t **out)
{
	struct game_cup *c = game_cup_find(g, f->cup);
	const char *ids[EXPAND_BAG_MAX];
	uint16_t picks[EXPAND_BAG_MAX];
	json_t *chits;
	size_t bag, i;
	int bad = 0, r;

	if (c == NULL)
		return (ERR_FAULT);
	bag = json_array_size(c->in);
	for (i = 0; i < bag && i < EXPAND_BAG_MAX; i++)
		ids[i] = json_string_value(json_array_get(c->in, i));
	r = expand_draw(t->beta, game_free_label, ids, (unsigned)bag,
	    (unsigned)f->n, picks);
	if (r != 0)
		return (r == ERR_INVALID ? ERR_FAULT : r);
	chits = json_array();
	for (i = 0; i < (size_t)f->n; i++)
		bad |=
		    json_array_append(chits, json_array_get(c->in, picks[i]));
	if (bad != 0)
		r = ERR_NOMEM;
	if (r == 0)
		r = game_cup_move(c->in, c->out, chits);
	if (r == 0)
		r = game_undo_drew(g, c->name, chits);
	if (r != 0) {
		json_decref(chits);
		return (r);
	}
	*out = json_pack("{s:s, s:I, s:o}", "label", game_free_label, "bag",
	    (json_int_t)bag, "chits", chits);
	return (*out == NULL ? ERR_NOMEM : 0);
}

int
game_free_go(struct game *g, int seat, const json_t *args, const char *place,
    const uint8_t own_beta[VRF_BETA_LEN], const uint8_t *other_beta,
    const struct game_dice *dice, struct game_effects *fx)
{
	struct game_throw t;
	struct game_free f;
	json_t *rolls, *one;
	int r;

	if ((r = game_free_read(args, &f, NULL)) != 0)
		return (r == ERR_NOMEM ? r : ERR_FAULT);
	if (fx->events == NULL && (fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	r = game_dice_throw(g, place, own_beta, other_beta, dice, &t);
	if (r != 0)
		return (r);
	r = f.cup == NULL ? game_free_dice(&f, &t, &one)
			  : game_free_draw(g, &f, &t, &one);
	if (r != 0)
		return (r);
	if ((rolls = json_pack("[o]", one)) == NULL ||
	    (fx->dice = game_dice_object(&t, rolls)) == NULL)
		return (ERR_NOMEM);
	memcpy(fx->place, place, strlen(place) + 1);
	memcpy(fx->place_pool, g->pool, HASH_LEN);
	g->frees[seat]++;
	game_state_line(g);
	return (0);
}

int
game_free_roll(struct game *g, const struct order *o,
    const struct game_dice *dice, const struct record_line *given,
    struct game_effects *fx, struct errinfo *e)
{
	struct game_free f;
	struct game_go go;
	int r;

	if ((r = game_free_read(o->args, &f, e)) != 0 ||
	    (r = game_free_check(g, o, &f, e)) != 0 ||
	    (r = game_go_begin(g, o, dice, given, &go, e)) != 0 ||
	    (r = game_undo_begin(g)) != 0)
		return (r);
	if ((fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	if (!g->set.is_live)
		return (game_free_go(g, o->seat, o->args, o->place, go.own_beta,
		    NULL, dice, fx));
	return (game_owe(g, &go, o->args, fx));
}
