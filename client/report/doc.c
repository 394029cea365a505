/* SPDX-License-Identifier: ISC */
/* Documents: each call goes to the writer. */
#include "client/report/doc.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/doc_int.h"
#include "common/base/clock.h"

struct doc *
doc_new(const struct doc_ops *ops, void *st)
{
	struct doc *d;

	d = xalloc(sizeof(*d));
	d->ops = ops;
	d->st = st;
	return (d);
}

void
doc_free(struct doc *d)
{
	if (d == NULL)
		return;
	d->ops->free(d->st);
	free(d);
}

char *
doc_days(const struct doc_title *t)
{
	char from[32], to[32], zones[2][CLOCK_ZONE_LEN + 1];
	int n = (int)strlen("2026-11-20");
	bool is_day;

	(void)out_time(from, t->from_ms);
	(void)out_time(to, t->to_ms);
	clock_zone(zones[0], clock_ahead(t->from_ms));
	clock_zone(zones[1], clock_ahead(t->to_ms));
	is_day = strncmp(from, to, (size_t)n) == 0;
	return (xalloc_printf("%.*s%s%.*s, times in %s%s%s", n, from,
	    is_day ? "" : " to ", is_day ? 0 : n, to, zones[0],
	    strcmp(zones[0], zones[1]) == 0 ? "" : ", later ",
	    strcmp(zones[0], zones[1]) == 0 ? "" : zones[1]));
}

const char *
doc_when(char buf[32], char day[DOC_DAY], int64_t at_ms)
{
	const size_t n = DOC_DAY - 1;

	(void)out_time(buf, at_ms);
	if (strncmp(buf, day, n) == 0 && buf[n] == ' ') {
		memmove(buf, buf + n + 1, strlen(buf + n + 1) + 1);
	} else {
		memcpy(day, buf, n);
		day[n] = '\0';
	}
	return (buf);
}

bool
doc_is_whole(const struct doc *d)
{
	return (d->ops->is_whole);
}

void
doc_title(struct doc *d, const struct doc_title *t)
{
	d->ops->title(d->st, t);
}

void
doc_warn(struct doc *d, const char *text)
{
	d->ops->warn(d->st, text);
}

void
doc_turn(struct doc *d, const char *text)
{
	d->ops->turn(d->st, text);
}

void
doc_combat(struct doc *d, const struct doc_head *head)
{
	d->ops->combat(d->st, head);
}

void
doc_combat_more(struct doc *d, const struct doc_head *head)
{
	d->ops->combat_more(d->st, head);
}

void
doc_combat_end(struct doc *d)
{
	d->ops->combat_end(d->st);
}

void
doc_entry(struct doc *d, const struct doc_entry *en)
{
	d->ops->entry(d->st, en);
}

void
doc_more(struct doc *d, const char *text)
{
	d->ops->more(d->st, text);
}

void
doc_row(struct doc *d, const struct render_row *row)
{
	d->ops->row(d->st, row);
}

void
doc_dice(struct doc *d, json_int_t sides, const json_t *values)
{
	d->ops->dice(d->st, sides, values);
}

void
doc_gap(struct doc *d)
{
	d->ops->gap(d->st);
}

void
doc_section(struct doc *d, const char *heading)
{
	d->ops->section(d->st, heading);
}

void
doc_paragraph(struct doc *d, const char *text)
{
	d->ops->paragraph(d->st, text);
}

void
doc_field(struct doc *d, const char *name, const char *value)
{
	d->ops->field(d->st, name, value);
}

void
doc_table(
    struct doc *d, const char *caption, size_t n, const char *const headings[])
{
	d->ops->table(d->st, caption, n, headings);
}

void
doc_cells(struct doc *d, const char *const cells[])
{
	d->ops->cells(d->st, cells);
}

void
doc_table_end(struct doc *d)
{
	d->ops->table_end(d->st);
}

void
doc_finish(struct doc *d)
{
	d->ops->finish(d->st);
}
