/* SPDX-License-Identifier: ISC */
#include "tests/lib/duel.h"
#include "common/base/clock.h"
#include "tests/lib/quoted.h"

const char *const duel_names[] = {"", "ann", "bob"};

const char duel_roster[] =
    "{'blob':'roster','system':'lasalle2','sides':{'1':{'name':'French',"
    "'units':[{'id':'fr-a','name':'1er Ligne','arm':'infantry','strength':5},"
    "{'id':'fr-b','arm':'infantry','strength':4}]},'2':{'units':["
    "{'id':'ru-a','arm':'infantry','strength':5},"
    "{'id':'ru-b','arm':'artillery','battery':'horse','strength':3}]}}}";

const char duel_combat[] =
    "{'combat':{'attackers':[{'id':'fr-a','formation':'line'}],'defenders':["
    "{'id':'ru-a','formation':'line'}],'contacts':["
    "{'attacker':'fr-a','defender':'ru-a','edge':'front'}]}}";

void
duel_rest(void)
{
	const struct timespec ms = {.tv_nsec = 1000000};

	(void)nanosleep(&ms, NULL);
}

/* ---- the ledger and its callbacks ---- */

/* Notes the number of a line that is published. */
static void
duel_published_cb(void *arg, const uint8_t game[HASH_LEN], int64_t seq,
    const char *line, size_t len)
{
	struct duel *t = arg;

	(void)game;
	pthread_mutex_lock(&t->lock);
	if (t->n_published < DUEL_PUBLISHED_MAX)
		t->published[t->n_published++] = seq;
	pthread_mutex_unlock(&t->lock);
	if (len == 0 || line[0] != '{')
		abort();
}

/* Counts how often notices were due. */
static void
duel_waiting_cb(void *arg)
{
	struct duel *t = arg;

	pthread_mutex_lock(&t->lock);
	t->waitings++;
	pthread_mutex_unlock(&t->lock);
}

/* Says whether the test wants the state of games. */
static bool
duel_wants_cb(void *arg, int64_t gid)
{
	struct duel *t = arg;
	bool is_wanted;

	if (gid <= 0)
		abort();
	pthread_mutex_lock(&t->lock);
	is_wanted = t->is_wanted;
	pthread_mutex_unlock(&t->lock);
	return (is_wanted);
}

/* Keeps the newest state that was told. */
static void
duel_stated_cb(
    void *arg, int64_t gid, int64_t seq, const char *text, size_t len)
{
	struct duel *t = arg;

	(void)gid;
	pthread_mutex_lock(&t->lock);
	t->stated = seq;
	buf_reset(&t->state);
	buf_add(&t->state, text, len);
	pthread_mutex_unlock(&t->lock);
}

/* Counts failures of the ledger. */
static void
duel_failed_cb(void *arg, const struct errinfo *e)
{
	struct duel *t = arg;

	(void)e;
	pthread_mutex_lock(&t->lock);
	t->failures++;
	pthread_mutex_unlock(&t->lock);
}

void
duel_done_cb(struct ledger_job *job, void *arg)
{
	struct duel *t = arg;

	(void)job;
	pthread_mutex_lock(&t->lock);
	t->answered++;
	pthread_cond_broadcast(&t->wake);
	pthread_mutex_unlock(&t->lock);
}

int
duel_start(struct duel *t)
{
	const struct ledger_config conf = {.database = t->path,
	    .identity = &t->identity,
	    .dice = &t->dice,
	    .queue_max = 512,
	    .batch_us = t->batch_us == 0 ? INT64_MAX : t->batch_us,
	    .blob_quota = 4000,
	    .published = duel_published_cb,
	    .waiting = duel_waiting_cb,
	    .channels = t->channels,
	    .notify_delay_ms = t->delay_ms,
	    .wants = duel_wants_cb,
	    .stated = duel_stated_cb,
	    .failed = duel_failed_cb,
	    .precompute_cache = t->precompute_cache,
	    .arg = t};
	struct errinfo e;

	if (ledger_start(&conf, &t->l, &e) != 0 ||
	    store_open_reader(t->path, &t->rd, &e) != 0) {
		print_error("%s\n", e.text);
		return (-1);
	}
	return (0);
}

void
duel_stop(struct duel *t)
{
	store_close(t->rd);
	t->rd = NULL;
	ledger_stop(t->l);
	t->l = NULL;
}

int
duel_run(struct duel *t, struct ledger_job *job)
{
	int before;

	pthread_mutex_lock(&t->lock);
	before = t->answered;
	pthread_mutex_unlock(&t->lock);
	job->done = duel_done_cb;
	job->arg = t;
	assert_int_equal(ledger_submit(t->l, job), 0);
	pthread_mutex_lock(&t->lock);
	while (t->answered == before)
		pthread_cond_wait(&t->wake, &t->lock);
	pthread_mutex_unlock(&t->lock);
	return (job->r);
}

/* ---- jobs ---- */

struct ledger_job *
duel_register_job(const char *name, const uint8_t key[SIGN_KEY_LEN])
{
	struct ledger_job *job;

	job = ledger_job_new(LEDGER_REGISTER);
	assert_non_null(job);
	snprintf(job->account, sizeof(job->account), "%s", name);
	snprintf(job->display, sizeof(job->display), "Person %s", name);
	memcpy(job->key, key, SIGN_KEY_LEN);
	return (job);
}

struct ledger_job *
duel_blob_job(const char *account, const char *text)
{
	struct ledger_job *job;

	job = ledger_job_new(LEDGER_BLOB);
	assert_non_null(job);
	snprintf(job->account, sizeof(job->account), "%s", account);
	job->blob = quoted_text(text);
	job->blob_len = strlen(job->blob);
	assert_int_equal(
	    record_blob_hash(job->blob_hash, job->blob, job->blob_len), 0);
	return (job);
}

struct ledger_job *
duel_text_job(struct duel *t, int seat, const char *text, size_t len)
{
	struct ledger_job *job;
	struct errinfo e;

	job = ledger_job_new(LEDGER_ORDER);
	assert_non_null(job);
	snprintf(job->account, sizeof(job->account), "%s", duel_names[seat]);
	job->text = malloc(len + 1);
	assert_non_null(job->text);
	memcpy(job->text, text, len);
	job->text[len] = '\0';
	assert_int_equal(order_parse(job->text, len, &job->order, &e), 0);
	memcpy(job->key, t->keys[seat].sign.public_key, SIGN_KEY_LEN);
	assert_int_equal(sign_make(&t->keys[seat].sign, SIGN_TAG_ORDER,
			     job->text, len, job->sig),
	    0);
	return (job);
}

void
duel_add_text(struct ledger_job *job, const char *value, uint8_t salt)
{
	struct ledger_text *t = &job->texts[job->n_texts++];

	memset(t->salt, salt, sizeof(t->salt));
	t->value = strdup(value);
	assert_non_null(t->value);
	t->len = strlen(value);
	assert_int_equal(record_text_ref(t->ref, t->salt, value, t->len), 0);
}

/* Lends blobs of the database to the game code. */
static int
duel_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len)
{
	static struct buf lent;
	struct duel *t = arg;
	int r;

	buf_reset(&lent);
	r = store_blob_get(t->rd, hash, &lent);
	if (r != 0)
		return (r);
	*bytes = buf_str(&lent);
	*len = lent.len;
	return (0);
}

struct game *
duel_game(struct duel *t)
{
	static struct game_blobs blobs;
	struct store_game_row row;
	struct errinfo e;
	struct buf snapshot;
	struct game *g;
	bool fits;

	blobs = (struct game_blobs){duel_blob_cb, t};
	buf_init(&snapshot, 0);
	assert_int_equal(
	    store_game_load(t->rd, t->game, &row, &snapshot, &fits), 0);
	assert_int_equal(
	    game_load(snapshot.data, snapshot.len, &blobs, &g, &e), 0);
	assert_int_equal(game_seq(g), row.seq);
	buf_clear(&snapshot);
	return (g);
}

struct ledger_job *
duel_order_job(struct duel *t, int seat, enum order_kind kind, const char *args)
{
	struct ledger_job *job;
	struct errinfo e;
	struct game *g;
	struct buf text;
	uint8_t sig[SIGN_LEN];
	json_t *v;
	int r;

	g = duel_game(t);
	v = quoted_json(args);
	buf_init(&text, 0);
	r = game_make_order(
	    g, seat, &t->keys[seat], kind, v, clock_wall_ms(), &text, sig, &e);
	if (r != 0)
		fail_msg("%s: %s", e.where, e.text);
	job = duel_text_job(t, seat, text.data, text.len);
	json_decref(v);
	buf_clear(&text);
	game_free(g);
	return (job);
}

struct ledger_job *
duel_chat_job(struct duel *t, int seat, const char *words, uint8_t salt)
{
	struct ledger_job *job;
	struct ledger_text text;
	char args[100];
	char hex[65];
	json_t *v;

	memset(text.salt, salt, sizeof(text.salt));
	assert_int_equal(
	    record_text_ref(text.ref, text.salt, words, strlen(words)), 0);
	v = js_hex(text.ref, HASH_LEN);
	assert_non_null(v);
	snprintf(hex, sizeof(hex), "%s", json_string_value(v));
	json_decref(v);
	snprintf(args, sizeof(args), "{'ref':'%s'}", hex);
	job = duel_order_job(t, seat, ORDER_CHAT, args);
	duel_add_text(job, words, salt);
	return (job);
}

json_t *
duel_seat_args(struct duel *t, int seat)
{
	static const uint8_t zeros[HASH_LEN];

	return (json_pack("{s:i, s:o, s:o, s:s, s:i, s:o}", "seat", seat, "key",
	    js_hex(t->keys[seat].sign.public_key, SIGN_KEY_LEN), "dice_key",
	    js_hex(t->keys[seat].dice.public_key, VRF_KEY_LEN), "account",
	    duel_names[seat], "kn", 0, "kprev", js_hex(zeros, HASH_LEN)));
}

json_t *
duel_create_args(struct duel *t)
{
	json_t *v, *more;

	v = duel_seat_args(t, 1);
	more = json_pack("{s:s, s:s, s:{}, s:[], s:o, s:s, s:o, s:s, s:s}",
	    "system", "lasalle2", "rules", "lasalle2/1", "rulings", "tables",
	    "roster", js_hex(t->roster, HASH_LEN), "scheme", "dual-1",
	    "server_dice", js_hex(t->dice.public_key, VRF_KEY_LEN), "secret",
	    "held", "silence", "forfeit");
	assert_non_null(v);
	assert_non_null(more);
	assert_int_equal(json_object_update(v, more), 0);
	json_decref(more);
	return (v);
}

struct ledger_job *
duel_create_job(struct duel *t, json_t *args)
{
	struct ledger_job *job;
	struct buf text;
	uint8_t sig[SIGN_LEN];

	buf_init(&text, 0);
	assert_int_equal(game_make_create(t->identity.public_key, &t->keys[1],
			     args, clock_wall_ms(), &text, sig),
	    0);
	json_decref(args);
	job = duel_text_job(t, 1, text.data, text.len);
	buf_clear(&text);
	return (job);
}

struct ledger_job *
duel_join_job(struct duel *t)
{
	struct ledger_job *job;
	struct buf text;
	json_t *v;

	v = duel_seat_args(t, 2);
	buf_init(&text, 0);
	js_dump(v, &text);
	json_decref(v);
	job = duel_order_job(t, 2, ORDER_JOIN, buf_str(&text));
	buf_clear(&text);
	return (job);
}

void
duel_must(struct duel *t, struct ledger_job *job)
{
	int r;

	r = duel_run(t, job);
	if (r != 0)
		fail_msg("%d: %s: %s", r, job->e.where, job->e.text);
	ledger_job_free(job);
}

void
duel_play(struct duel *t)
{
	struct ledger_job *job;

	duel_must(t, duel_register_job("ann", t->keys[1].sign.public_key));
	duel_must(t, duel_register_job("bob", t->keys[2].sign.public_key));
	job = duel_blob_job("ann", duel_roster);
	memcpy(t->roster, job->blob_hash, HASH_LEN);
	duel_must(t, job);
	job = duel_create_job(t, duel_create_args(t));
	memcpy(t->game, job->order.game, HASH_LEN);
	duel_must(t, job);
	duel_must(t, duel_join_job(t));
	duel_must(t, duel_order_job(t, 1, ORDER_READY, "{}"));
	duel_must(t, duel_order_job(t, 2, ORDER_READY, "{}"));
}

/* ---- what must come out ---- */

void
duel_must_fail(struct duel *t, struct ledger_job *job, int r, const char *why)
{
	int got;

	got = duel_run(t, job);
	if (got != r || strstr(job->e.text, why) == NULL)
		fail_msg("%d: %s: %s", got, job->e.where, job->e.text);
	assert_int_equal(job->refusal.len, 0);
	assert_int_equal(job->line.len, 0);
	assert_false(job->is_repeat);
	ledger_job_free(job);
}

void
duel_must_refuse(struct duel *t, struct ledger_job *job, int r,
    const char *name, const char *why)
{
	struct store_game_row row;
	struct errinfo e;
	const char *s;
	uint8_t h[HASH_LEN], head[HASH_LEN];
	int64_t seq;
	json_t *v;
	int got;

	got = duel_run(t, job);
	if (got != r || strstr(job->e.text, why) == NULL)
		fail_msg("%d: %s: %s", got, job->e.where, job->e.text);
	assert_int_equal(job->line.len, 0);
	assert_int_equal(
	    sign_check(t->identity.public_key, SIGN_TAG_REFUSAL,
		job->refusal.data, job->refusal.len, job->refusal_sig),
	    0);
	assert_int_equal(
	    js_load(job->refusal.data, job->refusal.len, 16, &v, &e), 0);
	assert_int_equal(js_get_str(v, "why", NULL, &s, &e), 0);
	assert_string_equal(s, name);
	assert_int_equal(js_get_hex(v, "oid", NULL, h, HASH_LEN, &e), 0);
	assert_memory_equal(h, job->order.oid, HASH_LEN);
	assert_int_equal(js_get_hex(v, "game", NULL, h, HASH_LEN, &e), 0);
	assert_memory_equal(h, job->order.game, HASH_LEN);
	assert_int_equal(js_get_int(v, "seq", NULL, -1, 1000, &seq, &e), 0);
	assert_int_equal(js_get_hex(v, "head", NULL, h, HASH_LEN, &e), 0);
	assert_int_equal(seq, job->head_seq);
	assert_memory_equal(h, job->head, HASH_LEN);
	if (store_game_find(t->rd, job->order.game, &row) == 0) {
		assert_int_equal(
		    store_record_hash(t->rd, row.gid, row.seq, head), 0);
		assert_int_equal(seq, row.seq);
		assert_memory_equal(h, head, HASH_LEN);
	} else {
		assert_int_equal(seq, -1);
	}
	json_decref(v);
	ledger_job_free(job);
}

int64_t
duel_last_seq(struct duel *t)
{
	struct store_game_row row;

	assert_int_equal(store_game_find(t->rd, t->game, &row), 0);
	return (row.seq);
}

struct ledger_job *
duel_same_job(struct duel *t, int seat, const struct ledger_job *job)
{
	struct ledger_job *again;

	again = duel_text_job(t, seat, job->order.text, job->order.len);
	memcpy(again->account, job->account, sizeof(again->account));
	return (again);
}

struct ledger_job *
duel_edited_job(struct duel *t, int seat, const struct ledger_job *job,
    const char *from, const char *to)
{
	char *old = quoted_text(from), *other = quoted_text(to);
	struct ledger_job *edited;
	const char *at;
	struct buf b;

	at = strstr(job->text, old);
	assert_non_null(at);
	buf_init(&b, 0);
	buf_add(&b, job->text, (size_t)(at - job->text));
	buf_puts(&b, other);
	buf_puts(&b, at + strlen(old));
	edited = duel_text_job(t, seat, b.data, b.len);
	buf_clear(&b);
	free(old);
	free(other);
	return (edited);
}

/* Writes a line of the record into a buffer. */
static int
duel_export_line(void *arg, int64_t seq, const char *bytes, size_t len)
{
	struct buf *out = arg;

	(void)seq;
	buf_add(out, bytes, len);
	buf_putc(out, '\n');
	return (0);
}

/* Writes a blob or a text into a buffer, as a side line. */
static int
duel_export_side(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
    const uint8_t *salt, const char *value, size_t len)
{
	struct buf *out = arg;

	if (is_blob)
		record_write_blob(out, hash, value, len);
	else
		record_write_text(out, hash, salt, value, len);
	buf_putc(out, '\n');
	return (0);
}

void
duel_is_good(struct duel *t, int64_t lines)
{
	const struct verify_options opt = {
	    .server = t->identity.public_key, .head_seq = -1};
	struct store_game_row row;
	struct verify_report rep;
	struct errinfo e = {0};
	struct buf out;

	buf_init(&out, 0);
	assert_int_equal(store_game_find(t->rd, t->game, &row), 0);
	assert_int_equal(store_record_each(t->rd, row.gid, 0, INT64_MAX,
			     duel_export_line, &out),
	    0);
	assert_int_equal(store_side_each(t->rd, row.gid, 0, INT64_MAX,
			     STORE_SIDE_ALL, duel_export_side, &out),
	    0);
	if (verify_bytes(out.data, out.len, &opt, &rep, NULL, &e) != 0)
		fail_msg(
		    "%lld: %s: %s", (long long)rep.file_line, e.where, e.text);
	assert_int_equal(rep.lines, lines);
	assert_false(rep.is_unchecked);
	assert_int_equal(row.seq, lines - 1);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
	buf_clear(&out);
}

void
duel_await_held_sync(void)
{
	while (atomic_load(&faulty.syncs_waiting) == 0)
		duel_rest();
}

void
duel_await_answers(struct duel *t, int n)
{
	pthread_mutex_lock(&t->lock);
	while (t->answered < n)
		pthread_cond_wait(&t->wake, &t->lock);
	pthread_mutex_unlock(&t->lock);
}

void
duel_submit(struct duel *t, struct ledger_job *job)
{
	job->done = duel_done_cb;
	job->arg = t;
	assert_int_equal(ledger_submit(t->l, job), 0);
}

char *
duel_dice_of(struct ledger_job *job)
{
	const char *from, *to;

	from = strstr(buf_str(&job->line), "\"rolls\":");
	assert_non_null(from);
	to = strstr(from, "]}]");
	assert_non_null(to);
	return (strndup(from, (size_t)(to - from) + 2));
}

/* The dice that a declare of this game must have, from the keys alone. */
static int
duel_prove_cb(void *arg, const uint8_t *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	const struct duel *t = arg;

	return (vrf_prove(&t->dice, alpha, n, proof, beta));
}

char *
duel_expected_dice(struct duel *t, const struct ledger_job *job)
{
	const struct game_dice dice = {duel_prove_cb, t};
	struct game_effects fx;
	struct errinfo e;
	struct game *g;
	struct buf out;
	char *text;

	g = duel_game(t);
	assert_int_equal(
	    game_take(g, &job->order, job->key, &dice, NULL, &fx, &e), 0);
	buf_init(&out, 0);
	buf_puts(&out, "\"rolls\":");
	js_dump(json_object_get(fx.dice, "rolls"), &out);
	text = strndup(buf_str(&out), out.len - 1);
	buf_clear(&out);
	game_effects_clear(&fx);
	game_free(g);
	return (text);
}

/* ---- setup ---- */

int
duel_setup(void **state)
{
	uint8_t seed[32];
	const char *tmp;
	struct store *st;
	struct errinfo e;
	struct duel *t;
	int i;

	t = calloc(1, sizeof(*t));
	if (t == NULL)
		return (-1);
	t->stated = -1;
	buf_init(&t->state, 0);
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->wake, NULL);
	tmp = getenv("TMPDIR");
	snprintf(t->dir, sizeof(t->dir), "%.40s/ledger.XXXXXX",
	    tmp != NULL && strlen(tmp) < 40 ? tmp : "/tmp");
	if (mkdtemp(t->dir) == NULL)
		return (-1);
	snprintf(t->path, sizeof(t->path), "%s/u.db", t->dir);
	if (store_open_writer(t->path, true, &st, &e) != 0)
		return (-1);
	store_close(st);
	for (i = 0; i < 3; i++) {
		memset(seed, 0x11 + i, sizeof(seed));
		if (sign_key_from_seed(&t->keys[i].sign, seed) != 0 ||
		    vrf_key_from_secret(&t->keys[i].dice, seed) != 0)
			return (-1);
	}
	memset(seed, 0x77, sizeof(seed));
	if (sign_key_from_seed(&t->identity, seed) != 0 ||
	    vrf_key_from_secret(&t->dice, seed) != 0)
		return (-1);
	*state = t;
	return (duel_start(t));
}

int
duel_teardown(void **state)
{
	static const char *const names[] = {
	    "u.db", "u.db-wal", "u.db-shm", "u.db.lock", "u.db.heads"};
	struct duel *t = *state;
	char path[128];
	size_t i;

	faulty_clear();
	duel_stop(t);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", t->dir, names[i]);
		(void)unlink(path);
	}
	if (rmdir(t->dir) != 0)
		return (-1);
	buf_clear(&t->state);
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->wake);
	free(t);
	return (0);
}
