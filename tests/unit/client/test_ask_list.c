/* SPDX-License-Identifier: ISC */
/* Lists of choices on screens that are large enough, and that are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/xalloc.h"
#include "client/ui/ask.h"
#include "common/base/buf.h"
#include "common/base/err.h"

#define MANY 40

static const char *const units[] = {"fr-1  First of the line", "fr-10  日本",
    "nobody",
    "guard-old  Old Guard: infantry, strength 9, "
    "elite, led by the marshal himself, steady",
    "guard-young  Young Guard"};

#define N (sizeof(units) / sizeof(units[0]))

/* A screen, what is typed (ended by NULL), and what is shown. */
struct screen {
	int rows;
	const char *const *answers;
	struct buf shown; /* an '@' before each prompt */
};

/* ask_io: shows the prompt and gives the next answer. */
static int
screen_line_cb(void *arg, const char *prompt, const json_t *words, char **line)
{
	struct screen *s = arg;

	(void)words;
	buf_printf(&s->shown, "@%s\n", prompt);
	if (*s->answers == NULL)
		return (ERR_CLOSED);
	*line = xalloc_str(*s->answers++);
	return (0);
}

/* ask_io: keeps what is said, with its indent where that is not nought. */
static void
screen_say_cb(void *arg, int indent, const char *text)
{
	struct screen *s = arg;

	if (indent > 0)
		buf_printf(&s->shown, "%d:", indent);
	buf_printf(&s->shown, "%s\n", text);
}

/* ask_io: the size. */
static void
screen_size_cb(void *arg, int *rows, int *columns)
{
	struct screen *s = arg;

	*rows = s->rows;
	*columns = 60;
}

/* Asks for some of the labels; gives what was picked, "0 2", or the code. */
static char *
picks_of(struct screen *s, int rows, const char *const *labels, size_t n,
    size_t least, const char *const *answers)
{
	const struct ask_io io = {.line = screen_line_cb,
	    .say = screen_say_cb,
	    .arg = s,
	    .size = screen_size_cb};
	size_t picks[MANY], n_picks = 0, i;
	struct buf b;
	int r;

	s->rows = rows;
	s->answers = answers;
	buf_init(&s->shown, 0);
	buf_init(&b, 0);
	r = ask_some(&io, "Which?", labels, n, least, n, true, picks, &n_picks);
	if (r != 0)
		buf_puts(&b, r == ASK_BACK ? "back" : err_text(r));
	for (i = 0; i < n_picks; i++)
		buf_printf(&b, "%s%zu", i == 0 ? "" : " ", picks[i]);
	return (xalloc_take(&b));
}

/* Checks what is picked, and what is shown (NULL: whatever). */
static void
shows(int rows, const char *const *labels, size_t n, size_t least,
    const char *const *answers, const char *picked, const char *shown)
{
	struct screen s;
	char *got;

	got = picks_of(&s, rows, labels, n, least, answers);
	assert_string_equal(got, picked);
	if (shown != NULL)
		assert_string_equal(buf_str(&s.shown), shown);
	free(got);
	buf_clear(&s.shown);
}

#define ANSWERS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void
first_words_are_a_column(void **state)
{
	(void)state;
	shows(24, units, N, 1, ANSWERS("2"), "1",
	    "\nWhich?\n"
	    "18:  1  fr-1         First of the line\n"
	    "18:  2  fr-10        日本\n"
	    "18:  3  nobody\n"
	    "18:  4  guard-old    Old Guard: infantry, strength 9, elite, led "
	    "by the marshal himself, steady\n"
	    "18:  5  guard-young  Young Guard\n"
	    "@numbers (1 3-5), all, b: back, q: quit, ?: help> \n");
}

static void
a_column_that_is_too_wide_is_none(void **state)
{
	static const char *const wide[] = {
	    "a-name-of-more-than-24-columns  a", "b  b"};

	(void)state;
	shows(24, wide, 2, 1, ANSWERS("b"), "back",
	    NULL); /* "b" goes back, whatever is called so */
	shows(24, wide, 2, 2, ANSWERS(""), "0 1",
	    "\nWhich?\n"
	    "5:  1  a-name-of-more-than-24-columns  a\n"
	    "5:  2  b  b\n"
	    "@numbers (1 2), all, b: back, q: quit, ?: help [all]> \n");
	shows(24, wide, 1, 0, ANSWERS("1"), "0",
	    "\nWhich?\n"
	    "5:  1  a-name-of-more-than-24-columns  a\n"
	    "@1, none, b: back, q: quit, ?: help [none]> \n");
}

static void
what_does_not_fit_is_cut_and_shown_in_full(void **state)
{
	(void)state;
	/* 5 choices in 5 lines; the sixth line is one too many. */
	shows(9, units, N, 0, ANSWERS("?", "", "", ""), "",
	    "\nWhich?\n"
	    "18:  1  fr-1         First of the line\n"
	    "18:  2  fr-10        日本\n"
	    "18:  3  nobody\n"
	    "18:  4  guard-old    Old Guard: infantry, strength 9, ...\n"
	    "18:  5  guard-young  Young Guard\n"
	    "@numbers (1 3-5), all, none, b: back, q: quit, ?: in full [none]> "
	    "\n"
	    "\nWhich?\n"
	    "18:  1  fr-1         First of the line\n"
	    "18:  2  fr-10        日本\n"
	    "Type numbers or the beginnings of words, such as 1 3-5 or guard* "
	    "for all that begin so; b goes back one step, q leaves these "
	    "questions.\n"
	    "@Enter: more, numbers (1 3-5), all, none, b: back, q: quit, ?: "
	    "help> \n"
	    "18:  3  nobody\n"
	    "18:  4  guard-old    Old Guard: infantry, strength 9, elite, led "
	    "by the marshal himself, steady\n"
	    "@Enter: more, numbers (1 3-5), all, none, b: back, q: quit, ?: "
	    "help> \n"
	    "18:  5  guard-young  Young Guard\n"
	    "@numbers (1 3-5), all, none, b: back, q: quit, ?: help [none]> "
	    "\n");
	/* With a line more, or on a screen of no known size, all is there. */
	shows(10, units, N, 0, ANSWERS(""), "", NULL);
	shows(0, units, N, 0, ANSWERS("4"), "3", NULL);
}

static void
long_words_are_not_cut(void **state)
{
	static const char *const labels[] = {"1", "2", "3", "4", "5",
	    "one-word-that-is-longer-than-the-screen-is-wide-and-goes-on-and-"
	    "on"};

	(void)state;
	shows(9, labels, 6, 1, ANSWERS("all"), "0 1 2 3 4 5", NULL);
}

static void
a_list_is_shown_a_page_at_a_time(void **state)
{
	const char *labels[MANY];
	char text[MANY][32];
	struct screen s;
	char *got;
	size_t i;

	(void)state;
	for (i = 0; i < MANY; i++) {
		(void)snprintf(text[i], sizeof(text[i]), "%s-%zu  Unit %zu",
		    i % 2 == 0 ? "Even" : "odd", i, i);
		labels[i] = text[i];
	}
	got = picks_of(&s, 24, labels, MANY, 0, ANSWERS("", ""));
	assert_string_equal(got, "");
	assert_non_null(strstr(buf_str(&s.shown),
	    " 20  odd-19   Unit 19\n@Enter: more, numbers (1 3-5), all, "
	    "none, b: back, q: quit, ?: help> \n"));
	assert_non_null(strstr(buf_str(&s.shown),
	    " 40  odd-39   Unit 39\n@numbers (1 3-5), all, none, b: back, q: "
	    "quit, ?: help [none]> \n"));
	free(got);
	buf_clear(&s.shown);
	/* What has not been shown can be picked. */
	shows(24, labels, MANY, 1, ANSWERS("40 odd-37"), "39 37", NULL);
	shows(24, labels, MANY, 1, ANSWERS("", "", "1"), "0", NULL);
	shows(24, labels, MANY, 1, ANSWERS("even-3*"), "30 32 34 36 38", NULL);
	shows(24, labels, MANY, 1, ANSWERS("2 odd-1* 1"), "1 11 13 15 17 19 0",
	    NULL);
}

static void
what_means_nothing_is_told(void **state)
{
	struct screen s;
	char *got;

	(void)state;
	got = picks_of(&s, 24, units, N, 1,
	    ANSWERS("6", "guard", "x*", "*", "zz", "guard*"));
	assert_string_equal(got, "3 4");
	assert_non_null(
	    strstr(buf_str(&s.shown), "There is no 6: the last is 5.\n"));
	assert_non_null(strstr(buf_str(&s.shown),
	    "Several begin with 'guard': type more of one, or guard* for all "
	    "of them; b goes back one step, q leaves these questions.\n"));
	assert_non_null(strstr(buf_str(&s.shown), "'x*' is not among them"));
	assert_non_null(strstr(buf_str(&s.shown), "'*' is not among them"));
	assert_non_null(strstr(buf_str(&s.shown), "'zz' is not among them"));
	free(got);
	buf_clear(&s.shown);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(first_words_are_a_column),
	    cmocka_unit_test(a_column_that_is_too_wide_is_none),
	    cmocka_unit_test(what_does_not_fit_is_cut_and_shown_in_full),
	    cmocka_unit_test(long_words_are_not_cut),
	    cmocka_unit_test(a_list_is_shown_a_page_at_a_time),
	    cmocka_unit_test(what_means_nothing_is_told),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
