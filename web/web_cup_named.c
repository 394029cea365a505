/* SPDX-License-Identifier: ISC */
#include "web/web_cup_named.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "common/json/js.h"
#include "common/record/record.h"

void
web_cup_named_init(struct web_cup_named *k)
{
	memset(k, 0, sizeof(*k));
	k->index = xalloc_json(json_object());
}

void
web_cup_named_clear(struct web_cup_named *k)
{
	json_decref(k->index);
	free(k->games);
	memset(k, 0, sizeof(*k));
}

struct web_cup_game *
web_cup_named_game(const struct web_cup_named *k, const char *hex)
{
	const json_t *at = json_object_get(k->index, hex);

	return (at == NULL ? NULL : &k->games[json_integer_value(at)]);
}

/* Notes what an object says of a game and its line, if it does. */
static void
web_cup_named_note(struct web_cup_named *k, const json_t *v)
{
	const json_t *seq = json_object_get(v, "seq");
	const char *hex = js_str(v, "game");
	struct web_cup_game *g;

	if (hex == NULL || strlen(hex) != 2 * HASH_LEN)
		return;
	if ((g = web_cup_named_game(k, hex)) == NULL) {
		xalloc_set(k->index, hex, json_integer((json_int_t)k->n));
		k->games = xalloc_more(k->games, k->n, sizeof(*k->games));
		g = &k->games[k->n++];
		memset(g, 0, sizeof(*g));
		memcpy(g->hex, hex, sizeof(g->hex));
		g->need = -1;
	}
	if (json_is_integer(seq) && json_integer_value(seq) > g->need)
		g->need = json_integer_value(seq);
}

void
web_cup_named_line(struct web_cup_named *k, const char *line, size_t len)
{
	static const char named[] = "\"game\":\"";
	struct record_line ln;
	const json_t *event;
	size_t i;

	if (memmem(line, len, named, sizeof(named) - 1) == NULL ||
	    record_parse_tournament(line, len, &ln, NULL) != 0)
		return;
	if (ln.kind == RECORD_SERVER)
		web_cup_named_note(k, ln.data);
	json_array_foreach(ln.events, i, event) web_cup_named_note(k, event);
	record_clear(&ln);
}

bool
web_cup_named_is_other(const char *line, size_t len, const char *hex)
{
	static const char before[] = ",\"tournament\":\"";
	const char *at = memchr(line, ',', len);
	const size_t n = sizeof(before) - 1;

	return (at != NULL && len - (size_t)(at - line) > n + 2 * HASH_LEN &&
	    memcmp(at, before, n) == 0 &&
	    memcmp(at + n, hex, 2 * HASH_LEN) != 0);
}
