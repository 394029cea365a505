/* SPDX-License-Identifier: ISC */
/* Orders on their way, as files. */
#include "client/replica/outbox.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/record.h"

#define OUTBOX_CLOCK_MS 120000 /* record S6.6: clients warn beyond */

struct outbox
outbox_game(const struct profile *p, const uint8_t *id)
{
	return ((struct outbox){.p = p,
	    .id = id,
	    .suffix = ".pending",
	    .refusals = ".refusals",
	    .member = "game"});
}

char *
outbox_path(const struct outbox *ob)
{
	return (profile_game_path(ob->p, ob->id, ob->suffix));
}

int
outbox_store(const struct outbox *ob, const char *method, json_t *params,
    struct errinfo *e)
{
	json_t *o;
	char *path, *text;
	int r;

	o = xalloc_json(json_pack(
	    "{s:s, s:o}", "method", method, "params", xalloc_json(params)));
	text = xalloc_dump(o);
	json_decref(o);
	if (profile_game_has(ob->p, ob->id, ob->suffix)) {
		path = outbox_path(ob);
		r = err_set(e, ERR_EXISTS, NULL,
		    "an earlier order is not answered yet ('%s')", path);
		free(path);
	} else {
		r = profile_game_write(
		    ob->p, ob->id, ob->suffix, text, strlen(text), e);
	}
	free(text);
	return (r);
}

int
outbox_load(const struct outbox *ob, struct send_pending *sp, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	json_t *root = NULL;
	struct buf b;
	char *path;
	int r;

	memset(sp, 0, sizeof(*sp));
	buf_init(&b, 0);
	r = profile_game_read(ob->p, ob->id, ob->suffix, 0, &b, e);
	if (r != 0)
		goto out;
	if (js_load(buf_str(&b), b.len, JS_DEPTH_RPC, &root, &why) != 0 ||
	    js_get_str(root, "method", NULL, &sp->method, &why) != 0 ||
	    js_get_object(root, "params", NULL, &sp->params, &why) != 0) {
		json_decref(root);
		path = outbox_path(ob);
		r = err_set(e, ERR_BAD, NULL,
		    "the unanswered order in '%s' is damaged: %s", path,
		    why.text);
		free(path);
		goto out;
	}
	sp->root = root;
out:
	buf_clear(&b);
	return (r);
}

void
outbox_clear(struct send_pending *sp)
{
	json_decref(sp->root);
	memset(sp, 0, sizeof(*sp));
}

int
outbox_done(const struct outbox *ob, struct errinfo *e)
{
	char *path;
	int r;

	path = outbox_path(ob);
	r = file_remove(path, e);
	free(path);
	return (r);
}

/* The line on which an order rests; -1: a create order's rests on none. */
static int64_t
outbox_after(const struct outbox *ob)
{
	struct send_pending sp;
	json_t *order = NULL;
	int64_t after = -1;
	const char *text;

	if (outbox_load(ob, &sp, NULL) != 0)
		return (-1);
	text = js_str(sp.params, "order");
	if (text == NULL ||
	    js_load(text, strlen(text), JS_DEPTH_RECORD, &order, NULL) != 0 ||
	    js_get_int(order, "after", NULL, 0, JS_INT_MAX, &after, NULL) != 0)
		after = -1;
	json_decref(order);
	outbox_clear(&sp);
	return (after);
}

int
outbox_drop(const struct outbox *ob, int64_t seq, struct errinfo *e)
{
	if (outbox_after(ob) < seq)
		return (0);
	out_note("Your order that waited for its answer rests on a line that "
		 "was lost: it can never\ncount now, and is dropped.");
	return (outbox_done(ob, e));
}

bool
outbox_is_refusal(
    const struct outbox *ob, const json_t *refusal, const uint8_t oid[HASH_LEN])
{
	uint8_t of[HASH_LEN], id[HASH_LEN], sig[SIGN_LEN];
	const char *text;
	json_t *o = NULL;
	bool is_good;

	if (js_get_str(refusal, "text", NULL, &text, NULL) != 0 ||
	    js_get_hex(refusal, "sig", NULL, sig, SIGN_LEN, NULL) != 0 ||
	    sign_check(ob->p->pin, SIGN_TAG_REFUSAL, text, strlen(text), sig) !=
		0 ||
	    js_load(text, strlen(text), JS_DEPTH_RECORD, &o, NULL) != 0)
		return (false);
	is_good = js_get_hex(o, "oid", NULL, id, HASH_LEN, NULL) == 0 &&
	    js_get_hex(o, ob->member, NULL, of, HASH_LEN, NULL) == 0 &&
	    memcmp(id, oid, HASH_LEN) == 0 && memcmp(of, ob->id, HASH_LEN) == 0;
	json_decref(o);
	return (is_good);
}

int
outbox_refused(const struct outbox *ob, const struct send_pending *sp,
    const json_t *refusal, struct errinfo *e)
{
	char *line, *s;
	json_t *o;
	int r;

	o = xalloc_json(
	    json_pack("{s:O, s:O}", "refusal", refusal, "params", sp->params));
	s = xalloc_dump(o);
	line = xalloc_printf("%s\n", s);
	r = profile_game_append(
	    ob->p, ob->id, ob->refusals, line, strlen(line), e);
	free(line);
	free(s);
	json_decref(o);
	return (r == 0 ? outbox_done(ob, e) : r);
}

void
outbox_check_clock(int64_t at_ms)
{
	const int64_t off = at_ms - clock_wall_ms();
	const int64_t by_s = (off > 0 ? off : -off) / 1000;

	if (off > OUTBOX_CLOCK_MS || off < -OUTBOX_CLOCK_MS)
		out_note("Warning: the server's clock is %lld %s %s yours, and "
			 "deadlines go by it.\nIs this machine's right?",
		    (long long)(by_s < 7200 ? by_s / 60 : by_s / 3600),
		    by_s < 7200 ? "minutes" : "hours",
		    off > 0 ? "ahead of" : "behind");
}

json_t *
outbox_texts(json_t *args, const struct outbox_text *texts, size_t n)
{
	uint8_t ref[HASH_LEN], salt[RECORD_SALT_LEN];
	json_t *list = NULL;
	size_t i;

	for (i = 0; i < n; i++) {
		if (texts[i].value == NULL)
			continue;
		if (list == NULL)
			list = xalloc_json(json_array());
		if (hash_random(salt, sizeof(salt)) != 0 ||
		    record_text_ref(
			ref, salt, texts[i].value, strlen(texts[i].value)) != 0)
			xalloc_die();
		xalloc_append(list,
		    json_pack("{s:o, s:o}", "salt", js_hex(salt, sizeof(salt)),
			"value", xalloc_json_str(texts[i].value)));
		xalloc_set(args, texts[i].member, js_hex(ref, HASH_LEN));
	}
	return (list);
}

bool
outbox_is_same(const json_t *sent, const json_t *args,
    const struct outbox_text *texts, size_t n)
{
	json_t *a, *b;
	bool is_same;
	size_t i;

	a = xalloc_copy(sent);
	b = xalloc_copy(args);
	for (i = 0; i < n; i++) {
		/* A missing member will do as well. */
		(void)json_object_del(a, texts[i].member);
		(void)json_object_del(b, texts[i].member);
	}
	is_same = json_equal(a, b);
	json_decref(a);
	json_decref(b);
	return (is_same);
}

bool
outbox_has_texts(const json_t *sent, const struct outbox_text *texts, size_t n)
{
	size_t i, used = 0;
	const char *s;

	for (i = 0; i < n; i++) {
		if (texts[i].value == NULL)
			continue;
		s = json_string_value(
		    json_object_get(json_array_get(sent, used), "value"));
		if (s == NULL || strcmp(s, texts[i].value) != 0)
			return (false);
		used++;
	}
	return (used == json_array_size(sent));
}
