/* SPDX-License-Identifier: ISC */
/* Who plays, and the games of two of them. */
#include "tests/tools/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/vrf_memo.h"
#include "common/game/game_make.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/question.h"

#define PLAYER_POINT_LEN 33 /* Gamma, with which a proof begins */

/* How a match goes on, in hundredths. */
enum match_mix {
	MATCH_CHAT = 32,
	MATCH_FREE = MATCH_CHAT + 30,
	MATCH_TURN_END = MATCH_FREE + 14,
	MATCH_DECLARE = MATCH_TURN_END + 12,
	MATCH_MIX = 100, /* the rest: changes of the roster */
};

struct match {
	struct player players[2];
	uint64_t chance; /* state of the generator */
	const char *roster; /* borrowed */
	json_t *sides; /* owned: the roster's sides */
	uint8_t blob[HASH_LEN]; /* the roster's */
	bool is_stored; /* the roster, at the server */
	char witness[2 * SIGN_KEY_LEN + 1]; /* its key; "": none */
	bool is_watched; /* the game, by the player of seat 1 */
	struct game *game; /* owned; NULL before its first line */
	int64_t seq; /* of the last line; -1 */
	struct player_order order; /* to be answered; params NULL: none */
	int64_t offer; /* a proposal that stands; -1 */
	int offer_seat; /* who made it */
	int chats;
};

void
player_die(const char *what, const char *why)
{
	(void)fprintf(stderr, "player: %s: %s\n", what, why);
	exit(70);
}

/* Sets a member to bytes in hex. */
static void
player_set_hex(json_t *o, const char *name, const void *p, size_t n)
{
	xalloc_set(o, name, js_hex(p, n));
}

/* A secret that comes of the seed, the account and a word. */
static void
player_secret(
    const struct player *p, uint64_t seed, const char *word, uint8_t out[])
{
	char *text = xalloc_printf(
	    "%s %llu %s", word, (unsigned long long)seed, p->account);

	if (hash_sha256(out, text, strlen(text)) != 0)
		player_die(p->account, "no secret");
	free(text);
}

void
player_init(struct player *p, const char *host, const char *port,
    const char *account, uint64_t seed)
{
	uint8_t secret[HASH_LEN];

	memset(p, 0, sizeof(*p));
	p->host = host;
	p->port = port;
	p->wait_ms = PLAYER_WAIT_MS;
	if (!order_is_account(account))
		player_die(account, "no name for an account");
	memcpy(p->account, account, strlen(account) + 1);
	player_secret(p, seed, "sign", secret);
	if (sign_key_from_seed(&p->keys.sign, secret) != 0)
		player_die(account, "no key");
	player_secret(p, seed, "dice", secret);
	if (vrf_key_from_secret(&p->keys.dice, secret) != 0)
		player_die(account, "no dice key");
}

void
player_clear(struct player *p)
{
	player_disconnect(p);
	sign_key_clear(&p->keys.sign);
	vrf_key_clear(&p->keys.dice);
}

void
player_disconnect(struct player *p)
{
	conn_close(p->conn);
	p->conn = NULL;
}

int
player_call(struct player *p, const char *method, const json_t *params,
    json_t **result, struct conn_error *ce)
{
	int r;

	r = conn_call(p->conn, method,
	    params == NULL ? NULL : xalloc_copy(params), result, ce);
	if (r != 0 && !ce->is_answer)
		player_disconnect(p);
	return (r);
}

/* Learns who the server is. */
static int
player_hello(struct player *p, struct errinfo *e)
{
	struct conn_error ce;
	const char *dice;
	json_t *hello;
	int r;

	if ((r = player_call(p, "server.hello", NULL, &hello, &ce)) != 0) {
		*e = ce.e;
		conn_error_clear(&ce);
		return (r);
	}
	if (js_get_hex(hello, "server", NULL, p->server, SIGN_KEY_LEN, e) !=
		0 ||
	    js_get_str(hello, "server_dice", NULL, &dice, e) != 0 ||
	    strlen(dice) != 2 * VRF_KEY_LEN)
		player_die("server.hello", "it makes no sense");
	memcpy(p->server_dice, dice, sizeof(p->server_dice));
	json_decref(hello);
	return (0);
}

/* Logs in, or registers, upon this connection. */
static int
player_login(struct player *p, const char *method, struct errinfo *e)
{
	json_t *params = xalloc_json(json_object()), *result;
	struct conn_error ce;
	uint8_t sig[SIGN_LEN];
	struct buf b;
	int r;

	buf_init(&b, 0);
	buf_add(&b, conn_exporter(p->conn), CONN_EXPORTER_LEN);
	buf_add(&b, p->server, SIGN_KEY_LEN);
	buf_u8(&b, (unsigned)strlen(p->account));
	buf_puts(&b, p->account);
	if (buf_error(&b) != 0 ||
	    sign_make(&p->keys.sign, SIGN_TAG_LOGIN, b.data, b.len, sig) != 0)
		player_die(method, "cannot sign");
	buf_clear(&b);
	xalloc_set(params, "account", xalloc_json_str(p->account));
	player_set_hex(params, "key", p->keys.sign.public_key, SIGN_KEY_LEN);
	player_set_hex(params, "sig", sig, SIGN_LEN);
	r = player_call(p, method, params, &result, &ce);
	json_decref(params);
	if (r != 0) {
		*e = ce.e;
		conn_error_clear(&ce);
		return (r);
	}
	p->is_registered = true;
	json_decref(result);
	return (0);
}

int
player_connect(struct player *p, struct errinfo *e)
{
	int r;

	if (p->conn != NULL)
		return (0);
	if ((r = conn_open(p->host, p->port, p->wait_ms, &p->conn, e)) != 0)
		return (r);
	r = player_hello(p, e);
	if (r == 0 && !p->is_registered) {
		r = player_login(p, "account.register", e);
		/* Its answer may have been lost the last time. */
		if (r == ERR_EXISTS && p->conn != NULL)
			p->is_registered = true;
		else if (r == 0)
			return (0);
		else
			goto out;
		r = 0;
	}
	if (r == 0)
		r = player_login(p, "account.login", e);
out:
	if (r != 0)
		player_disconnect(p);
	return (r);
}

void
player_order_clear(struct player_order *o)
{
	json_decref(o->params);
	memset(o, 0, sizeof(*o));
}

/* Signs what is in text as the order *o; texts is stolen, NULL for none. */
static void
player_order_make(const struct player *p, int seat, enum order_kind kind,
    const struct buf *text, const uint8_t sig[SIGN_LEN], json_t *texts,
    struct player_order *o)
{
	memset(o, 0, sizeof(*o));
	o->seat = seat;
	o->kind = kind;
	o->method = kind == ORDER_CREATE ? "game.create"
	    : kind == ORDER_JOIN         ? "game.join"
					 : "game.order";
	o->has_dice = kind == ORDER_FREE || kind == ORDER_DECLARE;
	if (hash_tagged(o->oid, SIGN_TAG_ORDER, text->data, text->len) != 0)
		player_die(p->account, "no hash");
	o->params = xalloc_json(json_object());
	xalloc_set(o->params, "order",
	    json_stringn((const char *)text->data, text->len));
	player_set_hex(o->params, "sig", sig, SIGN_LEN);
	if (texts != NULL)
		xalloc_set(o->params, "texts", texts);
}

/* A text and its reference, which goes into args; the texts are new. */
static json_t *
player_words(json_t *args, const char *words)
{
	json_t *text = xalloc_json(json_object());
	uint8_t ref[HASH_LEN], salt[RECORD_SALT_LEN];

	if (hash_random(salt, sizeof(salt)) != 0 ||
	    record_text_ref(ref, salt, words, strlen(words)) != 0)
		player_die("chat", "no reference");
	player_set_hex(args, "ref", ref, HASH_LEN);
	player_set_hex(text, "salt", salt, sizeof(salt));
	xalloc_set(text, "value", xalloc_json_str(words));
	return (json_pack("[o]", text));
}

void
player_chat(const struct player *p, const uint8_t game[HASH_LEN], int seat,
    int64_t after, const uint8_t head[HASH_LEN], const char *words,
    struct player_order *o)
{
	json_t *args = xalloc_json(json_object()), *texts;
	struct order_parts parts = {.server = p->server,
	    .now_ms = clock_wall_ms(),
	    .game = game,
	    .seat = seat,
	    .after = after,
	    .head = head,
	    .kind = ORDER_CHAT,
	    .args = args};
	uint8_t sig[SIGN_LEN];
	struct buf b;

	texts = player_words(args, words);
	buf_init(&b, 0);
	if (order_write(&parts, &b) != 0 ||
	    sign_make(&p->keys.sign, SIGN_TAG_ORDER, b.data, b.len, sig) != 0)
		player_die("chat", "cannot be made");
	player_order_make(p, seat, ORDER_CHAT, &b, sig, texts, o);
	buf_clear(&b);
	json_decref(args);
}

/* The next number by chance (splitmix64). */
static uint64_t
match_chance(struct match *m)
{
	uint64_t x = m->chance += 0x9e3779b97f4a7c15U;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
	return (x ^ (x >> 31));
}

/* A number below n, by chance. */
static int
match_below(struct match *m, int n)
{
	return ((int)(match_chance(m) % (unsigned)n));
}

/* Likewise for the rules. */
static uint32_t
match_pick_cb(void *arg, uint32_t n)
{
	return ((uint32_t)(match_chance(arg) % n));
}

struct match *
match_new(const char *host, const char *port, int n, uint64_t seed,
    const char *roster)
{
	struct match *m = xalloc(sizeof(*m));
	json_t *root = json_loads(roster, 0, NULL);
	char *account;
	int i;

	m->seq = -1;
	m->offer = -1;
	m->roster = roster;
	m->sides = json_incref(json_object_get(root, "sides"));
	json_decref(root);
	if (json_object_size(m->sides) != 2 ||
	    record_blob_hash(m->blob, roster, strlen(roster)) != 0)
		player_die("roster", "it has no two sides");
	m->chance = seed ^ (uint64_t)(n + 1) * 0xd6e8feb86659fd93U;
	for (i = 0; i < 2; i++) {
		account = xalloc_printf(
		    "p%08x-%d-%d", (unsigned)(seed ^ (seed >> 32)), n, i + 1);
		player_init(&m->players[i], host, port, account, seed);
		free(account);
	}
	return (m);
}

void
match_free(struct match *m)
{
	if (m == NULL)
		return;
	player_order_clear(&m->order);
	player_clear(&m->players[0]);
	player_clear(&m->players[1]);
	game_free(m->game);
	json_decref(m->sides);
	free(m);
}

struct player *
match_player(struct match *m, int seat)
{
	return (&m->players[seat - 1]);
}

int
match_connect(struct match *m, struct errinfo *e)
{
	json_t *params, *result;
	struct conn_error ce;
	int r;

	if ((r = player_connect(&m->players[0], e)) != 0 ||
	    (r = player_connect(&m->players[1], e)) != 0 || m->is_stored)
		return (r);
	params = xalloc_json(json_object());
	xalloc_set(params, "value", xalloc_json_str(m->roster));
	r = player_call(&m->players[0], "blob.put", params, &result, &ce);
	json_decref(params);
	if (r != 0) {
		*e = ce.e;
		conn_error_clear(&ce);
		return (r);
	}
	json_decref(result);
	m->is_stored = true;
	return (0);
}

void
match_set_witness(struct match *m, const char witness[2 * SIGN_KEY_LEN + 1])
{
	memcpy(m->witness, witness, sizeof(m->witness));
}

/* Makes the create order. */
static void
match_make_create(struct match *m)
{
	static const char zeros[2 * HASH_LEN + 1] =
	    "00000000000000000000000000000000"
	    "00000000000000000000000000000000";
	const struct player *p = &m->players[0];
	uint8_t sig[SIGN_LEN];
	struct buf text;
	json_t *args;

	args = xalloc_json(json_pack("{s:i, s:s, s:s, s:s, s:i, s:s, s:{}, "
				     "s:[], s:s, s:s, s:s, s:s}",
	    "seat", 1, "system", "lasalle2", "rules", "lasalle2/1", "account",
	    p->account, "kn", 0, "kprev", zeros, "rulings", "tables", "scheme",
	    m->witness[0] == '\0' ? "dual-1" : "live-1", "server_dice",
	    p->server_dice, "secret", "held", "silence", "forfeit"));
	if (m->witness[0] != '\0')
		xalloc_set(args, "options",
		    xalloc_json(json_pack("{s:s}", "witness", m->witness)));
	player_set_hex(args, "roster", m->blob, HASH_LEN);
	player_set_hex(args, "key", p->keys.sign.public_key, SIGN_KEY_LEN);
	player_set_hex(args, "dice_key", p->keys.dice.public_key, VRF_KEY_LEN);
	buf_init(&text, 0);
	if (game_make_create(
		p->server, &p->keys, args, clock_wall_ms(), &text, sig) != 0)
		player_die("create", "cannot be made");
	player_order_make(p, 1, ORDER_CREATE, &text, sig, NULL, &m->order);
	buf_clear(&text);
	json_decref(args);
}

/* Makes an order upon the present state; args is stolen. */
static void
match_make(struct match *m, int seat, enum order_kind kind, json_t *args)
{
	const struct player *p = &m->players[seat - 1];
	struct errinfo e = {.text = ""};
	uint8_t sig[SIGN_LEN];
	struct buf text;

	buf_init(&text, 0);
	if (game_make_order(m->game, seat, &p->keys, kind, args,
		clock_wall_ms(), &text, sig, &e) != 0)
		player_die(order_kind_name(kind), e.text);
	player_order_make(p, seat, kind, &text, sig, NULL, &m->order);
	buf_clear(&text);
	json_decref(args);
}

/* Makes the join order of seat 2. */
static void
match_make_join(struct match *m)
{
	const struct player *p = &m->players[1];
	json_t *args = xalloc_json(json_object());
	uint8_t zeros[HASH_LEN] = {0};

	xalloc_set(args, "seat", json_integer(2));
	player_set_hex(args, "key", p->keys.sign.public_key, SIGN_KEY_LEN);
	player_set_hex(args, "dice_key", p->keys.dice.public_key, VRF_KEY_LEN);
	xalloc_set(args, "account", xalloc_json_str(p->account));
	xalloc_set(args, "kn", json_integer(0));
	player_set_hex(args, "kprev", zeros, HASH_LEN);
	match_make(m, 2, ORDER_JOIN, args);
}

/* Makes a chat of either seat. */
static void
match_make_chat(struct match *m)
{
	int seat = 1 + match_below(m, 2);
	char *words = xalloc_printf("chat %d: who holds the ridge holds the "
				    "road, and they know it",
	    ++m->chats);

	player_chat(&m->players[seat - 1], game_id(m->game), seat, m->seq,
	    game_head(m->game), words, &m->order);
	free(words);
}

/* The unit of a side that fights (0) or the last one, that never does. */
static const json_t *
match_unit(const struct match *m, int side, bool is_fighter)
{
	const json_t *units = json_object_get(
	    json_object_get(m->sides, side == 1 ? "1" : "2"), "units");
	size_t n = json_array_size(units);

	if (n < 2)
		player_die("roster", "a side has fewer than two units");
	return (json_array_get(units, is_fighter ? 0 : n - 1));
}

/* The id of such a unit. */
static const char *
match_unit_id(const struct match *m, int side, bool is_fighter)
{
	return (json_string_value(
	    json_object_get(match_unit(m, side, is_fighter), "id")));
}

/* The combat of the two units that fight, the side in turn attacks; new. */
static json_t *
match_combat(const struct match *m)
{
	int side = game_side(m->game);
	const char *a = match_unit_id(m, side, true);
	const char *d = match_unit_id(m, 3 - side, true);

	return (xalloc_json(json_pack("{s:[{s:s,s:s}],s:[{s:s,s:s}],"
				      "s:[{s:s,s:s,s:s}]}",
	    "attackers", "id", a, "formation", "line", "defenders", "id", d,
	    "formation", "line", "contacts", "attacker", a, "defender", d,
	    "edge", "front")));
}

/* A change of a unit to what the blob has, less `less`; new. */
static json_t *
match_change(const struct match *m, int side, bool is_fighter, int less)
{
	const json_t *unit = match_unit(m, side, is_fighter);

	return (xalloc_json(json_pack("{s:s, s:I, s:n}", "id",
	    match_unit_id(m, side, is_fighter), "strength",
	    json_integer_value(json_object_get(unit, "strength")) - less,
	    "out")));
}

/* Adds a change to a list if it would change something; it is stolen. */
static void
match_add_change(struct match *m, int seat, json_t *list, json_t *change)
{
	json_t *alone = xalloc_json(json_array());
	struct errinfo e;

	xalloc_append(alone, json_incref(change));
	if (game_check_adjust(m->game, seat, alone, &e) == 0)
		xalloc_append(list, json_incref(change));
	json_decref(alone);
	json_decref(change);
}

/* A change by which another like the one who never fights joins; new. */
static json_t *
match_joining(const struct match *m, int side)
{
	json_t *unit = xalloc_copy(match_unit(m, side, false));
	char *id = xalloc_printf("j-%lld", (long long)m->seq);

	xalloc_set(unit, "id", xalloc_json_str(id));
	xalloc_set(unit, "joins", json_string("units"));
	xalloc_set(unit, "side", json_integer(side));
	free(id);
	return (unit);
}

/* A change by which the last that joined a side goes for good; new, NULL. */
static json_t *
match_leaving(const struct match *m, int side)
{
	const json_t *units, *unit;
	const char *id;

	units = json_object_get(
	    json_object_get(game_roster(m->game), side == 1 ? "1" : "2"),
	    "units");
	unit = json_array_get(units, json_array_size(units) - 1);
	id = js_str(unit, "id");
	if (strncmp(id, "j-", 2) != 0 || json_object_get(unit, "gone") != NULL)
		return (NULL);
	return (xalloc_json(json_pack("{s:s, s:b}", "id", id, "gone", 1)));
}

#define MATCH_UNITS_MAX 12 /* of a side, above which nobody joins */

/* Makes changes of who is there, every other time; they may be none. */
static void
match_add_reinforcement(struct match *m, int seat, int side, json_t *list)
{
	const json_t *units;
	json_t *change;

	units = json_object_get(
	    json_object_get(game_roster(m->game), side == 1 ? "1" : "2"),
	    "units");
	if (match_below(m, 2) != 0)
		return;
	change = match_leaving(m, side);
	/* Those gone count: in a long game the rosters would fill. */
	if (change == NULL && json_array_size(units) >= MATCH_UNITS_MAX)
		return;
	if (change == NULL)
		change = match_joining(m, side);
	match_add_change(m, seat, list, change);
}

/*
 * Makes a proposal by the side in turn: those who fight as they were at
 * first, and, if they are, somebody who joins or goes, or another strength for
 * one who never fights.
 */
static void
match_make_propose(struct match *m)
{
	json_t *list = xalloc_json(json_array());
	int seat = game_side(m->game), side;

	for (side = 1; side <= 2; side++)
		match_add_change(m, seat, list, match_change(m, side, true, 0));
	if (json_array_size(list) == 0) {
		side = 1 + match_below(m, 2);
		match_add_reinforcement(m, seat, side, list);
		if (json_array_size(list) == 0)
			match_add_change(
			    m, seat, list, match_change(m, side, false, 1));
		if (json_array_size(list) == 0)
			match_add_change(
			    m, seat, list, match_change(m, side, false, 0));
	}
	match_make(m, seat, ORDER_PROPOSE,
	    xalloc_json(
		json_pack("{s:s, s:o}", "what", "adjust", "units", list)));
}

/* Makes a declaration, or the proposal that it needs first. */
static void
match_make_declare(struct match *m)
{
	json_t *combat = match_combat(m), *facts;
	struct errinfo e;

	if (game_check_combat(
		m->game, game_side(m->game), combat, &facts, &e) != 0) {
		json_decref(combat);
		match_make_propose(m);
		return;
	}
	json_decref(facts);
	match_make(m, game_side(m->game), ORDER_DECLARE,
	    xalloc_json(json_pack("{s:o}", "combat", combat)));
}

/* Makes a decision of the seat that owes one. */
static void
match_make_decide(struct match *m, const struct game_wait *wait)
{
	const struct question_pick pick = {match_pick_cb, m};
	json_t *decision;

	if (game_sample_decision(m->game, wait->side, &pick, &decision) != 0)
		player_die("decide", "no decision can be had");
	match_make(m, wait->side, ORDER_DECIDE,
	    xalloc_json(json_pack("{s:I, s:o}", "ask", (json_int_t)wait->since,
		"decision", decision)));
}

/* Makes a free roll of the side in turn. */
static void
match_make_free(struct match *m)
{
	match_make(m, game_side(m->game), ORDER_FREE,
	    xalloc_json(json_pack(
		"{s:i, s:i}", "dice", 1 + match_below(m, 10), "sides", 6)));
}

/* Makes the next order of the mix. */
static void
match_make_mix(struct match *m)
{
	int n = match_below(m, MATCH_MIX);

	if (n < MATCH_CHAT)
		match_make_chat(m);
	else if (n < MATCH_FREE)
		match_make_free(m);
	else if (n < MATCH_TURN_END)
		match_make(m, game_side(m->game), ORDER_TURN_END,
		    xalloc_json(json_object()));
	else if (n < MATCH_DECLARE)
		match_make_declare(m);
	else
		match_make_propose(m);
}

const struct player_order *
match_next(struct match *m)
{
	struct game_waits waits = {.n = 0};
	const struct game_wait *w = &waits.list[0];

	if (m->order.params != NULL)
		return (&m->order);
	if (m->game == NULL) {
		match_make_create(m);
		return (&m->order);
	}
	game_waits_owed(m->game, &waits);
	if (waits.n == 0)
		player_die("match", "the game waits for nobody");
	if (w->what == OWED_JOIN)
		match_make_join(m);
	else if (w->what == OWED_READY)
		match_make(m, w->seat, ORDER_READY, xalloc_json(json_object()));
	else if (w->what == OWED_DECIDE)
		match_make_decide(m, w);
	else if (m->offer >= 0)
		match_make(m, 3 - m->offer_seat, ORDER_ACCEPT,
		    xalloc_json(
			json_pack("{s:I}", "to", (json_int_t)m->offer)));
	else
		match_make_mix(m);
	return (&m->order);
}

void
match_chat(struct match *m)
{
	if (m->order.params != NULL || m->game == NULL)
		player_die("match", "no chat can be made now");
	match_make_chat(m);
}

/* game_blobs: the one roster. */
static int
match_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len)
{
	const struct match *m = arg;

	if (memcmp(hash, m->blob, HASH_LEN) != 0)
		return (ERR_NOTFOUND);
	*bytes = m->roster;
	*len = strlen(m->roster);
	return (0);
}

/* The output of a proof, which is not verified (RFC 9381, 5.2). */
static int
match_beta(const uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	const struct hash_part parts[] = {
	    {"\x01\x03", 2}, {proof, PLAYER_POINT_LEN}, {"\0", 1}};

	return (hash_parts(beta, parts, sizeof(parts) / sizeof(parts[0])));
}

/* game_dice: the proof of the line and its output. */
static int
match_prove_cb(void *arg, const uint8_t *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	const json_t *dice = arg;

	(void)alpha;
	(void)n;
	if (js_get_hex(dice, "proof", NULL, proof, VRF_PROOF_LEN, NULL) != 0)
		return (ERR_PROOF);
	return (match_beta(proof, beta));
}

/*
 * Makes up what verifying an order's own proof would give, so that taking its
 * line need not do what the server has done.
 */
static void
match_recall(
    const struct match *m, const struct order *o, struct vrf_memo *memo)
{
	static const char tag[] = "umpire/own/1"; /* its NUL counts: T(tag) */
	const uint8_t *key;

	if (m->game == NULL || !o->has_own || o->place == NULL)
		return;
	key = game_dice_key(m->game, o->seat);
	memcpy(memo->key, key, VRF_KEY_LEN);
	memcpy(memo->alpha, tag, sizeof(tag));
	memo->n = sizeof(tag) + HASH_LEN;
	memcpy(memo->proof, o->own, VRF_PROOF_LEN);
	memo->is_set = game_base(game_id(m->game), game_pool(m->game), o->place,
			   memo->alpha + sizeof(tag)) == 0 &&
	    match_beta(o->own, memo->beta) == 0;
}

/* Lets an order that was recorded do what it does. */
static int
match_take(struct match *m, const struct record_line *ln, struct errinfo *e)
{
	const struct game_blobs blobs = {match_blob_cb, m};
	const struct game_dice dice = {
	    match_prove_cb, (void *)(uintptr_t)ln->dice};
	struct game_effects fx = {.dice = NULL};
	struct vrf_memo memo = {.is_set = false};
	struct order o;
	int r;

	if ((r = order_parse(ln->text, ln->text_len, &o, e)) != 0)
		return (r);
	o.at_ms = ln->at_ms;
	match_recall(m, &o, &memo);
	o.memo = &memo;
	if (ln->seq == 0)
		r = game_create(&o, ln->key, &blobs, false, &m->game, &fx, e);
	else
		r = game_take(m->game, &o, ln->key, &dice, ln, &fx, e);
	if (r == 0 && o.kind == ORDER_PROPOSE) {
		m->offer = ln->seq;
		m->offer_seat = ln->seat;
	} else if (r == 0 && o.kind == ORDER_ACCEPT) {
		m->offer = -1;
	}
	if (r == 0 && m->order.params != NULL &&
	    memcmp(o.oid, m->order.oid, HASH_LEN) == 0)
		player_order_clear(&m->order);
	game_effects_clear(&fx);
	order_clear(&o);
	return (r);
}

int
match_took(struct match *m, const char *line)
{
	struct errinfo e = {.text = ""};
	struct record_line ln;
	int r;

	if (record_parse(line, strlen(line), &ln, &e) != 0)
		player_die("a line", e.text);
	if (ln.seq != m->seq + 1) {
		r = ln.seq <= m->seq ? ERR_EXISTS : ERR_PENDING;
		record_clear(&ln);
		return (r);
	}
	if (ln.kind != RECORD_ORDER)
		r = err_set(&e, ERR_BAD, NULL, "not an order's");
	else
		r = match_take(m, &ln, &e);
	if (r != 0)
		player_die("a line", e.text);
	game_advance(m->game, ln.at_ms, ln.hash);
	m->seq = ln.seq;
	record_clear(&ln);
	return (0);
}

const struct game *
match_game(const struct match *m)
{
	return (m->game);
}

int64_t
match_seq(const struct match *m)
{
	return (m->seq);
}

bool
match_is_play(const struct match *m)
{
	return (m->game != NULL && game_phase(m->game) == GAME_PLAY);
}

/* Microseconds of the monotonic clock. */
static int64_t
player_now_us(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts) == -1)
		player_die("clock", "it does not run");
	return ((int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000);
}

int
match_open(struct match *m, struct errinfo *e)
{
	struct conn_error ce;
	json_t *result;
	int r;

	match_make_create(m);
	r = player_call(
	    &m->players[0], m->order.method, m->order.params, &result, &ce);
	player_order_clear(&m->order);
	if (r == 0) {
		json_decref(result);
		return (0);
	}
	*e = ce.e;
	conn_error_clear(&ce);
	return (r);
}

int
match_again(struct match *m, struct errinfo *e)
{
	json_t *params, *result;
	struct conn_error ce;
	int r;

	if (m->order.params != NULL || m->game == NULL)
		player_die("match", "it cannot be left now");
	if (m->is_watched) {
		params = xalloc_json(json_object());
		player_set_hex(params, "game", game_id(m->game), HASH_LEN);
		r = player_call(
		    &m->players[0], "game.unwatch", params, &result, &ce);
		json_decref(params);
		if (r != 0) {
			*e = ce.e;
			conn_error_clear(&ce);
			return (r);
		}
		json_decref(result);
	}
	game_free(m->game);
	m->game = NULL;
	m->is_watched = false;
	m->seq = m->offer = -1;
	return (0);
}

/* True while the game waits for its witness, and for nobody else first. */
static bool
match_waits(const struct match *m)
{
	struct game_waits waits = {.n = 0};
	size_t i;

	game_waits_owed(m->game, &waits);
	for (i = 0; i < waits.n; i++) {
		if (waits.list[i].seat == GAME_WITNESS &&
		    (waits.list[i].what != OWED_READY || i == 0))
			return (true);
	}
	return (false);
}

/* Takes what the witness says, on the connection of seat 1. */
static int
match_hear(struct match *m, struct errinfo *e)
{
	struct player *p = &m->players[0];
	json_t *params, *result;
	uint8_t game[HASH_LEN];
	struct conn_error ce;
	char method[64];
	const char *line;
	int r = 0;

	if (!m->is_watched) {
		params = xalloc_json(
		    json_pack("{s:I}", "after", (json_int_t)m->seq));
		player_set_hex(params, "game", game_id(m->game), HASH_LEN);
		r = player_call(p, "game.watch", params, &result, &ce);
		json_decref(params);
		if (r != 0) {
			*e = ce.e;
			conn_error_clear(&ce);
			return (r);
		}
		json_decref(result);
		m->is_watched = true;
	}
	while (r == 0 && match_waits(m)) {
		r = conn_notice(p->conn, p->wait_ms, method, &params, e);
		if (r != 0)
			return (r);
		r = js_get_str(params, "line", NULL, &line, e);
		if (r == 0)
			r = js_get_hex(
			    params, "game", NULL, game, sizeof(game), e);
		/* A game that was left may have had some on their way. */
		if (r == 0 &&
		    memcmp(game, game_id(m->game), sizeof(game)) == 0 &&
		    match_took(m, line) == ERR_PENDING)
			r = err_set(e, ERR_BAD, NULL, "a line is missing");
		json_decref(params);
	}
	return (r);
}

int
match_play(struct match *m, int64_t *us, struct errinfo *e)
{
	const struct player_order *o = match_next(m);
	struct conn_error ce;
	const char *line;
	json_t *result;
	int64_t from;
	int r;

	from = player_now_us();
	r = player_call(
	    match_player(m, o->seat), o->method, o->params, &result, &ce);
	if (r != 0) {
		*e = ce.e;
		conn_error_clear(&ce);
		return (r);
	}
	if ((r = js_get_str(result, "line", NULL, &line, e)) == 0)
		r = match_took(m, line);
	json_decref(result);
	if (r == 0 && m->witness[0] != '\0')
		r = match_hear(m, e);
	if (us != NULL)
		*us = player_now_us() - from;
	return (r);
}
