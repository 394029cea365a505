/* SPDX-License-Identifier: ISC */
/*
 * Tables of rosters, read.  Each cell becomes a member as the system's table
 * has it; whether the roster is right is then the rules' to say, whose places
 * are told as rows and headings.
 */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/base/csv.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/report/roster_csv.h"
#include "client/report/roster_csv_int.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"
#include "common/rules/systems/systems.h"

#define ROSTER_CSV_PARTS_MAX 400 /* the highest number of a part */
#define ROSTER_CSV_PLACES 1000 /* faults of which the row is looked for */
#define ROSTER_CSV_DIGITS 15 /* of a number */

/* A column that is read. */
struct roster_csv_in {
	char *heading; /* owned: as it is known, else as it stands */
	enum roster_csv_fixed fixed; /* ROSTER_CSV_FIXED: a member */
	const struct schema_row *rows[2]; /* by list; NULL: not of those */
	size_t part; /* from 1; 0: a plain one */
	const struct schema_row *part_row;
	bool is_unknown; /* a heading that was told */
};

/* A table that is read. */
struct roster_csv_read {
	struct csv csv;
	const struct rules_system *sys;
	struct roster_csv_in *columns; /* owned */
	size_t n_columns;
	json_t *sides[2]; /* borrowed from the blob */
	/* Owned: the row of the csv of each unit and commander. */
	const struct csv_row **rows[2][2];
	bool *is_odd; /* owned, by csv row: its kind does not fit its cells */
	bool is_short[2]; /* a row that may be this side's was not taken */
	size_t n_rows[2][2];
	const struct csv_row *named[2]; /* the row that named a side */
	bool is_joining; /* it holds what joins a game */
	struct roster_csv_faults *f;
};

/* Keeps something wrong. */
static void
roster_csv_fail(struct roster_csv_read *rd, const struct csv_row *row,
    const char *heading, const char *what)
{
	struct roster_csv_faults *f = rd->f;
	struct roster_csv_fault *fault;

	if (f->all++ >= ROSTER_CSV_FAULTS_MAX)
		return;
	f->list = xalloc_more(f->list, f->n, sizeof(*f->list));
	fault = &f->list[f->n];
	fault->row = row == NULL ? 0 : row->number;
	fault->nth = f->n++;
	fault->heading = heading == NULL ? NULL : text_safe(heading);
	fault->what = text_safe(what);
}

/* Orders faults by their rows, for qsort(). */
static int
roster_csv_compare_cb(const void *a, const void *b)
{
	const struct roster_csv_fault *x = a, *y = b;

	if (x->row != y->row)
		return (x->row < y->row ? -1 : 1);
	return (x->nth < y->nth ? -1 : 1);
}

/* A cell without blanks around it; free(). */
static char *
roster_csv_trim(const char *s)
{
	size_t n;

	s += strspn(s, " \t");
	for (n = strlen(s); n > 0 && strchr(" \t", s[n - 1]) != NULL; n--)
		;
	return (xalloc_strn(s, n));
}

/* A heading as it is known: "Reduced SP" is reduced_sp; free(). */
static char *
roster_csv_heading(const char *cell)
{
	char *s = roster_csv_trim(cell), *p;

	for (p = s; *p != '\0'; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
		if (*p == ' ')
			*p = '_';
	}
	return (s);
}

/* Finds the member that a player gives; NULL if there is none. */
static const struct schema_row *
roster_csv_find(const struct schema_row *rows, const char *name)
{
	const struct schema_row *row = schema_find(rows, name);

	return (row == NULL || (row->in & SCHEMA_GIVEN) == 0 ? NULL : row);
}

/* Finds what "battalions.2.sp" is a column of.  False if of nothing. */
static bool
roster_csv_part(const struct rules_system *sys, struct roster_csv_in *c)
{
	const char *dot = strchr(c->heading, '.');
	const struct schema_row *row;
	char *name, *end;

	if (dot == NULL || dot[1] < '1' || dot[1] > '9')
		return (false);
	name = xalloc_strn(c->heading, (size_t)(dot - c->heading));
	row = roster_csv_find(sys->unit, name);
	free(name);
	if (row == NULL || row->rows == NULL)
		return (false);
	c->part = strtoul(dot + 1, &end, 10);
	if (*end != '.' || c->part > ROSTER_CSV_PARTS_MAX ||
	    (c->part_row = roster_csv_find(row->rows, end + 1)) == NULL)
		return (false);
	c->rows[0] = row;
	return (true);
}

/* Finds what a heading is a column of.  False if of nothing. */
static bool
roster_csv_column(const struct rules_system *sys, struct roster_csv_in *c)
{
	size_t i;

	c->fixed = ROSTER_CSV_FIXED;
	for (i = 0; i < ROSTER_CSV_FIXED; i++) {
		if (strcmp(c->heading, roster_csv_fixed[i]) == 0) {
			c->fixed = i;
			return (true);
		}
	}
	for (i = 0; i < 2; i++) {
		c->rows[i] =
		    roster_csv_find(roster_csv_rows(sys, i), c->heading);
		/* A list of objects is no column itself. */
		if (c->rows[i] != NULL && c->rows[i]->rows != NULL)
			c->rows[i] = NULL;
	}
	return (c->rows[0] != NULL || c->rows[1] != NULL ||
	    roster_csv_part(sys, c));
}

/* Reads the headings, once the system is known. */
static void
roster_csv_headings(struct roster_csv_read *rd)
{
	const struct csv_row *row = &rd->csv.rows[0];
	struct roster_csv_in *c;
	bool has_side = false;
	char text[160];
	size_t i, k;

	for (i = 0; i < rd->n_columns; i++) {
		c = &rd->columns[i];
		if (*c->heading == '\0') {
			c->is_unknown =
			    true; /* told where a cell holds something */
			continue;
		}
		if (!roster_csv_column(rd->sys, c)) {
			c->is_unknown = true;
			(void)snprintf(text, sizeof(text),
			    "is not a heading of %s; `umpire rules %s` lists "
			    "what units have",
			    rd->sys->id, rd->sys->id);
			roster_csv_fail(rd, row, c->heading, text);
		}
		has_side = has_side || c->fixed == ROSTER_CSV_SIDE;
		for (k = 0; k < i; k++) {
			if (strcmp(rd->columns[k].heading, c->heading) == 0)
				break;
		}
		if (k < i) {
			c->is_unknown = true;
			roster_csv_fail(rd, row, c->heading, "appears twice");
		}
	}
	if (!has_side)
		roster_csv_fail(rd, NULL, "side",
		    "is missing: a column that says whose a unit is, 1 or 2");
}

/* Finds the cell of one of the fixed columns; NULL if there is none. */
static const char *
roster_csv_cell(const struct roster_csv_read *rd, const struct csv_row *row,
    enum roster_csv_fixed fixed)
{
	size_t i;

	for (i = 0; i < rd->n_columns; i++) {
		if (strcmp(rd->columns[i].heading, roster_csv_fixed[fixed]) ==
		    0)
			return (csv_cell(&rd->csv, row, i));
	}
	return (NULL);
}

/* Finds the system: all rows that say one say the same.  False: told. */
static bool
roster_csv_system(struct roster_csv_read *rd, const char *id)
{
	const struct csv_row *row;
	const char *cell;
	char *name;
	size_t i;

	if (id != NULL)
		rd->sys = systems_find(id);
	for (i = 1; i < rd->csv.n_rows; i++) {
		row = &rd->csv.rows[i];
		cell = roster_csv_cell(rd, row, ROSTER_CSV_SYSTEM);
		name = roster_csv_trim(cell == NULL ? "" : cell);
		if (*name != '\0' && systems_find(name) == NULL)
			roster_csv_fail(rd, row, "system",
			    "must be the id of a rule system; `umpire rules` "
			    "lists them");
		else if (*name != '\0' && rd->sys != NULL &&
		    systems_find(name) != rd->sys)
			roster_csv_fail(rd, row, "system",
			    rd->is_joining
				? "differs from the system of the game"
				: "differs from the other rows, or from "
				  "--system");
		else if (*name != '\0')
			rd->sys = systems_find(name);
		free(name);
	}
	if (rd->sys == NULL && rd->f->all == 0)
		roster_csv_fail(rd, NULL, "system",
		    "is missing: it names the rule system; or give "
		    "--system ID");
	return (rd->sys != NULL);
}

/* A list of words; new. */
static json_t *
roster_csv_words(const char *s)
{
	json_t *list = xalloc_json(json_array());
	size_t n;

	if (strcmp(s, "[]") == 0)
		return (list);
	for (; *s != '\0'; s += n + strspn(s + n, " ,")) {
		n = strcspn(s, " ,");
		if (n > 0)
			xalloc_append(list, json_stringn(s, n));
	}
	return (list);
}

/*
 * A cell that holds something as the member of a row; new.  What is not of the
 * row's type stays a text, for the rules to refuse.
 */
static json_t *
roster_csv_value(const struct schema_row *row, const char *cell)
{
	char *text = xalloc_str(cell), *s;
	json_t *v = NULL;
	bool value;
	size_t digits;

	csv_unguard(text);
	if (row->type == SCHEMA_TEXT) {
		v = xalloc_json_str(text);
		free(text);
		return (v);
	}
	s = roster_csv_trim(text);
	free(text);
	if (row->type == SCHEMA_BOOL && csv_is_truth(s, &value))
		v = json_boolean(value);
	else if (row->has_null && strcasecmp(s, "null") == 0)
		v = json_null();
	else if (row->type == SCHEMA_SET)
		v = roster_csv_words(s);
	digits = strspn(s + (*s == '-' ? 1 : 0), "0123456789");
	if (row->type == SCHEMA_COUNT && v == NULL && digits > 0 &&
	    digits <= ROSTER_CSV_DIGITS &&
	    s[digits + (*s == '-' ? 1 : 0)] == '\0')
		v = json_integer(strtoll(s, NULL, 10));
	if (v == NULL)
		v = xalloc_json_str(s);
	free(s);
	return (v);
}

/* Puts the parts of a unit, by their numbers, into its list. */
static void
roster_csv_take_parts(json_t *parts[ROSTER_CSV_PARTS_MAX + 1], json_t *list)
{
	size_t i;

	for (i = 0; i <= ROSTER_CSV_PARTS_MAX; i++) {
		if (parts[i] != NULL)
			xalloc_append(list, parts[i]);
	}
}

/* Reads the members of a row; new. */
static json_t *
roster_csv_unit(
    struct roster_csv_read *rd, const struct csv_row *row, size_t list)
{
	json_t *parts[ROSTER_CSV_PARTS_MAX + 1] = {NULL};
	json_t *unit = xalloc_json(json_object()), *of = NULL;
	const struct roster_csv_in *c;
	const char *cell;
	size_t i;

	for (i = 0; i < row->n; i++) {
		cell = csv_cell(&rd->csv, row, i);
		if (csv_is_blank(cell))
			continue;
		c = i < rd->n_columns ? &rd->columns[i] : NULL;
		if (c == NULL || *c->heading == '\0') {
			roster_csv_fail(
			    rd, row, NULL, "has a cell without a heading");
			continue;
		}
		if (c->is_unknown || c->fixed != ROSTER_CSV_FIXED)
			continue;
		if (c->rows[list] == NULL) {
			rd->is_odd[row - rd->csv.rows] = true;
			roster_csv_fail(rd, row, c->heading,
			    list == 0 ? "is for commanders only"
				      : "is for units only");
			continue;
		}
		if (c->part == 0) {
			xalloc_set(unit, c->rows[list]->name,
			    roster_csv_value(c->rows[list], cell));
			continue;
		}
		/* No system has more than one list of parts. */
		if (of == NULL) {
			of = json_array();
			xalloc_set(unit, c->rows[list]->name, of);
		}
		if (parts[c->part] == NULL)
			parts[c->part] = xalloc_json(json_object());
		xalloc_set(parts[c->part], c->part_row->name,
		    roster_csv_value(c->part_row, cell));
	}
	roster_csv_take_parts(parts, of);
	return (unit);
}

/* Reads the name of a side, which all its rows that say one agree in. */
static void
roster_csv_side_name(
    struct roster_csv_read *rd, const struct csv_row *row, size_t side)
{
	const char *cell = roster_csv_cell(rd, row, ROSTER_CSV_SIDE_NAME);
	const char *had = js_str(rd->sides[side], "name");
	char text[80], *name;

	if (cell == NULL || csv_is_blank(cell))
		return;
	name = xalloc_str(cell);
	csv_unguard(name);
	if (had == NULL) {
		xalloc_set(rd->sides[side], "name", xalloc_json_str(name));
		rd->named[side] = row;
	} else if (strcmp(had, name) != 0) {
		(void)snprintf(text, sizeof(text),
		    "differs from row %zu, which is of the same side",
		    rd->named[side]->number);
		roster_csv_fail(rd, row, "side_name", text);
	}
	free(name);
}

/* Reads which list a row is for: 0, 1; false: told. */
static bool
roster_csv_kind(
    struct roster_csv_read *rd, const struct csv_row *row, size_t *list)
{
	const char *cell = roster_csv_cell(rd, row, ROSTER_CSV_KIND);
	char *kind = roster_csv_trim(cell == NULL ? "" : cell);
	size_t i;

	if (*kind == '\0') {
		*list = 0;
		free(kind);
		return (true);
	}
	for (i = 0; i < 2; i++) {
		if (strcasecmp(kind, roster_csv_kinds[i]) == 0 &&
		    roster_csv_rows(rd->sys, i) != NULL)
			break;
	}
	free(kind);
	*list = i;
	if (i == 2)
		roster_csv_fail(rd, row, "kind",
		    rd->sys->commander != NULL
			? "must be unit or commander"
			: "must be unit: the system has no commanders");
	return (i < 2);
}

/* Reads a row into its side. */
static void
roster_csv_row(struct roster_csv_read *rd, const struct csv_row *row)
{
	const char *cell = roster_csv_cell(rd, row, ROSTER_CSV_SIDE);
	char *number = roster_csv_trim(cell == NULL ? "" : cell);
	size_t side, list, n;

	for (side = 0; side < 2; side++) {
		if (strcmp(number, roster_csv_sides[side]) == 0)
			break;
	}
	free(number);
	if (side == 2) {
		rd->is_short[0] = rd->is_short[1] = true;
		roster_csv_fail(rd, row, "side", "must be 1 or 2");
		return;
	}
	if (!roster_csv_kind(rd, row, &list)) {
		rd->is_short[side] = true;
		return;
	}
	n = rd->n_rows[side][list]++;
	rd->rows[side][list] =
	    xalloc_more(rd->rows[side][list], n, sizeof(*rd->rows[side][list]));
	rd->rows[side][list][n] = row;
	roster_csv_side_name(rd, row, side);
	if (list == 1 &&
	    json_object_get(rd->sides[side], roster_csv_lists[1]) == NULL)
		xalloc_set(rd->sides[side], roster_csv_lists[1], json_array());
	xalloc_append(json_object_get(rd->sides[side], roster_csv_lists[list]),
	    roster_csv_unit(rd, row, list));
}

/* The number of the nth part of a row that holds something. */
static size_t
roster_csv_part_number(
    const struct roster_csv_read *rd, const struct csv_row *row, size_t nth)
{
	bool is_there[ROSTER_CSV_PARTS_MAX + 1] = {false};
	size_t i;

	for (i = 0; i < rd->n_columns; i++) {
		if (!rd->columns[i].is_unknown &&
		    !csv_is_blank(csv_cell(&rd->csv, row, i)))
			is_there[rd->columns[i].part] = true;
	}
	for (i = 1; i <= ROSTER_CSV_PARTS_MAX; i++) {
		if (is_there[i] && nth-- == 0)
			break;
	}
	return (i);
}

/*
 * Tells of a fault of a unit.  Where its kind does not fit its cells, that has
 * been told; what it lacks as that kind is then not to be asked for.
 */
static void
roster_csv_fail_unit(struct roster_csv_read *rd, const struct csv_row *row,
    const char *heading, const char *what)
{
	size_t i;

	for (i = 0; i < rd->n_columns; i++) {
		if (heading != NULL &&
		    strcmp(rd->columns[i].heading, heading) == 0 &&
		    !csv_is_blank(csv_cell(&rd->csv, row, i)))
			break;
	}
	if (i < rd->n_columns || !rd->is_odd[row - rd->csv.rows])
		roster_csv_fail(rd, row, heading, what);
}

/* schema_faults: tells of a fault of the roster by its row and heading. */
static void
roster_csv_tell_cb(void *arg, const struct errinfo *e, bool is_name)
{
	struct roster_csv_read *rd = arg;
	const struct csv_row *row;
	unsigned side, i, k;
	char list, name[64], part[64] = "";
	int n = 0;
	char *s;

	(void)is_name;
	/* Units are too few where a row's side or kind is wrong. */
	if (sscanf(e->where, "sides.%1u.units%n", &side, &n) == 1 && n > 0 &&
	    e->where[n] == '\0' && side >= 1 && side <= 2 &&
	    rd->is_short[side - 1] && rd->n_rows[side - 1][0] == 0)
		return;
	n = 0;
	if (rd->f->all >= ROSTER_CSV_PLACES ||
	    sscanf(e->where, "sides.%1u.%c%*[a-z][%5u]%n", &side, &list, &i,
		&n) != 3 ||
	    n == 0 || side < 1 || side > 2 ||
	    i >= rd->n_rows[side - 1][list == 'c']) {
		roster_csv_fail(
		    rd, NULL, e->where[0] == '\0' ? NULL : e->where, e->text);
		return;
	}
	row = rd->rows[side - 1][list == 'c'][i];
	if (sscanf(e->where + n, ".%63[a-z_][%5u].%63[a-z_]", name, &k, part) >=
		2 &&
	    part[0] != '\0') {
		s = xalloc_printf("%s.%zu.%s", name,
		    roster_csv_part_number(rd, row, k), part);
		roster_csv_fail_unit(rd, row, s, e->text);
		free(s);
	} else if (sscanf(e->where + n, ".%63[a-z_]", name) == 1) {
		roster_csv_fail_unit(rd, row, name, e->text);
	} else {
		roster_csv_fail_unit(rd, row, NULL, e->text);
	}
}

/* Makes the blob of a table whose system is known; new. */
static json_t *
roster_csv_blob(struct roster_csv_read *rd)
{
	struct schema_faults faults = {.tell = roster_csv_tell_cb, .arg = rd};
	json_t *blob, *sides;
	char text[120], *dump;
	size_t i;

	/* What stands below a wrong heading would be told as missing. */
	roster_csv_headings(rd);
	if (rd->f->all > 0)
		return (NULL);
	/* A name has its place, whichever row says it. */
	for (i = 0; i < 2; i++)
		rd->sides[i] = xalloc_json(
		    json_pack("{s:n, s:[]}", "name", roster_csv_lists[0]));
	sides = xalloc_json(json_pack("{s:o, s:o}", roster_csv_sides[0],
	    rd->sides[0], roster_csv_sides[1], rd->sides[1]));
	blob = xalloc_json(json_pack("{s:s, s:s, s:o}", "blob", "roster",
	    "system", rd->sys->id, "sides", sides));
	for (i = 1; i < rd->csv.n_rows; i++)
		roster_csv_row(rd, &rd->csv.rows[i]);
	for (i = 0; i < 2; i++) {
		if (rd->named[i] == NULL)
			(void)json_object_del(rd->sides[i], "name");
	}
	if (roster_check(rd->sys, blob, &faults) != 0)
		xalloc_die();
	dump = xalloc_dump(blob);
	if (rd->f->all == 0 && strlen(dump) > RECORD_BLOB_MAX) {
		(void)snprintf(text, sizeof(text),
		    "these rosters have %zu bytes as JSON; a game takes at "
		    "most %d",
		    strlen(dump), RECORD_BLOB_MAX);
		roster_csv_fail(rd, NULL, NULL, text);
	}
	free(dump);
	return (blob);
}

json_t *
roster_csv_read(const char *text, size_t len, const char *id, bool is_joining,
    struct roster_csv_faults *f)
{
	/* Who joins one side alone leaves the other short of units. */
	struct roster_csv_read rd = {.f = f,
	    .is_joining = is_joining,
	    .is_short = {is_joining, is_joining}};
	struct errinfo e = {.text = ""};
	struct csv_row broken = {.number = 0};
	json_t *blob = NULL;
	size_t i;

	memset(f, 0, sizeof(*f));
	if (csv_read(text, len, &rd.csv, &e) != 0) {
		(void)sscanf(e.where, "row %zu", &broken.number);
		roster_csv_fail(&rd, &broken, NULL, e.text);
		return (NULL);
	}
	if (rd.csv.n_rows < 2) {
		roster_csv_fail(&rd, NULL, NULL,
		    "a row of headings and a row for each unit are needed");
		csv_clear(&rd.csv);
		return (NULL);
	}
	rd.n_columns = rd.csv.rows[0].n;
	rd.is_odd = xalloc(rd.csv.n_rows * sizeof(*rd.is_odd));
	rd.columns = xalloc((rd.n_columns + 1) * sizeof(*rd.columns));
	for (i = 0; i < rd.n_columns; i++)
		rd.columns[i].heading =
		    roster_csv_heading(csv_cell(&rd.csv, &rd.csv.rows[0], i));
	if (roster_csv_system(&rd, id))
		blob = roster_csv_blob(&rd);
	for (i = 0; i < rd.n_columns; i++)
		free(rd.columns[i].heading);
	free(rd.columns);
	for (i = 0; i < 4; i++)
		free(rd.rows[i / 2][i % 2]);
	free(rd.is_odd);
	csv_clear(&rd.csv);
	if (f->all > 0) {
		if (f->n > 0)
			qsort(f->list, f->n, sizeof(*f->list),
			    roster_csv_compare_cb);
		json_decref(blob);
		blob = NULL;
	}
	return (blob);
}
