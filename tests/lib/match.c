/* SPDX-License-Identifier: ISC */
#include "tests/lib/match.h"
#include "common/base/clock.h"
#include "tests/lib/quoted.h"

const char *const match_people[PEOPLE] = {
    "dirk", "anna", "bert", "cara", "dora", "eve", ""};

/* ---- the clock: in the place of libc's, for the daemon too ---- */

atomic_llong match_clock_ahead_ms;

int
clock_gettime(clockid_t id, struct timespec *ts)
{
	long long ms;
	int r;

	r = (int)syscall(SYS_clock_gettime, id, ts);
	if (r != 0 || (id != CLOCK_REALTIME && id != CLOCK_BOOTTIME))
		return (r);
	ms = atomic_load(&match_clock_ahead_ms);
	ts->tv_sec += ms / 1000;
	ts->tv_nsec += (ms % 1000) * 1000000;
	if (ts->tv_nsec >= 1000000000) {
		ts->tv_nsec -= 1000000000;
		ts->tv_sec++;
	}
	return (0);
}

/* ---- setup ---- */

/* Settings of the daemons, if not the usual ones. */
static const char *const *match_settings = daemon_plain;

static size_t match_n_settings = 1;

void
match_set(const char *const settings[], size_t n)
{
	match_settings = settings;
	match_n_settings = n;
}

int
match_setup(void **state)
{
	struct match *m = calloc(1, sizeof(*m));
	struct errinfo e;
	char path[160];
	int i;

	if (m == NULL)
		return (-1);
	daemon_start(&m->d, match_settings, match_n_settings);
	(void)snprintf(path, sizeof(path), "%s/umpired.db", m->d.dir);
	assert_int_equal(store_open_reader(path, &m->rd, &e), 0);
	for (i = 0; i < PEOPLE; i++) {
		peer_key_of(&m->keys[i].sign, (uint8_t)(0x20 + i));
		assert_int_equal(vrf_key_make(&m->keys[i].dice), 0);
		peer_meet(&m->peers[i], &m->d);
		buf_init(&m->heard[i], 0);
		m->peers[i].heard = &m->heard[i];
		if (i != NOBODY)
			peer_gives(&m->peers[i], "account.register",
			    peer_proof(&m->d, m->peers[i].exporter,
				&m->keys[i].sign, match_people[i]),
			    0);
	}
	*state = m;
	return (0);
}

int
match_teardown(void **state)
{
	struct match *m = *state;
	struct errinfo e = {.text = ""};
	char path[160];
	int i;

	for (i = 0; i < PEOPLE; i++) {
		peer_part(&m->peers[i]);
		buf_clear(&m->heard[i]);
	}
	store_close(m->rd);
	assert_int_equal(daemon_stop(&m->d), 0);
	/* Whatever a test did, the database agrees with its records. */
	(void)snprintf(path, sizeof(path), "%s/umpired.db", m->d.dir);
	if (ledger_check(path, m->d.identity, &e) != 0)
		fail_msg("%s", e.text);
	daemon_end(&m->d);
	free(m);
	atomic_store(&match_clock_ahead_ms, 0);
	return (0);
}

/* ---- asking ---- */

json_t *
match_gets(struct match *m, enum person who, const char *method, json_t *params)
{
	struct rpc_reply rp;
	json_t *result;

	peer_call(&m->peers[who], method, params, &rp);
	if (rp.r != 0)
		fail_msg("%s of %s: %s at %s", method, match_people[who],
		    rp.message, rp.where == NULL ? "" : rp.where);
	result = json_deep_copy(rp.result);
	rpc_reply_clear(&rp);
	return (result);
}

json_t *
match_todo_of(struct match *m, enum person who)
{
	json_t *all = match_gets(m, who, "game.todo", NULL), *v;
	const json_t *more;

	while ((more = json_object_get(all, "more")) != NULL) {
		v = match_gets(m, who, "game.todo",
		    json_pack("{s:s}", "before", json_string_value(more)));
		assert_int_equal(json_array_extend(json_object_get(all, "todo"),
				     json_object_get(v, "todo")),
		    0);
		more = json_object_get(v, "more");
		if (more == NULL)
			(void)json_object_del(all, "more");
		else
			(void)json_object_set(
			    all, "more", (json_t *)(uintptr_t)more);
		json_decref(v);
	}
	return (all);
}

void
match_fails(struct match *m, enum person who, const char *method,
    json_t *params, int r, const char *why)
{
	struct rpc_reply rp;

	peer_call(&m->peers[who], method, params, &rp);
	if (rp.r != r || rp.message == NULL || strstr(rp.message, why) == NULL)
		fail_msg("%s of %s: %d (%s), not %d (%s)", method,
		    match_people[who], rp.r,
		    rp.message == NULL ? "" : rp.message, r, why);
	rpc_reply_clear(&rp);
}

json_t *
match_this_game(const struct match *m)
{
	return (json_pack("{s:s}", "game", m->id));
}

int64_t
match_int_of(const json_t *v, const char *name)
{
	if (!json_is_integer(json_object_get(v, name)))
		fail_msg("no int \"%s\"", name);
	return (json_integer_value(json_object_get(v, name)));
}

const json_t *
match_row_of(const struct match *m, const json_t *list)
{
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(list, "games"), i, v)
	{
		if (strcmp(json_string_value(json_object_get(v, "game")),
			m->id) == 0)
			return (v);
	}
	return (NULL);
}

/* ---- orders ---- */

int
match_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len)
{
	static struct buf lent;
	struct match *m = arg;
	int r;

	buf_reset(&lent);
	if ((r = store_blob_get(m->rd, hash, &lent)) != 0)
		return (r);
	*bytes = buf_str(&lent);
	*len = lent.len;
	return (0);
}

struct game *
match_game(struct match *m)
{
	static struct game_blobs blobs;
	struct store_game_row row;
	struct errinfo e;
	struct buf snapshot;
	struct game *g;
	bool fits;

	blobs = (struct game_blobs){match_blob_cb, m};
	buf_init(&snapshot, 0);
	assert_int_equal(
	    store_game_load(m->rd, m->game, &row, &snapshot, &fits), 0);
	assert_int_equal(
	    game_load(snapshot.data, snapshot.len, &blobs, &g, &e), 0);
	buf_clear(&snapshot);
	return (g);
}

/* The params of a signed order. */
static json_t *
match_signed_params(const struct buf *text, const uint8_t sig[SIGN_LEN])
{
	return (json_pack("{s:o, s:o}", "order",
	    json_stringn(text->data, text->len), "sig", js_hex(sig, SIGN_LEN)));
}

json_t *
match_order_of(
    struct match *m, int seat, enum order_kind kind, const char *args)
{
	struct errinfo e = {.text = ""};
	struct game *g = match_game(m);
	uint8_t sig[SIGN_LEN];
	json_t *v, *params;
	struct buf text;

	v = quoted_json(args);
	buf_init(&text, 0);
	if (game_make_order(g, seat, &m->keys[seat], kind, v, clock_wall_ms(),
		&text, sig, &e) != 0)
		fail_msg("%s: %s: %s", order_kind_name(kind), e.where, e.text);
	params = match_signed_params(&text, sig);
	json_decref(v);
	buf_clear(&text);
	game_free(g);
	return (params);
}

int64_t
match_give(struct match *m, int seat, enum order_kind kind, const char *args)
{
	json_t *v = match_gets(m, (enum person)seat, "game.order",
	    match_order_of(m, seat, kind, args));
	const int64_t seq = match_int_of(v, "seq");

	json_decref(v);
	return (seq);
}

json_t *
match_chat_of(struct match *m, int seat, const char *words, const char *to,
    uint8_t salt_byte)
{
	uint8_t ref[HASH_LEN], salt[RECORD_SALT_LEN];
	char args[160], hex[2 * HASH_LEN + 1];
	json_t *params;

	memset(salt, salt_byte, sizeof(salt));
	assert_int_equal(record_text_ref(ref, salt, words, strlen(words)), 0);
	hex_format(hex, ref, HASH_LEN);
	(void)snprintf(args, sizeof(args), "{'ref':'%s'%s}", hex,
	    to == NULL ? "" : ",'to':'side'");
	params = match_order_of(m, seat, ORDER_CHAT, args);
	assert_int_equal(json_object_set_new(params, "texts",
			     json_pack("[{s:o, s:s}]", "salt",
				 js_hex(salt, sizeof(salt)), "value", words)),
	    0);
	return (params);
}

json_t *
match_seat_of(const struct match *m, int seat)
{
	static const uint8_t zeros[HASH_LEN];

	return (json_pack("{s:i, s:o, s:o, s:s, s:i, s:o}", "seat", seat, "key",
	    js_hex(m->keys[seat].sign.public_key, SIGN_KEY_LEN), "dice_key",
	    js_hex(m->keys[seat].dice.public_key, VRF_KEY_LEN), "account",
	    match_people[seat], "kn", 0, "kprev", js_hex(zeros, HASH_LEN)));
}

json_t *
match_create_of(struct match *m, const char *more)
{
	struct errinfo e;
	json_t *args = match_seat_of(m, ANNA), *v, *blob, *hello;
	uint8_t sig[SIGN_LEN];
	struct order o;
	struct buf text;

	blob = match_gets(
	    m, ANNA, "blob.put", json_pack("{s:s}", "value", peer_roster));
	hello = match_gets(m, ANNA, "server.hello", NULL);
	v = json_pack("{s:s, s:s, s:{}, s:[], s:O, s:s, s:O, s:s, s:s}",
	    "system", "lasalle2", "rules", "lasalle2/1", "rulings", "tables",
	    "roster", json_object_get(blob, "hash"), "scheme", "dual-1",
	    "server_dice", json_object_get(hello, "server_dice"), "secret",
	    "held", "silence", "forfeit");
	assert_int_equal(json_object_update(args, v), 0);
	json_decref(v);
	v = quoted_json(more);
	assert_int_equal(json_object_update(args, v), 0);
	json_decref(v);
	buf_init(&text, 0);
	assert_int_equal(game_make_create(m->d.identity, &m->keys[ANNA], args,
			     clock_wall_ms(), &text, sig),
	    0);
	assert_int_equal(order_parse(text.data, text.len, &o, &e), 0);
	memcpy(m->game, o.game, HASH_LEN);
	hex_format(m->id, o.game, HASH_LEN);
	order_clear(&o);
	v = match_signed_params(&text, sig);
	buf_clear(&text);
	json_decref(args);
	json_decref(blob);
	json_decref(hello);
	return (v);
}

json_t *
match_join_of(struct match *m, int seat)
{
	json_t *args = match_seat_of(m, seat), *params;
	struct buf text;

	buf_init(&text, 0);
	js_dump(args, &text);
	params = match_order_of(m, seat, ORDER_JOIN, buf_str(&text));
	buf_clear(&text);
	json_decref(args);
	return (params);
}

void
match_play(struct match *m, const char *more, int n)
{
	int seat;

	json_decref(
	    match_gets(m, ANNA, "game.create", match_create_of(m, more)));
	for (seat = 2; seat <= n; seat++)
		json_decref(match_gets(
		    m, (enum person)seat, "game.join", match_join_of(m, seat)));
	for (seat = 1; seat <= n; seat++)
		(void)match_give(m, seat, ORDER_READY, "{}");
}

json_t *
match_hears(struct match *m, enum person who, int64_t seq)
{
	struct rpc_reply rp;
	json_t *params;

	assert_true(peer_hear(&m->peers[who], &rp));
	assert_non_null(rp.method);
	assert_string_equal(rp.method, "game.entry");
	params = json_deep_copy(rp.params);
	assert_int_equal(match_int_of(params, "seq"), seq);
	rpc_reply_clear(&rp);
	return (params);
}

bool
match_has_heard(struct match *m, enum person who, const char *words)
{
	assert_int_equal(buf_error(&m->heard[who]), 0);
	return (strstr(buf_str(&m->heard[who]), words) != NULL);
}
