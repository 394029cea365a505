/* SPDX-License-Identifier: ISC */
/*
 * Cups of chits (record S5.1), and the orders that make and fill them.  A cup
 * never holds an item twice: an item is in it or out of it.
 */
#include <stdlib.h>
#include <string.h>

#include "common/crypt/expand.h"
#include "common/game/game_int.h"
#include "common/json/js.h"

#define GAME_CUPS_MAX 16 /* cups of a game */
#define GAME_CUP_ITEMS_MAX 2000 /* items of all its cups together */

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

const struct game_cup *
game_cups(const struct game *g, size_t *n)
{
	*n = g->n_cups;
	return (g->cups);
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

int
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
			r = js_fail(at, e, "item %zu is not an id", i + 1);
		else if (json_object_get(seen, id) != NULL)
			r = js_fail(at, e, "\"%s\" is listed twice", id);
		else if (json_object_set_new(seen, id, json_true()) != 0)
			r = ERR_NOMEM;
	}
	json_decref(seen);
	return (r);
}

int
game_cup_name(const json_t *args, const char **name, struct errinfo *e)
{
	int r;

	r = js_get_str(args, "cup", &order_at_args, name, e);
	if (r == 0 && !js_is_id(*name))
		r = js_fail_member(&order_at_args, "cup", e,
		    "not the name of a cup: at most 32 of a-z, 0-9, \".\", "
		    "\"_\", \"-\", a letter or digit first");
	return (game_illegal(r));
}

int
game_cup_for(const json_t *args, struct errinfo *e)
{
	uint8_t ref[HASH_LEN];
	bool has;

	return (game_illegal(
	    js_opt_hex(args, "for", &order_at_args, ref, HASH_LEN, &has, e)));
}

int
game_cup_missing(const char *name, struct errinfo *e)
{
	return (err_set(
	    e, ERR_ILLEGAL, "order.args.cup", "there is no cup \"%s\"", name));
}

/* Makes a cup. */
static int
game_cup_make(
    struct game *g, const char *name, const json_t *items, struct errinfo *e)
{
	size_t i, n = json_array_size(items);
	struct game_cup *c;

	if (game_cup_find(g, name) != NULL)
		return (err_set(e, ERR_ILLEGAL, "order.args.cup",
		    "there is already a cup \"%s\"", name));
	if (g->n_cups >= GAME_CUPS_MAX)
		return (err_set(e, ERR_ILLEGAL, "order.args.cup",
		    "a game has at most %d cups", GAME_CUPS_MAX));
	for (i = 0; i < g->n_cups; i++)
		n += json_array_size(g->cups[i].in) +
		    json_array_size(g->cups[i].out);
	if (n > GAME_CUP_ITEMS_MAX)
		return (err_set(e, ERR_ILLEGAL, "order.args.items",
		    "the cups of a game have at most %d items in all",
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
			return (err_set(e, ERR_ILLEGAL, "order.args.items",
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
	drawn =
	    w->is_owed && w->kind == ORDER_FREE ? js_str(w->args, "cup") : NULL;
	if (drawn != NULL && strcmp(drawn, name) == 0)
		return (err_set(e, ERR_ILLEGAL, "order.args.cup",
		    "a draw from the cup \"%s\", in line %lld, waits for an "
		    "answer first",
		    name, (long long)w->seq));
	return (0);
}

int
game_cup(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	static const char *const dos[] = {"make", "return", "shuffle", NULL};
	static const char *const plain[] = {"do", "cup", "for", NULL};
	const struct js_at *at = &order_at_args;
	const struct js_at items_at = {at, "items", 0};
	const json_t *items = NULL;
	const char *name;
	int word, r;

	if (js_get_enum(o->args, "do", at, dos, &word, l->e) != 0)
		return (ERR_ILLEGAL);
	if (word == 2 && js_members(o->args, at, plain, l->e) != 0)
		return (ERR_ILLEGAL);
	if ((r = game_cup_name(o->args, &name, l->e)) != 0 ||
	    (r = game_cup_for(o->args, l->e)) != 0)
		return (r);
	if (word != 2) {
		r = js_get_array(o->args, "items", at, &items, l->e);
		if (r == 0)
			r = game_cup_check_items(items, &items_at, l->e);
		if (r != 0)
			return (game_illegal(r));
	}
	if ((r = game_cup_check(g, o, word == 0, name, l->e)) != 0)
		return (r);
	if (word == 0)
		return (game_cup_make(g, name, items, l->e));
	return (game_cup_return(g, name, items, l->e));
}
