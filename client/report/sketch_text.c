/* SPDX-License-Identifier: ISC */
/*
 * A scene for terminals: a table in which each link is a row, or as many as
 * its stacks have units, and who supports them below.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/doc_table.h"
#include "client/report/sketch.h"
#include "client/report/sketch_int.h"
#include "common/base/buf.h"
#include "common/rules/show/scene.h"

/* Signs of letters alone, and what they mean. */
static const struct {
	const char *sign, *what;
} sketch_text_signs[] = {
    [SCENE_INFANTRY] = {"[X]", "infantry"},
    [SCENE_CAVALRY] = {"[/]", "cavalry"},
    [SCENE_ARTILLERY] = {"[o]", "artillery"},
    [SCENE_VEDETTE] = {"[,]", "vedette"},
    [SCENE_COMMANDER] = {"[*]", "commander"},
    [SCENE_PLAIN] = {"[ ]", NULL},
};

#define SKETCH_TEXT_SIGNS \
	(sizeof(sketch_text_signs) / sizeof(sketch_text_signs[0]))

struct sketch_text_cells
sketch_text_unit(const struct scene_node *n)
{
	const char *sign = sketch_text_signs[n->arm].sign;
	struct sketch_text_cells c;

	c.sign = n->strength < 0 ? xalloc_str(sign)
				 : xalloc_printf("%s %lld", sign, n->strength);
	c.name = xalloc_printf(
	    "%s%s%s", n->name, *n->end == '\0' ? "" : ": ", n->end);
	return (c);
}

/* How many rows a group fills: its label if it has one, and its units. */
static size_t
sketch_text_rows(const struct scene_group *g, bool is_told)
{
	size_t n = *g->label == '\0' ? 0 : 1;

	return (is_told ? 1 : n + g->end - g->first);
}

/* What stands in a row of a group. */
static struct sketch_text_cells
sketch_text_cell(const struct scene *s, size_t group, size_t row, bool is_told)
{
	const struct scene_group *g = &s->groups[group];
	const size_t head = *g->label == '\0' ? 0 : 1;
	struct sketch_text_cells c;

	if (row < sketch_text_rows(g, is_told) && row >= head &&
	    (!is_told || g->end - g->first == 1))
		return (sketch_text_unit(&s->nodes[g->first + row - head]));
	c.sign = xalloc_str("");
	if (row >= sketch_text_rows(g, is_told))
		c.name = xalloc_str("");
	else if (head > 0)
		c.name = xalloc_printf(
		    "%s%s", g->label, is_told ? " (as above)" : ":");
	else
		c.name = xalloc_str("(as above)");
	return (c);
}

char *
sketch_text_how(const struct scene_link *k)
{
	if (*k->word == '\0' || *k->label == '\0')
		return (xalloc_printf("%s%s", k->word, k->label));
	return (xalloc_printf("%s, %s", k->word, k->label));
}

/* Adds the rows of a link; a group of several is told once. */
static void
sketch_text_link(struct doc_table *t, const struct scene *s,
    const struct scene_link *k, bool *is_told)
{
	const struct scene_group *from = &s->groups[k->from];
	const struct scene_group *to = &s->groups[k->to];
	bool again[2] = {is_told[k->from] && from->end - from->first > 1,
	    is_told[k->to] && to->end - to->first > 1};
	size_t n = sketch_text_rows(from, again[0]), i;
	struct sketch_text_cells left, right;
	const char *cells[6];
	char *how;

	if (sketch_text_rows(to, again[1]) > n)
		n = sketch_text_rows(to, again[1]);
	for (i = 0; i < n; i++) {
		left = sketch_text_cell(s, k->from, i, again[0]);
		right = sketch_text_cell(s, k->to, i, again[1]);
		how = i == 0 ? sketch_text_how(k) : xalloc_str("");
		cells[0] = left.sign;
		cells[1] = left.name;
		cells[2] = how;
		cells[3] = i == 0 ? "-->" : "";
		cells[4] = right.sign;
		cells[5] = right.name;
		doc_table_cells(t, cells);
		free(left.sign);
		free(left.name);
		free(how);
		free(right.sign);
		free(right.name);
	}
	is_told[k->from] = is_told[k->to] = true;
}

/* Appends a group by itself, under what it does there. */
static void
sketch_text_group(const struct scene *s, size_t group, const char *heading,
    struct buf *out, int (*columns)(const char *s, size_t n))
{
	const char *const headings[] = {"", heading};
	struct doc_table *t = doc_table_new(2, headings);
	struct sketch_text_cells c;
	const char *cells[2];
	size_t i;

	for (i = 0; i < sketch_text_rows(&s->groups[group], false); i++) {
		c = sketch_text_cell(s, group, i, false);
		cells[0] = c.sign;
		cells[1] = c.name;
		doc_table_cells(t, cells);
		free(c.sign);
		free(c.name);
	}
	buf_putc(out, '\n');
	doc_table_write(t, out, 2, OUT_WIDTH - 1, columns);
	doc_table_free(t);
}

void
sketch_text_key(const struct scene *s, struct buf *out)
{
	bool has[SKETCH_TEXT_SIGNS] = {false};
	const char *joint = "\n  ";
	size_t i;

	for (i = 0; i < s->n_nodes; i++)
		has[s->nodes[i].arm] = true;
	for (i = 0; i < SKETCH_TEXT_SIGNS; i++) {
		if (!has[i] || sketch_text_signs[i].what == NULL)
			continue;
		buf_printf(out, "%s%s %s", joint, sketch_text_signs[i].sign,
		    sketch_text_signs[i].what);
		joint = "  ";
	}
	buf_putc(out, '\n');
}

void
sketch_text_write(const struct scene *s, struct buf *out,
    int (*columns)(const char *s, size_t n))
{
	static const char *const headings[] = {
	    "", "Attackers", "", "", "", "Defenders"};
	bool *is_told = xalloc((s->n_groups + 1) * sizeof(*is_told));
	struct doc_table *t = doc_table_new(6, headings);
	const char *heading;
	size_t i, k;

	for (k = 0; k < s->n_links; k++) {
		if (!s->links[k].is_support)
			sketch_text_link(t, s, &s->links[k], is_told);
	}
	doc_table_write(t, out, 2, OUT_WIDTH - 1, columns);
	doc_table_free(t);
	for (i = 0; i < s->n_groups; i++) {
		if (is_told[i])
			continue;
		for (k = 0; k < s->n_links && s->links[k].from != i; k++)
			;
		heading = s->groups[i].side == COMBAT_ATTACKER
		    ? "Behind the attackers"
		    : "Behind the defenders";
		if (k < s->n_links)
			heading = s->groups[i].side == COMBAT_ATTACKER
			    ? "In support of the attackers"
			    : "In support of the defenders";
		sketch_text_group(s, i, heading, out, columns);
	}
	sketch_text_key(s, out);
	free(is_told);
}
