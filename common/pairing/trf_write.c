/* SPDX-License-Identifier: ISC */
/*
 * A TRF file out of a crosstable, so that bbpPairings 6 and FIDE's own checker
 * read it: no points but those they know, who is absent from a round that is
 * paired stands as a zero-point bye, and each line ends in CR, LF.
 */
#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/trf.h"

/* Appends UTF-8 and blanks up to a width, before or behind. */
static void
trf_pad(struct buf *out, const char *s, int width, bool is_right)
{
	const char *p;
	int n = 0, i;

	for (p = s; *p != '\0'; p++)
		if ((*p & 0xc0) != 0x80)
			n++;
	if (!is_right)
		buf_puts(out, s);
	for (i = n; i < width; i++)
		buf_putc(out, ' ');
	if (is_right)
		buf_puts(out, s);
}

/* Takes away the blanks at the end of what was appended, and ends the line. */
static void
trf_end(struct buf *out)
{
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		out->len--;
	buf_puts(out, "\r\n");
}

/* Appends the points of a letter: a cell of 162. */
static void
trf_write_worth(struct buf *out, char letter, int half)
{
	buf_printf(out, "%c%2d.%d    ", letter, half / 2, half % 2 * 5);
}

/* 162, if results are worth anything but 1, 1/2 and 0. */
static void
trf_write_points(const struct cross_points *p, struct buf *out)
{
	bool is_same = p->absent == p->forfeit_loss;

	if (p->win == 2 && p->draw == 1 && p->loss == 0 && p->bye == 2 &&
	    p->absent == 0 && is_same)
		return;
	buf_puts(out, "162  ");
	trf_write_worth(out, 'W', p->win);
	trf_write_worth(out, 'D', p->draw);
	trf_write_worth(out, 'L', p->loss);
	if (is_same && p->absent != 0)
		trf_write_worth(out, 'A', p->absent);
	trf_write_worth(out, 'P', p->bye);
	trf_end(out);
	if (!is_same)
		buf_printf(out, "BBZ %2d.%d\r\nBBF %2d.%d\r\n", p->absent / 2,
		    p->absent % 2 * 5, p->forfeit_loss / 2,
		    p->forfeit_loss % 2 * 5);
}

/* The letter of a result. */
static char
trf_letter(const struct cross_game *g)
{
	switch ((enum cross_result)g->result) {
	case CROSS_WIN:
		return (g->is_unrated ? 'W' : '1');
	case CROSS_DRAW:
		return (g->is_unrated ? 'D' : '=');
	case CROSS_LOSS:
		return (g->is_unrated ? 'L' : '0');
	case CROSS_FORFEIT_WIN:
		return ('+');
	case CROSS_FORFEIT_LOSS:
		return ('-');
	case CROSS_BYE:
		return ('U');
	case CROSS_FULL_BYE:
		return ('F');
	case CROSS_HALF_BYE:
		return ('H');
	case CROSS_NONE:
	case CROSS_ZERO_BYE:
		break;
	}
	return ('Z');
}

/* 001: a player and their games; so many rounds are paired. */
static void
trf_write_player(const struct trf *t, size_t i, int paired, struct buf *out)
{
	const struct trf_player *p = &t->players[i];
	const struct cross_game *g;
	char points[16], rating[16] = "", rank[16] = "";
	int half = crosstable_score(t->table, i, paired), r;

	(void)snprintf(points, sizeof(points), "%d.%d", half / 2, half % 2 * 5);
	if (t->table->players[i].rating > 0)
		(void)snprintf(
		    rating, sizeof(rating), "%d", t->table->players[i].rating);
	if (p->rank > 0)
		(void)snprintf(rank, sizeof(rank), "%d", p->rank);
	if (half > CROSSTABLE_POINTS_MAX)
		buf_fail(out, ERR_TOOBIG);
	buf_printf(out, "001 %4d ", t->table->players[i].number);
	trf_pad(out, p->sex, 1, false);
	trf_pad(out, p->title, 3, true);
	buf_putc(out, ' ');
	trf_pad(out, p->name, TRF_NAME, false);
	buf_printf(out, " %4s ", rating);
	trf_pad(out, p->federation, 3, false);
	buf_putc(out, ' ');
	trf_pad(out, p->id, 11, true);
	buf_putc(out, ' ');
	trf_pad(out, p->birth, 10, false);
	buf_printf(out, " %4s %4s", points, rank);
	for (r = 1; r <= t->table->n_rounds; r++) {
		g = crosstable_game(t->table, i, r);
		if (g->opponent >= 0)
			buf_printf(out, "  %4d %c %c",
			    t->table->players[g->opponent].number,
			    g->side == 1       ? 'w'
				: g->side == 2 ? 'b'
					       : '-',
			    trf_letter(g));
		else if (g->result != CROSS_NONE || r <= paired)
			buf_printf(out, "  0000 - %c", trf_letter(g));
		else
			buf_puts(out, "          ");
	}
	trf_end(out);
}

/* 260 and 299: who may not meet, and points that are in no result. */
static void
trf_write_rulings(const struct crosstable *t, struct buf *out)
{
	const struct cross_correction *c;
	const struct cross_apart *a;
	char points[16];
	size_t i, k;
	int half;

	for (i = 0; i < t->n_apart; i++) {
		a = &t->apart[i];
		buf_printf(out, "260 %3d %3d", a->first, a->last);
		for (k = 0; k < a->n; k++)
			buf_printf(
			    out, " %4d", t->players[a->players[k]].number);
		buf_puts(out, "\r\n");
	}
	for (i = 0; i < t->n_corrections; i++) {
		c = &t->corrections[i];
		half = c->half < 0 ? -c->half : c->half;
		(void)snprintf(points, sizeof(points), "%s%d.%d",
		    c->half < 0 ? "-" : "", half / 2, half % 2 * 5);
		buf_printf(out, "299         %5s  %3d %4d\r\n", points,
		    c->round, t->players[c->player].number);
	}
}

void
trf_write(const struct trf *t, struct buf *out)
{
	int paired = crosstable_paired(t->table);
	size_t i;

	for (i = 0; i < t->n_lines; i++) {
		buf_printf(out, "%s %s", t->lines[i].tag, t->lines[i].text);
		trf_end(out);
	}
	if (t->table->rounds > 0)
		buf_printf(out, "142 %d\r\n", t->table->rounds);
	if (t->table->initial > 0)
		buf_printf(
		    out, "152 %c\r\n", t->table->initial == 1 ? 'W' : 'B');
	trf_write_points(&t->table->points, out);
	for (i = 0; i < t->table->n_players; i++)
		trf_write_player(t, i, paired, out);
	trf_write_rulings(t->table, out);
}
