/* SPDX-License-Identifier: ISC */
/* The history of typed lines, and its file. */
#include <sys/stat.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <histedit.h>

#include "client/ui/linehist.h"
#include "common/base/buf.h"

#define OVER 100 /* lines that are too many */

/* A folder of the test's own, and the file in it. */
struct place {
	char dir[64];
	char path[128];
};

static int
set_up(void **state)
{
	struct place *pl = calloc(1, sizeof(*pl));

	if (pl == NULL)
		return (-1);
	(void)snprintf(pl->dir, sizeof(pl->dir), "/tmp/umpire-recall.XXXXXX");
	if (mkdtemp(pl->dir) == NULL)
		return (-1);
	(void)snprintf(pl->path, sizeof(pl->path), "%s/history", pl->dir);
	*state = pl;
	return (0);
}

static int
tear_down(void **state)
{
	struct place *pl = *state;

	(void)unlink(pl->path);
	(void)rmdir(pl->dir);
	free(pl);
	return (0);
}

/* Writes the file. */
static void
put(const struct place *pl, const char *text, size_t n)
{
	FILE *f = fopen(pl->path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

/* Reads the file. */
static struct buf
get(const struct place *pl)
{
	FILE *f = fopen(pl->path, "r");
	char chunk[4096];
	struct buf b;
	size_t n;

	assert_non_null(f);
	buf_init(&b, 0);
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_add(&b, chunk, n);
	(void)fclose(f);
	return (b);
}

/* The newest line. */
static const char *
newest(const struct recall *rc)
{
	HistEvent ev;

	return (
	    history(linehist_history(rc), &ev, H_FIRST) == -1 ? NULL : ev.str);
}

static void
lines_go_into_a_file_that_is_nobody_elses(void **state)
{
	const struct place *pl = *state;
	struct recall *rc = linehist_new();
	struct stat st;
	struct buf b;

	linehist_open(rc, pl->path);
	assert_null(newest(rc));
	linehist_add(rc, "say hello");
	linehist_add(rc, "roll 2d6");
	assert_string_equal(newest(rc), "roll 2d6");
	linehist_free(rc);
	b = get(pl);
	assert_string_equal(buf_str(&b), "say hello\nroll 2d6\n");
	buf_clear(&b);
	assert_int_equal(stat(pl->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	rc = linehist_new();
	linehist_open(rc, pl->path);
	assert_string_equal(newest(rc), "roll 2d6");
	linehist_free(rc);
}

static void
what_does_not_show_is_left_out(void **state)
{
	const struct place *pl = *state;
	struct recall *rc = linehist_new();
	char *longest = calloc(1, 4096);

	assert_non_null(longest);
	memset(longest, 'x', 4095);
	linehist_open(rc, pl->path);
	linehist_add(rc, "good");
	linehist_add(rc, "");
	linehist_add(rc, "two\nlines");
	linehist_add(rc, "\033[31m");
	linehist_add(rc, "\xff");
	linehist_add(rc, longest);
	assert_string_equal(newest(rc), "good");
	linehist_free(rc);
	free(longest);
	put(pl, "one\n\033]0;x\007\n\nhalf", 17);
	rc = linehist_new();
	linehist_open(rc, pl->path);
	assert_string_equal(newest(rc), "one");
	linehist_free(rc);
}

static void
the_last_thousand_stay(void **state)
{
	const struct place *pl = *state;
	struct recall *rc = linehist_new();
	char line[32];
	struct buf b;
	int i;

	buf_init(&b, 0);
	for (i = 0; i < 1000 + OVER; i++)
		buf_printf(&b, "line %d\n", i);
	put(pl, buf_str(&b), b.len);
	buf_clear(&b);
	linehist_open(rc, pl->path);
	linehist_free(rc);
	b = get(pl);
	(void)snprintf(line, sizeof(line), "line %d\n", OVER);
	assert_memory_equal(buf_str(&b), line, strlen(line));
	(void)snprintf(line, sizeof(line), "\nline %d\n", 1000 + OVER - 1);
	assert_string_equal(buf_str(&b) + b.len - strlen(line), line);
	buf_clear(&b);
}

static void
words_are_forgotten_however_they_were_typed(void **state)
{
	static const char lines[] = "say 'hold  the left'\nsay hold the line\n"
				    "say \"hold the left\" --to side\nlook up\n"
				    "say ok\n";
	const struct place *pl = *state;
	struct errinfo e;
	struct buf b;

	put(pl, lines, strlen(lines));
	assert_int_equal(linehist_forget(pl->path, "hold the left", &e), 0);
	assert_int_equal(linehist_forget(pl->path, "ok", &e), 0);
	assert_int_equal(linehist_forget(pl->path, "", &e), 0);
	b = get(pl);
	assert_string_equal(buf_str(&b), "say hold the line\nlook up\n");
	buf_clear(&b);
	assert_int_equal(linehist_forget("/nowhere/history", "x", &e), 0);
}

static void
a_file_that_cannot_be_written_is_done_without(void **state)
{
	const struct place *pl = *state;
	struct recall *rc = linehist_new();
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/none/history", pl->dir);
	linehist_open(rc, path);
	linehist_add(rc, "one");
	linehist_add(rc, "two");
	assert_string_equal(newest(rc), "two");
	linehist_free(rc);
	linehist_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		lines_go_into_a_file_that_is_nobody_elses, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(
		what_does_not_show_is_left_out, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(
		the_last_thousand_stay, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(
		words_are_forgotten_however_they_were_typed, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(
		a_file_that_cannot_be_written_is_done_without, set_up,
		tear_down),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
