/* SPDX-License-Identifier: ISC */
/*
 * What lines say that they did, and what became of each, as a verifier hands
 * it on: offers and how they ended, takebacks, combats, claims, refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/game/game_entry.h"
#include "common/game/verify.h"
#include "tests/lib/agree.h"
#include "tests/lib/claim.h"

#define DRAW "{'what':'draw'}"
#define WEAKER "{'what':'adjust','units':[{'id':'fr-1','strength':%d}]}"
#define DIRECTED "'options':{'director':true}"
#define CLOCK(then) "'clock':{'per':'order','first_s':600,'then':'" then "'}"

/* What is saved of a history must come back as it was. */
static void
comes_back(const struct game_history *h)
{
	struct game_history back = {.n = 0};
	struct game_entry a, b;
	struct buf out;
	size_t i;

	buf_init(&out, 0);
	assert_int_equal(game_history_save(h, &out), 0);
	assert_int_equal(game_history_load(&back, out.data, out.len), 0);
	assert_int_equal(back.n, h->n);
	assert_int_equal(back.first_open, h->first_open);
	for (i = 0; i < h->n; i++) {
		a = h->list[i];
		b = back.list[i];
		assert_true(a.before == NULL
			? b.before == NULL
			: json_equal(a.before, b.before) == 1);
		a.before = b.before = NULL;
		assert_memory_equal(&a, &b, sizeof(a));
	}
	game_history_clear(&back);
	assert_int_equal(
	    game_history_load(&back, out.data, sizeof(a)), ERR_BAD);
	assert_int_equal(
	    game_history_load(&back, out.data, out.len - 1), ERR_BAD);
	game_history_clear(&back);
	buf_clear(&out);
}

/* Reads the whole record; the verifier that has its history. */
static struct verify *
read_back(const struct table *t)
{
	const struct verify_options opt = {.head_seq = -1};
	struct errinfo e = {.text = ""};
	struct verify_report rep;
	struct verify *v = NULL;
	struct buf out;

	buf_init(&out, 0);
	table_export(t, &out);
	if (verify_held(out.data, out.len, &opt, &rep, &v, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	buf_clear(&out);
	assert_int_equal(verify_history(v)->n, game_seq(t->game) + 1);
	comes_back(verify_history(v));
	return (v);
}

/* What became of a line must be this, by that line. */
static void
became(const struct verify *v, int64_t seq, enum game_fate fate, int64_t by)
{
	const struct game_entry *en = game_history_get(verify_history(v), seq);

	assert_non_null(en);
	assert_int_equal(en->seq, seq);
	if (en->fate != fate || en->fate_by != by)
		fail_msg("line %lld became %d by %lld, not %d by %lld",
		    (long long)seq, (int)en->fate, (long long)en->fate_by,
		    (int)fate, (long long)by);
}

/* A unit's strength as the line's entry has it; -1: it has none. */
static int64_t
strength_before(const struct verify *v, int64_t seq, const char *id)
{
	const struct game_entry *en = game_history_get(verify_history(v), seq);
	const json_t *n;

	n = json_object_get(json_object_get(en->before, id), "strength");
	return (n == NULL ? -1 : json_integer_value(n));
}

static void
an_offer_is_open_until_it_is_answered_or_lapses(void **state)
{
	int64_t decline, draw, gone, last, open, own;
	const struct game_entry *en;
	struct verify *v;
	struct table t;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	draw = agree_play(&t, 1, ORDER_OFFER, DRAW);
	decline = agree_play(
	    &t, 2, ORDER_NOTE, "{'to':%lld,'say':'decline'}", (long long)draw);
	own = agree_play(&t, 1, ORDER_OFFER, DRAW);
	agree_play(
	    &t, 1, ORDER_NOTE, "{'to':%lld,'say':'withdraw'}", (long long)own);
	gone = agree_play(&t, 2, ORDER_OFFER, DRAW);
	agree_play(&t, 1, ORDER_TURN_END, "{}");
	open = agree_play(&t, 2, ORDER_OFFER, DRAW);
	last = agree_play(&t, 1, ORDER_OFFER, "{'what':'victory','winner':2}");
	v = read_back(&t);
	became(v, draw, GAME_FATE_DECLINED, decline);
	became(v, own, GAME_FATE_WITHDRAWN, own + 1);
	became(v, gone, GAME_FATE_LAPSED, -1);
	became(v, open, GAME_FATE_OPEN, -1);
	became(v, last, GAME_FATE_OPEN, -1);
	became(v, decline, GAME_FATE_NONE, -1);
	en = game_history_get(verify_history(v), decline);
	assert_int_equal(en->kind, ORDER_NOTE);
	assert_int_equal(en->seat, 2);
	assert_int_equal(en->to, draw);
	assert_int_equal(en->to_fate, GAME_FATE_DECLINED);
	assert_int_equal(en->offer, GAME_OFFER_DRAW);
	assert_null(game_history_get(verify_history(v), -1));
	assert_null(game_history_get(verify_history(v), last + 1));
	verify_free(v);
	/* The game's end takes the rest with it. */
	agree_accept(&t, 2, last);
	v = read_back(&t);
	became(v, last, GAME_FATE_ACCEPTED, last + 1);
	became(v, open, GAME_FATE_LAPSED, -1);
	en = game_history_get(verify_history(v), last + 1);
	assert_int_equal(en->how, GAME_AGREED);
	assert_int_equal(en->winner, 2);
	assert_int_equal(
	    game_history_get(verify_history(v), last)->how, GAME_UNDECIDED);
	verify_free(v);
	agree_done(&t);
}

static void
a_change_says_what_units_were_before_it(void **state)
{
	int64_t accept, first, second;
	struct verify *v;
	struct table t;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	first = agree_play(&t, 1, ORDER_PROPOSE, WEAKER, 4);
	accept = agree_accept(&t, 2, first);
	second = agree_play(&t, 2, ORDER_PROPOSE, WEAKER, 3);
	v = read_back(&t);
	became(v, first, GAME_FATE_ACCEPTED, accept);
	assert_int_equal(strength_before(v, first, "fr-1"), 5);
	assert_int_equal(strength_before(v, second, "fr-1"), 4);
	assert_int_equal(strength_before(v, first, "ru-1"), -1);
	assert_true(game_history_is_undoable(verify_history(v), accept));
	assert_false(game_history_is_undoable(verify_history(v), first));
	verify_free(v);
	agree_done(&t);
}

static void
a_takeback_names_what_it_undoes(void **state)
{
	const struct game_history *h;
	int64_t back, declare, end, i, offer;
	struct verify *v;
	struct table t;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	declare = agree_play(&t, 1, ORDER_DECLARE, "%s", TABLE_FIGHT);
	table_settle(&t);
	agree_play(&t, 1, ORDER_CHAT, "%s", TABLE_CHAT);
	end = agree_play(&t, 1, ORDER_TURN_END, "{}");
	offer = agree_play(&t, 1, ORDER_OFFER,
	    "{'what':'takeback','from':%lld}", (long long)declare);
	back = agree_accept(&t, 2, offer);
	v = read_back(&t);
	h = verify_history(v);
	for (i = declare; i <= end; i++)
		assert_int_equal(h->list[i].taken_back,
		    h->list[i].kind == ORDER_CHAT ? -1 : back);
	assert_int_equal(h->list[declare - 1].taken_back, -1);
	assert_int_equal(h->list[back].from, declare);
	assert_int_equal(h->list[declare].combat, declare);
	assert_int_equal(h->list[end].combat, -1);
	for (i = declare; h->list[i].combat == declare; i++)
		assert_int_equal(
		    h->list[i].ends_combat, h->list[i + 1].combat != declare);
	assert_true(i > declare);
	assert_int_equal(h->list[declare].turn, 1);
	assert_int_equal(h->list[end].turn, 2);
	assert_int_equal(h->list[back].turn, 1);
	assert_int_equal(h->list[0].turn, 0);
	assert_false(game_history_is_undoable(h, declare));
	verify_free(v);
	agree_done(&t);
}

static void
a_line_that_waits_is_agreed_to_or_objected(void **state)
{
	int64_t declare, roll;
	const struct game_history *h;
	struct verify *v;
	struct table t;

	(void)state;
	agree_begun(&t, table_roster, "{'scheme':'live-1'}");
	roll = agree_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	v = read_back(&t);
	became(v, roll, GAME_FATE_WAITING, -1);
	assert_int_equal(verify_history(v)->list[roll].waits_for, 2);
	verify_free(v);
	agree_play(
	    &t, 2, ORDER_ANSWER, "{'to':%lld,'say':'agree'}", (long long)roll);
	declare = agree_play(&t, 1, ORDER_DECLARE, "%s", TABLE_FIGHT);
	agree_play(&t, 2, ORDER_ANSWER, "{'to':%lld,'say':'object'}",
	    (long long)declare);
	roll = agree_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	agree_play(&t, 2, ORDER_RESIGN, "{}");
	v = read_back(&t);
	h = verify_history(v);
	became(v, declare - 2, GAME_FATE_AGREED, declare - 1);
	became(v, declare, GAME_FATE_OBJECTED, declare + 1);
	/* Nobody is asked any more. */
	became(v, roll, GAME_FATE_NONE, -1);
	assert_false(game_entry_is_agreed(&h->list[roll]));
	assert_false(game_entry_is_agreed(&h->list[declare]));
	assert_true(game_entry_is_agreed(&h->list[declare - 2]));
	assert_true(game_entry_is_agreed(&h->list[declare - 1]));
	assert_int_equal(h->list[declare - 1].combat, -1);
	assert_int_equal(h->list[declare + 1].combat, declare);
	assert_true(h->list[declare + 1].ends_combat);
	assert_int_equal(h->list[roll + 1].how, GAME_RESIGNED);
	assert_int_equal(h->list[roll + 1].winner, 1);
	assert_false(game_history_is_undoable(h, declare));
	assert_true(game_history_is_undoable(h, declare - 2));
	verify_free(v);
	agree_done(&t);
}

static void
a_claim_says_what_it_led_to(void **state)
{
	const struct game_history *h;
	struct verify *v;
	struct table t;
	int64_t seq;

	(void)state;
	claim_begun(&t, "{" CLOCK("director") "," DIRECTED "}");
	claim_fails(&t, 2, game_deadline_ms(t.game, 1) - 1);
	seq = game_seq(t.game);
	t.at_ms = game_deadline_ms(t.game, 1);
	table_play(&t, 2, ORDER_CLAIM, "{}");
	assert_int_equal(game_claim_seq(t.game), seq + 1);
	table_play(&t, 0, ORDER_RULING,
	    "{'claim':7,'do':'forfeit','why':" TABLE_REF "}");
	v = read_back(&t);
	h = verify_history(v);
	assert_int_equal(h->list[seq].claimed, GAME_CLAIMED_NOTHING);
	assert_int_equal(h->list[seq + 1].claimed, GAME_CLAIMED_DIRECTOR);
	assert_int_equal(h->list[seq + 2].to, seq + 1);
	assert_int_equal(h->list[seq + 2].how, GAME_FORFEIT);
	became(v, seq + 2, GAME_FATE_ACCEPTED, seq + 2);
	verify_free(v);
	table_clear(&t);
	claim_begun(&t, "{" CLOCK("forfeit") "}");
	t.at_ms = game_deadline_ms(t.game, 1);
	table_play(&t, 2, ORDER_CLAIM, "{}");
	v = read_back(&t);
	h = verify_history(v);
	assert_int_equal(h->list[h->n - 1].claimed, GAME_CLAIMED_GAME);
	assert_int_equal(h->list[h->n - 1].winner, 2);
	verify_free(v);
	table_clear(&t);
}

static void
a_ruling_is_in_force_by_its_second_accept(void **state)
{
	struct verify *v;
	struct table t;
	int64_t seq;

	(void)state;
	claim_begun(&t, "{" DIRECTED "}");
	table_play(&t, 0, ORDER_RULING,
	    "{'units':[{'id':'fr-1','strength':4}],'why':" TABLE_REF "}");
	seq = game_seq(t.game);
	claim_accept(&t, 2, seq);
	v = read_back(&t);
	became(v, seq, GAME_FATE_OPEN, -1);
	verify_free(v);
	claim_accept(&t, 1, seq);
	v = read_back(&t);
	became(v, seq, GAME_FATE_ACCEPTED, seq + 2);
	assert_int_equal(strength_before(v, seq, "fr-1"), 5);
	verify_free(v);
	table_clear(&t);
}

static void
who_was_refused_is_told_of_the_join(void **state)
{
	const struct game_history *h;
	struct verify *v;
	struct table t;

	(void)state;
	claim_seated(&t, "{}");
	claim_note(&t, 1, 1, "refuse");
	v = read_back(&t);
	h = verify_history(v);
	became(v, 1, GAME_FATE_REFUSED, 2);
	assert_int_equal(h->list[1].seat, 2);
	assert_string_not_equal(h->list[1].account, "");
	assert_string_equal(h->list[0].account, game_account(t.game, 1));
	verify_free(v);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_offer_is_open_until_it_is_answered_or_lapses),
	    cmocka_unit_test(a_change_says_what_units_were_before_it),
	    cmocka_unit_test(a_takeback_names_what_it_undoes),
	    cmocka_unit_test(a_line_that_waits_is_agreed_to_or_objected),
	    cmocka_unit_test(a_claim_says_what_it_led_to),
	    cmocka_unit_test(a_ruling_is_in_force_by_its_second_accept),
	    cmocka_unit_test(who_was_refused_is_told_of_the_join),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
