/* SPDX-License-Identifier: ISC */
/*
 * How combats are told, held against every scenario file under tests/rules,
 * which together reach every branch of every system: whatever an event may
 * hold has words, units go by their names, and no row recites the card.
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
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/show/scenario.h"
#include "common/rules/show/show_list.h"
#include "common/rules/systems/systems.h"

#define TOLD_SCENARIOS TOP_SRCDIR "/tests/rules/*/*.json"
#define TOLD_DEPTH 16
#define TOLD_ID 32 /* bytes of one that the test gives */

/* The ids of a combat: what the scenario has, and what the test makes of it. */
struct told_ids {
	json_t *of; /* id -> its number */
	size_t n;
};

/* Reads a file as JSON; NULL if it is no scenario that runs. */
static json_t *
told_run(const char *path)
{
	json_t *out = NULL, *v = NULL;
	char *text;
	size_t len;
	FILE *f;

	assert_non_null(f = fopen(path, "rb"));
	assert_non_null(text = malloc(1 << 20));
	len = fread(text, 1, 1 << 20, f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(js_load(text, len, JS_DEPTH_RPC, &v, NULL), 0);
	free(text);
	if (json_is_true(json_object_get(v, "expect_error")) ||
	    scenario_run(v, NULL, NULL, &out, NULL) != 0)
		out = NULL;
	json_decref(v);
	return (out);
}

/* Writes the test's id for a text, or the parts of a label, into out. */
static bool
told_rename(const struct told_ids *ids, const char *text, struct buf *out)
{
	const char *end, *p;
	bool is_found = false;
	const json_t *v;
	char part[1024];

	for (p = text;; p = end + 1) {
		end = strchrnul(p, '/');
		(void)snprintf(part, sizeof(part), "%.*s", (int)(end - p), p);
		v = json_object_get(ids->of, part);
		if (v != NULL)
			buf_printf(out, "id%02dzz", (int)json_integer_value(v));
		else
			buf_puts(out, part);
		is_found = is_found || v != NULL;
		if (*end == '\0')
			break;
		buf_putc(out, '/');
	}
	return (is_found);
}

/* A copy of v in which every id, as a text or a member's name, is the test's.
 */
static json_t *
told_copy(const struct told_ids *ids, const json_t *v, unsigned depth)
{
	json_t *copy, *item;
	const char *name;
	struct buf b;
	size_t i;

	assert_true(depth < TOLD_DEPTH);
	buf_init(&b, 0);
	if (json_is_object(v)) {
		copy = json_object();
		json_object_foreach((json_t *)(uintptr_t)v, name, item)
		{
			(void)told_rename(ids, name, &b);
			assert_int_equal(json_object_set_new(copy, buf_str(&b),
					     told_copy(ids, item, depth + 1)),
			    0);
			buf_reset(&b);
		}
	} else if (json_is_array(v)) {
		copy = json_array();
		json_array_foreach(v, i, item)
		    assert_int_equal(json_array_append_new(
					 copy, told_copy(ids, item, depth + 1)),
			0);
	} else if (json_is_string(v) &&
	    told_rename(ids, json_string_value(v), &b)) {
		copy = json_string(buf_str(&b));
	} else {
		copy = json_deep_copy(v);
	}
	buf_clear(&b);
	assert_non_null(copy);
	return (copy);
}

/*
 * Gives each unit of the facts an id that is no word and a name of its own;
 * battalions and chits have only ids.
 */
static void
told_name(struct told_ids *ids, json_t *v, const char *of, unsigned depth)
{
	const char *id, *member;
	char name[TOLD_ID];
	json_t *item;
	size_t i;

	assert_true(depth < TOLD_DEPTH);
	json_array_foreach(v, i, item) told_name(ids, item, of, depth + 1);
	if (!json_is_object(v))
		return;
	json_object_foreach(v, member, item)
	    told_name(ids, item, member, depth + 1);
	id = json_string_value(json_object_get(v, "id"));
	if (id == NULL || strcmp(of, "battalions") == 0 ||
	    strcmp(of, "bag") == 0 || json_object_get(ids->of, id) != NULL)
		return;
	assert_int_equal(
	    json_object_set_new(ids->of, id, json_integer((json_int_t)ids->n)),
	    0);
	(void)snprintf(name, sizeof(name), "Unit %zu", ids->n++);
	assert_int_equal(json_object_set_new(v, "name", json_string(name)), 0);
}

/* True if the system has words under this key, "a/b" or "a/b/c". */
static bool
told_has(
    const struct rules_show *show, const char *a, const char *b, const char *c)
{
	const struct rules_word *w;
	char key[1024];

	(void)snprintf(key, sizeof(key), "%s/%s%s%s", a, b,
	    c == NULL ? "" : "/", c == NULL ? "" : c);
	for (w = show->words; w->key != NULL; w++) {
		if (strcmp(w->key, key) == 0)
			return (true);
	}
	return (false);
}

/* Every step of a score says what it is for. */
static void
told_score(const char *file, const struct rules_show *show,
    const struct told_ids *ids, const json_t *event)
{
	static const char *const plain[] = {"e", "what", "side", "unit",
	    "score", "causes", "divide", "least", "most", "round"};
	const char *name, *reason, *what;
	json_t *v, *value;
	char number[32];
	size_t i;

	what = json_string_value(json_object_get(event, "what"));
	if (!told_has(show, "score", what == NULL ? "score" : what, NULL))
		fail_msg("%s: no words for the score %s", file, what);
	json_object_foreach((json_t *)(uintptr_t)event, name, v)
	{
		for (i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
			if (strcmp(name, plain[i]) == 0)
				break;
		}
		if (i < sizeof(plain) / sizeof(plain[0]))
			continue;
		(void)snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT,
		    json_integer_value(v));
		if (!json_is_object(v) && !told_has(show, "part", name, NULL) &&
		    !told_has(show, "part", name, number) &&
		    !told_has(show, "signed", name, NULL))
			fail_msg("%s: no words for %s", file, name);
		json_object_foreach(v, reason, value)
		{
			if (!told_has(show, "modifier", reason, NULL) &&
			    !told_has(show, "doubled", reason, NULL) &&
			    !told_has(show, "terms", name, NULL) &&
			    json_object_get(ids->of, reason) == NULL &&
			    (show->reason_mark == NULL ||
				strstr(reason, show->reason_mark) == NULL))
				fail_msg("%s: no words for %s", file, reason);
		}
	}
}

/* render_sink: keeps what a row says, beside pictures and in sentences. */
static void
told_row_cb(void *arg, const struct render_row *row)
{
	buf_printf(arg, "\n%s|%s|%s", row->text, row->lead, row->rest);
}

/* What a reader must not see, once the facts have been told. */
static void
told_see(const char *file, const char *text)
{
	static const char *const bad[] = {"\nchange", "\ndecision", "\nask",
	    "{", "(modifier", "modifier|", " scores ", " null", "half point"};
	size_t i, len = strlen("id00zz");
	const char *p;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (strstr(text, bad[i]) != NULL)
			fail_msg("%s: \"%s\" in\n%s", file, bad[i], text);
	}
	for (p = text; (p = strstr(p, "id")) != NULL; p++) {
		if (strspn(p + 2, "0123456789") == len - 4 &&
		    strncmp(p + len - 2, "zz", 2) == 0)
			fail_msg("%s: an id in\n%s", file, text);
	}
}

/* Tells the combat of one file, whose path is the test's state. */
static void
told_file(void **state)
{
	const char *file = *state;
	const struct rules_show *show;
	const struct rules_system *sys;
	struct told_ids ids = {.n = 10};
	json_t *event, *list, *out;
	struct render_sink sink = {.row_cb = told_row_cb};
	struct render *rd;
	struct buf b;
	size_t i;

	if ((out = told_run(file)) == NULL)
		return;
	sys = systems_find(json_string_value(json_object_get(out, "system")));
	assert_non_null(sys);
	show = show_list_find(sys);
	list = json_object_get(out, "events");
	ids.of = json_object();
	told_name(&ids, json_array_get(list, 0), "", 0);
	assert_non_null(rd = render_new(sys));
	buf_init(&b, 0);
	sink.arg = &b;
	json_array_foreach(list, i, event)
	{
		if (strcmp(json_string_value(json_object_get(event, "e")),
			"score") == 0)
			told_score(file, show, &ids, event);
		event = told_copy(&ids, event, 0);
		buf_reset(&b);
		render_rows(rd, event, &sink);
		json_decref(event);
		assert_int_equal(buf_error(&b), 0);
		if (i > 0)
			told_see(file, buf_str(&b));
	}
	assert_int_equal(sink.error, 0);
	buf_clear(&b);
	render_free(rd);
	json_decref(ids.of);
	json_decref(out);
}

int
main(void)
{
	struct CMUnitTest *tests;
	glob_t files;
	size_t i;
	int r;

	if (glob(TOLD_SCENARIOS, 0, NULL, &files) != 0)
		return (1);
	if ((tests = calloc(files.gl_pathc, sizeof(*tests))) == NULL)
		return (1);
	for (i = 0; i < files.gl_pathc; i++) {
		tests[i].name =
		    files.gl_pathv[i] + strlen(TOP_SRCDIR "/tests/rules/");
		tests[i].test_func = told_file;
		tests[i].initial_state = files.gl_pathv[i];
	}
	r = _cmocka_run_group_tests("told", tests, files.gl_pathc, NULL, NULL);
	free(tests);
	globfree(&files);
	return (r);
}
