/* SPDX-License-Identifier: ISC */
/* The sentences are the renderer's, which learns names from the combat. */
#include "client/report/stated.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_facts.h"
#include "common/json/js.h"
#include "common/rules/show/render.h"
#include "common/rules/systems/systems.h"

/* Makes lines one line: a space for each break and what indents it. */
static void
stated_unfold(char *s)
{
	char *to = s;

	for (; *s != '\0'; s++) {
		if (*s != '\n' && *s != ' ')
			*to++ = *s;
		else if (s[1] != '\n' && s[1] != ' ' && s[1] != '\0')
			*to++ = ' ';
	}
	*to = '\0';
}

char *
stated_words(const struct game *g)
{
	const struct rules_system *sys = systems_find(game_system(g));
	struct render *rd = NULL;
	json_t *events = NULL, *v;
	struct buf b;
	size_t i;
	char *s;

	if (game_fact_owed(g) == NULL)
		return (NULL);
	buf_init(&b, 0);
	if (sys != NULL && (rd = render_new(sys)) == NULL)
		xalloc_die();
	if (rd != NULL && game_combat_events(g, &events) == 0) {
		render_hide_ids(rd);
		/* The decision is the last. */
		json_array_foreach(events, i, v)
		{
			buf_clear(&b);
			render_event(rd, v, &b);
		}
		json_decref(events);
	}
	render_free(rd);
	s = xalloc_take(&b);
	stated_unfold(s);
	return (s);
}

char *
stated_objections(const struct game *g)
{
	json_t *list = game_objections(g), *v;
	int64_t seat, last = -1, total;
	struct buf b, kinds;
	size_t i, n = json_array_size(list);

	buf_init(&b, 0);
	buf_init(&kinds, 0);
	for (i = 0, total = 0; i < n; i++) {
		v = json_array_get(list, i);
		seat = js_int(v, "seat");
		if (seat != last) {
			total = 0;
			buf_clear(&kinds);
		}
		last = seat;
		total += js_int(v, "n");
		buf_printf(&kinds, "%s%s %lld", kinds.len == 0 ? "" : ", ",
		    js_str(v, "kind"), (long long)js_int(v, "n"));
		if (i + 1 < n &&
		    js_int(json_array_get(list, i + 1), "seat") == seat)
			continue;
		buf_printf(&b, "%s%s %lld (%s)", b.len == 0 ? "" : "; ",
		    game_account(g, (int)seat), (long long)total,
		    buf_str(&kinds));
	}
	buf_clear(&kinds);
	json_decref(list);
	if (b.len == 0) {
		buf_clear(&b);
		return (NULL);
	}
	return (xalloc_take(&b));
}
