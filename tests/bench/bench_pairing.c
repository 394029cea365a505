/* SPDX-License-Identifier: ISC */
/*
 * bench_pairing PLAYERS ROUNDS: how long the rounds of a tournament take to
 * pair, whose results are drawn (the same in each run), with draws, byes and
 * players who are absent; and how long an Ed25519 check takes.  Prints one JSON
 * object, microseconds of CPU: of a check, and of each round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/crypt/sign.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/dutch.h"

#define BENCH_CHECKS 500

/* Ends the program. */
static void __attribute__((noreturn)) bench_die(const char *what)
{
	(void)fprintf(stderr, "bench_pairing: %s\n", what);
	exit(1);
}

/* Microseconds of CPU so far. */
static double
bench_us(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts) == -1)
		bench_die("no clock");
	return ((double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3);
}

/* The next number of a fixed sequence (xorshift64). */
static unsigned
bench_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return ((unsigned)(*state >> 32));
}

/* What one check takes. */
static double
bench_check(void)
{
	uint8_t message[600] = {1}, sig[SIGN_LEN];
	struct sign_key key;
	double began;
	int i;

	if (sign_key_make(&key) != 0 ||
	    sign_make(&key, "bench", message, sizeof(message), sig) != 0)
		bench_die("no signature");
	began = bench_us();
	for (i = 0; i < BENCH_CHECKS; i++) {
		if (sign_check(key.public_key, "bench", message,
			sizeof(message), sig) != 0)
			bench_die("a signature does not hold");
	}
	return ((bench_us() - began) / BENCH_CHECKS);
}

/* Draws who is absent in a round: about one in thirty. */
static void
bench_absent(struct crosstable *t, int round, uint64_t *seed)
{
	size_t i;

	for (i = 0; i < t->n_players; i++) {
		if (bench_next(seed) % 30 == 0)
			crosstable_game(t, i, round)->result = CROSS_HALF_BYE;
	}
}

/* Enters a round, with results that are drawn. */
static void
bench_play(struct crosstable *t, int round, const struct dutch_round *d,
    uint64_t *seed)
{
	struct cross_game *a, *b;
	unsigned drawn;
	size_t i;

	for (i = 0; i < d->n_tables; i++) {
		a = crosstable_game(t, (size_t)d->tables[i].a, round);
		b = crosstable_game(t, (size_t)d->tables[i].b, round);
		a->opponent = (int16_t)d->tables[i].b;
		b->opponent = (int16_t)d->tables[i].a;
		a->side = 1;
		b->side = 2;
		drawn = bench_next(seed) % 10;
		a->result = drawn < 3 ? CROSS_DRAW
		    : drawn < 7       ? CROSS_WIN
				      : CROSS_LOSS;
		b->result = drawn < 3 ? CROSS_DRAW
		    : drawn < 7       ? CROSS_LOSS
				      : CROSS_WIN;
	}
	if (d->bye >= 0)
		crosstable_game(t, (size_t)d->bye, round)->result = CROSS_BYE;
}

int
main(int argc, char **argv)
{
	struct entrant_field field;
	struct dutch_round d;
	struct crosstable *t;
	uint64_t seed = 1815;
	long players, rounds;
	double began;
	int round;

	players = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
	rounds = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
	if (players < 2 || players > ENTRANT_MAX || rounds < 1 || rounds > 30)
		bench_die("usage: bench_pairing PLAYERS ROUNDS");
	if ((t = crosstable_new((size_t)players, (int)rounds)) == NULL)
		bench_die("no memory");
	t->rounds = (int)rounds;
	t->initial = 1;
	printf("{\"check\": %.2f, \"rounds\": [", bench_check());
	for (round = 1; round <= rounds; round++) {
		bench_absent(t, round, &seed);
		began = bench_us();
		if (entrant_field_load(&field, t, round) != 0 ||
		    dutch_pair(&field, NULL, &d) != 0)
			bench_die("a round cannot be paired");
		printf("%s%.0f", round == 1 ? "" : ", ", bench_us() - began);
		bench_play(t, round, &d, &seed);
		dutch_clear(&d);
		entrant_field_clear(&field);
	}
	printf("]}\n");
	crosstable_free(t);
	return (0);
}
