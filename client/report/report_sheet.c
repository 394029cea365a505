/* SPDX-License-Identifier: ISC */
/*
 * The rows of scores come from the renderer, which has words for them; what
 * became of each unit comes from the combat, fought again.
 */
#include "client/report/report_sheet.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/doc.h"
#include "client/report/odds_view.h"
#include "client/report/refight.h"
#include "common/base/buf.h"
#include "common/rules/rules.h"
#include "common/rules/show/odds.h"
#include "common/rules/show/render.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"

#define REPORT_SHEET_NUMBER 24 /* bytes of a number */
#define REPORT_SHEET_MOST 1000000 /* a part that is greater is not added up */

/* The columns, some of which a combat does not need. */
enum report_sheet_column {
	REPORT_SHEET_NAME,
	REPORT_SHEET_BASE,
	REPORT_SHEET_DIE,
	REPORT_SHEET_MODIFIERS,
	REPORT_SHEET_TOTAL,
	REPORT_SHEET_END,
	REPORT_SHEET_LOST,
	REPORT_SHEET_CHANCE,
	REPORT_SHEET_COLUMNS,
};

/* A number of the combat, or a unit that has none. */
struct report_sheet_row {
	char *name; /* owned, as the next ones */
	char *unit; /* its id; "" of a side's number */
	char *against; /* its name in the outcome; NULL: not there */
	char *cells[REPORT_SHEET_COLUMNS]; /* NULL: nothing to say */
	long halves; /* what it begins with, in halves */
};

struct report_sheet {
	struct report_sheet_row *rows; /* owned */
	size_t n;
	size_t at; /* the row that is made */
	char *outcome; /* owned, as the next one */
	char *chance; /* of the whole, or why it is not told */
	char *loss; /* owned: in what losses are counted */
	const struct rules_system *sys;
};

/* Frees what a row holds. */
static void
report_sheet_clear(struct report_sheet_row *row)
{
	size_t i;

	for (i = 0; i < REPORT_SHEET_COLUMNS; i++)
		free(row->cells[i]);
	free(row->against);
	free(row->unit);
	free(row->name);
	memset(row, 0, sizeof(*row));
}

/* Begins a row; one of the same name is written over: a die was rerolled. */
static void
report_sheet_begin(struct report_sheet *s, const char *name, const char *unit)
{
	for (s->at = 0; s->at < s->n; s->at++) {
		if (strcmp(s->rows[s->at].name, name) == 0 &&
		    strcmp(s->rows[s->at].unit, unit) == 0)
			break;
	}
	if (s->at < s->n) {
		report_sheet_clear(&s->rows[s->at]);
	} else {
		s->rows = xalloc_more(s->rows, s->n, sizeof(*s->rows));
		s->n++;
	}
	s->rows[s->at].name = xalloc_str(name);
	s->rows[s->at].unit = xalloc_str(unit);
}

/* Adds a text to a cell. */
static void
report_sheet_add(struct report_sheet *s, enum report_sheet_column column,
    const char *joint, const char *text)
{
	char **cell = &s->rows[s->at].cells[column], *was = *cell;

	*cell = was == NULL ? xalloc_str(text)
			    : xalloc_printf("%s%s%s", was, joint, text);
	free(was);
}

/* Adds to what a number begins with; false if it is not in whole halves. */
static bool
report_sheet_base(struct report_sheet *s, const char *text)
{
	struct report_sheet_row *row = &s->rows[s->at];
	char **cell = &row->cells[REPORT_SHEET_BASE], *end;
	long n = strtol(text, &end, 10);

	if (end == text || labs(n) > REPORT_SHEET_MOST ||
	    labs(row->halves) > REPORT_SHEET_MOST)
		return (false);
	if (*end == '\0')
		row->halves += 2 * n;
	else if (strcmp(end, "/2") == 0)
		row->halves += n;
	else
		return (false);
	free(*cell);
	*cell = xalloc_printf("%s%ld%s", row->halves < 0 ? "-" : "",
	    labs(row->halves) / 2, row->halves % 2 == 0 ? "" : ".5");
	return (true);
}

/* A step of a number. */
static void
report_sheet_term(struct report_sheet *s, const struct render_row *row)
{
	const char *blank = strchr(row->lead, ' ');
	char *end, *mark;
	long n;

	switch (row->part) {
	case RENDER_PART_BASE:
		if (report_sheet_base(s, row->lead))
			return;
		break;
	case RENDER_PART_DIE:
		report_sheet_add(s, REPORT_SHEET_DIE, ", ", row->lead);
		return;
	default:
		break;
	}
	if (strcmp(row->lead, "+0") == 0)
		return;
	n = strtol(row->lead, &end, 10);
	/* A mark is its sign, a blank and a number: they stay together. */
	if (blank != NULL)
		mark = xalloc_printf(
		    "%.*s%s", (int)(blank - row->lead), row->lead, blank + 1);
	else if (strcmp(end, "/2") == 0 && labs(n) < REPORT_SHEET_MOST)
		mark = xalloc_printf("%c%ld%s", row->lead[0], labs(n) / 2,
		    n % 2 == 0 ? "" : ".5");
	else
		mark = xalloc_str(row->lead);
	report_sheet_add(s, REPORT_SHEET_MODIFIERS, " ", mark);
	free(mark);
}

/* render_sink: takes the rows of scores. */
static void
report_sheet_row_cb(void *arg, const struct render_row *row)
{
	struct report_sheet *s = arg;

	switch (row->kind) {
	case RENDER_ROW_SCORE:
		report_sheet_begin(s, row->lead, row->unit);
		if (row->against != NULL)
			s->rows[s->at].against = xalloc_str(row->against);
		break;
	case RENDER_ROW_TERM:
		report_sheet_term(s, row);
		break;
	case RENDER_ROW_TOTAL:
		report_sheet_add(s, REPORT_SHEET_TOTAL, "", row->lead);
		break;
	default:
		break;
	}
}

/* Runs the lines of a combat through a renderer, and keeps its scores. */
static void
report_sheet_scores(struct report_sheet *s, struct render *rd,
    const struct battle *b, int64_t seq)
{
	struct render_sink sink = {.row_cb = report_sheet_row_cb, .arg = s};
	const int64_t declared = seq, n = battle_lines(b);
	struct battle_line bl;
	bool is_over = false;
	const json_t *v;
	size_t i;

	for (; seq < n && !is_over; seq++) {
		if (battle_entry(b, seq)->combat != declared)
			continue;
		is_over = battle_entry(b, seq)->ends_combat;
		if (!battle_read(b, seq, &bl))
			continue;
		json_array_foreach(bl.ln.events, i, v)
		    render_rows(rd, v, &sink);
		battle_clear(&bl);
	}
	if (sink.error != 0)
		xalloc_die();
}

/* Says what became of a unit, in its last row or in one of its own. */
static void
report_sheet_end(struct report_sheet *s, const struct render *rd,
    const struct rules_outcome *oc, size_t u)
{
	char loss[REPORT_SHEET_NUMBER], word[ODDS_VIEW_WORD];
	const char *id = oc->units[u].id;

	for (s->at = s->n; s->at > 0; s->at--) {
		if (strcmp(s->rows[s->at - 1].unit, id) == 0)
			break;
	}
	if (s->at == 0)
		report_sheet_begin(s, render_name(rd, id), id);
	else
		s->at--;
	report_sheet_add(s, REPORT_SHEET_END, "",
	    odds_view_end(word, s->sys->ends[oc->units[u].end]));
	if (oc->units[u].loss == 0)
		return;
	(void)snprintf(loss, sizeof(loss), "%d", oc->units[u].loss);
	report_sheet_add(s, REPORT_SHEET_LOST, "", loss);
}

/* The odds of the unit with this id; NULL if there are none. */
static const struct odds_unit *
report_sheet_unit(const struct odds *odds, const char *id)
{
	size_t k;

	for (k = 0; k < odds->n_units; k++) {
		if (strcmp(odds->units[k].id, id) == 0)
			return (&odds->units[k]);
	}
	return (NULL);
}

/* Adds the chance of what became of each unit; odds are of its combat. */
static void
report_sheet_chances(struct report_sheet *s, const struct rules_outcome *oc,
    const struct odds *odds)
{
	const struct odds_unit *unit;
	char number[ODDS_VIEW_WORD], *percent;
	struct buf b;
	size_t k, u;

	for (u = 0; u < oc->n_units; u++) {
		for (s->at = 0; s->at < s->n; s->at++) {
			if (strcmp(s->rows[s->at].unit, oc->units[u].id) == 0 &&
			    s->rows[s->at].cells[REPORT_SHEET_END] != NULL)
				break;
		}
		unit = report_sheet_unit(odds, oc->units[u].id);
		if (s->at == s->n || unit == NULL)
			continue;
		(void)odds_view_percent(number, unit->ends[oc->units[u].end].p);
		percent = xalloc_printf("%s %%", number);
		report_sheet_add(s, REPORT_SHEET_CHANCE, "", percent);
		free(percent);
	}
	buf_init(&b, 0);
	buf_puts(&b,
	    "Chances are those of fair dice and the answers that were given.");
	for (k = 0; k < odds->n_whole && *oc->whole != '\0'; k++) {
		if (strcmp(odds->whole[k].word, oc->whole) != 0)
			continue;
		(void)odds_view_percent(number, odds->whole[k].share.p);
		buf_printf(
		    &b, "  \"%s\" had a chance of %s %%.", oc->whole, number);
	}
	s->chance = xalloc_take(&b);
}

/* Takes the chances as they were worked out, or says why they were not. */
static void
report_sheet_odds(struct report_sheet *s, const struct rules_outcome *oc,
    const struct odds *odds, int r, bool is_left_out)
{
	switch (r) {
	case 0:
		report_sheet_chances(s, oc, odds);
		break;
	case ERR_TOOBIG:
		s->chance = xalloc_str(is_left_out
			? "Chances are left out: those of the combats before "
			  "took all the time that there is for them."
			: "Chances are left out: the dice could fall in too "
			  "many ways to go through them all.");
		break;
	case ERR_NOTFOUND:
		s->chance = xalloc_str(
		    "Chances are left out: the odds cannot answer one of the "
		    "questions that were asked.");
		break;
	case ERR_NOMEM:
		xalloc_die();
	default:
		/* A fault: what happened is told, what might have is not. */
		s->chance = xalloc_str(
		    "Chances are left out: they cannot be worked out here.");
		break;
	}
}

/* Works the chances out at once. */
static void
report_sheet_weigh(
    struct report_sheet *s, struct refight *rf, uint64_t most, uint64_t *left)
{
	const uint64_t n = left == NULL || most < *left ? most : *left;
	struct odds *odds = xalloc(sizeof(*odds));
	int r;

	r = n == 0 ? ERR_TOOBIG : refight_odds(rf, n, odds);
	if (left != NULL)
		*left -= r == 0 ? odds->walked : r == ERR_TOOBIG ? n : 0;
	report_sheet_odds(s, refight_outcome(rf), odds, r, n < most);
	free(odds);
}

/* The number of this row in the outcome: " (factors 3)"; free(). */
static char *
report_sheet_in_line(const struct report_sheet_row *row)
{
	const char *total = row->cells[REPORT_SHEET_TOTAL];

	if (row->against == NULL || total == NULL)
		return (xalloc_str(""));
	return (xalloc_printf(" (%s %s)", row->against, total));
}

/* Adds the numbers that sides have against each other. */
static void
report_sheet_sides(const struct report_sheet *s, struct buf *line)
{
	const struct report_sheet_row *first = NULL, *row;
	size_t i;

	for (i = 0; i < s->n; i++) {
		row = &s->rows[i];
		if (row->against == NULL || *row->unit != '\0' ||
		    row->cells[REPORT_SHEET_TOTAL] == NULL)
			continue;
		if (first == NULL) {
			first = row;
			continue;
		}
		buf_printf(line, " (%s %s against %s)", row->against,
		    first->cells[REPORT_SHEET_TOTAL],
		    row->cells[REPORT_SHEET_TOTAL]);
		return;
	}
}

/* The outcome in a line: the whole, and each unit that has something to say. */
static char *
report_sheet_line(const struct report_sheet *s, const struct render *rd,
    const struct rules_outcome *oc)
{
	char *number, word[ODDS_VIEW_WORD];
	const char *joint = ": ";
	struct buf line;
	size_t i, u;

	buf_init(&line, 0);
	if (*oc->whole != '\0') {
		buf_putc(&line, toupper((unsigned char)oc->whole[0]));
		buf_puts(&line, oc->whole + 1);
	}
	report_sheet_sides(s, &line);
	for (u = 0; u < oc->n_units; u++) {
		number = xalloc_str("");
		for (i = 0; i < s->n; i++) {
			if (strcmp(s->rows[i].unit, oc->units[u].id) != 0 ||
			    s->rows[i].against == NULL)
				continue;
			free(number);
			number = report_sheet_in_line(&s->rows[i]);
		}
		if (oc->units[u].end > 0 || *number != '\0') {
			(void)odds_view_end(
			    word, s->sys->ends[oc->units[u].end]);
			buf_printf(&line, "%s%s%s %s",
			    line.len == 0 ? "" : joint,
			    render_name(rd, oc->units[u].id), number, word);
			joint = "; ";
		}
		free(number);
	}
	return (xalloc_take(&line));
}

/* Makes a sheet without chances; *out is the combat, fought again. */
static struct report_sheet *
report_sheet_make(const struct battle *b, const struct rules_system *sys,
    int64_t seq, struct refight **out)
{
	const struct rules_outcome *oc;
	struct report_sheet *s;
	struct refight *rf;
	struct render *rd;
	size_t u;

	if (sys == NULL || (rf = refight_new(b, seq)) == NULL)
		return (NULL);
	if ((rd = render_new(sys)) == NULL)
		xalloc_die();
	render_know(rd, game_roster(battle_game(b)));
	s = xalloc(sizeof(*s));
	s->sys = sys;
	s->loss = xalloc_printf(
	    "What was lost is counted in %s.", show_list_find(sys)->loss);
	report_sheet_scores(s, rd, b, seq);
	oc = refight_outcome(rf);
	for (u = 0; u < oc->n_units; u++)
		report_sheet_end(s, rd, oc, u);
	s->outcome = report_sheet_line(s, rd, oc);
	render_free(rd);
	*out = rf;
	return (s);
}

struct report_sheet *
report_sheet_new(const struct battle *b, const struct rules_system *sys,
    int64_t seq, uint64_t most, uint64_t *left)
{
	struct report_sheet *s;
	struct refight *rf;

	if ((s = report_sheet_make(b, sys, seq, &rf)) == NULL)
		return (NULL);
	report_sheet_weigh(s, rf, most, left);
	refight_free(rf);
	return (s);
}

void
report_sheet_free(struct report_sheet *s)
{
	size_t i;

	if (s == NULL)
		return;
	for (i = 0; i < s->n; i++)
		report_sheet_clear(&s->rows[i]);
	free(s->rows);
	free(s->outcome);
	free(s->chance);
	free(s->loss);
	free(s);
}

const char *
report_sheet_outcome(const struct report_sheet *s)
{
	return (s->outcome);
}

/* True if some row has something to say in this column. */
static bool
report_sheet_has(const struct report_sheet *s, size_t column)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (s->rows[i].cells[column] != NULL)
			return (true);
	}
	return (column == REPORT_SHEET_NAME);
}

void
report_sheet_tell(const struct report_sheet *s, struct doc *d)
{
	static const char *const headings[] = {
	    [REPORT_SHEET_NAME] = "Who",
	    [REPORT_SHEET_BASE] = ">Base",
	    [REPORT_SHEET_DIE] = ">Die",
	    [REPORT_SHEET_MODIFIERS] = "Modifiers",
	    [REPORT_SHEET_TOTAL] = ">Total",
	    [REPORT_SHEET_END] = "End",
	    [REPORT_SHEET_LOST] = ">Lost",
	    [REPORT_SHEET_CHANCE] = ">Chance",
	};
	const char *used[REPORT_SHEET_COLUMNS];
	size_t columns[REPORT_SHEET_COLUMNS], i, k, n = 0;

	for (i = 0; i < REPORT_SHEET_COLUMNS; i++) {
		if (!report_sheet_has(s, i))
			continue;
		columns[n] = i;
		used[n++] = headings[i];
	}
	d->table(d, NULL, n, used);
	for (i = 0; i < s->n; i++) {
		for (k = 0; k < n; k++) {
			used[k] = s->rows[i].cells[columns[k]];
			if (columns[k] == REPORT_SHEET_NAME)
				used[k] = s->rows[i].name;
			else if (used[k] == NULL)
				used[k] = "";
		}
		d->cells(d, used);
	}
	d->table_end(d);
	if (report_sheet_has(s, REPORT_SHEET_LOST))
		d->paragraph(d, s->loss);
	d->paragraph(d, s->chance);
}

/* ---- sheets that are kept ---- */

struct report_sheets {
	struct {
		int64_t seq;
		struct report_sheet *sheet; /* owned */
	} * list; /* owned, n of them */
	size_t n;
	uint64_t most;
	/* The one that is being made; NULL: none. */
	struct report_sheet *sheet; /* owned, as the next */
	struct refight *refight;
	int64_t seq;
};

struct report_sheets *
report_sheets_new(uint64_t most)
{
	struct report_sheets *ss = xalloc(sizeof(*ss));

	ss->most = most;
	return (ss);
}

void
report_sheets_stop(struct report_sheets *ss)
{
	report_sheet_free(ss->sheet);
	refight_free(ss->refight);
	ss->sheet = NULL;
	ss->refight = NULL;
}

void
report_sheets_free(struct report_sheets *ss)
{
	size_t i;

	if (ss == NULL)
		return;
	report_sheets_stop(ss);
	for (i = 0; i < ss->n; i++)
		report_sheet_free(ss->list[i].sheet);
	free(ss->list);
	free(ss);
}

/* The sheet that is kept; NULL: none. */
static const struct report_sheet *
report_sheets_find(const struct report_sheets *ss, int64_t seq)
{
	size_t i;

	for (i = 0; i < ss->n; i++) {
		if (ss->list[i].seq == seq)
			return (ss->list[i].sheet);
	}
	return (NULL);
}

bool
report_sheets_step(struct report_sheets *ss, const struct battle *b,
    const struct rules_system *sys, int64_t seq, uint64_t runs)
{
	struct odds *odds;
	int r;

	if (report_sheets_find(ss, seq) != NULL)
		return (true);
	if (ss->sheet != NULL && ss->seq != seq)
		report_sheets_stop(ss);
	if (ss->sheet == NULL) {
		ss->sheet = report_sheet_make(b, sys, seq, &ss->refight);
		ss->seq = seq;
		if (ss->sheet == NULL)
			return (true); /* nor will there be one */
	}
	odds = xalloc(sizeof(*odds));
	r = refight_walk(ss->refight, ss->most, runs, odds);
	if (r != ERR_BUSY) {
		report_sheet_odds(
		    ss->sheet, refight_outcome(ss->refight), odds, r, false);
		ss->list = xalloc_more(ss->list, ss->n, sizeof(*ss->list));
		ss->list[ss->n].seq = seq;
		ss->list[ss->n].sheet = ss->sheet;
		ss->n++;
		ss->sheet = NULL;
		report_sheets_stop(ss);
	}
	free(odds);
	return (r != ERR_BUSY);
}

const struct report_sheet *
report_sheets_get(struct report_sheets *ss, const struct battle *b,
    const struct rules_system *sys, int64_t seq)
{
	(void)report_sheets_step(ss, b, sys, seq, UINT64_MAX);
	return (report_sheets_find(ss, seq));
}
