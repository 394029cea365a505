/* SPDX-License-Identifier: ISC */
/*
 * `umpired --check`: every game is rebuilt from its lines, as a stranger
 * with the exported record would do it, and then compared with what is kept
 * beside the record for speed.  It only reads, one game per transaction, so it
 * may run alongside the daemon.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_take.h"
#include "common/game/verify.h"
#include "server/ledger/ledger.h"
#include "server/ledger/ledger_int.h"
#include "server/ledger/ledger_replay.h"
#include "server/store/kept.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

/* The run over the database. */
struct ledger_check {
	struct store *st;
	const uint8_t *server;
	struct buf ids; /* of all games, HASH_LEN bytes each */
	int64_t lines;
	struct buf cups; /* of all tournaments, likewise */
	int64_t bad; /* games and tournaments */
	int64_t unchecked; /* which a newer umpired has to judge */
};

/* One game. */
struct ledger_check_game {
	struct ledger_check *c;
	struct store_game_row row;
	struct ledger_replay rp;
	struct game *game; /* as the record gives it; NULL before its end */
	int held; /* secret choices that are kept for it */
	int64_t standing; /* texts of standing orders, likewise */
	int seats; /* seats in which somebody sits */
	bool fits; /* the snapshot has the hash that is kept with it */
};

/* Checks that a line is found by what its order is found by. */
static int
ledger_check_look(
    void *arg, int64_t at, const struct order *o, struct errinfo *e)
{
	struct ledger_check_game *cg = arg;
	struct store *st = cg->c->st;
	struct buf found;
	int64_t seq;
	int r;

	cg->c->lines++;
	if (o == NULL)
		return (0);
	buf_init(&found, 0);
	r = store_record_find_oid(st, cg->row.gid, o->oid, &found, &seq);
	if (r == 0 && seq != at)
		r = ERR_NOTFOUND;
	if (r == 0)
		r = store_record_find_nonce(st, cg->row.gid, o->seat, o->nonce);
	if (r == ERR_NOTFOUND)
		r = err_set(e, ERR_BAD, NULL,
		    "the line is not found by its order or nonce");
	buf_clear(&found);
	return (r);
}

/* Compares the lobby's columns with the game. */
static int
ledger_check_row(struct ledger_check_game *cg, const struct game *g)
{
	const struct store_game_row *row = &cg->row;
	const bool is_delayed = game_phase(g) == GAME_PLAY &&
	    (row->delay_turns > 0 || row->delay_minutes > 0);
	struct store_game_row words;
	int r;

	if ((r = kept_words(g, &words)) != 0)
		return (r);
	if (kept_is_row(row, g) && strcmp(row->title, words.title) == 0 &&
	    strcmp(row->now, words.now) == 0 &&
	    (is_delayed ? row->listed_ms <= row->at_ms
			: row->listed_ms == row->at_ms) &&
	    strcmp(row->accounts[0], game_account(g, 1)) == 0 &&
	    strcmp(row->accounts[1], game_account(g, 2)) == 0)
		return (0);
	return (err_set(&cg->rp.e, ERR_BAD, NULL,
	    "what the list of games says is not what the record gives"));
}

/* Checks who is said to sit in a seat. */
static int
ledger_check_seat_cb(void *arg, int seat, const char *account)
{
	struct ledger_check_game *cg = arg;

	cg->seats++;
	if (strcmp(game_account(verify_game(cg->rp.v), seat), account) == 0)
		return (0);
	return (err_set(&cg->rp.e, ERR_BAD, NULL,
	    "\"%s\" does not sit in seat %d as the record says", account,
	    seat));
}

/* Compares the seats with the game. */
static int
ledger_check_seats(struct ledger_check_game *cg, const struct game *g)
{
	int i, n = 0, r;

	r = store_game_seats(cg->c->st, cg->row.gid, ledger_check_seat_cb, cg);
	for (i = 0; i < GAME_SLOTS; i++)
		n += game_is_joined(g, game_slot_seat(i));
	if (r == 0 && n != cg->seats)
		r = err_set(&cg->rp.e, ERR_BAD, NULL,
		    "%d of %d who sit in the game are not kept", n - cg->seats,
		    n);
	return (r);
}

/* Compares the lines of turns with those that the record gives. */
static int
ledger_check_turns(struct ledger_check_game *cg)
{
	int64_t n, seq;
	const json_t *v;
	size_t i;
	int r;

	if ((r = store_turn_count(cg->c->st, cg->row.gid, &n)) != 0)
		return (r);
	json_array_foreach(cg->rp.turns, i, v)
	{
		r = store_turn_find(cg->c->st, cg->row.gid, (int)i, &seq);
		if (r != 0 && r != ERR_NOTFOUND)
			return (r);
		if (r == ERR_NOTFOUND || seq != json_integer_value(v))
			break;
	}
	if (i == json_array_size(cg->rp.turns) && (int64_t)i == n)
		return (0);
	return (err_set(&cg->rp.e, ERR_BAD, NULL,
	    "what is kept of the turns is not what the record gives"));
}

/* Checks for which side a text is kept. */
static int
ledger_check_text_cb(void *arg, const uint8_t ref[HASH_LEN], int side)
{
	struct ledger_check_game *cg = arg;
	char hex[2 * HASH_LEN + 1];
	const json_t *v;

	hex_format(hex, ref, HASH_LEN);
	v = json_object_get(cg->rp.texts, hex);
	if (v == NULL || json_integer_value(v) == side)
		return (0);
	return (err_set(&cg->rp.e, ERR_BAD, NULL,
	    "the text %.16s is kept for other readers than the record has",
	    hex));
}

/* Checks that a text that is kept is that of a standing order. */
static int
ledger_check_standing_cb(void *arg, const struct game_standing_text *t)
{
	struct ledger_check_game *cg = arg;
	int r;

	r = game_hold_standing(cg->game, t);
	if (r != 0 && r != ERR_NOMEM)
		return (err_set(&cg->rp.e, ERR_BAD, NULL,
		    "the standing order that is kept for line %" PRId64
		    " is not one that waits",
		    t->seq));
	cg->standing++;
	return (r);
}

/* Checks that the texts of standing orders that wait are all kept. */
static int
ledger_check_standing(struct ledger_check_game *cg, bool waits)
{
	const json_t *s;
	int64_t n = 0;
	json_t *view;
	size_t i;
	int r;

	r = store_standing_each(
	    cg->c->st, cg->row.gid, ledger_check_standing_cb, cg);
	if (r != 0)
		return (r);
	if ((view = game_view(cg->game)) == NULL)
		return (ERR_NOMEM);
	json_array_foreach(json_object_get(view, "standing"), i, s) n +=
	    !json_is_true(json_object_get(s, "acted"));
	json_decref(view);
	if (game_is_finished(cg->game) || n == cg->standing || waits)
		return (0);
	return (err_set(&cg->rp.e, ERR_BAD, NULL,
	    "%" PRId64 " of %" PRId64 " standing orders that wait are kept",
	    cg->standing, n));
}

/* Checks that a secret choice that is kept is one that was committed. */
static int
ledger_check_held_cb(void *arg, const struct game_held *held)
{
	struct ledger_check_game *cg = arg;
	int r;

	r = game_hold(cg->game, held);
	if (r != 0 && r != ERR_NOMEM)
		return (err_set(&cg->rp.e, ERR_BAD, NULL,
		    "the secret choice that is kept for seat %d is not what "
		    "the record waits for",
		    held->seat));
	cg->held++;
	return (r);
}

/* True if what is missing of the game may still come back. */
static int
ledger_check_waits(struct ledger_check_game *cg, bool *waits)
{
	char why[STORE_WHY_MAX];
	int r;

	r = store_standstill_why(cg->c->st, cg->row.gid, why);
	*waits = r == 0 && strcmp(why, STORE_WHY_DAMAGED) != 0;
	return (r == ERR_NOTFOUND ? 0 : r);
}

/* Checks that the secrets held (record S8) are there. */
static int
ledger_check_held(struct ledger_check_game *cg)
{
	bool waits = false;
	int r;

	cg->game = verify_take_game(cg->rp.v);
	r = store_secret_each(cg->c->st, cg->row.gid, ledger_check_held_cb, cg);
	if (r == 0)
		r = ledger_check_waits(cg, &waits);
	if (r == 0 && cg->held == 0 && game_has_held(cg->game) && !waits)
		r = err_set(&cg->rp.e, ERR_BAD, NULL,
		    "the secret choice that was committed is not kept");
	if (r == 0)
		r = ledger_check_standing(cg, waits);
	game_free(cg->game);
	cg->game = NULL;
	return (r);
}

/* Compares what is kept beside the record with what the record gives. */
static int
ledger_check_state(struct ledger_check_game *cg, const struct buf *snapshot)
{
	const struct game *g = verify_game(cg->rp.v);
	struct buf state;
	int r;

	cg->rp.at = -1;
	if (verify_report(cg->rp.v)->is_unchecked) {
		cg->c->unchecked++;
		return (0);
	}
	if ((r = ledger_check_row(cg, g)) != 0 ||
	    (r = ledger_check_seats(cg, g)) != 0 ||
	    (r = ledger_check_turns(cg)) != 0 ||
	    (r = store_text_each(
		 cg->c->st, cg->row.gid, ledger_check_text_cb, cg)) != 0)
		return (r);
	buf_init(&state, 0);
	r = game_save(g, &state);
	if (r == 0 &&
	    (state.len != snapshot->len ||
		memcmp(state.data, snapshot->data, state.len) != 0))
		r = err_set(&cg->rp.e, ERR_BAD, NULL,
		    "the state that is kept is not what the record gives");
	if (r == 0 && !cg->fits)
		r = err_set(&cg->rp.e, ERR_BAD, NULL,
		    "the state does not have the hash that is kept with it");
	buf_clear(&state);
	return (r == 0 ? ledger_check_held(cg) : r);
}

/* Checks one game within a transaction; what is bad is printed. */
static int
ledger_check_game(struct ledger_check *c, const uint8_t id[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1];
	struct ledger_check_game cg = {.c = c,
	    .rp = {.st = c->st,
		.server = c->server,
		.look = ledger_check_look,
		.arg = &cg,
		.at = -1}};
	struct buf snapshot;
	int r;

	buf_init(&snapshot, 0);
	r = store_game_load(c->st, id, &cg.row, &snapshot, &cg.fits);
	cg.rp.gid = cg.row.gid;
	if (r == ERR_NOTFOUND)
		r = err_set(&cg.rp.e, ERR_BAD, NULL, "its state is missing");
	if (r == 0)
		r = ledger_replay_run(&cg.rp);
	if (r == 0)
		r = ledger_check_state(&cg, &snapshot);
	if (ledger_replay_is_bad(r)) {
		hex_format(hex, id, HASH_LEN);
		printf("game %s: ", hex);
		if (cg.rp.at >= 0)
			printf("line %" PRId64 ": ", cg.rp.at);
		if (cg.rp.e.where[0] != '\0')
			printf("%s: ", cg.rp.e.where);
		printf("%s\n", cg.rp.e.text);
		c->bad++;
		r = 0;
	}
	ledger_replay_clear(&cg.rp);
	buf_clear(&snapshot);
	return (r);
}

/* Checks one tournament within a transaction; what is bad is printed. */
static int
ledger_check_cup(struct ledger_check *c, const uint8_t id[HASH_LEN])
{
	struct errinfo e = {.text = ""};
	char hex[2 * HASH_LEN + 1];
	bool is_unchecked = false;
	int64_t at = -1;
	int r;

	r = ledger_check_tournament(
	    c->st, c->server, id, &c->lines, &at, &is_unchecked, &e);
	if (r == 0 && is_unchecked)
		c->unchecked++;
	if (r != ERR_BAD)
		return (r);
	hex_format(hex, id, HASH_LEN);
	printf("tournament %s: ", hex);
	if (at >= 0)
		printf("line %" PRId64 ": ", at);
	printf("%s\n", e.text[0] == '\0' ? err_text(r) : e.text);
	c->bad++;
	return (0);
}

/* Checks all games, and tournaments after them. */
static int
ledger_check_all(struct ledger_check *c)
{
	size_t i;
	int r;

	r = store_game_ids(c->st, &c->ids);
	for (i = 0; r == 0 && i < c->ids.len; i += HASH_LEN) {
		r = store_begin(c->st);
		if (r != 0)
			break;
		r = ledger_check_game(c, (const uint8_t *)c->ids.data + i);
		store_rollback(c->st);
	}
	if (r == 0)
		r = store_tournament_ids(c->st, &c->cups);
	for (i = 0; r == 0 && i < c->cups.len; i += HASH_LEN) {
		r = store_begin(c->st);
		if (r != 0)
			break;
		r = ledger_check_cup(c, (const uint8_t *)c->cups.data + i);
		store_rollback(c->st);
	}
	return (r);
}

int
ledger_check(
    const char *database, const uint8_t server[SIGN_KEY_LEN], struct errinfo *e)
{
	struct ledger_check c = {.server = server};
	struct errinfo why;
	int r;

	if ((r = store_open_reader(database, &c.st, e)) != 0)
		return (r);
	buf_init(&c.ids, 0);
	buf_init(&c.cups, 0);
	r = store_check(c.st, NULL, NULL, &why);
	if (r == ERR_BAD) {
		printf("database: %s\n", why.text);
		c.bad++;
		r = 0;
	} else if (r != 0 && e != NULL) {
		*e = why;
	}
	if (r == 0 && (r = ledger_check_all(&c)) != 0)
		(void)err_set(e, r, NULL, "cannot check \"%s\": %s (%s)",
		    database, err_text(r), store_reason(c.st));
	if (r == 0) {
		printf("games: %zu", c.ids.len / HASH_LEN);
		if (c.cups.len > 0)
			printf(", tournaments: %zu", c.cups.len / HASH_LEN);
		printf(", lines: %" PRId64 ", wrong: %" PRId64, c.lines, c.bad);
		if (c.unchecked > 0)
			printf(", not checked against their rules: %" PRId64,
			    c.unchecked);
		printf("\n");
		if (c.bad > 0)
			r = err_set(e, ERR_BAD, NULL,
			    "the database does not agree with itself");
	}
	buf_clear(&c.ids);
	buf_clear(&c.cups);
	store_close(c.st);
	return (r);
}
