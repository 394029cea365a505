/* SPDX-License-Identifier: ISC */
/*
 * Verifying a whole record with its rules, and one that its own server
 * tampered with: every lie has its line and its reason (umpire-record.7,
 * S10).
 */
#include "common/game/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/lib/tamper.h"

static void
a_whole_record_is_good_and_finished(void **state)
{
	struct verify_report rep;
	struct errinfo e;
	struct game *g = NULL;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	table_export(&tamper_table, &b);
	assert_int_equal(
	    verify_bytes(b.data, b.len, &tamper_plain, &rep, &g, &e), 0);
	assert_int_equal(rep.lines, LINES);
	assert_int_equal(rep.file_line, 0);
	assert_true(rep.is_finished);
	assert_false(rep.is_unchecked);
	assert_int_equal(rep.combats, 2);
	assert_true(rep.rolls >= 4);
	assert_memory_equal(rep.head, game_head(tamper_table.game), HASH_LEN);
	assert_int_equal(game_seq(g), LINES - 1);
	game_free(g);
	buf_clear(&b);
}

static void
every_beginning_of_a_record_is_good_and_unfinished(void **state)
{
	struct verify_report rep;
	struct errinfo e;
	struct buf b;
	size_t n;

	(void)state;
	for (n = 1; n < LINES; n++) {
		buf_init(&b, 0);
		tamper_put_lines(&b, n);
		tamper_put_roster(&b);
		assert_int_equal(tamper_verify(&b, &tamper_plain, &rep, &e), 0);
		assert_false(rep.is_finished || rep.is_unchecked);
		assert_int_equal(rep.lines, n);
	}
	/* What the tests below do to a line, without changing it. */
	for (n = 0; n < LINES; n++)
		tamper_good(n, tamper_line_value(n));
}

static void
without_rules_all_but_they_is_checked(void **state)
{
	struct verify_report rep, full;
	struct errinfo e;
	json_t *line, *roll;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	table_export(&tamper_table, &b);
	assert_int_equal(tamper_verify(&b, &tamper_plain, &full, &e), 0);
	buf_init(&b, 0);
	table_export(&tamper_table, &b);
	assert_int_equal(tamper_verify(&b, &tamper_no_rules, &rep, &e), 0);
	assert_true(rep.is_unchecked && rep.is_finished);
	assert_int_equal(rep.rolls, full.rolls);
	/* They are counted, but were not run. */
	assert_int_equal(rep.combats, full.combats);
	assert_true(full.combats > 0);
	/* Its dice are still those of their proof. */
	line = tamper_line_value(FIGHT);
	roll = json_array_get(
	    json_object_get(json_object_get(line, "dice"), "rolls"), 0);
	json_object_set_new(roll, "label", json_string("score/fr-2"));
	buf_init(&b, 0);
	tamper_put_lines(&b, FIGHT);
	tamper_put_marked(&b, line);
	tamper_put_roster(&b);
	assert_int_equal(
	    tamper_verify(&b, &tamper_no_rules, &rep, &e), ERR_BAD);
	assert_string_equal(e.where, "dice");
	json_decref(line);
}

/* Whose question it is can be read from the events alone. */
static void
without_rules_questions_are_still_answered_by_who_owes_them(void **state)
{
	struct verify_report rep;
	struct errinfo e;
	json_t *line;
	struct buf b;
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		if (i == 0) {
			line = tamper_with_arg(
			    STAGGER, 1, "ask", json_integer(CHAT_1));
		} else if (i == 1) {
			line = tamper_with_order(
			    STAGGER, 2, "seat", json_integer(2));
			json_object_set_new(line, "seat", json_integer(2));
		} else if (i == 2) {
			line = tamper_with_order(
			    STAGGER, 1, "place", json_string("c/1/ru-1/1/1"));
		} else {
			/* The rules alone know that it is unlawful. */
			line = tamper_with_arg(
			    STAGGER, 1, "decision", table_json("{}"));
		}
		buf_init(&b, 0);
		tamper_put_lines(&b, STAGGER);
		tamper_put_marked(&b, line);
		tamper_put_roster(&b);
		json_decref(line);
		assert_int_equal(tamper_verify(&b, &tamper_no_rules, &rep, &e),
		    i == 3 ? 0 : ERR_BAD);
		assert_string_equal(e.where,
		    i == 0       ? "args.ask"
			: i == 1 ? "order.seat"
			: i == 2 ? "order.place"
				 : "");
	}
}

static void
changed_dice_are_bad(void **state)
{
	json_t *line, *dice, *rolls, *roll, *v;
	json_int_t n;

	(void)state;
	line = tamper_fight(&dice, &rolls);
	v = json_object_get(json_array_get(rolls, 1), "dice");
	n = json_integer_value(json_array_get(v, 0));
	json_array_set_new(v, 0, json_integer(n % 6 + 1));
	tamper_bad(FIGHT, line, "dice", "\"score/ru-1\"");
	line = tamper_fight(&dice, &rolls);
	json_object_set_new(
	    json_array_get(rolls, 0), "label", json_string("score/fr-2"));
	tamper_bad(FIGHT, line, "dice", "\"score/fr-1\"");
	line = tamper_fight(&dice, &rolls);
	json_object_set_new(json_array_get(rolls, 0), "sides", json_integer(8));
	tamper_bad(FIGHT, line, "dice", "\"score/fr-1\"");
	line = tamper_fight(&dice, &rolls);
	json_array_remove(rolls, 1);
	tamper_bad(FIGHT, line, "dice", "\"score/ru-1\"");
	line = tamper_fight(&dice, &rolls);
	json_array_append_new(
	    rolls, table_json("{'label':'score/x','sides':6,'dice':[1]}"));
	tamper_bad(FIGHT, line, "dice", "");
	/* The other way round. */
	line = tamper_fight(&dice, &rolls);
	roll = json_deep_copy(json_array_get(rolls, 0));
	json_array_remove(rolls, 0);
	json_array_append_new(rolls, roll);
	tamper_bad(FIGHT, line, "dice", "\"score/fr-1\"");
	line = tamper_fight(&dice, &rolls);
	json_object_set_new(dice, "rolls", json_array());
	tamper_bad(FIGHT, line, "dice", "\"score/fr-1\"");
	line = tamper_fight(&dice, &rolls);
	json_object_set_new(dice, "x", json_true());
	tamper_bad(FIGHT, line, "dice", "");
	line = tamper_fight(&dice, &rolls);
	json_object_set_new(dice, "place", json_string("c/1/ru-1/2/1"));
	tamper_bad(FIGHT, line, "dice", "");
}

static void
dice_where_none_fall_and_none_where_some_do_are_bad(void **state)
{
	static const size_t lines[] = {
	    READY_1, CHAT_1, STAGGER, GUNS, END_1, RESIGN_2, CLOSE_1};
	json_t *line;
	size_t i;

	(void)state;
	tamper_bad(FIGHT, tamper_with(FIGHT, "dice", NULL), "dice",
	    "the line has none");
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		line = tamper_line_value(lines[i]);
		if (json_object_get(line, "pool") != NULL) {
			json_decref(line);
			continue;
		}
		json_decref(line);
		tamper_bad(lines[i],
		    tamper_with_more(
			lines[i], "dice", tamper_line_member(FIGHT, "dice")),
		    "dice", "nothing calls for it");
	}
}

/* Other proofs of the server's own key, and proofs of other keys. */
static void
only_the_proof_over_these_contributions_will_do(void **state)
{
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	json_t *line, *dice, *rolls, *other;

	(void)state;
	line = tamper_fight(&dice, &rolls);
	assert_int_equal(
	    vrf_prove(&tamper_table.server_dice, "alpha", 5, proof, beta), 0);
	json_object_set_new(dice, "proof", js_hex(proof, VRF_PROOF_LEN));
	tamper_bad(FIGHT, line, "dice.proof", "does not hold");
	line = tamper_fight(&dice, &rolls);
	other = tamper_line_member(RETIRE, "dice");
	json_object_set(dice, "proof", json_object_get(other, "proof"));
	json_decref(other);
	tamper_bad(FIGHT, line, "dice.proof", "does not hold");
	line = tamper_fight(&dice, &rolls);
	json_object_set_new(dice, "proof", json_string("00"));
	tamper_bad(FIGHT, line, "dice.proof", "hex");
	line = tamper_fight(&dice, &rolls);
	json_object_del(dice, "proof");
	tamper_bad(FIGHT, line, "dice", "none");
}

static void
changed_events_are_bad(void **state)
{
	json_t *line, *events;

	(void)state;
	line = tamper_line_value(FIGHT);
	events = json_object_get(line, "events");
	json_object_set_new(
	    json_array_get(events, 1), "label", json_string("score/fr-2"));
	tamper_bad(
	    FIGHT, line, "events", "not what the orders and the rules give");
	line = tamper_line_value(FIGHT);
	events = json_object_get(line, "events");
	json_array_remove(events, json_array_size(events) - 1);
	tamper_bad(FIGHT, line, "events", "");
	line = tamper_line_value(RETIRE);
	events = json_object_get(line, "events");
	json_object_set_new(json_array_get(events, json_array_size(events) - 1),
	    "units", json_object());
	tamper_bad(RETIRE, line, "events", "");
	tamper_bad(
	    FIGHT, tamper_with(FIGHT, "events", json_array()), "events", "");
	tamper_bad(CHAT_1,
	    tamper_with(CHAT_1, "events", table_json("[{'e':'result'}]")),
	    "events", "");
	tamper_bad(CREATE, tamper_with(CREATE, "events", table_json("[0]")),
	    "events", "");
}

static void
pools_owes_and_opened_are_checked(void **state)
{
	(void)state;
	tamper_bad(READY_1, tamper_with(READY_1, "pool", table_json(TABLE_REF)),
	    "pool", "");
	tamper_bad(END_1,
	    tamper_with(END_1, "pool", tamper_line_member(READY_1, "pool")),
	    "pool", "");
	tamper_bad(END_1, tamper_with(END_1, "pool", NULL), "pool", "");
	tamper_bad(CHAT_1,
	    tamper_with_more(CHAT_1, "pool", table_json(TABLE_REF)), "pool",
	    "");
	tamper_bad(CREATE,
	    tamper_with_more(CREATE, "pool", table_json(TABLE_REF)), "pool",
	    "");
	tamper_bad(GUNS,
	    tamper_with_more(
		GUNS, "owes", table_json("{'seat':2,'place':'c/1/ru-a1/1/1'}")),
	    "owes", "nothing calls for it");
	tamper_bad(CHAT_1, tamper_with_more(CHAT_1, "opened", table_json("[]")),
	    "opened", "nothing calls for it");
}

static void
the_chain_is_checked(void **state)
{
	struct verify_report rep;
	struct errinfo e;
	struct buf b;
	json_t *line;

	(void)state;
	tamper_bad(CHAT_1, tamper_with(CHAT_1, "seq", json_integer(5)), "seq",
	    "4 is due");
	tamper_bad(CHAT_1, tamper_with(CHAT_1, "seq", json_integer(3)), "seq",
	    "4 is due");
	tamper_bad(CREATE, tamper_with(CREATE, "seq", json_integer(1)), "seq",
	    "0 is due");
	tamper_bad(CREATE, tamper_with(CREATE, "prev", table_json(TABLE_REF)),
	    "prev", "");
	tamper_bad(CHAT_1,
	    tamper_with(CHAT_1, "prev", tamper_line_hash(READY_2)), "prev", "");
	tamper_bad(CHAT_1, tamper_with(CHAT_1, "game", table_json(TABLE_REF)),
	    "game", "not the game of the record");
	tamper_bad(CHAT_1,
	    tamper_with(CHAT_1, "at", json_string("2026-11-20T12:01:01.041Z")),
	    "at", "earlier");
	tamper_good(CHAT_1,
	    tamper_with(CHAT_1, "at", tamper_line_member(READY_1, "at")));
	/* Another order at the beginning. */
	line = tamper_line_value(CHAT_1);
	json_object_set_new(line, "seq", json_integer(0));
	json_object_set_new(line, "prev", tamper_line_member(CREATE, "prev"));
	tamper_bad(CREATE, line, "order.kind", "create order");
	/* A line that was cut out, or stands twice. */
	buf_init(&b, 0);
	tamper_put_lines(&b, CHAT_1);
	buf_add(&b, tamper_table.record.data + tamper_table.starts[FIGHT],
	    tamper_table.record.len - tamper_table.starts[FIGHT]);
	tamper_put_roster(&b);
	assert_int_equal(tamper_verify(&b, &tamper_plain, &rep, &e), ERR_BAD);
	assert_int_equal(rep.file_line, CHAT_1 + 1);
	assert_string_equal(e.where, "seq");
	buf_init(&b, 0);
	tamper_put_lines(&b, CHAT_1);
	buf_add(&b, tamper_table.record.data + tamper_table.starts[READY_1],
	    tamper_table.record.len - tamper_table.starts[READY_1]);
	tamper_put_roster(&b);
	assert_int_equal(tamper_verify(&b, &tamper_plain, &rep, &e), ERR_BAD);
	assert_int_equal(rep.file_line, CHAT_1 + 1);
	/* Not marked anew. */
	buf_init(&b, 0);
	table_export(&tamper_table, &b);
	b.data[tamper_table.starts[CHAT_1 + 1] - 10] ^= 1;
	assert_int_equal(tamper_verify(&b, &tamper_plain, &rep, &e), ERR_BAD);
	assert_int_equal(rep.file_line, CHAT_1 + 1);
	assert_string_equal(e.where, "mark");
}

static void
an_order_is_tied_to_its_line_and_its_head(void **state)
{
	json_t *line;

	(void)state;
	tamper_bad(CHAT_1, tamper_with(CHAT_1, "seat", json_integer(2)),
	    "order.seat", "");
	tamper_bad(CHAT_1,
	    tamper_with_order(CHAT_1, 1, "server", table_json(TABLE_REF)),
	    "order.server", "");
	tamper_bad(CHAT_1,
	    tamper_with_order(CHAT_1, 1, "game", table_json(TABLE_REF)),
	    "order.game", "");
	tamper_bad(CHAT_1,
	    tamper_with_order(CHAT_1, 1, "after", json_integer(CHAT_1)),
	    "order.after", "earlier line");
	tamper_bad(CHAT_1,
	    tamper_with_order(CHAT_1, 1, "head", tamper_line_hash(READY_2)),
	    "order.head", "line 3");
	tamper_bad(CHAT_1,
	    tamper_with_order(CHAT_1, 1, "after", json_integer(1)),
	    "order.head", "line 1");
	/* The order of another line in its place. */
	line = tamper_line_value(CHAT_1);
	json_object_set_new(line, "order", tamper_line_member(END_1, "order"));
	json_object_set_new(line, "sig", tamper_line_member(END_1, "sig"));
	tamper_bad(CHAT_1, line, "order.after", "earlier line");
	tamper_bad(CHAT_1, tamper_with_order(CHAT_1, 1, "x", json_true()),
	    "order.x", "");
	tamper_bad(CHAT_1,
	    tamper_with_order(CHAT_1, 1, "nonce", json_string("0")),
	    "order.nonce", "");
	tamper_bad(CHAT_1, tamper_with(CHAT_1, "order", json_string("no JSON")),
	    "order byte 1", "");
}

static void
keys_and_signatures_are_checked(void **state)
{
	json_t *line;

	(void)state;
	tamper_bad(CHAT_1,
	    tamper_with(CHAT_1, "sig", tamper_line_member(FIGHT, "sig")), "sig",
	    "");
	tamper_bad(CHAT_1,
	    tamper_with(CHAT_1, "key", tamper_line_member(CHAT_2, "key")),
	    "sig", "");
	tamper_bad(CHAT_1,
	    tamper_with(CHAT_1, "key",
		js_hex((const uint8_t[SIGN_KEY_LEN]){1}, SIGN_KEY_LEN)),
	    "sig", "");
	/* Signed by the other player. */
	line = tamper_line_value(CHAT_1);
	tamper_sign_into(line, 2, tamper_order_value(CHAT_1));
	tamper_bad(CHAT_1, line, "order.seat", "not belong to seat 1");
	line = tamper_line_value(END_1);
	tamper_sign_into(line, 5, tamper_order_value(END_1));
	tamper_bad(END_1, line, "order.seat", "not belong to seat 1");
	/* A join signed by another key than it names; a seat taken twice. */
	line = tamper_line_value(JOIN);
	tamper_sign_into(line, 5, tamper_order_value(JOIN));
	tamper_bad(JOIN, line, "args.key", "another key");
	line = tamper_line_value(CREATE);
	tamper_sign_into(line, 5, tamper_order_value(CREATE));
	tamper_bad(CREATE, line, "args.key", "another key");
	tamper_bad(JOIN, tamper_with_arg(JOIN, 2, "seat", json_integer(1)),
	    "args.seat", "");
	tamper_bad(JOIN,
	    tamper_with_arg(JOIN, 2, "dice_key",
		js_hex(tamper_table.keys[1].dice.public_key, VRF_KEY_LEN)),
	    "args.key", "sits in seat 1");
}

static void
nonces_and_orders_are_used_once(void **state)
{
	json_t *line;

	(void)state;
	tamper_bad(END_1,
	    tamper_with_order(
		END_1, 1, "nonce", tamper_order_member(CHAT_1, "nonce")),
	    "", "nonce");
	tamper_bad(END_1,
	    tamper_with_order(
		END_1, 1, "nonce", tamper_order_member(CREATE, "nonce")),
	    "", "nonce");
	/* The other side may use it. */
	tamper_good(CHAT_2,
	    tamper_with_order(
		CHAT_2, 2, "nonce", tamper_order_member(CHAT_1, "nonce")));
	/* The same order again. */
	line = tamper_line_value(END_1);
	json_object_set_new(line, "order", tamper_line_member(CHAT_1, "order"));
	json_object_set_new(line, "sig", tamper_line_member(CHAT_1, "sig"));
	json_object_del(line, "pool");
	tamper_bad(END_1, line, "", "stands in the record already");
	/* The create order again, whose `after` there is not. */
	line = tamper_line_value(JOIN);
	json_object_set_new(line, "seat", json_integer(1));
	json_object_set_new(line, "key", tamper_line_member(CREATE, "key"));
	json_object_set_new(line, "order", tamper_line_member(CREATE, "order"));
	json_object_set_new(line, "sig", tamper_line_member(CREATE, "sig"));
	tamper_bad(JOIN, line, "order.kind", "once");
}

static void
places_and_own_proofs_are_checked(void **state)
{
	static const char *const places[] = {"c/1/ru-1/2/1", "c/1/ru-1/1/2",
	    "c/2/ru-1/1/1", "c/1/ru-2/1/1", "p/1", ""};
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		tamper_bad(FIGHT,
		    tamper_with_order(
			FIGHT, 1, "place", json_string(places[i])),
		    "order.place", "\"c/1/ru-1/1/1\"");
	tamper_bad(GUNS,
	    tamper_with_order(GUNS, 1, "place", json_string("c/1/ru-a2/1/1")),
	    "order.place", "\"c/1/ru-a1/1/1\"");
	tamper_bad(RETIRE,
	    tamper_with_order(RETIRE, 2, "place", json_string("c/1/ru-a1/1/2")),
	    "order.place", "\"c/1/ru-a1/1/1\"");
	tamper_bad(STAGGER,
	    tamper_with_order(STAGGER, 1, "place", json_string("c/1/ru-1/1/1")),
	    "order.place", "\"c/1/ru-1/1/2\"");
	tamper_bad(END_2,
	    tamper_with_order(END_2, 2, "place", json_string("p/1")),
	    "order.place", "\"p/2\"");
	tamper_bad(END_2,
	    tamper_with_order(END_2, 2, "place", json_string("p/02")),
	    "order.place", "\"p/2\"");
	tamper_bad(READY_1,
	    tamper_with_order(READY_1, 1, "place", json_string("p/1")), "",
	    "does not wait");
	/* Proofs of others, and for other places; where nothing is drawn too.
	 */
	tamper_bad(FIGHT,
	    tamper_with_order(
		FIGHT, 1, "own", tamper_order_member(READY_1, "own")),
	    "order.own", "");
	tamper_bad(STAGGER,
	    tamper_with_order(
		STAGGER, 1, "own", tamper_order_member(FIGHT, "own")),
	    "order.own", "");
	tamper_bad(GUNS,
	    tamper_with_order(
		GUNS, 1, "own", tamper_order_member(FIGHT, "own")),
	    "order.own", "");
	tamper_bad(END_1,
	    tamper_with_order(
		END_1, 1, "own", tamper_order_member(FIGHT, "own")),
	    "order.own", "");
	tamper_bad(READY_2,
	    tamper_with_order(
		READY_2, 2, "own", tamper_order_member(FIGHT, "own")),
	    "order.own", "");
	assert_int_equal(
	    vrf_prove(&tamper_table.server_dice, "x", 1, proof, beta), 0);
	tamper_bad(RETIRE,
	    tamper_with_order(RETIRE, 2, "own", js_hex(proof, VRF_PROOF_LEN)),
	    "order.own", "");
}

/* What the daemon would have refused stands in no good record. */
static void
orders_that_were_to_be_refused_are_bad(void **state)
{
	json_t *line, *order, *args;

	(void)state;
	/* Stale: other state lines stand between. */
	line = tamper_line_value(END_1);
	order = tamper_order_value(END_1);
	json_object_set_new(order, "after", json_integer(STAGGER));
	json_object_set_new(order, "head", tamper_line_hash(STAGGER));
	tamper_sign_into(line, 1, order);
	tamper_bad(END_1, line, "order.after", "moved on");
	/* A decision by the side that was not asked. */
	line = tamper_with_order(STAGGER, 2, "seat", json_integer(2));
	json_object_set_new(line, "seat", json_integer(2));
	tamper_bad(STAGGER, line, "order.seat", "other side's");
	/* An unlawful one, and one on another question. */
	args = table_json("{'kind':'stagger','order':[]}");
	tamper_bad(STAGGER, tamper_with_arg(STAGGER, 1, "decision", args),
	    "args.decision.order", "");
	tamper_bad(STAGGER, tamper_with_arg(STAGGER, 1, "ask", json_integer(4)),
	    "args.ask", "line 5");
	/* Another lawful one has other events. */
	args = table_json("{'kind':'stagger','order':[{'unit':'fr-1',"
			  "'possible':false}]}");
	tamper_bad(STAGGER, tamper_with_arg(STAGGER, 1, "decision", args),
	    "events", "");
	/* Facts that the rules refuse. */
	args = table_json("{'attackers':[],'defenders':[{'id':'ru-1'}],"
			  "'contacts':[]}");
	tamper_bad(FIGHT, tamper_with_arg(FIGHT, 1, "combat", args),
	    "args.combat.defenders[0].formation", "");
	/* A turn that is not his to end; one that a combat is in. */
	line = tamper_with_order(END_1, 2, "seat", json_integer(2));
	json_object_set_new(line, "seat", json_integer(2));
	tamper_bad(END_1, line, "order.seat", "other side's turn");
	line = tamper_line_value(STAGGER);
	order = tamper_order_value(STAGGER);
	json_object_set_new(order, "kind", json_string("turn.end"));
	json_object_set_new(order, "args", json_object());
	tamper_sign_into(line, 1, order);
	tamper_bad(STAGGER, line, "", "combat is open");
	/* Nothing follows a closed record. */
	line = tamper_line_value(CHAT_2);
	order = tamper_order_value(CHAT_2);
	json_object_set_new(order, "after", json_integer(CLOSE_2));
	json_object_set_new(order, "head", tamper_line_hash(CLOSE_2));
	json_object_set_new(
	    order, "nonce", json_string("0123456789abcdef0123456789abcdef"));
	tamper_sign_into(line, 2, order);
	json_object_set_new(line, "seq", json_integer(LINES));
	json_object_set_new(line, "prev", tamper_line_hash(CLOSE_2));
	json_object_set_new(line, "at", tamper_line_member(CLOSE_2, "at"));
	tamper_bad(LINES, line, "", "no line may follow");
	tamper_bad(CHAT_1, tamper_with_arg(CHAT_1, 1, "ref", json_string("hi")),
	    "args.ref", "");
}

/* Refused at its mark: another may be tried.  Refused after it: never. */
static void
a_verifier_takes_no_line_after_a_bad_one(void **state)
{
	struct errinfo e;
	struct verify *v;
	json_t *line;
	struct buf b;
	size_t i, n;

	(void)state;
	assert_int_equal(verify_new(&tamper_plain, &v), 0);
	assert_int_equal(
	    verify_add_blob(v, table_roster, strlen(table_roster)), 0);
	assert_null(verify_game(v));
	buf_init(&b, 0);
	for (i = 0; i < CHAT_1; i++) {
		n = tamper_table.starts[i + 1] - tamper_table.starts[i] - 1;
		buf_reset(&b);
		buf_add(
		    &b, tamper_table.record.data + tamper_table.starts[i], n);
		b.data[n - 5] = b.data[n - 5] == '0' ? '1' : '0';
		assert_int_equal(verify_line(v, b.data, n, &e), ERR_BAD);
		assert_int_equal(verify_line(v, b.data, n - 1, &e), ERR_BAD);
		assert_int_equal(
		    verify_line(v,
			tamper_table.record.data + tamper_table.starts[i], n,
			&e),
		    0);
		assert_int_equal(verify_report(v)->lines, i + 1);
	}
	assert_int_equal(game_seq(verify_game(v)), CHAT_1 - 1);
	buf_reset(&b);
	line = tamper_with_arg(CHAT_1, 1, "ref", json_string("hi"));
	tamper_put_marked(&b, line);
	json_decref(line);
	assert_int_equal(verify_line(v, b.data, b.len - 1, &e), ERR_BAD);
	n = tamper_table.starts[CHAT_1 + 1] - tamper_table.starts[CHAT_1] - 1;
	assert_int_equal(
	    verify_line(v,
		tamper_table.record.data + tamper_table.starts[CHAT_1], n, &e),
	    ERR_BAD);
	assert_non_null(strstr(e.text, "before this one"));
	buf_clear(&b);
	verify_free(v);
	verify_free(NULL);
}

/* Reads this line behind the lines before it, with an order of one's own. */
static int
read_with_own(size_t i, const json_t *line, const struct verify_own *own)
{
	struct errinfo e;
	struct verify *v;
	struct buf b;
	size_t n, k;
	int r;

	assert_int_equal(verify_new(&tamper_plain, &v), 0);
	assert_int_equal(
	    verify_add_blob(v, table_roster, strlen(table_roster)), 0);
	for (k = 0; k < i; k++) {
		n = tamper_table.starts[k + 1] - tamper_table.starts[k] - 1;
		assert_int_equal(
		    verify_line(v,
			tamper_table.record.data + tamper_table.starts[k], n,
			&e),
		    0);
	}
	buf_init(&b, 0);
	tamper_put_marked(&b, line);
	verify_set_own(v, own);
	r = verify_line(v, b.data, b.len - 1, &e);
	buf_clear(&b);
	verify_free(v);
	return (r);
}

/* What a line's order is, as somebody knows it who has made it. */
static void
own_of(const json_t *line, struct verify_own *own)
{
	const char *text = json_string_value(json_object_get(line, "order"));
	struct order o;

	memset(own, 0, sizeof(*own));
	assert_int_equal(order_parse(text, strlen(text), &o, NULL), 0);
	memcpy(own->oid, o.oid, HASH_LEN);
	order_clear(&o);
	assert_int_equal(
	    js_get_hex(line, "key", NULL, own->key, SIGN_KEY_LEN, NULL), 0);
	assert_int_equal(
	    js_get_hex(line, "sig", NULL, own->sig, SIGN_LEN, NULL), 0);
}

/* What one has made oneself is known to hold: that very thing, no more. */
static void
only_the_very_order_that_one_made_is_taken_unchecked(void **state)
{
	uint8_t proof[VRF_PROOF_LEN];
	struct verify_own own;
	json_t *kept, *line;

	(void)state;
	/* A signature that does not hold shows what is checked. */
	line = tamper_with(FIGHT, "sig", tamper_line_member(CHAT_1, "sig"));
	assert_int_equal(read_with_own(FIGHT, line, NULL), ERR_BAD);
	own_of(line, &own);
	assert_int_equal(read_with_own(FIGHT, line, &own), 0);
	own.oid[0] ^= 1;
	assert_int_equal(read_with_own(FIGHT, line, &own), ERR_BAD);
	own.oid[0] ^= 1;
	own.sig[0] ^= 1;
	assert_int_equal(read_with_own(FIGHT, line, &own), ERR_BAD);
	own.sig[0] ^= 1;
	own.key[0] ^= 1;
	assert_int_equal(read_with_own(FIGHT, line, &own), ERR_BAD);
	json_decref(line);
	/* Its proof counts under the pool and place where it was made alone. */
	line = tamper_with_order(
	    FIGHT, 1, "own", tamper_order_member(STAGGER, "own"));
	own_of(line, &own);
	assert_int_equal(read_with_own(FIGHT, line, &own), ERR_BAD);
	kept = tamper_order_member(STAGGER, "own");
	assert_int_equal(hex_parse(proof, sizeof(proof),
			     json_string_value(kept), 2 * sizeof(proof)),
	    0);
	json_decref(kept);
	own.memo.is_set = true;
	memcpy(own.memo.key, tamper_table.keys[1].dice.public_key, VRF_KEY_LEN);
	memcpy(own.memo.proof, proof, sizeof(proof));
	assert_int_equal(read_with_own(FIGHT, line, &own), ERR_BAD);
	json_decref(line);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_whole_record_is_good_and_finished),
	    cmocka_unit_test(
		every_beginning_of_a_record_is_good_and_unfinished),
	    cmocka_unit_test(without_rules_all_but_they_is_checked),
	    cmocka_unit_test(
		without_rules_questions_are_still_answered_by_who_owes_them),
	    cmocka_unit_test(
		only_the_very_order_that_one_made_is_taken_unchecked),
	    cmocka_unit_test(changed_dice_are_bad),
	    cmocka_unit_test(
		dice_where_none_fall_and_none_where_some_do_are_bad),
	    cmocka_unit_test(only_the_proof_over_these_contributions_will_do),
	    cmocka_unit_test(changed_events_are_bad),
	    cmocka_unit_test(pools_owes_and_opened_are_checked),
	    cmocka_unit_test(the_chain_is_checked),
	    cmocka_unit_test(an_order_is_tied_to_its_line_and_its_head),
	    cmocka_unit_test(keys_and_signatures_are_checked),
	    cmocka_unit_test(nonces_and_orders_are_used_once),
	    cmocka_unit_test(places_and_own_proofs_are_checked),
	    cmocka_unit_test(orders_that_were_to_be_refused_are_bad),
	    cmocka_unit_test(a_verifier_takes_no_line_after_a_bad_one),
	};

	return (
	    cmocka_run_group_tests(tests, tamper_setup_cb, tamper_teardown_cb));
}
