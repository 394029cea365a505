/* SPDX-License-Identifier: ISC */
/*
 * An invasion-1812 combat to draw: a frame for each stack, the supporting
 * ones behind the one that fights.
 */
#include "common/rules/show/scene.h"

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/show/render_value.h"
#include "common/rules/show/show_list.h"

/* Adds a stack; the renderer's word LIST/NAME says what it is. */
static size_t
invasion1812_scene_stack(struct scene *s, enum combat_side side,
    enum scene_row row, const json_t *stack, const char *list, const char *name)
{
	static const struct scene_unit unit = {"type", "cf", "", SCENE_PLAIN},
				       commander = {
					   NULL, "cr", "", SCENE_COMMANDER};
	const char *word = render_value_word(s->rd, list, name, NULL);
	struct buf b;
	size_t group;

	buf_init(&b, 0);
	buf_puts(&b, word == NULL ? name : word);
	scene_say(s, stack,
	    js_int(stack, "fought") > 0 ? "{units}{commanders}"
					: "{units}{commanders}{fought}",
	    &b);
	group = scene_group(s, side, row, true, &b);
	scene_units(s, &unit, json_object_get(stack, "units"));
	scene_units(s, &commander, json_object_get(stack, "commanders"));
	return (group);
}

/* Adds a side: its fighting stack, and those that support it. */
static size_t
invasion1812_scene_side(
    struct scene *s, const json_t *facts, enum combat_side side)
{
	const bool is_attacker = side == COMBAT_ATTACKER;
	const json_t *of, *supports;
	struct scene_link link = {
	    .is_support = true, .edge = SCENE_REAR, .word = "in support of"};
	struct buf label;
	size_t i;

	of = json_object_get(facts, is_attacker ? "attacker" : "defender");
	supports = json_object_get(of, "supports");
	link.to = invasion1812_scene_stack(s, side,
	    is_attacker ? SCENE_ATTACKING : SCENE_DEFENDING,
	    json_object_get(of, "stack"), "list", "stack");
	buf_init(&label, 0);
	for (i = 0; i < json_array_size(supports); i++) {
		link.from = invasion1812_scene_stack(s, side,
		    is_attacker ? SCENE_BEHIND : SCENE_BEYOND,
		    json_array_get(supports, i), "item", "supports");
		scene_link(s, &link, &label, NULL);
	}
	return (link.to);
}

void
invasion1812_scene(struct scene *s, const json_t *facts)
{
	struct scene_link link = {.word = "against"};
	struct buf label;

	buf_init(&label, 0);
	link.to = invasion1812_scene_side(s, facts, COMBAT_DEFENDER);
	link.from = invasion1812_scene_side(s, facts, COMBAT_ATTACKER);
	scene_link(s, &link, &label, NULL);
}
