/* SPDX-License-Identifier: ISC */
/*
 * bench_parts DATABASE ORDER LINE SNAPSHOT BATCH: what the parts of one order
 * take, each alone: its signatures, VRF work and hashes, and the rows that it
 * writes, by SQLite's own functions, one order a transaction and BATCH orders
 * a transaction.  DATABASE is one that umpired --init made, which is spoilt;
 * ORDER, LINE and SNAPSHOT are lengths in bytes.  Prints one JSON object,
 * microseconds of CPU for each part, and of time by the clock for a lone
 * transaction with its fsync.  It is the reference of bench.py's orders.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sqlite3.h>

#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"

#define BENCH_ROUNDS 200 /* of each operation */
#define BENCH_LONE 200 /* transactions of one order */
#define BENCH_BATCHED 4000 /* orders in batches */
#define BENCH_GAMES 50
#define BENCH_BYTES_MAX 1048576
#define BENCH_WAL_PAGES 1000 /* as the daemon has it */

static const char bench_begin_sql[] = "BEGIN IMMEDIATE";
static const char bench_commit_sql[] = "COMMIT";

struct bench {
	size_t order, line, snapshot; /* bytes */
	long batch;
	uint8_t *bytes; /* owned: as many as the longest */
	struct sign_key sign;
	struct vrf_key vrf;
	uint8_t sig[SIGN_LEN];
	uint8_t proof[VRF_PROOF_LEN];
	uint8_t beta[VRF_BETA_LEN];
	uint8_t alpha[110]; /* as long as that of dice: T(tag), base, beta */
	sqlite3 *db;
	sqlite3_stmt *begin, *commit, *insert, *update, *keep;
	long n; /* orders written */
};

/* Ends the program. */
static void __attribute__((noreturn)) bench_die(const char *what)
{
	(void)fprintf(stderr, "bench_parts: %s\n", what);
	exit(1);
}

/* Microseconds of a clock. */
static double
bench_us(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts) == -1)
		bench_die("no clock");
	return ((double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3);
}

/* Orders numbers for qsort(). */
static int
bench_compare_cb(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a < *b ? -1 : *a > *b);
}

/* The median of n numbers, which are sorted. */
static double
bench_median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), bench_compare_cb);
	return (v[n / 2]);
}

/* ---- signatures, VRF, hashes ---- */

static int
bench_sign_make(struct bench *b)
{
	return (
	    sign_make(&b->sign, SIGN_TAG_ORDER, b->bytes, b->order, b->sig));
}

static int
bench_sign_check(struct bench *b)
{
	return (sign_check(
	    b->sign.public_key, SIGN_TAG_ORDER, b->bytes, b->order, b->sig));
}

static int
bench_vrf_prove(struct bench *b)
{
	return (
	    vrf_prove(&b->vrf, b->alpha, sizeof(b->alpha), b->proof, b->beta));
}

static int
bench_vrf_check(struct bench *b)
{
	return (vrf_check(
	    b->vrf.public_key, b->alpha, sizeof(b->alpha), b->proof, b->beta));
}

/* What every order has hashed: its id, and its line. */
static int
bench_hash(struct bench *b)
{
	uint8_t out[HASH_LEN];
	int r;

	if ((r = hash_tagged(out, "umpire/oid/1", b->bytes, b->order)) != 0)
		return (r);
	return (hash_tagged(out, "umpire/line/1", b->bytes, b->line));
}

/* What dice need of hashes: two bases and a block of a roll. */
static int
bench_hash_dice(struct bench *b)
{
	uint8_t out[HASH_LEN];
	int r;

	if ((r = hash_tagged(out, "umpire/base/1", b->bytes, 80)) != 0 ||
	    (r = hash_tagged(out, "umpire/base/1", b->bytes, 80)) != 0)
		return (r);
	return (hash_mac(out, b->beta, VRF_BETA_LEN, b->bytes, 40));
}

/* Prints the median time of an operation. */
static void
bench_time(struct bench *b, const char *name, int (*run)(struct bench *))
{
	double took[BENCH_ROUNDS], start;
	int i;

	for (i = 0; i < BENCH_ROUNDS; i++) {
		b->alpha[0] = (uint8_t)i;
		start = bench_us(CLOCK_THREAD_CPUTIME_ID);
		if (run == bench_vrf_check)
			b->alpha[0] = BENCH_ROUNDS - 1;
		if (run(b) != 0)
			bench_die(name);
		took[i] = bench_us(CLOCK_THREAD_CPUTIME_ID) - start;
	}
	printf("\"%s_us\":%.2f,", name, bench_median(took, BENCH_ROUNDS));
}

/* ---- SQLite ---- */

/* Runs a statement to its end. */
static void
bench_step(const struct bench *b, sqlite3_stmt *s)
{
	int rc;

	while ((rc = sqlite3_step(s)) == SQLITE_ROW)
		continue;
	if (rc != SQLITE_DONE || sqlite3_reset(s) != SQLITE_OK)
		bench_die(sqlite3_errmsg(b->db));
}

/* Prepares a statement. */
static sqlite3_stmt *
bench_prepare(const struct bench *b, const char *sql)
{
	sqlite3_stmt *s;

	if (sqlite3_prepare_v3(b->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s,
		NULL) != SQLITE_OK)
		bench_die(sqlite3_errmsg(b->db));
	return (s);
}

/* Runs a statement once. */
static void
bench_once(const struct bench *b, const char *sql)
{
	sqlite3_stmt *s = bench_prepare(b, sql);

	bench_step(b, s);
	sqlite3_finalize(s);
}

/* Opens the database as the daemon does, with games to write to. */
static void
bench_open(struct bench *b, const char *path)
{
	sqlite3_stmt *game;
	int i;

	if (sqlite3_open_v2(path, &b->db,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		bench_die("cannot open the database");
	bench_once(b, "PRAGMA journal_mode = WAL");
	bench_once(b, "PRAGMA synchronous = FULL");
	bench_once(b, "PRAGMA cache_size = -16384");
	bench_once(b, "PRAGMA foreign_keys = ON");
	if (sqlite3_wal_autocheckpoint(b->db, BENCH_WAL_PAGES) != SQLITE_OK)
		bench_die(sqlite3_errmsg(b->db));
	b->begin = bench_prepare(b, bench_begin_sql);
	b->commit = bench_prepare(b, bench_commit_sql);
	b->insert = bench_prepare(b,
	    "INSERT INTO record (game, seq, line, hash, oid, nonce, seat)"
	    " VALUES (?, ?, ?, randomblob(32), randomblob(32), randomblob(16),"
	    " 1)");
	b->update = bench_prepare(b,
	    "UPDATE game SET phase = 'play', turn = 1, seq = ?2, at_ms = ?2,"
	    " listed_ms = ?2 WHERE gid = ?1");
	b->keep = bench_prepare(b,
	    "INSERT INTO snapshot (game, bytes) VALUES (?, ?)"
	    " ON CONFLICT (game) DO UPDATE SET bytes = excluded.bytes");
	game = bench_prepare(b,
	    "INSERT INTO game (gid, id, system, event, at_ms, listed_ms, phase,"
	    " account_1, account_2, turn, seq) VALUES (?, randomblob(32),"
	    " 'lasalle2', '', 0, 0, 'play', 'ann', 'bob', 1, -1)");
	bench_step(b, b->begin);
	for (i = 1; i <= BENCH_GAMES; i++) {
		if (sqlite3_bind_int(game, 1, i) != SQLITE_OK)
			bench_die(sqlite3_errmsg(b->db));
		bench_step(b, game);
	}
	bench_step(b, b->commit);
	sqlite3_finalize(game);
}

/* Closes it. */
static void
bench_close(struct bench *b)
{
	sqlite3_finalize(b->begin);
	sqlite3_finalize(b->commit);
	sqlite3_finalize(b->insert);
	sqlite3_finalize(b->update);
	sqlite3_finalize(b->keep);
	if (sqlite3_close(b->db) != SQLITE_OK)
		bench_die("the database is still in use");
	free(b->bytes);
}

/* Writes the rows of one order, of each game in turn. */
static void
bench_order(struct bench *b)
{
	const sqlite3_int64 gid = 1 + b->n % BENCH_GAMES;
	const sqlite3_int64 seq = b->n / BENCH_GAMES;

	if (sqlite3_bind_int64(b->insert, 1, gid) != SQLITE_OK ||
	    sqlite3_bind_int64(b->insert, 2, seq) != SQLITE_OK ||
	    sqlite3_bind_blob64(
		b->insert, 3, b->bytes, b->line, SQLITE_STATIC) != SQLITE_OK ||
	    sqlite3_bind_int64(b->update, 1, gid) != SQLITE_OK ||
	    sqlite3_bind_int64(b->update, 2, seq) != SQLITE_OK ||
	    sqlite3_bind_int64(b->keep, 1, gid) != SQLITE_OK ||
	    sqlite3_bind_blob64(
		b->keep, 2, b->bytes, b->snapshot, SQLITE_STATIC) != SQLITE_OK)
		bench_die(sqlite3_errmsg(b->db));
	bench_step(b, b->insert);
	bench_step(b, b->update);
	bench_step(b, b->keep);
	b->n++;
}

/* Prints what the rows of an order take in a transaction of their own. */
static void
bench_lone(struct bench *b)
{
	double clock[BENCH_LONE], cpu[BENCH_LONE], wall, work;
	int i;

	for (i = 0; i < BENCH_LONE; i++) {
		wall = bench_us(CLOCK_MONOTONIC);
		work = bench_us(CLOCK_THREAD_CPUTIME_ID);
		bench_step(b, b->begin);
		bench_order(b);
		bench_step(b, b->commit);
		cpu[i] = bench_us(CLOCK_THREAD_CPUTIME_ID) - work;
		clock[i] = bench_us(CLOCK_MONOTONIC) - wall;
	}
	printf("\"lone_us\":%.2f,\"lone_clock_us\":%.2f,",
	    bench_median(cpu, BENCH_LONE), bench_median(clock, BENCH_LONE));
}

/* Prints what they take in a batch, checkpoints and all. */
static void
bench_batched(struct bench *b)
{
	double wall, work;
	long i, k;

	wall = bench_us(CLOCK_MONOTONIC);
	work = bench_us(CLOCK_THREAD_CPUTIME_ID);
	for (i = 0; i < BENCH_BATCHED; i += k) {
		bench_step(b, b->begin);
		for (k = 0; k < b->batch && i + k < BENCH_BATCHED; k++)
			bench_order(b);
		bench_step(b, b->commit);
	}
	printf("\"batched_us\":%.2f,\"batched_clock_us\":%.2f",
	    (bench_us(CLOCK_THREAD_CPUTIME_ID) - work) / BENCH_BATCHED,
	    (bench_us(CLOCK_MONOTONIC) - wall) / BENCH_BATCHED);
}

/* Reads a number of the command line. */
static long
bench_number(const char *text, long max)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno != 0 || *text == '\0' || *end != '\0' || n < 1 || n > max)
		bench_die("a number is out of range");
	return (n);
}

int
main(int argc, char **argv)
{
	static struct bench b;
	static const uint8_t seed[SIGN_KEY_LEN] = "bench";

	if (argc != 6) {
		(void)fprintf(stderr,
		    "usage: bench_parts DATABASE ORDER LINE SNAPSHOT BATCH\n");
		return (64);
	}
	b.order = (size_t)bench_number(argv[2], BENCH_BYTES_MAX);
	b.line = (size_t)bench_number(argv[3], BENCH_BYTES_MAX);
	b.snapshot = (size_t)bench_number(argv[4], BENCH_BYTES_MAX);
	b.batch = bench_number(argv[5], BENCH_BATCHED);
	if ((b.bytes = malloc(BENCH_BYTES_MAX)) == NULL)
		bench_die("out of memory");
	memset(b.bytes, 'x', BENCH_BYTES_MAX);
	if (sign_key_from_seed(&b.sign, seed) != 0 ||
	    vrf_key_from_secret(&b.vrf, seed) != 0)
		bench_die("no keys");
	printf("{");
	bench_time(&b, "sign_make", bench_sign_make);
	bench_time(&b, "sign_check", bench_sign_check);
	bench_time(&b, "vrf_prove", bench_vrf_prove);
	bench_time(&b, "vrf_check", bench_vrf_check);
	bench_time(&b, "hash", bench_hash);
	bench_time(&b, "hash_dice", bench_hash_dice);
	bench_open(&b, argv[1]);
	bench_lone(&b);
	bench_batched(&b);
	printf("}\n");
	bench_close(&b);
	return (0);
}
