/* SPDX-License-Identifier: ISC */
/* When things happened, as documents tell it. */
#include "client/report/doc.h"

#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/doc_int.h"
#include "common/base/clock.h"

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

char *
doc_players(const struct doc_title *t)
{
	char *days = doc_days(t), *s;

	s = xalloc_printf("%s%s%s: %s against %s%s%s, game %s, %s", t->event,
	    *t->event == '\0' ? "" : ", ", t->rules, t->players[0],
	    t->players[1], *t->director == '\0' ? "" : ", director ",
	    t->director, t->name, days);
	free(days);
	return (s);
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

void
doc_nothing_cb(void *d)
{
	(void)d;
}

void
doc_no_dice_cb(void *d, json_int_t sides, const json_t *values)
{
	(void)d;
	(void)sides;
	(void)values;
}
