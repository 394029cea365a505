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
#include "client/play/action.h"
#include "client/play/actions.h"
#include "client/play/decision.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "tests/lib/claim.h"
#include "tests/lib/table.h"

#define WORDS_MAX 64

/* Checks that the commands of a seat are these, parted by '|'. */
static void
commands_are(
    const struct actions *a, const char *name, size_t skip, const char *want)
{
	struct buf b;
	size_t i;
	char *s;

	buf_init(&b, 0);
	for (i = 0; i < a->n; i++) {
		s = action_command(&a->list[i], "", name);
		buf_printf(&b, "%s%s", i == 0 ? "" : "|", s + skip);
		free(s);
	}
	assert_string_equal(buf_str(&b), want);
	buf_clear(&b);
}

/* The same of a seat at a table. */
static void
offers(const struct table *t, int seat, bool is_mine, const char *commands)
{
	struct actions a;

	actions_find(&a, t->game, NULL, seat);
	commands_are(&a, "duel", 0, commands);
	assert_true(a.is_mine == is_mine);
	assert_true(a.n_says > 0);
	assert_true(*a.what != '\0');
	actions_clear(&a);
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
a_new_dice_key_has_everybody_say_ready_again(void **state)
{
	struct vrf_key new;
	uint8_t secret[32] = {7};
	struct table t;
	json_t *args;

	(void)state;
	assert_int_equal(vrf_key_from_secret(&new, secret), 0);
	table_begun(&t);
	args = xalloc_json(json_pack(
	    "{s:o}", "dice_key", js_hex(new.public_key, VRF_KEY_LEN)));
	assert_int_equal(table_try(&t, 1, ORDER_DICE_KEY, args), 0);
	offers(&t, 1, true, "umpire declare duel FILE|umpire end-turn duel");
	table_play(&t, 1, ORDER_TURN_END, "{}");
	t.keys[1].dice = new;
	offers(&t, 1, true, "umpire ready duel");
	offers(&t, 2, true, "umpire ready duel");
	offers(&t, -1, false, "");
	table_play(&t, 1, ORDER_READY, "{}");
	offers(&t, 1, false, "");
	table_play(&t, 2, ORDER_READY, "{}");
	offers(&t, 2, true, "umpire declare duel FILE|umpire end-turn duel");
	table_clear(&t);
}

static void
the_profile_goes_into_the_commands(void **state)
{
	struct table t;
	struct actions a;
	char *s;

	(void)state;
	table_begun(&t);
	actions_find(&a, t.game, NULL, 1);
	s = action_command(&a.list[1], " --profile anna", "0123abcd");
	assert_string_equal(s, "umpire --profile anna end-turn 0123abcd");
	free(s);
	actions_clear(&a);
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
	if (decision_parse(json_string_value(json_object_get(owed, "kind")),
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
	struct actions a;
	json_t *args;
	char *s;
	int r;

	json_decref(owed);
	actions_find(&a, g, NULL, side == 1 ? 2 : 1);
	assert_false(a.is_mine);
	assert_int_equal(a.n, 0);
	actions_clear(&a);
	actions_find(&a, g, NULL, side);
	assert_true(a.is_mine);
	n = a.n;
	assert_true(n > 0);
	for (i = 0; i < n; i++) {
		t->game = g;
		s = action_command(&a.list[i], "", "duel");
		args = read_command(t, s);
		/* What is shown and what would be given are the same. */
		assert_true(json_equal(
		    json_object_get(args, "decision"), a.list[i].args));
		t->game = table_copy(t);
		r = table_try(t, side, ORDER_DECIDE, args);
		if (r != 0)
			fail_msg("'%s' is refused: %s: %s", s, t->e.where,
			    t->e.text);
		free(s);
		game_free(t->game);
		t->n_lines = lines;
		t->record.len = len;
	}
	t->game = g;
	actions_clear(&a);
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
    "{'blob':'roster','system':'imagi-nations','sides':{'1':{'units':["
    "{'id':'a','lead':'a-1','battalions':[{'id':'a-1','quality':'elite',"
    "'sp':99},{'id':'a-2','quality':'elite','sp':99}],'commander':2}]},"
    "'2':{'units':[{'id':'b','lead':'b-1','battalions':["
    "{'id':'b-1','quality':'raw','sp':99},{'id':'b-2','quality':'raw',"
    "'sp':99}]}]}}}";

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
	    "{'combat':{'attacker':{'units':[{'id':'a'}]},'defender':{'units':["
	    "{'id':'b'}]}}}");
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
	bool is_told = false;
	struct actions a;
	size_t i;

	actions_find(&a, t->game, NULL, seat);
	for (i = 0; i < a.n_says; i++)
		is_told |= strcmp(a.says[i].text, sentence) == 0;
	if (!is_told)
		fail_msg("seat %d is not told: %s", seat, sentence);
	actions_clear(&a);
}

/* Checks that a seat is told this before anything else, and that it is bold. */
static void
told_first(const struct table *t, int seat, const char *sentence)
{
	struct actions a;

	actions_find(&a, t->game, NULL, seat);
	assert_true(a.n_says > 1);
	assert_string_equal(a.says[0].text, sentence);
	assert_true(a.says[0].is_mine);
	assert_false(a.says[1].is_mine);
	actions_clear(&a);
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
	struct actions a;
	struct table t;
	json_t *owed, *args;
	char *s, *text;
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
	actions_find(&a, t.game, NULL, (int)ask);
	assert_int_equal(a.n, 0);
	actions_suggest(&a, t.game, 3 - (int)ask);
	assert_int_equal(a.n, 0);
	actions_suggest(&a, t.game, (int)ask);
	n = a.n;
	assert_in_range(n, 1, 4);
	for (i = 0; i < n; i++) {
		s = action_command(&a.list[i], "", "duel");
		assert_memory_equal(s, before, strlen(before));
		text = xalloc_strn(
		    s + strlen(before), strlen(s) - strlen(before) - 1);
		args = table_json(text);
		if (game_check_decision(t.game, (int)ask, args, &t.e) != 0)
			fail_msg("%s: %s: %s", s, t.e.where, t.e.text);
		json_decref(args);
		free(text);
		free(s);
	}
	actions_suggest(&a, t.game, (int)ask);
	assert_int_equal(a.n, n);
	actions_clear(&a);
	table_clear(&t);
}

static const char two_sides[] =
    "{'blob':'roster','system':'lasalle2','sides':{'1':{'name':'French',"
    "'units':[{'id':'fr','arm':'infantry','strength':5}]},"
    "'2':{'name':'Russians','units':[{'id':'ru','arm':'infantry',"
    "'strength':4}]}}}";

/*
 * Dora directs, anna and carl play side 1, and bert side 2, whose second seat
 * is empty; these members are in the create order as well.
 */
static void
sit(struct table *t, const char *more)
{
	static const char *const names[] = {"dora", "anna", "bert", "carl"};
	json_t *args, *v = table_json(more);
	int i;

	table_init(t);
	args = table_create_args(t, two_sides);
	assert_int_equal(json_object_update(args, v), 0);
	json_decref(v);
	table_make_create(t, args);
	if (table_open(t) != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
	for (i = 0; i < 4; i++) {
		if (i != 1)
			assert_int_equal(
			    table_try(t, i, ORDER_JOIN, table_seat_args(t, i)),
			    0);
		memcpy(t->game->seats[i].account, names[i], 5);
	}
}

#define SEATS(more) "{'options':{'seats':3,'director':true" more "}}"

/* The same, and play has begun. */
static void
begin(struct table *t, const char *more)
{
	sit(t, more);
	claim_ready(t);
}

/* Checks what a seat may type, and one sentence. */
static void
sees(const struct table *t, int seat, bool is_mine, const char *commands,
    const char *sentence)
{
	bool is_told = *sentence == '\0';
	struct actions a;
	struct buf says;
	size_t i;

	actions_find(&a, t->game, NULL, seat);
	buf_init(&says, 0);
	for (i = 0; i < a.n_says; i++) {
		buf_printf(&says, "%s\n", a.says[i].text);
		is_told |= strcmp(a.says[i].text, sentence) == 0;
		assert_true(a.says[i].is_mine ==
		    (strncmp(a.says[i].text, "It is your move: ", 17) == 0));
	}
	commands_are(&a, "duel", strlen("umpire "), commands);
	if (!is_told)
		fail_msg("seat %d is not told '%s' but\n%s", seat, sentence,
		    buf_str(&says));
	assert_true(a.is_mine == is_mine);
	buf_clear(&says);
	actions_clear(&a);
}

static void
all_of_a_side_may_move_and_the_director_may_not(void **state)
{
	struct table t;

	(void)state;
	begin(&t, SEATS(""));
	sees(&t, 1, true, "declare duel FILE|end-turn duel", "");
	sees(&t, 3, true, "declare duel FILE|end-turn duel", "");
	sees(&t, 2, false, "",
	    "Waiting for anna, carl (French), whose turn it is.");
	sees(&t, 0, false, "", "");
	sees(&t, -1, false, "", "");
	table_clear(&t);
}

static void
a_truce_keeps_from_declaring(void **state)
{
	struct table t;

	(void)state;
	begin(&t, SEATS(""));
	t.game->truce = 3;
	sees(&t, 1, true, "end-turn duel",
	    "There is a truce: no combat is declared before turn 3.");
	t.game->truce = 2;
	sees(&t, 2, false, "",
	    "There is a truce: no combat is declared before turn 2.");
	t.game->truce = 1;
	sees(&t, 1, true, "declare duel FILE|end-turn duel", "");
	t.game->truce = 0;
	sees(&t, 1, true, "declare duel FILE|end-turn duel", "");
	table_clear(&t);
}

/* Line 12 waits for a seat. */
static void
owe(struct table *t, int seat)
{
	t->game->owed.is_owed = true;
	t->game->owed.seat = seat;
	t->game->owed.seq = 12;
}

static void
an_answer_is_owed_by_one_seat(void **state)
{
	struct table t;

	(void)state;
	begin(&t, SEATS(""));
	owe(&t, 1);
	sees(&t, 1, true, "answer duel agree|answer duel object",
	    "It is your move: line 12 waits for you to agree or to object.");
	sees(&t, 3, false, "",
	    "Waiting for anna (French) to agree to line 12, or object.");
	sees(&t, 2, false, "", "");
	sees(&t, 0, false, "", "");
	t.game->owed.is_final = true;
	sees(&t, 1, true, "answer duel agree",
	    "It is your move: line 12 waits for you to agree.");
	t.game->owed.is_final = false;
	owe(&t, 0);
	sees(&t, 0, true, "answer duel agree|answer duel object", "");
	sees(&t, 2, false, "",
	    "Waiting for dora (the director) to agree to line 12, or object.");
	table_clear(&t);
}

/* Puts an offer of a seat on the list, as line 14, in place of any other. */
static void
offer(struct table *t, int seat, enum game_offer_what what, const char *args)
{
	struct game_offer *f;

	game_offer_clear(t->game);
	assert_non_null(f = calloc(1, sizeof(*f)));
	f->seq = 14;
	f->seat = seat;
	f->what = what;
	f->args = table_json(args);
	t->game->offers = f;
	t->game->n_offers = 1;
}

static void
offers_are_accepted_by_the_other_side(void **state)
{
	struct table t;

	(void)state;
	begin(&t, SEATS(""));
	offer(&t, 2, GAME_OFFER_DRAW, "{'what':'draw'}");
	sees(&t, 1, true,
	    "declare duel FILE|end-turn duel|accept duel 14|decline duel 14",
	    "bert (Russians) offers a draw (line 14): accept or decline it.");
	sees(&t, 2, false, "withdraw duel 14",
	    "You offer a draw (line 14): you may withdraw it.");
	sees(&t, 0, false, "", "bert (Russians) offers a draw (line 14).");
	sees(&t, -1, false, "", "bert (Russians) offers a draw (line 14).");
	offer(&t, 3, GAME_OFFER_TAKEBACK, "{'what':'takeback','from':7}");
	sees(&t, 2, false, "accept duel 14|decline duel 14",
	    "carl (French) asks to take back line 7 and what came after it "
	    "(line 14): "
	    "accept or decline it.");
	offer(&t, 1, GAME_OFFER_VICTORY, "{'what':'victory','winner':2}");
	sees(&t, 2, false, "accept duel 14|decline duel 14",
	    "anna (French) offers that Russians has won (line 14): accept or "
	    "decline it.");
	offer(&t, 1, GAME_OFFER_PAUSE, "{'what':'pause','days':1}");
	sees(&t, 2, false, "accept duel 14|decline duel 14",
	    "anna (French) offers to pause for 1 day (line 14): accept or "
	    "decline it.");
	table_clear(&t);
}

static void
what_cannot_be_accepted_yet_is_not_proposed(void **state)
{
	struct table t;

	(void)state;
	begin(&t, SEATS(""));
	offer(&t, 2, GAME_OFFER_DRAW, "{'what':'draw'}");
	owe(&t, 2);
	sees(&t, 1, false, "decline duel 14",
	    "It can be accepted once the answer is given.");
	t.game->owed.is_owed = false;
	offer(&t, 2, GAME_OFFER_ADJUST,
	    "{'what':'adjust','units':[{'id':'ru','strength':1}]}");
	t.game->combat.is_open = true;
	t.game->combat.ask_side = 2;
	sees(&t, 1, false, "decline duel 14",
	    "It can be accepted once the combat is over.");
	t.game->combat.is_open = false;
	table_clear(&t);
}

#define OWN(unit)                                \
	"{'what':'adjust','units':[{'id':'" unit \
	"','strength':2,'out':'left'}]}"

static void
ones_own_changes_may_be_accepted_by_oneself(void **state)
{
	static const char both[] = "accept duel 14|withdraw duel 14";
	static const char turn[] =
	    "declare duel FILE|end-turn duel|withdraw duel 14";
	static const char turn_both[] =
	    "declare duel FILE|end-turn duel|accept duel 14|withdraw duel 14";
	struct table t;

	(void)state;
	begin(&t, SEATS(",'owner_fields':['strength','out']"));
	offer(&t, 2, GAME_OFFER_ADJUST, OWN("ru"));
	sees(&t, 2, false, both,
	    "You propose to change ru: strength 4 -> 2, out none "
	    "-> left (line 14): accept or withdraw it.");
	offer(&t, 2, GAME_OFFER_ADJUST, OWN("fr"));
	sees(&t, 2, false, "withdraw duel 14", "");
	offer(&t, 1, GAME_OFFER_ADJUST, OWN("fr"));
	sees(&t, 1, true, turn_both, "");
	sees(&t, 3, true, turn_both, "");
	sees(&t, 2, false, "accept duel 14|decline duel 14", "");
	table_clear(&t);
	begin(&t, SEATS(",'owner_fields':['strength']"));
	offer(&t, 1, GAME_OFFER_ADJUST, OWN("fr"));
	sees(&t, 1, true, turn, "");
	table_clear(&t);
	begin(&t, SEATS(""));
	offer(&t, 1, GAME_OFFER_ADJUST, OWN("fr"));
	sees(&t, 1, true, turn, "");
	table_clear(&t);
}

static void
rulings_are_accepted_by_the_first_two_seats(void **state)
{
	static const char both[] = "accept duel 14|decline duel 14";
	struct table t;

	(void)state;
	begin(&t, SEATS(""));
	/* Nobody is to move: no turn is among what they may do. */
	owe(&t, 2);
	t.game->owed.is_owed = false;
	t.game->combat.is_open = true;
	t.game->combat.is_secret = true;
	t.game->combat.ask_side = 0;
	t.game->combat.secrets[1].is_committed = true;
	t.game->combat.secrets[2].is_committed = true;
	offer(&t, 0, GAME_OFFER_RULING, "{'result':0}");
	sees(&t, 1, false, both,
	    "dora (the director) rules that the game ends in a draw "
	    "(line 14): accept or decline it.");
	sees(&t, 2, false, both, "");
	sees(&t, 3, false, "",
	    "dora (the director) rules that the game ends in a draw "
	    "(line 14); seats 1 and 2 accept or decline it.");
	sees(&t, 0, false, "withdraw duel 14", "");
	t.game->offers[0].is_accepted[1] = true;
	sees(&t, 1, false, "", "");
	sees(&t, 2, false, both, "");
	t.game->combat.is_open = false;
	table_clear(&t);
}

#define CLOCK                                     \
	"{'options':{'seats':3,'director':true}," \
	"'clock':{'per':'order','first_s':86400,'then':'forfeit'}}"

static void
a_deadline_that_has_passed_may_be_claimed(void **state)
{
	struct table t;

	(void)state;
	begin(&t, CLOCK);
	/* The clocks of tests stand far in the past. */
	assert_true(game_deadline_ms(t.game, 1) > 0);
	t.game->clock.sides[1].left = 0;
	t.game->clock.sides[1].since = 1000;
	sees(&t, 2, false, "claim duel", "");
	sees(&t, 1, true, "declare duel FILE|end-turn duel", "");
	sees(&t, 3, true, "declare duel FILE|end-turn duel", "");
	sees(&t, 0, false, "", "");
	sees(&t, -1, false, "", "");
	t.game->clock.sides[1].left = INT64_C(9000000000000);
	sees(&t, 2, false, "", "");
	sees(&t, 1, true, "declare duel FILE|end-turn duel", "");
	table_clear(&t);
}

static void
our_own_deadline_is_known(void **state)
{
	struct actions a;
	struct table t;

	(void)state;
	begin(&t, CLOCK);
	t.game->clock.sides[1].left = INT64_C(9000000000000);
	actions_find(&a, t.game, NULL, 1);
	assert_true(a.until_ms > INT64_C(9000000000000));
	actions_clear(&a);
	actions_find(&a, t.game, NULL, 2);
	assert_int_equal(a.until_ms, -1);
	actions_clear(&a);
	table_clear(&t);
}

static void
a_claim_waits_for_the_director(void **state)
{
	struct table t;

	(void)state;
	begin(&t, SEATS(""));
	t.game->clock.claim_seq = 21;
	sees(&t, 0, true,
	    "ruling duel forfeit --why TEXT|ruling duel extend 1d --why TEXT",
	    "It is your move: rule on the claim of line 21.");
	sees(&t, 1, true, "declare duel FILE|end-turn duel",
	    "Waiting for dora (the director) to rule on the claim of line 21.");
	table_clear(&t);
}

static void
free_seats_are_joined_each_by_its_command(void **state)
{
	char told[2][2 * HASH_LEN + 40], hex[2 * HASH_LEN + 1];
	struct table t;

	(void)state;
	sit(&t, SEATS(""));
	memset(&t.game->seats[0], 0, sizeof(t.game->seats[0]));
	memset(&t.game->seats[2], 0, sizeof(t.game->seats[2]));
	memset(&t.game->seats[3], 0, sizeof(t.game->seats[3]));
	hex_format(hex, game_id(t.game), HASH_LEN);
	(void)snprintf(
	    told[0], sizeof(told[0]), "  umpire join %.16s --seat 0", hex);
	(void)snprintf(told[1], sizeof(told[1]), "  umpire join %s", hex);
	sees(&t, -1, false, "join duel --seat 0|join duel",
	    "Waiting for a director in seat 0.");
	sees(&t, -1, false, "join duel --seat 0|join duel",
	    "Waiting for players in seats 2 (Russians), 3 (French).");
	sees(&t, 1, false, "", told[0]);
	sees(&t, 1, false, "", told[1]);
	sees(&t, 1, false, "",
	    "Waiting for players in seats 2 (Russians), 3 (French), who type:");
	table_clear(&t);
}

/* The game is over, so, and everybody has closed it. */
static void
end(struct table *t, enum game_how how, int winner)
{
	int i;

	t->game->phase = GAME_OVER;
	t->game->how = how;
	t->game->winner = winner;
	for (i = 0; i < 4; i++)
		t->game->seats[i].close_seq = 9;
}

static void
each_way_to_end_is_told_in_words(void **state)
{
	struct table t;

	(void)state;
	begin(&t, SEATS(""));
	end(&t, GAME_RESIGNED, 1);
	sees(&t, 2, false, "",
	    "anna, carl (French) won the game: the other side resigned.");
	end(&t, GAME_AGREED, 2);
	sees(&t, 1, false, "",
	    "bert (Russians) won the game, as both sides agreed.");
	end(&t, GAME_DRAWN, 0);
	sees(&t, 1, false, "",
	    "The game ended in a draw, as both sides agreed.");
	end(&t, GAME_UNDECIDED, 0);
	t.game->phase = GAME_HALTED;
	sees(&t, -1, false, "",
	    "The game is halted: the rules code failed on the server, and the "
	    "record says so.");
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(before_the_game_seats_and_ready_are_owed),
	    cmocka_unit_test(the_side_in_turn_declares_or_ends_it),
	    cmocka_unit_test(a_new_dice_key_has_everybody_say_ready_again),
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
