/* SPDX-License-Identifier: ISC */
/*
 * Rosters as tables, and back.  What a unit or a commander may have is the
 * system's table of members, of which each is a column; a member that is a
 * list of objects is a column for each member of each of those, such as
 * "battalions.2.sp".  An empty cell is a member that is not there.
 */
#include "client/report/roster_csv.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/csv.h"
#include "client/base/xalloc.h"
#include "client/report/roster_csv_int.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"

#define ROSTER_CSV_NAMES (2 * SCHEMA_ROWS_MAX)

const char *const roster_csv_fixed[] = {
    [ROSTER_CSV_SYSTEM] = "system",
    [ROSTER_CSV_SIDE] = "side",
    [ROSTER_CSV_SIDE_NAME] = "side_name",
    [ROSTER_CSV_KIND] = "kind",
    NULL,
};
const char *const roster_csv_lists[] = {"units", "commanders"};
const char *const roster_csv_kinds[] = {"unit", "commander"};
const char *const roster_csv_sides[] = {"1", "2"};

const struct schema_row *
roster_csv_rows(const struct rules_system *sys, size_t list)
{
	return (list == 0 ? sys->unit : sys->commander);
}

/* Names of members, and which were seen before which. */
struct roster_csv_names {
	const char *names[ROSTER_CSV_NAMES];
	size_t n;
	bool is_before[ROSTER_CSV_NAMES][ROSTER_CSV_NAMES];
};

/* The number of a name; n if it is not there. */
static size_t
roster_csv_number(const struct roster_csv_names *names, const char *name)
{
	size_t i;

	for (i = 0; i < names->n && strcmp(names->names[i], name) != 0; i++)
		;
	return (i);
}

/* Adds the names of the rows (NULL: none) that a player gives. */
static void
roster_csv_add(struct roster_csv_names *names, const struct schema_row *rows)
{
	for (; rows != NULL && rows->name != NULL; rows++) {
		if ((rows->in & SCHEMA_GIVEN) == 0 ||
		    roster_csv_number(names, rows->name) < names->n)
			continue;
		assert(names->n < ROSTER_CSV_NAMES);
		names->names[names->n++] = rows->name;
	}
}

/* Notes in which order an object has its members. */
static void
roster_csv_see(struct roster_csv_names *names, const json_t *object)
{
	size_t last = names->n, i;
	const char *name;
	json_t *v;

	js_foreach(object, name, v)
	{
		(void)v;
		if ((i = roster_csv_number(names, name)) == names->n)
			continue;
		if (last < names->n)
			names->is_before[last][i] = true;
		last = i;
	}
}

/*
 * Puts the names in an order that all objects have, else, where they differ,
 * as near to the table's as may be.
 */
static void
roster_csv_sort(struct roster_csv_names *names)
{
	const char *sorted[ROSTER_CSV_NAMES];
	bool is_placed[ROSTER_CSV_NAMES] = {false};
	size_t i, k, n, first;

	for (n = 0; n < names->n; n++) {
		first = names->n;
		for (i = 0; i < names->n; i++) {
			if (is_placed[i])
				continue;
			first = first == names->n ? i : first;
			for (k = 0; k < names->n; k++) {
				if (!is_placed[k] && names->is_before[k][i])
					break;
			}
			if (k == names->n)
				break;
		}
		i = i == names->n ? first : i;
		is_placed[i] = true;
		sorted[n] = names->names[i];
	}
	memcpy(names->names, sorted, n * sizeof(*sorted));
}

/* A column that is written; part counts from 1, and is 0 for a plain one. */
struct roster_csv_out {
	const char *name;
	size_t part;
	const char *part_name;
};

/* A list of a side of a roster; NULL if it has none. */
static const json_t *
roster_csv_list(const json_t *blob, size_t side, size_t list)
{
	return (json_object_get(json_object_get(json_object_get(blob, "sides"),
				    roster_csv_sides[side]),
	    roster_csv_lists[list]));
}

/* Adds the columns of a member that is a list of objects. */
static size_t
roster_csv_add_parts(const json_t *blob, const struct schema_row *row,
    struct roster_csv_out *columns, size_t n)
{
	struct roster_csv_names names = {.n = 0};
	const json_t *unit, *parts, *part;
	size_t side, i, k, most = 1;

	roster_csv_add(&names, row->rows);
	for (side = 0; side < 2; side++) {
		json_array_foreach(roster_csv_list(blob, side, 0), i, unit)
		{
			parts = json_object_get(unit, row->name);
			if (json_array_size(parts) > most)
				most = json_array_size(parts);
			json_array_foreach(parts, k, part)
			    roster_csv_see(&names, part);
		}
	}
	roster_csv_sort(&names);
	for (i = 1; i <= most; i++) {
		for (k = 0; k < names.n && n < CSV_COLUMNS_MAX; k++)
			columns[n++] = (struct roster_csv_out){
			    row->name, i, names.names[k]};
	}
	return (n);
}

/* Lays the columns out; returns how many there are. */
static size_t
roster_csv_columns(const struct rules_system *sys, const json_t *blob,
    struct roster_csv_out *columns)
{
	struct roster_csv_names names = {.n = 0};
	const struct schema_row *row;
	size_t side, list, i, n = 0;
	const json_t *unit;

	roster_csv_add(&names, sys->unit);
	roster_csv_add(&names, sys->commander);
	for (side = 0; side < 2; side++) {
		for (list = 0; list < 2; list++) {
			json_array_foreach(roster_csv_list(blob, side, list), i,
			    unit) roster_csv_see(&names, unit);
		}
	}
	roster_csv_sort(&names);
	for (i = 0; i < names.n; i++) {
		row = schema_find(sys->unit, names.names[i]);
		if (row != NULL && row->rows != NULL)
			n = roster_csv_add_parts(blob, row, columns, n);
		else
			columns[n++] =
			    (struct roster_csv_out){names.names[i], 0, NULL};
	}
	return (n);
}

/* Appends a value. */
static void
roster_csv_put(struct buf *b, size_t column, const json_t *v)
{
	char digits[32];
	struct buf words;
	const json_t *word;
	size_t i;

	if (v == NULL) {
		csv_put(b, column, "");
	} else if (json_is_string(v)) {
		csv_put_text(b, column, json_string_value(v));
	} else if (json_is_integer(v)) {
		(void)snprintf(digits, sizeof(digits), "%lld",
		    (long long)json_integer_value(v));
		csv_put(b, column, digits);
	} else if (json_is_array(v)) {
		buf_init(&words, 0);
		buf_puts(&words, json_array_size(v) == 0 ? "[]" : "");
		json_array_foreach(v, i, word) buf_printf(
		    &words, "%s%s", i == 0 ? "" : " ", json_string_value(word));
		csv_put(b, column, buf_str(&words));
		buf_clear(&words);
	} else {
		csv_put(b, column,
		    json_is_null(v)       ? "null"
			: json_is_true(v) ? "true"
					  : "false");
	}
}

/* Appends the rows of a list of a side. */
static void
roster_csv_write_list(const struct rules_system *sys, const json_t *blob,
    size_t side, size_t list, const struct roster_csv_out *columns, size_t n,
    struct buf *out)
{
	const json_t *unit, *v, *name;
	size_t i, k, at;

	name = json_object_get(json_object_get(json_object_get(blob, "sides"),
				   roster_csv_sides[side]),
	    "name");
	json_array_foreach(roster_csv_list(blob, side, list), i, unit)
	{
		at = 0;
		csv_put(out, at++, sys->id);
		csv_put(out, at++, roster_csv_sides[side]);
		roster_csv_put(out, at++, name);
		if (sys->commander != NULL)
			csv_put(out, at++, roster_csv_kinds[list]);
		for (k = 0; k < n; k++) {
			v = json_object_get(unit, columns[k].name);
			if (columns[k].part > 0)
				v = json_object_get(
				    json_array_get(v, columns[k].part - 1),
				    columns[k].part_name);
			roster_csv_put(out, at++, v);
		}
		csv_end_row(out);
	}
}

void
roster_csv_write(
    const struct rules_system *sys, const json_t *blob, struct buf *out)
{
	struct roster_csv_out *columns;
	size_t n, i, at = 0;
	char *heading;

	columns =
	    xalloc((CSV_COLUMNS_MAX + ROSTER_CSV_NAMES) * sizeof(*columns));
	n = roster_csv_columns(sys, blob, columns);
	csv_begin(out);
	for (i = 0; roster_csv_fixed[i] != NULL; i++) {
		if (i != ROSTER_CSV_KIND || sys->commander != NULL)
			csv_put(out, at++, roster_csv_fixed[i]);
	}
	for (i = 0; i < n; i++) {
		if (columns[i].part == 0)
			heading = xalloc_str(columns[i].name);
		else
			heading = xalloc_printf("%s.%zu.%s", columns[i].name,
			    columns[i].part, columns[i].part_name);
		csv_put(out, at++, heading);
		free(heading);
	}
	csv_end_row(out);
	for (i = 0; i < 4; i++)
		roster_csv_write_list(sys, blob, i / 2, i % 2, columns, n, out);
	free(columns);
}

void
roster_csv_json(const json_t *blob, struct buf *out)
{
	const json_t *side, *v, *name;
	bool is_next, is_second = false;
	size_t s, list, i;

	buf_puts(out, "{\n  \"blob\": \"roster\",\n  \"system\": ");
	js_dump(json_object_get(blob, "system"), out);
	buf_puts(out, ",\n  \"sides\": {");
	for (s = 0; s < 2; s++) {
		side = json_object_get(
		    json_object_get(blob, "sides"), roster_csv_sides[s]);
		if (side == NULL)
			continue;
		buf_printf(out, "%s\n    \"%s\": {", is_second ? "," : "",
		    roster_csv_sides[s]);
		is_second = true;
		is_next = false;
		if ((name = json_object_get(side, "name")) != NULL) {
			buf_puts(out, "\n      \"name\": ");
			js_dump(name, out);
			is_next = true;
		}
		for (list = 0; list < 2; list++) {
			if (roster_csv_list(blob, s, list) == NULL)
				continue;
			buf_printf(out, "%s\n      \"%s\": [",
			    is_next ? "," : "", roster_csv_lists[list]);
			is_next = true;
			json_array_foreach(roster_csv_list(blob, s, list), i, v)
			{
				buf_puts(
				    out, i == 0 ? "\n        " : ",\n        ");
				js_dump(v, out);
			}
			buf_puts(out, "\n      ]");
		}
		buf_puts(out, "\n    }");
	}
	buf_puts(out, "\n  }\n}\n");
}

char *
roster_csv_say(const char *file, const struct roster_csv_fault *fault)
{
	char row[32] = "";

	if (fault->row > 0)
		(void)snprintf(row, sizeof(row), " row %zu%s", fault->row,
		    fault->heading == NULL ? ":" : ",");
	return (xalloc_printf("%s:%s%s%s%s %s", file, row,
	    fault->heading == NULL ? "" : " ",
	    fault->heading == NULL ? "" : fault->heading,
	    fault->heading == NULL ? "" : ":", fault->what));
}

void
roster_csv_faults_clear(struct roster_csv_faults *f)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		free(f->list[i].heading);
		free(f->list[i].what);
	}
	free(f->list);
	memset(f, 0, sizeof(*f));
}
