/* SPDX-License-Identifier: ISC */
/*
 * Takebacks (umpire-record.7, S5): what may be taken back and what not any
 * more, and that the rosters are then what they were, byte by byte, while
 * pool, places and the dice that fell stay as the record has them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_undo.h"
#include "tests/lib/agree.h"
#include "tests/lib/alloc.h"
#include "tests/lib/chance.h"

/* fr-2 on ru-2, so that other units have something to lose. */
#define OTHER_FIGHT                                                    \
	"{'combat':{'attackers':[{'id':'fr-2','formation':'column'}]," \
	"'defenders':[{'id':'ru-2','formation':'line'}],"              \
	"'contacts':[{'attacker':'fr-2','defender':'ru-2','edge':'front'}]}}"

static const char imagi_roster[] =
    "{'blob':'roster','system':'imagi-nations',"
    "'sides':{'1':{'units':[{'id':'a','arm':'infantry','lead':'a-1',"
    "'battalions':[{'id':'a-1','quality':'veteran','sp':6,'hits':2},"
    "{'id':'a-2','quality':'trained','sp':6}],"
    "'fatigue':3,'disordered':true}]},"
    "'2':{'units':[{'id':'b','arm':'cavalry','lead':'b-1',"
    "'battalions':[{'id':'b-1','quality':'raw','sp':6},"
    "{'id':'b-2','quality':'elite','sp':6}],'fatigue':1}]}}}";

#define IMAGI                                                  \
	"{'system':'imagi-nations','rules':'imagi-nations/1'," \
	"'rulings':{'rally_target':'automatic'},"              \
	"'secret':'sealed'}"

#define IMAGI_FIGHT                                     \
	"{'combat':{'attacker':{'units':[{'id':'a'}]}," \
	"'defender':{'units':[{'id':'b'}],"             \
	"'objective':true,'can_evade':true},'terrain':'village'}}"

static const char invasion_roster[] =
    "{'blob':'roster','system':'invasion-1812',"
    "'sides':{'1':{'units':[{'id':'u1','type':'infantry'}],"
    "'commanders':[{'id':'c1','cr':3}]},"
    "'2':{'units':[{'id':'v1','type':'cavalry'}]}}}";

#define INVASION "{'system':'invasion-1812','rules':'invasion-1812/1'}"

/* Begins a fight and answers what is asked; gives the declare's line. */
static int64_t
fight(struct table *t, int seat, const char *declare)
{
	int64_t seq = agree_play(t, seat, ORDER_DECLARE, "%s", declare);

	table_settle(t);
	table_reload(t);
	assert_false(t->game->combat.is_open);
	return (seq);
}

/* An offer by a seat to take back from a line on. */
static int64_t
offer(struct table *t, int seat, int64_t from)
{
	return (agree_play(t, seat, ORDER_OFFER,
	    "{'what':'takeback','from':%lld}", (long long)from));
}

/* The same, refused as out of reach. */
static void
offer_no(struct table *t, int seat, int64_t from)
{
	agree_no(t, seat, ORDER_OFFER, ERR_ILLEGAL, "cannot be taken back",
	    "{'what':'takeback','from':%lld}", (long long)from);
}

/*
 * Side 3 - seat takes back what seat offers.  The pool must move, as the
 * line says, and be the only thing that an earlier proof is bound to.
 */
static int64_t
take_back(struct table *t, int seat, int64_t from)
{
	const int epoch = t->game->epoch, ended = t->game->turns_ended;
	uint8_t pool[HASH_LEN];
	char place[ORDER_PLACE_MAX + 1], args[64];
	int64_t to = offer(t, seat, from);

	memcpy(pool, t->game->pool, HASH_LEN);
	game_place_pool(t->game, place);
	(void)snprintf(args, sizeof(args), "{'to':%lld}", (long long)to);
	table_play(t, 3 - seat, ORDER_ACCEPT, args);
	assert_true(t->fx.has_pool);
	assert_memory_equal(t->fx.pool, t->game->pool, HASH_LEN);
	assert_memory_equal(t->fx.place_pool, pool, HASH_LEN);
	assert_memory_not_equal(t->game->pool, pool, HASH_LEN);
	assert_string_equal(t->fx.place, place);
	assert_null(t->fx.dice);
	assert_int_equal(json_array_size(t->fx.events), 0);
	assert_int_equal(t->game->epoch, epoch + 1);
	assert_int_equal(t->game->turns_ended, ended);
	assert_int_equal(t->game->state_seq, game_seq(t->game));
	assert_int_equal(t->game->n_offers, 0);
	table_reload(t);
	/* It is gone, and cannot be taken back again. */
	offer_no(t, seat, from);
	agree_accept_no(t, 3 - seat, to, ERR_STALE, "open offer");
	return (game_seq(t->game));
}

/* The rosters must be what they were. */
static void
same(const struct table *t, struct buf *before)
{
	struct buf b;

	buf_init(&b, 0);
	assert_string_equal(agree_roster(t, &b), buf_str(before));
	buf_clear(&b);
}

/* The rosters must not be what they were, so that there is something. */
static void
differs(const struct table *t, struct buf *before)
{
	struct buf b;

	buf_init(&b, 0);
	assert_string_not_equal(agree_roster(t, &b), buf_str(before));
	buf_clear(&b);
}

static void
a_finished_combat_is_taken_back_and_its_dice_stay(void **state)
{
	json_t *first, *second;
	struct table t;
	struct buf b;
	int64_t from;

	(void)state;
	buf_init(&b, 0);
	agree_begun(&t, table_roster, "{}");
	agree_roster(&t, &b);
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	from = game_seq(t.game);
	first = json_incref(t.fx.dice);
	assert_string_equal(t.fx.place, "c/1/ru-1/1/1");
	table_settle(&t);
	differs(&t, &b);
	(void)take_back(&t, 1, from);
	same(&t, &b);
	assert_int_equal(game_turn(t.game), 1);
	/* The place has drawn; the next of this unit has another, new dice. */
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	second = json_incref(t.fx.dice);
	assert_string_equal(t.fx.place, "c/1/ru-1/2/1");
	assert_false(json_equal(
	    json_object_get(first, "rolls"), json_object_get(second, "rolls")));
	table_settle(&t);
	json_decref(first);
	json_decref(second);
	buf_clear(&b);
	agree_done(&t);
}

static void
a_combat_that_waits_for_a_decision_is_dropped(void **state)
{
	uint8_t pool[HASH_LEN];
	struct table t;
	struct buf b;
	int64_t from;

	(void)state;
	buf_init(&b, 0);
	agree_begun(&t, table_roster, "{}");
	agree_roster(&t, &b);
	/* Nothing has been drawn: the place is unused, the pool is not. */
	from = agree_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_true(table_is_asked(&t));
	memcpy(pool, t.game->pool, HASH_LEN);
	(void)take_back(&t, 2, from);
	assert_false(t.game->combat.is_open);
	assert_false(table_is_asked(&t));
	same(&t, &b);
	/* With an answer given and dice drawn; a decide's line is none. */
	from = agree_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	table_answer(&t);
	table_reload(&t);
	offer_no(&t, 1, game_seq(t.game));
	offer_no(&t, 1, from - 1);
	(void)take_back(&t, 1, from);
	assert_false(t.game->combat.is_open);
	same(&t, &b);
	(void)fight(&t, 1, TABLE_FIGHT);
	buf_clear(&b);
	agree_done(&t);
}

static void
a_question_in_secret_is_dropped_with_its_commits(void **state)
{
	uint8_t commit[HASH_LEN] = {7};
	struct table t;
	struct buf b;
	int64_t from;

	(void)state;
	buf_init(&b, 0);
	agree_begun(&t, imagi_roster, IMAGI);
	agree_roster(&t, &b);
	from = agree_play(&t, 1, ORDER_DECLARE, IMAGI_FIGHT);
	assert_true(t.game->combat.is_secret);
	assert_int_equal(table_try(&t, 2, ORDER_COMMIT,
			     json_pack("{s:I, s:o}", "ask", (json_int_t)from,
				 "commit", js_hex(commit, HASH_LEN))),
	    0);
	table_reload(&t);
	(void)take_back(&t, 2, from);
	assert_false(t.game->combat.is_open);
	same(&t, &b);
	/* A commitment is used up all the same. */
	from = agree_play(&t, 1, ORDER_DECLARE, IMAGI_FIGHT);
	assert_int_equal(table_make(&t, 2, ORDER_COMMIT,
			     json_pack("{s:I, s:o}", "ask", (json_int_t)from,
				 "commit", js_hex(commit, HASH_LEN))),
	    0);
	table_refuses(&t, 2, ERR_ILLEGAL, "commit");
	buf_clear(&b);
	agree_done(&t);
}

static void
only_what_came_later_goes_back(void **state)
{
	struct buf first, second;
	int64_t one, two;
	struct table t;

	(void)state;
	buf_init(&first, 0);
	buf_init(&second, 0);
	agree_begun(&t, table_roster, "{}");
	agree_roster(&t, &first);
	one = fight(&t, 1, TABLE_FIGHT);
	agree_roster(&t, &second);
	two = fight(&t, 1, OTHER_FIGHT);
	differs(&t, &second);
	(void)take_back(&t, 1, two);
	same(&t, &second);
	two = fight(&t, 1, OTHER_FIGHT);
	/* Both at once; no line between may be named any more. */
	(void)take_back(&t, 2, one);
	same(&t, &first);
	offer_no(&t, 1, two);
	buf_clear(&first);
	buf_clear(&second);
	agree_done(&t);
}

static void
a_unit_that_changed_twice_becomes_what_it_was_at_first(void **state)
{
	struct buf first, second;
	int64_t one, two, to;
	struct table t;

	(void)state;
	buf_init(&first, 0);
	buf_init(&second, 0);
	agree_begun(&t, table_roster, "{}");
	agree_roster(&t, &first);
	one = fight(&t, 1, TABLE_FIGHT);
	agree_roster(&t, &second);
	/* What a takeback puts back is no change of the line before it. */
	to = agree_play(&t, 1, ORDER_PROPOSE,
	    "{'what':'adjust','units':[{'id':'fr-1','strength':9},"
	    "{'id':'ru-3','strength':9}]}");
	two = agree_accept(&t, 2, to);
	differs(&t, &second);
	(void)take_back(&t, 1, two);
	same(&t, &second);
	(void)take_back(&t, 1, one);
	same(&t, &first);
	buf_clear(&first);
	buf_clear(&second);
	agree_done(&t);
}

static void
an_adjustment_is_taken_back_by_its_accept(void **state)
{
	struct table t;
	struct buf b;
	int64_t to, from;

	(void)state;
	buf_init(&b, 0);
	agree_begun(&t, invasion_roster, INVASION);
	agree_roster(&t, &b);
	to = agree_play(&t, 1, ORDER_PROPOSE,
	    "{'what':'adjust','units':[{'id':'c1','out':'left','cr':1},"
	    "{'id':'v1','disrupted':true}]}");
	offer_no(&t, 1, to);
	from = agree_accept(&t, 2, to);
	differs(&t, &b);
	(void)take_back(&t, 2, from);
	same(&t, &b);
	assert_null(agree_unit(&t, "c1", "out"));
	/* Out before, back in by the line that is undone. */
	to = agree_play(&t, 1, ORDER_PROPOSE,
	    "{'what':'adjust','units':[{'id':'c1','out':'left'}]}");
	agree_accept(&t, 2, to);
	agree_roster(&t, &b);
	to = agree_play(&t, 1, ORDER_PROPOSE,
	    "{'what':'adjust','units':[{'id':'c1','out':null}]}");
	from = agree_accept(&t, 2, to);
	(void)take_back(&t, 2, from);
	same(&t, &b);
	assert_non_null(agree_unit(&t, "c1", "out"));
	buf_clear(&b);
	agree_done(&t);
}

static void
an_upkeep_order_is_taken_back(void **state)
{
	struct table t;
	struct buf b;
	json_t *dice;
	int64_t from;

	(void)state;
	buf_init(&b, 0);
	agree_begun(&t, imagi_roster, IMAGI);
	agree_roster(&t, &b);
	table_play(&t, 1, ORDER_UPKEEP, "{'unit':'a','do':'rest'}");
	from = game_seq(t.game);
	assert_string_equal(t.fx.place, "u/1/a/1");
	dice = json_incref(t.fx.dice);
	differs(&t, &b);
	agree_play(&t, 1, ORDER_UPKEEP, "{'unit':'a','do':'recover'}");
	(void)take_back(&t, 1, from);
	same(&t, &b);
	table_play(&t, 1, ORDER_UPKEEP, "{'unit':'a','do':'rest'}");
	assert_string_equal(t.fx.place, "u/1/a/2");
	assert_false(json_equal(dice, t.fx.dice));
	json_decref(dice);
	buf_clear(&b);
	agree_done(&t);
}

static void
a_turn_that_ended_goes_on(void **state)
{
	struct table t;
	int64_t from;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	(void)fight(&t, 1, TABLE_FIGHT);
	from = agree_play(&t, 1, ORDER_TURN_END, "{}");
	assert_int_equal(game_side(t.game), 2);
	(void)take_back(&t, 1, from);
	assert_int_equal(game_side(t.game), 1);
	assert_int_equal(game_turn(t.game), 1);
	assert_int_equal(game_turns_ended(t.game), 1);
	/* Places count every end of a turn. */
	table_play(&t, 1, ORDER_DECLARE, OTHER_FIGHT);
	assert_string_equal(t.fx.place, "c/2/ru-2/1/1");
	table_settle(&t);
	agree_play(&t, 1, ORDER_TURN_END, "{}");
	assert_int_equal(game_turn(t.game), 2);
	assert_int_equal(game_turns_ended(t.game), 2);
	agree_done(&t);
}

static void
the_end_of_a_round_gives_back_what_it_cleared(void **state)
{
	struct table t;
	struct buf b;
	int64_t to, from;

	(void)state;
	buf_init(&b, 0);
	agree_begun(&t, invasion_roster, INVASION);
	to = agree_play(&t, 1, ORDER_PROPOSE,
	    "{'what':'adjust','units':[{'id':'u1','fought':2,"
	    "'force_marched':true}]}");
	agree_accept(&t, 2, to);
	agree_roster(&t, &b);
	agree_play(&t, 1, ORDER_TURN_END, "{}");
	same(&t, &b);
	from = agree_play(&t, 2, ORDER_TURN_END, "{}");
	differs(&t, &b);
	(void)take_back(&t, 2, from);
	same(&t, &b);
	assert_int_equal(game_side(t.game), 2);
	buf_clear(&b);
	agree_done(&t);
}

static void
two_turns_are_not_taken_back(void **state)
{
	int64_t one, end1, two, end2, three, to;
	struct table t;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	agree_begun(&t, table_roster, "{}");
	one = fight(&t, 1, TABLE_FIGHT);
	end1 = agree_play(&t, 1, ORDER_TURN_END, "{}");
	agree_roster(&t, &b);
	/* One end of a turn may stand behind the line; it waits for side 1. */
	to = offer(&t, 2, one);
	two = agree_play(&t, 2, ORDER_CHAT, TABLE_CHAT);
	offer_no(&t, 2, two);
	end2 = agree_play(&t, 2, ORDER_TURN_END, "{}");
	agree_accept_no(&t, 1, to, ERR_STALE, "any more");
	offer_no(&t, 1, one);
	offer_no(&t, 2, end1);
	three = fight(&t, 1, OTHER_FIGHT);
	/* Back over the end of side 2's turn; what was lost stays so. */
	(void)take_back(&t, 2, end2);
	same(&t, &b);
	assert_int_equal(game_side(t.game), 2);
	offer_no(&t, 2, three);
	offer_no(&t, 2, one);
	offer_no(&t, 2, end1);
	buf_clear(&b);
	agree_done(&t);
}

static void
a_truce_goes_back_too(void **state)
{
	struct table t;
	int64_t from, to;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	from = fight(&t, 1, TABLE_FIGHT);
	to = agree_play(&t, 2, ORDER_OFFER, "{'what':'truce','turns':5}");
	agree_accept(&t, 1, to);
	assert_int_equal(t.game->truce, 6);
	/* The accept of a truce is no line that a takeback names. */
	offer_no(&t, 1, game_seq(t.game));
	(void)take_back(&t, 1, from);
	assert_int_equal(t.game->truce, 0);
	(void)fight(&t, 1, TABLE_FIGHT);
	agree_done(&t);
}

/* The size of a cup's list. */
static size_t
cup_size(const struct table *t, const char *cup, bool is_in)
{
	const struct game_cup *c = game_cup_find(t->game, cup);

	assert_non_null(c);
	return (json_array_size(is_in ? c->in : c->out));
}

static void
chits_go_back_into_their_cup(void **state)
{
	struct table t;
	json_t *chits;
	int64_t from;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	agree_play(&t, 2, ORDER_CUP,
	    "{'do':'make','cup':'c','items':['a','b','c','d','e','f']}");
	from = agree_play(&t, 1, ORDER_FREE, "{'cup':'c','draw':2}");
	table_play(&t, 1, ORDER_FREE, "{'cup':'c','draw':2}");
	chits = json_incref(json_object_get(
	    json_array_get(json_object_get(t.fx.dice, "rolls"), 0), "chits"));
	assert_int_equal(json_array_size(chits), 2);
	table_reload(&t);
	/* One is returned by hand; it is not there twice then. */
	agree_play(&t, 1, ORDER_CUP, "{'do':'return','cup':'c','items':['%s']}",
	    json_string_value(json_array_get(chits, 0)));
	assert_int_equal(cup_size(&t, "c", false), 3);
	(void)take_back(&t, 2, from);
	assert_int_equal(cup_size(&t, "c", true), 6);
	assert_int_equal(cup_size(&t, "c", false), 0);
	/* A roll, and the numbers of free rolls go on. */
	table_play(&t, 1, ORDER_FREE, "{'dice':2,'sides':6}");
	assert_string_equal(t.fx.place, "f/1/3");
	(void)take_back(&t, 1, game_seq(t.game));
	json_decref(chits);
	agree_done(&t);
}

static void
an_objected_declare_is_no_line_to_take_back(void **state)
{
	struct table t;
	struct buf b;
	int64_t owing, from;

	(void)state;
	buf_init(&b, 0);
	agree_begun(&t, table_roster, "{'confirm':true}");
	agree_roster(&t, &b);
	owing = agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	agree_play(&t, 2, ORDER_ANSWER, "{'to':%lld,'say':'object'}",
	    (long long)owing);
	offer_no(&t, 1, owing);
	/* What the answer's line did goes back with the declare's. */
	from = agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	agree_play(
	    &t, 2, ORDER_ANSWER, "{'to':%lld,'say':'agree'}", (long long)from);
	table_settle(&t);
	table_reload(&t);
	differs(&t, &b);
	offer_no(&t, 1, from + 1);
	(void)take_back(&t, 1, from);
	same(&t, &b);
	buf_clear(&b);
	agree_done(&t);
}

static void
in_live_1_what_an_answer_rolled_goes_back(void **state)
{
	struct table t;
	struct buf b;
	int64_t from;

	(void)state;
	buf_init(&b, 0);
	agree_begun(&t, table_roster, "{'scheme':'live-1'}");
	agree_roster(&t, &b);
	from = agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	agree_play(
	    &t, 2, ORDER_ANSWER, "{'to':%lld,'say':'agree'}", (long long)from);
	if (t.game->combat.is_open)
		(void)take_back(&t, 2, from);
	else
		(void)take_back(&t, 1, from);
	same(&t, &b);
	buf_clear(&b);
	agree_done(&t);
}

static void
the_newest_256_lines_are_in_reach(void **state)
{
	struct table t;
	int64_t first;
	int i;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	table_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	first = game_seq(t.game);
	for (i = 1; i < 256; i++)
		table_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	assert_true(game_undo_reaches(t.game, first));
	table_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	table_reload(&t);
	assert_false(game_undo_reaches(t.game, first));
	offer_no(&t, 1, first);
	(void)take_back(&t, 1, first + 1);
	assert_int_equal(t.game->n_undos, 0);
	agree_done(&t);
}

static void
what_changes_in_several_lines_of_an_entry_goes_back_at_once(void **state)
{
	struct roster *r;
	struct table t;
	struct buf b;
	int64_t from;

	(void)state;
	buf_init(&b, 0);
	agree_begun(&t, table_roster, "{}");
	agree_roster(&t, &b);
	from = agree_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	r = t.game->roster;
	assert_int_equal(roster_set(r, "fr-3", "strength", json_integer(3)), 0);
	assert_int_equal(game_undo_note(t.game), 0);
	assert_int_equal(roster_set(r, "fr-3", "strength", json_integer(2)), 0);
	assert_int_equal(roster_set_out(r, "ru-3", "broken"), 0);
	assert_int_equal(game_undo_note(t.game), 0);
	/* What is set to what it was has not changed. */
	assert_int_equal(roster_set(r, "ru-1", "strength", json_integer(5)), 0);
	assert_int_equal(game_undo_note(t.game), 0);
	assert_int_equal(json_object_size(t.game->undos[0].units), 2);
	assert_int_equal(game_undo_back(t.game, from), 0);
	same(&t, &b);
	buf_clear(&b);
	table_clear(&t);
}

static void
what_undoing_keeps_is_dropped_with_its_line(void **state)
{
	struct table t;
	int64_t from;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	assert_int_equal(t.game->n_undos, 0);
	from = fight(&t, 1, TABLE_FIGHT);
	assert_int_equal(t.game->n_undos, 1);
	game_undo_drop(t.game, from + 1);
	assert_int_equal(t.game->n_undos, 1);
	assert_int_equal(game_undo_begin(t.game), 0);
	assert_int_equal(game_undo_begin(t.game), 0);
	assert_int_equal(t.game->n_undos, 2);
	game_undo_drop(t.game, game_seq(t.game) + 1);
	assert_int_equal(t.game->n_undos, 1);
	game_undo_drop(t.game, from);
	assert_int_equal(t.game->n_undos, 0);
	game_undo_drop(t.game, from);
	table_clear(&t);
}

#define WALK_STEPS 220

/* A game that is played by chance, and what it was before each line. */
struct walk {
	struct table t;
	uint64_t seed;
	size_t n; /* lines that may be taken back */
	struct {
		int64_t seq;
		int turn;
		char *roster; /* owned */
		bool is_lost; /* was out of reach when another line came */
	} before[WALK_STEPS];
	int n_back;
};

/* A number below n. */
static int
walk_pick(struct walk *w, uint32_t n)
{
	return ((int)chance_pick_cb(&w->seed, n));
}

/* Gives the order args of a line that may be taken back; may be refused. */
static void
walk_try(struct walk *w, int seat, enum order_kind kind, const char *args)
{
	struct table *t = &w->t;
	struct buf b;
	int r, turn = game_turn(t->game);
	size_t i;

	buf_init(&b, 0);
	agree_roster(t, &b);
	r = table_try(t, seat, kind, table_json(args));
	if (r == 0) {
		for (i = 0; i < w->n; i++)
			w->before[i].is_lost |= w->before[i].turn < turn - 1;
		w->before[w->n].is_lost = false;
		w->before[w->n].seq = game_seq(t->game);
		w->before[w->n].turn = turn;
		w->before[w->n++].roster = strdup(buf_str(&b));
	} else {
		assert_int_equal(r, ERR_ILLEGAL);
	}
	buf_clear(&b);
}

/* One of side 1's fights one of side 2's. */
static void
walk_fight(struct walk *w)
{
	static const char form[] =
	    "{'combat':{'attackers':[{'id':'%s-%d','formation':'column'}],"
	    "'defenders':[{'id':'%s-%d','formation':'line'}],"
	    "'contacts':[{'attacker':'%s-%d','defender':'%s-%d',"
	    "'edge':'front'}]}}";
	const int side = game_side(w->t.game);
	const char *a = side == 1 ? "fr" : "ru", *d = side == 1 ? "ru" : "fr";
	int i = 1 + walk_pick(w, 3), j = 1 + walk_pick(w, 3);
	char args[512];

	(void)snprintf(args, sizeof(args), form, a, i, d, j, a, i, d, j);
	walk_try(w, side, ORDER_DECLARE, args);
	if (walk_pick(w, 3) > 0)
		table_settle(&w->t);
}

/* A unit gets another strength, leaves or comes back. */
static void
walk_adjust(struct walk *w)
{
	const char *side = walk_pick(w, 2) == 0 ? "fr" : "ru", *out;
	int i = 1 + walk_pick(w, 3), r;
	char args[256];

	switch (walk_pick(w, 3)) {
	case 0:
		out = ",'out':null";
		break;
	case 1:
		out = ",'out':'left'";
		break;
	default:
		out = "";
		break;
	}
	(void)snprintf(args, sizeof(args),
	    "{'what':'adjust','units':[{'id':'%s-%d','strength':%d%s}]}", side,
	    i, 1 + walk_pick(w, 6), out);
	r = table_try(&w->t, 1, ORDER_PROPOSE, table_json(args));
	if (r != 0) {
		assert_int_equal(r, ERR_ILLEGAL);
		return;
	}
	(void)snprintf(
	    args, sizeof(args), "{'to':%lld}", (long long)game_seq(w->t.game));
	walk_try(w, 2, ORDER_ACCEPT, args);
}

/* One of the lines in reach, or one that is not, is taken back. */
static void
walk_back(struct walk *w)
{
	struct table *t = &w->t;
	struct buf b;
	size_t i;

	if (w->n == 0)
		return;
	i = w->n - 1 - (size_t)walk_pick(w, w->n < 8 ? (uint32_t)w->n : 8);
	/* Two ends of turns behind it stand exactly if the turns say so. */
	assert_int_equal(game_undo_reaches(t->game, w->before[i].seq),
	    !w->before[i].is_lost &&
		w->before[i].turn >= game_turn(t->game) - 1);
	if (!game_undo_reaches(t->game, w->before[i].seq)) {
		offer_no(t, 1, w->before[i].seq);
		return;
	}
	(void)take_back(t, 1 + walk_pick(w, 2), w->before[i].seq);
	buf_init(&b, 0);
	assert_string_equal(agree_roster(t, &b), w->before[i].roster);
	assert_int_equal(game_turn(t->game), w->before[i].turn);
	assert_false(t->game->combat.is_open);
	buf_clear(&b);
	while (w->n > i)
		free(w->before[--w->n].roster);
	w->n_back++;
}

/* One step of a game. */
static void
walk_step(struct walk *w)
{
	const int side = game_side(w->t.game);

	switch (walk_pick(w, 10)) {
	case 0:
	case 1:
		walk_back(w);
		break;
	case 2:
		if (!w->t.game->combat.is_open)
			walk_try(w, side, ORDER_TURN_END, "{}");
		break;
	case 3:
		walk_try(w, side, ORDER_FREE, "{'dice':1,'sides':6}");
		break;
	case 4:
	case 5:
	case 6:
		walk_adjust(w);
		break;
	case 7:
		table_settle(&w->t);
		break;
	default:
		walk_fight(w);
		break;
	}
	table_reload(&w->t);
}

static void
games_by_chance_go_back_to_what_they_were(void **state)
{
	const uint64_t seeds = getenv("UMPIRE_SLOW") != NULL ? 1 : 4;
	struct walk w;
	uint64_t seed;
	int i, n_back = 0;

	(void)state;
	for (seed = 1; seed <= seeds; seed++) {
		memset(&w, 0, sizeof(w));
		w.seed = seed;
		agree_begun(&w.t, table_roster, "{}");
		for (i = 0; i < WALK_STEPS && w.t.n_lines < 400; i++)
			walk_step(&w);
		n_back += w.n_back;
		while (w.n > 0)
			free(w.before[--w.n].roster);
		agree_done(&w.t);
	}
	assert_true(n_back > 15 * (int)seeds);
}

static void
without_memory_no_undoing_is_half_believed(void **state)
{
	struct table t;
	struct game *g;
	int64_t from;
	long nth;
	int r;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	agree_play(
	    &t, 2, ORDER_CUP, "{'do':'make','cup':'c','items':['a','b']}");
	from = agree_play(&t, 1, ORDER_FREE, "{'cup':'c','draw':1}");
	(void)fight(&t, 1, TABLE_FIGHT);
	(void)offer(&t, 1, from);
	for (nth = 0;; nth++) {
		g = table_copy(&t);
		alloc_start(nth);
		r = game_undo_back(g, from);
		game_free(g);
		if (!alloc_stop())
			break;
		assert_int_equal(r, ERR_NOMEM);
	}
	assert_int_equal(r, 0);
	assert_true(nth > 0);
	for (nth = 0;; nth++) {
		g = table_copy(&t);
		assert_int_equal(
		    roster_set(g->roster, "fr-3", "strength", json_integer(1)),
		    0);
		alloc_start(nth);
		if ((r = game_undo_begin(g)) == 0)
			r = game_undo_note(g);
		game_free(g);
		if (!alloc_stop())
			break;
		assert_int_equal(r, ERR_NOMEM);
	}
	assert_int_equal(r, 0);
	agree_done(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_finished_combat_is_taken_back_and_its_dice_stay),
	    cmocka_unit_test(a_combat_that_waits_for_a_decision_is_dropped),
	    cmocka_unit_test(a_question_in_secret_is_dropped_with_its_commits),
	    cmocka_unit_test(only_what_came_later_goes_back),
	    cmocka_unit_test(
		a_unit_that_changed_twice_becomes_what_it_was_at_first),
	    cmocka_unit_test(an_adjustment_is_taken_back_by_its_accept),
	    cmocka_unit_test(an_upkeep_order_is_taken_back),
	    cmocka_unit_test(a_turn_that_ended_goes_on),
	    cmocka_unit_test(the_end_of_a_round_gives_back_what_it_cleared),
	    cmocka_unit_test(two_turns_are_not_taken_back),
	    cmocka_unit_test(a_truce_goes_back_too),
	    cmocka_unit_test(chits_go_back_into_their_cup),
	    cmocka_unit_test(an_objected_declare_is_no_line_to_take_back),
	    cmocka_unit_test(in_live_1_what_an_answer_rolled_goes_back),
	    cmocka_unit_test(the_newest_256_lines_are_in_reach),
	    cmocka_unit_test(
		what_changes_in_several_lines_of_an_entry_goes_back_at_once),
	    cmocka_unit_test(what_undoing_keeps_is_dropped_with_its_line),
	    cmocka_unit_test(games_by_chance_go_back_to_what_they_were),
	    cmocka_unit_test(without_memory_no_undoing_is_half_believed),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
