/* SPDX-License-Identifier: ISC */
/*
 * The tables of rolls and draws.  Labels are unique over both.  What a roll
 * means is the rules' business.
 */
#include "common/rules/rolls.h"

#include <string.h>

#include "common/json/js.h"

/* FNV-1a, so that most labels are told apart without comparing them. */
static uint32_t
rolls_hash(const char *s)
{
	uint32_t h = 2166136261U;

	for (; *s != '\0'; s++)
		h = (h ^ (uint8_t)*s) * 16777619U;
	return (h);
}

bool
rolls_is_label(const char *s)
{
	size_t n;

	n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789._/-");
	return (n >= 1 && n <= COMBAT_LABEL_MAX && s[n] == '\0' &&
	    strchr("._/-", s[0]) == NULL);
}

bool
rolls_fits(const struct rolls *t, const char *label, unsigned sides, size_t n)
{
	uint32_t hash = rolls_hash(label);
	size_t i;

	if (!rolls_is_label(label) || t->n_recs == COMBAT_ROLLS_MAX)
		return (false);
	if (sides > 0 && n > COMBAT_DICE_MAX - t->n_dice)
		return (false);
	if (sides == 0 && n > COMBAT_CHITS_MAX - t->n_chits)
		return (false);
	for (i = 0; i < t->n_recs; i++) {
		if (t->recs[i].hash == hash &&
		    strcmp(t->recs[i].label, label) == 0)
			return (false);
	}
	return (true);
}

/* Adds an empty record. */
static struct rolls_rec *
rolls_rec(struct rolls *t, const char *label)
{
	struct rolls_rec *rec = &t->recs[t->n_recs++];

	memset(rec, 0, sizeof(*rec));
	memcpy(rec->label, label, strlen(label) + 1);
	rec->hash = rolls_hash(label);
	return (rec);
}

void
rolls_add(struct rolls *t, const char *label, unsigned sides, size_t n)
{
	struct rolls_rec *rec = rolls_rec(t, label);

	rec->sides = (uint16_t)sides;
	rec->first = (uint16_t)t->n_dice;
	rec->n = (uint16_t)n;
	t->n_dice += n;
}

void
rolls_add_draw(struct rolls *t, const char *label, unsigned bag)
{
	struct rolls_rec *rec = rolls_rec(t, label);

	rec->bag = (uint16_t)bag;
	rec->first = (uint16_t)t->n_chits;
}

void
rolls_add_chit(struct rolls *t, const char *id)
{
	struct rolls_chit *chit = &t->chits[t->n_chits++];

	memcpy(chit->id, id, strlen(id) + 1);
	t->recs[t->n_recs - 1].n++;
}

void
rolls_forget(struct rolls *t, size_t n)
{
	const struct rolls_rec *rec;

	while (t->n_recs > n) {
		rec = &t->recs[--t->n_recs];
		if (rec->sides > 0)
			t->n_dice = rec->first;
		else
			t->n_chits = rec->first;
	}
}

/* Returns the dice or the chits of a record as a new array, or NULL. */
static json_t *
rolls_values(const struct rolls *t, const struct rolls_rec *rec)
{
	json_t *list;
	size_t i;
	int bad = 0;

	list = json_array();
	for (i = rec->first; i < (size_t)rec->first + rec->n; i++)
		bad |= json_array_append_new(list,
		    rec->sides > 0 ? json_integer(t->dice[i])
				   : json_string(t->chits[i].id));
	return (js_made(list, bad));
}

uint16_t
rolls_chit_left(unsigned n, const uint16_t *had, unsigned nhad, unsigned nth)
{
	unsigned i, j;

	for (i = 0; i < n; i++) {
		for (j = 0; j < nhad && had[j] != i; j++)
			;
		if (j == nhad && nth-- == 0)
			break;
	}
	return ((uint16_t)i);
}

json_t *
rolls_json(const struct rolls *t, size_t from)
{
	const struct rolls_rec *rec;
	json_t *list, *values, *o;
	size_t i;
	int bad = 0;

	list = json_array();
	for (i = from; i < t->n_recs; i++) {
		rec = &t->recs[i];
		values = rolls_values(t, rec);
		if (rec->sides > 0)
			o = json_pack("{s:s, s:i, s:o}", "label", rec->label,
			    "sides", (int)rec->sides, "dice", values);
		else
			o = json_pack("{s:s, s:i, s:o}", "label", rec->label,
			    "bag", (int)rec->bag, "chits", values);
		bad |= json_array_append_new(list, o);
	}
	return (js_made(list, bad));
}

/* Reads the dice of a saved roll. */
static int
rolls_restore_dice(struct rolls *t, const char *label, const json_t *rec,
    const struct js_at *at, struct errinfo *e)
{
	static const char *const known[] = {"label", "sides", "dice", NULL};
	const json_t *dice, *die;
	int64_t sides;
	size_t i, n;
	int r;

	if ((r = js_members(rec, at, known, e)) != 0)
		return (r);
	if ((r = js_get_int(rec, "sides", at, 2, ROLLS_SIDES_MAX, &sides, e)) !=
	    0)
		return (r);
	if ((r = js_get_array(rec, "dice", at, &dice, e)) != 0)
		return (r);
	n = json_array_size(dice);
	if (n == 0 || !rolls_fits(t, label, (unsigned)sides, n))
		return (js_fail(at, e, "cannot be a roll here"));
	for (i = 0; i < n; i++) {
		die = json_array_get(dice, i);
		if (!json_is_integer(die) || json_integer_value(die) < 1 ||
		    json_integer_value(die) > sides)
			return (
			    js_fail_member(at, "dice", e, "are out of range"));
		t->dice[t->n_dice + i] = (uint16_t)json_integer_value(die);
	}
	rolls_add(t, label, (unsigned)sides, n);
	return (0);
}

/* Reads the chits of a saved draw. */
static int
rolls_restore_chits(struct rolls *t, const char *label, const json_t *rec,
    const struct js_at *at, struct errinfo *e)
{
	static const char *const known[] = {"label", "bag", "chits", NULL};
	const json_t *chits, *chit;
	int64_t bag;
	size_t i, n;
	int r;

	if ((r = js_members(rec, at, known, e)) != 0)
		return (r);
	if ((r = js_get_int(rec, "bag", at, 1, ROLLS_BAG_MAX, &bag, e)) != 0)
		return (r);
	if ((r = js_get_array(rec, "chits", at, &chits, e)) != 0)
		return (r);
	n = json_array_size(chits);
	if (n == 0 || (int64_t)n > bag || !rolls_fits(t, label, 0, n))
		return (js_fail(at, e, "cannot be a draw here"));
	rolls_add_draw(t, label, (unsigned)bag);
	for (i = 0; i < n; i++) {
		chit = json_array_get(chits, i);
		if (!json_is_string(chit) || !js_is_id(json_string_value(chit)))
			return (js_fail_member(at, "chits", e, "must be ids"));
		rolls_add_chit(t, json_string_value(chit));
	}
	return (0);
}

int
rolls_restore(struct rolls *t, const json_t *list, struct errinfo *e)
{
	const struct js_at at = {.name = "rolls"};
	struct js_at at_i = {.up = &at};
	const json_t *rec;
	const char *label;
	int r;

	if (!json_is_array(list))
		return (js_fail(&at, e, "must be an array"));
	rolls_forget(t, 0);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		rec = json_array_get(list, at_i.index);
		if ((r = js_get_str(rec, "label", &at_i, &label, e)) != 0)
			return (r);
		if (json_object_get(rec, "bag") != NULL)
			r = rolls_restore_chits(t, label, rec, &at_i, e);
		else
			r = rolls_restore_dice(t, label, rec, &at_i, e);
		if (r != 0)
			return (r);
	}
	return (0);
}
