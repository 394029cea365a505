/* SPDX-License-Identifier: ISC */
/*
 * Snapshots of what play by turns adds: whatever the state, it is read back
 * as it was; whatever the snapshot, it is refused or gives a state that can
 * be saved.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/game/game_int.h"
#include "common/game/game_undo.h"
#include "common/rules/roster.h"

#include "tests/lib/agree.h"
#include "tests/lib/alloc.h"
#include "tests/lib/table.h"

#define KEEP_ROUNDS 100
#define KEEP_ROUNDS_LONG 300
#define KEEP_ROUNDS_SLOW 40
#define KEEP_CLOCK                                                         \
	"{'clock':{'per':'side','first_s':86400,'add_s':60,'cap_s':90000," \
	"'grace_s':5,'holidays':9,'skip':['sun'],'then':'director'},"      \
	"'options':{'director':true,'seats':4}}"

static uint64_t keep_seed;

/* How many states are tried; fewer where things are slow. */
static int
keep_rounds(void)
{
	return (getenv("UMPIRE_LONG") != NULL   ? KEEP_ROUNDS_LONG
		: getenv("UMPIRE_SLOW") != NULL ? KEEP_ROUNDS_SLOW
						: KEEP_ROUNDS);
}

/* A number from 0 to n - 1. */
static int64_t
keep_any(int64_t n)
{
	keep_seed = keep_seed * 6364136223846793005u + 1442695040888963407u;
	return ((int64_t)((keep_seed >> 11) % (uint64_t)n));
}

/* Bytes of any value. */
static void
keep_bytes(uint8_t *p, size_t n)
{
	while (n-- > 0)
		*p++ = (uint8_t)keep_any(256);
}

/* n ids; new. */
static json_t *
keep_ids(const char *prefix, int64_t n)
{
	json_t *list = json_array();
	char id[40];
	int64_t i;

	for (i = 0; i < n; i++) {
		(void)snprintf(id, sizeof(id), "%s%lld", prefix, (long long)i);
		json_array_append_new(list, json_string(id));
	}
	return (list);
}

/* A set of names; new, NULL now and then. */
static json_t *
keep_set(const char *prefix)
{
	int64_t i, n = keep_any(4);
	json_t *set = n == 0 ? NULL : json_object();
	char name[40];

	for (i = 0; i < n; i++) {
		(void)snprintf(name, sizeof(name), "%s-%lld", prefix,
		    (long long)(i * 7 % 5));
		json_object_set_new(set, name, json_true());
	}
	return (set);
}

/* Any open offers. */
static void
keep_offers(struct game *g)
{
	static const char *const args[] = {"{'what':'draw'}",
	    "{'what':'victory','winner':2}", "{'what':'takeback','from':3}",
	    "{'what':'pause','days':366}",
	    "{'what':'truce','turns':99,'why':" TABLE_REF "}",
	    "{'what':'witness-out'}",
	    "{'what':'adjust','units':[{'id':'fr-1','strength':2}]}",
	    "{'what':'roster','roster':" TABLE_REF "}",
	    "{'result':0,'why':" TABLE_REF "}"};
	struct game_offer *f;

	g->n_offers = (size_t)keep_any(4);
	g->offers = calloc(g->n_offers + 1, sizeof(*g->offers));
	for (f = g->offers; f < g->offers + g->n_offers; f++) {
		f->seq = keep_any(g->seq + 1);
		f->seat = (int)keep_any(GAME_SEATS);
		f->what = (enum game_offer_what)keep_any(
		    sizeof(args) / sizeof(args[0]));
		f->args = table_json(args[f->what]);
		f->is_accepted[1] = keep_any(2) == 1;
		f->is_accepted[2] = keep_any(2) == 1;
	}
}

/* Any lines that may be taken back. */
static void
keep_undos(struct game *g)
{
	static const char *const ids[] = {"fr-1", "ru-a1", "fr-c1", "late"};
	const size_t n_ids = roster_find(g->roster, "late", NULL) ? 4 : 3;
	struct game_undo *u;
	int64_t i, k;

	game_undo_clear(g);
	g->n_undos = (size_t)keep_any(4);
	g->undos = calloc(g->n_undos + 1, sizeof(*g->undos));
	for (i = 0; i < (int64_t)g->n_undos; i++) {
		u = &g->undos[i];
		u->seq = i + 2;
		u->turn = (int)keep_any(9);
		u->truce = (int)keep_any(3);
		for (k = keep_any((int64_t)n_ids + 1); k > 0; k--) {
			if (u->units == NULL)
				u->units = json_object();
			/* What joined was nothing before. */
			json_object_set_new(u->units, ids[k - 1],
			    k == 4 ? json_null()
				   : json_deep_copy(roster_find(
					 g->roster, ids[k - 1], NULL)));
		}
		if (keep_any(2) == 1) {
			(void)snprintf(u->cup, sizeof(u->cup), "cup");
			u->chits = keep_ids("x", 1 + keep_any(5));
		}
	}
}

/* Any cups. */
static void
keep_cups(struct game *g)
{
	struct game_cup *c;
	char name[40];
	int64_t i;

	for (i = keep_any(4); i > 0; i--) {
		(void)snprintf(name, sizeof(name), "%c.cup", (int)('a' + i));
		c = game_cup_add(g, name);
		assert_non_null(c);
		c->seq = keep_any(g->seq + 1);
		json_decref(c->in);
		json_decref(c->out);
		c->in = keep_ids("in", keep_any(30));
		c->out = keep_ids("out", 1 + keep_any(30));
	}
}

/* Any standing orders. */
static void
keep_standings(struct game *g)
{
	struct game_standing *s;
	int64_t i;

	g->n_standings = (size_t)keep_any(4);
	g->standings = calloc(g->n_standings + 1, sizeof(*g->standings));
	for (i = 0; i < (int64_t)g->n_standings; i++) {
		s = &g->standings[i];
		s->seq = i + 1;
		s->ask = keep_any(s->seq);
		s->seat = 1 + (int)keep_any(GAME_SEATS - 1);
		keep_bytes(s->commit, sizeof(s->commit));
		s->is_withdrawn = keep_any(2) == 1;
		s->is_open = s->is_held = keep_any(2) == 1;
		/* What is held and not open must not get into a snapshot. */
		if (!s->is_open && keep_any(2) == 1)
			s->is_held = true;
		if (s->is_held) {
			keep_bytes(s->salt, sizeof(s->salt));
			(void)snprintf(s->text, sizeof(s->text),
			    keep_any(3) == 0
				? "no object"
				: "{\"kind\":\"%s-%lld\",\"do\":\"most\"}",
			    s->is_open ? "open" : "secret", (long long)i);
		}
		s->passed = keep_set("kind");
	}
}

/* Any clocks. */
static void
keep_clocks(struct game *g)
{
	struct game_clock_side *s;
	int side;

	for (side = 1; side <= 2; side++) {
		s = &g->clock.sides[side];
		s->left = keep_any(90000000);
		s->since = keep_any(2) == 0 ? -1 : g->at_ms;
		s->away_until = keep_any(2) * (g->at_ms + 1000);
		s->holidays = keep_any(10);
	}
	g->clock.paused_until = keep_any(2) * (g->at_ms + keep_any(2000));
	g->clock.claim_seq = keep_any(2) == 0 ? -1 : keep_any(g->seq + 1);
	g->clock.claim_side = g->clock.claim_seq < 0 ? 0 : 1 + (int)keep_any(2);
}

/* Any order outside a combat that waits, or none. */
static void
keep_owed(struct game *g)
{
	struct game_owed *w = &g->owed;

	game_owed_clear(g);
	if (keep_any(2) == 0)
		return;
	w->is_owed = true;
	w->seq = keep_any(g->seq + 1);
	w->at_ms = keep_any(2) * g->at_ms;
	w->seat = (int)keep_any(3);
	(void)snprintf(w->place, sizeof(w->place), "f/1/%d", (int)keep_any(99));
	keep_bytes(w->own_beta, sizeof(w->own_beta));
	w->kind = keep_any(2) == 0 ? ORDER_FREE : ORDER_UPKEEP;
	w->by = 1 + (int)keep_any(4);
	w->args =
	    table_json(w->kind == ORDER_FREE ? "{'dice':3,'sides':6}"
					     : "{'unit':'fr-1','do':'rest'}");
	w->ask_seq = -1;
}

/* Units that joined, were gone, or were there for a while. */
static void
keep_joined(struct game *g)
{
	json_t *units = table_json("[{'id':'late','joins':'units','side':2,"
				   "'arm':'cavalry','strength':4}]");

	if (keep_any(2) == 1)
		assert_int_equal(game_adjust_do(g, units), 0);
	json_decref(units);
	units = table_json("[{'id':'ru-2','gone':true}]");
	if (keep_any(2) == 1)
		assert_int_equal(game_adjust_do(g, units), 0);
	json_decref(units);
	json_decref(roster_journal_take(g->roster));
	g->joined = keep_any(3) * 20000;
	g->spent = keep_set("unit");
}

/* A game in any state. */
static void
keep_random(struct table *t)
{
	struct game *g;
	int i;

	agree_begun(t, table_roster, KEEP_CLOCK);
	g = t->game;
	if (keep_any(2) == 1)
		keep_bytes(g->roster_blob, HASH_LEN);
	g->turn = 1 + (int)keep_any(5);
	g->turns_ended = g->turn - 1 + (int)keep_any(3);
	g->state_seq = g->seq - keep_any(2);
	if (g->state_seq != g->seq)
		g->state_at_ms = keep_any(2) == 0 ? -1 : g->at_ms - 5;
	for (i = 1; i <= 4; i++)
		g->frees[i] = (int)keep_any(3);
	g->truce = (int)keep_any(7);
	g->refused = keep_set("who");
	keep_offers(g);
	keep_joined(g);
	keep_undos(g);
	keep_cups(g);
	keep_standings(g);
	keep_clocks(g);
	keep_owed(g);
	i = (int)keep_any(8);
	if (i < 2) {
		g->phase = i == 0 ? GAME_OVER : GAME_FINISHED;
		game_owed_clear(g);
		/* Nobody joins any more. */
		g->joined = 0;
		json_decref(g->spent);
		g->spent = NULL;
	}
}

static void
any_state_is_read_back_as_it_was(void **state)
{
	struct table t;
	struct buf b;
	int i;

	(void)state;
	buf_init(&b, 0);
	for (i = 0; i < keep_rounds(); i++) {
		keep_seed = (uint64_t)i;
		keep_random(&t);
		table_save(&t, &b);
		assert_null(strstr(buf_str(&b), "secret-"));
		table_reload(&t);
		/* And what was read saves without want of anything. */
		table_reload(&t);
		table_clear(&t);
	}
	buf_clear(&b);
}

/* A value that does not belong where it is put; new. */
static json_t *
keep_wrong(const json_t *was)
{
	static const char *const wrong[] = {"null", "true", "-1", "0", "7",
	    "9007199254740991", "-9007199254740991", "''", "'x'", "[]", "{}",
	    "[[]]", "[{}]", "{'a':1}", "[1,2,3]", "['a','a']"};
	json_t *v;

	if (json_is_string(was) && keep_any(4) == 0) {
		v = json_string(json_string_value(was));
		json_string_set(v, "ffffffff");
		return (v);
	}
	if (json_is_integer(was) && keep_any(2) == 0)
		return (
		    json_integer(json_integer_value(was) + keep_any(5) - 2));
	if (json_is_array(was) && json_array_size(was) > 0 &&
	    keep_any(2) == 0) {
		v = json_deep_copy(was);
		json_array_append_new(
		    v, json_deep_copy(json_array_get(was, 0)));
		return (v);
	}
	return (table_json(
	    wrong[keep_any((int64_t)(sizeof(wrong) / sizeof(wrong[0])))]));
}

/* Damages one value somewhere in v. */
static void
keep_damage(json_t *v)
{
	size_t n = json_is_object(v) ? json_object_size(v) : json_array_size(v),
	       i = (size_t)keep_any((int64_t)n);
	json_t *inner;
	const char *name = NULL;
	void *iter;

	if (json_is_object(v)) {
		iter = json_object_iter(v);
		for (; i > 0; i--)
			iter = json_object_iter_next(v, iter);
		name = json_object_iter_key(iter);
		inner = json_object_iter_value(iter);
	} else {
		inner = json_array_get(v, i);
	}
	if ((json_is_object(inner) && json_object_size(inner) > 0) ||
	    (json_is_array(inner) && json_array_size(inner) > 0)) {
		if (keep_any(4) != 0) {
			keep_damage(inner);
			return;
		}
	}
	if (name != NULL && keep_any(5) == 0)
		json_object_del(v, name);
	else if (name != NULL)
		json_object_set_new(v, name, keep_wrong(inner));
	else
		json_array_set_new(v, i, keep_wrong(inner));
}

/* Reads a damaged snapshot: 1 if it was refused. */
static int
keep_read(struct table *t, const json_t *v)
{
	const struct game_blobs blobs = {table_blob_cb, t};
	struct game *g = NULL, *again = NULL;
	struct errinfo e = {0};
	struct buf b, c;
	json_t *view;
	int r;

	buf_init(&b, 0);
	buf_init(&c, 0);
	js_dump(v, &b);
	r = game_load(b.data, b.len, &blobs, &g, &e);
	if (r != 0) {
		assert_null(g);
		assert_int_not_equal(r, ERR_NOMEM);
		buf_clear(&b);
		return (1);
	}
	/* What is taken is a state like any other. */
	buf_reset(&b);
	assert_int_equal(game_save(g, &b), 0);
	view = game_view(g);
	assert_non_null(view);
	json_decref(view);
	r = game_load(b.data, b.len, &blobs, &again, &e);
	if (r != 0)
		fail_msg("%s: %s in %s", e.where, e.text, buf_str(&b));
	assert_int_equal(game_save(again, &c), 0);
	assert_string_equal(buf_str(&b), buf_str(&c));
	game_free(g);
	game_free(again);
	buf_clear(&b);
	buf_clear(&c);
	return (0);
}

static void
damaged_snapshots_break_nothing(void **state)
{
	struct table t;
	json_t *v, *bad;
	int i, k, refused = 0;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	for (i = 0; i < keep_rounds() / 10; i++) {
		keep_seed = (uint64_t)i + 1000;
		keep_random(&t);
		table_save(&t, &b);
		assert_int_equal(
		    js_load(b.data, b.len, JS_DEPTH_RPC, &v, NULL), 0);
		/* The create order and the roster have tests of their own. */
		for (k = 0; k < 200; k++) {
			bad = json_deep_copy(v);
			json_object_del(bad, "create");
			json_object_del(bad, "roster");
			keep_damage(bad);
			json_object_set(
			    bad, "create", json_object_get(v, "create"));
			json_object_set(
			    bad, "roster", json_object_get(v, "roster"));
			refused += keep_read(&t, bad);
			json_decref(bad);
		}
		json_decref(v);
		table_clear(&t);
	}
	assert_true(refused > keep_rounds() * 10 / 3);
	buf_clear(&b);
}

/* Members that no snapshot of a game in play has. */
static const struct {
	const char *name, *value;
} keep_edits[] = {
    {"roster_blob", "'00'"},
    {"turns_ended", "-1"},
    {"state_at", "-1"},
    {"truce", "-1"},
    {"frees", "[[0,1]]"},
    {"frees", "[[17,1]]"},
    {"frees", "[[1,0]]"},
    {"frees", "[[1]]"},
    {"offers", "[{'seq':99,'seat':1,'what':'draw','args':{}}]"},
    {"offers", "[{'seq':1,'seat':17,'what':'draw','args':{}}]"},
    {"offers", "[{'seq':1,'seat':1,'what':'peace','args':{}}]"},
    {"offers", "[{'seq':1,'seat':1,'what':'draw'}]"},
    {"offers", "[{'seq':1,'seat':1,'what':'victory','args':{'winner':0}}]"},
    {"offers", "[{'seq':1,'seat':1,'what':'takeback','args':{}}]"},
    {"offers", "[{'seq':1,'seat':1,'what':'pause','args':{'days':367}}]"},
    {"offers", "[{'seq':1,'seat':1,'what':'truce','args':{'turns':0}}]"},
    {"offers", "[{'seq':1,'seat':1,'what':'adjust','args':{'units':[{}]}}]"},
    {"offers", "[{'seq':1,'seat':1,'what':'roster','args':{'roster':'a'}}]"},
    {"undos", "[{'seq':2,'turn':1},{'seq':2,'turn':1}]"},
    {"undos", "[{'seq':2,'turn':1,'units':{'nobody':{}}}]"},
    {"undos", "[{'seq':2,'turn':1,'units':{'fr-1':1}}]"},
    {"undos", "[{'seq':2,'turn':1,'units':{'nobody':null}}]"},
    {"undos", "[{'seq':2,'turn':1,'units':{'fr-1':[]}}]"},
    {"joined", "-1"},
    {"joined", "40001"},
    {"joined", "'1'"},
    {"spent", "[1]"},
    {"spent", "['a23456789012345678901234567890123']"},
    {"spent", "{'a':true}"},
    {"undos", "[{'seq':2,'turn':1,'cup':'c'}]"},
    {"undos", "[{'seq':2,'turn':1,'chits':['a']}]"},
    {"undos", "[{'seq':2,'turn':1,'cup':'C','chits':['a']}]"},
    {"undos", "[{'seq':2,'turn':1,'cup':'c','chits':['a','a']}]"},
    {"undos", "[{},{},{},{},{},{},{},{},{},{},{},{}]"},
    {"cups", "[{'cup':'c','seq':1,'in':[],'out':[]}]"},
    {"cups", "[{'cup':'c','seq':1,'in':['a'],'out':['a']}]"},
    {"cups", "[{'cup':'c','seq':1,'in':[1],'out':[]}]"},
    {"cups", "[{'cup':'c','seq':99,'in':['a'],'out':[]}]"},
    {"cups", "[{'cup':'c d','seq':1,'in':['a'],'out':[]}]"},
    {"cups",
	"[{'cup':'c','seq':1,'in':['a'],'out':[]},{'cup':'c','seq':1,"
	"'in':['a'],'out':[]}]"},
    {"standings", "[{'seq':1,'ask':0,'seat':0,'commit':" TABLE_REF "}]"},
    {"standings", "[{'seq':1,'ask':1,'seat':1,'commit':" TABLE_REF "}]"},
    {"standings",
	"[{'seq':1,'ask':0,'seat':1,'commit':" TABLE_REF ",'text':'a'}]"},
    {"standings",
	"[{'seq':1,'ask':0,'seat':1,'commit':" TABLE_REF ",'salt':" TABLE_REF
	"}]"},
    {"standings",
	"[{'seq':1,'ask':0,'seat':1,'commit':" TABLE_REF ",'passed':['']}]"},
    {"clock", "null"},
    {"clock", "{}"},
    {"refused", "[1]"},
    {"refused", "['a23456789012345678901234567890123']"},
    {"owed", "{}"},
    {"owed", "1"},
    {"owed",
	"{'seq':1,'seat':2,'place':'c/1/a/1/1','own':" TABLE_REF
	",'kind':'declare','by':1,'ask':-1,'ask_side':0,'decisions':0,"
	"'events':0}"},
    {"owed",
	"{'seq':1,'seat':2,'place':'f/1/1','own':" TABLE_REF
	",'kind':'free','by':1,'ask':-1,'ask_side':0,'decisions':0,"
	"'events':0}"},
    {"owed",
	"{'seq':1,'seat':2,'place':'f/1/1','own':" TABLE_REF
	",'kind':'close','by':1,'ask':-1,'ask_side':0,'decisions':0,"
	"'events':0,'args':{}}"},
};

static void
what_cannot_be_is_refused(void **state)
{
	json_t *v, *bad;
	struct table t;
	struct buf b;
	size_t i;

	(void)state;
	buf_init(&b, 0);
	agree_begun(&t, table_roster, KEEP_CLOCK);
	table_save(&t, &b);
	assert_int_equal(js_load(b.data, b.len, JS_DEPTH_RPC, &v, NULL), 0);
	assert_int_equal(keep_read(&t, v), 0);
	for (i = 0; i < sizeof(keep_edits) / sizeof(keep_edits[0]); i++) {
		bad = json_deep_copy(v);
		json_object_set_new(
		    bad, keep_edits[i].name, table_json(keep_edits[i].value));
		if (keep_read(&t, bad) == 0)
			fail_msg(
			    "%s: %s", keep_edits[i].name, keep_edits[i].value);
		json_decref(bad);
	}
	json_decref(v);
	buf_clear(&b);
	table_clear(&t);
}

/* The members of a snapshot, in order, with a blank behind each. */
static void
keep_members(const struct table *t, struct buf *b)
{
	json_t *v = NULL, *one;
	const char *name;

	table_save(t, b);
	assert_int_equal(js_load(b->data, b->len, JS_DEPTH_RPC, &v, NULL), 0);
	buf_reset(b);
	json_object_foreach(v, name, one)
	{
		buf_puts(b, name);
		buf_putc(b, ' ');
	}
	json_decref(v);
}

static void
a_game_without_all_this_is_saved_as_ever(void **state)
{
	static const char ever[] =
	    "v create seq at_ms head state phase halted has_ready pool epoch "
	    "turn seats counts roster combat winner how ";
	struct table t;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	table_begun(&t);
	keep_members(&t, &b);
	assert_memory_equal(buf_str(&b), ever, sizeof(ever) - 5);
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_settle(&t);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	keep_members(&t, &b);
	assert_non_null(strstr(buf_str(&b), " undos "));
	table_play(&t, 2, ORDER_RESIGN, "{}");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	table_play(&t, 1, ORDER_CLOSE, "{}");
	keep_members(&t, &b);
	assert_string_equal(buf_str(&b), ever);
	table_clear(&t);
	buf_clear(&b);
}

static void
want_of_memory_is_said(void **state)
{
	struct game_blobs blobs = {table_blob_cb, NULL};
	struct buf saved, b;
	struct errinfo e;
	struct table t;
	struct game *g;
	json_t *view;
	bool has_failed;
	long n, i;
	int r;

	(void)state;
	buf_init(&saved, 0);
	for (i = 0; i < 8; i++) {
		keep_seed = (uint64_t)i + 77;
		keep_random(&t);
		blobs.arg = &t;
		table_save(&t, &saved);
		for (n = 0, has_failed = true; has_failed; n++) {
			buf_init(&b, 0);
			alloc_start(n);
			r = game_save(t.game, &b);
			has_failed = alloc_stop();
			assert_int_equal(r, has_failed ? ERR_NOMEM : 0);
			buf_clear(&b);
		}
		for (n = 0, has_failed = true; has_failed; n += 1 + n / 50) {
			g = NULL;
			alloc_start(n);
			r = game_load(saved.data, saved.len, &blobs, &g, &e);
			has_failed = alloc_stop();
			/* Keys that cannot be checked count as bad ones. */
			assert_true(has_failed || r == 0);
			if (r == 0) {
				buf_init(&b, 0);
				assert_int_equal(game_save(g, &b), 0);
				assert_string_equal(
				    buf_str(&b), buf_str(&saved));
				buf_clear(&b);
			}
			game_free(g);
		}
		for (n = 0, has_failed = true; has_failed; n += 1 + n / 50) {
			alloc_start(n);
			view = game_view(t.game);
			has_failed = alloc_stop();
			assert_true((view == NULL) == has_failed);
			json_decref(view);
		}
		table_clear(&t);
	}
	buf_clear(&saved);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(any_state_is_read_back_as_it_was),
	    cmocka_unit_test(damaged_snapshots_break_nothing),
	    cmocka_unit_test(what_cannot_be_is_refused),
	    cmocka_unit_test(a_game_without_all_this_is_saved_as_ever),
	    cmocka_unit_test(want_of_memory_is_said),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
