/* SPDX-License-Identifier: ISC */
/*
 * Terms of a game out of options, and what a rematch makes of former ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include <cmocka.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/rematch.h"
#include "client/play/settings.h"
#include "tests/lib/table.h"

#define WORDS_MAX 32

/* Reads options, parted by blanks, over terms; the exit status. */
static int
read_over(json_t *terms, const char *words)
{
	struct cmd_ctx cx = {.cmd = cmds_find(cmds_table, "new")};
	char *argv[WORDS_MAX], *copy = xalloc_str(words), *w, *save = NULL;
	struct errinfo e = {.text = ""};
	int argc = 0, status;

	for (w = strtok_r(copy, " ", &save); w != NULL;
	     w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	opt_init(&cx.opts);
	if (opt_parse(&cx.opts, argc, argv, cmd_new.opts, cmds_globals, false,
		NULL, &e) != 0)
		fail_msg("'%s': %s", words, e.text);
	status = settings_read(&cx, terms);
	opt_clear(&cx.opts);
	free(copy);
	return (status);
}

/* Checks what options make of terms. */
static void
makes(const char *before, const char *words, const char *after)
{
	json_t *terms = table_json(before), *wanted = table_json(after);
	char *got;

	assert_int_equal(read_over(terms, words), 0);
	got = xalloc_dump(terms);
	if (!json_equal(terms, wanted))
		fail_msg("'%s' gives %s", words, got);
	free(got);
	json_decref(terms);
	json_decref(wanted);
}

/* Checks that options are wrong usage. */
static void
is_wrong(const char *words)
{
	json_t *terms = xalloc_json(json_object());

	if (read_over(terms, words) != EX_USAGE)
		fail_msg("'%s' is taken", words);
	json_decref(terms);
}

#define USUAL "'scheme':'dual-1','secret':'held','silence':'forfeit'"

static void
without_options_the_terms_are_the_usual_ones(void **state)
{
	(void)state;
	makes("{}", "", "{" USUAL "}");
}

static void
each_option_sets_its_term(void **state)
{
	(void)state;
	makes("{}", "--scheme live-1 --secret sealed",
	    "{'scheme':'live-1','secret':'sealed','silence':'forfeit'}");
	makes("{}", "--confirm --private",
	    "{" USUAL ",'confirm':true,'private':true}");
	makes("{}", "--seats 16 --no-takeback --delay 3t",
	    "{" USUAL ",'options':{'seats':16,'takeback':false,'delay':3}}");
	makes("{}", "--owner-field hits --owner-field out",
	    "{" USUAL ",'options':{'owner_fields':['hits','out']}}");
	makes("{}", "--director --silence director --clock 1d/order",
	    "{'scheme':'dual-1','secret':'held','silence':'director',"
	    "'options':{'director':true},'clock':{'per':'order',"
	    "'first_s':86400,'notice_s':8640,'then':'forfeit'}}");
}

static void
options_count_more_than_former_terms(void **state)
{
	static const char former[] =
	    "{'scheme':'live-1','secret':'sealed','silence':'director',"
	    "'confirm':true,'clock':{'per':'order','first_s':77,"
	    "'then':'director'},'options':{'director':true,'delay':2,"
	    "'owner_fields':['x']}}";

	(void)state;
	makes(former, "", former);
	makes(former,
	    "--clock none --scheme dual-1 --secret held --silence forfeit "
	    "--delay 90m --owner-field hits",
	    "{" USUAL
	    ",'confirm':true,'options':{'director':true,'delay_minutes':90,"
	    "'owner_fields':['hits']}}");
	makes("{'options':{'delay_minutes':5}}", "--delay 1t",
	    "{" USUAL ",'options':{'delay':1}}");
}

static void
what_leaves_something_to_nobody_is_wrong(void **state)
{
	(void)state;
	is_wrong("--silence director");
	is_wrong("--clock 1d/order,then=director");
	is_wrong("--seats 1");
	is_wrong("--seats 17");
	is_wrong("--seats two");
	is_wrong("--scheme dual");
	is_wrong("--secret both");
	is_wrong("--silence maybe");
	is_wrong("--clock soon");
	is_wrong("--delay soon");
}

static void
only_terms_are_taken_from_a_create_order(void **state)
{
	struct table t;
	json_t *args, *terms, *wanted;

	(void)state;
	table_init(&t);
	args = table_create_args(&t, table_roster);
	xalloc_set(args, "event", json_string("cup"));
	xalloc_set(args, "private", json_true());
	terms = settings_of(args);
	wanted = table_json("{" USUAL ",'private':true}");
	assert_true(json_equal(terms, wanted));
	json_decref(wanted);
	json_decref(terms);
	json_decref(args);
	table_clear(&t);
}

/* The name of side 1 in the rematch of somebody of this seat. */
static void
side_one_is(int before, int64_t after, const char *name)
{
	struct rematch rm = {.seat = before,
	    .roster = table_json(
		"{'blob':'roster','system':'s','sides':{'1':{'name':'A'},"
		"'2':{'name':'B'}}}")};
	json_t *roster = rematch_roster(&rm, after), *sides;

	sides = json_object_get(roster, "sides");
	assert_int_equal(json_object_size(sides), 2);
	assert_string_equal(json_string_value(json_object_get(
				json_object_get(sides, "1"), "name")),
	    name);
	assert_string_equal(json_string_value(json_object_get(
				json_object_get(sides, "2"), "name")),
	    *name == 'A' ? "B" : "A");
	assert_string_equal(
	    json_string_value(json_object_get(roster, "system")), "s");
	json_decref(roster);
	rematch_clear(&rm);
}

static void
a_rematch_gives_the_other_army(void **state)
{
	(void)state;
	side_one_is(1, 1, "B");
	side_one_is(2, 1, "A");
	side_one_is(3, 1, "B");
	side_one_is(16, 1, "A");
	side_one_is(0, 1, "A");
	side_one_is(1, 0, "A");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_options_the_terms_are_the_usual_ones),
	    cmocka_unit_test(each_option_sets_its_term),
	    cmocka_unit_test(options_count_more_than_former_terms),
	    cmocka_unit_test(what_leaves_something_to_nobody_is_wrong),
	    cmocka_unit_test(only_terms_are_taken_from_a_create_order),
	    cmocka_unit_test(a_rematch_gives_the_other_army),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
