/* SPDX-License-Identifier: ISC */
/*
 * Whole records: a file that somebody sends is judged, never trusted.  One
 * that begins with "!" is of the players and the server of the unit tests,
 * and all of them lie: its lines are chained, signed and marked anew, so that
 * what they say reaches the game's own checks.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/lib/table.h"

#define FUZZ_VERIFY_LINES 64

/* The lines so far. */
struct fuzz_verify {
	struct table t; /* for its keys */
	uint8_t hashes[FUZZ_VERIFY_LINES][HASH_LEN];
	size_t n;
	json_t *game; /* owned; of the first line */
	struct buf out;
};

/* Judges a file with the rules and without. */
static void
fuzz_verify_judge(const char *bytes, size_t len)
{
	struct verify_options opt = {.head_seq = -1};
	struct verify_report rep;
	struct game *g;
	struct errinfo e;
	json_t *view;
	int r;

	for (opt.no_rules = false;; opt.no_rules = true) {
		g = NULL;
		r = verify_bytes(bytes, len, &opt, &rep, &g, &e);
		FUZZ_MUST(r == 0 || r == ERR_BAD);
		FUZZ_MUST(r == 0 || len == 0 || rep.file_line > 0);
		FUZZ_MUST(r != 0 || rep.lines > 0);
		if (r == 0) {
			FUZZ_MUST((view = game_view(g)) != NULL);
			json_decref(view);
		}
		game_free(g);
		if (opt.no_rules)
			return;
	}
}

/* Replaces a member that is there; value is stolen, NULL changes nothing. */
static void
fuzz_verify_set(json_t *object, const char *name, json_t *value)
{
	if (value != NULL && json_object_get(object, name) != NULL)
		FUZZ_MUST(json_object_set(object, name, value) == 0);
	json_decref(value);
}

/* Makes the order in a line one of this record, by the seat that it names. */
static void
fuzz_verify_order(struct fuzz_verify *v, json_t *line)
{
	const json_t *text = json_object_get(line, "order");
	json_int_t after, seat;
	struct table *t = &v->t;
	json_t *order;

	if (!json_is_string(text) ||
	    js_load(json_string_value(text), json_string_length(text),
		JS_DEPTH_RECORD, &order, NULL) != 0)
		return;
	seat = json_integer_value(json_object_get(order, "seat"));
	if (json_object_get(order, "seat") == NULL)
		seat = 1;
	if (json_object_get(order, "after") != NULL) {
		after = json_integer_value(json_object_get(order, "after"));
		fuzz_verify_set(order, "game", json_incref(v->game));
		if (after >= 0 && after < (json_int_t)v->n)
			fuzz_verify_set(
			    order, "head", js_hex(v->hashes[after], HASH_LEN));
	}
	if (seat >= 0 && seat < GAME_SEATS) {
		table_reword(t, (int)seat, order);
		fuzz_verify_set(
		    line, "order", json_stringn(t->text.data, t->text.len));
		fuzz_verify_set(line, "sig", js_hex(t->sig, SIGN_LEN));
		fuzz_verify_set(line, "key",
		    js_hex(t->keys[seat].sign.public_key, SIGN_KEY_LEN));
	}
	json_decref(order);
}

/* Appends a line, chained and marked anew. */
static void
fuzz_verify_line(struct fuzz_verify *v, json_t *line)
{
	uint8_t h[HASH_LEN], mark[SIGN_LEN];
	size_t from = v->out.len;

	if (v->game == NULL)
		v->game = json_incref(json_object_get(line, "game"));
	if (v->n > 0)
		fuzz_verify_set(
		    line, "prev", js_hex(v->hashes[v->n - 1], HASH_LEN));
	fuzz_verify_order(v, line);
	(void)json_object_del(line, "mark");
	js_dump(line, &v->out);
	FUZZ_MUST(buf_error(&v->out) == 0);
	v->out.len--; /* the brace */
	FUZZ_MUST(hash_sha256(h, v->out.data + from, v->out.len - from) == 0);
	FUZZ_MUST(
	    sign_make(&v->t.server, SIGN_TAG_MARK, h, HASH_LEN, mark) == 0);
	buf_puts(&v->out, ",\"mark\":\"");
	buf_hex(&v->out, mark, SIGN_LEN);
	buf_puts(&v->out, "\"}");
	FUZZ_MUST(hash_sha256(v->hashes[v->n++], v->out.data + from,
		      v->out.len - from) == 0);
	buf_putc(&v->out, '\n');
}

/* Judges what those who hold the keys could make of these lines. */
static void
fuzz_verify_forged(const char *p, const char *end)
{
	struct fuzz_verify v;
	const char *lf;
	json_t *line;

	memset(&v, 0, sizeof(v));
	table_init(&v.t);
	buf_init(&v.out, 0);
	for (; p < end && v.n < FUZZ_VERIFY_LINES; p = lf + 1) {
		if ((lf = memchr(p, '\n', (size_t)(end - p))) == NULL)
			break;
		if (js_load(p, (size_t)(lf - p), JS_DEPTH_RECORD, &line,
			NULL) != 0) {
			buf_add(&v.out, p, (size_t)(lf - p) + 1);
			continue;
		}
		if (json_object_get(line, "seq") == NULL)
			buf_add(&v.out, p, (size_t)(lf - p) + 1);
		else
			fuzz_verify_line(&v, line);
		json_decref(line);
	}
	if (buf_error(&v.out) == 0)
		fuzz_verify_judge(buf_str(&v.out), v.out.len);
	buf_clear(&v.out);
	json_decref(v.game);
	table_clear(&v.t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data;

	if (size > 1 && p[0] == '!' && p[1] == '\n')
		fuzz_verify_forged(p + 2, p + size);
	else
		fuzz_verify_judge(p, size);
	return (0);
}
