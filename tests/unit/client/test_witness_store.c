/* SPDX-License-Identifier: ISC */
/* What a witness keeps: above all that a word is given once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/witness/witness_store.h"

static const uint8_t server[SIGN_KEY_LEN] = {1}, key[SIGN_KEY_LEN] = {2};
static const uint8_t game[HASH_LEN] = {3};

/* A folder, and the store in it. */
struct place {
	char dir[64];
	char path[80];
	struct witness_store *st;
};

/* Opens the store once more, as after a crash: what is not committed goes. */
static void
reopen(struct place *p)
{
	struct errinfo e;

	witness_store_close(p->st);
	assert_int_equal(
	    witness_store_open(p->path, server, key, &p->st, &e), 0);
}

static int
make_place(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	assert_non_null(p);
	(void)snprintf(p->dir, sizeof(p->dir), "/tmp/umpire-store.XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	(void)snprintf(p->path, sizeof(p->path), "%s/witness.db", p->dir);
	reopen(p);
	*state = p;
	return (0);
}

static int
free_place(void **state)
{
	static const char *const ends[] = {"", "-wal", "-shm"};
	struct place *p = *state;
	char path[96];
	size_t i;

	witness_store_close(p->st);
	for (i = 0; i < 3; i++) {
		(void)snprintf(path, sizeof(path), "%s%s", p->path, ends[i]);
		(void)unlink(path);
	}
	(void)rmdir(p->dir);
	free(p);
	return (0);
}

/* A word about a line, with an order of this text. */
static struct witness_word
word(const char *what, int64_t about, const char *text)
{
	struct witness_word w = {.about = about, .seq = -1};

	(void)snprintf(w.what, sizeof(w.what), "%s", what);
	buf_init(&w.text, 0);
	buf_puts(&w.text, text);
	w.oid[0] = (uint8_t)text[0];
	return (w);
}

/* Adds it; what that says. */
static int
say(struct place *p, int64_t gid, const char *what, int64_t about,
    const char *text)
{
	struct witness_word w = word(what, about, text);
	int r = witness_store_add_word(p->st, gid, &w);

	witness_word_clear(&w);
	return (r);
}

/* The text of the word that waits; "" if none does. */
static const char *
waiting(struct place *p, int64_t gid)
{
	static char text[16];
	struct witness_word w;
	int r = witness_store_open_word(p->st, gid, &w);

	assert_true(r == 0 || r == ERR_NOTFOUND);
	(void)snprintf(text, sizeof(text), "%s", buf_str(&w.text));
	witness_word_clear(&w);
	return (text);
}

static void
a_word_is_given_once(void **state)
{
	struct place *p = *state;
	struct witness_row row;
	struct witness_word w;

	assert_int_equal(witness_store_add(p->st, false, game, &row), 0);
	assert_int_equal(say(p, row.gid, "answer", 7, "a"), 0);
	assert_int_equal(say(p, row.gid, "answer", 7, "b"), ERR_EXISTS);
	assert_int_equal(witness_store_commit(p->st), 0);
	reopen(p);
	assert_int_equal(say(p, row.gid, "answer", 7, "b"), ERR_EXISTS);
	assert_string_equal(waiting(p, row.gid), "a");
	/* Its line, or a refusal, ends that it waits, and nothing else. */
	w = word("answer", 7, "a");
	assert_int_equal(witness_store_refused(p->st, row.gid, &w, "no"), 0);
	assert_string_equal(waiting(p, row.gid), "");
	assert_int_equal(say(p, row.gid, "answer", 7, "b"), ERR_EXISTS);
	witness_word_clear(&w);
	assert_int_equal(say(p, row.gid, "answered", 7, "c"), 0);
	assert_string_equal(waiting(p, row.gid), "c");
	w = word("answered", 7, "c");
	assert_int_equal(witness_store_spoken(p->st, row.gid, &w, 9), 0);
	assert_string_equal(waiting(p, row.gid), "");
	witness_word_clear(&w);
}

static void
what_is_not_committed_is_lost(void **state)
{
	struct place *p = *state;
	struct witness_row row;

	assert_int_equal(witness_store_add(p->st, false, game, &row), 0);
	assert_int_equal(witness_store_add_line(p->st, &row, "{}", 2), 0);
	assert_true(witness_store_is_dirty(p->st));
	assert_int_equal(witness_store_commit(p->st), 0);
	assert_int_equal(witness_store_add_line(p->st, &row, "{1}", 3), 0);
	assert_int_equal(row.n, 2);
	reopen(p);
	assert_int_equal(witness_store_find(p->st, game, &row), 0);
	assert_int_equal(row.n, 1);
}

static void
notes_are_due_in_their_order(void **state)
{
	struct place *p = *state;
	char what[WITNESS_STORE_WHAT];
	struct witness_row row;
	int64_t about, next;

	assert_int_equal(witness_store_add(p->st, false, game, &row), 0);
	assert_int_equal(
	    witness_store_owe(p->st, row.gid, "passed", 4, 100), 0);
	assert_int_equal(
	    witness_store_owed(p->st, row.gid, 99, what, &about, &next),
	    ERR_NOTFOUND);
	assert_int_equal(next, 100);
	assert_int_equal(
	    witness_store_owe(p->st, row.gid, "answered", 2, 0), 0);
	assert_int_equal(witness_store_owe(p->st, row.gid, "anew", 9, 0), 0);
	assert_int_equal(
	    witness_store_owed(p->st, row.gid, 100, what, &about, &next), 0);
	assert_string_equal(what, "anew");
	assert_int_equal(witness_store_drop_all(p->st, row.gid, "anew"), 0);
	assert_int_equal(
	    witness_store_owed(p->st, row.gid, 100, what, &about, &next), 0);
	assert_string_equal(what, "answered");
	assert_int_equal(witness_store_drop(p->st, row.gid, "answered", 2), 0);
	assert_int_equal(
	    witness_store_owed(p->st, row.gid, 100, what, &about, &next), 0);
	assert_string_equal(what, "passed");
	assert_int_equal(about, 4);
}

static void
lines_that_are_set_aside_make_room(void **state)
{
	struct place *p = *state;
	struct witness_row row;
	struct buf b;

	buf_init(&b, 0);
	assert_int_equal(witness_store_add(p->st, false, game, &row), 0);
	assert_int_equal(witness_store_add_line(p->st, &row, "{0}", 3), 0);
	assert_int_equal(witness_store_add_line(p->st, &row, "{1}", 3), 0);
	assert_int_equal(say(p, row.gid, "answer", 0, "a"), 0);
	assert_int_equal(say(p, row.gid, "answer", 1, "b"), 0);
	assert_int_equal(
	    witness_store_set_state(p->st, &row, WITNESS_STOPPED, "why"), 0);
	assert_int_equal(witness_store_rewind(p->st, &row, 1), 0);
	assert_int_equal(row.n, 1);
	assert_int_equal(witness_store_get(p->st, row.gid, &row), 0);
	assert_int_equal(row.state, WITNESS_FOLLOWED);
	assert_int_equal(row.told, -1);
	assert_int_equal(
	    witness_store_line(p->st, row.gid, 1, &b), ERR_NOTFOUND);
	/* What was said of lines that stay, stays. */
	assert_int_equal(say(p, row.gid, "answer", 0, "c"), ERR_EXISTS);
	assert_int_equal(say(p, row.gid, "answer", 1, "c"), 0);
	buf_clear(&b);
}

static void
the_file_is_one_witness_s(void **state)
{
	struct place *p = *state;
	struct witness_store *st;
	struct errinfo e;

	assert_int_equal(
	    witness_store_open(p->path, key, key, &st, &e), ERR_CONFIG);
	assert_non_null(strstr(e.text, "of another server"));
	assert_int_equal(
	    witness_store_open("/tmp", server, key, &st, &e), ERR_IO);
}

int
main(void)
{
#define WITH_PLACE(test) \
	cmocka_unit_test_setup_teardown(test, make_place, free_place)
	const struct CMUnitTest tests[] = {
	    WITH_PLACE(a_word_is_given_once),
	    WITH_PLACE(what_is_not_committed_is_lost),
	    WITH_PLACE(notes_are_due_in_their_order),
	    WITH_PLACE(lines_that_are_set_aside_make_room),
	    WITH_PLACE(the_file_is_one_witness_s),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
