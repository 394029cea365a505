/* SPDX-License-Identifier: ISC */
/* All dice and chits of a game as a table for spreadsheets. */
#include <stdio.h>
#include <string.h>

#include "client/base/csv.h"
#include "client/report/battle.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "web/page/page_int.h"

#define PAGE_CSV_NUMBER 24 /* bytes of a number */

/* Appends a number. */
static void
page_csv_number(struct buf *b, size_t column, long long n)
{
	char cell[PAGE_CSV_NUMBER];

	(void)snprintf(cell, sizeof(cell), "%lld", n);
	csv_put(b, column, cell);
}

/* A row: a die or a chit. */
static void
page_csv_row(struct buf *b, const struct page_game *g,
    const struct page_plan *p, const struct battle_line *bl, const json_t *roll,
    const json_t *value)
{
	const struct game_entry *en = battle_entry(g->b, bl->ln.seq);
	const char *label = js_str(roll, "label");
	const bool is_die = json_is_integer(value);
	char at[CLOCK_AT_LEN + 1];
	int combat = 0, i;

	for (i = 1; i <= p->combats && en->combat >= 0; i++) {
		if (p->declared[i] == en->combat)
			combat = i;
	}
	clock_format(at, bl->ln.at_ms);
	page_csv_number(b, 0, (long long)bl->ln.seq);
	csv_put(b, 1, at);
	page_csv_number(b, 2, page_plan_find(p, bl->ln.seq)->turn);
	if (combat > 0)
		page_csv_number(b, 3, combat);
	else
		csv_put(b, 3, "");
	page_csv_number(b, 4, game_side_of(bl->ln.seat));
	csv_put_text(b, 5, label == NULL ? "" : label);
	page_csv_number(
	    b, 6, (long long)js_int(roll, is_die ? "sides" : "bag"));
	if (is_die)
		page_csv_number(b, 7, (long long)json_integer_value(value));
	else
		csv_put_text(b, 7,
		    json_is_string(value) ? json_string_value(value) : "");
	csv_put(b, 8, en->taken_back >= 0 ? "taken back" : "");
	csv_end_row(b);
}

/* The headings. */
static void
page_csv_head(struct buf *b)
{
	static const char *const heads[] = {"line", "time", "turn", "combat",
	    "side", "label", "sides", "value", "fate"};
	size_t i;

	csv_begin(b);
	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		csv_put(b, i, heads[i]);
	csv_end_row(b);
}

void
page_csv(struct buf *b, const struct page_game *g, const struct page_plan *p,
    int64_t from, int64_t to)
{
	const json_t *roll, *value;
	struct battle_line bl;
	int64_t seq;
	size_t i, k;

	if (from == 0)
		page_csv_head(b);
	for (seq = from; seq <= to; seq++) {
		if (!battle_read(g->b, seq, &bl))
			continue;
		json_array_foreach(
		    json_object_get(bl.ln.dice, "rolls"), i, roll)
		{
			json_array_foreach(json_object_get(roll, "dice"), k,
			    value) page_csv_row(b, g, p, &bl, roll, value);
			json_array_foreach(json_object_get(roll, "chits"), k,
			    value) page_csv_row(b, g, p, &bl, roll, value);
		}
		battle_clear(&bl);
	}
}
