/* SPDX-License-Identifier: ISC */
/* Kept answers: none but the one asked for, and no more than there is room. */
#include "server/rpc/show_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/lib/alloc.h"

#define ROOM 65536
#define BUCKETS 1024 /* a game's number goes round after so many */

/* Asserts that a text is kept, or "" that none is. */
static void
is_kept(struct show_cache *sh, int64_t gid, int64_t seq, const char *text)
{
	const char *got = "";
	size_t len = 0;

	assert_int_equal(
	    show_cache_find(sh, gid, seq, &got, &len), text[0] != '\0');
	assert_int_equal(len, strlen(text));
	assert_memory_equal(got, text, len);
}

static void
a_text_is_found_by_its_game_and_line(void **state)
{
	struct show_cache *sh;

	(void)state;
	assert_int_equal(show_cache_new(ROOM, &sh), 0);
	is_kept(sh, 1, 0, "");
	show_cache_put(sh, 1, 0, "one at 0", 8);
	show_cache_put(sh, 1 + BUCKETS, 0, "another", 7);
	show_cache_put(sh, 2, 5, "", 0);
	is_kept(sh, 1, 0, "one at 0");
	is_kept(sh, 1 + BUCKETS, 0, "another");
	is_kept(sh, 1 + 2 * BUCKETS, 0, "");
	is_kept(sh, 1, 1, "");
	is_kept(sh, 1, -1, "");
	is_kept(sh, 0, 0, "");
	is_kept(sh, -1, 0, "");
	show_cache_free(sh);
}

static void
a_new_line_takes_the_place_of_the_old(void **state)
{
	struct show_cache *sh;
	size_t bytes;

	(void)state;
	assert_int_equal(show_cache_new(ROOM, &sh), 0);
	show_cache_put(sh, 1, 7, "seven", 5);
	bytes = show_cache_bytes(sh);
	show_cache_put(sh, 1, 8, "eight", 5);
	assert_int_equal(show_cache_bytes(sh), bytes);
	is_kept(sh, 1, 7, "");
	is_kept(sh, 1, 8, "eight");
	/* Who made his while another was sent has the older one. */
	show_cache_put(sh, 1, 7, "seven again", 11);
	is_kept(sh, 1, 7, "");
	is_kept(sh, 1, 8, "eight");
	show_cache_put(sh, 1, 8, "again", 5);
	is_kept(sh, 1, 8, "again");
	show_cache_free(sh);
}

static void
those_not_asked_for_make_way(void **state)
{
	char text[1000];
	struct show_cache *sh;
	int64_t gid, kept = 0;
	const char *got;
	size_t len;

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(show_cache_new(ROOM, &sh), 0);
	for (gid = 1; gid <= 1000; gid++) {
		show_cache_put(sh, gid, 3, text, sizeof(text));
		assert_true(show_cache_bytes(sh) <= ROOM);
		/* The first one is asked for each time. */
		assert_true(show_cache_find(sh, 1, 3, &got, &len));
	}
	for (gid = 1; gid <= 1000; gid++)
		kept += show_cache_find(sh, gid, 3, &got, &len);
	assert_in_range(kept, 40, ROOM / 1000);
	assert_true(show_cache_find(sh, 1, 3, &got, &len));
	assert_true(show_cache_find(sh, 1000, 3, &got, &len));
	assert_false(show_cache_find(sh, 2, 3, &got, &len));
	show_cache_free(sh);
}

static void
what_is_too_long_is_not_kept_and_drives_nothing_out(void **state)
{
	char text[ROOM];
	struct show_cache *sh;

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(show_cache_new(ROOM, &sh), 0);
	show_cache_put(sh, 1, 0, "short", 5);
	show_cache_put(sh, 2, 0, text, sizeof(text));
	show_cache_put(sh, 3, 0, text, ROOM / 8 + 1);
	is_kept(sh, 1, 0, "short");
	is_kept(sh, 2, 0, "");
	is_kept(sh, 3, 0, "");
	show_cache_put(sh, 3, 0, text, ROOM / 8);
	assert_true(show_cache_bytes(sh) > ROOM / 8);
	/* The game's former text is of no more use. */
	show_cache_put(sh, 1, 1, text, sizeof(text));
	is_kept(sh, 1, 0, "");
	is_kept(sh, 1, 1, "");
	show_cache_free(sh);
}

static void
without_room_or_memory_nothing_is_kept(void **state)
{
	struct show_cache *sh;
	size_t bytes;

	(void)state;
	assert_int_equal(show_cache_new(100, &sh), 0);
	show_cache_put(sh, 1, 0, "x", 1);
	is_kept(sh, 1, 0, "");
	show_cache_free(sh);
	show_cache_free(NULL);
#ifndef ALLOC_SANITIZED
	assert_int_equal(show_cache_new(ROOM, &sh), 0);
	bytes = show_cache_bytes(sh);
	show_cache_put(sh, 1, 0, "one", 3);
	alloc_left = 0;
	show_cache_put(sh, 1, 1, "two", 3);
	alloc_left = -1;
	is_kept(sh, 1, 0, "");
	is_kept(sh, 1, 1, "");
	assert_int_equal(show_cache_bytes(sh), bytes);
	show_cache_free(sh);
	alloc_left = 0;
	assert_int_equal(show_cache_new(ROOM, &sh), ERR_NOMEM);
	alloc_left = -1;
#else
	(void)bytes;
#endif
}

static void
what_is_wanted_is_sent_once(void **state)
{
	struct show_cache *sh;

	(void)state;
	assert_int_equal(show_cache_new(ROOM, &sh), 0);
	assert_false(show_cache_is_wanted(sh, 1));
	show_cache_send(sh, 1, 0, "not asked for", 13);
	is_kept(sh, 1, 0, "");
	show_cache_want(sh, 1);
	show_cache_want(sh, 1);
	assert_true(show_cache_is_wanted(sh, 1));
	assert_false(show_cache_is_wanted(sh, 1 + SHOW_CACHE_WANTED));
	show_cache_send(sh, 1, 4, "one at 4", 8);
	assert_false(show_cache_is_wanted(sh, 1));
	show_cache_send(sh, 1, 5, "one at 5", 8);
	is_kept(sh, 1, 5, "");
	is_kept(sh, 1, 4, "one at 4");
	/* Of two in one place the last one asked for is known. */
	show_cache_want(sh, 1);
	show_cache_want(sh, 1 + SHOW_CACHE_WANTED);
	show_cache_send(sh, 1, 6, "one at 6", 8);
	is_kept(sh, 1, 6, "");
	assert_true(show_cache_is_wanted(sh, 1 + SHOW_CACHE_WANTED));
#ifndef ALLOC_SANITIZED
	alloc_left = 0;
	show_cache_send(sh, 1 + SHOW_CACHE_WANTED, 0, "x", 1);
	alloc_left = -1;
	is_kept(sh, 1 + SHOW_CACHE_WANTED, 0, "");
	is_kept(sh, 1, 4, "one at 4");
#endif
	show_cache_free(sh);
}

/* Wants a game, and sends it. */
static void
send_wanted(struct show_cache *sh, int64_t gid, int64_t seq, const char *text)
{
	show_cache_want(sh, gid);
	show_cache_send(sh, gid, seq, text, strlen(text));
}

static void
what_was_sent_takes_the_place_of_what_is_older(void **state)
{
	struct show_cache *sh;
	size_t bytes;

	(void)state;
	assert_int_equal(show_cache_new(ROOM, &sh), 0);
	show_cache_put(sh, 1, 7, "seven", 5);
	bytes = show_cache_bytes(sh);
	send_wanted(sh, 1, 8, "eight");
	send_wanted(sh, 1, 9, "nines");
	is_kept(sh, 1, 8, "");
	is_kept(sh, 1, 9, "nines");
	assert_int_equal(show_cache_bytes(sh), bytes);
	/* Made from the snapshot while it was on its way. */
	send_wanted(sh, 1, 10, "late!");
	show_cache_put(sh, 1, 11, "11111", 5);
	is_kept(sh, 1, 10, "");
	is_kept(sh, 1, 11, "11111");
	assert_int_equal(show_cache_bytes(sh), bytes);
	/* What nobody looks for goes with all the rest. */
	send_wanted(sh, 2, 0, "two");
	show_cache_free(sh);
}

static void
what_is_sent_and_not_looked_for_has_a_bound(void **state)
{
	char text[1001];
	struct show_cache *sh;
	const char *got;
	size_t len;
	int64_t gid;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(show_cache_new(ROOM, &sh), 0);
	for (gid = 1; gid <= 20; gid++)
		send_wanted(sh, gid, 3, text);
	assert_true(show_cache_find(sh, 1, 3, &got, &len));
	assert_true(show_cache_find(sh, 7, 3, &got, &len));
	assert_false(show_cache_find(sh, 9, 3, &got, &len));
	assert_false(show_cache_find(sh, 20, 3, &got, &len));
	/* There is room again. */
	send_wanted(sh, 20, 4, "twenty");
	is_kept(sh, 20, 4, "twenty");
	/* Kept ones make way for it as for others. */
	for (gid = 100; gid < 200; gid++) {
		send_wanted(sh, gid, 3, text);
		assert_true(show_cache_find(sh, gid, 3, &got, &len));
		assert_true(show_cache_bytes(sh) <= ROOM);
	}
	assert_false(show_cache_find(sh, 1, 3, &got, &len));
	show_cache_free(sh);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_text_is_found_by_its_game_and_line),
	    cmocka_unit_test(a_new_line_takes_the_place_of_the_old),
	    cmocka_unit_test(those_not_asked_for_make_way),
	    cmocka_unit_test(
		what_is_too_long_is_not_kept_and_drives_nothing_out),
	    cmocka_unit_test(without_room_or_memory_nothing_is_kept),
	    cmocka_unit_test(what_is_wanted_is_sent_once),
	    cmocka_unit_test(what_was_sent_takes_the_place_of_what_is_older),
	    cmocka_unit_test(what_is_sent_and_not_looked_for_has_a_bound),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
