/* SPDX-License-Identifier: ISC */
/*
 * Rosters as tables and back: a thousand of each system, made of its table of
 * members, come back as they were, byte for byte.
 */
#include "client/report/roster_csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/csv.h"
#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"
#include "common/rules/systems/systems.h"

#define ROSTERS 1000
#define UNITS 6 /* a side at most */

/* Texts that a spreadsheet or a reader of tables could take amiss. */
static const char *const texts[] = {"", "Old Guard", "=1+1", "+1", "-1", "@x",
    "'", "''", "'=1", "1", "1-2", "1e5", "2.5", "1/2", "true", "NULL", "[]",
    "a;=1", "a, =1", "a,'b", "a;' -b", "mar-1", "0012", "7 pm", "\"", "\"=1\"",
    "a\"b", "a,b;c", " a ", " ", "=", ",", ";", "x;\"@y\"", "Spl\xc3\xa9ny",
    "\xe2\x80\x9cGuard\xe2\x80\x9d", "a;", ";'", "sep=,", "=cmd|' /C calc'!A0",
    "\xef\xbb\xbf",
    "\xef\xbc\x9d"
    "1",
    "\xef\xbc\x9d"
    "A1",
    "a, \xef\xbc\x8bx", "\xef\xbc\x8dx", "\xef\xbc\xa0x"};

static uint32_t state; /* of the numbers, which are the same in each run */

/* A number below n. */
static size_t
some(size_t n)
{
	state = state * 1664525U + 1013904223U;
	return ((state >> 8) % n);
}

/* A value for a member, new; NULL for none. */
static json_t *
value(const struct schema_row *row, size_t nth)
{
	char id[40];
	size_t n = 0;
	json_t *list;

	switch (row->type) {
	case SCHEMA_ID:
		(void)snprintf(id, sizeof(id), "%s%zu",
		    (const char *const[]){"u", "1-", "0x", "7"}[some(4)], nth);
		return (json_string(id));
	case SCHEMA_TEXT:
		return (
		    json_string(texts[some(sizeof(texts) / sizeof(texts[0]))]));
	case SCHEMA_BOOL:
		return (json_boolean(some(2)));
	case SCHEMA_COUNT:
		if (row->has_null && some(3) == 0)
			return (json_null());
		n = some(4) == 0 ? (size_t)(row->hi - row->lo + 1) : 4;
		return (json_integer(row->lo + (int)some(n)));
	case SCHEMA_WORD:
		while (row->words[n] != NULL)
			n++;
		return (json_string(row->words[some(n)]));
	case SCHEMA_SET:
		list = json_array();
		for (n = some(4); n > 0; n--)
			xalloc_append(list, json_string(row->words[some(2)]));
		return (list);
	default:
		return (NULL);
	}
}

/* Numbers below n in some order. */
static void
shuffle(size_t *order, size_t n)
{
	size_t i, k, last;

	for (i = 0; i < n; i++)
		order[i] = i;
	for (i = n; i > 1; i--) {
		k = some(i);
		last = order[i - 1];
		order[i - 1] = order[k];
		order[k] = last;
	}
}

static size_t ids; /* given so far */

/*
 * An object of the rows, in the order of `keys` (SCHEMA_ROWS_MAX numbers, of
 * names[]), with any of what need not be there; new.
 */
static json_t *
made(const struct schema_row *rows, const char *const *names,
    const size_t *keys, size_t n)
{
	const struct schema_row *row;
	json_t *o = json_object(), *v, *parts = NULL;
	const char *lead = NULL;
	size_t i, k, order[SCHEMA_ROWS_MAX], n_parts;
	const char *part_names[SCHEMA_ROWS_MAX];

	for (i = 0; i < n; i++) {
		row = schema_find(rows, names[keys[i]]);
		if (row == NULL || (row->in & SCHEMA_GIVEN) == 0 ||
		    (row->type != SCHEMA_ID && !row->is_required &&
			some(2) == 0))
			continue;
		if (row->type == SCHEMA_OWN && row->rows == NULL)
			lead = row->name;
		if (row->type == SCHEMA_OWN && row->rows != NULL) {
			for (k = 0; row->rows[k].name != NULL; k++) {
				part_names[k] = row->rows[k].name;
				order[k] = k;
			}
			parts = json_array();
			for (n_parts = 1 + some(5); n_parts > 0; n_parts--)
				xalloc_append(parts,
				    made(row->rows, part_names, order, k));
			v = parts;
		} else if (row->type == SCHEMA_OWN) {
			v = json_string("later");
		} else {
			v = value(row, ids++);
		}
		if (v != NULL)
			xalloc_set(o, row->name, v);
	}
	if (lead != NULL && parts != NULL)
		xalloc_set(o, lead,
		    json_incref(json_object_get(
			json_array_get(parts, some(json_array_size(parts))),
			"id")));
	return (o);
}

/* A list of such as the system takes; new. */
static json_t *
made_list(const struct rules_system *sys, bool is_commander,
    const char *const *names, const size_t *keys, size_t n)
{
	json_t *list = json_array(), *one, *out;
	struct errinfo e;
	size_t want = 1 + some(UNITS);
	int r;

	while (json_array_size(list) < want) {
		one = made(
		    is_commander ? sys->commander : sys->unit, names, keys, n);
		out = NULL;
		r = (is_commander ? sys->roster_commander : sys->roster_unit)(
		    one, RULES_ROSTER_GIVEN, NULL, &out, &e);
		json_decref(out);
		if (r == 0)
			xalloc_append(list, one);
		else
			json_decref(one);
	}
	return (list);
}

/* A roster with all units' members in one order; new. */
static json_t *
made_roster(const struct rules_system *sys)
{
	const char *names[2 * SCHEMA_ROWS_MAX];
	size_t keys[2 * SCHEMA_ROWS_MAX], n = 0, i, k;
	const struct schema_row *row;
	json_t *sides, *side;

	for (i = 0; i < 2; i++) {
		row = i == 0 ? sys->unit : sys->commander;
		for (; row != NULL && row->name != NULL; row++) {
			for (k = 0; k < n && strcmp(names[k], row->name) != 0;
			     k++)
				;
			names[k] = row->name;
			n = k == n ? n + 1 : n;
		}
	}
	shuffle(keys, n);
	sides = json_object();
	for (i = 0; i < 2; i++) {
		side = json_object();
		if (some(2) == 0)
			xalloc_set(side, "name",
			    json_string(
				texts[some(sizeof(texts) / sizeof(texts[0]))]));
		xalloc_set(
		    side, "units", made_list(sys, false, names, keys, n));
		if (sys->commander != NULL && some(2) == 0)
			xalloc_set(side, "commanders",
			    made_list(sys, true, names, keys, n));
		xalloc_set(sides, i == 0 ? "1" : "2", side);
	}
	return (xalloc_json(json_pack("{s:s, s:s, s:o}", "blob", "roster",
	    "system", sys->id, "sides", sides)));
}

/* A roster comes back from its table, and from its file. */
static void
comes_back(const struct rules_system *sys, const json_t *blob)
{
	struct roster_csv_faults faults;
	char *was = xalloc_dump(blob), *is;
	json_t *again = NULL;
	struct buf b;

	buf_init(&b, 0);
	roster_csv_write(sys, blob, &b);
	again = roster_csv_read(buf_str(&b), b.len, NULL, false, &faults);
	assert_non_null(again);
	is = xalloc_dump(again);
	assert_string_equal(is, was);
	free(is);
	buf_reset(&b);
	roster_csv_json(again, &b);
	json_decref(again);
	assert_int_equal(
	    js_load(buf_str(&b), b.len, JS_DEPTH_RECORD, &again, NULL), 0);
	is = xalloc_dump(again);
	assert_string_equal(is, was);
	json_decref(again);
	free(is);
	free(was);
	buf_clear(&b);
}

/* Reads a table of what joins; its first fault, free(), or NULL. */
static char *
joining(const char *system, const char *text)
{
	struct roster_csv_faults faults;
	json_t *blob;
	char *s = NULL;

	blob = roster_csv_read(text, strlen(text), system, true, &faults);
	assert_int_equal(blob == NULL, faults.n > 0);
	if (faults.n > 0)
		s = roster_csv_say("t.csv", &faults.list[0]);
	roster_csv_faults_clear(&faults);
	json_decref(blob);
	return (s);
}

static void
what_joins_may_be_of_one_side_or_commanders_alone(void **unused)
{
	static const char *const wrong[][3] = {
	    {"invasion-1812", "side,kind,id,cr\n1,commander,ney,x\n",
		"t.csv: row 2, cr: "},
	    {"tlnb", "side,kind,id,cr\n1,commander,ney,3\n",
		"t.csv: row 1, cr: "},
	    {"lasalle2", "system,side,id,arm,strength\ntlnb,1,a,infantry,4\n",
		"t.csv: row 2, system: differs from the system of the game"},
	    {"lasalle2", "side,id,arm,strength\n3,a,infantry,4\n",
		"t.csv: row 2, side: must be 1 or 2"},
	    {"lasalle2", "side,id,arm,strength\n",
		"t.csv: a row of headings and a row for each unit"},
	    {"lasalle2", "", "t.csv: "},
	};
	size_t i;
	char *s;

	(void)unused;
	assert_null(
	    joining("invasion-1812", "side,kind,id,cr\n1,commander,ney,3\n"));
	assert_null(joining("lasalle2",
	    "\xef\xbb\xbfside;id;arm;strength\r\n2;a;infantry;4\r\n"));
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		s = joining(wrong[i][0], wrong[i][1]);
		assert_non_null(s);
		if (strncmp(s, wrong[i][2], strlen(wrong[i][2])) != 0)
			fail_msg("%s", s);
		free(s);
	}
}

static void
random_rosters_come_back_byte_for_byte(void **unused)
{
	const struct rules_system *const *sys;
	struct roster *roster;
	struct errinfo e;
	json_t *blob;
	size_t i;

	(void)unused;
	for (sys = systems_all(); *sys != NULL; sys++) {
		state = 1;
		ids = 0;
		for (i = 0; i < ROSTERS; i++) {
			blob = made_roster(*sys);
			if (roster_parse(*sys, blob, &roster, &e) != 0)
				fail_msg(
				    "%s: %s %s", (*sys)->id, e.where, e.text);
			roster_free(roster);
			comes_back(*sys, blob);
			json_decref(blob);
		}
	}
}

/* No cell of a line, at whatever it is split, begins as what is run. */
static void
nothing_runs_in(const char *line)
{
	static const char splits[] = ",;\t";
	const char *p;
	size_t i;

	for (i = 0; splits[i] != '\0'; i++) {
		for (p = line; p != NULL; p = strchr(p, splits[i])) {
			p += *p == splits[i] ? 1 : 0;
			p += strspn(p, "\" ");
			if (*p != '\0' && strchr("=+-@", *p) != NULL)
				fail_msg("%s: %s", line, p);
			/* The wide forms of the same. */
			if (strncmp(p, "\xef\xbc", 2) == 0 &&
			    strchr("\x9d\x8b\x8d\xa0", p[2]) != NULL)
				fail_msg("%s: %s", line, p);
		}
	}
}

static void
no_spreadsheet_runs_a_text(void **unused)
{
	static const char *const more[] = {"\t=1", "\r=1", "a\t-1", "a\n+1"};
	const size_t n = sizeof(texts) / sizeof(texts[0]);
	struct buf b;
	struct csv c;
	size_t i;
	char *cell;
	const char *text;

	(void)unused;
	for (i = 0; i < n + 4; i++) {
		text = i < n ? texts[i] : more[i - n];
		buf_init(&b, 0);
		csv_put(&b, 0, "x");
		csv_put_text(&b, 1, text);
		nothing_runs_in(buf_str(&b));
		assert_int_equal(csv_read(buf_str(&b), b.len, &c, NULL), 0);
		cell = xalloc_str(csv_cell(&c, &c.rows[0], 1));
		csv_unguard(cell);
		assert_string_equal(cell, text);
		free(cell);
		csv_clear(&c);
		buf_clear(&b);
	}
}

/* What a spreadsheet would make a date or a number of stays a text. */
static void
no_spreadsheet_takes_a_text_for_a_date(void **unused)
{
	static const char *const guarded[] = {"mar-1", "1-2", "1e5", "0012",
	    "1/2", "7", "-3", "1 March 1809", "may 5", "Dec-12", "5-okt",
	    "3. M\xc3\xa4rz", "2 ao\xc3\xbbt", "7 pm", "7pm", "12:30 a",
	    "1 000", "5%", "$5", "5\xe2\x82\xac", "(5)", "1'000", "WAHR",
	    "Vrai", "true", " ", "2024-01-01T10:00Z"};
	static const char *const plain[] = {"fr-1", "a1", "p1", "e1", "t-1",
	    "marshal-1", "Old Guard", "pr-gren-2", "61st Line", "3a", "mar",
	    "Legion of 1 May Riders", "junior-2", "deck 4"};
	struct buf b;
	size_t i;

	(void)unused;
	for (i = 0; i < sizeof(guarded) / sizeof(guarded[0]); i++) {
		buf_init(&b, 0);
		csv_put_text(&b, 0, guarded[i]);
		if (buf_str(&b)[strspn(buf_str(&b), "\"")] != '\'')
			fail_msg("%s is not guarded", guarded[i]);
		buf_clear(&b);
	}
	for (i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		buf_init(&b, 0);
		csv_put_text(&b, 0, plain[i]);
		assert_string_equal(buf_str(&b), plain[i]);
		buf_clear(&b);
	}
}

/* Every member that a player gives has a type that a table can hold. */
static void
every_member_has_a_column(void **unused)
{
	const struct rules_system *const *sys;
	const struct schema_row *row;
	int i;

	(void)unused;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (i = 0; i < 2; i++) {
			row = i == 0 ? (*sys)->unit : (*sys)->commander;
			for (; row != NULL && row->name != NULL; row++) {
				if ((row->in & SCHEMA_GIVEN) == 0)
					continue;
				assert_true(row->type != SCHEMA_FLAGS &&
				    row->type != SCHEMA_OBJECT);
				assert_null(strpbrk(row->name, ". ,;"));
				assert_string_not_equal(row->name, "system");
				assert_string_not_equal(row->name, "side");
				assert_string_not_equal(row->name, "side_name");
				assert_string_not_equal(row->name, "kind");
			}
		}
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_joins_may_be_of_one_side_or_commanders_alone),
	    cmocka_unit_test(random_rosters_come_back_byte_for_byte),
	    cmocka_unit_test(no_spreadsheet_runs_a_text),
	    cmocka_unit_test(no_spreadsheet_takes_a_text_for_a_date),
	    cmocka_unit_test(every_member_has_a_column),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
