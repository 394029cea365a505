/* SPDX-License-Identifier: ISC */
/*
 * Reads and writes bags of chits of imagi-nations (umpire-rules.7, 13.2).  This
 * file does not know what a chit does in a combat.
 */
#include "common/rules/imaginations/imaginations_bag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/combat.h"

const char *const imaginations_bag_arms[] = {
    [IMAGINATIONS_INFANTRY] = "infantry",
    [IMAGINATIONS_CAVALRY] = "cavalry",
    [IMAGINATIONS_ARTILLERY] = "artillery",
    NULL,
};

const char *const imaginations_bag_tactics[] = {
    [IMAGINATIONS_FEINT] = "feint",
    [IMAGINATIONS_CAVALRY_CHARGE] = "cavalry-charge",
    [IMAGINATIONS_PREPARED_ATTACK] = "prepared-attack",
    [IMAGINATIONS_HASTY_ATTACK] = "hasty-attack",
    [IMAGINATIONS_PINNING_ATTACK] = "pinning-attack",
    [IMAGINATIONS_HOLD] = "hold",
    [IMAGINATIONS_DEFEND] = "defend",
    [IMAGINATIONS_EVADE] = "evade",
    [IMAGINATIONS_COUNTER_ATTACK] = "counter-attack",
    NULL,
};

const char *const imaginations_bag_takes[] = {
    [IMAGINATIONS_FRONT] = "front",
    [IMAGINATIONS_BACK] = "back",
    [IMAGINATIONS_BOTH] = "both",
    NULL,
};

static const char *const imaginations_bag_sides[] = {
    [COMBAT_ATTACKER] = "attacker",
    [COMBAT_DEFENDER] = "defender",
    NULL,
};

static const char *const imaginations_bag_faces[] = {"front", "back"};

int
imaginations_bag_terrain(const json_t *obj, const char *name,
    const struct js_at *at, char out[IMAGINATIONS_TERRAIN_MAX + 1],
    struct errinfo *e)
{
	const char *p, *text;
	int r;

	if ((r = js_get_str(obj, name, at, &text, e)) != 0)
		return (r);
	if (text[0] == '\0' || !rules_is_name(text))
		return (js_fail_member(at, name, e,
		    "must have 1 to %d bytes and no control characters",
		    IMAGINATIONS_TERRAIN_MAX));
	for (p = text; *p != '\0'; p++) {
		if (*p >= 'A' && *p <= 'Z')
			return (js_fail_member(
			    at, name, e, "\"%s\" must be in lower case", text));
	}
	memcpy(out, text, strlen(text) + 1);
	return (0);
}

/* Reads a ratio of a condition. */
static int
imaginations_bag_ratio(const json_t *when, const char *name,
    const struct js_at *at, int *ratio, struct errinfo *e)
{
	int64_t n = 0;
	int r;

	if ((r = js_opt_int(when, name, at, 1, RULES_COUNT_MAX, &n, e)) != 0)
		return (r);
	*ratio = (int)n;
	return (0);
}

/* Reads the conditions of a face. */
static int
imaginations_bag_when(struct imaginations_face *face, const json_t *when,
    const struct js_at *at, struct errinfo *e)
{
	static const char *const known[] = {"ratio", "ratio_against", "terrain",
	    "power", "tactic", "arm", NULL};
	int arm = -1, power = -1, r, tactic = -1;

	if ((r = js_members(when, at, known, e)) != 0)
		return (r);
	if ((r = imaginations_bag_ratio(when, "ratio", at, &face->ratio, e)) !=
	    0)
		return (r);
	if ((r = imaginations_bag_ratio(
		 when, "ratio_against", at, &face->ratio_against, e)) != 0)
		return (r);
	if (json_object_get(when, "terrain") != NULL &&
	    (r = imaginations_bag_terrain(
		 when, "terrain", at, face->terrain, e)) != 0)
		return (r);
	if ((r = js_opt_enum(
		 when, "power", at, imaginations_bag_sides, &power, e)) != 0)
		return (r);
	if ((r = js_opt_enum(when, "tactic", at, imaginations_bag_tactics,
		 &tactic, e)) != 0)
		return (r);
	if ((r = js_opt_enum(
		 when, "arm", at, imaginations_bag_arms, &arm, e)) != 0)
		return (r);
	face->power = 1 + power;
	face->tactic = 1 + tactic;
	face->arm = 1 + arm;
	return (0);
}

/* Reads an effect's text; false if it is none. */
static bool
imaginations_bag_read_effect(
    const char *text, struct imaginations_effect *effect)
{
	struct imaginations_effect made = {.n = 0};
	const char *p = text + 1;
	bool is_less;

	if (strcmp(text, "F") == 0 || strcmp(text, "M") == 0) {
		made.what = text[0] == 'F' ? IMAGINATIONS_F : IMAGINATIONS_M;
		*effect = made;
		return (true);
	}
	if (text[0] != 'A' && text[0] != 'D')
		return (false);
	made.what = text[0] == 'A' ? IMAGINATIONS_A : IMAGINATIONS_D;
	if ((is_less = *p == '-'))
		p++;
	if (*p == '0')
		return (false);
	for (; *p >= '0' && *p <= '9' && made.n <= IMAGINATIONS_EFFECT_MAX; p++)
		made.n = 10 * made.n + *p - '0';
	if (*p != '\0' || made.n == 0 || made.n > IMAGINATIONS_EFFECT_MAX)
		return (false);
	if (is_less)
		made.n = -made.n;
	*effect = made;
	return (true);
}

/* Reads the effects of a face. */
static int
imaginations_bag_effects(struct imaginations_face *face, const json_t *obj,
    const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "effects"};
	struct js_at at_i = {.up = &at};
	const json_t *list;
	const char *text;
	int r;

	if ((r = js_get_array(obj, "effects", up, &list, e)) != 0)
		return (r);
	if (json_array_size(list) > IMAGINATIONS_EFFECTS_MAX)
		return (js_fail(&at, e, "must have at most %d effects",
		    IMAGINATIONS_EFFECTS_MAX));
	for (; at_i.index < json_array_size(list); at_i.index++) {
		text = json_string_value(json_array_get(list, at_i.index));
		if (text == NULL)
			return (js_fail(&at_i, e, "must be a string"));
		if (!imaginations_bag_read_effect(
			text, &face->effects[at_i.index]))
			return (js_fail(&at_i, e,
			    "must be \"F\", \"M\", or A or D, - for fewer, "
			    "and a number from 1 to %d, such as \"D-1\"",
			    IMAGINATIONS_EFFECT_MAX));
	}
	face->n_effects = json_array_size(list);
	return (0);
}

/* Reads a face, which may be null. */
static int
imaginations_bag_read_face(struct imaginations_face *face, const json_t *chit,
    const char *name, const struct js_at *up, struct errinfo *e)
{
	static const char *const known[] = {"when", "effects", NULL};
	const struct js_at at = {.up = up, .name = name};
	const struct js_at at_when = {.up = &at, .name = "when"};
	const json_t *obj = json_object_get(chit, name), *when = NULL;
	int r;

	if (json_is_null(obj))
		return (0);
	if ((r = js_get_object(chit, name, up, &obj, e)) != 0)
		return (r);
	if ((r = js_members(obj, &at, known, e)) != 0)
		return (r);
	if ((r = js_opt_object(obj, "when", &at, &when, e)) != 0)
		return (r);
	if (when != NULL &&
	    (r = imaginations_bag_when(face, when, &at_when, e)) != 0)
		return (r);
	face->is_there = true;
	return (imaginations_bag_effects(face, obj, &at, e));
}

/* Reads one chit. */
static int
imaginations_bag_chit(struct imaginations_chit *chit, const json_t *obj,
    const struct js_at *at, struct errinfo *e)
{
	static const char *const known[] = {
	    "id", "front", "back", "takes", NULL};
	int r, takes;
	size_t i;

	if ((r = js_members(obj, at, known, e)) != 0)
		return (r);
	if ((r = facts_id(obj, "id", at, chit->id, e)) != 0)
		return (r);
	for (i = 0; i < 2; i++) {
		r = imaginations_bag_read_face(
		    &chit->faces[i], obj, imaginations_bag_faces[i], at, e);
		if (r != 0)
			return (r);
	}
	if ((r = js_get_enum(
		 obj, "takes", at, imaginations_bag_takes, &takes, e)) != 0)
		return (r);
	chit->takes = (enum imaginations_takes)takes;
	return (0);
}

/* Reads all chits into *bag, zeroed. */
static int
imaginations_bag_chits(struct imaginations_bag *bag, const json_t *value,
    const struct js_at *at, struct errinfo *e)
{
	struct js_at at_i = {.up = at};
	struct imaginations_chit *chit;
	int r;

	for (; at_i.index < json_array_size(value); at_i.index++) {
		chit = &bag->chits[at_i.index];
		r = imaginations_bag_chit(
		    chit, json_array_get(value, at_i.index), &at_i, e);
		if (r != 0)
			return (r);
		if (facts_find(bag->chits, at_i.index, sizeof(*chit),
			chit->id) < at_i.index)
			return (js_fail_member(
			    &at_i, "id", e, "\"%s\" is used twice", chit->id));
	}
	bag->n = json_array_size(value);
	return (0);
}

int
imaginations_bag_read(
    const json_t *value, const struct js_at *at, void *bag, struct errinfo *e)
{
	struct imaginations_bag *made;
	size_t n = json_array_size(value);
	int r;

	if (!json_is_array(value))
		return (js_fail(at, e, "must be an array"));
	if (n < 1 || n > IMAGINATIONS_BAG_MAX)
		return (js_fail(
		    at, e, "must have 1 to %d chits", IMAGINATIONS_BAG_MAX));
	if ((made = calloc(1, sizeof(*made))) == NULL)
		return (ERR_NOMEM);
	if ((r = imaginations_bag_chits(made, value, at, e)) == 0)
		memcpy(bag, made, sizeof(*made));
	free(made);
	return (r);
}

/* Returns the conditions of a face as a new object, or NULL. */
static json_t *
imaginations_bag_when_json(const struct imaginations_face *face)
{
	json_t *o;
	int bad = 0;

	o = json_object();
	if (face->ratio > 0)
		bad |=
		    json_object_set_new(o, "ratio", json_integer(face->ratio));
	if (face->ratio_against > 0)
		bad |= json_object_set_new(
		    o, "ratio_against", json_integer(face->ratio_against));
	if (face->terrain[0] != '\0')
		bad |= json_object_set_new(
		    o, "terrain", json_string(face->terrain));
	if (face->power > 0)
		bad |= json_object_set_new(o, "power",
		    json_string(imaginations_bag_sides[face->power - 1]));
	if (face->tactic > 0)
		bad |= json_object_set_new(o, "tactic",
		    json_string(imaginations_bag_tactics[face->tactic - 1]));
	if (face->arm > 0)
		bad |= json_object_set_new(o, "arm",
		    json_string(imaginations_bag_arms[face->arm - 1]));
	return (js_made(o, bad));
}

/* Returns a face as a new object or null, or NULL. */
static json_t *
imaginations_bag_face_json(const struct imaginations_face *face)
{
	char text[IMAGINATIONS_EFFECT_TEXT];
	json_t *list, *o;
	int bad = 0;
	size_t i;

	if (!face->is_there)
		return (json_null());
	o = json_object();
	list = json_array();
	if (face->ratio > 0 || face->ratio_against > 0 ||
	    face->terrain[0] != '\0' || face->power > 0 || face->tactic > 0 ||
	    face->arm > 0)
		bad |= json_object_set_new(
		    o, "when", imaginations_bag_when_json(face));
	for (i = 0; i < face->n_effects; i++) {
		imaginations_bag_effect(&face->effects[i], text);
		bad |= json_array_append_new(list, json_string(text));
	}
	bad |= json_object_set_new(o, "effects", list);
	return (js_made(o, bad));
}

json_t *
imaginations_bag_json(const struct imaginations_bag *bag)
{
	const struct imaginations_chit *chit;
	json_t *list = json_array();
	size_t i;
	int bad = 0;

	for (i = 0; i < bag->n; i++) {
		chit = &bag->chits[i];
		bad |= json_array_append_new(list,
		    json_pack("{s:s, s:o, s:o, s:s}", "id", chit->id, "front",
			imaginations_bag_face_json(&chit->faces[0]), "back",
			imaginations_bag_face_json(&chit->faces[1]), "takes",
			imaginations_bag_takes[chit->takes]));
	}
	return (js_made(list, bad));
}

void
imaginations_bag_effect(const struct imaginations_effect *effect,
    char out[IMAGINATIONS_EFFECT_TEXT])
{
	static const char letters[] = {
	    [IMAGINATIONS_A] = 'A',
	    [IMAGINATIONS_D] = 'D',
	    [IMAGINATIONS_F] = 'F',
	    [IMAGINATIONS_M] = 'M',
	};

	if (effect->n == 0)
		(void)snprintf(
		    out, IMAGINATIONS_EFFECT_TEXT, "%c", letters[effect->what]);
	else
		(void)snprintf(out, IMAGINATIONS_EFFECT_TEXT, "%c%d",
		    letters[effect->what], effect->n);
}

/* Appends to the text of a face, of which *n bytes are there. */
static void __attribute__((format(printf, 3, 4)))
imaginations_bag_add(char *out, size_t *n, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(out + *n, IMAGINATIONS_FACE_TEXT - *n, fmt, ap);
	va_end(ap);
	*n += strlen(out + *n);
}

void
imaginations_bag_face(
    const struct imaginations_face *face, char out[IMAGINATIONS_FACE_TEXT])
{
	char text[IMAGINATIONS_EFFECT_TEXT];
	size_t i, n = 0;

	out[0] = '\0';
	if (face->ratio > 0)
		imaginations_bag_add(out, &n, ", ratio %d", face->ratio);
	if (face->ratio_against > 0)
		imaginations_bag_add(
		    out, &n, ", ratio against %d", face->ratio_against);
	if (face->terrain[0] != '\0')
		imaginations_bag_add(out, &n, ", terrain %s", face->terrain);
	if (face->power > 0)
		imaginations_bag_add(out, &n, ", power %s",
		    imaginations_bag_sides[face->power - 1]);
	if (face->tactic > 0)
		imaginations_bag_add(out, &n, ", tactic %s",
		    imaginations_bag_tactics[face->tactic - 1]);
	if (face->arm > 0)
		imaginations_bag_add(
		    out, &n, ", arm %s", imaginations_bag_arms[face->arm - 1]);
	if (n == 0)
		imaginations_bag_add(out, &n, ", always");
	memmove(out, out + 2, n - 1);
	n -= 2;
	imaginations_bag_add(out, &n, ":");
	for (i = 0; i < face->n_effects; i++) {
		imaginations_bag_effect(&face->effects[i], text);
		imaginations_bag_add(out, &n, " %s", text);
	}
	if (face->n_effects == 0)
		imaginations_bag_add(out, &n, " nothing");
}
