/* SPDX-License-Identifier: ISC */
/*
 * Scenes are put together here and by each system's NAME_scene.c.  What is
 * wrong with an event leaves things out; nothing here trusts it.
 */
#include "common/rules/show/scene.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/show/render_value.h"
#include "common/rules/show/rules_show.h"

#define SCENE_MOST 512 /* of anything: more than lawful facts can have */

/* Hands over what b holds, and clears it; without memory the scene fails. */
static char *
scene_take(struct scene *s, struct buf *b)
{
	char *text;

	(void)buf_str(b);
	if ((text = buf_take(b, NULL)) == NULL)
		s->error = ERR_NOMEM;
	buf_clear(b);
	return (text);
}

/* A copy of a text. */
static char *
scene_copy(struct scene *s, const char *text)
{
	struct buf b;

	buf_init(&b, 0);
	buf_puts(&b, text);
	return (scene_take(s, &b));
}

/*
 * Makes room for one more behind n elements: doubles the array when n is a
 * power of two.  Returns false, and fails, without memory.
 */
static bool
scene_more(struct scene *s, void **list, size_t n, size_t size)
{
	void *p;

	if (s->error != 0 || n == SCENE_MOST)
		return (false);
	if ((n & (n - 1)) == 0) {
		p = realloc(*list, (n == 0 ? 1 : 2 * n) * size);
		if (p == NULL) {
			s->error = ERR_NOMEM;
			return (false);
		}
		*list = p;
	}
	memset((char *)*list + n * size, 0, size);
	return (true);
}

size_t
scene_group(struct scene *s, enum combat_side side, enum scene_row row,
    bool has_frame, struct buf *b)
{
	void *list = s->groups;
	struct scene_group *g;

	if (!scene_more(s, &list, s->n_groups, sizeof(*g))) {
		buf_clear(b);
		return (s->n_groups);
	}
	s->groups = list;
	g = &s->groups[s->n_groups++];
	g->side = side;
	g->row = row;
	g->has_frame = has_frame;
	g->first = g->end = s->n_nodes;
	g->label = scene_take(s, b);
	return (s->n_groups - 1);
}

void
scene_say(
    const struct scene *s, const json_t *obj, const char *said, struct buf *b)
{
	render_value_members(s->rd, obj, said, b->len > 0 ? ", " : "", b);
}

/* The sign for the word of an arm. */
static enum scene_arm
scene_arm(const char *word)
{
	static const char *const words[] = {
	    [SCENE_INFANTRY] = "infantry",
	    [SCENE_CAVALRY] = "cavalry",
	    [SCENE_ARTILLERY] = "artillery",
	    [SCENE_VEDETTE] = "vedette",
	};
	size_t i;

	for (i = 0; word != NULL && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], word) == 0)
			return ((enum scene_arm)i);
	}
	return (SCENE_PLAIN);
}

void
scene_unit(struct scene *s, const struct scene_unit *how, const json_t *unit)
{
	const char *id = js_str(unit, "id");
	void *list = s->nodes;
	const json_t *strength;
	struct scene_node *n;
	struct buf b, said;

	if (id == NULL || s->n_groups == 0 ||
	    !scene_more(s, &list, s->n_nodes, sizeof(*n)))
		return;
	s->nodes = list;
	n = &s->nodes[s->n_nodes++];
	n->arm = how->arm == NULL ? how->is : scene_arm(js_str(unit, how->arm));
	n->strength = -1;
	strength =
	    how->strength == NULL ? NULL : json_object_get(unit, how->strength);
	if (json_is_integer(strength) && json_integer_value(strength) >= 0)
		n->strength = json_integer_value(strength);
	n->id = scene_copy(s, id);
	n->name = scene_copy(s, render_value_name(s->rd, id));
	n->end = scene_copy(s, "");
	buf_init(&said, 0);
	buf_puts(&said, "{id}{name}");
	/* What the sign and the figure tell. */
	if (n->arm != SCENE_PLAIN && how->arm != NULL)
		buf_printf(&said, "{%s}", how->arm);
	if (n->strength >= 0)
		buf_printf(&said, "{%s}", how->strength);
	buf_puts(&said, how->said);
	buf_init(&b, 0);
	scene_say(s, unit, buf_str(&said), &b);
	buf_clear(&said);
	n->detail = scene_take(s, &b);
	s->groups[s->n_groups - 1].end = s->n_nodes;
}

void
scene_units(struct scene *s, const struct scene_unit *how, const json_t *units)
{
	size_t i;

	for (i = 0; i < json_array_size(units); i++)
		scene_unit(s, how, json_array_get(units, i));
}

void
scene_strength(struct scene *s, long long strength)
{
	if (s->n_nodes > 0)
		s->nodes[s->n_nodes - 1].strength = strength;
}

void
scene_place(struct scene *s, const json_t *obj, const char *said)
{
	struct buf b;

	buf_init(&b, 0);
	buf_puts(&b, s->place);
	scene_say(s, obj, said, &b);
	free(s->place);
	s->place = scene_take(s, &b);
}

size_t
scene_find(const struct scene *s, const char *id)
{
	size_t i, k;

	for (i = 0; id != NULL && i < s->n_groups; i++) {
		for (k = s->groups[i].first; k < s->groups[i].end; k++) {
			if (s->nodes[k].id != NULL &&
			    strcmp(s->nodes[k].id, id) == 0)
				return (i);
		}
	}
	return (s->n_groups);
}

/* Adds the names of a group's units. */
static void
scene_names(const struct scene *s, size_t group, struct buf *b)
{
	const struct scene_group *g = &s->groups[group];
	size_t i;

	for (i = g->first; i < g->end; i++) {
		if (i > g->first)
			buf_puts(b, i + 1 == g->end ? " and " : ", ");
		buf_puts(b, s->nodes[i].name);
	}
	if (g->first == g->end)
		buf_puts(b,
		    g->side == COMBAT_ATTACKER ? "the attacker"
					       : "the defender");
}

void
scene_link(struct scene *s, const struct scene_link *link, struct buf *label,
    struct buf *text)
{
	void *list = s->links;
	struct scene_link *k;
	struct buf own;

	if (link->from >= s->n_groups || link->to >= s->n_groups ||
	    !scene_more(s, &list, s->n_links, sizeof(*k))) {
		buf_clear(label);
		if (text != NULL)
			buf_clear(text);
		return;
	}
	s->links = list;
	k = &s->links[s->n_links++];
	*k = *link;
	if (text == NULL) {
		buf_init(&own, 0);
		text = &own;
		scene_names(s, k->from, text);
		buf_printf(text, " %s ", k->word);
		/* A list that was said just before is not said again. */
		if (s->n_links > 1 && k[-1].to == k->to &&
		    s->groups[k->to].end - s->groups[k->to].first > 1)
			buf_puts(text, "the same");
		else
			scene_names(s, k->to, text);
		if (label->len > 0)
			buf_printf(text, " (%s)", buf_str(label));
	}
	k->text = scene_take(s, text);
	k->label = scene_take(s, label);
}

/* Follows rows that nobody reads: the renderer learns names by them. */
static void
scene_row_cb(void *arg, const struct render_row *row)
{
	(void)arg;
	(void)row;
}

/* The sum of the numbers of an object, each of them bounded. */
static long long
scene_sum(const json_t *obj)
{
	json_t *o = (json_t *)(uintptr_t)obj, *v; /* only read */
	long long sum = 0, n;
	const char *key;

	json_object_foreach(o, key, v)
	{
		n = json_integer_value(v);
		if (n > 0 && n <= RULES_COUNT_MAX)
			sum += n;
	}
	return (sum);
}

/* Adds "3 hits", "1 hit", "no hits". */
static void
scene_hits(struct buf *b, long long n)
{
	if (n == 0)
		buf_puts(b, "no hits");
	else
		buf_printf(b, "%lld %s", n, n == 1 ? "hit" : "hits");
}

/* Says how a unit came out, as a result has it. */
static void
scene_end(struct scene *s, struct scene_node *n, const json_t *v)
{
	static const char *const numbers[] = {"score", "casualties"};
	const char *const *ends = s->rd->sys->ends;
	const json_t *state =
			 json_is_string(v) ? v : json_object_get(v, "state"),
		     *hits = json_object_get(v, "hits"), *number;
	const char *word = json_string_value(state);
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	if (word != NULL)
		render_value_scalar(s->rd, "state", state, &b);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		number = json_object_get(v, numbers[i]);
		if (json_is_integer(number))
			buf_printf(&b, "%s%s %lld", b.len > 0 ? ", " : "",
			    numbers[i], (long long)json_integer_value(number));
	}
	if (json_is_object(hits)) {
		scene_hits(&b, scene_sum(hits));
		number = json_object_get(v, "retreated");
		if (json_integer_value(number) > 0)
			buf_printf(&b, ", retreats %lld",
			    (long long)json_integer_value(number));
		n->is_out = n->strength >= 0 && scene_sum(hits) >= n->strength;
	}
	for (; word != NULL && *ends != NULL; ends++)
		n->is_out = strcmp(*ends, word) == 0;
	free(n->end);
	n->end = scene_take(s, &b);
}

/* Says how each unit came out. */
static void
scene_result(struct scene *s, const json_t *result)
{
	const json_t *lists[2] = {json_object_get(result, "units"),
	    json_object_get(result, "commanders")};
	const json_t *v;
	size_t i, k;

	for (i = 0; i < s->n_nodes && s->error == 0; i++) {
		for (k = 0; k < 2; k++) {
			v = json_object_get(lists[k], s->nodes[i].id);
			if (v != NULL)
				scene_end(s, &s->nodes[i], v);
		}
	}
}

/* The first event of a kind; NULL if there is none. */
static const json_t *
scene_event(const json_t *events, const char *kind)
{
	const char *e;
	size_t i;

	for (i = 0; i < json_array_size(events); i++) {
		e = js_str(json_array_get(events, i), "e");
		if (e != NULL && strcmp(e, kind) == 0)
			return (json_array_get(events, i));
	}
	return (NULL);
}

int
scene_make(const struct rules_system *sys, const json_t *roster,
    const json_t *events, struct scene **out)
{
	const json_t *facts = scene_event(events, "combat");
	struct render_sink sink = {.row_cb = scene_row_cb};
	struct scene *s;
	struct buf b;
	int r;

	*out = NULL;
	if (facts == NULL)
		return (0);
	if ((s = calloc(1, sizeof(*s))) == NULL)
		return (ERR_NOMEM);
	if ((s->rd = render_new(sys)) == NULL) {
		free(s);
		return (ERR_NOMEM);
	}
	render_hide_ids(s->rd);
	render_know(s->rd, roster);
	render_rows(s->rd, facts, &sink);
	buf_init(&b, 0);
	scene_say(s, facts, "", &b);
	s->place = scene_take(s, &b);
	if (s->error == 0)
		s->rd->show->scene(s, facts);
	if (s->error == 0)
		*s->place = (char)toupper((unsigned char)*s->place);
	scene_result(s, scene_event(events, "result"));
	if ((r = s->error != 0 ? s->error : sink.error) != 0)
		scene_free(s);
	else
		*out = s;
	return (r);
}

void
scene_free(struct scene *s)
{
	size_t i;

	if (s == NULL)
		return;
	for (i = 0; i < s->n_nodes; i++) {
		free(s->nodes[i].id);
		free(s->nodes[i].name);
		free(s->nodes[i].detail);
		free(s->nodes[i].end);
	}
	for (i = 0; i < s->n_groups; i++)
		free(s->groups[i].label);
	for (i = 0; i < s->n_links; i++) {
		free(s->links[i].label);
		free(s->links[i].text);
	}
	free(s->nodes);
	free(s->groups);
	free(s->links);
	free(s->place);
	render_free(s->rd);
	free(s);
}
