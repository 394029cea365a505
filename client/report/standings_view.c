/* SPDX-License-Identifier: ISC */
#include "client/report/standings_view.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/pairing/crosstable.h"

#define STANDINGS_MISSING 20 /* who were not met, that are named */

const char *
standings_view_value(char cell[STANDINGS_CELL], int64_t value, int unit)
{
	int64_t whole = value / unit, rest = value % unit;

	if (unit == 1)
		(void)snprintf(cell, STANDINGS_CELL, "%lld", (long long)value);
	else if (unit == 2)
		(void)snprintf(cell, STANDINGS_CELL, "%lld.%lld",
		    (long long)whole, (long long)rest * 5);
	else
		(void)snprintf(cell, STANDINGS_CELL, "%lld.%02lld",
		    (long long)whole, (long long)rest * 25);
	return (cell);
}

const char *
standings_view_points(char cell[STANDINGS_CELL], int half)
{
	return (standings_view_value(cell, half, 2));
}

int
standings_view_number(const struct standings_view *v, size_t player)
{
	return (v->in->table->players[player].number);
}

const struct standing *
standings_view_row(const struct standings_view *v, size_t player)
{
	size_t i = 0;

	while (v->rows[i].player != player)
		i++;
	return (&v->rows[i]);
}

char *
standings_view_when(const struct standings_view *v)
{
	int rounds = v->in->table->rounds;

	if (rounds > v->in->rounds)
		return (xalloc_printf(
		    "after %d of %d rounds", v->in->rounds, rounds));
	return (xalloc_printf(
	    "after %d round%s", v->in->rounds, v->in->rounds == 1 ? "" : "s"));
}

/* ---- why ---- */

char *
standings_view_whom(const struct standings_view *v, int player)
{
	return (xalloc_printf("%d %s", standings_view_number(v, (size_t)player),
	    v->name(v->arg, (size_t)player)));
}

/* Why there is a dummy's score in a sum; free(). */
static char *
standings_dummy(const struct standings_view *v, const struct tiebreak_addend *a)
{
	char score[STANDINGS_CELL];

	standings_view_points(score, a->score);
	if (a->why == TIEBREAK_DUMMY_OPPONENT)
		return (xalloc_printf("no game: a dummy, held to the %s of "
				      "player %d",
		    score, standings_view_number(v, (size_t)a->opponent)));
	if (a->why == TIEBREAK_DUMMY_DRAWS)
		return (xalloc_printf("no game: a dummy, held to %s, a draw "
				      "a round",
		    score));
	return (xalloc_printf("no game: a dummy with their own %s", score));
}

/* What an addend of a tie-break is; free(). */
static char *
standings_reason(const struct standings_view *v, enum tiebreak tie,
    const struct tiebreak_addend *a)
{
	char points[STANDINGS_CELL], score[STANDINGS_CELL], *s, *whom, *x;

	if (tie == TIEBREAK_PS)
		return (xalloc_str("points after that round"));
	whom = a->opponent < 0 ? xalloc_str("nobody")
			       : standings_view_whom(v, a->opponent);
	standings_view_points(score, a->score);
	standings_view_points(points, a->points);
	if (a->why == TIEBREAK_ROUND)
		s = xalloc_printf("against %s", whom);
	else if (a->why != TIEBREAK_MET)
		s = standings_dummy(v, a);
	else if (tie == TIEBREAK_SB)
		s = xalloc_str(whom);
	else
		s = xalloc_printf("%s, who counts %s", whom, score);
	if (tie == TIEBREAK_SB) {
		x = xalloc_printf("%s x %s: %s", points, score, s);
		free(s);
		s = x;
	}
	free(whom);
	return (s);
}

/* True if two are equal by all that comes before tie-break i. */
static bool
standings_tied(const struct standing *a, const struct standing *b, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (a->value[k] != b->value[k])
			return (false);
	return (a->points == b->points);
}

/* Calls back for each who is tied with a player before tie-break i. */
static void
standings_each_tied(const struct standings_view *v, const struct standing *s,
    size_t i, void (*each)(void *arg, size_t player), void *arg)
{
	size_t k;

	for (k = 0; k < v->in->table->n_players; k++)
		if (v->rows[k].player != s->player &&
		    standings_tied(&v->rows[k], s, i))
			each(arg, v->rows[k].player);
}

/* What is told of a direct encounter. */
struct standings_direct {
	const struct standings_view *v;
	size_t player;
	const struct standings_told *to; /* NULL: */
	json_t *games; /* for programs */
	struct buf missing; /* who was not met: the first of */
	size_t n_missing; /* so many */
};

/* A game against one of the tied. */
static void
standings_direct_game(struct standings_direct *d, int round, size_t other)
{
	const struct crosstable *t = d->v->in->table;
	const struct cross_game *g = crosstable_game(t, d->player, round);
	int half = crosstable_worth(t, (enum cross_result)g->result);
	char points[STANDINGS_CELL], *reason, *whom;

	if (d->to == NULL) {
		xalloc_append(d->games,
		    json_pack("{s:i, s:i, s:f}", "round", round, "opponent",
			standings_view_number(d->v, other), "value",
			half / 2.0));
		return;
	}
	whom = standings_view_whom(d->v, (int)other);
	reason = xalloc_printf("against %s", whom);
	d->to->addend(d->to->arg, round, standings_view_points(points, half),
	    false, reason);
	free(reason);
	free(whom);
}

/* All games against one of the tied. */
static void
standings_direct_cb(void *arg, size_t other)
{
	struct standings_direct *d = arg;
	const struct tiebreak_in *in = d->v->in;
	const struct cross_game *g;
	bool has_met = false;
	int r;

	for (r = 1; r <= in->rounds && r <= in->table->n_rounds; r++) {
		g = crosstable_game(in->table, d->player, r);
		if (g->opponent != (int)other ||
		    !(in->is_roundrobin ||
			crosstable_is_played((enum cross_result)g->result)))
			continue;
		has_met = true;
		standings_direct_game(d, r, other);
	}
	if (!has_met && ++d->n_missing <= STANDINGS_MISSING)
		buf_printf(&d->missing, "%s%d", d->missing.len == 0 ? "" : ", ",
		    standings_view_number(d->v, other));
}

/* Adds one to a count. */
static void
standings_count_cb(void *arg, size_t other)
{
	(void)other;
	++*(size_t *)arg;
}

/* Tells how a direct encounter, tie-break i, comes about. */
static void
standings_why_direct(const struct standings_told *to,
    const struct standings_view *v, size_t player, size_t i)
{
	const struct standing *s = standings_view_row(v, player);
	struct standings_direct d = {.v = v, .player = player, .to = to};
	size_t n = 0;
	char *note;

	standings_each_tied(v, s, i, standings_count_cb, &n);
	if (n == 0) {
		to->note(to->arg, "nobody is tied with them here");
		return;
	}
	buf_init(&d.missing, 0);
	standings_each_tied(v, s, i, standings_direct_cb, &d);
	if (s->value[i] == 0)
		note = xalloc_printf(
		    "it parts none of the %zu who are tied", n + 1);
	else
		note = xalloc_printf("place %lld of the %zu who are tied",
		    (long long)s->value[i], n + 1);
	to->note(to->arg, note);
	free(note);
	if (d.missing.len > 0) {
		if (d.n_missing > STANDINGS_MISSING)
			buf_printf(&d.missing, " and %zu more",
			    d.n_missing - STANDINGS_MISSING);
		note = xalloc_printf("has not met: %s", buf_str(&d.missing));
		to->note(to->arg, note);
		free(note);
	}
	buf_clear(&d.missing);
}

/* Tells how a value that is a sum comes about. */
static void
standings_why_sum(const struct standings_told *to,
    const struct standings_view *v, size_t player, size_t i)
{
	struct tiebreak_addend *a;
	char cell[STANDINGS_CELL], *reason;
	size_t k, n;

	if (tiebreak_addends(v->in, v->ties[i], player, &a, &n) != 0)
		xalloc_die();
	for (k = 0; k < n; k++) {
		reason = standings_reason(v, v->ties[i], &a[k]);
		to->addend(to->arg, a[k].round,
		    standings_view_value(
			cell, a[k].value, tiebreak_def(v->ties[i])->unit),
		    a[k].is_cut, reason);
		free(reason);
	}
	if (n == 0)
		to->note(to->arg, "nothing");
	free(a);
}

/* What a round was, for people; free(). */
static char *
standings_round(const struct standings_view *v, const struct cross_game *g)
{
	static const char *const words[] = {
	    [CROSS_NONE] = "no result",
	    [CROSS_WIN] = "beat",
	    [CROSS_DRAW] = "drew with",
	    [CROSS_LOSS] = "lost to",
	    [CROSS_FORFEIT_WIN] = "won by forfeit against",
	    [CROSS_FORFEIT_LOSS] = "lost by forfeit against",
	    [CROSS_BYE] = "bye: nobody was left to meet",
	    [CROSS_FULL_BYE] = "bye of a win's points",
	    [CROSS_HALF_BYE] = "bye of a draw's points",
	    [CROSS_ZERO_BYE] = "not there",
	};
	char *s, *whom;

	if (g->opponent < 0)
		return (xalloc_str(words[g->result]));
	whom = standings_view_whom(v, g->opponent);
	s = xalloc_printf("%s %s", words[g->result], whom);
	free(whom);
	return (s);
}

/* Tells how the points come about. */
static void
standings_why_points(const struct standings_told *to,
    const struct standings_view *v, const struct standing *s)
{
	const struct crosstable *t = v->in->table;
	const struct cross_game *g;
	char cell[STANDINGS_CELL], *reason;
	int half, r;

	to->value(
	    to->arg, "Points", standings_view_points(cell, s->points), NULL);
	for (r = 1; r <= v->in->rounds && r <= t->n_rounds; r++) {
		g = crosstable_game(t, s->player, r);
		reason = standings_round(v, g);
		half = crosstable_worth(t, (enum cross_result)g->result);
		to->addend(to->arg, r, standings_view_points(cell, half), false,
		    reason);
		free(reason);
	}
	half = crosstable_corrected(t, s->player, v->in->rounds);
	if (half == 0)
		return;
	reason =
	    xalloc_printf("%s%s%s  corrected by rulings", half < 0 ? "-" : "+",
		standings_view_points(cell, half < 0 ? -half : half),
		half < 0 && s->points == 0 ? " (to 0 at most)" : "");
	to->corrected(to->arg, reason);
	free(reason);
}

void
standings_view_why(const struct standings_view *v, size_t player,
    const struct standings_told *to)
{
	const struct standing *s = standings_view_row(v, player);
	const struct tiebreak_def *d;
	char cell[STANDINGS_CELL];
	size_t i;

	standings_why_points(to, v, s);
	for (i = 0; i < v->n_ties; i++) {
		d = tiebreak_def(v->ties[i]);
		to->value(to->arg, d->code,
		    standings_view_value(cell, s->value[i], d->unit), d->name);
		if (v->ties[i] == TIEBREAK_DE)
			standings_why_direct(to, v, player, i);
		else
			standings_why_sum(to, v, player, i);
	}
}

/* ---- for programs ---- */

json_t *
standings_view_json_value(int64_t value, int unit)
{
	if (unit == 1)
		return (json_integer((json_int_t)value));
	return (json_real((double)value / unit));
}

/* A row; new. */
static json_t *
standings_json_row(const struct standings_view *v, const struct standing *s)
{
	json_t *o, *values;
	size_t k;

	values = xalloc_json(json_object());
	for (k = 0; k < v->n_ties; k++)
		xalloc_set(values, tiebreak_def(v->ties[k])->code,
		    standings_view_json_value(
			s->value[k], tiebreak_def(v->ties[k])->unit));
	o = xalloc_json(json_pack("{s:i, s:i, s:o, s:f, s:o}", "rank", s->rank,
	    "player", standings_view_number(v, s->player), "name",
	    xalloc_json_str(v->name(v->arg, s->player)), "points",
	    s->points / 2.0, "ties", values));
	if (s->is_by_lot)
		xalloc_set(o, "by_lot", json_true());
	return (o);
}

/* What both begin with; new. */
static json_t *
standings_json_head(const struct standings_view *v)
{
	json_t *o, *ties;
	size_t k;

	ties = xalloc_json(json_array());
	for (k = 0; k < v->n_ties; k++)
		xalloc_append(
		    ties, json_string(tiebreak_def(v->ties[k])->code));
	o = xalloc_json(json_object());
	if (v->title[0] != '\0')
		xalloc_set(o, "tournament", xalloc_json_str(v->title));
	xalloc_set(o, "round", json_integer(v->in->rounds));
	if (v->in->table->rounds > 0)
		xalloc_set(o, "rounds", json_integer(v->in->table->rounds));
	xalloc_set(o, "ties", ties);
	return (o);
}

json_t *
standings_view_json(const struct standings_view *v)
{
	json_t *list, *o = standings_json_head(v);
	size_t i;

	list = xalloc_json(json_array());
	for (i = 0; i < v->in->table->n_players; i++)
		xalloc_append(list, standings_json_row(v, &v->rows[i]));
	xalloc_set(o, "standings", list);
	return (o);
}

/* The addends of tie-break i; new. */
static json_t *
standings_json_sum(const struct standings_view *v, size_t player, size_t i)
{
	static const char *const whys[] = {
	    [TIEBREAK_MET] = "met",
	    [TIEBREAK_DUMMY_OWN] = "dummy-own",
	    [TIEBREAK_DUMMY_OPPONENT] = "dummy-opponent",
	    [TIEBREAK_DUMMY_DRAWS] = "dummy-draws",
	    [TIEBREAK_ROUND] = "round",
	};
	struct tiebreak_addend *a;
	json_t *list, *o;
	size_t k, n;

	list = xalloc_json(json_array());
	if (tiebreak_addends(v->in, v->ties[i], player, &a, &n) != 0)
		xalloc_die();
	for (k = 0; k < n; k++) {
		o = xalloc_json(json_pack("{s:i, s:o, s:s, s:b}", "round",
		    a[k].round, "value",
		    standings_view_json_value(
			a[k].value, tiebreak_def(v->ties[i])->unit),
		    "why", whys[a[k].why], "cut", a[k].is_cut));
		if (a[k].opponent >= 0)
			xalloc_set(o, "opponent",
			    json_integer(standings_view_number(
				v, (size_t)a[k].opponent)));
		xalloc_append(list, o);
	}
	free(a);
	return (list);
}

/* The games of a direct encounter, tie-break i; new. */
static json_t *
standings_json_direct(const struct standings_view *v, size_t player, size_t i)
{
	struct standings_direct d = {.v = v, .player = player};

	d.games = xalloc_json(json_array());
	buf_init(&d.missing, 0);
	standings_each_tied(
	    v, standings_view_row(v, player), i, standings_direct_cb, &d);
	buf_clear(&d.missing);
	return (d.games);
}

json_t *
standings_view_json_why(const struct standings_view *v, size_t player)
{
	const struct standing *s = standings_view_row(v, player);
	json_t *o = standings_json_head(v), *list;
	size_t i;

	xalloc_set(o, "standing", standings_json_row(v, s));
	list = xalloc_json(json_object());
	for (i = 0; i < v->n_ties; i++)
		xalloc_set(list, tiebreak_def(v->ties[i])->code,
		    v->ties[i] == TIEBREAK_DE
			? standings_json_direct(v, player, i)
			: standings_json_sum(v, player, i));
	xalloc_set(o, "addends", list);
	return (o);
}
