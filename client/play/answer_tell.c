/* SPDX-License-Identifier: ISC */
/*
 * The decision is made of the words and told by the renderer of the log,
 * which learns the units' names from the rosters as it does from a combat's
 * facts.
 */
#include "client/play/answer_tell.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/words.h"
#include "client/base/xalloc.h"
#include "client/play/answer.h"
#include "common/base/buf.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/show/render_row.h"

/* render_sink: drops rows; the names have been learned. */
static void
answer_tell_drop_cb(void *arg, const struct render_row *row)
{
	(void)arg;
	(void)row;
}

/* render_sink: keeps the sentences. */
static void
answer_tell_keep_cb(void *arg, const struct render_row *row)
{
	struct buf *b = arg;

	if (row->kind == RENDER_ROW_TEXT)
		buf_printf(b, "%s%s", b->len == 0 ? "" : " ", row->text);
}

/* The decision of the words; new, or NULL. */
static json_t *
answer_tell_parse(const json_t *asked, const json_t *words)
{
	const char *kind = json_string_value(json_object_get(asked, "kind"));
	struct errinfo e = {.text = ""};
	size_t i, n = json_array_size(words);
	json_t *decision = NULL;
	const char **list;

	if (kind == NULL || n == 0)
		return (NULL);
	list = xalloc(n * sizeof(*list));
	for (i = 0; i < n; i++)
		list[i] = words_get(words, i);
	if (answer_parse(kind, json_object_get(asked, "options"), (int)n, list,
		&decision, &e) != 0)
		decision = NULL;
	free(list);
	return (decision);
}

/* Tells a decision; it becomes the event of itself. */
static char *
answer_tell_event(const struct rules_system *sys, const json_t *view,
    const json_t *asked, json_t *decision)
{
	struct render_sink drop = {.row_cb = answer_tell_drop_cb};
	struct render_sink keep = {.row_cb = answer_tell_keep_cb};
	json_t *names;
	struct render *rd;
	struct buf b;

	if ((rd = render_new(sys)) == NULL)
		(void)xalloc_json(NULL);
	names = xalloc_json(json_object());
	xalloc_set(names, "e", xalloc_json_str("combat"));
	xalloc_set(
	    names, "roster", xalloc_copy(json_object_get(view, "roster")));
	render_rows(rd, names, &drop);
	json_decref(names);
	xalloc_set(decision, "e", xalloc_json_str("decision"));
	xalloc_set(decision, "side", xalloc_copy(json_object_get(asked, "as")));
	buf_init(&b, 0);
	keep.arg = &b;
	render_rows(rd, decision, &keep);
	render_free(rd);
	return (xalloc_take(&b));
}

char *
answer_tell(const struct rules_system *sys, const json_t *view,
    const json_t *asked, const json_t *words)
{
	json_t *decision;
	size_t len;
	char *s;

	if (sys == NULL || !json_is_object(json_object_get(view, "roster")) ||
	    !json_is_string(json_object_get(asked, "as")) ||
	    (decision = answer_tell_parse(asked, words)) == NULL)
		return (NULL);
	s = answer_tell_event(sys, view, asked, decision);
	json_decref(decision);
	len = strlen(s);
	if (len > 0 && s[len - 1] == '.')
		s[len - 1] = '\0';
	return (s);
}
