/* SPDX-License-Identifier: ISC */
/* Typed lines as words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/wordlist.h"
#include "client/base/xalloc.h"
#include "common/base/err.h"

static void
lines_are_split_at_blanks_and_marks(void **state)
{
	static const struct {
		const char *line;
		const char *words; /* as JSON */
	} rows[] = {
	    {"", "[]"},
	    {" \t ", "[]"},
	    {"end-turn", "[\"end-turn\"]"},
	    {"  a  b\tc ", "[\"a\",\"b\",\"c\"]"},
	    {"say 'two words' more", "[\"say\",\"two words\",\"more\"]"},
	    {"x \"it's\" ''", "[\"x\",\"it's\",\"\"]"},
	    /* Marks within a word are letters. */
	    {"don't 5\" guns", "[\"don't\",\"5\\\"\",\"guns\"]"},
	    {"a'b c'd", "[\"a'b\",\"c'd\"]"},
	    /* But one behind a = begins a text, as a shell would have it. */
	    {"mg name=\"Old Guard\" a=1 why='it''s late'",
		"[\"mg\",\"name=Old Guard\",\"a=1\",\"why=it\","
		"\"s late\"]"},
	    {"x= y=\"\" =\"a b\" z==\"q\" b=[{\"id\":1}]",
		"[\"x=\",\"y=\",\"=a b\",\"z==\\\"q\\\"\","
		"\"b=[{\\\"id\\\":1}]\"]"},
	    {"mg name=", "[\"mg\",\"name=\"]"},
	    /* What follows a second mark is another word. */
	    {"'a'b", "[\"a\",\"b\"]"},
	    {"decide --decision '{\"kind\":\"x\"}'",
		"[\"decide\",\"--decision\",\"{\\\"kind\\\":\\\"x\\\"}\"]"},
	    /* Nothing is expanded. */
	    {"$HOME `ls` *;|&> ~ \\n",
		"[\"$HOME\",\"`ls`\",\"*;|&>\",\"~\",\"\\\\n\"]"},
	    {"größe", "[\"größe\"]"},
	};
	json_t *words;
	size_t i;
	char *s;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(wordlist_split(rows[i].line, &words, NULL), 0);
		s = xalloc_dump(words);
		assert_string_equal(s, rows[i].words);
		free(s);
		json_decref(words);
	}
}

static void
what_has_no_end_or_is_no_text_is_refused(void **state)
{
	static const char *const lines[] = {
	    "say 'half", "\"", "a '", "n=\"half", "\xc3(", "ok \xff"};
	struct errinfo e;
	json_t *words = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		memset(&e, 0, sizeof(e));
		assert_int_equal(
		    wordlist_split(lines[i], &words, &e), ERR_INVALID);
		assert_null(words);
		assert_true(strlen(e.text) > 10);
	}
}

static void
words_are_added_and_looked_up(void **state)
{
	json_t *words = xalloc_json(json_array());

	(void)state;
	assert_string_equal(wordlist_get(words, 0), "");
	wordlist_add(words, "accept");
	wordlist_add(words, "14");
	assert_string_equal(wordlist_get(words, 1), "14");
	assert_string_equal(wordlist_get(words, 2), "");
	json_decref(words);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_are_split_at_blanks_and_marks),
	    cmocka_unit_test(what_has_no_end_or_is_no_text_is_refused),
	    cmocka_unit_test(words_are_added_and_looked_up),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
