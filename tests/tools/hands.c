/* SPDX-License-Identifier: ISC */
/*
 * hands HOST PORT SEED: the hands of all who sit at the tables of a club.  One
 * process has a connection for each account, whose keys come of the seed and
 * its name; it does what the lines of standard input say and answers each with
 * a line of JSON: "result", or "error" with its name.
 *
 *   person NAME           logs in, or registers; the public keys
 *   keys NAME SIGN DICE   has other keys from here on, secrets in hex
 *   leave NAME            ends the connection
 *   now MS                the time that orders to games tell
 *   call NAME METHOD PARAMS
 *                         sends a request
 *   game GAME ONE TWO     holds a game: who sits on side 1 and on side 2
 *   steps ARRAY           what is tried by chance in a turn from here on, each
 *                         as a file tests/rules/ID/played.game has it
 *   order GAME SEAT KIND ARGS
 *                         gives an order to a game as its last line leaves it
 *   play GAME TURNS       plays by chance until so many turns have ended: what
 *                         was declared, decided, refused and the like
 *
 * Lines of games are verified as they come.  It never gives an order that it
 * has not found lawful, so that an error is the server's or ours.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_facts.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/question.h"
#include "tests/tools/player.h"

#define HANDS_ORDERS_MAX 400 /* of a `play` */

/* A game that is held. */
struct hands_game {
	uint8_t id[HASH_LEN];
	struct player *who[3]; /* by side */
	struct verify *v; /* owned */
	int64_t lines; /* that were taken */
	json_t *open[3]; /* owned, by side: a choice to be opened; NULL */
};

struct hands {
	const char *host;
	const char *port;
	uint64_t seed;
	uint64_t chance; /* state of the generator */
	int64_t now_ms; /* of orders to games */
	struct player **players; /* owned */
	size_t n_players;
	struct hands_game *games; /* owned */
	size_t n_games;
	json_t *steps; /* owned; an array */
};

/* Prints a value as one line; v is stolen. */
static void
hands_print(json_t *v)
{
	char *s = xalloc_dump(v);

	(void)printf("%s\n", s);
	free(s);
	json_decref(v);
}

/* Prints what went wrong. */
static void
hands_failed(int r, const char *where, const char *text)
{
	hands_print(xalloc_json(json_pack("{s:{s:s, s:s, s:s}}", "error",
	    "name", err_name(r), "where", where, "text", text)));
}

/* A number below n, by chance (splitmix64). */
static uint32_t
hands_pick_cb(void *arg, uint32_t n)
{
	struct hands *h = arg;
	uint64_t x = h->chance += 0x9e3779b97f4a7c15U;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
	return ((uint32_t)((x ^ (x >> 31)) % n));
}

/* Finds an account that there is. */
static struct player *
hands_player(const struct hands *h, const char *name)
{
	size_t i;

	for (i = 0; i < h->n_players; i++) {
		if (strcmp(h->players[i]->account, name) == 0)
			return (h->players[i]);
	}
	player_die(name, "there is nobody of this name");
}

/* Logs somebody in, whom it makes if they are new. */
static void
hands_person(struct hands *h, const char *name)
{
	struct errinfo e = {.text = ""};
	struct player *p = NULL;
	size_t i;
	int r;

	for (i = 0; i < h->n_players; i++) {
		if (strcmp(h->players[i]->account, name) == 0)
			p = h->players[i];
	}
	if (p == NULL) {
		p = xalloc(sizeof(*p));
		player_init(p, h->host, h->port, name, h->seed);
		h->players =
		    xalloc_more(h->players, h->n_players, sizeof(*h->players));
		h->players[h->n_players++] = p;
	}
	if ((r = player_connect(p, &e)) != 0) {
		hands_failed(r, e.where, e.text);
		return;
	}
	hands_print(json_pack("{s:o, s:o}", "sign",
	    js_hex(p->keys.sign.public_key, SIGN_KEY_LEN), "dice",
	    js_hex(p->keys.dice.public_key, VRF_KEY_LEN)));
}

/* Has somebody use other keys. */
static void
hands_keys(
    struct hands *h, const char *name, const char *sign, const char *dice)
{
	struct player *p = hands_player(h, name);
	uint8_t secret[HASH_LEN];

	player_disconnect(p);
	if (sign == NULL || dice == NULL ||
	    hex_parse(secret, HASH_LEN, sign, strlen(sign)) != 0 ||
	    sign_key_from_seed(&p->keys.sign, secret) != 0 ||
	    hex_parse(secret, HASH_LEN, dice, strlen(dice)) != 0 ||
	    vrf_key_from_secret(&p->keys.dice, secret) != 0)
		player_die(name, "no such keys");
	hands_person(h, name);
}

/*
 * Sends a request of somebody, once more if the connection had ended, as those
 * do that were idle; NULL: it was printed what went wrong.
 */
static json_t *
hands_call(struct player *p, const char *method, const json_t *params)
{
	struct conn_error ce = {.is_answer = false};
	json_t *result;
	int i, r = 0;

	for (i = 0; i < 2 && !ce.is_answer; i++) {
		conn_error_clear(&ce);
		if ((r = player_connect(p, &ce.e)) != 0)
			break;
		r = player_call(p, method, params, &result, &ce);
		if (r == 0)
			return (result);
	}
	hands_failed(r, ce.e.where, ce.e.text);
	conn_error_clear(&ce);
	return (NULL);
}

/* Reads JSON that the test gave; new. */
static json_t *
hands_json(const char *text)
{
	json_t *v = text == NULL ? NULL : json_loads(text, 0, NULL);

	if (v == NULL)
		player_die(text == NULL ? "nothing" : text, "no JSON");
	return (v);
}

/* ---- games ---- */

/* Finds a game that is held. */
static struct hands_game *
hands_game(struct hands *h, const char *hex)
{
	uint8_t id[HASH_LEN];
	size_t i;

	if (hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0)
		player_die(hex, "no game");
	for (i = 0; i < h->n_games; i++) {
		if (memcmp(h->games[i].id, id, HASH_LEN) == 0)
			return (&h->games[i]);
	}
	player_die(hex, "the game is not held");
}

/* Holds a game from here on. */
static void
hands_hold(struct hands *h, const char *hex, const char *one, const char *two)
{
	const struct verify_options opt = {.head_seq = -1};
	struct hands_game *g;

	if (one == NULL || two == NULL)
		player_die("game", "two sit at a table");
	h->games = xalloc_more(h->games, h->n_games, sizeof(*h->games));
	g = &h->games[h->n_games++];
	memset(g, 0, sizeof(*g));
	if (hex_parse(g->id, HASH_LEN, hex, strlen(hex)) != 0 ||
	    verify_new(&opt, &g->v) != 0)
		player_die(hex, "no game");
	g->who[1] = hands_player(h, one);
	g->who[2] = hands_player(h, two);
	hands_print(json_true());
}

/* Takes the blobs, then the lines of a reply. */
static void
hands_take(struct hands_game *g, const json_t *reply)
{
	struct errinfo e = {.text = ""};
	struct record_side side;
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(reply, "side"), i, v)
	{
		if (record_side_parse(json_string_value(v),
			json_string_length(v), &side, &e) != 0)
			player_die("a side line", e.text);
		if (side.is_blob &&
		    verify_add_blob(g->v, side.value, side.len) != 0)
			player_die("a blob", "it cannot be held");
		record_side_clear(&side);
	}
	json_array_foreach(json_object_get(reply, "lines"), i, v)
	{
		if (verify_line(g->v, json_string_value(v),
			json_string_length(v), &e) != 0)
			player_die("a line is bad", e.text);
		g->lines++;
	}
}

/* Takes the lines that are new; false if it was printed what went wrong. */
static bool
hands_follow(struct hands_game *g)
{
	json_t *params, *reply;
	bool is_more = true;

	while (is_more) {
		params = xalloc_json(json_pack("{s:I, s:b}", "from",
		    (json_int_t)g->lines, "side", g->lines == 0));
		xalloc_set(params, "game", js_hex(g->id, HASH_LEN));
		reply = hands_call(g->who[1], "game.record", params);
		json_decref(params);
		if (reply == NULL)
			return (false);
		hands_take(g, reply);
		is_more = json_object_get(reply, "next") != NULL;
		json_decref(reply);
	}
	return (true);
}

/* The game as its last line leaves it. */
static const struct game *
hands_state(const struct hands_game *g)
{
	return (verify_game(g->v));
}

/*
 * Gives an order; args is stolen, open (what goes with a commit) is borrowed,
 * NULL for none.  The result, new; NULL: it was printed what went wrong.
 */
static json_t *
hands_order(struct hands *h, struct hands_game *g, int seat,
    enum order_kind kind, json_t *args, const json_t *open)
{
	struct player *p = g->who[game_side_of(seat)];
	json_t *params = xalloc_json(json_object()), *result = NULL;
	struct errinfo e = {.text = ""};
	uint8_t sig[SIGN_LEN];
	struct buf text;
	int r;

	buf_init(&text, 0);
	r = game_make_order(hands_state(g), seat, &p->keys, kind, args,
	    h->now_ms, &text, sig, &e);
	if (r == 0) {
		xalloc_set(params, "order",
		    json_stringn((const char *)text.data, text.len));
		xalloc_set(params, "sig", js_hex(sig, SIGN_LEN));
		xalloc_set(params, "key",
		    js_hex(p->keys.sign.public_key, SIGN_KEY_LEN));
		if (open != NULL)
			xalloc_set(params, "open", xalloc_copy(open));
		result = hands_call(
		    p, kind == ORDER_JOIN ? "game.join" : "game.order", params);
	} else {
		hands_failed(r, e.where, e.text);
	}
	if (result != NULL && !hands_follow(g)) {
		json_decref(result);
		result = NULL;
	}
	buf_clear(&text);
	json_decref(params);
	json_decref(args);
	return (result);
}

/* ---- play by chance ---- */

/* Gives an order that must be taken, and counts it by its kind. */
static bool
hands_step(struct hands *h, struct hands_game *g, int seat,
    enum order_kind kind, json_t *args, const json_t *open, json_t *sums)
{
	const char *name = order_kind_name(kind);
	json_t *result = hands_order(h, g, seat, kind, args, open);

	if (result == NULL)
		return (false);
	json_decref(result);
	xalloc_set(sums, name,
	    json_integer(1 + json_integer_value(json_object_get(sums, name))));
	return (true);
}

/* Makes a choice of a card, and what opens it; the args are new. */
static json_t *
hands_choose(struct hands *h, struct hands_game *g, int side, int64_t ask)
{
	json_t *card = game_question(hands_state(g), side), *options, *list;
	uint8_t salt[RECORD_SALT_LEN], commit[HASH_LEN];
	const char *member;
	struct buf b;
	size_t n;

	options = json_object_get(card, "options");
	member = json_object_iter_key(json_object_iter(options));
	list = json_object_get(json_object_get(options, member), "one");
	n = json_array_size(list);
	if (n == 0)
		player_die("commit", "there is nothing to choose from");
	n = hands_pick_cb(h, (uint32_t)n);
	buf_init(&b, 0);
	buf_printf(&b, "{\"kind\":\"%s\",\"%s\":\"%s\"}", js_str(card, "kind"),
	    member, json_string_value(json_array_get(list, n)));
	if (hash_random(salt, sizeof(salt)) != 0 ||
	    record_secret(commit, g->id, side, ask, salt, buf_str(&b), b.len) !=
		0)
		player_die("commit", "cannot be made");
	json_decref(g->open[side]);
	g->open[side] = xalloc_json(json_pack("{s:o, s:s}", "salt",
	    js_hex(salt, sizeof(salt)), "text", buf_str(&b)));
	buf_clear(&b);
	json_decref(card);
	return (xalloc_json(json_pack("{s:I, s:o}", "ask", (json_int_t)ask,
	    "commit", js_hex(commit, HASH_LEN))));
}

/* Answers what somebody did; says true if it went well. */
static bool
hands_answer(struct hands *h, struct hands_game *g, const struct game_wait *w,
    json_t *sums)
{
	const bool agrees =
	    !game_may_object(hands_state(g)) || hands_pick_cb(h, 3) != 0;

	return (hands_step(h, g, w->seat, ORDER_ANSWER,
	    xalloc_json(json_pack("{s:I, s:s}", "to", (json_int_t)w->since,
		"say", agrees ? "agree" : "object")),
	    NULL, sums));
}

/* Answers a question of a combat. */
static bool
hands_decide(struct hands *h, struct hands_game *g, const struct game_wait *w,
    json_t *sums)
{
	const struct question_pick pick = {hands_pick_cb, h};
	json_t *decision;

	if (game_sample_decision(hands_state(g), w->side, &pick, &decision) !=
	    0)
		player_die("decide", "no decision can be had");
	return (hands_step(h, g, w->side, ORDER_DECIDE,
	    xalloc_json(json_pack("{s:I, s:o}", "ask", (json_int_t)w->since,
		"decision", decision)),
	    NULL, sums));
}

/* Commits to a card, or opens one. */
static bool
hands_secret(struct hands *h, struct hands_game *g, const struct game_wait *w,
    json_t *sums)
{
	json_t *args;

	if (w->what == OWED_COMMIT) {
		args = hands_choose(h, g, w->side, w->since);
		return (hands_step(h, g, w->side, ORDER_COMMIT, args,
		    game_is_sealed(hands_state(g)) ? NULL : g->open[w->side],
		    sums));
	}
	args = xalloc_copy(g->open[w->side]);
	xalloc_set(args, "ask", json_integer(w->since));
	return (hands_step(h, g, w->side, ORDER_OPEN, args, NULL, sums));
}

/* Adjusts rosters: one proposes, the other accepts. */
static bool
hands_adjust(struct hands *h, struct hands_game *g, int seat,
    const json_t *units, json_t *sums)
{
	if (!hands_step(h, g, seat, ORDER_PROPOSE,
		xalloc_json(json_pack("{s:s, s:O}", "what", "adjust", "units",
		    (json_t *)(uintptr_t)units)),
		NULL, sums))
		return (false);
	return (hands_step(h, g, 3 - seat, ORDER_ACCEPT,
	    xalloc_json(json_pack("{s:I}", "to", (json_int_t)(g->lines - 1))),
	    NULL, sums));
}

/* Tries a step by chance; *is_done says whether it was lawful now. */
static bool
hands_try(struct hands *h, struct hands_game *g, int side, json_t *sums,
    bool *is_done)
{
	const size_t n = json_array_size(h->steps);
	const struct game *state = hands_state(g);
	const json_t *step;
	json_t *facts, *v;
	struct errinfo e;

	*is_done = false;
	if (n == 0)
		return (true);
	step = json_array_get(h->steps, hands_pick_cb(h, (uint32_t)n));
	*is_done = true;
	if ((v = json_object_get(step, "declare")) != NULL &&
	    game_check_combat(state, side, v, &facts, &e) == 0) {
		json_decref(facts);
		return (hands_step(h, g, side, ORDER_DECLARE,
		    xalloc_json(json_pack("{s:O}", "combat", v)), NULL, sums));
	}
	if ((v = json_object_get(step, "upkeep")) != NULL &&
	    game_check_upkeep(state, side, v, &e) == 0)
		return (hands_step(
		    h, g, side, ORDER_UPKEEP, xalloc_copy(v), NULL, sums));
	if ((v = json_object_get(step, "adjust")) != NULL &&
	    game_check_adjust(state, side, v, &e) == 0)
		return (hands_adjust(h, g, side, v, sums));
	*is_done = false;
	return (true);
}

/* Something in a turn, or its end. */
static bool
hands_turn(struct hands *h, struct hands_game *g, const struct game_wait *w,
    json_t *sums)
{
	const int side = game_side(hands_state(g));
	bool is_done;

	(void)w;
	if (hands_pick_cb(h, 3) != 0) {
		if (!hands_try(h, g, side, sums, &is_done))
			return (false);
		if (is_done)
			return (true);
	}
	if (hands_pick_cb(h, 4) == 0)
		return (hands_step(h, g, side, ORDER_FREE,
		    xalloc_json(json_pack("{s:i, s:i}", "dice",
			1 + (int)hands_pick_cb(h, 6), "sides", 6)),
		    NULL, sums));
	return (hands_step(h, g, side, ORDER_TURN_END,
	    xalloc_json(json_object()), NULL, sums));
}

/* Does what the game waits for; false: printed, or *is_over. */
static bool
hands_go(struct hands *h, struct hands_game *g, json_t *sums, bool *is_over)
{
	struct game_waits waits = {.n = 0};
	const struct game_wait *w = &waits.list[0];

	game_waits_owed(hands_state(g), &waits);
	*is_over = waits.n == 0 || game_phase(hands_state(g)) != GAME_PLAY;
	if (*is_over)
		return (false);
	switch (w->what) {
	case OWED_DECIDE:
		return (hands_decide(h, g, w, sums));
	case OWED_COMMIT:
	case OWED_OPEN:
		return (hands_secret(h, g, w, sums));
	case OWED_ANSWER:
		return (hands_answer(h, g, w, sums));
	case OWED_TURN:
		return (hands_turn(h, g, w, sums));
	default:
		*is_over = true;
		return (false);
	}
}

/* Plays by chance until so many turns have ended. */
static void
hands_play(struct hands *h, struct hands_game *g, long turns)
{
	json_t *sums = xalloc_json(json_object());
	bool is_over = false, is_well = hands_follow(g);
	int n;

	for (n = 0; is_well && n < HANDS_ORDERS_MAX &&
	     json_integer_value(json_object_get(sums, "turn.end")) < turns;
	     n++)
		is_well = hands_go(h, g, sums, &is_over);
	if (is_well || is_over)
		hands_print(xalloc_json(json_pack("{s:O}", "result", sums)));
	json_decref(sums);
}

/* ---- commands ---- */

/* The next word of a line, NULL if there is none; *at goes on behind it. */
static char *
hands_word(char **at)
{
	char *word = *at + strspn(*at, " "), *end;

	if (*word == '\0')
		return (NULL);
	end = word + strcspn(word, " ");
	*at = *end == '\0' ? end : end + 1;
	*end = '\0';
	return (word);
}

/* Sends a request as the test gave it. */
static void
hands_do_call(struct hands *h, char *at)
{
	const char *name = hands_word(&at), *method = hands_word(&at);
	json_t *params = hands_json(at), *result;

	if (name == NULL || method == NULL)
		player_die("call", "NAME METHOD PARAMS");
	result = hands_call(hands_player(h, name), method, params);
	json_decref(params);
	if (result != NULL)
		hands_print(xalloc_json(json_pack("{s:o}", "result", result)));
}

/* Gives the order that the test named. */
static void
hands_do_order(struct hands *h, char *at)
{
	const char *game = hands_word(&at), *seat = hands_word(&at);
	const char *kind = hands_word(&at);
	struct hands_game *g;
	json_t *result;

	if (kind == NULL)
		player_die("order", "GAME SEAT KIND ARGS");
	g = hands_game(h, game);
	if (!hands_follow(g))
		return;
	result = hands_order(
	    h, g, atoi(seat), order_kind_of(kind), hands_json(at), NULL);
	if (result != NULL)
		hands_print(xalloc_json(json_pack("{s:o}", "result", result)));
}

/* Carries out one line. */
static void
hands_do(struct hands *h, char *at)
{
	const char *verb = hands_word(&at), *a, *b, *c;

	if (verb == NULL)
		player_die("a line", "it is empty");
	if (strcmp(verb, "call") == 0) {
		hands_do_call(h, at);
		return;
	}
	if (strcmp(verb, "order") == 0) {
		hands_do_order(h, at);
		return;
	}
	if (strcmp(verb, "steps") == 0) {
		json_decref(h->steps);
		h->steps = hands_json(at);
		hands_print(json_true());
		return;
	}
	if ((a = hands_word(&at)) == NULL)
		player_die(verb, "of what?");
	b = hands_word(&at);
	c = b == NULL ? NULL : hands_word(&at);
	if (strcmp(verb, "person") == 0) {
		hands_person(h, a);
	} else if (strcmp(verb, "keys") == 0) {
		hands_keys(h, a, b, c);
	} else if (strcmp(verb, "leave") == 0) {
		player_disconnect(hands_player(h, a));
		hands_print(json_true());
	} else if (strcmp(verb, "now") == 0) {
		h->now_ms = strtoll(a, NULL, 10);
		hands_print(json_true());
	} else if (strcmp(verb, "game") == 0) {
		hands_hold(h, a, b, c);
	} else if (strcmp(verb, "play") == 0 && b != NULL) {
		hands_play(h, hands_game(h, a), strtol(b, NULL, 10));
	} else {
		player_die(verb, "no such command");
	}
}

/* Frees all that there is. */
static void
hands_clear(struct hands *h)
{
	size_t i;

	for (i = 0; i < h->n_games; i++) {
		verify_free(h->games[i].v);
		json_decref(h->games[i].open[1]);
		json_decref(h->games[i].open[2]);
	}
	for (i = 0; i < h->n_players; i++) {
		player_clear(h->players[i]);
		free(h->players[i]);
	}
	free(h->games);
	free(h->players);
	json_decref(h->steps);
}

int
main(int argc, char **argv)
{
	struct hands h = {.host = NULL};
	size_t cap = 0;
	ssize_t len;
	char *line = NULL;

	if (argc != 4)
		player_die("usage", "hands HOST PORT SEED");
	(void)signal(SIGPIPE, SIG_IGN);
	h.host = argv[1];
	h.port = argv[2];
	h.seed = strtoull(argv[3], NULL, 10);
	h.chance = h.seed;
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	while ((len = getline(&line, &cap, stdin)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		hands_do(&h, line);
	}
	free(line);
	hands_clear(&h);
	return (0);
}
