/* SPDX-License-Identifier: ISC */
/*
 * The error codes' names and texts, and reasons for people: what comes from
 * outside must not reach a terminal or break a reply.
 */
#include "common/base/err.h"

#include <ctype.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LAST_CODE ERR_RECOVERING

static void
every_code_has_a_text_of_its_own(void **state)
{
	const char *text;
	int r, s;

	(void)state;
	for (r = 0; r >= LAST_CODE; r--) {
		text = err_text(r);
		assert_non_null(text);
		assert_true(strlen(text) > 0);
		assert_false(isupper((unsigned char)text[0]));
		assert_int_not_equal(text[strlen(text) - 1], '.');
		for (s = 0; s > r; s--)
			assert_string_not_equal(text, err_text(s));
	}
}

static void
every_code_has_a_name_of_its_own(void **state)
{
	const char *name;
	int r, s;

	(void)state;
	for (r = 0; r >= LAST_CODE; r--) {
		name = err_name(r);
		assert_non_null(name);
		assert_true(strlen(name) > 0);
		assert_int_equal(
		    strspn(name, "abcdefghijklmnopqrstuvwxyz-"), strlen(name));
		for (s = 0; s > r; s--)
			assert_string_not_equal(name, err_name(s));
	}
}

static void
names_are_those_of_the_protocol(void **state)
{
	static const struct {
		int r;
		const char *name;
	} rows[] = {
	    {ERR_STORAGE, "storage"},
	    {ERR_BUSY, "busy"},
	    {ERR_STALE, "stale"},
	    {ERR_ILLEGAL, "illegal"},
	    {ERR_NONCE, "nonce-used"},
	    {ERR_FORK, "fork"},
	    {ERR_SIGNATURE, "signature"},
	    {ERR_PROOF, "proof"},
	    {ERR_NOTFOUND, "not-found"},
	    {ERR_INVALID, "invalid"},
	    {ERR_MALFORMED, "malformed"},
	    {ERR_TOOBIG, "too-big"},
	    {ERR_LOGIN, "login"},
	    {ERR_DENIED, "denied"},
	    {ERR_EXISTS, "exists"},
	    {ERR_LIMIT, "limit"},
	    {ERR_SERVER, "other-server"},
	    {ERR_METHOD, "method"},
	    {ERR_NEWER, "newer"},
	    {ERR_MISSING, "missing"},
	    {ERR_INTERNAL, "internal"},
	    {ERR_REQUEST, "request"},
	    {ERR_DAMAGED, "damaged"},
	    {ERR_CLOCK, "clock"},
	    {ERR_RECOVERING, "recovering"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(err_name(rows[i].r), rows[i].name);
	assert_string_equal(err_text(0), "no error");
}

static void
what_is_no_code_is_an_internal_error(void **state)
{
	static const int codes[] = {1, INT_MAX, LAST_CODE - 1, -1000, INT_MIN};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		assert_string_equal(err_name(codes[i]), "internal");
		assert_string_equal(err_text(codes[i]), err_text(ERR_INTERNAL));
	}
}

static void
set_fills_both_parts_and_returns_the_code(void **state)
{
	struct errinfo e;

	(void)state;
	memset(&e, 'x', sizeof(e));
	assert_int_equal(
	    err_set(&e, ERR_INVALID, "a.b[2]", "must be %d", 7), ERR_INVALID);
	assert_string_equal(e.where, "a.b[2]");
	assert_string_equal(e.text, "must be 7");
	assert_int_equal(err_set(&e, ERR_IO, NULL, "gone"), ERR_IO);
	assert_string_equal(e.where, "");
	assert_string_equal(e.text, "gone");
}

static void
set_without_a_struct_returns_the_code(void **state)
{
	(void)state;
	assert_int_equal(err_set(NULL, ERR_IO, "here", "x %d", 1), ERR_IO);
}

static void
set_cuts_what_is_too_long(void **state)
{
	char where[300], text[500];
	struct errinfo e;

	(void)state;
	memset(where, 'w', sizeof(where) - 1);
	where[sizeof(where) - 1] = '\0';
	memset(text, 't', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	(void)err_set(&e, ERR_INVALID, where, "%s", text);
	assert_int_equal(strlen(e.where), sizeof(e.where) - 1);
	assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
	assert_memory_equal(e.where, where, sizeof(e.where) - 1);
	assert_memory_equal(e.text, text, sizeof(e.text) - 1);
}

static void
set_never_cuts_within_a_character(void **state)
{
	char text[500];
	struct errinfo e;
	size_t i, shift;

	(void)state;
	/* U+20AC has three bytes; each shift cuts it at another place. */
	for (shift = 0; shift < 3; shift++) {
		memset(text, 'a', shift);
		for (i = shift; i + 3 < sizeof(text); i += 3)
			memcpy(text + i, "\xe2\x82\xac", 3);
		text[i] = '\0';
		(void)err_set(&e, ERR_INVALID, text, "%s", text);
		assert_int_equal((strlen(e.text) - shift) % 3, 0);
		assert_int_equal((strlen(e.where) - shift) % 3, 0);
		assert_true(strlen(e.text) + 3 >= sizeof(e.text));
		assert_memory_equal(e.text, text, strlen(e.text));
	}
}

static void
set_replaces_what_is_not_plain_text(void **state)
{
	struct errinfo e;

	(void)state;
	(void)err_set(&e, ERR_INVALID, "a\nb", "%s",
	    "x\x1b[31m \x7f \xc2\x9b caf\xc3\xa9 \xff \xe2\x80\xae.");
	assert_string_equal(e.where, "a?b");
	assert_string_equal(e.text, "x?[31m ? ? caf\xc3\xa9 ? ?.");
	/* Cut short, overlong and a surrogate: a mark for each byte. */
	(void)err_set(&e, ERR_INVALID, NULL, "%s",
	    "\xe2\x82 \xc0\xaf \xed\xa0\x80 \xf0\x9f\x98");
	assert_string_equal(e.text, "?? ?? ??? ???");
}

static void
set_may_read_from_what_it_fills(void **state)
{
	struct errinfo e;

	(void)state;
	(void)err_set(&e, ERR_INVALID, "here", "first");
	(void)err_set(&e, ERR_BAD, e.where, "line %d: %s", 3, e.text);
	assert_string_equal(e.where, "here");
	assert_string_equal(e.text, "line 3: first");
	(void)err_set(&e, ERR_BAD, e.text, "%s", e.where);
	assert_string_equal(e.where, "line 3: first");
	assert_string_equal(e.text, "here");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_code_has_a_text_of_its_own),
	    cmocka_unit_test(every_code_has_a_name_of_its_own),
	    cmocka_unit_test(names_are_those_of_the_protocol),
	    cmocka_unit_test(what_is_no_code_is_an_internal_error),
	    cmocka_unit_test(set_fills_both_parts_and_returns_the_code),
	    cmocka_unit_test(set_without_a_struct_returns_the_code),
	    cmocka_unit_test(set_cuts_what_is_too_long),
	    cmocka_unit_test(set_never_cuts_within_a_character),
	    cmocka_unit_test(set_replaces_what_is_not_plain_text),
	    cmocka_unit_test(set_may_read_from_what_it_fills),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
