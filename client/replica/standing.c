/* SPDX-License-Identifier: ISC */
/*
 * The file of standing orders.  The server holds their texts too; this one is
 * what an order that was not answered is sent again with, and what its author
 * reads them from.
 */
#include "client/replica/standing.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/past.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/copy.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

#define STANDING_FILE_MAX 4194304 /* bytes of the file */

char *
standing_text(const char *kind, const char *word)
{
	json_t *v;
	char *s;

	v = xalloc_json(json_object());
	xalloc_set(v, "kind", xalloc_json_str(kind));
	xalloc_set(v, "do", xalloc_json_str(word));
	s = xalloc_dump(v);
	json_decref(v);
	return (s);
}

int
standing_load(const struct copy *c, json_t **list, struct errinfo *e)
{
	json_t *root = NULL;
	struct buf b;
	char *path;
	int r;

	path = profile_game_path(c->p, c->id, ".standing");
	buf_init(&b, 0);
	r = file_read(path, STANDING_FILE_MAX, &b, e);
	if (r == ERR_NOTFOUND) {
		*list = xalloc_json(json_array());
		r = 0;
	} else if (r == 0 &&
	    (js_load(buf_str(&b), b.len, JS_DEPTH_RPC, &root, NULL) != 0 ||
		!json_is_array(root))) {
		json_decref(root);
		r = err_set(e, ERR_BAD, NULL,
		    "the file of your standing orders is damaged: '%s'", path);
	} else if (r == 0) {
		*list = root;
	}
	buf_clear(&b);
	free(path);
	return (r);
}

/* The commitment of the standing order in a line, in hex; false if none. */
static bool
standing_commit(const struct copy *c, int64_t seq, char hex[2 * HASH_LEN + 1])
{
	uint8_t commit[HASH_LEN];
	struct past_entry en;
	bool is_it;

	if (!past_read(c, seq, &en))
		return (false);
	is_it = en.o.kind == ORDER_STANDING &&
	    js_get_hex(en.o.args, "commit", NULL, commit, HASH_LEN, NULL) == 0;
	if (is_it)
		hex_format(hex, commit, HASH_LEN);
	past_entry_clear(&en);
	return (is_it);
}

const char *
standing_find(const struct copy *c, const json_t *list, int64_t seq)
{
	char hex[2 * HASH_LEN + 1];
	const json_t *v;
	const char *s;
	size_t i;

	if (!standing_commit(c, seq, hex))
		return (NULL);
	json_array_foreach(list, i, v)
	{
		s = json_string_value(json_object_get(v, "commit"));
		if (s != NULL && strcmp(s, hex) == 0)
			return (json_string_value(json_object_get(v, "text")));
	}
	return (NULL);
}

int
standing_opened(const struct copy *c, json_t **list, struct errinfo *e)
{
	char hex[2 * HASH_LEN + 1];
	json_t *all, *one, *out;
	const json_t *v;
	const char *s;
	int64_t seq;
	size_t i;
	int r;

	if ((r = standing_load(c, &all, e)) != 0)
		return (r);
	out = xalloc_json(json_array());
	for (seq = 0; seq < c->n && json_array_size(all) > 0; seq++) {
		if (!standing_commit(c, seq, hex))
			continue;
		json_array_foreach(all, i, v)
		{
			s = json_string_value(json_object_get(v, "commit"));
			if (s == NULL || strcmp(s, hex) != 0)
				continue;
			one = xalloc_json(json_object());
			xalloc_set(one, "seq", json_integer(seq));
			xalloc_set(one, "salt",
			    xalloc_copy(json_object_get(v, "salt")));
			xalloc_set(one, "text",
			    xalloc_copy(json_object_get(v, "text")));
			xalloc_append(out, one);
			break;
		}
	}
	json_decref(all);
	*list = out;
	return (0);
}

int
standing_give(const struct copy *c, struct verify *v)
{
	struct verify_opened o = {.seq = -1};
	const json_t *one;
	json_t *all;
	size_t i;
	int r = 0;

	if (standing_load(c, &all, NULL) != 0)
		return (0);
	json_array_foreach(all, i, one)
	{
		if (js_get_hex(
			one, "salt", NULL, o.salt, sizeof(o.salt), NULL) != 0 ||
		    js_get_str(one, "text", NULL, &o.text, NULL) != 0)
			continue;
		if ((r = verify_add_opened(v, &o)) != 0)
			break;
	}
	json_decref(all);
	return (r);
}

/* Those entries of a list whose orders stand in the record; new. */
static json_t *
standing_sent(const struct copy *c, const json_t *list)
{
	char hex[2 * HASH_LEN + 1];
	json_t *kept, *seen;
	const json_t *v;
	const char *s;
	int64_t seq;
	size_t i;

	seen = xalloc_json(json_object());
	kept = xalloc_json(json_array());
	for (seq = 0; seq < c->n && json_array_size(list) > 0; seq++) {
		if (standing_commit(c, seq, hex))
			xalloc_set(seen, hex, json_true());
	}
	json_array_foreach(list, i, v)
	{
		s = json_string_value(json_object_get(v, "commit"));
		if (s != NULL && json_object_get(seen, s) != NULL)
			xalloc_append(kept, xalloc_copy(v));
	}
	json_decref(seen);
	return (kept);
}

/* Makes the entry and what goes beside the order. */
static int
standing_new(const struct copy *c, int seat, const char *text, json_t *list,
    struct standing *s)
{
	uint8_t salt[RECORD_SALT_LEN];
	int64_t ask = c->n - 1;
	json_t *v;

	if (hash_random(salt, sizeof(salt)) != 0 ||
	    record_secret(
		s->commit, c->id, seat, ask, salt, text, strlen(text)) != 0)
		return (ERR_INTERNAL);
	v = xalloc_json(json_object());
	xalloc_set(v, "seat", json_integer(seat));
	xalloc_set(v, "ask", json_integer(ask));
	xalloc_set(v, "commit", js_hex(s->commit, HASH_LEN));
	xalloc_set(v, "salt", js_hex(salt, RECORD_SALT_LEN));
	xalloc_set(v, "text", xalloc_json_str(text));
	s->open = xalloc_json(json_object());
	xalloc_set(s->open, "salt", xalloc_copy(json_object_get(v, "salt")));
	xalloc_set(s->open, "text", xalloc_copy(json_object_get(v, "text")));
	xalloc_append(list, v);
	return (0);
}

int
standing_make(struct copy *c, int seat, const char *text, struct standing *s,
    struct errinfo *e)
{
	json_t *kept = NULL, *list;
	char *path, *bytes = NULL;
	int r;

	memset(s, 0, sizeof(*s));
	path = profile_game_path(c->p, c->id, ".pending");
	if (file_exists(path)) {
		free(path);
		return (err_set(e, ERR_EXISTS, NULL,
		    "an earlier order is not answered yet"));
	}
	free(path);
	if ((r = standing_load(c, &list, e)) != 0)
		return (r);
	kept = standing_sent(c, list);
	path = profile_game_path(c->p, c->id, ".standing");
	if ((r = standing_new(c, seat, text, kept, s)) != 0) {
		r = err_set(e, r, NULL, "no random source");
	} else {
		bytes = xalloc_dump(kept);
		r = file_write(path, bytes, strlen(bytes), 0600, e);
	}
	if (r != 0)
		standing_clear(s);
	free(bytes);
	free(path);
	json_decref(kept);
	json_decref(list);
	return (r);
}

void
standing_clear(struct standing *s)
{
	json_decref(s->open);
	memset(s, 0, sizeof(*s));
}
