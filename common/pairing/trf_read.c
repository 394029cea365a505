/* SPDX-License-Identifier: ISC */
/*
 * A TRF file into a crosstable.  The file is gone through twice: first for the
 * numbers of the players, so that each line that follows can be put where it
 * belongs, then line by line.  Columns are counted from 0 here, one less than
 * in the format's text.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/utf8.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/trf.h"
#include "common/pairing/trf_fields.h"

#define TRF_POINTS 80 /* columns: where a player's points begin */
#define TRF_GAMES 91 /* and the games */
#define TRF_GAME 10 /* width of a game */

/* A bye that is asked for beside the games (240, XXZ). */
struct trf_bye {
	int line;
	int round; /* 0: the next one to be paired */
	int player;
	enum cross_result result;
};

/* A tag and what reads its line. */
struct trf_tag {
	const char *tag;
	int (*read)(struct trf_reader *rd);
};

/* Notes that this line asks of pairings what is not done here. */
static void
trf_unpairable(struct trf_reader *rd, const char *what)
{
	struct trf *t = rd->t;

	if (t->unpairable_line != 0)
		return;
	t->unpairable_line = rd->line;
	(void)snprintf(t->unpairable, sizeof(t->unpairable), "%s", what);
}

/* Keeps a line that nothing depends on. */
static int
trf_keep(struct trf_reader *rd)
{
	char tag[4] = {0}, *text;
	size_t i;
	int r;

	for (i = 0; i < 3; i++)
		tag[i] = (char)trf_at(rd, i);
	if ((text = malloc((rd->n + 1) * UTF8_LEN)) == NULL)
		return (ERR_NOMEM);
	trf_string(rd, 4, rd->n, text);
	r = trf_add(rd->t, tag, text);
	free(text);
	return (r);
}

/* The same of a line of columns, which trf_keep() would move. */
static int
trf_columns(struct trf_reader *rd)
{
	char tag[4] = {0}, *text;
	size_t i, len = 0;
	int r;

	for (i = 0; i < 3; i++)
		tag[i] = (char)trf_at(rd, i);
	if ((text = malloc((rd->n + 1) * UTF8_LEN)) == NULL)
		return (ERR_NOMEM);
	for (i = 4; i < rd->n; i++)
		len += utf8_put(text + len, rd->col[i]);
	text[len] = '\0';
	r = trf_add(rd->t, tag, text);
	free(text);
	return (r);
}

/* 082: so many teams. */
static int
trf_teams(struct trf_reader *rd)
{
	int n, r;

	r = trf_int(rd, 3, rd->n, "the number of teams", 0, 9999, &n);
	if (r == 0 && n > 0)
		r = trf_bad(
		    rd, ERR_INVALID, "tournaments of teams are not supported");
	return (r != 0 ? r : trf_keep(rd));
}

/* What only tournaments of teams have. */
static int
trf_team(struct trf_reader *rd)
{
	return (trf_bad(rd, ERR_INVALID,
	    "tournaments of teams are not supported: tag %c%c%c",
	    (int)rd->col[0], (int)rd->col[1], (int)rd->col[2]));
}

/* 142, XXR: how many rounds there will be. */
static int
trf_rounds(struct trf_reader *rd)
{
	return (trf_int(rd, 3, rd->n, "the number of rounds", 1,
	    CROSSTABLE_ROUNDS_MAX, &rd->t->table->rounds));
}

/* 152: the initial colour. */
static int
trf_initial(struct trf_reader *rd)
{
	uint32_t c = trf_at(rd, 4) & ~0x20U;

	if (rd->n != 5 || (c != 'W' && c != 'B'))
		return (trf_bad(
		    rd, ERR_MALFORMED, "the initial colour must be W or B"));
	rd->t->table->initial = c == 'W' ? 1 : 2;
	return (0);
}

/* XXC: the initial colour, or ranks for pairing numbers. */
static int
trf_xxc(struct trf_reader *rd)
{
	char word[6 * UTF8_LEN + 1];
	size_t from, to = 3;

	while (trf_word(rd, &from, &to)) {
		trf_string(rd, from, to - from > 6 ? from : to, word);
		if (strcmp(word, "white1") == 0)
			rd->t->table->initial = 1;
		else if (strcmp(word, "black1") == 0)
			rd->t->table->initial = 2;
		else if (strcmp(word, "rank") == 0)
			trf_unpairable(rd, "pairing numbers by rank");
		else
			return (trf_bad(rd, ERR_MALFORMED,
			    "XXC has white1, black1 or rank"));
	}
	return (0);
}

/* Sets what a result is worth, by its letter (162). */
static int
trf_worth(struct trf_reader *rd, uint32_t letter, int half)
{
	struct cross_points *p = &rd->t->table->points;

	switch (letter) {
	case 'W':
		p->win = half;
		break;
	case 'D':
		p->draw = half;
		break;
	case 'L':
		p->loss = half;
		break;
	case 'A':
	case 'Z':
		p->absent = half;
		p->forfeit_loss = half;
		break;
	case 'P':
		p->bye = half;
		rd->has_bye_points = true;
		break;
	case 'X': /* of results that this format has no letter for */
		break;
	default:
		return (trf_bad(rd, ERR_MALFORMED,
		    "162 has points for W, D, L, A, P and X, nine columns "
		    "apart"));
	}
	return (0);
}

/* 162: what results are worth. */
static int
trf_points(struct trf_reader *rd)
{
	size_t i;
	int half, r;

	if (!trf_blank(rd, 3, 5))
		return (trf_worth(rd, 0, 0));
	for (i = 5; i < rd->n; i += 9) {
		half = -1;
		r = trf_half(rd, i + 1, i + 5, "162", false, &half);
		if (r == 0 && (half < 0 || !trf_blank(rd, i + 5, i + 9)))
			r = trf_worth(rd, 0, 0);
		if (r == 0)
			r = trf_worth(rd, trf_at(rd, i) & ~0x20U, half);
		if (r != 0)
			return (r);
	}
	return (0);
}

/* BBW, BBD, BBL, BBZ, BBF, BBU: one of those each. */
static int
trf_bb(struct trf_reader *rd)
{
	struct cross_points *p = &rd->t->table->points;
	uint32_t letter = trf_at(rd, 2);
	int half = -1, r;

	r = trf_half(rd, 3, rd->n, "this", false, &half);
	if (r == 0 && half < 0)
		r = trf_bad(rd, ERR_MALFORMED, "the points are missing");
	if (r != 0)
		return (r);
	if (letter == 'Z')
		p->absent = half;
	else if (letter == 'F')
		p->forfeit_loss = half;
	else
		r = trf_worth(rd, letter == 'U' ? 'P' : letter, half);
	return (r);
}

/* 192: the kind of tournament. */
static int
trf_type(struct trf_reader *rd)
{
	const char *type;
	char what[80];
	int r;

	if ((r = trf_keep(rd)) != 0)
		return (r);
	type = rd->t->lines[rd->t->n_lines - 1].text;
	if (strstr(type, "TEAM") != NULL)
		return (trf_bad(
		    rd, ERR_INVALID, "tournaments of teams are not supported"));
	if (strcmp(type, "FIDE_DUTCH") != 0 &&
	    strcmp(type, "FIDE_DUTCH_2025") != 0) {
		(void)snprintf(what, sizeof(what), "pairings of %.50s", type);
		trf_unpairable(rd, what);
	}
	return (0);
}

/* Adds a bye that is asked for. */
static int
trf_add_bye(
    struct trf_reader *rd, int round, int player, enum cross_result result)
{
	struct trf_bye *b;

	b = realloc(rd->byes, (rd->n_byes + 1) * sizeof(*b));
	if (b == NULL)
		return (ERR_NOMEM);
	rd->byes = b;
	b[rd->n_byes++] = (struct trf_bye){rd->line, round, player, result};
	return (0);
}

/* 240: byes of a round. */
static int
trf_byes(struct trf_reader *rd)
{
	enum cross_result result;
	uint32_t c = trf_at(rd, 4) & ~0x20U;
	int player, r, round;
	size_t i;

	result = c == 'F' ? CROSS_FULL_BYE
	    : c == 'H'    ? CROSS_HALF_BYE
	    : c == 'Z'    ? CROSS_ZERO_BYE
			  : CROSS_NONE;
	if (result == CROSS_NONE || !trf_blank(rd, 5, 6))
		return (trf_bad(
		    rd, ERR_MALFORMED, "240 has byes of type F, H or Z"));
	r = trf_int(rd, 6, 9, "the round", 1, CROSSTABLE_ROUNDS_MAX, &round);
	for (i = 9; i < rd->n && r == 0; i += 5) {
		r = trf_someone(rd, i, i + 5, &player);
		if (r == 0)
			r = trf_add_bye(rd, round, player, result);
	}
	return (r);
}

/* XXZ: who is not there in the next round. */
static int
trf_xxz(struct trf_reader *rd)
{
	size_t from, to = 3;
	int player, r;

	while (trf_word(rd, &from, &to)) {
		if ((r = trf_someone(rd, from, to, &player)) != 0 ||
		    (r = trf_add_bye(rd, 0, player, CROSS_ZERO_BYE)) != 0)
			return (r);
	}
	return (0);
}

/* 250, XXA: acceleration, which pairings would have to know. */
static int
trf_accelerated(struct trf_reader *rd)
{
	trf_unpairable(rd, "acceleration");
	return (0);
}

/* 260, XXP: players who may not meet. */
static int
trf_apart(struct trf_reader *rd)
{
	bool is_xxp = trf_tagged(rd, "XXP");
	int first = 1, last = CROSSTABLE_ROUNDS_MAX, r = 0, *players;
	size_t from, n = 0, to = 3;

	if ((players = malloc((rd->n + 1) * sizeof(*players))) == NULL)
		return (ERR_NOMEM);
	if (!is_xxp) {
		r = trf_int(rd, 3, 7, "the first round", 1,
		    CROSSTABLE_ROUNDS_MAX, &first);
		if (r == 0)
			r = trf_int(rd, 7, 11, "the last round", 1, 999, &last);
		if (r == 0 && last < first)
			r = trf_bad(rd, ERR_INVALID,
			    "the last round comes before the first");
		for (from = 11; from < rd->n && r == 0; from += 5)
			r = trf_someone(rd, from, from + 5, &players[n++]);
	} else
		while (r == 0 && trf_word(rd, &from, &to))
			r = trf_someone(rd, from, to, &players[n++]);
	if (r == 0 && n < 2)
		r = trf_bad(
		    rd, ERR_MALFORMED, "two players at least must be named");
	if (r == 0)
		r = crosstable_add_apart(rd->t->table, first, last, players, n);
	free(players);
	return (r);
}

/* 299: points that are in no result. */
static int
trf_corrections(struct trf_reader *rd)
{
	int half = 0, player, r, round;
	size_t i;

	if (!trf_blank(rd, 3, 12))
		return (trf_bad(rd, ERR_INVALID,
		    "points other than usual for a result are not supported, "
		    "only those that come on top"));
	r = trf_half(rd, 12, 17, "the correction", true, &half);
	if (r == 0)
		r = trf_int(
		    rd, 19, 22, "the round", 0, CROSSTABLE_ROUNDS_MAX, &round);
	if (r == 0 && (half == 0 || rd->n < 24 || !trf_blank(rd, 17, 19)))
		r = trf_bad(
		    rd, ERR_MALFORMED, "points and a player must be named");
	for (i = 22; i < rd->n && r == 0; i += 5) {
		r = trf_someone(rd, i, i + 5, &player);
		if (r == 0)
			r = crosstable_add_correction(
			    rd->t->table, player, round, half);
	}
	return (r);
}

/* What the letter of a result means where there is an opponent. */
static enum cross_result
trf_result(uint32_t c)
{
	switch (c) {
	case '1':
	case 'W':
		return (CROSS_WIN);
	case '=':
	case 'D':
		return (CROSS_DRAW);
	case '0':
	case 'L':
		return (CROSS_LOSS);
	case '+':
		return (CROSS_FORFEIT_WIN);
	case '-':
		return (CROSS_FORFEIT_LOSS);
	default:
		return (CROSS_NONE);
	}
}

/* What it means where there is none: also as files from before 2016 have it. */
static enum cross_result
trf_bye(uint32_t c)
{
	switch (c) {
	case 'U':
	case '+':
		return (CROSS_BYE);
	case 'F':
		return (CROSS_FULL_BYE);
	case 'H':
	case '=':
		return (CROSS_HALF_BYE);
	case 'Z':
	case '-':
	case ' ':
		return (CROSS_ZERO_BYE);
	default:
		return (CROSS_NONE);
	}
}

/* Reads a round of a player. */
static int
trf_game(struct trf_reader *rd, size_t player, int round)
{
	size_t i = TRF_GAMES + TRF_GAME * ((size_t)round - 1);
	uint32_t colour = trf_at(rd, i + 5), c = trf_at(rd, i + 7);
	struct cross_game *g = crosstable_game(rd->t->table, player, round);
	int number, r;

	if (trf_blank(rd, i, i + TRF_GAME))
		return (0);
	if (!trf_blank(rd, i + 4, i + 5) || !trf_blank(rd, i + 6, i + 7) ||
	    !trf_blank(rd, i + 8, i + 10))
		return (trf_bad(rd, ERR_MALFORMED,
		    "round %d is not in its columns, %zu to %zu", round, i + 1,
		    i + 8));
	r = trf_int(
	    rd, i, i + 4, "the opponent", 0, CROSSTABLE_PLAYERS_MAX, &number);
	if (r != 0)
		return (r);
	if (colour >= 'A' && colour <= 'Z')
		colour |= 0x20U;
	if (c >= 'a' && c <= 'z')
		c &= ~0x20U;
	if (colour != 'w' && colour != 'b' && colour != '-' && colour != ' ')
		return (trf_bad(rd, ERR_MALFORMED,
		    "the colour of round %d must be w, b or -", round));
	g->side = colour == 'w' ? 1 : colour == 'b' ? 2 : 0;
	if (number == 0) {
		g->result = (int8_t)trf_bye(c);
		if (g->side != 0 || g->result == CROSS_NONE)
			return (trf_bad(rd, ERR_MALFORMED,
			    "round %d has no opponent and must be U, F, H or "
			    "Z",
			    round));
		return (0);
	}
	if ((r = trf_someone(rd, i, i + 4, &number)) != 0)
		return (r);
	if ((size_t)number == player)
		return (trf_bad(
		    rd, ERR_INVALID, "round %d is against themselves", round));
	g->opponent = (int16_t)number;
	g->result = (int8_t)trf_result(c);
	g->is_unrated = c == 'W' || c == 'D' || c == 'L';
	if (c == ' ')
		return (trf_bad(rd, ERR_INVALID,
		    "the game of round %d has no result yet", round));
	if (g->result == CROSS_NONE)
		return (trf_bad(rd, ERR_MALFORMED,
		    "the result of round %d must be 1, =, 0, W, D, L, + or -",
		    round));
	if (g->side == 0 && crosstable_is_played((enum cross_result)g->result))
		return (trf_bad(rd, ERR_MALFORMED,
		    "the colour of round %d is missing", round));
	return (0);
}

/* 001: a player and their games. */
static int
trf_player(struct trf_reader *rd)
{
	struct crosstable *t = rd->t->table;
	struct trf_player *p;
	int i = 0, r, rounds, k;

	if ((r = trf_someone(rd, 3, 8, &i)) != 0)
		return (r);
	p = &rd->t->players[i];
	if (p->line != 0)
		return (trf_bad(rd, ERR_INVALID, "player %d is in line %d, too",
		    t->players[i].number, p->line));
	p->line = rd->line;
	trf_string(rd, 9, 10, p->sex);
	trf_string(rd, 10, 13, p->title);
	trf_string(rd, 14, 14 + TRF_NAME, p->name);
	trf_string(rd, 53, 56, p->federation);
	trf_string(rd, 57, 68, p->id);
	trf_string(rd, 69, 79, p->birth);
	p->points = -1;
	if ((r = trf_int(rd, 48, 52, "the rating", 0, 9999,
		 &t->players[i].rating)) != 0 ||
	    (r = trf_half(rd, TRF_POINTS, TRF_POINTS + 4, "the points", false,
		 &p->points)) != 0 ||
	    (r = trf_int(rd, 85, 89, "the rank", 0, 9999, &p->rank)) != 0)
		return (r);
	if (p->points < 0)
		return (trf_bad(rd, ERR_MALFORMED,
		    "the points are missing in columns 81 to 84"));
	if (!trf_blank(rd, 89, TRF_GAMES))
		return (trf_bad(rd, ERR_MALFORMED,
		    "what is in columns 90 and 91 is not understood"));
	rounds = rd->n <= TRF_GAMES
	    ? 0
	    : (int)((rd->n - TRF_GAMES - 1) / TRF_GAME) + 1;
	for (k = 1; k <= rounds; k++)
		if ((r = trf_game(rd, (size_t)i, k)) != 0)
			return (r);
	return (0);
}

/* Comments. */
static int
trf_comment(struct trf_reader *rd)
{
	(void)rd;
	return (0);
}

static const struct trf_tag trf_tags[] = {
    {"###", trf_comment},
    {"001", trf_player},
    {"012", trf_keep},
    {"013", trf_team},
    {"022", trf_keep},
    {"032", trf_keep},
    {"042", trf_keep},
    {"052", trf_keep},
    {"062", trf_keep},
    {"072", trf_keep},
    {"082", trf_teams},
    {"092", trf_keep},
    {"102", trf_keep},
    {"112", trf_keep},
    {"122", trf_keep},
    {"132", trf_columns},
    {"142", trf_rounds},
    {"152", trf_initial},
    {"162", trf_points},
    {"172", trf_keep},
    {"182", trf_keep},
    {"192", trf_type},
    {"202", trf_keep},
    {"212", trf_keep},
    {"222", trf_keep},
    {"240", trf_byes},
    {"250", trf_accelerated},
    {"260", trf_apart},
    {"299", trf_corrections},
    {"300", trf_team},
    {"310", trf_team},
    {"320", trf_team},
    {"330", trf_team},
    {"352", trf_team},
    {"362", trf_team},
    {"801", trf_team},
    {"802", trf_team},
    {"BBD", trf_bb},
    {"BBF", trf_bb},
    {"BBL", trf_bb},
    {"BBU", trf_bb},
    {"BBW", trf_bb},
    {"BBZ", trf_bb},
    {"XXA", trf_accelerated},
    {"XXC", trf_xxc},
    {"XXP", trf_apart},
    {"XXR", trf_rounds},
    {"XXZ", trf_xxz},
};

/* True if the line may be of a national rating: FED and a pairing number. */
static bool
trf_is_national(const struct trf_reader *rd)
{
	size_t i;

	for (i = 0; i < 3; i++)
		if (trf_at(rd, i) < 'A' || trf_at(rd, i) > 'Z')
			return (false);
	return (!(trf_at(rd, 0) == 'X' && trf_at(rd, 1) == 'X') &&
	    !(trf_at(rd, 0) == 'B' && trf_at(rd, 1) == 'B') &&
	    trf_blank(rd, 3, 4) && !trf_blank(rd, 4, 8));
}

/* Reads a line of any kind. */
static int
trf_line(struct trf_reader *rd)
{
	char tag[3 * UTF8_LEN + 1];
	size_t i;
	int number, r;

	if (rd->n == 0 || trf_tagged(rd, "###"))
		return (0);
	for (i = 0; i < rd->n; i++)
		if (rd->col[i] < ' ' || rd->col[i] == 0x7f)
			return (trf_bad(rd, ERR_MALFORMED,
			    "column %zu has a %s", i + 1,
			    rd->col[i] == '\t' ? "tab, not blanks"
					       : "control character"));
	if (!trf_blank(rd, 3, 4))
		return (trf_bad(rd, ERR_MALFORMED,
		    "a blank must follow the tag, in column 4"));
	for (i = 0; i < sizeof(trf_tags) / sizeof(trf_tags[0]); i++)
		if (trf_tagged(rd, trf_tags[i].tag))
			return (trf_tags[i].read(rd));
	if (trf_is_national(rd)) {
		r = trf_someone(rd, 4, 8, &number);
		return (r != 0 ? r : trf_columns(rd));
	}
	trf_string(rd, 0, rd->n < 3 ? rd->n : 3, tag);
	return (trf_bad(
	    rd, ERR_MALFORMED, "the tag \"%s\" is not understood", tag));
}

/* Compares two numbers. */
static int
trf_compare(const void *a, const void *b)
{
	return (*(const int *)a - *(const int *)b);
}

/* First reading: who is there, and how many rounds their lines have. */
static int
trf_first(struct trf_reader *rd)
{
	int *numbers = NULL, *more, r;
	size_t i, n = 0, cap = 0, widest = 0, unique = 0;

	while ((r = trf_next(rd)) == 0) {
		if (!trf_tagged(rd, "001"))
			continue;
		if (n == cap) {
			cap = cap == 0 ? 64 : cap * 2;
			more = realloc(numbers, cap * sizeof(*more));
			if (more == NULL) {
				r = ERR_NOMEM;
				break;
			}
			numbers = more;
		}
		r = trf_int(rd, 3, 8, "the pairing number", 1,
		    CROSSTABLE_PLAYERS_MAX, &numbers[n]);
		if (r != 0)
			break;
		n++;
		widest = rd->n > widest ? rd->n : widest;
		if (rd->n > TRF_GAMES + TRF_GAME * CROSSTABLE_ROUNDS_MAX) {
			r = trf_bad(rd, ERR_TOOBIG,
			    "more than %d rounds are not supported",
			    CROSSTABLE_ROUNDS_MAX);
			break;
		}
	}
	if (r != ERR_NOTFOUND)
		goto out;
	if (n > 0)
		qsort(numbers, n, sizeof(*numbers), trf_compare);
	for (i = 0; i < n; i++)
		if (i == 0 || numbers[i] != numbers[i - 1])
			numbers[unique++] = numbers[i];
	rd->t = trf_new(unique,
	    widest <= TRF_GAMES
		? 0
		: (int)((widest - TRF_GAMES - 1) / TRF_GAME) + 1);
	r = rd->t == NULL ? ERR_NOMEM : 0;
	for (i = 0; i < unique && r == 0; i++)
		rd->t->table->players[i].number = numbers[i];
out:
	free(numbers);
	return (r);
}

/* Puts the byes that stand beside the games where they belong. */
static int
trf_place_byes(struct trf_reader *rd)
{
	struct crosstable *t = rd->t->table;
	const struct trf_bye *b;
	struct cross_game *g;
	int next = crosstable_paired(t) + 1, r, round;
	size_t i;

	for (i = 0; i < rd->n_byes; i++) {
		b = &rd->byes[i];
		round = b->round == 0 ? next : b->round;
		rd->line = b->line;
		if (round > CROSSTABLE_ROUNDS_MAX)
			return (trf_bad(rd, ERR_TOOBIG,
			    "more than %d rounds are not supported",
			    CROSSTABLE_ROUNDS_MAX));
		if ((r = crosstable_widen(t, round)) != 0)
			return (r);
		g = crosstable_game(t, (size_t)b->player, round);
		if (g->result != CROSS_NONE && g->result != (int8_t)b->result)
			return (trf_bad(rd, ERR_INVALID,
			    "player %d has something else in round %d",
			    t->players[b->player].number, round));
		g->result = (int8_t)b->result;
	}
	return (0);
}

/*
 * Compares the points of the file with the games: a bye of the next round may
 * be counted already, or not.
 */
static int
trf_check_points(struct trf_reader *rd)
{
	const struct crosstable *t = rd->t->table;
	int half, next, paired = crosstable_paired(t);
	size_t i;

	for (i = 0; i < t->n_players; i++) {
		half = crosstable_score(t, i, paired);
		next = crosstable_score(t, i, paired + 1);
		rd->line = rd->t->players[i].line;
		if (rd->t->players[i].points != half &&
		    rd->t->players[i].points != next)
			return (trf_bad(rd, ERR_INVALID,
			    "player %d has %d.%d points here, but %d.%d by "
			    "their games",
			    t->players[i].number, rd->t->players[i].points / 2,
			    rd->t->players[i].points % 2 * 5, half / 2,
			    half % 2 * 5));
	}
	return (0);
}

/* What only the whole file can tell. */
static int
trf_last(struct trf_reader *rd)
{
	struct crosstable *t = rd->t->table;
	struct errinfo e = {.text = ""};
	size_t player;
	int r;

	if (!rd->has_bye_points)
		t->points.bye = t->points.win;
	if ((r = crosstable_check(t, &player, &e)) != 0) {
		rd->line = rd->t->players[player].line;
		return (trf_bad(rd, r, "%s", e.text));
	}
	if ((r = trf_place_byes(rd)) != 0)
		return (r);
	if (t->rounds != 0 && crosstable_paired(t) > t->rounds)
		return (err_set(rd->e, ERR_INVALID, NULL,
		    "there are %d rounds of games, and the tournament has %d",
		    crosstable_paired(t), t->rounds));
	return (trf_check_points(rd));
}

int
trf_read(const char *text, size_t len, struct trf **out, struct errinfo *e)
{
	struct trf_reader rd = {.e = e};
	int r;

	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		len -= 3;
	}
	rd.is_utf8 = utf8_is_valid(text, len);
	rd.p = text;
	rd.left = len;
	if ((r = trf_first(&rd)) != 0)
		goto out;
	rd.p = text;
	rd.left = len;
	rd.line = 0;
	while ((r = trf_next(&rd)) == 0)
		if ((r = trf_line(&rd)) != 0)
			goto out;
	if (r != ERR_NOTFOUND || (r = trf_last(&rd)) != 0)
		goto out;
	*out = rd.t;
	rd.t = NULL;
out:
	trf_free(rd.t);
	free(rd.byes);
	free(rd.col);
	return (r);
}
