/* SPDX-License-Identifier: ISC */
/*
 * cup HOST PORT ENTRANTS ROUNDS SEED [STAY | games]: a tournament of a Swiss
 * with so many, from the terms to the final standings, played by one program:
 * all enter, check in, and a director pairs, rules results by chance, has the
 * standings shown and finishes.  Prints one JSON object: milliseconds that
 * entries, check-ins, lots, each pairing, each round's results, each show and
 * the end took, its id, and bytes of the last show.  With STAY it ends before
 * that round is paired.  With games each table is played, and nothing is ruled:
 * both come, each has a turn, and one gives up, or they agree to a draw; how
 * many orders that took is printed, too.
 *
 * cup HOST PORT pair SEED ID ROUND: its director says something there, prints
 * "ready" to standard error, and pairs that round once a line has come on
 * standard input.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/entry.h"

#include "tests/tools/cup_game.h"
#include "tests/tools/player.h"

#define CUP_ENTRANTS_MAX 1000
#define CUP_ROUNDS_MAX 30
#define CUP_WAIT_MS 600000 /* for a pairing, where much else runs */

static const char cup_roster[] =
    "{\"blob\":\"roster\",\"system\":\"lasalle2\",\"sides\":{"
    "\"1\":{\"name\":\"French\",\"units\":["
    "{\"id\":\"fr-a\",\"arm\":\"infantry\",\"strength\":5}]},"
    "\"2\":{\"name\":\"Russians\",\"units\":["
    "{\"id\":\"ru-a\",\"arm\":\"infantry\",\"strength\":5}]}}}";

/* The tournament. */
struct cup {
	const char *host, *port;
	uint64_t seed;
	struct player director;
	struct player *entrants; /* owned: n of them */
	size_t n;
	int rounds;
	char id[2 * HASH_LEN + 1];
	char head[2 * HASH_LEN + 1]; /* of line 0, upon which all is given */
	char roster[2 * HASH_LEN + 1]; /* the blob's */
	char last[2 * HASH_LEN + 1]; /* of the line that came last */
	json_t *paired; /* owned: that of the round; NULL */
	bool has_games; /* are played */
	json_int_t orders; /* of games */
	uint8_t tournament[HASH_LEN], pool[HASH_LEN];
	uint8_t salt[32];
	char why[2 * HASH_LEN + 1]; /* ref of a text that is sent once */
	uint64_t chance;
	json_t *told; /* owned: what is printed */
};

/* Milliseconds of a clock. */
static double
cup_ms(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts) == -1)
		player_die("clock", strerror(errno));
	return (1e3 * (double)ts.tv_sec + (double)ts.tv_nsec / 1e6);
}

/* A number below n by chance. */
static unsigned
cup_chance(struct cup *c, unsigned n)
{
	c->chance =
	    c->chance * UINT64_C(6364136223846793005) + 1442695040888963407;
	return ((unsigned)(c->chance >> 33) % n);
}

/* Adds a time to a list of what is printed. */
static void
cup_tell(struct cup *c, const char *what, double ms)
{
	json_t *list = json_object_get(c->told, what);

	if (list == NULL) {
		list = xalloc_json(json_array());
		(void)json_object_set_new(c->told, what, list);
	}
	(void)json_array_append_new(list, json_real(ms));
}

/* Connects somebody. */
static void
cup_connect(struct player *p)
{
	struct errinfo e = {.text = ""};

	if (player_connect(p, &e) != 0)
		player_die(p->account, e.text);
}

/* Calls a method that must work; new. */
static json_t *
cup_call(struct player *p, const char *method, json_t *params)
{
	struct conn_error ce = {.is_answer = false};
	json_t *result;

	if (player_call(p, method, params, &result, &ce) != 0)
		player_die(method, ce.e.text);
	json_decref(params);
	return (result);
}

/* The args that name an account. */
static json_t *
cup_named(const struct player *p)
{
	char zeros[2 * HASH_LEN + 1];

	memset(zeros, '0', sizeof(zeros) - 1);
	zeros[sizeof(zeros) - 1] = '\0';
	return (xalloc_json(json_pack("{s:s, s:o, s:i, s:s}", "account",
	    p->account, "key", js_hex(p->keys.sign.public_key, SIGN_KEY_LEN),
	    "kn", 0, "kprev", zeros)));
}

/* The proof of a check-in. */
static json_t *
cup_own(const struct cup *c, const struct player *p)
{
	static const char tag[] = "umpire/own/1";
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN], base[HASH_LEN];
	struct buf b;

	buf_init(&b, 0);
	buf_add(&b, tag, sizeof(tag));
	if (game_base(c->tournament, c->pool, "c/0", base) != 0)
		player_die(p->account, "no base");
	buf_add(&b, base, HASH_LEN);
	if (buf_error(&b) != 0 ||
	    vrf_prove(&p->keys.dice, b.data, b.len, proof, beta) != 0)
		player_die(p->account, "no proof");
	buf_clear(&b);
	return (js_hex(proof, VRF_PROOF_LEN));
}

/* The hash of a line, as text. */
static void
cup_hash(char text[2 * HASH_LEN + 1], const char *line)
{
	uint8_t hash[HASH_LEN];

	if (hash_sha256(hash, line, strlen(line)) != 0)
		player_die("line", "no hash");
	hex_format(text, hash, HASH_LEN);
}

/* Takes line 0. */
static void
cup_head(struct cup *c, const char *line)
{
	if (hex_parse(c->tournament, HASH_LEN, c->id, strlen(c->id)) != 0)
		player_die("line", "no line");
	cup_hash(c->head, line);
}

/* Gives an order, args are taken, and gives its line; new. */
static json_t *
cup_give(struct cup *c, struct player *p, const char *kind, json_t *args,
    json_t *texts)
{
	char now[CLOCK_AT_LEN + 1];
	uint8_t nonce[ORDER_NONCE_LEN], sig[SIGN_LEN];
	json_t *o = xalloc_json(json_object()), *params, *result, *line;
	struct errinfo e;
	struct buf text;

	if (hash_random(nonce, sizeof(nonce)) != 0)
		player_die(kind, "no nonce");
	clock_format(now, clock_wall_ms());
	(void)json_object_set_new(o, "v", json_integer(1));
	(void)json_object_set_new(o, "server", js_hex(p->server, SIGN_KEY_LEN));
	if (c->id[0] != '\0') {
		(void)json_object_set_new(o, "tournament", json_string(c->id));
		(void)json_object_set_new(o, "by", json_string(p->account));
		(void)json_object_set_new(o, "after", json_integer(0));
		(void)json_object_set_new(o, "head", json_string(c->head));
	}
	(void)json_object_set_new(o, "nonce", js_hex(nonce, sizeof(nonce)));
	(void)json_object_set_new(o, "now", json_string(now));
	(void)json_object_set_new(o, "kind", json_string(kind));
	if (strcmp(kind, "checkin") == 0) {
		(void)json_object_set_new(o, "place", json_string("c/0"));
		(void)json_object_set_new(o, "own", cup_own(c, p));
	}
	(void)json_object_set_new(o, "args", args);
	buf_init(&text, 0);
	js_dump(o, &text);
	json_decref(o);
	if (buf_error(&text) != 0 ||
	    sign_make(&p->keys.sign, ENTRY_TAG, text.data, text.len, sig) != 0)
		player_die(kind, "cannot be signed");
	params = xalloc_json(json_pack("{s:s, s:o}", "order", buf_str(&text),
	    "sig", js_hex(sig, SIGN_LEN)));
	if (texts != NULL)
		(void)json_object_set_new(params, "texts", texts);
	buf_clear(&text);
	result = cup_call(p,
	    c->id[0] == '\0' ? "tournament.create" : "tournament.order",
	    params);
	if (js_load(js_str(result, "line"), strlen(js_str(result, "line")), 16,
		&line, &e) != 0)
		player_die(kind, e.text);
	cup_hash(c->last, js_str(result, "line"));
	if (c->id[0] == '\0') {
		(void)snprintf(
		    c->id, sizeof(c->id), "%s", js_str(line, "tournament"));
		cup_head(c, js_str(result, "line"));
	}
	json_decref(result);
	return (line);
}

/* Gives one whose line does not matter. */
static void
cup_order(struct cup *c, struct player *p, const char *kind, json_t *args)
{
	json_decref(cup_give(c, p, kind, args, NULL));
}

/* Opens the tournament. */
static void
cup_open(struct cup *c)
{
	char until[CLOCK_AT_LEN + 1];
	json_t *result, *terms;
	struct player *d = &c->director;

	cup_connect(d);
	result = cup_call(d, "blob.put",
	    xalloc_json(json_pack("{s:s}", "value", cup_roster)));
	(void)snprintf(
	    c->roster, sizeof(c->roster), "%s", js_str(result, "hash"));
	clock_format(until, clock_wall_ms() + 86400000);
	terms = xalloc_json(json_pack("{s:s, s:o, s:s, s:i, s:s, s:s, s:s, s:s,"
				      " s:s, s:s, s:[{s:s, s:s, s:{}, s:[]}],"
				      " s:b, s:s, s:{s:s, s:i, s:s}, s:s}",
	    "event", "A crowd", "director", cup_named(d), "format", "swiss",
	    "rounds", c->rounds, "system", "lasalle2", "rules", "lasalle2/1",
	    "scheme", "dual-1", "server_dice", d->server_dice, "secret", "held",
	    "silence", "forfeit", "scenarios", "name", "Bridge", "roster",
	    js_str(result, "hash"), "rulings", "tables", "mirror", 0, "bye",
	    "win", "entry", "until", until, "max", CUP_ENTRANTS_MAX, "admit",
	    "open", "seed", "lots"));
	json_decref(result);
	(void)json_object_update_new(terms,
	    xalloc_json(json_pack("{s:i, s:i, s:i, s:i, s:s, s:i, s:i, s:i}",
		"checkin_s", 3600, "start_s", 86400, "gap_s", 0, "round_s",
		86400, "late", "director", "notice_s", 0, "review_s", 0,
		"protest_s", 0)));
	cup_order(c, d, "create", terms);
}

/* All enter. */
static void
cup_enter(struct cup *c)
{
	char name[ORDER_ACCOUNT_MAX + 1];
	const double begun = cup_ms();
	struct player *p;
	double orders = 0, from;
	json_t *args;
	size_t i;

	for (i = 0; i < c->n; i++) {
		p = &c->entrants[i];
		(void)snprintf(name, sizeof(name), "cup-%llu-%zu",
		    (unsigned long long)c->seed, i);
		player_init(p, c->host, c->port, name, c->seed);
		cup_connect(p);
		args = cup_named(p);
		(void)json_object_set_new(args, "dice_key",
		    js_hex(p->keys.dice.public_key, VRF_KEY_LEN));
		from = cup_ms();
		cup_order(c, p, "enter", args);
		orders += cup_ms() - from;
		player_disconnect(p);
	}
	cup_tell(c, "enter_all_ms", cup_ms() - begun);
	cup_tell(c, "enter_orders_ms", orders);
}

/* Check-in and lots. */
static void
cup_start(struct cup *c)
{
	double from = cup_ms(), orders = 0;
	json_t *line;
	struct player *p;
	size_t i;

	line =
	    cup_give(c, &c->director, "shut", xalloc_json(json_object()), NULL);
	if (hex_parse(c->pool, HASH_LEN, js_str(line, "pool"),
		strlen(js_str(line, "pool"))) != 0)
		player_die("shut", "no pool");
	json_decref(line);
	cup_tell(c, "shut_ms", cup_ms() - from);
	for (i = 0; i < c->n; i++) {
		p = &c->entrants[i];
		p->is_registered = true;
		cup_connect(p);
		from = cup_ms();
		cup_order(c, p, "checkin", xalloc_json(json_object()));
		orders += cup_ms() - from;
		player_disconnect(p);
	}
	cup_tell(c, "checkin_orders_ms", orders);
	from = cup_ms();
	cup_order(c, &c->director, "start", xalloc_json(json_object()));
	cup_tell(c, "start_ms", cup_ms() - from);
}

/* Pairs a round; how many tables it has. */
static size_t
cup_pair(struct cup *c, int round)
{
	const double from = cup_ms();
	json_t *line;
	size_t n;

	line = cup_give(c, &c->director, "pair",
	    xalloc_json(json_pack("{s:i}", "round", round)), NULL);
	cup_tell(c, "pair_ms", cup_ms() - from);
	n = json_array_size(json_object_get(
	    json_array_get(json_object_get(line, "events"), 0), "tables"));
	json_decref(c->paired);
	c->paired = line;
	return (n);
}

/* Plays the game of a table. */
static void
cup_game(struct cup *c, int round, size_t table, const json_t *pair)
{
	static const enum cup_game_end ends[] = {CUP_GAME_ONE, CUP_GAME_ONE,
	    CUP_GAME_TWO, CUP_GAME_TWO, CUP_GAME_DRAW};
	struct player *p[2];
	json_t *args;
	size_t i;

	for (i = 0; i < 2; i++) {
		p[i] =
		    &c->entrants[json_integer_value(json_array_get(pair, i)) -
			1];
		cup_connect(p[i]);
	}
	args = xalloc_json(json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:{},"
				     " s:[], s:s, s:i, s:i, s:s, s:I, s:s, "
				     "s:i}",
	    "event", "A crowd", "system", "lasalle2", "rules", "lasalle2/1",
	    "scheme", "dual-1", "server_dice", p[0]->server_dice, "secret",
	    "held", "silence", "forfeit", "rulings", "tables", "roster",
	    c->roster, "round", round, "table", (int)table, "tournament", c->id,
	    "paired", js_int(c->paired, "seq"), "line", c->last, "leg", 1));
	c->orders +=
	    cup_game_play(p[0], p[1], args, cup_roster, ends[cup_chance(c, 5)]);
	for (i = 0; i < 2; i++)
		player_disconnect(p[i]);
}

/* Plays all tables of a round. */
static void
cup_games(struct cup *c, int round)
{
	const double from = cup_ms();
	const json_t *pair;
	size_t i;

	json_array_foreach(
	    json_object_get(
		json_array_get(json_object_get(c->paired, "events"), 0),
		"tables"),
	    i, pair) cup_game(c, round, i + 1, pair);
	cup_tell(c, "results_ms", cup_ms() - from);
}

/* Gives all tables of a round a result by chance. */
static void
cup_rule(struct cup *c, int round, size_t tables)
{
	static const char *const values[] = {"1", "1", "2", "2", "="};
	const double from = cup_ms();
	json_t *texts, *args;
	size_t i;

	for (i = 1; i <= tables; i++) {
		args = xalloc_json(json_pack("{s:s, s:{s:i, s:i, s:i, s:s}}",
		    "why", c->why, "result", "round", round, "table", (int)i,
		    "leg", 1, "value", values[cup_chance(c, 5)]));
		texts = round > 1 || i > 1
		    ? NULL
		    : xalloc_json(json_pack("[{s:o, s:s}]", "salt",
			  js_hex(c->salt, sizeof(c->salt)), "value", "so"));
		json_decref(cup_give(c, &c->director, "ruling", args, texts));
	}
	cup_tell(c, "results_ms", cup_ms() - from);
}

/* Has it shown. */
static void
cup_show(struct cup *c)
{
	const double from = cup_ms();
	json_t *result;
	struct buf b;

	result = cup_call(&c->director, "tournament.show",
	    xalloc_json(json_pack("{s:s}", "tournament", c->id)));
	cup_tell(c, "show_ms", cup_ms() - from);
	buf_init(&b, 0);
	js_dump(result, &b);
	(void)json_object_set_new(
	    c->told, "show_bytes", json_integer((json_int_t)b.len));
	buf_clear(&b);
	json_decref(result);
}

/* The text of every ruling. */
static void
cup_words(struct cup *c)
{
	uint8_t ref[HASH_LEN];

	memset(c->salt, 7, sizeof(c->salt));
	if (record_text_ref(ref, c->salt, "so", 2) != 0)
		player_die("text", "no ref");
	hex_format(c->why, ref, HASH_LEN);
}

/* Who directs. */
static void
cup_direct(struct cup *c)
{
	char name[ORDER_ACCOUNT_MAX + 1];

	(void)snprintf(name, sizeof(name), "cup-%llu-director",
	    (unsigned long long)c->seed);
	player_init(&c->director, c->host, c->port, name, c->seed);
	c->director.wait_ms = CUP_WAIT_MS;
}

/* Prints what was measured. */
static void
cup_print(struct cup *c)
{
	(void)json_object_set_new(c->told, "tournament", json_string(c->id));
	if (c->has_games)
		(void)json_object_set_new(
		    c->told, "game_orders", json_integer(c->orders));
	json_decref(c->paired);
	(void)json_dumpf(c->told, stdout, JSON_COMPACT);
	putchar('\n');
	player_clear(&c->director);
	json_decref(c->told);
}

/* Pairs a round of a tournament that is there. */
static int
cup_go_on(struct cup *c, const char *id, int round)
{
	struct player *d = &c->director;
	char line[8];
	json_t *result;

	(void)snprintf(c->id, sizeof(c->id), "%s", id);
	cup_direct(c);
	d->is_registered = true;
	cup_connect(d);
	result = cup_call(d, "tournament.record",
	    xalloc_json(json_pack(
		"{s:s, s:i, s:i}", "tournament", c->id, "from", 0, "to", 0)));
	cup_head(c,
	    json_string_value(
		json_array_get(json_object_get(result, "lines"), 0)));
	json_decref(result);
	/* So the daemon has made the tournament of its lines. */
	cup_words(c);
	cup_order(c, d, "say", xalloc_json(json_pack("{s:s}", "ref", c->why)));
	if (write(STDERR_FILENO, "ready\n", 6) != 6 ||
	    fgets(line, sizeof(line), stdin) == NULL)
		player_die("input", "it ended");
	(void)cup_pair(c, round);
	cup_print(c);
	return (0);
}

/* The whole of a tournament, or as far as before a round. */
static void
cup_play(struct cup *c, int stay)
{
	double from;
	size_t tables;
	int round;

	cup_words(c);
	cup_open(c);
	cup_enter(c);
	cup_start(c);
	for (round = 1; round <= c->rounds && round != stay; round++) {
		tables = cup_pair(c, round);
		if (c->has_games)
			cup_games(c, round);
		else
			cup_rule(c, round, tables);
		cup_show(c);
	}
	if (round <= c->rounds)
		return;
	from = cup_ms();
	cup_order(c, &c->director, "finish", xalloc_json(json_object()));
	cup_tell(c, "finish_ms", cup_ms() - from);
	cup_show(c);
}

int
main(int argc, char **argv)
{
	struct cup c = {.id = ""};
	const bool has_games = argc == 7 && strcmp(argv[6], "games") == 0;
	const int last =
	    argc == 7 && !has_games ? (int)strtol(argv[6], NULL, 10) : 0;
	size_t i;

	if (argc != 6 && argc != 7)
		player_die("usage",
		    "cup HOST PORT ENTRANTS ROUNDS SEED [STAY | games]");
	c.host = argv[1];
	c.port = argv[2];
	c.has_games = has_games;
	c.told = xalloc_json(json_object());
	if (strcmp(argv[3], "pair") == 0 && argc == 7) {
		c.seed = strtoull(argv[4], NULL, 10);
		return (cup_go_on(&c, argv[5], last));
	}
	c.n = strtoul(argv[3], NULL, 10);
	c.rounds = (int)strtol(argv[4], NULL, 10);
	c.seed = c.chance = strtoull(argv[5], NULL, 10);
	if (c.n < 2 || c.n > CUP_ENTRANTS_MAX || c.rounds < 1 ||
	    c.rounds > CUP_ROUNDS_MAX)
		player_die("usage", "2 to 1000 entrants, 1 to 30 rounds");
	c.entrants = xalloc(c.n * sizeof(*c.entrants));
	cup_direct(&c);
	cup_play(&c, last);
	for (i = 0; i < c.n; i++)
		player_clear(&c.entrants[i]);
	free(c.entrants);
	cup_print(&c);
	return (0);
}
