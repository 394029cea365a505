/* SPDX-License-Identifier: ISC */
/*
 * Runs every scenario file under tests/rules, each with what it expects:
 * "expect" is a part of the output (every member that it has must be there
 * with that value), "expect_error" true a refusal, at a place that begins
 * with "expect_where" if that is given, and "expect_pending" the kind of the
 * question that is open at the end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glob.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/show/scenario.h"

#define SCENARIOS TOP_SRCDIR "/tests/rules/*/*.json"

/* A value that is wanted, the one that is there, and where they stand. */
struct scenarios_pair {
	const json_t *want;
	const json_t *has;
	char path[256];
};

#define SCENARIOS_PAIRS 4096

/* Reads a file as JSON. */
static json_t *
scenarios_load(const char *path)
{
	struct errinfo e = {.text = ""};
	char *text;
	json_t *v = NULL;
	size_t len;
	FILE *f;

	if ((f = fopen(path, "rb")) == NULL)
		fail_msg("%s: cannot be opened", path);
	assert_non_null(text = malloc(1 << 20));
	len = fread(text, 1, 1 << 20, f);
	assert_int_equal(fclose(f), 0);
	if (js_load(text, len, JS_DEPTH_RPC, &v, &e) != 0)
		fail_msg("%s: %s", path, e.text);
	free(text);
	return (v);
}

/* Says that a value is not the one wanted. */
static void
scenarios_differ(const char *file, const struct scenarios_pair *p)
{
	struct buf has, want;

	buf_init(&has, 0);
	buf_init(&want, 0);
	js_dump(p->want, &want);
	if (p->has != NULL)
		js_dump(p->has, &has);
	print_error("%s: %s is %s, not %s\n", file, p->path,
	    p->has != NULL ? buf_str(&has) : "missing", buf_str(&want));
	buf_clear(&has);
	buf_clear(&want);
	fail();
}

/*
 * Sees that every member of objects in want is in has with the same value;
 * other values, lists too, are equal.
 */
static void
scenarios_compare(const char *file, const json_t *want, const json_t *has)
{
	static struct scenarios_pair pairs[SCENARIOS_PAIRS];
	struct scenarios_pair p;
	const char *name;
	size_t n = 0;
	json_t *v;

	memset(&p, 0, sizeof(p));
	p.want = want;
	p.has = has;
	pairs[n++] = p;
	while (n > 0) {
		p = pairs[--n];
		if (!json_is_object(p.want) || !json_is_object(p.has)) {
			if (p.has == NULL || !json_equal(p.want, p.has))
				scenarios_differ(file, &p);
			continue;
		}
		json_object_foreach((json_t *)(uintptr_t)p.want, name, v)
		{
			assert_true(n < SCENARIOS_PAIRS);
			pairs[n].want = v;
			pairs[n].has = json_object_get(p.has, name);
			(void)snprintf(pairs[n].path, sizeof(pairs[n].path),
			    "%.200s.%.40s", p.path, name);
			n++;
		}
	}
}

/* Runs a scenario and holds the outcome against what it expects. */
static void
scenarios_check(const char *file, const json_t *scenario)
{
	const json_t *error, *expect, *pending, *where;
	struct errinfo e = {.where = ""};
	json_t *out = NULL;
	const char *text;
	int r;

	error = json_object_get(scenario, "expect_error");
	expect = json_object_get(scenario, "expect");
	pending = json_object_get(scenario, "expect_pending");
	where = json_object_get(scenario, "expect_where");
	assert_true(json_is_string(json_object_get(scenario, "note")));
	assert_true(json_is_true(error) || expect != NULL || pending != NULL);
	r = scenario_run(scenario, NULL, NULL, &out, &e);
	if (json_is_true(error)) {
		if (r != ERR_INVALID)
			fail_msg("%s: not refused (%d)", file, r);
		text = where != NULL ? json_string_value(where) : "";
		if (strncmp(e.where, text, strlen(text)) != 0)
			fail_msg(
			    "%s: refused at \"%s\": %s", file, e.where, e.text);
		return;
	}
	if (r != 0)
		fail_msg("%s: %d at \"%s\": %s", file, r, e.where, e.text);
	if (expect != NULL)
		scenarios_compare(file, expect, out);
	if (pending != NULL)
		scenarios_compare(file, pending,
		    json_object_get(json_object_get(out, "pending"), "kind"));
	json_decref(out);
}

/* Runs one file, whose path is the test's state. */
static void
scenarios_run(void **state)
{
	const char *file = *state;
	json_t *scenario = scenarios_load(file);

	scenarios_check(file, scenario);
	json_decref(scenario);
}

int
main(void)
{
	struct CMUnitTest *tests;
	glob_t files;
	size_t i;
	int r;

	if (glob(SCENARIOS, 0, NULL, &files) != 0) {
		(void)fprintf(stderr, "%s: nothing found\n", SCENARIOS);
		return (1);
	}
	if ((tests = calloc(files.gl_pathc, sizeof(*tests))) == NULL)
		return (1);
	for (i = 0; i < files.gl_pathc; i++) {
		tests[i].name =
		    files.gl_pathv[i] + strlen(TOP_SRCDIR "/tests/rules/");
		tests[i].test_func = scenarios_run;
		tests[i].initial_state = files.gl_pathv[i];
	}
	r = _cmocka_run_group_tests(
	    "scenarios", tests, files.gl_pathc, NULL, NULL);
	free(tests);
	globfree(&files);
	return (r);
}
