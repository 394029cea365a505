/* SPDX-License-Identifier: ISC */
/* An imagi-nations combat to draw: side against side, with its modifiers. */
#include "common/rules/show/scene.h"

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/show/render_value.h"
#include "common/rules/show/show_list.h"

/* The strength points that battalions have left. */
static long long
imaginations_scene_left(const json_t *battalions)
{
	long long left = 0, sp, hits;
	size_t i;

	for (i = 0; i < json_array_size(battalions); i++) {
		sp = js_int(json_array_get(battalions, i), "sp");
		hits = js_int(json_array_get(battalions, i), "hits");
		if (sp >= 0 && sp <= RULES_COUNT_MAX && hits >= 0 && hits <= sp)
			left += sp - hits;
	}
	return (left);
}

/* Adds a side, and what the players made of its situation. */
static size_t
imaginations_scene_side(
    struct scene *s, const json_t *facts, enum combat_side side)
{
	static const struct scene_unit how = {
	    "arm", NULL, "{lead}", SCENE_PLAIN};
	const char *form = render_value_word(s->rd, "item", "modifiers", NULL);
	const json_t *of, *list, *unit;
	struct buf label;
	size_t i, group;

	of = json_object_get(
	    facts, side == COMBAT_ATTACKER ? "attacker" : "defender");
	buf_init(&label, 0);
	scene_say(s, of, "", &label);
	list = json_object_get(of, "modifiers");
	for (i = 0; i < json_array_size(list); i++) {
		if (label.len > 0)
			buf_puts(&label, "; ");
		render_value_template(
		    s->rd, form, json_array_get(list, i), "", &label);
	}
	group = scene_group(s, side,
	    side == COMBAT_ATTACKER ? SCENE_ATTACKING : SCENE_DEFENDING, true,
	    &label);
	list = json_object_get(of, "units");
	for (i = 0; i < json_array_size(list); i++) {
		unit = json_array_get(list, i);
		scene_unit(s, &how, unit);
		scene_strength(s,
		    imaginations_scene_left(
			json_object_get(unit, "battalions")));
	}
	return (group);
}

void
imaginations_scene(struct scene *s, const json_t *facts)
{
	struct scene_link link = {.word = "against"};
	struct buf label;

	buf_init(&label, 0);
	link.to = imaginations_scene_side(s, facts, COMBAT_DEFENDER);
	link.from = imaginations_scene_side(s, facts, COMBAT_ATTACKER);
	scene_link(s, &link, &label, NULL);
}
