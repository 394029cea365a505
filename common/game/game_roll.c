/* SPDX-License-Identifier: ISC */
/*
 * Free rolls and draws from cups (record S5.1): dice and chits for whatever the
 * players want them for.  No rules run, so that anybody can check them whole.
 */
#include <string.h>

#include "common/crypt/expand.h"
#include "common/game/game_dice.h"
#include "common/game/game_int.h"
#include "common/game/game_play.h"
#include "common/game/game_undo.h"
#include "common/json/js.h"

static const char game_roll_label[] = "free";
/* The args of a free order: dice, or a draw from a cup. */
struct game_roll {
	int64_t n; /* dice or chits */
	int64_t sides;
	const char *cup; /* borrowed; NULL: dice */
};

/* Reads a free order's args; what the cup holds is not looked at. */
static int
game_roll_read(const json_t *args, struct game_roll *f, struct errinfo *e)
{
	static const char *const dice[] = {"dice", "sides", "for", NULL};
	static const char *const draw[] = {"cup", "draw", "for", NULL};
	const struct js_at *at = &order_at_args;
	bool is_draw = json_object_get(args, "cup") != NULL ||
	    json_object_get(args, "draw") != NULL;
	int r;

	memset(f, 0, sizeof(*f));
	if (js_members(args, at, is_draw ? draw : dice, e) != 0)
		return (err_set(e, ERR_ILLEGAL, "order.args",
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
		r = game_cup_for(args, e);
	return (game_illegal(r));
}

/* Checks that a draw can be made. */
static int
game_roll_check(const struct game *g, const struct order *o,
    const struct game_roll *f, struct errinfo *e)
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
		return (err_set(e, ERR_ILLEGAL, "order.args.draw",
		    "%lld are more than the %zu that the cup \"%s\" holds",
		    (long long)f->n, json_array_size(c->in), c->name));
	return (0);
}

/* Draws from a cup: {"label","bag","chits"}; *out is new. */
static int
game_roll_draw(struct game *g, const struct game_roll *f,
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
	r = expand_draw(t->beta, game_roll_label, ids, (unsigned)bag,
	    (unsigned)f->n, picks);
	if (r != 0)
		return (r);
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
	*out = json_pack("{s:s, s:I, s:o}", "label", game_roll_label, "bag",
	    (json_int_t)bag, "chits", chits);
	return (*out == NULL ? ERR_NOMEM : 0);
}

int
game_roll_go(struct game *g, const struct game_go *go, const json_t *args)
{
	uint16_t dice[EXPAND_DICE_MAX];
	struct game_throw t;
	struct game_roll f;
	json_t *rolls, *one;
	int r;

	if ((r = game_roll_read(args, &f, NULL)) != 0)
		return (r == ERR_NOMEM ? r : ERR_FAULT);
	if ((r = game_dice_throw(g, go, &t)) != 0)
		return (r);
	if (f.cup != NULL)
		r = game_roll_draw(g, &f, &t, &one);
	else
		r = game_dice_roll(&t, game_roll_label, (unsigned)f.sides,
		    (unsigned)f.n, dice, &one);
	if (r != 0)
		return (r == ERR_INVALID ? ERR_FAULT : r);
	if ((rolls = json_pack("[o]", one)) == NULL ||
	    game_dice_tell(g, &t, rolls, go->l->fx) != 0)
		return (ERR_NOMEM);
	g->frees[game_slot(go->by)]++;
	game_state_line(g);
	return (0);
}

int
game_roll(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	struct game_roll f;
	struct game_go go;
	int r;

	if ((r = game_roll_read(o->args, &f, l->e)) != 0 ||
	    (r = game_roll_check(g, o, &f, l->e)) != 0 ||
	    (r = game_go_begin(g, l, &go)) != 0 ||
	    (r = game_undo_begin(g)) != 0)
		return (r);
	return (g->set.is_live ? game_owe(g, &go, o->args)
			       : game_roll_go(g, &go, o->args));
}
