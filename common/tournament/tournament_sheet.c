/* SPDX-License-Identifier: ISC */
/*
 * The rounds of a tournament as tie-breaks see them (record S20.2), and as a
 * TRF file (umpire tournament trf).
 */
#include "common/tournament/tournament_sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/standings.h"
#include "common/pairing/trf.h"
#include "common/tournament/tournament_int.h"

/* All who were ever in, ascending; new. */
static int *
tournament_sheet_listed(const struct tournament *t, size_t *n)
{
	int *list = calloc(t->n_entrants + 1, sizeof(*list));
	size_t i;

	*n = 0;
	for (i = 0; list != NULL && i < t->n_entrants; i++) {
		if (t->entrants[i].since > 0)
			list[(*n)++] = (int)i + 1;
	}
	return (list);
}

int
tournament_sheet_index(const int *list, size_t n, int number)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (list[i] == number)
			return ((int)i);
	}
	return (-1);
}

/* Of each number its place in the list, from 1 on; 0: it is not there.  New. */
static int *
tournament_sheet_at(const struct tournament *t, const int *list, size_t n)
{
	int *at = calloc(t->n_entrants + 1, sizeof(*at));
	size_t i;

	for (i = 0; at != NULL && i < n; i++)
		at[list[i]] = (int)i + 1;
	return (at);
}

/*
 * The rounds that are paired as a crosstable of one with so many; NULL without
 * memory.
 */
static struct crosstable *
tournament_sheet_table(
    const struct tournament *t, const int *list, size_t n, int planned)
{
	const int rounds = tournament_ranked(t);
	struct crosstable *table = crosstable_new(n, rounds);
	int *at = tournament_sheet_at(t, list, n);
	struct cross_game *game;
	int round, opponent;
	size_t i;

	if (table == NULL || at == NULL) {
		crosstable_free(table);
		free(at);
		return (NULL);
	}
	tournament_cross_points(t, &table->points);
	table->initial = t->initial;
	table->rounds = planned;
	for (i = 0; i < n; i++) {
		for (round = 1; round <= rounds; round++) {
			game = crosstable_game(table, i, round);
			*game = tournament_cross(t, list[i], round, &opponent);
			game->opponent =
			    (int16_t)(opponent > 0 ? at[opponent] - 1 : -1);
		}
	}
	free(at);
	for (i = 0; i < t->n_halves; i++) {
		if (crosstable_add_correction(table,
			tournament_sheet_index(list, n, t->halves[i].number),
			t->halves[i].round, t->halves[i].half) != 0) {
			crosstable_free(table);
			return (NULL);
		}
	}
	return (table);
}

/* The legs that were played, for battle points; new. */
static struct tiebreak_game *
tournament_sheet_games(
    const struct tournament *t, const int *list, size_t n, size_t *n_games)
{
	struct tiebreak_game *games = NULL, *grown;
	const struct tournament_table *table;
	int *at, round, leg;
	size_t i;

	*n_games = 0;
	if ((at = tournament_sheet_at(t, list, n)) == NULL)
		return (NULL);
	for (round = 1; round <= tournament_ranked(t); round++) {
		for (i = 0; i < tournament_round(t, round)->n_tables; i++) {
			table = &tournament_round(t, round)->tables[i];
			for (leg = 1; leg <= table->n_legs; leg++) {
				if (!tournament_is_played(
					table->legs[leg - 1].result))
					continue;
				grown = tournament_grow(
				    games, n_games, sizeof(*grown));
				if (grown == NULL) {
					free(games);
					free(at);
					return (NULL);
				}
				games = grown;
				games[*n_games - 1] = (struct tiebreak_game){
				    .round = round,
				    .leg = leg,
				    .player =
					{at[tournament_side(table, leg, 1)] - 1,
					    at[tournament_side(table, leg, 2)] -
						1},
				    .bp = table->legs[leg - 1].bp};
			}
		}
	}
	free(at);
	return (games == NULL ? calloc(1, sizeof(*games)) : games);
}

/* Each one's place by lot: who is not in the lots order comes behind. */
static void
tournament_sheet_places(
    const struct tournament *t, const int *list, size_t n, size_t *places)
{
	size_t i;

	for (i = 0; i < n; i++) {
		places[i] = (size_t)tournament_entrant(t, list[i])->lot;
		if (places[i] == 0)
			places[i] = t->n_entrants + (size_t)list[i];
	}
}

void
tournament_sheet_clear(struct tournament_sheet *s)
{
	crosstable_free(s->table);
	free(s->games);
	free(s->numbers);
	memset(s, 0, sizeof(*s));
}

int
tournament_sheet_make(
    const struct tournament *t, int rounds, struct tournament_sheet *s)
{
	memset(s, 0, sizeof(*s));
	if ((s->numbers = tournament_sheet_listed(t, &s->n)) == NULL)
		return (ERR_NOMEM);
	s->table =
	    tournament_sheet_table(t, s->numbers, s->n, tournament_ranked(t));
	s->games = tournament_sheet_games(t, s->numbers, s->n, &s->in.n_games);
	if (s->table == NULL || s->games == NULL) {
		tournament_sheet_clear(s);
		return (ERR_NOMEM);
	}
	s->in.table = s->table;
	s->in.games = s->games;
	s->in.rounds = tournament_ranked(t);
	if (rounds > 0 && rounds < s->in.rounds)
		s->in.rounds = rounds;
	s->in.is_roundrobin = t->terms.format == TERMS_ROUNDROBIN;
	return (0);
}

int
tournament_sheet_rank(const struct tournament *t,
    const struct tournament_sheet *s, bool with_lots, struct standing *rows,
    struct errinfo *e)
{
	size_t *places = calloc(s->n + 1, sizeof(*places));
	int r;

	if (places == NULL)
		return (ERR_NOMEM);
	tournament_sheet_places(t, s->numbers, s->n, places);
	r = standings_make(&s->in, t->terms.ties, t->terms.n_ties,
	    with_lots ? places : NULL, rows, e);
	free(places);
	return (r);
}

/* ---- TRF ---- */

/* Which of two has the lower pairing number: in a round robin by lot alone. */
static int
tournament_sheet_order(const struct tournament *t, int a, int b)
{
	if (t->terms.format != TERMS_ROUNDROBIN)
		return (tournament_rank(t, a, b));
	return (tournament_entrant(t, a)->lot - tournament_entrant(t, b)->lot);
}

/* Sorts numbers as pairing numbers go (S18.2, S18.6). */
static void
tournament_sheet_sort(const struct tournament *t, int *list, size_t n)
{
	size_t i, k;
	int x;

	for (i = 1; i < n; i++) {
		x = list[i];
		for (k = i;
		     k > 0 && tournament_sheet_order(t, list[k - 1], x) > 0;
		     k--)
			list[k] = list[k - 1];
		list[k] = x;
	}
}

/* Adds a line of a file; the first failure stays in *r. */
static void
tournament_sheet_add(struct trf *f, const char *tag, const char *text, int *r)
{
	if (*r == 0)
		*r = trf_add(f, tag, text);
}

/* The lines that say what tournament it is. */
static int
tournament_sheet_head(
    const struct tournament *t, const struct tournament_sheet *s, struct trf *f)
{
	static const char *const formats[] = {
	    [TERMS_SWISS] = "Individual: Swiss-System (FIDE Dutch)",
	    [TERMS_ROUNDROBIN] = "Individual: Round-Robin",
	    [TERMS_KNOCKOUT] = "Individual: Knock-Out",
	    [TERMS_SWISS_KNOCKOUT] = "Individual: Swiss-System (FIDE Dutch)",
	};
	char at[CLOCK_AT_LEN + 1], text[64];
	struct buf b;
	size_t i;
	int r = 0;

	tournament_sheet_add(f, "012", t->terms.event, &r);
	clock_format(at, t->start_ms);
	at[10] = '\0';
	tournament_sheet_add(f, "042", at, &r);
	clock_format(at, t->last_ms);
	at[10] = '\0';
	tournament_sheet_add(f, "052", at, &r);
	(void)snprintf(text, sizeof(text), "%zu", s->n);
	tournament_sheet_add(f, "062", text, &r);
	tournament_sheet_add(f, "092", formats[t->terms.format], &r);
	if (t->terms.format == TERMS_ROUNDROBIN)
		tournament_sheet_add(f, "192",
		    t->terms.rounds == 2 ? "FIDE_DOUBLEROUNDROBIN"
					 : "FIDE_ROUNDROBIN",
		    &r);
	else if (t->terms.format == TERMS_KNOCKOUT)
		tournament_sheet_add(f, "192", "CUSTOM_KNOCKOUT", &r);
	tournament_sheet_add(f, "102", t->terms.director.account, &r);
	/* BP and BPA are in no file: it has no battle points. */
	buf_init(&b, 0);
	for (i = 0; i < t->terms.n_ties; i++) {
		if (t->terms.ties[i] == TIEBREAK_BP ||
		    t->terms.ties[i] == TIEBREAK_BPA)
			continue;
		buf_printf(&b, "%s%s", b.len == 0 ? "" : ",",
		    tiebreak_def(t->terms.ties[i])->code);
	}
	if (b.len > 0)
		tournament_sheet_add(f, "202", buf_str(&b), &r);
	buf_clear(&b);
	return (r);
}

/* Clubs apart, round by round where that could be; and rulings `apart`. */
static int
tournament_sheet_apart(
    const struct tournament *t, const struct tournament_sheet *s)
{
	const struct tournament_entrant *x, *y;
	int last = t->terms.apart, pair[2], r = 0, round;
	int *list = calloc(s->n + 1, sizeof(*list));
	size_t i, k, n;

	if (list == NULL)
		return (ERR_NOMEM);
	for (i = 0; r == 0 && i < t->n_aparts; i++) {
		for (k = n = 0; k < t->aparts[i].n; k++) {
			list[n] = tournament_sheet_index(
			    s->numbers, s->n, t->aparts[i].numbers[k]);
			n += list[n] >= 0;
		}
		if (n > 1)
			r = crosstable_add_apart(s->table, t->aparts[i].from,
			    t->aparts[i].to, list, n);
	}
	free(list);
	if (last > tournament_ranked(t))
		last = tournament_ranked(t);
	for (round = 1; round <= last; round++) {
		if (!tournament_round(t, round)->is_apart)
			continue;
		for (i = 0; r == 0 && i < s->n; i++) {
			x = tournament_entrant(t, s->numbers[i]);
			for (k = 0; *x->club != '\0' && k < i && r == 0; k++) {
				y = tournament_entrant(t, s->numbers[k]);
				pair[0] = (int)k;
				pair[1] = (int)i;
				if (strcmp(x->club, y->club) == 0)
					r = crosstable_add_apart(
					    s->table, round, round, pair, 2);
			}
		}
	}
	return (r);
}

/* Says of the next round who is not there, as pairing programs need it. */
static int
tournament_sheet_next(
    const struct tournament *t, const struct tournament_sheet *s, int round)
{
	const struct tournament_entrant *x;
	struct cross_game *game;
	size_t i;
	int r;

	if ((r = crosstable_widen(s->table, round)) != 0)
		return (r);
	for (i = 0; i < s->n; i++) {
		x = tournament_entrant(t, s->numbers[i]);
		if (tournament_is_in(x, round) &&
		    !(round < TOURNAMENT_ROUNDS_SWISS && x->takes_bye[round]))
			continue;
		game = crosstable_game(s->table, i, round);
		game->result = (int8_t)(t->terms.points.asked > 0 &&
			    tournament_is_in(x, round)
			? CROSS_HALF_BYE
			: CROSS_ZERO_BYE);
	}
	return (0);
}

/* Leaves of a table so many rounds, and the corrections of these. */
static int
tournament_sheet_cut(struct crosstable *table, int rounds)
{
	const size_t had = (size_t)table->n_rounds, has = (size_t)rounds;
	struct cross_game *games;
	size_t i, n = 0;

	if (has >= had)
		return (0);
	games = calloc(table->n_players * has + 1, sizeof(*games));
	if (games == NULL)
		return (ERR_NOMEM);
	for (i = 0; i < table->n_players; i++)
		memcpy(&games[i * has], &table->games[i * had],
		    has * sizeof(*games));
	free(table->games);
	table->games = games;
	table->n_rounds = rounds;
	for (i = 0; i < table->n_corrections; i++) {
		if (table->corrections[i].round <= rounds)
			table->corrections[n++] = table->corrections[i];
	}
	table->n_corrections = n;
	return (0);
}

/* A name of so many characters at most, that is UTF-8 and breaks no line. */
static void
tournament_sheet_name(char name[TRF_NAME * 4 + 1], const char *from)
{
	size_t n = 0;
	int chars = 0;

	for (; *from != '\0' && n < TRF_NAME * 4; from++) {
		if (((unsigned char)*from & 0xc0) != 0x80 &&
		    chars++ == TRF_NAME)
			break;
		name[n++] = (unsigned char)*from < 0x20 ? ' ' : *from;
	}
	name[n] = '\0';
}

/*
 * Forfeits get the sides of their tables: programs ask for one, and count none.
 */
static void
tournament_sheet_sides(
    const struct tournament *t, const struct tournament_sheet *s, int rounds)
{
	const struct tournament_table *table;
	struct cross_game *game;
	bool has_bye;
	int round;
	size_t i;

	for (i = 0; i < s->n; i++) {
		for (round = 1; round <= rounds; round++) {
			game = crosstable_game(s->table, i, round);
			table = tournament_table_of(tournament_round(t, round),
			    s->numbers[i], &has_bye);
			if (game->opponent >= 0 && game->side == 0)
				game->side = table->a == s->numbers[i] ? 1 : 2;
		}
	}
}

/* Fills in what the file says of each. */
static void
tournament_sheet_players(const struct tournament *t,
    const struct tournament_sheet *s, int rounds, char *const *names,
    struct trf *f)
{
	const char *name;
	size_t i;

	for (i = 0; i < s->n; i++) {
		name = names == NULL ? NULL : names[s->numbers[i] - 1];
		if (name == NULL)
			name = tournament_account(t, s->numbers[i]);
		tournament_sheet_name(f->players[i].name, name);
		f->players[i].points = crosstable_score(s->table, i, rounds);
		if (t->terms.is_rated)
			s->table->players[i].rating =
			    tournament_entrant(t, s->numbers[i])->rating;
	}
}

int
tournament_sheet_trf(const struct tournament *t, int rounds, bool with_next,
    char *const *names, struct trf **out, int **numbers)
{
	struct tournament_sheet s = {.n = 0};
	struct trf *f = NULL;
	int r = ERR_NOMEM;

	if (rounds <= 0 || rounds > tournament_ranked(t))
		rounds = tournament_ranked(t);
	if ((s.numbers = tournament_sheet_listed(t, &s.n)) == NULL)
		return (ERR_NOMEM);
	tournament_sheet_sort(t, s.numbers, s.n);
	s.table = tournament_sheet_table(t, s.numbers, s.n,
	    t->terms.format == TERMS_SWISS_KNOCKOUT ? t->rounds_swiss
						    : tournament_rounds(t));
	if (s.table == NULL || (f = trf_new(s.n, rounds)) == NULL)
		goto out;
	/* Later rounds are cut off: columns are read up to n_rounds. */
	if ((r = tournament_sheet_cut(s.table, rounds)) != 0 ||
	    (r = tournament_sheet_apart(t, &s)) != 0)
		goto out;
	tournament_sheet_sides(t, &s, rounds);
	tournament_sheet_players(t, &s, rounds, names, f);
	if (with_next)
		r = tournament_sheet_next(t, &s, rounds + 1);
	if (r == 0)
		r = tournament_sheet_head(t, &s, f);
out:
	if (r == 0) {
		crosstable_free(f->table);
		f->table = s.table;
		s.table = NULL;
		*out = f;
		if (numbers != NULL) {
			*numbers = s.numbers;
			s.numbers = NULL;
		}
	} else {
		trf_free(f);
	}
	tournament_sheet_clear(&s);
	return (r);
}
