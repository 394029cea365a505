/* SPDX-License-Identifier: ISC */
/*
 * A tlnb combat to draw: the attackers by the hexes that they are in, against
 * all that they attack; batteries and cavalry against their target.
 */
#include "common/rules/show/scene.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/show/render_value.h"
#include "common/rules/show/show_list.h"

/* Whether two units are in the same hex, or both in none that is stated. */
static bool
tlnb_scene_is_with(const json_t *a, const json_t *b)
{
	const char *one = js_str(a, "hex"), *other = js_str(b, "hex");

	if (one == NULL || other == NULL)
		return (one == other);
	return (strcmp(one, other) == 0);
}

/* Adds a unit; its strength is that of the side that is up. */
static void
tlnb_scene_unit(struct scene *s, const json_t *unit, const char *said)
{
	const struct scene_unit how = {"arm", "sp", said, SCENE_PLAIN};
	const bool is_reduced = json_is_true(json_object_get(unit, "reduced"));

	scene_unit(s, &how, unit);
	if (is_reduced && js_int(unit, "reduced_sp") >= 0)
		scene_strength(s, js_int(unit, "reduced_sp"));
}

/* Adds where a unit is to a label, if that is stated. */
static void
tlnb_scene_where(const struct scene *s, const json_t *unit, struct buf *b)
{
	const char *hex = js_str(unit, "hex");

	if (hex == NULL)
		return;
	if (b->len > 0)
		buf_puts(b, ", ");
	render_value_template(s->rd,
	    render_value_word(s->rd, "member", "hex", NULL), unit, hex, b);
}

/* Adds units in groups by hex, and links each group with `to`. */
static void
tlnb_scene_attackers(
    struct scene *s, const json_t *units, size_t to, const char *word)
{
	struct scene_link link = {.to = to, .word = word};
	const json_t *unit;
	struct buf label;
	size_t i, k;

	buf_init(&label, 0);
	for (i = 0; i < json_array_size(units); i++) {
		unit = json_array_get(units, i);
		for (k = 0; k < i; k++) {
			if (tlnb_scene_is_with(json_array_get(units, k), unit))
				break;
		}
		if (k < i)
			continue;
		tlnb_scene_where(s, unit, &label);
		link.from = scene_group(
		    s, COMBAT_ATTACKER, SCENE_ATTACKING, true, &label);
		for (k = i; k < json_array_size(units); k++) {
			if (tlnb_scene_is_with(json_array_get(units, k), unit))
				tlnb_scene_unit(s, json_array_get(units, k),
				    "{hex}{reduced_sp}");
		}
		scene_link(s, &link, &label, NULL);
	}
}

/* Adds units as one group; where, if it is the same for all of them. */
static size_t
tlnb_scene_group(struct scene *s, enum combat_side side, enum scene_row row,
    const json_t *units, const char *name)
{
	const char *word = render_value_word(s->rd, "list", name, NULL);
	const char *said = "{hex}{reduced_sp}";
	struct buf label;
	size_t i, group;

	buf_init(&label, 0);
	/* That it defends is seen. */
	if (strcmp(name, "defenders") != 0)
		buf_puts(&label, word == NULL ? name : word);
	for (i = 1; i < json_array_size(units); i++) {
		if (!tlnb_scene_is_with(
			json_array_get(units, 0), json_array_get(units, i)))
			said = "{reduced_sp}";
	}
	if (strcmp(said, "{reduced_sp}") != 0)
		tlnb_scene_where(s, json_array_get(units, 0), &label);
	group = scene_group(s, side, row, true, &label);
	for (i = 0; i < json_array_size(units); i++)
		tlnb_scene_unit(s, json_array_get(units, i), said);
	return (group);
}

/* Adds batteries, each by itself, with how far it fires. */
static void
tlnb_scene_batteries(struct scene *s, const json_t *batteries, size_t to)
{
	static const struct scene_unit how = {
	    NULL, "sp", "{range}", SCENE_ARTILLERY};
	struct scene_link link = {.to = to, .word = "firing at"};
	const json_t *battery;
	struct buf label;
	size_t i;

	buf_init(&label, 0);
	for (i = 0; i < json_array_size(batteries); i++) {
		battery = json_array_get(batteries, i);
		link.from = scene_group(
		    s, COMBAT_ATTACKER, SCENE_ATTACKING, false, &label);
		scene_unit(s, &how, battery);
		scene_say(s, battery, "{id}{name}{sp}", &label);
		scene_link(s, &link, &label, NULL);
	}
}

void
tlnb_scene(struct scene *s, const json_t *facts)
{
	static const struct {
		const char *name;
		enum combat_side side;
		enum scene_row row;
	} stacked[] = {
	    {"attacker_stacked_artillery", COMBAT_ATTACKER, SCENE_BEHIND},
	    {"defender_stacked_artillery", COMBAT_DEFENDER, SCENE_BEYOND},
	};
	const json_t *units, *target;
	size_t i, to;

	if ((units = json_object_get(facts, "defenders")) != NULL) {
		to = tlnb_scene_group(
		    s, COMBAT_DEFENDER, SCENE_DEFENDING, units, "defenders");
	} else {
		target = json_object_get(facts, "target");
		units = json_is_array(target)
		    ? target
		    : json_object_get(target, "units");
		to = tlnb_scene_group(
		    s, COMBAT_DEFENDER, SCENE_DEFENDING, units, "target");
		scene_place(s, target, "{units}");
	}
	tlnb_scene_attackers(
	    s, json_object_get(facts, "attackers"), to, "against");
	tlnb_scene_attackers(
	    s, json_object_get(facts, "cavalry"), to, "charging");
	tlnb_scene_batteries(s, json_object_get(facts, "batteries"), to);
	for (i = 0; i < sizeof(stacked) / sizeof(stacked[0]); i++) {
		units = json_object_get(facts, stacked[i].name);
		if (json_array_size(units) > 0)
			(void)tlnb_scene_group(s, stacked[i].side,
			    stacked[i].row, units, stacked[i].name);
	}
}
