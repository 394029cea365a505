/* SPDX-License-Identifier: ISC */
/*
 * What a form leaves and goes on with: wherever a person stops, nothing has to
 * be typed again.
 */
#include "client/play/form.h"
#include "client/play/form_tape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/play/form_past.h"
#include "common/base/err.h"
#include "common/game/game_make.h"

#include "tests/lib/form.h"

#define FORMS_LINES_MAX 256

/* Declares by lines beside a draft, which is replaced; new, or NULL. */
static json_t *
forms_with(const struct table *t, const char *const *lines,
    const struct form_with *with)
{
	json_t *combat = NULL;
	struct person p;
	struct ask_io io;

	io = form_person_init(&p, lines, 0);
	if (form_declare(&io, t->game, 1, with, &combat) != 0)
		assert_null(combat);
	buf_clear(&p.said);
	return (combat);
}

static void
a_draft_is_the_same_combat(void **state)
{
	static const char *const go_on[] = {"", "", NULL};
	static const char *const leaves[] = {"y", "q", NULL};
	static const char *const throws[] = {"n", "q", NULL};
	const char *lines[FORMS_LINES_MAX];
	json_t *again, *draft, *made;
	const struct form_with with = {.draft = &draft, .at = 4};
	struct table t;
	size_t i, n, total;

	(void)state;
	for (i = 0; i < FORM_SCRIPTS; i++) {
		form_open(&t, &form_scripts[i]);
		for (total = 0; form_scripts[i].lines[total] != NULL; total++)
			lines[total] = form_typed(form_scripts[i].lines[total]);
		lines[total] = NULL;
		draft = NULL;
		made = forms_with(&t, lines, &with);
		assert_non_null(made);
		assert_true(json_equal(json_object_get(draft, "combat"), made));
		/* Whoever leaves at its end has it still. */
		assert_null(forms_with(&t, leaves, &with));
		again = forms_with(&t, go_on, &with);
		assert_true(json_equal(again, made));
		json_decref(again);
		assert_null(forms_with(&t, throws, &with));
		assert_null(draft);
		/* Left after an answer, it goes on behind that. */
		for (n = 1; n < total && strcmp(lines[n], "n") != 0; n++) {
			lines[n] = "q";
			assert_null(forms_with(&t, lines, &with));
			lines[n] = form_typed(form_scripts[i].lines[n]);
			lines[n - 1] = "y";
			again = forms_with(&t, lines + n - 1, &with);
			lines[n - 1] = form_typed(form_scripts[i].lines[n - 1]);
			assert_true(json_equal(again, made));
			json_decref(again);
			json_decref(draft);
			draft = NULL;
		}
		json_decref(made);
		table_clear(&t);
	}
}

static void
what_is_no_draft_is_none(void **state)
{
	static const char *const bad[] = {"[]", "{}", "{'answers':[]}",
	    "{'answers':{},'asked':[]}", "{'answers':{'a':1},'asked':[1]}",
	    "{'answers':{'a':1}}", "{'answers':{'?again':true},'asked':[]}"};
	/* Answers that are none are asked for. */
	static const char *const odd[] = {
	    "{'answers':{'attackers':['nobody']},'asked':['x']}",
	    "{'answers':{'attackers':[1,{}]},'asked':[]}",
	    "{'at':'x','combat':{},'answers':{'attackers':7},'asked':[]}"};
	const char *lines[FORMS_LINES_MAX] = {"y"};
	const struct form_past past = {.n = 0};
	json_t *draft, *combat;
	const struct form_with with = {.past = &past, .draft = &draft};
	struct table t;
	size_t i;

	(void)state;
	form_open(&t, &form_scripts[0]);
	for (i = 0; form_scripts[0].lines[i] != NULL; i++)
		lines[i + 1] = form_typed(form_scripts[0].lines[i]);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		draft = table_json(bad[i]);
		combat = forms_with(&t, lines + 1, &with);
		assert_non_null(combat);
		json_decref(combat);
		json_decref(draft);
	}
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		draft = table_json(odd[i]);
		combat = forms_with(&t, lines, &with);
		assert_non_null(combat);
		json_decref(combat);
		json_decref(draft);
	}
	table_clear(&t);
}

/* Nothing that lay in its memory before is on a new tape. */
static void
a_tape_begins_with_nothing(void **state)
{
	struct form_tape t;

	(void)state;
	memset(&t, 0xff, sizeof(t));
	form_tape_init(&t, NULL);
	assert_null(form_tape_save(&t));
	assert_false(form_tape_back(&t));
	form_tape_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_tape_begins_with_nothing),
	    cmocka_unit_test(a_draft_is_the_same_combat),
	    cmocka_unit_test(what_is_no_draft_is_none),
	};

	return (cmocka_run_group_tests_name("form drafts", tests, NULL, NULL));
}
