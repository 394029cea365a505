/* SPDX-License-Identifier: ISC */
#include "client/report/clocks.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/entry.h"

#define CLOCKS_APART_MS 120000 /* what is named line by line */
#define CLOCKS_LINES 12 /* that are named to people */
#define CLOCKS_ROWS 12 /* likewise, accounts of a tournament */

void
clocks_init(struct clocks *c)
{
	memset(c, 0, sizeof(*c));
	c->lines = xalloc_json(json_array());
}

void
clocks_clear(struct clocks *c)
{
	json_decref(c->lines);
	c->lines = NULL;
}

void
clocks_note(struct clocks *c, int64_t line, int64_t at_ms, int64_t now_ms)
{
	const int64_t by_ms = at_ms - now_ms;

	c->is_told = true;
	if (by_ms > c->late_ms)
		c->late_ms = by_ms;
	if (-by_ms > c->early_ms)
		c->early_ms = -by_ms;
	if (by_ms > CLOCKS_APART_MS || -by_ms > CLOCKS_APART_MS)
		xalloc_append(c->lines, json_integer(line));
}

/* A span of time in its largest unit, rounded up to a second. */
static void
clocks_span(struct buf *b, int64_t ms)
{
	const int64_t s = (ms + 999) / 1000;

	if (s < 120)
		buf_printf(b, "%lld s", (long long)s);
	else if (s < 7200)
		buf_printf(b, "%lld min", (long long)(s / 60));
	else if (s < 172800)
		buf_printf(b, "%lld h", (long long)(s / 3600));
	else
		buf_printf(b, "%lld days", (long long)(s / 86400));
}

void
clocks_write(struct buf *out, const char *who, const struct clocks *c)
{
	const size_t n = json_array_size(c->lines);
	size_t i;

	buf_printf(out, "%s's orders were recorded up to ", who);
	clocks_span(out, c->late_ms);
	buf_puts(out, " after they were signed");
	if (c->early_ms > 0) {
		buf_puts(out, " and up to ");
		clocks_span(out, c->early_ms);
		buf_puts(out, " before");
	}
	for (i = 0; i < n && i < CLOCKS_LINES; i++)
		buf_printf(out, "%s%lld",
		    i > 0        ? ", "
			: n == 1 ? " (line "
				 : " (lines ",
		    (long long)json_integer_value(json_array_get(c->lines, i)));
	if (n > CLOCKS_LINES)
		buf_printf(out, " and %zu more", n - CLOCKS_LINES);
	if (n > 0)
		buf_putc(out, ')');
}

void
clocks_put(json_t *v, const struct clocks *c)
{
	xalloc_set(v, "at_less_now_ms", json_integer(c->late_ms));
	xalloc_set(v, "now_less_at_ms", json_integer(c->early_ms));
	xalloc_set(v, "lines", json_incref(c->lines));
}

/* Those of a tournament. */
struct clocks_cup {
	struct clocks *all; /* owned, n of them; so are their accounts */
	char **accounts;
	size_t n;
	json_t *places; /* owned: of the accounts */
};

/* The clock of an account, which is added if it is new. */
static struct clocks *
clocks_cup_of(struct clocks_cup *cup, const char *account)
{
	const json_t *place = json_object_get(cup->places, account);

	if (place != NULL)
		return (&cup->all[json_integer_value(place)]);
	xalloc_set(cup->places, account, json_integer((json_int_t)cup->n));
	cup->all = xalloc_more(cup->all, cup->n, sizeof(*cup->all));
	cup->accounts =
	    xalloc_more(cup->accounts, cup->n, sizeof(*cup->accounts));
	clocks_init(&cup->all[cup->n]);
	cup->accounts[cup->n] = xalloc_str(account);
	return (&cup->all[cup->n++]);
}

/* Reads the record; what cannot be read tells no time. */
static void
clocks_cup_read(struct clocks_cup *cup, const char *bytes, size_t len)
{
	const char *at = bytes, *end = bytes + len;
	struct record_line ln;
	struct record_span s;
	struct entry o;

	memset(cup, 0, sizeof(*cup));
	cup->places = xalloc_json(json_object());
	while (record_next(&at, end, &s)) {
		if (record_is_side(s.bytes, s.len) ||
		    record_parse_tournament(s.bytes, s.len, &ln, NULL) != 0)
			continue;
		if (ln.kind == RECORD_ORDER &&
		    entry_parse(ln.text, ln.text_len, &o, NULL) == 0) {
			clocks_note(clocks_cup_of(cup, ln.by), ln.seq, ln.at_ms,
			    o.now_ms);
			entry_clear(&o);
		}
		record_clear(&ln);
	}
}

/* Frees what is there. */
static void
clocks_cup_clear(struct clocks_cup *cup)
{
	while (cup->n > 0) {
		cup->n--;
		clocks_clear(&cup->all[cup->n]);
		free(cup->accounts[cup->n]);
	}
	free(cup->all);
	free(cup->accounts);
	json_decref(cup->places);
}

json_t *
clocks_tournament_json(const char *bytes, size_t len)
{
	json_t *list = xalloc_json(json_array()), *v;
	struct clocks_cup cup;
	size_t i;

	clocks_cup_read(&cup, bytes, len);
	for (i = 0; i < cup.n; i++) {
		v = xalloc_json(json_object());
		xalloc_set(v, "account", xalloc_json_str(cup.accounts[i]));
		clocks_put(v, &cup.all[i]);
		xalloc_append(list, v);
	}
	clocks_cup_clear(&cup);
	return (list);
}

/* Prints a row for a clock. */
static void
clocks_print(
    struct out *o, bool is_first, const char *who, const struct clocks *c)
{
	struct buf b;

	buf_init(&b, 0);
	clocks_write(&b, who, c);
	out_row(o, is_first ? "clocks" : "", buf_str(&b));
	buf_clear(&b);
}

void
clocks_tournament_print(struct out *o, const char *bytes, size_t len)
{
	struct clocks_cup cup;
	struct clocks all;
	size_t i, n = 0;
	char *more;

	clocks_cup_read(&cup, bytes, len);
	clocks_init(&all);
	for (i = 0; i < cup.n; i++) {
		if (cup.all[i].late_ms > all.late_ms)
			all.late_ms = cup.all[i].late_ms;
		if (cup.all[i].early_ms > all.early_ms)
			all.early_ms = cup.all[i].early_ms;
		if (json_array_size(cup.all[i].lines) == 0)
			continue;
		if (n < CLOCKS_ROWS)
			clocks_print(o, n == 0, cup.accounts[i], &cup.all[i]);
		n++;
	}
	if (n == 0 && cup.n > 0)
		clocks_print(o, true, "everybody", &all);
	if (n > CLOCKS_ROWS) {
		more = xalloc_printf(
		    "and those of %zu more, see --json", n - CLOCKS_ROWS);
		out_row(o, "", more);
		free(more);
	}
	clocks_clear(&all);
	clocks_cup_clear(&cup);
}
