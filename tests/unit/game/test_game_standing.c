/* SPDX-License-Identifier: ISC */
/*
 * Standing orders (record S8.1): when they act and in which order, what
 * their lines open, that nothing of a text shows before, and that a record
 * in which one was passed over is bad.  Every game is saved and read back at
 * each of its lines.
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
#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/chance.h"
#include "tests/lib/table.h"

#define RETIRE_NONE "{\"kind\":\"retire\",\"do\":\"none\"}"
#define RETIRE_ALL "{\"kind\":\"retire\",\"do\":\"all\"}"
#define STAGGER "{\"kind\":\"stagger\",\"do\":\"path\"}"
#define LIVE "{'scheme':'live-1'}"

/* Plays an order and reads the game back. */
static void
play(struct table *t, int seat, enum order_kind kind, const char *args)
{
	table_play(t, seat, kind, args);
	table_reload(t);
}

/* A standing order that is taken; its line. */
static int64_t
stand(struct table *t, int seat, const char *text)
{
	int r = table_stand(t, seat, text);

	if (r != 0)
		fail_msg("%d %s: %s", r, t->e.where, t->e.text);
	table_reload(t);
	return (game_seq(t->game));
}

/* One that is refused; the game is what it was. */
static void
no_stand(struct table *t, int seat, const char *text, int r, const char *why)
{
	size_t lines = t->n_lines;
	struct buf a, b;

	buf_init(&a, 0);
	buf_init(&b, 0);
	table_save(t, &a);
	assert_int_equal(table_stand(t, seat, text), r);
	if (strstr(t->e.text, why) == NULL && strstr(t->e.where, why) == NULL)
		fail_msg("%s: %s, not \"%s\"", t->e.where, t->e.text, why);
	assert_int_equal(t->n_lines, lines);
	table_save(t, &b);
	assert_string_equal(buf_str(&a), buf_str(&b));
	buf_clear(&a);
	buf_clear(&b);
}

/* What the last line opens: texts, with blanks between. */
static void
opens(const struct table *t, const char *texts)
{
	json_t *line = table_line(t, t->n_lines - 1), *v;
	char text[4096] = "";
	size_t i, n = 0;

	json_array_foreach(json_object_get(line, "opened"), i, v)
	{
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s",
		    i > 0 ? " " : "",
		    json_string_value(json_object_get(v, "text")));
		assert_true(n < sizeof(text));
	}
	if (texts[0] == '\0')
		assert_null(json_object_get(line, "opened"));
	assert_string_equal(text, texts);
	json_decref(line);
}

/* Event number i of the last line has this value as this member. */
static void
event_is(const struct table *t, size_t i, const char *name, const char *value)
{
	json_t *line = table_line(t, t->n_lines - 1), *v;
	struct buf b;

	v = json_object_get(
	    json_array_get(json_object_get(line, "events"), i), name);
	assert_non_null(v);
	buf_init(&b, 0);
	if (json_is_string(v))
		buf_puts(&b, json_string_value(v));
	else
		js_dump(v, &b);
	assert_string_equal(buf_str(&b), value);
	buf_clear(&b);
	json_decref(line);
}

/* The last line asks a question of this kind and answers it at once. */
static void
asked_and_answered(const struct table *t, const char *kind)
{
	json_t *line = table_line(t, t->n_lines - 1), *v, *next, *events;
	bool is = false;
	size_t i;

	events = json_object_get(line, "events");
	json_array_foreach(events, i, v)
	{
		next = json_array_get(events, i + 1);
		if (strcmp(json_string_value(json_object_get(v, "e")), "ask") ==
			0 &&
		    strcmp(json_string_value(json_object_get(v, "kind")),
			kind) == 0 &&
		    next != NULL &&
		    strcmp(json_string_value(json_object_get(next, "e")),
			"decision") == 0)
			is = true;
	}
	assert_true(is);
	json_decref(line);
}

/* True if the last line has this member. */
static bool
line_has(const struct table *t, const char *name)
{
	json_t *line = table_line(t, t->n_lines - 1);
	bool has = json_object_get(line, name) != NULL;

	json_decref(line);
	return (has);
}

/* Agrees to what waits. */
static void
agree(struct table *t)
{
	char args[64];

	(void)snprintf(args, sizeof(args), "{'to':%lld,'say':'agree'}",
	    (long long)t->game->owed.seq);
	play(t, t->game->owed.seat, ORDER_ANSWER, args);
}

/* Answers the open question by chance; the game is not read back. */
static void
decide_only(struct table *t, uint64_t *seed)
{
	const struct question_pick pick = {chance_pick_cb, seed};
	const struct game_combat *c = &t->game->combat;
	json_t *decision;

	assert_int_equal(combat_sample(c->run, &pick, &decision), 0);
	if (table_try(t, c->ask_side, ORDER_DECIDE,
		json_pack("{s:I, s:o}", "ask", (json_int_t)c->ask_seq,
		    "decision", decision)) != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
}

/* Answers the open question by chance. */
static void
decide(struct table *t, uint64_t *seed)
{
	decide_only(t, seed);
	table_reload(t);
}

/* To the end of the combat. */
static void
fight_on(struct table *t, uint64_t *seed)
{
	while (t->game->combat.is_open) {
		if (t->game->owed.is_owed)
			agree(t);
		else
			decide(t, seed);
	}
}

/* Both sides end the game, the second close opens these texts. */
static void
close_opens(struct table *t, const char *texts)
{
	play(t, 1, ORDER_RESIGN, "{}");
	play(t, 1, ORDER_CLOSE, "{}");
	opens(t, "");
	play(t, 2, ORDER_CLOSE, "{}");
	opens(t, texts);
	assert_true(game_is_finished(t->game));
	table_verify(t);
}

static void
it_acts_first_thing_and_is_opened_once(void **state)
{
	uint64_t seed = 1;
	struct table t;

	(void)state;
	table_begun(&t);
	(void)stand(&t, 2, RETIRE_NONE);
	opens(&t, "");
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	opens(&t, RETIRE_NONE);
	assert_true(line_has(&t, "dice"));
	event_is(&t, 1, "e", "ask");
	event_is(&t, 1, "kind", "retire");
	event_is(&t, 2, "e", "decision");
	event_is(&t, 2, "units", "[]");
	event_is(&t, 3, "e", "roll");
	assert_int_equal(t.n_standing, 0);
	fight_on(&t, &seed);
	close_opens(&t, "");
	table_clear(&t);
}

/* Guns of its own for each of two combats of one turn. */
#define GUN(unit, gun)                                                \
	"{'combat':{'attackers':[{'id':'" unit                        \
	"','formation':'column'}],'defenders':[{'id':'" gun           \
	"','formation':'unlimbered'}],'contacts':[{'attacker':'" unit \
	"','defender':'" gun "','edge':'front'}]}}"

static void
it_acts_again_without_being_opened(void **state)
{
	uint64_t seed = 2;
	struct table t;

	(void)state;
	table_begun(&t);
	(void)stand(&t, 2, RETIRE_NONE);
	play(&t, 1, ORDER_DECLARE, GUN("fr-2", "ru-a1"));
	opens(&t, RETIRE_NONE);
	fight_on(&t, &seed);
	play(&t, 1, ORDER_DECLARE, GUN("fr-3", "ru-a2"));
	opens(&t, "");
	event_is(&t, 2, "e", "decision");
	fight_on(&t, &seed);
	close_opens(&t, "");
	table_clear(&t);
}

static void
the_newest_of_a_side_wins(void **state)
{
	uint64_t seed = 2;
	struct table t;

	(void)state;
	table_begun_with(&t, table_roster, "{'options':{'seats':4}}");
	(void)stand(&t, 2, RETIRE_NONE);
	(void)stand(&t, 4, RETIRE_ALL);
	(void)stand(&t, 2, STAGGER);
	/* One of the other side has no say. */
	(void)stand(&t, 1, RETIRE_NONE);
	play(&t, 1, ORDER_DECLARE, GUN("fr-2", "ru-a1"));
	opens(&t, RETIRE_ALL);
	event_is(&t, 2, "units", "[\"ru-a1\"]");
	fight_on(&t, &seed);
	/* A newer one of the same kind takes over. */
	(void)stand(&t, 2, RETIRE_NONE);
	play(&t, 3, ORDER_DECLARE, GUN("fr-3", "ru-a2"));
	opens(&t, RETIRE_NONE);
	event_is(&t, 2, "units", "[]");
	fight_on(&t, &seed);
	assert_true(t.n_standing >= 2);
	play(&t, 1, ORDER_RESIGN, "{}");
	play(&t, 3, ORDER_CLOSE, "{}");
	play(&t, 4, ORDER_CLOSE, "{}");
	assert_int_equal(t.n_standing, 0);
	table_verify(&t);
	table_clear(&t);
}

static void
one_that_is_withdrawn_does_not_act_and_is_opened_at_the_end(void **state)
{
	uint64_t seed = 2;
	struct table t;
	char args[64];
	int64_t seq;

	(void)state;
	table_begun(&t);
	seq = stand(&t, 2, RETIRE_NONE);
	(void)stand(&t, 1, RETIRE_ALL);
	(void)snprintf(args, sizeof(args), "{'to':%lld,'say':'withdraw'}",
	    (long long)seq + 2);
	table_no(&t, 2, ORDER_NOTE, args, ERR_STALE, "order.args.to");
	(void)snprintf(
	    args, sizeof(args), "{'to':%lld,'say':'withdraw'}", (long long)seq);
	table_no(&t, 1, ORDER_NOTE, args, ERR_ILLEGAL, "order.seat");
	play(&t, 2, ORDER_NOTE, args);
	table_no(&t, 2, ORDER_NOTE, args, ERR_STALE, "order.args.to");
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	opens(&t, "");
	assert_true(table_is_asked(&t));
	fight_on(&t, &seed);
	close_opens(&t, RETIRE_NONE " " RETIRE_ALL);
	table_clear(&t);
}

static void
one_that_acted_can_be_withdrawn(void **state)
{
	uint64_t seed = 2;
	struct table t;

	(void)state;
	table_begun(&t);
	assert_int_equal(stand(&t, 2, RETIRE_NONE), 4);
	play(&t, 1, ORDER_DECLARE, GUN("fr-2", "ru-a1"));
	fight_on(&t, &seed);
	play(&t, 2, ORDER_NOTE, "{'to':4,'say':'withdraw'}");
	play(&t, 1, ORDER_DECLARE, GUN("fr-3", "ru-a2"));
	opens(&t, "");
	assert_true(table_is_asked(&t));
	fight_on(&t, &seed);
	close_opens(&t, "");
	table_clear(&t);
}

static void
it_does_not_answer_what_was_asked_before_it(void **state)
{
	uint64_t seed = 2;
	struct table t;

	(void)state;
	table_begun(&t);
	play(&t, 1, ORDER_DECLARE, GUN("fr-2", "ru-a1"));
	(void)stand(&t, 2, RETIRE_ALL);
	assert_true(table_is_asked(&t));
	table_answer(&t);
	opens(&t, "");
	fight_on(&t, &seed);
	/* It was not passed over: it acts on the next one. */
	play(&t, 1, ORDER_DECLARE, GUN("fr-3", "ru-a2"));
	opens(&t, RETIRE_ALL);
	fight_on(&t, &seed);
	close_opens(&t, "");
	table_clear(&t);
}

static void
orders_are_given_before_the_game_starts(void **state)
{
	uint64_t seed = 2;
	struct table t;

	(void)state;
	table_seated(&t);
	assert_int_equal(table_stand(&t, 2, RETIRE_ALL), 0);
	table_play(&t, 2, ORDER_READY, "{}");
	table_play(&t, 1, ORDER_READY, "{}");
	table_reload(&t);
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	opens(&t, RETIRE_ALL);
	fight_on(&t, &seed);
	close_opens(&t, "");
	table_clear(&t);
}

static void
what_is_wrong_in_one_is_refused(void **state)
{
	static const struct {
		const char *text, *why;
	} texts[] = {
	    {"", "text"},
	    {"retire", "text"},
	    {"[]", "text"},
	    {"{\"kind\":\"retire\"}", "text"},
	    {"{\"kind\":\"retire\",\"do\":1}", "text"},
	    {"{\"kind\":\"retire\",\"do\":\"none\",\"for\":1}", "text"},
	    {"{\"kind\":\"tactic\",\"do\":\"feint\"}",
		"retire, reroll, stagger"},
	    {"{\"kind\":\"retire\",\"do\":\"random\"}", "none, all"},
	};
	struct table t;
	json_t *args;
	uint8_t salt[RECORD_SALT_LEN] = {0}, h[HASH_LEN];
	size_t i;

	(void)state;
	table_begun_with(&t, table_roster, "{'options':{'director':true}}");
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		no_stand(&t, 2, texts[i].text, ERR_MISSING, texts[i].why);
		assert_int_equal(
		    game_check_standing(t.game, texts[i].text, &t.e),
		    ERR_INVALID);
	}
	assert_int_equal(game_check_standing(t.game, RETIRE_ALL, NULL), 0);
	no_stand(&t, 0, RETIRE_ALL, ERR_ILLEGAL, "director");
	/* Nothing beside it, or something else. */
	args = json_pack("{s:s}", "commit",
	    "00000000000000000000000000000000000000000000000000000000000000"
	    "00");
	assert_int_equal(
	    table_make(&t, 2, ORDER_STANDING, json_incref(args)), 0);
	table_refuses(&t, 2, ERR_MISSING, "beside");
	t.open = table_json("{'salt':'00','text':'x'}");
	table_refuses(&t, 2, ERR_MISSING, "salt");
	json_decref((json_t *)(uintptr_t)t.open);
	t.open = json_pack("{s:o, s:s}", "salt", js_hex(salt, sizeof(salt)),
	    "text", RETIRE_ALL);
	table_refuses(&t, 2, ERR_MISSING, "committed");
	json_object_set_new(args, "commit", json_string("00"));
	assert_int_equal(
	    table_make(&t, 2, ORDER_STANDING, json_incref(args)), 0);
	table_refuses(&t, 2, ERR_ILLEGAL, "order.args.commit");
	json_object_set_new(args, "now", json_true());
	assert_int_equal(table_make(&t, 2, ORDER_STANDING, args), 0);
	table_refuses(&t, 2, ERR_NEWER, "now");
	/* The same commitment twice: the second would have another `ask`. */
	assert_int_equal(record_secret(h, game_id(t.game), 2, game_seq(t.game),
			     salt, RETIRE_ALL, strlen(RETIRE_ALL)),
	    0);
	assert_int_equal(table_try(&t, 2, ORDER_STANDING,
			     json_pack("{s:o}", "commit", js_hex(h, HASH_LEN))),
	    0);
	assert_int_equal(table_make(&t, 2, ORDER_STANDING,
			     json_pack("{s:o}", "commit", js_hex(h, HASH_LEN))),
	    0);
	t.game->standings[0].ask++;
	assert_int_equal(table_take(&t, 2), ERR_MISSING);
	t.game->standings[0].ask--;
	json_decref((json_t *)(uintptr_t)t.open);
	t.open = NULL;
	/* Thirty-two, and one more. */
	for (i = 1; i < GAME_STANDING_MAX; i++)
		assert_int_equal(table_stand(&t, 2, RETIRE_ALL), 0);
	no_stand(&t, 2, RETIRE_ALL, ERR_ILLEGAL, "withdraw one first");
	play(&t, 2, ORDER_NOTE, "{'to':6,'say':'withdraw'}");
	(void)stand(&t, 2, RETIRE_ALL);
	play(&t, 1, ORDER_RESIGN, "{}");
	no_stand(&t, 2, RETIRE_ALL, ERR_ILLEGAL, "over");
	play(&t, 1, ORDER_CLOSE, "{}");
	play(&t, 2, ORDER_CLOSE, "{}");
	assert_int_equal(t.n_standing, 0);
	table_verify(&t);
	table_clear(&t);
}

static void
nothing_of_a_text_shows_before_it_acts(void **state)
{
	struct game_standing_text bad;
	struct table t;
	json_t *view;
	char *text;
	struct buf b;

	(void)state;
	table_begun(&t);
	(void)stand(&t, 2, RETIRE_ALL);
	buf_init(&b, 0);
	table_save(&t, &b);
	assert_null(strstr(buf_str(&b), "retire"));
	buf_clear(&b);
	assert_null(strstr(buf_str(&t.record), "retire"));
	view = game_view(t.game);
	text = json_dumps(view, 0);
	assert_null(strstr(text, "retire"));
	free(text);
	json_decref(view);
	/* What is kept beside the record must be what was committed. */
	bad = t.standing[0];
	bad.salt[31] ^= 1;
	assert_int_equal(game_hold_standing(t.game, &bad), ERR_MISSING);
	bad = t.standing[0];
	bad.seq++;
	assert_int_equal(game_hold_standing(t.game, &bad), ERR_NOTFOUND);
	bad = t.standing[0];
	bad.seat = 1;
	assert_int_equal(game_hold_standing(t.game, &bad), ERR_NOTFOUND);
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	bad.seat = 2;
	assert_int_equal(game_hold_standing(t.game, &bad), ERR_NOTFOUND);
	table_clear(&t);
}

static const char cards_roster[] =
    "{'blob':'roster','system':'imagi-nations','sides':{'1':{'units':["
    "{'id':'a','arm':'infantry','lead':'a-1','battalions':[{'id':'a-1',"
    "'quality':'veteran','sp':6},{'id':'a-2','quality':'trained','sp':6}]}]},"
    "'2':{'units':[{'id':'b','arm':'infantry','lead':'b-1','battalions':["
    "{'id':'b-1','quality':'raw','sp':6},{'id':'b-2','quality':'elite',"
    "'sp':6}],'fatigue':1}]}}}";

#define CARDS_DECLARE                                                        \
	"{'combat':{'attacker':{'units':[{'id':'a'}]},'defender':{'units':[" \
	"{'id':'b'}],'objective':true},'terrain':'village'}}"
#define CARDS(scheme)                                       \
	"{'system':'imagi-nations','rules':'imagi-nations/" \
	"1','scheme':'" scheme "'}"
#define CHITS "{\"kind\":\"chits\",\"do\":\"most\"}"
#define ALLOCATE "{\"kind\":\"allocate\",\"do\":\"%s\"}"
#define ADVANCE "{\"kind\":\"advance\",\"do\":\"all\"}"

/* Commits a card. */
static void
commit(struct table *t, int seat, const char *tactic)
{
	uint8_t salt[RECORD_SALT_LEN] = {(uint8_t)seat}, h[HASH_LEN];
	int64_t ask = t->game->combat.ask_seq;
	char text[80];
	json_t *open;

	(void)snprintf(text, sizeof(text),
	    "{\"kind\":\"tactic\",\"tactic\":\"%s\"}", tactic);
	assert_int_equal(record_secret(h, game_id(t->game), seat, ask, salt,
			     text, strlen(text)),
	    0);
	open = json_pack(
	    "{s:o, s:s}", "salt", js_hex(salt, sizeof(salt)), "text", text);
	t->open = open;
	if (table_try(t, seat, ORDER_COMMIT,
		json_pack("{s:I, s:o}", "ask", (json_int_t)ask, "commit",
		    js_hex(h, HASH_LEN))) != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
	t->open = NULL;
	json_decref(open);
	table_reload(t);
}

/* The word that allocates hits in the usual way. */
static const char *
allocate(void)
{
	static char text[80];
	const struct rules_policy *p;

	p = rules_policy_find(systems_find("imagi-nations"), "allocate");
	(void)snprintf(text, sizeof(text), ALLOCATE, p->words[0]);
	return (text);
}

/* After cards, in one line: chits, dice, hits, advance; one beta. */
static void
orders_of_both_sides_take_a_combat_to_its_end(void **state)
{
	const char *schemes[] = {CARDS("dual-1"), CARDS("live-1")};
	struct table t;
	json_t *line, *events;
	int i, seat;
	size_t n;

	(void)state;
	for (i = 0; i < 2; i++) {
		table_begun_with(&t, cards_roster, schemes[i]);
		for (seat = 1; seat <= 2; seat++) {
			(void)stand(&t, seat, allocate());
			(void)stand(&t, seat, ADVANCE);
			(void)stand(&t, seat, CHITS);
		}
		play(&t, 1, ORDER_DECLARE, CARDS_DECLARE);
		if (i == 1)
			agree(&t);
		commit(&t, 2, "defend");
		commit(&t, 1, "hasty-attack");
		line = table_line(&t, t.n_lines - 1);
		assert_true(
		    json_array_size(json_object_get(line, "opened")) >= 2);
		json_decref(line);
		if (i == 1) {
			assert_true(line_has(&t, "owes"));
			agree(&t);
		}
		assert_false(t.game->combat.is_open);
		line = table_line(&t, t.n_lines - 1);
		events = json_object_get(line, "events");
		n = json_array_size(events);
		assert_string_equal(json_string_value(json_object_get(
					json_array_get(events, n - 1), "e")),
		    "result");
		json_decref(line);
		table_verify(&t);
		play(&t, 1, ORDER_TURN_END, "{}");
		play(&t, 2, ORDER_RESIGN, "{}");
		play(&t, 2, ORDER_CLOSE, "{}");
		play(&t, 1, ORDER_CLOSE, "{}");
		assert_int_equal(t.n_standing, 0);
		table_verify(&t);
		table_clear(&t);
	}
}

/* In live-1 a declaration waits, and then the roll that it leads to. */
static void
in_live_1_it_acts_in_the_answers_line(void **state)
{
	uint64_t seed = 2;
	struct table t;
	char args[64];

	(void)state;
	table_begun_with(&t, table_roster, LIVE);
	(void)stand(&t, 2, RETIRE_ALL);
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	opens(&t, "");
	assert_true(line_has(&t, "owes"));
	assert_int_equal(game_answer_rolls(t.game), 0);
	agree(&t);
	opens(&t, RETIRE_ALL);
	assert_true(line_has(&t, "owes"));
	event_is(&t, 0, "e", "ask");
	event_is(&t, 1, "e", "decision");
	assert_int_equal(t.game->owed.seat, 2);
	(void)snprintf(args, sizeof(args), "{'to':%lld,'say':'object'}",
	    (long long)t.game->owed.seq);
	table_no(&t, 2, ORDER_ANSWER, args, ERR_ILLEGAL, "nothing is left");
	assert_int_equal(game_answer_rolls(t.game), 1);
	agree(&t);
	opens(&t, "");
	assert_true(line_has(&t, "dice"));
	fight_on(&t, &seed);
	close_opens(&t, "");
	table_clear(&t);
}

/* What came between declaration and answer counts. */
static void
one_that_comes_while_an_answer_is_owed_acts(void **state)
{
	static const char *const settings[] = {LIVE, "{'confirm':true}"};
	uint64_t seed = 2;
	struct table t;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		table_begun_with(&t, table_roster, settings[i]);
		play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
		assert_int_equal(game_answer_rolls(t.game), 0);
		(void)stand(&t, 2, RETIRE_NONE);
		agree(&t);
		opens(&t, RETIRE_NONE);
		assert_int_equal(line_has(&t, "owes"), i == 0);
		if (i == 0)
			agree(&t);
		assert_true(line_has(&t, "dice"));
		fight_on(&t, &seed);
		close_opens(&t, "");
		table_clear(&t);
	}
}

static const char shift_roster[] =
    "{'blob':'roster','system':'tlnb','sides':{'1':{'units':[{'id':'a',"
    "'arm':'infantry','sp':4,'initiative':3,'reduced_sp':2}]},'2':{'units':["
    "{'id':'d','arm':'infantry','sp':4,'initiative':3,'reduced_sp':2}]}}}";

#define SHIFT_DECLARE                                                       \
	"{'combat':{'kind':'attack','attackers':[{'id':'a'}],'defenders':[" \
	"{'id':'d'}],'napoleon':'attacker','guard':['defender']}}"
#define GUARD "{\"kind\":\"guard-shift\",\"do\":\"decline\"}"

/* Side 1 decides, the order of side 2 follows, and the roll waits. */
static void
what_an_objection_made_void_stays_open(void **state)
{
	uint64_t seed = 2;
	struct table t;
	char args[64];
	int64_t ask;
	int i;

	(void)state;
	table_begun_with(&t, shift_roster,
	    "{'system':'tlnb','rules':'tlnb/1','scheme':'live-1'}");
	(void)stand(&t, 2, GUARD);
	play(&t, 1, ORDER_DECLARE, SHIFT_DECLARE);
	opens(&t, "");
	agree(&t);
	event_is(&t, 3, "kind", "napoleon-shift");
	ask = t.game->combat.ask_seq;
	for (i = 0; i < 2; i++) {
		decide(&t, &seed);
		opens(&t, i == 0 ? GUARD : "");
		assert_true(line_has(&t, "owes"));
		asked_and_answered(&t, "guard-shift");
		if (i == 1)
			break;
		(void)snprintf(args, sizeof(args), "{'to':%lld,'say':'object'}",
		    (long long)t.game->owed.seq);
		play(&t, 2, ORDER_ANSWER, args);
		assert_int_equal(t.game->combat.ask_seq, ask);
		assert_int_equal(t.game->combat.ask_side, 1);
		assert_int_equal(json_array_size(t.game->combat.decisions), 0);
	}
	agree(&t);
	assert_true(line_has(&t, "dice"));
	fight_on(&t, &seed);
	close_opens(&t, "");
	table_clear(&t);
}

/* A daemon that has lost a text writes no line that might pass it over. */
static void
no_question_is_left_open_while_a_text_is_lost(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	(void)stand(&t, 2, RETIRE_NONE);
	t.game->standings[0].is_held = false;
	assert_int_equal(
	    table_make(&t, 1, ORDER_DECLARE, table_json(TABLE_GUNS)), 0);
	assert_int_equal(table_take(&t, 1), ERR_STORAGE);
	assert_non_null(strstr(t.e.text, "not at hand"));
	table_clear(&t);
	/* Nor the close that opens all. */
	table_begun(&t);
	(void)stand(&t, 2, RETIRE_NONE);
	play(&t, 1, ORDER_RESIGN, "{}");
	play(&t, 1, ORDER_CLOSE, "{}");
	t.game->standings[0].is_held = false;
	assert_int_equal(table_make(&t, 2, ORDER_CLOSE, table_json("{}")), 0);
	assert_int_equal(table_take(&t, 2), ERR_STORAGE);
	table_clear(&t);
}

/*
 * A daemon that leaves a question open although an order stands: what it
 * then opens is bad, at its next act or at the close.
 */
static void
one_that_was_passed_over_is_found(void **state)
{
	uint64_t seed = 2;
	struct table t;
	size_t n;
	int at_close;

	(void)state;
	for (at_close = 0; at_close < 2; at_close++) {
		table_begun(&t);
		(void)stand(&t, 2, STAGGER);
		(void)stand(&t, 2, RETIRE_NONE);
		t.game->standings[1].is_withdrawn = true;
		table_play(&t, 1, ORDER_DECLARE, GUN("fr-2", "ru-a1"));
		opens(&t, "");
		table_answer(&t);
		seed = 2;
		while (t.game->combat.is_open)
			decide_only(&t, &seed);
		table_verify(&t);
		t.game->standings[1].is_withdrawn = false;
		n = t.n_lines;
		if (at_close) {
			table_play(&t, 1, ORDER_RESIGN, "{}");
			table_play(&t, 1, ORDER_CLOSE, "{}");
			table_play(&t, 2, ORDER_CLOSE, "{}");
			n += 2;
		} else {
			table_play(&t, 1, ORDER_DECLARE, GUN("fr-3", "ru-a2"));
			opens(&t, RETIRE_NONE);
		}
		table_is_bad(&t, n, "passed over");
		table_clear(&t);
	}
}

/* A daemon that lets an older one act while it has a newer one. */
static void
a_newer_one_that_an_older_one_was_preferred_to_is_found(void **state)
{
	uint64_t seed = 2;
	struct table t;

	(void)state;
	table_begun(&t);
	(void)stand(&t, 2, RETIRE_NONE);
	(void)stand(&t, 2, RETIRE_ALL);
	t.game->standings[1].is_withdrawn = true;
	table_play(&t, 1, ORDER_DECLARE, GUN("fr-2", "ru-a1"));
	opens(&t, RETIRE_NONE);
	table_verify(&t);
	t.game->standings[1].is_withdrawn = false;
	while (t.game->combat.is_open)
		decide(&t, &seed);
	table_play(&t, 1, ORDER_DECLARE, GUN("fr-3", "ru-a2"));
	opens(&t, RETIRE_ALL);
	table_is_bad(&t, t.n_lines - 1, "passed over");
	table_clear(&t);
}

/* What a line opens is held against what acts in it. */
static void
openings_that_are_wrong_are_bad(void **state)
{
	struct game_standing *s;
	struct table t;
	int i;

	(void)state;
	for (i = 0; i < 5; i++) {
		table_begun(&t);
		(void)stand(&t, 2, RETIRE_NONE);
		(void)stand(&t, 2, STAGGER);
		s = t.game->standings;
		switch (i) {
		case 0: /* another text than was committed */
			memcpy(s->text, RETIRE_ALL, sizeof(RETIRE_ALL));
			break;
		case 1: /* another salt */
			s->salt[0] ^= 1;
			break;
		case 2: /* another seat of the same side */
			s->seat = 4;
			break;
		case 3: /* it acts, and stays closed */
			s->is_open = true;
			break;
		default: /* it acts, and was withdrawn */
			table_play(
			    &t, 2, ORDER_NOTE, "{'to':4,'say':'withdraw'}");
			s->is_withdrawn = false;
			break;
		}
		table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
		table_is_bad(&t, t.n_lines - 1, "");
		table_clear(&t);
	}
}

/* Takes the order in t->text as a verifier does, who knows no text. */
static void
take_unseen(struct table *t, int seat)
{
	const struct record_line none = {.seq = game_seq(t->game) + 1};
	const struct game_dice dice = {table_prove_cb, t};
	const uint8_t *key = t->keys[seat].sign.public_key;
	struct order o;

	game_effects_clear(&t->fx);
	assert_int_equal(order_parse(t->text.data, t->text.len, &o, &t->e), 0);
	o.at_ms = t->at_ms;
	assert_int_equal(
	    game_take(t->game, &o, key, &dice, &none, &t->fx, &t->e), 0);
	table_write(t, &o, key);
	order_clear(&o);
}

/* In a record a text that is no standing order never acts. */
static void
a_text_that_is_none_never_acts_and_is_opened(void **state)
{
	static const char *const texts[] = {"hello",
	    "{\"kind\":\"retire\",\"do\":\"sometimes\"}",
	    "{\"kind\":\"tactic\",\"do\":\"feint\"}"};
	uint8_t salt[RECORD_SALT_LEN] = {7}, h[HASH_LEN];
	struct game_standing *s;
	uint64_t seed = 2;
	struct table t;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		table_begun(&t);
		assert_int_equal(
		    record_secret(h, game_id(t.game), 2, game_seq(t.game), salt,
			texts[i], strlen(texts[i])),
		    0);
		assert_int_equal(
		    table_make(&t, 2, ORDER_STANDING,
			json_pack("{s:o}", "commit", js_hex(h, HASH_LEN))),
		    0);
		take_unseen(&t, 2);
		s = &t.game->standings[0];
		memcpy(s->salt, salt, sizeof(salt));
		memcpy(s->text, texts[i], strlen(texts[i]) + 1);
		s->is_held = true;
		table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
		opens(&t, "");
		assert_true(table_is_asked(&t));
		while (t.game->combat.is_open)
			decide_only(&t, &seed);
		table_play(&t, 1, ORDER_RESIGN, "{}");
		table_play(&t, 1, ORDER_CLOSE, "{}");
		t.standing[t.n_standing++].seq = 4;
		table_play(&t, 2, ORDER_CLOSE, "{}");
		opens(&t, texts[i]);
		table_verify(&t);
		table_clear(&t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(it_acts_first_thing_and_is_opened_once),
	    cmocka_unit_test(it_acts_again_without_being_opened),
	    cmocka_unit_test(the_newest_of_a_side_wins),
	    cmocka_unit_test(
		one_that_is_withdrawn_does_not_act_and_is_opened_at_the_end),
	    cmocka_unit_test(one_that_acted_can_be_withdrawn),
	    cmocka_unit_test(it_does_not_answer_what_was_asked_before_it),
	    cmocka_unit_test(orders_are_given_before_the_game_starts),
	    cmocka_unit_test(what_is_wrong_in_one_is_refused),
	    cmocka_unit_test(nothing_of_a_text_shows_before_it_acts),
	    cmocka_unit_test(orders_of_both_sides_take_a_combat_to_its_end),
	    cmocka_unit_test(in_live_1_it_acts_in_the_answers_line),
	    cmocka_unit_test(one_that_comes_while_an_answer_is_owed_acts),
	    cmocka_unit_test(what_an_objection_made_void_stays_open),
	    cmocka_unit_test(no_question_is_left_open_while_a_text_is_lost),
	    cmocka_unit_test(one_that_was_passed_over_is_found),
	    cmocka_unit_test(
		a_newer_one_that_an_older_one_was_preferred_to_is_found),
	    cmocka_unit_test(openings_that_are_wrong_are_bad),
	    cmocka_unit_test(a_text_that_is_none_never_acts_and_is_opened),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
