/* SPDX-License-Identifier: ISC */
/*
 * Rosters with losses on a screen.  A table has the unit, what is left of it
 * and a bar, its ratings, and last in words what it is besides: those may take
 * more lines, so that nothing is cut but names.
 */
#include "client/play/rosters_print.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/report/rosters.h"
#include "client/ui/barchart.h"
#include "client/ui/out_terminal.h"
#include "client/ui/text_columns.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"

#define ROSTERS_COLUMNS 20
#define ROSTERS_BAR 8 /* columns of a unit's bar */
#define ROSTERS_BAR_SIDE 12 /* and of a side's */
#define ROSTERS_SIDE 14 /* columns of a side's name among the totals */
#define ROSTERS_TITLE 32 /* and of it above its units */
#define ROSTERS_APART 3 /* columns between two units on a line */
#define ROSTERS_NAME_LEAST 12 /* columns; a name is cut to no less */
#define ROSTERS_WORDS 14 /* columns that are kept for the words, if any */

/* A table of one side's units. */
struct rosters_print {
	const struct rosters *rs;
	const struct rosters_side *side;
	struct out *o;
	bool has_blocks;
	bool has_bars; /* the line has room for them */
	const char *members[ROSTERS_COLUMNS]; /* between name and left */
	size_t n;
	int widths[ROSTERS_COLUMNS];
	bool is_number[ROSTERS_COLUMNS];
	int id_width, name_width, left_width;
};

/* Prints a list of parts of a unit (NULL: of none) after its heading. */
static void
rosters_print_list(struct rosters_print *t, const char *heading,
    const json_t *unit, const json_t *parts)
{
	char *s = rosters_parts(t->rs, unit, parts);
	struct out *o = t->o;

	out_print(o, "  %s: ", heading);
	out_text(o, (int)strlen(heading) + 4, 6, s);
	free(s);
}

/* What a unit of a side is called, with its id if others share it; free(). */
static char *
rosters_print_name(
    const struct rosters_side *side, const struct rosters_unit *u)
{
	size_t i, n = 0;

	for (i = 0; i < side->n_units; i++)
		n += strcmp(side->units[i].name, u->name) == 0;
	if (*u->name == '\0')
		return (text_safe(u->id));
	return (n == 1 ? text_safe(u->name)
		       : xalloc_printf("%s (%s)", u->name, u->id));
}

/* What a unit has left of what it began with: "3/6"; free(). */
static char *
rosters_print_cell_left(const struct rosters_unit *u)
{
	if (u->began < 0)
		return (xalloc_printf("%lld", (long long)u->left));
	return (xalloc_printf(
	    "%lld/%lld", (long long)u->left, (long long)u->began));
}

/* A unit's value for a column; one that changed is "before->now"; free(). */
static char *
rosters_print_cell(const struct rosters_unit *u, const char *name)
{
	const json_t *v = json_object_get(u->now, name);
	const json_t *before = json_object_get(u->before, name);

	if (json_is_string(v))
		return (text_safe(json_string_value(v)));
	if (!json_is_integer(v))
		return (xalloc_str(""));
	if (json_is_integer(before) && !json_equal(v, before))
		return (xalloc_printf("%lld->%lld",
		    (long long)json_integer_value(before),
		    (long long)json_integer_value(v)));
	return (xalloc_printf("%lld", (long long)json_integer_value(v)));
}

/* Widens a column. */
static void
rosters_print_widen(int *width, const char *cell)
{
	int w = text_width(cell);

	if (w > *width)
		*width = w;
}

/* True if all units of both sides have the same value, which is a text. */
static bool
rosters_print_is_same(const struct rosters *rs, const char *name)
{
	const json_t *first = NULL, *v;
	size_t i, k;

	for (i = 0; i < 2; i++) {
		for (k = 0; k < rs->sides[i].n_units; k++) {
			v = json_object_get(rs->sides[i].units[k].now, name);
			if (!json_is_string(v) ||
			    (first != NULL && !json_equal(first, v)))
				return (false);
			first = v;
		}
	}
	return (true);
}

/* Takes a member into the table if it says something in one of the units. */
static void
rosters_print_column(struct rosters_print *t, const char *name)
{
	const struct rosters_side *side = t->side;
	bool is_number = false, is_used = false;
	const json_t *v;
	int width;
	size_t i;
	char *s;

	if (t->n == ROSTERS_COLUMNS || rosters_is_counted(t->rs, name))
		return;
	/* Where there is only one arm nobody asks for it. */
	if (strcmp(name, "arm") == 0 && rosters_print_is_same(t->rs, name))
		return;
	width = text_width(name);
	for (i = 0; i < side->n_units; i++) {
		v = json_object_get(side->units[i].now, name);
		if ((!json_is_string(v) && !json_is_integer(v)) ||
		    rosters_named(t->rs, side->units[i].now, name) != NULL)
			continue;
		is_used = true;
		is_number = is_number || json_is_integer(v);
		s = rosters_print_cell(&side->units[i], name);
		rosters_print_widen(&width, s);
		free(s);
	}
	if (!is_used)
		return;
	t->members[t->n] = name;
	t->widths[t->n] = width;
	t->is_number[t->n++] = is_number;
}

/* Lays the table of a side out. */
static void
rosters_print_layout(struct rosters_print *t)
{
	const struct rosters_side *side = t->side;
	int name_width = 0, words = 0, least, room;
	bool has_begun = false;
	const struct schema_row *row;
	size_t i;
	char *s;

	for (i = 0; (row = schema_field(t->rs->sys->unit, i)) != NULL; i++)
		rosters_print_column(t, row->name);
	t->id_width = 2;
	t->left_width = 4;
	for (i = 0; i < side->n_units; i++) {
		rosters_print_widen(&t->id_width, side->units[i].id);
		s = text_safe(side->units[i].name);
		rosters_print_widen(&name_width, s);
		free(s);
		s = rosters_print_cell_left(&side->units[i]);
		rosters_print_widen(&t->left_width, s);
		free(s);
		s = rosters_flags(t->rs, &side->units[i]);
		rosters_print_widen(&words, s);
		free(s);
		has_begun = has_begun || side->units[i].began >= 0;
	}
	room = t->o->width - 2 - t->id_width - 1 - t->left_width - 1;
	for (i = 0; i < t->n; i++)
		room -= t->widths[i] + 1;
	/* A narrow terminal has no room for bars, nor perhaps for ratings. */
	least =
	    name_width < ROSTERS_NAME_LEAST ? name_width : ROSTERS_NAME_LEAST;
	t->has_bars = has_begun && room - ROSTERS_BAR > least;
	while (!t->has_bars && room <= least && t->n > 0)
		room += t->widths[--t->n] + 1;
	if (t->has_bars)
		room -= ROSTERS_BAR;
	room -= 2 + (words < ROSTERS_WORDS ? words : ROSTERS_WORDS);
	if (name_width > room)
		name_width =
		    room < ROSTERS_NAME_LEAST ? ROSTERS_NAME_LEAST : room;
	t->name_width = name_width;
}

/* Appends a cell and fills up its column. */
static void
rosters_print_pad(struct buf *b, const char *cell, int width, bool is_number)
{
	int w = text_width(cell);

	if (is_number)
		buf_printf(b, "%*s", width - w, "");
	buf_puts(b, cell);
	if (!is_number && w < width)
		buf_printf(b, "%*s", width - w, "");
	buf_putc(b, ' ');
}

/* Prints what was put together, without blanks at its end. */
static void
rosters_print_line(struct out *o, struct buf *b, int column, const char *words)
{
	size_t n = b->len;

	while (*words == '\0' && n > 0 && b->data[n - 1] == ' ')
		n--;
	out_print(o, "  %.*s", (int)n, buf_str(b));
	if (*words == '\0')
		out_print(o, "\n");
	else
		out_text(o, column, column, words);
	buf_clear(b);
}

/* The share of a bar. */
static double
rosters_print_share(int64_t left, int64_t began)
{
	if (began <= 0)
		return (left > 0 ? 1 : 0);
	return (left >= began ? 1 : (double)left / (double)began);
}

/* The columns of the longest word of a text. */
static int
rosters_print_longest(const char *s)
{
	int most = 0;
	size_t n;
	char *word;

	for (; *s != '\0'; s += n + strspn(s + n, " ")) {
		n = strcspn(s, " ");
		word = xalloc_strn(s, n);
		rosters_print_widen(&most, word);
		free(word);
	}
	return (most);
}

/* Prints one unit. */
static void
rosters_print_unit(struct rosters_print *t, const struct rosters_unit *u)
{
	struct buf b;
	int column;
	size_t i;
	char *s;

	buf_init(&b, 0);
	rosters_print_pad(&b, u->id, t->id_width, false);
	if (t->name_width > 0) {
		s = barchart_cut(u->name, t->name_width, t->has_blocks);
		rosters_print_pad(&b, s, t->name_width, false);
		free(s);
	}
	for (i = 0; i < t->n; i++) {
		s = rosters_print_cell(u, t->members[i]);
		rosters_print_pad(&b, s, t->widths[i], t->is_number[i]);
		free(s);
	}
	s = rosters_print_cell_left(u);
	rosters_print_pad(&b, s, t->left_width, true);
	free(s);
	if (u->began >= 0 && t->has_bars)
		barchart_append_of(&b, rosters_print_share(u->left, u->began),
		    ROSTERS_BAR, t->has_blocks);
	buf_putc(&b, ' ');
	column = text_width(buf_str(&b)) + 2;
	s = rosters_flags(t->rs, u);
	/* Where there is no room for the words they have lines of their own. */
	if (column + rosters_print_longest(s) > t->o->width && *s != '\0') {
		rosters_print_line(t->o, &b, 0, "");
		out_print(t->o, "      ");
		out_text(t->o, 6, 6, s);
	} else {
		rosters_print_line(t->o, &b, column, s);
	}
	free(s);
}

/* Counts the units of a side that are in play. */
static size_t
rosters_print_in_play(const struct rosters_side *side)
{
	size_t i, n = 0;

	for (i = 0; i < side->n_units; i++)
		n += side->units[i].out == NULL;
	return (n);
}

/* Prints the side's units, each with its ratings. */
static void
rosters_print_long(struct rosters_print *t)
{
	const struct rosters_side *side = t->side;
	size_t i, j, n = rosters_print_in_play(side);
	struct buf b;
	char *s;

	rosters_print_layout(t);
	buf_init(&b, 0);
	rosters_print_pad(&b, "ID", t->id_width, false);
	if (t->name_width > 0)
		rosters_print_pad(&b, "NAME", t->name_width, false);
	for (i = 0; i < t->n; i++) {
		s = xalloc_str(t->members[i]);
		for (j = 0; s[j] != '\0'; j++) {
			if (s[j] >= 'a' && s[j] <= 'z')
				s[j] = (char)(s[j] - 'a' + 'A');
			if (s[j] == '_')
				s[j] = ' ';
		}
		rosters_print_pad(&b, s, t->widths[i], t->is_number[i]);
		free(s);
	}
	rosters_print_pad(&b, "LEFT", t->left_width, true);
	rosters_print_line(t->o, &b, 0, "");
	for (i = 0; i < side->n_units; i++) {
		if (side->units[i].out == NULL)
			rosters_print_unit(t, &side->units[i]);
	}
	if (n < side->n_units)
		out_print(t->o, "  out of play:\n");
	for (i = 0; i < side->n_units; i++) {
		if (side->units[i].out != NULL)
			rosters_print_unit(t, &side->units[i]);
	}
}

/*
 * Prints the units in play in two columns if there is room for them, and those
 * out of play in a sentence.
 */
static void
rosters_print_short(struct rosters_print *t)
{
	const struct rosters_side *side = t->side;
	size_t i, k, n = rosters_print_in_play(side), per = 1, rows, *at;
	const struct rosters_unit *u;
	int cell, name = 0;
	char *called, *s;
	struct buf b;

	rosters_print_layout(t);
	at = xalloc((n + 1) * sizeof(*at));
	for (i = k = 0; i < side->n_units; i++) {
		if (side->units[i].out == NULL)
			at[k++] = i;
		s = rosters_print_name(side, &side->units[i]);
		rosters_print_widen(&name, s);
		free(s);
	}
	/* Two of them, with what is between. */
	cell = (t->o->width - 2 - ROSTERS_APART) / 2;
	if (cell - t->left_width - 1 >= ROSTERS_NAME_LEAST)
		per = 2;
	else
		cell = t->o->width - 2;
	if (name > cell - t->left_width - 1)
		name = cell - t->left_width - 1;
	rows = (n + per - 1) / per;
	for (i = 0; i < rows; i++) {
		buf_init(&b, 0);
		for (k = i; k < n; k += rows) {
			u = &side->units[at[k]];
			called = rosters_print_name(side, u);
			s = barchart_cut(called, name, t->has_blocks);
			rosters_print_pad(&b, s, name, false);
			free(s);
			free(called);
			s = rosters_print_cell_left(u);
			rosters_print_pad(&b, s, t->left_width, true);
			free(s);
			if (name + t->left_width + 1 + ROSTERS_BAR < cell)
				barchart_append_of(&b,
				    rosters_print_share(u->left, u->began),
				    ROSTERS_BAR, t->has_blocks);
			buf_printf(&b, "%*s", ROSTERS_APART, "");
		}
		rosters_print_line(t->o, &b, 0, "");
	}
	free(at);
	buf_init(&b, 0);
	for (i = 0; i < side->n_units; i++) {
		u = &side->units[i];
		if (u->out == NULL)
			continue;
		called = rosters_print_name(side, u);
		buf_printf(
		    &b, "%s%s (%s", b.len == 0 ? "" : ", ", called, u->out);
		free(called);
		if (u->left > 0)
			buf_printf(&b, ", %lld left", (long long)u->left);
		buf_puts(&b, ")");
	}
	if (b.len > 0) {
		out_print(t->o, "  out of play: ");
		out_text(t->o, 15, 6, buf_str(&b));
	}
	buf_clear(&b);
}

/* "7 of 9", or "7" where the second is not known; free(). */
static char *
rosters_print_of(int64_t n, int64_t of)
{
	if (of < 0)
		return (xalloc_printf("%lld", (long long)n));
	return (xalloc_printf("%lld of %lld", (long long)n, (long long)of));
}

/* A number for a table, "" for 0; free(). */
static char *
rosters_print_some(int64_t n)
{
	return (n == 0 ? xalloc_str("") : xalloc_printf("%lld", (long long)n));
}

/* Prints the totals of both sides, one below the other. */
static void
rosters_print_totals(struct out *o, const struct rosters *rs, bool has_blocks)
{
	const char *headings[] = {"SIDE", ">UNITS", "LEFT", ">IN PLAY", ">LOST",
	    ">OUT OF PLAY", NULL};
	const struct rosters_side *side;
	char *cells[6];
	struct out_table *t;
	struct buf b;
	size_t i, k;

	out_print(o, "\n");
	if (rs->is_given) {
		out_title(o, "Both sides, in %s", rs->what);
		headings[2] = ">IN ALL";
		headings[3] = NULL;
	} else {
		out_title(o, "Losses, in %s", rs->what);
	}
	if (rs->sides[0].away == 0 && rs->sides[1].away == 0)
		headings[5] = NULL;
	t = out_table_new(headings);
	for (i = 0; i < 2; i++) {
		side = &rs->sides[i];
		buf_init(&b, 0);
		if (side->began >= 0)
			barchart_append_of(&b,
			    rosters_print_share(side->in_play, side->began),
			    ROSTERS_BAR_SIDE, has_blocks);
		cells[0] = barchart_cut(side->name, ROSTERS_SIDE, has_blocks);
		cells[1] =
		    rosters_print_of((int64_t)rosters_print_in_play(side),
			rs->is_given ? -1 : (int64_t)side->n_units);
		cells[rs->is_given ? 3 : 2] = xalloc_take(&b);
		cells[rs->is_given ? 2 : 3] =
		    rosters_print_of(side->in_play, side->began);
		cells[4] = side->lost >= 0
		    ? rosters_print_some(side->lost)
		    : xalloc_printf("gained %lld", (long long)-side->lost);
		cells[5] = rosters_print_some(side->away);
		out_table_line(t, (const char *const *)cells);
		for (k = 0; k < 6; k++)
			free(cells[k]);
	}
	out_table_end(o, t);
}

void
rosters_print(struct out *o, const struct rosters *rs, int seat, bool is_long)
{
	const struct rosters_side *side;
	const struct rosters_unit *u;
	const struct schema_row *row;
	const json_t *v;
	size_t i, j, k;
	bool is_whole;
	char *name;

	for (i = 0; i < 2; i++) {
		struct rosters_print t = {.rs = rs,
		    .side = &rs->sides[i],
		    .o = o,
		    .has_blocks = barchart_has_blocks()};

		side = t.side;
		name = barchart_cut(side->name, ROSTERS_TITLE, t.has_blocks);
		out_print(o, "\n");
		out_title(o, "%s%s%s%s%s", name,
		    *side->players == '\0' ? "" : " (", side->players,
		    *side->players == '\0' ? "" : ")",
		    seat > 0 && game_side_of(seat) == (int)i + 1 ? ", your side"
								 : "");
		free(name);
		is_whole = is_long || side->n_units <= ROSTERS_LONG;
		if (is_whole)
			rosters_print_long(&t);
		else
			rosters_print_short(&t);
		/* What units are made of comes after the whole table. */
		for (j = 0; is_whole && j < side->n_units; j++) {
			u = &side->units[j];
			for (k = 0;
			     (row = schema_field(rs->sys->unit, k)) != NULL;
			     k++) {
				v = json_object_get(u->now, row->name);
				if (!rosters_is_parts(v))
					continue;
				name = rosters_print_name(side, u);
				rosters_print_list(&t, name, u->now, v);
				free(name);
			}
		}
		if (side->commanders != NULL)
			rosters_print_list(
			    &t, "commanders", NULL, side->commanders);
	}
	rosters_print_totals(o, rs, barchart_has_blocks());
	if (!is_long &&
	    (rs->sides[0].n_units > ROSTERS_LONG ||
		rs->sides[1].n_units > ROSTERS_LONG))
		out_hint(o,
		    "  Ids, ratings and states of all units: "
		    "umpire show --rosters GAME\n");
}
