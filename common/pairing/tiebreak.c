/* SPDX-License-Identifier: ISC */
/*
 * Numbers of articles are those of C.07.  A round in which nothing stands for
 * a player counts as a zero-point bye.  Corrections, which are no result, are
 * points in the standings but in no tie-break.
 */
#include "common/pairing/tiebreak.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/pairing/crosstable.h"

#define TIEBREAK_LEGS 4 /* a table has hardly more */

static const struct tiebreak_def tiebreak_defs[TIEBREAK_N] = {
    [TIEBREAK_DE] = {"DE", "direct encounter", 1, true, false},
    [TIEBREAK_BH] = {"BH", "Buchholz", 2, false, true},
    [TIEBREAK_BH_C1] = {"BH/C1", "Buchholz, least cut", 2, false, true},
    [TIEBREAK_BH_C2] = {"BH/C2", "Buchholz, two least cut", 2, false, true},
    [TIEBREAK_BH_M1] = {"BH/M1", "Buchholz, least and greatest cut", 2, false,
	true},
    [TIEBREAK_SB] = {"SB", "Sonneborn-Berger", 4, false, false},
    [TIEBREAK_WIN] = {"WIN", "rounds with a win's points", 1, false, false},
    [TIEBREAK_WON] = {"WON", "games won", 1, false, false},
    [TIEBREAK_PS] = {"PS", "progressive score", 2, false, false},
    [TIEBREAK_FB] = {"FB", "fore Buchholz", 2, false, true},
    [TIEBREAK_REP] = {"REP", "rounds elected to play", 1, false, false},
    [TIEBREAK_BPG] = {"BPG", "games played on side 2", 1, false, false},
    [TIEBREAK_BP] = {"BP", "battle points", 1, false, false},
    [TIEBREAK_BPA] = {"BPA", "battle points above the others there", 1, false,
	false},
};

const struct tiebreak_def *
tiebreak_def(enum tiebreak tie)
{
	return (&tiebreak_defs[tie]);
}

int
tiebreak_find(const char *code, size_t len, enum tiebreak *tie)
{
	const char *c;
	int i;

	for (i = 0; i < TIEBREAK_N; i++) {
		c = tiebreak_defs[i].code;
		if (strlen(c) == len && strncasecmp(c, code, len) == 0) {
			*tie = (enum tiebreak)i;
			return (0);
		}
	}
	return (ERR_NOTFOUND);
}

/* A player's round; one that has no column is empty. */
static const struct cross_game *
tiebreak_round(const struct tiebreak_in *in, size_t player, int round)
{
	static const struct cross_game none = {.opponent = -1};

	if (round > in->table->n_rounds)
		return (&none);
	return (crosstable_game(in->table, player, round));
}

/* What it brought. */
static int
tiebreak_points(const struct tiebreak_in *in, const struct cross_game *g)
{
	return (crosstable_worth(in->table, (enum cross_result)g->result));
}

/* True for a bye that was asked for: of half a point or none (16.1.1). */
static bool
tiebreak_requested(const struct cross_game *g)
{
	return (g->result == CROSS_HALF_BYE || g->result == CROSS_ZERO_BYE ||
	    g->result == CROSS_NONE);
}

/* True for a round that the player chose not to play (VUR, 16.1.2). */
static bool
tiebreak_voluntary(const struct cross_game *g)
{
	return (tiebreak_requested(g) || g->result == CROSS_FORFEIT_LOSS);
}

/* True for a game, or in a round robin for what counts as one (15.2). */
static bool
tiebreak_met(const struct tiebreak_in *in, const struct cross_game *g)
{
	return (g->opponent >= 0 &&
	    (in->is_roundrobin ||
		crosstable_is_played((enum cross_result)g->result)));
}

/*
 * True if it is the last round and the player is paired in it: fore Buchholz
 * takes that for a draw (8.3).
 */
static bool
tiebreak_is_fore(
    const struct tiebreak_in *in, const struct cross_game *g, int round)
{
	return (round == in->rounds && g->opponent >= 0);
}

int
tiebreak_adjusted(const struct tiebreak_in *in, size_t player, bool is_fore)
{
	const struct cross_game *g;
	bool is_open = !in->is_roundrobin;
	int half = 0, r;

	for (r = in->rounds; r > 0; r--) {
		g = tiebreak_round(in, player, r);
		if (is_fore && tiebreak_is_fore(in, g, r)) {
			is_open = false;
			half += in->table->points.draw;
			continue;
		}
		is_open = is_open && tiebreak_voluntary(g);
		half += is_open && tiebreak_requested(g)
		    ? in->table->points.draw
		    : tiebreak_points(in, g);
	}
	return (half);
}

/* A player's own score; with is_fore a game of the last round is drawn. */
static int
tiebreak_own(const struct tiebreak_in *in, size_t player, bool is_fore)
{
	const struct cross_game *g;
	int half = 0, r;

	for (r = 1; r <= in->rounds; r++) {
		g = tiebreak_round(in, player, r);
		half += is_fore && tiebreak_is_fore(in, g, r)
		    ? in->table->points.draw
		    : tiebreak_points(in, g);
	}
	return (half);
}

/* Who stands for the opponent of a round without a game (16.4). */
static void
tiebreak_dummy(const struct tiebreak_in *in, const struct cross_game *g,
    int own, bool is_fore, struct tiebreak_addend *a)
{
	int most = in->rounds * in->table->points.draw;

	a->why = TIEBREAK_DUMMY_DRAWS;
	if (g->opponent >= 0) {
		a->why = TIEBREAK_DUMMY_OPPONENT;
		most = tiebreak_adjusted(in, (size_t)g->opponent, is_fore);
	}
	a->score = most;
	if (own <= most) {
		a->why = TIEBREAK_DUMMY_OWN;
		a->score = own;
	}
}

/* The addends of Buchholz and Sonneborn-Berger; *vur has who are VURs. */
static size_t
tiebreak_scores(const struct tiebreak_in *in, enum tiebreak tie, size_t player,
    struct tiebreak_addend *out, bool *vur)
{
	bool is_fore = tie == TIEBREAK_FB;
	int own = tiebreak_own(in, player, is_fore), r;
	const struct cross_game *g;
	struct tiebreak_addend *a;
	size_t n = 0;

	for (r = 1; r <= in->rounds; r++) {
		g = tiebreak_round(in, player, r);
		if (in->is_roundrobin && g->opponent < 0)
			continue;
		a = &out[n];
		memset(a, 0, sizeof(*a));
		a->round = r;
		a->opponent = g->opponent;
		a->points = tiebreak_points(in, g);
		vur[n] = false;
		if (tiebreak_met(in, g) ||
		    (is_fore && tiebreak_is_fore(in, g, r))) {
			a->why = TIEBREAK_MET;
			a->score =
			    tiebreak_adjusted(in, (size_t)g->opponent, is_fore);
		} else {
			vur[n] = tiebreak_voluntary(g);
			tiebreak_dummy(in, g, own, is_fore, a);
		}
		a->value = tie == TIEBREAK_SB ? (int64_t)a->score * a->points
					      : a->score;
		n++;
	}
	return (n);
}

/* Takes out the least or the greatest; of VURs alone, if is_vur. */
static size_t
tiebreak_pick(const struct tiebreak_addend *a, const bool *vur, size_t n,
    bool is_vur, bool is_greatest)
{
	size_t best = n, i;

	for (i = 0; i < n; i++) {
		if (a[i].is_cut || (is_vur && !vur[i]))
			continue;
		if (best == n ||
		    (is_greatest ? a[i].value > a[best].value
				 : a[i].value < a[best].value))
			best = i;
	}
	return (best);
}

/*
 * Cuts the least: of those of VURs, if there are, since that of a VUR is
 * never less than the least of all (16.5).
 */
static void
tiebreak_cut_least(struct tiebreak_addend *a, const bool *vur, size_t n)
{
	size_t i = tiebreak_pick(a, vur, n, true, false);

	if (i == n)
		i = tiebreak_pick(a, vur, n, false, false);
	if (i < n)
		a[i].is_cut = true;
}

/* Cuts what the tie-break leaves out (14.1 to 14.3). */
static void
tiebreak_cut(
    enum tiebreak tie, struct tiebreak_addend *a, const bool *vur, size_t n)
{
	size_t i;

	if (tie == TIEBREAK_BH_C1 || tie == TIEBREAK_BH_C2 ||
	    tie == TIEBREAK_BH_M1)
		tiebreak_cut_least(a, vur, n);
	if (tie == TIEBREAK_BH_C2)
		tiebreak_cut_least(a, vur, n);
	if (tie == TIEBREAK_BH_M1) {
		i = tiebreak_pick(a, vur, n, false, true);
		if (i < n)
			a[i].is_cut = true;
	}
}

/* What the rounds up to one brought. */
static int
tiebreak_until(const struct tiebreak_in *in, size_t player, int round)
{
	int half = 0, r;

	for (r = 1; r <= round; r++)
		half += tiebreak_points(in, tiebreak_round(in, player, r));
	return (half);
}

/* What a round adds to a tie-break of a player's own record (7). */
static int64_t
tiebreak_record(const struct tiebreak_in *in, enum tiebreak tie, size_t player,
    const struct cross_game *g, int round)
{
	/* 15.2: of forfeits in a round robin only those lost are no games. */
	bool is_game = tiebreak_met(in, g) && g->result != CROSS_FORFEIT_LOSS;

	switch (tie) {
	case TIEBREAK_WIN:
		return (tiebreak_points(in, g) == in->table->points.win);
	case TIEBREAK_WON:
		return (is_game &&
		    (g->result == CROSS_WIN || g->result == CROSS_FORFEIT_WIN));
	case TIEBREAK_PS:
		return (tiebreak_until(in, player, round));
	case TIEBREAK_REP:
		return (!tiebreak_voluntary(g));
	case TIEBREAK_BPG:
		return (is_game && g->side == 2);
	default:
		return (0);
	}
}

/* The addends of such a tie-break: what is not 0. */
static size_t
tiebreak_records(const struct tiebreak_in *in, enum tiebreak tie, size_t player,
    struct tiebreak_addend *out)
{
	const struct cross_game *g;
	int64_t value;
	size_t n = 0;
	int r;

	for (r = 1; r <= in->rounds; r++) {
		g = tiebreak_round(in, player, r);
		value = tiebreak_record(in, tie, player, g, r);
		if (value != 0)
			out[n++] = (struct tiebreak_addend){.round = r,
			    .opponent = g->opponent,
			    .why = TIEBREAK_ROUND,
			    .points = tiebreak_points(in, g),
			    .value = value};
	}
	return (n);
}

/* Rounded down, also below 0. */
static int64_t
tiebreak_floor(int64_t a, int64_t b)
{
	return (a / b - (a % b != 0 && a < 0));
}

/* The games of a round and leg: how many, and the sum of their points. */
struct tiebreak_mean {
	int64_t k, sum;
};

/* Those of the round and leg of a game. */
static struct tiebreak_mean
tiebreak_mean(const struct tiebreak_in *in, const struct tiebreak_game *g)
{
	struct tiebreak_mean m = {.k = 0};
	size_t i;

	for (i = 0; i < in->n_games; i++)
		if (in->games[i].round == g->round &&
		    in->games[i].leg == g->leg) {
			m.k++;
			m.sum += in->games[i].bp;
		}
	return (m);
}

/* How much better than that mean a game was for a side, rounded down. */
static int64_t
tiebreak_above(struct tiebreak_mean m, const struct tiebreak_game *g, int side)
{
	if (side == 2)
		return (tiebreak_floor(-m.k * g->bp + m.sum, m.k));
	return (tiebreak_floor(m.k * g->bp - m.sum, m.k));
}

/* The addends of battle points. */
static size_t
tiebreak_battle(const struct tiebreak_in *in, enum tiebreak tie, size_t player,
    struct tiebreak_addend *out)
{
	const struct tiebreak_game *g;
	size_t i, n = 0;
	int side;

	for (i = 0; i < in->n_games; i++) {
		g = &in->games[i];
		if (g->round > in->rounds)
			continue;
		if (g->player[0] == (int)player)
			side = 1;
		else if (g->player[1] == (int)player)
			side = 2;
		else
			continue;
		out[n++] = (struct tiebreak_addend){.round = g->round,
		    .leg = g->leg,
		    .opponent = g->player[2 - side],
		    .why = TIEBREAK_ROUND,
		    .value = tie == TIEBREAK_BPA
			? tiebreak_above(tiebreak_mean(in, g), g, side)
			: side == 1 ? g->bp
				    : -g->bp};
	}
	return (n);
}

int
tiebreak_addends(const struct tiebreak_in *in, enum tiebreak tie, size_t player,
    struct tiebreak_addend **out, size_t *n)
{
	bool vur[CROSSTABLE_ROUNDS_MAX + 1];
	struct tiebreak_addend *a;
	size_t most = (size_t)in->rounds;

	if (tie == TIEBREAK_BP || tie == TIEBREAK_BPA)
		most = in->n_games;
	if ((a = calloc(most + 1, sizeof(*a))) == NULL)
		return (ERR_NOMEM);
	switch (tie) {
	case TIEBREAK_BH:
	case TIEBREAK_BH_C1:
	case TIEBREAK_BH_C2:
	case TIEBREAK_BH_M1:
	case TIEBREAK_SB:
	case TIEBREAK_FB:
		*n = tiebreak_scores(in, tie, player, a, vur);
		tiebreak_cut(tie, a, vur, *n);
		break;
	case TIEBREAK_BP:
	case TIEBREAK_BPA:
		*n = tiebreak_battle(in, tie, player, a);
		break;
	case TIEBREAK_WIN:
	case TIEBREAK_WON:
	case TIEBREAK_PS:
	case TIEBREAK_REP:
	case TIEBREAK_BPG:
		*n = tiebreak_records(in, tie, player, a);
		break;
	case TIEBREAK_DE:
	case TIEBREAK_N:
		*n = 0;
		break;
	}
	*out = a;
	return (0);
}

int
tiebreak_value(const struct tiebreak_in *in, enum tiebreak tie, size_t player,
    int64_t *value)
{
	struct tiebreak_addend *a;
	int64_t sum = 0;
	size_t i, n;
	int r;

	if ((r = tiebreak_addends(in, tie, player, &a, &n)) != 0)
		return (r);
	for (i = 0; i < n; i++)
		if (!a[i].is_cut)
			sum += a[i].value;
	free(a);
	*value = sum;
	return (0);
}

/*
 * The battle points of all players.  Games lie in the order of rounds: a mean
 * is worked out once for each round and leg, and not for each game.
 */
static void
tiebreak_battles(const struct tiebreak_in *in, enum tiebreak tie, int64_t *out)
{
	struct tiebreak_mean means[TIEBREAK_LEGS] = {{.k = 0}}, m;
	int of[TIEBREAK_LEGS] = {0}; /* rounds */
	const struct tiebreak_game *g;
	bool is_above = tie == TIEBREAK_BPA;
	size_t at, i;

	for (i = 0; i < in->n_games; i++) {
		g = &in->games[i];
		if (g->round > in->rounds)
			continue;
		at = (size_t)g->leg % TIEBREAK_LEGS;
		if (is_above && (of[at] != g->round || g->leg != (int)at)) {
			means[at] = tiebreak_mean(in, g);
			of[at] = g->leg == (int)at ? g->round : 0;
		}
		m = means[at];
		if (g->player[0] >= 0)
			out[g->player[0]] +=
			    is_above ? tiebreak_above(m, g, 1) : g->bp;
		if (g->player[1] >= 0)
			out[g->player[1]] +=
			    is_above ? tiebreak_above(m, g, 2) : -g->bp;
	}
}

int
tiebreak_values(const struct tiebreak_in *in, enum tiebreak tie, int64_t *out)
{
	size_t i;
	int r = 0;

	memset(out, 0, in->table->n_players * sizeof(*out));
	if (tie == TIEBREAK_BP || tie == TIEBREAK_BPA)
		tiebreak_battles(in, tie, out);
	else
		for (i = 0; i < in->table->n_players && r == 0; i++)
			r = tiebreak_value(in, tie, i, &out[i]);
	return (r);
}
