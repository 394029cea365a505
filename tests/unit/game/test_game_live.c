/* SPDX-License-Identifier: ISC */
/*
 * Orders that wait for the other side (record S6.3): live-1, where every
 * roll does, and `confirm`, where every declaration does.  Every game is
 * saved and read back at each of its lines, and its record verifies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_int.h"
#include "common/game/game_play.h"
#include "common/game/game_undo.h"
#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/rulekit.h"

#include "tests/lib/alloc.h"
#include "tests/lib/chance.h"
#include "tests/lib/table.h"

#define LIVE "{'scheme':'live-1'}"
#define CONFIRM "{'confirm':true}"
#define LIVE_CONFIRM "{'scheme':'live-1','confirm':true}"

/* Plays an order and reads the game back. */
static void
play(struct table *t, int seat, enum order_kind kind, const char *args)
{
	table_play(t, seat, kind, args);
	table_reload(t);
}

/* The args of an answer to the line that waits. */
static const char *
answer_args(const struct table *t, const char *say)
{
	static char args[64];

	(void)snprintf(args, sizeof(args), "{'to':%lld,'say':'%s'}",
	    (long long)t->game->owed.seq, say);
	return (args);
}

/* Answers the line that waits. */
static void
answer(struct table *t, int seat, const char *say)
{
	play(t, seat, ORDER_ANSWER, answer_args(t, say));
}

/* The last line holds these members of its own, by first letters. */
static void
line_has(const struct table *t, const char *members)
{
	static const char *const names[] = {
	    "dice", "owes", "opened", "pool", NULL};
	json_t *line = table_line(t, t->n_lines - 1);
	size_t i;

	for (i = 0; names[i] != NULL; i++) {
		if ((json_object_get(line, names[i]) != NULL) !=
		    (strstr(members, names[i]) != NULL))
			fail_msg("\"%s\" is wrong in line %zu", names[i],
			    t->n_lines - 1);
	}
	json_decref(line);
}

/* The kinds of events that the last line holds, with blanks between. */
static void
line_says(const struct table *t, const char *kinds)
{
	json_t *line = table_line(t, t->n_lines - 1), *v;
	char text[512] = "";
	size_t i, n = 0;

	json_array_foreach(json_object_get(line, "events"), i, v)
	{
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s",
		    i > 0 ? " " : "",
		    json_string_value(json_object_get(v, "e")));
		assert_true(n < sizeof(text));
	}
	json_decref(line);
	assert_string_equal(text, kinds);
}

/* The rolls of the last line; new, null if it has none. */
static json_t *
line_rolls(const struct table *t)
{
	json_t *line = table_line(t, t->n_lines - 1), *rolls;

	rolls = json_object_get(json_object_get(line, "dice"), "rolls");
	json_incref(rolls);
	json_decref(line);
	return (rolls == NULL ? json_null() : rolls);
}

/* Who owes an answer, for which place. */
static void
owes_is(const struct table *t, int seat, const char *place)
{
	json_t *line = table_line(t, t->n_lines - 1), *owes;

	owes = json_object_get(line, "owes");
	assert_int_equal(
	    json_integer_value(json_object_get(owes, "seat")), seat);
	assert_string_equal(
	    json_string_value(json_object_get(owes, "place")), place);
	json_decref(line);
}

/* Changes a member of the order in t->text, NULL: takes it out. */
static void
change(struct table *t, int seat, const char *name, json_t *value)
{
	json_t *order = table_order(t);

	if (value == NULL)
		json_object_del(order, name);
	else
		json_object_set_new(order, name, value);
	table_reword(t, seat, order);
	json_decref(order);
}

/* Decides by chance what is asked openly, and agrees to all, to the end. */
static void
fight_on(struct table *t, uint64_t *seed)
{
	const struct question_pick pick = {chance_pick_cb, seed};
	struct game_combat *c;
	json_t *decision;

	while (t->game->combat.is_open) {
		c = &t->game->combat;
		if (t->game->owed.is_owed) {
			answer(t, t->game->owed.seat, "agree");
			continue;
		}
		assert_int_equal(combat_sample(c->run, &pick, &decision), 0);
		if (table_try(t, c->ask_side, ORDER_DECIDE,
			json_pack("{s:I, s:o}", "ask", (json_int_t)c->ask_seq,
			    "decision", decision)) != 0)
			fail_msg("%s: %s", t->e.where, t->e.text);
		table_reload(t);
	}
}

static void
a_declare_waits_and_the_answer_brings_the_dice(void **state)
{
	uint64_t seed = 1;
	struct table t;

	(void)state;
	table_begun_with(&t, table_roster, LIVE);
	play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	line_has(&t, "owes");
	line_says(&t, "combat");
	owes_is(&t, 2, "c/1/ru-1/1/1");
	assert_int_equal(game_answer_rolls(t.game), 1);
	answer(&t, 2, "agree");
	line_has(&t, "dice");
	assert_int_equal(game_answer_rolls(t.game), ERR_STALE);
	fight_on(&t, &seed);
	/* The place is used up. */
	play(&t, 1, ORDER_TURN_END, "{}");
	table_verify(&t);
	table_clear(&t);
}

static void
an_objection_changes_no_dice(void **state)
{
	json_t *rolls[2];
	struct table t;
	int objects;

	(void)state;
	for (objects = 0; objects < 2; objects++) {
		table_begun_with(&t, table_roster, LIVE);
		if (objects) {
			play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
			assert_true(
			    game_undo_reaches(t.game, game_seq(t.game)));
			answer(&t, 2, "object");
			line_has(&t, "");
			line_says(&t, "");
			assert_false(t.game->combat.is_open);
			assert_int_equal(t.game->n_undos, 0);
			/* The turn goes on: another order may come. */
			play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
			answer(&t, 2, "object");
		}
		play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
		owes_is(&t, 2, "c/1/ru-1/1/1");
		answer(&t, 2, "agree");
		rolls[objects] = line_rolls(&t);
		assert_true(json_is_array(rolls[objects]));
		table_verify(&t);
		table_clear(&t);
	}
	assert_true(json_equal(rolls[0], rolls[1]));
	json_decref(rolls[0]);
	json_decref(rolls[1]);
}

/* TABLE_GUNS: side 2 is asked before anything is rolled. */
static void
a_question_first_is_asked_by_the_answer(void **state)
{
	struct game_combat *c;
	uint64_t seed = 2;
	struct table t;
	char args[160];
	json_t *rolls;
	int64_t ask;
	int i;

	(void)state;
	table_begun_with(&t, table_roster, LIVE);
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	line_has(&t, "owes");
	line_says(&t, "combat");
	assert_int_equal(game_answer_rolls(t.game), 0);
	assert_false(table_is_asked(&t));
	answer(&t, 2, "agree");
	line_has(&t, "");
	line_says(&t, "ask");
	ask = game_seq(t.game);
	c = &t.game->combat;
	assert_int_equal(c->ask_seq, ask);
	/* The decision leads to dice, which wait for side 1. */
	for (i = 0; i < 2; i++) {
		(void)snprintf(args, sizeof(args),
		    "{'ask':%lld,'decision':{'kind':'retire','units':[%s]}}",
		    (long long)ask, i == 0 ? "" : "'ru-a1'");
		play(&t, 2, ORDER_DECIDE, args);
		line_has(&t, "owes");
		line_says(&t, "decision");
		owes_is(&t, 1, "c/1/ru-a1/1/1");
		assert_int_equal(game_answer_rolls(t.game), 1);
		if (i == 1)
			break;
		answer(&t, 1, "object");
		line_has(&t, "");
		line_says(&t, "");
		/* The question is open again, that of the former line. */
		assert_true(table_is_asked(&t));
		assert_int_equal(t.game->combat.ask_seq, ask);
		assert_int_equal(t.game->combat.ask_side, 2);
		assert_int_equal(json_array_size(t.game->combat.decisions), 0);
	}
	answer(&t, 1, "agree");
	rolls = line_rolls(&t);
	assert_true(json_is_array(rolls));
	json_decref(rolls);
	fight_on(&t, &seed);
	table_verify(&t);
	table_clear(&t);
}

static void
an_answer_is_refused_for_what_is_wrong_in_it(void **state)
{
	struct table t;
	json_t *order, *proof;
	char args[64], why[128];

	(void)state;
	table_begun_with(&t, table_roster, LIVE);
	play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_no(&t, 1, ORDER_ANSWER, answer_args(&t, "agree"), ERR_STALE,
	    "order.args.to");
	table_no(&t, 2, ORDER_ANSWER, "{'to':0,'say':'agree'}", ERR_STALE,
	    "order.args.to");
	table_no(&t, 2, ORDER_ANSWER, answer_args(&t, "perhaps"), ERR_ILLEGAL,
	    "order.args.say");
	(void)snprintf(args, sizeof(args),
	    "{'to':%lld,'say':'object','why':'no'}",
	    (long long)t.game->owed.seq);
	table_no(&t, 2, ORDER_ANSWER, args, ERR_ILLEGAL, "order.args.why");
	/* Only who objects says why, and a stale answer is called stale first.
	 */
	(void)snprintf(why, sizeof(why),
	    "{'to':%lld,'say':'agree','why':" TABLE_REF "}",
	    (long long)t.game->owed.seq);
	table_no(&t, 2, ORDER_ANSWER, why, ERR_ILLEGAL, "order.args.why");
	table_no(&t, 1, ORDER_ANSWER, why, ERR_STALE, "order.args.to");
	(void)snprintf(args, sizeof(args),
	    "{'to':%lld,'say':'object','because':'no'}",
	    (long long)t.game->owed.seq);
	table_no(&t, 2, ORDER_ANSWER, args, ERR_NEWER, "because");
	/* Neither place nor proof, where dice fall. */
	assert_int_equal(table_make(&t, 2, ORDER_ANSWER,
			     table_json(answer_args(&t, "agree"))),
	    0);
	change(&t, 2, "other", NULL);
	change(&t, 2, "place", NULL);
	table_refuses(&t, 2, ERR_ILLEGAL, "order.other");
	/* Another place; a proof for another place or by another key. */
	assert_int_equal(table_make(&t, 2, ORDER_ANSWER,
			     table_json(answer_args(&t, "agree"))),
	    0);
	change(&t, 2, "place", json_string("c/1/ru-1/1/2"));
	table_refuses(&t, 2, ERR_ILLEGAL, "order.place");
	assert_int_equal(table_make(&t, 2, ORDER_ANSWER,
			     table_json(answer_args(&t, "agree"))),
	    0);
	order = table_order(&t);
	proof = json_deep_copy(json_object_get(order, "other"));
	json_decref(order);
	/* An objection carries none. */
	assert_int_equal(table_make(&t, 2, ORDER_ANSWER,
			     table_json(answer_args(&t, "object"))),
	    0);
	change(&t, 2, "place", json_string("c/1/ru-1/1/1"));
	change(&t, 2, "other", json_incref(proof));
	table_refuses(&t, 2, ERR_ILLEGAL, "order.other");
	answer(&t, 2, "object");
	table_no(&t, 2, ORDER_ANSWER, "{'to':5,'say':'object'}", ERR_STALE,
	    "order.args.to");
	/* A proof that was made for another combat. */
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_int_equal(table_make(&t, 2, ORDER_ANSWER,
			     table_json(answer_args(&t, "agree"))),
	    0);
	change(&t, 2, "place", json_string("c/1/ru-a1/1/1"));
	change(&t, 2, "other", proof);
	table_refuses(&t, 2, ERR_ILLEGAL, "order.other");
	table_verify(&t);
	table_clear(&t);
}

static void
nothing_else_is_taken_while_an_answer_is_owed(void **state)
{
	struct table t;
	json_t *order;

	(void)state;
	table_begun_with(&t, table_roster, LIVE);
	play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_no(&t, 1, ORDER_TURN_END, "{}", ERR_STALE, "answer");
	table_no(&t, 1, ORDER_DECLARE, TABLE_GUNS, ERR_STALE, "answer");
	table_no(&t, 2, ORDER_CLOSE, "{}", ERR_ILLEGAL, "answer");
	play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	/* An answer is a state line. */
	assert_int_equal(table_make(&t, 1, ORDER_RESIGN, table_json("{}")), 0);
	order = table_order(&t);
	answer(&t, 2, "agree");
	table_reword(&t, 1, order);
	json_decref(order);
	table_refuses(&t, 1, ERR_STALE, "moved on");
	play(&t, 1, ORDER_RESIGN, "{}");
	table_verify(&t);
	table_clear(&t);

	/* Who resigns ends all that waits. */
	table_begun_with(&t, table_roster, LIVE);
	play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	play(&t, 2, ORDER_RESIGN, "{}");
	assert_false(t.game->owed.is_owed);
	table_no(&t, 2, ORDER_ANSWER, "{'to':5,'say':'agree'}", ERR_STALE,
	    "order.args.to");
	play(&t, 1, ORDER_CLOSE, "{}");
	play(&t, 2, ORDER_CLOSE, "{}");
	table_verify(&t);
	table_clear(&t);
}

static void
confirm_shows_a_declaration_before_all_else(void **state)
{
	static const char *const fights[] = {TABLE_FIGHT, TABLE_GUNS};
	static const char *const settings[] = {CONFIRM, LIVE_CONFIRM};
	uint64_t seed = 3;
	struct table t;
	int fight, live;

	(void)state;
	for (live = 0; live < 2; live++) {
		for (fight = 0; fight < 2; fight++) {
			table_begun_with(&t, table_roster, settings[live]);
			play(&t, 1, ORDER_DECLARE, fights[fight]);
			line_has(&t, "owes");
			line_says(&t, "combat");
			owes_is(&t, 2,
			    fight == 0 ? "c/1/ru-1/1/1" : "c/1/ru-a1/1/1");
			answer(&t, 2, "object");
			play(&t, 1, ORDER_DECLARE, fights[fight]);
			assert_int_equal(
			    game_answer_rolls(t.game), live == 1 && fight == 0);
			answer(&t, 2, "agree");
			line_has(&t, fight == 0 ? "dice" : "");
			/* Decisions wait for nobody in dual-1. */
			if (fight == 1) {
				line_says(&t, "ask");
				table_answer(&t);
				line_has(&t, live ? "owes" : "dice");
				table_reload(&t);
			}
			fight_on(&t, &seed);
			play(&t, 1, ORDER_TURN_END, "{}");
			table_verify(&t);
			table_clear(&t);
		}
	}
}

static void
confirm_in_dual_1_draws_the_dice_of_dual_1(void **state)
{
	json_t *rolls[2];
	struct table t;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		/* Another create order is another game: the same but id. */
		table_begun_with(&t, table_roster, CONFIRM);
		play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
		if (i == 1)
			play(&t, 2, ORDER_CHAT, TABLE_CHAT);
		assert_int_equal(table_make(&t, 2, ORDER_ANSWER,
				     table_json(answer_args(&t, "agree"))),
		    0);
		assert_int_equal(table_take(&t, 2), 0);
		rolls[i] = line_rolls(&t);
		table_clear(&t);
	}
	assert_true(json_is_array(rolls[0]));
	assert_true(json_equal(rolls[0], rolls[1]));
	json_decref(rolls[0]);
	json_decref(rolls[1]);
}

static const char cards_roster[] =
    "{'blob':'roster','system':'imagi-nations','sides':{'1':{'units':["
    "{'id':'a','arm':'infantry','lead':'a-1','battalions':[{'id':'a-1',"
    "'quality':'veteran','sp':6,'hits':2},{'id':'a-2','quality':'trained',"
    "'sp':6}],'fatigue':3,'disordered':true}]},'2':{'units':[{'id':'b',"
    "'arm':'cavalry','lead':'b-1','battalions':[{'id':'b-1','quality':'raw',"
    "'sp':6},{'id':'b-2','quality':'elite','sp':6}],'fatigue':1}]}}}";

#define CARDS_DECLARE                                                        \
	"{'combat':{'attacker':{'units':[{'id':'a'}]},'defender':{'units':[" \
	"{'id':'b'}],'objective':true,'can_evade':true},"                    \
	"'terrain':'village'}}"
#define CARDS_LIVE(secret)                                     \
	"{'system':'imagi-nations','rules':'imagi-nations/1'," \
	"'rulings':{'rally_target':'automatic'},"              \
	"'scheme':'live-1','secret':'" secret "'}"

/* Commits a card of the tactic; *open (new) is what opens it. */
static void
commit(struct table *t, int seat, const char *tactic, json_t **open)
{
	uint8_t salt[RECORD_SALT_LEN] = {(uint8_t)seat}, h[HASH_LEN];
	int64_t ask = t->game->combat.ask_seq;
	char text[80];

	(void)snprintf(text, sizeof(text),
	    "{\"kind\":\"tactic\",\"tactic\":\"%s\"}", tactic);
	assert_int_equal(record_secret(h, game_id(t->game), seat, ask, salt,
			     text, strlen(text)),
	    0);
	*open = json_pack(
	    "{s:o, s:s}", "salt", js_hex(salt, sizeof(salt)), "text", text);
	t->open = game_is_sealed(t->game) ? NULL : *open;
	if (table_try(t, seat, ORDER_COMMIT,
		json_pack("{s:I, s:o}", "ask", (json_int_t)ask, "commit",
		    js_hex(h, HASH_LEN))) != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
	t->open = NULL;
	json_object_set_new(*open, "ask", json_integer(ask));
	table_reload(t);
}

static void
secret_choices_wait_once_both_are_open(void **state)
{
	json_t *open[3], *line, *rolls[2];
	uint64_t seed = 4;
	struct table t;
	int first, sealed;

	(void)state;
	for (sealed = 0; sealed < 2; sealed++) {
		for (first = 1; first <= 2; first++) {
			table_begun_with(&t, cards_roster,
			    sealed ? CARDS_LIVE("sealed") : CARDS_LIVE("held"));
			play(&t, 1, ORDER_DECLARE, CARDS_DECLARE);
			line_says(&t, "combat");
			answer(&t, 2, "agree");
			line_says(&t, "ask ask");
			commit(&t, first,
			    first == 1 ? "hasty-attack" : "defend",
			    &open[first]);
			line_has(&t, "");
			commit(&t, 3 - first,
			    first == 2 ? "hasty-attack" : "defend",
			    &open[3 - first]);
			if (sealed) {
				assert_int_equal(
				    table_try(&t, first, ORDER_OPEN,
					json_incref(open[first])),
				    0);
				line_has(&t, "");
				table_reload(&t);
				assert_int_equal(
				    table_try(&t, 3 - first, ORDER_OPEN,
					json_incref(open[3 - first])),
				    0);
				table_reload(&t);
			}
			line_has(&t, sealed ? "owes" : "owes opened");
			owes_is(&t, 2, "c/1/b/1/1");
			line = table_line(&t, t.n_lines - 1);
			assert_true(json_array_size(
					json_object_get(line, "events")) >= 2);
			json_decref(line);
			assert_false(game_has_held(t.game));
			table_no(&t, 2, ORDER_ANSWER, answer_args(&t, "object"),
			    ERR_ILLEGAL, "nothing is left to agree");
			answer(&t, 2, "agree");
			line_has(&t, "dice");
			rolls[first - 1] = line_rolls(&t);
			fight_on(&t, &seed);
			table_verify(&t);
			json_decref(open[1]);
			json_decref(open[2]);
			table_clear(&t);
		}
		/* The dice are the attacker's, whoever was second. */
		assert_true(json_equal(rolls[0], rolls[1]));
		json_decref(rolls[0]);
		json_decref(rolls[1]);
	}
}

#define REST "{'unit':'a','do':'rest'}"

static void
upkeep_orders_that_roll_wait(void **state)
{
	json_t *rolls[2], *before, *after;
	struct table t;
	int objects;

	(void)state;
	for (objects = 0; objects < 2; objects++) {
		table_begun_with(&t, cards_roster, CARDS_LIVE("held"));
		before = game_view(t.game);
		if (objects) {
			play(&t, 1, ORDER_UPKEEP, REST);
			line_has(&t, "owes");
			line_says(&t, "");
			owes_is(&t, 2, "u/1/a/1");
			answer(&t, 2, "object");
			line_has(&t, "");
			line_says(&t, "");
			assert_int_equal(t.game->n_undos, 0);
			after = game_view(t.game);
			assert_true(
			    json_equal(json_object_get(before, "roster"),
				json_object_get(after, "roster")));
			json_decref(after);
		}
		json_decref(before);
		play(&t, 1, ORDER_UPKEEP, REST);
		owes_is(&t, 2, "u/1/a/1");
		assert_int_equal(game_answer_rolls(t.game), 1);
		assert_int_equal(table_make(&t, 2, ORDER_ANSWER,
				     table_json(answer_args(&t, "agree"))),
		    0);
		change(&t, 2, "other", NULL);
		change(&t, 2, "place", NULL);
		table_refuses(&t, 2, ERR_ILLEGAL, "order.other");
		answer(&t, 2, "agree");
		line_has(&t, "dice");
		rolls[objects] = line_rolls(&t);
		assert_int_equal(t.game->n_undos, 1);
		/* No dice, no waiting. */
		play(&t, 1, ORDER_UPKEEP,
		    "{'unit':'a','do':'rally','battalion':'a-1'}");
		line_has(&t, "");
		play(&t, 1, ORDER_TURN_END, "{}");
		table_verify(&t);
		table_clear(&t);
	}
	assert_true(json_equal(rolls[0], rolls[1]));
	json_decref(rolls[0]);
	json_decref(rolls[1]);
}

/* With four seats: any of a side acts, its first answers. */
static void
the_first_seat_of_the_other_side_answers(void **state)
{
	uint64_t seed = 5;
	struct table t;

	(void)state;
	table_begun_with(
	    &t, table_roster, "{'scheme':'live-1','options':{'seats':4}}");
	play(&t, 3, ORDER_DECLARE, TABLE_FIGHT);
	owes_is(&t, 2, "c/1/ru-1/1/1");
	table_no(&t, 4, ORDER_ANSWER, answer_args(&t, "agree"), ERR_STALE,
	    "order.args.to");
	answer(&t, 2, "agree");
	fight_on(&t, &seed);
	play(&t, 1, ORDER_TURN_END, "{}");
	play(&t, 4, ORDER_TURN_END, "{}");
	table_verify(&t);
	table_clear(&t);
}

/* The director answers with his own dice key once the record says so. */
static void
a_director_answers_with_his_own_key(void **state)
{
	static const char settings[] =
	    "{'scheme':'live-1','silence':'director','options':"
	    "{'director':true},'clock':{'per':'order','first_s':60,"
	    "'then':'forfeit'}}";
	json_t *rolls[2];
	struct table t;
	int is_silent;

	(void)state;
	for (is_silent = 0; is_silent < 2; is_silent++) {
		table_begun_with(&t, table_roster, settings);
		play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
		table_no(&t, 0, ORDER_ANSWER, answer_args(&t, "agree"),
		    ERR_STALE, "order.args.to");
		if (is_silent) {
			t.at_ms += 61000;
			play(&t, 1, ORDER_CLAIM, "{}");
			assert_int_equal(t.game->owed.seat, 0);
			table_no(&t, 2, ORDER_ANSWER, answer_args(&t, "agree"),
			    ERR_STALE, "order.args.to");
		}
		answer(&t, is_silent ? 0 : 2, "agree");
		rolls[is_silent] = line_rolls(&t);
		assert_true(json_is_array(rolls[is_silent]));
		table_verify(&t);
		table_clear(&t);
	}
	assert_false(json_equal(rolls[0], rolls[1]));
	json_decref(rolls[0]);
	json_decref(rolls[1]);
}

/* A claim answers the question of the side that is silent. */
static void
a_claim_answers_by_default_and_waits_in_live_1(void **state)
{
	static const char *const settings[] = {
	    "{'clock':{'per':'order','first_s':60,'then':'default'}}",
	    "{'scheme':'live-1','clock':{'per':'order','first_s':60,"
	    "'then':'default'}}",
	};
	uint64_t seed = 6;
	struct table t;
	char args[64];
	int live;

	(void)state;
	for (live = 0; live < 2; live++) {
		table_begun_with(&t, table_roster, settings[live]);
		play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
		if (live)
			answer(&t, 2, "agree");
		assert_true(game_has_default(t.game));
		t.at_ms += 61000;
		play(&t, 1, ORDER_CLAIM, "{}");
		line_has(&t, live ? "owes" : "dice");
		assert_string_equal(json_string_value(json_object_get(
					json_array_get(t.fx.events, 0), "e")),
		    "decision");
		if (live) {
			owes_is(&t, 2, "c/1/ru-a1/1/1");
			assert_false(game_has_default(t.game));
			/* Who was silent could else be so for ever. */
			(void)snprintf(args, sizeof(args),
			    "{'to':%lld,'say':'object'}",
			    (long long)t.game->owed.seq);
			table_no(&t, 2, ORDER_ANSWER, args, ERR_ILLEGAL,
			    "nothing is left");
			answer(&t, 2, "agree");
			line_has(&t, "dice");
		}
		fight_on(&t, &seed);
		table_verify(&t);
		table_clear(&t);
	}
}

/* What a line that waits, or an answer, may not be. */
static void
records_that_do_not_wait_as_they_must_are_bad(void **state)
{
	struct table t;

	(void)state;
	/* The daemon forgets that it must ask. */
	table_begun_with(&t, table_roster, CONFIRM);
	t.game->set.is_confirm = false;
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_is_bad(&t, t.n_lines - 1, "");
	table_clear(&t);
	table_begun_with(&t, table_roster, LIVE);
	t.game->set.is_live = false;
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	table_is_bad(&t, t.n_lines - 1, "");
	table_clear(&t);
	/* It asks where nobody is asked. */
	table_begun(&t);
	t.game->set.is_confirm = true;
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_is_bad(&t, t.n_lines - 1, "");
	table_clear(&t);
	/* It tells the question before the answer. */
	table_begun_with(&t, table_roster, LIVE);
	t.game->set.is_confirm = true;
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	t.game->set.is_confirm = false;
	table_verify(&t);
	t.game->set.is_live = false;
	table_play(&t, 2, ORDER_ANSWER, answer_args(&t, "agree"));
	table_verify(&t);
	table_answer(&t);
	/* Dice fell without an answer. */
	table_is_bad(&t, t.n_lines - 1, "");
	table_clear(&t);
}

/*
 * The order in t->text: whatever allocation fails, the game can be thrown
 * away and read again, and nothing is refused for want of memory.
 */
static void
fails_by_want_of_memory_alone(struct table *t, int seat)
{
	const struct game_dice dice = {table_prove_cb, t};
	const uint8_t *key = t->keys[seat].sign.public_key;
	struct game_effects fx;
	struct game *g;
	struct order o;
	struct errinfo e;
	bool has_failed = true;
	long n, step;
	int r = 0;

	assert_int_equal(order_parse(t->text.data, t->text.len, &o, &e), 0);
	o.at_ms = t->at_ms;
	o.open = t->open;
	for (n = 0, step = 1; has_failed; n += step, step += n / 100) {
		g = table_copy(t);
		alloc_start(n);
		r = game_take(g, &o, key, &dice, NULL, &fx, &e);
		has_failed = alloc_stop();
		if (r != 0 && r != ERR_NOMEM)
			fail_msg("%d %s: %s", r, e.where, e.text);
		if (r == 0)
			game_effects_clear(&fx);
		game_free(g);
	}
	assert_int_equal(r, 0);
	order_clear(&o);
}

static void
want_of_memory_breaks_nothing(void **state)
{
	static const char stands[] = "{'kind':'retire','do':'all'}";
	struct table t;

	(void)state;
	table_begun_with(&t, table_roster, LIVE);
	assert_int_equal(table_stand(&t, 2, stands), 0);
	/* The order that waits, the objection, and the standing order. */
	assert_int_equal(
	    table_make(&t, 1, ORDER_DECLARE, table_json(TABLE_GUNS)), 0);
	fails_by_want_of_memory_alone(&t, 1);
	assert_int_equal(table_take(&t, 1), 0);
	assert_int_equal(table_make(&t, 2, ORDER_ANSWER,
			     table_json(answer_args(&t, "object"))),
	    0);
	fails_by_want_of_memory_alone(&t, 2);
	assert_int_equal(table_make(&t, 2, ORDER_ANSWER,
			     table_json(answer_args(&t, "agree"))),
	    0);
	fails_by_want_of_memory_alone(&t, 2);
	table_clear(&t);

	table_begun_with(&t, cards_roster, CARDS_LIVE("held"));
	assert_int_equal(table_make(&t, 1, ORDER_UPKEEP, table_json(REST)), 0);
	fails_by_want_of_memory_alone(&t, 1);
	assert_int_equal(table_take(&t, 1), 0);
	assert_int_equal(table_make(&t, 2, ORDER_ANSWER,
			     table_json(answer_args(&t, "agree"))),
	    0);
	fails_by_want_of_memory_alone(&t, 2);
	table_clear(&t);
}

/* Rules that fail once dice have fallen, after a question or at once. */
static struct rules_system broken;
static bool broken_asks;

static int
broken_run_cb(struct combat *c)
{
	static const char *const ids[] = {"ru-a1"};
	struct question_member m = question_some("units", ids, 1, 0, 1);
	struct question_answer a;
	uint16_t die;
	int r;

	if (broken_asks &&
	    (r = combat_decide(c, COMBAT_DEFENDER, "retire", &m, 1, &a)) != 0)
		return (r);
	if ((r = combat_roll(c, &die, 1, 6, "first")) != 0)
		return (r);
	return (combat_fault(c, "broken"));
}

/* Writes the `fault` line that is due. */
static void
write_fault(struct table *t)
{
	char data[300];

	(void)snprintf(data, sizeof(data), "{'seq':%lld,'text':'%s'}",
	    (long long)game_seq(t->game), t->fx.fault);
	assert_int_equal(table_server(t, "fault", data), 0);
}

/* S4.4: the answer's line holds dice and events up to the fault. */
static void
a_fault_of_the_rules_is_in_the_answers_line(void **state)
{
	struct verify_options opt = {.head_seq = -1};
	struct verify_report rep;
	struct errinfo e = {.text = ""};
	struct table t;
	struct buf out;
	int stands;

	(void)state;
	for (stands = 0; stands < 2; stands++) {
		table_begun_with(
		    &t, table_roster, stands ? "{'confirm':true}" : LIVE);
		if (stands)
			assert_int_equal(
			    table_stand(&t, 2, "{'kind':'retire','do':'none'}"),
			    0);
		broken = *t.game->sys;
		broken.run = broken_run_cb;
		broken_asks = stands;
		t.game->sys = t.game->settings.sys = &broken;
		table_play(
		    &t, 1, ORDER_DECLARE, stands ? TABLE_GUNS : TABLE_FIGHT);
		table_play(&t, 2, ORDER_ANSWER, answer_args(&t, "agree"));
		assert_true(t.fx.is_fault);
		assert_string_equal(t.fx.fault, "broken");
		line_has(&t, stands ? "dice opened" : "dice");
		write_fault(&t);
		table_play(&t, 1, ORDER_CLOSE, "{}");
		table_play(&t, 2, ORDER_CLOSE, "{}");
		buf_init(&out, 0);
		table_export(&t, &out);
		if (verify_bytes(out.data, out.len, &opt, &rep, NULL, &e) != 0)
			fail_msg("line %lld: %s: %s", (long long)rep.file_line,
			    e.where, e.text);
		assert_true(rep.is_unchecked);
		assert_true(rep.is_finished);
		buf_clear(&out);
		table_clear(&t);
	}
}

/* Rules that ask nothing and roll nothing. */
static int
idle_run_cb(struct combat *c)
{
	(void)c;
	return (0);
}

/* With nothing to roll or to decide there is nothing to wait for. */
static void
a_combat_without_rolls_waits_only_to_be_confirmed(void **state)
{
	static const struct verify_options opt = {
	    .no_rules = true, .head_seq = -1};
	struct verify_report rep;
	struct errinfo e = {.text = ""};
	struct table t;
	struct buf out;
	int confirms;

	(void)state;
	for (confirms = 0; confirms < 2; confirms++) {
		table_begun_with(
		    &t, table_roster, confirms ? LIVE_CONFIRM : LIVE);
		broken = *t.game->sys;
		broken.run = idle_run_cb;
		t.game->sys = t.game->settings.sys = &broken;
		table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
		line_has(&t, confirms ? "owes" : "");
		line_says(&t, confirms ? "combat" : "combat result");
		if (confirms) {
			assert_int_equal(game_answer_rolls(t.game), 0);
			table_play(
			    &t, 2, ORDER_ANSWER, answer_args(&t, "agree"));
			line_says(&t, "result");
		}
		assert_false(t.game->combat.is_open);
		table_play(&t, 1, ORDER_TURN_END, "{}");
		buf_init(&out, 0);
		table_export(&t, &out);
		if (verify_bytes(out.data, out.len, &opt, &rep, NULL, &e) != 0)
			fail_msg("line %lld: %s: %s", (long long)rep.file_line,
			    e.where, e.text);
		buf_clear(&out);
		table_clear(&t);
	}
}

static void
a_truce_forbids_to_declare(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	t.game->truce = 2;
	assert_int_equal(
	    table_make(&t, 1, ORDER_DECLARE, table_json(TABLE_FIGHT)), 0);
	assert_int_equal(table_take(&t, 1), ERR_ILLEGAL);
	assert_non_null(strstr(t.e.text, "truce holds until turn 2"));
	t.game->truce = 1;
	assert_int_equal(table_take(&t, 1), 0);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_declare_waits_and_the_answer_brings_the_dice),
	    cmocka_unit_test(an_objection_changes_no_dice),
	    cmocka_unit_test(a_question_first_is_asked_by_the_answer),
	    cmocka_unit_test(an_answer_is_refused_for_what_is_wrong_in_it),
	    cmocka_unit_test(nothing_else_is_taken_while_an_answer_is_owed),
	    cmocka_unit_test(confirm_shows_a_declaration_before_all_else),
	    cmocka_unit_test(confirm_in_dual_1_draws_the_dice_of_dual_1),
	    cmocka_unit_test(secret_choices_wait_once_both_are_open),
	    cmocka_unit_test(upkeep_orders_that_roll_wait),
	    cmocka_unit_test(the_first_seat_of_the_other_side_answers),
	    cmocka_unit_test(a_director_answers_with_his_own_key),
	    cmocka_unit_test(a_claim_answers_by_default_and_waits_in_live_1),
	    cmocka_unit_test(records_that_do_not_wait_as_they_must_are_bad),
	    cmocka_unit_test(want_of_memory_breaks_nothing),
	    cmocka_unit_test(a_fault_of_the_rules_is_in_the_answers_line),
	    cmocka_unit_test(a_combat_without_rolls_waits_only_to_be_confirmed),
	    cmocka_unit_test(a_truce_forbids_to_declare),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
