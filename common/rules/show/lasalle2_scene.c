/* SPDX-License-Identifier: ISC */
/*
 * A lasalle2 combat to draw: every unit by itself, and a link for each
 * contact, to the edge that it is on.
 */
#include "common/rules/show/scene.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/show/render_value.h"
#include "common/rules/show/show_list.h"

/* The edge that a contact is on. */
static enum scene_edge
lasalle2_scene_edge(const json_t *contact)
{
	static const char *const words[] = {
	    [SCENE_FRONT] = "front",
	    [SCENE_LEFT] = "left",
	    [SCENE_RIGHT] = "right",
	    [SCENE_REAR] = "rear",
	};
	const char *word = js_str(contact, "edge");
	size_t i;

	for (i = 0; word != NULL && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], word) == 0)
			return ((enum scene_edge)i);
	}
	return (SCENE_FRONT);
}

/* Whether all that an attacker touches is the rear of something. */
static bool
lasalle2_scene_is_behind(const json_t *contacts, const char *id)
{
	const json_t *contact;
	const char *attacker;
	bool is_behind = false;
	size_t i;

	for (i = 0; i < json_array_size(contacts); i++) {
		contact = json_array_get(contacts, i);
		attacker = js_str(contact, "attacker");
		if (attacker == NULL || strcmp(attacker, id) != 0)
			continue;
		if (lasalle2_scene_edge(contact) != SCENE_REAR)
			return (false);
		is_behind = true;
	}
	return (is_behind);
}

/* Adds the units of one side. */
static void
lasalle2_scene_side(struct scene *s, const json_t *facts, enum combat_side side)
{
	static const struct scene_unit how = {
	    "arm", "strength", "", SCENE_PLAIN};
	const json_t *list, *unit, *contacts;
	enum scene_row row;
	const char *id;
	struct buf none;
	size_t i;

	list = json_object_get(
	    facts, side == COMBAT_ATTACKER ? "attackers" : "defenders");
	contacts = json_object_get(facts, "contacts");
	buf_init(&none, 0);
	for (i = 0; i < json_array_size(list); i++) {
		unit = json_array_get(list, i);
		if ((id = js_str(unit, "id")) == NULL)
			continue;
		row = side == COMBAT_DEFENDER                ? SCENE_DEFENDING
		    : lasalle2_scene_is_behind(contacts, id) ? SCENE_BEYOND
							     : SCENE_ATTACKING;
		(void)scene_group(s, side, row, false, &none);
		scene_unit(s, &how, unit);
	}
}

void
lasalle2_scene(struct scene *s, const json_t *facts)
{
	const json_t *contacts = json_object_get(facts, "contacts"), *contact;
	const char *form = render_value_word(s->rd, "item", "contacts", NULL);
	struct scene_link link = {.is_support = false};
	struct buf label, text;
	size_t i;

	lasalle2_scene_side(s, facts, COMBAT_DEFENDER);
	lasalle2_scene_side(s, facts, COMBAT_ATTACKER);
	buf_init(&label, 0);
	buf_init(&text, 0);
	for (i = 0; i < json_array_size(contacts); i++) {
		contact = json_array_get(contacts, i);
		link.from = scene_find(s, js_str(contact, "attacker"));
		link.to = scene_find(s, js_str(contact, "defender"));
		link.edge = lasalle2_scene_edge(contact);
		link.word = link.edge == SCENE_FRONT ? "front" : "";
		if (link.edge != SCENE_FRONT)
			render_value_scalar(s->rd, "edge",
			    json_object_get(contact, "edge"), &label);
		scene_say(s, contact, "{attacker}{defender}{edge}", &label);
		render_value_template(s->rd, form, contact, "", &text);
		scene_say(s, contact, form, &text);
		scene_link(s, &link, &label, &text);
	}
}
