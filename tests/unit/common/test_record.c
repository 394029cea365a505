/* SPDX-License-Identifier: ISC */
/*
 * Lines, side lines, marks and refusals: the one form that each has
 * (umpire-record.7, S2, S5, S9).
 */
#include "common/record/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"

#include "tests/lib/alloc.h"
#include "tests/lib/quoted.h"

#define AT_MS 1795176061042 /* 2026-11-20T12:01:01.042Z */

static const uint8_t game[HASH_LEN] = {0xab, 1};
static const uint8_t prev[HASH_LEN] = {0xcd, 2};
static const uint8_t key[SIGN_KEY_LEN] = {0xef, 3};
static const uint8_t sig[SIGN_LEN] = {0x12, 4};
static const uint8_t pool[HASH_LEN] = {0x34, 5};

static struct sign_key server;
static json_t *dice, *owes, *opened, *events, *data;

/* Kinds of whole lines: each member stands in one of them. */
enum whole {
	WHOLE_DICE, /* order with dice, opened, pool */
	WHOLE_OWES, /* order with owes */
	WHOLE_KEY,
	WHOLE_SERVER,
	WHOLE_KINDS,
};

/* Makes the values that lines are made of. */
static int
group_setup(void **state)
{
	static const uint8_t seed[SIGN_KEY_LEN] = {9};

	(void)state;
	dice = json_pack("{s:s, s:s, s:[{s:s, s:i, s:[i]}]}", "place",
	    "c/1/ru-1/1/1", "proof", "00", "rolls", "label", "score/fr-1",
	    "sides", 6, "dice", 4);
	owes = json_pack("{s:i, s:s}", "seat", 2, "place", "c/1/ru-1/1/1");
	opened = json_pack(
	    "[{s:i, s:s, s:s}]", "seat", 1, "salt", "00", "text", "{}");
	events = json_pack("[{s:s}]", "e", "combat");
	data = json_pack("{s:s}", "why", "so");
	return (sign_key_from_seed(&server, seed));
}

static int
group_teardown(void **state)
{
	(void)state;
	json_decref(dice);
	json_decref(owes);
	json_decref(opened);
	json_decref(events);
	json_decref(data);
	return (0);
}

/* The parts of a whole line. */
static struct record_parts
whole_parts(enum whole w)
{
	struct record_parts p = {
	    .game = game, .seq = 7, .prev = prev, .at_ms = AT_MS};

	p.kind = w == WHOLE_KEY ? RECORD_KEY
	    : w == WHOLE_SERVER ? RECORD_SERVER
				: RECORD_ORDER;
	p.seat = 2;
	p.key = key;
	p.text = "{\"a\":\"\\u0001/\xc3\xa4\"}\n";
	p.text_len = strlen(p.text);
	p.sig = sig;
	if (w == WHOLE_SERVER) {
		p.what = "closed";
		p.data = data;
	}
	if (w == WHOLE_DICE) {
		p.dice = dice;
		p.opened = opened;
	}
	if (w == WHOLE_OWES)
		p.owes = owes;
	else
		p.pool = pool;
	if (w != WHOLE_KEY)
		p.events = events;
	return (p);
}

/* Writes a whole line into out. */
static void
whole_line(enum whole w, struct buf *out, uint8_t hash[HASH_LEN])
{
	const struct record_parts p = whole_parts(w);

	assert_int_equal(record_write(&p, &server, out, hash), 0);
}

/* A whole line as a value; new. */
static json_t *
whole_value(enum whole w)
{
	uint8_t hash[HASH_LEN];
	struct buf b;
	json_t *v = NULL;

	buf_init(&b, 0);
	whole_line(w, &b, hash);
	assert_int_equal(js_load(b.data, b.len, JS_DEPTH_RECORD, &v, NULL), 0);
	buf_clear(&b);
	return (v);
}

/* Reads bytes that are expected to give r; nothing may be left behind. */
static void
must_give(const char *bytes, size_t len, int r, struct errinfo *e)
{
	struct record_line ln;
	int got;

	memset(e, 0, sizeof(*e));
	got = record_parse(bytes, len, &ln, e);
	if (got != r)
		print_error(
		    "%.*s\n%s: %s\n", (int)len, bytes, e->where, e->text);
	assert_int_equal(got, r);
	if (got == 0)
		record_clear(&ln);
	else
		assert_true(e->text[0] != '\0');
}

/* Reads a value, written in the compact form. */
static void
must_give_value(const json_t *v, int r, struct errinfo *e)
{
	struct buf b;

	buf_init(&b, 0);
	js_dump(v, &b);
	must_give(b.data, b.len, r, e);
	buf_clear(&b);
}

/* Copies a line in which `to` stands for `from`, each a quoted_text(). */
static void
edit(struct buf *out, const char *line, const char *from, const char *to)
{
	char *old = quoted_text(from), *other = quoted_text(to);
	const char *hit = strstr(line, old);

	assert_non_null(hit);
	buf_init(out, 0);
	buf_add(out, line, (size_t)(hit - line));
	buf_puts(out, other);
	buf_puts(out, hit + strlen(old));
	free(old);
	free(other);
}

/* Reads a whole line in which `from` stands `to` instead. */
static void
must_give_edit(
    enum whole w, const char *from, const char *to, int r, struct errinfo *e)
{
	uint8_t hash[HASH_LEN];
	struct buf b, edited;

	buf_init(&b, 0);
	whole_line(w, &b, hash);
	edit(&edited, buf_str(&b), from, to);
	must_give(edited.data, edited.len, r, e);
	buf_clear(&edited);
	buf_clear(&b);
}

static void
a_line_reads_back_as_it_was_written(void **state)
{
	uint8_t hash[HASH_LEN], plain[HASH_LEN];
	struct record_parts p;
	struct record_line ln;
	struct errinfo e;
	struct buf b;
	int w;

	(void)state;
	for (w = 0; w < WHOLE_KINDS; w++) {
		p = whole_parts((enum whole)w);
		buf_init(&b, 0);
		whole_line((enum whole)w, &b, hash);
		assert_int_equal(record_parse(b.data, b.len, &ln, &e), 0);
		assert_memory_equal(ln.game, game, HASH_LEN);
		assert_int_equal(ln.seq, 7);
		assert_memory_equal(ln.prev, prev, HASH_LEN);
		assert_int_equal(ln.at_ms, AT_MS);
		assert_int_equal(ln.kind, p.kind);
		assert_int_equal(ln.has_pool, p.pool != NULL);
		if (ln.has_pool)
			assert_memory_equal(ln.pool, pool, HASH_LEN);
		assert_true(p.dice == NULL || json_equal(ln.dice, dice));
		assert_int_equal(ln.dice == NULL, p.dice == NULL);
		assert_true(p.owes == NULL || json_equal(ln.owes, owes));
		assert_int_equal(ln.owes == NULL, p.owes == NULL);
		assert_int_equal(ln.opened == NULL, p.opened == NULL);
		assert_int_equal(ln.events == NULL, p.events == NULL);
		if (p.kind == RECORD_SERVER) {
			assert_string_equal(ln.what, "closed");
			assert_true(json_equal(ln.data, data));
			assert_null(ln.text);
		} else {
			assert_int_equal(ln.seat, 2);
			assert_memory_equal(ln.key, key, SIGN_KEY_LEN);
			assert_memory_equal(ln.sig, sig, SIGN_LEN);
			assert_int_equal(ln.text_len, p.text_len);
			assert_memory_equal(ln.text, p.text, p.text_len);
		}
		assert_memory_equal(ln.hash, hash, HASH_LEN);
		assert_int_equal(hash_sha256(plain, b.data, b.len), 0);
		assert_memory_equal(ln.hash, plain, HASH_LEN);
		record_clear(&ln);
		assert_null(ln.root);
		buf_clear(&b);
	}
}

/* S2: the bytes, so that no change of the writer goes unseen. */
static void
a_line_has_exactly_this_form(void **state)
{
	const struct record_parts p = whole_parts(WHOLE_SERVER);
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	assert_int_equal(record_write_unmarked(&p, &b), 0);
	assert_string_equal(buf_str(&b),
	    "{\"v\":1,\"game\":\"ab0100000000000000000000000000000000000000"
	    "0000000000000000000000\",\"seq\":7,\"prev\":\"cd02000000000000"
	    "000000000000000000000000000000000000000000000000\",\"at\":"
	    "\"2026-11-20T12:01:01.042Z\",\"kind\":\"server\",\"what\":"
	    "\"closed\",\"data\":{\"why\":\"so\"},\"pool\":\"34050000000000"
	    "00000000000000000000000000000000000000000000000000\",\"events\":"
	    "[{\"e\":\"combat\"}]");
	buf_clear(&b);
}

static void
each_missing_member_is_told(void **state)
{
	static const char *const optional[] = {
	    "dice", "owes", "opened", "pool", NULL};
	json_t *v, *less;
	struct errinfo e;
	const char *name;
	void *iter;
	int w, i, r;

	(void)state;
	for (w = 0; w < WHOLE_KINDS; w++) {
		v = whole_value((enum whole)w);
		for (iter = json_object_iter(v); iter != NULL;
		     iter = json_object_iter_next(v, iter)) {
			name = json_object_iter_key(iter);
			less = json_copy(v);
			assert_int_equal(json_object_del(less, name), 0);
			r = ERR_MALFORMED;
			for (i = 0; optional[i] != NULL; i++) {
				if (strcmp(name, optional[i]) == 0)
					r = 0;
			}
			must_give_value(less, r, &e);
			if (r != 0)
				assert_string_equal(e.where, name);
			json_decref(less);
		}
		json_decref(v);
	}
}

/* Any two neighbours that change places make another line. */
static void
members_out_of_order_are_refused(void **state)
{
	const char *names[32];
	json_t *v, *swapped;
	struct errinfo e;
	size_t i, j, n;
	void *iter;
	int w;

	(void)state;
	for (w = 0; w < WHOLE_KINDS; w++) {
		v = whole_value((enum whole)w);
		n = 0;
		for (iter = json_object_iter(v); iter != NULL;
		     iter = json_object_iter_next(v, iter))
			names[n++] = json_object_iter_key(iter);
		for (i = 0; i + 1 < n; i++) {
			swapped = json_object();
			for (j = 0; j < n; j++) {
				iter = json_object_get(v,
				    names[j == i         ? i + 1
					    : j == i + 1 ? i
							 : j]);
				json_object_set(swapped,
				    names[j == i         ? i + 1
					    : j == i + 1 ? i
							 : j],
				    iter);
			}
			must_give_value(swapped, ERR_MALFORMED, &e);
			json_decref(swapped);
		}
		json_decref(v);
	}
}

static void
members_of_the_wrong_type_are_refused(void **state)
{
	json_t *v, *bad, *of[6];
	struct errinfo e;
	const char *name;
	void *iter;
	size_t i;
	int w;

	(void)state;
	of[0] = json_integer(1);
	of[1] = json_string("1");
	of[2] = json_object();
	of[3] = json_array();
	of[4] = json_null();
	of[5] = json_true();
	for (w = 0; w < WHOLE_KINDS; w++) {
		v = whole_value((enum whole)w);
		for (iter = json_object_iter(v); iter != NULL;
		     iter = json_object_iter_next(v, iter)) {
			name = json_object_iter_key(iter);
			for (i = 0; i < 6; i++) {
				if (json_typeof(of[i]) ==
				    json_typeof(json_object_iter_value(iter)))
					continue;
				bad = json_copy(v);
				json_object_set(bad, name, of[i]);
				must_give_value(bad, ERR_MALFORMED, &e);
				assert_string_equal(e.where, name);
				json_decref(bad);
			}
		}
		json_decref(v);
	}
	for (i = 0; i < 6; i++)
		json_decref(of[i]);
}

static void
members_of_other_kinds_and_unknown_ones_are_refused(void **state)
{
	static const char *const names[] = {"seat", "key", "order", "statement",
	    "sig", "what", "data", "dice", "owes", "opened", "events", "x"};
	static const char *const at[] = {"seq", "kind", "mark"};
	json_t *v, *more, *add;
	struct errinfo e;
	const char *name;
	size_t i, j;
	void *iter;
	int w;

	(void)state;
	for (w = 0; w < WHOLE_KINDS; w++) {
		v = whole_value((enum whole)w);
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			if (json_object_get(v, names[i]) != NULL)
				continue;
			/* Before each of some members, and at the end. */
			for (j = 0; j < 4; j++) {
				more = json_object();
				add = json_string("1");
				for (iter = json_object_iter(v); iter != NULL;
				     iter = json_object_iter_next(v, iter)) {
					name = json_object_iter_key(iter);
					if (j < 3 && strcmp(name, at[j]) == 0)
						json_object_set(
						    more, names[i], add);
					json_object_set(more, name,
					    json_object_iter_value(iter));
				}
				if (j == 3)
					json_object_set(more, names[i], add);
				must_give_value(more, ERR_MALFORMED, &e);
				json_decref(add);
				json_decref(more);
			}
		}
		json_decref(v);
	}
}

static void
dice_and_owes_exclude_each_other(void **state)
{
	struct record_parts p = whole_parts(WHOLE_DICE);
	uint8_t hash[HASH_LEN];
	struct errinfo e;
	struct buf b;

	(void)state;
	p.owes = owes;
	buf_init(&b, 0);
	assert_int_equal(record_write(&p, &server, &b, hash), 0);
	must_give(b.data, b.len, ERR_MALFORMED, &e);
	assert_string_equal(e.where, "owes");
	buf_clear(&b);
}

static void
other_spellings_of_a_line_are_refused(void **state)
{
	static const struct {
		const char *from, *to;
	} edits[] = {
	    {"{'v'", "{ 'v'"},
	    {"'v':1", "'v': 1"},
	    {"'v':1,", "'v':1 ,"},
	    {"'v':1,", "'v':1,\n"},
	    {"{'v'", " {'v'"},
	    {"'v'", "'\\u0076'"},
	    {"'seq':7", "'seq':7.0"},
	    {"'seq':7", "'seq':7e0"},
	    {"'seq':7", "'seq':07"},
	    {"'seq':7", "'seq':-7"},
	    {"'seq':7", "'seq':-0"},
	    {"'seq':7", "'seq':9007199254740992"},
	    {"/\xc3\xa4", "\\/\xc3\xa4"},
	    {"/\xc3\xa4", "/\\u00e4"},
	    {"/\xc3\xa4", "/\xe4"},
	    {"/\xc3\xa4", "/\xc3\xa4\\u000a"},
	    {"/\xc3\xa4", "/\xc3\xa4\\u000B"},
	    {"/\xc3\xa4", "/\xc3\xa4\\u0000"},
	    {"/\xc3\xa4", "/\xc3\xa4\\u007f"},
	    {"'seat':2", "'seat':17"},
	    {"'seat':2", "'seat':-1"},
	    {"'game':'ab", "'game':'AB"},
	    {"'game':'ab", "'game':'b"},
	    {"'game':'ab", "'game':'0ab"},
	    {"'prev':'cd", "'prev':'cg"},
	    {"'key':'ef", "'key':'eF"},
	    {"'sig':'12", "'sig':'1"},
	    {"'pool':'34", "'pool':'3"},
	    {"'mark':'", "'mark':'0"},
	    {"2026-11-20T12:01:01.042Z", "2026-11-31T12:01:01.042Z"},
	    {"2026-11-20T12:01:01.042Z", "2026-02-29T12:01:01.042Z"},
	    {"2026-11-20T12:01:01.042Z", "2026-11-20T24:01:01.042Z"},
	    {"2026-11-20T12:01:01.042Z", "2026-11-20T12:01:60.042Z"},
	    {"2026-11-20T12:01:01.042Z", "2026-11-20 12:01:01.042Z"},
	    {"2026-11-20T12:01:01.042Z", "2026-11-20T12:01:01Z"},
	    {"2026-11-20T12:01:01.042Z", "2026-11-20T12:01:01.042"},
	    {"'events':[", "'events':[1.5,"},
	    {"'events':[", "'events':[-0,"},
	    {"{'e':'combat'}", "{'e':'combat','e':'combat'}"},
	};
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(edits) / sizeof(edits[0]); i++)
		must_give_edit(
		    WHOLE_DICE, edits[i].from, edits[i].to, ERR_MALFORMED, &e);
	/* What is next to them and lawful. */
	must_give_edit(WHOLE_DICE, "'seq':7", "'seq':9007199254740991", 0, &e);
	must_give_edit(WHOLE_DICE, "'seat':2", "'seat':16", 0, &e);
	must_give_edit(WHOLE_DICE, "'seat':2", "'seat':0", 0, &e);
	must_give_edit(WHOLE_DICE, "/\xc3\xa4", "/\xc3\xa4\\u000b\x7f", 0, &e);
	must_give_edit(WHOLE_DICE, "2026-11-20T", "2028-02-29T", 0, &e);
}

/* S2: an event is an object whose first member, e, is its kind. */
static void
events_begin_with_their_kind(void **state)
{
	static const char *const bad[] = {"1", "[]", "{}", "null",
	    "{'x':1,'e':'combat'}", "{'e':1}", "{'E':'combat'}"};
	struct errinfo e;
	json_t *v, *list;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		v = whole_value(WHOLE_SERVER);
		list = json_object_get(v, "events");
		json_array_append_new(list, quoted_json(bad[i]));
		must_give_value(v, ERR_MALFORMED, &e);
		assert_string_equal(e.where, "events");
		json_decref(v);
	}
}

static void
what_stands_around_a_line_is_refused(void **state)
{
	uint8_t hash[HASH_LEN];
	struct errinfo e;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	whole_line(WHOLE_KEY, &b, hash);
	buf_putc(&b, '\n');
	must_give(b.data, b.len, ERR_MALFORMED, &e);
	must_give(b.data, b.len - 2, ERR_MALFORMED, &e);
	b.data[b.len - 1] = '\r';
	must_give(b.data, b.len, ERR_MALFORMED, &e);
	b.data[b.len - 1] = ' ';
	must_give(b.data, b.len, ERR_MALFORMED, &e);
	b.data[b.len - 1] = '\0';
	must_give(b.data, b.len, ERR_MALFORMED, &e);
	buf_reset(&b);
	buf_puts(&b, "\xef\xbb\xbf");
	whole_line(WHOLE_KEY, &b, hash);
	must_give(b.data, b.len, ERR_MALFORMED, &e);
	must_give("", 0, ERR_MALFORMED, &e);
	must_give("[]", 2, ERR_MALFORMED, &e);
	must_give("1", 1, ERR_MALFORMED, &e);
	must_give("{}", 2, ERR_MALFORMED, &e);
	buf_clear(&b);
}

/* A later format is told by its v alone, whatever else it has. */
static void
lines_of_a_newer_umpire_are_told_apart(void **state)
{
	struct errinfo e;

	(void)state;
	must_give_edit(
	    WHOLE_OWES, "'kind':'order'", "'kind':'orders'", ERR_NEWER, &e);
	assert_string_equal(e.where, "kind");
	must_give_edit(
	    WHOLE_OWES, "'kind':'order'", "'kind':''", ERR_NEWER, &e);
	must_give_edit(WHOLE_OWES, "'v':1", "'v':2", ERR_NEWER, &e);
	assert_string_equal(e.where, "v");
	must_give("{\"v\":2}", 7, ERR_NEWER, &e);
	must_give("{\"x\":0,\"v\":3,\"kind\":7}", 22, ERR_NEWER, &e);
	must_give("{\"v\":0}", 7, ERR_MALFORMED, &e);
	must_give("{\"v\":-1}", 8, ERR_MALFORMED, &e);
	must_give("{\"v\":\"2\"}", 9, ERR_MALFORMED, &e);
	must_give_edit(WHOLE_OWES, "'v':1", "'v':0", ERR_MALFORMED, &e);
	/* The profile comes first, in every format. */
	must_give("{\"v\":2.0}", 9, ERR_MALFORMED, &e);
}

/* Nesting: the line is 1, its events 2, an event 3. */
static void
nesting_is_limited_to_sixteen(void **state)
{
	struct record_parts p = whole_parts(WHOLE_OWES);
	uint8_t hash[HASH_LEN];
	json_t *nest, *in;
	struct errinfo e;
	struct buf b;
	int depth, i;

	(void)state;
	for (depth = 16; depth <= 17; depth++) {
		nest = json_array();
		for (i = 4; i < depth; i++) {
			in = nest;
			nest = json_pack("[o]", in);
		}
		nest = json_pack("[{s:s, s:o}]", "e", "x", "y", nest);
		p.events = nest;
		buf_init(&b, 0);
		assert_int_equal(record_write(&p, &server, &b, hash), 0);
		must_give(b.data, b.len, depth == 16 ? 0 : ERR_MALFORMED, &e);
		buf_clear(&b);
		json_decref(nest);
	}
}

/* Writes an order line whose text has n bytes; r is what must come of it. */
static void
write_sized(size_t n, int r, struct buf *b)
{
	struct record_parts p = whole_parts(WHOLE_OWES);
	uint8_t hash[HASH_LEN] = {0}, untouched[HASH_LEN] = {0};
	char *text = malloc(n + 1);
	size_t len = b->len;

	assert_non_null(text);
	memset(text, 'x', n);
	p.text = text;
	p.text_len = n;
	assert_int_equal(record_write(&p, &server, b, hash), r);
	if (r != 0) {
		assert_int_equal(b->len, len);
		assert_int_equal(buf_error(b), 0);
		assert_memory_equal(hash, untouched, HASH_LEN);
	}
	free(text);
}

static void
a_line_has_at_most_262144_bytes_with_its_lf(void **state)
{
	struct errinfo e;
	struct buf b;
	size_t fixed;

	(void)state;
	buf_init(&b, 0);
	write_sized(0, 0, &b);
	fixed = b.len;
	buf_reset(&b);
	write_sized(RECORD_LINE_MAX - 1 - fixed, 0, &b);
	assert_int_equal(b.len, RECORD_LINE_MAX - 1);
	must_give(b.data, b.len, 0, &e);
	write_sized(RECORD_LINE_MAX - fixed, ERR_TOOBIG, &b);
	assert_int_equal(b.len, RECORD_LINE_MAX - 1);
	buf_putc(&b, ' ');
	must_give(b.data, b.len, ERR_TOOBIG, &e);
	buf_clear(&b);
}

static void
a_mark_holds_for_its_line_and_its_key_alone(void **state)
{
	static const uint8_t seed[SIGN_KEY_LEN] = {10};
	uint8_t hash[HASH_LEN];
	struct sign_key other;
	struct buf b;
	size_t i;

	(void)state;
	assert_int_equal(sign_key_from_seed(&other, seed), 0);
	buf_init(&b, 0);
	whole_line(WHOLE_DICE, &b, hash);
	assert_int_equal(
	    record_check_mark(b.data, b.len, server.public_key), 0);
	assert_int_equal(
	    record_check_mark(b.data, b.len, other.public_key), ERR_SIGNATURE);
	for (i = 0; i < b.len; i++) {
		b.data[i] ^= 1;
		assert_int_not_equal(
		    record_check_mark(b.data, b.len, server.public_key), 0);
		b.data[i] ^= 1;
	}
	/* Cut anywhere near its end, or at its beginning. */
	for (i = 1; i <= RECORD_MARK_TAIL + 1; i++)
		assert_int_not_equal(
		    record_check_mark(b.data, b.len - i, server.public_key), 0);
	for (i = 0; i < 4; i++)
		assert_int_equal(
		    record_check_mark(b.data, i, server.public_key),
		    ERR_MALFORMED);
	assert_int_equal(record_check_mark(b.data + b.len - RECORD_MARK_TAIL,
			     RECORD_MARK_TAIL, server.public_key),
	    ERR_SIGNATURE);
	b.data[b.len - 3] = 'F';
	assert_int_equal(
	    record_check_mark(b.data, b.len, server.public_key), ERR_MALFORMED);
	buf_clear(&b);
}

/* Reads a side line that is expected to give r. */
static void
side_gives(const char *bytes, size_t len, int r)
{
	struct record_side s;
	struct errinfo e = {0};

	assert_int_equal(record_side_parse(bytes, len, &s, &e), r);
	if (r == 0)
		record_side_clear(&s);
	else
		assert_true(e.text[0] != '\0');
}

/* Reads a side line in which `from` stands `to` instead. */
static void
side_gives_edit(const char *line, const char *from, const char *to, int r)
{
	struct buf b;

	edit(&b, line, from, to);
	side_gives(b.data, b.len, r);
	buf_clear(&b);
}

#define HELLO_REF \
	"ddaf01bba4995018de5cb08cc10a1bcd67704211d3d0390046cef1d0b1e2db75"
#define HELLO_SALT \
	"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define HELLO                                                \
	"{\"text\":\"" HELLO_REF "\",\"salt\":\"" HELLO_SALT \
	"\",\"value\":\"hello\"}"

static void
a_text_ref_is_that_of_the_vector(void **state)
{
	uint8_t salt[RECORD_SALT_LEN], ref[HASH_LEN];
	char hex[2 * HASH_LEN + 1];
	struct record_side s;
	struct errinfo e;
	struct buf b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(salt); i++)
		salt[i] = (uint8_t)i;
	assert_int_equal(record_text_ref(ref, salt, "hello", 5), 0);
	hex_format(hex, ref, HASH_LEN);
	assert_string_equal(hex, HELLO_REF);
	buf_init(&b, 0);
	record_write_text(&b, ref, salt, "hello", 5);
	assert_string_equal(buf_str(&b), HELLO);
	assert_int_equal(record_side_parse(b.data, b.len, &s, &e), 0);
	assert_false(s.is_blob);
	assert_memory_equal(s.hash, ref, HASH_LEN);
	assert_memory_equal(s.salt, salt, sizeof(salt));
	assert_int_equal(s.len, 5);
	assert_string_equal(s.value, "hello");
	record_side_clear(&s);
	buf_clear(&b);
}

static void
side_lines_have_one_form(void **state)
{
	static const struct {
		const char *from, *to;
	} edits[] = {
	    {"hello", "hallo"},
	    {"hello", ""},
	    {"'hello'", "1"},
	    {"'hello'", "null"},
	    {"'hello'}", "'hello','x':1}"},
	    {",'value':'hello'", ""},
	    {"'salt':'00", "'salt':'01"},
	    {"'salt':'00", "'salt':'0"},
	    {"'salt':'" HELLO_SALT "',", ""},
	    {"'salt'", "'sult'"},
	    {"'text':'dd", "'text':'DD"},
	    {"'text':'dd", "'text':'de"},
	    {"'text':", "'text': "},
	    {"'text':'" HELLO_REF "','salt':'" HELLO_SALT "'",
		"'salt':'" HELLO_SALT "','text':'" HELLO_REF "'"},
	    {"'text'", "'blob'"},
	    {"hello", "hell\\u006f"},
	    {"{", "[{"},
	    {"}", "}\n"},
	};
	size_t i;

	(void)state;
	side_gives(HELLO, strlen(HELLO), 0);
	for (i = 0; i < sizeof(edits) / sizeof(edits[0]); i++)
		side_gives_edit(
		    HELLO, edits[i].from, edits[i].to, ERR_MALFORMED);
	side_gives("[]", 2, ERR_MALFORMED);
	side_gives("{}", 2, ERR_MALFORMED);
	side_gives("", 0, ERR_MALFORMED);
}

/* Makes a side line whose value is n times c. */
static void
side_sized(struct buf *b, bool is_blob, size_t n, int c)
{
	static const uint8_t salt[RECORD_SALT_LEN] = {7};
	uint8_t hash[HASH_LEN];
	char *value = malloc(n + 1);

	assert_non_null(value);
	memset(value, c, n);
	buf_reset(b);
	if (is_blob) {
		assert_int_equal(record_blob_hash(hash, value, n), 0);
		record_write_blob(b, hash, value, n);
	} else {
		assert_int_equal(record_text_ref(hash, salt, value, n), 0);
		record_write_text(b, hash, salt, value, n);
	}
	assert_int_equal(buf_error(b), 0);
	free(value);
}

static void
texts_and_blobs_have_sizes(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	side_sized(&b, false, RECORD_TEXT_MAX, 'x');
	side_gives(b.data, b.len, 0);
	side_sized(&b, false, RECORD_TEXT_MAX + 1, 'x');
	side_gives(b.data, b.len, ERR_TOOBIG);
	side_sized(&b, false, 0, 'x');
	side_gives(b.data, b.len, 0);
	side_sized(&b, true, RECORD_BLOB_MAX, 'x');
	side_gives(b.data, b.len, 0);
	side_sized(&b, true, RECORD_BLOB_MAX + 1, 'x');
	side_gives(b.data, b.len, ERR_TOOBIG);
	/* Six bytes for each of the value. */
	side_sized(&b, true, RECORD_BLOB_MAX, 1);
	assert_true(b.len > 6 * RECORD_BLOB_MAX);
	side_gives(b.data, b.len, 0);
	/* The line itself, before what it holds. */
	side_sized(&b, true, 1, 'x');
	while (b.len < RECORD_SIDE_MAX - 1)
		buf_putc(&b, ' ');
	side_gives(b.data, b.len, ERR_MALFORMED);
	buf_putc(&b, ' ');
	side_gives(b.data, b.len, ERR_TOOBIG);
	buf_clear(&b);
}

static void
side_lines_are_known_by_their_first_bytes(void **state)
{
	(void)state;
	assert_true(record_is_side("{\"text\":", 8));
	assert_true(record_is_side("{\"blob\":1", 9));
	assert_false(record_is_side("{\"text\":", 7));
	assert_false(record_is_side("{ \"text\":", 9));
	assert_false(record_is_side("{\"v\":1,\"game\"", 13));
	assert_false(record_is_side("", 0));
}

/* S5: the text that a final refusal is. */
static void
a_refusal_has_exactly_this_text(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	record_write_refusal(
	    &b, RECORD_OF_GAME, prev, game, "nonce-used", 12, pool, AT_MS);
	assert_string_equal(buf_str(&b),
	    "{\"v\":1,\"oid\":\"cd02000000000000000000000000000000000000000000"
	    "000000000000000000\",\"game\":\"ab01000000000000000000000000000000"
	    "000000000000000000000000000000\",\"why\":\"nonce-used\",\"seq\":12"
	    ",\"head\":\"340500000000000000000000000000000000000000000000000000"
	    "0000000000\",\"at\":\"2026-11-20T12:01:01.042Z\"}");
	buf_clear(&b);
}

/*
 * Each allocation fails once: the line is not written, and out is as it was.
 * (What jansson does while it reads without memory is not ours to test: it
 * does not look whether its token still grows.)
 */
static void
want_of_memory_is_told_and_nothing_is_written(void **state)
{
	const struct record_parts p = whole_parts(WHOLE_DICE);
	uint8_t hash[HASH_LEN], ref[HASH_LEN];
	struct buf b;
	long n;
	int r;

	(void)state;
	for (n = 0;; n++) {
		buf_init(&b, 0);
		alloc_start(n);
		r = record_write(&p, &server, &b, hash);
		if (!alloc_stop())
			break;
		/* OpenSSL can do without some of what it asks for. */
		assert_true(r == 0 || r == ERR_NOMEM);
		assert_true(r == 0 || b.len == 0);
		buf_clear(&b);
	}
	assert_int_equal(r, 0);
	assert_true(b.len > 0);
	buf_clear(&b);
	for (n = 0;; n++) {
		alloc_start(n);
		r = record_text_ref(ref, game, "hello", 5);
		if (!alloc_stop())
			break;
		assert_true(r == 0 || r == ERR_NOMEM);
	}
	assert_int_equal(r, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_line_reads_back_as_it_was_written),
	    cmocka_unit_test(a_line_has_exactly_this_form),
	    cmocka_unit_test(each_missing_member_is_told),
	    cmocka_unit_test(members_out_of_order_are_refused),
	    cmocka_unit_test(members_of_the_wrong_type_are_refused),
	    cmocka_unit_test(
		members_of_other_kinds_and_unknown_ones_are_refused),
	    cmocka_unit_test(dice_and_owes_exclude_each_other),
	    cmocka_unit_test(other_spellings_of_a_line_are_refused),
	    cmocka_unit_test(events_begin_with_their_kind),
	    cmocka_unit_test(what_stands_around_a_line_is_refused),
	    cmocka_unit_test(lines_of_a_newer_umpire_are_told_apart),
	    cmocka_unit_test(nesting_is_limited_to_sixteen),
	    cmocka_unit_test(a_line_has_at_most_262144_bytes_with_its_lf),
	    cmocka_unit_test(a_mark_holds_for_its_line_and_its_key_alone),
	    cmocka_unit_test(a_text_ref_is_that_of_the_vector),
	    cmocka_unit_test(side_lines_have_one_form),
	    cmocka_unit_test(texts_and_blobs_have_sizes),
	    cmocka_unit_test(side_lines_are_known_by_their_first_bytes),
	    cmocka_unit_test(a_refusal_has_exactly_this_text),
	    cmocka_unit_test(want_of_memory_is_told_and_nothing_is_written),
	};

	return (cmocka_run_group_tests(tests, group_setup, group_teardown));
}
