/* SPDX-License-Identifier: ISC */
/*
 * Odds as text: how questions are answered, each side's units with a bar for
 * each end, the combat as a whole.  Bars are blocks in eighths of a column
 * where the environment's locale is one of UTF-8, and '#' elsewhere.
 */
#include "client/cmd/odds_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/odds_view.h"
#include "client/ui/barchart.h"
#include "common/base/buf.h"
#include "common/rules/question.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"

#define ODDS_TEXT_BAR_MIN 6 /* columns; a shorter bar is left out */

/* Text with where it goes and how. */
struct odds_text {
	struct out *o;
	const struct odds_view *v;
	bool has_blocks; /* and other signs; else ASCII */
};

/* Prints one probability after `indent` columns, its word padded to `pad`. */
static void
odds_text_share(const struct odds_text *t, int indent, int pad,
    const char *word, const struct odds_share *s)
{
	char p[ODDS_VIEW_WORD], low[ODDS_VIEW_WORD], high[ODDS_VIEW_WORD];
	int column = indent + pad + 10, width;
	struct buf b;

	out_print(t->o, "%*s%-*s  %6s %%", indent, "", pad, word,
	    odds_view_percent(p, s->p));
	if (!t->v->odds->is_exact) {
		out_print(t->o, "  %6s to %-6s", odds_view_percent(low, s->low),
		    odds_view_percent(high, s->high));
		column += 18;
	}
	width = OUT_WIDTH - column - 2;
	if (width >= ODDS_TEXT_BAR_MIN && s->p > 0) {
		buf_init(&b, 0);
		barchart_append(&b, s->p, width, t->has_blocks);
		out_print(t->o, "  %s", buf_str(&b));
		buf_clear(&b);
	}
	out_print(t->o, "\n");
}

/* Appends a mean, with its interval if it was sampled. */
static void
odds_text_mean(
    const struct odds_text *t, const struct odds_mean *m, struct buf *b)
{
	buf_printf(b, "%.3f", m->mean);
	if (!t->v->odds->is_exact)
		buf_printf(b, " %s %.3f", t->has_blocks ? "\xc2\xb1" : "+/-",
		    m->high - m->mean);
}

/* Prints a line that was put together, wrapped. */
static void
odds_text_line(const struct odds_text *t, int indent, int hang, struct buf *b)
{
	out_print(t->o, "%*s", indent, "");
	out_text(t->o, indent, hang, buf_str(b));
	buf_clear(b);
}

/* Prints how the questions that come up are answered. */
static void
odds_text_policy(const struct odds_text *t)
{
	const struct odds_view *v = t->v;
	char p[ODDS_VIEW_WORD];
	bool is_first = true;
	struct buf b;
	size_t i, side;

	for (side = 0; side < 2; side++) {
		for (i = 0; v->sys->policies[i].kind != NULL; i++) {
			if (v->odds->asked[side][i].p <= 0)
				continue;
			if (is_first)
				out_title(t->o, "Questions and answers");
			is_first = false;
			buf_init(&b, 0);
			buf_printf(&b, "%s, %s: %s%s; asked in %s %%",
			    question_side((enum combat_side)side),
			    v->sys->policies[i].kind,
			    odds_policy_word(
				v->sys, i, v->policy->word[side][i]),
			    v->policy->is_given[side][i] ? "" : " (default)",
			    odds_view_percent(p, v->odds->asked[side][i].p));
			odds_text_line(t, 2, 4, &b);
		}
	}
	if (!is_first)
		out_print(t->o, "\n");
}

/* What a unit is called: by its name, and its id if others share it; free(). */
static char *
odds_text_called(const struct odds_view *v, const char *id)
{
	const char *other, *name = odds_view_name(v, id);
	size_t i;

	for (i = 0; name != NULL && i < v->odds->n_units; i++) {
		other = odds_view_name(v, v->odds->units[i].id);
		if (other != NULL && strcmp(other, name) == 0 &&
		    strcmp(v->odds->units[i].id, id) != 0)
			return (xalloc_printf("%s (%s)", name, id));
	}
	return (xalloc_str(name == NULL ? id : name));
}

/* Prints one unit: what it may lose, how it may end, each loss. */
static void
odds_text_unit(const struct odds_text *t, const struct odds_unit *u)
{
	const struct odds_view *v = t->v;
	char *called = odds_text_called(v, u->id);
	char word[ODDS_VIEW_WORD];
	size_t i, n = odds_view_ends(v);
	bool is_first = true;
	int len, pad = 0;
	struct buf b;

	buf_init(&b, 0);
	buf_printf(&b, "%s: expected loss ", called);
	free(called);
	odds_text_mean(t, &u->loss, &b);
	odds_text_line(t, 2, 4, &b);
	for (i = 0; i < n; i++) {
		len = (int)strlen(odds_view_end(word, v->sys->ends[i]));
		if (len > pad)
			pad = len;
	}
	for (i = 0; i < n; i++) {
		if (u->ends[i].p > 0)
			odds_text_share(t, 4, pad,
			    odds_view_end(word, v->sys->ends[i]), &u->ends[i]);
	}
	if (u->loss.mean <= 0)
		return;
	buf_init(&b, 0);
	for (i = 0; i < ODDS_LOSS_MAX + 2; i++) {
		if (u->losses[i].p <= 0)
			continue;
		buf_puts(&b, is_first ? "losses: " : ", ");
		is_first = false;
		if (i > ODDS_LOSS_MAX)
			buf_printf(&b, "over %d", ODDS_LOSS_MAX);
		else
			buf_printf(&b, "%zu", i);
		buf_printf(
		    &b, " in %s %%", odds_view_percent(word, u->losses[i].p));
	}
	odds_text_line(t, 4, 6, &b);
}

/* Prints a side and its units. */
static void
odds_text_side(const struct odds_text *t, enum combat_side side)
{
	const struct odds *odds = t->v->odds;
	struct buf b;
	size_t i;

	out_title(
	    t->o, "%s", side == COMBAT_ATTACKER ? "Attacker" : "Defender");
	buf_init(&b, 0);
	buf_puts(&b, "expected loss ");
	odds_text_mean(t, &odds->sides[side].loss, &b);
	buf_printf(&b, " %s", show_list_find(t->v->sys)->loss);
	/* A system without hits counts none on either side. */
	if (odds->sides[0].hits.mean > 0 || odds->sides[1].hits.mean > 0) {
		buf_puts(&b, ", hits suffered ");
		odds_text_mean(t, &odds->sides[side].hits, &b);
	}
	odds_text_line(t, 2, 4, &b);
	for (i = 0; i < odds->n_units; i++) {
		if (odds->units[i].side == side)
			odds_text_unit(t, &odds->units[i]);
	}
	out_print(t->o, "\n");
}

void
odds_text_print(struct out *o, const struct odds_view *v)
{
	const struct odds_text t = {o, v, barchart_has_blocks()};
	const struct odds *odds = v->odds;
	size_t i, order[ODDS_WHOLE_MAX];
	char *method = odds_view_method(v);
	int len, pad = 0;

	out_title(o, "%s", v->sys->name);
	out_print(o, "%s\n\n", method);
	free(method);
	odds_text_policy(&t);
	odds_text_side(&t, COMBAT_ATTACKER);
	odds_text_side(&t, COMBAT_DEFENDER);
	/* The combat as a whole, the most probable outcome first. */
	odds_view_order(v, order);
	for (i = 0; i < odds->n_whole; i++) {
		len = (int)strlen(odds->whole[i].word);
		if (len > pad)
			pad = len;
	}
	out_title(o, "The combat as a whole");
	for (i = 0; i < odds->n_whole; i++)
		odds_text_share(&t, 2, pad, odds->whole[order[i]].word,
		    &odds->whole[order[i]].share);
	if (odds->other.p > 0)
		odds_text_share(&t, 2, pad, "other", &odds->other);
}
