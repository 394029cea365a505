/* SPDX-License-Identifier: ISC */
/* Kept answers: none but the one asked for, and no more than there is room. */
#include "server/shown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <event2/event.h>

#include "server/io.h"
#include "server/mailbox.h"
#include "tests/unit/alloc.h"

#define ROOM 65536
#define BUCKETS 1024 /* a game's number goes round after so many */

/* Asserts that a text is kept, or "" that none is. */
static void
is_kept(struct shown *sh, int64_t gid, int64_t seq, const char *text)
{
	const char *got = "";
	size_t len = 0;

	assert_int_equal(shown_find(sh, gid, seq, &got, &len), text[0] != '\0');
	assert_int_equal(len, strlen(text));
	assert_memory_equal(got, text, len);
}

static void
a_text_is_found_by_its_game_and_line(void **state)
{
	struct shown *sh;

	(void)state;
	assert_int_equal(shown_new(ROOM, &sh), 0);
	is_kept(sh, 1, 0, "");
	shown_put(sh, 1, 0, "one at 0", 8);
	shown_put(sh, 1 + BUCKETS, 0, "another", 7);
	shown_put(sh, 2, 5, "", 0);
	is_kept(sh, 1, 0, "one at 0");
	is_kept(sh, 1 + BUCKETS, 0, "another");
	is_kept(sh, 1 + 2 * BUCKETS, 0, "");
	is_kept(sh, 1, 1, "");
	is_kept(sh, 1, -1, "");
	is_kept(sh, 0, 0, "");
	is_kept(sh, -1, 0, "");
	shown_free(sh);
}

static void
a_new_line_takes_the_place_of_the_old(void **state)
{
	struct shown *sh;
	size_t bytes;

	(void)state;
	assert_int_equal(shown_new(ROOM, &sh), 0);
	shown_put(sh, 1, 7, "seven", 5);
	bytes = shown_bytes(sh);
	shown_put(sh, 1, 8, "eight", 5);
	assert_int_equal(shown_bytes(sh), bytes);
	is_kept(sh, 1, 7, "");
	is_kept(sh, 1, 8, "eight");
	/* A reader may be behind another that was here before. */
	shown_put(sh, 1, 7, "seven again", 11);
	is_kept(sh, 1, 8, "");
	is_kept(sh, 1, 7, "seven again");
	shown_free(sh);
}

static void
those_not_asked_for_make_way(void **state)
{
	char text[1000];
	struct shown *sh;
	int64_t gid, kept = 0;
	const char *got;
	size_t len;

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(shown_new(ROOM, &sh), 0);
	for (gid = 1; gid <= 1000; gid++) {
		shown_put(sh, gid, 3, text, sizeof(text));
		assert_true(shown_bytes(sh) <= ROOM);
		/* The first one is asked for each time. */
		assert_true(shown_find(sh, 1, 3, &got, &len));
	}
	for (gid = 1; gid <= 1000; gid++)
		kept += shown_find(sh, gid, 3, &got, &len);
	assert_in_range(kept, 40, ROOM / 1000);
	assert_true(shown_find(sh, 1, 3, &got, &len));
	assert_true(shown_find(sh, 1000, 3, &got, &len));
	assert_false(shown_find(sh, 2, 3, &got, &len));
	shown_free(sh);
}

static void
what_is_too_long_is_not_kept_and_drives_nothing_out(void **state)
{
	char text[ROOM];
	struct shown *sh;

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(shown_new(ROOM, &sh), 0);
	shown_put(sh, 1, 0, "short", 5);
	shown_put(sh, 2, 0, text, sizeof(text));
	shown_put(sh, 3, 0, text, ROOM / 8 + 1);
	is_kept(sh, 1, 0, "short");
	is_kept(sh, 2, 0, "");
	is_kept(sh, 3, 0, "");
	shown_put(sh, 3, 0, text, ROOM / 8);
	assert_true(shown_bytes(sh) > ROOM / 8);
	/* The game's former text is of no more use. */
	shown_put(sh, 1, 1, text, sizeof(text));
	is_kept(sh, 1, 0, "");
	is_kept(sh, 1, 1, "");
	shown_free(sh);
}

static void
without_room_or_memory_nothing_is_kept(void **state)
{
	struct shown *sh;
	size_t bytes;

	(void)state;
	assert_int_equal(shown_new(100, &sh), 0);
	shown_put(sh, 1, 0, "x", 1);
	is_kept(sh, 1, 0, "");
	shown_free(sh);
	shown_free(NULL);
#ifndef ALLOC_SANITIZED
	assert_int_equal(shown_new(ROOM, &sh), 0);
	bytes = shown_bytes(sh);
	shown_put(sh, 1, 0, "one", 3);
	alloc_left = 0;
	shown_put(sh, 1, 1, "two", 3);
	alloc_left = -1;
	is_kept(sh, 1, 0, "");
	is_kept(sh, 1, 1, "");
	assert_int_equal(shown_bytes(sh), bytes);
	shown_free(sh);
	alloc_left = 0;
	assert_int_equal(shown_new(ROOM, &sh), ERR_NOMEM);
	alloc_left = -1;
#else
	(void)bytes;
#endif
}

static void
what_is_wanted_is_sent_once(void **state)
{
	struct io io = {0};
	struct event_base *base = event_base_new();

	(void)state;
	assert_non_null(base);
	assert_int_equal(mailbox_new(base, &io.mailbox), 0);
	assert_int_equal(shown_new(ROOM, &io.shown), 0);
	assert_false(shown_is_wanted(&io.wanted, 1));
	shown_publish(&io, 1, 0, "not asked for", 13);
	assert_false(mailbox_take(io.mailbox));
	shown_want(&io.wanted, 1);
	shown_want(&io.wanted, 1);
	assert_true(shown_is_wanted(&io.wanted, 1));
	assert_false(shown_is_wanted(&io.wanted, 1 + SHOWN_WANTED));
	shown_publish(&io, 1, 4, "one at 4", 8);
	is_kept(io.shown, 1, 4, "");
	assert_true(mailbox_take(io.mailbox));
	is_kept(io.shown, 1, 4, "one at 4");
	assert_false(shown_is_wanted(&io.wanted, 1));
	shown_publish(&io, 1, 5, "one at 5", 8);
	assert_false(mailbox_take(io.mailbox));
	/* Of two in one place the last one asked for is known. */
	shown_want(&io.wanted, 1);
	shown_want(&io.wanted, 1 + SHOWN_WANTED);
	shown_publish(&io, 1, 6, "one at 6", 8);
	assert_false(mailbox_take(io.mailbox));
	assert_true(shown_is_wanted(&io.wanted, 1 + SHOWN_WANTED));
#ifndef ALLOC_SANITIZED
	alloc_left = 0;
	shown_publish(&io, 1 + SHOWN_WANTED, 0, "x", 1);
	alloc_left = -1;
	assert_false(mailbox_take(io.mailbox));
#endif
	shown_free(io.shown);
	mailbox_free(io.mailbox);
	event_base_free(base);
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
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
