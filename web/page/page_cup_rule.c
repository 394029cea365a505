/* SPDX-License-Identifier: ISC */
/*
 * What the lines of a tournament tell that its state does not keep: what
 * directors ruled, about whom, and why; what its umpire says of itself.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/report/markup.h"
#include "client/report/people.h"
#include "client/report/standings_view.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"
#include "web/page/page_cup_int.h"

#define PAGE_CUP_RULE_HEAD 400 /* bytes of a line before its data */

/* The next line, of len bytes; NULL behind the last. */
static const char *
page_cup_rule_next(struct page_cup_work *w, size_t *len)
{
	const char *p = w->in->record + w->at, *lf;

	if (w->in->record == NULL || w->at >= w->in->record_len ||
	    (lf = memchr(p, '\n', w->in->record_len - w->at)) == NULL)
		return (NULL);
	*len = (size_t)(lf - p);
	w->at += *len + 1;
	w->seq++;
	return (p);
}

/* The args of the order in a line that is not before the last; new, NULL. */
static json_t *
page_cup_rule_args(struct page_cup_work *w, int64_t seq)
{
	const char *p = NULL, *order;
	json_t *line, *o, *args;
	size_t len = 0;

	while (w->seq <= seq && (p = page_cup_rule_next(w, &len)) != NULL)
		;
	if (p == NULL)
		return (NULL);
	line = json_loadb(p, len, 0, NULL);
	order = js_str(line, "order");
	o = order == NULL ? NULL : json_loads(order, 0, NULL);
	args = json_incref(json_object_get(o, "args"));
	json_decref(o);
	json_decref(line);
	return (args);
}

/* "round 2, table 3", and which of its legs, where there are more. */
static void
page_cup_rule_where(const struct page_cup_work *w, const json_t *v)
{
	buf_printf(w->b, "round %lld", (long long)js_int(v, "round"));
	if (json_object_get(v, "table") != NULL)
		buf_printf(w->b, ", table %lld", (long long)js_int(v, "table"));
	if (js_int(v, "leg") > 1)
		buf_printf(w->b, ", leg %lld", (long long)js_int(v, "leg"));
}

/* ---- what each form says ---- */

/* A result. */
static void
page_cup_rule_result(const struct page_cup_work *w, const json_t *v)
{
	char *state = page_cup_result(js_str(v, "value"));

	page_cup_rule_where(w, v);
	markup_add(w->b, ": %s", state);
	free(state);
}

static void
page_cup_rule_replay(const struct page_cup_work *w, const json_t *v)
{
	page_cup_rule_where(w, v);
	buf_puts(w->b, ": to be played again");
}

static void
page_cup_rule_extend(const struct page_cup_work *w, const json_t *v)
{
	char *time = page_duration(1000 * js_int(v, "seconds"));

	page_cup_rule_where(w, v);
	markup_add(w->b, ": %s more", time);
	free(time);
}

static void
page_cup_rule_points(const struct page_cup_work *w, const json_t *v)
{
	const int half = (int)js_int(v, "half");
	char cell[STANDINGS_CELL];

	page_cup_entrant(w, (int)js_int(v, "entrant"));
	buf_printf(w->b, ": %s%s %s", half < 0 ? "-" : "+",
	    standings_view_points(cell, half < 0 ? -half : half),
	    half == 2 || half == -2 ? "point" : "points");
}

static void
page_cup_rule_expel(const struct page_cup_work *w, const json_t *v)
{
	page_cup_entrant(w, (int)js_int(v, "entrant"));
	buf_printf(w->b, ": expelled from round %lld on%s",
	    (long long)js_int(v, "from"),
	    strcmp(text_member(v, "games"), "forfeit") == 0
		? ", and loses what is not ended"
		: "");
}

static void
page_cup_rule_back(const struct page_cup_work *w, const json_t *v)
{
	page_cup_entrant(w, (int)js_int(v, "entrant"));
	buf_printf(
	    w->b, ": comes back in round %lld", (long long)js_int(v, "from"));
}

static void
page_cup_rule_apart(const struct page_cup_work *w, const json_t *v)
{
	const json_t *list = json_object_get(v, "entrants"), *number;
	size_t i;

	json_array_foreach(list, i, number)
	{
		buf_puts(w->b, i == 0 ? "" : ", ");
		page_cup_entrant(w, (int)json_integer_value(number));
	}
	buf_printf(w->b, ": do not meet in rounds %lld to %lld",
	    (long long)js_int(v, "from"), (long long)js_int(v, "to"));
}

static void
page_cup_rule_pairs(const struct page_cup_work *w, const json_t *v)
{
	buf_printf(
	    w->b, "round %lld: paired by hand", (long long)js_int(v, "round"));
}

static void
page_cup_rule_witness(const struct page_cup_work *w, const json_t *v)
{
	markup_add(w->b, "the witness is %s now", text_member(v, "account"));
}

static void
page_cup_rule_rules(const struct page_cup_work *w, const json_t *v)
{
	markup_add(w->b, "the rules are %s from round %lld on",
	    text_member(v, "version"), (long long)js_int(v, "from"));
}

static void
page_cup_rule_answer(const struct page_cup_work *w, const json_t *v)
{
	buf_printf(w->b, "the protest in line %lld is answered",
	    (long long)json_integer_value(v));
}

static void
page_cup_rule_accept(const struct page_cup_work *w, const json_t *v)
{
	buf_printf(w->b,
	    "the key is accepted that the operator proposed in line %lld",
	    (long long)json_integer_value(v));
}

static const struct {
	const char *form;
	void (*tell)(const struct page_cup_work *w, const json_t *v);
} page_cup_rule_forms[] = {
    {"result", page_cup_rule_result},
    {"replay", page_cup_rule_replay},
    {"extend", page_cup_rule_extend},
    {"points", page_cup_rule_points},
    {"expel", page_cup_rule_expel},
    {"back", page_cup_rule_back},
    {"apart", page_cup_rule_apart},
    {"pairs", page_cup_rule_pairs},
    {"witness", page_cup_rule_witness},
    {"rules", page_cup_rule_rules},
    {"answer", page_cup_rule_answer},
    {"accept", page_cup_rule_accept},
};

/* What a ruling says. */
static void
page_cup_rule_what(struct page_cup_work *w, const json_t *ruling)
{
	json_t *args = page_cup_rule_args(w, js_int(ruling, "line"));
	const char *form = text_member(ruling, "form");
	const json_t *v = json_object_get(args, form);
	size_t i;

	for (i = 0;
	     i < sizeof(page_cup_rule_forms) / sizeof(page_cup_rule_forms[0]);
	     i++) {
		if (v != NULL && strcmp(page_cup_rule_forms[i].form, form) == 0)
			break;
	}
	if (i < sizeof(page_cup_rule_forms) / sizeof(page_cup_rule_forms[0]))
		page_cup_rule_forms[i].tell(w, v);
	else
		markup_add(w->b, "%s", form);
	json_decref(args);
}

/* One of them. */
static void
page_cup_rule_row(struct page_cup_work *w, const json_t *v)
{
	const char *why = w->in->text(w->in->arg, text_member(v, "why"));

	markup_add(w->b, "<tr><th scope=\"row\" class=\"num\">%lld</th><td>",
	    (long long)js_int(v, "line"));
	page_player(w->b, text_member(v, "by"),
	    people_tell(w->people, text_member(v, "by")));
	buf_puts(w->b, "</td><td class=\"about\">");
	page_cup_rule_what(w, v);
	buf_puts(w->b, "</td><td class=\"why\">");
	if (why == NULL)
		buf_puts(w->b, "(erased)");
	else
		markup_add(w->b, "<bdi>%s</bdi>", why);
	buf_puts(w->b, "</td></tr>\n");
}

bool
page_cup_rulings(struct page_cup_work *w)
{
	static const char *const headings[] = {
	    ">Line", "By", "Ruling", "Why", NULL};
	const json_t *list = json_object_get(w->view, "rulings");
	bool is_last;
	size_t i, to;

	if (json_array_size(list) == 0)
		return (true);
	if (w->row == 0) {
		w->at = 0;
		w->seq = 0;
		buf_puts(w->b,
		    "<section aria-labelledby=\"rulings\"><h2 id=\"rulings\">"
		    "Rulings</h2>\n");
		if (json_object_get(w->view, "rulings_before") != NULL)
			markup_add(w->b,
			    "<p>The newest %lld; the record has %lld before "
			    "them.</p>\n",
			    (long long)json_array_size(list),
			    (long long)js_int(w->view, "rulings_before"));
		page_cup_table(w->b, "What directors ruled", headings);
	}
	is_last = page_cup_rows(w, json_array_size(list), &i, &to);
	for (; i < to; i++)
		page_cup_rule_row(w, json_array_get(list, i));
	if (!is_last)
		return (false);
	page_cup_table_end(w->b);
	buf_puts(w->b, "</section>\n");
	return (true);
}

/* ---- what the umpire says of itself ---- */

/* True if a line is one of the server's that tells this. */
static bool
page_cup_rule_tells(const char *line, size_t len, const char *what)
{
	char *sign = xalloc_printf("\"kind\":\"server\",\"what\":\"%s\"", what);
	bool r;

	if (len > PAGE_CUP_RULE_HEAD)
		len = PAGE_CUP_RULE_HEAD;
	r = memmem(line, len, sign, strlen(sign)) != NULL;
	free(sign);
	return (r);
}

/* Why the operator has closed it. */
static void
page_cup_rule_closed(
    const struct page_cup_work *w, const char *line, size_t len)
{
	json_t *v = json_loadb(line, len, 0, NULL);
	const char *ref = js_str(json_object_get(v, "data"), "why"), *why;

	why = ref == NULL ? NULL : w->in->text(w->in->arg, ref);
	/* After the end that is no loss. */
	buf_puts(w->b,
	    tournament_phase(w->in->t) == TOURNAMENT_OVER
		? "<p>"
		: "<p class=\"warning\">");
	markup_add(w->b,
	    "The operator has closed the record: <bdi>%s</bdi></p>\n",
	    why == NULL ? "(erased)" : why);
	json_decref(v);
}

bool
page_cup_told(struct page_cup_work *w)
{
	const char *line;
	struct buf lost;
	size_t len;
	int n = 0;

	w->at = 0;
	w->seq = 0;
	buf_init(&lost, 0);
	while ((line = page_cup_rule_next(w, &len)) != NULL) {
		if (page_cup_rule_tells(line, len, "restored"))
			buf_printf(&lost, "%s%lld", n++ == 0 ? "" : ", ",
			    (long long)w->seq - 1);
		else if (page_cup_rule_tells(line, len, "closed"))
			page_cup_rule_closed(w, line, len);
	}
	if (n > 0)
		markup_add(w->b,
		    "<p class=\"warning\">The umpire says that it was set back "
		    "to an earlier state, in %s %s: lines that came just "
		    "before may have been lost.</p>\n",
		    n == 1 ? "line" : "lines", buf_str(&lost));
	buf_clear(&lost);
	return (true);
}
