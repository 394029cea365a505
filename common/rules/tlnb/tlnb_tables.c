/* SPDX-License-Identifier: ISC */
/*
 * Reads the tables of tlnb.  Each may be left out; one that is there must be
 * whole, and each of its codes must be one that this table can have
 * (umpire-rules.7, 14.7).
 */
#include "common/rules/tlnb/tlnb_tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "common/json/js.h"

enum tlnb_tables_which {
	TLNB_TABLES_CRT = 0x1,
	TLNB_TABLES_FIRE = 0x2,
	TLNB_TABLES_CHARGE = 0x4,
	TLNB_TABLES_SHOCK = 0x8,
};

/*
 * The codes: letters, and a digit from lo to hi that may stand behind them
 * (lo 0, hi -1: none may); n is what no digit means.
 */
static const struct {
	const char *letters;
	unsigned in; /* set of enum tlnb_tables_which */
	enum tlnb_effect effect;
	int n, lo, hi;
} tlnb_tables_codes[] = {
    {"Ae", TLNB_TABLES_CRT | TLNB_TABLES_SHOCK, TLNB_ATTACKER_GONE, -1, 0, -1},
    {"Ae", TLNB_TABLES_CHARGE, TLNB_ATTACKER_GONE, -1, 0, 1},
    {"De", TLNB_TABLES_CRT | TLNB_TABLES_SHOCK, TLNB_DEFENDER_GONE, 0, 0, -1},
    {"Ar", TLNB_TABLES_CRT | TLNB_TABLES_SHOCK, TLNB_ATTACKER_BACK, 1, 1, 9},
    {"Dr", TLNB_TABLES_CRT | TLNB_TABLES_SHOCK, TLNB_DEFENDER_BACK, 1, 1, 9},
    {"Dr", TLNB_TABLES_FIRE, TLNB_DEFENDER_BACK, 1, 0, -1},
    {"Ar*", TLNB_TABLES_CRT, TLNB_ATTACKER_STAR, 1, 0, -1},
    {"Dr*", TLNB_TABLES_CRT, TLNB_DEFENDER_STAR, 1, 0, -1},
    {"Sk", TLNB_TABLES_CRT, TLNB_SHOCK, 0, 0, -1},
    {"Ex", TLNB_TABLES_CRT | TLNB_TABLES_SHOCK, TLNB_EXCHANGE, 0, 0, -1},
    {"1R", TLNB_TABLES_CRT | TLNB_TABLES_SHOCK | TLNB_TABLES_FIRE, TLNB_REDUCE,
	1, 0, -1},
    {"2R", TLNB_TABLES_FIRE, TLNB_REDUCE, 2, 0, -1},
    {"1E", TLNB_TABLES_FIRE, TLNB_LOSE_ONE, 1, 0, -1},
    {"S", TLNB_TABLES_FIRE, TLNB_SUPPRESSED, 0, 0, -1},
    {"-", TLNB_TABLES_FIRE, TLNB_NOTHING, 0, 0, -1},
    {"OR", TLNB_TABLES_CHARGE, TLNB_OVERRUN, 0, 0, -1},
    {"Pr", TLNB_TABLES_CHARGE, TLNB_REPULSED, 0, 1, 9},
};

/* Reads one code of a table. */
static int
tlnb_tables_read_code(const json_t *v, enum tlnb_tables_which which,
    const struct js_at *at, struct tlnb_code *code, struct errinfo *e)
{
	const char *text = json_string_value(v);
	size_t i, len;
	int n;

	if (text == NULL)
		return (js_fail(at, e, "must be a string"));
	for (i = 0;
	     i < sizeof(tlnb_tables_codes) / sizeof(tlnb_tables_codes[0]);
	     i++) {
		len = strlen(tlnb_tables_codes[i].letters);
		if ((tlnb_tables_codes[i].in & which) == 0 ||
		    strncmp(text, tlnb_tables_codes[i].letters, len) != 0)
			continue;
		n = tlnb_tables_codes[i].n;
		if (text[len] != '\0') {
			n = text[len] - '0';
			if (n < tlnb_tables_codes[i].lo ||
			    n > tlnb_tables_codes[i].hi ||
			    text[len + 1] != '\0')
				continue;
		}
		code->effect = tlnb_tables_codes[i].effect;
		code->n = n;
		memcpy(code->text, text, strlen(text) + 1);
		return (0);
	}
	return (js_fail(at, e, "\"%s\" is no result of this table", text));
}

/* Reads one row of n codes, which stands at `at`. */
static int
tlnb_tables_read_row(const json_t *row, enum tlnb_tables_which which,
    const struct js_at *at, struct tlnb_code *codes, size_t n,
    struct errinfo *e)
{
	struct js_at at_i = {.up = at};
	int r;

	if (!json_is_array(row) || json_array_size(row) != n)
		return (js_fail(at, e, "must be an array of %zu results", n));
	for (; at_i.index < n; at_i.index++) {
		r = tlnb_tables_read_code(json_array_get(row, at_i.index),
		    which, &at_i, &codes[at_i.index], e);
		if (r != 0)
			return (r);
	}
	return (0);
}

/* Reads a table of six rows, one for each number of a die. */
static int
tlnb_tables_read_rows(const json_t *rows, enum tlnb_tables_which which,
    const struct js_at *at, struct tlnb_code *codes, size_t n,
    struct errinfo *e)
{
	struct js_at at_i = {.up = at};
	int r;

	if (!json_is_array(rows) ||
	    json_array_size(rows) != TLNB_TABLES_CRT_ROWS)
		return (js_fail(at, e, "must be an array of %d rows",
		    TLNB_TABLES_CRT_ROWS));
	for (; at_i.index < TLNB_TABLES_CRT_ROWS; at_i.index++) {
		r = tlnb_tables_read_row(json_array_get(rows, at_i.index),
		    which, &at_i, &codes[at_i.index * n], n, e);
		if (r != 0)
			return (r);
	}
	return (0);
}

/* Reads a table of the rows with these names; a shock has one code in each. */
static int
tlnb_tables_read_named(const json_t *rows, const char *const names[],
    enum tlnb_tables_which which, const struct js_at *up,
    struct tlnb_code *codes, size_t n, struct errinfo *e)
{
	struct js_at at = {.up = up};
	const json_t *row;
	const char *text;
	size_t i;
	int r;

	if ((r = js_members(rows, up, names, e)) != 0)
		return (r);
	for (i = 0; r == 0 && names[i] != NULL; i++) {
		at.name = names[i];
		if (which == TLNB_TABLES_SHOCK) {
			r = js_get_str(rows, at.name, up, &text, e);
			if (r == 0)
				r = tlnb_tables_read_code(
				    json_object_get(rows, at.name), which, &at,
				    &codes[i], e);
		} else {
			r = js_get_array(rows, at.name, up, &row, e);
			if (r == 0)
				r = tlnb_tables_read_row(
				    row, which, &at, &codes[i * n], n, e);
		}
	}
	return (r);
}

int
tlnb_tables_read(
    const json_t *value, const struct js_at *at, void *data, struct errinfo *e)
{
	static const char *const known[] = {
	    "crt", "bombardment", "charge", "shock", NULL};
	static const char *const fire[] = {
	    "-1", "0", "1", "2", "3", "4", "5", "6", "7", NULL};
	static const char *const shock[] = {
	    "-3", "-2", "-1", "0", "1", "2", "3", NULL};
	struct tlnb_tables *t = data;
	const struct {
		enum tlnb_tables_which which;
		struct tlnb_code *codes;
		size_t columns;
		const char *const *rows; /* NULL: by the numbers of a die */
	} tables[] = {
	    {TLNB_TABLES_CRT, t->crt[0], TLNB_TABLES_CRT_COLUMNS, NULL},
	    {TLNB_TABLES_FIRE, t->fire[0], TLNB_TABLES_FIRE_COLUMNS, fire},
	    {TLNB_TABLES_CHARGE, t->charge[0], TLNB_TABLES_CHARGE_COLUMNS,
		NULL},
	    {TLNB_TABLES_SHOCK, t->shock, 1, shock},
	};
	struct js_at at_table = {.up = at};
	const json_t *v;
	size_t i;
	int r;

	r = js_members(value, at, known, e);
	for (i = 0; r == 0 && known[i] != NULL; i++) {
		at_table.name = known[i];
		if ((v = json_object_get(value, known[i])) == NULL)
			continue;
		if (tables[i].rows == NULL)
			r = tlnb_tables_read_rows(v, tables[i].which, &at_table,
			    tables[i].codes, tables[i].columns, e);
		else
			r = tlnb_tables_read_named(v, tables[i].rows,
			    tables[i].which, &at_table, tables[i].codes,
			    tables[i].columns, e);
	}
	return (r);
}
