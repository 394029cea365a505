/* SPDX-License-Identifier: ISC */
/*
 * It is told by the renderer of the log, which learns the units' names from
 * the rosters as it does from a combat's facts.
 */
#include "client/play/decision_text.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/show/render_value.h"
#include "common/rules/show/show_list.h"
#include "common/rules/systems/systems.h"

/* render_sink: keeps the sentences. */
static void
decision_text_keep_cb(void *arg, const struct render_row *row)
{
	struct buf *b = arg;

	if (row->kind == RENDER_ROW_TEXT)
		buf_printf(b, "%s%s", b->len == 0 ? "" : " ", row->text);
}

/* A renderer that knows the names of the roster; render_free(). */
static struct render *
decision_text_open(const struct rules_system *sys, const json_t *roster)
{
	struct render *rd;

	if ((rd = render_new(sys)) == NULL)
		xalloc_die();
	render_know(rd, roster);
	return (rd);
}

struct render *
decision_text_names(const struct game *g)
{
	const struct rules_system *sys;

	sys = g == NULL ? NULL : systems_find(game_system(g));
	return (sys == NULL ? NULL : decision_text_open(sys, game_roster(g)));
}

char *
decision_text_losses(const struct game *g, int seat, const json_t *decision)
{
	const struct rules_system *sys = systems_find(game_system(g));
	json_t *units = NULL, *v;
	struct render *rd;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	buf_puts(&b, "");
	if (sys == NULL || game_roster(g) == NULL ||
	    game_removed_by(g, seat, decision, &units) != 0 ||
	    json_array_size(units) == 0) {
		json_decref(units);
		return (xalloc_take(&b));
	}
	rd = decision_text_open(sys, game_roster(g));
	buf_printf(&b, "  %s: ", show_list_find(sys)->losses->removes);
	json_array_foreach(units, i, v) buf_printf(&b, "%s%s",
	    i == 0 ? "" : ", ", render_value_name(rd, json_string_value(v)));
	buf_puts(&b, ".");
	render_free(rd);
	json_decref(units);
	return (xalloc_take(&b));
}

/* What a choice of a word means, a constant; NULL: that is not said. */
static const char *
decision_text_about(const struct render *rd, const json_t *decision)
{
	const char *kind = js_str(decision, "kind"), *word;

	word = kind == NULL ? NULL : js_str(decision, kind);
	return (
	    word == NULL ? NULL : render_value_word(rd, "choice", kind, word));
}

char *
decision_text(const struct rules_system *sys, const json_t *roster,
    const json_t *asked, const json_t *decision)
{
	struct render_sink keep = {.row_cb = decision_text_keep_cb};
	const char *about;
	json_t *event;
	struct render *rd;
	struct buf b;

	if (sys == NULL || !json_is_object(roster) ||
	    !json_is_string(json_object_get(asked, "as")))
		return (NULL);
	rd = decision_text_open(sys, roster);
	/* The decision becomes the event of itself. */
	event = xalloc_copy(decision);
	xalloc_set(event, "e", xalloc_json_str("decision"));
	xalloc_set(event, "side", xalloc_copy(json_object_get(asked, "as")));
	buf_init(&b, 0);
	keep.arg = &b;
	render_rows(rd, event, &keep);
	about = decision_text_about(rd, decision);
	render_free(rd);
	json_decref(event);
	if (b.len > 0 && b.data[b.len - 1] == '.')
		b.data[--b.len] = '\0';
	if (about != NULL)
		buf_printf(&b, " (%s)", about);
	return (xalloc_take(&b));
}
