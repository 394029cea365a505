/* SPDX-License-Identifier: ISC */
/* What people are called: names that could be somebody else's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/display.h"
#include "client/base/xalloc.h"
#include "client/report/people.h"

/* What an account with a name is called where others are, too. */
static void
check_called(const char *account, const char *name, const char *other,
    const char *other_name, const char *want)
{
	struct people *p = people_new();

	people_add(p, account, name);
	if (other != NULL)
		people_add(p, other, other_name);
	assert_string_equal(people_tell(p, account), want);
	/* The same when it is asked again. */
	assert_string_equal(people_tell(p, account), want);
	people_free(p);
}

static void
names_stand_by_themselves_or_with_the_account(void **state)
{
	static const struct {
		const char *account, *name, *other, *other_name, *want;
	} rows[] = {
	    {"anna", "Anna K.", NULL, NULL, "Anna K."},
	    {"anna", "Anna K.", "bert", "Bert B.", "Anna K."},
	    {"anna", "Anna", "bert", NULL, "Anna"},
	    {"anna.k", "Anna-K", NULL, NULL, "Anna-K"},
	    {"jose", "José Núñez", "bert", NULL, "José Núñez"},
	    /* No name, or no other than the account. */
	    {"anna", NULL, NULL, NULL, "anna"},
	    {"anna", "anna", NULL, NULL, "anna"},
	    /* Two who are called the same, or nearly. */
	    {"anna", "Anna K.", "carl", "Anna K.", "Anna K. (anna)"},
	    {"anna", "Anna K.", "carl", "ANNA K", "Anna K. (anna)"},
	    {"anna", "Anna K.", "carl", "Änna K.", "Anna K. (anna)"},
	    {"anna", "Lou Bell", "carl", "L0u BeII", "Lou Bell (anna)"},
	    {"carl", "L0u BeII", "anna", "Lou Bell", "L0u BeII (carl)"},
	    /* As somebody else's account. */
	    {"carl", "Anna K", "anna.k", NULL, "Anna K (carl)"},
	    {"carl", "a n n a", "anna", NULL, "a n n a (carl)"},
	    {"carl", "Anna", "anna", NULL, "Anna (carl)"},
	    /* One word may be the account of who is not here. */
	    {"carl", "Anna", NULL, NULL, "Anna (carl)"},
	    /* Letters that only look Latin, and such as do not. */
	    {"carl", "\xd0\x90nna K.", NULL, NULL, "\xd0\x90nna K. (carl)"},
	    {"carl", "\xd0\x96\xd0\xb5\xd0\xbd\xd1\x8f \xd0\x9f.", NULL, NULL,
		"\xd0\x96\xd0\xb5\xd0\xbd\xd1\x8f \xd0\x9f. (carl)"},
	    /* What is no name is not shown. */
	    {"carl", "Anna (anna)", NULL, NULL, "carl"},
	    {"carl", "anna, bert", NULL, NULL, "carl"},
	    {"carl", "anna: I resign", NULL, NULL, "carl"},
	    {"carl", "Anna\nanna resigns", NULL, NULL, "carl"},
	    {"carl", "\x1b[31mAnna K.", NULL, NULL, "carl"},
	    {"carl", "Anna\xe2\x80\xae K.", NULL, NULL, "carl"},
	    {"carl", "Anna\xe2\x80\x8bK.", NULL, NULL, "carl"},
	    {"carl", " Anna K.", NULL, NULL, "carl"},
	    {"carl", "Anna K. ", NULL, NULL, "carl"},
	    {"carl", "Anna  K.", NULL, NULL, "carl"},
	    {"carl", "Anna\xc2\xa0K.", NULL, NULL, "carl"},
	    {"carl", "", NULL, NULL, "carl"},
	    {"carl", " ", NULL, NULL, "carl"},
	    {"carl", "...", NULL, NULL, "carl"},
	    {"carl", "42", NULL, NULL, "carl"},
	    {"carl", "\xff\xfe", NULL, NULL, "carl"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_called(rows[i].account, rows[i].name, rows[i].other,
		    rows[i].other_name, rows[i].want);
}

static void
names_have_an_end(void **state)
{
	char name[DISPLAY_NAME + 2];

	(void)state;
	memset(name, 'a', sizeof(name));
	name[40] = '\0';
	assert_true(display_is_name(name));
	name[40] = 'a';
	name[41] = '\0';
	assert_false(display_is_name(name));
	/* Marks take no columns, but bytes. */
	name[1] = '\0';
	while (strlen(name) + 2 <= DISPLAY_NAME)
		strncat(name, "\xcc\x81", sizeof(name) - strlen(name) - 1);
	assert_true(display_is_name(name));
	strncat(name, "\xcc\x81", sizeof(name) - strlen(name) - 1);
	assert_int_equal(strlen(name), DISPLAY_NAME + 1);
	assert_false(display_is_name(name));
}

static void
lists_say_who_is_who(void **state)
{
	struct people *p = people_new();
	json_t *players, *names;

	(void)state;
	players = xalloc_json(json_pack("[[s, s], [s]]", "anna", "x", "bert"));
	names = xalloc_json(json_pack("{s:s, s:i, s:s}", "anna", "Anna K.",
	    "bert", 1, "carl", "Carl C."));
	people_add_list(p, players, names);
	assert_string_equal(people_tell(p, "anna"), "Anna K.");
	assert_string_equal(people_name(p, "anna"), "Anna K.");
	/* What is no text, and who does not stand in the list. */
	assert_string_equal(people_tell(p, "bert"), "bert");
	assert_null(people_name(p, "bert"));
	assert_string_equal(people_tell(p, "carl"), "carl");
	/* Lists that are none. */
	people_add_list(p, NULL, names);
	people_add_list(p, players, NULL);
	assert_string_equal(people_tell(p, "anna"), "anna");
	json_decref(players);
	json_decref(names);
	people_free(p);
	people_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_stand_by_themselves_or_with_the_account),
	    cmocka_unit_test(names_have_an_end),
	    cmocka_unit_test(lists_say_who_is_who),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
