/* SPDX-License-Identifier: ISC */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/base/conf.h"
#include "server/base/names.h"

static void
names_are_read_and_found(void **state)
{
	struct errinfo e;
	struct names n;

	(void)state;
	assert_int_equal(names_read("", &n, &e), 0);
	assert_int_equal(n.n, 0);
	assert_false(names_has(&n, ""));
	assert_int_equal(names_read("club other.club", &n, &e), 0);
	assert_int_equal(n.n, 2);
	assert_true(names_has(&n, "other.club"));
	assert_false(names_has(&n, "other"));
	assert_false(names_has(&n, ""));
}

static void
what_is_no_list_of_accounts_is_refused(void **state)
{
	static const char *const bad[] = {"Club", "club -club", "a b a",
	    "a b c d e f g h i", "a234567890123456789012345678901234"};
	struct names n = {.n = 7};
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(names_read(bad[i], &n, &e), ERR_INVALID);
		assert_int_equal(n.n, 7);
		assert_true(e.text[0] != '\0');
	}
}

static void
settings_name_witnesses(void **state)
{
	const char *good[] = {"witnesses=club, other.club"};
	const char *bad[] = {"witnesses=club CLUB"};
	struct errinfo e;
	struct conf *c;

	(void)state;
	assert_int_equal(conf_load(NULL, good, 1, &c, &e), 0);
	assert_string_equal(c->witnesses, "club other.club");
	assert_true(names_has(&c->live.witnesses, "club"));
	conf_free(c);
	assert_int_equal(conf_load(NULL, bad, 1, &c, &e), ERR_CONFIG);
	assert_string_equal(e.text, "witnesses: \"CLUB\" cannot be an account");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_are_read_and_found),
	    cmocka_unit_test(what_is_no_list_of_accounts_is_refused),
	    cmocka_unit_test(settings_name_witnesses),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
