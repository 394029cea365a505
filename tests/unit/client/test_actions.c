/* SPDX-License-Identifier: ISC */
/*
 * Whose move it is, and the commands that are offered: each decision that is
 * offered must be one that the game takes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/xalloc.h"
#include "client/play/actions.h"
#include "client/play/answer.h"
#include "common/record/order_kind.h"
#include "tests/lib/table.h"

#define WORDS_MAX 64

/* What a seat may do now. */
static void
find(const struct table *t, int seat, struct actions *m)
{
	json_t *view = game_view(t->game);

	assert_non_null(view);
	actions_find(m, view, seat, "", "duel");
	m->ask = NULL; /* it lies in the view */
	json_decref(view);
}

/* Checks that the commands of a seat are these, parted by '|'. */
static void
offers(const struct table *t, int seat, bool is_mine, const char *commands)
{
	struct buf b;
	const json_t *v;
	struct actions m;
	size_t i;

	find(t, seat, &m);
	buf_init(&b, 0);
	json_array_foreach(m.commands, i, v)
	    buf_printf(&b, "%s%s", i == 0 ? "" : "|", json_string_value(v));
	assert_string_equal(buf_str(&b), commands);
	assert_true(m.is_mine == is_mine);
	assert_true(json_array_size(m.says) > 0);
	assert_true(*m.what != '\0');
	buf_clear(&b);
	actions_clear(&m);
}

static void
before_the_game_seats_and_ready_are_owed(void **state)
{
	struct table t;

	(void)state;
	table_init(&t);
	table_make_create(&t, table_create_args(&t, table_roster));
	assert_int_equal(table_open(&t), 0);
	offers(&t, 1, false, "");
	offers(&t, -1, false, "umpire join duel");
	assert_int_equal(
	    table_try(&t, 2, ORDER_JOIN, table_seat_args(&t, 2)), 0);
	offers(&t, 1, true, "umpire ready duel");
	offers(&t, 2, true, "umpire ready duel");
	offers(&t, -1, false, "");
	table_play(&t, 2, ORDER_READY, "{}");
	offers(&t, 2, false, "");
	table_clear(&t);
}

static void
the_side_in_turn_declares_or_ends_it(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	offers(&t, 1, true, "umpire declare duel FILE|umpire end-turn duel");
	offers(&t, 2, false, "");
	offers(&t, -1, false, "");
	table_play(&t, 1, ORDER_TURN_END, "{}");
	offers(&t, 1, false, "");
	offers(&t, 2, true, "umpire declare duel FILE|umpire end-turn duel");
	table_clear(&t);
}

static void
the_profile_goes_into_the_commands(void **state)
{
	struct table t;
	struct actions m;
	json_t *view;

	(void)state;
	table_begun(&t);
	view = game_view(t.game);
	actions_find(&m, view, 1, " --profile anna", "0123abcd");
	assert_string_equal(json_string_value(json_array_get(m.commands, 1)),
	    "umpire --profile anna end-turn 0123abcd");
	actions_clear(&m);
	json_decref(view);
	table_clear(&t);
}

/* Reads an offered command as the client would; the args of the order. */
static json_t *
read_command(const struct table *t, const char *command)
{
	struct errinfo e = {.text = ""};
	const char *words[WORDS_MAX];
	char *copy = xalloc_str(command), *w, *save = NULL;
	json_t *owed = table_owed(t), *decision, *args;
	int n = 0;

	for (w = strtok_r(copy, " ", &save); w != NULL;
	     w = strtok_r(NULL, " ", &save))
		words[n++] = w;
	assert_true(n > 4);
	assert_string_equal(words[1], "decide");
	if (answer_parse(json_string_value(json_object_get(owed, "kind")),
		json_object_get(owed, "options"), n - 3, words + 3, &decision,
		&e) != 0)
		fail_msg("'%s': %s", command, e.text);
	args = json_pack("{s:O, s:o}", "ask", json_object_get(owed, "ask"),
	    "decision", decision);
	assert_non_null(args);
	json_decref(owed);
	free(copy);
	return (args);
}

/* Gives every offered decision to a copy of the game. */
static size_t
try_offers(struct table *t)
{
	struct game *g = t->game;
	json_t *owed = table_owed(t);
	int side = (int)json_integer_value(json_object_get(owed, "side"));
	size_t i, n, lines = t->n_lines, len = t->record.len;
	struct actions m;
	int r;

	json_decref(owed);
	find(t, side == 1 ? 2 : 1, &m);
	assert_false(m.is_mine);
	assert_int_equal(json_array_size(m.commands), 0);
	actions_clear(&m);
	find(t, side, &m);
	assert_true(m.is_mine);
	n = json_array_size(m.commands);
	assert_true(n > 0);
	for (i = 0; i < n; i++) {
		t->game = g;
		t->game = table_copy(t);
		r = table_try(t, side, ORDER_DECIDE,
		    read_command(
			t, json_string_value(json_array_get(m.commands, i))));
		if (r != 0)
			fail_msg("'%s' is refused: %s: %s",
			    json_string_value(json_array_get(m.commands, i)),
			    t->e.where, t->e.text);
		game_free(t->game);
		t->n_lines = lines;
		t->record.len = len;
	}
	t->game = g;
	actions_clear(&m);
	return (n);
}

static void
every_decision_that_is_offered_is_taken(void **state)
{
	struct table t;
	size_t n = 0;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	while (table_is_asked(&t)) {
		n += try_offers(&t);
		table_answer(&t);
	}
	/* ru-a1, ru-a2, all, none; then what the dice bring. */
	assert_true(n >= 4);
	table_clear(&t);
}

static void
the_end_is_closed_by_both(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	table_play(&t, 2, ORDER_RESIGN, "{}");
	offers(&t, 1, true, "umpire close duel");
	offers(&t, 2, true, "umpire close duel");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	offers(&t, 2, false, "");
	table_play(&t, 1, ORDER_CLOSE, "{}");
	offers(&t, 1, false, "");
	table_clear(&t);
}

static void
an_offer_to_stop_is_told_to_both(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	offers(&t, 1, true, "umpire declare duel FILE|umpire end-turn duel");
	offers(&t, 2, false, "umpire close duel");
	table_clear(&t);
}

static const char secret_roster[] =
    "{\"blob\":\"roster\",\"system\":\"imagi-nations\",\"sides\":{"
    "\"1\":{\"units\":[{\"id\":\"a\",\"lead\":\"a-1\",\"battalions\":["
    "{\"id\":\"a-1\",\"quality\":\"elite\",\"sp\":99},"
    "{\"id\":\"a-2\",\"quality\":\"elite\",\"sp\":99}],\"commander\":2}]},"
    "\"2\":{\"units\":[{\"id\":\"b\",\"lead\":\"b-1\",\"battalions\":["
    "{\"id\":\"b-1\",\"quality\":\"raw\",\"sp\":99},"
    "{\"id\":\"b-2\",\"quality\":\"raw\",\"sp\":99}]}]}}}";

/* A game that asks both sides for a card, with sealed secrets. */
static int64_t
secret_asked(struct table *t)
{
	json_t *args;

	table_init(t);
	args = table_create_args(t, secret_roster);
	xalloc_set(args, "system", json_string("imagi-nations"));
	xalloc_set(args, "rules", json_string("imagi-nations/1"));
	xalloc_set(args, "secret", json_string("sealed"));
	table_make_create(t, args);
	assert_int_equal(table_open(t), 0);
	assert_int_equal(table_try(t, 2, ORDER_JOIN, table_seat_args(t, 2)), 0);
	table_play(t, 2, ORDER_READY, "{}");
	table_play(t, 1, ORDER_READY, "{}");
	table_play(t, 1, ORDER_DECLARE,
	    "{\"combat\":{\"attacker\":{\"units\":[{\"id\":\"a\"}]},"
	    "\"defender\":{\"units\":[{\"id\":\"b\"}]}}}");
	return (game_seq(t->game));
}

/* The order that commits to a card or opens it. */
static void
give_card(struct table *t, int seat, int64_t ask, enum order_kind kind,
    const char *card)
{
	uint8_t salt[RECORD_SALT_LEN] = {7}, commit[HASH_LEN];
	char text[80];
	json_t *args;

	(void)snprintf(text, sizeof(text),
	    "{\"kind\":\"tactic\",\"tactic\":\"%s\"}", card);
	args = xalloc_json(json_object());
	xalloc_set(args, "ask", json_integer(ask));
	if (kind == ORDER_COMMIT) {
		assert_int_equal(record_secret(commit, game_id(t->game), seat,
				     ask, salt, text, strlen(text)),
		    0);
		xalloc_set(args, "commit", js_hex(commit, HASH_LEN));
	} else {
		xalloc_set(args, "salt", js_hex(salt, sizeof(salt)));
		xalloc_set(args, "text", json_string(text));
	}
	if (table_try(t, seat, kind, args) != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
}

/* Checks that a seat is told this. */
static void
told(const struct table *t, int seat, const char *sentence)
{
	struct actions m;
	const json_t *v;
	bool is_told = false;
	size_t i;

	find(t, seat, &m);
	json_array_foreach(m.says, i, v) is_told |=
	    strcmp(json_string_value(v), sentence) == 0;
	if (!is_told)
		fail_msg("seat %d is not told: %s", seat, sentence);
	actions_clear(&m);
}

/* Checks that a seat is told this before anything else. */
static void
told_first(const struct table *t, int seat, const char *sentence)
{
	struct actions m;

	find(t, seat, &m);
	assert_string_equal(
	    json_string_value(json_array_get(m.says, 0)), sentence);
	actions_clear(&m);
}

#define ATTACKS                                           \
	"umpire decide duel tactic feint|umpire decide "  \
	"duel tactic prepared-attack|umpire decide duel " \
	"tactic hasty-attack|umpire decide duel tactic pinning-attack"
#define DEFENCES                                        \
	"umpire decide duel tactic hold|umpire decide " \
	"duel tactic counter-attack"

static void
both_sides_commit_and_open_and_know_who_has(void **state)
{
	struct table t;
	int64_t ask;

	(void)state;
	ask = secret_asked(&t);
	offers(&t, 1, true, ATTACKS);
	offers(&t, 2, true, DEFENCES);
	offers(&t, -1, false, "");
	told(&t, 1, "p2 (side 2) has not committed either.");
	told(&t, 2, "p1 (side 1) has not committed either.");
	told_first(&t, 1, "It is your move: a secret choice is owed (tactic).");
	told_first(&t, 2, "It is your move: a secret choice is owed (tactic).");
	told(&t, -1, "p1 (side 1) has not committed.");
	give_card(&t, 2, ask, ORDER_COMMIT, "hold");
	offers(&t, 1, true, ATTACKS);
	offers(&t, 2, false, "");
	offers(&t, -1, false, "");
	told(&t, 2, "You have committed; p1 (side 1) has not yet.");
	told(&t, 1,
	    "Your opponent has committed; both choices are shown once you "
	    "have, too.");
	told(&t, -1, "p1 (side 1) has not committed.");
	give_card(&t, 1, ask, ORDER_COMMIT, "prepared-attack");
	offers(&t, 1, true, "umpire open duel");
	offers(&t, 2, true, "umpire open duel");
	offers(&t, -1, false, "");
	give_card(&t, 1, ask, ORDER_OPEN, "prepared-attack");
	offers(&t, 1, false, "");
	told(&t, 1, "Waiting for p2 (side 2) to open the secret choice.");
	offers(&t, 2, true, "umpire open duel");
	give_card(&t, 2, ask, ORDER_OPEN, "hold");
	table_clear(&t);
}

static void
what_words_cannot_say_is_offered_as_json(void **state)
{
	static const char before[] = "umpire decide duel --decision '";
	struct actions m;
	struct table t;
	const char *s;
	json_t *view, *owed, *args;
	char *text;
	size_t i, n;
	int64_t ask;

	(void)state;
	ask = secret_asked(&t);
	give_card(&t, 1, ask, ORDER_COMMIT, "prepared-attack");
	give_card(&t, 2, ask, ORDER_COMMIT, "counter-attack");
	give_card(&t, 1, ask, ORDER_OPEN, "prepared-attack");
	give_card(&t, 2, ask, ORDER_OPEN, "counter-attack");
	owed = table_owed(&t);
	args = json_pack("{s:O, s:{s:s, s:i}}", "ask",
	    json_object_get(owed, "ask"), "decision", "kind", "chits", "number",
	    8);
	json_decref(owed);
	assert_int_equal(table_try(&t, 1, ORDER_DECIDE, args), 0);
	owed = table_owed(&t);
	/* The keys are fixed, and so are the dice: some chit hits. */
	assert_string_equal(
	    json_string_value(json_object_get(owed, "kind")), "allocate");
	ask = json_integer_value(json_object_get(owed, "side"));
	json_decref(owed);
	view = game_view(t.game);
	actions_find(&m, view, (int)ask, "", "duel");
	assert_int_equal(json_array_size(m.commands), 0);
	actions_suggest(&m, t.game, 3 - (int)ask, "", "duel");
	assert_int_equal(json_array_size(m.commands), 0);
	actions_suggest(&m, t.game, (int)ask, "", "duel");
	n = json_array_size(m.commands);
	assert_in_range(n, 1, 4);
	for (i = 0; i < n; i++) {
		s = json_string_value(json_array_get(m.commands, i));
		assert_memory_equal(s, before, strlen(before));
		text = xalloc_strn(
		    s + strlen(before), strlen(s) - strlen(before) - 1);
		args = table_json(text);
		if (game_check_decision(t.game, (int)ask, args, &t.e) != 0)
			fail_msg("%s: %s: %s", s, t.e.where, t.e.text);
		json_decref(args);
		free(text);
	}
	actions_suggest(&m, t.game, (int)ask, "", "duel");
	assert_int_equal(json_array_size(m.commands), n);
	actions_clear(&m);
	json_decref(view);
	table_clear(&t);
}

/* A view with these members over the usual ones of two sides. */
static json_t *
make_view(const char *more)
{
	static const char usual[] =
	    "{\"game\":\"ab\",\"phase\":\"play\",\"turn\":3,\"seats\":["
	    "{\"seat\":0,\"side\":0,\"account\":\"dora\"},"
	    "{\"seat\":1,\"side\":1,\"account\":\"anna\"},"
	    "{\"seat\":2,\"side\":2,\"account\":\"bert\"},"
	    "{\"seat\":3,\"side\":1,\"account\":\"carl\"}],"
	    "\"roster\":{\"1\":{\"name\":\"French\",\"units\":[{\"id\":"
	    "\"fr\"}],\"commanders\":[{\"id\":\"ney\"}]},\"2\":{\"name\":"
	    "\"Russians\",\"units\":[{\"id\":\"ru\"}]}},"
	    "\"result\":null,\"combat\":null,\"owed\":[{\"side\":1,"
	    "\"what\":\"turn\",\"since\":9}]}";
	json_t *view = table_json(usual), *o = table_json(more);

	assert_int_equal(json_object_update(view, o), 0);
	json_decref(o);
	return (view);
}

/* Checks what a seat may type in such a view, and one sentence. */
static void
sees(const char *more, int seat, bool is_mine, const char *commands,
    const char *sentence)
{
	json_t *view = make_view(more);
	bool is_told = *sentence == '\0';
	const json_t *v;
	struct actions m;
	struct buf b, says;
	size_t i;

	actions_find(&m, view, seat, "", "duel");
	buf_init(&b, 0);
	buf_init(&says, 0);
	json_array_foreach(m.commands, i, v) buf_printf(&b, "%s%s",
	    i == 0 ? "" : "|", json_string_value(v) + strlen("umpire "));
	json_array_foreach(m.says, i, v)
	{
		buf_printf(&says, "%s\n", json_string_value(v));
		if (strcmp(json_string_value(v), sentence) == 0)
			is_told = true;
	}
	assert_string_equal(buf_str(&b), commands);
	if (!is_told)
		fail_msg("seat %d is not told '%s' but\n%s", seat, sentence,
		    buf_str(&says));
	assert_true(m.is_mine == is_mine);
	buf_clear(&b);
	buf_clear(&says);
	actions_clear(&m);
	json_decref(view);
}

static void
all_of_a_side_may_move_and_the_director_may_not(void **state)
{
	(void)state;
	sees("{}", 1, true, "declare duel FILE|end-turn duel", "");
	sees("{}", 3, true, "declare duel FILE|end-turn duel", "");
	sees("{}", 2, false, "",
	    "Waiting for anna, carl (French), whose turn it is.");
	sees("{}", 0, false, "", "");
	sees("{}", -1, false, "", "");
}

static void
a_truce_keeps_from_declaring(void **state)
{
	(void)state;
	sees("{\"truce\":5}", 1, true, "end-turn duel",
	    "There is a truce: no combat is declared before turn 5.");
	sees("{\"truce\":4}", 2, false, "",
	    "There is a truce: no combat is declared before turn 4.");
	sees("{\"truce\":3}", 1, true, "declare duel FILE|end-turn duel", "");
	sees(
	    "{\"truce\":null}", 1, true, "declare duel FILE|end-turn duel", "");
}

#define ANSWER(seat) \
	"{\"owed\":[{\"seat\":" seat ",\"what\":\"answer\",\"since\":12}]}"

static void
an_answer_is_owed_by_one_seat(void **state)
{
	(void)state;
	sees(ANSWER("1"), 1, true, "answer duel agree|answer duel object",
	    "It is your move: line 12 waits for you to agree or to object.");
	sees(ANSWER("1"), 3, false, "",
	    "Waiting for anna (French) to agree to line 12, or object.");
	sees(ANSWER("1"), 2, false, "", "");
	sees(ANSWER("1"), 0, false, "", "");
	sees(ANSWER("0"), 0, true, "answer duel agree|answer duel object", "");
	sees(ANSWER("0"), 2, false, "",
	    "Waiting for dora (the director) to agree to line 12, or object.");
}

#define OFFER(members) "{\"offers\":[{\"seq\":14," members "}]}"

static void
offers_are_accepted_by_the_other_side(void **state)
{
	static const char draw[] =
	    OFFER("\"seat\":2,\"side\":2,\"what\":\"draw\"");

	(void)state;
	sees(draw, 1, true,
	    "declare duel FILE|end-turn duel|accept duel 14|decline duel 14",
	    "bert (Russians) offers a draw (line 14): accept or decline it.");
	sees(draw, 2, false, "withdraw duel 14",
	    "bert (Russians) offers a draw (line 14): you may withdraw it.");
	sees(draw, 0, false, "", "bert (Russians) offers a draw (line 14).");
	sees(draw, -1, false, "", "bert (Russians) offers a draw (line 14).");
	sees(OFFER("\"seat\":3,\"side\":1,\"what\":\"takeback\","
		   "\"from\":7"),
	    2, false, "accept duel 14|decline duel 14",
	    "carl (French) offers to take back all from line 7 on (line 14): "
	    "accept or decline it.");
	sees(OFFER("\"seat\":1,\"side\":1,\"what\":\"victory\","
		   "\"winner\":2"),
	    2, false, "accept duel 14|decline duel 14",
	    "anna (French) offers that Russians has won (line 14): accept or "
	    "decline it.");
	sees(OFFER("\"seat\":1,\"side\":1,\"what\":\"pause\",\"days\":1"), 2,
	    false, "accept duel 14|decline duel 14",
	    "anna (French) offers to pause for 1 day (line 14): accept or "
	    "decline it.");
}

static void
what_cannot_be_accepted_yet_is_not_proposed(void **state)
{
	(void)state;
	sees("{\"offers\":[{\"seq\":14,\"seat\":2,\"side\":2,\"what\":"
	     "\"draw\"}],\"owed\":[{\"seat\":2,\"what\":\"answer\","
	     "\"since\":15}]}",
	    1, false, "decline duel 14",
	    "It can be accepted once the answer is given.");
	sees("{\"offers\":[{\"seq\":14,\"seat\":2,\"side\":2,\"what\":"
	     "\"adjust\",\"units\":[{\"id\":\"ru\",\"hits\":1}]}],"
	     "\"combat\":{\"declare\":9},\"owed\":[]}",
	    1, false, "decline duel 14",
	    "It can be accepted once the combat is over.");
}

#define OWN(unit, fields)                                                    \
	"{\"owed\":[],\"options\":{\"owner_fields\":" fields "},\"offers\":" \
	"[{\"seq\":14,\"seat\":1,\"side\":1,\"what\":\"adjust\",\"units\":[" \
	"{\"id\":\"" unit "\",\"hits\":2,\"out\":\"left\"}]}]}"

static void
ones_own_changes_may_be_accepted_by_oneself(void **state)
{
	static const char both[] = "accept duel 14|withdraw duel 14";

	(void)state;
	sees(OWN("fr", "[\"hits\",\"out\"]"), 1, false, both, "");
	sees(OWN("ney", "[\"hits\",\"out\"]"), 3, false, both, "");
	sees(OWN("ru", "[\"hits\",\"out\"]"), 1, false, "withdraw duel 14", "");
	sees(OWN("fr", "[\"hits\"]"), 1, false, "withdraw duel 14", "");
	sees(OWN("fr", "null"), 1, false, "withdraw duel 14", "");
	sees(OWN("fr", "[\"hits\",\"out\"]"), 2, false,
	    "accept duel 14|decline duel 14", "");
}

#define RULING(accepted)                                              \
	"{\"owed\":[],\"offers\":[{\"seq\":14,\"seat\":0,\"side\":0," \
	"\"what\":\"ruling\",\"result\":0,\"accepted\":" accepted "}]}"

static void
rulings_are_accepted_by_the_first_two_seats(void **state)
{
	static const char both[] = "accept duel 14|decline duel 14";

	(void)state;
	sees(RULING("[]"), 1, false, both,
	    "dora (the director) rules that the game ends without a winner "
	    "(line 14): accept or decline it.");
	sees(RULING("[]"), 2, false, both, "");
	sees(RULING("[1]"), 1, false, "", "");
	sees(RULING("[1]"), 2, false, both, "");
	sees(RULING("[]"), 3, false, "",
	    "dora (the director) rules that the game ends without a winner "
	    "(line 14); seats 1 and 2 accept or decline it.");
	sees(RULING("[]"), 0, false, "withdraw duel 14", "");
}

#define TURN_UNTIL(at)                                                         \
	"{\"owed\":[{\"side\":1,\"what\":\"turn\",\"since\":9,\"until\":\"" at \
	"\"}]}"

static void
a_deadline_that_has_passed_may_be_claimed(void **state)
{
	static const char past[] = TURN_UNTIL("2020-01-01T00:00:00.000Z");
	static const char next[] = TURN_UNTIL("2999-01-01T00:00:00.000Z");

	(void)state;
	sees(past, 2, false, "claim duel", "");
	sees(past, 1, true, "declare duel FILE|end-turn duel", "");
	sees(past, 3, true, "declare duel FILE|end-turn duel", "");
	sees(past, 0, false, "", "");
	sees(past, -1, false, "", "");
	sees(next, 2, false, "", "");
	sees(next, 1, true, "declare duel FILE|end-turn duel", "");
}

static void
our_own_deadline_is_known(void **state)
{
	json_t *view = make_view(TURN_UNTIL("2999-01-01T00:00:00.000Z"));
	struct actions m;

	(void)state;
	actions_find(&m, view, 1, "", "duel");
	assert_true(m.until_ms > INT64_C(32000000000000));
	actions_clear(&m);
	actions_find(&m, view, 2, "", "duel");
	assert_int_equal(m.until_ms, -1);
	actions_clear(&m);
	json_decref(view);
}

static void
a_claim_waits_for_the_director(void **state)
{
	static const char waits[] =
	    "{\"adjudication\":21,\"owed\":[{\"seat\":0,\"what\":\"ruling\","
	    "\"since\":21}]}";

	(void)state;
	sees(waits, 0, true,
	    "ruling duel forfeit --why TEXT|ruling duel extend 1d --why TEXT",
	    "It is your move: rule on the claim of line 21.");
	sees(waits, 1, false, "",
	    "Waiting for dora (the director) to rule on the claim of line 21.");
}

static void
free_seats_are_joined_each_by_its_command(void **state)
{
	static const char muster[] =
	    "{\"phase\":\"muster\",\"seats\":[{\"seat\":0,\"side\":0,"
	    "\"account\":\"\"},{\"seat\":1,\"side\":1,\"account\":"
	    "\"anna\"},{\"seat\":2,\"side\":2,\"account\":\"\"},"
	    "{\"seat\":3,\"side\":1,\"account\":\"\"}],\"owed\":["
	    "{\"seat\":0,\"what\":\"join\",\"since\":0},"
	    "{\"seat\":2,\"what\":\"join\",\"since\":0},"
	    "{\"seat\":3,\"what\":\"join\",\"since\":0}]}";

	(void)state;
	sees(muster, -1, false, "join duel --seat 0|join duel",
	    "Waiting for a director in seat 0.");
	sees(muster, -1, false, "join duel --seat 0|join duel",
	    "Waiting for players in seats 2 (Russians), 3 (French).");
	sees(muster, 1, false, "", "  umpire join ab --seat 0");
	sees(muster, 1, false, "", "  umpire join ab");
	sees(muster, 1, false, "",
	    "Waiting for players in seats 2 (Russians), 3 (French), who type:");
}

static void
each_way_to_end_is_told_in_words(void **state)
{
	(void)state;
	sees("{\"owed\":[],\"result\":{\"winner\":1,\"how\":\"resign\"}}", 2,
	    false, "",
	    "anna, carl (French) won the game: the other side resigned.");
	sees("{\"owed\":[],\"result\":{\"winner\":2,\"how\":\"agreed\"}}", 1,
	    false, "", "bert (Russians) won the game, as both sides agreed.");
	sees("{\"owed\":[],\"result\":{\"winner\":null,\"how\":\"draw\"}}", 1,
	    false, "", "The game ended in a draw, as both sides agreed.");
	sees("{\"owed\":[],\"result\":{\"winner\":null,\"how\":\"so\"}}", 1,
	    false, "", "The game is over.");
	sees("{\"owed\":[],\"phase\":\"halted\"}", -1, false, "",
	    "The game is halted: the rules code failed on the server, and the "
	    "record says so.");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(before_the_game_seats_and_ready_are_owed),
	    cmocka_unit_test(the_side_in_turn_declares_or_ends_it),
	    cmocka_unit_test(the_profile_goes_into_the_commands),
	    cmocka_unit_test(every_decision_that_is_offered_is_taken),
	    cmocka_unit_test(the_end_is_closed_by_both),
	    cmocka_unit_test(an_offer_to_stop_is_told_to_both),
	    cmocka_unit_test(both_sides_commit_and_open_and_know_who_has),
	    cmocka_unit_test(what_words_cannot_say_is_offered_as_json),
	    cmocka_unit_test(all_of_a_side_may_move_and_the_director_may_not),
	    cmocka_unit_test(a_truce_keeps_from_declaring),
	    cmocka_unit_test(an_answer_is_owed_by_one_seat),
	    cmocka_unit_test(offers_are_accepted_by_the_other_side),
	    cmocka_unit_test(what_cannot_be_accepted_yet_is_not_proposed),
	    cmocka_unit_test(ones_own_changes_may_be_accepted_by_oneself),
	    cmocka_unit_test(rulings_are_accepted_by_the_first_two_seats),
	    cmocka_unit_test(a_deadline_that_has_passed_may_be_claimed),
	    cmocka_unit_test(our_own_deadline_is_known),
	    cmocka_unit_test(a_claim_waits_for_the_director),
	    cmocka_unit_test(each_way_to_end_is_told_in_words),
	    cmocka_unit_test(free_seats_are_joined_each_by_its_command),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
