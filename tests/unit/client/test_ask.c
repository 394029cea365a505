/* SPDX-License-Identifier: ISC */
/* Questions, answered by a script. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/xalloc.h"
#include "client/ui/ask.h"
#include "common/base/buf.h"
#include "common/base/err.h"

#define N 4

static const char *const units[N] = {
    "fr-1  First of the line", "fr-10  Tenth", "guard", "Garde \033[31m"};

/* Answers, the last one followed by NULL, and what was said. */
struct script {
	const char *const *answers;
	struct buf said;
	struct buf prompts;
};

/* ask_io: the next answer; at their end nobody is there any more. */
static int
answer(void *arg, const char *prompt, const json_t *words, char **line)
{
	struct script *s = arg;

	(void)words;
	buf_printf(&s->prompts, "%s\n", prompt);
	if (*s->answers == NULL)
		return (ERR_CLOSED);
	*line = xalloc_str(*s->answers++);
	return (0);
}

/* ask_io: keeps what is said. */
static void
said(void *arg, int indent, const char *text)
{
	struct script *s = arg;

	(void)indent;
	buf_printf(&s->said, "%s\n", text);
}

/* Starts a script. */
static struct ask_io
begin(struct script *s, const char *const *answers)
{
	memset(s, 0, sizeof(*s));
	s->answers = answers;
	buf_init(&s->said, 0);
	buf_init(&s->prompts, 0);
	return ((struct ask_io){.line = answer, .say = said, .arg = s});
}

/* Ends it: all answers were taken. */
static void
end(struct script *s)
{
	assert_null(*s->answers);
	buf_clear(&s->said);
	buf_clear(&s->prompts);
}

/* Asks for one of the units; the answers of the script end with NULL. */
static int
choose(int fallback, size_t *pick, const char *const *answers)
{
	struct script s;
	struct ask_io io = begin(&s, answers);
	int r;

	r = ask_choice(&io, "Which?", units, N, fallback, pick);
	end(&s);
	return (r);
}

#define ANSWERS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void
a_choice_is_a_number_or_a_label(void **state)
{
	size_t pick = 99;

	(void)state;
	assert_int_equal(choose(-1, &pick, ANSWERS("2")), 0);
	assert_int_equal(pick, 1);
	assert_int_equal(choose(-1, &pick, ANSWERS("guard")), 0);
	assert_int_equal(pick, 2);
	/* An id is a whole word, though another begins with it. */
	assert_int_equal(choose(-1, &pick, ANSWERS("fr-1")), 0);
	assert_int_equal(pick, 0);
	assert_int_equal(choose(-1, &pick, ANSWERS("FR-10")), 0);
	assert_int_equal(pick, 1);
	assert_int_equal(choose(-1, &pick, ANSWERS("gu")), 0);
	assert_int_equal(pick, 2);
	assert_int_equal(choose(3, &pick, ANSWERS("")), 0);
	assert_int_equal(pick, 3);
}

static void
an_empty_line_is_the_only_choice_there_is(void **state)
{
	struct script s;
	struct ask_io io = begin(&s, ANSWERS("2", ""));
	size_t pick = 99;

	(void)state;
	assert_int_equal(ask_choice(&io, "Which?", units, 1, -1, &pick), 0);
	assert_int_equal(pick, 0);
	assert_non_null(strstr(buf_str(&s.prompts), "[1]"));
	end(&s);
}

static void
a_wrong_choice_is_asked_for_again(void **state)
{
	size_t pick = 99;

	(void)state;
	assert_int_equal(choose(-1, &pick,
			     ANSWERS("0", "5", "-1", "", "f", "g", "nobody",
				 "99999999999999999999", "1x", "4")),
	    0);
	assert_int_equal(pick, 3);
}

static void
going_back_and_going_away_answer_nothing(void **state)
{
	static const char *const none[] = {NULL};
	size_t pick = 99;

	(void)state;
	assert_int_equal(choose(0, &pick, ANSWERS("b")), ASK_BACK);
	assert_int_equal(choose(0, &pick, ANSWERS("9", "back")), ASK_BACK);
	assert_int_equal(choose(0, &pick, ANSWERS("q")), ERR_CLOSED);
	assert_int_equal(choose(0, &pick, none), ERR_CLOSED);
	assert_int_equal(pick, 99);
}

/* Asks for some of the units; gives what was picked as "0,2". */
static char *
some(size_t least, size_t most, const char *const *answers)
{
	struct script s;
	struct ask_io io = begin(&s, answers);
	size_t picks[N], n = 0, i;
	struct buf b;
	int r;

	r = ask_some(&io, NULL, units, N, least, most, true, picks, &n);
	end(&s);
	buf_init(&b, 0);
	if (r != 0)
		buf_printf(&b, "%d", r);
	for (i = 0; i < n; i++)
		buf_printf(&b, "%s%zu", i == 0 ? "" : ",", picks[i]);
	return (xalloc_take(&b));
}

static void
several_are_numbers_ranges_and_labels(void **state)
{
	static const struct {
		size_t least;
		size_t most;
		const char *answers[4];
		const char *picks;
	} rows[] = {
	    {1, N, {"1 3-4"}, "0,2,3"},
	    {1, N, {"4,2 , 1"}, "3,1,0"},
	    {1, N, {"4-2"}, "3,2,1"},
	    {1, N, {"2 1-3 2"}, "1,0,2"},
	    {1, N, {"all"}, "0,1,2,3"},
	    {0, N, {""}, ""},
	    {0, N, {"none"}, ""},
	    {N, N, {""}, "0,1,2,3"},
	    {1, N, {"guard fr-10"}, "2,1"},
	    {1, N, {"", "none", "3"}, "2"},
	    {1, 2, {"all", "1-3", "1-2"}, "0,1"},
	    {2, 2, {"1", "1 1", "1 2"}, "0,1"},
	    {1, N, {"1-5", "0", "2"}, "1"},
	    {1, N, {"1 nobody", "1-", "1"}, "0"},
	    {1, N, {"1 b", "b"}, "1"},
	    {1, N, {"2-1-3", "-2", "b"}, "1"},
	};
	size_t i;
	char *got;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		got = some(rows[i].least, rows[i].most, rows[i].answers);
		assert_string_equal(got, rows[i].picks);
		free(got);
	}
}

/* Asks each kind of question by this answer; what came of it is the same. */
static int
every_kind(const char *answer_text, struct buf *said_all, struct buf *prompts)
{
	const char *const answers[] = {answer_text, NULL};
	size_t picks[N], n;
	int64_t number = 1;
	char *text = NULL;
	struct script s;
	struct ask_io io;
	int kind, r = 0, last = 0;
	bool yes;

	for (kind = 0; kind < 5; kind++) {
		io = begin(&s, answers);
		switch (kind) {
		case 0:
			r = ask_choice(&io, "Which?", units, N, 0, &picks[0]);
			break;
		case 1:
			r = ask_some(
			    &io, "Which?", units, N, 0, N, true, picks, &n);
			break;
		case 2:
			r = ask_yes(&io, "?", 0, &yes);
			break;
		case 3:
			r = ask_number(&io, "?", 1, 9, true, &number);
			break;
		default:
			r = ask_text(&io, "?", 40, true, &text);
			break;
		}
		if (kind > 0)
			assert_int_equal(r, last);
		last = r;
		buf_printf(said_all, "@%s", buf_str(&s.said));
		buf_printf(prompts, "%s", buf_str(&s.prompts));
		end(&s);
	}
	assert_null(text);
	return (r);
}

/* How often a text has another. */
static size_t
count(const char *in, const char *what)
{
	size_t n = 0;

	for (; (in = strstr(in, what)) != NULL; in++)
		n++;
	return (n);
}

static void
back_quit_and_help_are_the_same_everywhere(void **state)
{
	static const struct {
		const char *line;
		int r;
	} rows[] = {{"b", ASK_BACK}, {"back", ASK_BACK}, {"q", ERR_CLOSED},
	    {"quit", ERR_CLOSED}, {"exit", ERR_CLOSED}};
	struct buf all, prompts;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		buf_init(&all, 0);
		buf_init(&prompts, 0);
		assert_int_equal(
		    every_kind(rows[i].line, &all, &prompts), rows[i].r);
		assert_int_equal(
		    count(buf_str(&prompts), "b: back, q: quit, ?: help"), 5);
		buf_clear(&all);
		buf_clear(&prompts);
	}
	/* Help is given, and the question asked again: nobody answers it. */
	for (i = 0; i < 2; i++) {
		buf_init(&all, 0);
		buf_init(&prompts, 0);
		assert_int_equal(
		    every_kind(i == 0 ? "?" : "help", &all, &prompts),
		    ERR_CLOSED);
		assert_int_equal(count(buf_str(&all),
				     "b goes back one step, q leaves these "
				     "questions."),
		    5);
		assert_int_equal(count(buf_str(&prompts), "?: help"), 10);
		assert_int_equal(count(buf_str(&all), "Which?"), 4);
		buf_clear(&all);
		buf_clear(&prompts);
	}
}

static void
where_none_is_rare_it_is_typed(void **state)
{
	struct script s;
	struct ask_io io = begin(&s, ANSWERS("", "none"));
	size_t picks[N], n = 9;

	(void)state;
	assert_int_equal(
	    ask_some(&io, "Which?", units, N, 0, N, false, picks, &n), 0);
	assert_int_equal(n, 0);
	assert_null(strstr(buf_str(&s.prompts), "[none]"));
	/* What is said can be typed, however few there are. */
	assert_non_null(
	    strstr(buf_str(&s.said), "Type numbers, such as 1 2, or none;"));
	end(&s);
	io = begin(&s, ANSWERS("9", "1"));
	assert_int_equal(
	    ask_some(&io, "Which?", units, 1, 0, 1, false, picks, &n), 0);
	assert_non_null(strstr(buf_str(&s.said), "There is no 9"));
	end(&s);
	io = begin(&s, ANSWERS("", "?", "1"));
	assert_int_equal(
	    ask_some(&io, "Which?", units, 1, 0, 1, false, picks, &n), 0);
	assert_non_null(
	    strstr(buf_str(&s.said), "Type 1, or none; b goes back"));
	assert_null(strstr(buf_str(&s.said), "such as 1 2"));
	end(&s);
	/* Where all are needed an empty line still means them. */
	io = begin(&s, ANSWERS(""));
	assert_int_equal(
	    ask_some(&io, "Which?", units, N, N, N, false, picks, &n), 0);
	assert_int_equal(n, N);
	end(&s);
}

/* ask_extra: counts. */
static void
tell_more(void *arg)
{
	++*(int *)arg;
}

static void
what_else_is_offered_is_told_and_asked_again(void **state)
{
	struct script s;
	struct ask_io io = begin(&s, ANSWERS("o", "ODDS", "od", "y"));
	int told = 0;
	const struct ask_extra extra = {'o', "odds", tell_more, &told};
	bool yes = false;

	(void)state;
	assert_int_equal(ask_yes_or(&io, "Sure?", 0, &extra, &yes), 0);
	assert_true(yes);
	assert_int_equal(told, 2);
	assert_int_equal(count(buf_str(&s.prompts), "Sure? y/n, o: odds,"), 4);
	assert_int_equal(
	    count(buf_str(&s.said), "Type y or n, or o to see the odds; "), 1);
	end(&s);
}

static void
yes_and_no_may_be_cut_short(void **state)
{
	struct script s;
	struct ask_io io =
	    begin(&s, ANSWERS("y", "NO", "", "", "x", "Ye", "b"));
	bool yes = false;

	(void)state;
	assert_int_equal(ask_yes(&io, "?", 0, &yes), 0);
	assert_true(yes);
	assert_int_equal(ask_yes(&io, "?", 1, &yes), 0);
	assert_false(yes);
	assert_int_equal(ask_yes(&io, "?", 1, &yes), 0);
	assert_true(yes);
	/* Without a fallback an empty line is asked again. */
	yes = false;
	assert_int_equal(ask_yes(&io, "?", -1, &yes), 0);
	assert_true(yes);
	assert_int_equal(ask_yes(&io, "?", 0, &yes), ASK_BACK);
	end(&s);
}

static void
numbers_are_within_their_range(void **state)
{
	struct script s;
	struct ask_io io = begin(&s,
	    ANSWERS("7", "-3", "", "1.5", "11", "-4", "- 1", "+1", "10", "",
		"-0", "b"));
	int64_t n = 5;

	(void)state;
	assert_int_equal(ask_number(&io, "?", -3, 10, false, &n), 0);
	assert_int_equal(n, 7);
	assert_int_equal(ask_number(&io, "?", -3, 10, false, &n), 0);
	assert_int_equal(n, -3);
	assert_int_equal(ask_number(&io, "?", -3, 10, false, &n), 0);
	assert_int_equal(n, 10);
	assert_int_equal(ask_number(&io, "?", -3, 10, true, &n), 0);
	assert_int_equal(n, 10);
	assert_int_equal(ask_number(&io, "?", -3, 10, true, &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(ask_number(&io, "?", -3, 10, true, &n), ASK_BACK);
	assert_int_equal(n, 0);
	end(&s);
}

static void
a_text_is_short_utf8_that_shows(void **state)
{
	struct script s;
	struct ask_io io = begin(&s,
	    ANSWERS("", "four and a lot", "\xff", "a\033", "\xe2\x80\xae",
		"für", "", "b"));
	char *text = NULL;

	(void)state;
	assert_int_equal(ask_text(&io, "?", 4, false, &text), 0);
	assert_string_equal(text, "für");
	free(text);
	assert_int_equal(ask_text(&io, "?", 4, true, &text), 0);
	assert_string_equal(text, "");
	free(text);
	assert_int_equal(ask_text(&io, "?", 4, true, &text), ASK_BACK);
	end(&s);
}

static void
a_name_in_a_question_cannot_drive_the_terminal(void **state)
{
	struct script s;
	struct ask_io io = begin(&s, ANSWERS("y"));
	bool yes;

	(void)state;
	assert_int_equal(ask_yes(&io, "Garde \033[31m?", -1, &yes), 0);
	assert_null(strchr(buf_str(&s.prompts), '\033'));
	assert_non_null(strstr(buf_str(&s.prompts), "Garde ?[31m?"));
	end(&s);
}

static void
a_long_question_is_no_prompt(void **state)
{
	static const char *const question =
	    "Is this question not much longer than what is left of a line when "
	    "an answer is to stand behind it?";
	struct script s;
	struct ask_io io = begin(&s, ANSWERS("3"));
	int64_t n;

	(void)state;
	assert_int_equal(ask_number(&io, question, 1, 9, false, &n), 0);
	assert_non_null(strstr(buf_str(&s.said), question));
	assert_null(strstr(buf_str(&s.prompts), "longer"));
	end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_choice_is_a_number_or_a_label),
	    cmocka_unit_test(an_empty_line_is_the_only_choice_there_is),
	    cmocka_unit_test(a_wrong_choice_is_asked_for_again),
	    cmocka_unit_test(going_back_and_going_away_answer_nothing),
	    cmocka_unit_test(several_are_numbers_ranges_and_labels),
	    cmocka_unit_test(back_quit_and_help_are_the_same_everywhere),
	    cmocka_unit_test(where_none_is_rare_it_is_typed),
	    cmocka_unit_test(what_else_is_offered_is_told_and_asked_again),
	    cmocka_unit_test(yes_and_no_may_be_cut_short),
	    cmocka_unit_test(numbers_are_within_their_range),
	    cmocka_unit_test(a_text_is_short_utf8_that_shows),
	    cmocka_unit_test(a_name_in_a_question_cannot_drive_the_terminal),
	    cmocka_unit_test(a_long_question_is_no_prompt),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
