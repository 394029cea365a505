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
#include "client/report/ruling.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/tournament/terms.h"
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

/* ruling_told.text. */
static void
page_cup_rule_text(void *arg, const char *text)
{
	const struct page_cup_work *w = arg;

	markup_add(w->b, "%s", text);
}

/* ruling_told.entrant. */
static void
page_cup_rule_entrant(void *arg, int64_t number)
{
	page_cup_entrant(arg, (int)number);
}

/* What a ruling says. */
static void
page_cup_rule_what(struct page_cup_work *w, const json_t *ruling)
{
	const struct ruling_told to = {.text = page_cup_rule_text,
	    .entrant = page_cup_rule_entrant,
	    .arg = w,
	    .has_legs = tournament_terms(w->in->t)->is_mirror};
	json_t *args = page_cup_rule_args(w, js_int(ruling, "line"));
	const char *form = text_member(ruling, "form");

	ruling_tell(&to, form, json_object_get(args, form));
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
