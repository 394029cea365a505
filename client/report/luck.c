/* SPDX-License-Identifier: ISC */
/*
 * One pass over the lines that hold dice.  A die's owner follows from its label
 * by the forms of the system (struct rules_roll), or else from its combat.
 */
#include "client/report/luck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/rules/rolls.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"
#include "common/rules/systems/systems.h"

#define LUCK_LAST 1000000 /* place of what is no kind of the system */

/* The count while it is made. */
struct luck_count {
	struct luck *l;
	const struct battle *b;
	const struct rules_show *show; /* NULL: not known here */
};

/* The line that asked for dice. */
struct luck_line {
	const struct battle_line *bl; /* the line that has them */
	enum order_kind kind; /* of the order that asked for them */
	int side; /* whose order that is */
	int attacker; /* side that attacks in the combat they fell in */
	const char *cup; /* NULL: none */
};

/* The other side. */
static int
luck_enemy(int side)
{
	return (side == 1 ? 2 : side == 2 ? 1 : 0);
}

/* The side of a unit or commander; 0 if it is in no roster. */
static int
luck_owner(const struct luck_count *lc, const char *id)
{
	int side = 0;

	(void)game_unit(battle_game(lc->b), id, &side); /* it says the side */
	return (side);
}

/* The side whose score comes next after a roll; 0 if there is none. */
static int
luck_scored(
    const struct luck_count *lc, const struct luck_line *ll, const char *label)
{
	const char *e, *s;
	const json_t *v;
	bool is_rolled = false;
	size_t i;

	json_array_foreach(ll->bl->ln.events, i, v)
	{
		e = js_str(v, "e");
		if (e == NULL)
			continue;
		s = js_str(v, "label");
		if (strcmp(e, "roll") == 0 && s != NULL &&
		    strcmp(s, label) == 0)
			is_rolled = true;
		if (!is_rolled || strcmp(e, "score") != 0)
			continue;
		s = js_str(v, "unit");
		if (s != NULL)
			return (luck_owner(lc, s));
		s = js_str(v, "side");
		return (s == NULL                    ? 0
			: strcmp(s, "attacker") == 0 ? ll->attacker
			: strcmp(s, "defender") == 0 ? luck_enemy(ll->attacker)
						     : 0);
	}
	return (0);
}

/* The side that rolled, for a roll that the system knows. */
static int
luck_whose(const struct luck_count *lc, const struct luck_line *ll,
    const struct rules_rolled *rolled, const char *label)
{
	int side = 0;

	if (rolled->has_side)
		side = rolled->side == COMBAT_ATTACKER
		    ? ll->attacker
		    : luck_enemy(ll->attacker);
	else if (rolled->id[0] != '\0')
		side = luck_owner(lc, rolled->id);
	else if (rolled->roll->roller == RULES_ROLLER_DEFENDER)
		side = luck_enemy(ll->attacker);
	else if (rolled->roll->roller == RULES_ROLLER_SCORE)
		side = luck_scored(lc, ll, label);
	if (side == 0)
		side = ll->attacker == 0 ? ll->side : ll->attacker;
	return (side);
}

/* The kind of this name, which is added if it is new. */
static struct luck_kind *
luck_kind(struct luck *l, enum luck_for what_for, size_t at, const char *what,
    unsigned sides)
{
	struct luck_kind *k;
	size_t i;
	int side;

	for (i = 0; i < l->n_kinds; i++) {
		k = &l->kinds[i];
		if (k->what_for == what_for && k->sides == sides &&
		    strcmp(k->what, what) == 0)
			return (k);
	}
	l->kinds = xalloc_more(l->kinds, l->n_kinds, sizeof(*l->kinds));
	k = &l->kinds[l->n_kinds++];
	k->what_for = what_for;
	k->at = at;
	k->what = xalloc_str(what);
	k->sides = sides;
	for (side = 0; side < LUCK_SIDES; side++)
		k->faces[side] = xalloc(sides * sizeof(*k->faces[side]));
	return (k);
}

/*
 * The kind of a roll, and whose it is.  A label that the system's forms do
 * not have, of rules of another version, goes by its first word.
 */
static struct luck_kind *
luck_roll_kind(struct luck_count *lc, const struct luck_line *ll,
    const char *label, unsigned sides, int *side)
{
	struct rules_rolled rolled;
	struct luck_kind *k;
	char *word;

	if (ll->kind == ORDER_FREE) {
		*side = ll->side;
		return (
		    luck_kind(lc->l, LUCK_FREE, LUCK_LAST, "free roll", sides));
	}
	if (lc->show != NULL && rules_show_roll(lc->show, label, &rolled)) {
		*side = luck_whose(lc, ll, &rolled, label);
		return (luck_kind(lc->l,
		    rolled.roll->is_upkeep ? LUCK_UPKEEP : LUCK_COMBAT,
		    (size_t)(rolled.roll - lc->show->rolls), rolled.roll->what,
		    sides));
	}
	*side = ll->kind == ORDER_UPKEEP ? ll->side : ll->attacker;
	word = xalloc_strn(label, strcspn(label, "/"));
	k = luck_kind(lc->l,
	    ll->kind == ORDER_UPKEEP ? LUCK_UPKEEP : LUCK_COMBAT, LUCK_LAST,
	    word, sides);
	free(word);
	return (k);
}

/* Counts one roll. */
static void
luck_roll(struct luck_count *lc, const struct luck_line *ll, const json_t *roll)
{
	const char *label = js_str(roll, "label");
	json_int_t sides = js_int(roll, "sides");
	const json_t *dice = json_object_get(roll, "dice"), *v;
	struct luck_kind *k;
	json_int_t die;
	size_t i;
	int side;

	if (label == NULL || sides < 1 || sides > ROLLS_SIDES_MAX)
		return;
	k = luck_roll_kind(lc, ll, label, (unsigned)sides, &side);
	json_array_foreach(dice, i, v)
	{
		die = json_integer_value(v);
		if (die < 1 || die > sides)
			continue;
		k->faces[side][die - 1]++;
		lc->l->n++;
		if (battle_entry(lc->b, ll->bl->ln.seq)->taken_back >= 0)
			lc->l->taken_back++;
	}
}

/* Counts one draw. */
static void
luck_draw(struct luck_count *lc, const struct luck_line *ll, const json_t *draw)
{
	const char *label = js_str(draw, "label");
	const json_t *chits = json_object_get(draw, "chits"), *v;
	json_int_t bag = js_int(draw, "bag");
	const char *id, *what = ll->cup != NULL ? ll->cup : label;
	struct luck *l = lc->l;
	struct luck_draw *d;
	size_t i;

	if (label == NULL || bag < 1)
		return;
	for (i = 0; i < l->n_draws; i++) {
		if (l->draws[i].is_cup == (ll->cup != NULL) &&
		    strcmp(l->draws[i].what, what) == 0)
			break;
	}
	if (i == l->n_draws) {
		l->draws = xalloc_more(l->draws, i, sizeof(*l->draws));
		l->draws[i].is_cup = ll->cup != NULL;
		l->draws[i].what = xalloc_str(what);
		l->draws[i].ids = xalloc_json(json_object());
		l->n_draws++;
	}
	d = &l->draws[i];
	if (d->draws == 0 || bag < d->bag_least)
		d->bag_least = bag;
	if (bag > d->bag_most)
		d->bag_most = bag;
	d->draws++;
	json_array_foreach(chits, i, v)
	{
		if ((id = json_string_value(v)) == NULL)
			continue;
		d->chits++;
		xalloc_set(d->ids, id, json_integer(js_int(d->ids, id) + 1));
	}
	d->expected += (double)json_array_size(chits) / (double)bag;
}

/* Counts the dice of a line; asked is the order that they fell for. */
static void
luck_line(struct luck_count *lc, const struct battle_line *bl,
    const struct battle_line *asked)
{
	struct luck_line ll = {.bl = bl, .kind = asked->o.kind};
	const json_t *v;
	int64_t combat;
	size_t i;

	ll.side = game_side_of(asked->ln.seat);
	combat = battle_entry(lc->b, bl->ln.seq)->combat;
	if (ll.kind == ORDER_FREE)
		ll.cup = js_str(asked->o.args, "cup");
	else if (combat >= 0)
		ll.attacker = game_side_of(battle_entry(lc->b, combat)->seat);
	json_array_foreach(json_object_get(bl->ln.dice, "rolls"), i, v)
	{
		if (json_object_get(v, "bag") != NULL)
			luck_draw(lc, &ll, v);
		else
			luck_roll(lc, &ll, v);
	}
}

/* Kinds in the order to be told: the system's, upkeep, free rolls. */
static int
luck_compare(const void *a, const void *b)
{
	const struct luck_kind *x = a, *y = b;

	if (x->what_for != y->what_for)
		return (x->what_for < y->what_for ? -1 : 1);
	if (x->at != y->at)
		return (x->at < y->at ? -1 : 1);
	if (strcmp(x->what, y->what) != 0)
		return (strcmp(x->what, y->what));
	return (x->sides < y->sides ? -1 : x->sides > y->sides);
}

/* Judges what was counted. */
static void
luck_judge(struct luck *l)
{
	const struct luck_all *a = &l->all[1], *b = &l->all[2];
	struct luck_kind *k;
	struct luck_all *all;
	struct stats_dice *st;
	double pips, variance;
	size_t i;
	int side;

	l->p_least = 1;
	for (i = 0; i < l->n_kinds; i++) {
		k = &l->kinds[i];
		variance = stats_die_variance(k->sides);
		for (side = 0; side < LUCK_SIDES; side++) {
			st = &k->stats[side];
			all = &l->all[side];
			stats_dice(k->faces[side], k->sides, st);
			if (k->what_for != LUCK_FREE) {
				pips =
				    (double)st->sum - (double)st->n * st->even;
				all->n += st->n;
				all->pips += pips;
				all->variance += (double)st->n * variance;
				if (k->sides > 1)
					all->deviates += pips / sqrt(variance);
			}
			if (!st->is_judged)
				continue;
			l->tests += st->cells > 0 ? 2 : 1;
			l->p_least = fmin(l->p_least, st->p_mean);
			if (st->cells > 0)
				l->p_least = fmin(l->p_least, st->p_faces);
		}
	}
	l->p_between = -1;
	if (a->n >= STATS_DICE_MIN && b->n >= STATS_DICE_MIN)
		l->p_between = stats_normal_p(
		    (a->deviates / (double)a->n - b->deviates / (double)b->n) /
		    sqrt(1 / (double)a->n + 1 / (double)b->n));
}

struct luck *
luck_new(const struct battle *b)
{
	struct luck_count lc = {.b = b};
	const int64_t n = battle_lines(b);
	struct battle_line asked, bl;
	const struct game_entry *en;
	int64_t seq;

	lc.l = xalloc(sizeof(*lc.l));
	lc.show = show_list_find(systems_find(game_system(battle_game(b))));
	for (seq = 0; seq < n; seq++) {
		if (!battle_read(b, seq, &bl))
			continue;
		/* Answers lead back to the line that asked for the dice. */
		en = battle_entry(b, seq);
		while (en->kind == ORDER_ANSWER && en->to >= 0)
			en = battle_entry(b, en->to);
		if (bl.ln.dice != NULL && battle_read(b, en->seq, &asked)) {
			luck_line(&lc, &bl, &asked);
			battle_clear(&asked);
		}
		battle_clear(&bl);
	}
	if (lc.l->n_kinds > 0)
		qsort(lc.l->kinds, lc.l->n_kinds, sizeof(*lc.l->kinds),
		    luck_compare);
	luck_judge(lc.l);
	return (lc.l);
}

void
luck_free(struct luck *l)
{
	size_t i;
	int side;

	if (l == NULL)
		return;
	for (i = 0; i < l->n_kinds; i++) {
		free(l->kinds[i].what);
		for (side = 0; side < LUCK_SIDES; side++)
			free(l->kinds[i].faces[side]);
	}
	for (i = 0; i < l->n_draws; i++) {
		free(l->draws[i].what);
		json_decref(l->draws[i].ids);
	}
	free(l->kinds);
	free(l->draws);
	free(l);
}

/* A number that is null where it is not known. */
static json_t *
luck_json_real(bool is_known, double x)
{
	return (is_known ? json_real(x) : json_null());
}

/* One side's dice of a kind for programs. */
static json_t *
luck_json_dice(const struct luck_kind *k, int side)
{
	static const char *const names[] = {"combat", "upkeep", "free"};
	const struct stats_dice *st = &k->stats[side];
	json_t *faces;
	unsigned i;

	faces = xalloc_json(json_array());
	for (i = 0; i < k->sides; i++)
		xalloc_append(
		    faces, json_integer((json_int_t)k->faces[side][i]));
	return (json_pack("{s:s, s:o, s:I, s:i, s:I, s:I, s:o, s:f, s:f, s:f, "
			  "s:f, s:o, s:I, s:o, s:o}",
	    "for", names[k->what_for], "kind", xalloc_json_str(k->what),
	    "sides", (json_int_t)k->sides, "side", side, "dice",
	    (json_int_t)st->n, "sum", (json_int_t)st->sum, "faces", faces,
	    "mean", st->mean, "even", st->even, "error", st->error, "z", st->z,
	    "p_mean", luck_json_real(st->is_judged, st->p_mean), "cells",
	    (json_int_t)st->cells, "chi_square",
	    luck_json_real(st->cells > 0, st->chi_square), "p_faces",
	    luck_json_real(st->cells > 0, st->p_faces)));
}

/* All dice of a side for programs. */
static json_t *
luck_json_all(const struct luck_all *all)
{
	return (json_pack("{s:I, s:f, s:f, s:f}", "dice", (json_int_t)all->n,
	    "pips", all->pips, "error", sqrt(all->variance), "z",
	    all->n == 0 ? 0.0 : all->deviates / sqrt((double)all->n)));
}

json_t *
luck_json(const struct luck *l)
{
	json_t *draws, *kinds;
	const struct luck_draw *d;
	size_t i;
	int side;

	kinds = xalloc_json(json_array());
	for (i = 0; i < l->n_kinds; i++) {
		for (side = 0; side < LUCK_SIDES; side++) {
			if (l->kinds[i].stats[side].n > 0)
				xalloc_append(
				    kinds, luck_json_dice(&l->kinds[i], side));
		}
	}
	draws = xalloc_json(json_array());
	for (i = 0; i < l->n_draws; i++) {
		d = &l->draws[i];
		xalloc_append(draws,
		    json_pack("{s:s, s:o, s:I, s:I, s:[I,I], s:f, s:O}", "from",
			d->is_cup ? "cup" : "bag", "name",
			xalloc_json_str(d->what), "draws", (json_int_t)d->draws,
			"chits", (json_int_t)d->chits, "bag",
			(json_int_t)d->bag_least, (json_int_t)d->bag_most,
			"expected", d->expected, "drawn", d->ids));
	}
	return (xalloc_json(
	    json_pack("{s:I, s:I, s:o, s:{s:o, s:o, s:o}, s:o, s:I, s:o}",
		"dice", (json_int_t)l->n, "taken_back",
		(json_int_t)l->taken_back, "kinds", kinds, "all", "1",
		luck_json_all(&l->all[1]), "2", luck_json_all(&l->all[2]),
		"p_between", luck_json_real(l->p_between >= 0, l->p_between),
		"draws", draws, "tests", (json_int_t)l->tests, "p_least",
		luck_json_real(l->tests > 0, l->p_least))));
}
