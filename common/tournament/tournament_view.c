/* SPDX-License-Identifier: ISC */
/* The state of a tournament for programs and people. */
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/json/js_put.h"
#include "common/tournament/tournament_int.h"

/* What a part of a view comes to at most, if one round fits; and rulings. */
#define TOURNAMENT_VIEW_BYTES 900000
#define TOURNAMENT_VIEW_RULINGS 1000

/* Who has entered. */
static void
tournament_view_entrants(const struct tournament *t, struct buf *out)
{
	const int next = tournament_next(t);
	const struct tournament_entrant *x;
	size_t i;

	js_put_open(out, "entrants", '[');
	for (i = 0; i < t->n_entrants; i++) {
		x = &t->entrants[i];
		js_put_open(out, NULL, '{');
		js_put_int(out, "number", (int64_t)i + 1);
		js_put_str(out, "account", t->accounts[x->account].name);
		if (x->club[0] != '\0')
			js_put_str(out, "club", x->club);
		if (t->terms.is_rated)
			js_put_int(out, "rating", x->rating);
		if (x->is_former)
			js_put_bool(out, "former", true);
		js_put_bool(out, "admitted", tournament_is_admitted(t, x));
		if (tournament_waits_admit(t, x))
			js_put_bool(out, "waits", true);
		if (x->is_withdrawn)
			js_put_bool(out, "withdrawn", true);
		js_put_bool(out, "checked_in", x->has_checked_in);
		js_put_bool(out, "in",
		    tournament_is_in(
			x, t->phase == TOURNAMENT_OVER ? next - 1 : next));
		if (x->lot > 0)
			js_put_int(out, "lot", x->lot);
		js_put_int(
		    out, "points", tournament_points(t, (int)i + 1, next));
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* Who drew the lots, where a witness was to do so, too. */
static void
tournament_view_lots(const struct tournament *t, struct buf *out)
{
	if (t->terms.has_witness && t->n_lots > 0)
		js_put_bool(out, "lots_without_witness", t->is_alone);
}

/* One leg of a table. */
static void
tournament_view_leg(const struct tournament_leg *leg, struct buf *out)
{
	js_put_open(out, NULL, '{');
	if (leg->result != TOURNAMENT_NONE)
		js_put_str(out, "result", tournament_result_word(leg->result));
	if (tournament_is_played(leg->result))
		js_put_int(out, "bp", leg->bp);
	if (leg->has_game)
		js_put_hex(out, "game", leg->game, HASH_LEN);
	if (leg->notice.seq >= 0)
		js_put_int(out, "notice", leg->notice.seq);
	js_put_close(out, '}');
}

/* Numbers as a list. */
static void
tournament_view_numbers(
    const char *name, const int *numbers, size_t n, struct buf *out)
{
	size_t i;

	js_put_open(out, name, '[');
	for (i = 0; i < n; i++)
		js_put_int(out, NULL, numbers[i]);
	js_put_close(out, ']');
}

/* A round that was paired. */
static void
tournament_view_round(const struct tournament *t, int round, struct buf *out)
{
	const struct tournament_round *rd = tournament_round(t, round);
	const struct tournament_table *table;
	size_t k;
	int leg;

	js_put_open(out, NULL, '{');
	js_put_int(out, "round", round);
	js_put_int(out, "line", rd->seq);
	js_put_at(out, "at", rd->at_ms);
	js_put_bool(out, "by_hand", rd->is_by_hand);
	js_put_open(out, "tables", '[');
	for (k = 0; k < rd->n_tables; k++) {
		table = &rd->tables[k];
		js_put_open(out, NULL, '{');
		js_put_int(out, "table", (int64_t)k + 1);
		js_put_int(out, "a", table->a);
		js_put_int(out, "b", table->b);
		js_put_open(out, "legs", '[');
		for (leg = 0; leg < table->n_legs; leg++)
			tournament_view_leg(&table->legs[leg], out);
		js_put_close(out, ']');
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
	tournament_view_numbers("bye", rd->byes, rd->n_byes, out);
	tournament_view_numbers("absent", rd->absent, rd->n_absent, out);
	js_put_close(out, '}');
}

/*
 * The rounds that were paired: all, or one, or the newest that come to at most
 * so many bytes, but at least one.
 */
static int
tournament_view_rounds(
    const struct tournament *t, int only, size_t most, struct buf *out)
{
	int first = (int)t->n_rounds + 1, round;
	size_t used = 0;
	struct buf b;

	/* Each is written twice, to know how long it is. */
	for (round = (int)t->n_rounds; only == 0 && round >= 1; round--) {
		buf_init(&b, 0);
		tournament_view_round(t, round, &b);
		used += b.len;
		if (buf_error(&b) != 0) {
			buf_clear(&b);
			return (ERR_NOMEM);
		}
		buf_clear(&b);
		if (used > most && first <= (int)t->n_rounds)
			break;
		first = round;
	}
	js_put_open(out, "pairings", '[');
	for (round = first; round <= (int)t->n_rounds; round++)
		tournament_view_round(t, round, out);
	if (only > 0 && only <= (int)t->n_rounds)
		tournament_view_round(t, only, out);
	js_put_close(out, ']');
	return (0);
}

/* What directors have decided, and what waits for them. */
static void
tournament_view_rulings(
    const struct tournament *t, size_t most, struct buf *out)
{
	size_t i = t->n_rulings > most ? t->n_rulings - most : 0;

	if (i > 0)
		js_put_int(out, "rulings_before", (int64_t)i);
	js_put_open(out, "rulings", '[');
	for (; i < t->n_rulings; i++) {
		js_put_open(out, NULL, '{');
		js_put_int(out, "line", t->rulings[i].seq);
		js_put_str(out, "by", t->accounts[t->rulings[i].account].name);
		js_put_str(out, "form", tournament_forms[t->rulings[i].form]);
		js_put_hex(out, "why", t->rulings[i].why, HASH_LEN);
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
	js_put_open(out, "protests", '[');
	for (i = 0; i < t->n_protests; i++) {
		js_put_open(out, NULL, '{');
		js_put_int(out, "line", t->protests[i].seq);
		js_put_int(out, "entrant", t->protests[i].number);
		js_put_int(out, "round", t->protests[i].round);
		if (t->protests[i].table > 0)
			js_put_int(out, "table", t->protests[i].table);
		js_put_bool(out, "answered", t->protests[i].answered_seq >= 0);
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* Who stands where, once lots are drawn. */
static int
tournament_view_standings(const struct tournament *t, struct buf *out)
{
	struct tournament_standing *rows;
	size_t i, k, n;
	int r;

	if (t->n_lots == 0)
		return (0);
	if ((r = tournament_standings(t, &rows, &n, NULL)) != 0)
		return (r);
	js_put_open(out, "ties", '[');
	for (k = 0; k < t->terms.n_ties; k++)
		js_put_str(out, NULL, tiebreak_def(t->terms.ties[k])->code);
	js_put_close(out, ']');
	js_put_open(out, "standings", '[');
	for (i = 0; i < n; i++) {
		js_put_open(out, NULL, '[');
		js_put_int(out, NULL, rows[i].rank);
		js_put_int(out, NULL, rows[i].number);
		js_put_int(out, NULL, rows[i].points);
		for (k = 0; k < t->terms.n_ties; k++)
			js_put_int(out, NULL, rows[i].values[k]);
		js_put_close(out, ']');
	}
	js_put_close(out, ']');
	free(rows);
	return (0);
}

int
tournament_view_part(const struct tournament *t, int round, struct buf *out)
{
	const size_t rulings =
	    round < 0 ? t->n_rulings : TOURNAMENT_VIEW_RULINGS;
	struct buf places;
	size_t most;
	int r;

	js_put_open(out, NULL, '{');
	js_put_hex(out, "tournament", t->create.tournament, HASH_LEN);
	js_put_str(out, "event", t->terms.event);
	js_put_str(out, "system", t->terms.system);
	js_put_str(out, "format", terms_formats[t->terms.format]);
	js_put_str(out, "director", t->terms.director.account);
	js_put_str(out, "phase", tournament_phases[t->phase]);
	js_put_int(out, "seq", t->seq);
	js_put_hex(out, "head", t->head, HASH_LEN);
	js_put_int(out, "round", (int64_t)t->n_rounds);
	js_put_int(out, "rounds", tournament_rounds(t));
	tournament_view_lots(t, out);
	tournament_view_entrants(t, out);
	buf_init(&places, 0);
	tournament_view_rulings(t, rulings, &places);
	r = round > 0 ? 0 : tournament_view_standings(t, &places);
	if (r == 0)
		r = buf_error(&places);
	most = out->len + places.len < TOURNAMENT_VIEW_BYTES
	    ? TOURNAMENT_VIEW_BYTES - out->len - places.len
	    : 0;
	if (r == 0)
		r = tournament_view_rounds(
		    t, round < 0 ? 0 : round, round < 0 ? SIZE_MAX : most, out);
	if (r == 0) {
		buf_putc(out, ',');
		buf_add(out, places.data, places.len);
		js_put_close(out, '}');
	}
	buf_clear(&places);
	return (r != 0 ? r : buf_error(out));
}

int
tournament_view_piece(const struct tournament *t, enum tournament_piece piece,
    int n, struct buf *out)
{
	int r = 0;

	if (piece == TOURNAMENT_PIECE_ROUND) {
		if (n < 1 || n > (int)t->n_rounds)
			return (ERR_NOTFOUND);
		tournament_view_round(t, n, out);
		return (buf_error(out));
	}
	js_put_open(out, NULL, '{');
	if (piece == TOURNAMENT_PIECE_ENTRANTS) {
		tournament_view_lots(t, out);
		tournament_view_entrants(t, out);
	} else if (piece == TOURNAMENT_PIECE_RULINGS) {
		tournament_view_rulings(t, (size_t)n, out);
	} else {
		r = tournament_view_standings(t, out);
	}
	js_put_close(out, '}');
	return (r != 0 ? r : buf_error(out));
}

int
tournament_view(const struct tournament *t, struct buf *out)
{
	return (tournament_view_part(t, -1, out));
}
