/* SPDX-License-Identifier: ISC */
/* The command line: options, operands, slips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/cmd/cmds.h"
#include "client/ui/cmd.h"
#include "client/ui/opt.h"

#define WORDS_MAX 16

static const struct opt_def own[] = {
    {"output", 'o', "FILE", false, "where to"},
    {"ruling", 0, "NAME=VALUE", true, "how"},
    {"check", 0, NULL, false, "only that"},
    {NULL, 0, NULL, false, NULL},
};

/* Parses words that end with NULL. */
static int
parse(struct opt_set *s, struct errinfo *e, ...)
{
	char *argv[WORDS_MAX];
	const char *w;
	va_list ap;
	int n = 0;

	opt_init(s);
	memset(e, 0, sizeof(*e));
	va_start(ap, e);
	while ((w = va_arg(ap, const char *)) != NULL)
		argv[n++] = (char *)(uintptr_t)w;
	va_end(ap);
	return (opt_parse(s, n, argv, own, cmds_globals, false, NULL, e));
}

static void
options_may_stand_before_between_and_after_operands(void **state)
{
	struct opt_set s;
	struct errinfo e;

	(void)state;
	assert_int_equal(
	    parse(&s, &e, "--json", "a", "-o", "f", "b", "--check", NULL), 0);
	assert_int_equal(s.n_operands, 2);
	assert_string_equal(s.operands[0], "a");
	assert_string_equal(s.operands[1], "b");
	assert_true(opt_has(&s, "json"));
	assert_true(opt_has(&s, "check"));
	assert_string_equal(opt_get(&s, "output"), "f");
	assert_null(opt_get(&s, "profile"));
	opt_clear(&s);
}

static void
values_may_be_joined(void **state)
{
	struct opt_set s;
	struct errinfo e;
	size_t i = 0;

	(void)state;
	assert_int_equal(parse(&s, &e, "-ofile", "--ruling=a=1", "--ruling",
			     "b=2", "--profile=", NULL),
	    0);
	assert_string_equal(opt_get(&s, "output"), "file");
	assert_string_equal(opt_get(&s, "profile"), "");
	assert_string_equal(opt_next(&s, "ruling", &i), "a=1");
	assert_string_equal(opt_next(&s, "ruling", &i), "b=2");
	assert_null(opt_next(&s, "ruling", &i));
	opt_clear(&s);
}

static void
two_dashes_end_options_and_numbers_are_words(void **state)
{
	struct opt_set s;
	struct errinfo e;

	(void)state;
	assert_int_equal(
	    parse(&s, &e, "-1", "-", "--", "--json", "-o", NULL), 0);
	assert_int_equal(s.n_operands, 4);
	assert_string_equal(s.operands[1], "-");
	assert_string_equal(s.operands[2], "--json");
	assert_false(opt_has(&s, "json"));
	opt_clear(&s);
}

static void
an_option_takes_the_next_word_whatever_it_is(void **state)
{
	struct opt_set s;
	struct errinfo e;

	(void)state;
	assert_int_equal(parse(&s, &e, "--output", "--json", NULL), 0);
	assert_string_equal(opt_get(&s, "output"), "--json");
	assert_false(opt_has(&s, "json"));
	opt_clear(&s);
}

/* Checks that words are refused with a text that has `part` in it. */
static void
refuses(const char *word, const char *more, const char *part)
{
	struct opt_set s;
	struct errinfo e;

	assert_int_equal(parse(&s, &e, word, more, NULL), ERR_INVALID);
	if (strstr(e.text, part) == NULL)
		fail_msg("'%s': '%s' lacks '%s'", word, e.text, part);
	opt_clear(&s);
}

static void
what_is_unknown_or_incomplete_is_refused(void **state)
{
	(void)state;
	refuses("--jsno", NULL, "did you mean '--json'");
	refuses("--out", "x", "did you mean '--output'");
	refuses("--zzzzzz", NULL, "after '--'");
	refuses("-x", NULL, "unknown option '-x'");
	refuses("-oo", "-o=", "given twice");
	refuses("--output", NULL, "needs a value");
	refuses("--check=yes", NULL, "takes no value");
	refuses("-yes", NULL, "unknown option");
}

static void
distances_are_those_of_slips(void **state)
{
	(void)state;
	assert_int_equal(opt_distance("", ""), 0);
	assert_int_equal(opt_distance("", "abc"), 3);
	assert_int_equal(opt_distance("show", "show"), 0);
	assert_int_equal(opt_distance("delcare", "declare"), 1);
	assert_int_equal(opt_distance("regster", "register"), 1);
	assert_int_equal(opt_distance("sho", "show"), 1);
	assert_int_equal(opt_distance("verfiy", "verify"), 1);
	assert_true(opt_distance("frobnicate", "show") > 3);
	assert_true(opt_distance("a-word-that-is-longer-than-31-bytes-long",
			"show") > 3);
}

static void
misspelt_subcommands_are_suggested(void **state)
{
	(void)state;
	assert_string_equal(
	    cmds_suggest(cmds_table, "delcare")->name, "declare");
	assert_string_equal(cmds_suggest(cmds_table, "sho")->name, "show");
	assert_string_equal(
	    cmds_suggest(cmds_table, "endturn")->name, "end-turn");
	assert_string_equal(cmds_suggest(cmds_table, "ver")->name, "verify");
	assert_null(cmds_suggest(cmds_table, "frobnicate"));
	assert_null(cmds_suggest(cmds_table, "x"));
	assert_null(cmds_suggest(cmds_table, ""));
	assert_null(cmds_find(cmds_table, "sho"));
	assert_non_null(cmds_find(cmds_table, "show"));
	/* More than half of it must be right. */
	assert_string_equal(cmds_suggest(cmds_table, "loq")->name, "log");
	assert_null(cmds_suggest(cmds_table, "foo"));
}

static void
numbers_are_decimal_and_within_their_range(void **state)
{
	int64_t v = 7;

	(void)state;
	assert_true(opt_number("0", 0, 9, &v));
	assert_int_equal(v, 0);
	assert_true(opt_number("09", 0, 9, &v));
	assert_true(opt_number("9007199254740991", 0, INT64_MAX, &v));
	assert_false(opt_number("10", 0, 9, &v));
	assert_false(opt_number("", 0, 9, &v));
	assert_false(opt_number("-1", -9, 9, &v));
	assert_false(opt_number("1x", 0, 9, &v));
	assert_false(opt_number(" 1", 0, 9, &v));
	assert_false(opt_number("99999999999999999999", 0, INT64_MAX, &v));
}

/* Length of the longest line of a text. */
static size_t
longest_line(const char *s)
{
	size_t n, longest = 0;

	for (; *s != '\0'; s += n + (s[n] == '\n')) {
		n = strcspn(s, "\n");
		if (n > longest)
			longest = n;
	}
	return (longest);
}

/* Every table entry says all that help and completion need. */
static void
every_subcommand_is_described(void **state)
{
	const struct cmd_entry *e;
	const struct opt_def *d;

	(void)state;
	for (e = cmds_table; e->cmd != NULL; e++) {
		assert_ptr_equal(cmds_find(cmds_table, e->name), e);
		assert_true(strlen(e->what) > 10);
		assert_true(strlen(e->what) <= 64);
		assert_non_null(strstr(e->examples, "umpire "));
		assert_non_null(strstr(e->examples, e->name));
		assert_non_null(e->more);
		assert_true(longest_line(e->more) <= 80);
		assert_true(longest_line(e->examples) <= 80);
		/* It is run, done upon a game that is open, or has others. */
		assert_true(e->cmd->run != NULL || e->cmd->play != NULL ||
		    e->cmd->subs != NULL);
		assert_true(e->cmd->parse == NULL || e->cmd->play != NULL);
		assert_true(e->cmd->max_args == -1 ||
		    e->cmd->max_args >= e->cmd->min_args);
		for (d = e->cmd->opts; d != NULL && d->name != NULL; d++) {
			assert_true(strlen(d->what) > 5);
			assert_true(strlen(d->what) <= 50);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		options_may_stand_before_between_and_after_operands),
	    cmocka_unit_test(values_may_be_joined),
	    cmocka_unit_test(two_dashes_end_options_and_numbers_are_words),
	    cmocka_unit_test(an_option_takes_the_next_word_whatever_it_is),
	    cmocka_unit_test(what_is_unknown_or_incomplete_is_refused),
	    cmocka_unit_test(distances_are_those_of_slips),
	    cmocka_unit_test(misspelt_subcommands_are_suggested),
	    cmocka_unit_test(numbers_are_decimal_and_within_their_range),
	    cmocka_unit_test(every_subcommand_is_described),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
