/* SPDX-License-Identifier: ISC */
/*
 * The file of a secret choice (record S8): it is there before anything is
 * sent, holds together or is refused, is never written over while an order
 * is pending, and goes when the choice is open and not before.
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
#include "client/replica/secret.h"
#include "client/replica/send.h"
#include "common/base/buf.h"
#include "tests/lib/table.h"

static const char secret_roster[] =
    "{'blob':'roster','system':'imagi-nations','sides':{'1':{'units':["
    "{'id':'a','lead':'a-1','battalions':[{'id':'a-1','quality':'veteran',"
    "'sp':9}]}]},'2':{'units':[{'id':'b','lead':'b-1','battalions':["
    "{'id':'b-1','quality':'raw','sp':9}]}]}}}";

#define DECLARE                                                              \
	"{'combat':{'attacker':{'units':[{'id':'a'}]},'defender':{'units':[" \
	"{'id':'b'}]}}}"

static char dir[] = "/tmp/umpire-secret.XXXXXX";

/* A game that asks for both cards, a profile that pins its server. */
struct desk {
	struct table t;
	struct profile *p;
	struct replica *c; /* owned; kept */
	int64_t ask;
};

/* Brings the copy up to the record. */
static void
follow(struct desk *d, struct replica *c)
{
	struct errinfo e = {.text = ""};
	size_t i, len;

	for (i = (size_t)c->n; i < d->t.n_lines; i++) {
		len = d->t.starts[i + 1] - d->t.starts[i] - 1;
		if (replica_add(c, (int64_t)i,
			d->t.record.data + d->t.starts[i], len, "", &e) != 0)
			fail_msg("line %zu: %s: %s", i, e.where, e.text);
	}
}

/* Gives the copy the blobs of the game. */
static void
add_blobs(struct desk *d, struct replica *c)
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
		    replica_add_side(c, buf_str(&b), b.len, &e), 0);
		buf_clear(&b);
	}
}

/* Makes the game, whose secrets are sealed, and the profile. */
static int
setup(void **state)
{
	struct desk *d = xalloc(sizeof(*d));
	struct errinfo e = {.text = ""};
	json_t *args;
	bool is_new;

	(void)snprintf(dir, sizeof(dir), "/tmp/umpire-secret.XXXXXX");
	assert_non_null(mkdtemp(dir));
	assert_int_equal(setenv("HOME", dir, 1), 0);
	assert_int_equal(setenv("XDG_DATA_HOME", dir, 1), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", dir, 1), 0);
	assert_int_equal(profile_open("anna", &d->p, &e), 0);
	assert_int_equal(profile_make(d->p, &is_new, NULL, NULL, &e), 0);
	table_init(&d->t);
	args = table_create_args(&d->t, secret_roster);
	xalloc_set(args, "system", json_string("imagi-nations"));
	xalloc_set(args, "rules", json_string("imagi-nations/1"));
	xalloc_set(args, "secret", json_string("sealed"));
	table_make_create(&d->t, args);
	assert_int_equal(table_open(&d->t), 0);
	assert_int_equal(
	    table_try(&d->t, 2, ORDER_JOIN, table_seat_args(&d->t, 2)), 0);
	table_play(&d->t, 2, ORDER_READY, "{}");
	table_play(&d->t, 1, ORDER_READY, "{}");
	table_play(&d->t, 1, ORDER_DECLARE, DECLARE);
	d->ask = game_seq(d->t.game);
	memcpy(d->p->pin, d->t.server.public_key, SIGN_KEY_LEN);
	d->p->has_pin = true;
	assert_int_equal(replica_open(d->p, game_id(d->t.game), &d->c, &e), 0);
	add_blobs(d, d->c);
	follow(d, d->c);
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
	return (waitpid(pid, NULL, 0) == pid ? 0 : -1);
}

/* The path of a file of the game; free(). */
static char *
path_of(const struct desk *d, const char *suffix)
{
	return (profile_game_path(d->p, d->c->id, suffix));
}

/* Whether the choice is on the disk. */
static bool
is_kept(const struct desk *d)
{
	char *path = path_of(d, ".secret");
	bool is_there = file_exists(path);

	free(path);
	return (is_there);
}

/* Stores a choice, which must work. */
static void
make(const struct desk *d, int seat, int64_t ask, const char *tactic,
    struct secret *s)
{
	struct errinfo e = {.text = ""};
	json_t *decision;
	int r;

	decision = json_pack("{s:s, s:s}", "kind", "tactic", "tactic", tactic);
	r = secret_make(d->c, seat, ask, decision, s, &e);
	json_decref(decision);
	if (r != 0)
		fail_msg("%s", e.text);
}

/* Makes a choice and commits it in the game. */
static void
commit(struct desk *d, int seat, const char *tactic, struct secret *s)
{
	json_t *args;

	make(d, seat, d->ask, tactic, s);
	args = json_pack("{s:I, s:o}", "ask", (json_int_t)d->ask, "commit",
	    js_hex(s->commit, HASH_LEN));
	if (table_try(&d->t, seat, ORDER_COMMIT, args) != 0)
		fail_msg("%s: %s", d->t.e.where, d->t.e.text);
	follow(d, d->c);
}

/* Opens a choice in the game. */
static void
reveal(struct desk *d, int seat, const struct secret *s)
{
	json_t *args;

	args = json_pack("{s:I, s:o, s:s}", "ask", (json_int_t)d->ask, "salt",
	    js_hex(s->salt, RECORD_SALT_LEN), "text", s->text);
	if (table_try(&d->t, seat, ORDER_OPEN, args) != 0)
		fail_msg("%s: %s", d->t.e.where, d->t.e.text);
	follow(d, d->c);
}

/* Tidies, which must work; whether the choice is still there. */
static bool
is_kept_after_tidying(struct desk *d)
{
	struct errinfo e = {.text = ""};

	if (secret_tidy(d->c, &e) != 0)
		fail_msg("%s", e.text);
	return (is_kept(d));
}

/* Checks where the two sides stand. */
static void
stands(const struct desk *d, enum secret_state one, enum secret_state two)
{
	int64_t ask = -1;

	assert_int_equal(secret_state(d->t.game, 1, &ask), one);
	assert_true(one == SECRET_NONE || ask == d->ask);
	assert_int_equal(secret_state(d->t.game, 2, &ask), two);
	/* Team-mates stand where their side does; others nowhere. */
	assert_int_equal(secret_state(d->t.game, 3, &ask), one);
	assert_int_equal(secret_state(d->t.game, 4, &ask), two);
	assert_int_equal(secret_state(d->t.game, 0, &ask), SECRET_NONE);
	assert_int_equal(secret_state(d->t.game, -1, &ask), SECRET_NONE);
}

static void
a_choice_is_owed_waits_is_due_and_is_open(void **state)
{
	struct desk *d = *state;
	struct secret one, two;

	stands(d, SECRET_OWED, SECRET_OWED);
	commit(d, 2, "hold", &two);
	stands(d, SECRET_OWED, SECRET_WAITS);
	commit(d, 1, "feint", &one);
	stands(d, SECRET_DUE, SECRET_DUE);
	reveal(d, 1, &one);
	stands(d, SECRET_OPEN, SECRET_DUE);
	reveal(d, 2, &two);
	stands(d, SECRET_NONE, SECRET_NONE);
	secret_clear(&one);
	secret_clear(&two);
}

static void
a_choice_is_kept_for_its_owner_alone_and_read_back(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	uint8_t wanted[HASH_LEN];
	struct secret s, again;
	struct stat st;
	char *path;

	assert_int_equal(secret_load(d->c, &s, &e), ERR_NOTFOUND);
	make(d, 1, d->ask, "feint", &s);
	path = path_of(d, ".secret");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	free(path);
	assert_int_equal(secret_load(d->c, &again, &e), 0);
	assert_int_equal(again.seat, 1);
	assert_int_equal(again.ask, d->ask);
	assert_string_equal(
	    again.text, "{\"kind\":\"tactic\",\"tactic\":\"feint\"}");
	assert_memory_equal(again.salt, s.salt, RECORD_SALT_LEN);
	assert_memory_equal(again.commit, s.commit, HASH_LEN);
	assert_int_equal(record_secret(wanted, game_id(d->t.game), 1, d->ask,
			     s.salt, s.text, strlen(s.text)),
	    0);
	assert_memory_equal(s.commit, wanted, HASH_LEN);
	secret_clear(&s);
	secret_clear(&again);
}

static void
the_same_choice_keeps_its_salt_and_another_gets_a_new_one(void **state)
{
	struct desk *d = *state;
	struct secret s, same, other, seat, ask;

	make(d, 1, d->ask, "feint", &s);
	make(d, 1, d->ask, "feint", &same);
	assert_memory_equal(s.salt, same.salt, RECORD_SALT_LEN);
	make(d, 1, d->ask, "hasty-attack", &other);
	assert_memory_not_equal(s.salt, other.salt, RECORD_SALT_LEN);
	make(d, 3, d->ask, "hasty-attack", &seat);
	assert_memory_not_equal(seat.salt, other.salt, RECORD_SALT_LEN);
	make(d, 3, d->ask + 7, "hasty-attack", &ask);
	assert_memory_not_equal(seat.salt, ask.salt, RECORD_SALT_LEN);
	secret_clear(&s);
	secret_clear(&same);
	secret_clear(&other);
	secret_clear(&seat);
	secret_clear(&ask);
}

static void
nothing_is_written_over_while_an_order_is_pending(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct secret s, other;
	json_t *decision;

	make(d, 1, d->ask, "feint", &s);
	assert_int_equal(send_store(d->c, "game.order", json_object(), &e), 0);
	decision =
	    json_pack("{s:s, s:s}", "kind", "tactic", "tactic", "hasty-attack");
	assert_int_equal(
	    secret_make(d->c, 1, d->ask, decision, &other, &e), ERR_EXISTS);
	json_decref(decision);
	assert_int_equal(secret_load(d->c, &other, &e), 0);
	assert_memory_equal(s.commit, other.commit, HASH_LEN);
	secret_clear(&s);
	secret_clear(&other);
}

static void
a_choice_that_is_too_long_or_cannot_be_stored_is_refused(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	char text[GAME_HELD_MAX];
	json_t *decision;
	struct secret s;
	char *path;

	/* {"kind":""} has 11 bytes. */
	memset(text, 'x', sizeof(text));
	decision = json_pack("{s:s#}", "kind", text, GAME_HELD_MAX - 10);
	assert_int_equal(
	    secret_make(d->c, 1, d->ask, decision, &s, &e), ERR_TOOBIG);
	assert_false(is_kept(d));
	json_decref(decision);
	decision = json_pack("{s:s#}", "kind", text, GAME_HELD_MAX - 11);
	assert_int_equal(secret_make(d->c, 1, d->ask, decision, &s, &e), 0);
	secret_clear(&s);
	path = path_of(d, ".secret");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(
	    secret_make(d->c, 1, d->ask, decision, &s, &e), ERR_IO);
	assert_non_null(strstr(e.text, path));
	json_decref(decision);
	free(path);
}

/* Writes a file without waiting for the disk. */
static void
write_plain(const char *path, const char *p, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void
a_file_that_was_changed_or_cut_anywhere_is_refused(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct secret s, bad;
	struct buf b;
	char *path;
	size_t i;

	make(d, 1, d->ask, "feint", &s);
	secret_clear(&s);
	path = path_of(d, ".secret");
	buf_init(&b, 0);
	assert_int_equal(file_read(path, 65536, &b, &e), 0);
	for (i = 0; i < b.len; i++) {
		b.data[i] ^= 1;
		write_plain(path, b.data, b.len);
		b.data[i] ^= 1;
		if (secret_load(d->c, &bad, &e) != ERR_BAD)
			fail_msg("byte %zu", i);
		assert_non_null(strstr(e.text, path));
		write_plain(path, b.data, i);
		if (secret_load(d->c, &bad, &e) != ERR_BAD)
			fail_msg("cut to %zu", i);
	}
	write_plain(path, b.data, b.len);
	assert_int_equal(secret_load(d->c, &s, &e), 0);
	secret_clear(&s);
	buf_clear(&b);
	free(path);
}

static void
a_commitment_is_found_in_the_record(void **state)
{
	struct desk *d = *state;
	uint8_t found[HASH_LEN];
	struct secret one, two;
	int by = -1;

	assert_int_equal(
	    secret_find(d->c, 1, d->ask, &by, found), ERR_NOTFOUND);
	commit(d, 2, "hold", &two);
	assert_int_equal(
	    secret_find(d->c, 1, d->ask, &by, found), ERR_NOTFOUND);
	commit(d, 1, "feint", &one);
	assert_int_equal(secret_find(d->c, 1, d->ask, &by, found), 0);
	assert_int_equal(by, 1);
	assert_memory_equal(found, one.commit, HASH_LEN);
	/* A team-mate finds what the side committed, and who did. */
	assert_int_equal(secret_find(d->c, 4, d->ask, &by, found), 0);
	assert_int_equal(by, 2);
	assert_memory_equal(found, two.commit, HASH_LEN);
	assert_int_equal(
	    secret_find(d->c, 1, d->ask - 1, &by, found), ERR_NOTFOUND);
	secret_clear(&one);
	secret_clear(&two);
}

static void
the_file_goes_when_the_choice_is_open_and_not_before(void **state)
{
	struct desk *d = *state;
	struct secret one, two;

	assert_false(is_kept_after_tidying(d));
	make(d, 2, d->ask, "hold", &two);
	assert_true(is_kept_after_tidying(d));
	secret_clear(&two);
	commit(d, 2, "hold", &two);
	assert_true(is_kept_after_tidying(d));
	/* Of the other player's only what the record needs is made here. */
	commit(d, 1, "feint", &one);
	assert_true(is_kept_after_tidying(d));
	reveal(d, 2, &two);
	assert_true(is_kept_after_tidying(d));
	reveal(d, 1, &one);
	assert_false(is_kept_after_tidying(d));
	secret_clear(&one);
	secret_clear(&two);
}

static void
the_file_goes_when_ours_is_open_though_theirs_is_not(void **state)
{
	struct desk *d = *state;
	struct secret one, two;

	commit(d, 2, "hold", &two);
	commit(d, 1, "feint", &one);
	reveal(d, 1, &one);
	assert_false(is_kept_after_tidying(d));
	secret_clear(&one);
	secret_clear(&two);
}

static void
the_file_goes_with_the_question(void **state)
{
	struct desk *d = *state;
	struct secret one;

	commit(d, 1, "feint", &one);
	assert_true(is_kept_after_tidying(d));
	table_play(&d->t, 2, ORDER_RESIGN, "{}");
	follow(d, d->c);
	assert_false(is_kept_after_tidying(d));
	secret_clear(&one);
}

static void
the_file_stays_while_an_order_is_pending(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct secret one;
	char *path;

	make(d, 1, d->ask, "feint", &one);
	table_play(&d->t, 2, ORDER_RESIGN, "{}");
	follow(d, d->c);
	assert_int_equal(send_store(d->c, "game.order", json_object(), &e), 0);
	assert_true(is_kept_after_tidying(d));
	path = path_of(d, ".pending");
	assert_int_equal(unlink(path), 0);
	free(path);
	assert_false(is_kept_after_tidying(d));
	secret_clear(&one);
}

static void
the_file_of_a_line_that_the_copy_lacks_stays(void **state)
{
	struct desk *d = *state;
	struct secret one;

	make(d, 1, d->c->n, "feint", &one);
	assert_true(is_kept_after_tidying(d));
	secret_clear(&one);
	make(d, 1, d->ask - 1, "feint", &one);
	assert_false(is_kept_after_tidying(d));
	secret_clear(&one);
}

static void
a_process_that_is_behind_removes_no_newer_choice(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct replica *behind;
	struct secret one, two;

	assert_int_equal(
	    replica_open(d->p, game_id(d->t.game), &behind, &e), 0);
	commit(d, 2, "hold", &two);
	commit(d, 1, "feint", &one);
	/* It takes in what the other has written before it judges. */
	assert_int_equal(behind->n, d->c->n - 2);
	assert_int_equal(secret_tidy(behind, &e), 0);
	assert_int_equal(behind->n, d->c->n);
	assert_true(is_kept(d));
	reveal(d, 1, &one);
	assert_int_equal(secret_tidy(behind, &e), 0);
	assert_false(is_kept(d));
	replica_close(behind);
	secret_clear(&one);
	secret_clear(&two);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(a_choice_is_owed_waits_is_due_and_is_open),
	    CASE(a_choice_is_kept_for_its_owner_alone_and_read_back),
	    CASE(the_same_choice_keeps_its_salt_and_another_gets_a_new_one),
	    CASE(nothing_is_written_over_while_an_order_is_pending),
	    CASE(a_choice_that_is_too_long_or_cannot_be_stored_is_refused),
	    CASE(a_file_that_was_changed_or_cut_anywhere_is_refused),
	    CASE(a_commitment_is_found_in_the_record),
	    CASE(the_file_goes_when_the_choice_is_open_and_not_before),
	    CASE(the_file_goes_when_ours_is_open_though_theirs_is_not),
	    CASE(the_file_goes_with_the_question),
	    CASE(the_file_stays_while_an_order_is_pending),
	    CASE(the_file_of_a_line_that_the_copy_lacks_stays),
	    CASE(a_process_that_is_behind_removes_no_newer_choice),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
