/* SPDX-License-Identifier: ISC */
/* Rosters with losses: what is counted of each system, and what is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/play/rosters_print.h"
#include "client/replica/recordfile.h"
#include "client/report/rosters.h"
#include "client/ui/barchart.h"
#include "client/ui/text_columns.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"
#include "common/rules/systems/systems.h"

#define UNITS 64

static const char *const systems[] = {
    "imagi-nations", "invasion-1812", "lasalle2", "leniston-2009", "tlnb"};

/* Opens a played record. */
static struct recordfile *
played(const char *system)
{
	struct recordfile *pa;
	char *path;

	path =
	    xalloc_printf("%s/tests/rules/%s/played.jsonl", TOP_SRCDIR, system);
	assert_int_equal(recordfile_open(path, &pa), 0);
	free(path);
	return (pa);
}

/* What is printed of rosters; free(). */
static char *
printed(const struct rosters *rs, bool is_long)
{
	struct out o = {.width = OUT_WIDTH};
	char *text = NULL;
	size_t len;

	o.f = open_memstream(&text, &len);
	assert_non_null(o.f);
	rosters_print(&o, rs, 1, is_long);
	(void)fclose(o.f);
	return (text);
}

/* Checks that no line of a text is too wide. */
static void
fits(const char *text)
{
	size_t n;
	char *line;

	for (; *text != '\0'; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		line = xalloc_strn(text, n);
		if (text_width(line) > OUT_WIDTH)
			fail_msg("%d columns: %s", text_width(line), line);
		free(line);
	}
}

/* Counts how often a text stands in another. */
static size_t
count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)) != NULL; text += strlen(what))
		n++;
	return (n);
}

/* A copy with one blank wherever there are any, or the end of a line; free().
 */
static char *
unwrapped(const char *text)
{
	char *flat = xalloc_str(text), *to = flat;

	for (; *text != '\0'; text++) {
		if (strchr(" \n", *text) == NULL)
			*to++ = *text;
		else if (to == flat || to[-1] != ' ')
			*to++ = ' ';
	}
	*to = '\0';
	return (flat);
}

/* Checks the totals of both sides after a played game. */
static void
totals_are(const char *system, const char *what, const int64_t one[4],
    const int64_t two[4])
{
	struct recordfile *pa = played(system);
	struct rosters *rs = rosters_new(pa->b);
	const int64_t *wanted;
	int i;

	assert_non_null(rs);
	assert_string_equal(rs->what, what);
	for (i = 0; i < 2; i++) {
		wanted = i == 0 ? one : two;
		if (rs->sides[i].began != wanted[0] ||
		    rs->sides[i].in_play != wanted[1] ||
		    rs->sides[i].away != wanted[2] ||
		    rs->sides[i].lost != wanted[3])
			fail_msg("%s side %d: %d %d %d %d", system, i + 1,
			    (int)rs->sides[i].began, (int)rs->sides[i].in_play,
			    (int)rs->sides[i].away, (int)rs->sides[i].lost);
	}
	rosters_free(rs);
	recordfile_close(pa);
}

static void
each_system_counts_its_own_losses(void **state)
{
	(void)state;
	totals_are("lasalle2", "strength points",
	    (const int64_t[]){76, 45, 0, 31}, (const int64_t[]){87, 59, 0, 28});
	totals_are("imagi-nations", "strength points",
	    (const int64_t[]){138, 121, 0, 17},
	    (const int64_t[]){167, 162, 0, 5});
	totals_are("invasion-1812", "combat factors",
	    (const int64_t[]){44, 39, 0, 5}, (const int64_t[]){40, 34, 0, 6});
	totals_are("leniston-2009", "casualties to take",
	    (const int64_t[]){45, 26, 0, 19}, (const int64_t[]){47, 30, 0, 17});
	totals_are("tlnb", "strength points", (const int64_t[]){64, 61, 0, 3},
	    (const int64_t[]){66, 40, 0, 26});
}

static void
every_unit_of_every_system_is_printed(void **state)
{
	const struct rosters_side *side;
	struct recordfile *pa;
	struct rosters *rs;
	char *called, *flat, *text;
	size_t i, k, n;
	bool is_long;

	(void)state;
	for (i = 0; i < 2 * sizeof(systems) / sizeof(systems[0]); i++) {
		is_long = i % 2 == 1;
		pa = played(systems[i / 2]);
		rs = rosters_new(pa->b);
		assert_non_null(rs);
		text = printed(rs, is_long);
		fits(text);
		flat = unwrapped(text);
		for (n = 0; n < 2; n++) {
			side = &rs->sides[n];
			for (k = 0; k < side->n_units; k++) {
				/* Without a table its name is told, perhaps
				 * cut. */
				called = strstr(text, "NAME") != NULL
				    ? xalloc_str(side->units[k].id)
				    : xalloc_strn(side->units[k].name,
					  strnlen(side->units[k].name, 30));
				if (strstr(flat, called) == NULL)
					fail_msg("%s: no %s", systems[i / 2],
					    called);
				free(called);
			}
		}
		/* Ids are only left out where that is said. */
		assert_int_equal(strstr(text, "NAME") == NULL,
		    strstr(text, "umpire show --rosters") != NULL);
		assert_true(!is_long || strstr(text, "NAME") != NULL);
		free(flat);
		free(text);
		rosters_free(rs);
		recordfile_close(pa);
	}
}

static void
programs_get_the_same_numbers(void **state)
{
	struct recordfile *pa = played("lasalle2");
	struct rosters *rs = rosters_new(pa->b);
	const json_t *side, *unit;
	json_t *v = rosters_json(rs);

	(void)state;
	side = json_object_get(json_object_get(v, "sides"), "1");
	assert_int_equal(
	    json_integer_value(json_object_get(side, "began")), 76);
	assert_int_equal(
	    json_integer_value(json_object_get(side, "in_play")), 45);
	assert_int_equal(json_integer_value(json_object_get(side, "lost")), 31);
	assert_int_equal(json_array_size(json_object_get(side, "units")), 14);
	unit = json_array_get(json_object_get(side, "units"), 2);
	assert_string_equal(
	    json_string_value(json_object_get(unit, "id")), "fr-line-1");
	assert_int_equal(json_integer_value(json_object_get(unit, "began")), 6);
	assert_int_equal(json_integer_value(json_object_get(unit, "left")), 0);
	assert_string_equal(
	    json_string_value(json_object_get(unit, "out")), "broken");
	json_decref(v);
	rosters_free(rs);
	recordfile_close(pa);
}

/* Fills a side with units of the longest ids and names. */
static void
fill(struct rosters_side *side, json_t *list, bool is_wide)
{
	struct rosters_unit *u;
	char *id, *name;
	json_t *v;
	int i;

	side->name = xalloc_str("An Army With a Name That Is Rather Long");
	side->players = xalloc_str("someone-with-a-long-account-name");
	side->units = xalloc(UNITS * sizeof(*side->units));
	for (i = 0; i < UNITS; i++) {
		id = xalloc_printf(
		    is_wide ? "unit-with-an-id-of-32-bytes-x%03d" : "u%03d", i);
		name = xalloc_printf("The %dth Battalion of a Regiment", i);
		v = json_pack("{s:s, s:s, s:s, s:i, s:i, s:b, s:b, s:b}", "id",
		    id, "name", name, "arm", "infantry", "sp", 9999,
		    "initiative", 9999, "reduced", 1, "demoralized", 1,
		    "suppressed", 1);
		assert_non_null(v);
		assert_int_equal(json_array_append_new(list, v), 0);
		u = &side->units[side->n_units++];
		u->now = u->before = v;
		u->id = json_string_value(json_object_get(v, "id"));
		u->name = json_string_value(json_object_get(v, "name"));
		u->began = 9999;
		u->left = i % 2 == 0 ? 9998 : 1;
		u->out = i % 16 == 15 ? "withdrew" : NULL;
		*(u->out == NULL ? &side->in_play : &side->away) += u->left;
		side->began += u->began;
		free(id);
		free(name);
	}
	side->lost = side->began - side->in_play - side->away;
}

static void
sixty_four_units_a_side_are_all_there(void **state)
{
	struct rosters *rs;
	json_t *list;
	char *text;
	int form;

	(void)state;
	for (form = 0; form < 4; form++) {
		rs = xalloc(sizeof(*rs));
		list = json_array();
		rs->sys = systems_find("tlnb");
		rs->show = show_list_find(rs->sys);
		rs->what = rs->show->losses->what;
		fill(&rs->sides[0], list, form % 2 == 1);
		fill(&rs->sides[1], list, form % 2 == 1);
		text = printed(rs, form >= 2);
		fits(text);
		assert_int_equal(count(text, " 9998/9999"), 2 * UNITS / 2);
		assert_int_equal(count(text, "OUT OF PLAY"), 1);
		/*
		 * What is hurt at all shows it, what is left at all too, where
		 * names leave room for that.
		 */
		assert_int_equal(count(text, " #######."), form >= 2 ? 64 : 0);
		assert_true(form < 2 || count(text, " #.......") >= 56);
		if (form >= 2)
			assert_int_equal(count(text, "demoralized"), 128);
		free(text);
		json_decref(list);
		rosters_free(rs);
	}
}

static void
what_began_may_be_unknown_or_less(void **state)
{
	struct rosters *rs = xalloc(sizeof(*rs));
	json_t *list = json_array(), *v, *was;
	char *text;

	(void)state;
	rs->sys = systems_find("tlnb");
	rs->show = show_list_find(rs->sys);
	rs->what = rs->show->losses->what;
	fill(&rs->sides[0], list, false);
	fill(&rs->sides[1], list, false);
	rs->sides[0].began = rs->sides[0].units[0].began = -1;
	rs->sides[1].lost = -7;
	rs->sides[1].units[0].began = 5;
	/* A rating that changed is not taken for what is left of it. */
	rs->sides[1].units[0].before = was =
	    json_pack("{s:i, s:i}", "initiative", 7, "sp", 5);
	text = printed(rs, true);
	fits(text);
	assert_non_null(strstr(text, " 7->9999 "));
	assert_non_null(strstr(text, " 9998/5 ########"));
	assert_non_null(strstr(text, "gained 7"));
	free(text);
	v = rosters_json(rs);
	text = xalloc_dump(v);
	assert_non_null(strstr(text, "{\"began\":null,\"in_play\":"));
	assert_non_null(strstr(text, "\"lost\":null"));
	assert_non_null(
	    strstr(text, "{\"id\":\"u000\",\"began\":null,\"left\":9998}"));
	free(text);
	json_decref(v);
	json_decref(list);
	json_decref(was);
	rosters_free(rs);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_system_counts_its_own_losses),
	    cmocka_unit_test(every_unit_of_every_system_is_printed),
	    cmocka_unit_test(programs_get_the_same_numbers),
	    cmocka_unit_test(sixty_four_units_a_side_are_all_there),
	    cmocka_unit_test(what_began_may_be_unknown_or_less),
	};

	/* Bars are of '#' and widths are bytes where it is not UTF-8. */
	(void)setenv("LC_ALL", "C", 1);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
