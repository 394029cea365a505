/* SPDX-License-Identifier: ISC */
/*
 * Plays the games of tests/rules/SYSTEM/played*.game through the game
 * library, by fixed keys, so that the dice are the same in every run:
 * declarations, the decisions of the record beside the file, played.jsonl,
 * commits and opens, answers that are owed, upkeep orders, adjustments that are
 * agreed and such as are taken back, ends of turns.  What is written must
 * verify, and must say what that record says: a change of any event shows here,
 * and is a new version of the rules.
 *
 * With UMPIRE_WRITE in the environment the records are written anew, with
 * decisions by chance from a fixed seed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glob.h>

#include <cmocka.h>

#include "common/game/game_facts.h"
#include "common/game/game_int.h"
#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/chance.h"
#include "tests/lib/table.h"

#define PLAYED_GAMES TOP_SRCDIR "/tests/rules/*/played*.game"
#define PLAYED_FILE_MAX (8U << 20)

/* A game while it is played. */
struct played {
	struct table t;
	uint64_t seed;
	unsigned salts; /* made so far */
	int n_taken, n_refused; /* steps; those that may be refused aside */
	int64_t adjusted; /* line of the last accept of an adjustment */
	int n_facts, n_objected; /* answers to decisions that state facts */
	char *then; /* the record, owned; NULL while it is written */
};

/* Reads a whole file; the caller frees it. */
static char *
played_read(const char *path, size_t *len)
{
	char *text;
	FILE *f;

	if ((f = fopen(path, "rb")) == NULL)
		fail_msg("%s: cannot be opened", path);
	assert_non_null(text = malloc(PLAYED_FILE_MAX));
	*len = fread(text, 1, PLAYED_FILE_MAX - 1, f);
	text[*len] = '\0';
	assert_int_equal(fclose(f), 0);
	return (text);
}

/* Reads a file as JSON. */
static json_t *
played_load(const char *path)
{
	size_t len;
	char *text = played_read(path, &len);
	json_t *v = table_json(text);

	free(text);
	return (v);
}

/* A blob of a file's value, put on the table; its hash, new. */
static json_t *
played_blob(struct table *t, const char *file)
{
	char path[512];
	uint8_t hash[HASH_LEN];
	struct buf b;
	json_t *v;

	(void)snprintf(path, sizeof(path), TOP_SRCDIR "/%s", file);
	v = played_load(path);
	buf_init(&b, 0);
	js_dump(v, &b);
	table_put(t, buf_str(&b), hash);
	buf_clear(&b);
	json_decref(v);
	return (js_hex(hash, HASH_LEN));
}

/* Opens the game of a file and brings it to its first turn. */
static void
played_begin(struct played *p, const json_t *file)
{
	static const char *const settings[] = {
	    "rulings", "secret", "scheme", "confirm"};
	struct table *t = &p->t;
	const struct rules_system *sys;
	json_t *args, *tables;
	const json_t *v;
	size_t i;

	table_init(t);
	sys = systems_find(json_string_value(json_object_get(file, "system")));
	assert_non_null(sys);
	args = table_create_args(t, table_roster);
	json_object_set_new(args, "system", json_string(sys->id));
	json_object_set_new(args, "rules", json_string(sys->version));
	json_object_set_new(args, "roster",
	    played_blob(t, json_string_value(json_object_get(file, "roster"))));
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		if ((v = json_object_get(file, settings[i])) != NULL)
			json_object_set(
			    args, settings[i], (json_t *)(uintptr_t)v);
	}
	tables = json_array();
	json_array_foreach(json_object_get(file, "tables"), i, v)
	    json_array_append_new(tables, played_blob(t, json_string_value(v)));
	json_object_set_new(args, "tables", tables);
	table_make_create(t, args);
	if (table_open(t) != 0)
		fail_msg("%s: %s: %s", sys->id, t->e.where, t->e.text);
	assert_int_equal(table_try(t, 2, ORDER_JOIN, table_seat_args(t, 2)), 0);
	table_play(t, 2, ORDER_READY, "{}");
	table_play(t, 1, ORDER_READY, "{}");
}

/* The next line as JSON, new; NULL behind the last. */
static json_t *
played_line(const char **at)
{
	const char *end = strchr(*at, '\n');
	json_t *v = NULL;

	if (end == NULL)
		return (NULL);
	assert_int_equal(
	    js_load(*at, (size_t)(end - *at), JS_DEPTH_RECORD + 8, &v, NULL),
	    0);
	*at = end + 1;
	return (v);
}

/* The decision of the record's line that comes next; new. */
static json_t *
played_recorded(const struct played *p)
{
	json_t *args, *line, *order, *v = NULL;
	const char *at = p->then;

	while (v == NULL && (line = played_line(&at)) != NULL) {
		if (json_integer_value(json_object_get(line, "seq")) ==
		    p->t.game->seq + 1) {
			order = table_json(
			    json_string_value(json_object_get(line, "order")));
			args = json_object_get(order, "args");
			v = json_incref(json_object_get(args, "decision"));
			json_decref(order);
		}
		json_decref(line);
	}
	assert_non_null(v);
	return (v);
}

/* A lawful decision of a side, by chance, or the recorded one; new. */
static json_t *
played_sample(struct played *p)
{
	const struct question_pick pick = {chance_pick_cb, &p->seed};
	json_t *decision = NULL;

	assert_int_equal(
	    combat_sample(p->t.game->combat.run, &pick, &decision), 0);
	if (p->then == NULL)
		return (decision);
	json_decref(decision);
	return (played_recorded(p));
}

/* A secret choice of a seat: its card by chance, a salt, the commitment. */
static json_t *
played_choose(struct played *p, int seat, json_t **open)
{
	struct game *g = p->t.game;
	uint8_t salt[RECORD_SALT_LEN] = {0}, commit[HASH_LEN];
	json_t *card, *list, *v;
	const char *member = NULL;
	struct buf b;
	size_t n;

	card = combat_asked_of(g->combat.run,
	    game_side_of(seat) == g->combat.side ? COMBAT_ATTACKER
						 : COMBAT_DEFENDER);
	v = json_object_get(card, "options");
	member = json_object_iter_key(json_object_iter(v));
	list = json_object_get(json_object_get(v, member), "one");
	n = chance_pick_cb(&p->seed, (uint32_t)json_array_size(list));
	buf_init(&b, 0);
	buf_printf(&b, "{\"kind\":\"%s\",\"%s\":\"%s\"}",
	    json_string_value(json_object_get(card, "kind")), member,
	    json_string_value(json_array_get(list, n)));
	json_decref(card);
	salt[0] = (uint8_t)seat;
	salt[1] = (uint8_t)++p->salts;
	assert_int_equal(record_secret(commit, game_id(g), seat,
			     g->combat.ask_seq, salt, b.data, b.len),
	    0);
	*open = json_pack("{s:o, s:s}", "salt", js_hex(salt, sizeof(salt)),
	    "text", buf_str(&b));
	buf_clear(&b);
	return (json_pack("{s:I, s:o}", "ask", (json_int_t)g->combat.ask_seq,
	    "commit", js_hex(commit, HASH_LEN)));
}

/* Both sides commit, in an order by chance, and open what they sealed. */
static void
played_commit(struct played *p)
{
	int64_t ask = p->t.game->combat.ask_seq;
	int first = 1 + (int)chance_pick_cb(&p->seed, 2), i, seat;
	json_t *opens[3], *args;

	for (i = 0; i < 2; i++) {
		seat = i == 0 ? first : 3 - first;
		args = played_choose(p, seat, &opens[seat]);
		if (!game_is_sealed(p->t.game))
			p->t.open = opens[seat];
		if (table_try(&p->t, seat, ORDER_COMMIT, args) != 0)
			fail_msg("%s: %s", p->t.e.where, p->t.e.text);
		table_reload(&p->t);
	}
	p->t.open = NULL;
	for (i = 1; i <= 2; i++) {
		seat = i == 1 ? 3 - first : first;
		if (game_is_sealed(p->t.game)) {
			json_object_set_new(
			    opens[seat], "ask", json_integer(ask));
			assert_int_equal(table_try(&p->t, seat, ORDER_OPEN,
					     json_incref(opens[seat])),
			    0);
			table_reload(&p->t);
		}
		json_decref(opens[seat]);
	}
}

/* Agrees to what waits, or by chance objects to it. */
static void
played_answer(struct played *p)
{
	struct game *g = p->t.game;
	bool is_fact = game_fact_owed(g) != NULL, agrees = true;

	if (game_may_object(g))
		agrees = chance_pick_cb(&p->seed, 3) != 0;
	p->n_facts += is_fact;
	p->n_objected += is_fact && !agrees;
	if (table_try(&p->t, g->owed.seat, ORDER_ANSWER,
		json_pack("{s:I, s:s}", "to", (json_int_t)g->owed.seq, "say",
		    agrees ? "agree" : "object")) != 0)
		fail_msg("%s: %s", p->t.e.where, p->t.e.text);
	table_reload(&p->t);
}

/* Answers all that is owed and all questions of the open combat. */
static void
played_fight(struct played *p)
{
	const struct game_combat *c = &p->t.game->combat;
	json_t *args;
	int seat;

	while (c->is_open) {
		if (p->t.game->owed.is_owed) {
			played_answer(p);
		} else if (c->is_secret) {
			played_commit(p);
		} else {
			seat = c->ask_side;
			args = json_pack("{s:I, s:o}", "ask",
			    (json_int_t)c->ask_seq, "decision",
			    played_sample(p));
			if (table_try(&p->t, seat, ORDER_DECIDE, args) != 0)
				fail_msg("%s: %s", p->t.e.where, p->t.e.text);
			table_reload(&p->t);
		}
		c = &p->t.game->combat;
	}
}

/* The seat in turn proposes an adjustment, and the other side accepts it. */
static int
played_adjust(struct played *p, int seat, json_t *units)
{
	char args[64];
	int r;

	r = table_try(&p->t, seat, ORDER_PROPOSE,
	    json_pack("{s:s, s:O}", "what", "adjust", "units", units));
	if (r != 0)
		return (r);
	(void)snprintf(
	    args, sizeof(args), "{'to':%lld}", (long long)game_seq(p->t.game));
	table_play(&p->t, 3 - seat, ORDER_ACCEPT, args);
	p->adjusted = game_seq(p->t.game);
	return (0);
}

/* All from the last adjustment on is taken back. */
static void
played_take_back(struct played *p, int seat)
{
	char args[64];

	(void)snprintf(args, sizeof(args), "{'what':'takeback','from':%lld}",
	    (long long)p->adjusted);
	table_play(&p->t, seat, ORDER_OFFER, args);
	(void)snprintf(
	    args, sizeof(args), "{'to':%lld}", (long long)game_seq(p->t.game));
	table_play(&p->t, 3 - seat, ORDER_ACCEPT, args);
}

/* Plays one step; one that the rules refuse by now is passed over. */
static void
played_step(struct played *p, const char *name, const json_t *step)
{
	int seat = game_side(p->t.game), r;
	json_t *v;

	if ((v = json_object_get(step, "declare")) != NULL) {
		r = table_try(&p->t, seat, ORDER_DECLARE,
		    json_pack("{s:O}", "combat", v));
		if (r == 0)
			played_fight(p);
	} else if ((v = json_object_get(step, "adjust")) != NULL) {
		r = played_adjust(p, seat, v);
	} else if (json_object_get(step, "takeback") != NULL) {
		played_take_back(p, seat);
		r = 0;
	} else if ((v = json_object_get(step, "upkeep")) != NULL) {
		r = table_try(&p->t, seat, ORDER_UPKEEP, json_incref(v));
	} else {
		assert_true(json_is_true(json_object_get(step, "end")));
		r = table_try(&p->t, seat, ORDER_TURN_END, json_object());
	}
	if (r == 0)
		p->n_taken++;
	else if (r == ERR_ILLEGAL)
		p->n_refused += !json_is_true(json_object_get(step, "maybe"));
	else
		fail_msg("%s: %d %s: %s", name, r, p->t.e.where, p->t.e.text);
	if (r != 0 && !json_is_true(json_object_get(step, "maybe")) &&
	    getenv("UMPIRE_WRITE") != NULL)
		print_message("%s: %s: %s\n", name, p->t.e.where, p->t.e.text);
	table_reload(&p->t);
}

/* Compares two names, for qsort(). */
static int
played_order_cb(const void *a, const void *b)
{
	return (strcmp(*(const char *const *)a, *(const char *const *)b));
}

/* Appends the blobs behind the lines, sorted by hash, as an export has them. */
static void
played_side_lines(struct table *t, struct buf *out)
{
	const char *hashes[64], *hash;
	size_t i, n = 0;
	json_t *v;

	buf_add(out, t->record.data, t->record.len);
	json_object_foreach(t->blobs, hash, v)
	{
		if (strstr(buf_str(&t->record), hash) == NULL)
			continue;
		assert_true(n < sizeof(hashes) / sizeof(hashes[0]));
		hashes[n++] = hash;
	}
	qsort(hashes, n, sizeof(hashes[0]), played_order_cb);
	for (i = 0; i < n; i++) {
		buf_printf(out, "{\"blob\":\"%s\",\"value\":", hashes[i]);
		js_dump(json_object_get(t->blobs, hashes[i]), out);
		buf_puts(out, "}\n");
	}
}

/* A record must verify, be finished, and have nothing unchecked. */
static void
played_verify(const char *name, const char *bytes, size_t len)
{
	const struct verify_options opt = {.server = NULL};
	struct verify_report rep;
	struct errinfo e = {.text = ""};
	int r;

	r = verify_bytes(bytes, len, &opt, &rep, NULL, &e);
	if (r != 0)
		fail_msg("%s: %d %s: %s", name, r, e.where, e.text);
	assert_true(rep.is_finished);
	assert_false(rep.is_unchecked);
	assert_true(rep.combats > 0);
}

/* What was played must be what was played when the record was written. */
static void
played_compare(const char *name, const char *now, const char *then)
{
	static const char *const members[] = {
	    "seq", "seat", "dice", "opened", "pool", "events"};
	json_t *a, *b;
	size_t i;

	for (;;) {
		a = played_line(&now);
		b = played_line(&then);
		if (a == NULL || b == NULL)
			break;
		for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
			if (json_equal(json_object_get(a, members[i]),
				json_object_get(b, members[i])) ||
			    (json_object_get(a, members[i]) == NULL &&
				json_object_get(b, members[i]) == NULL))
				continue;
			fail_msg("%s: line %d: other %s than recorded", name,
			    (int)json_integer_value(json_object_get(a, "seq")),
			    members[i]);
		}
		json_decref(a);
		json_decref(b);
	}
	assert_true(a == NULL && b == NULL);
}

/* Plays one file. */
static void
played_game(const char *path)
{
	char record[512];
	struct played p = {.seed = 1};
	const json_t *step;
	struct buf out;
	json_t *file;
	size_t i, len;
	FILE *f;

	file = played_load(path);
	(void)snprintf(record, sizeof(record), "%.*sjsonl",
	    (int)(strlen(path) - strlen("game")), path);
	if (getenv("UMPIRE_WRITE") == NULL)
		p.then = played_read(record, &len);
	p.seed = (uint64_t)json_integer_value(json_object_get(file, "seed"));
	played_begin(&p, file);
	json_array_foreach(json_object_get(file, "steps"), i, step)
	    played_step(&p, path, step);
	if (game_settings(p.t.game)->confirms_facts)
		assert_true(p.n_objected > 0 && p.n_facts > p.n_objected);
	/* Most of what the file means to show must have been played. */
	assert_true(p.n_taken >= 2 * p.n_refused);
	table_play(&p.t, game_side(p.t.game), ORDER_RESIGN, "{}");
	table_play(&p.t, 1, ORDER_CLOSE, "{}");
	table_play(&p.t, 2, ORDER_CLOSE, "{}");
	buf_init(&out, 0);
	played_side_lines(&p.t, &out);
	played_verify(path, out.data, out.len);
	table_verify_resumed(&p.t);
	if (getenv("UMPIRE_WRITE") != NULL) {
		assert_non_null(f = fopen(record, "wb"));
		assert_int_equal(fwrite(out.data, 1, out.len, f), out.len);
		assert_int_equal(fclose(f), 0);
		print_message("%s: %d steps, %d refused, %zu bytes\n", record,
		    p.n_taken, p.n_refused, out.len);
		p.then = played_read(record, &len);
	}
	played_verify(record, p.then, len);
	played_compare(path, buf_str(&out), p.then);
	free(p.then);
	buf_clear(&out);
	json_decref(file);
	table_clear(&p.t);
}

static void
played_games_come_out_as_they_are_recorded(void **state)
{
	glob_t files;
	size_t i;

	(void)state;
	assert_int_equal(glob(PLAYED_GAMES, 0, NULL, &files), 0);
	for (i = 0; i < files.gl_pathc; i++)
		played_game(files.gl_pathv[i]);
	globfree(&files);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(played_games_come_out_as_they_are_recorded),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
