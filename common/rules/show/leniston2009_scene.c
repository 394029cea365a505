/* SPDX-License-Identifier: ISC */
/* A leniston-2009 combat to draw: a brigade against a brigade. */
#include "common/rules/show/scene.h"

#include "common/base/buf.h"
#include "common/rules/show/show_list.h"

/* Adds a brigade, and what counts for its morale. */
static size_t
leniston2009_scene_side(
    struct scene *s, const json_t *facts, enum combat_side side)
{
	static const struct scene_unit how = {"arm", NULL, "", SCENE_PLAIN};
	const json_t *brigade;
	struct buf label;
	size_t group;

	brigade = json_object_get(
	    facts, side == COMBAT_ATTACKER ? "attacker" : "defender");
	buf_init(&label, 0);
	scene_say(s, json_object_get(brigade, "morale"), "", &label);
	group = scene_group(s, side,
	    side == COMBAT_ATTACKER ? SCENE_ATTACKING : SCENE_DEFENDING, false,
	    &label);
	scene_unit(s, &how, brigade);
	return (group);
}

void
leniston2009_scene(struct scene *s, const json_t *facts)
{
	struct scene_link link = {.word = "against"};
	struct buf label;

	buf_init(&label, 0);
	link.to = leniston2009_scene_side(s, facts, COMBAT_DEFENDER);
	link.from = leniston2009_scene_side(s, facts, COMBAT_ATTACKER);
	scene_link(s, &link, &label, NULL);
}
