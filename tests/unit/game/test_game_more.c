/* SPDX-License-Identifier: ISC */
/*
 * What a stranger can bring to a game and no player's machine makes: orders
 * for questions that nobody asked, secret choices of odd forms, blobs and
 * saved states that are nearly right.  And what may be asked of a game
 * without an order.
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
#include "common/game/game_make.h"
#include "common/rules/question.h"

#include "tests/lib/chance.h"
#include "tests/lib/table.h"

static const char more_regiments[] =
    "{'blob':'roster','system':'imagi-nations','sides':{'1':{'units':["
    "{'id':'a','arm':'infantry','lead':'a-1','battalions':[{'id':'a-1',"
    "'quality':'veteran','sp':6}]}]},'2':{'units':[{'id':'b',"
    "'arm':'infantry','lead':'b-1','battalions':[{'id':'b-1','quality':'raw',"
    "'sp':6}],'fatigue':3}]}}}";

#define MORE_CARDS                                                           \
	"{'combat':{'attacker':{'units':[{'id':'a'}]},'defender':{'units':[" \
	"{'id':'b'}]},'terrain':'village'}}"
#define MORE_HOLD "{\"kind\":\"tactic\",\"tactic\":\"hold\"}"

/* A game of imagi-nations that waits for both cards; more as create's. */
static void
more_asked(struct table *t, const char *more)
{
	char all[256];

	(void)snprintf(all, sizeof(all),
	    "{'system':'imagi-nations','rules':'imagi-nations/1'%s}", more);
	table_begun_with(t, more_regiments, all);
	table_play(t, 1, ORDER_DECLARE, MORE_CARDS);
	assert_true(t->game->combat.is_secret);
}

/* What opens a card of this text: its salt is the seat; new. */
static json_t *
more_card(int seat, const char *text)
{
	uint8_t salt[RECORD_SALT_LEN] = {(uint8_t)seat};
	json_t *v;

	v = json_pack(
	    "{s:o, s:s}", "salt", js_hex(salt, sizeof(salt)), "text", text);
	assert_non_null(v);
	return (v);
}

/* Makes the commit of a card. */
static void
more_make_commit(struct table *t, int seat, const char *text)
{
	uint8_t salt[RECORD_SALT_LEN] = {(uint8_t)seat}, h[HASH_LEN];
	int64_t ask = t->game->combat.ask_seq;

	assert_int_equal(record_secret(h, game_id(t->game), seat, ask, salt,
			     text, strlen(text)),
	    0);
	assert_int_equal(table_make(t, seat, ORDER_COMMIT,
			     json_pack("{s:I, s:o}", "ask", (json_int_t)ask,
				 "commit", js_hex(h, HASH_LEN))),
	    0);
}

/* The commit of a card with this text must be refused so. */
static void
more_no_card(struct table *t, const char *text, int r, const char *why)
{
	json_t *open = more_card(2, text);

	more_make_commit(t, 2, text);
	t->open = open;
	table_refuses(t, 2, r, why);
	t->open = NULL;
	json_decref(open);
}

/* Commits a card; what opens it goes beside it unless the game is sealed. */
static void
more_commit(struct table *t, int seat, const char *text)
{
	json_t *open = more_card(seat, text);

	more_make_commit(t, seat, text);
	if (!game_is_sealed(t->game))
		t->open = open;
	if (table_take(t, seat) != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
	t->open = NULL;
	json_decref(open);
}

/* Sets a member of the order in t->text, or of its args, and signs it. */
static void
more_reword(
    struct table *t, int seat, bool in_args, const char *name, json_t *value)
{
	json_t *order = table_order(t), *v = order;

	if (in_args)
		v = json_object_get(order, "args");
	if (value == NULL)
		assert_int_equal(json_object_del(v, name), 0);
	else
		assert_int_equal(json_object_set_new(v, name, value), 0);
	table_reword(t, seat, order);
	json_decref(order);
}

/* Makes an order of a seat's free roll into one of another kind. */
static void
more_as(struct table *t, int seat, const char *kind, const char *args)
{
	assert_int_equal(
	    table_make(t, seat, ORDER_FREE, table_json("{'dice':1,'sides':6}")),
	    0);
	more_reword(t, seat, false, "kind", json_string(kind));
	more_reword(t, seat, false, "args", table_json(args));
}

static void
nobody_answers_what_is_not_asked(void **state)
{
	static const char commit[] = "{'ask':4,'commit':" TABLE_REF "}";
	static const char open[] = "{'ask':4,'salt':" TABLE_REF ",'text':'x'}";
	struct table t;

	(void)state;
	table_begun(&t);
	more_as(&t, 1, "commit", commit);
	table_refuses(&t, 1, ERR_STALE, "no decision is owed");
	more_as(&t, 1, "open", open);
	table_refuses(&t, 1, ERR_STALE, "waits to be opened");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	more_as(&t, 2, "commit", commit);
	table_refuses(&t, 2, ERR_ILLEGAL, "answered openly");
	table_clear(&t);
	table_begun_with(&t, table_roster, "{'scheme':'live-1'}");
	table_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	more_as(&t, 1, "open", open);
	table_refuses(&t, 1, ERR_STALE, "waits for an answer");
	table_clear(&t);
}

static void
a_card_is_an_object_of_some_size(void **state)
{
	char text[GAME_HELD_MAX + 2];
	struct table t;

	(void)state;
	more_asked(&t, "");
	more_no_card(&t, "[]", ERR_ILLEGAL, "open.text");
	more_no_card(&t, "1", ERR_ILLEGAL, "open.text");
	more_no_card(&t, "", ERR_ILLEGAL, "open.text");
	more_no_card(&t, "{\"kind\":", ERR_ILLEGAL, "open.text");
	memset(text, ' ', sizeof(text) - 1);
	memcpy(text, MORE_HOLD, strlen(MORE_HOLD));
	text[sizeof(text) - 1] = '\0';
	more_no_card(&t, text, ERR_ILLEGAL, "at most 1024 bytes");
	/* One byte less is not too much. */
	text[sizeof(text) - 2] = '\0';
	more_commit(&t, 2, text);
	more_make_commit(&t, 1, MORE_HOLD);
	more_reword(&t, 1, true, "commit", json_string("11"));
	table_refuses(&t, 1, ERR_ILLEGAL, "order.args.commit");
	more_make_commit(&t, 1, MORE_HOLD);
	more_reword(&t, 1, true, "more", json_true());
	table_refuses(&t, 1, ERR_NEWER, "order.args.more");
	table_verify(&t);
	table_clear(&t);
}

static void
a_card_that_was_lost_refuses_nobody(void **state)
{
	const struct game_blobs blobs = {table_blob_cb, NULL};
	struct game_blobs here = blobs;
	struct errinfo e;
	struct table t;
	struct game *g;
	json_t *open;
	struct buf b;

	(void)state;
	more_asked(&t, "");
	more_commit(&t, 2, MORE_HOLD);
	here.arg = &t;
	buf_init(&b, 0);
	table_save(&t, &b);
	assert_int_equal(game_load(b.data, b.len, &here, &g, &e), 0);
	buf_clear(&b);
	assert_true(game_has_held(g));
	game_free(t.game);
	t.game = g;
	open = more_card(1, "{\"kind\":\"tactic\",\"tactic\":\"feint\"}");
	more_make_commit(&t, 1, "{\"kind\":\"tactic\",\"tactic\":\"feint\"}");
	t.open = open;
	assert_int_equal(table_take(&t, 1), ERR_STORAGE);
	json_decref(open);
	table_clear(&t);
}

static void
each_opens_what_he_committed(void **state)
{
	struct table t;
	json_t *args;

	(void)state;
	more_asked(&t, ",'secret':'sealed','options':{'seats':4}");
	more_commit(&t, 4, MORE_HOLD);
	more_commit(&t, 3, MORE_HOLD);
	args = more_card(4, MORE_HOLD);
	json_object_set_new(args, "ask", json_integer(t.game->combat.ask_seq));
	/* Not for somebody else, be it with the right card. */
	assert_int_equal(table_make(&t, 2, ORDER_OPEN, json_incref(args)), 0);
	table_refuses(&t, 2, ERR_STALE, "seat 4 has committed");
	assert_int_equal(table_make(&t, 1, ORDER_OPEN, json_incref(args)), 0);
	table_refuses(&t, 1, ERR_STALE, "seat 3 has committed");
	assert_int_equal(table_make(&t, 4, ORDER_OPEN, json_incref(args)), 0);
	more_reword(&t, 4, true, "ask", json_string("4"));
	table_refuses(&t, 4, ERR_ILLEGAL, "order.args.ask");
	/* Dice are the attacker's. */
	assert_int_equal(table_try(&t, 4, ORDER_OPEN, args), 0);
	table_verify(&t);
	table_clear(&t);
}

static void
a_director_has_nobody_to_himself(void **state)
{
	struct table t;

	(void)state;
	table_begun_with(&t, table_roster, "{'options':{'director':true}}");
	assert_int_equal(table_make(&t, 0, ORDER_CHAT,
			     table_json("{'ref':" TABLE_REF ",'to':'side'}")),
	    0);
	table_refuses(&t, 0, ERR_ILLEGAL, "order.args.to");
	assert_int_equal(table_make(&t, 1, ORDER_CHAT,
			     table_json("{'ref':" TABLE_REF ",'to':'all'}")),
	    0);
	table_refuses(&t, 1, ERR_ILLEGAL, "order.args.to");
	table_play(&t, 0, ORDER_CHAT, TABLE_CHAT);
	table_play(&t, 1, ORDER_CHAT, "{'ref':" TABLE_REF ",'to':'side'}");
	table_verify(&t);
	table_clear(&t);
}

static void
a_claim_that_rolls_names_its_place(void **state)
{
	struct table t;

	(void)state;
	table_begun_with(&t, table_roster,
	    "{'clock':{'per':'order','first_s':60,'then':'default'}}");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	t.at_ms += 100000;
	assert_int_equal(table_make(&t, 1, ORDER_CLAIM, table_json("{}")), 0);
	more_reword(&t, 1, false, "place", json_string("c/1/ru-a1/9/1"));
	table_refuses(&t, 1, ERR_ILLEGAL, "order.place");
	assert_int_equal(table_make(&t, 1, ORDER_CLAIM, table_json("{}")), 0);
	more_reword(&t, 1, false, "own", NULL);
	table_refuses(&t, 1, ERR_ILLEGAL, "order.own");
	table_play(&t, 1, ORDER_CLAIM, "{}");
	assert_int_equal(game_phase(t.game), GAME_PLAY);
	table_verify(&t);
	table_clear(&t);
}

static void
a_player_may_ask_before_he_orders(void **state)
{
	uint64_t chance = 7;
	const struct question_pick pick = {chance_pick_cb, &chance};
	struct errinfo e = {0};
	json_t *v, *bad;
	struct table t;

	(void)state;
	table_begun_with(&t, table_roster, "{'options':{'delay':3}}");
	assert_int_equal(game_delay_turns(t.game), 3);
	assert_int_equal(game_delay_minutes(t.game), 0);
	assert_int_equal(game_sample_decision(t.game, 2, &pick, &v), ERR_STALE);
	bad = table_json("{'unit':'fr-1','do':'rest'}");
	assert_int_equal(game_check_upkeep(t.game, 1, bad, &e), ERR_INVALID);
	assert_non_null(strstr(e.text, "no upkeep orders"));
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_int_equal(game_sample_decision(t.game, 1, &pick, &v), ERR_STALE);
	assert_int_equal(game_sample_decision(t.game, 0, &pick, &v), ERR_STALE);
	assert_int_equal(game_sample_decision(t.game, 2, &pick, &v), 0);
	assert_int_equal(game_check_decision(t.game, 2, v, &e), 0);
	assert_int_equal(game_check_decision(t.game, 1, v, &e), ERR_STALE);
	assert_int_equal(game_check_decision(t.game, 0, v, &e), ERR_STALE);
	assert_int_equal(game_check_decision(t.game, 2, bad, &e), ERR_INVALID);
	game_set_rules_off(t.game);
	assert_int_equal(game_check_upkeep(t.game, 1, bad, &e), ERR_MISSING);
	json_decref(bad);
	json_decref(v);
	table_clear(&t);
	table_begun_with(&t, table_roster, "{'options':{'delay_minutes':90}}");
	assert_int_equal(game_delay_turns(t.game), 0);
	assert_int_equal(game_delay_minutes(t.game), 90);
	table_clear(&t);
	more_asked(&t, "");
	assert_int_equal(game_sample_decision(t.game, 1, &pick, &v), ERR_STALE);
	v = table_json(MORE_HOLD);
	assert_int_equal(game_check_decision(t.game, 2, v, &e), 0);
	json_decref(v);
	bad = table_json("{'unit':'b','do':'rest'}");
	assert_int_equal(game_check_upkeep(t.game, 1, bad, &e), ERR_INVALID);
	assert_int_equal(game_check_upkeep(t.game, 2, bad, &e), 0);
	json_decref(bad);
	table_clear(&t);
}

static void
a_state_without_rules_can_be_seen(void **state)
{
	const struct verify_options opt = {.no_rules = true, .head_seq = -1};
	struct verify_report rep;
	struct errinfo e = {0};
	struct table t;
	struct game *g;
	struct buf b;
	json_t *v;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	buf_init(&b, 0);
	table_export(&t, &b);
	assert_int_equal(verify_bytes(b.data, b.len, &opt, &rep, &g, &e), 0);
	buf_clear(&b);
	assert_non_null(v = game_view(g));
	assert_string_equal(
	    json_string_value(json_object_get(v, "phase")), "play");
	assert_true(json_is_object(json_object_get(v, "combat")));
	json_decref(v);
	assert_int_equal(game_answer_rolls(g), ERR_STALE);
	game_free(g);
	table_clear(&t);
}

/* A create with these members more: refused when new, for what reason. */
static void
more_no_game(const char *more, int r, const char *why)
{
	json_t *add = table_json(more), *args;
	struct table t;

	table_init(&t);
	args = table_create_args(&t, table_roster);
	assert_int_equal(json_object_update(args, add), 0);
	json_decref(add);
	table_make_create(&t, args);
	assert_int_equal(table_open(&t), r);
	if (strstr(t.e.text, why) == NULL && strstr(t.e.where, why) == NULL)
		fail_msg("%s: %s, not %s", t.e.where, t.e.text, why);
	assert_null(t.game);
	table_clear(&t);
}

static void
data_blobs_are_looked_into(void **state)
{
	static const char *const blobs[] = {"{'blob':'tables'}",
	    "{'blob':'bag'}", "{'blob':'roster'}", "{'blob':1}", "{}",
	    "{'blob':'tables','tables':{},'x':1}"};
	uint8_t hash[HASH_LEN];
	struct table t;
	json_t *args;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(blobs) / sizeof(blobs[0]); i++) {
		table_init(&t);
		args = table_create_args(&t, table_roster);
		table_put(&t, blobs[i], hash);
		json_object_set_new(
		    args, "tables", json_pack("[o]", js_hex(hash, HASH_LEN)));
		table_make_create(&t, args);
		assert_int_equal(table_open(&t), ERR_ILLEGAL);
		assert_non_null(strstr(t.e.where, "order.args.tables"));
		assert_null(t.game);
		table_clear(&t);
	}
	more_no_game(
	    "{'tables':[" TABLE_REF "]}", ERR_MISSING, "order.args.tables");
	more_no_game(
	    "{'roster':" TABLE_REF "}", ERR_MISSING, "order.args.roster");
}

/*
 * A create whose args have this member (stolen) can be read by a verifier,
 * and checked or not.
 */
static void
more_read(const char *name, json_t *value, int r)
{
	struct game_blobs blobs = {table_blob_cb, NULL};
	struct errinfo e = {0};
	struct order o;
	struct table t;
	json_t *args, *v;

	table_init(&t);
	blobs.arg = &t;
	args = table_create_args(&t, table_roster);
	json_object_set_new(args, name, value);
	table_make_create(&t, args);
	assert_int_equal(order_parse(t.text.data, t.text.len, &o, &e), 0);
	assert_int_equal(game_create(&o, t.keys[1].sign.public_key, &blobs,
			     false, &t.game, &t.fx, &e),
	    0);
	order_clear(&o);
	assert_int_equal(game_is_checkable(t.game, &e), r);
	assert_int_equal(game_check_standing(t.game,
			     "{\"kind\":\"retire\",\"do\":\"all\"}", &e),
	    r == 0 ? 0 : ERR_INVALID);
	assert_non_null(v = game_view(t.game));
	assert_true(json_is_object(json_object_get(v, "rulings")));
	json_decref(v);
	table_clear(&t);
}

static void
a_verifier_may_read_what_a_daemon_cannot_play(void **state)
{
	json_t *tables = json_array();
	int i;

	(void)state;
	assert_non_null(tables);
	for (i = 0; i < 17; i++)
		json_array_append_new(tables, table_json(TABLE_REF));
	more_read("tables", tables, ERR_NEWER);
	more_read("system", json_string("kriegsspiel"), ERR_NEWER);
	more_read("rules", json_string("lasalle2/99"), ERR_NEWER);
}

/* A saved state with one text in the place of another is not read. */
static void
more_no_state(struct table *t, const char *from, const char *to)
{
	const struct game_blobs blobs = {table_blob_cb, t};
	struct errinfo e = {0};
	struct game *g = NULL;
	struct buf a, b;
	const char *at;

	buf_init(&a, 0);
	buf_init(&b, 0);
	table_save(t, &a);
	at = strstr(buf_str(&a), from);
	if (at == NULL)
		fail_msg("no %s in %s", from, buf_str(&a));
	buf_add(&b, a.data, (size_t)(at - a.data));
	buf_puts(&b, to);
	buf_puts(&b, at + strlen(from));
	if (game_load(b.data, b.len, &blobs, &g, &e) == 0)
		fail_msg("read: %s", buf_str(&b));
	assert_true(e.text[0] != '\0');
	assert_null(g);
	buf_clear(&a);
	buf_clear(&b);
}

static void
saved_states_are_looked_into(void **state)
{
	struct table t;

	(void)state;
	more_asked(&t, ",'secret':'sealed'");
	more_no_state(&t, "\"account\":\"p2\"", "\"account\":\"P2\"");
	more_no_state(&t, "\"account\":\"p2\"", "\"account\":\"\"");
	more_no_state(&t, "\"id\":\"b\"", "\"id\":\"B!\"");
	more_commit(&t, 2, MORE_HOLD);
	more_commit(&t, 1, MORE_HOLD);
	assert_int_equal(
	    table_try(&t, 2, ORDER_OPEN,
		json_pack("{s:I, s:s, s:s}", "ask",
		    (json_int_t)t.game->combat.ask_seq, "salt",
		    "0200000000000000000000000000000000000000000000000000000000"
		    "000000",
		    "text", MORE_HOLD)),
	    0);
	table_reload(&t);
	more_no_state(&t, "\"salt\":\"0200", "\"salt\":\"02");
	more_no_state(&t, "\"text\":\"", "\"txet\":\"");
	more_no_state(&t, "\"text\":\"", "\"text\":1,\"x\":\"");
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nobody_answers_what_is_not_asked),
	    cmocka_unit_test(a_card_is_an_object_of_some_size),
	    cmocka_unit_test(a_card_that_was_lost_refuses_nobody),
	    cmocka_unit_test(each_opens_what_he_committed),
	    cmocka_unit_test(a_director_has_nobody_to_himself),
	    cmocka_unit_test(a_claim_that_rolls_names_its_place),
	    cmocka_unit_test(a_player_may_ask_before_he_orders),
	    cmocka_unit_test(a_state_without_rules_can_be_seen),
	    cmocka_unit_test(data_blobs_are_looked_into),
	    cmocka_unit_test(a_verifier_may_read_what_a_daemon_cannot_play),
	    cmocka_unit_test(saved_states_are_looked_into),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
