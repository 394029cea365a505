/* SPDX-License-Identifier: ISC */
/*
 * How fast combats are fought: Lasalle, three against three, held against a
 * bare loop that makes the same dice and does nothing with them.  Fails if a
 * combat takes more than five times as long as its dice, or if a run
 * allocates.  No test: figures are of this machine, at this time.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <time.h>

#include <openssl/evp.h>

#include "common/crypt/expand.h"
#include "common/crypt/hash.h"
#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/alloc.h"

#define BENCH_COMBATS 20000 /* of each kind in a round */
#define BENCH_ROUNDS 9
#define BENCH_RATIO_MAX 5.0
#define BENCH_DICE 6 /* of a combat */
#define BENCH_SIDES 6
#define BENCH_STREAM 4096 /* bytes of a stream made at once */

/* Where 16-bit values come from. */
struct bench_source {
	uint8_t bytes[BENCH_STREAM];
	size_t at, len;
	uint8_t key[HASH_LEN];
	uint64_t counter; /* of the HMAC's message */
	EVP_CIPHER_CTX *stream; /* NULL: HMAC blocks */
};

/* The kinds of work that are timed, in the order of the table. */
enum bench_kind {
	BENCH_BARE_BLOCK,
	BENCH_COMBAT_BLOCK,
	BENCH_COMBAT_EXPAND,
	BENCH_BARE_STREAM,
	BENCH_COMBAT_STREAM,
	BENCH_KINDS,
};

static const struct {
	const char *name; /* of the JSON */
	const char *title;
	enum bench_kind against; /* whose time the ratio is of */
} bench_kinds[] = {
    [BENCH_BARE_BLOCK] = {"dice_block", "dice alone, one HMAC block a combat",
	BENCH_BARE_BLOCK},
    [BENCH_COMBAT_BLOCK] = {"combat_block", "combat, dice of one HMAC block",
	BENCH_BARE_BLOCK},
    [BENCH_COMBAT_EXPAND] = {"combat_expand",
	"combat, dice of the record (a block a roll)", BENCH_BARE_BLOCK},
    [BENCH_BARE_STREAM] = {"dice_stream", "dice alone, one ChaCha20 stream",
	BENCH_BARE_STREAM},
    [BENCH_COMBAT_STREAM] = {"combat_stream",
	"combat, dice of one ChaCha20 stream", BENCH_BARE_STREAM},
};

static const char bench_facts[] =
    "{\"attackers\":["
    "{\"id\":\"fr-a\",\"arm\":\"infantry\",\"strength\":6,"
    "\"formation\":\"column\"},"
    "{\"id\":\"fr-b\",\"arm\":\"infantry\",\"strength\":7,"
    "\"formation\":\"line\"},"
    "{\"id\":\"fr-c\",\"arm\":\"cavalry\",\"strength\":6,"
    "\"formation\":\"line\",\"traits\":[\"shock\"]}],"
    "\"defenders\":["
    "{\"id\":\"ru-a\",\"arm\":\"infantry\",\"strength\":6,"
    "\"formation\":\"line\"},"
    "{\"id\":\"ru-b\",\"arm\":\"infantry\",\"strength\":5,"
    "\"formation\":\"line\"},"
    "{\"id\":\"ru-c\",\"arm\":\"cavalry\",\"strength\":5,"
    "\"formation\":\"line\"}],"
    "\"contacts\":["
    "{\"attacker\":\"fr-a\",\"defender\":\"ru-a\",\"edge\":\"front\","
    "\"uphill\":true},"
    "{\"attacker\":\"fr-b\",\"defender\":\"ru-b\",\"edge\":\"front\"},"
    "{\"attacker\":\"fr-c\",\"defender\":\"ru-c\",\"edge\":\"front\"}]}";

/* Ends the program: this machine or this program is broken. */
static void
bench_die(const char *what)
{
	(void)fprintf(stderr, "bench_rules: %s\n", what);
	exit(1);
}

/* Makes the next bytes of a source; what that allocates is not counted. */
static void
bench_fill(struct bench_source *s)
{
	static const uint8_t zero[BENCH_STREAM];
	uint8_t message[sizeof(s->counter)];
	size_t calls = alloc_calls;
	int n = 0;

	if (s->stream == NULL) {
		memcpy(message, &s->counter, sizeof(message));
		s->counter++;
		if (hash_mac(s->bytes, s->key, sizeof(s->key), message,
			sizeof(message)) != 0)
			bench_die("no HMAC");
		s->len = HASH_LEN;
	} else {
		if (EVP_EncryptUpdate(
			s->stream, s->bytes, &n, zero, BENCH_STREAM) != 1)
			bench_die("no ChaCha20");
		s->len = (size_t)n;
	}
	s->at = 0;
	alloc_calls = calls;
}

/* Takes a number below m from a source, by rejection (record S7). */
static unsigned
bench_uniform(struct bench_source *s, unsigned m)
{
	const unsigned limit = 65536 - 65536 % m;
	unsigned value;

	do {
		if (s->at == s->len)
			bench_fill(s);
		value = (unsigned)s->bytes[s->at] << 8 | s->bytes[s->at + 1];
		s->at += 2;
	} while (value >= limit);
	return (value % m);
}

/* A combat's dice from a source; arg is the struct bench_source. */
static int
bench_roll_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	unsigned i;

	(void)label;
	(void)e;
	for (i = 0; i < count; i++)
		dice[i] = (uint16_t)(1 + bench_uniform(arg, sides));
	return (0);
}

/* A combat's dice as the record makes them; arg is the beta. */
static int
bench_expand_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	size_t calls = alloc_calls;
	int r;

	(void)e;
	r = expand_roll(arg, label, sides, count, dice);
	alloc_calls = calls;
	return (r);
}

/* Answers every question by its policy's first word. */
static int
bench_decide_cb(void *arg, const struct combat *c, const struct question *q,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	const struct rules_system *sys = arg;

	return (sys->policy(c, q, 0, a, room, n_room));
}

/* Seconds of this process. */
static double
bench_now(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts) == -1)
		bench_die("no clock");
	return ((double)ts.tv_sec + (double)ts.tv_nsec / 1e9);
}

/* What is fought, and with what. */
struct bench {
	const struct rules_system *sys;
	struct rules_settings set;
	struct combat_policy policy;
	struct combat *c;
	struct bench_source block, stream;
	uint64_t beta[4]; /* as 32 bytes; counts the combats */
	uint64_t sum; /* of the dice, so that the loop is not left out */
	double best[BENCH_KINDS]; /* seconds of a round */
};

/* Throws dice and nothing else. */
static void
bench_bare(struct bench *b, struct bench_source *s)
{
	int i, k;

	for (i = 0; i < BENCH_COMBATS; i++) {
		if (s->stream == NULL)
			s->at = s->len; /* a block each */
		for (k = 0; k < BENCH_DICE; k++)
			b->sum += 1 + bench_uniform(s, BENCH_SIDES);
	}
}

/* Fights combats with dice from a source, or as the record makes them. */
static void
bench_fight(struct bench *b, struct bench_source *s)
{
	struct combat_dice dice = {.roll = bench_roll_cb, .arg = s};
	struct errinfo e = {.text = ""};
	int i;

	if (s == NULL) {
		dice.roll = bench_expand_cb;
		dice.arg = b->beta;
	}
	alloc_start(-1);
	for (i = 0; i < BENCH_COMBATS; i++) {
		if (s == NULL)
			b->beta[0]++;
		else if (s->stream == NULL)
			s->at = s->len; /* a block each */
		combat_reset(b->c);
		if (combat_run(b->c, &dice, &e) != 0)
			bench_die(e.text);
		if (alloc_calls != 0)
			bench_die("a run of a combat allocates memory");
	}
	if (combat_status(b->c) != COMBAT_RESOLVED ||
	    combat_roll_count(b->c) != BENCH_DICE)
		bench_die("the combat is another one than it was");
}

/* Does one kind of work; returns its seconds. */
static double
bench_work(struct bench *b, enum bench_kind kind)
{
	double start = bench_now();

	switch (kind) {
	case BENCH_BARE_BLOCK:
		bench_bare(b, &b->block);
		break;
	case BENCH_COMBAT_BLOCK:
		bench_fight(b, &b->block);
		break;
	case BENCH_COMBAT_EXPAND:
		bench_fight(b, NULL);
		break;
	case BENCH_BARE_STREAM:
		bench_bare(b, &b->stream);
		break;
	case BENCH_COMBAT_STREAM:
		bench_fight(b, &b->stream);
		break;
	case BENCH_KINDS:
		break;
	}
	return (bench_now() - start);
}

/* Opens the combat and the sources. */
static void
bench_open(struct bench *b)
{
	static const uint8_t key[32] = "bench", iv[16];
	struct errinfo e = {.text = ""};
	json_t *facts = NULL;

	memset(b, 0, sizeof(*b));
	b->sys = systems_find("lasalle2");
	b->policy.decide = bench_decide_cb;
	b->policy.arg = (void *)(uintptr_t)b->sys;
	if (rules_settings_parse(b->sys, NULL, NULL, &b->set, &e) != 0 ||
	    js_load(bench_facts, strlen(bench_facts), JS_DEPTH_RECORD, &facts,
		&e) != 0 ||
	    combat_new(b->sys, &b->set, facts, &b->c, &e) != 0)
		bench_die(e.text);
	json_decref(facts);
	combat_set_policy(b->c, &b->policy);
	memcpy(b->block.key, key, sizeof(b->block.key));
	b->stream.stream = EVP_CIPHER_CTX_new();
	if (b->stream.stream == NULL ||
	    EVP_EncryptInit_ex(
		b->stream.stream, EVP_chacha20(), NULL, key, iv) != 1)
		bench_die("no ChaCha20");
}

/* Frees what bench_open() made. */
static void
bench_close(struct bench *b)
{
	combat_free(b->c);
	rules_settings_clear(&b->set);
	EVP_CIPHER_CTX_free(b->stream.stream);
}

/* Returns by how much a kind takes longer than its dice alone. */
static double
bench_ratio(const struct bench *b, enum bench_kind kind)
{
	return (b->best[kind] / b->best[bench_kinds[kind].against]);
}

/* Prints the figures as a table. */
static void
bench_table(const struct bench *b)
{
	enum bench_kind kind;

	printf("lasalle2, three against three, best of %d rounds of %d\n\n",
	    BENCH_ROUNDS, BENCH_COMBATS);
	printf("%-44s %12s %9s %7s\n", "", "combats/s", "ns each", "ratio");
	for (kind = 0; kind < BENCH_KINDS; kind++)
		printf("%-44s %12.0f %9.0f %7.2f\n", bench_kinds[kind].title,
		    BENCH_COMBATS / b->best[kind],
		    b->best[kind] * 1e9 / BENCH_COMBATS, bench_ratio(b, kind));
	printf("\nratio: to the dice alone of the same kind; a combat with "
	       "dice of one HMAC\nblock must stay at or below %.1f\n",
	    BENCH_RATIO_MAX);
}

/* Prints the figures as JSON. */
static void
bench_json(const struct bench *b)
{
	enum bench_kind kind;

	printf("{\"rounds\":%d,\"combats\":%d,\"ratio_max\":%.1f", BENCH_ROUNDS,
	    BENCH_COMBATS, BENCH_RATIO_MAX);
	for (kind = 0; kind < BENCH_KINDS; kind++)
		printf(",\"%s\":{\"per_second\":%.0f,\"ns\":%.0f,"
		       "\"ratio\":%.3f}",
		    bench_kinds[kind].name, BENCH_COMBATS / b->best[kind],
		    b->best[kind] * 1e9 / BENCH_COMBATS, bench_ratio(b, kind));
	printf("}\n");
}

int
main(int argc, char **argv)
{
	bool is_json = argc == 2 && strcmp(argv[1], "--json") == 0;
	enum bench_kind kind;
	static struct bench b;
	double took;
	int round;

	if (argc > 1 && !is_json) {
		(void)fprintf(stderr, "usage: bench_rules [--json]\n");
		return (64);
	}
	bench_open(&b);
	for (round = 0; round < BENCH_ROUNDS; round++) {
		for (kind = 0; kind < BENCH_KINDS; kind++) {
			took = bench_work(&b, kind);
			if (round == 0 || took < b.best[kind])
				b.best[kind] = took;
		}
	}
	if (is_json)
		bench_json(&b);
	else
		bench_table(&b);
	bench_close(&b);
	if (b.sum == 0)
		bench_die("no dice were thrown");
	if (bench_ratio(&b, BENCH_COMBAT_BLOCK) > BENCH_RATIO_MAX)
		bench_die("a combat takes more than five times as long as its "
			  "dice");
	return (0);
}
