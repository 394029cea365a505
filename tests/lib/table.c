/* SPDX-License-Identifier: ISC */
#include "tests/lib/table.h"
#include "common/game/game_make.h"
#include "common/game/game_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/lib/quoted.h"

const char table_roster[] =
    "{\"blob\":\"roster\",\"system\":\"lasalle2\",\"sides\":{"
    "\"1\":{\"name\":\"French\",\"units\":["
    "{\"id\":\"fr-1\",\"name\":\"1er Ligne\",\"arm\":\"infantry\","
    "\"strength\":5},"
    "{\"id\":\"fr-2\",\"arm\":\"infantry\",\"strength\":4},"
    "{\"id\":\"fr-3\",\"arm\":\"infantry\",\"strength\":4},"
    "{\"id\":\"fr-c1\",\"arm\":\"cavalry\",\"strength\":4,"
    "\"traits\":[\"shock\",\"lancers\"]}]},"
    "\"2\":{\"units\":["
    "{\"id\":\"ru-1\",\"arm\":\"infantry\",\"strength\":5},"
    "{\"id\":\"ru-2\",\"arm\":\"infantry\",\"strength\":4},"
    "{\"id\":\"ru-3\",\"arm\":\"infantry\",\"strength\":4},"
    "{\"id\":\"ru-a1\",\"arm\":\"artillery\",\"strength\":3,"
    "\"battery\":\"foot\"},"
    "{\"id\":\"ru-a2\",\"arm\":\"artillery\",\"strength\":3,"
    "\"battery\":\"horse\"},"
    "{\"id\":\"ru-c1\",\"arm\":\"cavalry\",\"strength\":4}]}}}";

json_t *
table_json(const char *text)
{
	char *copy = quoted_text(text);
	struct errinfo e = {0};
	json_t *v = NULL;

	if (js_load(copy, strlen(copy), JS_DEPTH_RPC, &v, &e) != 0)
		fail_msg("%s: %s in %s", e.where, e.text, copy);
	free(copy);
	return (v);
}

void
table_put(struct table *t, const char *text, uint8_t hash[HASH_LEN])
{
	char name[2 * HASH_LEN + 1], *bytes = quoted_text(text);

	assert_int_equal(record_blob_hash(hash, bytes, strlen(bytes)), 0);
	hex_format(name, hash, HASH_LEN);
	assert_int_equal(
	    json_object_set_new(t->blobs, name, json_string(bytes)), 0);
	free(bytes);
}

int
table_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len)
{
	const struct table *t = arg;
	char name[2 * HASH_LEN + 1];
	const json_t *s;

	hex_format(name, hash, HASH_LEN);
	if ((s = json_object_get(t->blobs, name)) == NULL)
		return (ERR_NOTFOUND);
	*bytes = json_string_value(s);
	*len = json_string_length(s);
	return (0);
}

int
table_prove_cb(void *arg, const uint8_t *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	const struct table *t = arg;

	return (vrf_prove(&t->server_dice, alpha, n, proof, beta));
}

void
table_init(struct table *t)
{
	uint8_t seed[32] = {0};
	int i;

	memset(t, 0, sizeof(*t));
	t->at_ms = TABLE_AT_MS;
	t->now_ms = -1;
	buf_init(&t->record, 0);
	buf_init(&t->text, 0);
	assert_non_null(t->blobs = json_object());
	seed[31] = 200;
	assert_int_equal(sign_key_from_seed(&t->server, seed), 0);
	assert_int_equal(vrf_key_from_secret(&t->server_dice, seed), 0);
	for (i = 0; i < GAME_SLOTS; i++) {
		seed[31] = (uint8_t)(1 + i);
		assert_int_equal(sign_key_from_seed(&t->keys[i].sign, seed), 0);
		assert_int_equal(
		    vrf_key_from_secret(&t->keys[i].dice, seed), 0);
	}
}

void
table_clear(struct table *t)
{
	game_effects_clear(&t->fx);
	game_free(t->game);
	json_decref(t->blobs);
	buf_clear(&t->record);
	buf_clear(&t->text);
}

json_t *
table_seat_args(const struct table *t, int seat)
{
	static const char zeros[2 * HASH_LEN + 1] =
	    "0000000000000000000000000000000000000000000000000000000000000000";
	char account[16];
	json_t *v;

	(void)snprintf(account, sizeof(account), "p%d", seat);
	v = json_pack("{s:i, s:o, s:o, s:s, s:i, s:s}", "seat", seat, "key",
	    js_hex(t->keys[game_slot(seat)].sign.public_key, SIGN_KEY_LEN),
	    "dice_key",
	    js_hex(t->keys[game_slot(seat)].dice.public_key, VRF_KEY_LEN),
	    "account", account, "kn", 0, "kprev", zeros);
	assert_non_null(v);
	return (v);
}

json_t *
table_create_args(struct table *t, const char *roster)
{
	uint8_t hash[HASH_LEN];
	json_t *v = table_seat_args(t, 1), *more;

	table_put(t, roster, hash);
	more = json_pack("{s:s, s:s, s:{}, s:[], s:o, s:s, s:o, s:s, s:s}",
	    "system", "lasalle2", "rules", "lasalle2/1", "rulings", "tables",
	    "roster", js_hex(hash, HASH_LEN), "scheme", "dual-1", "server_dice",
	    js_hex(t->server_dice.public_key, VRF_KEY_LEN), "secret", "held",
	    "silence", "forfeit");
	assert_non_null(more);
	assert_int_equal(json_object_update(v, more), 0);
	json_decref(more);
	return (v);
}

void
table_sign(struct table *t, int seat)
{
	assert_int_equal(sign_make(&t->keys[game_slot(seat)].sign,
			     SIGN_TAG_ORDER, t->text.data, t->text.len, t->sig),
	    0);
}

void
table_reword(struct table *t, int seat, const json_t *order)
{
	buf_reset(&t->text);
	js_dump(order, &t->text);
	assert_int_equal(buf_error(&t->text), 0);
	table_sign(t, seat);
}

json_t *
table_order(const struct table *t)
{
	json_t *v = NULL;

	assert_int_equal(
	    js_load(t->text.data, t->text.len, JS_DEPTH_RECORD, &v, NULL), 0);
	return (v);
}

int
table_make(struct table *t, int seat, enum order_kind kind, json_t *args)
{
	int r;

	buf_reset(&t->text);
	r = game_make_order(t->game, seat, &t->keys[game_slot(seat)], kind,
	    args, t->now_ms, &t->text, t->sig, &t->e);
	json_decref(args);
	return (r);
}

void
table_append(
    struct table *t, const struct record_parts *p, uint8_t hash[HASH_LEN])
{
	assert_true(t->n_lines < TABLE_LINES_MAX);
	t->starts[t->n_lines++] = t->record.len;
	assert_int_equal(record_write(p, &t->server, &t->record, hash), 0);
	buf_putc(&t->record, '\n');
	t->starts[t->n_lines] = t->record.len;
}

void
table_write(struct table *t, const struct order *o, const uint8_t *key)
{
	static const uint8_t zeros[HASH_LEN];
	bool is_first = o->kind == ORDER_CREATE;
	const struct record_parts p = {
	    .game = o->game,
	    .seq = is_first ? 0 : game_seq(t->game) + 1,
	    .prev = is_first ? zeros : game_head(t->game),
	    .at_ms = t->at_ms,
	    .kind = RECORD_ORDER,
	    .seat = o->seat,
	    .key = key,
	    .text = o->text,
	    .text_len = o->len,
	    .sig = t->sig,
	    .dice = t->fx.dice,
	    .owes = t->fx.owes,
	    .opened = t->fx.opened,
	    .pool = t->fx.has_pool ? t->fx.pool : NULL,
	    .events = t->fx.events,
	};
	uint8_t hash[HASH_LEN];

	table_append(t, &p, hash);
	game_advance(t->game, t->at_ms, hash);
	t->at_ms += 1000;
}

/* Keeps what the line that was just taken has to be kept beside the record. */
static void
table_keep(struct table *t)
{
	const json_t *seq;
	size_t i, k;

	if (t->fx.has_held)
		t->held = t->fx.held;
	if (t->fx.has_standing) {
		assert_true(t->n_standing < TABLE_STANDING_MAX);
		t->standing[t->n_standing++] = t->fx.standing;
	}
	json_array_foreach(t->fx.opened_standing, i, seq)
	{
		for (k = 0; k < t->n_standing; k++) {
			if (t->standing[k].seq == json_integer_value(seq))
				break;
		}
		assert_true(k < t->n_standing);
		t->standing[k] = t->standing[--t->n_standing];
	}
}

/* Gives t->text to the game by a key; 0 and a line, or why not in t->e. */
static int
table_take_by(struct table *t, const uint8_t *key)
{
	const struct game_dice dice = {table_prove_cb, t};
	struct order o;
	int r;

	memset(&t->e, 0, sizeof(t->e));
	game_effects_clear(&t->fx);
	if ((r = order_parse(t->text.data, t->text.len, &o, &t->e)) != 0)
		return (r);
	o.open = t->open;
	o.at_ms = t->at_ms;
	r = game_take(t->game, &o, key, &dice, NULL, &t->fx, &t->e);
	if (r == 0)
		table_write(t, &o, key);
	if (r == 0)
		table_keep(t);
	order_clear(&o);
	return (r);
}

int
table_take(struct table *t, int seat)
{
	return (table_take_by(t, t->keys[game_slot(seat)].sign.public_key));
}

int
table_server(struct table *t, const char *what, const char *data)
{
	struct record_parts p = {.game = game_id(t->game),
	    .seq = game_seq(t->game) + 1,
	    .prev = game_head(t->game),
	    .at_ms = t->at_ms,
	    .kind = RECORD_SERVER,
	    .what = what};
	json_t *v = table_json(data);
	uint8_t hash[HASH_LEN];
	int r;

	memset(&t->e, 0, sizeof(t->e));
	game_effects_clear(&t->fx);
	r = game_take_server(t->game, what, v, t->at_ms, &t->fx, &t->e);
	if (r == 0) {
		p.data = v;
		p.pool = t->fx.has_pool ? t->fx.pool : NULL;
		p.events = t->fx.events;
		table_append(t, &p, hash);
		game_advance(t->game, t->at_ms, hash);
		t->at_ms += 1000;
		table_keep(t);
	}
	json_decref(v);
	return (r);
}

int
table_try(struct table *t, int seat, enum order_kind kind, json_t *args)
{
	int r;

	if ((r = table_make(t, seat, kind, args)) != 0)
		return (r);
	return (table_take(t, seat));
}

void
table_play(struct table *t, int seat, enum order_kind kind, const char *args)
{
	int r;

	r = table_try(t, seat, kind, table_json(args));
	if (r != 0)
		fail_msg("seat %d, %s: %d %s: %s", seat, order_kind_name(kind),
		    r, t->e.where, t->e.text);
}

void
table_make_create(struct table *t, json_t *args)
{
	json_t *order;

	buf_reset(&t->text);
	assert_int_equal(game_make_create(t->server.public_key, &t->keys[1],
			     args, t->now_ms, &t->text, t->sig),
	    0);
	json_decref(args);
	order = table_order(t);
	assert_int_equal(json_object_set_new(order, "nonce",
			     json_string("000102030405060708090a0b0c0d0e0f")),
	    0);
	table_reword(t, 1, order);
	json_decref(order);
}

int
table_open(struct table *t)
{
	const struct game_blobs blobs = {table_blob_cb, t};
	struct order o;
	int r;

	memset(&t->e, 0, sizeof(t->e));
	game_effects_clear(&t->fx);
	if ((r = order_parse(t->text.data, t->text.len, &o, &t->e)) != 0)
		return (r);
	o.at_ms = t->at_ms;
	r = game_create(&o, t->keys[1].sign.public_key, &blobs, true, &t->game,
	    &t->fx, &t->e);
	if (r == 0)
		table_write(t, &o, t->keys[1].sign.public_key);
	order_clear(&o);
	return (r);
}

void
table_seated(struct table *t)
{
	table_init(t);
	table_make_create(t, table_create_args(t, table_roster));
	assert_int_equal(table_open(t), 0);
	assert_int_equal(table_try(t, 2, ORDER_JOIN, table_seat_args(t, 2)), 0);
}

void
table_begun(struct table *t)
{
	table_seated(t);
	table_play(t, 2, ORDER_READY, "{}");
	table_play(t, 1, ORDER_READY, "{}");
	assert_int_equal(game_phase(t->game), GAME_PLAY);
}

void
table_begun_with(struct table *t, const char *roster, const char *more)
{
	const json_t *options;
	json_t *args, *add = table_json(more);
	int first, seat, seats = 2;

	table_init(t);
	args = table_create_args(t, roster);
	assert_int_equal(json_object_update(args, add), 0);
	options = json_object_get(add, "options");
	if (json_object_get(options, "seats") != NULL)
		seats =
		    (int)json_integer_value(json_object_get(options, "seats"));
	first = json_is_true(json_object_get(options, "director")) ? 0 : 1;
	table_make_create(t, args);
	if (table_open(t) != 0)
		fail_msg("create: %s: %s", t->e.where, t->e.text);
	for (seat = first; seat <= seats; seat++) {
		if (seat != 1)
			assert_int_equal(table_try(t, seat, ORDER_JOIN,
					     table_seat_args(t, seat)),
			    0);
	}
	for (seat = first; seat <= seats; seat++)
		table_play(t, seat, ORDER_READY, "{}");
	assert_int_equal(game_phase(t->game), GAME_PLAY);
	json_decref(add);
}

int
table_stand(struct table *t, int seat, const char *text)
{
	uint8_t salt[RECORD_SALT_LEN] = {0}, commit[HASH_LEN];
	char *said = quoted_text(text);
	json_t *open;
	int r;

	salt[0] = (uint8_t)t->n_lines;
	assert_int_equal(record_secret(commit, game_id(t->game), seat,
			     game_seq(t->game), salt, said, strlen(said)),
	    0);
	open = json_pack(
	    "{s:o, s:s}", "salt", js_hex(salt, sizeof(salt)), "text", said);
	assert_non_null(open);
	t->open = open;
	r = table_try(t, seat, ORDER_STANDING,
	    json_pack("{s:o}", "commit", js_hex(commit, HASH_LEN)));
	t->open = NULL;
	json_decref(open);
	free(said);
	return (r);
}

void
table_save(const struct table *t, struct buf *out)
{
	buf_reset(out);
	assert_int_equal(game_save(t->game, out), 0);
}

struct game *
table_copy(struct table *t)
{
	const struct game_blobs blobs = {table_blob_cb, t};
	struct game *g = NULL;
	struct errinfo e = {0};
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	table_save(t, &b);
	if (game_load(b.data, b.len, &blobs, &g, &e) != 0)
		fail_msg("%s: %s in %s", e.where, e.text, buf_str(&b));
	buf_clear(&b);
	if (game_has_held(g))
		assert_int_equal(game_hold(g, &t->held), 0);
	for (i = 0; i < t->n_standing; i++)
		assert_int_equal(game_hold_standing(g, &t->standing[i]), 0);
	return (g);
}

void
table_reload(struct table *t)
{
	struct game *g = table_copy(t);
	json_t *view = game_view(t->game), *again = game_view(g);
	struct buf a, b;

	buf_init(&a, 0);
	buf_init(&b, 0);
	table_save(t, &a);
	assert_int_equal(game_save(g, &b), 0);
	assert_string_equal(buf_str(&a), buf_str(&b));
	assert_non_null(view);
	assert_true(json_equal(view, again));
	json_decref(view);
	json_decref(again);
	buf_clear(&a);
	buf_clear(&b);
	game_free(t->game);
	t->game = g;
}

/*
 * Gives t->text to the game, which must refuse it with this code and a text
 * or place that holds `why`, and must be what it was.
 */
static void
table_refuses_by(struct table *t, const uint8_t *key, int r, const char *why)
{
	json_t *view = game_view(t->game), *after;
	size_t lines = t->n_lines;
	struct buf a, b;
	int got;

	buf_init(&a, 0);
	buf_init(&b, 0);
	table_save(t, &a);
	got = table_take_by(t, key);
	if (got != r ||
	    (strstr(t->e.text, why) == NULL && strstr(t->e.where, why) == NULL))
		fail_msg("%d %s: %s, not %d with \"%s\" for %s", got,
		    t->e.where, t->e.text, r, why, buf_str(&t->text));
	assert_true(t->e.text[0] != '\0');
	assert_int_equal(t->n_lines, lines);
	assert_null(t->fx.events);
	assert_null(t->fx.dice);
	table_save(t, &b);
	assert_string_equal(buf_str(&a), buf_str(&b));
	after = game_view(t->game);
	assert_true(json_equal(view, after));
	json_decref(view);
	json_decref(after);
	buf_clear(&a);
	buf_clear(&b);
}

void
table_refuses(struct table *t, int seat, int r, const char *why)
{
	table_refuses_by(t, t->keys[game_slot(seat)].sign.public_key, r, why);
}

void
table_no(struct table *t, int seat, enum order_kind kind, const char *args,
    int r, const char *why)
{
	if (table_make(t, seat, kind, table_json(args)) != 0)
		fail_msg("cannot be made: %s: %s", t->e.where, t->e.text);
	table_refuses(t, seat, r, why);
}

json_t *
table_owed(const struct table *t)
{
	json_t *view = game_view(t->game), *owed;

	assert_non_null(view);
	owed = json_array_get(json_object_get(view, "owed"), 0);
	json_incref(owed);
	json_decref(view);
	return (owed);
}

bool
table_is_asked(const struct table *t)
{
	json_t *owed = table_owed(t);
	bool is = owed != NULL &&
	    strcmp(json_string_value(json_object_get(owed, "what")),
		"decide") == 0;

	json_decref(owed);
	return (is);
}

json_t *
table_answer_args(const struct table *t)
{
	json_t *owed = table_owed(t), *decision, *options, *list, *v, *args;
	const json_t *most;
	const char *name;
	size_t i;

	decision = json_pack("{s:O}", "kind", json_object_get(owed, "kind"));
	options = json_object_get(owed, "options");
	if ((v = json_object_get(options, name = "units")) != NULL) {
		list = json_deep_copy(json_object_get(v, "some"));
		most = json_object_get(v, "max");
		while (most != NULL &&
		    (json_int_t)json_array_size(list) >
			json_integer_value(most))
			json_array_remove(list, json_array_size(list) - 1);
	} else {
		v = json_object_get(options, name = "order");
		assert_non_null(v);
		list = json_array();
		for (i = 0; i < json_array_size(json_object_get(v, "order"));
		     i++)
			json_array_append_new(list,
			    json_pack("{s:O, s:b}", "unit",
				json_array_get(json_object_get(v, "order"), i),
				"possible", 1));
	}
	json_object_set_new(decision, name, list);
	args = json_pack("{s:O, s:o}", "ask", json_object_get(owed, "ask"),
	    "decision", decision);
	assert_non_null(args);
	json_decref(owed);
	return (args);
}

void
table_answer(struct table *t)
{
	json_t *owed = table_owed(t);
	int side = (int)json_integer_value(json_object_get(owed, "side"));
	int r;

	json_decref(owed);
	r = table_try(t, side, ORDER_DECIDE, table_answer_args(t));
	if (r != 0)
		fail_msg("decide: %d %s: %s", r, t->e.where, t->e.text);
}

void
table_settle(struct table *t)
{
	while (table_is_asked(t))
		table_answer(t);
}

void
table_export(const struct table *t, struct buf *out)
{
	uint8_t hash[HASH_LEN];
	const char *name, *best, *last = "";
	json_t *s;
	size_t i;

	buf_add(out, t->record.data, t->record.len);
	for (i = 0; i < json_object_size(t->blobs); i++) {
		best = NULL;
		json_object_foreach(t->blobs, name, s)
		{
			if (strcmp(name, last) > 0 &&
			    (best == NULL || strcmp(name, best) < 0))
				best = name;
		}
		assert_non_null(best);
		last = best;
		s = json_object_get(t->blobs, best);
		assert_int_equal(
		    hex_parse(hash, HASH_LEN, best, strlen(best)), 0);
		record_write_blob(
		    out, hash, json_string_value(s), json_string_length(s));
		buf_putc(out, '\n');
	}
	assert_int_equal(buf_error(out), 0);
}

json_t *
table_line(const struct table *t, size_t n)
{
	json_t *v = NULL;

	assert_true(n < t->n_lines);
	assert_int_equal(
	    js_load(t->record.data + t->starts[n],
		t->starts[n + 1] - t->starts[n] - 1, JS_DEPTH_RPC, &v, NULL),
	    0);
	return (v);
}

/* A verifier that has the table's blobs; verify_free() frees it. */
static struct verify *
table_verifier(const struct table *t)
{
	const struct verify_options opt = {.head_seq = -1};
	struct verify *v;
	const char *hash;
	json_t *blob;

	assert_int_equal(verify_new(&opt, &v), 0);
	json_object_foreach(t->blobs, hash, blob)
	    assert_int_equal(verify_add_blob(v, json_string_value(blob),
				 json_string_length(blob)),
		0);
	return (v);
}

void
table_verify_resumed(const struct table *t)
{
	struct verify *v = table_verifier(t), *next;
	struct errinfo e = {.text = ""};
	const char *line;
	struct buf b;
	size_t i;
	int r;

	for (i = 0; i < t->n_lines; i++) {
		line = t->record.data + t->starts[i];
		if (i + 1 < t->n_lines)
			verify_peek(v, t->record.data + t->starts[i + 1],
			    t->starts[i + 2] - t->starts[i + 1] - 1);
		r = verify_line(
		    v, line, t->starts[i + 1] - t->starts[i] - 1, &e);
		if (r != 0)
			fail_msg("line %zu: %s: %s", i + 1, e.where, e.text);
		buf_init(&b, 0);
		if ((r = verify_save(v, &b)) == 0) {
			next = table_verifier(t);
			if (verify_load(next, b.data, b.len, &e) != 0)
				fail_msg("line %zu: %s", i + 1, e.text);
			verify_free(v);
			v = next;
		} else {
			assert_int_equal(r, ERR_STALE);
		}
		buf_clear(&b);
	}
	if (verify_game(v) != NULL)
		assert_int_equal(memcmp(game_head(verify_game(v)),
				     game_head(t->game), HASH_LEN),
		    0);
	verify_free(v);
}

void
table_verify(const struct table *t)
{
	struct verify_options opt = {.head_seq = -1};
	struct verify_report rep;
	struct errinfo e = {0};
	struct buf out;
	int i, r;

	buf_init(&out, 0);
	table_export(t, &out);
	for (i = 0; i < 2; i++) {
		opt.no_rules = i == 1;
		r = verify_bytes(out.data, out.len, &opt, &rep, NULL, &e);
		if (r != 0)
			fail_msg("line %lld%s: %s: %s",
			    (long long)rep.file_line,
			    i == 1 ? " without rules" : "", e.where, e.text);
		assert_int_equal(rep.is_unchecked, opt.no_rules);
	}
	buf_clear(&out);
	table_verify_resumed(t);
}

void
table_is_bad(const struct table *t, size_t n, const char *why)
{
	struct verify_options opt = {.head_seq = -1};
	struct verify_report rep;
	struct errinfo e = {0};
	struct buf out;
	int i, r;

	buf_init(&out, 0);
	table_export(t, &out);
	for (i = 0; i < 2; i++) {
		opt.no_rules = i == 1;
		r = verify_bytes(out.data, out.len, &opt, &rep, NULL, &e);
		if (r != ERR_BAD || (size_t)rep.file_line != n + 1 ||
		    (strstr(e.text, why) == NULL &&
			strstr(e.where, why) == NULL))
			fail_msg("%d in line %lld: %s: %s; not %zu with \"%s\"",
			    r, (long long)rep.file_line, e.where, e.text, n + 1,
			    why);
	}
	buf_clear(&out);
}
