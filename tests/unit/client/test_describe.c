/* SPDX-License-Identifier: ISC */
/*
 * What became of the lines of a copy, in words and for programs: offers and
 * how they ended, lines taken back, claims that took effect or not, changes
 * from what to what; and the file of own standing orders.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "client/replica/standing.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "tests/lib/table.h"

#define HOUR_MS 3600000

static char dir[] = "/tmp/umpire-past.XXXXXX";

/* A game, a profile that pins its server, the copy. */
struct desk {
	struct table t;
	struct profile *p;
	struct replica *c; /* owned; kept */
};

/* Brings the copy up to the record. */
static void
follow(struct desk *d)
{
	struct errinfo e = {.text = ""};
	size_t i, len;

	for (i = (size_t)d->c->n; i < d->t.n_lines; i++) {
		len = d->t.starts[i + 1] - d->t.starts[i] - 1;
		if (replica_add(d->c, (int64_t)i,
			d->t.record.data + d->t.starts[i], len, "", &e) != 0)
			fail_msg("line %zu: %s: %s", i, e.where, e.text);
	}
}

/* Gives the copy the blobs of the game. */
static void
add_blobs(struct desk *d)
{
	uint8_t hash[HASH_LEN];
	struct errinfo e = {.text = ""};
	const char *name;
	struct buf b;
	json_t *s;

	json_object_foreach(d->t.blobs, name, s)
	{
		buf_init(&b, 0);
		assert_int_equal(
		    hex_parse(hash, HASH_LEN, name, strlen(name)), 0);
		record_write_blob(
		    &b, hash, json_string_value(s), json_string_length(s));
		assert_int_equal(
		    replica_add_side(d->c, buf_str(&b), b.len, &e), 0);
		buf_clear(&b);
	}
}

/* The settings of the games here. */
static const char settings[] =
    "{'clock':{'per':'order','first_s':3600,'holidays':2,'then':'director'},"
    "'options':{'director':true,'owner_fields':['strength']}}";

/* Makes a game that has begun, and the profile. */
static int
setup(void **state)
{
	struct desk *d = xalloc(sizeof(*d));
	struct errinfo e = {.text = ""};
	bool is_new;

	(void)snprintf(dir, sizeof(dir), "/tmp/umpire-past.XXXXXX");
	assert_non_null(mkdtemp(dir));
	assert_int_equal(setenv("HOME", dir, 1), 0);
	assert_int_equal(setenv("XDG_DATA_HOME", dir, 1), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", dir, 1), 0);
	assert_int_equal(profile_open("anna", &d->p, &e), 0);
	assert_int_equal(profile_make(d->p, &is_new, NULL, NULL, &e), 0);
	table_begun_with(&d->t, table_roster, settings);
	memcpy(d->p->pin, d->t.server.public_key, SIGN_KEY_LEN);
	d->p->has_pin = true;
	assert_int_equal(replica_open(d->p, game_id(d->t.game), &d->c, &e), 0);
	add_blobs(d);
	follow(d);
	assert_int_equal(replica_keep(d->c, &e), 0);
	*state = d;
	return (0);
}

/* Removes everything. */
static int
teardown(void **state)
{
	struct desk *d = *state;
	pid_t pid;

	replica_close(d->c);
	profile_free(d->p);
	table_clear(&d->t);
	free(d);
	if ((pid = fork()) == 0) {
		(void)execlp("rm", "rm", "-rf", dir, (char *)NULL);
		_exit(127);
	}
	(void)waitpid(pid, NULL, 0);
	return (0);
}

/* Gives an order and follows; the number of its line. */
static int64_t
give(struct desk *d, int seat, enum order_kind kind, const char *fmt, ...)
{
	char args[2048];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(args, sizeof(args), fmt, ap);
	va_end(ap);
	table_play(&d->t, seat, kind, args);
	follow(d);
	return (d->c->n - 1);
}

/* What a line did. */
static const struct game_entry *
entry(struct desk *d, int64_t seq)
{
	return (battle_entry(replica_battle(d->c), seq));
}

/* Checks how an offer ended. */
static void
ends(struct desk *d, int64_t seq, const char *fate, int64_t by)
{
	const struct game_entry *en = entry(d, seq);

	assert_string_equal(describe_fate(en->fate), fate);
	assert_int_equal(en->fate_by, by);
}

/* Checks the sentence of a line. */
static void
tells(struct desk *d, int64_t seq, const char *wanted)
{
	const struct battle *b = replica_battle(d->c);
	struct battle_line bl;
	char *s;

	assert_true(battle_read(b, seq, &bl));
	s = describe_line(b, &bl);
	assert_string_equal(s, wanted);
	free(s);
	battle_clear(&bl);
}

static void
offers_end_in_four_ways(void **state)
{
	struct desk *d = *state;
	int64_t a, b, by, other;

	a = give(d, 1, ORDER_OFFER, "{'what':'draw'}");
	ends(d, a, "open", -1);
	tells(d, a, "p1 offers a draw");
	by = give(d, 2, ORDER_NOTE, "{'to':%d,'say':'decline'}", (int)a);
	ends(d, a, "declined", by);
	b = give(d, 1, ORDER_OFFER, "{'what':'pause','days':3}");
	tells(d, b, "p1 offers a pause of 3 days");
	by = give(d, 1, ORDER_NOTE, "{'to':%d,'say':'withdraw'}", (int)b);
	ends(d, b, "withdrawn", by);
	a = give(d, 2, ORDER_OFFER, "{'what':'truce','turns':1}");
	tells(d, a, "p2 offers that no combat is declared for 1 turn");
	other = give(d, 1, ORDER_TURN_END, "{}");
	ends(d, a, "lapsed", -1);
	b = give(d, 1, ORDER_OFFER, "{'what':'victory','winner':2}");
	by = give(d, 2, ORDER_ACCEPT, "{'to':%d}", (int)b);
	ends(d, b, "accepted", by);
	ends(d, other, "", -1);
	tells(d, b, "p1 offers victory for side 2");
}

static void
lines_taken_back_are_known(void **state)
{
	struct desk *d = *state;
	int64_t by, chat, cup, end, from, offer, roll;

	assert_int_equal(game_undoable(replica_game(d->c), INT64_MAX), -1);
	cup = give(
	    d, 1, ORDER_CUP, "{'do':'make','cup':'events','items':['a','b']}");
	from = give(d, 1, ORDER_FREE, "{'cup':'events','draw':2}");
	roll = give(d, 1, ORDER_FREE, "{'dice':2,'sides':6}");
	assert_true(battle_is_undoable(replica_battle(d->c), roll));
	assert_false(battle_is_undoable(replica_battle(d->c), cup));
	assert_int_equal(game_undoable(replica_game(d->c), INT64_MAX), roll);
	assert_int_equal(game_undoable(replica_game(d->c), roll), from);
	assert_int_equal(game_undoable(replica_game(d->c), from), -1);
	end = give(d, 1, ORDER_TURN_END, "{}");
	chat = give(d, 1, ORDER_CHAT, TABLE_CHAT);
	assert_true(battle_is_undoable(replica_battle(d->c), end));
	assert_false(battle_is_undoable(replica_battle(d->c), chat));
	assert_int_equal(game_undoable(replica_game(d->c), INT64_MAX), end);
	offer =
	    give(d, 1, ORDER_OFFER, "{'what':'takeback','from':%d}", (int)from);
	tells(d, offer,
	    "p1 asks to take back line 7 (p1 draws 2 from the cup "
	    "events) and what came after it");
	by = give(d, 2, ORDER_ACCEPT, "{'to':%d}", (int)offer);
	assert_int_equal(entry(d, from)->taken_back, by);
	assert_int_equal(entry(d, roll)->taken_back, by);
	assert_int_equal(entry(d, end)->taken_back, by);
	assert_int_equal(entry(d, chat)->taken_back, -1);
	assert_int_equal(entry(d, cup)->taken_back, -1);
	assert_int_equal(entry(d, by)->taken_back, -1);
	assert_false(battle_is_undoable(replica_battle(d->c), end));
	assert_int_equal(game_undoable(replica_game(d->c), INT64_MAX), -1);
	assert_int_equal(entry(d, roll)->fate, GAME_FATE_NONE);
	/* Numbers that are no lines. */
	assert_int_equal(entry(d, -1)->taken_back, -1);
	assert_int_equal(entry(d, d->c->n)->taken_back, -1);
	assert_int_equal(entry(d, d->c->n)->kind, ORDER_UNKNOWN);
}

static void
changes_have_their_former_values(void **state)
{
	struct desk *d = *state;
	const json_t *v;
	int64_t first, none, offer, second;

	first = give(d, 1, ORDER_PROPOSE,
	    "{'what':'adjust','units':[{'id':'fr-1','strength':4},"
	    "{'id':'ru-1','out':'left'}]}");
	none = give(d, 1, ORDER_CHAT, TABLE_CHAT);
	(void)give(d, 2, ORDER_ACCEPT, "{'to':%d}", (int)first);
	second = give(d, 1, ORDER_PROPOSE,
	    "{'what':'adjust','units':[{'id':'fr-1','strength':3}]}");
	/* The owner alone may accept this one. */
	(void)give(d, 1, ORDER_ACCEPT, "{'to':%d}", (int)second);
	offer = give(d, 2, ORDER_PROPOSE,
	    "{'what':'adjust','units':[{'id':'fr-1','strength':2}]}");
	v = json_object_get(entry(d, first)->before, "fr-1");
	assert_int_equal(json_integer_value(json_object_get(v, "strength")), 5);
	v = json_object_get(entry(d, first)->before, "ru-1");
	assert_null(json_object_get(v, "out"));
	v = json_object_get(entry(d, second)->before, "fr-1");
	assert_int_equal(json_integer_value(json_object_get(v, "strength")), 4);
	v = json_object_get(entry(d, offer)->before, "fr-1");
	assert_int_equal(json_integer_value(json_object_get(v, "strength")), 3);
	assert_null(entry(d, none)->before);
	assert_null(entry(d, 0)->before);
	assert_int_equal(
	    game_undoable(replica_game(d->c), INT64_MAX), second + 1);
	ends(d, offer, "open", -1);
	tells(d, second, "p1 proposes changing 1er Ligne: strength 4 -> 3");
}

static void
claims_take_effect_only_past_the_deadline(void **state)
{
	struct desk *d = *state;
	int64_t early, late, own, ruling;

	d->t.at_ms += HOUR_MS / 2;
	early = give(d, 2, ORDER_CLAIM, "{}");
	own = give(d, 1, ORDER_CLAIM, "{}");
	d->t.at_ms += HOUR_MS;
	late = give(d, 2, ORDER_CLAIM, "{}");
	ruling = give(d, 0, ORDER_RULING,
	    "{'claim':%d,'do':'extend','extend_s':7200,'why':" TABLE_REF "}",
	    (int)late);
	assert_int_equal(entry(d, early)->claimed, GAME_CLAIMED_NOTHING);
	assert_int_equal(entry(d, own)->claimed, GAME_CLAIMED_NOTHING);
	assert_int_not_equal(entry(d, late)->claimed, GAME_CLAIMED_NOTHING);
	assert_int_equal(entry(d, 0)->claimed, GAME_CLAIMED_NOTHING);
	assert_int_equal(entry(d, -1)->claimed, GAME_CLAIMED_NOTHING);
	tells(d, early,
	    "p2 claims that the other side's time has run out: it "
	    "has not, and nothing follows");
	tells(d, late,
	    "p2 claims that the other side's time has run out: it "
	    "has, and the director has to act");
	ends(d, ruling, "accepted", ruling);
}

static void
rulings_need_both_seats(void **state)
{
	struct desk *d = *state;
	int64_t by, end, ruling;

	end = give(d, 1, ORDER_TURN_END, "{}");
	ruling = give(d, 0, ORDER_RULING,
	    "{'void':true,'from':%d,'why':" TABLE_REF "}", (int)end);
	by = give(d, 2, ORDER_ACCEPT, "{'to':%d}", (int)ruling);
	ends(d, ruling, "open", -1);
	tells(d, by,
	    "p2 accepts the ruling of line 7, taking back line 6 (p1 "
	    "ends the turn) and what came after it");
	assert_int_equal(entry(d, end)->taken_back, -1);
	by = give(d, 1, ORDER_ACCEPT, "{'to':%d}", (int)ruling);
	ends(d, ruling, "accepted", by);
	assert_int_equal(entry(d, end)->taken_back, by);
}

static void
other_things_are_told_in_sentences(void **state)
{
	struct desk *d = *state;
	int64_t seq;

	seq = give(
	    d, 2, ORDER_CUP, "{'do':'make','cup':'events','items':['a','b']}");
	tells(d, seq, "p2 makes the cup events from 2: a b");
	(void)give(d, 1, ORDER_FREE, "{'cup':'events','draw':2}");
	seq = give(
	    d, 1, ORDER_CUP, "{'do':'return','cup':'events','items':['b']}");
	tells(d, seq, "p1 puts back into the cup events: b");
	seq = give(d, 1, ORDER_CUP, "{'do':'shuffle','cup':'events'}");
	tells(d, seq, "p1 puts everything back into the cup events");
	seq = give(d, 1, ORDER_PAUSE, "{'do':'holiday','days':1}");
	tells(d, seq, "p1 takes 1 day of holiday");
}

/* Makes an entry in the file; the text must be there. */
static void
leave(struct desk *d, const char *text, struct standing *s)
{
	struct errinfo e = {.text = ""};

	if (standing_make(d->p, replica_battle(d->c), 1, text, s, &e) != 0)
		fail_msg("%s", e.text);
	assert_string_equal(
	    json_string_value(json_object_get(s->open, "text")), text);
}

static void
standing_orders_are_kept_for_their_author_alone(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct standing a, b;
	char hex[2 * HASH_LEN + 1], *path, *text;
	struct stat sb;
	json_t *list;
	int64_t seq;

	assert_int_equal(standing_load(d->p, d->c->id, &list, &e), 0);
	assert_int_equal(json_array_size(list), 0);
	json_decref(list);
	text = standing_text("retire", "all");
	assert_string_equal(text, "{\"kind\":\"retire\",\"do\":\"all\"}");
	leave(d, text, &a);
	path = profile_game_path(d->p, d->c->id, ".standing");
	assert_int_equal(stat(path, &sb), 0);
	assert_int_equal(sb.st_mode & 0777, 0600);
	/* This order never came into the record: its entry goes. */
	leave(d, text, &b);
	assert_memory_not_equal(a.commit, b.commit, HASH_LEN);
	assert_int_equal(standing_load(d->p, d->c->id, &list, &e), 0);
	assert_int_equal(json_array_size(list), 1);
	json_decref(list);
	hex_format(hex, b.commit, HASH_LEN);
	d->t.open = b.open;
	seq = give(d, 1, ORDER_STANDING, "{'commit':'%s'}", hex);
	d->t.open = NULL;
	standing_clear(&a);
	leave(d, text, &a);
	assert_int_equal(standing_load(d->p, d->c->id, &list, &e), 0);
	assert_int_equal(json_array_size(list), 2);
	assert_string_equal(
	    standing_find(replica_battle(d->c), list, seq), text);
	assert_null(standing_find(replica_battle(d->c), list, 0));
	json_decref(list);
	tells(d, seq, "p1 leaves a standing order");
	standing_clear(&a);
	standing_clear(&b);
	free(text);
	free(path);
}

static void
a_damaged_or_pending_file_is_never_written_over(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct standing s;
	json_t *list;
	char *path;

	path = profile_game_path(d->p, d->c->id, ".standing");
	assert_int_equal(file_write(path, "[{", 2, 0600, &e), 0);
	assert_int_equal(standing_load(d->p, d->c->id, &list, &e), ERR_BAD);
	assert_int_equal(
	    standing_make(d->p, replica_battle(d->c), 1, "{}", &s, &e),
	    ERR_BAD);
	assert_int_equal(file_remove(path, &e), 0);
	free(path);
	path = profile_game_path(d->p, d->c->id, ".pending");
	assert_int_equal(file_write(path, "x", 1, 0600, &e), 0);
	assert_int_equal(
	    standing_make(d->p, replica_battle(d->c), 1, "{}", &s, &e),
	    ERR_EXISTS);
	assert_int_equal(file_remove(path, &e), 0);
	free(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		offers_end_in_four_ways, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		lines_taken_back_are_known, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		changes_have_their_former_values, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		claims_take_effect_only_past_the_deadline, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		rulings_need_both_seats, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		other_things_are_told_in_sentences, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		standing_orders_are_kept_for_their_author_alone, setup,
		teardown),
	    cmocka_unit_test_setup_teardown(
		a_damaged_or_pending_file_is_never_written_over, setup,
		teardown),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
