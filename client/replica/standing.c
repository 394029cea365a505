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
#include "client/profile/profile.h"
#include "client/report/battle.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/order.h"

char *
standing_text(const char *kind, const char *word)
{
	json_t *v;
	char *s;

	v = xalloc_json(json_pack("{s:o, s:o}", "kind", xalloc_json_str(kind),
	    "do", xalloc_json_str(word)));
	s = xalloc_dump(v);
	json_decref(v);
	return (s);
}

int
standing_load(const struct profile *p, const uint8_t id[HASH_LEN],
    json_t **list, struct errinfo *e)
{
	json_t *root = NULL;
	struct buf b;
	char *path;
	int r;

	buf_init(&b, 0);
	r = profile_game_read(p, id, ".standing", 0, &b, e);
	if (r == ERR_NOTFOUND) {
		*list = xalloc_json(json_array());
		r = 0;
	} else if (r == 0 &&
	    (js_load(buf_str(&b), b.len, JS_DEPTH_RPC, &root, NULL) != 0 ||
		!json_is_array(root))) {
		json_decref(root);
		path = profile_game_path(p, id, ".standing");
		r = err_set(e, ERR_BAD, NULL,
		    "the file of your standing orders is damaged: '%s'", path);
		free(path);
	} else if (r == 0) {
		*list = root;
	}
	buf_clear(&b);
	return (r);
}

/* The entry of the standing order of a line, borrowed; NULL: none. */
static json_t *
standing_entry(const struct battle *b, const json_t *list, int64_t seq)
{
	uint8_t commit[HASH_LEN], own[HASH_LEN];
	struct battle_line bl;
	json_t *found = NULL, *v;
	size_t i;

	if (battle_entry(b, seq)->kind != ORDER_STANDING ||
	    !battle_read(b, seq, &bl))
		return (NULL);
	if (js_get_hex(bl.o.args, "commit", NULL, commit, HASH_LEN, NULL) ==
	    0) {
		json_array_foreach(list, i, v)
		{
			if (js_get_hex(
				v, "commit", NULL, own, HASH_LEN, NULL) == 0 &&
			    memcmp(own, commit, HASH_LEN) == 0)
				found = v;
		}
	}
	battle_clear(&bl);
	return (found);
}

const char *
standing_find(const struct battle *b, const json_t *list, int64_t seq)
{
	return (js_str(standing_entry(b, list, seq), "text"));
}

json_t *
standing_opened(const struct battle *b, const json_t *list)
{
	json_t *out = xalloc_json(json_array()), *v;
	int64_t seq;

	for (seq = 0; seq < battle_lines(b); seq++) {
		if ((v = standing_entry(b, list, seq)) == NULL)
			continue;
		xalloc_append(out,
		    json_pack("{s:I, s:O, s:O}", "seq", (json_int_t)seq, "salt",
			json_object_get(v, "salt"), "text",
			json_object_get(v, "text")));
	}
	return (out);
}

int
standing_give(
    const struct profile *p, const uint8_t id[HASH_LEN], struct verify *v)
{
	struct verify_opened o = {.seq = -1};
	const json_t *one;
	json_t *all;
	size_t i;
	int r = 0;

	if (standing_load(p, id, &all, NULL) != 0)
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

int
standing_make(const struct profile *p, const struct battle *b, int seat,
    const char *text, struct standing *s, struct errinfo *e)
{
	const uint8_t *id = game_id(battle_game(b));
	const int64_t ask = battle_lines(b) - 1;
	json_t *kept, *list, *v;
	uint8_t salt[RECORD_SALT_LEN];
	char *bytes;
	int64_t seq;
	int r;

	memset(s, 0, sizeof(*s));
	if (profile_game_has(p, id, ".pending"))
		return (err_set(e, ERR_EXISTS, NULL,
		    "an earlier order is not answered yet"));
	if ((r = standing_load(p, id, &list, e)) != 0)
		return (r);
	if (hash_random(salt, sizeof(salt)) != 0 ||
	    record_secret(s->commit, id, seat, ask, salt, text, strlen(text)) !=
		0) {
		json_decref(list);
		return (err_set(
		    e, ERR_INTERNAL, NULL, "there is no source of randomness"));
	}
	s->open = xalloc_json(json_pack("{s:o, s:o}", "salt",
	    js_hex(salt, RECORD_SALT_LEN), "text", xalloc_json_str(text)));
	/* Those whose orders never reached the record are dropped. */
	kept = xalloc_json(json_array());
	for (seq = 0; seq <= ask; seq++) {
		if ((v = standing_entry(b, list, seq)) != NULL)
			xalloc_append(kept, json_incref(v));
	}
	v = xalloc_copy(s->open);
	xalloc_set(v, "seat", json_integer(seat));
	xalloc_set(v, "ask", json_integer(ask));
	xalloc_set(v, "commit", js_hex(s->commit, HASH_LEN));
	xalloc_append(kept, v);
	bytes = xalloc_dump(kept);
	r = profile_game_write(p, id, ".standing", bytes, strlen(bytes), e);
	if (r != 0)
		standing_clear(s);
	free(bytes);
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
