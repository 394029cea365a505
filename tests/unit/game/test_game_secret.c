/* SPDX-License-Identifier: ISC */
/*
 * Secret choices (record S8) and upkeep orders in a game of imagi-nations:
 * who may commit and open when, what is refused, that nothing of a card
 * shows before both are in, and that what is written verifies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_int.h"
#include "common/rules/combat.h"
#include "common/rules/question.h"

#include "tests/lib/chance.h"
#include "tests/lib/table.h"

static const char secret_roster[] =
    "{'blob':'roster','system':'imagi-nations','sides':{'1':{'units':["
    "{'id':'a','arm':'infantry','lead':'a-1','battalions':[{'id':'a-1',"
    "'quality':'veteran','sp':6,'hits':2},{'id':'a-2','quality':'trained',"
    "'sp':6}],'fatigue':3,'disordered':true}]},'2':{'units':[{'id':'b',"
    "'arm':'cavalry','lead':'b-1','battalions':[{'id':'b-1','quality':'raw',"
    "'sp':6},{'id':'b-2','quality':'elite','sp':6}],'fatigue':1}]}}}";

#define SECRET_DECLARE                                                       \
	"{'combat':{'attacker':{'units':[{'id':'a'}]},'defender':{'units':[" \
	"{'id':'b'}],'objective':true,'can_evade':true},"                    \
	"'terrain':'village'}}"

/* A card: its text and salt, and what goes beside its commit. */
struct card {
	char text[128];
	uint8_t salt[RECORD_SALT_LEN];
	json_t *open; /* owned */
};

/* A game of imagi-nations that has begun. */
static void
secret_begun(struct table *t, const char *secret)
{
	json_t *args;

	table_init(t);
	args = table_create_args(t, secret_roster);
	json_object_set_new(args, "system", json_string("imagi-nations"));
	json_object_set_new(args, "rules", json_string("imagi-nations/1"));
	json_object_set_new(args, "secret", json_string(secret));
	json_object_set_new(
	    args, "rulings", json_pack("{s:s}", "rally_target", "automatic"));
	table_make_create(t, args);
	if (table_open(t) != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
	assert_int_equal(table_try(t, 2, ORDER_JOIN, table_seat_args(t, 2)), 0);
	table_play(t, 2, ORDER_READY, "{}");
	table_play(t, 1, ORDER_READY, "{}");
}

/* As secret_begun(), with a combat that waits for both cards. */
static void
secret_asked(struct table *t, const char *secret)
{
	secret_begun(t, secret);
	table_play(t, 1, ORDER_DECLARE, SECRET_DECLARE);
	assert_int_equal(t->game->combat.ask_seq, game_seq(t->game));
}

/* Makes a card of a decision's text. */
static void
card_make(struct card *c, const char *text, uint8_t salt)
{
	memset(c, 0, sizeof(*c));
	(void)snprintf(c->text, sizeof(c->text), "%s", text);
	c->salt[0] = salt;
	c->open = json_pack("{s:o, s:s}", "salt",
	    js_hex(c->salt, sizeof(c->salt)), "text", c->text);
	assert_non_null(c->open);
}

/* The args of a card's commit by a seat; new. */
static json_t *
card_args(const struct table *t, int seat, const struct card *c)
{
	uint8_t commit[HASH_LEN];
	int64_t ask = t->game->combat.ask_seq;

	assert_int_equal(record_secret(commit, game_id(t->game), seat, ask,
			     c->salt, c->text, strlen(c->text)),
	    0);
	return (json_pack("{s:I, s:o}", "ask", (json_int_t)ask, "commit",
	    js_hex(commit, HASH_LEN)));
}

/* Commits a card, with what goes beside it; 0 or why not. */
static int
card_commit(struct table *t, int seat, const struct card *c, const json_t *open)
{
	int r;

	t->open = open;
	r = table_try(t, seat, ORDER_COMMIT, card_args(t, seat, c));
	t->open = NULL;
	return (r);
}

/* A card of the tactic. */
static void
card_tactic(struct card *c, const char *tactic, uint8_t salt)
{
	char text[128];

	(void)snprintf(text, sizeof(text),
	    "{\"kind\":\"tactic\",\"tactic\":\"%s\"}", tactic);
	card_make(c, text, salt);
}

/* Makes a commit that must be refused. */
static void
card_no(struct table *t, int seat, const struct card *c, int r, const char *why)
{
	assert_int_equal(
	    table_make(t, seat, ORDER_COMMIT, card_args(t, seat, c)), 0);
	t->open = c->open;
	table_refuses(t, seat, r, why);
	t->open = NULL;
}

/* Appends the blobs that the record names. */
static void
secret_put_blobs(struct table *t, struct buf *out)
{
	const char *hash;
	json_t *v;

	json_object_foreach(t->blobs, hash, v)
	{
		if (strstr(buf_str(&t->record), hash) == NULL)
			continue;
		buf_printf(out, "{\"blob\":\"%s\",\"value\":", hash);
		js_dump(v, out);
		buf_puts(out, "}\n");
	}
}

/* The record must verify, with the rules and without. */
static void
secret_verify(struct table *t)
{
	struct verify_options opt = {.server = NULL};
	struct verify_report rep;
	struct errinfo e = {.text = ""};
	struct buf out;
	int i, r;

	buf_init(&out, 0);
	buf_add(&out, t->record.data, t->record.len);
	secret_put_blobs(t, &out);
	for (i = 0; i < 2; i++) {
		opt.no_rules = i == 1;
		r = verify_bytes(out.data, out.len, &opt, &rep, NULL, &e);
		if (r != 0)
			fail_msg("%s: %s", e.where, e.text);
		assert_int_equal(rep.is_unchecked, opt.no_rules);
	}
	buf_clear(&out);
}

/*
 * Line n, with this in place of what it opens (stolen; NULL: nothing) and a
 * mark that holds, must be bad, with the rules and without.
 */
static void
secret_bad(struct table *t, json_t *line, size_t n, json_t *opened)
{
	struct verify_options opt = {.server = NULL};
	uint8_t h[HASH_LEN], mark[SIGN_LEN];
	struct verify_report rep;
	json_t *copy, *v;
	const char *name;
	struct errinfo e;
	struct buf out;
	int i;

	copy = json_object();
	json_object_foreach(line, name, v)
	{
		if (strcmp(name, "events") == 0 && opened != NULL)
			json_object_set_new(copy, "opened", opened);
		if (strcmp(name, "opened") != 0 && strcmp(name, "mark") != 0)
			json_object_set(copy, name, v);
	}
	buf_init(&out, 0);
	buf_add(&out, t->record.data, t->starts[n]);
	js_dump(copy, &out);
	json_decref(copy);
	out.len--; /* the brace */
	assert_int_equal(
	    hash_sha256(h, out.data + t->starts[n], out.len - t->starts[n]), 0);
	assert_int_equal(
	    sign_make(&t->server, SIGN_TAG_MARK, h, HASH_LEN, mark), 0);
	buf_puts(&out, ",\"mark\":\"");
	buf_hex(&out, mark, SIGN_LEN);
	buf_puts(&out, "\"}\n");
	secret_put_blobs(t, &out);
	for (i = 0; i < 2; i++) {
		opt.no_rules = i == 1;
		assert_int_equal(
		    verify_bytes(out.data, out.len, &opt, &rep, NULL, &e),
		    ERR_BAD);
		assert_int_equal(rep.file_line, n + 1);
		if (strncmp(e.where, "opened", 6) != 0)
			fail_msg("%s: %s", e.where, e.text);
	}
	buf_clear(&out);
}

/* Answers what is asked openly until the combat is over. */
static void
secret_fight(struct table *t)
{
	uint64_t seed = 5;
	const struct question_pick pick = {chance_pick_cb, &seed};
	json_t *decision;

	while (t->game->combat.is_open) {
		assert_int_equal(
		    combat_sample(t->game->combat.run, &pick, &decision), 0);
		if (table_try(t, t->game->combat.ask_side, ORDER_DECIDE,
			json_pack("{s:I, s:o}", "ask",
			    (json_int_t)t->game->combat.ask_seq, "decision",
			    decision)) != 0)
			fail_msg("%s: %s", t->e.where, t->e.text);
		table_reload(t);
	}
}

/* The line number n as JSON; new. */
static json_t *
secret_line(const struct table *t, size_t n)
{
	json_t *v = NULL;

	assert_int_equal(
	    js_load(t->record.data + t->starts[n],
		t->starts[n + 1] - t->starts[n] - 1, JS_DEPTH_RPC, &v, NULL),
	    0);
	return (v);
}

static void
held_cards_are_opened_together_whoever_is_first(void **state)
{
	struct card a, b;
	struct table t;
	json_t *line, *opened;
	int first;

	(void)state;
	for (first = 1; first <= 2; first++) {
		secret_asked(&t, "held");
		card_tactic(&a, "hasty-attack", 1);
		card_tactic(&b, "defend", 2);
		assert_int_equal(card_commit(&t, first, first == 1 ? &a : &b,
				     first == 1 ? a.open : b.open),
		    0);
		assert_true(game_has_held(t.game));
		line = secret_line(&t, t.n_lines - 1);
		assert_int_equal(
		    json_array_size(json_object_get(line, "events")), 0);
		assert_null(json_object_get(line, "opened"));
		json_decref(line);
		table_reload(&t);
		assert_int_equal(
		    card_commit(&t, 3 - first, first == 1 ? &b : &a,
			first == 1 ? b.open : a.open),
		    0);
		assert_false(game_has_held(t.game));
		line = secret_line(&t, t.n_lines - 1);
		opened = json_object_get(line, "opened");
		assert_int_equal(json_array_size(opened), 2);
		assert_int_equal(json_integer_value(json_object_get(
				     json_array_get(opened, 0), "seat")),
		    1);
		assert_string_equal(json_string_value(json_object_get(
					json_array_get(opened, 1), "text")),
		    b.text);
		assert_non_null(json_object_get(line, "dice"));
		json_decref(line);
		secret_fight(&t);
		secret_verify(&t);
		json_decref(a.open);
		json_decref(b.open);
		table_clear(&t);
	}
}

static void
dice_do_not_depend_on_who_commits_first(void **state)
{
	struct card a, b;
	struct table t;
	char *dice[2];
	json_t *line;
	int first;

	(void)state;
	for (first = 1; first <= 2; first++) {
		secret_asked(&t, "held");
		card_tactic(&a, "feint", 1);
		card_tactic(&b, "hold", 2);
		assert_int_equal(card_commit(&t, first, first == 1 ? &a : &b,
				     first == 1 ? a.open : b.open),
		    0);
		assert_int_equal(
		    card_commit(&t, 3 - first, first == 1 ? &b : &a,
			first == 1 ? b.open : a.open),
		    0);
		line = secret_line(&t, t.n_lines - 1);
		dice[first - 1] = json_dumps(
		    json_object_get(json_object_get(line, "dice"), "rolls"), 0);
		json_decref(line);
		json_decref(a.open);
		json_decref(b.open);
		table_clear(&t);
	}
	assert_string_equal(dice[0], dice[1]);
	free(dice[0]);
	free(dice[1]);
}

static void
sealed_cards_are_opened_by_their_owners(void **state)
{
	struct card a, b;
	struct table t;
	json_t *args, *line;
	int64_t ask;

	(void)state;
	secret_asked(&t, "sealed");
	ask = t.game->combat.ask_seq;
	card_tactic(&a, "prepared-attack", 1);
	card_tactic(&b, "counter-attack", 2);
	/* What is sealed is not sent, not even by mistake. */
	assert_int_equal(card_commit(&t, 2, &b, b.open), ERR_MISSING);
	assert_int_equal(card_commit(&t, 2, &b, NULL), 0);
	/* Too early: the other side has not committed. */
	args = json_deep_copy(b.open);
	json_object_set_new(args, "ask", json_integer(ask));
	assert_int_equal(table_make(&t, 2, ORDER_OPEN, json_incref(args)), 0);
	table_refuses(&t, 2, ERR_STALE, "waits to be opened");
	assert_int_equal(card_commit(&t, 1, &a, NULL), 0);
	table_reload(&t);
	line = secret_line(&t, t.n_lines - 1);
	assert_null(json_object_get(line, "opened"));
	assert_null(json_object_get(line, "dice"));
	json_decref(line);
	/* Another card than the one that was committed. */
	json_object_set_new(args, "text",
	    json_string("{\"kind\":\"tactic\",\"tactic\":\"hold\"}"));
	assert_int_equal(table_make(&t, 2, ORDER_OPEN, json_incref(args)), 0);
	table_refuses(&t, 2, ERR_ILLEGAL, "committed");
	json_object_set(args, "text", json_object_get(b.open, "text"));
	assert_int_equal(table_try(&t, 2, ORDER_OPEN, args), 0);
	table_reload(&t);
	/* Once is enough. */
	args = json_deep_copy(b.open);
	json_object_set_new(args, "ask", json_integer(ask));
	assert_int_equal(table_make(&t, 2, ORDER_OPEN, args), 0);
	table_refuses(&t, 2, ERR_STALE, "opened");
	args = json_deep_copy(a.open);
	json_object_set_new(args, "ask", json_integer(ask));
	assert_int_equal(table_try(&t, 1, ORDER_OPEN, args), 0);
	line = secret_line(&t, t.n_lines - 1);
	assert_non_null(json_object_get(line, "dice"));
	assert_null(json_object_get(line, "opened"));
	json_decref(line);
	secret_fight(&t);
	secret_verify(&t);
	json_decref(a.open);
	json_decref(b.open);
	table_clear(&t);
}

static void
commits_are_refused_for_what_is_wrong_in_them(void **state)
{
	struct card a, b, bad;
	struct table t;
	json_t *order;

	(void)state;
	secret_begun(&t, "held");
	card_tactic(&a, "hasty-attack", 1);
	card_tactic(&b, "hold", 2);
	assert_int_equal(
	    table_make(&t, 1, ORDER_COMMIT, card_args(&t, 1, &a)), ERR_STALE);
	table_clear(&t);

	secret_asked(&t, "held");
	/* A decide would show the card. */
	table_no(&t, 1, ORDER_DECIDE,
	    "{'ask':4,'decision':{'kind':'tactic','tactic':'feint'}}",
	    ERR_ILLEGAL, "secret");
	table_no(&t, 1, ORDER_TURN_END, "{}", ERR_ILLEGAL, "combat");
	/* Cards that are none, or not for this side or these units. */
	card_tactic(&bad, "hold", 3);
	card_no(&t, 1, &bad, ERR_ILLEGAL, "decision.tactic");
	json_decref(bad.open);
	card_tactic(&bad, "cavalry-charge", 3);
	card_no(&t, 1, &bad, ERR_ILLEGAL, "decision.tactic");
	json_decref(bad.open);
	card_make(&bad, "{\"kind\":\"tactic\"", 3);
	card_no(&t, 1, &bad, ERR_ILLEGAL, "");
	json_decref(bad.open);
	card_make(&bad, "{\"kind\":\"advance\",\"units\":[]}", 3);
	card_no(&t, 1, &bad, ERR_ILLEGAL, "kind");
	json_decref(bad.open);
	/* Nothing beside it, or something else: not final. */
	assert_int_equal(
	    table_make(&t, 1, ORDER_COMMIT, card_args(&t, 1, &a)), 0);
	table_refuses(&t, 1, ERR_MISSING, "beside");
	t.open = b.open;
	table_refuses(&t, 1, ERR_MISSING, "committed");
	t.open = NULL;
	/* The attacker proves, the defender does not. */
	order = table_order(&t);
	json_object_del(order, "own");
	table_reword(&t, 1, order);
	json_decref(order);
	t.open = a.open;
	table_refuses(&t, 1, ERR_ILLEGAL, "proof");
	t.open = NULL;
	/* The wrong question. */
	order = card_args(&t, 1, &a);
	json_object_set_new(order, "ask", json_integer(3));
	assert_int_equal(table_make(&t, 1, ORDER_COMMIT, order), 0);
	t.open = a.open;
	table_refuses(&t, 1, ERR_STALE, "order.args.ask");
	t.open = NULL;
	assert_int_equal(card_commit(&t, 1, &a, a.open), 0);
	card_no(&t, 1, &a, ERR_STALE, "awaited");
	json_decref(a.open);
	json_decref(b.open);
	table_clear(&t);
}

static void
a_commit_does_not_make_the_others_stale(void **state)
{
	struct card a, b;
	struct table t;
	struct buf text;

	(void)state;
	secret_asked(&t, "held");
	card_tactic(&a, "hasty-attack", 1);
	card_tactic(&b, "hold", 2);
	/* Seat 2 writes its commit before it sees that of seat 1. */
	assert_int_equal(
	    table_make(&t, 2, ORDER_COMMIT, card_args(&t, 2, &b)), 0);
	buf_init(&text, 0);
	buf_add(&text, t.text.data, t.text.len);
	assert_int_equal(card_commit(&t, 1, &a, a.open), 0);
	buf_reset(&t.text);
	buf_add(&t.text, text.data, text.len);
	table_sign(&t, 2);
	t.open = b.open;
	if (table_take(&t, 2) != 0)
		fail_msg("%s: %s", t.e.where, t.e.text);
	t.open = NULL;
	secret_fight(&t);
	/* The same card and salt again, for another question. */
	secret_verify(&t);
	buf_clear(&text);
	json_decref(a.open);
	json_decref(b.open);
	table_clear(&t);
}

static void
a_commitment_is_never_used_twice(void **state)
{
	struct card a, b;
	struct table t;
	json_t *args;

	(void)state;
	secret_asked(&t, "sealed");
	card_tactic(&a, "feint", 1);
	card_tactic(&b, "hold", 2);
	args = card_args(&t, 1, &a);
	assert_int_equal(card_commit(&t, 1, &a, NULL), 0);
	assert_int_equal(card_commit(&t, 2, &b, NULL), 0);
	{
		int64_t ask = t.game->combat.ask_seq;
		json_t *open;

		open = json_deep_copy(a.open);
		json_object_set_new(open, "ask", json_integer(ask));
		assert_int_equal(table_try(&t, 1, ORDER_OPEN, open), 0);
		open = json_deep_copy(b.open);
		json_object_set_new(open, "ask", json_integer(ask));
		assert_int_equal(table_try(&t, 2, ORDER_OPEN, open), 0);
	}
	secret_fight(&t);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	table_play(&t, 2, ORDER_TURN_END, "{}");
	if (table_try(&t, 1, ORDER_DECLARE, table_json(SECRET_DECLARE)) != 0)
		fail_msg("%s: %s", t.e.where, t.e.text);
	json_object_set_new(args, "ask", json_integer(t.game->combat.ask_seq));
	assert_int_equal(table_make(&t, 1, ORDER_COMMIT, args), 0);
	table_refuses(&t, 1, ERR_ILLEGAL, "before");
	json_decref(a.open);
	json_decref(b.open);
	table_clear(&t);
}

/* What everybody sees after the first commit, but for what must differ. */
static char *
secret_seen(const struct table *t)
{
	json_t *view = game_view(t->game), *line, *order, *all;
	char *text;

	line = secret_line(t, t->n_lines - 1);
	order = table_json(json_string_value(json_object_get(line, "order")));
	json_object_del(json_object_get(order, "args"), "commit");
	json_object_del(order, "nonce");
	json_object_del(line, "order");
	json_object_del(line, "sig");
	json_object_del(line, "mark");
	json_object_del(line, "prev");
	json_object_del(order, "head");
	json_object_del(view, "head");
	all = json_pack("[o, o, o, i]", view, line, order,
	    (int)(t->starts[t->n_lines] - t->starts[t->n_lines - 1]));
	text = json_dumps(all, JSON_SORT_KEYS);
	json_decref(all);
	return (text);
}

static void
nothing_that_is_seen_depends_on_the_card(void **state)
{
	static const char *const tactics[2][4] = {
	    {"feint", "prepared-attack", "hasty-attack", "pinning-attack"},
	    {"hold", "defend", "evade", "counter-attack"},
	};
	char *first, *seen;
	struct table t;
	struct card c;
	size_t i, side;

	(void)state;
	for (side = 0; side < 2; side++) {
		first = NULL;
		for (i = 0; i < 4; i++) {
			secret_asked(&t, "held");
			card_tactic(&c, tactics[side][i], (uint8_t)(i + 1));
			if (card_commit(&t, (int)side + 1, &c, c.open) != 0)
				fail_msg("%s: %s", t.e.where, t.e.text);
			seen = secret_seen(&t);
			if (first == NULL)
				first = seen;
			assert_string_equal(seen, first);
			assert_null(strstr(buf_str(&t.record), c.text));
			if (seen != first)
				free(seen);
			json_decref(c.open);
			table_clear(&t);
		}
		free(first);
	}
}

static void
the_director_has_no_choice_to_commit(void **state)
{
	const struct order o = {.kind = ORDER_COMMIT, .seat = 0, .after = 4};
	struct card a;
	struct table t;

	(void)state;
	secret_asked(&t, "held");
	card_tactic(&a, "feint", 1);
	assert_int_equal(card_commit(&t, 1, &a, a.open), 0);
	assert_int_equal(t.game->state_seq, 5);
	/* What stands behind the two sides' choices is none. */
	t.game->combat.n_events = 1;
	t.game->combat.n_rolls = 5;
	assert_false(game_commit_is_fresh(t.game, &o));
	json_decref(a.open);
	table_clear(&t);
}

/* S4.4: where a fault line follows, the line before it is taken as it is. */
static void
no_rules_are_run_for_a_commit_whose_fault_is_announced(void **state)
{
	struct record_line given = {.kind = RECORD_ORDER};
	struct game_effects fx;
	struct card a, b;
	struct order o;
	struct table t;
	json_t *events, *line = NULL;
	int run;

	(void)state;
	card_tactic(&a, "feint", 1);
	card_tactic(&b, "hold", 2);
	for (run = 0; run < 2; run++) {
		const struct game_dice dice = {table_prove_cb, &t};

		secret_asked(&t, "held");
		assert_int_equal(card_commit(&t, 1, &a, a.open), 0);
		if (run == 0) {
			assert_int_equal(card_commit(&t, 2, &b, b.open), 0);
			line = secret_line(&t, t.n_lines - 1);
			table_clear(&t);
			continue;
		}
		given.opened = json_object_get(line, "opened");
		given.dice = json_object_get(line, "dice");
		events = json_object_get(line, "events");
		assert_int_equal(
		    json_array_remove(events, json_array_size(events) - 1), 0);
		given.events = events;
		assert_int_equal(
		    table_make(&t, 2, ORDER_COMMIT, card_args(&t, 2, &b)), 0);
		assert_int_equal(
		    order_parse(t.text.data, t.text.len, &o, &t.e), 0);
		game_set_rules_off(t.game);
		if (game_take(t.game, &o, t.keys[2].sign.public_key, &dice,
			&given, &fx, &t.e) != 0)
			fail_msg("%s: %s", t.e.where, t.e.text);
		assert_true(json_equal(fx.events, given.events));
		assert_true(json_equal(fx.dice, given.dice));
		assert_true(json_equal(fx.opened, given.opened));
		game_effects_clear(&fx);
		order_clear(&o);
		table_clear(&t);
	}
	json_decref(line);
	json_decref(a.open);
	json_decref(b.open);
}

static void
an_error_names_the_place_of_a_choice_that_is_no_json(void **state)
{
	static const char text[] = "{\"kind\":\"tactic\"";
	struct card a, b;
	struct table t;
	json_t *args;

	(void)state;
	card_tactic(&a, "feint", 1);
	card_make(&b, text, 2);
	secret_asked(&t, "held");
	assert_int_equal(card_commit(&t, 2, &b, b.open), ERR_ILLEGAL);
	assert_string_equal(t.e.where, "open.text");
	table_clear(&t);
	secret_asked(&t, "sealed");
	assert_int_equal(card_commit(&t, 2, &b, NULL), 0);
	assert_int_equal(card_commit(&t, 1, &a, NULL), 0);
	args = json_deep_copy(b.open);
	json_object_set_new(args, "ask", json_integer(t.game->combat.ask_seq));
	assert_int_equal(table_try(&t, 2, ORDER_OPEN, args), ERR_ILLEGAL);
	assert_string_equal(t.e.where, "order.args.text");
	json_decref(a.open);
	json_decref(b.open);
	table_clear(&t);
}

/* Gives what a line opens, with one member of one opening changed; new. */
static json_t *
opened_but(const json_t *opened, size_t i, const char *name, json_t *value)
{
	json_t *v = json_deep_copy(opened);

	assert_int_equal(
	    json_object_set_new(json_array_get(v, i), name, value), 0);
	return (v);
}

static void
what_a_line_opens_is_verified(void **state)
{
	static const char other[] =
	    "{\"kind\":\"tactic\",\"tactic\":\"evade\"}";
	struct card a, b;
	struct table t;
	json_t *first, *second, *opened;
	size_t n;

	(void)state;
	card_tactic(&a, "feint", 1);
	card_tactic(&b, "hold", 2);
	secret_asked(&t, "held");
	assert_int_equal(card_commit(&t, 2, &b, b.open), 0);
	assert_int_equal(card_commit(&t, 1, &a, a.open), 0);
	n = t.n_lines - 1;
	first = secret_line(&t, n - 1);
	second = secret_line(&t, n);
	opened = json_object_get(second, "opened");
	secret_bad(&t, first, n - 1, json_deep_copy(opened));
	secret_bad(&t, second, n, NULL);
	secret_bad(&t, second, n, json_array());
	secret_bad(&t, second, n, json_pack("[O]", json_array_get(opened, 0)));
	secret_bad(&t, second, n,
	    json_pack("[O, O]", json_array_get(opened, 1),
		json_array_get(opened, 0)));
	secret_bad(&t, second, n,
	    json_pack("[O, O]", json_array_get(opened, 0),
		json_array_get(opened, 0)));
	secret_bad(&t, second, n,
	    json_pack("[O, O, O]", json_array_get(opened, 0),
		json_array_get(opened, 1), json_array_get(opened, 1)));
	secret_bad(
	    &t, second, n, opened_but(opened, 1, "text", json_string(other)));
	secret_bad(
	    &t, second, n, opened_but(opened, 1, "text", json_integer(1)));
	secret_bad(
	    &t, second, n, opened_but(opened, 0, "salt", json_string("00")));
	secret_bad(&t, second, n,
	    opened_but(opened, 0, "salt", js_hex(b.salt, sizeof(b.salt))));
	secret_bad(
	    &t, second, n, opened_but(opened, 0, "seat", json_integer(3)));
	secret_bad(
	    &t, second, n, opened_but(opened, 0, "more", json_integer(3)));
	json_decref(first);
	opened = json_incref(opened);
	json_decref(second);
	table_clear(&t);

	secret_asked(&t, "sealed");
	assert_int_equal(card_commit(&t, 2, &b, NULL), 0);
	assert_int_equal(card_commit(&t, 1, &a, NULL), 0);
	n = t.n_lines - 1;
	second = secret_line(&t, n);
	secret_bad(&t, second, n, opened);
	json_decref(second);
	json_decref(a.open);
	json_decref(b.open);
	table_clear(&t);
}

static void
upkeep_orders_are_checked_rolled_and_written(void **state)
{
	struct table t;
	json_t *line;

	(void)state;
	secret_begun(&t, "held");
	table_no(&t, 1, ORDER_UPKEEP, "{'unit':'b','do':'rest'}", ERR_ILLEGAL,
	    "order.args.unit");
	table_no(&t, 1, ORDER_UPKEEP, "{'unit':'a','do':'dance'}", ERR_ILLEGAL,
	    "order.args.do");
	table_no(
	    &t, 2, ORDER_UPKEEP, "{'unit':'b','do':'rest'}", ERR_STALE, "turn");
	table_play(&t, 1, ORDER_UPKEEP, "{'unit':'a','do':'rest'}");
	line = secret_line(&t, t.n_lines - 1);
	assert_string_equal(json_string_value(json_object_get(
				json_object_get(line, "dice"), "place")),
	    "u/1/a/1");
	json_decref(line);
	table_reload(&t);
	table_play(
	    &t, 1, ORDER_UPKEEP, "{'unit':'a','do':'rally','battalion':'a-1'}");
	/* No dice fell: the place is that of the next one that draws. */
	assert_null(t.fx.dice);
	table_no(&t, 1, ORDER_UPKEEP,
	    "{'unit':'a','do':'rally','battalion':'a-1'}", ERR_ILLEGAL,
	    "battalion");
	/* It does not recover in the same turn. */
	table_no(&t, 1, ORDER_UPKEEP, "{'unit':'a','do':'recover'}",
	    ERR_ILLEGAL, "tried to rally");
	table_play(&t, 1, ORDER_TURN_END, "{}");
	table_play(&t, 2, ORDER_UPKEEP, "{'unit':'b','do':'rest'}");
	table_play(&t, 2, ORDER_TURN_END, "{}");
	table_play(&t, 1, ORDER_UPKEEP, "{'unit':'a','do':'recover'}");
	table_no(&t, 1, ORDER_UPKEEP, "{'unit':'a','do':'recover'}",
	    ERR_ILLEGAL, "");
	table_reload(&t);
	secret_verify(&t);
	table_clear(&t);
	/* A system without such orders. */
	table_begun(&t);
	table_no(&t, 1, ORDER_UPKEEP, "{'unit':'fr-1','do':'rest'}",
	    ERR_ILLEGAL, "no upkeep orders");
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(held_cards_are_opened_together_whoever_is_first),
	    cmocka_unit_test(dice_do_not_depend_on_who_commits_first),
	    cmocka_unit_test(sealed_cards_are_opened_by_their_owners),
	    cmocka_unit_test(commits_are_refused_for_what_is_wrong_in_them),
	    cmocka_unit_test(a_commit_does_not_make_the_others_stale),
	    cmocka_unit_test(a_commitment_is_never_used_twice),
	    cmocka_unit_test(nothing_that_is_seen_depends_on_the_card),
	    cmocka_unit_test(the_director_has_no_choice_to_commit),
	    cmocka_unit_test(
		no_rules_are_run_for_a_commit_whose_fault_is_announced),
	    cmocka_unit_test(
		an_error_names_the_place_of_a_choice_that_is_no_json),
	    cmocka_unit_test(what_a_line_opens_is_verified),
	    cmocka_unit_test(upkeep_orders_are_checked_rolled_and_written),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
