/* SPDX-License-Identifier: ISC */
/*
 * Luck for people: a table of the dice, and in sentences what they can tell
 * and what they cannot.
 */
#include "client/cmd/luck_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/ui/barchart.h"
#include "client/ui/out_terminal.h"
#include "client/ui/text_columns.h"
#include "common/base/buf.h"

#define LUCK_CELLS 9
#define LUCK_SIDE 10 /* columns for a side's name in the widest table */
#define LUCK_SIDE_MOST 24 /* and where there is room, also in sentences */
#define LUCK_ROLL 21 /* columns of "combat die roll d1000" */
#define LUCK_JUDGED 20 /* columns of the chances and chi-square */
#define LUCK_ODD 0.05 /* p-values below this are called rare, if alone */

/* Text with where it goes and how. */
struct luck_text {
	struct out *o;
	const struct luck *l;
	char *names[LUCK_SIDES]; /* owned: cut to LUCK_SIDE_MOST */
	bool has_signs; /* letters of UTF-8; else ASCII */
};

char *
luck_words(double p)
{
	if (p <= 0.0005)
		return (xalloc_str("fewer than 1 of 1000"));
	if (p < 0.01)
		return (xalloc_printf("%.0f of 1000", p * 1000));
	if (p >= 0.995)
		return (xalloc_str("nearly all"));
	return (xalloc_printf("%.0f of 100", p * 100));
}

/* A p-value for a table, if there is one; free(). */
static char *
luck_cell_p(bool is_judged, double p)
{
	if (!is_judged)
		return (xalloc_str("-"));
	return (p <= 0.0005 ? xalloc_str("<.001") : xalloc_printf("%.3f", p));
}

/* Prints a paragraph, which it frees. */
static void
luck_say(const struct luck_text *t, char *s)
{
	out_text(t->o, 0, 0, s);
	free(s);
}

/* Prints the dice of all kinds, and says what the columns are. */
static void
luck_table(const struct luck_text *t)
{
	const char *const headings[] = {"ROLL", "SIDE", ">DICE", ">MEAN",
	    ">EVEN", t->has_signs ? ">\xc2\xb1" : ">+/-",
	    t->l->tests == 0 ? NULL : ">P MEAN", ">CHI2", ">P FACES", NULL};
	const struct luck_kind *k;
	const struct stats_dice *st;
	struct out_table *table;
	char *cells[LUCK_CELLS];
	int most = 0, side, i;
	size_t n;

	/* How wide the names of sides may be. */
	for (n = 0; n < t->l->n_kinds; n++) {
		k = &t->l->kinds[n];
		cells[0] = xalloc_printf("%s d%u", k->what, k->sides);
		i = text_width(cells[0]);
		most = i > most ? i : most;
		free(cells[0]);
	}
	most = LUCK_SIDE + (most < LUCK_ROLL ? LUCK_ROLL - most : 0) +
	    (t->l->tests == 0 ? LUCK_JUDGED : 0);
	most = most > LUCK_SIDE_MOST ? LUCK_SIDE_MOST : most;
	table = out_table_new(headings);
	for (n = 0; n < t->l->n_kinds; n++) {
		k = &t->l->kinds[n];
		cells[0] = xalloc_printf("%s d%u", k->what, k->sides);
		/* Side 1, side 2, and last the director. */
		for (side = 1; side <= LUCK_SIDES; side++) {
			st = &k->stats[side % LUCK_SIDES];
			if (st->n == 0)
				continue;
			cells[1] = barchart_cut(
			    t->names[side % LUCK_SIDES], most, t->has_signs);
			cells[2] =
			    xalloc_printf("%llu", (unsigned long long)st->n);
			cells[3] = xalloc_printf("%.2f", st->mean);
			cells[4] = xalloc_printf("%.2f", st->even);
			cells[5] = xalloc_printf("%.2f", st->error);
			cells[6] = luck_cell_p(st->is_judged, st->p_mean);
			cells[7] = st->cells > 0
			    ? xalloc_printf("%.1f", st->chi_square)
			    : xalloc_str("-");
			cells[8] = luck_cell_p(st->cells > 0, st->p_faces);
			out_table_line(table, (const char *const *)cells);
			for (i = 1; i < LUCK_CELLS; i++)
				free(cells[i]);
			*cells[0] = '\0'; /* the kind stands there once */
		}
		free(cells[0]);
	}
	out_table_end(t->o, table);
	luck_say(t,
	    xalloc_printf("EVEN is the mean of fair dice, and %s is how far "
			  "the mean of so many strays from it by chance: "
			  "in about 32 of 100 games farther, in 5 of 100 twice "
			  "as far.%s",
		t->has_signs ? "\xc2\xb1" : "+/-",
		t->l->tests == 0
		    ? ""
		    : "  P MEAN is the share of fair games with a mean so far "
		      "off or farther, P FACES that of faces so uneven or "
		      "more so (chi-square, CHI2): 0.410 is 41 of 100."));
	if (t->l->tests > 0)
		luck_say(t,
		    xalloc_printf(
			"Fewer than %d dice are not judged.", STATS_DICE_MIN));
}

/* Appends "French rolled 84 dice, in all 12.5 pips above even". */
static void
luck_ahead(const struct luck_text *t, int side, struct buf *b)
{
	const struct luck_all *all = &t->l->all[side];

	if (all->n == 0) {
		buf_printf(b, "%s rolled no dice", t->names[side]);
		return;
	}
	buf_printf(b, "%s rolled %llu %s, in all ", t->names[side],
	    (unsigned long long)all->n, all->n == 1 ? "die" : "dice");
	if (fabs(all->pips) < 1e-9)
		buf_puts(b, "even to the pip");
	else
		buf_printf(b, "%.*f pip%s %s even",
		    fabs(all->pips) < 1000 ? 1 : 0, fabs(all->pips),
		    fabs(all->pips) == 1 ? "" : "s",
		    all->pips < 0 ? "below" : "above");
	buf_printf(b, " (by chance about %s%.1f)",
	    t->has_signs ? "\xc2\xb1" : "+/-", sqrt(all->variance));
}

/* Says who rolled higher, and whether that means anything. */
static void
luck_all_dice(const struct luck_text *t)
{
	const struct luck *l = t->l;
	const struct luck_all *a = &l->all[1], *b = &l->all[2];
	struct buf text;
	double d;
	char *s;

	if (a->n == 0 && b->n == 0)
		return;
	buf_init(&text, 0);
	luck_ahead(t, 1, &text);
	buf_puts(&text, "; ");
	luck_ahead(t, 2, &text);
	buf_puts(&text, ".  ");
	if (a->n > 0 && b->n > 0) {
		d = a->deviates / (double)a->n - b->deviates / (double)b->n;
		if (fabs(d) < 1e-9)
			buf_puts(&text, "So neither rolled higher.  ");
		else
			buf_printf(&text, "Die for die %s rolled higher.  ",
			    t->names[d > 0 ? 1 : 2]);
	}
	if (l->p_between < 0) {
		buf_printf(&text,
		    "That may well be chance: fewer than %d dice a side are "
		    "too few to tell.",
		    STATS_DICE_MIN);
	} else {
		s = luck_words(l->p_between);
		buf_printf(&text,
		    "Fair dice set two sides so far apart or farther in %s "
		    "games: %s",
		    s,
		    l->p_between < LUCK_ODD
			? "that is rare, but somebody has to have that game."
			: "it may well be chance.");
		free(s);
	}
	buf_puts(&text, "  High is not always good: that depends on the roll.");
	luck_say(t, xalloc_take(&text));
}

/* Says whose dice were the oddest, in words, if any are judged. */
static void
luck_oddest(const struct luck_text *t)
{
	const struct luck *l = t->l;
	const struct stats_dice *st;
	char *s = NULL, *words;
	bool is_faces;
	size_t i;
	int side;

	words = luck_words(l->p_least);
	for (i = 0; s == NULL && i < l->n_kinds; i++) {
		for (side = 0; s == NULL && side < LUCK_SIDES; side++) {
			st = &l->kinds[i].stats[side];
			is_faces = st->cells > 0 && st->p_faces <= l->p_least;
			if (!st->is_judged ||
			    (!is_faces && st->p_mean > l->p_least))
				continue;
			s = xalloc_printf("The oddest are the dice of %s for "
					  "%s d%u: %s or %s in "
					  "%s fair games.",
			    t->names[side], l->kinds[i].what, l->kinds[i].sides,
			    is_faces ? "faces so uneven"
				     : "a mean so far from even",
			    is_faces ? "more" : "farther", words);
		}
	}
	free(words);
	if (s != NULL)
		luck_say(t, s);
}

/* Says what looking at many numbers at once does. */
static void
luck_many(const struct luck_text *t)
{
	const struct luck *l = t->l;
	double bound;
	char *s;

	if (l->tests == 0) {
		/* The sides' totals say it where they are few, too. */
		if (l->p_between >= 0)
			luck_say(t,
			    xalloc_printf("No side has %d dice of one kind: "
					  "too few to say whether they were "
					  "even.",
				STATS_DICE_MIN));
		return;
	}
	luck_oddest(t);
	if (l->tests == 1)
		return;
	bound = LUCK_ODD / l->tests;
	s = luck_words(1 - pow(1 - LUCK_ODD, l->tests));
	luck_say(t,
	    xalloc_printf("These are %u chances at once: with fair dice the "
			  "least of so many is below %.2f in about %s games.  "
			  "Only one below %.2g (%.2f / %u) would be odd, and "
			  "%s.",
		l->tests, LUCK_ODD, s, bound, LUCK_ODD, l->tests,
		l->p_least < bound ? "one is, but so it is in 1 fair game of 20"
				   : "none is"));
	free(s);
}

/* For qsort(): ids in byte order. */
static int
luck_compare_ids(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return (strcmp(*x, *y));
}

/* The chits that were drawn so often, in the order of their ids; free(). */
static char *
luck_drawn(const struct luck_draw *d, json_int_t times)
{
	const char *id, **ids;
	size_t i, n = 0;
	struct buf b;
	json_t *v;

	ids = xalloc((json_object_size(d->ids) + 1) * sizeof(*ids));
	json_object_foreach(d->ids, id, v)
	{
		if (json_integer_value(v) == times)
			ids[n++] = id;
	}
	qsort(ids, n, sizeof(*ids), luck_compare_ids);
	buf_init(&b, 0);
	for (i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i == 0 ? "" : " ", ids[i]);
	free(ids);
	return (xalloc_take(&b));
}

/* Says how many chits were drawn, and how often each. */
static void
luck_chits(const struct luck_text *t, const struct luck_draw *d)
{
	json_int_t least, most = 0, n;
	const char *id;
	char *bag, *drawn;
	json_t *v;

	out_print(t->o, "\n");
	bag = d->bag_least == d->bag_most
	    ? xalloc_printf("%lld", (long long)d->bag_most)
	    : xalloc_printf("%lld to %lld", (long long)d->bag_least,
		  (long long)d->bag_most);
	luck_say(t,
	    xalloc_printf("Drawn from the %s%s: %lld chit%s in %lld draw%s, "
			  "from %s each time.  One that is always there comes "
			  "up %.2f times on average.",
		d->is_cup ? "cup " : "bag", d->is_cup ? d->what : "",
		(long long)d->chits, d->chits == 1 ? "" : "s",
		(long long)d->draws, d->draws == 1 ? "" : "s", bag,
		d->expected));
	free(bag);
	json_object_foreach(d->ids, id, v)
	{
		if (json_integer_value(v) > most)
			most = json_integer_value(v);
	}
	for (n = most; n > 0; n--) {
		drawn = luck_drawn(d, n);
		if (*drawn != '\0') {
			out_print(t->o, "  %4lldx  ", (long long)n);
			out_text(t->o, 9, 9, drawn);
		}
		free(drawn);
	}
	least = d->bag_most - (json_int_t)json_object_size(d->ids);
	if (!d->is_cup && d->bag_least == d->bag_most && least > 0)
		out_print(t->o, "     0x  %lld other%s\n", (long long)least,
		    least == 1 ? "" : "s");
}

/* Says what was counted and how. */
static void
luck_notes(const struct luck_text *t)
{
	const struct luck *l = t->l;
	bool has_free = false;
	size_t i;

	for (i = 0; i < l->n_kinds; i++)
		has_free = has_free || l->kinds[i].what_for == LUCK_FREE;
	if (has_free)
		luck_say(t,
		    xalloc_str("A free roll counts for whoever rolled it, and "
			       "not in the comparison of the sides."));
	if (l->taken_back > 0)
		luck_say(t,
		    xalloc_printf("%llu of these dice fell in %s taken back "
				  "later; %s rolled, so %s.",
			(unsigned long long)l->taken_back,
			l->taken_back == 1 ? "a line that was"
					   : "lines that were",
			l->taken_back == 1 ? "it was" : "they were",
			l->taken_back == 1 ? "it counts" : "they count"));
}

void
luck_print(struct out *o, const struct luck *l, char *const names[LUCK_SIDES])
{
	struct luck_text t = {
	    .o = o, .l = l, .has_signs = barchart_has_blocks()};
	size_t i;

	if (l->n_kinds == 0 && l->n_draws == 0) {
		out_print(o, "  no dice have fallen in this game yet\n");
		return;
	}
	for (i = 0; i < LUCK_SIDES; i++)
		t.names[i] =
		    barchart_cut(names[i], LUCK_SIDE_MOST, t.has_signs);
	if (l->n_kinds > 0) {
		luck_table(&t);
		out_print(o, "\n");
		luck_all_dice(&t);
		luck_many(&t);
		luck_notes(&t);
	}
	for (i = 0; i < l->n_draws; i++)
		luck_chits(&t, &l->draws[i]);
	for (i = 0; i < LUCK_SIDES; i++)
		free(t.names[i]);
}
