/* SPDX-License-Identifier: ISC */
#include "tests/lib/claim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* An order that is kept while others are made: one at a time. */
static json_t *claim_kept;

void
claim_seated_by(struct table *t, const char *roster, const char *more)
{
	json_t *args, *v = table_json(more);
	int i, seat;

	table_init(t);
	args = table_create_args(t, roster);
	assert_int_equal(json_object_update(args, v), 0);
	json_decref(v);
	table_make_create(t, args);
	if (table_open(t) != 0)
		fail_msg("%s: %s: %s", more, t->e.where, t->e.text);
	for (i = 0; i < GAME_SLOTS; i++) {
		seat = game_slot_seat(i);
		if (seat != 1 && game_is_seat(t->game, seat))
			assert_int_equal(table_try(t, seat, ORDER_JOIN,
					     table_seat_args(t, seat)),
			    0);
	}
}

void
claim_seated(struct table *t, const char *more)
{
	claim_seated_by(t, table_roster, more);
}

void
claim_ready(struct table *t)
{
	int i, seat;

	for (i = 0; i < GAME_SLOTS; i++) {
		seat = game_slot_seat(i);
		if (game_is_seat(t->game, seat))
			table_play(t, seat, ORDER_READY, "{}");
	}
	assert_int_equal(game_phase(t->game), GAME_PLAY);
}

void
claim_begun(struct table *t, const char *more)
{
	claim_seated(t, more);
	claim_ready(t);
}

void
claim_is_good(struct table *t)
{
	static const struct verify_options plain = {.head_seq = -1},
					   no_rules = {.no_rules = true,
					       .head_seq = -1};
	struct verify_report rep;
	struct errinfo e = {.where = ""};
	struct game *g = NULL;
	struct buf out, a, b;

	buf_init(&out, 0);
	buf_init(&a, 0);
	buf_init(&b, 0);
	table_export(t, &out);
	if (verify_bytes(out.data, out.len, &plain, &rep, &g, &e) != 0)
		fail_msg("line %lld: %s: %s", (long long)rep.file_line, e.where,
		    e.text);
	assert_false(rep.is_unchecked);
	assert_int_equal(rep.lines, t->n_lines);
	table_save(t, &a);
	assert_int_equal(game_save(g, &b), 0);
	assert_string_equal(buf_str(&a), buf_str(&b));
	game_free(g);
	if (verify_bytes(out.data, out.len, &no_rules, &rep, NULL, &e) != 0)
		fail_msg("without rules, line %lld: %s: %s",
		    (long long)rep.file_line, e.where, e.text);
	assert_true(rep.is_unchecked);
	buf_clear(&out);
	buf_clear(&a);
	buf_clear(&b);
	table_clear(t);
}

void
claim_fails(struct table *t, int seat, int64_t at_ms)
{
	int64_t state_seq = t->game->state_seq;
	bool is_owed = t->game->owed.is_owed;

	t->at_ms = at_ms;
	table_play(t, seat, ORDER_CLAIM, "{}");
	assert_int_equal(t->game->state_seq, state_seq);
	assert_int_equal(game_phase(t->game), GAME_PLAY);
	assert_int_equal(json_array_size(t->fx.events), 0);
	assert_true(t->game->owed.is_owed == is_owed);
	/* What comes next is not late for its sake. */
	t->at_ms = at_ms;
}

void
claim_result(const struct table *t, const char *how, int winner)
{
	assert_int_equal(game_phase(t->game), GAME_OVER);
	assert_string_equal(game_how_name(t->game->how), how);
	assert_int_equal(t->game->winner, winner);
	assert_int_equal(t->game->state_seq, t->game->seq);
}

void
claim_accept(struct table *t, int seat, int64_t to)
{
	char args[40];

	(void)snprintf(args, sizeof(args), "{'to':%lld}", (long long)to);
	table_play(t, seat, ORDER_ACCEPT, args);
}

void
claim_no_accept(struct table *t, int seat, int64_t to, int r, const char *why)
{
	char args[40];

	(void)snprintf(args, sizeof(args), "{'to':%lld}", (long long)to);
	table_no(t, seat, ORDER_ACCEPT, args, r, why);
}

void
claim_note(struct table *t, int seat, int64_t to, const char *say)
{
	char args[60];

	(void)snprintf(
	    args, sizeof(args), "{'to':%lld,'say':'%s'}", (long long)to, say);
	table_play(t, seat, ORDER_NOTE, args);
}

void
claim_no_note(struct table *t, int seat, int64_t to, const char *say, int r,
    const char *why)
{
	char args[60];

	(void)snprintf(
	    args, sizeof(args), "{'to':%lld,'say':'%s'}", (long long)to, say);
	table_no(t, seat, ORDER_NOTE, args, r, why);
}

void
claim_keep(struct table *t)
{
	claim_kept = table_order(t);
}

void
claim_again(struct table *t, int seat)
{
	table_reword(t, seat, claim_kept);
	json_decref(claim_kept);
	claim_kept = NULL;
}

void
claim_add(struct table *t, int seat, const char *name, const char *value)
{
	json_t *order = table_order(t);

	json_object_set_new(order, name, json_string(value));
	table_reword(t, seat, order);
	json_decref(order);
}
