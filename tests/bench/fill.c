/* SPDX-License-Identifier: ISC */
/*
 * Games for measures.  fill HOST PORT ROSTER [SEED] makes matches and plays
 * them as it is told on standard input, a command a line, each answered by
 * one JSON object:
 *
 *   match		makes another match, up to the first order of its mix
 *   play I N		plays N orders of match I (0, 1, ...)
 *   chat I N		has N chats in match I, which draw no dice
 *   again I N K	plays K more games of match I, N orders each
 *   round N		plays one order of each match in turn, N times
 *   port PORT		the server is there now; connects anew
 *   witness KEY	matches made from here on have this witness
 *   open I N	player 1 of match I opens N games that nobody joins
 *   keys I FOLDER	writes the key files of a player of match I there
 *
 * fill bare DATABASE reads every snapshot of a database and nothing else.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/keyfile.h"
#include "common/record/record.h"

#include "tests/tools/player.h"

#define FILL_MATCHES 1000
#define FILL_FOLDER 256
#define FILL_PORT 16
#define FILL_SEED 1815

struct fill {
	const char *host;
	char port[FILL_PORT]; /* the matches hold on to it */
	char *roster; /* owned */
	uint64_t seed;
	char witness[2 * SIGN_KEY_LEN + 1]; /* of matches to come; "": none */
	struct match *matches[FILL_MATCHES]; /* owned */
	long n;
};

/* Plays so many orders of a match, or chats. */
static void
fill_play(struct match *m, long n, bool is_chat)
{
	struct errinfo e = {.text = ""};

	for (; n > 0; n--) {
		if (is_chat)
			match_chat(m);
		if (match_play(m, NULL, &e) != 0)
			player_die("an order failed", e.text);
	}
}

/* Connects a match. */
static void
fill_connect(struct match *m)
{
	struct errinfo e = {.text = ""};

	player_disconnect(match_player(m, 1));
	player_disconnect(match_player(m, 2));
	if (match_connect(m, &e) != 0)
		player_die("connect", e.text);
}

/* Tells how a match stands after so many orders in so long. */
static void
fill_tell(const struct match *m, long orders, int64_t began_ms)
{
	char id[2 * HASH_LEN + 1];

	hex_format(id, game_id(match_game(m)), HASH_LEN);
	(void)printf("{\"game\":\"%s\",\"seq\":%lld,\"orders\":%ld,"
		     "\"wall_ms\":%lld}\n",
	    id, (long long)match_seq(m), orders,
	    (long long)(clock_mono_ms() - began_ms));
}

/* Makes another match. */
static void
fill_match(struct fill *f)
{
	const int64_t began_ms = clock_mono_ms();
	struct match *m;
	long orders;

	if (f->n == FILL_MATCHES)
		player_die("match", "there are too many");
	m = match_new(f->host, f->port, (int)f->n, f->seed, f->roster);
	match_set_witness(m, f->witness);
	fill_connect(m);
	for (orders = 0; !match_is_play(m); orders++)
		fill_play(m, 1, false);
	f->matches[f->n++] = m;
	fill_tell(m, orders, began_ms);
}

/* Plays so many more games of a match, one after the other. */
static void
fill_again(struct match *m, long n, long games)
{
	struct errinfo e = {.text = ""};

	for (; games > 0; games--) {
		if (match_again(m, &e) != 0)
			player_die("a game cannot be left", e.text);
		while (!match_is_play(m))
			fill_play(m, 1, false);
		fill_play(m, n, false);
	}
}

/* Opens so many games beside a match. */
static void
fill_open(struct match *m, long n)
{
	struct errinfo e = {.text = ""};
	long i;

	for (i = 0; i < n; i++) {
		if (match_open(m, &e) != 0)
			player_die("a game cannot be opened", e.text);
	}
	(void)printf("{\"opened\":%ld}\n", n);
}

/* Writes the keys of a match's first player as those of a profile. */
static void
fill_keys(struct match *m, const char *folder)
{
	const struct player *p = match_player(m, 1);
	char *dice, hex[2 * SIGN_KEY_LEN + 1], *sign;
	struct errinfo e = {.text = ""};

	sign = xalloc_printf("%s/sign.key", folder);
	dice = xalloc_printf("%s/dice.key", folder);
	if (keyfile_write(sign, p->keys.sign.seed, &e) != 0 ||
	    keyfile_write(dice, p->keys.dice.secret, &e) != 0)
		player_die(folder, e.text);
	free(sign);
	free(dice);
	hex_format(hex, p->server, SIGN_KEY_LEN);
	(void)printf(
	    "{\"account\":\"%s\",\"server\":\"%s\"}\n", p->account, hex);
}

/* Does what one line says. */
static void
fill_command(struct fill *f, const char *line)
{
	const int64_t began_ms = clock_mono_ms();
	char folder[FILL_FOLDER];
	long i, n, round;

	if (strcmp(line, "match\n") == 0) {
		fill_match(f);
	} else if (sscanf(line, "play %ld %ld", &i, &n) == 2 && i >= 0 &&
	    i < f->n) {
		fill_play(f->matches[i], n, false);
		fill_tell(f->matches[i], n, began_ms);
	} else if (sscanf(line, "again %ld %ld %ld", &i, &n, &round) == 3 &&
	    i >= 0 && i < f->n) {
		fill_again(f->matches[i], n, round);
		fill_tell(f->matches[i], n * round, began_ms);
	} else if (sscanf(line, "chat %ld %ld", &i, &n) == 2 && i >= 0 &&
	    i < f->n) {
		fill_play(f->matches[i], n, true);
		fill_tell(f->matches[i], n, began_ms);
	} else if (sscanf(line, "round %ld", &n) == 1 && f->n > 0) {
		for (round = 0; round < n; round++) {
			for (i = 0; i < f->n; i++)
				fill_play(f->matches[i], 1, false);
		}
		fill_tell(f->matches[0], n * f->n, began_ms);
	} else if (sscanf(line, "witness %64s", f->witness) == 1) {
		(void)printf("{}\n");
	} else if (sscanf(line, "open %ld %ld", &i, &n) == 2 && i >= 0 &&
	    i < f->n) {
		fill_open(f->matches[i], n);
	} else if (sscanf(line, "keys %ld %255s", &i, folder) == 2 && i >= 0 &&
	    i < f->n) {
		fill_keys(f->matches[i], folder);
	} else if (sscanf(line, "port %15s", f->port) == 1) {
		for (i = 0; i < f->n; i++)
			fill_connect(f->matches[i]);
		(void)printf("{\"matches\":%ld}\n", f->n);
	} else {
		player_die("no such command", line);
	}
	(void)fflush(stdout);
}

/* Reads the snapshots of a database. */
static int
fill_bare(const char *path)
{
	const int64_t began_ms = clock_mono_ms();
	long long bytes = 0, n = 0;
	sqlite3_stmt *s = NULL;
	sqlite3 *db = NULL;
	int rc;

	rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(
		    db, "SELECT bytes FROM snapshot", -1, &s, NULL);
	if (rc != SQLITE_OK)
		player_die(path, sqlite3_errmsg(db));
	while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
		n++;
		if (sqlite3_column_blob(s, 0) != NULL)
			bytes += sqlite3_column_bytes(s, 0);
	}
	if (rc != SQLITE_DONE)
		player_die(path, sqlite3_errmsg(db));
	(void)sqlite3_finalize(s);
	(void)sqlite3_close(db);
	(void)printf("{\"snapshots\":%lld,\"bytes\":%lld,\"wall_ms\":%lld}\n",
	    n, bytes, (long long)(clock_mono_ms() - began_ms));
	return (0);
}

int
main(int argc, char **argv)
{
	struct fill f = {.seed = FILL_SEED};
	struct errinfo e = {.text = ""};
	struct buf roster;
	char line[FILL_FOLDER + 32];
	long i;

	if (argc == 3 && strcmp(argv[1], "bare") == 0)
		return (fill_bare(argv[2]));
	if ((argc != 4 && argc != 5) || strlen(argv[2]) >= sizeof(f.port))
		player_die("usage", "fill HOST PORT ROSTER [SEED]");
	f.host = argv[1];
	memcpy(f.port, argv[2], strlen(argv[2]) + 1);
	if (argc == 5)
		f.seed = strtoull(argv[4], NULL, 10);
	(void)signal(SIGPIPE, SIG_IGN);
	buf_init(&roster, 0);
	if (file_read(argv[3], RECORD_BLOB_MAX, &roster, &e) != 0)
		player_die(argv[3], e.text);
	f.roster = xalloc_take(&roster);
	while (fgets(line, sizeof(line), stdin) != NULL)
		fill_command(&f, line);
	for (i = 0; i < f.n; i++)
		match_free(f.matches[i]);
	free(f.roster);
	return (0);
}
